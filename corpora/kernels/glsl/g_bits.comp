/* The functions of bits.
 * y[8 i ...] = bitCount, findLSB, findMSB, bitfieldReverse, extract of ints and uints, insert, findMSB of an int. */
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer X { uint x[]; };
layout(binding = 1) writeonly buffer Y { int y[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x, v = x[i];
    y[8 * i] = bitCount(v);
    y[8 * i + 1] = findLSB(v);
    y[8 * i + 2] = findMSB(v >> (v & 31u));
    y[8 * i + 3] = int(bitfieldReverse(v));
    y[8 * i + 4] = bitfieldExtract(int(v), 5, 9);
    y[8 * i + 5] = int(bitfieldExtract(v, int(v & 15u), 12));
    y[8 * i + 6] = int(bitfieldInsert(v, ~v, 8, 12));
    y[8 * i + 7] = findMSB(int(v));
}
