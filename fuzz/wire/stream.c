/* fuzz/wire/stream.c -- layout of the shared memory, and the bytes of a stream's messages. */
#include "fuzz/wire/stream.h"

#include <string.h>

uint64_t stream_get_buffer_bytes(const struct stream *s)
{
    uint64_t const n = (uint64_t)s->max_items * s->item_bytes;
    return (n + STREAM_PAGE_BYTES - 1) / STREAM_PAGE_BYTES * STREAM_PAGE_BYTES;
}

uint64_t stream_get_place(const struct stream *s, uint32_t slot, uint32_t buffer)
{
    uint64_t const index = (uint64_t)slot * (s->n_inputs + s->n_outputs) + buffer;
    return index * (stream_get_buffer_bytes(s) + STREAM_PAGE_BYTES);
}

uint64_t stream_get_bytes(const struct stream *s)
{
    return stream_get_place(s, s->n_slots, 0);
}

uint32_t stream_round_items(const struct stream *s, uint32_t n_items)
{
    return (n_items + s->local - 1) / s->local * s->local;
}

static uint64_t get_guard(const struct stream *s, uint32_t slot, uint32_t buffer)
{
    return stream_get_place(s, slot, buffer) + stream_get_buffer_bytes(s);
}

void stream_fill_guards(const struct stream *s, unsigned char *memory)
{
    for (uint32_t slot = 0; slot < s->n_slots; slot++) {
        for (uint32_t i = 0; i < s->n_inputs + s->n_outputs; i++) {
            memset(memory + get_guard(s, slot, i), STREAM_GUARD_BYTE, STREAM_PAGE_BYTES);
        }
    }
}

int stream_is_guard_hit(const struct stream *s, const unsigned char *memory, uint32_t slot)
{
    for (uint32_t i = s->n_inputs; i < s->n_inputs + s->n_outputs; i++) {
        const unsigned char *const p = memory + get_guard(s, slot, i);
        /* Every byte is the one before it, and the first is right. */
        if (p[0] != STREAM_GUARD_BYTE || memcmp(p, p + 1, STREAM_PAGE_BYTES - 1) != 0) {
            return 1;
        }
    }
    return 0;
}

const unsigned char *stream_encode(const struct stream *s, struct arena *a, size_t *n)
{
    struct bytes b;
    bytes_init(&b, a);
    bytes_put_str(&b, env_names[s->env]);
    bytes_put_str(&b, s->entry);
    bytes_put_str(&b, s->build_options);
    bytes_put_str(&b, s->source);
    const uint32_t numbers[] = {s->n_inputs, s->n_outputs, s->item_bytes, s->local,
                                s->n_slots,  s->max_items, s->fd,         s->n_words};
    for (size_t i = 0; i < ARRAY_N(numbers); i++) {
        bytes_put_u32(&b, numbers[i]);
    }
    for (uint32_t i = 0; i < s->n_words; i++) {
        bytes_put_u32(&b, s->module[i]);
    }
    *n = b.n;
    return b.ok ? b.p : NULL;
}

static enum res check_stream(const struct stream *s, struct err *e)
{
    if (s->n_inputs > STREAM_MAX_INPUTS || s->n_outputs == 0 || s->n_outputs > STREAM_MAX_OUTPUTS) {
        return err_set(e, RES_FORMAT, "stream of %u inputs and %u outputs", s->n_inputs,
                       s->n_outputs);
    }
    if (s->item_bytes != 2 && s->item_bytes != 4 && s->item_bytes != 8) {
        return err_set(e, RES_FORMAT, "stream of items of %u bytes", s->item_bytes);
    }
    if (s->n_slots == 0 || s->n_slots > STREAM_MAX_SLOTS) {
        return err_set(e, RES_FORMAT, "stream of %u slots", s->n_slots);
    }
    if (s->local == 0 || s->max_items == 0 || s->max_items > STREAM_MAX_ITEMS ||
        s->max_items % s->local != 0) {
        return err_set(e, RES_FORMAT, "stream of %u items in work-groups of %u", s->max_items,
                       s->local);
    }
    return RES_OK;
}

/* A string, a length of 4 bytes before its text, that has no end before its length. */
static const char *get_text(struct reader *r, struct arena *a)
{
    size_t const text_at = r->pos + 4;
    const char *const text = reader_str(r, a);
    r->ok = r->ok && text_at + strlen(text) == r->pos;
    return text;
}

/* Read a stream's description, as the scheduler sends it: texts, numbers, then the module's
 * words up to the end. RES_FORMAT: it is incomplete, or has numbers that do not fit. */
enum res stream_decode(struct stream *s, struct arena *a, const void *p, size_t n, struct err *e)
{
    struct reader r = {.p = p, .n = n, .ok = 1};
    memset(s, 0, sizeof *s);
    const char *const env = get_text(&r, a);
    s->entry = get_text(&r, a);
    s->build_options = get_text(&r, a);
    s->source = get_text(&r, a);
    uint32_t *const numbers[] = {&s->n_inputs, &s->n_outputs, &s->item_bytes, &s->local,
                                 &s->n_slots,  &s->max_items, &s->fd,         &s->n_words};
    for (size_t i = 0; i < ARRAY_N(numbers); i++) {
        *numbers[i] = reader_u32(&r);
    }
    if (!r.ok || s->n_words > CASE_MAX_MODULE_WORDS || n - r.pos != 4 * (size_t)s->n_words) {
        return err_set(e, RES_FORMAT, "stream of %zu bytes for %u words", n, s->n_words);
    }
    int const is_vk = strcmp(env, env_names[ENV_VK]) == 0;
    if (!is_vk && strcmp(env, env_names[ENV_CL]) != 0) {
        return err_set(e, RES_FORMAT, "stream of environment \"%.20s\"", env);
    }
    s->env = is_vk ? ENV_VK : ENV_CL;
    uint32_t *const module = ARENA_NEW(a, uint32_t, s->n_words + 1);
    if (!module) {
        return err_set(e, RES_NOMEM, "no room for a module of %u words", s->n_words);
    }
    for (uint32_t i = 0; i < s->n_words; i++) {
        module[i] = reader_u32(&r);
    }
    s->module = module;
    return check_stream(s, e);
}

void stream_encode_block(const struct stream_block *b, unsigned char out[STREAM_BLOCK_BYTES])
{
    store_le(out, b->slot, 4);
    store_le(out + 4, b->base, 4);
    store_le(out + 8, b->n_items, 4);
}

enum res stream_decode_block(struct stream_block *b, const struct stream *s, const void *p,
                             size_t n, struct err *e)
{
    struct reader r = {.p = p, .n = n, .ok = 1};
    *b = (struct stream_block){.slot = reader_u32(&r)};
    b->base = reader_u32(&r);
    b->n_items = reader_u32(&r);
    if (!r.ok || r.pos != n || b->slot >= s->n_slots || b->n_items == 0 ||
        b->n_items > s->max_items) {
        return err_set(e, RES_FORMAT, "block of %zu bytes: slot %u, %u items", n, b->slot,
                       b->n_items);
    }
    return RES_OK;
}

const unsigned char *stream_encode_status(const struct stream_status *s, struct arena *a, size_t *n)
{
    struct bytes b;
    bytes_init(&b, a);
    bytes_put_u32(&b, s->slot);
    bytes_put_str(&b, run_status_names[s->status]);
    bytes_put_str(&b, run_phase_names[s->phase]);
    bytes_put_u32(&b, (uint32_t)s->driver_code);
    bytes_put_u64(&b, s->ns);
    bytes_put_str(&b, s->log);
    *n = b.n;
    return b.ok ? b.p : NULL;
}

static int find_name(const char *name, const char *const *names, int n)
{
    int i = 0;
    while (i < n && strcmp(name, names[i]) != 0) {
        i++;
    }
    return i;
}

enum res stream_decode_status(struct stream_status *s, struct arena *a, const void *p, size_t n,
                              struct err *e)
{
    struct reader r = {.p = p, .n = n, .ok = 1};
    memset(s, 0, sizeof *s);
    s->slot = reader_u32(&r);
    int const status = find_name(get_text(&r, a), run_status_names, RUN_STATUS_N);
    int const phase = find_name(get_text(&r, a), run_phase_names, RUN_PHASE_N);
    s->driver_code = (int32_t)reader_u32(&r);
    s->ns = reader_u64(&r);
    s->log = get_text(&r, a);
    if (!r.ok || r.pos != n || status == RUN_STATUS_N || phase == RUN_PHASE_N) {
        return err_set(e, RES_FORMAT, "answer of %zu bytes is not a status", n);
    }
    s->status = (enum run_status)status;
    s->phase = (enum run_phase)phase;
    return RES_OK;
}
