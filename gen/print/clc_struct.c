/* gen/print/clc_struct.c -- structs and arrays of numbers: their declarations, their parts, and such values. */
#include "gen/print/clc_struct.h"

#include "base/spv.h"
#include "gen/view/view.h"

bool clc_is_aggregate(const struct printer *p, uint32_t type)
{
    const struct spv_inst *const in = &view_get(p->m, type)->in;
    return in->op == SpvOpTypeArray || (in->op == SpvOpTypeStruct && in->n > 2);
}

/* May it be a member? Arrays of arrays have no words here. */
static bool is_member(const struct printer *p, uint32_t type)
{
    const struct spv_inst *const in = &view_get(p->m, type)->in;
    const struct spv_inst *const one =
        in->op == SpvOpTypeArray ? &view_get(p->m, in->w[2])->in : in;
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

const char *clc_print_structs(struct printer *p)
{
    const char *text = "";
    struct spv_inst in = {.n = 0};
    while (view_next_global(p->m, &in)) {
        if (in.op != SpvOpTypeStruct || in.n < 3 || !is_member(p, in.w[1])) {
            continue;
        }
        text = textf(p, "%sstruct s%u {\n", text, in.w[1]);
        for (uint32_t i = 2; i < in.n; i++) {
            const char *const name = textf(p, "f%u", i - 2);
            text = textf(p, "%s    %s\n", text, text_declare(p, in.w[i], name));
        }
        text = textf(p, "%s};\n", text);
    }
    return text;
}

/* Returns the text of a part of `text`, which has that type: `.f2[3].s0` is appended as the n words lead
 * from struct to member, from array to element, and from vector to component. Where `pointer` is 0 the
 * words are literal indices; else they are ids of indices into memory, and `pointer` is the type of a
 * pointer to the part. */
const char *clc_print_part(struct printer *p, uint32_t type, const char *text,
                           const uint32_t *words, uint32_t n, uint32_t pointer)
{
    enum {
        FIRST_MEMBER = 2, /* words of OpTypeStruct */
        AT_ELEMENT = 2    /* of OpTypeArray and OpTypeVector */
    };
    for (uint32_t k = 0; k < n; k++) {
        const struct spv_inst *const t = &view_get(p->m, type)->in;
        if (t->op == SpvOpTypeStruct) {
            uint64_t const member = pointer ? view_get_number(p->m, words[k]) : words[k];
            if (member + FIRST_MEMBER >= t->n) {
                return text_fail(p, "a member that there is not");
            }
            text = textf(p, "%s.f%u", text, (unsigned)member);
            type = t->w[FIRST_MEMBER + member];
            continue;
        }
        if (t->op != SpvOpTypeArray && t->op != SpvOpTypeVector) {
            return text_fail(p, "a part of this kind");
        }
        const char *const index = pointer ? text_value(p, words[k]) : textf(p, "%u", words[k]);
        if (t->op == SpvOpTypeArray) {
            text = textf(p, "%s[%s]", text, index);
        } else if (!pointer) {
            text = textf(p, "%s.s%x", text, words[k]);
        } else { /* OpenCL C has no index into a vector: so a pointer to its first component is indexed */
            text = textf(p, "((%s)&%s)[%s]", text_name(p, pointer), text, index);
        }
        type = t->w[AT_ELEMENT];
    }
    return text;
}

/* Braces where OpenCL C has them, of arrays those of an initializer alone. */
void clc_put_aggregate(struct printer *p, const struct spv_inst *in)
{
    struct view_id *const id = view_get(p->m, in->w[2]);
    const struct spv_inst *const t = &view_get(p->m, in->w[1])->in;
    bool const is_array = t->op == SpvOpTypeArray;
    const char *text = text_list(p, in, 3);
    text = is_array ? textf(p, "{%s}", text) : textf(p, "(%s){%s}", text_name(p, in->w[1]), text);
    if (is_array) {
        id->text = text;
        id->is_simple = true;
        return;
    }
    text_define(p, in, text, true, true);
}

void clc_put_insert(struct printer *p, const struct spv_inst *in)
{
    enum {
        PART = 3, /* words */
        WHOLE,
        INDICES
    };
    uint32_t const op = view_get(p->m, in->w[1])->in.op;
    if (in->n <= INDICES || (op != SpvOpTypeStruct && op != SpvOpTypeVector)) {
        (void)text_fail(p, "an insertion into something else than a struct or a vector");
        return;
    }
    text_define(p, in, text_value(p, in->w[WHOLE]), true, false);
    const char *const part =
        clc_print_part(p, in->w[1], text_value(p, in->w[2]), in->w + INDICES, in->n - INDICES, 0);
    text_put_line(p, "%s = %s;", part, text_value(p, in->w[PART]));
}
