/* A structure by value, which clang hands over by a pointer to private memory (byval).
 * y[i] = (x[i] % 1000) * a + b, at most c. */
struct line {
    uint a, b, limit;
};
__kernel void v_struct(__global const uint *x, __global uint *y, struct line l)
{
    size_t i = get_global_id(0);
    y[i] = min(x[i] % 1000 * l.a + l.b, l.limit);
}
