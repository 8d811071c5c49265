/* reports/model/test_report_groups.c -- what a report shows of group operations, of divergences and of cases
 * that a target does not list. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <jansson.h>

#include "reports/model/test_sample.h"

/* A campaign of group operations on a small Vulkan device and on one of OpenCL. */
static void make_group_sample(struct sample *s)
{
    static const struct campaign_coverage rows[] = {
        {.target_id = 1,
         .op = "GroupNonUniformFAdd",
         .type = "f32",
         .storage = "subgroup-reduce",
         .outcome = "run",
         .n = 4242},
        {.target_id = 1,
         .op = "GroupNonUniformElect",
         .type = "bool",
         .storage = "subgroup",
         .outcome = "rejected",
         .n = 17  },
        {.target_id = 2,
         .op = "GroupFAddNonUniformAMD",
         .type = "f32",
         .storage = "subgroup-reduce",
         .outcome = "unadvertised",
         .n = 99  },
    };
    make_sample(s, "honest");
    s->targets[0].facts = "api=vulkan\nvk.api=0x402000\nvk.p.subgroupSupportedStages=0x20\n"
                          "vk.p.subgroupSupportedOperations=0x5\n"; /* basic, arithmetic */
    s->targets[1].facts = "api=opencl\ncl.wg_collectives=1\n";
    s->targets[0].name = "small";
    s->targets[1].name = "collective";
    s->c.plan.profile = "groups";
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        s->coverage[i] = rows[i];
    }
}

/* By hand: the device lists elect, and arithmetic on f32, i32 and bool: 9 instructions on integers, 4
 * on floats and 3 on bools, each with a reduction and two scans. */
static void groups_are_shown_by_instruction(void **state)
{
    (void)state;
    struct sample s;
    json_error_t why;
    make_group_sample(&s);
    char *text = write_report(REPORT_JSON, &s.c);
    json_t *const root = json_loads(text, JSON_REJECT_DUPLICATES, &why);
    assert_non_null(root);
    json_t *const small = json_array_get(json_object_get(root, "targets"), 0);
    json_t *const groups = json_object_get(small, "groups");
    long long const n_listed = 1 + (9 + 4 + 3) * 3;
    assert_int_equal(json_integer_value(json_object_get(groups, "n_listed")), n_listed);
    assert_int_equal(json_integer_value(json_object_get(groups, "n_run")), 1);
    assert_int_equal(json_integer_value(json_object_get(groups, "n_rejected")), 1);
    assert_int_equal(json_integer_value(json_object_get(groups, "n_not_reached")), n_listed - 2);
    assert_int_equal(json_array_size(json_object_get(groups, "not_reached")), n_listed - 2);
    assert_int_equal(json_integer_value(json_object_get(small, "n_reductions")), 87011);
    assert_int_equal(json_integer_value(json_object_get(small, "n_partial")), 88001);
    json_decref(root);
    free(text);
    text = write_report(REPORT_TRUST, &s.c);
    assert_non_null(strstr(text, "<summary>small: 49 listed, 1 run, 1 rejected, 47 not reached"));
    assert_non_null(strstr(text, ">GroupNonUniformFAdd</th>"));
    assert_non_null(strstr(text, ">4,242</td>"));
    assert_non_null(strstr(text, ">rejected 17</td>"));
    assert_non_null(strstr(text, ">unlisted 99</td>"));
    assert_non_null(strstr(text, ">gap</td>"));
    assert_non_null(strstr(text, ">no</td>"));
    assert_non_null(strstr(text, ">87,011</td>"));
    assert_non_null(strstr(text, ">10.0%</td>")); /* 8701 of 87011 */
    free(text);
    text = write_report(REPORT_TEXT, &s.c);
    assert_non_null(strstr(text, "49 listed, 1 run, 1 rejected, 47 not reached"));
    assert_non_null(strstr(text, "GroupNonUniformBallotBitExtract")); /* not cut */
    free(text);
}

/* Without group operations there is no table of them to wade through. */
static void a_campaign_of_atomics_has_no_table_of_groups(void **state)
{
    (void)state;
    struct sample s;
    make_group_sample(&s);
    s.c.plan.profile = "atomics";
    for (size_t i = 0; i < ARRAY_N(s.coverage); i++) {
        s.coverage[i].op = "AtomicFAddEXT";
    }
    char *const text = write_report(REPORT_TRUST, &s.c);
    assert_non_null(strstr(text, "No group operation was generated."));
    assert_null(strstr(text, "GroupNonUniform"));
    free(text);
}

/* Divergences of a clause are added up, by target, in the JSON and on the page. */
static void divergences_are_counted_by_clause(void **state)
{
    (void)state;
    struct sample s;
    json_error_t why;
    make_group_sample(&s);
    static const struct {
        const char *clause;
        int64_t target;
        uint64_t n;
    } rows[] = {
        {"GROUP_AGREE",  1, 7 },
        {"GROUP_SUM_VK", 2, 11},
        {"GROUP_AGREE",  1, 13}
    };
    for (int i = 0; i < 3; i++) {
        sample_fill_finding(&s.findings[i], 3 + i, "divergence", "honest");
        s.findings[i].class = "legal";
        s.findings[i].clause = rows[i].clause;
        s.findings[i].target_id = rows[i].target;
        s.findings[i].n_in_bucket = rows[i].n;
    }
    char *text = write_report(REPORT_JSON, &s.c);
    json_t *const root = json_loads(text, JSON_REJECT_DUPLICATES, &why);
    assert_non_null(root);
    json_t *const list = json_object_get(root, "divergences_by_clause");
    assert_int_equal(json_array_size(list), 2);
    json_t *const agree = json_array_get(list, 0);
    json_t *const clause = json_object_get(agree, "clause");
    assert_string_equal(json_string_value(json_object_get(clause, "id")), "GROUP_AGREE");
    assert_int_equal(json_integer_value(json_object_get(agree, "n")), 20);
    assert_int_equal(json_integer_value(json_object_get(agree, "n_kinds")), 2);
    json_t *const small = json_array_get(json_object_get(agree, "targets"), 0);
    assert_int_equal(json_integer_value(json_object_get(small, "n")), 20);
    json_decref(root);
    free(text);
    text = write_report(REPORT_TRUST, &s.c);
    assert_non_null(strstr(text, ">GROUP_SUM_VK</th>"));
    assert_non_null(strstr(text, "Vulkan gives no accuracy for a sum or product over a group"));
    free(text);
}

/* A wrong value where nothing obliges the target is shown, and is no violation. */
static void unadvertised_findings_stand_apart(void **state)
{
    (void)state;
    struct sample s;
    make_group_sample(&s);
    for (int i = 0; i < 3; i++) {
        s.findings[i].class = "legal";
    }
    s.findings[2].verdict = "ulp";
    char *text = write_report(REPORT_TEXT, &s.c);
    assert_non_null(strstr(text, "[violation]"));
    free(text);
    s.findings[2].class = "unadvertised";
    text = write_report(REPORT_TEXT, &s.c);
    assert_null(strstr(text, "[violation]"));
    assert_non_null(strstr(text, "[not listed]"));
    assert_non_null(strstr(text, "and no finding of them is kept."));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_are_shown_by_instruction),
        cmocka_unit_test(a_campaign_of_atomics_has_no_table_of_groups),
        cmocka_unit_test(divergences_are_counted_by_clause),
        cmocka_unit_test(unadvertised_findings_stand_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
