/* gen/print/text.c -- a text in the making: lines, constants, operands. */
#include "gen/print/text.h"

#include <string.h>

const char *text_fail(struct printer *p, const char *what)
{
    if (p->res == RES_OK) {
        p->res = err_set(p->e, RES_LIMIT, "%s has no words for %s", p->dialect->name, what);
    }
    return "";
}

const char *text_find_word(struct printer *p, const struct text_word *words, size_t n,
                           uint64_t number, const char *what)
{
    for (size_t i = 0; i < n; i++) {
        if (words[i].number == number) {
            return words[i].word;
        }
    }
    return text_fail(p, what);
}

static void put_indented(struct bytes *b, uint32_t depth, const char *text)
{
    for (uint32_t i = 0; i < depth; i++) {
        bytes_put(b, "    ", 4);
    }
    bytes_put(b, text, strlen(text));
    bytes_put(b, "\n", 1);
}

void text_put_line(struct printer *p, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    put_indented(&p->lines, p->depth, arena_vprintf(p->a, format, ap));
    va_end(ap);
}

void text_put_variable(struct printer *p, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    put_indented(&p->variables, 1, arena_vprintf(p->a, format, ap));
    va_end(ap);
}

const char *textf(struct printer *p, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    const char *const text = arena_vprintf(p->a, format, ap);
    va_end(ap);
    return text;
}

uint32_t text_draw(const struct printer *p, uint32_t id, uint32_t which, uint32_t n)
{
    uint32_t const of[2] = {id, which};
    return (uint32_t)(hash_bytes(p->seed, of, sizeof of) % n);
}

/* ---- types ---- */

const char *text_type(struct printer *p, uint32_t type, enum text_sign sign)
{
    return p->dialect->type(p, type, sign);
}

const char *text_name(struct printer *p, uint32_t type)
{
    return p->dialect->type(p, type, TEXT_UNSIGNED);
}

const char *text_declare(struct printer *p, uint32_t type, const char *name)
{
    const struct spv_inst *const in = &view_get(p->m, type)->in;
    if (in->op != SpvOpTypeArray || in->n != 4) {
        return textf(p, "%s %s;", text_name(p, type), name);
    }
    return textf(p, "%s %s[%u];", text_name(p, in->w[2]), name,
                 (unsigned)view_get_number(p->m, in->w[3]));
}

/* ---- constants ---- */

/* A scalar; what has no literal is zero. */
static void print_number(struct printer *p, struct view_id *id)
{
    id->text = p->dialect->number(p, id->type, view_get_number(p->m, id->in.w[2]), &id->is_simple);
}

/* Sets the text of a constant's id: a literal, or a vector of the texts of its components. The text fails
 * for specialization constants, which source text does not have, and for vectors that are OpConstantNull. */
static void print_constant(struct printer *p, struct view_id *id)
{
    const struct spv_inst *const in = &id->in;
    id->is_simple = true;
    switch (in->op) {
    case SpvOpConstantTrue:
        id->text = "true";
        return;
    case SpvOpConstantFalse:
        id->text = "false";
        return;
    case SpvOpConstantComposite:
        id->text = p->dialect->vector(p, id->type, text_list(p, in, 3));
        return;
    case SpvOpConstantNull:
        /* the null of a number is printed as a number is: its value is 0 */
        if (view_is_bool(p->m, id->type) || view_count_components(p->m, id->type) > 1) {
            id->text =
                view_is_bool(p->m, id->type) ? "false" : text_fail(p, "a vector that is null");
            return;
        }
        print_number(p, id);
        return;
    case SpvOpConstant:
        print_number(p, id);
        return;
    case SpvOpSpecConstantTrue:
    case SpvOpSpecConstantFalse:
    case SpvOpSpecConstant:
    case SpvOpSpecConstantComposite:
    case SpvOpSpecConstantOp:
        id->text = text_fail(p, "a specialization constant");
        return;
    default:
        id->text = text_fail(p, "this constant or global variable");
    }
}

/* ---- values ---- */

const char *text_value(struct printer *p, uint32_t id)
{
    struct view_id *const v = view_get(p->m, id);
    if (!v->text && v->block == VIEW_NO_BLOCK && v->in.n >= 3) {
        print_constant(p, v);
    }
    return v->text ? v->text : text_fail(p, "a value that is used before it is defined");
}

const char *text_operand(struct printer *p, uint32_t id)
{
    const char *const text = text_value(p, id);
    return view_get(p->m, id)->is_simple ? text : textf(p, "(%s)", text);
}

const char *text_signed(struct printer *p, uint32_t id)
{
    return p->dialect->to_signed(p, id);
}

const char *text_element(struct printer *p, uint32_t pointer)
{
    const struct view_id *const id = view_get(p->m, pointer);
    return id->element ? id->element : textf(p, "*%s", text_operand(p, pointer));
}

const char *text_list(struct printer *p, const struct spv_inst *in, uint32_t first)
{
    const char *text = "";
    for (uint32_t k = first; k < in->n; k++) {
        text = textf(p, "%s%s%s", text, k > first ? ", " : "", text_value(p, in->w[k]));
    }
    return text;
}

void text_define(struct printer *p, const struct spv_inst *in, const char *text, bool is_simple,
                 bool is_pure)
{
    struct view_id *const id = view_get(p->m, in->w[2]);
    const char *const precise = p->dialect->keeps_exact && id->is_exact ? "precise " : "";
    if (is_pure && id->n_uses == 1 && !id->is_far && !precise[0]) {
        id->text = text;
        id->is_simple = is_simple;
        return;
    }
    const char *const name = textf(p, "v%u", in->w[2]);
    const char *const type = text_name(p, id->type);
    const char *const space = type[0] && type[strlen(type) - 1] == '*' ? "" : " ";
    if (id->is_far) {
        text_put_variable(p, "%s%s%s%s;", precise, type, space, name);
        text_put_line(p, "%s = %s;", name, text);
    } else {
        text_put_line(p, "%s%s%s%s = %s;", precise, type, space, name, text);
    }
    id->text = name;
    id->element = NULL;
    id->is_simple = true;
}
