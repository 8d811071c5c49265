/* oracle/interp/loops.c -- the loops of a module that has barriers of a work-group: in which of them a block is. */
#include "oracle/interp/loops.h"

#include <string.h>

/* The blocks of a module, which are walked depth first from the beginning of each function. */
struct walk {
    const struct module *m;
    uint32_t *end; /* by label: index in code of what ends the block */
    uint32_t *
        number; /* by label: 0 not yet seen, ON_PATH, or 1 + number of blocks that were left before */
    uint32_t *
        order; /* labels as they were left: those that a block goes to come first, but where it goes back */
    uint32_t n_order;
    uint32_t *path,
        *next; /* labels from the beginning on, and which of the ways of each comes next */
    uint32_t n_loops;
    uint32_t header[MOD_MAX_LOOPS];
    uint32_t *loops_of; /* by label */
};
#define ON_PATH UINT32_MAX

/* The label that a block's way number k leads to; 0: it has no such way. */
static uint32_t get_way(const struct walk *w, uint32_t label, uint32_t k)
{
    enum {
        TARGET = 1, /* words */
        TRUE_LABEL,
        DEFAULT = 2,
        FIRST_LITERAL
    };
    const struct mod_inst *const in = &w->m->code[w->end[label]];
    if (in->op == SpvOpBranch) {
        return k == 0 ? module_get_operand(w->m, in, TARGET) : 0;
    }
    if (in->op == SpvOpBranchConditional) {
        return k < 2 ? module_get_operand(w->m, in, TRUE_LABEL + k) : 0;
    }
    if (in->op != SpvOpSwitch) {
        return 0;
    }
    uint32_t const selector = module_get_operand(w->m, in, 1);
    uint32_t const type = w->m->ids[selector].type;
    uint32_t const n_words = type < w->m->n_ids && w->m->ids[type].t.bits > 32 ? 2 : 1;
    return k == 0 ? module_get_operand(w->m, in, DEFAULT)
                  : module_get_operand(w->m, in, FIRST_LITERAL + (k - 1) * (n_words + 1) + n_words);
}

static bool is_label(const struct walk *w, uint32_t id)
{
    uint32_t const at = w->m->label_at[id];
    return id != 0 && at != UINT32_MAX && w->m->code[at].op == SpvOpLabel;
}

/* A block on the path is gone to again: it is the header of a loop. */
static void add_header(struct walk *w, uint32_t label)
{
    for (uint32_t i = 0; i < w->n_loops; i++) {
        if (w->header[i] == label) {
            return;
        }
    }
    if (w->n_loops < MOD_MAX_LOOPS) {
        w->header[w->n_loops++] = label;
    }
}

static void walk_from(struct walk *w, uint32_t first)
{
    uint32_t n = 0;
    w->path[n] = first;
    w->next[n++] = 0;
    w->number[first] = ON_PATH;
    while (n > 0) {
        uint32_t const label = w->path[n - 1], to = get_way(w, label, w->next[n - 1]++);
        if (to == 0) {
            w->order[w->n_order++] = label;
            w->number[label] = w->n_order;
            n--;
        } else if (is_label(w, to) && w->number[to] == ON_PATH) {
            add_header(w, to);
        } else if (is_label(w, to) && w->number[to] == 0) {
            w->path[n] = to;
            w->next[n++] = 0;
            w->number[to] = ON_PATH;
        }
    }
}

/* Does the block lead into the loop, not by its header, or, as one that is walked later than the header, back to that? */
static bool leads_into(const struct walk *w, uint32_t label, uint32_t loop)
{
    uint32_t const header = w->header[loop];
    uint32_t to;
    for (uint32_t k = 0; (to = get_way(w, label, k)) != 0; k++) {
        bool const is_back = to == header && w->number[label] <= w->number[header];
        bool const is_inside =
            to != header && is_label(w, to) && (w->loops_of[to] >> loop & 1) != 0;
        if (is_back || is_inside) {
            return true;
        }
    }
    return false;
}

/* The blocks that lead back to the header, not by it itself: it is left after all of them. */
static void fill_loop(struct walk *w, uint32_t loop)
{
    uint32_t const header = w->header[loop];
    bool has_grown = true;
    while (has_grown) {
        has_grown = false;
        for (uint32_t i = 0; i < w->n_order; i++) {
            uint32_t const label = w->order[i];
            bool const is_known = label == header || (w->loops_of[label] >> loop & 1) != 0;
            if (!is_known && w->number[label] < w->number[header] && leads_into(w, label, loop)) {
                w->loops_of[label] |= UINT32_C(1) << loop;
                has_grown = true;
            }
        }
    }
    w->loops_of[header] |= UINT32_C(1) << loop;
}

static bool has_barrier(const struct module *m)
{
    for (uint32_t i = 0; i < m->n_code; i++) {
        if (m->code[i].op == SpvOpControlBarrier) {
            return true;
        }
    }
    return false;
}

/* Where each block ends, and a walk from the first one of each function. */
static void walk_all(struct walk *w)
{
    const struct module *const m = w->m;
    uint32_t label = 0;
    for (uint32_t i = 0; i < m->n_code; i++) {
        label = m->code[i].op == SpvOpLabel ? m->code[i].result : label;
        w->end[label] = i;
    }
    bool is_first = false;
    for (uint32_t i = 0; i < m->n_code; i++) {
        is_first |= m->code[i].op == SpvOpFunction;
        if (is_first && m->code[i].op == SpvOpLabel) {
            walk_from(w, m->code[i].result);
            is_first = false;
        }
    }
}

enum res loops_find(struct module *m, struct arena *a, struct err *e)
{
    struct walk w = {.m = m};
    m->loops_of = NULL;
    if (!has_barrier(m)) {
        return RES_OK;
    }
    uint32_t **const arrays[] = {&w.end, &w.number, &w.order, &w.path, &w.next, &w.loops_of};
    for (size_t i = 0; i < ARRAY_N(arrays); i++) {
        *arrays[i] = ARENA_NEW(a, uint32_t, m->n_ids);
        if (!*arrays[i]) {
            return err_set(e, RES_NOMEM, "module: arena full at %u ids", m->n_ids);
        }
    }
    walk_all(&w);
    for (uint32_t i = 0; i < w.n_loops; i++) {
        fill_loop(&w, i);
    }
    m->loops_of = w.n_loops > 0 ? w.loops_of : NULL;
    memcpy(m->loop_header, w.header, sizeof w.header);
    return RES_OK;
}
