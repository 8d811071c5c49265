/* oracle/judge/feature_flow.c -- where instructions stand: in loops, on sides of branches, in functions. */
#include "oracle/judge/feature_flow.h"

#include "oracle/feature/feature.h"

/* Constructs around the instruction at hand, by the order of blocks that structured code has. */
struct nest {
    uint32_t n;
    struct {
        uint32_t merge, other; /* labels: where it ends, where its else side begins (0: none) */
        uint8_t flow;
    } around[MOD_MAX_CONSTRUCTS];
};

static void push(struct nest *s, uint32_t merge, uint32_t other, enum feature_flow flow)
{
    if (s->n < MOD_MAX_CONSTRUCTS) {
        s->around[s->n].merge = merge;
        s->around[s->n].other = other;
        s->around[s->n].flow = (uint8_t)flow;
        s->n++;
    }
}

/* A block begins: of which constructs is it the end, of which the else side? */
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
    const struct mod_inst *const branch = in + 1;
    int const has_sides = branch < end && branch->op == SpvOpBranchConditional && branch->n > 3;
    push(s, in->w[1], has_sides && branch->w[3] != in->w[1] ? branch->w[3] : 0, FEATURE_IN_THEN);
}

static void find_flow(const struct module *m, uint8_t *flow)
{
    struct nest s = {.n = 0};
    uint8_t outside = 0;
    for (uint32_t i = 0; i < m->n_code; i++) {
        const struct mod_inst *in = &m->code[i];
        if (in->op == SpvOpFunction) {
            s.n = 0;
            outside = i == m->entry ? 0 : FEATURE_IN_FUNCTION;
        } else if (in->op == SpvOpLabel) {
            enter_block(&s, in->result);
        } else if (in->op == SpvOpSelectionMerge && in->n > 1) {
            enter_selection(&s, in, m->code + m->n_code);
        } else if (in->op == SpvOpLoopMerge && in->n > 1) {
            push(&s, in->w[1], 0, FEATURE_IN_LOOP);
        }
        flow[i] = outside;
        for (uint32_t k = 0; k < s.n; k++) {
            flow[i] |= s.around[k].flow;
        }
    }
}

uint8_t feature_get_flow(struct judge *j, const struct mod_inst *in)
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
