/* reports/model/test_max_error.c -- each state of max-error decorations, from facts and counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "base/caps.h"
#include "reports/model/max_error.h"

/* What `facts` say, with the four counts of one feature of target 7 beside those of another target. */
static enum max_error state(const char *facts, const char *feature, uint64_t n_accepted,
                            uint64_t n_rejected, uint64_t n_crashed, uint64_t n_wrong)
{
    struct campaign_target targets[2] = {
        {.id = 3, .facts = "api=vulkan\n"},
        {.id = 7, .facts = facts         }
    };
    struct campaign_feature features[2] = {
        {.target_id = 3,           .feature = feature, .n_accepted = 1, .n_wrong = 1},
        { .target_id = 7,
         .feature = feature,
         .n_accepted = n_accepted,
         .n_rejected = n_rejected,
         .n_crashed = n_crashed,
         .n_wrong = n_wrong}
    };
    struct campaign const c = {
        .n_targets = 2, .targets = targets, .n_features = 2, .features = features};
    return max_error_of(&c, 1);
}

/* Each state of the decorations follows from the facts and the counts, and has a name. */
static void every_state(void **unused)
{
    (void)unused;
    static const struct {
        const char *facts, *feature;
        uint64_t n[4];
        enum max_error want;
    } rows[] = {
        {"api=opencl\n", "CL_MAX_ERROR", {0, 0, 0, 0},   MAX_ERROR_NOT_RUN },
        {"api=opencl\n", "CL_MAX_ERROR", {0, 156, 0, 0}, MAX_ERROR_REFUSED },
        {"api=opencl\n", "CL_MAX_ERROR", {0, 2, 7, 0},   MAX_ERROR_CRASHED },
        {"api=opencl\n", "CL_MAX_ERROR", {6, 1, 1, 0},   MAX_ERROR_UNLISTED},
        {"api=opencl\n", "CL_MAX_ERROR", {0, 1, 1, 12},  MAX_ERROR_UNLISTED},
        {"api=vulkan\n", "VK_MAX_ERROR", {0, 9, 0, 0},   MAX_ERROR_REFUSED },
        {"api=vulkan\n", "VK_F16",       {0, 9, 0, 0},   MAX_ERROR_NOT_RUN },
        {NULL,           "VK_MAX_ERROR", {0, 0, 0, 0},   MAX_ERROR_NOT_RUN },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        assert_int_equal(state(rows[i].facts, rows[i].feature, rows[i].n[0], rows[i].n[1],
                               rows[i].n[2], rows[i].n[3]),
                         rows[i].want);
    }
    for (int i = 0; i < MAX_ERROR_N; i++) {
        assert_true(strlen(max_error_names[i]) > 0 && strlen(max_error_texts[i]) > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_state)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
