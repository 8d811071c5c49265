/* fuzz/worker/drv_lib.h -- a math library without a device: a shared object with a loop for each function, under --api library. */
#pragma once

#include "fuzz/worker/drv.h"

/*
 * The loader is a file library.so. It exports a loop for each function and type that it has,
 *     void hu_FUNCTION_TYPE(const void *const in[], void *const out[], uint64_t n);
 * with arrays of n items: in[i] is operand i (integers as int32), out[0] the result, out[1] what a pointer operand receives.
 * Beside it are two files: functions.tsv, a line for each loop with seven columns (function, type, number of inputs, number of outputs,
 * operations of the hardware that are left in it between commas or "-", the vendor's symbol, the bound that the vendor documents in
 * ulps or "-"), and facts.txt with lines key=value; flush=f32 names the types of which subnormal numbers may become 0.
 *
 * Facts: library.KEY for each line of facts.txt, and for each line of functions.tsv
 *     function.NAME.TYPE=inputs=1 outputs=1 hardware=v_exp_f32 bound=1 symbol=__ocml_exp_f32
 *
 * A stream, and a case of profile "audit", runs the functions of OpenCL.std that its module calls, the first of them into the first
 * result, as a module of gen/emit/audit_module.h does. The build options of a stream are one word for each result, or "": how
 * the operations of the hardware behave, a value of the variable HALFULP_STANDIN. Each behaviour has a copy of the library of its own. Other
 * cases are refused.
 */
extern const struct drv_api drv_lib;
