/* oracle/math/inherit_program.c -- formulas that results are derived from, as programs of words. */
#include "oracle/math/inherit_program.h"

#include <assert.h>
#include <string.h>

const char *const inherit_programs[INHERIT_N] = {
#define INHERIT(id, program) program,
#include "oracle/math/inherit.def"
};
static const char *const words[WORD_N] = {
#define WORD(id, spelling, n)      spelling,
#define CALL(id, spelling, n, ...) spelling,
#include "oracle/math/inherit_word.def"
};

void inherit_share(struct inherit_shared *s)
{
    for (unsigned i = 0; i < INHERIT_MAX_READINGS; i++) {
        for (unsigned k = 0; k < INHERIT_MAX_FORMULAS; k++) {
            s->run[i][k].n = 0;
            s->run[i][k].is_uncertain = false;
        }
    }
}

unsigned inherit_count_taken(enum inherit_word word)
{
    static const uint8_t taken[WORD_N] = {
#define WORD(id, spelling, n)      n,
#define CALL(id, spelling, n, ...) n,
#include "oracle/math/inherit_word.def"
    };
    return taken[word];
}

/* Takes the words of one formula off *program, up to its end or " | ", into work->words. Words have a space
 * between them. 0: there was no formula left. */
int inherit_parse(const char **program, struct inherit_work *work)
{
    const char *at = *program;
    work->n_words = 0;
    while (*at != '\0') {
        size_t const n = strcspn(at, " ");
        int found = -1;
        if (n == 1 && *at == '|') {
            at += strlen("| ");
            break;
        }
        for (int i = 0; i < WORD_N && found < 0; i++) {
            bool const is_it = words[i][0] == *at && strncmp(words[i], at, n) == 0;
            found = is_it && words[i][n] == '\0' ? i : found;
        }
        assert(found >= 0 && work->n_words < INHERIT_MAX_WORDS);
        work->words[work->n_words++] = (uint8_t)found;
        at += n + (at[n] == ' ');
    }
    *program = at;
    return work->n_words > 0;
}

/* The encoding that a word from X to Z0 names. X, Y and Z are the current component of the first, second
 * and third operand, X1 and X2 the next ones of three, cyclic, as in a cross product, and Z0 is the third
 * operand's first component, as it is a scalar. */
uint64_t inherit_get_operand(const struct inherit_work *work, enum inherit_word word)
{
    static const struct {
        uint8_t operand, offset; /* of the component, cyclic among three */
    } words_of[] = {
        [WORD_X] = {0, 0},
          [WORD_Y] = {1, 0},
          [WORD_Z] = {2, 0},
          [WORD_X1] = {0, 1},
        [WORD_X2] = {0, 2},
          [WORD_Y1] = {1, 1},
          [WORD_Y2] = {1, 2}
    };
    if (word == WORD_Z0) {
        return work->v->enc[2][0];
    }
    assert((size_t)word < ARRAY_N(words_of));
    uint32_t const offset = words_of[word].offset;
    uint32_t const component = offset > 0 ? (work->component + offset) % 3 : work->component;
    return work->v->enc[words_of[word].operand][component];
}
