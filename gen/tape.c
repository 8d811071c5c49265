/* gen/tape.c -- reading decisions, random tapes, tapes on disk. */
#include "gen/tape.h"

#include <assert.h>
#include <string.h>

#include "gen/gen.h"
#include "gen/grammar.h"

static const char tape_magic[8] = {'h', 'u', 'l', 'p', 't', 'a', 'p', 'e'};
enum {
    /* magic, u32 version, u32 length of the profile's name, the name padded to whole records */
    TAPE_FIXED_BYTES = 16,
    TAPE_MAX_PROFILE_BYTES = 32,
    TAPE_MAX_BYTES =
        TAPE_FIXED_BYTES + TAPE_MAX_PROFILE_BYTES + TAPE_RECORD_BYTES * TAPE_MAX_RECORDS
};

uint64_t tape_take_u64(struct tape *t)
{
    if (t->next >= t->n_records || t->next >= TAPE_HEAD_RECORDS) {
        return 0; /* past the end: the smallest legal choice */
    }
    return load_le(t->data + TAPE_RECORD_BYTES * t->next++, TAPE_RECORD_BYTES);
}

uint64_t tape_take_below(struct tape *t, uint64_t n)
{
    assert(n > 0);
    return tape_take_u64(t) % n;
}

int tape_take_chance(struct tape *t, unsigned percent)
{
    return tape_take_below(t, 100) + percent >= 100 && percent > 0;
}

int tape_has_child(const struct tape *t)
{
    return (t->child ? t->child : TAPE_HEAD_RECORDS) < t->n_records;
}

struct tape tape_fork(struct tape *t)
{
    struct tape sub = {.data = NULL};
    size_t const at = t->child ? t->child : TAPE_HEAD_RECORDS;
    if (at >= t->n_records) {
        return sub;
    }
    size_t const left = t->n_records - at - 1;
    size_t const want =
        load_le(t->data + TAPE_RECORD_BYTES * at, TAPE_RECORD_BYTES) % TAPE_MAX_RECORDS;
    sub.data = t->data + TAPE_RECORD_BYTES * (at + 1);
    sub.n_records = want < left ? want : left;
    t->child = at + 1 + sub.n_records;
    return sub;
}

/* A random tape in the making. */
struct writer {
    struct rng rng;
    unsigned char *data;
    size_t n;
};
enum {
    RANDOM_MAX_RECORDS = 16384
}; /* far beyond what put_root makes: blocks shrink with depth */

static void put_record(struct writer *w, uint64_t v)
{
    if (w->n < RANDOM_MAX_RECORDS) {
        store_le(w->data + TAPE_RECORD_BYTES * w->n++, v, TAPE_RECORD_BYTES);
    }
}

/* Open a node with a random head; returns where its length stands. `first` is its first decision. */
static size_t open_node(struct writer *w, uint64_t first)
{
    size_t const at = w->n;
    put_record(w, 0);
    put_record(w, first);
    for (int i = 1; i < TAPE_HEAD_RECORDS; i++) {
        put_record(w, rng_next(&w->rng));
    }
    return at;
}

static void close_node(struct writer *w, size_t at)
{
    store_le(w->data + TAPE_RECORD_BYTES * at, w->n - at - 1, TAPE_RECORD_BYTES);
}

static void put_leaf(struct writer *w)
{
    close_node(w, open_node(w, rng_next(&w->rng)));
}

static void put_operand(struct writer *w, int depth)
{
    uint64_t const first = rng_next(&w->rng);
    size_t const at = open_node(w, first);
    if (first % 100 >= GRAMMAR_COMPUTED_FROM && depth < GRAMMAR_MAX_OPERAND_DEPTH) {
        put_operand(w, depth + 1);
        put_operand(w, depth + 1);
        put_operand(w, depth + 1);
    }
    close_node(w, at);
}

static void put_block(struct writer *w, int depth, uint64_t n_statements);

static void put_statement(struct writer *w, int depth)
{
    uint64_t const first = rng_next(&w->rng);
    size_t const at = open_node(w, first);
    if (first % 100 >= GRAMMAR_COMPOUND_FROM && depth < GRAMMAR_MAX_DEPTH) {
        put_block(w, depth + 1, 1 + rng_below(&w->rng, 2));
        put_block(w, depth + 1, 1 + rng_below(&w->rng, 2));
        put_operand(w, 1);
        put_operand(w, 1);
    } else {
        put_leaf(w);
        put_operand(w, 0);
        put_operand(w, 0);
    }
    close_node(w, at);
}

static void put_block(struct writer *w, int depth, uint64_t n_statements)
{
    size_t const at = open_node(w, rng_next(&w->rng));
    for (uint64_t i = 0; i < n_statements; i++) {
        put_statement(w, depth);
    }
    close_node(w, at);
}

static void put_root(struct writer *w)
{
    for (int i = 0; i < TAPE_HEAD_RECORDS; i++) {
        put_record(w, rng_next(&w->rng));
    }
    put_leaf(w);
    put_leaf(w);
    size_t const cells = open_node(w, rng_next(&w->rng));
    for (int i = 0; i < GRAMMAR_MAX_CELLS; i++) {
        size_t const cell = open_node(w, rng_next(&w->rng));
        put_leaf(w);
        close_node(w, cell);
    }
    close_node(w, cells);
    put_block(w, 1, 1 + rng_below(&w->rng, 2));
    put_block(w, 0, 2 + rng_below(&w->rng, 5));
    put_leaf(w);
    put_block(w, GRAMMAR_MAX_DEPTH, 1 + rng_below(&w->rng, 4));
}

enum res tape_random(struct tape *t, struct rng *r, struct arena *a, struct err *e)
{
    struct writer w = {.rng = rng_fork(r, 1)};
    w.data = arena_take(a, (size_t)TAPE_RECORD_BYTES * RANDOM_MAX_RECORDS);
    if (!w.data) {
        return err_set(e, RES_NOMEM, "random tape: arena full at %zu bytes", a->used_bytes);
    }
    put_root(&w);
    *t = (struct tape){.data = w.data, .n_records = w.n};
    return RES_OK;
}

enum res tape_parse(struct tape *t, const char *name, const void *p, size_t n, const char **profile,
                    struct arena *a, struct err *e)
{
    const unsigned char *const b = p;
    if (n < TAPE_FIXED_BYTES || memcmp(b, tape_magic, sizeof tape_magic) != 0) {
        return err_set(e, RES_FORMAT, "%s: byte 0: not a tape of halfulp", name);
    }
    uint64_t const version = load_le(b + 8, 4);
    if (version != GEN_VERSION) {
        return err_set(e, RES_FORMAT, "%s: byte 8: made by generator version %u, this is %d", name,
                       (unsigned)version, GEN_VERSION);
    }
    uint64_t const n_name = load_le(b + 12, 4);
    size_t const start = TAPE_FIXED_BYTES + (size_t)(n_name + 7) / 8 * 8;
    if (n_name == 0 || n_name > TAPE_MAX_PROFILE_BYTES || start > n) {
        return err_set(e, RES_FORMAT, "%s: byte 12: name of %u bytes for a profile", name,
                       (unsigned)n_name);
    }
    char *const text = arena_copy(a, b + TAPE_FIXED_BYTES, (size_t)n_name);
    if (!text) {
        return err_set(e, RES_NOMEM, "%s: arena full at %zu bytes", name, a->used_bytes);
    }
    if (profile_find(text) < 0) {
        return err_set(e, RES_FORMAT, "%s: byte 16: no such profile", name);
    }
    if ((n - start) % TAPE_RECORD_BYTES != 0 ||
        (n - start) / TAPE_RECORD_BYTES > TAPE_MAX_RECORDS) {
        return err_set(e, RES_FORMAT, "%s: %zu bytes: too long or a partial record", name, n);
    }
    const unsigned char *const data = arena_copy(a, b + start, n - start);
    if (!data) {
        return err_set(e, RES_NOMEM, "%s: arena full at %zu bytes", name, a->used_bytes);
    }
    *profile = profile_names[profile_find(text)];
    *t = (struct tape){.data = data, .n_records = (n - start) / TAPE_RECORD_BYTES};
    return RES_OK;
}

enum res tape_load_file(struct tape *t, const char *path, const char **profile, struct arena *a,
                        struct err *e)
{
    const unsigned char *p = NULL;
    size_t n = 0;
    enum res const r = file_read(path, TAPE_MAX_BYTES, a, &p, &n, e);
    return r == RES_OK ? tape_parse(t, path, p, n, profile, a, e) : r;
}

enum res tape_save_file(const struct tape *t, const char *path, const char *profile, struct err *e)
{
    struct arena a;
    arena_init(&a, 4 * (size_t)TAPE_MAX_BYTES);
    struct bytes b;
    bytes_init(&b, &a);
    bytes_put(&b, tape_magic, sizeof tape_magic);
    bytes_put_u32(&b, GEN_VERSION);
    size_t const n_name = strlen(profile);
    bytes_put_u32(&b, (uint32_t)n_name);
    bytes_put(&b, profile, n_name);
    static const char zeros[TAPE_RECORD_BYTES] = {0};
    bytes_put(&b, zeros, (8 - n_name % 8) % 8);
    bytes_put(&b, t->data ? t->data : (const unsigned char *)zeros,
              TAPE_RECORD_BYTES * t->n_records);
    enum res const r =
        b.ok ? file_write(path, b.p, b.n, e) : err_set(e, RES_NOMEM, "%s: arena full", path);
    arena_free(&a);
    return r;
}
