/* tests/hostile/test_surroundings.c -- the real program where it stands badly: among planted files, on a full
 * disk, without /proc, standard output or descriptors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/base.h"
#include "tests/rig/room_rig.h"

/* In the folder where one stands: targets whose worker leaves a mark, a driver, a worker, seeds. */
static const char plant[] =
    "printf '#!/bin/sh\\ntouch \"%s/ran\"\\n' \"$R\" >evil && chmod +x evil && cp evil "
    "halfulp-worker && "
    "printf '[planted]\\napi = opencl\\nworker = %s/here/evil\\n' \"$R\" >targets.ini && "
    "mkdir -p drivers/intel-cpu/icd drivers/swiftshader corpora/seeds/all && "
    "touch drivers/intel-cpu/icd/intel.icd drivers/swiftshader/icd.json";

static void the_current_folder_gives_nothing(void **state)
{
    struct room *const r = *state;
    static const struct {
        const char *line, *said;
        int status;
    } rows[] = {
        {"\"$H\" devices --targets planted",                         "no target \"planted\"", 2},
        {"XDG_CONFIG_HOME=. \"$H\" devices --targets planted",       "no target \"planted\"", 2},
        {"XDG_CONFIG_HOME= HOME=. \"$H\" devices --targets planted", "no target \"planted\"", 2},
        {"PATH=\".:$PATH\" \"$H\" run --targets planted -o c",       "no target \"planted\"", 2},
        {"\"$H\" devices --targets intel-cpu",                       "make setup",            2},
        {"\"$H\" devices --targets swiftshader",                     "make drivers",          2},
        {"\"$H\" audit --target planted",                            "no target \"planted\"", 2},
    };
    expect(r, 0, "", plant);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        expect(r, rows[i].status, rows[i].said, rows[i].line);
        expect(r, 0, "", "[ ! -e ../ran ]");
    }
}

/* The control: where it may be, each of these is found. */
static void where_it_may_be_it_is_found(void **state)
{
    struct room *const r = *state;
    static const struct {
        const char *place, *line;
    } rows[] = {
        {"../bin",                  "\"$H\" devices --targets planted"                                       },
        {"../share/halfulp",        "\"$H\" devices --targets planted"                                       },
        {"../config/halfulp",       "XDG_CONFIG_HOME=\"$R/config\" \"$H\" devices --targets planted"         },
        {"../home/.config/halfulp", "HOME=\"$R/home\" \"$H\" devices --targets planted"                      },
        {"../home/.config/halfulp",
         "XDG_CONFIG_HOME=config HOME=\"$R/home\" \"$H\" devices --targets planted"                          },
        {"../anywhere",             "\"$H\" devices --targets planted --targets-file ../anywhere/targets.ini"},
        {"../tree",                 "mkdir -p ../tree/build/opt && cp ../bin/* ../tree/build/opt && "
                    "../tree/build/opt/halfulp devices --targets planted"                 },
    };
    char line[MAX_COMMAND / 2];
    expect(r, 0, "", plant);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        (void)snprintf(line, sizeof line,
                       "mkdir -p %s && cp targets.ini %s && { %s; [ -e ../ran ]; } && "
                       "rm ../ran %s/targets.ini",
                       rows[i].place, rows[i].place, rows[i].line, rows[i].place);
        expect(r, 0, "planted (opencl", line);
    }
}

static void without_proc_it_says_so(void **state)
{
    struct room *const r = *state;
    if (run(r, "bwrap --dev-bind / / true") != 0) {
        print_message("skipped: bwrap does not work here\n");
        skip();
    }
    expect(r, 0, "", "bwrap --dev-bind / / \"$H\" gen -o case"); /* the control */
    expect(r, 3, "/proc must be mounted", "bwrap --dev-bind / / --tmpfs /proc \"$H\" gen -o case");
    expect(r, 3, "/proc must be mounted", "bwrap --dev-bind / / --tmpfs /proc \"$H\" devices");
}

/* What each command prints, it prints; without room it ends with 3. */
static void a_full_standard_output_is_told(void **state)
{
    struct room *const r = *state;
    static const struct {
        const char *words;
        int status; /* where there is room */
    } rows[] = {
        {"--help",                                            0},
        {"--version",                                         0},
        {"devices --help",                                    0},
        {"fuzz --help",                                       0},
        {"corpus --help",                                     0},
        {"reduce --help",                                     0},
        {"audit --help",                                      0},
        {"devices --targets sim-ieee",                        0},
        {"devices --json --targets sim-ieee",                 0},
        {"gen -o case",                                       0},
        {"gen --stats 5",                                     0},
        {"run --targets sim-ieee --cases 3 -o $$",            0},
        {"run --json --targets sim-ieee --cases 3 -o $$",     0},
        {"check --targets sim-ieee case",                     0},
        {"judge ran",                                         0},
        {"report --no-triage camp",                           1},
        {"report --format json camp",                         1},
        {"report --bundle 1 -o one camp",                     0},
        {"selftest --apply 1 --fault none --profile atomics", 0},
    };
    char line[MAX_COMMAND / 2];
    expect(r, 0, "",
           "\"$H\" gen -o case && \"$H\" run --quiet --cases 20 --seed 3 --targets "
           "sim-ieee:SUM_OFF_ULP -o camp; \"$H\" report --bundle 1 -o ran camp");
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        int const wanted = strncmp(rows[i].words, "judge", 5) == 0 ? 1 : rows[i].status;
        (void)snprintf(line, sizeof line, "\"$H\" %s", rows[i].words);
        expect(r, wanted, "", line);
        (void)snprintf(line, sizeof line, "\"$H\" %s >/dev/full", rows[i].words);
        expect(r, 3, "No space left on device", line);
    }
}

/* A file of ours never gets the number of a standard output that was closed. */
static void a_closed_standard_output_harms_no_file(void **state)
{
    struct room *const r = *state;
    expect(r, 3, "", "\"$H\" run --targets sim-ieee --cases 3 -o c <&- >&- 2>&-");
    expect(r, 0, "", "\"$H\" report --no-triage c");
    expect(r, 3, "standard output: Bad file descriptor", "\"$H\" gen -o case >&-");
}

static void few_descriptors_are_told(void **state)
{
    struct room *const r = *state;
    expect(r, 0, "", "ulimit -S -n 20 && \"$H\" gen -o case"); /* the hard limit allows more */
    expect(r, 3, "ulimit -n: 58 open files are needed", "ulimit -n 20 && \"$H\" gen -o case");
    expect(r, 3, "open files are needed (workers: 16), 100 are allowed",
           "ulimit -n 100 && \"$H\" run --targets sim-ieee --workers 16 --cases 1 -o c");
}

/* A disk of 64 KiB, nearly full, at $R/small; the line is run with it. */
#define SMALL_DISK                                                                                 \
    "mkdir -p \"$R/small\" && bwrap --dev-bind / / --size 65536 --tmpfs \"$R/small\" sh -c "

static void a_full_disk_leaves_the_old_report(void **state)
{
    struct room *const r = *state;
    if (run(r, SMALL_DISK "true") != 0) {
        print_message("skipped: bwrap makes no small disk here\n");
        skip();
    }
    expect(r, 0, "", "\"$H\" run --quiet --cases 20 --seed 3 --targets sim-ieee -o camp");
    expect(r, 1, "", /* the control: where there is room */
           "\"$H\" run --quiet --cases 20 --seed 3 --targets sim-ieee:SUM_OFF_ULP -o bad; "
           "\"$H\" report --triage-time 1s --reduce-time 1s bad");
    expect(r, 0, "", "ls bad/bugs/*/host.c && rm -r bad/bugs && ln -s nowhere bad/bugs");
    expect(r, 2, "bugs: is a link", "\"$H\" report --no-triage bad");
    expect(r, 0, "", "[ ! -e bad/nowhere ] && rm bad/bugs && mkdir bad/bugs");
    expect(r, 0, "report.html: writing stopped: No space left",
           SMALL_DISK "'echo old >$1/small/report.html; dd if=/dev/zero of=$1/small/fill bs=4096 "
                      "count=13; $1/bin/halfulp report --format html -o $1/small/report.html "
                      "camp; [ $? -eq 3 ] && ls -A $1/small && [ $(ls -A $1/small | wc -l) -eq 2 ] "
                      "&& grep old $1/small/report.html' sh \"$R\"");
    expect(r, 0, "No space left",
           "bwrap --dev-bind / / --size 65536 --tmpfs \"$R/here/bad/bugs\" sh -c '"
           "dd if=/dev/zero of=bad/bugs/fill bs=4096 count=13; "
           "$1/bin/halfulp report --no-triage bad; [ $? -eq 3 ] && "
           "[ $(ls -A bad/bugs | wc -l) -eq 1 ]' sh \"$R\"");
}

/* What was planted in a bug's folder does not survive the next report, nor is it followed. */
static void a_bug_folder_is_written_new(void **state)
{
    struct room *const r = *state;
    expect(r, 1, "",
           "\"$H\" run --quiet --cases 20 --seed 3 --targets sim-ieee:SUM_OFF_ULP -o bad; "
           "\"$H\" report --triage-time 1s --reduce-time 1s bad");
    expect(r, 0, "", "[ -f \"$(ls -d bad/bugs/*/Makefile | head -n 1)\" ]"); /* the control */
    expect(r, 0, "",
           "echo victim >victim && b=$(ls -d bad/bugs/* | head -n 1) && "
           "echo 'all: ; touch ran' >\"$b/GNUmakefile\" && rm \"$b/host.c\" \"$b/report.md\" && "
           "ln -s \"$R/here/victim\" \"$b/host.c\" && mkfifo \"$b/report.md\" && "
           "ln -s \"$R/here/victim\" bad/report.txt.new && "
           "ln -sf \"$R/here/victim\" bad/report.html");
    expect(r, 1, "", "\"$H\" report --no-triage bad");
    expect(r, 0, "victim\n",
           "b=$(ls -d bad/bugs/* | head -n 1) && [ ! -e \"$b/GNUmakefile\" ] && "
           "[ ! -h \"$b/host.c\" ] && [ -f \"$b/host.c\" ] && [ -f \"$b/report.md\" ] && "
           "[ ! -h bad/report.html ] && grep -q DOCTYPE bad/report.html && cat victim && "
           "[ -z \"$(ls -A bad bad/bugs | grep '^[.]halfulp')\" ]");
}

/* An input that is no file is refused; none of them is waited for. */
static void inputs_are_files(void **state)
{
    struct room *const r = *state;
    static const char *const words[] = {
        "judge fifo",
        "check fifo",
        "check --targets-file fifo case",
        "judge --out 0=fifo case",
        "devices --targets-file fifo",
        "report --suppress fifo camp",
        "report --baseline fifo camp",

        "check --module fifo case",
        "judge bundle",
    };
    char line[MAX_COMMAND / 2];
    expect(r, 0, "",
           "mkfifo fifo && \"$H\" gen -o case && \"$H\" gen -o bundle && "
           "\"$H\" run --quiet --cases 3 --targets sim-ieee -o camp && "
           "rm bundle/module.spv && mkfifo bundle/module.spv");
    for (size_t i = 0; i < ARRAY_N(words); i++) {
        (void)snprintf(line, sizeof line, "timeout 600 \"$H\" %s", words[i]);
        expect(r, 2, "is a FIFO", line);
    }
    expect(r, 0, "", "rm bundle/module.spv && ln -s /etc/passwd bundle/module.spv");
    expect(r, 2, "is a link", "\"$H\" judge bundle");
    expect(r, 2, "is a device", "\"$H\" devices --targets-file /dev/zero");
    expect(r, 2, "is a folder", "\"$H\" devices --targets-file .");
    expect(r, 2, "/dev/null", "\"$H\" report --format html -o /dev/null camp");
}

static void install_takes_a_blank(void **state)
{
    struct room *const r = *state;
    char tree[2100];
    (void)snprintf(tree, sizeof tree, "%s/../../Makefile", r->build);
    if (access(tree, R_OK) != 0) {
        print_message("skipped: this build has no Makefile two folders above\n");
        skip();
    }
    expect(r, 0, "",
           "make -s -C \"$B/../..\" -o all install B=\"$B\" PREFIX='/a dir/it'\\''s' "
           "DESTDIR=\"$R/to here\"");
    expect(r, 0, "generator", "\"$R/to here/a dir/it's/bin/halfulp\" --version");
    expect(r, 0, "",
           "[ -x \"$R/to here/a dir/it's/bin/halfulp-worker\" ] && "
           "[ -f \"$R/to here/a dir/it's/share/man/man1/halfulp.1\" ]");
}

/* The control is the file itself; then one byte is another, and a file comes that nobody named. */
static void wheels_are_those_that_are_named(void **state)
{
    struct room *const r = *state;
    static const char check[] = "\"$B/../../scripts/wheels.sh\" list wheels";
    if (run(r, "[ -x \"$B/../../scripts/wheels.sh\" ]") != 0) {
        print_message("skipped: this build has no scripts two folders above\n");
        skip();
    }
    expect(r, 0, "",
           "mkdir wheels && echo one >wheels/a.whl && echo two >wheels/b.whl && "
           "(cd wheels && sha256sum a.whl b.whl) >list");
    expect(r, 0, "", check);
    expect(r, 0, "", "echo 'evil' >wheels/b.whl");
    expect(r, 1, "b.whl: its sha256 is", check);
    expect(r, 0, "", "echo two >wheels/b.whl && echo three >wheels/c.whl");
    expect(r, 1, "has no such file: not used", check);
    expect(r, 0, "", "rm wheels/*");
    expect(r, 1, "holds no file", check);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_current_folder_gives_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(where_it_may_be_it_is_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_proc_it_says_so, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_full_standard_output_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_closed_standard_output_harms_no_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(few_descriptors_are_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_full_disk_leaves_the_old_report, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_bug_folder_is_written_new, set_up, tear_down),
        cmocka_unit_test_setup_teardown(inputs_are_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(install_takes_a_blank, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wheels_are_those_that_are_named, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
