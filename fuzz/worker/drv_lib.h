/* fuzz/worker/drv_lib.h -- a math library without a device: a shared object with a loop for each function, under --api library. */
#pragma once

#include "fuzz/worker/drv.h"

/*
 * The loader is a file library.so. It exports a loop for each function and type that it has,
 *     void hu_FUNCTION_TYPE(const void *const in[], void *const out[], uint64_t n);
 * with arrays of n items: in[i] is operand i (integers as int32), out[0] the result, out[1] what a pointer operand receives.
 * Beside it are two files. functions.tsv has a line for each loop with seven columns: function, type, number of inputs, number
 * of outputs, hardware instructions that it executes between commas or "-", the vendor's symbol, and the bound that the vendor
 * documents in ulps or "-". facts.txt has lines key=value; flush=f32 names the types of which subnormal numbers may become 0.
 *
 * Facts: library.KEY for each line of facts.txt, and for each line of functions.tsv
 *     function.NAME.TYPE=inputs=1 outputs=1 hardware=v_exp_f32 bound=1 symbol=__ocml_exp_f32
 *
 * A stream runs the OpenCL.std functions that its module calls: call i gives result i (gen/emit/audit_module.h). A case of
 * profile "audit" does the same; other cases are refused. The build options are "" or one word for each result: the value of
 * HALFULP_STANDIN, which says how the hardware behaves. Each value has its own copy of the library.
 */
extern const struct drv_api drv_lib;
