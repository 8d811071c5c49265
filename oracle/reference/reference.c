/* oracle/reference/reference.c -- how far stored floats are from what the module gives where no operation rounds. */
#include "oracle/reference/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/ops.h"
#include "base/testcase.h"
#include "oracle/interp/module.h"
#include "oracle/judge/judge.h"
#include "oracle/judge_state/policy.h"
#include "oracle/num/mp.h"
#include "oracle/reference/reference_op.h"
#include "oracle/value/expression.h"
#include "oracle/value/value.h"
#include "oracle/value/value_set.h"
#include "oracle/value/value_shape.h"

enum {
    MAX_CODES = 512
};

/* A float that is stored. */
struct stored {
    uint32_t buf, byte;
    uint8_t fmt;
    bool is_known, is_bounded;
    struct reference_number exact;
    int64_t lo, hi; /* keys of the permitted values */
};

/* One interpretation. A result is found by the mark that the interpreter's values carry through memory and registers (made_by). */
struct run {
    const struct testcase *tc;
    struct arena *a;
    struct reference_number *result; /* [n], by made_by */
    bool *is_known;
    uint32_t n, cap;
    struct stored *stored;
    uint32_t n_stored, cap_stored;
    uint32_t *at[CASE_MAX_BUFS]; /* 1 + index of `stored`, by byte / 2 */
    uint32_t code[MAX_CODES];    /* float instructions that were executed, by offset */
    uint32_t n_codes;
    uint32_t rounded; /* offset of the one whose result is rounded; 0: none */
    bool is_full;
};

static bool begin(void *state, struct judge *j)
{
    struct run *const r = state;
    (void)j;
    r->n_stored = 0;
    for (uint32_t i = 0; i < r->n; i++) {
        r->is_known[i] = false;
    }
    for (uint32_t i = 0; i < r->tc->n_bufs; i++) {
        memset(r->at[i], 0, (r->tc->bufs[i].n_bytes / 2 + 1) * sizeof *r->at[i]);
    }
    return true;
}

/* Makes room for result i. */
static bool reserve(struct run *r, uint32_t i)
{
    while (r->n <= i && !r->is_full) {
        uint32_t const cap = r->cap ? 2 * r->cap : 1024;
        if (r->n == r->cap) {
            struct reference_number *const all = ARENA_NEW(r->a, struct reference_number, cap);
            bool *const known = ARENA_NEW(r->a, bool, cap);
            if (cap > REFERENCE_MAX_RESULTS || !all || !known) {
                r->is_full = true;
                return false;
            }
            if (r->n) {
                memcpy(all, r->result, r->n * sizeof *all);
                memcpy(known, r->is_known, r->n * sizeof *known);
            }
            r->result = all;
            r->is_known = known;
            r->cap = cap;
        }
        r->is_known[r->n++] = false;
    }
    return !r->is_full;
}

/* What an operand that nothing here has computed is taken for: the only permitted value; of several that are zeros and one
 * subnormal, as where an input may be flushed, the subnormal; of NaNs any. */
static bool get_member(const struct judge *j, struct val v, int fmt, uint64_t *bits)
{
    const struct float_format *const f = &float_formats[fmt];
    struct set scratch;
    const struct set *const s = value_get_set(&j->x, v, (enum fmt_id)fmt, &scratch);
    if (!s || (s->n == 0 && s->flags == 0)) {
        return false;
    }
    if (s->n == 0) {
        *bits = f->exp | f->quiet;
        return true;
    }
    uint64_t const lo = format_from_key(f, s->r[0].lo);
    uint64_t const hi = format_from_key(f, s->r[s->n - 1].hi);
    bool const is_tiny = (lo & f->exp) == 0 && (hi & f->exp) == 0;
    *bits = (lo & ~f->sign) > (hi & ~f->sign) ? lo : hi;
    return is_tiny || lo == hi;
}

/* The exact number of a value of that format, or of an integer (fmt -1). */
static bool get_number(const struct run *r, const struct judge *j, struct val v, int fmt,
                       bool is_signed, unsigned n_bits, struct reference_number *out)
{
    uint64_t bits = 0;
    if (v.made_by && v.made_by < r->n && r->is_known[v.made_by]) {
        *out = r->result[v.made_by];
        return true;
    }
    if (!exec_known(&j->x, v, &bits) && (fmt < 0 || !get_member(j, v, fmt, &bits))) {
        return false;
    }
    if (fmt >= 0) {
        reference_set_float(out, &float_formats[fmt], bits);
    } else {
        reference_set_int(out, bits, n_bits, is_signed);
    }
    return true;
}

/* The scalars of the operands of component c. -1: one is not known. */
static int gather(const struct run *r, const struct judge *j, const struct policy_site *site,
                  uint32_t c, struct reference_call *call)
{
    const struct mod_inst *const in = site->in;
    bool const is_signed = in->op == SpvOpConvertSToF;
    for (uint32_t i = value_first_operand(in->op); i < in->n; i++) {
        uint32_t const id = module_get_operand(&j->m, in, i);
        const struct mod_id *const from = &j->m.ids[id];
        int const fmt = module_get_format(&j->m, from->type);
        bool const is_whole = reference_takes_vectors(in->op);
        uint32_t const first = is_whole || from->n_slots == 1 ? 0 : c;
        uint32_t const n = is_whole ? from->n_slots : 1;
        for (uint32_t k = first; k < first + n; k++) {
            if (call->n == REFERENCE_MAX_ARGS || k >= from->n_slots ||
                !get_number(r, j, exec_reg(&j->x, site->inv, id)[k], fmt, is_signed,
                            j->m.ids[from->type].t.bits, &call->arg[call->n++])) {
                return -1;
            }
        }
    }
    return 0;
}

static void note_code(struct run *r, uint32_t offset)
{
    for (uint32_t i = 0; i < r->n_codes; i++) {
        if (r->code[i] == offset) {
            return;
        }
    }
    if (r->n_codes < MAX_CODES) {
        r->code[r->n_codes++] = offset;
    }
}

/* A float instruction has its result: each component gets a mark, and beside it its exact number. */
static void see_result(struct run *r, struct judge *j, const struct policy_site *site)
{
    const struct mod_inst *const in = site->in;
    int const fmt = in->result ? module_get_format(&j->m, j->m.ids[in->result].type) : -1;
    if (fmt < 0 || r->is_full) {
        return;
    }
    note_code(r, in->offset);
    for (uint32_t c = 0; c < site->result->n && c < j->m.ids[in->result].n_slots; c++) {
        struct val *const v = &site->result->v[c];
        struct reference_call call = {.op = in->op};
        struct reference_number exact;
        uint64_t bits = 0;
        bool is_known = gather(r, j, site, c, &call) == 0 && reference_evaluate(&call, &exact);
        if (!is_known && (exec_known(&j->x, *v, &bits) || get_member(j, *v, fmt, &bits))) {
            /* no rule: what it must give */
            reference_set_float(&exact, &float_formats[fmt], bits);
            is_known = true;
        }
        if (is_known && r->rounded == in->offset) {
            reference_round(&exact, &float_formats[fmt]);
        }
        struct val none = {.bits = 0};
        *v = expression_record(&j->x, *v,
                               &(struct expression){.code = (uint32_t)(j->m.ids[in->result].def),
                                                    .component = c,
                                                    .fmt = (uint8_t)fmt,
                                                    .n_args = 1,
                                                    .arg = &none});
        if (v->made_by && reserve(r, v->made_by)) {
            r->is_known[v->made_by] = is_known;
            if (is_known) {
                r->result[v->made_by] = exact;
            }
        }
    }
}

/* A scalar is stored. */
static void see_store(struct run *r, struct judge *j, const struct policy_site *site)
{
    uint32_t const object = site->in->op == SpvOpStore ? module_get_operand(&j->m, site->in, 2) : 0;
    int const fmt = object ? module_get_format(&j->m, j->m.ids[object].type) : -1;
    struct location const at = site->location;
    if (fmt < 0 || at.space != SPACE_BUFFER || at.object >= r->tc->n_bufs ||
        at.offset >= r->tc->bufs[at.object].n_bytes) {
        return;
    }
    uint32_t *const index = &r->at[at.object][at.offset / 2];
    if (!*index) {
        if (r->n_stored == r->cap_stored) {
            struct stored *const all =
                arena_grow(r->a, r->stored, r->n_stored, &r->cap_stored, sizeof *all);
            if (!all) {
                r->is_full = true;
                return;
            }
            r->stored = all;
        }
        *index = ++r->n_stored;
    }
    struct stored *const s = &r->stored[*index - 1];
    struct set scratch;
    const struct set *const permitted =
        value_get_set(&j->x, site->value, (enum fmt_id)fmt, &scratch);
    *s = (struct stored){.buf = at.object, .byte = at.offset, .fmt = (uint8_t)fmt};
    s->is_known = get_number(r, j, site->value, fmt, false, 0, &s->exact);
    s->is_bounded = permitted && permitted->n > 0;
    if (s->is_bounded) {
        s->lo = permitted->r[0].lo;
        s->hi = permitted->r[permitted->n - 1].hi;
    }
}

static void see(void *state, struct judge *j, const struct policy_site *site)
{
    if (site->kind == SITE_RESULT) {
        see_result(state, j, site);
    } else if (site->kind == SITE_STORE) {
        see_store(state, j, site);
    }
}

static enum res interpret(struct run *r, const struct observation *ob, struct arena *a,
                          struct err *e)
{
    struct judge_policy const policy = {.state = r, .begin = begin, .site = see};
    struct judgement *const g = ARENA_NEW(a, struct judgement, 1);
    if (!g) {
        return err_set(e, RES_NOMEM, "no memory for a judgement");
    }
    TRY(judge_run_under(r->tc, ob, &policy, a, g, e));
    if (g->kind == VERDICT_INCONCLUSIVE) {
        return err_set(e, RES_LIMIT, "%s", g->note);
    }
    return r->is_full
               ? err_set(e, RES_LIMIT, "more than %d results of floats", REFERENCE_MAX_RESULTS)
               : RES_OK;
}

static enum res open_run(struct run *r, const struct testcase *tc, struct arena *a, struct err *e)
{
    *r = (struct run){.tc = tc, .a = a};
    for (uint32_t i = 0; i < tc->n_bufs; i++) {
        r->at[i] = ARENA_NEW(a, uint32_t, tc->bufs[i].n_bytes / 2 + 1);
        if (!r->at[i]) {
            return err_set(e, RES_NOMEM, "no memory for what is stored");
        }
    }
    return RES_OK;
}

/* ---- errors ---- */

/* The value beside what was observed. */
static struct reference_value compare(const struct stored *s, uint64_t got)
{
    const struct float_format *const f = &float_formats[s->fmt];
    struct reference_value out = {.byte = s->byte, .got = got};
    out.exact = reference_to_double(&s->exact);
    out.ulps = reference_ulps(&s->exact, f, got);
    struct reference_number rounded = s->exact;
    reference_round(&rounded, f);
    if (!isfinite(out.ulps) && isfinite(reference_ulps(&rounded, f, got))) {
        out.ulps = 0; /* both are beyond the format's numbers */
    }
    if (s->is_bounded) {
        double const lo = reference_ulps(&s->exact, f, format_from_key(f, s->lo));
        double const hi = reference_ulps(&s->exact, f, format_from_key(f, s->hi));
        out.permitted_ulps = lo > hi ? lo : hi;
        out.is_permitted_known = isfinite(out.permitted_ulps);
    }
    return out;
}

static int order(const void *x, const void *y)
{
    const struct reference_value *const a = x;
    const struct reference_value *const b = y;
    return a->byte < b->byte ? -1 : a->byte > b->byte;
}

static enum res sum_up(const struct run *r, const struct observation *ob, struct arena *a,
                       struct reference *out, struct err *e)
{
    for (uint32_t buf = 0; buf < r->tc->n_bufs; buf++) {
        struct reference_buffer *const b = &out->buf[buf];
        struct reference_value *const values =
            ARENA_NEW(a, struct reference_value, r->n_stored + 1);
        double sum = 0;
        if (!values) {
            return err_set(e, RES_NOMEM, "no memory for errors");
        }
        for (uint32_t i = 0; i < r->n_stored; i++) {
            const struct stored *const s = &r->stored[i];
            const struct float_format *const f = &float_formats[s->fmt];
            uint64_t got = 0;
            if (s->buf != buf ||
                !observation_get_word(ob, r->tc, buf, s->byte, f->n_bits / 8, &got)) {
                continue;
            }
            b->n_nan += format_is_nan(f, got) != 0;
            b->n_infinite += (got & ~f->sign) == f->exp;
            b->n_subnormal += format_is_subnormal(f, got) != 0;
            if (!s->is_known) {
                b->n_unknown++;
                continue;
            }
            struct reference_value const v = compare(s, got);
            values[b->n++] = v;
            b->n_permitted += v.is_permitted_known;
            if (!isfinite(v.ulps)) {
                b->n_apart++;
                continue;
            }
            sum += v.ulps;
            double const absolute = reference_distance(&s->exact, f, got);
            b->max_absolute =
                isfinite(absolute) && absolute > b->max_absolute ? absolute : b->max_absolute;
            if (b->n == b->n_apart + 1 || v.ulps > b->max_ulps) {
                b->max_ulps = v.ulps;
                b->worst_byte = v.byte;
                b->permitted_ulps = v.is_permitted_known ? v.permitted_ulps : 0;
            }
        }
        b->mean_ulps = b->n > b->n_apart ? sum / (b->n - b->n_apart) : 0;
        qsort(values, b->n, sizeof *values, order);
        b->value = values;
    }
    return RES_OK;
}

/* How far the exact numbers of two interpretations are apart, in ulps of the stored formats. */
static double count_movement(const struct run *r, const struct run *with)
{
    double sum = 0;
    for (uint32_t i = 0; i < r->n_stored && i < with->n_stored; i++) {
        if (r->stored[i].is_known && with->stored[i].is_known) {
            double const ulps = reference_ulps_between(&r->stored[i].exact, &with->stored[i].exact,
                                                       &float_formats[r->stored[i].fmt]);
            sum += isfinite(ulps) ? ulps : 0;
        }
    }
    return sum;
}

/* Each instruction's result rounded, all others exact: the one that moves most. */
static enum res find_worst(const struct run *r, const struct observation *ob, struct arena *a,
                           struct reference *out, struct err *e)
{
    double sum = 0, most = 0;
    for (uint32_t i = 0; i < r->n_codes && i < REFERENCE_MAX_ROUNDED; i++) {
        struct arena_mark const mark = arena_get_mark(a);
        struct run with;
        TRY(open_run(&with, r->tc, a, e));
        with.rounded = r->code[i];
        TRY(interpret(&with, ob, a, e));
        double const moved = count_movement(r, &with);
        sum += moved;
        if (moved > most) {
            most = moved;
            out->worst_offset = r->code[i];
        }
        arena_release(a, mark);
    }
    out->worst_share = sum > 0 ? most / sum : 0;
    return RES_OK;
}

enum res reference_compute(const struct testcase *tc, const struct observation *ob, struct arena *a,
                           struct reference *out, struct err *e)
{
    struct run r;
    *out = (struct reference){.worst_offset = 0};
    TRY(open_run(&r, tc, a, e));
    TRY(interpret(&r, ob, a, e));
    TRY(sum_up(&r, ob, a, out, e));
    return find_worst(&r, ob, a, out, e);
}
