/* fuzz/audit_search.c -- inputs of a search: known hard ones, random by exponent, climbing. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/audit_parts.h"

enum {
    SEARCH_FILE_BYTES = 16 << 20,
    SEARCH_MAX_SPECIALS = 64,
    SEARCH_SMALL_INT = 64
};

/* --- what is tried first --- */

/* Special values and their neighbours, as encodings. */
static uint32_t list_specials(const struct float_format *f, uint64_t *out)
{
    uint64_t const one = f->exp >> 1 & ~f->frac;
    uint64_t const min_normal = f->frac + 1;
    uint64_t const plain[] = {0,
                              1,
                              f->frac,
                              min_normal,
                              min_normal + 1,
                              one - min_normal, /* 1/2 */
                              one - 1,
                              one,
                              one + 1,
                              one | (f->frac + 1) >> 1, /* 3/2 */
                              one + min_normal,         /* 2 */
                              one + min_normal + ((f->frac + 1) >> 1),
                              one + 2 * min_normal,
                              one + (uint64_t)f->prec_bits * min_normal,
                              f->exp - 1,
                              f->exp - min_normal,
                              f->exp,
                              f->exp | f->quiet,
                              f->exp | 1};
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

static void add_seed(struct audit_search *s, uint64_t x, uint64_t y)
{
    if (s->n_seeds < AUDIT_MAX_SEEDS) {
        s->seeds[s->n_seeds++] = (struct audit_point){
            {x, y}
        };
    }
}

static void add_specials(struct audit_search *s)
{
    const struct float_format *const f = &float_formats[s->fmt];
    uint64_t first[SEARCH_MAX_SPECIALS], second[SEARCH_MAX_SPECIALS] = {0};
    uint32_t const n_first = list_specials(f, first);
    uint32_t const n_second = s->has_int       ? list_integers(f, second)
                              : s->n_args == 2 ? list_specials(f, second)
                                               : 1;
    for (uint32_t i = 0; i < n_first; i++) {
        for (uint32_t k = 0; k < n_second; k++) {
            add_seed(s, first[i], second[k]);
        }
    }
}

/* A line "exp f64 0x3ff0000000000000", with a second argument where there is one; # is a comment. */
static void add_line(struct audit_search *s, const char *line, struct arena *a)
{
    const char *const head =
        arena_printf(a, "%s %s ", func_rows[s->func].name, float_formats[s->fmt].name);
    uint64_t arg[2] = {0, 0};
    if (strncmp(line, head, strlen(head)) != 0) {
        return;
    }
    const char *at = line + strlen(head);
    for (uint32_t i = 0; i < s->n_args + (s->has_int ? 1u : 0u); i++) {
        char *end = NULL;
        arg[i] = strtoull(at, &end, 16) & format_mask(&float_formats[s->fmt]);
        if (end == at) {
            return;
        }
        at = end;
    }
    add_seed(s, arg[0], arg[1]);
}

/* A list that is not there is an empty one. */
static void add_listed(struct audit_search *s, struct arena *a)
{
    struct arena own;
    struct err ignored;
    const unsigned char *text = NULL;
    size_t n = 0;
    arena_init(&own, (size_t)2 * SEARCH_FILE_BYTES);
    const char *const path = arena_printf(&own, "corpora/worst/%s.txt", func_rows[s->func].name);
    if (file_read(path, SEARCH_FILE_BYTES, &own, &text, &n, &ignored) == RES_OK) {
        const char *line = (const char *)text;
        const char *const end = line + n;
        while (line < end) {
            const char *const stop = memchr(line, '\n', (size_t)(end - line));
            const char *const copy = arena_copy(&own, line, (size_t)((stop ? stop : end) - line));
            if (copy) {
                add_line(s, copy, &own);
            }
            line = stop ? stop + 1 : end;
        }
    }
    arena_free(&own);
    (void)a;
}

enum res audit_search_init(struct audit_search *s, const struct audit_row *row, uint64_t seed,
                           struct arena *a, struct err *e)
{
    const struct func_row *const f = &func_rows[row->func];
    *s = (struct audit_search){.func = row->func,
                               .fmt = row->fmt,
                               .n_args = f->n_args,
                               .has_int = f->has_int,
                               .n_total = row->n_inputs,
                               .n_made = row->n_done};
    uint64_t const label = (uint64_t)row->func << 40 ^ (uint64_t)row->fmt << 32;
    s->rng = rng_seed(seed ^ label ^ hash_bytes(1, &row->n_done, sizeof row->n_done));
    s->seeds = ARENA_NEW(a, struct audit_point, AUDIT_MAX_SEEDS);
    s->starts = ARENA_NEW(a, struct audit_point, AUDIT_MAX_STARTS);
    if (!s->seeds || !s->starts) {
        return err_set(e, RES_NOMEM, "no room for a search");
    }
    add_listed(s, a);
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

/* --- climbing --- */

int audit_search_is_climbing(const struct audit_search *s)
{
    return s->n_made >= s->n_seeds && s->n_made >= s->n_total / 2;
}

static void add_start(struct audit_search *s, const struct sweep_worst *w)
{
    if (s->n_starts < AUDIT_MAX_STARTS && (w->error > 0 || w->error < 0)) {
        s->starts[s->n_starts++] = (struct audit_point){
            {w->arg[0], w->arg[1]}
        };
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

static struct audit_point climb(struct audit_search *s)
{
    /* The worst ones of each form come first in the list: every second time one of them. */
    uint64_t const n_best = s->n_starts < 2 * SWEEP_WORST ? s->n_starts : 2 * SWEEP_WORST;
    uint64_t const n = rng_below(&s->rng, 2) ? n_best : s->n_starts;
    struct audit_point p = s->starts[rng_below(&s->rng, n)];
    uint64_t const which = rng_below(&s->rng, 3); /* first, second, both */
    if (which != 1 || s->n_args + (s->has_int ? 1u : 0u) == 1) {
        p.arg[0] = step(s, p.arg[0]);
    }
    if (which != 0 && s->has_int) {
        p.arg[1] = (p.arg[1] + rng_below(&s->rng, 3) - 1) & format_mask(&float_formats[s->fmt]);
    } else if (which != 0 && s->n_args == 2) {
        p.arg[1] = step(s, p.arg[1]);
    }
    return p;
}

void audit_search_fill(struct audit_search *s, void *x, void *y, uint32_t n)
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
            p.arg[0] = draw_float(s);
            p.arg[1] = s->has_int ? draw_int(s) : s->n_args == 2 ? draw_float(s) : 0;
        }
        store_le((unsigned char *)x + (size_t)i * size, p.arg[0], size);
        if (y) {
            store_le((unsigned char *)y + (size_t)i * size, p.arg[1], size);
        }
    }
}
