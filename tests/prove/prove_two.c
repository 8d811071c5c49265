/* tests/prove/prove_two.c -- evaluators of two arguments, and f64 in pairs of doubles, against MPFR on 10^8
 * random inputs each. prove_two DIRECTORY [FUNCTION...] -- DIRECTORY/two_WIDTH_FUNCTION.tsv has a line
 * per 10^6 inputs and is resumed. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/sweep/evaluator_two.h"
#include "oracle/sweep/sweep.h"
#include "oracle/sweep/sweep_double.h"

enum {
    N_PARTS = 100,
    PART = 1000000,
    BLOCK = 4000,
    N_RESULTS = 3 /* the right one, a neighbour, one a few units off */
};

struct inputs {
    uint64_t x[BLOCK], y[BLOCK], got[N_RESULTS][BLOCK]; /* in the format's width */
};
/* All encodings, those from 1/16 to 16, and of these some with few bits. */
static uint64_t draw(struct rng *rng, const struct float_format *f)
{
    uint64_t const r = rng_next(rng), any = rng_next(rng) & format_mask(f);
    uint64_t const field = (uint64_t)f->emax - 4 + (r >> 8) % 8;
    uint64_t const moderate = (any & (f->sign | f->frac)) | field << (f->prec_bits - 1);
    if (r % 4 < 2) {
        return r % 4 == 0 ? any : moderate;
    }
    return r % 4 == 2 ? moderate & ~(f->frac >> (f->prec_bits / 2)) : moderate;
}

static void fill(const struct sweep *s, struct rng *rng, struct inputs *in)
{
    struct float_format const *const f = &float_formats[s->fmt];
    uint32_t const size = f->n_bits / 8;
    for (uint32_t i = 0; i < BLOCK; i++) {
        struct func_args const a = {
            .fmt = s->fmt, .enc = {draw(rng, f), draw(rng, f)}
        };
        uint64_t const right = func_round(s->func, s->env, &a);
        uint64_t const got[N_RESULTS] = {right, right + 1 - (rng_next(rng) & 2),
                                         right + rng_below(rng, 17) - 8};
        store_le((unsigned char *)in->x + (size_t)i * size, a.enc[0], size);
        store_le((unsigned char *)in->y + (size_t)i * size, a.enc[1], size);
        for (uint32_t k = 0; k < N_RESULTS; k++) {
            store_le((unsigned char *)in->got[k] + (size_t)i * size, got[k], size);
        }
    }
}

static bool is_same(const struct sweep_result *a, const struct sweep_result *b)
{
    return a->n == b->n && a->n_numbers == b->n_numbers && a->n_rounded == b->n_rounded &&
           a->n_broken == b->n_broken && a->n_special == b->n_special &&
           a->n_zero_sign == b->n_zero_sign && a->n_flushed == b->n_flushed &&
           a->n_undecided == b->n_undecided;
}

/* Judges a part, a million random inputs in blocks, by the filter and by MPFR: in how many blocks, by form,
 * the verdicts differ. *n_slow: verdicts that the filter left to MPFR. Two forms have a bound of correct
 * rounding, one of 3 ulps. */
static unsigned run_part(enum func_id func, enum fmt_id fmt, unsigned index, uint64_t *n_slow)
{
    struct sweep fast, slow;
    struct inputs in;
    struct rng rng = rng_seed((uint64_t)func << 32 ^ (uint64_t)fmt << 16 ^ index);
    const void *const got[N_RESULTS] = {in.got[0], in.got[1], in.got[2]};
    unsigned n_bad = 0;
    *n_slow = 0;
    for (uint32_t done = 0; done < PART; done += BLOCK) {
        memset(&fast, 0, sizeof fast);
        fast.func = func;
        fast.env = ENV_CL;
        fast.fmt = fmt;
        fast.n_forms = N_RESULTS;
        for (uint32_t k = 0; k < N_RESULTS; k++) {
            fast.form[k] = (struct sweep_form){.bound = {.ulp = k < 2 ? 0 : 3}, .has_bound = 1};
        }
        slow = fast;
        fill(&slow, &rng, &in);
        struct sweep_block const b = {in.x, func_rows[func].n_args > 1 ? in.y : NULL, got, BLOCK,
                                      NULL};
        sweep_block_on(&fast, &b, evaluator_find_isa());
        sweep_block_once(&slow, &b);
        for (uint32_t k = 0; k < N_RESULTS; k++) {
            n_bad += !is_same(&fast.result[k], &slow.result[k]);
            *n_slow += fast.result[k].n_slow;
        }
    }
    return n_bad;
}

/* Runs those parts below n_parts that are not done yet, and appends each to the function's file. 0: a verdict
 * differs, or the file could not be written. */
static int prove(enum func_id func, enum fmt_id fmt, const char *folder, unsigned n_parts)
{
    char path[512], line[256];
    int is_done[N_PARTS] = {0};
    unsigned n_done = 0, n_bad = 0;
    (void)snprintf(path, sizeof path, "%s/two_%s_%s.tsv", folder, float_formats[fmt].name,
                   func_rows[func].name);
    FILE *f = fopen(path, "a+");
    if (!f) {
        (void)fprintf(stderr, "prove: cannot write %s\n", path);
        return 0;
    }
    rewind(f);
    while (fgets(line, (int)sizeof line, f)) {
        unsigned index, bad;
        if (sscanf(line, "%u\t%u", &index, &bad) == 2 && index < N_PARTS && !is_done[index]) {
            is_done[index] = 1;
            n_done++;
            n_bad += bad;
        }
    }
    for (unsigned i = 0; i < n_parts; i++) {
        uint64_t n_slow;
        if (is_done[i]) {
            continue;
        }
        unsigned const bad = run_part(func, fmt, i, &n_slow);
        (void)fprintf(f, "%u\t%u\t%llu\n", i, bad, (unsigned long long)n_slow);
        (void)fflush(f);
        n_done++;
        n_bad += bad;
    }
    if (n_bad > 0 || n_parts == N_PARTS) {
        printf("%s %s\t%u/%d parts of 10^6\t%u blocks that differ\n", float_formats[fmt].name,
               func_rows[func].name, n_done, N_PARTS, n_bad);
    }
    (void)fflush(stdout);
    return fclose(f) == 0 && n_bad == 0;
}

static bool is_wanted(const char *name, int argc, char **argv)
{
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], name) == 0) {
            return true;
        }
    }
    return argc <= 2;
}

/* Compares the filter's verdicts with MPFR's for the functions named, or for all that have a filter. The
 * first parts of all functions come before the second ones. */
int main(int argc, char **argv)
{
    int is_good = 1;
    if (argc < 2) {
        (void)fprintf(stderr, "usage: prove_two DIRECTORY [FUNCTION...]\n");
        return 2;
    }
    /* the first parts of all come first */
    for (unsigned k = 0; k < FUNC_N * FMT_N * N_PARTS; k++) {
        unsigned const n_parts = k / (FUNC_N * FMT_N) + 1;
        enum func_id const func = (enum func_id)(k / FMT_N % FUNC_N);
        enum fmt_id const fmt = (enum fmt_id)(k % FMT_N);
        bool const has_filter = fmt == FMT_F64
                                    ? sweep_double_has(func)
                                    : evaluator_two_get_slack(func, evaluator_find_isa()) > 0;
        if (has_filter && is_wanted(func_rows[func].name, argc, argv)) {
            is_good = prove(func, fmt, argv[1], n_parts) && is_good;
        }
    }
    return is_good ? 0 : 1;
}
