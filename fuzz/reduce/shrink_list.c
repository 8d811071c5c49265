/* fuzz/reduce/shrink_list.c -- passes that do the same to each instruction of a list. */
#include "fuzz/reduce/shrink_list.h"

#include "fuzz/reduce/shrink_module.h"
#include "fuzz/reduce/shrink_sweep.h"

int shrink_list_try(const struct shrink_list *l, const struct testcase *tc, uint32_t step,
                    struct arena *a, struct testcase *out)
{
    struct shrink_edit e = {.tc = tc,
                            .m = shrink_module_parse(tc->module, tc->n_words, a),
                            .variant = step % l->n_variants};
    if (!e.m || !shrink_flow_make(e.m, &e.flow)) {
        return -1;
    }
    e.uses = shrink_module_count_uses(e.m);
    uint32_t *const sites = ARENA_NEW(a, uint32_t, e.m->n + 1);
    uint32_t n = 0;
    uint32_t lo = 0;
    uint32_t hi = 0;
    if (!e.uses || !sites) {
        return -1;
    }
    for (uint32_t i = 0; i < e.m->n; i++) {
        if (l->is_site(&e, &e.m->inst[i])) {
            sites[n++] = i;
        }
    }
    int const r = shrink_chunk(n, step / l->n_variants, &lo, &hi);
    if (r != 1) {
        return r;
    }
    int is_changed = 0;
    for (uint32_t i = lo; i < hi; i++) {
        is_changed |= l->change(&e, &e.m->inst[sites[i]]);
    }
    return is_changed ? shrink_finish(e.m, tc, out) : 0;
}
