/* fuzz/audit/worst.c -- lists of inputs that are known to be hard, which a search tries first. */
#include "fuzz/audit/worst.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/format.h"
#include "base/func_row.h"

enum {
    WORST_FILE_BYTES = 16 << 20,
    WORST_WORD_BYTES = 64,
    WORST_MAX_K = 4096
};

const char *const worst_claim_names[WORST_CLAIM_N] = {
    [WORST_MIDPOINT] = "midpoint",
    [WORST_NUMBER] = "number",
    [WORST_REDUCE] = "reduce",
    [WORST_EDGE] = "edge",
};

/* One line in work: what is not read yet, and where it stands. */
struct line {
    const char *at, *end, *name;
    uint32_t number;
    struct err *e;
};

static enum res complain(const struct line *l, const char *what, const char *word)
{
    return err_set(l->e, RES_FORMAT, "%s:%u: \"%.40s\" is not %s", l->name, (unsigned)l->number,
                   word, what);
}

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void skip_blanks(struct line *l)
{
    while (l->at < l->end && is_blank(*l->at)) {
        l->at++;
    }
}

/* The next word, cut to what every word fits in; "" at the end. */
static const char *take_word(struct line *l, char word[WORST_WORD_BYTES])
{
    size_t n = 0;
    skip_blanks(l);
    for (; l->at < l->end && !is_blank(*l->at); l->at++) {
        if (n + 1 < WORST_WORD_BYTES) {
            word[n++] = *l->at;
        }
    }
    word[n] = '\0';
    return word;
}

static int find_type(const char *name)
{
    int fmt = 0;
    while (fmt < FMT_N && strcmp(float_formats[fmt].name, name) != 0) {
        fmt++;
    }
    return fmt < FMT_N ? fmt : -1;
}

static int find_claim(const char *name)
{
    int i = 0;
    while (i < WORST_CLAIM_N && strcmp(worst_claim_names[i], name) != 0) {
        i++;
    }
    return i < WORST_CLAIM_N ? i : -1;
}

/* "0x" and hex digits, no more bits than the format has. */
static int read_enc(const char *word, enum fmt_id fmt, uint64_t *out)
{
    size_t const n = strlen(word);
    if (n < 3 || n > 18 || strncmp(word, "0x", 2) != 0 ||
        strspn(word + 2, "0123456789abcdef") != n - 2) {
        return 0;
    }
    *out = strtoull(word, NULL, 16);
    return (*out & ~format_mask(&float_formats[fmt])) == 0;
}

static int read_integer(const char *word, long least, long most, long *out)
{
    char *end = NULL;
    errno = 0;
    *out = strtol(word, &end, 10);
    return end != word && !*end && errno == 0 && *out >= least && *out <= most;
}

/* The arguments of an input from its line: encodings of the float ones in hex, then, if the function has one,
 * the integer in decimal. That is kept as its low 32 bits, and is of 16 bits on f16. */
static enum res read_args(struct line *l, struct worst_input *x)
{
    const struct func_row *const f = &func_rows[x->func];
    char word[WORST_WORD_BYTES];
    unsigned i = 0;
    for (; i < f->n_args; i++) {
        if (!read_enc(take_word(l, word), x->fmt, &x->arg[i])) {
            return complain(l, "an encoding of the type, 0x and small hex digits", word);
        }
    }
    if (f->has_int) {
        long const most = x->fmt == FMT_F16 ? INT16_MAX : INT32_MAX;
        long n = 0;
        if (!read_integer(take_word(l, word), -most - 1, most, &n)) {
            return complain(l, "an integer argument of the type", word);
        }
        x->arg[i] = (uint32_t)n;
    }
    return RES_OK;
}

/* One input from a line "FUNCTION TYPE ARGUMENTS... CLAIM [K] SOURCE"; worst.h says what the words mean. All
 * is demanded, the source too, which is the rest of the line; only an edge has no K, and x->k is 0 then. */
static enum res read_line(struct line *l, struct worst_input *x, struct arena *a)
{
    char word[WORST_WORD_BYTES];
    long k = 0;
    *x = (struct worst_input){.k = 0};
    int const func = func_find(take_word(l, word));
    if (func < 0) {
        return complain(l, "a function", word);
    }
    int const fmt = find_type(take_word(l, word));
    if (fmt < 0) {
        return complain(l, "f16, f32 or f64", word);
    }
    x->func = (enum func_id)func;
    x->fmt = (enum fmt_id)fmt;
    TRY(read_args(l, x));
    int const claim = find_claim(take_word(l, word));
    if (claim < 0) {
        return complain(l, "midpoint, number, reduce or edge", word);
    }
    x->claim = (enum worst_claim)claim;
    if (x->claim != WORST_EDGE && !read_integer(take_word(l, word), 1, WORST_MAX_K, &k)) {
        return complain(l, "the k of the claim", word);
    }
    x->k = (unsigned)k;
    skip_blanks(l);
    if (l->at == l->end) {
        return complain(l, "followed by a source", word);
    }
    x->source = arena_copy(a, l->at, (size_t)(l->end - l->at));
    return x->source ? RES_OK : err_set(l->e, RES_NOMEM, "%s: no room", l->name);
}

static uint32_t count_lines(const char *text, size_t n_bytes)
{
    uint32_t n = 1;
    for (size_t i = 0; i < n_bytes; i++) {
        n += text[i] == '\n';
    }
    return n;
}

/* Add the inputs of a text, one a line, to the list; empty lines and those that begin with # are passed over.
 * The inputs so far are copied first to where there is room for the new ones as well, as an arena cannot grow
 * an array. */
enum res worst_parse(struct worst_list *list, const char *name, const char *text, size_t n_bytes,
                     struct arena *a, struct err *e)
{
    uint32_t const n_most = list->n + count_lines(text, n_bytes);
    struct line l = {.at = text, .name = name, .e = e};
    if (n_most > WORST_MAX_INPUTS) {
        return err_set(e, RES_LIMIT, "%s: more than %d inputs", name, WORST_MAX_INPUTS);
    }
    struct worst_input *const inputs = ARENA_NEW(a, struct worst_input, n_most);
    if (!inputs) {
        return err_set(e, RES_NOMEM, "%s: no room for %u inputs", name, (unsigned)n_most);
    }
    if (list->n > 0) {
        memcpy(inputs, list->inputs, list->n * sizeof *inputs);
    }
    list->inputs = inputs;
    while (l.at < text + n_bytes) {
        const char *const stop = memchr(l.at, '\n', (size_t)(text + n_bytes - l.at));
        l.end = stop ? stop : text + n_bytes;
        l.number++;
        skip_blanks(&l);
        if (l.at < l.end && *l.at != '#') {
            TRY(read_line(&l, &list->inputs[list->n], a));
            list->n++;
        }
        l.at = l.end + 1;
    }
    return RES_OK;
}

static int is_list(const struct dirent *entry)
{
    size_t const n = strlen(entry->d_name);
    return n > 4 && strcmp(entry->d_name + n - 4, ".txt") == 0;
}

static enum res load_file(struct worst_list *list, const char *path, struct arena *a, struct err *e)
{
    const unsigned char *text = NULL;
    size_t n_bytes = 0;
    TRY(file_read(path, WORST_FILE_BYTES, a, &text, &n_bytes, e));
    return worst_parse(list, path, (const char *)text, n_bytes, a, e);
}

enum res worst_load(struct worst_list *list, const char *folder, struct arena *a, struct err *e)
{
    struct dirent **names = NULL;
    enum res r = RES_OK;
    *list = (struct worst_list){.n = 0};
    int const n = scandir(folder, &names, is_list, alphasort);
    if (n < 0) {
        return err_set(e, RES_IO, "%s: %s", folder, strerror(errno));
    }
    for (int i = 0; i < n; i++) {
        if (r == RES_OK) {
            r = load_file(list, arena_printf(a, "%s/%s", folder, names[i]->d_name), a, e);
        }
        free(names[i]);
    }
    free(names);
    return r;
}
