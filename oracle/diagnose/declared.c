/* oracle/diagnose/declared.c -- which declaration of a module the driver has not seen. */
#include "oracle/diagnose/declared.h"

#include <inttypes.h>
#include <stdbool.h>

#include "base/spv.h"
#include "base/testcase.h"
#include "oracle/judge/judge.h"
#include "oracle/tables/tables.h"

#define ARENA_BYTES ((size_t)512 << 20)
enum {
    VALUE = 2, /* words */
    WIDTH = 3
};

static const struct declared {
    uint32_t op, value;
    bool has_width;
    const char *name;
} rows[] = {
#define DECLARED(op, value, has_width, name) {op, value, has_width, name},
#include "oracle/diagnose/declared.def"
};
static const uint32_t widths[] = {16, 32, 64};

static bool is_it(const struct spv_inst *in, const struct declared *row, uint32_t width)
{
    return in->op == row->op && spv_get_word(in, VALUE) == row->value &&
           (!row->has_width || spv_get_word(in, WIDTH) == width);
}

/* The module without these declarations; false: it has none. */
static bool leave_out(const struct testcase *tc, const struct declared *row, uint32_t width,
                      struct testcase *out, struct arena *a)
{
    struct bytes words;
    struct spv_inst in;
    uint32_t at = SPV_HEADER_WORDS;
    bytes_init(&words, a);
    bytes_put(&words, tc->module, sizeof *tc->module * SPV_HEADER_WORDS);
    while (spv_next(tc->module, tc->n_words, &at, &in)) {
        if (!is_it(&in, row, width)) {
            bytes_put(&words, in.w, sizeof *in.w * in.n);
        }
    }
    *out = *tc;
    out->n_words = (uint32_t)(words.n / sizeof *tc->module);
    out->module = arena_copy(a, words.p, words.n);
    return words.ok && out->module && out->n_words < tc->n_words;
}

static bool is_violation(const struct judgement *g)
{
    return verdict_rows[g->kind].part == PART_VIOLATION;
}

/* Is all right without them, and as much of it judged as with them? A value that is unusual there in place of wrong, as
 * what contraction can give is not decided, is still found. */
static bool explains(const struct testcase *tc, const struct observation *ob,
                     const struct judgement *g, const struct declared *row, uint32_t width)
{
    struct arena own;
    struct testcase without;
    struct err ignored;
    arena_init(&own, ARENA_BYTES);
    struct judgement *const x = ARENA_NEW(&own, struct judgement, 1);
    bool const is_right = x && leave_out(tc, row, width, &without, &own) &&
                          judge_run(&without, ob, &own, x, &ignored) == RES_OK &&
                          !is_violation(x) && x->n_found < g->n_found &&
                          x->n_judged == g->n_judged && x->n_anything <= g->n_anything &&
                          x->n_inconclusive <= g->n_inconclusive;
    arena_free(&own);
    return is_right;
}

const char *declared_find_ignored(const struct testcase *tc, const struct observation *ob,
                                  const struct judgement *g, struct arena *a)
{
    bool const is_of_values = ob->status == RUN_DONE && is_violation(g);
    for (size_t i = 0; is_of_values && i < ARRAY_N(rows); i++) {
        for (size_t k = 0; k < (rows[i].has_width ? ARRAY_N(widths) : 1); k++) {
            if (explains(tc, ob, g, &rows[i], widths[k])) {
                return rows[i].has_width ? arena_printf(a, "%s %" PRIu32, rows[i].name, widths[k])
                                         : rows[i].name;
            }
        }
    }
    return "";
}
