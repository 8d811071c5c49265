/* The five-point sum of a 16 by 16 picture; a border stands for its neighbour.
 * y = 4 * x - its four neighbours. */
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer X { int x[16][16]; };
layout(binding = 1) writeonly buffer Y { int y[16][16]; };
void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy), low = max(p - 1, ivec2(0)), high = min(p + 1, ivec2(15));
    y[p.y][p.x] = 4 * x[p.y][p.x] - x[low.y][p.x] - x[high.y][p.x] - x[p.y][low.x] - x[p.y][high.x];
}
