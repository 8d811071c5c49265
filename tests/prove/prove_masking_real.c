/* tests/prove/prove_masking_real.c -- known bugs of real drivers hide no other: of a driver in which a fault is planted
 * besides the bugs that it is known for, the fault is reported as new. A row for each pair of a known bug and a rewrite in
 * FOLDER/masking_real.tsv, and a line of totals: driver, bug, rewrite, cases with both, cases in which the rewrite is new, of
 * these the cases in which rows of the list that are no models would hide it, and cases in which the rows of shapes.tsv would,
 * were they there in place of the models of control flow. Until all is done FOLDER/masking_real.part has a row for each case,
 * and how far it came, from where a run goes on. */
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/campaign/step.h"
#include "fuzz/io/bundle.h"
#include "fuzz/known/expected_failures.h"
#include "fuzz/known/known_bugs.h"
#include "fuzz/pool/handle.h"
#include "fuzz/rewrite/rewrite.h"
#include "fuzz/targets/targets_choose.h"
#include "fuzz/targets/targets_find.h"
#include "gen/tape/profile.h"
#include "oracle/fault/faults.h"
#include "oracle/fault/faults_flow.h"
#include "oracle/judge/judge.h"
#include "oracle/sim/sim.h"

enum {
    REAL_SEED = 20261125,
    REAL_CASES = 300,    /* that are looked at for a driver */
    REAL_ENOUGH = 2,     /* cases of a pair */
    REAL_WIDE = 10,      /* rewrites of a bug, and then it is done; */
    REAL_WIDE_FLOW = 25, /* of one of control flow, which meets few cases */
    REAL_WANTED = 5,     /* so many bugs, and all of control flow, and then the driver is done */
    REAL_KEPT = 512,     /* cases of corpora/regress, which come first, */
    REAL_LISTED = 256,   /* and of flow_cases.tsv, which follow */
    REAL_STEP = 20,      /* cases from one note of how far it came to the next */
    REAL_BUGS = 256,
    REAL_RUNS = 4 /* the last one of each kind may still be held by the worker */
};
static const char *const driver_names[] = {"pocl-7", "pocl-6", "lavapipe", "pocl-3", "intel-cpu"};
static const char kept_folder[] = "corpora/regress";
static const char note_of_next[] = "next";
static const size_t judge_limit_bytes = (size_t)768 << 20;

/* What came of a pair. */
struct pair {
    uint32_t n_cases; /* in which the known bug shows and the rewrite is found as well */
    uint32_t n_new;   /* of these, it is new beside the known bugs */
    uint32_t n_rows;  /* of these, a row that is no model would hide all that is new */
    uint32_t
        n_shapes; /* of all, rows of shapes would hide it that stand in place of the models of control flow */
};
/* What is found of a run. */
struct found {
    uint32_t n_found, n_violations, n_kept;
    struct {
        enum clause_id clause;
        uint32_t offset;
    } kept[JUDGE_MAX_FINDINGS];
    uint32_t n_new, n_rows;   /* violations that no model explains; of these, that a row hides */
    bool is_known[REAL_BUGS]; /* by known bug */
    uint32_t n_known;
    bool is_flow; /* one of these is of control flow; then */
    uint32_t
        n_unhidden; /* violations that stay new with shapes in place of the models of control flow */
};
struct proof {
    struct target target; /* its rewrite changes from run to run */
    struct worker_handle handle;
    struct expected_failures rows;
    struct known_bugs bugs;
    struct known_bugs instead; /* the same, with shapes in place of the models of control flow */
    const char *kept[REAL_KEPT];
    struct listed {
        enum profile profile;
        uint64_t seed, index;
    } listed[REAL_LISTED];
    uint32_t n_kept, n_listed;
    struct arena keep, judge;
    struct run runs[REAL_RUNS];
    struct pair pairs[REAL_BUGS][REWRITE_N];
    bool is_beside_flow; /* a bug of control flow shows in the case without a rewrite */
    uint64_t next;       /* case */
    FILE *rows_of_cases;
};

/* Rewrites that the bug was seen with. */
static uint32_t count_rewrites(const struct proof *p, uint32_t bug)
{
    uint32_t n = 0;
    for (int i = 0; i < REWRITE_N; i++) {
        n += p->pairs[bug][i].n_cases > 0;
    }
    return n;
}

static bool is_of_flow(const struct known_bug *bug)
{
    return !bug->shape && fault_get_flow(bug->plan.id);
}

/* Was the bug seen with enough rewrites? */
static bool is_wide(const struct proof *p, uint32_t bug)
{
    return count_rewrites(p, bug) >= (is_of_flow(&p->bugs.bug[bug]) ? REAL_WIDE_FLOW : REAL_WIDE);
}

/* The bug of that name: of several models of one the first, which stands for them; REAL_BUGS: there is none. */
static uint32_t find_bug(const struct proof *p, const char *name)
{
    uint32_t k = 0;
    while (k < p->bugs.n && k < REAL_BUGS &&
           (p->bugs.bug[k].shape || strcmp(p->bugs.bug[k].name, name) != 0)) {
        k++;
    }
    return k < p->bugs.n ? k : REAL_BUGS;
}

/* Bugs that were seen with enough rewrites, those of control flow left out. */
static uint32_t count_wide(const struct proof *p)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < p->bugs.n && k < REAL_BUGS; k++) {
        n += !is_of_flow(&p->bugs.bug[k]) && is_wide(p, k);
    }
    return n;
}

/* Is a case wanted in which the bug shows? */
static bool is_bug_wanted(const struct proof *p, uint32_t bug)
{
    const struct known_bug *const b = &p->bugs.bug[bug];
    return !b->shape && (is_of_flow(b) || count_wide(p) < REAL_WANTED) &&
           !is_wide(p, find_bug(p, b->name));
}

static bool is_any_wanted(const struct proof *p)
{
    for (uint32_t k = 0; k < p->bugs.n && k < REAL_BUGS; k++) {
        if (is_bug_wanted(p, k)) {
            return true;
        }
    }
    return false;
}

/* ---- one run ---- */

/* Runs the case of r. The worker is started where it is down. */
static enum res run_case(struct proof *p, const struct rewrite_row *rewrite, struct run *r,
                         struct err *e)
{
    p->target.rewrite = rewrite;
    handle_drop_done(&p->handle);
    do {
        if (p->handle.state == HANDLE_DOWN) {
            TRY(handle_start_and_wait(&p->handle, e));
        }
        TRY(handle_submit(&p->handle, r, e));
        (void)handle_wait(&p->handle);
        handle_drop_done(&p->handle);
    } while (p->handle.flight == r); /* it took nothing of it */
    if (step_is_trouble(&r->ob)) {
        (void)handle_kill(&p->handle);
        handle_drop_done(&p->handle);
    }
    return RES_OK;
}

/* Counts what no model explains. */
static void count_new(struct proof *p, const struct run *r, const struct judgement *g,
                      struct found *out)
{
    for (uint32_t i = 0; i < g->n_findings; i++) {
        const struct finding *const f = &g->findings[i];
        bool const is_violation = verdict_rows[f->kind].part == PART_VIOLATION;
        bool const is_known = f->known && f->known[0];
        uint32_t const bug = is_known ? find_bug(p, f->known) : REAL_BUGS;
        if (bug < REAL_BUGS) {
            out->is_known[bug] = true;
            out->is_flow |= is_of_flow(&p->bugs.bug[bug]);
        }
        out->n_known += is_known;
        if (is_violation && !is_known) {
            out->n_new++;
            out->n_rows += expected_failures_find(&p->rows, p->target.name, r->ob.facts,
                                                  signature_of(f, &r->ob, &p->judge).text) != NULL;
        }
    }
}

static void tell_shape(const struct proof *p, const struct found *of, const char *signature)
{
    (void)fprintf(stderr, "shape: %s: %s:", p->target.name, signature);
    for (uint32_t k = 0; k < p->bugs.n && k < REAL_BUGS; k++) {
        (void)fprintf(stderr, "%s%s", of->is_known[k] ? " " : "",
                      of->is_known[k] ? p->bugs.bug[k].name : "");
    }
    (void)fputc('\n', stderr);
}

/* Counts what is new where shapes stand in place of the models of control flow, and tells it where nobody planted anything:
 * what a row of shapes.tsv would have to say. */
static void count_unhidden(struct proof *p, const struct run *r, struct judgement *g,
                           struct found *out)
{
    known_bugs_explain(&p->instead, &r->tc, &r->ob, g, &p->judge);
    for (uint32_t i = 0; i < g->n_findings; i++) {
        const struct finding *const f = &g->findings[i];
        if (verdict_rows[f->kind].part == PART_VIOLATION && !(f->known && f->known[0])) {
            out->n_unhidden++;
            if (!p->target.rewrite) {
                tell_shape(p, out, signature_of(f, &r->ob, &p->judge).text);
            }
        }
    }
}

/* Judges what was observed without the known bugs, and then with them. */
static enum res judge(struct proof *p, const struct run *r, struct found *out, struct err *e)
{
    struct judgement g;
    *out = (struct found){.n_found = 0};
    arena_reset(&p->judge);
    TRY(judge_run(&r->tc, &r->ob, &p->judge, &g, e));
    out->n_found = g.n_found;
    for (uint32_t i = 0; i < g.n_findings; i++) {
        out->n_violations += verdict_rows[g.findings[i].kind].part == PART_VIOLATION;
        out->kept[out->n_kept].clause = g.findings[i].clause;
        out->kept[out->n_kept++].offset = g.findings[i].offset;
    }
    struct judgement other = g;
    known_bugs_explain(&p->bugs, &r->tc, &r->ob, &g, &p->judge);
    count_new(p, r, &g, out);
    if (out->is_flow || p->is_beside_flow) {
        count_unhidden(p, r, &other, out);
    }
    return RES_OK;
}

/* Is there something in x that is not in y, at an instruction or of a clause, or more of the same? */
static bool is_more(const struct found *x, const struct found *y)
{
    for (uint32_t i = 0; i < x->n_kept; i++) {
        bool is_there = false;
        for (uint32_t k = 0; k < y->n_kept; k++) {
            is_there |=
                x->kept[i].clause == y->kept[k].clause && x->kept[i].offset == y->kept[k].offset;
        }
        if (!is_there) {
            return true;
        }
    }
    return x->n_found > y->n_found;
}

/* Is the rewrite by itself found, on an honest device of these facts? */
static enum res is_found_alone(struct proof *p, const struct run *r,
                               const struct rewrite_row *rewrite, bool *out, struct err *e)
{
    struct fault_plan const none = fault_plan_of(FAULT_NONE);
    struct testcase changed = r->tc;
    struct observation ob;
    struct judgement g;
    uint32_t n_sites;
    *out = false;
    arena_reset(&p->judge);
    TRY(rewrite_module(rewrite, r->tc.module, r->tc.n_words, &p->judge, &changed.module,
                       &changed.n_words, &n_sites, e));
    if (n_sites == 0) {
        return RES_OK;
    }
    TRY(sim_run(&changed, &(struct sim_device){SIM_IEEE, REAL_SEED, &none, r->ob.facts}, &p->judge,
                &ob, NULL, e));
    ob.facts = r->ob.facts;
    TRY(judge_run(&r->tc, &ob, &p->judge, &g, e));
    for (uint32_t i = 0; i < g.n_findings; i++) {
        *out |= verdict_rows[g.findings[i].kind].part == PART_VIOLATION;
    }
    return RES_OK;
}

/* ---- one case ---- */

/* Is another case wanted of a pair of this rewrite and a bug that shows? */
static bool is_wanted(const struct proof *p, const struct found *plain, int rewrite)
{
    bool is_it = false;
    for (uint32_t k = 0; k < p->bugs.n && k < REAL_BUGS; k++) {
        is_it |=
            plain->is_known[k] && p->pairs[k][rewrite].n_cases < REAL_ENOUGH && is_bug_wanted(p, k);
    }
    return is_it;
}

static void tell(const struct proof *p, const char *what, const struct run *plain, int rewrite,
                 const struct found *before, const struct found *after)
{
    (void)fprintf(stderr,
                  "%s: %s case %" PRIu64 ": %s: %" PRIu32 " findings, before %" PRIu32 ", %" PRIu32
                  " new\n",
                  what, p->target.name, plain->index, rewrite_rows[rewrite].id, after->n_found,
                  before->n_found, after->n_new);
}

static void put_row(FILE *f, const struct proof *p, uint32_t bug, int rewrite,
                    const struct pair *pair)
{
    (void)fprintf(f, "%s\t%s\t%s\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\n",
                  p->target.name, p->bugs.bug[bug].name, rewrite_rows[rewrite].id, pair->n_cases,
                  pair->n_new, pair->n_rows, pair->n_shapes);
}

static void add_pair(struct pair *to, const struct pair *one)
{
    to->n_cases += one->n_cases;
    to->n_new += one->n_new;
    to->n_rows += one->n_rows;
    to->n_shapes += one->n_shapes;
}

/* The case of `plain` with a fault planted. It counts where more is found than without it; of a driver that gave no more
 * (nobody raced at a barrier that is gone) it is only told. */
static enum res try_rewrite(struct proof *p, const struct run *plain, const struct found *before,
                            int rewrite, struct run *r, struct err *e)
{
    struct found after;
    bool is_alone;
    TRY(is_found_alone(p, plain, &rewrite_rows[rewrite], &is_alone, e));
    if (!is_alone) {
        return RES_OK;
    }
    arena_reset(&r->arena);
    step_begin(r);
    r->tc = plain->tc;
    TRY(run_case(p, &rewrite_rows[rewrite], r, e));
    if (r->ob.status != RUN_DONE) {
        return RES_OK; /* no known bug explains that */
    }
    TRY(judge(p, r, &after, e));
    if (after.n_new == 0 && !is_more(&after, before)) {
        tell(p, "unseen", plain, rewrite, before, &after);
        return RES_OK;
    }
    if (after.n_new == 0) {
        tell(p, "missed", plain, rewrite, before, &after);
    }
    for (uint32_t k = 0; k < p->bugs.n && k < REAL_BUGS; k++) {
        struct pair *const pair = &p->pairs[k][rewrite];
        if (before->is_known[k] && pair->n_cases < REAL_ENOUGH) {
            struct pair const one = {1, after.n_new > 0,
                                     after.n_new > 0 && after.n_rows == after.n_new,
                                     is_of_flow(&p->bugs.bug[k]) && after.n_unhidden == 0};
            add_pair(pair, &one);
            put_row(p->rows_of_cases, p, k, rewrite, &one);
        }
    }
    return RES_OK;
}

/* Would a device that has one of the bugs for which rewrites are wanted show it in the case? A driver is slow, and most of its
 * cases show nothing. */
static bool may_show(struct proof *p, const struct testcase *tc)
{
    bool is_shown = false;
    for (uint32_t k = 0; k < p->bugs.n && k < REAL_BUGS && !is_shown; k++) {
        struct fault_plan plan = p->bugs.bug[k].plan;
        struct observation ob;
        struct judgement g;
        struct err ignored;
        struct sim_outcome outcome = {.site = 0};
        plan.everywhere = 1;
        arena_reset(&p->judge);
        is_shown = is_bug_wanted(p, k) && sim_can_plant(tc, plan.id, &p->judge) &&
                   sim_run(tc, &(struct sim_device){SIM_IEEE, REAL_SEED, &plan, p->handle.facts},
                           &p->judge, &ob, &outcome, &ignored) == RES_OK &&
                   outcome.fault == FAULT_APPLIED;
        if (is_shown) {
            ob.facts = p->handle.facts;
            is_shown = judge_run(tc, &ob, &p->judge, &g, &ignored) == RES_OK && g.n_findings > 0;
        }
    }
    return is_shown;
}

/* The case of that index: kept ones, listed ones, and then random ones in which a wanted bug may show. */
static enum res make_case(struct proof *p, uint64_t index, struct run *plain, bool *is_one,
                          struct err *e)
{
    static const enum profile profiles[] = {PROFILE_ARITH, PROFILE_MAXERROR, PROFILE_ATOMICS,
                                            PROFILE_GROUPS, PROFILE_PROGRAMS};
    struct listed const drawn = {profiles[index % ARRAY_N(profiles)], REAL_SEED, index};
    bool const is_random = index >= p->n_kept + p->n_listed;
    struct bundle b;
    struct tape tape;
    if (index < p->n_kept) {
        TRY(bundle_read(p->kept[index], &plain->arena, &b, e));
        plain->tc = b.tc;
    } else {
        const struct listed *const l = is_random ? &drawn : &p->listed[index - p->n_kept];
        TRY(sched_make_case(l->profile, l->seed, l->index, p->target.env, &plain->arena, &plain->tc,
                            &tape, e));
    }
    *is_one = plain->tc.env == p->target.env &&
              facts_get_fit(p->handle.facts, &plain->tc.needs) == FIT_LISTED &&
              (!is_random || may_show(p, &plain->tc));
    return RES_OK;
}

/* One case on the driver as it is, and where it shows known bugs and nothing else, with each fault. */
static enum res try_case(struct proof *p, uint64_t index, struct err *e)
{
    struct run *const plain = &p->runs[index % 2];
    struct found before;
    bool is_one;
    arena_reset(&plain->arena);
    step_begin(plain);
    plain->index = index;
    p->is_beside_flow = false;
    TRY(make_case(p, index, plain, &is_one, e));
    if (!is_one) {
        return RES_OK;
    }
    TRY(run_case(p, NULL, plain, e));
    if (plain->ob.status != RUN_DONE) {
        return RES_OK;
    }
    TRY(judge(p, plain, &before, e));
    if (before.n_known == 0 || before.n_new > 0) {
        return RES_OK;
    }
    p->is_beside_flow = before.is_flow;
    for (int i = 0; i < REWRITE_N; i++) {
        if (is_wanted(p, &before, i)) {
            enum res const r = try_rewrite(p, plain, &before, i, &p->runs[2 + i % 2], e);
            if (r != RES_OK && r != RES_LIMIT && r != RES_NOMEM) {
                return r;
            }
        }
    }
    return RES_OK;
}

/* ---- one driver ---- */

/* What an earlier run has in the file of this driver. */
static void take_rows(struct proof *p, FILE *f)
{
    char line[256], target[64], bug[128], rewrite[64];
    unsigned n_cases, n_new, n_rows, n_shapes;
    rewind(f);
    while (fgets(line, sizeof line, f)) {
        if (sscanf(line, "%63s %127s %63s %u %u %u %u", target, bug, rewrite, &n_cases, &n_new,
                   &n_rows, &n_shapes) != 7 ||
            strcmp(target, p->target.name) != 0) {
            continue;
        }
        if (strcmp(bug, note_of_next) == 0) {
            p->next = n_cases;
        }
        const struct rewrite_row *const row = rewrite_find(rewrite);
        uint32_t const k = row ? find_bug(p, bug) : REAL_BUGS;
        if (k < REAL_BUGS) {
            add_pair(&p->pairs[k][row - rewrite_rows],
                     &(struct pair){n_cases, n_new, n_rows, n_shapes});
        }
    }
    (void)fseek(f, 0, SEEK_END);
}

static void note_next(const struct proof *p, uint64_t next)
{
    (void)fprintf(p->rows_of_cases, "%s\t%s\t-\t%" PRIu64 "\t0\t0\t0\n", p->target.name,
                  note_of_next, next);
    (void)fflush(p->rows_of_cases);
}

/* The folders of kept cases, in the order of their names. */
static enum res list_kept(struct proof *p, struct err *e)
{
    struct dirent **entries;
    int const n = scandir(kept_folder, &entries, NULL, alphasort);
    if (n < 0) {
        return err_set(e, RES_IO, "cannot read %s", kept_folder);
    }
    for (int i = 0; i < n; i++) {
        if (entries[i]->d_name[0] != '.' && p->n_kept < REAL_KEPT) {
            p->kept[p->n_kept++] = arena_printf(&p->keep, "%s/%s", kept_folder, entries[i]->d_name);
        }
        free(entries[i]);
    }
    free(entries);
    return RES_OK;
}

/* flow_cases.tsv: profile, seed and index of cases of campaigns in which some driver showed a bug of control flow. */
static enum res list_cases(struct proof *p, struct err *e)
{
    static const char path[] = "tests/prove/flow_cases.tsv";
    char line[256], profile[32];
    FILE *const f = fopen(path, "r");
    if (!f) {
        return err_set(e, RES_IO, "cannot read %s", path);
    }
    while (fgets(line, sizeof line, f) && p->n_listed < REAL_LISTED) {
        struct listed *const l = &p->listed[p->n_listed];
        if (sscanf(line, "%31s %" SCNu64 " %" SCNu64, profile, &l->seed, &l->index) == 3 &&
            profile_find(profile) >= 0) {
            l->profile = (enum profile)profile_find(profile);
            p->n_listed++;
        }
    }
    (void)fclose(f);
    return RES_OK;
}

/* The lists of known bugs, as soon as the driver has told its facts. */
static enum res read_bugs(struct proof *p, struct err *e)
{
    char today[EXPECTED_DATE_BYTES];
    struct expected_failures rows;
    struct known_bugs shapes;
    expected_failures_get_today(today);
    TRY(expected_failures_read(&p->rows, "corpora/known.tsv", today, &p->keep, e));
    TRY(expected_failures_list_bugs(&p->rows, p->target.name, p->handle.facts, &p->bugs, &p->keep,
                                    e));
    TRY(expected_failures_read(&rows, "tests/prove/shapes.tsv", today, &p->keep, e));
    TRY(expected_failures_list_bugs(&rows, p->target.name, p->handle.facts, &shapes, &p->keep, e));
    p->instead.bug = ARENA_NEW(&p->keep, struct known_bug, p->bugs.n + shapes.n + 1);
    if (!p->instead.bug) {
        return err_set(e, RES_NOMEM, "no memory for known bugs");
    }
    for (uint32_t i = 0; i < p->bugs.n; i++) {
        if (!is_of_flow(&p->bugs.bug[i])) {
            p->instead.bug[p->instead.n++] = p->bugs.bug[i];
        }
    }
    for (uint32_t i = 0; i < shapes.n; i++) {
        p->instead.bug[p->instead.n++] = shapes.bug[i];
    }
    return RES_OK;
}

static enum res prove_driver(struct proof *p, struct err *e)
{
    const char *const limit = getenv("MASKING_CASES");
    uint64_t const n = limit ? strtoull(limit, NULL, 10) : REAL_CASES;
    handle_init(&p->handle, &p->target);
    TRY(handle_start_and_wait(&p->handle, e));
    TRY(list_kept(p, e));
    TRY(list_cases(p, e));
    TRY(read_bugs(p, e));
    take_rows(p, p->rows_of_cases);
    uint64_t i = p->next;
    for (; i < n && is_any_wanted(p); i++) {
        enum res const r = try_case(p, i, e);
        if (r != RES_OK && r != RES_LIMIT && r != RES_NOMEM) {
            return r;
        }
        if (i % REAL_STEP == 0) {
            note_next(p, i + 1);
        }
    }
    p->next = i;
    note_next(p, i);
    return RES_OK;
}

/* ---- the file ---- */

struct totals {
    uint32_t n_pairs, n_new, n_rows, n_shapes;
};

/* Of each pair what came of it, in all of its cases. */
static void put_rows(const struct proof *p, FILE *f, struct totals *t)
{
    for (uint32_t k = 0; k < p->bugs.n && k < REAL_BUGS; k++) {
        for (int i = 0; i < REWRITE_N; i++) {
            const struct pair *const pair = &p->pairs[k][i];
            if (pair->n_cases > 0) {
                put_row(f, p, k, i, pair);
                t->n_pairs++;
                t->n_new += pair->n_new > 0;
                t->n_rows += pair->n_new > 0 && pair->n_new == pair->n_rows;
                t->n_shapes += pair->n_cases == pair->n_shapes;
            }
        }
    }
    printf("%s: %" PRIu32 " known bugs with %d rewrites, of %" PRIu64 " cases\n", p->target.name,
           count_wide(p), REAL_WIDE, p->next);
}

/* Goes on with a driver from what `part` has; then its rows go to f. */
static enum res prove_target(const struct target *t, FILE *part, FILE *f, struct totals *totals,
                             struct err *e)
{
    struct proof *const p = calloc(1, sizeof *p);
    if (!p) {
        return err_set(e, RES_NOMEM, "no memory for a proof");
    }
    p->target = *t;
    p->rows_of_cases = part;
    arena_init(&p->keep, HANDLE_RUN_BYTES);
    arena_init(&p->judge, judge_limit_bytes);
    for (int i = 0; i < REAL_RUNS; i++) {
        arena_init(&p->runs[i].arena, HANDLE_RUN_BYTES);
    }
    enum res const r = prove_driver(p, e);
    if (r == RES_OK) {
        put_rows(p, f, totals);
    }
    handle_free(&p->handle);
    for (int i = 0; i < REAL_RUNS; i++) {
        arena_free(&p->runs[i].arena);
    }
    arena_free(&p->judge);
    arena_free(&p->keep);
    free(p);
    return r;
}

static enum res prove(FILE *part, FILE *f, struct totals *t, struct err *e)
{
    struct arena a;
    arena_init(&a, HANDLE_RUN_BYTES);
    struct target_list *const all = ARENA_NEW(&a, struct target_list, 2);
    enum res r = all ? targets_find(&all[0], NULL, &a, e) : err_set(e, RES_NOMEM, "no memory");
    for (size_t i = 0; i < ARRAY_N(driver_names) && r == RES_OK; i++) {
        r = targets_choose(&all[0], driver_names[i], &all[1], &a, e);
        r = r == RES_OK ? prove_target(&all[1].t[0], part, f, t, e) : r;
    }
    arena_free(&a);
    (void)fprintf(f, "total\t-\t-\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\n",
                  t->n_pairs, t->n_new, t->n_rows, t->n_shapes);
    return r;
}

/* What came of an earlier run that was whole; false: there was none. */
static bool read_totals(const char *path, struct totals *t)
{
    char line[256];
    bool is_whole = false;
    FILE *const f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f)) {
        is_whole |= sscanf(line, "total - - %" SCNu32 " %" SCNu32 " %" SCNu32 " %" SCNu32,
                           &t->n_pairs, &t->n_new, &t->n_rows, &t->n_shapes) == 4;
    }
    if (f) {
        (void)fclose(f);
    }
    return is_whole;
}

/* Nothing is run where the result is there. */
static enum res prove_into(const char *folder, struct totals *t, struct err *e)
{
    char path[512], parts[512];
    struct file_writer w;
    (void)snprintf(path, sizeof path, "%s/masking_real.tsv", folder);
    (void)snprintf(parts, sizeof parts, "%s/masking_real.part", folder);
    if (read_totals(path, t)) {
        return RES_OK;
    }
    FILE *const part = fopen(parts, "a+");
    if (!part) {
        return err_set(e, RES_IO, "cannot write %s", parts);
    }
    enum res r = file_begin(&w, path, e);
    if (r == RES_OK) {
        r = file_end(&w, prove(part, w.f, t, e), e);
    }
    if (fclose(part) == 0 && r == RES_OK) {
        (void)unlink(parts);
    }
    return r;
}

/* prove_masking_real FOLDER: make FOLDER/masking_real.tsv. Exit status 0: of the pairs in which the planted fault is found
 * beside a known bug it is new in 95 of 100. */
int main(int argc, char **argv)
{
    enum {
        PERCENT = 95
    };
    struct err e = {RES_OK, ""};
    struct totals t = {.n_pairs = 0};
    if (argc != 2) {
        (void)fprintf(stderr, "usage: prove_masking_real FOLDER\n");
        return 2;
    }
    if (prove_into(argv[1], &t, &e) != RES_OK) {
        (void)fprintf(stderr, "prove: %s\n", e.text);
        return 3;
    }
    printf("%" PRIu32 " pairs in which a planted fault is found beside a known bug; new in %" PRIu32
           ", of which rows that are no models would hide %" PRIu32 "\n",
           t.n_pairs, t.n_new, t.n_rows);
    return t.n_pairs > 0 && t.n_new * 100 >= t.n_pairs * PERCENT ? 0 : 1;
}
