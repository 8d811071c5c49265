/* fuzz/kernel/kernel_file.c -- what kind of file a kernel comes in. */
#include "fuzz/kernel/kernel_file.h"

#include <ctype.h>
#include <string.h>

#include "base/spv.h"

const char *const kernel_form_names[KERNEL_FORM_N] = {
    [KERNEL_UNKNOWN] = "unknown",   [KERNEL_SPIRV] = "SPIR-V", [KERNEL_SPIRV_TEXT] = "SPIR-V text",
    [KERNEL_OPENCL_C] = "OpenCL C", [KERNEL_GLSL] = "GLSL",    [KERNEL_AMBER] = "Amber script",
    [KERNEL_CASE] = "case"};

/* Behind comments of C and of SPIR-V text, and blanks. */
static const char *skip(const char *p, const char *end)
{
    for (;;) {
        while (p < end && isspace((unsigned char)*p)) {
            p++;
        }
        bool const is_line = (end - p >= 2 && memcmp(p, "//", 2) == 0) || (p < end && *p == ';');
        bool const is_block = end - p >= 2 && memcmp(p, "/*", 2) == 0;
        if (!is_line && !is_block) {
            return p;
        }
        const char *behind = NULL;
        for (const char *q = p + 1; q < end && !behind; q++) {
            bool const is_end = is_line ? *q == '\n' : q > p + 2 && q[-1] == '*' && *q == '/';
            behind = is_end ? q + 1 : NULL;
        }
        p = behind ? behind : end;
    }
}

/* Does the word occur as a whole one? */
static bool has_word(const char *p, const char *end, const char *word)
{
    size_t const n = strlen(word);
    for (const char *q = p; (size_t)(end - q) >= n; q++) {
        bool const begins = q == p || !(isalnum((unsigned char)q[-1]) || q[-1] == '_');
        bool const ends = q + n == end || !(isalnum((unsigned char)q[n]) || q[n] == '_');
        if (begins && ends && memcmp(q, word, n) == 0) {
            return true;
        }
    }
    return false;
}

/* Text by what stands first in it, or anywhere. A word of SPIR-V's text has the form `%id = OpName` or `OpName`. */
static enum kernel_form find_text_form(const char *p, const char *end)
{
    static const struct {
        const char *word;
        enum kernel_form form;
    } firsts[] = {
        {"#!amber",      KERNEL_AMBER     },
        {"#version",     KERNEL_GLSL      },
        {"OpCapability", KERNEL_SPIRV_TEXT},
        {"hulptape",     KERNEL_CASE      },
    };
    static const struct {
        const char *word;
        enum kernel_form form;
    } anywhere[] = {
        {"OpMemoryModel",         KERNEL_SPIRV_TEXT},
        {"__kernel",              KERNEL_OPENCL_C  },
        {"kernel",                KERNEL_OPENCL_C  },
        {"gl_GlobalInvocationID", KERNEL_GLSL      },
    };
    const char *const first = skip(p, end);
    for (size_t i = 0; i < ARRAY_N(firsts); i++) {
        size_t const n = strlen(firsts[i].word);
        if ((size_t)(end - first) >= n && memcmp(first, firsts[i].word, n) == 0) {
            return firsts[i].form;
        }
    }
    for (size_t i = 0; i < ARRAY_N(anywhere); i++) {
        if (has_word(p, end, anywhere[i].word)) {
            return anywhere[i].form;
        }
    }
    return KERNEL_UNKNOWN;
}

enum kernel_form kernel_file_find_form(const void *bytes, size_t n)
{
    static const unsigned char case_magic[] = {'H', 'L', 'T', 'C'};
    const unsigned char *const p = bytes;
    if (n >= 4) {
        uint32_t const word = (uint32_t)load_le(p, 4);
        uint32_t const swapped =
            word >> 24 | (word >> 8 & 0xff00) | (word << 8 & 0xff0000) | word << 24;
        if (word == SpvMagicNumber || swapped == SpvMagicNumber) {
            return KERNEL_SPIRV;
        }
        if (memcmp(p, case_magic, sizeof case_magic) == 0) {
            return KERNEL_CASE;
        }
    }
    return find_text_form(bytes, (const char *)bytes + n);
}
