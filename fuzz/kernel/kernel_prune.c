/* fuzz/kernel/kernel_prune.c -- one kernel of a compiler's module, without what it does not use. */
#include "fuzz/kernel/kernel_prune.h"

#include <string.h>

#include "base/spv.h"
#include "fuzz/kernel/kernel_type.h"
#include "fuzz/trial/module_needs.h"

enum {
    OPENCL_PRINTF = 184, /* of OpenCL.std */
    OPENCL_PREFETCH = 185,
    EXTENDED_SET = 3, /* words of OpExtInst */
    EXTENDED_NUMBER = 4
};

struct pruner {
    const uint32_t *words;
    uint32_t n_words;
    struct spv_index index;
    uint32_t function; /* of the entry point */
    bool *is_used;     /* [n_ids] */
    bool *is_reached;  /* [n_ids] functions */
    bool *is_cut;      /* [n_ids] results within functions that are not reached */
    bool *has_binding; /* [n_ids] variables that a case gives a buffer */
    uint32_t *open;    /* ids whose definition is still to be looked at */
    uint32_t n_open;
    uint32_t opencl_set; /* id of OpenCL.std */
    bool has_images;
};

static bool is_entry_model(uint32_t model)
{
    return model == SpvExecutionModelKernel || model == SpvExecutionModelGLCompute;
}

uint32_t kernel_find_function(const uint32_t *words, uint32_t n_words, const char *entry,
                              struct arena *a)
{
    uint32_t offset = SPV_HEADER_WORDS, n = 0, function = 0;
    struct spv_inst in;
    while (spv_next(words, n_words, &offset, &in) && in.op != SpvOpFunction) {
        if (in.op == SpvOpEntryPoint && is_entry_model(spv_get_word(&in, 1)) &&
            (!entry || strcmp(kernel_read_string(&in, 3, a), entry) == 0)) {
            n++;
            function = spv_get_word(&in, 2);
        }
    }
    return n == 1 ? function : 0;
}

/* ---- what is reached ---- */

static bool mark_called(struct pruner *p)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    bool is_in = false, is_new = false;
    while (spv_next(p->words, p->n_words, &offset, &in)) {
        uint32_t const id = spv_get_word(&in, in.op == SpvOpFunction ? 2 : 3);
        if (in.op == SpvOpFunction) {
            is_in = id < p->index.n_ids && p->is_reached[id];
        }
        if (is_in && in.op == SpvOpFunctionCall && id < p->index.n_ids && !p->is_reached[id]) {
            p->is_reached[id] = is_new = true;
        }
    }
    return is_new;
}

/* Does printf or prefetch stand there? They change nothing that a kernel can see, and wait for nobody. Clause: OpenCL C,
 * "printf" and "prefetch". */
static bool is_idle_call(const struct pruner *p, const struct spv_inst *in)
{
    uint32_t const number = spv_get_word(in, EXTENDED_NUMBER);
    return in->op == SpvOpExtInst && p->opencl_set &&
           spv_get_word(in, EXTENDED_SET) == p->opencl_set &&
           (number == OPENCL_PRINTF || number == OPENCL_PREFETCH);
}

/* An instruction that does nothing but give its result. */
static bool is_removable(const struct pruner *p, const struct spv_inst *in)
{
    switch (in->op) {
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
    case SpvOpPtrAccessChain:
    case SpvOpInBoundsPtrAccessChain:
    case SpvOpPtrCastToGeneric:
    case SpvOpGenericCastToPtr:
    case SpvOpBitcast:
    case SpvOpUndef:
        return true;
    case SpvOpVariable:
        return in->n > 2 && in->w[2] < p->index.n_ids && !p->has_binding[in->w[2]] &&
               spv_get_word(in, 3) != SpvStorageClassPushConstant;
    default:
        return is_idle_call(p, in) || (in->op >= SpvOpTypeVoid && in->op <= SpvOpTypePipe) ||
               (in->op >= SpvOpConstantTrue && in->op <= SpvOpSpecConstantOp);
    }
}

/* Instructions that tell of an id, and stay while it does. */
static bool is_about_id(uint32_t op)
{
    return op == SpvOpName || op == SpvOpMemberName || op == SpvOpDecorate ||
           op == SpvOpMemberDecorate || op == SpvOpDecorateId;
}

static bool is_about_entry(uint32_t op)
{
    return op == SpvOpEntryPoint || op == SpvOpExecutionMode || op == SpvOpExecutionModeId;
}

/* ---- what is used ---- */

static void use(struct pruner *p, uint32_t id)
{
    if (id < p->index.n_ids && !p->is_used[id]) {
        p->is_used[id] = true;
        p->open[p->n_open++] = id;
    }
}

/* Is word i of the instruction no id, though it may look like one? What is not listed counts as an id. */
static bool is_literal(const struct spv_inst *in, uint32_t i)
{
    switch (in->op) {
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
        return i > 1;
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
        return i > 2;
    case SpvOpTypePointer:
        return i == 2;
    case SpvOpTypeImage:
        return i > 2;
    case SpvOpConstant:
    case SpvOpSpecConstant:
        return i > 2;
    case SpvOpVariable:
    case SpvOpSpecConstantOp:
        return i == 3;
    case SpvOpLoad:
    case SpvOpCompositeExtract:
        return i > 3;
    case SpvOpStore:
        return i > 2;
    case SpvOpCompositeInsert:
    case SpvOpVectorShuffle:
        return i > 4;
    case SpvOpExtInst:
        return i == EXTENDED_NUMBER;
    case SpvOpFunction:
        return i == 3;
    default:
        return false;
    }
}

static void use_operands(struct pruner *p, const struct spv_inst *in)
{
    bool has_type = false;
    uint32_t const result = spv_find_result(in, &has_type);
    for (uint32_t i = 1; i < in->n; i++) {
        if (i != result && !is_literal(in, i)) {
            use(p, in->w[i]);
        }
    }
}

/* Is the instruction there whoever uses it? is_in: it is of a function that is reached. */
static bool is_root(const struct pruner *p, const struct spv_inst *in, bool is_in)
{
    switch (in->op) {
    case SpvOpCapability:
    case SpvOpExtension:
    case SpvOpExtInstImport:
    case SpvOpMemoryModel:
    case SpvOpSource:
    case SpvOpSourceExtension:
    case SpvOpSourceContinued:
    case SpvOpString:
    case SpvOpModuleProcessed:
    case SpvOpEntryPoint:
    case SpvOpExecutionMode:
        return false; /* they name nothing that could be removed */
    case SpvOpExecutionModeId:
        return spv_get_word(in, 1) == p->function;
    default:
        return is_in && !is_about_id(in->op) && !is_removable(p, in);
    }
}

/* Decorates it a constant that the user may set, or that says what the work-group is? */
static bool is_asked_for(const struct spv_inst *in)
{
    uint32_t const decoration = spv_get_word(in, 2);
    return in->op == SpvOpDecorate &&
           (decoration == SpvDecorationSpecId ||
            (decoration == SpvDecorationBuiltIn && spv_get_word(in, 3) == SpvBuiltInWorkgroupSize));
}

static void find_used(struct pruner *p)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    bool is_in = true;
    while (spv_next(p->words, p->n_words, &offset, &in)) {
        uint32_t const id = spv_get_word(&in, 2);
        if (in.op == SpvOpFunction) {
            is_in = id < p->index.n_ids && p->is_reached[id];
        }
        bool has_type = false;
        uint32_t const result = spv_get_word(&in, spv_find_result(&in, &has_type));
        if (!is_in && result < p->index.n_ids) {
            p->is_cut[result] = true;
        }
        if (is_asked_for(&in)) {
            use(p, in.w[1]);
        }
        bool const is_bound = in.op == SpvOpVariable && !is_removable(p, &in);
        if (is_root(p, &in, is_in)) {
            use_operands(p, &in);
        }
        if (is_bound || (is_in && in.op == SpvOpFunction)) {
            use(p, id);
        }
    }
    while (p->n_open > 0) {
        struct spv_inst const by = spv_index_find(&p->index, p->open[--p->n_open]);
        if (by.n > 0) {
            use_operands(p, &by);
            p->has_images |= by.op == SpvOpTypeImage || by.op == SpvOpTypeSampler;
        }
    }
}

/* ---- what is left ---- */

static bool is_id_used(const struct pruner *p, uint32_t id)
{
    return id < p->index.n_ids && p->is_used[id];
}

/* Is the target of an instruction that tells of an id left? Labels and what is no removable result are. */
static bool is_kept_target(const struct pruner *p, uint32_t id)
{
    if (id >= p->index.n_ids || p->is_cut[id]) {
        return false;
    }
    struct spv_inst const by = spv_index_find(&p->index, id);
    return p->is_used[id] || (by.n > 0 && !is_removable(p, &by));
}

/* What only a module with images needs; those of a kernel are no longer there when they were another kernel's. */
static bool is_of_images(uint32_t capability)
{
    switch (capability) {
    case SpvCapabilityImageBasic:
    case SpvCapabilityImageReadWrite:
    case SpvCapabilityImageMipmap:
    case SpvCapabilityLiteralSampler:
    case SpvCapabilitySampled1D:
    case SpvCapabilityImage1D:
    case SpvCapabilitySampledBuffer:
    case SpvCapabilityImageBuffer:
        return true;
    default:
        return false;
    }
}

static bool is_kept(const struct pruner *p, const struct spv_inst *in)
{
    bool has_type = false;
    if (in->op == SpvOpCapability) {
        return p->has_images || !is_of_images(spv_get_word(in, 1));
    }
    if (is_about_entry(in->op)) {
        return spv_get_word(in, in->op == SpvOpEntryPoint ? 2 : 1) == p->function;
    }
    if (is_about_id(in->op)) {
        return is_kept_target(p, spv_get_word(in, 1));
    }
    uint32_t const result = spv_find_result(in, &has_type);
    return !result || !is_removable(p, in) || is_id_used(p, spv_get_word(in, result));
}

/* OpEntryPoint without the variables that are gone. */
static uint32_t put_entry(const struct pruner *p, const struct spv_inst *in, uint32_t *to)
{
    uint32_t n = 3; /* words before the name */
    bool is_end = false;
    while (n < in->n && !is_end) {
        uint32_t const w = in->w[n++];
        is_end = !(w & 0xff) || !(w >> 8 & 0xff) || !(w >> 16 & 0xff) || !(w >> 24);
    }
    memcpy(to, in->w, n * sizeof *to);
    for (uint32_t i = n; i < in->n; i++) {
        if (is_id_used(p, in->w[i])) {
            to[n++] = in->w[i];
        }
    }
    to[0] = n << SpvWordCountShift | SpvOpEntryPoint;
    return n;
}

static uint32_t put_one(const struct pruner *p, const struct spv_inst *in, uint32_t *to)
{
    enum {
        CONTROL = 3 /* word of OpFunction */
    };
    if (in->op == SpvOpEntryPoint) {
        return put_entry(p, in, to);
    }
    memcpy(to, in->w, in->n * sizeof *to);
    if (in->op == SpvOpFunction && in->n > CONTROL) {
        to[CONTROL] &= ~(uint32_t)(SpvFunctionControlPureMask | SpvFunctionControlConstMask);
    }
    return in->n;
}

/* The variables of the function that the offset is in. They stand at its begin: a translator leaves some where LLVM has them. */
static uint32_t put_variables(const struct pruner *p, uint32_t offset, uint32_t *to)
{
    struct spv_inst in;
    uint32_t n = 0;
    while (spv_next(p->words, p->n_words, &offset, &in) && in.op != SpvOpFunctionEnd) {
        if (in.op == SpvOpVariable && is_kept(p, &in)) {
            n += put_one(p, &in, to + n);
        }
    }
    return n;
}

static uint32_t put_kept(const struct pruner *p, uint32_t *to)
{
    uint32_t offset = SPV_HEADER_WORDS, n = SPV_HEADER_WORDS;
    struct spv_inst in;
    bool is_in = true, is_code = false, is_begun = false;
    memcpy(to, p->words, SPV_HEADER_WORDS * sizeof *to);
    while (spv_next(p->words, p->n_words, &offset, &in)) {
        uint32_t const id = spv_get_word(&in, 2);
        if (in.op == SpvOpFunction) {
            is_in = id < p->index.n_ids && p->is_reached[id];
            is_code = true;
            is_begun = false;
        }
        if (is_in && is_kept(p, &in) && (in.op != SpvOpVariable || !is_code)) {
            n += put_one(p, &in, to + n);
        }
        if (is_in && in.op == SpvOpLabel && !is_begun) {
            n += put_variables(p, offset, to + n);
            is_begun = true;
        }
    }
    return n;
}

/* One more capability, at the begin. */
static uint32_t add_capability(uint32_t *words, uint32_t n_words, uint32_t capability)
{
    enum {
        N = 2 /* words */
    };
    memmove(words + SPV_HEADER_WORDS + N, words + SPV_HEADER_WORDS,
            (n_words - SPV_HEADER_WORDS) * sizeof *words);
    words[SPV_HEADER_WORDS] = N << SpvWordCountShift | SpvOpCapability;
    words[SPV_HEADER_WORDS + 1] = capability;
    return n_words + N;
}

static void look(struct pruner *p, struct arena *a)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (spv_next(p->words, p->n_words, &offset, &in)) {
        uint32_t const id = spv_get_word(&in, 1);
        uint32_t const decoration = in.op == SpvOpDecorate ? spv_get_word(&in, 2) : UINT32_MAX;
        bool const is_bound =
            decoration == SpvDecorationBinding || decoration == SpvDecorationDescriptorSet;
        if (id < p->index.n_ids && is_bound) {
            p->has_binding[id] = true;
        }
        if (in.op == SpvOpExtInstImport &&
            strcmp(kernel_read_string(&in, 2, a), "OpenCL.std") == 0) {
            p->opencl_set = id;
        }
    }
}

enum res kernel_prune(const char *path, enum env env, const uint32_t *words, uint32_t n_words,
                      const char *entry, struct arena *a, const uint32_t **out, uint32_t *n_out,
                      struct err *e)
{
    struct pruner p = {.words = words, .n_words = n_words};
    p.function = kernel_find_function(words, n_words, entry, a);
    *out = words;
    *n_out = n_words;
    if (!p.function) {
        return RES_OK; /* who reads the shape says why */
    }
    bool const is_index = spv_index_make(&p.index, words, n_words, a);
    uint32_t const n = is_index ? p.index.n_ids : 0;
    uint32_t *const kept = ARENA_NEW(a, uint32_t, (size_t)n_words + 2);
    p.is_used = ARENA_NEW(a, bool, n + 1);
    p.is_reached = ARENA_NEW(a, bool, n + 1);
    p.is_cut = ARENA_NEW(a, bool, n + 1);
    p.has_binding = ARENA_NEW(a, bool, n + 1);
    p.open = ARENA_NEW(a, uint32_t, n + 1);
    if (!kept || !p.is_used || !p.is_reached || !p.is_cut || !p.has_binding || !p.open) {
        return err_set(e, RES_NOMEM, "%s: no room for a module of %u words", path, n_words);
    }
    if (p.function >= n) { /* one that is too large, or broken */
        return RES_OK;
    }
    look(&p, a);
    p.is_reached[p.function] = true;
    while (mark_called(&p)) {
    }
    find_used(&p);
    *n_out = put_kept(&p, kept);
    struct testcase const tc = {.env = env, .module = kept, .n_words = *n_out};
    if (module_needs_half(&tc)) {
        *n_out = add_capability(kept, *n_out, SpvCapabilityFloat16);
    }
    *out = kept;
    return RES_OK;
}
