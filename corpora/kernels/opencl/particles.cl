/* A step of particles in an array of structures with vectors, without contraction.
 * position += 0.125 * velocity; velocity.y -= 9.75 * 0.125, and turned round below 0. */
#pragma OPENCL FP_CONTRACT OFF
struct particle {
    float4 position, velocity;
};
__kernel void particles(__global struct particle *all)
{
    __global struct particle *p = &all[get_global_id(0)];
    float4 v = p->velocity;
    p->position += v * 0.125f;
    v.y -= 9.75f * 0.125f;
    v.y *= p->position.y < 0.0f ? -1.0f : 1.0f;
    p->velocity = v;
}
