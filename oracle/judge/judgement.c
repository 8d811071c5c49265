/* oracle/judge/judgement.c -- findings as they are kept, and the signature that puts them in buckets. */
#include "oracle/judge/judgement.h"

#include <ctype.h>
#include <string.h>

enum {
    WORD_OP = 2,
    VALUE_WORDS = 5,   /* of a core: kind, clause, instruction, type, storage */
    RUN_WORDS = 4,     /* of a run that did not end well: kind, clause, phase, code */
    MAX_FRAMES = 3,    /* of a crash */
    MAX_MESSAGE = 160, /* of what the driver said */
    MAX_REASON = 96    /* of a line of its log */
};

/* Stands before the name of a known bug, behind all else. */
static const char known_mark[] = " known:";

bool finding_copy(const struct finding *f, struct arena *a, struct finding *out)
{
    *out = *f;
    out->expect = f->expect ? arena_copy(a, f->expect, sizeof *f->expect) : NULL;
    const char **const texts[] = {&out->permitted, &out->operand_class, &out->circumstances,
                                  &out->known, &out->text};
    for (size_t i = 0; i < ARRAY_N(texts); i++) {
        *texts[i] = *texts[i] ? arena_printf(a, "%s", *texts[i]) : "";
    }
    return !a->is_full;
}

/* The line without the words that name a file and a place in it, "/tmp/tempfile_SB7VRt.cl:25:160:": each run of a
 * front end has another. */
static const char *drop_places(const char *line, struct arena *a)
{
    const char *out = "";
    while (*line) {
        size_t const n = strcspn(line, " ");
        size_t const n_blank = strspn(line + n, " ");
        bool const is_place = line[0] == '/' && n > 1 && line[n - 1] == ':';
        if (!is_place) {
            out = arena_printf(a, "%s%.*s", out, (int)(n + n_blank), line);
        }
        line += n + n_blank;
    }
    return out;
}

/*
 * The telling line of a build log: the one in which the first of the marks that the log has at all occurs
 * first; "" without one. What tells more stands first: a missing name, an error, a compiler that gives up. Of
 *     error: build failed
 *     JIT session error: Symbols not found: [ _Z6cos_rmDh, _Z6exp_rmDh ]
 * it is the second line, up to the comma: of a list the first. A list of one loses its closing bracket, to
 * read as the first of several would. Numbers stay here; the signature's core is without those that vary.
 */
static const char *find_reason(const char *log, struct arena *a)
{
    static const struct {
        const char *text;
        bool is_before; /* of a compiler that gives up: the line after it tells */
    } marks[] = {
        {"not found",          false},
        {"Cannot find symbol", false},
        {"error:",             false},
        {"Error",              false},
        {"rror ",              false}, /* "error" in a sentence, with either case of its first letter */
        {"nsupported",         false}, /* likewise "unsupported" */
        {"panicked at ",       true },
        {"ACO ERROR:",         true },
        {"Invalid ",           false}, /* SPIRV-Tools, of a module that the driver's own front end wrote */
    };
    for (size_t i = 0; i < ARRAY_N(marks); i++) {
        const char *at = strstr(log, marks[i].text);
        if (!at) {
            continue;
        }
        while (at > log && at[-1] != '\n') {
            at--;
        }
        if (marks[i].is_before) {
            at += strcspn(at, "\n");
            at += *at == '\n';
            at += strspn(at, " ");
        }
        if (at[0] == '(') { /* "(file=input,line=0,column=0,index=92): " */
            const char *const behind = strstr(at, "): ");
            at = behind && behind < at + strcspn(at, "\n") ? behind + 3 : at;
        }
        size_t n = strcspn(at, "\n,");
        while (n > 0 && (at[n - 1] == ' ' || at[n - 1] == ']')) {
            n--;
        }
        const char *const line = drop_places(arena_printf(a, "%.*s", (int)n, at), a);
        return arena_printf(a, "%.*s", MAX_REASON, line);
    }
    return "";
}

/* The text of a signature. */
static const char *print_finding(const struct finding *f, const struct observation *ob,
                                 struct arena *a)
{
    const char *kind = verdict_rows[f->kind].name, *clause = clause_rows[f->clause].id;
    if (ob->status != RUN_DONE) {
        const char *said = ob->status == RUN_REJECT       ? find_reason(ob->log, a)
                           : f->clause == CLAUSE_ND_RANGE ? ""
                                                          : ob->signature;
        return arena_printf(a, "%s %s %s %d %s", kind, clause, run_phase_names[ob->phase],
                            (int)ob->driver_code, said ? said : "");
    }
    bool const has_two = f->op >= 0 && f->op2 >= 0 && f->op != f->op2; /* either may be to blame */
    bool const is_known = f->known && f->known[0];
    return arena_printf(
        a, "%s %s %s %s %s%s %s%s%s%s%s%s", kind, clause, f->op >= 0 ? op_rows[f->op].name : "-",
        val_type_names[f->type], storage_names[f->storage], f->contended ? " contended" : "",
        f->operand_class, f->circumstances ? f->circumstances : "", has_two ? " or:" : "",
        has_two ? op_rows[f->op2].name : "", is_known ? known_mark : "", is_known ? f->known : "");
}

struct signature signature_of(const struct finding *f, const struct observation *ob,
                              struct arena *a)
{
    return signature_parse(print_finding(f, ob, a), a);
}

/* Does a verdict of this name, by this clause, say that the run did not end well? */
static bool is_of_run(const char *kind, const char *clause)
{
    static const enum verdict_kind kinds[] = {VERDICT_REJECT, VERDICT_CRASH, VERDICT_HANG,
                                              VERDICT_EXIT, VERDICT_DEVICE_LOST};
    for (size_t i = 0; i < ARRAY_N(kinds); i++) {
        if (strcmp(verdict_rows[kinds[i]].name, kind) == 0) {
            return true;
        }
    }
    return strcmp(clause, clause_rows[CLAUSE_INVALID_UNDEFINED].id) == 0;
}

/* How many bytes at `text` are a number, or a name made of hexadecimal digits with a number among them,
 * that ends there; 0: none. */
static size_t measure_number(const char *text)
{
    size_t const n = strspn(text, "0123456789abcdefABCDEFxX");
    size_t const n_prefix = n > 2 && text[0] == '0' && (text[1] | 32) == 'x' ? 2 : 0;
    bool const is_end = !isalpha((unsigned char)text[n]) && text[n] != '_';
    bool const has_digit = strcspn(text + n_prefix, "0123456789") < n - n_prefix;
    bool const has_x = n_prefix + strcspn(text + n_prefix, "xX") < n;
    return is_end && has_digit && !has_x ? n : 0;
}

/* The place of a function in a stripped library, "+0x12a0" behind its build id, which stands for its name. */
static bool is_place(const char *text, const char *out, size_t n)
{
    return n > 0 && out[n - 1] == '+' && text[0] == '0' && text[1] == 'x';
}

/* What a driver said, without what varies from run to run: numbers, addresses and names made of them become
 * "#", so that the same bug has the same words. has_places: numbers that name places of functions stay. Of
 * the frames of a crash (with ";" between) only the top MAX_FRAMES stay. */
static const char *normalise(const char *text, bool has_places, struct arena *a)
{
    char out[MAX_MESSAGE];
    size_t n = 0;
    int n_frames = 0;
    while (*text && n < MAX_MESSAGE) {
        bool const is_start = n == 0 || !isalpha((unsigned char)out[n - 1]);
        size_t const n_number = is_start ? measure_number(text) : 0;
        if (n_number > 0 && has_places && is_place(text, out, n) && n + n_number < MAX_MESSAGE) {
            memcpy(out + n, text, n_number);
            n += n_number;
            text += n_number;
            continue;
        }
        if (n_number > 0) {
            out[n++] = '#';
            text += n_number;
            continue;
        }
        n_frames += *text == ';';
        if (n_frames == MAX_FRAMES) {
            break;
        }
        out[n++] = *text++;
    }
    while (n > 0 && out[n - 1] == ' ') {
        n--;
    }
    return arena_printf(a, "%.*s", (int)n, out);
}

/* A run's core and family: where a C++ name begins, functions that differ by width alone part. */
static void parse_run(struct signature *s, size_t n_words, struct arena *a)
{
    const char *const said = s->text + n_words;
    s->core = arena_printf(a, "%.*s%s", (int)n_words, s->text, normalise(said, true, a));
    s->family = arena_printf(a, "%.*s%s", (int)n_words, s->text, normalise(said, false, a));
    const char *const symbol = strstr(s->family, "_Z");
    if (symbol) {
        s->family = arena_printf(a, "%.*s_Z#", (int)(symbol - s->family), s->family);
    }
}

/* Takes a signature apart. Its core is the first words (VALUE_WORDS of them), and of a run that did not end
 * well what the driver said. Behind the words of a value are its circumstances, with " or:" and another
 * instruction among them where that one may be to blame. The family is the core without width, storage and
 * place. */
struct signature signature_parse(const char *text, struct arena *a)
{
    struct signature s = {.text = text, .known = ""};
    const char *kind = "", *clause = "";
    const char **const words[VALUE_WORDS] = {&kind, &clause, &s.op, &s.type, &s.storage};
    size_t ends[VALUE_WORDS] /* of the words in text */, at = 0;
    for (int i = 0; i < VALUE_WORDS; i++) {
        at += strspn(text + at, " ");
        size_t const n = strcspn(text + at, " ");
        *words[i] = arena_printf(a, "%.*s", (int)n, text + at);
        at += n;
        ends[i] = at;
    }
    if (is_of_run(kind, clause)) {
        /* it has no words of a value: all behind the first RUN_WORDS is the driver's */
        s.is_of_run = true;
        s.op = s.type = s.storage = s.circumstances = s.other_op = "";
        parse_run(&s, ends[RUN_WORDS - 1], a);
        return s;
    }
    static const char mark[] = " or:";
    const char *other = strstr(text + at, mark);
    const char *known = strstr(text + at, known_mark);
    s.known = known ? known + sizeof known_mark - 1 : "";
    s.circumstances = text + at;
    s.other_op = other ? arena_printf(a, "%.*s", (int)strcspn(other + sizeof mark - 1, " "),
                                      other + sizeof mark - 1)
                       : "";
    s.core = arena_printf(a, "%.*s", (int)ends[VALUE_WORDS - 1], text);
    /* Which clause and kind a wrong value of an atomic shows by depends on how it was seen: alone or among
     * others. */
    bool const is_special = strcmp(kind, verdict_rows[VERDICT_NAN_RULE].name) == 0 ||
                            strcmp(kind, verdict_rows[VERDICT_ZERO_SIGN].name) == 0;
    s.family = strncmp(s.op, "Atomic", 6) == 0
                   ? arena_printf(a, "%s %s", is_special ? kind : "value", s.op)
                   : arena_printf(a, "%.*s", (int)ends[WORD_OP], text);
    return s;
}

bool finding_has_core(const struct finding *f, const struct observation *ob, const char *core,
                      struct arena *a)
{
    return strcmp(signature_of(f, ob, a).core, core) == 0;
}

bool signature_fits(const char *text, const char *pattern)
{
    size_t const n = strlen(pattern);
    if (n > 0 && pattern[n - 1] == '*') {
        return strncmp(pattern, text, n - 1) == 0;
    }
    return strcmp(pattern, text) == 0;
}
