/* fuzz/journal/journal_schema.c -- what a journal is made of, and whether a file is that: a campaign's folder may
 * come from somebody else. */
#include "fuzz/journal/journal_schema.h"

#include <inttypes.h>
#include <string.h>

#include "fuzz/journal/journal.h"

static const char schema_sql[] =
    "BEGIN;"
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
    "CREATE TABLE targets(id INTEGER PRIMARY KEY, name TEXT UNIQUE, facts TEXT, low INTEGER,"
    " n_runs INTEGER, n_skipped INTEGER, n_judged INTEGER, n_sharp INTEGER, n_anything INTEGER,"
    " n_inconclusive INTEGER, n_bounded INTEGER, n_contended INTEGER, n_interleaved INTEGER,"
    " n_ordered INTEGER, n_reductions INTEGER, n_reductions_bounded INTEGER, n_partial INTEGER);"
    "CREATE TABLE verdicts(target_id INTEGER, class TEXT, profile TEXT, verdict TEXT, n INTEGER,"
    " PRIMARY KEY(target_id, class, profile, verdict)) WITHOUT ROWID;"
    "CREATE TABLE tapes(case_index INTEGER PRIMARY KEY, tape BLOB);"
    "CREATE TABLE runs(id INTEGER PRIMARY KEY, target_id INTEGER, case_index INTEGER,"
    " is_done INTEGER, profile TEXT, verdict TEXT, case_hash INTEGER, cross_values BLOB,"
    " UNIQUE(target_id, case_index));"
    "CREATE TABLE findings(id INTEGER PRIMARY KEY, target_id INTEGER, case_index INTEGER,"
    " ordinal INTEGER, class TEXT, verdict TEXT, clause TEXT, signature TEXT, op TEXT,"
    " type TEXT, storage TEXT, permitted TEXT, got TEXT, operands TEXT, text TEXT,"
    " instruction TEXT,"
    " UNIQUE(target_id, case_index, ordinal));"
    "CREATE TABLE kept(target_id INTEGER, case_index INTEGER, testcase BLOB, observation BLOB,"
    " disassembly TEXT, log TEXT, crash_signature TEXT, PRIMARY KEY(target_id, case_index));"
    "CREATE TABLE buckets(target_id INTEGER, class TEXT, signature TEXT, verdict TEXT, n INTEGER,"
    " first_finding INTEGER,"
    " PRIMARY KEY(target_id, class, signature)) WITHOUT ROWID;"
    "CREATE TABLE features(target_id INTEGER, feature TEXT, outcome TEXT, n INTEGER,"
    " PRIMARY KEY(target_id, feature, outcome)) WITHOUT ROWID;"
    "CREATE TABLE coverage(target_id INTEGER, op TEXT, type TEXT, storage TEXT, outcome TEXT,"
    " n INTEGER, n_sharp INTEGER, n_anything INTEGER, n_bounded INTEGER, n_divergent INTEGER,"
    " PRIMARY KEY(target_id, op, type, storage, outcome)) WITHOUT ROWID;"
    "CREATE TABLE triage(finding_id INTEGER PRIMARY KEY, n_runs INTEGER, n_shown INTEGER,"
    " n_loaded_runs INTEGER, n_loaded_shown INTEGER, is_flaky INTEGER, n_before INTEGER,"
    " n_after INTEGER, smallest TEXT, twin TEXT, matrix TEXT, wall_ns INTEGER, testcase BLOB,"
    " observation BLOB);"
    "CREATE TABLE times(wall_ns INTEGER, harness_cpu_ns INTEGER, worker_cpu_ns INTEGER);"
    "PRAGMA application_id = 1751477297; PRAGMA user_version = 3;"
    "COMMIT;";
static const char corpus_sql[] =
    "BEGIN;"
    "CREATE TABLE corpus(id INTEGER PRIMARY KEY AUTOINCREMENT, case_index INTEGER UNIQUE,"
    " profile TEXT, n_records INTEGER, hash INTEGER, tape BLOB, dead_at INTEGER);"
    "CREATE INDEX corpus_hash ON corpus(hash);"
    "CREATE INDEX corpus_dead ON corpus(dead_at);"
    "CREATE TABLE cells(cell INTEGER PRIMARY KEY, entry INTEGER);"
    "CREATE TABLE origins(case_index INTEGER PRIMARY KEY, parent INTEGER, other INTEGER);"
    "ALTER TABLE tapes ADD COLUMN profile TEXT;" /* of those that are not fresh */
    "PRAGMA user_version = 4;"
    "COMMIT;";
static const char cause_sql[] = "BEGIN;"
                                "ALTER TABLE triage ADD COLUMN cause TEXT NOT NULL DEFAULT '';"
                                "PRAGMA user_version = 5;"
                                "COMMIT;";
static const char bug_sql[] = "BEGIN;"
                              "ALTER TABLE triage ADD COLUMN bug TEXT NOT NULL DEFAULT '';"
                              "ALTER TABLE triage ADD COLUMN first_wrong TEXT NOT NULL DEFAULT '';"
                              "PRAGMA user_version = 6;"
                              "COMMIT;";
static const char cut_sql[] = "BEGIN;"
                              "ALTER TABLE triage ADD COLUMN is_cut INTEGER NOT NULL DEFAULT 0;"
                              "ALTER TABLE triage ADD COLUMN n_alike INTEGER NOT NULL DEFAULT 0;"
                              "PRAGMA user_version = 7;"
                              "COMMIT;";
/* Of a journal that several were merged into, by part: the sums of all parts are in the tables of the same names. */
static const char parts_sql[] =
    "BEGIN;"
    "CREATE TABLE parts(shard INTEGER PRIMARY KEY, n_done INTEGER, n_cases INTEGER,"
    " n_in_both INTEGER, wall_ns INTEGER, harness_cpu_ns INTEGER, worker_cpu_ns INTEGER,"
    " started TEXT, mpfr_version TEXT);"
    "CREATE TABLE part_targets(shard INTEGER, target_id INTEGER, low INTEGER, n_runs INTEGER,"
    " n_skipped INTEGER, n_judged INTEGER, n_sharp INTEGER, n_anything INTEGER,"
    " n_inconclusive INTEGER, n_bounded INTEGER, n_contended INTEGER, n_interleaved INTEGER,"
    " n_ordered INTEGER, n_reductions INTEGER, n_reductions_bounded INTEGER, n_partial INTEGER,"
    " PRIMARY KEY(shard, target_id)) WITHOUT ROWID;"
    "CREATE TABLE part_verdicts(shard INTEGER, target_id INTEGER, class TEXT, profile TEXT,"
    " verdict TEXT, n INTEGER,"
    " PRIMARY KEY(shard, target_id, class, profile, verdict)) WITHOUT ROWID;"
    "CREATE TABLE part_features(shard INTEGER, target_id INTEGER, feature TEXT, outcome TEXT,"
    " n INTEGER, PRIMARY KEY(shard, target_id, feature, outcome)) WITHOUT ROWID;"
    "CREATE TABLE part_coverage(shard INTEGER, target_id INTEGER, op TEXT, type TEXT,"
    " storage TEXT, outcome TEXT, n INTEGER, n_sharp INTEGER, n_anything INTEGER,"
    " n_bounded INTEGER, n_divergent INTEGER,"
    " PRIMARY KEY(shard, target_id, op, type, storage, outcome)) WITHOUT ROWID;"
    "CREATE TABLE part_buckets(shard INTEGER, target_id INTEGER, class TEXT, signature TEXT,"
    " verdict TEXT, n INTEGER,"
    " PRIMARY KEY(shard, target_id, class, signature)) WITHOUT ROWID;"
    "CREATE TABLE part_cross(shard INTEGER, target_id INTEGER, other_id INTEGER, op TEXT,"
    " n INTEGER, case_index INTEGER,"
    " PRIMARY KEY(shard, target_id, other_id, op)) WITHOUT ROWID;"
    "CREATE TABLE part_languages(shard INTEGER, target_id INTEGER, other_id INTEGER,"
    " verdict TEXT, other_verdict TEXT, n INTEGER, case_index INTEGER,"
    " PRIMARY KEY(shard, target_id, other_id, verdict, other_verdict)) WITHOUT ROWID;"
    "PRAGMA user_version = 8;"
    "COMMIT;";
#define JUDGEMENTS "judgements(case_hash INTEGER PRIMARY KEY, judgement BLOB);"
static const char judgements_sql[] =
    "BEGIN;CREATE TABLE " JUDGEMENTS "PRAGMA user_version = 9;COMMIT;";
#define STATISTICS                                                                                 \
    "statistics(target_id INTEGER, case_index INTEGER, name TEXT, value INTEGER,"                  \
    " case_hash INTEGER, PRIMARY KEY(target_id, case_index, name)) WITHOUT ROWID;"
static const char statistics_sql[] =
    "BEGIN;CREATE TABLE " STATISTICS "PRAGMA user_version = 10;COMMIT;";
/* In place of the last steps where nothing can be written: the tables are empty, of this process alone, and have the same
 * names. */
static const char no_judgements_sql[] = "CREATE TEMP TABLE " JUDGEMENTS;
static const char no_statistics_sql[] = "CREATE TEMP TABLE " STATISTICS;
/* What makes of a journal of a schema one of the next, and the same where nothing can be written (NULL: the step must
 * write); the first schema is made by schema_sql. */
static const struct {
    const char *sql, *temporary_sql;
} steps[] = {
    {corpus_sql,     NULL             },
    {cause_sql,      NULL             },
    {bug_sql,        NULL             },
    {cut_sql,        NULL             },
    {parts_sql,      NULL             },
    {judgements_sql, no_judgements_sql},
    {statistics_sql, no_statistics_sql},
};
enum {
    APPLICATION_ID = 1751477297,
    SCHEMA_FIRST = 3,
    SCHEMA_VERSION = 10,
    MAX_NAME_CHARS = 4096,     /* signatures, what stands in tables */
    MAX_TEXT_CHARS = 128 << 10 /* a driver says at most 64 KiB of a build, and as much to its log */
};
#define SCHEMA_ARENA_BYTES ((size_t)1 << 20)

/* ---- objects ---- */

/* A row of sqlite_master. The table that SQLite makes for AUTOINCREMENT outlives ours that use it. */
struct object {
    const char *type, *name, *table, *sql;
    int is_end; /* none: after all others */
};
static const char objects_sql[] =
    "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master WHERE NOT (type = 'table' "
    "AND"
    " name = 'sqlite_sequence' AND sql = 'CREATE TABLE sqlite_sequence(name,seq)')"
    " ORDER BY type, name";

static enum res take_object(struct db *d, struct stmt *s, struct arena *a, struct object *out,
                            struct err *e)
{
    int const step = stmt_step(s);
    *out = (struct object){.is_end = step == 0};
    if (step < 0) {
        return db_fail(d, e);
    }
    if (step > 0) {
        *out = (struct object){stmt_text(s, 0, a), stmt_text(s, 1, a), stmt_text(s, 2, a),
                               stmt_text(s, 3, a), 0};
    }
    return RES_OK;
}

/* Which comes first in the order of objects_sql? Below 0: theirs; 0: both have the same type and name. */
static int order_objects(const struct object *theirs, const struct object *ours)
{
    if (theirs->is_end || ours->is_end) {
        return theirs->is_end - ours->is_end; /* the end is after all */
    }
    int const by_type = strcmp(theirs->type, ours->type);
    return by_type ? by_type : strcmp(theirs->name, ours->name);
}

/* Compare the next object of the file with the next of ours. */
static enum res compare_objects(const char *path, const struct object *ours,
                                const struct object *theirs, struct err *e)
{
    int const order = order_objects(theirs, ours);
    if (order < 0) {
        return err_set(e, RES_FORMAT, "%s: holds the %.60s %.60s, which is none of ours", path,
                       theirs->type, theirs->name);
    }
    if (order > 0) {
        return err_set(e, RES_FORMAT, "%s: lacks the %s %s", path, ours->type, ours->name);
    }
    if (!ours->is_end &&
        (strcmp(theirs->table, ours->table) != 0 || strcmp(theirs->sql, ours->sql) != 0)) {
        return err_set(e, RES_FORMAT, "%s: the %s %s is not as this program makes it", path,
                       ours->type, ours->name);
    }
    return RES_OK;
}

/* Compare the schema of a journal with that of `model`, one made just now: both list their tables and indexes
 * in the same order, and the first that differs is the error. */
static enum res compare_schemas(struct db *d, struct db *model, const char *path, struct err *e)
{
    struct arena a;
    struct object ours = {.is_end = 0}, theirs = ours;
    struct stmt *s = db_start(d, objects_sql, "");
    struct stmt *m = db_start(model, objects_sql, "");
    enum res r = s && m ? RES_OK : db_fail(s ? model : d, e);
    arena_init(&a, SCHEMA_ARENA_BYTES);
    while (r == RES_OK && !(ours.is_end && theirs.is_end)) {
        arena_reset(&a);
        r = take_object(d, s, &a, &theirs, e);
        if (r == RES_OK) {
            r = take_object(model, m, &a, &ours, e);
        }
        if (r == RES_OK) {
            r = compare_objects(path, &ours, &theirs, e);
        }
    }
    stmt_reset(s);
    arena_free(&a);
    return r;
}

/* Make of schema `from` one of schema `to`. */
static enum res raise_schema(struct db *d, int64_t from, int64_t to, struct err *e)
{
    for (int64_t at = from; at < to; at++) {
        const char *const temporary = steps[at - SCHEMA_FIRST].temporary_sql;
        bool const is_temporary = temporary && db_is_read_only(d);
        TRY(db_exec(d, is_temporary ? temporary : steps[at - SCHEMA_FIRST].sql, e));
    }
    return RES_OK;
}

static enum res make_schema(struct db *d, int64_t version, struct err *e)
{
    TRY(db_exec(d, schema_sql, e));
    return raise_schema(d, SCHEMA_FIRST, version, e);
}

enum res journal_make_schema(struct db *d, struct err *e)
{
    return make_schema(d, SCHEMA_VERSION, e);
}

/* The same objects as in a database that is made now. */
static enum res check_objects(struct db *d, int64_t version, const char *path, struct err *e)
{
    struct db *model = NULL;
    TRY(db_open(&model, DB_MEMORY, DB_CREATE, e));
    enum res r = make_schema(model, version, e);
    if (r == RES_OK) {
        r = compare_schemas(d, model, path, e);
    }
    db_close(model);
    return r;
}

enum res journal_check_schema(struct db *d, const char *path, struct err *e)
{
    int64_t application = -1, version = -1;
    struct err ignored;
    if (db_ask(d, &ignored, -1, &application, "PRAGMA application_id", "") != RES_OK ||
        db_ask(d, &ignored, -1, &version, "PRAGMA user_version", "") != RES_OK ||
        application != APPLICATION_ID) {
        return err_set(e, RES_FORMAT, "%s: a database, but not a halfulp journal", path);
    }
    if (version < SCHEMA_FIRST || version > SCHEMA_VERSION) {
        return err_set(e, RES_FORMAT, "%s: journal of schema %" PRId64 ", this program reads %d",
                       path, version, SCHEMA_VERSION);
    }
    db_limit_time(d, 1);
    enum res r = check_objects(d, version, path, e);
    db_limit_time(d, 0);
    return r == RES_OK ? raise_schema(d, version, SCHEMA_VERSION, e) : r;
}

/* ---- values ---- */

/* SQLite keeps any value in any column; what was not written by this program may be of another type, or
 * such that adding to it is beyond what SQLite can. The limits of integers by name; all else is a count. */
static const struct {
    const char *name;
    int64_t min, max;
} ranges[] = {
    {"case_index", 0,         JOURNAL_OWN_CASES << 8},
    {"low",        0,         JOURNAL_OWN_CASES << 8},
    {"dead_at",    0,         JOURNAL_OWN_CASES << 8},
    {"is_done",    0,         1                     },
    {"is_flaky",   0,         1                     },
    {"other",      -1,        INT64_MAX / 2         },
    {"hash",       INT64_MIN, INT64_MAX             },
    {"case_hash",  INT64_MIN, INT64_MAX             },
};

static const char *const long_texts[] = {"value",    "facts",       "log",    "permitted",
                                         "operands", "instruction", "matrix", "text",
                                         "smallest", "twin",        "cause"};

/* SQL that is true of a value that the column must not hold, by its type: wrong kind, too long, or out of the range
 * that the column's name has in `ranges`; without one, from 0 to half of what fits, so that two can be added. */
static const char *write_rule(const char *name, const char *type, struct arena *a)
{
    if (strcmp(type, "BLOB") == 0) {
        return arena_printf(a, "typeof(%s) <> 'blob'", name);
    }
    if (strcmp(name, "disassembly") == 0) { /* as long as it is, and shown to nobody whole */
        return arena_printf(a, "typeof(%s) <> 'text'", name);
    }
    if (strcmp(type, "TEXT") == 0) {
        int max_chars = MAX_NAME_CHARS;
        for (size_t i = 0; i < ARRAY_N(long_texts); i++) {
            max_chars = strcmp(name, long_texts[i]) == 0 ? MAX_TEXT_CHARS : max_chars;
        }
        return arena_printf(a, "typeof(%s) <> 'text' OR length(%s) > %d", name, name, max_chars);
    }
    int64_t min = 0, max = INT64_MAX / 2;
    for (size_t i = 0; i < ARRAY_N(ranges); i++) {
        if (strcmp(ranges[i].name, name) == 0) {
            min = ranges[i].min;
            max = ranges[i].max;
        }
    }
    return arena_printf(a, "typeof(%s) <> 'integer' OR %s < %" PRId64 " OR %s > %" PRId64, name,
                        name, min, name, max);
}

/* The first column of a table that holds what it may not. The schema is ours: names need no quotes. */
static enum res check_table(struct db *d, const char *table, const char *rules, const char *path,
                            struct arena *a, struct err *e)
{
    const char *bad = NULL;
    const char *sql = arena_printf(
        a, "SELECT bad FROM (SELECT CASE %s END bad FROM %s) WHERE bad NOT NULL LIMIT 1", rules,
        table);
    enum res const r = db_find_text(d, sql, a, &bad, e);
    return r == RES_OK && bad
               ? err_set(e, RES_FORMAT, "%s: a value of %s.%s is none that this program writes",
                         path, table, bad)
               : r;
}

/* Check each table by one query, made of the rules of its columns. The rows of `s` are columns in the order of their
 * tables: where another table begins, the rules of the one before are complete; those of the last are so at the
 * end. */
static enum res check_values(struct db *d, const char *path, struct arena *a, struct err *e)
{
    const char *table = "", *rules = "";
    struct stmt *s = db_start(
        d,
        "SELECT m.name, c.name, c.type FROM sqlite_master m JOIN pragma_table_info(m.name) c"
        " WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY m.name, c.cid",
        "");
    int step = 0;
    enum res r = RES_OK;
    while (r == RES_OK && (step = stmt_step(s)) > 0) {
        const char *next = stmt_text(s, 0, a), *column = stmt_text(s, 1, a);
        if (strcmp(next, table) != 0) {
            r = table[0] ? check_table(d, table, rules, path, a, e) : RES_OK;
            table = next;
            rules = "";
        }
        rules = arena_printf(a, "%s WHEN %s NOT NULL AND (%s) THEN '%s'", rules, column,
                             write_rule(column, stmt_text(s, 2, a), a), column);
    }
    if (step > 0) { /* ended by an error, before the last row */
        stmt_reset(s);
    }
    if (r != RES_OK) {
        return r;
    }
    return step < 0 ? db_fail(d, e) : check_table(d, table, rules, path, a, e);
}

/* What SQLite says of a damaged file: its first line, behind one that names the database. */
static const char *take_damage(const char *answer, struct arena *a)
{
    const char *const end = answer[0] == '*' ? strchr(answer, '\n') : NULL;
    const char *const from = end ? end + 1 : answer;
    return arena_printf(a, "%.*s", (int)strcspn(from, "\n"), from);
}

enum res journal_check_content(struct db *d, const char *path, struct err *e)
{
    struct arena a;
    const char *answer = NULL;
    arena_init(&a, SCHEMA_ARENA_BYTES);
    enum res r = db_find_text(d, "PRAGMA quick_check(1)", &a, &answer, e);
    if (r == RES_OK && answer && strcmp(answer, "ok") != 0) {
        r = err_set(e, RES_FORMAT, "%s: damaged journal: %.100s", path, take_damage(answer, &a));
    }
    if (r == RES_OK) {
        r = check_values(d, path, &a, e);
    }
    arena_free(&a);
    return r;
}
