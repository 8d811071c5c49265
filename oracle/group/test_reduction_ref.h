/* oracle/group/test_reduction_ref.h -- what the tests of the reduction share. */
#pragma once

#include <stdio.h>

#include "oracle/group/reduction.h"
#include "oracle/group/reduction_usual.h"

enum {
    N_RULES = 3 * 2 * 3 * 2,
    MAX_TERMS = 128
};
static const size_t arena_limit_bytes = (size_t)1 << 26;

static inline struct fp_rules rules_at(unsigned i)
{
    static const enum flush in[] = {FLUSH_NEVER, FLUSH_MAY};
    static const enum flush out[] = {FLUSH_NEVER, FLUSH_MAY, FLUSH_MUST};
    static const enum rounding roundings[] = {ROUND_RNE, ROUND_RTZ, ROUND_EITHER};
    return (struct fp_rules){.rounding = roundings[i % 3],
                             .flush_in = in[i / 3 % 2],
                             .flush_out = out[i / 6 % 3],
                             .zero_sign_free = i / 18 % 2 != 0};
}

static inline const uint32_t *positions(void)
{
    static const uint32_t index[MAX_TERMS] = {
        0,   1,   2,   3,   4,   5,   6,   7,   8,   9,   10,  11,  12,  13,  14,  15,
        16,  17,  18,  19,  20,  21,  22,  23,  24,  25,  26,  27,  28,  29,  30,  31,
        32,  33,  34,  35,  36,  37,  38,  39,  40,  41,  42,  43,  44,  45,  46,  47,
        48,  49,  50,  51,  52,  53,  54,  55,  56,  57,  58,  59,  60,  61,  62,  63,
        64,  65,  66,  67,  68,  69,  70,  71,  72,  73,  74,  75,  76,  77,  78,  79,
        80,  81,  82,  83,  84,  85,  86,  87,  88,  89,  90,  91,  92,  93,  94,  95,
        96,  97,  98,  99,  100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111,
        112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127};
    return index;
}

static inline struct reduction make(enum fmt_id fmt, int is_product, const uint64_t *term,
                                    uint32_t n, struct fp_rules rules)
{
    return (struct reduction){.fmt = fmt,
                              .is_product = is_product,
                              .n = n,
                              .term = term,
                              .index = positions(),
                              .size = n > 0 ? n : 1,
                              .rules = rules};
}

static inline const char *name_of(const struct reduction *r, char *buf, size_t n_buf)
{
    size_t used = (size_t)snprintf(
        buf, n_buf, "%s %s rounding %d flush %d %d zeros %d:", float_formats[r->fmt].name,
        r->is_product ? "product" : "sum", (int)r->rules.rounding, (int)r->rules.flush_in,
        (int)r->rules.flush_out, r->rules.zero_sign_free);
    for (uint32_t i = 0; i < r->n && used + 24 < n_buf; i++) {
        used +=
            (size_t)snprintf(buf + used, n_buf - used, " 0x%llx", (unsigned long long)r->term[i]);
    }
    return buf;
}
