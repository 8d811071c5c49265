/* fuzz/cli/cmd_gen.c -- halfulp gen: one case to files, or what many cases look like. */
#include "fuzz/cli/commands.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/printable.h"
#include "base/testcase.h"
#include "fuzz/campaign/case_groups.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/campaign/soundness.h"
#include "fuzz/cli/cli.h"
#include "fuzz/cli/cli_modules.h"
#include "fuzz/io/bundle.h"
#include "fuzz/io/spirv.h"
#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_corpus.h"
#include "fuzz/modules/modules.h"
#include "gen/case/gen.h"
#include "gen/case/sample_devices.h"
#include "gen/illegal/illegal.h"
#include "gen/plan/refusal.h"
#include "gen/print/forms.h"
#include "gen/print/print.h"
#include "gen/stats/def_uses.h"
#include "gen/stats/drawn.h"
#include "gen/stats/needed.h"
#include "gen/stats/pairs.h"
#include "gen/stats/stats.h"
#include "gen/tape/profile.h"
#include "gen/tape/tape.h"

enum {
    PAIRS_ROOM_BYTES = 4096 /* bytes that an arena needs beside an object, at most */
};

struct options {
    uint64_t seed, index, n_stats, n_validate;
    const char *tape, *campaign, *modules, *rule, *output;
    const struct sample_device *device;
    struct needs listed;         /* by that device */
    const struct needs *allowed; /* NULL: all */
    enum env env;
    enum language language;
    int has_env, has_profile;
    enum profile profile;
};

static const struct cli_option option_rows[] = {
    CLI_ROW("seed", "N", "seed of the campaign (default: 1)", CLI_PUT(CLI_U64, seed),
            CLI_WITHIN(0, UINT64_MAX)),
    CLI_ROW("index", "N", "number of the case in the campaign (default: 0)",
            CLI_PUT(CLI_U64, index), CLI_WITHIN(0, UINT64_MAX)),
    CLI_ROW(
        "campaign", "FOLDER",
        "write case --index of the campaign in FOLDER, even if it was derived from an earlier case",
        CLI_PUT(CLI_TEXT, campaign)),
    CLI_ROW("corpus-modules", "FOLDER",
            "with --campaign: folder that now contains the kernels of run --corpus-modules",
            CLI_PUT(CLI_TEXT, modules)),
    CLI_ROW("tape", "FILE", "write the case that the generator makes from the tape in FILE",
            CLI_PUT(CLI_TEXT, tape)),
    CLI_ROW("break", "RULE",
            "write a module that breaks RULE (\"halfulp refusals --list\" prints the rules)",
            CLI_PUT(CLI_TEXT, rule)),
    CLI_ROW("env", "NAME", "API of the case: opencl or vulkan (default: opencl)",
            CLI_PUT(CLI_ENV, env), CLI_GIVEN(has_env)),
    CLI_ROW("language", "NAME",
            "language that a driver receives: spirv, opencl-c or glsl (default: spirv)",
            CLI_PUT(CLI_LANGUAGE, language)),
    CLI_ROW("device", "NAME",
            "generate only cases that this made-up device can run: words, no-subgroups, phone, "
            "embedded, all-vulkan or all-opencl",
            CLI_PUT(CLI_DEVICE, device)),
    CLI_ROW("profile", "NAME",
            "profile of the cases (default: the profile of the tape, else atomics)",
            CLI_PUT(CLI_PROFILE, profile), CLI_GIVEN(has_profile)),
    CLI_ROW("output", "FOLDER", "folder for the case", CLI_PUT(CLI_TEXT, output), .letter = 'o'),
    CLI_ROW(
        "stats", "N",
        "print statistics of N random cases, such as the number of cases with defined behaviour",
        CLI_PUT(CLI_U64, n_stats), CLI_WITHIN(1, 10000000)),
    CLI_ROW("validate", "N", "validate N random cases of each environment with SPIRV-Tools",
            CLI_PUT(CLI_U64, n_validate), CLI_WITHIN(1, 10000000)),
    {.name = NULL},
};
static const struct cli_command cmd_gen_help = {
    "gen", "[OPTION]... -o FOLDER | --stats N | --validate N",
    "Write one case to files, or print statistics of many cases.",
    "halfulp writes module.spv, module.spvasm, case.json, case.bin, tape.bin and in-N.bin (the "
    "content of\n"
    "buffer N) to FOLDER. If the driver receives source text, halfulp also writes kernel.cl.\n"
    "Exit status: 0 the files were written; 1 SPIRV-Tools rejected a case (--validate); 2 wrong "
    "usage or bad\n"
    "input.\n",
    option_rows};

#define GEN_ARENA_BYTES ((size_t)256 << 20)

static enum res load_tape(struct options *opt, struct tape *tape, struct arena *a, struct err *e)
{
    const char *profile = "";
    enum res const r = tape_load_file(tape, opt->tape, &profile, a, e);
    if (r != RES_OK || opt->has_profile) {
        return r;
    }
    int const found = profile_find(profile);
    if (found < 0) {
        return err_set(e, RES_FORMAT, "%s: profile \"%.40s\" is unknown", opt->tape, profile);
    }
    opt->profile = (enum profile)found;
    return RES_OK;
}

/* The tape of a case that is made of seed and index, for the group of targets that it was drawn for. */
static enum res make_fresh(const struct campaign_plan *plan, uint64_t index, const char *note,
                           struct tape *tape, struct arena *a, struct err *e)
{
    struct case_groups *const groups = ARENA_NEW(a, struct case_groups, 1);
    if (!groups) {
        return err_set(e, RES_NOMEM, "gen: no memory for groups of targets");
    }
    TRY(case_groups_parse(groups, note, a, e));
    const struct case_group *const of = case_groups_find(groups, index);
    int const profile = profile_find(plan->profile);
    if (profile < 0) {
        return err_set(e, RES_FORMAT, "profile %.40s is unknown", plan->profile);
    }
    struct sched_case const fresh = {(enum profile)profile, plan->seed, index,
                                     case_groups_get_env(groups, index), of ? &of->allowed : NULL};
    return sched_make_fresh(&fresh, a, tape, e);
}

/* The tape of case opt->index of a campaign, and its own profile into opt->profile: the tape that the journal
 * keeps, else, as fresh cases are not kept, the one that the campaign's seed makes. Indexes from
 * JOURNAL_OWN_CASES on belong to guided instances, whose tapes come from no seed. */
static enum res get_tape(struct options *opt, struct journal *j, struct tape *tape, struct arena *a,
                         struct err *e)
{
    struct campaign_plan plan;
    struct journal_entry made;
    TRY(journal_get_plan(j, a, &plan, e));
    int const profile = profile_find(plan.profile);
    if (profile < 0 || plan.gen_version != GEN_VERSION) {
        return err_set(e, RES_FORMAT, "%s: made by generator %" PRIu32 ", this program has %d",
                       opt->campaign, plan.gen_version, GEN_VERSION);
    }
    enum res r = journal_get_made(j, opt->index, a, &made, e);
    if (r == RES_USAGE && opt->index < JOURNAL_OWN_CASES) { /* no tape is kept: a fresh one */
        opt->profile = sched_pick_profile((enum profile)profile, opt->index);
        return make_fresh(&plan, opt->index, journal_get_note(j, CASE_GROUPS_NOTE, a), tape, a, e);
    }
    if (r != RES_OK) {
        return r;
    }
    int const own_profile = profile_find(made.profile);
    opt->profile = own_profile < 0 ? opt->profile : (enum profile)own_profile;
    *tape = (struct tape){.data = made.tape, .n_records = made.n_records};
    return RES_OK;
}

static enum res load_campaign(struct options *opt, struct tape *tape, struct arena *a,
                              struct err *e)
{
    struct journal *j = NULL;
    enum res r = journal_open(&j, opt->campaign, NULL, e);
    if (r == RES_OK) {
        r = get_tape(opt, j, tape, a, e);
    }
    journal_close(j);
    return r;
}

static enum res read_plan(const struct options *opt, struct campaign_plan *plan, struct arena *a,
                          struct err *e)
{
    struct journal *j = NULL;
    *plan = (struct campaign_plan){.modules = ""};
    enum res r = opt->campaign ? journal_open(&j, opt->campaign, NULL, e) : RES_OK;
    if (r == RES_OK && j) {
        r = journal_get_plan(j, a, plan, e);
    }
    journal_close(j);
    return r;
}

/* Case opt->index of a campaign whose cases are kernels of the user's own, as a target that is given opt->language gets it.
 * It is written and not run, so nobody has to vouch for it. */
static enum res write_kernel(const struct options *opt, const struct campaign_plan *plan,
                             struct arena *a, struct err *e)
{
    struct modules *m = NULL;
    bool is_there = false;
    struct bundle b = {.has_observation = 0};
    struct target const any = {.name = "any", .alternates = 1, .language = opt->language};
    struct campaign_modules const of = {plan->modules, plan->modules_options, plan->modules_hash,
                                        plan->modules_list};
    TRY(cli_reopen_modules(opt->campaign, &of, opt->modules, &m, e));
    struct case_source const source = modules_get_source(m, plan->seed, true);
    enum res r = source.make(source.of, opt->index, &any, a, &b.tc, &is_there, e);
    const char *const what = modules_describe(m, opt->index, a);
    if (r == RES_OK && !is_there) {
        r = err_set(e, RES_USAGE, "%s: case %" PRIu64 " is none: %s", opt->campaign, opt->index,
                    what);
    }
    r = r == RES_OK ? bundle_write(opt->output, &b, a, e) : r;
    if (r == RES_OK) {
        printable_print(stdout, "%s: %s case: %s\n", opt->output, env_names[b.tc.env], what);
    }
    modules_close(m);
    return r;
}

/* The tape of the case that breaks opt->rule, in an environment that has it. */
static enum res make_broken(struct options *opt, struct tape *tape, struct arena *a, struct err *e)
{
    int const at = illegal_find(opt->rule);
    if (at < 0) {
        return err_set(e, RES_USAGE, "unknown rule %s", opt->rule);
    }
    struct refusal const what = {.rule = &illegal_rules[at], .is_broken = true};
    unsigned const bit = opt->env == ENV_CL ? OP_CL : OP_VK;
    if (!(what.rule->envs & bit)) {
        if (opt->has_env) {
            return err_set(e, RES_USAGE, "%s: no rule of %s", opt->rule, env_names[opt->env]);
        }
        opt->env = ENV_VK;
    }
    opt->profile = PROFILE_REFUSALS;
    return refusal_make_tape(&what, opt->env, a, tape, e);
}

/* The tape that the options name: a file's, a campaign's, a rule's. */
static enum res take_tape(struct options *opt, struct tape *tape, struct arena *a, struct err *e)
{
    if (opt->rule) {
        return make_broken(opt, tape, a, e);
    }
    return opt->tape ? load_tape(opt, tape, a, e) : load_campaign(opt, tape, a, e);
}

/* Make the case of the tape that was read, or else of the seed, and write both. */
static enum res make_and_write(const struct options *opt, bool has_tape, struct tape *tape,
                               struct bundle *b, struct gen_info *info, struct arena *a,
                               struct err *e)
{
    enum profile profile = opt->profile;
    if (!has_tape) {
        struct sched_case const fresh = {profile, opt->seed, opt->index, opt->env, opt->allowed};
        TRY(sched_make_fresh(&fresh, a, tape, e));
        profile = sched_pick_profile(profile, opt->index);
    }
    struct tape reader = *tape;
    TRY(gen_case(profile, opt->env, &reader, a, &b->tc, info, e));
    TRY(print_set_language(&b->tc, opt->language, a, e));
    TRY(bundle_write(opt->output, b, a, e));
    return tape_save_file(tape, arena_printf(a, "%s/tape.bin", opt->output), b->tc.profile, e);
}

/* Make the case of a tape, of a campaign or of seed and index, write it as a bundle, and print what it is and
 * what SPIRV-Tools says of it. A case that is invalid is the generator's fault. */
static enum cli_status write_case(struct options *opt, struct arena *a)
{
    struct err e = {RES_OK, ""};
    struct tape tape = {.n_records = 0};
    struct bundle b = {.has_observation = 0};
    struct gen_info info = {.rule = NULL};
    struct campaign_plan plan;
    if (read_plan(opt, &plan, a, &e) != RES_OK) {
        return cli_fail_input(&cmd_gen_help, &e);
    }
    if (plan.modules[0]) {
        return write_kernel(opt, &plan, a, &e) == RES_OK ? STATUS_OK
                                                         : cli_fail_input(&cmd_gen_help, &e);
    }
    bool const has_tape = opt->tape || opt->campaign || opt->rule;
    if (has_tape && take_tape(opt, &tape, a, &e) != RES_OK) {
        return cli_fail_input(&cmd_gen_help, &e);
    }
    if (make_and_write(opt, has_tape, &tape, &b, &info, a, &e) != RES_OK) {
        return cli_fail(&cmd_gen_help, &e);
    }
    const char *text = "";
    enum spirv_answer const answer = spirv_validate(&b.tc, a, &text);
    uint32_t const n_dispatches = testcase_count_dispatches(&b.tc);
    printable_print(stdout,
                    "%s: %s case of %" PRIu32 " words, %" PRIu32 " work-groups of %" PRIu32
                    " items%s, SPIRV-Tools says %s%s%s\n",
                    opt->output, env_names[opt->env], b.tc.n_words, testcase_get_groups(&b.tc),
                    b.tc.local[0] * b.tc.local[1] * b.tc.local[2],
                    n_dispatches > 1 ? arena_printf(a, " in %" PRIu32 " dispatches", n_dispatches)
                                     : "",
                    spirv_answer_names[answer], text[0] ? ": " : "", text);
    if (info.rule) {
        const struct illegal_rule *const rule = &illegal_rules[illegal_find(info.rule)];
        printf("the module breaks %s: %s (%s)\n", rule->name, rule->text, rule->document);
    }
    return answer == SPIRV_INVALID && b.tc.class != CLASS_ILLEGAL ? STATUS_HARNESS : STATUS_OK;
}

/* Make --validate many cases of each environment, or of the one that is named, and let SPIRV-Tools check
 * each. Invalid ones that are to be legal are printed with the command that makes them, then the counts. */
static enum cli_status validate(const struct options *opt, struct arena *a)
{
    uint64_t n_of[SPIRV_ANSWER_N] = {0};
    uint64_t n_broken = 0;
    struct err e = {RES_OK, ""};
    for (uint64_t i = 0; i < opt->n_validate * ENV_N; i++) {
        enum env const env = (enum env)(i % ENV_N); /* index i / ENV_N in each environment */
        struct testcase tc;
        struct tape tape;
        const char *text = "";
        if (opt->has_env && env != opt->env) {
            continue;
        }
        arena_reset(a);
        struct sched_case const of = {opt->profile, opt->seed, i / ENV_N, env, opt->allowed};
        if (sched_make_allowed(&of, a, &tc, &tape, &e) != RES_OK) {
            return cli_fail(&cmd_gen_help, &e);
        }
        enum spirv_answer const answer = spirv_validate(&tc, a, &text);
        if (answer == SPIRV_INVALID && tc.class == CLASS_ILLEGAL) {
            n_broken++;
            continue;
        }
        n_of[answer]++;
        if (answer == SPIRV_INVALID) {
            printable_print(stdout,
                            "invalid: gen --seed %" PRIu64 " --index %" PRIu64 " --env %s: %s\n",
                            opt->seed, i / ENV_N, env_names[env], text);
        }
    }
    for (int i = 0; i < SPIRV_ANSWER_N; i++) {
        printable_print(stdout, "%s: %" PRIu64 "\n", spirv_answer_names[i], n_of[i]);
    }
    if (n_broken) {
        printable_print(stdout, "invalid, as they are meant to be: %" PRIu64 "\n", n_broken);
    }
    return n_of[SPIRV_INVALID] ? STATUS_FINDINGS : STATUS_OK;
}

/* Print in which forms the texts of --stats many cases call the functions of atomics, and how many cases have no
 * text, as the language lacks words for something in them (RES_LIMIT). */
static enum cli_status describe_forms(const struct options *opt, struct arena *a)
{
    struct forms *const forms = calloc(1, sizeof *forms);
    struct err e = {RES_OK, ""};
    uint64_t n_unsaid = 0;
    enum res r = forms ? RES_OK : err_set(&e, RES_NOMEM, "gen: no room for the table");
    for (uint64_t i = 0; i < opt->n_stats && r == RES_OK; i++) {
        struct testcase tc;
        struct tape tape;
        arena_reset(a);
        /* only OpenCL takes source text */
        r = sched_make_case(opt->profile, opt->seed, i, ENV_CL, a, &tc, &tape, &e);
        if (r != RES_OK) {
            break;
        }
        r = print_set_language(&tc, opt->language, a, &e);
        if (r == RES_OK) {
            forms_add(forms, tc.source);
        } else if (r == RES_LIMIT) {
            n_unsaid++;
            r = RES_OK;
        }
    }
    if (r == RES_OK) {
        forms_write(forms, stdout);
        printf("%-29s %10" PRIu64 "\n", "without words in the language", n_unsaid);
    }
    free(forms);
    return r == RES_OK ? STATUS_OK : cli_fail(&cmd_gen_help, &e);
}

/* What cases hold; pairs NULL: these are not counted. */
struct held {
    struct pair_stats *pairs;
    struct def_use_stats *def_uses; /* NULL as well */
    struct drawn_stats *drawn;
    struct needed_stats needed;
    struct soundness sound;
};

/* Adds one case of a campaign to what is counted. */
static enum res describe_case(const struct options *opt, uint64_t index, enum env env,
                              struct held *held, struct arena *a, struct err *e)
{
    struct testcase tc;
    struct tape tape;
    arena_reset(a);
    struct sched_case const of = {opt->profile, opt->seed, index, env, opt->allowed};
    TRY(sched_make_allowed(&of, a, &tc, &tape, e));
    needed_add(&held->needed, &tc);
    TRY(held->pairs ? pairs_add(held->pairs, &tc, a, e) : RES_OK);
    TRY(held->def_uses ? def_uses_add(held->def_uses, &tc, a, e) : RES_OK);
    TRY(drawn_add(held->drawn, &tc, a, e));
    return soundness_add(&held->sound, &tc, index, a, e);
}

/* Describes the first n cases of a campaign in each environment: whether they have defined behaviour and, where has_pairs, which
 * instructions on types they hold and which combinations of atomics, of AMD's group operations and of max errors. */
static enum res describe_cases(const struct options *opt, bool has_pairs, struct arena *a,
                               struct err *e)
{
    struct held held = {.sound = {.n_cases = 0}};
    struct arena keep; /* for the counts; `a` is emptied for each case */
    arena_init(&keep, sizeof(struct pair_stats) + sizeof(struct def_use_stats) +
                          sizeof(struct drawn_stats) + 2 * PAIRS_ROOM_BYTES);
    held.pairs = has_pairs ? ARENA_NEW(&keep, struct pair_stats, 1) : NULL;
    held.def_uses = has_pairs ? ARENA_NEW(&keep, struct def_use_stats, 1) : NULL;
    held.drawn = ARENA_NEW(&keep, struct drawn_stats, 1);
    bool const has_room = ((held.pairs && held.def_uses) || !has_pairs) && held.drawn;
    enum res r = has_room ? RES_OK : err_set(e, RES_NOMEM, "pairs: arena full");
    for (uint64_t i = 0; i < ENV_N * opt->n_stats && r == RES_OK; i++) {
        enum env const env = (enum env)(i % ENV_N);
        if (!opt->has_env || opt->env == env) {
            r = describe_case(opt, i / ENV_N, env, &held, a, e);
        }
    }
    if (r == RES_OK && held.pairs) {
        pairs_write(held.pairs, stdout);
        def_uses_write(held.def_uses, stdout);
    }
    if (r == RES_OK) {
        drawn_write(held.drawn, stdout);
        struct needs const all = needs_get_all();
        needed_write(&held.needed, opt->allowed ? opt->allowed : &all, stdout);
        soundness_write(&held.sound, stdout);
    }
    arena_free(&keep);
    return r;
}

static enum cli_status stats(const struct options *opt, struct arena *a)
{
    struct err e = {RES_OK, ""};
    int const env = opt->has_env ? (int)opt->env : STATS_ANY_ENV;
    struct stats_of const of = {opt->profile, env, opt->n_stats, opt->seed, opt->allowed};
    bool const has_pairs = opt->profile == PROFILE_ALL || opt->profile == PROFILE_PROGRAMS;
    enum res r = gen_write_stats(&of, stdout, &e);
    if (r == RES_OK && opt->profile != PROFILE_REFUSALS) {
        r = describe_cases(opt, has_pairs, a, &e);
    }
    return r == RES_OK ? STATUS_OK : cli_fail(&cmd_gen_help, &e);
}

/* Is the rule of --break one that there is? */
static bool check_rule(struct cli *c, const char *rule)
{
    const char *names[ILLEGAL_N];
    if (!rule || illegal_find(rule) >= 0) {
        return true;
    }
    for (int i = 0; i < ILLEGAL_N; i++) {
        names[i] = illegal_rules[i].name;
    }
    c->status = cli_complain_names(c->command, "break", rule, names, ILLEGAL_N);
    return false;
}

/* The needs and the environment of the device of --device. */
static void take_device(struct options *opt)
{
    if (opt->device) {
        opt->listed = sample_device_get_needs(opt->device);
        opt->allowed = &opt->listed;
        opt->env = opt->device->env;
        opt->has_env = 1;
    }
}

static enum cli_status run(struct cli *c, void *options, struct arena *a)
{
    struct options *opt = options;
    if (!cli_refuse_words(c) || !check_rule(c, opt->rule)) {
        return c->status;
    }
    take_device(opt);
    if (opt->n_stats) {
        return opt->language == LANGUAGE_SPIRV ? stats(opt, a) : describe_forms(opt, a);
    }
    if (opt->n_validate) {
        return validate(opt, a);
    }
    if (!opt->output) {
        return cli_complain(c->command, "-o FOLDER, --stats N or --validate N is needed");
    }
    file_note_made(&c->made, opt->output);
    return write_case(opt, a);
}

static const struct options defaults = {.seed = 1, .env = ENV_CL, .profile = PROFILE_ATOMICS};
const struct cli_entry cmd_gen = {&cmd_gen_help, &defaults, sizeof defaults, GEN_ARENA_BYTES, run};
