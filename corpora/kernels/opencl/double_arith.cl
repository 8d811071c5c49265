/* Doubles: a quotient, a square root, a sum of squares, and the float between.
 * out[4 i ...] = a / b, sqrt(b), a * a + b * b, (double)(float)a. */
#pragma OPENCL FP_CONTRACT OFF
__kernel void double_arith(__global const double *a, __global const double *b, __global double *out)
{
    size_t i = get_global_id(0);
    double x = a[i], y = b[i];
    out[4 * i] = x / y;
    out[4 * i + 1] = sqrt(y);
    out[4 * i + 2] = x * x + y * y;
    out[4 * i + 3] = (double)(float)x;
}
