/* fuzz/reduce/shrink.c -- the passes in their order, and those that change each instruction of a list.
 * A pass makes candidates, which are smaller or simpler modules, one for each step from 0 on. */
#include "fuzz/reduce/shrink.h"

#include "fuzz/reduce/shrink_module.h"
#include "fuzz/reduce/shrink_sweep.h"

const struct shrink_pass *const shrink_passes[SHRINK_PASS_N] = {
    &shrink_setup_dispatches,
    &shrink_setup_literal_size,
    &shrink_setup_sizes,
    &shrink_code_drop_constructs,
    &shrink_code_drop_effects,
    &shrink_code_inline,
    &shrink_code_take_arms,
    &shrink_code_run_once,
    &shrink_code_values_to_operands,
    &shrink_code_values_to_constants,
    &shrink_code_values_to_earlier,
    &shrink_code_forward,
    &shrink_code_vectors_to_scalars,
    &shrink_setup_to_constants,
    &shrink_flags_decorations,
    &shrink_flags_modes,
    &shrink_flags_masks,
    &shrink_flags_semantics,
    &shrink_setup_subgroups,
    &shrink_setup_options,
    &shrink_setup_sets,
    &shrink_setup_zero,
    &shrink_code_constants,
    &shrink_setup_simplify,
    &shrink_code_special_constants,
    &shrink_setup_special,
    &shrink_setup_cut,
    &shrink_flags_compact,
    &shrink_setup_needs,
};

/* Make candidate `step` of a pass that works on a list of instructions, its sites. The candidate
 * is the module after p->change was applied to one part of the list; without p->change the part is
 * deleted. Successive steps take parts from coarse to fine, and each part in every variant. 1: *out
 * is the candidate. 0: nothing could be changed there, but a later step may have a candidate. -1:
 * there are no more steps, the module is not understood, or the arena is full. */
static int change_list(const struct shrink_pass *p, const struct testcase *tc, uint32_t step,
                       struct arena *a, struct testcase *out)
{
    struct shrink_edit e = {.tc = tc,
                            .m = shrink_module_parse(tc->module, tc->n_words, a),
                            .variant = step % p->n_variants};
    if (!e.m || !shrink_flow_make(e.m, &e.flow)) {
        return -1;
    }
    e.uses = shrink_module_count_uses(e.m);
    uint32_t *const sites = ARENA_NEW(a, uint32_t, e.m->n + 1);
    uint32_t n_sites = 0, first = 0, end = 0; /* the part: sites[first] up to sites[end - 1] */
    if (!e.uses || !sites) {
        return -1;
    }
    for (uint32_t i = 0; i < e.m->n; i++) {
        if (p->is_site(&e, &e.m->inst[i])) {
            sites[n_sites++] = i;
        }
    }
    int const r = shrink_chunk(n_sites, step / p->n_variants, &first, &end);
    if (r != 1) { /* 0: not this step; -1: no more steps */
        return r;
    }
    int is_changed = 0;
    for (uint32_t i = first; i < end; i++) {
        struct shrink_inst *const site = &e.m->inst[sites[i]];
        if (p->change) {
            is_changed |= p->change(&e, site);
        } else {
            site->is_dead = 1;
            is_changed = 1;
        }
    }
    return is_changed ? shrink_finish(e.m, tc, out) : 0;
}

int shrink_try(const struct shrink_pass *p, const struct testcase *tc, uint32_t step,
               struct arena *a, struct testcase *out)
{
    return p->make ? p->make(tc, step, a, out) : change_list(p, tc, step, a, out);
}
