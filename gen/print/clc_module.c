/* gen/print/clc_module.c -- a module as a program of OpenCL C 3.0: what stands before its functions, and their heads. */
#include "gen/print/clc_module.h"

#include <string.h>

#include "base/caps.h"
#include "gen/print/clc_inst.h"
#include "gen/print/clc_struct.h"
#include "gen/print/clc_text.h"
#include "gen/print/text_flow.h"
#include "gen/print/text_inst.h"
#include "gen/view/view.h"

/* ---- heads ---- */

/* The name of the entry point that the function is; NULL: it is none. */
static const char *get_entry_name(const struct printer *p, uint32_t function)
{
    struct spv_inst const in = view_find_entry(p->m, function);
    size_t const n = in.n > 3 ? (in.n - 3) * sizeof *in.w : 0;
    const char *const name = n && memchr(in.w + 3, '\0', n) ? arena_copy(p->a, in.w + 3, n) : NULL;
    return name || n == 0 ? name : "";
}

static const char *print_parameters(struct printer *p, const struct spv_inst *function, char letter)
{
    uint32_t n = 0;
    const char *text = "";
    struct spv_inst in = *function;
    while (view_next_parameter(p->m, &in)) {
        struct view_id *const id = view_get(p->m, in.w[2]);
        const char *const type = text_name(p, in.w[1]);
        bool const is_pointer = view_get(p->m, in.w[1])->in.op == SpvOpTypePointer;
        id->text = textf(p, "%c%u", letter, n++);
        id->is_simple = true;
        text =
            textf(p, "%s%s%s%s%s", text, n > 1 ? ", " : "", type, is_pointer ? "" : " ", id->text);
    }
    return text;
}

/* The variables of the work-group, which only the kernel may declare. */
static void put_local_variables(struct printer *p)
{
    struct spv_inst in = {.n = 0};
    while (view_next_global(p->m, &in)) {
        if (in.op != SpvOpVariable || in.n < 4 || in.w[3] != SpvStorageClassWorkgroup) {
            continue;
        }
        struct view_id *const id = view_get(p->m, in.w[2]);
        const struct spv_inst *const array = &view_get(p->m, view_get_pointee(p->m, in.w[1]))->in;
        if (array->op != SpvOpTypeArray || array->n != 4) {
            (void)text_fail(p, "a work-group variable that is no array");
            return;
        }
        id->element = textf(p, "l%u", in.w[2]);
        id->text = textf(p, "&%s", id->element);
        text_put_variable(p, "__local %s %s[%u];", text_name(p, array->w[2]), id->element,
                          (unsigned)view_get_number(p->m, array->w[3]));
    }
}

/* "__attribute__((...)) " of the kernel that runs. */
static const char *print_attributes(struct printer *p)
{
    const uint32_t *const local = p->m->local_size;
    const char *text = "";
    if (p->m->subgroup_size) {
        text = textf(p, "__attribute__((intel_reqd_sub_group_size(%u))) ", p->m->subgroup_size);
    }
    return local[0] ? textf(p, "%s__attribute__((reqd_work_group_size(%u, %u, %u))) ", text,
                            local[0], local[1], local[2])
                    : text;
}

static const char *print_head(struct printer *p, const struct spv_inst *function)
{
    uint32_t const id = function->w[2];
    const char *const entry = get_entry_name(p, id);
    const char *const parameters = print_parameters(p, function, entry ? 'b' : 'p');
    if (!entry) {
        return textf(p, "%s f%u(%s)", text_name(p, function->w[1]), id, parameters);
    }
    put_local_variables(p);
    return textf(p, "__kernel %svoid %s(%s)", id == p->m->entry ? print_attributes(p) : "", entry,
                 parameters);
}

/* ---- the text ---- */

/* Extensions whose types or functions are used only after a pragma. */
static const struct {
    enum need_id need;
    const char *name;
} pragmas[] = {
    {NEED_CL_F16,           "cl_khr_fp16"                  },
    {NEED_CL_F64,           "cl_khr_fp64"                  },
    {NEED_CL_I64_ATOMICS,   "cl_khr_int64_base_atomics"    },
    {NEED_CL_I64_ATOMICS,   "cl_khr_int64_extended_atomics"},
    {NEED_CL_F64_ATOMIC_LS, "cl_khr_int64_base_atomics"    },
    {NEED_CL_F64_ATOMIC_LS, "cl_khr_int64_extended_atomics"},
};

static const char *print_program(struct printer *p, const struct testcase *tc)
{
    const char *text =
        textf(p, "#pragma OPENCL FP_CONTRACT %s\n", p->m->contraction_off ? "OFF" : "ON");
    for (size_t i = 0; i < ARRAY_N(pragmas); i++) {
        if (needs_has(&tc->needs, pragmas[i].need)) {
            text = textf(p, "%s#pragma OPENCL EXTENSION %s : enable\n", text, pragmas[i].name);
        }
    }
    text = textf(p, "%s\n%s", text, clc_print_structs(p));
    bytes_put(&p->functions, text, strlen(text));
    text_put_functions(p);
    bytes_put(&p->functions, "", 1);
    return p->functions.ok ? (const char *)p->functions.p : "";
}

/* Conversions have rounding modes as their suffix. */
static bool says(const struct view *m, const struct testcase *tc, uint32_t function,
                 const struct spv_inst *in)
{
    (void)tc;
    (void)function;
    if (in->op != SpvOpDecorate || in->n < 3 || in->w[2] != SpvDecorationFPRoundingMode) {
        return true;
    }
    uint32_t const op = view_get(m, in->w[1])->in.op;
    return op == SpvOpFConvert || (op >= SpvOpConvertFToU && op <= SpvOpConvertUToF);
}

#define STANDARD "-cl-std=CL3.0"

/* Versions of SPIR-V mean nothing of a text, one of the language does, which is a build option. */
static void adapt(struct testcase *tc, bool is_text, struct arena *a)
{
    static const enum need_id of_modules[] = {NEED_CL_IL_1_0, NEED_CL_IL_1_2, NEED_CL_IL_1_3,
                                              NEED_CL_MAX_ERROR};
    uint32_t const version = tc->module[1];
    size_t const n = sizeof STANDARD - 1;
    const char *others = tc->build_options;
    if (strncmp(others, STANDARD, n) == 0) {
        others += n + (others[n] == ' ');
    }
    if (!is_text) {
        tc->build_options = others;
        needs_remove(&tc->needs, NEED_CL_C_3_0);
        needs_add(&tc->needs, version >= 0x10300   ? NEED_CL_IL_1_3
                              : version >= 0x10100 ? NEED_CL_IL_1_2
                                                   : NEED_CL_IL_1_0);
        return;
    }
    for (size_t i = 0; i < ARRAY_N(of_modules); i++) {
        needs_remove(&tc->needs, of_modules[i]);
    }
    needs_add(&tc->needs, NEED_CL_C_3_0);
    tc->build_options = arena_printf(a, "%s%s%s", STANDARD, others[0] ? " " : "", others);
}

static const struct text_op ops[] = {
#define OPERATOR(op, form, text, ...) {SpvOp##op, FORM_##form, text, ""},
#include "gen/print/operator.def"
};

const struct dialect clc_dialect = {
    .name = "OpenCL C",
    .type = clc_type,
    .number = clc_number,
    .vector = clc_vector,
    .to_signed = clc_signed,
    .to_unsigned = clc_unsigned,
    .put_inst = clc_put_inst,
    .head = print_head,
    .print = print_program,
    .says = says,
    .adapt = adapt,
    .ops = ops,
    .n_ops = ARRAY_N(ops),
    .promotes = true,
    .has_illegal = true,
    .switches_on_any = true,
};
