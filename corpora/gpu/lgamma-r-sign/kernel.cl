#pragma OPENCL FP_CONTRACT ON

float16 f271(float16 p0)
{
    return log1p(p0);
}

float16 f383(float16 p0)
{
    return log1p(p0);
}

float f608(float p0, float p1)
{
    return atan2pi(p0, p1);
}

uint16 f704(float16 p0)
{
    return as_uint16(ilogb(p0));
}

float2 f797(float2 p0)
{
    return exp2(p0);
}

__kernel void main_kernel(__global uint *b0, __global uint *b1, __constant uint *b2)
{
    uint v151;
    uint v164;
    uint m54;
    uint m67;
    uint m75;
    uint m96;
    uint m108;
    uint m126;
    uint m132;
    uint m138;
    uint m177;
    uint m189;
    uint m196;
    uint m203;
    uint m239;
    uint m258;
    uint m280;
    uint m292;
    uint m299;
    uint m306;
    uint m313;
    uint m339;
    uint m360;
    uint m367;
    uint m374;
    uint m381;
    uint m393;
    uint m400;
    uint m421;
    uint m454;
    uint m461;
    uint m468;
    uint m475;
    uint m482;
    uint m496;
    uint m501;
    uint m527;
    uint m543;
    uint m553;
    uint m572;
    uint m576;
    uint m593;
    uint m602;
    uint m626;
    uint m636;
    uint m651;
    uint m667;
    uint m682;
    uint m692;
    uint m717;
    uint m727;
    uint m732;
    uint m742;
    uint m752;
    uint m757;
    uint m782;
    uint m786;
    uint m806;
    uint m812;
    uint m815;
    uint m826;
    uint m832;
    uint4 m838;
    uint m859;
    uint m865;
    uint m874;
    uint v17;
    uint v143;
    uint v155;
    uint v157;
    v17 = (uint)get_global_id(0);
    uint v21 = (uint)get_group_id(0);
    uint v25 = (uint)get_local_id(0);
    float4 v38 = powr((float4)(-0x1.9e4f9ap+1f, 0x1.0f11aep+3f, -0x1.1c8d5ep+5f, -0x1.4114d4p+4f), (float4)(0x1.35397ep+5f, -0x1.1cfadep-8f, -0x1.e24062p-7f, -0x1.13f284p-8f));
    b0[v17] = as_uint(v38.s0);
    b0[v17 + 96u] = as_uint(v38.s1);
    m54 = as_uint(v38.s2);
    b0[v17 + 192u] = m54;
    b0[v17 + 288u] = as_uint(v38.s3);
    uint v62 = b1[v17];
    m67 = b1[v17 + 96u];
    uint v68 = m67;
    m75 = as_uint(fmin(as_float(v62), as_float(v68)));
    b0[v17 + 384u] = m75;
    uint v78 = b1[v17 + 192u];
    uint v81 = b2[v17];
    uint v84 = b1[v17 + 288u];
    uint v87 = b1[v17 + 384u];
    uint4 v89 = (uint4)(v78, v81, v84, v87);
    float4 v90 = convert_float4(v89);
    m96 = as_uint(v90.s0);
    b0[v17 + 480u] = m96;
    b0[v17 + 576u] = as_uint(v90.s1);
    m108 = as_uint(v90.s2);
    b0[v17 + 672u] = m108;
    b0[v17 + 768u] = as_uint(v90.s3);
    float4 v115 = convert_float4(v89);
    b0[v17 + 864u] = as_uint(v115.s0);
    m126 = as_uint(v115.s1);
    b0[v17 + 960u] = m126;
    m132 = as_uint(v115.s2);
    b0[v17 + 1056u] = m132;
    m138 = as_uint(v115.s3);
    b0[v17 + 1152u] = m138;
    uint v140 = b1[480u];
    v143 = (v140 % 2u) + 1u;
    v151 = 0u;
    for (;;) {
        if (!(v151 < v143)) {
            break;
        }
        v155 = v151 * 96u;
        v157 = (v17 % 2u) + 1u;
        v164 = 0u;
        for (;;) {
            if (!(v164 < v157)) {
                break;
            }
            uint v168 = ((v151 * 2u) + v164) * 96u;
            uint v172 = b2[(v17 + 96u) + v168];
            m177 = b1[(v17 + 576u) + v168];
            uint v178 = m177;
            uint v183 = b1[(v17 + 960u) + v168];
            m189 = b1[(v17 + 1344u) + v168];
            uint v190 = m189;
            m196 = b1[(v17 + 1728u) + v168];
            uint v197 = m196;
            m203 = b1[(v17 + 2112u) + v168];
            uint v204 = m203;
            uint v210 = b1[(v17 + 2496u) + v168];
            uint v215 = b2[(v17 + 480u) + v168];
            uint v220 = b2[(v17 + 864u) + v168];
            uint v226 = b1[(v17 + 2880u) + v168];
            uint v233 = b1[(v17 + 3264u) + v168];
            m239 = b1[(v17 + 3648u) + v168];
            uint v240 = m239;
            uint v246 = b2[(v17 + 1248u) + v168];
            uint v252 = b2[(v17 + 1632u) + v168];
            m258 = b1[(v17 + 4032u) + v168];
            uint v259 = m258;
            uint v265 = b2[(v17 + 2016u) + v168];
            float16 v268 = (float16)(as_float(v172), as_float(v178), as_float(v183), as_float(v190), as_float(v197), as_float(v204), as_float(v210), as_float(v215), as_float(v220), as_float(v226), as_float(v233), as_float(v240), as_float(v246), as_float(v252), as_float(v259), as_float(v265));
            float16 v269 = f271(v268);
            m280 = as_uint(v269.s0);
            b0[(v17 + 1248u) + v168] = m280;
            b0[(v17 + 1632u) + v168] = as_uint(v269.s1);
            m292 = as_uint(v269.s2);
            b0[(v17 + 2016u) + v168] = m292;
            m299 = as_uint(v269.s3);
            b0[(v17 + 2400u) + v168] = m299;
            m306 = as_uint(v269.s4);
            b0[(v17 + 2784u) + v168] = m306;
            m313 = as_uint(v269.s5);
            b0[(v17 + 3168u) + v168] = m313;
            b0[(v17 + 3552u) + v168] = as_uint(v269.s6);
            b0[(v17 + 3936u) + v168] = as_uint(v269.s7);
            b0[(v17 + 4320u) + v168] = as_uint(v269.s8);
            m339 = as_uint(v269.s9);
            b0[(v17 + 4704u) + v168] = m339;
            b0[(v17 + 5088u) + v168] = as_uint(v269.sa);
            b0[(v17 + 5472u) + v168] = as_uint(v269.sb);
            m360 = as_uint(v269.sc);
            b0[(v17 + 5856u) + v168] = m360;
            m367 = as_uint(v269.sd);
            b0[(v17 + 6240u) + v168] = m367;
            m374 = as_uint(v269.se);
            b0[(v17 + 6624u) + v168] = m374;
            m381 = as_uint(v269.sf);
            b0[(v17 + 7008u) + v168] = m381;
            float16 v382 = f383(v268);
            m393 = as_uint(v382.s0);
            b0[(v17 + 7392u) + v168] = m393;
            m400 = as_uint(v382.s1);
            b0[(v17 + 7776u) + v168] = m400;
            b0[(v17 + 8160u) + v168] = as_uint(v382.s2);
            b0[(v17 + 8544u) + v168] = as_uint(v382.s3);
            m421 = as_uint(v382.s4);
            b0[(v17 + 8928u) + v168] = m421;
            b0[(v17 + 9312u) + v168] = as_uint(v382.s5);
            b0[(v17 + 9696u) + v168] = as_uint(v382.s6);
            b0[(v17 + 10080u) + v168] = as_uint(v382.s7);
            b0[(v17 + 10464u) + v168] = as_uint(v382.s8);
            m454 = as_uint(v382.s9);
            b0[(v17 + 10848u) + v168] = m454;
            m461 = as_uint(v382.sa);
            b0[(v17 + 11232u) + v168] = m461;
            m468 = as_uint(v382.sb);
            b0[(v17 + 11616u) + v168] = m468;
            m475 = as_uint(v382.sc);
            b0[(v17 + 12000u) + v168] = m475;
            m482 = as_uint(v382.sd);
            b0[(v17 + 12384u) + v168] = m482;
            b0[(v17 + 12768u) + v168] = as_uint(v382.se);
            m496 = as_uint(v382.sf);
            b0[(v17 + 13152u) + v168] = m496;
            v164 = v164 + 1u;
        }
        m501 = b1[(v17 + 4416u) + v155];
        uint v502 = m501;
        uint v508 = b1[(v17 + 4608u) + v155];
        uint v513 = b2[(v17 + 2400u) + v155];
        uint v519 = b1[(v17 + 4800u) + v155];
        m527 = b1[(v17 + 4992u) + v155];
        uint v528 = m527;
        uint v533 = b2[(v17 + 2592u) + v155];
        uint v538 = b1[(v17 + 5184u) + v155];
        m543 = b1[(v17 + 5376u) + v155];
        uint v544 = m543;
        float4 v546 = rootn((float4)(as_float(v502), as_float(v508), as_float(v513), as_float(v519)), as_int4((uint4)(v528, v533, v538, v544)));
        m553 = as_uint(v546.s0);
        b0[(v17 + 13536u) + v155] = m553;
        b0[(v17 + 13728u) + v155] = as_uint(v546.s1);
        b0[(v17 + 13920u) + v155] = as_uint(v546.s2);
        m572 = as_uint(v546.s3);
        b0[(v17 + 14112u) + v155] = m572;
        v151 = v151 + 1u;
    }
    m576 = b1[v17 + 5568u];
    uint v577 = m576;
    uint v582 = b1[v17 + 5664u];
    float2 v587 = native_exp((float2)(as_float(v577), as_float(v582)));
    m593 = as_uint(v587.s0);
    b0[v17 + 14304u] = m593;
    b0[v17 + 14400u] = as_uint(v587.s1);
    m602 = b1[v17 + 5760u];
    uint v603 = m602;
    float v605 = f608(as_float(v603), -0x1.e3db4ep-18f);
    b0[v17 + 14496u] = as_uint(v605);
    uint v620 = b1[v17 + 5856u];
    m626 = b1[v17 + 5952u];
    uint v627 = m626;
    uint v631 = b2[v17 + 2784u];
    m636 = b1[v17 + 6048u];
    uint v637 = m636;
    uint v642 = b1[v17 + 6144u];
    uint v646 = b1[v17 + 6240u];
    m651 = b1[v17 + 6336u];
    uint v652 = m651;
    uint v657 = b1[v17 + 6432u];
    uint v662 = b2[v17 + 2880u];
    m667 = b1[v17 + 6528u];
    uint v668 = m667;
    uint v672 = b1[v17 + 6624u];
    uint v677 = b1[v17 + 6720u];
    m682 = b1[v17 + 6816u];
    uint v683 = m682;
    uint v688 = b1[v17 + 6912u];
    m692 = b1[v17 + 7008u];
    uint v693 = m692;
    uint v698 = b1[v17 + 7104u];
    uint16 v702 = f704((float16)(as_float(v620), as_float(v627), as_float(v631), as_float(v637), as_float(v642), as_float(v646), as_float(v652), as_float(v657), as_float(v662), as_float(v668), as_float(v672), as_float(v677), as_float(v683), as_float(v688), as_float(v693), as_float(v698)));
    b0[v17 + 14592u] = v702.s0;
    m717 = v702.s1;
    b0[v17 + 14688u] = m717;
    b0[v17 + 14784u] = v702.s2;
    m727 = v702.s3;
    b0[v17 + 14880u] = m727;
    m732 = v702.s4;
    b0[v17 + 14976u] = m732;
    b0[v17 + 15072u] = v702.s5;
    m742 = v702.s6;
    b0[v17 + 15168u] = m742;
    b0[v17 + 15264u] = v702.s7;
    m752 = v702.s8;
    b0[v17 + 15360u] = m752;
    m757 = v702.s9;
    b0[v17 + 15456u] = m757;
    b0[v17 + 15552u] = v702.sa;
    b0[v17 + 15648u] = v702.sb;
    b0[v17 + 15744u] = v702.sc;
    b0[v17 + 15840u] = v702.sd;
    b0[v17 + 15936u] = v702.se;
    m782 = v702.sf;
    b0[v17 + 16032u] = m782;
    m786 = b1[v17 + 7200u];
    uint v787 = m786;
    uint v792 = b1[v17 + 7296u];
    float2 v795 = f797((float2)(as_float(v787), as_float(v792)));
    m806 = as_uint(v795.s0);
    b0[v17 + 16128u] = m806;
    m812 = as_uint(v795.s1);
    b0[v17 + 16224u] = m812;
    m815 = b1[v17 + 7392u];
    uint v816 = m815;
    uint v821 = b1[v17 + 7488u];
    m826 = b1[v17 + 7584u];
    uint v827 = m826;
    m832 = b1[v17 + 7680u];
    uint v833 = m832;
    float4 v836 = lgamma_r((float4)(as_float(v816), as_float(v821), as_float(v827), as_float(v833)), (__private int4 *)(&m838));
    b0[v17 + 16320u] = as_uint(v836.s0);
    b0[v17 + 16416u] = as_uint(v836.s1);
    b0[v17 + 16512u] = as_uint(v836.s2);
    m859 = as_uint(v836.s3);
    b0[v17 + 16608u] = m859;
    uint4 v860 = m838;
    m865 = v860.s0;
    b0[v17 + 16704u] = m865;
    b0[v17 + 16800u] = v860.s1;
    m874 = v860.s2;
    b0[v17 + 16896u] = m874;
    b0[v17 + 16992u] = v860.s3;
    return;
}

