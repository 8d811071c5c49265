/* oracle/judge_memory/finish.c -- what is judged after the dispatch: the final values of private cells, the order of the
 * accesses of contended cells, and the bytes that nothing writes.
 *
 * A contended cell becomes an order problem (make_problem), which oracle/modorder decides. If no order exists, the problem is
 * checked again under each weaker rule that may excuse it (excuse_flush, excuse_hole, excuse_by_evaluation). get_grade then
 * says whether the broken order is a violation, and report_broken_order reports it. */
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

/* Judges the final value of a private cell: what its buffer holds after the dispatch against what the last access left. A
 * cell that nothing wrote is checked by check_untouched; where stores are missing, the last store may be among them. */
static void finish_private(struct judge *j, const struct cell *c)
{
    uint64_t final;
    const struct event *last = &j->memory.events[c->last - 1];
    if (c->is_ordered && (!c->is_written || j->memory.is_unconstrained)) {
        return;
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

/* What the accesses of a contended cell have among them, and what the weaker checks have shown: for the grade of a
 * broken order. */
struct traits {
    bool special;          /* a NaN or an infinity may be among the values */
    bool subnormal;        /* a subnormal is among the values */
    bool some_nan;         /* an operand may be a NaN that arithmetic gave */
    bool arithmetic;       /* additions, minima or maxima of floats */
    bool copies;           /* loads, stores or exchanges */
    bool only_unused_adds; /* all accesses are additions whose results were not observed */
    bool untouched;        /* the probe of a result holds its value of before the dispatch */
    bool has_range;        /* an addition may be contracted with what computes its operand */
    bool is_explained;     /* an order exists with contraction or rearrangement */
    bool only_flushed;     /* an order exists if copies may flush subnormals */
    bool only_hole;  /* an order exists if instructions that no clause permits may do anything */
    enum grade zero; /* of the sign of a zero among the operands of an integer location */
    enum clause_id zero_clause;
    double sum; /* of the magnitudes of the operands of additions: may all together overflow? */
};

static void add_value_traits(const struct cell *c, uint64_t enc, struct traits *t)
{
    t->special |= value_is_special((enum fmt_id)c->fmt, enc);
    t->subnormal |= format_is_subnormal(&float_formats[c->fmt], enc);
}

/* May the operand of a minimum or maximum be more than one number, because the instructions that compute it may be
 * contracted or rearranged? An addition is part of that expression: see take_range. */
static bool is_of_expression(const struct judge *j, const struct event *e)
{
    const struct abstract *const b = exec_get_unobserved(&j->x, e->operand);
    return (e->op == MO_FMIN || e->op == MO_FMAX) && b && b->freedom != 0;
}

/* The operand's bits. false: they are not known. An operand that is known to be some quiet NaN counts as known for an
 * addition, a minimum or a maximum, which treat all quiet NaNs alike. */
static bool get_operand(const struct judge *j, const struct cell *c, const struct event *e,
                        uint64_t *bits)
{
    if (is_of_expression(j, e)) {
        return false;
    }
    if (exec_known(&j->x, e->operand, bits)) {
        return true;
    }
    const struct abstract *b = &j->x.pool[e->operand.abs];
    const struct float_format *f = &float_formats[c->fmt];
    bool const is_arithmetic = e->op == MO_FADD || e->op == MO_FMIN || e->op == MO_FMAX;
    bool const is_quiet_nan = b->kind == ABSTRACT_SET && b->set->n == 0 &&
                              b->set->flags == SET_QNAN && b->grade == GRADE_VIOLATION;
    *bits = f->exp | f->quiet;
    return c->is_float && is_arithmetic && is_quiet_nan;
}

/* The range of the operand of an addition that is contracted with the instructions that compute the operand, which
 * then has no rounding of its own (CLAUSE_ARITH_CONTRACT). */
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

/* Writes the access `from` as an event of the order problem. */
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

/* May the sum of a known addition overflow in some rounding? Where infinities are undefined, memory may then hold
 * anything, and no infinity need ever be observed. */
static bool may_overflow(const struct cell *c, const struct mo_event *e)
{
    enum fmt_id const fmt = (enum fmt_id)c->fmt;
    const struct float_format *f = &float_formats[fmt];
    uint64_t const sum = arith_add_rne(fmt, e->original, e->operand);
    return e->knows_original && (sum & ~f->sign) >= format_max_finite(f);
}

/* Adds one access to the traits of its cell, which decide the grade of a broken order. `from` is the access as the
 * judge keeps it, `to` the same access as an event of the order problem. t->zero is the mildest grade that the sign of
 * a zero operand has. */
static void add_event_traits(const struct judge *j, const struct cell *c, const struct event *from,
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
        add_value_traits(c, from->original, t);
    }
    if (c->is_float && to->knows_operand && op != MO_LOAD) {
        add_value_traits(c, to->operand, t);
    }
    if (op == MO_FADD && to->knows_operand) {
        t->sum += accuracy_magnitude((enum fmt_id)c->fmt, to->operand);
        t->special |= may_overflow(c, to); /* an infinity may be in memory that nobody observed */
    }
}

/* Sets the phase of each event, which the order must keep. Barriers order the accesses of one work-group; only the
 * end of a dispatch orders those of several. */
static void set_phases(const struct judge *j, struct mo_problem *p, struct mo_event *events,
                       bool is_of_one_group)
{
    p->has_phases = is_of_one_group || j->x.n_dispatches > 1;
    for (uint32_t i = 0; i < p->n_events && !is_of_one_group; i++) {
        events[i].phase = j->memory.events[events[i].tag].dispatch;
    }
}

/* Writes a contended cell as an order problem, *p: all its accesses, its initial value, and its final value if it
 * lies in a buffer; and the traits of its accesses, *t. RES_NOMEM: the arena is full. */
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
        add_event_traits(j, c, from, to, t);
        is_of_one_group &= to->group == events[0].group;
    }
    set_phases(j, p, events, is_of_one_group);
    if (c->is_float && p->knows_initial) {
        add_value_traits(c, p->initial, t);
    }
    if (c->is_float && p->knows_final) {
        add_value_traits(c, p->final, t);
    }
    if (t->only_unused_adds && p->knows_initial) {
        /* no original shows an overflow, but some order may have one where the magnitudes reach the largest number;
         * negated, so that a sum that is a NaN counts too */
        double const all = t->sum + accuracy_magnitude(fmt, p->initial);
        uint64_t const max = format_max_finite(&float_formats[fmt]);
        t->special |= !(all < accuracy_magnitude(fmt, max));
    }
    return RES_OK;
}

/* ---- what excuses a broken order ---- */

/* No clause says whether an atomic load, store or exchange may flush a subnormal (CLAUSE_DENORM_DEFAULT), so an order
 * that breaks only because one of them did is a divergence. Checks the problem again with all of them flushing;
 * t->only_flushed: an order exists then. Does nothing if the order is not broken, no subnormal is copied, flushing
 * was permitted in the first check, or the module has DenormPreserve. */
static enum res excuse_flush(struct judge *j, const struct mo_problem *p, struct traits *t,
                             const struct mo_answer *answer, struct err *e)
{
    bool const copies_subnormal = t->copies && t->subnormal;
    bool const is_settled =
        p->rules.flush_out == FLUSH_MAY || j->m.modes.denorm_preserve[p->fmt] != 0;
    if (!is_violation(answer) || !copies_subnormal || is_settled) {
        return RES_OK;
    }
    const struct float_format *f = &float_formats[p->fmt];
    struct mo_event *events = ARENA_NEW(j->a, struct mo_event, p->n_events);
    if (!events) {
        return err_set(e, RES_NOMEM, "judge: arena full at %u events of a location", p->n_events);
    }
    /* Stores and exchanges leave a zero; what a load or exchange returns may be flushed by the rules. No text says which sign
     * a flushed zero has: all keep their sign in the first check, all are +0 in the second. */
    uint64_t const kept_signs[2] = {f->sign, 0};
    for (size_t k = 0; k < ARRAY_N(kept_signs) && !t->only_flushed; k++) {
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

/* Does the final value lie within the bound of the sum in any order? Where additions may be rearranged
 * (CLAUSE_ARITH_REASSOC), a compiler may add up operands of additions with unused results first, and execute one
 * atomic. true also where an operand is unknown. */
static bool is_sum_in_any_order(const struct judge *j, const struct mo_problem *p)
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
            return true; /* the sum is unknown, so that the final value may be right */
        }
        term[sum.n++] = p->events[i].operand;
    }
    (void)reduction_permitted(&sum, 0, j->a, &s);
    return set_has(&s, p->final) != 0;
}

/* Is the order broken only because additions are rearranged, or contracted with the instructions that compute their
 * operands? t->is_explained: an order exists then. */
static enum res excuse_by_evaluation(struct judge *j, const struct mo_problem *p,
                                     const struct rules *r, struct traits *t,
                                     const struct mo_answer *answer, struct err *e)
{
    if (!is_violation(answer) || !p->is_float) {
        return RES_OK;
    }
    t->is_explained =
        (r->freedom & EXPRESSION_REARRANGE) && t->only_unused_adds && is_sum_in_any_order(j, p);
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

/* Is e an access by an instruction that no clause permits? Of such a "hole", an atomic load, store or exchange of a
 * float of 32 or 64 bits in OpenCL, nothing says what it returns or leaves (CLAUSE_HOLE_CL_FLOAT). */
static bool is_hole(const struct judge *j, const struct mo_event *e)
{
    return judge_is_hole(j, &j->memory.events[e->tag]);
}

/* The event that a broken order is reported of: the first suspect of the check. An order that breaks because a zero
 * is observed where a subnormal or the other zero is expected has another culprit: an atomic load that returned the
 * expected value and then changed the location, as a load that is implemented as an addition of zero does; or a load
 * that no clause permits and whose result was not observed. */
static uint32_t find_culprit(const struct judge *j, const struct cell *c,
                             const struct mo_problem *p, const struct mo_answer *answer)
{
    const struct float_format *f = &float_formats[c->fmt];
    bool const is_zero_for_small = c->is_float && answer->has_values &&
                                   format_is_zero(f, answer->got) &&
                                   (answer->expected & f->exp) == 0;
    uint32_t culprit = answer->suspect[0];
    for (uint32_t i = 0; is_zero_for_small && i < p->n_events; i++) {
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

/* Is an instruction that no clause permits among the events that a broken order accuses? */
static bool accuses_hole(const struct judge *j, const struct cell *c, const struct mo_problem *p,
                         const struct mo_answer *answer)
{
    bool found = answer->n_suspects > 0 && is_hole(j, &p->events[find_culprit(j, c, p, answer)]);
    for (uint32_t i = 0; i < answer->n_suspects; i++) {
        found |= is_hole(j, &p->events[answer->suspect[i]]);
    }
    return found;
}

/* A copy of the events in which each access by a hole may have returned and left anything. NULL: the arena is full. */
static const struct mo_event *release_holes(const struct judge *j, const struct mo_problem *p)
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

/* Is the order broken only by what instructions did that no clause permits (holes)? t->only_hole, and the broken order is a
 * divergence: either a hole is accused and an order exists if each hole may have returned and left anything; or there is a
 * load among the holes, and an order exists if the signs of zeros are ignored, which such a load may change. */
static enum res excuse_hole(struct judge *j, const struct cell *c, const struct mo_problem *p,
                            struct traits *t, const struct mo_answer *answer, struct err *e)
{
    struct mo_answer again;
    struct mo_problem weaker = *p;
    if (!is_violation(answer) || !c->is_float) {
        return RES_OK;
    }
    if (accuses_hole(j, c, p, answer)) {
        weaker.events = release_holes(j, p);
        if (!weaker.events) {
            return err_set(e, RES_NOMEM, "judge: arena full at %u events of a location",
                           p->n_events);
        }
        TRY(mo_check(&weaker, j->a, &again, e));
        t->only_hole = !is_violation(&again);
    }
    if (t->only_hole || !has_hole_load(j, p)) {
        return RES_OK;
    }
    weaker = *p;
    weaker.rules.zero_sign_free = 1;
    TRY(mo_check(&weaker, j->a, &again, e));
    t->only_hole = !is_violation(&again);
    return RES_OK;
}

/* ---- reports and counts ---- */

/* The grade of a broken order: a greater grade is milder (violation, divergence, undefined). *clause becomes the
 * clause that excuses the broken order, if one does. In this order: the bits of a NaN; special values and zeros'
 * signs, by the rules of the location (r); then what the checks under weaker rules have shown (t). */
static enum grade get_grade(const struct cell *c, const struct rules *r, const struct traits *t,
                            const struct mo_answer *answer, enum clause_id *clause)
{
    if (!c->is_float) { /* a float zero of either sign may have been stored as an integer */
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
        *clause = r->special_clause; /* excuses special values and the signs of zeros alike */
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

/* Reports that results of atomics were never stored. Then the order cannot be judged: an original is missing. */
static void report_lost(struct judge *j, const struct mo_answer *answer)
{
    struct finding *f = judge_finding(j, VERDICT_MASK, CLAUSE_EVERY_LANE, GRADE_VIOLATION);
    if (f) {
        f->text = arena_printf(j->a, "results of atomics were not stored, and %s", answer->text);
    }
}

/* Writes an access as a step of the order that a bundle carries, to be checked without the oracle. false: the bundle's
 * checker has no such operation; or it is not known what the access returned, or where that was stored; or the operand is
 * not known. *to then has no meaning. */
static bool make_step(const struct judge *j, const struct mo_event *from, struct expect_step *to)
{
    /* stores return nothing, and float operations have several permitted results: the checker has neither */
    static const struct {
        bool is_expressible;
        enum rmw_op op;
    } rows[] = {
        [MO_LOAD] = {true, RMW_LOAD            },
        [MO_EXCHANGE] = {true, RMW_EXCHANGE        },
        [MO_CMPXCHG] = {true, RMW_COMPARE_EXCHANGE},
        [MO_IADD] = {true, RMW_ADD             },
        [MO_ISUB] = {true, RMW_SUB             },
        [MO_SMIN] = {true, RMW_SMIN            },
        [MO_UMIN] = {true, RMW_UMIN            },
        [MO_SMAX] = {true, RMW_SMAX            },
        [MO_UMAX] = {true, RMW_UMAX            },
        [MO_AND] = {true, RMW_AND             },
        [MO_OR] = {true, RMW_OR              },
        [MO_XOR] = {true, RMW_XOR             },
    };
    const struct event *const e = &j->memory.events[from->tag];
    bool const has_operand = from->op == MO_LOAD || from->knows_operand; /* a load needs none */
    *to = (struct expect_step){.op = rows[from->op].op,
                               .invocation = from->invocation,
                               .buf = e->probe_buf,
                               .byte = e->probe_byte,
                               .operand = from->operand,
                               .comparator = from->comparator};
    return rows[from->op].is_expressible && from->knows_original && e->probe_buf != NO_PROBE &&
           has_operand;
}

/* All accesses of a cell for a bundle. NULL: one of them cannot be expressed there, or the arena is full. */
static const struct expect_order *make_expect_order(const struct judge *j, const struct cell *c,
                                                    const struct mo_problem *p)
{
    struct expect_order *const o = ARENA_NEW(j->a, struct expect_order, 1);
    struct expect_step *const step = ARENA_NEW(j->a, struct expect_step, p->n_events);
    if (!o || !step || !p->knows_initial) {
        return NULL;
    }
    for (uint32_t i = 0; i < p->n_events; i++) {
        if (!make_step(j, &p->events[i], &step[i])) {
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

static const char *describe_expected(const struct judge *j, const struct cell *c, uint64_t expected)
{
    char text[64];
    if (!c->is_float) {
        return arena_printf(j->a, "0x%llx as the next value of the location",
                            (unsigned long long)expected);
    }
    (void)format_to_text(&float_formats[c->fmt], expected, text, sizeof text);
    return arena_printf(j->a, "%s as the next value of the location", text);
}

/* The expectation that the location holds `bits` after the dispatch. NULL: it lies in no buffer. */
static const struct expect *expect_final(const struct judge *j, const struct cell *c, uint64_t bits)
{
    struct expect x = {.buf = c->location.object,
                       .byte = c->location.offset,
                       .n_bytes = (uint8_t)(c->n_bits / 8),
                       .n = 1};
    x.r[0].lo = x.r[0].hi = (int64_t)bits;
    return c->location.space == SPACE_BUFFER ? arena_copy(j->a, &x, sizeof x) : NULL;
}

/* Puts the access that is reported into the finding: its instruction, invocation and operands. */
static void put_culprit(struct judge *j, const struct cell *c, const struct mo_event *named,
                        struct finding *f)
{
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
}

/* Reports a broken order of a cell as a finding of its culprit. Another suspect, if there is one, is the other end of
 * the broken step (op2). Nothing is reported where the values are undefined or there is no suspect. Where a probe
 * holds its value of before the dispatch (t->untouched), the result was perhaps never stored, and a violation is
 * reported as lost results. */
static void report_broken_order(struct judge *j, const struct cell *c, const struct rules *r,
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
    put_culprit(j, c, &p->events[culprit], f);
    f->text = answer->text;
    f->order = make_expect_order(j, c, p);
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
        f->permitted = describe_expected(j, c, answer->expected);
    }
}

/* Counts a contended cell, and each of its accesses in the coverage table. anything: the values are undefined. A
 * check is sharp if it found an order or proved that there is none; else it is bounded or inconclusive. Of a cell of
 * several work-groups it is also counted whether an order was found, and whether in it the accesses of the groups
 * interleave: more switches than groups. */
static void count_order(struct judge *j, const struct cell *c, const struct mo_answer *answer,
                        bool anything)
{
    struct judgement *o = j->out;
    bool const is_bounded = answer->kind == VERDICT_BOUNDED;
    bool const is_undecided = answer->kind == VERDICT_INCONCLUSIVE;
    bool const is_sharp = !is_bounded && !is_undecided && !anything;
    o->n_bounded += is_bounded;
    o->n_inconclusive += is_undecided && !anything;
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

/* Judges a contended cell: is there an order of its accesses in which each returns what its predecessor left, and
 * which keeps program order and barriers (CLAUSE_RMW_CHAIN, PROGRAM_ORDER, BARRIER_ORDER)? If there is none, the
 * problem is checked again under each weaker rule that may excuse it, then counted and reported. */
static enum res finish_contended(struct judge *j, const struct cell *c, struct err *e)
{
    struct mo_problem p;
    struct mo_answer answer = {0};
    struct traits t = {0};
    struct rules r = {0};
    TRY(make_problem(j, c, &p, &t, e));
    if (c->is_float) {
        /* cells that are only loaded, stored and exchanged have rules of their own; id 0: no decoration holds for all accesses */
        enum rule_class const class = t.arithmetic ? RULE_ATOMIC : RULE_MOVE_ATOMIC;
        r = ruleset_get(&j->rules, class, (enum fmt_id)c->fmt, &j->m.ids[0]);
        p.rules = r.fp;
    }
    TRY(mo_check(&p, j->a, &answer, e));
    if (answer.clause == CLAUSE_BARRIER_ORDER && answer.n_groups > 1) {
        answer.clause = CLAUSE_DISPATCH_ORDER; /* set_phases took the dispatches as phases */
    }
    bool is_explained;
    TRY(policy_order(j->policy, j, c, &p, is_violation(&answer), &is_explained, e));
    if (is_explained) {
        return RES_OK;
    }
    TRY(excuse_flush(j, &p, &t, &answer, e));
    TRY(excuse_hole(j, c, &p, &t, &answer, e));
    TRY(excuse_by_evaluation(j, &p, &r, &t, &answer, e));
    /* a NaN or an infinity may be among the values, and the rules do not define what such a value gives (NOT_NAN_INF) */
    bool const is_undefined = t.special && r.special == GRADE_UNDEFINED;
    count_order(j, c, &answer, is_undefined);
    if (j->covered.map) {
        feature_see_chain(j, c, &p, &answer, is_undefined);
    }
    if (is_violation(&answer)) {
        report_broken_order(j, c, &r, &t, &p, &answer);
    } else if (answer.kind == VERDICT_INCONCLUSIVE && !is_undefined) {
        j->out->note = answer.text;
    }
    return RES_OK;
}

/* Reports the first byte of buffer b that has changed although no invocation may write it (CLAUSE_OUT_OF_BOUNDS). One
 * finding a buffer is enough, as the other bytes mostly change by the same bug. */
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
            policy_byte(j->policy, j, b, i)) {
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
    /* where an invocation did not store what it should, its accesses to memory may be missing too: cells are not judged */
    bool const may_lack = j->memory.lost_stores || j->memory.n_unknown;
    for (uint32_t i = 0; i < j->memory.n_cells && !may_lack; i++) {
        const struct cell *c = &j->memory.cells[i];
        if (!c->contended) {
            finish_private(j, c);
            continue;
        }
        TRY(finish_contended(j, c, e));
    }
    for (uint32_t b = 0; b < j->input.tc->n_bufs && !j->memory.n_unknown; b++) {
        check_untouched(j, b);
    }
    return RES_OK;
}
