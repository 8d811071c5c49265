/* reports/folder/bug_observed.c -- what came out beside what ought to have come out. */
#include "reports/folder/bug_observed.h"

#include <inttypes.h>
#include <string.h>

#include "base/format.h"
#include "base/ops.h"
#include "base/testcase.h"
#include "oracle/tables/storage.h"
#include "oracle/tables/tables.h"
#include "reports/bug/bug_end.h"
#include "reports/bug/bug_facts.h"
#include "reports/bug/bug_ids.h"
#include "reports/bug/bug_operands.h"
#include "reports/bug/bug_order.h"
#include "reports/bug/bug_value.h"
#include "reports/model/markdown.h"

enum {
    MAX_LOG_BYTES = 3072,
    MAX_SHOWN_WORDS = 8,
    MAX_SHOWN_STEPS = 16
};

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

/* Is a zero permitted beside another number, which only a subnormal that is flushed explains? */
static bool permits_flush(const struct bug *b, const struct expect *x)
{
    const struct float_format *const format = bug_get_format(b, x);
    uint32_t n_zeros = 0, n_others = 0;
    for (uint32_t i = 0; format && i < x->n && i < EXPECT_MAX_RANGES; i++) {
        bool const is_zero = format_is_zero(format, format_from_key(format, x->r[i].lo)) &&
                             format_is_zero(format, format_from_key(format, x->r[i].hi));
        n_zeros += is_zero;
        n_others += !is_zero;
    }
    return n_zeros > 0 && n_others > 0 && !op_is_atomic(b->finding->op);
}

static void put_words(const struct bug *b, struct arena *a, FILE *f)
{
    bool has_operands = false;
    for (uint32_t i = 0; b->word && i < b->n_expect; i++) {
        has_operands |= b->word[i].n_operands > 0;
    }
    has_operands &= !bug_is_given(b->participants); /* a table of their own */
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
    if (b->n_expect > 0 && permits_flush(b, &b->expect[0])) {
        (void)fprintf(f,
                      "\nA zero is permitted because the device may flush subnormal numbers: the "
                      "module does not ask to preserve them.\n");
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

static const char *describe_status(enum run_status status)
{
    return status == RUN_REJECT        ? "the driver refuses the kernel"
           : status == RUN_HANG        ? "no answer within the time limit"
           : status == RUN_EXIT        ? "the driver ends the process"
           : status == RUN_DEVICE_LOST ? "the device is lost"
                                       : run_status_names[status];
}

/* Put what no word shows: that there ought to have been an end, or an answer. */
static void put_end(const struct bug *b, struct arena *a, FILE *f)
{
    bool const is_refused = bug_get_kind(b) == BUG_REFUSED;
    (void)fprintf(f, "- Expected: ");
    if (bug_is_of_class(b, CLASS_ILLEGAL)) {
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
                      describe_status(b->ob->status), run_phase_names[b->ob->phase],
                      b->ob->driver_code);
    }
    for (uint32_t i = 0; i < b->tc->n_bufs; i++) {
        if (b->ob->guard_hits >> i & 1) { /* a bit for each buffer */
            (void)fprintf(f, "- Observed: bytes just outside of buffer %" PRIu32 " have changed\n",
                          i);
        }
    }
    markdown_put_item("Why", is_refused ? get_note(b->finding->text) : "", f);
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

/* Put what ought to have come out beside what came out, and only that which is the fault; the instruction; and
 * what the driver said. */
void bug_put_observed(const struct bug *b, struct arena *a, FILE *f)
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
        bool const is_atomic = op_is_atomic(b->finding->op);
        markdown_put_item("Expected", b->finding->permitted, f);
        markdown_put_item("Observed", b->finding->got, f);
        markdown_put_item(is_atomic ? "The operation found, and its operand is" : "Operands",
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
