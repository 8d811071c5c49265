/* oracle/group/reduction_wider.c -- a sum or product that was kept wider than its type. */
#include "oracle/group/reduction_wider.h"

#include "base/format.h"
#include "oracle/num/mp.h"

/* One step of the enclosure low <= exact <= high; of a product the magnitudes. */
static void step(const struct reduction *r, struct mp_num *low, struct mp_num *high, uint64_t enc)
{
    const struct float_format *f = &float_formats[r->fmt];
    struct mp_num term;
    mp_init(&term, f->prec_bits);
    mp_set_enc(&term, f, r->is_product ? enc & ~f->sign : enc);
    if (r->is_product) {
        (void)mpfr_mul(low->v, low->v, term.v, MPFR_RNDD);
        (void)mpfr_mul(high->v, high->v, term.v, MPFR_RNDU);
    } else {
        (void)mpfr_add(low->v, low->v, term.v, MPFR_RNDD);
        (void)mpfr_add(high->v, high->v, term.v, MPFR_RNDU);
    }
}

int reduction_is_wider(const struct reduction *r, uint64_t got)
{
    const struct float_format *f = &float_formats[r->fmt];
    struct mp_num low, high;
    uint64_t signs = 0;
    if (r->n == 0 || format_is_nan(f, got)) {
        return 0;
    }
    mp_init(&low, MP_MAX_PREC_BITS);
    mp_init(&high, MP_MAX_PREC_BITS);
    (void)mpfr_set_ui(low.v, (unsigned long)r->is_product, MPFR_RNDN);
    (void)mpfr_set_ui(high.v, (unsigned long)r->is_product, MPFR_RNDN);
    for (uint32_t i = 0; i < r->n; i++) {
        if ((r->term[i] & f->exp) == f->exp) {
            return 0; /* an infinity or a NaN decides in any precision */
        }
        signs ^= r->term[i] & f->sign;
        step(r, &low, &high, r->term[i]);
    }
    uint64_t const a = mp_round(f, low.v, REAL_DOWN), b = mp_round(f, high.v, REAL_UP);
    int64_t const key = format_to_key(f, r->is_product ? got ^ signs : got);
    return key >= format_to_key(f, a) && key <= format_to_key(f, b);
}
