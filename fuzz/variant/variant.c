/* fuzz/variant/variant.c -- the same case with one thing changed: what there is, and what every variant must be. */
#include "fuzz/variant/variant.h"

#include <string.h>

#include "base/spv.h"
#include "base/testcase.h"
#include "fuzz/io/spirv.h"
#include "fuzz/reduce/shrink_caps.h"
#include "fuzz/reduce/shrink_grammar.h"
#include "fuzz/reduce/shrink_module.h"
#include "fuzz/variant/variant_edit.h"
#include "gen/print/print.h"

static const struct {
    variant_change *change;
    uint32_t n_variants;
    int edits_module;
} changes[] = {
    {variant_drop_name,         VARIANT_NAMES,      1},
    {variant_contraction_off,   1,                  1},
    {variant_option,            VARIANT_OPTIONS,    0},
    {variant_scope,             VARIANT_SCOPES,     1},
    {variant_relax,             1,                  1},
    {variant_store_operands,    1,                  1},
    {variant_volatile_operands, 1,                  1},
    {variant_constant_operands, 1,                  1},
    {variant_scalar,            1,                  1},
    {variant_global_memory,     1,                  1},
    {variant_workgroup_memory,  1,                  1},
    {variant_dispatch,          VARIANT_DISPATCHES, 1},
    {variant_optimise,          1,                  1},
};

/* ---- making one ---- */

/* The instruction at a word offset of the case's module, if it stands in a block. */
static struct shrink_inst *find_culprit(struct shrink_module *m, const struct testcase *tc,
                                        uint32_t offset)
{
    uint32_t at = SPV_HEADER_WORDS, index = 0;
    struct spv_inst in;
    while (offset != 0 && spv_next(tc->module, tc->n_words, &at, &in)) {
        if (in.offset == offset && index < m->n) {
            struct shrink_inst *const i = &m->inst[index];
            bool const is_in_block = i->op == in.op && i->function != SHRINK_NONE &&
                                     i->op != SpvOpFunction && i->op != SpvOpFunctionParameter &&
                                     i->op != SpvOpLabel && i->op != SpvOpFunctionEnd;
            return is_in_block ? i : NULL;
        }
        index += !shrink_grammar_is_debug(in.op);
    }
    return NULL;
}

static bool is_declaration(const struct shrink_inst *i)
{
    return i->op == SpvOpCapability || i->op == SpvOpExtension;
}

/* Was the same capability or extension idle already? */
static bool was_idle(const struct shrink_module *before, const struct shrink_inst *i)
{
    for (uint32_t k = 0; k < before->n; k++) {
        const struct shrink_inst *const old = &before->inst[k];
        if (old->is_dead && old->n == i->n && memcmp(old->w, i->w, i->n * sizeof *i->w) == 0) {
            return true;
        }
    }
    return false;
}

/* Remove the capabilities, extensions and needs that the change has left without a use. What was
 * without a use before the change stays, so that the change is the only difference. */
static bool sweep(struct variant_edit *e)
{
    struct testcase *const out = &e->out;
    uint32_t n = 0;
    const uint32_t *const words = shrink_module_write(e->m, &n);
    struct shrink_module *const now = words ? shrink_module_parse(words, n, e->a) : NULL;
    struct shrink_module *const before = shrink_module_parse(e->tc->module, e->tc->n_words, e->a);
    if (!now || !before) {
        return false;
    }
    struct needs const needed_before = shrink_caps_find_needs(before, e->tc);
    shrink_caps_sweep(now); /* marks declarations without a use as dead */
    shrink_caps_sweep(before);
    for (uint32_t i = 0; i < now->n; i++) {
        struct shrink_inst *const in = &now->inst[i];
        in->is_dead = in->is_dead && is_declaration(in) && !was_idle(before, in);
    }
    struct needs const needed_now = shrink_caps_find_needs(now, out);
    for (int i = 0; i < NEED_WORDS; i++) {
        uint64_t const left_idle = needed_before.bits[i] & ~needed_now.bits[i];
        out->needs.bits[i] &= ~left_idle;
    }
    out->module = shrink_module_write(now, &out->n_words);
    return out->module != NULL;
}

static bool differs(const struct testcase *x, const struct testcase *y)
{
    return x->n_words != y->n_words ||
           memcmp(x->module, y->module, x->n_words * sizeof *x->module) != 0 ||
           memcmp(x->local, y->local, sizeof x->local) != 0 ||
           memcmp(x->global, y->global, sizeof x->global) != 0 || x->n_specs != y->n_specs ||
           memcmp(x->specs, y->specs, x->n_specs * sizeof *x->specs) != 0 ||
           testcase_count_dispatches(x) != testcase_count_dispatches(y) ||
           x->subgroup_size != y->subgroup_size || x->full_subgroups != y->full_subgroups ||
           strcmp(x->build_options, y->build_options) != 0;
}

/* Is what came out another case, and valid where it has to be? */
static bool is_worth_trying(const struct variant_edit *e)
{
    const char *message = "";
    return differs(&e->out, e->tc) && (e->tc->class == CLASS_ILLEGAL ||
                                       spirv_validate(&e->out, e->a, &message) != SPIRV_INVALID);
}

uint32_t variant_count(void)
{
    uint32_t n = 0;
    for (size_t i = 0; i < ARRAY_N(changes); i++) {
        n += changes[i].n_variants;
    }
    return n;
}

/* Make change number `number` of the case; the numbers run through the variants of all rows of
 * `changes`. 1: *out is a case that differs in one thing, and a sentence that names it. 0: this
 * change cannot be made here, or is not worth trying. -1: there are no more changes. */
int variant_make(const struct testcase *tc, const struct finding *f, uint32_t number,
                 struct arena *a, struct variant *out)
{
    struct variant_edit e = {.tc = tc, .f = f, .a = a, .out = *tc, .variant = number, .text = ""};
    size_t row = 0;
    while (row < ARRAY_N(changes) && e.variant >= changes[row].n_variants) {
        e.variant -= changes[row++].n_variants;
    }
    if (row == ARRAY_N(changes)) {
        return -1;
    }
    if (changes[row].edits_module) {
        e.m = shrink_module_parse(tc->module, tc->n_words, a);
        if (!e.m) {
            return 0;
        }
        e.culprit = find_culprit(e.m, tc, f->offset);
    }
    bool const is_changed = changes[row].change(&e) && e.text[0];
    struct err ignored;
    if (!is_changed || (e.m && !sweep(&e)) ||
        print_set_language(&e.out, tc->language, a, &ignored) != RES_OK || !is_worth_trying(&e)) {
        return 0;
    }
    *out = (struct variant){
        .text = e.text, .tc = e.out, .is_loosening = changes[row].change == variant_drop_name};
    return 1;
}
