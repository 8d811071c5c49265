/* base/caps.h -- caps.def as an enum and a table, and the test of a need against facts. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum need_id {
#define CAP(id, ...) NEED_##id,
#include "base/caps.def"
};
enum {
    NEED_N = 0
#define CAP(...) +1
#include "base/caps.def"
};
enum {
    NEED_WORDS = (NEED_N + 63) / 64
};

/* A set of needs. */
struct needs {
    uint64_t bits[NEED_WORDS];
};
static inline void needs_add(struct needs *n, enum need_id id)
{
    n->bits[id / 64] |= UINT64_C(1) << (id % 64);
}
static inline void needs_add_if(struct needs *n, enum need_id id, bool is_so)
{
    n->bits[id / 64] |= (uint64_t)is_so << (id % 64);
}
static inline void needs_remove(struct needs *n, enum need_id id)
{
    n->bits[id / 64] &= ~(UINT64_C(1) << (id % 64));
}
static inline int needs_has(const struct needs *n, enum need_id id)
{
    return (int)(n->bits[id / 64] >> (id % 64) & 1);
}

/* Is each need of n one of `of`? */
static inline bool needs_are_within(const struct needs *n, const struct needs *of)
{
    uint64_t others = 0;
    for (int i = 0; i < NEED_WORDS; i++) {
        others |= n->bits[i] & ~of->bits[i];
    }
    return others == 0;
}
/* All that there are. */
static inline struct needs needs_get_all(void)
{
    struct needs all = {{0}};
    for (int i = 0; i < NEED_N; i++) {
        needs_add(&all, (enum need_id)i);
    }
    return all;
}

struct cap_row {
    const char *id;
    unsigned envs; /* OP_CL or OP_VK of ops.h */
    uint32_t capability;
    const char *extensions;
    const char *query;
};
extern const struct cap_row cap_rows[NEED_N];

int need_find(const char *name); /* row by name, or -1 */

/*
 * Facts: what a target says of itself, as text "key=value\n" lines (keys: letters, digits, . and _).
 * The value of `key` is copied to buf (cut to n_buf-1); returns 1 if present, else 0 and "".
 */
int facts_get(const char *facts, const char *key, char *buf, unsigned n_buf);
/* Number (decimal or 0x) of `key`; 0 when absent or not a number. */
uint64_t facts_number(const char *facts, const char *key);
/* Is `word` one of the space-separated words of `key`? */
int facts_has_word(const char *facts, const char *key, const char *word);
/* Does the row's query hold? */
int facts_meet(const char *facts, enum need_id id);
/* First need of `n` that the facts do not meet, or -1 when all are met. */
int facts_first_unmet(const char *facts, const struct needs *n);

/* How a case stands to a target. */
enum fit {
    FIT_LISTED,   /* the target says that it has all that is needed */
    FIT_UNLISTED, /* it does not, but drivers are known to have what is missing without saying so; or
                   * the case uses what no list makes legal */
    FIT_NOT       /* something is missing that nobody has without saying so */
};
enum fit facts_get_fit(const char *facts, const struct needs *n);
/* Is a max-error decoration of so many ulps, the bits of a binary32, on the instruction (a name of ops.def)
 * among those that the target takes? Its facts may say the least bound ("target.max_error_least"), and which
 * instructions take any ("target.max_error_any"). */
int facts_take_bound(const char *facts, const char *op, uint32_t bits);
