/* oracle/sweep/sweep.c -- results of whole blocks against the reference: by whom each is judged. */
#include "oracle/sweep/sweep.h"

#include <assert.h>

#include "base/func_row.h"
#include "oracle/math/accuracy.h"
#include "oracle/sweep/evaluator_two.h"
#include "oracle/sweep/sweep_double.h"
#include "oracle/sweep/sweep_filter.h"
#include "oracle/sweep/sweep_judge.h"
#include "oracle/sweep/sweep_order.h"

void sweep_block_once(struct sweep *s, const struct sweep_block *block)
{
    for (uint32_t i = 0; i < block->n; i++) {
        sweep_judge_input(s, block, i);
    }
    sweep_count_breaks(s, block, EVALUATOR_BASE);
}

/* What the filter has to allow for, or -1: MPFR alone. */
static double find_slack(enum func_id func, enum fmt_id fmt, enum evaluator_isa isa)
{
    if (fmt == FMT_F64 || func_rows[func].has_int || func_rows[func].n_args > 2) {
        return -1;
    }
    if (func_rows[func].n_args == 2) {
        return evaluator_two_get_slack(func, isa);
    }
    const struct evaluator_certificate *c = evaluator_find_certificate(func, isa);
    return c ? c->slack : -1;
}

/* Asked once: a certificate is known by what its evaluator gives. */
static double keep_slack(struct sweep *s, enum evaluator_isa isa)
{
    if (s->slack_of != (uint32_t)isa + 1) {
        s->slack = find_slack(s->func, s->fmt, isa);
        s->slack_of = (uint32_t)isa + 1;
    }
    return s->slack;
}

void sweep_block_on(struct sweep *s, const struct sweep_block *block, enum evaluator_isa isa)
{
    if (s->fmt == FMT_F64 && sweep_double_has(s->func)) {
        sweep_block_double(s, block);
        return;
    }
    double const slack = keep_slack(s, isa);
    if (slack < 0) {
        sweep_block_once(s, block);
        return;
    }
    sweep_filter(s, block, isa, slack);
}

void sweep_block(struct sweep *s, const void *x, const void *y, const void *const *got, uint32_t n)
{
    struct sweep_block const block = {x, y, got, n, NULL};
    sweep_block_on(s, &block, evaluator_find_isa());
}

static void count_inputs(enum fmt_id fmt, uint32_t base, void *x, uint32_t n)
{
    for (uint32_t i = 0; i < n && fmt == FMT_F16; i++) {
        ((uint16_t *)x)[i] = (uint16_t)(base + i);
    }
    for (uint32_t i = 0; i < n && fmt == FMT_F32; i++) {
        ((uint32_t *)x)[i] = base + i;
    }
}

/* Bounds that depend on the argument are wider here than what holds for all, which goes to kept. */
static void widen_bounds(struct sweep *s, uint32_t first, uint32_t last,
                         struct func_bound kept[SWEEP_MAX_FORMS])
{
    for (uint32_t i = 0; i < s->n_forms; i++) {
        struct sweep_form *const m = &s->form[i];
        struct func_bound here;
        kept[i] = m->bound;
        if (m->has_rule && accuracy_find_least(&m->rule, s->fmt, first, last, &here)) {
            m->bound = here;
        }
    }
}

static void restore_bounds(struct sweep *s, const struct func_bound kept[SWEEP_MAX_FORMS])
{
    for (uint32_t i = 0; i < s->n_forms; i++) {
        s->form[i].bound = kept[i];
    }
}

void sweep_run_on(struct sweep *s, uint32_t base, void *x, const void *const *got, uint32_t n,
                  enum evaluator_isa isa)
{
    struct sweep_block const block = {x, NULL, got, n, NULL};
    double const slack = keep_slack(s, isa);
    struct func_bound kept[SWEEP_MAX_FORMS];
    assert(s->fmt != FMT_F64 && func_rows[s->func].n_args == 1 && n > 0);
    widen_bounds(s, base, base + (n - 1), kept);
    if (slack < 0 || !sweep_filter_flat(s, &block, base, isa, slack)) {
        count_inputs(s->fmt, base, x, n);
        sweep_block_on(s, &block, isa);
    }
    restore_bounds(s, kept);
    sweep_add_halves(s, base, got, n, isa);
}

void sweep_run(struct sweep *s, uint32_t base, void *x, const void *const *got, uint32_t n)
{
    sweep_run_on(s, base, x, got, n, evaluator_find_isa());
}

void sweep_block_many(struct sweep *s, const void *const *args, const void *const *got, uint32_t n)
{
    const struct func_row *const f = &func_rows[s->func];
    unsigned const n_args = f->n_args + (f->has_int ? 1 : 0);
    struct sweep_block const block = {args[0], n_args > 1 ? args[1] : NULL, got, n,
                                      n_args > 2 ? args[2] : NULL};
    sweep_block_on(s, &block, evaluator_find_isa());
}

const char *sweep_get_evaluator(enum func_id func, enum fmt_id fmt, int *is_certified)
{
    static const char *const names[EVALUATOR_ISA_N] = {"sse2 double", "avx2 double",
                                                       "avx512 double"};
    enum evaluator_isa const isa = evaluator_find_isa();
    if (fmt == FMT_F64 && sweep_double_has(func)) {
        *is_certified = 1;
        return "pair of doubles";
    }
    *is_certified = find_slack(func, fmt, isa) >= 0;
    return *is_certified ? names[isa] : "mpfr";
}
