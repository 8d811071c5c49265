/* gen/emit/emit_module.c -- capabilities and extensions from the needs, and the parts of a module joined. */
#include "gen/emit/emit_module.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/caps.h"
#include "base/spv.h"
#include "gen/emit/emit.h"
#include "gen/emit/emit_body.h"
#include "gen/emit/emit_frame.h"
#include "gen/emit/emit_kernel.h"

enum {
    MAX_DECLARED = 64
};

/* What the head of a module declares so far. */
struct declared {
    uint32_t capabilities[MAX_DECLARED];
    const char *extensions[MAX_DECLARED];
    uint32_t n_capabilities, n_extensions;
};

static void put_capability(struct spv_words *head, struct declared *seen, uint32_t capability)
{
    for (uint32_t i = 0; i < seen->n_capabilities; i++) {
        if (seen->capabilities[i] == capability) {
            return;
        }
    }
    assert(seen->n_capabilities < MAX_DECLARED);
    seen->capabilities[seen->n_capabilities++] = capability;
    spv_put(head, SpvOpCapability, &capability, 1);
}

static bool has_long_vector(const struct emit *e)
{
    for (int t = 0; t < IR_TYPE_N; t++) {
        if (e->vector_ids[t][8] != 0 || e->vector_ids[t][16] != 0) {
            return true;
        }
    }
    return false;
}

/* Declares the capabilities of the module, each once (`seen`): those of the environment, and those of the
 * program's needs. */
static void put_capabilities(struct emit *e, struct spv_words *head, struct declared *seen)
{
    const struct ir_program *const p = e->p;
    if (p->env == ENV_CL) {
        put_capability(head, seen, SpvCapabilityKernel);
        put_capability(head, seen, SpvCapabilityAddresses);
        put_capability(head, seen, SpvCapabilityInt64);
        if (e->type_ids[IR_I16] != 0) {
            put_capability(head, seen, SpvCapabilityInt16);
        }
        if (has_long_vector(e)) {
            put_capability(head, seen, SpvCapabilityVector16);
        }
    } else {
        put_capability(head, seen, SpvCapabilityShader);
    }
    for (int i = 0; i < NEED_N; i++) {
        if (needs_has(&p->needs, (enum need_id)i) && cap_rows[i].capability != 0) {
            put_capability(head, seen, cap_rows[i].capability);
        }
    }
}

/* Declares an extension, one word of a row's list: "name", or "name@10400", which is core from that version
 * on and then left out. Each is declared once (`seen`). */
static void put_extension(struct emit *e, struct spv_words *head, struct declared *seen,
                          const char *word, size_t n)
{
    const char *const at = memchr(word, '@', n);
    if (at && e->p->version >= strtoul(at + 1, NULL, 16)) {
        return;
    }
    const char *const name = arena_copy(e->p->a, word, at ? (size_t)(at - word) : n);
    if (!name) {
        e->p->ok = false;
        return;
    }
    for (uint32_t i = 0; i < seen->n_extensions; i++) {
        if (strcmp(seen->extensions[i], name) == 0) {
            return;
        }
    }
    assert(seen->n_extensions < MAX_DECLARED);
    seen->extensions[seen->n_extensions++] = name;
    spv_put_string(head, SpvOpExtension, NULL, 0, name, NULL, 0);
}

static void put_extensions(struct emit *e, struct spv_words *head, struct declared *seen)
{
    for (int i = 0; i < NEED_N; i++) {
        if (!needs_has(&e->p->needs, (enum need_id)i)) {
            continue;
        }
        const char *s = cap_rows[i].extensions;
        while (*s) {
            size_t const n = strcspn(s, " ");
            put_extension(e, head, seen, s, n);
            s += n + strspn(s + n, " ");
        }
    }
}

static uint32_t count_instructions(const struct spv_words *w)
{
    uint32_t n = 0;
    uint32_t offset = 0;
    struct spv_inst i;
    while (spv_next(w->w, w->n, &offset, &i)) {
        n++;
    }
    return n;
}

static const char *const set_names[EMIT_SETS] = {
    [OP_SET_amd_ballot] = "SPV_AMD_shader_ballot",
    [OP_SET_opencl_std] = "OpenCL.std",
    [OP_SET_glsl450] = "GLSL.std.450",
};

/* All that stands before the decorations. */
static void put_head(struct emit *e, struct spv_words *head)
{
    struct declared seen = {.n_capabilities = 0};
    put_capabilities(e, head, &seen);
    put_extensions(e, head, &seen);
    for (size_t i = 0; i < ARRAY_N(set_names); i++) {
        if (e->set_ids[i] != 0) {
            spv_put_string(head, SpvOpExtInstImport, &e->set_ids[i], 1, set_names[i], NULL, 0);
        }
    }
    emit_frame_modes(e, head);
}

/* Joins the parts of the module to its words, *n_words of them; NULL when the arena is full, now or before.
 * *n_instructions, if asked for, is how many its functions have. */
static const uint32_t *assemble(struct emit *e, uint32_t *n_words, uint32_t *n_instructions)
{
    struct spv_words head;
    spv_words_init(&head, e->p->a);
    put_head(e, &head);
    bool const ok = e->p->ok && head.ok && e->decorations.ok && e->types.ok && e->main.ok &&
                    e->locals.ok && e->functions.ok && e->first.ok && e->others.ok;
    if (!ok) {
        return NULL;
    }
    /* variables of the entry function stand after its first label */
    struct spv_words const before = {.w = e->main.w, .n = e->locals_at, .ok = true};
    struct spv_words const after = {
        .w = e->main.w + e->locals_at, .n = e->main.n - e->locals_at, .ok = true};
    const struct spv_words *const parts[] = {&head,     &e->decorations, &e->types,
                                             &e->first, &before,         &e->locals,
                                             &after,    &e->functions,   &e->others};
    if (n_instructions) {
        *n_instructions = count_instructions(&e->main) + count_instructions(&e->functions);
    }
    return emit_join(e, parts, ARRAY_N(parts), n_words);
}

/* The words of a program's module; NULL when the arena is full. Parts are written into lists of their own,
 * since types and decorations come to light with the body but stand before it. */
const uint32_t *emit_module(struct ir_program *p, uint32_t *n_words, uint32_t *n_instructions)
{
    struct emit *const e = ARENA_NEW(p->a, struct emit, 1);
    if (!e || !p->ok) {
        return NULL;
    }
    e->p = p;
    e->next_id = 1;
    struct spv_words *const parts[] = {&e->decorations, &e->types, &e->main,  &e->functions,
                                       &e->locals,      &e->first, &e->others};
    for (size_t i = 0; i < ARRAY_N(parts); i++) {
        spv_words_init(parts[i], p->a);
    }
    e->entry = emit_new_id(e);
    emit_frame_variables(e);
    emit_frame_entry(e, e->entry);
    emit_odd(e, ODD_FUNCTION, IR_F32, e->entry);
    emit_odd(e, ODD_FUNCTION, IR_F32, emit_type(e, IR_VOID));
    emit_body(e);
    emit_kernels(e);
    return assemble(e, n_words, n_instructions);
}
