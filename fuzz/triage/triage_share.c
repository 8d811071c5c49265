/* fuzz/triage/triage_share.c -- a campaign's buckets dealt to several machines, each with a journal of its own. */
#include "fuzz/triage/triage_share.h"

#include <string.h>

#include "fuzz/io/db.h"
#include "fuzz/io/shard.h"
#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_shards.h"

#define SHARE_ARENA_BYTES ((size_t)64 << 20)
static const char share_key[] = "triage_shard";

/* Copy one finding with its case, run, tape, bucket and what is known of it already. Several findings may share a
 * case, a tape or a bucket: OR IGNORE keeps the first copy of these. */
static enum res copy_finding(struct db *d, struct db *to, int64_t id, struct err *e)
{
    TRY(db_copy_rows(d, db_start(d, "SELECT * FROM findings WHERE id = ?", "i", id), to,
                     "INSERT INTO findings VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", e));
    TRY(db_copy_rows(
        d,
        db_start(d,
                 "SELECT k.* FROM kept k JOIN findings f ON f.target_id = k.target_id AND"
                 " f.case_index = k.case_index WHERE f.id = ?",
                 "i", id),
        to, "INSERT OR IGNORE INTO kept VALUES(?,?,?,?,?,?,?)", e));
    TRY(db_copy_rows(
        d,
        db_start(d,
                 "SELECT t.case_index, t.tape, t.profile FROM tapes t JOIN findings f ON"
                 " f.case_index = t.case_index WHERE f.id = ?",
                 "i", id),
        to, "INSERT OR IGNORE INTO tapes VALUES(?,?,?)", e));
    TRY(db_copy_rows(
        d,
        db_start(d,
                 "SELECT b.* FROM buckets b JOIN findings f ON f.target_id = b.target_id AND"
                 " f.class = b.class AND f.signature = b.signature WHERE f.id = ?",
                 "i", id),
        to, "INSERT OR IGNORE INTO buckets VALUES(?,?,?,?,?,?)", e));
    return db_copy_rows(d, db_start(d, "SELECT * FROM triage WHERE finding_id = ?", "i", id), to,
                        "INSERT INTO triage VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", e);
}

static enum res copy_notes(struct journal *j, struct journal *out, struct arena *a, struct err *e)
{
    static const char *const keys[] = {"started", "mpfr_version", "mutate_percent",
                                       "corpus_layout"};
    for (size_t i = 0; i < ARRAY_N(keys); i++) {
        const char *const value = journal_get_note(j, keys[i], a);
        TRY(value[0] ? journal_put_note(out, keys[i], value, e) : RES_OK);
    }
    return RES_OK;
}

static enum res put_notes(struct journal *j, struct journal *out, struct shard shard,
                          struct arena *a, struct err *e)
{
    char text[SHARD_TEXT_BYTES];
    uint32_t const n_merged = journal_count_shards(j);
    uint32_t const n_own = journal_get_shard(j).n ? journal_get_shard(j).n : 1;
    TRY(copy_notes(j, out, a, e));
    TRY(journal_put_shards(out, n_merged ? n_merged : n_own, e));
    return journal_put_note(out, share_key, shard_print(shard, text), e);
}

/* The findings of the buckets that are the shard's. */
static enum res copy_buckets(struct journal *j, struct journal *out, const struct campaign *c,
                             const struct campaign_finding *const *heads, uint32_t n_heads,
                             struct shard shard, struct err *e)
{
    for (uint32_t i = shard.index; i < n_heads; i += shard.n) {
        for (uint32_t k = 0; k < c->n_findings; k++) {
            const struct campaign_finding *const f = &c->findings[k];
            if (&c->findings[f->bucket] == heads[i]) {
                TRY(copy_finding(journal_get_db(j), journal_get_db(out), f->id, e));
            }
        }
    }
    return RES_OK;
}

static enum res fill(struct journal *j, struct journal *out, const struct campaign *c, bool redo,
                     struct shard shard, struct arena *a, uint32_t *n, struct err *e)
{
    uint32_t n_heads = 0, n_known = 0;
    const struct campaign_finding **const heads =
        triage_list_buckets(c, redo, a, &n_heads, &n_known);
    if (!heads) {
        return err_set(e, RES_NOMEM, "no memory for the buckets");
    }
    struct db *const d = journal_get_db(j), *const to = journal_get_db(out);
    *n = n_heads > shard.index ? (n_heads - shard.index - 1) / shard.n + 1 : 0;
    TRY(db_copy_rows(d, db_start(d, "SELECT * FROM targets", ""), to,
                     "INSERT INTO targets VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", e));
    TRY(copy_buckets(j, out, c, heads, n_heads, shard, e));
    return put_notes(j, out, shard, a, e);
}

enum res triage_share_make(struct journal *j, const struct campaign *c, bool redo,
                           struct shard shard, const char *folder, uint32_t *n, struct err *e)
{
    struct journal *out = NULL;
    struct campaign_plan plan = c->plan;
    struct arena a;
    plan.shard = (struct shard)SHARD_NONE;
    arena_init(&a, SHARE_ARENA_BYTES);
    enum res r = journal_open(&out, folder, &plan, e);
    r = r == RES_OK ? journal_begin(out, e) : r;
    r = r == RES_OK ? fill(j, out, c, redo, shard, &a, n, e) : r;
    r = r == RES_OK ? journal_flush(out, e) : r;
    journal_close(out);
    arena_free(&a);
    return r;
}

enum res triage_share_check(struct journal *share, struct journal *j, struct shard shard,
                            struct err *e)
{
    static const char *const keys[] = {"started", "seed", "profile"};
    struct arena a;
    char text[SHARD_TEXT_BYTES];
    enum res r = RES_OK;
    arena_init(&a, SHARE_ARENA_BYTES);
    const char *const there = journal_get_note(share, share_key, &a);
    for (size_t i = 0; i < ARRAY_N(keys) && r == RES_OK; i++) {
        if (strcmp(journal_get_note(share, keys[i], &a), journal_get_note(j, keys[i], &a)) != 0) {
            r = err_set(e, RES_USAGE, "%s: is of another campaign", journal_get_folder(share));
        }
    }
    if (r == RES_OK && strcmp(there, shard_print(shard, text)) != 0) {
        r = err_set(e, RES_USAGE, "%s: is of %s%.20s, not of shard %s", journal_get_folder(share),
                    there[0] ? "shard " : "no shard of bugs", there, text);
    }
    arena_free(&a);
    return r;
}
