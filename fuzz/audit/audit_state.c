/* fuzz/audit/audit_state.c -- the tables of audit.state, and one row of an audit in them. */
#include "fuzz/audit/audit_state.h"

#include <inttypes.h>
#include <string.h>

#include "base/testcase.h"
#include "fuzz/audit/audit_plan.h"

static uint64_t hash_text(uint64_t hash, const char *text)
{
    return hash_bytes(hash, text, strlen(text) + 1);
}

uint64_t audit_state_hash_facts(const char *facts)
{
    return hash_text(0, facts);
}

static uint64_t hash_row(const struct audit_row *row, const char *name)
{
    double const seconds[] = {row->seconds, row->device_seconds, row->judge_seconds};
    uint64_t const counts[] = {row->n_done, row->n_skipped};
    uint64_t hash = hash_text(hash_text(0, name), row->problem);
    hash = hash_bytes(hash, counts, sizeof counts);
    hash = hash_bytes(hash, seconds, sizeof seconds);
    for (uint32_t i = 0; i < row->n_forms; i++) {
        hash = hash_bytes(hash, &row->form[i].is_refused, sizeof row->form[i].is_refused);
        hash = hash_text(hash, row->form[i].log);
        hash = hash_bytes(hash, &row->result[i], sizeof row->result[i]);
    }
    return hash;
}

/* ---- out ---- */

/* Bounds as the command line has them. */
static const char *print_bounds(const struct audit_request *r, struct arena *a)
{
    const char *text = "";
    for (uint32_t i = 0; i < r->n_bounds; i++) {
        text = arena_printf(a, "%s%s%.9g", text, i ? "," : "", (double)r->bounds[i]);
    }
    return text;
}

static enum res put_note(struct db *d, const char *key, const char *value, struct err *e)
{
    return db_do(d, e, "INSERT OR REPLACE INTO notes VALUES(?, ?)", "tt", key, value);
}

static enum res put_notes(struct db *d, const struct audit *x, const struct audit_request *r,
                          struct arena *a, struct err *e)
{
    TRY(put_note(d, "facts", x->facts, e));
    TRY(put_note(d, "started", x->started, e));
    TRY(put_note(d, "mpfr", x->mpfr, e));
    TRY(put_note(d, "env", env_names[x->env], e));
    TRY(put_note(d, "functions", r->functions, e));
    TRY(put_note(d, "types", arena_printf(a, "%u", r->types), e));
    TRY(put_note(d, "forms", arena_printf(a, "%u", r->forms), e));
    TRY(put_note(d, "bounds", print_bounds(r, a), e));
    TRY(put_note(d, "reach", arena_printf(a, "%d", (int)r->reach), e));
    TRY(put_note(d, "samples", arena_printf(a, "%" PRIu64, r->n_samples), e));
    TRY(put_note(d, "seed", arena_printf(a, "%" PRIu64, r->seed), e));
    return put_note(d, "worst", arena_printf(a, "%" PRIx64, x->listed), e);
}

enum res audit_state_put_head(struct db *d, const struct audit *x, const struct audit_request *r,
                              const char *shard, struct arena *a, struct err *e)
{
    TRY(db_exec(d, AUDIT_STATE_SCHEMA, e));
    TRY(db_do(d, e, "INSERT OR REPLACE INTO audit VALUES(1, ?, ?, ?, ?, ?)", "iitut",
              (int64_t)AUDIT_STATE_VERSION, (int64_t)sizeof(struct sweep_result), x->target,
              audit_state_hash_facts(x->facts), shard));
    return put_notes(d, x, r, a, e);
}

enum res audit_state_put_row(struct db *d, const struct audit_row *row, const char *name,
                             uint32_t part, struct arena *a, struct err *e)
{
    TRY(db_do(d, e, "INSERT OR REPLACE INTO rows VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
              "tituuudddtu", name, (int64_t)part, audit_name_subject(row, a), row->listed,
              row->n_done, row->n_skipped, row->seconds, row->device_seconds, row->judge_seconds,
              row->problem, hash_row(row, name)));
    for (uint32_t i = 0; i < row->n_forms; i++) {
        TRY(db_do(d, e, "INSERT OR REPLACE INTO forms VALUES(?, ?, ?, ?, ?, ?)", "tiiitb", name,
                  (int64_t)part, (int64_t)i, (int64_t)row->form[i].is_refused, row->form[i].log,
                  &row->result[i], sizeof row->result[i]));
    }
    return RES_OK;
}

/* ---- in ---- */

/* The forms of a row; where one is missing the hash of the row is another. */
static enum res take_forms(struct db *d, struct audit_row *row, const char *name, uint32_t part,
                           struct arena *a, struct err *e)
{
    struct stmt *const s = db_start(d,
                                    "SELECT refused, log, result FROM forms"
                                    " WHERE name = ? AND part = ? ORDER BY form",
                                    "ti", name, (int64_t)part);
    int got = stmt_step(s);
    for (uint32_t i = 0; got == 1 && i < row->n_forms; i++) {
        size_t n = 0;
        row->form[i].is_refused = (int)stmt_int(s, 0);
        row->form[i].log = stmt_text(s, 1, a);
        const void *const result = stmt_blob(s, 2, &n);
        if (n == sizeof row->result[i]) {
            memcpy(&row->result[i], result, n);
        }
        got = stmt_step(s);
    }
    stmt_reset(s);
    return got < 0 ? db_fail(d, e) : RES_OK;
}

/* The numbers below are those of the SELECT's columns. The hash and the number of inputs are checked at the end, as
 * the hash covers the forms too. */
enum res audit_state_take_row(struct db *d, struct audit_row *row, const char *name, uint32_t part,
                              bool *is_there, struct arena *a, struct err *e)
{
    struct stmt *const s =
        db_start(d,
                 "SELECT done, skipped, seconds, device_seconds, judge_seconds, problem, hash"
                 " FROM rows WHERE name = ? AND part = ?",
                 "ti", name, (int64_t)part);
    int const got = stmt_step(s); /* 1: a row, 0: none, -1: an error */
    *is_there = got == 1;
    if (got != 1) {
        return got < 0 ? db_fail(d, e) : RES_OK;
    }
    row->n_done = (uint64_t)stmt_int(s, 0);
    row->n_skipped = (uint64_t)stmt_int(s, 1);
    row->seconds = stmt_real(s, 2);
    row->device_seconds = stmt_real(s, 3);
    row->judge_seconds = stmt_real(s, 4);
    row->problem = stmt_text(s, 5, a);
    uint64_t const hash = (uint64_t)stmt_int(s, 6);
    stmt_reset(s);
    TRY(take_forms(d, row, name, part, a, e));
    if (hash != hash_row(row, name) || row->n_done > row->n_inputs) {
        return err_set(e, RES_FORMAT, "row \"%.100s\" is damaged", name);
    }
    return RES_OK;
}

enum res audit_state_take_head(struct db *d, const char *path, struct audit_state_head *out,
                               struct arena *a, struct err *e)
{
    int64_t n_tables = 0, version = 0, bytes = 0;
    TRY(db_ask(d, e, 0, &n_tables, "SELECT count(*) FROM sqlite_master", ""));
    out->is_empty = n_tables == 0;
    if (out->is_empty) {
        return RES_OK;
    }
    TRY(db_ask(d, e, 0, &version, "SELECT version FROM audit WHERE id = 1", ""));
    TRY(db_ask(d, e, 0, &bytes, "SELECT result_bytes FROM audit WHERE id = 1", ""));
    if (version == 0) {
        return err_set(e, RES_FORMAT, "%s: not an audit's state; choose another folder", path);
    }
    if (version != AUDIT_STATE_VERSION || bytes != (int64_t)sizeof(struct sweep_result)) {
        return err_set(e, RES_FORMAT, "%s: of another version; choose another folder", path);
    }
    struct stmt *const s =
        db_start(d, "SELECT target, facts_hash, shard FROM audit WHERE id = 1", "");
    int const got = stmt_step(s);
    if (got == 1) {
        out->target = stmt_text(s, 0, a);
        out->facts_hash = (uint64_t)stmt_int(s, 1);
        out->shard = stmt_text(s, 2, a);
    }
    return db_end_rows(d, s, got, e);
}
