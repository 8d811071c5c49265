/* base/base.c -- results, errors, arena, deterministic random numbers, bytes. */
#include "base/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum res err_set(struct err *e, enum res code, const char *fmt, ...)
{
    if (e) {
        va_list ap;
        va_start(ap, fmt);
        e->code = code;
        (void)vsnprintf(e->text, sizeof e->text, fmt, ap);
        va_end(ap);
    }
    return code;
}

enum res err_set_list(struct err *e, enum res code, const char *names, const char *fmt, ...)
{
    static const char more[] = " ...";
    if (!e) {
        return code;
    }
    va_list ap;
    va_start(ap, fmt);
    e->code = code;
    (void)vsnprintf(e->text, sizeof e->text, fmt, ap);
    va_end(ap);
    size_t const n = strlen(e->text), n_names = strlen(names);
    size_t n_fit = n_names;
    if (n + n_names >= sizeof e->text) {
        n_fit = n + sizeof more < sizeof e->text ? sizeof e->text - n - sizeof more : 0;
        while (n_fit > 0 && names[n_fit] != ' ') {
            n_fit--;
        }
    }
    (void)snprintf(e->text + n, sizeof e->text - n, "%.*s%s", (int)n_fit, names,
                   n_fit < n_names ? more : "");
    return code;
}

/* ---- arena ---- */

/* A case takes some 100 KiB, so that most need one chunk. */
enum {
    ARENA_CHUNK_BYTES = 256 << 10,
    PRINTF_SMALL_BYTES = 256,
    ARENA_GROWN_BYTES = 4 << 20,
    ARENA_ALIGN = 16
};

struct arena_chunk {
    struct arena_chunk *older;
    size_t n_bytes, used; /* of the payload, which follows the header */
};

/* Payload offset: the header rounded up to the alignment. */
enum {
    CHUNK_HEADER_BYTES = (sizeof(struct arena_chunk) + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN
};

static unsigned char *chunk_payload(struct arena_chunk *c)
{
    return (unsigned char *)c + CHUNK_HEADER_BYTES;
}

void arena_init(struct arena *a, size_t limit_bytes)
{
    *a = (struct arena){.limit_bytes = limit_bytes};
}

static void *refuse(struct arena *a)
{
    a->is_full = true;
    return NULL;
}

/* Of the chunk for n bytes more. It grows with what the arena holds, so that after arena_reset the next case, which
 * takes about as much, finds room in the one chunk that is kept and asks the system for nothing. */
static size_t get_chunk_bytes(const struct arena *a, size_t n)
{
    size_t const twice =
        2 * a->used_bytes < ARENA_GROWN_BYTES ? 2 * a->used_bytes : ARENA_GROWN_BYTES;
    size_t const least = twice > ARENA_CHUNK_BYTES ? twice : ARENA_CHUNK_BYTES;
    return n > least ? n : least;
}

/* n_bytes zeroed bytes of the arena, aligned for any type, or NULL: the arena would pass its limit, or the
 * system has no more memory. They come from the newest chunk; where that is too full a new one begins, and
 * the rest of the old one stays unused. */
void *arena_take(struct arena *a, size_t n_bytes)
{
    if (n_bytes > SIZE_MAX / 2) {
        return refuse(a);
    }
    size_t const n_least = n_bytes > 0 ? n_bytes : 1; /* so that no two pointers are the same */
    size_t const n = (n_least + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
    if (a->used_bytes > a->limit_bytes || n > a->limit_bytes - a->used_bytes) {
        return refuse(a);
    }
    struct arena_chunk *c = a->chunk;
    if (!c || n > c->n_bytes - c->used) {
        size_t const payload = get_chunk_bytes(a, n);
        struct arena_chunk *fresh = malloc(CHUNK_HEADER_BYTES + payload);
        if (!fresh) {
            return refuse(a);
        }
        *fresh = (struct arena_chunk){.older = c, .n_bytes = payload};
        a->chunk = c = fresh;
    }
    unsigned char *p = chunk_payload(c) + c->used;
    c->used += n;
    a->used_bytes += n;
    memset(p, 0, n);
    return p;
}

void *arena_copy(struct arena *a, const void *p, size_t n_bytes)
{
    if (n_bytes == SIZE_MAX) {
        return NULL;
    }
    void *to = arena_take(a, n_bytes + 1);
    if (to && n_bytes > 0) {
        memcpy(to, p, n_bytes);
    }
    return to;
}

void *arena_grow(struct arena *a, void *p, uint32_t n, uint32_t *cap, size_t n_bytes)
{
    enum {
        FIRST_ROOM = 256
    };
    if (n < *cap) {
        return p;
    }
    uint32_t const room = *cap ? 2 * *cap : FIRST_ROOM;
    void *to = arena_take(a, room * n_bytes);
    if (to && p) {
        memcpy(to, p, n * n_bytes);
    }
    *cap = to ? room : *cap;
    return to;
}

const char *arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const char *const text = arena_vprintf(a, fmt, ap);
    va_end(ap);
    return text;
}

const char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    char small[PRINTF_SMALL_BYTES]; /* most texts fit, and are then formatted once */
    int const n = vsnprintf(small, sizeof small, fmt, ap);
    char *text = n < 0 ? NULL : arena_take(a, (size_t)n + 1);
    if (text && (size_t)n < sizeof small) {
        memcpy(text, small, (size_t)n + 1);
    } else if (text) {
        (void)vsnprintf(text, (size_t)n + 1, fmt, again);
    }
    va_end(again);
    return text ? text : "";
}

/* Free all chunks but `keep`, which may be NULL. */
static void free_chunks(struct arena *a, struct arena_chunk *keep)
{
    struct arena_chunk *c = a->chunk;
    while (c) {
        struct arena_chunk *older = c->older;
        if (c != keep) {
            free(c);
        }
        c = older;
    }
    if (keep) {
        keep->older = NULL;
        keep->used = 0;
    }
    a->chunk = keep;
    a->used_bytes = 0;
    a->is_full = false;
}

struct arena_mark arena_get_mark(const struct arena *a)
{
    return (struct arena_mark){a->chunk, a->chunk ? a->chunk->used : 0, a->used_bytes};
}

void arena_release(struct arena *a, struct arena_mark mark)
{
    while (a->chunk != mark.chunk) {
        struct arena_chunk *const older = a->chunk->older;
        free(a->chunk);
        a->chunk = older;
    }
    if (a->chunk) {
        a->chunk->used = mark.used_in_chunk;
    }
    a->used_bytes = mark.used_bytes;
}

void arena_reset(struct arena *a)
{
    struct arena_chunk *keep = a->chunk;
    for (struct arena_chunk *c = a->chunk; c; c = c->older) {
        if (c->n_bytes > keep->n_bytes) {
            keep = c;
        }
    }
    free_chunks(a, keep);
}

void arena_free(struct arena *a)
{
    free_chunks(a, NULL);
}

/* ---- random numbers and hashes ---- */

/* Finaliser of splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators). */
static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

struct rng rng_seed(uint64_t seed)
{
    return (struct rng){mix(seed ^ UINT64_C(0x5851f42d4c957f2d))};
}

uint64_t rng_next(struct rng *r)
{
    r->state += UINT64_C(0x9e3779b97f4a7c15);
    return mix(r->state);
}

uint64_t rng_below(struct rng *r, uint64_t n)
{
    return rng_next(r) % n;
}

struct rng rng_fork(struct rng *r, uint64_t label)
{
    return (struct rng){mix(rng_next(r) ^ mix(label + UINT64_C(0x9e3779b97f4a7c15)))};
}

uint64_t hash_bytes(uint64_t seed, const void *p, size_t n_bytes)
{
    const unsigned char *b = p;
    uint64_t h = mix(seed + UINT64_C(0x9e3779b97f4a7c15)) ^ n_bytes;
    for (; n_bytes >= 8; b += 8, n_bytes -= 8) {
        h = mix(h ^ load_le(b, 8)) * UINT64_C(0x2545f4914f6cdd1d);
    }
    if (n_bytes > 0) {
        h = mix(h ^ load_le(b, (unsigned)n_bytes)) * UINT64_C(0x2545f4914f6cdd1d);
    }
    return mix(h);
}

/* ---- bytes ---- */

/* Written out, each of these four is one instruction. */
static uint32_t load_le32(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint64_t load_le64(const unsigned char *p)
{
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
           (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 |
           (uint64_t)p[7] << 56;
}

static void store_le32(unsigned char *p, uint32_t v)
{
    p[0] = (unsigned char)v;
    p[1] = (unsigned char)(v >> 8);
    p[2] = (unsigned char)(v >> 16);
    p[3] = (unsigned char)(v >> 24);
}

static void store_le64(unsigned char *p, uint64_t v)
{
    p[0] = (unsigned char)v;
    p[1] = (unsigned char)(v >> 8);
    p[2] = (unsigned char)(v >> 16);
    p[3] = (unsigned char)(v >> 24);
    p[4] = (unsigned char)(v >> 32);
    p[5] = (unsigned char)(v >> 40);
    p[6] = (unsigned char)(v >> 48);
    p[7] = (unsigned char)(v >> 56);
}

uint64_t load_le(const unsigned char *p, unsigned n_bytes)
{
    if (n_bytes == 8) {
        return load_le64(p);
    }
    if (n_bytes == 4) {
        return load_le32(p);
    }
    uint64_t v = 0;
    for (unsigned i = 0; i < n_bytes; i++) {
        v |= (uint64_t)p[i] << (8 * i);
    }
    return v;
}

void store_le(unsigned char *p, uint64_t v, unsigned n_bytes)
{
    if (n_bytes == 8) {
        store_le64(p, v);
        return;
    }
    if (n_bytes == 4) {
        store_le32(p, (uint32_t)v);
        return;
    }
    for (unsigned i = 0; i < n_bytes; i++) {
        p[i] = (unsigned char)(v >> (8 * i) & 0xff);
    }
}

void bytes_init(struct bytes *b, struct arena *a)
{
    *b = (struct bytes){.a = a, .ok = 1};
}

/* Make room for n_bytes more at the end of the string. 1: there is room. 0: the arena is full or the sum
 * would overflow, and b->ok stays 0 from now on, so that an encoder asks only once, at its end. */
int bytes_reserve(struct bytes *b, size_t n_bytes)
{
    if (!b->ok || n_bytes > SIZE_MAX / 4 - b->n) {
        b->ok = 0;
        return 0;
    }
    if (n_bytes > b->cap - b->n) {
        size_t const cap = 2 * b->n + n_bytes + 256; /* doubled, so that few copies are made */
        unsigned char *p = arena_take(b->a, cap);
        if (!p) {
            b->ok = 0;
            return 0;
        }
        if (b->n > 0) {
            memcpy(p, b->p, b->n);
        }
        b->p = p;
        b->cap = cap;
    }
    return 1;
}

void bytes_put(struct bytes *b, const void *p, size_t n_bytes)
{
    if (n_bytes > 0 && bytes_reserve(b, n_bytes)) {
        memcpy(b->p + b->n, p, n_bytes);
        b->n += n_bytes;
    }
}

void bytes_put_u32(struct bytes *b, uint32_t v)
{
    unsigned char le[4];
    store_le(le, v, 4);
    bytes_put(b, le, 4);
}

void bytes_put_words(struct bytes *b, const uint32_t *words, size_t n)
{
    if (!bytes_reserve(b, 4 * n)) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        store_le32(b->p + b->n + 4 * i, words[i]);
    }
    b->n += 4 * n;
}

void bytes_put_u64(struct bytes *b, uint64_t v)
{
    unsigned char le[8];
    store_le(le, v, 8);
    bytes_put(b, le, 8);
}

void bytes_put_str(struct bytes *b, const char *s)
{
    size_t const n = strlen(s);
    if (n > UINT32_MAX) {
        b->ok = 0;
        return;
    }
    bytes_put_u32(b, (uint32_t)n);
    bytes_put(b, s, n);
}

const unsigned char *reader_take(struct reader *r, size_t n_bytes)
{
    if (!r->ok || n_bytes > r->n - r->pos) {
        r->ok = 0;
        return NULL;
    }
    const unsigned char *p = r->p + r->pos;
    r->pos += n_bytes;
    return p;
}

uint32_t reader_u32(struct reader *r)
{
    const unsigned char *p = reader_take(r, 4);
    return p ? (uint32_t)load_le(p, 4) : 0;
}

uint64_t reader_u64(struct reader *r)
{
    const unsigned char *p = reader_take(r, 8);
    return p ? load_le(p, 8) : 0;
}

const char *reader_str(struct reader *r, struct arena *a)
{
    uint32_t const n = reader_u32(r);
    const unsigned char *p = reader_take(r, n);
    const char *s = p ? arena_copy(a, p, n) : NULL;
    if (!s) {
        r->ok = 0;
        return "";
    }
    return s;
}
