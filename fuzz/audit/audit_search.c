/* fuzz/audit/audit_search.c -- inputs of a search: known hard ones, random by exponent, climbing. */
#include "fuzz/audit/audit_search.h"

#include <string.h>

#include "base/format.h"
#include "base/func_row.h"
#include "oracle/func/func.h"

enum {
    SEARCH_MAX_SPECIALS = 64,
    SEARCH_SMALL_INT = 64
};

/* --- what is tried first --- */

/* The encoding of 1: the exponent field is the bias, which is all its bits but the highest. */
static uint64_t encode_one(const struct float_format *f)
{
    return f->exp >> 1 & ~f->frac;
}

/* List the encodings where functions often have special cases (zeros, ends of the subnormal and normal numbers, 1,
 * small numbers, infinities, NaNs), each with either sign. `out` has room for all; returns how many. */
static uint32_t list_specials(const struct float_format *f, uint64_t *out)
{
    uint64_t const one = encode_one(f);
    uint64_t const binade = f->frac + 1; /* the least normal number, and from 2^e to 2^(e + 1) */
    uint64_t const half = binade >> 1;   /* of the fractions of a binade */
    uint64_t const plain[] = {0,
                              1,       /* the least subnormal */
                              f->frac, /* the largest */
                              binade,
                              binade + 1,
                              one - binade, /* 1/2 */
                              one - 1,
                              one,
                              one + 1,
                              one | half,                            /* 3/2 */
                              one + binade,                          /* 2 */
                              one + binade + half,                   /* 3 */
                              one + 2 * binade,                      /* 4 */
                              one + (uint64_t)f->prec_bits * binade, /* 2^precision, of ulp 2 */
                              f->exp - 1,                            /* the largest finite one */
                              f->exp - binade,                       /* the largest power of 2 */
                              f->exp,                                /* infinity */
                              f->exp | f->quiet,                     /* a quiet NaN */
                              f->exp | 1};                           /* a signalling one */
    uint32_t n = 0;
    for (size_t i = 0; i < ARRAY_N(plain); i++) {
        out[n++] = plain[i];
        out[n++] = plain[i] | f->sign;
    }
    return n;
}

/* So few that every three of them are tried. */
static uint32_t list_few(const struct float_format *f, uint64_t *out)
{
    uint64_t const one = encode_one(f);
    uint64_t const plain[] = {0, 1, f->frac + 1, one, f->exp - 1, f->exp, f->exp | f->quiet};
    uint32_t n = 0;
    for (size_t i = 0; i < ARRAY_N(plain); i++) {
        out[n++] = plain[i];
        out[n++] = plain[i] | f->sign;
    }
    return n;
}

/* Integers of ldexp, pown, rootn. */
static uint32_t list_integers(const struct float_format *f, uint64_t *out)
{
    static const int32_t plain[] = {0, 1, 2, 3, 4, 5, 7, 10, 24, 100, 127, 128, 1023, 1024, 2200};
    uint32_t n = 0;
    for (size_t i = 0; i < ARRAY_N(plain); i++) {
        out[n++] = (uint64_t)(int64_t)plain[i] & format_mask(f);
        out[n++] = (uint64_t) - (int64_t)plain[i] & format_mask(f);
    }
    return n;
}

static void add_seed(struct audit_search *s, const uint64_t arg[SWEEP_ARGS])
{
    if (s->n_seeds < AUDIT_MAX_SEEDS) {
        memcpy(s->seeds[s->n_seeds++].arg, arg, sizeof s->seeds->arg);
    }
}

/* Every combination of those of each argument. */
static void add_specials(struct audit_search *s)
{
    const struct float_format *const f = &float_formats[s->fmt];
    uint64_t list[SWEEP_ARGS][SEARCH_MAX_SPECIALS] = {{0}};
    uint32_t n[SWEEP_ARGS] = {1, 1, 1};
    for (uint32_t i = 0; i < s->n_all; i++) {
        if (i >= s->n_args) {
            n[i] = list_integers(f, list[i]);
        } else {
            n[i] = s->n_args > 2 ? list_few(f, list[i]) : list_specials(f, list[i]);
        }
    }
    for (uint32_t i = 0; i < n[0] * n[1] * n[2]; i++) {
        uint64_t const arg[SWEEP_ARGS] = {list[0][i / (n[1] * n[2])], list[1][i / n[2] % n[1]],
                                          list[2][i % n[2]]};
        add_seed(s, arg);
    }
}

/* Those of the list that are of this function and type. */
static void add_listed(struct audit_search *s, const struct worst_list *worst)
{
    for (uint32_t i = 0; worst && i < worst->n; i++) {
        const struct worst_input *const x = &worst->inputs[i];
        if (x->func == s->func && x->fmt == s->fmt) {
            add_seed(s, x->arg);
        }
    }
}

/* Begin the search for inputs with large errors in a row of which not all inputs can be tried. First come the
 * listed hard inputs of this function and type (`worst`), then special values; both are in s->seeds. A row
 * that was begun earlier goes on with the count row->n_done. */
enum res audit_search_init(struct audit_search *s, const struct audit_row *row, uint64_t seed,
                           const struct worst_list *worst, struct arena *a, struct err *e)
{
    const struct func_row *const f = &func_rows[row->func];
    *s = (struct audit_search){.func = row->func,
                               .fmt = row->fmt,
                               .n_args = f->n_args,
                               .has_int = f->has_int,
                               .n_all = f->n_args + (f->has_int ? 1 : 0),
                               .n_total = row->n_inputs,
                               .n_end = row->n_inputs,
                               .n_made = row->n_done};
    /* Random numbers of its own for each row, and for what is left of a row that goes on. */
    uint64_t const label = (uint64_t)row->func << 40 ^ (uint64_t)row->fmt << 32;
    s->rng = rng_seed(seed ^ label ^ hash_bytes(1, &row->n_done, sizeof row->n_done));
    s->seeds = ARENA_NEW(a, struct audit_point, AUDIT_MAX_SEEDS);
    s->starts = ARENA_NEW(a, struct audit_point, AUDIT_MAX_STARTS);
    if (!s->seeds || !s->starts) {
        return err_set(e, RES_NOMEM, "no room for a search");
    }
    add_listed(s, worst);
    add_specials(s);
    return RES_OK;
}

/* --- random --- */

static uint64_t draw_int(struct audit_search *s)
{
    const struct float_format *const f = &float_formats[s->fmt];
    uint64_t const kind = rng_below(&s->rng, 4);
    uint64_t const width = kind == 0 ? 32 : kind == 1 ? 12 : 7;
    uint64_t const half = UINT64_C(1) << (width - 1);
    return (rng_below(&s->rng, 2 * half) - half) & format_mask(f);
}

/* A float with an exponent within `reach` of that of 1. */
static uint64_t draw_near_one(struct audit_search *s, uint64_t reach)
{
    const struct float_format *const f = &float_formats[s->fmt];
    uint64_t const bias = (uint64_t)f->emax;
    uint64_t const e = bias - reach + rng_below(&s->rng, 2 * reach + 1);
    return e << (f->prec_bits - 1) | (rng_next(&s->rng) & (f->frac | f->sign));
}

/* Of 16: 8 any encoding, 5 an exponent near that of 1, 2 the same with few bits, 1 beside a special value. */
static uint64_t draw_float(struct audit_search *s)
{
    const struct float_format *const f = &float_formats[s->fmt];
    uint64_t specials[SEARCH_MAX_SPECIALS];
    uint64_t const kind = rng_below(&s->rng, 16);
    if (kind < 8) {
        return rng_next(&s->rng) & format_mask(f);
    }
    if (kind < 13) {
        return draw_near_one(s, kind < 11 ? 4 : 9);
    }
    if (kind < 15) { /* few bits: integers, halves, exact cases */
        uint64_t const kept = f->sign | f->exp | (f->frac & ~(f->frac >> 5));
        return draw_near_one(s, 9) & kept;
    }
    uint32_t const n = list_specials(f, specials);
    uint64_t const enc = specials[rng_below(&s->rng, n)];
    return (enc + rng_below(&s->rng, 65) - 32) & format_mask(f);
}

/* The third argument of fma for these first two: mostly about as large as their product, so that the sum
 * cancels and its rounding shows whether the product was kept exact. kind 0: any float; 1: minus the product,
 * up to 2 ulp beside it; 2: a power of two, 3: any number, both of either sign and up to `reach` binades
 * beside it. */
static uint64_t draw_addend(struct audit_search *s, const uint64_t arg[SWEEP_ARGS])
{
    const struct float_format *const f = &float_formats[s->fmt];
    struct func_args const product = {
        .fmt = s->fmt, .enc = {arg[0], arg[1]}
    };
    uint64_t const kind = rng_below(&s->rng, 4);
    if (kind == 0) {
        return draw_float(s);
    }
    uint64_t const near = func_round(FUNC_FMUL, ENV_CL, &product) ^ f->sign;
    if (kind == 1) { /* up to 2 ulp beside it */
        return (near + rng_below(&s->rng, 5) - 2) & format_mask(f);
    }
    uint64_t const reach = f->prec_bits + 2;
    uint64_t const binades = rng_below(&s->rng, 2 * reach + 1) - reach;
    uint64_t const moved = (near & f->exp) + binades * (f->frac + 1);
    uint64_t const fraction = kind == 2 ? 0 : rng_next(&s->rng) & f->frac;
    return (moved & f->exp) | fraction | (rng_next(&s->rng) & f->sign);
}

/* ldexp: a power that brings the result to where it is subnormal, or about to overflow. */
static uint64_t draw_power(struct audit_search *s, uint64_t x)
{
    const struct float_format *const f = &float_formats[s->fmt];
    int64_t const field = (int64_t)((x & f->exp) >> (f->prec_bits - 1));
    int64_t const most = (int64_t)(f->exp >> (f->prec_bits - 1));
    int64_t const reach = (int64_t)f->prec_bits + 2;
    int64_t const target = rng_below(&s->rng, 4) ? -reach : most - reach / 2;
    int64_t const n = target - field + (int64_t)rng_below(&s->rng, (uint64_t)reach + 4);
    return (uint64_t)n & format_mask(f);
}

static struct audit_point draw_point(struct audit_search *s)
{
    struct audit_point p = {.arg = {0}};
    for (uint32_t i = 0; i < s->n_args; i++) {
        p.arg[i] = i == 2 ? draw_addend(s, p.arg) : draw_float(s);
    }
    if (s->has_int) {
        int const is_power = s->func == FUNC_LDEXP && rng_below(&s->rng, 2);
        p.arg[s->n_args] = is_power ? draw_power(s, p.arg[0]) : draw_int(s);
    }
    return p;
}

/* --- climbing --- */

int audit_search_is_climbing(const struct audit_search *s)
{
    return s->n_made >= s->n_seeds && s->n_made >= s->n_total / 2;
}

static void add_start(struct audit_search *s, const struct sweep_worst *w)
{
    if (s->n_starts < AUDIT_MAX_STARTS && (w->error > 0 || w->error < 0)) {
        memcpy(s->starts[s->n_starts++].arg, w->arg, sizeof w->arg);
    }
}

void audit_search_learn(struct audit_search *s, const struct sweep_result *r, uint32_t n_forms)
{
    s->n_starts = 0;
    for (uint32_t form = 0; form < n_forms; form++) {
        add_start(s, &r[form].above);
        add_start(s, &r[form].below);
        for (uint32_t i = 0; i < SWEEP_WORST; i++) {
            add_start(s, &r[form].broken[i]);
        }
    }
    for (uint32_t i = 0; n_forms > 0 && i < SWEEP_PLOT; i++) {
        add_start(s, &r[0].plot[i]);
    }
}

/* Is the largest error of the form near its bound, and nothing wrong? A correctly rounded result is always up to half an ulp
 * off: there, being near the bound of half an ulp means nothing. */
static bool is_near_bound(const struct audit_case *c)
{
    static const double near = 0.8, half_ulp = 0.5;
    return c->kind == AUDIT_CASE_LARGEST && c->ratio >= near && c->bound_ulp > half_ulp;
}

bool audit_search_go_on(struct audit_search *s, const struct audit_row *row)
{
    enum {
        N_STEPS = 8 /* in which as many inputs again are tried as were planned */
    };
    uint32_t n = 0;
    double nearness = 0;
    for (uint32_t i = 0; i < row->n_forms; i++) {
        if (is_near_bound(&row->found[i])) {
            memcpy(s->starts[n++].arg, row->found[i].worst.arg, sizeof s->starts->arg);
            nearness += row->found[i].ratio;
        }
    }
    uint64_t const n_step = s->n_total / N_STEPS;
    if (n == 0 || n_step == 0 || nearness <= s->nearness || s->n_end + n_step > 2 * s->n_total) {
        return false;
    }
    s->n_starts = n;
    s->nearness = nearness;
    s->n_end += n_step;
    return true;
}

/* A neighbour: some units in the last place away, of the other sign, or one binade on. */
static uint64_t step(struct audit_search *s, uint64_t enc)
{
    const struct float_format *const f = &float_formats[s->fmt];
    uint64_t const kind = rng_below(&s->rng, 16);
    if (kind == 0) {
        return enc ^ f->sign;
    }
    if (kind < 3) {
        uint64_t const binade = f->frac + 1;
        return (kind == 1 ? enc + binade : enc - binade) & format_mask(f);
    }
    uint64_t const reach = UINT64_C(1) << rng_below(&s->rng, f->prec_bits - 1);
    return (enc + rng_below(&s->rng, 2 * reach + 1) - reach) & format_mask(f);
}

/* One step uphill from what is known: a starting point, which is an input with a large error, with one of its
 * arguments or all of them moved to a neighbour, where an even larger error may be. */
static struct audit_point climb(struct audit_search *s)
{
    /* The worst ones of each form come first in the list: every second time one of them. */
    uint64_t const n_best = s->n_starts < 2 * SWEEP_WORST ? s->n_starts : 2 * SWEEP_WORST;
    uint64_t const n = rng_below(&s->rng, 2) ? n_best : s->n_starts;
    struct audit_point p = s->starts[rng_below(&s->rng, n)];
    uint64_t const which = rng_below(&s->rng, s->n_all + 1); /* s->n_all: all of them */
    uint64_t const mask = format_mask(&float_formats[s->fmt]);
    for (uint32_t i = 0; i < s->n_all; i++) {
        bool const is_integer = i >= s->n_args;
        if (which != i && which != s->n_all) {
            continue;
        }
        if (is_integer) { /* by at most 1 */
            p.arg[i] = (p.arg[i] + rng_below(&s->rng, 3) - 1) & mask;
        } else {
            p.arg[i] = step(s, p.arg[i]);
        }
    }
    return p;
}

void audit_search_fill(struct audit_search *s, void *const *buffers, uint32_t n)
{
    uint32_t const size = float_formats[s->fmt].n_bits / 8;
    int const is_climbing = audit_search_is_climbing(s) && s->n_starts > 0;
    for (uint32_t i = 0; i < n; i++, s->n_made++) {
        struct audit_point p;
        if (s->n_made < s->n_seeds) {
            p = s->seeds[s->n_made];
        } else if (is_climbing) {
            p = climb(s);
        } else {
            p = draw_point(s);
        }
        for (uint32_t k = 0; k < s->n_all; k++) {
            store_le((unsigned char *)buffers[k] + (size_t)i * size, p.arg[k], size);
        }
    }
}
