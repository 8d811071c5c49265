/* fuzz/triage/triage.c -- each bucket of a campaign: how reliable, how small, what passes, who else has it. */
#include "fuzz/triage/triage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/caps.h"
#include "base/printable.h"
#include "base/testcase.h"
#include "fuzz/execute/executor.h"
#include "fuzz/journal/campaign_data.h"
#include "fuzz/journal/campaign_group.h"
#include "fuzz/journal/journal_finding.h"
#include "fuzz/pool/handle.h"
#include "fuzz/process/child_time.h"
#include "fuzz/process/progress.h"
#include "fuzz/reduce/reduce.h"
#include "fuzz/targets/switches.h"
#include "fuzz/targets/targets.h"
#include "fuzz/triage/cause_text.h"
#include "fuzz/triage/first_wrong.h"
#include "fuzz/trial/foreign.h"
#include "fuzz/trial/trial.h"
#include "fuzz/trial/trial_count.h"
#include "fuzz/trial/trust.h"
#include "fuzz/variant/variant.h"
#include "oracle/diagnose/diagnose.h"
#include "oracle/judge/judge.h"
#include "oracle/judgement/judgement.h"
#include "oracle/tables/tables.h"
#include "oracle/tables/words.h"

#define TRIAGE_ARENA_BYTES ((size_t)1 << 30)
enum {
    HANG_RUNS = 3,    /* of what ends by a deadline */
    VARIANT_RUNS = 3, /* a variant passes when none of so many shows it */
    MATRIX_RUNS = 3,
    MAX_VERSION_BYTES = 128,
    TRIAGE_MAX_SWITCHES = 64, /* rows of fuzz/targets/switches.def that are tried */
    FLAKY_FACTOR = 3 /* a variant of a flaky case runs until that would be seen so many times */
};
/* For the variants of a bucket: no new one is begun after it. */
#define VARIANTS_NS (UINT64_C(20) * 1000000000)
#define SWITCHES_NS (UINT64_C(20) * 1000000000) /* likewise */

/* What the targets say of themselves, asked once; in the arena of the whole. */
struct known_facts {
    struct arena *a;
    int is_asked[TARGETS_MAX];
    const char *facts[TARGETS_MAX]; /* NULL: it does not start */
};

/* A bucket that was looked into already and is explained whole. */
struct explained {
    int64_t target_id;
    const char *class, *bug;
};

/* Those of this call, in the arena of the whole. */
struct all_explained {
    struct arena *a;
    uint32_t n;
    struct explained *of; /* room for every bucket */
};

/* One bucket that is looked into. */
struct investigation {
    struct journal *j;
    const struct campaign *c;
    const struct triage_options *o;
    const struct campaign_finding *f;
    const struct target *target;
    struct arena *a;
    struct known_facts *known;
    struct all_explained *explained;
    uint64_t until_ns; /* the end of the whole */
    int is_refused;
    bool is_cut; /* by that end, or a signal */
    struct reduce_subject s;
    struct reduce_result r;
    struct campaign_triage t;
};

/* An event of the bucket. */
static void tell(const struct investigation *p, const char *what)
{
    progress_say(p->o->progress, "%s: %s: %s", p->target->name,
                 printable_copy_line(p->a, p->f->signature), what);
}

/* What is being done with it. */
static void show(const struct investigation *p, const char *what)
{
    const char *const parts[] = {what, p->target->name, p->f->signature};
    progress_show(p->o->progress, parts, ARRAY_N(parts));
}

/* May another step be begun? If not, something is left out. */
static bool may_go_on(struct investigation *p)
{
    bool const is_over = trial_is_over(&p->s.wanted);
    p->is_cut |= is_over;
    return !is_over;
}

static uint32_t count_cores(void)
{
    long const n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > TRIAL_MAX_WORKERS ? TRIAL_MAX_WORKERS : (uint32_t)n;
}

/* The smallest case that shows the bucket: a driver compiles it soonest, a reduction starts nearest. */
static enum res find_lightest(struct journal *j, const struct campaign *c,
                              const struct campaign_finding *head, struct journal_light *out,
                              struct err *e)
{
    enum res r = journal_find_lightest(j, head->id, out, e);
    for (uint32_t i = 0; i < c->n_findings; i++) {
        struct journal_light other;
        struct err ignored;
        if (&c->findings[i] != head && &c->findings[c->findings[i].bucket] == head &&
            journal_find_lightest(j, c->findings[i].id, &other, &ignored) == RES_OK &&
            (r != RES_OK || other.n_bytes < out->n_bytes)) {
            *out = other;
            r = RES_OK;
        }
    }
    return r;
}

/* Case, observation and tape of the bucket. */
static enum res load(struct investigation *p, struct err *e)
{
    struct journal_light light = {.id = 0};
    TRY(find_lightest(p->j, p->c, p->f, &light, e));
    TRY(reduce_load_finding(p->j, p->c->plan.gen_version, light.id, light.case_index, p->a, &p->s,
                            e));
    p->s.wanted = (struct trial_wanted){.core = signature_parse(p->f->signature, p->a).core,
                                        .facts = p->s.ob.facts,
                                        .n_runs = 1,
                                        .n_needed = 1,
                                        .until_ns = p->until_ns};
    return RES_OK;
}

/* May it be run here? Whoever the campaign came from wrote the case that is in it. */
static enum res ask_trust(struct investigation *p, struct err *e)
{
    enum trust trust = TRUST_OURS;
    const char *name = arena_printf(p->a, "%s: finding %" PRId64, p->c->folder, p->f->id);
    const struct tape *tape = p->s.has_tape ? &p->s.tape : NULL;
    enum res const r = trust_case(name, &p->s.tc, tape, p->o->is_trusted, &trust, p->a, e);
    p->s.wanted.is_foreign = trust == TRUST_VOUCHED;
    p->is_refused = r == RES_USAGE;
    if (p->is_refused) {
        progress_warn(p->o->progress, "halfulp report: %s", e->text);
    }
    if (r == RES_OK && trust != TRUST_OURS) {
        const char *const remark = foreign_classify(&p->s.tc, p->a);
        if (remark[0]) {
            progress_warn(p->o->progress, "halfulp report: %s: of class %s: %s", name,
                          case_class_names[p->s.tc.class], remark);
        }
    }
    return r;
}

/* How many of the runs ended as the bucket's verdict has it, whatever the bug. */
static uint32_t count_alike(const struct investigation *p, const struct trial_count *n)
{
    return strcmp(p->f->verdict, verdict_rows[n->worst].name) == 0 ? n->n_worst : 0;
}

/* Reruns in fresh workers, alone and on a loaded machine; of the latter none where a signal ends them. */
static enum res rerun(struct investigation *p, const struct testcase *tc, struct err *e)
{
    struct trial_count alone, loaded = {.n_runs = 0};
    uint32_t const n = strcmp(p->f->verdict, verdict_rows[VERDICT_HANG].name) == 0
                           ? (uint32_t)HANG_RUNS
                           : (uint32_t)TRIAGE_RUNS;
    enum res r = trials_count(p->target, &p->s.wanted, tc, n, 0, &alone, e);
    p->is_cut |= r == RES_OK && alone.n_runs < n;
    if (r == RES_OK && p->target->kind == TARGET_WORKER && may_go_on(p)) {
        r = trials_count(p->target, &p->s.wanted, tc, n, 2 * count_cores(), &loaded, e);
        if (r == RES_LIMIT && !may_go_on(p)) {
            loaded.n_runs = loaded.n_shown = 0;
            r = RES_OK;
        }
        p->is_cut |= r == RES_OK && loaded.n_runs < n;
    }
    p->t.n_alike = count_alike(p, &alone);
    p->t.n_runs = alone.n_runs;
    p->t.n_shown = alone.n_shown;
    p->t.n_loaded_runs = loaded.n_runs;
    p->t.n_loaded_shown = loaded.n_shown;
    p->t.is_flaky = alone.n_shown < alone.n_runs || loaded.n_shown < loaded.n_runs;
    return r;
}

/* Shares of shown runs, alone and loaded together. */
static double get_share(const struct campaign_triage *t)
{
    uint32_t const n = t->n_runs + t->n_loaded_runs;
    return n ? (double)(t->n_shown + t->n_loaded_shown) / (double)n : 0.0;
}

/* Time for the reduction: half of what is left at most, for what comes after it. */
static uint64_t get_reduce_ns(const struct investigation *p)
{
    uint64_t const now = child_now_ns();
    uint64_t const half = p->until_ns > now ? (p->until_ns - now) / 2 : 0;
    uint64_t const own = p->o->reduce_ns && p->o->reduce_ns < half ? p->o->reduce_ns : half;
    return own ? own : 1;
}

/* Make the bug's case smaller, into p->r, and run it again, into p->t. The smaller case is kept only if it shows the
 * bug at least half as often as the case that came; else, and where the reduction did not get anywhere, the one that
 * came is the result, and p->t is as it was. A bug that no run showed (share 0) is not reduced. */
static enum res reduce(struct investigation *p, struct err *e)
{
    const struct triage_options *const o = p->o;
    double const share = get_share(&p->t);
    struct campaign_triage const before = p->t;
    struct reduce_options const options = {.target = p->target,
                                           .n_workers = o->n_workers,
                                           .max_ns = get_reduce_ns(p),
                                           .tries_spirv_reduce = 1,
                                           .is_trusted = o->is_trusted,
                                           .progress = o->progress};
    if (share <= 0.0) {
        return RES_OK;
    }
    trial_set_share(&p->s.wanted, share);
    enum res r = reduce_run(&p->s, &options, p->a, &p->r, e);
    if (r == RES_OK) {
        r = rerun(p, &p->r.tc, e);
        p->t.n_before = p->r.n_before;
        p->t.n_after = p->r.n_after;
        p->t.smallest = p->r.smallest;
        p->t.is_flaky |= p->is_cut && before.is_flaky; /* a few runs show less of that */
    }
    /* RES_USAGE: reduce_run did not see the bug in the case that came. RES_LIMIT: the time ended during its first
     * runs, as it may with hangs. */
    bool const is_not_shown = r == RES_USAGE;
    bool const is_late = r == RES_LIMIT;
    bool const is_rarer = r == RES_OK && get_share(&p->t) < share / 2;
    if (is_not_shown || is_late || is_rarer) {
        p->t = before;
        p->r.tc = p->s.tc;
        p->r.ob = p->s.ob;
        r = RES_OK;
    }
    return r;
}

/* The finding of the smallest case: that of the reduction, if its case was taken, or found anew. */
static void find_finding(struct investigation *p)
{
    struct judgement *g = ARENA_NEW(p->a, struct judgement, 1);
    struct err ignored;
    p->r.finding = (struct finding){.offset = 0};
    if (!g || judge_run(&p->r.tc, &p->r.ob, p->a, g, &ignored) != RES_OK) {
        return;
    }
    for (uint32_t i = g->n_findings; i-- > 0;) {
        if (finding_has_core(&g->findings[i], &p->r.ob, p->s.wanted.core, p->a)) {
            p->r.finding = g->findings[i];
        }
    }
}

/* Add a case of the bucket to the diagnosis, with what was observed of it. */
static enum res add_to_diagnosis(struct investigation *p, struct diagnose *d,
                                 const struct testcase *tc, const struct observation *ob,
                                 struct err *e)
{
    struct judgement *g = ARENA_NEW(p->a, struct judgement, 1);
    if (!g) {
        return err_set(e, RES_NOMEM, "no memory for a judgement");
    }
    TRY(judge_run(tc, ob, p->a, g, e));
    return diagnose_add(d, tc, ob, g, p->a, e);
}

/* Which faults would give what was seen, of the case as it was found and of the smallest one. A case that is too large
 * is left out. */
static void diagnose(struct investigation *p)
{
    struct diagnose *d = diagnose_new(p->a);
    struct diagnosis_list list;
    struct err ignored;
    if (!d) {
        return;
    }
    (void)!add_to_diagnosis(p, d, &p->s.tc, &p->s.ob, &ignored);
    if (p->t.n_before > 0) { /* it was made smaller */
        (void)!add_to_diagnosis(p, d, &p->r.tc, &p->r.ob, &ignored);
    }
    diagnose_rank(d, &list);
    p->t.cause = words_say(p->s.tc.env, cause_text(&list, p->a), p->a);
    p->t.bug = cause_text_bug(&list, p->a);
}

/* What goes wrong before what was found, by the smallest case with a store behind each instruction. What the case as it was
 * found told before stays if the smallest one has that instruction at all: the larger one may have other bugs. */
static enum res trace_first_wrong(struct investigation *p, struct err *e)
{
    struct err why;
    const char *core = "";
    enum res const r = first_wrong_trace(&p->r.tc, &p->s.wanted, p->target, p->a, &core, &why);
    bool const is_kept = !core[0] && first_wrong_is_in(p->t.first_wrong, &p->r.tc, p->a);
    p->t.first_wrong = is_kept ? p->t.first_wrong : core;
    return r == RES_IO ? err_set(e, r, "%s", why.text) : RES_OK;
}

/* The same by the case as it was found, if a value was wrong, as its tape makes it with every value stored. */
static enum res find_first_wrong(struct investigation *p, struct err *e)
{
    struct err why;
    if (signature_parse(p->f->signature, p->a).is_of_run) {
        return RES_OK;
    }
    enum res const r = first_wrong_find(&p->s, p->target, p->a, &p->t.first_wrong, &why);
    return r == RES_IO ? err_set(e, r, "%s", why.text) : RES_OK;
}

/* Can a target with such facts run the case, and of which class is the case for it? class may be tc's own. */
static bool is_met(const char *facts, const struct testcase *tc, enum case_class *class)
{
    enum fit const fit = facts_get_fit(facts, &tc->needs);
    if (tc->class == CLASS_ILLEGAL) {
        *class = CLASS_ILLEGAL;
    } else {
        *class = fit == FIT_LISTED ? CLASS_LEGAL : CLASS_UNADVERTISED;
    }
    return fit != FIT_NOT;
}

/* How many runs without the bug make a variant pass. */
static uint32_t count_variant_runs(const struct investigation *p)
{
    double const share = get_share(&p->t);
    uint32_t const n_flaky = share > 0.0 ? (uint32_t)(FLAKY_FACTOR / share) : 0;
    return p->t.is_flaky && n_flaky > VARIANT_RUNS ? n_flaky : VARIANT_RUNS;
}

/* Does a variant of the case pass: do all its runs show no violation, and can they all be judged? One run
 * comes first, and the others only if that passes. One that the time cuts short does not. */
static enum res try_variant(struct investigation *p, const struct variant *v, bool *passes,
                            struct err *e)
{
    const struct testcase *const tc = &v->tc;
    struct trial_wanted const any = {.as = v->is_loosening ? &p->r.tc : NULL,
                                     .facts = p->s.wanted.facts,
                                     .is_foreign = p->s.wanted.is_foreign,
                                     .until_ns = p->until_ns};
    uint32_t const n_runs = count_variant_runs(p);
    *passes = true;
    for (uint32_t n_done = 0; n_done < n_runs && *passes;) {
        struct trial_count n;
        enum res const r =
            trials_count(p->target, &any, tc, n_done == 0 ? 1 : n_runs - n_done, 0, &n, e);
        if (r != RES_OK) {
            *passes = false;
            return r;
        }
        n_done += n.n_runs;
        bool const is_judged =
            n.worst == VERDICT_OK || n.worst == VERDICT_BOUNDED || n.worst == VERDICT_BUILT;
        *passes = n.n_shown == 0 && n.n_runs > 0 && is_judged && (n_done == n_runs || may_go_on(p));
    }
    return RES_OK;
}

/* Find the first small change of the case (a variant) that makes it pass, as that says what the bug depends
 * on, and put its sentence into p->t.variant. Variants that cannot be made or tried are passed over. There is
 * a limit of time, VARIANTS_NS. */
static enum res find_variant(struct investigation *p, struct err *e)
{
    uint64_t const until = child_now_ns() + VARIANTS_NS;
    const char *const facts = p->s.wanted.facts ? p->s.wanted.facts : "";
    if (get_share(&p->t) <= 0.0) {
        return RES_OK; /* not seen any more: everything passes */
    }
    find_finding(p); /* variants are made by where the bug is in the smallest case */
    for (uint32_t i = 0;; i++) {
        struct variant variant;
        struct err why;
        bool passes = false;
        if (child_now_ns() >= until) {
            break;
        }
        int const made = variant_make(&p->r.tc, &p->r.finding, i, p->a, &variant);
        if (made < 0) { /* there are no more */
            break;
        }
        /* 0: this variant does not apply; or it needs what the target does not list */
        if (made == 0 || !is_met(facts, &variant.tc, &variant.tc.class)) {
            continue;
        }
        if (!may_go_on(p)) {
            break;
        }
        enum res const r = try_variant(p, &variant, &passes, &why);
        if (r == RES_IO) { /* the target does not start any more */
            return err_set(e, r, "%s", why.text);
        }
        if (passes) {
            p->t.variant = words_say(p->s.tc.env, variant.text, p->a);
            break;
        }
    }
    return RES_OK;
}

/* Whether a target can run the case; its class for it. */
static bool is_fit(const struct investigation *p, uint32_t target, enum case_class *class)
{
    const struct target *const t = &p->o->targets->t[target];
    struct known_facts *const k = p->known;
    struct err ignored;
    if (!k->is_asked[target]) {
        const char *facts = NULL;
        k->is_asked[target] = 1;
        k->facts[target] = handle_get_facts(t, k->a, &facts, &ignored) == RES_OK ? facts : NULL;
    }
    return k->facts[target] && is_met(k->facts[target], &p->r.tc, class);
}

/* What the driver with these facts calls its version. */
static const char *get_version(const struct investigation *p, const char *facts)
{
    char version[MAX_VERSION_BYTES] = "";
    (void)facts_get(facts ? facts : "", "driver", version, sizeof version);
    return arena_printf(p->a, "%s", version);
}

/* Fewer runs than so many, of which none showed the bug, say nothing. */
static bool is_half_tried(struct investigation *p, const struct trial_count *n, uint32_t n_wanted)
{
    bool const is_half = n->n_runs < n_wanted;
    p->is_cut |= is_half;
    return is_half && n->n_shown == 0;
}

/* Run the smallest case on another target, and tell what became of it as a row: the worst verdict, or why it
 * was not run, and how many of the runs showed the bug. */
static struct matrix_row try_target(struct investigation *p, uint32_t target)
{
    const struct target *const t = &p->o->targets->t[target];
    struct matrix_row const none = {
        .target = t->name, .with = "", .verdict = MATRIX_NO_TIME, .version = ""};
    if (!may_go_on(p)) {
        return none;
    }
    struct testcase tc = p->r.tc;
    struct trial_count n = {.n_runs = 0};
    struct err ignored;
    struct trial_wanted const wanted = {
        .core = p->s.wanted.core, .is_foreign = p->s.wanted.is_foreign, .until_ns = p->until_ns};
    bool const may_run = is_fit(p, target, &tc.class);
    /* For a driver that does not list a feature of it, a legal case is of another class, and nothing that the driver
     * does with it breaks a rule. */
    bool const is_listed = tc.class == p->r.tc.class || p->r.tc.class != CLASS_LEGAL;
    bool const fits = may_run && is_listed;
    uint32_t const n_wanted =
        t->values != VALUES_DEVICE ? 1 : MATRIX_RUNS; /* compilers do the same each time */
    const char *const how = t->values == VALUES_NIR ? " (NIR interpreted)" : "";
    struct matrix_row row = {
        .target = t->name,
        .with = "",
        .verdict = MATRIX_NOT_STARTED,
        .version = arena_printf(p->a, "%s%s", get_version(p, p->known->facts[target]), how)};
    if (!fits && p->known->facts[target]) { /* without facts it does not start */
        row.verdict = may_run ? MATRIX_NOT_LISTED : "cannot run it";
    }
    /* 0: no load beside it, one run after the other */
    if (fits && trials_count(t, &wanted, &tc, n_wanted, 0, &n, &ignored) == RES_OK) {
        row.verdict = verdict_rows[n.worst].name;
        if (is_half_tried(p, &n, n_wanted)) {
            return none;
        }
    }
    row.n_shown = n.n_shown;
    row.n_runs = n.n_runs;
    return row;
}

/* Run the smallest case on its own target with each switch of the driver, while there is time. Each that could be
 * tried adds a row behind the p->t.n_matrix rows so far, which tells whether the bug is still there. Simulated
 * targets have no switches. */
static void try_switches(struct investigation *p, struct matrix_row *rows)
{
    uint64_t const until = child_now_ns() + SWITCHES_NS;
    const char *const facts = p->s.wanted.facts ? p->s.wanted.facts : "";
    struct switched *const with = ARENA_NEW(p->a, struct switched, 1);
    struct trial_wanted const wanted = {.core = p->s.wanted.core,
                                        .facts = p->s.wanted.facts,
                                        .is_foreign = p->s.wanted.is_foreign,
                                        .until_ns = p->until_ns};
    uint32_t const n_runs = count_variant_runs(p);
    int made = 0; /* 1: with->tc; 0: the switch does not fit; -1: there are no more switches */
    for (uint32_t i = 0; with && p->target->kind == TARGET_WORKER && made >= 0 &&
                         i < TRIAGE_MAX_SWITCHES && child_now_ns() < until;
         i++) {
        struct trial_count n = {.n_runs = 0};
        struct err ignored;
        made = switches_make(i, facts, p->target, &p->r.tc, p->a, with);
        if (made > 0 && !may_go_on(p)) {
            break;
        }
        /* 0: no load beside it, one run after the other */
        if (made <= 0 ||
            trials_count(&with->target, &wanted, &with->tc, n_runs, 0, &n, &ignored) != RES_OK ||
            is_half_tried(p, &n, n_runs)) {
            continue;
        }
        rows[p->t.n_matrix++] = (struct matrix_row){.target = p->target->name,
                                                    .with = with->word,
                                                    .version = "",
                                                    .verdict = verdict_rows[n.worst].name,
                                                    .n_shown = n.n_shown,
                                                    .n_runs = n.n_runs};
    }
}

/* Run the smallest case on every target of its environment that is at hand, and on its own with switches. */
static enum res fill_matrix(struct investigation *p, struct err *e)
{
    const struct triage_options *const o = p->o;
    struct matrix_row *rows =
        ARENA_NEW(p->a, struct matrix_row, o->targets->n + TRIAGE_MAX_SWITCHES);
    if (!rows) {
        return err_set(e, RES_NOMEM, "no memory for the table of targets");
    }
    p->t.matrix = rows;
    for (uint32_t i = 0; i < o->targets->n; i++) {
        const struct target *t = &o->targets->t[i];
        bool const is_unasked = t->on_request && t != p->target;
        if (t->kind != TARGET_SIM && t->env == p->r.tc.env && !is_unasked) {
            rows[p->t.n_matrix++] = try_target(p, i);
        }
    }
    if (get_share(&p->t) > 0.0) {
        try_switches(p, rows);
    }
    return RES_OK;
}

/* Tell what was found out. */
static void say(const struct investigation *p)
{
    const char *size = p->t.n_before
                           ? arena_printf(p->a, "%" PRIu32 " instructions, before %" PRIu32,
                                          p->t.n_after, p->t.n_before)
                           : "not made smaller";
    tell(p, arena_printf(
                p->a, "seen %" PRIu32 " of %" PRIu32 ", loaded %" PRIu32 " of %" PRIu32 "; %s%s%s",
                p->t.n_shown, p->t.n_runs, p->t.n_loaded_shown, p->t.n_loaded_runs, size,
                p->t.variant[0] ? "; passes " : "", p->t.variant));
}

static bool is_same_kind(const struct investigation *p, int64_t target_id, const char *class)
{
    return p->f->target_id == target_id && strcmp(p->f->class, class) == 0;
}

/* Does what was found out so far say that it is the bug of another bucket (campaign_group)? */
static bool is_duplicate(const struct investigation *p)
{
    for (uint32_t i = 0; i < p->explained->n; i++) {
        const struct explained *const x = &p->explained->of[i];
        if (is_same_kind(p, x->target_id, x->class) && campaign_is_bug_of(&p->t, "", x->bug)) {
            return true;
        }
    }
    for (uint32_t i = 0; i < p->c->n_findings; i++) {
        const struct campaign_finding *const f = &p->c->findings[i];
        bool const is_other = f != p->f && f->bucket == i && !f->expected && !f->known_as &&
                              is_same_kind(p, f->target_id, f->class);
        if (is_other && campaign_is_bug_of(&p->t, f->core, f->triage ? f->triage->bug : "")) {
            return true;
        }
    }
    return false;
}

/* Keep for is_duplicate what explains the bucket. */
static void note_explained(struct investigation *p)
{
    struct all_explained *const x = p->explained;
    if (p->t.bug[0]) {
        x->of[x->n++] = (struct explained){.target_id = p->f->target_id,
                                           .class = p->f->class,
                                           .bug = arena_printf(x->a, "%s", p->t.bug)};
    }
}

/* Of a target whose values are those of its program: what the wrong word is computed of. The observation keeps it as its
 * log. */
static enum res trace(struct investigation *p, struct err *e)
{
    struct observation *const ob = &p->r.ob;
    struct judgement *const g = ARENA_NEW(p->a, struct judgement, 1);
    const char *text = "";
    if (!g || p->target->values != VALUES_NIR || ob->status != RUN_DONE) {
        return RES_OK;
    }
    TRY(judge_run(&p->r.tc, ob, p->a, g, e));
    const struct finding *const f = trial_find_wanted(&p->s.wanted, ob, g, p->a);
    if (!f || !f->expect) {
        return RES_OK;
    }
    TRY(executor_trace(p->target, &p->r.tc, ob, f->expect, p->a, &text, e));
    ob->log = text[0] ? text : ob->log;
    return RES_OK;
}

/* Find out all that can be about a bucket whose target is here, as far as the time goes: each step looks at it, and
 * what it leaves out makes the bucket one that is_cut. Of one that turns out to be the bug of another bucket
 * no more than that: its case is as it was found. */
static enum res investigate(struct investigation *p, struct err *e)
{
    TRY(load(p, e));
    TRY(ask_trust(p, e));
    show(p, "run again");
    TRY(rerun(p, &p->s.tc, e));
    /* Until it is made smaller, the case as it was found is the smallest. */
    p->r = (struct reduce_result){.tc = p->s.tc, .ob = p->s.ob, .smallest = "nobody"};
    diagnose(p);
    TRY(may_go_on(p) ? find_first_wrong(p, e) : RES_OK);
    if (is_duplicate(p)) {
        tell(p, arena_printf(p->a, "the same bug as another bucket: %s",
                             p->t.bug[0] ? p->t.bug : p->t.first_wrong));
        return RES_OK;
    }
    if (may_go_on(p)) {
        show(p, "made smaller");
        TRY(reduce(p, e));
    }
    if (may_go_on(p)) {
        show(p, "looking for a change that makes it pass");
        TRY(find_variant(p, e));
        TRY(trace_first_wrong(p, e));
        diagnose(p); /* again, of the smallest case */
    }
    show(p, "run on all targets");
    TRY(fill_matrix(p, e));
    note_explained(p);
    return trace(p, e);
}

/* Was more found out by an earlier call? Then that is kept. */
static bool is_less_than_before(const struct investigation *p)
{
    const struct campaign_triage *const before = p->f->triage;
    return before && p->t.is_cut && (!before->is_cut || before->wall_ns > p->t.wall_ns);
}

/* Look into one bucket and write what was found out to the journal. Whatever the driver or the target does is data,
 * and a target that is not here leaves the bucket alone: only trouble with the journal is an error. A case that
 * nobody vouches for is counted as refused. Each return counts the bucket in one of the figures. A record of an
 * earlier triage stays where it says more than an investigation that was cut (is_less_than_before). */
static enum res look_into(struct investigation *p, struct triage_figures *figures, struct err *e)
{
    const struct campaign_target *row = campaign_find_target(p->c, p->f->target_id);
    struct err why = {RES_OK, ""};
    uint64_t const begun = child_now_ns();
    p->target = row ? targets_find_name(p->o->targets, row->name) : NULL;
    p->t.smallest = p->t.variant = p->t.cause = p->t.bug = p->t.first_wrong = "";
    if (!p->target) {
        figures->n_absent++;
        return RES_OK;
    }
    enum res const r = investigate(p, &why);
    if (p->is_refused) {
        figures->n_refused++;
        return RES_OK;
    }
    if (r != RES_OK && child_is_asked_to_stop()) {
        figures->n_late++;
        return RES_OK;
    }
    if (r != RES_OK) { /* such as a case that was not kept */
        figures->n_failed++;
        tell(p, why.text);
        return RES_OK;
    }
    p->t.is_cut = p->is_cut;
    figures->n_cut += p->is_cut;
    figures->n_done += !p->is_cut;
    p->t.wall_ns = child_now_ns() - begun;
    say(p);
    return is_less_than_before(p)
               ? RES_OK
               : journal_put_triage(p->j, p->f->id, &p->t, &p->r.tc, &p->r.ob, p->a, e);
}

/* How much is known already. */
static int rank_of(const struct campaign_finding *f)
{
    return !f->triage ? 0 : f->triage->is_cut ? 1 : 2;
}

/* What was not looked into before what was, so that one call goes on from another; what nobody expects before what is
 * listed, the worst first, then the most frequent, then the oldest. */
static int compare(const void *x, const void *y)
{
    const struct campaign_finding *a = *(const struct campaign_finding *const *)x;
    const struct campaign_finding *b = *(const struct campaign_finding *const *)y;
    int const kind_a = verdict_find(a->verdict), kind_b = verdict_find(b->verdict);
    if (rank_of(a) != rank_of(b)) {
        return rank_of(a) - rank_of(b);
    }
    if (!a->expected != !b->expected) {
        return a->expected ? 1 : -1;
    }
    if (kind_a != kind_b) {
        return kind_a < kind_b ? 1 : -1;
    }
    if (a->n_all != b->n_all) {
        return a->n_all < b->n_all ? 1 : -1;
    }
    return (a->id > b->id) - (a->id < b->id);
}

static bool is_violation(const struct campaign_finding *f)
{
    int const kind = verdict_find(f->verdict);
    return kind >= 0 && verdict_rows[kind].part == PART_VIOLATION;
}

const struct campaign_finding **triage_list_buckets(const struct campaign *c, bool redo,
                                                    struct arena *a, uint32_t *n, uint32_t *n_known)
{
    const struct campaign_finding **list =
        ARENA_NEW(a, const struct campaign_finding *, c->n_findings + 1);
    for (uint32_t i = 0; list && i < c->n_findings; i++) {
        const struct campaign_finding *f = &c->findings[i];
        bool const is_due = redo || !f->triage || f->triage->is_cut;
        if (f->bucket != i || !is_violation(f) || !is_due) {
            continue;
        }
        if (f->expected && !redo) {
            (*n_known)++;
        } else {
            list[(*n)++] = f;
        }
    }
    if (list) {
        qsort(list, *n, sizeof *list, compare);
    }
    return list;
}

/* How far it is when bucket i of n is begun: "bucket 7 of 20, about 6 min left", by what those before took, but no more
 * than the time that there is. */
static void show_turn(struct progress *p, uint32_t i, uint32_t n, uint64_t begun_ns,
                      uint64_t until_ns, struct arena *a)
{
    uint64_t const now = child_now_ns();
    uint64_t const end = i ? now + (now - begun_ns) / i * (n - i) : until_ns;
    bool const is_short = end >= until_ns;
    if (p) {
        p->context = arena_printf(a, "bucket %" PRIu32 " of %" PRIu32, i + 1, n);
        p->context_word = is_short ? "at most" : "about";
        p->context_end_ns = is_short ? until_ns : end;
    }
}

/* Look into the buckets that triage_list_buckets chooses, in its order, until o->max_ns are over. The finding that
 * names a bucket stands for it. */
enum res triage_run(struct journal *j, const struct campaign *c, const struct triage_options *o,
                    struct triage_figures *out, struct err *e)
{
    *out = (struct triage_figures){.n = 0};
    struct arena own, a;
    uint64_t const begun = child_now_ns();
    uint64_t const until = begun + o->max_ns;
    uint32_t n = 0, i = 0;
    arena_init(&own, (size_t)64 << 20); /* what is kept from bucket to bucket */
    arena_init(&a, TRIAGE_ARENA_BYTES); /* of one bucket */
    const struct campaign_finding **list = triage_list_buckets(c, o->redo, &own, &n, &out->n_known);
    struct known_facts *const known = ARENA_NEW(&own, struct known_facts, 1);
    struct investigation *const p = ARENA_NEW(&own, struct investigation, 1);
    struct all_explained explained = {.a = &own, .of = ARENA_NEW(&own, struct explained, n + 1)};
    enum res r =
        list && known && p && explained.of ? RES_OK : err_set(e, RES_NOMEM, "no memory for triage");
    if (r == RES_OK) {
        known->a = &own;
    }
    for (; i < n && r == RES_OK && child_now_ns() < until && !child_is_asked_to_stop(); i++) {
        arena_reset(&a);
        show_turn(o->progress, i, n, begun, until, &own);
        *p = (struct investigation){.j = j,
                                    .c = c,
                                    .o = o,
                                    .f = list[i],
                                    .known = known,
                                    .explained = &explained,
                                    .a = &a,
                                    .until_ns = until};
        r = look_into(p, out, e);
    }
    out->n = n;
    out->n_late += n - i;
    out->wall_ns = child_now_ns() - begun;
    if (o->progress) {
        o->progress->context = "";
    }
    progress_clear(o->progress);
    arena_free(&a);
    arena_free(&own);
    return r;
}
