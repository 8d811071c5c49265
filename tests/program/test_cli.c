/* tests/program/test_cli.c -- the real program: exit statuses, messages, and files that are not what they
 * should be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "fuzz/io/db.h"

enum {
    MAX_WORDS = 16,
    MAX_OUTPUT = 1 << 20
};

static char program[4096];
static char folder[256];

/* What a run of the program came to. */
struct output {
    int status; /* exit status; -1: it died */
    char out[MAX_OUTPUT], err[MAX_OUTPUT];
};

static void read_text(const char *path, char *text)
{
    FILE *f = fopen(path, "rb");
    size_t const n = f ? fread(text, 1, MAX_OUTPUT - 1, f) : 0;
    text[n] = '\0';
    if (f) {
        (void)fclose(f);
    }
}

/* Words are separated by spaces; the program runs in the test's folder, where no driver is. */
static void run(const char *words, struct output *o)
{
    char copy[1024];
    char *argv[MAX_WORDS + 2] = {program};
    size_t n = 1;
    (void)snprintf(copy, sizeof(copy), "%s", words);
    for (char *w = strtok(copy, " "); w && n <= MAX_WORDS; w = strtok(NULL, " ")) {
        argv[n++] = w;
    }
    pid_t const pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        int const out = open("out.txt", O_WRONLY | O_CREAT | O_TRUNC, 0666);
        int const err = open("err.txt", O_WRONLY | O_CREAT | O_TRUNC, 0666);
        (void)dup2(out, STDOUT_FILENO);
        (void)dup2(err, STDERR_FILENO);
        (void)execv(program, argv);
        _exit(127);
    }
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    o->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    read_text("out.txt", o->out);
    read_text("err.txt", o->err);
}

static struct output *expect(const char *words, int status, const char *want)
{
    static struct output o; /* large; a test of ours runs one program at a time */
    run(words, &o);
    if (o.status != status || (!strstr(o.err, want) && !strstr(o.out, want))) {
        fail_msg("halfulp %s: status %d, wanted %d and \"%s\"; it said:\n%.400s%.800s", words,
                 o.status, status, want, o.out, o.err);
    }
    return &o;
}

static void remove_below(const char *path)
{
    DIR *dir = opendir(path);
    struct dirent *entry = NULL;
    while (dir && (entry = readdir(dir)) != NULL) {
        char name[1024];
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            (void)snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
            if (unlink(name) != 0) {
                remove_below(name);
            }
        }
    }
    if (dir) {
        (void)closedir(dir);
    }
    (void)rmdir(path);
}

static int set_up(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    (void)snprintf(folder, sizeof(folder), "%s/test-cli-XXXXXX", base ? base : "/tmp");
    return mkdtemp(folder) && chdir(folder) == 0 && setenv("HALFULP_DRIVERS", folder, 1) == 0 ? 0
                                                                                              : -1;
}

static int tear_down(void **state)
{
    (void)state;
    int const bad = chdir("/");
    remove_below(folder);
    return bad;
}

static void every_command_has_help(void **state)
{
    (void)state;
    static const char *const names[] = {"devices", "run",   "report",   "gen",
                                        "check",   "judge", "refusals", "selftest"};
    char words[64];
    for (size_t i = 0; i < ARRAY_N(names); i++) {
        (void)snprintf(words, sizeof(words), "%s --help", names[i]);
        (void)expect(words, 0, "usage: halfulp");
        (void)expect("--help", 0, names[i]);
    }
    (void)expect("--version", 0, "generator");
    (void)expect("--version", 0, "halfulp 1.");
    (void)expect("devices --variables sim-ieee", 3, "no driver that another program can load");
}

static void wrong_words_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *words, *want;
    } rows[] = {
        {"nonsense",                                         "unknown command"          },
        {"run --nonsense",                                   "unknown option --nonsense"},
        {"run -z",                                           "unknown option -z"        },
        {"run --seed",                                       "needs a value"            },
        {"run --for 10x",                                    "--for \"10x\""            },
        {"run --for -5",                                     "--for \"-5\""             },
        {"run --for 1h30",                                   "--for \"1h30\""           },
        {"run --for 30m1h",                                  "--for \"30m1h\""          },
        {"run --cases 0",                                    "--cases \"0\""            },
        {"run --cases many",                                 "--cases \"many\""         },
        {"run --workers 1000",                               "--workers \"1000\""       },
        {"run --profile nonsense",                           "accepted names: atomics"  },
        {"run --targets nonsense",                           "no target \"nonsense\""   },
        {"run --targets intel-cpu",                          "make setup"               },
        {"run --targets sim-any --targets-file nothing.ini", "nothing.ini"              },
        {"run --targets sim-any --known nothing.tsv",        "nothing.tsv"              },
        {"run --resume",                                     "which folder"             },
        {"run --resume -o nothing",                          "nothing"                  },
        {"run one two",                                      "one folder"               },
        {"run --disk-cap 5X",                                "--disk-cap \"5X\""        },
        {"report",                                           "one campaign folder"      },
        {"report nothing",                                   "nothing/journal.sqlite"   },
        {"report --format odd x",                            "--format \"odd\""         },
        {"gen",                                              "-o FOLDER"                },
        {"gen --env metal -o x",                             "opencl or vulkan"         },
        {"gen --tape nothing -o x",                          "nothing"                  },
        {"gen --break NOTHING -o x",                         "ADD_PRIVATE"              },
        {"gen --break ADD_PRIVATE --env opencl -o x",        "no rule of opencl"        },
        {"refusals x",                                       "accepts only options"     },
        {"refusals --targets nonsense",                      "no target"                },
        {"gen x -o y",                                       "accepts only options"     },
        {"corpus",                                           "a PATH is needed"         },
        {"corpus nothing",                                   "nothing"                  },
        {"corpus --random 3",                                "--random needs --profile" },
        {"check",                                            "a PATH is needed"         },
        {"check nothing",                                    "nothing"                  },
        {"check nothing#x",                                  "needs a number"           },
        {"reduce nothing#x -o y",                            "needs a number"           },
        {"reduce nothing#1 -o y",                            "nothing/journal.sqlite"   },
        {"check --runs 0 x",                                 "--runs \"0\""             },
        {"judge",                                            "one PATH"                 },
        {"judge nothing",                                    "nothing"                  },
        {"judge --out 99=x y",                               "N=FILE"                   },
        {"devices x",                                        "accepts only options"     },
        {"devices --targets nonsense",                       "no target"                },
        {"devices --variables nonsense",                     "no target"                },
        {"audit x",                                          "accepts only options"     },
        {"audit --report",                                   "folders of audits"        },
        {"audit --report nothing",                           "nothing/audit.json"       },
        {"audit --for never",                                "--for \"never\""          },
        {"audit --forms full,quarter",                       "half, native or decorated"},
        {"selftest --fault NOTHING",                         "unknown name"             },
        {"selftest --apply 0",                               "--apply \"0\""            },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        (void)expect(rows[i].words, 2, rows[i].want);
    }
}

static void write_file(const char *path, const char *p, size_t n)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(p, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

#define FAULTY "sim-ieee:ARITH_OFF_ULP:FMul:f32"

/* What a nightly job goes by: 1 for violations, 0 for none that is not expected or not new. */
static void the_status_of_a_report(void **state)
{
    (void)state;
    static char text[MAX_OUTPUT];
    (void)expect("run -q --targets " FAULTY " --profile arith --cases 20 --seed 5 -o c", 1, "FMul");
    (void)expect("run -q --targets sim-ieee --profile arith --cases 4 --seed 2 -o d", 0, "");
    (void)expect("report --no-triage c", 1, "report: c/report.html");
    (void)expect("report --format sarif c", 1, "\"version\": \"2.1.0\"");
    (void)expect("report --format junit d", 0, "<testsuites");
    (void)expect("report --no-triage --baseline c c", 0, "still there");
    (void)expect("report --no-triage --baseline d c", 1, " new");
    (void)expect("report --baseline c --format markdown d", 0, "still there when run again");
    (void)expect("report --no-triage --baseline nothing c", 2, "nothing");
    (void)snprintf(text, sizeof text,
                   FAULTY "\t*\t*\tARITH_CR\tplanted\n" FAULTY "\t*\t*\tCOPY_EXACT\tfollows\n");
    write_file("s.tsv", text, strlen(text));
    (void)expect("report --no-triage --suppress s.tsv c", 0, "No new bug, ");
    read_text("c/report.txt", text);
    assert_non_null(strstr(text, "line 1: planted"));
    read_text("c/report.xml", text);
    assert_non_null(strstr(text, "<skipped type=\"suppressed\""));
    read_text("c/report.md", text);
    assert_non_null(strstr(text, "## Known violations"));
    (void)snprintf(text, sizeof text, FAULTY "\t*\t*\tARITH_CR\tplanted\t2020-01-01\n");
    write_file("s.tsv", text, strlen(text));
    (void)expect("report --format text --suppress s.tsv c", 1, "expired, and found");
    /* a model explains the campaign that was run without it; one of another fault does not */
    (void)snprintf(text, sizeof text, FAULTY "\t*\tknown ARITH_OFF_ULP:FMul\tARITH_CR\tmodel\n");
    write_file("s.tsv", text, strlen(text));
    (void)expect("report --format text --suppress s.tsv c", 0, "line 1: model");
    (void)expect("report --format text --suppress s.tsv c", 0, "cases were judged again");
    (void)snprintf(text, sizeof text, FAULTY "\t*\tknown TERM_LOST\tARITH_CR\tmodel\n");
    write_file("s.tsv", text, strlen(text));
    (void)expect("report --format text --suppress s.tsv c", 1, "unused");
    write_file("s.tsv", "t\t*\t*\tARITH_CR\tn\tsoon\n", 22);
    (void)expect("report --suppress s.tsv c", 2, "s.tsv:1: \"soon\" is not a date");
}

/* The titles of a campaign are those of its judgements as they are kept; where none is kept, as a program of before wrote
 * the journal, its cases are judged again, and the titles are the same. */
static void titles_with_and_without_judgements(void **state)
{
    (void)state;
    static char kept[MAX_OUTPUT], again[MAX_OUTPUT];
    struct db *d = NULL;
    struct err e = {RES_OK, ""};
    (void)expect(
        "run -q --targets sim-any:SUM_OFF_ULP,sim-any:LOST_UPDATE --profile atomics --cases 8"
        " --seed 3 -o t",
        1, "OpAtomicF");
    read_text("t/report.md", kept);
    assert_int_equal(db_open(&d, "t/journal.sqlite", DB_WRITE, &e), RES_OK);
    assert_int_equal(db_exec(d,
                             "DROP TABLE judgements; DROP TABLE statistics;"
                             " PRAGMA user_version = 8",
                             &e),
                     RES_OK);
    db_close(d);
    (void)expect("report --no-triage t", 1, "OpAtomicF");
    read_text("t/report.md", again);
    assert_string_equal(kept, again);
    /* a judgement of another case is not taken: it has another key */
    assert_int_equal(db_open(&d, "t/journal.sqlite", DB_WRITE, &e), RES_OK);
    assert_int_equal(db_exec(d, "INSERT INTO judgements VALUES(1, x'00')", &e), RES_OK);
    db_close(d);
    (void)expect("report --no-triage t", 1, "OpAtomicF");
    read_text("t/report.md", again);
    assert_string_equal(kept, again);
}

/* What people wrote down, and earlier nights, say whether a bug is news; the terminal gets the first screen alone. */
static void states_and_nights_of_a_report(void **state)
{
    (void)state;
    static char text[MAX_OUTPUT];
    static const char *const rows[][2] = {
        {"open",         "No new bug, "                           },
        {"invalid",      "No new bug, "                           },
        {"fixed in 1.0", "back, was fixed in 1.0"                 },
        {"not seen",     "back, was not seen any more"            },
        {"gone",         "s.tsv:1: state \"gone\": open, fixed in"},
    };
    static const int statuses[] = {0, 0, 1, 1, 2};
    (void)expect("run -q --targets " FAULTY " --profile arith --cases 20 --seed 5 -o c", 1,
                 "bugs:");
    struct output *o = expect("report --no-triage c", 1, "2 new bugs (2 medium).");
    assert_non_null(strstr(o->out, "The worst: #"));
    assert_non_null(strstr(o->out, "c/report-trust.html"));
    assert_null(strstr(o->out, "Verdicts")); /* which the whole text has */
    read_text("c/report.txt", text);
    assert_non_null(strstr(text, "Verdicts"));
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        (void)snprintf(text, sizeof text, FAULTY "\tulp*\t%s\tnote\n", rows[i][0]);
        write_file("s.tsv", text, strlen(text));
        (void)expect("report --no-triage --states s.tsv c", statuses[i], rows[i][1]);
    }
    (void)expect("report --no-triage --history h.tsv c", 1, "2 new bugs");
    (void)expect("report --no-triage --history h.tsv c", 1, "2 new bugs"); /* of the same night */
    read_text("h.tsv", text);
    char *const at = strchr(text, '\n') + 1;
    for (char *line = at; *line; line = strchr(line, '\n') + 1) {
        memcpy(line, "2001", 4); /* another night */
    }
    write_file("h.tsv", text, strlen(text));
    (void)expect("report --no-triage --history h.tsv c", 0, "No new bug, 2 open.");
    read_text("c/report.html", text);
    assert_non_null(strstr(text, "id=\"nights\""));
}

/* What may only be read is reported on elsewhere; and what was not looked into is told with the command that goes on. */
static void a_campaign_of_another_user(void **state)
{
    (void)state;
    struct output *o = NULL;
    (void)expect("run -q --targets " FAULTY " --profile arith --cases 20 --seed 5 -o c", 1,
                 "not analysed yet; to analyse: halfulp report c");
    assert_int_equal(chmod("c/journal.sqlite", 0444), 0);
    assert_int_equal(chmod("c", 0555), 0);
    bool const is_bound = access("c", W_OK) != 0; /* not so as root */
    (void)expect("report --format text c", 1, "FMul");
    (void)expect("check c#1", 1, "1 of 1 runs show");
    (void)expect("report -q --no-triage --into mine c", 1, "report: mine/report.html");
    o = expect("report -q --triage-time 1s --reduce-time 1s --into mine c", 1, "bugs: ");
    assert_true(
        !strstr(o->out, "to continue: ") ||
        strstr(o->out,
               "to continue: halfulp report -q --triage-time 1s --reduce-time 1s --into mine c\n"));
    (void)expect("run -q --targets sim-ieee --profile arith --cases 4 --seed 3 -o d", 0, "");
    (void)expect("report --into mine d", 2, "contains another campaign");
    if (is_bound) {
        (void)expect("report c", 2, "--into OTHER");
    }
    (void)expect("reduce -q --for 2s -o small c#1", 0, "small: ");
    (void)expect("check small", 1, FAULTY ": 1 of 1 runs show");
    assert_int_equal(chmod("c", 0755), 0);
}

/* Names in a folder, in order, one after the other. */
static void read_names(const char *path, char text[MAX_OUTPUT])
{
    struct dirent **entry = NULL;
    int const n = scandir(path, &entry, NULL, alphasort);
    size_t at = 0;
    text[0] = '\0';
    for (int i = 0; i < n; i++) {
        if (entry[i]->d_name[0] != '.') {
            at += (size_t)snprintf(text + at, MAX_OUTPUT - at, "%s\n", entry[i]->d_name);
        }
        free(entry[i]);
    }
    free(entry);
}

static void tapes_are_chosen_of_random_ones(void **state)
{
    (void)state;
    static char one[MAX_OUTPUT], two[MAX_OUTPUT];
#define CHOOSE "corpus --profile groups --random 20 --trials 4 --max-tapes 5"
    (void)expect(CHOOSE " -o one", 0, "one: 5 tapes");
    (void)expect(CHOOSE " -o two", 0, "two: 5 tapes");
    read_names("one", one);
    read_names("two", two);
    assert_string_equal(one, two);
    for (unsigned i = 0; i < 5; i++) { /* the order of the choice is that of the names */
        char start[8];
        (void)snprintf(start, sizeof start, "%03u-", i);
        const char *const at = strstr(one, start);
        assert_non_null(at);
        assert_true(at == one || at[-1] == '\n');
    }
    (void)expect(CHOOSE " --seed 2 -o three", 0, "three: 5 tapes");
    read_names("three", two);
    assert_string_not_equal(one, two);
    (void)expect("corpus one", 0, "5 tapes set ");
    (void)expect("corpus --profile atomics one", 2, "is a tape of generator");
#undef CHOOSE
}

/* A folder of 65536 files is read, here of files that are no tapes; one file more, and the folder is refused. */
static void a_folder_of_too_many_tapes(void **state)
{
    (void)state;
    enum {
        MOST_FILES = 65536
    };
    char path[64];
    assert_int_equal(mkdir("many", 0777), 0);
    for (unsigned i = 0; i < MOST_FILES; i++) {
        (void)snprintf(path, sizeof path, "many/%u", i);
        write_file(path, "", 0);
    }
    (void)expect("corpus many", 2, "65536 files left out");
    write_file("many/more", "", 0);
    (void)expect("corpus many", 3, "many: more than 65536 files");
}

static void a_campaign_on_the_simulator(void **state)
{
    (void)state;
    (void)expect("run --targets sim-any,sim-ieee --cases 6 --seed 2 -o c", 0,
                 "report: c/report.html");
    (void)expect("run --targets sim-any --cases 6 --seed 2 -o c", 2, "--resume");
    (void)expect("run --resume -o c", 0, "report: c/report.html");
    (void)expect("run --resume -o c --seed 3", 2, "seed 2");
    (void)expect("report c", 0, "sim-any");
    (void)expect("report --format html c", 0, "<html");
    (void)expect("report --format json c", 0, "\"targets\"");
    (void)expect("report --bundle 1 -o b c", 2, "no finding 1");
    (void)expect("check c#1", 2, "no finding 1");
    const struct output *o =
        expect("run --json -q --targets sim-ieee --cases 3 --seed 2 -o d", 0, "\"event\":\"end\"");
    assert_int_equal(o->out[0], '{');
    struct stat s;
    assert_int_equal(stat("c/report.txt", &s), 0);
    assert_int_equal(stat("c/report.json", &s), 0);
    assert_int_equal(stat("c/report.md", &s), 0);
    assert_int_equal(stat("c/report.sarif", &s), 0);
    assert_int_equal(stat("c/report.xml", &s), 0);
}

/* By default the profiles take turns, and each case knows its own. */
static void profiles_take_turns(void **state)
{
    (void)state;
    static const char *const profiles[] = {"atomics", "maxerror", "programs", "groups",
                                           "atomics", "programs", "maxerror", "all"};
    char words[128];
    char name[64];
    (void)expect("run --targets sim-ieee --cases 16 --seed 2 -o c", 0, "report: c/report.html");
    (void)expect("report --format text c", 0, "all 2");
    (void)expect("report --format text c", 0, "atomics 3");
    (void)expect("report --format text c", 0, "groups 2");
    (void)expect("report --format text c", 0, "maxerror 4");
    (void)expect("report --format text c", 0, "programs 5");
    (void)expect("report --format json c", 0, "\"n_reductions\"");
    (void)expect("report --format text c", 0, "subgroup-");
    (void)expect("run --targets sim-ieee --profile groups --cases 4 --seed 2 -o g", 0, "sim-ieee");
    (void)expect("report --format text g", 0, "groups 4");
    (void)expect("run --resume -o g --profile atomics", 2, "profile groups");
    for (size_t i = 0; i < ARRAY_N(profiles); i++) {
        (void)snprintf(words, sizeof words, "gen --profile all --seed 2 --index %zu -o x%zu", i, i);
        (void)snprintf(name, sizeof name, "x%zu/case.json", i);
        (void)expect(words, 0, "valid");
        static char text[MAX_OUTPUT];
        read_text(name, text);
        (void)snprintf(words, sizeof words, "\"profile\": \"%s\"", profiles[i]);
        assert_non_null(strstr(text, words));
        /* its tape says so too: the same module again */
        (void)snprintf(words, sizeof words, "gen --tape x%zu/tape.bin -o y%zu", i, i);
        (void)expect(words, 0, "valid");
        static char again[MAX_OUTPUT];
        (void)snprintf(name, sizeof name, "y%zu/case.json", i);
        read_text(name, again);
        assert_string_equal(again, text);
    }
}

/* Put `to` in place of the first `from` in a file. */
static void replace_in_file(const char *path, const char *from, const char *to)
{
    static char text[MAX_OUTPUT];
    read_text(path, text);
    char *const at = strstr(text, from);
    assert_non_null(at);
    FILE *const f = fopen(path, "w");
    assert_non_null(f);
    (void)fprintf(f, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    assert_int_equal(fclose(f), 0);
}

/* A case that is not the generator's is what its module says: told where its own words differ, silent where they do not. */
static void a_case_is_what_its_module_says(void **state)
{
    (void)state;
    (void)expect("gen --seed 4 --index 2 -o q", 0, "valid");
    (void)expect("check q --targets sim-ieee -o r", 0, "0 of 1 runs");
    assert_int_equal(remove("r/tape.bin"), 0);
    const struct output *o = expect("judge r/case.json", 0, "verdict: ");
    assert_null(strstr(o->err, "needs features"));
    assert_null(strstr(o->err, ": the class "));
    replace_in_file("r/case.json", "\"class\": \"legal\"", "\"class\": \"unadvertised\"");
    (void)expect("judge r/case.json", 0, "verdict: ");
    static char text[MAX_OUTPUT];
    read_text("r/case.json", text);
    char *const needs = strstr(text, "\"needs\": [");
    char *const end = needs ? strchr(needs, ']') : NULL;
    assert_non_null(end);
    char old[4096];
    (void)snprintf(old, sizeof old, "%.*s", (int)(end - needs + 1), needs);
    replace_in_file("r/case.json", old, "\"needs\": []");
    (void)expect("judge r/case.json", 0, "needs features that the case does not");
}

static void a_case_goes_round(void **state)
{
    (void)state;
    (void)expect("gen --seed 4 --index 2 -o g", 0, "valid");
    (void)expect("gen --tape g/tape.bin -o h", 0, "valid");
    (void)expect("judge g", 2, "no observed outputs");
    (void)expect("check g --targets sim-ieee -o k", 0, "0 of 1 runs");
    (void)expect("judge k", 0, "verdict: ");
    (void)expect("judge --json k/case.json", 0, "\"verdict\"");
    (void)expect("check g/tape.bin --targets sim-any", 0, "0 of 1 runs");
    (void)expect("gen --validate 20", 0, "invalid: 0");
    (void)expect("gen --validate 20 --profile groups", 0, "invalid: 0");
    (void)expect("selftest --apply 30 --fault MINMAX_SWAPPED", 0, "MINMAX_SWAPPED");
    (void)expect("refusals --list", 0, "AMD_GROUP_NO_CAPABILITY");
    (void)expect("refusals -o m", 0, "");
    (void)expect("gen --break ADD_PRIVATE -o n", 0, "the module breaks ADD_PRIVATE");
    (void)expect("gen --tape n/tape.bin --env vulkan -o o", 0, "the module breaks ADD_PRIVATE");
    (void)expect("run --profile refusals --cases 20 --targets sim-ieee -q -o p", 0, "report");
}

/* Cut, flipped and foreign files: status 0 to 3 and a message that names the file, never a death. */
static void files_of_any_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *file, *words;
    } rows[] = {
        {"g/tape.bin",   "gen --tape g/tape.bin -o x"              },
        {"g/case.bin",   "check g/case.bin --targets sim-ieee"     },
        {"g/case.json",  "check g --targets sim-ieee"              },
        {"g/module.spv", "check g --targets sim-ieee"              },
        {"t.ini",        "devices --targets-file t.ini --targets t"},
    };
    struct rng rng = rng_seed(6);
    int n_told = 0;
    write_file("t.ini", "[t]\napi = opencl\nworker = ./none\n", 34);
    (void)expect("gen --seed 4 --index 2 -o g", 0, "valid");
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        char good[65536];
        char bad[65536];
        FILE *f = fopen(rows[i].file, "rb");
        assert_non_null(f);
        size_t const n = fread(good, 1, sizeof(good), f);
        (void)fclose(f);
        assert_true(n > 8);
        for (int k = 0; k < 12; k++) {
            static struct output o;
            memcpy(bad, good, n);
            for (int flips = 0; flips < 1 + k; flips++) {
                bad[rng_below(&rng, n)] ^= (char)(1 << rng_below(&rng, 7));
            }
            if (k == 0) {
                memset(bad, 'x', n);
            }
            write_file(rows[i].file, bad, k % 3 == 1 ? (size_t)rng_below(&rng, n) : n);
            run(rows[i].words, &o);
            if (o.status < 0 || o.status > 3) {
                fail_msg("%s, file %s, variant %d: status %d: %.500s", rows[i].words, rows[i].file,
                         k, o.status, o.err);
            }
            if (o.status == 2) {
                n_told++;
                if (!strstr(o.err, "halfulp ")) {
                    fail_msg("%s, variant %d: \"%.500s\"", rows[i].words, k, o.err);
                }
            }
        }
        write_file(rows[i].file, good, n);
    }
    assert_true(n_told >= 15);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    /* This is B/tests/test_cli; the program is B/halfulp. */
    ssize_t const n = readlink("/proc/self/exe", program, sizeof(program) - 16);
    for (int i = 0; i < 2 && n > 0; i++) {
        char *slash = strrchr(program, '/');
        if (slash) {
            *slash = '\0';
        }
    }
    (void)snprintf(program + strlen(program), 16, "/halfulp");
    const struct CMUnitTest tests[] = {
        IN_FOLDER(every_command_has_help),
        IN_FOLDER(wrong_words_are_told),
        IN_FOLDER(tapes_are_chosen_of_random_ones),
        IN_FOLDER(a_folder_of_too_many_tapes),
        IN_FOLDER(a_campaign_on_the_simulator),
        IN_FOLDER(profiles_take_turns),
        IN_FOLDER(a_case_goes_round),
        IN_FOLDER(a_case_is_what_its_module_says),
        IN_FOLDER(the_status_of_a_report),
        IN_FOLDER(titles_with_and_without_judgements),
        IN_FOLDER(states_and_nights_of_a_report),
        IN_FOLDER(a_campaign_of_another_user),
        IN_FOLDER(files_of_any_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
