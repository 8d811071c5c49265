/* fuzz/journal/journal_remark.c -- what a journal keeps of runs besides their verdicts. */
#include "fuzz/journal/journal_remark.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "base/testcase.h"
#include "fuzz/io/db.h"
#include "oracle/judgement/judgement.h"

static const char unconfined_name[] = "run: few values confined";
static const char slow_count_name[] = "run: slow builds";
static const char slow_name[] = "run: slow build";
static const char reason_name[] = "run: no values";

/* Usual are 3 to 50 ms in Mesa's back ends and half a second in IGC, for a kernel of some thousand words. */
#define BUILD_BASE_NS     UINT64_C(2000000000)
#define BUILD_NS_PER_WORD UINT64_C(2000000)

bool remark_is_slow_build(const struct testcase *tc, const struct observation *ob)
{
    bool const is_compiled = ob->status == RUN_BUILT || ob->n_programs > 0;
    return is_compiled && tc->class != CLASS_ILLEGAL &&
           ob->build_ns > BUILD_BASE_NS + BUILD_NS_PER_WORD * tc->n_words;
}

bool remark_is_unconfined(const struct testcase *tc, const struct judgement *g)
{
    return tc->class == CLASS_LEGAL && judgement_get_confinement(g) != CONFINED_MOST;
}

static enum res add_row(struct db *d, int64_t target_id, const char *name, const char *outcome,
                        uint64_t n, struct err *e)
{
    return db_do(d, e,
                 "INSERT INTO features VALUES(?1, ?2, ?3, ?4)"
                 " ON CONFLICT DO UPDATE SET n = n + ?4",
                 "ittu", target_id, name, outcome, n);
}

enum res journal_put_unconfined(struct db *d, int64_t target_id, uint64_t n, struct err *e)
{
    return n > 0 ? add_row(d, target_id, unconfined_name, "", n, e) : RES_OK;
}

/* Of more than are kept the fastest goes: numbers have leading zeros, so that the order of texts is that of the times. */
static enum res put_slow(struct db *d, struct run_key key, const struct run_record *r,
                         struct arena *a, struct err *e)
{
    const char *const text =
        arena_printf(a, "%020" PRIu64 " ns, %010" PRIu32 " words, case %020" PRIu64,
                     r->ob->build_ns, r->tc->n_words, key.case_index);
    TRY(add_row(d, key.target_id, slow_count_name, "", 1, e));
    TRY(add_row(d, key.target_id, slow_name, text, 1, e));
    return db_do(d, e,
                 "DELETE FROM features WHERE target_id = ?1 AND feature = ?2 AND outcome NOT IN"
                 " (SELECT outcome FROM features WHERE target_id = ?1 AND feature = ?2"
                 " ORDER BY outcome DESC LIMIT ?3)",
                 "iti", key.target_id, slow_name, (int64_t)REMARK_MAX_KEPT);
}

/* The first line of a log, with # for each number, which begins a word: what says the same of two cases is one reason. */
static const char *take_reason(const char *log, struct arena *a)
{
    char text[REMARK_REASON_CHARS];
    size_t n = 0;
    bool is_in_word = false, is_in_number = false;
    for (const char *p = log; *p && *p != '\n' && n + 1 < sizeof text; p++) {
        bool const is_word = isalnum((unsigned char)*p) || *p == '_';
        bool const is_number = isdigit((unsigned char)*p) && !is_in_word;
        if (is_number) {
            text[n++] = '#';
        } else if (!is_word || !is_in_number) {
            text[n++] = *p;
        }
        is_in_number = is_number || (is_in_number && is_word);
        is_in_word = is_word;
    }
    text[n] = '\0';
    return printable_copy_line(a, text);
}

enum res journal_put_remarks(struct db *d, struct run_key key, const struct run_record *r,
                             struct arena *a, struct err *e)
{
    TRY(journal_put_unconfined(d, key.target_id, remark_is_unconfined(r->tc, r->judgement), e));
    if (r->ob->status == RUN_SKIPPED && r->ob->log[0]) {
        TRY(add_row(d, key.target_id, reason_name, take_reason(r->ob->log, a), 1, e));
    }
    return remark_is_slow_build(r->tc, r->ob) ? put_slow(d, key, r, a, e) : RES_OK;
}

/* The number after `name` in the text; 0: there is none. */
static uint64_t take_number(const char *text, const char *name)
{
    const char *const at = strstr(text, name);
    return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

static enum res load_count(struct db *d, const char *name, struct campaign_target *t, uint64_t *out,
                           struct err *e)
{
    int64_t n = 0;
    enum res const r =
        db_ask(d, e, 0, &n, "SELECT n FROM features WHERE target_id = ? AND feature = ?", "it",
               t->id, name);
    *out = (uint64_t)n;
    return r;
}

static enum res load_reasons(struct db *d, struct arena *a, struct campaign *out, struct err *e)
{
    out->unexecuted = ARENA_NEW(a, struct campaign_unexecuted, REMARK_MAX_REASONS);
    if (!out->unexecuted) {
        return err_set(e, RES_NOMEM, "no memory for the reasons of runs without values");
    }
    struct stmt *const s = db_start(d,
                                    "SELECT target_id, outcome, n FROM features WHERE feature = ?"
                                    " ORDER BY target_id, n DESC, outcome LIMIT ?",
                                    "ti", reason_name, (int64_t)REMARK_MAX_REASONS);
    int step = 0;
    while ((step = stmt_step(s)) > 0 && out->n_unexecuted < REMARK_MAX_REASONS) {
        out->unexecuted[out->n_unexecuted++] =
            (struct campaign_unexecuted){.target_id = stmt_int(s, 0),
                                         .reason = stmt_text(s, 1, a),
                                         .n = (uint64_t)stmt_int(s, 2)};
    }
    return db_end_rows(d, s, step, e);
}

/* put_slow pads the times of slow builds with zeros, so that texts sort as times do. */
static enum res load_slow(struct db *d, struct arena *a, struct campaign *out, struct err *e)
{
    out->slow = ARENA_NEW(a, struct campaign_slow_build, REMARK_MAX_SHOWN);
    if (!out->slow) {
        return err_set(e, RES_NOMEM, "no memory for the slow builds");
    }
    struct stmt *const s = db_start(d,
                                    "SELECT target_id, outcome FROM features WHERE feature = ?"
                                    " ORDER BY outcome DESC, target_id LIMIT ?",
                                    "ti", slow_name, (int64_t)REMARK_MAX_SHOWN);
    int step = 0;
    while ((step = stmt_step(s)) > 0 && out->n_slow < REMARK_MAX_SHOWN) {
        const char *const text = stmt_text(s, 1, a);
        out->slow[out->n_slow++] =
            (struct campaign_slow_build){.target_id = stmt_int(s, 0),
                                         .build_ns = take_number(text, ""),
                                         .n_words = take_number(text, "ns, "),
                                         .case_index = take_number(text, "case ")};
    }
    return db_end_rows(d, s, step, e);
}

/* Remarks stand in the table of features, under names that are no features. */
enum res journal_load_remarks(struct db *d, struct arena *a, struct campaign *out, struct err *e)
{
    for (uint32_t i = 0; i < out->n_targets; i++) {
        struct campaign_target *const t = &out->targets[i];
        TRY(load_count(d, unconfined_name, t, &t->n_unconfined, e));
        TRY(load_count(d, slow_count_name, t, &t->n_slow, e));
    }
    TRY(load_reasons(d, a, out, e));
    return load_slow(d, a, out, e);
}
