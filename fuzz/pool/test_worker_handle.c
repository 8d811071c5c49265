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
        cmocka_unit_test(the_stalled_time_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
