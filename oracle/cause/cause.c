/* oracle/cause/cause.c -- why a driver refused a module, out of its log. */
#include "oracle/cause/cause.h"

#include <ctype.h>
#include <string.h>

#include "oracle/cause/builtin_name.h"
#include "oracle/cause/stable_text.h"

enum {
    MAX_REASON = 96, /* of a line of the log */
    MAX_VECTOR = 16, /* elements of a vector of OpenCL C */
    MAX_SYMBOL = 200
};

/* What the first parameter of a family's functions is. */
enum of {
    OF_ANY,
    OF_FLOATS,
    OF_INTEGERS,
    OF_WIDE
};
static const struct family {
    const char *name;
    enum of of;
    const char *words;
    bool is_typed;
    const char *advertised;
} families[] = {
#define FAMILY(name, of, words, is_typed, advertised) {name, OF_##of, words, is_typed, advertised},
#include "oracle/cause/builtin_family.def"
#undef FAMILY
};

enum row_kind {
    ROW_PLAIN,
    ROW_NAMED,
    ROW_SYMBOL
};
static const struct row {
    enum row_kind kind;
    const char *pattern, *words;
} rows[] = {
#define CAUSE(pattern, words)       {ROW_PLAIN, pattern, words},
#define CAUSE_NAMED(pattern, words) {ROW_NAMED, pattern, words},
#define CAUSE_SYMBOL(pattern)       {ROW_SYMBOL, pattern, "symbol missing:"},
#include "oracle/cause/cause.def"
#undef CAUSE
#undef CAUSE_NAMED
#undef CAUSE_SYMBOL
};

/* ---- a missing symbol ---- */

/* Does the name fit a pattern in which one "*" stands for anything? */
static bool fits(const char *name, const char *pattern)
{
    const char *const star = strchr(pattern, '*');
    if (!star) {
        return strcmp(name, pattern) == 0;
    }
    size_t const n_begin = (size_t)(star - pattern), n_end = strlen(star + 1), n = strlen(name);
    return n >= n_begin + n_end && strncmp(name, pattern, n_begin) == 0 &&
           strcmp(name + n - n_end, star + 1) == 0;
}

/* The name of a function as the table has it: the atomics of all versions of OpenCL C in one form. */
static const char *get_usual_name(const char *name, struct arena *a)
{
    static const char suffix[] = "_explicit";
    static const struct {
        const char *begin, *usual;
    } forms[] = {
        {"atom_",         "atomic_"},
        {"atomic_fetch_", "atomic_"},
    };
    size_t n = strlen(name);
    if (n > sizeof suffix - 1 && strcmp(name + n - (sizeof suffix - 1), suffix) == 0) {
        n -= sizeof suffix - 1;
    }
    for (size_t i = 0; i < ARRAY_N(forms); i++) {
        size_t const n_begin = strlen(forms[i].begin);
        if (n > n_begin && strncmp(name, forms[i].begin, n_begin) == 0) {
            return arena_printf(a, "%s%.*s", forms[i].usual, (int)(n - n_begin), name + n_begin);
        }
    }
    return arena_printf(a, "%.*s", (int)n, name);
}

static bool is_of(const struct builtin_name *b, enum of of)
{
    switch (of) {
    case OF_FLOATS:
        return b->is_float;
    case OF_INTEGERS:
        return !b->is_float;
    case OF_WIDE:
        return b->width > MAX_VECTOR;
    case OF_ANY:
        break;
    }
    return true;
}

static const struct family *find_family(const struct builtin_name *b, const char *name)
{
    const struct family *f = families;
    while (!fits(name, f->name) || !is_of(b, f->of)) {
        f++; /* the last one fits all */
    }
    return f;
}

/* "advertised by the add bits of cl_ext_float_atomics", with what else a pointer or a type needs. */
static const char *print_advertised(const struct family *f, const struct builtin_name *b,
                                    struct arena *a)
{
    const char *const type = strcmp(b->type, "half") == 0     ? "cl_khr_fp16"
                             : strcmp(b->type, "double") == 0 ? "cl_khr_fp64"
                                                              : "";
    bool const is_generic = f->is_typed && strcmp(b->space, "generic") == 0;
    const char *const parts[] = {f->advertised, f->is_typed ? type : "",
                                 is_generic ? "__opencl_c_generic_address_space" : ""};
    const char *text = "";
    for (size_t i = 0; i < ARRAY_N(parts); i++) {
        if (parts[i][0]) {
            text = arena_printf(a, "%s%s%s", text, text[0] ? ", " : ", advertised by ", parts[i]);
        }
    }
    return text;
}

static struct cause describe_symbol(const char *symbol, struct arena *a)
{
    struct builtin_name b;
    if (!builtin_read(symbol, a, &b)) {
        return (struct cause){.words = stable_text(symbol, false, MAX_REASON, a),
                              .note = arena_printf(a, "%s is missing", symbol)};
    }
    const char *const name = get_usual_name(b.function, a);
    const struct family *const f = find_family(&b, name);
    const char *const type = f->is_typed ? b.type : "", *const space = f->is_typed ? b.space : "";
    return (struct cause){
        .words = arena_printf(a, "%s%s%s%s%s", f->words[0] ? f->words : name, type[0] ? " " : "",
                              type, space[0] ? " " : "", space),
        .note = arena_printf(a, "%s is missing%s", symbol, print_advertised(f, &b, a))};
}

static size_t measure_symbol(const char *text)
{
    size_t n = 0;
    while (n < MAX_SYMBOL &&
           (isalnum((unsigned char)text[n]) || (text[n] && strchr("_.$@", text[n])))) {
        n++;
    }
    return isdigit((unsigned char)text[0]) ? 0 : n;
}

/* The next of the symbols that follow the pattern in a log, one or a list each time; NULL: no more. Begins with *at at
 * the log, and in_list false. */
static const char *take_symbol(const char **at, bool *in_list, const char *pattern, struct arena *a)
{
    while (*at) {
        if (!*in_list) {
            *at = strstr(*at, pattern);
            *at = *at ? *at + strlen(pattern) : NULL;
            *in_list = *at != NULL;
            continue;
        }
        *at += strspn(*at, " ,[(`'\":{\n");
        size_t const n = measure_symbol(*at);
        const char *const symbol = *at;
        *at += n;
        *in_list = n > 0 && **at == ',';
        if (n > 0) {
            return arena_printf(a, "%.*s", (int)n, symbol);
        }
    }
    return NULL;
}

/* The missing symbols of a log, each note once, in the order of the alphabet of words and note: in which order they are listed
 * differs from run to run. */
struct missing {
    struct arena *a;
    struct cause *list;
    uint32_t n, cap;
};

static int compare_causes(const struct cause *x, const struct cause *y)
{
    int const words = strcmp(x->words, y->words);
    return words ? words : strcmp(x->note, y->note);
}

static void add_missing(struct missing *m, struct cause x)
{
    uint32_t at = 0;
    while (at < m->n && compare_causes(&m->list[at], &x) < 0) {
        at++;
    }
    if (!x.words[0] || (at < m->n && compare_causes(&m->list[at], &x) == 0)) {
        return;
    }
    struct cause *const list = arena_grow(m->a, m->list, m->n, &m->cap, sizeof *list);
    if (!list) {
        return;
    }
    memmove(&list[at + 1], &list[at], (m->n - at) * sizeof *list);
    list[at] = x;
    m->list = list;
    m->n++;
}

static struct missing collect_missing(const char *log, const char *pattern, struct arena *a)
{
    struct missing m = {.a = a};
    bool in_list = false;
    const char *at = log;
    const char *symbol;
    while ((symbol = take_symbol(&at, &in_list, pattern, a)) != NULL) {
        add_missing(&m, describe_symbol(symbol, a));
    }
    return m;
}

/* The notes of all missing symbols, with "; " between. */
static const char *join_notes(const struct missing *m)
{
    struct bytes text;
    bytes_init(&text, m->a);
    for (uint32_t i = 0; i < m->n; i++) {
        bytes_put(&text, "; ", i > 0 ? 2 : 0);
        bytes_put(&text, m->list[i].note, strlen(m->list[i].note));
    }
    return text.ok ? arena_printf(m->a, "%.*s", (int)text.n, (const char *)text.p) : "";
}

static unsigned find_about(const char *spelt, struct arena *a);

/* The words are those of the first missing symbol that nothing excuses, of the first where all are excused. words "": none is
 * missing. */
static struct cause find_symbols(const char *log, const char *pattern, unsigned excused,
                                 struct arena *a)
{
    struct missing const m = collect_missing(log, pattern, a);
    for (uint32_t i = 0; i < m.n; i++) {
        if (find_about(m.list[i].words, a) & ~excused) {
            return (struct cause){.words = m.list[i].words, .note = join_notes(&m)};
        }
    }
    return (struct cause){.words = m.n ? m.list[0].words : "", .note = join_notes(&m)};
}

/* ---- any other line ---- */

/* The line without the words that name a file and a position in it, "/tmp/tempfile_SB7VRt.cl:25:160:": each run of a
 * front end has another. */
static const char *drop_places(const char *line, struct arena *a)
{
    const char *out = "";
    while (*line) {
        size_t const n = strcspn(line, " ");
        size_t const n_blank = strspn(line + n, " ");
        bool const is_location = line[0] == '/' && n > 1 && line[n - 1] == ':';
        if (!is_location) {
            out = arena_printf(a, "%s%.*s", out, (int)(n + n_blank), line);
        }
        line += n + n_blank;
    }
    return out;
}

/* The line with "#" for names of values, which are those of one kernel: "%v12", "'acc3'" and others with a number. */
static const char *drop_names(const char *line, struct arena *a)
{
    char *const out = arena_copy(a, line, strlen(line));
    size_t n = 0;
    for (const char *p = line; out && *p;) {
        out[n++] = *p++;
        size_t n_name = 0;
        bool has_digit = false;
        while (isalnum((unsigned char)p[n_name]) || p[n_name] == '_') {
            has_digit = has_digit || isdigit((unsigned char)p[n_name]);
            n_name++;
        }
        bool const is_name = out[n - 1] == '%' || (out[n - 1] == '\'' && has_digit);
        if (is_name && n_name > 0) {
            out[n++] = '#';
            p += n_name;
        }
    }
    if (out) {
        out[n] = '\0';
    }
    return out ? out : "";
}

/* Returns the line of a build log that names the cause, or "": the first line with the first of the marks that the
 * log contains. More specific marks come first: a missing name, an error, a compiler that gives up. The line is
 * cut at a comma, so that of a list only the first item remains. */
static const char *find_line(const char *log, struct arena *a)
{
    static const struct {
        const char *text;
        bool is_before; /* a compiler gave up: the next line names the cause */
    } marks[] = {
        {"not found",          false},
        {"Cannot find symbol", false},
        {"error:",             false},
        {"Error",              false},
        {"rror ",              false}, /* "error" in a sentence, with either case of its first letter */
        {"nsupported",         false}, /* likewise "unsupported" */
        {"nimplemented",       false},
        {"panicked at ",       true },
        {"ACO ERROR:",         true },
        {"Invalid ",           false}, /* SPIRV-Tools, of a module that the driver's own front end wrote */
    };
    for (size_t i = 0; i < ARRAY_N(marks); i++) {
        const char *at = strstr(log, marks[i].text);
        if (!at) {
            continue;
        }
        while (at > log && at[-1] != '\n') { /* to the start of the line */
            at--;
        }
        if (marks[i].is_before) {
            at += strcspn(at, "\n");
            at += *at == '\n';
            at += strspn(at, " ");
        }
        if (at[0] == '(') { /* "(file=input,line=0,column=0,index=92): " */
            const char *const end = strstr(at, "): ");
            at = end && end < at + strcspn(at, "\n") ? end + strlen("): ") : at;
        }
        at += strspn(at, " ");
        size_t n = strcspn(at, "\n,");
        while (n > 0 && (at[n - 1] == ' ' || at[n - 1] == ']')) {
            n--;
        }
        return drop_names(drop_places(arena_printf(a, "%.*s", (int)n, at), a), a);
    }
    return "";
}

static bool is_identifier(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!isalpha((unsigned char)text[i]) && text[i] != '_') {
            return false;
        }
    }
    return n > 0 && n < MAX_REASON;
}

/* The words of a row whose pattern is in the log, at `at`. A name with a digit may be one of the kernel. */
static struct cause describe_row(const struct row *row, const char *at, struct arena *a)
{
    const char *const name = at + strlen(row->pattern);
    size_t const n = row->kind == ROW_NAMED ? strcspn(name, "'\n") : 0;
    bool const has_name = is_identifier(name, n);
    return (struct cause){.words = arena_printf(a, "%s%s%.*s", row->words, has_name ? " " : "",
                                                has_name ? (int)n : 0, name),
                          .note = ""};
}

struct cause cause_find(const char *log, unsigned excused, struct arena *a)
{
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        const char *const at = strstr(log, rows[i].pattern);
        if (at && rows[i].kind != ROW_SYMBOL) {
            return describe_row(&rows[i], at, a);
        }
        struct cause const symbol = at ? find_symbols(log, rows[i].pattern, excused, a)
                                       : (struct cause){.words = "", .note = ""};
        if (symbol.words[0]) {
            return (struct cause){.words = arena_printf(a, "%s %s", rows[i].words, symbol.words),
                                  .note = symbol.note};
        }
    }
    return (struct cause){.words = stable_text(find_line(log, a), false, MAX_REASON, a),
                          .note = ""};
}

/* ---- what it is about ---- */

static const struct about {
    unsigned bit; /* enum cause_about; 0: of nothing */
    const char *words;
} abouts[] = {
#define ABOUT(subject, words) {CAUSE_IS_##subject, words},
#define ABOUT_NOTHING(words)  {0, words},
#include "oracle/cause/about.def"
#undef ABOUT
#undef ABOUT_NOTHING
};

static const char *make_lower(const char *text, struct arena *a)
{
    char *const out = arena_copy(a, text, strlen(text));
    for (char *p = out; p && *p; p++) {
        *p = (char)tolower((unsigned char)*p);
    }
    return out ? out : "";
}

/* Is a type among the words that an atomic of float or double is not of? */
static bool has_other_type(const char *words)
{
    static const char *const types[] = {" half", " char", " uchar", " short", " ushort",
                                        " int",  " uint", " long",  " ulong", " bfloat"};
    for (size_t i = 0; i < ARRAY_N(types); i++) {
        const char *const at = strstr(words, types[i]);
        char const next = at ? at[strlen(types[i])] : 'x';
        if (next == '\0' || next == ' ' || isdigit((unsigned char)next)) {
            return true;
        }
    }
    return false;
}

/* The bit of one cause's words; 0: they name none. */
static unsigned find_about(const char *spelt, struct arena *a)
{
    static const char mark[] = "error: ";
    const char *const words = make_lower(spelt, a);
    size_t const n_mark = strncmp(words, mark, sizeof mark - 1) == 0 ? sizeof mark - 1 : 0;
    for (size_t i = 0; i < ARRAY_N(abouts); i++) {
        const struct about *const row = &abouts[i];
        if (row->bit == 0 ? strcmp(words + n_mark, row->words) == 0
                          : strstr(words, row->words) != NULL) {
            bool const is_other = row->bit == CAUSE_IS_FLOAT_ACCESS && has_other_type(words);
            return is_other ? CAUSE_IS_OTHER : row->bit;
        }
    }
    return words[0] ? CAUSE_IS_OTHER : 0;
}

unsigned cause_get_about(const char *log, struct arena *a)
{
    unsigned about = 0;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        const char *at = rows[i].kind == ROW_SYMBOL ? log : NULL;
        bool in_list = false;
        const char *symbol;
        while ((symbol = take_symbol(&at, &in_list, rows[i].pattern, a)) != NULL) {
            about |= find_about(describe_symbol(symbol, a).words, a);
        }
    }
    return about ? about : find_about(cause_find(log, 0, a).words, a);
}
