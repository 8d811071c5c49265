/* gen/stats/def_uses.c -- how many cases hold which def-use pair on which type. */
#include "gen/stats/def_uses.h"

#include <assert.h>
#include <inttypes.h>

#include "base/format.h"
#include "base/spv.h"
#include "gen/ir/legal_group.h"
#include "gen/piece/numbers.h"
#include "gen/plan/math.h"
#include "gen/view/view.h"

static const char *const type_names[DEF_USE_TYPES] = {"f16", "f32", "f64", "i32",
                                                      "i64", "i8",  "i16", "bool"};
enum {
    N_FLOATS = 3 /* the first of these types */
};

struct walk {
    const struct view *m;
    struct def_use_counts *seen;
};

/* ---- what defines a value ---- */

static const struct spv_inst *get_def(const struct walk *w, uint32_t id)
{
    return &view_get(w->m, id)->in;
}

static bool is_constant(const struct walk *w, uint32_t id)
{
    uint32_t const op = get_def(w, id)->op;
    return op == SpvOpConstant || op == SpvOpSpecConstant || op == SpvOpConstantNull;
}

/* What the value is made of: without casts of its bits, masks, and the step from a word to its lowest byte. */
static uint32_t strip(const struct walk *w, uint32_t id)
{
    enum {
        MOST = 4
    };
    for (int i = 0; i < MOST; i++) {
        const struct spv_inst *const in = get_def(w, id);
        bool const is_mask = (in->op == SpvOpBitwiseOr || in->op == SpvOpBitwiseAnd) && in->n > 4 &&
                             is_constant(w, in->w[4]);
        bool const is_byte =
            in->op == SpvOpUConvert && in->n > 3 && view_get_type_bit(w->m, in->w[1]) == TYPE_I8;
        bool const is_cast = in->op == SpvOpBitcast || in->op == SpvOpCopyObject;
        if (!(is_mask || is_byte || is_cast) || in->n < 4) {
            return id;
        }
        id = in->w[3];
    }
    return id;
}

/* The storage class of the pointer. */
static uint32_t class_of(const struct walk *w, uint32_t pointer)
{
    const struct spv_inst *const type = get_def(w, view_type_of(w->m, pointer));
    return type->op == SpvOpTypePointer ? type->w[2] : SpvStorageClassMax;
}

static bool is_phi_of(const struct spv_inst *in, uint32_t value)
{
    for (uint32_t k = 3; in->op == SpvOpPhi && k < in->n; k += 2) {
        if (in->w[k] == value) {
            return true;
        }
    }
    return false;
}

static bool is_scan(const struct spv_inst *in)
{
    int const row = op_find_number(in->op);
    return row >= 0 && legal_get_gate((enum op_id)row) != LEGAL_NO_GATE &&
           legal_has_operation((enum op_id)row) && in->n > 4 &&
           (in->w[4] == SpvGroupOperationInclusiveScan ||
            in->w[4] == SpvGroupOperationExclusiveScan);
}

/* Does the operand `id` of the instruction whose result is `user` come from there? */
static bool is_from(const struct walk *w, enum def def, uint32_t id, uint32_t user)
{
    if (def_is_conversion(def)) {
        return get_def(w, id)->op == def_get_conversion(def)->op;
    }
    const struct spv_inst *const in = get_def(w, strip(w, id));
    bool const is_load = in->op == SpvOpLoad;
    bool const is_shared = is_load && class_of(w, in->w[3]) == SpvStorageClassWorkgroup;
    bool const is_shuffle =
        in->op >= SpvOpGroupNonUniformShuffle && in->op <= SpvOpGroupNonUniformShuffleDown;
    bool const is_atomic = in->op >= SpvOpAtomicLoad && in->op <= SpvOpAtomicXor;
    bool const is_it[] = {[DEF_LOADED] = is_load && !is_shared,
                          [DEF_CONSTANT] = is_constant(w, id),
                          [DEF_SHUFFLE] = is_shuffle,
                          [DEF_SCAN] = is_scan(in),
                          [DEF_ATOMIC] = is_atomic,
                          [DEF_NEIGHBOUR] = is_shared,
                          [DEF_CARRIED] = is_phi_of(get_def(w, id), user)};
    return is_it[def];
}

/* ---- what uses it ---- */

/* OP_NUMBER of the instruction, and the word of its first operand. */
static uint32_t number_of(const struct walk *w, const struct spv_inst *in, uint32_t *first)
{
    *first = 3;
    if (in->op != SpvOpExtInst || in->n < 6) {
        return in->op;
    }
    *first = 5;
    return view_is_set(w->m, in->w[3], "OpenCL.std") ? OP_NUMBER(OP_SET_opencl_std, in->w[4])
                                                     : OP_NUMBER(OP_SET_glsl450, in->w[4]);
}

static bool is_use(enum use use, uint32_t number)
{
    if (use_is_conversion(use)) {
        return use_get_conversion(use)->op == number;
    }
    for (size_t i = 0; i < USE_OP_N; i++) {
        if (use_op_rows[i].use == use && op_rows[use_op_rows[i].op].number == number) {
            return true;
        }
    }
    return false;
}

/* Is the operand `other`, beside `value`, what a row says? */
static bool is_other(const struct walk *w, enum def_use_other kind, uint32_t value, uint32_t other)
{
    unsigned const bit = view_get_type_bit(w->m, view_type_of(w->m, other));
    uint64_t const bits = view_get_number(w->m, other);
    const struct float_format *f = NULL;
    for (int i = 0; i < N_FLOATS; i++) {
        f = bit >> i & 1 ? &float_formats[i] : f;
    }
    switch (kind) {
    case OTHER_LOADED:
    case OTHER_NONE:
        return true;
    case OTHER_SELF:
        return other == value;
    case OTHER_ZERO:
        return is_constant(w, other) && (bits == 0 || (f && bits == f->sign));
    case OTHER_NAN:
        return is_constant(w, other) && f && format_is_nan(f, bits);
    case OTHER_POWER:
    case OTHER_LARGE:
    case OTHER_ODD:
        return is_constant(w, other);
    }
    assert(0 && "def_use_other out of range");
    return false;
}

/* Is some operand but number `k` what the row says? One that stands alone is beside nothing. */
static bool has_other(const struct walk *w, const struct spv_inst *in, uint32_t first, uint32_t k,
                      enum def_use_other kind)
{
    bool has_it = in->n == first + 1;
    for (uint32_t i = first; i < in->n; i++) {
        has_it |= i != k && is_other(w, kind, in->w[k], in->w[i]);
    }
    return has_it;
}

static void note(uint64_t *counts, unsigned types)
{
    for (int k = 0; k < DEF_USE_TYPES; k++) {
        counts[k] |= types >> k & 1;
    }
}

static void see_row(struct walk *w, const struct spv_inst *in, uint32_t first, size_t row)
{
    const struct def_use_row *const r = &def_use_rows[row];
    for (uint32_t k = first; k < in->n; k++) {
        unsigned const type = view_get_type_bit(w->m, view_type_of(w->m, in->w[k]));
        if (type != 0 && type != TYPE_BOOL && is_from(w, r->def, in->w[k], in->w[2]) &&
            has_other(w, in, first, k, r->other)) {
            w->seen->row[row] = 1;
            note(w->seen->pair[row], type);
        }
    }
}

static void see(struct walk *w, const struct spv_inst *in)
{
    uint32_t first;
    uint32_t const number = number_of(w, in, &first);
    int const op = op_find_number(number);
    for (size_t i = 0; i < DEF_USE_N; i++) {
        if (is_use(def_use_rows[i].use, number)) {
            see_row(w, in, first, i);
        }
    }
    for (uint32_t k = 0; op >= 0 && in->n == first + 2 && k < DEF_USE_SIDES; k++) {
        if (is_constant(w, in->w[first + k])) {
            note(w->seen->constant[op][k],
                 view_get_type_bit(w->m, view_type_of(w->m, in->w[first + k])));
        }
    }
}

enum res def_uses_add(struct def_use_stats *s, const struct testcase *tc, struct arena *scratch,
                      struct err *e)
{
    struct view m;
    struct walk w = {.m = &m, .seen = ARENA_NEW(scratch, struct def_use_counts, 1)};
    struct spv_inst in = {.n = 0};
    if (!w.seen) {
        return err_set(e, RES_NOMEM, "def-use pairs: the arena is full");
    }
    enum res const r = view_read(tc->module, tc->n_words, tc->entry, scratch, &m, e);
    while (r == RES_OK && view_next(&m, &in)) {
        if (view_get_value(&m, &in)) {
            see(&w, &in);
        }
    }
    s->n_cases[tc->env]++;
    uint64_t *const with = (uint64_t *)&s->with[tc->env];
    const uint64_t *const seen = (const uint64_t *)w.seen;
    for (size_t i = 0; i < sizeof *w.seen / sizeof *seen; i++) {
        with[i] += seen[i];
    }
    return r == RES_NOMEM ? r : RES_OK;
}

/* ---- the table ---- */

bool def_uses_takes_constant(enum env env, enum op_id op, int type)
{
    static const int of_numbers[] = {5, 6, 3, 4}; /* bits of I8 to I64 */
    for (size_t i = 0; i < NUMBER_N; i++) {
        const struct number_row *const row = &number_rows[i];
        unsigned const types = env == ENV_CL ? row->cl_types : row->vk_types;
        bool const is_it = row->op == op && row->n_args == 2 &&
                           (row->form == NUMBER_SAME || row->form == NUMBER_TRUTH);
        for (size_t k = 0; is_it && k < ARRAY_N(of_numbers); k++) {
            if ((types >> k & 1) && of_numbers[k] == type) {
                return true;
            }
        }
    }
    for (size_t i = 0; i < MATH_N; i++) {
        const struct math_row *const row = &math_rows[i];
        if (row->op == op && row->n_args == 2 && row->form == FORM_SAME &&
            row->lengths == LENGTHS_ANY && (op_rows[op].envs >> env & 1)) {
            return op_rows[op].types >> type & 1;
        }
    }
    return false;
}

static bool is_seldom(const struct def_use_stats *s, enum env env, size_t row, int type)
{
    return s->with[env].pair[row][type] * DEF_USE_OF < s->n_cases[env] * DEF_USE_LEAST;
}

void def_uses_count(const struct def_use_stats *s, enum env env, uint32_t *n_possible,
                    uint32_t *n_seldom)
{
    *n_possible = 0;
    *n_seldom = 0;
    for (size_t i = 0; i < DEF_USE_N; i++) {
        unsigned const types = def_use_get_types(env, &def_use_rows[i]);
        for (int k = 0; k < DEF_USE_TYPES; k++) {
            *n_possible += types >> k & 1;
            *n_seldom += (types >> k & 1) && is_seldom(s, env, i, k);
        }
    }
}

static void write_constants(const struct def_use_stats *s, enum env env, FILE *f)
{
    for (int op = 0; op < OP_N; op++) {
        for (int k = 0; k < DEF_USE_TYPES; k++) {
            if (def_uses_takes_constant(env, (enum op_id)op, k)) {
                (void)fprintf(f, "%-29s %-5s %10" PRIu64 " %10" PRIu64 "\n", op_rows[op].name,
                              type_names[k], s->with[env].constant[op][0][k],
                              s->with[env].constant[op][1][k]);
            }
        }
    }
}

static void write_pairs(const struct def_use_stats *s, enum env env, FILE *f)
{
    for (size_t i = 0; i < DEF_USE_N; i++) {
        const struct def_use_row *const row = &def_use_rows[i];
        unsigned const types = def_use_get_types(env, row);
        for (int k = 0; k < DEF_USE_TYPES; k++) {
            if (types >> k & 1) {
                (void)fprintf(f, "%-11s %-11s %-9s %-5s %10" PRIu64 "%s\n", def_names[row->def],
                              use_names[row->use], def_use_others[row->other], type_names[k],
                              s->with[env].pair[i][k], is_seldom(s, env, i, k) ? "  seldom" : "");
            }
        }
    }
}

void def_uses_write(const struct def_use_stats *s, FILE *f)
{
    for (int env = 0; env < ENV_N; env++) {
        uint32_t n_possible, n_seldom;
        if (s->n_cases[env] == 0) {
            continue;
        }
        (void)fprintf(f, "\n%-11s %-11s %-9s %-5s %10s  (%s)\n", "defined by", "used by", "beside",
                      "type", "cases", env_names[env]);
        write_pairs(s, (enum env)env, f);
        def_uses_count(s, (enum env)env, &n_possible, &n_seldom);
        (void)fprintf(f, "%" PRIu32 " def-use pairs below %d in %d cases, of %" PRIu32 "\n",
                      n_seldom, DEF_USE_LEAST, DEF_USE_OF, n_possible);
        (void)fprintf(f, "\n%-29s %-5s %10s %10s  (cases with a constant, %s)\n", "instruction",
                      "type", "first", "second", env_names[env]);
        write_constants(s, (enum env)env, f);
    }
}
