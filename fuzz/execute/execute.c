/* fuzz/execute/execute.c -- the request of an executor as bytes, and its run. */
#include "fuzz/execute/execute.h"

#include <string.h>

#include "fuzz/execute/trace_print.h"
#include "fuzz/process/child_time.h"
#include "oracle/nir/nir.h"

/* About three seconds: most cases take a thousandth of that. */
#define EXECUTE_MAX_STEPS UINT64_C(300000000)

/* The layout: driver, size of sub-groups, is_traced, buf, byte, bytes of the text (u32 each), the text, the case. */
enum {
    HEAD_BYTES = 24
};

const unsigned char *execute_encode(const struct execute_request *q, struct arena *a, size_t *n)
{
    struct bytes b;
    size_t n_case = 0;
    const unsigned char *const tc = testcase_encode(&q->tc, a, &n_case);
    bytes_init(&b, a);
    bytes_put_u32(&b, (uint32_t)q->driver);
    bytes_put_u32(&b, q->subgroup_size);
    bytes_put_u32(&b, q->is_traced);
    bytes_put_u32(&b, q->buf);
    bytes_put_u32(&b, q->byte);
    bytes_put_str(&b, q->text);
    if (!tc) {
        return NULL;
    }
    bytes_put(&b, tc, n_case);
    *n = b.n;
    return b.ok ? b.p : NULL;
}

enum res execute_decode(struct execute_request *q, struct arena *a, const void *p, size_t n,
                        struct err *e)
{
    struct reader r = {p, n, 0, 1};
    uint32_t const driver = reader_u32(&r);
    q->subgroup_size = reader_u32(&r);
    q->is_traced = reader_u32(&r) != 0;
    q->buf = reader_u32(&r);
    q->byte = reader_u32(&r);
    uint32_t const n_text = reader_u32(&r);
    const unsigned char *const text = reader_take(&r, n_text);
    if (!r.ok || driver >= NIR_DRIVER_N) {
        return err_set(e, RES_FORMAT, "request: byte %zu: %s", r.pos,
                       r.ok ? "unknown driver" : "cut short");
    }
    q->driver = (enum nir_driver)driver;
    q->text = arena_copy(a, text, n_text);
    if (!q->text) {
        return err_set(e, RES_NOMEM, "request: no room for a text of %u bytes", n_text);
    }
    return testcase_decode(&q->tc, a, (const unsigned char *)p + HEAD_BYTES + n_text,
                           n - HEAD_BYTES - n_text, e);
}

static struct nir_request make_request(const struct execute_request *q)
{
    return (struct nir_request){.text = q->text,
                                .n_bytes = strlen(q->text),
                                .driver = q->driver,
                                .subgroup_size = q->subgroup_size,
                                .max_steps = EXECUTE_MAX_STEPS};
}

void execute_trace(const struct execute_request *q, struct arena *a, struct observation *ob)
{
    struct nir_request const request = make_request(q);
    struct nir_trace trace = {.buf = q->buf, .byte = q->byte};
    bool const is_there = nir_trace(&request, &q->tc, a, &trace);
    *ob = (struct observation){
        .status = RUN_BUILT, .phase = PHASE_BUILD, .signature = "", .facts = ""};
    ob->log = is_there ? trace_print(q->text, &trace, a) : "";
}

void execute_run(const struct execute_request *q, struct arena *a, struct observation *ob)
{
    struct nir_answer answer;
    uint64_t const begin_ns = child_now_ns();
    struct nir_request const request = make_request(q);
    if (!nir_run(&request, &q->tc, a, ob, &answer)) {
        *ob = (struct observation){
            .status = RUN_SKIPPED, .phase = PHASE_RUN, .signature = "", .facts = ""};
        ob->log = arena_printf(a, EXECUTE_SKIPPED "%s", answer.text);
    }
    ob->run_ns = child_now_ns() - begin_ns;
}
