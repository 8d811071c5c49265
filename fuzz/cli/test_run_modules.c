/* fuzz/cli/test_run_modules.c -- halfulp run --corpus-modules as a user starts it: what is found in a folder of kernels, that a campaign
 * which goes on is the one that was begun, that shards are parts of it, and what is said of a folder that has changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "tests/rig/room_rig.h"
#include "tests/rig/trust_rig.h"

#define RUN_IT "timeout 300 \"$H\" run -q " /* 124: it hangs */
#define FAULTY "--targets sim-ieee:LOST_UPDATE:AtomicIAdd,sim-any "
enum {
    STATUS_FOUND = 1,
    STATUS_BAD = 2
};

static void write_text(struct room *r, const char *name, const char *text)
{
    char path[512];
    struct err e = {RES_OK, ""};
    (void)snprintf(path, sizeof path, "%s/here/kernels/%s", r->path, name);
    if (file_write(path, text, strlen(text), &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
}

/* A folder with a shader that adds one, a shader that adds up in one element, and a file that is no kernel. */
static int set_up_kernels(void **state)
{
    char text[TEXT_BYTES];
    int const status = set_up(state);
    struct room *const r = *state;
    (void)strcpy(text, shader);
    expect(r, 0, "", "mkdir -p kernels/sums");
    write_text(r, "one.spvasm", text);
    replace(text, "%out %c0 %i\n", "%out %c0 %c0\n");
    replace(text, "OpIAdd %uint %was %c1", "OpAtomicIAdd %uint %to %c1 %c0 %was");
    replace(text, "OpStore %to %new\n", "");
    write_text(r, "sums/sum.spvasm", text);
    write_text(r, "words.txt", "neither a program nor a case\n");
    return status;
}

static void a_fault_is_found_and_names_its_kernel(void **state)
{
    struct room *const r = *state;
    expect(r, STATUS_FOUND, "2 kernels of 3 files\n1 of 3 files are not used:\n",
           RUN_IT FAULTY "--corpus-modules kernels --cases 12 --seed 5 -o found");
    assert_non_null(strstr(r->out, "words.txt: byte 0: neither SPIR-V"));
    assert_non_null(strstr(r->out, "#1 OpAtomicIAdd"));
    assert_non_null(strstr(r->out, "such as sums/sum.spvasm, kernel main; "));
    assert_null(strstr(r->out, "; sim-any, in")); /* the control */
    expect(r, STATUS_FOUND, "1 of 1 runs show atomicity", "timeout 300 \"$H\" check 'found#1'");
    expect(r, 0, "instructions, before",
           "timeout 300 \"$H\" reduce -q 'found#1' -o small && [ -e small/case.json ]");
    expect(r, STATUS_FOUND, "findings: 1 new", "timeout 300 \"$H\" report -q found");
    expect(r, 0, "\"kernel\": \"sums/sum.spvasm, kernel main\"", "cat found/report.json");
    expect(r, 0, "case: sums/sum.spvasm, kernel main, ordinary inputs of seed ",
           "timeout 300 \"$H\" gen --campaign found --index 1 -o made");
}

/* Counts of verdicts, and the findings: all but times and row numbers. */
#define TELL                                                                                       \
    "tell() { \"$H\" report --no-triage --format json \"$1\" | grep -e '\"n_runs\"' -e "           \
    "'\"case\"' -e '\"signature\"' -e '\"n_in_bucket\"' -e '\"n_judged\"' -e '\"ok\"'; }; "

static void what_goes_on_is_what_was_begun(void **state)
{
    struct room *const r = *state;
    expect(r, STATUS_FOUND, "",
           RUN_IT FAULTY "--corpus-modules kernels --cases 30 --seed 6 -o whole");
    expect(r, STATUS_FOUND, "",
           RUN_IT FAULTY "--corpus-modules kernels --cases 7 --seed 6 -o parts");
    expect(r, STATUS_FOUND, "2 kernels of 3 files\n", RUN_IT "--resume parts --cases 30");
    expect(r, 0, "", TELL "tell whole >w; tell parts >p; cmp w p && [ $(wc -l <w) -ge 14 ]");
}

static void shards_are_parts_of_it(void **state)
{
    struct room *const r = *state;
    for (int i = 1; i <= 3; i++) {
        char line[512];
        (void)snprintf(line, sizeof line,
                       RUN_IT FAULTY "--corpus-modules kernels --cases 30 --seed 6 --shard %d/3 "
                                     "-o s%d >/dev/null; [ $? -le 1 ]",
                       i, i);
        expect(r, 0, "", line);
    }
    expect(r, 0, "3 of 3 shards", "\"$H\" merge all s1 s2 s3");
    /* the targets of what is merged are in the order of their names */
    expect(r, 0, "",
           TELL "tell whole | sort >w; tell all | sort >p; cmp w p && "
                "[ $(wc -l <w) -ge 14 ]");
    expect(r, 0, "", "cp -r kernels others && echo >>others/one.spvasm");
    expect(r, 0, "",
           RUN_IT "--targets sim-any --corpus-modules others --cases 30 --seed 6 "
                  "--shard 1/3 -o o1");
    expect(r, STATUS_BAD, "folder of kernels", "\"$H\" merge both s2 o1");
}

static void a_folder_that_has_changed_is_refused(void **state)
{
    struct room *const r = *state;
    static const struct {
        const char *make, *line, *said;
    } rows[] = {
        {"cp -r kernels moved && mv kernels gone",           RUN_IT "--resume whole",
         "campaign whole reads its kernels from a folder that cannot be used: "                                                                           },
        {"true",                                             "\"$H\" gen --campaign whole --index 1 -o made",
         "No such file or directory; restore the folder"                                                                                                  },
        {"echo >>moved/words.txt",                           RUN_IT "--resume whole --corpus-modules moved",
         "/moved: the files have changed since campaign whole started"                                                                                    },
        {"rm moved/words.txt",                               RUN_IT "--resume whole --corpus-modules moved",
         "/moved: the files have changed since campaign whole started"                                                                                    },
        {"mv gone kernels",                                  RUN_IT "--corpus-modules nowhere --targets sim-any",
         "nowhere: No such file"                                                                                                                          },
        {"mkdir empty",                                      RUN_IT "--corpus-modules empty --targets sim-any",   "empty: has no files"                   },
        {"cp kernels/words.txt empty",                       RUN_IT "--corpus-modules empty --targets sim-any",
         "none of its 1 files has a kernel to run"                                                                                                        },
        {"true",                                             RUN_IT "--corpus-modules kernels --mutate 3",
         "--mutate applies to generated cases"                                                                                                            },
        {"\"$H\" run -q --targets sim-any --cases 2 -o own",
         RUN_IT "--resume own --corpus-modules kernels",                                                          "own: this campaign generates its cases"},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        expect(r, 0, "", rows[i].make);
        expect(r, STATUS_BAD, rows[i].said, rows[i].line);
    }
    expect(r, 0, "", "cp -r kernels again"); /* elsewhere, and the same */
    expect(r, STATUS_FOUND, "again: 2 kernels of 3 files",
           RUN_IT "--resume whole --corpus-modules again --cases 31");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fault_is_found_and_names_its_kernel),
        cmocka_unit_test(what_goes_on_is_what_was_begun),
        cmocka_unit_test(shards_are_parts_of_it),
        cmocka_unit_test(a_folder_that_has_changed_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up_kernels, tear_down);
}
