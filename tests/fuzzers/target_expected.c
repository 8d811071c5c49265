/* tests/fuzzers/target_expected.c -- fuzz target: a list of findings that are expected, or suppressed. */
#include <string.h>

#include "fuzz/known/expected_failures.h"
#include "fuzz/known/version_range.h"
#include "tests/fuzzers/target_folder.h"

enum {
    TARGET_ARENA_BYTES = 64 << 20,
    TARGET_MAX_BYTES = 1 << 16
};
static const char today[] = "2026-06-30";

/* What a row describes is found as expected, by that row or another that fits; a row that has ended is not found, but
 * counts what it would have been found for. Of the names of its driver the first is asked. */
static void require_found(struct expected_failures *k, const struct expected_failure *row,
                          struct arena *a)
{
    static const char word[] = "known ";
    const char *const target =
        arena_printf(a, "%.*s", (int)strcspn(row->targets, ","), row->targets);
    const char *const facts =
        arena_printf(a, "driver=%s", row->versions + strspn(row->versions, "."));
    if (strncmp(row->signature, word, sizeof word - 1) == 0 ||
        !version_range_has(row->versions, facts) || !target[0]) {
        return;
    }
    const struct expected_failure *const found =
        expected_failures_find(k, target, facts, row->signature);
    target_require(found ? found->n_seen > 0 && !found->is_expired : row->is_expired);
    target_require(found != NULL || row->n_seen > 0);
}

/* Rows of a list of expected failures that were read must, written as a list again, be read as the same
 * rows. */
static void write_and_read(const struct expected_failures *k, struct arena *a)
{
    struct target_folder f;
    struct bytes text;
    struct expected_failures again;
    struct err e = {.text = ""};
    bytes_init(&text, a);
    for (uint32_t i = 0; i < k->n; i++) {
        const struct expected_failure *const r = &k->rows[i];
        const char *const line =
            arena_printf(a, "%s\t%s\t%s\t%s\t%s\t%s\n", r->targets, r->versions, r->signature,
                         r->clause, r->note, r->expires);
        bytes_put(&text, line, strlen(line));
        for (uint32_t m = 0; m < r->n_also; m++) {
            const char *const also = arena_printf(a, "\t%s\n", r->also[m]);
            bytes_put(&text, also, strlen(also));
        }
    }
    target_require(text.ok);
    target_folder_make(&f);
    target_folder_put(&f, "known.tsv", text.p ? (const void *)text.p : "", text.n);
    target_require(expected_failures_read(&again, arena_printf(a, "%s/known.tsv", f.path), today, a,
                                          &e) == RES_OK);
    target_require(again.n == k->n);
    for (uint32_t i = 0; i < k->n; i++) {
        target_require(strcmp(again.rows[i].signature, k->rows[i].signature) == 0);
        target_require(strcmp(again.rows[i].note, k->rows[i].note) == 0);
        target_require(again.rows[i].n_also == k->rows[i].n_also);
        target_require(again.rows[i].is_expired == k->rows[i].is_expired);
    }
    target_folder_remove(&f);
}

/* The bytes are a list of expected failures. Each row that was read must be found by its own signature and
 * survive being written; an error must name a line of the file. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    struct target_folder f;
    struct arena a;
    struct expected_failures k;
    struct err e = {.text = ""};
    if (n_bytes > TARGET_MAX_BYTES) {
        return 0;
    }
    arena_init(&a, TARGET_ARENA_BYTES);
    target_folder_make(&f);
    target_folder_put(&f, "known.tsv", data, n_bytes);
    const char *const path = arena_printf(&a, "%s/known.tsv", f.path);
    if (target_folder_is_ok(&f, expected_failures_read(&k, path, today, &a, &e), &e)) {
        target_require(k.n <= EXPECTED_MAX_ROWS);
        for (uint32_t i = 0; i < k.n; i++) {
            target_require(i == 0 || k.rows[i].line > k.rows[i - 1].line);
            require_found(&k, &k.rows[i], &a);
        }
        write_and_read(&k, &a);
    } else {
        const char *const place = strstr(e.text, "known.tsv:");
        target_require(place && strtol(place + strlen("known.tsv:"), NULL, 10) > 0);
    }
    target_folder_remove(&f);
    arena_free(&a);
    return 0;
}
