/* Undefined: a signed sum that overflows, which clang decorates with NoSignedWrap.
 * y[i] = x[i] + 100. */
__kernel void u_overflow(__global const int *x, __global int *y)
{
    size_t i = get_global_id(0);
    y[i] = x[i] + 100;
}
