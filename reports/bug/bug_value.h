/* reports/bug/bug_value.h -- bits for people: what they are as a value of their type. */
#pragma once

#include "base/format.h"
#include "reports/bug/bug.h"

/* The float format of a type's name, "f32"; NULL: it is none. */
const struct float_format *bug_find_format(const char *type);
/* Bytes of one number of a type by its name; 4 where that is none. */
unsigned bug_type_bytes(const char *type);
/* "0x7fc00000 (quiet NaN)", "0x00000001 (1.4e-45, subnormal)"; with no format "0x00000005 (5)". */
const char *bug_show_bits(const struct float_format *f, unsigned n_bytes, uint64_t bits,
                          struct arena *a);
/* The same of a value of an instruction, whose name tells whether an integer has a sign: "OpSDiv", "s_abs"; "OpUDiv", "u_abs". */
const char *bug_show_of(const char *op, const struct float_format *f, unsigned n_bytes,
                        uint64_t bits, struct arena *a);
/* The same for the middle of a sentence: "a NaN", "-0", "1.5". */
const char *bug_show_plain(const struct float_format *f, uint64_t bits, struct arena *a);
/* One of the operands of a group instruction as its text tells them. */
struct bug_participant {
    uint32_t id, n; /* its id in the group; components */
    uint64_t value[4];
};
/* Takes the next one from *at, " 0:0x3f800000,0x0 1:0x0"; false: there is none. */
bool bug_take_participant(const char **at, struct bug_participant *out);
/* Is there a NaN among the operands, of that type? */
bool bug_has_nan(const char *participants, enum val_type type);
