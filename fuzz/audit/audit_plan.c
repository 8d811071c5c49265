/* fuzz/audit/audit_plan.c -- which functions, types and forms an audit runs, and what each must keep. */
#include "fuzz/audit/audit_plan.h"

#include <assert.h>
#include <string.h>

#include "base/caps.h"
#include "base/format.h"
#include "base/func_row.h"
#include "base/ops.h"
#include "fuzz/audit/audit_library.h"
#include "fuzz/io/shard.h"
#include "gen/case/gen.h"
#include "gen/emit/audit_module.h"
#include "oracle/math/accuracy.h"
#include "oracle/math/accuracy_permitted.h"
#include "oracle/sweep/sweep.h"

enum {
    PLAN_NAME_BYTES = 64,
    PLAN_UNIT_INPUTS = 4096, /* shards have whole ones: all f16, as whole pieces of what judges */
    CONFIG_DENORM = 1,       /* cl_device_fp_config */
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
    bool const keeps_subnormals = (config & CONFIG_DENORM) || fmt == FMT_F64;
    r.flush_in = r.flush_out = keeps_subnormals ? FLUSH_NEVER : FLUSH_MAY;
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

static const char *list_functions(struct arena *a)
{
    const char *text = "";
    for (int i = 0; i < FUNC_N; i++) {
        text = arena_printf(a, "%s%s%s", text, text[0] ? " " : "", func_rows[i].name);
    }
    return text;
}

/* RES_OK: the request's list is "all" or at least one name, and every word between its commas is a function.
 * Else the error lists the functions that there are. */
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
        if (func_find(word) < 0) {
            return err_set_list(e, RES_USAGE, list_functions(a),
                                "unknown function \"%s\"; accepted names: ", word);
        }
        list += n + (list[n] == ',');
    }
    return r->functions[0] ? RES_OK
                           : err_set_list(e, RES_USAGE, list_functions(a),
                                          "no function is given; accepted names: ");
}

/* --- forms --- */

const char *const audit_form_names[AUDIT_FORM_N] = {"full", "half", "native", "decorated"};

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

/* The bound that a formula such as 3 + 2|x| gives for any arguments at least: what it gives at 0, where the
 * part that depends on them is nothing. A formula that gives no bound at 0 counts as 0 ulp here. */
static struct func_bound get_least(const struct accuracy *x)
{
    struct func_args const one = {.fmt = x->query.fmt}; /* both 0: what a formula adds is nothing */
    struct func_bound const none = {.ulp = 0};
    struct func_bound const b = accuracy_bound(x, &one);
    return b.anything ? none : b;
}

/* Does accuracy_permitted permit more than the bound: half_ functions may flush, the common maximum
 * is undefined for what is no number, Vulkan has texts of its own. */
static int has_rule(const struct accuracy *x)
{
    const char *const name = op_rows[op_find_number(x->query.op)].name;
    return x->kind == ACCURACY_FORMULA || x->kind == ACCURACY_INHERITED ||
           (!x->is_decorated && x->query.env == ENV_VK) ||
           (!x->is_decorated && (strncmp(name, "half_", 5) == 0 || strstr(name, "_common")));
}

/* What a sweep checks of one form of a function (an instruction, with or without a decoration). has_bound:
 * `bound` limits the error of every result. has_rule: results beyond it are asked about once more, with their
 * arguments, as the rule may permit them. Of an instruction that no specification bounds (ACCURACY_NONE) the
 * error is recorded and nothing is checked. */
static struct sweep_form make_form(const struct accuracy *x)
{
    struct sweep_form f = {.bound = x->bound, .has_rule = has_rule(x), .rule = *x};
    switch (x->kind) {
    case ACCURACY_ULP:
    case ACCURACY_ABSOLUTE:
        f.has_bound = 1;
        break;
    case ACCURACY_ROUNDED:
    case ACCURACY_EXACT:
        f.bound = (struct func_bound){0}; /* the correctly rounded result alone */
        f.has_bound = 1;
        break;
    case ACCURACY_ANYTHING:
        f.bound = (struct func_bound){.anything = 1}; /* special values included */
        f.has_bound = 1;
        break;
    case ACCURACY_FORMULA: /* within this any result is right; beyond, the rule works out the formula */
        f.bound = get_least(x);
        f.has_bound = 1;
        break;
    case ACCURACY_INHERITED: /* x->bound stands; beyond it the rule asks the expression it inherits from */
        f.has_bound = 1;
        break;
    case ACCURACY_NONE: /* has_bound stays 0: nothing is checked */
        f.bound = (struct func_bound){0};
        break;
    }
    return f;
}

/* The rule of a form on a type. */
static struct accuracy get_rule(const struct audit_form *form, enum env env, enum fmt_id fmt)
{
    struct accuracy_query const q = {
        .env = env, .op = form->op, .fmt = fmt, .full_profile = 1, .n_components = 1};
    uint32_t bits = 0;
    memcpy(&bits, &form->max_error, sizeof bits);
    return form->is_decorated ? accuracy_decorated(&q, bits) : accuracy_get(&q);
}

struct sweep_form audit_get_form(const struct audit_row *row, uint32_t i, enum env env)
{
    struct accuracy const rule = get_rule(&row->form[i], env, row->fmt);
    return make_form(&rule);
}

/* A form with what it must keep, in words. */
static void add_form(struct audit_row *row, struct audit_form form, const struct accuracy *rule)
{
    if (row->n_forms < SWEEP_MAX_FORMS) {
        struct sweep_form const f = make_form(rule);
        row->form[row->n_forms] = form;
        row->bound[row->n_forms] =
            (struct audit_bound){.has_bound = f.has_bound,
                                 .bound = f.bound,
                                 .rule = f.has_rule ? rule->note ? rule->note : "" : NULL,
                                 .scale = rule->scale};
        row->n_forms++;
    }
}

/* The full form once more for each bound of the request, as a decoration. */
static void add_decorated(const struct plan *p, struct audit_row *row)
{
    uint32_t const n_plain = row->n_forms;
    for (uint32_t i = 0; i < n_plain; i++) {
        if (strcmp(row->form[i].name, "full") != 0) {
            continue;
        }
        for (uint32_t k = 0; k < p->r->n_bounds; k++) {
            double const value = (double)p->r->bounds[k];
            struct audit_form const form = {.name = arena_printf(p->a, "max-error %.9g", value),
                                            .op = row->form[i].op,
                                            .is_decorated = 1,
                                            .max_error = p->r->bounds[k],
                                            .log = ""};
            struct accuracy const rule = get_rule(&form, p->env, row->fmt);
            add_form(row, form, &rule);
        }
    }
}

/* Does a kernel of one scalar result compute this row? Not Vulkan's with a pointer or a struct, nor what needs a
 * capability of its own. */
static int is_plain(const struct op_row *op)
{
    static const char *const not_plain[] = {
        "Modf", "ModfStruct", "Frexp",         "FrexpStruct",       "ilogb",
        "nan",  "Dot",        "QuantizeToF16", "VectorTimesScalar", "FmaKHR"};
    for (size_t i = 0; i < ARRAY_N(not_plain); i++) {
        if (strcmp(op->name, not_plain[i]) == 0) {
            return 0;
        }
    }
    uint32_t const set = op->number >> 16;
    return set == OP_SET_core || set == OP_SET_opencl_std || set == OP_SET_glsl450;
}

static enum audit_form_kind get_kind(const struct audit_form *form)
{
    if (form->is_decorated) {
        return AUDIT_FORM_DECORATED;
    }
    if (strcmp(form->name, "half") == 0) {
        return AUDIT_FORM_HALF;
    }
    return strcmp(form->name, "native") == 0 ? AUDIT_FORM_NATIVE : AUDIT_FORM_FULL;
}

/* Vulkan's bound of the function on the type, in words; "": it has no instruction for it. */
static const char *describe_vulkan(const struct audit_row *row, struct arena *a)
{
    for (int i = 0; i < OP_N; i++) {
        const struct op_row *const op = &op_rows[i];
        struct audit_form const form = {.op = op->number};
        struct accuracy const x = get_rule(&form, ENV_VK, row->fmt);
        if (!(op->envs & OP_VK) || x.func != row->func || !is_plain(op)) {
            continue;
        }
        if (x.note && x.note[0]) {
            return x.note;
        }
        switch (x.kind) {
        case ACCURACY_ULP:
            return arena_printf(a, "%.6g ulp", x.bound.ulp);
        case ACCURACY_ABSOLUTE:
            return arena_printf(a, "%.3g absolute", x.bound.absolute);
        case ACCURACY_ROUNDED:
            return "correctly rounded";
        case ACCURACY_EXACT:
            return "exact";
        case ACCURACY_ANYTHING:
            return "none";
        case ACCURACY_NONE:
            return "";
        case ACCURACY_FORMULA:
        case ACCURACY_INHERITED:
            return "by a formula";
        }
        assert(0 && "accuracy_kind out of range");
    }
    return "";
}

/* Of a math library: leave out the forms that it lacks, and note what its facts say of the others. */
static void describe_library(const struct plan *p, struct audit_row *row)
{
    uint32_t n = 0;
    const char *const vulkan = describe_vulkan(row, p->a);
    for (uint32_t i = 0; i < row->n_forms; i++) {
        struct audit_form *const form = &row->form[i];
        struct audit_library x;
        const char *const name = op_rows[op_find_number(form->op)].name;
        if (!audit_library_find(p->facts, name, row->fmt, p->a, &x)) {
            continue;
        }
        form->operations = x.hardware[0] ? x.hardware : "none";
        form->hardware = x.hardware[0] ? HARDWARE_ROUNDED : HARDWARE_NONE;
        form->has_documented = x.has_documented;
        form->documented = x.documented;
        form->vulkan = vulkan;
        row->form[n] = *form;
        row->bound[n++] = row->bound[i];
    }
    row->n_forms = n;
}

/* Replaces the forms of a row: each form with hardware instructions becomes one form for each way in which these may err. */
static void take_hardware(const struct plan *p, struct audit_row *row)
{
    struct audit_form form[SWEEP_MAX_FORMS];
    struct audit_bound bound[SWEEP_MAX_FORMS];
    uint32_t const n = row->n_forms;
    memcpy(form, row->form, sizeof form);
    memcpy(bound, row->bound, sizeof bound);
    row->n_forms = 0;
    for (uint32_t i = 0; i < n; i++) {
        for (int k = HARDWARE_LOW; form[i].hardware == HARDWARE_ROUNDED && k <= HARDWARE_RANDOM &&
                                   row->n_forms < SWEEP_MAX_FORMS;
             k++) {
            struct audit_form *const to = &row->form[row->n_forms];
            *to = form[i];
            to->hardware = (enum audit_hardware)k;
            to->name = arena_printf(p->a, "%s+%s", form[i].name, audit_hardware_names[k]);
            row->bound[row->n_forms++] = bound[i];
        }
    }
}

/* Keep the forms of the kinds that are asked for. It is done last, for decorated forms are made from full ones. */
static void leave_forms(const struct plan *p, struct audit_row *row)
{
    unsigned const kinds = p->r->forms; /* bit per enum audit_form_kind */
    uint32_t n = 0;
    if (kinds == 0) {
        return;
    }
    for (uint32_t i = 0; i < row->n_forms; i++) {
        if (kinds >> get_kind(&row->form[i]) & 1) {
            row->form[n] = row->form[i];
            row->bound[n++] = row->bound[i];
        }
    }
    row->n_forms = n;
}

/* Every instruction that computes the row's function on its type, plain and, of the full ones, decorated. errs: of a math library,
 * with a hardware that errs. */
static void find_forms(const struct plan *p, bool errs, struct audit_row *row)
{
    unsigned const env = p->env == ENV_CL ? OP_CL : OP_VK;
    static const unsigned types[FMT_N] = {TYPE_F16, TYPE_F32, TYPE_F64};
    for (int i = 0; i < OP_N; i++) {
        const struct op_row *const op = &op_rows[i];
        if (!(op->envs & env) || !(op->types & types[row->fmt]) || !is_plain(op)) {
            continue;
        }
        struct audit_form form = {.op = op->number, .log = ""};
        struct accuracy const rule = get_rule(&form, p->env, row->fmt);
        if (rule.func == row->func) {
            form.name = name_form(row, op->name);
            add_form(row, form, &rule);
        }
    }
    add_decorated(p, row);
    leave_forms(p, row);
    if (audit_library_is_one(p->facts)) {
        describe_library(p, row);
    }
    if (errs) {
        take_hardware(p, row);
    }
}

/* Is a bound one that only MPFR can tell, for most results? */
static bool has_slow_rule(const struct plan *p, const struct audit_row *row)
{
    for (uint32_t i = 0; p->env == ENV_VK && i < row->n_forms; i++) {
        if (get_rule(&row->form[i], p->env, row->fmt).kind == ACCURACY_INHERITED) {
            return true;
        }
    }
    return false;
}

/* Every input, or a search: of functions of one argument f16 is always tried whole, f32 as far as the request goes.
 * What a hardware that errs may give is searched: no number of inputs would make it an upper limit. */
static void set_depth(const struct plan *p, struct audit_row *row, bool is_certified, bool errs)
{
    const struct audit_request *const r = p->r;
    const struct func_row *const f = &func_rows[row->func];
    bool const is_single = f->n_args == 1 && !f->has_int;
    bool const is_quick = is_certified && !has_slow_rule(p, row);
    bool const is_swept =
        r->reach == AUDIT_REACH_ALL || (r->reach == AUDIT_REACH_CERTIFIED && is_quick);
    bool const is_all =
        is_single && (row->fmt == FMT_F16 || (row->fmt == FMT_F32 && is_swept && !errs));
    row->depth = is_all ? AUDIT_EXHAUSTIVE : AUDIT_SEARCH;
    row->n_inputs = is_all ? UINT64_C(1) << float_formats[row->fmt].n_bits : r->n_samples;
}

const char *audit_name_subject(const struct audit_row *row, struct arena *a)
{
    return arena_printf(a, "%s %s", func_rows[row->func].name, float_formats[row->fmt].name);
}

const char *audit_name_tool(struct shard shard, struct arena *a)
{
    char text[SHARD_TEXT_BYTES];
    return arena_printf(a, "halfulp, generator %d%s%s", GEN_VERSION, shard.n ? ", shard " : "",
                        shard_print(shard, text));
}

const char *audit_name_row(const struct audit_row *row, const struct audit_request *r,
                           struct arena *a)
{
    const char *text = audit_name_subject(row, a);
    if (row->depth == AUDIT_SEARCH) {
        text = arena_printf(a, "%s %llu samples seed %llu", text, (unsigned long long)row->n_inputs,
                            (unsigned long long)r->seed);
    }
    if (row->depth == AUDIT_SEARCH && row->listed) {
        text = arena_printf(a, "%s listed %llx", text, (unsigned long long)row->listed);
    }
    for (uint32_t i = 0; i < row->n_forms; i++) {
        text = arena_printf(a, "%s, %s %u", text, row->form[i].name, (unsigned)row->form[i].op);
    }
    return text;
}

enum {
    PLAN_PARTS = 2 /* rows of a function on a type: its own, and with a hardware that errs */
};

/* Make row i of all rows that there could be: part i % PLAN_PARTS, then type, then function. False: the request does
 * not want it, the target does not list what it needs, or no instruction gives this function there. */
static bool make_row(const struct plan *p, int i, struct audit_row *row)
{
    int is_certified = 0;
    bool const is_all = strcmp(p->r->functions, "all") == 0;
    bool const errs = i % PLAN_PARTS != 0;
    *row = (struct audit_row){.func = (enum func_id)(i / PLAN_PARTS / FMT_N),
                              .fmt = (enum fmt_id)(i / PLAN_PARTS % FMT_N),
                              .evaluator = "",
                              .problem = ""};
    struct needs const needs = audit_module_needs(p->env, row->fmt);
    bool const is_wanted = is_all || has_word(p->r->functions, func_rows[row->func].name);
    if (errs && !audit_library_is_one(p->facts)) {
        return false;
    }
    if (!is_wanted || !(p->r->types >> row->fmt & 1) || facts_first_unmet(p->facts, &needs) >= 0) {
        return false;
    }
    find_forms(p, errs, row);
    row->evaluator = sweep_get_evaluator(row->func, row->fmt, &is_certified);
    /* An evaluator is for one argument. */
    if (func_rows[row->func].n_args > 1 || func_rows[row->func].has_int) {
        row->evaluator = "mpfr";
    }
    set_depth(p, row, is_certified, errs);
    return row->n_forms > 0;
}

/* The shard's part of a row, which is the `number`-th of the audit: of one that tries every input a range of these, of a
 * search, whose later inputs depend on what the earlier ones showed, all or nothing. False: nothing. */
static bool take_part(struct shard s, uint32_t number, struct audit_row *row)
{
    if (s.n == 0) {
        return true;
    }
    if (row->depth == AUDIT_SEARCH) {
        return number % s.n == s.index;
    }
    uint64_t const n_units = row->n_inputs / PLAN_UNIT_INPUTS;
    uint64_t const first = n_units * s.index / s.n, end = n_units * (s.index + UINT64_C(1)) / s.n;
    row->first = first * PLAN_UNIT_INPUTS;
    row->n_inputs = (end - first) * PLAN_UNIT_INPUTS;
    return end > first;
}

/* Rows of which the shard has nothing are left out. There may be none left. */
static void leave_part(struct shard s, struct audit *x)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < x->n_rows; i++) {
        if (!take_part(s, i, &x->rows[i])) {
            continue;
        }
        if (n != i) {
            x->rows[n] = x->rows[i];
        }
        n++;
    }
    x->n_rows = n;
}

/* The rows of an audit, into *out: each function on each type that the request wants and that these facts
 * allow. RES_USAGE: an unknown function, or no row at all. */
enum res audit_plan(const struct audit_request *r, enum env env, const char *facts, struct arena *a,
                    struct audit *out, struct err *e)
{
    struct plan const p = {r, env, facts, a};
    int const n_possible = FUNC_N * FMT_N * PLAN_PARTS;
    uint32_t n = 0;
    TRY(check_functions(r, a, e));
    /* Rows are large: they are made twice, the first time to count them. */
    struct audit_row *const counted = ARENA_NEW(a, struct audit_row, 1);
    for (int i = 0; i < n_possible && counted; i++) {
        n += make_row(&p, i, counted); /* 0: no row of this audit */
    }
    out->rows = counted ? ARENA_NEW(a, struct audit_row, n) : NULL;
    out->n_rows = 0;
    if (!out->rows) {
        return err_set(e, RES_NOMEM, "no room for %u rows", n);
    }
    for (int i = 0; i < n_possible && out->n_rows < n; i++) {
        out->n_rows += make_row(&p, i, &out->rows[out->n_rows]);
    }
    if (n == 0) {
        return err_set(e, RES_USAGE,
                       "the target has none of these functions on these types and in these forms");
    }
    leave_part(r->shard, out); /* of a shard: rows without a part in it go */
    return RES_OK;
}
