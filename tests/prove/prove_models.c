/* tests/prove/prove_models.c -- how much each model of a list of known bugs lets pass, for those who review the list. */
#include <stdio.h>
#include <string.h>

#include "fuzz/known/expected_failures.h"
#include "fuzz/known/known_shape.h"
#include "fuzz/targets/targets_sim.h"
#include "oracle/judgement/judgement.h"

#define ARENA_BYTES ((size_t)64 << 20)

/* A row of the tables of bugs as it is written there. */
static const struct written {
    const char *id;
    bool is_open;
    const char *when, *gives, *text;
} written[] = {
#define BUG(id, ops, types, expect, clause, second, when, gives, text)                             \
    {#id, false, #when, #gives, text},
#define BUG_OPEN(id, ops, types, expect, clause, second, when, gives, text)                        \
    {#id, true, #when, #gives, text},
#define BUG_OTHERS(id, ops, types, expect, clause, second, when, gives, text)                      \
    {#id, false, #when, "another invocation's or " #gives, text},
#define BUG_NEAR(id, ops, types, expect, clause, second, when, gives, around, radius, text)        \
    {#id, false, #when, #radius " encodings around " #around, text},
#define BUG_AMONG(id, ops, types, expect, clause, second, when, gives, n, text)                    \
    {#id, false, #when, #n " values of " #gives, text},
#include "oracle/fault/bugs.def"
#define BUG_GROUP(id, ops, types, where, expect, clause, when, gives, text)                        \
    {#id, false, #where ", " #when, #gives, text},
#define BUG_GROUP_OPEN(id, ops, types, where, expect, clause, when, gives, text)                   \
    {#id, true, #where ", " #when, #gives, text},
#include "oracle/fault/bugs_group.def"
#define FLOW(id, where, does, expect, clause, text) {#id, true, #where, #does, text},
#include "oracle/fault/flow.def"
};

static const struct written *find_written(const char *id)
{
    for (size_t i = 0; i < ARRAY_N(written); i++) {
        if (strcmp(written[i].id, id) == 0) {
            return &written[i];
        }
    }
    return NULL;
}

/* The values that an expression can have: a draw chooses among as many as its bits tell apart. */
static int count_values(const char *gives)
{
    return strstr(gives, "pick >> 1") || strstr(gives, "pick %") ? 4
           : strstr(gives, "pick")                               ? 2
                                                                 : 1;
}

static void print_model(const char *targets, const struct known_bug *bug)
{
    const char *const id = fault_rows[bug->plan.id].id;
    const struct written *const w = find_written(id);
    const char *const op = bug->plan.op >= 0 ? op_rows[bug->plan.op].name : "";
    (void)printf("%s: %s%s%s: ", targets, id, op[0] ? " of " : "", op);
    if (!w) {
        (void)printf("1 value at a site that fits: %s\n", fault_rows[bug->plan.id].text);
    } else if (w->is_open) {
        (void)printf("open where %s: %s\n", w->when, w->text);
    } else {
        int const n = count_values(w->gives);
        (void)printf("%d value%s, %s, where %s: %s\n", n, n == 1 ? "" : "s", w->gives, w->when,
                     w->text);
    }
}

/* Does a signature that is no model fit whatever goes wrong in that way: of a value, an order, a mask or bytes without an
 * instruction, of a run that died without a word or a frame, and no condition says in which cases? */
static bool is_unbound(const char *signature, struct arena *a)
{
    if (strncmp(signature, "known ", 6) == 0 || known_shape_is(signature)) {
        return false;
    }
    struct signature const s = signature_parse(signature, a);
    if (!s.is_of_run) {
        return strcmp(s.op, "-") == 0;
    }
    const char *const last = strrchr(s.core, ' ');
    bool const is_refusal = strncmp(s.core, "reject ", 7) == 0;
    return !is_refusal && last &&
           (strcmp(last, " code") == 0 || strspn(last + 1, "-0123456789") == strlen(last + 1));
}

/* The list is read for each row alone, as its first target has it. */
static enum res print_list(const char *path, struct arena *a, uint32_t *n_wide, struct err *e)
{
    struct expected_failures k;
    uint32_t n_models = 0;
    TRY(expected_failures_read(&k, path, "0000-00-00", a, e));
    for (uint32_t i = 0; i < k.n; i++) {
        const struct expected_failure *const row = &k.rows[i];
        struct expected_failures one = {.path = path, .n = 1, .rows = &k.rows[i]};
        struct known_bugs bugs;
        TRY(expected_failures_list_bugs(
            &one, arena_printf(a, "%.*s", (int)strcspn(row->targets, ","), row->targets), NULL,
            &bugs, a, e));
        for (uint32_t m = 0; m < bugs.n; m++) {
            if (bugs.bug[m].shape) {
                (void)printf("%s: %s\n", row->targets, bugs.bug[m].name);
            } else {
                print_model(row->targets, &bugs.bug[m]);
            }
        }
        n_models += bugs.n;
        for (uint32_t m = 0; m <= row->n_also; m++) {
            const char *const s = m == 0 ? row->signature : row->also[m - 1];
            if (s[0] && s[strlen(s) - 1] == '*' && !known_shape_is(s)) {
                (void)printf("%s:%d: %s: a wildcard hides what is new\n", path, row->line, s);
                ++*n_wide;
            }
            if (is_unbound(s, a)) {
                (void)printf("%s:%d: %s: fits anything of its kind; say where\n", path, row->line,
                             s);
                ++*n_wide;
            }
        }
    }
    (void)printf("%u rows, %u models\n", k.n, n_models);
    return RES_OK;
}

int main(int argc, char **argv)
{
    struct arena a;
    struct err e;
    uint32_t n_wide = 0;
    arena_init(&a, ARENA_BYTES);
    if (argc != 2) {
        (void)fprintf(stderr, "usage: prove_models KNOWN.TSV\n");
        return 2;
    }
    enum res const r = print_list(argv[1], &a, &n_wide, &e);
    if (r != RES_OK) {
        (void)fprintf(stderr, "prove_models: %s\n", e.text);
    }
    arena_free(&a);
    return r == RES_OK && n_wide == 0 ? 0 : 1;
}
