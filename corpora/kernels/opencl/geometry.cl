/* Geometry of float4: dot product, lengths, a normalized vector, a cross product.
 * out[8 i ...] = dot, length, distance, fast_length's own square, normalize(a).xyz, cross(a, b).z. */
__kernel void geometry(__global const float4 *a, __global const float4 *b, __global float *out)
{
    size_t i = get_global_id(0);
    float4 x = a[i], y = b[i], n = normalize(x);
    out[8 * i] = dot(x, y);
    out[8 * i + 1] = length(x);
    out[8 * i + 2] = distance(x, y);
    out[8 * i + 3] = dot(x, x);
    vstore3(n.xyz, 0, &out[8 * i + 4]);
    out[8 * i + 7] = cross(x, y).z;
}
