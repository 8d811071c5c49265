/* fuzz/kernel/kernel_type.c -- how types lie in a buffer. */
#include "fuzz/kernel/kernel_type.h"

#include <string.h>

enum {
    MAX_DEPTH = 16,
    POINTER_BYTES = 8
};

enum res kernel_types_make(struct kernel_types *t, const uint32_t *words, uint32_t n_words,
                           struct arena *a, struct err *e)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    if (!spv_index_make(&t->index, words, n_words, a)) {
        return err_set(e, RES_FORMAT, "no module, or one that is too large");
    }
    t->stride = ARENA_NEW(a, uint32_t, t->index.n_ids + 1);
    t->members = arena_copy(a, words, n_words * sizeof *words);
    t->n_member_words = SPV_HEADER_WORDS;
    if (!t->stride || !t->members) {
        return err_set(e, RES_NOMEM, "no room for the types of a module");
    }
    while (spv_next(words, n_words, &offset, &in)) {
        if (in.op == SpvOpDecorate && spv_get_word(&in, 2) == SpvDecorationArrayStride &&
            spv_get_word(&in, 1) < t->index.n_ids) {
            t->stride[in.w[1]] = spv_get_word(&in, 3);
        }
        if (in.op == SpvOpMemberDecorate) {
            memcpy(t->members + t->n_member_words, in.w, in.n * sizeof *in.w);
            t->n_member_words += in.n;
        }
    }
    return RES_OK;
}

const char *kernel_read_string(const struct spv_inst *in, uint32_t at, struct arena *a)
{
    size_t const most = in->n > at ? 4 * (size_t)(in->n - at) : 0;
    char *const text = arena_take(a, most + 1); /* zeroed */
    for (size_t i = 0; text && i < most; i++) {
        text[i] = (char)(in->w[at + i / 4] >> 8 * (i % 4));
    }
    return text ? text : "";
}

/* A number of a member of a struct, by a decoration; `none` where it has none. */
static uint32_t find_member(const struct kernel_types *t, uint32_t type, uint32_t member,
                            SpvDecoration decoration, uint32_t none)
{
    (void)spv_find_member_decoration(t->members, t->n_member_words, type, member, decoration,
                                     &none);
    return none;
}

static uint32_t get_number(const struct kernel_types *t, uint32_t id)
{
    struct spv_inst const in = spv_index_find(&t->index, id);
    bool const is_constant = in.op == SpvOpConstant || in.op == SpvOpSpecConstant;
    return is_constant ? spv_get_word(&in, 3) : 1;
}

static uint32_t round_up(uint64_t n, uint32_t to)
{
    uint64_t const rounded = to ? (n + to - 1) / to * to : n;
    return rounded < UINT32_MAX ? (uint32_t)rounded : UINT32_MAX;
}

static uint32_t get_bytes(const struct kernel_types *t, uint32_t type, int depth);

/* As C has it: that of the widest number in it. */
static uint32_t get_align(const struct kernel_types *t, uint32_t type, int depth)
{
    struct spv_inst const in = spv_index_find(&t->index, type);
    uint32_t most = 1;
    if (depth > MAX_DEPTH) {
        return 1;
    }
    switch (in.op) {
    case SpvOpTypeArray:
    case SpvOpTypeRuntimeArray:
        return get_align(t, spv_get_word(&in, 2), depth + 1);
    case SpvOpTypeStruct:
        for (uint32_t i = 2; i < in.n; i++) {
            uint32_t const one = get_align(t, in.w[i], depth + 1);
            most = one > most ? one : most;
        }
        return most;
    default:
        most = get_bytes(t, type, depth + 1);
        return most ? most : 1;
    }
}

static uint32_t get_stride(const struct kernel_types *t, const struct spv_inst *in, int depth)
{
    uint32_t const own = t->stride[in->w[1]];
    uint32_t const element = spv_get_word(in, 2);
    return own ? own : round_up(get_bytes(t, element, depth + 1), get_align(t, element, depth + 1));
}

static uint32_t get_offset(const struct kernel_types *t, const struct spv_inst *in, uint32_t i,
                           int depth)
{
    uint32_t const type = in->w[1];
    uint32_t const own = find_member(t, type, i, SpvDecorationOffset, UINT32_MAX);
    if (own != UINT32_MAX || i == 0) {
        return own == UINT32_MAX ? 0 : own;
    }
    uint64_t const before =
        (uint64_t)get_offset(t, in, i - 1, depth + 1) + get_bytes(t, in->w[1 + i], depth + 1);
    return round_up(before, get_align(t, in->w[2 + i], depth + 1));
}

/* How the matrix in a member of a struct lies: as many columns, or rows, so far apart. false: there is none. */
struct lines {
    uint32_t n, stride, n_numbers, step; /* n_numbers in each, `step` bytes apart */
    uint32_t number;                     /* their type */
};
static bool find_lines(const struct kernel_types *t, uint32_t type, uint32_t member, int depth,
                       struct lines *out)
{
    struct spv_inst const of = spv_index_find(&t->index, type);
    struct spv_inst in = spv_index_find(&t->index, spv_get_word(&of, 2 + member));
    uint32_t const stride = find_member(t, type, member, SpvDecorationMatrixStride, 0);
    bool const is_row_major =
        find_member(t, type, member, SpvDecorationRowMajor, UINT32_MAX) != UINT32_MAX;
    for (int i = 0; i < MAX_DEPTH && (in.op == SpvOpTypeArray || in.op == SpvOpTypeRuntimeArray);
         i++) {
        in = spv_index_find(&t->index, spv_get_word(&in, 2));
    }
    struct spv_inst const column = spv_index_find(&t->index, spv_get_word(&in, 2));
    if (in.op != SpvOpTypeMatrix || stride == 0) {
        return false;
    }
    uint32_t const n_columns = spv_get_word(&in, 3), n_rows = spv_get_word(&column, 3);
    out->number = spv_get_word(&column, 2);
    out->n = is_row_major ? n_rows : n_columns;
    out->n_numbers = is_row_major ? n_columns : n_rows;
    out->stride = stride;
    out->step = get_bytes(t, out->number, depth + 1);
    return true;
}

/* Bytes of a member, by the stride of its matrix where it is one. */
static uint32_t get_member_bytes(const struct kernel_types *t, const struct spv_inst *in,
                                 uint32_t i, int depth)
{
    struct lines lines;
    struct spv_inst const member = spv_index_find(&t->index, in->w[2 + i]);
    return member.op == SpvOpTypeMatrix && find_lines(t, in->w[1], i, depth, &lines)
               ? lines.n * lines.stride
               : get_bytes(t, in->w[2 + i], depth + 1);
}

static uint32_t get_bytes(const struct kernel_types *t, uint32_t type, int depth)
{
    struct spv_inst const in = spv_index_find(&t->index, type);
    uint32_t const word2 = spv_get_word(&in, 2), word3 = spv_get_word(&in, 3);
    if (depth > MAX_DEPTH) {
        return 0;
    }
    switch (in.op) {
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
        return word2 / 8;
    case SpvOpTypeBool:
        return 1;
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
        return get_bytes(t, word2, depth + 1) * word3;
    case SpvOpTypeArray: {
        uint64_t const n = (uint64_t)get_stride(t, &in, depth + 1) * get_number(t, word3);
        return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
    }
    case SpvOpTypePointer:
        return POINTER_BYTES;
    case SpvOpTypeStruct: {
        if (in.n <= 2) {
            return 0;
        }
        uint32_t const last = in.n - 3;
        uint64_t const end =
            (uint64_t)get_offset(t, &in, last, depth + 1) + get_member_bytes(t, &in, last, depth);
        return round_up(end, 1);
    }
    default:
        return 0;
    }
}

uint32_t kernel_type_bytes(const struct kernel_types *t, uint32_t type)
{
    return get_bytes(t, type, 0);
}

uint32_t kernel_type_run_time_stride(const struct kernel_types *t, uint32_t type)
{
    struct spv_inst in = spv_index_find(&t->index, type);
    for (int depth = 0; in.op == SpvOpTypeStruct && in.n > 2 && depth < MAX_DEPTH; depth++) {
        in = spv_index_find(&t->index, in.w[in.n - 1]);
    }
    return in.op == SpvOpTypeRuntimeArray ? get_stride(t, &in, 0) : 0;
}

/* ---- visit ---- */

struct visit {
    const struct kernel_types *t;
    uint32_t n_bytes;
    void (*see)(void *of, const struct kernel_scalar *scalar);
    void *of;
    struct lines lines; /* of the matrices in what is visited; n 0: as columns one behind another */
};

static void see_number(const struct visit *v, const struct spv_inst *in, uint64_t byte)
{
    uint32_t const n_bits = spv_get_word(in, 2);
    if (byte + n_bits / 8 > v->n_bytes) {
        return;
    }
    struct kernel_scalar const scalar = {.byte = (uint32_t)byte,
                                         .n_bits = n_bits,
                                         .is_float = in->op == SpvOpTypeFloat,
                                         .is_bfloat = in->op == SpvOpTypeFloat && in->n > 3};
    v->see(v->of, &scalar);
}

static void visit(const struct visit *v, uint32_t type, uint64_t byte, int depth);

static void visit_row(const struct visit *v, uint32_t element, uint64_t byte, uint32_t n,
                      uint32_t stride, int depth)
{
    for (uint32_t i = 0; stride && i < n && byte < v->n_bytes; i++, byte += stride) {
        visit(v, element, byte, depth + 1);
    }
}

static void visit(const struct visit *v, uint32_t type, uint64_t byte, int depth)
{
    struct spv_inst const in = spv_index_find(&v->t->index, type);
    uint32_t const word2 = spv_get_word(&in, 2), word3 = spv_get_word(&in, 3);
    if (depth > MAX_DEPTH || byte >= v->n_bytes) {
        return;
    }
    switch (in.op) {
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
        see_number(v, &in, byte);
        break;
    case SpvOpTypeVector:
        visit_row(v, word2, byte, word3, get_bytes(v->t, word2, depth), depth);
        break;
    case SpvOpTypeMatrix:
        for (uint32_t i = 0; i < v->lines.n; i++) {
            visit_row(v, v->lines.number, byte + (uint64_t)i * v->lines.stride, v->lines.n_numbers,
                      v->lines.step, depth);
        }
        if (v->lines.n == 0) {
            visit_row(v, word2, byte, word3, get_bytes(v->t, word2, depth), depth);
        }
        break;
    case SpvOpTypeArray:
        visit_row(v, word2, byte, get_number(v->t, word3), get_stride(v->t, &in, depth), depth);
        break;
    case SpvOpTypeRuntimeArray:
        visit_row(v, word2, byte, UINT32_MAX, get_stride(v->t, &in, depth), depth);
        break;
    case SpvOpTypeStruct:
        for (uint32_t i = 0; i + 2 < in.n; i++) {
            struct visit one = *v;
            one.lines.n = 0;
            (void)find_lines(v->t, type, i, depth, &one.lines);
            visit(&one, in.w[2 + i], byte + get_offset(v->t, &in, i, depth), depth + 1);
        }
        break;
    default:
        break;
    }
}

void kernel_type_visit(const struct kernel_types *t, uint32_t type, uint32_t n_bytes,
                       void (*see)(void *of, const struct kernel_scalar *scalar), void *of)
{
    struct visit const v = {.t = t, .n_bytes = n_bytes, .see = see, .of = of};
    uint32_t const step = round_up(get_bytes(t, type, 0), get_align(t, type, 0));
    if (kernel_type_run_time_stride(t, type) || step == 0) {
        visit(&v, type, 0, 0);
        return;
    }
    for (uint64_t byte = 0; byte + step <= n_bytes; byte += step) {
        visit(&v, type, byte, 0);
    }
}
