/* gen/ir/legal.c -- scopes, memory semantics and needs by the tables of both environments. */
#include "gen/ir/legal.h"

#include <assert.h>

#include "base/caps.h"
#include "base/ops.h"
#include "base/spv.h"
#include "base/testcase.h"

/* Lists the memory scopes that an atomic may have, by who shares its location; the first is Device. Returns
 * how many. A scope must take in all who share it. */
uint32_t legal_get_scopes(enum env env, bool vulkan_memory_model, enum sharing sharing,
                          uint32_t out[LEGAL_MAX_SCOPES])
{
    uint32_t n = 0;
    out[n++] = SpvScopeDevice;
    if (sharing != SHARED_BY_ALL) {
        out[n++] = SpvScopeWorkgroup;
    }
    if (sharing == SHARED_BY_NOBODY) {
        out[n++] = SpvScopeSubgroup;
    }
    if (sharing == SHARED_BY_NOBODY && env == ENV_VK) {
        out[n++] = SpvScopeInvocation;
    }
    if (env == ENV_CL) {
        out[n++] = SpvScopeCrossDevice;
    } else if (vulkan_memory_model) {
        out[n++] = SpvScopeQueueFamily;
    }
    return n;
}

/* What a device must have for atomics of that memory scope. */
static void add_scope_needs(const struct ir_program *p, uint32_t scope, struct needs *n)
{
    if (p->env == ENV_VK) {
        needs_add_if(n, NEED_VK_SCOPE_SUBGROUP, scope == SpvScopeSubgroup);
        needs_add_if(n, NEED_VK_MEMORY_MODEL_DEVICE,
                     scope == SpvScopeDevice && p->vulkan_memory_model);
        return;
    }
    if (scope == SpvScopeCrossDevice) {
        needs_add(n, NEED_CL_SCOPE_ALL);
    } else if (scope == SpvScopeDevice) {
        needs_add(n, NEED_CL_SCOPE_DEVICE);
    } else if (scope == SpvScopeWorkgroup) {
        needs_add(n, NEED_CL_SCOPE_WORKGROUP);
    } else {
        needs_add(n, NEED_CL_SCOPE_SUBGROUP);
    }
}

void legal_add_scope_needs(struct ir_program *p, uint32_t scope)
{
    add_scope_needs(p, scope, &p->needs);
}

bool legal_may_scope(const struct ir_program *p, uint32_t scope)
{
    struct needs n = {{0}};
    add_scope_needs(p, scope, &n);
    return needs_are_within(&n, &p->allowed);
}

static const uint32_t order_bits[LEGAL_ORDERS] = {
    SpvMemorySemanticsMaskNone, SpvMemorySemanticsAcquireMask, SpvMemorySemanticsReleaseMask,
    SpvMemorySemanticsAcquireReleaseMask, SpvMemorySemanticsSequentiallyConsistentMask};

/* The nearest order that the instruction and the scope permit. */
static enum legal_order permitted_order(const struct ir_program *p, const struct ir_atomic *x,
                                        enum legal_order order)
{
    if (p->env == ENV_VK && x->scope == SpvScopeInvocation) {
        return ORDER_RELAXED; /* SA-04641 */
    }
    if (p->env == ENV_VK && order == ORDER_SEQ_CST) {
        order = ORDER_ACQ_REL; /* SA-10866 */
    }
    if (x->op == OP_core_AtomicLoad && (order == ORDER_RELEASE || order == ORDER_ACQ_REL)) {
        return ORDER_ACQUIRE; /* SA-10868 */
    }
    if (x->op == OP_core_AtomicStore && (order == ORDER_ACQUIRE || order == ORDER_ACQ_REL)) {
        return ORDER_RELEASE; /* SA-10867 */
    }
    return order;
}

static uint32_t vk_class_bits(const struct ir_program *p, const struct ir_atomic *x,
                              enum legal_order order, unsigned classes)
{
    if (order == ORDER_RELAXED) {
        return 0; /* SA-10871 */
    }
    uint32_t bits = 0;
    bits |= classes & 1 ? (uint32_t)SpvMemorySemanticsUniformMemoryMask : 0;
    bits |= classes & 2 ? (uint32_t)SpvMemorySemanticsWorkgroupMemoryMask : 0;
    bits |= classes & 4 ? (uint32_t)SpvMemorySemanticsImageMemoryMask : 0;
    if (bits == 0) { /* SA-10870: the class of the atomic itself */
        enum ir_var_kind const kind = p->vars[x->var].kind;
        bool const is_texel = kind == VAR_IMAGE || kind == VAR_TEXEL;
        bits = is_texel            ? (uint32_t)SpvMemorySemanticsImageMemoryMask
               : kind == VAR_LOCAL ? (uint32_t)SpvMemorySemanticsWorkgroupMemoryMask
                                   : (uint32_t)SpvMemorySemanticsUniformMemoryMask;
    }
    return bits;
}

static uint32_t vk_availability(const struct ir_program *p, enum legal_order order,
                                unsigned classes)
{
    if (!p->vulkan_memory_model || !(classes & 8)) {
        return 0;
    }
    uint32_t bits = 0;
    if (order == ORDER_RELEASE || order == ORDER_ACQ_REL) {
        bits |= SpvMemorySemanticsMakeAvailableMask;
    }
    if (order == ORDER_ACQUIRE || order == ORDER_ACQ_REL) {
        bits |= SpvMemorySemanticsMakeVisibleMask;
    }
    return bits;
}

static uint32_t cl_class_bits(unsigned classes)
{
    uint32_t bits = 0;
    bits |= classes & 1 ? (uint32_t)SpvMemorySemanticsCrossWorkgroupMemoryMask : 0;
    bits |= classes & 2 ? (uint32_t)SpvMemorySemanticsWorkgroupMemoryMask : 0;
    return bits;
}

static struct legal_semantics cl_semantics(struct ir_program *p, enum legal_order order,
                                           unsigned classes)
{
    uint32_t const storage = cl_class_bits(classes);
    struct legal_semantics s = {
        .semantics = order_bits[order] | storage, .unequal = storage, .order = order};
    if (order == ORDER_SEQ_CST) {
        s.unequal |= SpvMemorySemanticsSequentiallyConsistentMask;
        needs_add(&p->needs, NEED_CL_ORDER_SEQ_CST);
        return s;
    }
    needs_add_if(&p->needs, NEED_CL_ORDER_ACQ_REL, order != ORDER_RELAXED);
    if (order == ORDER_ACQUIRE || order == ORDER_ACQ_REL) {
        s.unequal |= SpvMemorySemanticsAcquireMask;
    }
    return s;
}

static struct legal_semantics vk_semantics(const struct ir_program *p, const struct ir_atomic *x,
                                           enum legal_order order, unsigned classes)
{
    uint32_t const storage = vk_class_bits(p, x, order, classes);
    struct legal_semantics s = {.semantics = order_bits[order] | storage |
                                             vk_availability(p, order, classes),
                                .order = order};
    if (order == ORDER_ACQUIRE || order == ORDER_ACQ_REL) {
        s.unequal = SpvMemorySemanticsAcquireMask | storage |
                    (s.semantics & SpvMemorySemanticsMakeVisibleMask);
    }
    return s;
}

struct legal_semantics legal_get_semantics(struct ir_program *p, const struct ir_atomic *x,
                                           enum legal_order order, unsigned classes)
{
    enum legal_order const permitted = permitted_order(p, x, order);
    return p->env == ENV_CL ? cl_semantics(p, permitted, classes)
                            : vk_semantics(p, x, permitted, classes);
}

bool legal_may_order(const struct ir_program *p, enum legal_order order)
{
    if (p->env == ENV_VK || order == ORDER_RELAXED) {
        return true;
    }
    return legal_may(p, order == ORDER_SEQ_CST ? NEED_CL_ORDER_SEQ_CST : NEED_CL_ORDER_ACQ_REL);
}

enum {
    NO_NEED = -1
};

static void add_need(struct needs *n, int need)
{
    if (need != NO_NEED) {
        needs_add(n, (enum need_id)need);
    }
}

static void add_type_needs(enum env env, enum ir_type t, struct needs *n)
{
    static const int type_needs[IR_TYPE_N][ENV_N] = {
        [IR_VOID] = {NO_NEED,      NO_NEED    },
          [IR_BOOL] = {NO_NEED,      NO_NEED    },
        [IR_I8] = {NEED_CL_I8,   NEED_VK_I8 },
          [IR_I16] = {NO_NEED,      NEED_VK_I16},
        [IR_I32] = {NO_NEED,      NO_NEED    },
          [IR_I64] = {NEED_CL_I64,  NEED_VK_I64},
        [IR_F16] = {NEED_CL_F16,  NEED_VK_F16},
          [IR_F32] = {NO_NEED,      NO_NEED    },
        [IR_F64] = {NEED_CL_F64,  NEED_VK_F64},
          [IR_BF16] = {NEED_CL_BF16, NO_NEED    }
    };
    add_need(n, type_needs[t][env]);
}

void legal_need_module(struct ir_program *p)
{
    needs_add(&p->needs, p->env == ENV_CL ? NEED_CL_MODULE : NEED_VK_MODULE);
}

bool legal_may_module(const struct ir_program *p)
{
    return legal_may(p, p->env == ENV_CL ? NEED_CL_MODULE : NEED_VK_MODULE);
}

/* Has the source language of the environment no words for the instruction? */
static bool is_wordless(enum env env, uint32_t op)
{
    static const struct {
        enum op_id op;
        unsigned envs;
    } ops[] = {
#define WORDLESS(set, name, envs) {OP_##set##_##name, envs},
#define CL                        OP_CL
#define VK                        OP_VK
#include "gen/ir/wordless.def"
#undef CL
#undef VK
    };
    unsigned const bit = op_get_env_bit(env);
    for (size_t i = 0; i < ARRAY_N(ops); i++) {
        if (op_rows[ops[i].op].number == op && (ops[i].envs & bit)) {
            return true;
        }
    }
    return false;
}

void legal_add_op_needs(struct ir_program *p, uint32_t op)
{
    if (is_wordless(p->env, op)) {
        legal_need_module(p);
    }
}

bool legal_may_op(const struct ir_program *p, uint32_t op)
{
    return legal_may_module(p) || !is_wordless(p->env, op);
}

void legal_add_type_needs(struct ir_program *p, enum ir_type t)
{
    add_type_needs(p->env, t, &p->needs);
}

bool legal_may_type(const struct ir_program *p, enum ir_type t)
{
    struct needs n = {{0}};
    add_type_needs(p->env, t, &n);
    return needs_are_within(&n, &p->allowed);
}

/* What images and texel buffers need: by their format, and images also by how their texels lie. */
static void add_texel_needs(const struct buf_kind_row *kind, struct needs *n)
{
    static const int format_needs[TEXEL_FORMAT_N][2] = {
  /* of a texel buffer, of an image */
        [TEXEL_NONE] = {NO_NEED,               NO_NEED              },
        [TEXEL_R32F] = {NEED_VK_TEXEL_BUFFER,  NEED_VK_IMAGE        },
        [TEXEL_R32UI] = {NEED_VK_R32UI_TEXEL,   NEED_VK_R32UI_IMAGE  },
        [TEXEL_RG16F] = {NEED_VK_RG16F_TEXEL,   NEED_VK_RG16F_IMAGE  },
        [TEXEL_RGBA16F] = {NEED_VK_RGBA16F_TEXEL, NEED_VK_RGBA16F_IMAGE}
    };
    static const int texels_needs[TEXELS_N] = {[TEXELS_NONE] = NO_NEED,
                                               [TEXELS_BUFFER] = NO_NEED,
                                               [TEXELS_1D] = NEED_VK_IMAGE_1D,
                                               [TEXELS_2D] = NO_NEED,
                                               [TEXELS_3D] = NEED_VK_IMAGE_3D,
                                               [TEXELS_CUBE] = NEED_VK_IMAGE_CUBE,
                                               [TEXELS_1D_ARRAY] = NEED_VK_IMAGE_1D_ARRAY,
                                               [TEXELS_2D_ARRAY] = NEED_VK_IMAGE_2D_ARRAY,
                                               [TEXELS_CUBE_ARRAY] = NEED_VK_IMAGE_CUBE_ARRAY};
    add_need(n, format_needs[kind->format][kind->texels != TEXELS_BUFFER]);
    add_need(n, texels_needs[kind->texels]);
    needs_add_if(n, NEED_VK_RG16F_FORMAT,
                 kind->texels == TEXELS_BUFFER && kind->format == TEXEL_RG16F);
}

/* What numbers in memory need: of 8 and 16 bits in buffers of Vulkan more than in registers. */
static void add_stored_needs(enum env env, enum ir_type type, bool is_buffer, struct needs *n)
{
    add_type_needs(env, type, n);
    needs_add_if(n, NEED_VK_16BIT_STORAGE, is_buffer && env == ENV_VK && ir_type_bits(type) == 16);
    needs_add_if(n, NEED_VK_8BIT_STORAGE, is_buffer && env == ENV_VK && ir_type_bits(type) == 8);
}

static void add_struct_needs(enum env env, const struct ir_struct *s, bool is_buffer,
                             struct needs *n)
{
    for (uint32_t i = 0; i < s->n_fields; i++) {
        if (s->field[i].inner) {
            add_struct_needs(env, s->field[i].inner, is_buffer, n);
        } else {
            add_stored_needs(env, s->field[i].type, is_buffer, n);
        }
    }
}

static void add_var_needs(enum env env, const struct ir_var *v, struct needs *n)
{
    bool const is_buffer = v->kind == VAR_BUFFER || v->kind == VAR_PHYSICAL;
    if (v->of_struct) {
        add_struct_needs(env, v->of_struct, is_buffer, n);
    } else {
        add_stored_needs(env, v->type, is_buffer, n);
    }
    if (env == ENV_CL) {
        return;
    }
    needs_add_if(n, NEED_VK_PHYSICAL, v->kind == VAR_PHYSICAL);
    if (v->kind == VAR_PHYSICAL && v->by_integer) {
        add_type_needs(env, IR_I64, n);
    }
    if (v->kind == VAR_TEXEL || v->kind == VAR_IMAGE) {
        add_texel_needs(&buf_kind_rows[v->image.kind], n);
    }
}

void legal_add_var_needs(struct ir_program *p, const struct ir_var *v)
{
    add_var_needs(p->env, v, &p->needs);
}

bool legal_may_var(const struct ir_program *p, const struct ir_var *v)
{
    struct needs n = {{0}};
    add_var_needs(p->env, v, &n);
    return needs_are_within(&n, &p->allowed);
}

/* Load, store and exchange; add; min and max. */
enum op_class {
    CLASS_LS,
    CLASS_ADD,
    CLASS_MINMAX
};
enum {
    OP_CLASS_N = 3
};

static enum op_class class_of(enum op_id op)
{
    if (op == OP_core_AtomicFAddEXT) {
        return CLASS_ADD;
    }
    return op == OP_core_AtomicFMinEXT || op == OP_core_AtomicFMaxEXT ? CLASS_MINMAX : CLASS_LS;
}

/* The last index of both tables; OpenCL has no images. */
enum need_memory {
    IN_BUFFER,
    IN_LOCAL,
    IN_IMAGE
};

static enum need_memory memory_of(enum ir_var_kind kind)
{
    if (kind == VAR_BUFFER || kind == VAR_PHYSICAL) {
        return IN_BUFFER;
    }
    return kind == VAR_LOCAL ? IN_LOCAL : IN_IMAGE;
}

/* [f16, f32, f64, bf16][class][global, local]; A4 */
static const int cl_needs[4][OP_CLASS_N][2] = {
    {{NEED_CL_F16_GLOBAL_LS, NEED_CL_F16_LOCAL_LS},
     {NEED_CL_F16_GLOBAL_ADD, NEED_CL_F16_LOCAL_ADD},
     {NEED_CL_F16_GLOBAL_MINMAX, NEED_CL_F16_LOCAL_MINMAX}},
    {{NO_NEED, NO_NEED},
     {NEED_CL_F32_GLOBAL_ADD, NEED_CL_F32_LOCAL_ADD},
     {NEED_CL_F32_GLOBAL_MINMAX, NEED_CL_F32_LOCAL_MINMAX}},
    {{NEED_CL_F64_ATOMIC_LS, NEED_CL_F64_ATOMIC_LS},
     {NEED_CL_F64_GLOBAL_ADD, NEED_CL_F64_LOCAL_ADD},
     {NEED_CL_F64_GLOBAL_MINMAX, NEED_CL_F64_LOCAL_MINMAX}},
    {{NEED_CL_BF16_LS, NEED_CL_BF16_LS},
     {NEED_CL_BF16_ADD, NEED_CL_BF16_ADD},
     {NEED_CL_BF16_MINMAX, NEED_CL_BF16_MINMAX}           }
};
/* [f16, f32, f64][class][buffer, local, image]; A3 */
static const int vk_needs[3][OP_CLASS_N][3] = {
    {{NEED_VK_F16_BUFFER_LS, NEED_VK_F16_SHARED_LS, NO_NEED},
     {NEED_VK_F16_BUFFER_ADD, NEED_VK_F16_SHARED_ADD, NO_NEED},
     {NEED_VK_F16_BUFFER_MINMAX, NEED_VK_F16_SHARED_MINMAX, NO_NEED}                 },
    {{NEED_VK_F32_BUFFER_LS, NEED_VK_F32_SHARED_LS, NEED_VK_F32_IMAGE_LS},
     {NEED_VK_F32_BUFFER_ADD, NEED_VK_F32_SHARED_ADD, NEED_VK_F32_IMAGE_ADD},
     {NEED_VK_F32_BUFFER_MINMAX, NEED_VK_F32_SHARED_MINMAX, NEED_VK_F32_IMAGE_MINMAX}},
    {{NEED_VK_F64_BUFFER_LS, NEED_VK_F64_SHARED_LS, NO_NEED},
     {NEED_VK_F64_BUFFER_ADD, NEED_VK_F64_SHARED_ADD, NO_NEED},
     {NEED_VK_F64_BUFFER_MINMAX, NEED_VK_F64_SHARED_MINMAX, NO_NEED}                 }
};

static void add_integer_needs(enum env env, const struct ir_var *v, enum op_id op, struct needs *n)
{
    bool const is_copy = op == OP_core_AtomicLoad || op == OP_core_AtomicStore ||
                         op == OP_core_AtomicExchange || op == OP_core_AtomicCompareExchange;
    if (v->type == IR_I16) {
        assert(env == ENV_CL);
        needs_add(n, is_copy ? NEED_CL_I16_CMPXCHG : NEED_CL_I16_ATOMICS);
    }
    if (v->type != IR_I64) {
        return;
    }
    if (env == ENV_CL) {
        needs_add(n, NEED_CL_I64_ATOMICS);
    } else {
        needs_add(n,
                  v->kind == VAR_LOCAL ? NEED_VK_I64_SHARED_ATOMICS : NEED_VK_I64_BUFFER_ATOMICS);
    }
}

bool legal_has_vector_form(enum op_id op)
{
    return op == OP_core_AtomicExchange || op == OP_core_AtomicFAddEXT ||
           op == OP_core_AtomicFMinEXT || op == OP_core_AtomicFMaxEXT;
}

/* Adds to n what a device must have for the atomic x on the variable v: for its pointer, and by its operation, type
 * and storage. A generic pointer may lead to either address space, so that in OpenCL it needs what both
 * need. An atomic in a function of its own (x->function) is passed the pointer: in Vulkan a pointer to a
 * buffer is then a variable pointer. */
static void add_atomic_needs(enum env env, const struct ir_var *v, const struct ir_atomic *x,
                             struct needs *n)
{
    needs_add_if(n, NEED_CL_GENERIC, x->generic);
    needs_add_if(n, NEED_VK_VARPTR_SB, x->function && env == ENV_VK && v->kind == VAR_BUFFER);
    /* images of r32ui are unsigned in GLSL */
    bool const is_signed = x->op == OP_core_AtomicSMin || x->op == OP_core_AtomicSMax;
    needs_add_if(n, NEED_VK_MODULE,
                 is_signed && env == ENV_VK && (v->kind == VAR_IMAGE || v->kind == VAR_TEXEL));
    if (!ir_type_is_float(v->type)) {
        add_integer_needs(env, v, x->op, n);
        return;
    }
    if (ir_var_components(v) > 1) { /* one feature for all of its operations, wherever they work */
        assert(env == ENV_VK && v->type == IR_F16 && legal_has_vector_form(x->op));
        needs_add(n, NEED_VK_F16_VECTORS);
        return;
    }
    unsigned const row = (unsigned)(v->type - IR_F16); /* of the tables: the width */
    enum op_class const c = class_of(x->op);
    if (env == ENV_VK) {
        enum need_memory const memory = memory_of(v->kind);
        assert(memory != IN_IMAGE || v->type == IR_F32);
        add_need(n, vk_needs[row][c][memory]);
        return;
    }
    if (v->kind != VAR_LOCAL || x->generic) {
        add_need(n, cl_needs[row][c][IN_BUFFER]);
    }
    if (v->kind == VAR_LOCAL || x->generic) {
        add_need(n, cl_needs[row][c][IN_LOCAL]);
    }
}

void legal_add_atomic_needs(struct ir_program *p, const struct ir_atomic *x)
{
    add_atomic_needs(p->env, &p->vars[x->var], x, &p->needs);
}

bool legal_may_atomic(const struct ir_program *p, const struct ir_var *v, const struct ir_atomic *x)
{
    struct needs n = {{0}};
    add_atomic_needs(p->env, v, x, &n);
    return needs_are_within(&n, &p->allowed);
}
