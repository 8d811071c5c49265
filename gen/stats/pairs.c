/* gen/stats/pairs.c -- how many cases hold which instruction on which type, for `gen --stats`. */
#include "gen/stats/pairs.h"

#include <inttypes.h>

#include "gen/piece/numbers.h"
#include "gen/plan/math.h"
#include "gen/view/view.h"

static const char *const type_names[PAIR_TYPES] = {"f16", "f32", "f64", "i32",
                                                   "i64", "i8",  "i16", "bool"};

/* The row of ops.def of an instruction, or -1; *first: word of its first operand. */
static int find_row(const struct view *m, const struct spv_inst *in, uint32_t *first)
{
    static const struct {
        const char *name;
        enum op_set set;
    } sets[] = {
        {"OpenCL.std",   OP_SET_opencl_std},
        {"GLSL.std.450", OP_SET_glsl450   },
    };
    *first = 3;
    if (in->op != SpvOpExtInst || in->n < 5) {
        return op_find_number(in->op);
    }
    *first = 5;
    for (size_t i = 0; i < ARRAY_N(sets); i++) {
        if (view_is_set(m, in->w[3], sets[i].name)) {
            return op_find_number(OP_NUMBER(sets[i].set, in->w[4]));
        }
    }
    return -1;
}

/* Is it told by its operand, as both may be a type of its row? */
static bool is_of_operand(int row)
{
    return row == OP_core_UConvert || row == OP_core_SConvert || row == OP_core_Bitcast ||
           row == OP_opencl_std_u_upsample || row == OP_opencl_std_s_upsample;
}

/* The type that the instruction works on: its result's, or that of its first operand that is one of the row's. */
static unsigned find_worked_on(const struct view *m, const struct spv_inst *in, int row,
                               uint32_t first)
{
    unsigned const types = op_rows[row].types;
    unsigned const result = view_get_type_bit(m, in->w[1]);
    if ((result & types) && !is_of_operand(row)) {
        return result;
    }
    if (result == 0 && view_is_float(m, in->w[1]) && !is_of_operand(row)) {
        return 0; /* bfloat16, which no row has */
    }
    for (uint32_t k = first; k < in->n; k++) {
        unsigned const operand = view_get_type_bit(m, view_type_of(m, in->w[k]));
        if (operand & types) {
            return operand;
        }
    }
    return 0;
}

/* Counts the case in s: for each pair of instruction and type (a row of ops.def, a bit of enum op_types)
 * that its module has, the number of cases with the pair goes up by one. A module that cannot be read
 * counts as far as it was read. Returns RES_NOMEM where `scratch` is full. */
enum res pairs_add(struct pair_stats *s, const struct testcase *tc, struct arena *scratch,
                   struct err *e)
{
    /* [row * PAIR_TYPES + type]: 1 where the case has the pair */
    uint64_t *const seen = ARENA_NEW(scratch, uint64_t, (size_t)OP_N * PAIR_TYPES);
    struct spv_inst in = {.n = 0};
    struct view m;
    if (!seen) {
        return err_set(e, RES_NOMEM, "pairs: the arena is full");
    }
    enum res const r = view_read(tc->module, tc->n_words, tc->entry, scratch, &m, e);
    while (r == RES_OK && view_next(&m, &in)) {
        uint32_t first;
        int const row = view_get_value(&m, &in) ? find_row(&m, &in, &first) : -1;
        unsigned const type = row >= 0 ? find_worked_on(&m, &in, row, first) : 0;
        for (uint32_t k = 0; k < PAIR_TYPES && type; k++) {
            seen[(size_t)row * PAIR_TYPES + k] |= type >> k & 1U;
        }
    }
    s->n_cases[tc->env]++;
    for (int row = 0; row < OP_N; row++) {
        for (int k = 0; k < PAIR_TYPES; k++) {
            s->with[tc->env][row][k] += seen[(size_t)row * PAIR_TYPES + (size_t)k];
        }
    }
    return r == RES_NOMEM ? r : RES_OK;
}

/* Bits of the types on which math.def and number.def have the row in the environment. */
static unsigned find_possible(enum env env, int row)
{
    static const uint8_t of_numbers[] = {TYPE_I8, TYPE_I16, TYPE_I32, TYPE_I64};
    unsigned types = 0;
    for (size_t i = 0; i < MATH_N; i++) {
        bool const is_it = math_rows[i].op == (enum op_id)row && (op_rows[row].envs >> env & 1);
        types |= is_it && row != OP_core_FmaKHR ? op_rows[row].types : 0;
    }
    for (size_t i = 0; i < NUMBER_N; i++) {
        unsigned const bits = env == ENV_CL ? number_rows[i].cl_types : number_rows[i].vk_types;
        for (size_t k = 0; number_rows[i].op == (enum op_id)row && k < ARRAY_N(of_numbers); k++) {
            types |= bits >> k & 1 ? of_numbers[k] : 0U;
        }
        if (number_rows[i].op == (enum op_id)row && op_rows[row].types == TYPE_BOOL) {
            types = TYPE_BOOL;
        }
    }
    return types;
}

static bool is_seldom(const struct pair_stats *s, enum env env, int row, int type)
{
    return s->with[env][row][type] * 100 < s->n_cases[env] * PAIR_SELDOM_PERCENT;
}

void pairs_count(const struct pair_stats *s, enum env env, uint32_t *n_possible, uint32_t *n_seldom)
{
    *n_possible = 0;
    *n_seldom = 0;
    for (int row = 0; row < OP_N; row++) {
        unsigned const types = find_possible(env, row);
        for (int k = 0; k < PAIR_TYPES; k++) {
            *n_possible += types >> k & 1;
            *n_seldom += (types >> k & 1) && is_seldom(s, env, row, k);
        }
    }
}

/* Writes for each environment a table of the pairs of instruction and type that it may have: the number of
 * cases with the pair, and "seldom" where that is too few. A line with the numbers of possible and of
 * seldom pairs follows. */
void pairs_write(const struct pair_stats *s, FILE *f)
{
    for (int env = 0; env < ENV_N; env++) {
        uint32_t n_possible, n_seldom;
        if (s->n_cases[env] == 0) {
            continue;
        }
        (void)fprintf(f, "%-29s %-5s %10s\n", env_names[env], "type", "cases");
        for (int row = 0; row < OP_N; row++) {
            unsigned const types = find_possible((enum env)env, row);
            for (int k = 0; k < PAIR_TYPES; k++) {
                uint64_t const n = s->with[env][row][k];
                bool const is_possible = types >> k & 1;
                if (n == 0 && !is_possible) { /* a pair that came though it should not is shown */
                    continue;
                }
                (void)fprintf(f, "%-29s %-5s %10" PRIu64 "%s\n", op_rows[row].name, type_names[k],
                              n,
                              is_possible && is_seldom(s, (enum env)env, row, k) ? "  seldom" : "");
            }
        }
        pairs_count(s, (enum env)env, &n_possible, &n_seldom);
        (void)fprintf(f, "%" PRIu32 " pairs below %" PRIu64 " in %" PRIu64 ", of %" PRIu32 "\n",
                      n_seldom, s->n_cases[env] * PAIR_SELDOM_PERCENT / 100, s->n_cases[env],
                      n_possible);
    }
}
