/* fuzz/audit/audit.h -- the audit: every function x type x form of a target, with its largest errors. */
#pragma once

#include "base/audit_result.h"
#include "fuzz/io/shard.h"
#include "fuzz/targets/targets.h"

enum {
    AUDIT_MAX_BOUNDS = 12
};
/* Kinds of forms, for audit_request.forms. */
enum audit_form_kind {
    AUDIT_FORM_FULL, /* any instruction that is none of the others */
    AUDIT_FORM_HALF,
    AUDIT_FORM_NATIVE,
    AUDIT_FORM_DECORATED
};
enum {
    AUDIT_FORM_N = 4
};
/* How far f32 functions of one argument are swept; of f16 every input is tried. */
enum audit_reach {
    AUDIT_REACH_CERTIFIED, /* every input where a certified evaluator judges, else a search */
    AUDIT_REACH_SAMPLES,   /* a search */
    AUDIT_REACH_ALL        /* every input, by MPFR alone if need be: days */
};
struct progress; /* fuzz/process/progress.h */

/* What is asked for. */
struct audit_request {
    const char *functions; /* "exp,sin", "all" */
    unsigned types;        /* bit per enum fmt_id */
    unsigned forms;        /* bit per enum audit_form_kind; 0: all */
    uint32_t n_bounds;
    float bounds[AUDIT_MAX_BOUNDS]; /* max-error decorations to try besides the plain forms */
    enum audit_reach reach;         /* f32 of one argument */
    uint64_t n_samples;             /* of a search */
    uint64_t seed;
    struct shard shard; /* which part of the audit is done; {0, 0}: all of it */
    uint64_t budget_ns; /* the audit ends then, finished or not, with even shares; 0: no end */
    const char *folder; /* progress and results; resumed where it exists */
    const char *worst;  /* folder of known hard inputs; NULL: none */
    unsigned n_judges;  /* processes; 0: one per core */
    struct progress *progress; /* NULL: none */
};
/* Run it on a target: rows appear in *out as they are done. RES_USAGE for
 * unknown functions; what the driver does wrong is data of its row. */
MUST_USE enum res audit_run(const struct target *t, const struct audit_request *r, struct arena *a,
                            struct audit *out, struct err *e);
