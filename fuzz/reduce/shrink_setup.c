/* fuzz/reduce/shrink_setup.c -- passes over what surrounds the module: dispatch, build options, needs, buffers. */
#include "fuzz/reduce/shrink.h"

#include <string.h>

#include "base/local_size.h"
#include "base/spv.h"
#include "base/testcase.h"
#include "fuzz/reduce/shrink_caps.h"
#include "fuzz/reduce/shrink_grammar.h"
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
/* Ways to make it smaller in one dimension: behind those of the whole, each comes for every dimension. */
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
    if (way == HALF_THE_GROUPS || way == HALF_THE_LOCAL) {
        *n = (*n + 1) / 2;
        return;
    }
    bool const is_less = way == ONE_GROUP_LESS || way == ONE_LOCAL_LESS;
    *n = is_less && *n > 1 ? *n - 1 : 1;
}

/* Is it smaller: fewer items, or as many in fewer dimensions? */
static bool is_smaller(const struct testcase *now, const struct testcase *old)
{
    uint32_t const n_now = testcase_get_items(now);
    uint32_t const n_old = testcase_get_items(old);
    uint32_t n_dims_now = 0, n_dims_old = 0; /* beyond the first */
    for (int d = 1; d < 3; d++) {
        n_dims_now += now->global[d] > 1;
        n_dims_old += old->global[d] > 1;
    }
    return n_now < n_old || (n_now == n_old && n_dims_now < n_dims_old);
}

/* Full sub-groups have to fill the work-groups that ask for them. */
static bool is_full_legal(const struct testcase *now, const struct testcase *old)
{
    return !now->full_subgroups || now->local[0] == old->local[0] ||
           (now->subgroup_size != 0 && now->local[0] % now->subgroup_size == 0);
}

/* Give the specialization constants that state the size the case's values for it. False: a dimension has none, or shares
 * it with another of another size. */
static bool put_specs(struct testcase *tc, const struct local_size *stated)
{
    for (int d = 0; d < 3; d++) {
        bool is_there = false;
        for (uint32_t i = 0; i < tc->n_specs; i++) {
            if (tc->specs[i].id == stated->spec_id[d]) {
                tc->specs[i].bits = tc->local[d];
                is_there = true;
            }
        }
        if (!is_there && stated->size[d] != tc->local[d]) {
            return false;
        }
    }
    return local_size_is_right(tc);
}

/* Write the work-group size of the case into the module, if the module states one. False: this
 * cannot be done, because the words are broken, or because the size is computed. */
static bool put_local_size(struct testcase *tc, struct arena *a)
{
    enum {
        MODE = 2,       /* word of OpExecutionMode */
        LOCAL_SIZE = 3, /* the first of three words of mode LocalSize */
        LOCAL_SIZE_WORDS = 6
    };
    struct local_size const stated = local_size_find(tc);
    uint32_t *const words = arena_copy(a, tc->module, (size_t)tc->n_words * sizeof *words);
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst i;
    if (!words || (stated.form != LOCAL_SIZE_UNSTATED && !stated.is_known)) {
        return false;
    }
    if (stated.form == LOCAL_SIZE_IDS || stated.form == LOCAL_SIZE_BUILTIN) {
        return put_specs(tc, &stated);
    }
    while (spv_next(words, tc->n_words, &offset, &i)) {
        if (i.op == SpvOpExecutionMode && i.n == LOCAL_SIZE_WORDS &&
            i.w[MODE] == (uint32_t)SpvExecutionModeLocalSize) {
            memcpy(words + i.offset + LOCAL_SIZE, tc->local, sizeof tc->local);
        }
    }
    tc->module = words;
    return offset == tc->n_words;
}

/* Give the case a size. A dimension that way `step` leaves alone keeps its last, smaller work-group, if it
 * has one; NO_REMAINDER keeps whole ones only, but at least one. */
static void put_size(const struct testcase *tc, uint32_t step, const struct size *s,
                     struct testcase *out)
{
    struct size const before = size_of(tc);
    for (int d = 0; d < 3; d++) {
        bool const is_same = s->local[d] == before.local[d] && s->groups[d] == before.groups[d];
        uint32_t const n_groups =
            step == NO_REMAINDER ? tc->global[d] / tc->local[d] : s->groups[d];
        out->local[d] = s->local[d];
        out->global[d] = is_same && step != NO_REMAINDER
                             ? tc->global[d]
                             : s->local[d] * (n_groups > 0 ? n_groups : 1);
    }
    bool const is_nothing = out->global[0] == 0 || out->global[1] == 0 || out->global[2] == 0;
    uint32_t const most = is_nothing ? 1 : testcase_get_max_dispatches(out);
    out->n_dispatches = out->n_dispatches > most ? most : out->n_dispatches;
}

/* Candidate `step` with a smaller dispatch: the first N_WHOLE_WAYS steps change all dimensions in one of the
 * ways (one item, one group, ...), the others one dimension each. 0: this way gives nothing smaller, or
 * sub-groups that would not be full. -1: there is none any more. */
static int make_sizes(const struct testcase *tc, uint32_t step, struct arena *a,
                      struct testcase *out)
{
    bool const is_empty = tc->local[0] == 0 || tc->local[1] == 0 || tc->local[2] == 0;
    if (step >= N_WHOLE_WAYS + 3 * N_WAYS_OF_DIMENSION || tc->n_words < SPV_HEADER_WORDS ||
        is_empty) {
        return -1;
    }
    struct size s = size_of(tc);
    if (step < N_WHOLE_WAYS) {
        change_whole(&s, step);
    } else {
        uint32_t const way = (step - N_WHOLE_WAYS) / 3;
        change_dimension(&s, way, (int)((step - N_WHOLE_WAYS) % 3));
    }
    *out = *tc;
    put_size(tc, step, &s, out);
    bool const is_nothing = out->global[0] == 0 || out->global[1] == 0 || out->global[2] == 0;
    if (is_nothing || !is_smaller(out, tc) || !is_full_legal(out, tc)) {
        return 0;
    }
    return put_local_size(out, a) ? 1 : -1;
}

const struct shrink_pass shrink_setup_sizes = {"fewer and smaller work-groups", 0, NULL, NULL,
                                               make_sizes};

/* ---- dispatches ---- */

/* Candidate `step` that fewer dispatches run: one, two, one less than now. */
static int make_dispatches(const struct testcase *tc, uint32_t step, struct arena *a,
                           struct testcase *out)
{
    uint32_t const n = testcase_count_dispatches(tc);
    uint32_t const ways[] = {1, 2, n - 1};
    (void)a;
    if (step >= ARRAY_N(ways)) {
        return -1;
    }
    *out = *tc;
    out->n_dispatches = ways[step];
    return ways[step] > 0 && ways[step] < n;
}

const struct shrink_pass shrink_setup_dispatches = {"fewer dispatches", 0, NULL, NULL,
                                                    make_dispatches};

/* ---- where the size of a work-group stands ---- */

/* Is it the OpEntryPoint that the case names? */
static bool is_entry_of(const struct testcase *tc, const struct shrink_inst *i)
{
    enum {
        NAME = 3 /* word */
    };
    size_t const n = strlen(tc->entry) + 1;
    return i->n > NAME && (i->n - NAME) * sizeof *i->w >= n &&
           memcmp(i->w + NAME, tc->entry, n) == 0;
}

/* Make the candidate in which mode LocalSize states the work-group size as literals, in place of the constants
 * (mode LocalSizeId or built-in WorkgroupSize) that state it. -1: there is no other step, or no constants state it. */
static int make_literal_size(const struct testcase *tc, uint32_t step, struct arena *a,
                             struct testcase *out)
{
    enum {
        TARGET = 1,
        MODE, /* word of modes and decorations */
        BUILTIN
    };
    enum local_size_form const form = local_size_find(tc).form;
    bool const is_by_constants = form == LOCAL_SIZE_IDS || form == LOCAL_SIZE_BUILTIN;
    struct shrink_module *const m =
        step > 0 || !is_by_constants ? NULL : shrink_module_parse(tc->module, tc->n_words, a);
    if (!m) {
        return -1;
    }
    uint32_t after_entries = 0, entry = 0; /* index after the last OpEntryPoint; id of the case's */
    for (uint32_t i = 0; i < m->n; i++) {
        struct shrink_inst *const in = &m->inst[i];
        bool const is_size_mode =
            (in->op == SpvOpExecutionMode || in->op == SpvOpExecutionModeId) &&
            in->w[TARGET] == entry &&
            (in->w[MODE] == (uint32_t)SpvExecutionModeLocalSize ||
             in->w[MODE] == (uint32_t)SpvExecutionModeLocalSizeId);
        bool const is_size_builtin = in->op == SpvOpDecorate && in->n > BUILTIN &&
                                     in->w[MODE] == (uint32_t)SpvDecorationBuiltIn &&
                                     in->w[BUILTIN] == (uint32_t)SpvBuiltInWorkgroupSize;
        /* Modes follow all entry points, so `entry` is set where a mode is compared with it. */
        in->is_dead |= is_size_mode || is_size_builtin;
        if (in->op == SpvOpEntryPoint) {
            after_entries = i + 1;
            entry = is_entry_of(tc, in) ? in->w[TARGET + 1] : entry;
        }
    }
    struct spv_words *const words = after_entries > 0 && after_entries < m->n
                                        ? shrink_module_insert(m, &m->inst[after_entries])
                                        : NULL;
    if (!words) {
        return -1;
    }
    spv_put(
        words, SpvOpExecutionMode,
        (uint32_t[]){entry, SpvExecutionModeLocalSize, tc->local[0], tc->local[1], tc->local[2]},
        5);
    *out = *tc;
    return shrink_finish(m, tc, out);
}

const struct shrink_pass shrink_setup_literal_size = {"state the size of work-groups as it is", 0,
                                                      NULL, NULL, make_literal_size};

/* ---- sub-groups ---- */

/* What is asked for no longer. */
enum {
    NEITHER_SIZE_NOR_FULL,
    NO_SIZE,
    NO_FULL,
    N_SUBGROUP_WAYS
};

/* Make candidate `step`, which demands less of sub-groups: no certain size (NO_SIZE), not that
 * they are full (NO_FULL), or neither. If the size is dropped, so is execution mode SubgroupSize,
 * by which the module may state it as well. */
static int make_subgroups(const struct testcase *tc, uint32_t step, struct arena *a,
                          struct testcase *out)
{
    if (step >= N_SUBGROUP_WAYS) {
        return -1;
    }
    struct testcase changed = *tc;
    if (step != NO_FULL) {
        changed.subgroup_size = 0;
    }
    if (step != NO_SIZE) {
        changed.full_subgroups = 0;
    }
    if (changed.subgroup_size == tc->subgroup_size &&
        changed.full_subgroups == tc->full_subgroups) {
        return 0;
    }
    struct shrink_module *const m = shrink_module_parse(tc->module, tc->n_words, a);
    if (!m) {
        return -1;
    }
    int is_module_changed = 0;
    for (uint32_t i = 0; step != NO_FULL && i < m->n; i++) {
        if (m->inst[i].op == SpvOpExecutionMode &&
            m->inst[i].w[2] == (uint32_t)SpvExecutionModeSubgroupSize) {
            m->inst[i].is_dead = 1;
            is_module_changed = 1;
        }
    }
    *out = changed;
    return is_module_changed ? shrink_finish(m, &changed, out) : 1;
}

const struct shrink_pass shrink_setup_subgroups = {"ask for no sub-group size", 0, NULL, NULL,
                                                   make_subgroups};

/* ---- build options ---- */

/* Behind the word that s begins with and the blanks after it. */
static const char *skip_word(const char *s)
{
    s += strcspn(s, " ");
    return s + strspn(s, " ");
}

/* Make candidate `step`, which lacks some of the build options. Options are words between
 * blanks. The parts that are left out go from coarse to fine. */
static int make_options(const struct testcase *tc, uint32_t step, struct arena *a,
                        struct testcase *out)
{
    const char *s = tc->build_options + strspn(tc->build_options, " ");
    uint32_t n = 0, lo = 0, hi = 0;
    for (const char *p = s; *p; p = skip_word(p)) {
        n++;
    }
    /* Words lo to hi - 1 are left out. */
    int const r = shrink_chunk(n, step, &lo, &hi);
    if (r != 1) { /* 0: not this step; -1: no more steps */
        return r;
    }
    char *const kept = arena_take(a, strlen(tc->build_options) + 2);
    if (!kept) {
        return -1;
    }
    size_t at = 0;
    for (uint32_t i = 0; i < n; i++, s = skip_word(s)) {
        size_t const n_word = strcspn(s, " ");
        if (i >= lo && i < hi) {
            continue;
        }
        if (at > 0) { /* between words */
            kept[at++] = ' ';
        }
        memcpy(kept + at, s, n_word);
        at += n_word;
    }
    *out = *tc;
    out->build_options = kept;
    return 1;
}

const struct shrink_pass shrink_setup_options = {"drop build options", 0, NULL, NULL, make_options};

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

const struct shrink_pass shrink_setup_needs = {"drop needs that nothing has any more", 0, NULL,
                                               NULL, make_needs};

/* ---- sets ---- */

/* Make the only candidate of its pass, in which all buffers are in descriptor set 0. -1: there
 * is no other step, all buffers are there already, or there is no memory. */
static int make_sets(const struct testcase *tc, uint32_t step, struct arena *a,
                     struct testcase *out)
{
    enum {
        DECORATION = 2, /* words of OpDecorate */
        LITERAL
    };
    uint32_t sets = 0, at = SPV_HEADER_WORDS;
    struct spv_inst in;
    for (uint32_t b = 0; b < tc->n_bufs; b++) {
        sets |= tc->bufs[b].set; /* 0 in the end: all are in set 0 */
    }
    uint32_t *const words =
        step == 0 && sets != 0 ? arena_copy(a, tc->module, sizeof *tc->module * tc->n_words) : NULL;
    if (!words) {
        return -1;
    }
    *out = *tc;
    out->module = words;
    while (spv_next(tc->module, tc->n_words, &at, &in)) {
        if (in.op == SpvOpDecorate && in.n > LITERAL &&
            in.w[DECORATION] == SpvDecorationDescriptorSet) {
            words[in.offset + LITERAL] = 0;
        }
    }
    for (uint32_t b = 0; b < tc->n_bufs; b++) {
        out->bufs[b].set = 0;
    }
    return 1;
}

const struct shrink_pass shrink_setup_sets = {"all buffers in descriptor set 0", 0, NULL, NULL,
                                              make_sets};

/* ---- words ---- */

enum {
    MAX_WORDS = 1 << 16 /* looked at in one case; what lies behind stays */
};

/* 0, 1 of an integer, 1.0 of each width, and -0: the lower its place, the simpler. -0 is simpler than a special value alone: of
 * a subnormal it tells whether a zero does as well. */
static const uint32_t simple_words[] = {0,          1,          0x3f800000, 0x3c003c00, 0x3c00,
                                        0x3ff00000, 0x80000000, 0x80008000, 0x8000};
enum {
    N_PLAIN_WORDS = 6 /* without -0 */
};

static uint32_t rank_word(uint32_t w)
{
    uint32_t i = 0;
    while (i < ARRAY_N(simple_words) && simple_words[i] != w) {
        i++;
    }
    return i;
}

/* Does it look like a NaN, an infinity, a subnormal or -0 of some width? Small integers do not. */
static bool is_special(uint32_t w)
{
    uint32_t const exponent = w & 0x7f800000;
    return exponent == 0x7f800000 || (w & 0x7fffffff) == 0 ||
           ((exponent == 0 || (w & 0x7c007c00) == 0) && w > 0xffff) || (w & 0x7c00) == 0x7c00 ||
           (w & 0x7c000000) == 0x7c000000 || (w & 0xfffffc00) == 0x8000;
}

static bool is_zeroable(uint32_t w)
{
    return w != 0;
}
static bool is_simplifiable(uint32_t w)
{
    return rank_word(w) > 1 && !is_special(w);
}
static bool is_special_word(uint32_t w)
{
    return rank_word(w) > 1 && is_special(w);
}

static uint32_t load_word(const struct testcase *tc, uint32_t buf, uint32_t k)
{
    return (uint32_t)load_le(tc->bufs[buf].data + 4 * (size_t)k, 4);
}

static uint32_t count_sites(const struct testcase *tc, bool (*is_site)(uint32_t))
{
    uint32_t n_sites = 0, n_seen = 0;
    for (uint32_t b = 0; b < tc->n_bufs; b++) {
        for (uint32_t k = 0; k < tc->bufs[b].n_bytes / 4 && n_seen < MAX_WORDS; k++, n_seen++) {
            n_sites += is_site(load_word(tc, b, k));
        }
    }
    return n_sites;
}

/* Simplify inputs. The words of all buffers are numbered in one sequence, and those that are
 * sites are numbered as well. Sites lo to hi - 1 become `simple` if that is simpler than what they
 * hold. A buffer is copied before its first change. 1: some words changed; 0: none; -1: no memory. */
static int put_words(struct testcase *tc, bool (*is_site)(uint32_t), uint32_t lo, uint32_t hi,
                     uint32_t simple, struct arena *a)
{
    uint32_t n_sites = 0, n_seen = 0;
    int is_changed = 0;
    for (uint32_t b = 0; b < tc->n_bufs; b++) {
        unsigned char *copy = NULL;
        for (uint32_t k = 0; k < tc->bufs[b].n_bytes / 4 && n_seen < MAX_WORDS; k++, n_seen++) {
            uint32_t const w = load_word(tc, b, k);
            if (!is_site(w)) {
                continue;
            }
            uint32_t const site = n_sites++;
            if (site < lo || site >= hi || rank_word(simple) >= rank_word(w)) {
                continue;
            }
            if (!copy) {
                copy = arena_copy(a, tc->bufs[b].data, tc->bufs[b].n_bytes);
                if (!copy) {
                    return -1;
                }
            }
            store_le(copy + 4 * (size_t)k, simple, 4);
            is_changed = 1;
        }
        tc->bufs[b].data = copy ? copy : tc->bufs[b].data;
    }
    return is_changed;
}

/* Each part of the sites, coarse to fine, becomes each of n_variants simple words from `first` on. */
static int change_words(const struct testcase *tc, uint32_t step, struct arena *a,
                        struct testcase *out, bool (*is_site)(uint32_t), uint32_t first,
                        uint32_t n_variants)
{
    uint32_t lo = 0, hi = 0;
    int const r = shrink_chunk(count_sites(tc, is_site), step / n_variants, &lo, &hi);
    if (r != 1) {
        return r;
    }
    *out = *tc;
    return put_words(out, is_site, lo, hi, simple_words[first + step % n_variants], a);
}

static int make_zero(const struct testcase *tc, uint32_t step, struct arena *a,
                     struct testcase *out)
{
    return change_words(tc, step, a, out, is_zeroable, 0, 1);
}

const struct shrink_pass shrink_setup_zero = {"zero words of buffers", 0, NULL, NULL, make_zero};

static int make_simplify(const struct testcase *tc, uint32_t step, struct arena *a,
                         struct testcase *out)
{
    return change_words(tc, step, a, out, is_simplifiable, 1, N_PLAIN_WORDS - 1);
}

const struct shrink_pass shrink_setup_simplify = {"simpler words in buffers", 0, NULL, NULL,
                                                  make_simplify};

static int make_special(const struct testcase *tc, uint32_t step, struct arena *a,
                        struct testcase *out)
{
    return change_words(tc, step, a, out, is_special_word, 1, ARRAY_N(simple_words) - 1);
}

const struct shrink_pass shrink_setup_special = {"simpler words for special values", 0, NULL, NULL,
                                                 make_special};

/* ---- where a module reads ---- */

/* Is it the OpFunction of an entry point? */
static bool is_entry(const struct shrink_module *m, uint32_t function)
{
    for (uint32_t i = 0; i < function; i++) {
        if (m->inst[i].op == SpvOpEntryPoint && m->inst[i].w[2] == m->inst[function].result) {
            return true;
        }
    }
    return false;
}

/* Buffer of a variable or parameter id, or CASE_MAX_BUFS. */
static uint32_t find_buffer(const struct testcase *tc, const struct shrink_module *m, uint32_t id)
{
    const struct shrink_inst *const base = shrink_module_find(m, id);
    if (!base || base->op != (tc->env == ENV_CL ? SpvOpFunctionParameter : SpvOpVariable)) {
        return CASE_MAX_BUFS;
    }
    if (tc->env == ENV_CL) {
        uint32_t const number = (uint32_t)(base - m->inst) - base->function - 1;
        return is_entry(m, base->function) && number < tc->n_bufs ? number : CASE_MAX_BUFS;
    }
    for (uint32_t i = 0; i < m->n; i++) {
        const struct shrink_inst *const in = &m->inst[i];
        if (in->op == SpvOpDecorate && in->w[1] == id && in->n == 4 &&
            in->w[2] == (uint32_t)SpvDecorationBinding) {
            return in->w[3] < tc->n_bufs ? in->w[3] : CASE_MAX_BUFS;
        }
    }
    return CASE_MAX_BUFS;
}

/* The memory location of a number in a buffer. */
struct location {
    uint32_t buf;
    uint64_t offset_bytes;
    unsigned n_bytes;
};

static bool is_chain(const struct testcase *tc, uint32_t op)
{
    return tc->env == ENV_CL ? op == SpvOpPtrAccessChain || op == SpvOpInBoundsPtrAccessChain
                             : op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain;
}

/* The index in its buffer of what a chain points to. False: it is not the same for all invocations. OpenCL's
 * chains are pointer and element, as its buffers are arrays; Vulkan's are pointer, member 0 and element, as its
 * buffers are a struct of one array. */
static bool find_index(const struct testcase *tc, const struct shrink_module *m,
                       const struct shrink_inst *chain, uint64_t *index)
{
    uint64_t member = 0;
    if (!is_chain(tc, chain->op)) {
        return false;
    }
    if (tc->env == ENV_CL) {
        return chain->n == 5 && shrink_module_get_bits(m, chain->w[4], index);
    }
    return chain->n == 6 && shrink_module_get_bits(m, chain->w[4], &member) && member == 0 &&
           shrink_module_get_bits(m, chain->w[5], index);
}

/* Find the memory location that a pointer points to, if it is the same for all invocations. False: it is not known. A
 * parameter of an OpenCL kernel itself points to the first element. */
static bool find_location(const struct testcase *tc, const struct shrink_module *m,
                          uint32_t pointer, struct location *p)
{
    const struct shrink_inst *const source = shrink_module_find(m, pointer);
    const struct shrink_inst *const t = source ? shrink_module_find(m, source->type) : NULL;
    if (!t || t->op != SpvOpTypePointer) {
        return false;
    }
    bool const is_parameter = source->op == SpvOpFunctionParameter;
    uint64_t index = 0;
    if (is_parameter ? tc->env != ENV_CL : !find_index(tc, m, source, &index)) {
        return false;
    }
    *p = (struct location){.buf = find_buffer(tc, m, is_parameter ? pointer : source->w[3]),
                           .n_bytes = shrink_module_get_width(m, t->w[3]) / 8};
    p->offset_bytes = index * p->n_bytes;
    return p->buf < CASE_MAX_BUFS && p->n_bytes > 0 && index < CASE_MAX_BUF_BYTES &&
           tc->bufs[p->buf].kind == BUF_STORAGE;
}

/* ---- loads of what is known ---- */

static bool is_known_load(const struct shrink_edit *e, const struct shrink_inst *i)
{
    struct location p;
    return i->op == SpvOpLoad && e->uses[i->result] > 0 &&
           find_location(e->tc, e->m, i->w[3], &p) &&
           p.n_bytes * 8 == shrink_module_get_width(e->m, i->type) &&
           p.offset_bytes + p.n_bytes <= e->tc->bufs[p.buf].n_bytes;
}

static bool to_content(struct shrink_edit *e, struct shrink_inst *i)
{
    struct location p;
    if (!find_location(e->tc, e->m, i->w[3], &p)) {
        return false;
    }
    uint64_t const bits = load_le(e->tc->bufs[p.buf].data + p.offset_bytes, p.n_bytes);
    uint32_t const id = shrink_module_constant_bits(e->m, i->type, bits);
    if (id != 0) {
        shrink_module_replace(e->m, i, id);
    }
    return id != 0;
}

const struct shrink_pass shrink_setup_to_constants = {"replace loads by what is loaded", 1,
                                                      is_known_load, to_content, NULL};

/* ---- shorter buffers ---- */

/* Does an instruction make a pointer that may leave the element that its operand points to? */
static bool makes_free_pointer(const struct testcase *tc, const struct shrink_module *m,
                               const struct shrink_inst *i)
{
    const struct shrink_inst *const t = shrink_module_find(m, i->type);
    const struct shrink_inst *const base = i->n > 3 ? shrink_module_find(m, i->w[3]) : NULL;
    if (is_chain(tc, i->op)) {
        return !base || (base->op != SpvOpFunctionParameter && base->op != SpvOpVariable);
    }
    return t && t->op == SpvOpTypePointer &&
           (i->op == SpvOpBitcast || i->op == SpvOpConvertUToPtr || i->op == SpvOpPtrAccessChain ||
            i->op == SpvOpInBoundsPtrAccessChain || i->op == SpvOpLoad);
}

/* Does the instruction use operand k, a buffer, only for a chain to or an access of one known location, *p? */
static bool is_known_use(const struct testcase *tc, const struct shrink_module *m,
                         const struct shrink_inst *i, uint32_t k, struct location *p)
{
    if (is_chain(tc, i->op)) {
        return k == 3 && find_location(tc, m, i->result, p);
    }
    return (i->op == SpvOpStore ? k == 1 : i->op == SpvOpLoad || shrink_grammar_is_atomic(i->op)) &&
           find_location(tc, m, i->w[k], p);
}

/* Find for each buffer how many bytes from its start, in whole words, the module can reach. Uses
 * with a known memory location extend a buffer up to the end of that location. A use without one
 * extends it to the whole buffer, and a pointer that may point anywhere extends all buffers. */
static void find_extents(const struct testcase *tc, const struct shrink_module *m,
                         uint32_t extent[CASE_MAX_BUFS])
{
    int is_any_free = 0; /* some pointer may point anywhere */
    for (uint32_t i = 0; i < m->n; i++) {
        const struct shrink_inst *const in = &m->inst[i];
        is_any_free |= makes_free_pointer(tc, m, in);
        for (uint32_t k = 1; k < in->n; k++) {
            uint32_t const b =
                in->role[k] == ROLE_VALUE ? find_buffer(tc, m, in->w[k]) : CASE_MAX_BUFS;
            struct location p = {0};
            if (b == CASE_MAX_BUFS) {
                continue;
            }
            uint64_t const n_bytes = tc->bufs[b].n_bytes;
            uint64_t const end = is_known_use(tc, m, in, k, &p)
                                     ? (p.offset_bytes + p.n_bytes + 3) / 4 * 4 /* whole words */
                                     : n_bytes;
            uint64_t const reached = end < n_bytes ? end : n_bytes;
            extent[b] = reached > extent[b] ? (uint32_t)reached : extent[b];
        }
    }
    for (uint32_t b = 0; is_any_free && b < tc->n_bufs; b++) {
        extent[b] = tc->bufs[b].n_bytes;
    }
}

/* Candidate `step` with shorter buffers: step 0 cuts each to what the module can reach, step k buffer k - 1
 * alone, to at least one word. An image has its size from width and height and is left alone, as are memory that nobody
 * writes and arguments by value, whose sizes stand in the module. */
static int make_cut(const struct testcase *tc, uint32_t step, struct arena *a, struct testcase *out)
{
    uint32_t extent[CASE_MAX_BUFS] = {0};
    struct shrink_module *const m =
        step > tc->n_bufs ? NULL : shrink_module_parse(tc->module, tc->n_words, a);
    int is_changed = 0;
    if (!m) {
        return -1;
    }
    find_extents(tc, m, extent);
    *out = *tc;
    for (uint32_t b = 0; b < tc->n_bufs; b++) {
        uint32_t const n_bytes = extent[b] < 4 ? 4 : extent[b];
        bool const is_meant = step == 0 || step == b + 1;
        enum buf_kind const kind = tc->bufs[b].kind;
        bool const is_fixed = buf_is_image(kind) || buf_is_constant(kind) || !buf_is_memory(kind);
        if (is_meant && !is_fixed && n_bytes < tc->bufs[b].n_bytes) {
            out->bufs[b].n_bytes = n_bytes;
            is_changed = 1;
        }
    }
    return is_changed;
}

const struct shrink_pass shrink_setup_cut = {"shorter buffers", 0, NULL, NULL, make_cut};
