/* tests/hostile/test_reduce_undefined.c -- a crash is not reduced to a program without defined behaviour. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <unistd.h>

#include "fuzz/campaign/sched_case.h"
#include "fuzz/io/spirv.h"
#include "fuzz/reduce/reduce.h"
#include "fuzz/reduce/shrink_sweep.h"
#include "oracle/judgement/judgement.h"
#include "oracle/sim/sim_undefined.h"
#include "tests/rig/fake_worker.h"

enum {
    SEED = 7,
    MAX_CASES = 400,
    MOST_INSTRUCTIONS = 400, /* of the generated case, so that the test takes seconds */
    SMALL = 12
};

static char self_path[4096];

/* A driver that dies of each OpUDiv. */
static struct target make_target(void)
{
    return (struct target){
        .name = "divides",
        .env = ENV_CL,
        .loader = "",
        .device = "",
        .worker = self_path,
        .env_vars = {"FAKE=divides", NULL},
        .hello_ns = UINT64_C(20000000000),
        .case_ns = UINT64_C(20000000000),
        .origin = "test"
    };
}

/* in[0] is loaded as %v; (v + 1) squared is divided by v, and out[0] is what comes of it. */
static const char text[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpMemoryModel Physical64 OpenCL\n"
    "OpEntryPoint Kernel %main \"k\"\n%void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n"
    "%pu = OpTypePointer CrossWorkgroup %u32\n%fn = OpTypeFunction %void %pu %pu\n"
    "%c1 = OpConstant %u32 1\n%main = OpFunction %void None %fn\n%in = OpFunctionParameter %pu\n"
    "%out = OpFunctionParameter %pu\n%entry = OpLabel\n%v = OpLoad %u32 %in Aligned 4\n"
    "%a = OpIAdd %u32 %v %c1\n%b = OpIMul %u32 %a %a\n%q = OpUDiv %u32 %b %v\n"
    "%r = OpIAdd %u32 %q %b\nOpStore %out %r Aligned 4\nOpReturn\nOpFunctionEnd\n";

struct rig {
    struct arena a;
    struct testcase tc;
    uint32_t in[4], out[4];
};

static struct rig *make_quotient(uint32_t in)
{
    struct rig *const r = calloc(1, sizeof *r);
    struct err e;
    assert_non_null(r);
    arena_init(&r->a, (size_t)256 << 20);
    r->in[0] = in;
    r->tc = (struct testcase){
        .env = ENV_CL,
        .profile = "test",
        .entry = "k",
        .build_options = "",
        .local = {1, 1, 1},
        .global = {1, 1, 1},
        .n_bufs = 2
    };
    r->tc.bufs[0] = (struct buf){.n_bytes = sizeof r->in, .data = (unsigned char *)r->in};
    r->tc.bufs[1] = (struct buf){.n_bytes = sizeof r->out, .data = (unsigned char *)r->out};
    if (spirv_assemble("text", text, strlen(text), &r->a, &r->tc.module, &r->tc.n_words, &e) !=
        RES_OK) {
        fail_msg("%s", e.text);
    }
    return r;
}

static void free_rig(struct rig *r)
{
    arena_free(&r->a);
    free(r);
}

static uint32_t find_first(const struct testcase *const *candidates, uint32_t n,
                           const struct trial_wanted *w, struct arena *a)
{
    struct target const t = make_target();
    struct trials *trials = NULL;
    struct err e;
    uint32_t first = n;
    assert_int_equal(trials_open(&trials, &t, 1, &e), RES_OK);
    assert_int_equal(trials_find_first(trials, w, &(struct trial_candidates){candidates, n}, a,
                                       &first, NULL, NULL, &e),
                     RES_OK);
    trials_close(trials);
    return first;
}

/* The module is the same, and divides by zero, or by five. */
static void the_end_of_an_undefined_program_shows_nothing(void **state)
{
    (void)state;
    struct rig *const by_zero = make_quotient(0), *const by_five = make_quotient(5);
    const struct testcase *const candidates[] = {&by_zero->tc, &by_five->tc};
    struct trial_wanted w = {.n_runs = 1, .n_needed = 1, .must_be_defined = true};
    assert_int_equal(sim_find_undefined(&by_zero->tc, 1, &by_zero->a), UNDEFINED_DIVISION);
    assert_int_equal(sim_find_undefined(&by_five->tc, 1, &by_five->a), UNDEFINED_NONE);
    assert_int_equal(find_first(candidates, 2, &w, &by_five->a), 1);
    assert_int_equal(find_first(candidates, 1, &w, &by_five->a), 1);
    w.must_be_defined = false;
    assert_int_equal(find_first(candidates, 2, &w, &by_five->a), 0);
    free_rig(by_zero);
    free_rig(by_five);
}

static void reduce(struct reduce_subject *s, struct arena *a, struct reduce_result *out)
{
    struct target const target = make_target();
    struct reduce_options const o = {.target = &target, .n_workers = 2};
    struct trial_wanted const any = {.n_runs = 1, .n_needed = 1};
    struct trials *trials = NULL;
    struct observation ob;
    struct finding f;
    struct err e;
    uint32_t first = 1;
    const struct testcase *const whole[] = {&s->tc};
    assert_int_equal(trials_open(&trials, &target, 1, &e), RES_OK);
    assert_int_equal(trials_find_first(trials, &any, &(struct trial_candidates){whole, 1}, a,
                                       &first, &ob, &f, &e),
                     RES_OK);
    trials_close(trials);
    assert_int_equal(first, 0);
    s->wanted = any;
    s->wanted.core = signature_of(&f, &ob, a).core; /* an endless loop ends the worker as well */
    if (reduce_run(s, &o, a, out, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    print_message("%u -> %u, %u of %u kept\n", out->n_before, out->n_after, out->n_accepted,
                  out->n_tried);
    assert_true(out->n_accepted > 0 && out->n_after < out->n_before);
    assert_int_equal(sim_find_undefined(&out->tc, 1, a), UNDEFINED_NONE);
}

static bool divides(const struct testcase *tc)
{
    for (uint32_t i = 5; i < tc->n_words && tc->module[i] >> 16 != 0; i += tc->module[i] >> 16) {
        if ((tc->module[i] & SpvOpCodeMask) == SpvOpUDiv) {
            return true;
        }
    }
    return false;
}

/* What is smaller and divides by another number than zero is taken; that which divides by zero is not. */
static void a_crash_ends_in_a_defined_case(void **state)
{
    (void)state;
    struct rig *const r = make_quotient(5);
    struct reduce_result out;
    struct reduce_subject s = {.tc = r->tc};
    reduce(&s, &r->a, &out);
    assert_true(divides(&out.tc));
    assert_true(out.n_after <= SMALL);
    free_rig(r);
}

/* The same of a case of the generator, whose divisors instructions keep away from zero. */
static void so_does_a_generated_case(void **state)
{
    (void)state;
    struct arena a;
    struct reduce_result out;
    arena_init(&a, (size_t)1 << 30);
    for (uint64_t i = 0; i < MAX_CASES; i++) {
        struct reduce_subject s = {.has_tape = 1, .profile = PROFILE_PROGRAMS};
        struct err e;
        arena_reset(&a);
        assert_int_equal(sched_make_case(PROFILE_PROGRAMS, SEED, i, ENV_CL, &a, &s.tc, &s.tape, &e),
                         RES_OK);
        if (divides(&s.tc) && shrink_count(&s.tc) <= MOST_INSTRUCTIONS) {
            reduce(&s, &a, &out);
            assert_true(divides(&out.tc));
            arena_free(&a);
            return;
        }
    }
    fail_msg("no case of %d divides", MAX_CASES);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--api") == 0) {
        return fake_worker_main(argc, argv);
    }
    ssize_t const n = readlink("/proc/self/exe", self_path, sizeof self_path - 1);
    self_path[n > 0 ? n : 0] = 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_end_of_an_undefined_program_shows_nothing),
        cmocka_unit_test(a_crash_ends_in_a_defined_case),
        cmocka_unit_test(so_does_a_generated_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
