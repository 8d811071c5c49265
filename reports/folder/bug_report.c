/* reports/folder/bug_report.c -- report.md: a bug in the form that the trackers of drivers ask for. Mesa's
 * template has System information, Describe the issue (what is done, expected and seen, how often),
 * Regression, Log files; those of PoCL and of Intel's compilers ask for the same and a reproducer. */
#include "reports/folder/bug_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/caps.h"
#include "base/spv.h"
#include "base/testcase.h"
#include "fuzz/journal/campaign_data.h"
#include "oracle/tables/storage.h"
#include "oracle/tables/tables.h"
#include "reports/bug/bug_end.h"
#include "reports/bug/bug_facts.h"
#include "reports/bug/bug_ids.h"
#include "reports/bug/bug_module.h"
#include "reports/bug/bug_operands.h"
#include "reports/bug/bug_order.h"
#include "reports/bug/bug_title.h"
#include "reports/bug/bug_value.h"
#include "reports/folder/bug_amber.h"
#include "reports/folder/bug_compiler.h"
#include "reports/folder/bug_document.h"
#include "reports/folder/bug_kernel.h"
#include "reports/folder/bug_listed.h"
#include "reports/folder/bug_observed.h"
#include "reports/folder/bug_regression.h"
#include "reports/folder/bug_words.h"
#include "reports/model/markdown.h"
#include "reports/model/version_history.h"

#define HISTORY_BYTES ((size_t)64 << 10)
enum {
    MAX_RULE = 110 /* bytes */
};
static const char *name_api(const struct bug *b)
{
    return b->tc->env == ENV_VK ? "Vulkan" : "OpenCL";
}

/* A command as code within a line: neither a backtick nor a control character may end it. */
static void put_code(const char *text, FILE *f)
{
    (void)fputc('`', f);
    for (const char *p = text; *p; p++) {
        (void)fputc(*p == '`' || (unsigned char)*p < ' ' ? '?' : *p, f);
    }
    (void)fputc('`', f);
}

/* ---- ready or not ---- */

/* What a report lacks before it should be sent: a sentence without its end; NULL: nothing. The case of an audit is small as
 * it is made. */
static const char *find_lack(const struct bug *b, struct arena *a)
{
    const struct campaign_triage *const t = b->finding->triage;
    if (!t) {
        return bug_is_given(b->figures)
                   ? NULL
                   : "the bug was not run again, and the kernel is not reduced";
    }
    if (t->is_cut && t->n_before == 0) {
        return "the time ended before all was looked into, and the kernel is not reduced";
    }
    if (t->is_cut) {
        return "the time ended before all was looked into";
    }
    if (t->n_before > 0) {
        return NULL;
    }
    return t->n_shown + t->n_loaded_shown == 0
               ? arena_printf(a,
                              "the bug did not show again in %" PRIu32
                              " runs, and the kernel is not reduced",
                              t->n_runs + t->n_loaded_runs)
               : "the kernel is not reduced";
}

/* Put that the report is not ready to be sent, and the command that goes on: a triage that came to its end is made again by
 * --redo alone. */
static void put_lack(const struct bug *b, struct arena *a, FILE *f)
{
    const char *const lack = find_lack(b, a);
    if (!lack) {
        return;
    }
    (void)fprintf(f, "**Not ready to send:** %s.", lack);
    if (b->next) {
        bool const is_over = b->finding->triage && !b->finding->triage->is_cut;
        (void)fprintf(f, " This goes on: ");
        put_code(arena_printf(a, "%s%s", b->next, is_over ? " --redo" : ""), f);
    }
    (void)fprintf(f, "\n\n");
}

/* ---- in two sentences ---- */

/* Put since which version of its driver the bug is there, where more than one is at hand. */
static void put_history(const struct bug *b, FILE *f)
{
    struct arena a;
    arena_init(&a, HISTORY_BYTES);
    const char *const text = version_history(b->finding->triage, b->target->name, &a);
    const char *const fixed = version_fixed_in(b->finding->triage, b->target->name, &a);
    if (fixed[0]) {
        (void)fprintf(
            f,
            "**Fixed in %s.** The release that was tested is older: there is nothing to file, "
            "unless that release is still maintained. ",
            fixed);
    }
    const char *const siblings = bug_list_siblings(b, &a);
    if (siblings[0]) {
        (void)fprintf(f,
                      "Other drivers of the same source tree show the bug as well, so their shared "
                      "code is suspected: ");
        markdown_put_text(siblings, f);
        (void)fprintf(f, ". ");
    }
    if (text[0] || fixed[0] || siblings[0]) {
        (void)fprintf(f, "%s\n\n", text);
    }
    arena_free(&a);
}

/* ", in 3 dispatches", or nothing where one runs it. */
static const char *describe_dispatches(const struct testcase *tc, struct arena *a)
{
    uint32_t const n = testcase_count_dispatches(tc);
    return n == 1 ? "" : arena_printf(a, ", in %" PRIu32 " dispatches", n);
}

/* Put which instructions the bug needs though nothing uses their results: those that a reducer left. */
static void put_unused(const struct bug *b, struct arena *a, FILE *f)
{
    const struct campaign_triage *const t = b->finding->triage;
    bool const is_reduced =
        t && t->n_after < t->n_before && !t->is_cut && b->ob->status == RUN_DONE;
    const char *const unused = is_reduced ? bug_list_unused(b->tc, a) : "";
    if (unused[0]) {
        (void)fprintf(f, " The bug does not show without these instructions, although nothing uses "
                         "their results: ");
        markdown_put_text(unused, f);
        (void)fprintf(f, ".");
    }
}

/* "120 SPIR-V words", "OpenCL C, 31 lines": in the language that the driver was given. */
static const char *describe_size(const struct testcase *tc, struct arena *a)
{
    uint32_t n_lines = 0;
    for (const char *p = tc->source ? tc->source : ""; *p; p++) {
        n_lines += *p == '\n';
    }
    return tc->language == LANGUAGE_SPIRV
               ? arena_printf(a, "%" PRIu32 " SPIR-V words", tc->n_words)
               : arena_printf(a, "%s, %" PRIu32 " lines",
                              tc->language == LANGUAGE_GLSL ? "GLSL" : "OpenCL C", n_lines);
}

/* Put the title and the first paragraph: what happened, and in which kernel. A case that breaks a rule, or of a
 * feature that the device does not list, is told as such. */
static void put_summary(const struct bug *b, struct arena *a, FILE *f)
{
    const struct testcase *const tc = b->tc;
    bool const is_illegal = bug_is_of_class(b, CLASS_ILLEGAL);
    (void)fprintf(f, "# ");
    markdown_put_text(bug_get_title(b, a), f);
    (void)fprintf(f, "\n\n");
    put_lack(b, a, f);
    if (b->finding->triage) {
        put_history(b, f);
    }
    if (b->planted) {
        (void)fprintf(f,
                      "**Not a bug of the driver:** a fault was planted in the module before the "
                      "driver got it (`planted.spv`), to see whether it is found.\n\n");
    }
    (void)fprintf(f, "**Summary:** ");
    markdown_put_text(bug_get_sentence(b, a), f);
    put_unused(b, a, f);
    (void)fprintf(f,
                  "\n\nThe test is %s %s kernel (%s), run by %" PRIu32 " x %" PRIu32 " x %" PRIu32
                  " work-items in work-groups of %" PRIu32 " x %" PRIu32 " x %" PRIu32 "%s.",
                  is_illegal ? "an invalid" : "a valid", name_api(b), describe_size(tc, a),
                  tc->global[0], tc->global[1], tc->global[2], tc->local[0], tc->local[1],
                  tc->local[2], describe_dispatches(tc, a));
    if (is_illegal) {
        (void)fprintf(f, " The kernel breaks a rule of the specifications on purpose. A driver may "
                         "refuse it.");
    } else if (bug_is_of_class(b, CLASS_UNADVERTISED)) {
        (void)fprintf(
            f, " The kernel uses a feature that the device does not list. The driver accepted "
               "the kernel nevertheless.");
    }
    if (bug_is_interpreted(b)) {
        (void)fprintf(
            f, " No GPU executed it: the driver compiled it, and halfulp interpreted the final "
               "NIR on a CPU.");
    }
    (void)fprintf(f, "\n\n");
}

/* ---- system ---- */

/* Put what device and driver say of themselves, as far as their facts have it. */
static void put_system(const struct bug *b, FILE *f)
{
    static const struct {
        const char *name, *key;
    } rows[] = {
        {"Device",      "device"        },
        {"Vendor",      "vendor"        },
        {"Driver",      "driver"        },
        {"Platform",    "platform"      },
        {"API",         "version"       },
        {"Conformance", "vk.conformance"},
        {"SPIR-V",      "cl.il"         },
        {"Package",     "target.package"},
    };
    char value[512];
    (void)fprintf(f, "## System information\n\n");
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (facts_get(bug_get_facts(b), rows[i].key, value, sizeof value)) {
            markdown_put_item(rows[i].name, value, f);
        }
    }
    if (facts_get(bug_get_facts(b), "target.values", value, sizeof value)) {
        (void)fprintf(
            f, "- GPU: none. Mesa's drm-shim replaces the operating system's GPU driver, and "
               "reports the ids of vendor and device\n");
    }
    if (bug_is_given(b->generator)) {
        (void)fprintf(f, "- Found by: ");
        markdown_put_text(b->generator, f);
        (void)fprintf(f, ", a program that generates random kernels, runs them, and compares each "
                         "result with what the specifications permit\n");
    }
    (void)fprintf(f, "- Further: `facts.txt` has everything that the device reports; `make info` "
                     "prints the devices of a system\n\n");
}

/* ---- the issue ---- */

/* Put in how many reruns the bug was seen. A compiler whose program is interpreted does not depend on the load. */
static void put_triage_times(const struct bug *b, FILE *f)
{
    const struct campaign_triage *const t = b->finding->triage;
    const char *const verdict = b->finding->verdict;
    bool const is_crash = verdict && strcmp(verdict, verdict_rows[VERDICT_CRASH].name) == 0;
    if (bug_is_interpreted(b)) {
        (void)fprintf(f,
                      "The driver compiled the kernel to a wrong program in %" PRIu32 " of %" PRIu32
                      " builds.\n\n",
                      t->n_shown, t->n_runs);
        return;
    }
    if (is_crash && t->n_alike > t->n_shown) { /* deep in a driver stacks differ */
        (void)fprintf(f,
                      "The process died in %" PRIu32 " of %" PRIu32
                      " runs, each in a process of its own; it had exactly this stack in %" PRIu32,
                      t->n_alike, t->n_runs, t->n_shown);
    } else {
        (void)fprintf(f, "Seen in %" PRIu32 " of %" PRIu32 " runs, each in a process of its own",
                      t->n_shown, t->n_runs);
    }
    if (t->n_loaded_runs > 0) {
        (void)fprintf(f, ", and in %" PRIu32 " of %" PRIu32 " on a loaded machine",
                      t->n_loaded_shown, t->n_loaded_runs);
    }
    (void)fprintf(f, ".%s\n\n",
                  t->is_flaky
                      ? " The bug does not show in each run: `host` runs the kernel again until it "
                        "does."
                      : "");
}

/* Put in how many reruns the bug was seen, then in how many kernels of the campaign. n_cases 0: kernels were not counted, and
 * the number of findings is told. */
static void put_how_often(const struct bug *b, FILE *f)
{
    const struct campaign_triage *const t = b->finding->triage;
    uint64_t const n = b->finding->n_all ? b->finding->n_all : b->finding->n_in_bucket;
    (void)fprintf(f, "### How often\n\n");
    if (t) {
        put_triage_times(b, f);
    } else {
        (void)fprintf(f, "Seen once. The kernel has not been run again yet.\n\n");
    }
    if (n == 0) { /* of no search */
        return;
    }
    uint64_t const n_cases = b->finding->n_cases;
    if (n_cases > 0) {
        (void)fprintf(f, "The campaign found the bug in %" PRIu64 " random kernel%s.\n\n", n_cases,
                      n_cases == 1 ? "" : "s");
    } else {
        (void)fprintf(f, "The campaign found the bug %" PRIu64 " time%s.\n\n", n,
                      n == 1 ? "" : "s");
    }
}

/* What the finding's sentence has beside the values: "bound 4 ulp, error 7.1 ulp". */
static const char *get_bound(const struct bug *b, struct arena *a)
{
    static const char mark[] = "; bound ";
    const char *const at = b->finding->text ? strstr(b->finding->text, mark) : NULL;
    const char *const all = at ? arena_printf(a, "%.*s", (int)strcspn(at + 2, ";"), at + 2) : "";
    const char *const error = strstr(all, ", error ");
    bool const is_huge = error && strstr(error, "e+"); /* a number of ulps says nothing then */
    return is_huge ? arena_printf(a, "%.*s", (int)(error - all), all) : all;
}

/* Put why the driver has to accept the kernel, and run it. */
static void put_validity(const struct bug *b, FILE *f)
{
    if (bug_is_of_class(b, CLASS_ILLEGAL)) {
        return;
    }
    (void)fprintf(f, "The kernel is valid. %s",
                  b->is_validated ? "`spirv-val` accepts its SPIR-V for the environment. " : "");
    bug_put_listed(b, f);
}

/* Put the execution modes of the module that say how floats are computed: "RoundingModeRTE 16, DenormPreserve 16". */
static void put_modes(const struct bug *b, struct arena *a, FILE *f)
{
    static const char mark[] = "OpExecutionMode ";
    static const char *const names[] = {"RoundingMode", "Denorm", "SignedZero", "ContractionOff"};
    const char *all = "";
    for (const char *at = strstr(bug_get_text(b), mark); at; at = strstr(at + 1, mark)) {
        const char *const mode = strchr(at + strlen(mark), ' ');
        bool is_of_floats = false;
        for (size_t i = 0; mode && i < ARRAY_N(names); i++) {
            is_of_floats |= strncmp(mode + 1, names[i], strlen(names[i])) == 0;
        }
        if (is_of_floats) {
            all = arena_printf(a, "%s%s%.*s", all, all[0] ? ", " : "", (int)strcspn(mode + 1, "\n"),
                               mode + 1);
        }
    }
    if (all[0]) {
        (void)fprintf(f, "- The module declares ");
        markdown_put_text(all, f);
        (void)fprintf(f, "\n\n");
    }
}

/* Does the rule hold only because the kernel is valid, or because of what the device lists? */
static bool depends_on_validity(const struct bug *b)
{
    struct needs const listed = bug_get_listed(b);
    enum bug_kind const kind = bug_get_kind(b);
    return kind == BUG_REFUSED || kind == BUG_DIES || strcmp(b->finding->clause, "ND_RANGE") == 0 ||
           needs_has(&listed, NEED_VK_NEGATIVE_REMAINDER);
}

/* Put the rule that is broken, in words and with the sections that have it. A rule of more than MAX_RULE bytes is about other
 * instructions as well, and the quoted sentences say which part holds here. No sentence is about a compiler that dies. */
static void put_rule(const struct bug *b, struct arena *a, FILE *f)
{
    const char *const rule = b->clause_rule ? b->clause_rule : "";
    bool const is_lower = rule[0] >= 'a' && rule[0] <= 'z';
    (void)fprintf(f, "### Rule\n\n");
    if (rule[0] && strlen(rule) <= MAX_RULE) {
        if (is_lower) {
            (void)fputc(rule[0] - 'a' + 'A', f);
        }
        markdown_put_text(rule + is_lower, f);
        (void)fprintf(f, ":\n\n");
    }
    if (depends_on_validity(b)) {
        put_validity(b, f);
    }
    if (bug_is_of_load(b->tc, b->offset, a)) {
        bug_put_sentences_of(b, CLAUSE_COPY_EXACT, "Load", f);
    }
    if (bug_get_kind(b) != BUG_DIES || b->ob->phase != PHASE_BUILD) {
        bug_put_sentences(b, f);
    }
    if (strcmp(b->finding->verdict, verdict_rows[VERDICT_ULP].name) == 0) {
        markdown_put_item("Here", get_bound(b, a), f);
        put_modes(b, a, f);
    }
}

/* Put how to reproduce it: by host.c alone, by Amber, by the compiler alone where there is such a way, and by
 * halfulp check. */
static void put_steps(const struct bug *b, struct arena *a, FILE *f)
{
    const char *const variables = bug_get_variables(b, a);
    const char *const target = bug_name_target(b, a);
    bool const is_vk = b->tc->env == ENV_VK;
    (void)fprintf(f, "### Steps to reproduce\n\n");
    if (bug_is_interpreted(b)) {
        (void)fprintf(f, "Without the GPU: see \"Without the hardware\" below. With the GPU:\n\n");
    }
    (void)fprintf(f,
                  "1. Run `make run` in this folder. It needs a C compiler, the headers of %s and "
                  "its loader. `./host` prints each wrong value. Its exit status is 1 if the bug "
                  "is there, 0 if not, and 2 if the kernel could not be run.\n",
                  name_api(b));
    (void)fprintf(
        f,
        "2. To choose the driver: in `make run DRIVER=FILE`, FILE is %s of a driver that "
        "the loader does not find by itself. Add `LIBRARIES=FOLDER` if the driver's shared "
        "libraries are in FOLDER. `make info` lists the devices; `make run DEVICE=NAME` "
        "uses the device NAME.",
        is_vk ? "the ICD manifest (.json)" : "the .icd file or the library");
    if (target[0]) {
        (void)fprintf(f,
                      " If halfulp is in PATH, `make run` uses the driver of its target `%s`, and "
                      "`make run TARGET=NAME` that of another target.",
                      target);
    }
    (void)fprintf(f, "\n");
    if (is_vk) {
        (void)fprintf(f, "3. %s: `amber case.amber`\n",
                      bug_amber_tells(b) ? "Or with Amber"
                                         : "Or with Amber, which runs the kernel and cannot check "
                                           "its results");
    }
    if (b->planted) {
        (void)fprintf(f, "\n`make run PROGRAM=module.spv` runs the kernel without the fault.\n");
    }
    if (variables[0]) {
        (void)fprintf(f, "\nVariables that the driver needs, set by the Makefile: ");
        put_code(variables, f);
        (void)fprintf(f, "\n");
    }
    if (bug_get_kind(b) == BUG_OUTPUTS) {
        (void)fprintf(f,
                      "\n`host` compares the outputs with those of the run that showed the bug. It "
                      "reports the bug if all of them are the same again.\n");
    }
    (void)fprintf(f, "\n");
    bug_put_compiler(b, a, f);
    (void)fprintf(f,
                  "With halfulp: `halfulp check .` in this folder runs the kernel and judges any "
                  "outcome.\n\n");
}

static void put_files(const struct bug *b, FILE *f)
{
    int const is_run = b->ob->n_bufs > 0;
    bool const is_source = b->tc->language != LANGUAGE_SPIRV;
    (void)fprintf(f,
                  "## Attachments\n\n"
                  "%s- `module.spv`, `module.spvasm`: the kernel%s as a binary and as text\n"
                  "%s"
                  "- `in-N.bin`%s: the bytes of buffer N before%s the run\n"
                  "- `host.c`, `expected.h`, `Makefile`: the reproducer\n",
                  is_source ? "- `kernel.cl`: the kernel\n" : "",
                  is_source    ? " as SPIR-V, from which the expected values are computed,"
                  : b->planted ? ", from which the expected values are computed,"
                               : "",
                  b->planted ? "- `planted.spv`: what the driver was given, with a fault planted\n"
                             : "",
                  is_run ? ", `out-N.bin`" : "", is_run ? " and after" : "");
    if (b->tc->env == ENV_VK) {
        (void)fprintf(f, "- `case.amber`: the same for Amber\n");
    }
    if (b->ob->n_programs > 0) {
        (void)fprintf(f, "- `program-N.txt`: the driver's intermediate programs; the last one is "
                         "the final program\n");
    }
    (void)fprintf(
        f,
        "- `case.json`: the sizes of the dispatch and of the buffers, the device features that the "
        "kernel needs, and the compiler options; `case.bin`: the whole case as one file for "
        "halfulp\n"
        "- `facts.txt`, `log.txt`: what the device reports, and the driver's log\n");
}

static void put_all(const struct bug *b, FILE *f)
{
    struct arena a;
    arena_init(&a, (size_t)16 << 20);
    put_summary(b, &a, f);
    put_system(b, f);
    (void)fprintf(f, "## Describe the issue\n\n");
    bug_put_observed(b, &a, f);
    if (bug_is_given(b->figures)) {
        markdown_put_text(b->figures, f);
        (void)fputs("\n\n", f);
    }
    bug_put_program(b, f);
    put_rule(b, &a, f);
    put_how_often(b, f);
    put_steps(b, &a, f);
    if (b->finding->triage) {
        bug_put_reduction(b, &a, f);
    }
    bug_put_regression(b, &a, f);
    bug_put_kernel(b, f);
    put_files(b, f);
    arena_free(&a);
}

/* The document is made in memory, with either environment's words, and put in those of the case's. */
void bug_put_report(const struct bug *b, FILE *f)
{
    char *text = NULL;
    size_t n_bytes = 0;
    FILE *const memory = open_memstream(&text, &n_bytes);
    if (!memory) {
        put_all(b, f);
        return;
    }
    put_all(b, memory);
    if (fclose(memory) == 0) {
        bug_put_words(b->tc->env, text, f);
    }
    free(text);
}
