/* fuzz/audit/audit_mirror.c -- where an odd or even function has other results for -x than for x. */
#include "fuzz/audit/audit_mirror.h"

#include "base/format.h"
#include "oracle/sweep/sweep_order.h"

bool audit_mirror_compare(struct audit_row *row)
{
    bool const is_whole = row->depth == AUDIT_EXHAUSTIVE && row->first == 0 &&
                          row->n_done == UINT64_C(1) << float_formats[row->fmt].n_bits &&
                          row->n_skipped == 0;
    bool is_any = false;
    for (uint32_t i = 0; i < row->n_forms && is_whole; i++) {
        sweep_compare_halves(&row->result[i], row->fmt);
        is_any |= row->result[i].n_asymmetric > 0;
    }
    return is_any;
}

static uint64_t load(const struct audit_mirror *m, uint32_t slot, uint32_t output, uint32_t i)
{
    const struct stream *const s = m->stream;
    return load_le(m->ring + stream_get_place(s, slot, s->n_inputs + output) +
                       (size_t)i * s->item_bytes,
                   s->item_bytes);
}

/* The results of n arguments in slot 0, and of their negatives in slot 1. */
static bool run_pair(const struct audit_mirror *m, uint32_t base, uint32_t sign, uint32_t n)
{
    struct stream_block const blocks[] = {
        {0, base,        n},
        {1, base | sign, n}
    };
    bool is_done = m->worker->state == HANDLE_IDLE;
    for (size_t i = 0; i < ARRAY_N(blocks) && is_done; i++) {
        handle_send_block(m->worker, &blocks[i]);
        is_done =
            handle_wait(m->worker) == HANDLE_EVENT_STATUS && m->worker->status.status == RUN_DONE;
    }
    return is_done;
}

/* The first argument of an output in its first binade. */
static void find_one(const struct audit_mirror *m, const struct audit_row *row, uint32_t output,
                     struct sweep_result *r)
{
    const struct float_format *const f = &float_formats[row->fmt];
    int const parity = sweep_get_parity(row->func);
    uint32_t const first = (uint32_t)r->asymmetric_x, binade = 1u << (f->prec_bits - 1);
    for (uint32_t at = 0; at < binade; at += m->stream->max_items) {
        uint32_t const left = binade - at;
        uint32_t const n = left < m->stream->max_items ? left : m->stream->max_items;
        if (!run_pair(m, first + at, (uint32_t)f->sign, n)) {
            return;
        }
        for (uint32_t i = 0; i < n; i++) {
            if (!sweep_is_mirrored(row->fmt, parity, load(m, 0, output, i),
                                   load(m, 1, output, i))) {
                r->asymmetric_x = first + at + i;
                return;
            }
        }
    }
}

void audit_mirror_find(const struct audit_mirror *m, struct audit_row *row)
{
    for (uint32_t i = 0; i < m->stream->n_outputs && m->stream->n_slots > 1; i++) {
        struct sweep_result *const r = &row->result[m->form[i]];
        if (r->n_asymmetric > 0) {
            find_one(m, row, i, r);
        }
    }
}
