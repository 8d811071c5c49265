/* fuzz/io/json.c -- JSON in and out; the only file that includes jansson's header. */
#include "fuzz/io/json.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "base/printable.h"

enum {
    MAX_TEXT_BYTES = 512 << 20 /* the longest log is a part of a report, which has as much */
};

/* struct json is jansson's value under our name; only these three know it. */
static json_t *as_jansson(struct json *j)
{
    return (json_t *)(void *)j;
}

static const json_t *as_const_jansson(const struct json *j)
{
    return (const json_t *)(const void *)j;
}

static struct json *as_ours(json_t *j)
{
    return (struct json *)(void *)j;
}

static const struct json *as_const_ours(const json_t *j)
{
    return (const struct json *)(const void *)j;
}

struct json *json_new_object(void)
{
    return as_ours(json_object());
}

struct json *json_new_array(void)
{
    return as_ours(json_array());
}

void json_free(struct json *j)
{
    json_decref(as_jansson(j));
}

/* Stands where a value could not be made: no UTF-8, so that json_print fails. */
static json_t *make_gap(void)
{
    return json_string_nocheck("\xff");
}

static const char keep_lines[] = "\n\t"; /* JSON itself spells these out */

/* In printed form, but for the characters of `kept`. NULL when that is too long. */
static json_t *make_text(const char *text, const char *kept)
{
    struct arena a;
    struct bytes b;
    arena_init(&a, MAX_TEXT_BYTES);
    bytes_init(&b, &a);
    while (text && *text) {
        char printed[PRINTABLE_BYTES] = {*text};
        text += strchr(kept, *text) ? 1 : printable_take_char(text, printed);
        bytes_put(&b, printed, strlen(printed));
    }
    json_t *j = b.ok ? json_stringn(b.n ? (const char *)b.p : "", b.n) : NULL;
    arena_free(&a);
    return j;
}

void json_put(struct json *o, const char *key, struct json *value)
{
    if (json_object_set_new(as_jansson(o), key, as_jansson(value)) != 0) {
        (void)json_object_set_new_nocheck(as_jansson(o), key, make_gap());
    }
}

void json_put_text(struct json *o, const char *key, const char *text)
{
    json_put(o, key, as_ours(make_text(text, keep_lines)));
}

void json_put_line(struct json *o, const char *key, const char *text)
{
    json_put(o, key, as_ours(make_text(text, "")));
}

void json_put_number(struct json *o, const char *key, uint64_t n)
{
    json_put_int(o, key, n < INT64_MAX ? (int64_t)n : INT64_MAX);
}

void json_put_int(struct json *o, const char *key, int64_t n)
{
    json_put(o, key, as_ours(json_integer((json_int_t)n)));
}

void json_put_real(struct json *o, const char *key, double x)
{
    json_t *number = json_real(x); /* NULL where not finite */
    json_put(o, key, as_ours(number ? number : json_null()));
}

void json_put_bool(struct json *o, const char *key, int is_true)
{
    json_put(o, key, as_ours(json_boolean(is_true)));
}

void json_put_null(struct json *o, const char *key)
{
    json_put(o, key, as_ours(json_null()));
}

void json_push(struct json *array, struct json *value)
{
    if (json_array_append_new(as_jansson(array), as_jansson(value)) != 0) {
        (void)json_array_append_new(as_jansson(array), make_gap());
    }
}

void json_push_number(struct json *array, uint64_t n)
{
    json_push(array, as_ours(json_integer((json_int_t)n)));
}

void json_push_text(struct json *array, const char *text)
{
    json_push(array, as_ours(make_text(text, keep_lines)));
}

void json_push_real(struct json *array, double x)
{
    json_t *number = json_real(x); /* NULL where not finite */
    json_push(array, as_ours(number ? number : json_null()));
}

enum res json_print(const struct json *j, enum json_style style, FILE *f, struct err *e)
{
    static const size_t flags[] = {[JSON_LINE] = JSON_COMPACT,
                                   [JSON_PAGE] = JSON_INDENT(2),
                                   [JSON_NARROW_PAGE] = JSON_INDENT(1)};
    bool const is_printed = j && json_dumpf(as_const_jansson(j), f, flags[style]) == 0;
    if (ferror(f) || (is_printed && (fputc('\n', f) == EOF || fflush(f) != 0))) {
        return err_set(e, RES_IO, "JSON output: %s", strerror(errno));
    }
    return is_printed ? RES_OK : err_set(e, RES_NOMEM, "no memory for JSON");
}

enum res json_parse(struct json **out, const char *name, const void *p, size_t n, struct err *e)
{
    json_error_t error;
    json_t *j = json_loadb(p, n, JSON_REJECT_DUPLICATES, &error);
    *out = as_ours(j);
    return j ? RES_OK
             : err_set(e, RES_FORMAT, "%s:%d:%d: %s", name, error.line, error.column, error.text);
}

const struct json *json_find(const struct json *o, const char *key)
{
    return as_const_ours(json_object_get(as_const_jansson(o), key));
}

const char *json_as_text(const struct json *j)
{
    return json_string_value(as_const_jansson(j));
}

int json_as_number(const struct json *j, uint64_t limit, uint64_t *out)
{
    const json_t *number = as_const_jansson(j);
    if (!json_is_integer(number) || json_integer_value(number) < 0 ||
        (uint64_t)json_integer_value(number) > limit) {
        return 0;
    }
    *out = (uint64_t)json_integer_value(number);
    return 1;
}

int json_as_int(const struct json *j, int64_t *out)
{
    const json_t *number = as_const_jansson(j);
    if (!json_is_integer(number)) {
        return 0;
    }
    *out = json_integer_value(number);
    return 1;
}

int json_as_real(const struct json *j, double *out)
{
    const json_t *number = as_const_jansson(j);
    *out = json_number_value(number);
    return json_is_number(number);
}

int json_as_bool(const struct json *j)
{
    return json_is_true(as_const_jansson(j));
}

enum res json_get_text(const struct json *o, const char *key, const char *at, const char **out,
                       struct err *e)
{
    *out = json_as_text(json_find(o, key));
    return *out ? RES_OK : err_set(e, RES_FORMAT, "%s: no text \"%s\"", at, key);
}

enum res json_get_number(const struct json *o, const char *key, const char *at, uint64_t limit,
                         uint64_t *out, struct err *e)
{
    return json_as_number(json_find(o, key), limit, out)
               ? RES_OK
               : err_set(e, RES_FORMAT, "%s: \"%s\" is not a number of 0 to %" PRIu64, at, key,
                         limit);
}

enum res json_get_array(const struct json *o, const char *key, const char *at,
                        const struct json **out, struct err *e)
{
    *out = json_find(o, key);
    return json_is_array(as_const_jansson(*out))
               ? RES_OK
               : err_set(e, RES_FORMAT, "%s: no list \"%s\"", at, key);
}

size_t json_get_count(const struct json *array)
{
    return json_array_size(as_const_jansson(array));
}

const struct json *json_get_item(const struct json *array, size_t i)
{
    return as_const_ours(json_array_get(as_const_jansson(array), i));
}
