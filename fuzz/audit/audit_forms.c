/* fuzz/audit/audit_forms.c -- the kernel of a row: its memory, and which forms the driver compiles. */
#include <errno.h>
#include <string.h>

#include "fuzz/audit/audit_row.h"

/*
 * Block size, measured with exp on f32 on a CPU runtime, 2 cores: the ring should stay in the last
 * cache, and a block should take the device over a millisecond, as each costs it a wake-up.
 */
enum {
    ROW_BLOCK_ITEMS = 1 << 20,
    ROW_SEARCH_ITEMS = 1 << 12,
    ROW_RING_BYTES = 96 << 20,
    ROW_MIN_BLOCKS = 16 /* of a small row: every judge has some */
};

/* The module of the forms that are not refused; only >= 0: of that one alone. */
static enum res make_stream(struct row_run *t, int only, struct err *e)
{
    const struct audit_row *const row = t->row;
    const struct func_row *const f = &func_rows[row->func];
    uint32_t n = 0;
    for (uint32_t i = 0; i < row->n_forms; i++) {
        const struct audit_form *const form = &row->form[i];
        if (form->is_refused || (only >= 0 && (uint32_t)only != i)) {
            continue;
        }
        t->forms[n] =
            (struct audit_module_form){.op = form->op, .is_decorated = form->is_decorated};
        memcpy(&t->forms[n].max_error, &form->max_error, sizeof t->forms[n].max_error);
        t->form[n++] = i;
    }
    t->module = (struct audit_module){.env = t->u->target->env,
                                      .fmt = row->fmt,
                                      .n_args = f->n_args,
                                      .has_int = f->has_int,
                                      .has_inputs = row->depth == AUDIT_SEARCH,
                                      .n_forms = n,
                                      .forms = t->forms};
    struct stream *const s = &t->stream;
    s->n_outputs = n;
    s->module = n ? audit_module_build(&t->module, &t->a, &s->n_words) : NULL;
    return s->module || !n ? RES_OK : err_set(e, RES_NOMEM, "no room for a module");
}

static uint32_t round_block(uint64_t n)
{
    uint64_t const local = AUDIT_MODULE_LOCAL;
    return (uint32_t)((n + local - 1) / local * local);
}

/* Layout for the largest number of forms: the same for all streams of the row. */
enum res row_make_ring(struct row_run *t, struct err *e)
{
    const struct audit_row *const row = t->row;
    struct stream *const s = &t->stream;
    uint64_t n = row->depth == AUDIT_SEARCH ? ROW_SEARCH_ITEMS : ROW_BLOCK_ITEMS;
    uint64_t const share = (row->n_inputs + ROW_MIN_BLOCKS - 1) / ROW_MIN_BLOCKS;
    n = share < n ? share : n;
    *s = (struct stream){.env = t->u->target->env,
                         .entry = AUDIT_MODULE_ENTRY,
                         .build_options = "",
                         .item_bytes = float_formats[row->fmt].n_bits / 8,
                         .local = AUDIT_MODULE_LOCAL,
                         .n_slots = 2 * t->u->n_judges + 2,
                         .fd = (uint32_t)t->u->memory_fd};
    s->n_slots = s->n_slots < STREAM_MAX_SLOTS ? s->n_slots : STREAM_MAX_SLOTS;
    while (n > ROW_SEARCH_ITEMS && n * s->item_bytes * row->n_forms * s->n_slots > ROW_RING_BYTES) {
        n /= 2;
    }
    s->max_items = round_block(n);
    struct audit_module const whole = {.n_args = func_rows[row->func].n_args,
                                       .has_int = func_rows[row->func].has_int,
                                       .has_inputs = row->depth == AUDIT_SEARCH};
    s->n_inputs = audit_module_inputs(&whole);
    s->n_outputs = row->n_forms;
    t->ring_bytes = (size_t)stream_get_bytes(s);
    t->ring = audit_map_memory(t->u->memory_fd, t->ring_bytes);
    t->inputs = s->n_inputs ? audit_take_memory(t->ring_bytes) : NULL;
    if (!t->ring || (s->n_inputs && !t->inputs)) {
        return err_set(e, RES_IO, "%zu bytes of shared memory: %s", t->ring_bytes, strerror(errno));
    }
    return RES_OK;
}

/* What the driver said, kept with the row. */
const char *row_keep_text(struct row_run *t, const char *text)
{
    return arena_printf(t->u->a, "%.2000s", text);
}

/* Open the stream of make_stream. 1: it stands; 0: *why not. */
enum res row_open_stream(struct row_run *t, int *is_open, const char **why, struct err *e)
{
    struct audit_device *const d = &t->u->device;
    enum audit_device_event event = AUDIT_DEVICE_NONE;
    stream_fill_guards(&t->stream, t->ring);
    enum res const r = audit_device_open(d, &t->stream, &event, e);
    *is_open = r == RES_OK && event == AUDIT_DEVICE_STATUS && d->status.status == RUN_DONE;
    *why = "";
    if (r == RES_OK && !*is_open) {
        *why = row_keep_text(t, event == AUDIT_DEVICE_STATUS ? d->status.log : d->problem);
    }
    return r;
}

/* Which forms does the driver take? All at once, else each alone. Afterwards the stream of those
 * that it takes is open, if there are any (t->stream.n_outputs). */
enum res row_open_forms(struct row_run *t, struct err *e)
{
    const char *why = "";
    int is_open = 0;
    enum res r = make_stream(t, -1, e);
    if (r != RES_OK || t->stream.n_outputs == 0) {
        return r;
    }
    r = row_open_stream(t, &is_open, &why, e);
    if (r != RES_OK || is_open) {
        return r;
    }
    const char *const why_all = why;
    for (uint32_t i = 0; i < t->row->n_forms && r == RES_OK; i++) {
        struct audit_form *const form = &t->row->form[i];
        if (form->is_refused) {
            continue;
        }
        r = make_stream(t, (int)i, e);
        r = r == RES_OK ? row_open_stream(t, &is_open, &why, e) : r;
        form->is_refused = !is_open;
        form->log = is_open ? form->log : why;
    }
    r = r == RES_OK ? make_stream(t, -1, e) : r;
    if (r != RES_OK || t->stream.n_outputs == 0) {
        return r;
    }
    r = row_open_stream(t, &is_open, &why, e);
    if (r == RES_OK && !is_open) {
        t->row->problem = arena_printf(t->u->a, "forms compile alone, not together: %s", why_all);
        t->stream.n_outputs = 0;
    }
    return r;
}
