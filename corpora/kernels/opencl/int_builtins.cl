/* Integer functions of OpenCL C.
 * out[8 i ...] = mul_hi, add_sat, sub_sat, hadd, abs_diff, mad_sat(a, b, a), rotate, clamp(a, -1000, b & 0xffff). */
__kernel void int_builtins(__global const int *a, __global const int *b, __global int *out)
{
    size_t i = get_global_id(0);
    int x = a[i], y = b[i];
    out[8 * i] = mul_hi(x, y);
    out[8 * i + 1] = add_sat(x, y);
    out[8 * i + 2] = sub_sat(x, y);
    out[8 * i + 3] = hadd(x, y);
    out[8 * i + 4] = (int)abs_diff(x, y);
    out[8 * i + 5] = mad_sat(x, y, x);
    out[8 * i + 6] = rotate(x, y);
    out[8 * i + 7] = clamp(x, -1000, y & 0xffff);
}
