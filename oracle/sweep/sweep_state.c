/* oracle/sweep/sweep_state.c -- what was found: bins, the worst, and the sum of two. */
#include "oracle/sweep/sweep_state.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/format.h"

uint64_t sweep_load(enum fmt_id fmt, const void *p, uint32_t i)
{
    switch (fmt) {
    case FMT_F16:
        return ((const uint16_t *)p)[i];
    case FMT_F32:
        return ((const uint32_t *)p)[i];
    case FMT_F64:
    case FMT_BF16: /* of no function */
        return ((const uint64_t *)p)[i];
    }
    assert(0 && "fmt_id out of range");
    return 0;
}

uint32_t sweep_get_bin(double magnitude_ulp)
{
    uint64_t enc;
    memcpy(&enc, &magnitude_ulp, sizeof enc);
    int64_t const bin = (int64_t)(enc - SWEEP_FIRST_BIN) >> SWEEP_BIN_SHIFT;
    return bin < 0 ? 0 : (bin >= SWEEP_BINS ? SWEEP_BINS - 1 : (uint32_t)bin);
}

/* The upper nine bits: of f32 one binade. */
uint32_t sweep_get_slice(enum fmt_id fmt, uint64_t x)
{
    return (uint32_t)(x >> (float_formats[fmt].n_bits - 9)) % SWEEP_PLOT;
}

/* Of inputs, by the first argument first: < 0, 0 or > 0. */
static int compare_args(const uint64_t a[SWEEP_ARGS], const uint64_t b[SWEEP_ARGS])
{
    for (int i = 0; i < SWEEP_ARGS; i++) {
        if (a[i] != b[i]) {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}

bool sweep_is_larger(const struct sweep_worst *worst, const struct sweep_worst *than)
{
    double const x = fabs(worst->error), y = fabs(than->error);
    return x > y || (x > 0 && x >= y && compare_args(worst->arg, than->arg) < 0);
}

void sweep_put_side(struct sweep_result *r, const struct sweep_worst *worst)
{
    struct sweep_worst *const side = worst->error > 0 ? &r->above : &r->below;
    if (sweep_is_larger(worst, side)) {
        *side = *worst;
    }
}

void sweep_put_largest(struct sweep *s, uint32_t form, const struct sweep_worst *worst)
{
    struct sweep_result *const r = &s->result[form];
    struct sweep_worst *const point = &r->plot[sweep_get_slice(s->fmt, worst->arg[0])];
    sweep_put_side(r, worst);
    if (sweep_is_larger(worst, point)) {
        *point = *worst;
    }
}

/* Largest first; of equal ones the lower inputs. */
static void insert_worst(struct sweep_worst *list, const struct sweep_worst *worst)
{
    uint32_t i = SWEEP_WORST;
    while (i > 0 && sweep_is_larger(worst, &list[i - 1])) {
        if (i < SWEEP_WORST) {
            list[i] = list[i - 1];
        }
        i--;
    }
    if (i < SWEEP_WORST) {
        list[i] = *worst;
    }
}

void sweep_put_broken(struct sweep_result *r, const struct sweep_worst *worst)
{
    r->n_broken++;
    insert_worst(r->broken, worst);
}

void sweep_put_input(uint64_t (*args)[SWEEP_ARGS], uint64_t *gots, uint64_t n_before,
                     const uint64_t arg[SWEEP_ARGS], uint64_t got)
{
    uint64_t i = n_before < SWEEP_WORST ? n_before : SWEEP_WORST;
    for (; i > 0 && compare_args(arg, args[i - 1]) < 0; i--) {
        if (i < SWEEP_WORST) {
            memcpy(args[i], args[i - 1], sizeof args[i]);
            gots[i] = gots[i - 1];
        }
    }
    if (i < SWEEP_WORST) {
        memcpy(args[i], arg, sizeof args[i]);
        gots[i] = got;
    }
}

static void merge_list(uint64_t (*to_arg)[SWEEP_ARGS], uint64_t *to_got, uint64_t n_to,
                       const uint64_t (*arg)[SWEEP_ARGS], const uint64_t *got, uint64_t n)
{
    for (uint64_t i = 0; i < n && i < SWEEP_WORST; i++) {
        sweep_put_input(to_arg, to_got, n_to + i, arg[i], got[i]);
    }
}

/* Adds to *to the results of another process. Lists are merged first, because they depend on the
 * counts; then counts are added; of each worst case the larger one is kept. */
void sweep_merge(struct sweep_result *to, const struct sweep_result *from)
{
    merge_list(to->special_arg, to->special_got, to->n_special, from->special_arg,
               from->special_got, from->n_special);
    merge_list(to->zero_arg, to->zero_got, to->n_zero_sign, from->zero_arg, from->zero_got,
               from->n_zero_sign);
    to->n += from->n;
    to->n_numbers += from->n_numbers;
    to->n_rounded += from->n_rounded;
    to->n_broken += from->n_broken;
    to->n_special += from->n_special;
    to->n_zero_sign += from->n_zero_sign;
    to->n_flushed += from->n_flushed;
    if (from->n_breaks > 0 && (to->n_breaks == 0 || from->break_x < to->break_x)) {
        to->break_x = from->break_x;
    }
    to->n_breaks += from->n_breaks;
    for (uint32_t i = 0; i < SWEEP_BINADES; i++) {
        to->half[0][i] += from->half[0][i];
        to->half[1][i] += from->half[1][i];
    }
    to->n_slow += from->n_slow;
    to->n_undecided += from->n_undecided;
    sweep_add_sum(to, &from->sum, 1);
    for (uint32_t i = 0; i < SWEEP_BINS; i++) {
        to->histogram[i] += from->histogram[i];
    }
    to->above = sweep_is_larger(&from->above, &to->above) ? from->above : to->above;
    to->below = sweep_is_larger(&from->below, &to->below) ? from->below : to->below;
    for (uint32_t i = 0; i < SWEEP_WORST && i < from->n_broken; i++) {
        insert_worst(to->broken, &from->broken[i]);
    }
    for (uint32_t i = 0; i < SWEEP_PLOT; i++) {
        to->plot[i] = sweep_is_larger(&from->plot[i], &to->plot[i]) ? from->plot[i] : to->plot[i];
    }
}
