/* oracle/judge/judge_again.c -- which invocations hold what they would compute of words that they load again behind a barrier.
 * Each invocation with a wrong value is run by itself, and loads values that others stored to the words, also those that the
 * others stored in such runs. The first wrong value of an invocation has to be one of these runs; later ones are computed of it. */
#include "oracle/judge/judge_again.h"

#include "base/format.h"
#include "oracle/fault/faults_place.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/exec_further.h"
#include "oracle/interp/module.h"
#include "oracle/judge/judge_place.h"
#include "oracle/suspect/suspect.h"
#include "oracle/value/value.h"

enum {
    MAX_WRITTEN = 4096, /* values that are kept, and */
    MAX_WRONG = 256,    /* wrong ones; */
    MAX_TRIED = 32,     /* values of a word that are tried, */
    MAX_PASSES = 8      /* each with what the invocations before stored in the pass before */
};

/* What is stored to memory that others come to. */
struct written {
    struct place place;
    uint32_t group; /* of work-group memory; else 0 */
    uint64_t bits;
};
/* What is seen and not permitted. */
struct wrong {
    uint32_t invocation;
    struct place place;
    uint32_t n_bytes;
    uint64_t got;
    uint32_t word; /* of the store that gives it; 0: none that is known */
    bool is_explained;
};
struct judge_again {
    const struct suspicion *suspected;
    bool is_settled, is_full;
    bool *opens;             /* by invocation; and of those that store, */
    uint32_t *group, *local; /* work-group and local index */
    struct written *written;
    struct wrong *wrong;
    uint32_t n_written, n_wrong;
    uint32_t nth;     /* value of each word that is loaded again, in the run that is tried, */
    uint32_t runs_as; /* and the invocation */
};

static bool acts_anywhere(const struct module *m)
{
    bool is_it = false;
    for (uint32_t i = 0; i < m->n_code && !is_it; i++) {
        is_it = m->code[i].result != 0 && place_is_computed_across_barrier(m, &m->code[i]);
    }
    return is_it;
}

void judge_again_make(struct judge *j)
{
    const struct testcase *const tc = j->input.tc;
    const struct suspicion *suspected = NULL;
    for (const struct suspicion *s = j->input.suspicion; s && !suspected; s = s->next) {
        const struct place_row *const row = fault_get_place(s->plan.id);
        suspected = row && row->does == PLACE_LOADS_AGAIN ? s : NULL;
    }
    if (!suspected || !acts_anywhere(&j->m)) {
        return;
    }
    struct judge_again *const p = ARENA_NEW(j->a, struct judge_again, 1);
    if (p) {
        p->suspected = suspected;
        size_t const n = (size_t)tc->global[0] * tc->global[1] * tc->global[2] + 1;
        p->opens = ARENA_NEW(j->a, bool, n);
        p->group = ARENA_NEW(j->a, uint32_t, n);
        p->local = ARENA_NEW(j->a, uint32_t, n);
        p->written = ARENA_NEW(j->a, struct written, MAX_WRITTEN);
        p->wrong = ARENA_NEW(j->a, struct wrong, MAX_WRONG);
        j->again = p->opens && p->group && p->local && p->written && p->wrong ? p : NULL;
    }
}

static bool is_same(struct place a, struct place b)
{
    return a.space == b.space && a.object == b.object && a.offset == b.offset;
}

/* A word of memory that others come to is known to be stored; each of its values is kept once. */
static void keep_written(struct judge_again *p, struct place at, uint32_t group, uint64_t bits)
{
    struct written const made = {
        .place = at, .group = at.space == SPACE_WORKGROUP ? group : 0, .bits = bits};
    bool is_there = p->n_written == MAX_WRITTEN;
    for (uint32_t i = 0; i < p->n_written && !is_there; i++) {
        const struct written *const w = &p->written[i];
        is_there = is_same(w->place, at) && w->group == made.group && w->bits == bits;
    }
    if (!is_there) {
        p->written[p->n_written++] = made;
    }
}

void judge_again_store(struct judge *j, const struct invocation *inv, struct place at,
                       unsigned n_bits, struct val v)
{
    struct judge_again *const p = j->again;
    uint64_t bits;
    p->group[inv->global_index] = inv->group_index;
    p->local[inv->global_index] = inv->local_index;
    bool const is_shared = at.space == SPACE_WORKGROUP || at.space == SPACE_BUFFER;
    if (!p->is_settled && is_shared && n_bits <= 64 && exec_known(&j->x, v, &bits)) {
        keep_written(p, at, inv->group_index, bits);
    }
}

void judge_again_note(struct judge *j, const struct observed *seen)
{
    struct judge_again *const p = j->again;
    if (p->is_settled || (!seen->inv && !seen->e)) {
        return;
    }
    uint32_t const by = seen->inv ? seen->inv->global_index : seen->e->invocation;
    p->is_full |= p->n_wrong == MAX_WRONG;
    if (!p->is_full) {
        p->wrong[p->n_wrong++] = (struct wrong){
            .invocation = by, .place = seen->place, .n_bytes = seen->n_bits / 8, .got = seen->got};
    }
}

/* The nth value that the word is known to hold after a store; the last one if there are fewer, and false if there is none. */
static bool find_written(const struct judge_again *p, struct place at, uint32_t group,
                         uint64_t *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_written && n <= p->nth; i++) {
        const struct written *const w = &p->written[i];
        if (is_same(w->place, at) && (at.space != SPACE_WORKGROUP || w->group == group)) {
            *out = w->bits;
            n++;
        }
    }
    return n > 0;
}

static int load_again(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                      struct place p, uint32_t type, struct val *out)
{
    const struct judge *const j = x->user;
    *out = (struct val){0};
    bool const is_again =
        place_is_word(x->m, in) && find_written(j->again, p, inv->group_index, &out->bits);
    return is_again || exec_further_load(x, inv, in, p, type, out);
}

/* Is it a value that is permitted of v, or, where nothing is known of that, one that a buffer holds? */
static bool may_be(const struct judge *j, const struct wrong *w, struct val v)
{
    const struct abstract *const b = exec_get_abstract(&j->x, v);
    return !b || b->kind == ABSTRACT_SET || abstract_is_one(b)
               ? suspect_permits(j->input.suspicion, &j->x, v, w->got)
               : judge_place_is_held(j, w->place, w->n_bytes, w->got);
}

static int store_again(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                       struct place p, uint32_t type, struct val v)
{
    const struct judge *const j = x->user;
    struct judge_again *const again = j->again;
    uint64_t bits;
    for (uint32_t i = 0; i < again->n_wrong; i++) {
        struct wrong *const w = &again->wrong[i];
        if (w->invocation == again->runs_as && is_same(w->place, p) &&
            w->n_bytes * 8 == x->m->ids[type].t.bits) {
            w->word = in->offset;
            w->is_explained |= may_be(j, w, v);
        }
    }
    if (p.space == SPACE_WORKGROUP && exec_known(x, v, &bits)) { /* others load it */
        keep_written(again, p, inv->group_index, bits);
    }
    return 1;
}

static void pass_over(struct exec *x, const struct mod_inst *in)
{
    (void)x;
    (void)in;
}

static const struct exec_hooks again_hooks = {.load = load_again,
                                              .store = store_again,
                                              .atomic = exec_further_atomic,
                                              .arith = judge_place_arith,
                                              .builtin = exec_further_builtin};

/* Is the ith wrong value the first of its invocation? */
static bool is_first_wrong(const struct judge_again *p, uint32_t i)
{
    uint32_t k = 0;
    while (p->wrong[k].invocation != p->wrong[i].invocation) {
        k++;
    }
    return k == i;
}

static bool is_all_explained(const struct judge_again *p, uint32_t invocation)
{
    bool is_it = true;
    for (uint32_t i = 0; i < p->n_wrong && is_it; i++) {
        is_it = p->wrong[i].invocation != invocation || p->wrong[i].is_explained;
    }
    return is_it;
}

/* Runs an invocation with wrong values by itself, with each of the values of the words that it loads again. inv: registers and
 * variables of one. */
static void try_again(struct judge *j, uint32_t invocation, struct invocation *inv)
{
    struct judge_again *const p = j->again;
    const uint32_t *const size = j->input.tc->local;
    uint32_t const local = p->local[invocation];
    uint32_t const id[3] = {local % size[0], local / size[0] % size[1], local / size[0] / size[1]};
    p->runs_as = invocation;
    p->opens[invocation] = true;
    for (p->nth = 0; p->nth < MAX_TRIED && !is_all_explained(p, invocation); p->nth++) {
        exec_start_absent(&j->x, p->group[invocation], id, inv);
        (void)exec_run_alone(&j->x, &again_hooks, inv, pass_over);
    }
}

/* What memory holds in the end that one invocation has for itself, and that is not permitted. */
static void note_finals(struct judge *j)
{
    for (uint32_t i = 0; i < j->memory.n_cells; i++) {
        const struct cell *const c = &j->memory.cells[i];
        uint64_t final;
        if (!c->contended && c->last > 0 && judge_get_final(j, c, &final) &&
            !suspect_permits(j->input.suspicion, &j->x, c->cur, final)) {
            struct observed const o = {.e = &j->memory.events[c->last - 1],
                                       .got = final,
                                       .place = c->place,
                                       .n_bits = c->n_bits};
            judge_again_note(j, &o);
        }
    }
}

/* Does another wrong value of the invocation come before it in the module, of which it may be computed? */
static bool is_behind_another(const struct judge_again *p, const struct wrong *w)
{
    bool is_it = false;
    for (uint32_t i = 0; i < p->n_wrong && !is_it && w->word; i++) {
        const struct wrong *const o = &p->wrong[i];
        is_it = o->invocation == w->invocation && o->is_explained && o->word && o->word < w->word;
    }
    return is_it;
}

bool judge_again_settle(struct judge *j)
{
    struct judge_again *const p = j->again;
    bool is_any = false;
    if (p->is_settled) {
        return false;
    }
    struct invocation inv = {
        .regs = ARENA_NEW(j->a, struct val, (size_t)j->m.n_regs + 1),
        .func = ARENA_NEW(j->a, struct val, (size_t)j->m.n_func_objects + 1),
    };
    if (!inv.regs || !inv.func) {
        return false;
    }
    note_finals(j);
    p->is_settled = true;
    bool is_new = true;
    for (uint32_t pass = 0; pass < MAX_PASSES && is_new; pass++) {
        uint32_t const n_written = p->n_written;
        for (uint32_t i = 0; i < p->n_wrong && !p->is_full; i++) {
            if (is_first_wrong(p, i)) {
                try_again(j, p->wrong[i].invocation, &inv);
            }
        }
        is_new = p->n_written > n_written;
    }
    for (uint32_t i = 0; i < p->n_wrong; i++) {
        bool *const opens = &p->opens[p->wrong[i].invocation];
        *opens = *opens && (p->wrong[i].is_explained || is_behind_another(p, &p->wrong[i]));
        is_any |= *opens;
    }
    return is_any;
}

static bool opens(const struct judge *j, const struct invocation *inv)
{
    return j->again->opens[inv->global_index];
}

void judge_again_compute(struct judge *j, const struct invocation *inv, const struct mod_inst *in)
{
    if (!opens(j, inv) || !place_is_computed_across_barrier(&j->m, in)) {
        return;
    }
    for (uint32_t c = 0; c < j->m.ids[in->result].n_slots; c++) {
        struct val *const own = &exec_reg(&j->x, inv, in->result)[c];
        *own = suspect_open(j->again->suspected, &j->x, *own);
    }
}

void judge_again_load(struct judge *j, const struct invocation *inv, const struct mod_inst *in,
                      struct val *v)
{
    if (opens(j, inv) && place_is_computed_across_barrier(&j->m, in)) {
        *v = suspect_open(j->again->suspected, &j->x, *v);
    }
}
