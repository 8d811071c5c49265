/* gen/tape/field.h -- a decision's number as the fields of field.def: each is a quotient and a remainder. */
#pragma once

#include "base/base.h"

enum field {
#define FIELD(name, ...) name,
#include "gen/tape/field.def"
};
/* By field: where it begins, as a divisor, and how many values it has; 0: the caller says. Here, and not in a file of its own, so
 * that divisions by these numbers are made into multiplications. */
static const struct {
    uint64_t divisor, n;
} field_rows[] = {
#define FIELD(name, divisor, n, meaning) {divisor, n},
#include "gen/tape/field.def"
};

/* The field's value; its n is not 0. */
static inline uint64_t field_get(uint64_t number, enum field field)
{
    return number / field_rows[field].divisor % field_rows[field].n;
}
/* Is it n - 1? So it is in one of n cases, and not for a zero. */
static inline bool field_is_last(uint64_t number, enum field field)
{
    return field_get(number, field) == field_rows[field].n - 1;
}
/* All from the field on, and that below n: of fields whose own n is 0. */
static inline uint64_t field_rest(uint64_t number, enum field field)
{
    return number / field_rows[field].divisor;
}
static inline uint64_t field_below(uint64_t number, enum field field, uint64_t n)
{
    return field_rest(number, field) % n;
}
