/* gen/print/glsl_module.c -- a module as a compute shader of GLSL 4.60: what stands before its functions, and their heads. */
#include "gen/print/glsl_module.h"

#include "base/local_size.h"
#include "gen/print/glsl_inst.h"
#include "gen/print/glsl_memory.h"
#include "gen/print/glsl_text.h"
#include "gen/print/text_flow.h"
#include "gen/print/text_inst.h"
#include "gen/view/view.h"

/* ---- execution modes ---- */

/* Modes of SPV_KHR_float_controls have no words of their own: GL_EXT_spirv_intrinsics gives their numbers. */
static const struct {
    uint32_t mode, capability;
} float_modes[] = {
    {SpvExecutionModeDenormPreserve,           SpvCapabilityDenormPreserve          },
    {SpvExecutionModeDenormFlushToZero,        SpvCapabilityDenormFlushToZero       },
    {SpvExecutionModeSignedZeroInfNanPreserve, SpvCapabilitySignedZeroInfNanPreserve},
    {SpvExecutionModeRoundingModeRTE,          SpvCapabilityRoundingModeRTE         },
    {SpvExecutionModeRoundingModeRTZ,          SpvCapabilityRoundingModeRTZ         },
};

static const char *print_mode(struct printer *p, const struct spv_inst *in)
{
    for (size_t i = 0; i < ARRAY_N(float_modes); i++) {
        if (in->n == 4 && in->w[2] == float_modes[i].mode) {
            glsl_need(p, GLSL_INTRINSICS);
            return textf(p,
                         "spirv_execution_mode(extensions = [\"SPV_KHR_float_controls\"], "
                         "capabilities = [%u], %u, %u);\n",
                         float_modes[i].capability, in->w[2], in->w[3]);
        }
    }
    switch (in->w[2]) {
    case SpvExecutionModeLocalSize: /* print_local_size */
        return "";
    case SpvExecutionModeSubgroupUniformControlFlowKHR: /* attributes of main */
    case SPV_MODE_MAXIMALLY_RECONVERGES:
        return "";
    default:
        return text_fail(p, textf(p, "execution mode %u", in->w[2]));
    }
}

static const char *print_modes(struct printer *p)
{
    const char *text = "";
    struct spv_inst in = {.n = 0};
    while (view_next_global(p->m, &in)) {
        if (in.op == SpvOpExecutionMode && in.n > 2) {
            text = textf(p, "%s%s", text, print_mode(p, &in));
        }
    }
    return text;
}

/* What a constant that states the size of a work-group is in the text: part of a built-in constant, or all of it. */
static void name_size_constants(struct printer *p, const struct local_size *stated)
{
    static const char *const names[3] = {"gl_WorkGroupSize.x", "gl_WorkGroupSize.y",
                                         "gl_WorkGroupSize.z"};
    struct spv_inst in = {.n = 0};
    while (view_next_global(p->m, &in)) {
        if (in.op != SpvOpDecorate || in.n != 4) {
            continue;
        }
        struct view_id *const id = view_get(p->m, in.w[1]);
        for (int d = 0; in.w[2] == SpvDecorationSpecId && d < 3; d++) {
            if (in.w[3] == stated->spec_id[d]) {
                id->text = names[d];
                id->is_simple = true;
            }
        }
        if (in.w[2] == SpvDecorationBuiltIn && in.w[3] == SpvBuiltInWorkgroupSize) {
            id->text = "gl_WorkGroupSize";
            id->is_simple = true;
            id->built_in = 0; /* it is no variable */
        }
    }
}

/* The layout with the size of a work-group: numbers of the module, and the SpecIds of those that have one. */
static const char *print_local_size(struct printer *p)
{
    struct testcase const tc = {
        .env = ENV_VK, .module = p->m->w, .n_words = p->m->n_words, .entry = p->m->entry_name};
    struct local_size const stated = local_size_find(&tc);
    const char *text = "";
    if (stated.form == LOCAL_SIZE_UNSTATED || !stated.is_known) {
        return text_fail(p, "a size of work-groups that is computed");
    }
    for (int d = 0; d < 3; d++) {
        text = textf(p, "%s%slocal_size_%c = %u", text, d ? ", " : "", 'x' + d, stated.size[d]);
        if (stated.spec_id[d] != LOCAL_SIZE_FIXED) {
            text = textf(p, "%s, local_size_%c_id = %u", text, 'x' + d, stated.spec_id[d]);
        }
    }
    if (stated.form != LOCAL_SIZE_LITERAL) {
        name_size_constants(p, &stated);
    }
    return textf(p, "layout(%s) in;\n", text);
}

/* ---- heads ---- */

static const char *print_main(struct printer *p)
{
    const char *attributes = "";
    if (view_find_mode(p->m, SpvExecutionModeSubgroupUniformControlFlowKHR).n > 0) {
        glsl_need(p, GLSL_UNIFORM_FLOW);
        attributes = "subgroup_uniform_control_flow";
    }
    if (view_find_mode(p->m, SPV_MODE_MAXIMALLY_RECONVERGES).n > 0) {
        glsl_need(p, GLSL_RECONVERGENCE);
        attributes = textf(p, "%s%smaximally_reconverges", attributes, attributes[0] ? ", " : "");
    }
    return attributes[0] ? textf(p, "void main() [[%s]]", attributes) : "void main()";
}

static const char *print_head(struct printer *p, const struct spv_inst *function)
{
    struct spv_inst in = *function;
    const char *text = "";
    uint32_t n = 0;
    if (function->w[2] == p->m->entry) {
        return print_main(p);
    }
    while (view_next_parameter(p->m, &in)) {
        struct view_id *const id = view_get(p->m, in.w[2]);
        if (view_get(p->m, in.w[1])->in.op == SpvOpTypePointer) {
            return NULL;
        }
        id->text = textf(p, "p%u", n);
        id->is_simple = true;
        /* glslang passes a constant parameter as it is, and copies any other to a variable */
        text = textf(p, "%s%s%s%s %s", text, n > 0 ? ", " : "",
                     text_draw(p, in.w[2], 0, 2) ? "const " : "", text_name(p, in.w[1]), id->text);
        n++;
    }
    return textf(p, "%s f%u(%s)", text_name(p, function->w[1]), function->w[2], text);
}

static const char *print_memory_model(const struct printer *p)
{
    struct spv_inst in = {.n = 0};
    while (view_next_global(p->m, &in)) {
        if (in.op == SpvOpMemoryModel && in.n > 2 && in.w[2] == SpvMemoryModelVulkan) {
            return "#pragma use_vulkan_memory_model\n";
        }
    }
    return "";
}

static const char *print_shader(struct printer *p, const struct testcase *tc)
{
    (void)tc;
    const char *const local_size = print_local_size(p);
    const char *const modes = print_modes(p);
    const char *const resources = glsl_declare(p);
    if (p->res == RES_OK) {
        text_put_functions(p);
    }
    bytes_put(&p->functions, "", 1);
    if (p->res != RES_OK || !p->functions.ok) {
        return "";
    }
    const char *const memory_model = print_memory_model(p);
    if (memory_model[0]) {
        glsl_need(p, GLSL_SCOPES);
    }
    return textf(p, "#version 460\n%s%s%s%s%s\n%s", glsl_print_extensions(p), memory_model,
                 local_size, modes, resources, (const char *)p->functions.p);
}

/* ---- what is said ---- */

static bool is_entry_point(const struct view *m, uint32_t function)
{
    return view_find_entry(m, function).n > 0;
}

/* A text has one entry point: is it of another, or about another? */
static bool is_of_other(const struct view *m, uint32_t function, const struct spv_inst *in)
{
    if (function != 0) {
        return function != m->entry && is_entry_point(m, function);
    }
    bool const is_mode = in->op == SpvOpExecutionMode || in->op == SpvOpExecutionModeId;
    return (in->op == SpvOpEntryPoint && in->n > 2 && in->w[2] != m->entry) ||
           (is_mode && in->n > 1 && in->w[1] != m->entry);
}

/* A text has one width for each mode of SPV_KHR_float_controls: of several spirv_execution_mode of one number glslang
 * takes the last. Which stays is drawn by the case's hash. */
static bool is_drawn_mode(const struct view *m, const struct testcase *tc,
                          const struct spv_inst *in)
{
    uint32_t n = 0, at = 0;
    struct spv_inst other = {.n = 0};
    if (in->n != 4 || in->w[2] < SpvExecutionModeDenormPreserve ||
        in->w[2] > SpvExecutionModeRoundingModeRTZ) {
        return true;
    }
    while (view_next_global(m, &other)) {
        if (other.op == SpvOpExecutionMode && other.n == 4 && other.w[2] == in->w[2]) {
            at = other.offset == in->offset ? n : at;
            n++;
        }
    }
    return n < 2 || tc->tape_hash % n == at;
}

/* GLSL says nothing of fast math by default, or of how a conversion is rounded. */
static bool says(const struct view *m, const struct testcase *tc, uint32_t function,
                 const struct spv_inst *in)
{
    if (is_of_other(m, function, in)) {
        return false;
    }
    switch (in->op) {
    case SpvOpCapability:
        return in->w[1] != SPV_CAP_FLOAT_CONTROLS2;
    case SpvOpExtension:
        return !view_is_text(in, 1, "SPV_KHR_float_controls2");
    case SpvOpExecutionModeId:
        return in->n > 2 && in->w[2] == (uint32_t)SpvExecutionModeLocalSizeId;
    case SpvOpExecutionMode:
        return is_drawn_mode(m, tc, in);
    case SpvOpDecorate:
        return in->n < 3 || in->w[2] != SpvDecorationFPRoundingMode;
    default:
        return true;
    }
}

/* The module is what is compiled in the end, so its needs stay. */
static void adapt(struct testcase *tc, bool is_text, struct arena *a)
{
    (void)tc;
    (void)is_text;
    (void)a;
}

static const struct text_op ops[] = {
#define OPERATOR(op, clc_form, clc_text, form, text, vector) {SpvOp##op, FORM_##form, text, vector},
#include "gen/print/operator.def"
};

const struct dialect glsl_dialect = {
    .name = "GLSL",
    .type = glsl_type,
    .number = glsl_number,
    .vector = glsl_vector,
    .to_signed = glsl_signed,
    .to_unsigned = glsl_vector,
    .put_inst = glsl_put_inst,
    .head = print_head,
    .print = print_shader,
    .says = says,
    .adapt = adapt,
    .ops = ops,
    .n_ops = ARRAY_N(ops),
    .keeps_exact = true,
    .tests_in_head = true,
};
