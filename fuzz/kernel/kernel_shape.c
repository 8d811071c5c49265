/* fuzz/kernel/kernel_shape.c -- what a kernel is to be given. */
#include "fuzz/kernel/kernel_shape.h"

#include <string.h>

#include "base/local_size.h"
#include "base/spv.h"

struct reader_of {
    const char *path;
    const struct kernel_types *types;
    const uint32_t *words;
    uint32_t n_words;
    struct arena *a;
    struct kernel_shape *out;
    struct err *e;
};

/* ---- entry points ---- */

static bool is_compute(const struct spv_inst *in)
{
    uint32_t const model = spv_get_word(in, 1);
    return in->op == SpvOpEntryPoint &&
           (model == SpvExecutionModelKernel || model == SpvExecutionModelGLCompute);
}

const char *const *kernel_shape_list(const uint32_t *words, uint32_t n_words, struct arena *a,
                                     uint32_t *n)
{
    enum {
        MOST = 256
    };
    const char **const names = ARENA_NEW(a, const char *, MOST);
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    *n = 0;
    while (names && *n < MOST && spv_next(words, n_words, &offset, &in) && in.op != SpvOpFunction) {
        if (is_compute(&in)) {
            names[(*n)++] = kernel_read_string(&in, 3, a);
        }
    }
    return names;
}

/* The function of the entry point of that name, or of the only one. */
static enum res find_entry(struct reader_of *r, const char *wanted, uint32_t *function)
{
    uint32_t offset = SPV_HEADER_WORDS, n = 0;
    struct spv_inst in;
    const char *names = "";
    while (spv_next(r->words, r->n_words, &offset, &in) && in.op != SpvOpFunction) {
        if (in.op != SpvOpEntryPoint) {
            continue;
        }
        const char *const name = kernel_read_string(&in, 3, r->a);
        if (!is_compute(&in)) {
            names = arena_printf(r->a, "%s%s%s (of graphics)", names, names[0] ? ", " : "", name);
            continue;
        }
        names = arena_printf(r->a, "%s%s%s", names, names[0] ? ", " : "", name);
        if (!wanted || strcmp(name, wanted) == 0) {
            n++;
            *function = spv_get_word(&in, 2);
            r->out->entry = name;
        }
    }
    if (n == 1) {
        return RES_OK;
    }
    if (!names[0]) {
        return err_set(
            r->e, RES_USAGE,
            "%s: the module has no entry point: OpEntryPoint Kernel or GLCompute is needed",
            r->path);
    }
    return n == 0
               ? err_set(r->e, RES_USAGE, "%s: no kernel or compute shader%s%s; entry points: %s",
                         r->path, wanted ? " is named " : "", wanted ? wanted : "", names)
               : err_set(r->e, RES_USAGE, "%s: several kernels, --entry takes one: %s", r->path,
                         names);
}

/* The work-group size by the mode LocalSize, or by the constant that is WorkgroupSize. */
static void find_local_size(struct reader_of *r)
{
    struct testcase const tc = {
        .env = r->out->env, .module = r->words, .n_words = r->n_words, .entry = r->out->entry};
    struct local_size const stated = local_size_find(&tc);
    if (stated.is_known) {
        memcpy(r->out->local, stated.size, sizeof r->out->local);
        memcpy(r->out->local_spec_id, stated.spec_id, sizeof r->out->local_spec_id);
    }
}

/* Does the id name an input of ids, or a value that was loaded of one? */
static bool is_of_ids(const struct reader_of *r, uint32_t id)
{
    struct spv_inst in = spv_index_find(&r->types->index, id);
    if (in.op == SpvOpLoad) {
        in = spv_index_find(&r->types->index, spv_get_word(&in, 3));
    }
    if (in.op != SpvOpVariable) {
        return false;
    }
    uint32_t built_in = UINT32_MAX;
    (void)spv_find_decoration(r->words, r->n_words, in.w[2], SpvDecorationBuiltIn, &built_in);
    return built_in == SpvBuiltInGlobalInvocationId || built_in == SpvBuiltInLocalInvocationId ||
           built_in == SpvBuiltInWorkgroupId;
}

/* How many components of the ids are read: a kernel that reads y is of two dimensions. */
static void count_dims(struct reader_of *r)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    r->out->n_dims = 1;
    while (spv_next(r->words, r->n_words, &offset, &in)) {
        uint32_t component = 0;
        if (in.op == SpvOpCompositeExtract && in.n > 4 && is_of_ids(r, in.w[3])) {
            component = in.w[4];
        } else if ((in.op == SpvOpAccessChain || in.op == SpvOpInBoundsAccessChain) && in.n > 4 &&
                   is_of_ids(r, in.w[3])) {
            struct spv_inst const index = spv_index_find(&r->types->index, in.w[4]);
            component = spv_get_word(&index, 3);
        }
        if (component < 3 && component + 1 > r->out->n_dims) {
            r->out->n_dims = component + 1;
        }
    }
}

/* ---- buffers ---- */

static enum res add(struct reader_of *r, uint32_t at, const struct kernel_buffer *b)
{
    if (at >= CASE_MAX_BUFS) {
        return err_set(r->e, RES_LIMIT, "%s: more than %d buffers", r->path, CASE_MAX_BUFS);
    }
    r->out->bufs[at] = *b;
    r->out->bufs[at].number = at;
    r->out->n_bufs = at + 1 > r->out->n_bufs ? at + 1 : r->out->n_bufs;
    return RES_OK;
}

static struct spv_inst get_pointee(const struct reader_of *r, uint32_t pointer_type, uint32_t *type)
{
    struct spv_inst const pointer = spv_index_find(&r->types->index, pointer_type);
    *type = spv_get_word(&pointer, 3);
    return spv_index_find(&r->types->index, *type);
}

/* The kind of an image or texel buffer; BUF_STORAGE: there is none like it. */
static enum buf_kind find_image_kind(const struct spv_inst *image)
{
    static const struct {
        uint32_t format;
        enum texel_format texels;
    } formats[] = {
        {SpvImageFormatR32f,    TEXEL_R32F   },
        {SpvImageFormatR32ui,   TEXEL_R32UI  },
        {SpvImageFormatRg16f,   TEXEL_RG16F  },
        {SpvImageFormatRgba16f, TEXEL_RGBA16F},
    };
    uint32_t const dim = spv_get_word(image, 3), is_array = spv_get_word(image, 5);
    for (size_t f = 0; f < ARRAY_N(formats); f++) {
        for (int k = TEXELS_BUFFER; formats[f].format == spv_get_word(image, 8) && k < TEXELS_N;
             k++) {
            bool const is_buffer = k == TEXELS_BUFFER && dim == SpvDimBuffer;
            bool const is_image = k > TEXELS_BUFFER && texels_rows[k].dim == dim &&
                                  texels_rows[k].is_array == is_array;
            if (is_buffer || is_image) {
                return buf_find_kind((enum texels)k, formats[f].texels);
            }
        }
    }
    return BUF_STORAGE;
}

/* A variable of Vulkan's resources. */
static enum res add_variable(struct reader_of *r, const struct spv_inst *in)
{
    uint32_t const id = in->w[2], storage = spv_get_word(in, 3);
    struct kernel_buffer b = {.id = id, .name = ""};
    struct spv_inst const content = get_pointee(r, in->w[1], &b.type);
    uint32_t binding = UINT32_MAX, ignored = 0;
    (void)spv_find_decoration(r->words, r->n_words, id, SpvDecorationBinding, &binding);
    (void)spv_find_decoration(r->words, r->n_words, id, SpvDecorationDescriptorSet, &b.set);
    b.fixed_bytes = kernel_type_bytes(r->types, b.type);
    b.element_bytes = kernel_type_run_time_stride(r->types, b.type);
    switch (storage) {
    case SpvStorageClassStorageBuffer:
        b.kind = BUF_STORAGE;
        break;
    case SpvStorageClassUniform:
        b.kind =
            spv_find_decoration(r->words, r->n_words, b.type, SpvDecorationBufferBlock, &ignored)
                ? BUF_STORAGE
                : BUF_CONSTANT;
        break;
    case SpvStorageClassUniformConstant:
        b.kind = content.op == SpvOpTypeImage ? find_image_kind(&content) : BUF_STORAGE;
        if (b.kind == BUF_STORAGE) {
            return err_set(
                r->e, RES_LIMIT,
                "%s: binding %u is an image, a sampler or an array of a kind that no case has",
                r->path, binding);
        }
        break;
    case SpvStorageClassPushConstant:
        b.kind = BUF_PUSH;
        break;
    default:
        return RES_OK;
    }
    if (b.kind == BUF_PUSH) { /* behind all bindings: see add_push */
        r->out->bufs[CASE_MAX_BUFS - 1] = b;
        return RES_OK;
    }
    return binding == UINT32_MAX
               ? err_set(r->e, RES_FORMAT, "%s: variable %u has no binding", r->path, id)
               : add(r, binding, &b);
}

static enum res add_variables(struct reader_of *r)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    struct kernel_buffer *const push = &r->out->bufs[CASE_MAX_BUFS - 1];
    while (spv_next(r->words, r->n_words, &offset, &in) && in.op != SpvOpFunction) {
        if (in.op == SpvOpVariable && in.n > 3) {
            TRY(add_variable(r, &in));
        }
    }
    if (push->kind == BUF_PUSH && r->out->n_bufs < CASE_MAX_BUFS) {
        struct kernel_buffer const b = *push;
        memset(push, 0, sizeof *push);
        TRY(add(r, r->out->n_bufs, &b));
    }
    return RES_OK;
}

/* A parameter of OpenCL's kernel. */
static enum res add_parameter(struct reader_of *r, const struct spv_inst *in, uint32_t number)
{
    struct kernel_buffer b = {.id = in->w[2], .name = "", .type = in->w[1]};
    struct spv_inst const type = spv_index_find(&r->types->index, in->w[1]);
    if (type.op == SpvOpTypeImage || type.op == SpvOpTypeSampler || type.op == SpvOpTypeStruct) {
        return err_set(r->e, RES_LIMIT,
                       "%s: argument %u is %s, which this program does not give to OpenCL", r->path,
                       number,
                       type.op == SpvOpTypeImage     ? "an image"
                       : type.op == SpvOpTypeSampler ? "a sampler"
                                                     : "a struct that is no memory");
    }
    if (type.op == SpvOpTypePointer) {
        uint32_t const storage = spv_get_word(&type, 2);
        b.type = spv_get_word(&type, 3);
        b.kind = storage == SpvStorageClassUniformConstant ? BUF_CONSTANT : BUF_STORAGE;
        b.element_bytes = kernel_type_bytes(r->types, b.type);
        if (b.element_bytes == 0) {
            b.element_bytes = 1;
        }
    } else {
        uint32_t const n_components = type.op == SpvOpTypeVector ? spv_get_word(&type, 3) : 1;
        b.kind = BUF_VALUE;
        b.fixed_bytes = kernel_type_bytes(r->types, b.type) / n_components *
                        (n_components == 3 ? 4 : n_components);
    }
    return add(r, number, &b);
}

static enum res add_parameters(struct reader_of *r, uint32_t function)
{
    uint32_t offset = SPV_HEADER_WORDS, n = 0;
    struct spv_inst in;
    bool is_within = false;
    while (spv_next(r->words, r->n_words, &offset, &in)) {
        if (in.op == SpvOpFunction) {
            is_within = spv_get_word(&in, 2) == function;
        } else if (in.op == SpvOpFunctionParameter && is_within && in.n > 2) {
            TRY(add_parameter(r, &in, n++));
        } else if (in.op == SpvOpLabel && is_within) {
            return RES_OK;
        }
    }
    return RES_OK;
}

/* ---- how buffers are read ---- */

/* The buffer that a pointer goes to; NULL: another, or it is not known. */
static struct kernel_buffer *find_buffer(const struct reader_of *r, uint32_t pointer)
{
    enum {
        MAX_STEPS = 8
    };
    for (int step = 0; step < MAX_STEPS; step++) {
        for (uint32_t i = 0; i < r->out->n_bufs; i++) {
            if (r->out->bufs[i].id == pointer) {
                return &r->out->bufs[i];
            }
        }
        struct spv_inst const in = spv_index_find(&r->types->index, pointer);
        bool const is_chain = in.op == SpvOpAccessChain || in.op == SpvOpInBoundsAccessChain ||
                              in.op == SpvOpPtrAccessChain ||
                              in.op == SpvOpInBoundsPtrAccessChain || in.op == SpvOpBitcast;
        if (!is_chain) {
            return NULL;
        }
        pointer = spv_get_word(&in, 3);
    }
    return NULL;
}

static bool is_of_floats(const struct reader_of *r, uint32_t type)
{
    struct spv_inst in = spv_index_find(&r->types->index, type);
    if (in.op == SpvOpTypeVector) {
        in = spv_index_find(&r->types->index, spv_get_word(&in, 2));
    }
    return in.op == SpvOpTypeFloat;
}

/* Buffers of integers whose loads are made floats bit by bit. */
static void find_float_bits(struct reader_of *r)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (spv_next(r->words, r->n_words, &offset, &in)) {
        struct spv_inst const load = spv_index_find(&r->types->index, spv_get_word(&in, 3));
        if (in.op != SpvOpBitcast || load.op != SpvOpLoad || !is_of_floats(r, in.w[1]) ||
            is_of_floats(r, load.w[1])) {
            continue;
        }
        struct kernel_buffer *const b = find_buffer(r, spv_get_word(&load, 3));
        if (b) {
            b->is_float_bits = true;
        }
    }
}

enum res kernel_shape_read(const char *path, enum env env, const uint32_t *words, uint32_t n_words,
                           const char *entry, struct arena *a, struct kernel_types *types,
                           struct kernel_shape *out, struct err *e)
{
    struct reader_of r = {.path = path,
                          .types = types,
                          .words = words,
                          .n_words = n_words,
                          .a = a,
                          .out = out,
                          .e = e};
    uint32_t function = 0;
    *out = (struct kernel_shape){.env = env};
    TRY(kernel_types_make(types, words, n_words, a, e));
    TRY(find_entry(&r, entry, &function));
    out->function = function;
    find_local_size(&r);
    count_dims(&r);
    TRY(env == ENV_VK ? add_variables(&r) : add_parameters(&r, function));
    find_float_bits(&r);
    return RES_OK;
}
