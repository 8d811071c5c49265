; scripts/vendor_math/amd_backend.ll -- what LLVM's AMDGPU back end makes of functions that ROCm's library leaves to it.
; Written after the instructions that llc 21 emits for one-line functions (docs/vendor-math.md says how to repeat this).
; v_NAME are hardware instructions: functions of tests/standin/standin.c. An f16 travels to them as bits in an i32.
; Suffix _mad: for chips without a fast f32 fma (gfx8, which flushes f32 subnormals), and f16 division before gfx10.

declare float @v_exp_f32(float) #100
declare float @v_log_f32(float) #100
declare float @v_rcp_f32(float) #100
declare float @v_rsq_f32(float) #100
declare float @v_sqrt_f32(float) #100
declare float @v_sin_f32(float) #100
declare float @v_cos_f32(float) #100
declare double @v_rcp_f64(double) #100
declare double @v_rsq_f64(double) #100
declare double @v_sqrt_f64(double) #100
declare double @v_trig_preop_f64(double, i32) #100
declare i32 @v_exp_f16(i32) #100
declare i32 @v_log_f16(i32) #100
declare i32 @v_rcp_f16(i32) #100
declare i32 @v_rsq_f16(i32) #100
declare i32 @v_sqrt_f16(i32) #100
declare i32 @v_sin_f16(i32) #100
declare i32 @v_cos_f16(i32) #100
declare i32 @fma_f16(i32, i32, i32) #100
declare i32 @from_f64_f16(double) #100
attributes #100 = { nounwind willreturn memory(none) }

; exp(x) = 2^p with p = x * log2(e), of which `high` and `low` are two parts: v_exp_f32 of p - rint(p), then ldexp.
; Zero below `least`, infinity above `greatest`.
define internal float @be_exp(float %x, float %high, float %low, float %least, float %greatest) {
  %p = fmul float %x, %high
  %e = call float @llvm.rint.f32(float %p)
  %minus_p = fneg float %p
  %t = call float @llvm.fma.f32(float %x, float %high, float %minus_p)
  %d = fsub float %p, %e
  %u = call float @llvm.fma.f32(float %x, float %low, float %t)
  %s = fadd float %d, %u
  %r = call float @be_scaled_exp(float %s, float %e, float %x, float %least, float %greatest)
  ret float %r
}
define internal float @be_scaled_exp(float %s, float %e, float %x, float %least, float %greatest) {
  %v = call float @v_exp_f32(float %s)
  %i = call i32 @llvm.fptosi.sat.i32.f32(float %e)
  %w = call float @llvm.ldexp.f32.i32(float %v, i32 %i)
  %is_small = fcmp ogt float %least, %x
  %z = select i1 %is_small, float 0.0, float %w
  %is_large = fcmp olt float %greatest, %x
  %r = select i1 %is_large, float 0x7FF0000000000000, float %z
  ret float %r
}
define internal float @be_exp_f32(float %x) {
  %r = call float @be_exp(float %x, float bitcast (i32 u0x3fb8aa3b to float), float bitcast (i32 u0x32a5705f to float), float bitcast (i32 u0xc2ce8ed0 to float), float bitcast (i32 u0x42b17218 to float))
  ret float %r
}
define internal float @be_exp10_f32(float %x) {
  %r = call float @be_exp(float %x, float bitcast (i32 u0x40549a78 to float), float bitcast (i32 u0x33979a37 to float), float bitcast (i32 u0xc23369f4 to float), float bitcast (i32 u0x421a209b to float))
  ret float %r
}
; Below -126, where v_exp_f32 would flush: 2^(x + 64) * 2^-64.
define internal float @be_exp2_f32(float %x) {
  %is_small = fcmp ogt float -126.0, %x
  %shift = select i1 %is_small, float 64.0, float 0.0
  %y = fadd float %x, %shift
  %v = call float @v_exp_f32(float %y)
  %i = select i1 %is_small, i32 -64, i32 0
  %r = call float @llvm.ldexp.f32.i32(float %v, i32 %i)
  ret float %r
}

; log2 of x, of subnormal x times 2^32.
define internal float @be_scaled_log2(float %x) {
  %is_subnormal = fcmp ogt float 0x3810000000000000, %x
  %i = select i1 %is_subnormal, i32 32, i32 0
  %y = call float @llvm.ldexp.f32.i32(float %x, i32 %i)
  %l = call float @v_log_f32(float %y)
  ret float %l
}
; log2(x) times a constant in two parts; `scale`: the logarithm of 2^32.
define internal float @be_log(float %x, float %high, float %low, float %scale) {
  %l = call float @be_scaled_log2(float %x)
  %p = fmul float %l, %high
  %minus_p = fneg float %p
  %t = call float @llvm.fma.f32(float %l, float %high, float %minus_p)
  %u = call float @llvm.fma.f32(float %l, float %low, float %t)
  %s = fadd float %p, %u
  %a = call float @llvm.fabs.f32(float %l)
  %is_finite = fcmp olt float %a, 0x7FF0000000000000
  %v = select i1 %is_finite, float %s, float %l
  %is_subnormal = fcmp ogt float 0x3810000000000000, %x
  %c = select i1 %is_subnormal, float %scale, float 0.0
  %r = fsub float %v, %c
  ret float %r
}
define internal float @be_log_f32(float %x) {
  %r = call float @be_log(float %x, float bitcast (i32 u0x3f317217 to float), float bitcast (i32 u0x3377d1cf to float), float bitcast (i32 u0x41b17218 to float))
  ret float %r
}
define internal float @be_log10_f32(float %x) {
  %r = call float @be_log(float %x, float bitcast (i32 u0x3e9a209a to float), float bitcast (i32 u0x3284fbcf to float), float bitcast (i32 u0x411a209b to float))
  ret float %r
}
define internal float @be_log2_f32(float %x) {
  %l = call float @be_scaled_log2(float %x)
  %is_subnormal = fcmp ogt float 0x3810000000000000, %x
  %c = select i1 %is_subnormal, float 32.0, float 0.0
  %r = fsub float %l, %c
  ret float %r
}
; With the flag afn: one fma of the logarithm.
define internal float @be_fast_log(float %x, float %factor, float %scale) {
  %l = call float @be_scaled_log2(float %x)
  %is_subnormal = fcmp ogt float 0x3810000000000000, %x
  %c = select i1 %is_subnormal, float %scale, float 0.0
  %r = call float @llvm.fma.f32(float %l, float %factor, float %c)
  ret float %r
}
define internal float @be_fast_log_f32(float %x) {
  %r = call float @be_fast_log(float %x, float bitcast (i32 u0x3f317218 to float), float bitcast (i32 u0xc1b17218 to float))
  ret float %r
}
define internal float @be_fast_log10_f32(float %x) {
  %r = call float @be_fast_log(float %x, float bitcast (i32 u0x3e9a209b to float), float bitcast (i32 u0xc11a209b to float))
  ret float %r
}
define internal float @be_fast_log2_f32(float %x) {
  %r = call float @be_log2_f32(float %x)
  ret float %r
}

; v_sin_f32 and v_cos_f32 count in turns.
define internal float @be_sin_f32(float %x) {
  %t = fmul float %x, bitcast (i32 u0x3e22f983 to float)
  %r = call float @v_sin_f32(float %t)
  ret float %r
}
define internal float @be_cos_f32(float %x) {
  %t = fmul float %x, bitcast (i32 u0x3e22f983 to float)
  %r = call float @v_cos_f32(float %t)
  ret float %r
}

; gfx8: f32 subnormals are flushed, and a fused product and sum is v_mad_f32, which rounds both. A constant in two parts of
; 12 and 24 bits, the operand in two parts of 12 bits.
define internal float @be_split(float %x) alwaysinline {
  %b = bitcast float %x to i32
  %m = and i32 %b, -4096
  %r = bitcast i32 %m to float
  ret float %r
}
define internal float @be_mad(float %x, float %y, float %z) alwaysinline {
  %p = fmul float %x, %y
  %r = fadd float %p, %z
  ret float %r
}
define internal float @be_exp_split(float %x, float %high, float %low, float %least, float %greatest) {
  %xh = call float @be_split(float %x)
  %xl = fsub float %x, %xh
  %p = fmul float %high, %xh
  %e = call float @llvm.rint.f32(float %p)
  %t0 = fmul float %low, %xl
  %t1 = call float @be_mad(float %high, float %xl, float %t0)
  %minus_e = fneg float %e
  %d = call float @be_mad(float %xh, float %high, float %minus_e)
  %t2 = call float @be_mad(float %low, float %xh, float %t1)
  %s = fadd float %d, %t2
  %r = call float @be_scaled_exp(float %s, float %e, float %x, float %least, float %greatest)
  ret float %r
}
define internal float @be_exp_f32_mad(float %x) {
  %r = call float @be_exp_split(float %x, float bitcast (i32 u0x3fb8a000 to float), float bitcast (i32 u0x39a3b295 to float), float bitcast (i32 u0xc2ce8ed0 to float), float bitcast (i32 u0x42b17218 to float))
  ret float %r
}
define internal float @be_exp10_f32_mad(float %x) {
  %r = call float @be_exp_split(float %x, float bitcast (i32 u0x40549000 to float), float bitcast (i32 u0x3a2784bc to float), float bitcast (i32 u0xc23369f4 to float), float bitcast (i32 u0x421a209b to float))
  ret float %r
}
define internal float @be_exp2_f32_mad(float %x) {
  %r = call float @v_exp_f32(float %x)
  ret float %r
}
define internal float @be_log_split(float %x, float %high, float %low) {
  %l = call float @v_log_f32(float %x)
  %lh = call float @be_split(float %l)
  %ll = fsub float %l, %lh
  %t0 = fmul float %low, %ll
  %t1 = call float @be_mad(float %low, float %lh, float %t0)
  %t2 = call float @be_mad(float %high, float %ll, float %t1)
  %t3 = call float @be_mad(float %high, float %lh, float %t2)
  %a = call float @llvm.fabs.f32(float %l)
  %is_finite = fcmp olt float %a, 0x7FF0000000000000
  %r = select i1 %is_finite, float %t3, float %l
  ret float %r
}
define internal float @be_log_f32_mad(float %x) {
  %r = call float @be_log_split(float %x, float bitcast (i32 u0x3f317000 to float), float bitcast (i32 u0x3805fdf4 to float))
  ret float %r
}
define internal float @be_log10_f32_mad(float %x) {
  %r = call float @be_log_split(float %x, float bitcast (i32 u0x3e9a2000 to float), float bitcast (i32 u0x369a84fb to float))
  ret float %r
}
define internal float @be_log2_f32_mad(float %x) {
  %r = call float @v_log_f32(float %x)
  ret float %r
}
define internal float @be_fast_log_f32_mad(float %x) {
  %l = call float @v_log_f32(float %x)
  %r = fmul float %l, bitcast (i32 u0x3f317218 to float)
  ret float %r
}
define internal float @be_fast_log10_f32_mad(float %x) {
  %l = call float @v_log_f32(float %x)
  %r = fmul float %l, bitcast (i32 u0x3e9a209b to float)
  ret float %r
}
define internal float @be_fast_log2_f32_mad(float %x) {
  %r = call float @v_log_f32(float %x)
  ret float %r
}
define internal float @be_sin_f32_mad(float %x) {
  %t = fmul float %x, bitcast (i32 u0x3e22f983 to float)
  %f = call float @be_fract_f32(float %t)
  %r = call float @v_sin_f32(float %f)
  ret float %r
}
define internal float @be_cos_f32_mad(float %x) {
  %t = fmul float %x, bitcast (i32 u0x3e22f983 to float)
  %f = call float @be_fract_f32(float %t)
  %r = call float @v_cos_f32(float %f)
  ret float %r
}

; llvm.amdgcn.fdiv.fast: with flushing, division within 2.5 ulp. The divisor is scaled if its reciprocal would be flushed.
define internal float @be_fdiv_fast(float %x, float %y) {
  %a = call float @llvm.fabs.f32(float %y)
  %is_large = fcmp ogt float %a, bitcast (i32 u0x6f800000 to float)
  %s = select i1 %is_large, float bitcast (i32 u0x2f800000 to float), float 1.0
  %ys = fmul float %y, %s
  %v = call float @v_rcp_f32(float %ys)
  %q = fmul float %x, %v
  %r = fmul float %s, %q
  ret float %r
}

; The number of two operands that is smaller or larger, -0 before +0; the other operand if one is a NaN.
; (LLVM 21 compiles llvm.minimumnum and llvm.maximumnum for x86 to wrong code.)
define internal half @be_minnum_f16(half %x, half %y) {
  %is_first = fcmp olt half %x, %y
  %chosen = select i1 %is_first, half %x, half %y
  %xb = bitcast half %x to i16
  %yb = bitcast half %y to i16
  %zb = or i16 %xb, %yb
  %z = bitcast i16 %zb to half
  %is_equal = fcmp oeq half %x, %y
  %number = select i1 %is_equal, half %z, half %chosen
  %y_nan = fcmp uno half %y, %y
  %not_y = select i1 %y_nan, half %x, half %number
  %x_nan = fcmp uno half %x, %x
  %r = select i1 %x_nan, half %y, half %not_y
  ret half %r
}
define internal half @be_maxnum_f16(half %x, half %y) {
  %is_first = fcmp ogt half %x, %y
  %chosen = select i1 %is_first, half %x, half %y
  %xb = bitcast half %x to i16
  %yb = bitcast half %y to i16
  %zb = and i16 %xb, %yb
  %z = bitcast i16 %zb to half
  %is_equal = fcmp oeq half %x, %y
  %number = select i1 %is_equal, half %z, half %chosen
  %y_nan = fcmp uno half %y, %y
  %not_y = select i1 %y_nan, half %x, half %number
  %x_nan = fcmp uno half %x, %x
  %r = select i1 %x_nan, half %y, half %not_y
  ret half %r
}
define internal float @be_minnum_f32(float %x, float %y) {
  %is_first = fcmp olt float %x, %y
  %chosen = select i1 %is_first, float %x, float %y
  %xb = bitcast float %x to i32
  %yb = bitcast float %y to i32
  %zb = or i32 %xb, %yb
  %z = bitcast i32 %zb to float
  %is_equal = fcmp oeq float %x, %y
  %number = select i1 %is_equal, float %z, float %chosen
  %y_nan = fcmp uno float %y, %y
  %not_y = select i1 %y_nan, float %x, float %number
  %x_nan = fcmp uno float %x, %x
  %r = select i1 %x_nan, float %y, float %not_y
  ret float %r
}
define internal float @be_maxnum_f32(float %x, float %y) {
  %is_first = fcmp ogt float %x, %y
  %chosen = select i1 %is_first, float %x, float %y
  %xb = bitcast float %x to i32
  %yb = bitcast float %y to i32
  %zb = and i32 %xb, %yb
  %z = bitcast i32 %zb to float
  %is_equal = fcmp oeq float %x, %y
  %number = select i1 %is_equal, float %z, float %chosen
  %y_nan = fcmp uno float %y, %y
  %not_y = select i1 %y_nan, float %x, float %number
  %x_nan = fcmp uno float %x, %x
  %r = select i1 %x_nan, float %y, float %not_y
  ret float %r
}
define internal double @be_minnum_f64(double %x, double %y) {
  %is_first = fcmp olt double %x, %y
  %chosen = select i1 %is_first, double %x, double %y
  %xb = bitcast double %x to i64
  %yb = bitcast double %y to i64
  %zb = or i64 %xb, %yb
  %z = bitcast i64 %zb to double
  %is_equal = fcmp oeq double %x, %y
  %number = select i1 %is_equal, double %z, double %chosen
  %y_nan = fcmp uno double %y, %y
  %not_y = select i1 %y_nan, double %x, double %number
  %x_nan = fcmp uno double %x, %x
  %r = select i1 %x_nan, double %y, double %not_y
  ret double %r
}
define internal double @be_maxnum_f64(double %x, double %y) {
  %is_first = fcmp ogt double %x, %y
  %chosen = select i1 %is_first, double %x, double %y
  %xb = bitcast double %x to i64
  %yb = bitcast double %y to i64
  %zb = and i64 %xb, %yb
  %z = bitcast i64 %zb to double
  %is_equal = fcmp oeq double %x, %y
  %number = select i1 %is_equal, double %z, double %chosen
  %y_nan = fcmp uno double %y, %y
  %not_y = select i1 %y_nan, double %x, double %number
  %x_nan = fcmp uno double %x, %x
  %r = select i1 %x_nan, double %y, double %not_y
  ret double %r
}

; x - floor(x), below 1.
define internal float @be_fract_f32(float %x) {
  %f = call float @llvm.floor.f32(float %x)
  %d = fsub float %x, %f
  %r = call float @be_minnum_f32(float %d, float 0x3FEFFFFFE0000000)
  %is_nan = fcmp uno float %d, %d
  %s = select i1 %is_nan, float %d, float %r
  ret float %s
}
define internal double @be_fract_f64(double %x) {
  %f = call double @llvm.floor.f64(double %x)
  %d = fsub double %x, %f
  %r = call double @be_minnum_f64(double %d, double 0x3FEFFFFFFFFFFFFF)
  %is_nan = fcmp uno double %d, %d
  %s = select i1 %is_nan, double %d, double %r
  ret double %s
}
define internal half @be_fract_f16(half %x) {
  %f = call half @llvm.floor.f16(half %x)
  %d = fsub half %x, %f
  %r = call half @be_minnum_f16(half %d, half 0xH3BFF)
  %is_nan = fcmp uno half %d, %d
  %s = select i1 %is_nan, half %d, half %r
  ret half %s
}
; The median; the smallest of the numbers if one operand is a NaN.
define internal float @be_fmed3_f32(float %x, float %y, float %z) {
  %least = call float @be_minnum_f32(float %x, float %y)
  %most = call float @be_maxnum_f32(float %x, float %y)
  %above = call float @be_minnum_f32(float %most, float %z)
  %median = call float @be_maxnum_f32(float %least, float %above)
  %smallest = call float @be_minnum_f32(float %least, float %z)
  %u = fcmp uno float %x, %y
  %v = fcmp uno float %z, %z
  %w = or i1 %u, %v
  %r = select i1 %w, float %smallest, float %median
  ret float %r
}
define internal half @be_fmed3_f16(half %x, half %y, half %z) {
  %a = fpext half %x to float
  %b = fpext half %y to float
  %c = fpext half %z to float
  %m = call float @be_fmed3_f32(float %a, float %b, float %c)
  %r = fptrunc float %m to half
  ret half %r
}

; v_frexp_mant and v_frexp_exp: of infinities and NaNs themselves, and 0.
define internal half @be_frexp_mant_f16(half %x) {
  %p = call { half, i32 } @llvm.frexp.f16.i32(half %x)
  %r = extractvalue { half, i32 } %p, 0
  ret half %r
}
define internal i16 @be_frexp_exp_i16_f16(half %x) {
  %p = call { half, i32 } @llvm.frexp.f16.i32(half %x)
  %e = extractvalue { half, i32 } %p, 1
  %a = call half @llvm.fabs.f16(half %x)
  %is_finite = fcmp olt half %a, 0xH7C00
  %f = select i1 %is_finite, i32 %e, i32 0
  %r = trunc i32 %f to i16
  ret i16 %r
}
define internal float @be_frexp_mant_f32(float %x) {
  %p = call { float, i32 } @llvm.frexp.f32.i32(float %x)
  %r = extractvalue { float, i32 } %p, 0
  ret float %r
}
define internal i32 @be_frexp_exp_i32_f32(float %x) {
  %p = call { float, i32 } @llvm.frexp.f32.i32(float %x)
  %e = extractvalue { float, i32 } %p, 1
  %a = call float @llvm.fabs.f32(float %x)
  %is_finite = fcmp olt float %a, 0x7FF0000000000000
  %f = select i1 %is_finite, i32 %e, i32 0
  ret i32 %f
}
define internal double @be_frexp_mant_f64(double %x) {
  %p = call { double, i32 } @llvm.frexp.f64.i32(double %x)
  %r = extractvalue { double, i32 } %p, 0
  ret double %r
}
define internal i32 @be_frexp_exp_i32_f64(double %x) {
  %p = call { double, i32 } @llvm.frexp.f64.i32(double %x)
  %e = extractvalue { double, i32 } %p, 1
  %a = call double @llvm.fabs.f64(double %x)
  %is_finite = fcmp olt double %a, 0x7FF0000000000000
  %f = select i1 %is_finite, i32 %e, i32 0
  ret i32 %f
}

; f16: the hardware has the operation, operands and results as bits.
define internal i32 @be_bits(half %x) alwaysinline {
  %b = bitcast half %x to i16
  %r = zext i16 %b to i32
  ret i32 %r
}
define internal half @be_half(i32 %b) alwaysinline {
  %t = trunc i32 %b to i16
  %r = bitcast i16 %t to half
  ret half %r
}
define internal half @be_exp2_f16(half %x) {
  %b = call i32 @be_bits(half %x)
  %v = call i32 @v_exp_f16(i32 %b)
  %r = call half @be_half(i32 %v)
  ret half %r
}
define internal half @be_log2_f16(half %x) {
  %b = call i32 @be_bits(half %x)
  %v = call i32 @v_log_f16(i32 %b)
  %r = call half @be_half(i32 %v)
  ret half %r
}
define internal half @be_sqrt_f16(half %x) {
  %b = call i32 @be_bits(half %x)
  %v = call i32 @v_sqrt_f16(i32 %b)
  %r = call half @be_half(i32 %v)
  ret half %r
}
define internal half @be_rsq_f16(half %x) {
  %b = call i32 @be_bits(half %x)
  %v = call i32 @v_rsq_f16(i32 %b)
  %r = call half @be_half(i32 %v)
  ret half %r
}
define internal half @be_rcp_f16(half %x) {
  %b = call i32 @be_bits(half %x)
  %v = call i32 @v_rcp_f16(i32 %b)
  %r = call half @be_half(i32 %v)
  ret half %r
}
define internal half @be_minus_rcp_f16(half %x) {
  %n = fneg half %x
  %r = call half @be_rcp_f16(half %n)
  ret half %r
}
define internal half @be_sin_f16(half %x) {
  %b = call i32 @be_bits(half %x)
  %v = call i32 @v_sin_f16(i32 %b)
  %r = call half @be_half(i32 %v)
  ret half %r
}
define internal half @be_cos_f16(half %x) {
  %b = call i32 @be_bits(half %x)
  %v = call i32 @v_cos_f16(i32 %b)
  %r = call half @be_half(i32 %v)
  ret half %r
}
define internal half @be_fma_f16(half %x, half %y, half %z) {
  %a = call i32 @be_bits(half %x)
  %b = call i32 @be_bits(half %y)
  %c = call i32 @be_bits(half %z)
  %v = call i32 @fma_f16(i32 %a, i32 %b, i32 %c)
  %r = call half @be_half(i32 %v)
  ret half %r
}
define internal half @be_trunc_f64_f16(double %x) {
  %v = call i32 @from_f64_f16(double %x)
  %r = call half @be_half(i32 %v)
  ret half %r
}

; f16 division: v_rcp_f32, two corrections of the quotient, and one of its last bit's sign.
define internal half @be_div_f16(half %x, half %y) {
  %a = fpext half %x to float
  %b = fpext half %y to float
  %n = fneg float %b
  %v = call float @v_rcp_f32(float %b)
  %q0 = fmul float %a, %v
  %e0 = call float @llvm.fma.f32(float %n, float %q0, float %a)
  %q1 = call float @llvm.fma.f32(float %e0, float %v, float %q0)
  %e1 = call float @llvm.fma.f32(float %n, float %q1, float %a)
  %r = call half @be_div_end(float %e1, float %v, float %q1, half %x, half %y)
  ret half %r
}
define internal half @be_div_f16_mad(half %x, half %y) {
  %a = fpext half %x to float
  %b = fpext half %y to float
  %n = fneg float %b
  %v = call float @v_rcp_f32(float %b)
  %q0 = fmul float %a, %v
  %m0 = fmul float %n, %q0
  %e0 = fadd float %m0, %a
  %m1 = fmul float %e0, %v
  %q1 = fadd float %m1, %q0
  %m2 = fmul float %n, %q1
  %e1 = fadd float %m2, %a
  %r = call half @be_div_end(float %e1, float %v, float %q1, half %x, half %y)
  ret half %r
}
define internal half @be_div_end(float %e, float %v, float %q, half %x, half %y) {
  %t = fmul float %e, %v
  %tb = bitcast float %t to i32
  %tm = and i32 %tb, -8388608
  %tf = bitcast i32 %tm to float
  %s = fadd float %tf, %q
  %h = fptrunc float %s to half
  %r = call half @be_div_fixup_f16(half %h, half %y, half %x)
  ret half %r
}
; v_div_fixup_f16: the quotient of special operands; the sign of every quotient.
define internal half @be_div_fixup_f16(half %q, half %y, half %x) {
  %special = fdiv half %x, %y
  %ax = call half @llvm.fabs.f16(half %x)
  %ay = call half @llvm.fabs.f16(half %y)
  %x_zero = fcmp oeq half %ax, 0.0
  %y_zero = fcmp oeq half %ay, 0.0
  %x_inf = fcmp ueq half %ax, 0xH7C00
  %y_inf = fcmp ueq half %ay, 0xH7C00
  %z = or i1 %x_zero, %y_zero
  %i = or i1 %x_inf, %y_inf
  %is_special = or i1 %z, %i
  %xb = bitcast half %x to i16
  %yb = bitcast half %y to i16
  %sb = xor i16 %xb, %yb
  %sf = bitcast i16 %sb to half
  %signed = call half @llvm.copysign.f16(half %q, half %sf)
  %r = select i1 %is_special, half %special, half %signed
  ret half %r
}
