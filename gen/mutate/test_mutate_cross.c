/* gen/mutate/test_mutate_cross.c -- tapes out of many: all of them are in it, and it is a case like others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gen/mutate/mutate.h"
#include "gen/mutate/pool.h"
#include "gen/tape/tape_random.h"

enum {
    ARENA_BYTES = 256 << 20,
    MAX_RECORDS = 8192,
    N_OTHERS = 3
};

struct fixture {
    struct arena a;
    struct rng rng;
    struct parent *in;
    const struct parent *others[N_OTHERS];
    struct tape tapes[1 + N_OTHERS]; /* in, others */
};

static void set_up(struct fixture *f, uint64_t seed, enum profile profile, enum env env)
{
    arena_init(&f->a, ARENA_BYTES);
    f->rng = rng_seed(seed);
    for (int i = 0; i < 1 + N_OTHERS; i++) {
        struct parent *p = NULL;
        assert_int_equal(tape_random(&f->tapes[i], &f->rng, &f->a, NULL), RES_OK);
        assert_int_equal(mutate_learn(&f->tapes[i], profile, env, &f->a, &p, NULL), RES_OK);
        if (i == 0) {
            f->in = p;
        } else {
            f->others[i - 1] = p;
        }
    }
}

static struct tape cross(struct fixture *f, size_t max_records, struct rng *r)
{
    struct tape out = {.data = NULL};
    assert_int_equal(mutate_cross(f->in, f->others, N_OTHERS, max_records, r, &f->a, &out, NULL),
                     RES_OK);
    assert_true(out.n_records <= max_records);
    return out;
}

static int holds(const struct tape *t, uint64_t record)
{
    for (size_t i = 0; i < t->n_records; i++) {
        if (load_le(t->data + TAPE_RECORD_BYTES * i, TAPE_RECORD_BYTES) == record) {
            return 1;
        }
    }
    return 0;
}

/* Records of `from`, seeds and the like that are nowhere else by chance, that are in t too. */
static unsigned count_common(const struct tape *t, const struct tape *from)
{
    unsigned n = 0;
    for (size_t i = 0; i < from->n_records; i++) {
        uint64_t const record = load_le(from->data + TAPE_RECORD_BYTES * i, TAPE_RECORD_BYTES);
        n += record >> 32 != 0 && holds(t, record);
    }
    return n;
}

static void all_come_together(void **state)
{
    (void)state;
    enum {
        N_FIXTURES = 4,
        N_EACH = 40
    };
    unsigned n_of_all = 0;
    for (uint64_t seed = 1; seed <= N_FIXTURES; seed++) {
        struct fixture f;
        set_up(&f, seed, PROFILE_ATOMICS, ENV_CL);
        for (int i = 0; i < N_EACH; i++) {
            struct tape const out = cross(&f, MAX_RECORDS, &f.rng);
            unsigned n = 0;
            for (int k = 0; k < 1 + N_OTHERS; k++) {
                n += count_common(&out, &f.tapes[k]) > 0;
            }
            n_of_all += n == 1 + N_OTHERS;
        }
        arena_free(&f.a);
    }
    assert_in_range(n_of_all, N_FIXTURES * N_EACH / 5, N_FIXTURES * N_EACH);
}

static void each_is_a_case_within_its_room(void **state)
{
    (void)state;
    static const size_t rooms[] = {1, 40, 500, MAX_RECORDS};
    for (int i = 0; i < 8 * PROFILE_N; i++) {
        struct fixture f;
        enum profile const profile = (enum profile)(i % PROFILE_N);
        enum env const env = (enum env)(i / PROFILE_N % ENV_N);
        set_up(&f, 2 + (uint64_t)i, profile, env);
        for (size_t k = 0; k < 3 * ARRAY_N(rooms); k++) {
            struct testcase tc;
            struct tape out = cross(&f, rooms[k % ARRAY_N(rooms)], &f.rng);
            assert_int_equal(gen_case(profile, env, &out, &f.a, &tc, NULL, NULL), RES_OK);
            assert_true(tc.n_words > 5);
        }
        arena_free(&f.a);
    }
}

static void the_same_seed_gives_the_same(void **state)
{
    (void)state;
    struct fixture f;
    unsigned n_other = 0;
    set_up(&f, 3, PROFILE_GROUPS, ENV_VK);
    for (uint64_t i = 0; i < 20; i++) {
        struct rng r[3] = {rng_seed(i), rng_seed(i), rng_seed(i + 1)};
        struct tape out[3];
        for (int k = 0; k < 3; k++) {
            out[k] = cross(&f, MAX_RECORDS, &r[k]);
        }
        assert_int_equal(out[0].n_records, out[1].n_records);
        assert_memory_equal(out[0].data, out[1].data, TAPE_RECORD_BYTES * out[0].n_records);
        n_other += out[2].n_records != out[0].n_records ||
                   memcmp(out[2].data, out[0].data, TAPE_RECORD_BYTES * out[0].n_records) != 0;
    }
    assert_int_equal(n_other, 20);
    arena_free(&f.a);
}

/* Seeds stay, of what comes later there are only so many, and each is of some tape that was added. */
static void a_pool_keeps_its_seeds(void **state)
{
    (void)state;
    enum {
        N_SEEDS = 10,
        N_ADDED = POOL_N + 200
    };
    struct arena a;
    struct rng rng = rng_seed(4);
    struct pool *p = calloc(1, sizeof *p);
    unsigned char bytes[TAPE_RECORD_BYTES];
    struct tape t = {.data = bytes, .n_records = 1};
    assert_non_null(p);
    arena_init(&a, ARENA_BYTES);
    for (uint64_t i = 0; i < N_ADDED; i++) {
        store_le(bytes, i, sizeof bytes);
        assert_int_equal(pool_add(p, &t, PROFILE_ATOMICS, ENV_CL, i < N_SEEDS, &rng, NULL), RES_OK);
        assert_int_equal(p->n, i < POOL_N ? i + 1 : POOL_N);
    }
    assert_int_equal(p->n_seeds, N_SEEDS);
    for (size_t i = 0; i < p->n; i++) {
        struct rng r = rng_seed(i);
        struct tape out;
        assert_int_equal(mutate_cross(p->tape[i], p->tape, p->n, MAX_RECORDS, &r, &a, &out, NULL),
                         RES_OK);
        arena_reset(&a);
    }
    const struct parent *const before = p->tape[N_SEEDS - 1];
    assert_int_equal(pool_add(p, &t, PROFILE_ATOMICS, ENV_CL, 1, &rng, NULL), RES_OK);
    assert_ptr_equal(p->tape[N_SEEDS - 1], before);
    assert_int_equal(p->n_seeds, N_SEEDS); /* too late to be one */
    struct tape large = {
        .data = ARENA_NEW(&a, unsigned char, TAPE_RECORD_BYTES *(POOL_MAX_RECORDS + 1)),
        .n_records = POOL_MAX_RECORDS + 1};
    assert_non_null(large.data);
    assert_int_equal(pool_add(p, &large, PROFILE_ATOMICS, ENV_CL, 0, &rng, NULL), RES_LIMIT);
    large.n_records--;
    assert_int_equal(pool_add(p, &large, PROFILE_ATOMICS, ENV_CL, 0, &rng, NULL), RES_OK);
    pool_free(p);
    assert_int_equal(p->n, 0);
    free(p);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_come_together),
        cmocka_unit_test(each_is_a_case_within_its_room),
        cmocka_unit_test(the_same_seed_gives_the_same),
        cmocka_unit_test(a_pool_keeps_its_seeds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
