/* reports/model/support.h -- does a target list what an instruction on a type needs, in a storage class or
 * of a scope and operation? */
#pragma once

#include <stdint.h>

enum support {
    SUPPORT_UNKNOWN, /* the facts do not name their API */
    SUPPORT_NEVER, /* the API has no such thing: an image in OpenCL, a generic pointer in Vulkan */
    SUPPORT_NOT,   /* the target does not list it */
    SUPPORT_YES
};

/*
 * By the needs of caps.def, whose names are composed of environment, type, storage and kind of
 * atomic, or are those of a family of group instructions. op, type, storage: names as in the
 * journal, "-" where there is none.
 */
enum support support_of(const char *facts, const char *op, const char *type, const char *storage);
/* Is op a group instruction, whose "storage" is a scope and an operation? */
int support_is_group(const char *op);

/* What an audit of float atomics must reach: every float atomic, type and storage class. */
struct support_row {
    const char *op, *type, *storage;
};
enum {
    SUPPORT_ROW_N = 6 * (3 * 4 + 2) + 4 * 2 * 5 /* the latter on vectors */
};
/* Row i < SUPPORT_ROW_N. */
struct support_row support_get_row(uint32_t i);
/* Every group instruction, type, scope and operation that some API has, in the order of ops.def: the
 * first n_rows of them to rows. Returns how many there are. */
uint32_t support_list_groups(struct support_row *rows, uint32_t n_rows);
