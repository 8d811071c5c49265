/* A message by release and acquire between work-items; who comes too early does without.
 * seen[i] = 0, or 42 where the flag was set. */
__kernel void flag_message(__global uint *box, __global uint *seen)
{
    size_t i = get_global_id(0);
    __global atomic_uint *flag = (__global atomic_uint *)&box[2];
    uint x = 0;
    if (i == 0) {
        box[0] = 42;
        atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
    } else if (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device)) {
        x = box[0];
    }
    seen[i] = x;
}
