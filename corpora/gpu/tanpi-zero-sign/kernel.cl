#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

double3 f79(double3 p0, double p1)
{
    return p0 * p1;
}

double2 f134(double2 p0)
{
    return sqrt(p0);
}

float f208(float p0)
{
    return asinpi(p0);
}

float f266(float3 p0, float3 p1)
{
    return distance(p0, p1);
}

double f307(double3 p0)
{
    return length(p0);
}

__kernel __attribute__((reqd_work_group_size(33, 1, 1))) void main_kernel(__constant ulong *b0, __global ulong *b1, __global ulong *b2, __constant uint *b3, __global uint *b4, __global uint *b5)
{
    uint v37;
    uint v113;
    double v114;
    uint v22;
    uint v42;
    double v115;
    v22 = (uint)get_global_id(0);
    uint v26 = (uint)get_group_id(0);
    uint v30 = (uint)get_local_id(0);
    v37 = 0u;
    for (;;) {
        if (!(v37 < 1u)) {
            break;
        }
        v42 = v37 * 66u;
        ulong v46 = b0[v22 + v42];
        ulong v51 = b1[v22 + v42];
        ulong v56 = b1[(v22 + 66u) + v42];
        double3 v59 = (double3)(as_double(v46), as_double(v51), as_double(v56));
        double3 v60 = v59 * 0x1.46af610c0c604p-8;
        b2[v22 + v42] = as_ulong(v60.s0);
        b2[(v22 + 66u) + v42] = as_ulong(v60.s1);
        b2[(v22 + 132u) + v42] = as_ulong(v60.s2);
        double3 v77 = f79(v59, 0x1.46af610c0c604p-8);
        b2[(v22 + 198u) + v42] = as_ulong(v77.s0);
        b2[(v22 + 264u) + v42] = as_ulong(v77.s1);
        b2[(v22 + 330u) + v42] = as_ulong(v77.s2);
        uint v103 = b3[v22];
        {
            uint nv113 = 0u;
            double nv114 = convert_double((int)(uint)((int)v103 >> 8u));
            v113 = nv113;
            v114 = nv114;
        }
        for (;;) {
            if (!(v113 < 1u)) {
                break;
            }
            uint v119 = ((v37 * 1u) + v113) * 66u;
            ulong v123 = b0[(v22 + 66u) + v119];
            ulong v128 = b1[(v22 + 132u) + v119];
            double2 v132 = f134((double2)(as_double(v123), as_double(v128)));
            b2[(v22 + 396u) + v119] = as_ulong(v132.s0);
            b2[(v22 + 462u) + v119] = as_ulong(v132.s1);
            ulong v152 = b0[132u];
            v115 = v114 - (-as_double(v152));
            b2[(v22 + 528u) + v119] = as_ulong(v115);
            {
                uint nv113 = v113 + 1u;
                double nv114 = v115;
                v113 = nv113;
                v114 = nv114;
            }
        }
        b2[(v22 + 594u) + v42] = as_ulong(v114);
        v37 = v37 + 1u;
    }
    ulong v168 = b0[v22 + 133u];
    ulong v173 = b0[v22 + 199u];
    ulong v178 = b0[v22 + 265u];
    double3 v181 = tanpi((double3)(as_double(v168), as_double(v173), as_double(v178)));
    double v182 = v181.s0;
    b2[v22 + 660u] = as_ulong(v182);
    double v187 = v181.s1;
    b2[v22 + 726u] = as_ulong(v187);
    double v192 = v181.s2;
    b2[v22 + 792u] = as_ulong(v192);
    float v198 = 1.0f / 1.0f;
    b4[v22] = as_uint(v198);
    b4[v22 + 66u] = as_uint(v198);
    float v205 = f208(-0x1.396954p-46f);
    b4[v22 + 132u] = as_uint(v205);
    float8 v225 = native_exp2((float8)(0x1.62b666p+1f, -0x1.ce3c10p-2f, 0x1.f80006p+6f, 0x1.036492p+1f, 0x1.4374c2p+4f, -0x1.fffffep+6f, -0x1.fffff8p+6f, 0x1.62e438p+6f));
    b4[v22 + 198u] = as_uint(v225.s0);
    b4[v22 + 264u] = as_uint(v225.s1);
    b4[v22 + 330u] = as_uint(v225.s2);
    b4[v22 + 396u] = as_uint(v225.s3);
    float v242 = v225.s4;
    b4[v22 + 462u] = as_uint(v242);
    float v246 = v225.s5;
    b4[v22 + 528u] = as_uint(v246);
    float v250 = v225.s6;
    b4[v22 + 594u] = as_uint(v250);
    b4[v22 + 660u] = as_uint(v225.s7);
    float v264 = f266((float3)(-0x1.142242p+9f, -0x1.8d6fa8p+0f, 0x1.35372ep-1f), (float3)(v242, v246, v250));
    b4[v22 + 726u] = as_uint(v264);
    double3 v275 = rint((double3)(v182, v187, v192));
    b2[v22 + 858u] = as_ulong(v275.s0);
    b2[v22 + 924u] = as_ulong(v275.s1);
    b2[v22 + 990u] = as_ulong(v275.s2);
    ulong v294 = b0[v22 + 331u];
    ulong v298 = b1[v22 + 198u];
    ulong v302 = b1[v22 + 264u];
    double v305 = f307((double3)(as_double(v294), as_double(v298), as_double(v302)));
    b2[v22 + 1056u] = as_ulong(v305);
    uint v316 = b5[v22];
    uint v320 = b3[v22 + 66u];
    b4[v22 + 792u] = as_uint((float2)(as_float(v316), as_float(v320)).s0);
    uint v330 = b5[v22 + 66u];
    b4[v22 + 858u] = as_uint(as_float(v330));
    uint v337 = b5[v22 + 132u];
    uint v341 = b5[v22 + 198u];
    float2 v343 = (float2)(as_float(v337), as_float(v341));
    b4[v22 + 924u] = as_uint(v343.s0);
    b4[v22 + 990u] = as_uint(v343.s1);
    return;
}

