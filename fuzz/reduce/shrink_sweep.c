/* fuzz/reduce/shrink_sweep.c -- a module without what nothing uses, and how many instructions are left. */
#include "fuzz/reduce/shrink_sweep.h"

#include <string.h>

#include "base/spv.h"
#include "fuzz/reduce/shrink_caps.h"
#include "fuzz/reduce/shrink_flow.h"
#include "fuzz/reduce/shrink_grammar.h"

/* Instructions that are known to be used, some of which have not been looked into. */
struct marks {
    uint8_t *is_live; /* [n] */
    uint32_t *todo;
    uint32_t n_todo;
};

static void mark(struct marks *marks, uint32_t index)
{
    if (!marks->is_live[index]) {
        marks->is_live[index] = 1;
        marks->todo[marks->n_todo++] = index;
    }
}

/* A store to a variable of a function, of which nothing else is ever done. */
static bool is_idle_store(const struct shrink_module *m, const uint32_t *n_other,
                          const struct shrink_inst *i)
{
    const struct shrink_inst *const v = i->op == SpvOpStore ? shrink_module_find(m, i->w[1]) : NULL;
    return v && v->op == SpvOpVariable && v->w[3] == SpvStorageClassFunction &&
           n_other[v->result] == 0;
}

/* Uses of each id but as the pointer of a store. */
static uint32_t *count_other_uses(const struct shrink_module *m)
{
    uint32_t *const n = shrink_module_count_uses(m);
    for (uint32_t i = 0; n && i < m->n; i++) {
        if (m->inst[i].op == SpvOpStore && !m->inst[i].is_dead && m->inst[i].w[1] < m->n_defs) {
            n[m->inst[i].w[1]]--;
        }
    }
    return n;
}

/* Does it stay whenever its function does? */
static bool is_root_in_function(const struct shrink_module *m, const uint32_t *n_other,
                                const struct shrink_inst *i)
{
    return i->op == SpvOpFunctionParameter || i->op == SpvOpFunctionEnd || i->op == SpvOpLabel ||
           i->op == SpvOpLoopMerge || i->op == SpvOpSelectionMerge ||
           shrink_grammar_is_terminator(i->op) ||
           (shrink_module_has_effect(m, i) && !is_idle_store(m, n_other, i));
}

static bool is_root_outside(const struct shrink_inst *i)
{
    return i->op == SpvOpCapability || i->op == SpvOpExtension || i->op == SpvOpMemoryModel ||
           i->op == SpvOpEntryPoint || i->op == SpvOpSource;
}

/* Is it a constant that states the size of work-groups, whether or not anything uses it? */
static bool is_size(const struct shrink_module *m, const struct shrink_inst *i)
{
    bool const is_decorated = i->op == SpvOpDecorate && i->n > 3 &&
                              i->w[2] == (uint32_t)SpvDecorationBuiltIn &&
                              i->w[3] == (uint32_t)SpvBuiltInWorkgroupSize;
    const struct shrink_inst *const of = is_decorated ? shrink_module_find(m, i->w[1]) : NULL;
    return of && of->op != SpvOpVariable;
}

/* Empty the list of what was not looked into: mark the definitions of what it uses, and of a function the
 * instructions that stay with it. */
static void mark_used(const struct shrink_module *m, const uint32_t *n_other, struct marks *marks)
{
    while (marks->n_todo > 0) {
        uint32_t const index = marks->todo[--marks->n_todo];
        const struct shrink_inst *const i = &m->inst[index];
        for (uint32_t w = 1; w < i->n; w++) {
            if (i->role[w] != ROLE_LITERAL && i->role[w] != ROLE_TARGET && i->w[w] < m->n_defs &&
                m->def[i->w[w]] != SHRINK_NONE) {
                mark(marks, m->def[i->w[w]]);
            }
        }
        for (uint32_t j = index; i->op == SpvOpFunction && j < m->n; j++) {
            if (m->inst[j].function == index && !m->inst[j].is_dead &&
                is_root_in_function(m, n_other, &m->inst[j])) {
                mark(marks, j);
            }
        }
    }
}

/* Is it said of something that is used? */
static bool speaks_of_live(const struct shrink_module *m, const struct marks *marks,
                           const struct shrink_inst *i)
{
    bool const speaks = i->op == SpvOpDecorate || i->op == SpvOpMemberDecorate ||
                        i->op == SpvOpDecorateId || i->op == SpvOpExecutionMode ||
                        i->op == SpvOpExecutionModeId;
    uint32_t const def = speaks ? m->def[i->w[1]] : SHRINK_NONE;
    return def != SHRINK_NONE && marks->is_live[def];
}

/* Mark in marks->is_live all instructions that the module needs. The marking begins with those that have an effect
 * by themselves (the roots) and goes on to what these use. Then decorations and modes of marked instructions are
 * marked, which may use more, until nothing is added. False: no memory. */
static bool mark_all(const struct shrink_module *m, struct marks *marks)
{
    uint32_t *const n_other = count_other_uses(m);
    *marks = (struct marks){.is_live = arena_take(m->a, m->n + 1),
                            .todo = ARENA_NEW(m->a, uint32_t, m->n + 1)};
    if (!n_other || !marks->is_live || !marks->todo) {
        return false;
    }
    for (uint32_t i = 0; i < m->n; i++) {
        const struct shrink_inst *const in = &m->inst[i];
        if (!in->is_dead && is_root_outside(in)) {
            mark(marks, i);
        } else if (!in->is_dead && is_size(m, in)) { /* the constant that it decorates is a root */
            mark(marks, m->def[in->w[1]]);
        }
    }
    bool is_done = false;
    while (!is_done) {
        mark_used(m, n_other, marks);
        is_done = true;
        for (uint32_t i = 0; i < m->n; i++) {
            if (!m->inst[i].is_dead && !marks->is_live[i] &&
                speaks_of_live(m, marks, &m->inst[i])) {
                mark(marks, i);
                is_done = false;
            }
        }
    }
    return true;
}

/* Take from an entry point's interface what is not used any more. */
static void trim_interface(const struct shrink_module *m, struct shrink_inst *i)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < i->n; k++) {
        if (k == 0 || i->role[k] != ROLE_TARGET || shrink_module_find(m, i->w[k])) {
            i->w[n++] = i->w[k]; /* those of the interface come last, so that roles stay */
        }
    }
    i->n = n;
    i->w[0] = n << 16 | i->op;
}

/* Remove what nothing needs, and variables that went from the entry point's interface. 1: something went; 0:
 * nothing; -1: no memory. */
static int remove_unused(struct shrink_module *m)
{
    struct marks k;
    int is_changed = 0;
    if (!mark_all(m, &k)) {
        return -1;
    }
    for (uint32_t i = 0; i < m->n; i++) {
        if (!m->inst[i].is_dead && !k.is_live[i]) {
            m->inst[i].is_dead = 1;
            is_changed = 1;
        }
    }
    for (uint32_t i = 0; i < m->n; i++) {
        if (m->inst[i].op == SpvOpEntryPoint) {
            trim_interface(m, &m->inst[i]);
        }
    }
    return is_changed;
}

/* The module without what it does not need: blocks that are not reached, values that nothing uses,
 * capabilities of neither. NULL: it is not understood, or no memory. */
const uint32_t *shrink_sweep(const uint32_t *words, uint32_t n_words, struct arena *a,
                             uint32_t *n_out)
{
    struct shrink_module *m = shrink_module_parse(words, n_words, a);
    if (!m || shrink_flow_tidy(m) < 0) {
        return NULL;
    }
    if (m->bound > m->n_defs) { /* what was made on the way may be unused as well */
        words = shrink_module_write(m, &n_words);
        m = words ? shrink_module_parse(words, n_words, a) : NULL;
        if (!m) {
            return NULL;
        }
    }
    int is_changed = 1;
    while (is_changed > 0) { /* a store that goes may leave another variable without a use */
        is_changed = remove_unused(m);
    }
    if (is_changed < 0) {
        return NULL;
    }
    shrink_caps_sweep(m);
    return shrink_module_write(m, n_out);
}

uint32_t shrink_count(const struct testcase *tc)
{
    uint32_t offset = SPV_HEADER_WORDS, n = 0;
    int is_in_function = 0;
    struct spv_inst i;
    if (!spv_is_module(tc->module, tc->n_words)) {
        return 0;
    }
    while (spv_next(tc->module, tc->n_words, &offset, &i)) {
        is_in_function |= i.op == SpvOpFunction;
        bool const is_frame = i.op == SpvOpFunction || i.op == SpvOpFunctionParameter ||
                              i.op == SpvOpFunctionEnd || i.op == SpvOpLabel ||
                              i.op == SpvOpReturn || i.op == SpvOpVariable ||
                              shrink_grammar_is_debug(i.op);
        n += is_in_function && !is_frame;
        is_in_function &= i.op != SpvOpFunctionEnd;
    }
    return offset == tc->n_words ? n : 0;
}

int shrink_finish(struct shrink_module *m, const struct testcase *tc, struct testcase *out)
{
    uint32_t n = 0, n_swept = 0;
    const uint32_t *const words = shrink_module_write(m, &n);
    const uint32_t *const swept = words ? shrink_sweep(words, n, m->a, &n_swept) : NULL;
    if (!swept ||
        (n_swept == tc->n_words && memcmp(swept, tc->module, n_swept * sizeof *swept) == 0)) {
        return 0;
    }
    *out = *tc;
    out->module = swept;
    out->n_words = n_swept;
    return 1;
}
