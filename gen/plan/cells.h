/* gen/plan/cells.h -- plans the groups of atomic locations of a case, by the tape: type, memory, scope, who shares
 * them, and a policy by which what comes of them can be judged sharply. At most GRAMMAR_MAX_CELLS groups. */
#pragma once

#include "gen/inputs/inputs.h"
#include "gen/tape/tape.h"

struct build;

enum cell_place {
    PLACE_GLOBAL,
    PLACE_WORKGROUP,
    PLACE_IMAGE,
    PLACE_TEXEL,
    PLACE_PHYSICAL
};

/* Which cell an invocation goes to. */
enum cell_index {
    INDEX_OWN,   /* that of its global (or local) index: private */
    INDEX_FIXED, /* a constant */
    INDEX_MOD,   /* its index modulo the number of cells */
    INDEX_GROUP, /* that of its work-group: nobody else's */
    INDEX_DATA   /* loaded data modulo the number of cells */
};

/* What happens at a contended cell: chosen so that the outcome can be judged sharply. */
enum cell_policy {
    POLICY_USED,        /* any mix, every result is used and probed */
    POLICY_EXACT_ADDS,  /* unused adds whose sum is exact in any order */
    POLICY_MINMAX,      /* unused min, or unused max */
    POLICY_UNUSED_HEAD, /* as USED, but stores and exchanges may be unused */
    POLICY_RANDOM_ADDS  /* unused adds of anything: only a bound can be checked */
};

enum op_mask {
    MASK_LS = 1,
    MASK_ADD = 2,
    MASK_MINMAX = 4
};

struct cells {
    enum ir_type type;
    enum cell_place place;
    enum cell_index index;
    enum cell_policy policy;
    bool contended, generic, bits_form, is_max;
    bool by_integer;       /* PLACE_PHYSICAL: the address is loaded as an integer */
    bool distinct;         /* EXACT_ADDS of distinct powers of two */
    uint32_t n_components; /* of a cell: 0, or 2 or 4 for a vector of f16 */
    struct buf image;      /* in which they are texels, without data; else of kind BUF_STORAGE */
    uint32_t first;        /* texel that is cell 0 */
    uint32_t n_cells, var, scope;
    unsigned ops;         /* enum op_mask */
    uint32_t ops_left;    /* EXACT_ADDS, not distinct: dynamic operations that still fit */
    uint32_t max_sites;   /* EXACT_ADDS, distinct: instructions that fit */
    uint32_t n_sites;     /* instructions so far */
    uint32_t n_ops;       /* the same, times invocations and iterations */
    struct input operand; /* EXACT_ADDS */
    struct input initial;
};

/* May the case have cells at all? */
bool cells_may_be(const struct build *b);
/* The cells of a case, their variables among those of the program. */
void cells_plan(struct build *b, struct tape *t);
