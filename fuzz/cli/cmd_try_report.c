/* fuzz/cli/cmd_try_report.c -- how far the floats of a kernel are off. */
#include "fuzz/cli/cmd_try_report.h"

#include <inttypes.h>

#include "base/printable.h"
#include "fuzz/io/show.h"
#include "oracle/reference/reference.h"

#define REPORT_ARENA_BYTES ((size_t)2 << 30)

/* The number of a buffer as the user counts, and its name. */
static const char *name_buffer(const struct kernel *k, uint32_t i, struct arena *a)
{
    bool const is_known = i < k->shape.n_bufs;
    const char *const name = is_known ? k->shape.bufs[i].name : "";
    return arena_printf(a, name[0] ? "buffer %" PRIu32 " (%s)" : "buffer %" PRIu32,
                        is_known ? k->shape.bufs[i].number : i, name);
}

static void print_buffer(const struct kernel *k, const struct reference_buffer *b, uint32_t i,
                         struct arena *a)
{
    if (b->n + b->n_unknown == 0) {
        return;
    }
    printable_print(stdout, "    %s: %" PRIu32 " floats", name_buffer(k, i, a), b->n);
    if (b->n > b->n_apart) {
        printable_print(stdout, ", largest error %.3g ulp at byte %" PRIu32, b->max_ulps,
                        b->worst_byte);
        if (b->permitted_ulps > 0) {
            printable_print(stdout, " (%.3g permitted there)", b->permitted_ulps);
        }
        printable_print(stdout, ", mean %.3g ulp, largest %.3g absolute", b->mean_ulps,
                        b->max_absolute);
    }
    if (b->n_nan + b->n_infinite + b->n_subnormal > 0) {
        printable_print(stdout,
                        "; %" PRIu32 " NaNs, %" PRIu32 " infinities, %" PRIu32 " subnormals",
                        b->n_nan, b->n_infinite, b->n_subnormal);
    }
    if (b->n_apart > 0) {
        printable_print(stdout, "; %" PRIu32 " finite where the exact value is not, or the reverse",
                        b->n_apart);
    }
    if (b->n_unknown > 0) {
        printable_print(stdout, "; of %" PRIu32 " more no exact value is known", b->n_unknown);
    }
    (void)putchar('\n');
}

void try_report_print(const struct kernel *k, const struct try_result *x, const char *disassembly)
{
    struct arena a;
    struct err e;
    arena_init(&a, REPORT_ARENA_BYTES);
    struct reference *const r = ARENA_NEW(&a, struct reference, 1);
    enum res const res = r ? reference_compute(&x->tc, &x->ob, &a, r, &e)
                           : err_set(&e, RES_NOMEM, "no memory for a report");
    if (res != RES_OK) {
        printable_print(stdout, "    no report: %s\n", e.text);
    }
    for (uint32_t i = 0; res == RES_OK && i < x->tc.n_bufs; i++) {
        print_buffer(k, &r->buf[i], i, &a);
    }
    if (res == RES_OK && r->worst_offset) {
        printable_print(stdout, "    most by the rounding of %s (%.0f%% of all)\n",
                        show_instruction(disassembly, r->worst_offset, &a), 100 * r->worst_share);
    }
    arena_free(&a);
}

static struct json *describe_buffer(const struct kernel *k, const struct reference_buffer *b,
                                    uint32_t i)
{
    struct json *const o = json_new_object();
    struct json *const errors = json_new_array();
    bool const is_known = i < k->shape.n_bufs;
    json_put_number(o, "buffer", is_known ? k->shape.bufs[i].number : i);
    json_put_text(o, "name", is_known ? k->shape.bufs[i].name : "");
    json_put_number(o, "floats", b->n);
    json_put_number(o, "unknown", b->n_unknown);
    json_put_real(o, "max_ulps", b->max_ulps);
    json_put_real(o, "mean_ulps", b->mean_ulps);
    json_put_real(o, "max_absolute", b->max_absolute);
    json_put_real(o, "permitted_ulps", b->permitted_ulps);
    json_put_number(o, "worst_byte", b->worst_byte);
    json_put_number(o, "nans", b->n_nan);
    json_put_number(o, "infinities", b->n_infinite);
    json_put_number(o, "subnormals", b->n_subnormal);
    json_put_number(o, "apart", b->n_apart);
    for (uint32_t n = 0; n < b->n; n++) {
        json_push_real(errors, b->value[n].ulps);
    }
    json_put(o, "ulps", errors);
    return o;
}

struct json *try_report_json(const struct kernel *k, const struct try_result *x,
                             const char *disassembly)
{
    struct arena a;
    struct err e;
    struct json *o = NULL;
    arena_init(&a, REPORT_ARENA_BYTES);
    struct reference *const r = ARENA_NEW(&a, struct reference, 1);
    if (r && reference_compute(&x->tc, &x->ob, &a, r, &e) == RES_OK) {
        struct json *const buffers = json_new_array();
        o = json_new_object();
        for (uint32_t i = 0; i < x->tc.n_bufs; i++) {
            if (r->buf[i].n + r->buf[i].n_unknown > 0) {
                json_push(buffers, describe_buffer(k, &r->buf[i], i));
            }
        }
        json_put(o, "buffers", buffers);
        json_put_text(o, "most_by", show_instruction(disassembly, r->worst_offset, &a));
        json_put_real(o, "share", r->worst_share);
    }
    arena_free(&a);
    return o;
}
