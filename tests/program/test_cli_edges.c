/* tests/program/test_cli_edges.c -- the edges of the command line as a user meets them: what was mistyped, is not there, is damaged or is
 * somebody else's, each to its exit status and what is said of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "tests/rig/room_rig.h"

enum {
    STATUS_NONE = 0,
    STATUS_FOUND = 1,
    STATUS_BAD = 2,
    STATUS_FAILED = 3,
    STATUS_NO_TEST = 77 /* of a line that cannot be tried here */
};
#define FAULTY   "sim-ieee:ARITH_OFF_ULP:FMul:f32"
#define CAMPAIGN "\"$H\" run -q --targets " FAULTY " --profile arith --cases 20 --seed 2 -o c"
/* A user who may not do all: $N before a command. The folder must be open to him, with all above it. */
#define NOBODY                                                                                     \
    "N=; if [ $(id -u) = 0 ]; then chmod 755 \"$R\"; "                                             \
    "N='setpriv --reuid=65534 --regid=65534 --clear-groups'; "                                     \
    "$N test -x \"$R/bin/halfulp\" || exit 77; fi; "

/* A line of sh; `halfulp` in it is the program, alone in its folder. */
struct row {
    const char *line;
    int status;
    const char *said;
};

static void run_rows(struct room *r, const struct row *rows, size_t n)
{
    char line[MAX_COMMAND / 2];
    for (size_t i = 0; i < n; i++) {
        (void)snprintf(line, sizeof line, "halfulp() { timeout 300 \"$H\" \"$@\"; }; %s",
                       rows[i].line);
        expect(r, rows[i].status, rows[i].said, line);
        if (strstr(r->out, "\\x0a")) {
            fail_msg("%s\nshows a line end as \\x0a:\n%s", rows[i].line, r->out);
        }
    }
    assert_true(n > 0);
}

static int set_up_campaign(void **state)
{
    if (set_up(state) != 0) {
        return -1;
    }
    expect(*state, STATUS_FOUND, "bugs:", CAMPAIGN);
    return 0;
}

static void a_mistyped_word_is_corrected(void **state)
{
    static const struct row rows[] = {
        {"halfulp rn",                           STATUS_BAD, "did you mean \"run\"?"                                 },
        {"halfulp reprot",                       STATUS_BAD, "did you mean \"report\"?"                              },
        {"halfulp zzz",                          STATUS_BAD, "unknown command \"zzz\"; \"halfulp --help\" prints all"},
        {"halfulp run --target x",               STATUS_BAD, "did you mean \"--targets\"?"                           },
        {"halfulp run --csaes=3",                STATUS_BAD, "did you mean \"--cases\"?"                             },
        {"halfulp run --nonsense",               STATUS_BAD, "unknown option --nonsense; \"halfulp run"              },
        {"halfulp run --quiet=3",                STATUS_BAD, "option --quiet does not accept a value"                },
        {"halfulp run --profile arit",           STATUS_BAD, "did you mean \"arith\"?"                               },
        {"halfulp refusals --rules ADD_PRIVAT_", STATUS_BAD, "did you mean \"ADD_PRIVATE\"?"                         },
    };
    run_rows(*state, rows, ARRAY_N(rows));
}

static void a_time_needs_its_unit(void **state)
{
    static const struct row rows[] = {
        {"halfulp run --for 10",                 STATUS_BAD, "--for 10: a unit is needed, such as 10s, 10m, 10h"},
        {"halfulp fuzz --for 0",                 STATUS_BAD, "0: a unit is needed"                              },
        {"halfulp reduce --for 5 c#1 -o x",      STATUS_BAD, "5: a unit is needed, such as 5s, 5m, 5h"          },
        {"halfulp audit --for 60",               STATUS_BAD, "60: a unit is needed"                             },
        {"halfulp report --triage-time 1 c",     STATUS_BAD, "1: a unit is needed"                              },
        {"halfulp report --reduce-time 1 c",     STATUS_BAD, "1: a unit is needed"                              },
        {"halfulp run --for 1h30",               STATUS_BAD, "a time like 60s, 10m, 1h30m or 2d is needed"      },
        {"halfulp corpus --max-size 100 nofile", STATUS_BAD, "nofile: "                                         },
    };
    run_rows(*state, rows, ARRAY_N(rows));
}

static void names_that_nothing_has(void **state)
{
    static const struct row rows[] = {
        {"halfulp refusals --rules NOSUCH",                                 STATUS_BAD, "ADD_PRIVATE"                 },
        {"halfulp refusals --list --rules NOSUCH",                          STATUS_BAD, "ADD_PRIVATE"                 },
        {"halfulp gen --break NOSUCH -o x",                                 STATUS_BAD, "ADD_PRIVATE"                 },
        {"halfulp selftest --fault NOSUCH",                                 STATUS_BAD, "NAN_WINS_MIN"                },
        {"halfulp selftest --fault NAN_WINS_MIN --profile arith --apply 1", STATUS_BAD,
         "does not act in its cases"                                                                                  },
        {"halfulp run --profile nosuch",                                    STATUS_BAD, "atomics"                     },
        {"halfulp run --targets nosuch",                                    STATUS_BAD, "accepted names: sim-any, sim"},
        {"halfulp run --targets 'nosuch-*'",                                STATUS_BAD, "accepted names: sim-any, sim"},
        {"halfulp run --targets sim-ieee:NOSUCH",                           STATUS_BAD, "NAN_WINS_MIN"                },
        {"halfulp run --targets sim-ieee:SUM_OFF_ULP:no",                   STATUS_BAD, "AtomicFAddEXT"               },
        {"halfulp run --targets sim-ieee:SUM_OFF_ULP:AtomicFAddEXT:f9",     STATUS_BAD,
         "no type \"f9\"; accepted names: "                                                                           },
        {"halfulp devices --targets 'nosuch-*'",                            STATUS_BAD, "accepted names: sim-any, sim"},
        {"halfulp audit --types f9",                                        STATUS_BAD, "f16, f32 or f64"             },
    };
    run_rows(*state, rows, ARRAY_N(rows));
}

static void drivers_that_are_not_here(void **state)
{
    static const struct row rows[] = {
        {": >none.ini; halfulp run --targets-file none.ini --targets 'radv-*'", STATUS_BAD,
         "no target \"radv-*\" is here; get them with: make drivers (a few minutes"                                         },
        {"halfulp run --targets swiftshader",                                   STATUS_BAD,    "4 GB of disk"               },
        {"halfulp run --targets intel-cpu",                                     STATUS_BAD,    "make setup"                 },
        {"halfulp devices",                                                     STATUS_FAILED, "make drivers (a few minutes"},
    };
    run_rows(*state, rows, ARRAY_N(rows));
}

static void a_finding_of_a_campaign_is_named(void **state)
{
    static const struct row rows[] = {
        {"halfulp check c",                         STATUS_BAD,   "c: a campaign: name a finding, as c#NUMBER"},
        {"halfulp reduce c -o x",                   STATUS_BAD,   "name a finding, as c#NUMBER"               },
        {"halfulp try c",                           STATUS_BAD,   "name a finding, as c#NUMBER"               },
        {"halfulp judge c",                         STATUS_BAD,   "name a finding, as c#NUMBER"               },
        {"halfulp check c#1",                       STATUS_FOUND, "1 of 1 runs show"                          },
        {"halfulp reduce -q --for 2s c#1 -o small", STATUS_NONE,  "small: "                                   },
        {"halfulp try c#1 --targets " FAULTY,       STATUS_FOUND, "wrong"                                     },
        {"halfulp judge c#1",                       STATUS_FOUND, "verdict: ulp"                              },
        {"halfulp try c#99999",                     STATUS_BAD,   "no finding 99999"                          },
        {"halfulp judge c#x",                       STATUS_BAD,   "needs a number behind #"                   },
        {"mkdir e; halfulp check e",                STATUS_BAD,   "holds neither case.json nor case.bin"      },
    };
    run_rows(*state, rows, ARRAY_N(rows));
}

/* The page with what is found is gone; the rest is told, with the command that begins anew. */
static void a_damaged_journal(void **state)
{
#define HELPS "can still be read: report.html, corpus; a new campaign from its tapes: halfulp run "
    static const struct row rows[] = {
        {"cp -r c d; dd if=/dev/zero of=d/journal.sqlite bs=4096 seek=3 count=1 conv=notrunc 2>&1",
         STATUS_NONE,                                                                                            ""                       },
        {"halfulp report d",                                                                        STATUS_BAD,  "damaged journal: "      },
        {"halfulp report d",                                                                        STATUS_BAD,  HELPS "--corpus d/corpus"},
        {"halfulp report --into i d",                                                               STATUS_BAD,  HELPS                    },
        {"halfulp report --no-triage --baseline d c",                                               STATUS_BAD,  HELPS                    },
        {"halfulp check d#1",                                                                       STATUS_BAD,  HELPS                    },
        {"halfulp try d#1",                                                                         STATUS_BAD,  HELPS                    },
        {"halfulp reduce d#1 -o x",                                                                 STATUS_BAD,  HELPS                    },
        {"halfulp merge m d",                                                                       STATUS_BAD,  HELPS                    },
        {"halfulp run --resume d",                                                                  STATUS_BAD,  HELPS                    },
        {"halfulp gen --campaign d -o x",                                                           STATUS_BAD,  HELPS                    },
        {"halfulp run -q --corpus d/corpus --targets " FAULTY " --profile arith --cases 4 -o n",
         STATUS_FOUND,                                                                                           "taken from --corpus"    },
        {"mkdir w; echo nothing >w/journal.sqlite; halfulp report w",                               STATUS_BAD,
         "nothing else of the campaign is there; a new campaign: halfulp run -o NEW"                                                      },
        {"! ls -d i x m",                                                                           STATUS_NONE, ""                       },
    };
    run_rows(*state, rows, ARRAY_N(rows));
#undef HELPS
}

/* What a driver says in several lines as it dies is shown in one, wherever a text is one line. */
static void several_lines_of_a_driver(void **state)
{
    struct room *const r = *state;
    if (run(r, "ls /usr/share/vulkan/icd.d/lvp_icd.x86_64.json \"$B/libbadvk.so\"") != 0) {
        print_message("skipped: lavapipe is needed\n");
        skip();
    }
    expect(
        r, STATUS_NONE, "",
        "echo '{\"file_format_version\": \"1.1.2\", \"layer\": {\"name\": "
        "\"VK_LAYER_HALFULP_bad\", \"type\": \"GLOBAL\", \"library_path\": "
        "\"'\"$B\"'/libbadvk.so\", \"api_version\": \"1.3.0\", \"implementation_version\": \"1\", "
        "\"description\": \"bad\"}}' >bad.json\n"
        "for mode in segfault-llvm error-build; do echo \"[$mode]\"; echo api = vulkan; "
        "echo env.VK_LAYER_PATH = $PWD; echo env.VK_INSTANCE_LAYERS = VK_LAYER_HALFULP_bad; "
        "for name in ICD_FILENAMES DRIVER_FILES; do "
        "echo env.VK_$name = /usr/share/vulkan/icd.d/lvp_icd.x86_64.json; done; "
        "echo env.HALFULP_BAD = $mode; echo env.HALFULP_BAD_SKIP = 1; done >bad.ini");
    static const struct row rows[] = {
        {"halfulp run -q --targets-file bad.ini --targets segfault-llvm,error-build --cases 4 "
         "--seed 1 "
         "-o l",                                                                            STATUS_FOUND, "bugs:"      },
        {"halfulp report -q --triage-time 20s --reduce-time 2s --targets-file bad.ini l",
         STATUS_FOUND,                                                                                             "report: "   },
        {"sed 's/SKIP = 1/SKIP = 0/' bad.ini >now.ini; halfulp check -v --targets-file now.ini l#1",
         STATUS_FOUND,                                                                                             "runs show"  },
        {"halfulp refusals --verbose --rules ADD_PRIVATE --targets-file bad.ini --targets "
         "error-build",                                                                     STATUS_NONE,  "ADD_PRIVATE"},
        {"! grep -rlF '\\x0a' l --include='report*' --include='*.md' --include='*.txt'",
         STATUS_NONE,                                                                                              ""           },
    };
    run_rows(r, rows, ARRAY_N(rows));
}

static void a_folder_of_somebody_else(void **state)
{
    struct room *const r = *state;
    static const struct row rows[] = {
        {NOBODY "$N \"$H\" report --no-triage c",                                STATUS_BAD,
         "to write to another folder: halfulp report --no-triage c --into OTHER"                             },
        {NOBODY "$N \"$H\" report c",                                            STATUS_BAD,   "--into OTHER"},
        {NOBODY "$N \"$H\" report --format text c",                              STATUS_FOUND, "FMul"        },
        {NOBODY "mkdir -m 777 his; $N \"$H\" report --no-triage --into his/r c", STATUS_FOUND,
         "report: his/r/report.html"                                                                         },
        {"! ls c/bugs",                                                          STATUS_NONE,  ""            },
    };
    if (run(r, NOBODY "chmod -R a+rX .; chmod -R a-w c") == STATUS_NO_TEST) {
        print_message("skipped: setpriv and a folder that is open to all are needed\n");
        skip();
    }
    run_rows(r, rows, ARRAY_N(rows));
    assert_int_equal(run(r, "chmod -R u+w c"), 0);
}

/* What a command made is gone after it failed, and nothing else. */
static void what_fails_leaves_nothing(void **state)
{
#define ALONE "mkdir -p e && cd e && "
#define LEFT  "; s=$?; cd ..; rmdir e || s=99; exit $s"
    static const struct row rows[] = {
        {ALONE "halfulp run --targets sim-ieee --cases 1 --corpus no -o a/b" LEFT,                  STATUS_BAD,
         "no: No such"                                                                                                                     },
        {ALONE "halfulp run --targets none --targets-file ../none.ini --cases 1" LEFT,
         STATUS_FAILED,                                                                                            "no case was run"       },
        {ALONE "halfulp run --targets none --targets-file ../none.ini --cases 1 -o a" LEFT,
         STATUS_FAILED,                                                                                            "did not start"         },
        {ALONE "halfulp audit --target none --targets-file ../none.ini --ops exp" LEFT,
         STATUS_FAILED,                                                                                            "does not start"        },
        {ALONE "halfulp audit --target none --targets-file ../none.ini --ops exp --worst no" LEFT,
         STATUS_BAD,                                                                                               "no: No such"           },
        {ALONE "halfulp report --into a/b --suppress no ../c" LEFT,                                 STATUS_BAD,    "no: No such"           },
        {ALONE "halfulp report --into a/b --targets-file no ../c" LEFT,                             STATUS_BAD,    "no: No such"           },
        {ALONE "halfulp report --bundle 99999 -o a ../c" LEFT,                                      STATUS_BAD,    "no finding"            },
        {ALONE "halfulp report --triage-only --targets-file no -o a ../c" LEFT,                     STATUS_BAD,
         "no: No such"                                                                                                                     },
        {ALONE "halfulp merge a ../none.ini" LEFT,                                                  STATUS_BAD,    "none.ini: "            },
        {ALONE "halfulp reduce ../c#1 --target sim-ieee -o a/b" LEFT,                               STATUS_FOUND,
         "does not show"                                                                                                                   },
        {ALONE "halfulp reduce ../c#1 --target nosuch -o a" LEFT,                                   STATUS_BAD,    "no target"             },
        {ALONE "halfulp try ../c#1 --targets sim-ieee-vulkan -o a" LEFT,                            STATUS_FAILED,
         "no target"                                                                                                                       },
        {ALONE "halfulp check ../c#1 --targets sim-ieee-vulkan -o a" LEFT,                          STATUS_FAILED,
         "no target"                                                                                                                       },
        {ALONE "halfulp corpus ../none.ini -o a" LEFT,                                              STATUS_BAD,    "is a tape of generator"},
        {ALONE "halfulp gen --tape ../none.ini -o a" LEFT,                                          STATUS_BAD,    "none.ini"              },
        {"mkdir there; halfulp run --targets sim-ieee --cases 1 --corpus no -o there; ls -d there",
         STATUS_NONE,                                                                                              "there"                 },
        {"halfulp run --resume --corpus no -o c; ls c/journal.sqlite",                              STATUS_NONE,   "c/journal"             },
    };
    assert_int_equal(run(*state, "printf '[none]\\napi = vulkan\\nenv.VK_ICD_FILENAMES = /no\\n"
                                 "env.VK_DRIVER_FILES = /no\\n' >none.ini"),
                     0);
    run_rows(*state, rows, ARRAY_N(rows));
}

/* One cause, one exit status, whichever command meets it. */
static void one_status_for_one_cause(void **state)
{
    static const struct {
        int status;
        const char *lines[20];
    } causes[] = {
        {STATUS_BAD,    /* a file that is not there */
         {"try no", "check no", "judge no", "reduce no -o x", "corpus no", "gen --tape no -o x",
          "report no", "merge m no", "run --resume no", "run --known no --targets sim-ieee",
          "run --targets sim-ieee --cases 1 --corpus no -o x", "run --corpus-modules no",
          "audit --report no", "audit --target none --targets-file none.ini --compare no",
          "refusals --targets-file no", "devices --targets-file no", "report --states no c",
          "judge --facts no c#1", "try --buffer 0=no c#1"}         },
        {STATUS_BAD,    /* a value that an option cannot have */
         {"run --cases 0", "fuzz --jobs x", "report --workers 0 c", "try --tries 0 c#1",
          "check --runs 0 c#1", "reduce --for x c#1 -o x", "corpus --max-size x c", "audit --for x",
          "selftest --apply 0", "gen --seed x -o x", "judge --out x c#1", "refusals --sandbox x",
          "devices --sandbox x"}                                   },
        {STATUS_BAD,    /* a target that is not known */
         {"run --targets no", "try --targets no c#1", "check --targets no c#1",
          "reduce --target no c#1 -o x", "audit --target no", "refusals --targets no",
          "devices --targets no", "devices --variables no"}        },
        {STATUS_BAD,    /* a target that cannot be asked that */
         {"audit --target sim-ieee", "refusals --targets sim-ieee"}},
        {STATUS_FAILED, /* no driver is here, or it does not start */
         {"run", "audit", "refusals", "devices", "try --targets none --targets-file none.ini c#1",
          "check --targets none --targets-file none.ini c#1",
          "run --targets none --targets-file none.ini",
          "reduce --target none --targets-file none.ini c#1 -o x",
          "audit --target none --targets-file none.ini",
          "refusals --targets none --targets-file none.ini",
          "devices --targets none --targets-file none.ini"}     },
        {STATUS_FAILED, /* what cannot be written */
         {"run --targets sim-ieee --cases 1 -o /proc/x", "gen -o /proc/x", "reduce c#1 -o /proc/x",
          "corpus --profile arith --random 2 -o /proc/x", "report --into /proc/x c",
          "merge /proc/x c", "try c#1 --targets " FAULTY " -o /proc/x",
          "report --format text -o /proc/x c", "check -o /proc/x c#1", "refusals -o /proc/x",
          "report --bundle 1 -o /proc/x c"}                     },
    };
    size_t n = 0;
    for (size_t i = 0; i < ARRAY_N(causes); i++) {
        for (size_t k = 0; k < ARRAY_N(causes[i].lines) && causes[i].lines[k]; k++) {
            char line[MAX_COMMAND / 2];
            (void)snprintf(line, sizeof line, "halfulp %s", causes[i].lines[k]);
            struct row const row = {line, causes[i].status, "halfulp"};
            bool const is_list = strncmp(causes[i].lines[k], "devices", 7) == 0 ||
                                 strncmp(causes[i].lines[k], "refusals", 8) == 0;
            struct row const listed = {line, causes[i].status, ""};
            run_rows(*state, is_list ? &listed : &row, 1);
            n++;
        }
    }
    assert_true(n > 60);
    assert_int_equal(run(*state, "! ls -d x m halfulp-*"), 0);
}

static void an_unreadable_folder(void **state)
{
    struct room *const r = *state;
    static const char *const lines[] = {"try s",
                                        "check s",
                                        "check s#1",
                                        "try s#1",
                                        "judge s",
                                        "reduce s -o x",
                                        "reduce s#1 -o x",
                                        "report s",
                                        "merge m s",
                                        "corpus s",
                                        "run --resume s",
                                        "audit --report s",
                                        "gen --campaign s -o x",
                                        "run --corpus-modules s"};
    if (run(r, NOBODY "cp -r c s; chmod 000 s; chmod 777 .") == STATUS_NO_TEST) {
        print_message("skipped: setpriv and a folder that is open to all are needed\n");
        skip();
    }
    for (size_t i = 0; i < ARRAY_N(lines); i++) {
        char line[MAX_COMMAND / 2];
        (void)snprintf(line, sizeof line, NOBODY "$N \"$H\" %s", lines[i]);
        expect(r, STATUS_BAD, "Permission denied", line);
    }
    assert_int_equal(run(r, "chmod 755 s"), 0);
}

/* Commands that are printed to be run next are complete. */
static void commands_keep_the_options(void **state)
{
    static const struct row rows[] = {
        {": >o.ini; printf 'x\\t*\\t*\\tARITH_CR\\tn\\n' >k.tsv; halfulp run -q --targets-file "
         "o.ini --known k.tsv "
         "--targets " FAULTY " --profile arith --cases 20 --seed 2 -o k",
         STATUS_FOUND,                                                                                "to analyse: halfulp report --targets-file o.ini --suppress k.tsv k\n"},
        {"rm -r k; halfulp run --targets-file o.ini --targets " FAULTY
         " --profile arith --cases 20 --seed 2 -o k",                          STATUS_FOUND, "; halfulp check k#1 --targets-file o.ini\n"                          },
        {"halfulp report --no-triage --targets-file o.ini --suppress k.tsv --into j k",
         STATUS_FOUND,                                                                                "halfulp report --targets-file o.ini --suppress k.tsv --into j k"     },
        {"halfulp report --bundle 1 --targets-file o.ini -o b k",                       STATUS_NONE,
         "\"halfulp check b --targets-file o.ini\""                                                                                                                         },
        {"halfulp try --targets-file o.ini --targets " FAULTY " -o t k#1",              STATUS_FOUND,
         "halfulp reduce --targets-file o.ini t/"                                                                                                                           },
        {"halfulp report -q --targets-file o.ini --triage-time 20s --reduce-time 2s k",
         STATUS_FOUND,                                                                                "halfulp check --targets-file o.ini 'k#1'"                            },
    };
    run_rows(*state, rows, ARRAY_N(rows));
}

#define SAME_RUN "halfulp run -q --targets sim-ieee:SUB_FOR_ADD --cases 60 --seed 5"

/* Progress, the run, the report as text, page, JSON and JUnit have the same bugs, and the two that list them to be read in the
 * same order. */
static void one_count_and_one_order(void **state)
{
    static const char *const checks[] = {
        "sed -n 's/^  \\(#[0-9]*\\) .*/\\1/p' m.out >m.run; [ $(wc -l <m.run) -gt 3 ]",
        "halfulp report -q --no-triage --format text m >m.txt; "
        "sed -n '/^New bugs/,/^How far/s/^\\(#[0-9]*\\) .*/\\1/p' m.txt >m.all; "
        "head -$(wc -l <m.run) m.all | cmp m.run -",
        "more=$(sed -n 's/^ *and \\([0-9]*\\) more;.*/\\1/p' m.out); "
        "grep -q \"^$(($(wc -l <m.run) + ${more:-0})) new bugs\" m.txt",
        "halfulp report -q --no-triage --format junit m >m.xml; "
        "[ $(grep -c '<failure' m.xml) = $(wc -l <m.all) ]",
        "grep -q \">$(wc -l <m.all) new bugs\" m/report.html",
        "halfulp report -q --no-triage --format json m >m.json; "
        "[ $(grep -c '\"list\": \"new\"' m.json) = $(wc -l <m.all) ]",
        SAME_RUN " --json -o mj >mj.out; [ $? = 1 ]; for event in progress end; do "
                 "[ \"$(grep \"\\\"event\\\": *\\\"$event\\\"\" mj.out | tail -1 | "
                 "sed 's/.*\"bugs\": *\\([0-9]*\\).*/\\1/')\" = $(wc -l <m.all) ] || exit 1; done",
    };
    static const char run[] = SAME_RUN " -o m >m.out";
    run_rows(*state, &(struct row){run, STATUS_FOUND, ""}, 1);
    for (size_t i = 0; i < ARRAY_N(checks); i++) {
        run_rows(*state, &(struct row){checks[i], STATUS_NONE, ""}, 1);
    }
}

/* A bug of the list stands behind the new ones in the list of a run, and the report of such a run uses the list unasked. */
static void known_bugs_stand_apart(void **state)
{
    static const struct row rows[] = {
        {"halfulp report -q --no-triage --format json m >m.json; "
         "core=$(sed -n 's/.*\"core\": *\"\\([^\"]*\\)\".*/\\1/p' m.json | head -1); "
         "printf 'sim-ieee\\t*\\t%s\\tARITH_CR\\ta note\\nsim-ieee\\t*\\tulp NO "
         "SUCH\\tARITH_CR\\tnone\\n' \"$core\" "
         ">k.tsv",                                                        STATUS_NONE,  ""         },
        {SAME_RUN " --known k.tsv -o mk >mk.out; cat mk.out",                      STATUS_NONE,  "1 known, "},
        {"sed -n 's/^  #[0-9]* \\(known: \\)*.*/\\1/p' mk.out | tail -1 | grep -q known || "
         "grep -q ' more; the report' mk.out",                            STATUS_NONE,  ""         },
        {"cat mk/not-seen.tsv",                                                    STATUS_NONE,  "NO SUCH"  },
        {"halfulp report -q --no-triage mk",                                       STATUS_FOUND, ", 1 known"},
        {"halfulp report -q --no-triage --suppress none mk | grep -q ', 1 known'", STATUS_FOUND,
         ""                                                                                                 },
        {"rm k.tsv; halfulp report -q --no-triage mk",                             STATUS_BAD,   "k.tsv"    },
        {"halfulp report -q --no-triage --suppress none mk",                       STATUS_FOUND, "new bugs" },
    };
    run_rows(*state, rows, ARRAY_N(rows));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mistyped_word_is_corrected),
        cmocka_unit_test(a_time_needs_its_unit),
        cmocka_unit_test(names_that_nothing_has),
        cmocka_unit_test(drivers_that_are_not_here),
        cmocka_unit_test(a_finding_of_a_campaign_is_named),
        cmocka_unit_test(a_damaged_journal),
        cmocka_unit_test(several_lines_of_a_driver),
        cmocka_unit_test(what_fails_leaves_nothing),
        cmocka_unit_test(one_status_for_one_cause),
        cmocka_unit_test(commands_keep_the_options),
        cmocka_unit_test(a_folder_of_somebody_else),
        cmocka_unit_test(an_unreadable_folder),
        cmocka_unit_test(one_count_and_one_order),
        cmocka_unit_test(known_bugs_stand_apart),
    };
    return cmocka_run_group_tests(tests, set_up_campaign, tear_down);
}
