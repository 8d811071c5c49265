/* oracle/exec.h -- the interpreter's engine: control flow, integers and addresses, exactly; what a
 * load, a store, an atomic or float arithmetic means is up to the hooks (judge, sim). */
#ifndef HALFULP_ORACLE_EXEC_H
#define HALFULP_ORACLE_EXEC_H

#include "base/testcase.h"
#include "oracle/module.h"
#include "oracle/set.h"
#include "oracle/tables.h"

/* A pointer value: space, object, byte offset, packed in one register. */
enum space {
    SPACE_NONE,
    SPACE_BUFFER,
    SPACE_WORKGROUP,
    SPACE_FUNCTION,
    SPACE_BUILTIN
};
struct place {
    enum space space;
    uint32_t object; /* buffer index, work-group object, function object, or SpvBuiltIn */
    uint32_t offset; /* bytes */
};
uint64_t place_pack(struct place p);
struct place place_unpack(uint64_t bits);

/* A value that is not known exactly: what is permitted, and what a value outside would be. */
enum grade {
    GRADE_VIOLATION,
    GRADE_DIVERGENCE,
    GRADE_UNDEFINED
};
struct abstract {
    uint64_t bits;         /* when bound or single */
    const struct set *set; /* NULL: {bits} if single, else anything */
    uint8_t bound;         /* observed: bits is the value from now on */
    uint8_t single;        /* the permitted set is {bits}, graded */
    uint8_t grade;         /* of a value outside the set */
    uint8_t grade_zero;    /* of a zero whose other sign is in the set */
    uint8_t clause;        /* enum clause_id of the set */
    uint8_t clause_out;    /* of the grade, when not a violation */
    uint32_t event;        /* 1 + index of the atomic event whose original it is, or 0 */
};

enum inv_state {
    INV_READY,
    INV_BARRIER,
    INV_DONE
};
struct invocation {
    struct val *regs;
    struct val *func; /* memory of Function variables, one scalar each */
    uint32_t pc, prev_label, label;
    enum inv_state state;
    uint32_t depth;
    struct {
        uint32_t pc, result, label;
    } call[MOD_MAX_CALL_DEPTH];
    uint32_t global_index, local_index, group_index; /* linear */
    uint32_t global_id[3], local_id[3], group_id[3];
    uint32_t phase[3]; /* barriers passed that order buffers, work-group memory, images */
    uint64_t n_steps;
};

struct exec;
struct exec_hooks {
    /* Read or write one scalar of n_bits at p. 0: x->stop says why. */
    int (*load)(struct exec *x, struct invocation *inv, const struct mod_inst *in, struct place p,
                unsigned n_bits, struct val *out);
    int (*store)(struct exec *x, struct invocation *inv, const struct mod_inst *in, struct place p,
                 unsigned n_bits, struct val v);
    /* An atomic instruction; its result, if any, goes to its register. */
    int (*atomic)(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                  struct place p);
    /* A scalar float instruction, conversion, comparison or float select. */
    int (*arith)(struct exec *x, struct invocation *inv, const struct mod_inst *in);
};

enum {
    EXEC_MAX_STEPS = 1 << 22
};
struct exec {
    const struct module *m;
    const struct testcase *tc;
    const struct exec_hooks *hooks;
    void *user;
    struct arena *a;
    uint32_t n_groups, n_items;
    uint32_t group_count[3];
    struct abstract *pool; /* entry 0 unused */
    uint32_t n_pool, cap_pool;
    uint64_t n_steps;
    const char *stop; /* why the run cannot go on; NULL while it can */
};

/* RES_NOMEM when the arena is full. `x` is ready for exec_start. */
MUST_USE enum res exec_init(struct exec *x, const struct module *m, const struct testcase *tc,
                            const struct exec_hooks *hooks, void *user, struct arena *a,
                            struct err *e);
/* Number of invocations of a group, which is smaller at the edge of a non-uniform dispatch. */
uint32_t exec_group_items(const struct exec *x, uint32_t group);
/* Set up the invocations of a group (exec_group_items of them) at the entry point. inv[i].regs and
 * .func point to storage the caller owns: m->n_regs and m->n_func_objects each. */
void exec_start_group(struct exec *x, uint32_t group, struct invocation *inv);
/* Run until the invocation is done, waits at a barrier, or has executed n_atomics atomics
 * (0: no limit). Returns 0 when x->stop is set. */
int exec_run(struct exec *x, struct invocation *inv, uint32_t n_atomics);

/* Register of an id, first scalar. */
static inline struct val *exec_reg(const struct exec *x, const struct invocation *inv, uint32_t id)
{
    uint32_t const slot = x->m->ids[id].slot;
    return slot < x->m->n_consts ? &x->m->consts[slot] : &inv->regs[slot - x->m->n_consts];
}
/* The value if it is known or bound by now: 1 and its bits, else 0. A single permitted value whose
 * absence would be a violation counts as known. */
static inline int exec_known(const struct exec *x, struct val v, uint64_t *bits)
{
    if (v.abs == 0) {
        *bits = v.bits;
        return 1;
    }
    const struct abstract *b = &x->pool[v.abs];
    *bits = b->bits;
    return b->bound || (b->single && b->grade == GRADE_VIOLATION);
}
/* A new entry of the pool; anything, undefined. abs 0 and x->stop when the arena is full. */
struct val exec_new_abstract(struct exec *x);
int exec_is_float_type(const struct exec *x, uint32_t type);
/* Is `id` a value of exactly this type, in registers? A broken module may have it otherwise. */
static inline int exec_has_type(const struct exec *x, uint32_t id, uint32_t type)
{
    return id < x->m->n_ids && x->m->ids[id].n_slots > 0 && x->m->ids[id].type == type;
}

/* oracle/exec_int.c: an instruction of PART_BINARY. 1 done, 0 x->stop set. */
int exec_binary(struct exec *x, struct invocation *inv, const struct mod_inst *in);
/* An instruction of PART_INTEGER: bits, composites, selects. -1: a select of floats. */
int exec_integer(struct exec *x, struct invocation *inv, const struct mod_inst *in);

#endif
