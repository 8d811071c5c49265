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

int inherit_parse(const char **program, struct inherit_work *w)
{
    const char *at = *program;
    w->n_words = 0;
    while (*at != '\0') {
        size_t const n = strcspn(at, " ");
        int found = -1;
        if (n == 1 && *at == '|') {
            at += 2;
            break;
        }
        for (int i = 0; i < WORD_N; i++) {
            if (strncmp(words[i], at, n) == 0 && words[i][n] == '\0') {
                found = i;
            }
        }
        assert(found >= 0 && w->n_words < INHERIT_MAX_WORDS);
        w->words[w->n_words++] = (uint8_t)found;
        at += n + (at[n] == ' ');
    }
    *program = at;
    return w->n_words > 0;
}

uint64_t inherit_get_operand(const struct inherit_work *w, enum inherit_word word)
{
    static const uint8_t offset[] = {[WORD_X1] = 1, [WORD_X2] = 2, [WORD_Y1] = 1, [WORD_Y2] = 2};
    uint32_t const c = w->component;
    switch ((int)word) {
    case WORD_X:
        return w->v->enc[0][c];
    case WORD_Y:
        return w->v->enc[1][c];
    case WORD_Z:
        return w->v->enc[2][c];
    case WORD_X1:
    case WORD_X2:
        return w->v->enc[0][(c + offset[word]) % 3];
    case WORD_Y1:
    case WORD_Y2:
        return w->v->enc[1][(c + offset[word]) % 3];
    default:
        assert(word == WORD_Z0);
        return w->v->enc[2][0];
    }
}
