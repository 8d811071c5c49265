/* SHA-256's compression of one block per work-item, from the standard's initial state, with the constants in memory.
 * out[8 i ...] = state after the block in[16 i ... 16 i + 15], whose words are numbers. */
__constant uint K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
__constant uint H[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
static uint right(uint x, uint n)
{
    return rotate(x, 32 - n);
}
__kernel void sha256(__global const uint *in, __global uint *out)
{
    size_t i = get_global_id(0);
    uint w[64], s[8];
    for (int t = 0; t < 16; t++)
        w[t] = in[16 * i + t];
    for (int t = 16; t < 64; t++) {
        uint a = w[t - 15], b = w[t - 2];
        w[t] = w[t - 16] + (right(a, 7) ^ right(a, 18) ^ a >> 3) + w[t - 7] + (right(b, 17) ^ right(b, 19) ^ b >> 10);
    }
    for (int k = 0; k < 8; k++)
        s[k] = H[k];
    for (int t = 0; t < 64; t++) {
        uint e = s[4], a = s[0];
        uint x = s[7] + (right(e, 6) ^ right(e, 11) ^ right(e, 25)) + bitselect(s[6], s[5], e) + K[t] + w[t];
        uint y = (right(a, 2) ^ right(a, 13) ^ right(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        for (int k = 7; k > 0; k--)
            s[k] = s[k - 1];
        s[4] += x;
        s[0] = x + y;
    }
    for (int k = 0; k < 8; k++)
        out[8 * i + k] = H[k] + s[k];
}
