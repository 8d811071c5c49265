/* oracle/sweep/sweep_doubt.c -- what the filter leaves in doubt, by MPFR. Where a function is next to flat, as
 * exp is near 0, both ends of a run of neighbouring inputs tell what is between them. */
#include "oracle/sweep/sweep_doubt.h"

#include <string.h>

#include "oracle/sweep/sweep_judge.h"
#include "oracle/sweep/sweep_lane.h"
#include "oracle/sweep/sweep_order.h"

/* What one verdict adds. */
struct tally {
    uint64_t n, n_numbers, n_rounded, n_broken, n_special, n_zero_sign, n_flushed, n_undecided;
    uint64_t histogram[SWEEP_BINS];
};

static struct tally get_tally(const struct sweep_result *r)
{
    struct tally t = {r->n,           r->n_numbers, r->n_rounded,   r->n_broken, r->n_special,
                      r->n_zero_sign, r->n_flushed, r->n_undecided, {0}};
    memcpy(t.histogram, r->histogram, sizeof t.histogram);
    return t;
}

static struct tally judge(struct sweep *s, uint32_t form, const struct sweep_block *b, uint32_t i)
{
    struct sweep_result *const r = &s->result[form];
    struct tally const old = get_tally(r);
    struct tally t;
    sweep_judge_one(s, form, b, i);
    struct tally const now = get_tally(r);
    t = (struct tally){now.n - old.n,
                       now.n_numbers - old.n_numbers,
                       now.n_rounded - old.n_rounded,
                       now.n_broken - old.n_broken,
                       now.n_special - old.n_special,
                       now.n_zero_sign - old.n_zero_sign,
                       now.n_flushed - old.n_flushed,
                       now.n_undecided - old.n_undecided,
                       {0}};
    for (uint32_t k = 0; k < SWEEP_BINS; k++) {
        t.histogram[k] = now.histogram[k] - old.histogram[k];
    }
    return t;
}

/* Numbers within their bound alone: of the others the inputs themselves are kept. */
static int may_repeat(const struct tally *t, const struct tally *other)
{
    return memcmp(t, other, sizeof *t) == 0 && t->n_special == 0 && t->n_zero_sign == 0;
}

static void repeat(struct sweep_result *r, const struct tally *t, double error, uint64_t times)
{
    r->n += times * t->n;
    r->n_numbers += times * t->n_numbers;
    r->n_rounded += times * t->n_rounded;
    r->n_broken += times * t->n_broken;
    r->n_flushed += times * t->n_flushed;
    r->n_undecided += times * t->n_undecided;
    r->sum_error += (double)times * error;
    for (uint32_t k = 0; k < SWEEP_BINS; k++) {
        r->histogram[k] += times * t->histogram[k];
    }
}

/* The error is monotone over a run of one result, so equal verdicts at its ends hold between. */
static void judge_run(struct sweep *s, uint32_t form, const struct sweep_block *b, uint32_t first,
                      uint32_t last)
{
    struct sweep_result *const r = &s->result[form];
    struct tally const at_first = judge(s, form, b, first);
    if (first == last) {
        return;
    }
    double const before = r->sum_error;
    struct tally const at_last = judge(s, form, b, last);
    double const error = r->sum_error - before;
    int const is_same = may_repeat(&at_first, &at_last);
    /* so many at least as the list of the broken ones has room for */
    uint32_t const n_apart = at_first.n_broken > 0 ? SWEEP_WORST : 0;
    uint32_t i = first + 1;
    for (; i < last && (!is_same || i <= first + n_apart); i++) {
        sweep_judge_one(s, form, b, i);
    }
    repeat(r, &at_first, error, last - i);
}

void sweep_judge_doubts(struct sweep *s, uint32_t form, const struct sweep_block *b, uint32_t first,
                        uint32_t n, const int64_t *code)
{
    const void *const got = b->got[form];
    for (uint32_t i = 0; i < n; i++) {
        if (code[i] != SWEEP_DOUBT) {
            continue;
        }
        uint64_t const x = sweep_load(s->fmt, b->x, first + i);
        uint64_t const y = sweep_load(s->fmt, got, first + i);
        /* a rule may permit one end of a run and not the middle */
        int const direction = s->form[form].has_rule ? 0 : sweep_get_direction(s->func, s->fmt, x);
        uint32_t last = i;
        while (direction != 0 && last + 1 < n && code[last + 1] == SWEEP_DOUBT &&
               sweep_load(s->fmt, b->x, first + last + 1) == x + (last + 1 - i) &&
               sweep_load(s->fmt, got, first + last + 1) == y) {
            last++;
        }
        if (sweep_get_direction(s->func, s->fmt, sweep_load(s->fmt, b->x, first + last)) !=
            direction) {
            last = i;
        }
        judge_run(s, form, b, first + i, first + last);
        i = last;
    }
}
