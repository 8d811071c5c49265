/* fuzz/audit/audit.h -- the audit: every function x type x form of a target, with its largest errors. */
#pragma once

#include "fuzz/targets/targets.h"
#include "oracle/sweep/sweep.h"

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
enum audit_depth {
    AUDIT_EXHAUSTIVE, /* every input: one argument of 16 or 32 bits */
    AUDIT_SEARCH      /* worst-case lists, random by exponent, hill climbing on the error */
};

/* One way to compute a function. */
struct audit_form {
    const char *name; /* "full", "half", "native", "max-error 4" */
    uint32_t op;      /* OP_NUMBER of the instruction */
    int is_decorated;
    float max_error; /* of the decoration */
    int is_refused;  /* the driver did not compile it; log says why */
    const char *log;
};
/* One function on one type, all its forms in one pass. */
struct audit_row {
    enum func_id func;
    enum fmt_id fmt;
    enum audit_depth depth;
    uint64_t n_inputs, n_done; /* n_done < n_inputs: not finished */
    uint64_t n_skipped;        /* of n_done: in blocks that the driver failed twice */
    uint64_t listed; /* hash of the known hard inputs that a search tries first; 0: none */
    uint32_t n_forms;
    struct audit_form form[SWEEP_MAX_FORMS];
    struct sweep_form bound[SWEEP_MAX_FORMS]; /* what each must keep */
    struct sweep_result result[SWEEP_MAX_FORMS];
    double seconds, device_seconds, judge_seconds;
    const char *evaluator; /* of the reference */
    const char *problem;   /* crash, hang, ...; "" */
};
struct audit {
    const char *target, *facts, *started, *mpfr_version, *tool_version;
    uint32_t n_rows;
    struct audit_row *rows;
    int was_stopped; /* by a signal, before all rows were done */
};

/* How far f32 functions of one argument are swept; of f16 every input is tried. */
enum audit_reach {
    AUDIT_REACH_CERTIFIED, /* every input where a certified evaluator judges, else a search */
    AUDIT_REACH_SAMPLES,   /* a search */
    AUDIT_REACH_ALL        /* every input, by MPFR alone if need be: days */
};
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
    const char *folder; /* progress and results; resumed where it exists */
    const char *worst;  /* folder of known hard inputs; NULL: none */
    unsigned n_judges;  /* processes; 0: one per core */
};
/* Run it on a target: rows appear in *out as they are done; progress on stderr. RES_USAGE for
 * unknown functions; what the driver does wrong is data of its row. */
MUST_USE enum res audit_run(const struct target *t, const struct audit_request *r, struct arena *a,
                            struct audit *out, struct err *e);
