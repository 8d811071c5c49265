/* Vectors of three: dot, length, distance, normalize, cross, reflect.
 * y[12 i ...] = dot(a, b), length(a), distance, normalize(b), cross, reflect(a, normalize(b)). */
#version 450
layout(local_size_x = 16) in;
layout(binding = 0) readonly buffer A { vec4 a[]; };
layout(binding = 1) readonly buffer B { vec4 b[]; };
layout(binding = 2) writeonly buffer Y { float y[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    vec3 u = a[i].xyz, v = b[i].xyz, n = normalize(v), c = cross(u, v), r = reflect(u, n);
    y[12 * i] = dot(u, v);
    y[12 * i + 1] = length(u);
    y[12 * i + 2] = distance(u, v);
    for (int k = 0; k < 3; k++) {
        y[12 * i + 3 + k] = n[k];
        y[12 * i + 6 + k] = c[k];
        y[12 * i + 9 + k] = r[k];
    }
}
