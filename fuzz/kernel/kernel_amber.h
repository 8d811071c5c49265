/* fuzz/kernel/kernel_amber.h -- scripts of Amber with a compute pipeline: the shader, the buffers, what is run, what is expected. */
#pragma once

#include "base/testcase.h"
#include "fuzz/kernel/kernel_type.h"

enum {
    AMBER_MAX_BUFFERS = 32,
    AMBER_MAX_EXPECTS = 256,
    AMBER_MAX_VALUES = 4096
};
/* A type of Amber: int8 to uint64, float16, float, double, or a vector of 2 to 4 of these. */
struct amber_type {
    struct kernel_scalar scalar;
    bool is_signed;
    uint32_t n_components, stride; /* bytes from one to the next, as std430 has it */
};
struct amber_buffer {
    const char *name;
    struct amber_type type;
    uint32_t n_bytes;
    unsigned char *data;
    bool is_bound, is_push;
    uint32_t set, binding;
};
enum amber_comparison {
    AMBER_EQ,
    AMBER_NE,
    AMBER_LT,
    AMBER_LE,
    AMBER_GT,
    AMBER_GE,
    AMBER_TOLERANCE, /* of each value the first of `tolerance` */
    AMBER_EQ_BUFFER
};
struct amber_expect {
    uint32_t line, buffer, other; /* other: of EQ_BUFFER */
    uint32_t byte;
    enum amber_comparison comparison;
    double tolerance;
    bool is_percent;
    uint32_t n;
    const double *value;
};
struct amber {
    const char *
        shader; /* its text, with so many empty lines before it that lines have the numbers of the script */
    size_t n_shader;
    bool is_assembly;   /* SPIR-V text; else GLSL */
    uint32_t version;   /* of SPIR-V, as the second word of a module has it: of the assembly */
    const char *entry;  /* NULL: main */
    uint32_t groups[3]; /* of RUN */
    uint32_t n_buffers, n_expects, n_specs;
    struct amber_buffer buffers[AMBER_MAX_BUFFERS];
    struct amber_expect expects[AMBER_MAX_EXPECTS];
    struct {
        uint32_t id;
        const char *value;
    } specs[CASE_MAX_SPECS];
};
/*
 * Reads n bytes of a script. Commands that say nothing of what is computed (DEVICE_FEATURE, ...) are passed over.
 *   RES_FORMAT, RES_LIMIT: file, line, and what is wrong or not known here
 */
MUST_USE enum res kernel_amber_read(const char *path, const char *text, size_t n, struct arena *a,
                                    struct amber *out, struct err *e);

/* Does what was expected hold of these contents, by buffer of the script (NULL: not bound)? Else *why says what is there. */
bool kernel_amber_holds(const struct amber *script, const struct amber_expect *x,
                        const unsigned char *const *contents, struct arena *a, const char **why);
