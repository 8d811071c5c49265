/* fuzz/cli/cmd_audit.c -- halfulp audit: every function on every type against MPFR, its bounds kept or not. */
#include "fuzz/cli/cmd_audit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/format.h"
#include "base/printable.h"
#include "fuzz/audit/audit.h"
#include "fuzz/audit/audit_plan.h"
#include "fuzz/audit_write/audit_changes.h"
#include "fuzz/audit_write/audit_csv.h"
#include "fuzz/audit_write/audit_html.h"
#include "fuzz/audit_write/audit_json.h"
#include "fuzz/audit_write/audit_latex.h"
#include "fuzz/audit_write/audit_report.h"
#include "fuzz/journal/owner.h"
#include "fuzz/process/place.h"
#include "fuzz/targets/targets_choose.h"
#include "fuzz/targets/targets_find.h"

enum {
    OPT_TARGET,
    OPT_INI,
    OPT_OPS,
    OPT_TYPES,
    OPT_FORMS,
    OPT_BOUNDS,
    OPT_SAMPLED,
    OPT_EXHAUSTIVE,
    OPT_SAMPLES,
    OPT_WORST,
    OPT_SEED,
    OPT_JUDGES,
    OPT_OUTPUT,
    OPT_COMPARE,
    OPT_JSON
};
static const struct cli_option options[] = {
    {"target",     "NAME",   "the target (default: the only one that is here)",                  0  },
    CLI_TARGETS_FILE,
    {"ops",        "LIST",   "functions, or all (default: all)",                                 0  },
    {"types",      "LIST",   "of f16, f32, f64 (default: f16,f32)",                              0  },
    {"forms",      "LIST",   "of full, half, native, decorated (default: all)",                  0  },
    {"bounds",     "LIST",   "max-error decorations to try as well, in ulps: 0.5,1,4",           0  },
    {"sampled",    NULL,     "search where every f32 argument would be tried",                   0  },
    {"exhaustive", NULL,     "try every f32 argument where MPFR alone judges: days",             0  },
    {"samples",    "N",      "inputs of a search (default: 100000)",                             0  },
    {"worst",      "FOLDER", "lists of hard inputs (default: corpora/worst beside the program)", 0  },
    {"seed",       "N",      "of a search (default: 1)",                                         0  },
    {"judges",     "N",      "processes that judge (default: one per core)",                     0  },
    {"output",     "FOLDER", "results and progress (default: halfulp-audit-TARGET)",             'o'},
    {"compare",    "FILE",   "audit.json of an earlier audit: show what changed",                0  },
    {"json",       NULL,     "print the results as JSON in place of the table",                  0  },
    CLI_SANDBOX,
    {NULL,         NULL,     NULL,                                                               0  },
};
const struct cli_command cmd_audit_help = {
    "audit", "[OPTION]...",
    "Measure the error of every function of a target, and which bounds it breaks.",
    "Every argument is tried of f16 functions of one argument, and of f32 ones whose reference has "
    "a\n"
    "certified evaluator (some seconds to minutes each); f64, two arguments and the rest are "
    "searched:\n"
    "known hard inputs, special values, random ones, then the neighbours of the worst.\n"
    "An audit that was stopped goes on when it is given the same folder and options.\n"
    "Writes audit.json, audit.html, audit.csv and audit.tex to the folder.\n"
    "Exit status: 0 all bounds kept, 1 a bound is broken, 2 wrong usage, 3 the harness failed.\n",
    options};

#define AUDIT_ARENA_BYTES ((size_t)1 << 30)
#define WORST_FOLDER      "corpora/worst"
enum {
    DEFAULT_SAMPLES = 100000
};

struct words {
    struct audit_request request;
    const char *target, *ini, *compare;
    int is_json;
};

/* --- words --- */

static int complain_item(const struct cli *c, const char *name, const char *item, size_t n,
                         const char *wanted)
{
    (void)cli_complain(c->command, "--%s: \"%.*s\" is not %s", name, (int)(n < 40 ? n : 40), item,
                       wanted);
    return 0;
}

/* A list of names, as bits. */
static int read_names(const struct cli *c, const char *option, const char *const *names,
                      int n_names, const char *wanted, unsigned *out)
{
    const char *at = c->value;
    *out = 0;
    while (*at) {
        size_t const n = strcspn(at, ",");
        int i = 0;
        while (i < n_names && (strlen(names[i]) != n || strncmp(names[i], at, n) != 0)) {
            i++;
        }
        if (i == n_names) {
            return complain_item(c, option, at, n, wanted);
        }
        *out |= 1u << i;
        at += n + (at[n] == ',');
    }
    return *out ? 1 : complain_item(c, option, "", 0, wanted);
}

static int read_types(const struct cli *c, unsigned *out)
{
    const char *names[FMT_N];
    for (int i = 0; i < FMT_N; i++) {
        names[i] = float_formats[i].name;
    }
    return read_names(c, "types", names, FMT_N, "f16, f32 or f64", out);
}

static int read_bounds(const struct cli *c, struct audit_request *r)
{
    const char *at = c->value;
    r->n_bounds = 0;
    while (*at) {
        size_t const n = strcspn(at, ",");
        char *end = NULL;
        float const bound = strtof(at, &end);
        if (end != at + n || !(bound > 0 && bound <= 0x1.fffffep127F)) {
            return complain_item(c, "bounds", at, n, "a number of ulps above 0");
        }
        if (r->n_bounds == AUDIT_MAX_BOUNDS) {
            (void)cli_complain(c->command, "--bounds: more than %d", AUDIT_MAX_BOUNDS);
            return 0;
        }
        r->bounds[r->n_bounds++] = bound;
        at += n + (at[n] == ',');
    }
    return 1;
}

static int read_option(const struct cli *c, int option, struct words *w)
{
    struct audit_request *const r = &w->request;
    uint64_t n = 0;
    switch (option) {
    case OPT_TARGET:
        w->target = c->value;
        return 1;
    case OPT_INI:
        w->ini = c->value;
        return 1;
    case OPT_OPS:
        r->functions = c->value;
        return 1;
    case OPT_TYPES:
        return read_types(c, &r->types);
    case OPT_FORMS:
        return read_names(c, "forms", audit_form_names, AUDIT_FORM_N,
                          "full, half, native or decorated", &r->forms);
    case OPT_BOUNDS:
        return read_bounds(c, r);
    case OPT_SAMPLED:
        r->reach = AUDIT_REACH_SAMPLES;
        return 1;
    case OPT_EXHAUSTIVE:
        r->reach = AUDIT_REACH_ALL;
        return 1;
    case OPT_WORST:
        r->worst = c->value;
        return 1;
    case OPT_SAMPLES:
        return cli_number(c, option, 1, UINT64_C(1) << 48, &r->n_samples);
    case OPT_SEED:
        return cli_number(c, option, 0, UINT64_MAX, &r->seed);
    case OPT_JUDGES:
        if (!cli_number(c, option, 1, 64, &n)) {
            return 0;
        }
        r->n_judges = (unsigned)n;
        return 1;
    case OPT_OUTPUT:
        r->folder = c->value;
        return 1;
    case OPT_COMPARE:
        w->compare = c->value;
        return 1;
    case OPT_JSON:
        w->is_json = 1;
        return 1;
    default: /* no enum: a row of the table */
        return 0;
    }
}

static int read_words(int argc, char **argv, struct words *w)
{
    struct cli c = {.command = &cmd_audit_help, .argc = argc, .argv = argv};
    int option = 0;
    while ((option = cli_next(&c)) >= 0) {
        if (!read_option(&c, option, w)) {
            return CLI_BAD;
        }
    }
    if (option == CLI_END && c.first_word < argc) {
        (void)cli_complain(&cmd_audit_help, "\"%.40s\" is no option", argv[c.first_word]);
        return CLI_BAD;
    }
    return option;
}

/* --- results --- */

/* Does a form break what it must keep? */
static int is_broken(const struct audit *x)
{
    for (uint32_t i = 0; i < x->n_rows; i++) {
        for (uint32_t k = 0; k < x->rows[i].n_forms; k++) {
            const struct sweep_result *const r = &x->rows[i].result[k];
            if (r->n_broken || r->n_special || r->n_zero_sign) {
                return 1;
            }
        }
    }
    return 0;
}

static enum res write_all(const struct audit *x, const char *folder, struct arena *a, struct err *e)
{
    enum res r = audit_save(x, arena_printf(a, "%s/audit.json", folder), e);
    r = r == RES_OK ? audit_write_html(x, arena_printf(a, "%s/audit.html", folder), e) : r;
    r = r == RES_OK ? audit_write_csv(x, arena_printf(a, "%s/audit.csv", folder), e) : r;
    return r == RES_OK ? audit_write_latex(x, arena_printf(a, "%s/audit.tex", folder), e) : r;
}

static enum res print_json(const char *folder, struct arena *a, struct err *e)
{
    const unsigned char *p = NULL;
    size_t n = 0;
    enum res const r =
        file_read(arena_printf(a, "%s/audit.json", folder), (size_t)512 << 20, a, &p, &n, e);
    if (r == RES_OK && fwrite(p, 1, n, stdout) != n) {
        return err_set(e, RES_IO, "standard output: %s", strerror(errno));
    }
    return r;
}

static enum res choose_target(const struct words *w, struct target_list *chosen, struct arena *a,
                              struct err *e)
{
    struct target_list *const list = ARENA_NEW(a, struct target_list, 1);
    if (!list) {
        return err_set(e, RES_NOMEM, "no memory for the targets");
    }
    enum res r = targets_find(list, w->ini, a, e);
    r = r == RES_OK ? targets_select(list, w->target, chosen, a, e) : r;
    if (r != RES_OK || chosen->n == 1) {
        return r;
    }
    const char *names = "";
    for (uint32_t i = 0; i < chosen->n; i++) {
        names = arena_printf(a, "%s%s%s", names, names[0] ? " " : "", chosen->t[i].name);
    }
    return err_set(e, RES_USAGE, "--target: one is needed, of: %.400s", names);
}

static enum res work(struct words *w, struct arena *a, enum cli_status *status, struct err *e)
{
    struct target_list *const chosen = ARENA_NEW(a, struct target_list, 1);
    struct audit now, old;
    if (!chosen) {
        return err_set(e, RES_NOMEM, "no memory for the targets");
    }
    enum res r = choose_target(w, chosen, a, e);
    if (r == RES_OK && w->compare) {
        r = audit_load(&old, w->compare, a, e);
        r = r == RES_IO ? err_set(e, RES_USAGE, "%s: cannot be read", w->compare) : r;
    }
    if (r != RES_OK) {
        return r;
    }
    if (!w->request.folder) {
        w->request.folder = arena_printf(a, "halfulp-audit-%s", chosen->t[0].name);
    }
    if (!w->request.worst) {
        w->request.worst = place_find_beside(WORST_FOLDER, a);
    }
    const char *const folder = w->request.folder;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        return err_set(e, RES_USAGE, "%s: %s", folder, strerror(errno));
    }
    r = owner_take(folder, e);
    r = r == RES_OK ? audit_run(&chosen->t[0], &w->request, a, &now, e) : r;
    r = r == RES_OK ? write_all(&now, folder, a, e) : r;
    if (r != RES_OK) {
        return r;
    }
    if (w->is_json) {
        r = print_json(folder, a, e);
    } else {
        audit_print(&now, stdout);
        (void)fputs(now.was_stopped ? "stopped; the same command goes on\n" : "", stdout);
        printable_print(stdout, "report: %s/audit.html\n", folder);
    }
    if (w->compare) {
        audit_print_changes(&old, &now, w->is_json ? stderr : stdout);
    }
    *status = is_broken(&now) ? STATUS_FINDINGS : STATUS_OK;
    return r;
}

enum cli_status cmd_audit(int argc, char **argv)
{
    struct words w = {
        .request = {.functions = "all",
                    .types = 1u << FMT_F16 | 1u << FMT_F32,
                    .n_samples = DEFAULT_SAMPLES,
                    .seed = 1}
    };
    int const end = read_words(argc, argv, &w);
    if (end != CLI_END) {
        return end == CLI_HELP ? STATUS_OK : STATUS_USAGE;
    }
    struct arena a;
    struct err e = {RES_OK, ""};
    enum cli_status status = STATUS_OK;
    arena_init(&a, AUDIT_ARENA_BYTES);
    if (work(&w, &a, &status, &e) != RES_OK) {
        status = cli_fail(&cmd_audit_help, &e);
    }
    arena_free(&a);
    return status;
}
