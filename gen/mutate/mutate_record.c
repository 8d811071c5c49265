/* gen/mutate/mutate_record.c -- another value for one decision, by what it is good for. */
#include "gen/mutate/mutate_record.h"

#include "base/format.h"
#include "gen/inputs/inputs.h"
#include "gen/inputs/inputs_number.h"
#include "gen/ir/ir.h"
#include "gen/tape/tape_tree.h"

/* A decision of a node. */
struct decision {
    struct tree *node;
    uint32_t at;
};

static const struct tape_mark *mark_of(const struct tree *x, uint32_t at)
{
    return at < x->n_mark && x->node != NODE_UNREAD ? &x->mark[1 + at] : NULL;
}

static enum tape_role role_of(const struct tree *x, uint32_t at)
{
    const struct tape_mark *const mark = mark_of(x, at);
    return mark ? (enum tape_role)mark->role : ROLE_UNREAD;
}

/* A seed whose numbers are known. */
static bool is_input(const struct tree *x, uint32_t at)
{
    return role_of(x, at) == ROLE_SEED && x->mark[1 + at].type != IR_VOID;
}

/* What is looked for: a decision of that role (ROLE_UNREAD: of any), one that makes numbers, of that
 * type (IR_VOID: of any). */
struct wanted {
    enum tape_role role;
    enum ir_type type;
    bool is_input;
};

static bool is_wanted(const struct tree *x, uint32_t at, const struct wanted *w)
{
    enum tape_role const role = role_of(x, at);
    if (role == ROLE_UNREAD || (w->role != ROLE_UNREAD && role != w->role)) {
        return false;
    }
    if (!w->is_input) {
        return true;
    }
    return is_input(x, at) && (w->type == IR_VOID || x->mark[1 + at].type == (uint8_t)w->type);
}

/* One of them, all with the same chance; node NULL: there is none. */
static struct decision pick(struct mutant *m, struct tree *top, const struct wanted *w)
{
    struct decision best = {.node = NULL};
    uint64_t n = 0;
    for (struct tree *x = top; x; x = tree_next(x, top)) {
        for (uint32_t i = 0; i < x->n_head; i++) {
            if (is_wanted(x, i, w) && rng_below(m->rng, ++n) == 0) {
                best = (struct decision){x, i};
            }
        }
    }
    return best;
}

/* Decisions are remainders and decimal digits: one digit up or down, what is below stays. */
static uint64_t step_digit(struct mutant *m, uint64_t v)
{
    uint64_t step = 1;
    for (uint64_t i = rng_below(m->rng, rng_below(m->rng, 2) ? 3 : 9); i > 0; i--) {
        step *= 10;
    }
    return rng_below(m->rng, 2) ? v + step : v - step;
}

/* Where one of that sort is taken over from: this tape or the other. */
static struct decision pick_like(struct mutant *m, const struct wanted *w)
{
    struct tree *const top = m->other && rng_below(m->rng, 2) ? m->other : m->root;
    return pick(m, top, w);
}

/* One of the percents that a decision holds: what is rare is at 99, what is smallest at 0. */
static uint64_t another_percent(struct mutant *m, uint64_t v)
{
    uint64_t unit = 1;
    for (uint64_t i = rng_below(m->rng, rng_below(m->rng, 2) ? 1 : 5); i > 0; i--) {
        unit *= 100;
    }
    uint64_t const old = v / unit % 100;
    uint64_t const how = rng_below(m->rng, 4);
    uint64_t const percent = how == 0 ? 0 : how < 3 ? 99 : rng_below(m->rng, 100);
    return v - old * unit + percent * unit;
}

static uint64_t another_value(struct mutant *m, uint64_t v, enum tape_role role)
{
    struct decision like;
    switch (rng_below(m->rng, 8)) {
    case 0:
        return step_digit(m, v);
    case 1:
        return rng_below(m->rng, 16);
    case 2:
        like = pick_like(m, &(struct wanted){.role = role});
        return like.node ? like.node->head[like.at] : v + 1;
    case 3:
    case 4:
        return another_percent(m, v);
    default:
        return rng_next(m->rng);
    }
}

bool mutate_digit(struct mutant *m)
{
    struct decision const p = pick(m, m->root, &(struct wanted){.role = ROLE_UNREAD});
    if (!p.node) {
        return false;
    }
    p.node->head[p.at] = step_digit(m, p.node->head[p.at]);
    return true;
}

/* ---- inputs ---- */

/* The decision on the class of a node's inputs, or TAPE_HEAD_RECORDS. */
static uint32_t find_class(const struct tree *x)
{
    uint32_t at = 0;
    while (at < x->n_head && role_of(x, at) != ROLE_CLASS) {
        at++;
    }
    return at < x->n_head ? at : (uint32_t)TAPE_HEAD_RECORDS;
}

static bool is_literal(const struct tree *x)
{
    uint32_t const at = find_class(x);
    return at < TAPE_HEAD_RECORDS && x->head[at] % 100 == INPUT_LITERAL_CHOICE;
}

/* From here on the node's inputs are their seeds' bits: those that the first invocation got so far. */
static void make_literal(struct tree *x)
{
    x->head[find_class(x)] = INPUT_LITERAL_CHOICE;
    for (uint32_t i = 0; i < x->n_head; i++) {
        const struct tape_mark *const mark = mark_of(x, i);
        if (mark && mark->type != IR_VOID) {
            x->head[i] = mark->bits;
        }
    }
}

/* Zeros, ones, ends of the range, and for floats their neighbours, infinities, NaN. */
static uint64_t special_bits(struct mutant *m, enum ir_type type)
{
    uint64_t const sign = UINT64_C(1) << (ir_type_bits(type) - 1);
    uint64_t const integers[] = {0, 1, UINT64_MAX, sign, sign - 1, sign + 1, 2, sign >> 1};
    return ir_type_is_float(type) ? inputs_get_special(inputs_get_format(type), m->rng)
                                  : integers[rng_below(m->rng, ARRAY_N(integers))];
}

/* Some ulps further from or nearer to zero; larger steps reach the exponent. */
static uint64_t neighbour(struct mutant *m, uint64_t bits, enum ir_type type)
{
    unsigned const n_bits = ir_type_bits(type);
    uint64_t const by = rng_below(m->rng, 4) ? 1 + rng_below(m->rng, 3)
                                             : UINT64_C(1) << rng_below(m->rng, n_bits - 1);
    return rng_below(m->rng, 2) ? bits + by : bits - by;
}

/* The bits of another input of that type, for equal operands; those of a neighbour where there is
 * none. */
static uint64_t bits_of_another(struct mutant *m, uint64_t bits, enum ir_type type)
{
    struct decision const like =
        pick_like(m, &(struct wanted){.role = ROLE_SEED, .type = type, .is_input = true});
    if (!like.node) {
        return neighbour(m, bits, type);
    }
    return is_literal(like.node) ? like.node->head[like.at] : like.node->mark[1 + like.at].bits;
}

static uint64_t other_bits(struct mutant *m, uint64_t bits, enum ir_type type)
{
    unsigned const n_bits = ir_type_bits(type);
    switch (rng_below(m->rng, 8)) {
    case 0:
    case 1:
    case 2:
        return neighbour(m, bits, type);
    case 3:
    case 4:
        return special_bits(m, type);
    case 5:
        return bits_of_another(m, bits, type);
    case 6:
        return bits ^ UINT64_C(1) << rng_below(m->rng, n_bits);
    default: /* the other sign */
        return bits ^ UINT64_C(1) << (n_bits - 1);
    }
}

bool mutate_constant(struct mutant *m)
{
    struct decision const p =
        pick(m, m->root, &(struct wanted){.role = ROLE_SEED, .is_input = true});
    if (!p.node) {
        return false;
    }
    uint64_t *const v = &p.node->head[p.at];
    bool const has_class = find_class(p.node) < TAPE_HEAD_RECORDS;
    if (!has_class || (!is_literal(p.node) && rng_below(m->rng, 3) == 0)) {
        *v = rng_next(m->rng); /* other numbers of the same class */
        return true;
    }
    if (!is_literal(p.node)) {
        make_literal(p.node);
    }
    *v = other_bits(m, *v, (enum ir_type)p.node->mark[1 + p.at].type);
    return true;
}

bool mutate_role(struct mutant *m, enum tape_role role)
{
    struct decision const p = pick(m, m->root, &(struct wanted){.role = role});
    if (!p.node) {
        return false;
    }
    if (role == ROLE_CLASS && rng_below(m->rng, 4) == 0) {
        make_literal(p.node);
    } else {
        p.node->head[p.at] = another_value(m, p.node->head[p.at], role);
    }
    return true;
}
