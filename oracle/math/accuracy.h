/* oracle/math/accuracy.h -- looks up how inaccurate an instruction's result may be, by environment, type, options
 * and decoration, in the table accuracy.def. */
#pragma once

#include "base/ops.h"
#include "oracle/func/func.h"
#include "oracle/math/rules.h"
#include "oracle/tables/tables.h"

/* How a bound is given. */
enum accuracy_kind {
    ACCURACY_NONE,     /* no row: judged exactly, graded divergence "no clause" */
    ACCURACY_ULP,      /* within func_bound.ulp */
    ACCURACY_ROUNDED,  /* correctly rounded */
    ACCURACY_EXACT,    /* exact, no rounding */
    ACCURACY_ABSOLUTE, /* within func_bound.absolute */
    ACCURACY_ANYTHING, /* implementation-defined */
    ACCURACY_FORMULA,  /* ulps depend on the arguments: 3 + 2|x| and the like */
    ACCURACY_INHERITED /* what the formula it is derived from may give: Vulkan's "inherited from",
                         * OpenCL's derived implementations, or bound.ulp where that is set */
};

/*
 * op: OP_NUMBER of a row of ops.def (core, opencl_std, glsl450). full_profile 0: embedded. relaxed: the
 * module's build options name -cl-unsafe-math-optimizations or -cl-fast-relaxed-math; rounded_divide:
 * -cl-fp32-correctly-rounded-divide-sqrt. strict_f64: Vulkan's f64 by the rows of f32 in ulps of f64,
 * where the document asks for no more than the accuracy of f32: to tell a divergence.
 */
struct accuracy_query {
    enum env env;
    uint32_t op;
    enum fmt_id fmt;
    int full_profile, relaxed, rounded_divide;
    uint32_t n_components; /* of a vector; 1 */
    int strict_f64;
};

/* The rule of one instruction in one module on one device. */
struct accuracy {
    enum accuracy_kind kind;
    enum func_id func;       /* what it computes; FUNC_NONE for several results or vectors */
    struct func_bound bound; /* of ULP, ABSOLUTE; of INHERITED what holds besides the formula */
    int formula;             /* row of accuracy's formulas or inherited derivations */
    const char *source;      /* document and section */
    const char *note;        /* what the bound depends on, or "" */
    double param[2];         /* of the formula */
    double scale;            /* of bounds in ulps: 2^29 where f64 is held to f32's */
    int is_decorated;
    int is_illegal; /* a decoration that is no positive number: kind is ANYTHING */
    struct accuracy_query query;
};

struct accuracy accuracy_get(const struct accuracy_query *query);
/* A max-error decoration: the bound is the exact value of the binary32 literal and overrides all. Zero,
 * negative numbers, NaN and infinity are illegal; special values stay the environment's. */
struct accuracy accuracy_decorated(const struct accuracy_query *query, uint32_t literal_bits);
/* The bound for these arguments (FORMULA worked out). */
struct func_bound accuracy_bound(const struct accuracy *a, const struct func_args *args);
/* A bound that keeps within each one's from encoding `first` to `last`, of one argument; 0: FORMULA says
 * none. */
int accuracy_find_least(const struct accuracy *a, enum fmt_id fmt, uint64_t first, uint64_t last,
                        struct func_bound *out);
/* The clause that a result outside of what is permitted offends. */
enum clause_id accuracy_get_clause(const struct accuracy *a);
/* Is the bound too small for some exact values to have an encoding within it? */
int accuracy_is_unsatisfiable(const struct accuracy *a);

enum {
    ACCURACY_MAX_COMPONENTS = 16
};
/* Operands of an instruction on whole vectors: dot, length, distance, cross, normalize, reflect,
 * refract, faceforward; a scalar (refract's eta) is component 0. */
struct accuracy_operands {
    enum fmt_id fmt;
    uint32_t n_components;
    uint64_t enc[3][ACCURACY_MAX_COMPONENTS];
    int32_t n; /* the integer argument */
    struct inherit_shared
        *shared; /* for all components of one instruction on the same operands; NULL: none */
};
/* The magnitude of a finite encoding; infinity for infinities and NaN. */
double accuracy_magnitude(enum fmt_id fmt, uint64_t enc);
/* Upper bound of FORM_DOT and FORM_CROSS. */
struct func_bound accuracy_vector_bound(const struct accuracy *a,
                                        const struct accuracy_operands *operands);
/* The row of the instruction within a formula of the same module. */
struct accuracy accuracy_get_step(const struct accuracy *a, enum op_id op);
