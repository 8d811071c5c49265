/* oracle/tables/tables.h -- the oracle's tables as enums and names: verdicts, clauses, undefined behaviour. Rows
 * are in the .def files. */
#pragma once

enum verdict_kind {
#define VERDICT(id, ...) VERDICT_##id,
#include "oracle/tables/verdict.def"
};
enum {
    VERDICT_N = 0
#define VERDICT(...) +1
#include "oracle/tables/verdict.def"
};
enum verdict_part {
    PART_OK,
    PART_INFO,
    PART_VIOLATION
};
struct verdict_row {
    const char *name;
    enum verdict_part part;
    const char *text;
};
extern const struct verdict_row verdict_rows[VERDICT_N];
int verdict_find(const char *name); /* row by name, or -1 */

enum clause_id {
#define CLAUSE(id, ...) CLAUSE_##id,
#include "oracle/tables/clause.def"
};
enum {
    CLAUSE_N = 0
#define CLAUSE(...) +1
#include "oracle/tables/clause.def"
};
struct clause_row {
    const char *id, *code, *since, *grade, *text; /* columns of clause.def */
};
extern const struct clause_row clause_rows[CLAUSE_N];
int clause_find(const char *id); /* row by id, or -1 */

/* Why a program has no defined behaviour. */
enum undefined_kind {
    UNDEFINED_NONE, /* it has */
#define UNDEFINED(id, ...) UNDEFINED_##id,
#include "oracle/tables/undefined.def"
};
enum {
    UNDEFINED_N = 1
#define UNDEFINED(...) +1
#include "oracle/tables/undefined.def"
};
extern const char *const undefined_texts[UNDEFINED_N]; /* "undefined: ..."; of none "" */

/* Why nothing confines an observed value. */
enum unconfined_kind {
    UNCONFINED_NONE, /* something does */
#define UNCONFINED(id, ...) UNCONFINED_##id,
#include "oracle/tables/unconfined.def"
};
enum {
    UNCONFINED_N = 1
#define UNCONFINED(...) +1
#include "oracle/tables/unconfined.def"
};
extern const char *const unconfined_texts[UNCONFINED_N]; /* of none "" */
