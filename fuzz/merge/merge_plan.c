/* fuzz/merge/merge_plan.c -- which part of a campaign is taken from which journal, and whether they fit together. */
#include "fuzz/merge/merge_plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/campaign/case_groups.h"
#include "fuzz/io/db.h"
#include "fuzz/journal/journal_shards.h"

enum {
    MAX_SHOWN = 80 /* bytes of a fact in a message */
};

/* ---- one campaign? ---- */

/* A thing that must be alike, as words for people. */
struct trait {
    const char *what, *first, *other;
};

static enum res check_traits(const struct merge_plan *p, const struct trait *t, size_t n,
                             const char *folder, struct err *e)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(t[i].first, t[i].other) != 0) {
            return err_set(e, RES_USAGE,
                           "%s and %s are not of one campaign: %s \"%.80s\" and \"%.80s\"",
                           p->first, folder, t[i].what, t[i].first, t[i].other);
        }
    }
    return RES_OK;
}

/* Notes of a journal that those of all parts are like. */
struct merge_notes {
    const char *mutate, *layout, *groups;
};

/* A campaign of AFL++ has no share of mutated cases. */
static const char *describe_mutation(const char *note, struct arena *a)
{
    return note[0] ? arena_printf(a, "run, %s%% of its cases mutated", note) : "fuzz";
}

static enum res check_identity(const struct merge_plan *p, const struct campaign_plan *c,
                               const struct merge_notes *notes, uint32_t n_shards,
                               const char *folder, struct err *e)
{
    struct arena *const a = p->arena;
    const struct campaign_plan *const f = &p->campaign;
    struct trait const traits[] = {
        {.what = "seed",
         .first = arena_printf(a,                                         "%" PRIu64,                                    f->seed),
         .other = arena_printf(a, "%" PRIu64, c->seed)},
        {.what = "profile",     .first = f->profile,                             .other = c->profile                                                                 },
        {.what = "folder of kernels",           .first = f->modules_hash,                      .other = c->modules_hash                   },
        {.what = "generator version",
         .first = arena_printf(a, "%" PRIu32, f->gen_version),
         .other = arena_printf(a, "%" PRIu32, c->gen_version)},
        {.what = "made by halfulp",
         .first = describe_mutation(p->mutate,                                         a),
         .other = describe_mutation(notes->mutate, a)},
        {.what = "number of shards",
         .first = arena_printf(a,                             "%" PRIu32,                                                           p->n_shards),
         .other = arena_printf(a, "%" PRIu32, n_shards)},
        {.what = "layout of the corpus",   .first = p->layout,                            .other = notes->layout                              },
        {.what = "groups of targets",                         .first = p->groups,                                                           .other = notes->groups                                                                              },
    };
    return check_traits(p, traits, ARRAY_N(traits), folder, e);
}

/* Take the plan of one journal's campaign. The first journal's plan becomes that of the merged campaign. A later
 * journal must be of the same campaign, and its limits of cases and time count where they are larger. */
static enum res take_campaign(struct merge_plan *p, struct journal *j, const char *folder,
                              struct err *e)
{
    struct campaign_plan c;
    TRY(journal_get_plan(j, p->arena, &c, e));
    struct merge_notes const notes = {.mutate = journal_get_note(j, "mutate_percent", p->arena),
                                      .layout = journal_get_note(j, "corpus_layout", p->arena),
                                      .groups = journal_get_note(j, CASE_GROUPS_NOTE, p->arena)};
    uint32_t const n_merged = journal_count_shards(j);
    uint32_t const n_planned = c.shard.n ? c.shard.n : 1; /* without --shard it is the only part */
    uint32_t const n_shards = n_merged ? n_merged : n_planned; /* n_merged 0: it is not merged */
    if (p->first) {
        TRY(check_identity(p, &c, &notes, n_shards, folder, e));
        p->campaign.max_cases =
            c.max_cases > p->campaign.max_cases ? c.max_cases : p->campaign.max_cases;
        p->campaign.max_ns = c.max_ns > p->campaign.max_ns ? c.max_ns : p->campaign.max_ns;
        return RES_OK;
    }
    p->first = folder;
    p->campaign = c;
    p->campaign.shard = (struct shard)SHARD_NONE;
    p->mutate = notes.mutate;
    p->layout = notes.layout;
    p->groups = notes.groups;
    p->n_shards = n_shards;
    p->parts = ARENA_NEW(p->arena, struct merge_part, n_shards);
    return p->parts ? RES_OK : err_set(e, RES_NOMEM, "no memory for %" PRIu32 " parts", n_shards);
}

/* ---- targets ---- */

uint32_t merge_plan_find_target(const struct merge_plan *p, const char *name)
{
    for (uint32_t i = 0; i < p->n_targets; i++) {
        if (strcmp(p->targets[i].name, name) == 0) {
            return i + 1;
        }
    }
    return 0;
}

/* The first line of two lists of facts that differs: *one and *two are its beginnings, n bytes each. */
static void find_difference(const char **one, const char **two, int n[2])
{
    for (;;) {
        size_t const a = strcspn(*one, "\n"), b = strcspn(*two, "\n");
        if (a != b || memcmp(*one, *two, a) != 0 || !(*one)[a] || !(*two)[b]) {
            n[0] = a < MAX_SHOWN ? (int)a : MAX_SHOWN;
            n[1] = b < MAX_SHOWN ? (int)b : MAX_SHOWN;
            return;
        }
        *one += a + 1;
        *two += b + 1;
    }
}

static enum res complain_facts(const struct merge_target *t, const char *facts, const char *folder,
                               struct err *e)
{
    int n[2] = {0, 0};
    const char *one = t->facts, *two = facts;
    find_difference(&one, &two, n);
    return err_set(e, RES_USAGE, "target %s is not the same in %s and %s: \"%.*s\" and \"%.*s\"",
                   t->name, t->folder, folder, n[0], one, n[1], two);
}

static enum res take_target(struct merge_plan *p, const char *name, const char *facts,
                            const char *folder, struct err *e)
{
    uint32_t const id = merge_plan_find_target(p, name);
    struct merge_target *const t = id ? &p->targets[id - 1] : &p->targets[p->n_targets];
    if (id && facts[0] && t->facts[0] && strcmp(facts, t->facts) != 0) {
        return complain_facts(t, facts, folder, e);
    }
    if (!id && p->n_targets == JOURNAL_MAX_TARGETS) {
        return err_set(e, RES_LIMIT, "%s: more than %d targets together with those before it",
                       folder, JOURNAL_MAX_TARGETS);
    }
    p->n_targets += !id;
    if (!id || (facts[0] && !t->facts[0])) {
        *t = (struct merge_target){.name = arena_printf(p->arena, "%s", name),
                                   .facts = arena_printf(p->arena, "%s", facts),
                                   .folder = folder};
    }
    return RES_OK;
}

static enum res take_targets(struct merge_plan *p, struct journal *j, const char *folder,
                             struct arena *scratch, struct err *e)
{
    struct db *const d = journal_get_db(j);
    struct stmt *const s = db_start(d, "SELECT name, facts FROM targets ORDER BY name", "");
    int step = 0;
    enum res r = RES_OK;
    while (r == RES_OK && (step = stmt_step(s)) > 0) {
        r = take_target(p, stmt_text(s, 0, scratch), stmt_text(s, 1, scratch), folder, e);
    }
    if (r != RES_OK) {
        stmt_reset(s);
        return r;
    }
    return db_end_rows(d, s, step, e);
}

static int compare_names(const void *x, const void *y)
{
    const struct merge_target *const one = x, *const other = y;
    return strcmp(one->name, other->name);
}

/* ---- parts ---- */

/* Of two of one part: which is further? More is done, then it took longer. What is alike in all is the same. */
static bool is_further(const struct merge_part *x, const struct merge_part *than)
{
    if (!than->in || x->n_done != than->n_done) {
        return !than->in || x->n_done > than->n_done;
    }
    return x->wall_ns != than->wall_ns ? x->wall_ns > than->wall_ns
                                       : strcmp(x->started, than->started) > 0;
}

/* The part of row (number from 1, done, wall time, start) at which `s` stands. */
static enum res take_part(struct merge_plan *p, uint32_t in, struct stmt *s, struct err *e)
{
    uint64_t const number = (uint64_t)stmt_int(s, 0);
    struct arena_mark const mark = arena_get_mark(p->arena);
    struct merge_part const x = {.in = in + 1,
                                 .n_done = (uint64_t)stmt_int(s, 1),
                                 .wall_ns = (uint64_t)stmt_int(s, 2),
                                 .started = stmt_text(s, 3, p->arena)};
    if (number == 0 || number > p->n_shards) {
        return err_set(e, RES_FORMAT, "%s: has shard %" PRIu64 " of %" PRIu32, p->in[in], number,
                       p->n_shards);
    }
    if (is_further(&x, &p->parts[number - 1])) {
        p->parts[number - 1] = x;
    } else {
        arena_release(p->arena, mark);
    }
    return RES_OK;
}

static enum res take_parts(struct merge_plan *p, struct journal *j, uint32_t in, struct err *e)
{
    struct db *const d = journal_get_db(j);
    int64_t const number = (int64_t)journal_get_shard(j).index + 1;
    struct stmt *const s =
        journal_count_shards(j)
            ? db_start(d, "SELECT shard, n_done, wall_ns, started FROM parts ORDER BY shard", "")
            : db_start(d,
                       "SELECT ?1, coalesce((SELECT sum(n_runs + n_skipped) FROM targets), 0),"
                       " coalesce((SELECT sum(wall_ns) FROM times), 0),"
                       " coalesce((SELECT value FROM meta WHERE key = 'started'), '')",
                       "i", number);
    int step = 0;
    enum res r = RES_OK;
    while (r == RES_OK && (step = stmt_step(s)) > 0) {
        r = take_part(p, in, s, e);
    }
    if (r != RES_OK) {
        stmt_reset(s);
        return r;
    }
    return db_end_rows(d, s, step, e);
}

bool merge_plan_takes_any(const struct merge_plan *p, uint32_t in)
{
    for (uint32_t i = 0; i < p->n_shards; i++) {
        if (p->parts[i].in == in + 1) {
            return true;
        }
    }
    return false;
}

bool merge_plan_takes(const struct merge_plan *p, uint32_t in, uint64_t case_index)
{
    return p->parts[journal_shard_of(p->n_shards, case_index)].in == in + 1;
}

/* ---- all ---- */

static enum res look_at(struct merge_plan *p, uint32_t in, struct arena *scratch, struct err *e)
{
    struct journal *j = NULL;
    const char *const folder = p->in[in];
    bool const is_first = !p->first;
    TRY(journal_open(&j, folder, NULL, e));
    struct arena_mark const mark = arena_get_mark(p->arena);
    enum res r = take_campaign(p, j, folder, e);
    if (!is_first) { /* it was only compared */
        arena_release(p->arena, mark);
    }
    if (r == RES_OK) {
        r = take_targets(p, j, folder, scratch, e);
    }
    if (r == RES_OK) {
        r = take_parts(p, j, in, e);
    }
    journal_close(j);
    return r;
}

enum res merge_plan_make(struct merge_plan *p, struct err *e)
{
    struct arena scratch;
    arena_init(&scratch, (size_t)16 << 20);
    enum res r = RES_OK;
    for (uint32_t i = 0; i < p->n && r == RES_OK; i++) {
        arena_reset(&scratch);
        r = look_at(p, i, &scratch, e);
    }
    arena_free(&scratch);
    qsort(p->targets, p->n_targets, sizeof *p->targets, compare_names);
    return r;
}
