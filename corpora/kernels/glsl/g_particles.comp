/* A step of particles in an array of structures (std430), precise.
 * position += 0.125 * velocity; velocity.y -= 1.21875, and turned round below 0. */
#version 450
layout(local_size_x = 16) in;
struct Particle {
    vec3 position;
    float mass;
    vec3 velocity;
    uint flags;
};
layout(std430, binding = 0) buffer P { Particle all[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    Particle p = all[i];
    precise vec3 moved = p.position + p.velocity * 0.125;
    precise float y = p.velocity.y - 1.21875;
    p.position = moved;
    p.velocity.y = moved.y < 0 ? -y : y;
    all[i].position = p.position;
    all[i].velocity = p.velocity;
}
