/* tests/standin/test_standin.c -- stand-ins of hardware instructions: correctly rounded where nothing else is asked for,
 * otherwise within their bound; and the table of vendors' functions is about the functions that this program knows. */
#include <dlfcn.h>
#include <glob.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/ops.h"
#include "tests/standin/standin_mpfr.h"

enum kind {
    F16,
    F32,
    F64
};
enum subnormals {
    KEEP,
    FLUSH
};

static const struct operation {
    const char *name;
    enum kind kind;
    enum standin_function function;
    enum subnormals subnormals;
    double bound_ulp;
} operations[] = {
#define OPERATION(name, type, function, subnormals, bound, source)                                 \
    {#name, type, function, subnormals, bound},
#include "tests/standin/operation.def"
};
enum {
    N_OPERATIONS = sizeof operations / sizeof *operations
};

/* The operation of that number: f16 and f32 by their values. */
static double apply(size_t i, double x)
{
    size_t n = 0;
#define CALL_F16(name) standin_widen_f16(name(from_f64_f16(x)))
#define CALL_F32(name) (double)name((float)x)
#define CALL_F64(name) name(x)
#define OPERATION(name, type, function, subnormals, bound, source)                                 \
    if (n++ == i) {                                                                                \
        return CALL_##type(name);                                                                  \
    }
#include "tests/standin/operation.def"
    return (double)NAN;
}

static const struct standin_format *get_format(const struct operation *op)
{
    return op->kind == F16 ? &standin_f16 : &standin_f32;
}

static double flush(const struct operation *op, double x)
{
    bool const is_flushed = op->subnormals == FLUSH && fabs(x) < ldexp(1, get_format(op)->e_min);
    return is_flushed ? copysign(0, x) : x;
}

static bool is_same(double x, double y)
{
    return (isnan(x) && isnan(y)) ||
           (!islessgreater(x, y) && !isnan(x) && !isnan(y) && signbit(x) == signbit(y));
}

/* Zeros of sines and cosines away from zero have the sign that the reduction gave them. */
static bool may_be_other_zero(const struct operation *op, double got, double want)
{
    return (op->function == SIN_TURNS || op->function == COS_TURNS) && fabs(got) < 0x1p-1000 &&
           fabs(want) < 0x1p-1000;
}

static void expect_rounded(size_t i, double x)
{
    const struct operation *op = &operations[i];
    double const got = apply(i, x);
    double const want = flush(op, standin_round_mpfr(op->function, flush(op, x), get_format(op)));
    if (!is_same(got, want) && !may_be_other_zero(op, got, want)) {
        fail_msg("%s(%a) is %a, want %a", op->name, x, got, want);
    }
}

static double get_f32(uint32_t enc)
{
    float x;
    memcpy(&x, &enc, sizeof x);
    return (double)x;
}

/* f32 operands whose exact results are nearest to the middle of two neighbours, found by prove_standin. */
static const struct {
    enum standin_function function;
    uint32_t enc;
} hard[] = {
#include "tests/standin/hard.def"
};

static void test_f16(void **state)
{
    (void)state;
    unsigned n = 0;
    for (size_t i = 0; i < N_OPERATIONS; i++) {
        for (uint32_t h = 0; operations[i].kind == F16 && h < 0x10000; h += 3) {
            expect_rounded(i, standin_widen_f16(h));
            n++;
        }
    }
    assert_true(n > 100000);
}

static void test_f32(void **state)
{
    (void)state;
    unsigned n = 0;
    static const uint32_t edges[] = {0,          0x80000000, 1,          0x7fffff,   0x800000,
                                     0x807fffff, 0x3f800000, 0xbf800000, 0x7f7fffff, 0x7f800000,
                                     0xff800000, 0x7fc00000, 0xc2fc0000, 0xc3150000, 0x43000000,
                                     0x3e800000, 0x7e800001, 0x7e7fffff};
    for (size_t i = 0; i < N_OPERATIONS; i++) {
        if (operations[i].kind != F32) {
            continue;
        }
        for (size_t k = 0; k < sizeof edges / sizeof *edges; k++) {
            expect_rounded(i, get_f32(edges[k]));
        }
        for (size_t k = 0; k < sizeof hard / sizeof *hard; k++) {
            if (hard[k].function == operations[i].function) {
                expect_rounded(i, get_f32(hard[k].enc));
                n++;
            }
        }
        uint32_t enc = 12345;
        for (unsigned k = 0; k < 2000; k++) {
            enc = enc * 1664525 + 1013904223;
            expect_rounded(i, get_f32(enc));
            expect_rounded(i, get_f32((enc & 0x83ffffff) + 0x3e000000));
        }
    }
    assert_true(n > 30);
}

/* Each variant is on its side, within the bound, and somewhere not the rounded result. */
static void expect_variant(size_t i, const char *word)
{
    const struct operation *op = &operations[i];
    const struct standin_format *format = get_format(op);
    unsigned n_moved = 0;
    uint32_t enc = 54321;
    for (unsigned k = 0; k < 3000; k++) {
        enc = enc * 1664525 + 1013904223;
        double const x = op->kind == F16 ? standin_widen_f16(enc >> 16)
                                         : get_f32((enc & 0x83ffffff) + 0x3e000000);
        assert_true(standin_choose("rounded"));
        double const rounded = apply(i, x);
        assert_true(standin_choose(word));
        double const moved = apply(i, x);
        assert_true(is_same(apply(i, x), moved));
        if (!isfinite(rounded) || fabs(rounded) < ldexp(1, format->e_min)) {
            continue;
        }
        double const ulp = ldexp(1, ilogb(rounded) - format->precision + 1);
        double const by = (moved - rounded) / ulp;
        n_moved += islessgreater(by, 0) ? 1 : 0;
        if (fabs(by) > op->bound_ulp + 0.5 || (strcmp(word, "low") == 0 && by > 0) ||
            (strcmp(word, "high") == 0 && by < 0)) {
            fail_msg("%s(%a), %s: moved by %g ulp", op->name, x, word, by);
        }
    }
    assert_true(standin_choose("rounded"));
    if ((n_moved > 0) != (op->bound_ulp > 0)) {
        fail_msg("%s, %s: %u results moved", op->name, word, n_moved);
    }
}

static void test_variants(void **state)
{
    (void)state;
    assert_false(standin_choose("lowest"));
    for (size_t i = 0; i < N_OPERATIONS; i++) {
        if (operations[i].kind != F64) {
            expect_variant(i, "low");
            expect_variant(i, "high");
            expect_variant(i, "random");
        }
    }
}

/* By exact arithmetic: products of f16 have 22 bits, and in long double's 64 all these sums are exact. */
static void test_fma(void **state)
{
    (void)state;
    uint32_t h = 1;
    unsigned n = 0;
    for (unsigned k = 0; k < 200000; k++) {
        uint32_t e[3];
        for (int i = 0; i < 3; i++) {
            h = h * 1664525 + 1013904223;
            e[i] = h >> 16;
        }
        double const x = standin_widen_f16(e[0]), y = standin_widen_f16(e[1]),
                     z = standin_widen_f16(e[2]);
        long double const p = (long double)x * (long double)y;
        if (!isfinite(x) || !isfinite(y) || !isfinite(z) || fabsl(p) < 0x1p-20L ||
            fabsl(p) > 0x1p18L) {
            continue;
        }
        long double const sum =
            p + (long double)z; /* a part of 2^-40 and below is in doubt: no middle has one */
        double const ulp = ldexp(1, (fabsl(sum) < 0x1p-14L ? -14 : ilogbl(sum)) - 10);
        long double want = rintl(sum / (long double)ulp) * (long double)ulp;
        if (fabsl(want) >= 65536) {
            want = copysignl((long double)INFINITY, want);
        }
        double const got = standin_widen_f16(fma_f16(e[0], e[1], e[2]));
        if (islessgreater((long double)got, want)) {
            fail_msg("fma(%a, %a, %a) is %a, want %La", x, y, z, got, want);
        }
        n++;
    }
    assert_true(n > 10000);
}

/* ---- scripts/vendor_math/functions.tsv ---- */

static bool is_known(const char *name)
{
    for (int i = 0; i < OP_N; i++) {
        if (op_rows[i].number >> 16 == OP_SET_opencl_std && strcmp(op_rows[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Number of lines for instructions of the extended set; each line has its seven columns of known words. */
static unsigned count_functions(FILE *f)
{
    char line[256], name[64], c_name[64], operands[8], results[8], types[16], amd[32], intel[32];
    unsigned n = 0;
    while (fgets(line, sizeof line, f)) {
        if (line[0] == '#') {
            continue;
        }
        if (sscanf(line,
                   "%63[a-z_0-9]\t%63[a-z_0-9]\t%7[viu]\t%7[vi]\t%15[f0-9,]\t%31[0-9.,-]\t%31[0-9.,"
                   "-]\n",
                   name, c_name, operands, results, types, amd, intel) != 7 ||
            !is_known(name) || strncmp(types, types[1] == '3' ? "f32" : "f16,f32,f64", 15) != 0) {
            fail_msg("functions.tsv: %s", line);
        }
        n++;
    }
    return n;
}

static void test_functions(void **state)
{
    (void)state;
    FILE *f = fopen("scripts/vendor_math/functions.tsv", "r");
    assert_non_null(f);
    unsigned const n = count_functions(f);
    (void)fclose(f);
    unsigned n_floats = 0;
    for (int i = 0; i < OP_N; i++) {
        n_floats += op_rows[i].number >> 16 == OP_SET_opencl_std && (op_rows[i].types & TYPE_F32);
    }
    assert_true(n >= n_floats * 9 / 10 && n <= n_floats);
}

/* ---- drivers/vendor-math ---- */

typedef void loop(const void *const in[], void *const out[], uint64_t n);

static loop *find_loop(void *library, const char *symbol)
{
    void *found = dlsym(library, symbol);
    if (!found) {
        fail_msg("library.so has no %s", symbol);
    }
    loop *l;
    memcpy(&l, &found, sizeof l);
    return l;
}

/* Each line of functions.tsv is a loop of library.so; and a few results that need no rounding. */
static void check_library(const char *folder)
{
    char path[256], line[256], function[64], type[8], symbol[96];
    (void)snprintf(path, sizeof path, "%s/library.so", folder);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fail_msg("%s", dlerror());
    }
    (void)snprintf(path, sizeof path, "%s/functions.tsv", folder);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    unsigned n = 0;
    while (fgets(line, sizeof line, f)) {
        assert_int_equal(sscanf(line, "%63s %7s", function, type), 2);
        (void)snprintf(symbol, sizeof symbol, "hu_%s_%s", function, type);
        (void)find_loop(library, symbol);
        n++;
    }
    (void)fclose(f);
    assert_true(n > 180);
    float const x[] = {10, -2.5F}, y[] = {3, 2};
    float z[2];
    int32_t k[2];
    const void *const in[] = {x, y};
    void *const out[] = {z, k};
    find_loop(library, "hu_remquo_f32")(in, out, 2);
    assert_true(fpclassify(z[0] - 1) == FP_ZERO && (k[0] & 7) == 3);
    find_loop(library, "hu_fmax_f32")(in, out, 2);
    assert_true(fpclassify(z[0] - 10) == FP_ZERO && fpclassify(z[1] - 2) == FP_ZERO);
    (void)dlclose(library);
}

static void test_libraries(void **state)
{
    (void)state;
    glob_t found;
    if (glob("drivers/vendor-math/*/library.so", 0, NULL, &found) != 0) {
        print_message("no libraries; to make them: make vendor-math\n");
        skip();
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        *strrchr(found.gl_pathv[i], '/') = '\0';
        check_library(found.gl_pathv[i]);
    }
    globfree(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_f16),       cmocka_unit_test(test_f32),
        cmocka_unit_test(test_variants),  cmocka_unit_test(test_fma),
        cmocka_unit_test(test_functions), cmocka_unit_test(test_libraries)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
