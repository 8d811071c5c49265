/* tests/bench/bench_sweep.c -- certified verdicts per second on one core, beside MPFR alone. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "oracle/sweep/evaluator_kernel.h"
#include "oracle/sweep/sweep.h"
#include "oracle/sweep/sweep_filter.h"
#include "tests/rig/sweep_slow.h"

enum {
    BLOCK = 1 << 18, /* results of one block */
    N_BLOCKS = 16,   /* spread over the inputs */
    REPEATS = 3,
    N_SLOW = 512,
    N_RANDOM = 256, /* random inputs of a function, in blocks that hold them so many times: */
    N_TIMES = 128
};
static const double limit_ns = 2e7;

static double now_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

struct task {
    const char *name;
    enum func_id func;
    uint32_t first, step; /* encodings: block i begins at first + i * step */
};
static struct sweep s;
static uint32_t x[BLOCK], got[BLOCK];

/* Fills the buffers x and got with a block of inputs from encoding `first` on and results for them: right
 * ones, but one in 16 of those that are rounded is a unit off. */
static void fill(enum func_id func, uint32_t first)
{
    enum {
        STEP = 512
    };
    double wide[STEP], y[STEP];
    for (uint32_t done = 0; done < BLOCK; done += STEP) {
        for (uint32_t i = 0; i < STEP; i++) {
            uint32_t const enc = first + done + i;
            float f;
            memcpy(&f, &enc, sizeof f);
            x[done + i] = enc;
            wide[i] = (double)f;
        }
        evaluator_run(func, evaluator_find_isa(), wide, y, STEP);
        for (uint32_t i = 0; i < STEP; i++) {
            float const limit = func == FUNC_FRACT ? 0x1.fffffep-1F : HUGE_VALF;
            float const rounded = (float)y[i], f = rounded > limit ? limit : rounded;
            memcpy(&got[done + i], &f, sizeof f);
            bool const is_exact = bits_of((double)f) == bits_of(y[i]) || !(f < limit);
            got[done + i] += i % 16 == 0 && !is_exact && y[i] >= 0x1p-126 && y[i] < 0x1p127;
        }
    }
}

static void begin(enum func_id func)
{
    memset(&s, 0, sizeof s);
    s.func = func;
    s.env = ENV_CL;
    s.fmt = FMT_F32;
    s.n_forms = 1;
    s.form[0] = (struct sweep_form){.bound = {.ulp = 4}, .has_bound = 1};
}

/* Times the filter for a function on an instruction set: the best of REPEATS for each of some blocks over the
 * inputs, printed in millions a second, with the share that was left to MPFR. */
static void run(const struct task *t, enum evaluator_isa isa)
{
    const struct evaluator_certificate *const c = evaluator_find_certificate(t->func, isa);
    const void *const results[1] = {got};
    struct sweep_block const b = {x, NULL, results, BLOCK, NULL};
    double total_ns = 0;
    uint64_t n_slow = 0;
    begin(t->func);
    for (uint32_t i = 0; i < N_BLOCKS; i++) {
        double best_ns = 0;
        fill(t->func, t->first + i * t->step);
        for (int k = 0; k < REPEATS; k++) {
            uint64_t const slow_before = s.result[0].n_slow;
            double const start = now_ns();
            sweep_filter(&s, &b, isa, c ? c->slack : 0x1p-41);
            double const ns = now_ns() - start;
            best_ns = k == 0 || ns < best_ns ? ns : best_ns;
            n_slow += s.result[0].n_slow - slow_before;
        }
        total_ns += best_ns;
    }
    printf("sweep_%s_%s%s\t%.1f\tM/s (%.5f%% by mpfr)\n", t->name, evaluator_get_isa_name(isa),
           c ? "" : "_uncertified", (double)BLOCK * N_BLOCKS / total_ns * 1e3,
           100.0 * (double)n_slow / ((double)BLOCK * N_BLOCKS * REPEATS));
}

static void run_mpfr(const struct task *t)
{
    const void *const results[1] = {got};
    begin(t->func);
    fill(t->func, t->first);
    double const start = now_ns();
    sweep_block_slow(&s, x, NULL, results, N_SLOW);
    printf("sweep_%s_mpfr\t%.3f\tM/s\n", t->name, N_SLOW / (now_ns() - start) * 1e3);
}

/* --- any function and width, random inputs --- */

static uint64_t args[2][N_RANDOM * N_TIMES], result[N_RANDOM * N_TIMES];

/* Every second one of all encodings, the others from 1/16 to 16. */
static uint64_t draw(struct rng *rng, const struct float_format *f, uint32_t i)
{
    uint64_t const any = rng_next(rng) & format_mask(f);
    uint64_t const field = (uint64_t)(f->emax - 4) + rng_below(rng, 8);
    return i % 2 == 0 ? any : (any & (f->sign | f->frac)) | field << (f->prec_bits - 1);
}

static void put(enum fmt_id fmt, void *p, uint32_t i, uint64_t enc)
{
    uint32_t const size = float_formats[fmt].n_bits / 8;
    for (uint32_t at = i; at < N_RANDOM * N_TIMES; at += N_RANDOM) {
        store_le((unsigned char *)p + (size_t)at * size, enc, size);
    }
}

static void fill_random(enum func_id func, enum fmt_id fmt)
{
    struct float_format const *const f = &float_formats[fmt];
    struct rng rng = rng_seed(7);
    for (uint32_t i = 0; i < N_RANDOM; i++) {
        struct func_args const a = {
            .fmt = fmt, .enc = {draw(&rng, f, i), draw(&rng, f, i)}
        };
        uint64_t const right = func_round(func, ENV_CL, &a);
        double e;
        bool const is_rounded =
            func_get_error(func, ENV_CL, &a, right, &e) == FUNC_ERROR_MEASURED && (e > 0 || e < 0);
        put(fmt, args[0], i, a.enc[0]);
        put(fmt, args[1], i, a.enc[1]);
        put(fmt, result, i, right + (i % 16 == 1 && is_rounded));
    }
}

/* Times random inputs of a function and format, in millions a second: sweep_block, which has a filter or one
 * evaluation by MPFR for all questions, beside MPFR asked each question by itself (sweep_block_slow). */
static void run_random(enum func_id func, enum fmt_id fmt)
{
    const void *const second = func_rows[func].n_args > 1 ? args[1] : NULL;
    const void *const results[1] = {result};
    double ns[2] = {0, 0}, n[2] = {0, 0};
    uint64_t n_slow = 0;
    int is_certified;
    fill_random(func, fmt);
    const char *const name = sweep_get_evaluator(func, fmt, &is_certified);
    for (int is_slow = 0; is_slow < 2; is_slow++) {
        uint32_t const n_block =
            is_slow || !is_certified ? N_RANDOM / 4 : (uint32_t)N_RANDOM * N_TIMES;
        begin(func);
        s.fmt = fmt;
        double const start = now_ns();
        while (ns[is_slow] < limit_ns) {
            (is_slow ? sweep_block_slow : sweep_block)(&s, args[0], second, results, n_block);
            n[is_slow] += n_block;
            ns[is_slow] = now_ns() - start;
        }
        n_slow = is_slow ? n_slow : s.result[0].n_slow;
    }
    double const rate = n[0] / ns[0] * 1e3, alone = n[1] / ns[1] * 1e3;
    printf("sweep_%s_%s\t%.3f\tM/s (%.1f times MPFR alone; %s, %.2f%% by mpfr)\n",
           float_formats[fmt].name, func_rows[func].name, rate, rate / alone, name,
           100.0 * (double)n_slow / n[0]);
}

/* Times some functions on every instruction set, each function on the best one, and random inputs of all. */
int main(void)
{
    /* Moderate: from 1/16 to 64; all: every exponent and sign. */
    static const struct task tasks[] = {
        {"exp",          FUNC_EXP,  0x3d800000, 0x400000  },
        {"log",          FUNC_LOG,  0x3d800000, 0x400000  },
        {"cbrt",         FUNC_CBRT, 0x3d800000, 0x400000  },
        {"sin_moderate", FUNC_SIN,  0x3d800000, 0x400000  },
        {"sin",          FUNC_SIN,  0x01234567, 0x10000000},
    };
    enum evaluator_isa const best = evaluator_find_isa();
    for (size_t i = 0; i < ARRAY_N(tasks); i++) {
        for (int isa = 0; isa <= (int)best; isa++) {
            run(&tasks[i], (enum evaluator_isa)isa);
        }
        run_mpfr(&tasks[i]);
    }
    for (int func = 0; func < FUNC_N; func++) {
        if (evaluator_has((enum func_id)func)) {
            char name[32];
            (void)snprintf(name, sizeof name, "all_%s", func_rows[func].name);
            run(&(struct task){name, (enum func_id)func, 0x01234567, 0x10000000}, best);
        }
    }
    for (int k = 0; k < FUNC_N * FMT_N; k++) {
        enum func_id const func = (enum func_id)(k / FMT_N);
        if (func_rows[func].n_args <= 2 && !func_rows[func].has_int) {
            run_random(func, (enum fmt_id)(k % FMT_N));
        }
    }
    return 0;
}
