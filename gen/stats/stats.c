/* gen/stats/stats.c -- shares of shapes, pairs, distinct modules, over random cases. */
#include "gen/stats/stats.h"

#include <assert.h>
#include <inttypes.h>

#include "base/ops.h"
#include "base/testcase.h"
#include "gen/ir/legal_group.h"
#include "gen/plan/math.h"
#include "gen/tape/profile.h"
#include "gen/tape/tape_needs.h"
#include "gen/tape/tape_random.h"

enum {
    STATS_ARENA_BYTES = 64 << 20
}; /* of one case */

enum res stats_init(struct stats *s, uint64_t n_most, struct arena *a, struct err *e)
{
    *s = (struct stats){.n_slots = 64};
    while (s->n_slots < 2 * n_most) {
        s->n_slots *= 2;
    }
    s->hashes = ARENA_NEW(a, uint64_t, s->n_slots);
    return s->hashes ? RES_OK
                     : err_set(e, RES_NOMEM, "statistics of %" PRIu64 " cases: arena full", n_most);
}

static bool is_new(struct stats *s, const struct testcase *tc)
{
    uint64_t const h = hash_bytes(1, tc->module, (size_t)tc->n_words * sizeof *tc->module) | 1;
    uint64_t at = h >> 1 & (s->n_slots - 1);
    while (s->hashes[at] != 0) {
        if (s->hashes[at] == h) {
            return false;
        }
        at = (at + 1) & (s->n_slots - 1);
    }
    s->hashes[at] = h;
    return true;
}

/* Bit i of `bits` adds one to with[i]. */
static void count_bits(uint64_t *with, int n, const uint64_t *bits)
{
    for (int i = 0; i < n; i++) {
        with[i] += bits[i / 64] >> i % 64 & 1;
    }
}

/* Counts one generated case in s: its size, its instructions and its shapes (rows of shape.def). A counter
 * of a shape is the number of cases that have it. The hash table that finds distinct cases must stay at
 * most half full. */
void stats_add(struct stats *s, const struct testcase *tc, const struct gen_info *info)
{
    enum { /* of a case that is counted as wide, at least */
        WIDE_GROUPS = 2,
        WIDE_ITEMS = 64
    };
    /* the last row is for all longer ones too */
    uint32_t const longest = ARRAY_N(s->by_length) - 1;
    assert(s->n_cases < s->n_slots / 2);
    s->n_cases++;
    s->n_by_env[tc->env]++;
    s->n_items += testcase_get_items(tc);
    s->n_distinct += is_new(s, tc);
    bool const is_wide =
        testcase_get_groups(tc) >= WIDE_GROUPS && testcase_get_items(tc) >= WIDE_ITEMS;
    s->n_wide += is_wide ? 1 : 0;
    s->by_length[info->n_instructions < longest ? info->n_instructions : longest]++;
    s->n_groups += info->n_groups;
    s->n_partial += info->n_partial;
    s->n_sums += info->n_sums;
    s->n_exact_sums += info->n_exact_sums;
    s->n_math += info->n_math;
    s->n_decorated += info->n_decorated;
    s->n_instructions += info->n_instructions;
    s->n_to_integer += info->n_to_integer;
    count_bits(s->with_row, OP_N, info->group_rows);
    count_bits(s->with_math_row, OP_N, info->math_rows);
    count_bits(s->with_bound, MATH_BOUND_N, &info->bounds);
    count_bits(s->with_shape, SHAPE_N, info->shapes.words);
    count_bits(s->with_group_shape, GROUP_SHAPE_N, &info->group_shapes);
    count_bits(s->with_math_shape, MATH_SHAPE_N, &info->math_shapes);
    count_bits(s->with_kind, ATOMIC_KIND_N, &info->op_kinds);
    for (int i = 0; i < SHAPE_N; i++) {
        if (shape_set_has(&info->shapes, (enum shape)i)) {
            count_bits(s->with_pair[i], ATOMIC_KIND_N, &info->op_kinds);
        }
    }
}

uint64_t stats_get_median_length(const struct stats *s)
{
    uint64_t below = 0;
    for (size_t i = 0; i < ARRAY_N(s->by_length); i++) {
        below += s->by_length[i];
        if (2 * below >= s->n_cases) {
            return i;
        }
    }
    return 0;
}

/* Cases of those environments. */
static uint64_t count_cases(const struct stats *s, unsigned envs)
{
    return (envs & OP_CL ? s->n_by_env[ENV_CL] : 0) + (envs & OP_VK ? s->n_by_env[ENV_VK] : 0);
}

static double percent_of(uint64_t n, uint64_t all)
{
    return all == 0 ? 0.0 : 100.0 * (double)n / (double)all;
}

static double mean_of(uint64_t sum, uint64_t n)
{
    return n == 0 ? 0.0 : (double)sum / (double)n;
}

double stats_get_percent(const struct stats *s, const struct shape_row *row, uint64_t n_with)
{
    return percent_of(n_with, count_cases(s, row->envs));
}

static bool is_group_row(const struct stats *s, int op)
{
    return legal_get_gate((enum op_id)op) != LEGAL_NO_GATE && count_cases(s, op_rows[op].envs) > 0;
}

static bool is_math_row(const struct stats *s, int row)
{
    return count_cases(s, op_rows[math_rows[row].op].envs) > 0;
}

uint64_t stats_count_missing_rows(const struct stats *s)
{
    uint64_t n = 0;
    for (int i = 0; i < OP_N; i++) {
        n += is_group_row(s, i) && s->with_row[i] == 0;
    }
    return n;
}

uint64_t stats_count_missing_math(const struct stats *s)
{
    uint64_t n = 0;
    for (int i = 0; i < MATH_N; i++) {
        n += is_math_row(s, i) && s->with_math_row[math_rows[i].op] == 0;
    }
    return n;
}

uint64_t stats_count_missing_bounds(const struct stats *s)
{
    uint64_t n = 0;
    for (int i = 0; i < MATH_BOUND_N; i++) {
        n += s->n_by_env[ENV_CL] > 0 && s->with_bound[i] == 0;
    }
    return n;
}

uint64_t stats_count_missing_pairs(const struct stats *s)
{
    uint64_t n = 0;
    for (int i = 0; i < SHAPE_N; i++) {
        for (int k = 0; k < ATOMIC_KIND_N; k++) {
            n += count_cases(s, shape_rows[i].envs) > 0 && s->with_pair[i][k] == 0;
        }
    }
    return n;
}

/* ---- tables ---- */

static uint64_t count_pairs(const struct stats *s, int shape)
{
    uint64_t n = 0;
    for (int k = 0; k < ATOMIC_KIND_N; k++) {
        n += s->with_pair[shape][k] != 0;
    }
    return n;
}

static void write_table(const struct stats *s, FILE *f)
{
    (void)fprintf(f, "%-18s %10s %8s %8s  %s\n", "shape", "cases", "share", "pairs", "");
    for (int i = 0; i < SHAPE_N; i++) {
        if (count_cases(s, shape_rows[i].envs) > 0) {
            (void)fprintf(f, "%-18s %10" PRIu64 " %7.2f%% %5" PRIu64 "/%d  %s\n", shape_rows[i].id,
                          s->with_shape[i], stats_get_percent(s, &shape_rows[i], s->with_shape[i]),
                          count_pairs(s, i), ATOMIC_KIND_N, shape_rows[i].text);
        }
    }
    (void)fprintf(f, "\n%-28s %10s %8s\n", "kind of atomic", "cases", "share");
    for (int k = 0; k < ATOMIC_KIND_N; k++) {
        (void)fprintf(f, "%-28s %10" PRIu64 " %7.2f%%\n", atomic_kind_names[k], s->with_kind[k],
                      percent_of(s->with_kind[k], s->n_cases));
    }
}

/* Shapes of group operations or of mathematics. */
static void write_shapes(const struct stats *s, const struct shape_row *rows, const uint64_t *with,
                         int n, FILE *f)
{
    (void)fprintf(f, "%-22s %10s %8s  %s\n", "shape", "cases", "share", "");
    for (int i = 0; i < n; i++) {
        if (count_cases(s, rows[i].envs) > 0) {
            (void)fprintf(f, "%-22s %10" PRIu64 " %7.2f%%  %s\n", rows[i].id, with[i],
                          stats_get_percent(s, &rows[i], with[i]), rows[i].text);
        }
    }
}

static void write_group_tables(const struct stats *s, FILE *f)
{
    write_shapes(s, group_shape_rows, s->with_group_shape, GROUP_SHAPE_N, f);
    (void)fprintf(f, "\n%-32s %10s %8s\n", "instruction", "cases", "share");
    for (int i = 0; i < OP_N; i++) {
        if (is_group_row(s, i)) {
            (void)fprintf(f, "%-32s %10" PRIu64 " %7.2f%%\n", op_rows[i].name, s->with_row[i],
                          percent_of(s->with_row[i], count_cases(s, op_rows[i].envs)));
        }
    }
}

/* Writes the tables of mathematics: shapes, instructions by set, and max-error bounds, each with the number
 * of cases that have it and their share. Bounds are a share of the cases of OpenCL, where alone they are
 * decorated. */
static void write_math_tables(const struct stats *s, FILE *f)
{
    static const char *const set_names[] = {"core", "amd_ballot", "opencl_std", "glsl450"};
    write_shapes(s, math_shape_rows, s->with_math_shape, MATH_SHAPE_N, f);
    (void)fprintf(f, "\n%-11s %-20s %10s %8s\n", "set", "instruction", "cases", "share");
    for (int i = 0; i < MATH_N; i++) {
        enum op_id const op = math_rows[i].op;
        if (is_math_row(s, i)) {
            (void)fprintf(f, "%-11s %-20s %10" PRIu64 " %7.2f%%\n",
                          set_names[op_rows[op].number >> 16], op_rows[op].name,
                          s->with_math_row[op],
                          percent_of(s->with_math_row[op], count_cases(s, op_rows[op].envs)));
        }
    }
    (void)fprintf(f, "\n%-12s %10s %8s\n", "max error", "cases", "share");
    for (int i = 0; i < MATH_BOUND_N && s->n_decorated > 0; i++) {
        (void)fprintf(f, "0x%08" PRIx32 "   %10" PRIu64 " %7.2f%%\n", math_bounds[i],
                      s->with_bound[i], percent_of(s->with_bound[i], s->n_by_env[ENV_CL]));
    }
}

/* ---- summaries: a line each ---- */

static void write_count(FILE *f, const char *name, uint64_t n)
{
    (void)fprintf(f, "%-29s %10" PRIu64 "\n", name, n);
}

static void write_percent(FILE *f, const char *name, double percent)
{
    (void)fprintf(f, "%-29s %10.2f%%\n", name, percent);
}

static void write_totals(const struct stats *s, FILE *f)
{
    (void)fprintf(f, "\n");
    write_count(f, "cases", s->n_cases);
    write_percent(f, "distinct modules", percent_of(s->n_distinct, s->n_cases));
    write_count(f, "median instructions", stats_get_median_length(s));
    write_percent(f, "at least 2 groups, 64 items", percent_of(s->n_wide, s->n_cases));
    (void)fprintf(f, "%-29s %10.1f\n", "mean items", mean_of(s->n_items, s->n_cases));
    (void)fprintf(f, "%-29s %10" PRIu64 ", %.3f of 1000 instructions\n", "floats to integers",
                  s->n_to_integer, mean_of(1000 * s->n_to_integer, s->n_instructions));
}

/* The shape with the smallest share of those that are possible. */
static void write_rarest(const struct stats *s, const struct shape_row *rows, const uint64_t *with,
                         int n, FILE *f)
{
    int rarest = -1;
    for (int i = 0; i < n; i++) {
        bool const is_possible = count_cases(s, rows[i].envs) > 0;
        if (is_possible && (rarest < 0 || stats_get_percent(s, &rows[i], with[i]) <
                                              stats_get_percent(s, &rows[rarest], with[rarest]))) {
            rarest = i;
        }
    }
    if (rarest >= 0) {
        (void)fprintf(f, "%-29s %10.2f%%  %s\n", "rarest shape",
                      stats_get_percent(s, &rows[rarest], with[rarest]), rows[rarest].id);
    }
}

static void write_summary(const struct stats *s, FILE *f)
{
    write_totals(s, f);
    write_rarest(s, shape_rows, s->with_shape, SHAPE_N, f);
    write_count(f, "pairs (shape, kind) missing", stats_count_missing_pairs(s));
}

static void write_group_summary(const struct stats *s, FILE *f)
{
    write_totals(s, f);
    (void)fprintf(f, "%-29s %10.1f\n", "group operations a case", mean_of(s->n_groups, s->n_cases));
    write_percent(f, "under a partial mask", percent_of(s->n_partial, s->n_groups));
    (void)fprintf(f, "%-29s %10.1f a case\n", "float sums and products",
                  mean_of(s->n_sums, s->n_cases));
    write_percent(f, "of these, of exact terms", percent_of(s->n_exact_sums, s->n_sums));
    write_rarest(s, group_shape_rows, s->with_group_shape, GROUP_SHAPE_N, f);
    write_count(f, "instructions missing", stats_count_missing_rows(s));
}

static void write_math_summary(const struct stats *s, FILE *f)
{
    (void)fprintf(f, "%-29s %10.1f\n", "mathematics a case", mean_of(s->n_math, s->n_cases));
    write_percent(f, "of these, with a max error", percent_of(s->n_decorated, s->n_math));
    write_count(f, "mathematics missing", stats_count_missing_math(s));
    if (s->n_decorated > 0) {
        write_count(f, "bounds missing", stats_count_missing_bounds(s));
    }
}

static void write_all(const struct stats *s, enum profile profile, FILE *f)
{
    if (profile == PROFILE_MAXERROR) {
        write_math_tables(s, f);
        write_totals(s, f);
    } else if (profile_has_groups(profile)) {
        write_group_tables(s, f);
        write_group_summary(s, f);
    } else {
        write_table(s, f);
        write_summary(s, f);
    }
    if (profile_has_math(profile)) {
        write_math_summary(s, f);
    }
}

/* One more random case. */
static enum res add_random(struct stats *s, const struct stats_of *of, enum env env,
                           struct rng *rng, struct arena *a, struct err *e)
{
    struct tape t;
    struct testcase tc;
    struct gen_info info;
    arena_reset(a);
    TRY(tape_random(&t, rng, a, e));
    TRY(of->allowed ? tape_set_allowed(&t, of->allowed, a, e) : RES_OK);
    enum res r = gen_case(of->profile, env, &t, a, &tc, &info, e);
    if (r == RES_OK) {
        stats_add(s, &tc, &info);
    }
    return r;
}

/* Generates cases of random tapes and writes statistics of them to f. */
enum res gen_write_stats(const struct stats_of *of, FILE *f, struct err *e)
{
    uint64_t const n = of->n;
    struct arena keep;
    struct arena a;
    struct rng rng = rng_seed(of->seed);
    arena_init(&keep, (size_t)STATS_ARENA_BYTES + 64 * (size_t)n + sizeof(struct stats));
    arena_init(&a, STATS_ARENA_BYTES);
    struct stats *const s = ARENA_NEW(&keep, struct stats, 1);
    enum res r = s ? stats_init(s, n, &keep, e) : err_set(e, RES_NOMEM, "statistics: arena full");
    for (uint64_t i = 0; i < n && r == RES_OK; i++) {
        bool const is_any = of->env_or_any == STATS_ANY_ENV;
        r = add_random(s, of, is_any ? (enum env)(i % ENV_N) : (enum env)of->env_or_any, &rng, &a,
                       e);
    }
    if (r == RES_OK) {
        write_all(s, of->profile, f);
    }
    arena_free(&a);
    arena_free(&keep);
    return r;
}
