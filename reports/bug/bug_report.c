/* reports/bug/bug_report.c -- report.md: a bug in the form that the trackers of drivers ask for. Mesa's
 * template has System information, Describe the issue (what is done, expected and seen, how often),
 * Regression, Log files; those of PoCL and of Intel's compilers ask for the same and a reproducer. */
#include "reports/bug/bug_report.h"

#include <inttypes.h>
#include <string.h>

#include "base/caps.h"
#include "base/testcase.h"
#include "fuzz/journal/journal_load.h"
#include "reports/bug/bug_compiler.h"
#include "reports/bug/bug_facts.h"
#include "reports/model/markdown.h"
#include "reports/model/version_history.h"

#define HISTORY_BYTES ((size_t)64 << 10)
enum {
    MAX_LOG_BYTES = 4096,
    MAX_SOURCE_BYTES = 16384,
    MAX_SHOWN_WORDS = 24
};

static int is_given(const char *text)
{
    return text && text[0] && strcmp(text, "-") != 0;
}

/* "- name: text", where there is a text. */
static void put_item(const char *name, const char *text, FILE *f)
{
    if (is_given(text)) {
        (void)fprintf(f, "- %s: ", name);
        markdown_put_text(text, f);
        (void)fprintf(f, "\n");
    }
}

static const char *name_api(const struct bug *b)
{
    return b->tc->env == ENV_VK ? "Vulkan" : "OpenCL";
}

/* ---- in two sentences ---- */

/* Put what the kernel does wrong, as the end of a sentence that began with the kernel. */
static void put_what(const struct bug *b, FILE *f)
{
    const struct campaign_finding *const x = b->finding;
    switch (bug_get_kind(b)) {
    case BUG_WORDS:
    case BUG_OUTPUTS:
        (void)fprintf(f, "leaves a result in memory that no rule permits");
        break;
    case BUG_MARGINS:
        (void)fprintf(f, "writes bytes outside of the buffers that it was given");
        break;
    case BUG_DIES:
        (void)fprintf(f, "does not bring the run to its end (");
        markdown_put_text(x->verdict, f);
        (void)fprintf(f, ")");
        break;
    case BUG_REFUSED:
        (void)fprintf(f, "is refused although the device lists all that it needs");
        break;
    }
}

static bool is_class(const struct campaign_finding *x, enum case_class class)
{
    return x->class && strcmp(x->class, case_class_names[class]) == 0;
}

/* Put the title and the first paragraph: which kernel does what. A case that breaks a rule, or of a
 * feature that the device does not list, is told as such. */
static void put_summary(const struct bug *b, struct arena *a, FILE *f)
{
    const struct campaign_finding *const x = b->finding;
    (void)fprintf(f, "# ");
    markdown_put_text(bug_get_title(b, a), f);
    bool const is_illegal = is_class(x, CLASS_ILLEGAL);
    (void)fprintf(f,
                  "\n\n%s %s compute kernel of %" PRIu32 " SPIR-V words, run as %" PRIu32
                  " x %" PRIu32 " x %" PRIu32 " invocations, ",
                  is_illegal ? "An invalid" : "A valid", name_api(b), b->tc->n_words,
                  b->tc->global[0], b->tc->global[1], b->tc->global[2]);
    put_what(b, f);
    (void)fprintf(f, ". ");
    if (is_given(x->text)) {
        (void)fprintf(f, "What was found: ");
        markdown_put_text(x->text, f);
    }
    (void)fprintf(f, "\n\n");
    if (is_illegal) {
        (void)fprintf(f, "The kernel breaks a rule of the specifications on purpose: a driver may "
                         "refuse it.\n\n");
    } else if (is_class(x, CLASS_UNADVERTISED)) {
        (void)fprintf(f,
                      "The kernel uses a feature that the device does not list; it took the kernel "
                      "all the same.\n\n");
    }
}

/* ---- system ---- */

/* Put what device and driver say of themselves, as far as their facts have it. */
static void put_system(const struct bug *b, FILE *f)
{
    static const struct {
        const char *name, *key;
    } rows[] = {
        {"Device",       "device"        },
        {"Vendor",       "vendor"        },
        {"Driver",       "driver"        },
        {"Platform",     "platform"      },
        {"API",          "version"       },
        {"Conformance",  "vk.conformance"},
        {"SPIR-V taken", "cl.il"         },
    };
    char value[512];
    (void)fprintf(f, "## System information\n\n");
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (facts_get(bug_get_facts(b), rows[i].key, value, sizeof value)) {
            put_item(rows[i].name, value, f);
        }
    }
    put_item("Found by", b->generator, f);
    (void)fprintf(f, "- System, kernel, devices of this machine: `make info`\n"
                     "- All that the device says of itself: `facts.txt`\n\n");
}

/* ---- the issue ---- */

static void put_triage_times(const struct campaign_triage *t, FILE *f)
{
    (void)fprintf(f, "Seen in %" PRIu32 " of %" PRIu32 " runs, each in a process of its own",
                  t->n_shown, t->n_runs);
    if (t->n_loaded_runs > 0) {
        (void)fprintf(f, ", and in %" PRIu32 " of %" PRIu32 " with the machine loaded",
                      t->n_loaded_shown, t->n_loaded_runs);
    }
    (void)fprintf(f, ".%s\n\n",
                  t->is_flaky ? " It does not show each time: `host` tries again." : "");
}

static void put_how_often(const struct bug *b, FILE *f)
{
    const struct campaign_triage *const t = b->finding->triage;
    (void)fprintf(f, "### How often\n\n");
    if (t) {
        put_triage_times(t, f);
    } else {
        (void)fprintf(f, "Seen once; it has not been run again yet.\n\n");
    }
    (void)fprintf(f, "Cases of the campaign that showed it: %" PRIu64 ".\n\n",
                  b->finding->n_in_bucket);
}

/* Put what ought to have come out: the permitted values if the finding has them, the rule with its section,
 * and the words in question. */
static void put_expected(const struct bug *b, struct arena *a, FILE *f)
{
    (void)fprintf(f, "### Expected\n\n");
    if (is_given(b->finding->permitted)) {
        put_item("Permitted", b->finding->permitted, f);
    } else {
        (void)fprintf(f, "- %s\n",
                      is_class(b->finding, CLASS_ILLEGAL)
                          ? "The kernel is refused by an error code, or run to its end."
                      : bug_get_kind(b) == BUG_WORDS || bug_get_kind(b) == BUG_OUTPUTS
                          ? "A result that the rule permits."
                          : "The run comes to its end and changes its buffers alone.");
    }
    (void)fprintf(f, "- Rule: ");
    markdown_put_text(b->clause_rule ? b->clause_rule : "", f);
    (void)fprintf(f, " (");
    markdown_put_text(b->clause_section ? b->clause_section : "", f);
    (void)fprintf(f, ")\n");
    for (uint32_t i = 0; i < b->n_expect && i < MAX_SHOWN_WORDS; i++) {
        const struct expect *const x = &b->expect[i];
        (void)fprintf(f, "- Buffer %" PRIu32 ", byte %" PRIu32 ": ", x->buf, x->byte);
        markdown_put_text(bug_get_permitted(b, x, a), f);
        (void)fprintf(f, "\n");
    }
    if (b->n_expect > MAX_SHOWN_WORDS) {
        (void)fprintf(f, "- and %" PRIu32 " more words, in `expected.h`\n",
                      b->n_expect - MAX_SHOWN_WORDS);
    }
    (void)fprintf(f, "\n");
}

static void put_actual_words(const struct bug *b, struct arena *a, FILE *f)
{
    for (uint32_t i = 0; i < b->n_expect && i < MAX_SHOWN_WORDS; i++) {
        const struct expect *const x = &b->expect[i];
        if (x->buf < b->ob->n_bufs &&
            (uint64_t)x->byte + x->n_bytes <= b->tc->bufs[x->buf].n_bytes) {
            (void)fprintf(f, "- Buffer %" PRIu32 ", byte %" PRIu32 ": ", x->buf, x->byte);
            markdown_put_text(
                bug_get_value(b, x, load_le(b->ob->out[x->buf] + x->byte, x->n_bytes), a), f);
            (void)fprintf(f, "\n");
        }
    }
}

/* Put the words of the buffers that the run has changed, for a bug of which no single word is known to be
 * wrong. At most MAX_SHOWN_WORDS, of four bytes each. */
static void put_changed_words(const struct bug *b, FILE *f)
{
    uint32_t n = 0;
    (void)fprintf(f, "- Words that the run has changed:\n\n"
                     "| buffer | byte | before | after |\n| ---: | ---: | --- | --- |\n");
    for (uint32_t i = 0; i < b->ob->n_bufs; i++) {
        const struct buf *const x = &b->tc->bufs[i];
        for (uint32_t at = 0; at + 4 <= x->n_bytes; at += 4) {
            uint64_t const before = load_le(x->data + at, 4);
            uint64_t const after = load_le(b->ob->out[i] + at, 4);
            if (before != after && n++ < MAX_SHOWN_WORDS) {
                (void)fprintf(f,
                              "| %" PRIu32 " | %" PRIu32 " | 0x%08" PRIx64 " | 0x%08" PRIx64 " |\n",
                              i, at, before, after);
            }
        }
    }
    if (n > MAX_SHOWN_WORDS) {
        (void)fprintf(f, "\nand %" PRIu32 " more, in `out-N.bin`\n", n - MAX_SHOWN_WORDS);
    }
}

/* Put what came out: result, words, how the run ended, bytes beside the buffers, and what the driver said.
 * guard_hits has a bit for each buffer. */
static void put_actual(const struct bug *b, struct arena *a, FILE *f)
{
    const struct campaign_finding *const x = b->finding;
    (void)fprintf(f, "### Actual\n\n");
    put_item("Result", x->got, f);
    put_item("Operands", x->operands, f);
    put_actual_words(b, a, f);
    if (b->ob->status != RUN_DONE) {
        (void)fprintf(f, "- Status: %s, in phase %s, code %" PRId32 "\n",
                      run_status_names[b->ob->status], run_phase_names[b->ob->phase],
                      b->ob->driver_code);
    }
    for (uint32_t i = 0; i < b->tc->n_bufs; i++) {
        if (b->ob->guard_hits >> i & 1) {
            (void)fprintf(f, "- Bytes beside buffer %" PRIu32 " have changed\n", i);
        }
    }
    put_item("Top frames", x->crash_signature, f);
    if (bug_get_kind(b) == BUG_OUTPUTS) {
        put_changed_words(b, f);
    }
    (void)fprintf(f, "\n");
    if (is_given(b->ob->log)) {
        (void)fprintf(f, "What the driver says:\n\n");
        markdown_put_block(b->ob->log, MAX_LOG_BYTES, f);
        (void)fprintf(f, "\n");
    }
    if (is_given(x->instruction)) {
        (void)fprintf(f, "### The instruction\n\n");
        markdown_put_block(x->instruction, MAX_LOG_BYTES, f);
        (void)fprintf(f, "\n");
    }
}

/* Put how to reproduce it: by host.c alone, by Amber, by the compiler alone where there is such a way, and by
 * halfulp check. */
static void put_steps(const struct bug *b, struct arena *a, FILE *f)
{
    (void)fprintf(
        f,
        "### Steps to reproduce\n\n"
        "1. `make run` in this folder: a C compiler, the headers of %s and its loader are "
        "all that is needed. `./host` prints the words in question, and its exit status is "
        "1 while the bug is there, 0 when not, 2 when it could not be run.\n"
        "2. `./host --list` names the devices, `./host NAME` runs on another one.\n",
        name_api(b));
    if (b->tc->env == ENV_VK) {
        (void)fprintf(f, "3. Or with Amber: `amber case.amber`\n");
    }
    if (bug_get_kind(b) == BUG_OUTPUTS) {
        (void)fprintf(f,
                      "\nNo single word tells of this bug: `host` says that it is there when all "
                      "outputs are, word by word, what they were when it was seen. Other outputs "
                      "may be wrong too; `halfulp check .` judges them.\n");
    }
    (void)fprintf(f, "\n");
    bug_put_compiler(b, a, f);
    (void)fprintf(f, "To look again with the oracle that found it, on this or a newer driver: "
                     "`halfulp check .`");
    if (is_given(b->finding->replay)) {
        (void)fprintf(f, "; the case as it was found:\n\n");
        markdown_put_block(b->finding->replay, MAX_LOG_BYTES, f);
    } else {
        (void)fprintf(f, "\n");
    }
    (void)fprintf(f, "\n");
}

/* ---- what else is known ---- */

/* Put what triage found out besides: the smallest change that makes the case pass, and how small the case has
 * become, by whom. */
static void put_reduction(const struct campaign_triage *t, FILE *f)
{
    if (is_given(t->cause)) {
        (void)fprintf(f, "### What would explain it\n\n");
        markdown_put_block(t->cause, MAX_LOG_BYTES, f);
        (void)fprintf(f, "\n");
    }
    if (is_given(t->first_wrong)) {
        (void)fprintf(
            f, "### What goes wrong first\n\nWith every value stored this is found instead: ");
        markdown_put_text(t->first_wrong, f);
        (void)fprintf(f, "\n\n");
    }
    (void)fprintf(f, "### The smallest change that makes it pass\n\n");
    if (is_given(t->variant)) {
        markdown_put_text(t->variant, f);
        (void)fprintf(f, "\n\n");
    } else {
        (void)fprintf(f, "None was found.\n\n");
    }
    if (t->n_before > 0) {
        (void)fprintf(f,
                      "Reduced from %" PRIu32 " to %" PRIu32
                      " instructions beyond those of an empty kernel",
                      t->n_before, t->n_after);
        if (is_given(t->smallest)) {
            (void)fprintf(f, ", by ");
            markdown_put_text(t->smallest, f);
        }
        (void)fprintf(f, ".\n\n");
    }
}

/* Put by which switches of the compiler it passes; else that none was tried, or helped. */
static void put_switches(const struct campaign_triage *t, FILE *f)
{
    uint32_t n_tried = 0, n_passed = 0;
    for (uint32_t i = 0; i < t->n_matrix; i++) {
        const struct matrix_row *const row = &t->matrix[i];
        n_tried += row->with[0] != 0;
        if (row->with[0] && campaign_row_passes(row)) {
            (void)fprintf(f, "%s`%s`", n_passed++ == 0 ? "It passes with " : ", with ", row->with);
        }
    }
    if (n_passed > 0) {
        (void)fprintf(f, ".\n\n");
    } else if (n_tried > 0) {
        (void)fprintf(f,
                      "It passes with none of %" PRIu32 " switches of the driver's compiler.\n\n",
                      n_tried);
    }
}

/* Put since which version of its driver the bug is there, where more than one is at hand. */
static void put_history(const struct bug *b, FILE *f)
{
    struct arena a;
    arena_init(&a, HISTORY_BYTES);
    const char *const text = version_history(b->finding->triage, b->target->name, &a);
    if (text[0]) {
        (void)fprintf(f, "%s\n\n", text);
    }
    arena_free(&a);
}

/* Put what the same case does on every other target that was at hand, which shows since which version the bug
 * is there, and with switches, which show where in the compiler. */
static void put_regression(const struct bug *b, FILE *f)
{
    const struct campaign_triage *const t = b->finding->triage;
    (void)fprintf(f, "## Regression\n\n");
    if (!t || t->n_matrix == 0) {
        (void)fprintf(f, "Not known: the case was run on no other target.\n\n");
        return;
    }
    put_switches(t, f);
    put_history(b, f);
    (void)fprintf(
        f, "The same case on every target that was at hand, among them other versions of "
           "the driver where there are any:\n\n"
           "| target | with | verdict | shown | runs |\n| --- | --- | --- | ---: | ---: |\n");
    for (uint32_t i = 0; i < t->n_matrix; i++) {
        const struct matrix_row *const row = &t->matrix[i];
        (void)fprintf(f, "| ");
        markdown_put_text(row->target, f);
        (void)fprintf(f, " | ");
        markdown_put_text(row->with, f);
        (void)fprintf(f, " | ");
        markdown_put_text(row->verdict, f);
        (void)fprintf(f, " | %" PRIu32 " | %" PRIu32 " |\n", row->n_shown, row->n_runs);
    }
    (void)fprintf(f, "\n");
}

static void put_source(const struct bug *b, FILE *f)
{
    if (b->tc->language == LANGUAGE_GLSL) {
        (void)fprintf(f, "## Shader\n\nGLSL 4.60, compiled by glslang:\n\n");
        markdown_put_block(b->tc->source, MAX_SOURCE_BYTES, f);
    } else if (b->tc->language == LANGUAGE_OPENCL_C) {
        (void)fprintf(f, "## Kernel\n\nOpenCL C, built with `%s`:\n\n", b->tc->build_options);
        markdown_put_block(b->tc->source, MAX_SOURCE_BYTES, f);
    }
}

static void put_files(const struct bug *b, FILE *f)
{
    int const is_run = b->ob->n_bufs > 0;
    bool const is_source = b->tc->language != LANGUAGE_SPIRV;
    (void)fprintf(f,
                  "## Attachments\n\n"
                  "%s- `module.spv`, `module.spvasm`: the kernel%s, and as text\n"
                  "%s"
                  "- `in-N.bin`%s: the bytes of buffer N before%s the run\n"
                  "- `host.c`, `expected.h`, `Makefile`: the program that shows the bug\n",
                  is_source ? "- `kernel.cl`: the kernel\n" : "",
                  is_source    ? " as SPIR-V, by which it is judged"
                  : b->planted ? ", by which it is judged"
                               : "",
                  b->planted ? "- `planted.spv`: what the driver was given, with a fault planted\n"
                             : "",
                  is_run ? ", `out-N.bin`" : "", is_run ? " and after" : "");
    if (b->tc->env == ENV_VK) {
        (void)fprintf(f, "- `case.amber`: the same for Amber\n");
    }
    (void)fprintf(f, "- `case.json`: sizes, needs and options; `case.bin`: the same for halfulp\n"
                     "- `facts.txt`, `log.txt`: what the device and the driver said\n");
}

void bug_put_report(const struct bug *b, FILE *f)
{
    struct arena a;
    arena_init(&a, (size_t)16 << 20);
    put_summary(b, &a, f);
    put_system(b, f);
    (void)fprintf(f, "## Describe the issue\n\n");
    put_actual(b, &a, f);
    put_expected(b, &a, f);
    put_source(b, f);
    put_how_often(b, f);
    put_steps(b, &a, f);
    if (b->finding->triage) {
        put_reduction(b->finding->triage, f);
    }
    put_regression(b, f);
    put_files(b, f);
    arena_free(&a);
}
