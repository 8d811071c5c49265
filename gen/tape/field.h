/* gen/tape/field.h -- a decision's number as the fields of field.def: each is a quotient and a remainder. */
#pragma once

#include "base/base.h"

enum field {
#define FIELD(name, ...) name,
#include "gen/tape/field.def"
};
/* The field's value; its n is not 0. */
uint64_t field_get(uint64_t number, enum field field);
/* Is it n - 1? So it is in one of n cases, and not for a zero. */
bool field_is_last(uint64_t number, enum field field);
/* All from the field on, and that below n: of fields whose own n is 0. */
uint64_t field_rest(uint64_t number, enum field field);
uint64_t field_below(uint64_t number, enum field field, uint64_t n);
