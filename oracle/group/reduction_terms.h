/* oracle/group/reduction_terms.h -- the terms of a float sum or product over a group, with the rules that bind it. */
#pragma once

#include "base/format.h"
#include "oracle/num/arith.h"

/* Terms of one result. Borrowed. */
struct reduction {
    enum fmt_id fmt;
    int is_product;
    uint32_t n;            /* terms; 0: the identity alone */
    const uint64_t *term;  /* [n] encodings, ascending by index */
    const uint32_t *index; /* [n] position in the group: trees leave gaps for who is not here */
    uint32_t size;         /* positions of the group, or of the cluster from index[0] on */
    struct fp_rules rules;
};

/* sig * 2^exp of a finite encoding, sig below 2^p. */
struct reduction_part {
    uint64_t sig;
    int exp;
};
static inline struct reduction_part reduction_split(const struct float_format *f, uint64_t enc)
{
    uint64_t const magnitude = enc & (f->exp | f->frac);
    int const field = (int)(magnitude >> (f->prec_bits - 1));
    uint64_t const hidden = field != 0 ? f->frac + 1 : 0;
    int const lowest = f->emin - (int)f->prec_bits + 1;
    return (struct reduction_part){(magnitude & f->frac) | hidden,
                                   lowest + (field != 0 ? field - 1 : 0)};
}
static inline int reduction_is_live(const struct reduction *r, const struct float_format *f,
                                    uint64_t enc)
{
    uint64_t const magnitude = enc & ~f->sign, one = (f->exp >> 1) & f->exp;
    return magnitude != 0 && magnitude < f->exp && !(r->is_product && magnitude == one);
}
