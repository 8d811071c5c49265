/* oracle/math/func_call.h -- prescribed results: one call's arguments and the ways to answer. */
#pragma once

#include <assert.h>

#include "oracle/math/func_parts.h"

/* Prescribed values; V_NUM: none, it is computed. */
enum func_value {
    V_NUM,
    V_P0,
    V_M0,
    V_HALF,
    V_MHALF,
    V_P1,
    V_M1,
    V_P2,
    V_PINF,
    V_MINF,
    V_EITHER_INF,
    V_NAN
};
/* The arguments of one call, classified. */
struct func_call {
    const struct float_format *f;
    enum func_id id;
    uint64_t x, y, z; /* encodings */
    uint64_t mx, my;  /* magnitudes: ordered as the values are */
    uint64_t one;     /* encoding of 1 */
    int32_t n;
    int minus_x, minus_y; /* signs */
    struct set *out;
};

static inline int give(const struct func_call *c, uint64_t enc)
{
    set_add(c->out, enc);
    return 1;
}

static inline int give_value(const struct func_call *c, enum func_value v)
{
    struct float_format const *f = c->f;
    switch (v) {
    case V_NUM:
        return 0;
    case V_P0:
        return give(c, 0);
    case V_M0:
        return give(c, f->sign);
    case V_HALF:
        return give(c, func_power(f, -1));
    case V_MHALF:
        return give(c, f->sign | func_power(f, -1));
    case V_P1:
        return give(c, c->one);
    case V_M1:
        return give(c, f->sign | c->one);
    case V_P2:
        return give(c, func_power(f, 1));
    case V_PINF:
        return give(c, f->exp);
    case V_MINF:
        return give(c, f->sign | f->exp);
    case V_EITHER_INF:
        (void)give(c, f->exp);
        return give(c, f->sign | f->exp);
    case V_NAN:
        return give(c, f->exp | f->quiet);
    }
    assert(0 && "value out of range");
    return 0;
}

static inline int give_nan_if(const struct func_call *c, int condition)
{
    return condition ? give_value(c, V_NAN) : 0;
}

/* A zero of x's sign. */
static inline int give_zero_if(const struct func_call *c, int condition)
{
    return condition ? give(c, c->x & c->f->sign) : 0;
}

/* A magnitude with x's sign. */
static inline int give_signed(const struct func_call *c, uint64_t magnitude)
{
    return give(c, (c->x & c->f->sign) | magnitude);
}

static inline enum func_kind kind_of(const struct func_call *c, uint64_t enc)
{
    return func_get_kind(c->f, enc);
}

static inline int is_integer(const struct func_call *c, uint64_t enc)
{
    enum func_kind const k = kind_of(c, enc);
    return k == FUNC_EVEN || k == FUNC_ODD;
}

/* Each of more than one argument, none of them a NaN. */
int func_special_several(const struct func_call *c);
