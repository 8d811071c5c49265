/* reports/bug/bug_document.c -- the sections that a rule stands in, as one who looks them up needs them. */
#include "reports/bug/bug_document.h"

#include <ctype.h>
#include <string.h>

#include "base/testcase.h"
#include "reports/model/markdown.h"

static const struct document {
    const char *name, *title, *version, *address;
} documents[] = {
#define DOCUMENT(short, title, version, address) {short, title, version, address},
#include "oracle/tables/document.def"
};

/* Whose environment a document is of, where it is of one alone. */
static const struct {
    const char *name;
    enum env env;
} owners[] = {
    {"V",            ENV_VK},
    {"GLSL.std.450", ENV_VK},
    {"CE",           ENV_CL},
    {"CC",           ENV_CL},
    {"CA",           ENV_CL},
    {"EFA",          ENV_CL},
};

static bool is_of_env(const struct document *d, enum env env)
{
    for (size_t i = 0; i < ARRAY_N(owners); i++) {
        if (strcmp(owners[i].name, d->name) == 0) {
            return owners[i].env == env;
        }
    }
    return true;
}

/* The document that a citation begins with, NULL: none. */
static const struct document *find_document(const char *citation)
{
    for (size_t i = 0; i < ARRAY_N(documents); i++) {
        size_t const n = strlen(documents[i].name);
        if (strncmp(citation, documents[i].name, n) == 0 && (citation[n] == ' ' || !citation[n])) {
            return &documents[i];
        }
    }
    return NULL;
}

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

void bug_put_documents(const struct bug *b, FILE *f)
{
    struct arena a;
    arena_init(&a, (size_t)64 << 10);
    const char *at = b->clause_section ? b->clause_section : "";
    while (*at) {
        const char *const end = strstr(at, "; ");
        size_t const n = end ? (size_t)(end - at) : strlen(at);
        const char *const citation = arena_printf(&a, "%.*s", (int)n, at);
        const struct document *const d = find_document(citation);
        if (d && is_of_env(d, b->tc->env)) {
            const char *const section = citation + strlen(d->name);
            put_place(d, section + (section[0] == ' '), f);
        } else if (!d && citation[0] && strcmp(citation, "-") != 0) {
            (void)fprintf(f, "- ");
            markdown_put_text(citation, f);
            (void)fprintf(f, "\n");
        }
        at += n + (end ? 2 : 0);
    }
    arena_free(&a);
}
