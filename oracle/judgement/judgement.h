/* oracle/judgement/judgement.h -- the judgement of one case: the verdict, its findings with their clause, the
 * coverage; and the signature of a finding, by which findings of one bug are recognised. Plain data, with strings in
 * an arena; nothing here judges. */
#pragma once

#include "base/expect.h"
#include "base/format.h"
#include "base/ops.h"
#include "base/testcase.h"
#include "oracle/tables/storage.h"
#include "oracle/tables/tables.h"

/* One finding: a violation or a divergence. Strings are in the arena. */
struct finding {
    enum verdict_kind kind;
    enum clause_id clause;
    int op; /* op_rows index, or -1 */
    enum val_type type;
    enum storage storage;
    uint32_t offset; /* word offset of the instruction in the module, 0 if none */
    int op2; /* a second instruction that may be to blame, as the other end of a broken step; or -1 */
    uint32_t offset2;
    int contended;
    uint32_t invocation; /* global linear index */
    uint32_t n_operands;
    uint64_t operand[3];           /* encodings, */
    enum val_type operand_type[3]; /* each of this type; VT_NONE: of `type` */
    int has_got;
    uint64_t got;
    enum val_type got_type;      /* VT_NONE: `type`; VT_BOOL of a comparison of floats */
    const char *permitted;       /* set_to_text, or "" */
    const struct expect *expect; /* where the value lies and what is permitted there; NULL: no one
                                  * word of a buffer tells */
    const struct expect *also;   /* [n_also] additional words that the same cause has made wrong */
    uint32_t n_also;
    const struct expect_order *order; /* the operations that no order explains, where each is an
                                       * integer's or a copy and has left what it found; else NULL */
    const struct expect_ids *ids;     /* of a work-group whose sub-groups cannot be so; else NULL */
    const char *participants; /* of a group instruction: " 0:0x3f800000 1:0x40000000", operands by
                               * id, components with commas between; "" or NULL: none */
    enum val_type participants_type;
    const char *operand_class; /* "qnan,normal": classes of the operands, for signatures */
    const char *circumstances; /* " scope:device partial max-error:0.5 high", or "" or NULL: for
                                * signatures too; each with a space before it */
    const char *known; /* the known bug of the driver that gives this: "FMA_UNFUSED:fma:f32"; "" or
                                  * NULL: none */
    uint32_t block;    /* of a word that was not stored: label of the block of the store; else 0 */
    unsigned excused;  /* of a refusal: what a clause permits to refuse, bits of enum cause_about */
    const char *text;  /* one sentence */
};

/* Makes a copy with all its strings in `a`. false: the arena is full. */
bool finding_copy(const struct finding *f, struct arena *a, struct finding *out);

/* A row of the coverage table: counts of judged values by instruction, type and storage. */
struct coverage {
    uint16_t op; /* row of ops.def */
    uint8_t type, storage;
    uint32_t n, n_sharp, n_anything, n_bounded, n_divergent;
};

enum {
    JUDGE_MAX_FINDINGS = 16,
    JUDGE_MAX_COVERAGE = 192
};
struct judgement {
    enum verdict_kind kind; /* the worst of all findings, else BOUNDED, INCONCLUSIVE, OK */
    uint32_t n_findings;    /* kept; more were counted in n_found */
    uint32_t n_found;
    struct finding findings[JUDGE_MAX_FINDINGS];
    uint32_t n_judged;                   /* values compared with a permitted set */
    uint32_t n_sharp;                    /* of these, sets of at most 4 encodings */
    uint32_t n_anything;                 /* of these, sets that permit anything */
    uint32_t n_unconfined[UNCONFINED_N]; /* these by reason */
    uint32_t n_told;        /* not among n_judged: values of no group instruction that the device
                             * alone can tell, such as its ids */
    uint32_t n_tight;       /* of all, those that no loose bound (over 1.5 ulps, absolute,
                                         * of a formula, none) stands behind */
    uint32_t n_tight_sharp; /* of these, sets of at most 4 encodings */
    uint32_t n_inconclusive, n_bounded; /* locations and values */
    uint32_t n_contended;               /* contended cells */
    uint32_t n_ordered;                 /* of these, cells whose full order was found */
    uint32_t n_reductions;              /* float sums and products over groups that were judged */
    uint32_t n_reductions_bounded;      /* of these, by their proven bound alone */
    uint32_t n_partial;                 /* group instructions judged under a partial mask */
    uint32_t
        n_interleaved; /* of these, orders that switch groups more often than there are groups */
    uint32_t n_coverage;
    struct coverage coverage[JUDGE_MAX_COVERAGE];
    uint64_t cross_hash[OP_N];     /* per instruction: hash of all judged private values of any
                                * type; 0 where none. Differs between targets = a cross-target row */
    enum undefined_kind undefined; /* not none: nothing of the program can be judged */
    const char *note;              /* why inconclusive, or "" */
};

/* How many of the judged values are confined: by a rule that does not permit anything. */
enum confinement {
    CONFINED_MOST, /* at least half; also where no value was to be judged */
    CONFINED_FEW,  /* less than half */
    CONFINED_NONE  /* no value, of a program that stores some */
};
enum confinement judgement_get_confinement(const struct judgement *g);
/* "0 of 8 values confined: REASON", the most frequent reason; "" of CONFINED_MOST. */
const char *judgement_describe_confinement(const struct judgement *g, struct arena *a);
/* The verdict in words: its name, and after a colon what limits it, if anything does: the note of an inconclusive
 * judgement, or how few values are confined. */
const char *judgement_describe(const struct judgement *g, struct arena *a);
/* Is something undecided, so that a judgement without a violation does not say that all is well? A value was not
 * decided, or no value is confined. */
bool judgement_is_open(const struct judgement *g);

/*
 * What a finding is without its target, in words that are stable between versions:
 *   "ulp FADD_CR AtomicFAddEXT f32 workgroup contended normal,subnormal scope:device high"
 *   "crash MUST_RUN build 11 pass 'vplan-vec' libfoo.so+_ZN3fooEv;libbar.so:1f2e3d4c5b6a7988+0x12a0"
 *   "reject MUST_ACCEPT build -11 symbol missing: atomic_add half global"
 * Journals, reports and lists of expected findings hold the text; whoever compares findings compares
 * cores, and never takes a text apart. All strings live in the arena, `text` in what was parsed.
 */
struct signature {
    const char *text; /* all of it: the core, then the circumstances */
    const char
        *core; /* which bug it is: kind, clause, instruction, type and storage; of a run that did
                         * not end well kind, clause, phase, the driver's code and what it said (oracle/cause):
                         * of a crash the pass, the reason and the first frames, of a refusal its cause */
    const char
        *family;    /* the core without width, storage and place: "ulp MATH_ULP exp"; of an atomic
                         * "value AtomicFAddEXT", "nan-rule AtomicFMinEXT", however it was seen */
    bool is_of_run; /* the run did not end well: there are no words of a value, all below is "" */
    const char *op, *type, *storage;
    const char *circumstances; /* " contended normal,subnormal scope:device high", or "" */
    const char *other_op;      /* a second instruction that may be to blame in place of op, or "" */
    const char
        *known; /* the known bug that gives it (struct finding), or "": its bucket by itself */
};
/* The text before a known bug's name in a signature. */
extern const char known_mark[];
/* The signature of a finding. `ob`: what the driver did, for a run that did not end well. */
struct signature signature_of(const struct finding *f, const struct observation *ob,
                              struct arena *a);
/*
 * Is `core` that of the bug that `known` names: the same core, or one of a run that died, where `known` has the phase
 * `start`? For lists, states, histories, journals and bundles of earlier versions have that phase of each such run.
 */
bool core_is_of(const char *core, const char *known);
/* Is the finding of the bug with that core? */
bool finding_has_core(const struct finding *f, const struct observation *ob, const char *core,
                      struct arena *a);
/* What a signature calls the classes of operands: "normal,subnormal" in its circumstances. */
extern const char *const operand_class_names[FP_CLASS_N];
/* Which classes of operands the text of a signature names, bits of enum fp_class; 0: none. */
unsigned signature_get_classes(const char *text, struct arena *a);
/* Parses the text of a signature. A text with too few words has a short core. */
struct signature signature_parse(const char *text, struct arena *a);
/* Is `text` a signature that a pattern stands for: the same, or one of that core; of a pattern that ends in
 * "*", one that begins like it? */
bool signature_fits(const char *text, const char *pattern);
