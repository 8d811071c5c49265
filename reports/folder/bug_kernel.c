/* reports/folder/bug_kernel.c -- the kernel of a bug in its report. */
#include "reports/folder/bug_kernel.h"

#include <inttypes.h>
#include <string.h>

#include "base/testcase.h"
#include "reports/bug/bug_facts.h"
#include "reports/model/markdown.h"

enum {
    MAX_BYTES = 16384,
    MAX_LINES = 100, /* of a text that is shown whole */
    LINES_BEFORE = 30,
    LINES_BEHIND = 10,
    LINES_OF_FUNCTION = 60
};

const char *bug_get_text(const struct bug *b)
{
    const char *const text = b->text ? b->text : b->disassembly;
    return text ? text : "";
}

/* ---- lines ---- */

static const char *get_next(const char *line)
{
    size_t const n = strcspn(line, "\n");
    return line + n + (line[n] == '\n');
}

static uint32_t count_lines(const char *text)
{
    uint32_t n = 0;
    for (; *text; text = get_next(text)) {
        n++;
    }
    return n;
}

/* The line, without the blanks before it, begins with these n bytes. */
static bool begins(const char *line, const char *with, size_t n)
{
    return strncmp(line + strspn(line, " "), with, n) == 0;
}

/* The number of the line of an instruction, which its result tells, or where it has none the whole of it; UINT32_MAX: there
 * is none. */
static uint32_t find_line(const char *text, const char *instruction)
{
    const char *const equal = strstr(instruction, " = ");
    size_t const n = equal ? (size_t)(equal - instruction) + 3 : strlen(instruction);
    uint32_t i = 0;
    for (; n > 0 && *text; text = get_next(text), i++) {
        if (begins(text, instruction, n)) {
            return i;
        }
    }
    return UINT32_MAX;
}

/* The id of the function that the module begins with, "%main", as OpEntryPoint names it; "": there is none. */
static const char *find_entry(const char *text, struct arena *a)
{
    const char *const op = strstr(text, "OpEntryPoint ");
    const char *const id = op ? strchr(op, '%') : NULL;
    return id && id < get_next(op) ? arena_printf(a, "%.*s", (int)strcspn(id, " \n"), id) : "";
}

/* The number of the line that begins the function of the entry point; 0: none does. */
static uint32_t find_function(const char *text, struct arena *a)
{
    const char *const entry = find_entry(text, a);
    size_t const n_entry = strlen(entry);
    uint32_t i = 0;
    for (; n_entry > 0 && *text; text = get_next(text), i++) {
        const char *const op = strstr(text, "OpFunction ");
        if (op && op < get_next(text) && begins(text, entry, n_entry)) {
            return i;
        }
    }
    return 0;
}

/* ---- the text of the module ---- */

/* Put n lines from line `first` on, in a block, with a mark where lines are left out. */
static void put_lines(const char *text, uint32_t first, uint32_t n, struct arena *a, FILE *f)
{
    for (uint32_t i = 0; i < first; i++) {
        text = get_next(text);
    }
    const char *end = text;
    for (uint32_t i = 0; i < n && *end; i++) {
        end = get_next(end);
    }
    const char *const part = arena_printf(a, "%s%.*s%s", first > 0 ? "...\n" : "",
                                          (int)(end - text), text, *end ? "..." : "");
    markdown_put_block(part, MAX_BYTES, f);
    (void)fprintf(f, "\n");
}

static void put_text(const struct bug *b, struct arena *a, FILE *f)
{
    const char *const text = bug_get_text(b);
    uint32_t const n = count_lines(text);
    if (n <= MAX_LINES) {
        (void)fprintf(f, "SPIR-V assembly (`module.spvasm`):\n\n");
        put_lines(text, 0, n, a, f);
        return;
    }
    const char *const instruction = b->finding->instruction;
    uint32_t const at = bug_is_given(instruction) ? find_line(text, instruction) : UINT32_MAX;
    uint32_t const start = find_function(text, a);
    if (at == UINT32_MAX) {
        (void)fprintf(
            f,
            "The function of the entry point in SPIR-V assembly. `module.spvasm` has all %" PRIu32
            " lines:\n\n",
            n);
        put_lines(text, start, LINES_OF_FUNCTION, a, f);
        return;
    }
    uint32_t const lowest = at > start ? start : 0;
    uint32_t const first = at > lowest + LINES_BEFORE ? at - LINES_BEFORE : lowest;
    (void)fprintf(
        f,
        "The lines around the instruction in SPIR-V assembly. `module.spvasm` has all %" PRIu32
        " lines:\n\n",
        n);
    put_lines(text, first, at - first + 1 + LINES_BEHIND, a, f);
}

/* ---- the section ---- */

/* Put the kernel as its author wrote it, in the language that the driver was given. */
static void put_given(const struct bug *b, FILE *f)
{
    if (b->tc->language == LANGUAGE_GLSL) {
        (void)fprintf(f, "## Shader\n\nGLSL 4.60, compiled by glslang:\n\n");
    } else {
        (void)fprintf(f, "## Kernel\n\nOpenCL C, built with `%s`:\n\n", b->tc->build_options);
    }
    markdown_put_block(b->tc->source, MAX_BYTES, f);
    (void)fprintf(f, "\n");
}

void bug_put_kernel(const struct bug *b, FILE *f)
{
    struct arena a;
    if (b->tc->language != LANGUAGE_SPIRV) {
        put_given(b, f);
        return;
    }
    arena_init(&a, (size_t)1 << 20);
    (void)fprintf(f, "## Kernel\n\n%s ",
                  b->planted ? "The module before the fault was planted."
                             : "The driver was given a SPIR-V module.");
    if (bug_is_given(b->source)) {
        (void)fprintf(f, "The same kernel in %s, for the reader:\n\n", b->source_language);
        markdown_put_block(b->source, MAX_BYTES, f);
        (void)fprintf(f, "\n");
    }
    put_text(b, &a, f);
    arena_free(&a);
}
