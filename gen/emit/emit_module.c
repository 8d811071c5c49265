/* gen/emit/emit_module.c -- capabilities and extensions from the needs, and the parts of a module joined. */
#include "gen/emit/emit_module.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/caps.h"
#include "base/spv.h"
#include "gen/emit/emit.h"
#include "gen/emit/emit_body.h"
#include "gen/emit/emit_cl.h"
#include "gen/emit/emit_vk.h"

enum {
    MAX_DECLARED = 64
};

static void put_capability(struct spv_words *head, uint32_t *seen, uint32_t *n_seen, uint32_t cap)
{
    for (uint32_t i = 0; i < *n_seen; i++) {
        if (seen[i] == cap) {
            return;
        }
    }
    assert(*n_seen < MAX_DECLARED);
    seen[(*n_seen)++] = cap;
    spv_put(head, SpvOpCapability, &cap, 1);
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

static void put_capabilities(struct emit *e, struct spv_words *head)
{
    const struct ir_program *const p = e->p;
    uint32_t seen[MAX_DECLARED];
    uint32_t n_seen = 0;
    if (p->env == ENV_CL) {
        put_capability(head, seen, &n_seen, SpvCapabilityKernel);
        put_capability(head, seen, &n_seen, SpvCapabilityAddresses);
        put_capability(head, seen, &n_seen, SpvCapabilityInt64);
        if (e->type_ids[IR_I16] != 0) {
            put_capability(head, seen, &n_seen, SpvCapabilityInt16);
        }
        if (has_long_vector(e)) {
            put_capability(head, seen, &n_seen, SpvCapabilityVector16);
        }
    } else {
        put_capability(head, seen, &n_seen, SpvCapabilityShader);
    }
    for (int i = 0; i < NEED_N; i++) {
        if (needs_has(&p->needs, (enum need_id)i) && cap_rows[i].capability != 0) {
            put_capability(head, seen, &n_seen, cap_rows[i].capability);
        }
    }
}

/* One word of a row's extensions, "name" or "name@10400", unless it was put before or is core. */
static void put_extension(struct emit *e, struct spv_words *head, const char *word, size_t n,
                          const char **seen, uint32_t *n_seen)
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
    for (uint32_t i = 0; i < *n_seen; i++) {
        if (strcmp(seen[i], name) == 0) {
            return;
        }
    }
    assert(*n_seen < MAX_DECLARED);
    seen[(*n_seen)++] = name;
    spv_put_string(head, SpvOpExtension, NULL, 0, name, NULL, 0);
}

static void put_extensions(struct emit *e, struct spv_words *head)
{
    const char *seen[MAX_DECLARED];
    uint32_t n_seen = 0;
    for (int i = 0; i < NEED_N; i++) {
        if (!needs_has(&e->p->needs, (enum need_id)i)) {
            continue;
        }
        const char *s = cap_rows[i].extensions;
        while (*s) {
            size_t const n = strcspn(s, " ");
            put_extension(e, head, s, n, seen, &n_seen);
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

static const uint32_t *assemble(struct emit *e, uint32_t *n_words, uint32_t *n_instructions)
{
    struct spv_words head;
    struct spv_words all;
    spv_words_init(&head, e->p->a);
    spv_words_init(&all, e->p->a);
    put_capabilities(e, &head);
    put_extensions(e, &head);
    for (size_t i = 0; i < ARRAY_N(set_names); i++) {
        if (e->set_ids[i] != 0) {
            spv_put_string(&head, SpvOpExtInstImport, &e->set_ids[i], 1, set_names[i], NULL, 0);
        }
    }
    if (e->p->env == ENV_CL) {
        emit_cl_frame(e, &head);
    } else {
        emit_vk_frame(e, &head);
    }
    uint32_t const header[SPV_HEADER_WORDS] = {SpvMagicNumber, e->p->version, 0, e->next_id, 0};
    uint32_t const n = SPV_HEADER_WORDS + head.n + e->decorations.n + e->types.n + e->main.n +
                       e->locals.n + e->functions.n;
    uint32_t *const w = ARENA_NEW(e->p->a, uint32_t, n);
    if (!w || !head.ok || !e->decorations.ok || !e->types.ok || !e->main.ok || !e->functions.ok ||
        !e->locals.ok || !e->p->ok) {
        return NULL;
    }
    memcpy(w, header, sizeof header);
    uint32_t at = SPV_HEADER_WORDS;
    struct spv_words const before = {.w = e->main.w, .n = e->locals_at};
    struct spv_words const behind = {.w = e->main.w + e->locals_at, .n = e->main.n - e->locals_at};
    const struct spv_words *const parts[] = {&head,      &e->decorations, &e->types,    &before,
                                             &e->locals, &behind,         &e->functions};
    for (size_t i = 0; i < ARRAY_N(parts); i++) {
        if (parts[i]->n > 0) {
            memcpy(w + at, parts[i]->w, parts[i]->n * sizeof *w);
            at += parts[i]->n;
        }
    }
    *n_words = n;
    if (n_instructions) {
        *n_instructions = count_instructions(&e->main) + count_instructions(&e->functions);
    }
    return w;
}

const uint32_t *emit_module(struct ir_program *p, uint32_t *n_words, uint32_t *n_instructions)
{
    struct emit *const e = ARENA_NEW(p->a, struct emit, 1);
    if (!e || !p->ok) {
        return NULL;
    }
    e->p = p;
    e->next_id = 1;
    spv_words_init(&e->decorations, p->a);
    spv_words_init(&e->types, p->a);
    spv_words_init(&e->main, p->a);
    spv_words_init(&e->functions, p->a);
    spv_words_init(&e->locals, p->a);
    e->entry = emit_new_id(e);
    if (p->env == ENV_CL) {
        emit_cl_variables(e);
        emit_cl_entry(e);
    } else {
        emit_vk_variables(e);
        emit_vk_entry(e);
    }
    emit_odd(e, ODD_FUNCTION, IR_F32, e->entry);
    emit_odd(e, ODD_FUNCTION, IR_F32, emit_type(e, IR_VOID));
    emit_body(e);
    return assemble(e, n_words, n_instructions);
}
