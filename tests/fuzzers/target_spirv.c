/* tests/fuzzers/target_spirv.c -- fuzz target: a module as text, its validation, and text as a module. */
#include <string.h>

#include "fuzz/io/show.h"
#include "fuzz/io/spirv.h"
#include "tests/fuzzers/target.h"

enum {
    TARGET_ARENA_BYTES = 64 << 20,
    TARGET_MAX_BYTES = 1 << 14
};

/* Text that makes a module: that module has a text, too. An error names the input. */
static void disassemble_again(const char *text, struct arena *a)
{
    const uint32_t *words = NULL;
    uint32_t n_words = 0;
    struct err e = {.text = ""};
    if (target_is_ok(spirv_assemble("input", text, strlen(text), a, &words, &n_words, &e), &e)) {
        const char *const again = spirv_disassemble(words, n_words, SPIRV_FOR_TOOLS, a);
        target_require(again != NULL);
    } else {
        target_require(strncmp(e.text, "input:", 6) == 0);
    }
}

/* Any words get an answer, and a valid module is shown as text that makes a module again. */
static void validate_and_show(const struct testcase *tc, struct arena *a)
{
    const char *message = NULL;
    enum spirv_answer const answer = spirv_validate(tc, a, &message);
    const char *const people = spirv_disassemble(tc->module, tc->n_words, SPIRV_FOR_PEOPLE, a);
    const char *const tools = spirv_disassemble(tc->module, tc->n_words, SPIRV_FOR_TOOLS, a);
    target_require((unsigned)answer < SPIRV_ANSWER_N && message != NULL);
    target_require(answer != SPIRV_INVALID || message[0] != '\0');
    target_require(answer != SPIRV_VALID || tools != NULL);
    for (uint32_t i = 0; people && i < tc->n_words; i++) {
        target_require(strchr(show_instruction(people, i, a), '\n') == NULL);
    }
    if (tools) {
        disassemble_again(tools, a);
    }
}

/* The bytes are what SPIRV-Tools is given. The first byte, modulo ENV_N, chooses the environment; its bit 1 says
 * that the module uses an extension of AMD without naming it, bit 2 that the rest is text and no module. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    struct arena a;
    if (n_bytes < 1 || n_bytes > TARGET_MAX_BYTES) {
        return 0;
    }
    arena_init(&a, TARGET_ARENA_BYTES);
    size_t const n_words = (n_bytes - 1) / 4;
    uint32_t *const words = ARENA_NEW(&a, uint32_t, n_words + 1);
    target_require(words != NULL);
    memcpy(words, data + 1, n_words * 4);
    struct testcase tc = {.env = (enum env)(data[0] % ENV_N),
                          .module = words,
                          .n_words = (uint32_t)n_words,
                          .entry = "main_kernel"};
    if (data[0] & 2) {
        needs_add(&tc.needs, tc.env == ENV_CL ? NEED_CL_AMD_BARE : NEED_VK_AMD_BARE);
    }
    if (data[0] & 4) {
        disassemble_again(arena_copy(&a, data + 1, n_bytes - 1), &a);
    } else {
        validate_and_show(&tc, &a);
    }
    arena_free(&a);
    return 0;
}
