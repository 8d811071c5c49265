/* gen/emit_module.c -- capabilities and extensions from the needs, and the parts of a module joined. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "gen/emit.h"

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
        e->p->ok = 0;
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

static const uint32_t *assemble(struct emit *e, uint32_t *n_words, uint32_t *n_instructions)
{
    struct spv_words head;
    struct spv_words all;
    spv_words_init(&head, e->p->a);
    spv_words_init(&all, e->p->a);
    put_capabilities(e, &head);
    put_extensions(e, &head);
    if (e->amd_set != 0) {
        spv_put_string(&head, SpvOpExtInstImport, &e->amd_set, 1, "SPV_AMD_shader_ballot", NULL, 0);
    }
    if (e->p->env == ENV_CL) {
        emit_cl_frame(e, &head);
    } else {
        emit_vk_frame(e, &head);
    }
    uint32_t const header[SPV_HEADER_WORDS] = {SpvMagicNumber, e->p->version, 0, e->next_id, 0};
    uint32_t const n =
        SPV_HEADER_WORDS + head.n + e->decorations.n + e->types.n + e->main.n + e->functions.n;
    uint32_t *const w = ARENA_NEW(e->p->a, uint32_t, n);
    if (!w || !head.ok || !e->decorations.ok || !e->types.ok || !e->main.ok || !e->functions.ok ||
        !e->p->ok) {
        return NULL;
    }
    memcpy(w, header, sizeof header);
    uint32_t at = SPV_HEADER_WORDS;
    const struct spv_words *const parts[] = {&head, &e->decorations, &e->types, &e->main,
                                             &e->functions};
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
    e->entry = emit_new_id(e);
    if (p->env == ENV_CL) {
        emit_cl_variables(e);
        emit_cl_entry(e);
    } else {
        emit_vk_variables(e);
        emit_vk_entry(e);
    }
    emit_body(e);
    return assemble(e, n_words, n_instructions);
}
