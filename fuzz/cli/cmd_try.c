/* fuzz/cli/cmd_try.c -- halfulp try: a kernel of the user's own, from its file to a verdict on each target. */
#include "fuzz/cli/commands.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/printable.h"
#include "base/testcase.h"
#include "fuzz/amber/amber_script.h"
#include "fuzz/cli/cli.h"
#include "fuzz/cli/cli_finding.h"
#include "fuzz/cli/cmd_try_page.h"
#include "fuzz/cli/cmd_try_report.h"
#include "fuzz/io/bundle.h"
#include "fuzz/io/json.h"
#include "fuzz/io/show.h"
#include "fuzz/io/spirv.h"
#include "fuzz/kernel/kernel_arg.h"
#include "fuzz/kernel/kernel_build.h"
#include "fuzz/kernel/kernel_case.h"
#include "fuzz/kernel/kernel_fill.h"
#include "fuzz/kernel/kernel_shape.h"
#include "fuzz/kernel/kernel_validate.h"
#include "fuzz/kernel_run/kernel_blame.h"
#include "fuzz/kernel_run/kernel_script.h"
#include "fuzz/kernel_run/kernel_try.h"
#include "fuzz/targets/targets_choose.h"
#include "fuzz/targets/targets_find.h"
#include "fuzz/trial/foreign.h"
#include "fuzz/trial/trust.h"
#include "oracle/judgement/judgement.h"
#include "oracle/tables/tables.h"
#include "oracle/vouch/vouch.h"

#define TRY_CASE_BYTES ((size_t)2 << 30)
enum {
    TRY_MAX_TRIES = 1000,
    TRY_COLUMN = 16
};

struct options {
    const char *path, *targets, *ini, *output, *html, *compiler_options;
    struct try_page *page;  /* NULL: none */
    struct file_made *made; /* gets `output` */
    const struct cli *c;
    const char *label;               /* of several kernels or RUNs the one that is tried; "" */
    const char *bufs[CASE_MAX_BUFS]; /* what --buffer and --arg say; NULL: nothing */
    struct kernel_wishes wishes;
    uint64_t n_tries, seed;
    int is_report, is_hard, is_trusted, is_json, is_verbose, is_bisect;
};

/* "N=WHAT" */
static bool take_buffer(const struct cli *c, void *options)
{
    struct options *const opt = options;
    char *end = NULL;
    unsigned long const n = strtoul(c->value, &end, 10);
    if (end == c->value || *end != '=' || n >= CASE_MAX_BUFS) {
        (void)cli_complain(
            c->command, "--%s \"%.80s\": N=%s with N of 0 to %d is needed", c->option->name,
            c->value, strcmp(c->option->name, "arg") == 0 ? "NUMBER" : "WHAT", CASE_MAX_BUFS - 1);
        return false;
    }
    opt->bufs[n] = end + 1;
    return true;
}

/* "64", "64,8", "64,8,2" */
static bool take_sizes(const struct cli *c, uint32_t sizes[3])
{
    const char *p = c->value;
    for (int i = 0; i < 3 && p; i++) {
        char *end = NULL;
        unsigned long const n = strtoul(p, &end, 10);
        bool const is_end = *end == '\0';
        if (end == p || n == 0 || n > CASE_MAX_ITEMS || (!is_end && *end != ',')) {
            break;
        }
        sizes[i] = (uint32_t)n;
        p = is_end ? NULL : end + 1;
    }
    if (p) {
        (void)cli_complain(c->command, "--%s \"%.40s\": one to three numbers of 1 to %d are needed",
                           c->option->name, c->value, CASE_MAX_ITEMS);
    }
    return !p;
}

static bool take_size(const struct cli *c, void *options)
{
    return take_sizes(c, ((struct options *)options)->wishes.size);
}

static bool take_local(const struct cli *c, void *options)
{
    return take_sizes(c, ((struct options *)options)->wishes.local);
}

/* "ID=VALUE" */
static bool take_spec(const struct cli *c, void *options)
{
    struct kernel_wishes *const w = &((struct options *)options)->wishes;
    char *end = NULL;
    unsigned long const id = strtoul(c->value, &end, 10);
    if (end == c->value || *end != '=' || id > UINT32_MAX || w->n_specs >= CASE_MAX_SPECS) {
        (void)cli_complain(c->command, "--spec \"%.80s\": ID=VALUE is needed, %d at most", c->value,
                           CASE_MAX_SPECS);
        return false;
    }
    w->specs[w->n_specs++] = (struct kernel_spec_wish){(uint32_t)id, end + 1};
    return true;
}

static const struct cli_option option_rows[] = {
    CLI_ROW("targets", "LIST", "names of targets (default: all targets found that have a device)",
            CLI_PUT(CLI_TEXT, targets)),
    CLI_TARGETS_FILE(ini),
    CLI_ROW("buffer", "N=WHAT",
            "content of buffer N: FILE (raw or .npy), drawn, hard, random, ramp, zeros or a "
            "number; for local memory: its size in bytes",
            .type = CLI_OWN, .take = take_buffer),
    CLI_ROW("arg", "N=NUMBER", "value of argument N (default: the number of invocations)",
            .type = CLI_OWN, .take = take_buffer),
    CLI_ROW("size", "N[,N[,N]]", "number of invocations, rounded up to whole work-groups",
            .type = CLI_OWN, .take = take_size),
    CLI_ROW("local", "N[,N[,N]]", "work-group size (default: the size in the module)",
            .type = CLI_OWN, .take = take_local),
    CLI_ROW("entry", "NAME",
            "run only this kernel, or this pipeline of an Amber script (default: each in turn)",
            CLI_PUT(CLI_TEXT, wishes.entry)),
    CLI_ROW("spec", "ID=VALUE", "value of the specialization constant whose SpecId is ID",
            .type = CLI_OWN, .take = take_spec),
    CLI_ROW("options", "TEXT", "compiler options", CLI_PUT(CLI_TEXT, compiler_options)),
    CLI_ROW("hard", NULL,
            "use special values, close neighbours and cancelling terms as inputs instead of "
            "ordinary numbers",
            CLI_PUT(CLI_FLAG, is_hard)),
    CLI_ROW("tries", "N", "run N times, each time with other inputs (default: 1)",
            CLI_PUT(CLI_U64, n_tries), CLI_WITHIN(1, TRY_MAX_TRIES)),
    CLI_ROW("seed", "N", "seed of the random inputs (default: 1)", CLI_PUT(CLI_U64, seed),
            CLI_WITHIN(0, INT64_MAX)),
    CLI_ROW("output", "FOLDER",
            "write a folder for each target; check, reduce and judge accept each of these folders",
            CLI_PUT(CLI_TEXT, output), .letter = 'o'),
    CLI_ROW("trust", NULL, "run the kernel even if halfulp cannot show that it is harmless",
            CLI_PUT(CLI_FLAG, is_trusted)),
    CLI_ROW("json", NULL, "print one JSON line per target and run", CLI_PUT(CLI_FLAG, is_json)),
    CLI_ROW(
        "report", NULL,
        "print the errors of the floats in each buffer, and the instruction that contributes most",
        CLI_PUT(CLI_FLAG, is_report)),
    CLI_ROW("html", "FILE", "write the output of --report to FILE as an HTML page with plots",
            CLI_PUT(CLI_TEXT, html)),
    CLI_ROW("bisect", NULL,
            "exit as `git bisect run` expects: 0 no violation, 1 a violation, 125 not known",
            CLI_PUT(CLI_FLAG, is_bisect)),
    CLI_ROW("verbose", NULL, "print each finding", CLI_PUT(CLI_FLAG, is_verbose), .letter = 'v'),
    CLI_SANDBOX,
    {.name = NULL},
};
static const struct cli_command cmd_try_help = {
    "try", "[OPTION]... FILE", "Run a kernel of your own on each driver and judge the results.",
    "Examples:\n"
    "  halfulp try reduce.comp\n"
    "  halfulp try kernel.cl --targets intel-cpu,pocl-7 --buffer 0=in.npy --arg 2=1.5\n"
    "  halfulp try shader.spv --size 4096 --hard --tries 20 -o tried\n"
    "\n"
    "FILE is one of: SPIR-V (binary or text), OpenCL C, a GLSL compute shader, an Amber compute "
    "script, or a\n"
    "case of halfulp (a folder, a case.json, or CAMPAIGN#ID for a finding). halfulp finds the "
    "buffers and\n"
    "their sizes in the module. It fills the buffers with random numbers; --buffer sets other "
    "content.\n"
    "Buffers are numbered from 0. In OpenCL, the number is the position of the argument. In "
    "Vulkan, the\n"
    "bindings are numbered in the order of set and binding, and the push constants come last.\n"
    "Exit status: 0 no violation; 1 a violation, or an EXPECT of an Amber script does not hold; 2 "
    "bad input;\n"
    "3 nothing could be run; 4 no violation, but some results could not be judged. With --bisect, "
    "halfulp\n"
    "exits with 125 instead of 2, 3 and 4.\n",
    option_rows};

/* What came of all tries and targets. */
struct outcome {
    uint32_t n_ran, n_found, n_open;
    bool cannot_write; /* to --output */
};

/* ---- what is told ---- */

static void put_column(const char *text)
{
    printable_print(stdout, "%s", text);
    for (uint32_t n = printable_columns(text); n < TRY_COLUMN - 1; n++) {
        (void)putchar(' ');
    }
    (void)putchar(' '); /* also behind a longer one */
}

/* The first violation, or NULL. */
static const struct finding *find_worst(const struct judgement *g)
{
    for (uint32_t i = 0; i < g->n_findings; i++) {
        if (verdict_rows[g->findings[i].kind].part == PART_VIOLATION) {
            return &g->findings[i];
        }
    }
    return NULL;
}

/* Has it ended, with a wrong value? */
static bool is_wrong(const struct try_result *x)
{
    return !x->reason && x->ob.status == RUN_DONE && find_worst(&x->g);
}

/* Did it end with no value that anything is known of? The inputs may let no invocation store any. */
static bool has_nothing(const struct try_result *x)
{
    return !x->reason && x->ob.status == RUN_DONE && x->g.kind == VERDICT_OK && x->g.n_judged == 0;
}

/* "ok", "wrong", "refused", "crash", ... */
static const char *name_result(const struct try_result *x)
{
    if (x->reason) {
        return "not run";
    }
    return is_wrong(x) ? "wrong" : has_nothing(x) ? "nothing judged" : verdict_rows[x->g.kind].name;
}

/* "buffer 1, element 5" of a wrong word. */
static const char *name_place(const struct kernel *k, const struct expect *at, struct arena *a)
{
    static const struct kernel_buffer unknown = {.name = ""};
    bool const is_known = at->buf < k->shape.n_bufs;
    const struct kernel_buffer *const b = is_known ? &k->shape.bufs[at->buf] : &unknown;
    const char *const name = b->name[0] ? arena_printf(a, " (%s)", b->name) : "";
    uint32_t const n = at->n_bytes ? at->n_bytes : 1;
    return arena_printf(a, "buffer %u%s, byte %u, element %u", is_known ? b->number : at->buf, name,
                        at->byte, at->byte / n);
}

/* What the first wrong value comes of: the instruction that goes wrong first, and the fault that explains all. */
static void put_blame(const struct kernel_blame *b, const char *disassembly, struct arena *a)
{
    const char *const line = show_instruction(disassembly, b->offset, a);
    if (b->first[0]) {
        const char *const source =
            b->line ? arena_printf(a, ", source line %" PRIu32, b->line) : "";
        printable_print(stdout, "    first wrong: %s%s\n", line[0] ? line : "not known", source);
        printable_print(stdout, "      %s\n", b->first);
    } else if (b->why_none[0]) {
        printable_print(stdout, "    first wrong: unknown: %s\n", b->why_none);
    }
    if (b->cause[0]) {
        printable_print(stdout, "    cause: %s\n", b->cause);
    }
}

static void put_wrong(const struct kernel *k, const struct try_result *x, const char *disassembly,
                      struct arena *a)
{
    const struct finding *const f = find_worst(&x->g);
    if (!f) {
        return;
    }
    printable_print(stdout, "    %s\n", f->text);
    if (f->expect) {
        const char *const more =
            x->g.n_found > 1 ? arena_printf(a, ", and %" PRIu32 " more values", x->g.n_found - 1)
                             : "";
        printable_print(stdout, "    at %s, invocation %" PRIu32 "%s\n",
                        name_place(k, f->expect, a), f->invocation, more);
    }
    const char *const line = show_instruction(disassembly, f->offset, a);
    if (line[0]) {
        printable_print(stdout, "    by %s\n", line);
    }
    printable_print(stdout, "    rule %s\n", clause_rows[f->clause].text);
}

static void put_result(const struct options *opt, const struct kernel *k,
                       const struct try_result *x, const struct kernel_blame *b,
                       const char *disassembly, struct arena *a)
{
    put_column(x->target->name);
    put_column(name_result(x));
    if (x->reason) {
        printable_print(stdout, "%s\n", x->reason);
        return;
    }
    if (x->ob.status == RUN_DONE) {
        uint32_t const n_confined = x->g.n_judged - x->g.n_anything;
        printable_print(stdout,
                        "%" PRIu32 " values judged, %" PRIu32 " confined, %" PRIu32 " sharp\n",
                        x->g.n_judged, n_confined, x->g.n_sharp);
    } else {
        printable_print(stdout, "%s\n", x->ob.log);
    }
    if (opt->is_verbose) {
        show_judgement(&x->tc, &x->ob, &x->g, a, stdout);
    } else {
        put_wrong(k, x, disassembly, a);
    }
    put_blame(b, disassembly, a);
    if (x->g.note && x->g.note[0]) {
        printable_print(stdout, "    note: %s\n", x->g.note);
    }
}

static const char *name_number(const struct try_difference *d, uint64_t bits, struct arena *a)
{
    enum val_type const type = !d->is_float      ? VT_NONE
                               : d->n_bits == 16 ? VT_F16
                               : d->n_bits == 32 ? VT_F32
                                                 : VT_F64;
    return type == VT_NONE ? arena_printf(a, "0x%" PRIx64, bits) : show_value(type, bits, a);
}

/* The first pair of targets that gave other bits. */
static void put_difference(const struct kernel *k, const struct try_result *results, uint32_t n,
                           struct arena *a)
{
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = i + 1; j < n; j++) {
            struct try_difference const d = try_compare(k, &results[i], &results[j]);
            if (!d.is_there) {
                continue;
            }
            printable_print(stdout,
                            "%s and %s differ in %" PRIu32 " numbers, first in buffer %" PRIu32
                            ", byte %" PRIu32 ": %s and %s",
                            results[i].target->name, results[j].target->name, d.n, d.buf, d.byte,
                            name_number(&d, d.a, a), name_number(&d, d.b, a));
            if (d.n_ulps != UINT64_MAX) {
                printable_print(stdout, ", %" PRIu64 " ulp apart", d.n_ulps);
            }
            (void)putchar('\n');
            return;
        }
    }
}

static void put_json(const struct options *opt, const struct kernel *k, const struct try_result *x,
                     const struct kernel_blame *b, const char *disassembly, uint64_t seed,
                     struct arena *a)
{
    struct err e;
    struct json *const o = json_new_object();
    const struct finding *const f = x->reason ? NULL : find_worst(&x->g);
    json_put_text(o, "path", opt->path);
    json_put_text(o, "entry", x->tc.entry ? x->tc.entry : "");
    if (k->built.amber) {
        json_put_number(o, "run", k->built.run + 1);
    }
    json_put_text(o, "target", x->target->name);
    json_put_number(o, "seed", seed);
    json_put_text(o, "result", name_result(x));
    json_put_text(o, "reason", x->reason ? x->reason : "");
    json_put_number(o, "judged", x->g.n_judged);
    json_put_number(o, "confined", x->g.n_judged - x->g.n_anything);
    json_put_number(o, "sharp", x->g.n_sharp);
    json_put_text(o, "finding", f ? f->text : "");
    json_put_text(o, "first_wrong", show_instruction(disassembly, b->offset, a));
    json_put_number(o, "line", b->line);
    json_put_text(o, "cause", b->cause);
    if (opt->is_report && !x->reason && x->ob.status == RUN_DONE) {
        json_put(o, "report", try_report_json(k, x, disassembly));
    }
    (void)!json_print(o, JSON_LINE, stdout, &e);
    json_free(o);
}

/* Why an expectation that does not hold says nothing of the target; "": it does. */
static const char *find_excuse(const struct try_result *x)
{
    return x->tc.class != CLASS_LEGAL ? "the target need not run the module"
           : x->g.undefined           ? "the behaviour of the module is undefined"
                                      : "";
}

/* What the script expects of this RUN: each line that does not hold, and how many do. */
static void put_expects(const struct options *opt, const struct kernel *k,
                        const struct try_result *x, struct outcome *o, struct arena *a)
{
    const struct amber *const script = k->built.amber;
    const char *const excuse = find_excuse(x);
    uint32_t n = 0, n_held = 0;
    for (uint32_t i = 0; i < script->expects.n; i++) {
        const char *why = "";
        if (amber_script_find_run(script, i) != k->built.run) {
            continue;
        }
        n++;
        if (kernel_script_holds(k, x, i, a, &why)) {
            n_held++;
            continue;
        }
        o->n_found += excuse[0] == '\0';
        o->n_open += excuse[0] != '\0';
        if (!opt->is_json) {
            printable_print(stdout, "    EXPECT of line %" PRIu32 " does not hold%s%s: %s\n",
                            script->expects.row[i].line, excuse[0] ? ", but " : "", excuse, why);
        }
    }
    if (!opt->is_json && n > 0) {
        printable_print(stdout, "    %" PRIu32 " of %" PRIu32 " EXPECT hold\n", n_held, n);
    }
}

/* Expectations that are not evaluated, which leaves something open. */
static void put_open_expects(const struct options *opt, const struct amber *script,
                             struct outcome *o)
{
    uint32_t n = 0, line = 0;
    for (uint32_t i = 0; i < script->expects.n; i++) {
        if (amber_script_find_run(script, i) == AMBER_MAX_RUNS) {
            line = n++ == 0 ? script->expects.row[i].line : line;
        }
    }
    if (n > 0 && !opt->is_json) {
        printable_print(stdout,
                        "note: %" PRIu32 " EXPECT were not evaluated, the first in line %" PRIu32
                        ": they depend on several RUN, and each RUN is tried separately\n",
                        n, line);
    }
    o->n_open += n;
}

/* ---- what is done ---- */

static void count(const struct try_result *x, struct outcome *o)
{
    if (!x->reason) {
        o->n_ran++;
        o->n_found += verdict_rows[x->g.kind].part == PART_VIOLATION;
        o->n_open += judgement_is_open(&x->g) || has_nothing(x);
    }
}

static enum res keep(const struct options *opt, const struct try_result *x, uint64_t seed,
                     struct outcome *o, struct arena *a, struct err *e)
{
    struct bundle const b = {
        .tc = x->tc, .ob = x->ob, .has_observation = 1, .target = x->target->name};
    const char *const folder = arena_printf(a, "%s/%s%s%s-%" PRIu64, opt->output, opt->label,
                                            opt->label[0] ? "-" : "", x->target->name, seed);
    if (x->reason) {
        return RES_OK;
    }
    enum res const r = bundle_write(folder, &b, a, e);
    if (r != RES_OK) {
        o->cannot_write = true;
        return r;
    }
    file_keep_made(opt->made);
    if (is_wrong(x) && !opt->is_json) {
        static const struct cli_kept kept[] = {
            {"targets-file", NULL},
            {"trust",        NULL},
            {"sandbox",      NULL},
            {NULL,           NULL}
        };
        printable_print(stdout, "    halfulp reduce%s %s -o %s\n", cli_say_kept(opt->c, kept, a),
                        printable_quote(a, folder),
                        printable_quote(a, arena_printf(a, "%s-small", folder)));
    }
    return RES_OK;
}

/* Is the module valid, and may it be run? Where the linked SPIRV-Tools refuse it, or are too old for it, a newer one that is here
 * decides. */
static enum res judge_module(const struct options *opt, struct testcase *tc, struct arena *a,
                             struct err *e)
{
    const char *text = "", *newer = "";
    enum trust trust = TRUST_GIVEN;
    enum spirv_answer const answer = spirv_validate(tc, a, &text);
    enum kernel_validity const validity = answer == SPIRV_VALID
                                              ? KERNEL_VALIDITY_UNKNOWN
                                              : kernel_validate(targets_get_root(a), tc, a, &newer);
    if (answer == SPIRV_INVALID && validity == KERNEL_VALID) {
        printable_print(stderr,
                        "halfulp try: %s: a newer spirv-val accepts the module, but the linked "
                        "SPIRV-Tools rejects it: %s\n",
                        opt->path, text);
        return opt->is_trusted ? RES_OK : vouch_case(tc, e);
    }
    const char *const remark = foreign_classify(tc, a);
    if (validity == KERNEL_INVALID) {
        tc->class = CLASS_ILLEGAL;
    }
    TRY(trust_case(opt->path, tc, NULL, opt->is_trusted, &trust, a, e));
    if (validity == KERNEL_INVALID) {
        printable_print(stderr,
                        "halfulp try: %s: the class of the case is illegal, because a newer "
                        "spirv-val rejects the module: %s\n",
                        opt->path, newer);
    } else if (remark[0]) {
        printable_print(stderr, "halfulp try: %s: the class of the case is %s: %s\n", opt->path,
                        case_class_names[tc->class], remark);
    }
    return RES_OK;
}

static void put_dispatch(const struct testcase *tc)
{
    const uint32_t *const n = tc->global, *const local = tc->local;
    put_column("dispatch");
    printable_print(stdout,
                    "%" PRIu32 " x %" PRIu32 " x %" PRIu32 " %s, in work-groups of %" PRIu32
                    " x %" PRIu32 " x %" PRIu32 "\n",
                    n[0], n[1], n[2], tc->env == ENV_VK ? "invocations" : "work-items", local[0],
                    local[1], local[2]);
}

/* A case on all targets. */
static enum res try_case(const struct options *opt, const struct kernel *k, struct testcase *tc,
                         const struct target_list *list, uint64_t seed, struct outcome *o,
                         struct arena *a, struct err *e)
{
    TRY(judge_module(opt, tc, a, e));
    if (!opt->is_json) {
        put_dispatch(tc);
    }
    struct try_result *const results = ARENA_NEW(a, struct try_result, list->n + 1);
    const char *const disassembly = spirv_disassemble(tc->module, tc->n_words, SPIRV_FOR_PEOPLE, a);
    if (!results) {
        return err_set(e, RES_NOMEM, "no memory for the results");
    }
    for (uint32_t i = 0; i < list->n; i++) {
        bool const is_as_written = !kernel_args_is_changed(&k->args);
        TRY(try_run(&list->t[i], tc, is_as_written ? k->built.source : "", a, &results[i], e));
        if (!is_as_written && list->t[i].language == LANGUAGE_OPENCL_C) {
            results[i].reason = "the target accepts only source text, but arguments in local "
                                "memory and structs by value need a changed module";
        }
        count(&results[i], o);
        struct kernel_blame blame = {.cause = "", .first = "", .why_none = ""};
        if (is_wrong(&results[i])) {
            TRY(kernel_blame(k, &results[i], a, &blame, e));
        }
        if (opt->is_json) {
            put_json(opt, k, &results[i], &blame, disassembly ? disassembly : "", seed, a);
        } else {
            put_result(opt, k, &results[i], &blame, disassembly ? disassembly : "", a);
        }
        if (opt->is_report && !opt->is_json && !results[i].reason &&
            results[i].ob.status == RUN_DONE) {
            try_report_print(k, &results[i], disassembly ? disassembly : "");
        }
        if (opt->page && !results[i].reason && results[i].ob.status == RUN_DONE) {
            try_page_put(opt->page, k, &results[i], disassembly ? disassembly : "");
        }
        if (k->built.amber && !results[i].reason && results[i].ob.status == RUN_DONE) {
            put_expects(opt, k, &results[i], o, a);
        }
        (void)fflush(stdout);
        if (opt->output) {
            TRY(keep(opt, &results[i], seed, o, a, e));
        }
    }
    if (!opt->is_json) {
        put_difference(k, results, list->n, a);
    }
    return RES_OK;
}

/* The named targets, or all of the kernel's environment that have a device. */
static enum res choose(const struct options *opt, enum env env, struct target_list *out,
                       struct arena *a, struct err *e)
{
    struct target_list *const all = ARENA_NEW(a, struct target_list, 1);
    if (!all) {
        return err_set(e, RES_NOMEM, "no memory for the targets");
    }
    TRY(targets_find(all, opt->ini, a, e));
    if (opt->targets) {
        return targets_select(all, opt->targets, out, a, e);
    }
    targets_add_native(all, a);
    *out = (struct target_list){.n = 0};
    for (uint32_t i = 0; i < all->n; i++) {
        const struct target *const t = &all->t[i];
        bool const is_usual = !t->on_request && t->values == VALUES_DEVICE && t->env == env &&
                              strcmp(t->origin, "root") != 0;
        if (is_usual) {
            out->t[out->n++] = *t;
        }
    }
    return RES_OK;
}

/* One draw of inputs on all targets. */
static enum res try_once(const struct options *opt, struct kernel *k,
                         const struct target_list *list, uint64_t seed, struct outcome *o,
                         struct arena *a, struct err *e)
{
    struct testcase tc;
    TRY(kernel_make_case(k, &opt->wishes, seed, a, &tc, e));
    return try_case(opt, k, &tc, list, seed, o, a, e);
}

/* A case that is there: a bundle, a bug's folder, a case.json or case.bin, a finding. It is run as it is. */
static enum res try_bundle(const struct options *opt, struct outcome *o, struct arena *a,
                           struct err *e)
{
    struct kernel k;
    struct err ignored;
    struct bundle *const b = ARENA_NEW(a, struct bundle, 1);
    struct target_list *const list = ARENA_NEW(a, struct target_list, 1);
    if (!b || !list) {
        return err_set(e, RES_NOMEM, "no memory for a case");
    }
    if (cli_read_case(opt->path, b, a, e) != RES_OK) {
        return e->code = e->code == RES_IO ? RES_USAGE : e->code;
    }
    k = (struct kernel){
        .path = opt->path,
        .built = {.env = b->tc.env,
                  .words = b->tc.module,
                  .n_words = b->tc.n_words,
                  .source = b->tc.source},
        .words = b->tc.module,
        .n_words = b->tc.n_words
    };
    if (kernel_shape_read(opt->path, b->tc.env, b->tc.module, b->tc.n_words, b->tc.entry, a,
                          &k.types, &k.shape, &ignored) != RES_OK ||
        k.shape.n_bufs != b->tc.n_bufs) {
        k.shape = (struct kernel_shape){.env = b->tc.env, .n_bufs = 0};
    }
    TRY(choose(opt, b->tc.env, list, a, e));
    return try_case(opt, &k, &b->tc, list, opt->seed, o, a, e);
}

/* A kernel of the file, with each draw of inputs. */
static enum res try_kernel(struct options *opt, const struct kernel_module *built,
                           const struct target_list *list, struct outcome *o, struct arena *a,
                           struct err *e)
{
    struct kernel k;
    if (built->amber) {
        kernel_script_begin(built, &opt->wishes, a);
    }
    TRY(kernel_open_built(opt->path, built, &opt->wishes, a, &k, e));
    if (built->amber) {
        TRY(kernel_script_wish(&k, &opt->wishes, a, e));
    }
    for (uint64_t i = 0; i < opt->n_tries; i++) {
        struct arena_mark const mark = arena_get_mark(a);
        TRY(try_once(opt, &k, list, opt->seed + i, o, a, e));
        arena_release(a, mark);
    }
    return RES_OK;
}

/* All kernels of the file: what is wrong with one keeps no other from being run. */
static enum res try_kernels(struct options *opt, const struct kernel_module *built,
                            const struct target_list *list, struct outcome *o, struct arena *a,
                            struct err *e)
{
    uint32_t n = 0, n_done = 0;
    enum res r = RES_OK;
    const char *const *const names = kernel_shape_list(built->words, built->n_words, a, &n);
    if (!names || n < 2 || opt->wishes.entry || built->amber) {
        opt->label = opt->wishes.entry ? opt->wishes.entry : "";
        return try_kernel(opt, built, list, o, a, e);
    }
    for (uint32_t i = 0; i < n; i++) {
        opt->wishes.entry = opt->label = names[i];
        if (!opt->is_json) {
            printable_print(stdout, "kernel %s\n", names[i]);
        }
        r = try_kernel(opt, built, list, o, a, e);
        if (r == RES_NOMEM || r == RES_IO) {
            return r;
        }
        if (r != RES_OK) {
            printable_print(stderr, "halfulp try: kernel %s: %s\n", names[i], e->text);
        }
        n_done += r == RES_OK;
    }
    if (n_done == 0) {
        return err_set(e, r, "%s: none of its %" PRIu32 " kernels could be run", opt->path, n);
    }
    o->n_open += n - n_done;
    return RES_OK;
}

/* A RUN of a script. */
static enum res try_run_of(struct options *opt, const struct amber *script, uint32_t run,
                           struct outcome *o, struct arena *a, struct err *e)
{
    struct kernel_module built;
    struct target_list *const list = ARENA_NEW(a, struct target_list, 1);
    if (!list) {
        return err_set(e, RES_NOMEM, "no memory for the targets");
    }
    TRY(kernel_build_run(script, run, opt->wishes.compiler_options, a, &built, e));
    TRY(choose(opt, built.env, list, a, e));
    return try_kernel(opt, &built, list, o, a, e);
}

/* Each RUN of a script, or those of the pipeline that the user names, as a kernel of its own. */
static enum res try_runs(struct options *opt, const struct amber *script, struct outcome *o,
                         struct arena *a, struct err *e)
{
    struct kernel_wishes const given = opt->wishes;
    uint32_t n = 0, n_done = 0;
    enum res r = RES_OK;
    const char *names = "";
    for (uint32_t i = 0; i < script->n_runs; i++) {
        const char *const name = script->pipelines.row[script->runs[i].pipeline].name;
        names = arena_printf(a, "%s%s%s", names, names[0] ? ", " : "", name);
        if (given.entry && strcmp(given.entry, name) != 0) {
            continue;
        }
        opt->wishes = given;
        opt->wishes.entry = NULL;
        opt->label = arena_printf(a, "run%" PRIu32, i + 1);
        if (!opt->is_json) {
            printable_print(stdout, "kernel %s (RUN of line %" PRIu32 ")\n", name,
                            script->runs[i].line);
        }
        n++;
        r = try_run_of(opt, script, i, o, a, e);
        if (r == RES_NOMEM || r == RES_IO) {
            return r;
        }
        if (r != RES_OK) {
            printable_print(stderr, "halfulp try: RUN of line %" PRIu32 ": %s\n",
                            script->runs[i].line, e->text);
        }
        n_done += r == RES_OK;
    }
    if (n == 0) {
        return err_set(e, RES_USAGE,
                       "%s: --entry %s: the script does not run this pipeline; it runs: %s",
                       opt->path, given.entry, names);
    }
    if (n_done == 0) {
        return err_set(e, r, "%s: none of its %" PRIu32 " RUN could be run", opt->path, n);
    }
    o->n_open += n - n_done;
    if (!given.entry) {
        put_open_expects(opt, script, o);
    }
    return RES_OK;
}

/* A folder, a case.json or what testcase_encode wrote; or a finding of a campaign. */
static bool is_case(const char *path)
{
    const char *const hash = strrchr(path, '#');
    static const char *const ends[] = {"case.json", "case.bin"};
    struct stat st;
    size_t const n = strlen(path);
    for (size_t i = 0; i < ARRAY_N(ends); i++) {
        size_t const n_end = strlen(ends[i]);
        if (n >= n_end && strcmp(path + n - n_end, ends[i]) == 0) {
            return true;
        }
    }
    return stat(path, &st) == 0 ? S_ISDIR(st.st_mode) : hash != NULL;
}

static enum res try_all(struct options *opt, struct outcome *o, struct arena *a, struct err *e)
{
    struct kernel_module built;
    struct target_list *const list = ARENA_NEW(a, struct target_list, 1);
    if (!list) {
        return err_set(e, RES_NOMEM, "no memory for the targets");
    }
    opt->wishes.compiler_options = opt->compiler_options;
    opt->wishes.is_hard = opt->is_hard != 0;
    for (uint32_t i = 0; i < CASE_MAX_BUFS; i++) {
        if (opt->bufs[i]) {
            TRY(kernel_wish_read(opt->bufs[i], a, &opt->wishes.bufs[i], e));
        }
    }
    if (is_case(opt->path)) {
        return try_bundle(opt, o, a, e);
    }
    TRY(kernel_build(opt->path, opt->wishes.compiler_options, a, &built, e));
    if (built.amber && built.amber->n_runs > 1) {
        return try_runs(opt, built.amber, o, a, e);
    }
    TRY(choose(opt, built.env, list, a, e));
    return try_kernels(opt, &built, list, o, a, e);
}

static enum cli_status try_file(struct cli *c, struct options *opt, struct arena *a)
{
    struct outcome o = {.n_ran = 0};
    struct err e = {RES_OK, ""};
    if (c->n_words != 1) {
        return cli_complain(c->command, "one FILE is needed, %d are given", c->n_words);
    }
    opt->path = c->words[0];
    opt->made = &c->made;
    opt->c = c;
    if (opt->output) {
        file_note_made(&c->made, opt->output);
    }
    struct try_page page = {.is_open = false};
    enum res r = opt->html ? try_page_open(&page, opt->html, opt->path, &e) : RES_OK;
    if (r == RES_OK) {
        opt->page = opt->html ? &page : NULL;
        r = try_page_close(&page, try_all(opt, &o, a, &e), &e);
    }
    if (r != RES_OK) {
        return o.cannot_write ? cli_fail(&cmd_try_help, &e) : cli_fail_input(&cmd_try_help, &e);
    }
    if (o.n_ran == 0) {
        (void)cli_complain(&cmd_try_help, "no target could run the case");
        return STATUS_HARNESS;
    }
    return o.n_found ? STATUS_FINDINGS : o.n_open ? STATUS_INCOMPLETE : STATUS_OK;
}

static enum cli_status run(struct cli *c, void *options, struct arena *a)
{
    struct options *const opt = options;
    enum cli_status const status = try_file(c, opt, a);
    bool const is_told = status == STATUS_OK || status == STATUS_FINDINGS;
    return opt->is_bisect && !is_told ? STATUS_SKIP : status;
}

static const struct options defaults = {
    .compiler_options = "", .label = "", .n_tries = 1, .seed = 1};
const struct cli_entry cmd_try = {&cmd_try_help, &defaults, sizeof defaults, TRY_CASE_BYTES, run};
