/* Nested loops, a do-while and an early return: perfect numbers and steps of Collatz.
 * y[2 i ...] = sum of the proper divisors, steps down to 1; nothing for multiples of 7. */
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer X { uint x[]; };
layout(binding = 1) writeonly buffer Y { uint y[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x, n = x[i], sum = 0, steps = 0;
    if (n % 7 == 0)
        return;
    for (uint d = 1; d < n; d++) {
        if (n % d != 0)
            continue;
        sum += d;
    }
    do {
        if (n == 1)
            break;
        n = n % 2 == 0 ? n / 2 : 3 * n + 1;
        steps++;
    } while (true);
    y[2 * i] = sum;
    y[2 * i + 1] = steps;
}
