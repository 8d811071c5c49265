/* base/audit_result.c -- bins of the histogram of errors, and their sum; largest errors. */
#include "base/audit_result.h"

#include <string.h>

const char *const audit_hardware_names[AUDIT_HARDWARE_N] = {"", "rounded", "low", "high", "random"};

double sweep_bin_edge(uint32_t i)
{
    /* Bin 1 starts at the encoding of 2^-5, and each step is a quarter of an octave: SWEEP_FIRST_BIN. */
    uint64_t const enc = (uint64_t)((1023 - 5) * 4 + i - 1) << SWEEP_BIN_SHIFT;
    double edge = 0;
    memcpy(&edge, &enc, sizeof edge);
    return i == 0 ? 0 : edge;
}

enum {
    DIGIT_BITS = 32,
    LOWEST_BIT = -64,
    DIGITS_BELOW_1 = 2,
    FRACTION_BITS = 52,
    BIAS = 1023
};

/* part * 2^(32 at), with what is carried; what is beyond the last digit is lost. */
static void add_at(struct sweep_sum *s, uint32_t at, uint64_t part)
{
    for (; at < SWEEP_DIGITS && part > 0; at++) {
        uint64_t const sum = (uint64_t)s->digit[at] + (uint32_t)part;
        s->digit[at] = (uint32_t)sum;
        part = (part >> DIGIT_BITS) + (sum >> DIGIT_BITS);
    }
}

/* part * times * 2^(32 at) */
static void add_product(struct sweep_sum *s, uint32_t at, uint32_t part, uint64_t times)
{
    add_at(s, at, part * (times & UINT32_MAX));
    add_at(s, at + 1, part * (times >> DIGIT_BITS));
}

void sweep_add_error(struct sweep_result *r, double magnitude_ulp, uint64_t times)
{
    static double const largest = 0x1p1020;
    uint64_t enc = 0;
    double const v = magnitude_ulp < largest ? magnitude_ulp : largest; /* a NaN is not */
    memcpy(&enc, &v, sizeof enc);
    int const field = (int)(enc >> FRACTION_BITS);
    uint64_t m = enc & ((UINT64_C(1) << FRACTION_BITS) - 1);
    m |= field ? UINT64_C(1) << FRACTION_BITS : 0;
    int shift = (field ? field : 1) - BIAS - FRACTION_BITS - LOWEST_BIT;
    if (shift < 0) {
        m = -shift <= FRACTION_BITS + 1 ? (m + (UINT64_C(1) << (-shift - 1))) >> -shift : 0;
        shift = 0;
    }
    uint32_t const at = (uint32_t)shift / DIGIT_BITS, n_up = (uint32_t)shift % DIGIT_BITS;
    uint64_t const low = (m & UINT32_MAX) << n_up, high = (m >> DIGIT_BITS) << n_up;
    add_product(&r->sum, at, (uint32_t)low, times);
    add_product(&r->sum, at + 1, (uint32_t)(low >> DIGIT_BITS), times);
    add_product(&r->sum, at + 1, (uint32_t)high, times);
    add_product(&r->sum, at + 2, (uint32_t)(high >> DIGIT_BITS), times);
    r->sum_error += v * (double)times;
}

void sweep_add_sum(struct sweep_result *r, const struct sweep_sum *sum, uint64_t times)
{
    for (uint32_t i = 0; i < SWEEP_DIGITS; i++) {
        add_product(&r->sum, i, sum->digit[i], times);
    }
    r->sum_error = sweep_get_sum(&r->sum);
}

double sweep_get_sum(const struct sweep_sum *sum)
{
    double v = 0;
    for (uint32_t i = SWEEP_DIGITS; i-- > DIGITS_BELOW_1;) { /* not beyond the range of a double */
        v = v * 0x1p32 + sum->digit[i];
    }
    return v + (sum->digit[1] * 0x1p-32 + sum->digit[0] * 0x1p-64);
}

struct sweep_sum sweep_get_added(const struct sweep_result *r, const struct sweep_sum *before)
{
    struct sweep_sum out;
    uint64_t borrow = 0;
    for (uint32_t i = 0; i < SWEEP_DIGITS; i++) {
        uint64_t const difference = (uint64_t)r->sum.digit[i] - before->digit[i] - borrow;
        out.digit[i] = (uint32_t)difference;
        borrow = difference >> DIGIT_BITS ? 1 : 0;
    }
    return out;
}

static double get_size(double error)
{
    return error < 0 ? -error : error;
}

const struct sweep_worst *audit_get_largest(const struct sweep_result *r)
{
    return get_size(r->above.error) >= get_size(r->below.error) ? &r->above : &r->below;
}

/* The forms of a row with the same instruction, in which the hardware errs. */
static void take_erring(struct audit_form *form, const struct audit_row *row)
{
    for (uint32_t i = 0; i < row->n_forms; i++) {
        const struct sweep_worst *const worst = audit_get_largest(&row->result[i]);
        if (row->form[i].op == form->op && row->form[i].hardware > HARDWARE_ROUNDED &&
            get_size(worst->error) > get_size(form->erring_worst.error)) {
            form->erring_worst = *worst;
            form->erring_hardware = row->form[i].hardware;
        }
    }
}

static void find_erring(const struct audit *x, struct audit_row *row, uint32_t k)
{
    struct audit_form *const form = &row->form[k];
    form->erring_worst = *audit_get_largest(&row->result[k]);
    form->erring_hardware = form->hardware;
    for (uint32_t i = 0; i < x->n_rows && form->hardware == HARDWARE_ROUNDED; i++) {
        if (x->rows[i].func == row->func && x->rows[i].fmt == row->fmt) {
            take_erring(form, &x->rows[i]);
        }
    }
}

void audit_find_erring(struct audit *x)
{
    for (uint32_t i = 0; i < x->n_rows; i++) {
        for (uint32_t k = 0; k < x->rows[i].n_forms; k++) {
            find_erring(x, &x->rows[i], k);
        }
    }
}
