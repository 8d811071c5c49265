/* gen/print/print.c -- a case as source text. */
#include "gen/print/print.h"

#include <string.h>

#include "base/caps.h"
#include "base/spv.h"
#include "gen/print/clc_flow.h"
#include "gen/print/clc_module.h"
#include "gen/print/clc_struct.h"
#include "gen/print/glsl_module.h"

/* ---- the module without what the text does not say ---- */

static bool is_conversion(uint32_t op)
{
    return op == SpvOpFConvert || op == SpvOpConvertFToU || op == SpvOpConvertFToS ||
           op == SpvOpConvertUToF || op == SpvOpConvertSToF;
}

static bool is_extension(const struct spv_inst *in, const char *name)
{
    size_t const n = strlen(name) + 1;
    return in->n > n / sizeof *in->w && memcmp(in->w + 1, name, n) == 0;
}

static bool is_said_capability(uint32_t capability, enum language language)
{
    return capability != SPV_CAP_FP_MAX_ERROR_INTEL &&
           (language != LANGUAGE_GLSL || capability != SPV_CAP_FLOAT_CONTROLS2);
}

static bool is_said_extension(const struct spv_inst *in, enum language language)
{
    return !is_extension(in, "SPV_INTEL_fp_max_error") &&
           (language != LANGUAGE_GLSL || !is_extension(in, "SPV_KHR_float_controls2"));
}

/* Has the language a way to say it? In OpenCL C conversions have rounding modes as their suffix. GLSL says nothing of
 * fast math, by decoration or by default. */
static bool is_said(const struct clc_module *m, const struct spv_inst *in, enum language language)
{
    switch (in->op) {
    case SpvOpCapability:
        return is_said_capability(in->w[1], language);
    case SpvOpExtension:
        return is_said_extension(in, language);
    case SpvOpExecutionModeId:
        return language != LANGUAGE_GLSL ||
               (in->n > 2 && in->w[2] == (uint32_t)SpvExecutionModeLocalSizeId);
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
        return language != LANGUAGE_GLSL && is_conversion(clc_get(m, in->w[1])->in.op);
    default:
        return true;
    }
}

/* A text has one width for each mode of SPV_KHR_float_controls: of several spirv_execution_mode of one number glslang
 * takes the last. Which stays is drawn by the case's hash. */
static bool is_said_mode(const struct testcase *tc, const struct spv_inst *in)
{
    uint32_t n = 0, at = 0;
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst other;
    if (tc->language != LANGUAGE_GLSL || in->op != SpvOpExecutionMode || in->n != 4 ||
        in->w[2] < SpvExecutionModeDenormPreserve || in->w[2] > SpvExecutionModeRoundingModeRTZ) {
        return true;
    }
    while (spv_next(tc->module, tc->n_words, &offset, &other) && other.op != SpvOpFunction) {
        if (other.op == SpvOpExecutionMode && other.n == 4 && other.w[2] == in->w[2]) {
            at = other.offset == in->offset ? n : at;
            n++;
        }
    }
    return n < 2 || tc->tape_hash % n == at;
}

static bool is_entry_point(const struct testcase *tc, uint32_t function)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (spv_next(tc->module, tc->n_words, &offset, &in) && in.op != SpvOpFunction) {
        if (in.op == SpvOpEntryPoint && in.n > 2 && in.w[2] == function) {
            return true;
        }
    }
    return false;
}

/* A text of GLSL has one entry point. *is_in: does it stand in the function of another? */
static bool is_of_other(const struct testcase *tc, const struct clc_module *m,
                        const struct spv_inst *in, bool *is_in)
{
    if (in->op == SpvOpFunction && in->n > 2) {
        *is_in = in->w[2] != m->entry && is_entry_point(tc, in->w[2]);
    }
    bool const is_its = (in->op == SpvOpEntryPoint && in->n > 2 && in->w[2] != m->entry) ||
                        ((in->op == SpvOpExecutionMode || in->op == SpvOpExecutionModeId) &&
                         in->n > 1 && in->w[1] != m->entry);
    return tc->language == LANGUAGE_GLSL && (*is_in || is_its);
}

/* Zeros behind the copy: who reads the operands of an instruction that is too short, the module's last one,
 * finds ids of nothing. */
enum {
    PADDING_WORDS = 16
};

static enum res strip(struct testcase *tc, struct arena *a, struct err *e)
{
    struct clc_module m;
    TRY(clc_module_read(tc->module, tc->n_words, tc->entry, a, &m, e));
    uint32_t *const words = ARENA_NEW(a, uint32_t, tc->n_words + PADDING_WORDS);
    if (!words) {
        return err_set(e, RES_NOMEM, "print: no room for %u words", tc->n_words);
    }
    uint32_t n = SPV_HEADER_WORDS;
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    bool is_in = false;
    memcpy(words, tc->module, sizeof *words * SPV_HEADER_WORDS);
    while (spv_next(tc->module, tc->n_words, &offset, &in)) {
        bool const is_other = is_of_other(tc, &m, &in, &is_in);
        if (!is_other && is_said(&m, &in, tc->language) && is_said_mode(tc, &in)) {
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

static const char *print_clc(struct clc_printer *p, const struct testcase *tc)
{
    const char *const pragmas_text = print_pragmas(tc, p->m.contraction_off, p->a);
    bytes_put(&p->functions, pragmas_text, strlen(pragmas_text));
    bytes_put(&p->functions, "\n", 1);
    const char *const structs = clc_print_structs(p);
    bytes_put(&p->functions, structs, strlen(structs));
    clc_put_functions(p);
    bytes_put(&p->functions, "", 1);
    return p->functions.ok ? (const char *)p->functions.p : "";
}

static enum res print_text(struct testcase *tc, struct arena *a, struct err *e)
{
    struct clc_printer *const p = ARENA_NEW(a, struct clc_printer, 1);
    if (!p) {
        return err_set(e, RES_NOMEM, "print: no room");
    }
    *p = (struct clc_printer){.a = a, .e = e, .seed = tc->tape_hash};
    bytes_init(&p->functions, a);
    TRY(clc_module_read(tc->module, tc->n_words, tc->entry, a, &p->m, e));
    p->is_printed = ARENA_NEW(a, bool, p->m.n_blocks + 1);
    if (!p->is_printed) {
        return err_set(e, RES_NOMEM, "print: no room for %u blocks", p->m.n_blocks);
    }
    tc->source = tc->language == LANGUAGE_GLSL ? glsl_print(p) : print_clc(p, tc);
    TRY(p->res);
    if (!p->functions.ok || a->is_full) {
        return err_set(e, RES_NOMEM, "print: the arena is full");
    }
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
    if (tc->env == ENV_VK) {
        return;
    }
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
    const char *const name = language == LANGUAGE_GLSL ? "GLSL" : "OpenCL C";
    if (tc->env != language_envs[language]) {
        return err_set(e, RES_LIMIT, "%s has no words for a case of %s", name, env_names[tc->env]);
    }
    if (tc->class == CLASS_ILLEGAL &&
        (language == LANGUAGE_GLSL || strcmp(tc->profile, REFUSALS) == 0)) {
        return err_set(e, RES_LIMIT, "%s has no words for a rule of SPIR-V that is broken", name);
    }
    made.language = language;
    TRY(strip(&made, a, e));
    TRY(print_text(&made, a, e));
    if (language == LANGUAGE_GLSL) { /* the module is what is compiled in the end */
        *tc = made;
        return RES_OK;
    }
    set_needs(&made.needs);
    const char *const others = get_other_options(tc->build_options);
    made.build_options = arena_printf(a, "%s%s%s", STANDARD, others[0] ? " " : "", others);
    if (a->is_full) {
        return err_set(e, RES_NOMEM, "print: the arena is full");
    }
    *tc = made;
    return RES_OK;
}
