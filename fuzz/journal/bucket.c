/* fuzz/journal/bucket.c -- which findings are one bug. */
#include "fuzz/journal/bucket.h"

#include <ctype.h>
#include <string.h>

#include "oracle/tables/tables.h"

enum {
    N_CORE_WORDS = 5,   /* kind, clause, instruction, type, storage */
    N_FAMILY_WORDS = 3, /* kind, clause, instruction */
    MAX_FRAMES = 3,     /* of a crash */
    MAX_MESSAGE = 96
};

/* What is special about a finding. Zeros are numbers like others: what is wrong about their sign has
 * a kind of its own. */
enum special {
    SPECIAL_CONTENDED = 1,
    SPECIAL_SUBNORMAL = 2,
    SPECIAL_INF = 4,
    SPECIAL_NAN = 8,
    SPECIAL_PARTIAL = 16,
    SPECIAL_DECORATED = 32
};
static const struct {
    const char *word; /* begins a word, or an operand's class in one */
    unsigned special;
} specials[] = {
    {"contended",  SPECIAL_CONTENDED},
    {"subnormal",  SPECIAL_SUBNORMAL},
    {"inf",        SPECIAL_INF      },
    {"qnan",       SPECIAL_NAN      },
    {"snan",       SPECIAL_NAN      },
    {"partial",    SPECIAL_PARTIAL  },
    {"max-error:", SPECIAL_DECORATED},
};

/* The first n words. */
static size_t take_words(const char *text, int n)
{
    size_t at = 0;
    for (int i = 0; i < n && text[at]; i++) {
        at += strspn(text + at, " ");
        at += strcspn(text + at, " ");
    }
    return at;
}

/* Did the run not end well? Its signature says what the driver said. */
static int is_of_run(const char *signature)
{
    static const enum verdict_kind kinds[] = {VERDICT_REJECT, VERDICT_CRASH, VERDICT_HANG,
                                              VERDICT_EXIT, VERDICT_DEVICE_LOST};
    size_t const n = strcspn(signature, " ");
    for (size_t i = 0; i < ARRAY_N(kinds); i++) {
        const char *name = verdict_rows[kinds[i]].name;
        if (strlen(name) == n && strncmp(signature, name, n) == 0) {
            return 1;
        }
    }
    return 0;
}

static int is_hex_digits(const char *p, size_t n)
{
    int has_digit = 0;
    for (size_t i = 0; i < n; i++) {
        if (!isxdigit((unsigned char)p[i])) {
            return 0;
        }
        has_digit |= isdigit((unsigned char)p[i]);
    }
    return has_digit;
}

/* What varies from run to run: numbers, addresses and names made of them become "#". */
static const char *normalise(const char *text, struct arena *a)
{
    char out[MAX_MESSAGE + 1];
    size_t n = 0;
    int n_frames = 0;
    while (*text && n < MAX_MESSAGE) {
        size_t const word = strspn(text, "0123456789abcdefABCDEFxX");
        int const is_start = n == 0 || !isalpha((unsigned char)out[n - 1]);
        size_t const prefix = word > 2 && text[0] == '0' && (text[1] | 32) == 'x' ? 2 : 0;
        int const is_end = !isalpha((unsigned char)text[word]) && text[word] != '_';
        if (word && is_start && is_end && is_hex_digits(text + prefix, word - prefix)) {
            out[n++] = '#';
            text += word;
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

const char *bucket_core(const char *signature, struct arena *a)
{
    if (!is_of_run(signature)) {
        return arena_printf(a, "%.*s", (int)take_words(signature, N_CORE_WORDS), signature);
    }
    size_t const n = take_words(signature, 4); /* kind, clause, phase, code */
    const char *rest = normalise(signature + n, a);
    return rest ? arena_printf(a, "%.*s%s", (int)n, signature, rest) : NULL;
}

const char *bucket_family(const char *signature, struct arena *a)
{
    static const char atomic[] = "Atomic";
    if (is_of_run(signature)) {
        const char *core = bucket_core(signature, a);
        const char *symbol =
            core ? strstr(core, "_Z") : NULL; /* which one differs by width alone */
        return symbol ? arena_printf(a, "%.*s_Z#", (int)(symbol - core), core) : core;
    }
    size_t const kind = take_words(signature, 1), clause = take_words(signature, 2),
                 op = take_words(signature, N_FAMILY_WORDS);
    if (op < clause + 1 || strncmp(signature + clause + 1, atomic, sizeof atomic - 1) != 0) {
        return arena_printf(a, "%.*s", (int)op, signature);
    }
    /* alone or among others: by how the wrong value was seen the clause and the kind differ */
    int const is_value =
        strncmp(signature, "nan-rule ", 9) != 0 && strncmp(signature, "zero-sign ", 10) != 0;
    return arena_printf(a, "%.*s%.*s", is_value ? 5 : (int)kind, is_value ? "value" : signature,
                        (int)(op - clause), signature + clause);
}

static unsigned get_special(const char *signature)
{
    unsigned special = 0;
    if (is_of_run(signature)) {
        return 0;
    }
    const char *p = signature + take_words(signature, N_CORE_WORDS);
    while (*p) {
        p += strspn(p, " ,");
        for (size_t i = 0; i < ARRAY_N(specials); i++) {
            if (strncmp(p, specials[i].word, strlen(specials[i].word)) == 0) {
                special |= specials[i].special;
            }
        }
        p += strcspn(p, " ,");
    }
    return special;
}

static unsigned count_bits(unsigned x)
{
    unsigned n = 0;
    for (; x; x &= x - 1) {
        n++;
    }
    return n;
}

/* A signature taken apart. */
struct apart {
    const char *signature, *core;
    unsigned special;
    const char *place;      /* type and storage; NULL: of a run that did not end well */
    const char *suspect[2]; /* instructions that may be to blame; the second may be NULL */
    const char *culprit;    /* of two; NULL: not yet known */
};

static const char *copy_word(const char *p, struct arena *a)
{
    return arena_printf(a, "%.*s", (int)strcspn(p, " "), p);
}

/* The instructions that may be to blame, and on what they work where. 0: the arena is full. */
static int take_suspects(struct apart *x, struct arena *a)
{
    char const mark[] = " or:";
    const char *s = x->signature;
    size_t const op = take_words(s, 2), type = take_words(s, 3), end = take_words(s, N_CORE_WORDS);
    if (is_of_run(s)) {
        return 1;
    }
    const char *other = strstr(s, mark);
    x->place = arena_printf(a, "%.*s", (int)(end - type), s + type);
    x->suspect[0] = s[op] ? copy_word(s + op + 1, a) : "";
    x->suspect[1] = other ? copy_word(other + sizeof mark - 1, a) : NULL;
    return x->place && x->suspect[0] && (x->suspect[1] || !other);
}

static int is_open(const struct apart *x)
{
    return x->place && x->suspect[1] && !x->culprit;
}

static int is_named(const struct apart *x, const char *place, const char *suspect)
{
    return x->place && strcmp(x->place, place) == 0 &&
           (strcmp(x->suspect[0], suspect) == 0 ||
            (x->suspect[1] && strcmp(x->suspect[1], suspect) == 0));
}

/* An instruction that may be to blame at a place. */
struct cause {
    const char *place, *suspect;
    uint32_t n_explained; /* findings that are certain of it, and those still open that name it */
    uint32_t n_open;      /* these alone */
};
/* All causes that open findings name, and which those of each finding are. */
struct causes {
    uint32_t n;
    struct cause *cause;
    uint32_t (*of)[2]; /* [findings]; both alike where a finding names one instruction twice */
};

static uint32_t add_cause(struct causes *c, const char *place, const char *suspect)
{
    uint32_t i = 0;
    while (i < c->n &&
           (strcmp(c->cause[i].suspect, suspect) != 0 || strcmp(c->cause[i].place, place) != 0)) {
        i++;
    }
    if (i == c->n) {
        c->cause[c->n++] = (struct cause){.place = place, .suspect = suspect};
    }
    c->cause[i].n_open++;
    c->cause[i].n_explained++;
    return i;
}

static int list_causes(struct causes *c, const struct apart *x, uint32_t n, struct arena *a)
{
    c->n = 0;
    c->cause = ARENA_NEW(a, struct cause, 2 * (size_t)n + 1);
    c->of = arena_take(a, sizeof *c->of * ((size_t)n + 1));
    for (uint32_t i = 0; i < n && c->cause && c->of; i++) {
        if (is_open(&x[i])) {
            int const is_one = strcmp(x[i].suspect[0], x[i].suspect[1]) == 0;
            c->of[i][0] = add_cause(c, x[i].place, x[i].suspect[0]);
            c->of[i][1] = is_one ? c->of[i][0] : add_cause(c, x[i].place, x[i].suspect[1]);
        }
    }
    for (uint32_t k = 0; k < c->n; k++) {
        for (uint32_t i = 0; i < n; i++) {
            c->cause[k].n_explained += x[i].place && !x[i].suspect[1] &&
                                       is_named(&x[i], c->cause[k].place, c->cause[k].suspect);
        }
    }
    return c->cause && c->of;
}

/* The cause that explains the most; NULL when nothing is open. */
static struct cause *find_best(const struct causes *c)
{
    struct cause *best = NULL;
    for (uint32_t i = 0; i < c->n; i++) {
        struct cause *const x = &c->cause[i];
        if (x->n_open > 0 &&
            (!best || x->n_explained > best->n_explained ||
             (x->n_explained == best->n_explained && strcmp(x->suspect, best->suspect) < 0))) {
            best = x;
        }
    }
    return best;
}

/* The core that findings join whose culprit this is: that of what is certain of it, the plainest
 * first. NULL: nothing is certain of it. */
static const char *find_certain(const struct apart *x, uint32_t n, const char *place,
                                const char *culprit)
{
    const struct apart *best = NULL;
    for (uint32_t i = 0; i < n; i++) {
        if (is_named(&x[i], place, culprit) && !x[i].suspect[1] &&
            (!best || count_bits(x[i].special) < count_bits(best->special) ||
             (count_bits(x[i].special) == count_bits(best->special) &&
              strcmp(x[i].signature, best->signature) < 0))) {
            best = &x[i];
        }
    }
    return best ? best->core : NULL;
}

/* The culprit of what may have two: the fewest instructions that explain all of it, in turn the one
 * that explains the most. */
static enum res find_culprits(struct apart *x, uint32_t n, struct arena *a, struct err *e)
{
    struct causes causes;
    struct cause *best = NULL;
    if (!list_causes(&causes, x, n, a)) {
        return err_set(e, RES_NOMEM, "no memory for the buckets");
    }
    while ((best = find_best(&causes)) != NULL) {
        const char *core = find_certain(x, n, best->place, best->suspect);
        core = core ? core : arena_printf(a, "%s%s", best->suspect, best->place);
        for (uint32_t i = 0; i < n; i++) {
            if (is_open(&x[i]) && is_named(&x[i], best->place, best->suspect)) {
                for (int k = 0; k < 2 - (causes.of[i][0] == causes.of[i][1]); k++) {
                    causes.cause[causes.of[i][k]].n_open--;
                    causes.cause[causes.of[i][k]].n_explained--;
                }
                x[i].culprit = best->suspect;
                x[i].core = core;
            }
        }
    }
    return RES_OK;
}

/* Is x a better name than y for the bucket of what is special in `of`? */
static int is_better(const struct apart *x, const struct apart *y, unsigned of)
{
    if (x->special & ~of) {
        return 0;
    }
    unsigned const nx = count_bits(x->special), ny = count_bits(y->special);
    return nx != ny                   ? nx < ny
           : x->special != y->special ? x->special < y->special
                                      : strcmp(x->signature, y->signature) < 0;
}

enum res bucket_group(const char *const *signatures, uint32_t n, struct arena *a, uint32_t *out,
                      struct err *e)
{
    struct apart *x = ARENA_NEW(a, struct apart, n + 1);
    for (uint32_t i = 0; i < n && x; i++) {
        x[i] = (struct apart){.signature = signatures[i],
                              .core = bucket_core(signatures[i], a),
                              .special = get_special(signatures[i])};
        x = x[i].core && take_suspects(&x[i], a) ? x : NULL;
    }
    enum res const r =
        x ? find_culprits(x, n, a, e) : err_set(e, RES_NOMEM, "no memory for the buckets");
    if (r != RES_OK) {
        return r;
    }
    for (uint32_t i = 0; i < n; i++) {
        out[i] = i;
        for (uint32_t k = 0; k < n; k++) {
            if (strcmp(x[i].core, x[k].core) == 0 && is_better(&x[k], &x[out[i]], x[i].special)) {
                out[i] = k;
            }
        }
    }
    return RES_OK;
}
