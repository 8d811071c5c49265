/* gen/print/print.c -- a case as source text: the module without what the text does not say, then the text. */
#include "gen/print/print.h"

#include <string.h>

#include "base/spv.h"
#include "gen/print/clc_module.h"
#include "gen/print/glsl_module.h"
#include "gen/print/text.h"
#include "gen/view/view.h"

static const struct dialect *const dialects[LANGUAGE_N] = {
    [LANGUAGE_OPENCL_C] = &clc_dialect, [LANGUAGE_GLSL] = &glsl_dialect};

/* Has no language words for it? Neither has any for accuracy or fast math. */
static bool is_unsaid(const struct spv_inst *in)
{
    switch (in->op) {
    case SpvOpCapability:
        return in->w[1] == SPV_CAP_FP_MAX_ERROR_INTEL;
    case SpvOpExtension:
        return view_is_text(in, 1, "SPV_INTEL_fp_max_error");
    case SpvOpDecorate:
        return in->n > 2 &&
               (in->w[2] == SPV_DEC_FP_MAX_ERROR_INTEL || in->w[2] == SpvDecorationFPFastMathMode);
    default:
        return false;
    }
}

/* Zeros after the copy: who reads the operands of an instruction that is too short, the module's last one,
 * finds ids of nothing. */
enum {
    PADDING_WORDS = 16
};

static enum res strip(struct testcase *tc, struct arena *a, struct err *e)
{
    struct view m;
    TRY(view_read(tc->module, tc->n_words, tc->entry, a, &m, e));
    uint32_t *const words = ARENA_NEW(a, uint32_t, tc->n_words + PADDING_WORDS);
    if (!words) {
        return err_set(e, RES_NOMEM, "print: no room for %u words", tc->n_words);
    }
    uint32_t n = SPV_HEADER_WORDS;
    uint32_t function = 0;
    struct spv_inst in = {.n = 0};
    memcpy(words, tc->module, sizeof *words * SPV_HEADER_WORDS);
    while (view_next(&m, &in)) {
        function = in.op == SpvOpFunction && in.n > 2 ? in.w[2] : function;
        if (!is_unsaid(&in) && dialects[tc->language]->says(&m, tc, function, &in)) {
            memcpy(words + n, in.w, in.n * sizeof *words);
            n += in.n;
        }
    }
    tc->module = words;
    tc->n_words = n;
    return RES_OK;
}

static enum res print_text(struct testcase *tc, struct arena *a, struct err *e)
{
    struct view m;
    struct printer *const p = ARENA_NEW(a, struct printer, 1);
    if (!p) {
        return err_set(e, RES_NOMEM, "print: no room");
    }
    TRY(view_read(tc->module, tc->n_words, tc->entry, a, &m, e));
    *p = (struct printer){
        .dialect = dialects[tc->language], .m = &m, .a = a, .e = e, .seed = tc->tape_hash};
    bytes_init(&p->functions, a);
    p->is_printed = ARENA_NEW(a, bool, m.n_blocks + 1);
    if (!p->is_printed) {
        return err_set(e, RES_NOMEM, "print: no room for %u blocks", m.n_blocks);
    }
    tc->source = p->dialect->print(p, tc);
    TRY(p->res);
    if (!p->functions.ok || a->is_full) {
        return err_set(e, RES_NOMEM, "print: the arena is full");
    }
    return RES_OK;
}

#define REFUSALS "refusals" /* the profile whose illegal cases break a rule of the module itself */

/* Makes the case one of that language: prints its module as source text, with the needs and build options
 * of such a text, or takes the text away again (SPIR-V). The case stays as it was where an error is
 * returned: RES_LIMIT where the language cannot say the case, RES_NOMEM where the arena is full. */
enum res print_set_language(struct testcase *tc, enum language language, struct arena *a,
                            struct err *e)
{
    struct testcase made = *tc;
    const struct dialect *const dialect = dialects[language];
    /* adapt: true adds the needs and options of a text, false takes them away */
    if (!dialect) { /* SPIR-V: the module of a case that was source, on its own */
        if (tc->language != LANGUAGE_SPIRV) {
            dialects[tc->language]->adapt(tc, false, a);
            tc->language = LANGUAGE_SPIRV;
            tc->source = "";
        }
        return RES_OK;
    }
    if (tc->env != language_envs[language]) {
        return err_set(e, RES_LIMIT, "%s has no words for a case of %s", dialect->name,
                       env_names[tc->env]);
    }
    if (tc->class == CLASS_ILLEGAL &&
        (!dialect->has_illegal || strcmp(tc->profile, REFUSALS) == 0)) {
        return err_set(e, RES_LIMIT, "%s has no words for a rule of SPIR-V that is broken",
                       dialect->name);
    }
    made.language = language;
    TRY(strip(&made, a, e));
    TRY(print_text(&made, a, e));
    dialect->adapt(&made, true, a);
    if (a->is_full) {
        return err_set(e, RES_NOMEM, "print: the arena is full");
    }
    *tc = made;
    return RES_OK;
}
