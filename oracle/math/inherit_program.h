/* oracle/math/inherit_program.h -- the formulas that results are derived from, parsed from inherit.def as programs
 * of words for a stack machine. */
#pragma once

#include "oracle/math/accuracy.h"
#include "oracle/num/set.h"

enum inherit_id {
#define INHERIT(id, ...) INHERIT_##id,
#include "oracle/math/inherit.def"
};
enum {
    INHERIT_N = 0
#define INHERIT(...) +1
#include "oracle/math/inherit.def"
};

extern const char *const inherit_programs[INHERIT_N]; /* formulas with | between them */

enum inherit_word {
#define WORD(id, ...) WORD_##id,
#define CALL(id, ...) WORD_##id,
#include "oracle/math/inherit_word.def"
};
enum {
    WORD_N = 0
#define WORD(...) +1
#define CALL(...) +1
#include "oracle/math/inherit_word.def"
};
enum {
    INHERIT_MAX_WORDS = 48,
    INHERIT_STACK = 8
};

/* The permitted results of a step's instruction: accuracy_permitted, which asks for inherited ones here. */
typedef int inherit_permits(const struct accuracy *a, enum env env, const struct func_args *args,
                            const struct fp_rules *r, struct set *out);

/*
 * What steps of formulas gave that do not look at the component, like a dot product: found for the first component
 * of an instruction on whole vectors, taken by the others. The results of a run stand in the order of its steps.
 */
enum {
    INHERIT_MAX_READINGS = 16,
    INHERIT_MAX_FORMULAS = 3,
    INHERIT_MAX_SHARED = 12 /* steps of a run; additional ones are computed again */
};
struct inherit_run {
    uint8_t n;
    bool is_uncertain;
    struct set given[INHERIT_MAX_SHARED];
};
struct inherit_shared {
    struct inherit_run run[INHERIT_MAX_READINGS][INHERIT_MAX_FORMULAS];
};
void inherit_share(struct inherit_shared *s); /* makes it ready: nothing was found yet */

/* One formula on one reading of the operands. */
struct inherit_work {
    const struct accuracy *a;
    const struct accuracy_operands *v;
    uint32_t component;
    const struct fp_rules *rules;
    inherit_permits *permits;
    struct inherit_run *run; /* of this formula and reading; NULL: nothing is shared */
    unsigned n_words;
    uint8_t words[INHERIT_MAX_WORDS]; /* enum inherit_word */
};

/* The next formula of *program into w; 0: there was none. */
int inherit_parse(const char **program, struct inherit_work *work);
/* How many values a word takes from the stack. */
unsigned inherit_count_taken(enum inherit_word word);
/* The operand that a word of X to Z0 names. */
uint64_t inherit_get_operand(const struct inherit_work *work, enum inherit_word word);
