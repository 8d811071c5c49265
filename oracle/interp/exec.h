/* oracle/interp/exec.h -- the state of a run of the interpreter. The interpreter executes control flow, integers
 * and addresses of a decoded module exactly, one invocation at a time. Hooks of the caller (judge, sim) define the
 * results of loads, stores, atomics and float arithmetic, which may be sets of permitted values. */
#pragma once

#include "base/testcase.h"
#include "oracle/interp/module.h"
#include "oracle/num/set.h"
#include "oracle/tables/tables.h"

/* A pointer value: space, object, byte offset, packed in one register. */
enum space {
    SPACE_NONE,
    SPACE_BUFFER,
    SPACE_WORKGROUP,
    SPACE_FUNCTION,
    SPACE_BUILTIN,
    SPACE_ADDRESS, /* of a buffer, where the device finds that: object as of SPACE_BUFFER */
    SPACE_TABLE    /* a variable of the module that is constant: object is its id */
};
struct location {
    enum space space;
    uint32_t object; /* buffer index, work-group object, function object, or SpvBuiltIn */
    uint32_t offset; /* bytes; of SPACE_FUNCTION and SPACE_TABLE scalars */
};
static inline bool location_is_same(struct location a, struct location b)
{
    return a.space == b.space && a.object == b.object && a.offset == b.offset;
}
uint64_t location_pack(struct location p);
struct location location_unpack(uint64_t bits);

/* What the oracle calls a value outside of what is permitted. A greater grade is a milder one, so that of
 * several that apply the greatest counts. */
enum grade {
    GRADE_VIOLATION,  /* a clause forbids it */
    GRADE_DIVERGENCE, /* no clause forbids it, but it is not the natural reading */
    GRADE_UNDEFINED   /* any value may come */
};
enum {
    VALUE_INTEGER = 4
};
/* What is permitted, by its form. */
enum abstract_kind {
    ABSTRACT_ANYTHING,
    ABSTRACT_ONE,    /* `bits` alone */
    ABSTRACT_SET,    /* a float: a member of the set */
    ABSTRACT_MASK,   /* an integer whose bits lie between two masks */
    ABSTRACT_CHOICE, /* an integer of 32 bits: one of a few */
    ABSTRACT_DEVICE, /* one value that the device alone can tell: it is taken as it is */
    ABSTRACT_SUM     /* a float sum or product over a group: its set is found when it is needed */
};
struct accuracy_int;   /* oracle/math/accuracy_int.h */
struct reduction_case; /* oracle/judge_groups/judge_sums.h */
struct added;          /* of the policy of a judgement */
struct abstract {
    enum abstract_kind kind;
    union {
        struct {
            bool is_uncertain; /* because a budget ran out */
        } anything;
        const struct set *set;
        struct {
            uint64_t must, may; /* bits that are set, and that may be */
        } mask;
        const struct accuracy_int *choices;
    };
    uint64_t bits;      /* of ABSTRACT_ONE, or what was observed */
    bool is_observed;   /* `bits` is the value from now on; what was permitted is kept */
    uint8_t grade;      /* of a value outside of what is permitted */
    uint8_t grade_zero; /* of a zero whose other sign is permitted */
    uint8_t freedom;    /* enum expression_freedom: what else may explain a value outside */
    uint8_t clause;     /* enum clause_id of what is permitted */
    uint8_t clause_out; /* of the grade, when that is no violation */
    uint8_t component;  /* of the result of `code` */
    uint8_t number;     /* what it is: 1 + enum fmt_id, or VALUE_INTEGER of 32 bits */
    uint8_t unconfined; /* enum unconfined_kind: why nothing confines it, where that is known */
    bool is_loose;      /* the set depends on a loose bound, or on none */
    uint32_t code;      /* 1 + index of the mathematical instruction it is of; 0: of none */
    uint32_t event;     /* 1 + index of the atomic event whose original it is, or 0 */
    const struct set *outer; /* where grade is a divergence: what any reading permits; NULL: all */
    struct reduction_case *reduction; /* of any float sum or product over a group; else NULL */
    const struct added *added; /* what the policy of the judgement has added; NULL: nothing */
};
/* Is a single value permitted? Then it is `bits`. */
static inline bool abstract_is_one(const struct abstract *b)
{
    return b->kind == ABSTRACT_ONE || (b->kind == ABSTRACT_MASK && b->mask.must == b->mask.may);
}
/* The set that is permitted; NULL: it is given in another form, or is anything. */
static inline const struct set *abstract_get_set(const struct abstract *b)
{
    return b->kind == ABSTRACT_SET ? b->set : NULL;
}

enum inv_state {
    INV_READY,
    INV_BARRIER,
    INV_GROUP, /* at a group instruction, which is not yet done: pc is on it */
    INV_MERGE, /* at a merge block: pc is on its label's first instruction */
    INV_DONE
};
/* A construct that an invocation is in, or a call. */
struct construct {
    uint32_t merge;     /* label it ends at; 0: a call */
    uint32_t pc;        /* of its header's merge instruction, or of the call */
    uint32_t iteration; /* of a loop, from 1; 0: a selection or a call */
    uint32_t path;      /* when it was entered */
    uint32_t context;   /* outside */
};
/* Kinds of memory that a barrier may order. */
enum exec_phase {
    PHASE_BUFFER,
    PHASE_WORKGROUP,
    PHASE_IMAGE
};
enum {
    PHASE_N = 3
};
struct invocation {
    struct val *regs;
    struct val *func; /* memory of Function variables, one scalar each */
    uint32_t pc, label;
    enum inv_state state;
    uint32_t depth;
    struct {
        uint32_t pc, result, label;
    } call[MOD_MAX_CALL_DEPTH];
    uint32_t global_index, local_index, group_index; /* linear */
    uint32_t global_id[3], local_id[3], group_id[3]; /* in all of the case */
    uint32_t dispatch;                               /* of those of the case, which runs it */
    uint32_t path, context;                          /* tangle.h; 0 at the entry point */
    uint32_t subgroup; /* number of its sub-group, when known; else EXEC_NO_SUBGROUP */
    uint32_t n_constructs, n_blocks; /* blocks entered so far */
    struct construct construct[MOD_MAX_CONSTRUCTS];
    uint32_t phase[PHASE_N];           /* barriers passed that order these */
    uint32_t iteration[MOD_MAX_LOOPS]; /* of each loop that it was in, from 0 (loops.h) */
    uint64_t n_steps;
};

struct exec;
struct expression; /* oracle/value/expression.h */
struct exec_hooks {
    /* Read or write one scalar at p, of that type, which need not be the instruction's. 0: x->stop says why. */
    int (*load)(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                struct location p, uint32_t type, struct val *out);
    int (*store)(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                 struct location p, uint32_t type, struct val v);
    /* The scalars of a whole struct are stored next, or of a vector with room for one more: it takes n_bytes from p on, and
     * what lies between them may become anything. NULL: nobody asks. */
    void (*pad)(struct exec *x, struct location p, uint32_t n_bytes);
    /* A load or store of *n_slots scalars of an array or struct of the function at *p, which the hook may move within it;
     * of a store it may make them fewer. false: it is not done. NULL: nobody asks. */
    bool (*own)(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                uint32_t *n_slots, struct location *p);
    /* An atomic instruction; its result, if any, goes to its register. One on a vector may be done in parts:
     * the hook then sets inv->pc back to it, and is called again. */
    int (*atomic)(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                  struct location p);
    /* A float instruction, conversion, comparison or float select, all components. */
    int (*arith)(struct exec *x, struct invocation *inv, const struct mod_inst *in);
    /* Component c of a built-in variable that tells of sub-groups. */
    int (*builtin)(struct exec *x, struct invocation *inv, uint32_t builtin, uint32_t c,
                   struct val *out);
    /* Which way a branch goes whose condition is not known: *bits, or 0 and x->stop. NULL: none may
     * depend on such a value. */
    int (*choose)(struct exec *x, struct invocation *inv, uint64_t *bits);
    /* The invocation cannot go on, as x->stop says, because a branch or an address depends on a value that is not known. 1: it ends
     * here, and the others go on. NULL, 0: the run has stopped. */
    int (*lose)(struct exec *x, struct invocation *inv);
    /* Where a conditional branch or a switch goes that is to go to `label`, one of its labels. NULL: there. */
    uint32_t (*way)(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                    uint32_t label);
    /* A phi, load or call has its result, as it is propagated; its decoration may permit others. NULL: none
     * is looked at. 0: x->stop. */
    int (*propagate)(struct exec *x, struct invocation *inv, const struct mod_inst *in);
    /* An instruction of PART_NUMBER has its result. NULL: nobody asks. */
    void (*number)(struct exec *x, struct invocation *inv, const struct mod_inst *in);
    /* The invocation has entered the block inv->label by a branch from that of label `from`, with its phis. NULL: nobody
     * asks. */
    void (*enter)(struct exec *x, struct invocation *inv, uint32_t from);
};

/* Paths and contexts by number: a pair of numbers that led there. Entry 0 is the start. */
struct path_step {
    uint32_t from, by[2], next;
};

enum {
    EXEC_MAX_STEPS = 1 << 22
};
#define EXEC_NO_SUBGROUP UINT32_MAX

struct exec {
    const struct module *m;
    const struct testcase *tc;
    const struct exec_hooks *hooks;
    void *user;
    void *extra; /* of who runs an invocation aside (oracle/interp/exec_extra.h) */
    struct arena *a;
    uint32_t n_groups, n_items;
    struct dispatch dispatches[CASE_MAX_DISPATCHES];
    uint32_t n_dispatches;
    bool
        leaves_remainders; /* OpSRem and OpSMod of a negative operand give any value: Vulkan without maintenance8 */
    bool ignores_base;     /* WorkgroupId and GlobalOffset do not tell of the base of a dispatch */
    struct abstract *pool; /* entry 0 unused; MOD_UNDEFINED: anything, never observed */
    uint32_t n_pool, cap_pool;
    struct expression *expressions; /* entry 0 unused */
    uint32_t n_expressions, cap_expressions;
    struct path_step *paths;
    uint32_t n_paths, cap_paths;
    uint32_t *path_buckets; /* NULL in a module without group instructions: no paths are kept */
    uint64_t n_steps;
    uint32_t end_label; /* an invocation that comes to it, and has its phis, ends there; 0: none */
    bool
        is_strict; /* oracle/vouch/vouch.h: what devices may read in another way is refused or unknown */
    const char *stop;              /* why the run cannot go on; NULL while it can */
    bool is_stop_unknown;          /* exec_stop_unknown */
    enum undefined_kind undefined; /* why the whole program has no defined behaviour */
};

/* RES_NOMEM when the arena is full. `x` is ready for exec_start. */
MUST_USE enum res exec_init(struct exec *x, const struct module *m, const struct testcase *tc,
                            const struct exec_hooks *hooks, void *user, struct arena *a,
                            struct err *e);
/* The run cannot go on: the first reason is kept. Always 0. */
static inline int exec_stop(struct exec *x, const char *why)
{
    if (!x->stop) {
        x->stop = why;
    }
    return 0;
}
/* exec_stop, for a reason of this invocation alone: it depends on a value that is not known. Always 0. */
static inline int exec_stop_unknown(struct exec *x, const char *why)
{
    x->is_stop_unknown |= !x->stop;
    return exec_stop(x, why);
}
/* Work-groups are numbered one dispatch after the other, in each the first dimension fastest. Position of one in all of the
 * case, and its size, which is smaller at an uneven edge; the dispatch that runs it. */
uint32_t exec_find_dispatch(const struct exec *x, uint32_t group);
void exec_group_position(const struct exec *x, uint32_t group, uint32_t id[3], uint32_t size[3]);
/* Number of invocations of a group, which is smaller at the edge of a non-uniform dispatch. */
uint32_t exec_group_items(const struct exec *x, uint32_t group);
/* Set up the invocations of a group (exec_group_items of them) at the entry point. inv[i].regs and
 * .func point to storage the caller owns: m->n_regs and m->n_func_objects each. */
void exec_start_group(struct exec *x, uint32_t group, struct invocation *inv);
/* The same for one that the group does not have: it is in the first row, one position after the last there. Its index is
 * of nobody. */
void exec_start_after_last(struct exec *x, uint32_t group, struct invocation *inv);
/* The same for one at this position of a whole work-group, where the group is smaller. */
void exec_start_absent(struct exec *x, uint32_t group, const uint32_t local_id[3],
                       struct invocation *inv);

/* The first values of the module's own variables of class Private, in an invocation that starts. */
void exec_put_private(const struct exec *x, const struct invocation *inv);

/* Register of an id, first scalar. */
static inline struct val *exec_reg(const struct exec *x, const struct invocation *inv, uint32_t id)
{
    uint32_t const slot = x->m->ids[id].slot;
    return slot < x->m->n_consts ? &x->m->consts[slot] : &inv->regs[slot - x->m->n_consts];
}
/* What is permitted of v; NULL when v is known by itself. */
static inline const struct abstract *exec_get_abstract(const struct exec *x, struct val v)
{
    return v.abs ? &x->pool[v.abs] : NULL;
}
/* The same; NULL also when v was observed. */
static inline const struct abstract *exec_get_unobserved(const struct exec *x, struct val v)
{
    return v.abs && !x->pool[v.abs].is_observed ? &x->pool[v.abs] : NULL;
}
/* The value if it is known or observed by now: 1 and its bits, else 0. A single permitted value whose
 * absence would be a violation counts as known. */
static inline int exec_known(const struct exec *x, struct val v, uint64_t *bits)
{
    if (v.abs == 0) {
        *bits = v.bits;
        return 1;
    }
    const struct abstract *b = &x->pool[v.abs];
    *bits = b->bits;
    return b->is_observed || (abstract_is_one(b) && b->grade == GRADE_VIOLATION && b->freedom == 0);
}
/* The program has no defined behaviour from here on, so that nothing of it can be judged. Always 0. */
static inline int exec_stop_undefined(struct exec *x, enum undefined_kind why)
{
    x->undefined = x->undefined ? x->undefined : why;
    return exec_stop(x, undefined_texts[why]);
}
/* To be called when an instruction that hands a value on has put its result into its register: a phi, load, call,
 * parameter, or one of PART_INTEGER. */
static inline int exec_propagate(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    bool const is_decorated = x->hooks->propagate && (x->m->ids[in->result].flags & ID_MAX_ERROR);
    return !is_decorated || x->hooks->propagate(x, inv, in);
}
/* All entries of the pool that exec_new_abstract gave go. */
static inline void exec_empty_pool(struct exec *x)
{
    x->n_pool = MOD_UNDEFINED + 1;
}
/* A new entry of the pool; anything, undefined. abs 0 and x->stop when the arena is full. */
struct val exec_new_abstract(struct exec *x);
int exec_is_float_type(const struct exec *x, uint32_t type);
/* Is `id` a value of exactly this type, in registers? A broken module may have it otherwise. */
static inline int exec_has_type(const struct exec *x, uint32_t id, uint32_t type)
{
    return id < x->m->n_ids && x->m->ids[id].n_slots > 0 && x->m->ids[id].type == type;
}
