# scripts/vendor_math/amd.awk [-v mad=_mad] [-v div16=_mad] FILE.ll -- LLVM IR of ROCm's libraries, after the pass
# amdgpu-codegenprepare, to IR for x86-64: address spaces and AMDGPU's attributes go, hardware instructions and what the
# back end expands become calls of scripts/vendor_math/amd_backend.ll.
#   mad    the chip has no fast f32 fma, and flushes f32 subnormals: llvm.fmuladd.f32 is a product and a sum
#   div16  suffix of the f16 division

BEGIN {
    n = split("rcp rsq sqrt sin cos", same, " ")
    for (i = 1; i <= n; i++) {
        to["@llvm.amdgcn." same[i] ".f32("] = "@v_" same[i] "_f32("
        to["@llvm.amdgcn." same[i] ".f64("] = "@v_" same[i] "_f64("
        to["@llvm.amdgcn." same[i] ".f16("] = "@be_" same[i] "_f16("
    }
    to["@llvm.amdgcn.exp2.f32("] = "@v_exp_f32("
    to["@llvm.amdgcn.log.f32("] = "@v_log_f32("
    to["@llvm.amdgcn.exp2.f16("] = to["@llvm.exp2.f16("] = "@be_exp2_f16("
    to["@llvm.amdgcn.log.f16("] = to["@llvm.log2.f16("] = "@be_log2_f16("
    to["@llvm.sqrt.f16("] = "@be_sqrt_f16("
    to["@llvm.fma.f16("] = to["@llvm.fmuladd.f16("] = "@be_fma_f16("
    for (i = 1; i <= split("f16 f32 f64", type, " "); i++) {
        to["@llvm.amdgcn.frexp.mant." type[i] "("] = "@be_frexp_mant_" type[i] "("
        to["@llvm.amdgcn.class." type[i] "("] = "@llvm.is.fpclass." type[i] "("
        to["@llvm.amdgcn.frexp.exp.i32." type[i] "("] = "@be_frexp_exp_i32_" type[i] "("
    }
    to["@llvm.amdgcn.frexp.exp.i16.f16("] = "@be_frexp_exp_i16_f16("
    to["@llvm.amdgcn.fdiv.fast("] = "@be_fdiv_fast("
    to["@llvm.amdgcn.trig.preop.f64("] = "@v_trig_preop_f64("
    n = split("exp exp2 exp10 log log2 log10 sin cos", expanded, " ")
    for (i = 1; i <= n; i++) {
        to["@llvm." expanded[i] ".f32("] = "@be_" expanded[i] "_f32" mad "("
    }
    n = split("fract fmed3", op, " ")
    for (i = 1; i <= n; i++) {
        to["@llvm.amdgcn." op[i] ".f16("] = "@be_" op[i] "_f16("
        to["@llvm.amdgcn." op[i] ".f32("] = "@be_" op[i] "_f32("
        to["@llvm.amdgcn." op[i] ".f64("] = "@be_" op[i] "_f64("
    }
    to["@llvm.fmuladd.f64("] = "@llvm.fma.f64("
    if (!mad) {
        to["@llvm.fmuladd.f32("] = "@llvm.fma.f32("
    }
    n = split("f16 f32 f64", type, " ")
    for (i = 1; i <= n; i++) { # the hardware orders -0 before +0
        to["@llvm.minnum." type[i] "("] = "@be_minnum_" type[i] "("
        to["@llvm.maxnum." type[i] "("] = "@be_maxnum_" type[i] "("
    }
    print "target triple = \"x86_64-pc-linux-gnu\""
}

/^target / || /^; ModuleID/ || /^source_filename/ { next }

# The function that an instruction calls, or "".
function get_callee(line) {
    return match(line, /@[A-Za-z0-9_.]+\(/) ? substr(line, RSTART, RLENGTH) : ""
}

# Division of f16: one of -1, 1 and a value is the reciprocal; 1 over a square root, with contraction, v_rsq_f16.
function put_division(line,    result, x, y) {
    result = line
    sub(/ = fdiv.*/, "", result)
    sub(/.*fdiv [a-z ]*half /, "", line)
    sub(/, !.*/, "", line)
    x = y = line
    sub(/,.*/, "", x)
    sub(/.*, /, "", y)
    if (x == "0xH3C00" && contracted && (y in root)) {
        print result " = call half @be_rsq_f16(half " root[y] ")"
    } else if (x == "0xH3C00") {
        print result " = call half @be_rcp_f16(half " y ")"
    } else if (x == "0xHBC00") {
        print result " = call half @be_minus_rcp_f16(half " y ")"
    } else {
        print result " = call half @be_div_f16" div16 "(half " x ", half " y ")"
    }
}

{
    gsub(/, addrspace\([0-9]+\)/, "")
    gsub(/ addrspace\([0-9]+\)/, "")
    gsub(/\.p[0-9]+/, ".p0")
    gsub(/immarg/, "")
    gsub(/ captures\(none\)/, "")
    gsub(/ initializes\([^)]*\)\)/, "")
}
/^attributes/ { sub(/\{.*\}/, mad ? "{ nounwind \"denormal-fp-math-f32\"=\"preserve-sign,preserve-sign\" }" : "{ nounwind }") }
/^define/ { split("", root) }
mad && / float / { gsub(/ contract /, " ") }
{
    callee = get_callee($0)
    if ($0 ~ /^declare/) {
        if ((callee in to) || (callee in declared)) {
            next
        }
        declared[callee] = 1
    } else if (callee in to) {
        if ($0 ~ / contract half @llvm.sqrt.f16/) {
            argument = $0
            sub(/.*sqrt.f16\([a-z ]*half /, "", argument)
            sub(/\).*/, "", argument)
            root[$1] = argument
        }
        new = to[callee]
        if ($0 ~ / afn / && callee ~ /^@llvm\.log/) {
            sub(/be_/, "be_fast_", new)
        }
        at = index($0, callee)
        $0 = substr($0, 1, at - 1) new substr($0, at + length(callee))
        sub(/, !fpmath ![0-9]+/, "")
    } else if ($0 ~ / fptrunc double .* to half/) {
        sub(/fptrunc double/, "call half @be_trunc_f64_f16(double")
        sub(/ to half/, ")")
    } else if ($0 ~ / = fdiv [a-z ]*half /) {
        contracted = $0 ~ / contract /
        put_division($0)
        next
    }
    print
}
