/* fuzz/amber/amber_script.c -- scripts of Amber. */
#include "fuzz/amber/amber_script.h"

#include <string.h>

#include "base/spv.h"
#include "fuzz/amber/amber_line.h"

struct script_reader {
    struct amber_lines lines;
    struct amber *out;
    uint32_t minor; /* version of SPIR-V of assembly for which none is stated */
};

/* RUN [TIMED_EXECUTION] pipeline x y z */
static enum res read_run(struct amber_lines *l, struct amber *out)
{
    uint32_t const at = amber_line_is(l, 1, "TIMED_EXECUTION") ? 2 : 1;
    struct amber_run run = {.line = l->line};
    bool is_good = l->n_words == at + 4;
    for (uint32_t i = 0; i < 3; i++) {
        is_good = is_good && amber_read_count(amber_line_word(l, at + 1 + i), &run.groups[i]) &&
                  run.groups[i] > 0;
    }
    if (!is_good) {
        return amber_line_fail(l, "RUN PIPELINE X Y Z is needed, of work-groups");
    }
    run.pipeline = amber_pipeline_find(&out->pipelines, amber_line_word(l, at));
    if (run.pipeline == AMBER_MAX_PIPELINES) {
        return amber_line_fail_word(l, amber_line_word(l, at), "no PIPELINE above has that name");
    }
    if (out->n_runs >= AMBER_MAX_RUNS) {
        return amber_line_fail(l, "more than 64 RUN");
    }
    out->runs[out->n_runs++] = run;
    return RES_OK;
}

static enum res read_command(struct script_reader *r)
{
    static const char *const idle[] = {"DEVICE_FEATURE", "DEVICE_PROPERTY", "DEVICE_EXTENSION",
                                       "INSTANCE_EXTENSION", "SET"};
    struct amber_lines *const l = &r->lines;
    struct amber *const out = r->out;
    if (amber_line_is(l, 0, "SHADER")) {
        return amber_shader_read(l, &out->shaders);
    }
    if (amber_line_is(l, 0, "VIRTUAL_FILE")) {
        return amber_shader_read_virtual(l, &out->shaders);
    }
    if (amber_line_is(l, 0, "BUFFER")) {
        return amber_buffer_read(l, &out->buffers);
    }
    if (amber_line_is(l, 0, "PIPELINE") || amber_line_is(l, 0, "DERIVE_PIPELINE")) {
        return amber_pipeline_read(l, &out->shaders, &out->buffers, &out->pipelines);
    }
    if (amber_line_is(l, 0, "RUN")) {
        return read_run(l, out);
    }
    if (amber_line_is(l, 0, "EXPECT")) {
        return amber_expect_read(l, &out->buffers, out->n_runs, &out->expects);
    }
    if (amber_line_is(l, 0, "IMAGE") || amber_line_is(l, 0, "SAMPLER")) {
        return amber_line_fail_word(l, l->word[0], "not given to a shader here, BUFFER is");
    }
    if (amber_line_is(l, 0, "REPEAT")) {
        return amber_line_fail(l, "REPEAT: a RUN is tried once, and without REPEAT");
    }
    for (size_t i = 0; i < ARRAY_N(idle); i++) {
        if (amber_line_is(l, 0, idle[i])) {
            r->minor = amber_line_is(l, 1, "VK_KHR_spirv_1_4") ? 4 : r->minor;
            return RES_OK;
        }
    }
    return amber_line_fail_word(l, l->word[0], "not known here");
}

enum res amber_script_read(const char *path, const char *text, size_t n, struct arena *a,
                           struct amber *out, struct err *e)
{
    struct script_reader *const r = ARENA_NEW(a, struct script_reader, 1);
    if (!r) {
        return err_set(e, RES_NOMEM, "%s: no room for the script", path);
    }
    *r = (struct script_reader){
        .lines = {.path = path, .end = text + n, .p = text, .a = a, .e = e},
        .out = out,
        .minor = 3
    };
    memset(out, 0, sizeof *out);
    while (amber_line_next(&r->lines)) {
        if (r->lines.n_words > 0) {
            TRY(read_command(r));
        }
    }
    for (uint32_t i = 0; i < out->shaders.n; i++) {
        struct amber_shader *const s = &out->shaders.row[i];
        s->version = s->version ? s->version : spv_version_word(r->minor);
    }
    if (out->shaders.n == 0) {
        return amber_line_fail(&r->lines, "the script has no shader");
    }
    return out->n_runs ? RES_OK : amber_line_fail(&r->lines, "the script runs nothing");
}

/* May the RUN write the buffer? */
static bool may_write(const struct amber *script, uint32_t run, uint32_t buffer)
{
    const struct amber_pipeline *const p = &script->pipelines.row[script->runs[run].pipeline];
    for (uint32_t i = 0; i < p->n_bindings; i++) {
        if (p->bindings[i].buffer == buffer && p->bindings[i].may_be_written) {
            return true;
        }
    }
    return false;
}

/* Does the RUN begin with the contents of the script? */
static bool begins_as_written(const struct amber *script, uint32_t run)
{
    const struct amber_pipeline *const p = &script->pipelines.row[script->runs[run].pipeline];
    for (uint32_t i = 0; i < p->n_bindings; i++) {
        for (uint32_t before = 0; before < run; before++) {
            if (may_write(script, before, p->bindings[i].buffer)) {
                return false;
            }
        }
    }
    return true;
}

uint32_t amber_script_find_run(const struct amber *script, uint32_t i)
{
    const struct amber_expect *const x = &script->expects.row[i];
    uint32_t found = AMBER_MAX_RUNS;
    for (uint32_t run = 0; run < x->n_runs; run++) {
        if (may_write(script, run, x->buffer) || may_write(script, run, x->other)) {
            if (found != AMBER_MAX_RUNS) {
                return AMBER_MAX_RUNS;
            }
            found = run;
        }
    }
    return found == AMBER_MAX_RUNS ? 0 : begins_as_written(script, found) ? found : AMBER_MAX_RUNS;
}
