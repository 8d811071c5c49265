/* oracle/nir_driver/nir_arguments.h -- what the arguments of a shader of RADV are. They have numbers alone, which count those that
 * this shader has: one that no program looks at (with some chips); pointers to the sets of descriptors that it uses, as
 * their sets ascend; a pointer to the push constants; some of their words; how many work-groups there are, or a pointer to
 * that; the components of the work-group's id; others; the id within the work-group. */
#pragma once

#include "base/testcase.h"
#include "oracle/nir_text/nir_answer.h"
#include "oracle/nir_text/nir_program.h"

enum {
    NIR_MAX_ARGUMENTS = 64 /* of a shader: RADV has fewer */
};
enum nir_argument_kind {
    NIR_ARGUMENT_NONE,     /* no instruction loads it */
    NIR_ARGUMENT_SET,      /* the lower half of the address of the descriptors of set `number` */
    NIR_ARGUMENT_PUSH,     /* the lower half of the address of the push constants */
    NIR_ARGUMENT_WORD,     /* word `number` of the push constants */
    NIR_ARGUMENT_N_GROUPS, /* the number of work-groups, in three components */
    NIR_ARGUMENT_N_GROUPS_ADDRESS, /* the address of that number, in two components */
    NIR_ARGUMENT_GROUP,            /* component `number` of the work-group's id */
    NIR_ARGUMENT_SUBGROUP,         /* the number of the sub-group: NIR_ID_SUBGROUP_ARGUMENT */
    NIR_ARGUMENT_LOCAL,            /* component `number` of the id within the work-group */
    NIR_ARGUMENT_LOCAL_PACKED      /* all of that, 10 bits a component */
};
struct nir_argument {
    enum nir_argument_kind kind;
    uint32_t number;
};

/*
 * Finds out what each argument is that some instruction loads. All that it can be is tried: one reading must be the
 * likeliest. Less likely is that push constants are fewer than what the module loads of them (nir_push.h), that a set has no pointer
 * though a buffer of it is declared (nir_program.h), that no instruction loads the first pointer, and that the component of
 * an id is loaded that is the same in all work-groups.
 *   has_group_ids    may arguments be components of the work-group's id? false: registers hold it
 *   out              [NIR_MAX_ARGUMENTS]
 *   answer           where the result is false: NIR_UNKNOWN or NIR_BROKEN
 */
bool nir_arguments_find(const struct testcase *tc, const struct nir_program *p, bool has_group_ids,
                        struct arena *a, struct nir_argument *out, struct nir_answer *answer);
