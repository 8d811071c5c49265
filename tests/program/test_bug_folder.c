/* tests/program/test_bug_folder.c -- the folders of bugs that a report leaves, of a driver with a planted fault: their program
 * is short, finds the driver by itself, fails with the fault and passes without it, and no text has offsets. */
#include <limits.h>

#include "fuzz/targets/targets.h"
#include "fuzz/targets/targets_find.h"
#include "tests/rig/bug_rig.h"

enum {
    MAX_LINES = 350 /* of host.c and the header beside it */
};

/* $H is the program, the current folder an empty one. */
static int run(const struct rig *r, const char *command)
{
    return rig_do("cd '%s' && { %s; } >>log 2>&1", r->folder, command);
}

static void expect(const struct rig *r, int status, const char *command)
{
    int const got = run(r, command);
    if (got != status) {
        rig_print_log(r);
        fail_msg("exit status %d, not %d: %s", got, status, command);
    }
}

static bool has_target(const char *name, struct arena *a)
{
    struct target_list *const l = ARENA_NEW(a, struct target_list, 1);
    struct err e = {RES_OK, ""};
    assert_non_null(l);
    assert_int_equal(targets_find(l, NULL, a, &e), RES_OK);
    for (uint32_t i = 0; i < l->n; i++) {
        if (strcmp(l->t[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* What holds of each folder. */
static void check_folders(struct rig *r)
{
    expect(r, 0, "ls camp/bugs/*/report.md");
    expect(r, 0, "for d in camp/bugs/*; do grep -q '^## Kernel$' \"$d/report.md\" || exit 1; done");
    expect(r, 1, "grep -q '; 0x' camp/bugs/*/report.md camp/bugs/*/*.spvasm");
    expect(r, 0,
           arena_printf(&r->a,
                        "for d in camp/bugs/*; do "
                        "[ $(cat \"$d/host.c\" \"$d/expected.h\" | wc -l) -le %d ] || exit 1; done",
                        MAX_LINES));
}

static void a_planted_fault(const char *target, const char *fault)
{
    struct rig r;
    memset(&r, 0, sizeof r);
    arena_init(&r.a, (size_t)64 << 20);
    rig_make_folder(&r);
    if (!has_target(target, &r.a)) {
        print_message("skipped: %s is not here\n", target);
        rig_free(&r);
        skip();
    }
    expect(&r, 1,
           arena_printf(&r.a,
                        "\"$H\" run --quiet --cases 40 --seed 11 --targets %s:%s -o camp; "
                        "\"$H\" report --quiet --triage-time 1s --reduce-time 1s camp",
                        target, fault));
    check_folders(&r);
    /* The fault itself, whatever else the driver gets wrong in these cases. */
    expect(&r, 0, "mkdir one && cp -r $(ls -d camp/bugs/*-ulp-* | head -n 1)/. one");
    expect(&r, 0, "make -C one host CFLAGS='-std=c99 -pedantic -Wall -Wextra -Werror'");
    expect(&r, 2, "make -C one run HALFULP=\"$H\"");
    expect(&r, 0, "make -C one run HALFULP=\"$H\" PROGRAM=module.spv");
    expect(&r, 0, "make -C one run HALFULP=/nowhere 2>&1 | grep -q 'make run DRIVER=FILE'");
    rig_free(&r);
}

static void of_vulkan(void **state)
{
    (void)state;
    a_planted_fault("lavapipe", "SUB_FOR_ADD");
}

static void of_opencl(void **state)
{
    (void)state;
    a_planted_fault("intel-cpu", "SUB_FOR_ADD");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_vulkan),
        cmocka_unit_test(of_opencl),
    };
    char self[PATH_MAX] = "";
    if (readlink("/proc/self/exe", self, sizeof self - 32) > 0) { /* build/opt/tests/this */
        *strrchr(self, '/') = 0;
        *strrchr(self, '/') = 0;
        (void)strcat(self, "/halfulp");
        (void)setenv("H", self, 1);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
