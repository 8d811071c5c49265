/* reports/audit/audit_json.c -- an audit as one JSON object, and back. */
#include "reports/audit/audit_json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/format.h"
#include "base/func_row.h"
#include "fuzz/io/json.h"
#include "reports/audit/audit_column.h"
#include "reports/audit/audit_view.h"

/*
 * {"format": 2, "target", "facts", "started", "mpfr_version", "tool_version",
 *   "stopped", "spent", "rows": [...]}
 * row: {"function", "type", "depth", "inputs", "done", "skipped", "seconds", "device_seconds",
 *       "judge_seconds", "evaluator", "problem", "forms": [...]}
 * form: {"name", "op", "decorated", "max_error", "refused", "log", of a math library "operations", "hardware",
 *        "documented_ulp", "vulkan_bound",
 *        "state", "bound": {"given", "ulp", "absolute", "anything", "rule", "scale"}, "result": {...},
 *        "worst": {"what", "at", "bound_ulp", "error_over_bound", "outside_ulp", "exact"}}; "state" is for others to read
 * result: the counts by name, "sum_error", "histogram", "above", "below", "broken", "special",
 *       "zeros", "plot"
 * Results on the device: [error, 3 arguments, result]; in "special" and "zeros" without the
 * error, in "plot" with the number of the slice before all. Encodings are texts in hex, and so are
 * counts past 2^53; numbers that are not finite are texts: "inf", "-inf", "nan".
 */
enum {
    AUDIT_FORMAT = 2,
    AUDIT_MAX_ROWS = 4096,
    AUDIT_FILE_BYTES = 512 << 20,
    AUDIT_READ_BYTES = 1 << 30 /* the file, besides jansson's own copy */
};

static const char *const case_names[AUDIT_CASE_N] = {[AUDIT_CASE_NONE] = "none",
                                                     [AUDIT_CASE_LARGEST] = "largest",
                                                     [AUDIT_CASE_BOUND] = "bound",
                                                     [AUDIT_CASE_SPECIAL] = "special",
                                                     [AUDIT_CASE_ZERO] = "zero"};

/* --- out --- */

static const char *name_infinite(double x)
{
    return x > 0 ? "inf" : x < 0 ? "-inf" : "nan";
}

static void put_real(struct json *o, const char *key, double x)
{
    if (isfinite(x)) {
        json_put_real(o, key, x);
    } else {
        json_put_text(o, key, name_infinite(x));
    }
}

static void push_real(struct json *array, double x)
{
    if (isfinite(x)) {
        json_push_real(array, x);
    } else {
        json_push_text(array, name_infinite(x));
    }
}

static void push_hex(struct json *array, uint64_t n)
{
    char text[32];
    (void)snprintf(text, sizeof text, "0x%" PRIx64, n);
    json_push_text(array, text);
}

static void put_count(struct json *o, const char *key, uint64_t n)
{
    char text[32];
    if (n <= UINT64_C(1) << 53) {
        json_put_number(o, key, n);
        return;
    }
    (void)snprintf(text, sizeof text, "0x%" PRIx64, n);
    json_put_text(o, key, text);
}

static void put_float(struct json *o, const char *key, float x)
{
    put_real(o, key, (double)x);
}

/* A number that older audits lack; 0 is not written. */
static void put_extra(struct json *o, const char *key, double x)
{
    if (x > 0) {
        put_real(o, key, x);
    }
}

/* Likewise a count, and a text. */
static void put_more(struct json *o, const char *key, uint64_t n)
{
    if (n > 0) {
        put_count(o, key, n);
    }
}

static void put_words(struct json *o, const char *key, const char *text)
{
    if (text && text[0]) {
        json_put_text(o, key, text);
    }
}

static void put_mark(struct json *o, const char *key, int is_so)
{
    if (is_so) {
        json_put_bool(o, key, is_so);
    }
}

static void put_hardware(struct json *o, const char *key, enum audit_hardware hardware)
{
    put_words(o, key, audit_hardware_names[hardware]);
}

static void put_func(struct json *o, const char *key, enum func_id func)
{
    json_put_text(o, key, func_rows[func].name);
}

static void put_fmt(struct json *o, const char *key, enum fmt_id fmt)
{
    json_put_text(o, key, float_formats[fmt].name);
}

static void put_depth(struct json *o, const char *key, enum audit_depth depth)
{
    json_put_text(o, key, audit_depth_names[depth]);
}

#define put_u32               json_put_number
#define put_flag              json_put_bool
#define put_text              json_put_text
#define put_log(o, key, text) json_put_text(o, key, audit_cut(a, text))

static void push_count(struct json *array, uint64_t n)
{
    if (n <= UINT64_C(1) << 53) {
        json_push_number(array, n);
    } else {
        push_hex(array, n);
    }
}

static void push_args(struct json *array, const uint64_t *arg, uint64_t got)
{
    for (uint32_t i = 0; i < SWEEP_ARGS; i++) {
        push_hex(array, arg[i]);
    }
    push_hex(array, got);
}

static struct json *make_worst(const struct sweep_worst *w)
{
    struct json *const array = json_new_array();
    push_real(array, w->error);
    push_args(array, w->arg, w->got);
    return array;
}

static int is_blank(const struct sweep_worst *w)
{
    static const struct sweep_worst blank = {.error = 0};
    return memcmp(w, &blank, sizeof blank) == 0;
}

static struct json *make_plot(const struct sweep_result *r)
{
    struct json *const array = json_new_array();
    for (uint32_t i = 0; i < SWEEP_PLOT; i++) {
        if (!is_blank(&r->plot[i])) {
            struct json *const point = json_new_array();
            json_push_number(point, i);
            push_real(point, r->plot[i].error);
            push_args(point, r->plot[i].arg, r->plot[i].got);
            json_push(array, point);
        }
    }
    return array;
}

static struct json *make_list(const uint64_t arg[SWEEP_WORST][SWEEP_ARGS], const uint64_t *got)
{
    struct json *const array = json_new_array();
    for (uint32_t i = 0; i < SWEEP_WORST; i++) {
        struct json *const entry = json_new_array();
        push_args(entry, arg[i], got[i]);
        json_push(array, entry);
    }
    return array;
}

/* The results of a form as JSON: counts, then histogram, worst inputs above and below the exact value and outside the bound, examples of
 * wrong special values and zeros, and the plot. */
static struct json *make_result(const struct sweep_result *r)
{
    struct json *const o = json_new_object();
    struct json *const histogram = json_new_array();
    struct json *const broken = json_new_array();
#define JSON_RESULT(kind, key, field) put_##kind(o, key, r->field);
#include "reports/audit/audit_columns.def"
    for (uint32_t i = 0; i < SWEEP_BINS; i++) {
        push_count(histogram, r->histogram[i]);
    }
    for (uint32_t i = 0; i < SWEEP_WORST; i++) {
        json_push(broken, make_worst(&r->broken[i]));
    }
    put_real(o, "sum_error", r->sum_error);
    json_put(o, "histogram", histogram);
    json_put(o, "above", make_worst(&r->above));
    json_put(o, "below", make_worst(&r->below));
    json_put(o, "broken", broken);
    json_put(o, "special", make_list(r->special_arg, r->special_got));
    json_put(o, "zeros", make_list(r->zero_arg, r->zero_got));
    json_put(o, "plot", make_plot(r));
    return o;
}

/* The result that the form is judged by. */
static struct json *make_case(const struct audit_case *c)
{
    struct json *const o = json_new_object();
    json_put_text(o, "what", case_names[c->kind]);
    json_put(o, "at", make_worst(&c->worst));
#define JSON_CASE(kind, key, field) put_##kind(o, key, c->field);
#include "reports/audit/audit_columns.def"
    json_put_text(o, "exact", audit_exact_text(c));
    return o;
}

/* A form of a row as JSON: what it is, its bound, and its results. `rule` is there where the bound depends on
 * the arguments. */
static struct json *make_form(const struct audit_row *row, uint32_t i, struct arena *a)
{
    const struct audit_form *const form = &row->form[i];
    const struct audit_bound *const b = &row->bound[i];
    struct json *const o = json_new_object();
    struct json *const bound = json_new_object();
#define JSON_FORM(kind, key, field)  put_##kind(o, key, form->field);
#define JSON_BOUND(kind, key, field) put_##kind(bound, key, b->field);
#include "reports/audit/audit_columns.def"
    if (b->rule) {
        json_put_text(bound, "rule", b->rule);
        put_real(bound, "scale", b->scale);
    }
    json_put_text(o, "state", audit_states[audit_get_state(row, i)].word);
    json_put(o, "bound", bound);
    json_put(o, "result", make_result(&row->result[i]));
    json_put(o, "worst", make_case(&row->found[i]));
    return o;
}

/* A row, a function on a type, as JSON, with its forms. */
static struct json *make_row(const struct audit_row *row, struct arena *a)
{
    struct json *const o = json_new_object();
    struct json *const forms = json_new_array();
#define JSON_ROW(kind, key, field) put_##kind(o, key, row->field);
#include "reports/audit/audit_columns.def"
    for (uint32_t i = 0; i < row->n_forms; i++) {
        json_push(forms, make_form(row, i, a));
    }
    json_put(o, "forms", forms);
    return o;
}

/* Write an audit as JSON, from which audit_load reads it again. Texts of a row are in the arena only while it
 * is made. */
enum res audit_write_json(const struct audit *x, struct arena *a, FILE *f, struct err *e)
{
    struct json *const o = json_new_object();
    struct json *const rows = json_new_array();
    json_put_number(o, "format", AUDIT_FORMAT);
    json_put_text(o, "target", x->target);
    json_put_text(o, "facts", x->facts);
    json_put_text(o, "started", x->started);
    json_put_text(o, "mpfr_version", x->mpfr);
    json_put_text(o, "tool_version", x->tool_version);
    json_put_bool(o, "stopped", x->was_stopped);
    json_put_bool(o, "spent", x->was_spent);
    for (uint32_t i = 0; i < x->n_rows; i++) {
        struct arena_mark const mark = arena_get_mark(a);
        json_push(rows, make_row(&x->rows[i], a));
        arena_release(a, mark);
    }
    json_put(o, "rows", rows);
    enum res const r = json_print(o, JSON_LINE, f, e);
    json_free(o);
    return r;
}

/* --- in --- */

/* Where we are; `res` stays at the first thing that is wrong. */
struct source {
    const char *path;
    uint32_t row, form;
    enum res res;
    struct err *e;
    struct arena *a;
};

static void complain(struct source *s, const char *key)
{
    if (s->res == RES_OK) {
        s->res = err_set(s->e, RES_FORMAT,
                         "%s: row %" PRIu32 ", form %" PRIu32 ": \"%s\" is missing or wrong",
                         s->path, s->row, s->form, key);
    }
}

static int as_count(const struct json *j, uint64_t *out)
{
    const char *const text = json_as_text(j);
    if (!text) {
        return json_as_number(j, UINT64_C(1) << 53, out);
    }
    size_t const n = strlen(text);
    *out = strtoull(text, NULL, 16);
    return n > 2 && n <= 18 && text[0] == '0' && text[1] == 'x' &&
           strspn(text + 2, "0123456789abcdef") == n - 2;
}

static int as_real(const struct json *j, double *out)
{
    char *end = NULL;
    const char *const text = json_as_text(j);
    if (!text) {
        return json_as_real(j, out);
    }
    *out = strtod(text, &end);
    return end != text && !*end;
}

static uint64_t take_count(struct source *s, const struct json *o, const char *key)
{
    uint64_t n = 0;
    if (!as_count(json_find(o, key), &n)) {
        complain(s, key);
    }
    return n;
}

static double take_real(struct source *s, const struct json *o, const char *key)
{
    double x = 0;
    if (!as_real(json_find(o, key), &x)) {
        complain(s, key);
    }
    return x;
}

static double take_extra(struct source *s, const struct json *o, const char *key)
{
    return json_find(o, key) ? take_real(s, o, key) : 0;
}

static const char *take_text(struct source *s, const struct json *o, const char *key)
{
    const char *const text = json_as_text(json_find(o, key));
    if (!text) {
        complain(s, key);
        return "";
    }
    const char *const copy = arena_copy(s->a, text, strlen(text));
    if (!copy && s->res == RES_OK) {
        s->res = err_set(s->e, RES_NOMEM, "%s: arena full", s->path);
    }
    return copy ? copy : "";
}

static uint64_t take_more(struct source *s, const struct json *o, const char *key)
{
    return json_find(o, key) ? take_count(s, o, key) : 0;
}

static const char *take_words(struct source *s, const struct json *o, const char *key)
{
    return json_find(o, key) ? take_text(s, o, key) : "";
}

/* Index of a text in a table of names; 0 and a complaint where it is not there. */
static unsigned take_name(struct source *s, const struct json *o, const char *key,
                          const char *const *names, unsigned n)
{
    const char *const name = take_text(s, o, key);
    for (unsigned i = 0; i < n; i++) {
        if (strcmp(name, names[i]) == 0) {
            return i;
        }
    }
    complain(s, key);
    return 0;
}

static uint32_t take_u32(struct source *s, const struct json *o, const char *key)
{
    uint64_t const n = take_count(s, o, key);
    if (n > UINT32_MAX) {
        complain(s, key);
    }
    return (uint32_t)n;
}

static float take_float(struct source *s, const struct json *o, const char *key)
{
    return (float)take_real(s, o, key);
}

static int take_flag(struct source *s, const struct json *o, const char *key)
{
    (void)s;
    return json_as_bool(json_find(o, key));
}

static enum func_id take_func(struct source *s, const struct json *o, const char *key)
{
    const char *names[FUNC_N];
    for (int i = 0; i < FUNC_N; i++) {
        names[i] = func_rows[i].name;
    }
    return (enum func_id)take_name(s, o, key, names, FUNC_N);
}

static enum fmt_id take_fmt(struct source *s, const struct json *o, const char *key)
{
    const char *names[FMT_N];
    for (int i = 0; i < FMT_N; i++) {
        names[i] = float_formats[i].name;
    }
    return (enum fmt_id)take_name(s, o, key, names, FMT_N);
}

static enum audit_hardware take_hardware(struct source *s, const struct json *o, const char *key)
{
    return json_find(o, key)
               ? (enum audit_hardware)take_name(s, o, key, audit_hardware_names, AUDIT_HARDWARE_N)
               : HARDWARE_NONE;
}

static enum audit_depth take_depth(struct source *s, const struct json *o, const char *key)
{
    return (enum audit_depth)take_name(s, o, key, audit_depth_names, ARRAY_N(audit_depth_names));
}

#define take_log  take_text
#define take_mark take_flag

/* Exactly n entries, counted from entry `from`, as encodings. */
static void take_hex(struct source *s, const struct json *array, size_t from, uint64_t *out,
                     size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (json_get_count(array) != from + n ||
            !as_count(json_get_item(array, from + i), &out[i])) {
            complain(s, "[arguments, result]");
            return;
        }
    }
}

static void take_worst(struct source *s, const struct json *array, size_t from,
                       struct sweep_worst *out)
{
    uint64_t enc[SWEEP_ARGS + 1] = {0};
    if (!as_real(json_get_item(array, from), &out->error)) {
        complain(s, "error");
    }
    take_hex(s, array, from + 1, enc, ARRAY_N(enc));
    memcpy(out->arg, enc, sizeof out->arg);
    out->got = enc[SWEEP_ARGS];
}

static void take_list(struct source *s, const struct json *array,
                      uint64_t arg[SWEEP_WORST][SWEEP_ARGS], uint64_t *got)
{
    for (uint32_t i = 0; i < SWEEP_WORST; i++) {
        uint64_t enc[SWEEP_ARGS + 1] = {0};
        take_hex(s, json_get_item(array, i), 0, enc, ARRAY_N(enc));
        memcpy(arg[i], enc, sizeof arg[i]);
        got[i] = enc[SWEEP_ARGS];
    }
}

static void take_plot(struct source *s, const struct json *array, struct sweep_result *r)
{
    for (size_t i = 0; i < json_get_count(array); i++) {
        const struct json *const point = json_get_item(array, i);
        uint64_t slice = 0;
        if (!json_as_number(json_get_item(point, 0), SWEEP_PLOT - 1, &slice)) {
            complain(s, "plot");
            return;
        }
        take_worst(s, point, 1, &r->plot[slice]);
    }
}

/* Read what make_result wrote. What is missing or wrong is complained about in `s`, which keeps the first
 * complaint. */
static void take_result(struct source *s, const struct json *o, struct sweep_result *r)
{
    const struct json *const histogram = json_find(o, "histogram");
    const struct json *const broken = json_find(o, "broken");
#define JSON_RESULT(kind, key, field) r->field = take_##kind(s, o, key);
#include "reports/audit/audit_columns.def"
    for (uint32_t i = 0; i < SWEEP_BINS; i++) {
        if (!as_count(json_get_item(histogram, i), &r->histogram[i])) {
            complain(s, "histogram");
        }
    }
    for (uint32_t i = 0; i < SWEEP_WORST; i++) {
        take_worst(s, json_get_item(broken, i), 0, &r->broken[i]);
    }
    r->sum_error = take_real(s, o, "sum_error");
    take_worst(s, json_find(o, "above"), 0, &r->above);
    take_worst(s, json_find(o, "below"), 0, &r->below);
    take_list(s, json_find(o, "special"), r->special_arg, r->special_got);
    take_list(s, json_find(o, "zeros"), r->zero_arg, r->zero_got);
    take_plot(s, json_find(o, "plot"), r);
}

/* Read what make_case wrote; earlier audits have none. */
static void take_case(struct source *s, const struct json *o, struct audit_case *c)
{
    if (!o) {
        return;
    }
    c->kind = (enum audit_case_kind)take_name(s, o, "what", case_names, AUDIT_CASE_N);
    take_worst(s, json_find(o, "at"), 0, &c->worst);
#define JSON_CASE(kind, key, field) c->field = take_##kind(s, o, key);
#include "reports/audit/audit_columns.def"
    c->exact = take_text(s, o, "exact");
}

/* Read what make_form wrote, as form i of the row. */
static void take_form(struct source *s, const struct json *o, struct audit_row *row, uint32_t i)
{
    struct audit_form *const form = &row->form[i];
    struct audit_bound *const b = &row->bound[i];
    const struct json *const bound = json_find(o, "bound");
#define JSON_FORM(kind, key, field)  form->field = take_##kind(s, o, key);
#define JSON_BOUND(kind, key, field) b->field = take_##kind(s, bound, key);
#include "reports/audit/audit_columns.def"
    if (json_find(bound, "rule")) {
        b->rule = take_text(s, bound, "rule");
        b->scale = take_real(s, bound, "scale");
    }
    take_result(s, json_find(o, "result"), &row->result[i]);
    take_case(s, json_find(o, "worst"), &row->found[i]);
}

/* Read what make_row wrote, a row that anybody may have made: names must be known, forms not too many. */
static void take_row(struct source *s, const struct json *o, struct audit_row *row)
{
    const struct json *const forms = json_find(o, "forms");
    size_t const n_forms = json_get_count(forms);
#define JSON_ROW(kind, key, field) row->field = take_##kind(s, o, key);
#include "reports/audit/audit_columns.def"
    if (n_forms > SWEEP_MAX_FORMS) {
        complain(s, "forms");
        return;
    }
    row->n_forms = (uint32_t)n_forms;
    for (uint32_t i = 0; i < row->n_forms; i++) {
        s->form = i;
        take_form(s, json_get_item(forms, i), row, i);
    }
}

/* Read what audit_write_json wrote. RES_FORMAT: another format, or something in it is wrong. s->res and s->e hold
 * the first error; the readers below do nothing after it. Messages name the row s->row. */
static enum res take_audit(struct source *s, const struct json *o, struct audit *x)
{
    const struct json *const rows = json_find(o, "rows");
    size_t const n_rows = json_get_count(rows);
    uint64_t format = 0;
    if (!json_as_number(json_find(o, "format"), AUDIT_FORMAT, &format) || format != AUDIT_FORMAT) {
        return err_set(s->e, RES_FORMAT, "%s: not an audit of format %d", s->path, AUDIT_FORMAT);
    }
    if (n_rows > AUDIT_MAX_ROWS) {
        return err_set(s->e, RES_LIMIT, "%s: %zu rows are too many", s->path, n_rows);
    }
    x->target = take_text(s, o, "target");
    x->facts = take_text(s, o, "facts");
    x->started = take_text(s, o, "started");
    x->mpfr = take_text(s, o, "mpfr_version");
    x->tool_version = take_text(s, o, "tool_version");
    x->was_stopped = json_as_bool(json_find(o, "stopped"));
    x->was_spent = json_as_bool(json_find(o, "spent"));
    x->n_rows = (uint32_t)n_rows;
    x->rows = ARENA_NEW(s->a, struct audit_row, n_rows);
    if (!x->rows) {
        return err_set(s->e, RES_NOMEM, "%s: arena full: %zu rows", s->path, n_rows);
    }
    for (uint32_t i = 0; i < x->n_rows && s->res == RES_OK; i++) {
        s->row = i;
        take_row(s, json_get_item(rows, i), &x->rows[i]);
    }
    audit_find_erring(x);
    return s->res;
}

enum res audit_parse(struct audit *x, const char *name, const void *p, size_t n, struct arena *a,
                     struct err *e)
{
    struct json *o = NULL;
    struct source s = {.path = name, .res = RES_OK, .e = e, .a = a};
    *x = (struct audit){.n_rows = 0};
    enum res r = json_parse(&o, name, p, n, e);
    if (r == RES_OK) {
        r = take_audit(&s, o, x);
    }
    json_free(o);
    return r;
}

enum res audit_load(struct audit *x, const char *path, struct arena *a, struct err *e)
{
    const unsigned char *p = NULL;
    size_t n = 0;
    struct arena own;
    arena_init(&own, AUDIT_READ_BYTES);
    enum res r = file_read(path, AUDIT_FILE_BYTES, &own, &p, &n, e);
    if (r == RES_OK) {
        r = audit_parse(x, path, p, n, a, e);
    }
    arena_free(&own);
    return r;
}
