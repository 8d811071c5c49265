/* oracle/diagnose/diagnose.c -- each fault of the table as a hypothesis. */
#include "oracle/diagnose/diagnose.h"

#include <stdlib.h>

#include "base/ops.h"
#include "oracle/explain/explain.h"
#include "oracle/explain/explain_memo.h"
#include "oracle/fault/faults.h"
#include "oracle/fault/faults_atomic.h"
#include "oracle/fault/faults_math.h"
#include "oracle/fault/faults_site.h"
#include "oracle/interp/group_kind.h"
#include "oracle/interp/module.h"
#include "oracle/interp/module_part.h"
#include "oracle/interp/static_facts.h"
#include "oracle/judge/judge.h"

struct diagnose {
    uint32_t n_cases;
    bool is_left_out[FAULT_N];
    struct explanation all[FAULT_N];
};

struct diagnose *diagnose_new(struct arena *a)
{
    struct diagnose *d = ARENA_NEW(a, struct diagnose, 1);
    for (int id = 0; d && id < FAULT_N; id++) {
        d->all[id].plan =
            (struct fault_plan){.id = (enum fault_id)id, .op = -1, .type = -1, .storage = -1};
    }
    return d;
}

enum {
    MAX_AIMS = 4 /* instructions that one fault is tried at */
};

/* An instruction that findings name, and the type. */
struct aim {
    int op, type;
};

/* May the fault be about the instruction? */
static bool is_of_kind(enum fault_id id, enum env env, const struct module *m,
                       const struct mod_inst *in)
{
    if (group_kind_of(in->op) != GROUP_NONE) {
        return fault_is_of_groups(id) || fault_is_of_decorations(id);
    }
    if (in->part == PART_ATOMIC) {
        return fault_fits_operation(id, in->op);
    }
    return fault_is_of_math(id) && fault_fits_math(id, env, m, in);
}

/* The instruction at a word of the module, with the type that plans tell it by. */
static void add_aim(enum fault_id id, enum env env, const struct module *m, uint32_t word,
                    struct aim *aims, uint32_t *n)
{
    uint32_t at = 0;
    while (at < m->n_code && m->code[at].offset != word) {
        at++;
    }
    if (word == 0 || at == m->n_code || *n == MAX_AIMS) {
        return;
    }
    struct aim const aim = {op_find_number(m->code[at].op), (int)static_type(m, &m->code[at])};
    for (uint32_t i = 0; i < *n; i++) {
        if (aims[i].op == aim.op && aims[i].type == aim.type) {
            return;
        }
    }
    if (aim.op >= 0 && is_of_kind(id, env, m, &m->code[at])) {
        aims[(*n)++] = aim;
    }
}

/* Is it a fault of atomics, and is the first finding one of theirs? */
static bool is_of_atomics(enum fault_id id, const struct judgement *judgement)
{
    int const op = judgement->findings[0].op;
    return op >= 0 && !fault_is_of_groups(id) && !fault_is_of_math(id) &&
           module_find_part(op_rows[op].number) == PART_ATOMIC;
}

/* Is the first finding of arithmetic, or of what hands values on? */
static bool names_math(enum env env, const struct module *m, const struct judgement *judgement)
{
    struct aim aims[MAX_AIMS];
    uint32_t n = 0;
    int const op = judgement->findings[0].op;
    add_aim(FAULT_ARITH_OFF_ULP, env, m, judgement->findings[0].offset, aims, &n);
    add_aim(FAULT_MATH_PAST_BOUND, env, m, judgement->findings[0].offset, aims, &n);
    return n > 0 || op < 0 || op_rows[op].number == SpvOpSelect;
}

/* Does the module have an instruction that the fault may be about? */
static bool is_in(enum fault_id id, enum env env, const struct module *m)
{
    uint32_t i = 0;
    while (i < m->n_code && (m->code[i].result == 0 || !is_of_kind(id, env, m, &m->code[i]))) {
        i++;
    }
    return i < m->n_code;
}

/* Lists the instructions that the fault is tried at: those that the case's findings name and that
 * it can act at, first the named instructions, then the other ends of findings. Where the findings
 * name no instruction the fault is tried at all ({-1, -1}). */
static uint32_t list_aims(enum fault_id id, enum env env, const struct module *m,
                          const struct judgement *judgement, struct aim *aims)
{
    uint32_t n = 0;
    bool is_named = false;
    if (fault_is_of_memory(id)) { /* no hypothesis is of one */
        return 0;
    }
    for (uint32_t i = 0; i < judgement->n_findings; i++) {
        add_aim(id, env, m, judgement->findings[i].offset, aims, &n);
        is_named |= judgement->findings[i].op >= 0;
    }
    for (uint32_t i = 0; i < judgement->n_findings; i++) {
        add_aim(id, env, m, judgement->findings[i].offset2, aims, &n);
    }
    if (n == 0 &&
        is_of_atomics(
            id,
            judgement)) { /* the other end of a broken atomic step may be any atomic of the type */
        aims[n++] = (struct aim){-1, (int)judgement->findings[0].type};
    }
    /* the named instructions may have taken the wrong value of one that was not observed */
    bool const may_be_after =
        n == 0 && fault_is_of_math(id) && names_math(env, m, judgement) && is_in(id, env, m);
    if (!is_named || may_be_after) {
        aims[n++] = (struct aim){-1, -1};
    }
    return n;
}

void diagnose_leave_out(struct diagnose *d, enum fault_id id)
{
    d->is_left_out[id] = true;
}

const struct explanation *diagnose_get(const struct diagnose *d, enum fault_id id)
{
    return &d->all[id];
}

/* The findings of the case that are found under the hypothesis, too; all of them where the run cannot be judged
 * to its end under it. */
static uint32_t count_left(const struct judgement *before, const struct judgement *under)
{
    bool const is_cut = under->n_inconclusive > before->n_inconclusive;
    return is_cut || under->n_found > before->n_found ? before->n_found : under->n_found;
}

/* A fault at one instruction, tried with one case. */
struct trial {
    struct hypothesis s;
    uint32_t n_left;
};

/* What speaks for a fault: values that were seen, and where they were not, findings that are gone. */
static uint64_t get_evidence(uint32_t n_taken, uint32_t n_explained)
{
    return n_taken > n_explained ? n_taken : n_explained;
}

static bool is_better(const struct trial *a, const struct trial *b, uint32_t n_found)
{
    uint64_t const for_a = get_evidence(a->s.n_taken, n_found - a->n_left);
    uint64_t const for_b = get_evidence(b->s.n_taken, n_found - b->n_left);
    uint64_t const agrees_a = for_a * (for_b + b->s.n_kept);
    uint64_t const agrees_b = for_b * (for_a + a->s.n_kept);
    return a->n_left != b->n_left ? a->n_left < b->n_left : agrees_a > agrees_b;
}

/* Findings that are gone though no value of the fault was seen: it made something else possible, which leaves more open. */
static uint32_t count_unseen(const struct trial *t, uint32_t n_found)
{
    enum {
        BITS = 4 /* for each */
    };
    uint32_t const n_explained = n_found - t->n_left;
    return n_explained > t->s.n_taken ? BITS * (n_explained - t->s.n_taken) : 0;
}

/* Tries the fault on one case at each instruction that it may act at, or at the one that explained
 * an earlier case, and adds to *x what it explains at the best one. */
static enum res try_one(struct explanation *x, const struct testcase *tc, const struct module *m,
                        const struct observation *ob, const struct judgement *judgement,
                        struct explain_memo *memo, struct arena *scratch, struct err *e)
{
    struct aim aims[MAX_AIMS + 2] = {
        {x->plan.op, x->plan.type}
    };
    /* where an earlier case has decided on an instruction it is tried alone */
    uint32_t n = x->plan.op >= 0 ? 1 : list_aims(x->plan.id, tc->env, m, judgement, aims);
    /* the list does not end with the fault at all instructions yet */
    bool const may_widen = fault_is_of_math(x->plan.id) && (n == 0 || aims[n - 1].op >= 0);
    struct trial best = {.s = {.plan = x->plan}, .n_left = judgement->n_found};
    for (uint32_t i = 0; i < n; i++) {
        struct trial t = {
            .s = {.plan = x->plan, .memo = memo}
        };
        struct judgement under;
        struct arena_mark const mark = arena_get_mark(scratch);
        t.s.plan.op = aims[i].op;
        t.s.plan.type = aims[i].type;
        enum res const r = explain_run(tc, ob, &t.s, scratch, &under, e);
        /* a trial that does not fit in memory explains nothing */
        t.n_left = r == RES_OK ? count_left(judgement, &under) : judgement->n_found;
        arena_release(scratch, mark);
        if (r != RES_OK && r != RES_NOMEM) {
            return r;
        }
        if (i == 0 || is_better(&t, &best, judgement->n_found)) {
            best = t;
        }
        /* the named instructions may have taken the wrong value of one that was not observed */
        if (i + 1 == n && may_widen && best.n_left == judgement->n_found && aims[i].op >= 0) {
            aims[n++] = (struct aim){-1, -1};
        }
    }
    x->plan = best.n_left < judgement->n_found ? best.s.plan : x->plan;
    x->n_found += judgement->n_found;
    x->n_left += best.n_left;
    x->n_taken += best.s.n_taken;
    x->n_kept += best.s.n_kept;
    x->n_free += best.s.n_free + count_unseen(&best, judgement->n_found);
    for (uint32_t i = 0; i < judgement->n_findings; i++) {
        x->n_other_kind += judgement->findings[i].kind != fault_rows[x->plan.id].expect;
    }
    return RES_OK;
}

enum res diagnose_add(struct diagnose *d, const struct testcase *tc, const struct observation *ob,
                      const struct judgement *judgement, struct arena *scratch, struct err *e)
{
    struct arena_mark const mark = arena_get_mark(scratch);
    struct module *m = ARENA_NEW(scratch, struct module, 1);
    if (judgement->n_findings == 0 || ob->status != RUN_DONE) {
        return RES_OK;
    }
    struct explain_memo *const memo = explain_memo_new(scratch);
    if (!m || !memo) {
        return err_set(e, RES_NOMEM, "diagnose: arena full at %zu bytes", scratch->used_bytes);
    }
    TRY(module_decode_case(m, tc, scratch, e));
    d->n_cases++;
    for (int id = 0; id < FAULT_N; id++) {
        if (fault_rows[id].expect != VERDICT_OK) { /* what is legal explains nothing */
            TRY(try_one(&d->all[id], tc, m, ob, judgement, memo, scratch, e));
        }
    }
    arena_release(scratch, mark);
    return RES_OK;
}

static unsigned count_bits(unsigned set)
{
    unsigned n = 0;
    for (; set != 0; set &= set - 1) {
        n++;
    }
    return n;
}

/* Orders explanations, the better one first, for qsort: by findings left unexplained; the share of
 * observed values that agree; bits left unconstrained; the number of conditions on the site;
 * findings of another kind; and the order of the table. */
static int compare(const void *a, const void *b)
{
    const struct explanation *x = a, *y = b;
    uint64_t const for_x = get_evidence(x->n_taken, x->n_found - x->n_left);
    uint64_t const for_y = get_evidence(y->n_taken, y->n_found - y->n_left);
    /* the shares for / (for + n_kept), where n_kept values did not show the fault, times both denominators */
    uint64_t const agrees_x = for_x * (for_y + y->n_kept);
    uint64_t const agrees_y = for_y * (for_x + x->n_kept);
    if (x->n_left != y->n_left) {
        return x->n_left < y->n_left ? -1 : 1;
    }
    if (agrees_x != agrees_y) {
        return agrees_x > agrees_y ? -1 : 1;
    }
    if (x->n_free != y->n_free) {
        return x->n_free < y->n_free ? -1 : 1;
    }
    /* more conditions make a more particular fault, which chance explains less often */
    unsigned const narrow_x = count_bits(fault_rows[x->plan.id].where);
    unsigned const narrow_y = count_bits(fault_rows[y->plan.id].where);
    if (narrow_x != narrow_y) {
        return narrow_x > narrow_y ? -1 : 1;
    }
    if (x->n_other_kind != y->n_other_kind) {
        return x->n_other_kind < y->n_other_kind ? -1 : 1;
    }
    return (int)x->plan.id - (int)y->plan.id;
}

void diagnose_rank(const struct diagnose *d, struct diagnosis_list *out)
{
    struct explanation some[FAULT_N] = {{.n_found = 0}};
    uint32_t n = 0;
    for (int id = 0; id < FAULT_N; id++) {
        if (d->all[id].n_left < d->all[id].n_found && !d->is_left_out[id]) {
            some[n++] = d->all[id];
        }
    }
    qsort(some, n, sizeof *some, compare);
    *out = (struct diagnosis_list){.n_cases = d->n_cases,
                                   .n = n < DIAGNOSE_MAX_NAMED ? n : DIAGNOSE_MAX_NAMED};
    for (uint32_t i = 0; i < out->n; i++) {
        out->named[i] = some[i];
    }
}
