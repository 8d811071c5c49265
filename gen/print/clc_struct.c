/* gen/print/clc_struct.c -- structs and arrays of numbers: their declarations, their parts, and such values. */
#include "gen/print/clc_struct.h"

#include "base/spv.h"
#include "gen/print/clc_module.h"

bool clc_is_aggregate(const struct clc_printer *p, uint32_t type)
{
    const struct spv_inst *const in = &clc_get(&p->m, type)->in;
    return in->op == SpvOpTypeArray || (in->op == SpvOpTypeStruct && in->n > 2);
}

/* May it be a member? Arrays of arrays have no words here. */
static bool is_member(const struct clc_printer *p, uint32_t type)
{
    const struct spv_inst *const in = &clc_get(&p->m, type)->in;
    const struct spv_inst *const one =
        in->op == SpvOpTypeArray ? &clc_get(&p->m, in->w[2])->in : in;
    if (one->op == SpvOpTypeStruct) {
        bool is_right = one->n > 2;
        for (uint32_t i = 2; i < one->n; i++) {
            is_right &= is_member(p, one->w[i]);
        }
        return is_right;
    }
    return one->op == SpvOpTypeInt || one->op == SpvOpTypeVector ||
           (one->op == SpvOpTypeFloat && one->n == 3);
}

const char *clc_print_structs(struct clc_printer *p)
{
    const char *text = "";
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (spv_next(p->m.w, p->m.n_words, &offset, &in) && in.op != SpvOpFunction) {
        if (in.op != SpvOpTypeStruct || in.n < 3 || !is_member(p, in.w[1])) {
            continue;
        }
        text = arena_printf(p->a, "%sstruct s%u {\n", text, in.w[1]);
        for (uint32_t i = 2; i < in.n; i++) {
            const char *const name = arena_printf(p->a, "f%u", i - 2);
            text = arena_printf(p->a, "%s    %s\n", text, clc_declare(p, in.w[i], name));
        }
        text = arena_printf(p->a, "%s};\n", text);
    }
    return text;
}

/* A component of a vector in memory: GLSL has an index for it, OpenCL C has none but of a pointer. */
static const char *print_component(struct clc_printer *p, uint32_t pointer, const char *text,
                                   const char *index)
{
    return p->dialect ? arena_printf(p->a, "%s[%s]", text, index)
                      : arena_printf(p->a, "((%s)&%s)[%s]", clc_type(p, pointer, CLC_UNSIGNED),
                                     text, index);
}

const char *clc_print_part(struct clc_printer *p, uint32_t type, const char *text,
                           const uint32_t *words, uint32_t n, uint32_t pointer)
{
    for (uint32_t k = 0; k < n; k++) {
        const struct spv_inst *const t = &clc_get(&p->m, type)->in;
        if (t->op == SpvOpTypeStruct) {
            uint64_t const member = pointer ? clc_get_number(&p->m, words[k]) : words[k];
            if (member + 2 >= t->n) {
                return clc_fail(p, "a member that there is not");
            }
            text = arena_printf(p->a, "%s.f%u", text, (unsigned)member);
            type = t->w[2 + member];
            continue;
        }
        if (t->op != SpvOpTypeArray && t->op != SpvOpTypeVector) {
            return clc_fail(p, "a part of this kind");
        }
        const char *const index =
            pointer ? clc_value(p, words[k]) : arena_printf(p->a, "%u", words[k]);
        if (t->op == SpvOpTypeArray) {
            text = arena_printf(p->a, "%s[%s]", text, index);
        } else if (!pointer && !p->dialect) {
            text = arena_printf(p->a, "%s.s%x", text, words[k]);
        } else {
            text = print_component(p, pointer, text, index);
        }
        type = t->w[2];
    }
    return text;
}

/* Braces where OpenCL C has them, of arrays those of an initializer alone. */
void clc_put_aggregate(struct clc_printer *p, const struct spv_inst *in)
{
    struct clc_id *const id = clc_get(&p->m, in->w[2]);
    const struct spv_inst *const t = &clc_get(&p->m, in->w[1])->in;
    bool const is_array = t->op == SpvOpTypeArray;
    const char *text = "";
    for (uint32_t k = 3; k < in->n; k++) {
        text = arena_printf(p->a, "%s%s%s", text, k > 3 ? ", " : "", clc_value(p, in->w[k]));
    }
    if (p->dialect) {
        const char *const name = clc_type(p, is_array ? t->w[2] : in->w[1], CLC_UNSIGNED);
        text = arena_printf(p->a, is_array ? "%s[](%s)" : "%s(%s)", name, text);
    } else if (is_array) {
        text = arena_printf(p->a, "{%s}", text);
    } else {
        text = arena_printf(p->a, "(%s){%s}", clc_type(p, in->w[1], CLC_UNSIGNED), text);
    }
    if (is_array) {
        id->text = text;
        id->is_simple = true;
        return;
    }
    clc_define(p, in, text, true, true);
}

void clc_put_insert(struct clc_printer *p, const struct spv_inst *in)
{
    enum {
        PART = 3, /* words */
        WHOLE,
        INDICES
    };
    uint32_t const op = clc_get(&p->m, in->w[1])->in.op;
    if (in->n <= INDICES || (op != SpvOpTypeStruct && op != SpvOpTypeVector)) {
        (void)clc_fail(p, "an insertion into something else than a struct or a vector");
        return;
    }
    clc_define(p, in, clc_value(p, in->w[WHOLE]), true, false);
    const char *const part =
        clc_print_part(p, in->w[1], clc_value(p, in->w[2]), in->w + INDICES, in->n - INDICES, 0);
    clc_put_line(p, arena_printf(p->a, "%s = %s;", part, clc_value(p, in->w[PART])));
}
