/* tests/fuzzers/target_amber.c -- fuzz target: scripts of Amber, and whether what they expect holds of their own buffers. */
#include "fuzz/amber/amber_script.h"
#include "tests/fuzzers/target.h"

enum {
    TARGET_ARENA_BYTES = 256 << 20
};

static void ask(const struct amber *script, struct arena *a)
{
    const unsigned char *contents[AMBER_MAX_BUFFERS] = {NULL};
    for (uint32_t i = 0; i < script->buffers.n; i++) {
        target_require(script->buffers.row[i].n_bytes % 4 == 0);
        contents[i] = script->buffers.row[i].data;
    }
    for (uint32_t i = 0; i < script->expects.n; i++) {
        const char *why = NULL;
        uint32_t const run = amber_script_find_run(script, i);
        target_require(run < script->n_runs || run == AMBER_MAX_RUNS);
        bool const holds =
            amber_expect_holds(&script->expects.row[i], &script->buffers, contents, a, &why);
        target_require(holds == (why[0] == '\0'));
    }
    for (uint32_t i = 0; i < script->n_runs; i++) {
        const struct amber_pipeline *const p = &script->pipelines.row[script->runs[i].pipeline];
        target_require(p->shader < script->shaders.n);
        for (uint32_t n = 0; n < p->n_bindings; n++) {
            const struct amber_binding *const b = &p->bindings[n];
            target_require(b->n_bytes > 0);
            target_require(b->buffer == AMBER_MAX_BUFFERS ||
                           b->offset + b->n_bytes <= script->buffers.row[b->buffer].n_bytes);
        }
    }
}

/* The bytes are a script. What was read must be consistent in itself. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    struct arena a;
    struct err e = {.text = ""};
    arena_init(&a, TARGET_ARENA_BYTES);
    struct amber *const script = ARENA_NEW(&a, struct amber, 1);
    target_require(script != NULL);
    if (target_is_ok(amber_script_read("input", (const char *)data, n_bytes, &a, script, &e), &e)) {
        ask(script, &a);
    }
    arena_free(&a);
    return 0;
}
