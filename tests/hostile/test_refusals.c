/* tests/hostile/test_refusals.c -- the table of refusals of compilers that refuse, accept and die: each outcome is
 * told, and of a rule nothing where the legal module is not taken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ops.h"
#include "fuzz/trial/refusals.h"
#include "tests/rig/fake_worker.h"

#define ARENA_BYTES ((size_t)64 << 20)

static char self_path[4096];

static struct target target_of(const char *mode, struct arena *a)
{
    return (struct target){
        .name = mode,
        .env = ENV_VK,
        .values = VALUES_NONE,
        .loader = "",
        .device = "",
        .worker = self_path,
        .env_vars = {arena_printf(a, "FAKE=%s", mode), NULL},
        .hello_ns = UINT64_C(60000000000),
        .case_ns = UINT64_C(60000000000),
        .origin = "test"
    };
}

/* Each rule whose legal module is taken comes to that, and no other to anything. Returns how many there are. */
static uint32_t expect_all(const char *mode, enum refusal_outcome want,
                           enum refusal_outcome want_parent)
{
    struct arena a;
    struct err e;
    uint32_t n = 0;
    arena_init(&a, ARENA_BYTES);
    struct target const target = target_of(mode, &a);
    struct refusals *const r = ARENA_NEW(&a, struct refusals, 1);
    assert_non_null(r);
    if (refusals_ask(&target, "", &a, r, &e) != RES_OK) {
        fail_msg("%s: %s", mode, e.text);
    }
    for (int i = 0; i < ILLEGAL_N; i++) {
        const struct illegal_rule *const rule = &illegal_rules[i];
        bool const is_asked = (rule->envs & OP_VK) && r->parent[rule->parent] != REFUSAL_NONE;
        assert_int_equal(r->outcome[i], is_asked ? want : REFUSAL_NONE);
        assert_true(!is_asked || r->parent[rule->parent] == want_parent);
        n += is_asked;
    }
    arena_free(&a);
    return n;
}

static void each_outcome_is_told(void **state)
{
    (void)state;
    uint32_t const n = expect_all("careless", REFUSAL_ACCEPTED, REFUSAL_ACCEPTED);
    print_message("%u of %d rules are of that device\n", n, ILLEGAL_N);
    assert_true(n > ILLEGAL_N / 4);
    assert_int_equal(expect_all("strict", REFUSAL_REFUSED, REFUSAL_ACCEPTED), n);
    assert_int_equal(expect_all("brittle", REFUSAL_CRASHED, REFUSAL_ACCEPTED), n);
    assert_int_equal(expect_all("sullen", REFUSAL_NO_PARENT, REFUSAL_REFUSED), n);
}

/* One that does not start, and those that take no modules. */
static void others_are_not_asked(void **state)
{
    (void)state;
    struct arena a;
    struct err e;
    arena_init(&a, ARENA_BYTES);
    struct refusals *const r = ARENA_NEW(&a, struct refusals, 1);
    assert_non_null(r);
    struct target target = target_of("mute", &a);
    assert_int_equal(refusals_ask(&target, "", &a, r, &e), RES_IO);
    target.language = LANGUAGE_OPENCL_C;
    assert_int_equal(refusals_ask(&target, "", &a, r, &e), RES_USAGE);
    target.kind = TARGET_SIM;
    target.language = LANGUAGE_SPIRV;
    assert_int_equal(refusals_ask(&target, "", &a, r, &e), RES_USAGE);
    arena_free(&a);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--api") == 0) {
        return fake_worker_main(argc, argv);
    }
    ssize_t const n = readlink("/proc/self/exe", self_path, sizeof self_path - 1);
    if (n <= 0) {
        return 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_outcome_is_told),
        cmocka_unit_test(others_are_not_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
