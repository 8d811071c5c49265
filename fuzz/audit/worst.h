/* fuzz/audit/worst.h -- lists of inputs that are known to be hard, which a search tries first. */
#pragma once

#include "base/base.h"
#include "oracle/sweep/sweep.h"

/*
 * A folder of text files, NAME.txt, one input a line:
 *
 *     exp f64 0x3e09ea9c0e0a3a0c midpoint 58 where it was published
 *     pow f32 0x3f800001 0x4b000000 edge near one
 *
 * function and type; an encoding in hex for each float argument, then the integer argument in decimal;
 * what is claimed, with its k; the source, which is not empty. Empty lines and those that begin with #
 * are skipped. Claims, tested against MPFR (tests/program/test_worst.c):
 */
enum worst_claim {
    WORST_MIDPOINT, /* "midpoint K": f(x) is within 2^-K ulp of the middle between two numbers */
    WORST_NUMBER,   /* "number K": f(x) is within 2^-K ulp of a number, and is none */
    WORST_REDUCE,   /* "reduce K": x is within 2^-K of a multiple of pi/2, x not 0 */
    WORST_EDGE      /* "edge": none */
};
enum {
    WORST_CLAIM_N = 4
};
extern const char *const worst_claim_names[WORST_CLAIM_N];

struct worst_input {
    enum func_id func;
    enum fmt_id fmt;
    uint64_t arg[SWEEP_ARGS]; /* encodings; an integer as 32 bits */
    enum worst_claim claim;
    unsigned k;
    const char *source; /* in the list's arena */
};
struct worst_list {
    uint32_t n;
    struct worst_input *inputs;
};
enum {
    WORST_MAX_INPUTS = 1 << 16
};

/* Add the lines of a text; `name` stands in errors, with the line. RES_FORMAT: a line is not as
 * above; RES_LIMIT: too many. */
MUST_USE enum res worst_parse(struct worst_list *list, const char *name, const char *text,
                              size_t n_bytes, struct arena *a, struct err *e);
/* All files of a folder, by name. A folder that is not there: RES_IO. */
MUST_USE enum res worst_load(struct worst_list *list, const char *folder, struct arena *a,
                             struct err *e);
