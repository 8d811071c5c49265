/* Each invocation leaves its number in one word and keeps what was there.
 * The values kept and the last one are 1000 and all numbers, each once. */
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) buffer K { uint kept[]; };
layout(binding = 1) buffer W { uint word; };
void main()
{
    kept[gl_GlobalInvocationID.x] = atomicExchange(word, gl_GlobalInvocationID.x);
}
