#pragma OPENCL FP_CONTRACT OFF

float f85(float p0)
{
    return atanpi(p0);
}

float8 f196(float8 p0)
{
    return round(p0);
}

float2 f281(float2 p0)
{
    return asinpi(p0);
}

float3 f468(float3 p0)
{
    return native_log2(p0);
}

__kernel void main_kernel(__global uint *b0, __constant uint *b1, __global uint *b2)
{
    float v105;
    float v242;
    uint v331;
    uint m93;
    uint m120;
    uint m146;
    uint m152;
    uint m162;
    uint m175;
    uint m193;
    uint m204;
    uint m225;
    uint m241;
    uint m257;
    uint m265;
    uint m277;
    uint m315;
    uint m337;
    uint m368;
    uint m426;
    uint m451;
    uint m477;
    uint m488;
    float8 m527;
    uint m543;
    uint m559;
    uint m570;
    uint m582;
    uint m588;
    uint v17;
    uint v324;
    v17 = (uint)get_global_id(0);
    uint v21 = (uint)get_group_id(0);
    uint v25 = (uint)get_local_id(0);
    uint v27 = b0[v17];
    if ((v27 & 3u) == 0u) {
        uint v39 = b0[v17 + 128u];
        uint v41 = b1[v17];
        float2 v46 = nan((uint2)(v39, v41));
        b2[v17] = as_uint(v46.s0);
        b2[v17 + 128u] = as_uint(v46.s1);
    } else {
        uint v58 = b0[v17 + 256u];
        if ((v58 & 1u) == 0u) {
            uint v68 = b0[v17 + 384u];
            if ((v68 & 3u) == 0u) {
                uint v77 = b0[v17 + 512u];
                float v78 = as_float(v77);
                b2[v17 + 256u] = as_uint(atanpi(v78));
                float v83 = f85(v78);
                m93 = as_uint(v83);
                b2[v17 + 384u] = m93;
                v105 = -(-0x0.26994cp-126f);
            } else {
                uint v100 = b0[v17 + 640u];
                if ((v100 & 3u) == 0u) {
                    return;
                }
                v105 = 0x1.000000p-6f;
            }
            b2[v17 + 512u] = as_uint(v105);
            v242 = (-0x1.a00000p-21f) + v105;
        } else {
            uint v115 = b0[v17 + 768u];
            m120 = b0[v17 + 896u];
            uint v121 = m120;
            uint v126 = b0[v17 + 1024u];
            uint v131 = b0[v17 + 1152u];
            uint v136 = b0[v17 + 1280u];
            uint v141 = b0[v17 + 1408u];
            m146 = b0[v17 + 1536u];
            uint v147 = m146;
            m152 = b0[v17 + 1664u];
            uint v153 = m152;
            float8 v156 = (float8)(as_float(v115), as_float(v121), as_float(v126), as_float(v131), as_float(v136), as_float(v141), as_float(v147), as_float(v153));
            float8 v157 = round(v156);
            m162 = as_uint(v157.s0);
            b2[v17 + 640u] = m162;
            b2[v17 + 768u] = as_uint(v157.s1);
            b2[v17 + 896u] = as_uint(v157.s2);
            m175 = as_uint(v157.s3);
            b2[v17 + 1024u] = m175;
            float v176 = v157.s4;
            b2[v17 + 1152u] = as_uint(v176);
            b2[v17 + 1280u] = as_uint(v157.s5);
            b2[v17 + 1408u] = as_uint(v157.s6);
            m193 = as_uint(v157.s7);
            b2[v17 + 1536u] = m193;
            float8 v194 = f196(v156);
            m204 = as_uint(v194.s0);
            b2[v17 + 1664u] = m204;
            b2[v17 + 1792u] = as_uint(v194.s1);
            b2[v17 + 1920u] = as_uint(v194.s2);
            b2[v17 + 2048u] = as_uint(v194.s3);
            m225 = as_uint(v194.s4);
            b2[v17 + 2176u] = m225;
            b2[v17 + 2304u] = as_uint(v194.s5);
            b2[v17 + 2432u] = as_uint(v194.s6);
            m241 = as_uint(v194.s7);
            b2[v17 + 2560u] = m241;
            v242 = v176;
        }
        b2[v17 + 2688u] = as_uint(v242);
        uint v249 = b0[v17 + 1792u];
        if ((v249 & 3u) == 0u) {
            m257 = b0[v17 + 1920u];
            uint v258 = m257;
            m265 = as_uint(sinpi(as_float(v258)));
            b2[v17 + 2816u] = m265;
            float v266 = 1.0f - 1.0f;
            b2[v17 + 2944u] = as_uint(v266);
            float v272 = 1.0f * 1.0f;
            m277 = as_uint(v272);
            b2[v17 + 3072u] = m277;
            float2 v279 = f281((float2)(v266, v272));
            b2[v17 + 3200u] = as_uint(v279.s0);
            b2[v17 + 3328u] = as_uint(v279.s1);
        } else {
            float3 v298 = half_log10((float3)(v242, v242, v242));
            b2[v17 + 3456u] = as_uint(v298.s0);
            float v305 = v298.s1;
            b2[v17 + 3584u] = as_uint(v305);
            m315 = as_uint(v298.s2);
            b2[v17 + 3712u] = m315;
            b2[v17 + 3840u] = as_uint(-v305);
        }
    }
    v324 = (v17 % 2u) + 2u;
    v331 = 0u;
    for (;;) {
        if (!(v331 < v324)) {
            break;
        }
        uint v333 = v331 * 128u;
        m337 = b0[(v17 + 2048u) + v333];
        uint v338 = m337;
        uint v343 = b0[(v17 + 2432u) + v333];
        uint v348 = b0[(v17 + 2816u) + v333];
        uint v353 = b1[(v17 + 128u) + v333];
        uint v358 = b0[(v17 + 3200u) + v333];
        uint v363 = b1[(v17 + 512u) + v333];
        m368 = b0[(v17 + 3584u) + v333];
        uint v369 = m368;
        uint v375 = b0[(v17 + 3968u) + v333];
        float8 v378 = asin((float8)(as_float(v338), as_float(v343), as_float(v348), as_float(v353), as_float(v358), as_float(v363), as_float(v369), as_float(v375)));
        b2[(v17 + 3968u) + v333] = as_uint(v378.s0);
        b2[(v17 + 4352u) + v333] = as_uint(v378.s1);
        b2[(v17 + 4736u) + v333] = as_uint(v378.s2);
        b2[(v17 + 5120u) + v333] = as_uint(v378.s3);
        b2[(v17 + 5504u) + v333] = as_uint(v378.s4);
        b2[(v17 + 5888u) + v333] = as_uint(v378.s5);
        b2[(v17 + 6272u) + v333] = as_uint(v378.s6);
        m426 = as_uint(v378.s7);
        b2[(v17 + 6656u) + v333] = m426;
        uint v430 = b0[(v17 + 4352u) + v333];
        uint v435 = b1[(v17 + 896u) + v333];
        float2 v438 = half_log((float2)(as_float(v430), as_float(v435)));
        b2[(v17 + 7040u) + v333] = as_uint(v438.s0);
        m451 = as_uint(v438.s1);
        b2[(v17 + 7424u) + v333] = m451;
        v331 = v331 + 1u;
    }
    uint v454 = b1[v17 + 1280u];
    uint v458 = b0[v17 + 4736u];
    uint v463 = b0[v17 + 4864u];
    float3 v466 = f468((float3)(as_float(v454), as_float(v458), as_float(v463)));
    m477 = as_uint(v466.s0);
    b2[v17 + 7808u] = m477;
    b2[v17 + 7936u] = as_uint(v466.s1);
    m488 = as_uint(v466.s2);
    b2[v17 + 8064u] = m488;
    uint v491 = b1[v17 + 1408u];
    uint v496 = b0[v17 + 4992u];
    uint v500 = b1[v17 + 1536u];
    uint v504 = b1[v17 + 1664u];
    uint v508 = b0[v17 + 5120u];
    uint v513 = b0[v17 + 5248u];
    uint v518 = b0[v17 + 5376u];
    uint v522 = b0[v17 + 5504u];
    float8 v525 = fract((float8)(as_float(v491), as_float(v496), as_float(v500), as_float(v504), as_float(v508), as_float(v513), as_float(v518), as_float(v522)), &m527);
    b2[v17 + 8192u] = as_uint(v525.s0);
    b2[v17 + 8320u] = as_uint(v525.s1);
    m543 = as_uint(v525.s2);
    b2[v17 + 8448u] = m543;
    b2[v17 + 8576u] = as_uint(v525.s3);
    b2[v17 + 8704u] = as_uint(v525.s4);
    m559 = as_uint(v525.s5);
    b2[v17 + 8832u] = m559;
    b2[v17 + 8960u] = as_uint(v525.s6);
    m570 = as_uint(v525.s7);
    b2[v17 + 9088u] = m570;
    float8 v571 = m527;
    b2[v17 + 9216u] = as_uint(v571.s0);
    m582 = as_uint(v571.s1);
    b2[v17 + 9344u] = m582;
    m588 = as_uint(v571.s2);
    b2[v17 + 9472u] = m588;
    b2[v17 + 9600u] = as_uint(v571.s3);
    b2[v17 + 9728u] = as_uint(v571.s4);
    b2[v17 + 9856u] = as_uint(v571.s5);
    b2[v17 + 9984u] = as_uint(v571.s6);
    b2[v17 + 10112u] = as_uint(v571.s7);
    return;
}

__kernel void _main_kernel(__global uint *b0, __constant uint *b1, __global uint *b2)
{
    uint v636;
    uint v621;
    v621 = (uint)get_global_id(0);
    uint v624 = (uint)get_group_id(0);
    uint v627 = (uint)get_local_id(0);
    b0[v621] = 892679486u;
    v636 = 0u;
    for (;;) {
        if (!(v636 < 2u)) {
            break;
        }
        uint v639 = b2[v621];
        b2[v621] = v639 ^ 359u;
        v636 = v636 + 1u;
    }
    return;
}

