/* gen/print/text.h -- a text in the making, of a module's view: lines, constants, operands, the variables that
 * values become. What the languages write in their own way is asked of the dialect. */
#pragma once

#include "base/testcase.h"
#include "gen/view/view.h"

enum {
    TEXT_MAX_COPIES = 8 /* of functions, one within the call of another */
};

/* How a C type is to be read: SPIR-V's integers have no sign, C's have. */
enum text_sign {
    TEXT_UNSIGNED,
    TEXT_SIGNED
};

struct printer;
struct text_op;

/* A language, and how it says what the printer has in common for all. */
struct dialect {
    const char *name;
    const char *(*type)(struct printer *p, uint32_t type, enum text_sign sign);
    const char *(*number)(struct printer *p, uint32_t type, uint64_t bits, bool *is_simple);
    /* the vector of `text`, its components by commas */
    const char *(*vector)(struct printer *p, uint32_t type, const char *text);
    /* the value as one of the signed type; and `text`, of any sign, as of the type, which has none */
    const char *(*to_signed)(struct printer *p, uint32_t id);
    const char *(*to_unsigned)(struct printer *p, uint32_t type, const char *text);
    void (*put_inst)(struct printer *p, const struct spv_inst *in);
    /* "float f5(float p0)" of that OpFunction, and what each parameter's text is; NULL: it is printed where it is
     * called (text_put_copy) */
    const char *(*head)(struct printer *p, const struct spv_inst *function);
    /* The whole text of a printer whose module is read; p->res says whether it could be said. */
    const char *(*print)(struct printer *p, const struct testcase *tc);
    /* Has it words for the instruction, which stands in `function` (0: in none)? What it has none for and needs none is
     * taken out of the module. */
    bool (*says)(const struct view *m, const struct testcase *tc, uint32_t function,
                 const struct spv_inst *in);
    /* Gives the case the needs and build options of a text, or of its module again. */
    void (*adapt)(struct testcase *tc, bool is_text, struct arena *a);
    const struct text_op *ops; /* its operators, [n_ops] */
    size_t n_ops;
    bool promotes;        /* are narrow integers computed as int? */
    bool keeps_exact;     /* is NoContraction said, as `precise`? */
    bool tests_in_head;   /* does a loop's first test stand in its head? */
    bool has_illegal;     /* may a case break a rule of accuracy, of which the text says nothing? */
    bool switches_on_any; /* on integers of other widths than 32 bits, too? */
};

struct printer {
    const struct dialect *dialect;
    uint32_t n_copies;   /* text_put_copy that are under way */
    uint64_t extensions; /* that the text needs, by bit: the dialect's own */
    const struct view *m;
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
    uint32_t break_to;   /* the block after the innermost loop or switch; 0: none is around */
    size_t loop_line, loop_body; /* positions in lines: of its "for (;;) {", and after that */
};

/* The word for a number; where none of n is for it, the language has none for WHAT. */
struct text_word {
    uint64_t number;
    const char *word;
};
const char *text_find_word(struct printer *p, const struct text_word *words, size_t n,
                           uint64_t number, const char *what);
/* No words for it: "LANGUAGE has no words for WHAT"; the first such thing is kept. Returns "". */
const char *text_fail(struct printer *p, const char *what);
/* A text by a format; so is an indented line of the function's body, or of its variables. */
const char *textf(struct printer *p, const char *format, ...) PRINTF_LIKE(2, 3);
void text_put_line(struct printer *p, const char *format, ...) PRINTF_LIKE(2, 3);
void text_put_variable(struct printer *p, const char *format, ...) PRINTF_LIKE(2, 3);

/* "float", "uint4", "__global uint *" of a type id; with that sign, or with none. */
const char *text_type(struct printer *p, uint32_t type, enum text_sign sign);
const char *text_name(struct printer *p, uint32_t type);
/* The declaration of a variable of that type, which may be an array of numbers or vectors. */
const char *text_declare(struct printer *p, uint32_t type, const char *name);
/* An expression for a value that is defined: as it stands alone, and as an operand of an operator. */
const char *text_value(struct printer *p, uint32_t id);
const char *text_operand(struct printer *p, uint32_t id);
/* The value as one of the signed type, `(int)x`. */
const char *text_signed(struct printer *p, uint32_t id);
/* What a pointer points to: `b1[i]`, `*p`. */
const char *text_element(struct printer *p, uint32_t pointer);
/* The values of the instruction's words from `first` on, by commas. */
const char *text_list(struct printer *p, const struct spv_inst *in, uint32_t first);

/* What in's result is. A pure one that is used once, in its own block, stands where it is used; any other
 * becomes a variable. is_simple: it needs no parentheses. */
void text_define(struct printer *p, const struct spv_inst *in, const char *text, bool is_simple,
                 bool is_pure);

/* A number below n that the spelling of an instruction hangs on, drawn anew for each `which`. */
uint32_t text_draw(const struct printer *p, uint32_t id, uint32_t which, uint32_t n);
