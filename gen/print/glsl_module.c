/* gen/print/glsl_module.c -- a module as a compute shader of GLSL 4.60: what stands before its functions, and their heads. */
#include "gen/print/glsl_module.h"

#include "base/local_size.h"
#include "base/spv.h"
#include "gen/print/clc_flow.h"
#include "gen/print/clc_module.h"
#include "gen/print/glsl_inst.h"
#include "gen/print/glsl_memory.h"
#include "gen/print/glsl_text.h"

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

static const char *print_mode(struct clc_printer *p, const struct spv_inst *in)
{
    for (size_t i = 0; i < ARRAY_N(float_modes); i++) {
        if (in->n == 4 && in->w[2] == float_modes[i].mode) {
            glsl_need(p, GLSL_INTRINSICS);
            return arena_printf(p->a,
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
        return clc_fail(p, arena_printf(p->a, "execution mode %u", in->w[2]));
    }
}

static const char *print_modes(struct clc_printer *p)
{
    const char *text = "";
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (spv_next(p->m.w, p->m.n_words, &offset, &in) && in.op != SpvOpFunction) {
        if (in.op == SpvOpExecutionMode && in.n > 2) {
            text = arena_printf(p->a, "%s%s", text, print_mode(p, &in));
        }
    }
    return text;
}

/* What a constant that states the size of a work-group is in the text: part of a built-in constant, or all of it. */
static void name_size_constants(struct clc_printer *p, const struct local_size *stated)
{
    static const char *const names[3] = {"gl_WorkGroupSize.x", "gl_WorkGroupSize.y",
                                         "gl_WorkGroupSize.z"};
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (spv_next(p->m.w, p->m.n_words, &offset, &in) && in.op != SpvOpFunction) {
        if (in.op != SpvOpDecorate || in.n != 4) {
            continue;
        }
        struct clc_id *const id = clc_get(&p->m, in.w[1]);
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
static const char *print_local_size(struct clc_printer *p)
{
    struct testcase const tc = {
        .env = ENV_VK, .module = p->m.w, .n_words = p->m.n_words, .entry = p->m.entry_name};
    struct local_size const stated = local_size_find(&tc);
    const char *text = "";
    if (stated.form == LOCAL_SIZE_UNSTATED || !stated.is_known) {
        return clc_fail(p, "a size of work-groups that is computed");
    }
    for (int d = 0; d < 3; d++) {
        text = arena_printf(p->a, "%s%slocal_size_%c = %u", text, d ? ", " : "", 'x' + d,
                            stated.size[d]);
        if (stated.spec_id[d] != LOCAL_SIZE_FIXED) {
            text =
                arena_printf(p->a, "%s, local_size_%c_id = %u", text, 'x' + d, stated.spec_id[d]);
        }
    }
    if (stated.form != LOCAL_SIZE_LITERAL) {
        name_size_constants(p, &stated);
    }
    return arena_printf(p->a, "layout(%s) in;\n", text);
}

static bool has_mode(const struct clc_printer *p, uint32_t mode)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (spv_next(p->m.w, p->m.n_words, &offset, &in) && in.op != SpvOpFunction) {
        if (in.op == SpvOpExecutionMode && in.n > 2 && in.w[2] == mode) {
            return true;
        }
    }
    return false;
}

/* ---- heads ---- */

static const char *print_main(struct clc_printer *p)
{
    const char *attributes = "";
    if (has_mode(p, SpvExecutionModeSubgroupUniformControlFlowKHR)) {
        glsl_need(p, GLSL_UNIFORM_FLOW);
        attributes = "subgroup_uniform_control_flow";
    }
    if (has_mode(p, SPV_MODE_MAXIMALLY_RECONVERGES)) {
        glsl_need(p, GLSL_RECONVERGENCE);
        attributes =
            arena_printf(p->a, "%s%smaximally_reconverges", attributes, attributes[0] ? ", " : "");
    }
    return attributes[0] ? arena_printf(p->a, "void main() [[%s]]", attributes) : "void main()";
}

static const char *print_head(struct clc_printer *p, uint32_t offset)
{
    struct spv_inst function, in;
    const char *text = "";
    uint32_t n = 0;
    (void)spv_next(p->m.w, p->m.n_words, &offset, &function);
    if (function.w[2] == p->m.entry) {
        return print_main(p);
    }
    while (spv_next(p->m.w, p->m.n_words, &offset, &in) && in.op != SpvOpLabel) {
        if (in.op != SpvOpFunctionParameter) {
            continue;
        }
        struct clc_id *const id = clc_get(&p->m, in.w[2]);
        if (clc_get(&p->m, in.w[1])->in.op == SpvOpTypePointer) {
            return NULL;
        }
        id->text = arena_printf(p->a, "p%u", n);
        id->is_simple = true;
        /* glslang hands a constant parameter on as it is, and copies any other to a variable */
        text = arena_printf(p->a, "%s%s%s%s %s", text, n > 0 ? ", " : "",
                            clc_draw(p, in.w[2], 0, 2) ? "const " : "",
                            glsl_type(p, in.w[1], CLC_UNSIGNED), id->text);
        n++;
    }
    return arena_printf(p->a, "%s f%u(%s)", glsl_type(p, function.w[1], CLC_UNSIGNED),
                        function.w[2], text);
}

static const struct clc_dialect glsl = {.name = "GLSL",
                                        .type = glsl_type,
                                        .number = glsl_number,
                                        .vector = glsl_vector,
                                        .put_inst = glsl_put_inst,
                                        .head = print_head};

static const char *print_memory_model(const struct clc_printer *p)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (spv_next(p->m.w, p->m.n_words, &offset, &in) && in.op != SpvOpFunction) {
        if (in.op == SpvOpMemoryModel && in.n > 2 && in.w[2] == SpvMemoryModelVulkan) {
            return "#pragma use_vulkan_memory_model\n";
        }
    }
    return "";
}

const char *glsl_print(struct clc_printer *p)
{
    p->dialect = &glsl;
    const char *const local_size = print_local_size(p);
    const char *const modes = print_modes(p);
    const char *const resources = glsl_declare(p);
    if (p->res == RES_OK) {
        clc_put_functions(p);
    }
    bytes_put(&p->functions, "", 1);
    if (p->res != RES_OK || !p->functions.ok) {
        return "";
    }
    const char *const memory_model = print_memory_model(p);
    if (memory_model[0]) {
        glsl_need(p, GLSL_SCOPES);
    }
    return arena_printf(p->a, "#version 460\n%s%s%s%s%s\n%s", glsl_print_extensions(p),
                        memory_model, local_size, modes, resources, (const char *)p->functions.p);
}
