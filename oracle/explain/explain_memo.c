/* oracle/explain/explain_memo.c -- exact results by the hash of the call; another call with the same hash replaces
 * the entry. */
#include "oracle/explain/explain_memo.h"

#include <string.h>

enum {
    N_ENTRIES = 1 << 13,
    N_WORDS = 5 /* of a key */
};
struct explain_memo {
    struct memo_entry {
        uint64_t key[N_WORDS];
        struct fault_exact exact;
    } entry[N_ENTRIES];
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
    struct memo_entry *const to = &m->entry[hash_bytes(0, key, sizeof key) % N_ENTRIES];
    if (memcmp(to->key, key, sizeof key) != 0) {
        memcpy(to->key, key, sizeof key);
        to->exact = (struct fault_exact){.is_known = false};
    }
    return &to->exact;
}
