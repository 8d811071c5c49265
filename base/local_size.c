/* base/local_size.c -- the size of a work-group as a module states it. */
#include "base/local_size.h"

#include <string.h>

#include "base/spv.h"

enum {
    TARGET = 1, /* words of OpDecorate */
    DECORATION,
    LITERAL,
    MODE = 2, /* words of OpExecutionMode and OpExecutionModeId */
    FIRST,
    MODE_WORDS = 6,
    RESULT = 2, /* words of a constant */
    VALUE,
    VALUE_WORDS,
    COMPOSITE_WORDS = 6
};

/* The next instruction in front of the first function; false: there is none any more. */
static bool next_global(const struct testcase *tc, uint32_t *at, struct spv_inst *out)
{
    return spv_next(tc->module, tc->n_words, at, out) && out->op != SpvOpFunction;
}

/* The constant that defines an id, of at least n words. */
static bool find_constant(const struct testcase *tc, uint32_t id, uint16_t n, struct spv_inst *out)
{
    uint32_t at = SPV_HEADER_WORDS;
    while (next_global(tc, &at, out)) {
        bool const is_one = out->op == SpvOpConstant || out->op == SpvOpSpecConstant ||
                            out->op == SpvOpConstantComposite ||
                            out->op == SpvOpSpecConstantComposite;
        if (is_one && out->n >= n && out->w[RESULT] == id) {
            return true;
        }
    }
    return false;
}

/* Dimension d is the constant `id`, with the case's value if it has one. */
static bool take_value(const struct testcase *tc, uint32_t id, int d, struct local_size *out)
{
    struct spv_inst in;
    out->spec_id[d] = LOCAL_SIZE_FIXED;
    if (!find_constant(tc, id, VALUE_WORDS, &in) ||
        (in.op != SpvOpConstant && in.op != SpvOpSpecConstant)) {
        return false;
    }
    out->size[d] = in.w[VALUE];
    if (in.op == SpvOpSpecConstant) {
        (void)spv_find_decoration(tc->module, tc->n_words, id, SpvDecorationSpecId,
                                  &out->spec_id[d]);
        const struct spec *const s = testcase_find_spec(tc, out->spec_id[d]);
        out->size[d] = s ? (uint32_t)s->bits : out->size[d];
    }
    return true;
}

static bool take_values(const struct testcase *tc, const uint32_t *ids, struct local_size *out)
{
    return take_value(tc, ids[0], 0, out) && take_value(tc, ids[1], 1, out) &&
           take_value(tc, ids[2], 2, out);
}

/* A constant that is decorated WorkgroupSize. */
static void take_builtin(const struct testcase *tc, uint32_t id, struct local_size *out)
{
    struct spv_inst in;
    out->form = LOCAL_SIZE_BUILTIN;
    out->is_known =
        find_constant(tc, id, COMPOSITE_WORDS, &in) && take_values(tc, in.w + VALUE, out);
}

static void take_mode(const struct testcase *tc, const struct spv_inst *in, struct local_size *out)
{
    if (in->op == SpvOpExecutionModeId && in->w[MODE] == (uint32_t)SpvExecutionModeLocalSizeId) {
        out->form = LOCAL_SIZE_IDS;
        out->is_known = take_values(tc, in->w + FIRST, out);
    } else if (in->op == SpvOpExecutionMode && in->w[MODE] == (uint32_t)SpvExecutionModeLocalSize) {
        out->form = LOCAL_SIZE_LITERAL;
        out->is_known = true;
        for (int d = 0; d < 3; d++) {
            out->size[d] = in->w[FIRST + d];
            out->spec_id[d] = LOCAL_SIZE_FIXED;
        }
    }
}

/* The function of the case's entry point, where it names none of the first one; 0: there is none. */
static uint32_t find_entry(const struct testcase *tc)
{
    enum {
        FUNCTION = 2, /* words of OpEntryPoint */
        NAME
    };
    size_t const n = tc->entry ? strlen(tc->entry) + 1 : 0;
    uint32_t at = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (next_global(tc, &at, &in)) {
        if (in.op == SpvOpEntryPoint && in.n > NAME && (in.n - NAME) * sizeof *in.w >= n &&
            (n == 0 || memcmp(in.w + NAME, tc->entry, n) == 0)) {
            return in.w[FUNCTION];
        }
    }
    return 0;
}

struct local_size local_size_find(const struct testcase *tc)
{
    uint32_t const entry = find_entry(tc);
    struct local_size out = {.form = LOCAL_SIZE_UNSTATED};
    struct spv_inst in;
    uint32_t at = SPV_HEADER_WORDS;
    while (next_global(tc, &at, &in)) {
        bool const is_decoration = tc->env == ENV_VK && in.op == SpvOpDecorate && in.n > LITERAL &&
                                   in.w[DECORATION] == (uint32_t)SpvDecorationBuiltIn &&
                                   in.w[LITERAL] == (uint32_t)SpvBuiltInWorkgroupSize;
        if (is_decoration) {
            take_builtin(tc, in.w[TARGET], &out);
        } else if (in.n == MODE_WORDS && in.w[TARGET] == entry && out.form != LOCAL_SIZE_BUILTIN) {
            take_mode(tc, &in, &out);
        }
    }
    return out;
}

bool local_size_is_right(const struct testcase *tc)
{
    struct local_size const stated = local_size_find(tc);
    return stated.form == LOCAL_SIZE_UNSTATED ||
           (stated.is_known && memcmp(stated.size, tc->local, sizeof tc->local) == 0);
}
