/* oracle/judgement/judgement.c -- the texts and the signature of a judgement and its findings. */
#include "oracle/judgement/judgement.h"

#include <string.h>

#include "base/ops.h"
#include "oracle/cause/cause.h"
#include "oracle/cause/crash_words.h"
#include "oracle/cause/stable_text.h"

enum {
    WORD_OP = 2,
    VALUE_WORDS = 5,   /* words of a core: kind, clause, instruction, type, storage */
    RUN_WORDS = 4,     /* the same of a run that did not end well: kind, clause, phase, code */
    MAX_MESSAGE = 160, /* bytes of the driver's message that are kept */
};

enum confinement judgement_get_confinement(const struct judgement *g)
{
    uint32_t const n_confined = g->n_judged - g->n_anything;
    if (n_confined == 0 && g->n_anything + g->n_told > 0) {
        return CONFINED_NONE;
    }
    return n_confined < g->n_anything ? CONFINED_FEW : CONFINED_MOST;
}

const char *judgement_describe_confinement(const struct judgement *g, struct arena *a)
{
    int most = UNCONFINED_DEVICE;
    if (judgement_get_confinement(g) == CONFINED_MOST) {
        return "";
    }
    for (int i = UNCONFINED_NONE + 1; i < UNCONFINED_N; i++) {
        most = g->n_unconfined[i] > g->n_unconfined[most] ? i : most;
    }
    return arena_printf(a, "%u of %u values confined: %s", g->n_judged - g->n_anything,
                        g->n_judged > 0 ? g->n_judged : g->n_told, unconfined_texts[most]);
}

const char *judgement_describe(const struct judgement *g, struct arena *a)
{
    const char *const name = verdict_rows[g->kind].name;
    const char *const few = judgement_describe_confinement(g, a);
    bool const has_note = g->kind == VERDICT_INCONCLUSIVE && g->note && g->note[0];
    return arena_printf(a, "%s%s%s%s%s", name, has_note ? ": " : "", has_note ? g->note : "",
                        few[0] ? has_note ? "; " : ": " : "", few);
}

bool judgement_is_open(const struct judgement *g)
{
    return g->kind == VERDICT_INCONCLUSIVE || g->n_inconclusive > 0 ||
           judgement_get_confinement(g) == CONFINED_NONE;
}

/* Comes before the name of a known bug, after all other words. */
const char known_mark[] = " known:";

bool finding_copy(const struct finding *f, struct arena *a, struct finding *out)
{
    *out = *f;
    out->expect = f->expect ? arena_copy(a, f->expect, sizeof *f->expect) : NULL;
    out->also = NULL; /* of the folder of a bug alone, which is made of a judgement itself */
    out->n_also = 0;
    out->order = NULL;
    out->ids = NULL;
    const char **const texts[] = {&out->permitted, &out->operand_class, &out->circumstances,
                                  &out->known,     &out->text,          &out->participants};
    for (size_t i = 0; i < ARRAY_N(texts); i++) {
        *texts[i] = *texts[i] ? arena_printf(a, "%s", *texts[i]) : "";
    }
    return !a->is_full;
}

/* What the driver reported, in words that are the same in each run. */
static const char *get_driver_words(const struct finding *f, const struct observation *ob,
                                    struct arena *a)
{
    if (ob->status == RUN_REJECT) {
        return cause_find(ob->log, f->excused, a).words;
    }
    bool const is_random =
        f->clause == CLAUSE_ND_RANGE; /* absent work-items overwrite any memory */
    return is_random || !ob->signature ? "" : crash_get_words(ob->signature, a);
}

/* The text of a signature. */
static const char *print_finding(const struct finding *f, const struct observation *ob,
                                 struct arena *a)
{
    const char *kind = verdict_rows[f->kind].name, *clause = clause_rows[f->clause].id;
    bool const is_known = f->known && f->known[0];
    if (ob->status != RUN_DONE) {
        const char *const said = get_driver_words(f, ob, a);
        return arena_printf(a, "%s %s %s %d%s%s%s%s", kind, clause, run_phase_names[ob->phase],
                            (int)ob->driver_code, said[0] ? " " : "", said,
                            is_known ? known_mark : "", is_known ? f->known : "");
    }
    bool const has_two =
        f->op >= 0 && f->op2 >= 0 && f->op != f->op2; /* either instruction may be to blame */
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

/* Is a signature with this kind that of a run that did not end well? `word` is its third word: of a divergence it is
 * a phase, which is no instruction's name. */
static bool is_of_run(const char *kind, const char *word)
{
    static const enum verdict_kind kinds[] = {VERDICT_REJECT, VERDICT_CRASH, VERDICT_HANG,
                                              VERDICT_EXIT, VERDICT_DEVICE_LOST};
    for (size_t i = 0; i < ARRAY_N(kinds); i++) {
        if (strcmp(verdict_rows[kinds[i]].name, kind) == 0) {
            return true;
        }
    }
    for (int i = 0; i < RUN_PHASE_N; i++) {
        if (strcmp(run_phase_names[i], word) == 0) {
            return true;
        }
    }
    return false;
}

/* Cuts a family before the first C++ name: functions that differ in a width alone have different names. */
static const char *cut_symbol(const char *family, struct arena *a)
{
    const char *const symbol = strstr(family, "_Z");
    return symbol ? arena_printf(a, "%.*s_Z#", (int)(symbol - family), family) : family;
}

/* Sets the core and the family of a run that did not end well, from its first n_words bytes (kind, clause, phase,
 * code) and what the driver reported after them: of a refusal its cause, of a crash its reason and its first frames. */
static void parse_run_signature(struct signature *s, const char *kind, size_t n_words,
                                struct arena *a)
{
    int const n_ahead = (int)n_words;
    const char *const known = strstr(s->text + n_words, known_mark);
    const char *const said =
        known ? arena_printf(a, "%.*s", (int)(known - s->text - n_ahead), s->text + n_words)
              : s->text + n_words;
    s->known = known ? known + sizeof known_mark - 1 : "";
    size_t const n_blank = strspn(said, " ");
    if (strcmp(kind, verdict_rows[VERDICT_REJECT].name) == 0) {
        s->core = s->family =
            arena_printf(a, "%.*s%s", n_ahead, s->text, stable_text(said, false, MAX_MESSAGE, a));
        s->family = cut_symbol(s->family, a);
        return;
    }
    const char *const words = crash_get_words(said + n_blank, a);
    int const n_core = (int)crash_measure_core(words);
    const char *const blank = n_core > 0 ? " " : "";
    s->core = arena_printf(a, "%.*s%s%.*s", n_ahead, s->text, blank, n_core, words);
    s->family = cut_symbol(
        arena_printf(a, "%.*s%s%s", n_ahead, s->text, blank, crash_get_family(words, a)), a);
}

/* Parses a signature. Its core is the first VALUE_WORDS words; of a run that did not end well, the first RUN_WORDS words and
 * what the driver reported. After the words of a value come its circumstances, with " or:" and another instruction among them
 * if that may be to blame. The family is the core without width, storage and the position of the access. */
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
    if (is_of_run(kind, s.op)) {
        /* all after the first RUN_WORDS words is the driver's report */
        s.is_of_run = true;
        s.op = s.type = s.storage = s.circumstances = s.other_op = "";
        parse_run_signature(&s, kind, ends[RUN_WORDS - 1], a);
        return s;
    }
    static const char mark[] = " or:";
    const char *other = strstr(text + at, mark); /* NULL: no other instruction may be to blame */
    const char *known = strstr(text + at, known_mark);
    s.known = known ? known + sizeof known_mark - 1 : "";
    s.circumstances = text + at;
    s.other_op = other ? arena_printf(a, "%.*s", (int)strcspn(other + sizeof mark - 1, " "),
                                      other + sizeof mark - 1)
                       : "";
    s.core = arena_printf(a, "%.*s", (int)ends[VALUE_WORDS - 1], text);
    /* by which clause and kind a wrong value of an atomic shows depends on whether it was observed alone or in an
     * order: the family leaves both out */
    bool const is_special = strcmp(kind, verdict_rows[VERDICT_NAN_RULE].name) == 0 ||
                            strcmp(kind, verdict_rows[VERDICT_ZERO_SIGN].name) == 0;
    s.family = op_is_atomic(s.op) ? arena_printf(a, "%s %s", is_special ? kind : "value", s.op)
                                  : arena_printf(a, "%.*s", (int)ends[WORD_OP], text);
    return s;
}

const char *const operand_class_names[FP_CLASS_N] = {
    [FP_CLASS_ZERO] = "zero", [FP_CLASS_SUBNORMAL] = "subnormal", [FP_CLASS_NORMAL] = "normal",
    [FP_CLASS_INF] = "inf",   [FP_CLASS_QNAN] = "qnan",           [FP_CLASS_SNAN] = "snan"};

/* Names stand between blanks, commas or the end of the text. */
unsigned signature_get_classes(const char *text, struct arena *a)
{
    unsigned classes = 0;
    for (const char *at = signature_parse(text, a).circumstances; *at;) {
        size_t const n = strcspn(at, " ,");
        for (int i = 0; i < FP_CLASS_N; i++) {
            bool const is_it =
                n == strlen(operand_class_names[i]) && strncmp(at, operand_class_names[i], n) == 0;
            classes |= (unsigned)is_it << i;
        }
        at += n + (at[n] != '\0');
    }
    return classes;
}

/* Finds the phase in the signature or core of a run that died: its offset *at, and its length; 0: there is none. */
static size_t find_phase(const char *text, size_t *at)
{
    static const enum verdict_kind kinds[] = {VERDICT_CRASH, VERDICT_HANG, VERDICT_EXIT,
                                              VERDICT_DIVERGENCE};
    size_t const n_kind = strcspn(text, " ");
    size_t const clause = n_kind + strspn(text + n_kind, " ");
    size_t const end = clause + strcspn(text + clause, " ");
    *at = end + strspn(text + end, " ");
    size_t const n = strcspn(text + *at, " ");
    bool is_dead = false, is_phase = false;
    for (size_t i = 0; i < ARRAY_N(kinds); i++) {
        const char *const name = verdict_rows[kinds[i]].name;
        is_dead |= strlen(name) == n_kind && strncmp(name, text, n_kind) == 0;
    }
    for (int i = 0; i < RUN_PHASE_N; i++) {
        is_phase |=
            strlen(run_phase_names[i]) == n && strncmp(run_phase_names[i], text + *at, n) == 0;
    }
    return is_dead && is_phase ? n : 0;
}

/* Is `known` of a run that died, with the phase `start`, and is `text` the same up to its own phase? Then the rest of
 * each begins at *text_at and *known_at. Earlier versions wrote that phase for each such run. */
static bool skip_phase(const char *text, const char *known, size_t *text_at, size_t *known_at)
{
    const char *const start = run_phase_names[PHASE_START];
    size_t at = 0, other_at = 0;
    size_t const n = find_phase(known, &at), n_other = find_phase(text, &other_at);
    if (n != strlen(start) || strncmp(known + at, start, n) != 0 || n_other == 0 ||
        at != other_at || strncmp(text, known, at) != 0) {
        return false;
    }
    *text_at = at + n_other;
    *known_at = at + n;
    return true;
}

bool core_is_of(const char *core, const char *known)
{
    size_t at = 0, known_at = 0;
    return strcmp(core, known) == 0 ||
           (skip_phase(core, known, &at, &known_at) && strcmp(core + at, known + known_at) == 0);
}

bool finding_has_core(const struct finding *f, const struct observation *ob, const char *core,
                      struct arena *a)
{
    return core_is_of(signature_of(f, ob, a).core, core);
}

/* Are the first n bytes of the text the core of a crash, after which more frames follow? */
static bool is_core(const char *text, size_t n)
{
    size_t at = 0;
    for (int i = 0; i < RUN_WORDS; i++) {
        at += strcspn(text + at, " ");
        at += strspn(text + at, " ");
    }
    return at < n && at + crash_measure_core(text + at) == n;
}

static int count_words(const char *text)
{
    int n = 0;
    while (*text) {
        n += text[strspn(text, " ")] != '\0';
        text += strspn(text, " ");
        text += strcspn(text, " ");
    }
    return n;
}

/* Does the text from byte `at` on fit the pattern from byte `pattern_at` on? */
static bool fits_from(const char *text, size_t at, const char *pattern, size_t pattern_at)
{
    const char *const rest = pattern + pattern_at;
    size_t const n = strlen(rest), end = at + n;
    if (n > 0 && rest[n - 1] == '*') {
        return strncmp(rest, text + at, n - 1) == 0;
    }
    return strncmp(rest, text + at, n) == 0 &&
           (!text[end] || (text[end] == ';' && is_core(text, end)) ||
            (text[end] == ' ' && count_words(pattern) == VALUE_WORDS));
}

bool signature_fits(const char *text, const char *pattern)
{
    size_t at = 0, pattern_at = 0;
    return fits_from(text, 0, pattern, 0) || (skip_phase(text, pattern, &at, &pattern_at) &&
                                              fits_from(text, at, pattern, pattern_at));
}
