/* gen/tape/field.c -- a decision's number as the fields of field.def. */
#include "gen/tape/field.h"

static const struct {
    uint64_t divisor, n;
} rows[] = {
#define FIELD(name, divisor, n, meaning) {divisor, n},
#include "gen/tape/field.def"
};

uint64_t field_get(uint64_t number, enum field field)
{
    return number / rows[field].divisor % rows[field].n;
}

bool field_is_last(uint64_t number, enum field field)
{
    return field_get(number, field) == rows[field].n - 1;
}

uint64_t field_rest(uint64_t number, enum field field)
{
    return number / rows[field].divisor;
}

uint64_t field_below(uint64_t number, enum field field, uint64_t n)
{
    return number / rows[field].divisor % n;
}
