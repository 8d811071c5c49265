/* fuzz/journal/journal_corpus.c -- kept tapes, their cells, and the origins of cases, in the journal. */
#include "fuzz/journal/journal_corpus.h"

#include <inttypes.h>
#include <string.h>

#include "fuzz/io/db.h"
#include "gen/tape/tape.h"

enum res journal_get_origin(struct journal *j, uint64_t case_index, struct origin *out,
                            struct err *e)
{
    struct db *d = journal_get_db(j);
    *out = (struct origin){.kind = ORIGIN_FRESH};
    struct stmt *s =
        db_start(d, "SELECT parent, other FROM origins WHERE case_index = ?", "u", case_index);
    int const step = stmt_step(s);
    if (step <= 0) {
        return step < 0 ? db_fail(d, e) : RES_OK;
    }
    out->parent = stmt_int(s, 0);
    out->other = stmt_int(s, 1);
    out->kind = out->other < 0 ? ORIGIN_IMPORTED : ORIGIN_MUTATED;
    out->other = out->other < 0 ? 0 : out->other;
    stmt_reset(s);
    return RES_OK;
}

enum res journal_put_origin(struct journal *j, const struct journal_entry *made,
                            const struct origin *o, struct err *e)
{
    struct db *d = journal_get_db(j);
    TRY(journal_begin(j, e));
    TRY(db_do(d, e, "INSERT INTO origins VALUES(?, ?, ?)", "uii", made->case_index, o->parent,
              o->kind == ORIGIN_IMPORTED ? -1 : o->other));
    return db_do(d, e, "INSERT OR REPLACE INTO tapes VALUES(?, ?, ?)", "ubt", made->case_index,
                 (const void *)made->tape, (size_t)made->n_records * TAPE_RECORD_BYTES,
                 made->profile);
}

/* The row of a statement (case_index, profile, tape), in the arena. */
static enum res take_entry(struct stmt *s, struct arena *a, struct journal_entry *out,
                           struct err *e)
{
    size_t n = 0;
    const void *p = stmt_blob(s, 2, &n);
    out->case_index = (uint64_t)stmt_int(s, 0);
    out->profile = stmt_text(s, 1, a);
    out->n_records = (uint32_t)(n / TAPE_RECORD_BYTES);
    out->tape = arena_copy(a, p ? p : "", n);
    stmt_reset(s);
    return out->tape ? RES_OK : err_set(e, RES_NOMEM, "no memory for a tape");
}

enum res journal_get_made(struct journal *j, uint64_t case_index, struct arena *a,
                          struct journal_entry *out, struct err *e)
{
    struct db *d = journal_get_db(j);
    struct stmt *s = db_start(d,
                              "SELECT case_index, profile, tape FROM tapes WHERE case_index = ?"
                              " AND profile IS NOT NULL",
                              "u", case_index);
    int const step = stmt_step(s);
    out->id = 0;
    return step > 0   ? take_entry(s, a, out, e)
           : step < 0 ? db_fail(d, e)
                      : err_set(e, RES_USAGE, "%s: case %" PRIu64 " is fresh, or not kept",
                                journal_get_folder(j), case_index);
}

enum res journal_first_free(struct journal *j, uint64_t *index, struct err *e)
{
    int64_t n = 0;
    enum res const r =
        db_ask(journal_get_db(j), e, 0, &n,
               "SELECT max(coalesce((SELECT max(low) FROM targets), 0),"
               " coalesce((SELECT max(case_index) + 1 FROM runs WHERE case_index < ?1), 0),"
               " coalesce((SELECT max(case_index) + 1 FROM origins), 0))",
               "u", JOURNAL_OWN_CASES);
    *index = (uint64_t)n;
    return r;
}

static uint64_t hash_entry(const struct journal_entry *x)
{
    return hash_bytes(0, x->tape, (size_t)x->n_records * TAPE_RECORD_BYTES);
}

enum res journal_put_entry(struct journal *j, const struct journal_entry *x, int64_t *id,
                           struct err *e)
{
    struct db *d = journal_get_db(j);
    TRY(journal_begin(j, e));
    TRY(db_do(d, e,
              "INSERT INTO corpus VALUES(NULL, ?, ?, ?, ?, ?, NULL)"
              " ON CONFLICT(case_index) DO UPDATE SET dead_at = NULL",
              "utiub", x->case_index, x->profile, (int64_t)x->n_records, hash_entry(x),
              (const void *)x->tape, (size_t)x->n_records * TAPE_RECORD_BYTES));
    return db_ask(d, e, 0, id, "SELECT id FROM corpus WHERE case_index = ?", "u", x->case_index);
}

enum res journal_end_entry(struct journal *j, int64_t id, uint64_t dead_at, struct err *e)
{
    TRY(journal_begin(j, e));
    return db_do(journal_get_db(j), e, "UPDATE corpus SET dead_at = ? WHERE id = ?", "ui", dead_at,
                 id);
}

enum res journal_get_entry(struct journal *j, int64_t id, struct arena *a,
                           struct journal_entry *out, struct err *e)
{
    struct db *d = journal_get_db(j);
    struct stmt *s =
        db_start(d, "SELECT case_index, profile, tape FROM corpus WHERE id = ?", "i", id);
    int const step = stmt_step(s);
    if (step <= 0) {
        return step < 0 ? db_fail(d, e)
                        : err_set(e, RES_USAGE, "%s: no tape %" PRId64 " in the corpus",
                                  journal_get_folder(j), id);
    }
    out->id = id;
    return take_entry(s, a, out, e);
}

int journal_has_entry(struct journal *j, const struct journal_entry *x)
{
    int64_t is_there = 0;
    struct err ignored;
    return db_ask(journal_get_db(j), &ignored, 0, &is_there, "SELECT 1 FROM corpus WHERE hash = ?",
                  "u", hash_entry(x)) == RES_OK &&
           is_there;
}

enum res journal_put_cell(struct journal *j, uint32_t cell, int64_t entry, struct err *e)
{
    TRY(journal_begin(j, e));
    return db_do(journal_get_db(j), e, "INSERT OR REPLACE INTO cells VALUES(?, ?)", "ii",
                 (int64_t)cell, entry);
}

/* Cells of another layout mean nothing here. */
static enum res check_layout(struct journal *j, const char *layout, struct arena *a, struct err *e)
{
    struct db *d = journal_get_db(j);
    const char *found = journal_get_note(j, "corpus_layout", a);
    if (strcmp(found, layout) == 0) {
        return RES_OK;
    }
    uint64_t n = 0;
    TRY(journal_first_free(j, &n, e));
    TRY(journal_begin(j, e));
    TRY(db_do(d, e, "DELETE FROM cells", ""));
    TRY(db_do(d, e, "UPDATE corpus SET dead_at = ? WHERE dead_at IS NULL", "u", n));
    return journal_put_note(j, "corpus_layout", layout, e);
}

/* Read the corpus: the tapes that are still kept (dead_at: the case index from which on no case is made of a
 * tape any more), without their bytes and in the order of their ids, and which of them is kept for each cell.
 * `layout` names what the numbers of cells mean; if it is another one than before, all tapes are dropped
 * first. */
enum res journal_load_corpus(struct journal *j, const char *layout, struct arena *a,
                             struct journal_corpus *out, struct err *e)
{
    struct db *d = journal_get_db(j);
    *out = (struct journal_corpus){.n_entries = 0};
    int64_t n = 0, n_cells = 0;
    TRY(check_layout(j, layout, a, e));
    TRY(db_ask(d, e, 0, &n, "SELECT count(*) FROM corpus WHERE dead_at IS NULL", ""));
    TRY(db_ask(d, e, 0, &n_cells, "SELECT count(*) FROM cells", ""));
    out->entries = ARENA_NEW(a, struct journal_entry, n + 1);
    out->cells = ARENA_NEW(a, struct journal_cell_row, n_cells + 1);
    if (!out->entries || !out->cells) {
        return err_set(e, RES_NOMEM, "no memory for the corpus");
    }
    struct stmt *s = db_start(d,
                              "SELECT id, case_index, profile, n_records FROM corpus"
                              " WHERE dead_at IS NULL ORDER BY id",
                              "");
    int step = 0;
    while ((step = stmt_step(s)) > 0 && out->n_entries < n) {
        out->entries[out->n_entries++] =
            (struct journal_entry){.id = stmt_int(s, 0),
                                   .case_index = (uint64_t)stmt_int(s, 1),
                                   .profile = stmt_text(s, 2, a),
                                   .n_records = (uint32_t)stmt_int(s, 3)};
    }
    TRY(db_end_rows(d, s, step, e));
    s = db_start(d, "SELECT cell, entry FROM cells ORDER BY cell", "");
    while ((step = stmt_step(s)) > 0 && out->n_cells < n_cells) {
        out->cells[out->n_cells++] =
            (struct journal_cell_row){(uint32_t)stmt_int(s, 0), stmt_int(s, 1)};
    }
    return db_end_rows(d, s, step, e);
}
