/* reports/bug/bug_operands.c -- what is special of the operands that a bug shows with. */
#include "reports/bug/bug_operands.h"

#include <string.h>

#include "base/format.h"
#include "base/ops.h"
#include "base/spv.h"
#include "base/testcase.h"
#include "oracle/tables/storage.h"
#include "oracle/tables/tables.h"
#include "reports/bug/bug_value.h"

/* The format of operand i of a word; NULL: it is an integer. An operand without a type of its own (VT_NONE) has the
 * type of the finding. */
static const struct float_format *find_operand_format(const struct bug *b, const struct bug_word *w,
                                                      uint32_t i)
{
    enum val_type const type = w->operand_type[i];
    return bug_find_format(type ? val_type_names[type] : b->finding->type);
}

/* Which operands of the word have that class, a bit each. */
static unsigned find_places(const struct bug *b, const struct bug_word *w, enum fp_class class)
{
    unsigned places = 0;
    for (uint32_t i = 0; i < w->n_operands; i++) {
        const struct float_format *const f = find_operand_format(b, w, i);
        bool const is_it = f && format_classify(f, w->operand[i]) == class;
        places |= (unsigned)is_it << i;
    }
    return places;
}

/* Has each wrong word, and each finding of the bug, an operand of that class? *places: where the first word has it. */
static bool is_in_all(const struct bug *b, enum fp_class class, unsigned *places)
{
    bool is_it = (b->not_all >> class & 1) == 0;
    *places = find_places(b, &b->word[0], class);
    for (uint32_t i = 0; i < b->n_expect; i++) {
        is_it &= find_places(b, &b->word[i], class) != 0;
    }
    return is_it;
}

const char *bug_describe_operands(const struct bug *b, struct arena *a)
{
    static const struct {
        enum fp_class class;
        const char *name;
    } odd[] = {
  /* the most unusual first */
        {FP_CLASS_SNAN,      "a signalling NaN"},
        {FP_CLASS_QNAN,      "a NaN"           },
        {FP_CLASS_INF,       "an infinity"     },
        {FP_CLASS_SUBNORMAL, "a subnormal"     },
        {FP_CLASS_ZERO,      "a zero"          }
    };
    const struct bug_word *const w = b->word && b->n_expect > 0 ? &b->word[0] : NULL;
    bool const is_group = b->participants && b->participants[0];
    if (!w || is_group || !bug_find_format(b->finding->type)) {
        return "";
    }
    for (size_t i = 0; i < ARRAY_N(odd); i++) {
        unsigned places = 0;
        bool const is_told = is_in_all(b, odd[i].class, &places);
        /* the first operand of an atomic is what it found; a zero is what memory mostly begins with */
        bool const is_found = places == 1 && op_is_atomic(b->finding->op);
        if (is_told && !(is_found && odd[i].class == FP_CLASS_ZERO)) {
            return w->n_operands == 1 ? arena_printf(a, " of %s", odd[i].name)
                   : is_found         ? arena_printf(a, " where memory holds %s", odd[i].name)
                                      : arena_printf(a, " with %s as operand", odd[i].name);
        }
    }
    bool const is_zero_sign =
        strcmp(b->finding->verdict, verdict_rows[VERDICT_ZERO_SIGN].name) == 0;
    return is_zero_sign && w->n_operands == 1 && find_places(b, w, FP_CLASS_ZERO) == 0
               ? arena_printf(a, " of %s",
                              bug_show_plain(find_operand_format(b, w, 0), w->operand[0], a))
               : "";
}

/* The type of the operands, by name: that of the result in question, but where this is the integer that a function of a
 * float gives beside its result, that float, if the module has one such type. "" is an integer. */
static const char *find_operand_type(const struct bug *b)
{
    static const char *const with_integer[] = {"Frexp", "FrexpStruct", "frexp", "lgamma_r",
                                               "ilogb"};
    const char *const own = b->finding->type;
    bool is_of_float = false;
    for (size_t i = 0; own && i < ARRAY_N(with_integer); i++) {
        is_of_float |= !bug_find_format(own) && strcmp(b->finding->op, with_integer[i]) == 0;
    }
    const char *found = own;
    uint32_t offset = SPV_HEADER_WORDS, n_found = 0;
    struct spv_inst in;
    while (is_of_float && spv_next(b->tc->module, b->tc->n_words, &offset, &in)) {
        if (in.op == SpvOpTypeFloat && in.n > 2) {
            found = in.w[2] == 16 ? "f16" : in.w[2] == 32 ? "f32" : "f64";
            n_found++;
        }
    }
    return n_found > 1 ? own : found;
}

const char *bug_show_operands(const struct bug *b, uint32_t i, struct arena *a)
{
    const struct bug_word *const w = &b->word[i];
    const char *const usual = find_operand_type(b);
    const char *all = "";
    for (uint32_t k = 0; k < w->n_operands && k < ARRAY_N(w->operand); k++) {
        enum val_type const own = w->operand_type[k];
        const char *const type = own ? val_type_names[own] : usual;
        all = arena_printf(a, "%s%s%s", all, k > 0 ? ", " : "",
                           bug_show_of(b->finding->op, bug_find_format(type), bug_type_bytes(type),
                                       w->operand[k], a));
    }
    return all;
}
