/* fuzz/cli/cmd_judge.c -- halfulp judge: a case and an observation from files, no driver. */
#include "fuzz/cli/commands.h"

#include <string.h>

#include "base/caps.h"
#include "base/file.h"
#include "base/testcase.h"
#include "fuzz/cli/cli.h"
#include "fuzz/cli/cli_finding.h"
#include "fuzz/io/bundle.h"
#include "fuzz/io/json.h"
#include "fuzz/io/show.h"
#include "fuzz/trial/foreign.h"
#include "fuzz/trial/trust.h"
#include "oracle/judge/judge.h"
#include "oracle/judgement/judgement.h"
#include "oracle/tables/tables.h"

struct options {
    const char *path, *facts;
    const char *out[CASE_MAX_BUFS];
    int is_json;
};

/* The number of a buffer from `text` to `end`; CASE_MAX_BUFS where that is none. */
static uint64_t read_buffer(const char *text, const char *end)
{
    uint64_t n = 0;
    if (text == end) {
        return CASE_MAX_BUFS;
    }
    for (const char *p = text; p != end; p++) {
        if (*p < '0' || *p > '9' || n >= CASE_MAX_BUFS) {
            return CASE_MAX_BUFS;
        }
        n = n * 10 + (uint64_t)(*p - '0');
    }
    return n < CASE_MAX_BUFS ? n : CASE_MAX_BUFS;
}

/* --out N=FILE */
static bool take_out(const struct cli *c, void *options)
{
    struct options *const opt = options;
    const char *const equals = strchr(c->value, '=');
    uint64_t const n = equals ? read_buffer(c->value, equals) : CASE_MAX_BUFS;
    if (n == CASE_MAX_BUFS) {
        (void)cli_complain(c->command, "--out \"%.80s\": N=FILE with N of 0 to %d is needed",
                           c->value, CASE_MAX_BUFS - 1);
        return false;
    }
    opt->out[n] = equals + 1;
    return true;
}

static const struct cli_option option_rows[] = {
    CLI_ROW("facts", "FILE",
            "file with the properties of the device, one \"key=value\" in each line",
            CLI_PUT(CLI_TEXT, facts)),
    CLI_ROW("out", "N=FILE",
            "file with the content of buffer N after the run (default: the content in the bundle)",
            .type = CLI_OWN, .take = take_out),
    CLI_ROW("json", NULL, "print the result as JSON", CLI_PUT(CLI_FLAG, is_json)),
    {.name = NULL},
};
static const struct cli_command cmd_judge_help = {
    "judge", "[OPTION]... PATH",
    "Judge a module, its inputs and its observed outputs; no driver is needed.",
    "PATH is a case.json, a folder that contains case.json, or CAMPAIGN#ID for a finding. "
    "\"halfulp gen\"\n"
    "writes such folders. The \"out\" fields of case.json name the files with the outputs. --out "
    "replaces such\n"
    "a file. If halfulp did not generate the case, it derives the class of the case and the "
    "features that the\n"
    "case needs from the module. If case.json says otherwise, halfulp prints a message on standard "
    "error.\n"
    "Exit status: 0 no violation; 1 a violation; 2 bad input; 4 no violation, but some results "
    "could not be\n"
    "judged (the verdict is inconclusive, or no rule restricts any value).\n",
    option_rows};

#define JUDGE_ARENA_BYTES ((size_t)1 << 30)

/* What --out gives for buffer i. */
static enum res take_output(const struct options *opt, uint32_t i, struct bundle *b,
                            struct arena *a, struct err *e)
{
    const unsigned char *p = NULL;
    size_t n = 0;
    if (i >= b->tc.n_bufs) {
        return err_set(e, RES_USAGE, "--out %u: the case has %u buffers", (unsigned)i,
                       (unsigned)b->tc.n_bufs);
    }
    if (!buf_is_memory(b->tc.bufs[i].kind)) {
        return err_set(e, RES_USAGE, "--out %u: an argument by value has no content after the run",
                       (unsigned)i);
    }
    TRY(file_read(opt->out[i], CASE_MAX_BUF_BYTES, a, &p, &n, e));
    if (n != b->tc.bufs[i].n_bytes) {
        return err_set(e, RES_FORMAT, "%s: has %zu bytes, but buffer %u has %u bytes", opt->out[i],
                       n, (unsigned)i, (unsigned)b->tc.bufs[i].n_bytes);
    }
    b->ob.out[i] = p;
    return RES_OK;
}

/* Take the contents that --out gives for buffers in place of the bundle's. With any given, it is as if the
 * run was done; a run that was done needs the content of every buffer, from --out or from the bundle. */
static enum res take_outputs(const struct options *opt, struct bundle *b, struct arena *a,
                             struct err *e)
{
    bool is_given = false;
    for (uint32_t i = 0; i < CASE_MAX_BUFS; i++) {
        if (opt->out[i]) {
            TRY(take_output(opt, i, b, a, e));
            is_given = true;
        }
    }
    if (is_given) {
        b->has_observation = 1;
        b->ob.status = RUN_DONE;
        b->ob.phase = PHASE_DONE;
        b->ob.n_bufs = b->tc.n_bufs;
    }
    for (uint32_t i = 0; i < b->tc.n_bufs && b->ob.status == RUN_DONE; i++) {
        if (!buf_is_memory(b->tc.bufs[i].kind)) { /* an argument by value: no run changes it */
            b->ob.out[i] = b->tc.bufs[i].data;
        }
        if (!b->ob.out[i]) {
            return err_set(e, RES_USAGE,
                           "buffer %u has no content after the run: use --out %u=FILE", (unsigned)i,
                           (unsigned)i);
        }
    }
    return RES_OK;
}

/* Facts of the device in place of the bundle's. */
static enum res take_facts(const char *path, struct bundle *b, struct arena *a, struct err *e)
{
    const unsigned char *p = NULL;
    size_t n = 0;
    TRY(file_read(path, 1 << 20, a, &p, &n, e));
    if (memchr(p, '\0', n)) {
        return err_set(e, RES_FORMAT, "%s: contains a zero byte", path);
    }
    b->ob.facts = (const char *)p;
    return RES_OK;
}

static enum res read_input(const struct options *opt, struct bundle *b, struct arena *a,
                           struct err *e)
{
    TRY(cli_read_case(opt->path, b, a, e));
    TRY(take_outputs(opt, b, a, e));
    if (!b->has_observation) {
        return err_set(e, RES_USAGE,
                       "%s: contains no observed outputs: use --out N=FILE for each buffer",
                       opt->path);
    }
    return opt->facts ? take_facts(opt->facts, b, a, e) : RES_OK;
}

/* What the module needs beyond what the case said: "VK_F64, VK_INT64"; "" for nothing. */
static const char *list_additional(const struct needs *said, const struct needs *now,
                                   struct arena *a)
{
    const char *text = "";
    for (int i = 0; i < NEED_N; i++) {
        if (needs_has(now, (enum need_id)i) && !needs_has(said, (enum need_id)i)) {
            text = arena_printf(a, "%s%s%s", text, text[0] ? ", " : "", cap_rows[i].id);
        }
    }
    return text;
}

/* A case that the generator does not make again is what its module says, and not what its own words say. */
static void classify(const char *path, struct testcase *tc, const struct tape *tape,
                     struct arena *a)
{
    struct err ignored;
    enum trust trust = TRUST_GIVEN;
    enum case_class const said = tc->class;
    struct needs const needs = tc->needs;
    if (trust_case(path, tc, tape, true, &trust, a, &ignored) == RES_OK && trust == TRUST_OURS) {
        return;
    }
    const char *const remark = foreign_classify(tc, a);
    const char *const additional = list_additional(&needs, &tc->needs, a);
    if (remark[0]) {
        (void)cli_complain(&cmd_judge_help, "%s: the class of the case is %s, not %s: %s", path,
                           case_class_names[tc->class], case_class_names[said], remark);
    }
    if (additional[0]) {
        (void)cli_complain(&cmd_judge_help,
                           "%s: the module needs features that the case does not list: %s", path,
                           additional);
    }
}

/* The work of the command: read a bundle, judge its observation again, and show the judgement as text or
 * JSON. No driver is needed. */
static enum cli_status judge(const struct options *opt, struct arena *a)
{
    struct err e = {RES_OK, ""};
    struct bundle b;
    struct judgement g;
    if (read_input(opt, &b, a, &e) != RES_OK) {
        return cli_fail_input(&cmd_judge_help, &e);
    }
    classify(opt->path, &b.tc, b.tape, a);
    if (judge_run(&b.tc, &b.ob, a, &g, &e) != RES_OK) {
        return cli_fail_input(&cmd_judge_help, &e);
    }
    if (opt->is_json) {
        struct json *o = show_judgement_json(&b.tc, &b.ob, &g, a);
        enum res const r = json_print(o, JSON_PAGE, stdout, &e);
        json_free(o);
        if (r != RES_OK) {
            return cli_fail(&cmd_judge_help, &e);
        }
    } else {
        show_judgement(&b.tc, &b.ob, &g, a, stdout);
    }
    if (verdict_rows[g.kind].part == PART_VIOLATION) {
        return STATUS_FINDINGS;
    }
    return judgement_is_open(&g) ? STATUS_INCOMPLETE : STATUS_OK;
}

static enum cli_status run(struct cli *c, void *options, struct arena *a)
{
    struct options *opt = options;
    if (c->n_words != 1) {
        return cli_complain(c->command, "one PATH is needed, %d are given", c->n_words);
    }
    opt->path = c->words[0];
    return judge(opt, a);
}

static const struct options defaults = {.path = NULL};
const struct cli_entry cmd_judge = {&cmd_judge_help, &defaults, sizeof defaults, JUDGE_ARENA_BYTES,
                                    run};
