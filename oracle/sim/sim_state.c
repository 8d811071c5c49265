/* oracle/sim/sim_state.c -- what the simulated device chooses, and where its fault may act. */
#include "oracle/sim/sim_state.h"

#include "oracle/math/accuracy.h"
#include "oracle/math/accuracy_int.h"
#include "oracle/num/set.h"

uint64_t sim_choose(const struct sim *s, struct val v, unsigned n_bits, uint64_t pick)
{
    uint64_t bits;
    uint64_t const mask = n_bits >= 64 ? UINT64_MAX : (UINT64_C(1) << n_bits) - 1;
    if (exec_known(&s->x, v, &bits) || abstract_is_one(&s->x.pool[v.abs])) {
        return bits;
    }
    const struct abstract *b = &s->x.pool[v.abs];
    const struct set *set = abstract_get_set(b);
    if (b->kind == ABSTRACT_MASK) {
        return b->mask.must | (pick & b->mask.may);
    }
    if (b->kind == ABSTRACT_CHOICE) {
        return (uint32_t)accuracy_int_choose(b->choices, pick);
    }
    uint64_t const n = set ? set_count(set) : UINT64_MAX;
    return n == UINT64_MAX || n == 0 ? pick & mask : set_nth(set, pick % n);
}

bool sim_is_site(struct sim *s)
{
    bool const is_chosen = s->n_sites++ == s->at;
    return s->at != UINT64_MAX && (is_chosen || s->plan.everywhere);
}

bool sim_is_uneven(const struct testcase *tc)
{
    return tc->global[0] % tc->local[0] || tc->global[1] % tc->local[1] ||
           tc->global[2] % tc->local[2];
}

bool sim_is_judged_by_value(const struct testcase *tc)
{
    return tc->class != CLASS_ILLEGAL && !sim_is_uneven(tc);
}
