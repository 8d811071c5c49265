/* oracle/interp/module.c -- decode a SPIR-V module for the interpreter. */
#define SPV_ENABLE_UTILITY_CODE
#include "oracle/interp/module.h"
#include "oracle/interp/module_part.h"

#include <stddef.h>
#include <string.h>

#include "base/caps.h"
#include "base/format.h"
#include "base/integer.h"
#include "base/kernel_args.h"
#include "base/ops.h"
#include "oracle/interp/availability.h"
#include "oracle/interp/group_kind.h"
#include "oracle/interp/loops.h"
#include "oracle/interp/lower.h"
#include "oracle/interp/lower_matrix.h"
#include "oracle/interp/lower_put.h"

enum {
    MAX_OBJECT_BYTES = 1 << 20
}; /* of a work-group variable: more than any device has */

/* Extended sets of instructions, by the name they are imported under. */
static const struct {
    const char *name;
    enum op_set set;
} extended_sets[] = {
    {"SPV_AMD_shader_ballot", OP_SET_amd_ballot},
    {"OpenCL.std",            OP_SET_opencl_std},
    {"GLSL.std.450",          OP_SET_glsl450   }
};
enum {
    N_EXTENDED_SETS = 3,
    NUMBER_MASK = 0xffff, /* of an instruction within its set */
    MAX_BINDING = 63,
    WG_ALIGNMENT =
        32 /* bytes, of a work-group variable: of the widest vector that a struct may have */
};
/* Words of instructions as they stand in the module. */
enum {
    TYPE_ID = 1, /* of OpType*: the id, then what it is made of */
    TYPE_FIRST,
    TYPE_SECOND,
    TYPE_ARRAYED = 5, /* of OpTypeImage */
    VALUE_TYPE = 1,   /* of constants and variables: type, id, then operands */
    VALUE_ID,
    VALUE_FIRST
};

/* A decoration of a member of a struct, which comes before the struct. */
struct member_offset {
    uint32_t type, member, decoration, offset;
};
struct decoder {
    struct module *m;
    const uint32_t *words;
    uint32_t n_words;
    const char *entry;
    const struct testcase *tc; /* whose values specialization constants have; NULL: their own */
    struct arena *a;
    struct err *e;
    uint32_t entry_id, current_function;
    uint32_t imported[N_EXTENDED_SETS]; /* ids of extended_sets, 0: not imported */
    uint32_t n_args;                    /* kernel parameters seen */
    uint32_t next_copy;  /* id of what the next OpCopyMemory copies, and of what is lowered */
    uint32_t cap_consts; /* slots that there is room for */
    uint32_t n_blocks;   /* begun so far, and calls */
    uint32_t n_entries;  /* entry points that the module has */
    bool *
        is_reached; /* by id of a function: by calls from the entry point; NULL: as good as all are */
    struct member_offset *offsets;
    uint32_t n_offsets;
    uint32_t at; /* word offset, for messages */
};

static enum res bad(struct decoder *d, const char *what)
{
    return err_set(d->e, RES_FORMAT, "module: word %u: %s", d->at, what);
}

static void give_up(struct module *m, const char *why)
{
    if (!m->unsupported) {
        m->unsupported = why;
    }
}

/* The id, or NULL when it is out of bounds. */
static struct mod_id *get_id(struct decoder *d, uint32_t id)
{
    return id > 0 && id < d->m->n_ids ? &d->m->ids[id] : NULL;
}

/* What the address of a value of the type is a multiple of where nothing else is said. */
static uint32_t get_alignment(const struct module *m, uint32_t type)
{
    const struct mod_type *const t = module_get_type(m, type);
    uint32_t alignment = 1;
    if (t->kind == TK_ARRAY) {
        return get_alignment(m, t->elem);
    }
    bool const is_padded = t->kind == TK_STRUCT && !(m->ids[type].flags & ID_PACKED);
    for (uint32_t i = 0; is_padded && i < t->n_members; i++) {
        uint32_t const one = get_alignment(m, t->members[i]);
        alignment = one > alignment ? one : alignment;
    }
    uint32_t const n_bytes = t->kind == TK_STRUCT ? 0 : module_get_type_bytes(m, type);
    return n_bytes > alignment ? n_bytes : alignment;
}

static uint32_t round_up(uint32_t n, uint32_t step)
{
    return (n + step - 1) / step * step;
}

/* Up to the end of the member that lies last, and to a multiple of the alignment. 0: a member has no size. */
static uint32_t get_struct_bytes(const struct module *m, uint32_t type)
{
    const struct mod_type *const t = module_get_type(m, type);
    bool const is_packed = m->ids[type].flags & ID_PACKED;
    uint32_t end = 0, alignment = 1;
    for (uint32_t i = 0; i < t->n_members; i++) {
        uint32_t const n_bytes = module_get_member_bytes(m, t, i);
        uint32_t const one = is_packed ? 1 : get_alignment(m, t->members[i]);
        if (n_bytes == 0 || t->offsets[i] > MAX_OBJECT_BYTES) {
            return 0;
        }
        end = t->offsets[i] + n_bytes > end ? t->offsets[i] + n_bytes : end;
        alignment = one > alignment ? one : alignment;
    }
    end = round_up(end, alignment);
    return end > MAX_OBJECT_BYTES ? 0 : end;
}

/* Returns the bytes that a value of the type takes in memory, or 0 for a type that has no size or is not
 * interpreted. A vector of three components takes the size of four. A runtime array has no size. */
uint32_t module_get_type_bytes(const struct module *m, uint32_t type)
{
    const struct mod_type *t = module_get_type(m, type);
    switch (t->kind) {
    case TK_BOOL: /* SPIR-V gives it no size */
        return 4;
    case TK_INT:
    case TK_FLOAT:
        return t->bits / 8;
    case TK_VECTOR:
        return t->bits / 8 * (t->n == 3 ? 4 : t->n);
    case TK_ARRAY: {
        uint32_t const stride = m->ids[type].stride;
        uint64_t const bytes =
            (uint64_t)t->n * (stride ? stride : module_get_type_bytes(m, t->elem));
        return bytes > MAX_OBJECT_BYTES ? 0 : (uint32_t)bytes;
    }
    case TK_STRUCT:
        return get_struct_bytes(m, type);
    case TK_NONE:
    case TK_VOID:
    case TK_POINTER:
    case TK_IMAGE:
    case TK_OTHER:
        return 0;
    }
    return 0;
}

uint32_t module_get_member_bytes(const struct module *m, const struct mod_type *t, uint32_t member)
{
    const struct mod_type *const own = module_get_type(m, t->members[member]);
    struct matrix_layout const layout = t->layouts ? t->layouts[member] : (struct matrix_layout){0};
    if (!own->is_matrix || layout.stride == 0) {
        return module_get_type_bytes(m, t->members[member]);
    }
    uint32_t const n = layout.is_row_major ? module_get_type(m, own->elem)->n : own->n;
    return layout.stride > MAX_OBJECT_BYTES / 4 ? 0 : layout.stride * n;
}

struct matrix_layout module_find_layout(const struct module *m, uint32_t pointer)
{
    const struct mod_inst *const in = module_get_definition(m, pointer);
    struct matrix_layout layout = {0};
    if (!m->has_matrices || !in || in->part != PART_CHAIN) {
        return layout;
    }
    uint32_t const base = module_get_operand(m, in, MOD_OPERAND);
    bool const has_element = in->op == SpvOpPtrAccessChain || in->op == SpvOpInBoundsPtrAccessChain;
    uint32_t type = module_get_type(m, m->ids[base].type)->elem;
    layout = module_find_layout(m, base);
    for (uint32_t i = MOD_OPERAND + 1 + has_element; i < in->n; i++) {
        const struct mod_type *const t = module_get_type(m, type);
        const struct mod_id *const index = &m->ids[module_get_operand(m, in, i)];
        uint64_t const member =
            index->flags & ID_CONSTANT ? m->consts[index->slot].bits : UINT64_MAX;
        if (t->kind == TK_STRUCT && member >= t->n_members) {
            return (struct matrix_layout){0};
        }
        if (t->kind == TK_STRUCT) {
            layout = t->layouts ? t->layouts[member] : (struct matrix_layout){0};
        }
        type = t->kind == TK_STRUCT ? t->members[member] : t->elem;
    }
    return layout;
}

int module_get_format(const struct module *m, uint32_t type)
{
    const struct mod_type *t = module_get_type(m, type);
    enum type_kind const kind = t->kind == TK_VECTOR ? module_get_type(m, t->elem)->kind : t->kind;
    if (kind != TK_FLOAT) {
        return -1;
    }
    if (t->is_bfloat) {
        return FMT_BF16;
    }
    return t->bits == 16 ? FMT_F16 : t->bits == 32 ? FMT_F32 : t->bits == 64 ? FMT_F64 : -1;
}

/* Is w[i..n) a list of types defined before? Only then do sizes end. */
static int are_types(struct decoder *d, const struct spv_inst *in, uint32_t i, uint32_t n)
{
    for (; i < n && i < in->n; i++) {
        const struct mod_id *id = get_id(d, in->w[i]);
        if (!id || !(id->flags & ID_IS_TYPE)) {
            return 0;
        }
    }
    return 1;
}

static int has_known_parts(struct decoder *d, const struct spv_inst *in)
{
    switch (in->op) {
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
    case SpvOpTypeArray:
    case SpvOpTypeRuntimeArray:
    case SpvOpTypeImage:
        return are_types(d, in, TYPE_FIRST, TYPE_FIRST + 1);
    case SpvOpTypeStruct:
        return are_types(d, in, TYPE_FIRST, in->n);
    default:
        return 1;
    }
}

/* Distance of elements by their own size; an ArrayStride, which comes first, overrides it. */
static uint32_t get_step(const struct module *m, const struct mod_type *t)
{
    int const has_elements = t->kind == TK_ARRAY || t->kind == TK_VECTOR || t->kind == TK_POINTER;
    return has_elements ? module_get_type_bytes(m, t->elem) : 0;
}

/* Where the members of struct `id` lie, into `offsets`. */
static void place_members(const struct decoder *d, uint32_t id, const struct mod_type *t,
                          uint32_t *offsets)
{
    uint32_t end = 0;
    for (uint32_t i = 0; i < t->n_members; i++) {
        uint32_t const n_bytes = module_get_type_bytes(d->m, t->members[i]);
        bool const is_packed = d->m->ids[id].flags & ID_PACKED;
        offsets[i] = is_packed ? end : round_up(end, get_alignment(d->m, t->members[i]));
        for (uint32_t k = 0; k < d->n_offsets; k++) {
            const struct member_offset *const said = &d->offsets[k];
            bool const is_own = said->type == id && said->member == i;
            offsets[i] =
                is_own && said->decoration == SpvDecorationOffset ? said->offset : offsets[i];
        }
        end = offsets[i] > MAX_OBJECT_BYTES ? end : offsets[i] + n_bytes;
    }
}

/* How the matrices of struct `id` lie, if any are decorated. */
static enum res place_matrices(const struct decoder *d, uint32_t id, struct mod_type *t)
{
    struct matrix_layout *layouts = NULL;
    for (uint32_t k = 0; k < d->n_offsets; k++) {
        const struct member_offset *const said = &d->offsets[k];
        if (said->type != id || said->member >= t->n_members ||
            said->decoration == SpvDecorationOffset) {
            continue;
        }
        layouts = layouts ? layouts : ARENA_NEW(d->a, struct matrix_layout, t->n_members);
        if (!layouts) {
            return err_set(d->e, RES_NOMEM, "module: arena full at %zu bytes", d->a->used_bytes);
        }
        if (said->decoration == SpvDecorationMatrixStride) {
            layouts[said->member].stride = said->offset;
        } else {
            layouts[said->member].is_row_major = said->decoration == SpvDecorationRowMajor;
        }
    }
    t->layouts = layouts;
    d->m->has_matrices |= layouts != NULL;
    return RES_OK;
}

/* Records a struct. */
static enum res decode_struct(struct decoder *d, const struct spv_inst *in, struct mod_type *t)
{
    uint32_t *const offsets = ARENA_NEW(d->a, uint32_t, in->n);
    if (!offsets) {
        return err_set(d->e, RES_NOMEM, "module: arena full at %zu bytes", d->a->used_bytes);
    }
    *t = (struct mod_type){.kind = TK_STRUCT,
                           .members = in->w + TYPE_FIRST,
                           .offsets = offsets,
                           .n_members = in->n - TYPE_FIRST};
    place_members(d, in->w[TYPE_ID], t, offsets);
    return place_matrices(d, in->w[TYPE_ID], t);
}

/* An integer or float type. bfloat16 is known in OpenCL alone. */
static enum res decode_number(struct decoder *d, const struct spv_inst *in, struct mod_type *t)
{
    uint32_t const n_bits = in->n > TYPE_FIRST ? in->w[TYPE_FIRST] : 0;
    if (n_bits != 8 && n_bits != 16 && n_bits != 32 && n_bits != 64) {
        return bad(d, "a scalar width that is none of 8, 16, 32, 64");
    }
    *t = (struct mod_type){
        .kind = in->op == SpvOpTypeInt ? TK_INT : TK_FLOAT, .bits = n_bits, .n = 1};
    if (in->op == SpvOpTypeFloat && in->n > TYPE_SECOND) {
        t->is_bfloat = n_bits == 16 && in->w[TYPE_SECOND] == SPV_FP_ENCODING_BFLOAT16_KHR;
        if (!t->is_bfloat || !d->m->is_kernel) {
            give_up(d->m, "a float type of another encoding");
        }
    }
    return RES_OK;
}

/* Records a type with its width, its parts and the distance of its elements. The parts were
 * recorded before, so that sizes can be computed here. */
static enum res decode_type(struct decoder *d, const struct spv_inst *in)
{
    struct mod_id *id = in->n > TYPE_ID ? get_id(d, in->w[TYPE_ID]) : NULL;
    bool const is_known = id && (id->flags & ID_IS_TYPE) && !(id->flags & ID_IS_FORWARD);
    if (!id || is_known || !has_known_parts(d, in)) {
        return bad(d, "a type without a legal id, or of parts that are no types yet");
    }
    struct mod_type *t = &id->t;
    id->flags |= ID_IS_TYPE;
    id->flags &= ~(uint32_t)ID_IS_FORWARD;
    uint32_t const first = in->n > TYPE_FIRST ? in->w[TYPE_FIRST] : 0;
    uint32_t const second = in->n > TYPE_SECOND ? in->w[TYPE_SECOND] : 0;
    switch (in->op) {
    case SpvOpTypeVoid:
        t->kind = TK_VOID;
        break;
    case SpvOpTypeBool:
        *t = (struct mod_type){.kind = TK_BOOL, .bits = 1, .n = 1};
        break;
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
        TRY(decode_number(d, in, t));
        break;
    case SpvOpTypeVector:
        if (!get_id(d, first) || second < 2 || second > MOD_MAX_COMPONENTS) {
            return bad(d, "a vector of no known component or length");
        }
        *t = (struct mod_type){.kind = TK_VECTOR,
                               .elem = first,
                               .n = second,
                               .bits = module_get_type(d->m, first)->bits};
        t->is_bfloat = module_get_type(d->m, first)->is_bfloat;
        break;
    case SpvOpTypeMatrix:
        if (!get_id(d, first) || second < 2 || second > 4) {
            return bad(d, "a matrix of no known columns");
        }
        *t = (struct mod_type){.kind = TK_ARRAY, .elem = first, .n = second, .is_matrix = true};
        break;
    case SpvOpTypeForwardPointer: /* its type follows; a block may hold one meanwhile */
        *t = (struct mod_type){.kind = TK_POINTER, .storage = first, .n = 1, .bits = 64};
        id->flags |= ID_IS_FORWARD;
        break;
    case SpvOpTypePointer:
        *t = (struct mod_type){
            .kind = TK_POINTER, .storage = first, .elem = second, .n = 1, .bits = 64};
        break;
    case SpvOpTypeRuntimeArray:
        *t = (struct mod_type){.kind = TK_ARRAY, .elem = first};
        break;
    case SpvOpTypeArray: {
        const struct mod_id *length = get_id(d, second);
        if (!get_id(d, first) || !length || !(length->flags & ID_CONSTANT)) {
            return bad(d, "an array without a constant length");
        }
        *t = (struct mod_type){
            .kind = TK_ARRAY, .elem = first, .n = (uint32_t)d->m->consts[length->slot].bits};
        break;
    }
    case SpvOpTypeStruct:
        TRY(decode_struct(d, in, t));
        break;
    case SpvOpTypeImage:
        *t = (struct mod_type){.kind = TK_IMAGE,
                               .elem = first,
                               .dim = second,
                               .is_array = in->n > TYPE_ARRAYED ? in->w[TYPE_ARRAYED] : 0};
        break;
    default:
        t->kind = TK_OTHER;
    }
    t->step_bytes = get_step(d->m, t);
    return RES_OK;
}

/* Slots for a result of this type: constants and registers are numbered apart. */
static uint32_t count_slots(const struct module *m, uint32_t type)
{
    uint32_t const n = module_count_scalars(m, type);
    return module_get_type(m, type)->kind == TK_VOID ? 0 : n ? n : 1;
}

bool module_step_to_part(const struct module *m, uint32_t index, uint32_t *type, uint32_t *slot)
{
    const struct mod_type *const t = module_get_type(m, *type);
    bool const is_struct = t->kind == TK_STRUCT;
    bool const has_elements = t->kind == TK_VECTOR || t->kind == TK_ARRAY;
    if ((!is_struct && !has_elements) || index >= (is_struct ? t->n_members : t->n)) {
        return false;
    }
    for (uint32_t before = 0; is_struct && before < index; before++) {
        *slot += module_count_scalars(m, t->members[before]);
    }
    *slot += is_struct ? 0 : index * module_count_scalars(m, t->elem);
    *type = is_struct ? t->members[index] : t->elem;
    return true;
}

uint32_t module_get_extracted(const struct module *m, const struct mod_inst *in)
{
    uint32_t const from = module_get_operand(m, in, MOD_OPERAND);
    uint32_t type = m->ids[from].type, slot = 0;
    for (uint32_t i = MOD_OPERAND + 1; i < in->n; i++) {
        if (!module_step_to_part(m, in->w[i], &type, &slot)) {
            return UINT32_MAX;
        }
    }
    return slot < m->ids[from].n_slots ? slot : UINT32_MAX;
}

/* A variable of class Function gets the next slots. */
static void add_function_object(struct module *m, struct mod_id *id, uint32_t pointee)
{
    uint32_t const n = module_count_scalars(m, pointee);
    id->object = m->n_func_objects;
    if (n == 0 || m->n_func_objects + n > MOD_MAX_FUNC_SLOTS) {
        give_up(m, "a function variable of a type that is not interpreted");
        return;
    }
    m->func_type[id->object] = pointee;
    m->n_func_objects += n;
}

/* A constant of constants. */
static enum res decode_composite(struct decoder *d, const struct spv_inst *in,
                                 const struct mod_id *id)
{
    uint32_t n = 0;
    for (uint32_t word = VALUE_FIRST; n < id->n_slots; word++) {
        const struct mod_id *part = word < in->n ? get_id(d, in->w[word]) : NULL;
        if (!part || !(part->flags & ID_CONSTANT)) {
            return bad(d, "a composite of something that is no constant");
        }
        for (uint32_t i = 0; i < part->n_slots && n < id->n_slots; i++) {
            d->m->consts[id->slot + n++] = d->m->consts[part->slot + i];
        }
    }
    return RES_OK;
}

/* A scalar's literal: the low word first; bits beyond a narrow type's are cut off. */
static enum res decode_literal(struct decoder *d, const struct spv_inst *in, unsigned n_bits,
                               struct val *v)
{
    if (in->n <= VALUE_FIRST || (n_bits == 64 && in->n <= VALUE_FIRST + 1)) {
        return bad(d, "a constant with too few words");
    }
    v->bits = in->w[VALUE_FIRST];
    if (n_bits == 64) {
        v->bits |= (uint64_t)in->w[VALUE_FIRST + 1] << 32;
    } else if (n_bits < 32) {
        v->bits &= (UINT64_C(1) << n_bits) - 1;
    }
    return RES_OK;
}

/* A specialization constant's value by the case, if it has one. */
static void specialize(const struct decoder *d, const struct mod_id *id, struct val *v)
{
    const struct spec *const s =
        d->tc && (id->flags & ID_SPEC) ? testcase_find_spec(d->tc, id->spec_id) : NULL;
    if (s) {
        unsigned const n_bits = module_get_type(d->m, id->type)->bits;
        v->bits = n_bits >= 64 ? s->bits : s->bits & ((UINT64_C(1) << n_bits) - 1);
    }
}

/* Is it a remainder of a negative operand, which Vulkan leaves undefined without maintenance8? */
static bool is_left_remainder(const struct decoder *d, uint32_t op, unsigned n_bits,
                              const uint64_t arg[2])
{
    bool const is_remainder = op == SpvOpSRem || op == SpvOpSMod;
    return is_remainder && d->tc && d->tc->env == ENV_VK && n_bits > 0 &&
           !needs_has(&d->tc->needs, NEED_VK_NEGATIVE_REMAINDER) &&
           ((arg[0] | arg[1]) >> (n_bits - 1) & 1);
}

/* A part of a composite of constants: OpCompositeExtract in OpSpecConstantOp. */
static enum res decode_extraction(struct decoder *d, const struct spv_inst *in,
                                  const struct mod_id *id)
{
    enum {
        COMPOSITE = VALUE_FIRST + 1, /* words */
        FIRST_INDEX
    };
    struct module *const m = d->m;
    const struct mod_id *const from = in->n > COMPOSITE ? get_id(d, in->w[COMPOSITE]) : NULL;
    uint32_t slot = 0, type = from ? from->type : 0;
    bool is_part = from && (from->flags & ID_CONSTANT);
    for (uint32_t i = FIRST_INDEX; is_part && i < in->n; i++) {
        is_part = module_step_to_part(m, in->w[i], &type, &slot);
    }
    if (!is_part || slot + id->n_slots > from->n_slots) {
        return bad(d, "a part of something that is no composite of constants with such a part");
    }
    memcpy(&m->consts[id->slot], &m->consts[from->slot + slot], sizeof *m->consts * id->n_slots);
    return RES_OK;
}

/* Evaluates OpSpecConstantOp: a selection, an extraction, or an instruction of integer.def, of constants with as
 * many components as the result, or one. Other operations, and operands for which the instruction
 * has no result, are not interpreted. */
static enum res decode_operation(struct decoder *d, const struct spv_inst *in,
                                 const struct mod_id *id)
{
    enum {
        OPCODE = VALUE_FIRST, /* words */
        FIRST_OPERAND
    };
    struct module *const m = d->m;
    uint32_t const op = in->n > OPCODE ? in->w[OPCODE] : 0;
    uint32_t const n_args = in->n > FIRST_OPERAND ? in->n - FIRST_OPERAND : 0;
    if (op == SpvOpCompositeExtract) {
        return decode_extraction(d, in, id);
    }
    bool const is_known = (op == SpvOpSelect || (integer_has(op) && !integer_gives_pair(op))) &&
                          n_args > 0 && n_args <= INTEGER_MAX_ARGS;
    for (uint32_t c = 0; is_known && c < id->n_slots; c++) {
        uint64_t arg[INTEGER_MAX_ARGS] = {0}, given[2] = {0};
        unsigned n_bits = 0;
        for (uint32_t k = 0; k < n_args; k++) {
            const struct mod_id *const from = get_id(d, in->w[FIRST_OPERAND + k]);
            if (!from || !(from->flags & ID_CONSTANT) ||
                (from->n_slots != id->n_slots && from->n_slots != 1)) {
                return bad(d, "an operation of something that is no constant of its length");
            }
            arg[k] = m->consts[from->slot + (from->n_slots == 1 ? 0 : c)].bits;
            n_bits = k == 0 ? module_get_type(m, from->type)->bits : n_bits;
        }
        /* of OpSelect; integer_apply replaces it for any other */
        given[0] = arg[0] ? arg[1] : arg[2];
        if (is_left_remainder(d, op, n_bits, arg)) {
            give_up(m, "a remainder of a negative specialization constant, without maintenance8");
        }
        if (op != SpvOpSelect && integer_apply(op, n_bits, module_get_type(m, id->type)->bits, arg,
                                               given) != INTEGER_GIVES) {
            give_up(m, "a specialization constant without a value");
        }
        m->consts[id->slot + c].bits = given[0];
    }
    if (!is_known) {
        give_up(m, "an operation on specialization constants that is not interpreted");
    }
    return RES_OK;
}

/* Room for n more slots of constants. */
static enum res reserve_constants(struct decoder *d, uint32_t n)
{
    if (d->m->n_consts + n <= d->cap_consts) {
        return RES_OK;
    }
    uint32_t const cap = 2 * (d->m->n_consts + n);
    struct val *const consts = ARENA_NEW(d->a, struct val, cap);
    if (!consts) {
        return err_set(d->e, RES_NOMEM, "module: arena full at %zu bytes", d->a->used_bytes);
    }
    memcpy(consts, d->m->consts, sizeof *consts * d->m->n_consts);
    d->m->consts = consts;
    d->cap_consts = cap;
    return RES_OK;
}

/* Records a constant: its value in the next slots of m->consts, one for each component, shared by
 * all invocations. Composites consist of constants before them. */
static enum res decode_constant(struct decoder *d, const struct spv_inst *in)
{
    struct mod_id *id = in->n > VALUE_ID ? get_id(d, in->w[VALUE_ID]) : NULL;
    if (!id || !get_id(d, in->w[VALUE_TYPE])) {
        return bad(d, "a constant without legal ids");
    }
    struct module *m = d->m;
    id->type = in->w[VALUE_TYPE];
    bool const is_specialized = in->op >= SpvOpSpecConstantTrue && in->op <= SpvOpSpecConstantOp;
    id->flags |= ID_CONSTANT | (is_specialized ? ID_SPECIALIZED : 0U);
    id->slot = m->n_consts;
    id->n_slots = count_slots(m, id->type);
    TRY(reserve_constants(d, id->n_slots));
    m->n_consts += id->n_slots;
    struct val *v = &m->consts[id->slot];
    switch (in->op) {
    case SpvOpConstantTrue:
    case SpvOpSpecConstantTrue:
        v->bits = 1;
        break;
    case SpvOpConstant:
    case SpvOpSpecConstant:
        TRY(decode_literal(d, in, module_get_type(m, id->type)->bits, v));
        break;
    case SpvOpConstantComposite:
    case SpvOpSpecConstantComposite:
        return decode_composite(d, in, id);
    case SpvOpSpecConstantOp:
        return decode_operation(d, in, id);
    case SpvOpUndef:
        for (uint32_t i = 0; i < id->n_slots; i++) {
            v[i].abs = MOD_UNDEFINED;
        }
        break;
    default: /* False, Null: zero */
        break;
    }
    specialize(d, id, v); /* composites and operations, above, have no SpecId */
    return RES_OK;
}

/* Records a decoration that affects results on its target. Other decorations, and those of an id
 * out of bounds, are ignored. */
static void decode_decoration(struct decoder *d, const struct spv_inst *in)
{
    enum {
        TARGET = 1, /* words */
        DECORATION,
        ARGUMENT
    };
    static const struct {
        uint32_t decoration, flag;
        size_t field; /* of struct mod_id, which takes the argument */
    } rows[] = {
#define NO_FIELD    SIZE_MAX
#define FIELD(name) offsetof(struct mod_id, name)
        {SpvDecorationNoContraction,       ID_NO_CONTRACTION,   NO_FIELD            },
        {SpvDecorationFPFastMathMode,      ID_FAST_MATH,        FIELD(fast_math)    },
        {SpvDecorationBuiltIn,             ID_BUILTIN,          FIELD(builtin)      },
        {SpvDecorationBinding,             ID_BINDING,          FIELD(binding)      },
        {SpvDecorationDescriptorSet,       0,                   FIELD(set)          },
        {SpvDecorationArrayStride,         0,                   FIELD(stride)       },
        {SpvDecorationCoherent,            ID_COHERENT,         NO_FIELD            },
        {SpvDecorationSpecId,              ID_SPEC,             FIELD(spec_id)      },
        {SpvDecorationFPRoundingMode,      ID_ROUNDING_MODE,    FIELD(rounding_mode)},
        {SpvDecorationNoSignedWrap,        ID_NO_SIGNED_WRAP,   NO_FIELD            },
        {SpvDecorationNoUnsignedWrap,      ID_NO_UNSIGNED_WRAP, NO_FIELD            },
        {SpvDecorationSaturatedConversion, ID_SATURATED,        NO_FIELD            },
        {SpvDecorationCPacked,             ID_PACKED,           NO_FIELD            },
        {SPV_DEC_FP_MAX_ERROR_INTEL,       ID_MAX_ERROR,        FIELD(max_error)    },
    };
    struct mod_id *id = in->n > DECORATION ? get_id(d, in->w[TARGET]) : NULL;
    uint32_t const argument = in->n > ARGUMENT ? in->w[ARGUMENT] : 0;
    for (size_t i = 0; id && i < ARRAY_N(rows); i++) {
        if (rows[i].decoration != in->w[DECORATION]) {
            continue;
        }
        id->flags |= rows[i].flag;
        if (rows[i].field != NO_FIELD) {
            memcpy((unsigned char *)id + rows[i].field, &argument, sizeof argument);
        }
    }
}

static void decode_member(struct decoder *d, const struct spv_inst *in)
{
    uint32_t const decoration = in->n > 3 ? in->w[3] : UINT32_MAX;
    bool const has_number =
        decoration == SpvDecorationOffset || decoration == SpvDecorationMatrixStride;
    bool const is_major =
        decoration == SpvDecorationRowMajor || decoration == SpvDecorationColMajor;
    if (has_number ? in->n == 5 : is_major) {
        d->offsets[d->n_offsets++] = (struct member_offset){.type = in->w[1],
                                                            .member = in->w[2],
                                                            .decoration = decoration,
                                                            .offset = has_number ? in->w[4] : 0};
    }
}

/* OpExecutionModeId ... FPFastMathDefault type mask: needs types, so it is applied at the end. */
static void decode_fast_math_default(struct decoder *d, const struct spv_inst *in)
{
    if (in->n < 5 || in->w[1] != d->entry_id || in->w[2] != SPV_MODE_FP_FAST_MATH_DEFAULT) {
        return;
    }
    int const fmt = module_get_format(d->m, in->w[3]);
    const struct mod_id *mask = get_id(d, in->w[4]);
    if (fmt >= 0 && mask && (mask->flags & ID_CONSTANT)) {
        d->m->modes.has_default[fmt] = 1;
        d->m->modes.fast_math_default[fmt] = (uint32_t)d->m->consts[mask->slot].bits;
    }
}

/* Gives a variable of the work-group the next bytes of its memory. */
static void add_workgroup_object(struct module *m, struct mod_id *id, uint32_t pointee)
{
    if (m->n_wg_objects == MOD_MAX_WG_OBJECTS) {
        give_up(m, "more work-group variables than the interpreter has room for");
        return;
    }
    uint32_t const n_bytes = module_get_type_bytes(m, pointee);
    id->object = m->n_wg_objects++;
    m->wg_size[id->object] = n_bytes;
    m->wg_base[id->object] = m->wg_bytes;
    m->wg_bytes += (n_bytes + WG_ALIGNMENT - 1) / WG_ALIGNMENT * WG_ALIGNMENT;
    if (n_bytes == 0) {
        give_up(m, "a work-group variable of a type that is not interpreted");
    }
}

/* The case's buffer of push constants; beyond all bindings where it has none. */
static uint32_t find_push(const struct testcase *tc)
{
    for (uint32_t i = 0; tc && i < tc->n_bufs; i++) {
        if (tc->bufs[i].kind == BUF_PUSH) {
            return i;
        }
    }
    return MAX_BINDING + 1;
}

/* Records a variable by its storage class: a buffer by its binding, an object of the work-group by
 * its number, or a variable of a function by its first slot in the function's memory. */
static enum res decode_variable(struct decoder *d, const struct spv_inst *in)
{
    struct module *m = d->m;
    struct mod_id *id = in->n > VALUE_FIRST ? get_id(d, in->w[VALUE_ID]) : NULL;
    if (!id || !get_id(d, in->w[VALUE_TYPE])) {
        return bad(d, "a variable without legal ids");
    }
    const struct mod_type *pointer = module_get_type(m, in->w[VALUE_TYPE]);
    id->type = in->w[VALUE_TYPE];
    id->flags |= ID_VARIABLE;
    if (in->n > VALUE_FIRST + 1) {
        const struct mod_id *const first = get_id(d, in->w[VALUE_FIRST + 1]);
        bool const fits = first && (first->flags & ID_CONSTANT) && first->type == pointer->elem &&
                          first->n_slots == module_count_scalars(m, pointer->elem);
        if (!fits && in->w[VALUE_FIRST] != SpvStorageClassFunction) {
            give_up(m, "a variable's first value that is not interpreted");
        }
        id->initial = fits ? in->w[VALUE_FIRST + 1] : 0;
    }
    switch (in->w[VALUE_FIRST]) {
    case SpvStorageClassWorkgroup:
        add_workgroup_object(m, id, pointer->elem);
        break;
    case SpvStorageClassFunction:
    case SpvStorageClassPrivate: /* as one of the entry point's function that begins before it */
        m->has_private |= in->w[VALUE_FIRST] == SpvStorageClassPrivate;
        add_function_object(m, id, pointer->elem);
        break;
    case SpvStorageClassInput: /* a built-in variable, known by its decoration */
        break;
    case SpvStorageClassStorageBuffer:
    case SpvStorageClassUniform:
    case SpvStorageClassUniformConstant:
        id->object = id->binding;
        if (id->initial && in->w[VALUE_FIRST] == SpvStorageClassUniformConstant) {
            break; /* a table: SPACE_TABLE */
        }
        if (!(id->flags & ID_BINDING) || id->binding > MAX_BINDING) {
            give_up(m, "a resource without a binding");
        } else if (d->tc && id->binding < d->tc->n_bufs &&
                   id->set != d->tc->bufs[id->binding].set) {
            give_up(m, "a resource in another descriptor set than the case's");
        } else if (id->flags & ID_COHERENT) {
            m->coherent |= UINT64_C(1) << id->binding;
        }
        break;
    case SpvStorageClassPushConstant:
        id->object = find_push(d->tc);
        if (id->object == MAX_BINDING + 1) {
            give_up(m, "push constants of which the case has no buffer");
        }
        break;
    default:
        give_up(m, "a storage class that is not interpreted");
    }
    return RES_OK;
}

/* A result id of the module's code gets registers. */
static enum res decode_result(struct decoder *d, struct mod_inst *c)
{
    struct module *m = d->m;
    struct mod_id *id = get_id(d, c->result);
    if (!id || id->n_slots || id->def != UINT32_MAX) {
        return bad(d, "a result id that is out of bounds or defined twice");
    }
    id->type = c->type;
    id->def = (uint32_t)(c - m->code);
    if (c->op == SpvOpLabel || c->op == SpvOpFunction) {
        m->label_at[c->result] = id->def;
        return RES_OK;
    }
    id->slot = m->n_consts + m->n_regs;
    id->n_slots = c->op == SpvOpVariable ? 1 : count_slots(m, c->type);
    m->n_regs += id->n_slots;
    return RES_OK;
}

/* OP_NUMBER of an OpExtInst of a known set, else of the instruction itself. */
static uint32_t find_number(const struct decoder *d, const struct spv_inst *in)
{
    for (int i = 0; in->op == SpvOpExtInst && in->n > 4 && i < N_EXTENDED_SETS; i++) {
        if (d->imported[i] && in->w[3] == d->imported[i]) {
            return OP_NUMBER(extended_sets[i].set, in->w[4] & NUMBER_MASK);
        }
    }
    return in->op;
}

static void import_set(struct decoder *d, const struct spv_inst *in)
{
    for (int i = 0; in->n > 3 && i < N_EXTENDED_SETS; i++) {
        if (strncmp((const char *)(in->w + 2), extended_sets[i].name, (in->n - 2) * 4) == 0) {
            d->imported[i] = in->w[1];
        }
    }
}

static bool is_bfloat(const struct module *m, uint32_t type)
{
    return type < m->n_ids && m->ids[type].t.is_bfloat;
}

/* Is it an instruction on bfloat16 other than those that move it and the atomics? Arithmetic has no tables for it. */
static bool computes_bfloat(const struct module *m, const struct mod_inst *in)
{
    enum {
        EXTENDED_FIRST = 5 /* word of OpExtInst, after the set and the number */
    };
    bool const is_extended = (in->w[0] & SpvOpCodeMask) == SpvOpExtInst;
    bool const may_compute = in->part == PART_FLOAT || in->part == PART_BINARY ||
                             in->part == PART_INTEGER || in->part == PART_NUMBER ||
                             in->part == PART_GROUP;
    bool const is_of_frame = in->op >= SpvOpFunction && in->op <= SpvOpFunctionEnd;
    bool const is_moved = in->op == SpvOpBitcast || in->op == SpvOpCopyObject;
    if (!may_compute || is_moved || is_of_frame) {
        return false;
    }
    for (uint32_t i = is_extended ? EXTENDED_FIRST : MOD_OPERAND; i < in->n; i++) {
        if (in->w[i] < m->n_ids && is_bfloat(m, m->ids[in->w[i]].type)) {
            return true;
        }
    }
    return is_bfloat(m, in->type);
}

/* ---- copies ---- */

/* Is it a whole variable of a function? */
static bool is_own_variable(const struct module *m, uint32_t id)
{
    const struct mod_inst *const in = module_get_definition(m, id);
    return in && in->op == SpvOpVariable;
}

/* Notes what variables of the function hold, as far as the words of one block show: who has the pointer may store. */
static void note_stored(struct decoder *d, const struct mod_inst *c)
{
    struct module *const m = d->m;
    uint32_t const loaded = c->op == SpvOpLoad ? module_get_operand(m, c, MOD_OPERAND) : 0;
    if (c->op == SpvOpLabel || c->op == SpvOpFunctionCall) {
        d->n_blocks++;
    } else if (loaded) {
        bool const is_known = is_own_variable(m, loaded) && m->ids[loaded].stored_at == d->n_blocks;
        m->ids[c->result].source = is_known ? m->ids[loaded].stored : 0;
    } else if (c->op == SpvOpStore && is_own_variable(m, module_get_operand(m, c, 1))) {
        struct mod_id *const to = &m->ids[c->w[MOD_STORE_POINTER]];
        to->stored = module_get_operand(m, c, MOD_STORE_OBJECT);
        to->stored_at = d->n_blocks;
    } else {
        for (uint32_t w = 1; w < c->n; w++) { /* a literal may look like an id */
            m->ids[module_get_operand(m, c, w)].stored = 0;
        }
    }
}

bool module_is_decorated_float(const struct module *m, const struct mod_inst *in)
{
    return in->result && (m->ids[in->result].flags & ID_MAX_ERROR) &&
           module_get_format(m, in->type) >= 0;
}

uint32_t module_get_copied(const struct module *m, const struct mod_inst *in)
{
    if (module_is_decorated_float(m, in)) {
        return 0;
    }
    switch (in->op) {
    case SpvOpBitcast:
    case SpvOpCopyObject:
        return module_get_operand(m, in, MOD_OPERAND);
    case SpvOpLoad:
        return m->ids[in->result].source;
    default:
        return 0;
    }
}

/* What an OpCopyMemory needs besides, which becomes an OpLoad and an OpStore. */
enum {
    COPY_MAX_IDS =
        6, /* the value, and where bytes are copied a type, two pointers to it, and two casts */
    COPY_MAX_CODE = 4
};

static bool is_copy(uint32_t op)
{
    return op == SpvOpCopyMemory || op == SpvOpCopyMemorySized;
}

/* The type of what it points to; 0: it is no pointer. */
static uint32_t find_pointee(struct decoder *d, uint32_t id)
{
    const struct mod_id *const pointer = get_id(d, id);
    const struct mod_type *const t = pointer ? module_get_type(d->m, pointer->type) : NULL;
    return t && t->kind == TK_POINTER ? t->elem : 0;
}

/* Does OpCopyMemorySized copy one whole value of that type? */
static bool copies_whole(struct decoder *d, const struct spv_inst *in, uint32_t type)
{
    enum {
        SIZE = 3 /* word */
    };
    const struct mod_id *const size = in->n > SIZE ? get_id(d, in->w[SIZE]) : NULL;
    return size && (size->flags & ID_CONSTANT) &&
           d->m->consts[size->slot].bits == module_get_type_bytes(d->m, type);
}

/* The pointer that a chain of casts, and of indices that are 0, begins with or comes to from `in`; 0: it is none of these. */
static uint32_t find_before_cast(struct decoder *d, const struct mod_inst *in)
{
    if (in->op == SpvOpBitcast || in->op == SpvOpPtrCastToGeneric) {
        return module_get_operand(d->m, in, MOD_OPERAND);
    }
    bool is_first = in->part == PART_CHAIN;
    for (uint32_t i = MOD_OPERAND + 1; is_first && i < in->n; i++) {
        const struct mod_id *const index = get_id(d, in->w[i]);
        is_first = index && (index->flags & ID_CONSTANT) && d->m->consts[index->slot].bits == 0;
    }
    return is_first ? module_get_operand(d->m, in, MOD_OPERAND) : 0;
}

/* The pointer of a copy at that word. A copy of bytes has it cast to one to bytes: then the pointer to the whole value
 * that begins there. */
static uint32_t find_copied(struct decoder *d, const struct spv_inst *in, uint32_t word)
{
    enum {
        MAX_STEPS = 8
    };
    uint32_t const own = word < in->n ? in->w[word] : 0;
    uint32_t id = own;
    for (int i = 0; in->op == SpvOpCopyMemorySized && i < MAX_STEPS && id; i++) {
        uint32_t const type = find_pointee(d, id);
        if (type && copies_whole(d, in, type)) {
            return id;
        }
        const struct mod_inst *const by = module_get_definition(d->m, id);
        id = by ? find_before_cast(d, by) : 0;
    }
    return own;
}

/* Is it a pointer to a variable of the module that is all zeros for good? A compiler fills memory with zeros by a copy of
 * such bytes. */
static bool is_of_zeros(struct decoder *d, uint32_t id)
{
    enum {
        MAX_STEPS = 8
    };
    const struct mod_inst *by = module_get_definition(d->m, id);
    for (int i = 0; by && i < MAX_STEPS; i++) {
        id = find_before_cast(d, by);
        by = module_get_definition(d->m, id);
    }
    const struct mod_id *const of = get_id(d, id);
    if (!of || !of->initial ||
        module_get_type(d->m, of->type)->storage != SpvStorageClassUniformConstant) {
        return false;
    }
    const struct mod_id *const first = &d->m->ids[of->initial];
    for (uint32_t c = 0; c < first->n_slots; c++) {
        const struct val *const v = &d->m->consts[first->slot + c];
        if (v->bits != 0 || v->abs != 0) {
            return false;
        }
    }
    return true;
}

/* The number that all of what a pointer was to, before it was cast, is made of; 0: there are others. */
static uint32_t find_number_before(struct decoder *d, uint32_t id)
{
    enum {
        MAX_STEPS = 8
    };
    for (int i = 0; i < MAX_STEPS; i++) {
        const struct mod_inst *const by = module_get_definition(d->m, id);
        bool const is_cast = by && (by->op == SpvOpBitcast || by->op == SpvOpPtrCastToGeneric);
        if (!is_cast) {
            break;
        }
        id = module_get_operand(d->m, by, MOD_OPERAND);
    }
    uint32_t type = find_pointee(d, id);
    while (module_get_type(d->m, type)->kind == TK_ARRAY ||
           module_get_type(d->m, type)->kind == TK_VECTOR) {
        type = module_get_type(d->m, type)->elem;
    }
    enum type_kind const kind = module_get_type(d->m, type)->kind;
    return kind == TK_INT || kind == TK_FLOAT ? type : 0;
}

/* The pointer cast to one to values of that type. */
static enum res cast_pointer(struct decoder *d, const struct spv_inst *in, uint32_t type,
                             uint32_t *id)
{
    struct module *const m = d->m;
    const struct mod_id *const of = get_id(d, *id);
    struct lower_to to = {.m = m, .in = in, .next_id = &d->next_copy, .a = d->a};
    uint32_t const pointer = lower_add_type(
        &to, (struct mod_type){.kind = TK_POINTER,
                               .storage = module_get_type(m, of ? of->type : 0)->storage,
                               .elem = type,
                               .n = 1,
                               .bits = 64});
    uint32_t const cast = lower_put_new(&to, SpvOpBitcast, pointer, id, 1);
    TRY(lower_end(&to, d->e));
    note_stored(d, &m->code[m->n_code - 1]);
    *id = cast;
    return RES_OK;
}

/* A copy of bytes is one of so many numbers, where both places have such. Else both pointers are left. */
static enum res cast_copied(struct decoder *d, const struct spv_inst *in, uint32_t *from,
                            uint32_t *to)
{
    enum {
        SIZE = 3 /* word */
    };
    const struct mod_id *const size = in->n > SIZE ? get_id(d, in->w[SIZE]) : NULL;
    uint32_t const number = find_number_before(d, *from);
    uint32_t const n_bytes = number ? module_get_type(d->m, number)->bits / 8 : 0;
    uint64_t const n_all = size && (size->flags & ID_CONSTANT) ? d->m->consts[size->slot].bits : 0;
    if (n_bytes == 0 || n_all == 0 || n_all % n_bytes != 0 ||
        n_all / n_bytes > MOD_MAX_FUNC_SLOTS) {
        return RES_OK;
    }
    struct lower_to lowered = {.m = d->m, .in = in, .next_id = &d->next_copy, .a = d->a};
    d->m->has_casts = true;
    uint32_t const type =
        lower_add_type(&lowered, (struct mod_type){.kind = TK_ARRAY,
                                                   .elem = number,
                                                   .n = (uint32_t)(n_all / n_bytes),
                                                   .step_bytes = n_bytes});
    TRY(cast_pointer(d, in, type, from));
    return cast_pointer(d, in, type, to);
}

/* Decodes OpCopyMemory or OpCopyMemorySized of a whole value as a load followed by a store. The
 * result of the load gets an id above those of the module. */
static enum res decode_copy(struct decoder *d, const struct spv_inst *in)
{
    enum {
        TARGET = 1, /* words */
        SOURCE
    };
    struct module *const m = d->m;
    uint32_t from = find_copied(d, in, SOURCE), to = find_copied(d, in, TARGET);
    uint32_t const of_to = find_pointee(d, to);
    bool const is_whole = of_to && of_to == find_pointee(d, from) && copies_whole(d, in, of_to);
    if (in->op == SpvOpCopyMemorySized && !is_whole && !is_of_zeros(d, from)) {
        TRY(cast_copied(d, in, &from, &to));
    }
    uint32_t const type = find_pointee(d, to);
    bool const is_zero = type != find_pointee(d, from) && is_of_zeros(d, from);
    bool const has_scalars = type && module_count_scalars(m, type) > 0;
    if (!has_scalars || (type != find_pointee(d, from) && !is_zero) ||
        (in->op == SpvOpCopyMemorySized && !copies_whole(d, in, type))) {
        give_up(m, "a copy of something that is no value");
        return RES_OK;
    }
    struct lower_to lowered = {.m = m, .in = in, .next_id = &d->next_copy, .a = d->a};
    uint32_t const op = is_zero ? SpvOpConstantNull : SpvOpLoad; /* with a word that nobody reads */
    uint32_t const value = lower_put_new(&lowered, op, type, &from, 1);
    uint32_t const stored[] = {to, value};
    (void)lower_put(&lowered, SpvOpStore, 0, 0, stored, 2);
    TRY(lower_end(&lowered, d->e));
    note_stored(d, &m->code[m->n_code - 2]); /* the load, */
    note_stored(d, &m->code[m->n_code - 1]); /* the store */
    return RES_OK;
}

/* Appends one instruction of a function (OpFunction and OpLabel included) to the code, and gives
 * its result registers. */
static enum res decode_code(struct decoder *d, const struct spv_inst *in)
{
    struct module *m = d->m;
    uint32_t const op = find_number(d, in);
    uint32_t const first = m->n_code;
    bool const is_access = op >> 16 == OP_SET_opencl_std && lower_is_access(op & NUMBER_MASK);
    if (is_access || lower_is_matrix(op)) {
        TRY(is_access ? lower_access(m, in, &d->next_copy, d->a, d->e)
                      : lower_matrix(m, in, op, &d->next_copy, d->a, d->e));
        for (uint32_t i = first; i < m->n_code; i++) {
            note_stored(d, &m->code[i]);
        }
        return RES_OK;
    }
    struct mod_inst *c = &m->code[m->n_code++];
    *c = (struct mod_inst){
        .w = in->w, .part = module_find_part(op), .op = op, .n = in->n, .offset = in->offset};
    bool has_result = false, has_type = false;
    SpvHasResultAndType((SpvOp)in->op, &has_result, &has_type);
    bool const is_newer_atomic = in->op >= SpvOpAtomicFMinEXT && c->part == PART_ATOMIC;
    if (is_newer_atomic || in->op == SPV_OP_FMA_KHR ||
        group_is_quad_vote(in->op)) { /* the installed SPIR-V header may not know these opcodes */
        has_result = has_type = true;
    }
    m->has_groups |= c->part == PART_GROUP;
    m->has_addresses |= op == SpvOpConvertPtrToU;
    m->has_casts |=
        op == SpvOpBitcast && in->n > 1 && module_get_type(m, in->w[1])->kind == TK_POINTER;
    if (in->n < 1U + has_type + has_result) {
        return bad(d, "an instruction with too few words");
    }
    c->type = has_type ? in->w[1] : 0; /* the result's id comes after its type */
    c->result = has_result ? in->w[1 + has_type] : 0;
    if (has_type && !get_id(d, c->type)) {
        return bad(d, "a result type that is out of bounds");
    }
    if (in->op == SpvOpVariable) {
        TRY(decode_variable(d, in));
    }
    if (in->op == SpvOpFunction) {
        d->current_function = c->result;
        m->entry = c->result == d->entry_id ? m->n_code - 1 : m->entry;
    }
    if (has_result) {
        TRY(decode_result(d, c));
    }
    note_stored(d, c);
    if (computes_bfloat(m, c)) {
        give_up(m, "arithmetic on bfloat16");
    }
    /* a kernel's argument */
    if (in->op == SpvOpFunctionParameter && d->current_function == d->entry_id) {
        get_id(d, c->result)->object = d->n_args++;
    }
    return RES_OK;
}

/* Records an execution mode of the entry point that affects results. w: the n words of OpExecutionMode. */
static void set_mode(struct module *m, const uint32_t *w, uint32_t n)
{
    enum {
        MODE = 2, /* words */
        ARGUMENT
    };
    struct mod_modes *o = &m->modes;
    uint32_t const argument = n > ARGUMENT ? w[ARGUMENT] : 0;
    /* the argument of a mode for one float width is that width */
    int const fmt = argument == 16 ? FMT_F16 : argument == 64 ? FMT_F64 : FMT_F32;
    switch (w[MODE]) {
    case SpvExecutionModeDenormPreserve:
        o->denorm_preserve[fmt] = 1;
        break;
    case SpvExecutionModeDenormFlushToZero:
        o->denorm_flush[fmt] = 1;
        break;
    case SpvExecutionModeSignedZeroInfNanPreserve:
        o->szinp[fmt] = 1;
        break;
    case SpvExecutionModeRoundingModeRTE:
        o->rte[fmt] = 1;
        break;
    case SpvExecutionModeRoundingModeRTZ:
        o->rtz[fmt] = 1;
        break;
    case SpvExecutionModeContractionOff:
        o->contraction_off = 1;
        break;
    case SpvExecutionModeSubgroupSize:
        o->subgroup_size = argument;
        break;
    case SpvExecutionModeSubgroupUniformControlFlowKHR:
        o->subgroup_uniform_flow = 1;
        break;
    case SPV_MODE_MAXIMALLY_RECONVERGES:
        o->maximal_reconvergence = 1;
        break;
    default:
        break;
    }
}

/* Decodes one instruction before the first function: a type, constant, decoration, mode or
 * variable. Others are ignored. */
static enum res decode_global(struct decoder *d, const struct spv_inst *in)
{
    if (in->op >= SpvOpTypeVoid && in->op <= SpvOpTypeForwardPointer) {
        return decode_type(d, in);
    }
    switch (in->op) {
    case SpvOpConstantTrue:
    case SpvOpConstantFalse:
    case SpvOpConstant:
    case SpvOpConstantComposite:
    case SpvOpConstantNull:
    case SpvOpSpecConstantTrue:
    case SpvOpSpecConstantFalse:
    case SpvOpSpecConstant:
    case SpvOpSpecConstantComposite:
    case SpvOpSpecConstantOp:
    case SpvOpUndef:
        return decode_constant(d, in);
    case SpvOpDecorate:
        decode_decoration(d, in);
        return RES_OK;
    case SpvOpMemberDecorate:
        decode_member(d, in);
        return RES_OK;
    case SpvOpExtInstImport:
        import_set(d, in);
        return RES_OK;
    case SpvOpMemoryModel:
        d->m->is_vulkan_model = in->n > 2 && in->w[2] == SpvMemoryModelVulkan;
        return RES_OK;
    case SpvOpExecutionMode:
        if (in->n >= 3 && in->w[1] == d->entry_id) {
            set_mode(d->m, in->w, in->n);
        }
        return RES_OK;
    case SpvOpVariable: {
        enum res const r = decode_variable(d, in);
        if (r == RES_OK) {
            struct mod_id *id = get_id(d, in->w[VALUE_ID]);
            TRY(reserve_constants(d, 1));
            id->slot = d->m->n_consts; /* the pointer itself is a constant, filled by exec */
            id->n_slots = 1;
            d->m->n_consts++;
        }
        return r;
    }
    default:
        return RES_OK;
    }
}

static enum res find_entry(struct decoder *d)
{
    uint32_t at = SPV_HEADER_WORDS;
    struct spv_inst in;
    size_t const n = strlen(d->entry);
    bool is_found = false;
    while (spv_next(d->words, d->n_words, &at, &in)) {
        if (in.op != SpvOpEntryPoint || in.n < 4) {
            continue;
        }
        d->n_entries++;
        if (d->entry_id == 0 && (in.n - 3) * 4 > n && memcmp(in.w + 3, d->entry, n + 1) == 0) {
            d->entry_id = in.w[2];
            d->m->is_kernel = in.w[1] == SpvExecutionModelKernel;
            is_found = true;
        }
    }
    return is_found ? RES_OK
                    : err_set(d->e, RES_FORMAT, "module: no entry point named %s", d->entry);
}

/* Allocates ids, code and constants by a first pass over the module, which also checks that the last instruction
 * ends where the module does. Constants get more room as they come. */
static enum res allocate(struct decoder *d)
{
    struct module *m = d->m;
    uint32_t n_inst = 0, n_constants = 0, n_copies = 0, n_members = 0, n_lowered = 0,
             n_matrices = 0;
    uint32_t at = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (spv_next(d->words, d->n_words, &at, &in)) {
        n_inst++;
        n_copies += is_copy(in.op);
        n_matrices += lower_is_matrix(in.op);
        n_lowered += in.op == SpvOpExtInst && in.n > 4 && lower_is_access(in.w[4]);
        n_members += in.op == SpvOpMemberDecorate;
        n_constants +=
            in.op == SpvOpUndef || (in.op >= SpvOpConstantTrue && in.op <= SpvOpSpecConstantOp);
    }
    if (at != d->n_words) {
        d->at = at;
        return bad(d, "an instruction of no words, or past the end");
    }
    d->next_copy = m->n_ids;
    m->n_ids +=
        n_copies * COPY_MAX_IDS + n_lowered * LOWER_MAX_IDS + n_matrices * LOWER_MATRIX_MAX_IDS;
    n_inst +=
        n_copies * COPY_MAX_CODE + n_lowered * LOWER_MAX_CODE + n_matrices * LOWER_MATRIX_MAX_CODE;
    m->ids = ARENA_NEW(d->a, struct mod_id, m->n_ids);
    m->label_at = ARENA_NEW(d->a, uint32_t, m->n_ids);
    m->code = ARENA_NEW(d->a, struct mod_inst, n_inst + 1);
    d->cap_consts = n_constants + 1;
    m->consts = ARENA_NEW(d->a, struct val, d->cap_consts);
    m->func_type = ARENA_NEW(d->a, uint32_t, MOD_MAX_FUNC_SLOTS + 1);
    d->offsets = ARENA_NEW(d->a, struct member_offset, n_members + 1);
    if (!m->ids || !m->label_at || !m->code || !m->consts || !m->func_type || !d->offsets) {
        return err_set(d->e, RES_NOMEM, "module: arena full at %zu bytes", d->a->used_bytes);
    }
    for (uint32_t i = 0; i < m->n_ids; i++) {
        m->ids[i].def = m->label_at[i] = UINT32_MAX;
    }
    return RES_OK;
}

static bool is_reached(const struct decoder *d, uint32_t function)
{
    return function < d->m->n_ids && d->is_reached[function];
}

/* Marks what reached functions call; returns whether any is new. */
static bool mark_called(struct decoder *d)
{
    enum {
        RESULT = 2, /* word of OpFunction */
        CALLED = 3  /* of OpFunctionCall */
    };
    uint32_t at = SPV_HEADER_WORDS;
    struct spv_inst in;
    bool is_in = false, is_new = false;
    while (spv_next(d->words, d->n_words, &at, &in)) {
        if (in.op == SpvOpFunction && in.n > RESULT) {
            is_in = is_reached(d, in.w[RESULT]);
        }
        if (is_in && in.op == SpvOpFunctionCall && in.n > CALLED && get_id(d, in.w[CALLED]) &&
            !d->is_reached[in.w[CALLED]]) {
            d->is_reached[in.w[CALLED]] = is_new = true;
        }
    }
    return is_new;
}

/* Which functions the entry point reaches, where others may not be its own: of other entry points nothing is decoded. */
static enum res find_reached(struct decoder *d)
{
    if (d->n_entries < 2) {
        return RES_OK;
    }
    d->is_reached = ARENA_NEW(d->a, bool, d->m->n_ids);
    if (!d->is_reached) {
        return err_set(d->e, RES_NOMEM, "module: arena full at %zu bytes", d->a->used_bytes);
    }
    if (get_id(d, d->entry_id)) {
        d->is_reached[d->entry_id] = true;
    }
    while (mark_called(d)) {
    }
    return RES_OK;
}

/* That a variable is dead matters to nobody: what reads it later reads what its next start left. */
static bool has_no_effect(uint32_t op)
{
    return op == SpvOpNop || op == SpvOpLine || op == SpvOpNoLine || op == SpvOpLifetimeStop;
}

/* Decodes all instructions in their order, without the functions that the entry point does not reach. Afterwards
 * come the execution modes that refer to types and constants, because these are declared later in a module. */
static enum res decode_all(struct decoder *d)
{
    enum {
        RESULT = 2 /* word of OpFunction */
    };
    uint32_t at = SPV_HEADER_WORDS;
    struct spv_inst in;
    bool in_function = false, is_unreached = false;
    TRY(find_reached(d)); /* marks in d->is_reached what to decode */
    while (spv_next(d->words, d->n_words, &at, &in)) {
        d->at = in.offset;
        if (has_no_effect(in.op)) {
            continue;
        }
        in_function |= in.op == SpvOpFunction;
        /* without the marks (one entry point) every function is decoded */
        if (in.op == SpvOpFunction) {
            is_unreached = d->is_reached && in.n > RESULT && !is_reached(d, in.w[RESULT]);
        }
        if (in_function && is_unreached) {
            continue;
        }
        TRY(!in_function     ? decode_global(d, &in)
            : is_copy(in.op) ? decode_copy(d, &in)
                             : decode_code(d, &in));
    }
    at = SPV_HEADER_WORDS;
    while (spv_next(d->words, d->n_words, &at, &in)) {
        if (in.op == SpvOpExecutionModeId) {
            decode_fast_math_default(d, &in);
        }
    }
    return RES_OK;
}

/* Decodes the module for the entry point of that name: checks the header, then makes one pass each
 * to allocate memory, to find the entry point and to decode instructions. What is legal but not
 * interpreted is recorded in m->unsupported. */
static enum res decode(struct module *m, const uint32_t *words, uint32_t n_words, const char *entry,
                       const struct testcase *tc, struct arena *a, struct err *e)
{
    enum {
        HEADER_BOUND = 3 /* word: all ids are below */
    };
    *m = (struct module){.entry = UINT32_MAX};
    struct decoder d = {
        .m = m, .words = words, .n_words = n_words, .entry = entry, .tc = tc, .a = a, .e = e};
    if (!spv_is_module(words, n_words)) {
        return err_set(e, RES_FORMAT, "module: no SPIR-V magic number in %u words", n_words);
    }
    m->n_ids = words[HEADER_BOUND];
    if (m->n_ids == 0 || m->n_ids > MOD_MAX_IDS) {
        return err_set(e, RES_LIMIT, "module: bound %u is not in 1..%d", m->n_ids, MOD_MAX_IDS);
    }
    TRY(allocate(&d));
    TRY(find_entry(&d));
    enum res r = decode_all(&d);
    if (r == RES_OK && m->entry == UINT32_MAX) {
        return err_set(e, RES_FORMAT, "module: the entry point %s has no function", entry);
    }
    m->barriers_share = r == RES_OK && availability_is_by_barriers(m);
    return r == RES_OK ? loops_find(m, a, e) : r;
}

enum res module_decode(struct module *m, const uint32_t *words, uint32_t n_words, const char *entry,
                       struct arena *a, struct err *e)
{
    return decode(m, words, n_words, entry, NULL, a, e);
}

enum res module_decode_case(struct module *m, const struct testcase *tc, struct arena *a,
                            struct err *e)
{
    TRY(decode(m, tc->module, tc->n_words, tc->entry, tc, a, e));
    const char *const misfit = kernel_args_find_misfit(tc, a);
    if (misfit[0]) {
        return err_set(e, RES_FORMAT, "case: %s", misfit);
    }
    const char *const unsupported = kernel_args_find_unsupported(tc, a);
    if (unsupported[0]) {
        give_up(m, unsupported);
    }
    return RES_OK;
}
