/* tests/program/test_audit_shards.c -- an audit in shards: merged it is the audit that was not divided. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/file.h"
#include "fuzz/audit/audit.h"
#include "fuzz/audit/audit_keep.h"
#include "fuzz/audit/audit_merge.h"
#include "fuzz/audit/audit_state.h"
#include "tests/rig/audit_rig.h"

#define TEST_ARENA_BYTES ((size_t)512 << 20)
enum {
    TEST_SHARDS = 4, /* of f16 the third begins at RIG_BAD_BASE / 4 times 4 units */
    TEST_SAMPLES = 20000
};

struct world {
    struct arena a;
    char self[4096], folder[256];
};

static int make_world(void **state)
{
    static struct world w;
    const char *const base = getenv("TMPDIR");
    memset(&w, 0, sizeof w);
    arena_init(&w.a, TEST_ARENA_BYTES);
    (void)snprintf(w.folder, sizeof w.folder, "%s/test-audit-XXXXXX", base ? base : "/tmp");
    if (readlink("/proc/self/exe", w.self, sizeof w.self - 1) <= 0 || !mkdtemp(w.folder)) {
        return -1;
    }
    *state = &w;
    return 0;
}

static int remove_world(void **state)
{
    struct world *const w = *state;
    struct err e;
    int const bad = file_remove(w->folder, &e) != RES_OK;
    arena_free(&w->a);
    return bad;
}

/* One wrong result, just where a shard begins, out of order with the last of the shard before. */
static struct audit run(struct world *w, struct shard shard, unsigned n_judges, uint64_t seed,
                        const char *folder)
{
    struct target const t = {
        .name = "fake",
        .env = ENV_CL,
        .loader = "",
        .device = "",
        .worker = w->self,
        .env_vars = {"FAKE=/off", NULL},
        .hello_ns = UINT64_C(60000000000),
        .case_ns = UINT64_C(60000000000),
        .origin = "test"
    };
    struct audit_request const r = {.functions = "fabs,fnegate,copysign",
                                    .types = 1U << FMT_F16 | 1U << FMT_F64,
                                    .reach = AUDIT_REACH_SAMPLES,
                                    .n_samples = TEST_SAMPLES,
                                    .seed = seed,
                                    .shard = shard,
                                    .folder = folder,
                                    .n_judges = n_judges};
    struct audit x;
    struct err e = {RES_OK, ""};
    if (folder[0]) {
        assert_int_equal(file_make_path(folder, &e), RES_OK);
    }
    if (audit_run(&t, &r, &w->a, &x, &e) != RES_OK) {
        fail_msg("shard %u of %u: %s", shard.index + 1, shard.n, e.text);
    }
    return x;
}

static const char *name(struct world *w, const char *text)
{
    return arena_printf(&w->a, "%s/%s", w->folder, text);
}

static const char *run_shard(struct world *w, uint32_t i, uint32_t n, uint64_t seed)
{
    const char *const folder = name(w, arena_printf(&w->a, "%u-%u-%u", (unsigned)seed, i + 1, n));
    (void)run(w, (struct shard){.index = i, .n = n}, 1 + i % 2, seed, folder);
    return folder;
}

static void merge(struct world *w, const char *out, const char *const *in, uint32_t n,
                  const char *missing)
{
    struct err e = {RES_OK, ""};
    struct audit_merge_summary summary;
    if (audit_merge(out, in, n, &w->a, &summary, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    assert_string_equal(summary.missing, missing);
}

static void refuse(struct world *w, const char *const *in, uint32_t n, const char *says)
{
    struct err e = {RES_OK, ""};
    struct audit_merge_summary summary;
    const char *const out = name(w, "refused");
    assert_int_equal(audit_merge(out, in, n, &w->a, &summary, &e), RES_USAGE);
    if (!strstr(e.text, says)) {
        fail_msg("\"%s\" does not say \"%s\"", e.text, says);
    }
    assert_int_not_equal(access(out, F_OK), 0);
}

/* All that the tables hold, as text. */
static uint64_t hash_tables(struct world *w, const char *folder)
{
    static const char rows[] =
        "SELECT group_concat(name || part || subject || listed || done || skipped || seconds ||"
        " device_seconds || judge_seconds || problem || hash) FROM (SELECT * FROM rows ORDER BY"
        " name, part)";
    static const char forms[] =
        "SELECT group_concat(name || part || form || refused || log || hex(result)) FROM"
        " (SELECT * FROM forms ORDER BY name, part, form)";
    static const char *const queries[] = {
        "SELECT shard || target || facts_hash FROM audit",
        "SELECT group_concat(key || value) FROM (SELECT * FROM notes ORDER BY key)",
        "SELECT group_concat(part) FROM (SELECT * FROM parts ORDER BY part)", rows, forms};
    struct db *d = NULL;
    struct err e = {RES_OK, ""};
    uint64_t hash = 0;
    assert_int_equal(db_open(&d, arena_printf(&w->a, "%s/" AUDIT_STATE_FILE, folder), DB_READ, &e),
                     RES_OK);
    for (size_t i = 0; i < ARRAY_N(queries); i++) {
        const char *text = NULL;
        assert_int_equal(db_find_text(d, queries[i], &w->a, &text, &e), RES_OK);
        assert_non_null(text);
        hash = hash_bytes(hash, text, strlen(text));
    }
    db_close(d);
    return hash;
}

static void expect_same(const struct audit *x, const struct audit *y)
{
    assert_int_equal(x->n_rows, y->n_rows);
    assert_true(x->n_rows > 0);
    for (uint32_t i = 0; i < x->n_rows; i++) {
        const struct audit_row *const a = &x->rows[i], *const b = &y->rows[i];
        assert_int_equal(a->func, b->func);
        assert_int_equal(a->n_inputs, b->n_inputs);
        assert_int_equal(a->n_done, b->n_done);
        assert_int_equal(a->first, b->first);
        assert_string_equal(a->problem, b->problem);
        assert_int_equal(a->n_forms, b->n_forms);
        assert_memory_equal(a->result, b->result, a->n_forms * sizeof a->result[0]);
        assert_memory_equal(a->bound, b->bound, sizeof a->bound[0].bound);
        assert_int_equal(a->found[0].kind, b->found[0].kind);
    }
}

/* Of fabs on f16: each input is tried. */
static const struct audit_row *find_row(const struct audit *x)
{
    for (uint32_t i = 0; i < x->n_rows; i++) {
        if (x->rows[i].func == FUNC_FABS && x->rows[i].fmt == FMT_F16) {
            return &x->rows[i];
        }
    }
    fail_msg("no row of fabs");
    return NULL;
}

/* Rows that try every input are divided, the others dealt; what is found, and the order of neighbours over the ends of
 * shards, is the same to the byte. */
static void shards_together_are_the_whole(void **state)
{
    struct world *const w = *state;
    const char *in[TEST_SHARDS];
    struct audit merged;
    struct err e = {RES_OK, ""};
    struct audit const whole = run(w, (struct shard)SHARD_NONE, 1, 3, "");
    assert_int_equal(find_row(&whole)->result[0].n_broken, 1);
    assert_int_equal(find_row(&whole)->result[0].n_breaks, 1);
    for (uint32_t i = 0; i < TEST_SHARDS; i++) {
        in[i] = run_shard(w, i, TEST_SHARDS, 3);
    }
    const char *const out = name(w, "all");
    merge(w, out, in, TEST_SHARDS, "");
    if (audit_merge_load(out, &w->a, &merged, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    expect_same(&merged, &whole);
    assert_string_equal(merged.facts, whole.facts);
    /* more shards than there is work */
    const char *const idle = run_shard(w, 999, 1000, 3);
    const char *const some[] = {idle, run_shard(w, 0, 1000, 3)};
    merge(w, name(w, "some"), some, 2,
          "shards 2, 3, 4, 5, 6, 7, 8, 9 and 990 more of 1000 are missing");
    assert_int_equal(audit_merge_load(name(w, "some"), &w->a, &merged, &e), RES_OK);
    assert_int_equal(find_row(&merged)->n_done, 4096); /* of f16 one of them has something */
}

/* In any order, in groups, twice, and late ones added. */
static void order_and_grouping_change_nothing(void **state)
{
    struct world *const w = *state;
    const char *in[TEST_SHARDS];
    for (uint32_t i = 0; i < TEST_SHARDS; i++) {
        in[i] = name(w, arena_printf(&w->a, "3-%u-%u", i + 1, (unsigned)TEST_SHARDS));
    }
    uint64_t const hash = hash_tables(w, name(w, "all"));
    const char *const back[] = {in[3], in[0], in[2], in[1], in[0]};
    merge(w, name(w, "back"), back, ARRAY_N(back), "");
    assert_int_equal(hash_tables(w, name(w, "back")), hash);
    const char *const out = name(w, "late");
    merge(w, out, &in[2], 1, "shards 1, 2, 4 of 4 are missing");
    merge(w, out, in, 2, "shard 4 of 4 is missing");
    assert_int_not_equal(hash_tables(w, out), hash);
    const char *const groups[] = {out, in[3]};
    merge(w, name(w, "grouped"), groups, 2, "");
    assert_int_equal(hash_tables(w, name(w, "grouped")), hash);
    merge(w, out, &in[3], 1, "");
    merge(w, out, &out, 1, "");
    assert_int_equal(hash_tables(w, out), hash);
}

/* A shard that was killed before its first commit is missing. */
static void an_empty_shard_is_missing(void **state)
{
    struct world *const w = *state;
    struct err e = {RES_OK, ""};
    struct audit x;
    const char *const empty = name(w, "empty");
    const char *const in[] = {empty, name(w, "3-3-4")};
    assert_int_equal(file_make_folder(empty, &e), RES_OK);
    assert_int_equal(file_write(arena_printf(&w->a, "%s/" AUDIT_STATE_FILE, empty), "", 0, &e),
                     RES_OK);
    merge(w, name(w, "with-empty"), in, ARRAY_N(in), "shards 1, 2, 4 of 4 are missing");
    refuse(w, in, 1, "no result yet");
    assert_int_equal(audit_merge_load(empty, &w->a, &x, &e), RES_FORMAT);
    assert_non_null(strstr(e.text, "no result yet"));
}

static void others_are_refused(void **state)
{
    struct world *const w = *state;
    struct audit x;
    struct err e = {RES_OK, ""};
    struct audit_merge_summary summary;
    const char *const first = name(w, "3-1-4");
    const char *const other_seed[] = {first, run_shard(w, 1, TEST_SHARDS, 4)};
    refuse(w, other_seed, 2, "belong to different audits: seed 3 and 4");
    const char *const other_n[] = {first, run_shard(w, 0, 5, 3)};
    refuse(w, other_n, 2, "belong to different audits: shards 1/4 and 1/5");
    const char *const undivided = name(w, "undivided");
    (void)run(w, (struct shard)SHARD_NONE, 1, 3, undivided);
    refuse(w, &undivided, 1, "an audit without shards");
    assert_int_equal(audit_merge(undivided, &first, 1, &w->a, &summary, &e), RES_USAGE);
    assert_non_null(strstr(e.text, "is not a merged audit"));
    /* A folder goes on as what it is. */
    struct audit_request const r = {
        .functions = "fabs",
        .types = 1U << FMT_F16,
        .shard = {.index = 1, .n = TEST_SHARDS},
        .folder = first
    };
    x = run(w, (struct shard){.index = 0, .n = TEST_SHARDS}, 1, 3, "");
    assert_int_equal(audit_keep_read(&x, &r, &w->a, &e), RES_USAGE);
    assert_non_null(strstr(e.text, "holds shard 1/4"));
    struct audit_request merged = r;
    merged.folder = name(w, "all");
    assert_int_equal(audit_keep_read(&x, &merged, &w->a, &e), RES_USAGE);
    assert_non_null(strstr(e.text, "holds a merged audit"));
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--api") == 0) {
        return audit_rig_main();
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shards_together_are_the_whole),
        cmocka_unit_test(order_and_grouping_change_nothing),
        cmocka_unit_test(an_empty_shard_is_missing),
        cmocka_unit_test(others_are_refused),
    };
    return cmocka_run_group_tests(tests, make_world, remove_world);
}
