/* oracle/explain/explain_memo.c -- a place for each call by its hash; a later one of the same place drives it out. */
#include "oracle/explain/explain_memo.h"

#include <string.h>

enum {
    N_PLACES = 1 << 13,
    N_WORDS = 5 /* of a key */
};
struct explain_memo {
    struct place_of_call {
        uint64_t key[N_WORDS];
        struct fault_exact exact;
    } place[N_PLACES];
};

struct explain_memo *explain_memo_new(struct arena *a)
{
    return ARENA_NEW(a, struct explain_memo, 1);
}

struct fault_exact *explain_memo_find(struct explain_memo *m, const struct fault_math_site *site)
{
    const struct func_args *const args = &site->call.args;
    uint64_t const key[N_WORDS] = {
        1 + (uint64_t)site->call.accuracy.func * ENV_N + (uint64_t)site->env, args->enc[0],
        args->enc[1], args->enc[2], (uint64_t)(uint32_t)args->n << 32 | (uint64_t)args->fmt};
    struct place_of_call *const to = &m->place[hash_bytes(0, key, sizeof key) % N_PLACES];
    if (memcmp(to->key, key, sizeof key) != 0) {
        memcpy(to->key, key, sizeof key);
        to->exact = (struct fault_exact){.is_known = false};
    }
    return &to->exact;
}
