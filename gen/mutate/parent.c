/* gen/mutate/parent.c -- a tape, and what its records mean to the generator. */
#include "gen/mutate/parent.h"

#include <string.h>

enum res mutate_complain(struct err *e, const struct arena *a)
{
    return err_set(e, RES_NOMEM, "mutation: arena full at %zu bytes", a->used_bytes);
}

/* Learns what the records of a tape mean to the generator, by running it: *out has a copy of the tape, a mark
 * for each record, and the hash of its case. The case itself is thrown away. */
enum res mutate_learn(const struct tape *t, enum profile profile, enum env env, struct arena *a,
                      struct parent **out, struct err *e)
{
    size_t const n = t->n_records <= TAPE_MAX_RECORDS ? t->n_records : (size_t)TAPE_MAX_RECORDS;
    struct parent *const p = ARENA_NEW(a, struct parent, 1);
    unsigned char *const data = arena_take(a, (n + 1) * TAPE_RECORD_BYTES);
    struct tape_mark *const mark = ARENA_NEW(a, struct tape_mark, n + 1);
    if (!p || !data || !mark) {
        return mutate_complain(e, a);
    }
    if (n > 0) {
        memcpy(data, t->data, n * TAPE_RECORD_BYTES);
    }
    *p = (struct parent){
        .tape = {.data = data, .n_records = n},
          .mark = mark, .profile = profile, .env = env
    };
    *out = p;
    struct arena scratch;
    arena_init(&scratch, MUTATE_SCRATCH_BYTES);
    enum res const r = gen_trace(profile, env, &p->tape, mark, &p->case_hash, &scratch, e);
    arena_free(&scratch);
    return r;
}

struct tree *mutate_parse(const struct parent *p, size_t max_records, struct arena *a)
{
    size_t const n = p->tape.n_records;
    struct tape const whole = {.data = p->tape.data,
                               .n_records = n < max_records ? n : max_records};
    return tree_parse(&whole, p->mark, a);
}
