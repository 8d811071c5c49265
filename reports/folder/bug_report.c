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
#include "reports/folder/bug_words.h"
#include "reports/model/markdown.h"
#include "reports/model/version_history.h"

#define HISTORY_BYTES ((size_t)64 << 10)
enum {
    MAX_LOG_BYTES = 4096,
    MAX_SHOWN_WORDS = 8,
    MAX_SHOWN_STEPS = 16
};

/* "- name: text", where there is a text. */
static void put_item(const char *name, const char *text, FILE *f)
{
    if (bug_is_given(text)) {
        (void)fprintf(f, "- %s: ", name);
        markdown_put_text(text, f);
        (void)fprintf(f, "\n");
    }
}

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

static bool is_class(const struct campaign_finding *x, enum case_class class)
{
    return x->class && strcmp(x->class, case_class_names[class]) == 0;
}

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
    const struct campaign_finding *const x = b->finding;
    const struct testcase *const tc = b->tc;
    bool const is_illegal = is_class(x, CLASS_ILLEGAL);
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
    (void)fprintf(f,
                  "\n\nThe test is %s %s kernel (%s), run by %" PRIu32 " x %" PRIu32 " x %" PRIu32
                  " work-items in work-groups of %" PRIu32 " x %" PRIu32 " x %" PRIu32 "%s.",
                  is_illegal ? "an invalid" : "a valid", name_api(b), describe_size(tc, a),
                  tc->global[0], tc->global[1], tc->global[2], tc->local[0], tc->local[1],
                  tc->local[2], describe_dispatches(tc, a));
    if (is_illegal) {
        (void)fprintf(f, " The kernel breaks a rule of the specifications on purpose. A driver may "
                         "refuse it.");
    } else if (is_class(x, CLASS_UNADVERTISED)) {
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
    };
    char value[512];
    (void)fprintf(f, "## System information\n\n");
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (facts_get(bug_get_facts(b), rows[i].key, value, sizeof value)) {
            put_item(rows[i].name, value, f);
        }
    }
    if (facts_get(bug_get_facts(b), "target.values", value, sizeof value)) {
        (void)fprintf(f, "- GPU: none. Mesa's drm-shim stands for it, and the ids of vendor and "
                         "device are those "
                         "of the shim\n");
    }
    if (bug_is_given(b->generator)) {
        (void)fprintf(f, "- Found by: ");
        markdown_put_text(b->generator, f);
        (void)fprintf(f, ". halfulp generates random kernels, runs them, and compares each result "
                         "with what the specifications permit\n");
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
        (void)fprintf(f, ", and in %" PRIu32 " of %" PRIu32 " with the machine loaded",
                      t->n_loaded_shown, t->n_loaded_runs);
    }
    (void)fprintf(f, ".%s\n\n",
                  t->is_flaky
                      ? " The bug does not show in each run: `host` runs the kernel again until it "
                        "does."
                      : "");
}

/* Put in how many reruns the bug was seen, then what the search says of it (n findings in n_cases kernels). A kernel
 * may have several wrong values, each of which is a finding, but it ends once. Both numbers are therefore told of a
 * bug of values, and only the number of kernels of any other bug. n_cases 0: kernels were not counted, and the
 * number of findings is told. */
static void put_how_often(const struct bug *b, FILE *f)
{
    const struct campaign_triage *const t = b->finding->triage;
    bool const is_of_values = b->ob->status == RUN_DONE;
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
    if (is_of_values && b->n_expect > 0 && n_cases > 0) {
        (void)fprintf(f,
                      "The campaign found the bug in %" PRIu64 " random kernel%s, with %" PRIu64
                      " wrong value%s in total.\n\n",
                      n_cases, n_cases == 1 ? "" : "s", n, n == 1 ? "" : "s");
    } else if (is_of_values && b->n_expect > 0) {
        (void)fprintf(f,
                      "The campaign found %" PRIu64
                      " wrong value%s of this kind, in this kernel and "
                      "in others.\n\n",
                      n, n == 1 ? "" : "s");
    } else if (n_cases > 0) {
        (void)fprintf(f, "The campaign found the bug in %" PRIu64 " random kernel%s.\n\n", n_cases,
                      n_cases == 1 ? "" : "s");
    } else {
        (void)fprintf(f, "The campaign found the bug %" PRIu64 " time%s.\n\n", n,
                      n == 1 ? "" : "s");
    }
}

/* ---- expected and observed ---- */

/* Put one row: whose word it is, of which operands, where, what it may hold and what it holds. */
static void put_word(const struct bug *b, uint32_t i, bool has_operands, struct arena *a, FILE *f)
{
    const struct expect *const x = &b->expect[i];
    uint64_t got = 0;
    const char *cells[5];
    size_t n = 0;
    bool const is_there = bug_get_word(b, x, &got);
    if (b->word) {
        cells[n++] = arena_printf(a, "%" PRIu32, b->word[i].invocation);
    }
    if (has_operands) {
        cells[n++] = bug_show_operands(b, i, a);
    }
    cells[n++] = arena_printf(a, "buffer %" PRIu32 ", byte %" PRIu32, x->buf, x->byte);
    cells[n++] = bug_get_permitted(b, x, a);
    cells[n++] = is_there ? bug_get_value(b, x, got, a) : "not read";
    for (size_t k = 0; k < n; k++) {
        (void)fprintf(f, "| ");
        markdown_put_text(cells[k], f);
        (void)fprintf(f, " ");
    }
    (void)fprintf(f, "|\n");
}

static void put_words(const struct bug *b, struct arena *a, FILE *f)
{
    bool has_operands = false;
    for (uint32_t i = 0; b->word && i < b->n_expect; i++) {
        has_operands |= b->word[i].n_operands > 0;
    }
    (void)fprintf(f, "%s%s| where | expected | observed |\n", b->word ? "| work-item " : "",
                  has_operands ? "| operands " : "");
    (void)fprintf(f, "%s%s| --- | --- | --- |\n", b->word ? "| ---: " : "",
                  has_operands ? "| --- " : "");
    for (uint32_t i = 0; i < b->n_expect && i < MAX_SHOWN_WORDS; i++) {
        put_word(b, i, has_operands, a, f);
    }
    if (b->n_expect > MAX_SHOWN_WORDS) {
        (void)fprintf(f, "\nand %" PRIu32 " more words, in `expected.h`.\n",
                      b->n_expect - MAX_SHOWN_WORDS);
    }
    (void)fprintf(f, "\n");
}

/* Put what each work-item brought to a group instruction. */
static void put_participants(const struct bug *b, struct arena *a, FILE *f)
{
    const char *const type = val_type_names[b->participants_type];
    const struct float_format *const format = bug_find_format(type);
    const char *at = b->participants ? b->participants : "";
    struct bug_participant x;
    uint32_t n = 0;
    for (; bug_take_participant(&at, &x); n++) {
        if (n == 0) {
            (void)fprintf(f, "The operands of the instruction, by the id within the group:\n\n"
                             "| id | operand |\n| ---: | --- |\n");
        }
        (void)fprintf(f, "| %" PRIu32 " | ", x.id);
        for (uint32_t i = 0; i < x.n; i++) {
            (void)fprintf(f, i > 0 ? ", " : "");
            markdown_put_text(bug_show_bits(format, bug_type_bytes(type), x.value[i], a), f);
        }
        (void)fprintf(f, " |\n");
    }
    if (n > 0) {
        (void)fprintf(f, "%s\n", strstr(at, "...") ? "\nand more.\n" : "");
    }
}

/* Put a table of the operations that found or left the value for which the counts do not agree (bug_describe_order),
 * at most MAX_SHOWN_STEPS of them. A load has no operand. */
static void put_order(const struct bug *b, struct arena *a, FILE *f)
{
    const struct expect_order *const o = b->order;
    uint64_t value = 0;
    uint32_t n = 0;
    (void)bug_describe_order(o, b->tc, b->ob, a, &value);
    (void)fprintf(f, "Observed: the operations on the location that found or left that value:\n\n"
                     "| work-item | operand | found | left | the found value is stored at |\n"
                     "| ---: | --- | --- | --- | --- |\n");
    for (uint32_t i = 0; i < o->n; i++) {
        const struct expect_step *const s = &o->step[i];
        struct expect const x = {.buf = s->buf, .byte = s->byte, .n_bytes = o->n_bytes};
        uint64_t found = 0;
        (void)bug_get_word(b, &x, &found);
        uint64_t const left = bug_get_left(o, i, found);
        if ((found == value || left == value) && n++ < MAX_SHOWN_STEPS) {
            (void)fprintf(f, "| %" PRIu32 " | ", s->invocation);
            markdown_put_text(s->op == RMW_LOAD ? "" : bug_get_value(b, &x, s->operand, a), f);
            (void)fprintf(f, " | ");
            markdown_put_text(bug_get_value(b, &x, found, a), f);
            (void)fprintf(f, " | ");
            markdown_put_text(bug_get_value(b, &x, left, a), f);
            (void)fprintf(f, " | buffer %" PRIu32 ", byte %" PRIu32 " |\n", s->buf, s->byte);
        }
    }
    (void)fprintf(f,
                  "\nExpected: in any order of the operations, each value is found as often as it "
                  "was left; the initial value (0x%" PRIx64 ") is found once more, the final value "
                  "once less. `expected.h` lists all %" PRIu32 " operations.\n\n",
                  o->initial, o->n);
}

/* Put the ids of the members of the sub-group in question. */
static void put_ids(const struct bug *b, struct arena *a, FILE *f)
{
    /* in the order of enum expect_id_column */
    static const char *const titles[EXPECT_ID_COLUMNS] = {"SubgroupId", "SubgroupLocalInvocationId",
                                                          "SubgroupSize"};
    uint32_t group = 0, n = 0;
    (void)bug_describe_ids(b->ids, b->tc, b->ob, &group, a);
    (void)fprintf(f, "Observed: the ids of the members of sub-group %" PRIu32 ":\n\n| work-item |",
                  group);
    for (int c = 0; c < EXPECT_ID_COLUMNS; c++) {
        (void)fprintf(f, " %s |", titles[c]);
    }
    (void)fprintf(f, "\n| ---: | ---: | ---: | ---: |\n");
    for (uint32_t i = 0; i < b->ids->n; i++) {
        const struct expect_id *const id = &b->ids->id[i];
        if (bug_get_id(b->ids, b->tc, b->ob, i, EXPECT_ID_GROUP) != group ||
            n++ >= MAX_SHOWN_STEPS) {
            continue;
        }
        (void)fprintf(f, "| %" PRIu32 " |", id->invocation);
        for (int c = 0; c < EXPECT_ID_COLUMNS; c++) {
            (void)fprintf(f, " %" PRIu32 " (buffer %" PRIu32 ", byte %" PRIu32 ") |",
                          bug_get_id(b->ids, b->tc, b->ob, i, (enum expect_id_column)c), id->buf[c],
                          id->byte[c]);
        }
        (void)fprintf(f, "\n");
    }
    if (n > MAX_SHOWN_STEPS) {
        (void)fprintf(f, "\nand %" PRIu32 " more, in `expected.h`.\n", n - MAX_SHOWN_STEPS);
    }
    (void)fprintf(f,
                  "\nExpected: the members of a sub-group store one SubgroupSize%s, and different "
                  "SubgroupLocalInvocationIds below it.\n\n",
                  b->ids->is_cl ? ", the number of members" : "");
}

/* Put the words of the buffers that the run has changed, for a bug of which no single word is known to be
 * wrong. At most MAX_SHOWN_WORDS, of four bytes each. */
static void put_changed_words(const struct bug *b, FILE *f)
{
    uint32_t n = 0;
    (void)fprintf(f, "Words of the buffers that the run changed:\n\n"
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
        (void)fprintf(f, "\nand %" PRIu32 " more, in `out-N.bin`.\n", n - MAX_SHOWN_WORDS);
    }
    (void)fprintf(f, "\n");
}

/* What a refusal's sentence says after its code: "_Z3fooi is missing, advertised by ..."; "" for nothing. */
static const char *get_note(const char *text)
{
    static const char mark[] = ", code ";
    const char *const code = text ? strstr(text, mark) : NULL;
    const char *const colon = code ? strstr(code, ": ") : NULL;
    return colon ? colon + 2 : "";
}

/* Put what no word shows: that there ought to have been an end, or an answer. */
static void put_end(const struct bug *b, struct arena *a, FILE *f)
{
    bool const is_refused = bug_get_kind(b) == BUG_REFUSED;
    (void)fprintf(f, "- Expected: ");
    if (is_class(b->finding, CLASS_ILLEGAL)) {
        (void)fprintf(f, "the kernel is refused by an error code, or run to its end");
    } else {
        (void)fprintf(f, "the kernel is built%s",
                      bug_get_kind(b) == BUG_MARGINS ? ", runs, and changes nothing but its buffers"
                      : is_refused                   ? ""
                                                     : " and runs to its end");
    }
    (void)fprintf(f, "\n");
    if (b->ob->status == RUN_CRASH) {
        (void)fprintf(f, "- Observed: the process dies by signal %" PRId32 " (%s)\n",
                      b->ob->driver_code, bug_name_signal(b->ob->driver_code, a));
    } else if (b->ob->status != RUN_DONE) {
        (void)fprintf(f, "- Observed: %s in phase \"%s\", code %" PRId32 "\n",
                      run_status_names[b->ob->status], run_phase_names[b->ob->phase],
                      b->ob->driver_code);
    }
    for (uint32_t i = 0; i < b->tc->n_bufs; i++) {
        if (b->ob->guard_hits >> i & 1) { /* a bit for each buffer */
            (void)fprintf(f, "- Observed: bytes just outside of buffer %" PRIu32 " have changed\n",
                          i);
        }
    }
    put_item("Why", is_refused ? get_note(b->finding->text) : "", f);
    (void)fprintf(f, "\n");
}

/* Put a crash's line as a list: pass and reason, which are in the title, then frames with semicolons between. */
static void put_frames(const char *line, struct arena *a, FILE *f)
{
    const char *text = "", *const quote = strrchr(line, '"'), *const pass = strrchr(line, '\'');
    const char *const end = quote ? quote : pass; /* of what is before the frames */
    line = end ? end + 1 + (end[1] == ' ') : line;
    for (; *line; line++) {
        text = *line == ';' ? arena_printf(a, "%s\n", text) : arena_printf(a, "%s%c", text, *line);
    }
    if (text[0]) {
        (void)fprintf(f, "The stack, innermost function first, as module+symbol or module:build "
                         "id+offset:\n\n");
        markdown_put_block(text, MAX_LOG_BYTES, f);
        (void)fprintf(f, "\n");
    }
}

/* What the finding's sentence has beside the values: "bound 4 ulp, error 7.1 ulp". */
static const char *get_bound(const struct bug *b, struct arena *a)
{
    static const char mark[] = "; bound ";
    const char *const at = b->finding->text ? strstr(b->finding->text, mark) : NULL;
    return at ? arena_printf(a, "%.*s", (int)strcspn(at + 2, ";"), at + 2) : "";
}

/* Put what ought to have come out beside what came out, and only that which is the fault; the instruction; and
 * what the driver said. */
static void put_expected(const struct bug *b, struct arena *a, FILE *f)
{
    enum bug_kind const kind = bug_get_kind(b);
    (void)fprintf(f, "### Expected and observed\n\n");
    if (kind == BUG_MARGINS || kind == BUG_DIES || kind == BUG_REFUSED) {
        put_end(b, a, f);
    }
    if (kind == BUG_DIES) {
        put_frames(b->ob->signature ? b->ob->signature : "", a, f);
    }
    if (kind == BUG_WORDS || (kind == BUG_MARGINS && b->n_expect > 0)) {
        put_words(b, a, f);
    } else if (kind == BUG_ORDER) {
        put_order(b, a, f);
    } else if (kind == BUG_IDS) {
        put_ids(b, a, f);
    } else if (kind == BUG_OUTPUTS) {
        bool const is_atomic = strncmp(b->finding->op, "Atomic", 6) == 0;
        put_item("Expected", b->finding->permitted, f);
        put_item("Observed", b->finding->got, f);
        put_item(is_atomic ? "The operation found, and its operand is" : "Operands",
                 b->finding->operands, f);
        (void)fprintf(f, "\n");
        put_changed_words(b, f);
    }
    put_participants(b, a, f);
    if (bug_is_given(b->finding->instruction)) {
        (void)fprintf(f, "The instruction in `module.spvasm`:\n\n");
        markdown_put_block(b->finding->instruction, MAX_LOG_BYTES, f);
        (void)fprintf(f, "\n");
    }
    if (bug_is_given(b->ob->log) && (kind == BUG_DIES || kind == BUG_REFUSED)) {
        (void)fprintf(f, "The driver's log:\n\n");
        markdown_put_block(b->ob->log, MAX_LOG_BYTES, f);
        (void)fprintf(f, "\n");
    }
}

/* Put why the driver has to accept the kernel, and run it. */
static void put_validity(const struct bug *b, FILE *f)
{
    if (is_class(b->finding, CLASS_ILLEGAL)) {
        return;
    }
    (void)fprintf(f, "The kernel is valid. %s",
                  b->is_validated ? "`spirv-val` accepts its SPIR-V for the environment. " : "");
    bug_put_listed(b, f);
}

/* Put the rule that is broken, in words and with the sections that have it. */
static void put_rule(const struct bug *b, struct arena *a, FILE *f)
{
    const char *const rule = b->clause_rule ? b->clause_rule : "";
    bool const is_lower = rule[0] >= 'a' && rule[0] <= 'z';
    (void)fprintf(f, "### Rule\n\n");
    if (is_lower) {
        (void)fputc(rule[0] - 'a' + 'A', f);
    }
    markdown_put_text(rule + is_lower, f);
    (void)fprintf(f, ":\n\n");
    bool const is_refused = bug_get_kind(b) == BUG_REFUSED, is_end = bug_get_kind(b) == BUG_DIES;
    if (is_refused || is_end) {
        put_validity(b, f);
    }
    if (!is_end || b->ob->phase != PHASE_BUILD) { /* no sentence speaks of compilers that die */
        bug_put_sentences(b, f);
    }
    if (strcmp(b->finding->verdict, verdict_rows[VERDICT_ULP].name) == 0) {
        put_item("Here", get_bound(b, a), f);
        (void)fprintf(f, "\n");
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
                  "its loader. `./host` prints each wrong value. The exit status is 1 if the bug "
                  "is there, 0 if not, and 2 if the kernel could not be run.\n",
                  name_api(b));
    (void)fprintf(f,
                  "2. To choose the driver: `make run DRIVER=FILE` uses a driver that the loader "
                  "does not find by itself (%s); `LIBRARIES=FOLDER` is the folder of its "
                  "libraries. `make info` lists the devices, and `make run DEVICE=NAME` uses "
                  "another device.",
                  is_vk ? "its .json" : "its .icd or library");
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

/* ---- what else is known ---- */

/* What a switch of the driver's compiler makes of the bug. */
enum switch_outcome {
    SWITCH_PASSES,
    SWITCH_SHOWS,
    SWITCH_ELSEWHERE, /* the same verdict, another bug */
    SWITCH_OPEN
};

/* Put what triage found out besides: a fault that would explain what is wrong, what goes wrong before it, the
 * smallest change that makes the case pass, and how small the case has become, by whom. */
static void put_reduction(const struct bug *b, struct arena *a, FILE *f)
{
    const struct campaign_triage *const t = b->finding->triage;
    struct bug_cause const cause = bug_find_cause(t->cause, a);
    if (cause.sentence[0] && cause.is_whole) {
        (void)fprintf(f, "### What would explain it\n\nAll wrong values of this kernel are as if ");
        markdown_put_text(cause.sentence, f);
        (void)fprintf(f, ". This is a hypothesis.\n\n");
    }
    if (bug_is_given(t->first_wrong)) {
        (void)fprintf(f, "### What goes wrong first\n\nA second run stored every intermediate "
                         "value. The first wrong one: ");
        markdown_put_text(t->first_wrong, f);
        (void)fprintf(f, "\n\n");
    }
    (void)fprintf(f, "### What makes it pass\n\n");
    if (bug_is_given(t->variant)) {
        (void)fprintf(f, "The same kernel passes ");
        markdown_put_text(t->variant, f);
        (void)fprintf(f, ".\n\n");
    } else if (t->is_cut) {
        (void)fprintf(f, "Not known: the time ended before all changes were tried.\n\n");
    } else if (t->n_shown + t->n_loaded_shown == 0) {
        (void)fprintf(f, "No change was tried, as the bug did not show again.\n\n");
    } else if (bug_is_given(b->tried)) {
        (void)fprintf(f, "Nothing that was tried. The bug is still there: ");
        markdown_put_text(b->tried, f);
        (void)fprintf(f, ".\n\n");
    } else {
        (void)fprintf(f, "Nothing: none of the changes that halfulp tries applies to this "
                         "kernel.\n\n");
    }
    if (t->n_before > 0 && t->n_after >= t->n_before) {
        (void)fprintf(f,
                      "The kernel could not be reduced. It has %" PRIu32
                      " instructions more than an empty kernel.\n\n",
                      t->n_before);
    } else if (t->n_before > 0) {
        (void)fprintf(f,
                      "The kernel was reduced from %" PRIu32 " to %" PRIu32
                      " instructions, not counting those of an empty kernel",
                      t->n_before, t->n_after);
        if (bug_is_given(t->smallest)) {
            (void)fprintf(f, ", by ");
            markdown_put_text(t->smallest, f);
        }
        (void)fprintf(f, ".\n\n");
    }
}

/* Put the switches of the compiler with which the case has an outcome, as a sentence: "It passes with `A`, `B`."; nothing
 * where there are none. */
static void put_switches_of(const struct campaign_triage *t, const char *verdict,
                            enum switch_outcome outcome, const char *sentence, FILE *f)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->n_matrix; i++) {
        const struct matrix_row *const row = &t->matrix[i];
        enum switch_outcome const own = campaign_row_passes(row)                ? SWITCH_PASSES
                                        : row->n_shown > 0                      ? SWITCH_SHOWS
                                        : campaign_row_is_another(row, verdict) ? SWITCH_ELSEWHERE
                                                                                : SWITCH_OPEN;
        if (row->with[0] && own == outcome) {
            (void)fprintf(f, "%s`%s`", n++ == 0 ? sentence : ", ", row->with);
        }
    }
    (void)fprintf(f, n > 0 ? ".\n" : "");
}

/* Put what each switch of the driver's compiler changes. */
static void put_switches(const struct campaign_triage *t, const char *verdict, FILE *f)
{
    bool const is_crash = strcmp(verdict, verdict_rows[VERDICT_CRASH].name) == 0;
    uint32_t n_tried = 0;
    for (uint32_t i = 0; i < t->n_matrix; i++) {
        n_tried += t->matrix[i].with[0] != 0;
    }
    put_switches_of(t, verdict, SWITCH_PASSES, "The kernel passes with ", f);
    put_switches_of(t, verdict, SWITCH_SHOWS, "The bug is still there with ", f);
    put_switches_of(t, verdict, SWITCH_ELSEWHERE,
                    is_crash ? "The driver crashes elsewhere with " : "Another bug shows with ", f);
    if (n_tried > 0) {
        (void)fprintf(f, "%s\n", t->is_cut ? "There was no time for further switches.\n" : "");
    }
}

/* Is there a row of a run? */
static bool is_run_elsewhere(const struct campaign_triage *t)
{
    bool is_any = false;
    for (uint32_t i = 0; t && i < t->n_matrix; i++) {
        is_any |= t->matrix[i].n_runs > 0;
    }
    return is_any;
}

/* What became of the case there. */
static const char *describe_row(const struct matrix_row *row, const char *verdict, struct arena *a)
{
    bool const is_alike = campaign_row_is_another(row, verdict);
    bool const is_open = strcmp(row->verdict, verdict_rows[VERDICT_INCONCLUSIVE].name) == 0;
    return row->n_shown > 0           ? "this bug"
           : is_open                  ? "inconclusive"
           : campaign_row_passes(row) ? "passes"
           : is_alike                 ? arena_printf(a, "another %s", verdict)
                                      : arena_printf(a, "another bug (%s)", row->verdict);
}

/* Put what a row that passes does not tell: a compiler that computes an instruction of constants does not show what the
 * instruction gives when it runs. */
static void put_folding(const struct bug *b, struct arena *a, FILE *f)
{
    const struct campaign_triage *const t = b->finding->triage;
    uint32_t n_passed = 0;
    for (uint32_t i = 0; i < t->n_matrix; i++) {
        n_passed += campaign_row_passes(&t->matrix[i]) &&
                    strcmp(t->matrix[i].verdict, verdict_rows[VERDICT_BUILT].name) != 0;
    }
    if (n_passed > 0 && b->ob->status == RUN_DONE &&
        bug_is_of_constants(b->tc, b->finding->op, a)) {
        (void)fprintf(f, "\nAll operands of ");
        markdown_put_text(b->finding->op, f);
        (void)fprintf(
            f, " are constants here. A compiler may compute the instruction itself, and such a "
               "driver passes. It may still have the bug where the operands are loaded.\n");
    }
}

/* "a, b" */
static const char *add_name(const char *all, const char *name, struct arena *a)
{
    return arena_printf(a, "%s%s%s", all, all[0] ? ", " : "", name);
}

static void put_names(const char *what, const char *names, FILE *f)
{
    if (names[0]) {
        (void)fprintf(f, "\n%s: ", what);
        markdown_put_text(names, f);
        (void)fprintf(f, ".\n");
    }
}

/* Put what the same case does on every other target that was at hand, which shows since which version the bug is
 * there, and with switches, which show where in the compiler. Rows without runs and those of compilers alone, which
 * run nothing, are not in the table: sentences below it name them. */
static void put_regression(const struct bug *b, struct arena *a, FILE *f)
{
    const struct campaign_triage *const t = b->finding->triage;
    const char *const verdict = b->finding->verdict ? b->finding->verdict : "";
    (void)fprintf(f, "## Regression\n\n");
    if (!is_run_elsewhere(t)) {
        (void)fprintf(f, "Not known: the kernel was run on no other driver.\n\n");
        return;
    }
    put_switches(t, verdict, f);
    (void)fprintf(f,
                  "The same kernel on each driver that was at hand (`target` is halfulp's name of "
                  "it):\n\n"
                  "| target | driver | with | result | shows the bug in |\n"
                  "| --- | --- | --- | --- | --- |\n");
    uint32_t n_no_time = 0;
    const char *built = "", *not_listed = "", *not_run = "";
    for (uint32_t i = 0; i < t->n_matrix; i++) {
        const struct matrix_row *const row = &t->matrix[i];
        if (row->n_runs == 0) {
            bool const is_late = strcmp(row->verdict, MATRIX_NO_TIME) == 0;
            bool const is_unlisted = strcmp(row->verdict, MATRIX_NOT_LISTED) == 0;
            n_no_time += is_late;
            not_listed = is_unlisted ? add_name(not_listed, row->target, a) : not_listed;
            not_run = is_unlisted || is_late ? not_run : add_name(not_run, row->target, a);
            continue;
        }
        if (strcmp(row->verdict, verdict_rows[VERDICT_BUILT].name) == 0) {
            built = add_name(built, row->target, a);
            continue;
        }
        (void)fprintf(f, "| ");
        markdown_put_text(row->target, f);
        (void)fprintf(f, " | ");
        markdown_put_text(row->version, f);
        (void)fprintf(f, " | ");
        markdown_put_text(row->with, f);
        (void)fprintf(f, " | ");
        markdown_put_text(describe_row(row, verdict, a), f);
        (void)fprintf(f, " | %" PRIu32 " of %" PRIu32 " runs |\n", row->n_shown, row->n_runs);
    }
    put_names("Compilers without a device accept the kernel, and give no values", built, f);
    put_names("These do not list what the kernel needs", not_listed, f);
    put_names("These could not be started, or cannot run it", not_run, f);
    if (n_no_time > 0) {
        (void)fprintf(f, "\nThere was no time for %" PRIu32 " more.\n", n_no_time);
    }
    put_folding(b, a, f);
    (void)fprintf(f, "\n");
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
    (void)fprintf(f,
                  "- `case.json`: sizes, needs and options; `case.bin`: the same, read by halfulp\n"
                  "- `facts.txt`, `log.txt`: what the device reports, and the driver's log\n");
}

static void put_all(const struct bug *b, FILE *f)
{
    struct arena a;
    arena_init(&a, (size_t)16 << 20);
    put_summary(b, &a, f);
    put_system(b, f);
    (void)fprintf(f, "## Describe the issue\n\n");
    put_expected(b, &a, f);
    if (bug_is_given(b->figures)) {
        markdown_put_text(b->figures, f);
        (void)fputs("\n\n", f);
    }
    bug_put_program(b, f);
    put_rule(b, &a, f);
    put_how_often(b, f);
    put_steps(b, &a, f);
    if (b->finding->triage) {
        put_reduction(b, &a, f);
    }
    put_regression(b, &a, f);
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
