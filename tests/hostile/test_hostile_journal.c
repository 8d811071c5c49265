/* tests/hostile/test_hostile_journal.c -- journals from elsewhere, given to the program itself: schemas that are not
 * ours, files that are none, and more of everything than there is memory or time for. */
#define _DEFAULT_SOURCE /* wait4: what one process took */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/file.h"
#include "tests/rig/hostile_rig.h"

/* ---- schemas ---- */

#define ENDLESS                                                                                    \
    "(WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT max(i) FROM r)"
static const struct {
    const char *name, *sql, *said;
} schemas[] = {
    {"virtual generated column",
     "ALTER TABLE times ADD COLUMN x TEXT AS (printf('%.*c', 900000000, 'a')) VIRTUAL",                        "the table times is not as"      },
    {"stored generated column",
     "DROP TABLE times; CREATE TABLE times(wall_ns INTEGER, harness_cpu_ns INTEGER,"
     " worker_cpu_ns INTEGER AS (length(zeroblob(900000000))) STORED)",                                        "the table times is not as"      },
    {"column in place of another",
     "ALTER TABLE findings RENAME TO f; CREATE TABLE findings(id INTEGER PRIMARY KEY, target_id"
     " INTEGER, case_index INTEGER, ordinal INTEGER, class TEXT, verdict TEXT, clause TEXT,"
     " signature TEXT, op TEXT, type TEXT, storage TEXT, permitted TEXT, got TEXT, operands TEXT,"
     " text TEXT AS (hex(zeroblob(400000000))), instruction TEXT); DROP TABLE f",                              "journal.sqlite"                 },
    {"trigger",                    "CREATE TRIGGER t AFTER UPDATE ON targets BEGIN DELETE FROM findings; END",
     "the trigger t, which"                                                                                                                     },
    {"temporary look",             "CREATE VIEW v AS SELECT " ENDLESS,                                         "the view v, which"              },
    {"view in place of a table",
     "DROP TABLE coverage; CREATE VIEW coverage AS SELECT 1 target_id, " ENDLESS " n",
     "journal.sqlite"                                                                                                                           },
    {"virtual table",              "CREATE VIRTUAL TABLE x USING rtree(a, b, c)",                              "none of ours"                   },
    {"default that is computed",   "ALTER TABLE times ADD COLUMN x DEFAULT 'x'",
     "the table times is not as"                                                                                                                },
    {"another type",
     "DROP TABLE times; CREATE TABLE times(wall_ns BLOB, harness_cpu_ns INTEGER, worker_cpu_ns"
     " INTEGER)",                                                                                              "the table times is not as"      },
    {"check",
     "DROP TABLE cells; CREATE TABLE cells(cell INTEGER PRIMARY KEY, entry INTEGER CHECK (entry <"
     " length(hex(zeroblob(400000000)))))",                                                                    "the table cells is not as"      },
    {"partial index",              "CREATE INDEX p ON runs(id) WHERE is_done = 1",                             "the index p, which"             },
    {"index of an expression",     "CREATE INDEX p ON runs(abs(case_index))",                                  "the index p, which"             },
    {"index that is another",
     "DROP INDEX corpus_hash; CREATE INDEX corpus_hash ON corpus(n_records)",                                  "the index corpus_hash is not as"},
    {"index that is gone",         "DROP INDEX corpus_dead",                                                   "lacks the index corpus_dead"    },
    {"table that is gone",         "DROP TABLE origins",                                                       "lacks the table origins"        },
    {"one table more",             "CREATE TABLE zz(a)",                                                       "the table zz, which"            },
    {"collation",
     "DROP TABLE meta; CREATE TABLE meta(key TEXT COLLATE NOCASE PRIMARY KEY, value TEXT) WITHOUT "
     "ROWID",                                                                                                  "the table meta is not as"       },
    {"name that moves the cursor", "CREATE TABLE \"\x1b[2J\xe2\x80\xae\"(a)",                                  "none of ours"                   },
    {"trigger of no type",
     "PRAGMA writable_schema = 1; INSERT INTO sqlite_master VALUES('\xff', 'a', 'targets', 0,"
     " 'CREATE TRIGGER a AFTER UPDATE ON targets BEGIN DELETE FROM findings; END')",                           "journal.sqlite"                 },
    {"tables of one root",
     "PRAGMA writable_schema = 1; UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM"
     " sqlite_master WHERE name = 'tapes') WHERE name = 'kept'",                                               "damaged"                        },
    {"root beyond the file",
     "PRAGMA writable_schema = 1; UPDATE sqlite_master SET rootpage = 99999999 WHERE name = 'kept'",           "journal.sqlite"                 },
    {"schema of another program",  "PRAGMA application_id = 7",                                                "not a halfulp journal"          },
    {"schema of the future",       "PRAGMA user_version = 11",                                                 "journal of schema 11"           },
    {"schema of the past",         "PRAGMA user_version = 3",                                                  "none of ours"                   },
};

static void other_schemas_are_refused(void **state)
{
    struct world *const w = *state;
    const char *const ways[] = {
        arena_printf(&w->a, "report --no-triage %s", w->campaign),
        arena_printf(&w->a, "report %s", w->campaign),
        arena_printf(&w->a, "check %s#1", w->campaign),
        arena_printf(&w->a, "run -q --resume -o %s", w->campaign),
        arena_printf(&w->a, "reduce -q --finding 1 -o %s %s", w->out, w->campaign),
        arena_printf(&w->a, "gen --campaign %s --index 1 --env opencl -o %s", w->campaign, w->out),
        arena_printf(&w->a, "report --no-triage --baseline %s %s", w->campaign, w->base),
    };
    put_journal(w, w->good, w->n_good);
    assert_int_equal(run_text(w, ways[0]).status, 1); /* the control */
    assert_int_equal(run_text(w, ways[2]).status, 1);
    for (size_t i = 0; i < ARRAY_N(schemas); i++) {
        put_journal(w, w->good, w->n_good);
        if (!spoil(w, schemas[i].sql)) {
            fail_msg("%s: not possible", schemas[i].name);
        }
        for (size_t k = 0; k < ARRAY_N(ways); k++) {
            int const status = run_text(w, ways[k]).status;
            const char *const said = program_read(w->said, w->text, sizeof w->text);
            if (status != STATUS_BAD || !strstr(said, schemas[i].said) ||
                !strstr(said, "journal.sqlite") || strchr(said, 0x1b) ||
                strstr(said, "\xe2\x80\xae")) {
                fail_msg("%s: %s: status %d: %s", schemas[i].name, ways[k], status, said);
            }
        }
    }
    print_message("%zu schemas, at most %ld KiB and %" PRIu64 " ms\n", ARRAY_N(schemas),
                  w->max_rss_kib, w->max_cpu_ms);
}

/* ---- what lies beside the file, and files that are none ---- */

static void companions_are_not_followed(void **state)
{
    struct world *const w = *state;
    const char *const victim = arena_printf(&w->a, "%s/victim", w->folder);
    const char *const words = arena_printf(&w->a, "report --no-triage %s", w->campaign);
    static const char *const behind[] = {"-wal", "-shm", "-journal"};
    struct err e;
    for (size_t i = 0; i < 2 * ARRAY_N(behind) + 2; i++) {
        const char *const path = i < 2 * ARRAY_N(behind)
                                     ? arena_printf(&w->a, "%s%s", w->journal, behind[i / 2])
                                     : w->journal;
        put_journal(w, w->good, w->n_good);
        assert_int_equal(file_write(victim, "precious", 8, &e), RES_OK);
        (void)unlink(path);
        assert_int_equal(i % 2 ? symlink(victim, path) : mkfifo(path, 0666), 0);
        assert_int_equal(run_text(w, words).status, STATUS_BAD);
        assert_non_null(strstr(program_read(w->said, w->text, sizeof w->text), "journal.sqlite"));
        assert_string_equal(program_read(victim, w->text, sizeof w->text), "precious");
    }
}

/* A rollback journal may name a file that SQLite then removes. */
static void a_rollback_journal_is_not_played(void **state)
{
    struct world *const w = *state;
    struct err e;
    put_journal(w, w->good, w->n_good);
    const char *const path = arena_printf(&w->a, "%s-journal", w->journal);
    assert_int_equal(file_write(path, w->good, 4096, &e), RES_OK);
    int const status =
        run_text(w, arena_printf(&w->a, "report --no-triage %s", w->campaign)).status;
    assert_int_equal(status, STATUS_BAD);
    assert_non_null(strstr(program_read(w->said, w->text, sizeof w->text), "-journal: not a file"));
    assert_int_equal(access(path, F_OK), 0);
}

/* ---- sizes ---- */

#define ROWS(n) "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < " n ") "
/* Legal by type, and far too much. */
static const struct {
    const char *name, *sql;
} floods[] = {
    {"one text of 60 MB",
     "UPDATE kept SET log = " LONG("60000000") " WHERE rowid = (SELECT min(rowid) FROM kept)"                          },
    {"one case of 60 MB",
     "UPDATE kept SET testcase = zeroblob(60000000) WHERE rowid = (SELECT min(rowid) FROM kept)"                       },
    {"logs of 2 MB",                     "UPDATE kept SET log = " LONG("2000000")                                      },
    {"modules of 8 MB",                  "UPDATE kept SET disassembly = " LONG("8000000")                              },
    {"findings of 1 MB",                 "UPDATE findings SET text = " LONG("1000000")                                 },
    {"signatures of 1 MB",               "UPDATE findings SET signature = " LONG("1000000")                            },
    {"facts of 1 MB",                    "UPDATE targets SET facts = " LONG("1000000")                                 },
    {"names of 1 MB",                    "UPDATE targets SET name = id || " LONG("1000000")                            },
    {"the targets of a plan",            "UPDATE meta SET value = " LONG("1000000")                                    },
    {"100,000 targets",                  ROWS("100000") "INSERT INTO targets SELECT 9 + i, 'n' || i, '', 0, 0, 0, "
                                       "0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM r"                 },
    {"65 targets",                       ROWS("63") "INSERT INTO targets SELECT 9 + i, 'n' || i, '', 0, 0, 0, 0, 0, 0, "
                              "0, 0, 0, 0, 0, 0, 0, 0 FROM r"                                        },
    {"runs of 20,000 targets",           ROWS("20000") "INSERT INTO runs SELECT NULL, 9 + i, 3, 1, "
                                             "'atomics', 'ok', 5, CAST(i AS BLOB) FROM r"},
    {"5,000 buckets of 20 KB",
     ROWS("5000") "INSERT INTO findings SELECT 99 + i, 2, 1000 + i, 0, 'legal', 'ulp', 'FADD_CR', "
                  "'s' || i, 'x', 'f32', 'global', '', '', '', " LONG("20000") ", '' FROM r;" ROWS(
                      "5000") "INSERT INTO buckets SELECT 2, 'legal', 's' || i, 'ulp', 1, 99 + i "
                              "FROM r"                                                                                 },
    {"100,000 buckets",
     ROWS("100000") "INSERT INTO findings SELECT 99 + i, 2, 1000 + i, 0, 'legal', 'ulp', "
                    "'FADD_CR', 's' || i, 'x', 'f32', 'global', '', '', '', '', '' FROM r;" ROWS(
                        "100000") "INSERT INTO buckets SELECT 2, 'legal', 's' || i, 'ulp', 1, 99 + "
                                  "i FROM r"                                                                           },
    {"5,000 buckets that name suspects",
     ROWS("5000") "INSERT INTO findings SELECT 99 + i, 2, 1000 + i, 0, 'legal', 'ulp', 'FADD_CR', "
                  "'ulp FADD_CR Op' || i || ' f32 global zero,normal scope:device', 'x', 'f32', "
                  "'global', '', '', '', '', '' FROM r;" ROWS(
                      "5000") "INSERT INTO buckets SELECT 2, 'legal', 'ulp FADD_CR Op' || i || ' "
                              "f32 global zero,normal scope:device', 'ulp', 1, 99 + i FROM r"                          },
    {"5,000 buckets of as many classes",
     ROWS("5000") "INSERT INTO findings SELECT 99 + i, 2, 1000 + i, 0, 'c' || i, 'ulp', 'FADD_CR', "
                  "'s', 'x', 'f32', 'global', '', '', '', '', '' FROM r;" ROWS(
                      "5000") "INSERT INTO buckets SELECT 2, 'c' || i, 's', 'ulp', 1, 99 + i FROM "
                              "r"                                                                                      },
    {"300,000 rows of coverage",         ROWS("300000") "INSERT INTO coverage SELECT 1, 'x' || i, 'f32', "
                                                "'global', 'run', 1, 1, 1, 1, 1 FROM r"},
    {"200,000 features",
     ROWS("200000") "INSERT INTO features SELECT 1, 'x' || i, 'accepted', 1 FROM r"                                    },
    {"200,000 verdicts",
     ROWS("200000") "INSERT INTO verdicts SELECT 1, 'c' || i, 'p' || i, 'v', 1 FROM r"                                 },
    {"500,000 times",                    ROWS("500000") "INSERT INTO times SELECT 4611686018427387903, 1, 1 FROM r"    },
    {"20,000 tables",                    "PRAGMA writable_schema = 1;" ROWS(
                          "20000") "INSERT INTO sqlite_master SELECT 'table', 'x' || i,"
                                   " 'x' || i, 2, 'CREATE TABLE x' || i || '(a, b, c)' FROM r"    },
};

static void floods_are_bounded(void **state)
{
    struct world *const w = *state;
    const char *const ways[] = {
        arena_printf(&w->a, "report --no-triage %s", w->campaign),
        arena_printf(&w->a, "check %s#1", w->campaign),
        arena_printf(&w->a, "report --no-triage --baseline %s %s", w->campaign, w->base),
        arena_printf(&w->a, "run -q --resume --cases 13 -o %s", w->campaign),
    };
    int n_refused = 0;
    for (size_t i = 0; i < ARRAY_N(floods); i++) {
        put_journal(w, w->good, w->n_good);
        if (!spoil(w, floods[i].sql)) {
            fail_msg("%s: not possible", floods[i].name);
        }
        for (size_t k = 0; k < (getenv("HALFULP_SLOW") ? ARRAY_N(ways) : 1); k++) {
            struct cost const c = run_text(w, ways[k]);
            n_refused += c.status == STATUS_BAD;
            if (getenv("HALFULP_VERBOSE")) {
                print_message("%s: %zu: status %d, %ld KiB, %" PRIu64 " ms: %.150s\n",
                              floods[i].name, k, c.status, c.rss_kib, c.cpu_ms,
                              c.status > 1 ? program_read(w->said, w->text, sizeof w->text) : "");
            }
        }
    }
    assert_true(n_refused > 0);
    print_message("%zu floods, %d times refused, at most %ld KiB and %" PRIu64 " ms\n",
                  ARRAY_N(floods), n_refused, w->max_rss_kib, w->max_cpu_ms);
}

int main(void)
{
    if (!program_find(self_path, program, sizeof program)) {
        return 1;
    }
    program_cpu_s = HANG_CPU_S;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_schemas_are_refused),
        cmocka_unit_test(companions_are_not_followed),
        cmocka_unit_test(a_rollback_journal_is_not_played),
        cmocka_unit_test(floods_are_bounded),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
