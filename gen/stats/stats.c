/* gen/stats/stats.c -- shares of shapes, pairs, distinct modules, over random cases. */
#include "gen/stats/stats.h"

#include <assert.h>
#include <inttypes.h>

#include "base/ops.h"
#include "base/testcase.h"
#include "gen/ir/legal_group.h"
#include "gen/plan/math_plan.h"
#include "gen/tape/profile.h"
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

void stats_add(struct stats *s, const struct testcase *tc, const struct gen_info *info)
{
    uint32_t const most = ARRAY_N(s->by_length) - 1;
    assert(s->n_cases < s->n_slots / 2);
    s->n_cases++;
    s->n_by_env[tc->env]++;
    s->n_items += testcase_get_items(tc);
    s->n_distinct += (uint64_t)is_new(s, tc);
    s->n_wide += testcase_get_groups(tc) >= 2 && testcase_get_items(tc) >= 64;
    s->by_length[info->n_instructions < most ? info->n_instructions : most]++;
    s->n_groups += info->n_groups;
    s->n_partial += info->n_partial;
    s->n_sums += info->n_sums;
    s->n_exact_sums += info->n_exact_sums;
    for (int i = 0; i < OP_N; i++) {
        s->with_row[i] += info->group_rows[i / 64] >> i % 64 & 1;
        s->with_math_row[i] += info->math_rows[i / 64] >> i % 64 & 1;
    }
    for (int i = 0; i < MATH_SHAPE_N; i++) {
        s->with_math_shape[i] += info->math_shapes >> i & 1;
    }
    for (int i = 0; i < MATH_BOUND_N; i++) {
        s->with_bound[i] += info->bounds >> i & 1;
    }
    s->n_math += info->n_math;
    s->n_decorated += info->n_decorated;
    s->n_instructions += info->n_instructions;
    s->n_to_integer += info->n_to_integer;
    for (int i = 0; i < GROUP_SHAPE_N; i++) {
        s->with_group_shape[i] += info->group_shapes >> i & 1;
    }
    for (int k = 0; k < ATOMIC_KIND_N; k++) {
        s->with_kind[k] += info->op_kinds >> k & 1;
    }
    for (int i = 0; i < SHAPE_N; i++) {
        if (!(info->shapes >> i & 1)) {
            continue;
        }
        s->with_shape[i]++;
        for (int k = 0; k < ATOMIC_KIND_N; k++) {
            s->with_pair[i][k] += info->op_kinds >> k & 1;
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

/* Cases in which the row is possible. */
static uint64_t count_possible(const struct stats *s, enum shape i)
{
    return count_cases(s, shape_rows[i].envs);
}

static double percent_of(uint64_t n, uint64_t all)
{
    return all == 0 ? 0.0 : 100.0 * (double)n / (double)all;
}

double stats_get_shape_percent(const struct stats *s, enum shape i)
{
    return percent_of(s->with_shape[i], count_possible(s, i));
}

double stats_get_group_shape_percent(const struct stats *s, enum group_shape i)
{
    return percent_of(s->with_group_shape[i], count_cases(s, group_shape_rows[i].envs));
}

double stats_get_math_shape_percent(const struct stats *s, enum math_shape i)
{
    return percent_of(s->with_math_shape[i], count_cases(s, math_shape_rows[i].envs));
}

double stats_get_partial_percent(const struct stats *s)
{
    return percent_of(s->n_partial, s->n_groups);
}

double stats_get_exact_percent(const struct stats *s)
{
    return percent_of(s->n_exact_sums, s->n_sums);
}

static bool is_group_row(const struct stats *s, int op)
{
    return legal_get_gate((enum op_id)op) != LEGAL_NO_GATE && count_cases(s, op_rows[op].envs) > 0;
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
        enum op_id const op = math_rows[i].op;
        n += count_cases(s, op_rows[op].envs) > 0 && s->with_math_row[op] == 0;
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
            n += count_possible(s, (enum shape)i) > 0 && s->with_pair[i][k] == 0;
        }
    }
    return n;
}

static void write_table(const struct stats *s, FILE *f)
{
    (void)fprintf(f, "%-18s %10s %8s %8s  %s\n", "shape", "cases", "share", "pairs", "");
    for (int i = 0; i < SHAPE_N; i++) {
        if (count_possible(s, (enum shape)i) == 0) {
            continue;
        }
        uint64_t n_pairs = 0;
        for (int k = 0; k < ATOMIC_KIND_N; k++) {
            n_pairs += s->with_pair[i][k] != 0;
        }
        (void)fprintf(f, "%-18s %10" PRIu64 " %7.2f%% %5" PRIu64 "/%d  %s\n", shape_rows[i].id,
                      s->with_shape[i], stats_get_shape_percent(s, (enum shape)i), n_pairs,
                      ATOMIC_KIND_N, shape_rows[i].text);
    }
    (void)fprintf(f, "\n%-28s %10s %8s\n", "kind of atomic", "cases", "share");
    for (int k = 0; k < ATOMIC_KIND_N; k++) {
        (void)fprintf(f, "%-28s %10" PRIu64 " %7.2f%%\n", atomic_kind_names[k], s->with_kind[k],
                      percent_of(s->with_kind[k], s->n_cases));
    }
}

static void write_group_tables(const struct stats *s, FILE *f)
{
    (void)fprintf(f, "%-22s %10s %8s  %s\n", "shape", "cases", "share", "");
    for (int i = 0; i < GROUP_SHAPE_N; i++) {
        if (count_cases(s, group_shape_rows[i].envs) > 0) {
            (void)fprintf(f, "%-22s %10" PRIu64 " %7.2f%%  %s\n", group_shape_rows[i].id,
                          s->with_group_shape[i],
                          stats_get_group_shape_percent(s, (enum group_shape)i),
                          group_shape_rows[i].text);
        }
    }
    (void)fprintf(f, "\n%-32s %10s %8s\n", "instruction", "cases", "share");
    for (int i = 0; i < OP_N; i++) {
        if (is_group_row(s, i)) {
            (void)fprintf(f, "%-32s %10" PRIu64 " %7.2f%%\n", op_rows[i].name, s->with_row[i],
                          percent_of(s->with_row[i], count_cases(s, op_rows[i].envs)));
        }
    }
}

static const char *const set_names[] = {"core", "amd_ballot", "opencl_std", "glsl450"};

static void write_math_tables(const struct stats *s, FILE *f)
{
    (void)fprintf(f, "%-22s %10s %8s  %s\n", "shape", "cases", "share", "");
    for (int i = 0; i < MATH_SHAPE_N; i++) {
        if (count_cases(s, math_shape_rows[i].envs) > 0) {
            (void)fprintf(f, "%-22s %10" PRIu64 " %7.2f%%  %s\n", math_shape_rows[i].id,
                          s->with_math_shape[i],
                          stats_get_math_shape_percent(s, (enum math_shape)i),
                          math_shape_rows[i].text);
        }
    }
    (void)fprintf(f, "\n%-11s %-20s %10s %8s\n", "set", "instruction", "cases", "share");
    for (int i = 0; i < MATH_N; i++) {
        enum op_id const op = math_rows[i].op;
        uint64_t const n = count_cases(s, op_rows[op].envs);
        if (n > 0) {
            (void)fprintf(f, "%-11s %-20s %10" PRIu64 " %7.2f%%\n",
                          set_names[op_rows[op].number >> 16], op_rows[op].name,
                          s->with_math_row[op], percent_of(s->with_math_row[op], n));
        }
    }
    (void)fprintf(f, "\n%-12s %10s %8s\n", "max error", "cases", "share");
    for (int i = 0; i < MATH_BOUND_N && s->n_decorated > 0; i++) {
        (void)fprintf(f, "0x%08" PRIx32 "   %10" PRIu64 " %7.2f%%\n", math_bounds[i],
                      s->with_bound[i], percent_of(s->with_bound[i], s->n_by_env[ENV_CL]));
    }
}

static void write_math_lines(const struct stats *s, FILE *f)
{
    (void)fprintf(f, "mathematics a case            %10.1f\n",
                  s->n_cases == 0 ? 0.0 : (double)s->n_math / (double)s->n_cases);
    (void)fprintf(f, "of these, with a max error    %10.2f%%\n",
                  percent_of(s->n_decorated, s->n_math));
    (void)fprintf(f, "mathematics missing           %10" PRIu64 "\n", stats_count_missing_math(s));
    if (s->n_decorated > 0) {
        (void)fprintf(f, "bounds missing                %10" PRIu64 "\n",
                      stats_count_missing_bounds(s));
    }
}

static void write_totals(const struct stats *s, FILE *f)
{
    (void)fprintf(f, "\ncases                         %10" PRIu64 "\n", s->n_cases);
    (void)fprintf(f, "distinct modules              %10.2f%%\n",
                  percent_of(s->n_distinct, s->n_cases));
    (void)fprintf(f, "median instructions           %10" PRIu64 "\n", stats_get_median_length(s));
    (void)fprintf(f, "at least 2 groups, 64 items   %10.2f%%\n", percent_of(s->n_wide, s->n_cases));
    (void)fprintf(f, "mean items                    %10.1f\n",
                  s->n_cases == 0 ? 0.0 : (double)s->n_items / (double)s->n_cases);
    (void)fprintf(f, "floats to integers            %10" PRIu64 ", %.3f of 1000 instructions\n",
                  s->n_to_integer,
                  s->n_instructions == 0
                      ? 0.0
                      : 1000.0 * (double)s->n_to_integer / (double)s->n_instructions);
}

static void write_summary(const struct stats *s, FILE *f)
{
    int lowest = -1;
    for (int i = 0; i < SHAPE_N; i++) {
        if (count_possible(s, (enum shape)i) > 0 &&
            (lowest < 0 || stats_get_shape_percent(s, (enum shape)i) <
                               stats_get_shape_percent(s, (enum shape)lowest))) {
            lowest = i;
        }
    }
    write_totals(s, f);
    if (lowest >= 0) {
        (void)fprintf(f, "rarest shape                  %10.2f%%  %s\n",
                      stats_get_shape_percent(s, (enum shape)lowest), shape_rows[lowest].id);
    }
    (void)fprintf(f, "pairs (shape, kind) missing   %10" PRIu64 "\n", stats_count_missing_pairs(s));
}

static void write_group_summary(const struct stats *s, FILE *f)
{
    int lowest = -1;
    for (int i = 0; i < GROUP_SHAPE_N; i++) {
        if (count_cases(s, group_shape_rows[i].envs) > 0 &&
            (lowest < 0 || stats_get_group_shape_percent(s, (enum group_shape)i) <
                               stats_get_group_shape_percent(s, (enum group_shape)lowest))) {
            lowest = i;
        }
    }
    write_totals(s, f);
    (void)fprintf(f, "group operations a case       %10.1f\n",
                  s->n_cases == 0 ? 0.0 : (double)s->n_groups / (double)s->n_cases);
    (void)fprintf(f, "under a partial mask          %10.2f%%\n", stats_get_partial_percent(s));
    (void)fprintf(f, "float sums and products       %10.1f a case\n",
                  s->n_cases == 0 ? 0.0 : (double)s->n_sums / (double)s->n_cases);
    (void)fprintf(f, "of these, of exact terms      %10.2f%%\n", stats_get_exact_percent(s));
    if (lowest >= 0) {
        (void)fprintf(f, "rarest shape                  %10.2f%%  %s\n",
                      stats_get_group_shape_percent(s, (enum group_shape)lowest),
                      group_shape_rows[lowest].id);
    }
    (void)fprintf(f, "instructions missing          %10" PRIu64 "\n", stats_count_missing_rows(s));
}

enum res gen_write_stats(enum profile profile, int env_or_any, uint64_t n, uint64_t seed, FILE *f,
                         struct err *e)
{
    struct arena keep;
    struct arena a;
    arena_init(&keep, (size_t)STATS_ARENA_BYTES + 64 * (size_t)n + sizeof(struct stats));
    arena_init(&a, STATS_ARENA_BYTES);
    struct stats *const s = ARENA_NEW(&keep, struct stats, 1);
    enum res r = s ? stats_init(s, n, &keep, e) : err_set(e, RES_NOMEM, "statistics: arena full");
    struct rng rng = rng_seed(seed);
    for (uint64_t i = 0; i < n && r == RES_OK; i++) {
        enum env const env =
            env_or_any == STATS_ANY_ENV ? (enum env)(i % ENV_N) : (enum env)env_or_any;
        struct tape t;
        struct testcase tc;
        struct gen_info info;
        arena_reset(&a);
        r = tape_random(&t, &rng, &a, e);
        if (r == RES_OK) {
            r = gen_case(profile, env, &t, &a, &tc, &info, e);
        }
        if (r == RES_OK) {
            stats_add(s, &tc, &info);
        }
    }
    if (r == RES_OK && profile == PROFILE_MAXERROR) {
        write_math_tables(s, f);
        write_totals(s, f);
    } else if (r == RES_OK && profile_has_groups(profile)) {
        write_group_tables(s, f);
        write_group_summary(s, f);
    } else if (r == RES_OK) {
        write_table(s, f);
        write_summary(s, f);
    }
    if (r == RES_OK && profile_has_math(profile)) {
        write_math_lines(s, f);
    }
    arena_free(&a);
    arena_free(&keep);
    return r;
}
