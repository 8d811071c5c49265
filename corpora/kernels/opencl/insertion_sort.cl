/* An insertion sort of 8 ints per work-item in a private array that is indexed by data.
 * data[8 i ... 8 i + 7] sorted upward. */
__kernel void insertion_sort(__global int *data)
{
    __global int *d = data + 8 * get_global_id(0);
    int t[8];
    for (int k = 0; k < 8; k++) {
        int x = d[k], at = k;
        while (at > 0 && t[at - 1] > x) {
            t[at] = t[at - 1];
            at--;
        }
        t[at] = x;
    }
    for (int k = 0; k < 8; k++)
        d[k] = t[k];
}
