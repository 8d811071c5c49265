/* Nested loops with continue, break and a loop that is left from within: the primes that do not divide n.
 * out[i] = sum of the primes up to in[i] that do not divide it. */
__kernel void nested_loops(__global const uint *in, __global uint *out)
{
    uint n = in[get_global_id(0)], sum = 0;
    for (uint p = 2; p <= n; p++) {
        if (n % p == 0)
            continue;
        bool is_prime = true;
        for (uint d = 2; d * d <= p; d++) {
            if (p % d)
                continue;
            is_prime = false;
            break;
        }
        if (is_prime)
            sum += p;
    }
    out[get_global_id(0)] = sum;
}
