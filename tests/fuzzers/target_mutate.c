/* tests/fuzzers/target_mutate.c -- fuzz target: other tapes out of any tape. */
#include <string.h>

#include "gen/mutate/mutate.h"
#include "gen/mutate/mutate_trim.h"
#include "tests/fuzzers/target_tape_file.h"

enum {
    TARGET_ARENA_BYTES = 256 << 20,
    TARGET_MAX_BYTES = 1 << 15,
    TARGET_MAX_RECORDS = 2048,
    TARGET_HEAD_BYTES = 13, /* environment, seed, length of the first tape */
    TARGET_TRIMS = 8
};

/* A tape that was made has no more records than it may, and is a case. */
static void require_case(const struct tape *t, enum profile profile, enum env env, struct arena *a)
{
    struct testcase tc;
    struct tape copy = {.data = t->data, .n_records = t->n_records};
    struct err e = {.text = ""};
    target_require(t->n_records <= TARGET_MAX_RECORDS);
    target_require(t->n_records == 0 || t->data != NULL);
    target_require(gen_case(profile, env, &copy, a, &tc, NULL, &e) == RES_OK);
}

/* The same seed must make the same mutant twice, and a mutant must make a case. An error is an answer too. */
static void mutate_twice(const struct tape *in, const struct tape *other, enum profile profile,
                         enum env env, uint64_t seed, struct arena *a)
{
    struct tape out[2];
    struct err e = {.text = ""};
    struct mutate_for const to = {
        .profile = profile, .env = env, .max_records = TARGET_MAX_RECORDS};
    struct mutation_log log[2] = {{.n_used = 0}, {.n_used = 0}};
    for (int i = 0; i < 2; i++) {
        struct rng r = rng_seed(seed);
        enum res const res = mutate_tape(in, other, &to, &r, a, &out[i], &log[i], &e);
        if (!target_is_ok(res, &e)) {
            return;
        }
        target_require(log[i].n_used >= 1 && log[i].n_used <= MUTATION_MAX_STACK);
    }
    require_case(&out[0], profile, env, a);
    target_require(out[0].n_records == out[1].n_records && log[0].n_used == log[1].n_used);
    target_require(out[0].n_records == 0 ||
                   memcmp(out[0].data, out[1].data, TAPE_RECORD_BYTES * out[0].n_records) == 0);
}

static void cross(const struct tape *in, const struct tape *other, enum profile profile,
                  enum env env, uint64_t seed, struct arena *a)
{
    struct parent *p[2] = {NULL, NULL};
    struct tape out;
    struct err e = {.text = ""};
    struct rng r = rng_seed(seed);
    if (!target_is_ok(mutate_learn(in, profile, env, a, &p[0], &e), &e) ||
        !target_is_ok(mutate_learn(other, profile, env, a, &p[1], &e), &e)) {
        return;
    }
    const struct parent *const others[2] = {p[0], p[1]};
    if (target_is_ok(mutate_cross(p[0], others, 2, TARGET_MAX_RECORDS, &r, a, &out, &e), &e)) {
        require_case(&out, profile, env, a);
    }
}

/* The candidates for a smaller tape must not be longer than the tape and must make a case. mutate_trim gives
 * 1 for a candidate, 0 after the last, -1 without memory. */
static void trim(const struct tape *in, enum profile profile, enum env env, struct arena *a)
{
    struct parent *p = NULL;
    struct err e = {.text = ""};
    if (!target_is_ok(mutate_learn(in, profile, env, a, &p, &e), &e)) {
        return;
    }
    for (uint32_t step = 0; step < TARGET_TRIMS; step++) {
        struct tape out;
        int const made = mutate_trim(p, step, a, &out);
        target_require(made >= -1 && made <= 1);
        if (made <= 0) {
            return;
        }
        target_require(out.n_records <= in->n_records);
        if (out.n_records <= TARGET_MAX_RECORDS) {
            require_case(&out, profile, env, a);
        }
    }
}

/* The input: a byte for the environment, a u64 seed, the u32 length of a tape file, that file, and
 * another as the rest. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    struct arena a;
    struct tape in, other;
    const char *profile = NULL, *other_profile = NULL;
    if (n_bytes < TARGET_HEAD_BYTES || n_bytes > TARGET_MAX_BYTES) {
        return 0;
    }
    enum env const env = (enum env)(data[0] % ENV_N);
    uint64_t const seed = load_le(data + 1, 8);
    size_t const n_wanted = (size_t)load_le(data + 9, 4);
    size_t const n_rest = n_bytes - TARGET_HEAD_BYTES;
    size_t const n_in = n_wanted < n_rest ? n_wanted : n_rest;
    const uint8_t *const p = data + TARGET_HEAD_BYTES;
    arena_init(&a, TARGET_ARENA_BYTES);
    if (target_parse_tape(&in, p, n_in, &profile, &a) && profile_find(profile) >= 0) {
        enum profile const of = (enum profile)profile_find(profile);
        bool const has_other =
            target_parse_tape(&other, p + n_in, n_rest - n_in, &other_profile, &a);
        cross(&in, has_other ? &other : &in, of, env, seed, &a);
        mutate_twice(&in, has_other ? &other : NULL, of, env, seed, &a);
        trim(&in, of, env, &a);
    }
    arena_free(&a);
    return 0;
}
