/* Atomic minimum and maximum, signed and unsigned, and bitwise and and or.
 * a = min and max of in as ints; b = unsigned min and max, and of all, or of all. */
__kernel void atomic_extremes(__global const int *in, __global int *a, __global uint *b)
{
    int x = in[get_global_id(0)];
    atomic_min(&a[0], x);
    atomic_max(&a[1], x);
    atomic_min(&b[0], (uint)x);
    atomic_max(&b[1], (uint)x);
    atomic_and(&b[2], (uint)x | 0xff);
    atomic_or(&b[3], (uint)x & 0xffff);
}
