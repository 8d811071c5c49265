/* reports/model/json_tree.h -- JSON under construction, for the formats that are JSON. */
#pragma once

#include <stdio.h>

#include "base/base.h"

struct json_t; /* a value: jansson's, which json_tree.c alone knows */

/* Whatever fails clears ok; every function may be called with what a failed one gave. */
struct json_tree {
    struct arena *a; /* for foreign text on its way in */
    int ok;
};
struct json_t *tree_object(void);
struct json_t *tree_array(void);
void tree_free(struct json_t *value);

/* Into an object or array, which takes the value. */
void tree_put(struct json_tree *b, struct json_t *object, const char *key, struct json_t *value);
void tree_append(struct json_tree *b, struct json_t *array, struct json_t *value);
/* Foreign text; NULL is "". */
void tree_put_text(struct json_tree *b, struct json_t *object, const char *key, const char *text);
/* Counts beyond 2^63-1 are cut. */
void tree_put_count(struct json_tree *b, struct json_t *object, const char *key, uint64_t n);
void tree_put_int(struct json_tree *b, struct json_t *object, const char *key, int64_t n);
void tree_put_bool(struct json_tree *b, struct json_t *object, const char *key, int is_true);
void tree_put_null(struct json_tree *b, struct json_t *object, const char *key);
void tree_put_real(struct json_tree *b, struct json_t *object, const char *key,
                   double x); /* null where not finite */
/* A share as a number 0..1, null where there is nothing to have a share of. */
void tree_put_share(struct json_tree *b, struct json_t *object, const char *key, uint64_t part,
                    uint64_t whole);
/* A text of several lines, as an array of them. */
void tree_put_lines(struct json_tree *b, struct json_t *object, const char *key, const char *text);

/* Write it, and free it in any case. RES_NOMEM: something had failed; RES_IO: f fails. */
MUST_USE enum res tree_print(struct json_tree *b, struct json_t *root, FILE *f, struct err *e);
