/* gen/print/glsl_atomic.c -- atomic instructions and barriers: GLSL 4.60, section 8.11 and 8.12, with the scopes and
 * semantics of GL_KHR_memory_scope_semantics, the types of GL_EXT_shader_atomic_float, _float2 and _int64, and the
 * vectors of GL_NV_shader_atomic_fp16_vector. */
#include "gen/print/glsl_atomic.h"

#include "gen/print/clc_module.h"
#include "gen/print/clc_text.h"

/* How the operands of an instruction are those of the function. */
enum form {
    FORM_LOAD,      /* x = atomicLoad(m, scope, storage, semantics) */
    FORM_STORE,     /* atomicStore(m, v, scope, storage, semantics) */
    FORM_VALUE,     /* x = atomicAdd(m, v) */
    FORM_NEGATED,   /* x = atomicAdd(m, -v) */
    FORM_ONE,       /* x = atomicAdd(m, 1) */
    FORM_MINUS_ONE, /* x = atomicAdd(m, -1) */
    FORM_COMPARE    /* x = atomicCompSwap(m, c, v) */
};
struct atomic_row {
    uint32_t op;
    enum form form;
    const char *name;
    enum clc_sign sign;
};
static const struct atomic_row rows[] = {
    {SpvOpAtomicLoad,            FORM_LOAD,      "Load",     CLC_UNSIGNED},
    {SpvOpAtomicStore,           FORM_STORE,     "Store",    CLC_UNSIGNED},
    {SpvOpAtomicExchange,        FORM_VALUE,     "Exchange", CLC_UNSIGNED},
    {SpvOpAtomicCompareExchange, FORM_COMPARE,   "CompSwap", CLC_UNSIGNED},
    {SpvOpAtomicIIncrement,      FORM_ONE,       "Add",      CLC_UNSIGNED},
    {SpvOpAtomicIDecrement,      FORM_MINUS_ONE, "Add",      CLC_UNSIGNED},
    {SpvOpAtomicIAdd,            FORM_VALUE,     "Add",      CLC_UNSIGNED},
    {SpvOpAtomicISub,            FORM_NEGATED,   "Add",      CLC_UNSIGNED},
    {SpvOpAtomicSMin,            FORM_VALUE,     "Min",      CLC_SIGNED  },
    {SpvOpAtomicUMin,            FORM_VALUE,     "Min",      CLC_UNSIGNED},
    {SpvOpAtomicSMax,            FORM_VALUE,     "Max",      CLC_SIGNED  },
    {SpvOpAtomicUMax,            FORM_VALUE,     "Max",      CLC_UNSIGNED},
    {SpvOpAtomicAnd,             FORM_VALUE,     "And",      CLC_UNSIGNED},
    {SpvOpAtomicOr,              FORM_VALUE,     "Or",       CLC_UNSIGNED},
    {SpvOpAtomicXor,             FORM_VALUE,     "Xor",      CLC_UNSIGNED},
    {SpvOpAtomicFAddEXT,         FORM_VALUE,     "Add",      CLC_UNSIGNED},
    {SpvOpAtomicFMinEXT,         FORM_VALUE,     "Min",      CLC_UNSIGNED},
    {SpvOpAtomicFMaxEXT,         FORM_VALUE,     "Max",      CLC_UNSIGNED},
};

enum {
    ORDERS = SpvMemorySemanticsAcquireMask | SpvMemorySemanticsReleaseMask |
             SpvMemorySemanticsAcquireReleaseMask,
    DRAW_EXPLICIT = 0 /* clc_draw's `which` */
};

static const char *name_scope(struct clc_printer *p, uint64_t scope)
{
    switch (scope) {
    case SpvScopeDevice:
        return "gl_ScopeDevice";
    case SpvScopeWorkgroup:
        return "gl_ScopeWorkgroup";
    case SpvScopeSubgroup:
        return "gl_ScopeSubgroup";
    case SpvScopeInvocation:
        return "gl_ScopeInvocation";
    case SpvScopeQueueFamily:
        return "gl_ScopeQueueFamily";
    default:
        return clc_fail(p, "an atomic or a barrier of this scope");
    }
}

struct bit_name {
    uint64_t bit;
    const char *name;
};
static const struct bit_name storages[] = {
    {SpvMemorySemanticsUniformMemoryMask,   "gl_StorageSemanticsBuffer"},
    {SpvMemorySemanticsWorkgroupMemoryMask, "gl_StorageSemanticsShared"},
    {SpvMemorySemanticsImageMemoryMask,     "gl_StorageSemanticsImage" },
};
static const struct bit_name semantics_names[] = {
    {SpvMemorySemanticsAcquireMask,        "gl_SemanticsAcquire"       },
    {SpvMemorySemanticsReleaseMask,        "gl_SemanticsRelease"       },
    {SpvMemorySemanticsAcquireReleaseMask, "gl_SemanticsAcquireRelease"},
    {SpvMemorySemanticsMakeAvailableMask,  "gl_SemanticsMakeAvailable" },
    {SpvMemorySemanticsMakeVisibleMask,    "gl_SemanticsMakeVisible"   },
};

/* "A | B" of the bits that are set, or "0". */
static const char *join(struct clc_printer *p, const struct bit_name *names, size_t n,
                        uint64_t bits)
{
    const char *text = "";
    for (size_t i = 0; i < n; i++) {
        if (bits & names[i].bit) {
            text = arena_printf(p->a, "%s%s%s", text, text[0] ? " | " : "", names[i].name);
        }
    }
    return text[0] ? text : "0";
}

/* "storage, semantics". What is relaxed orders no storage. */
static const char *print_semantics(struct clc_printer *p, uint64_t semantics)
{
    enum {
        KNOWN = ORDERS | SpvMemorySemanticsUniformMemoryMask |
                SpvMemorySemanticsWorkgroupMemoryMask | SpvMemorySemanticsImageMemoryMask |
                SpvMemorySemanticsMakeAvailableMask | SpvMemorySemanticsMakeVisibleMask
    };
    if (semantics & ~(uint64_t)KNOWN) {
        return clc_fail(p, "an atomic or a barrier of these semantics");
    }
    if ((semantics & ORDERS) == 0) {
        return "0, gl_SemanticsRelaxed";
    }
    return arena_printf(p->a, "%s, %s", join(p, storages, ARRAY_N(storages), semantics),
                        join(p, semantics_names, ARRAY_N(semantics_names), semantics));
}

/* Ids of an atomic's operands, 0 where it has none. */
struct operands {
    uint32_t pointer, scope, semantics, unequal, value, comparator;
};

static struct operands read_operands(const struct spv_inst *in, enum form form)
{
    uint32_t const *const w = in->w;
    switch (form) {
    case FORM_STORE:
        return (struct operands){.pointer = w[1], .scope = w[2], .semantics = w[3], .value = w[4]};
    case FORM_COMPARE:
        return (struct operands){.pointer = w[3],
                                 .scope = w[4],
                                 .semantics = w[5],
                                 .unequal = w[6],
                                 .value = w[7],
                                 .comparator = w[8]};
    case FORM_VALUE:
    case FORM_NEGATED:
        return (struct operands){.pointer = w[3], .scope = w[4], .semantics = w[5], .value = w[6]};
    case FORM_LOAD:
    case FORM_ONE:
    case FORM_MINUS_ONE:
        break;
    }
    return (struct operands){.pointer = w[3], .scope = w[4], .semantics = w[5]};
}

static void need_type(struct clc_printer *p, const struct atomic_row *row, uint32_t type)
{
    bool const is_min_max = row->op == SpvOpAtomicFMinEXT || row->op == SpvOpAtomicFMaxEXT;
    if (clc_count_components(p, type) > 1) {
        glsl_need(p, GLSL_ATOMIC_VECTOR);
    } else if (clc_is_float(p, type)) {
        glsl_need(p, clc_count_bits(p, type) == 16 || is_min_max ? GLSL_ATOMIC_FLOAT2
                                                                 : GLSL_ATOMIC_FLOAT);
    } else if (clc_count_bits(p, type) == 64) {
        glsl_need(p, GLSL_ATOMIC_INT64);
    }
}

/* Vectors have functions without scope and semantics alone. A barrier on either side orders what the semantics do,
 * and more. */
static void put_order(struct clc_printer *p, const struct operands *o, uint64_t orders)
{
    uint64_t const semantics = clc_get_number(&p->m, o->semantics);
    if (semantics & orders) {
        glsl_need(p, GLSL_SCOPES);
        clc_put_line(p, arena_printf(p->a, "memoryBarrier(%s, %s);",
                                     name_scope(p, clc_get_number(&p->m, o->scope)),
                                     print_semantics(p, semantics)));
    }
}

/* ", scope, storage, semantics", or "": over the device and relaxed, as the plain functions are. */
static const char *print_order(struct clc_printer *p, const struct atomic_row *row,
                               const struct operands *o)
{
    uint64_t const scope = clc_get_number(&p->m, o->scope);
    uint64_t const semantics = clc_get_number(&p->m, o->semantics);
    bool const has_plain = row->form != FORM_LOAD && row->form != FORM_STORE;
    bool const is_plain = has_plain && scope == SpvScopeDevice && (semantics & ORDERS) == 0 &&
                          (!o->unequal || (clc_get_number(&p->m, o->unequal) & ORDERS) == 0);
    if (is_plain && clc_draw(p, o->pointer, DRAW_EXPLICIT, 3) != 0) {
        return "";
    }
    glsl_need(p, GLSL_SCOPES);
    const char *const unequal =
        o->unequal
            ? arena_printf(p->a, ", %s", print_semantics(p, clc_get_number(&p->m, o->unequal)))
            : "";
    return arena_printf(p->a, ", %s, %s%s", name_scope(p, scope), print_semantics(p, semantics),
                        unequal);
}

static const char *print_number(struct clc_printer *p, uint32_t id, enum clc_sign sign)
{
    return sign == CLC_SIGNED ? glsl_signed(p, id) : clc_value(p, id);
}

static const char *print_value(struct clc_printer *p, const struct atomic_row *row,
                               const struct operands *o, uint32_t type, enum clc_sign sign)
{
    const char *const name = glsl_type(p, type, sign);
    switch (row->form) {
    case FORM_LOAD:
        return "";
    case FORM_ONE:
        return arena_printf(p->a, ", %s(1)", name);
    case FORM_MINUS_ONE:
        return arena_printf(p->a, ", -%s(1)", name);
    case FORM_NEGATED:
        return arena_printf(p->a, ", -%s",
                            sign == CLC_SIGNED ? glsl_signed(p, o->value)
                                               : clc_operand(p, o->value));
    case FORM_COMPARE:
        return arena_printf(p->a, ", %s, %s", print_number(p, o->comparator, sign),
                            print_number(p, o->value, sign));
    case FORM_STORE:
    case FORM_VALUE:
        break;
    }
    return arena_printf(p->a, ", %s", print_number(p, o->value, sign));
}

static void put_atomic(struct clc_printer *p, const struct spv_inst *in,
                       const struct atomic_row *row)
{
    struct operands const o = read_operands(in, row->form);
    const struct spv_inst *const pointer = &clc_get(&p->m, clc_type_of(p, o.pointer))->in;
    if (pointer->op != SpvOpTypePointer || pointer->n != 4) {
        (void)clc_fail(p, "an atomic on what is no pointer");
        return;
    }
    uint32_t const type = pointer->w[3];
    bool const is_vector = clc_count_components(p, type) > 1;
    need_type(p, row, type);
    bool const is_signed = clc_get(&p->m, o.pointer)->is_signed_memory;
    /* the type of the place decides which of the functions it is */
    if ((row->sign == CLC_SIGNED) != is_signed &&
        (row->sign == CLC_SIGNED || row->op == SpvOpAtomicUMin || row->op == SpvOpAtomicUMax)) {
        (void)clc_fail(p, "signed and unsigned minima or maxima of the same memory");
        return;
    }
    const char *const value = print_value(p, row, &o, type, is_signed ? CLC_SIGNED : CLC_UNSIGNED);
    const char *const order = is_vector ? "" : print_order(p, row, &o);
    const char *call = arena_printf(
        p->a, "%s%s(%s%s%s)", pointer->w[2] == SpvStorageClassImage ? "imageAtomic" : "atomic",
        row->name, clc_element(p, o.pointer), value, order);
    if (is_vector) {
        put_order(p, &o, SpvMemorySemanticsReleaseMask | SpvMemorySemanticsAcquireReleaseMask);
    }
    if (row->form == FORM_STORE || clc_get(&p->m, in->w[2])->n_uses == 0) {
        clc_put_line(p, arena_printf(p->a, "%s;", call));
    } else {
        if (is_signed) {
            call = arena_printf(p->a, "%s(%s)", glsl_type(p, type, CLC_UNSIGNED), call);
        }
        clc_define(p, in, call, true, false);
    }
    if (is_vector) {
        put_order(p, &o, SpvMemorySemanticsAcquireMask | SpvMemorySemanticsAcquireReleaseMask);
    }
}

static void put_control_barrier(struct clc_printer *p, const struct spv_inst *in)
{
    uint64_t const execution = clc_get_number(&p->m, in->w[1]);
    uint64_t const memory = clc_get_number(&p->m, in->w[2]);
    uint64_t const semantics = clc_get_number(&p->m, in->w[3]);
    glsl_need(p, GLSL_SCOPES);
    clc_put_line(p, arena_printf(p->a, "controlBarrier(%s, %s, %s);", name_scope(p, execution),
                                 name_scope(p, memory), print_semantics(p, semantics)));
}

static void put_memory_barrier(struct clc_printer *p, const struct spv_inst *in)
{
    glsl_need(p, GLSL_SCOPES);
    clc_put_line(p, arena_printf(p->a, "memoryBarrier(%s, %s);",
                                 name_scope(p, clc_get_number(&p->m, in->w[1])),
                                 print_semantics(p, clc_get_number(&p->m, in->w[2]))));
}

bool glsl_put_atomic(struct clc_printer *p, const struct spv_inst *in)
{
    if (in->op == SpvOpControlBarrier && in->n > 3) {
        put_control_barrier(p, in);
        return true;
    }
    if (in->op == SpvOpMemoryBarrier && in->n > 2) {
        put_memory_barrier(p, in);
        return true;
    }
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (rows[i].op == in->op) {
            put_atomic(p, in, &rows[i]);
            return true;
        }
    }
    return false;
}
