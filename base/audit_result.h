/* base/audit_result.h -- what an audit found, as plain structs: rows of functions, their forms and errors. */
#pragma once

#include "base/base.h"
#include "base/format.h"
#include "base/func_row.h"
#include "base/testcase.h"

enum {
    SWEEP_MAX_FORMS = 16,
    SWEEP_ARGS = 3,     /* of one input, an integer argument among them */
    SWEEP_BINS = 64,    /* of the histogram of |error|: see sweep_bin_edge */
    SWEEP_WORST = 8,    /* worst inputs kept of each form and side */
    SWEEP_PLOT = 512,   /* points of error against input */
    SWEEP_BINADES = 256 /* of the arguments of one sign, by their exponents: at most of f32 */
};

struct sweep_worst {
    double error;                  /* ulps, signed */
    uint64_t arg[SWEEP_ARGS], got; /* encodings; an integer as 32 bits */
};

/* A sum that does not depend on the order of its parts, each rounded to a whole number of 2^-64: that number, in
 * digits of 32 bits, the lowest first. */
enum {
    SWEEP_DIGITS = 36 /* up to 2^1088, more than a double */
};
struct sweep_sum {
    uint32_t digit[SWEEP_DIGITS];
};

/* What was found of one form, over all blocks so far. Plain data: may be added and written out. */
struct sweep_result {
    uint64_t n;           /* inputs */
    uint64_t n_numbers;   /* of these, results judged as numbers: the rest were special */
    uint64_t n_rounded;   /* of these, correctly rounded (RNE) */
    uint64_t n_broken;    /* outside the bound */
    uint64_t n_special;   /* special values that are wrong: NaN, infinity, overflow */
    uint64_t n_zero_sign; /* zeros of the wrong sign */
    uint64_t n_flushed;   /* results that are zero where the exact one is subnormal */
    uint64_t n_breaks;    /* of monotonicity, between neighbouring inputs of a monotone piece */
    uint64_t n_slow;      /* decided by MPFR, not by the filter */
    uint64_t n_undecided;
    double sum_error; /* of |error|, in ulps: about `sum`, and after sweep_merge its value */
    struct sweep_sum sum;
    uint64_t histogram[SWEEP_BINS];
    struct sweep_worst above, below; /* largest errors */
    struct sweep_worst broken[SWEEP_WORST];
    uint64_t special_arg[SWEEP_WORST][SWEEP_ARGS], special_got[SWEEP_WORST];
    uint64_t zero_arg[SWEEP_WORST][SWEEP_ARGS], zero_got[SWEEP_WORST];
    struct sweep_worst plot[SWEEP_PLOT]; /* largest |error| per slice of the input range */
    uint64_t break_x; /* of the lowest pair of neighbours that is a break; only with n_breaks > 0 */
    /* Of odd and even functions, a sum over all results of each binade, of arguments without and with a sign: both sums are
     * equal where the function is symmetric. */
    uint64_t half[2][SWEEP_BINADES];
    uint64_t n_asymmetric; /* binades whose sums differ, once all arguments have been tried */
    uint64_t
        asymmetric_x; /* an argument without a sign of the first of them: the lowest where f(-x) is neither f(x) nor
                            * -f(x), as the function has it, or the first of the binade where that was not looked for */
};

/* The bin of an error is the upper bits of its encoding as a double, four bins to an octave, those
 * below 2^-5 in bin 0. Edges are lowered by 2^-22 of themselves, so that an error next to a whole number
 * is where that number is. */
#define SWEEP_BIN_SHIFT 50
#define SWEEP_FIRST_BIN ((((uint64_t)(1023 - 5) * 4 - 1) << SWEEP_BIN_SHIFT) - ((uint64_t)1 << 30))
/* Lower edge of bin i of the histogram, in ulps; bin 0 starts at 0, bin 1 at 2^-5, four bins to an
 * octave, the last without an end. An error nearer to an edge than the slack may be in the other bin,
 * those next to whole numbers are with them. */
double sweep_bin_edge(uint32_t i);
/* Add |error| so many times, at most 2^32. */
void sweep_add_error(struct sweep_result *r, double magnitude_ulp, uint64_t times);
/* The same, of what was summed elsewhere. */
void sweep_add_sum(struct sweep_result *r, const struct sweep_sum *sum, uint64_t times);
double sweep_get_sum(const struct sweep_sum *sum);
/* What was added since the sum was `before`. */
struct sweep_sum sweep_get_added(const struct sweep_result *r, const struct sweep_sum *before);

enum audit_depth {
    AUDIT_EXHAUSTIVE, /* every input: one argument of 16 or 32 bits */
    AUDIT_SEARCH      /* worst-case lists, random by exponent, hill climbing on the error */
};
/* How the operations of a GPU's hardware behave that are left in a function of a math library. */
enum audit_hardware {
    HARDWARE_NONE, /* there are none, or the target is a driver: what was measured is the target's own */
    HARDWARE_ROUNDED, /* each is correctly rounded */
    HARDWARE_LOW,     /* each errs within its bound: always downwards, */
    HARDWARE_HIGH,    /* always upwards, */
    HARDWARE_RANDOM   /* or by pseudo-random errors */
};
enum {
    AUDIT_HARDWARE_N = 5
};
extern const char
    *const audit_hardware_names[AUDIT_HARDWARE_N]; /* "", "rounded", "low", "high", "random" */
/* One way to compute a function. */
struct audit_form {
    const char *name; /* "full", "half", "native", "max-error 4" */
    uint32_t op;      /* OP_NUMBER of the instruction */
    int is_decorated;
    float max_error;   /* of the decoration */
    int is_refused;    /* the driver did not compile it; log says why */
    int is_unloadable; /* refused, because what it compiled to calls what is nowhere */
    const char *log;
    /* These are set for a math library, and are otherwise HARDWARE_NONE, NULL and 0. */
    enum audit_hardware hardware; /* how the hardware behaves in this form */
    const char *operations; /* hardware instructions of the function, between commas; "none" */
    int has_documented;
    double documented; /* the vendor's bound, in ulps */
    const char *
        vulkan; /* Vulkan's bound of the function, in words; "": Vulkan has no instruction for it */
    /* Of HARDWARE_ROUNDED, by audit_find_erring: the largest error of the function in all forms of its instruction, and the
     * hardware of that form. */
    struct sweep_worst erring_worst;
    enum audit_hardware erring_hardware;
};
/* What a form must keep. */
struct audit_bound {
    int has_bound;           /* 0: implementation-defined, only the error is recorded */
    struct func_bound bound; /* with a rule: what holds for all arguments */
    const char *rule;        /* what else is permitted, in words, or ""; NULL: nothing */
    double scale;            /* of the rule's bounds in ulps: 2^29 where f64 is held to f32's */
};
/* What the result that a form is judged by is: of the wrong ones the worst, else the largest error. */
enum audit_case_kind {
    AUDIT_CASE_NONE, /* no results */
    AUDIT_CASE_LARGEST, /* nothing is wrong: the largest error by its bound, or of all where there is none */
    AUDIT_CASE_BOUND,   /* outside the bound, by the largest factor */
    AUDIT_CASE_SPECIAL, /* a wrong special value */
    AUDIT_CASE_ZERO     /* a zero of the wrong sign */
};
enum {
    AUDIT_CASE_N = 5
};
/* One input, what came of it and what should have. */
struct audit_case {
    enum audit_case_kind kind;
    struct sweep_worst worst; /* error 0 of a special value and a zero */
    double bound_ulp; /* at these arguments, in ulps of the exact value; 0: none, or not in ulps */
    double ratio;     /* |error| / bound; 0: no such number */
    double
        outside; /* largest |error| where no bound applies, although one applies elsewhere; 0: none */
    const char *
        exact; /* in decimal, correctly rounded to the digits shown; "NaN"; NULL or "": not known */
};
/* One function on one type, all its forms in one pass. */
struct audit_row {
    enum func_id func;
    enum fmt_id fmt;
    enum audit_depth depth;
    uint64_t first;            /* input; of a shard's part of an exhaustive row, else 0 */
    uint64_t n_inputs, n_done; /* n_done < n_inputs: not finished */
    uint64_t n_skipped;        /* of n_done: in blocks that the driver failed twice */
    uint64_t listed; /* hash of the known hard inputs that a search tries first; 0: none */
    uint32_t n_forms;
    struct audit_form form[SWEEP_MAX_FORMS];
    struct audit_bound bound[SWEEP_MAX_FORMS];
    struct sweep_result result[SWEEP_MAX_FORMS];
    struct audit_case found[SWEEP_MAX_FORMS];
    double seconds, device_seconds, judge_seconds;
    const char *evaluator; /* of the reference */
    const char *problem;   /* crash, hang, ...; "" */
};
struct audit {
    const char *target, *facts, *started, *mpfr, *tool_version;
    enum env env;
    uint64_t listed; /* hash of all known hard inputs */
    uint32_t n_rows;
    struct audit_row *rows;
    int was_stopped; /* by a signal, before all rows were done */
    int was_spent;   /* the time that it was given was over before all rows were done */
};
/* The larger of the two largest errors of a form. */
const struct sweep_worst *audit_get_largest(const struct sweep_result *r);
/* Set `erring_worst` and `erring_hardware` of all forms. */
void audit_find_erring(struct audit *x);
