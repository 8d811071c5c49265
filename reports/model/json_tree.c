/* reports/model/json_tree.c -- JSON under construction; the only file of reports that knows jansson. */
#include "reports/model/json_tree.h"

#include <math.h>

#include <jansson.h>

#include "base/printable.h"

struct json_t *tree_object(void)
{
    return json_object();
}

struct json_t *tree_array(void)
{
    return json_array();
}

static struct json_t *make_text(struct json_tree *b, const char *text)
{
    return json_string(printable_copy(b->a, text));
}

void tree_free(struct json_t *value)
{
    json_decref(value);
}

/* jansson's setters take a NULL value as failure and say so. */
void tree_put(struct json_tree *b, struct json_t *object, const char *key, struct json_t *value)
{
    if (json_object_set_new(object, key, value) != 0) {
        b->ok = 0;
    }
}

void tree_append(struct json_tree *b, struct json_t *array, struct json_t *value)
{
    if (json_array_append_new(array, value) != 0) {
        b->ok = 0;
    }
}

void tree_put_text(struct json_tree *b, struct json_t *object, const char *key, const char *text)
{
    tree_put(b, object, key, make_text(b, text));
}

void tree_put_count(struct json_tree *b, struct json_t *object, const char *key, uint64_t n)
{
    tree_put_int(b, object, key, n < INT64_MAX ? (int64_t)n : INT64_MAX);
}

void tree_put_int(struct json_tree *b, struct json_t *object, const char *key, int64_t n)
{
    tree_put(b, object, key, json_integer(n));
}

void tree_put_bool(struct json_tree *b, struct json_t *object, const char *key, int is_true)
{
    tree_put(b, object, key, json_boolean(is_true));
}

void tree_put_null(struct json_tree *b, struct json_t *object, const char *key)
{
    tree_put(b, object, key, json_null());
}

void tree_put_real(struct json_tree *b, struct json_t *object, const char *key, double x)
{
    tree_put(b, object, key, isfinite(x) ? json_real(x) : json_null());
}

void tree_put_share(struct json_tree *b, struct json_t *object, const char *key, uint64_t part,
                    uint64_t whole)
{
    tree_put(b, object, key, whole ? json_real((double)part / (double)whole) : json_null());
}

void tree_put_lines(struct json_tree *b, struct json_t *object, const char *key, const char *text)
{
    json_t *const lines = json_array();
    for (const char *line = NULL; (line = printable_take_line(b->a, &text)) != NULL;) {
        tree_append(b, lines, json_string(line));
    }
    tree_put(b, object, key, lines);
}

enum res tree_print(struct json_tree *b, struct json_t *root, FILE *f, struct err *e)
{
    enum res r = RES_OK;
    if (!b->ok) {
        r = err_set(e, RES_NOMEM, "report: no memory for its JSON");
    } else if (json_dumpf(root, f, JSON_INDENT(1)) != 0 || fputc('\n', f) == EOF) {
        r = err_set(e, RES_IO, "report: writing the JSON stopped");
    }
    json_decref(root);
    return r;
}
