/* tests/gen/test_whole.c -- floats that are converted to integers: in Vulkan each is in range by the instructions that
 * make it, whatever was loaded (S 3.3.11: else the program is undefined); in OpenCL some are not. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gen/case/gen.h"
#include "gen/ir/test_rules.h"
#include "gen/plan/operand.h"
#include "gen/tape/tape_random.h"

enum {
    N_TAPES = 3000, /* per profile */
    N_RANDOM = 2000,
    N_CHOICES = 32, /* of operand_fit: 4 of the sign, 8 of the number that stands for others */
    N_ENCODINGS = 1 << 16,
    MAX_IDS = 1 << 14,
    MAX_ARGUMENTS = 4,
    ARENA_BYTES = 64 << 20
};

static uint64_t seed_of_test(void)
{
    const char *const s = getenv("SEED");
    return s ? strtoull(s, NULL, 0) : 1;
}

/* By the formulas of IEEE 754 and the host's numbers; no line of it is the generator's. */
static double decode(unsigned n_bits, uint64_t enc)
{
    double d;
    float f;
    uint32_t const low = (uint32_t)enc;
    int const exponent = (int)(enc >> 10 & 0x1f);
    double const fraction = (double)(enc & 0x3ff) / 1024;
    double const sign = enc & 0x8000 ? -1.0 : 1.0;
    switch (n_bits) {
    case 64:
        memcpy(&d, &enc, sizeof d);
        return d;
    case 32:
        memcpy(&f, &low, sizeof f);
        return (double)f;
    default:
        return exponent == 31  ? (fraction > 0 ? (double)NAN : sign * (double)INFINITY)
               : exponent == 0 ? sign * ldexp(fraction, -14)
                               : sign * ldexp(1 + fraction, exponent - 15);
    }
}

/* By the stricter reading: the number itself, and not only what is left of it without its fraction. */
static bool is_in_range(unsigned n_bits, uint64_t enc, bool is_signed)
{
    double const d = decode(n_bits, enc);
    return is_signed ? d >= -2147483648.0 && d <= 2147483647.0 : d >= 0.0 && d <= 4294967295.0;
}

/* ---- operand_fit by itself ---- */

/* What the instructions make of `loaded`. */
static uint64_t evaluate(const struct ir_inst *v, const struct ir_inst *bits, uint64_t loaded)
{
    if (v == bits) {
        return loaded;
    }
    if (v->kind == IR_CONST) {
        return v->bits;
    }
    assert_int_equal(v->kind, IR_PLAIN);
    uint64_t const x = evaluate(v->arg[0], bits, loaded);
    switch (v->op) {
    case SpvOpBitcast:
        return x;
    case SpvOpBitwiseAnd:
        return x & evaluate(v->arg[1], bits, loaded);
    case SpvOpULessThanEqual:
        return x <= evaluate(v->arg[1], bits, loaded);
    case SpvOpSelect:
        return evaluate(v->arg[x ? 1 : 2], bits, loaded);
    default:
        fail_msg("instruction %u", v->op);
        return 0;
    }
}

static void check_encoding(const struct ir_inst *v, const struct ir_inst *bits, enum whole to,
                           uint64_t choice, uint64_t enc)
{
    unsigned const n_bits = ir_type_bits(v->type);
    uint64_t const got = evaluate(v, bits, enc);
    bool const is_signed = to == WHOLE_SIGNED;
    double const d = decode(n_bits, enc);
    assert_true(got == operand_fit_number(v->type, enc, to, choice));
    if (!is_in_range(n_bits, got, is_signed) ||
        (to == WHOLE_BOTH && !is_in_range(n_bits, got, true))) {
        fail_msg("%llx of %u bits gives %llx, choice %llu", (unsigned long long)enc, n_bits,
                 (unsigned long long)got, (unsigned long long)choice);
    }
    if (d > -2147483647.0 && d < 2147483520.0 && (is_signed || (d >= 0 && !signbit(d)))) {
        assert_true(got == enc); /* what was in range is as it was */
    }
}

static void start_program(struct build *b, struct arena *a)
{
    *b = (struct build){.env = ENV_VK, .a = a};
    assert_true(ir_program_init(&b->p, ENV_VK, a));
    b->flow.block = &b->p.main;
}

static void whatever_is_loaded_fits(void **state)
{
    (void)state;
    static const uint64_t edges[] = {
        0x4effffff,         0x4f000000,         0xcf000000,         0xcf000001,
        0x4f7fffff,         0x4f800000,         0x7f800000,         0xff800000,
        0x7fc00000,         0xffffffff,         0x80000000,         0x41dfffffffc00000,
        0x41dfffffffffffff, 0x41e0000000000000, 0xc1e0000000000000, 0xc1e0000000000001,
        0x41efffffffe00000, 0x41efffffffe00001, 0x41f0000000000000, 0x7ff0000000000000,
        0xfff0000000000000, 0x8000000000000000, 0xffffffffffffffff};
    struct arena a;
    arena_init(&a, ARENA_BYTES);
    struct build *const b = calloc(1, sizeof *b);
    assert_non_null(b);
    struct rng rng = rng_seed(seed_of_test());
    for (int type = IR_F16; type <= IR_F64; type++) {
        uint64_t const mask = UINT64_MAX >> (64 - ir_type_bits((enum ir_type)type));
        for (int i = 0; i < 3 * N_CHOICES; i++) {
            enum whole const to = (enum whole)(i % 3);
            uint64_t const choice = (uint64_t)i / 3;
            arena_reset(&a);
            start_program(b, &a);
            struct ir_inst *const bits =
                ir_const(&b->p, ir_type_as_int((enum ir_type)type), 0); /* stands for a load */
            struct ir_inst *const v =
                operand_fit(b, bits, (enum ir_type)type, to, operand_whole_bits(to), choice);
            assert_int_equal(v->type, type);
            for (uint64_t enc = 0; type == IR_F16 && enc < N_ENCODINGS; enc++) {
                check_encoding(v, bits, to, choice, enc);
            }
            for (size_t k = 0; k < ARRAY_N(edges); k++) {
                check_encoding(v, bits, to, choice, edges[k] & mask);
            }
            for (int k = 0; k < N_RANDOM; k++) {
                check_encoding(v, bits, to, choice, rng_next(&rng) & mask);
            }
        }
    }
    free(b);
    arena_free(&a);
}

/* The same of integers of other widths: the number's whole part has no more bits than the largest integer has. */
static void whatever_is_loaded_fits_each_width(void **state)
{
    (void)state;
    static const unsigned widths[] = {6, 7, 8, 14, 15, 16, 31, 32, 62, 63, 64};
    struct arena a;
    arena_init(&a, ARENA_BYTES);
    struct build *const b = calloc(1, sizeof *b);
    assert_non_null(b);
    struct rng rng = rng_seed(seed_of_test());
    for (int type = IR_F16; type <= IR_F64; type++) {
        unsigned const n_bits = ir_type_bits((enum ir_type)type);
        for (size_t i = 0; i < 2 * N_CHOICES * ARRAY_N(widths); i++) {
            unsigned const width = widths[i / 2 % ARRAY_N(widths)];
            enum whole const to = i % 2 ? WHOLE_SIGNED : WHOLE_UNSIGNED;
            arena_reset(&a);
            start_program(b, &a);
            struct ir_inst *const bits = ir_const(&b->p, ir_type_as_int((enum ir_type)type), 0);
            struct ir_inst *const v =
                operand_fit(b, bits, (enum ir_type)type, to, width, i / ARRAY_N(widths));
            for (int k = 0; k < N_RANDOM; k++) {
                uint64_t const enc = rng_next(&rng) >> (64 - n_bits);
                double const d = decode(n_bits, evaluate(v, bits, enc));
                assert_true(d < ldexp(1, (int)width));
                assert_true(d >= (to == WHOLE_SIGNED ? -ldexp(1, (int)width) : 0));
            }
        }
    }
    free(b);
    arena_free(&a);
}

/* ---- the words of generated modules ---- */

/* Where each id of a module is made, and where each parameter of a function comes from. */
struct words {
    struct spv_inst def[MAX_IDS];
    uint32_t argument[MAX_IDS]; /* of parameters */
    uint32_t n_constant, n_loaded, n_scaled, n_parameter, n_width[65];
};

/* Those whose results are looked at. */
static bool is_of_interest(uint32_t op)
{
    static const uint32_t ops[] = {SpvOpConstant, SpvOpConstantComposite,  SpvOpFunctionParameter,
                                   SpvOpLoad,     SpvOpCompositeConstruct, SpvOpBitcast,
                                   SpvOpSelect,   SpvOpULessThanEqual,     SpvOpBitwiseAnd,
                                   SpvOpFMul,     SpvOpCopyObject,         SpvOpConstantNull};
    for (size_t i = 0; i < ARRAY_N(ops); i++) {
        if (op == ops[i]) {
            return true;
        }
    }
    return false;
}

static void read_words(struct words *w, const struct testcase *tc)
{
    uint32_t offset = SPV_HEADER_WORDS;
    uint32_t function = 0, n = 0;
    struct spv_inst i;
    static uint32_t params[MAX_IDS][MAX_ARGUMENTS];
    memset(w->def, 0, sizeof w->def);
    while (spv_next(tc->module, tc->n_words, &offset, &i)) {
        bool const is_type = i.op == SpvOpTypeFloat || i.op == SpvOpTypeInt;
        if (is_type || is_of_interest(i.op)) {
            assert_true(i.w[is_type ? 1 : 2] < MAX_IDS);
            w->def[i.w[is_type ? 1 : 2]] = i;
        }
        if (i.op == SpvOpFunction) {
            function = i.w[2];
            n = 0;
        } else if (i.op == SpvOpFunctionParameter && n < MAX_ARGUMENTS) {
            params[function][n++] = i.w[2];
        }
    }
    offset = SPV_HEADER_WORDS;
    while (spv_next(tc->module, tc->n_words, &offset, &i)) {
        for (uint32_t k = 4; i.op == SpvOpFunctionCall && k < i.n && k < 4 + MAX_ARGUMENTS; k++) {
            w->argument[params[i.w[3]][k - 4]] = i.w[k];
        }
    }
}

/* What makes an id; of copies of an object what makes the object. */
static const struct spv_inst *find_source(const struct words *w, uint32_t id)
{
    const struct spv_inst *i = &w->def[id < MAX_IDS ? id : 0];
    while (i->w && i->op == SpvOpCopyObject) {
        i = &w->def[i->w[3] < MAX_IDS ? i->w[3] : 0];
    }
    return i;
}

static const struct spv_inst *find(const struct words *w, uint32_t id, uint32_t op)
{
    const struct spv_inst *i = find_source(w, id);
    return i->w && i->op == op ? i : NULL;
}

/* The encoding of a constant that is an integer or a float. */
static bool read_constant(const struct words *w, uint32_t id, uint64_t *out)
{
    const struct spv_inst *i = find(w, id, SpvOpConstant);
    *out = i ? i->w[3] | (i->n > 4 ? (uint64_t)i->w[4] << 32 : 0) : 0;
    return i || find(w, id, SpvOpConstantNull);
}

/* Bitcast(Select(ULessThanEqual(m, limit), kept, other)), of something loaded. */
static bool is_selected(struct words *w, const struct spv_inst *cast, bool is_signed)
{
    uint64_t limit, other, mask;
    unsigned const n_bits = w->def[cast->w[1]].w[2];
    const struct spv_inst *select = find(w, cast->w[3], SpvOpSelect);
    const struct spv_inst *fits = select ? find(w, select->w[3], SpvOpULessThanEqual) : NULL;
    if (!fits || !read_constant(w, fits->w[4], &limit) || !read_constant(w, select->w[5], &other)) {
        return false;
    }
    uint64_t const sign = UINT64_C(1) << (n_bits - 1);
    uint32_t const m = fits->w[3], kept = select->w[4];
    const struct spv_inst *without = find(w, m, SpvOpBitwiseAnd);
    uint32_t const loaded = without ? without->w[3] : m;
    if (!find(w, loaded, SpvOpLoad) || (kept != m && kept != loaded) || (limit & sign) ||
        (without && (!read_constant(w, without->w[4], &mask) || mask != sign - 1))) {
        return false;
    }
    bool const keeps_sign = kept == loaded && without;
    w->n_loaded++;
    return is_in_range(n_bits, limit, is_signed) && is_in_range(n_bits, other, is_signed) &&
           (!keeps_sign || is_in_range(n_bits, limit | sign, is_signed));
}

/* A product of something in range and of a constant of at most 1. */
static bool is_scaled(struct words *w, const struct spv_inst *product, bool is_signed);

static bool is_fitting(struct words *w, uint32_t id, bool is_signed)
{
    uint64_t enc;
    const struct spv_inst *i = find_source(w, id);
    switch (i->w ? i->op : 0) {
    case SpvOpConstantNull:
        return true;
    case SpvOpConstant:
        w->n_constant++;
        return read_constant(w, id, &enc) && is_in_range(w->def[i->w[1]].w[2], enc, is_signed);
    case SpvOpConstantComposite:
    case SpvOpCompositeConstruct:
        for (uint32_t k = 3; k < i->n; k++) {
            if (!is_fitting(w, i->w[k], is_signed)) {
                return false;
            }
        }
        return i->n > 3;
    case SpvOpFunctionParameter:
        w->n_parameter++;
        return is_fitting(w, w->argument[i->w[2]], is_signed);
    case SpvOpFMul:
        w->n_scaled++;
        return is_scaled(w, i, is_signed);
    case SpvOpBitcast:
        w->n_width[w->def[i->w[1]].w[2]]++;
        return is_selected(w, i, is_signed);
    default:
        return false;
    }
}

static bool is_scaled(struct words *w, const struct spv_inst *product, bool is_signed)
{
    uint64_t enc;
    if (!read_constant(w, product->w[4], &enc)) {
        return false;
    }
    double const by = decode(w->def[product->w[1]].w[2], enc);
    return by <= 1.0 && by >= (is_signed ? -1.0 : 0.0) && is_fitting(w, product->w[3], is_signed);
}

/* Conversions of a module and how many of them are of an operand in range. */
static uint32_t count_fitting(struct words *w, const struct testcase *tc, uint32_t *n_all)
{
    uint32_t n = 0;
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst i;
    read_words(w, tc);
    *n_all = 0;
    while (spv_next(tc->module, tc->n_words, &offset, &i)) {
        if (i.op == SpvOpConvertFToS || i.op == SpvOpConvertFToU) {
            ++*n_all;
            n += is_fitting(w, i.w[3], i.op == SpvOpConvertFToS) ? 1 : 0;
        }
    }
    return n;
}

struct fixture {
    struct arena a;
    struct words words;
    struct testcase tc;
    struct gen_info info;
};

static struct fixture *fixture_new(void)
{
    struct fixture *const b = calloc(1, sizeof *b);
    assert_non_null(b);
    arena_init(&b->a, ARENA_BYTES);
    return b;
}

static void fixture_free(struct fixture *b)
{
    arena_free(&b->a);
    free(b);
}

static void make_random(struct fixture *b, enum profile profile, enum env env, struct rng *rng)
{
    struct tape t;
    struct err e;
    arena_reset(&b->a);
    assert_int_equal(tape_random(&t, rng, &b->a, NULL), RES_OK);
    if (gen_case(profile, env, &t, &b->a, &b->tc, &b->info, &e) != RES_OK) {
        fail_msg("gen_case: %s", e.text);
    }
}

static void every_conversion_of_vulkan_is_in_range(void **state)
{
    (void)state;
    struct fixture *const b = fixture_new();
    for (int profile = 0; profile < PROFILE_DRAWN_N; profile++) {
        struct rng rng = rng_seed(seed_of_test());
        uint32_t n_of_profile = 0;
        if (profile ==
            PROFILE_PROGRAMS) { /* which have conversions of conversions: the interpreter tells of these */
            continue;
        }
        for (int i = 0; i < N_TAPES; i++) {
            uint32_t n_all;
            make_random(b, (enum profile)profile, ENV_VK, &rng);
            uint32_t const n = count_fitting(&b->words, &b->tc, &n_all);
            if (n != n_all) {
                fail_msg("SEED=%llu %s case %d: %u of %u conversions are in range",
                         (unsigned long long)seed_of_test(), profile_names[profile], i, n, n_all);
            }
            assert_int_equal(n_all, b->info.n_to_integer);
            n_of_profile += n_all;
        }
        assert_true(n_of_profile > N_TAPES / 30);
    }
    const struct words *w = &b->words;
    assert_true(w->n_constant > 0 && w->n_loaded > 0 && w->n_scaled > 0 && w->n_parameter > 0);
    assert_true(w->n_width[16] > 0 && w->n_width[32] > 0 && w->n_width[64] > 0);
    fixture_free(b);
}

/* In OpenCL such an operand is interesting and does no harm: the value is the device's. */
static void conversions_of_opencl_are_of_anything(void **state)
{
    (void)state;
    struct fixture *const b = fixture_new();
    struct rng rng = rng_seed(seed_of_test());
    uint32_t n_all = 0, n_fitting = 0;
    for (int i = 0; i < N_TAPES; i++) {
        uint32_t n;
        make_random(b, PROFILE_MAXERROR, ENV_CL, &rng);
        n_fitting += count_fitting(&b->words, &b->tc, &n);
        n_all += n;
    }
    assert_true(n_all > N_TAPES / 30 && n_fitting * 10 < n_all * 9);
    fixture_free(b);
}

/* The check above sees a limit that is too high. */
static void a_limit_that_is_too_high_is_found(void **state)
{
    (void)state;
    struct fixture *const b = fixture_new();
    struct rng rng = rng_seed(seed_of_test());
    uint32_t n_found = 0;
    for (int i = 0; i < N_TAPES / 3; i++) {
        uint32_t n_all;
        uint64_t limit;
        make_random(b, PROFILE_MAXERROR, ENV_VK, &rng);
        (void)count_fitting(&b->words, &b->tc, &n_all);
        uint32_t *const copy = arena_copy(&b->a, b->tc.module, b->tc.n_words * sizeof *copy);
        uint32_t offset = SPV_HEADER_WORDS;
        struct spv_inst inst;
        bool is_broken = false;
        while (spv_next(b->tc.module, b->tc.n_words, &offset, &inst)) {
            const struct spv_inst *and =
                inst.op == SpvOpULessThanEqual ? find(&b->words, inst.w[3], SpvOpBitwiseAnd) : NULL;
            if (and&&read_constant(&b->words, inst.w[4], &limit) && limit > 0x7000) {
                copy[inst.offset + 4] = and->w[4]; /* the mask: all numbers, and NaN */
                is_broken = true;
            }
        }
        b->tc.module = copy;
        uint32_t const n = count_fitting(&b->words, &b->tc, &n_all);
        assert_true(is_broken ? n < n_all : n == n_all);
        n_found += is_broken ? 1 : 0;
    }
    assert_true(n_found > N_TAPES / 100);
    fixture_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_is_loaded_fits),
        cmocka_unit_test(whatever_is_loaded_fits_each_width),
        cmocka_unit_test(every_conversion_of_vulkan_is_in_range),
        cmocka_unit_test(conversions_of_opencl_are_of_anything),
        cmocka_unit_test(a_limit_that_is_too_high_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
