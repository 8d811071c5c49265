/* reports/folder/bug_document.c -- the sentences of a rule, and the sections that it stands in, as one who looks them up needs
 * them. */
#include "reports/folder/bug_document.h"

#include <ctype.h>
#include <string.h>

#include "base/testcase.h"
#include "oracle/tables/quote.h"
#include "oracle/tables/tables.h"
#include "reports/bug/bug_facts.h"
#include "reports/folder/bug_listed.h"
#include "reports/model/markdown.h"

/* A section with the names of parts, which the clauses shorten, in full. */
static const char *expand(const struct document *d, const char *section, struct arena *a)
{
    static const struct {
        const char *document, *from, *to;
    } rows[] = {
        {"V", "env", "appendix Vulkan Environment for SPIR-V"},
        {"V", "mem", "appendix Memory Model"                 },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        size_t const n = strlen(rows[i].from);
        if (strcmp(rows[i].document, d->name) == 0 && strncmp(section, rows[i].from, n) == 0 &&
            (!section[n] || strchr(" ,", section[n]))) {
            return arena_printf(a, "%s%s", rows[i].to, section + n);
        }
    }
    return section;
}

/* "- Title, version, section 3.3.18 OpAtomicLoad: address" */
static void put_place(const struct document *d, const char *section, FILE *f)
{
    struct arena a;
    arena_init(&a, (size_t)16 << 10);
    (void)fprintf(f, "- ");
    const char *const rest = strstr(d->title, ": "); /* its chapters */
    int const n_title = rest ? (int)(rest - d->title) : (int)strlen(d->title);
    markdown_put_text(arena_printf(&a, "%.*s, %.*s", n_title, d->title,
                                   (int)strcspn(d->version, ";"), d->version),
                      f);
    if (section[0]) {
        (void)fprintf(f, isdigit((unsigned char)section[0]) ? ", section " : ": ");
        markdown_put_text(expand(d, section, &a), f);
    }
    arena_free(&a);
    if (d->address[0]) {
        (void)fprintf(f, ", <%s>", d->address);
    }
    (void)fprintf(f, "\n");
}

/* Put an item for each document that the rule is from; of documents of the other API none. */
static void put_documents(const struct bug *b, FILE *f)
{
    struct arena a;
    arena_init(&a, (size_t)64 << 10);
    const char *at = b->clause_section ? b->clause_section : "";
    while (*at) {
        const char *const end = strstr(at, "; ");
        size_t const n = end ? (size_t)(end - at) : strlen(at);
        const char *const citation = arena_printf(&a, "%.*s", (int)n, at);
        const struct document *const d = document_find(citation);
        if (d && (d->envs & 1U << b->tc->env)) {
            const char *const section = citation + strlen(d->name);
            put_place(d, section + strspn(section, " ,"), f);
        } else if (!d && citation[0] && strcmp(citation, "-") != 0) {
            (void)fprintf(f, "- ");
            markdown_put_text(citation, f);
            (void)fprintf(f, "\n");
        }
        at += n + (end ? 2 : 0);
    }
    arena_free(&a);
}

/* "> "sentence" -- place ([link](address))" */
static void put_quote(const struct quote *q, struct arena *a, FILE *f)
{
    const char *const link = quote_get_link(q, a);
    (void)fprintf(f, "> \"");
    markdown_put_text(q->text, f);
    (void)fprintf(f, "\" -- ");
    markdown_put_text(quote_get_place(q, a), f);
    (void)fprintf(f, link[0] ? " ([link](%s))\n\n" : "\n\n", link);
}

/* How many sentences of the clause about the instruction were put. */
static uint32_t put_quotes(const struct bug *b, enum clause_id clause, const char *op, FILE *f)
{
    struct arena a;
    struct quote quotes[QUOTE_MAX];
    arena_init(&a, (size_t)64 << 10);
    struct testcase tc = *b->tc;
    tc.needs = bug_get_listed(b);
    struct quote_query const query = quote_make_query(clause, &tc, bug_get_facts(b), op,
                                                      b->finding->type ? b->finding->type : "", &a);
    uint32_t const n = quote_find(&query, quotes);
    for (uint32_t i = 0; i < n; i++) {
        put_quote(&quotes[i], &a, f);
    }
    arena_free(&a);
    return n;
}

void bug_put_sentences_of(const struct bug *b, enum clause_id clause, const char *op, FILE *f)
{
    (void)put_quotes(b, clause, op, f);
}

void bug_put_sentences(const struct bug *b, FILE *f)
{
    int const clause = clause_find(b->finding->clause ? b->finding->clause : "");
    uint32_t const n = put_quotes(b, clause < 0 ? CLAUSE_NONE : (enum clause_id)clause,
                                  b->finding->op ? b->finding->op : "", f);
    if (n == 0) {
        put_documents(b, f);
        (void)fprintf(f, "\n");
    }
}
