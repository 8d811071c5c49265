/* base/base.h -- results, errors, arena, deterministic random numbers, bytes. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MUST_USE               __attribute__((warn_unused_result))
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))
#define ARRAY_N(a)             (sizeof(a) / sizeof((a)[0]))

/* What *our* part of the work came to; a driver's misbehaviour is a verdict, never one of these. */
enum res {
    RES_OK,
    RES_IO,     /* the operating system refused */
    RES_FORMAT, /* a file or message is not what it should be */
    RES_LIMIT,  /* a named limit of ours was passed */
    RES_NOMEM,  /* an arena is full */
    RES_USAGE,  /* wrong words on the command line */
    RES_INTERNAL
};

/* One lower-case sentence that names the thing, the place and the number. */
struct err {
    enum res code;
    char text[512];
};

/* One step of a function that returns enum res: it ends with what the step returned if that is not RES_OK. */
#define TRY(step)                                                                                  \
    do {                                                                                           \
        enum res const try_result = (step);                                                        \
        if (try_result != RES_OK) {                                                                \
            return try_result;                                                                     \
        }                                                                                          \
    } while (0)

/* Fill `e` (may be NULL) and return `code`, so that a caller can write `return err_set(...)`. */
enum res err_set(struct err *e, enum res code, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* The same with a list of names behind it, between blanks: of more than fit, as many as do and "...". */
enum res err_set_list(struct err *e, enum res code, const char *names, const char *fmt, ...)
    PRINTF_LIKE(4, 5);

/* Bump allocator: everything of one case lives in one and goes with arena_reset. Grows by chunks
 * up to limit_bytes; pointers stay valid until reset. */
struct arena_chunk;
struct arena {
    struct arena_chunk *chunk; /* newest first */
    size_t used_bytes;         /* over all chunks */
    size_t limit_bytes;
    bool is_full; /* something that was asked for did not fit; stays until arena_reset */
};
void arena_init(struct arena *a, size_t limit_bytes);
/* n_bytes zeroed bytes aligned to 16, or NULL past the limit. */
void *arena_take(struct arena *a, size_t n_bytes);
/* A copy of n_bytes at p in the arena (NULL past the limit); a NUL byte follows it. */
void *arena_copy(struct arena *a, const void *p, size_t n_bytes);
/* An array of n elements of n_bytes each that has room for one more: p itself, or a copy with more room
 * than *cap, which is then set. p may be NULL. NULL past the limit. */
void *arena_grow(struct arena *a, void *p, uint32_t n, uint32_t *cap, size_t n_bytes);
/* printf into the arena; never NULL: "" past the limit, which a->is_full then says. */
const char *arena_printf(struct arena *a, const char *fmt, ...) PRINTF_LIKE(2, 3);
const char *arena_vprintf(struct arena *a, const char *fmt, va_list ap) PRINTF_LIKE(2, 0);
/* A place to come back to: what was taken after it goes, pointers into that too. */
struct arena_mark {
    struct arena_chunk *chunk;
    size_t used_in_chunk, used_bytes;
};
struct arena_mark arena_get_mark(const struct arena *a);
void arena_release(struct arena *a, struct arena_mark mark);
void arena_reset(struct arena *a); /* forget all, keep one chunk */
void arena_free(struct arena *a);
#define ARENA_NEW(a, type, n) ((type *)arena_take((a), sizeof(type) * (size_t)(n)))

/* splitmix64: the same everywhere, cheap to split. */
struct rng {
    uint64_t state;
};
struct rng rng_seed(uint64_t seed);
uint64_t rng_next(struct rng *r);
uint64_t rng_below(struct rng *r, uint64_t n); /* 0 <= result < n; n > 0 */
struct rng rng_fork(struct rng *r, uint64_t label);

/* 64-bit hash of bytes, the same on every machine; `seed` chains calls. */
uint64_t hash_bytes(uint64_t seed, const void *p, size_t n_bytes);

uint64_t load_le(const unsigned char *p, unsigned n_bytes);
void store_le(unsigned char *p, uint64_t v, unsigned n_bytes);

/* Growing byte string in an arena, for encoders. ok turns 0 when the arena is full. */
struct bytes {
    struct arena *a;
    unsigned char *p;
    size_t n, cap;
    int ok;
};
void bytes_init(struct bytes *b, struct arena *a);
/* Room for n_bytes more, so that it need not grow; 0 when the arena is full. */
int bytes_reserve(struct bytes *b, size_t n_bytes);
void bytes_put(struct bytes *b, const void *p, size_t n_bytes);
void bytes_put_u32(struct bytes *b, uint32_t v);
void bytes_put_u64(struct bytes *b, uint64_t v);
void bytes_put_words(struct bytes *b, const uint32_t *words, size_t n); /* 4 bytes each */
void bytes_put_str(struct bytes *b, const char *s); /* u32 length, then the bytes */

/* Reader over bytes; `ok` turns 0 at the first read past the end and all later reads give zero. */
struct reader {
    const unsigned char *p;
    size_t n, pos;
    int ok;
};
uint32_t reader_u32(struct reader *r);
uint64_t reader_u64(struct reader *r);
const unsigned char *reader_take(struct reader *r, size_t n_bytes); /* NULL when too short */
const char *reader_str(struct reader *r, struct arena *a);          /* "" when too short */
