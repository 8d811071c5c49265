/* gen/print/clc_text.h -- a text in the making: lines, names of types, operands. */
#pragma once

#include "base/testcase.h"
#include "gen/print/clc_module.h"

enum {
    CLC_MAX_COPIES = 8 /* of functions, one within the call of another */
};

/* How a C type is to be read: SPIR-V's integers have no sign, C's have. */
enum clc_sign {
    CLC_UNSIGNED,
    CLC_SIGNED
};

struct clc_printer;

/* How another language than OpenCL C says what the printer has in common for all. */
struct clc_dialect {
    const char *name;
    const char *(*type)(struct clc_printer *p, uint32_t type, enum clc_sign sign);
    const char *(*number)(struct clc_printer *p, uint32_t type, uint64_t bits, bool *is_simple);
    /* the vector of `text`, its components by commas */
    const char *(*vector)(struct clc_printer *p, uint32_t type, const char *text);
    void (*put_inst)(struct clc_printer *p, const struct spv_inst *in);
    /* "float f5(float p0)" of the OpFunction there, and what each parameter's text is; NULL: it is printed where it
     * is called (clc_put_copy) */
    const char *(*head)(struct clc_printer *p, uint32_t offset);
};

struct clc_printer {
    const struct clc_dialect *dialect; /* NULL: OpenCL C */
    uint32_t n_copies;                 /* clc_put_copy that are under way */
    uint64_t extensions;               /* that the text needs, by bit: the dialect's own */
    struct clc_module m;
    struct arena *a;
    struct err *e;
    enum res res; /* of the first thing that could not be said */
    uint64_t seed;
    struct bytes functions; /* done */
    struct bytes variables; /* of the function being printed: they stand before its lines */
    struct bytes lines;
    uint32_t depth;      /* of blocks in braces */
    bool *is_printed;    /* [m.n_blocks] */
    uint32_t loop_merge; /* of the innermost loop; 0: none */
    uint32_t loop_next;  /* its continue target */
    uint32_t
        break_to; /* where `break` leads: behind the innermost loop or switch; 0: none is around */
    size_t loop_line, loop_body; /* places in lines: its "for (;;) {", and behind that */
};

/* What both languages write alike: OpCopyMemory and OpCopyMemorySized as an assignment, OpCopyObject as its operand. false:
 * it is another instruction. */
bool clc_put_spelled(struct clc_printer *p, const struct spv_inst *in);
/* No words for it: "LANGUAGE has no words for WHAT"; the first such thing is kept. Returns "". */
const char *clc_fail(struct clc_printer *p, const char *what);
/* One indented line of the function's body, or of its variables. */
void clc_put_line(struct clc_printer *p, const char *text);
void clc_put_variable(struct clc_printer *p, const char *text);

/* "float", "uint4", "__global uint *" of a type id. */
const char *clc_type(struct clc_printer *p, uint32_t type, enum clc_sign sign);
/* The declaration of a variable of that type, which may be an array of numbers or vectors. */
const char *clc_declare(struct clc_printer *p, uint32_t type, const char *name);
/* Bits of a scalar type or of a vector's component; its components (1 of a scalar). */
uint32_t clc_count_bits(const struct clc_printer *p, uint32_t type);
uint32_t clc_count_components(const struct clc_printer *p, uint32_t type);
bool clc_is_bool(const struct clc_printer *p, uint32_t type);
bool clc_is_float(const struct clc_printer *p, uint32_t type);
/* The type id of a value. */
uint32_t clc_type_of(const struct clc_printer *p, uint32_t id);

/* An expression for a value that is defined: as it stands alone, and as an operand of an operator. */
const char *clc_value(struct clc_printer *p, uint32_t id);
const char *clc_operand(struct clc_printer *p, uint32_t id);
/* The value as one of the signed type, `(int)x`. */
const char *clc_signed(struct clc_printer *p, uint32_t id);
/* What a pointer points to: `b1[i]`, `*p`. */
const char *clc_element(struct clc_printer *p, uint32_t pointer);

/* What in's result is. A pure one that is used once, in its own block, stands where it is used; any other
 * becomes a variable. is_simple: it needs no parentheses. */
void clc_define(struct clc_printer *p, const struct spv_inst *in, const char *text, bool is_simple,
                bool is_pure);

/* A number below n that the spelling of an instruction hangs on, drawn anew for each `which`. */
uint32_t clc_draw(const struct clc_printer *p, uint32_t id, uint32_t which, uint32_t n);
