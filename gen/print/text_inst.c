/* gen/print/text_inst.c -- instructions that the languages write alike: operators, calls, copies. */
#include "gen/print/text_inst.h"

#include <string.h>

#include "gen/view/view.h"

bool text_is_promoted(const struct printer *p, uint32_t type)
{
    uint32_t const n_bits = view_count_bits(p->m, type); /* 0 of what is no number */
    return p->dialect->promotes && n_bits > 0 && n_bits < 32 && !view_is_float(p->m, type) &&
           view_count_components(p->m, type) == 1;
}

/* An operand of an operator whose result may not fit an int: a narrow integer as a uint, so that the result wraps. The
 * promotion to int (C99 6.3.1.1) alone would let 65535 * 65535 overflow, which is undefined (6.5). */
static const char *widen(struct printer *p, uint32_t id)
{
    const char *const text = text_operand(p, id);
    return text_is_promoted(p, view_type_of(p->m, id)) ? textf(p, "(uint)%s", text) : text;
}

const char *text_name_value(struct printer *p, const struct spv_inst *in, uint32_t k)
{
    const char *const text = text_value(p, in->w[k]);
    if (!strpbrk(text, " ([")) {
        return text;
    }
    const char *const name = textf(p, "t%u_%u", in->w[2], k);
    const char *const type = text_name(p, view_type_of(p->m, in->w[k]));
    text_put_line(p, "%s %s = %s;", type, name, text);
    return name;
}

static const char *print_binary(struct printer *p, const char *a, const char *op, const char *b)
{
    return textf(p, "%s %s %s", a, op, b);
}

/* "a < b", or of vectors "lessThan(a, b)". */
static const char *print_comparison(struct printer *p, const struct text_op *row,
                                    const struct spv_inst *in, const char *a, const char *b)
{
    if (view_count_components(p->m, in->w[1]) == 1) {
        return print_binary(p, a, row->text, b);
    }
    return textf(p, "%s(%s, %s)", row->vector, a, b);
}

/* a and b are ordered and differ. */
static const char *print_difference(struct printer *p, const struct spv_inst *in)
{
    if (view_count_components(p->m, in->w[1]) > 1) {
        return text_fail(p, "this comparison of vectors");
    }
    const char *const a = text_operand(p, in->w[3]);
    const char *const b = text_operand(p, in->w[4]);
    return textf(p, "(%s < %s) ^^ (%s > %s)", a, b, a, b);
}

static const char *print_logical(struct printer *p, const struct spv_inst *in,
                                 const struct text_op *row)
{
    const char *const b = text_name_value(p, in, 4);
    const char *const a = text_name_value(p, in, 3);
    uint32_t const n = view_count_components(p->m, in->w[1]);
    if (n == 1) {
        return print_binary(p, a, row->text, b);
    }
    const char *parts = ""; /* the operator is of scalars alone */
    for (uint32_t k = 0; k < n; k++) {
        parts = textf(p, "%s%s%s.%c %s %s.%c", parts, k ? ", " : "", a, "xyzw"[k & 3], row -> text,
                      b, "xyzw"[k & 3]);
    }
    return textf(p, "%s(%s)", text_name(p, in->w[1]), parts);
}

/* Returns the expression of an instruction that is an operator or a call in the language, by the form of
 * its row (enum text_form). x and y are the ids of its operands, which begin with word 3; y is 0 where there
 * is one operand. */
static const char *print_op(struct printer *p, const struct spv_inst *in, const struct text_op *row)
{
    uint32_t const x = in->w[3];
    uint32_t const y = in->n > 4 ? in->w[4] : 0;
    bool const is_vector = view_count_components(p->m, in->w[1]) > 1;
    switch (row->form) {
    case FORM_NONE: /* text_put_inst passes no such row */
        break;
    case FORM_BINARY:
        return print_binary(p, text_operand(p, x), row->text, text_operand(p, y));
    case FORM_WIDE_BINARY:
        return print_binary(p, widen(p, x), row->text, widen(p, y));
    case FORM_WIDE_FIRST:
        return print_binary(p, widen(p, x), row->text, text_operand(p, y));
    case FORM_SIGNED_BINARY:
        return print_binary(p, text_signed(p, x), row->text, text_signed(p, y));
    case FORM_SIGNED_FIRST:
        return print_binary(p, text_signed(p, x), row->text, text_operand(p, y));
    case FORM_PREFIX:
        return textf(p, "%s%s", row->text, text_operand(p, x));
    case FORM_CALL:
        return textf(p, "%s(%s)", row->text, text_list(p, in, 3));
    case FORM_NOT:
        return textf(p, "%s(%s)", is_vector ? "not" : "!", text_value(p, x));
    case FORM_LOGICAL:
        return print_logical(p, in, row);
    case FORM_EITHER:
        return print_difference(p, in);
    case FORM_NEITHER:
        return textf(p, "!(%s)", print_difference(p, in));
    case FORM_COMPARE:
        return print_comparison(p, row, in, text_operand(p, x), text_operand(p, y));
    case FORM_SIGNED_COMPARE:
        return print_comparison(p, row, in, text_signed(p, x), text_signed(p, y));
    case FORM_NOT_COMPARE:
        return textf(p, "%s(%s)", is_vector ? "not" : "!",
                     print_comparison(p, row, in, text_operand(p, x), text_operand(p, y)));
    case FORM_TEST:
        return textf(p, "%s(%s) != 0", row->text, text_list(p, in, 3));
    case FORM_NOT_TEST:
        return textf(p, "!%s(%s)", row->text, text_list(p, in, 3));
    }
    return "";
}

static void put_op(struct printer *p, const struct spv_inst *in, const struct text_op *row)
{
    uint32_t const type = in->w[1];
    bool const is_compared = row->form >= FORM_COMPARE;
    if (is_compared && !row->vector[0] && !view_is_bool(p->m, type)) {
        (void)text_fail(p, "a comparison of vectors");
        return;
    }
    bool const is_signed = row->form == FORM_SIGNED_BINARY || row->form == FORM_SIGNED_FIRST;
    bool const is_cast = is_signed || (!is_compared && text_is_promoted(p, type));
    const char *const text = print_op(p, in, row);
    text_define(p, in, is_cast ? p->dialect->to_unsigned(p, type, text) : text,
                is_cast || row->form == FORM_CALL, true);
}

void text_put_called(struct printer *p, const struct spv_inst *in, const char *call)
{
    if (view_get(p->m, in->w[1])->in.op == SpvOpTypeVoid) {
        text_put_line(p, "%s;", call);
    } else {
        text_define(p, in, call, true, false);
    }
}

/* Prints an instruction that all languages write alike: an operator of the dialect's table, a call, a copy,
 * or OpNop. Returns false for any other instruction. */
bool text_put_inst(struct printer *p, const struct spv_inst *in)
{
    for (size_t i = 0; i < p->dialect->n_ops; i++) {
        const struct text_op *const row = &p->dialect->ops[i];
        if (row->op == in->op && row->form != FORM_NONE) {
            put_op(p, in, row);
            return true;
        }
    }
    switch (in->op) {
    case SpvOpFunctionCall:
        text_put_called(p, in, textf(p, "f%u(%s)", in->w[3], text_list(p, in, 4)));
        return true;
    case SpvOpCopyMemory:
    case SpvOpCopyMemorySized:
        text_put_line(p, "%s = %s;", text_element(p, in->w[1]), text_element(p, in->w[2]));
        return true;
    case SpvOpCopyObject:
        text_define(p, in, text_operand(p, in->w[3]), true, true); /* simple and pure */
        return true;
    case SpvOpNop:
        return true;
    default:
        return false;
    }
}
