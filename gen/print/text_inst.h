/* gen/print/text_inst.h -- instructions that the languages write alike: operators by rows of operator.def, calls, copies. */
#pragma once

#include "gen/print/text.h"

enum text_form {
    FORM_NONE,
    FORM_BINARY,         /* a + b */
    FORM_WIDE_BINARY,    /* a * b; of narrow integers (ushort)((uint)a * (uint)b) */
    FORM_WIDE_FIRST,     /* a << b; likewise (ushort)((uint)a << b) */
    FORM_SIGNED_BINARY,  /* (uint)((int)a / (int)b) */
    FORM_SIGNED_FIRST,   /* (uint)((int)a >> b) */
    FORM_PREFIX,         /* -a */
    FORM_CALL,           /* dot(a, b) */
    FORM_NOT,            /* !(a), or not(a) */
    FORM_LOGICAL,        /* a && b, of names */
    FORM_EITHER,         /* (a < b) ^^ (a > b) */
    FORM_NEITHER,        /* !((a < b) ^^ (a > b)) */
    FORM_COMPARE,        /* a < b, or lessThan(a, b) */
    FORM_SIGNED_COMPARE, /* (int)a < (int)b */
    FORM_NOT_COMPARE,    /* !(a >= b), or not(greaterThanEqual(a, b)) */
    FORM_TEST,           /* isnan(a) != 0 */
    FORM_NOT_TEST        /* !isnan(a) */
};
/* An instruction as an operator; vector: the function for it where it compares vectors. */
struct text_op {
    uint32_t op;
    enum text_form form;
    const char *text, *vector;
};

/* false: it is no operator of the language, and no call, copy or OpNop. */
bool text_put_inst(struct printer *p, const struct spv_inst *in);
/* The function's result, as a value or, of a function that gives nothing, as a statement. */
void text_put_called(struct printer *p, const struct spv_inst *in, const char *call);
/* Is the type that of integers that C would compute as int? */
bool text_is_promoted(const struct printer *p, uint32_t type);
/* The value as a name or a number, as a variable of its own where it is more: glslang makes branches of ?:, && and ||
 * whose operands take some computing, and who was together before a branch need not be after it. */
const char *text_name_value(struct printer *p, const struct spv_inst *in, uint32_t k);
