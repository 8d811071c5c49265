/* tests/prove/prove_evaluator.c -- the largest error of each evaluator over all 2^32 f32 arguments.
 * prove_evaluator DIRECTORY [FUNCTION...] -- against libmvec or libm, which share no code with it; the
 * worst of each of 256 parts are confirmed by MPFR. DIRECTORY/evaluator_FUNCTION.tsv has a line per
 * part and is resumed; evaluator.tsv and oracle/sweep/evaluator_cert.def are made of those that are complete.
 * PROVE_SHARD=I/N does every N-th part alone. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/num/mp.h"
#include "oracle/sweep/evaluator.h"
#include "oracle/sweep/evaluator_kernel.h"

#if defined(__GLIBC__)
extern const char *gnu_get_libc_version(void);
#endif

enum {
    N_PARTS = 256,
    PART_BITS = 24,
    STEP = 1024,
    N_WORST = 64, /* of each part: 16384 in all */
    MP_BITS = 120
};
#define CERTIFICATES "oracle/sweep/evaluator_cert.def"
/* Slack over the largest error found. */
#define SAFETY 1000.0
/* What the filter need not tell from zero or infinity. */
#define VANISHING 0x1p-400
#define ENORMOUS  0x1p400

typedef double wide __attribute__((vector_size(64)));
typedef void reference(const double *x, double *out);
typedef int exact(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t direction);

/* --- references --- */

#define BY_LIBMVEC(name)                                                                           \
    EVALUATOR_TARGET_avx512 wide _ZGVeN8v_##name(wide);                                            \
    EVALUATOR_TARGET_avx512 static void name##_fast(const double *x, double *out)                  \
    {                                                                                              \
        for (int i = 0; i < STEP; i += 8) {                                                        \
            wide v;                                                                                \
            memcpy(&v, x + i, sizeof v);                                                           \
            v = _ZGVeN8v_##name(v);                                                                \
            memcpy(out + i, &v, sizeof v);                                                         \
        }                                                                                          \
    }
/* clang-format off */
BY_LIBMVEC(acos)  BY_LIBMVEC(acosh) BY_LIBMVEC(asin)  BY_LIBMVEC(asinh) BY_LIBMVEC(atan)
BY_LIBMVEC(atanh) BY_LIBMVEC(cbrt)  BY_LIBMVEC(cos)   BY_LIBMVEC(cosh)  BY_LIBMVEC(erf)
BY_LIBMVEC(erfc)  BY_LIBMVEC(exp)   BY_LIBMVEC(exp10) BY_LIBMVEC(exp2)  BY_LIBMVEC(expm1)
BY_LIBMVEC(log)   BY_LIBMVEC(log10) BY_LIBMVEC(log1p) BY_LIBMVEC(log2)  BY_LIBMVEC(sin)
BY_LIBMVEC(sinh)  BY_LIBMVEC(tan)   BY_LIBMVEC(tanh)
/* clang-format on */

#define PI 0x1.921fb54442d18p+1

                    static double sign_of(double x)
{
    return x > 0 ? 1 : (x < 0 ? -1 : 0);
}

/* Twice by Newton, from the root in float. */
EVALUATOR_INLINE double root_of(double x)
{
    double const first = (double)sqrtf((float)x);
    double const second = 0.5 * (first + x / first);
    return x > 0 ? 0.5 * (second + x / second) : x * (double)NAN;
}

/* x mod 2 in [-1, 1], exactly. */
EVALUATOR_INLINE double modulo_2(double x)
{
    return x - 2 * rint(0.5 * x);
}

#define BY_FORMULA(name, expression)                                                               \
    EVALUATOR_TARGET_avx512 static void name##_plain(const double *in, double *out)                \
    {                                                                                              \
        for (int i = 0; i < STEP; i++) {                                                           \
            double const x = in[i];                                                                \
            out[i] = (expression);                                                                 \
        }                                                                                          \
    }
BY_FORMULA(ceil, ceil(x))
BY_FORMULA(floor, floor(x))
BY_FORMULA(trunc, trunc(x))
BY_FORMULA(rint, rint(x))
BY_FORMULA(round, trunc(x + copysign(0.5, x))) /* the sum is exact but below 2^-29 */
BY_FORMULA(fabs, x < 0 ? -x : x)
BY_FORMULA(fnegate, 0 - x)
BY_FORMULA(logb, logb(x))
BY_FORMULA(sign, sign_of(x))
BY_FORMULA(sqrt, root_of(x))
BY_FORMULA(rsqrt, 1 / root_of(x))
BY_FORMULA(recip, 1 / (3 * x) * 3)
BY_FORMULA(degrees, x * 180 / PI)
BY_FORMULA(radians, x *PI / 180)
BY_FORMULA(fract, x - floor(x))

/* A function of x by another one's reference: into(x), the other, out of its result y. */
#define BY_OTHER(name, other, into, from)                                                          \
    EVALUATOR_TARGET_avx512 static void name##_other(const double *in, double *out)                \
    {                                                                                              \
        double moved[STEP], found[STEP];                                                           \
        for (int i = 0; i < STEP; i++) {                                                           \
            double const x = in[i];                                                                \
            moved[i] = (into);                                                                     \
        }                                                                                          \
        other(moved, found);                                                                       \
        for (int i = 0; i < STEP; i++) {                                                           \
            double const x = in[i], y = found[i];                                                  \
            (void)x;                                                                               \
            out[i] = (from);                                                                       \
        }                                                                                          \
    }
BY_OTHER(acospi, acos_fast, x, y / PI)
BY_OTHER(asinpi, asin_fast, x, y / PI)
BY_OTHER(atanpi, atan_fast, x, y / PI)

/* sin(pi x) by the distance to the next integer, cos(pi x) by that to the next n + 1/2. */
EVALUATOR_INLINE double to_integer(double x)
{
    double const a = fabs(modulo_2(x));
    return a <= 0.5 ? a : 1 - a;
}

EVALUATOR_INLINE double signed_sine(double x, double y)
{
    return y > 0 ? copysign(y, modulo_2(x)) : (y <= 0 ? copysign(0, x) : y);
}

EVALUATOR_INLINE double signed_cosine(double x, double y)
{
    return y > 0 ? copysign(y, 0.5 - fabs(modulo_2(x))) : y;
}
BY_OTHER(sinpi, sin_fast, PI *to_integer(x), signed_sine(x, y))
BY_OTHER(cospi, sin_fast, PI *fabs(0.5 - fabs(modulo_2(x))), signed_cosine(x, y))

/* Zeros of x's sign at even, of the other at odd integers; poles of the sign of x mod 2. */
static void tanpi_other(const double *in, double *out)
{
    double s[STEP], c[STEP];
    sinpi_other(in, s);
    cospi_other(in, c);
    for (int i = 0; i < STEP; i++) {
        double const t = modulo_2(in[i]);
        double const zero = copysign(0, fabs(t) > 0.5 ? -in[i] : in[i]);
        double const whole = fabs(c[i]) <= 0 ? copysign(HUGE_VAL, t) : s[i] / c[i];
        out[i] = fabs(s[i]) <= 0 ? zero : whole;
    }
}

#define BY_LIBM(name, expression)                                                                  \
    static void name##_slow(const double *in, double *out)                                         \
    {                                                                                              \
        for (int i = 0; i < STEP; i++) {                                                           \
            double const x = in[i];                                                                \
            out[i] = (double)(expression);                                                         \
        }                                                                                          \
    }
BY_LIBM(tgamma, tgammal((long double)x))
BY_LIBM(lgamma, lgammal((long double)x))

static int mp_lgamma(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t direction)
{
    int sign;
    return mpfr_lgamma(out, &sign, x, direction);
}

static int mp_recip(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t direction)
{
    return mpfr_ui_div(out, 1, x, direction);
}

static int mp_fract(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t direction)
{
    struct mp_num whole;
    mp_init(&whole, MP_BITS);
    (void)mpfr_floor(whole.v, x);
    return mpfr_sub(out, x, whole.v, direction);
}

static int scale_angle(mpfr_ptr out, mpfr_srcptr x, int to_degrees)
{
    struct mp_num p;
    mp_init(&p, MP_BITS);
    (void)mpfr_const_pi(p.v, MPFR_RNDN);
    (void)mpfr_div_ui(p.v, p.v, 180, MPFR_RNDN);
    return to_degrees ? mpfr_div(out, x, p.v, MPFR_RNDN) : mpfr_mul(out, x, p.v, MPFR_RNDN);
}

static int mp_degrees(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t direction)
{
    (void)direction;
    return scale_angle(out, x, 1);
}

static int mp_radians(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t direction)
{
    (void)direction;
    return scale_angle(out, x, 0);
}

/* may_vanish: results below double's range are zeros of the reference. mp NULL: exact, so the first
 * reference is enough. */
struct subject {
    enum func_id func;
    reference *refer;
    exact *mp;
    int may_vanish;
};
static const struct subject subjects[] = {
    {FUNC_EXP,     exp_fast,      mpfr_exp,      1},
    {FUNC_LOG,     log_fast,      mpfr_log,      0},
    {FUNC_SIN,     sin_fast,      mpfr_sin,      0},
    {FUNC_COS,     cos_fast,      mpfr_cos,      0},
    {FUNC_TAN,     tan_fast,      mpfr_tan,      0},
    {FUNC_CBRT,    cbrt_fast,     mpfr_cbrt,     0},
    {FUNC_ERF,     erf_fast,      mpfr_erf,      0},
    {FUNC_ERFC,    erfc_fast,     mpfr_erfc,     1},
    {FUNC_EXP2,    exp2_fast,     mpfr_exp2,     1},
    {FUNC_EXP10,   exp10_fast,    mpfr_exp10,    1},
    {FUNC_EXPM1,   expm1_fast,    mpfr_expm1,    0},
    {FUNC_LOG2,    log2_fast,     mpfr_log2,     0},
    {FUNC_LOG10,   log10_fast,    mpfr_log10,    0},
    {FUNC_LOG1P,   log1p_fast,    mpfr_log1p,    0},
    {FUNC_SINH,    sinh_fast,     mpfr_sinh,     0},
    {FUNC_COSH,    cosh_fast,     mpfr_cosh,     0},
    {FUNC_TANH,    tanh_fast,     mpfr_tanh,     0},
    {FUNC_ASIN,    asin_fast,     mpfr_asin,     0},
    {FUNC_ACOS,    acos_fast,     mpfr_acos,     0},
    {FUNC_ATAN,    atan_fast,     mpfr_atan,     0},
    {FUNC_ASINH,   asinh_fast,    mpfr_asinh,    0},
    {FUNC_ACOSH,   acosh_fast,    mpfr_acosh,    0},
    {FUNC_ATANH,   atanh_fast,    mpfr_atanh,    0},
    {FUNC_SQRT,    sqrt_plain,    mpfr_sqrt,     0},
    {FUNC_RSQRT,   rsqrt_plain,   mpfr_rec_sqrt, 0},
    {FUNC_RECIP,   recip_plain,   mp_recip,      0},
    {FUNC_DEGREES, degrees_plain, mp_degrees,    0},
    {FUNC_RADIANS, radians_plain, mp_radians,    0},
    {FUNC_FABS,    fabs_plain,    NULL,          0},
    {FUNC_FNEGATE, fnegate_plain, NULL,          0},
    {FUNC_CEIL,    ceil_plain,    NULL,          0},
    {FUNC_FLOOR,   floor_plain,   NULL,          0},
    {FUNC_TRUNC,   trunc_plain,   NULL,          0},
    {FUNC_RINT,    rint_plain,    NULL,          0},
    {FUNC_ROUND,   round_plain,   NULL,          0},
    {FUNC_SIGN,    sign_plain,    NULL,          0},
    {FUNC_LOGB,    logb_plain,    NULL,          0},
    {FUNC_ASINPI,  asinpi_other,  mpfr_asinpi,   0},
    {FUNC_ACOSPI,  acospi_other,  mpfr_acospi,   0},
    {FUNC_ATANPI,  atanpi_other,  mpfr_atanpi,   0},
    {FUNC_SINPI,   sinpi_other,   mpfr_sinpi,    0},
    {FUNC_COSPI,   cospi_other,   mpfr_cospi,    0},
    {FUNC_TANPI,   tanpi_other,   mpfr_tanpi,    0},
    {FUNC_FRACT,   fract_plain,   mp_fract,      0},
    {FUNC_TGAMMA,  tgamma_slow,   mpfr_gamma,    1},
    {FUNC_LGAMMA,  lgamma_slow,   mp_lgamma,     0},
};

/* --- one part --- */

struct worst {
    double error;
    uint32_t arg;
};
struct part {
    struct worst list[N_WORST]; /* largest first */
    uint64_t n;                 /* arguments that were compared */
    uint32_t n_bad;             /* of another kind than the reference: NaN, zero, infinity, sign */
    uint32_t bad;               /* the last of them */
};

static void put_worst(struct part *p, double error, uint32_t arg)
{
    int i = N_WORST - 1;
    while (i > 0 && error > p->list[i - 1].error) {
        p->list[i] = p->list[i - 1];
        i--;
    }
    p->list[i] = (struct worst){error, arg};
}

static int is_exempt(double x)
{
    double const a = fabs(x);
    return a <= 0 || isinf(a) || !(a < 1 || a > 1) || !(a < 2 || a > 2) ? !isnan(x) : 0;
}

/* Of another kind than a number: 1 where got is as it has to be, 0 where not, -1 for numbers. */
static int agree(const struct subject *s, double got, double want)
{
    if (isnan(want) || isnan(got)) {
        return isnan(want) && isnan(got);
    }
    if (fabs(want) <= 0 && !s->may_vanish) {
        return fabs(got) <= 0 && !signbit(got) == !signbit(want);
    }
    if (fabs(want) < VANISHING) {
        return fabs(got) > 0 && fabs(got) < VANISHING && !signbit(got) == !signbit(want);
    }
    if (fabs(want) > ENORMOUS) {
        return fabs(got) > ENORMOUS && !signbit(got) == !signbit(want);
    }
    return -1;
}

/* Compares the evaluator's results (got) with the reference's (want) for STEP arguments from encoding `first`
 * on, and keeps in *p how many there were, the worst relative errors, and how many are of another kind (a
 * NaN, zero, infinity or sign). Exempt are arguments whose results are prescribed: the filter leaves them to
 * MPFR. */
static void compare(const struct subject *s, struct part *p, uint32_t first, const double *x,
                    const double *got, const double *want)
{
    for (uint32_t i = 0; i < STEP; i++) {
        double const error = fabs(got[i] - want[i]) / fabs(want[i]);
        int const is_plain = fabs(want[i]) >= VANISHING && fabs(want[i]) <= ENORMOUS;
        if (is_plain && error <= p->list[N_WORST - 1].error) {
            p->n++;
            continue;
        }
        if (is_exempt(x[i])) {
            continue;
        }
        p->n++;
        int const kind = agree(s, got[i], want[i]);
        if (kind == 0 || !(kind > 0 || error < 1)) {
            p->n_bad++;
            p->bad = first + i;
        } else if (kind < 0) {
            put_worst(p, error, first + i);
        }
    }
}

static void run_part(const struct subject *s, uint32_t index, struct part *p)
{
    enum evaluator_isa const isa = evaluator_find_isa();
    double x[STEP], got[STEP], want[STEP];
    memset(p, 0, sizeof *p);
    for (uint32_t done = 0; done < 1u << PART_BITS; done += STEP) {
        uint32_t const first = (index << PART_BITS) + done;
        for (uint32_t i = 0; i < STEP; i++) {
            uint32_t const enc = first + i;
            float f;
            memcpy(&f, &enc, sizeof f);
            x[i] = (double)f;
        }
        evaluator_run(s->func, isa, x, got, STEP);
        s->refer(x, want);
        compare(s, p, first, x, got, want);
    }
}

/* The largest relative error of the part's worst arguments, measured again by MPFR; 0 where the function has
 * no counterpart there. */
static double confirm(const struct subject *s, const struct part *p)
{
    enum evaluator_isa const isa = evaluator_find_isa();
    double largest = 0;
    for (uint32_t i = 0; i < N_WORST && p->list[i].error > 0 && s->mp; i++) {
        struct mp_num x, y, z;
        double wide_x, got;
        float f;
        memcpy(&f, &p->list[i].arg, sizeof f);
        wide_x = (double)f;
        evaluator_run(s->func, isa, &wide_x, &got, 1);
        mp_init(&x, MP_BITS);
        mp_init(&y, MP_BITS);
        mp_init(&z, MP_BITS);
        mp_set_enc(&x, &float_formats[FMT_F32], p->list[i].arg);
        mp_set_enc(&z, &float_formats[FMT_F64], bits_of(got));
        (void)s->mp(y.v, x.v, MPFR_RNDN);
        (void)mpfr_sub(z.v, z.v, y.v, MPFR_RNDN);
        (void)mpfr_div(z.v, z.v, y.v, MPFR_RNDN);
        largest = fmax(largest, fabs(mpfr_get_d(z.v, MPFR_RNDA)));
    }
    return largest;
}

/* --- files --- */

static void make_path(char *out, size_t n, const char *folder, const char *name)
{
    (void)snprintf(out, n, "%s/evaluator_%s.tsv", folder, name);
}

struct state {
    int is_done[N_PARTS];
    unsigned n_done, n_bad;
    double error; /* the larger of both comparisons, over all parts */
    uint64_t n;
};

/* Reads what was proven before from a file of parts, into *out. Lines of a proof that was made with another
 * evaluator (by its fingerprint), and a part that stands there twice, do not count. */
static void load_state(const char *path, uint64_t fingerprint, struct state *out)
{
    char line[256];
    FILE *f = fopen(path, "r");
    memset(out, 0, sizeof *out);
    while (f && fgets(line, (int)sizeof line, f)) {
        unsigned index, n_bad;
        unsigned long long of, n;
        double error, confirmed;
        if (sscanf(line, "%u\t%llx\t%llu\t%u\t%la\t%la", &index, &of, &n, &n_bad, &error,
                   &confirmed) != 6 ||
            index >= N_PARTS || of != fingerprint || out->is_done[index]) {
            continue;
        }
        out->is_done[index] = 1;
        out->n_done++;
        out->n_bad += n_bad;
        out->n += n;
        out->error = fmax(out->error, fmax(error, confirmed));
    }
    if (f) {
        (void)fclose(f);
    }
}

static int append_part(const char *path, uint32_t index, uint64_t fingerprint, const struct part *p,
                       double confirmed)
{
    FILE *f = fopen(path, "a");
    if (!f) {
        return 0;
    }
    (void)fprintf(f, "%u\t%016llx\t%llu\t%u\t%a\t%a\t%08x\n", (unsigned)index,
                  (unsigned long long)fingerprint, (unsigned long long)p->n, p->n_bad,
                  p->list[0].error, confirmed, p->n_bad > 0 ? p->bad : p->list[0].arg);
    return fclose(f) == 0;
}

/* Proves the parts of a function that are not done yet and belong to this shard (every n_shards-th), appends
 * each to the function's file, and prints how far the proof is. 0: a file could not be written. */
static int prove(const struct subject *s, const char *folder, unsigned shard, unsigned n_shards)
{
    uint64_t const fingerprint = evaluator_get_fingerprint(s->func, evaluator_find_isa());
    const char *const name = func_rows[s->func].name;
    struct state state;
    char path[512];
    make_path(path, sizeof path, folder, name);
    load_state(path, fingerprint, &state);
    for (uint32_t i = shard; i < N_PARTS; i += n_shards) {
        struct part p;
        if (state.is_done[i]) {
            continue;
        }
        run_part(s, i, &p);
        double const confirmed = confirm(s, &p);
        if (!append_part(path, i, fingerprint, &p, confirmed)) {
            (void)fprintf(stderr, "prove: cannot write %s\n", path);
            return 0;
        }
    }
    load_state(path, fingerprint, &state);
    printf("%s\t%u/%d parts\t%llu arguments\t%u bad\tlargest error 2^%.2f\n", name, state.n_done,
           N_PARTS, (unsigned long long)state.n, state.n_bad, log2(state.error));
    (void)fflush(stdout);
    return 1;
}

/* Writes the certificates, as a table and as evaluator_cert.def, of all functions whose parts are all there,
 * with none that is bad. The slack is the largest error times SAFETY. 0: a file could not be written. */
static int write_certificates(const char *folder)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/evaluator.tsv", folder);
    FILE *table = fopen(path, "w");
    FILE *def = fopen(CERTIFICATES ".tmp", "w");
    if (!table || !def) {
        (void)fprintf(stderr, "prove: cannot write %s or " CERTIFICATES "\n", path);
        return 0;
    }
    (void)fprintf(table, "function\tfingerprint\targuments\tlargest relative error\tslack\t"
                         "C library\tMPFR\n");
    (void)fprintf(def,
                  "/* oracle/sweep/evaluator_cert.def -- written by make prove PART=evaluator.\n"
                  " * CERTIFICATE(function, fingerprint, largest relative error, slack) */\n");
    for (size_t i = 0; i < ARRAY_N(subjects); i++) {
        struct subject const *s = &subjects[i];
        struct state state;
        if (!evaluator_has(s->func)) {
            continue;
        }
        uint64_t const fingerprint = evaluator_get_fingerprint(s->func, evaluator_find_isa());
        char upper[32] = "";
        make_path(path, sizeof path, folder, func_rows[s->func].name);
        load_state(path, fingerprint, &state);
        if (state.n_done != N_PARTS || state.n_bad > 0) {
            continue;
        }
        for (size_t k = 0; func_rows[s->func].name[k] && k + 1 < sizeof upper; k++) {
            int const c = func_rows[s->func].name[k];
            upper[k] = (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
        }
        (void)fprintf(table, "%s\t%016llx\t%llu\t%a\t%a\t%s\t%s\n", func_rows[s->func].name,
                      (unsigned long long)fingerprint, (unsigned long long)state.n, state.error,
                      state.error * SAFETY, gnu_get_libc_version(), mp_get_version());
        (void)fprintf(def, "CERTIFICATE(%s, 0x%016llx, %a, %a)\n", upper,
                      (unsigned long long)fingerprint, state.error, state.error * SAFETY);
    }
    (void)fprintf(def, "#undef CERTIFICATE\n");
    int const is_written = fclose(table) == 0;
    return fclose(def) == 0 && is_written && rename(CERTIFICATES ".tmp", CERTIFICATES) == 0;
}

static int is_wanted(const char *name, int argc, char **argv)
{
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], name) == 0) {
            return 1;
        }
    }
    return argc <= 2;
}

/* Proves the evaluators of the functions named (of all without names) against their references, and writes
 * the certificates. PROVE_SHARD=I/N in the environment: only every N-th part, from I on. */
int main(int argc, char **argv)
{
    const char *const text = getenv("PROVE_SHARD");
    unsigned shard = 0, n_shards = 1;
    if (argc < 2 || (text && (sscanf(text, "%u/%u", &shard, &n_shards) != 2 || n_shards == 0 ||
                              shard >= n_shards))) {
        (void)fprintf(stderr, "usage: [PROVE_SHARD=I/N] prove_evaluator DIRECTORY [FUNCTION...]\n");
        return 2;
    }
    if (evaluator_find_isa() != EVALUATOR_AVX512) {
        (void)fprintf(stderr, "prove: the references of this proof need AVX-512\n");
        return 2;
    }
    for (size_t i = 0; i < ARRAY_N(subjects); i++) {
        struct subject const *s = &subjects[i];
        if (evaluator_has(s->func) && is_wanted(func_rows[s->func].name, argc, argv) &&
            !(prove(s, argv[1], shard, n_shards) && write_certificates(argv[1]))) {
            return 1;
        }
    }
    return 0;
}
