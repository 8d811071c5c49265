/* A machine of seven operations: a switch in a loop, whose arms fall through or go on.
 * out[i] = x after the eight operations of code[8 i ...]. */
__kernel void interpreter(__global const uchar *code, __global const uint *in, __global uint *out)
{
    size_t i = get_global_id(0);
    uint x = in[i], y = 1;
    for (int k = 0; k < 8; k++) {
        switch (code[8 * i + k]) {
        case 0:
            x += 7;
            break;
        case 1:
            x *= 3;
        case 2:
            y ^= x;
            break;
        case 3:
            if (x & 1)
                continue;
            x >>= 1;
            break;
        case 4: {
            uint t = x;
            x = y;
            y = t;
            break;
        }
        case 5:
            x = ~x;
            break;
        default:
            x -= y;
        }
        x ^= x << 7;
    }
    out[i] = x;
}
