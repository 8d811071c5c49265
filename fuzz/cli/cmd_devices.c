/* fuzz/cli/cmd_devices.c -- halfulp devices: targets, what each can be tested for, what does not fit. */
#include "fuzz/cli/commands.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/caps.h"
#include "base/ops.h"
#include "base/printable.h"
#include "base/testcase.h"
#include "fuzz/cli/cli.h"
#include "fuzz/io/json.h"
#include "fuzz/pool/handle.h"
#include "fuzz/targets/targets.h"
#include "fuzz/targets/targets_choose.h"
#include "fuzz/targets/targets_find.h"
#include "fuzz/trial/contradict.h"
#include "fuzz/trial/float_atomics.h"

struct options {
    const char *targets, *ini, *variables;
    int has_facts, has_float_atomics, is_json;
};

static const struct cli_option option_rows[] = {
    CLI_ROW("targets", "LIST", "show only these targets (default: all targets found)",
            CLI_PUT(CLI_TEXT, targets)),
    CLI_TARGETS_FILE(ini),
    CLI_ROW("facts", NULL, "print all properties that each device reports",
            CLI_PUT(CLI_FLAG, has_facts)),
    CLI_ROW("float-atomics", NULL,
            "compile and run each function of cl_ext_float_atomics and print the result",
            CLI_PUT(CLI_FLAG, has_float_atomics)),
    CLI_ROW("variables", "NAME",
            "print environment variables that make any program use the driver of target NAME",
            CLI_PUT(CLI_TEXT, variables)),
    CLI_ROW("json", NULL, "print the result as JSON", CLI_PUT(CLI_FLAG, is_json)),
    CLI_SANDBOX,
    {.name = NULL},
};
static const struct cli_command cmd_devices_help = {
    "devices", "[OPTION]...",
    "List the targets with their devices, versions and testable features, and the missing drivers.",
    "Examples:\n"
    "  halfulp devices\n"
    "  halfulp devices --targets lavapipe --facts\n"
    "  env $(halfulp devices --variables pocl-7) clinfo\n"
    "\n"
    "If two properties that a device reports contradict each other, halfulp prints both.\n"
    "To run a program of your own with a driver: env $(halfulp devices --variables NAME) "
    "./program\n"
    "Exit status: 0 the targets were listed; 3 no target could be started.\n",
    option_rows};

#define DEVICES_ARENA_BYTES ((size_t)64 << 20)
enum {
    FACT_BYTES = 512,
    LINE_COLUMNS = 84 /* of needs, after the title */
};

static const char *get_fact(const char *facts, const char *key, struct arena *a)
{
    char value[FACT_BYTES];
    (void)facts_get(facts, key, value, sizeof(value));
    return arena_printf(a, "%s", value);
}

/* What a target has for groups, in words. What is shown so is not listed among the needs again. */
enum group_line {
    LINE_OPERATIONS,
    LINE_CONTROLS,
    LINE_SIZES /* as a list of numbers */
};
static const struct {
    enum need_id need;
    enum group_line line;
    const char *text;
} group_rows[] = {
    {NEED_CL_WG_COLLECTIVES,        LINE_OPERATIONS, "work-group"               },
    {NEED_CL_SUBGROUPS,             LINE_OPERATIONS, "sub-group"                },
    {NEED_CL_UNIFORM_ARITH,         LINE_OPERATIONS, "multiply and bitwise"     },
    {NEED_CL_SG_BASIC,              LINE_OPERATIONS, "elect"                    },
    {NEED_CL_SG_VOTE,               LINE_OPERATIONS, "vote"                     },
    {NEED_CL_SG_BALLOT,             LINE_OPERATIONS, "ballot"                   },
    {NEED_CL_SG_ARITHMETIC,         LINE_OPERATIONS, "arithmetic"               },
    {NEED_CL_SG_CLUSTERED,          LINE_OPERATIONS, "clustered"                },
    {NEED_CL_SG_SHUFFLE,            LINE_OPERATIONS, "shuffle"                  },
    {NEED_CL_SG_SHUFFLE_RELATIVE,   LINE_OPERATIONS, "shuffle relative"         },
    {NEED_CL_SG_ROTATE,             LINE_OPERATIONS, "rotate"                   },
    {NEED_CL_SG_INTEL,              LINE_OPERATIONS, "Intel's shuffles"         },
    {NEED_CL_SG_EXTENDED_TYPES,     LINE_CONTROLS,   "extended types"           },
    {NEED_CL_SG_SIZE_4,             LINE_SIZES,      "4"                        },
    {NEED_CL_SG_SIZE_8,             LINE_SIZES,      "8"                        },
    {NEED_CL_SG_SIZE_16,            LINE_SIZES,      "16"                       },
    {NEED_CL_SG_SIZE_32,            LINE_SIZES,      "32"                       },
    {NEED_CL_SG_SIZE_64,            LINE_SIZES,      "64"                       },
    {NEED_VK_SG_BASIC,              LINE_OPERATIONS, "elect"                    },
    {NEED_VK_SG_VOTE,               LINE_OPERATIONS, "vote"                     },
    {NEED_VK_SG_BALLOT,             LINE_OPERATIONS, "ballot"                   },
    {NEED_VK_SG_ARITHMETIC,         LINE_OPERATIONS, "arithmetic"               },
    {NEED_VK_SG_CLUSTERED,          LINE_OPERATIONS, "clustered"                },
    {NEED_VK_SG_SHUFFLE,            LINE_OPERATIONS, "shuffle"                  },
    {NEED_VK_SG_SHUFFLE_RELATIVE,   LINE_OPERATIONS, "shuffle relative"         },
    {NEED_VK_SG_QUAD,               LINE_OPERATIONS, "quad"                     },
    {NEED_VK_SG_PARTITIONED,        LINE_OPERATIONS, "partitioned"              },
    {NEED_VK_QUAD_CONTROL,          LINE_OPERATIONS, "quad votes"               },
    {NEED_VK_SG_ROTATE,             LINE_OPERATIONS, "rotate"                   },
    {NEED_VK_SG_ROTATE_CLUSTERED,   LINE_OPERATIONS, "rotate in clusters"       },
    {NEED_VK_SG_EXTENDED_TYPES,     LINE_CONTROLS,   "extended types"           },
    {NEED_VK_SG_BROADCAST_DYNAMIC,  LINE_CONTROLS,   "broadcast of a dynamic id"},
    {NEED_VK_SG_FULL,               LINE_CONTROLS,   "full sub-groups"          },
    {NEED_VK_SG_UNIFORM_FLOW,       LINE_CONTROLS,   "uniform control flow"     },
    {NEED_VK_MAXIMAL_RECONVERGENCE, LINE_CONTROLS,   "maximal reconvergence"    },
    {NEED_VK_SG_SIZE_4,             LINE_SIZES,      "4"                        },
    {NEED_VK_SG_SIZE_8,             LINE_SIZES,      "8"                        },
    {NEED_VK_SG_SIZE_16,            LINE_SIZES,      "16"                       },
    {NEED_VK_SG_SIZE_32,            LINE_SIZES,      "32"                       },
    {NEED_VK_SG_SIZE_64,            LINE_SIZES,      "64"                       },
    {NEED_VK_SG_SIZE_128,           LINE_SIZES,      "128"                      },
};

/* The texts of one line that hold for the target, or that do not; "" for none. */
static const char *join_group_rows(const struct target *t, const char *facts, enum group_line line,
                                   int is_met, struct arena *a)
{
    unsigned const env = t->env == ENV_CL ? OP_CL : OP_VK;
    const char *const separator = line == LINE_SIZES ? " " : ", ";
    const char *text = "";
    for (size_t i = 0; i < ARRAY_N(group_rows); i++) {
        enum need_id const need = group_rows[i].need;
        if (group_rows[i].line == line && cap_rows[need].envs == env &&
            facts_meet(facts, need) == is_met) {
            text = arena_printf(a, "%s%s%s", text, text[0] ? separator : "", group_rows[i].text);
        }
    }
    return text;
}

/* Size of sub-groups, "" where the target has none. */
static const char *describe_size(const struct target *t, const char *facts, struct arena *a)
{
    uint64_t const size = facts_number(facts, "vk.p.subgroupSize");
    uint64_t const n = facts_number(facts, "cl.max_subgroups");
    const char *sizes = join_group_rows(t, facts, LINE_SIZES, 1, a);
    if (size == 0 && n == 0) {
        return "";
    }
    const char *text = size ? arena_printf(a, "size %" PRIu64, size)
                            : arena_printf(a, "up to %" PRIu64 " in a work-group", n);
    return arena_printf(a, "%s; %s%s", text,
                        sizes[0] ? "size can be required: " : "no size can be required", sizes);
}

/* Of SPV_AMD_shader_ballot. No list makes its instructions legal in Vulkan, whatever the device says. */
static int is_amd_listed(const struct target *t, const char *facts)
{
    return facts_meet(facts, t->env == ENV_CL ? NEED_CL_AMD_BALLOT : NEED_VK_AMD_SET);
}

static const char *describe_amd(const struct target *t, const char *facts)
{
    if (!is_amd_listed(t, facts)) {
        return "not listed; --unadvertised tries it";
    }
    return t->env == ENV_CL ? "listed"
                            : "extended set listed; --unadvertised tries the instructions, too";
}

static void show_groups(const struct target *t, const char *facts, struct arena *a)
{
    const char *const size = describe_size(t, facts, a);
    const struct {
        const char *title, *text;
    } lines[] = {
        {"sub-groups",       size[0] ? size : "none"},
        {                    "group ops", join_group_rows(t,                   facts, LINE_OPERATIONS, 1, a)},
        {     "  lacking",                join_group_rows(t,                                       facts, LINE_OPERATIONS, 0, a)},
        {                                           "with",             join_group_rows(t,facts, LINE_CONTROLS, 1, a)},
        { "  lacking",                  join_group_rows(t,                                    facts, LINE_CONTROLS, 0, a)},
        {"AMD ballot",     describe_amd(t,                           facts)},
    };
    for (size_t i = 0; i < ARRAY_N(lines); i++) {
        if (lines[i].text[0]) {
            printable_print(stdout, "  %-11s %s\n", lines[i].title, lines[i].text);
        }
    }
}

static int is_group_row(int need)
{
    for (size_t i = 0; i < ARRAY_N(group_rows); i++) {
        if ((int)group_rows[i].need == need) {
            return 1;
        }
    }
    return need == NEED_CL_AMD_BALLOT || need == NEED_CL_AMD_BARE || need == NEED_VK_AMD_BALLOT ||
           need == NEED_VK_AMD_SET || need == NEED_VK_AMD_BARE;
}

/* Print the ids of the rows of caps.def that the target meets (is_met), or those that it does not, in lines
 * of at most LINE_COLUMNS. Rows that show_groups has put in words are left out. */
static void show_needs(const struct target *t, const char *facts, bool is_met)
{
    unsigned const env = t->env == ENV_CL ? OP_CL : OP_VK;
    const char *const title = is_met ? "  testable    " : "  not here    ";
    size_t column = 0; /* 0 only before the first */
    for (int i = 0; i < NEED_N; i++) {
        if (cap_rows[i].envs != env || facts_meet(facts, (enum need_id)i) != is_met ||
            is_group_row(i)) {
            continue;
        }
        size_t const n = strlen(cap_rows[i].id) + 1;
        if (column == 0) {
            printf("%s", title);
        } else if (column + n > LINE_COLUMNS) {
            printf("\n%*s", (int)strlen(title), "");
            column = 0;
        }
        printf("%s ", cap_rows[i].id);
        column += n;
    }
    if (column) {
        (void)putchar('\n');
    }
}

static void show_facts(const char *facts)
{
    while (*facts) {
        size_t const n = strcspn(facts, "\n");
        printf("    ");
        printable_put(stdout, facts, n);
        (void)putchar('\n');
        facts += n + (facts[n] == '\n');
    }
}

/* Facts that tell one device and driver from another. */
static const char *const keys[] = {"device", "vendor", "driver", "version", "platform_version"};

static const char *const values_texts[TARGET_VALUES_N] = {
    [VALUES_DEVICE] = "the device's",
    [VALUES_NIR] = "final NIR: the compiled program, executed without the device",
    [VALUES_NONE] = "none: cases are built"};

/* Print what a target that starts says of itself: its names and versions, what can be tested there and what
 * not, and where its facts contradict each other (contradict.def). */
static void show_target(const struct options *opt, const struct target *t, const char *facts,
                        struct arena *a)
{
    printable_print(stdout, "%s (%s, %s)\n", t->name, env_names[t->env], t->origin);
    for (size_t i = 0; i < ARRAY_N(keys); i++) {
        const char *value = get_fact(facts, keys[i], a);
        if (value[0]) {
            printf("  %-11s ", keys[i]);
            printable_put(stdout, value, FACT_BYTES);
            (void)putchar('\n');
        }
    }
    if (t->is_library) {
        printf("  values      a math library's, executed on this machine's processor; for audits "
               "only\n");
    } else {
        printf("  values      %s\n", values_texts[t->values]);
        show_groups(t, facts, a);
        show_needs(t, facts, true);
        show_needs(t, facts, false);
    }
    for (int i = 0; i < CONTRADICT_N; i++) {
        if (contradict_find(facts, &contradict_rows[i])) {
            printf("  mismatch    %s (%s)\n", contradict_rows[i].text, contradict_rows[i].source);
        }
    }
    if (opt->has_facts) {
        show_facts(facts);
    }
}

/* What show_target prints, as a JSON object. facts NULL: the target does not start, and `error` says why. */
static struct json *target_to_json(const struct options *opt, const struct target *t,
                                   const char *facts, const char *error, struct arena *a)
{
    struct json *o = json_new_object();
    json_put_text(o, "name", t->name);
    json_put_text(o, "api", env_names[t->env]);
    json_put_text(o, "origin", t->origin);
    json_put_text(o, "values", target_values_names[t->values]);
    json_put_bool(o, "starts", facts != NULL);
    json_put_text(o, "error", error);
    if (!facts) {
        return o;
    }
    for (size_t i = 0; i < ARRAY_N(keys); i++) {
        json_put_text(o, keys[i], get_fact(facts, keys[i], a));
    }
    unsigned const env = t->env == ENV_CL ? OP_CL : OP_VK; /* needs of the other API are neither */
    struct json *met = json_new_array();
    struct json *unmet = json_new_array();
    for (int i = 0; i < NEED_N; i++) {
        if (cap_rows[i].envs == env) {
            json_push_text(facts_meet(facts, (enum need_id)i) ? met : unmet, cap_rows[i].id);
        }
    }
    json_put(o, "testable", met);
    json_put(o, "not_here", unmet);
    json_put_text(o, "subgroups", describe_size(t, facts, a));
    /* 1: of the rows of a line those that hold for the target */
    json_put_text(o, "group_operations", join_group_rows(t, facts, LINE_OPERATIONS, 1, a));
    json_put_text(o, "group_controls", join_group_rows(t, facts, LINE_CONTROLS, 1, a));
    json_put_bool(o, "amd_ballot_listed", is_amd_listed(t, facts));
    struct json *rows = json_new_array();
    for (int i = 0; i < CONTRADICT_N; i++) {
        if (contradict_find(facts, &contradict_rows[i])) {
            json_push_text(rows, contradict_rows[i].text);
        }
    }
    json_put(o, "mismatches", rows);
    if (opt->has_facts) {
        json_put_text(o, "facts", facts);
    }
    return o;
}

/* Does what the device lists of a function agree with its macro, and with the coming to the right end of each form
 * that its atomics have? OpenCL C 2.0 has loads, stores and exchanges of 32 and 64 bits without the extension. */
static bool do_float_atomics_fit(const struct float_atomics *x, unsigned width, unsigned space,
                                 unsigned function)
{
    unsigned const class_of = float_atomics_class_of(function);
    bool const is_core = class_of == 0 && width > 0;
    bool const is_listed = is_core || x->is_listed[width][space][class_of];
    bool fits = is_core || is_listed == x->has_macro[width][space][class_of];
    for (unsigned form = 0; form < FLOAT_ATOMICS_FORMS; form++) {
        bool const is_right = x->step[width][space][function][form] == STEP_RIGHT;
        fits = fits && (is_listed == is_right || !x->has_form[form]);
    }
    return fits;
}

/* A line for each function of float atomics, by width of the type and address space: whether the device lists
 * it, whether the compiler defines the macro of the extension, and how far a kernel with it comes in each form
 * of its call. A mark where these do not agree. */
static void show_float_atomics(const struct target *t, struct arena *a)
{
    static const char *const steps[] = {[STEP_REFUSED] = "refused",
                                        [STEP_COMPILES] = "no link",
                                        [STEP_LINKS] = "no end",
                                        [STEP_WRONG] = "wrong",
                                        [STEP_RIGHT] = "right"};
    struct float_atomics x;
    struct err e = {RES_OK, ""};
    if (float_atomics_ask(t, a, &x, &e) != RES_OK) {
        printable_print(stdout, "  float atomics: %s\n", e.text);
        return;
    }
    printf("  atomic_half: with cl_khr_fp16 enabled %s, disabled %s\n",
           x.has_half_enabled ? "taken" : "refused", x.has_half_disabled ? "taken" : "refused");
    printf("  %-5s %-15s %-9s  %-6s %-5s", "type", "space", "function", "listed", "macro");
    for (unsigned form = 0; form < FLOAT_ATOMICS_FORMS; form++) {
        printf(" %-12s", float_atomics_forms[form]);
    }
    (void)putchar('\n');
    /* The second half of the spaces are generic pointers to the first. */
    unsigned const n_spaces = x.has_generic ? FLOAT_ATOMICS_SPACES : FLOAT_ATOMICS_SPACES / 2;
    for (unsigned i = 0; i < FLOAT_ATOMICS_WIDTHS * n_spaces; i++) {
        unsigned const width = i / n_spaces; /* 0, 1, 2: 16, 32, 64 bits */
        unsigned const space = i % n_spaces;
        for (unsigned f = 0; f < FLOAT_ATOMICS_FUNCTIONS && x.has_type[width]; f++) {
            unsigned const c = float_atomics_class_of(f); /* devices list classes of functions */
            printf("  fp%-3u %-15s %-9s  %-6s %-5s", 16u << width, float_atomics_spaces[space],
                   float_atomics_function(f), x.is_listed[width][space][c] ? "yes" : "no",
                   x.has_macro[width][space][c] ? "yes" : "no");
            for (unsigned form = 0; form < FLOAT_ATOMICS_FORMS; form++) {
                printf(" %-12s", steps[x.step[width][space][f][form]]);
            }
            printf("%s\n", do_float_atomics_fit(&x, width, space, f) ? "" : "  <- do not fit");
        }
    }
}

/* Start a target and show what it is, or why it does not start, on standard output or as a member of the list
 * `targets`. Returns whether it starts. Float atomics can be asked only of OpenCL after its usual API. */
static bool show_one(const struct options *opt, const struct target *t, struct json *targets,
                     struct arena *a)
{
    struct err e = {RES_OK, ""};
    const char *facts = "";
    bool const starts = t->kind == TARGET_SIM || handle_get_facts(t, a, &facts, &e) == RES_OK;
    if (opt->is_json) {
        json_push(targets, target_to_json(opt, t, starts ? facts : NULL, starts ? "" : e.text, a));
    } else if (starts) {
        show_target(opt, t, facts, a);
        if (opt->has_float_atomics && t->env == ENV_CL && t->kind == TARGET_WORKER && !t->api) {
            show_float_atomics(t, a);
        }
    } else {
        printable_print(stdout, "%s (%s, %s)\n  does not start: ", t->name, env_names[t->env],
                        t->origin);
        printable_put(stdout, e.text, sizeof(e.text));
        (void)putchar('\n');
    }
    return starts;
}

/* A target that is known and not here, likewise. */
static void show_missing(const struct options *opt, const struct target_missing *m,
                         struct json *missing)
{
    struct json *row = json_new_object();
    json_put_text(row, "name", m->name);
    json_put_text(row, "how", m->how);
    json_push(missing, row);
    if (!opt->is_json) {
        printable_print(stdout, "%s: not here; get it with: %s\n", m->name, m->how);
    }
}

/* Show all chosen targets and, unless they were chosen by name, those that could be here but are missing. A
 * failure of the whole command only where not one target starts. */
static enum cli_status show_all(const struct options *opt, const struct target_list *list,
                                const struct target_list *found, struct arena *a)
{
    uint32_t n_started = 0;
    struct err e = {RES_OK, ""};
    struct json *targets = json_new_array();
    struct json *missing = json_new_array();
    for (uint32_t i = 0; i < list->n; i++) {
        n_started += show_one(opt, &list->t[i], targets, a);
    }
    for (uint32_t i = 0; i < found->n_missing && !opt->targets; i++) {
        show_missing(opt, &found->missing[i], missing);
    }
    struct json *all = json_new_object();
    json_put(all, "targets", targets);
    json_put(all, "missing", missing);
    enum res const r = opt->is_json ? json_print(all, JSON_PAGE, stdout, &e) : RES_OK;
    json_free(all);
    if (r != RES_OK) {
        return cli_fail(&cmd_devices_help, &e);
    }
    return n_started ? STATUS_OK : STATUS_HARNESS;
}

/* Print the launcher of a driver in a root file system of its own: the program runs in there, and the folder it is started
 * in is the one that it sees. */
static void put_launcher(const struct target *t, const char *folder, struct arena *a)
{
    (void)printf("HOME=%s TMPDIR=%s", t->inner_tmp, t->inner_tmp);
    for (int i = 0; t->launcher[i]; i++) {
        const char *const word = strcmp(t->launcher[i], "{own}") == 0 ? folder : t->launcher[i];
        /* An option is a plain word, which as a path would be quoted. */
        printable_print(stdout, " %s", word[0] == '-' ? word : printable_quote(a, word));
    }
}

/* What stands between `env` and a program of the user's that is to find the driver, as words of sh in one line: variables,
 * and the launcher of a driver that is in a root file system of its own. A driver elsewhere cannot be had so. */
static enum cli_status show_variables(const struct options *opt, struct target_list *found,
                                      struct target_list *list, struct arena *a)
{
    struct err e = {RES_OK, ""};
    char folder[PATH_MAX];
    if (targets_select(found, opt->variables, list, a, &e) != RES_OK) {
        return cli_fail(&cmd_devices_help, &e);
    }
    const struct target *const t = &list->t[0];
    bool const is_in_root = list->n == 1 && strcmp(t->origin, "root") == 0 && t->inner_tmp;
    if (list->n != 1 || t->kind != TARGET_WORKER || t->is_library ||
        (t->launcher[0] && !is_in_root) || !getcwd(folder, sizeof folder)) {
        (void)cli_complain(
            &cmd_devices_help,
            "--variables %s: this target has no driver that another program can load",
            opt->variables);
        return STATUS_HARNESS;
    }
    for (int i = 0; t->env_vars[i]; i++) {
        printable_print(stdout, "%s%s", i ? " " : "", printable_quote(a, t->env_vars[i]));
    }
    if (t->launcher[0]) {
        (void)fputs(t->env_vars[0] ? " " : "", stdout);
        put_launcher(t, folder, a);
    }
    (void)putchar('\n');
    return STATUS_OK;
}

static enum cli_status devices(const struct options *opt, struct arena *a)
{
    struct err e = {RES_OK, ""};
    struct target_list *found = ARENA_NEW(a, struct target_list, 1);
    struct target_list *list = ARENA_NEW(a, struct target_list, 1);
    if (!found || !list) {
        return STATUS_HARNESS;
    }
    if (targets_find(found, opt->ini, a, &e) != RES_OK) {
        return cli_fail_input(&cmd_devices_help, &e);
    }
    found->has_audits = true;
    if (opt->variables) {
        return show_variables(opt, found, list, a);
    }
    if (targets_select(found, opt->targets, list, a, &e) != RES_OK) {
        return cli_fail(&cmd_devices_help, &e);
    }
    return show_all(opt, list, found, a);
}

static enum cli_status run(struct cli *c, void *options, struct arena *a)
{
    return cli_refuse_words(c) ? devices(options, a) : c->status;
}

static const struct options defaults = {.targets = NULL};
const struct cli_entry cmd_devices = {&cmd_devices_help, &defaults, sizeof defaults,
                                      DEVICES_ARENA_BYTES, run};
