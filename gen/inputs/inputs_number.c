/* gen/inputs/inputs_number.c -- single numbers, made of integers alone. */
#include "gen/inputs/inputs_number.h"

#include <assert.h>

uint64_t inputs_encode(const struct float_format *f, int64_t k, int exp)
{
    uint64_t const sign = k < 0 ? f->sign : 0;
    uint64_t m = k < 0 ? (uint64_t)-k : (uint64_t)k;
    if (m == 0) {
        return 0;
    }
    unsigned const n_frac = f->prec_bits - 1;
    while (m >> n_frac == 0 && exp - 1 >= f->emin - (int)n_frac) {
        m <<= 1;
        exp--;
    }
    if (m >> n_frac == 0) { /* exp is that of subnormal numbers */
        return sign | m;
    }
    uint64_t const biased = (uint64_t)(exp + (int)n_frac + f->emax);
    assert(biased < f->exp >> n_frac);
    return sign | biased << n_frac | (m & f->frac);
}

uint64_t inputs_random(const struct float_format *f, struct rng *r, int lo, int hi)
{
    lo = lo < f->emin ? f->emin : lo > f->emax ? f->emax : lo;
    hi = hi > f->emax ? f->emax : hi < f->emin ? f->emin : hi;
    uint64_t const e = (uint64_t)(lo + f->emax) + rng_below(r, (uint64_t)(hi - lo + 1));
    uint64_t const bits = rng_next(r);
    return (bits & (f->sign | f->frac)) | e << (f->prec_bits - 1);
}

uint64_t inputs_get_special(const struct float_format *f, struct rng *r)
{
    uint64_t const one_bits = inputs_encode(f, 1, 0);
    uint64_t const smallest = f->frac + 1;
    uint64_t const list[] = {0,
                             1,
                             2,
                             f->frac,
                             smallest,
                             smallest + 1,
                             f->exp - 1,
                             f->exp,
                             f->exp | f->quiet,
                             one_bits,
                             one_bits + 1,
                             one_bits - 1,
                             inputs_encode(f, 1, -1),
                             inputs_encode(f, 3, -1),
                             inputs_encode(f, 2, 0),
                             inputs_encode(f, 3, 0),
                             0,
                             f->exp};
    uint64_t const v = list[rng_below(r, ARRAY_N(list))];
    return v ^ (rng_next(r) & 1 ? f->sign : 0);
}
