/* fuzz/pool/test_worker_handle.c -- when a run is late. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fuzz/pool/handle.h"
#include "fuzz/process/child_time.h"

enum {
    LIMIT = 1000,
    DEADLINE = 5000
};

static void a_loaded_machine_gives_more_time(void **state)
{
    (void)state;
    assert_int_equal(handle_extend(DEADLINE, LIMIT, 0), DEADLINE);
    assert_int_equal(handle_extend(DEADLINE, LIMIT, 700), DEADLINE + 700);
}

static void but_never_without_end(void **state)
{
    (void)state;
    assert_int_equal(handle_extend(DEADLINE, LIMIT, UINT64_MAX),
                     DEADLINE + HANDLE_STALLED_LIMITS * LIMIT);
}

/* Of twice the words a build has more time, up to an end; what is executed has what the target says. */
static void a_build_has_time_for_its_size(void **state)
{
    (void)state;
    struct target const t = {.case_ns = 1000};
    assert_int_equal(handle_get_limit(&t, 100000, false), 1000);
    assert_int_equal(handle_get_limit(&t, 0, true), 500);
    assert_int_equal(handle_get_limit(&t, HANDLE_USUAL_WORDS, true), 1000);
    assert_int_equal(handle_get_limit(&t, 2 * HANDLE_USUAL_WORDS, true), 1500);
    assert_int_equal(handle_get_limit(&t, UINT32_MAX, true), HANDLE_LONGEST_BUILD * 1000);
}

/* 0 on a kernel that does not tell; never back in time. */
static void the_stalled_time_grows(void **state)
{
    (void)state;
    uint64_t last = child_get_stalled_ns();
    for (int i = 0; i < 100; i++) {
        uint64_t const now = child_get_stalled_ns();
        assert_true(now >= last && now % 1000 == 0);
        last = now;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loaded_machine_gives_more_time),
        cmocka_unit_test(but_never_without_end),
        cmocka_unit_test(a_build_has_time_for_its_size),
        cmocka_unit_test(the_stalled_time_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
