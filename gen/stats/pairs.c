/* gen/stats/pairs.c -- how many cases hold which instruction on which type, for `gen --stats`. */
#include "gen/stats/pairs.h"

#include <inttypes.h>
#include <string.h>

#include "base/spv.h"
#include "gen/piece/numbers.h"
#include "gen/plan/math.h"

static const char *const type_names[PAIR_TYPES] = {"f16", "f32", "f64", "i32",
                                                   "i64", "i8",  "i16", "bool"};

/* A module as it is walked: by id what TYPE_* it is (of a vector its component), and of which such a value is. */
struct walk {
    const struct testcase *tc;
    uint8_t *type_of, *value_of;
    uint32_t n_ids;
    uint32_t sets[2]; /* ids of OpenCL.std and GLSL.std.450; 0: not imported */
};

/* Ids that are out of bounds are all the one behind the last. */
static void put(uint8_t *of, const struct walk *w, uint32_t id, uint8_t type)
{
    of[id < w->n_ids ? id : w->n_ids] = type;
}

static uint8_t get(const uint8_t *of, const struct walk *w, uint32_t id)
{
    return id < w->n_ids ? of[id] : 0;
}

/* The TYPE_* of a type; 0: no number and no bool. */
static uint8_t find_type(const struct walk *w, const struct spv_inst *in)
{
    uint32_t const n_bits = in->n > 2 ? in->w[2] : 0;
    switch (in->op) {
    case SpvOpTypeBool:
        return TYPE_BOOL;
    case SpvOpTypeInt:
        return n_bits == 8 ? TYPE_I8 : n_bits == 16 ? TYPE_I16 : n_bits == 32 ? TYPE_I32 : TYPE_I64;
    case SpvOpTypeFloat:
        return n_bits == 16 ? TYPE_F16 : n_bits == 32 ? TYPE_F32 : TYPE_F64;
    case SpvOpTypeVector:
        return get(w->type_of, w, n_bits);
    default:
        return 0;
    }
}

/* The row of ops.def of an instruction, or -1; *first: word of its first operand. */
static int find_row(const struct walk *w, const struct spv_inst *in, uint32_t *first)
{
    *first = 3;
    if (in->op != SpvOpExtInst || in->n < 5) {
        return op_find_number(in->op);
    }
    *first = 5;
    for (uint32_t i = 0; i < 2; i++) {
        if (w->sets[i] != 0 && in->w[3] == w->sets[i]) {
            return op_find_number(OP_NUMBER(i == 0 ? OP_SET_opencl_std : OP_SET_glsl450, in->w[4]));
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
static uint8_t find_worked_on(const struct walk *w, const struct spv_inst *in, int row,
                              uint32_t first)
{
    unsigned const types = op_rows[row].types;
    uint8_t const result = get(w->type_of, w, in->w[1]);
    if ((result & types) && !is_of_operand(row)) {
        return result;
    }
    for (uint32_t k = first; k < in->n; k++) {
        uint8_t const operand = get(w->value_of, w, in->w[k]);
        if (operand & types) {
            return operand;
        }
    }
    return 0;
}

static void see(struct walk *w, const struct spv_inst *in, uint64_t *seen)
{
    bool has_type = false;
    uint32_t const result = spv_find_result(in, &has_type);
    uint32_t first;
    if (in->op == SpvOpExtInstImport && in->n > 3) {
        bool const is_cl = strncmp((const char *)(in->w + 2), "OpenCL.std", 10) == 0;
        w->sets[is_cl ? 0 : 1] = in->w[1];
    } else if (in->op >= SpvOpTypeVoid && in->op <= SpvOpTypeForwardPointer && in->n > 1) {
        put(w->type_of, w, in->w[1], find_type(w, in));
    } else if (result && has_type) {
        int const row = find_row(w, in, &first);
        put(w->value_of, w, in->w[2], get(w->type_of, w, in->w[1]));
        uint8_t const type = row >= 0 ? find_worked_on(w, in, row, first) : 0;
        for (uint32_t k = 0; k < PAIR_TYPES; k++) {
            seen[(size_t)(row < 0 ? 0 : row) * PAIR_TYPES + k] |= type >> k & 1U;
        }
    }
}

enum res pairs_add(struct pair_stats *s, const struct testcase *tc, struct arena *scratch,
                   struct err *e)
{
    uint64_t *const seen = ARENA_NEW(scratch, uint64_t, (size_t)OP_N * PAIR_TYPES);
    struct walk w = {.tc = tc, .n_ids = tc->module[3]};
    w.type_of = ARENA_NEW(scratch, uint8_t, w.n_ids + 1);
    w.value_of = ARENA_NEW(scratch, uint8_t, w.n_ids + 1);
    if (!seen || !w.type_of || !w.value_of) {
        return err_set(e, RES_NOMEM, "pairs: no room for %" PRIu32 " ids", w.n_ids);
    }
    struct spv_inst in;
    uint32_t at = SPV_HEADER_WORDS;
    while (spv_next(tc->module, tc->n_words, &at, &in)) {
        see(&w, &in, seen);
    }
    s->n_cases[tc->env]++;
    for (int row = 0; row < OP_N; row++) {
        for (int k = 0; k < PAIR_TYPES; k++) {
            s->with[tc->env][row][k] += seen[(size_t)row * PAIR_TYPES + (size_t)k];
        }
    }
    return RES_OK;
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
                if (n == 0 && !is_possible) {
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
