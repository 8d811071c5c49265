/* Undefined: some divisors are 0 (OpUDiv: undefined behaviour if operand 2 is 0).
 * z[i] = x[i] / y[i]. */
__kernel void u_divide(__global const uint *x, __global const uint *y, __global uint *z)
{
    size_t i = get_global_id(0);
    z[i] = x[i] / y[i];
}
