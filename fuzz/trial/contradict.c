/* fuzz/trial/contradict.c -- does what a device says fit together? */
#include "fuzz/trial/contradict.h"

#include <stdlib.h>
#include <string.h>

enum {
    TERM_BYTES = 128,
    VALUE_BYTES = 64
};

const struct contradict_row contradict_rows[CONTRADICT_N] = {
#define CONTRADICTION(condition, consequence, source, text) {condition, consequence, source, text},
#include "fuzz/trial/contradict.def"
};

/* A key without an operator: present, and not the number 0. */
static int is_set(const char *facts, const char *key)
{
    char value[VALUE_BYTES];
    return facts_get(facts, key, value, sizeof(value)) && value[0] && strcmp(value, "0") != 0 &&
           strcmp(value, "0x0") != 0;
}

/* Do the facts meet one term of a rule: KEY (it is set), KEY~WORD (lists the word), KEY&MASK (has any bit of
 * it), KEY>=N or KEY=N (as numbers)? "!" before it denies it. The term is written to, to cut the key off. */
static int term_holds(const char *facts, char *term)
{
    if (term[0] == '!') {
        return !term_holds(facts, term + 1);
    }
    size_t const n_key = strcspn(term, "&~>=");
    char const op = term[n_key];
    if (!op) {
        return is_set(facts, term);
    }
    const char *right = term + n_key + (op == '>' ? strlen(">=") : 1);
    term[n_key] = '\0';
    if (op == '~') {
        return facts_has_word(facts, term, right);
    }
    uint64_t const have = facts_number(facts, term);
    uint64_t const want = strtoull(right, NULL, 0);
    if (op == '&') {
        return (have & want) != 0;
    }
    return op == '>' ? have >= want : have == want;
}

int contradict_holds(const char *facts, const char *terms)
{
    while (*terms) {
        char term[TERM_BYTES];
        size_t const n = strcspn(terms, " ");
        if (n >= sizeof(term)) {
            return 0;
        }
        memcpy(term, terms, n);
        term[n] = '\0';
        if (n > 0 && !term_holds(facts, term)) {
            return 0;
        }
        terms += n + (terms[n] == ' ');
    }
    return 1;
}

int contradict_find(const char *facts, const struct contradict_row *row)
{
    return contradict_holds(facts, row->condition) && !contradict_holds(facts, row->consequence);
}
