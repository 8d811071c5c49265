/* fuzz/reduce/shrink.h -- smaller cases: passes, each of which makes candidates that still have to be tried. */
#pragma once

#include "fuzz/reduce/shrink_flow.h"

/*
 * A pass makes candidates of a case, numbered from 0. Candidate `step` of the same case is always the
 * same; a pass works from coarse to fine (first all of something, then halves, then single ones).
 * A candidate is well-formed as far as the pass can tell (ids defined before use, structured control
 * flow kept, nothing unused left behind: shrink_sweep); whether it is valid SPIR-V and still shows
 * what it must is for the caller to find (spirv_validate, a trial).
 *
 * Make candidate `step` of `tc` in `a`. 1: *out is it. 0: there is no such candidate at this step but
 * perhaps at later ones. -1: no later step has one. Never fails on any module: one that it does not
 * understand has no candidates. A full arena is -1.
 */
typedef int shrink_make(const struct testcase *tc, uint32_t step, struct arena *a,
                        struct testcase *out);

/* The module of a candidate in the making. */
struct shrink_edit {
    const struct testcase *tc;
    struct shrink_module *m;
    struct shrink_flow flow; /* of the module as it came */
    uint32_t *uses;          /* the same */
    uint32_t variant;        /* below the pass's number of them */
};

/* Most passes do the same to each instruction of a list; for others `make` makes a candidate. */
struct shrink_pass {
    const char *name;    /* for progress: "drop stores" */
    uint32_t n_variants; /* ways to do it, each tried at every part of the list */
    bool (*is_site)(const struct shrink_edit *e, const struct shrink_inst *i);
    /* True: done; false: it cannot be here. NULL: the instruction goes */
    bool (*change)(struct shrink_edit *e, struct shrink_inst *i);
    shrink_make *make; /* NULL: a list */
};
/* shrink_make of a pass. */
int shrink_try(const struct shrink_pass *p, const struct testcase *tc, uint32_t step,
               struct arena *a, struct testcase *out);

extern const struct shrink_pass shrink_setup_dispatches, shrink_setup_literal_size,
    shrink_setup_sizes, shrink_setup_subgroups, shrink_setup_options, shrink_setup_needs,
    shrink_setup_to_constants, shrink_setup_zero, shrink_setup_simplify, shrink_setup_special,
    shrink_setup_cut, shrink_setup_sets;
extern const struct shrink_pass shrink_code_drop_effects, shrink_code_values_to_operands,
    shrink_code_values_to_constants, shrink_code_values_to_earlier, shrink_code_forward,
    shrink_code_vectors_to_scalars, shrink_code_constants, shrink_code_special_constants,
    shrink_code_drop_constructs, shrink_code_inline, shrink_code_take_arms, shrink_code_run_once;
extern const struct shrink_pass shrink_flags_decorations, shrink_flags_modes, shrink_flags_masks,
    shrink_flags_semantics, shrink_flags_compact;

/* Steps of shrink_setup_sizes that others ask for. */
enum {
    SHRINK_ONE_ITEM = 0,
    SHRINK_ONE_GROUP = 1,
    SHRINK_NO_REMAINDER = 3
};

/* All passes in the order in which they pay: fewer invocations make all that follows cheaper; then the
 * module, the rest of the dispatch, and the inputs. */
enum {
    SHRINK_PASS_N = 29
};
extern const struct shrink_pass *const shrink_passes[SHRINK_PASS_N];
