/* tests/fuzzers/target_judge.c -- fuzz target: judging a case and an observation from elsewhere. */
#include <stdio.h>
#include <string.h>

#include "fuzz/io/show.h"
#include "tests/fuzzers/target.h"

enum {
    TARGET_ARENA_BYTES = 256 << 20,
    TARGET_MAX_ITEMS = 64, /* the interpreter's time is bounded per invocation */
    TARGET_MAX_BYTES = 1 << 16
};

/* A judgement as it is shown to people and as JSON, one after the other; to be freed. Nothing in the former
 * may steer a terminal. */
static char *show(const struct testcase *tc, const struct observation *ob,
                  const struct judgement *g, struct arena *a)
{
    char *text = NULL;
    size_t n = 0;
    struct err e = {.text = ""};
    FILE *const f = open_memstream(&text, &n);
    target_require(f != NULL);
    show_judgement(tc, ob, g, a, f);
    target_require(fflush(f) == 0);
    for (const char *p = text; *p; p++) {
        unsigned char const c = (unsigned char)*p;
        target_require((c >= 0x20 || c == '\n') && c != 0x7f);
    }
    struct json *const o = show_judgement_json(tc, ob, g, a);
    target_require(json_print(o, JSON_LINE, f, &e) == RES_OK);
    json_free(o);
    target_require(fclose(f) == 0);
    return text;
}

static void require_finding(const struct finding *f, const struct testcase *tc,
                            const struct observation *ob, struct arena *a)
{
    target_require((unsigned)f->kind < VERDICT_N && (unsigned)f->clause < CLAUSE_N);
    target_require((unsigned)f->type < VT_N && (unsigned)f->storage < STORAGE_N);
    target_require(f->op < OP_N && f->op2 < OP_N && f->n_operands <= ARRAY_N(f->operand));
    target_require(f->offset < tc->n_words && f->offset2 < tc->n_words);
    target_require(f->text && f->text[0] && f->permitted && f->operand_class);
    target_require(signature_of(f, ob, a).text[0] != '\0');
}

static void require_judgement(const struct judgement *g, const struct testcase *tc,
                              const struct observation *ob, struct arena *a)
{
    target_require((unsigned)g->kind < VERDICT_N && g->note != NULL);
    target_require(g->n_findings <= JUDGE_MAX_FINDINGS && g->n_findings <= g->n_found);
    target_require(g->n_coverage <= JUDGE_MAX_COVERAGE);
    target_require(g->n_sharp + g->n_anything <= g->n_judged);
    target_require(verdict_rows[g->kind].part != PART_VIOLATION || g->n_found > 0);
    for (uint32_t i = 0; i < g->n_findings; i++) {
        require_finding(&g->findings[i], tc, ob, a);
    }
}

/* The same answer twice, and one that keeps its promises. */
static void judge_twice(const struct testcase *tc, const struct observation *ob, struct arena *a)
{
    struct judgement g[2];
    struct err e = {.text = ""};
    struct arena again; /* a judgement may fill an arena nearly, so each has its own */
    if (!target_is_ok(judge_run(tc, ob, a, &g[0], &e), &e)) {
        return;
    }
    require_judgement(&g[0], tc, ob, a);
    arena_init(&again, TARGET_ARENA_BYTES);
    target_require(judge_run(tc, ob, &again, &g[1], &e) == RES_OK);
    char *const once = show(tc, ob, &g[0], a);
    char *const twice = show(tc, ob, &g[1], &again);
    target_require(strcmp(once, twice) == 0);
    free(once);
    free(twice);
    arena_free(&again);
}

/* The bytes are a u32 length, a case of that many bytes, and an observation of it. Judged twice, they must
 * give the same. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    struct arena a;
    struct testcase tc;
    struct observation ob;
    struct err e = {.text = ""};
    size_t const n_case = n_bytes < 4 ? n_bytes : (size_t)load_le(data, 4);
    if (n_bytes < 4 || n_bytes > TARGET_MAX_BYTES || n_case > n_bytes - 4) {
        return 0;
    }
    arena_init(&a, TARGET_ARENA_BYTES);
    if (target_is_ok(testcase_decode(&tc, &a, data + 4, n_case, &e), &e) &&
        testcase_get_items(&tc) <= TARGET_MAX_ITEMS &&
        target_is_ok(observation_decode(&ob, &tc, &a, data + 4 + n_case, n_bytes - 4 - n_case, &e),
                     &e)) {
        judge_twice(&tc, &ob, &a);
    }
    arena_free(&a);
    return 0;
}
