/* fuzz/kernel_run/kernel_try.c -- a kernel's case on one target after the other. */
#include "fuzz/kernel_run/kernel_try.h"

#include <string.h>

#include "base/caps.h"
#include "base/format.h"
#include "fuzz/kernel/kernel_type.h"
#include "fuzz/pool/front_end.h"
#include "fuzz/pool/handle.h"
#include "oracle/sim/sim_facts.h"
#include "oracle/tables/tables.h"
#include "oracle/vouch/vouch.h"

#define TRY_ARENA_BYTES ((size_t)1 << 30)

/* Copies of all that is kept of a run whose arena goes. */
static enum res keep(const struct run *run, struct arena *a, struct try_result *out, struct err *e)
{
    struct testcase const tc = out->tc;
    size_t n = 0;
    const unsigned char *const bytes = observation_encode(&tc, &run->ob, a, &n);
    if (!bytes) {
        return err_set(e, RES_NOMEM, "%s: no room for what was observed", out->target->name);
    }
    return observation_decode(&out->ob, &tc, a, bytes, n, e);
}

static enum res run_case(const struct target *t, struct run *run, struct err *e)
{
    enum {
        SEED = 1
    };
    if (t->kind == TARGET_WORKER) {
        /* the deadline is that of a generated case: a larger module has a later one */
        struct target patient = *t;
        patient.case_ns += t->case_ns * (run->tc.n_words / HANDLE_USUAL_WORDS);
        return handle_run_once(&patient, run, e);
    }
    const char *const facts = sim_facts(run->tc.env, SEED, &run->arena);
    enum res const r = front_end_run_sim(t, &run->tc, SEED, facts, &run->arena, &run->ob, e);
    run->ob.facts = facts;
    return r;
}

/* Does the target list what the case needs? Why not, else NULL. */
static const char *find_reason(const struct target *t, const struct testcase *tc, struct arena *a)
{
    const char *facts = "";
    struct err e = {RES_OK, ""};
    if (t->env != tc->env && !t->alternates) {
        return "the kernel is for another API";
    }
    if (t->kind == TARGET_SIM) {
        return NULL;
    }
    if (handle_get_facts(t, a, &facts, &e) != RES_OK) {
        return arena_printf(a, "%s", e.text);
    }
    if (facts_get_fit(facts, &tc->needs) == FIT_LISTED) {
        return NULL;
    }
    int const need = facts_first_unmet(facts, &tc->needs);
    return need < 0 ? "the target does not list a feature that the kernel needs"
                    : arena_printf(a, "the target does not list %s", cap_rows[need].id);
}

void try_excuse_bad_end(const struct testcase *tc, const struct observation *ob, struct arena *a,
                        struct judgement *g)
{
    struct err why = {RES_OK, ""};
    /* a refusal is an answer of the driver, whatever the kernel does */
    bool const is_accused =
        ob->status != RUN_DONE && ob->status != RUN_REJECT &&
        verdict_rows[g->kind].part == PART_VIOLATION &&
        (ob->phase == PHASE_RUN || ob->phase == PHASE_READ || ob->phase == PHASE_DONE);
    if (is_accused && vouch_case(tc, &why) != RES_OK) {
        *g = (struct judgement){
            .kind = VERDICT_INCONCLUSIVE,
            .n_inconclusive = 1,
            .note = arena_printf(
                a, "the run ended badly (%s), which the kernel itself may have caused: %s",
                run_status_names[ob->status], why.text)};
    }
}

void try_set_text(struct testcase *tc, const char *source, struct arena *a)
{
    tc->language = LANGUAGE_OPENCL_C;
    tc->source = source;
    /* a driver takes a text without it for OpenCL C 1.2 */
    tc->build_options =
        arena_printf(a, "-cl-std=CL3.0%s%s", tc->build_options[0] ? " " : "", tc->build_options);
    needs_add(&tc->needs, NEED_CL_C_3_0);
}

enum res try_run(const struct target *t, const struct testcase *tc, const char *source,
                 struct arena *a, struct try_result *out, struct err *e)
{
    struct err why = {RES_OK, ""};
    *out = (struct try_result){.target = t, .tc = *tc};
    if (t->language == LANGUAGE_OPENCL_C) {
        if (!source[0]) {
            out->reason = "the target accepts only source text, and the file is a module";
            return RES_OK;
        }
        try_set_text(&out->tc, source, a);
    }
    out->reason = find_reason(t, &out->tc, a);
    if (out->reason) {
        return RES_OK;
    }
    struct run *const run = ARENA_NEW(a, struct run, 1);
    if (!run) {
        return err_set(e, RES_NOMEM, "no memory for a run");
    }
    run->tc = out->tc;
    arena_init(&run->arena, TRY_ARENA_BYTES);
    enum res r = run_case(t, run, &why);
    if (r == RES_OK) {
        r = keep(run, a, out, e);
    } else {
        out->reason = arena_printf(a, "%s", why.text);
        r = RES_OK;
    }
    arena_free(&run->arena);
    if (r != RES_OK || out->reason) {
        return r;
    }
    TRY(judge_run(&out->tc, &out->ob, a, &out->g, e));
    try_excuse_bad_end(&out->tc, &out->ob, a, &out->g);
    return RES_OK;
}

/* ---- the difference of two ---- */

struct comparison {
    const unsigned char *a, *b;
    uint32_t buf;
    struct try_difference out;
};

static uint64_t count_ulps(const struct kernel_scalar *s, uint64_t a, uint64_t b)
{
    enum fmt_id const fmt = s->is_bfloat ? FMT_BF16 : format_of_bits(s->n_bits);
    const struct float_format *const f = &float_formats[fmt];
    if (!s->is_float || format_is_nan(f, a) || format_is_nan(f, b)) {
        return UINT64_MAX;
    }
    int64_t const x = format_to_key(f, a), y = format_to_key(f, b);
    return x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x;
}

static void compare_number(void *of, const struct kernel_scalar *s)
{
    struct comparison *const x = of;
    uint64_t const a = load_le(x->a + s->byte, s->n_bits / 8);
    uint64_t const b = load_le(x->b + s->byte, s->n_bits / 8);
    if (a == b) {
        return;
    }
    if (x->out.n++ == 0) {
        x->out = (struct try_difference){.is_there = true,
                                         .n = 1,
                                         .buf = x->buf,
                                         .byte = s->byte,
                                         .n_bits = s->n_bits,
                                         .is_float = s->is_float,
                                         .is_bfloat = s->is_bfloat,
                                         .a = a,
                                         .b = b,
                                         .n_ulps = count_ulps(s, a, b)};
    }
}

struct try_difference try_compare(const struct kernel *k, const struct try_result *a,
                                  const struct try_result *b)
{
    struct comparison x = {.out = {.is_there = false}};
    if (a->reason || b->reason || a->ob.status != RUN_DONE || b->ob.status != RUN_DONE) {
        return x.out;
    }
    for (uint32_t i = 0; i < a->ob.n_bufs && i < b->ob.n_bufs && i < k->shape.n_bufs; i++) {
        x.a = a->ob.out[i];
        x.b = b->ob.out[i];
        x.buf = i;
        if (a->tc.bufs[i].kind != BUF_VALUE) {
            kernel_type_visit(&k->types, k->shape.bufs[i].type, a->tc.bufs[i].n_bytes,
                              compare_number, &x);
        }
    }
    return x.out;
}
