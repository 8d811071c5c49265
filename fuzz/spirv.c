/* fuzz/spirv.c -- SPIRV-Tools; the only file that includes its header. */
#include "fuzz/spirv.h"

#include <spirv-tools/libspirv.h>
#include <string.h>

#include "base/spv.h"

const char *const spirv_answer_names[SPIRV_ANSWER_N] = {"valid", "invalid", "too old to say"};

static spv_target_env choose_env(const struct testcase *tc)
{
    uint32_t const version = tc->n_words > 1 ? tc->module[1] : 0;
    if (tc->env == ENV_CL) {
        return version <= 0x10200   ? SPV_ENV_OPENCL_2_2
               : version <= 0x10300 ? SPV_ENV_UNIVERSAL_1_3
               : version <= 0x10400 ? SPV_ENV_UNIVERSAL_1_4
               : version <= 0x10500 ? SPV_ENV_UNIVERSAL_1_5
                                    : SPV_ENV_UNIVERSAL_1_6;
    }
    return version <= 0x10000   ? SPV_ENV_VULKAN_1_0
           : version <= 0x10300 ? SPV_ENV_VULKAN_1_1
           : version <= 0x10400 ? SPV_ENV_VULKAN_1_1_SPIRV_1_4
           : version <= 0x10500 ? SPV_ENV_VULKAN_1_2
                                : SPV_ENV_VULKAN_1_3;
}

int spirv_knows_capability(uint32_t capability)
{
    spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
    uint32_t const words[] = {SpvMagicNumber, 0x10600, 0, 1, 0, 2u << 16 | SpvOpCapability,
                              capability};
    spv_text text = NULL;
    spv_result_t const r = spvBinaryToText(context, words, ARRAY_N(words),
                                           SPV_BINARY_TO_TEXT_OPTION_NONE, &text, NULL);
    spvTextDestroy(text);
    spvContextDestroy(context);
    return r == SPV_SUCCESS;
}

/* Does the module declare a capability that the installed grammar lacks? */
static int has_unknown_capability(const struct testcase *tc)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst inst;
    while (spv_next(tc->module, tc->n_words, &offset, &inst)) {
        if (inst.op != SpvOpCapability || inst.n != 2) {
            break; /* capabilities come first */
        }
        if (!spirv_knows_capability(inst.w[1])) {
            return 1;
        }
    }
    return 0;
}

enum spirv_answer spirv_validate(const struct testcase *tc, struct arena *a, const char **text)
{
    spv_context context = spvContextCreate(choose_env(tc));
    spv_validator_options options = spvValidatorOptionsCreate();
    spv_diagnostic diagnostic = NULL;
    spv_const_binary_t binary = {tc->module, tc->n_words};
    spv_result_t const r = spvValidateWithOptions(context, options, &binary, &diagnostic);
    *text = arena_printf(a, "%s", diagnostic && diagnostic->error ? diagnostic->error : "");
    spvDiagnosticDestroy(diagnostic);
    spvValidatorOptionsDestroy(options);
    spvContextDestroy(context);
    if (r == SPV_SUCCESS) {
        return SPIRV_VALID;
    }
    return has_unknown_capability(tc) ? SPIRV_TOO_OLD : SPIRV_INVALID;
}

const char *spirv_disassemble(const uint32_t *words, uint32_t n_words, enum spirv_style style,
                              struct arena *a)
{
    spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
    spv_text text = NULL;
    uint32_t const options =
        style == SPIRV_FOR_PEOPLE
            ? (uint32_t)SPV_BINARY_TO_TEXT_OPTION_INDENT |
                  (uint32_t)SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES |
                  (uint32_t)SPV_BINARY_TO_TEXT_OPTION_SHOW_BYTE_OFFSET
            : (uint32_t)SPV_BINARY_TO_TEXT_OPTION_INDENT;
    const char *copy = NULL;
    if (spvBinaryToText(context, words, n_words, options, &text, NULL) == SPV_SUCCESS) {
        copy = arena_copy(a, text->str, text->length);
    }
    spvTextDestroy(text);
    spvContextDestroy(context);
    return copy;
}

enum res spirv_assemble(const char *name, const char *text, size_t n, struct arena *a,
                        const uint32_t **words, uint32_t *n_words, struct err *e)
{
    spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
    spv_binary binary = NULL;
    spv_diagnostic diagnostic = NULL;
    enum res r = RES_OK;
    if (spvTextToBinaryWithOptions(context, text, n,
                                   SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS, &binary,
                                   &diagnostic) != SPV_SUCCESS) {
        r = err_set(e, RES_FORMAT, "%s:%zu:%zu: %s", name,
                    diagnostic ? diagnostic->position.line + 1 : 0,
                    diagnostic ? diagnostic->position.column + 1 : 0,
                    diagnostic ? diagnostic->error : "not SPIR-V text");
    } else {
        *words = arena_copy(a, binary->code, binary->wordCount * 4);
        *n_words = (uint32_t)binary->wordCount;
        r = *words ? RES_OK : err_set(e, RES_NOMEM, "%s: module does not fit", name);
    }
    spvDiagnosticDestroy(diagnostic);
    spvBinaryDestroy(binary);
    spvContextDestroy(context);
    return r;
}

const char *spirv_get_version(struct arena *a)
{
    return arena_printf(a, "%s", spvSoftwareVersionDetailsString());
}
