/* oracle/sweep/evaluator.h -- evaluates functions of one f32 (or f16) argument in double, many at a time, as a
 * filter before MPFR. An evaluator is used only with a certificate: its largest error over all f32 inputs,
 * measured against MPFR, and the filter allows 1000 times that. */
#pragma once

#include "oracle/func/func.h"

/* Instruction sets that are told apart. The results are the same, bit for bit, on all of them. */
enum evaluator_isa {
    EVALUATOR_BASE, /* what the compiler assumes: SSE2 on x86-64 */
    EVALUATOR_AVX2,
    EVALUATOR_AVX512
};
enum {
    EVALUATOR_ISA_N = 3
};

struct evaluator_certificate {
    uint64_t
        fingerprint; /* of evaluator_get_fingerprint when the proof ran; 0: IEEE 754 is the proof */
    double error;    /* largest relative error found over all inputs, or proven */
    double slack;    /* 1000 times what was found: what the filter allows for */
};

/* The best of this processor. */
enum evaluator_isa evaluator_find_isa(void);
const char *evaluator_get_isa_name(enum evaluator_isa isa);
int evaluator_has(enum func_id func);
/* n results. For an f32 x that is not 0, 1, 2 or an infinity in magnitude: NaN where the function is
 * NaN, an exact zero or infinity only where the function has one (then of its sign), 2^-400 or
 * 2^400 in magnitude or beyond where it is beyond, else close. */
void evaluator_run(enum func_id func, enum evaluator_isa isa, const double *x, double *out,
                   uint32_t n);
/* Is every result that is a float the exact one? */
int evaluator_is_exact(enum func_id func);
/* Hash of the results for a fixed sample of arguments: other code or a compiler that contracts gives
 * another one. */
uint64_t evaluator_get_fingerprint(enum func_id func, enum evaluator_isa isa);
/* The certificate, or NULL where there is none, or where it is not of this code. */
const struct evaluator_certificate *evaluator_find_certificate(enum func_id func,
                                                               enum evaluator_isa isa);
