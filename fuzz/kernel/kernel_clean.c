/* fuzz/kernel/kernel_clean.c -- a module without what says nothing of its results. */
#include "fuzz/kernel/kernel_clean.h"

#include <string.h>

#include "base/spv.h"
#include "fuzz/kernel/kernel_order.h"
#include "fuzz/kernel/kernel_type.h"

/* Instructions that only tell where something comes from. */
static bool is_about_source(uint32_t op)
{
    switch (op) {
    case SpvOpSource:
    case SpvOpSourceContinued:
    case SpvOpSourceExtension:
    case SpvOpString:
    case SpvOpName: /* drivers go by some */
    case SpvOpMemberName:
    case SpvOpLine:
    case SpvOpNoLine:
    case SpvOpModuleProcessed:
    case SpvOpLifetimeStart:
    case SpvOpLifetimeStop:
        return true;
    default:
        return false;
    }
}

/* Does the string that begins at word `at` begin with the text? */
static bool begins(const struct spv_inst *in, uint32_t at, const char *text)
{
    size_t const n = strlen(text);
    for (size_t i = 0; i < n; i++) {
        uint32_t const word = spv_get_word(in, at + (uint32_t)(i / 4));
        if ((char)(word >> 8 * (i % 4)) != text[i]) {
            return false;
        }
    }
    return true;
}

/* Decorations by which a program promises something that its compiler may use: without them it means the same. */
static bool is_promise(uint32_t decoration)
{
    switch (decoration) {
    case SpvDecorationRestrict:
    case SpvDecorationNonWritable:
    case SpvDecorationNonReadable:
    case SpvDecorationFuncParamAttr:
    case SpvDecorationRestrictPointer:
    case SpvDecorationAliasedPointer:
    case SpvDecorationConstant:
    case SpvDecorationAlignment:
    case SpvDecorationMaxByteOffset:
        return true;
    default:
        return false;
    }
}

struct cleaner {
    const char *path;
    const uint32_t *words;
    uint32_t n_words, n_ids;
    bool *is_gone;     /* [n_ids] results of what is removed: sets, strings */
    bool *has_body;    /* [n_ids] functions */
    const char **name; /* [n_ids] by which it is imported, or of OpName, in the arena; NULL: none */
    struct arena *a;
};

/* Sets that have no meaning for results. */
static bool is_idle_set(const struct spv_inst *in)
{
    return begins(in, 2, "NonSemantic.") || begins(in, 2, "OpenCL.DebugInfo.") ||
           begins(in, 2, "SPIRV.debug");
}

/* What the whole module says of ids, before any of it is removed. */
static void look(struct cleaner *c)
{
    uint32_t offset = SPV_HEADER_WORDS, function = 0;
    struct spv_inst in;
    while (spv_next(c->words, c->n_words, &offset, &in)) {
        uint32_t const id = spv_get_word(&in, 1), result = spv_get_word(&in, 2);
        if (in.op == SpvOpExtInstImport && id < c->n_ids) {
            c->is_gone[id] = is_idle_set(&in);
        } else if (in.op == SpvOpString && id < c->n_ids) {
            c->is_gone[id] = true;
        } else if (in.op == SpvOpName && id < c->n_ids) {
            c->name[id] = kernel_read_string(&in, 2, c->a);
        } else if (in.op == SpvOpDecorate && id < c->n_ids &&
                   result == SpvDecorationLinkageAttributes) {
            c->name[id] = kernel_read_string(&in, 3, c->a);
        } else if (in.op == SpvOpFunction && result < c->n_ids) {
            function = result;
        } else if (in.op == SpvOpLabel && function) {
            c->has_body[function] = true;
        }
    }
}

static bool is_removed(const struct cleaner *c, const struct spv_inst *in)
{
    uint32_t const id = spv_get_word(in, 1);
    uint32_t const set = spv_get_word(in, 3);
    if (is_about_source(in->op)) {
        return true;
    }
    if (in->op == SpvOpExtInstImport) {
        return id < c->n_ids && c->is_gone[id];
    }
    if (in->op == SpvOpMemberDecorate) {
        return is_promise(spv_get_word(in, 3));
    }
    if (in->op == SpvOpExtInst) {
        return set < c->n_ids && c->is_gone[set];
    }
    if (in->op == SpvOpCapability) {
        return id == SpvCapabilityLinkage;
    }
    if (in->op == SpvOpExtension) {
        return begins(in, 1, "SPV_KHR_non_semantic_info");
    }
    if (in->op == SpvOpDecorate) {
        uint32_t const decoration = spv_get_word(in, 2);
        return decoration == SpvDecorationLinkageAttributes ||
               decoration == SpvDecorationUserSemantic || is_promise(decoration);
    }
    return false;
}

/* A function that is called and has no body. */
static enum res find_imported(const struct cleaner *c, struct err *e)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (spv_next(c->words, c->n_words, &offset, &in)) {
        uint32_t const callee = spv_get_word(&in, 3);
        if (in.op == SpvOpFunctionCall && callee < c->n_ids && !c->has_body[callee]) {
            return err_set(e, RES_USAGE,
                           "%s: byte %zu: %s is called, which the module does not define", c->path,
                           in.offset * sizeof(uint32_t),
                           c->name[callee] ? c->name[callee] : "a function");
        }
    }
    return RES_OK;
}

/* Functions without a body that nobody calls go as a whole, up to their OpFunctionEnd. */
static bool is_declaration(const struct cleaner *c, const struct spv_inst *in, bool *is_within)
{
    uint32_t const id = spv_get_word(in, 2);
    if (in->op == SpvOpFunction) {
        *is_within = id < c->n_ids && !c->has_body[id];
    }
    bool const was_within = *is_within;
    if (in->op == SpvOpFunctionEnd) {
        *is_within = false;
    }
    return was_within;
}

/* ---- bindings ---- */

enum {
    MAX_BINDINGS = 64
};
struct bindings {
    uint32_t n;
    struct {
        uint32_t id, set, binding;
    } row[MAX_BINDINGS];
};

static uint32_t get_binding(struct bindings *b, uint32_t id)
{
    for (uint32_t i = 0; i < b->n; i++) {
        if (b->row[i].id == id) {
            return i;
        }
    }
    if (b->n == MAX_BINDINGS) {
        return MAX_BINDINGS;
    }
    b->row[b->n].id = id;
    b->row[b->n].set = b->row[b->n].binding = 0;
    return b->n++;
}

static void find_bindings(const uint32_t *words, uint32_t n_words, struct bindings *b)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (spv_next(words, n_words, &offset, &in)) {
        uint32_t const decoration = in.op == SpvOpDecorate ? spv_get_word(&in, 2) : UINT32_MAX;
        bool const is_set = decoration == SpvDecorationDescriptorSet;
        if (!is_set && decoration != SpvDecorationBinding) {
            continue;
        }
        uint32_t const i = get_binding(b, spv_get_word(&in, 1));
        if (i < MAX_BINDINGS) {
            *(is_set ? &b->row[i].set : &b->row[i].binding) = spv_get_word(&in, 3);
        }
    }
}

/* Which number a variable's binding has among all: those of the same set and binding share one. */
static uint32_t rank(const struct bindings *b, uint32_t id)
{
    uint32_t own = 0, n = 0;
    while (own < b->n && b->row[own].id != id) {
        own++;
    }
    for (uint32_t i = 0; own < b->n && i < b->n; i++) {
        bool is_new = true;
        for (uint32_t k = 0; k < i; k++) {
            is_new &= b->row[k].set != b->row[i].set || b->row[k].binding != b->row[i].binding;
        }
        bool const is_before =
            b->row[i].set < b->row[own].set ||
            (b->row[i].set == b->row[own].set && b->row[i].binding < b->row[own].binding);
        n += is_new && is_before;
    }
    return n;
}

/* Each binding gets its rank as its number. */
static void number_bindings(uint32_t *words, uint32_t n_words)
{
    struct bindings b = {.n = 0};
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    find_bindings(words, n_words, &b);
    while (spv_next(words, n_words, &offset, &in)) {
        if (in.op == SpvOpDecorate && spv_get_word(&in, 2) == SpvDecorationBinding && in.n > 3) {
            words[in.offset + 3] = rank(&b, in.w[1]);
        }
    }
}

enum res kernel_clean(const char *path, enum env env, const uint32_t *words, uint32_t n_words,
                      struct arena *a, const uint32_t **out, uint32_t *n_out, struct err *e)
{
    struct cleaner c = {
        .path = path, .words = words, .n_words = n_words, .n_ids = words[3], .a = a};
    if (c.n_ids > SPV_MAX_IDS) {
        return err_set(e, RES_FORMAT, "%s: byte 12: %u ids, at most %d are possible", path, c.n_ids,
                       SPV_MAX_IDS);
    }
    uint32_t *const kept = ARENA_NEW(a, uint32_t, n_words);
    c.is_gone = ARENA_NEW(a, bool, c.n_ids + 1);
    c.has_body = ARENA_NEW(a, bool, c.n_ids + 1);
    c.name = ARENA_NEW(a, const char *, c.n_ids + 1);
    if (!kept || !c.is_gone || !c.has_body || !c.name) {
        return err_set(e, RES_NOMEM, "%s: no room for a module of %u words", path, n_words);
    }
    look(&c);
    TRY(find_imported(&c, e));
    uint32_t offset = SPV_HEADER_WORDS, n = SPV_HEADER_WORDS;
    struct spv_inst in;
    bool is_within = false;
    memcpy(kept, words, SPV_HEADER_WORDS * sizeof *kept);
    while (spv_next(words, n_words, &offset, &in)) {
        if (!is_declaration(&c, &in, &is_within) && !is_removed(&c, &in)) {
            memcpy(kept + n, in.w, in.n * sizeof *kept);
            n += in.n;
        }
    }
    if (offset != n_words) {
        return err_set(e, RES_FORMAT, "%s: byte %zu: an instruction is cut short", path,
                       offset * sizeof(uint32_t));
    }
    if (env == ENV_VK) {
        number_bindings(kept, n);
    } else { /* GLSL's compilers keep the order */
        TRY(kernel_order(kept, n, a, e));
    }
    *out = kept;
    *n_out = n;
    return RES_OK;
}
