/* fuzz/io/show.c -- a judgement for people and as JSON. */
#include "fuzz/io/show.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "base/ops.h"
#include "base/printable.h"
#include "base/testcase.h"
#include "fuzz/io/spirv.h"
#include "oracle/judgement/judgement.h"
#include "oracle/tables/quote.h"
#include "oracle/tables/storage.h"
#include "oracle/tables/tables.h"

enum {
    SHOW_LOG_BYTES = 2000
};

/* The line of the instruction at word `offset` of the module, out of its disassembly, "" if there is none. It
 * is found by the byte offset that SPIRV-Tools writes after each line, "%5 = OpFAdd ... ; 0x000001a4", and
 * given without that. Offset 0, the header, stands for no instruction. */
const char *show_instruction(const char *disassembly, uint32_t offset, struct arena *a)
{
    char mark[24];
    (void)snprintf(mark, sizeof(mark), "; 0x%08" PRIx32, offset * (uint32_t)sizeof(uint32_t));
    const char *at = disassembly && offset > 0 ? strstr(disassembly, mark) : NULL;
    if (!at) {
        return "";
    }
    const char *start = at;
    while (start > disassembly && start[-1] != '\n') {
        start--;
    }
    while (*start == ' ') {
        start++;
    }
    while (at > start && at[-1] == ' ') {
        at--;
    }
    const char *line = arena_copy(a, start, (size_t)(at - start));
    return line ? line : "";
}

/* A value as text for people: a float as format_to_text gives it, anything else in hex and decimal. */
const char *show_value(enum val_type type, uint64_t value, struct arena *a)
{
    char buf[64]; /* more than the longest text of a binary64 */
    switch (type) {
    case VT_F16:
    case VT_F16X2: /* of a vector, the value is that of one component */
    case VT_F16X4:
        return arena_printf(a, "%s", format_to_text(&float_formats[FMT_F16], value, buf, 64));
    case VT_BF16:
        return arena_printf(a, "%s", format_to_text(&float_formats[FMT_BF16], value, buf, 64));
    case VT_F32:
        return arena_printf(a, "%s", format_to_text(&float_formats[FMT_F32], value, buf, 64));
    case VT_F64:
        return arena_printf(a, "%s", format_to_text(&float_formats[FMT_F64], value, buf, 64));
    case VT_NONE:
    case VT_I32:
    case VT_I64:
    case VT_I8:
    case VT_I16:
    case VT_BOOL:
        return arena_printf(a, "0x%" PRIx64 " (%" PRIu64 ")", value, value);
    }
    assert(0 && "val_type out of range");
    return "";
}

const char *show_got(const struct finding *f, struct arena *a)
{
    return f->has_got ? show_value(f->got_type ? f->got_type : f->type, f->got, a) : "";
}

const char *show_operands(const struct finding *f, struct arena *a)
{
    const char *text = "";
    for (uint32_t i = 0; i < f->n_operands && i < ARRAY_N(f->operand); i++) {
        enum val_type const type = f->operand_type[i] ? f->operand_type[i] : f->type;
        text = arena_printf(a, "%s%s%s", text, i ? ", " : "", show_value(type, f->operand[i], a));
    }
    return text;
}

static const char *op_name(int op)
{
    return op >= 0 ? op_rows[op].name : "-";
}

/* Print the sentences that the finding breaks. */
static void show_quotes(const struct finding *f, const struct testcase *tc,
                        const struct observation *ob, struct arena *a, FILE *out)
{
    struct quote quotes[QUOTE_MAX];
    struct quote_query const query =
        quote_make_query(f->clause, tc, ob->facts ? ob->facts : "",
                         f->op >= 0 ? op_rows[f->op].name : "", val_type_names[f->type], a);
    uint32_t const n = quote_find(&query, quotes);
    for (uint32_t i = 0; i < n; i++) {
        printable_print(out, "  quoted       \"%s\" -- %s <%s>\n", quotes[i].text,
                        quote_get_place(&quotes[i], a), quote_get_link(&quotes[i], a));
    }
}

/* Print one finding: verdict and signature, the sentence, then what is known of instruction, operands,
 * result, what was permitted, and the clause that says so. */
static void show_finding(const struct finding *f, const struct testcase *tc,
                         const struct observation *ob, const char *disassembly, struct arena *a,
                         FILE *out)
{
    printable_print(out, "%s: %s\n", verdict_rows[f->kind].name,
                    printable_copy_line(a, signature_of(f, ob, a).text));
    printable_print(out, "  %s\n", f->text);
    const char *line = show_instruction(disassembly, f->offset, a);
    if (line[0]) {
        printable_print(out, "  instruction  %s (word %" PRIu32 ", invocation %" PRIu32 ")\n", line,
                        f->offset, f->invocation);
    }
    if (f->n_operands) {
        printable_print(out, "  operands     %s\n", show_operands(f, a));
    }
    if (f->has_got) {
        printable_print(out, "  result       %s\n", show_got(f, a));
    }
    if (f->permitted[0]) {
        printable_print(out, "  permitted    %s\n", f->permitted);
    }
    printable_print(out, "  clause       %s: %s (%s)\n", clause_rows[f->clause].id,
                    clause_rows[f->clause].text, clause_rows[f->clause].code);
    show_quotes(f, tc, ob, a, out);
}

/* Print a judgement for people: the verdict, how the run ended, how many values were judged how sharply, and
 * each finding. A judgement holds JUDGE_MAX_FINDINGS at most (n_findings) of those that were found (n_found). */
void show_judgement(const struct testcase *tc, const struct observation *ob,
                    const struct judgement *g, struct arena *a, FILE *f)
{
    printable_print(f, "verdict: %s (%s)\n", judgement_describe(g, a), verdict_rows[g->kind].text);
    printable_print(f, "run: %s", run_status_names[ob->status]);
    if (ob->status != RUN_DONE) {
        printable_print(f, " in phase %s, code %" PRId32, run_phase_names[ob->phase],
                        ob->driver_code);
    }
    printable_print(f,
                    "\nvalues judged: %" PRIu32 ", sharp %" PRIu32 ", anything %" PRIu32
                    ", bounded %" PRIu32 ", inconclusive %" PRIu32 "\n",
                    g->n_judged, g->n_sharp, g->n_anything, g->n_bounded, g->n_inconclusive);
    if (g->n_reductions || g->n_partial) {
        printable_print(f,
                        "float reductions judged: %" PRIu32 ", by the bound alone %" PRIu32
                        "; group instructions under a partial mask: %" PRIu32 "\n",
                        g->n_reductions, g->n_reductions_bounded, g->n_partial);
    }
    if (g->note && g->note[0]) {
        printable_print(f, "note: %s\n", g->note);
    }
    if (ob->log && ob->log[0]) {
        printable_print(f, "log: ");
        printable_put(f, ob->log, SHOW_LOG_BYTES);
        (void)fputc('\n', f);
    }
    const char *disassembly =
        g->n_findings ? spirv_disassemble(tc->module, tc->n_words, SPIRV_FOR_PEOPLE, a) : NULL;
    for (uint32_t i = 0; i < g->n_findings; i++) {
        show_finding(&g->findings[i], tc, ob, disassembly, a, f);
    }
    if (g->n_found > g->n_findings) {
        printable_print(f, "and %" PRIu32 " more\n", g->n_found - g->n_findings);
    }
}

/* A finding as JSON, with all that show_finding prints. */
static struct json *finding_to_json(const struct finding *f, const struct observation *ob,
                                    const char *disassembly, struct arena *a)
{
    struct json *o = json_new_object();
    json_put_text(o, "verdict", verdict_rows[f->kind].name);
    json_put_bool(o, "violation", verdict_rows[f->kind].part == PART_VIOLATION);
    json_put_text(o, "clause", clause_rows[f->clause].id);
    json_put_text(o, "signature", signature_of(f, ob, a).text);
    json_put_text(o, "op", op_name(f->op));
    json_put_text(o, "type", val_type_names[f->type]);
    json_put_text(o, "storage", storage_names[f->storage]);
    json_put_number(o, "offset", f->offset);
    json_put_number(o, "invocation", f->invocation);
    json_put_text(o, "instruction", show_instruction(disassembly, f->offset, a));
    json_put_text(o, "operands", show_operands(f, a));
    json_put_text(o, "result", show_got(f, a));
    json_put_text(o, "permitted", f->permitted);
    json_put_text(o, "text", f->text);
    return o;
}

/* A judgement as JSON, with all that show_judgement prints but the log; to be freed by the caller. */
struct json *show_judgement_json(const struct testcase *tc, const struct observation *ob,
                                 const struct judgement *g, struct arena *a)
{
    struct json *o = json_new_object();
    json_put_text(o, "verdict", verdict_rows[g->kind].name);
    json_put_bool(o, "violation", verdict_rows[g->kind].part == PART_VIOLATION);
    json_put_text(o, "status", run_status_names[ob->status]);
    json_put_number(o, "judged", g->n_judged);
    json_put_number(o, "sharp", g->n_sharp);
    json_put_number(o, "anything", g->n_anything);
    json_put_number(o, "confined", g->n_judged - g->n_anything);
    json_put_text(o, "confinement", judgement_describe_confinement(g, a));
    json_put_bool(o, "open", judgement_is_open(g));
    json_put_number(o, "bounded", g->n_bounded);
    json_put_number(o, "inconclusive", g->n_inconclusive);
    json_put_number(o, "reductions", g->n_reductions);
    json_put_number(o, "reductions_bounded", g->n_reductions_bounded);
    json_put_number(o, "partial", g->n_partial);
    json_put_text(o, "note", g->note ? g->note : "");
    const char *disassembly =
        g->n_findings ? spirv_disassemble(tc->module, tc->n_words, SPIRV_FOR_PEOPLE, a) : NULL;
    struct json *list = json_new_array();
    for (uint32_t i = 0; i < g->n_findings; i++) {
        json_push(list, finding_to_json(&g->findings[i], ob, disassembly, a));
    }
    json_put(o, "findings", list);
    return o;
}
