/* gen/print/print.c -- a case as source text. */
#include "gen/print/print.h"

#include <string.h>

#include "base/caps.h"
#include "base/spv.h"
#include "gen/print/clc_flow.h"
#include "gen/print/clc_module.h"

/* ---- the module without what the text does not say ---- */

static bool is_conversion(uint32_t op)
{
    return op == SpvOpFConvert || op == SpvOpConvertFToU || op == SpvOpConvertFToS ||
           op == SpvOpConvertUToF || op == SpvOpConvertSToF;
}

static bool is_max_error_extension(const struct spv_inst *in)
{
    static const char name[] = "SPV_INTEL_fp_max_error";
    return in->n > sizeof name / sizeof *in->w && memcmp(in->w + 1, name, sizeof name) == 0;
}

/* Has the language a way to say it? Conversions have rounding modes as their suffix. */
static bool is_said(const struct clc_module *m, const struct spv_inst *in)
{
    switch (in->op) {
    case SpvOpCapability:
        return in->w[1] != SPV_CAP_FP_MAX_ERROR_INTEL;
    case SpvOpExtension:
        return !is_max_error_extension(in);
    case SpvOpDecorate:
        break;
    default:
        return true;
    }
    if (in->n < 3) {
        return true;
    }
    switch (in->w[2]) {
    case SPV_DEC_FP_MAX_ERROR_INTEL:
    case SpvDecorationFPFastMathMode:
        return false;
    case SpvDecorationFPRoundingMode:
        return is_conversion(clc_get(m, in->w[1])->in.op);
    default:
        return true;
    }
}

/* Zeros behind the copy: who reads the operands of an instruction that is too short, the module's last one,
 * finds ids of nothing. */
enum {
    PADDING_WORDS = 16
};

static enum res strip(struct testcase *tc, struct arena *a, struct err *e)
{
    struct clc_module m;
    TRY(clc_module_read(tc->module, tc->n_words, a, &m, e));
    uint32_t *const words = ARENA_NEW(a, uint32_t, tc->n_words + PADDING_WORDS);
    if (!words) {
        return err_set(e, RES_NOMEM, "print: no room for %u words", tc->n_words);
    }
    uint32_t n = SPV_HEADER_WORDS;
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    memcpy(words, tc->module, sizeof *words * SPV_HEADER_WORDS);
    while (spv_next(tc->module, tc->n_words, &offset, &in)) {
        if (is_said(&m, &in)) {
            memcpy(words + n, in.w, in.n * sizeof *words);
            n += in.n;
        }
    }
    tc->module = words;
    tc->n_words = n;
    return RES_OK;
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

static const char *print_pragmas(const struct testcase *tc, bool contraction_off, struct arena *a)
{
    const char *text =
        contraction_off ? "#pragma OPENCL FP_CONTRACT OFF\n" : "#pragma OPENCL FP_CONTRACT ON\n";
    for (size_t i = 0; i < ARRAY_N(pragmas); i++) {
        if (needs_has(&tc->needs, pragmas[i].need)) {
            text =
                arena_printf(a, "%s#pragma OPENCL EXTENSION %s : enable\n", text, pragmas[i].name);
        }
    }
    return text;
}

static void drop_need(struct needs *needs, enum need_id id)
{
    needs->bits[id / 64] &= ~(UINT64_C(1) << (id % 64));
}

/* Versions of SPIR-V mean nothing here, one of the language does. */
static void set_needs(struct needs *needs)
{
    static const enum need_id not_needed[] = {NEED_CL_IL_1_0, NEED_CL_IL_1_2, NEED_CL_IL_1_3,
                                              NEED_CL_MAX_ERROR};
    for (size_t i = 0; i < ARRAY_N(not_needed); i++) {
        drop_need(needs, not_needed[i]);
    }
    needs_add(needs, NEED_CL_C_3_0);
}

static enum res print_opencl_c(struct testcase *tc, struct arena *a, struct err *e)
{
    struct clc_printer *const p = ARENA_NEW(a, struct clc_printer, 1);
    if (!p) {
        return err_set(e, RES_NOMEM, "print: no room");
    }
    *p = (struct clc_printer){.a = a, .e = e, .seed = tc->tape_hash};
    bytes_init(&p->functions, a);
    TRY(clc_module_read(tc->module, tc->n_words, a, &p->m, e));
    p->is_printed = ARENA_NEW(a, bool, p->m.n_blocks + 1);
    if (!p->is_printed) {
        return err_set(e, RES_NOMEM, "print: no room for %u blocks", p->m.n_blocks);
    }
    const char *const pragmas_text = print_pragmas(tc, p->m.contraction_off, a);
    bytes_put(&p->functions, pragmas_text, strlen(pragmas_text));
    bytes_put(&p->functions, "\n", 1);
    clc_put_functions(p);
    TRY(p->res);
    bytes_put(&p->functions, "", 1);
    if (!p->functions.ok || a->is_full) {
        return err_set(e, RES_NOMEM, "print: the arena is full");
    }
    tc->source = (const char *)p->functions.p;
    return RES_OK;
}

#define STANDARD "-cl-std=CL3.0"
#define REFUSALS "refusals" /* the profile whose illegal cases break a rule of the module itself */

/* The options without the version of the language. */
static const char *get_other_options(const char *options)
{
    size_t const n = sizeof STANDARD - 1;
    if (strncmp(options, STANDARD, n) != 0) {
        return options;
    }
    return options + n + (options[n] == ' ');
}

/* The module of a case that was source, on its own. */
static void set_spirv(struct testcase *tc)
{
    uint32_t const version = tc->module[1];
    tc->language = LANGUAGE_SPIRV;
    tc->source = "";
    tc->build_options = get_other_options(tc->build_options);
    drop_need(&tc->needs, NEED_CL_C_3_0);
    needs_add(&tc->needs, version >= 0x10300   ? NEED_CL_IL_1_3
                          : version >= 0x10100 ? NEED_CL_IL_1_2
                                               : NEED_CL_IL_1_0);
}

enum res print_set_language(struct testcase *tc, enum language language, struct arena *a,
                            struct err *e)
{
    struct testcase made = *tc;
    if (language == LANGUAGE_SPIRV) {
        if (tc->language != LANGUAGE_SPIRV) {
            set_spirv(tc);
        }
        return RES_OK;
    }
    if (tc->env != ENV_CL) {
        return err_set(e, RES_LIMIT, "OpenCL C has no words for a case of %s", env_names[tc->env]);
    }
    if (tc->class == CLASS_ILLEGAL && strcmp(tc->profile, REFUSALS) == 0) {
        return err_set(e, RES_LIMIT, "OpenCL C has no words for a rule of SPIR-V that is broken");
    }
    made.language = language;
    TRY(strip(&made, a, e));
    TRY(print_opencl_c(&made, a, e));
    set_needs(&made.needs);
    const char *const others = get_other_options(tc->build_options);
    made.build_options = arena_printf(a, "%s%s%s", STANDARD, others[0] ? " " : "", others);
    if (a->is_full) {
        return err_set(e, RES_NOMEM, "print: the arena is full");
    }
    *tc = made;
    return RES_OK;
}
