/* oracle/bench_sweep.c -- certified verdicts per second on one core, beside MPFR alone. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "oracle/evaluator_parts.h"
#include "oracle/sweep_parts.h"

enum {
    BLOCK = 1 << 18, /* results of one block */
    N_BLOCKS = 16,   /* spread over the inputs */
    REPEATS = 3,
    N_SLOW = 512
};

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

/* Results that are right but for one in 16 of those that are rounded, which is a unit off. */
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
            float const f = (float)y[i];
            memcpy(&got[done + i], &f, sizeof f);
            int const is_exact = bits_of((double)f) == bits_of(y[i]);
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
    s.form[0] = (struct sweep_form){
        {4, 0, 0},
        1
    };
}

static void run(const struct task *t, enum evaluator_isa isa)
{
    const struct evaluator_certificate *const c = evaluator_find_certificate(t->func, isa);
    const void *const results[1] = {got};
    struct sweep_block const b = {x, NULL, results, BLOCK};
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
    return 0;
}
