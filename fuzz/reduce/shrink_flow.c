/* fuzz/reduce/shrink_flow.c -- blocks of a module, who dominates whom, and what is left of them after an edit. */
#include "fuzz/reduce/shrink_flow.h"

#include <string.h>

#include "fuzz/reduce/shrink_grammar.h"

/* ---- the graph ---- */

/* Label operands of the terminator, each once; returns how many were put at `to` (of at most max). */
static uint32_t list_targets(const struct shrink_inst *term, uint32_t *to, uint32_t max)
{
    uint32_t n = 0;
    for (uint32_t k = 1; k < term->n; k++) {
        uint32_t j = 0;
        while (term->role[k] == ROLE_LABEL && j < n && to[j] != term->w[k]) {
            j++;
        }
        if (term->role[k] == ROLE_LABEL && j == n && n < max) {
            to[n++] = term->w[k];
        }
    }
    return n;
}

uint32_t shrink_flow_find(const struct shrink_module *m, const struct shrink_flow *f,
                          uint32_t label)
{
    const struct shrink_inst *const i = shrink_module_find(m, label);
    return i && i->op == SpvOpLabel ? f->of[i - m->inst] : SHRINK_NONE;
}

/* List the blocks of all functions. Each block gets the index of its label, its terminator and
 * its merge instruction, or SHRINK_NONE if it has none. f->of maps each instruction to its block,
 * or SHRINK_NONE outside of blocks. */
static void find_blocks(const struct shrink_module *m, struct shrink_flow *f)
{
    uint32_t current = SHRINK_NONE;
    for (uint32_t i = 0; i < m->n; i++) {
        const struct shrink_inst *const in = &m->inst[i];
        f->of[i] = SHRINK_NONE;
        if (in->is_dead) {
            continue;
        }
        if (in->op == SpvOpLabel) {
            current = f->n++;
            f->block[current] = (struct shrink_block){.label = i,
                                                      .term = SHRINK_NONE,
                                                      .merge = SHRINK_NONE,
                                                      .idom = SHRINK_NONE,
                                                      .order = SHRINK_NONE};
        }
        f->of[i] = current;
        if (current != SHRINK_NONE && (in->op == SpvOpLoopMerge || in->op == SpvOpSelectionMerge)) {
            f->block[current].merge = i;
        }
        if (current != SHRINK_NONE && shrink_grammar_is_terminator(in->op)) {
            f->block[current].term = i;
            current = SHRINK_NONE;
        }
    }
}

/* What the depth-first walk works on. */
struct walk {
    uint32_t *targets; /* blocks that block 0 leads to, then those of block 1, ... */
    uint32_t *first;   /* [n + 1] where those of a block begin in targets */
    uint32_t *stack;   /* blocks from the entry to where the walk is */
    uint32_t *next;    /* for each on the stack, where in targets to go on */
    uint32_t *postorder;
    uint32_t n_postorder;
};

/* Walk depth first over what the first block `entry` of a function leads to, and list it in postorder.
 * w->next[d]: the next edge to follow from the block at depth d; the edges of block b are targets[first[b]]
 * to targets[first[b + 1]]. */
static void walk_from(struct shrink_flow *f, struct walk *w, uint32_t entry)
{
    uint32_t depth = 1;
    w->stack[0] = entry;
    w->next[0] = w->first[entry];
    f->block[entry].is_reached = 1;
    f->block[entry].idom = entry;
    while (depth > 0) {
        uint32_t const at = w->stack[depth - 1];
        if (w->next[depth - 1] == w->first[at + 1]) {
            w->postorder[w->n_postorder++] = at;
            depth--;
            continue;
        }
        uint32_t const to = w->targets[w->next[depth - 1]++];
        if (!f->block[to].is_reached) {
            f->block[to].is_reached = 1;
            w->stack[depth] = to;
            w->next[depth++] = w->first[to];
        }
    }
}

/* The last block that dominates both. */
static uint32_t find_common_dominator(const struct shrink_flow *f, uint32_t x, uint32_t y)
{
    while (x != y) {
        while (f->block[x].order > f->block[y].order) {
            x = f->block[x].idom;
        }
        while (f->block[y].order > f->block[x].order) {
            y = f->block[y].idom;
        }
    }
    return x;
}

/* Find the immediate dominator of each block by the algorithm of Cooper, Harvey and Kennedy. Blocks are visited in
 * reverse postorder; the dominator of a block is the common dominator of its predecessors that have one already. This
 * is repeated until nothing changes. An entry block is its own dominator. */
static void find_dominators(struct shrink_flow *f, const struct walk *w)
{
    int is_changed = 1;
    for (uint32_t i = 0; i < w->n_postorder; i++) {
        f->block[w->postorder[i]].order = w->n_postorder - 1 - i;
    }
    while (is_changed) {
        is_changed = 0;
        for (uint32_t i = w->n_postorder; i-- > 0;) {
            uint32_t const at = w->postorder[i];
            struct shrink_block *const b = &f->block[at];
            uint32_t dominator = SHRINK_NONE;
            if (b->idom == at) { /* an entry block */
                continue;
            }
            for (uint32_t k = 0; k < b->n_preds; k++) {
                uint32_t const p = f->preds[b->first_pred + k];
                if (f->block[p].is_reached && f->block[p].idom != SHRINK_NONE) {
                    dominator =
                        dominator == SHRINK_NONE ? p : find_common_dominator(f, dominator, p);
                }
            }
            is_changed |= dominator != b->idom;
            b->idom = dominator;
        }
    }
}

/* List the blocks that each block leads to; those that have no block are left out. */
static void list_successors(const struct shrink_module *m, struct shrink_flow *f, struct walk *w,
                            uint32_t n_max)
{
    uint32_t at = 0;
    for (uint32_t b = 0; b < f->n; b++) {
        uint32_t const term = f->block[b].term;
        uint32_t const n_labels =
            term == SHRINK_NONE ? 0 : list_targets(&m->inst[term], w->targets + at, n_max - at);
        uint32_t const end = at + n_labels;
        w->first[b] = at;
        for (uint32_t k = at; k < end; k++) {
            uint32_t const to = shrink_flow_find(m, f, w->targets[k]);
            if (to != SHRINK_NONE) {
                w->targets[at++] = to; /* at <= k: a label that is still needed stays */
            }
        }
    }
    w->first[f->n] = at;
}

/* The same by target: the blocks that lead to each block. */
static void list_predecessors(struct shrink_flow *f, const struct walk *w)
{
    for (uint32_t k = 0; k < w->first[f->n]; k++) {
        f->block[w->targets[k]].n_preds++;
    }
    uint32_t next = 0;
    for (uint32_t b = 0; b < f->n; b++) {
        f->block[b].first_pred = next;
        next += f->block[b].n_preds;
        f->block[b].n_preds = 0;
    }
    for (uint32_t b = 0; b < f->n; b++) {
        for (uint32_t k = w->first[b]; k < w->first[b + 1]; k++) {
            struct shrink_block *const to = &f->block[w->targets[k]];
            f->preds[to->first_pred + to->n_preds++] = b;
        }
    }
}

/* Find the edges between blocks. False: no memory. */
static bool find_edges(const struct shrink_module *m, struct shrink_flow *f, struct walk *w)
{
    uint32_t n_max = 0;
    for (uint32_t b = 0; b < f->n; b++) {
        n_max += f->block[b].term == SHRINK_NONE ? 0 : m->inst[f->block[b].term].n;
    }
    w->targets = ARENA_NEW(m->a, uint32_t, n_max + 1);
    w->first = ARENA_NEW(m->a, uint32_t, f->n + 1);
    f->preds = ARENA_NEW(m->a, uint32_t, n_max + 1);
    if (!w->targets || !w->first || !f->preds) {
        return false;
    }
    list_successors(m, f, w, n_max);
    list_predecessors(f, w);
    return true;
}

/* Find the blocks of the module, the edges between them, which blocks are reached, and their
 * dominators. 0: a branch leads to no block, or there is no memory. */
int shrink_flow_make(const struct shrink_module *m, struct shrink_flow *f)
{
    struct walk w = {0};
    *f = (struct shrink_flow){.of = ARENA_NEW(m->a, uint32_t, m->n + 1)};
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->n; i++) {
        n += m->inst[i].op == SpvOpLabel;
    }
    f->block = ARENA_NEW(m->a, struct shrink_block, n + 1);
    w.stack = ARENA_NEW(m->a, uint32_t, n + 1);
    w.next = ARENA_NEW(m->a, uint32_t, n + 1);
    w.postorder = ARENA_NEW(m->a, uint32_t, n + 1);
    if (!f->of || !f->block || !w.stack || !w.next || !w.postorder) {
        return 0;
    }
    find_blocks(m, f);
    if (!find_edges(m, f, &w)) {
        return 0;
    }
    uint32_t function = SHRINK_NONE;
    for (uint32_t b = 0; b < f->n; b++) {
        if (m->inst[f->block[b].label].function != function) { /* b is an entry block */
            function = m->inst[f->block[b].label].function;
            walk_from(f, &w, b);
        }
    }
    find_dominators(f, &w);
    return 1;
}

int shrink_flow_dominates(const struct shrink_flow *f, uint32_t x, uint32_t y)
{
    if (x == SHRINK_NONE || y == SHRINK_NONE || !f->block[y].is_reached) {
        return 1;
    }
    for (uint32_t i = 0; i < f->n && y != x; i++) {
        if (f->block[y].idom == y || f->block[y].idom == SHRINK_NONE) {
            return 0;
        }
        y = f->block[y].idom;
    }
    return y == x;
}

int shrink_flow_reaches(const struct shrink_module *m, const struct shrink_flow *f, uint32_t id,
                        uint32_t at)
{
    const struct shrink_inst *const definition = shrink_module_find(m, id);
    if (!definition) {
        return id >= m->n_defs; /* a new constant */
    }
    uint32_t const index = (uint32_t)(definition - m->inst);
    if (definition->function == SHRINK_NONE) {
        return 1;
    }
    if (definition->function != m->inst[at].function) {
        return 0;
    }
    return f->of[index] == f->of[at] ? index < at
                                     : shrink_flow_dominates(f, f->of[index], f->of[at]);
}

/* ---- what an edit leaves behind ---- */

/* Mark in is_named[] the blocks that must stay though nothing leads to them, as a merge instruction of a reached
 * block names them. Into header[], if it is not NULL, goes for each continue target the header of its loop.
 * Entries of other blocks are not written. */
static void find_named(const struct shrink_module *m, const struct shrink_flow *f,
                       uint8_t *is_named, uint32_t *header)
{
    enum {
        CONTINUE_TARGET = 2 /* word of OpLoopMerge; OpSelectionMerge has no label there */
    };
    for (uint32_t b = 0; b < f->n; b++) {
        if (!f->block[b].is_reached || f->block[b].merge == SHRINK_NONE) {
            continue;
        }
        const struct shrink_inst *const merge = &m->inst[f->block[b].merge];
        for (uint32_t k = 1; k < merge->n; k++) {
            uint32_t const to =
                merge->role[k] == ROLE_LABEL ? shrink_flow_find(m, f, merge->w[k]) : SHRINK_NONE;
            if (to == SHRINK_NONE) {
                continue;
            }
            is_named[to] = 1;
            if (header && k == CONTINUE_TARGET) {
                header[to] = b;
            }
        }
    }
}

/* Empty an unreached block that stays: a continue target goes back to the header of its loop, any other
 * ends in OpUnreachable (header: SHRINK_NONE). 1: it was not so; -1: no memory. */
static int empty_block(struct shrink_module *m, const struct shrink_flow *f, uint32_t b,
                       uint32_t header)
{
    struct shrink_inst *const term = &m->inst[f->block[b].term];
    bool const goes_back = header != SHRINK_NONE;
    uint32_t const to = goes_back ? m->inst[f->block[header].label].result : 0;
    int is_changed = 0;
    for (uint32_t i = f->block[b].label + 1; i < f->block[b].term; i++) {
        is_changed |= !m->inst[i].is_dead;
        m->inst[i].is_dead = 1;
    }
    if (goes_back ? term->op == SpvOpBranch && term->w[1] == to : term->op == SpvOpUnreachable) {
        return is_changed;
    }
    uint32_t const op = goes_back ? SpvOpBranch : SpvOpUnreachable;
    return shrink_module_become(m, term, op, &to, goes_back ? 1 : 0) ? 1 : -1;
}

/* Remove the blocks that no path reaches. If a merge instruction names such a block, its label
 * must stay, so the block is emptied instead. 1: something changed; 0: nothing; -1: no memory. */
static int remove_unreached(struct shrink_module *m, const struct shrink_flow *f)
{
    uint8_t *const is_named = arena_take(m->a, f->n + 1);
    uint32_t *const header = ARENA_NEW(m->a, uint32_t, f->n + 1);
    int is_changed = 0;
    if (!is_named || !header) {
        return -1;
    }
    for (uint32_t b = 0; b < f->n; b++) {
        header[b] = SHRINK_NONE;
    }
    find_named(m, f, is_named, header);
    for (uint32_t b = 0; b < f->n; b++) {
        /* Without a terminator it is no whole block, and stays as it is. */
        if (f->block[b].is_reached || f->block[b].term == SHRINK_NONE) {
            continue;
        }
        if (is_named[b]) {
            int const r = empty_block(m, f, b, header[b]);
            if (r < 0) {
                return -1;
            }
            is_changed |= r;
            continue;
        }
        for (uint32_t i = f->block[b].label; i <= f->block[b].term; i++) {
            is_changed |= !m->inst[i].is_dead;
            m->inst[i].is_dead = 1;
        }
    }
    return is_changed;
}

static bool is_pred(const struct shrink_flow *f, const struct shrink_block *b, uint32_t pred)
{
    for (uint32_t k = 0; k < b->n_preds; k++) {
        if (f->preds[b->first_pred + k] == pred) {
            return true;
        }
    }
    return false;
}

/* The phi's value for a block that it did not know: that of an entry which goes, if block `pred` may use
 * it, else zero. 0: the type has no zero. */
static uint32_t choose_entry(struct shrink_module *m, const struct shrink_flow *f,
                             const struct shrink_inst *phi, const struct shrink_block *b,
                             uint32_t pred)
{
    for (uint32_t k = SHRINK_OPERANDS; k + 1 < phi->n; k += 2) {
        uint32_t const value = phi->w[k], label = phi->w[k + 1];
        if (!is_pred(f, b, shrink_flow_find(m, f, label)) && value != phi->result &&
            shrink_module_find(m, value) && shrink_flow_reaches(m, f, value, f->block[pred].term)) {
            return value;
        }
    }
    return shrink_module_constant(m, phi->type, NUMBER_ZERO);
}

/* The value that the phi takes when it is come to from block `pred`; 0: it does not say. */
static uint32_t find_entry(const struct shrink_module *m, const struct shrink_flow *f,
                           const struct shrink_inst *phi, uint32_t pred)
{
    for (uint32_t k = SHRINK_OPERANDS; k + 1 < phi->n; k += 2) {
        uint32_t const value = phi->w[k], label = phi->w[k + 1];
        if (shrink_flow_find(m, f, label) == pred) {
            return value;
        }
    }
    return 0;
}

/* Bring a phi up to date with the predecessors of its block: it gets one entry, a value and a
 * label, for each predecessor and none for any other block. With a single predecessor its value
 * replaces the phi. 1: changed; 0: it was right; -1: no memory. */
static int mend_phi(struct shrink_module *m, const struct shrink_flow *f, struct shrink_inst *phi)
{
    const struct shrink_block *const b = &f->block[f->of[phi - m->inst]];
    uint32_t const n_operands = 2 * b->n_preds;
    uint32_t *const operands = ARENA_NEW(m->a, uint32_t, n_operands + 1);
    if (!operands) {
        return -1;
    }
    for (uint32_t k = 0; k < b->n_preds; k++) {
        uint32_t const pred = f->preds[b->first_pred + k];
        uint32_t const value = find_entry(m, f, phi, pred);
        /* of a new predecessor the phi has no value yet */
        operands[2 * k] = value != 0 ? value : choose_entry(m, f, phi, b, pred);
        operands[2 * k + 1] = m->inst[f->block[pred].label].result;
    }
    /* A phi of itself has no other value that could replace it; 0: none was found. */
    if (b->n_preds == 1 && operands[0] != phi->result && operands[0] != 0) {
        shrink_module_replace(m, phi, operands[0]);
        return 1;
    }
    /* The number of entries differs, or an entry is of a block that is no predecessor any more. */
    bool is_changed = SHRINK_OPERANDS + n_operands != phi->n;
    for (uint32_t k = SHRINK_OPERANDS; !is_changed && k + 1 < phi->n; k += 2) {
        uint32_t const label = phi->w[k + 1];
        is_changed = !is_pred(f, b, shrink_flow_find(m, f, label));
    }
    if (!is_changed) {
        return 0;
    }
    return shrink_module_become(m, phi, SpvOpPhi, operands, n_operands) ? 1 : -1;
}

/* Give the constant zero to each use of a value that was removed together with its block. False: its type has
 * no zero, as a pointer has none, or no memory. */
static bool mend_uses(struct shrink_module *m)
{
    for (uint32_t i = 0; i < m->n; i++) {
        struct shrink_inst *const in = &m->inst[i];
        for (uint32_t k = 1; !in->is_dead && k < in->n; k++) {
            if (in->role[k] != ROLE_VALUE) {
                continue;
            }
            const struct shrink_inst *const d =
                in->w[k] < m->n_defs ? &m->inst[m->def[in->w[k]]] : NULL;
            if (d && d->is_dead) {
                in->w[k] = shrink_module_constant(m, d->type, NUMBER_ZERO);
            }
            if (in->w[k] == 0) {
                return false;
            }
        }
    }
    return true;
}

static void index_definitions(struct shrink_module *m)
{
    for (uint32_t i = 0; i < m->n; i++) {
        if (m->inst[i].result != 0 && m->inst[i].result < m->n_defs) {
            m->def[m->inst[i].result] = i;
        }
    }
}

/* Let block y go on where x, which alone leads to it, ends. */
static void join_two(struct shrink_module *m, const struct shrink_flow *f, uint32_t x, uint32_t y)
{
    struct shrink_inst *const label = &m->inst[f->block[y].label];
    m->alias[label->result] = m->inst[f->block[x].label].result;
    m->inst[f->block[x].term].is_dead = 1;
    label->is_dead = 1;
}

/* Let block y stand where x's terminator ends. False: no memory. */
static bool move_after(struct shrink_module *m, const struct shrink_flow *f, uint32_t x, uint32_t y)
{
    uint32_t const to = f->block[x].term + 1;
    uint32_t const from = f->block[y].label;
    uint32_t const n = f->block[y].term + 1 - from;
    struct shrink_inst *const block = arena_copy(m->a, m->inst + from, n * sizeof *block);
    if (!block) {
        return false;
    }
    memmove(m->inst + to + n, m->inst + to, (from - to) * sizeof *block);
    memcpy(m->inst + to, block, n * sizeof *block);
    index_definitions(m);
    return true;
}

/* Does y's label stand where x's terminator ends? */
static bool is_next(const struct shrink_module *m, const struct shrink_flow *f, uint32_t x,
                    uint32_t y)
{
    uint32_t i = f->block[x].term + 1;
    while (i < f->block[y].label && m->inst[i].is_dead) {
        i++;
    }
    return i == f->block[y].label;
}

/* The block that alone leads to y and leads nowhere else, so that y can be joined to it; SHRINK_NONE if
 * there is none. It comes before y, as in SPIR-V a block does that dominates another. */
static uint32_t find_joinable(const struct shrink_module *m, const struct shrink_flow *f,
                              uint32_t y)
{
    const struct shrink_block *const b = &f->block[y];
    if (b->n_preds != 1 || b->term == SHRINK_NONE) {
        return SHRINK_NONE;
    }
    uint32_t const x = f->preds[b->first_pred];
    const struct shrink_block *const pred = &f->block[x];
    bool const leads_to_y_alone =
        pred->merge == SHRINK_NONE && m->inst[pred->term].op == SpvOpBranch;
    return x < y && pred->is_reached && leads_to_y_alone ? x : SHRINK_NONE;
}

/* Join block x with block y where x only branches to y and nothing else leads to y. If y does not follow x in the
 * module, y has to be moved, which makes the indices of f invalid. So only one such pair is joined, and that ends the
 * call. 1: some were joined, call again; 0: none; -1: no memory. */
static int join_blocks(struct shrink_module *m, const struct shrink_flow *f)
{
    uint8_t *const is_named = arena_take(m->a, f->n + 1);
    int is_changed = 0;
    if (!is_named) {
        return -1;
    }
    find_named(m, f, is_named, NULL);
    for (uint32_t y = f->n; y-- > 0;) {
        uint32_t const x = is_named[y] ? SHRINK_NONE : find_joinable(m, f, y);
        if (x == SHRINK_NONE) {
            continue;
        }
        bool const is_moved = !is_next(m, f, x, y);
        if (is_moved && is_changed) {
            continue; /* the next call moves it */
        }
        join_two(m, f, x, y);
        is_changed = 1;
        if (is_moved) {
            return move_after(m, f, x, y) ? 1 : -1;
        }
    }
    return is_changed;
}

/* Mend all phis. 1: some were changed; -1: no memory. */
static int mend_phis(struct shrink_module *m, const struct shrink_flow *f)
{
    int is_changed = 0;
    for (uint32_t i = 0; i < m->n; i++) {
        if (m->inst[i].op != SpvOpPhi || m->inst[i].is_dead) {
            continue;
        }
        int const mended = mend_phi(m, f, &m->inst[i]);
        if (mended < 0) {
            return -1;
        }
        is_changed |= mended;
    }
    return is_changed;
}

/* The first kind of edit that changes something. 1: it did; 0: nothing is left to do; -1: no memory. */
static int tidy_once(struct shrink_module *m)
{
    struct shrink_flow f;
    if (!shrink_flow_make(m, &f)) {
        return -1;
    }
    int changed = remove_unreached(m, &f);
    if (changed == 0) {
        changed = mend_phis(m, &f);
    }
    if (changed == 0) {
        changed = join_blocks(m, &f);
    }
    return changed < 0 || !shrink_module_settle(m) || !mend_uses(m) ? -1 : changed;
}

int shrink_flow_tidy(struct shrink_module *m)
{
    int is_changed = 0;
    for (;;) {
        int const changed = tidy_once(m);
        if (changed <= 0) {
            return changed < 0 ? -1 : is_changed;
        }
        is_changed = 1;
    }
}
