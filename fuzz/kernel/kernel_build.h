/* fuzz/kernel/kernel_build.h -- a kernel's file compiled to a module. */
#pragma once

#include "base/testcase.h"
#include "fuzz/amber/amber_script.h"
#include "fuzz/kernel/kernel_file.h"

struct kernel_module {
    enum env env;
    const uint32_t *words; /* as the compiler made them: kernel_clean.h */
    uint32_t n_words;
    const char
        *source; /* OpenCL C that includes nothing, for drivers that are given source; "" else */
    const struct amber *amber; /* the script that it comes in; NULL: none */
    uint32_t run;              /* which RUN of it */
};

/*
 * Reads the file and compiles what is no module yet: OpenCL C by clang and llvm-spirv, GLSL by glslangValidator, text by
 * SPIRV-Tools. The compilers run confined, as workers do, and look for included files in the file's folder.
 *   options  of the compiler, separated by blanks; ""
 * A script of Amber that has several RUN is read alone, and no module is made: kernel_build_run.
 *   RES_USAGE, RES_FORMAT: the file, its line where there is one, and what is wrong; or which program is missing, with the
 *   command that installs it
 */
MUST_USE enum res kernel_build(const char *path, const char *options, struct arena *a,
                               struct kernel_module *out, struct err *e);
/* Compiles the shader of a RUN of a script that was read. Errors as above. */
MUST_USE enum res kernel_build_run(const struct amber *script, uint32_t run, const char *options,
                                   struct arena *a, struct kernel_module *out, struct err *e);
