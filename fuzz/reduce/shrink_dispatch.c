/* fuzz/reduce/shrink_dispatch.c -- passes over the dispatch, the build options and the needs. */
#include "fuzz/reduce/shrink.h"

#include <string.h>

#include "base/spv.h"
#include "base/testcase.h"
#include "fuzz/reduce/shrink_caps.h"
#include "fuzz/reduce/shrink_module.h"
#include "fuzz/reduce/shrink_sweep.h"

/* ---- sizes ---- */

struct size {
    uint32_t local[3], groups[3];
};

static struct size size_of(const struct testcase *tc)
{
    struct size s;
    for (int d = 0; d < 3; d++) {
        s.local[d] = tc->local[d];
        s.groups[d] = (tc->global[d] + tc->local[d] - 1) / tc->local[d];
    }
    return s;
}

/* Ways to make the whole dispatch smaller. */
enum {
    ONE_ITEM = SHRINK_ONE_ITEM,
    ONE_GROUP = SHRINK_ONE_GROUP,
    TWO_GROUPS_OF_ONE,
    NO_REMAINDER = SHRINK_NO_REMAINDER,
    FLAT, /* all of a work-group in the first dimension */
    FLAT_GROUPS,
    N_WHOLE_WAYS
};
/* Ways to make it smaller in one dimension: each comes three times, behind those of the whole. */
enum {
    GROUPS_TO_ONE,
    LOCAL_TO_ONE,
    HALF_THE_GROUPS,
    HALF_THE_LOCAL,
    ONE_GROUP_LESS,
    ONE_LOCAL_LESS,
    N_WAYS_OF_DIMENSION
};

static void change_whole(struct size *s, uint32_t way)
{
    bool const is_one = way == ONE_ITEM || way == TWO_GROUPS_OF_ONE;
    for (int d = 0; d < 3; d++) {
        s->local[d] = is_one ? 1 : s->local[d];
        s->groups[d] = is_one || way == ONE_GROUP ? 1 : s->groups[d];
    }
    if (way == TWO_GROUPS_OF_ONE) {
        s->groups[0] = 2;
    }
    uint32_t *const flat = way == FLAT ? s->local : way == FLAT_GROUPS ? s->groups : NULL;
    if (flat) {
        flat[0] *= flat[1] * flat[2];
        flat[1] = 1;
        flat[2] = 1;
    }
}

static void change_dimension(struct size *s, uint32_t way, int d)
{
    uint32_t *const n = way == LOCAL_TO_ONE || way == HALF_THE_LOCAL || way == ONE_LOCAL_LESS
                            ? &s->local[d]
                            : &s->groups[d];
    *n = way == GROUPS_TO_ONE || way == LOCAL_TO_ONE       ? 1
         : way == HALF_THE_GROUPS || way == HALF_THE_LOCAL ? (*n + 1) / 2
         : *n > 1                                          ? *n - 1
                                                           : 1;
}

/* Is it smaller: fewer items, or as many without a remainder, or in fewer dimensions? */
static bool is_smaller(const struct testcase *now, const struct testcase *old)
{
    uint32_t const n_now = testcase_get_items(now);
    uint32_t const n_old = testcase_get_items(old);
    uint32_t n_flat_now = 0, n_flat_old = 0;
    for (int d = 1; d < 3; d++) {
        n_flat_now += now->global[d] > 1;
        n_flat_old += old->global[d] > 1;
    }
    return n_now < n_old || (n_now == n_old && n_flat_now < n_flat_old);
}

/* Full sub-groups have to fill the work-groups that ask for them. */
static bool is_full_legal(const struct testcase *now, const struct testcase *old)
{
    return !now->full_subgroups || now->local[0] == old->local[0] ||
           (now->subgroup_size != 0 && now->local[0] % now->subgroup_size == 0);
}

/* The size that the module states, if it does, becomes that of the case. False: it cannot. */
static bool put_local_size(struct testcase *tc, struct arena *a)
{
    uint32_t *const words = arena_copy(a, tc->module, (size_t)tc->n_words * sizeof *words);
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst i;
    if (!words) {
        return false;
    }
    while (spv_next(words, tc->n_words, &offset, &i)) {
        if (i.op == SpvOpDecorate && i.n > 3 && i.w[2] == (uint32_t)SpvDecorationBuiltIn &&
            i.w[3] == (uint32_t)SpvBuiltInWorkgroupSize && tc->env == ENV_VK) {
            return false;
        }
        if (i.op == SpvOpExecutionMode && i.n == 6 &&
            i.w[2] == (uint32_t)SpvExecutionModeLocalSize) {
            memcpy(words + i.offset + 3, tc->local, sizeof tc->local);
        }
    }
    tc->module = words;
    return offset == tc->n_words;
}

static int make_sizes(const struct testcase *tc, uint32_t step, struct arena *a,
                      struct testcase *out)
{
    bool const is_empty = tc->local[0] == 0 || tc->local[1] == 0 || tc->local[2] == 0;
    if (step >= N_WHOLE_WAYS + 3 * N_WAYS_OF_DIMENSION || tc->n_words < SPV_HEADER_WORDS ||
        is_empty) {
        return -1;
    }
    struct size const before = size_of(tc);
    struct size s = before;
    if (step < N_WHOLE_WAYS) {
        change_whole(&s, step);
    } else {
        uint32_t const way = (step - N_WHOLE_WAYS) / 3;
        change_dimension(&s, way, (int)((step - N_WHOLE_WAYS) % 3));
    }
    *out = *tc;
    for (int d = 0; d < 3; d++) {
        /* a dimension that stays keeps its last, smaller work-group */
        bool const is_kept = s.local[d] == before.local[d] && s.groups[d] == before.groups[d] &&
                             step != NO_REMAINDER;
        uint32_t const whole = step == NO_REMAINDER ? tc->global[d] / tc->local[d] : s.groups[d];
        out->local[d] = s.local[d];
        out->global[d] = is_kept ? tc->global[d] : s.local[d] * (whole > 0 ? whole : 1);
    }
    bool const is_nothing = out->global[0] == 0 || out->global[1] == 0 || out->global[2] == 0;
    if (is_nothing || !is_smaller(out, tc) || !is_full_legal(out, tc)) {
        return 0;
    }
    return put_local_size(out, a) ? 1 : -1;
}

const struct shrink_pass shrink_dispatch_sizes = {"fewer and smaller work-groups", 0, NULL, NULL,
                                                  make_sizes};

/* ---- sub-groups ---- */

/* 0: neither a size nor full ones; 1: any size; 2: not full. */
static int make_subgroups(const struct testcase *tc, uint32_t step, struct arena *a,
                          struct testcase *out)
{
    bool const no_size = step != 2;
    bool const no_full = step != 1;
    if (step > 2) {
        return -1;
    }
    if (!(no_size && tc->subgroup_size != 0) && !(no_full && tc->full_subgroups != 0)) {
        return 0;
    }
    struct testcase changed = *tc;
    changed.full_subgroups = no_full ? 0 : tc->full_subgroups;
    changed.subgroup_size = no_size ? 0 : tc->subgroup_size;
    struct shrink_module *const m = shrink_module_parse(tc->module, tc->n_words, a);
    if (!m) {
        return -1;
    }
    int is_changed = 0;
    for (uint32_t i = 0; i < m->n; i++) {
        if (no_size && m->inst[i].op == SpvOpExecutionMode &&
            m->inst[i].w[2] == (uint32_t)SpvExecutionModeSubgroupSize) {
            m->inst[i].is_dead = 1;
            is_changed = 1;
        }
    }
    *out = changed;
    return is_changed ? shrink_finish(m, &changed, out) : 1;
}

const struct shrink_pass shrink_dispatch_subgroups = {"ask for no sub-group size", 0, NULL, NULL,
                                                      make_subgroups};

/* ---- build options ---- */

static int make_options(const struct testcase *tc, uint32_t step, struct arena *a,
                        struct testcase *out)
{
    size_t const n_bytes = strlen(tc->build_options);
    const char *s = tc->build_options + strspn(tc->build_options, " ");
    uint32_t n = 0, lo = 0, hi = 0;
    for (const char *p = s; *p; n++) {
        p += strcspn(p, " ");
        p += strspn(p, " ");
    }
    int const r = shrink_chunk(n, step, &lo, &hi);
    char *const kept = r == 1 ? arena_take(a, n_bytes + 2) : NULL;
    if (!kept) {
        return r == 1 ? -1 : r;
    }
    size_t at = 0;
    for (uint32_t i = 0; i < n; i++) {
        size_t const n_word = strcspn(s, " ");
        if (i < lo || i >= hi) {
            if (at > 0) {
                kept[at++] = ' ';
            }
            memcpy(kept + at, s, n_word);
            at += n_word;
        }
        s += n_word;
        s += strspn(s, " ");
    }
    *out = *tc;
    out->build_options = kept;
    return 1;
}

const struct shrink_pass shrink_dispatch_options = {"drop build options", 0, NULL, NULL,
                                                    make_options};

/* ---- needs ---- */

static int make_needs(const struct testcase *tc, uint32_t step, struct arena *a,
                      struct testcase *out)
{
    struct shrink_module *const m =
        step > 0 ? NULL : shrink_module_parse(tc->module, tc->n_words, a);
    if (!m) {
        return -1;
    }
    *out = *tc;
    out->needs = shrink_caps_find_needs(m, tc);
    return memcmp(&out->needs, &tc->needs, sizeof out->needs) != 0;
}

const struct shrink_pass shrink_dispatch_needs = {"drop needs that nothing has any more", 0, NULL,
                                                  NULL, make_needs};
