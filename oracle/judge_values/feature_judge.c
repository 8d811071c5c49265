/* oracle/judge_values/feature_judge.c -- the features of a judged value, for a fuzzer.
 *
 * The ratios of errors to bounds are estimates in double precision, from the permitted interval or from the
 * first-order bound of a sum. They guide a fuzzer; no verdict depends on them. */
#include "oracle/judge_values/feature_judge.h"

#include <math.h>
#include <string.h>

#include "base/format.h"
#include "base/ops.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/group_kind.h"
#include "oracle/interp/module.h"
#include "oracle/interp/static_facts.h"
#include "oracle/judge_state/group_record.h"
#include "oracle/judge_state/judge_report.h"
#include "oracle/math/accuracy.h"
#include "oracle/num/exact.h"
#include "oracle/num/real.h"
#include "oracle/tables/storage.h"
#include "oracle/value/value_set.h"
#include "oracle/value/value_shape.h"

/* ---- the control flow around an instruction: loops, sides of branches, functions ---- */

enum {
    MERGE_BLOCK = 1 /* word of both merge instructions */
};

/* A stack of the constructs around an instruction. In structured code a construct holds the blocks from its merge
 * instruction to its merge block, in the order of the words. */
struct nest {
    uint32_t n;
    struct {
        uint32_t merge; /* label of the merge block */
        uint32_t other; /* label at which the else side begins; 0: none */
        uint8_t flow;   /* enum feature_flow */
    } around[MOD_MAX_CONSTRUCTS];
};

static void push_construct(struct nest *s, uint32_t merge, uint32_t other, enum feature_flow flow)
{
    if (s->n < MOD_MAX_CONSTRUCTS) {
        s->around[s->n].merge = merge;
        s->around[s->n].other = other;
        s->around[s->n].flow = (uint8_t)flow;
        s->n++;
    }
}

/* A block begins: ends the constructs whose merge block it is, and begins the else side of another. */
static void enter_block(struct nest *s, uint32_t label)
{
    for (uint32_t i = s->n; i > 0; i--) {
        if (s->around[i - 1].merge == label) {
            s->n = i - 1;
        } else if (s->around[i - 1].other == label) {
            s->around[i - 1].flow = FEATURE_IN_ELSE;
        }
    }
}

static void enter_selection(struct nest *s, const struct mod_inst *in, const struct mod_inst *end)
{
    enum {
        FALSE_LABEL = 3 /* word of OpBranchConditional */
    };
    const struct mod_inst *const branch = in + 1;
    uint32_t const merge = in->w[MERGE_BLOCK];
    bool const has_sides =
        branch < end && branch->op == SpvOpBranchConditional && branch->n > FALSE_LABEL;
    uint32_t const other = has_sides ? branch->w[FALSE_LABEL] : 0;
    push_construct(s, merge, other != merge ? other : 0, FEATURE_IN_THEN);
}

/* Computes flow[i] of every instruction: the bits (enum feature_flow) of the loops and sides of branches around it,
 * and whether its function is not the entry point. One pass over the code. */
static void find_flow(const struct module *m, uint8_t *flow)
{
    struct nest s = {.n = 0};
    uint8_t outside = 0; /* bits of the function itself */
    for (uint32_t i = 0; i < m->n_code; i++) {
        const struct mod_inst *in = &m->code[i];
        if (in->op == SpvOpFunction) {
            s.n = 0;
            outside = i == m->entry ? 0 : FEATURE_IN_FUNCTION;
        } else if (in->op == SpvOpLabel) {
            enter_block(&s, in->result);
        } else if (in->op == SpvOpSelectionMerge && in->n > MERGE_BLOCK) {
            enter_selection(&s, in, m->code + m->n_code);
        } else if (in->op == SpvOpLoopMerge && in->n > MERGE_BLOCK) {
            push_construct(&s, in->w[MERGE_BLOCK], 0, FEATURE_IN_LOOP);
        }
        flow[i] = outside;
        for (uint32_t k = 0; k < s.n; k++) {
            flow[i] |= s.around[k].flow;
        }
    }
}

/* enum feature_flow of an instruction. */
static uint8_t get_flow(struct judge *j, const struct mod_inst *in)
{
    if (!j->covered.map->flow) {
        j->covered.map->flow = ARENA_NEW(j->a, uint8_t, j->m.n_code + 1);
        if (!j->covered.map->flow) {
            return 0;
        }
        find_flow(&j->m, j->covered.map->flow);
    }
    return j->covered.map->flow[in - j->m.code];
}

/* ---- rounding ---- */

/* How the exact value x is rounded to a format: exactly, as a tie between two encodings, or inexactly. */
static enum feature_rounding rounding_of(const struct float_format *f, struct real x)
{
    int const below = real_exponent(x) < f->emin ? f->emin - real_exponent(x) : 0;
    int const n_lost = 64 - (int)f->prec_bits + below;
    if (n_lost >= 64) {
        return FEATURE_ROUNDING_INEXACT;
    }
    uint64_t const half = UINT64_C(1) << (n_lost - 1);
    uint64_t const rest = x.sig & (2 * half - 1);
    if (rest == 0) {
        return FEATURE_ROUNDING_EXACT;
    }
    return rest == half ? FEATURE_ROUNDING_TIE : FEATURE_ROUNDING_INEXACT;
}

typedef struct real real_two(struct real, struct real);

/* How x op y is rounded; FEATURE_ROUNDING_NONE if one of them is a NaN, an infinity or a zero. */
static uint8_t round_two(enum fmt_id fmt, real_two *op, uint64_t x, uint64_t y)
{
    const struct float_format *f = &float_formats[fmt];
    if (value_is_special(fmt, x) || value_is_special(fmt, y) || format_is_zero(f, x) ||
        format_is_zero(f, y)) {
        return FEATURE_ROUNDING_NONE;
    }
    struct real const exact = op(real_of(f, x), real_of(f, y));
    return (uint8_t)(exact.sig == 0 ? FEATURE_ROUNDING_EXACT : rounding_of(f, exact));
}

/* Puts how an atomic addition is rounded, and the class of its sum. */
static void put_addition(struct feature *f, enum fmt_id fmt, uint64_t original, uint64_t operand)
{
    uint64_t const sum = arith_add_rne(fmt, original, operand);
    f->rounding = round_two(fmt, real_add, original, operand);
    f->result = (uint8_t)feature_classify((int)fmt, float_formats[fmt].n_bits, sum);
}

/* ---- ratios ---- */

/* The distance of `got` from the middle of the nearest range of the set, in halves of its width: 0 in the middle, 1
 * at an end, more outside. -1: no range is wide enough. */
static double ratio_of_set(const struct set *s, uint64_t got)
{
    enum {
        MIN_WIDTH = 3 /* from end to end: a bound of one ulp and more */
    };
    double best = -1;
    if (format_is_nan(&float_formats[s->fmt], got)) {
        return best;
    }
    double const key = (double)format_to_key(&float_formats[s->fmt], got);
    for (uint32_t i = 0; i < s->n; i++) {
        double const lo = (double)s->r[i].lo, hi = (double)s->r[i].hi;
        if (hi - lo >= MIN_WIDTH) {
            double const ratio = fabs((key - lo) + (key - hi)) / (hi - lo);
            best = best < 0 || ratio < best ? ratio : best;
        }
    }
    return best;
}

/* A sum or product in double with its first-order bound, term by term. */
struct estimate {
    double value, error, magnitude;
    uint32_t n;
    int is_product;
};

static double decode(enum fmt_id fmt, uint64_t enc)
{
    double const m = accuracy_magnitude(fmt, enc);
    return enc & float_formats[fmt].sign ? -m : m;
}

static void estimate_term(struct estimate *t, double x)
{
    if (t->is_product) {
        t->value = t->n ? t->value * x : x;
        t->magnitude = fabs(t->value);
    } else { /* Neumaier: the lost parts are summed by themselves */
        double const sum = t->value + x;
        t->error += fabs(t->value) >= fabs(x) ? (t->value - sum) + x : (x - sum) + t->value;
        t->value = sum;
        t->magnitude += fabs(x);
    }
    t->n++;
}

/* The error of `got` as a part of the bound (n - 1) * u * (sum of magnitudes); NaN: there is no bound, or a value is
 * not finite. */
static double estimate_ratio(const struct estimate *t, enum fmt_id fmt, uint64_t got)
{
    double const u = ldexp(1, -(int)float_formats[fmt].prec_bits);
    double const bound = t->n > 1 ? (t->n - 1) * u * t->magnitude : 0;
    double const error = fabs(decode(fmt, got) - t->value - t->error);
    return bound > 0 && isfinite(bound) && isfinite(error) ? error / bound : (double)NAN;
}

static double ratio_of_sum(const struct reduction *r, uint64_t got)
{
    struct estimate t = {.is_product = r->is_product};
    for (uint32_t i = 0; i < r->n; i++) {
        estimate_term(&t, decode(r->fmt, r->term[i]));
    }
    return estimate_ratio(&t, r->fmt, got);
}

/* Does the instruction itself have a bound, so that the ratio is its own and not that of its operands? */
static int has_bound(const struct judge *j, const struct mod_inst *in)
{
    enum clause_id const clause = value_get_clause(in->op);
    return clause == CLAUSE_MATH_ULP || clause == CLAUSE_MATH_INHERITED ||
           clause == CLAUSE_DIV_ULP ||
           (in->result && (j->m.ids[in->result].flags & ID_MAX_ERROR) != 0);
}

/* Puts the ratio of the error to the bound of an observed float; of a shared sum only once for each observed value. */
static void put_ratio(struct judge *j, const struct observed *o, const struct feature_seen *s)
{
    double ratio = (double)NAN;
    if (s->fmt < 0) {
        return;
    }
    if (s->sum) {
        if (s->sum->is_rated && s->sum->rated == o->got) {
            return;
        }
        s->sum->is_rated = 1;
        s->sum->rated = o->got;
        ratio = ratio_of_sum(&s->sum->terms, o->got);
    } else if (s->loose && has_bound(j, o->in)) {
        ratio = ratio_of_set(s->loose, o->got);
    }
    feature_put_ratio(j->covered.map, s->row->op, (enum fmt_id)s->fmt, ratio);
}

/* ---- operands ---- */

static uint8_t classify(const struct judge *j, int fmt, unsigned n_bits, struct val v)
{
    uint64_t bits;
    return (uint8_t)(exec_known(&j->x, v, &bits) ? feature_classify(fmt, n_bits, bits)
                                                 : FEATURE_NOTHING);
}

/* Features of an atomic: the classes of its original and of its operand. */
static void describe_atomic(const struct judge *j, const struct observed *o, struct feature *f)
{
    const struct event *e = o->e;
    const struct cell *c = &j->memory.cells[e->cell];
    int const fmt = c->is_float ? (int)c->fmt : -1;
    uint64_t const original = o->inv ? o->got : e->original;
    uint64_t operand;
    if (o->inv || e->knows_original) {
        f->operand[0] = (uint8_t)feature_classify(fmt, c->n_bits, original);
    }
    f->operand[1] = classify(j, fmt, c->n_bits, e->operand);
    f->mask = FEATURE_MASK_PRIVATE;
    if (e->op == MO_FADD && f->operand[0] && exec_known(&j->x, e->operand, &operand)) {
        put_addition(f, c->fmt, original, operand);
    }
}

/* The size of the cluster, if there is one, else of the group, as a class by power of two; never 0. */
static uint8_t size_of(const struct group_call *c)
{
    enum {
        FIRST_CLUSTER = 1,
        FIRST_SIZE = 12
    };
    uint32_t left = c->cluster ? c->cluster : c->size;
    uint8_t size = c->cluster ? FIRST_CLUSTER : FIRST_SIZE;
    for (; left > 1 && size < 2 * FIRST_SIZE; left /= 2) {
        size++;
    }
    return size;
}

/* Features of a group instruction: the class of this invocation's value, and the least usual class of all participants. */
static void describe_group(const struct judge *j, const struct observed *o, struct feature *f)
{
    const struct group_record *r = judge_group_record(j, o->in, o->inv);
    if (!r) {
        return;
    }
    f->mask = r->mask;
    f->size = size_of(&r->call);
    f->operand[1] = r->worst;
    uint32_t const id = module_get_operand(&j->m, o->in, static_group_value(o->in));
    if (j->m.ids[id].n_slots > 0) {
        f->operand[0] = classify(j, r->call.fmt, r->call.n_bits, *exec_reg(&j->x, o->inv, id));
    }
}

/* Features of an instruction that is neither an atomic nor a group instruction: the classes of its first operands (of
 * vectors this component); of an addition, subtraction or product of two known floats also how it is rounded. */
static void describe_operands(const struct judge *j, const struct observed *o, uint32_t component,
                              struct feature *f)
{
    const struct mod_inst *in = o->in;
    uint64_t bits[FEATURE_OPERANDS] = {0};
    uint32_t n = 0, n_known = 0;
    int fmt = -1;
    for (uint32_t i = value_first_operand(in->op); i < in->n && n < FEATURE_OPERANDS; i++) {
        const struct mod_id *id = &j->m.ids[module_get_operand(&j->m, in, i)];
        if (id->n_slots == 0) {
            continue;
        }
        /* a scalar operand is that of all components */
        struct val const v =
            exec_reg(&j->x, o->inv, in->w[i])[id->n_slots > component ? component : 0];
        fmt = module_get_format(&j->m, id->type);
        f->operand[n] = classify(j, fmt, j->m.ids[id->type].t.bits, v);
        n_known += (uint32_t)exec_known(&j->x, v, &bits[n]);
        n++;
    }
    if (n_known < 2 || fmt < 0) { /* fmt is that of the last operand: all have one format here */
        return;
    }
    if (in->op == SpvOpFAdd || in->op == SpvOpFSub) {
        /* x - y rounds like x + -y */
        bits[1] ^= in->op == SpvOpFSub ? float_formats[fmt].sign : 0;
        f->rounding = round_two((enum fmt_id)fmt, real_add, bits[0], bits[1]);
    } else if (in->op == SpvOpFMul || in->op == SpvOpVectorTimesScalar) {
        f->rounding = round_two((enum fmt_id)fmt, real_mul, bits[0], bits[1]);
    }
}

/* The class of a max-error decoration by its bound, or a rounding mode; 0: no decoration. */
static uint8_t decoration_of(const struct mod_id *id)
{
    enum {
        BELOW_ONE = 1,
        TO_EIGHT,
        LOOSER,
        FIRST_MODE
    };
    float bound;
    if (!(id->flags & ID_MAX_ERROR)) {
        return (uint8_t)(id->flags & ID_ROUNDING_MODE ? FIRST_MODE + (id->rounding_mode & 3) : 0);
    }
    memcpy(&bound, &id->max_error, sizeof bound);
    return bound < 1 ? BELOW_ONE : bound <= 8 ? TO_EIGHT : LOOSER;
}

/* Whether an invocation is beyond the first work-group, and beyond the first 32 of its work-group. */
static uint8_t get_position(uint32_t group, uint32_t local_index)
{
    return (uint8_t)((group > 0 ? FEATURE_SECOND_GROUP : 0) |
                     (local_index >= 32 ? FEATURE_SECOND_WAVE : 0));
}

static const uint8_t type_bits[VT_N] = {
    [VT_F16] = 16, [VT_F32] = 32, [VT_F64] = 64,   [VT_I8] = 8,     [VT_I16] = 16, [VT_I32] = 32,
    [VT_I64] = 64, [VT_BOOL] = 1, [VT_F16X2] = 16, [VT_F16X4] = 16, [VT_BF16] = 16};

/* All that is known of the value (instruction, type, position, operands, result, outcome) is one struct feature; the
 * ratio of its error to its bound has cells of its own. Of an access the original and the operand are described
 * (describe_atomic), which give the result; of content of memory (no o->inv) only the result. */
void feature_see(struct judge *j, const struct observed *o, const struct feature_seen *s)
{
    const struct mod_inst *in = o->in;
    struct feature f = {.op = s->row->op,
                        .type = s->row->type,
                        .storage = s->row->storage,
                        .flow = get_flow(j, in),
                        .outcome = (uint8_t)s->outcome};
    if (in->result) {
        const struct mod_id *id = &j->m.ids[in->result];
        f.decoration = decoration_of(id);
        f.width = (uint8_t)(id->n_slots > 1 && id->n_slots <= MOD_MAX_COMPONENTS ? id->n_slots : 0);
        f.component = (uint8_t)(s->component < f.width ? s->component : 0);
    }
    if (o->inv) {
        f.place = get_position(o->inv->group_index, o->inv->local_index);
    }
    if (o->e) {
        f.scope = (uint8_t)circumstance_scope(j, in);
        describe_atomic(j, o, &f);
    } else {
        f.result = (uint8_t)feature_classify(s->fmt, type_bits[s->row->type], o->got);
        if (o->inv && group_kind_of(in->op) != GROUP_NONE) {
            describe_group(j, o, &f);
        } else if (o->inv && in->result) {
            describe_operands(j, o, s->component, &f);
        }
    }
    feature_put(j->covered.map, &f);
    put_ratio(j, o, s);
}

/* ---- contended locations ---- */

static enum feature_outcome get_outcome(const struct mo_answer *answer, bool is_undefined)
{
    if (is_undefined) {
        return FEATURE_ANYTHING;
    }
    if (answer->kind == VERDICT_OK) {
        return FEATURE_SHARP;
    }
    return answer->kind == VERDICT_BOUNDED ? FEATURE_BOUNDED : FEATURE_WRONG;
}

/* Puts one access of a contended location (`at`, an event of the problem p) into the map, with the outcome of the
 * location's check. operand[0] is the class of the original that the access returned, operand[1] that of its operand;
 * 0 if it is not known. The mask says whether one work-group has all accesses: in a case of one dispatch only the
 * problem of such a location has phases (finish.c: set_phases). */
static void put_access(struct judge *j, const struct cell *c, const struct mo_problem *p,
                       const struct mo_event *at, enum feature_outcome outcome)
{
    const struct event *e = &j->memory.events[at->tag];
    const struct mod_inst *in = judge_get_inst(j, e);
    int const op = op_find_number(in->op);
    int const fmt = c->is_float ? (int)c->fmt : -1;
    uint32_t const *local = j->input.tc->local;
    struct feature f = {
        .op = (uint16_t)op,
        .type = (uint8_t)judge_event_type(j, e),
        .storage = e->storage,
        .scope = (uint8_t)circumstance_scope(j, in),
        .flow = get_flow(j, in),
        .place = get_position(at->group, at->invocation % (local[0] * local[1] * local[2])),
        .mask = p->has_phases && j->x.n_dispatches == 1 ? FEATURE_MASK_GROUP : FEATURE_MASK_GROUPS,
        .outcome = (uint8_t)outcome};
    if (op < 0) { /* not in the table of instructions: the map has no cell for it */
        return;
    }
    if (at->knows_original) {
        f.operand[0] = (uint8_t)feature_classify(fmt, c->n_bits, at->original);
    }
    if (at->knows_operand) {
        f.operand[1] = (uint8_t)feature_classify(fmt, c->n_bits, at->operand);
    }
    if (at->op == MO_FADD && at->knows_original && at->knows_operand) {
        put_addition(&f, p->fmt, at->original, at->operand);
    }
    feature_put(j->covered.map, &f);
}

/* Puts the ratio of the error of a final value to its first-order bound, of a location on which there are only
 * additions with unused results. */
static void put_sum(struct judge *j, const struct mo_problem *p)
{
    struct estimate sum = {.n = 0};
    if (!p->is_float || !p->knows_initial || !p->knows_final || p->n_events == 0) {
        return;
    }
    estimate_term(&sum, decode(p->fmt, p->initial));
    for (uint32_t i = 0; i < p->n_events; i++) {
        const struct mo_event *at = &p->events[i];
        if (at->op != MO_FADD || at->knows_original || !at->knows_operand) {
            return;
        }
        estimate_term(&sum, decode(p->fmt, at->operand));
    }
    const struct event *last = &j->memory.events[p->events[p->n_events - 1].tag];
    feature_put_ratio(j->covered.map, (unsigned)op_find_number(judge_get_inst(j, last)->op), p->fmt,
                      estimate_ratio(&sum, p->fmt, p->final));
}

void feature_see_chain(struct judge *j, const struct cell *c, const struct mo_problem *p,
                       const struct mo_answer *answer, bool is_undefined)
{
    if (answer->kind == VERDICT_INCONCLUSIVE) {
        return; /* expensive and undecided: a fuzzer should not look for more of it */
    }
    for (uint32_t i = 0; i < p->n_events; i++) {
        put_access(j, c, p, &p->events[i], get_outcome(answer, is_undefined));
    }
    put_sum(j, p);
}
