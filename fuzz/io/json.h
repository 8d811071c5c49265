/* fuzz/io/json.h -- JSON in and out, by jansson; foreign text is made printable on its way out. */
#pragma once

#include <stdio.h>

#include "base/base.h"

struct json; /* a value; NULL (no memory) may be passed anywhere and shows in json_print */

struct json *json_new_object(void);
struct json *json_new_array(void);
void json_free(struct json *j);
/* Into an object. Bytes that are no UTF-8, and control characters but newline and tab, become
 * "\xNN"; NULL is "". */
void json_put_text(struct json *o, const char *key, const char *text);
void json_put_line(struct json *o, const char *key,
                   const char *text);                              /* newline and tab likewise */
void json_put_number(struct json *o, const char *key, uint64_t n); /* past 2^63-1: that */
void json_put_int(struct json *o, const char *key, int64_t n);
void json_put_real(struct json *o, const char *key, double x); /* null where not finite */
void json_put_bool(struct json *o, const char *key, int is_true);
void json_put_null(struct json *o, const char *key);
void json_put(struct json *o, const char *key, struct json *value); /* takes value */
/* Into an array. */
void json_push(struct json *array, struct json *value); /* takes value */
void json_push_number(struct json *array, uint64_t n);
void json_push_text(struct json *array, const char *text);
void json_push_real(struct json *array, double x); /* null where not finite */
/* One line, or with indentation by two or one. RES_IO: f fails; RES_NOMEM: a part could not be made. */
enum json_style {
    JSON_LINE,
    JSON_PAGE,
    JSON_NARROW_PAGE
};
MUST_USE enum res json_print(const struct json *j, enum json_style style, FILE *f, struct err *e);

/* Read a text; RES_FORMAT names line and column. name is for errors. */
MUST_USE enum res json_parse(struct json **out, const char *name, const void *p, size_t n,
                             struct err *e);
/* What an object holds; `at` ("case.json: buffers[2]") is for errors. A missing or wrong member is
 * RES_FORMAT. The returned pointers live as long as the object. */
MUST_USE enum res json_get_text(const struct json *o, const char *key, const char *at,
                                const char **out, struct err *e);
MUST_USE enum res json_get_number(const struct json *o, const char *key, const char *at,
                                  uint64_t limit, uint64_t *out, struct err *e);
MUST_USE enum res json_get_array(const struct json *o, const char *key, const char *at,
                                 const struct json **out, struct err *e);
/* Member that may be absent: NULL. */
const struct json *json_find(const struct json *o, const char *key);
size_t json_get_count(const struct json *array);
const struct json *json_get_item(const struct json *array, size_t i);
/* The value itself: NULL when it is no text; 0 when no number of [0, limit]. */
const char *json_as_text(const struct json *j);
int json_as_number(const struct json *j, uint64_t limit, uint64_t *out);
int json_as_int(const struct json *j, int64_t *out); /* 0 when no integer */
int json_as_real(const struct json *j, double *out); /* 0 when no number */
int json_as_bool(const struct json *j);              /* 1 when true */
