/* Results of two words: products, a carry, a borrow.
 * z[6 i ...] = high and low of the product, sum, carry, difference, borrow. */
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer X { uint x[]; };
layout(binding = 1) readonly buffer Y { uint y[]; };
layout(binding = 2) writeonly buffer Z { uint z[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x, high, low, carry, borrow;
    umulExtended(x[i], y[i], high, low);
    z[6 * i] = high;
    z[6 * i + 1] = low;
    z[6 * i + 2] = uaddCarry(x[i], y[i], carry);
    z[6 * i + 3] = carry;
    z[6 * i + 4] = usubBorrow(x[i], y[i], borrow);
    z[6 * i + 5] = borrow;
}
