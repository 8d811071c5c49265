/* A double and an int by value.
 * y[i] = x[i] * step, n times. */
__kernel void v_double(__global const double *x, __global double *y, double step, int n)
{
    double r = x[get_global_id(0)];
    for (int k = 0; k < n; k++)
        r *= step;
    y[get_global_id(0)] = r;
}
