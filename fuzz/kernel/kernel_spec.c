/* fuzz/kernel/kernel_spec.c -- specialization constants: values of the user in place of the module's. */
#include "fuzz/kernel/kernel_spec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/spv.h"
#include "fuzz/kernel/kernel_fill.h"

/* The next decoration with a SpecId, from *offset on. */
static bool next_spec(const uint32_t *words, uint32_t n_words, uint32_t *offset,
                      struct spv_inst *out)
{
    while (spv_next(words, n_words, offset, out) && out->op != SpvOpFunction) {
        if (out->op == SpvOpDecorate && spv_get_word(out, 2) == SpvDecorationSpecId && out->n > 3) {
            return true;
        }
    }
    return false;
}

/* The next constant with that SpecId, of those that the decorations from *offset on name; several may share one. */
static bool find_next_spec(const struct spv_index *x, uint32_t id, uint32_t *offset,
                           struct spv_inst *out)
{
    struct spv_inst in;
    while (next_spec(x->words, x->n_words, offset, &in)) {
        if (in.w[3] == id) {
            *out = spv_index_find(x, in.w[1]);
            return true;
        }
    }
    return false;
}

bool kernel_spec_has(const uint32_t *words, uint32_t n_words, uint32_t id)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (next_spec(words, n_words, &offset, &in)) {
        if (in.w[3] == id) {
            return true;
        }
    }
    return false;
}

/* Each SpecId that there is, in words. */
static const char *list_specs(const struct spv_index *x, struct arena *a)
{
    const char *ids = "";
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (next_spec(x->words, x->n_words, &offset, &in)) {
        ids = arena_printf(a, "%s%s%u", ids, ids[0] ? ", " : "", in.w[3]);
    }
    return ids[0] ? ids : "none";
}

static bool read_bool(const char *text, uint64_t *out)
{
    *out = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
    return *out || strcmp(text, "false") == 0 || strcmp(text, "0") == 0;
}

/* A number of that type. */
static bool read_number(const char *text, const struct spv_inst *type, uint64_t *out)
{
    char *end = NULL;
    uint32_t const n_bits = spv_get_word(type, 2);
    errno = 0;
    if (type->op == SpvOpTypeFloat) {
        struct kernel_scalar const s = {.n_bits = n_bits, .is_float = true};
        *out = kernel_encode(strtod(text, &end), &s);
    } else if (text[0] == '-') {
        int64_t const number = strtoll(text, &end, 0);
        *out = (uint64_t)number & (UINT64_MAX >> (64 - n_bits));
        if (n_bits < 64 && number < -(INT64_C(1) << (n_bits - 1))) {
            return false;
        }
    } else {
        *out = strtoull(text, &end, 0);
        if (n_bits < 64 && *out >> n_bits != 0) {
            return false;
        }
    }
    return end != text && *end == '\0' && errno == 0;
}

enum res kernel_spec_read(const char *path, const uint32_t *words, uint32_t n_words,
                          const struct kernel_spec_wish *wish, struct arena *a, struct spec *out,
                          struct err *e)
{
    struct spv_index x;
    if (!spv_index_make(&x, words, n_words, a)) {
        return err_set(e, RES_NOMEM, "%s: no room for the module", path);
    }
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst constant = {.op = SpvOpNop};
    (void)find_next_spec(&x, wish->id, &offset, &constant);
    *out = (struct spec){.id = wish->id, .n_bytes = 1, .is_bool = 1};
    if (constant.op == SpvOpNop) {
        return err_set(e, RES_USAGE,
                       "%s: --spec %u: no constant has that SpecId; those that have one: %s", path,
                       wish->id, list_specs(&x, a));
    }
    bool is_read = false;
    if (constant.op == SpvOpSpecConstant) {
        struct spv_inst const type = spv_index_find(&x, constant.w[1]);
        out->is_bool = 0;
        out->n_bytes = spv_get_word(&type, 2) / 8;
        is_read = out->n_bytes > 0 && read_number(wish->value, &type, &out->bits);
    } else {
        is_read = read_bool(wish->value, &out->bits);
    }
    return is_read ? RES_OK
                   : err_set(e, RES_USAGE, "%s: --spec %u=%s: no value of the constant's type",
                             path, wish->id, wish->value);
}

static void set_constant(uint32_t *words, const struct spv_inst *in, uint64_t bits)
{
    if (in->op == SpvOpSpecConstant) {
        words[in->offset + 3] = (uint32_t)bits;
        if (in->n > 4) {
            words[in->offset + 4] = (uint32_t)(bits >> 32);
        }
    } else if (in->op == SpvOpSpecConstantTrue || in->op == SpvOpSpecConstantFalse) {
        words[in->offset] = in->n << 16 | (bits ? SpvOpSpecConstantTrue : SpvOpSpecConstantFalse);
    }
}

const uint32_t *kernel_spec_apply(const uint32_t *words, uint32_t n_words, const struct spec *specs,
                                  uint32_t n_specs, struct arena *a)
{
    uint32_t *const out = arena_copy(a, words, n_words * sizeof *words);
    struct spv_index x;
    if (!out || !spv_index_make(&x, words, n_words, a)) {
        return NULL;
    }
    for (uint32_t i = 0; i < n_specs; i++) {
        uint32_t offset = SPV_HEADER_WORDS;
        struct spv_inst in;
        while (find_next_spec(&x, specs[i].id, &offset, &in)) {
            set_constant(out, &in, specs[i].bits);
        }
    }
    return out;
}
