/* The atomics of OpenCL C 2.0 with orders and scopes: add, sub, max, and a retried compare-exchange.
 * out = sum, minus the sum, max(0, ...), and the sum once more. */
__kernel void atomics_c11(__global const int *in, __global int *out)
{
    int x = in[get_global_id(0)];
    __global atomic_int *a = (__global atomic_int *)out;
    atomic_fetch_add_explicit(&a[0], x, memory_order_relaxed, memory_scope_device);
    atomic_fetch_sub_explicit(&a[1], x, memory_order_acq_rel, memory_scope_device);
    atomic_fetch_max_explicit(&a[2], x, memory_order_release, memory_scope_device);
    int seen = atomic_load_explicit(&a[3], memory_order_acquire, memory_scope_device);
    while (!atomic_compare_exchange_weak_explicit(&a[3], &seen, seen + x, memory_order_acq_rel, memory_order_relaxed,
                                                  memory_scope_device))
        ;
}
