# scripts/vendor_math/intel.awk DUMP_optimized.ll -- the optimised LLVM IR that IGC dumps of the kernels of loops.awk, to IR
# for x86-64: address spaces and hidden parameters go, hardware instructions and what IGC's later passes expand become
# calls of scripts/vendor_math/intel_backend.ll.

BEGIN {
    to["@llvm.exp2.f32("] = to["@__builtin_IB_native_exp2f("] = "@math_exp("
    to["@llvm.log2.f32("] = to["@__builtin_IB_native_log2f("] = "@math_log("
    to["@llvm.sqrt.f32("] = to["@__builtin_IB_native_sqrtf("] = "@math_sqt("
    to["@llvm.sin.f32("] = to["@__builtin_IB_native_sinf("] = "@math_sin("
    to["@llvm.cos.f32("] = to["@__builtin_IB_native_cosf("] = "@math_cos("
    to["@llvm.pow.f32("] = to["@__builtin_IB_native_powrf("] = "@be_pow_f32("
    to["@llvm.sqrt.f16("] = to["@__builtin_IB_native_sqrth("] = "@be_sqrt_f16("
    to["@llvm.fma.f16("] = to["@__builtin_IB_fmah("] = "@be_fma_f16("
    to["@llvm.minnum.f16("] = to["@__builtin_IB_HMIN("] = "@be_minnum_f16("
    to["@llvm.maxnum.f16("] = to["@__builtin_IB_HMAX("] = "@be_maxnum_f16("
    to["@llvm.minnum.f32("] = to["@__builtin_IB_fmin("] = "@be_minnum_f32("
    to["@llvm.maxnum.f32("] = to["@__builtin_IB_fmax("] = "@be_maxnum_f32("
    to["@llvm.minnum.f64("] = to["@__builtin_IB_dmin("] = "@be_minnum_f64("
    to["@llvm.maxnum.f64("] = to["@__builtin_IB_dmax("] = "@be_maxnum_f64("
    to["@llvm.genx.GenISA.umulH.i32("] = "@be_high_unsigned("
    to["@llvm.genx.GenISA.imulH.i32("] = "@be_high_signed("
    intrinsic["@__builtin_IB_native_sqrtd("] = "@llvm.sqrt.f64("
    intrinsic["@__builtin_IB_frnd_pi("] = "@llvm.ceil.f32("
    intrinsic["@__builtin_IB_frnd_ni("] = "@llvm.floor.f32("
    intrinsic["@__builtin_IB_frnd_zi("] = "@llvm.trunc.f32("
    intrinsic["@__builtin_IB_frnd_ne("] = intrinsic["@llvm.genx.GenISA.ROUNDNE("] = "@llvm.rint.f32("
    print "target triple = \"x86_64-pc-linux-gnu\""
}

/^target / || /^@llvm\.(compiler\.)?used/ { next }

# The function that an instruction calls, or "".
function get_callee(line) {
    return match(line, /@[A-Za-z0-9_.]+\(/) ? substr(line, RSTART, RLENGTH) : ""
}

# The head of a kernel, without the parameters that loops.awk did not write.
function put_head(line,    head, n, parameter, i, kept) {
    head = line
    sub(/\(.*/, "(", head)
    sub(/^[^(]*\(/, "", line)
    sub(/\)[^)]*$/, "", line)
    n = split(line, parameter, ", ")
    for (i = 1; i <= n; i++) {
        if (parameter[i] ~ /%([apo][0-9]*)$/) {
            kept = kept (kept == "" ? "" : ", ") "ptr " substr(parameter[i], index(parameter[i], "%"))
        }
    }
    print head kept ") nounwind alwaysinline {"
}

# 1 / x is math.inv; 1 over a square root, math.rsqt.
function put_division(line, type,    result, x, y) {
    result = line
    sub(/ = fdiv.*/, "", result)
    sub(/.*fdiv [a-z ]*(float|half) /, "", line)
    sub(/, !.*/, "", line)
    x = y = line
    sub(/,.*/, "", x)
    sub(/.*, /, "", y)
    if (type == "half" && x == "0xH3C00" && (y in root)) {
        print result " = call half @be_rsqt_f16(half " root[y] ")"
    } else if (type == "half") {
        print result " = call half @be_div_f16(half " x ", half " y ")"
    } else if (x == "1.000000e+00" && (y in root)) {
        print result " = call float @math_rsqt(float " root[y] ")"
    } else if (x == "1.000000e+00") {
        print result " = call float @math_inv(float " y ")"
    } else {
        print result " = call float @be_div_f32(float " x ", float " y ")"
    }
}

{
    gsub(/, addrspace\([0-9]+\)/, "")
    gsub(/ addrspace\([0-9]+\)/, "")
    gsub(/spir_kernel |spir_func /, "")
    gsub(/addrspacecast/, "bitcast")
    gsub(/immarg/, "")
    gsub(/, ![a-z.]+ ![0-9]+/, "")
}
/^attributes/ { sub(/\{.*\}/, "{ nounwind }") }
/^define/ { split("", root); split("", negated); split("", compared) }
# x >= 0 ? x : -x, from older releases: IGC's operand modifier (abs), which also clears the sign of -0
/ = fneg (half|float|double) / { negated[$1] = $NF }
/ = fcmp oge (half|float|double) .*, (0xH0000|0.000000e\+00)$/ { compared[$1] = $6; sub(/,/, "", compared[$1]) }
/ = select i1 / {
    condition = $5
    x = $7
    sub(/,/, "", condition)
    sub(/,/, "", x)
    if (compared[condition] == x && negated[$NF] == x) {
        print $1 " = call " $6 " @llvm.fabs." ($6 == "half" ? "f16" : $6 == "float" ? "f32" : "f64") "(" $6 " " x ")"
        next
    }
}
/^define .*@k_/ { put_head($0); next }
{
    callee = get_callee($0)
    if ($0 ~ /^declare/ && ((callee in to) || (callee in intrinsic) || callee == "@printf(")) {
        next
    }
    if (callee in to) {
        if (to[callee] == "@math_sqt(" || to[callee] == "@be_sqrt_f16(") {
            argument = $0
            sub(/.*\([a-z ]*(float|half) [a-z ]*/, "", argument)
            sub(/\).*/, "", argument)
            root[$1] = argument
        }
        new = to[callee]
    } else {
        new = (callee in intrinsic) ? intrinsic[callee] : callee
    }
    if (new != callee) {
        at = index($0, callee)
        $0 = substr($0, 1, at - 1) new substr($0, at + length(callee))
    } else if ($0 ~ / fptrunc double .* to half/) {
        sub(/fptrunc double/, "call half @be_trunc_f64_f16(double")
        sub(/ to half/, ")")
    } else if ($0 ~ / = fdiv [a-z ]*(float|half) /) {
        put_division($0, $0 ~ / half / ? "half" : "float")
        next
    }
    print
}
