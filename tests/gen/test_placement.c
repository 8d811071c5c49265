/* tests/gen/test_placement.c -- group operations stand where it can be told who takes part: a walk over the
 * words of each module that knows nothing of how it was made. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/spv.h"
#include "gen/case/gen.h"
#include "gen/tape/tape_random.h"

enum {
    N_CASES = 3000, /* per profile and environment */
    ARENA_BYTES = 64 << 20,
    MAX_IDS = 1 << 14,
    MAX_DEPTH = 16,
    GLOBAL_ID = 4 /* an axis: all of them */
};

/* A selection or loop that is open. */
struct open {
    uint32_t merge;
    int is_loop, is_uniform;
    int is_broken;  /* was there a construct in this arm already? */
    uint32_t other; /* label of the other arm */
};
struct walk {
    unsigned char is_uniform[MAX_IDS]; /* the same for the whole work-group */
    unsigned char has_group[MAX_IDS];  /* functions with a group operation */
    unsigned char axis[MAX_IDS];       /* 1 + d: GlobalInvocationId in dimension d; GLOBAL_ID */
    unsigned char is_told[MAX_IDS]; /* specialization constants that have their value by the case */
    uint32_t value_of[MAX_IDS];     /* of constants; of vectors of them their offset */
    const struct testcase *tc;
    unsigned char is_local[MAX_IDS]; /* variables of functions */
    uint32_t amd_set;                /* of extended instructions over a group */
    uint32_t constant_true;
    uint32_t trips_of; /* what the next condition compares a loop's counter with */
    int has_ballot;    /* GroupNonUniformBallot is declared */
    struct open open[MAX_DEPTH];
    int depth;
    int gone;                /* may somebody have returned? */
    uint32_t here, n_stored; /* Ballot(true) of this block; of its words, those stored so far */
    uint32_t word[4];
    uint32_t n_groups, n_partial, n_full_only;
    const char *wrong;
};

static int is_group(const struct walk *w, const struct spv_inst *i)
{
    return (i->op >= 261 && i->op <= 271) || (i->op >= 333 && i->op <= 366) || i->op == 4431 ||
           i->op == 5110 || i->op == 5111 || i->op == 5296 || (i->op >= 5000 && i->op <= 5007) ||
           (i->op >= 6401 && i->op <= 6408) || (i->op == SpvOpExtInst && i->w[3] == w->amd_set);
}

/* OpGroup* and its KHR kin: all of the scope must come. */
static int needs_all(const struct spv_inst *i)
{
    return (i->op >= 261 && i->op <= 271) || i->op >= 6401;
}

static int is_divergent(const struct walk *w)
{
    for (int k = 0; k < w->depth; k++) {
        if (!w->open[k].is_uniform) {
            return 1;
        }
    }
    return 0;
}

static int is_partial(const struct walk *w)
{
    return w->gone || is_divergent(w);
}

static int operands_are_uniform(const struct walk *w, const struct spv_inst *i)
{
    for (uint32_t k = 3; k < i->n; k++) {
        if (i->op == SpvOpCompositeExtract && k > 3) {
            break; /* literals */
        }
        if (!w->is_uniform[i->w[k] % MAX_IDS]) {
            return 0;
        }
    }
    return 1;
}

static void read_decoration(struct walk *w, const struct spv_inst *i)
{
    if (i->w[2] == SpvDecorationBuiltIn) {
        bool const is_uniform =
            i->w[3] == SpvBuiltInWorkgroupId || i->w[3] == SpvBuiltInGlobalOffset;
        w->is_uniform[i->w[1]] = is_uniform;
        w->axis[i->w[1]] = i->w[3] == SpvBuiltInGlobalInvocationId ? GLOBAL_ID : 0;
    } else if (i->w[2] == SpvDecorationSpecId) {
        const struct spec *const s = testcase_find_spec(w->tc, i->w[3]);
        w->is_told[i->w[1]] = s != NULL;
        w->value_of[i->w[1]] = s ? (uint32_t)s->bits : 0;
    }
}

/* Is i a constant? */
static int read_constant(struct walk *w, const struct spv_inst *i)
{
    int const is_constant =
        (i->op >= SpvOpConstantTrue && i->op <= SpvOpConstantComposite) ||
        (i->op >= SpvOpSpecConstantTrue && i->op <= SpvOpSpecConstantComposite) ||
        i->op == SpvOpConstantNull;
    if (!is_constant) {
        return 0;
    }
    w->is_uniform[i->w[2]] = 1;
    w->constant_true = i->op == SpvOpConstantTrue ? i->w[2] : w->constant_true;
    if (i->op == SpvOpConstant || (i->op == SpvOpSpecConstant && !w->is_told[i->w[2]])) {
        w->value_of[i->w[2]] = i->w[3];
    } else if (i->op == SpvOpSpecConstantComposite) {
        w->value_of[i->w[2]] = i->offset;
    }
    return 1;
}

/* Declarations: constants, parameters and the work-group's id are uniform; functions with groups. */
static void read_declarations(struct walk *w, const struct testcase *tc)
{
    uint32_t offset = SPV_HEADER_WORDS;
    uint32_t function = 0;
    struct spv_inst i;
    while (spv_next(tc->module, tc->n_words, &offset, &i)) {
        if (i.op == SpvOpCapability && i.w[1] == SpvCapabilityGroupNonUniformBallot) {
            w->has_ballot = 1;
        } else if (i.op == SpvOpDecorate) {
            read_decoration(w, &i);
        } else if (read_constant(w, &i)) {
            continue;
        } else if (i.op ==
                   SpvOpVariable) { /* the pointer; what a built-in holds is by its own name */
            w->is_uniform[i.w[2]] |=
                i.w[3] != SpvStorageClassFunction && i.w[3] != SpvStorageClassInput;
            w->is_local[i.w[2]] = i.w[3] == SpvStorageClassFunction;
        } else if (i.op == SpvOpFunctionParameter) {
            w->is_uniform[i.w[2]] = 1;
        } else if (i.op == SpvOpFunction) {
            function = i.w[2];
        } else if (i.op == SpvOpExtInstImport && memcmp(i.w + 2, "SPV_", 4) == 0) {
            w->amd_set = i.w[1];
        } else if (is_group(w, &i) && function != 0) {
            w->has_group[function] = 1;
        }
    }
}

/* The entry point that runs: others may stand before it. */
static uint32_t find_entry(const struct testcase *tc)
{
    size_t const n = strlen(tc->entry) + 1;
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst i;
    while (spv_next(tc->module, tc->n_words, &offset, &i)) {
        if (i.op == SpvOpEntryPoint && (i.n - 3) * sizeof *i.w >= n &&
            memcmp(i.w + 3, tc->entry, n) == 0) {
            return i.w[2];
        }
    }
    return 0;
}

static int is_announced(const struct walk *w)
{
    return w->here != 0 && w->n_stored == 4;
}

/* Without a ballot: first in an arm that the whole work-group came to. */
static int is_first_in_arm(const struct walk *w)
{
    int n_partial = 0;
    for (int k = 0; k < w->depth; k++) {
        n_partial += !w->open[k].is_uniform;
    }
    return n_partial == 1 && !w->gone && !w->open[w->depth - 1].is_uniform &&
           !w->open[w->depth - 1].is_loop && !w->open[w->depth - 1].is_broken;
}

static void see_group(struct walk *w, const struct spv_inst *i)
{
    int const asks_who = i->op == SpvOpGroupNonUniformBallot && i->w[4] == w->constant_true;
    if (asks_who) {
        w->here = i->w[2];
        w->n_stored = 0;
        memset(w->word, 0, sizeof w->word);
        return;
    }
    w->n_groups++;
    w->n_full_only += (uint32_t)needs_all(i);
    if (!is_partial(w)) {
        return;
    }
    w->n_partial++;
    if (needs_all(i)) {
        w->wrong = "an operation that all must come to, where some may be away";
    } else if (w->has_ballot ? !is_announced(w) : !is_first_in_arm(w)) {
        w->wrong = "nothing tells who is here";
    }
}

static void see_word(struct walk *w, const struct spv_inst *i)
{
    if (i->op == SpvOpCompositeExtract && w->here != 0 && i->w[3] == w->here) {
        w->word[i->w[4]] = i->w[2];
    }
    for (int k = 0; i->op == SpvOpCopyObject && k < 4; k++) { /* the copy is stored in its place */
        w->word[k] = w->word[k] != 0 && w->word[k] == i->w[3] ? i->w[2] : w->word[k];
    }
    for (int k = 0; i->op == SpvOpStore && k < 4; k++) {
        w->n_stored += i->w[2] == w->word[k] && w->word[k] != 0;
    }
}

static void enter(struct walk *w, uint32_t merge, int is_loop)
{
    assert_true(w->depth < MAX_DEPTH);
    if (w->depth > 0) {
        w->open[w->depth - 1].is_broken = 1;
    }
    w->open[w->depth++] = (struct open){.merge = merge, .is_loop = is_loop, .is_uniform = 1};
}

static void see_return(struct walk *w)
{
    if (!is_divergent(w)) {
        return; /* whole work-groups leave */
    }
    for (int k = 0; k < w->depth; k++) {
        if (w->open[k].is_loop) {
            w->wrong = "a return in a loop whose operations come round again";
        }
    }
    w->gone = 1;
}

/* The condition of a selection decides who takes it, and that of a loop by its trip count. */
static void see_branch(struct walk *w, const struct spv_inst *i)
{
    struct open *const o = &w->open[w->depth - 1];
    assert_true(w->depth > 0);
    o->is_uniform = w->is_uniform[o->is_loop ? w->trips_of : i->w[1]];
    o->other = i->w[3];
}

/* What a variable of the function is for: it holds what is loaded from it, or is to be stored. */
static void see_copy(struct walk *w, const struct spv_inst *i)
{
    if ((i->op == SpvOpCopyMemory || i->op == SpvOpCopyMemorySized) && w->is_local[i->w[1]]) {
        w->is_uniform[i->w[1]] = w->is_uniform[i->w[2]];
    }
}

/* Where an item is in a dimension, over the size of a work-group there: the same for the whole of it. */
static int is_group_of_item(const struct walk *w, const struct spv_inst *i)
{
    uint32_t const axis = i->op == SpvOpUDiv ? w->axis[i->w[3]] : 0;
    return axis > 0 && axis < GLOBAL_ID && w->value_of[i->w[4]] == w->tc->local[axis - 1];
}

static void see_axis(struct walk *w, const struct spv_inst *i)
{
    if (i->op == SpvOpLoad || i->op == SpvOpUConvert) {
        w->axis[i->w[2]] = w->axis[i->w[3]];
    } else if (i->op == SpvOpCompositeExtract) {
        uint32_t const of = w->value_of[i->w[3]]; /* the words of a vector of constants, or 0 */
        w->axis[i->w[2]] = w->axis[i->w[3]] == GLOBAL_ID ? (unsigned char)(1 + i->w[4]) : 0;
        w->value_of[i->w[2]] = of != 0 ? w->value_of[w->tc->module[of + 3 + i->w[4]]] : 0;
    }
}

static void see(struct walk *w, const struct spv_inst *i)
{
    if (i->op == SpvOpLabel) {
        while (w->depth > 0 && w->open[w->depth - 1].merge == i->w[1]) {
            w->depth--;
        }
        if (w->depth > 0 && w->open[w->depth - 1].other == i->w[1]) {
            w->open[w->depth - 1].is_broken = 0;
        }
        w->here = 0;
    } else if (i->op == SpvOpFunctionCall) {
        w->here = 0;
        if (w->has_group[i->w[3]]) {
            w->n_groups++;
            w->wrong = is_partial(w) ? "a call to an operation, where some may be away" : w->wrong;
        }
    } else if (i->op == SpvOpSelectionMerge) {
        enter(w, i->w[1], 0);
    } else if (i->op == SpvOpLoopMerge) {
        enter(w, i->w[1], 1);
    } else if (i->op == SpvOpBranchConditional) {
        see_branch(w, i);
    } else if (i->op == SpvOpReturn) {
        see_return(w);
    } else if (is_group(w, i)) {
        see_group(w, i);
    } else {
        see_word(w, i);
        see_copy(w, i);
    }
    if (i->op == SpvOpULessThan) {
        w->trips_of = i->w[4];
    }
    int const is_pure = (i->op >= SpvOpIAdd && i->op <= SpvOpFUnordGreaterThanEqual) ||
                        (i->op >= SpvOpShiftRightLogical && i->op <= SpvOpNot) ||
                        (i->op >= SpvOpConvertFToU && i->op <= SpvOpBitcast) ||
                        (i->op >= SpvOpAccessChain && i->op <= SpvOpInBoundsPtrAccessChain) ||
                        i->op == SpvOpLoad || i->op == SpvOpCompositeExtract ||
                        i->op == SpvOpCopyObject;
    if (is_pure && i->n >= 4) {
        see_axis(w, i);
        w->is_uniform[i->w[2]] =
            (unsigned char)(operands_are_uniform(w, i) || is_group_of_item(w, i));
    }
}

/* The reason why the case is wrong, or NULL. */
static const char *check_case(struct walk *w, const struct testcase *tc)
{
    uint32_t const entry = find_entry(tc);
    uint32_t offset = SPV_HEADER_WORDS;
    uint32_t function = 0;
    struct spv_inst i;
    memset(w, 0, sizeof *w);
    w->tc = tc;
    read_declarations(w, tc);
    while (!w->wrong && spv_next(tc->module, tc->n_words, &offset, &i)) {
        if (i.op == SpvOpFunction) {
            function = i.w[2];
        } else if (function == entry && i.op != SpvOpFunctionParameter) {
            see(w, &i);
        }
    }
    return w->wrong;
}

static void check_profile(enum profile profile, enum env env)
{
    struct arena a;
    struct rng rng = rng_seed(21);
    struct walk *const w = calloc(1, sizeof *w);
    uint64_t n_groups = 0;
    uint64_t n_partial = 0;
    uint64_t n_full_only = 0;
    uint64_t n_counted = 0;
    assert_non_null(w);
    arena_init(&a, ARENA_BYTES);
    for (int i = 0; i < N_CASES; i++) {
        struct tape t;
        struct testcase tc;
        struct gen_info info;
        struct err e;
        arena_reset(&a);
        assert_int_equal(tape_random(&t, &rng, &a, NULL), RES_OK);
        assert_int_equal(gen_case(profile, env, &t, &a, &tc, &info, &e), RES_OK);
        const char *const wrong = check_case(w, &tc);
        if (wrong) {
            fail_msg("%s %s case %d: %s", profile_names[profile], env_names[env], i, wrong);
        }
        n_groups += w->n_groups;
        n_partial += w->n_partial;
        n_full_only += w->n_full_only;
        n_counted += info.n_partial;
    }
    assert_true(n_groups >= 5 * (uint64_t)N_CASES);
    /* what cases of AMD's extension have at their end stands where all come */
    assert_true(n_partial * 6 >= n_groups);
    assert_true(env == ENV_VK || n_full_only >= N_CASES);
    /* what the statistics call partial is no less than what a walk finds so */
    assert_true(n_counted * 10 >= n_partial * 9 && n_counted <= n_partial + n_partial / 10);
    arena_free(&a);
    free(w);
}

static void operations_stand_where_it_is_known_who_comes(void **state)
{
    (void)state;
    check_profile(PROFILE_GROUPS, ENV_CL);
    check_profile(PROFILE_GROUPS, ENV_VK);
    check_profile(PROFILE_ALL, ENV_CL);
    check_profile(PROFILE_ALL, ENV_VK);
}

/* A ballot's words are no longer stored: the walk must miss them. */
static void the_walk_sees_what_is_missing(void **state)
{
    (void)state;
    struct arena a;
    struct rng rng = rng_seed(22);
    struct walk *const w = calloc(1, sizeof *w);
    int n_seen = 0;
    int n_changed = 0;
    assert_non_null(w);
    arena_init(&a, ARENA_BYTES);
    for (int i = 0; i < N_CASES / 10; i++) {
        struct tape t;
        struct testcase tc;
        struct err e;
        arena_reset(&a);
        assert_int_equal(tape_random(&t, &rng, &a, NULL), RES_OK);
        assert_int_equal(gen_case(PROFILE_GROUPS, ENV_VK, &t, &a, &tc, NULL, &e), RES_OK);
        uint32_t *const words = arena_copy(&a, tc.module, tc.n_words * sizeof *words);
        uint32_t offset = SPV_HEADER_WORDS;
        struct spv_inst inst;
        int changes = 0;
        assert_non_null(words);
        while (spv_next(tc.module, tc.n_words, &offset, &inst)) {
            if (inst.op == SpvOpCompositeExtract && inst.w[4] == 3) {
                words[inst.offset + 4] = 2; /* the last word is never asked for */
                changes = 1;
            }
        }
        tc.module = words;
        n_changed += changes;
        n_seen += check_case(w, &tc) != NULL;
    }
    assert_true(n_changed >= N_CASES / 20);
    assert_true(n_seen * 2 >= n_changed);
    arena_free(&a);
    free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_stand_where_it_is_known_who_comes),
        cmocka_unit_test(the_walk_sees_what_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
