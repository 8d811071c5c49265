/* fuzz/cli/cmd_audit_bugs.c -- a folder for each form of an audit that breaks its bound: one small kernel that shows it. */
#include "fuzz/cli/cmd_audit_bugs.h"

#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "base/format.h"
#include "base/func_row.h"
#include "base/ops.h"
#include "base/printable.h"
#include "fuzz/audit/audit_case.h"
#include "fuzz/cli/cmd_report_bugs.h"
#include "fuzz/pool/handle.h"
#include "gen/case/gen.h"
#include "gen/emit/audit_module.h"
#include "reports/audit/audit_view.h"

#define BUG_ARENA_BYTES ((size_t)64 << 20)
enum {
    WORD_BYTES = 4,   /* buffers are whole words */
    EXACT_DIGITS = 13 /* of an exact value that is shown */
};
/* Invocations to try, the fewest first: the code for a whole vector may be another one than that for one alone. */
static const uint32_t sizes[] = {1, 16, AUDIT_MODULE_LOCAL};

/* The same encoding for every invocation, little-endian. */
static bool put_buffer(struct testcase *tc, enum fmt_id fmt, uint64_t enc, uint32_t n_items,
                       struct arena *a)
{
    uint32_t const item_bytes = float_formats[fmt].n_bits / 8;
    uint32_t const n_bytes = (n_items * item_bytes + WORD_BYTES - 1) / WORD_BYTES * WORD_BYTES;
    unsigned char *const data = ARENA_NEW(a, unsigned char, n_bytes);
    for (uint32_t i = 0; data && i < n_items; i++) {
        store_le(data + (size_t)i * item_bytes, enc, item_bytes);
    }
    tc->bufs[tc->n_bufs++] = (struct buf){.kind = BUF_STORAGE, .n_bytes = n_bytes, .data = data};
    return data != NULL;
}

/* What the results' buffer holds before: not what was seen there, which would look as if nothing had been stored. */
static uint64_t choose_content(uint64_t got)
{
    return ~got;
}

/* A wrong result of a form, and the number of its folder. */
struct wrong {
    const struct audit *audit;
    const struct target *target;
    const struct audit_row *row;
    uint32_t form;
    int64_t number;
    struct audit_case c;
    /* It is within the specification's bound, but beyond that which the vendor documents: */
    bool is_documented;
    float documented; /* that bound, and half an ulp where it counts from the rounded value */
};

/* The case of a form with the input of its worst result, the same for n_items invocations in one work-group: buffers
 * of the arguments first, then that of the results, as audit_module orders them. A bound that the vendor documents stands in
 * it as a max-error decoration. False: the arena is full. */
static bool make_case(const struct wrong *w, uint32_t n_items, struct testcase *tc, struct arena *a)
{
    const struct audit_row *const row = w->row;
    const struct audit_form *const f = &row->form[w->form];
    enum env const env = w->target->env;
    float const max_error = w->is_documented ? w->documented : f->max_error;
    struct audit_module_form one = {.op = f->op,
                                    .is_decorated = f->is_decorated || w->is_documented};
    struct audit_module const m = {.env = env,
                                   .fmt = row->fmt,
                                   .n_args = func_rows[row->func].n_args,
                                   .has_int = func_rows[row->func].has_int,
                                   .has_inputs = true,
                                   .is_case = true,
                                   .local = n_items,
                                   .n_forms = 1,
                                   .forms = &one};
    memcpy(&one.max_error, &max_error, sizeof one.max_error);
    *tc = (struct testcase){
        .env = env,
        .class = CLASS_LEGAL,
        .profile = "audit",
        .gen_version = GEN_VERSION,
        .source = "",
        .entry = AUDIT_MODULE_ENTRY,
        .build_options = "",
        .local = {n_items, 1, 1},
        .global = {n_items, 1, 1},
        .needs = audit_module_needs(env, row->fmt)
    };
    tc->module = audit_module_build(&m, a, &tc->n_words);
    bool is_there = tc->module != NULL;
    for (uint32_t i = 0; i < audit_module_inputs(&m); i++) {
        is_there &= put_buffer(tc, row->fmt, w->c.worst.arg[i], n_items, a);
    }
    return put_buffer(tc, row->fmt, choose_content(w->c.worst.got), n_items, a) && is_there;
}

/* Of a math library: what was run in place of a device, and what the result rests on. */
static const char *describe_library(const struct wrong *w, struct arena *a)
{
    const struct audit_form *const f = &w->row->form[w->form];
    const char *const documented =
        w->is_documented
            ? arena_printf(
                  a,
                  " The vendor documents a bound of %.6g ulp for this function. The kernel has "
                  "a max-error decoration of half an ulp more, as the vendor may count from "
                  "the rounded value.",
                  f->documented)
            : "";
    const char *const hardware =
        f->hardware == HARDWARE_ROUNDED
            ? arena_printf(a, " It rests on the assumption that the hardware rounds %s correctly.",
                           f->operations)
            : " No hardware instruction is left in it.";
    return arena_printf(a,
                        " The result is that of the vendor's math library, executed on a processor "
                        "(target %s).%s%s The program call.c calls the library itself.",
                        w->target->name, hardware, documented);
}

/* What the report of the bug says of the audit. */
static const char *make_figures(const struct wrong *w, struct arena *a)
{
    const struct audit_case *const c = &w->c;
    const struct sweep_result *const r = &w->row->result[w->form];
    const char *const ratio = audit_ratio_text(a, c);
    const char *text = arena_printf(a, "The exact value is %s.", audit_exact_text(c));
    if (c->kind == AUDIT_CASE_BOUND) {
        text = arena_printf(a, "%s The result is off by %s ulp", text,
                            audit_error_text(a, c->worst.error, 7));
        text = ratio[0] ? arena_printf(a, "%s, %s of %s ulp.", text, ratio,
                                       audit_figure_text(a, c->bound_ulp, 7))
                        : arena_printf(a, "%s.", text);
    }
    const char *const library = w->target->is_library ? describe_library(w, a) : "";
    return arena_printf(
        a,
        "%s%s An audit tried %" PRIu64 " inputs: %" PRIu64 " gave a result outside the bound, "
        "%" PRIu64 " a wrong special value and %" PRIu64 " a zero of the wrong sign.",
        text, library, r->n, r->n_broken, r->n_special, r->n_zero_sign);
}

/* A program that calls the loop of the library with the one input. */
static enum res write_call(const struct wrong *w, const char *folder, struct arena *a,
                           struct err *e)
{
    const struct func_row *const f = &func_rows[w->row->func];
    uint32_t const n_bits = float_formats[w->row->fmt].n_bits;
    const char *const name = op_rows[op_find_number(w->row->form[w->form].op)].name;
    const char *inputs = "", *pointers = "";
    for (unsigned i = 0; i < f->n_args + (f->has_int ? 1u : 0u); i++) {
        bool const is_int = i == f->n_args;
        inputs = arena_printf(a, "%s    uint%u_t const x%u[] = {0x%" PRIx64 "};\n", inputs,
                              is_int ? 32u : n_bits, i,
                              w->c.worst.arg[i] & (is_int ? UINT32_MAX : UINT64_MAX));
        pointers = arena_printf(a, "%s%sx%u", pointers, i ? ", " : "", i);
    }
    const char *const text = arena_printf(
        a,
        "/* cc call.c -ldl && ./a.out .../library.so: the result of %s, and whether it is the one "
        "found. */\n"
        "#include <dlfcn.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n\n"
        "int main(int argc, char **argv)\n{\n%s"
        "    uint64_t first = 0, second = 0;\n"
        "    const void *const in[] = {%s};\n    void *const out[] = {&first, &second};\n"
        "    void (*loop)(const void *const *, void *const *, uint64_t) = 0;\n"
        "    void *const library = dlopen(argc > 1 ? argv[1] : \"./library.so\", RTLD_NOW);\n"
        "    void *const symbol = library ? dlsym(library, \"hu_%s_%s\") : 0;\n"
        "    if (!symbol) {\n        (void)fprintf(stderr, \"%%s\\n\", dlerror());\n        return "
        "2;\n    }\n"
        "    memcpy(&loop, &symbol, sizeof loop);\n    loop(in, out, 1);\n"
        "    printf(\"0x%%llx\\n\", (unsigned long long)first);\n"
        "    return first == 0x%" PRIx64 ";\n}\n",
        name, inputs, pointers, name, float_formats[w->row->fmt].name, w->c.worst.got);
    return file_write(arena_printf(a, "%s/call.c", folder), text, strlen(text), e);
}

/* One wrong result. *path NULL: it does not show in a kernel of its own. */
static enum res write_one(const struct wrong *w, const char *folder, const char **path,
                          struct run *run, struct err *e)
{
    const struct target *const t = w->target;
    *path = NULL;
    for (size_t i = 0; i < ARRAY_N(sizes) && !*path; i++) {
        struct arena *const a = &run->arena;
        arena_reset(a);
        if (!make_case(w, sizes[i], &run->tc, a)) {
            return err_set(e, RES_NOMEM, "no memory for a case");
        }
        TRY(handle_run_once(t, run, e));
        struct bugs_case const c = {
            .target = t->name,
            .generator = arena_printf(a, "%s, MPFR %s", w->audit->tool_version, w->audit->mpfr),
            .figures = make_figures(w, a),
            .tc = &run->tc,
            .ob = &run->ob,
            .number = w->number};
        TRY(cmd_report_bugs_write_case(folder, &c, path, a, e));
    }
    return *path && t->is_library ? write_call(w, *path, &run->arena, e) : RES_OK;
}

/* Is a form wrong, or beyond the bound that the vendor documents? Then *out, but for its number. */
static bool find_wrong(const struct audit *x, const struct target *t, const struct audit_row *row,
                       uint32_t form, struct arena *a, struct wrong *out)
{
    *out = (struct wrong){.audit = x, .target = t, .row = row, .form = form, .c = row->found[form]};
    if (audit_is_wrong(row, form)) {
        return true;
    }
    if (!audit_is_exceeded(row, form)) {
        return false;
    }
    static const double half = 0.5;
    double const documented = row->form[form].documented;
    out->is_documented = true;
    out->documented = (float)(documented + half);
    out->c.kind = AUDIT_CASE_BOUND;
    out->c.worst = *audit_get_largest(&row->result[form]);
    out->c.bound_ulp = documented + half;
    double const error = out->c.worst.error;
    out->c.ratio = (error < 0 ? -error : error) / out->c.bound_ulp;
    out->c.exact = audit_case_show_exact(row, t->env, &out->c.worst, a);
    return true;
}

/* Write the folder of one form, and count it; an error other than RES_NOMEM, such as a worker that does not start, ends this
 * result alone. */
static enum res write_counted(const struct wrong *w, const char *folder, uint32_t *n,
                              uint32_t *n_lost, struct run *run, struct err *e)
{
    const char *path = NULL;
    struct err why = {RES_OK, ""};
    enum res const one = write_one(w, folder, &path, run, &why);
    *n += path != NULL;
    *n_lost += path == NULL;
    if (one == RES_NOMEM) { /* the next one would not fit either */
        return err_set(e, one, "%.400s", why.text);
    }
    if (one != RES_OK) {
        printable_print(stderr, "halfulp audit: %s %s: the bug folder was not written: %s\n",
                        func_rows[w->row->func].name, float_formats[w->row->fmt].name,
                        printable_copy_line(&run->arena, why.text));
    }
    return RES_OK;
}

enum res cmd_audit_bugs_write(const struct audit *x, const struct target *t, const char *folder,
                              uint32_t *n, uint32_t *n_lost, struct err *e)
{
    struct run run = {.index = 0};
    struct arena texts;
    enum res r = RES_OK;
    *n = *n_lost = 0;
    arena_init(&run.arena, BUG_ARENA_BYTES);
    arena_init(&texts, BUG_ARENA_BYTES);
    for (uint32_t i = 0; i < x->n_rows; i++) {
        for (uint32_t form = 0; form < x->rows[i].n_forms && r == RES_OK; form++) {
            struct wrong w;
            if (find_wrong(x, t, &x->rows[i], form, &texts, &w)) {
                w.number = (int64_t)*n + 1;
                r = write_counted(&w, folder, n, n_lost, &run, e);
            }
        }
    }
    arena_free(&texts);
    arena_free(&run.arena);
    return r;
}
