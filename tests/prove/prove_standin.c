/* tests/prove/prove_standin.c -- are the f32 results of the stand-ins correctly rounded, for each operand?
 * prove_standin DIRECTORY -- DIRECTORY/standin.tsv has a line per operation that is done, and is resumed. PROVE_STRIDE=N
 * tries each N-th operand alone. A result is right where libm's double is further from the middle of two neighbours
 * than 2^-46 of itself, 64 times the error that glibc states for these functions; MPFR decides the others.
 * The hardest operands are printed as lines of tests/standin/hard.def. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/standin/standin_mpfr.h"

static double turns(double x, double (*f)(double))
{
    return f(0x1.921fb54442d18p+2 * remainder(x, 1));
}

static double get_value(enum standin_function f, double x)
{
    switch (f) {
    case EXP2:
        return exp2(x);
    case LOG2:
        return log2(x);
    case RCP:
        return 1 / x;
    case RSQRT:
        return 1 / sqrt(x);
    case SQRT:
        return sqrt(x);
    case SIN_TURNS:
        return turns(x, sin);
    case COS_TURNS:
        return turns(x, cos);
    case SIN:
        return sin(x);
    case COS:
        return cos(x);
    }
    return (double)NAN;
}

/* Those that keep subnormals, one for each function. */
static const struct {
    const char *name;
    const char *function_name;
    enum standin_function function;
    float (*apply)(float x);
} operations[] = {
    {"math_exp",  "EXP2",      EXP2,      math_exp },
    {"math_log",  "LOG2",      LOG2,      math_log },
    {"math_inv",  "RCP",       RCP,       math_inv },
    {"math_rsqt", "RSQRT",     RSQRT,     math_rsqt},
    {"math_sqt",  "SQRT",      SQRT,      math_sqt },
    {"v_sin_f32", "SIN_TURNS", SIN_TURNS, v_sin_f32},
    {"v_cos_f32", "COS_TURNS", COS_TURNS, v_cos_f32},
    {"math_sin",  "SIN",       SIN,       math_sin },
    {"math_cos",  "COS",       COS,       math_cos },
};

enum {
    N_HARD = 8
};
#define HARD 1e-5 /* ulps */

struct counts {
    uint64_t n, n_near, n_wrong;
    double least[N_HARD]; /* distances to a middle, in ulps */
    uint32_t enc[N_HARD];
};

static void keep_hard(struct counts *c, double distance, uint32_t enc)
{
    int at = N_HARD;
    while (at > 0 && distance < c->least[at - 1]) {
        at--;
    }
    if (at < N_HARD) {
        memmove(c->least + at + 1, c->least + at, sizeof *c->least * (size_t)(N_HARD - 1 - at));
        memmove(c->enc + at + 1, c->enc + at, sizeof *c->enc * (size_t)(N_HARD - 1 - at));
        c->least[at] = distance;
        c->enc[at] = enc;
    }
}

/* Distance of d from the nearer middle of two floats, in ulps; d is finite and not zero. */
static double get_distance(double d, double *ulp)
{
    int const e = ilogb(d) < -126 ? -126 : ilogb(d);
    *ulp = ldexp(1, e - 23);
    double const scaled = d / *ulp;
    return fabs(fabs(scaled - rint(scaled)) - 0.5);
}

/* Whether libm's value alone says that the result is right. */
static bool is_plain(struct counts *c, size_t i, uint32_t enc, double got, double d)
{
    if (!isfinite(d) || fpclassify(d) == FP_ZERO || fabs(d) > 0x1p129 || fabs(d) < 0x1p-151) {
        double const want = (double)(float)d;
        return isnan(d) ? isnan(got) : !islessgreater(got, want) && !isnan(got);
    }
    double ulp;
    double const distance = get_distance(d, &ulp);
    bool const is_turn = operations[i].function == SIN_TURNS || operations[i].function == COS_TURNS;
    if (fabs(d) > 0x1p127 || distance * ulp <= (is_turn ? 1 : fabs(d)) * 0x1p-46 ||
        fabs(got - d) >= 0.5 * ulp) {
        return false;
    }
    if (distance < HARD) {
        keep_hard(c, distance, enc);
    }
    return true;
}

static void try_operand(struct counts *c, size_t i, uint32_t enc)
{
    float x;
    memcpy(&x, &enc, sizeof x);
    double const got = (double)operations[i].apply(x);
    double const d = get_value(operations[i].function, (double)x);
    c->n++;
    if (is_plain(c, i, enc, got, d)) {
        return;
    }
    c->n_near++;
    double const want = standin_round_mpfr(operations[i].function, (double)x, &standin_f32);
    double ulp;
    if (islessgreater(got, want) || isnan(got) != isnan(want)) {
        printf("%s(%a) is %a, want %a\n", operations[i].name, (double)x, got, want);
        c->n_wrong++;
    } else if (fabs(d) < 0x1p127 && fpclassify(d) != FP_ZERO && get_distance(d, &ulp) < HARD) {
        keep_hard(c, get_distance(d, &ulp), enc);
    }
}

static bool is_done(const char *path, const char *name, uint64_t stride)
{
    FILE *f = fopen(path, "r");
    char line[256], done[64];
    unsigned long long by;
    bool found = false;
    while (f && fgets(line, sizeof line, f)) {
        found = found || (sscanf(line, "%63s %llu", done, &by) == 2 && strcmp(done, name) == 0 &&
                          by == stride);
    }
    if (f) {
        (void)fclose(f);
    }
    return found;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: prove_standin DIRECTORY\n", stderr);
        return 2;
    }
    const char *word = getenv("PROVE_STRIDE");
    uint64_t const stride = word ? strtoull(word, NULL, 10) : 1;
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/standin.tsv", argv[1]);
    int status = 0;
    for (size_t i = 0; stride > 0 && i < sizeof operations / sizeof *operations; i++) {
        if (is_done(path, operations[i].name, stride)) {
            continue;
        }
        struct counts c = {0};
        for (int k = 0; k < N_HARD; k++) {
            c.least[k] = 1;
        }
        for (uint64_t enc = 0; enc <= UINT32_MAX; enc += stride) {
            try_operand(&c, i, (uint32_t)enc);
        }
        FILE *f = fopen(path, "a");
        if (!f) {
            perror(path);
            return 3;
        }
        (void)fprintf(f, "%s\t%llu\t%llu operands\t%llu by MPFR\t%llu wrong\n", operations[i].name,
                      (unsigned long long)stride, (unsigned long long)c.n,
                      (unsigned long long)c.n_near, (unsigned long long)c.n_wrong);
        (void)fclose(f);
        for (int k = 0; k < N_HARD && c.least[k] < 1; k++) {
            printf("{%s, 0x%08x}, /* %.2g ulp */\n", operations[i].function_name,
                   (unsigned)c.enc[k], c.least[k]);
        }
        (void)fflush(stdout);
        status |= c.n_wrong > 0;
    }
    return status;
}
