/* tests/gen/test_refusal.c -- each row of illegal.def breaks its rule in a legal module, and nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/spv.h"
#include "fuzz/io/spirv.h"
#include "gen/case/gen.h"
#include "gen/illegal/illegal_edit.h"
#include "gen/plan/refusal.h"

enum {
    ARENA_BYTES = 16 << 20,
    MAX_INSTRUCTIONS = 1024
};

struct fixture {
    struct arena a;
    struct err e;
};

static int open_fixture(void **state)
{
    struct fixture *const f = calloc(1, sizeof *f);
    assert_non_null(f);
    arena_init(&f->a, ARENA_BYTES);
    *state = f;
    return 0;
}

static int close_fixture(void **state)
{
    struct fixture *const f = *state;
    arena_free(&f->a);
    free(f);
    return 0;
}

static bool is_of(const struct illegal_rule *rule, enum env env)
{
    return (rule->envs & (env == ENV_CL ? OP_CL : OP_VK)) != 0;
}

static void make_case(struct fixture *f, const struct refusal *what, enum env env,
                      struct testcase *tc)
{
    struct tape tape;
    assert_int_equal(refusal_make_tape(what, env, &f->a, &tape, &f->e), RES_OK);
    if (gen_case(PROFILE_REFUSALS, env, &tape, &f->a, tc, NULL, &f->e) != RES_OK) {
        fail_msg("%s: %s", what->rule->name, f->e.text);
    }
}

/* The words of the instructions of a module, and of which of them there are how many that the other lacks. */
struct listing {
    struct spv_inst inst[MAX_INSTRUCTIONS];
    uint32_t n;
};

static void list(const uint32_t *words, uint32_t n_words, struct listing *out)
{
    uint32_t offset = SPV_HEADER_WORDS;
    out->n = 0;
    while (out->n < MAX_INSTRUCTIONS && spv_next(words, n_words, &offset, &out->inst[out->n])) {
        out->n++;
    }
    assert_int_equal(offset, n_words);
}

static bool is_same(const struct spv_inst *x, const struct spv_inst *y)
{
    return x->n == y->n && memcmp(x->w, y->w, x->n * sizeof *x->w) == 0;
}

/* How many instructions of x are not in y; *first is the first of them. */
static uint32_t count_lacking(const struct listing *x, const struct listing *y,
                              const struct spv_inst **first)
{
    uint32_t n = 0;
    uint32_t at = 0; /* both are in the same order */
    for (uint32_t i = 0; i < x->n; i++) {
        uint32_t k = at;
        while (k < y->n && !is_same(&x->inst[i], &y->inst[k])) {
            k++;
        }
        if (k < y->n) {
            at = k + 1;
            continue;
        }
        if (n == 0) {
            *first = &x->inst[i];
        }
        n++;
    }
    return n;
}

/* How many words of two instructions of one length differ. */
static uint32_t count_words(const struct spv_inst *x, const struct spv_inst *y)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < x->n; i++) {
        n += x->w[i] != y->w[i];
    }
    return n;
}

static uint32_t count_changes(const struct illegal_break *how)
{
    uint32_t n = 0;
    for (int i = 0; i < ILLEGAL_MAX_CHANGES; i++) {
        n += how->change[i].thing != THING_NONE;
    }
    return n;
}

/* The broken module beside the prepared one, which has all that the change needs: only the change is between. */
static void expect_change(const struct illegal_rule *rule, const struct listing *prepared,
                          const struct listing *broken)
{
    const struct spv_inst *gone = NULL;
    const struct spv_inst *come = NULL;
    uint32_t const n_gone = count_lacking(prepared, broken, &gone);
    uint32_t const n_come = count_lacking(broken, prepared, &come);
    switch (rule->how.kind) {
    case BREAK_DROP_CAPABILITY:
    case BREAK_DROP_EXTENSION:
        assert_true(n_gone == 1 && n_come == 0);
        assert_int_equal(gone->op, rule->how.kind == BREAK_DROP_CAPABILITY ? SpvOpCapability
                                                                           : SpvOpExtension);
        return;
    case BREAK_ADD_CAPABILITY:
        assert_true(n_gone == 0 && n_come == 1 + (rule->how.text[0] != 0));
        return;
    case BREAK_DECORATE:
    case BREAK_MEMBER:
        assert_true(n_gone == 0 && n_come == 1);
        assert_int_equal(come->w[come->n - 2], SPV_DEC_FP_MAX_ERROR_INTEL);
        return;
    case BREAK_SWAP_CAPABILITY:
    case BREAK_OPERANDS:
    case BREAK_COPY:
    case BREAK_OPCODE:
    case BREAK_LITERAL:
        assert_true(n_gone == 1 && n_come == 1 && gone->n == come->n);
        break;
    case BREAK_APPEND:
    case BREAK_CUT:
        assert_true(n_gone == 1 && n_come == 1 && gone->op == come->op);
        assert_int_equal(come->n, gone->n + (rule->how.kind == BREAK_APPEND) -
                                      (rule->how.kind == BREAK_CUT));
        return;
    }
    bool const has_changes = rule->how.kind == BREAK_OPERANDS || rule->how.kind == BREAK_COPY;
    assert_int_equal(count_words(gone, come), has_changes ? count_changes(&rule->how) : 1);
}

/* What a rule comes to with one validator, in one environment and variant. */
static enum spirv_answer check_rule(struct fixture *f, const struct illegal_rule *rule,
                                    enum env env, uint32_t variant)
{
    static struct listing prepared;
    static struct listing broken;
    struct refusal what = {.rule = rule, .variant = variant};
    struct testcase parent;
    struct testcase half;
    struct testcase tc;
    const char *text = "";
    uint32_t n = 0;
    arena_reset(&f->a);
    make_case(f, &what, env, &parent);
    what.is_broken = true;
    make_case(f, &what, env, &tc);
    assert_int_equal(parent.class, CLASS_LEGAL);
    assert_int_equal(tc.class, CLASS_ILLEGAL);
    if (spirv_validate(&parent, &f->a, &text) == SPIRV_INVALID) {
        fail_msg("%s, %s: its legal module: %s", rule->name, env_names[env], text);
    }
    half = parent;
    half.module = illegal_make(rule, ILLEGAL_PREPARED, parent.module, parent.n_words, &f->a, &n);
    half.n_words = n;
    assert_non_null(half.module);
    if (spirv_validate(&half, &f->a, &text) == SPIRV_INVALID) {
        fail_msg("%s, %s: before the change: %s", rule->name, env_names[env], text);
    }
    list(half.module, half.n_words, &prepared);
    list(tc.module, tc.n_words, &broken);
    expect_change(rule, &prepared, &broken);
    enum spirv_answer const answer = spirv_validate(&tc, &f->a, &text);
    if (strstr(
            text,
            "has not been defined")) { /* an id that stands before what it names is another rule */
        fail_msg("%s, %s: %s", rule->name, env_names[env], text);
    }
    return answer;
}

/* Is that module a row of the list of those that spirv-val accepts, of whatever version? */
static bool is_listed_gap(const unsigned char *list, const struct illegal_rule *rule, enum env env,
                          struct arena *a)
{
    return strstr((const char *)list, arena_printf(a, "\n%s\t%s\t", rule->name, env_names[env])) !=
           NULL;
}

static void each_row_breaks_its_rule(void **state)
{
    struct fixture *const f = *state;
    const unsigned char *list = NULL;
    size_t n_list = 0;
    struct arena kept;
    arena_init(&kept, ARENA_BYTES);
    if (file_read("corpora/spirv-val-gaps.tsv", ARENA_BYTES / 2, &kept, &list, &n_list, &f->e) !=
        RES_OK) {
        fail_msg("%s", f->e.text);
    }
    uint32_t n = 0;
    uint32_t n_refused = 0;
    for (int i = 0; i < ILLEGAL_N * ENV_N; i++) {
        const struct illegal_rule *const rule = &illegal_rules[i / ENV_N];
        enum env const env = (enum env)(i % ENV_N);
        for (uint32_t variant = 0; variant < REFUSAL_VARIANTS && is_of(rule, env); variant++) {
            enum spirv_answer const answer = check_rule(*state, rule, env, variant);
            n_refused += answer == SPIRV_INVALID;
            n++;
            if (answer == SPIRV_VALID && !is_listed_gap(list, rule, env, &f->a)) {
                fail_msg("%s, %s: accepted, and no row of corpora/spirv-val-gaps.tsv", rule->name,
                         env_names[env]);
            }
        }
    }
    print_message("%u modules, %u refused by the SPIRV-Tools of this machine\n", n, n_refused);
    /* of AMD's instructions, a third of all rules, it looks at few operands */
    assert_true(n > ILLEGAL_N && n_refused * 5 > n * 2);
    arena_free(&kept);
}

/* A tape names its rule by its name, and keeps it where rows are added. */
static void tapes_name_rules(void **state)
{
    struct fixture *const f = *state;
    for (int i = 0; i < ILLEGAL_N; i++) {
        const struct illegal_rule *const rule = &illegal_rules[i];
        enum env const env = rule->envs & OP_CL ? ENV_CL : ENV_VK;
        uint64_t const hash = illegal_get_hash(rule);
        assert_int_equal(illegal_find(rule->name), i);
        assert_ptr_equal(illegal_pick(env, hash), rule);
        assert_true(hash != 0 && is_of(illegal_pick(ENV_VK, hash), ENV_VK));
        arena_reset(&f->a);
        struct refusal const what = {.rule = rule, .is_broken = true};
        struct testcase x;
        struct testcase y;
        make_case(f, &what, env, &x);
        make_case(f, &what, env, &y);
        assert_true(x.n_words == y.n_words && x.tape_hash == y.tape_hash);
        assert_memory_equal(x.module, y.module, x.n_words * sizeof *x.module);
    }
    assert_int_equal(illegal_find("no such rule"), -1);
}

/* No tape: a legal module that needs nothing. */
static void no_tape_is_legal(void **state)
{
    struct fixture *const f = *state;
    for (int env = 0; env < ENV_N; env++) {
        struct tape const none = {.n_records = 0};
        struct testcase tc;
        const char *text = "";
        assert_int_equal(gen_case(PROFILE_REFUSALS, (enum env)env, &none, &f->a, &tc, NULL, &f->e),
                         RES_OK);
        assert_int_equal(tc.class, CLASS_LEGAL);
        assert_int_equal(spirv_validate(&tc, &f->a, &text), SPIRV_VALID);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_row_breaks_its_rule, open_fixture, close_fixture),
        cmocka_unit_test_setup_teardown(tapes_name_rules, open_fixture, close_fixture),
        cmocka_unit_test_setup_teardown(no_tape_is_legal, open_fixture, close_fixture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
