/* fuzz/kernel/kernel_local.c -- arguments of a kernel that are memory of the work-group. */
#include "fuzz/kernel/kernel_local.h"

#include <string.h>

#include "base/spv.h"
#include "fuzz/kernel/kernel_prune.h"
#include "fuzz/kernel/kernel_type.h"

enum {
    MAX_ARGUMENTS = 64,
    MAX_LOCAL = 8,
    MOST_ELEMENTS = 1024,
    MOST_BYTES = 16384,    /* of all together: what each device has at least */
    FIRST_LATER = 0x10400, /* version whose entry points name such variables */
    WORDS_EACH = 24,       /* that one argument adds, at most */
    WORDS_MORE = 32 + MAX_ARGUMENTS
};

struct local {
    uint32_t parameter, type, element, n;
    uint32_t variable;
};
struct localizer {
    const uint32_t *words;
    uint32_t n_words, function, function_type, return_type;
    uint32_t kept[MAX_ARGUMENTS], n_kept; /* types of the other parameters */
    struct local local[MAX_LOCAL];
    uint32_t n_local, next_id;
    uint32_t uint_type, zero, new_type;
    struct spv_words head,
        body; /* what comes before the first function, and at the begin of the kernel's */
};

/* Reads the kernel's parameters. false: none is memory of the work-group, or the form is another. */
static bool read_parameters(struct localizer *l, const struct kernel_types *types)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    bool is_in = false;
    while (spv_next(l->words, l->n_words, &offset, &in)) {
        if (in.op == SpvOpFunction) {
            is_in = spv_get_word(&in, 2) == l->function;
            l->function_type = is_in ? spv_get_word(&in, 4) : l->function_type;
            l->return_type = is_in ? spv_get_word(&in, 1) : l->return_type;
        }
        if (in.op == SpvOpFunctionCall && spv_get_word(&in, 3) == l->function) {
            return false;
        }
        if (in.op == SpvOpTypeInt && in.n == 4 && in.w[2] == 32 && in.w[3] == 0) {
            l->uint_type = in.w[1];
        }
        if (!is_in || in.op != SpvOpFunctionParameter || in.n < 3) {
            continue;
        }
        struct spv_inst const type = spv_index_find(&types->index, in.w[1]);
        bool const is_local =
            type.op == SpvOpTypePointer && spv_get_word(&type, 2) == SpvStorageClassWorkgroup;
        if (is_local ? l->n_local == MAX_LOCAL : l->n_kept == MAX_ARGUMENTS) {
            return false;
        }
        if (is_local) {
            l->local[l->n_local++] = (struct local){
                .parameter = in.w[2], .type = in.w[1], .element = spv_get_word(&type, 3)};
        } else {
            l->kept[l->n_kept++] = in.w[1];
        }
    }
    return l->n_local > 0 && l->function_type;
}

/* An OpTypeFunction of the parameters that are left; 0: the module has none. */
static uint32_t find_type(const struct localizer *l)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (spv_next(l->words, l->n_words, &offset, &in) && in.op != SpvOpFunction) {
        if (in.op == SpvOpTypeFunction && in.n == 3 + l->n_kept && in.w[2] == l->return_type &&
            memcmp(in.w + 3, l->kept, l->n_kept * sizeof *l->kept) == 0) {
            return in.w[1];
        }
    }
    return 0;
}

/* Types, numbers and variables, and the pointer to the first element under the parameter's id. */
static bool put_variables(struct localizer *l, const struct kernel_types *types)
{
    if (!l->uint_type) {
        l->uint_type = l->next_id++;
        spv_put(&l->head, SpvOpTypeInt, (uint32_t[]){l->uint_type, 32, 0}, 3);
    }
    l->zero = l->next_id++;
    spv_put(&l->head, SpvOpConstant, (uint32_t[]){l->uint_type, l->zero, 0}, 3);
    for (uint32_t i = 0; i < l->n_local; i++) {
        struct local *const one = &l->local[i];
        uint32_t const n_bytes = kernel_type_bytes(types, one->element);
        uint32_t const most = n_bytes ? MOST_BYTES / l->n_local / n_bytes : 0;
        uint32_t const n = most < MOST_ELEMENTS ? most : MOST_ELEMENTS;
        uint32_t const length = l->next_id++, array = l->next_id++, pointer = l->next_id++;
        if (n == 0) {
            return false;
        }
        one->variable = l->next_id++;
        spv_put(&l->head, SpvOpConstant, (uint32_t[]){l->uint_type, length, n}, 3);
        spv_put(&l->head, SpvOpTypeArray, (uint32_t[]){array, one->element, length}, 3);
        spv_put(&l->head, SpvOpTypePointer, (uint32_t[]){pointer, SpvStorageClassWorkgroup, array},
                3);
        spv_put(&l->head, SpvOpVariable,
                (uint32_t[]){pointer, one->variable, SpvStorageClassWorkgroup}, 3);
        spv_put(&l->body, SpvOpInBoundsAccessChain,
                (uint32_t[]){one->type, one->parameter, one->variable, l->zero}, 4);
    }
    l->new_type = find_type(l);
    if (!l->new_type) {
        uint32_t operands[MAX_ARGUMENTS + 2];
        l->new_type = l->next_id++;
        operands[0] = l->new_type;
        operands[1] = l->return_type;
        memcpy(operands + 2, l->kept, l->n_kept * sizeof *operands);
        spv_put(&l->head, SpvOpTypeFunction, operands, 2 + l->n_kept);
    }
    return l->head.ok && l->body.ok;
}

static bool is_local(const struct localizer *l, uint32_t id)
{
    for (uint32_t i = 0; i < l->n_local; i++) {
        if (l->local[i].parameter == id) {
            return true;
        }
    }
    return false;
}

static uint32_t put_words(uint32_t *to, const struct spv_words *from)
{
    memcpy(to, from->w, from->n * sizeof *to);
    return from->n;
}

static uint32_t put_module(const struct localizer *l, uint32_t *to)
{
    uint32_t offset = SPV_HEADER_WORDS, n = SPV_HEADER_WORDS;
    struct spv_inst in;
    bool is_first = true, is_in = false, is_begun = false;
    memcpy(to, l->words, SPV_HEADER_WORDS * sizeof *to);
    to[3] = l->next_id; /* bound */
    while (spv_next(l->words, l->n_words, &offset, &in)) {
        bool const is_of_begin = in.op == SpvOpFunction || in.op == SpvOpFunctionParameter ||
                                 in.op == SpvOpLabel || in.op == SpvOpVariable;
        if (in.op == SpvOpFunction) {
            n += is_first ? put_words(to + n, &l->head) : 0;
            is_first = false;
            is_in = spv_get_word(&in, 2) == l->function;
        }
        if (in.op == SpvOpFunctionParameter && is_local(l, spv_get_word(&in, 2))) {
            continue;
        }
        if (is_in && !is_begun && !is_of_begin) {
            n += put_words(to + n, &l->body);
            is_begun = true;
        }
        memcpy(to + n, in.w, in.n * sizeof *to);
        if (in.op == SpvOpFunction && is_in) {
            to[n + 4] = l->new_type;
        }
        n += in.n;
        bool const names_all = in.op == SpvOpEntryPoint && l->words[1] >= FIRST_LATER;
        for (uint32_t i = 0; names_all && i < l->n_local; i++) {
            to[n++] = l->local[i].variable;
        }
        if (names_all) {
            to[n - in.n - l->n_local] += l->n_local << SpvWordCountShift;
        }
    }
    return n;
}

enum res kernel_local(const char *path, const uint32_t *words, uint32_t n_words, const char *entry,
                      struct arena *a, const uint32_t **out, uint32_t *n_out, bool *has_changed,
                      struct err *e)
{
    struct localizer l = {.words = words,
                          .n_words = n_words,
                          .function = kernel_find_function(words, n_words, entry, a),
                          .next_id = words[3]};
    struct kernel_types types;
    *out = words;
    *n_out = n_words;
    *has_changed = false;
    if (!l.function) {
        return RES_OK;
    }
    TRY(kernel_types_make(&types, words, n_words, a, e));
    if (!read_parameters(&l, &types)) {
        return RES_OK;
    }
    spv_words_init(&l.head, a);
    spv_words_init(&l.body, a);
    uint32_t *const made =
        ARENA_NEW(a, uint32_t, (size_t)n_words + WORDS_EACH * MAX_LOCAL + WORDS_MORE);
    if (!made) {
        return err_set(e, RES_NOMEM, "%s: no room for a module of %u words", path, n_words);
    }
    if (put_variables(&l, &types)) {
        *n_out = put_module(&l, made);
        *out = made;
        *has_changed = true;
    }
    return RES_OK;
}
