/* oracle/judge_values/iteration.c -- of which iteration of a loop a wrong value is. */
#include "oracle/judge_values/iteration.h"

#include <string.h>

#include "oracle/interp/exec.h"
#include "oracle/interp/exec_extra.h"
#include "oracle/interp/exec_int.h"
#include "oracle/interp/merge_loop.h"
#include "oracle/interp/module.h"
#include "oracle/num/set.h"
#include "oracle/value/value.h"
#include "oracle/value/value_set.h"
#include "oracle/value/value_shape.h"

/* The phis of a loop's header. */
struct carried {
    uint32_t first, n; /* in code */
    uint32_t at;       /* where their values begin in `last` and `previous` */
};

struct judge_iterations {
    uint32_t n_loops;
    struct merge_loop *loop; /* [n_loops] */
    struct carried *carried;
    uint32_t *loop_of;    /* by id of a label: 1 + the loop of whose header it is; 0: none */
    uint32_t n_values;    /* of one invocation */
    struct val *last;     /* [items of a work-group * n_values]: of the last entry to the header */
    struct val *previous; /* of the one before that, in the same loop */
    uint32_t merge; /* index in code of the merge block of the loop that does one more iteration */
    uint32_t *n_entries; /* [items of a work-group * loops] since the loop began */
};

/* Lists the loops of the module, with the phis of each header, and makes room for the values of the phis.
 * j->iterations stays NULL where no loop carries a value, or the arena is full: findings then name no iteration. */
void iteration_make(struct judge *j)
{
    const struct testcase *const tc = j->input.tc;
    size_t const n_items = (size_t)tc->local[0] * tc->local[1] * tc->local[2];
    struct judge_iterations *const state = ARENA_NEW(j->a, struct judge_iterations, 1);
    if (!state) {
        return;
    }
    state->n_loops = merge_loops_list(&j->m, NULL);
    state->loop = ARENA_NEW(j->a, struct merge_loop, state->n_loops + 1);
    if (!state->loop || state->n_loops == 0) {
        return;
    }
    (void)merge_loops_list(&j->m, state->loop);
    state->carried = ARENA_NEW(j->a, struct carried, state->n_loops);
    state->loop_of = ARENA_NEW(j->a, uint32_t, j->m.n_ids);
    for (uint32_t k = 0; state->carried && state->loop_of && k < state->n_loops; k++) {
        uint32_t const first = state->loop[k].first;
        state->carried[k] = (struct carried){
            .first = first + 1, .n = merge_loop_count_phis(&j->m, first), .at = state->n_values};
        state->n_values += state->carried[k].n;
        bool const is_followed = state->carried[k].n > 0; /* a loop without phis carries nothing */
        state->loop_of[state->loop[k].header] = is_followed ? 1 + k : 0;
    }
    if (!state->carried || !state->loop_of || state->n_values == 0) {
        return;
    }
    state->last = ARENA_NEW(j->a, struct val, n_items * state->n_values);
    state->previous = ARENA_NEW(j->a, struct val, n_items * state->n_values);
    state->n_entries = ARENA_NEW(j->a, uint32_t, n_items * state->n_loops);
    if (state->last && state->previous && state->n_entries) {
        j->iterations = state;
    }
}

void iteration_begin(struct judge *j)
{
    const struct testcase *const tc = j->input.tc;
    struct judge_iterations *const state = j->iterations;
    size_t const n_items = (size_t)tc->local[0] * tc->local[1] * tc->local[2];
    memset(state->n_entries, 0, sizeof *state->n_entries * n_items * state->n_loops);
}

static uint32_t *entries_of(const struct judge_iterations *state, const struct invocation *inv,
                            uint32_t loop)
{
    return &state->n_entries[(size_t)inv->local_index * state->n_loops + loop];
}

void iteration_enter(struct judge *j, const struct invocation *inv, uint32_t from)
{
    struct judge_iterations *const state = j->iterations;
    uint32_t const loop = state->loop_of[inv->label];
    if (loop == 0) {
        return;
    }
    const struct carried *const c = &state->carried[loop - 1];
    size_t const at = (size_t)inv->local_index * state->n_values + c->at;
    uint32_t *const n_entries = entries_of(state, inv, loop - 1);
    /* a block comes after the blocks that dominate it, so only a back edge comes from a block after the header */
    bool const is_back = j->m.label_at[from] >= state->loop[loop - 1].first;
    *n_entries = is_back ? *n_entries + 1 : 1;
    memcpy(&state->previous[at], &state->last[at], sizeof *state->last * c->n);
    for (uint32_t i = 0; i < c->n; i++) {
        state->last[at + i] = *exec_reg(&j->x, inv, j->m.code[c->first + i].result);
    }
}

/* ---- an instruction again ---- */

/* Component `component` of the result of the instruction on the registers of a copy of the invocation. false: the
 * instruction cannot be evaluated again. */
static bool evaluate(struct judge *j, struct invocation *copy, const struct mod_inst *in,
                     uint32_t component, struct val *out)
{
    struct exec *const x = &j->x;
    struct value_result r;
    bool is_done = false;
    if (in->op == SpvOpPhi || value_has_struct(in->op) || value_find_pointer(x, in)) {
        return false;
    }
    if (in->part == PART_FLOAT) {
        is_done = value_apply(x, &j->rules, copy, in, &r) == 1 && component < r.n;
        *out = is_done ? r.v[component] : *out;
    } else if (in->part == PART_BINARY) {
        is_done = exec_binary(x, copy, in) && component < j->m.ids[in->result].n_slots;
        *out = is_done ? exec_reg(x, copy, in->result)[component] : *out;
    }
    x->stop = NULL; /* the interpretation itself goes on */
    return is_done;
}

/* Is the same permitted of both values? Where one of them was observed: is it a member of the set of the other? */
static bool is_same(const struct judge *j, struct val a, struct val b, int fmt)
{
    struct set scratch[2];
    uint64_t bits[2];
    bool const knows_a = exec_known(&j->x, a, &bits[0]), knows_b = exec_known(&j->x, b, &bits[1]);
    if (knows_a && knows_b) {
        return bits[0] == bits[1];
    }
    const struct set *const s =
        fmt < 0 ? NULL : value_get_set(&j->x, a, (enum fmt_id)fmt, &scratch[0]);
    const struct set *const t =
        fmt < 0 ? NULL : value_get_set(&j->x, b, (enum fmt_id)fmt, &scratch[1]);
    if (!s || !t) { /* both may be anything */
        return !s && !t && !knows_a && !knows_b;
    }
    if (knows_a || knows_b) {
        return set_has(knows_a ? t : s, bits[knows_a ? 0 : 1]);
    }
    return s->flags == t->flags && s->n == t->n && memcmp(s->r, t->r, sizeof s->r[0] * s->n) == 0;
}

enum {
    FEW_MEMBERS = 4 /* a larger set agrees with an observed value by chance */
};

/* Is `got` a member of v, which has few members? */
static bool is_observed(const struct judge *j, struct val v, int fmt, uint64_t got)
{
    struct set scratch;
    uint64_t bits;
    if (exec_known(&j->x, v, &bits)) {
        return bits == got;
    }
    const struct set *const s =
        fmt < 0 ? NULL : value_get_set(&j->x, v, (enum fmt_id)fmt, &scratch);
    return s && !(s->flags & SET_ANY) && set_count(s) <= FEW_MEMBERS && set_has(s, got);
}

/* ---- what another iteration would give ---- */

/* An additional iteration has no effect on memory. */
static int idle_store(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                      struct location p, uint32_t type, struct val v)
{
    (void)inv;
    (void)in;
    (void)p;
    (void)type;
    (void)v;
    return x->stop == NULL;
}

int iteration_arith(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    struct judge *const j = x->user;
    struct value_result r;
    int const done = value_apply(x, &j->rules, inv, in, &r);
    if (done == 1) {
        value_put(x, inv, in, &r);
    }
    return done == 1;
}

/* In an additional iteration, a branch that would leave the loop takes its other label. */
static uint32_t stay_in_loop(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                             uint32_t label)
{
    enum {
        TRUE_LABEL = 2,
        FALSE_LABEL
    };
    const struct judge *const j = x->user;
    uint32_t const yes = module_get_operand(x->m, in, TRUE_LABEL);
    uint32_t const no = module_get_operand(x->m, in, FALSE_LABEL);
    bool const is_left =
        in->op == SpvOpBranchConditional && x->m->label_at[label] == j->iterations->merge;
    (void)inv;
    return is_left ? (label == yes ? no : yes) : label;
}

static const struct exec_hooks idle_hooks = {.load = exec_extra_load,
                                             .store = idle_store,
                                             .atomic = exec_extra_atomic,
                                             .arith = iteration_arith,
                                             .builtin = exec_extra_builtin,
                                             .way = stay_in_loop};

/* A wrong value whose iteration is looked for. */
struct search {
    struct judge *j;
    const struct observed *o; /* the wrong value: component `component` of the result of o->in */
    const struct invocation *inv;
    uint32_t component;
    struct val right; /* what was permitted */
    int fmt;          /* of both; -1: integers */
};

static const struct merge_loop *loop_at(const struct search *s, uint32_t loop)
{
    return &s->j->iterations->loop[loop];
}

/* Is the instruction in the loop, or after it in its function? */
static bool is_in_loop(const struct search *s, uint32_t loop)
{
    uint32_t const at = (uint32_t)(s->o->in - s->j->m.code);
    return loop_at(s, loop)->first < at && at < loop_at(s, loop)->merge;
}
static bool is_after_loop(const struct search *s, uint32_t loop)
{
    uint32_t const at = (uint32_t)(s->o->in - s->j->m.code);
    return loop_at(s, loop)->merge <= at && at < loop_at(s, loop)->end;
}

/* The value of the instruction on a copy that has done another number of iterations: of an instruction in the loop
 * its register, which the iteration has written; of one after the loop what it gives when it is evaluated again. */
static bool take_result(const struct search *s, uint32_t loop, struct invocation *copy,
                        struct val *out)
{
    if (!is_in_loop(s, loop)) {
        return evaluate(s->j, copy, s->o->in, s->component, out);
    }
    *out = exec_reg(&s->j->x, copy, s->o->in->result)[s->component];
    return true;
}

/* The label at which an iteration goes on after the phis of the header; 0: not known. The header of a loop whose test
 * is at its end branches there without a condition. */
static uint32_t find_start(const struct search *s, uint32_t loop)
{
    const struct module *const m = &s->j->m;
    const struct merge_loop *const l = loop_at(s, loop);
    if (l->body != l->header) {
        return l->body;
    }
    uint32_t at = l->first + 1;
    while (at < l->merge && m->code[at].op != SpvOpLoopMerge) {
        at++;
    }
    return at + 1 < l->merge && m->code[at + 1].op == SpvOpBranch
               ? module_get_operand(m, &m->code[at + 1], 1)
               : 0;
}

/* Would one more iteration of the loop, which the invocation has left, give the observed value? Two runs: where the loop is
 * left in the middle of an iteration, the first run repeats the last iteration, and gives the right value again. */
static bool gives_by_one_more(const struct search *s, uint32_t loop)
{
    const struct merge_loop *const l = loop_at(s, loop);
    struct invocation copy;
    struct val v = {0};
    uint32_t const start = find_start(s, loop);
    if (start == 0 || !exec_copy_invocation(&s->j->x, s->inv, &copy)) {
        return false;
    }
    s->j->iterations->merge = l->merge;
    for (int run = 0; run < 2; run++) {
        if (!exec_run_iteration(&s->j->x, &idle_hooks, NULL, &copy, start, l->header) ||
            !take_result(s, loop, &copy, &v)) {
            return false;
        }
        if (is_observed(s->j, v, s->fmt, s->o->got)) {
            return true;
        }
        if (!is_same(s->j, v, s->right, s->fmt)) {
            return false;
        }
    }
    return false;
}

/* Sets the phis of the header to their values of the iteration before. */
static void go_back(const struct search *s, uint32_t loop, const struct invocation *copy)
{
    const struct judge_iterations *const state = s->j->iterations;
    const struct carried *const c = &state->carried[loop];
    size_t const at = (size_t)s->inv->local_index * state->n_values + c->at;
    for (uint32_t i = 0; i < c->n; i++) {
        *exec_reg(&s->j->x, copy, s->j->m.code[c->first + i].result) = state->previous[at + i];
    }
}

/* Has the invocation entered the header of the loop twice, so that `previous` has values? */
static bool has_previous(const struct search *s, uint32_t loop)
{
    return *entries_of(s->j->iterations, s->inv, loop) >= 2;
}

/* Does the phi take the result of the instruction from one of its blocks? */
static bool carries_result(const struct search *s, const struct mod_inst *phi)
{
    bool carries = false;
    for (uint32_t w = MOD_OPERAND; w + 1 < phi->n; w += 2) { /* value, block it comes from */
        carries |= module_get_operand(&s->j->m, phi, w) == s->o->in->result;
    }
    return carries;
}

/* The instruction is in the loop, and a phi of the header carries its result to the next iteration. Had that phi the
 * observed value one iteration before the right one? Mostly the header was not entered after the instruction: `last`
 * is then the result of the iteration before. If the header was entered since, `last` is the right value itself. */
static bool was_carried(const struct search *s, uint32_t loop)
{
    const struct judge_iterations *const state = s->j->iterations;
    const struct carried *const c = &state->carried[loop];
    size_t const at = (size_t)s->inv->local_index * state->n_values + c->at;
    for (uint32_t i = 0; i < c->n; i++) {
        bool const has_right = is_same(s->j, state->last[at + i], s->right, s->fmt);
        struct val const before = has_right ? state->previous[at + i] : state->last[at + i];
        if (carries_result(s, &s->j->m.code[c->first + i]) &&
            (has_previous(s, loop) || !has_right) && is_observed(s->j, before, s->fmt, s->o->got)) {
            return true;
        }
    }
    return false;
}

/* The instruction is after the loop. Does it give the observed value on the phis' values of the iteration before? */
static bool gives_on_previous(const struct search *s, uint32_t loop)
{
    struct invocation copy;
    struct val v = {0};
    if (!has_previous(s, loop) || !exec_copy_invocation(&s->j->x, s->inv, &copy)) {
        return false;
    }
    go_back(s, loop, &copy);
    return evaluate(s->j, &copy, s->o->in, s->component, &v) &&
           is_observed(s->j, v, s->fmt, s->o->got);
}

/* ---- the whole ---- */

/* The registers on which the instruction gives the right value (s->right): the present ones; or, where the next
 * iteration has begun since, those with the phis' values of the iteration before. The innermost loop is tried first.
 * NULL: neither gives it. The present registers also if the instruction is in no loop, or cannot be evaluated again. */
static const struct invocation *find_instance(const struct search *s)
{
    struct invocation copy;
    struct val v = {0};
    bool is_in_any = false;
    for (uint32_t k = 0; k < s->j->iterations->n_loops; k++) {
        is_in_any |= is_in_loop(s, k);
    }
    if (!is_in_any || !exec_copy_invocation(&s->j->x, s->inv, &copy) ||
        !evaluate(s->j, &copy, s->o->in, s->component, &v) || is_same(s->j, v, s->right, s->fmt)) {
        return s->inv;
    }
    for (uint32_t k = s->j->iterations->n_loops; k-- > 0;) { /* the innermost first */
        if (!is_in_loop(s, k) || !exec_copy_invocation(&s->j->x, s->inv, &copy)) {
            continue;
        }
        go_back(s, k, &copy);
        struct invocation const instance = copy; /* the evaluation works on another copy of it */
        if (exec_copy_invocation(&s->j->x, &instance, &copy) &&
            evaluate(s->j, &copy, s->o->in, s->component, &v) &&
            is_same(s->j, v, s->right, s->fmt)) {
            return arena_copy(s->j->a, &instance, sizeof instance);
        }
    }
    return NULL;
}

/* Of an access (o->e), of content of memory (no o->inv) or of no result the answer is o's invocation and no other
 * iteration. A bool is compared by its register, as v is the word that a probe made of it; no other iteration is
 * looked for, because one of two values agrees by chance. */
struct iteration iteration_find(struct judge *j, const struct observed *o, uint32_t component,
                                struct val v)
{
    struct iteration out = {.inv = o->inv};
    if (!j->iterations || !o->inv || o->e || !o->in->result ||
        component >= j->m.ids[o->in->result].n_slots) {
        return out;
    }
    uint32_t const type = o->in->type;
    bool const is_bool = j->m.ids[type].t.bits == 1;
    struct search const s = {.j = j,
                             .o = o,
                             .inv = o->inv,
                             .component = component,
                             .right =
                                 is_bool ? exec_reg(&j->x, o->inv, o->in->result)[component] : v,
                             .fmt = module_get_format(&j->m, type)};
    out.inv = find_instance(&s);
    out.is_overwritten = out.inv == NULL;
    for (uint32_t k = j->iterations->n_loops; k-- > 0 && out.other == ITERATION_NONE;) {
        bool const is_done = *entries_of(j->iterations, o->inv, k) > 0; /* its header was entered */
        if (is_bool || !is_done || !(is_in_loop(&s, k) || is_after_loop(&s, k))) {
            continue;
        }
        bool const is_further = gives_by_one_more(&s, k);
        bool const is_fewer =
            !is_further && (is_in_loop(&s, k) ? was_carried(&s, k) : gives_on_previous(&s, k));
        out.other = is_further ? ITERATION_FURTHER : is_fewer ? ITERATION_FEWER : ITERATION_NONE;
        out.offset = j->m.code[loop_at(&s, k)->first].offset;
    }
    return out;
}
