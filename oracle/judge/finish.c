/* oracle/judge/finish.c -- the end of a judged dispatch: final values, chains, untouched bytes. */
#include "oracle/judge/finish.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/format.h"
#include "base/ops.h"
#include "oracle/group/reduction.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/static_place.h"
#include "oracle/judge/circumstance.h"
#include "oracle/judge/compare.h"
#include "oracle/judge/feature_judge.h"
#include "oracle/judge/judge_report.h"
#include "oracle/judge/location.h"
#include "oracle/math/rules.h"
#include "oracle/modorder/mo.h"
#include "oracle/num/exact.h"
#include "oracle/num/set.h"
#include "oracle/tables/storage.h"
#include "oracle/tables/tables.h"
#include "oracle/value/expression.h"
#include "oracle/value/expression_hull.h"
#include "oracle/value/value_set.h"

static const struct mod_inst *inst_of(const struct judge *j, const struct event *e)
{
    return &j->m.code[e->code];
}

/* Final content of a cell as observed; 0 for work-group memory, which nobody sees. */
static int get_final(const struct judge *j, const struct cell *c, uint64_t *final)
{
    if (c->place.space != SPACE_BUFFER) {
        return 0;
    }
    *final = load_le(j->ob->out[c->place.object] + c->place.offset, c->n_bits / 8);
    return 1;
}

static void finish_private(struct judge *j, const struct cell *c)
{
    uint64_t final;
    const struct event *last = &j->events[c->last - 1];
    if (get_final(j, c, &final)) {
        struct observed const o = {.in = inst_of(j, last),
                                   .e = last,
                                   .got = final,
                                   .place = c->place,
                                   .n_bits = c->n_bits};
        judge_value(j, &o, c->cur);
    }
}

/* What a contended cell holds, for grading: what takes part in it? */
struct traits {
    int special, arithmetic, only_unused_adds, untouched, copies, subnormal, only_flushed, some_nan;
    bool has_range;    /* an addition whose operand may come to it unrounded */
    bool is_explained; /* by contraction or rearrangement */
    bool only_hole;    /* nothing is broken but what an instruction did that no clause permits */
    enum grade zero;   /* of a zero's sign among the operands of an integer location */
    enum clause_id zero_clause;
    double sum; /* of the magnitudes that unused additions may add up to */
};

static void note_value(const struct cell *c, uint64_t enc, struct traits *t)
{
    t->special |= value_is_special((enum fmt_id)c->fmt, enc);
    t->subnormal |= format_is_subnormal(&float_formats[c->fmt], enc);
}

/* A sum that is infinite in some rounding: where infinities are undefined, memory may then hold
 * anything, and no infinity need ever be seen. */
static void note_overflow(const struct cell *c, uint64_t sum, struct traits *t)
{
    const struct float_format *f = &float_formats[c->fmt];
    t->special |= (sum & ~f->sign) >= format_max_finite(f);
}

/* The operand's bits. Arithmetic that gives some quiet NaN determines it well enough for an add, a
 * min or a max, which treat all of them alike. */
static int get_operand(const struct judge *j, const struct cell *c, const struct event *e,
                       uint64_t *bits)
{
    if (exec_known(&j->x, e->operand, bits)) {
        return 1;
    }
    const struct abstract *b = &j->x.pool[e->operand.abs];
    const struct float_format *f = &float_formats[c->fmt];
    int const is_arithmetic = e->op == MO_FADD || e->op == MO_FMIN || e->op == MO_FMAX;
    *bits = f->exp | f->quiet;
    return c->is_float && is_arithmetic && b->set && !b->single && b->set->n == 0 &&
           b->set->flags == SET_QNAN && b->grade == GRADE_VIOLATION;
}

/* |x| of a number; infinity for the rest. */
static double get_magnitude(enum fmt_id fmt, uint64_t enc)
{
    const struct float_format *f = &float_formats[fmt];
    uint64_t const e = (enc & f->exp) >> (f->prec_bits - 1);
    uint64_t const m = (enc & f->frac) | (e ? f->frac + 1 : 0);
    if (value_is_special(fmt, enc)) {
        return (double)INFINITY;
    }
    return ldexp((double)m, (int)(e ? e : 1) - f->emax - (int)f->prec_bits + 1);
}

/* The operand of an addition as it may come to it where the two are one operation. */
static void take_range(struct judge *j, const struct cell *c, const struct event *from,
                       struct mo_event *to)
{
    enum fmt_id const fmt = (enum fmt_id)c->fmt;
    const struct float_format *f = &float_formats[fmt];
    struct rules const r =
        ruleset_get(&j->rules, RULE_ATOMIC, fmt, &j->m.ids[inst_of(j, from)->result]);
    struct set s;
    if (from->op != MO_FADD || !from->operand.made_by || !to->knows_operand ||
        !(expression_find_freedom(&j->x, r.freedom, &from->operand, 1)) ||
        !expression_enclose(&j->x, &j->rules, from->operand, fmt, &s) || s.flags != 0 || s.n == 0) {
        return;
    }
    to->has_range = 1;
    to->low = format_from_key(f, s.r[0].lo);
    to->high = format_from_key(f, s.r[s.n - 1].hi);
}

static enum res make_problem(struct judge *j, const struct cell *c, struct mo_problem *p,
                             struct traits *t, struct err *e)
{
    struct mo_event *events = ARENA_NEW(j->a, struct mo_event, c->n_events);
    if (!events) {
        return err_set(e, RES_NOMEM, "judge: arena full at %u events of a location", c->n_events);
    }
    *p = (struct mo_problem){.is_float = c->is_float,
                             .fmt = (enum fmt_id)c->fmt,
                             .n_bits = c->n_bits,
                             .knows_initial = c->has_initial,
                             .initial = c->initial,
                             .events = events};
    p->knows_final = get_final(j, c, &p->final);
    t->only_unused_adds = 1;
    uint32_t group = 0;
    int one_group = 1;
    for (uint32_t i = c->first; i; i = j->events[i - 1].next) {
        const struct event *from = &j->events[i - 1];
        struct mo_event *to = &events[p->n_events++];
        *to = (struct mo_event){.op = from->op,
                                .knows_original = from->knows_original,
                                .invocation = from->invocation,
                                .group = from->group,
                                .phase = from->phase,
                                .tag = i - 1,
                                .original = from->original};
        to->knows_operand = (uint8_t)get_operand(j, c, from, &to->operand);
        (void)exec_known(&j->x, from->comparator, &to->comparator);
        const struct abstract *b = from->operand.abs ? &j->x.pool[from->operand.abs] : NULL;
        take_range(j, c, from, to);
        t->has_range |= to->has_range != 0;
        t->some_nan |= b && b->set && b->set->flags != 0;
        if (b && !b->bound && b->single && b->grade_zero > t->zero) {
            t->zero = (enum grade)b->grade_zero;
            t->zero_clause = (enum clause_id)b->clause_out;
        }
        t->untouched |= from->is_untouched;
        t->arithmetic |= from->op == MO_FADD || from->op == MO_FMIN || from->op == MO_FMAX;
        t->copies |= from->op == MO_LOAD || from->op == MO_STORE || from->op == MO_EXCHANGE;
        t->only_unused_adds &= from->op == MO_FADD && !from->knows_original;
        if (c->is_float && from->knows_original) {
            note_value(c, from->original, t);
        }
        if (c->is_float && to->knows_operand && from->op != MO_LOAD) {
            note_value(c, to->operand, t);
        }
        if (from->op == MO_FADD && to->knows_operand) {
            t->sum += get_magnitude((enum fmt_id)c->fmt, to->operand);
        }
        if (from->op == MO_FADD && from->knows_original && to->knows_operand) {
            note_overflow(c, arith_add_rne((enum fmt_id)c->fmt, from->original, to->operand), t);
        }
        group = p->n_events == 1 ? from->group : group;
        one_group &= from->group == group;
    }
    p->has_phases = one_group;
    if (c->is_float && p->knows_initial) {
        note_value(c, p->initial, t);
    }
    if (c->is_float && p->knows_final) {
        note_value(c, p->final, t);
    }
    if (t->only_unused_adds && p->knows_initial) { /* some order may overflow */
        double const all = t->sum + get_magnitude((enum fmt_id)c->fmt, p->initial);
        uint64_t const max = format_max_finite(&float_formats[c->fmt]);
        t->special |= !(all < get_magnitude((enum fmt_id)c->fmt, max));
    }
    return RES_OK;
}

/* Grade of a broken order, by what took part in it. */
static enum grade get_grade(const struct cell *c, const struct rules *r, const struct traits *t,
                            const struct mo_answer *answer, enum clause_id *clause)
{
    enum grade grade = GRADE_VIOLATION;
    if (!c->is_float) {
        *clause = t->zero > grade ? t->zero_clause : *clause;
        return t->zero > grade ? t->zero : grade;
    }
    if (t->special && r->special > grade) {
        grade = r->special;
        *clause = r->special_clause;
    }
    if (answer->kind == VERDICT_ZERO_SIGN && r->zero_sign > grade) {
        grade = r->zero_sign;
        *clause = r->special_clause;
    }
    const struct float_format *f = &float_formats[c->fmt];
    if (t->some_nan && answer->has_values && format_is_nan(f, answer->expected) &&
        format_is_nan(f, answer->got)) {
        return GRADE_UNDEFINED; /* the bits of a NaN that arithmetic gave are up to the device */
    }
    if (t->is_explained && grade == GRADE_VIOLATION) {
        grade = GRADE_DIVERGENCE;
        *clause = r->freedom_clause;
    }
    if (t->only_flushed && grade == GRADE_VIOLATION) {
        grade = GRADE_DIVERGENCE;
        *clause = CLAUSE_DENORM_DEFAULT;
    }
    if (t->only_hole && grade == GRADE_VIOLATION) {
        grade = GRADE_DIVERGENCE;
        *clause = CLAUSE_HOLE_CL_FLOAT;
    }
    return grade;
}

/* Is it the event of an instruction that no clause permits? */
static bool is_hole(const struct judge *j, const struct mo_event *e)
{
    return static_is_hole(&j->m, j->tc->env, inst_of(j, &j->events[e->tag]));
}

/* Where an order breaks because a zero is seen after a subnormal or the other zero that an atomic
 * load saw: that load, which may not change its location; or one that nobody saw and no clause permits.
 * Else the first suspect. */
static uint32_t find_culprit(const struct judge *j, const struct cell *c,
                             const struct mo_problem *p, const struct mo_answer *answer)
{
    const struct float_format *f = &float_formats[c->fmt];
    int const is_small = c->is_float && answer->has_values && format_is_zero(f, answer->got) &&
                         (answer->expected & f->exp) == 0;
    uint32_t culprit = answer->suspect[0];
    for (uint32_t i = 0; is_small && i < p->n_events; i++) {
        const struct mo_event *e = &p->events[i];
        if (e->op == MO_LOAD && e->knows_original && e->original == answer->expected) {
            return i;
        }
        if (e->op == MO_LOAD && !e->knows_original && is_hole(j, e)) {
            culprit = i;
        }
    }
    return culprit;
}

static void report_chain(struct judge *j, const struct cell *c, const struct rules *r,
                         const struct traits *t, const struct mo_problem *p,
                         const struct mo_answer *answer)
{
    enum clause_id clause = answer->clause;
    enum grade const grade = get_grade(c, r, t, answer, &clause);
    if (grade == GRADE_UNDEFINED || answer->n_suspects == 0) {
        return;
    }
    if (t->untouched) { /* operations whose results were never stored: their invocations were lost */
        struct finding *f = judge_finding(j, VERDICT_MASK, CLAUSE_EVERY_LANE, grade);
        if (f) {
            f->text =
                arena_printf(j->a, "results of atomics were not stored, and %s", answer->text);
        }
        return;
    }
    struct finding *f = judge_finding(j, answer->kind, clause, grade);
    if (!f) {
        return;
    }
    uint32_t const culprit = find_culprit(j, c, p, answer);
    const struct mo_event *ce = &p->events[culprit];
    const struct event *e = &j->events[ce->tag];
    f->op = op_find_number(inst_of(j, e)->op);
    f->offset = inst_of(j, e)->offset;
    f->type = val_type_of(c->is_float, c->n_bits);
    f->storage = (enum storage)e->storage;
    f->contended = 1;
    f->invocation = e->invocation;
    f->n_operands = 2;
    f->operand[0] = ce->knows_original ? ce->original : 0;
    f->operand[1] = ce->operand;
    f->operand_class = judge_classes(j, c->is_float, (enum fmt_id)c->fmt, f->operand, 2);
    if (culprit != answer->suspect[0] || answer->n_suspects > 1) {
        uint32_t const other =
            culprit != answer->suspect[0] ? answer->suspect[0] : answer->suspect[1];
        const struct event *e2 = &j->events[p->events[other].tag];
        f->op2 = op_find_number(inst_of(j, e2)->op);
        f->offset2 = inst_of(j, e2)->offset;
    }
    f->circumstances = circumstances_of(j, inst_of(j, e), NULL, NULL, 0);
    if (answer->has_values) {
        char want[64];
        f->has_got = 1;
        f->got = answer->got;
        if (c->is_float) {
            (void)format_to_text(&float_formats[c->fmt], answer->expected, want, sizeof want);
            f->permitted = arena_printf(j->a, "{%s} next in the chain", want);
        } else {
            f->permitted = arena_printf(j->a, "{0x%llx} next in the chain",
                                        (unsigned long long)answer->expected);
        }
    }
    f->text = answer->text;
}

static void count_chain(struct judge *j, const struct cell *c, const struct mo_answer *answer,
                        int anything)
{
    struct judgement *o = j->out;
    int const bounded = answer->kind == VERDICT_BOUNDED;
    int const open = answer->kind == VERDICT_INCONCLUSIVE;
    o->n_bounded += (uint32_t)bounded;
    o->n_inconclusive += (uint32_t)(open && !anything);
    for (uint32_t i = c->first; i; i = j->events[i - 1].next) {
        const struct event *e = &j->events[i - 1];
        struct coverage *row = judge_coverage(
            j, inst_of(j, e)->op, val_type_of(c->is_float, c->n_bits), (enum storage)e->storage);
        if (!row) {
            continue;
        }
        int const sharp = !bounded && !open && !anything;
        row->n++;
        row->n_sharp += (uint32_t)sharp;
        row->n_bounded += (uint32_t)bounded;
        row->n_anything += (uint32_t)anything;
        o->n_judged++;
        o->n_sharp += (uint32_t)sharp;
        o->n_anything += (uint32_t)anything;
    }
}

/* Loads, stores and exchanges have no clause on flushing (semantics B2): an order that breaks only
 * because one of them flushed a subnormal is a divergence. */
static enum res excuse_flush(struct judge *j, const struct mo_problem *p, struct traits *t,
                             struct mo_answer *answer, struct err *e)
{
    int const is_broken = verdict_rows[answer->kind].part == PART_VIOLATION;
    if (!is_broken || !t->copies || !t->subnormal || p->rules.flush_out == FLUSH_MAY ||
        j->m.modes.denorm_preserve[p->fmt]) {
        return RES_OK;
    }
    const struct float_format *f = &float_formats[p->fmt];
    struct mo_event *events = ARENA_NEW(j->a, struct mo_event, p->n_events);
    if (!events) {
        return err_set(e, RES_NOMEM, "judge: arena full at %u events of a location", p->n_events);
    }
    enum res r = RES_OK;
    uint64_t const kept_signs[2] = {f->sign, 0}; /* a flushed zero's sign is undefined */
    for (int k = 0; k < 2 && r == RES_OK && !t->only_flushed; k++) {
        struct mo_problem flushing = *p;
        struct mo_answer again;
        for (uint32_t i = 0; i < p->n_events; i++) {
            events[i] = p->events[i];
            int const is_write = events[i].op == MO_STORE || events[i].op == MO_EXCHANGE;
            if (is_write && format_is_subnormal(f, events[i].operand)) {
                events[i].operand &= kept_signs[k];
            }
        }
        flushing.events = events;
        flushing.rules.flush_in = flushing.rules.flush_out = FLUSH_MAY;
        r = mo_check(&flushing, j->a, &again, e);
        t->only_flushed = r == RES_OK && verdict_rows[again.kind].part != PART_VIOLATION;
    }
    return r;
}

/* Additions whose results nobody uses may be added up among themselves first, in any order, where they
 * may be rearranged (semantics B3): then the final value lies within the bound of any order. */
static bool is_sum_of_all(const struct judge *j, const struct mo_problem *p)
{
    uint64_t *term = ARENA_NEW(j->a, uint64_t, p->n_events + 1);
    struct reduction sum = {.fmt = p->fmt, .n = 0, .term = term, .rules = p->rules};
    struct set s;
    if (!term || !p->knows_initial || !p->knows_final) {
        return false;
    }
    sum.rules.rounding = ROUND_EITHER;
    term[sum.n++] = p->initial;
    for (uint32_t i = 0; i < p->n_events; i++) {
        if (!p->events[i].knows_operand) {
            return true; /* nothing can be said of the sum */
        }
        term[sum.n++] = p->events[i].operand;
    }
    (void)reduction_permitted(&sum, 0, j->a, &s);
    return set_has(&s, p->final) != 0;
}

/* Is a broken order that of additions contracted with what gives their operands, or of additions in
 * another order? */
static enum res explain(struct judge *j, struct mo_problem *p, const struct rules *r,
                        struct traits *t, const struct mo_answer *answer, struct err *e)
{
    if (verdict_rows[answer->kind].part != PART_VIOLATION || !p->is_float) {
        return RES_OK;
    }
    t->is_explained =
        (r->freedom & EXPRESSION_REARRANGE) && t->only_unused_adds && is_sum_of_all(j, p);
    if (t->is_explained || !t->has_range) {
        return RES_OK;
    }
    struct mo_answer again;
    struct mo_problem contracted = *p;
    contracted.is_contracted = 1;
    enum res const res = mo_check(&contracted, j->a, &again, e);
    t->is_explained = res == RES_OK && verdict_rows[again.kind].part != PART_VIOLATION;
    return res;
}

/* Is one of those that a broken order accuses an instruction that no clause permits? */
static bool accuses_hole(const struct judge *j, const struct cell *c, const struct mo_problem *p,
                         const struct mo_answer *answer)
{
    bool found = answer->n_suspects > 0 && is_hole(j, &p->events[find_culprit(j, c, p, answer)]);
    for (uint32_t i = 0; i < answer->n_suspects; i++) {
        found |= is_hole(j, &p->events[answer->suspect[i]]);
    }
    return found;
}

/* The same events, each such instruction one that may have found and left anything. NULL: arena full. */
static const struct mo_event *open_holes(const struct judge *j, const struct mo_problem *p)
{
    struct mo_event *events = arena_copy(j->a, p->events, sizeof *events * p->n_events);
    for (uint32_t i = 0; events && i < p->n_events; i++) {
        if (is_hole(j, &p->events[i])) {
            events[i].op = MO_EXCHANGE;
            events[i].knows_original = events[i].knows_operand = 0;
        }
    }
    return events;
}

static bool has_hole_load(const struct judge *j, const struct mo_problem *p)
{
    bool found = false;
    for (uint32_t i = 0; i < p->n_events; i++) {
        found |= p->events[i].op == MO_LOAD && is_hole(j, &p->events[i]);
    }
    return found;
}

/*
 * Nothing says what a load, store or exchange of such floats gives or leaves in OpenCL. A divergence is a
 * chain that breaks at one, and does not where each of them may have left anything; and one that breaks by
 * the sign of a zero alone, which such a load may have changed.
 */
static enum res excuse_hole(struct judge *j, const struct cell *c, const struct mo_problem *p,
                            struct traits *t, const struct mo_answer *answer, struct err *e)
{
    struct mo_answer again;
    struct mo_problem open = *p;
    enum res r = RES_OK;
    if (verdict_rows[answer->kind].part != PART_VIOLATION || !c->is_float) {
        return RES_OK;
    }
    if (accuses_hole(j, c, p, answer)) {
        open.events = open_holes(j, p);
        if (!open.events) {
            return err_set(e, RES_NOMEM, "judge: arena full at %u events of a location",
                           p->n_events);
        }
        r = mo_check(&open, j->a, &again, e);
        t->only_hole = r == RES_OK && verdict_rows[again.kind].part != PART_VIOLATION;
    }
    if (r == RES_OK && !t->only_hole && has_hole_load(j, p)) {
        open = *p;
        open.rules.zero_sign_free = 1;
        r = mo_check(&open, j->a, &again, e);
        t->only_hole = r == RES_OK && verdict_rows[again.kind].part != PART_VIOLATION;
    }
    return r;
}

static enum res finish_contended(struct judge *j, const struct cell *c, struct err *e)
{
    struct mo_problem p;
    struct mo_answer answer = {0};
    struct traits t = {0};
    struct rules r = {0};
    enum res res = make_problem(j, c, &p, &t, e);
    if (c->is_float) {
        enum rule_class const class = t.arithmetic ? RULE_ATOMIC : RULE_MOVE_ATOMIC;
        r = ruleset_get(&j->rules, class, (enum fmt_id)c->fmt, &j->m.ids[0]);
        p.rules = r.fp;
    }
    if (res == RES_OK) {
        res = mo_check(&p, j->a, &answer, e);
    }
    if (res != RES_OK) {
        return res;
    }
    int const is_undefined = t.special && r.special == GRADE_UNDEFINED;
    res = excuse_flush(j, &p, &t, &answer, e);
    if (res == RES_OK) {
        res = excuse_hole(j, c, &p, &t, &answer, e);
    }
    if (res != RES_OK) {
        return res;
    }
    res = explain(j, &p, &r, &t, &answer, e);
    if (res != RES_OK) {
        return res;
    }
    count_chain(j, c, &answer, is_undefined);
    j->out->n_contended++;
    if (answer.n_groups > 1) {
        j->out->n_shared++;
        j->out->n_ordered += answer.has_order != 0;
        j->out->n_interleaved += answer.has_order && answer.n_switches > answer.n_groups;
    }
    if (j->map) {
        feature_see_chain(j, c, &p, &answer, is_undefined);
    }
    switch (verdict_rows[answer.kind].part) {
    case PART_OK:
        break;
    case PART_INFO:
        if (answer.kind == VERDICT_INCONCLUSIVE && !is_undefined) {
            j->out->note = answer.text;
        }
        break;
    case PART_VIOLATION:
        report_chain(j, c, &r, &t, &p, &answer);
        break;
    }
    return RES_OK;
}

/* Bytes that no invocation writes keep their value; one finding a buffer. */
static void check_untouched(struct judge *j, uint32_t b)
{
    const struct buf *buf = &j->tc->bufs[b];
    const unsigned char *out = j->ob->out[b];
    if (memcmp(buf->data, out, buf->n_bytes) == 0) {
        return;
    }
    for (uint32_t i = 0; i < buf->n_bytes; i++) {
        if (buf->data[i] == out[i] || (j->touch[b][i / 2] & (TOUCH_STORED | TOUCH_ATOMIC))) {
            continue;
        }
        struct finding *f =
            judge_finding(j, VERDICT_CORRUPT, CLAUSE_OUT_OF_BOUNDS, GRADE_VIOLATION);
        if (f) {
            f->has_got = 1;
            f->got = out[i];
            f->permitted = arena_printf(j->a, "{0x%02x}", buf->data[i]);
            struct expect const byte = {
                .buf = b, .byte = i, .n_bytes = 1, .n = 1, .r[0] = {buf->data[i], buf->data[i]}
            };
            f->expect = arena_copy(j->a, &byte, sizeof byte);
            f->text =
                arena_printf(j->a, "byte %u of buffer %u, which nothing writes, changed", i, b);
        }
        return;
    }
}

enum res location_finish(struct judge *j, struct err *e)
{
    /* where invocations were lost, what they should have done to memory is missing too */
    for (uint32_t i = 0; i < j->n_cells && !j->lost_stores; i++) {
        const struct cell *c = &j->cells[i];
        if (!c->contended) {
            finish_private(j, c);
            continue;
        }
        enum res const r = finish_contended(j, c, e);
        if (r != RES_OK) {
            return r;
        }
    }
    for (uint32_t b = 0; b < j->tc->n_bufs; b++) {
        check_untouched(j, b);
    }
    return RES_OK;
}
