/* fuzz/audit/audit_state.h -- the tables of audit.state, and one row of an audit in them. */
#pragma once

#include "fuzz/audit/audit.h"
#include "fuzz/io/db.h"

/*
 * A database of SQLite. The results of a form are as in memory, which one machine alone reads again; the hash of a row
 * is of all that is kept of it and of its forms. `shard` of the audit is "2/4", "" of what is undivided, and "all/4" where
 * several are united; `part` of a row is its shard's index, 0 of what is undivided. A part that has nothing left to do
 * is in `parts` too. The notes say what the audit is of: shards with other ones, but for when they began, are of
 * other audits.
 */
enum {
    AUDIT_STATE_VERSION = 5,
    AUDIT_STATE_MAX_TEXT = 1 << 20 /* of a note */
};
#define AUDIT_STATE_FILE "audit.state"
#define AUDIT_STATE_SCHEMA                                                                         \
    "CREATE TABLE IF NOT EXISTS audit(id INTEGER PRIMARY KEY, version INTEGER NOT NULL,"           \
    " result_bytes INTEGER NOT NULL, target TEXT NOT NULL, facts_hash INTEGER NOT NULL,"           \
    " shard TEXT NOT NULL);"                                                                       \
    "CREATE TABLE IF NOT EXISTS notes(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"   \
    "CREATE TABLE IF NOT EXISTS parts(part INTEGER PRIMARY KEY);"                                  \
    "CREATE TABLE IF NOT EXISTS rows(name TEXT NOT NULL, part INTEGER NOT NULL,"                   \
    " subject TEXT NOT NULL, listed INTEGER NOT NULL, done INTEGER NOT NULL,"                      \
    " skipped INTEGER NOT NULL, seconds REAL NOT NULL, device_seconds REAL NOT NULL,"              \
    " judge_seconds REAL NOT NULL, problem TEXT NOT NULL, hash INTEGER NOT NULL,"                  \
    " PRIMARY KEY(name, part)) WITHOUT ROWID;"                                                     \
    "CREATE TABLE IF NOT EXISTS forms(name TEXT NOT NULL, part INTEGER NOT NULL,"                  \
    " form INTEGER NOT NULL, refused INTEGER NOT NULL, log TEXT NOT NULL, result BLOB NOT NULL,"   \
    " PRIMARY KEY(name, part, form));"

/* The tables, and what the audit is of; `shard` as above. In a transaction that the caller began. */
MUST_USE enum res audit_state_put_head(struct db *d, const struct audit *x,
                                       const struct audit_request *r, const char *shard,
                                       struct arena *a, struct err *e);
MUST_USE enum res audit_state_put_row(struct db *d, const struct audit_row *row, const char *name,
                                      uint32_t part, struct arena *a, struct err *e);
/* One part of a row, named `name`, into *row, which has the forms of the plan; *is_there false: there is none.
 * RES_FORMAT: the row is not what its hash says. */
MUST_USE enum res audit_state_take_row(struct db *d, struct audit_row *row, const char *name,
                                       uint32_t part, bool *is_there, struct arena *a,
                                       struct err *e);
/* Reads which target and which shard a state is of. RES_FORMAT: it is of another version, or not an audit's state. `path` is for
 * errors. An audit that was killed before its first commit left a state without tables: is_empty is true, and the rest of *out stays
 * as it is. */
struct audit_state_head {
    const char *target, *shard; /* shard: "" or "2/4" */
    uint64_t facts_hash;
    bool is_empty;
};
MUST_USE enum res audit_state_take_head(struct db *d, const char *path,
                                        struct audit_state_head *out, struct arena *a,
                                        struct err *e);
uint64_t audit_state_hash_facts(const char *facts);
