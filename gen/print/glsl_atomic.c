/* gen/print/glsl_atomic.c -- atomic instructions and barriers: GLSL 4.60, section 8.11 and 8.12, with the scopes and
 * semantics of GL_KHR_memory_scope_semantics, the types of GL_EXT_shader_atomic_float, _float2 and _int64, and the
 * vectors of GL_NV_shader_atomic_fp16_vector. */
#include "gen/print/glsl_atomic.h"

#include "gen/print/text.h"
#include "gen/print/text_atomic.h"
#include "gen/view/view.h"

enum {
    ORDERS = SpvMemorySemanticsAcquireMask | SpvMemorySemanticsReleaseMask |
             SpvMemorySemanticsAcquireReleaseMask,
    DRAW_EXPLICIT = 0 /* text_draw's `which` */
};

static const char *name_scope(struct printer *p, uint64_t scope)
{
    static const struct text_word words[] = {
        {SpvScopeDevice,      "gl_ScopeDevice"     },
        {SpvScopeWorkgroup,   "gl_ScopeWorkgroup"  },
        {SpvScopeSubgroup,    "gl_ScopeSubgroup"   },
        {SpvScopeInvocation,  "gl_ScopeInvocation" },
        {SpvScopeQueueFamily, "gl_ScopeQueueFamily"},
    };
    return text_find_word(p, words, ARRAY_N(words), scope, "an atomic or a barrier of this scope");
}

static const struct text_word storages[] = {
    {SpvMemorySemanticsUniformMemoryMask,   "gl_StorageSemanticsBuffer"},
    {SpvMemorySemanticsWorkgroupMemoryMask, "gl_StorageSemanticsShared"},
    {SpvMemorySemanticsImageMemoryMask,     "gl_StorageSemanticsImage" },
};
static const struct text_word semantics_names[] = {
    {SpvMemorySemanticsAcquireMask,        "gl_SemanticsAcquire"       },
    {SpvMemorySemanticsReleaseMask,        "gl_SemanticsRelease"       },
    {SpvMemorySemanticsAcquireReleaseMask, "gl_SemanticsAcquireRelease"},
    {SpvMemorySemanticsMakeAvailableMask,  "gl_SemanticsMakeAvailable" },
    {SpvMemorySemanticsMakeVisibleMask,    "gl_SemanticsMakeVisible"   },
};

/* "A | B" of the bits that are set, or "0". */
static const char *join(struct printer *p, const struct text_word *names, size_t n, uint64_t bits)
{
    const char *text = "";
    for (size_t i = 0; i < n; i++) {
        if (bits & names[i].number) {
            text = textf(p, "%s%s%s", text, text[0] ? " | " : "", names[i].word);
        }
    }
    return text[0] ? text : "0";
}

/* "storage, semantics". What is relaxed orders no storage. */
static const char *print_semantics(struct printer *p, uint64_t semantics)
{
    enum {
        KNOWN = ORDERS | SpvMemorySemanticsUniformMemoryMask |
                SpvMemorySemanticsWorkgroupMemoryMask | SpvMemorySemanticsImageMemoryMask |
                SpvMemorySemanticsMakeAvailableMask | SpvMemorySemanticsMakeVisibleMask
    };
    if (semantics & ~(uint64_t)KNOWN) {
        return text_fail(p, "an atomic or a barrier of these semantics");
    }
    if ((semantics & ORDERS) == 0) {
        return "0, gl_SemanticsRelaxed";
    }
    return textf(p, "%s, %s", join(p, storages, ARRAY_N(storages), semantics),
                 join(p, semantics_names, ARRAY_N(semantics_names), semantics));
}

static void need_type(struct printer *p, const struct atomic_row *row, uint32_t type)
{
    bool const is_min_max = row->op == SpvOpAtomicFMinEXT || row->op == SpvOpAtomicFMaxEXT;
    if (view_count_components(p->m, type) > 1) {
        glsl_need(p, GLSL_ATOMIC_VECTOR);
    } else if (view_is_float(p->m, type)) {
        glsl_need(p, view_count_bits(p->m, type) == 16 || is_min_max ? GLSL_ATOMIC_FLOAT2
                                                                     : GLSL_ATOMIC_FLOAT);
    } else if (view_count_bits(p->m, type) == 64) {
        glsl_need(p, GLSL_ATOMIC_INT64);
    }
}

/* Vectors have functions without scope and semantics alone. A barrier on either side orders what the semantics do,
 * and more. */
static void put_order(struct printer *p, const struct atomic_operands *o, uint64_t orders)
{
    uint64_t const semantics = view_get_number(p->m, o->semantics);
    if (semantics & orders) {
        glsl_need(p, GLSL_SCOPES);
        text_put_line(p, "memoryBarrier(%s, %s);", name_scope(p, view_get_number(p->m, o->scope)),
                      print_semantics(p, semantics));
    }
}

/* ", scope, storage, semantics", or "": over the device and relaxed, as the plain functions are. */
static const char *print_order(struct printer *p, const struct atomic_row *row,
                               const struct atomic_operands *o)
{
    uint64_t const scope = view_get_number(p->m, o->scope);
    uint64_t const semantics = view_get_number(p->m, o->semantics);
    bool const has_plain = row->form != ATOMIC_LOAD && row->form != ATOMIC_STORE;
    bool const is_plain = has_plain && scope == SpvScopeDevice && (semantics & ORDERS) == 0 &&
                          (!o->unequal || (view_get_number(p->m, o->unequal) & ORDERS) == 0);
    if (is_plain && text_draw(p, o->pointer, DRAW_EXPLICIT, 3) != 0) {
        return "";
    }
    glsl_need(p, GLSL_SCOPES);
    const char *const unequal =
        o->unequal ? textf(p, ", %s", print_semantics(p, view_get_number(p->m, o->unequal))) : "";
    return textf(p, ", %s, %s%s", name_scope(p, scope), print_semantics(p, semantics), unequal);
}

static const char *print_number(struct printer *p, uint32_t id, enum text_sign sign)
{
    return sign == TEXT_SIGNED ? text_signed(p, id) : text_value(p, id);
}

static const char *print_value(struct printer *p, const struct atomic_row *row,
                               const struct atomic_operands *o, uint32_t type, enum text_sign sign)
{
    const char *const name = glsl_type(p, type, sign);
    switch (row->form) {
    case ATOMIC_LOAD:
        return "";
    case ATOMIC_ONE:
        return textf(p, ", %s%s(1)", row->op == SpvOpAtomicIDecrement ? "-" : "", name);
    case ATOMIC_COMPARE:
        return textf(p, ", %s, %s", print_number(p, o->comparator, sign),
                     print_number(p, o->value, sign));
    case ATOMIC_STORE:
    case ATOMIC_VALUE:
        break;
    }
    if (row->op == SpvOpAtomicISub) {
        return textf(p, ", -%s",
                     sign == TEXT_SIGNED ? text_signed(p, o->value) : text_operand(p, o->value));
    }
    return textf(p, ", %s", print_number(p, o->value, sign));
}

/* Prints an atomic instruction as a call of GLSL: atomicAdd(b1[i], v, scope, semantics) or imageAtomicAdd.
 * The type of the memory decides whether a minimum or maximum is signed, so both kinds on one memory fail.
 * Atomics on vectors take no scope and semantics: memory barriers before and after the call say the order
 * (put_order). */
static void put_atomic(struct printer *p, const struct spv_inst *in, const struct atomic_row *row)
{
    struct atomic_operands const o = text_get_operands(in, row->form);
    const struct spv_inst *const pointer = &view_get(p->m, view_type_of(p->m, o.pointer))->in;
    if (pointer->op != SpvOpTypePointer || pointer->n != 4) {
        (void)text_fail(p, "an atomic on what is no pointer");
        return;
    }
    uint32_t const type = pointer->w[3];
    bool const is_vector = view_count_components(p->m, type) > 1;
    need_type(p, row, type);
    bool const is_signed = view_get(p->m, o.pointer)->is_signed_memory;
    bool const wants_signed = row->sign == TEXT_SIGNED;
    bool const wants_unsigned = row->op == SpvOpAtomicUMin || row->op == SpvOpAtomicUMax;
    if ((wants_signed && !is_signed) || (wants_unsigned && is_signed)) {
        (void)text_fail(p, "signed and unsigned minima or maxima of the same memory");
        return;
    }
    const char *const value =
        print_value(p, row, &o, type, is_signed ? TEXT_SIGNED : TEXT_UNSIGNED);
    const char *const order = is_vector ? "" : print_order(p, row, &o);
    const char *const call =
        textf(p, "%s%s(%s%s%s)", pointer->w[2] == SpvStorageClassImage ? "imageAtomic" : "atomic",
              row->glsl, text_element(p, o.pointer), value, order);
    /* before it a barrier if the order releases, after it one if the order acquires */
    if (is_vector) {
        put_order(p, &o, SpvMemorySemanticsReleaseMask | SpvMemorySemanticsAcquireReleaseMask);
    }
    text_put_atomic(p, in, call, is_signed ? glsl_vector(p, type, call) : call);
    if (is_vector) {
        put_order(p, &o, SpvMemorySemanticsAcquireMask | SpvMemorySemanticsAcquireReleaseMask);
    }
}

static void put_control_barrier(struct printer *p, const struct spv_inst *in)
{
    uint64_t const execution = view_get_number(p->m, in->w[1]);
    uint64_t const memory = view_get_number(p->m, in->w[2]);
    uint64_t const semantics = view_get_number(p->m, in->w[3]);
    glsl_need(p, GLSL_SCOPES);
    text_put_line(p, "controlBarrier(%s, %s, %s);", name_scope(p, execution), name_scope(p, memory),
                  print_semantics(p, semantics));
}

static void put_memory_barrier(struct printer *p, const struct spv_inst *in)
{
    glsl_need(p, GLSL_SCOPES);
    text_put_line(p, "memoryBarrier(%s, %s);", name_scope(p, view_get_number(p->m, in->w[1])),
                  print_semantics(p, view_get_number(p->m, in->w[2])));
}

bool glsl_put_atomic(struct printer *p, const struct spv_inst *in)
{
    if (in->op == SpvOpControlBarrier && in->n > 3) {
        put_control_barrier(p, in);
        return true;
    }
    if (in->op == SpvOpMemoryBarrier && in->n > 2) {
        put_memory_barrier(p, in);
        return true;
    }
    const struct atomic_row *const row = text_find_atomic(in->op);
    if (row) {
        put_atomic(p, in, row);
    }
    return row != NULL;
}
