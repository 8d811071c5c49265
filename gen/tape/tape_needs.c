/* gen/tape/tape_needs.c -- the needs that the case of a tape may have. */
#include "gen/tape/tape_needs.h"

#include <string.h>

struct needs tape_get_allowed(const struct tape *t)
{
    struct needs allowed = needs_get_all();
    for (size_t i = 0; i < NEED_WORDS && TAPE_NEEDS_AT + i < t->n_records; i++) {
        allowed.bits[i] &=
            ~load_le(t->data + TAPE_RECORD_BYTES * (TAPE_NEEDS_AT + i), TAPE_RECORD_BYTES);
    }
    return allowed;
}

enum res tape_set_allowed(struct tape *t, const struct needs *allowed, struct arena *a,
                          struct err *e)
{
    size_t const n_before = t->n_records;
    size_t const n = n_before < TAPE_HEAD_RECORDS ? (size_t)TAPE_HEAD_RECORDS : n_before;
    struct needs const all = needs_get_all();
    unsigned char *const data = arena_take(a, n * TAPE_RECORD_BYTES);
    if (!data) {
        return err_set(e, RES_NOMEM, "tape: arena full at %zu bytes", a->used_bytes);
    }
    if (n_before > 0) {
        memcpy(data, t->data, n_before * TAPE_RECORD_BYTES); /* the rest is zero */
    }
    for (size_t i = 0; i < NEED_WORDS; i++) {
        store_le(data + TAPE_RECORD_BYTES * (TAPE_NEEDS_AT + i), all.bits[i] & ~allowed->bits[i],
                 TAPE_RECORD_BYTES);
    }
    t->data = data;
    t->n_records = n;
    return RES_OK;
}
