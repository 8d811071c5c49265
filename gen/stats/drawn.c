/* gen/stats/drawn.c -- which combinations of an instruction with a type, a place, a scope, an order or an operation cases
 * hold; for `gen --stats`. */
#include "gen/stats/drawn.h"

#include <inttypes.h>
#include <string.h>

#include "base/caps.h"
#include "base/spv.h"
#include "gen/plan/math.h"

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
enum place {
    IN_BUFFER,
    IN_WORKGROUP,
    BY_GENERIC,
    IN_IMAGE,
    IN_TEXEL,
    BY_PHYSICAL,
    NO_PLACE
};
static const char *const places[DRAWN_PLACES] = {"buffer", "workgroup", "generic",
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
/* What hands values on, of any type, or of vectors alone. */
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

/* Of an id: as a type its bit of TYPE_* (of a vector its component's), its components, and of a pointer its place; as a
 * value its type, and what a constant is. */
struct known {
    uint8_t kind, n;
    enum place place;
    uint32_t pointee, type, value;
    const uint32_t *composite;
    bool is_decorated;
};
struct walk {
    const struct testcase *tc;
    struct known *ids;
    uint32_t n_ids, amd_set, math_set;
    bool has_extension; /* SPV_AMD_shader_ballot */
    unsigned char *seen;
};

static struct known *get(struct walk *w, uint32_t id)
{
    return &w->ids[id < w->n_ids ? id : 0];
}

static uint8_t kind_of(const struct spv_inst *in)
{
    uint32_t const n_bits = in->n > 2 ? in->w[2] : 0;
    if (in->op == SpvOpTypeInt) {
        return n_bits == 8 ? TYPE_I8 : n_bits == 16 ? TYPE_I16 : n_bits == 32 ? TYPE_I32 : TYPE_I64;
    }
    bool const is_bfloat = in->n > 3;
    return is_bfloat ? 0 : n_bits == 16 ? TYPE_F16 : n_bits == 32 ? TYPE_F32 : TYPE_F64;
}

static enum place place_of(uint32_t storage)
{
    switch (storage) {
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
    default: /* of images see see_texel */
        return NO_PLACE;
    }
}

static void see_type(struct walk *w, const struct spv_inst *in)
{
    struct known *const k = get(w, in->w[1]);
    k->place = NO_PLACE;
    switch (in->op) {
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
        k->kind = kind_of(in);
        k->n = 1;
        break;
    case SpvOpTypeVector:
        k->kind = get(w, in->w[2])->kind;
        k->n = (uint8_t)in->w[3];
        break;
    case SpvOpTypeImage:
        k->place = in->w[3] == SpvDimBuffer ? IN_TEXEL : IN_IMAGE;
        break;
    case SpvOpTypePointer:
        k->place = place_of(in->w[2]);
        k->pointee = in->w[3];
        break;
    default: /* the others are asked for nothing */
        break;
    }
}

/* Bit of a number's kind, or -1. */
static int bit_of(uint8_t kind)
{
    for (int i = 0; i < DRAWN_NUMBERS; i++) {
        if (kind == 1U << i) {
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
    struct known const *const pointer = get(w, operand[0]);
    struct known const *const type = get(w, is_store ? get(w, in->w[4])->type : in->w[1]);
    int const bit = bit_of(type->kind);
    if (bit < 0 || bit >= DRAWN_FLOATS || type->n == 3 || type->n > 4) {
        return;
    }
    uint32_t const form = type->n == 1 ? (uint32_t)bit : (uint32_t)FORM_FIRST_VECTOR + type->n / 4;
    enum place const place =
        pointer->place != NO_PLACE ? pointer->place : get(w, pointer->type)->place;
    uint32_t const scope = get(w, operand[1])->value;
    if (place != NO_PLACE) {
        note(w, DRAWN_BY_PLACE + (which * DRAWN_FORMS + form) * DRAWN_PLACES + place);
    }
    if (scope < DRAWN_SCOPES) {
        note(w, DRAWN_BY_SCOPE + which * DRAWN_SCOPES + scope);
    }
    note(w, DRAWN_BY_ORDER + which * DRAWN_ORDERS + order_of(get(w, operand[2])->value));
}

static void see_reduction(struct walk *w, const struct spv_inst *in, uint32_t which)
{
    int const bit = bit_of(get(w, in->w[1])->kind);
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
    const uint32_t *const parts = get(w, in->w[6])->composite;
    bool const is_masked = in->w[4] == 2;
    for (uint32_t k = 0; parts && k < (is_masked ? 3U : 4U); k++) {
        uint32_t const value = get(w, parts[k])->value;
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
    struct known const *const type = get(w, in->w[1]);
    int const bit = bit_of(type->kind);
    if (!w->has_extension || in->w[4] < 1 || in->w[4] > DRAWN_SETS || bit < 0) {
        return;
    }
    note(w, DRAWN_OF_SET + ((in->w[4] - 1) * DRAWN_NUMBERS + (uint32_t)bit) * 2 + (type->n > 1));
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
    return in->w[3] == w->math_set ? op_find_number(OP_NUMBER(OP_SET_opencl_std, in->w[4])) : -1;
}

/* A decorated result counts in the rows of `moves`, which stand behind those of ops.def, or else in that of ops.def. */
static void see_decorated(struct walk *w, const struct spv_inst *in, uint32_t bit)
{
    bool const is_vector = get(w, in->w[1])->n > 1;
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
    int const bit = bit_of(get(w, in->w[1])->kind);
    if (get(w, in->w[2])->is_decorated && bit >= 0 && bit < DRAWN_FLOATS) {
        see_decorated(w, in, (uint32_t)bit);
    }
    if (in->op == SpvOpExtInst && in->n > 5 && in->w[3] == w->amd_set) {
        see_set(w, in);
    }
    if (in->op >= SpvOpGroupIAdd && in->op <= SpvOpGroupSMax) {
        see_reduction(w, in, in->op - SpvOpGroupIAdd);
    } else if (in->op >= SpvOpGroupIAddNonUniformAMD && in->op <= SpvOpGroupSMaxNonUniformAMD) {
        see_reduction(w, in, DRAWN_REDUCTIONS / 2 + in->op - SpvOpGroupIAddNonUniformAMD);
    }
}

/* Where a texel is, by its image. */
static void see_texel(struct walk *w, const struct spv_inst *in)
{
    struct known const *const image = get(w, get(w, in->w[3])->type);
    get(w, in->w[2])->place = get(w, image->pointee)->place;
}

static bool is_text(const struct spv_inst *in, uint32_t at, const char *text)
{
    return in->n > at &&
           strncmp((const char *)(in->w + at), text, (in->n - at) * sizeof *in->w) == 0;
}

/* Has it a type and a result before its operands? */
static bool has_result(const struct spv_inst *in)
{
    bool has_type = false;
    return spv_find_result(in, &has_type) && has_type;
}

static void see(struct walk *w, const struct spv_inst *in)
{
    if (in->op == SpvOpExtension) {
        w->has_extension |= is_text(in, 1, "SPV_AMD_shader_ballot");
    } else if (in->op == SpvOpExtInstImport) {
        w->amd_set = is_text(in, 2, "SPV_AMD_shader_ballot") ? in->w[1] : w->amd_set;
        w->math_set = is_text(in, 2, "OpenCL.std") ? in->w[1] : w->math_set;
    } else if (in->op == SpvOpDecorate && in->w[2] == SPV_DEC_FP_MAX_ERROR_INTEL) {
        get(w, in->w[1])->is_decorated = true;
    } else if (in->op >= SpvOpTypeVoid && in->op <= SpvOpTypeForwardPointer) {
        see_type(w, in);
    } else if (in->op == SpvOpAtomicStore) {
        see_atomic(w, in, A_STORE);
    } else if (has_result(in)) {
        struct known *const k = get(w, in->w[2]);
        k->type = in->w[1];
        k->place = NO_PLACE;
        k->value = in->op == SpvOpConstant ? in->w[3] : 0;
        k->composite = in->op == SpvOpConstantComposite ? in->w + 3 : NULL;
        for (uint32_t i = 0; i < DRAWN_ATOMICS; i++) {
            if (in->op == op_rows[atomics[i]].number) {
                see_atomic(w, in, i);
            }
        }
        if (in->op == SpvOpImageTexelPointer) {
            see_texel(w, in);
        }
        see_result(w, in);
    }
}

enum res drawn_add(struct drawn_stats *s, const struct testcase *tc, struct arena *scratch,
                   struct err *e)
{
    struct walk w = {.tc = tc, .n_ids = tc->module[3]};
    struct spv_inst in;
    uint32_t at = SPV_HEADER_WORDS;
    w.ids = ARENA_NEW(scratch, struct known, w.n_ids + 1);
    w.seen = ARENA_NEW(scratch, unsigned char, DRAWN_N);
    if (!w.ids || !w.seen) {
        return err_set(e, RES_NOMEM, "combinations: no room for %" PRIu32 " ids", w.n_ids);
    }
    s->n_cases[tc->env]++;
    if (tc->class == CLASS_ILLEGAL) {
        return RES_OK;
    }
    while (spv_next(tc->module, tc->n_words, &at, &in)) {
        see(&w, &in);
    }
    for (uint32_t i = 0; i < DRAWN_N; i++) {
        s->with[tc->env][i] += w.seen[i];
    }
    return RES_OK;
}

/* ---- what there may be ---- */

static bool is_possible_place(enum env env, uint32_t at)
{
    uint32_t const place = at % DRAWN_PLACES, form = at / DRAWN_PLACES % DRAWN_FORMS;
    uint32_t const which = at / DRAWN_PLACES / DRAWN_FORMS;
    bool const is_texel = place == IN_IMAGE || place == IN_TEXEL;
    if (env == ENV_CL) {
        return form < FORM_FIRST_VECTOR && place <= BY_GENERIC;
    }
    if (form >= FORM_FIRST_VECTOR) {
        return place != BY_GENERIC && which != A_LOAD && which != A_STORE;
    }
    return is_texel ? form == FORM_F32 : place != BY_GENERIC;
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
        return is_possible_place(env, at);
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
        uint32_t const pair = at / DRAWN_PLACES;
        (void)snprintf(text, n, "%s %s %s", op_rows[atomics[pair / DRAWN_FORMS]].name,
                       forms[pair % DRAWN_FORMS], places[at % DRAWN_PLACES]);
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
