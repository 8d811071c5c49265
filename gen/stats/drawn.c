/* gen/stats/drawn.c -- which combinations of an instruction with a type, a memory, a scope, an order or an operation cases
 * hold; for `gen --stats`. */
#include "gen/stats/drawn.h"

#include <inttypes.h>
#include <string.h>

#include "base/caps.h"
#include "gen/plan/math.h"
#include "gen/view/view.h"

static const enum op_id atomics[DRAWN_ATOMICS] = {OP_core_AtomicLoad,     OP_core_AtomicStore,
                                                  OP_core_AtomicExchange, OP_core_AtomicFAddEXT,
                                                  OP_core_AtomicFMinEXT,  OP_core_AtomicFMaxEXT};
enum {
    A_LOAD,
    A_STORE
};
static const char *const forms[DRAWN_FORMS] = {"f16", "f32", "f64", "f16x2", "f16x4"};
enum {
    FORM_F32 = 1,
    FORM_FIRST_VECTOR = 3
};
enum memory {
    IN_BUFFER,
    IN_WORKGROUP,
    BY_GENERIC,
    IN_IMAGE,
    IN_TEXEL,
    BY_PHYSICAL,
    NO_MEMORY
};
static const char *const memories[DRAWN_MEMORIES] = {"buffer", "workgroup", "generic",
                                                     "image",  "texel",     "physical"};
static const char *const scopes[DRAWN_SCOPES] = {"CrossDevice", "Device",     "Workgroup",
                                                 "Subgroup",    "Invocation", "QueueFamily"};
static const char *const orders[DRAWN_ORDERS] = {"relaxed", "acquire", "release", "acq-rel",
                                                 "seq-cst"};
enum order {
    RELAXED,
    ACQUIRE,
    RELEASE,
    ACQ_REL,
    SEQ_CST
};
static const char *const numbers[DRAWN_NUMBERS] = {"f16", "f32", "f64", "i32", "i64", "i8", "i16"};
static const char *const operations[DRAWN_OPERATIONS] = {"reduce", "inclusive", "exclusive"};
static const char *const masks[3] = {"and without", "or", "xor"};
/* What passes values on, of any type, or of vectors alone. */
static const struct {
    const char *name;
    uint32_t op;
    bool is_of_vectors;
} moves[DRAWN_MOVES] = {
    {"Select",             SpvOpSelect,             false},
    {"Phi",                SpvOpPhi,                false},
    {"Load",               SpvOpLoad,               false},
    {"FunctionCall",       SpvOpFunctionCall,       false},
    {"FunctionParameter",  SpvOpFunctionParameter,  false},
    {"CompositeConstruct", SpvOpCompositeConstruct, true },
    {"CompositeExtract",   SpvOpCompositeExtract,   false},
    {"Bitcast",            SpvOpBitcast,            false},
    {"GroupBroadcast",     SpvOpGroupBroadcast,     false},
    {"Select of vectors",  SpvOpSelect,             true },
    {"Phi of vectors",     SpvOpPhi,                true }
};

/* ---- what a module holds ---- */

struct walk {
    const struct testcase *tc;
    const struct view *m;
    bool has_extension; /* SPV_AMD_shader_ballot */
    unsigned char *seen;
};

/* Returns the kind of memory that a pointer leads to: by the image of an OpImageTexelPointer, else by the
 * storage class of the pointer's type. */
static enum memory memory_of(const struct view *m, uint32_t pointer)
{
    const struct spv_inst *const in = &view_get(m, pointer)->in;
    if (in->op == SpvOpImageTexelPointer) {
        uint32_t const image = view_get_pointee(m, view_type_of(m, in->w[3]));
        const struct spv_inst *const type = &view_get(m, image)->in;
        /* word 3 of OpTypeImage is its dimension */
        return type->op != SpvOpTypeImage   ? NO_MEMORY
               : type->w[3] == SpvDimBuffer ? IN_TEXEL
                                            : IN_IMAGE;
    }
    const struct spv_inst *const type = &view_get(m, view_type_of(m, pointer))->in;
    switch (type->op == SpvOpTypePointer ? type->w[2] : (uint32_t)SpvStorageClassMax) {
    case SpvStorageClassCrossWorkgroup:
    case SpvStorageClassStorageBuffer:
    case SpvStorageClassUniform:
        return IN_BUFFER;
    case SpvStorageClassWorkgroup:
        return IN_WORKGROUP;
    case SpvStorageClassGeneric:
        return BY_GENERIC;
    case SpvStorageClassPhysicalStorageBuffer:
        return BY_PHYSICAL;
    default:
        return NO_MEMORY;
    }
}

/* Which of `numbers` the type is of, or -1. */
static int bit_of(const struct walk *w, uint32_t type)
{
    unsigned const bit = view_get_type_bit(w->m, type);
    for (int i = 0; i < DRAWN_NUMBERS; i++) {
        if (bit == 1U << i) {
            return i;
        }
    }
    return -1;
}

static void note(struct walk *w, uint32_t at)
{
    w->seen[at] = 1;
}

static enum order order_of(uint32_t semantics)
{
    return semantics & SpvMemorySemanticsSequentiallyConsistentMask ? SEQ_CST
           : semantics & SpvMemorySemanticsAcquireReleaseMask       ? ACQ_REL
           : semantics & SpvMemorySemanticsReleaseMask              ? RELEASE
           : semantics & SpvMemorySemanticsAcquireMask              ? ACQUIRE
                                                                    : RELAXED;
}

/* Of float atomics: what is stored or comes out, where, of which scope and order. */
static void see_atomic(struct walk *w, const struct spv_inst *in, uint32_t which)
{
    bool const is_store = which == A_STORE;
    const uint32_t *const operand = in->w + (is_store ? 1 : 3); /* pointer, scope, semantics */
    uint32_t const type = is_store ? view_type_of(w->m, in->w[4]) : in->w[1];
    uint32_t const n = view_count_components(w->m, type);
    int const bit = bit_of(w, type);
    if (bit < 0 || bit >= DRAWN_FLOATS || n == 3 || n > 4) {
        return;
    }
    uint32_t const form = n == 1 ? (uint32_t)bit : (uint32_t)FORM_FIRST_VECTOR + n / 4;
    enum memory const memory = memory_of(w->m, operand[0]);
    uint64_t const scope = view_get_number(w->m, operand[1]);
    uint32_t const semantics = (uint32_t)view_get_number(w->m, operand[2]);
    if (memory != NO_MEMORY) {
        note(w, DRAWN_BY_MEMORY + (which * DRAWN_FORMS + form) * DRAWN_MEMORIES + memory);
    }
    if (scope < DRAWN_SCOPES) {
        note(w, DRAWN_BY_SCOPE + which * DRAWN_SCOPES + (uint32_t)scope);
    }
    note(w, DRAWN_BY_ORDER + which * DRAWN_ORDERS + order_of(semantics));
}

static void see_reduction(struct walk *w, const struct spv_inst *in, uint32_t which)
{
    int const bit = bit_of(w, in->w[1]);
    uint32_t const operation = in->w[4];
    bool const is_amd_alone = w->tc->env == ENV_VK || which >= DRAWN_REDUCTIONS / 2;
    if (bit >= 0 && operation < DRAWN_OPERATIONS && (w->has_extension || !is_amd_alone)) {
        note(w, DRAWN_BY_OPERATION + (which * DRAWN_NUMBERS + (uint32_t)bit) * DRAWN_OPERATIONS +
                    operation);
    }
}

/* Constants of a swizzle. */
static void see_pattern(struct walk *w, const struct spv_inst *in)
{
    const struct spv_inst *const parts = &view_get(w->m, in->w[6])->in;
    bool const is_masked = in->w[4] == 2;
    uint32_t const n = is_masked ? 3 : 4;
    for (uint32_t k = 0; parts->op == SpvOpConstantComposite && parts->n == 3 + n && k < n; k++) {
        uint32_t const value = (uint32_t)view_get_number(w->m, parts->w[3 + k]);
        uint32_t const bits = is_masked && k == 0 ? ~value : value;
        for (uint32_t bit = 0; is_masked && bit < DRAWN_LANE_BITS; bit++) {
            if (bits >> bit & 1) {
                note(w, DRAWN_BY_LANE + k * DRAWN_LANE_BITS + bit);
            }
        }
        if (!is_masked && value < 4) {
            note(w, DRAWN_BY_OFFSET + 4 * k + value);
        }
    }
}

static void see_set(struct walk *w, const struct spv_inst *in)
{
    int const bit = bit_of(w, in->w[1]);
    if (!w->has_extension || in->w[4] < 1 || in->w[4] > DRAWN_SETS || bit < 0) {
        return;
    }
    note(w, DRAWN_OF_SET + ((in->w[4] - 1) * DRAWN_NUMBERS + (uint32_t)bit) * 2 +
                (view_count_components(w->m, in->w[1]) > 1));
    if (in->w[4] <= 2 && in->n > 6) {
        see_pattern(w, in);
    }
}

/* The row of ops.def, or -1. */
static int row_of(const struct walk *w, const struct spv_inst *in)
{
    if (in->op != SpvOpExtInst) {
        return op_find_number(in->op);
    }
    return view_is_set(w->m, in->w[3], "OpenCL.std")
               ? op_find_number(OP_NUMBER(OP_SET_opencl_std, in->w[4]))
               : -1;
}

/* A decorated result counts in the rows of `moves`, which stand after those of ops.def, or else in that of ops.def. */
static void see_decorated(struct walk *w, const struct spv_inst *in, uint32_t bit)
{
    bool const is_vector = view_count_components(w->m, in->w[1]) > 1;
    int const row = row_of(w, in);
    bool is_move = false;
    for (uint32_t i = 0; i < DRAWN_MOVES; i++) {
        if (moves[i].op == in->op) {
            is_move = true;
            if (is_vector || !moves[i].is_of_vectors) {
                note(w, DRAWN_BY_ERROR + (OP_N + i) * DRAWN_FLOATS + bit);
            }
        }
    }
    if (row >= 0 && !is_move) {
        note(w, DRAWN_BY_ERROR + (uint32_t)row * DRAWN_FLOATS + bit);
    }
}

static void see_result(struct walk *w, const struct spv_inst *in)
{
    int const bit = bit_of(w, in->w[1]);
    if (view_get(w->m, in->w[2])->has_max_error && bit >= 0 && bit < DRAWN_FLOATS) {
        see_decorated(w, in, (uint32_t)bit);
    }
    if (in->op == SpvOpExtInst && in->n > 5 &&
        view_is_set(w->m, in->w[3], "SPV_AMD_shader_ballot")) {
        see_set(w, in);
    }
    if (in->op >= SpvOpGroupIAdd && in->op <= SpvOpGroupSMax) {
        see_reduction(w, in, in->op - SpvOpGroupIAdd);
    } else if (in->op >= SpvOpGroupIAddNonUniformAMD && in->op <= SpvOpGroupSMaxNonUniformAMD) {
        see_reduction(w, in, DRAWN_REDUCTIONS / 2 + in->op - SpvOpGroupIAddNonUniformAMD);
    }
}

static void see(struct walk *w, const struct spv_inst *in)
{
    w->has_extension |= in->op == SpvOpExtension && view_is_text(in, 1, "SPV_AMD_shader_ballot");
    for (uint32_t i = 0; i < DRAWN_ATOMICS; i++) {
        if (in->op == op_rows[atomics[i]].number) {
            see_atomic(w, in, i);
        }
    }
    if (view_get_value(w->m, in)) {
        see_result(w, in);
    }
}

enum res drawn_add(struct drawn_stats *s, const struct testcase *tc, struct arena *scratch,
                   struct err *e)
{
    struct view m;
    struct walk w = {.tc = tc, .m = &m, .seen = ARENA_NEW(scratch, unsigned char, DRAWN_N)};
    struct spv_inst in = {.n = 0};
    if (!w.seen) {
        return err_set(e, RES_NOMEM, "combinations: the arena is full");
    }
    s->n_cases[tc->env]++;
    if (tc->class == CLASS_ILLEGAL) {
        return RES_OK;
    }
    TRY(view_read(tc->module, tc->n_words, tc->entry, scratch, &m, e));
    while (view_next(&m, &in)) {
        see(&w, &in);
    }
    for (uint32_t i = 0; i < DRAWN_N; i++) {
        s->with[tc->env][i] += w.seen[i];
    }
    return RES_OK;
}

/* ---- what there may be ---- */

static bool is_possible_memory(enum env env, uint32_t at)
{
    uint32_t const memory = at % DRAWN_MEMORIES, form = at / DRAWN_MEMORIES % DRAWN_FORMS;
    uint32_t const which = at / DRAWN_MEMORIES / DRAWN_FORMS;
    bool const is_texel = memory == IN_IMAGE || memory == IN_TEXEL;
    if (env == ENV_CL) {
        return form < FORM_FIRST_VECTOR && memory <= BY_GENERIC;
    }
    if (form >= FORM_FIRST_VECTOR) {
        return memory != BY_GENERIC && which != A_LOAD && which != A_STORE;
    }
    return is_texel ? form == FORM_F32 : memory != BY_GENERIC;
}

static bool is_possible_order(enum env env, uint32_t at)
{
    uint32_t const which = at / DRAWN_ORDERS, order = at % DRAWN_ORDERS;
    if (order == SEQ_CST) {
        return env == ENV_CL;
    }
    return which == A_LOAD    ? order == RELAXED || order == ACQUIRE
           : which == A_STORE ? order == RELAXED || order == RELEASE
                              : true;
}

/* Row of a reduction: those of the core, then AMD's. */
static enum op_id reduction_of(uint32_t which)
{
    uint32_t const half = DRAWN_REDUCTIONS / 2;
    return (enum op_id)(which < half ? OP_core_GroupIAdd + (int)which
                                     : OP_core_GroupIAddNonUniformAMD + (int)(which - half));
}

static bool is_possible_error(enum env env, uint32_t at)
{
    uint32_t const row = at / DRAWN_FLOATS;
    if (env != ENV_CL || row >= OP_N) {
        return env == ENV_CL;
    }
    for (size_t i = 0; i < MATH_N; i++) {
        bool const is_it = math_rows[i].op == (enum op_id)row && row != OP_core_FmaKHR;
        if (is_it && (op_rows[row].envs & OP_CL) && math_rows[i].form != FORM_TO_INT) {
            return op_rows[row].types >> at % DRAWN_FLOATS & 1;
        }
    }
    return false;
}

bool drawn_is_possible(enum env env, uint32_t at)
{
    if (at < DRAWN_BY_SCOPE) {
        return is_possible_memory(env, at);
    }
    if (at < DRAWN_BY_ORDER) {
        uint32_t const scope = (at - DRAWN_BY_SCOPE) % DRAWN_SCOPES;
        return env == ENV_CL ? scope <= SpvScopeSubgroup : scope >= SpvScopeDevice;
    }
    if (at < DRAWN_BY_OPERATION) {
        return is_possible_order(env, at - DRAWN_BY_ORDER);
    }
    if (at < DRAWN_OF_SET) {
        uint32_t const of = (at - DRAWN_BY_OPERATION) / DRAWN_OPERATIONS;
        return op_rows[reduction_of(of / DRAWN_NUMBERS)].types >> of % DRAWN_NUMBERS & 1;
    }
    if (at < DRAWN_BY_LANE) {
        uint32_t const of = at - DRAWN_OF_SET;
        bool const is_count = of / 2 / DRAWN_NUMBERS == DRAWN_SETS - 1; /* MbcntAMD */
        return !is_count || (of % 2 == 0 && 1U << of / 2 % DRAWN_NUMBERS == TYPE_I32);
    }
    return at < DRAWN_BY_ERROR || is_possible_error(env, at - DRAWN_BY_ERROR);
}

/* ---- the table ---- */

static void name_amd(uint32_t at, char *text, size_t n)
{
    if (at < DRAWN_OF_SET) {
        uint32_t const of = at - DRAWN_BY_OPERATION, pair = of / DRAWN_OPERATIONS;
        (void)snprintf(text, n, "%s %s %s", op_rows[reduction_of(pair / DRAWN_NUMBERS)].name,
                       numbers[pair % DRAWN_NUMBERS], operations[of % DRAWN_OPERATIONS]);
    } else if (at < DRAWN_BY_LANE) {
        uint32_t const of = at - DRAWN_OF_SET;
        (void)snprintf(text, n, "%s %s %s",
                       op_rows[OP_amd_ballot_SwizzleInvocationsAMD + of / 2 / DRAWN_NUMBERS].name,
                       numbers[of / 2 % DRAWN_NUMBERS], of % 2 ? "vector" : "scalar");
    } else if (at < DRAWN_BY_OFFSET) {
        uint32_t const of = at - DRAWN_BY_LANE;
        (void)snprintf(text, n, "mask: %s bit %" PRIu32, masks[of / DRAWN_LANE_BITS],
                       of % DRAWN_LANE_BITS);
    } else {
        uint32_t const of = at - DRAWN_BY_OFFSET;
        (void)snprintf(text, n, "offset: lane %" PRIu32 " of four takes %" PRIu32, of / 4, of % 4);
    }
}

static void name_row(uint32_t at, char *text, size_t n)
{
    if (at < DRAWN_BY_SCOPE) {
        uint32_t const pair = at / DRAWN_MEMORIES;
        (void)snprintf(text, n, "%s %s %s", op_rows[atomics[pair / DRAWN_FORMS]].name,
                       forms[pair % DRAWN_FORMS], memories[at % DRAWN_MEMORIES]);
    } else if (at < DRAWN_BY_ORDER) {
        uint32_t const of = at - DRAWN_BY_SCOPE;
        (void)snprintf(text, n, "%s %s", op_rows[atomics[of / DRAWN_SCOPES]].name,
                       scopes[of % DRAWN_SCOPES]);
    } else if (at < DRAWN_BY_OPERATION) {
        uint32_t const of = at - DRAWN_BY_ORDER;
        (void)snprintf(text, n, "%s %s", op_rows[atomics[of / DRAWN_ORDERS]].name,
                       orders[of % DRAWN_ORDERS]);
    } else if (at < DRAWN_BY_ERROR) {
        name_amd(at, text, n);
    } else {
        uint32_t const of = at - DRAWN_BY_ERROR, row = of / DRAWN_FLOATS;
        (void)snprintf(text, n, "max error on %s %s",
                       row < OP_N ? op_rows[row].name : moves[row - OP_N].name,
                       numbers[of % DRAWN_FLOATS]);
    }
}

static bool is_seldom(const struct drawn_stats *s, enum env env, uint32_t at)
{
    return drawn_is_possible(env, at) &&
           s->with[env][at] * DRAWN_OF < s->n_cases[env] * DRAWN_LEAST;
}

void drawn_count(const struct drawn_stats *s, enum env env, uint32_t *n_possible,
                 uint32_t *n_seldom)
{
    *n_possible = 0;
    *n_seldom = 0;
    for (uint32_t i = 0; i < DRAWN_N; i++) {
        *n_possible += drawn_is_possible(env, i);
        *n_seldom += is_seldom(s, env, i);
    }
}

void drawn_write(const struct drawn_stats *s, FILE *f)
{
    for (int env = 0; env < ENV_N; env++) {
        uint32_t n_possible, n_seldom;
        char text[96];
        if (s->n_cases[env] == 0) {
            continue;
        }
        (void)fprintf(f, "\n%-52s %10s\n", env_names[env], "cases");
        for (uint32_t i = 0; i < DRAWN_N; i++) {
            uint64_t const n = s->with[env][i];
            if (n > 0 || drawn_is_possible((enum env)env, i)) {
                name_row(i, text, sizeof text);
                (void)fprintf(f, "%-52s %10" PRIu64 "%s\n", text, n,
                              is_seldom(s, (enum env)env, i) ? "  seldom" : "");
            }
        }
        drawn_count(s, (enum env)env, &n_possible, &n_seldom);
        (void)fprintf(f, "%" PRIu32 " combinations below %d in %d cases, of %" PRIu32 "\n",
                      n_seldom, DRAWN_LEAST, DRAWN_OF, n_possible);
    }
}
