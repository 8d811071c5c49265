/* oracle/vouch/vouch_words.c -- what a module's words alone tell of what it may do to a driver. */
#include "oracle/vouch/vouch_words.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/caps.h"
#include "base/local_size.h"
#include "base/ops.h"
#include "base/printable.h"
#include "base/spv.h"
#include "oracle/math/rules.h"

enum {
    MAX_NAME = 64,
    MAX_ENTRIES = 4, /* of a module */
    TEXEL_BITS = 32
};

/* What a walk over the words has seen. */
struct walk {
    const struct testcase *tc;
    const struct module *m;
    uint32_t *decorated; /* by id: bit i, decoration i of decorations[] */
    uint32_t n_entries, n_params;
    uint32_t function; /* id of the one that is open; 0: none */
    bool has_body;
    uint32_t at; /* word offset, for messages */
    struct arena *a;
    struct err *e;
};

static enum res refuse(const struct walk *walk, const char *what)
{
    return err_set(walk->e, RES_FORMAT, "module: word %" PRIu32 ": %s", walk->at, what);
}

static enum res refuse_number(const struct walk *walk, const char *what, uint32_t number)
{
    return err_set(walk->e, RES_FORMAT,
                   "module: word %" PRIu32 ": %s %" PRIu32 " is not one of those "
                   "that are interpreted",
                   walk->at, what, number);
}

/* `before "text" after`, of which the text is the module's. */
static enum res refuse_text(const struct walk *walk, const char *before, const char *text,
                            const char *after)
{
    return err_set(walk->e, RES_FORMAT, "module: word %" PRIu32 ": %s \"%.60s\" %s", walk->at,
                   before, printable_copy_line(walk->a, text), after);
}

/* The literal string that begins at word i; "" where it does not end. */
static const char *get_text(const struct spv_inst *in, uint32_t i)
{
    const char *text = i < in->n ? (const char *)(in->w + i) : "";
    return i < in->n && memchr(text, '\0', (size_t)(in->n - i) * 4) ? text : "";
}

static bool is_one_of(const uint32_t *list, size_t n, uint32_t number)
{
    for (size_t i = 0; i < n; i++) {
        if (list[i] == number) {
            return true;
        }
    }
    return false;
}

/* ---- the head ---- */

/* Is it one of the capabilities that the generator declares: for a need of a case (cap_rows), or without
 * one? */
static bool is_known_capability(uint32_t capability)
{
    static const uint32_t always[] = {SpvCapabilityMatrix,
                                      SpvCapabilityShader,
                                      SpvCapabilityKernel,
                                      SpvCapabilityAddresses,
                                      SpvCapabilityInt8,
                                      SpvCapabilityInt16,
                                      SpvCapabilityInt64,
                                      SpvCapabilityFloat16,
                                      SpvCapabilityFloat64,
                                      SpvCapabilityGroups,
                                      SpvCapabilityVector16,
                                      SpvCapabilityFloat16Buffer,
                                      SpvCapabilityStorageBuffer16BitAccess,
                                      SpvCapabilityStorageBuffer8BitAccess,
                                      SPV_CAP_FP_MAX_ERROR_INTEL};
    for (int i = 0; i < NEED_N; i++) {
        if (cap_rows[i].capability != 0 && cap_rows[i].capability == capability) {
            return true;
        }
    }
    return is_one_of(always, ARRAY_N(always), capability);
}

/* Is `name` a word of the list, whose words may end in "@VERSION"? */
static bool has_name(const char *list, const char *name)
{
    size_t const n = strlen(name);
    for (const char *s = list; *s; s += strspn(s, " ")) {
        if (strncmp(s, name, n) == 0 && (s[n] == '\0' || s[n] == ' ' || s[n] == '@')) {
            return true;
        }
        s += strcspn(s, " ");
    }
    return false;
}

static bool is_known_extension(const char *name)
{
    for (int i = 0; i < NEED_N && name[0]; i++) {
        if (has_name(cap_rows[i].extensions, name)) {
            return true;
        }
    }
    return strcmp(name, "SPV_INTEL_fp_max_error") == 0 ||
           strcmp(name, "SPV_KHR_storage_buffer_storage_class") == 0 ||
           strcmp(name, "SPV_KHR_16bit_storage") == 0 ||
           strcmp(name, "SPV_KHR_no_integer_wrap_decoration") == 0;
}

static enum res check_entry(struct walk *walk, const struct spv_inst *in)
{
    bool const is_cl = walk->tc->env == ENV_CL;
    uint32_t const model = is_cl ? SpvExecutionModelKernel : SpvExecutionModelGLCompute;
    if (in->n < 4 || in->w[1] != model) {
        return refuse(walk, "an entry point that is not for computing");
    }
    if (walk->n_entries++ == MAX_ENTRIES) {
        return refuse(walk, "too many entry points");
    }
    const char *name = get_text(in, 3);
    for (size_t i = 0; name[i]; i++) {
        if ((!isalnum((unsigned char)name[i]) && name[i] != '_') || i == MAX_NAME) {
            return refuse(walk,
                          "an entry point whose name is not letters, digits and _, 64 at most");
        }
    }
    return name[0] ? RES_OK : refuse(walk, "an entry point without a name");
}

/* Refuses an execution mode that the interpreter does not know (RES_FORMAT and the reason). */
static enum res check_mode(struct walk *walk, const struct spv_inst *in)
{
    static const uint32_t known[] = {SpvExecutionModeLocalSize,
                                     SpvExecutionModeContractionOff,
                                     SpvExecutionModeSubgroupSize,
                                     SpvExecutionModeDenormPreserve,
                                     SpvExecutionModeDenormFlushToZero,
                                     SpvExecutionModeSignedZeroInfNanPreserve,
                                     SpvExecutionModeRoundingModeRTE,
                                     SpvExecutionModeRoundingModeRTZ,
                                     SpvExecutionModeSubgroupUniformControlFlowKHR,
                                     SPV_MODE_MAXIMALLY_RECONVERGES};
    enum {
        MODE = 2 /* word */
    };
    if (in->n <= MODE) {
        return refuse(walk, "an execution mode without operands");
    }
    uint32_t const mode = in->w[MODE];
    bool const is_known_id =
        mode == SPV_MODE_FP_FAST_MATH_DEFAULT || mode == (uint32_t)SpvExecutionModeLocalSizeId;
    bool const is_known =
        in->op == SpvOpExecutionModeId ? is_known_id : is_one_of(known, ARRAY_N(known), mode);
    return is_known ? RES_OK : refuse_number(walk, "execution mode", mode);
}

static enum res check_model(const struct walk *walk, const struct spv_inst *in)
{
    uint32_t const addressing = in->n == 3 ? in->w[1] : UINT32_MAX;
    uint32_t const memory = in->n == 3 ? in->w[2] : UINT32_MAX;
    bool const is_of_cl =
        addressing == SpvAddressingModelPhysical64 && memory == SpvMemoryModelOpenCL;
    bool const is_of_vk = (addressing == SpvAddressingModelLogical ||
                           addressing == SpvAddressingModelPhysicalStorageBuffer64) &&
                          (memory == SpvMemoryModelGLSL450 || memory == SpvMemoryModelVulkan);
    return (walk->tc->env == ENV_CL ? is_of_cl : is_of_vk)
               ? RES_OK
               : refuse(walk, "a memory model that is not interpreted");
}

static enum res check_name(const struct walk *walk, const struct spv_inst *in)
{
    const struct module *m = walk->m;
    const struct mod_id *id = in->n > 2 && in->w[1] < m->n_ids ? &m->ids[in->w[1]] : NULL;
    if (!id || (id->flags & ID_IS_TYPE) || m->label_at[in->w[1]] != UINT32_MAX) {
        return refuse(walk, "a name of a function or a type, which drivers go by");
    }
    return RES_OK;
}

/* ---- decorations ---- */

static const uint32_t decorations[] = {SpvDecorationNoContraction,
                                       SpvDecorationFPFastMathMode,
                                       SpvDecorationFPRoundingMode,
                                       SPV_DEC_FP_MAX_ERROR_INTEL,
                                       SpvDecorationRelaxedPrecision,
                                       SpvDecorationBlock,
                                       SpvDecorationConstant,
                                       SpvDecorationBuiltIn,
                                       SpvDecorationBinding,
                                       SpvDecorationDescriptorSet,
                                       SpvDecorationArrayStride,
                                       SpvDecorationBufferBlock,
                                       SpvDecorationAliased,
                                       SpvDecorationCoherent,
                                       SpvDecorationSpecId,
                                       SpvDecorationVolatile,
                                       SpvDecorationNoSignedWrap,
                                       SpvDecorationNoUnsignedWrap,
                                       SpvDecorationSaturatedConversion,
                                       SpvDecorationCPacked};
enum {
    ROW_DESCRIPTOR_SET = 9,
    ROW_BUFFER_BLOCK = 11
};

/* Natural distance of the elements of an array or pointer. */
static uint32_t get_natural(const struct walk *walk, uint32_t type)
{
    return module_get_type_bytes(walk->m, walk->m->ids[type].t.elem);
}

/* Bytes of the type without padding for a fourth component after three. */
static uint32_t get_least_bytes(const struct module *m, uint32_t type)
{
    const struct mod_type *const t = &m->ids[type].t;
    return t->kind == TK_VECTOR ? t->bits / 8 * t->n : module_get_type_bytes(m, type);
}

/* Is the type a matrix, or an array of some? */
static const struct mod_type *find_matrix(const struct module *m, uint32_t type)
{
    const struct mod_type *t = &m->ids[type].t;
    while (t->kind == TK_ARRAY && !t->is_matrix) {
        t = &m->ids[t->elem].t;
    }
    return t->is_matrix ? t : NULL;
}

/* Bytes of the member, of the least of which its matrix needs: rows or columns apart by the stride. */
static uint32_t get_least_member_bytes(const struct module *m, const struct mod_type *t, uint32_t i)
{
    bool const is_matrix = m->ids[t->members[i]].t.is_matrix;
    return is_matrix ? module_get_member_bytes(m, t, i) : get_least_bytes(m, t->members[i]);
}

/* Bytes of a number in it, the widest one; 1: there is none. */
static uint32_t get_number_bytes(const struct module *m, uint32_t type)
{
    const struct mod_type *const t = &m->ids[type].t;
    uint32_t n = t->bits >= 8 ? t->bits / 8 : 1;
    if (t->kind == TK_ARRAY) {
        return get_number_bytes(m, t->elem);
    }
    for (uint32_t i = 0; t->kind == TK_STRUCT && i < t->n_members; i++) {
        uint32_t const one = get_number_bytes(m, t->members[i]);
        n = one > n ? one : n;
    }
    return n;
}

/* Refuses a decoration (RES_FORMAT and the reason) that is not in decorations[], that an id has twice, or whose
 * operand means something that the interpreter does not support: linkage, another descriptor set, another stride. */
static enum res check_decoration(struct walk *walk, const struct spv_inst *in)
{
    enum {
        TARGET = 1, /* words */
        DECORATION,
        LITERAL
    };
    uint32_t const id = in->n > DECORATION ? in->w[TARGET] : 0;
    uint32_t const what = in->n > DECORATION ? in->w[DECORATION] : UINT32_MAX;
    uint32_t const literal = in->n > LITERAL ? in->w[LITERAL] : UINT32_MAX;
    size_t row = 0;
    if (what == SpvDecorationLinkageAttributes) {
        bool const is_import = in->w[in->n - 1] == SpvLinkageTypeImport;
        return refuse_text(walk,
                           is_import ? "it imports" : "it has linkage:", get_text(in, LITERAL),
                           "(LinkageAttributes)");
    }
    while (row < ARRAY_N(decorations) && decorations[row] != what) {
        row++;
    }
    if (row == ARRAY_N(decorations) || id >= walk->m->n_ids) {
        return refuse_number(walk, "decoration", what);
    }
    if (walk->decorated[id] >> row & 1) {
        return refuse(walk, "a decoration that stands there twice");
    }
    walk->decorated[id] |= UINT32_C(1) << row;
    bool const is_size = walk->tc->env == ENV_VK && literal == (uint32_t)SpvBuiltInWorkgroupSize &&
                         (walk->m->ids[id].flags & ID_CONSTANT);
    if (what == SpvDecorationBuiltIn && !(walk->m->ids[id].flags & ID_VARIABLE) && !is_size) {
        return refuse(walk, "a built-in that is no variable");
    }
    const struct mod_type *const t = &walk->m->ids[id].t;
    uint32_t const number = get_number_bytes(walk->m, id);
    bool const is_spaced = t->kind == TK_ARRAY || t->kind == TK_POINTER;
    /* elements may be farther apart than they have to, where their numbers stay aligned */
    const struct mod_type *const matrix =
        t->kind == TK_ARRAY ? find_matrix(walk->m, t->elem) : NULL;
    uint32_t const least =
        matrix ? matrix->n * number * walk->m->ids[matrix->elem].t.n : get_natural(walk, id);
    bool const is_wide = is_spaced && literal >= least && literal % number == 0;
    if (what == SpvDecorationArrayStride && literal != get_natural(walk, id) && !is_wide) {
        return refuse(walk, "a stride other than the size of an element");
    }
    return RES_OK;
}

static bool is_of_matrix(const struct spv_inst *in)
{
    uint32_t const decoration = in->n > 3 ? in->w[3] : UINT32_MAX;
    return decoration == SpvDecorationMatrixStride || decoration == SpvDecorationRowMajor ||
           decoration == SpvDecorationColMajor;
}

/* A matrix lies by columns or rows that are apart. */
static enum res check_layout(const struct walk *walk, const struct spv_inst *in)
{
    const struct module *const m = walk->m;
    const struct mod_type *const t = in->w[1] < m->n_ids ? &m->ids[in->w[1]].t : NULL;
    bool const is_member = t && t->kind == TK_STRUCT && in->w[2] < t->n_members;
    const struct mod_type *const matrix = is_member ? find_matrix(m, t->members[in->w[2]]) : NULL;
    if (!matrix || !t->layouts) {
        return refuse(walk, "a matrix's decoration of something else");
    }
    const struct matrix_layout *const layout = &t->layouts[in->w[2]];
    const struct mod_type *const column = &m->ids[matrix->elem].t;
    uint32_t const n_bytes = column->bits / 8;
    uint32_t const least = n_bytes * (layout->is_row_major ? matrix->n : column->n);
    return n_bytes > 0 && layout->stride >= least && layout->stride % n_bytes == 0
               ? RES_OK
               : refuse(walk, "a MatrixStride at which columns overlap");
}

/* Members lie where they are said to, in their order and apart: so the interpreter sees whatever comes to them. */
static enum res check_member(const struct walk *walk, const struct spv_inst *in)
{
    uint32_t const member = in->n == 5 ? in->w[2] : 0;
    const struct mod_type *const t =
        in->n == 5 && in->w[1] < walk->m->n_ids ? &walk->m->ids[in->w[1]].t : NULL;
    if (is_of_matrix(in)) {
        return check_layout(walk, in);
    }
    if (!t || t->kind != TK_STRUCT || in->w[3] != SpvDecorationOffset || member >= t->n_members) {
        return refuse(walk, "a member's decoration other than Offset");
    }
    uint32_t const end =
        member > 0 ? t->offsets[member - 1] + get_least_member_bytes(walk->m, t, member - 1) : 0;
    bool const is_right = t->offsets[member] == in->w[4] && in->w[4] >= end &&
                          in->w[4] % get_number_bytes(walk->m, t->members[member]) == 0 &&
                          (member > 0 || in->w[4] < CASE_MAX_PUSH_BYTES);
    return is_right ? RES_OK
                    : refuse(walk, "an Offset at which a member is not behind the one before");
}

/* ---- types, constants, variables ---- */

static enum res check_extended(const struct walk *walk, const struct spv_inst *in)
{
    static const char *const known[] = {"OpenCL.std", "GLSL.std.450", "SPV_AMD_shader_ballot"};
    const char *name = get_text(in, 2);
    for (size_t i = 0; i < ARRAY_N(known); i++) {
        if (strcmp(name, known[i]) == 0) {
            return RES_OK;
        }
    }
    return refuse_text(walk, "the extended set", name, "is not interpreted");
}

/* Is it a struct of nothing but an address: a pointer to a buffer, or an integer of 64 bits? */
static bool holds_address(const struct module *m, const struct mod_type *t)
{
    if (t->kind != TK_STRUCT || t->n_members != 1) {
        return false;
    }
    const struct mod_type *const member = &m->ids[t->members[0]].t;
    return (member->kind == TK_INT && member->bits == 64) ||
           (member->kind == TK_POINTER && member->storage == SpvStorageClassPhysicalStorageBuffer);
}

/* Does a variable of this storage class and type (its id is type_id) match the kind of buffer that
 * the case binds to it? */
static bool is_buffer_of(const struct walk *walk, enum buf_kind kind, uint32_t storage,
                         uint32_t type_id)
{
    const struct module *m = walk->m;
    const struct mod_type *t = &m->ids[type_id].t;
    bool const is_buffer_block =
        storage == SpvStorageClassUniform && (walk->decorated[type_id] >> ROW_BUFFER_BLOCK & 1);
    bool const is_image = storage == SpvStorageClassUniformConstant && t->kind == TK_IMAGE &&
                          m->ids[t->elem].t.bits == TEXEL_BITS;
    /* the type of its texels is the buffer's: integers or floats */
    bool const has_texels = is_image && (m->ids[t->elem].t.kind == TK_INT) ==
                                            (buf_kind_rows[kind].format == TEXEL_R32UI);
    const struct texels_row *const row = &texels_rows[buf_kind_rows[kind].texels];
    if (kind == BUF_ADDRESS) {
        return storage == SpvStorageClassStorageBuffer && holds_address(m, t);
    }
    if (kind == BUF_CONSTANT) {
        return storage == SpvStorageClassUniform && !is_buffer_block && t->kind == TK_STRUCT;
    }
    if (kind == BUF_PUSH) {
        return storage == SpvStorageClassPushConstant && t->kind == TK_STRUCT;
    }
    if (!buf_has_texels(kind)) {
        return (storage == SpvStorageClassStorageBuffer || is_buffer_block) && t->kind == TK_STRUCT;
    }
    return has_texels && t->dim == row->dim && t->is_array == row->is_array;
}

enum {
    VARIABLE_TYPE = 1, /* words of OpVariable */
    VARIABLE_ID,
    VARIABLE_STORAGE
};

/* A resource is what the case's buffer of that number is. */
static enum res check_resource(const struct walk *walk, const struct spv_inst *in)
{
    const struct mod_id *id = &walk->m->ids[in->w[VARIABLE_ID]];
    uint32_t const type = walk->m->ids[in->w[VARIABLE_TYPE]].t.elem;
    bool const has_set = walk->decorated[in->w[VARIABLE_ID]] >> ROW_DESCRIPTOR_SET & 1;
    if (!has_set || !(id->flags & ID_BINDING) || id->binding >= walk->tc->n_bufs) {
        return refuse(walk, "a resource that is none of the case's buffers");
    }
    if (id->set != walk->tc->bufs[id->binding].set) {
        return refuse(walk, "a resource in another descriptor set than the case's buffer");
    }
    return is_buffer_of(walk, walk->tc->bufs[id->binding].kind, in->w[VARIABLE_STORAGE], type)
               ? RES_OK
               : refuse(walk, "a resource of another kind than the case's buffer");
}

/* The push constants are the case's buffer of them. */
static enum res check_push(const struct walk *walk, const struct spv_inst *in)
{
    const struct mod_id *id = &walk->m->ids[in->w[VARIABLE_ID]];
    uint32_t const type = walk->m->ids[in->w[VARIABLE_TYPE]].t.elem;
    bool const is_there =
        walk->tc->env == ENV_VK && id->object < walk->tc->n_bufs &&
        is_buffer_of(walk, walk->tc->bufs[id->object].kind, SpvStorageClassPushConstant, type);
    return is_there ? RES_OK : refuse(walk, "push constants that the case has no buffer of");
}

/* Refuses a global variable (RES_FORMAT and the reason) of a storage class that the interpreter does not
 * know: inputs must be built-ins, and resources are for Vulkan alone. */
static enum res check_variable(const struct walk *walk, const struct spv_inst *in)
{
    if (in->n <= VARIABLE_STORAGE || in->w[VARIABLE_ID] >= walk->m->n_ids) {
        return refuse(walk, "a variable without operands");
    }
    bool const is_builtin = walk->m->ids[in->w[VARIABLE_ID]].flags & ID_BUILTIN;
    switch (in->w[VARIABLE_STORAGE]) {
    case SpvStorageClassFunction:
    case SpvStorageClassWorkgroup:
    case SpvStorageClassPrivate:
        return RES_OK;
    case SpvStorageClassInput:
        return is_builtin ? RES_OK : refuse(walk, "an input that is no built-in");
    case SpvStorageClassStorageBuffer:
    case SpvStorageClassUniform:
    case SpvStorageClassUniformConstant:
        if (walk->tc->env == ENV_VK) {
            return check_resource(walk, in);
        }
        return walk->m->ids[in->w[VARIABLE_ID]].initial
                   ? RES_OK /* a table */
                   : refuse(walk, "a resource, which OpenCL does not have");
    case SpvStorageClassPushConstant:
        return check_push(walk, in);
    default:
        return refuse_number(walk, "storage class", in->w[VARIABLE_STORAGE]);
    }
}

static enum res check_capability(const struct walk *walk, const struct spv_inst *in)
{
    uint32_t const capability = in->n == 2 ? in->w[1] : UINT32_MAX;
    if (capability == SpvCapabilityLinkage) {
        return refuse(walk, "it declares Linkage: calls that leave the module");
    }
    return is_known_capability(capability)
               ? RES_OK
               : refuse_number(walk, "capability", in->n > 1 ? in->w[1] : 0);
}

static enum res check_extension(const struct walk *walk, const struct spv_inst *in)
{
    const char *name = get_text(in, 1);
    return is_known_extension(name) ? RES_OK
                                    : refuse_text(walk, "the extension", name, "is not known here");
}

/* No samples, written; layers are looked at where there is a variable of it. */
static enum res check_image(const struct walk *walk, const struct spv_inst *in)
{
    bool const is_plain = in->n == 9 && in->w[5] <= 1 && in->w[6] == 0 && in->w[7] == 2;
    return is_plain ? RES_OK : refuse(walk, "an image of another shape than the case's");
}

/* Refuses an instruction before the first function (RES_FORMAT and the reason) unless it is
 * harmless or passes the check of its kind. */
static enum res check_global(struct walk *walk, const struct spv_inst *in)
{
    static const struct {
        uint32_t first, last;
    } harmless[] = {
        {SpvOpUndef,            SpvOpUndef            },
        {SpvOpMemberName,       SpvOpLine             },
        {SpvOpTypeVoid,         SpvOpTypeMatrix       },
        {SpvOpTypeArray,        SpvOpTypeStruct       },
        {SpvOpTypePointer,      SpvOpTypeFunction     },
        {SpvOpConstantTrue,     SpvOpConstantComposite},
        {SpvOpConstantNull,     SpvOpConstantNull     },
        {SpvOpSpecConstantTrue, SpvOpSpecConstantOp   },
        {SpvOpNoLine,           SpvOpNoLine           },
        {SpvOpModuleProcessed,  SpvOpModuleProcessed  },
    };
    switch (in->op) {
    case SpvOpCapability:
        return check_capability(walk, in);
    case SpvOpExtension:
        return check_extension(walk, in);
    case SpvOpExtInstImport:
        return check_extended(walk, in);
    case SpvOpMemoryModel:
        return check_model(walk, in);
    case SpvOpEntryPoint:
        return check_entry(walk, in);
    case SpvOpExecutionMode:
    case SpvOpExecutionModeId:
        return check_mode(walk, in);
    case SpvOpSource:
        /* three words: the language and its version; a file and the text may follow */
        return in->n <= 3 ? RES_OK : refuse(walk, "source text");
    case SpvOpName:
        return walk->tc->env == ENV_CL ? check_name(walk, in) : RES_OK;
    case SpvOpDecorate:
        return check_decoration(walk, in);
    case SpvOpMemberDecorate:
        return check_member(walk, in);
    case SpvOpVariable:
        return check_variable(walk, in);
    case SpvOpTypeImage:
        return check_image(walk, in);
    default:
        break;
    }
    bool is_harmless = false;
    for (size_t i = 0; i < ARRAY_N(harmless); i++) {
        is_harmless |= harmless[i].first <= in->op && in->op <= harmless[i].last;
    }
    return is_harmless ? RES_OK : refuse_number(walk, "instruction", in->op);
}

/* ---- functions ---- */

static bool is_pointer(const struct module *m, uint32_t type)
{
    return type < m->n_ids && m->ids[type].t.kind == TK_POINTER;
}

/* A pointer as a number, or as one to memory of another kind, is not what the interpreter takes it for. One to another type
 * is, as it knows what lies in each byte, and number. */
static bool has_cast(const struct module *m, const struct mod_inst *in)
{
    uint32_t const operand = module_get_operand(m, in, MOD_OPERAND);
    bool const is_to = is_pointer(m, in->type), is_of = is_pointer(m, m->ids[operand].type);
    return is_to != is_of ||
           (is_to && m->ids[in->type].t.storage != m->ids[m->ids[operand].type].t.storage);
}

/* Is the value loaded from where the address of one of the case's buffers stands? */
static bool is_address(const struct walk *walk, uint32_t id)
{
    const struct module *const m = walk->m;
    const struct mod_inst *const load = module_get_definition(m, id);
    const struct mod_inst *const chain =
        load && load->op == SpvOpLoad
            ? module_get_definition(m, module_get_operand(m, load, MOD_OPERAND))
            : NULL;
    if (!chain || chain->part != PART_CHAIN) {
        return false;
    }
    const struct mod_id *const base = &m->ids[module_get_operand(m, chain, MOD_OPERAND)];
    return (base->flags & ID_BINDING) && base->binding < walk->tc->n_bufs &&
           walk->tc->bufs[base->binding].kind == BUF_ADDRESS;
}

/* Refuses an address (RES_FORMAT and the reason) that is taken for a number, which it is not the same of on each
 * device, and a number that is taken for an address. */
static enum res check_address(const struct walk *walk, const struct mod_inst *in)
{
    const struct module *const m = walk->m;
    if (in->op == SpvOpConvertUToPtr) {
        return is_address(walk, module_get_operand(m, in, MOD_OPERAND))
                   ? RES_OK
                   : refuse(walk, "a pointer that is made of a number");
    }
    bool const is_number = in->op == SpvOpLoad && m->ids[in->type].t.kind == TK_INT;
    for (uint32_t i = 0; is_number && is_address(walk, in->result) && i < m->n_code; i++) {
        for (uint32_t k = 1; k < m->code[i].n; k++) {
            if (m->code[i].w[k] == in->result && &m->code[i] != in &&
                m->code[i].op != SpvOpConvertUToPtr) {
                return refuse(walk, "an address that is used as a number");
            }
        }
    }
    return RES_OK;
}

static bool is_converted(const struct module *m, uint32_t id)
{
    const struct mod_inst *const by = module_get_definition(m, id);
    return by && by->op == SpvOpConvertPtrToU;
}

/* Is the other operand of a comparison an address as well, or 0? */
static bool compares_with(const struct module *m, uint32_t id)
{
    const struct mod_id *const other = &m->ids[id];
    bool const is_zero = (other->flags & ID_CONSTANT) && m->consts[other->slot].bits == 0;
    return is_zero || is_converted(m, id);
}

/* May the instruction take an address as a number? Two of them may be compared and subtracted: that is of no device. */
static bool takes_addresses(const struct module *m, const struct mod_inst *in)
{
    bool const is_comparison = in->op >= SpvOpIEqual && in->op <= SpvOpSLessThanEqual;
    return (is_comparison || in->op == SpvOpISub) &&
           compares_with(m, module_get_operand(m, in, MOD_OPERAND)) &&
           compares_with(m, module_get_operand(m, in, MOD_OPERAND + 1));
}

/* Refuses an address (RES_FORMAT and the reason) that becomes a number in another way. */
static enum res check_converted(const struct walk *walk, const struct mod_inst *of)
{
    const struct module *const m = walk->m;
    if (m->ids[of->type].t.kind != TK_INT || m->ids[of->type].t.bits != 64) {
        return refuse(walk, "an address that is used as a number");
    }
    for (uint32_t i = 0; i < m->n_code; i++) {
        const struct mod_inst *const in = &m->code[i];
        bool const takes = in != of && !takes_addresses(m, in);
        for (uint32_t k = 1; takes && k < in->n; k++) {
            if (in->w[k] == of->result) {
                return refuse(walk, "an address that is used as a number");
            }
        }
    }
    return RES_OK;
}

static bool is_interpreted(const struct mod_inst *in)
{
    static const uint32_t framing[] = {SpvOpFunction,    SpvOpFunctionParameter,
                                       SpvOpFunctionEnd, SpvOpPhi,
                                       SpvOpUnreachable, SpvOpVectorTimesScalar};
    return in->part != PART_FLOAT || op_find_number(in->op) >= 0 || rules_is_test(in->op) ||
           is_one_of(framing, ARRAY_N(framing), in->op);
}

static enum res check_parameter(struct walk *walk, const struct mod_inst *in)
{
    const struct module *m = walk->m;
    if (walk->function != m->code[m->entry].result) {
        return RES_OK;
    }
    uint32_t const i = walk->n_params++;
    bool const is_given = walk->tc->env == ENV_CL && i < walk->tc->n_bufs;
    if (is_given &&
        walk->tc->bufs[i].kind == BUF_VALUE) { /* module_decode_case has compared type and size */
        return is_pointer(m, in->type) ? refuse(walk, "a pointer that is given by value") : RES_OK;
    }
    bool const is_there = is_given && is_pointer(m, in->type);
    uint32_t const storage = is_there && walk->tc->bufs[i].kind == BUF_CONSTANT
                                 ? SpvStorageClassUniformConstant
                                 : SpvStorageClassCrossWorkgroup;
    bool const is_buffer = is_there && m->ids[in->type].t.storage == storage;
    return is_buffer ? RES_OK : refuse(walk, "an argument that is none of the case's buffers");
}

/* Refuses an instruction of a function (RES_FORMAT and the reason) that the interpreter does not know, or that has
 * a form which it does not interpret: pointers that are cast, functions without a body, and the like. */
static enum res check_code(struct walk *walk, const struct mod_inst *in)
{
    enum {
        FUNCTION_CONTROL = MOD_OPERAND, /* words */
        FUNCTION_WORDS = MOD_OPERAND + 2,
        EXTENDED_NUMBER = MOD_OPERAND + 1,
        STORAGE_CLASS = MOD_OPERAND
    };
    uint32_t const inlining = SpvFunctionControlInlineMask | SpvFunctionControlDontInlineMask;
    uint32_t const opcode = in->w[0] & SpvOpCodeMask;
    uint32_t const extended = in->n > EXTENDED_NUMBER ? in->w[EXTENDED_NUMBER] : 0;
    walk->at = in->offset;
    if (opcode == SpvOpExtInst && (!is_interpreted(in) || extended > UINT16_MAX)) {
        return refuse_number(walk, "extended instruction", extended);
    }
    if (!is_interpreted(in)) {
        return refuse_number(walk, "instruction", opcode);
    }
    switch (in->op) {
    case SpvOpFunction:
        walk->function = in->result;
        walk->has_body = false;
        return in->n == FUNCTION_WORDS && (in->w[FUNCTION_CONTROL] & ~inlining) == 0
                   ? RES_OK
                   : refuse(walk, "a function that is said to have no effects");
    case SpvOpFunctionParameter:
        return check_parameter(walk, in);
    case SpvOpLabel:
        walk->has_body = true;
        return RES_OK;
    case SpvOpFunctionEnd:
        return walk->has_body ? RES_OK : refuse(walk, "a function without a body");
    case SpvOpBitcast:
        return has_cast(walk->m, in) ? refuse(walk, "a pointer that is cast") : RES_OK;
    case SpvOpConvertPtrToU:
        return check_converted(walk, in);
    case SpvOpLoad:
    case SpvOpConvertUToPtr:
        return check_address(walk, in);
    case SpvOpVariable:
        return in->n > STORAGE_CLASS && in->w[STORAGE_CLASS] == SpvStorageClassFunction
                   ? RES_OK
                   : refuse(walk, "a variable of a function that is not its own");
    default:
        return RES_OK;
    }
}

static enum res check_functions(struct walk *walk)
{
    enum res r = RES_OK;
    for (uint32_t i = 0; r == RES_OK && i < walk->m->n_code; i++) {
        r = check_code(walk, &walk->m->code[i]);
    }
    return r;
}

/* The same of the code of an entry point that is not to run: the driver compiles it as well. In Vulkan it has the case's
 * buffers; a kernel of OpenCL has parameters of its own. */
static enum res check_other_entry(const struct walk *of, const char *name)
{
    struct module m;
    struct walk walk = *of;
    struct testcase other = *of->tc;
    other.entry = name;
    TRY(other.env == ENV_VK ? module_decode_case(&m, &other, of->a, of->e)
                            : module_decode(&m, other.module, other.n_words, name, of->a, of->e));
    if (m.unsupported) {
        return refuse(of, m.unsupported);
    }
    walk.m = &m;
    walk.n_params = 0;
    return check_functions(&walk);
}

/* Refuses a module (RES_FORMAT and the reason) whose words alone show something that the
 * interpreter does not support: first what comes before the first function, then its code and that
 * of other entry points, then the work-group size. */
enum res vouch_words(const struct testcase *tc, const struct module *m, struct arena *a,
                     struct err *e)
{
    enum {
        ENTRY_NAME = 3 /* word of OpEntryPoint */
    };
    struct walk walk = {.tc = tc, .m = m, .a = a, .e = e};
    uint32_t at = SPV_HEADER_WORDS;
    struct spv_inst in;
    enum res r = RES_OK;
    walk.decorated = ARENA_NEW(a, uint32_t, m->n_ids);
    if (!walk.decorated) {
        return err_set(e, RES_NOMEM, "module: no memory to look at it");
    }
    while (r == RES_OK && spv_next(tc->module, tc->n_words, &at, &in) && in.op != SpvOpFunction) {
        walk.at = in.offset;
        r = check_global(&walk, &in);
    }
    if (r == RES_OK) {
        r = check_functions(&walk);
    }
    at = SPV_HEADER_WORDS;
    while (r == RES_OK && walk.n_entries > 1 && spv_next(tc->module, tc->n_words, &at, &in)) {
        if (in.op == SpvOpEntryPoint && strcmp(get_text(&in, ENTRY_NAME), tc->entry) != 0) {
            r = check_other_entry(&walk, get_text(&in, ENTRY_NAME));
        }
    }
    if (r == RES_OK && !local_size_is_right(tc)) {
        return refuse(&walk, "a LocalSize, or a constant for it, other than the case's work-group");
    }
    return r;
}

/* ---- build options ---- */

/* Are all build options known to be harmless? If not, *word and *n are the first that is not. */
bool vouch_options(const char *options, const char **word, int *n)
{
    static const char *const known[] = {
#define OPTION(name, ...) name,
#include "oracle/math/option.def"
        "-cl-opt-disable", "-cl-std=CL3.0"};
    for (const char *s = options + strspn(options, " "); *s; s += strspn(s, " ")) {
        bool is_known = false;
        *word = s;
        *n = (int)strcspn(s, " ");
        for (size_t i = 0; i < ARRAY_N(known) && !is_known; i++) {
            is_known = strlen(known[i]) == (size_t)*n && strncmp(s, known[i], (size_t)*n) == 0;
        }
        if (!is_known) {
            return false;
        }
        s += *n;
    }
    return true;
}
