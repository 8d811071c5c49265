/* fuzz/modules/test_modules.c -- kernels as a source of cases: a case is a function of its index alone, changed modules are valid ones, and
 * trust adds cases and changes none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/testcase.h"
#include "fuzz/io/spirv.h"
#include "fuzz/modules/modules.h"
#include "fuzz/modules/modules_files.h"
#include "fuzz/modules/modules_rewrite.h"
#include "fuzz/trial/trust.h"
#include "tests/rig/folder_rig.h"
#include "tests/rig/trust_rig.h"

#define TEST_ARENA_BYTES ((size_t)512 << 20)
enum {
    N_CASES = 48,
    SEED = 9,
    N_REWRITES = 200
};

struct rig {
    char path[256];
    struct arena a;
};

static void write_text(const struct rig *r, const char *name, const char *text)
{
    char path[512];
    struct err e = {RES_OK, ""};
    (void)snprintf(path, sizeof path, "%s/%s", r->path, name);
    if (file_write(path, text, strlen(text), &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
}

/* Two kernels that can be vouched for, and one that cannot. */
static int set_up(void **state)
{
    char text[TEXT_BYTES];
    struct rig *const r = calloc(1, sizeof *r);
    assert_non_null(r);
    arena_init(&r->a, TEST_ARENA_BYTES);
    folder_make(r->path, sizeof r->path, "modules");
    write_text(r, "a.spvasm", shader);
    write_text(r, "b.spvasm", kernel);
    (void)strcpy(text, kernel);
    replace(text, "; modes\n", "OpExecutionMode %main Initializer\n");
    write_text(r, "c.spvasm", text);
    write_text(r, "d.txt", "no kernel\n");
    *state = r;
    return 0;
}

static int tear_down(void **state)
{
    struct rig *const r = *state;
    folder_remove(r->path);
    arena_free(&r->a);
    free(r);
    return 0;
}

static struct modules *open_folder(const struct rig *r)
{
    struct modules *m = NULL;
    struct err e = {RES_OK, ""};
    if (modules_open(&m, r->path, "", &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    return m;
}

/* A case as bytes; NULL: there is none. */
static const unsigned char *make(struct rig *r, const struct case_source *s, uint64_t index,
                                 size_t *n)
{
    struct target const any = {.name = "any", .alternates = 1};
    struct err e = {RES_OK, ""};
    struct testcase tc;
    bool is_there = false;
    *n = 0;
    if (s->make(s->of, index, &any, &r->a, &tc, &is_there, &e) != RES_OK) {
        fail_msg("case %u: %s", (unsigned)index, e.text);
    }
    return is_there ? testcase_encode(&tc, &r->a, n) : NULL;
}

static void a_case_is_a_function_of_its_index(void **state)
{
    struct rig *const r = *state;
    struct modules *const one = open_folder(r), *const two = open_folder(r);
    struct case_source const up = modules_get_source(one, SEED, false),
                             down = modules_get_source(two, SEED, false);
    const unsigned char *bytes[N_CASES];
    size_t n[N_CASES];
    unsigned n_there = 0, n_changed = 0, n_hard = 0;
    for (uint64_t i = 0; i < N_CASES; i++) {
        bytes[i] = make(r, &up, i, &n[i]);
        n_there += bytes[i] != NULL;
        const char *const what = modules_describe(one, i, &r->a);
        n_changed += strstr(what, ", changed: ") != NULL;
        n_hard += strstr(what, " hard inputs ") != NULL;
        assert_true(i >= up.n_per_round || !strstr(what, ", changed: "));
    }
    for (uint64_t i = N_CASES; i-- > 0;) {
        size_t n_again = 0;
        const unsigned char *const again = make(r, &down, i, &n_again);
        assert_int_equal(n_again, n[i]);
        assert_true(!again == !bytes[i] && (!again || memcmp(again, bytes[i], n_again) == 0));
    }
    print_message("%u of %d cases: %u hard, %u changed\n", n_there, N_CASES, n_hard, n_changed);
    assert_int_equal(up.n_per_round, 3);
    assert_int_equal(n_there, N_CASES / 3 * 2);
    assert_in_range(n_changed, 4, N_CASES / 2);
    assert_in_range(n_hard, 4, N_CASES / 2);
    modules_close(one);
    modules_close(two);
}

static void trust_adds_cases_and_changes_none(void **state)
{
    struct rig *const r = *state;
    struct modules *const one = open_folder(r), *const two = open_folder(r);
    struct case_source const strict = modules_get_source(one, SEED, false),
                             given = modules_get_source(two, SEED, true);
    unsigned n_more = 0, n_same = 0;
    for (uint64_t i = 0; i < N_CASES; i++) {
        size_t n = 0, n_given = 0;
        const unsigned char *const p = make(r, &strict, i, &n);
        const unsigned char *const q = make(r, &given, i, &n_given);
        assert_non_null(q);
        n_more += !p;
        n_same += p && n == n_given && memcmp(p, q, n) == 0;
    }
    assert_int_equal(n_more, N_CASES / 3);
    assert_int_equal(n_same, N_CASES - n_more);
    modules_close(one);
    modules_close(two);
}

static void a_changed_module_is_valid(void **state)
{
    struct rig *const r = *state;
    struct modules *const m = open_folder(r);
    struct case_source const s = modules_get_source(m, SEED, false);
    unsigned n_changed = 0, n_harmless = 0;
    for (uint64_t seed = 1; seed <= N_REWRITES; seed++) {
        struct target const any = {.name = "any", .alternates = 1};
        struct err e = {RES_OK, ""};
        struct testcase tc;
        const char *text = "";
        bool is_there = false;
        arena_reset(&r->a);
        assert_int_equal(s.make(s.of, seed % 2, &any, &r->a, &tc, &is_there, &e), RES_OK);
        assert_true(is_there);
        struct testcase changed = tc;
        const char *const what = modules_rewrite(&changed, seed, &r->a);
        n_changed += what[0] != '\0';
        n_harmless += what[0] && trust_vouch(&changed, &r->a, &e) == RES_OK;
        if (spirv_validate(&changed, &r->a, &text) == SPIRV_INVALID) {
            fail_msg("seed %u, %s: %s", (unsigned)seed, what, text);
        }
    }
    print_message("%u of %d changed, %u of them harmless\n", n_changed, N_REWRITES, n_harmless);
    assert_in_range(n_changed, N_REWRITES / 2, N_REWRITES);
    assert_in_range(n_harmless, n_changed / 2, n_changed);
    modules_close(m);
}

#define PIPELINE(name)                                                                             \
    "PIPELINE compute " name "\nATTACH s\nBIND BUFFER x AS storage DESCRIPTOR_SET 0 BINDING 0\n"   \
    "BIND BUFFER y AS storage DESCRIPTOR_SET 0 BINDING 1\nEND\n"

static void each_run_of_a_script_is_a_kernel(void **state)
{
    struct rig *const r = *state;
    char text[TEXT_BYTES];
    (void)strcpy(text, shader);
    replace(text, "%id %in %out\n", "%id\n"); /* of SPIR-V 1.3 */
    write_text(r, "s.amber",
               arena_printf(&r->a,
                            "#!amber\nSHADER compute s SPIRV-ASM\n%sEND\n"
                            "BUFFER x DATA_TYPE uint32 SIZE 8 SERIES_FROM 3 INC_BY 1\n"
                            "BUFFER y DATA_TYPE uint32 SIZE 8 FILL 0\n" PIPELINE("p")
                                PIPELINE("q") "RUN p 1 1 1\nRUN q 2 1 1\n",
                            text));
    struct modules *const m = open_folder(r);
    struct case_source const s = modules_get_source(m, SEED, false);
    struct target const any = {.name = "any", .alternates = 1};
    unsigned n_redrawn = 0;
    assert_int_equal(s.n_per_round, 5);
    assert_non_null(strstr(modules_describe(m, 3, &r->a), "s.amber, kernel p (line "));
    assert_non_null(strstr(modules_describe(m, 4, &r->a), "s.amber, kernel q (line "));
    for (uint64_t i = 4; i < 5 * 8; i += 5) {
        struct err e = {RES_OK, ""};
        struct testcase tc;
        bool is_there = false;
        assert_int_equal(s.make(s.of, i, &any, &r->a, &tc, &is_there, &e), RES_OK);
        if (!is_there) {
            fail_msg("%s", modules_describe(m, i, &r->a));
        }
        bool const is_said =
            load_le(tc.bufs[0].data, 4) == 3 && load_le(tc.bufs[0].data + 4, 4) == 4;
        assert_true(i != 4 || (is_said && tc.global[0] == 8)); /* first as the script says */
        n_redrawn += !is_said;
    }
    assert_int_equal(n_redrawn, 7);
    modules_close(m);
}

static void each_change_of_the_folder_shows(void **state)
{
    struct rig *const r = *state;
    struct modules_files was, now;
    struct err e = {RES_OK, ""};
    assert_int_equal(modules_files_list(r->path, &r->a, &was, &e), RES_OK);
    assert_int_equal(was.n, 4);
    assert_string_equal(was.names[0], "a.spvasm");
    write_text(r, "d.txt", "nO kernel\n");
    assert_int_equal(modules_files_list(r->path, &r->a, &now, &e), RES_OK);
    assert_true(now.hash != was.hash);
    write_text(r, "d.txt", "no kernel\n");
    write_text(r, "e.txt", "");
    assert_int_equal(modules_files_list(r->path, &r->a, &now, &e), RES_OK);
    assert_true(now.hash != was.hash);
    assert_int_equal(file_remove(arena_printf(&r->a, "%s/e.txt", r->path), &e), RES_OK);
    write_text(r, ".hidden", "text");
    assert_int_equal(modules_files_list(r->path, &r->a, &now, &e), RES_OK);
    assert_true(now.hash == was.hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_case_is_a_function_of_its_index, set_up, tear_down),
        cmocka_unit_test_setup_teardown(trust_adds_cases_and_changes_none, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_changed_module_is_valid, set_up, tear_down),
        cmocka_unit_test_setup_teardown(each_run_of_a_script_is_a_kernel, set_up, tear_down),
        cmocka_unit_test_setup_teardown(each_change_of_the_folder_shows, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
