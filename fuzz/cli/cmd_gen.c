/* fuzz/cli/cmd_gen.c -- halfulp gen: one case to files, or what many cases look like. */
#include "fuzz/cli/cmd_gen.h"

#include <inttypes.h>

#include "base/printable.h"
#include "base/testcase.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/io/bundle.h"
#include "fuzz/io/spirv.h"
#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_corpus.h"
#include "gen/plan/gen.h"
#include "gen/stats/stats.h"
#include "gen/tape/profile.h"
#include "gen/tape/tape.h"

enum {
    OPT_SEED,
    OPT_INDEX,
    OPT_CAMPAIGN,
    OPT_TAPE,
    OPT_ENV,
    OPT_PROFILE,
    OPT_OUTPUT,
    OPT_STATS,
    OPT_VALIDATE
};
static const struct cli_option options[] = {
    {"seed",     "N",      "of the campaign that the case is from (default: 1)",     0  },
    {"index",    "N",      "its number in that campaign (default: 0)",               0  },
    {"campaign", "FOLDER", "that case of the campaign there, also of no fresh tape", 0  },
    {"tape",     "FILE",   "the case of a tape instead",                             0  },
    {"env",      "NAME",   "opencl or vulkan (default: opencl)",                     0  },
    {"profile",  "NAME",   "what cases may hold (default: atomics, or the tape's)",  0  },
    {"output",   "FOLDER", "where to write the case",                                'o'},
    {"stats",    "N",      "describe N random cases instead",                        0  },
    {"validate", "N",      "give N random cases of each environment to SPIRV-Tools", 0  },
    {NULL,       NULL,     NULL,                                                     0  },
};
const struct cli_command cmd_gen_help = {
    "gen", "[OPTION]... -o FOLDER", "Write one case to files, or describe many.",
    "The folder gets module.spv, module.spvasm, case.json, in-N.bin, case.bin and tape.bin.\n",
    options};

#define GEN_ARENA_BYTES ((size_t)256 << 20)

struct words {
    uint64_t seed, index, n_stats, n_validate;
    const char *tape, *campaign, *output;
    enum env env;
    int has_env, has_profile;
    enum profile profile;
};

static int take_option(struct cli *c, int option, struct words *w)
{
    switch (option) {
    case OPT_SEED:
        return cli_number(c, option, 0, UINT64_MAX, &w->seed);
    case OPT_INDEX:
        return cli_number(c, option, 0, UINT64_MAX, &w->index);
    case OPT_CAMPAIGN:
        w->campaign = c->value;
        return 1;
    case OPT_TAPE:
        w->tape = c->value;
        return 1;
    case OPT_ENV:
        w->has_env = 1;
        return cli_env(c, option, &w->env);
    case OPT_PROFILE:
        w->has_profile = 1;
        return cli_profile(c, option, &w->profile);
    case OPT_OUTPUT:
        w->output = c->value;
        return 1;
    case OPT_STATS:
        return cli_number(c, option, 1, UINT64_C(10000000), &w->n_stats);
    default: /* OPT_VALIDATE: cli_next knows no other row */
        return cli_number(c, option, 1, UINT64_C(10000000), &w->n_validate);
    }
}

static enum res load_tape(struct words *w, struct tape *tape, struct arena *a, struct err *e)
{
    const char *profile = "";
    enum res const r = tape_load_file(tape, w->tape, &profile, a, e);
    if (r != RES_OK || w->has_profile) {
        return r;
    }
    int const found = profile_find(profile);
    if (found < 0) {
        return err_set(e, RES_FORMAT, "%s: profile \"%.40s\" is unknown", w->tape, profile);
    }
    w->profile = (enum profile)found;
    return RES_OK;
}

/* The tape of a case of a campaign: kept in its journal, or fresh of its seed. */
static enum res load_campaign(struct words *w, struct tape *tape, struct arena *a, struct err *e)
{
    struct journal *j = NULL;
    struct campaign_plan plan;
    struct journal_entry made;
    enum res r = journal_open(&j, w->campaign, NULL, e);
    r = r == RES_OK ? journal_get_plan(j, a, &plan, e) : r;
    int profile = r == RES_OK ? profile_find(plan.profile) : 0;
    if (r == RES_OK && (profile < 0 || plan.gen_version != GEN_VERSION)) {
        r = err_set(e, RES_FORMAT, "%s: made by generator %" PRIu32 ", this program has %d",
                    w->campaign, plan.gen_version, GEN_VERSION);
    }
    if (r != RES_OK) {
        journal_close(j);
        return r;
    }
    r = journal_get_made(j, w->index, a, &made, e);
    if (r == RES_USAGE && w->index < JOURNAL_OWN_CASES) {
        w->profile = sched_pick_profile((enum profile)profile, w->index);
        r = sched_make_tape(plan.seed, w->index, a, tape, e);
    } else if (r == RES_OK) {
        profile = profile_find(made.profile);
        w->profile = profile < 0 ? w->profile : (enum profile)profile;
        *tape = (struct tape){.data = made.tape, .n_records = made.n_records};
    }
    journal_close(j);
    return r;
}

static enum cli_status write_case(struct words *w, struct arena *a)
{
    struct err e = {RES_OK, ""};
    struct tape tape;
    struct bundle b = {.has_observation = 0};
    enum res r = RES_OK;
    if (w->tape || w->campaign) {
        r = w->tape ? load_tape(w, &tape, a, &e) : load_campaign(w, &tape, a, &e);
        if (r != RES_OK) {
            return cli_fail_input(&cmd_gen_help, &e);
        }
        struct tape reader = tape;
        r = gen_case(w->profile, w->env, &reader, a, &b.tc, NULL, &e);
    } else {
        r = sched_make_case(w->profile, w->seed, w->index, w->env, a, &b.tc, &tape, &e);
    }
    r = r == RES_OK ? bundle_write(w->output, &b, a, &e) : r;
    r = r == RES_OK
            ? tape_save_file(&tape, arena_printf(a, "%s/tape.bin", w->output), b.tc.profile, &e)
            : r;
    if (r != RES_OK) {
        return cli_fail(&cmd_gen_help, &e);
    }
    const char *text = "";
    enum spirv_answer const answer = spirv_validate(&b.tc, a, &text);
    printable_print(stdout,
                    "%s: %s case of %" PRIu32 " words, %" PRIu32 " work-groups of %" PRIu32
                    " items, SPIRV-Tools says %s%s%s\n",
                    w->output, env_names[w->env], b.tc.n_words, testcase_get_groups(&b.tc),
                    b.tc.local[0] * b.tc.local[1] * b.tc.local[2], spirv_answer_names[answer],
                    text[0] ? ": " : "", text);
    return answer == SPIRV_INVALID ? STATUS_HARNESS : STATUS_OK;
}

static enum cli_status validate(const struct words *w, struct arena *a)
{
    uint64_t n_of[SPIRV_ANSWER_N] = {0};
    struct err e = {RES_OK, ""};
    for (uint64_t i = 0; i < w->n_validate * ENV_N; i++) {
        enum env const env = (enum env)(i % ENV_N);
        struct testcase tc;
        struct tape tape;
        const char *text = "";
        if (w->has_env && env != w->env) {
            continue;
        }
        arena_reset(a);
        if (sched_make_case(w->profile, w->seed, i / ENV_N, env, a, &tc, &tape, &e) != RES_OK) {
            return cli_fail(&cmd_gen_help, &e);
        }
        enum spirv_answer const answer = spirv_validate(&tc, a, &text);
        n_of[answer]++;
        if (answer == SPIRV_INVALID) {
            printable_print(stdout,
                            "invalid: gen --seed %" PRIu64 " --index %" PRIu64 " --env %s: %s\n",
                            w->seed, i / ENV_N, env_names[env], text);
        }
    }
    for (int i = 0; i < SPIRV_ANSWER_N; i++) {
        printable_print(stdout, "%s: %" PRIu64 "\n", spirv_answer_names[i], n_of[i]);
    }
    return n_of[SPIRV_INVALID] ? STATUS_FINDINGS : STATUS_OK;
}

static enum cli_status stats(const struct words *w)
{
    struct err e = {RES_OK, ""};
    int const env = w->has_env ? (int)w->env : STATS_ANY_ENV;
    return gen_write_stats(w->profile, env, w->n_stats, w->seed, stdout, &e) == RES_OK
               ? STATUS_OK
               : cli_fail(&cmd_gen_help, &e);
}

enum cli_status cmd_gen(int argc, char **argv)
{
    struct words w = {.seed = 1, .env = ENV_CL, .profile = PROFILE_ATOMICS};
    struct cli c = {.command = &cmd_gen_help, .argc = argc, .argv = argv};
    int option = 0;
    while ((option = cli_next(&c)) >= 0) {
        if (!take_option(&c, option, &w)) {
            return STATUS_USAGE;
        }
    }
    if (option != CLI_END) {
        return option == CLI_HELP ? STATUS_OK : STATUS_USAGE;
    }
    if (c.first_word < argc) {
        return cli_complain(&cmd_gen_help, "\"%s\": takes options alone", argv[c.first_word]);
    }
    if (!w.output && !w.n_stats && !w.n_validate) {
        return cli_complain(&cmd_gen_help, "-o FOLDER, --stats N or --validate N is needed");
    }
    struct arena a;
    arena_init(&a, GEN_ARENA_BYTES);
    enum cli_status const status = w.n_stats      ? stats(&w)
                                   : w.n_validate ? validate(&w, &a)
                                                  : write_case(&w, &a);
    arena_free(&a);
    return status;
}
