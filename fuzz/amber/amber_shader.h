/* fuzz/amber/amber_shader.h -- shaders of a script of Amber, and the texts that they may lie in. */
#pragma once

#include "fuzz/amber/amber_line.h"

enum {
    AMBER_MAX_SHADERS = 64,
    AMBER_MAX_VIRTUAL = 64
};
enum amber_language {
    AMBER_GLSL,
    AMBER_SPIRV_TEXT,
    AMBER_SPIRV, /* words */
    AMBER_OPENCL_C
};
struct amber_shader {
    const char *name;
    const char *path; /* of the file that it is in: the script, or one beside it */
    enum amber_language language;
    /* its text, with so many empty lines before it (of GLSL behind its #version) that lines have the numbers of the script */
    const char *text;
    size_t n;
    uint32_t version; /* of SPIR-V, as the second word of a module has it; 0: it states none */
};
struct amber_shaders {
    uint32_t n, n_virtual;
    struct amber_shader row[AMBER_MAX_SHADERS];
    struct {
        const char *name, *text;
        size_t n;
        uint32_t line; /* before its first */
    } virtual_file[AMBER_MAX_VIRTUAL];
};

/* The number of the shader of that name; AMBER_MAX_SHADERS: there is none. */
uint32_t amber_shader_find(const struct amber_shaders *all, const char *name);
/* Reads what begins with the word SHADER, up to its END, and adds it. RES_FORMAT: the line, and what is wrong or not known. */
MUST_USE enum res amber_shader_read(struct amber_lines *l, struct amber_shaders *all);
/* The same of VIRTUAL_FILE. */
MUST_USE enum res amber_shader_read_virtual(struct amber_lines *l, struct amber_shaders *all);
