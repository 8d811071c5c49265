/* fuzz/variant/variant_dispatch.c -- variants that differ in the dispatch or a build option, and the one that spirv-opt
 * makes. */
#include "fuzz/variant/variant_edit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/caps.h"
#include "base/file.h"
#include "base/spv.h"
#include "base/testcase.h"
#include "fuzz/io/bundle.h"
#include "fuzz/process/child.h"
#include "fuzz/reduce/shrink.h"
#include "fuzz/reduce/shrink_grammar.h"
#include "fuzz/reduce/shrink_module.h"

#define OPTIMISER_NS (UINT64_C(5) * 1000000000)
enum {
    MAX_PATH = 600
};

/* ---- the invocation that goes wrong ---- */

/* Where it is. */
struct position {
    uint32_t global[3], local[3], group[3]; /* group: as WorkgroupId says it */
    uint32_t offset[3];                     /* OpenCL: as GlobalOffset says it */
    uint32_t local_index;
    int is_in_remainder;
};

/* OpenCL's WorkgroupId counts from the dispatch on that runs the group. */
static void count_from_dispatch(const struct testcase *tc, struct position *p)
{
    for (uint32_t i = testcase_count_dispatches(tc); i-- > 1;) {
        struct dispatch const one = testcase_get_dispatch(tc, i);
        bool is_at_or_after = true; /* the start of this dispatch */
        for (int d = 0; d < 3; d++) {
            is_at_or_after &= p->group[d] >= one.base[d];
        }
        for (int d = 0; is_at_or_after && d < 3; d++) {
            p->group[d] -= one.base[d];
            p->offset[d] = one.base[d] * tc->local[d];
        }
        if (is_at_or_after) {
            return;
        }
    }
}

/* Where in all of the case the invocation that goes wrong is: its global id, its group, and the id and index
 * within the group. Invocations are numbered by their global id, x first. The work-groups at the end of a
 * dimension may be smaller than the others (the remainder); then the index within the group counts along
 * their own size. */
static struct position find_position(const struct variant_edit *e)
{
    struct position p = {.is_in_remainder = 0};
    uint32_t rest = e->f->offset != 0 ? e->f->invocation : 0;
    uint32_t stride = 1;
    for (int d = 0; d < 3; d++) {
        uint32_t const global_size = e->tc->global[d];
        uint32_t const local_size = e->tc->local[d];
        p.global[d] = rest % global_size;
        rest /= global_size;
        p.group[d] = p.global[d] / local_size;
        p.local[d] = p.global[d] % local_size;
        uint32_t const n_remaining = global_size - p.group[d] * local_size;
        uint32_t const size =
            n_remaining < local_size ? n_remaining : local_size; /* of this group */
        p.is_in_remainder |= size < local_size;
        p.local_index += p.local[d] * stride;
        stride *= size;
    }
    if (e->tc->env == ENV_CL) {
        count_from_dispatch(e->tc, &p);
    }
    return p;
}

/* What is to be added to a builtin, so that invocation or work-group 0 is the one at the position. NULL:
 * the builtin does not tell. */
static const uint32_t *get_shift(uint32_t builtin, const struct position *p)
{
    switch (builtin) {
    case SpvBuiltInGlobalInvocationId:
        return p->global;
    case SpvBuiltInLocalInvocationId:
        return p->local;
    case SpvBuiltInWorkgroupId:
        return p->group;
    case SpvBuiltInGlobalOffset:
        return p->offset;
    case SpvBuiltInLocalInvocationIndex:
        return &p->local_index;
    default:
        return NULL;
    }
}

/* Let the load of a builtin (instruction `index`), a number or a vector of three, give that plus `shift`: all
 * uses of it use a sum that is put behind it. False: its type has no such constants, or no memory. */
static bool shift_load(struct variant_edit *e, uint32_t index, const uint32_t *shift)
{
    struct shrink_module *const m = e->m;
    struct shrink_inst *const load = &m->inst[index];
    const struct shrink_inst *const t = shrink_module_find(m, load->type);
    bool const is_vector = t && t->op == SpvOpTypeVector && t->w[3] == 3;
    uint32_t const scalar = is_vector ? t->w[2] : load->type;
    uint32_t ids[3] = {0};
    for (int d = 0; d < (is_vector ? 3 : 1); d++) {
        ids[d] = shrink_module_constant_bits(m, scalar, shift[d]);
        if (ids[d] == 0) {
            return false;
        }
    }
    uint32_t const added = is_vector ? variant_put_composite(e, load->type, ids, 3) : ids[0];
    uint32_t const sum = shrink_module_new_id(m);
    struct spv_words *const behind = shrink_module_insert(m, load + 1);
    if (!behind || added == 0) {
        return false;
    }
    spv_put(behind, SpvOpIAdd, (uint32_t[]){load->type, sum, load->result, added}, 4);
    m->alias[load->result] = sum;
    return true;
}

/* Shift each load of a variable. False: it is used in another way, or a load cannot be shifted. */
static bool shift_uses(struct variant_edit *e, uint32_t variable, const uint32_t *shift)
{
    struct shrink_module *const m = e->m;
    for (uint32_t i = 0; i < m->n; i++) {
        const struct shrink_inst *const use = &m->inst[i];
        for (uint32_t k = 1; k < use->n; k++) {
            if (use->role[k] == ROLE_VALUE && use->w[k] == variable &&
                (use->op != SpvOpLoad || !shift_load(e, i, shift))) {
                return false;
            }
        }
    }
    return true;
}

/* Let the builtins tell of the place. False: they cannot. */
static bool shift_builtins(struct variant_edit *e, const struct position *p)
{
    for (uint32_t i = 0; i < e->m->n; i++) {
        const struct shrink_inst *const in = &e->m->inst[i];
        bool const is_builtin =
            in->op == SpvOpDecorate && in->n > 3 && in->w[2] == (uint32_t)SpvDecorationBuiltIn;
        const uint32_t *const shift = is_builtin ? get_shift(in->w[3], p) : NULL;
        if (!shift) {
            continue;
        }
        bool const is_scalar = shift == &p->local_index;
        bool const is_zero = shift[0] == 0 && (is_scalar || (shift[1] == 0 && shift[2] == 0));
        if (!is_zero && !shift_uses(e, in->w[1], shift)) {
            return false;
        }
    }
    return true;
}

/* ---- the dispatch ---- */

/* Change: run a smaller dispatch (`way`: one item, one group, or none in a remainder). The builtins are
 * shifted so that what is left still sees the ids of the invocation that went wrong, or those of its
 * work-group. One that lies in a remainder has no place in a group of the full size. */
static bool change_size(struct variant_edit *e, uint32_t way, const char *text)
{
    struct position p = find_position(e);
    struct needs const needs = e->out.needs;
    if ((way != SHRINK_ONE_ITEM && p.is_in_remainder) ||
        shrink_try(&shrink_setup_sizes, e->tc, way, e->a, &e->out) != 1) {
        return false;
    }
    e->out.needs = needs;
    e->m = shrink_module_parse(e->out.module, e->out.n_words, e->a);
    e->text = text;
    if (!e->m || way == SHRINK_NO_REMAINDER) { /* the other work-groups stay where they are */
        return e->m != NULL;
    }
    if (way == SHRINK_ONE_GROUP) {
        for (int d = 0; d < 3; d++) {
            p.global[d] = p.offset[d] + p.group[d] * e->tc->local[d];
            p.local[d] = 0;
        }
        p.local_index = 0;
    }
    return shift_builtins(e, &p);
}

/* Change: the size of work-groups stands in the module as it is, and not by specialization. */
static bool put_literal_size(struct variant_edit *e)
{
    if (shrink_try(&shrink_setup_literal_size, e->tc, 0, e->a, &e->out) != 1) {
        return false;
    }
    e->m = shrink_module_parse(e->out.module, e->out.n_words, e->a);
    e->text = "with a literal size of work-groups";
    return e->m != NULL;
}

static bool drop_subgroup_size(struct variant_edit *e)
{
    for (uint32_t i = 0; i < e->m->n; i++) {
        struct shrink_inst *const in = &e->m->inst[i];
        in->is_dead |=
            in->op == SpvOpExecutionMode && in->w[2] == (uint32_t)SpvExecutionModeSubgroupSize;
    }
    e->out.subgroup_size = 0;
    e->text = "without a required sub-group size";
    return e->tc->subgroup_size != 0;
}

/* Make change number e->variant of the dispatch: demand less of its sub-groups, or make the
 * dispatch smaller. False: the case does not demand that, is not larger, or has an empty dispatch. */
bool variant_dispatch(struct variant_edit *e)
{
    enum { /* values of e->variant, in the order in which they are tried */
        ONE_DISPATCH,
        LITERAL_SIZE,
        NO_SUBGROUP_SIZE,
        NOT_FULL,
        NO_REMAINDER,
        ONE_GROUP,
        ONE_ITEM
    };
    for (int d = 0; d < 3; d++) { /* an empty dispatch */
        if (e->tc->local[d] == 0 || e->tc->global[d] == 0) {
            return false;
        }
    }
    switch (e->variant) {
    case NO_SUBGROUP_SIZE:
        return drop_subgroup_size(e);
    case NOT_FULL:
        e->out.full_subgroups = 0;
        e->text = "without full sub-groups";
        return e->tc->full_subgroups != 0;
    case NO_REMAINDER:
        return change_size(e, SHRINK_NO_REMAINDER, "without the remainder");
    case ONE_GROUP:
        return change_size(e, SHRINK_ONE_GROUP, "with one work-group");
    case ONE_ITEM:
        return change_size(e, SHRINK_ONE_ITEM, "with one invocation");
    case ONE_DISPATCH:
        e->out.n_dispatches = 1;
        e->text = "with one dispatch";
        return testcase_count_dispatches(e->tc) > 1;
    case LITERAL_SIZE:
        return put_literal_size(e);
    default:
        return false;
    }
}

/* ---- build options ---- */

static bool add_option(struct variant_edit *e, const char *option)
{
    const char *const all = e->tc->build_options;
    e->out.build_options = arena_printf(e->a, "%s%s%s", all, all[0] ? " " : "", option);
    e->text = arena_printf(e->a, "with %s", option);
    return strstr(all, option) == NULL;
}

/* Change: leave out build option `number`. Where correctly rounded division goes with it, so does the need
 * for it. False: there are not so many options. */
static bool drop_option(struct variant_edit *e, uint32_t number)
{
    const char *const all = e->tc->build_options;
    const char *word = all + strspn(all, " ");
    for (uint32_t i = 0; i < number; i++) {
        word += strcspn(word, " ");
        word += strspn(word, " ");
    }
    size_t const n = strcspn(word, " ");
    const char *const rest = word + n + strspn(word + n, " ");
    size_t n_before = (size_t)(word - all);
    if (!rest[0] && n_before > 0) {
        n_before--; /* the blank before the last option */
    }
    e->out.build_options = arena_printf(e->a, "%.*s%s", (int)n_before, all, rest);
    if (strstr(e->out.build_options, "correctly-rounded") == NULL) {
        needs_remove(&e->out.needs, NEED_CL_ROUNDED_DIVIDE);
    }
    e->text = arena_printf(e->a, "without %.*s", (int)n, word);
    return n > 0;
}

bool variant_option(struct variant_edit *e)
{
    if (e->tc->env != ENV_CL || e->tc->class == CLASS_ILLEGAL) {
        return false;
    }
    return e->variant == 0 ? add_option(e, "-cl-opt-disable") : drop_option(e, e->variant - 1);
}

/* ---- the optimiser of SPIRV-Tools ---- */

/* Run the program in a folder that has module.spv. False: it is not here, or it cannot. */
static bool run_optimiser(struct variant_edit *e, const char *folder)
{
    char from[MAX_PATH];
    char to[MAX_PATH];
    const char *text = "";
    struct err ignored;
    const char *const argv[] = {"spirv-opt", "-O", "--preserve-bindings", from, "-o", to, NULL};
    struct child_spec const spec = {.argv = argv, .env = (const char *const[]){NULL}};
    (void)snprintf(from, sizeof from, "%s/module.spv", folder);
    (void)snprintf(to, sizeof to, "%s/out.spv", folder);
    int const ok =
        file_write(from, e->tc->module, (size_t)e->tc->n_words * 4, &ignored) == RES_OK &&
        child_read_all(&spec, OPTIMISER_NS, e->a, &text, &ignored) == RES_OK &&
        bundle_read_module(to, e->a, &e->out, &ignored) == RES_OK;
    (void)unlink(from);
    (void)unlink(to);
    return ok;
}

bool variant_optimise(struct variant_edit *e)
{
    char folder[MAX_PATH / 2];
    const char *const base = getenv("TMPDIR");
    (void)snprintf(folder, sizeof folder, "%.200s/halfulp-twin-XXXXXX",
                   base && *base == '/' ? base : "/tmp");
    if (!mkdtemp(folder)) {
        return false;
    }
    int const ok = run_optimiser(e, folder);
    (void)rmdir(folder);
    e->m = ok ? shrink_module_parse(e->out.module, e->out.n_words, e->a) : NULL;
    e->text = "after spirv-opt -O";
    return e->m != NULL;
}
