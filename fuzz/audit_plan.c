/* fuzz/audit_plan.c -- which functions, types and forms an audit runs, and what each must keep. */
#include <string.h>

#include "base/ops.h"
#include "fuzz/audit_parts.h"
#include "gen/audit_module.h"
#include "oracle/accuracy.h"

enum {
    PLAN_NAME_BYTES = 64,
    CONFIG_DENORM = 1, /* cl_device_fp_config */
    CONFIG_ROUND_TO_NEAREST = 4
};

struct fp_rules audit_get_rules(enum env env, enum fmt_id fmt, const char *facts)
{
    static const char *const keys[FMT_N] = {"cl.fp16_config", "cl.fp32_config", "cl.fp64_config"};
    struct fp_rules r = {.rounding = ROUND_RNE};
    if (env == ENV_VK) { /* no mode is declared: V env precision */
        r.rounding = ROUND_EITHER;
        r.flush_in = r.flush_out = FLUSH_MAY;
        r.zero_sign_free = 1;
        r.overflow_lax = 1;
        return r;
    }
    uint64_t const config = facts_number(facts, keys[fmt]);
    int const keeps = (config & CONFIG_DENORM) || fmt == FMT_F64;
    r.flush_in = r.flush_out = keeps ? FLUSH_NEVER : FLUSH_MAY;
    if (fmt == FMT_F16 && !(config & CONFIG_ROUND_TO_NEAREST)) {
        r.rounding = ROUND_RTZ;
    }
    return r;
}

/* --- the list of functions --- */

static int has_word(const char *list, const char *word)
{
    size_t const n = strlen(word);
    while (*list) {
        size_t const n_item = strcspn(list, ",");
        if (n_item == n && strncmp(list, word, n) == 0) {
            return 1;
        }
        list += n_item + (list[n_item] == ',');
    }
    return 0;
}

/* Can a sweep judge it: one or two arguments of one type. */
static int is_auditable(enum func_id func)
{
    return func_rows[func].n_args <= 2 && !func_rows[func].has_int;
}

static const char *list_functions(struct arena *a)
{
    const char *text = "";
    for (int i = 0; i < FUNC_N; i++) {
        if (is_auditable((enum func_id)i)) {
            text = arena_printf(a, "%s%s%s", text, text[0] ? " " : "", func_rows[i].name);
        }
    }
    return text;
}

static enum res check_functions(const struct audit_request *r, struct arena *a, struct err *e)
{
    const char *list = r->functions;
    if (strcmp(list, "all") == 0) {
        return RES_OK;
    }
    while (*list) {
        char word[PLAN_NAME_BYTES];
        size_t const n = strcspn(list, ",");
        size_t const n_copy = n < sizeof word ? n : sizeof word - 1;
        memcpy(word, list, n_copy);
        word[n_copy] = '\0';
        int const func = func_find(word);
        if (func < 0 || !is_auditable((enum func_id)func)) {
            return err_set(e, RES_USAGE, "no function \"%s\"; there is: %s", word,
                           list_functions(a));
        }
        list += n + (list[n] == ',');
    }
    return r->functions[0] ? RES_OK
                           : err_set(e, RES_USAGE, "no function; there is: %s", list_functions(a));
}

/* --- forms --- */

struct plan {
    const struct audit_request *r;
    enum env env;
    const char *facts;
    struct arena *a;
};

/* "half", "native", "full" for the first other one, then the instruction's own name. */
static const char *name_form(const struct audit_row *row, const char *name)
{
    if (strncmp(name, "half_", 5) == 0) {
        return "half";
    }
    if (strncmp(name, "native_", 7) == 0) {
        return "native";
    }
    for (uint32_t i = 0; i < row->n_forms; i++) {
        if (strcmp(row->form[i].name, "full") == 0) {
            return name;
        }
    }
    return "full";
}

/* What a sweep can check for every argument alike. Bounds that depend on the arguments, and
 * instructions without a row, are recorded alone. */
static struct sweep_form make_bound(const struct accuracy *x)
{
    struct sweep_form f = {.bound = x->bound};
    switch (x->kind) {
    case ACCURACY_ULP:
    case ACCURACY_ABSOLUTE:
        f.has_bound = 1;
        break;
    case ACCURACY_ROUNDED:
    case ACCURACY_EXACT:
        f.bound = (struct func_bound){0};
        f.has_bound = 1;
        break;
    case ACCURACY_ANYTHING:
        f.bound = (struct func_bound){.anything = 1}; /* special values included */
        f.has_bound = 1;
        break;
    case ACCURACY_NONE:
    case ACCURACY_FORMULA:
    case ACCURACY_INHERITED:
        f.bound = (struct func_bound){0};
        break;
    }
    return f;
}

static struct accuracy_query make_query(const struct plan *p, uint32_t op, enum fmt_id fmt)
{
    return (struct accuracy_query){
        .env = p->env, .op = op, .fmt = fmt, .full_profile = 1, .n_components = 1};
}

static void add_form(struct audit_row *row, struct audit_form form, struct sweep_form bound)
{
    if (row->n_forms < SWEEP_MAX_FORMS) {
        row->form[row->n_forms] = form;
        row->bound[row->n_forms] = bound;
        row->n_forms++;
    }
}

static void add_decorated(const struct plan *p, struct audit_row *row)
{
    uint32_t const n_plain = row->n_forms;
    for (uint32_t i = 0; i < n_plain; i++) {
        for (uint32_t k = 0; k < p->r->n_bounds; k++) {
            uint32_t bits = 0;
            if (strcmp(row->form[i].name, "full") != 0) {
                continue;
            }
            memcpy(&bits, &p->r->bounds[k], sizeof bits);
            struct accuracy_query const q = make_query(p, row->form[i].op, row->fmt);
            struct accuracy const x = accuracy_decorated(&q, bits);
            double const value = (double)p->r->bounds[k];
            add_form(row,
                     (struct audit_form){.name = arena_printf(p->a, "max-error %.9g", value),
                                         .op = row->form[i].op,
                                         .is_decorated = 1,
                                         .max_error = p->r->bounds[k],
                                         .log = ""},
                     make_bound(&x));
        }
    }
}

/* Does a kernel of one scalar result compute this row? Not Vulkan's with a pointer or a struct. Nor
 * can a sweep tell fmax_common from fmax, whose results for NaN and infinities are defined. */
static int is_plain(const struct op_row *op)
{
    static const char *const not_plain[] = {"Modf",        "ModfStruct", "Frexp", "FrexpStruct",
                                            "ilogb",       "nan",        "Dot",   "QuantizeToF16",
                                            "fmax_common", "fmin_common"};
    for (size_t i = 0; i < ARRAY_N(not_plain); i++) {
        if (strcmp(op->name, not_plain[i]) == 0) {
            return 0;
        }
    }
    uint32_t const set = op->number >> 16;
    return set == OP_SET_core || set == OP_SET_opencl_std || set == OP_SET_glsl450;
}

static void find_forms(const struct plan *p, struct audit_row *row)
{
    unsigned const env = p->env == ENV_CL ? OP_CL : OP_VK;
    static const unsigned types[FMT_N] = {TYPE_F16, TYPE_F32, TYPE_F64};
    for (int i = 0; i < OP_N; i++) {
        const struct op_row *const op = &op_rows[i];
        if (!(op->envs & env) || !(op->types & types[row->fmt]) || !is_plain(op)) {
            continue;
        }
        struct accuracy_query const q = make_query(p, op->number, row->fmt);
        struct accuracy const x = accuracy_get(&q);
        if (x.func == row->func) {
            const char *const name = name_form(row, op->name);
            add_form(row, (struct audit_form){.name = name, .op = op->number, .log = ""},
                     make_bound(&x));
        }
    }
    add_decorated(p, row);
}

static void set_depth(const struct audit_request *r, struct audit_row *row)
{
    const struct func_row *const f = &func_rows[row->func];
    int const is_single = f->n_args == 1 && !f->has_int;
    int const is_all = is_single && (row->fmt == FMT_F16 || (row->fmt == FMT_F32 && r->exhaustive));
    row->depth = is_all ? AUDIT_EXHAUSTIVE : AUDIT_SEARCH;
    row->n_inputs = is_all ? UINT64_C(1) << float_formats[row->fmt].n_bits : r->n_samples;
}

const char *audit_name_row(const struct audit_row *row, const struct audit_request *r,
                           struct arena *a)
{
    const char *text =
        arena_printf(a, "%s %s", func_rows[row->func].name, float_formats[row->fmt].name);
    if (row->depth == AUDIT_SEARCH) {
        text = arena_printf(a, "%s %llu samples seed %llu", text, (unsigned long long)row->n_inputs,
                            (unsigned long long)r->seed);
    }
    for (uint32_t i = 0; i < row->n_forms; i++) {
        text = arena_printf(a, "%s, %s %u", text, row->form[i].name, (unsigned)row->form[i].op);
    }
    return text;
}

/* Row i of all that there could be: 1 when it is wanted and the target has it. */
static int make_row(const struct plan *p, int i, struct audit_row *row)
{
    int is_certified = 0;
    int const is_all = strcmp(p->r->functions, "all") == 0;
    *row = (struct audit_row){.func = (enum func_id)(i / FMT_N),
                              .fmt = (enum fmt_id)(i % FMT_N),
                              .evaluator = "",
                              .problem = ""};
    struct needs const needs = audit_module_needs(p->env, row->fmt);
    int const is_wanted = is_all || has_word(p->r->functions, func_rows[row->func].name);
    if (!is_wanted || !(p->r->types >> row->fmt & 1) || !is_auditable(row->func) ||
        facts_first_unmet(p->facts, &needs) >= 0) {
        return 0;
    }
    find_forms(p, row);
    set_depth(p->r, row);
    row->evaluator = sweep_get_evaluator(row->func, row->fmt, &is_certified);
    return row->n_forms > 0;
}

enum res audit_plan(const struct audit_request *r, enum env env, const char *facts, struct arena *a,
                    struct audit *out, struct err *e)
{
    struct plan const p = {r, env, facts, a};
    enum res const checked = check_functions(r, a, e);
    uint32_t n = 0;
    if (checked != RES_OK) {
        return checked;
    }
    struct audit_row *const row = ARENA_NEW(a, struct audit_row, 1);
    for (int i = 0; i < FUNC_N * FMT_N && row; i++) {
        n += make_row(&p, i, row) ? 1u : 0u;
    }
    out->rows = row ? ARENA_NEW(a, struct audit_row, n) : NULL;
    out->n_rows = 0;
    if (!out->rows) {
        return err_set(e, RES_NOMEM, "no room for %u rows", n);
    }
    for (int i = 0; i < FUNC_N * FMT_N && out->n_rows < n; i++) {
        out->n_rows += make_row(&p, i, &out->rows[out->n_rows]) ? 1u : 0u;
    }
    return n > 0 ? RES_OK
                 : err_set(e, RES_USAGE, "the target has none of these functions on these types");
}
