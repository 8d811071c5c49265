/* reports/bug/bug_title.c -- what is wrong, in one line and in one sentence. */
#include "reports/bug/bug_title.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/caps.h"
#include "base/format.h"
#include "base/ops.h"
#include "base/testcase.h"
#include "oracle/tables/storage.h"
#include "oracle/tables/tables.h"
#include "oracle/tables/words.h"
#include "reports/bug/bug_end.h"
#include "reports/bug/bug_facts.h"
#include "reports/bug/bug_ids.h"
#include "reports/bug/bug_module.h"
#include "reports/bug/bug_operands.h"
#include "reports/bug/bug_order.h"
#include "reports/bug/bug_value.h"
#include "reports/model/version_history.h"

enum {
    FACT_BYTES = 1024,
    MAX_CAUSE = 60, /* bytes: a longer one stands in the report alone */
    NEAR_KEYS =
        1 << 16 /* a result with more encodings between it and the right one is not of a rounding */
};

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* ---- the driver ---- */

static const struct platform {
    const char *platform, *device, *title, *tree, *variables;
} platforms[] = {
#define PLATFORM(platform, device, title, tree, variables)                                         \
    {platform, device, title, tree, variables},
#include "reports/bug/bug_platform.def"
};

/* The row of the longest name that fits; NULL: none. */
static const struct platform *find_platform(const struct bug *b, char platform[FACT_BYTES])
{
    char device[FACT_BYTES] = "";
    const struct platform *best = NULL;
    platform[0] = '\0';
    (void)facts_get(bug_get_facts(b), "platform", platform, FACT_BYTES);
    (void)facts_get(bug_get_facts(b), "device", device, sizeof device);
    for (size_t i = 0; i < ARRAY_N(platforms); i++) {
        const struct platform *const x = &platforms[i];
        bool const fits = begins(platform, x->platform) && begins(device, x->device);
        if (fits && (!best || strlen(x->platform) > strlen(best->platform))) {
            best = x;
        }
    }
    return best;
}

const char *bug_get_platform(const struct bug *b, struct arena *a)
{
    char platform[FACT_BYTES];
    const struct platform *const row = find_platform(b, platform);
    if (!row) {
        return platform[0] ? arena_printf(a, "%s", platform) : "";
    }
    return row->tree[0] && bug_list_siblings(b, a)[0] ? row->tree : row->title;
}

const char *bug_list_siblings(const struct bug *b, struct arena *a)
{
    const struct campaign_triage *const t = b->finding->triage;
    const char *const target = b->target ? b->target->name : NULL;
    return t && target ? version_siblings(t, target, a) : "";
}

const char *bug_get_variables(const struct bug *b, struct arena *a)
{
    char text[FACT_BYTES] = "", platform[FACT_BYTES];
    const struct platform *const row = find_platform(b, platform);
    return facts_get(bug_get_facts(b), "target.variables", text, sizeof text)
               ? arena_printf(a, "%s", text)
           : row ? row->variables
                 : "";
}

/* ---- the instruction ---- */

/* "OpAtomicLoad"; an instruction of an extended set has no such prefix. */
static const char *name_op(const char *op, struct arena *a)
{
    int const row = op_find_name(op);
    int const is_core = row >= 0 && op_rows[row].number >> 16 == OP_SET_core;
    return is_core ? arena_printf(a, "Op%s", op) : op;
}

/* Where an instruction works, in words. Names of storage_names (oracle/tables/storage.c) that are not listed are
 * plain already and stay. */
static const char *name_storage(const char *storage)
{
    static const char *const rows[][2] = {
        {"global",               "global memory"            },
        {"workgroup",            "work-group memory"        },
        {"image",                "an image"                 },
        {"texel",                "a texel buffer"           },
        {"generic",              "a generic pointer"        },
        {"physical",             "a buffer by its address"  },
        {"subgroup",             "sub-group"                },
        {"subgroup-reduce",      "sub-group reduction"      },
        {"subgroup-inclusive",   "sub-group inclusive scan" },
        {"subgroup-exclusive",   "sub-group exclusive scan" },
        {"subgroup-clustered",   "clustered reduction"      },
        {"subgroup-partitioned", "partitioned"              },
        {"group",                "work-group"               },
        {"group-reduce",         "work-group reduction"     },
        {"group-inclusive",      "work-group inclusive scan"},
        {"group-exclusive",      "work-group exclusive scan"},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (strcmp(rows[i][0], storage) == 0) {
            return rows[i][1];
        }
    }
    return storage;
}

/* "OpAtomicExchange (i64, work-group memory)" */
static const char *describe_op(const struct bug *b, struct arena *a)
{
    const struct campaign_finding *const x = b->finding;
    const char *const name = bug_is_given(x->op) ? name_op(x->op, a) : "a value";
    const char *const storage =
        bug_is_given(x->storage) ? words_say(b->tc->env, name_storage(x->storage), a) : "";
    const char *const type = bug_is_given(x->type) ? x->type : "";
    if (!type[0] && !storage[0]) {
        return name;
    }
    return arena_printf(a, "%s (%s%s%s)", name, type, type[0] && storage[0] ? ", " : "", storage);
}

/* "the result of mad", "what OpCopyMemory copies": by the text of the instruction of a word that is not stored. */
static const char *describe_result(const struct bug *b, struct arena *a)
{
    static const char copy[] = "OpCopyMemory", extended[] = "OpExtInst ";
    const char *const text = b->finding->instruction ? b->finding->instruction : "";
    const char *const equal = strstr(text, " = ");
    const char *op = equal ? equal + 3 : text + strspn(text, " ");
    if (begins(op, copy)) {
        return arena_printf(a, "what %.*s copies", (int)strcspn(op, " "), op);
    }
    if (!equal) {
        return "its result";
    }
    for (int word = 0; word < 3 && begins(equal + 3, extended);
         word++) { /* its name, type and set */
        op += strcspn(op, " ");
        op += strspn(op, " ");
    }
    size_t const n = strcspn(op, " ");
    return n > 0 ? arena_printf(a, "the result of %.*s", (int)n, op) : "its result";
}

/* What is wrong of a function that gives an integer beside its result, if the value is that integer; NULL: it is not. */
static const char *find_part(const struct campaign_finding *x)
{
    static const struct {
        const char *op, *text;
    } rows[] = {
#define PART(op, text) {op, text},
#include "reports/bug/bug_part.def"
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (x->type[0] == 'i' && strcmp(x->op, rows[i].op) == 0) {
            return rows[i].text;
        }
    }
    return NULL;
}

/* " of a private bool[2]", " of an i32 in global memory": what the accused load, or each load of the module, takes a value
 * from. */
static const char *describe_loaded(const struct bug *b, struct arena *a)
{
    const char *const variable = bug_describe_loaded(b->tc, b->offset, a);
    const char *const type = b->finding->type;
    const char *const storage =
        bug_is_given(b->finding->storage) ? name_storage(b->finding->storage) : "";
    if (variable[0]) {
        return arena_printf(a, " of %s", variable);
    }
    return !bug_is_given(type) ? ""
                               : arena_printf(a, " of %s %s%s%s", type[0] == 'i' ? "an" : "a", type,
                                              storage[0] ? " in " : "", storage);
}

/* ---- what the words show ---- */

enum sign {
    SIGN_ANY,
    SIGN_WORDS, /* there are words that tell */
    SIGN_GOT_NAN,
    SIGN_GOT_SIGNALLING, /* and any quiet NaN is permitted */
    SIGN_WANT_NAN,       /* no number is permitted */
    SIGN_GOT_TRUE,
    SIGN_GOT_OWN, /* what the operation brought, not what it found */
    SIGN_FLUSHED, /* a zero, and the right result is subnormal */
    SIGN_FAR,
    SIGN_SOURCE, /* the same, and an operand is the result of a load of the invocation's or its group's memory, or of a group
                  * instruction */
    SIGN_NEAR,   /* as far from the right result as a rounding goes, or a few */
    SIGN_HAS_NAN,            /* among what takes part */
    SIGN_OF_FREXP_SUBNORMAL, /* the mantissa of a subnormal */
    SIGN_PART,               /* the value is an integer that a function gives beside its result */
    SIGN_KEPT,               /* a value that is kept over a barrier */
    SIGN_LOAD,               /* a load is accused, or no instruction */
    SIGN_IN_ORDER,           /* operations are there that no order explains */
    SIGN_GHOST,              /* the words are those of a work-item after the last one */
    SIGN_GUARDS              /* bytes outside of the buffers have changed */
};

static const struct fault {
    const char *verdict, *clause;
    enum sign sign;
    const char *title;
} faults[] = {
#define FAULT(verdict, clause, sign, title) {verdict, clause, SIGN_##sign, title},
#include "reports/bug/bug_fault.def"
};

/* The first word, with its bits and the one value that it ought to hold. */
struct first {
    const struct expect *x;
    const struct float_format *f;
    bool has_got, has_want;
    uint64_t got, want;
};

static struct first find_first(const struct bug *b)
{
    struct first out = {.x = b->n_expect > 0 ? &b->expect[0] : NULL};
    if (!out.x) {
        return out;
    }
    out.f = bug_get_format(b, out.x);
    out.has_got = bug_get_word(b, out.x, &out.got);
    if (out.x->n > 0) {
        int64_t const key = out.x->r[0].lo;
        out.has_want = true;
        out.want =
            out.f && (out.x->flags & EXPECT_FLOAT) ? format_from_key(out.f, key) : (uint64_t)key;
    }
    return out;
}

/* Do the words lie as the results of a work-item after the last one would, where groups are filled up? Each array
 * of a buffer has a word for each work-item, one array after the other. */
static bool find_ghost(const struct bug *b, uint32_t *ghost)
{
    uint32_t const n = testcase_get_items(b->tc);
    uint64_t n_filled = 1;
    for (int i = 0; i < 3; i++) {
        uint32_t const l = b->tc->local[i];
        n_filled *= ((uint64_t)b->tc->global[i] + l - 1) / l * l;
    }
    for (uint32_t i = 0; i < b->n_expect; i++) {
        const struct expect *const x = &b->expect[i];
        uint32_t const at =
            x->byte / (x->n_bytes > 1 ? x->n_bytes : 4); /* a byte is of some word */
        if (at < n || at % n >= n_filled - n) {
            return false;
        }
        *ghost = i == 0 ? n + at % n : *ghost;
    }
    return b->n_expect > 0;
}

/* Is the result within what roundings make of the right one? */
static bool is_near(const struct first *first)
{
    if (!first->f || !first->has_got || !first->has_want || format_is_nan(first->f, first->got) ||
        format_is_nan(first->f, first->want)) {
        return false;
    }
    int64_t const got = format_to_key(first->f, first->got);
    int64_t const want = format_to_key(first->f, first->want);
    uint64_t const distance =
        got > want ? (uint64_t)got - (uint64_t)want : (uint64_t)want - (uint64_t)got;
    return distance <= NEAR_KEYS;
}

static bool has_source(const struct bug *b)
{
    struct arena a;
    arena_init(&a, (size_t)16 << 20);
    bool const has_it = bug_describe_source(b->tc, b->offset, &a)[0] != '\0';
    arena_free(&a);
    return has_it;
}

/* Does the bug show what a row of bug_fault.def asks for (enum sign), by its first wrong word (`first`), its
 * operands or its run? Without a word that was read (has_got), the finding's text may still say that the result is a
 * NaN. */
static bool has_sign(const struct bug *b, const struct first *first, enum sign sign)
{
    const struct bug_word *const w = b->word && b->n_expect > 0 ? &b->word[0] : NULL;
    const struct float_format *const type = bug_find_format(b->finding->type);
    bool const is_frexp = begins(b->finding->op, "Frexp") || begins(b->finding->op, "frexp");
    uint32_t ignored = 0;
    switch (sign) {
    case SIGN_ANY:
        return true;
    case SIGN_WORDS:
        return first->x != NULL;
    case SIGN_GOT_NAN:
        return first->has_got && first->f ? format_is_nan(first->f, first->got)
                                          : strstr(b->finding->got, "nan") != NULL;
    case SIGN_GOT_SIGNALLING:
        return first->has_got && first->f && format_is_snan(first->f, first->got) &&
               (first->x->flags & EXPECT_QNAN);
    case SIGN_WANT_NAN:
        return first->x && !first->has_want && (first->x->flags & (EXPECT_QNAN | EXPECT_SNAN));
    case SIGN_GOT_TRUE:
        return first->has_got && first->got != 0;
    case SIGN_GOT_OWN: /* operand 0 is what the operation found, 1 what it brought */
        return first->has_got && w && w->n_operands > 1 && w->operand[1] == first->got;
    case SIGN_FLUSHED:
        return first->has_got && first->has_want && first->f &&
               format_is_zero(first->f, first->got) && format_is_subnormal(first->f, first->want);
    case SIGN_FAR:
        return first->has_got && first->has_want && !is_near(first);
    case SIGN_SOURCE:
        return first->has_got && first->has_want && !is_near(first) && has_source(b);
    case SIGN_NEAR:
        return is_near(first);
    case SIGN_HAS_NAN:
        return bug_has_nan(b->participants, b->participants_type);
    case SIGN_PART:
        return find_part(b->finding) != NULL;
    case SIGN_OF_FREXP_SUBNORMAL:
        return is_frexp && w && type && w->n_operands > 0 &&
               format_is_subnormal(type, w->operand[0]);
    case SIGN_KEPT: /* as the judge's sentence has it */
        return strstr(b->finding->text, " before a barrier is another value after it") != NULL;
    case SIGN_LOAD:
        return !bug_is_given(b->finding->op) || strcmp(b->finding->op, "Load") == 0;
    case SIGN_IN_ORDER:
        return b->order != NULL;
    case SIGN_GHOST:
        return find_ghost(b, &ignored);
    case SIGN_GUARDS:
        return b->ob->guard_hits != 0;
    }
    return false;
}

/* ---- title and sentence ---- */

/* " beside OpAtomicUMax": the operations that the signature names with the accused one. */
static const char *describe_others(const struct bug *b, struct arena *a)
{
    static const char mark[] = " or:";
    const char *const at = strstr(b->finding->signature, mark);
    if (!at) {
        return "";
    }
    const char *const name = at + strlen(mark);
    const char *const other = arena_printf(a, "%.*s", (int)strcspn(name, " "), name);
    return strcmp(other, b->finding->op) == 0 ? ""
                                              : arena_printf(a, " beside %s", name_op(other, a));
}

/* ", as if a negation is kept": what would explain all that is wrong, and only that; first of all that a declaration of the
 * module is not seen. `is_marked`: the
 * row of bug_fault.def has a place for it. Where a row has none, only what is not about the accused instruction alone is
 * told. */
static const char *describe_cause(const struct bug *b, bool is_marked, struct arena *a)
{
    const struct campaign_triage *const t = b->finding->triage;
    struct bug_cause const cause = bug_find_cause(t ? t->cause : NULL, a);
    bool const is_value = strcmp(b->finding->verdict, verdict_rows[VERDICT_ULP].name) == 0;
    const char *const sentence = words_say(b->tc->env, cause.sentence, a);
    if (bug_is_given(b->declared)) {
        return arena_printf(a, ", as if %s were not declared", b->declared);
    }
    bool const is_told = is_marked ? cause.is_whole || cause.is_of_any
                                   : cause.is_of_any && (is_value || bug_is_given(b->finding->op));
    size_t const n = strcspn(sentence, ":");
    return b->ob->status == RUN_DONE && is_told && n <= MAX_CAUSE
               ? arena_printf(a, ", as if %.*s", (int)n, sentence)
               : "";
}

/* The text with the words of the bug in place of {op} and the like, which bug_fault.def explains. Any other brace
 * stays as it is. */
static const char *fill(const struct bug *b, const struct first *first, const char *text,
                        struct arena *a)
{
    const struct bug_word *const w = b->word && b->n_expect > 0 ? &b->word[0] : NULL;
    uint32_t ghost = 0;
    (void)find_ghost(b, &ghost);
    const char *const op = describe_op(b, a), *const of = bug_describe_operands(b, a);
    const char *const got = first->has_got ? bug_get_plain(b, first->x, first->got, a) : "a value";
    const char *const want =
        first->has_want ? bug_get_plain(b, first->x, first->want, a) : "another";
    const char *const beside = describe_others(b, a);
    const char *const item = arena_printf(a, "%" PRIu32, w ? w->invocation : b->invocation);
    const char *const result = describe_result(b, a);
    const char *const after_last = arena_printf(a, "%" PRIu32, ghost);
    const char *const last = arena_printf(a, "%" PRIu32, testcase_get_items(b->tc) - 1);
    const char *const end = bug_describe_end(b, a);
    const char *const wrong_part = find_part(b->finding);
    const char *const part = wrong_part ? wrong_part : "";
    const char *const name = name_op(b->finding->op, a);
    const char *const loaded = words_say(b->tc->env, describe_loaded(b, a), a);
    const char *const source = words_say(b->tc->env, bug_describe_source(b->tc, b->offset, a), a);
    const char *const cause = describe_cause(b, true, a);
    const struct {
        const char *mark, *text;
    } rows[] = {
        {"{op}",     op        },
        {"{name}",   name      },
        {"{part}",   part      },
        {"{loaded}", loaded    },
        {"{source}", source    },
        {"{cause}",  cause     },
        {"{of}",     of        },
        {"{got}",    got       },
        {"{want}",   want      },
        {"{beside}", beside    },
        {"{item}",   item      },
        {"{result}", result    },
        {"{ghost}",  after_last},
        {"{last}",   last      },
        {"{end}",    end       },
    };
    const char *out = "";
    text = words_say(b->tc->env, text, a);
    while (*text) {
        size_t n = strcspn(text, "{"), i = 0; /* n 0: at a brace, which row i may fit */
        while (n == 0 && i < ARRAY_N(rows) && !begins(text, rows[i].mark)) {
            i++;
        }
        bool const is_mark = n == 0 && i < ARRAY_N(rows);
        n = is_mark ? strlen(rows[i].mark) : n > 0 ? n : 1;
        out = is_mark ? arena_printf(a, "%s%s", out, rows[i].text)
                      : arena_printf(a, "%s%.*s", out, (int)n, text);
        text += n;
    }
    return out;
}

/* The bug of the instruction that goes wrong before the accused one: nothing but the words of its signature is known. */
static struct bug take_first(const struct bug *b)
{
    struct bug out = *b;
    out.finding = b->first;
    out.first = NULL;
    out.n_expect = out.offset = 0;
    out.word = NULL;
    out.order = NULL;
    out.participants = NULL;
    return out;
}

const char *bug_get_title(const struct bug *b, struct arena *a)
{
    struct bug const before = b->first ? take_first(b) : *b;
    b = &before;
    const struct campaign_finding *const x = b->finding;
    const char *const platform = bug_get_platform(b, a);
    struct first const first = find_first(b);
    const char *what = x->verdict;
    for (size_t i = 0; i < ARRAY_N(faults); i++) {
        const struct fault *const row = &faults[i];
        if ((!row->verdict[0] || strcmp(row->verdict, x->verdict) == 0) &&
            (!row->clause[0] || strcmp(row->clause, x->clause) == 0) &&
            has_sign(b, &first, row->sign)) {
            bool const is_marked = strstr(row->title, "{cause}") != NULL;
            what = fill(b, &first, row->title, a);
            what = is_marked ? what : arena_printf(a, "%s%s", what, describe_cause(b, false, a));
            what += begins(what, ": ") ? 2 : 0; /* an {end} behind nothing */
            break;
        }
    }
    what = platform[0] ? arena_printf(a, "%s: %s", platform, what) : what;
    return b->planted ? arena_printf(a, "%s (a planted fault)", what) : what;
}

static const char *describe_ghost(const struct bug *b, struct arena *a)
{
    uint32_t ghost = 0;
    return find_ghost(b, &ghost)
               ? arena_printf(a,
                              " The dispatch has work-items 0 to %" PRIu32 "; a work-item %" PRIu32
                              " would store its result there.",
                              testcase_get_items(b->tc) - 1, ghost)
               : "";
}

/* Is the first word one that no work-item may write, so that what it held is all that is permitted? */
static bool is_unwritten(const struct bug *b)
{
    uint32_t ignored = 0;
    return strcmp(b->finding->verdict, verdict_rows[VERDICT_CORRUPT].name) == 0 ||
           (strcmp(b->finding->clause, "ND_RANGE") == 0 && find_ghost(b, &ignored));
}

/* "OpSRem(0x8000 (32768 or -32768), 0x7c8a (31882))": the accused instruction with the operands of the first wrong word;
 * "" where another one may be wrong in its place, or where more than its operands decides what it gives. */
static const char *describe_instruction(const struct bug *b, struct arena *a)
{
    bool const is_atomic = op_is_atomic(b->finding->op);
    bool const is_group = bug_is_given(b->participants);
    const char *const operands = b->word ? bug_show_operands(b, 0, a) : "";
    bool const is_plain = operands[0] && bug_is_given(b->finding->op) && !is_atomic && !is_group;
    static const char mark[] =
        "integer argument "; /* of a function that has one beside the floats */
    const char *const at = b->finding->text ? strstr(b->finding->text, mark) : NULL;
    const char *const integer =
        at ? arena_printf(a, ", %.*s", (int)strspn(at + strlen(mark), "-0123456789"),
                          at + strlen(mark))
           : "";
    return is_plain && !b->first && !has_source(b)
               ? arena_printf(a, "%s(%s%s)", name_op(b->finding->op, a), operands, integer)
               : "";
}

static const char *describe_word(const struct bug *b, struct arena *a)
{
    const struct expect *const x = &b->expect[0];
    uint64_t got = 0;
    const char *const who =
        b->word ? arena_printf(a, " (work-item %" PRIu32 ")", b->word[0].invocation) : "";
    if (!bug_get_word(b, x, &got)) {
        return "A word of a buffer is wrong after the run.";
    }
    const char *const now = bug_get_value(b, x, got, a);
    const char *const permitted = bug_get_permitted(b, x, a);
    const char *const result = describe_instruction(b, a);
    const char *const place =
        arena_printf(a, "byte %" PRIu32 " of buffer %" PRIu32 "%s", x->byte, x->buf, who);
    const char *const one =
        result[0] ? arena_printf(a, "%s gives %s. Permitted: %s. The result is stored at %s.",
                                 result, now, permitted, place)
        : is_unwritten(b)
            ? arena_printf(a, "The run changes %s from %s to %s. No work-item may write there.",
                           place, permitted, now)
            : arena_printf(a, "The run stores %s at %s. Permitted: %s.", now, place, permitted);
    return b->n_expect > 1 ? arena_printf(a, "%s %s%" PRIu32 " words of this run are wrong.", one,
                                          b->has_more ? "At least " : "", b->n_expect)
                           : one;
}

static const char *describe_guards(const struct bug *b, struct arena *a)
{
    const char *all = "";
    for (uint32_t i = 0; i < b->tc->n_bufs; i++) {
        if (b->ob->guard_hits >> i & 1) {
            all = arena_printf(a, "%s%s%" PRIu32, all, all[0] ? ", " : "", i);
        }
    }
    return arena_printf(a,
                        "After the run bytes just outside of buffer %s have changed, which no "
                        "work-item may write.",
                        all);
}

static const char *describe_groups(const struct bug *b, struct arena *a)
{
    const uint32_t *const g = b->tc->global, *const l = b->tc->local;
    return arena_printf(a,
                        "The dispatch has %" PRIu32 " x %" PRIu32 " x %" PRIu32
                        " work-items and a local size of %" PRIu32 " x %" PRIu32 " x %" PRIu32
                        ", so that the last work-group is smaller.",
                        g[0], g[1], g[2], l[0], l[1], l[2]);
}

/* Another one's words with a capital letter and a full stop. */
static const char *make_sentence(const char *text, struct arena *a)
{
    size_t const n = text ? strlen(text) : 0;
    bool const is_ended = n > 0 && text[n - 1] == '.';
    return n == 0 ? ""
                  : arena_printf(a, "%c%s%s", toupper((unsigned char)text[0]), text + 1,
                                 is_ended ? "" : ".");
}

/* The call that failed is the first line of the log. */
static const char *first_line(const char *log, struct arena *a)
{
    return log && log[0] ? arena_printf(a, "%.*s", (int)strcspn(log, "\n"), log) : "an error code";
}

/* Bugs of clause ND_RANGE come from a dispatch whose last work-groups are smaller. A sentence before says so, and
 * one after says which work-item does not exist. */
static const char *describe(const struct bug *b, struct arena *a)
{
    uint32_t ignored = 0;
    bool const is_uneven = strcmp(b->finding->clause, "ND_RANGE") == 0;
    const char *const groups = is_uneven ? arena_printf(a, "%s ", describe_groups(b, a)) : "";
    switch (bug_get_kind(b)) {
    case BUG_WORDS:
        return arena_printf(a, "%s%s%s", groups, describe_word(b, a),
                            is_uneven ? describe_ghost(b, a) : "");
    case BUG_MARGINS:
        return arena_printf(a, "%s%s%s%s%s", groups, describe_guards(b, a), b->n_expect ? " " : "",
                            b->n_expect ? describe_word(b, a) : "",
                            is_uneven ? describe_ghost(b, a) : "");
    case BUG_ORDER:
        return bug_describe_order(b->order, b->tc, b->ob, a, NULL);
    case BUG_IDS:
        return bug_describe_ids(b->ids, b->tc, b->ob, &ignored, a);
    case BUG_OUTPUTS:
        return make_sentence(b->finding->text, a);
    case BUG_DIES:
        return b->ob->status == RUN_CRASH
                   ? arena_printf(a,
                                  "The process that builds and runs the kernel below dies by %s "
                                  "(%" PRId32 ")%s.",
                                  bug_name_signal(b->ob->driver_code, a), b->ob->driver_code,
                                  bug_describe_phase(b, a))
                   : arena_printf(a, "The run of the kernel below does not come to its end: %s%s.",
                                  b->finding->verdict, bug_describe_phase(b, a));
    case BUG_REFUSED:
        return arena_printf(a,
                            "The driver refuses the kernel below (%s), although the device lists "
                            "all that it needs.",
                            first_line(b->ob->log, a));
    }
    return "";
}

const char *bug_get_sentence(const struct bug *b, struct arena *a)
{
    return words_say(b->tc->env, describe(b, a), a);
}
