/* gen/emit/audit_module.h -- a kernel that computes one function in several forms over many arguments. */
#pragma once

#include "base/base.h"
#include "base/format.h"
#include "base/testcase.h"

enum {
    AUDIT_MODULE_MAX_FORMS = 16,
    AUDIT_MODULE_LOCAL = 128 /* LocalSize of Vulkan modules: every device has it */
};
#define AUDIT_MODULE_ENTRY "main_kernel"

/* One instruction, plain or with a max-error decoration. */
struct audit_module_form {
    uint32_t op; /* OP_NUMBER of a row of ops.def */
    bool is_decorated;
    uint32_t max_error; /* bits of the decoration's binary32 literal */
};

/*
 * Buffers of integers as wide as fmt, in this order: with has_inputs one per float argument and one
 * for the integer argument (its low 32 bits, or 16 with sign); then one result per form. Without
 * has_inputs the encoding of the only argument is base + global id, cut to fmt's width. Base is the
 * last kernel argument (OpenCL, u32 by value) or a push constant of 4 bytes; with is_case it is left out, so that the
 * module can be that of a test case.
 */
struct audit_module {
    enum env env;
    enum fmt_id fmt;
    uint32_t n_args; /* of float type, 1 to 3 */
    bool has_int;    /* a 32-bit integer follows them */
    bool has_inputs;
    bool is_case;   /* only with has_inputs */
    uint32_t local; /* LocalSize of Vulkan; 0: AUDIT_MODULE_LOCAL */
    uint32_t n_forms;
    const struct audit_module_form *forms;
};

/* Number of input buffers. */
uint32_t audit_module_inputs(const struct audit_module *m);
/* The words, in `a`; NULL when it is full. */
const uint32_t *audit_module_build(const struct audit_module *m, struct arena *a,
                                   uint32_t *n_words);
/* What a target must have for modules of this environment and format. */
struct needs audit_module_needs(enum env env, enum fmt_id fmt);
