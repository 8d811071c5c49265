/* fuzz/io/test_bundle.c -- a bundle read back is the case; a damaged one is told by file and place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/io/bundle.h"
#include "gen/print/print.h"

enum {
    MOST_CASES = 60
};
static char folder[256];

static int set_up(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    (void)snprintf(folder, sizeof(folder), "%s/test-bundle-XXXXXX", base ? base : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    DIR *dir = opendir(folder);
    struct dirent *entry = NULL;
    while (dir && (entry = readdir(dir)) != NULL) {
        (void)unlinkat(dirfd(dir), entry->d_name, 0);
    }
    if (dir) {
        (void)closedir(dir);
    }
    return rmdir(folder);
}

/* A bundle of a generated case: environment, language and demands on sub-groups depend on the index. */
static void make_bundle(struct bundle *b, uint64_t index, struct arena *a)
{
    struct tape tape;
    struct err e;
    memset(b, 0, sizeof(*b));
    enum env const env = (enum env)(index % ENV_N);
    assert_int_equal(sched_make_case(PROFILE_ATOMICS, 9, index, env, a, &b->tc, &tape, &e), RES_OK);
    if (env == ENV_CL) { /* as source or as a module, alternately */
        enum res const r =
            print_set_language(&b->tc, index % 4 ? LANGUAGE_OPENCL_C : LANGUAGE_SPIRV, a, &e);
        assert_true(r == RES_OK || r == RES_LIMIT); /* no words for it: it stays a module */
    }
    b->tc.subgroup_size = index % 3 ? 32 : 0;
    b->tc.full_subgroups = (uint32_t)(index % 3 / 2);
    b->has_observation = 1;
    b->ob = (struct observation){.status = RUN_DONE,
                                 .phase = PHASE_DONE,
                                 .driver_code = -5,
                                 .guard_hits = 2,
                                 .log = "a log",
                                 .signature = "lib+f",
                                 .facts = "device=x\n",
                                 .n_bufs = b->tc.n_bufs};
    for (uint32_t i = 0; i < b->tc.n_bufs; i++) {
        b->ob.out[i] = b->tc.bufs[i].data;
    }
}

/* A bundle that was written is read as the same, down to the bytes of its case and observation. */
static void what_is_written_is_read(void **state)
{
    (void)state;
    int n_checked = 0;
    uint32_t n_in_sets = 0; /* buffers of other descriptor sets than the first */
    for (uint64_t index = 0; index < MOST_CASES && (index < 6 || n_in_sets == 0); index++) {
        struct arena a;
        struct bundle in;
        struct bundle out;
        struct err e = {RES_OK, ""};
        size_t n_in = 0;
        size_t n_out = 0;
        arena_init(&a, (size_t)512 << 20);
        make_bundle(&in, index, &a);
        if (bundle_write(folder, &in, &a, &e) != RES_OK ||
            bundle_read(folder, &a, &out, &e) != RES_OK) {
            fail_msg("index %d: %s", (int)index, e.text);
        }
        const unsigned char *p = testcase_encode(&in.tc, &a, &n_in);
        const unsigned char *q = testcase_encode(&out.tc, &a, &n_out);
        assert_int_equal(n_in, n_out);
        assert_memory_equal(p, q, n_in);
        p = observation_encode(&in.tc, &in.ob, &a, &n_in);
        q = observation_encode(&out.tc, &out.ob, &a, &n_out);
        assert_int_equal(n_in, n_out);
        assert_memory_equal(p, q, n_in);
        n_checked++;
        for (uint32_t i = 0; i < in.tc.n_bufs; i++) {
            n_in_sets += in.tc.bufs[i].set > 0;
        }
        arena_free(&a);
    }
    assert_true(n_checked >= 6);
    assert_true(n_in_sets > 0);
}

static char *slurp(const char *path, struct arena *a, size_t *n)
{
    const unsigned char *p = NULL;
    struct err e;
    assert_int_equal(file_read(path, 1 << 24, a, &p, n, &e), RES_OK);
    return arena_copy(a, p, *n);
}

/* Replace one text in case.json. */
static void replace_text(const char *from, const char *to, struct arena *a)
{
    struct err e = {RES_OK, ""};
    char path[400];
    size_t n = 0;
    (void)snprintf(path, sizeof(path), "%s/case.json", folder);
    char *text = slurp(path, a, &n);
    char *at = strstr(text, from);
    if (!at) {
        fail_msg("case.json holds no %s", from);
    }
    const char *now = arena_printf(a, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    assert_int_equal(file_write(path, now, strlen(now), &e), RES_OK);
}

/* After that the error must name the file and hold `want`. */
static void spoil(const char *from, const char *to, const char *want)
{
    struct arena a;
    struct bundle b;
    struct err e = {RES_OK, ""};
    arena_init(&a, (size_t)512 << 20);
    make_bundle(&b, 2, &a);
    assert_int_equal(bundle_write(folder, &b, &a, &e), RES_OK);
    replace_text(from, to, &a);
    enum res const r = bundle_read(folder, &a, &b, &e);
    if (r == RES_OK || !strstr(e.text, want)) {
        fail_msg("%s: status %d, \"%s\"", to, (int)r, e.text);
    }
    arena_free(&a);
}

/* Each mistake in case.json is told by a word that names it: spoil replaces the first text by the second and
 * expects the third in the error. */
static void mistakes_are_told(void **state)
{
    (void)state;
    spoil("{", "[", "case.json:");
    spoil("\"opencl\"", "\"metal\"", "metal");
    spoil("\"module.spv\"", "\"../module.spv\"", "not a file of this folder");
    spoil("\"module.spv\"", "\"/etc/passwd\"", "not a file of this folder");
    spoil("\"module.spv\"", "\"in-0.bin\"", "SPIR-V");
    spoil("\"in-0.bin\"", "\"nothing.bin\"", "nothing.bin");
    spoil("\"in-0.bin\"", "\"case.json\"", "bytes");
    spoil("\"halfulp_case\": 1", "\"halfulp_case\": 2", "version 2");
    spoil("\"needs\": [", "\"needs\": [\"CL_NOTHING\", ", "CL_NOTHING");
    spoil("\"local\": [", "\"local\": [0, ", "three numbers");
    spoil("\"storage\"", "\"tape\"", "kind");
    spoil("\"kind\"", "\"set\": 4, \"kind\"", "set");
    spoil("\"guard_hits\": 2", "\"guard_hits\": -1", "guard_hits");
    spoil("\"subgroup_size\": 32", "\"subgroup_size\": 33", "power of two");
    spoil("\"subgroup_size\": 32", "\"subgroup_size\": 256", "subgroup_size");
    spoil("\"subgroup_size\": 32", "\"subgroup_size\": \"all\"", "subgroup_size");
    spoil("\"full_subgroups\": 1", "\"full_subgroups\": 2", "full_subgroups");
    spoil("\"guard_hits\": 2", "\"guard_hits\": 4294967295", "guard bits");
    spoil("\"driver_code\": -5", "\"driver_code\": 4294967291", "driver_code");
    spoil("\"driver_code\": -5", "\"driver_code\": \"-5\"", "driver_code");
}

/* A run that was done has the content of all buffers, any other that of none: whoever judges or writes
 * the bundle reads them by the status alone. */
static void bug_20261121_outputs_go_with_the_status(void **state)
{
    (void)state;
    struct arena a;
    struct bundle b;
    arena_init(&a, (size_t)512 << 20);
    make_bundle(&b, 2, &a);
    assert_true(b.tc.n_bufs > 1);
    arena_free(&a);
    spoil("\"out\": \"out-0.bin\"", "\"no\": \"out-0.bin\"", "name an \"out\" file");
    spoil("\"status\": \"done\"", "\"status\": \"crash\"", "name an \"out\" file");
}

/* The last buffer of the bundle becomes an argument by value of one byte. */
static void make_value(struct bundle *b, struct arena *a)
{
    struct err e = {RES_OK, ""};
    make_bundle(b, 2, a);
    assert_int_equal(print_set_language(&b->tc, LANGUAGE_SPIRV, a, &e), RES_OK);
    assert_true(b->tc.n_bufs < CASE_MAX_BUFS);
    uint32_t const i = b->tc.n_bufs++;
    b->tc.bufs[i] = (struct buf){.kind = BUF_VALUE, .n_bytes = 1, .data = arena_copy(a, "\x2a", 1)};
    b->ob.n_bufs = b->tc.n_bufs;
    b->ob.out[i] = b->tc.bufs[i].data;
}

/* Of an argument by value there is a file with its bytes and none of what it is afterwards: it is what it was. */
static void a_value_goes_round(void **state)
{
    (void)state;
    struct arena a;
    struct bundle in, out;
    struct err e = {RES_OK, ""};
    char path[400];
    const unsigned char *p = NULL;
    size_t n = 0;
    arena_init(&a, (size_t)512 << 20);
    make_value(&in, &a);
    uint32_t const i = in.tc.n_bufs - 1;
    if (bundle_write(folder, &in, &a, &e) != RES_OK ||
        bundle_read(folder, &a, &out, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    assert_int_equal(out.tc.n_bufs, i + 1);
    assert_int_equal(out.tc.bufs[i].kind, BUF_VALUE);
    assert_int_equal(out.tc.bufs[i].n_bytes, 1);
    assert_int_equal(out.tc.bufs[i].data[0], 0x2a);
    assert_int_equal(out.ob.n_bufs, i + 1);
    assert_int_equal(out.ob.out[i][0], 0x2a);
    (void)snprintf(path, sizeof path, "%s/in-%u.bin", folder, i);
    assert_int_equal(file_read(path, 1 << 10, &a, &p, &n, &e), RES_OK);
    assert_int_equal(n, 1);
    (void)snprintf(path, sizeof path, "%s/out-%u.bin", folder, i);
    assert_int_not_equal(file_read(path, 1 << 10, &a, &p, &n, &e), RES_OK);
    /* sizes of an image it has none; one that is read back is a mistake */
    const char *const in_name = arena_printf(&a, "\"in\": \"in-%u.bin\"", i);
    replace_text(in_name, arena_printf(&a, "%s, \"out\": \"in-%u.bin\"", in_name, i), &a);
    assert_int_equal(bundle_read(folder, &a, &out, &e), RES_FORMAT);
    assert_non_null(strstr(e.text, "an argument by value with an \"out\" file"));
    make_value(&in, &a);
    in.tc.env = ENV_VK;
    in.tc.needs = (struct needs){0};
    assert_int_equal(bundle_write(folder, &in, &a, &e), RES_OK);
    assert_int_equal(bundle_read(folder, &a, &out, &e), RES_FORMAT);
    assert_non_null(strstr(e.text, "an argument by value, which no Vulkan case has"));
    arena_free(&a);
}

/* Bundles of programs that knew nothing of sub-groups' sizes. */
static void older_bundles_require_no_size(void **state)
{
    (void)state;
    struct arena a;
    struct bundle b;
    struct err e = {RES_OK, ""};
    arena_init(&a, (size_t)512 << 20);
    make_bundle(&b, 2, &a);
    assert_int_equal(bundle_write(folder, &b, &a, &e), RES_OK);
    assert_int_equal(bundle_read(folder, &a, &b, &e), RES_OK); /* control */
    assert_int_equal(b.tc.subgroup_size, 32);
    assert_int_equal(b.tc.full_subgroups, 1);
    replace_text("\"subgroup_size\": 32,", "", &a);
    replace_text("\"full_subgroups\": 1,", "", &a);
    assert_int_equal(bundle_read(folder, &a, &b, &e), RES_OK);
    assert_int_equal(b.tc.subgroup_size, 0);
    assert_int_equal(b.tc.full_subgroups, 0);
    arena_free(&a);
}

/* Flipped bits and cut files give a bundle or an error, never a crash. */
static void any_bytes_are_safe(void **state)
{
    (void)state;
    struct arena keep;
    struct bundle b;
    struct err e = {RES_OK, ""};
    struct rng rng = rng_seed(2);
    static const char *const names[] = {"case.json", "module.spv"};
    int n_bad = 0;
    arena_init(&keep, (size_t)512 << 20);
    make_bundle(&b, 1, &keep);
    assert_int_equal(bundle_write(folder, &b, &keep, &e), RES_OK);
    for (int i = 0; i < 120; i++) {
        struct arena a;
        char path[400];
        size_t n = 0;
        arena_init(&a, (size_t)512 << 20);
        (void)snprintf(path, sizeof(path), "%s/%s", folder, names[i % 2]);
        char *good = slurp(path, &a, &n);
        char *bad = arena_copy(&a, good, n);
        bad[rng_below(&rng, n)] = (char)rng_below(&rng, 256);
        size_t const cut = i % 5 == 0 ? (size_t)rng_below(&rng, n) : n;
        assert_int_equal(file_write(path, bad, cut, &e), RES_OK);
        n_bad += bundle_read(folder, &a, &b, &e) != RES_OK;
        assert_int_equal(file_write(path, good, n, &e), RES_OK);
        arena_free(&a);
    }
    assert_true(n_bad > 10);
    arena_free(&keep);
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(what_is_written_is_read),
        WITH_FOLDER(mistakes_are_told),
        WITH_FOLDER(bug_20261121_outputs_go_with_the_status),
        WITH_FOLDER(older_bundles_require_no_size),
        WITH_FOLDER(a_value_goes_round),
        WITH_FOLDER(any_bytes_are_safe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
