; scripts/vendor_math/intel_backend.ll -- what IGC's later passes make of instructions of its optimised LLVM IR, read from
; the assembly that ocloc dumps (docs/vendor-math.md says how to repeat this). math_NAME are hardware instructions:
; functions of tests/standin/standin.c. An f16 travels to fma_f16 as bits in an i32.

declare float @math_exp(float) #100
declare float @math_log(float) #100
declare float @math_inv(float) #100
declare float @math_rsqt(float) #100
declare float @math_sqt(float) #100
declare i32 @math_rsqt_f16(i32) #100
declare float @math_sin(float) #100
declare float @math_cos(float) #100
declare i32 @fma_f16(i32, i32, i32) #100
declare i32 @from_f64_f16(double) #100
attributes #100 = { nounwind willreturn memory(none) }

; x / y: math.inv of y scaled by s, times x, times s. s is 2^32 for a y that is 0 or subnormal, 2^-32 for one of at least
; 2^73, else 1. If x = y, and y is normal and no power of two, the quotient is 1.
define internal float @be_div_f32(float %x, float %y) {
  %b = bitcast float %y to i32
  %exponent = and i32 %b, 2139095040
  %is_small = icmp eq i32 %exponent, 0
  %up = select i1 %is_small, float 0x41F0000000000000, float 1.0
  %is_large = icmp uge i32 %exponent, 1677721600
  %s = select i1 %is_large, float 0x3DF0000000000000, float %up
  %ys = fmul float %y, %s
  %v = call float @math_inv(float %ys)
  %vx = fmul float %v, %x
  %q = fmul float %vx, %s
  %significand = and i32 %b, 8388607
  %is_power = icmp eq i32 %significand, 0
  %is_other = or i1 %is_small, %is_power
  %is_normal = xor i1 %is_other, true
  %is_equal = fcmp oeq float %x, %y
  %is_one = and i1 %is_equal, %is_normal
  %r = select i1 %is_one, float 1.0, float %q
  ret float %r
}
define internal half @be_div_f16(half %x, half %y) {
  %a = fpext half %x to float
  %b = fpext half %y to float
  %q = call float @be_div_f32(float %a, float %b)
  %r = fptrunc float %q to half
  ret half %r
}
define internal half @be_sqrt_f16(half %x) {
  %a = fpext half %x to float
  %v = call float @math_sqt(float %a)
  %r = fptrunc float %v to half
  ret half %r
}
define internal half @be_rsqt_f16(half %x) {
  %b = bitcast half %x to i16
  %i = zext i16 %b to i32
  %v = call i32 @math_rsqt_f16(i32 %i)
  %t = trunc i32 %v to i16
  %r = bitcast i16 %t to half
  ret half %r
}
; native_powr
define internal float @be_pow_f32(float %x, float %y) {
  %a = call float @llvm.fabs.f32(float %x)
  %l = call float @math_log(float %a)
  %p = fmul float %l, %y
  %r = call float @math_exp(float %p)
  ret float %r
}
define internal half @be_fma_f16(half %x, half %y, half %z) {
  %xb = bitcast half %x to i16
  %yb = bitcast half %y to i16
  %zb = bitcast half %z to i16
  %xi = zext i16 %xb to i32
  %yi = zext i16 %yb to i32
  %zi = zext i16 %zb to i32
  %v = call i32 @fma_f16(i32 %xi, i32 %yi, i32 %zi)
  %t = trunc i32 %v to i16
  %r = bitcast i16 %t to half
  ret half %r
}
define internal half @be_trunc_f64_f16(double %x) {
  %v = call i32 @from_f64_f16(double %x)
  %t = trunc i32 %v to i16
  %r = bitcast i16 %t to half
  ret half %r
}
define internal i32 @be_high_unsigned(i32 %x, i32 %y) {
  %a = zext i32 %x to i64
  %b = zext i32 %y to i64
  %p = mul i64 %a, %b
  %h = lshr i64 %p, 32
  %r = trunc i64 %h to i32
  ret i32 %r
}
define internal i32 @be_high_signed(i32 %x, i32 %y) {
  %a = sext i32 %x to i64
  %b = sext i32 %y to i64
  %p = mul i64 %a, %b
  %h = lshr i64 %p, 32
  %r = trunc i64 %h to i32
  ret i32 %r
}
; sel: the first operand if it compares so to the second, or if the second is a NaN.
define internal half @be_minnum_f16(half %x, half %y) {
  %is_first = fcmp olt half %x, %y
  %y_nan = fcmp uno half %y, %y
  %c = or i1 %is_first, %y_nan
  %r = select i1 %c, half %x, half %y
  ret half %r
}
define internal half @be_maxnum_f16(half %x, half %y) {
  %is_first = fcmp oge half %x, %y
  %y_nan = fcmp uno half %y, %y
  %c = or i1 %is_first, %y_nan
  %r = select i1 %c, half %x, half %y
  ret half %r
}
define internal float @be_minnum_f32(float %x, float %y) {
  %is_first = fcmp olt float %x, %y
  %y_nan = fcmp uno float %y, %y
  %c = or i1 %is_first, %y_nan
  %r = select i1 %c, float %x, float %y
  ret float %r
}
define internal float @be_maxnum_f32(float %x, float %y) {
  %is_first = fcmp oge float %x, %y
  %y_nan = fcmp uno float %y, %y
  %c = or i1 %is_first, %y_nan
  %r = select i1 %c, float %x, float %y
  ret float %r
}
define internal double @be_minnum_f64(double %x, double %y) {
  %is_first = fcmp olt double %x, %y
  %y_nan = fcmp uno double %y, %y
  %c = or i1 %is_first, %y_nan
  %r = select i1 %c, double %x, double %y
  ret double %r
}
define internal double @be_maxnum_f64(double %x, double %y) {
  %is_first = fcmp oge double %x, %y
  %y_nan = fcmp uno double %y, %y
  %c = or i1 %is_first, %y_nan
  %r = select i1 %c, double %x, double %y
  ret double %r
}
