/* oracle/fault/faults_flow.c -- bugs of control flow: where in a program they act. */
#include "oracle/fault/faults_flow.h"

#include <string.h>

#include "base/format.h"
#include "oracle/fault/faults_origin.h"
#include "oracle/fault/faults_site.h"
#include "oracle/interp/module.h"

static const struct flow_row rows[] = {
#define FLOW(id, where, does, expect, clause, text) {FAULT_##id, FLOW_##where, FLOW_##does},
#include "oracle/fault/flow.def"
};

const struct flow_row *fault_get_flow(enum fault_id id)
{
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (rows[i].id == id) {
            return &rows[i];
        }
    }
    return NULL;
}

bool fault_flow_make(struct fault_flow *flow, const struct module *m, uint32_t n_items,
                     struct arena *a)
{
    *flow = (struct fault_flow){.n_loops = merge_loops_list(m, NULL), .n_items = n_items};
    size_t const n = (size_t)flow->n_loops * n_items + 1;
    flow->loop = ARENA_NEW(a, struct merge_loop, flow->n_loops + 1);
    flow->n_entered = ARENA_NEW(a, uint32_t, n);
    flow->total = ARENA_NEW(a, uint32_t, n);
    flow->fewest = ARENA_NEW(a, uint32_t, n);
    flow->most = ARENA_NEW(a, uint32_t, n);
    if (!flow->loop || !flow->n_entered || !flow->total || !flow->fewest || !flow->most) {
        return false;
    }
    (void)merge_loops_list(m, flow->loop);
    return true;
}

void fault_flow_begin(struct fault_flow *flow)
{
    memset(flow->n_entered, 0, sizeof *flow->n_entered * flow->n_loops * flow->n_items);
}

void fault_flow_enter(struct fault_flow *flow, const struct invocation *inv)
{
    for (uint32_t k = 0; k < flow->n_loops; k++) {
        flow->n_entered[(size_t)inv->global_index * flow->n_loops + k] +=
            flow->loop[k].header == inv->label;
    }
}

void fault_flow_end(struct fault_flow *flow, const uint32_t *group)
{
    uint32_t const n = flow->n_loops;
    memcpy(flow->total, flow->n_entered, sizeof *flow->n_entered * n * flow->n_items);
    for (uint32_t i = 0; i < flow->n_items; i++) {
        for (uint32_t k = 0; k < n; k++) {
            flow->fewest[i * n + k] = flow->most[i * n + k] = flow->n_entered[i * n + k];
        }
        for (uint32_t other = 0; other < flow->n_items; other++) {
            for (uint32_t k = 0; group[other] == group[i] && k < n; k++) {
                uint32_t const n_entered = flow->n_entered[other * n + k];
                uint32_t *const fewest = &flow->fewest[i * n + k], *const most =
                                                                       &flow->most[i * n + k];
                *fewest = n_entered < *fewest ? n_entered : *fewest;
                *most = n_entered > *most ? n_entered : *most;
            }
        }
    }
}

bool fault_flow_is_at(const struct fault_flow *flow, const struct module *m,
                      const struct invocation *inv, enum flow_where where)
{
    uint32_t const here = m->label_at[inv->label];
    for (uint32_t k = 0; k < flow->n_loops; k++) {
        const struct merge_loop *loop = &flow->loop[k];
        size_t const at = (size_t)inv->global_index * flow->n_loops + k;
        if (flow->fewest[at] == flow->most[at] ||
            (where == FLOW_UNEVEN_LOOP_OF_ATOMICS && !loop->has_atomic)) {
            continue;
        }
        bool const is_in_more = flow->n_entered[at] > flow->fewest[at];
        if (is_in_more || (loop->merge <= here && here < loop->end)) {
            return true;
        }
    }
    return false;
}

const struct merge_loop *fault_flow_left(const struct fault_flow *flow, const struct module *m,
                                         const struct invocation *inv, uint32_t *n)
{
    uint32_t const here = m->label_at[inv->label];
    for (uint32_t k = 0; k < flow->n_loops; k++) {
        size_t const at = (size_t)inv->global_index * flow->n_loops + k;
        if (flow->loop[k].merge == here && flow->n_entered[at] > 0 &&
            flow->n_entered[at] < flow->most[at]) {
            *n = flow->most[at] - flow->n_entered[at];
            return &flow->loop[k];
        }
    }
    return NULL;
}

bool fault_flow_is_from_before(const struct module *m, uint32_t id, uint32_t merge)
{
    uint32_t header = m->label_at[merge];
    bool has_group = false;
    while (header > 0 && m->code[header].op != SpvOpFunction &&
           !(m->code[header].op == SpvOpSelectionMerge &&
             module_get_operand(m, &m->code[header], 1) == merge)) {
        has_group |= m->code[header].part == PART_GROUP;
        header--;
    }
    bool const is_selection = m->code[header].op == SpvOpSelectionMerge;
    uint32_t const def = m->ids[id].def;
    return is_selection && has_group && m->ids[id].n_slots == 1 &&
           (def == UINT32_MAX ? (m->ids[id].flags & ID_CONSTANT) != 0 : def < header);
}

/* Searches the entry point for the first barrier or group instruction that some invocations may not reach: one
 * after a return, or within a selection. Returns whether there is one. *before becomes the code index of the last
 * barrier that all invocations reach before it, or of the entry point. */
static bool find_barrier_of_some(const struct module *m, uint32_t *before)
{
    bool has_return = false;
    uint32_t end = 0; /* of the outermost selection */
    *before = m->entry;
    for (uint32_t i = m->entry; i < m->n_code && m->code[i].op != SpvOpFunctionEnd; i++) {
        const struct mod_inst *in = &m->code[i];
        uint32_t const merge = in->op == SpvOpSelectionMerge ? module_get_operand(m, in, 1) : 0;
        uint32_t const at = merge ? m->label_at[merge] : UINT32_MAX;
        end = at != UINT32_MAX && at > end ? at : end;
        has_return |= in->op == SpvOpReturn;
        bool const is_barrier = in->op == SpvOpControlBarrier || in->part == PART_GROUP;
        if (is_barrier && (has_return || i < end)) {
            return true;
        }
        *before = is_barrier ? i : *before;
    }
    return false;
}

bool fault_flow_has_barrier_of_some(const struct module *m)
{
    uint32_t before;
    return find_barrier_of_some(m, &before);
}

uint32_t fault_flow_find_boundary(const struct module *m)
{
    uint32_t before;
    return find_barrier_of_some(m, &before) ? before : UINT32_MAX;
}

bool fault_flow_is_nested(const struct fault_flow *flow, uint32_t code)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < flow->n_loops; k++) {
        n += flow->loop[k].first < code && code < flow->loop[k].merge;
    }
    return n > 1;
}

const struct merge_loop *fault_flow_began(const struct fault_flow *flow, const struct module *m,
                                          const struct invocation *inv)
{
    uint32_t const here = m->label_at[inv->label];
    for (uint32_t k = 0; k < flow->n_loops; k++) {
        size_t const at = (size_t)inv->global_index * flow->n_loops + k;
        if (flow->loop[k].first == here && flow->n_entered[at] >= flow->fewest[at] &&
            flow->total[at] > flow->fewest[at]) {
            return &flow->loop[k];
        }
    }
    return NULL;
}

/* Is the loop to be unrolled, and do two blocks of it lead to what comes after it? */
static bool is_unrolled(const struct module *m, const struct merge_loop *loop)
{
    enum {
        CONTROL = 3 /* word of OpLoopMerge */
    };
    const struct mod_inst *merge = NULL;
    uint32_t n_exits = 0;
    for (uint32_t i = loop->first; i < loop->merge; i++) {
        const struct mod_inst *in = &m->code[i];
        if (in->op == SpvOpLoopMerge && !merge) {
            merge = in;
        }
        bool is_exit = false;
        for (uint32_t w = 1; w < in->n; w++) {
            is_exit |= (in->op == SpvOpBranch || in->op == SpvOpBranchConditional) &&
                       m->label_at[module_get_operand(m, in, w)] == loop->merge;
        }
        n_exits += is_exit;
    }
    return merge && merge->n > CONTROL && (merge->w[CONTROL] & SpvLoopControlUnrollMask) &&
           n_exits > 1;
}

const struct merge_loop *fault_flow_in_unrolled(const struct fault_flow *flow,
                                                const struct module *m,
                                                const struct invocation *inv, uint32_t *n_done)
{
    for (uint32_t k = 0; k < flow->n_loops; k++) {
        if (flow->loop[k].header == inv->label && is_unrolled(m, &flow->loop[k])) {
            *n_done = flow->n_entered[(size_t)inv->global_index * flow->n_loops + k] - 1;
            return &flow->loop[k];
        }
    }
    return NULL;
}

const struct merge_loop *fault_flow_left_unrolled(const struct fault_flow *flow,
                                                  const struct module *m,
                                                  const struct invocation *inv)
{
    enum {
        MANY = 82 /* iterations; loops of fewer are right */
    };
    for (uint32_t k = 0; k < flow->n_loops; k++) {
        size_t const at = (size_t)inv->global_index * flow->n_loops + k;
        if (flow->loop[k].merge == m->label_at[inv->label] && flow->most[at] >= MANY &&
            is_unrolled(m, &flow->loop[k])) {
            return &flow->loop[k];
        }
    }
    return NULL;
}

/* Is every component of the value this constant? */
static bool is_all(const struct module *m, uint32_t id, uint64_t enc)
{
    const struct mod_id *of = &m->ids[id];
    bool is_it = (of->flags & ID_CONSTANT) != 0;
    for (uint32_t c = 0; is_it && c < of->n_slots; c++) {
        is_it = m->consts[of->slot + c].bits == enc;
    }
    return is_it;
}

/* Is it a negation: -x, x * -1 or -0 - x? */
static bool is_negation(const struct module *m, const struct mod_inst *in)
{
    const struct float_format *f = &float_formats[module_get_format(m, in->type)];
    uint64_t const minus_one = fault_one(f) | f->sign;
    uint32_t const x = module_get_operand(m, in, MOD_OPERAND);
    uint32_t const y = module_get_operand(m, in, MOD_OPERAND + 1);
    return in->op == SpvOpFNegate ||
           (in->op == SpvOpFMul && (is_all(m, x, minus_one) || is_all(m, y, minus_one))) ||
           (in->op == SpvOpFSub && is_all(m, x, f->sign));
}

/* Does all of the work-group wait for each other there? */
static bool is_barrier(const struct module *m, const struct mod_inst *in)
{
    bool const is_control = in->op == SpvOpControlBarrier;
    uint32_t const scope = module_get_operand(m, in, is_control ? 1 : MOD_OPERAND);
    return (is_control || in->part == PART_GROUP) && is_all(m, scope, SpvScopeWorkgroup);
}

static bool is_same(const struct mod_inst *a, const struct mod_inst *b)
{
    return a->op == b->op && a->n == b->n && a->n > MOD_OPERAND &&
           memcmp(a->w + MOD_OPERAND, b->w + MOD_OPERAND, sizeof *a->w * (a->n - MOD_OPERAND)) == 0;
}

/* Where in the code a value is kept: the first computation of it, and the last use. */
struct life {
    uint32_t first, last;
};

/* Finds where in the code a value exists: from the first instruction that computes it to the last
 * one that uses it. Instructions with the same opcode and operands count as the same value. A phi
 * uses its operand at the end of the predecessor block that the operand belongs to. */
static struct life find_life(const struct module *m, const struct mod_inst *value)
{
    struct life life = {.first = m->ids[value->result].def};
    for (uint32_t i = 0; i < m->n_code; i++) {
        const struct mod_inst *in = &m->code[i];
        if (is_same(in, value) && i < life.first) {
            life.first = i;
        }
        for (uint32_t w = 1; w < in->n; w++) {
            const struct mod_inst *def = module_get_definition(m, module_get_operand(m, in, w));
            if (!def || def == in || !is_same(def, value)) {
                continue;
            }
            uint32_t at = i;
            /* the word after a value is its block, which ends before the next label */
            if (in->op == SpvOpPhi) {
                at = m->label_at[module_get_operand(m, in, w + 1)];
                do {
                    at++;
                } while (at < m->n_code && m->code[at].op != SpvOpLabel);
            }
            life.last = at > life.last ? at : life.last;
        }
    }
    return life;
}

/* Extends the life of a value as a compiler does around loops. A value whose operands all come
 * from before a loop is computed before the loop (hoisted). A value from before a loop that is
 * used in the loop stays alive up to the loop's end. */
static struct life extend_over_loops(const struct module *m, const struct mod_inst *value,
                                     struct life life)
{
    uint32_t header = 0; /* code index of the label before instruction i: where a loop begins */
    for (uint32_t i = 0; i < m->n_code; i++) {
        const struct mod_inst *in = &m->code[i];
        header = in->op == SpvOpLabel ? i : header;
        uint32_t const merge = in->op == SpvOpLoopMerge ? module_get_operand(m, in, 1) : 0;
        uint32_t const end = merge ? m->label_at[merge] : UINT32_MAX;
        if (end == UINT32_MAX) { /* no loop begins here */
            continue;
        }
        bool is_invariant = true;
        for (uint32_t w = MOD_OPERAND; w < value->n; w++) {
            uint32_t const def = m->ids[module_get_operand(m, value, w)].def;
            is_invariant &= def == UINT32_MAX || def < header; /* UINT32_MAX: a constant */
        }
        if (is_invariant && header < life.first && life.first < end) {
            life.first = header;
        }
        if (life.first <= header && header < life.last && life.last < end) {
            life.last = end;
        }
    }
    return life;
}

static bool has_barrier(const struct module *m, struct life life)
{
    bool has_it = false;
    for (uint32_t i = life.first; i < life.last && !has_it; i++) {
        has_it = is_barrier(m, &m->code[i]);
    }
    return has_it;
}

static bool is_kept_from(const struct module *m, const struct mod_inst *in, uint32_t last)
{
    struct life life = find_life(m, in);
    life.last = last > life.last ? last : life.last;
    return has_barrier(m, extend_over_loops(m, in, life));
}

/* Is the value a negation that is alive across a barrier of the work-group and used at code index `last`? The
 * search follows composites to their components, and function parameters to the arguments of each call. */
static bool is_kept_negation(const struct module *m, uint32_t id, uint32_t last, int depth)
{
    enum {
        MAX_DEPTH = 6,       /* of the search, which a recursive module would not end */
        CALLED = MOD_OPERAND /* word of a call: the function, before the arguments */
    };
    const struct mod_inst *const in = module_get_definition(m, id);
    if (!in || depth == MAX_DEPTH) {
        return false;
    }
    bool is_kept = false;
    if (in->op == SpvOpCompositeConstruct || in->op == SpvOpCompositeExtract) {
        uint32_t const end = in->op == SpvOpCompositeExtract ? MOD_OPERAND + 1 : in->n;
        for (uint32_t w = MOD_OPERAND; w < end && !is_kept; w++) {
            is_kept = is_kept_negation(m, module_get_operand(m, in, w), last, depth + 1);
        }
        return is_kept;
    }
    if (in->op != SpvOpFunctionParameter) {
        /* the operand of an extract may be a struct, which has no format */
        return module_get_format(m, in->type) >= 0 && is_negation(m, in) &&
               is_kept_from(m, in, last);
    }
    /* parameters follow OpFunction: counted back to it, the parameter's number gives the word of the argument */
    uint32_t function = m->ids[id].def;
    uint32_t n_parameters = 0;
    for (; function > 0 && m->code[function].op == SpvOpFunctionParameter; function--) {
        n_parameters++;
    }
    for (uint32_t i = 0; i < m->n_code && !is_kept; i++) {
        const struct mod_inst *const call = &m->code[i];
        is_kept =
            call->op == SpvOpFunctionCall && CALLED + n_parameters < call->n &&
            module_get_operand(m, call, CALLED) == m->code[function].result &&
            is_kept_negation(m, module_get_operand(m, call, CALLED + n_parameters), i, depth + 1);
    }
    return is_kept;
}

bool fault_flow_is_negated_across_barrier(const struct module *m, const struct mod_inst *in)
{
    uint32_t const at = m->ids[in->result].def;
    bool is_it = is_negation(m, in) && is_kept_from(m, in, 0);
    for (uint32_t w = MOD_OPERAND; in->op == SpvOpFSub && w < in->n && !is_it; w++) {
        is_it = is_kept_negation(m, module_get_operand(m, in, w), at, 0);
    }
    return is_it;
}

/* Is the pointer to memory that several come to, and that the module stores to? */
static bool is_written(const struct module *m, uint32_t pointer)
{
    uint32_t const storage = m->ids[m->ids[pointer].type].t.storage;
    if (storage != SpvStorageClassWorkgroup && storage != SpvStorageClassCrossWorkgroup &&
        storage != SpvStorageClassStorageBuffer) {
        return false;
    }
    uint32_t const root = fault_find_root(m, pointer);
    for (uint32_t i = 0; i < m->n_code; i++) {
        const struct mod_inst *const in = &m->code[i];
        if (in->op == SpvOpStore && in->n > 1 &&
            fault_find_root(m, module_get_operand(m, in, 1)) == root) {
            return true;
        }
    }
    return false;
}

/* Is it a load from such memory? */
static bool is_from_written(const struct module *m, const struct mod_inst *in)
{
    return in && in->op == SpvOpLoad && is_written(m, module_get_operand(m, in, MOD_OPERAND));
}

/* Is the pointer to memory into which such a load is copied? */
static bool is_filled(const struct module *m, uint32_t pointer)
{
    uint32_t const root = fault_find_root(m, pointer);
    bool is_it = false;
    for (uint32_t i = 0; i < m->n_code && !is_it; i++) {
        const struct mod_inst *const in = &m->code[i];
        is_it = in->op == SpvOpStore &&
                fault_find_root(m, module_get_operand(m, in, MOD_STORE_POINTER)) == root &&
                is_from_written(
                    m, module_get_definition(m, module_get_operand(m, in, MOD_STORE_OBJECT)));
    }
    return is_it;
}

bool fault_flow_is_word(const struct module *m, const struct mod_inst *in)
{
    return is_from_written(m, in) ||
           (in->op == SpvOpLoad && is_filled(m, module_get_operand(m, in, MOD_OPERAND)));
}

static bool is_of_values(const struct mod_inst *in)
{
    return in->part == PART_FLOAT || in->part == PART_BINARY || in->part == PART_INTEGER ||
           in->part == PART_NUMBER;
}

/* Is it computed of such a word, by instructions on values alone? */
static bool is_of_word(const struct module *m, const struct mod_inst *in, int depth)
{
    enum {
        MAX_DEPTH = 4
    };
    bool is_it = false;
    for (uint32_t w = MOD_OPERAND; is_of_values(in) && w < in->n && !is_it; w++) {
        const struct mod_inst *of = module_get_definition(m, module_get_operand(m, in, w));
        is_it = of &&
                (fault_flow_is_word(m, of) || (depth < MAX_DEPTH && is_of_word(m, of, depth + 1)));
    }
    return is_it;
}

/* Is an integer that is computed from the value used after a barrier? The compiler keeps such an
 * integer in a register and recomputes its operands from what is loaded again after the barrier. */
static bool has_integer_across(const struct module *m, uint32_t id, int depth)
{
    enum {
        MAX_DEPTH = 4
    };
    bool is_it = false;
    for (uint32_t i = 0; depth < MAX_DEPTH && i < m->n_code && !is_it; i++) {
        const struct mod_inst *const in = &m->code[i];
        bool is_of = false;
        for (uint32_t w = MOD_OPERAND;
             is_of_values(in) && in->part != PART_FLOAT && w < in->n && !is_of; w++) {
            is_of = module_get_operand(m, in, w) == id;
        }
        is_it = is_of && in->result != 0 &&
                (has_barrier(m, find_life(m, in)) || has_integer_across(m, in->result, depth + 1));
    }
    return is_it;
}

bool fault_flow_is_computed_across_barrier(const struct module *m, const struct mod_inst *in)
{
    return (fault_flow_is_word(m, in) &&
            (has_barrier(m, find_life(m, in)) || has_integer_across(m, in->result, 0))) ||
           (is_of_word(m, in, 0) && has_barrier(m, find_life(m, in)));
}
