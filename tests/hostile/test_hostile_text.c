/* tests/hostile/test_hostile_text.c -- the real program with names, logs and facts that would fool who reads them:
 * none reaches the terminal as it is, and each command that is printed can be run as it is printed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/base.h"
#include "tests/rig/room_rig.h"

/* Colours, a cleared screen, text to the left, zero width, a second C1 form of ESC [, a false line. */
#define HOSTILE "\\033[31m\\033[2J\\342\\200\\256gpj.\\342\\200\\213\\302\\23331m\\nverdict: ok\\r"

static void no_raw_controls(const struct room *r, const char *what)
{
    static const char *const raw[] = {"\x1b", "\r", "\xe2\x80\xae", "\xe2\x80\x8b", "\xc2\x9b"};
    for (size_t i = 0; i < ARRAY_N(raw); i++) {
        if (strstr(r->out, raw[i])) {
            fail_msg("%s: shows raw control characters (%d)", what, (int)i);
        }
    }
}

static const char campaign[] =
    "\"$H\" run --quiet --cases 20 --seed 3 --targets sim-ieee:SUM_OFF_ULP -o camp";

/* Log, signature and facts of a bundle from elsewhere, a worker that does not start, words given to us. */
static void foreign_text_is_shown_as_what_it_is(void **state)
{
    struct room *const r = *state;
    static const struct {
        const char *line;
        int status;
    } rows[] = {
        {"\"$H\" judge b",                                                1},
        {"\"$H\" judge --json b",                                         1},
        {"\"$H\" check --targets sim-ieee \"$(printf 'no" HOSTILE "')\"", 2},
        {"\"$H\" run --targets \"$(printf 'no" HOSTILE "')\"",            2},
        {"\"$H\" \"$(printf 'no" HOSTILE "')\"",                          2},
        {"\"$H\" gen -o \"$(printf 'd" HOSTILE "')\"",                    0},
        {"\"$H\" devices --targets-file t.ini --targets bad",             3},
        {"\"$H\" devices --json --targets-file t.ini --targets bad",      3},
        {"\"$H\" run --targets-file t.ini --targets bad --cases 1 -o c",  3},
    };
    expect(r, 1, "", campaign);
    expect(r, 0, "", "\"$H\" report --bundle 1 -o b camp");
    expect(r, 1, "verdict: ", "\"$H\" judge b"); /* the control */
    expect(r, 0, "",
           "printf '" HOSTILE "' >b/log.txt && printf 'device=" HOSTILE "\\n' >b/facts.txt && "
           "sed -i 's/\"status\": *\"done\"/\"status\":\"crash\"/; s/\"out\":/\"was\":/; "
           "s/\"signature\": *\"[^\"]*\"/\"signature\":\"lib+f\\\\u001b[31m\\\\u202e\"/' "
           "b/case.json && grep -q crash b/case.json && "
           "printf '#!/bin/sh\\nprintf \"%s\" >&2; exit 1\\n' '" HOSTILE "' >w && chmod +x w && "
           "printf '[bad]\\napi = opencl\\nworker = %s/here/w\\n' \"$R\" >t.ini");
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        expect(r, rows[i].status, "x1b[31m", rows[i].line);
        no_raw_controls(r, rows[i].line);
    }
}

/* The words after the last "; " of what a campaign prints of its first finding, and of report.txt. */
static void commands_run_as_they_are_printed(void **state)
{
    struct room *const r = *state;
    static const char *const names[] = {
        "plain",
        "two words",
        "it'\\''s",
        "\"q\" $(touch ran) `touch ran` ; touch ran &",
        "a\\nb; touch ran",
        "end of line\\n",
        "\\033[31m\\342\\200\\256x",
        "-n",
    };
    char line[MAX_COMMAND / 2];
    for (size_t i = 0; i < ARRAY_N(names); i++) {
        (void)snprintf(line, sizeof line,
                       "D=$(printf '%s.'); D=${D%%.}; [ ! -e \"./$D\" ] && "
                       "%s \"$D\" >said; [ -d \"./$D\" ] && cat said && "
                       "sed -n 's/^  #.* cases*; //p' said | head -n 1 >command && cat command && "
                       "PATH=\"$R/bin:$PATH\" sh ./command; [ $? -eq 1 ] && [ ! -e ran ] && "
                       "[ \"$(wc -l <command)\" -eq 1 ]",
                       names[i],
                       "\"$H\" run --quiet --cases 20 --seed 3 --targets "
                       "sim-ieee:SUM_OFF_ULP -o");
        expect(r, 0, "runs show", line);
        no_raw_controls(r, names[i]);
    }
}

/* The command that writes a finding as a folder says how to go on with it. */
static void a_written_folder_is_named_so_that_it_can_be_used(void **state)
{
    struct room *const r = *state;
    expect(r, 1, "", campaign);
    expect(r, 0, "",
           "\"$H\" report --bundle 1 -o \"$(printf 'it'\"'\"'s\\nb')\" camp >said && "
           "sed 's/.* again, \"\\(halfulp judge .*\\)\" judges it/\\1/' said >command && cat "
           "command && "
           "PATH=\"$R/bin:$PATH\" sh ./command; [ $? -eq 1 ]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(foreign_text_is_shown_as_what_it_is, set_up, tear_down),
        cmocka_unit_test_setup_teardown(commands_run_as_they_are_printed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_written_folder_is_named_so_that_it_can_be_used, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
