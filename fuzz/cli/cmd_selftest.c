/* fuzz/cli/cmd_selftest.c -- halfulp selftest: planted faults must be caught, honesty must pass. */
#include "fuzz/cli/commands.h"

#include "base/testcase.h"
#include "fuzz/campaign/sched.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/cli/cli.h"
#include "fuzz/io/json.h"
#include "gen/tape/profile.h"
#include "oracle/diagnose/diagnose.h"
#include "oracle/fault/faults.h"
#include "oracle/fault/faults_bug.h"
#include "oracle/fault/faults_group_bug.h"
#include "oracle/fault/faults_number.h"
#include "oracle/judge/judge.h"
#include "oracle/sim/sim.h"
#include "oracle/sim/sim_facts.h"
#include "oracle/tables/tables.h"
#include <inttypes.h>
#include <string.h>

struct options {
    uint64_t n_apply; /* 0: what the profile has time for */
    uint64_t seed;
    enum profile profile;
    int has_profile;
    int fault; /* -1: all */
    int is_json;
    int is_diagnosed;
    int is_unknown;
};

static bool take_fault(const struct cli *c, void *options)
{
    struct options *const opt = options;
    opt->fault = fault_find(c->value);
    if (opt->fault >= 0) {
        return true;
    }
    const char *names[FAULT_NONE];
    for (int i = 0; i < FAULT_NONE; i++) {
        names[i] = fault_rows[i].id;
    }
    (void)cli_complain_names(c->command, c->option->name, c->value, names, FAULT_NONE);
    return false;
}

static const struct cli_option option_rows[] = {
    CLI_ROW("apply", "N",
            "number of cases per fault (default: 50; for the profiles arith and maxerror: 15)",
            CLI_PUT(CLI_U64, n_apply), CLI_WITHIN(1, 1000000)),
    CLI_ROW("fault", "NAME", "test only this fault; none is the control, which has no fault",
            .type = CLI_OWN, .take = take_fault),
    CLI_ROW("seed", "N", "seed of the random cases (default: 1)", CLI_PUT(CLI_U64, seed),
            CLI_WITHIN(0, UINT64_MAX)),
    CLI_ROW(
        "profile", "NAME",
        "test only this profile and the faults that act in it (default: each of the five profiles)",
        CLI_PUT(CLI_PROFILE, profile), CLI_GIVEN(has_profile)),
    CLI_ROW("diagnose", NULL,
            "also test whether the diagnosis of each finding identifies the planted fault",
            CLI_PUT(CLI_FLAG, is_diagnosed)),
    CLI_ROW(
        "unknown", NULL,
        "with --diagnose: repeat as if the planted fault and a third of all others were unknown",
        CLI_PUT(CLI_FLAG, is_unknown)),
    CLI_ROW("json", NULL, "print one JSON line per row", CLI_PUT(CLI_FLAG, is_json)),
    {.name = NULL},
};
static const struct cli_command cmd_selftest_help = {
    "selftest", "[OPTION]...",
    "Plant faults in a simulated device, and check that halfulp catches each fault.",
    "halfulp catches a fault if a finding identifies the instruction and the kind of the error. A "
    "legal\n"
    "oddity is unusual but permitted behaviour; the expected verdict of its row is ok. Neither a "
    "legal oddity\n"
    "nor the control, which has no fault, may cause a finding.\n"
    "Exit status: 0 all faults were caught and nothing else was reported; 1 otherwise.\n",
    option_rows};

/* Blame over a fault in many operations is the largest; what does not fit is inconclusive. */
#define SELFTEST_ARENA_BYTES ((size_t)1 << 30)
/* A fault that has not found its cases among so many for each wanted is rare: told, not looked for. Cases
 * without the function that a fault is about cost next to nothing. */
enum {
    SELFTEST_APPLY = 50,
    SELFTEST_APPLY_OF_MATH = 15, /* cases are dearer: MPFR */
    SELFTEST_TRIES_PER_CASE = 40,
    SELFTEST_TRIES_PER_CASE_OF_MATH = 400
};

/* What is named for cases with findings. */
struct names {
    uint64_t n_cases, n_first, n_among; /* the fault is named first, among three */
    uint64_t n_equal;         /* of those not named first: what is first gives the very same */
    uint64_t n_same;          /* the first is another, explains all, and planted gives the same */
    uint64_t n_wrong_whole;   /* the same, and does not give it */
    struct explanation wrong; /* the first of these */
    int has_wrong;
};

/* One row of the table. */
struct tally {
    uint64_t n_cases, n_applied, n_refused, n_caught, n_other, n_inconclusive;
    /* Cases that execute an instruction that the fault is about; of these, those in which a device that has the fault
     * everywhere computes or stores anything else; of these, those with a finding. */
    uint64_t n_there, n_differs, n_seen;
    uint64_t n_reductions, n_bounded; /* float sums judged, and by their bound alone */
    uint64_t n_beyond;                /* cases that the interpreter does not follow */
    uint64_t n_partial;               /* group instructions judged under a partial mask */
    uint64_t n_judged, n_tight,
        n_tight_sharp; /* values: all, without a loose bound, of these sharp */
    uint64_t n_anything;
    uint64_t n_conversions, n_out_of_range; /* of floats to integers, executed in Vulkan */
    uint64_t n_undefined;                   /* cases of which nothing is judged for such a one */
    struct names named,
        unknown;           /* of all faults; of those that are left where a third is unknown */
    uint64_t missed_index; /* first case in which it was not caught */
    int has_missed;
};

enum {
    AMONG = 3,   /* so many names are looked at */
    N_THIRDS = 3 /* parts of the faults of which one is unknown, by their numbers */
};

static enum verdict_kind get_expected(int fault)
{
    return fault == FAULT_NONE ? VERDICT_OK : fault_rows[fault].expect;
}

/* A bound that no encoding meets is no fault of the device's. */
static int is_alarm(const struct judgement *g)
{
    uint32_t n_excused = 0;
    for (uint32_t i = 0; i < g->n_findings; i++) {
        n_excused += g->findings[i].clause == CLAUSE_MAX_ERROR_UNSATISFIABLE;
    }
    return verdict_rows[g->kind].part == PART_VIOLATION ||
           (g->kind == VERDICT_DIVERGENCE && n_excused < g->n_found);
}

static int is_caught(const struct judgement *g, enum verdict_kind expected, uint32_t site)
{
    for (uint32_t i = 0; i < g->n_findings; i++) {
        const struct finding *f = &g->findings[i];
        /* stray bytes have no instruction, and a bug of memory locations (site 0) is at none */
        int const names_none = expected == VERDICT_CORRUPT || site == 0;
        if (f->kind == expected && (names_none || f->offset == site || f->offset2 == site)) {
            return 1;
        }
    }
    return 0;
}

static void set_missed(struct tally *t, uint64_t index)
{
    if (!t->has_missed) {
        t->has_missed = 1;
        t->missed_index = index;
    }
}

/* Add a judged case to the row *t. Right is: no alarm where no fault was planted, else a finding of the
 * expected kind at the planted fault's `site`. An alarm of another kind or site is counted apart (n_other),
 * and the first case that is not right is kept for the message. */
static void count(struct tally *t, const struct judgement *g, enum verdict_kind expected,
                  uint32_t site, uint64_t index)
{
    int const has_alarm = is_alarm(g);
    int const is_right = expected == VERDICT_OK ? !has_alarm : is_caught(g, expected, site);
    t->n_applied++;
    t->n_caught += (uint64_t)is_right;
    t->n_other += (uint64_t)(!is_right && has_alarm);
    t->n_inconclusive += g->kind == VERDICT_INCONCLUSIVE;
    t->n_reductions += g->n_reductions;
    t->n_bounded += g->n_reductions_bounded;
    t->n_partial += g->n_partial;
    t->n_judged += g->n_judged;
    t->n_anything += g->n_anything;
    t->n_undefined += g->undefined ? 1 : 0;
    t->n_tight += g->n_tight;
    t->n_tight_sharp += g->n_tight_sharp;
    if (!is_right) {
        set_missed(t, index);
    }
}

/* A case of the self-test, on a device with a fault. */
struct attempt {
    const struct options *opt;
    int fault;
    enum sim_strategy strategy;
    uint64_t index, seed;
    struct testcase tc;
    struct observation ob;
    uint32_t site; /* the instruction that the fault acted on */
    bool has_site; /* the fault would change some result to one that is not permitted */
};

/* Simulate a case with the fault in it, and count what became of it. *is_judged: there is a run to be judged;
 * not so where the fault finds no site in this case, was refused (its result would be permitted, or could
 * not be seen), or where the case is too large for the interpreter. */
static enum res run_case(struct attempt *x, bool *is_judged, struct tally *t, struct arena *a,
                         struct err *e)
{
    const struct testcase *const tc = &x->tc;
    struct fault_plan const plan = fault_plan_of((enum fault_id)x->fault);
    struct sim_device const device = {x->strategy, x->seed, &plan, sim_facts_for(tc, x->seed, a)};
    struct sim_outcome outcome;
    *is_judged = false;
    t->n_cases++;
    if (x->fault != FAULT_NONE && !sim_can_plant(tc, plan.id, a)) {
        return RES_OK;
    }
    enum res const r = sim_run(tc, &device, a, &x->ob, &outcome, e);
    struct sim_conversions const done = outcome.conversions;
    x->site = outcome.site;
    /* In Vulkan a conversion that is out of range is undefined. The generator must make none; a case with one is
     * kept as the first missed case, for the report. */
    if (tc->env == ENV_VK) {
        t->n_conversions += done.n;
        t->n_out_of_range += done.n_out_of_range;
        if (done.n_out_of_range > 0) {
            set_missed(t, x->index);
        }
    }
    if (r == RES_LIMIT || r == RES_NOMEM) { /* not a case for the interpreter */
        t->n_inconclusive += r == RES_NOMEM;
        t->n_beyond += r == RES_LIMIT;
        return RES_OK;
    }
    t->n_refused += r == RES_OK && outcome.fault == FAULT_REFUSED;
    t->n_there += r == RES_OK && outcome.n_there > 0;
    x->has_site = r == RES_OK && outcome.n_sites > 0;
    *is_judged = r == RES_OK && (outcome.fault == FAULT_APPLIED || x->fault == FAULT_NONE);
    return r;
}

/* A case on a device that has the fault, and what was observed. */
struct diagnosed {
    const struct testcase *tc;
    struct fault_plan plan;
    enum sim_strategy strategy;
    uint64_t seed;
    struct observation ob;
};

/* Run the case on a device that has the fault of the plan. *is_applied: it acted. */
static enum res run_with(const struct diagnosed *x, const struct fault_plan *plan,
                         struct observation *ob, bool *is_applied, struct arena *a, struct err *e)
{
    struct sim_outcome outcome = {.site = 0};
    TRY(sim_run(x->tc,
                &(struct sim_device){x->strategy, x->seed, plan, sim_facts_for(x->tc, x->seed, a)},
                a, ob, &outcome, e));
    *is_applied = outcome.fault == FAULT_APPLIED;
    return RES_OK;
}

static bool is_same_observation(const struct testcase *tc, const struct observation *x,
                                const struct observation *y)
{
    bool is_same = x->guard_hits == y->guard_hits;
    for (uint32_t i = 0; i < tc->n_bufs && is_same; i++) {
        is_same = memcmp(x->out[i], y->out[i], tc->bufs[i].n_bytes) == 0;
    }
    return is_same;
}

/* Would a device that has this fault instead, where it is supposed, have given the very same? */
static enum res gives_same(const struct diagnosed *x, const struct explanation *other,
                           bool *is_same, struct arena *a, struct err *e)
{
    struct fault_plan plan = other->plan;
    struct arena_mark const mark = arena_get_mark(a);
    struct observation ob;
    bool is_applied;
    plan.everywhere = 1;
    enum res const r = run_with(x, &plan, &ob, &is_applied, a, e);
    *is_same = r == RES_OK && is_applied && is_same_observation(x->tc, &x->ob, &ob);
    arena_release(a, mark);
    return r == RES_LIMIT || r == RES_NOMEM ? RES_OK : r;
}

/* Count in *t where the planted fault is in the list of those that explain the case, best first. Where another fault
 * is first, its place is right if it gives the very same results. That is so if both explanations are equal
 * (n_equal), or if it explains all that was observed and gives the same observation when it is planted instead
 * (n_same). If it explains all and gives another observation it is wrong (n_wrong_whole); the first such explanation
 * is kept. */
static enum res count_names(const struct diagnosed *x, const struct diagnose *d,
                            const struct diagnosis_list *list, struct names *t, struct arena *a,
                            struct err *e)
{
    enum fault_id const fault = x->plan.id;
    t->n_cases++;
    for (uint32_t i = 0; i < list->n; i++) {
        bool const is_it = list->named[i].plan.id == fault;
        t->n_first += i == 0 && is_it;
        t->n_among += i < AMONG && is_it;
    }
    if (list->n == 0 || list->named[0].plan.id == fault) {
        return RES_OK;
    }
    const struct explanation *const first = &list->named[0];
    bool is_same = false;
    bool const is_equal = explanation_is_equal(diagnose_get(d, fault), first);
    bool const is_whole = !is_equal && explanation_is_whole(first);
    if (is_whole) {
        TRY(gives_same(x, first, &is_same, a, e));
    }
    t->n_equal += is_equal;
    t->n_same += is_same;
    t->n_wrong_whole += is_whole && !is_same;
    if (is_whole && !is_same && !t->has_wrong) {
        t->has_wrong = 1;
        t->wrong = *first;
    }
    return RES_OK;
}

/* Of a third of the faults, that of the planted one, none is named: as if nobody knew them. */
static void leave_out_third(struct diagnose *d, int fault)
{
    for (int id = 0; id < FAULT_N; id++) {
        if (id % N_THIRDS == fault % N_THIRDS) {
            diagnose_leave_out(d, (enum fault_id)id);
        }
    }
}

/* Takes the case's fault for unknown: where is it among those that explain what was observed? The case is run once
 * more on a device that has the fault wherever it fits the instruction and type of the first run's site. The answer
 * is counted in t->named. With --unknown a third of the faults, the planted one among them, is then left out, and
 * the answer is counted in t->unknown. */
static enum res diagnose(const struct attempt *of, struct tally *t, struct arena *a, struct err *e)
{
    const struct testcase *const tc = &of->tc;
    struct diagnosed x = {.tc = tc,
                          .plan = fault_plan_of((enum fault_id)of->fault),
                          .strategy = of->strategy,
                          .seed = of->seed};
    struct judgement g;
    struct diagnosis_list list;
    bool is_applied;
    struct diagnose *d = diagnose_new(a);
    if (!d) {
        return err_set(e, RES_NOMEM, "selftest: arena full");
    }
    sim_plan_at(tc, of->site, &x.plan, a);
    TRY(run_with(&x, &x.plan, &x.ob, &is_applied, a, e));
    TRY(judge_run(tc, &x.ob, a, &g, e));
    if (!is_applied || g.n_findings == 0) {
        return RES_OK;
    }
    TRY(diagnose_add(d, tc, &x.ob, &g, a, e));
    diagnose_rank(d, &list);
    TRY(count_names(&x, d, &list, &t->named, a, e));
    if (of->opt->is_unknown) {
        leave_out_third(d, of->fault);
        diagnose_rank(d, &list);
        TRY(count_names(&x, d, &list, &t->unknown, a, e));
    }
    return RES_OK;
}

/* Run the case on a device that has the fault wherever it may act, as a driver does: does anything differ, and is it
 * found? Nothing is counted for a legal oddity, which must not be found, and of the two strategies one is enough. */
static enum res count_seen(const struct attempt *x, struct tally *t, struct arena *a, struct err *e)
{
    struct fault_plan plan = fault_plan_of((enum fault_id)x->fault);
    struct sim_device const device = {x->strategy, x->seed, &plan,
                                      sim_facts_for(&x->tc, x->seed, a)};
    struct sim_outcome outcome;
    struct observation ob;
    struct judgement g = {.kind = VERDICT_OK};
    plan.everywhere = 1;
    if (!x->has_site || x->strategy != SIM_IEEE || get_expected(x->fault) == VERDICT_OK) {
        return RES_OK;
    }
    enum res r = sim_run(&x->tc, &device, a, &ob, &outcome, e);
    bool const differs = r == RES_OK && outcome.n_differs > 0;
    if (differs && outcome.fault == FAULT_APPLIED) {
        r = judge_run(&x->tc, &ob, a, &g, e);
    }
    if (r == RES_OK) {
        t->n_differs += differs;
        t->n_seen += differs && is_alarm(&g);
    }
    return r == RES_LIMIT || r == RES_NOMEM ? RES_OK : r;
}

/* Judge the run of the case, count the result in *t, and diagnose it if asked. */
static enum res judge_case(struct attempt *x, struct tally *t, struct arena *a, struct err *e)
{
    struct judgement g;
    enum res r = judge_run(&x->tc, &x->ob, a, &g, e);
    if (r == RES_NOMEM) {
        t->n_inconclusive++;
        return RES_OK;
    }
    if (r == RES_OK) {
        count(t, &g, get_expected(x->fault), x->site, x->index);
    }
    if (r == RES_OK && x->opt->is_diagnosed && g.n_findings > 0 && x->fault != FAULT_NONE) {
        r = diagnose(x, t, a, e);
    }
    return r;
}

/* Make case `index`, of the environments alternately, run it with the fault, judge it, and count the result in
 * *t. A case that does not fit its arena is inconclusive. */
static enum res try_case(const struct options *opt, int fault, enum sim_strategy strategy,
                         uint64_t index, struct tally *t, struct arena *a, struct err *e)
{
    struct attempt x = {.opt = opt, .fault = fault, .strategy = strategy, .index = index};
    struct tape tape;
    bool is_judged = false;
    enum env const env = (enum env)(index % ENV_N);
    arena_reset(a);
    TRY(sched_make_case(opt->profile, opt->seed, index, env, a, &x.tc, &tape, e));
    struct rng rng = rng_seed(opt->seed ^ index); /* another device for each case */
    x.seed = rng_next(&rng);
    enum res r = run_case(&x, &is_judged, t, a, e);
    if (r == RES_OK && is_judged) {
        r = judge_case(&x, t, a, e);
    }
    return r == RES_OK ? count_seen(&x, t, a, e) : r;
}

/* Most bugs of drivers are of one function and of rare operands, and bugs of memory locations cannot all be planted: a sample with
 * fewer than RARE of them tells nothing. Any other fault must be applied. A fault that a legal schedule or a limit hides in some
 * cases must still be caught; an oddity or the control must never alarm. A generated case has defined behaviour. */
static int is_good(const struct tally *t, int fault)
{
    enum {
        RARE = 3
    };
    bool const is_rare = fault != FAULT_NONE && (fault_is_bug((enum fault_id)fault) ||
                                                 fault_needs_many_doubles((enum fault_id)fault) ||
                                                 fault_is_of_flow((enum fault_id)fault));
    if (is_rare && t->n_applied < RARE) {
        return t->n_out_of_range == 0;
    }
    return t->n_applied > 0 && t->n_out_of_range == 0 &&
           (get_expected(fault) == VERDICT_OK ? t->n_caught == t->n_applied : t->n_caught > 0);
}

static int is_of_math(enum profile profile)
{
    return profile == PROFILE_ARITH || profile == PROFILE_MAXERROR;
}

/* Print what the control, the run without any fault, says of how much the oracle decides: values for which it
 * permits anything, or only a loose bound, cannot show a fault. */
static void print_control(const struct options *opt, const struct tally *t)
{
    if (t->n_beyond) {
        printf("  beyond the interpreter: %" PRIu64 " of %" PRIu64 " cases\n", t->n_beyond,
               t->n_cases);
    }
    printf("  conversions from float to integer in Vulkan: %" PRIu64 ", out of range: %" PRIu64
           "; cases that were not judged because of one: %" PRIu64 "\n",
           t->n_conversions, t->n_out_of_range, t->n_undefined);
    if (is_of_math(opt->profile) && t->n_tight) {
        printf("  values judged: %" PRIu64 ", values without a rule: %" PRIu64
               "; without a loose bound: %" PRIu64
               ", of these with at most 4 permitted encodings: %.2f%%\n",
               t->n_judged, t->n_anything, t->n_tight,
               100.0 * (double)t->n_tight_sharp / (double)t->n_tight);
    }
    if (profile_has_groups(opt->profile)) {
        printf("  float sums and products over groups: %" PRIu64
               ", judged only by a bound: %" PRIu64
               "; group instructions that only some lanes execute: %" PRIu64 "\n",
               t->n_reductions, t->n_bounded, t->n_partial);
    }
}

static void print_names(const char *what, const struct names *t)
{
    printf(" %s first %" PRIu64 ", among three %" PRIu64 " of %" PRIu64 ", equal %" PRIu64
           ", whole and the same %" PRIu64 ", wrong but whole %" PRIu64,
           what, t->n_first, t->n_among, t->n_cases, t->n_equal, t->n_same, t->n_wrong_whole);
    if (t->has_wrong) {
        printf(" (first: %s, %" PRIu32 " values, %" PRIu32 " kept, %" PRIu32 " bits open)",
               fault_rows[t->wrong.plan.id].id, t->wrong.n_taken, t->wrong.n_kept, t->wrong.n_free);
    }
}

static void print_line(const struct options *opt, const char *name, enum sim_strategy strategy,
                       int fault, const struct tally *t)
{
    uint64_t const columns[] = {t->n_applied, t->n_caught, t->n_other,   t->n_inconclusive,
                                t->n_refused, t->n_there,  t->n_differs, t->n_seen};
    printf("%-24s %-5s %-10s", name, sim_strategy_names[strategy],
           verdict_rows[get_expected(fault)].name);
    for (size_t i = 0; i < ARRAY_N(columns); i++) {
        printf(" %8" PRIu64, columns[i]);
    }
    printf("  %s", is_good(t, fault) ? "good" : "BAD");
    if (opt->is_diagnosed) {
        print_names("named", &t->named);
    }
    if (opt->is_diagnosed && opt->is_unknown) {
        print_names("; unknown", &t->unknown);
    }
    if (t->has_missed) {
        printf(" (first miss: gen --profile %s --seed %" PRIu64 " --index %" PRIu64 " --env %s)",
               profile_names[opt->profile], opt->seed, t->missed_index,
               env_names[t->missed_index % ENV_N]);
    }
    (void)putchar('\n');
    if (fault == FAULT_NONE) {
        print_control(opt, t);
    }
    (void)fflush(stdout);
}

/* Print a row of the self-test, one fault with one strategy (the simulated target's way to choose among
 * permitted results), as a line of JSON. */
static void print_json(const struct options *opt, const char *name, enum sim_strategy strategy,
                       int fault, const struct tally *t)
{
    const struct {
        const char *key;
        uint64_t n;
    } counts[] = {
        {"applied",                        t->n_applied            },
        {"caught",                         t->n_caught             },
        {"other_alarm",                    t->n_other              },
        {"inconclusive",                   t->n_inconclusive       },
        {"refused",                        t->n_refused            },
        {"cases",                          t->n_cases              },
        {"there",                          t->n_there              },
        {"differs",                        t->n_differs            },
        {"seen",                           t->n_seen               },
        {"reductions",                     t->n_reductions         },
        {"reductions_bounded",             t->n_bounded            },
        {"beyond_interpreter",             t->n_beyond             },
        {"partial_masks",                  t->n_partial            },
        {"values",                         t->n_judged             },
        {"values_anything",                t->n_anything           },
        {"values_tight",                   t->n_tight              },
        {"values_tight_sharp",             t->n_tight_sharp        },
        {"vulkan_to_integer",              t->n_conversions        },
        {"vulkan_to_integer_out_of_range", t->n_out_of_range       },
        {"cases_undefined",                t->n_undefined          },
        {"diagnosed",                      t->named.n_cases        },
        {"named_first",                    t->named.n_first        },
        {"named_among_three",              t->named.n_among        },
        {"named_equal",                    t->named.n_equal        },
        {"named_same",                     t->named.n_same         },
        {"named_wrong_whole",              t->named.n_wrong_whole  },
        {"unknown_equal",                  t->unknown.n_equal      },
        {"unknown_same",                   t->unknown.n_same       },
        {"unknown_wrong_whole",            t->unknown.n_wrong_whole},
    };
    struct err e;
    struct json *o = json_new_object();
    json_put_text(o, "profile", profile_names[opt->profile]);
    json_put_text(o, "fault", name);
    json_put_text(o, "chooser", sim_strategy_names[strategy]); /* the name of this key stays */
    json_put_text(o, "expected", verdict_rows[get_expected(fault)].name);
    for (size_t i = 0; i < ARRAY_N(counts); i++) {
        json_put_number(o, counts[i].key, counts[i].n);
    }
    json_put_bool(o, "good", is_good(t, fault));
    (void)!json_print(o, JSON_LINE, stdout, &e);
    json_free(o);
}

/* Test one row, a fault with one strategy: cases by number until the fault was applied in opt->n_apply of
 * them, or n_tries are used up because it finds its site too rarely. Findings: the oracle missed some. */
static enum cli_status test_fault(const struct options *opt, int fault, enum sim_strategy strategy,
                                  struct arena *a)
{
    struct tally t = {.n_cases = 0};
    struct err e = {RES_OK, ""};
    bool const is_math = fault != FAULT_NONE && fault_is_of_math((enum fault_id)fault);
    uint64_t const n_tries =
        opt->n_apply * (is_math ? SELFTEST_TRIES_PER_CASE_OF_MATH : SELFTEST_TRIES_PER_CASE);
    const char *name = fault == FAULT_NONE ? "(no fault)" : fault_rows[fault].id;
    for (uint64_t i = 0; i < n_tries && t.n_applied < opt->n_apply; i++) {
        if (try_case(opt, fault, strategy, i, &t, a, &e) != RES_OK) {
            (void)cli_complain(&cmd_selftest_help, "%s, case %" PRIu64, name, i);
            return cli_fail(&cmd_selftest_help, &e);
        }
    }
    if (opt->is_json) {
        print_json(opt, name, strategy, fault, &t);
    } else {
        print_line(opt, name, strategy, fault, &t);
    }
    return is_good(&t, fault) ? STATUS_OK : STATUS_FINDINGS;
}

/* Does it act in what programs are put together from alone? */
static bool is_of_pieces(enum fault_id fault)
{
    return fault_is_of_memory(fault) || fault_is_of_numbers(fault);
}

/* Does the fault act in cases of the profile often enough to be tested there? The control does in any. Of programs
 * these are the faults of pieces, and with --profile those of control flow and of dispatches. A fault of atomics acts
 * in the few statements before the pieces: programs are tested with it only if --fault names it. */
static bool is_of_profile(const struct options *opt, int fault)
{
    enum fault_id const id = (enum fault_id)fault;
    enum profile const profile = opt->profile;
    if (fault == FAULT_NONE) {
        return true;
    }
    if (is_of_pieces(id)) {
        return profile == PROFILE_PROGRAMS;
    }
    if (profile == PROFILE_PROGRAMS &&
        (!opt->has_profile || (opt->fault < 0 && fault_rows[id].ops != 0))) {
        return false;
    }
    if (profile == PROFILE_ALL) {
        return true;
    }
    if (fault_is_of_decorations(id) && profile != PROFILE_MAXERROR) {
        return false;
    }
    return fault_is_of_groups(id) == (profile == PROFILE_GROUPS) &&
           fault_is_of_math(id) == is_of_math(profile);
}

/* The control, then the faults: ids count down from it to 0. */
static enum cli_status test_profile(const struct options *opt, struct arena *a)
{
    enum cli_status worst = STATUS_OK;
    for (int fault = FAULT_NONE; fault >= 0; fault--) {
        if ((opt->fault >= 0 && opt->fault != fault) || !is_of_profile(opt, fault)) {
            continue;
        }
        for (int strategy = 0; strategy < SIM_STRATEGY_N && worst != STATUS_HARNESS; strategy++) {
            enum cli_status const status = test_fault(opt, fault, (enum sim_strategy)strategy, a);
            worst = status > worst ? status : worst;
        }
    }
    return worst;
}

/* Test the asked profile, or the usual five. opt->n_apply 0: as many cases as suit the profile, fewer where
 * judging is slow. Returns the worst status, which is the greatest. */
static enum cli_status test_all(const struct options *opt, struct arena *a)
{
    static enum profile const usual[] = {PROFILE_ATOMICS, PROFILE_GROUPS, PROFILE_ARITH,
                                         PROFILE_MAXERROR, PROFILE_PROGRAMS};
    enum cli_status worst = STATUS_OK;
    if (!opt->is_json) {
        printf("%-24s %-5s %-10s %8s %8s %8s %8s %8s %8s %8s %8s\n", "fault", "sim", "expected",
               "applied", "caught", "other", "unsure", "refused", "there", "differs", "seen");
    }
    for (size_t i = 0; i < (opt->has_profile ? 1 : ARRAY_N(usual)); i++) {
        struct options one = *opt;
        one.profile = opt->has_profile ? opt->profile : usual[i];
        if (opt->n_apply == 0) {
            one.n_apply = is_of_math(one.profile) ? SELFTEST_APPLY_OF_MATH : SELFTEST_APPLY;
        }
        enum cli_status const status = test_profile(&one, a);
        worst = status > worst ? status : worst;
    }
    return worst;
}

/* --fault and --profile together: does that fault act in cases of the profile? */
static bool check_fault(struct cli *c, const struct options *opt)
{
    const char *names[FAULT_NONE];
    size_t n = 0;
    if (opt->fault < 0 || !opt->has_profile || is_of_profile(opt, opt->fault)) {
        return true;
    }
    for (int i = 0; i < FAULT_NONE; i++) {
        if (is_of_profile(opt, i)) {
            names[n++] = fault_rows[i].id;
        }
    }
    (void)cli_complain(c->command, "--profile %s: fault %s does not act in its cases",
                       profile_names[opt->profile], fault_rows[opt->fault].id);
    c->status = cli_complain_names(c->command, "fault", fault_rows[opt->fault].id, names, n);
    return false;
}

static enum cli_status run(struct cli *c, void *options, struct arena *a)
{
    return cli_refuse_words(c) && check_fault(c, options) ? test_all(options, a) : c->status;
}

static const struct options defaults = {.seed = 1, .fault = -1};
const struct cli_entry cmd_selftest = {&cmd_selftest_help, &defaults, sizeof defaults,
                                       SELFTEST_ARENA_BYTES, run};
