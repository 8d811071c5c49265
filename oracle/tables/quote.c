/* oracle/tables/quote.c -- finds the sentences that a result breaks. */
#include "oracle/tables/quote.h"

#include <ctype.h>
#include <string.h>

#include "base/caps.h"

enum {
    CL = 1 << ENV_CL,
    VK = 1 << ENV_VK,
    ANY = CL | VK
};

static const struct document documents[] = {
#define DOCUMENT(short, env, title, version, address) {short, title, version, address, env},
#include "oracle/tables/document.def"
};

static const struct sentence {
    enum clause_id clause;
    const char *document;
    unsigned envs;
    const char *of, *section, *anchor, *text;
} sentences[] = {
#define SENTENCE(clause, document, env, of, section, anchor, text)                                 \
    {CLAUSE_##clause, document, env, of, section, anchor, text},
#include "oracle/tables/quote.def"
};

/* In the order in which they hold: what is special stands first. */
enum table_id {
#define QUOTE_TABLE(table, ...) TABLE_##table,
#include "oracle/tables/quote_table.def"
};
static const struct table {
    const char *document;
    unsigned envs;
    const char *title, *anchor;
} tables[] = {
#define QUOTE_TABLE(table, document, env, title, anchor) {document, env, title, anchor},
#include "oracle/tables/quote_table.def"
};

static const struct cell {
    enum table_id table;
    const char *of, *types, *text;
} cells[] = {
#define CELL(table, of, types, text) {TABLE_##table, of, types, text},
#include "oracle/tables/quote_table.def"
};

static const enum clause_id citing_tables[] = {
#define CITES_TABLES(clause) CLAUSE_##clause,
#include "oracle/tables/quote_table.def"
};

const struct document *document_find(const char *citation)
{
    for (size_t i = 0; i < ARRAY_N(documents); i++) {
        size_t const n = strlen(documents[i].name);
        if (strncmp(citation, documents[i].name, n) == 0 &&
            strchr(" ,", citation[n])) { /* or its end */
            return &documents[i];
        }
    }
    return NULL;
}

/* The needs by name, spaces between. */
static const char *list_needs(const struct needs *needs, struct arena *a)
{
    const char *all = "";
    for (int i = 0; i < NEED_N; i++) {
        if (needs_has(needs, (enum need_id)i)) {
            all = arena_printf(a, "%s%s%s", all, all[0] ? " " : "", cap_rows[i].id);
        }
    }
    return all;
}

/* Is one of the words of `list` among those of `words`? */
static bool share_word(const char *list, const char *words)
{
    for (const char *at = words; *at;) {
        size_t const n = strcspn(at, " ");
        for (const char *p = list; n > 0 && *p;) {
            size_t const n_p = strcspn(p, " ");
            if (n_p == n && memcmp(p, at, n) == 0) {
                return true;
            }
            p += n_p + (p[n_p] == ' ');
        }
        at += n + (at[n] == ' ');
    }
    return false;
}

/* The build option that has the result rounded correctly in place of the bound of a table; NULL: none has. */
static const char *find_rounding_option(const struct testcase *tc, const char *op, const char *type)
{
    static const char option[] = "-cl-fp32-correctly-rounded-divide-sqrt";
    bool const is_about = share_word("FDiv sqrt", op) && strcmp(type, "f32") == 0;
    return is_about && tc->build_options && strstr(tc->build_options, option) ? option : NULL;
}

struct quote_query quote_make_query(enum clause_id clause, const struct testcase *tc,
                                    const char *facts, const char *op, const char *type,
                                    struct arena *a)
{
    const char *const option = find_rounding_option(tc, op, type);
    return (struct quote_query){.clause = clause,
                                .env = tc->env,
                                .op = clause == CLAUSE_MUST_ACCEPT ? list_needs(&tc->needs, a)
                                      : option                     ? option
                                                                   : op,
                                .type = type,
                                .is_embedded =
                                    facts_has_word(facts, "cl.profile", "EMBEDDED_PROFILE") != 0};
}

static bool is_of(const struct sentence *s, const struct quote_query *q)
{
    return s->clause == q->clause && (s->envs & 1U << q->env);
}

/* Does a sentence of the clause name the instruction? */
static bool is_instruction_named(const struct quote_query *q)
{
    bool is_named = false;
    for (size_t i = 0; i < ARRAY_N(sentences); i++) {
        is_named |= is_of(&sentences[i], q) && share_word(sentences[i].of, q->op);
    }
    return is_named;
}

/* Add those that name the instruction, else those of any other one; then those about all. */
static uint32_t add_sentences(const struct quote_query *q, uint32_t n, struct quote out[QUOTE_MAX])
{
    bool const is_named = is_instruction_named(q);
    for (int is_about_all = 0; is_about_all < 2; is_about_all++) {
        for (size_t i = 0; i < ARRAY_N(sentences) && n < QUOTE_MAX; i++) {
            const struct sentence *const s = &sentences[i];
            bool const is_meant =
                is_about_all ? !s->of[0] : share_word(s->of, is_named ? q->op : "-");
            if (is_of(s, q) && is_meant) {
                out[n++] =
                    (struct quote){document_find(s->document), s->section, s->anchor, s->text, ""};
            }
        }
    }
    return n;
}

static bool is_float(const char *type)
{
    return type[0] == 'f';
}

/* Add the cells of one table that the instruction has there. */
static uint32_t add_cells(const struct quote_query *q, enum table_id table, uint32_t n,
                          struct quote out[QUOTE_MAX])
{
    const struct table *const t = &tables[table];
    for (size_t i = 0; i < ARRAY_N(cells) && n < QUOTE_MAX; i++) {
        const struct cell *const c = &cells[i];
        bool const is_column = !c->types[0] || !is_float(q->type) || share_word(c->types, q->type);
        if (c->table == table && is_column && share_word(c->of, q->op)) {
            out[n++] =
                (struct quote){document_find(t->document), t->title, t->anchor, c->text, q->op};
        }
    }
    return n;
}

/* Does the table hold for the result? */
static bool is_in_force(const struct quote_query *q, enum table_id table)
{
    bool const is_unsafe = table == TABLE_CL_UNSAFE;
    bool const is_embedded = table == TABLE_CL_EMBEDDED;
    return (tables[table].envs & 1U << q->env) &&
           (!is_unsafe || q->clause == CLAUSE_MATH_RELAXED) && (!is_embedded || q->is_embedded);
}

/* Add the cells of the first table in force that has the instruction. */
static uint32_t add_first_cells(const struct quote_query *q, uint32_t n,
                                struct quote out[QUOTE_MAX])
{
    uint32_t const n_before = n;
    for (size_t i = 0; i < ARRAY_N(citing_tables); i++) {
        for (size_t t = 0; t < ARRAY_N(tables) && n == n_before && citing_tables[i] == q->clause;
             t++) {
            n = is_in_force(q, (enum table_id)t) ? add_cells(q, (enum table_id)t, n, out) : n;
        }
    }
    return n;
}

/* A sentence about the instruction says what its result is; a cell of a table says how far off it may be, and says it first
 * only where no sentence is about the instruction. */
uint32_t quote_find(const struct quote_query *q, struct quote out[QUOTE_MAX])
{
    return is_instruction_named(q) ? add_first_cells(q, add_sentences(q, 0, out), out)
                                   : add_sentences(q, add_first_cells(q, 0, out), out);
}

/* The instruction as the rows of a table name it: in one of extended instructions without a prefix. */
static const char *name_row(const struct quote *q, struct arena *a)
{
    bool const is_core =
        isupper((unsigned char)q->row[0]) && q->section != tables[TABLE_VK_GLSL].title;
    return q->row[0] ? arena_printf(a, ", row %s%s", is_core ? "Op" : "", q->row) : "";
}

const char *quote_get_place(const struct quote *q, struct arena *a)
{
    const struct document *const d = q->document;
    const char *const chapters = strstr(d->title, ": ");
    int const n_title = (int)(chapters ? (size_t)(chapters - d->title) : strlen(d->title));
    return arena_printf(a, "%.*s %.*s, %s%s", n_title, d->title, (int)strcspn(d->version, ",;"),
                        d->version, q->section, name_row(q, a));
}

const char *quote_get_link(const struct quote *q, struct arena *a)
{
    return q->anchor[0] ? arena_printf(a, "%s#%s", q->document->address, q->anchor)
                        : q->document->address;
}
