# scripts/vendor_math/loops.awk -v part=PART -v types=TYPES [-v symbols=FILE] [-v flush=f32] functions.tsv -- text made from the table of functions.
#   part=amd      loops in LLVM IR that call ROCm's OpenCL C functions by their mangled names; target amdgcn
#   part=intel    loops in LLVM IR that call the kernels of part=kernels; pointers of address space 0
#   part=kernels  OpenCL C: one kernel per function and type, which computes one element
#   part=symbols  one line per function and type: symbol of the loop, function, type, inputs, outputs, the vendor's symbol, the
#                 function's name in OpenCL C
#   flush=f32     loops of f16 and f32 flush f32 subnormals
#   types         the types to make, such as f16,f32
#   symbols       the vendor's symbols, one per line; a function without a symbol is left out (part=amd, part=symbols)

BEGIN {
    FS = "\t"
    split("f16 f32 f64", all, " ")
    ir["f16"] = "half"; ir["f32"] = "float"; ir["f64"] = "double"
    c_name["f16"] = "half"; c_name["f32"] = "float"; c_name["f64"] = "double"
    mangled["f16"] = "Dh"; mangled["f32"] = "f"; mangled["f64"] = "d"
    bits["f16"] = "i16"; bits["f32"] = "i32"; bits["f64"] = "i64"
    c_bits["f16"] = "ushort"; c_bits["f32"] = "uint"; c_bits["f64"] = "ulong"
    mangled_bits["f16"] = "t"; mangled_bits["f32"] = "j"; mangled_bits["f64"] = "m"
    while (symbols != "" && (getline line < symbols) > 0) {
        has[line] = 1
    }
    if (flush == "f32") {
        print "declare i32 @standin_begin_flush()\ndeclare void @standin_end_flush(i32)"
    }
    if (part == "kernels") {
        for (i = 1; i in all; i++) {
            if (all[i] != "f32" && index(types, all[i])) {
                printf "#pragma OPENCL EXTENSION cl_khr_fp%d : enable\n", substr(all[i], 2)
            }
        }
    }
}

# The type of an operand or result with code v (value), i (int32) or u (bits of a value), in IR and in OpenCL C.
function ir_type(code, t) { return code == "v" ? ir[t] : code == "i" ? "i32" : bits[t] }
function c_type(code, t) { return code == "v" ? c_name[t] : code == "i" ? "int" : c_bits[t] }
function mangled_type(code, t) { return code == "v" ? mangled[t] : code == "i" ? "i" : mangled_bits[t] }

# The symbol of OpenCL C function `name` in ROCm's opencl.bc: result pointers are private.
function amd_symbol(name, operands, results, t,    i, s) {
    s = "_Z" length(name) name
    for (i = 1; i <= length(operands); i++) {
        s = s mangled_type(substr(operands, i, 1), t)
    }
    for (i = 2; i <= length(results); i++) {
        s = s "PU3AS5" mangled_type(substr(results, i, 1), t)
    }
    return s
}

function put_kernel(name, operands, results, t,    i, code, declared, called, stored, locals) {
    for (i = 1; i <= length(operands); i++) {
        declared = declared sprintf("global const %s *a%d, ", c_type(substr(operands, i, 1), t), i)
        called = called (i > 1 ? ", " : "") "a" i "[0]"
    }
    for (i = 2; i <= length(results); i++) {
        code = c_type(substr(results, i, 1), t)
        declared = declared sprintf("global %s *p%d, ", code, i)
        stored = stored sprintf(" p%d[0] = t%d;", i, i)
        called = called ", &t" i
        locals = locals sprintf(" %s t%d;", code, i)
    }
    printf "kernel void k_%s_%s(%sglobal %s *o) {%s o[0] = %s(%s);%s }\n", name, t, declared, \
        c_type(substr(results, 1, 1), t), locals, name, called, stored
}

# Address of element %i of the array number `index_` in the list %`list`, as %`name`.
function put_address(name, list, index_, type) {
    printf "  %%%s.slot = getelementptr ptr, ptr %%%s, i64 %d\n", name, list, index_
    printf "  %%%s.array = load ptr, ptr %%%s.slot\n", name, name
    printf "  %%%s = getelementptr %s, ptr %%%s.array, i64 %%i\n", name, type, name
}

# id: the function's name in OpenCL.std, by which a worker finds the loop.
function put_loop(id, name, operands, results, t,    i, type, list, args, is_flushed) {
    is_flushed = flush == "f32" && t != "f64"
    printf "define void @hu_%s_%s(ptr %%in, ptr %%out, i64 %%n) {\nentry:\n", id, t
    for (i = 2; part == "amd" && i <= length(results); i++) {
        printf "  %%t%d = alloca %s, addrspace(5)\n", i, ir_type(substr(results, i, 1), t)
    }
    if (is_flushed) {
        print "  %saved = call i32 @standin_begin_flush()"
    }
    print "  %none = icmp eq i64 %n, 0\n  br i1 %none, label %end, label %body\nbody:"
    print "  %i = phi i64 [ 0, %entry ], [ %next, %body ]"
    for (i = 1; i <= length(operands); i++) {
        type = ir_type(substr(operands, i, 1), t)
        put_address("a" i, "in", i - 1, type)
        if (part == "amd") {
            printf "  %%x%d = load %s, ptr %%a%d\n", i, type, i
        }
        list = list (i > 1 ? ", " : "") (part == "amd" ? type " %x" i : "ptr %a" i)
    }
    for (i = 1; i <= length(results); i++) {
        put_address("o" i, "out", i - 1, ir_type(substr(results, i, 1), t))
    }
    for (i = 2; i <= length(results); i++) {
        list = list ", ptr " (part == "amd" ? "addrspace(5) %t" : "%o") i
    }
    type = ir_type(substr(results, 1, 1), t)
    if (part == "amd") {
        printf "  %%r = call %s @%s(%s)\n  store %s %%r, ptr %%o1\n", type, amd_symbol(name, operands, results, t), list, type
        for (i = 2; i <= length(results); i++) {
            type = ir_type(substr(results, i, 1), t)
            printf "  %%v%d = load %s, ptr addrspace(5) %%t%d\n  store %s %%v%d, ptr %%o%d\n", i, type, i, type, i, i
        }
    } else {
        printf "  call void @k_%s_%s(%s, ptr %%o1)\n", name, t, list
    }
    print "  %next = add i64 %i, 1\n  %done = icmp eq i64 %next, %n"
    print "  br i1 %done, label %end, label %body\nend:"
    if (is_flushed) {
        print "  call void @standin_end_flush(i32 %saved)"
    }
    print "  ret void\n}"
    if (part == "amd") {
        type = ir_type(substr(results, 1, 1), t)
        args = list
        gsub(/ %[a-z0-9]+/, "", args)
        printf "declare %s @%s(%s)\n", type, amd_symbol(name, operands, results, t), args
    }
}

/^#/ || NF < 5 { next }
{
    for (i = 1; i in all; i++) {
        t = all[i]
        if (!index($5, t) || !index(types, t)) {
            continue
        }
        symbol = amd_symbol($2, $3, $4, t)
        if (symbols != "" && !(symbol in has)) {
            continue
        }
        if (part == "kernels") {
            put_kernel($2, $3, $4, t)
        } else if (part == "symbols") {
            printf "hu_%s_%s\t%s\t%s\t%d\t%d\t%s\t%s\n", $1, t, $1, t, length($3), length($4), symbol, $2
        } else {
            put_loop($1, $2, $3, $4, t)
        }
    }
}
