/* fuzz/execute/trace_print.c -- a trace of NIR as text. */
#include "fuzz/execute/trace_print.h"

#include <inttypes.h>
#include <string.h>

#include "oracle/nir_text/nir_op.h"

enum {
    LINE_CHARS = 96 /* of a line of the text that are shown */
};

/* Line number n of the text, from 1 on, without blanks around it, and how many characters it has. */
static const char *find_line(const char *text, uint32_t n, size_t *n_chars)
{
    for (uint32_t i = 1; i < n && text; i++) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    const char *const begin = text ? text + strspn(text, " \t") : "";
    *n_chars = strcspn(begin, "\n");
    while (*n_chars > 0 && (begin[*n_chars - 1] == ' ' || begin[*n_chars - 1] == '\t')) {
        --*n_chars;
    }
    return begin;
}

static void put(struct bytes *b, const char *text)
{
    bytes_put(b, text, strlen(text));
}

static void put_values(const struct nir_trace_line *line, struct arena *a, struct bytes *b)
{
    for (uint32_t c = 0; c < line->n_values; c++) {
        int const n_digits = line->n_bits / 4;
        put(b, arena_printf(a, "%s0x%0*" PRIx64, c ? ", " : "  gives ", n_digits, line->values[c]));
    }
}

/* Operations whose accuracy is the chip's, each once. */
static void put_assumptions(const struct nir_trace *trace, struct bytes *b)
{
    bool is_first = true;
    for (uint32_t i = 0; i < trace->n; i++) {
        bool is_new = trace->lines[i].is_hardware;
        for (uint32_t k = 0; k < i; k++) {
            is_new &= !trace->lines[k].is_hardware || trace->lines[k].name != trace->lines[i].name;
        }
        if (is_new) {
            put(b, is_first ? "Assumed to be correctly rounded by the chip: " : ", ");
            put(b, nir_op_rows[trace->lines[i].name].name);
            is_first = false;
        }
    }
    put(b, is_first ? "" : "\n");
}

const char *trace_print(const char *text, const struct nir_trace *trace, struct arena *a)
{
    struct bytes b;
    bytes_init(&b, a);
    put(&b, arena_printf(a, "Final NIR, work-group %u %u %u, invocation %u of it:\n",
                         trace->group[0], trace->group[1], trace->group[2], trace->invocation));
    put(&b, trace->is_cut ? "...\n" : "");
    for (uint32_t i = 0; i < trace->n; i++) {
        size_t n = 0;
        const char *const line = find_line(text, trace->lines[i].line, &n);
        put(&b, arena_printf(a, "%5u  %.*s", trace->lines[i].line,
                             (int)(n < LINE_CHARS ? n : LINE_CHARS), line));
        put_values(&trace->lines[i], a, &b);
        put(&b, "\n");
    }
    put_assumptions(trace, &b);
    bytes_put(&b, "", 1);
    return b.ok ? (const char *)b.p : "";
}
