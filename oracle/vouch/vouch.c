/* oracle/vouch/vouch.c -- a case that somebody else made, run on values that only a device knows. */
#include "oracle/vouch/vouch.h"

#include <inttypes.h>
#include <string.h>

#include "base/printable.h"
#include "oracle/fault/faults.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/exec_memory.h"
#include "oracle/interp/exec_run.h"
#include "oracle/interp/module.h"
#include "oracle/interp/static_facts.h"
#include "oracle/sim/sim.h"
#include "oracle/sim/sim_facts.h"
#include "oracle/vouch/vouch_idle.h"
#include "oracle/vouch/vouch_words.h"

#define VOUCH_ARENA_BYTES ((size_t)192 << 20)
#define VOUCH_STATE_BYTES ((size_t)32 << 20) /* of the states that one invocation may be in */
enum {
    STATE_BUCKETS = 256,
    MAX_CHOICES = 2048,   /* of one path: branches that only the device knows the way of */
    COPIED_PER_STEP = 16, /* registers: what is copied counts as steps */
    MAX_PASSES = 8        /* until nothing more is written than the pass before took for written */
};

/* What an invocation is and knows where it comes to a choice: what follows is the same where this is. */
struct state {
    struct state *next;
    size_t n;
    unsigned char bytes[];
};

/* A choice on the path: where the invocation stood, so that it can go the other way from there. */
struct choice {
    struct invocation inv; /* about to branch */
    struct val *regs, *func;
    uint64_t order;
    const struct state *state;
    bool is_second;
};

struct vouch {
    struct module m;
    struct exec x;
    const struct testcase *tc;
    unsigned char *written[CASE_MAX_BUFS]; /* a bit per byte: some invocation may write it */
    bool has_grown;                        /* in this pass */
    struct choice choice[MAX_CHOICES];     /* of this path */
    uint32_t n_choices;
    bool is_resumed; /* at its last choice, for the second way */
    uint64_t order;  /* hash of the barriers and work-group instructions on this path */
    bool is_known;   /* the path came to where another one was, and ends there */
    struct arena states;
    struct state *seen[STATE_BUCKETS]; /* by all paths of this invocation */
    const unsigned char *idle;         /* vouch_find_idle */
    struct val *initial_regs;          /* registers of an invocation at its start */
};

static const struct val unknown = {.abs = MOD_UNDEFINED};

static void set_unknown(struct val *v, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        v[i] = unknown;
    }
}

static bool is_written(const struct vouch *v, struct location p, unsigned n_bytes)
{
    for (uint32_t i = p.offset; i < p.offset + n_bytes; i++) {
        if (v->written[p.object][i / 8] >> i % 8 & 1) {
            return true;
        }
    }
    return false;
}

static void mark(struct vouch *v, struct location p, unsigned n_bytes)
{
    for (uint32_t i = p.offset; p.space == SPACE_BUFFER && i < p.offset + n_bytes; i++) {
        unsigned char *cell = &v->written[p.object][i / 8];
        unsigned char const bit = (unsigned char)(1u << i % 8);
        v->has_grown |= !(*cell & bit);
        *cell |= bit;
    }
}

/* A float may change on its way: subnormals flushed, NaNs made quiet. */
static int hook_load(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                     struct location p, uint32_t type, struct val *out)
{
    const struct vouch *v = x->user;
    unsigned const n_bits = v->m.ids[type].t.bits;
    (void)inv;
    (void)in;
    *out = unknown;
    if (p.space == SPACE_BUFFER && !exec_is_float_type(x, type) &&
        (v->tc->bufs[p.object].kind == BUF_STORAGE ||
         buf_is_constant(v->tc->bufs[p.object].kind)) &&
        !is_written(v, p, n_bits / 8)) {
        *out = (struct val){.bits = load_le(v->tc->bufs[p.object].data + p.offset, n_bits / 8)};
    }
    return 1;
}

static int hook_store(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                      struct location p, uint32_t type, struct val value)
{
    (void)inv;
    (void)in;
    (void)value;
    mark(x->user, p, x->m->ids[type].t.bits / 8);
    return 1;
}

static void hook_pad(struct exec *x, struct location p, uint32_t n_bytes)
{
    uint32_t const limit = p.space == SPACE_BUFFER ? x->tc->bufs[p.object].n_bytes : 0;
    if (p.offset < limit) {
        mark(x->user, p, n_bytes < limit - p.offset ? n_bytes : limit - p.offset);
    }
}

static int hook_atomic(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                       struct location p)
{
    const struct vouch *v = x->user;
    const struct mod_type *t = &v->m.ids[static_value_type(&v->m, in)].t;
    if (in->op != SpvOpAtomicLoad) {
        mark(x->user, p, t->bits / 8 * t->n);
    }
    if (in->result) {
        set_unknown(exec_reg(x, inv, in->result), v->m.ids[in->result].n_slots);
    }
    return 1;
}

/* Executes float arithmetic or an extended instruction: the result is unknown because only a
 * device knows it, and so is what an extended instruction stores through a pointer. Returns 0 with
 * x->stop set for an instruction that is not interpreted. */
static int hook_arith(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    enum {
        FIRST_EXTENDED = MOD_OPERAND + 2 /* word, after the set and the number in it */
    };
    const struct module *m = x->m;
    int const is_extended = (in->w[0] & SpvOpCodeMask) == SpvOpExtInst;
    for (uint32_t i = FIRST_EXTENDED; is_extended && i < in->n; i++) {
        uint32_t const id = module_get_operand(m, in, i);
        struct val *slots = NULL;
        uint32_t n = 0;
        /* only through a pointer a second result is stored */
        if (m->ids[m->ids[id].type].t.kind != TK_POINTER) {
            continue;
        }
        if (!exec_pointer_slots(x, inv, id, &slots, &n)) {
            return 0;
        }
        set_unknown(slots, n);
    }
    if (in->op == SpvOpUnreachable || in->op == SpvOpPhi || !in->result) {
        return exec_stop(x, "an instruction that is not interpreted");
    }
    set_unknown(exec_reg(x, inv, in->result), m->ids[in->result].n_slots);
    return 1;
}

static int hook_builtin(struct exec *x, struct invocation *inv, uint32_t builtin, uint32_t c,
                        struct val *out)
{
    (void)x;
    (void)inv;
    (void)builtin;
    (void)c;
    *out = unknown;
    return 1;
}

static void put_values(struct bytes *b, const struct exec *x, const struct val *v, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint64_t bits = 0;
        if (exec_known(x, v[i], &bits)) {
            bytes_put_u32(b, i);
            bytes_put_u64(b, bits);
        }
    }
    bytes_put_u32(b, n);
}

/* The state of a path where it parts, as bytes to compare by: the place, the barriers passed, and which
 * values are known. What no longer matters (idle registers) is forgotten first, so that paths that differ in
 * nothing else are seen to meet again. NULL: the arena is full. */
static struct state *make_state(struct vouch *v, const struct invocation *inv)
{
    struct bytes b;
    v->x.n_steps += v->m.n_regs / COPIED_PER_STEP;
    for (uint32_t i = 0; i < v->m.n_regs; i++) {
        inv->regs[i] = v->idle[i] ? unknown : inv->regs[i];
    }
    bytes_init(&b, &v->states);
    bytes_put_u64(&b, v->order);
    bytes_put_u32(&b, inv->pc);
    bytes_put_u32(&b, inv->label);
    for (uint32_t i = 0; i < inv->depth; i++) {
        bytes_put_u32(&b, inv->call[i].pc);
    }
    put_values(&b, &v->x, inv->regs, v->m.n_regs);
    put_values(&b, &v->x, inv->func, v->m.n_func_objects);
    struct state *s = b.ok ? arena_take(&v->states, sizeof *s + b.n) : NULL;
    if (s) {
        s->n = b.n;
        memcpy(s->bytes, b.p, b.n);
    }
    return s;
}

/* The state that is alike, or NULL, and then it is kept. */
static const struct state *find_state(struct vouch *v, struct state *s)
{
    struct state **bucket = &v->seen[hash_bytes(0, s->bytes, s->n) % STATE_BUCKETS];
    for (const struct state *old = *bucket; old; old = old->next) {
        if (old->n == s->n && memcmp(old->bytes, s->bytes, s->n) == 0) {
            return old;
        }
    }
    s->next = *bucket;
    *bucket = s;
    return NULL;
}

static size_t size_of(uint32_t n)
{
    return sizeof(struct val) * n;
}

/* Room for the registers of one more choice, which is used again and again. */
static bool make_room(struct vouch *v, struct choice *c)
{
    c->regs = c->regs ? c->regs : ARENA_NEW(v->x.a, struct val, (size_t)v->m.n_regs + 1);
    c->func = c->func ? c->func : ARENA_NEW(v->x.a, struct val, (size_t)v->m.n_func_objects + 1);
    return c->regs && c->func;
}

/* Chooses the side of a branch on an unknown value, *bits, in a depth-first search of all paths: at a new choice
 * the false side (0), and when next_path returns to it (is_resumed) the true side. A state that this path was in
 * before means a loop that only a device can end, and stops the search. A state that another path was in ends this
 * path, because the rest was searched before. Returns 0 with x->stop set where the search cannot continue. */
static int hook_choose(struct exec *x, struct invocation *inv, uint64_t *bits)
{
    struct vouch *v = x->user;
    *bits = v->is_resumed; /* not taken, or taken */
    if (v->is_resumed) {
        v->is_resumed = false;
        return 1;
    }
    struct choice *c = &v->choice[v->n_choices];
    struct state *s = v->n_choices < MAX_CHOICES && make_room(v, c) ? make_state(v, inv) : NULL;
    if (!s) {
        return exec_stop(x, "too many branches on values that only a device knows");
    }
    const struct state *old = find_state(v, s); /* NULL: s is new, and kept */
    for (uint32_t i = 0; old && i < v->n_choices; i++) {
        if (v->choice[i].state == old) {
            return exec_stop(x, "a loop that may never end");
        }
    }
    if (old) { /* of a path that is not open any more */
        v->is_known = true;
        inv->state = INV_DONE;
        return 1;
    }
    *c = (struct choice){
        .inv = *inv, .regs = c->regs, .func = c->func, .order = v->order, .state = s};
    c->inv.pc--; /* so that the branch is executed again */
    memcpy(c->regs, inv->regs, size_of(v->m.n_regs));
    memcpy(c->func, inv->func, size_of(v->m.n_func_objects));
    v->n_choices++;
    return 1;
}

/* The next path of the same invocation: from the last choice that has another way. */
static bool next_path(struct vouch *v, struct invocation *inv)
{
    while (v->n_choices > 0 && v->choice[v->n_choices - 1].is_second) {
        v->n_choices--;
    }
    if (v->n_choices == 0) {
        return false;
    }
    struct choice *c = &v->choice[v->n_choices - 1];
    c->is_second = v->is_resumed = true;
    v->order = c->order;
    *inv = c->inv;
    memcpy(inv->regs, c->regs, size_of(v->m.n_regs));
    memcpy(inv->func, c->func, size_of(v->m.n_func_objects));
    return true;
}

/* What a decoration lets differ is not known. */
static int hook_propagate(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    for (uint32_t c = 0; c < x->m->ids[in->result].n_slots; c++) {
        exec_reg(x, inv, in->result)[c] = exec_new_abstract(x);
    }
    return x->stop == NULL;
}

static const struct exec_hooks vouch_hooks = {.load = hook_load,
                                              .store = hook_store,
                                              .pad = hook_pad,
                                              .atomic = hook_atomic,
                                              .arith = hook_arith,
                                              .builtin = hook_builtin,
                                              .choose = hook_choose,
                                              .propagate = hook_propagate};

/* A group instruction gives what it gives; one of the whole work-group all have to reach. */
static void pass_group(struct vouch *v, struct invocation *inv)
{
    const struct mod_inst *in = &v->m.code[inv->pc];
    enum storage const s = static_group_storage(&v->m, in);
    if (s >= STORAGE_GROUP) {
        v->order = hash_bytes(v->order, &inv->pc, sizeof inv->pc);
    }
    if (in->result) {
        set_unknown(exec_reg(&v->x, inv, in->result), v->m.ids[in->result].n_slots);
    }
    inv->pc++;
}

/* One path to its end. */
static bool run_path(struct vouch *v, struct invocation *inv)
{
    v->is_known = false;
    exec_empty_pool(&v->x);
    while (exec_run(&v->x, inv, 0) && inv->state != INV_DONE) {
        if (inv->state == INV_GROUP) {
            pass_group(v, inv);
        } else if (inv->state == INV_BARRIER) {
            v->order = hash_bytes(v->order, &inv->pc, sizeof inv->pc);
        }
        inv->state = INV_READY;
    }
    return v->x.stop == NULL;
}

/* Runs all paths of all invocations of a work-group, each as if it were alone: what others may have written is
 * unknown. All paths must execute the same barriers and work-group instructions in the same order (v->order, a
 * hash). Returns false with the reason in x.stop where the case fails the safety check. */
static bool run_group(struct vouch *v, uint32_t group, struct invocation *inv)
{
    uint32_t const n = exec_group_items(&v->x, group);
    uint64_t first_order = 0;
    bool is_first = true;
    exec_start_group(&v->x, group, inv);
    memcpy(v->initial_regs, inv[0].regs, size_of(v->m.n_regs));
    for (uint32_t i = 0; i < n; i++) {
        struct invocation path = inv[i];
        v->x.n_steps += v->m.n_regs / COPIED_PER_STEP;
        memcpy(path.regs, v->initial_regs, size_of(v->m.n_regs));
        set_unknown(path.func, v->m.n_func_objects);
        exec_put_private(&v->x, &path);
        arena_reset(&v->states);
        memset(v->seen, 0, sizeof v->seen);
        v->n_choices = 0;
        v->order = 0;
        do {
            if (!run_path(v, &path)) {
                return false;
            }
            if (is_first) {
                first_order = v->order;
                is_first = false;
            }
            /* a known path ended before its last barrier */
            if (!v->is_known && v->order != first_order) {
                return exec_stop(&v->x, "a barrier that not all invocations may reach") != 0;
            }
        } while (next_path(v, &path));
    }
    return true;
}

static enum res run_pass(struct vouch *v, struct invocation *inv, struct arena *a, struct err *e)
{
    TRY(exec_init(&v->x, &v->m, v->tc, &vouch_hooks, v, a, e));
    v->x.path_buckets = NULL; /* who is together with whom does not matter where all is unknown */
    v->x.is_strict = true;
    v->x.leaves_remainders =
        v->tc->env == ENV_VK && !needs_has(&v->tc->needs, NEED_VK_NEGATIVE_REMAINDER);
    v->has_grown = false;
    uint32_t g = 0;
    while (!v->x.stop && g < v->x.n_groups && run_group(v, g, inv)) {
        g++;
    }
    return v->x.stop ? err_set(e, RES_LIMIT, "module: %s", v->x.stop) : RES_OK;
}

/* Storage for the invocations of a group, which run one after the other in the same registers. */
static struct invocation *make_group(struct vouch *v, struct arena *a)
{
    uint32_t const n = v->tc->local[0] * v->tc->local[1] * v->tc->local[2];
    struct invocation *inv = ARENA_NEW(a, struct invocation, n);
    struct val *regs = ARENA_NEW(a, struct val, (size_t)v->m.n_regs + 1);
    struct val *func = ARENA_NEW(a, struct val, (size_t)v->m.n_func_objects + 1);
    v->initial_regs = ARENA_NEW(a, struct val, (size_t)v->m.n_regs + 1);
    v->idle = vouch_find_idle(&v->m, a);
    bool has_all = inv && regs && func && v->initial_regs && v->idle;
    for (uint32_t b = 0; b < v->tc->n_bufs; b++) {
        v->written[b] = ARENA_NEW(a, unsigned char, v->tc->bufs[b].n_bytes / 8 + 1);
        has_all &= v->written[b] != NULL;
    }
    for (uint32_t i = 0; has_all && i < n; i++) {
        inv[i].regs = regs;
        inv[i].func = func;
    }
    return has_all ? inv : NULL;
}

/* Everything that may be written has to be known before a load can be known. */
static enum res run_all(struct vouch *v, struct arena *a, struct err *e)
{
    uint64_t const n_copied = (uint64_t)testcase_get_items(v->tc) * v->m.n_regs;
    if (n_copied / COPIED_PER_STEP > EXEC_MAX_STEPS) {
        return err_set(e, RES_LIMIT, "module: too many registers for %" PRIu32 " invocations",
                       testcase_get_items(v->tc));
    }
    struct invocation *inv = make_group(v, a);
    enum res r = inv ? RES_OK : err_set(e, RES_LIMIT, "module: too large a work-group");
    for (int i = 0; r == RES_OK && i < MAX_PASSES; i++) {
        r = run_pass(v, inv, a, e);
        if (r == RES_OK && !v->has_grown) {
            return RES_OK;
        }
    }
    return r != RES_OK ? r : err_set(e, RES_LIMIT, "module: addresses that depend on one another");
}

static enum res run_simulated(const struct testcase *tc, struct arena *a, struct err *e)
{
    struct fault_plan const honest = fault_plan_of(FAULT_NONE);
    struct observation ob;
    return sim_run(tc, &(struct sim_device){SIM_IEEE, 1, &honest, sim_facts_for(tc, 1, a)}, a, &ob,
                   NULL, e);
}

static enum res check_dispatch(const struct testcase *tc, struct arena *a, struct err *e)
{
    const char *word = "";
    int n = 0;
    if (!vouch_options(tc->build_options, &word, &n)) {
        return err_set(e, RES_FORMAT,
                       "the build option \"%.60s\" is not one of those that the generator draws",
                       printable_copy_line(a, arena_printf(a, "%.*s", n, word)));
    }
    for (int d = 0; tc->env == ENV_VK && d < 3; d++) {
        if (tc->global[d] % tc->local[d] != 0) {
            return err_set(e, RES_FORMAT, "%" PRIu32 " invocations in groups of %" PRIu32,
                           tc->global[d], tc->local[d]);
        }
    }
    return RES_OK;
}

/* All that is asked of the case but for the simulated run. */
static enum res check_case(struct vouch *v, struct arena *a, struct err *e)
{
    const struct testcase *tc = v->tc;
    TRY(check_dispatch(tc, a, e));
    TRY(module_decode_case(&v->m, tc, a, e));
    TRY(vouch_words(tc, &v->m, a, e));
    return run_all(v, a, e);
}

static enum res vouch_in(const struct testcase *tc, struct arena *a, struct err *e)
{
    struct vouch *v = ARENA_NEW(a, struct vouch, 1);
    if (!v) {
        return err_set(e, RES_NOMEM, "module: no memory to run it here");
    }
    v->tc = tc;
    arena_init(&v->states, VOUCH_STATE_BYTES);
    enum res const r = check_case(v, a, e);
    arena_free(&v->states);
    return r == RES_OK ? run_simulated(tc, a, e) : r;
}

enum res vouch_case(const struct testcase *tc, struct err *e)
{
    struct arena a;
    arena_init(&a, VOUCH_ARENA_BYTES);
    enum res const r = vouch_in(tc, &a, e);
    arena_free(&a);
    return r;
}
