/* tests/fuzzers/target_bucket.c -- fuzz target: crash frames and build logs as signatures, cores, buckets. */
#include <string.h>

#include "fuzz/journal/bucket.h"
#include "oracle/cause/crash_words.h"
#include "tests/fuzzers/target.h"

enum {
    TARGET_ARENA_BYTES = 64 << 20,
    TARGET_MAX_BYTES = 1 << 14,
    TARGET_MAX_LINES = 24
};

/* A driver that said `text` in a run that ended so. */
static const char *sign(enum run_status status, enum verdict_kind kind, const char *text,
                        struct arena *a)
{
    struct finding const f = {.kind = kind,
                              .clause = CLAUSE_MUST_RUN,
                              .op = -1,
                              .op2 = -1,
                              .operand_class = "",
                              .text = ""};
    struct observation const ob = {
        .status = status, .phase = PHASE_BUILD, .log = text, .signature = text, .facts = ""};
    return signature_of(&f, &ob, a).text;
}

/* The core of a signature, which is there as its family is. */
static const char *get_core(const char *signature, struct arena *a)
{
    struct signature const s = signature_parse(signature, a);
    target_require(s.core && s.family);
    target_require(s.core[0] != '\0' || strspn(signature, " ") == strlen(signature));
    return s.core;
}

/* The text with other numbers, where a number is a word of its own. */
static const char *change_numbers(const char *text, struct arena *a)
{
    char *const copy = arena_copy(a, text, strlen(text));
    target_require(copy != NULL);
    for (char *p = copy; *p;) {
        size_t const n = strcspn(p, " \n"), n_digits = strspn(p, "0123456789");
        for (size_t i = 0; n == n_digits && i < n; i++) {
            p[i] = p[i] == '9' ? '1' : (char)(p[i] + 1);
        }
        p += n + (p[n] != '\0');
    }
    return copy;
}

/* What a driver says with other numbers is the same bug. */
static void require_one_core(const char *text, struct arena *a)
{
    static const enum verdict_kind kinds[] = {VERDICT_REJECT, VERDICT_CRASH};
    static const enum run_status statuses[] = {RUN_REJECT, RUN_CRASH};
    const char *const other = change_numbers(text, a);
    for (size_t i = 0; i < ARRAY_N(kinds); i++) {
        if (kinds[i] == VERDICT_CRASH && strstr(text, CRASH_ASSERTION)) {
            continue; /* numbers there are the driver's own */
        }
        const char *const one = i == 0 ? text : arena_printf(a, "\"%s\" lib.so+f", text);
        const char *const two = i == 0 ? other : arena_printf(a, "\"%s\" lib.so+f", other);
        const char *const core = get_core(sign(statuses[i], kinds[i], one, a), a);
        target_require(strcmp(core, get_core(sign(statuses[i], kinds[i], two, a), a)) == 0);
    }
}

/* Buckets name themselves, hold one core or what a culprit explains, and do not depend on order. */
static void require_buckets(const char *const *lines, uint32_t n, struct arena *a)
{
    struct signature ahead[TARGET_MAX_LINES], reversed[TARGET_MAX_LINES];
    uint32_t of[TARGET_MAX_LINES], of_reversed[TARGET_MAX_LINES];
    struct err e = {.text = ""};
    for (uint32_t i = 0; i < n; i++) {
        ahead[i] = signature_parse(lines[i], a);
        reversed[n - 1 - i] = ahead[i];
    }
    target_require(bucket_group(ahead, n, a, of, &e) == RES_OK);
    target_require(bucket_group(reversed, n, a, of_reversed, &e) == RES_OK);
    for (uint32_t i = 0; i < n; i++) {
        target_require(of[i] < n && of[of[i]] == of[i]);
        target_require(strcmp(lines[of[i]], reversed[of_reversed[n - 1 - i]].text) == 0);
        target_require(strcmp(ahead[i].family, reversed[n - 1 - i].family) == 0);
    }
}

/* The bytes stand for what a driver may say, and each line of them for a signature. Any of these must have
 * one core and be put in one bucket. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    const char *lines[TARGET_MAX_LINES];
    uint32_t n = 0;
    struct arena a;
    if (n_bytes > TARGET_MAX_BYTES) {
        return 0;
    }
    arena_init(&a, TARGET_ARENA_BYTES);
    const char *const text = arena_copy(&a, data, n_bytes);
    target_require(text != NULL);
    require_one_core(text, &a);
    for (const char *p = text; *p && n < TARGET_MAX_LINES;) {
        size_t const length = strcspn(p, "\n");
        lines[n] = arena_printf(&a, "%.*s", (int)length, p);
        (void)get_core(lines[n++], &a);
        p += length + (p[length] == '\n');
    }
    require_buckets(lines, n, &a);
    arena_free(&a);
    return 0;
}
