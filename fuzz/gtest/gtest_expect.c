/* fuzz/gtest/gtest_expect.c -- lists of expected results, for deqp-runner, out of a campaign. */
#include "fuzz/gtest/gtest_expect.h"

#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "fuzz/campaign/case_groups.h"
#include "fuzz/gtest/gtest_lists.h"
#include "fuzz/gtest/gtest_suite.h"
#include "fuzz/io/db.h"
#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_corpus.h"
#include "gen/case/sample_devices.h"
#include "gen/tape/profile.h"
#include "oracle/tables/tables.h"

enum {
    LIST_FAILS,
    LIST_FLAKES,
    LIST_SKIPS,
    LIST_N
};
static const char *const list_names[LIST_N] = {"fails", "flakes", "skips"};

struct lists {
    struct bytes text[LIST_N];
    uint32_t n[LIST_N];
};

/* The made-up device whose needs are those of the campaign's one group of cases. */
static enum res find_device(struct journal *j, const struct sample_device **out, struct arena *a,
                            struct err *e)
{
    struct case_groups *const groups = ARENA_NEW(a, struct case_groups, 1);
    *out = NULL;
    if (!groups) {
        return err_set(e, RES_NOMEM, "no memory for groups of targets");
    }
    TRY(case_groups_parse(groups, journal_get_note(j, CASE_GROUPS_NOTE, a), a, e));
    for (int i = 0; i < SAMPLE_DEVICE_N && groups->n == 1 && groups->group[0].n_targets == 0; i++) {
        struct needs const listed = sample_device_get_needs(&sample_devices[i]);
        bool const is_it = needs_are_within(&listed, &groups->group[0].allowed) &&
                           needs_are_within(&groups->group[0].allowed, &listed) &&
                           sample_devices[i].env == groups->group[0].env;
        *out = is_it ? &sample_devices[i] : *out;
    }
    return *out ? RES_OK
                : err_set(e, RES_USAGE,
                          "--expectations: the cases of this campaign have no names in \"halfulp "
                          "cases\"; run it with --device");
}

/* Did a bug of this case show in some of its runs only? */
static bool is_flaky(const struct campaign *c, const char *signature, enum verdict_kind kind)
{
    for (uint32_t i = 0; i < c->n_findings; i++) {
        const struct campaign_finding *const f = &c->findings[i];
        if (f->triage && f->triage->is_flaky && strcmp(f->signature, signature) == 0) {
            return true;
        }
    }
    return kind == VERDICT_FLAKY;
}

static void put_line(struct lists *l, int list, const char *name, const char *result,
                     struct arena *a)
{
    const char *const line =
        result[0] ? arena_printf(a, "%s,%s\n", name, result) : arena_printf(a, "%s\n", name);
    bytes_put(&l->text[list], line, strlen(line));
    l->n[list]++;
}

/* A case into its list. */
static void put_case(struct lists *l, const char *name, enum verdict_kind kind, bool is_flake,
                     struct arena *a)
{
    if (kind == VERDICT_HANG) {
        put_line(l, LIST_SKIPS, gtest_make_pattern(name, a), "", a);
    } else if (is_flake) {
        put_line(l, LIST_FLAKES, gtest_make_pattern(name, a), "", a);
    } else {
        put_line(l, LIST_FAILS, name, gtest_result_names[gtest_get_result(kind)], a);
    }
}

/* All cases with violations into the lists, the worst verdict of each. */
static enum res collect(struct journal *j, const struct campaign *c, const struct gtest_suite *s,
                        struct lists *l, uint32_t *n_unnamed, struct arena *a, struct err *e)
{
    struct db *const d = journal_get_db(j);
    struct stmt *const rows = db_start(
        d,
        "SELECT f.case_index, r.verdict, f.signature, min(f.id) FROM findings f JOIN runs r"
        " ON r.target_id = f.target_id AND r.case_index = f.case_index"
        " WHERE f.class = 'legal' GROUP BY f.case_index ORDER BY f.case_index",
        "");
    int step = 0;
    while ((step = stmt_step(rows)) > 0) {
        uint64_t const index = (uint64_t)stmt_int(rows, 0);
        const char *const signature = stmt_text(rows, 2, a);
        struct origin origin;
        int const kind = verdict_find(stmt_text(rows, 1, a));
        if (kind >= 0 && verdict_rows[kind].part == PART_VIOLATION) {
            enum verdict_kind const verdict = (enum verdict_kind)kind;
            enum res const r = journal_get_origin(j, index, &origin, e);
            if (r != RES_OK) {
                stmt_reset(rows);
                return r;
            }
            if (origin.kind == ORIGIN_FRESH && index < JOURNAL_OWN_CASES) {
                put_case(l, gtest_suite_name_case(s, s->seed, index, a), verdict,
                         is_flaky(c, signature, verdict), a);
            } else {
                ++*n_unnamed;
            }
        }
    }
    return db_end_rows(d, rows, step, e);
}

enum res gtest_expect_write(struct journal *j, const struct campaign *c, const char *name,
                            struct gtest_expect_figures *out, struct arena *a, struct err *e)
{
    const struct sample_device *device;
    struct lists l = {.n = {0}};
    *out = (struct gtest_expect_figures){.n_unnamed = 0};
    int const profile = profile_find(c->plan.profile);
    if (c->n_targets != 1 || profile < 0 || c->plan.gen_version != GEN_VERSION) {
        return err_set(e, RES_USAGE,
                       "--expectations: a campaign on one target, by this generator, is needed");
    }
    TRY(find_device(j, &device, a, e));
    struct gtest_suite const s = {
        .env = device->env, .profile = (enum profile)profile, .seed = c->plan.seed};
    for (int i = 0; i < LIST_N; i++) {
        const char *const head = arena_printf(a, "# %s, device %s of halfulp cases, generator %d\n",
                                              list_names[i], device->name, GEN_VERSION);
        bytes_init(&l.text[i], a);
        bytes_put(&l.text[i], head, strlen(head));
    }
    TRY(collect(j, c, &s, &l, &out->n_unnamed, a, e));
    for (int i = 0; i < LIST_N; i++) {
        const char *const path = arena_printf(a, "%s-%s.txt", name, list_names[i]);
        TRY(l.text[i].ok ? file_write(path, l.text[i].p, l.text[i].n, e)
                         : err_set(e, RES_NOMEM, "no memory for %s", path));
    }
    out->n_fails = l.n[LIST_FAILS];
    out->n_flakes = l.n[LIST_FLAKES];
    out->n_skips = l.n[LIST_SKIPS];
    return RES_OK;
}
