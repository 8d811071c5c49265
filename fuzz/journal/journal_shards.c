/* fuzz/journal/journal_shards.c -- of which parts a merged journal is made, and which are missing. */
#include "fuzz/journal/journal_shards.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz/io/db.h"
#include "fuzz/io/shard.h"

enum {
    MAX_NAMED = 12 /* missing ones */
};
static const char key[] = "shards";

uint32_t journal_count_shards(struct journal *j)
{
    struct arena a;
    arena_init(&a, 1 << 12);
    unsigned long const n = strtoul(journal_get_note(j, key, &a), NULL, 10);
    arena_free(&a);
    return n <= SHARD_MAX ? (uint32_t)n : 0;
}

enum res journal_put_shards(struct journal *j, uint32_t n, struct err *e)
{
    char text[16];
    (void)snprintf(text, sizeof text, "%" PRIu32, n);
    return journal_put_note(j, key, text, e);
}

uint32_t journal_shard_of(uint32_t n, uint64_t case_index)
{
    return shard_of(n, case_index < JOURNAL_OWN_CASES
                           ? case_index
                           : (case_index - JOURNAL_OWN_CASES) % JOURNAL_SHARD_RANGE);
}

/* One more that is missing; those beyond MAX_NAMED are only counted. */
static const char *add(const char *text, uint32_t number, uint32_t *n, struct arena *a)
{
    return (*n)++ < MAX_NAMED ? arena_printf(a, "%s%s%" PRIu32, text, *n > 1 ? ", " : "", number)
                              : text;
}

/* Shards are numbered from 1 and come in rising order. A number between two of them, or behind the last, is
 * missing. */
enum res journal_find_missing(struct journal *j, struct arena *a, const char **out, struct err *e)
{
    struct db *const d = journal_get_db(j);
    uint32_t const n_shards = journal_count_shards(j);
    uint32_t next = 1, n = 0; /* the shard that should come next; how many are missing */
    const char *text = "";
    int step = 0;
    *out = "";
    if (n_shards == 0) {
        return RES_OK;
    }
    struct stmt *const s = db_start(d, "SELECT shard FROM parts ORDER BY shard", "");
    while ((step = stmt_step(s)) > 0) {
        uint32_t const present = (uint32_t)stmt_int(s, 0);
        for (; next < present && next <= n_shards; next++) {
            text = add(text, next, &n, a);
        }
        next = present + 1;
    }
    TRY(db_end_rows(d, s, step, e));
    for (; next <= n_shards; next++) {
        text = add(text, next, &n, a);
    }
    if (n > MAX_NAMED) {
        text = arena_printf(a, "%s and %" PRIu32 " more", text, n - MAX_NAMED);
    }
    if (n > 0) {
        *out = arena_printf(a, "Shard%s %s of %" PRIu32 " %s missing.", n == 1 ? "" : "s", text,
                            n_shards, n == 1 ? "is" : "are");
    }
    return RES_OK;
}
