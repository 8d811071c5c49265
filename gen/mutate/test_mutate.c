/* gen/mutate/test_mutate.c -- other tapes out of one: each change, what it keeps, and smaller tapes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/format.h"
#include "gen/inputs/inputs.h"
#include "gen/mutate/mutate.h"
#include "gen/mutate/mutate_trim.h"
#include "gen/tape/tape_needs.h"
#include "gen/tape/tape_random.h"

enum {
    ARENA_BYTES = 256 << 20,
    MAX_RECORDS = 8192
};

struct fixture {
    struct arena a;
    struct rng rng;
    struct tape in, other;
    struct parent *p, *q;
};

static void start(struct fixture *f, uint64_t seed)
{
    arena_init(&f->a, ARENA_BYTES);
    f->rng = rng_seed(seed);
}

/* Two random tapes and what is known of them. */
static void draw_parents(struct fixture *f, enum profile profile, enum env env)
{
    arena_reset(&f->a);
    assert_int_equal(tape_random(&f->in, &f->rng, &f->a, NULL), RES_OK);
    assert_int_equal(tape_random(&f->other, &f->rng, &f->a, NULL), RES_OK);
    assert_int_equal(mutate_learn(&f->in, profile, env, &f->a, &f->p, NULL), RES_OK);
    assert_int_equal(mutate_learn(&f->other, profile, env, &f->a, &f->q, NULL), RES_OK);
}

static int is_same(const struct tape *x, const struct tape *y)
{
    return x->n_records == y->n_records &&
           (x->n_records == 0 || memcmp(x->data, y->data, 8 * x->n_records) == 0);
}

static struct tape_mark *trace(struct fixture *f, enum profile profile, enum env env,
                               const struct tape *t)
{
    struct tape_mark *const mark = ARENA_NEW(&f->a, struct tape_mark, t->n_records + 1);
    assert_non_null(mark);
    assert_int_equal(gen_trace(profile, env, t, mark, NULL, &f->a, NULL), RES_OK);
    return mark;
}

/* Of all that a case holds but the tape's own hash. */
static uint64_t hash_case(struct fixture *f, enum profile profile, enum env env,
                          const struct tape *t)
{
    struct testcase tc;
    size_t n = 0;
    assert_int_equal(gen_case(profile, env, t, &f->a, &tc, NULL, NULL), RES_OK);
    tc.tape_hash = 0;
    const unsigned char *const bytes = testcase_encode(&tc, &f->a, &n);
    assert_non_null(bytes);
    return hash_bytes(0, bytes, n);
}

/* No length is beyond the end of its node. */
static void check_lengths(struct tape t)
{
    while (tape_has_child(&t)) {
        size_t const at = t.child ? t.child : TAPE_HEAD_RECORDS;
        uint64_t const length = load_le(t.data + 8 * at, 8);
        struct tape const sub = tape_fork(&t);
        assert_int_equal(sub.n_records, length);
        check_lengths(sub);
    }
}

/* ---- the trace ---- */

static void all_roles_and_nodes_are_named(void **state)
{
    (void)state;
    struct fixture f;
    unsigned roles = 0;
    unsigned nodes = 0;
    start(&f, 1);
    for (int i = 0; i < 20 * PROFILE_N; i++) {
        enum profile const profile = (enum profile)(i % PROFILE_N);
        arena_reset(&f.a);
        assert_int_equal(tape_random(&f.in, &f.rng, &f.a, NULL), RES_OK);
        const struct tape_mark *const mark = trace(&f, profile, (enum env)(i % ENV_N), &f.in);
        for (size_t k = 0; k <= f.in.n_records; k++) {
            roles |= 1u << mark[k].role;
            nodes |= 1u << mark[k].node;
        }
    }
    assert_int_equal(roles, (1u << ROLE_N) - 1);
    assert_int_equal(nodes, (1u << NODE_N) - 1);
    arena_free(&f.a);
}

static void a_trace_changes_no_case(void **state)
{
    (void)state;
    struct fixture f;
    start(&f, 2);
    for (int i = 0; i < 8 * PROFILE_N; i++) {
        enum profile const profile = (enum profile)(i % PROFILE_N);
        enum env const env = (enum env)(i / PROFILE_N % ENV_N);
        struct tape_trace seen = {.data = NULL};
        arena_reset(&f.a);
        assert_int_equal(tape_random(&f.in, &f.rng, &f.a, NULL), RES_OK);
        uint64_t const before = hash_case(&f, profile, env, &f.in);
        seen.data = f.in.data;
        seen.mark = ARENA_NEW(&f.a, struct tape_mark, f.in.n_records + 1);
        f.in.trace = &seen;
        assert_int_equal(hash_case(&f, profile, env, &f.in), before);
    }
    arena_free(&f.a);
}

/* A decision that nobody read decides nothing, and what a seed came to is what it is said to. */
static void what_is_unread_decides_nothing(void **state)
{
    (void)state;
    struct fixture f;
    size_t n_unread = 0;
    start(&f, 3);
    for (int i = 0; i < 6 * PROFILE_N; i++) {
        enum profile const profile = (enum profile)(i % PROFILE_N);
        enum env const env = (enum env)(i / PROFILE_N % ENV_N);
        arena_reset(&f.a);
        assert_int_equal(tape_random(&f.in, &f.rng, &f.a, NULL), RES_OK);
        uint64_t const before = hash_case(&f, profile, env, &f.in);
        struct tape_mark *const mark = trace(&f, profile, env, &f.in);
        unsigned char *const data = arena_copy(&f.a, f.in.data, 8 * f.in.n_records);
        struct tape walk = f.in;
        struct tape stack[32] = {walk};
        for (int depth = 0; depth >= 0;) { /* heads alone: lengths are no decisions */
            struct tape *const t = &stack[depth];
            size_t const at = (size_t)(t->data - f.in.data) / 8;
            for (size_t k = 0; t->child == 0 && k < t->n_records && k < TAPE_HEAD_RECORDS; k++) {
                bool const is_needs = depth == 0 && k >= TAPE_NEEDS_AT; /* the root's head */
                if (mark[at + k + 1].role == ROLE_UNREAD && !is_needs) {
                    store_le(data + 8 * (at + k), rng_next(&f.rng), 8);
                    n_unread++;
                }
            }
            if (tape_has_child(t)) {
                assert_true(depth < 31);
                stack[depth + 1] = tape_fork(t);
                depth++;
            } else {
                depth--;
            }
        }
        struct tape const other = {.data = data, .n_records = f.in.n_records};
        assert_int_equal(hash_case(&f, profile, env, &other), before);
    }
    assert_true(n_unread > 10000);
    arena_free(&f.a);
}

/* ---- changes ---- */

static void each_mutation_occurs_and_changes_the_tape(void **state)
{
    (void)state;
    struct fixture f;
    unsigned n[MUTATION_N] = {0};
    unsigned n_all = 0;
    unsigned n_other_case = 0;
    start(&f, 4);
    for (int i = 0; i < 24 * PROFILE_N; i++) {
        enum profile const profile = (enum profile)(i % PROFILE_N);
        enum env const env = (enum env)(i / PROFILE_N % ENV_N);
        draw_parents(&f, profile, env);
        uint64_t const before = hash_case(&f, profile, env, &f.in);
        for (int k = 0; k < 80; k++) {
            struct tape out;
            struct mutation_log log;
            assert_int_equal(mutate_make(f.p, f.q, MAX_RECORDS, &f.rng, &f.a, &out, &log, NULL),
                             RES_OK);
            assert_false(is_same(&out, &f.in));
            assert_true(out.n_records <= MAX_RECORDS);
            check_lengths(out);
            assert_in_range(log.n_used, 1, MUTATION_MAX_STACK);
            n[log.used[0]]++;
            n_other_case += hash_case(&f, profile, env, &out) != before;
            n_all++;
        }
    }
    for (int i = 0; i < MUTATION_N; i++) {
        if (n[i] < 10 && i != MUTATION_CROSS) {
            fail_msg("%s: %u times", mutation_names[i], n[i]);
        }
    }
    if (n_other_case < n_all / 100 * 97) {
        fail_msg("%u of %u are other cases", n_other_case, n_all);
    }
    arena_free(&f.a);
}

static void the_same_seed_gives_the_same(void **state)
{
    (void)state;
    struct fixture f;
    start(&f, 5);
    for (int i = 0; i < 30; i++) {
        enum profile const profile = (enum profile)(i % PROFILE_N);
        struct mutate_for const to = {profile, ENV_CL, MAX_RECORDS};
        struct tape out[2];
        struct mutation_log log[2];
        draw_parents(&f, profile, ENV_CL);
        for (int k = 0; k < 2; k++) {
            struct rng rng = rng_seed((uint64_t)i);
            assert_int_equal(
                k == 0 ? mutate_tape(&f.in, &f.other, &to, &rng, &f.a, &out[k], &log[k], NULL)
                       : mutate_make(f.p, f.q, MAX_RECORDS, &rng, &f.a, &out[k], &log[k], NULL),
                RES_OK);
        }
        assert_true(is_same(&out[0], &out[1]));
        assert_int_equal(log[0].n_used, log[1].n_used);
    }
    arena_free(&f.a);
}

/* Whatever it is, and however little room there is. */
static void any_tape_can_be_changed(void **state)
{
    (void)state;
    struct fixture f;
    static const size_t rooms[] = {1, 9, 40, 500, MAX_RECORDS};
    start(&f, 6);
    for (int i = 0; i < 600; i++) {
        size_t const room = rooms[rng_below(&f.rng, ARRAY_N(rooms))];
        size_t const n = rng_below(&f.rng, i % 2 ? 12 : 200);
        unsigned char bytes[8 * 200];
        struct tape out = {.data = NULL};
        struct mutation_log log;
        arena_reset(&f.a);
        for (size_t k = 0; k < n; k++) { /* many small ones: lengths */
            store_le(bytes + 8 * k, rng_next(&f.rng) >> rng_below(&f.rng, 64), 8);
        }
        struct tape const in = {.data = bytes, .n_records = n};
        struct mutate_for const to = {(enum profile)(i % PROFILE_N), (enum env)(i % ENV_N), room};
        assert_int_equal(mutate_tape(&in, i % 3 ? NULL : &in, &to, &f.rng, &f.a, &out, &log, NULL),
                         RES_OK);
        assert_true(out.n_records <= room);
        assert_false(is_same(&in, &out));
        check_lengths(out);
        (void)hash_case(&f, to.profile, to.env, &out);
    }
    arena_free(&f.a);
}

/* Of the empty tape, after many steps, comes something that uses all kinds of nodes of its profile. */
static void a_tape_grows_from_nothing(void **state)
{
    (void)state;
    struct fixture f;
    start(&f, 8);
    struct mutate_for const to = {PROFILE_ATOMICS, ENV_CL, 2048};
    struct tape t = {.data = NULL};
    unsigned nodes = 0;
    for (int i = 0; i < 400; i++) {
        struct tape out;
        unsigned char bytes[8 * 2048];
        arena_reset(&f.a);
        assert_int_equal(mutate_tape(&t, NULL, &to, &f.rng, &f.a, &out, NULL, NULL), RES_OK);
        memcpy(bytes, out.data, 8 * out.n_records);
        arena_reset(&f.a);
        t = (struct tape){.data = arena_copy(&f.a, bytes, 8 * out.n_records),
                          .n_records = out.n_records};
        const struct tape_mark *const mark = trace(&f, PROFILE_ATOMICS, ENV_CL, &t);
        for (size_t k = 0; k <= t.n_records; k++) {
            nodes |= 1u << mark[k].node;
        }
        static unsigned char kept[8 * 2048];
        memcpy(kept, bytes, 8 * t.n_records);
        t.data = kept;
    }
    unsigned const wanted = 1u << NODE_ROOT | 1u << NODE_PLAIN | 1u << NODE_CELLS |
                            1u << NODE_CELL | 1u << NODE_BLOCK | 1u << NODE_STATEMENT |
                            1u << NODE_OPERAND;
    assert_int_equal(nodes & wanted, wanted);
    arena_free(&f.a);
}

/* A change of constants alone: the inputs that came to something else, by how much. */
static void constants_go_to_neighbours_and_specials(void **state)
{
    (void)state;
    struct fixture f;
    unsigned n_neighbours = 0;
    unsigned n_specials = 0;
    start(&f, 8);
    for (int i = 0; i < 60; i++) {
        enum profile const profile = i % 2 ? PROFILE_MAXERROR : PROFILE_ATOMICS;
        draw_parents(&f, profile, ENV_CL);
        const struct tape_mark *const before = trace(&f, profile, ENV_CL, &f.in);
        for (int k = 0; k < 200; k++) {
            struct tape out;
            struct mutation_log log;
            assert_int_equal(mutate_make(f.p, NULL, MAX_RECORDS, &f.rng, &f.a, &out, &log, NULL),
                             RES_OK);
            if (log.n_used != 1 || log.used[0] != MUTATION_CONSTANT) {
                continue;
            }
            assert_int_equal(out.n_records, f.in.n_records);
            const struct tape_mark *const after = trace(&f, profile, ENV_CL, &out);
            for (size_t at = 1; at <= out.n_records; at++) {
                uint64_t const by = after[at].bits - before[at].bits;
                if (before[at].role == ROLE_SEED && after[at].type == IR_F32 &&
                    before[at].type == IR_F32) {
                    n_neighbours += by == 1 || by == UINT64_MAX;
                    n_specials += by != 0 && (after[at].bits & 0x7fffffff) == 0x7f800000;
                }
            }
        }
    }
    assert_true(n_neighbours >= 10);
    assert_true(n_specials >= 2);
    arena_free(&f.a);
}

/* A literal input is the same bits for all who read it, in each row. */
static void a_literal_is_one_number(void **state)
{
    (void)state;
    uint64_t const seed = UINT64_C(0x40490fdb3f8ccccd);
    for (int type = IR_I16; type < IR_TYPE_N; type++) {
        struct input const in = {.type = (enum ir_type)type, .class = INPUT_LITERAL, .seed = seed};
        unsigned const n_bits = ir_type_bits((enum ir_type)type);
        for (uint32_t lane = 0; lane < 70; lane++) {
            assert_int_equal(inputs_get_value(&in, lane), seed << (64 - n_bits) >> (64 - n_bits));
        }
    }
    struct input const plain = {
        .type = IR_F32, .class = INPUT_LITERAL, .seed = 0x7f800000, .plain = 1};
    struct input const unit = {
        .type = IR_F32, .class = INPUT_LITERAL, .seed = 0x40000000, .range = RANGE_UNIT};
    assert_true((inputs_get_value(&plain, 0) & 0x7f800000) != 0x7f800000);
    assert_true((inputs_get_value(&unit, 0) & 0x7fffffff) <= 0x3f800000);
}

static int holds_head(const struct tape *t, const unsigned char *head)
{
    for (size_t i = 0; i + TAPE_HEAD_RECORDS <= t->n_records; i++) {
        if (memcmp(t->data + 8 * i, head, (size_t)8 * TAPE_HEAD_RECORDS) == 0) {
            return 1;
        }
    }
    return 0;
}

static void splicing_brings_in_nodes_of_the_other(void **state)
{
    (void)state;
    struct fixture f;
    unsigned n = 0;
    start(&f, 9);
    for (int i = 0; i < 40; i++) {
        enum profile const profile = (enum profile)(i % PROFILE_N);
        draw_parents(&f, profile, ENV_VK);
        for (int k = 0; k < 60; k++) {
            struct tape out;
            struct mutation_log log;
            int n_found = 0;
            assert_int_equal(mutate_make(f.p, f.q, MAX_RECORDS, &f.rng, &f.a, &out, &log, NULL),
                             RES_OK);
            if (log.n_used != 1 || log.used[0] != MUTATION_SPLICE) {
                continue;
            }
            for (size_t at = 0; at + TAPE_HEAD_RECORDS <= f.other.n_records; at++) {
                const unsigned char *const head = f.other.data + 8 * at;
                n_found += holds_head(&out, head) && !holds_head(&f.in, head);
            }
            assert_true(n_found > 0);
            n++;
        }
    }
    assert_true(n >= 20);
    arena_free(&f.a);
}

/* ---- smaller tapes ---- */

static void what_is_unread_goes_first_and_changes_nothing(void **state)
{
    (void)state;
    struct fixture f;
    size_t n_before = 0;
    size_t n_after = 0;
    start(&f, 10);
    for (int i = 0; i < 12 * PROFILE_N; i++) {
        enum profile const profile = (enum profile)(i % PROFILE_N);
        enum env const env = (enum env)(i / PROFILE_N % ENV_N);
        struct tape out;
        draw_parents(&f, profile, env);
        assert_int_equal(mutate_trim(f.p, 0, &f.a, &out), 1);
        assert_true(out.n_records < f.in.n_records);
        check_lengths(out);
        assert_int_equal(hash_case(&f, profile, env, &out), hash_case(&f, profile, env, &f.in));
        assert_int_equal(gen_get_env(&out), gen_get_env(&f.in));
        n_before += f.in.n_records;
        n_after += out.n_records;
    }
    assert_true(n_after < n_before / 2);
    arena_free(&f.a);
}

/* Each candidate is smaller, or has more zeros; taking every one that keeps the dispatch ends. */
static void trimming_ends(void **state)
{
    (void)state;
    struct fixture f;
    start(&f, 11);
    for (int i = 0; i < 2 * PROFILE_N; i++) {
        enum profile const profile = (enum profile)(i % PROFILE_N);
        struct tape now;
        struct tape out;
        draw_parents(&f, profile, ENV_CL);
        struct testcase tc;
        assert_int_equal(gen_case(profile, ENV_CL, &f.in, &f.a, &tc, NULL, NULL), RES_OK);
        uint32_t const wanted = tc.global[0];
        now = f.in;
        uint32_t step = 0;
        int found = 0;
        unsigned n_taken = 0;
        while ((found = mutate_trim(f.p, step, &f.a, &out)) == 1) {
            assert_true(out.n_records <= now.n_records && !is_same(&out, &now));
            check_lengths(out);
            assert_int_equal(gen_case(profile, ENV_CL, &out, &f.a, &tc, NULL, NULL), RES_OK);
            if (tc.global[0] == wanted) {
                now = out;
                n_taken++;
                assert_int_equal(mutate_learn(&now, profile, ENV_CL, &f.a, &f.p, NULL), RES_OK);
            } else {
                step++;
            }
        }
        assert_int_equal(found, 0);
        assert_true(n_taken > 1 && now.n_records < 300);
    }
    arena_free(&f.a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_roles_and_nodes_are_named),
        cmocka_unit_test(a_trace_changes_no_case),
        cmocka_unit_test(what_is_unread_decides_nothing),
        cmocka_unit_test(each_mutation_occurs_and_changes_the_tape),
        cmocka_unit_test(the_same_seed_gives_the_same),
        cmocka_unit_test(any_tape_can_be_changed),
        cmocka_unit_test(a_tape_grows_from_nothing),
        cmocka_unit_test(constants_go_to_neighbours_and_specials),
        cmocka_unit_test(a_literal_is_one_number),
        cmocka_unit_test(splicing_brings_in_nodes_of_the_other),
        cmocka_unit_test(what_is_unread_goes_first_and_changes_nothing),
        cmocka_unit_test(trimming_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
