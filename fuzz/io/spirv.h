/* fuzz/io/spirv.h -- SPIRV-Tools: validate, disassemble, and what its grammar knows. */
#pragma once

#include "base/testcase.h"

/* TOO_OLD: the installed grammar lacks an enumerant of the module; a copy without what it lacks is
 * valid, and the rest is for the project's own checks. */
enum spirv_answer {
    SPIRV_VALID,
    SPIRV_INVALID,
    SPIRV_TOO_OLD
};
enum {
    SPIRV_ANSWER_N = 3
};
extern const char *const spirv_answer_names[SPIRV_ANSWER_N];

/* For the environment of the case: OpenCL 2.2 and Vulkan 1.1 to 1.3 by the module's version, or the
 * universal one where that version is newer. A module that needs SPV_AMD_shader_ballot bare is
 * validated with the string that it lacks. *text is the validator's message, in `a`. */
enum spirv_answer spirv_validate(const struct testcase *tc, struct arena *a, const char **text);
/* Text of a module; NULL when it is no SPIR-V or its grammar is newer. style FOR_PEOPLE has names, and
 * the byte offset after each line as "; 0x00000140"; WITH_NAMES has names alone; FOR_TOOLS assembles again to the same
 * words, but that strings are in printed form (base/printable.h) in all: none holds a line end. */
enum spirv_style {
    SPIRV_FOR_PEOPLE,
    SPIRV_WITH_NAMES,
    SPIRV_FOR_TOOLS
};
const char *spirv_disassemble(const uint32_t *words, uint32_t n_words, enum spirv_style style,
                              struct arena *a);
/* FOR_TOOLS, or where the installed grammar is older than the module the same with the names and numbers that
 * it lacks, below a comment that says so. NULL: it is no SPIR-V, or has instructions that are newer. */
const char *spirv_describe(const uint32_t *words, uint32_t n_words, struct arena *a);
/* Words of a module from its text; RES_FORMAT names line and column. */
MUST_USE enum res spirv_assemble(const char *name, const char *text, size_t n, struct arena *a,
                                 const uint32_t **words, uint32_t *n_words, struct err *e);
/* Does the installed grammar know this capability? */
int spirv_knows_capability(uint32_t capability);
/* "IAdd", the name of an opcode without Op; "unknown" where the installed grammar is older. */
const char *spirv_get_name(uint32_t op);
/* "SPIRV-Tools v2023.1 ..." in `a`. */
const char *spirv_get_version(struct arena *a);
