/* fuzz/amber/amber_script.h -- scripts of Amber: shaders, buffers, compute pipelines, what is run, what is expected. */
#pragma once

#include "fuzz/amber/amber_buffer.h"
#include "fuzz/amber/amber_expect.h"
#include "fuzz/amber/amber_pipeline.h"
#include "fuzz/amber/amber_shader.h"

enum {
    AMBER_MAX_RUNS = 64
};
struct amber_run {
    uint32_t line, pipeline;
    uint32_t groups[3];
};
struct amber {
    struct amber_shaders shaders;
    struct amber_buffers buffers;
    struct amber_pipelines pipelines;
    struct amber_expects expects;
    uint32_t n_runs; /* at least 1 */
    struct amber_run runs[AMBER_MAX_RUNS];
};
/*
 * Reads n bytes of a script. Commands that say nothing of what is computed (DEVICE_FEATURE, ...) are passed over. Assembly for
 * which no version of SPIR-V is stated is of 1.3, in which all that compute shaders of 1.0 have is valid, or of 1.4 where the
 * script asks for VK_KHR_spirv_1_4.
 *   RES_FORMAT, RES_LIMIT: file, line, and what is wrong or not known here
 */
MUST_USE enum res amber_script_read(const char *path, const char *text, size_t n, struct arena *a,
                                    struct amber *out, struct err *e);

/*
 * The RUN whose outcome alone decides expectation i when each RUN begins with the contents of the script: no other that stands
 * before the expectation may write its buffers, and none before that RUN may write what is bound to it. Where none writes them it
 * is RUN 0. AMBER_MAX_RUNS: there is no such RUN.
 */
uint32_t amber_script_find_run(const struct amber *script, uint32_t i);
