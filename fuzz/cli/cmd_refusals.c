/* fuzz/cli/cmd_refusals.c -- halfulp refusals: what targets make of modules that break one rule each. */
#include "fuzz/cli/commands.h"

#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "base/printable.h"
#include "base/testcase.h"
#include "fuzz/cli/cli.h"
#include "fuzz/targets/targets_choose.h"
#include "fuzz/targets/targets_find.h"
#include "fuzz/trial/refusals.h"
#include "gen/case/gen.h"
#include "gen/illegal/illegal.h"
#include "gen/plan/refusal.h"

struct options {
    const char *targets, *ini, *output, *rules;
    int is_list, is_verbose;
};

static const struct cli_option option_rows[] = {
    CLI_ROW("targets", "LIST", "names of targets (default: all drivers found)",
            CLI_PUT(CLI_TEXT, targets)),
    CLI_TARGETS_FILE(ini),
    CLI_ROW("rules", "TEXT", "test only rules whose names contain TEXT (default: all)",
            CLI_PUT(CLI_TEXT, rules)),
    CLI_ROW("list", NULL, "print the rules and run nothing", CLI_PUT(CLI_FLAG, is_list)),
    CLI_ROW("verbose", NULL, "also print the message of each driver",
            CLI_PUT(CLI_FLAG, is_verbose)),
    CLI_ROW("output", "FOLDER", "write the modules to FOLDER and run nothing",
            CLI_PUT(CLI_TEXT, output), .letter = 'o'),
    CLI_SANDBOX,
    {.name = NULL},
};
static const struct cli_command cmd_refusals_help = {
    "refusals", "[OPTION]...",
    "Show how each target reacts to invalid modules. Each module breaks one rule of a "
    "specification.",
    "The table has a row for each rule and a column for each target. Each module runs in a new "
    "driver\n"
    "process. The column \"SPIRV-Tools\" shows the answers of the validator with which halfulp is "
    "linked.\n"
    "  r  the target rejected the module\n"
    "  A  the target accepted the module\n"
    "  C  the driver crashed\n"
    "  H  the driver hung\n"
    "  X  the driver ended the process\n"
    "  L  the driver lost the device\n"
    "  p  the target also rejected the legal module from which the invalid module was made\n"
    "  -  the rule does not apply: it belongs to another environment, or the device lacks the "
    "feature\n"
    "  *  (after the name of a rule) the specification can be read in two ways\n"
    "A rule can have several modules, for example one for minimum and one for maximum. The table "
    "then shows\n"
    "the worst result.\n"
    "Exit status: 0 no OpenCL driver crashed, hung or ended the process while it built a module; 1 "
    "an OpenCL\n"
    "driver did so; 2 wrong usage; 3 no target could be started.\n",
    option_rows};

#define REFUSALS_ARENA_BYTES ((size_t)128 << 20)
enum {
    MAX_COLUMNS = 64,
    LOG_SHOWN = 160
};

struct column {
    const char *name;
    struct refusals *r;
};
struct table {
    struct column columns[MAX_COLUMNS];
    uint32_t n;
};

static const char *name_envs(unsigned envs)
{
    return envs == OP_CL ? "opencl" : envs == OP_VK ? "vulkan" : "opencl vulkan";
}

static void print_rules(void)
{
    for (int i = 0; i < ILLEGAL_N; i++) {
        const struct illegal_rule *const rule = &illegal_rules[i];
        printf("%s\t%s\t%s\t%s\t%s\n", rule->name, name_envs(rule->envs),
               rule->stance == STANCE_FIRM ? "firm" : "disputed", rule->document, rule->text);
    }
}

/* ---- the modules as files ---- */

static enum res write_module(const struct refusal *what, enum env env, const char *path,
                             struct arena *a, struct err *e)
{
    struct tape tape;
    struct testcase tc;
    TRY(refusal_make_tape(what, env, a, &tape, e));
    TRY(gen_case(PROFILE_REFUSALS, env, &tape, a, &tc, NULL, e));
    return file_write(path, tc.module, tc.n_words * sizeof *tc.module, e);
}

/* RULE.ENV.spv, and in the folder `legal` of the same name what it was made of. */
static enum res write_modules(const char *folder, struct arena *a, struct err *e)
{
    TRY(file_make_path(arena_printf(a, "%s/legal", folder), e));
    for (int i = 0; i < ILLEGAL_N * ENV_N; i++) {
        const struct illegal_rule *const rule = &illegal_rules[i / ENV_N];
        enum env const env = (enum env)(i % ENV_N);
        if (!(rule->envs & (env == ENV_CL ? OP_CL : OP_VK))) {
            continue;
        }
        struct refusal what = {.rule = rule};
        const char *const name = arena_printf(a, "%s.%s.spv", rule->name, env_names[env]);
        TRY(write_module(&what, env, arena_printf(a, "%s/legal/%s", folder, name), a, e));
        what.is_broken = true;
        TRY(write_module(&what, env, arena_printf(a, "%s/%s", folder, name), a, e));
    }
    return RES_OK;
}

/* ---- the table ---- */

static void print_heads(const struct table *t)
{
    for (uint32_t c = 0; c < t->n; c++) {
        printf("%*s", 32, "");
        for (uint32_t i = 0; i < c; i++) {
            printf("| ");
        }
        printable_print(stdout, "%s\n", t->columns[c].name);
    }
}

static void print_row(const struct table *t, int i)
{
    const struct illegal_rule *const rule = &illegal_rules[i];
    printf("%-30s%s ", rule->name, rule->stance == STANCE_FIRM ? " " : "*");
    for (uint32_t c = 0; c < t->n; c++) {
        printf("%c ", refusal_letters[t->columns[c].r->outcome[i]]);
    }
    printf(" %s\n", rule->text);
}

/* What came of the legal modules; with a question mark of those that the device does not list. */
static void print_parents(const struct table *t)
{
    printf("\nlegal modules, as if they were rules\n");
    for (int p = 0; p < ILLEGAL_PARENT_N; p++) {
        printf("%-32s", illegal_parent_names[p]);
        for (uint32_t c = 0; c < t->n; c++) {
            const struct refusals *const r = t->columns[c].r;
            printf("%c%s", refusal_letters[r->parent[p]],
                   r->parent[p] != REFUSAL_NONE && !r->is_listed[p] ? "?" : " ");
        }
        (void)putchar('\n');
    }
}

/* How many rules came to what, target by target. */
static void print_sums(const struct table *t)
{
    printf("\n%-28s", "target");
    for (int k = REFUSAL_NO_PARENT; k < REFUSAL_OUTCOME_N; k++) {
        printf(" %s%s", refusal_names[k], k + 1 < REFUSAL_OUTCOME_N ? "," : "\n");
    }
    for (uint32_t c = 0; c < t->n; c++) {
        uint32_t n[REFUSAL_OUTCOME_N] = {0};
        for (int i = 0; i < ILLEGAL_N; i++) {
            n[t->columns[c].r->outcome[i]]++;
        }
        printable_print(stdout, "%-28s", t->columns[c].name);
        for (int k = REFUSAL_NO_PARENT; k < REFUSAL_OUTCOME_N; k++) {
            printf(" %" PRIu32 "%s", n[k], k + 1 < REFUSAL_OUTCOME_N ? "," : "\n");
        }
    }
}

static void print_logs(const struct table *t)
{
    for (uint32_t c = 0; c < t->n; c++) {
        printable_print(stdout, "\n%s\n", t->columns[c].name);
        for (int i = 0; i < ILLEGAL_N; i++) {
            const struct refusals *const r = t->columns[c].r;
            if (r->outcome[i] > REFUSAL_NO_PARENT) {
                printf("  %-30s %-9s ", illegal_rules[i].name, refusal_names[r->outcome[i]]);
                printable_put(stdout, r->log[i], strnlen(r->log[i], LOG_SHOWN));
                (void)putchar('\n');
            }
        }
    }
}

static struct refusals *add_column(struct table *t, const char *name, struct arena *a)
{
    struct refusals *const r = t->n < MAX_COLUMNS ? ARENA_NEW(a, struct refusals, 1) : NULL;
    if (r) {
        t->columns[t->n++] = (struct column){name, r};
    }
    return r;
}

/* Each target that takes modules; how many did. One that does not start is told, and so are those that are given no modules,
 * *n_unfit of them. */
static uint32_t ask_targets(const struct options *opt, const struct target_list *list,
                            struct table *t, bool *has_died, uint32_t *n_unfit, struct arena *a)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < list->n; i++) {
        const struct target *const target = &list->t[i];
        struct err e = {RES_OK, ""};
        struct refusals *const r = add_column(t, target->name, a);
        if (!r) {
            break;
        }
        enum res const asked = refusals_ask(target, opt->rules, a, r, &e);
        if (asked != RES_OK) {
            t->n--;
            *n_unfit += asked == RES_USAGE;
            printable_print(stderr, "%s: not tested: %s\n", target->name, e.text);
            continue;
        }
        n++;
        for (int k = 0; k < ILLEGAL_N && target->env == ENV_CL; k++) {
            *has_died |= r->outcome[k] >= REFUSAL_CRASHED;
        }
    }
    return n;
}

static enum res validate(const struct options *opt, struct table *t, struct arena *a, struct err *e)
{
    static const char *const names[ENV_N] = {"SPIRV-Tools, OpenCL", "SPIRV-Tools, Vulkan"};
    for (int env = 0; env < ENV_N; env++) {
        struct refusals *const r = add_column(t, names[env], a);
        if (!r) {
            return err_set(e, RES_NOMEM, "no memory for the table");
        }
        TRY(refusals_validate((enum env)env, opt->rules, a, r, e));
    }
    return RES_OK;
}

static enum res find_targets(const struct options *opt, struct target_list **list, struct arena *a,
                             struct err *e)
{
    struct target_list *const found = ARENA_NEW(a, struct target_list, 1);
    *list = ARENA_NEW(a, struct target_list, 1);
    if (!found || !*list) {
        return err_set(e, RES_NOMEM, "no memory for the targets");
    }
    TRY(targets_find(found, opt->ini, a, e));
    return targets_select(found, opt->targets, *list, a, e);
}

/* The work of the command: print a row for each rule whose name contains opt->rules, a column for SPIRV-Tools in
 * each environment and for each target. Only a driver that died is a finding (*has_died), and only of OpenCL, as
 * Vulkan demands valid modules. */
static enum cli_status show_table(const struct options *opt, struct arena *a)
{
    struct table t = {.n = 0};
    struct target_list *list = NULL;
    struct err e = {RES_OK, ""};
    bool has_died = false;
    uint32_t n_unfit = 0;
    if (find_targets(opt, &list, a, &e) != RES_OK || validate(opt, &t, a, &e) != RES_OK) {
        return cli_fail(&cmd_refusals_help, &e);
    }
    if (list->n == 0) {
        (void)cli_complain(&cmd_refusals_help,
                           "no driver was found: \"halfulp devices\" prints how to get some");
        return STATUS_HARNESS;
    }
    if (ask_targets(opt, list, &t, &has_died, &n_unfit, a) == 0) {
        return n_unfit == list->n ? STATUS_USAGE : STATUS_HARNESS;
    }
    print_heads(&t);
    for (int i = 0; i < ILLEGAL_N; i++) {
        if (strstr(illegal_rules[i].name, opt->rules)) {
            print_row(&t, i);
        }
    }
    print_parents(&t);
    print_sums(&t);
    if (opt->is_verbose) {
        print_logs(&t);
    }
    return has_died ? STATUS_FINDINGS : STATUS_OK;
}

/* Has a rule the text of --rules in its name? */
static bool check_rules(struct cli *c, const char *text)
{
    const char *names[ILLEGAL_N];
    for (int i = 0; i < ILLEGAL_N; i++) {
        names[i] = illegal_rules[i].name;
        if (strstr(names[i], text)) {
            return true;
        }
    }
    c->status = cli_complain_names(c->command, "rules", text, names, ILLEGAL_N);
    return false;
}

static enum cli_status run(struct cli *c, void *options, struct arena *a)
{
    const struct options *const opt = options;
    struct err e = {RES_OK, ""};
    if (!cli_refuse_words(c) || !check_rules(c, opt->rules)) {
        return c->status;
    }
    if (opt->is_list) {
        print_rules();
        return STATUS_OK;
    }
    if (opt->output) {
        file_note_made(&c->made, opt->output);
        return write_modules(opt->output, a, &e) == RES_OK ? STATUS_OK : cli_fail(c->command, &e);
    }
    return show_table(opt, a);
}

static const struct options defaults = {.targets = NULL, .rules = ""};
const struct cli_entry cmd_refusals = {&cmd_refusals_help, &defaults, sizeof defaults,
                                       REFUSALS_ARENA_BYTES, run};
