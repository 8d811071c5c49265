/* tests/oracle/test_regress.c -- observations of real drivers that were looked into by hand, and the alarms
 * that turned out to be ours: each folder of corpora/regress gets the verdict its expect.txt names. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "fuzz/io/bundle.h"
#include "oracle/explain/explain.h"
#include "oracle/judge/judge.h"

enum {
    MAX_PATH = 512
};
static const char folder[] = "corpora/regress";

/* "verdict clause [n]": the worst verdict, the clause of the first finding of that kind, and how many
 * findings there are in all; -1 where that is not said. A second line "verdict clause" is of a finding that
 * there must be as well; empty where there is none. */
struct expected {
    char verdict[32], clause[32], other_verdict[32], other_clause[32];
    int n_findings;
};

static void read_expected(const char *path, struct expected *out)
{
    char first[128] = "", second[128] = "";
    FILE *f = fopen(path, "r");
    *out = (struct expected){.n_findings = -1};
    if (!f || !fgets(first, sizeof first, f) ||
        sscanf(first, "%31s %31s %d", out->verdict, out->clause, &out->n_findings) < 2) {
        fail_msg("%s: no verdict and clause", path);
    }
    if (fgets(second, sizeof second, f) &&
        sscanf(second, "%31s %31s", out->other_verdict, out->other_clause) != 2) {
        fail_msg("%s: the second line is not a verdict and clause", path);
    }
    (void)fclose(f);
}

static bool has_finding(const struct judgement *j, const char *verdict, const char *clause)
{
    for (uint32_t i = 0; i < j->n_findings; i++) {
        if (strcmp(verdict_rows[j->findings[i].kind].name, verdict) == 0 &&
            strcmp(clause_rows[j->findings[i].clause].id, clause) == 0) {
            return true;
        }
    }
    return false;
}

static void check_bundle(const char *name, struct arena *a)
{
    char path[MAX_PATH], expect[MAX_PATH + 16];
    struct expected want;
    struct bundle b;
    struct judgement j;
    struct err e = {0};
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    (void)snprintf(expect, sizeof expect, "%s/expect.txt", path);
    read_expected(expect, &want);
    if (bundle_read(path, a, &b, &e) != RES_OK || judge_run(&b.tc, &b.ob, a, &j, &e) != RES_OK) {
        fail_msg("%s: %s", path, e.text);
    }
    if (strcmp(verdict_rows[j.kind].name, want.verdict) != 0) {
        fail_msg("%s: %s, want %s", path, verdict_rows[j.kind].name, want.verdict);
    }
    if (want.n_findings >= 0 && j.n_findings != (uint32_t)want.n_findings) {
        fail_msg("%s: %u findings, want %d", path, j.n_findings, want.n_findings);
    }
    if (want.other_verdict[0] && !has_finding(&j, want.other_verdict, want.other_clause)) {
        fail_msg("%s: no %s %s", path, want.other_verdict, want.other_clause);
    }
    for (uint32_t i = 0; i < j.n_findings; i++) {
        if (j.findings[i].kind == j.kind) {
            if (strcmp(clause_rows[j.findings[i].clause].id, want.clause) != 0) {
                fail_msg("%s: %s, want %s", path, clause_rows[j.findings[i].clause].id,
                         want.clause);
            }
            return;
        }
    }
    assert_string_equal(want.clause, "NONE");
}

static void each_bundle_gets_its_verdict(void **state)
{
    (void)state;
    struct arena a;
    size_t n = 0;
    DIR *d = opendir(folder);
    assert_non_null(d);
    arena_init(&a, (size_t)256 << 20);
    for (struct dirent *entry = readdir(d); entry; entry = readdir(d)) {
        if (entry->d_name[0] != '.') {
            check_bundle(entry->d_name, &a);
            arena_reset(&a);
            n++;
        }
    }
    (void)closedir(d);
    arena_free(&a);
    assert_true(n > 0);
}

/* What a model of a known bug explains to the end, and what it must leave as it is. */
static const struct explained {
    const char *name;
    enum fault_id bug, other;
} explained[] = {
    {"20261125_intel_negation_across_a_barrier",     FAULT_NEGATED_ACROSS_OPEN,  FAULT_ZERO_LOSES_SIGN     },
    {"20261127_intel_negation_keeps_a_nan",          FAULT_NEGATED_ACROSS_OPEN,  FAULT_ZERO_LOSES_SIGN     },
    {"20261126_intel_difference_of_a_kept_negation", FAULT_NEGATED_ACROSS_OPEN,
     FAULT_ZERO_LOSES_SIGN                                                                                 },
    {"20261126_pocl_load_of_a_buffer_again",         FAULT_LOADED_AGAIN_OPEN,    FAULT_FURTHER_TURN        },
    {"20261126_pocl_load_again_behind_a_barrier",    FAULT_LOADED_AGAIN_OPEN,    FAULT_FURTHER_TURN        },
    {"20261126_pocl_loads_again_in_a_chain",         FAULT_LOADED_AGAIN_OPEN,    FAULT_FURTHER_TURN        },
    {"20261127_pocl_loads_again_by_copies",          FAULT_LOADED_AGAIN_OPEN,    FAULT_FURTHER_TURN        },
    {"20261127_pocl_hypot_of_large",                 FAULT_HYPOT_OF_LARGE,       FAULT_ATAN2_OF_LARGE      },
    {"20261127_pocl_atan2_of_large",                 FAULT_ATAN2_OF_LARGE,       FAULT_ATAN2_KEPT          },
    {"20261127_pocl_normalize_of_one_nan",           FAULT_NORMALIZE_OF_NAN,     FAULT_NORMALIZE_LOST      },
    {"20261127_intel_normalize_keeps_a_nan",         FAULT_NORMALIZE_OF_NAN,     FAULT_NORMALIZE_LOST      },
    {"20261127_pocl_scan_lacks_the_others",          FAULT_OTHERS_LOST_OPEN,     FAULT_FIRST_LOST_OPEN     },
    {"20261128_intel_sign_of_subnormal",             FAULT_SIGN_KEPT,            FAULT_EXTREME_KEPT        },
    {"20261127_intel_scan_of_one",                   FAULT_ALONE_IN_SCAN,        FAULT_NOT_FOLDED          },
    {"20261129_intel_broadcast_of_one",              FAULT_ALONE_IN_BROADCAST,   FAULT_ALONE_IN_SHUFFLE    },
    {"20261129_intel_shuffle_up_of_one",             FAULT_ALONE_IN_SHUFFLE,     FAULT_ALONE_IN_BROADCAST  },
    {"20261129_intel_ilogb_of_subnormal",            FAULT_ILOGB_FLUSHED,        FAULT_FREXP_FLUSHED       },
    {"20261129_intel_minimum_flushed",               FAULT_FOLD_TAKES_LATER,     FAULT_FOLD_IN_HALVES      },
    {"20261129_intel_broadcast_of_quarter",          FAULT_BROADCAST_OF_QUARTER, FAULT_BROADCAST_OF_HALF   },
    {"20261129_intel_reduction_in_crossed_halves",   FAULT_FOLD_CROSSED,         FAULT_FOLD_IN_HALVES      },
    {"20261129_pocl_vote_after_a_return",            FAULT_VOTE_LEFT_OPEN,       FAULT_REDUCE_LEFT_OPEN    },
    {"20261129_pocl_vote_after_a_barrier",           FAULT_VOTE_LEFT_OPEN,       FAULT_ALL_IS_NONE         },
    {"20261125_rusticl_nextafter_of_subnormal",      FAULT_NEXT_OF_FLUSHED,      FAULT_NEXT_KEPT           },
    {"20261125_rusticl_mix_of_nan",                  FAULT_MIX_OF_ONE,           FAULT_MIX_OF_TWO          },
    {"20261125_rusticl_length_of_signalling_nan",    FAULT_LENGTH_OF_SIGNALLING,
     FAULT_LENGTH_OVERFLOWS                                                                                },
    {"20261125_rusticl_fdim_of_subnormals",          FAULT_DIFFERENCE_KEPT,      FAULT_NEXT_OF_FLUSHED     },
    {"20261125_rusticl_half_divide_of_zero",         FAULT_ZERO_DIVIDED,         FAULT_DIVIDED_BY_ZERO_OPEN},
    {"20261125_swiftshader_quantize_below_normal",   FAULT_QUANTIZE_CUT,         FAULT_CONSTANT_UNSIGNED   },
};

static uint32_t count_under(const char *name, enum fault_id id, struct arena *a)
{
    char path[MAX_PATH];
    struct bundle b;
    struct judgement j;
    struct err e = {0};
    struct hypothesis s = {.plan = fault_plan_of(id)};
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    arena_reset(a);
    if (bundle_read(path, a, &b, &e) != RES_OK ||
        explain_run(&b.tc, &b.ob, &s, a, &j, &e) != RES_OK) {
        fail_msg("%s: %s", path, e.text);
    }
    return j.n_found;
}

static void bug_20261125_explained_by_models(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a, (size_t)1 << 30);
    for (size_t i = 0; i < ARRAY_N(explained); i++) {
        uint32_t const n_left = count_under(explained[i].name, explained[i].bug, &a);
        uint32_t const n_of_other = count_under(explained[i].name, explained[i].other, &a);
        if (n_left > 0 || n_of_other == 0) {
            fail_msg("%s: %u findings left, and %u by another model", explained[i].name, n_left,
                     n_of_other);
        }
    }
    arena_free(&a);
}

/* Findings of values whose words another value is planted in, and the models that explain what the driver gave there. */
static const struct bound {
    const char *name;
    enum fault_id bug;
} bounds[] = {
    {"20261126_pocl_load_again_behind_a_barrier", FAULT_LOADED_AGAIN_OPEN},
    {"20261126_pocl_load_of_a_buffer_again",      FAULT_LOADED_AGAIN_OPEN},
    {"20261125_pocl_first_goes_on_twice",         FAULT_FIRST_BEHIND_LAST},
    {"20261125_pocl_first_behind_the_last",       FAULT_FIRST_BEHIND_LAST},
    {"20261125_pocl_atomic_of_a_further_turn",    FAULT_FURTHER_TURN     },
};

static bool is_of_word(const struct finding *f, const struct expect *at)
{
    return f->expect && f->expect->buf == at->buf && f->expect->byte == at->byte;
}

/* Does the model leave the finding of a word as it is that holds `value` instead? Such a word may be no finding at all: then there is
 * nothing to explain. */
static bool leaves_planted(struct bundle *b, const struct expect *at, uint64_t value,
                           enum fault_id bug, struct arena *a)
{
    struct hypothesis s = {.plan = fault_plan_of(bug)};
    struct judgement plain, under;
    struct err e = {0};
    struct observation ob = b->ob;
    bool is_wrong = false;
    unsigned char *const out = arena_copy(a, b->ob.out[at->buf], b->tc.bufs[at->buf].n_bytes);
    assert_non_null(out);
    store_le(out + at->byte, value, at->n_bytes);
    ob.out[at->buf] = out;
    assert_int_equal(judge_run(&b->tc, &ob, a, &plain, &e), RES_OK);
    assert_int_equal(explain_run(&b->tc, &ob, &s, a, &under, &e), RES_OK);
    for (uint32_t i = 0; i < plain.n_findings; i++) {
        is_wrong |= is_of_word(&plain.findings[i], at);
    }
    return !is_wrong || under.n_found > 0;
}

/* What the driver gave is explained to the end (explained[] above and test_known_groups.c); a value next to it, and one that nothing
 * holds, is not. */
static void a_model_of_places_explains_its_values_alone(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a, (size_t)1 << 30);
    for (size_t i = 0; i < ARRAY_N(bounds); i++) {
        char path[MAX_PATH];
        struct bundle b;
        struct judgement j;
        struct err e = {0};
        uint32_t n_planted = 0;
        (void)snprintf(path, sizeof path, "%s/%s", folder, bounds[i].name);
        arena_reset(&a);
        assert_int_equal(bundle_read(path, &a, &b, &e), RES_OK);
        assert_int_equal(count_under(bounds[i].name, bounds[i].bug, &a), 0);
        arena_reset(&a);
        assert_int_equal(bundle_read(path, &a, &b, &e), RES_OK);
        assert_int_equal(judge_run(&b.tc, &b.ob, &a, &j, &e), RES_OK);
        for (uint32_t k = 0; k < j.n_findings; k++) {
            const struct expect *const at = j.findings[k].expect;
            uint64_t const got = at ? load_le(b.ob.out[at->buf] + at->byte, at->n_bytes) : 0;
            if (at && (!leaves_planted(&b, at, got + 1, bounds[i].bug, &a) ||
                       !leaves_planted(&b, at, UINT64_C(0x5bd1e995a3c59ac3), bounds[i].bug, &a))) {
                fail_msg("%s: a foreign value is explained in place of: %s", path,
                         j.findings[k].text);
            }
            n_planted += at != NULL;
        }
        assert_true(n_planted > 0);
    }
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_bundle_gets_its_verdict),
        cmocka_unit_test(bug_20261125_explained_by_models),
        cmocka_unit_test(a_model_of_places_explains_its_values_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
