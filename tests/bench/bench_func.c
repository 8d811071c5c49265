/* tests/bench/bench_func.c -- certified verdicts per second by MPFR alone, function by function. */
#include "oracle/func/func.h"

#include <stdio.h>
#include <time.h>

#include "oracle/num/mp.h"

enum {
    BENCH_MAX = 20000
};
static const double limit_s = 0.05;

static double now_s(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Encodings of all exponents (wide) or of 2^-4 to 2^4. */
static uint64_t draw(struct rng *rng, const struct float_format *f, int wide)
{
    uint64_t const any = rng_next(rng) & (f->sign | f->exp | f->frac);
    uint64_t const field = (uint64_t)(f->emax - 4) + rng_below(rng, 8);
    return wide ? any : (any & (f->sign | f->frac)) | field << (f->prec_bits - 1);
}

/* Judges random arguments for a while. Returns verdicts per second; *slowest_us is how long the longest
 * one took. wide: arguments of all exponents. */
static double bench(enum func_id id, enum fmt_id fmt, int wide, double *slowest_us)
{
    struct rng rng = rng_seed(7);
    struct func_bound const b = {.ulp = 4};
    struct fp_rules const r = {.rounding = ROUND_RNE};
    double const start = now_s();
    double last = start;
    unsigned n = 0;
    *slowest_us = 0;
    while (n < BENCH_MAX && last - start < limit_s) {
        struct func_args a = {.fmt = fmt, .n = (int32_t)rng_below(&rng, 40) - 20};
        struct set s;
        for (unsigned i = 0; i < func_rows[id].n_args; i++) {
            a.enc[i] = draw(&rng, &float_formats[fmt], wide);
        }
        if (!func_permitted(id, ENV_CL, &a, &b, &r, &s)) {
            (void)printf("%s: undecided at 0x%llx\n", func_rows[id].name,
                         (unsigned long long)a.enc[0]);
        }
        double const now = now_s();
        *slowest_us = (now - last) * 1e6 > *slowest_us ? (now - last) * 1e6 : *slowest_us;
        last = now;
        n++;
    }
    return n / (last - start);
}

int main(void)
{
    (void)printf("function\tformat\targuments\tverdicts/s\tslowest us\n");
    for (int id = 0; id < FUNC_N; id++) {
        for (int fmt = FMT_F32; fmt < FMT_N; fmt++) {
            for (int wide = 0; wide < 2; wide++) {
                double slowest_us;
                double const rate = bench((enum func_id)id, (enum fmt_id)fmt, wide, &slowest_us);
                (void)printf("%s\t%s\t%s\t%.0f\t%.1f\n", func_rows[id].name,
                             float_formats[fmt].name, wide ? "all" : "2^-4..2^4", rate, slowest_us);
            }
        }
    }
    mp_release();
    return 0;
}
