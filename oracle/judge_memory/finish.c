/* oracle/judge_memory/finish.c -- the end of a judged dispatch: final values, chains, untouched bytes. */
#include "oracle/judge_memory/finish.h"

#include <string.h>

#include "base/format.h"
#include "base/ops.h"
#include "oracle/group/reduction.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/static_facts.h"
#include "oracle/judge_state/judge_report.h"
#include "oracle/judge_state/policy.h"
#include "oracle/judge_values/compare.h"
#include "oracle/judge_values/feature_judge.h"
#include "oracle/math/accuracy.h"
#include "oracle/math/rules.h"
#include "oracle/modorder/mo.h"
#include "oracle/num/exact.h"
#include "oracle/num/set.h"
#include "oracle/tables/storage.h"
#include "oracle/tables/tables.h"
#include "oracle/value/expression.h"
#include "oracle/value/expression_hull.h"
#include "oracle/value/value_set.h"

static bool is_violation(const struct mo_answer *answer)
{
    return verdict_rows[answer->kind].part == PART_VIOLATION;
}

static void finish_private(struct judge *j, const struct cell *c)
{
    uint64_t final;
    const struct event *last = &j->memory.events[c->last - 1];
    if (c->is_ordered && (!c->is_written || j->memory.is_unconstrained)) {
        return; /* its bytes are looked at with all that nothing writes; or it was perhaps never stored */
    }
    if (judge_get_final(j, c, &final)) {
        struct observed const o = {.in = judge_get_inst(j, last),
                                   .e = last,
                                   .got = final,
                                   .location = c->location,
                                   .n_bits = c->n_bits};
        (void)judge_value(j, &o, c->cur);
    }
}

/* ---- the order of a contended cell, as a problem ---- */

/* What takes part in a contended cell, for the grade of a broken order. */
struct traits {
    bool special;          /* a NaN or an infinity may be among the values */
    bool subnormal;        /* is among them */
    bool some_nan;         /* an operand may be a NaN that arithmetic gave */
    bool arithmetic;       /* additions, minima or maxima of floats */
    bool copies;           /* loads, stores or exchanges */
    bool only_unused_adds; /* nothing but additions whose results nobody uses */
    bool untouched;        /* a probe holds what it held before: perhaps never written */
    bool has_range;        /* an addition whose operand may come to it unrounded */
    bool is_explained;     /* by contraction or rearrangement */
    bool only_flushed;     /* nothing is broken where copies may flush subnormals */
    bool only_hole;  /* nothing is broken but what an instruction did that no clause permits */
    enum grade zero; /* of a zero's sign among the operands of an integer location */
    enum clause_id zero_clause;
    double sum; /* of the magnitudes that unused additions may add up to */
};

static void see_value(const struct cell *c, uint64_t enc, struct traits *t)
{
    t->special |= value_is_special((enum fmt_id)c->fmt, enc);
    t->subnormal |= format_is_subnormal(&float_formats[c->fmt], enc);
}

/* May the operand of a minimum or maximum be another number, because the instructions behind it are evaluated as
 * one? An addition is evaluated with them: take_range. */
static bool is_tangled(const struct judge *j, const struct event *e)
{
    const struct abstract *const b = exec_get_unobserved(&j->x, e->operand);
    return (e->op == MO_FMIN || e->op == MO_FMAX) && b && b->freedom != 0;
}

/* The operand's bits. Arithmetic that gives some quiet NaN determines it well enough for an add, a
 * min or a max, which treat all of them alike. */
static bool get_operand(const struct judge *j, const struct cell *c, const struct event *e,
                        uint64_t *bits)
{
    if (is_tangled(j, e)) {
        return false;
    }
    if (exec_known(&j->x, e->operand, bits)) {
        return true;
    }
    const struct abstract *b = &j->x.pool[e->operand.abs];
    const struct float_format *f = &float_formats[c->fmt];
    bool const is_arithmetic = e->op == MO_FADD || e->op == MO_FMIN || e->op == MO_FMAX;
    *bits = f->exp | f->quiet;
    return c->is_float && is_arithmetic && b->kind == ABSTRACT_SET && b->set->n == 0 &&
           b->set->flags == SET_QNAN && b->grade == GRADE_VIOLATION;
}

/* The operand of an addition as it may come to it where the two are one operation. */
static void take_range(struct judge *j, const struct cell *c, const struct event *from,
                       struct mo_event *to)
{
    enum fmt_id const fmt = (enum fmt_id)c->fmt;
    const struct float_format *f = &float_formats[fmt];
    struct rules const r =
        ruleset_get(&j->rules, RULE_ATOMIC, fmt, &j->m.ids[judge_get_inst(j, from)->result]);
    struct set s;
    if (from->op != MO_FADD || !from->operand.made_by || !to->knows_operand ||
        !expression_find_freedom(&j->x, r.freedom, &from->operand, 1) ||
        !expression_enclose(&j->x, &j->rules, from->operand, fmt, &s) || s.flags != 0 || s.n == 0) {
        return;
    }
    to->has_range = 1;
    to->low = format_from_key(f, s.r[0].lo);
    to->high = format_from_key(f, s.r[s.n - 1].hi);
}

static void take_event(struct judge *j, const struct cell *c, const struct event *from,
                       struct mo_event *to)
{
    *to = (struct mo_event){.op = from->op,
                            .knows_original = from->knows_original,
                            .invocation = from->invocation,
                            .group = from->group,
                            .phase = from->phase,
                            .tag = (uint32_t)(from - j->memory.events),
                            .original = from->original};
    bool const knows_comparator = exec_known(&j->x, from->comparator, &to->comparator) != 0;
    to->knows_operand =
        get_operand(j, c, from, &to->operand) && (from->op != MO_CMPXCHG || knows_comparator);
    take_range(j, c, from, to);
}

/* Adds an access to the traits of its cell (t), which decide how a broken order is graded. `from` is the
 * access as the judge keeps it, `to` the same one as an event of the order problem. */
static void see_event(const struct judge *j, const struct cell *c, const struct event *from,
                      const struct mo_event *to, struct traits *t)
{
    enum mo_op const op = from->op;
    const struct abstract *b = exec_get_abstract(&j->x, from->operand);
    const struct set *set = b ? abstract_get_set(b) : NULL;
    t->has_range |= to->has_range != 0;
    t->some_nan |= set && set->flags != 0;
    if (b && !b->is_observed && abstract_is_one(b) && b->grade_zero > t->zero) {
        t->zero = (enum grade)b->grade_zero;
        t->zero_clause = (enum clause_id)b->clause_out;
    }
    t->untouched |= from->is_untouched;
    t->arithmetic |= op == MO_FADD || op == MO_FMIN || op == MO_FMAX;
    t->copies |= op == MO_LOAD || op == MO_STORE || op == MO_EXCHANGE;
    t->only_unused_adds &= op == MO_FADD && !from->knows_original;
    if (c->is_float && from->knows_original) {
        see_value(c, from->original, t);
    }
    if (c->is_float && to->knows_operand && op != MO_LOAD) {
        see_value(c, to->operand, t);
    }
    /* the rest is of additions: may one of them, or all together, overflow? */
    if (op != MO_FADD || !to->knows_operand) {
        return;
    }
    enum fmt_id const fmt = (enum fmt_id)c->fmt;
    const struct float_format *f = &float_formats[fmt];
    t->sum += accuracy_magnitude(fmt, to->operand);
    if (from->knows_original) {
        /* a sum that is infinite in some rounding: where infinities are undefined, memory may then hold
         * anything, and no infinity need ever be seen */
        uint64_t const sum = arith_add_rne(fmt, from->original, to->operand);
        t->special |= (sum & ~f->sign) >= format_max_finite(f);
    }
}

/* Barriers order what one work-group does, the ends of dispatches all that several do. */
static void set_phases(const struct judge *j, struct mo_problem *p, struct mo_event *events,
                       bool is_of_one_group)
{
    p->has_phases = is_of_one_group || j->x.n_dispatches > 1;
    for (uint32_t i = 0; i < p->n_events && !is_of_one_group; i++) {
        events[i].phase = j->memory.events[events[i].tag].dispatch;
    }
}

/* Writes a contended cell as a problem of its modification order, *p: all accesses with its initial and final
 * value; and what takes part in it, *t. Work-group memory has no final value that anyone sees. RES_NOMEM: the
 * arena is full. */
static enum res make_problem(struct judge *j, const struct cell *c, struct mo_problem *p,
                             struct traits *t, struct err *e)
{
    enum fmt_id const fmt = (enum fmt_id)c->fmt;
    struct mo_event *events = ARENA_NEW(j->a, struct mo_event, c->n_events);
    if (!events) {
        return err_set(e, RES_NOMEM, "judge: arena full at %u events of a location", c->n_events);
    }
    *p = (struct mo_problem){.is_float = c->is_float,
                             .fmt = fmt,
                             .n_bits = c->n_bits,
                             .knows_initial = c->has_initial,
                             .initial = c->initial,
                             .events = events};
    bool is_of_one_group = true;
    p->knows_final = judge_get_final(j, c, &p->final);
    t->only_unused_adds = true;
    const struct event *from = memory_first(&j->memory, c);
    for (; from; from = memory_next(&j->memory, from)) {
        struct mo_event *to = &events[p->n_events++];
        take_event(j, c, from, to);
        see_event(j, c, from, to, t);
        is_of_one_group &= to->group == events[0].group;
    }
    set_phases(j, p, events, is_of_one_group);
    if (c->is_float && p->knows_initial) {
        see_value(c, p->initial, t);
    }
    if (c->is_float && p->knows_final) {
        see_value(c, p->final, t);
    }
    if (t->only_unused_adds && p->knows_initial) { /* some order may overflow */
        double const all = t->sum + accuracy_magnitude(fmt, p->initial);
        uint64_t const max = format_max_finite(&float_formats[fmt]);
        t->special |= !(all < accuracy_magnitude(fmt, max));
    }
    return RES_OK;
}

/* ---- what excuses a broken order ---- */

/* Loads, stores and exchanges have no clause on flushing (semantics B2), so an order that breaks only because
 * one of them flushed a subnormal is a divergence. Checks the problem again as if each of them flushed:
 * t->only_flushed says whether an order explains all then. Nothing to do where the order is not broken, no
 * copy of a subnormal takes part, flushing was permitted from the start, or the module forbids it. */
static enum res excuse_flush(struct judge *j, const struct mo_problem *p, struct traits *t,
                             const struct mo_answer *answer, struct err *e)
{
    if (!is_violation(answer) || !t->copies || !t->subnormal || p->rules.flush_out == FLUSH_MAY ||
        j->m.modes.denorm_preserve[p->fmt]) {
        return RES_OK;
    }
    const struct float_format *f = &float_formats[p->fmt];
    struct mo_event *events = ARENA_NEW(j->a, struct mo_event, p->n_events);
    if (!events) {
        return err_set(e, RES_NOMEM, "judge: arena full at %u events of a location", p->n_events);
    }
    /* the sign of a flushed zero is undefined: first all keep theirs, then all are +0 */
    uint64_t const kept_signs[2] = {f->sign, 0};
    for (int k = 0; k < 2 && !t->only_flushed; k++) {
        struct mo_problem flushing = *p;
        struct mo_answer again;
        for (uint32_t i = 0; i < p->n_events; i++) {
            events[i] = p->events[i];
            bool const is_write = events[i].op == MO_STORE || events[i].op == MO_EXCHANGE;
            if (is_write && format_is_subnormal(f, events[i].operand)) {
                events[i].operand &= kept_signs[k];
            }
        }
        flushing.events = events;
        flushing.rules.flush_in = flushing.rules.flush_out = FLUSH_MAY;
        TRY(mo_check(&flushing, j->a, &again, e));
        t->only_flushed = !is_violation(&again);
    }
    return RES_OK;
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
static enum res explain(struct judge *j, const struct mo_problem *p, const struct rules *r,
                        struct traits *t, const struct mo_answer *answer, struct err *e)
{
    if (!is_violation(answer) || !p->is_float) {
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
    t->is_explained = res == RES_OK && !is_violation(&again);
    return res;
}

/* Is it the event of an instruction that no clause permits? */
static bool is_hole(const struct judge *j, const struct mo_event *e)
{
    return judge_is_hole(j, &j->memory.events[e->tag]);
}

/* Where an order breaks because a zero is seen after a subnormal or the other zero that an atomic
 * load saw: that load, which may not change its location; or one that nobody saw and no clause permits.
 * Else the first suspect. */
static uint32_t find_culprit(const struct judge *j, const struct cell *c,
                             const struct mo_problem *p, const struct mo_answer *answer)
{
    const struct float_format *f = &float_formats[c->fmt];
    bool const is_small = c->is_float && answer->has_values && format_is_zero(f, answer->got) &&
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
    for (uint32_t i = 0; i < p->n_events; i++) {
        if (p->events[i].op == MO_LOAD && is_hole(j, &p->events[i])) {
            return true;
        }
    }
    return false;
}

/* A hole is an instruction that no clause permits: nothing says what a load, store or exchange of such a
 * float gives or leaves in OpenCL. t->only_hole, and with it a divergence: an order that is broken at one is
 * whole where each of them may have left anything; or it is broken by the sign of a zero alone, which such a
 * load may have changed. */
static enum res excuse_hole(struct judge *j, const struct cell *c, const struct mo_problem *p,
                            struct traits *t, const struct mo_answer *answer, struct err *e)
{
    struct mo_answer again;
    struct mo_problem open = *p;
    if (!is_violation(answer) || !c->is_float) {
        return RES_OK;
    }
    if (accuses_hole(j, c, p, answer)) {
        open.events = open_holes(j, p);
        if (!open.events) {
            return err_set(e, RES_NOMEM, "judge: arena full at %u events of a location",
                           p->n_events);
        }
        enum res const r = mo_check(&open, j->a, &again, e);
        if (r != RES_OK) {
            return r;
        }
        t->only_hole = !is_violation(&again);
    }
    if (t->only_hole || !has_hole_load(j, p)) {
        return RES_OK;
    }
    open = *p;
    open.rules.zero_sign_free = 1;
    enum res const r = mo_check(&open, j->a, &again, e);
    t->only_hole = r == RES_OK && !is_violation(&again);
    return r;
}

/* ---- reports and counts ---- */

/* The grade of a broken order, by what took part in it (t); of grades a greater one is milder. *clause
 * becomes the one that excuses it, if any does. What the location's rules leave open (r) counts before what
 * was explained by checks under weaker rules. */
static enum grade get_grade(const struct cell *c, const struct rules *r, const struct traits *t,
                            const struct mo_answer *answer, enum clause_id *clause)
{
    if (!c->is_float) { /* only the sign of a zero that was stored as an integer may excuse */
        if (t->zero <= GRADE_VIOLATION) {
            return GRADE_VIOLATION;
        }
        *clause = t->zero_clause;
        return t->zero;
    }
    const struct float_format *f = &float_formats[c->fmt];
    bool const differs_by_nan_bits = t->some_nan && answer->has_values &&
                                     format_is_nan(f, answer->expected) &&
                                     format_is_nan(f, answer->got);
    if (differs_by_nan_bits) {
        return GRADE_UNDEFINED; /* the bits of a NaN that arithmetic gave are up to the device */
    }
    enum grade const by_special = t->special ? r->special : GRADE_VIOLATION;
    enum grade const by_sign = answer->kind == VERDICT_ZERO_SIGN ? r->zero_sign : GRADE_VIOLATION;
    enum grade const by_rules = by_sign > by_special ? by_sign : by_special;
    if (by_rules > GRADE_VIOLATION) {
        *clause = r->special_clause;
        return by_rules;
    }
    if (t->is_explained) {
        *clause = r->freedom_clause;
        return GRADE_DIVERGENCE;
    }
    if (t->only_flushed) {
        *clause = CLAUSE_DENORM_DEFAULT;
        return GRADE_DIVERGENCE;
    }
    if (t->only_hole) {
        *clause = CLAUSE_HOLE_CL_FLOAT;
        return GRADE_DIVERGENCE;
    }
    return GRADE_VIOLATION;
}

/* Operations whose results were never stored: their invocations were lost. */
static void report_lost(struct judge *j, const struct mo_answer *answer)
{
    struct finding *f = judge_finding(j, VERDICT_MASK, CLAUSE_EVERY_LANE, GRADE_VIOLATION);
    if (f) {
        f->text = arena_printf(j->a, "results of atomics were not stored, and %s", answer->text);
    }
}

/* How an operation is told to those who have no oracle; false: not at all. */
static bool take_step(const struct judge *j, const struct mo_event *from, struct expect_step *to)
{
    static const struct {
        bool is_told;
        enum rmw_op op;
    } rows[] = {
        [MO_LOAD] = {true,  RMW_LOAD            },
        [MO_STORE] = {false, RMW_LOAD            },
        [MO_EXCHANGE] = {true,  RMW_EXCHANGE        },
        [MO_CMPXCHG] = {true,  RMW_COMPARE_EXCHANGE},
        [MO_FADD] = {false, RMW_LOAD            },
        [MO_FMIN] = {false, RMW_LOAD            },
        [MO_FMAX] = {false, RMW_LOAD            },
        [MO_IADD] = {true,  RMW_ADD             },
        [MO_ISUB] = {true,  RMW_SUB             },
        [MO_SMIN] = {true,  RMW_SMIN            },
        [MO_UMIN] = {true,  RMW_UMIN            },
        [MO_SMAX] = {true,  RMW_SMAX            },
        [MO_UMAX] = {true,  RMW_UMAX            },
        [MO_AND] = {true,  RMW_AND             },
        [MO_OR] = {true,  RMW_OR              },
        [MO_XOR] = {true,  RMW_XOR             },
    };
    const struct event *const e = &j->memory.events[from->tag];
    *to = (struct expect_step){.op = rows[from->op].op,
                               .invocation = from->invocation,
                               .buf = e->probe_buf,
                               .byte = e->probe_byte,
                               .operand = from->operand,
                               .comparator = from->comparator};
    return rows[from->op].is_told && from->knows_original && e->probe_buf != NO_PROBE &&
           (from->op == MO_LOAD || from->knows_operand);
}

/* The operations of a cell for those who have no oracle. NULL: one of them cannot be told, or the arena is
 * full. */
static const struct expect_order *take_order(const struct judge *j, const struct cell *c,
                                             const struct mo_problem *p)
{
    struct expect_order *const o = ARENA_NEW(j->a, struct expect_order, 1);
    struct expect_step *const step = ARENA_NEW(j->a, struct expect_step, p->n_events);
    if (!o || !step || !p->knows_initial) {
        return NULL;
    }
    for (uint32_t i = 0; i < p->n_events; i++) {
        if (!take_step(j, &p->events[i], &step[i])) {
            return NULL;
        }
    }
    *o = (struct expect_order){.n_bytes = (uint8_t)(c->n_bits / 8),
                               .knows_final = p->knows_final != 0,
                               .buf = c->location.object,
                               .byte = c->location.offset,
                               .initial = p->initial,
                               .n = p->n_events,
                               .step = step};
    return o;
}

static const char *expected_text(const struct judge *j, const struct cell *c, uint64_t expected)
{
    char text[64];
    if (!c->is_float) {
        return arena_printf(j->a, "{0x%llx} next in the chain", (unsigned long long)expected);
    }
    (void)format_to_text(&float_formats[c->fmt], expected, text, sizeof text);
    return arena_printf(j->a, "{%s} next in the chain", text);
}

/* The location after the dispatch, which may hold this alone; NULL: it lies in no buffer. */
static const struct expect *expect_final(const struct judge *j, const struct cell *c, uint64_t bits)
{
    struct expect x = {.buf = c->location.object,
                       .byte = c->location.offset,
                       .n_bytes = (uint8_t)(c->n_bits / 8),
                       .n = 1};
    x.r[0].lo = x.r[0].hi = (int64_t)bits;
    return c->location.space == SPACE_BUFFER ? arena_copy(j->a, &x, sizeof x) : NULL;
}

/* Reports a broken order of a cell as a finding of its culprit; another suspect, if there is one, is the
 * other end of the broken step (op2). Nothing is reported where the values are undefined or nobody is
 * suspect. Where a probe was perhaps never written (t->untouched), a violation is reported as results that
 * were lost; what no clause forbids may be what the probe held before. */
static void report_chain(struct judge *j, const struct cell *c, const struct rules *r,
                         const struct traits *t, const struct mo_problem *p,
                         const struct mo_answer *answer)
{
    enum clause_id clause = answer->clause;
    enum grade const grade = get_grade(c, r, t, answer, &clause);
    if (grade == GRADE_UNDEFINED || answer->n_suspects == 0) {
        return;
    }
    if (t->untouched && grade == GRADE_VIOLATION) {
        report_lost(j, answer);
        return;
    }
    struct finding *f = judge_finding(j, answer->kind, clause, grade);
    if (!f) {
        return;
    }
    uint32_t const culprit = find_culprit(j, c, p, answer);
    const struct mo_event *named = &p->events[culprit];
    const struct event *e = &j->memory.events[named->tag];
    const struct mod_inst *in = judge_get_inst(j, e);
    f->op = op_find_number(in->op);
    f->offset = in->offset;
    f->type = judge_event_type(j, e);
    f->storage = (enum storage)e->storage;
    f->contended = 1;
    f->invocation = e->invocation;
    f->n_operands = 2;
    f->operand[0] = named->knows_original ? named->original : 0;
    f->operand[1] = named->operand;
    f->operand_type[0] = f->operand_type[1] =
        val_type_of(c->is_float ? (int)c->fmt : -1, c->n_bits);
    f->operand_class = judge_classes(j, c->is_float, (enum fmt_id)c->fmt, f->operand, 2);
    f->circumstances = circumstances_of(j, in, NULL, NULL, 0);
    f->text = answer->text;
    f->order = take_order(j, c, p);
    bool const is_first = culprit == answer->suspect[0];
    if (!is_first || answer->n_suspects > 1) {
        uint32_t const other = answer->suspect[is_first ? 1 : 0];
        const struct mod_inst *in2 = judge_get_inst(j, &j->memory.events[p->events[other].tag]);
        f->op2 = op_find_number(in2->op);
        f->offset2 = in2->offset;
    }
    if (answer->has_values) {
        f->has_got = 1;
        f->got = answer->got;
        f->expect = answer->is_of_final ? expect_final(j, c, answer->expected) : NULL;
        f->permitted = expected_text(j, c, answer->expected);
    }
}

/* Counts one more contended cell, and each of its accesses in the coverage table. anything: the values are
 * undefined. Sharp is an order that was decided, neither bounded nor given up (inconclusive). Of cells that
 * several work-groups used: whether a full order was found, and whether in it they took turns more than once
 * each. */
static void count_chain(struct judge *j, const struct cell *c, const struct mo_answer *answer,
                        bool anything)
{
    struct judgement *o = j->out;
    bool const is_bounded = answer->kind == VERDICT_BOUNDED;
    bool const is_open = answer->kind == VERDICT_INCONCLUSIVE;
    bool const is_sharp = !is_bounded && !is_open && !anything;
    o->n_bounded += is_bounded;
    o->n_inconclusive += is_open && !anything;
    const struct event *e = memory_first(&j->memory, c);
    for (; e; e = memory_next(&j->memory, e)) {
        struct coverage *row = judge_coverage(j, judge_get_inst(j, e)->op, judge_event_type(j, e),
                                              (enum storage)e->storage);
        if (!row) {
            continue;
        }
        row->n++;
        row->n_sharp += is_sharp;
        row->n_bounded += is_bounded;
        row->n_anything += anything;
        o->n_judged++;
        o->n_sharp += is_sharp;
        o->n_anything += anything;
        o->n_unconfined[UNCONFINED_ANYTHING] += anything;
    }
    o->n_contended++;
    if (answer->n_groups > 1) {
        o->n_ordered += answer->has_order != 0;
        o->n_interleaved += answer->has_order && answer->n_switches > answer->n_groups;
    }
}

/* ---- the whole ---- */

/* Is there an order of the accesses that explains a contended cell? A broken one is checked again under each
 * weaker rule that may excuse it, then counted and reported. Undefined: a NaN or an infinity takes part where
 * the rules say nothing of them. */
static enum res finish_contended(struct judge *j, const struct cell *c, struct err *e)
{
    struct mo_problem p;
    struct mo_answer answer = {0};
    struct traits t = {0};
    struct rules r = {0};
    TRY(make_problem(j, c, &p, &t, e));
    if (c->is_float) {
        /* cells that are only copied have rules of their own */
        enum rule_class const class = t.arithmetic ? RULE_ATOMIC : RULE_MOVE_ATOMIC;
        r = ruleset_get(&j->rules, class, (enum fmt_id)c->fmt, &j->m.ids[0]);
        p.rules = r.fp;
    }
    TRY(mo_check(&p, j->a, &answer, e));
    if (answer.clause == CLAUSE_BARRIER_ORDER && answer.n_groups > 1) { /* phases are dispatches */
        answer.clause = CLAUSE_DISPATCH_ORDER;
    }
    bool is_explained;
    TRY(j->policy->order(j->policy->state, j, c, &p, is_violation(&answer), &is_explained, e));
    if (is_explained) {
        return RES_OK;
    }
    TRY(excuse_flush(j, &p, &t, &answer, e));
    TRY(excuse_hole(j, c, &p, &t, &answer, e));
    TRY(explain(j, &p, &r, &t, &answer, e));
    bool const is_undefined = t.special && r.special == GRADE_UNDEFINED;
    count_chain(j, c, &answer, is_undefined);
    if (j->covered.map) {
        feature_see_chain(j, c, &p, &answer, is_undefined);
    }
    if (is_violation(&answer)) {
        report_chain(j, c, &r, &t, &p, &answer);
    } else if (answer.kind == VERDICT_INCONCLUSIVE && !is_undefined) {
        j->out->note = answer.text;
    }
    return RES_OK;
}

/* Bytes that no invocation may write must keep their value. The first one in buffer b that has changed is
 * reported: one finding a buffer, as the others mostly come of the same bug. */
static void check_untouched(struct judge *j, uint32_t b)
{
    const struct buf *buf = &j->input.tc->bufs[b];
    const unsigned char *out = j->input.ob->out[b];
    if (memcmp(buf->data, out, buf->n_bytes) == 0) {
        return;
    }
    for (uint32_t i = 0; i < buf->n_bytes; i++) {
        uint8_t const touch = j->memory.touch[b][i];
        if (buf->data[i] == out[i] || (touch & (TOUCH_STORED | TOUCH_ATOMIC | TOUCH_PADDED)) ||
            j->policy->byte(j->policy->state, j, b, i)) {
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

enum res finish_memory(struct judge *j, struct err *e)
{
    /* where invocations were lost, what they should have done to memory is missing too */
    for (uint32_t i = 0; i < j->memory.n_cells && !j->memory.lost_stores; i++) {
        const struct cell *c = &j->memory.cells[i];
        if (!c->contended) {
            finish_private(j, c);
            continue;
        }
        TRY(finish_contended(j, c, e));
    }
    for (uint32_t b = 0; b < j->input.tc->n_bufs; b++) {
        check_untouched(j, b);
    }
    return RES_OK;
}
