/* reports/folder/bug_listed.c -- a kernel that is refused: which instructions it has, and that the device lists what they need. */
#include "reports/folder/bug_listed.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/caps.h"
#include "base/ops.h"
#include "base/spv.h"
#include "base/testcase.h"
#include "reports/bug/bug_facts.h"
#include "reports/model/markdown.h"

enum {
    MAX_NAMED = 6, /* instructions in a sentence */
    MAX_NAME = 64,
    MAX_FACT = 64
};

/* ---- instructions ---- */

/* Is it an instruction that most kernels have beside what they test, to compute an address or to move data? */
static bool is_common(const struct op_row *row)
{
    static const char *const clauses[] = {"INT_EXACT", "COPY_EXACT", "SELECT"};
    for (size_t i = 0; i < ARRAY_N(clauses); i++) {
        if (strcmp(row->clause, clauses[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* The row of the instruction in a line of a module's text, -1: there is none. Of an extended set the name stands behind
 * the set: "%9 = OpExtInst %float %1 exp %8". */
static int find_row(const char *line, size_t n_line)
{
    char op[MAX_NAME] = "", extended[MAX_NAME] = "", text[4 * MAX_NAME];
    size_t const n = n_line < sizeof text ? n_line : sizeof text - 1;
    memcpy(text, line, n);
    text[n] = '\0';
    const char *const at = strstr(text, "Op");
    if (!at || sscanf(at, "%63s %*s %*s %63s", op, extended) < 1) {
        return -1;
    }
    return op_find_name(strcmp(op, "OpExtInst") == 0 ? extended : op + 2);
}

/* Mark the rows of all instructions of the text; returns how many are not common. */
static uint32_t mark_rows(const char *text, bool is_there[OP_N])
{
    uint32_t n = 0;
    while (*text) {
        size_t const n_line = strcspn(text, "\n");
        int const row = find_row(text, n_line);
        if (row >= 0 && !is_there[row]) {
            is_there[row] = true;
            n += !is_common(&op_rows[row]);
        }
        text += n_line + (text[n_line] == '\n');
    }
    return n;
}

/* "OpAtomicIAdd, OpGroupFAdd and exp"; common instructions are named only where there are no others. "": none. */
static const char *name_instructions(const struct bug *b, struct arena *a)
{
    bool is_there[OP_N] = {false};
    bool const has_special = mark_rows(b->disassembly ? b->disassembly : "", is_there) > 0;
    const char *all = "";
    uint32_t n = 0;
    for (int i = 0; i < OP_N; i++) {
        if (is_there[i] && !(has_special && is_common(&op_rows[i])) && n++ < MAX_NAMED) {
            bool const is_core = op_rows[i].number < OP_NUMBER(1, 0);
            all = arena_printf(a, "%s%s%s%s", all, all[0] ? ", " : "", is_core ? "Op" : "",
                               op_rows[i].name);
        }
    }
    return n > MAX_NAMED ? arena_printf(a, "%s and %" PRIu32 " more", all, n - MAX_NAMED) : all;
}

/* ---- needs ---- */

/* Which of the capabilities that the module declares it is, from 0 on; -1: none. */
static int find_capability(const struct bug *b, uint32_t capability)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    for (int n = 0; spv_next(b->tc->module, b->tc->n_words, &offset, &in);) {
        if (in.op == SpvOpCapability && in.n > 1 && in.w[1] == capability) {
            return n;
        }
        n += in.op == SpvOpCapability;
    }
    return -1;
}

/* The name of a capability in the module's text, where they stand in the same order; else its number. */
static const char *name_capability(const struct bug *b, uint32_t capability, struct arena *a)
{
    static const char mark[] = "OpCapability ";
    int n = find_capability(b, capability);
    const char *at = b->disassembly ? strstr(b->disassembly, mark) : NULL;
    for (; at && n > 0; n--) {
        at = strstr(at + 1, mark);
    }
    at = at ? at + strlen(mark) : NULL;
    return at ? arena_printf(a, "%.*s", (int)strcspn(at, " \n"), at)
              : arena_printf(a, "%" PRIu32, capability);
}

/* What the API calls a fact. */
static const char *name_fact(const char *key, struct arena *a)
{
    static const struct {
        const char *key, *name;
    } rows[] = {
#define LISTED(key, name) {key, name},
#include "reports/folder/bug_listed.def"
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (strcmp(rows[i].key, key) == 0) {
            return rows[i].name;
        }
    }
    return strncmp(key, "vk.f.", 5) == 0     ? arena_printf(a, "feature %s", key + 5)
           : strncmp(key, "vk.p.", 5) == 0   ? arena_printf(a, "property %s", key + 5)
           : strncmp(key, "vk.fmt.", 7) == 0 ? arena_printf(a, "format %s", key + 7)
                                             : key;
}

static const char *name_bit(const char *key, uint64_t bit, struct arena *a)
{
    static const struct {
        const char *key;
        uint64_t bit;
        const char *name;
    } rows[] = {
#define LISTED_BIT(key, bit, name) {key, bit, name},
#include "reports/folder/bug_listed.def"
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (strcmp(rows[i].key, key) == 0 && rows[i].bit == bit) {
            return rows[i].name;
        }
    }
    return arena_printf(a, "bit 0x%" PRIx64, bit);
}

/* What the device says of one term of a query: "CL_DEVICE_EXTENSIONS lists cl_khr_fp16". */
static const char *describe_term(const char *facts, const char *term, struct arena *a)
{
    size_t const n_key = strcspn(term, "&~<>=");
    const char *const key = arena_printf(a, "%.*s", (int)n_key, term);
    const char *const name = name_fact(key, a);
    char value[MAX_FACT];
    (void)facts_get(facts, key, value, sizeof value);
    if (strcmp(key, "vk.api") == 0) { /* major, minor and patch, a byte each */
        uint64_t const version = strtoull(term + n_key + strspn(term + n_key, "<>="), NULL, 0);
        return arena_printf(a, "the device has Vulkan %" PRIu64 ".%" PRIu64, version >> 16,
                            version >> 8 & 0xff);
    }
    if (term[n_key] == '~') {
        return arena_printf(a, "%s lists %s", name, term + n_key + 1);
    }
    if (term[n_key] == '&') {
        return arena_printf(a, "%s is %s, which includes %s", name, value,
                            name_bit(key, strtoull(term + n_key + 1, NULL, 0), a));
    }
    return arena_printf(a, "%s is %s", name, value);
}

/* What the device says of all terms of a need. */
static const char *describe_need(const char *facts, const char *query, struct arena *a)
{
    const char *all = "";
    while (*query) {
        size_t const n = strcspn(query, " ");
        all = arena_printf(a, "%s%s%s", all, all[0] ? "; " : "",
                           describe_term(facts, arena_printf(a, "%.*s", (int)n, query), a));
        query += n + (query[n] == ' ');
    }
    return all[0] ? all : "each device has it";
}

struct needs bug_get_listed(const struct bug *b)
{
    struct needs out = {{0}};
    for (int i = 0; i < NEED_N; i++) {
        uint32_t const capability = cap_rows[i].capability;
        bool const is_needed = needs_has(&b->tc->needs, (enum need_id)i) != 0;
        needs_add_if(&out, (enum need_id)i,
                     is_needed && (!capability || find_capability(b, capability) >= 0));
    }
    return out;
}

void bug_put_listed(const struct bug *b, FILE *f)
{
    struct arena a;
    arena_init(&a, (size_t)1 << 20);
    const char *const facts = bug_get_facts(b);
    const char *const names = name_instructions(b, &a);
    if (names[0]) {
        (void)fprintf(f, "The module has ");
        markdown_put_text(names, f);
        (void)fprintf(f, ". ");
    }
    struct needs const needs = bug_get_listed(b);
    static const struct needs none;
    if (memcmp(&needs, &none, sizeof needs) == 0) {
        (void)fprintf(f, "The module needs no optional feature.\n\n");
        arena_free(&a);
        return;
    }
    (void)fprintf(f, "The device lists what the module needs:\n\n");
    for (int i = 0; i < NEED_N; i++) {
        const struct cap_row *const row = &cap_rows[i];
        if (!needs_has(&needs, (enum need_id)i) || !facts_meet(facts, (enum need_id)i)) {
            continue;
        }
        (void)fprintf(f, "- ");
        if (row->capability) {
            (void)fprintf(f, "capability ");
            markdown_put_text(name_capability(b, row->capability, &a), f);
            (void)fprintf(f, ": ");
        }
        markdown_put_text(describe_need(facts, row->query, &a), f);
        (void)fprintf(f, "\n");
    }
    (void)fprintf(f, "\n");
    arena_free(&a);
}
