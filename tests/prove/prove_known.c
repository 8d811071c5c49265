/* tests/prove/prove_known.c -- a row of the list of known bugs mutes its bug and nothing else. At the sites where a model acts
 * on a simulated device, values are planted that are not its bug: random bits, neighbours of the permitted values and of the
 * bug's own, another site's value; and beside it other faults of the same instruction. A row for each model in FOLDER/known.tsv
 * says how many were planted and how many of these the model mutes. A run adds the rows that are missing, so that it resumes. */
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/io/bundle.h"
#include "fuzz/known/expected_failures.h"
#include "fuzz/known/known_bugs.h"
#include "oracle/fault/faults.h"
#include "oracle/fault/faults_bug.h"
#include "oracle/fault/faults_flow.h"
#include "oracle/judge/judge.h"
#include "oracle/sim/sim.h"
#include "oracle/sim/sim_facts.h"

enum {
    KNOWN_SEED = 20261126,
    MAX_TRIES = 1500, /* cases that are looked at for a model */
    ENOUGH_SITES = 60,
    SITES_OF_CASE = 4,
    N_OTHERS = 6, /* other faults that are tried in a case */
    /* runs with the bug: by chance, each value that it has a choice of, and some more by chance */
    N_FAULTY = 16,
    MAX_MODELS = 512
};
static const size_t arena_limit_bytes = (size_t)768 << 20;

/* Kinds of planted values. Each kind is counted, and how often a model mutes it. */
enum planted {
    PLANTED_RANDOM,
    PLANTED_NEIGHBOUR,
    PLANTED_LANE,
    PLANTED_FAULT /* of the same instruction: not a value, and outside of the bar */
};
enum {
    PLANTED_N = 4
};
struct tally {
    uint32_t n_sites, n_planted[PLANTED_N], n_muted[PLANTED_N];
};

/* One case, as an honest device and one that has the bug run it. */
struct trial {
    const struct known_bug *bug;
    const struct testcase *tc;
    struct observation honest, faulty[N_FAULTY];
    uint32_t n_faulty;
    const struct judgement *before; /* what is wrong already in the honest one; NULL: nothing */
    uint64_t seed;
    struct arena *a;
    struct rng *rng;
    struct tally *t;
};

static uint32_t count_violations(const struct judgement *g, bool is_left_alone)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->n_findings; i++) {
        const struct finding *const f = &g->findings[i];
        bool const is_known = f->known && f->known[0];
        n += verdict_rows[f->kind].part == PART_VIOLATION && !(is_left_alone && is_known);
    }
    return n;
}

/* Is there a finding that the run had not before? */
static bool has_further(const struct judgement *g, const struct judgement *before)
{
    bool is_any = !before && count_violations(g, false) > 0;
    for (uint32_t i = 0; before && i < g->n_findings && !is_any; i++) {
        const struct finding *const f = &g->findings[i];
        bool is_old = verdict_rows[f->kind].part != PART_VIOLATION;
        for (uint32_t k = 0; k < before->n_findings && !is_old; k++) {
            const struct finding *const b = &before->findings[k];
            is_old = f->kind == b->kind && f->offset == b->offset &&
                     f->invocation == b->invocation && f->got == b->got;
        }
        is_any = !is_old;
    }
    return is_any;
}

/* Judges what was observed: is anything wrong, and does the bug mute all of it? Counts it as planted where something is. */
static enum res judge_planted(const struct trial *r, const struct observation *ob,
                              enum planted what, struct err *e)
{
    struct known_bugs const bugs = {.n = 1, .bug = arena_copy(r->a, r->bug, sizeof *r->bug)};
    struct arena_mark const mark = arena_get_mark(r->a);
    struct judgement g;
    TRY(judge_run(r->tc, ob, r->a, &g, e));
    if (bugs.bug && has_further(&g, r->before)) {
        known_bugs_explain(&bugs, r->tc, ob, &g, r->a);
        r->t->n_planted[what]++;
        r->t->n_muted[what] += count_violations(&g, true) == 0;
    }
    arena_release(r->a, mark);
    return RES_OK;
}

/* Is it a NaN, whose payload is free? Also in a word that is stored as an integer: that may be of a float, bit by bit. */
static bool is_nan(const struct expect *at, uint64_t value)
{
    enum fmt_id const fmt = at->flags & EXPECT_FLOAT ? (enum fmt_id)at->fmt
                            : at->n_bytes == 8       ? FMT_F64
                            : at->n_bytes == 4       ? FMT_F32
                                                     : FMT_F16;
    return at->n_bytes > 1 && format_is_nan(&float_formats[fmt], value);
}

/* Is it what the bug gave there in any run, or a NaN where that is one? */
static bool is_its(const struct trial *r, const struct expect *at, uint64_t value)
{
    bool is_it = false;
    for (uint32_t i = 0; i < r->n_faulty; i++) {
        uint64_t const its = load_le(r->faulty[i].out[at->buf] + at->byte, at->n_bytes);
        is_it |= its == value || (is_nan(at, its) && is_nan(at, value));
    }
    return is_it;
}

/* Runs with the bug beside the first: each value that it has a choice of, and some by chance. */
static enum res list_faulty(struct trial *r, const char *facts, struct err *e)
{
    struct fault_plan plan = r->bug->plan;
    plan.everywhere = 1;
    for (r->n_faulty = 1; r->n_faulty < N_FAULTY; r->n_faulty++) {
        plan.choice = r->n_faulty <= fault_count_choices(plan.id) ? r->n_faulty : 0;
        TRY(sim_run(r->tc, &(struct sim_device){SIM_IEEE, r->seed + r->n_faulty, &plan, facts},
                    r->a, &r->faulty[r->n_faulty], NULL, e));
    }
    return RES_OK;
}

/* May the word hold the value? */
static bool is_permitted(const struct expect *at, uint64_t value)
{
    const struct float_format *const f = &float_formats[at->fmt];
    bool const is_float = at->flags & EXPECT_FLOAT;
    if (is_float && format_is_nan(f, value)) {
        return (at->flags & (value & f->quiet ? EXPECT_QNAN : EXPECT_SNAN)) != 0;
    }
    int64_t const key = is_float ? format_to_key(f, value) : (int64_t)value;
    bool is_it = false;
    for (uint32_t i = 0; i < at->n; i++) {
        is_it |= at->r[i].lo <= key && key <= at->r[i].hi;
    }
    return is_it;
}

/* The honest observation with another value in one word. */
static enum res plant_value(const struct trial *r, const struct expect *at, uint64_t value,
                            enum planted what, struct err *e)
{
    struct arena_mark const mark = arena_get_mark(r->a);
    struct observation ob = r->honest;
    unsigned char *const out =
        arena_copy(r->a, r->honest.out[at->buf], r->tc->bufs[at->buf].n_bytes);
    if (!out) {
        return err_set(e, RES_NOMEM, "no memory for an observation");
    }
    if (at->n_bytes < 8) {
        value &= (UINT64_C(1) << 8 * at->n_bytes) - 1;
    }
    if (is_its(r, at, value) || is_permitted(at, value)) {
        arena_release(r->a, mark);
        return RES_OK;
    }
    store_le(out + at->byte, value, at->n_bytes);
    ob.out[at->buf] = out;
    enum res const res = judge_planted(r, &ob, what, e);
    arena_release(r->a, mark);
    return res;
}

/* The encoding that is `by` behind one: of a float in the order of numbers, of an integer by 1. */
static uint64_t step(const struct expect *at, uint64_t from, int64_t by)
{
    if (!(at->flags & EXPECT_FLOAT)) {
        return from + (uint64_t)by;
    }
    const struct float_format *const f = &float_formats[at->fmt];
    return format_is_nan(f, from) ? from ^ 1 : format_from_key(f, format_to_key(f, from) + by);
}

/* Are the values of other invocations, or of other words of the case, the bug's own? */
static bool takes_words(enum fault_id id)
{
    const struct flow_row *const row = fault_get_flow(id);
    return fault_bug_takes_others(id) || (row && row->does == FLOW_AFTER_LAST);
}

/* Plants what is not the bug at one of its sites. `other` is the value of another site of as many bytes. */
static enum res try_site(const struct trial *r, const struct expect *at, uint64_t other,
                         struct err *e)
{
    uint64_t const right = load_le(r->honest.out[at->buf] + at->byte, at->n_bytes);
    uint64_t const its = load_le(r->faulty[0].out[at->buf] + at->byte, at->n_bytes);
    int64_t const beyond = 2 * (int64_t)fault_bug_get_radius(r->bug->plan.id) + 1;
    r->t->n_sites++;
    TRY(plant_value(r, at, rng_next(r->rng), PLANTED_RANDOM, e));
    TRY(plant_value(r, at, rng_next(r->rng), PLANTED_RANDOM, e));
    if (at->n > 0) { /* next to the permitted ones, unless these are ones that the bug gives */
        int64_t const by = at->r[at->n - 1].hi + 1;
        uint64_t const next =
            at->flags & EXPECT_FLOAT ? format_from_key(&float_formats[at->fmt], by) : (uint64_t)by;
        if (beyond == 1) {
            TRY(plant_value(r, at, next, PLANTED_NEIGHBOUR, e));
        }
    }
    TRY(plant_value(r, at, step(at, its, beyond), PLANTED_NEIGHBOUR, e));
    TRY(plant_value(r, at, step(at, its, -beyond), PLANTED_NEIGHBOUR, e));
    if (other != right && !takes_words(r->bug->plan.id)) {
        TRY(plant_value(r, at, other, PLANTED_LANE, e));
    }
    return RES_OK;
}

/* Other faults of the instruction that the finding names, each on a device that has it alone. */
static enum res try_faults(const struct trial *r, int op, struct err *e)
{
    for (int i = 0, n = 0; op >= 0 && i < FAULT_N && n < N_OTHERS; i++) {
        struct fault_plan plan = fault_plan_of((enum fault_id)rng_below(r->rng, FAULT_N));
        struct arena_mark const mark = arena_get_mark(r->a);
        struct observation ob;
        struct sim_outcome outcome = {.site = 0};
        plan.op = op;
        plan.everywhere = 1;
        bool const is_other = plan.id != r->bug->plan.id && !fault_is_of_flow(plan.id) &&
                              verdict_rows[fault_rows[plan.id].expect].part == PART_VIOLATION;
        if (is_other && sim_can_plant(r->tc, plan.id, r->a) &&
            sim_run(r->tc, &(struct sim_device){SIM_IEEE, r->seed, &plan, r->honest.facts}, r->a,
                    &ob, &outcome, e) == RES_OK &&
            outcome.fault == FAULT_APPLIED) {
            ob.facts = r->honest.facts;
            TRY(judge_planted(r, &ob, PLANTED_FAULT, e));
            n++;
        }
        arena_release(r->a, mark);
    }
    return RES_OK;
}

/* Where the bug shows by itself and is known. */
static enum res try_case(struct trial *r, struct err *e)
{
    struct fault_plan const none = fault_plan_of(FAULT_NONE);
    struct fault_plan plan = r->bug->plan;
    struct sim_outcome outcome = {.site = 0};
    uint32_t n_sites = 0;
    struct judgement g;
    const char *const facts = sim_facts_for(r->tc, r->seed, r->a);
    plan.everywhere = 1;
    TRY(sim_run(r->tc, &(struct sim_device){SIM_IEEE, r->seed, &plan, facts}, r->a, &r->faulty[0],
                &outcome, e));
    if (outcome.fault != FAULT_APPLIED) {
        return RES_OK;
    }
    r->faulty[0].facts = facts;
    TRY(judge_run(r->tc, &r->faulty[0], r->a, &g, e));
    if (count_violations(&g, false) == 0) {
        return RES_OK;
    }
    TRY(list_faulty(r, facts, e));
    TRY(sim_run(r->tc, &(struct sim_device){SIM_IEEE, r->seed, &none, facts}, r->a, &r->honest,
                &outcome, e));
    r->honest.facts = facts;
    uint64_t other = 0;
    int op = -1;
    for (uint32_t i = 0; i < g.n_findings && n_sites < SITES_OF_CASE; i++) {
        const struct expect *const at = g.findings[i].expect;
        if (at && verdict_rows[g.findings[i].kind].part == PART_VIOLATION) {
            TRY(try_site(r, at, other, e));
            other = load_le(r->honest.out[at->buf] + at->byte, at->n_bytes);
            op = g.findings[i].op;
            n_sites++;
        }
    }
    return n_sites > 0 ? try_faults(r, op, e) : RES_OK;
}

/* The kept cases of drivers that had the bug, where nothing else is wrong: for bugs that cannot be planted, too. */
static enum res try_bundles(const struct known_bug *bug, struct arena *a, struct rng *rng,
                            struct tally *t, struct err *e)
{
    static const char folder[] = "corpora/regress";
    DIR *const d = opendir(folder);
    enum res r = d ? RES_OK : err_set(e, RES_IO, "cannot read %s", folder);
    for (struct dirent *entry; r == RES_OK && (entry = readdir(d)) != NULL;) {
        struct bundle b;
        struct judgement g;
        arena_reset(a);
        if (entry->d_name[0] == '.' ||
            bundle_read(arena_printf(a, "%s/%s", folder, entry->d_name), a, &b, e) != RES_OK ||
            b.ob.status != RUN_DONE) {
            continue;
        }
        struct known_bug one = *bug;
        struct known_bugs const bugs = {.n = 1, .bug = &one};
        struct judgement plain;
        struct trial trial = {.bug = bug,
                              .before = &plain,
                              .tc = &b.tc,
                              .honest = b.ob,
                              .faulty = {b.ob},
                              .n_faulty = 1,
                              .a = a,
                              .rng = rng,
                              .t = t};
        r = judge_run(&b.tc, &b.ob, a, &g, e);
        plain = g;
        bool const is_wrong = r == RES_OK && count_violations(&g, false) > 0;
        if (is_wrong) {
            known_bugs_explain(&bugs, &b.tc, &b.ob, &g, a);
        }
        if (is_wrong && r == RES_OK && count_violations(&g, true) == 0 &&
            fault_is_bug(bug->plan.id) && sim_can_plant(&b.tc, bug->plan.id, a)) {
            r = list_faulty(&trial, b.ob.facts, e);
        }
        for (uint32_t i = 0; is_wrong && r == RES_OK && count_violations(&g, true) == 0 &&
                             i < plain.n_findings && i < SITES_OF_CASE;
             i++) {
            r = plain.findings[i].expect ? try_site(&trial, plain.findings[i].expect, 0, e)
                                         : RES_OK;
        }
    }
    if (d) {
        (void)closedir(d);
    }
    return r;
}

/* In which profile the i-th case is that may hold the bug's instructions. */
static enum profile choose_profile(const struct known_bug *bug, uint64_t i)
{
    static const enum profile math[] = {PROFILE_ARITH, PROFILE_MAXERROR},
                              groups[] = {PROFILE_GROUPS},
                              flow[] = {PROFILE_PROGRAMS, PROFILE_ATOMICS, PROFILE_GROUPS};
    return fault_is_of_math(bug->plan.id)     ? math[i % ARRAY_N(math)]
           : fault_is_of_groups(bug->plan.id) ? groups[i % ARRAY_N(groups)]
                                              : flow[i % ARRAY_N(flow)];
}

/* A function of OpenCL.std or of GLSL.std.450 is in one environment alone. */
static enum env env_of(const struct known_bug *bug, uint64_t i)
{
    bool is_cl = false, is_vk = false;
    for (int op = 0; fault_is_bug(bug->plan.id) && op < OP_N; op++) {
        bool const is_about = fault_bug_is_about(bug->plan.id, op);
        is_cl |= is_about && op_rows[op].number >> 16 != OP_SET_glsl450;
        is_vk |= is_about && op_rows[op].number >> 16 != OP_SET_opencl_std;
    }
    return is_cl == is_vk ? (enum env)(i / 3 % ENV_N) : is_cl ? ENV_CL : ENV_VK;
}

static enum res try_model(const struct known_bug *bug, struct arena *a, struct tally *t,
                          struct err *e)
{
    struct rng rng = rng_seed(KNOWN_SEED);
    *t = (struct tally){.n_sites = 0};
    for (uint64_t i = 0; i < MAX_TRIES && t->n_sites < ENOUGH_SITES; i++) {
        struct testcase tc;
        struct tape tape;
        arena_reset(a);
        TRY(sched_make_case(choose_profile(bug, i), KNOWN_SEED, i, env_of(bug, i), a, &tc, &tape,
                            e));
        struct trial r = {.bug = bug, .tc = &tc, .seed = i, .a = a, .rng = &rng, .t = t};
        if (!sim_can_plant(&tc, bug->plan.id, a)) {
            continue;
        }
        enum res const res = try_case(&r, e);
        if (res != RES_OK && res != RES_LIMIT && res != RES_NOMEM) {
            return res;
        }
    }
    return try_bundles(bug, a, &rng, t, e);
}

/* ---- the list and the file ---- */

/* Each model of the list once. */
static enum res list_models(struct arena *a, struct known_bugs *out, struct err *e)
{
    struct expected_failures k;
    TRY(expected_failures_read(&k, "corpora/known.tsv", "0000-00-00", a, e));
    *out = (struct known_bugs){.bug = ARENA_NEW(a, struct known_bug, MAX_MODELS)};
    for (uint32_t i = 0; out->bug && i < k.n; i++) {
        const struct expected_failure *const row = &k.rows[i];
        struct expected_failures const one = {.path = k.path, .n = 1, .rows = &k.rows[i]};
        struct known_bugs bugs;
        const char *const target =
            arena_printf(a, "%.*s", (int)strcspn(row->targets, ","), row->targets);
        TRY(expected_failures_list_bugs(&one, target, NULL, &bugs, a, e));
        for (uint32_t m = 0; m < bugs.n && out->n < MAX_MODELS; m++) {
            bool is_there = bugs.bug[m].shape != NULL;
            for (uint32_t n = 0; n < out->n && !is_there; n++) {
                const struct fault_plan *const p = &out->bug[n].plan, *const q = &bugs.bug[m].plan;
                is_there = p->id == q->id && p->op == q->op && p->type == q->type;
            }
            if (!is_there) {
                out->bug[out->n++] = bugs.bug[m];
            }
        }
    }
    return RES_OK;
}

static const char *name_of(const struct known_bug *bug, struct arena *a)
{
    const struct fault_plan *const p = &bug->plan;
    return arena_printf(a, "%s%s%s", fault_rows[p->id].id, p->op >= 0 ? ":" : "",
                        p->op >= 0 ? op_rows[p->op].name : "");
}

static void put_row(FILE *f, const char *name, const struct tally *t)
{
    (void)fprintf(f, "%s\t%" PRIu32, name, t->n_sites);
    for (int i = 0; i < PLANTED_N; i++) {
        (void)fprintf(f, "\t%" PRIu32 "\t%" PRIu32, t->n_planted[i], t->n_muted[i]);
    }
    (void)fprintf(f, "\n");
    (void)fflush(f);
}

/* The share of the planted values that the model mutes, in percent. */
static double get_share(const struct tally *t)
{
    uint32_t n_planted = 0, n_muted = 0;
    for (int i = 0; i < PLANTED_FAULT; i++) {
        n_planted += t->n_planted[i];
        n_muted += t->n_muted[i];
    }
    return n_planted > 0 ? 100.0 * n_muted / n_planted : 0;
}

/* The row of a model that an earlier run has; false: there is none. */
static bool find_row(FILE *f, const char *name, struct tally *t)
{
    char line[256], own[128];
    unsigned v[1 + 2 * PLANTED_N];
    rewind(f);
    while (fgets(line, sizeof line, f)) {
        if (sscanf(line, "%127s %u %u %u %u %u %u %u %u %u", own, &v[0], &v[1], &v[2], &v[3], &v[4],
                   &v[5], &v[6], &v[7], &v[8]) == 10 &&
            strcmp(own, name) == 0) {
            t->n_sites = v[0];
            for (int i = 0; i < PLANTED_N; i++) {
                t->n_planted[i] = v[1 + 2 * i];
                t->n_muted[i] = v[2 + 2 * i];
            }
            return true;
        }
    }
    return false;
}

static enum res prove(FILE *f, uint32_t *n_wide, struct err *e)
{
    enum {
        PERCENT = 2
    };
    struct arena keep, a;
    struct known_bugs models = {.n = 0};
    arena_init(&keep, (size_t)64 << 20);
    arena_init(&a, arena_limit_bytes);
    enum res r = list_models(&keep, &models, e);
    for (uint32_t i = 0; i < models.n && r == RES_OK; i++) {
        const char *const name = name_of(&models.bug[i], &keep);
        struct tally t;
        if (!find_row(f, name, &t)) {
            r = try_model(&models.bug[i], &a, &t, e);
            (void)fseek(f, 0, SEEK_END);
            if (r == RES_OK) {
                put_row(f, name, &t);
            }
        }
        bool const is_wide = get_share(&t) > PERCENT;
        *n_wide += is_wide;
        if (is_wide || t.n_sites == 0) {
            printf("%s: of %" PRIu32 " sites %.1f %% of the values planted there are muted\n", name,
                   t.n_sites, get_share(&t));
        }
    }
    printf("%" PRIu32 " models, %" PRIu32 " of them mute more than %d %%\n", models.n, *n_wide,
           PERCENT);
    arena_free(&a);
    arena_free(&keep);
    return r;
}

/* prove_known FOLDER: complete FOLDER/known.tsv. Exit status 0: no model mutes more than 2 % of the values planted at its sites. */
int main(int argc, char **argv)
{
    char path[512];
    struct err e = {RES_OK, ""};
    uint32_t n_wide = 0;
    if (argc != 2) {
        (void)fprintf(stderr, "usage: prove_known FOLDER\n");
        return 2;
    }
    (void)snprintf(path, sizeof path, "%s/known.tsv", argv[1]);
    FILE *const f = fopen(path, "a+");
    if (!f) {
        (void)fprintf(stderr, "prove: cannot write %s\n", path);
        return 3;
    }
    enum res const r = prove(f, &n_wide, &e);
    if (fclose(f) != 0 || r != RES_OK) {
        (void)fprintf(stderr, "prove: %s\n", e.text);
        return 3;
    }
    return n_wide == 0 ? 0 : 1;
}
