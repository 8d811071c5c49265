/* gen/print/glsl_memory.c -- buffers, images, work-group memory and variables in GLSL, and what reads and writes them. */
#include "gen/print/glsl_memory.h"
#include "base/spv.h"

#include "gen/print/text.h"
#include "gen/view/view.h"

enum {
    MAX_DEPTH = 8,       /* of calls that pass a pointer */
    REFERENCE_ALIGN = 16 /* bytes; a buffer's memory is aligned to more */
};

/* ---- memory that is read as signed ---- */

/* The function that a parameter is of, and its index among its parameters. */
static uint32_t find_function(const struct printer *p, uint32_t parameter, uint32_t *index)
{
    uint32_t function = 0;
    struct spv_inst in = {.n = 0};
    while (view_next(p->m, &in)) {
        if (in.op == SpvOpFunction) {
            function = in.w[2];
            *index = 0;
        } else if (in.op == SpvOpFunctionParameter) {
            if (in.w[2] == parameter) {
                return function;
            }
            ++*index;
        }
    }
    return 0;
}

/* The variables that a pointer may be of are declared as signed: those that the calls of its function pass to it. */
static void mark_signed(struct printer *p, uint32_t pointer, uint32_t depth)
{
    struct view_id *const id = view_get(p->m, pointer);
    if (id->in.op == SpvOpAccessChain || id->in.op == SpvOpInBoundsAccessChain ||
        id->in.op == SpvOpImageTexelPointer) {
        mark_signed(p, id->in.w[3], depth);
        return;
    }
    if (id->in.op == SpvOpLoad || id->in.op == SpvOpConvertUToPtr) { /* all that is reached so */
        view_get(p->m, id->in.w[1])->is_signed_memory = true;
        return;
    }
    if (id->in.op != SpvOpFunctionParameter || depth == MAX_DEPTH) {
        id->is_signed_memory = true;
        return;
    }
    uint32_t index = 0;
    uint32_t const function = find_function(p, pointer, &index);
    struct spv_inst in = {.n = 0};
    while (view_next(p->m, &in)) {
        if (in.op == SpvOpFunctionCall && in.w[3] == function && in.n > 4 + index) {
            mark_signed(p, in.w[4 + index], depth + 1);
        }
    }
}

static void find_signed(struct printer *p)
{
    struct spv_inst in = {.n = 0};
    while (view_next(p->m, &in)) {
        if ((in.op == SpvOpAtomicSMin || in.op == SpvOpAtomicSMax) && in.n > 3) {
            mark_signed(p, in.w[3], 0);
        }
    }
}

/* ---- declarations ---- */

/* The argument of the id's decoration; false: it has none. */
static bool find_decoration(const struct printer *p, uint32_t id, uint32_t decoration,
                            uint32_t *argument)
{
    struct spv_inst const in = view_find_decoration(p->m, id, decoration);
    *argument = in.n > 3 ? in.w[3] : 0;
    return in.n > 0;
}

/* Where the first member of a block lies. */
static uint32_t find_offset(const struct printer *p, uint32_t block)
{
    uint32_t offset = 0;
    (void)spv_find_member_decoration(p->m->w, p->m->n_words, block, 0, SpvDecorationOffset,
                                     &offset);
    return offset;
}

static void need_storage(struct printer *p, uint32_t type)
{
    uint32_t const n_bits = view_count_bits(p->m, type);
    if (n_bits == 16) {
        glsl_need(p, GLSL_STORAGE_16);
    } else if (n_bits == 8) {
        glsl_need(p, GLSL_STORAGE_8);
    }
}

static enum text_sign sign_of(const struct view_id *variable)
{
    return variable->is_signed_memory ? TEXT_SIGNED : TEXT_UNSIGNED;
}

/* The one member of a block, which is at offset 0: "T d[]", whose stride is the one that std430 gives it, or an
 * address, "R5 d" or "uint64_t d". */
static const char *declare_member(struct printer *p, uint32_t block, enum text_sign sign)
{
    const struct spv_inst *const structure = &view_get(p->m, block)->in;
    uint32_t const member = structure->n == 3 ? structure->w[2] : 0;
    const struct spv_inst *const array = &view_get(p->m, member)->in;
    uint32_t stride = 0;
    if (structure->op == SpvOpTypeStruct &&
        (array->op == SpvOpTypePointer || array->op == SpvOpTypeInt)) {
        return textf(p, "%s d", text_name(p, member));
    }
    if (structure->op != SpvOpTypeStruct || array->op != SpvOpTypeRuntimeArray) {
        return text_fail(p, "a buffer that is not an array of numbers");
    }
    uint32_t const n = view_count_components(p->m, array->w[2]);
    uint32_t const n_bytes = view_count_bits(p->m, array->w[2]) / 8 * (n == 3 ? 4 : n);
    if (!find_decoration(p, array->w[1], SpvDecorationArrayStride, &stride) || stride != n_bytes) {
        return text_fail(p, "an array of this stride");
    }
    need_storage(p, array->w[2]);
    return textf(p, "%s d[]", glsl_type(p, array->w[2], sign));
}

/* What in says of memory, and the pointer that it goes through; 0: nothing. */
static uint32_t get_operands(const struct spv_inst *in, uint32_t *pointer)
{
    uint32_t const at = in->op == SpvOpLoad ? 4 : 3;
    bool const is_access = in->op == SpvOpLoad || in->op == SpvOpStore;
    if (!is_access || in->n <= at) {
        return 0;
    }
    *pointer = in->w[in->op == SpvOpLoad ? 3 : 1];
    return in->w[at];
}

/* Under Vulkan's memory model: do accesses to the variable say that other invocations come there too? Of shared variables
 * GLSL says so by itself. */
static bool is_not_private(const struct printer *p, uint32_t variable)
{
    uint32_t pointer = 0;
    struct spv_inst in = {.n = 0};
    while (view_next(p->m, &in)) {
        if (get_operands(&in, &pointer) & SpvMemoryAccessNonPrivatePointerMask) {
            const struct spv_inst *const chain = &view_get(p->m, pointer)->in;
            if (chain->op == SpvOpAccessChain && chain->w[3] == variable) {
                return true;
            }
        }
    }
    return false;
}

/* Who sees what is stored in a buffer. */
static const char *qualify(struct printer *p, uint32_t variable)
{
    uint32_t none;
    if (is_not_private(p, variable)) {
        glsl_need(p, GLSL_SCOPES);
        return "workgroupcoherent ";
    }
    return find_decoration(p, variable, SpvDecorationCoherent, &none) ? "coherent " : "";
}

/* The variable of a block with that member; kind: "buffer", "uniform". */
static const char *declare_block(struct printer *p, struct view_id *v, const char *layout,
                                 const char *kind, const char *member)
{
    v->element = textf(p, "b%u", v->in.w[2]);
    return textf(p, "layout(%s) %s B%u { %s; } %s;\n", layout, kind, v->in.w[2], member,
                 v->element);
}

/* "T d[n]", the one member of a block that nobody writes, at that offset. Its stride is the layout's: std140 has vectors
 * of 16 bytes in uniform buffers. */
static const char *declare_constants(struct printer *p, uint32_t block, bool is_push)
{
    const struct spv_inst *const structure = &view_get(p->m, block)->in;
    uint32_t const member = structure->n == 3 ? structure->w[2] : 0;
    const struct spv_inst *const array = &view_get(p->m, member)->in;
    uint32_t stride = 0;
    if (structure->op != SpvOpTypeStruct || array->op != SpvOpTypeArray) {
        return text_fail(p, "a uniform block that is not an array of numbers");
    }
    uint32_t const n_bytes =
        view_count_bits(p->m, array->w[2]) / 8 * view_count_components(p->m, array->w[2]);
    if (!find_decoration(p, array->w[1], SpvDecorationArrayStride, &stride) || stride != n_bytes ||
        (!is_push && n_bytes != 16)) {
        return text_fail(p, "an array of this stride");
    }
    need_storage(p, array->w[2]);
    return textf(p, "layout(offset = %u) %s d[%u]", find_offset(p, block),
                 text_name(p, array->w[2]), (unsigned)view_get_number(p->m, array->w[3]));
}

/* A block that is reached by its address. */
static const char *declare_reference(struct printer *p, const struct spv_inst *in)
{
    bool const is_block = in->n == 4 && in->w[2] == SpvStorageClassPhysicalStorageBuffer &&
                          view_get(p->m, in->w[3])->in.op == SpvOpTypeStruct;
    if (!is_block) {
        return "";
    }
    const char *const name = text_name(p, in->w[1]);
    return textf(
        p, "layout(std430, buffer_reference, buffer_reference_align = %u) buffer %s { %s; };\n",
        (unsigned)REFERENCE_ALIGN, name,
        declare_member(p, in->w[3], sign_of(view_get(p->m, in->w[1]))));
}

/* Returns the declaration of a storage image: `layout(set = 0, binding = 1, r32f) uniform image2D i7;`. v
 * is the variable's id, `image` its OpTypeImage. The text fails for multisampled or sampled images, and for
 * dimensions or formats beyond the tables. */
static const char *declare_image(struct printer *p, struct view_id *v, const struct spv_inst *image,
                                 uint32_t set, uint32_t binding)
{
    enum {
        AT_DIM = 3, /* words of OpTypeImage */
        AT_ARRAYED = 5,
        AT_MULTISAMPLED = 6,
        AT_SAMPLED = 7,
        AT_FORMAT = 8,
        WITHOUT_SAMPLER = 2, /* Sampled: a storage image */
        ARRAYED = 1 << 16    /* beside SpvDim, in `dims` */
    };
    static const struct text_word dims[] = {
        {SpvDim1D,             "image1D"       },
        {SpvDim2D,             "image2D"       },
        {SpvDim3D,             "image3D"       },
        {SpvDimCube,           "imageCube"     },
        {SpvDimBuffer,         "imageBuffer"   },
        {SpvDim1D | ARRAYED,   "image1DArray"  },
        {SpvDim2D | ARRAYED,   "image2DArray"  },
        {SpvDimCube | ARRAYED, "imageCubeArray"},
    };
    static const struct text_word formats[] = {
        {SpvImageFormatR32f,    "r32f"   },
        {SpvImageFormatR32ui,   "r32ui"  },
        {SpvImageFormatRg16f,   "rg16f"  },
        {SpvImageFormatRgba16f, "rgba16f"},
        {SpvImageFormatRgba32f, "rgba32f"},
        {SpvImageFormatR16f,    "r16f"   },
    };
    static const char other[] = "an image of this kind or format";
    bool const is_float = view_get(p->m, image->w[2])->in.op == SpvOpTypeFloat;
    bool const is_storage =
        image->n >= 9 && image->w[AT_MULTISAMPLED] == 0 && image->w[AT_SAMPLED] == WITHOUT_SAMPLER;
    if (!is_float && v->is_signed_memory) {
        return text_fail(p, "signed minima or maxima on an image");
    }
    if (!is_storage) {
        return text_fail(p, other);
    }
    uint64_t const dim = image->w[AT_DIM] | (image->w[AT_ARRAYED] ? (uint64_t)ARRAYED : 0);
    const char *const format =
        text_find_word(p, formats, ARRAY_N(formats), image->w[AT_FORMAT], other);
    v->element = textf(p, "i%u", v->in.w[2]);
    return textf(p, "layout(set = %u, binding = %u, %s) uniform %s%s %s;\n", set, binding, format,
                 is_float ? "" : "u", text_find_word(p, dims, ARRAY_N(dims), dim, other),
                 v->element);
}

static const char *declare_shared(struct printer *p, struct view_id *v,
                                  const struct spv_inst *array)
{
    if (array->op != SpvOpTypeArray || array->n != 4) {
        return text_fail(p, "a work-group variable that is no array");
    }
    v->element = textf(p, "l%u", v->in.w[2]);
    return textf(p, "shared %s %s[%u];\n", glsl_type(p, array->w[2], sign_of(v)), v->element,
                 (unsigned)view_get_number(p->m, array->w[3]));
}

/* Returns the declaration of a module-scope variable (the OpVariable in), by its storage class: shared
 * memory, an image, a uniform or storage block, push constants; "" for a built-in input, which GLSL
 * declares itself. The text fails for others. */
static const char *declare(struct printer *p, const struct spv_inst *in)
{
    struct view_id *const v = view_get(p->m, in->w[2]);
    const struct spv_inst *const pointer = &view_get(p->m, in->w[1])->in;
    uint32_t const pointee = pointer->n == 4 ? pointer->w[3] : 0;
    const struct spv_inst *const type = &view_get(p->m, pointee)->in;
    uint32_t set = 0, binding = 0, unused;
    v->is_simple = true;
    switch (in->w[3]) {
    case SpvStorageClassInput:
        return v->built_in ? "" : text_fail(p, "an input that is not built in");
    case SpvStorageClassWorkgroup:
        return declare_shared(p, v, type);
    case SpvStorageClassUniform:
    case SpvStorageClassStorageBuffer:
    case SpvStorageClassUniformConstant:
        if (!find_decoration(p, in->w[2], SpvDecorationDescriptorSet, &set) ||
            !find_decoration(p, in->w[2], SpvDecorationBinding, &binding)) {
            return text_fail(p, "a resource without a binding");
        }
        if (type->op == SpvOpTypeImage) {
            return declare_image(p, v, type, set, binding);
        }
        /* in class Uniform, Block is a uniform block and BufferBlock the older form of a storage buffer */
        if (in->w[3] == SpvStorageClassUniform &&
            find_decoration(p, pointee, SpvDecorationBlock, &unused)) {
            return declare_block(p, v, textf(p, "std140, set = %u, binding = %u", set, binding),
                                 "uniform", declare_constants(p, pointee, false));
        }
        return declare_block(p, v, textf(p, "std430, set = %u, binding = %u", set, binding),
                             textf(p, "%sbuffer", qualify(p, in->w[2])),
                             declare_member(p, pointee, sign_of(v)));
    case SpvStorageClassPushConstant:
        /* true: push constants, whose arrays are laid out by std430 */
        return declare_block(p, v, "push_constant, std430", "uniform",
                             declare_constants(p, pointee, true));
    default:
        return text_fail(p, "a variable of this storage class");
    }
}

const char *glsl_declare(struct printer *p)
{
    const char *text = "";
    struct spv_inst in = {.n = 0};
    find_signed(p);
    while (view_next_global(p->m, &in)) {
        if (in.op == SpvOpVariable && in.n > 3) {
            text = textf(p, "%s%s", text, declare(p, &in));
        } else if (in.op == SpvOpTypePointer) {
            text = textf(p, "%s%s", text, declare_reference(p, &in));
        }
    }
    return text;
}

/* ---- built-ins ---- */

/* Returns GLSL's name of a built-in variable, and notes the extension that the name needs (glsl_need). */
static const char *name_built_in(struct printer *p, uint32_t built_in)
{
    static const struct {
        uint32_t built_in;
        const char *name;
    } names[] = {
        {SpvBuiltInGlobalInvocationId,        "gl_GlobalInvocationID"  },
        {SpvBuiltInWorkgroupId,               "gl_WorkGroupID"         },
        {SpvBuiltInLocalInvocationId,         "gl_LocalInvocationID"   },
        {SpvBuiltInNumWorkgroups,             "gl_NumWorkGroups"       },
        {SpvBuiltInLocalInvocationIndex,      "gl_LocalInvocationIndex"},
        {SpvBuiltInSubgroupSize,              "gl_SubgroupSize"        },
        {SpvBuiltInSubgroupId,                "gl_SubgroupID"          },
        {SpvBuiltInNumSubgroups,              "gl_NumSubgroups"        },
        {SpvBuiltInSubgroupLocalInvocationId, "gl_SubgroupInvocationID"},
        {SpvBuiltInSubgroupEqMask,            "gl_SubgroupEqMask"      },
        {SpvBuiltInSubgroupGeMask,            "gl_SubgroupGeMask"      },
        {SpvBuiltInSubgroupGtMask,            "gl_SubgroupGtMask"      },
        {SpvBuiltInSubgroupLeMask,            "gl_SubgroupLeMask"      },
        {SpvBuiltInSubgroupLtMask,            "gl_SubgroupLtMask"      },
    };
    enum {
        FIRST_OF_SUBGROUP = 5, /* rows of `names` */
        FIRST_MASK = 9
    };
    for (size_t i = 0; i < ARRAY_N(names); i++) {
        if (names[i].built_in != built_in) {
            continue;
        }
        if (i >= FIRST_MASK) {
            glsl_need(p, GLSL_SUBGROUP_BALLOT);
        } else if (i >= FIRST_OF_SUBGROUP) {
            glsl_need(p, GLSL_SUBGROUP_BASIC);
        }
        return names[i].name;
    }
    return text_fail(p, "this built-in");
}

/* ---- access ---- */

static void put_variable(struct printer *p, const struct spv_inst *in)
{
    struct view_id *const id = view_get(p->m, in->w[2]);
    const struct spv_inst *const pointer = &view_get(p->m, in->w[1])->in;
    if (in->n > 4 || pointer->n != 4) {
        (void)text_fail(p, "a variable with an initializer");
        return;
    }
    id->element = textf(p, "m%u", in->w[2]);
    text_put_variable(p, "%s", text_declare(p, pointer->w[3], id->element));
}

/* The instruction's result is the address of a block, which this text names. */
static void set_address(struct printer *p, const struct spv_inst *in, const char *text)
{
    struct view_id *const id = view_get(p->m, in->w[2]);
    id->element = text;
    id->is_signed_memory = view_get(p->m, in->w[1])->is_signed_memory;
}

static void put_load(struct printer *p, const struct spv_inst *in)
{
    const struct view_id *const pointer = view_get(p->m, in->w[3]);
    if (pointer->built_in != 0) {
        text_define(p, in, name_built_in(p, pointer->built_in - 1), true, true);
        return;
    }
    const char *const text = text_element(p, in->w[3]);
    if (view_get(p->m, in->w[1])->in.op == SpvOpTypePointer) {
        set_address(p, in, text); /* read where it is used: nothing writes it */
        return;
    }
    text_define(p, in,
                pointer->is_signed_memory ? textf(p, "%s(%s)", text_name(p, in->w[1]), text) : text,
                false, false);
}

/* An address that was loaded as a number is read again, as what is loaded from has a name in every function. */
static void put_address(struct printer *p, const struct spv_inst *in)
{
    const struct spv_inst *const load = &view_get(p->m, in->w[3])->in;
    if (load->op != SpvOpLoad) {
        (void)text_fail(p, "an address that is computed");
        return;
    }
    set_address(p, in, textf(p, "%s(%s)", text_name(p, in->w[1]), text_element(p, load->w[3])));
}

static void put_store(struct printer *p, const struct spv_inst *in)
{
    bool const is_signed = view_get(p->m, in->w[1])->is_signed_memory;
    text_put_line(p, "%s = %s;", text_element(p, in->w[1]),
                  is_signed ? text_signed(p, in->w[2]) : text_value(p, in->w[2]));
}

/* OpCopyMemory, between memories that may be read with another sign. */
static void put_copy(struct printer *p, const struct spv_inst *in)
{
    const struct view_id *const to = view_get(p->m, in->w[1]), *const from =
                                                                   view_get(p->m, in->w[2]);
    const struct spv_inst *const pointer = &view_get(p->m, to->type)->in;
    const char *text = text_element(p, in->w[2]);
    if (to->is_signed_memory != from->is_signed_memory && pointer->n == 4) {
        enum text_sign const sign = to->is_signed_memory ? TEXT_SIGNED : TEXT_UNSIGNED;
        text = textf(p, "%s(%s)", glsl_type(p, pointer->w[3], sign), text);
    }
    text_put_line(p, "%s = %s;", text_element(p, in->w[1]), text);
}

/* Prints an access chain: the element of its id is the base with `.d` for the only member of a block and
 * `[i]` for an index into an array or vector. The array and the last index are kept apart too, as a
 * function can be passed the index (put_copy of glsl_inst.c). */
static void put_chain(struct printer *p, const struct spv_inst *in)
{
    enum {
        FIRST_INDEX = 4 /* word of OpAccessChain */
    };
    struct view_id *const id = view_get(p->m, in->w[2]);
    const struct view_id *const base = view_get(p->m, in->w[3]);
    const struct spv_inst *const pointer = &view_get(p->m, base->type)->in;
    const char *text = base->element;
    uint32_t type = pointer->n == 4 ? pointer->w[3] : 0; /* what the base points to */
    id->array = id->index = NULL;
    for (uint32_t k = FIRST_INDEX; k < in->n && text; k++) {
        const struct spv_inst *const t = &view_get(p->m, type)->in;
        bool const is_block = t->op == SpvOpTypeStruct && t->n == 3; /* of one member */
        if (is_block) {
            text = textf(p, "%s.d", text);
            type = t->w[2];
        } else if (t->op == SpvOpTypeArray || t->op == SpvOpTypeRuntimeArray ||
                   t->op == SpvOpTypeVector) {
            id->array = text;
            id->index = text_value(p, in->w[k]);
            text = textf(p, "%s[%s]", text, id->index);
            type = t->w[2];
        } else { /* such as a struct of several members */
            text = NULL;
        }
    }
    if (!text) { /* or the base has no text as memory */
        (void)text_fail(p, "an access chain of this kind");
        return;
    }
    id->element = text;
    id->is_signed_memory = base->is_signed_memory;
}

static void put_texel(struct printer *p, const struct spv_inst *in)
{
    struct view_id *const id = view_get(p->m, in->w[2]);
    uint32_t const n = view_count_components(p->m, view_type_of(p->m, in->w[4]));
    const char *const name =
        n == 1 ? "int" : glsl_type(p, view_type_of(p->m, in->w[4]), TEXT_SIGNED);
    id->array = id->index = NULL;
    id->element = textf(p, "%s, %s(%s)", text_element(p, in->w[3]), name, text_value(p, in->w[4]));
}

/* Prints an instruction that declares, addresses, reads or writes memory. Returns false for any other
 * instruction. */
bool glsl_put_memory(struct printer *p, const struct spv_inst *in)
{
    switch (in->op) {
    case SpvOpVariable:
        put_variable(p, in);
        return true;
    case SpvOpLoad:
        put_load(p, in);
        return true;
    case SpvOpStore:
        put_store(p, in);
        return true;
    case SpvOpCopyMemory:
        put_copy(p, in);
        return true;
    case SpvOpConvertUToPtr:
        put_address(p, in);
        return true;
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
        put_chain(p, in);
        return true;
    case SpvOpImageTexelPointer:
        put_texel(p, in);
        return true;
    default:
        return false;
    }
}
