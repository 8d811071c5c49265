/* oracle/tables/tables.c -- verdict.def, clause.def, undefined.def and unconfined.def as tables. */
#include "oracle/tables/tables.h"

#include <string.h>

const struct verdict_row verdict_rows[VERDICT_N] = {
#define VERDICT(id, name, part, text) {name, PART_##part, text},
#include "oracle/tables/verdict.def"
};

const struct clause_row clause_rows[CLAUSE_N] = {
#define CLAUSE(id, code, since, grade, text) {#id, code, since, #grade, text},
#include "oracle/tables/clause.def"
};

const char *const undefined_texts[UNDEFINED_N] = {
    "",
#define UNDEFINED(id, text) text,
#include "oracle/tables/undefined.def"
};

const char *const unconfined_texts[UNCONFINED_N] = {
    "",
#define UNCONFINED(id, text) text,
#include "oracle/tables/unconfined.def"
};

int verdict_find(const char *name)
{
    for (int i = 0; i < VERDICT_N; i++) {
        if (strcmp(verdict_rows[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

int clause_find(const char *id)
{
    for (int i = 0; i < CLAUSE_N; i++) {
        if (strcmp(clause_rows[i].id, id) == 0) {
            return i;
        }
    }
    return -1;
}
