/* fuzz/variant/variant_operands.c -- variants that differ in the operands of the instruction that goes wrong, and in
 * its components. */
#include "fuzz/variant/variant_edit.h"

#include "base/spv.h"
#include "fuzz/reduce/shrink_grammar.h"
#include "fuzz/reduce/shrink_module.h"

enum {
    MAX_OPERANDS = 8,
    MAX_COMPONENTS = VARIANT_MAX_COMPONENTS
};

/* ---- types ---- */

/* Components of a vector, 1 of a scalar; 0 of what is neither a number nor a vector of them. *scalar
 * is the type of a component. */
static uint32_t count_components(const struct shrink_module *m, uint32_t type, uint32_t *scalar)
{
    const struct shrink_inst *const t = shrink_module_find(m, type);
    bool const is_vector = t && t->op == SpvOpTypeVector;
    *scalar = is_vector ? t->w[2] : type;
    const struct shrink_inst *const s = shrink_module_find(m, *scalar);
    if (!s || (s->op != SpvOpTypeInt && s->op != SpvOpTypeFloat && s->op != SpvOpTypeBool)) {
        return 0;
    }
    return is_vector ? t->w[3] : 1;
}

static bool is_number(const struct shrink_module *m, uint32_t type, uint32_t op)
{
    uint32_t scalar = 0;
    return count_components(m, type, &scalar) > 0 && shrink_module_find(m, scalar)->op == op;
}

/* Words of the culprit's operands that are floats, or if there are none integers. */
static uint32_t find_operands(const struct variant_edit *e, uint32_t *words)
{
    uint32_t n = 0;
    for (uint32_t op = SpvOpTypeFloat; e->culprit && n == 0; op = SpvOpTypeInt) {
        const struct shrink_inst *const i = e->culprit;
        for (uint32_t k = 1; k < i->n && n < MAX_OPERANDS && i->op != SpvOpPhi; k++) {
            if (i->role[k] == ROLE_VALUE &&
                is_number(e->m, shrink_module_get_type(e->m, i->w[k]), op)) {
                words[n++] = k;
            }
        }
        if (op == (uint32_t)SpvOpTypeInt) {
            break;
        }
    }
    return n;
}

/* ---- operands through memory ---- */

/* Each operand is stored to a variable of its own, as something that must happen. */
static bool put_through_memory(struct variant_edit *e, int is_loaded)
{
    uint32_t words[MAX_OPERANDS];
    uint32_t variables[MAX_OPERANDS];
    uint32_t const n = find_operands(e, words);
    struct spv_words *const top = n > 0 ? variant_insert_variables(e, e->culprit->function) : NULL;
    struct spv_words *const at = n > 0 ? shrink_module_insert(e->m, e->culprit) : NULL;
    if (!top || !at) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t const type = shrink_module_get_type(e->m, e->culprit->w[words[i]]);
        uint32_t const pointer = variant_put_pointer(e, SpvStorageClassFunction, type);
        variables[i] = shrink_module_new_id(e->m);
        spv_put(top, SpvOpVariable, (uint32_t[]){pointer, variables[i], SpvStorageClassFunction},
                3);
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t *const operand = &e->culprit->w[words[i]];
        uint32_t const type = shrink_module_get_type(e->m, *operand);
        spv_put(at, SpvOpStore, (uint32_t[]){variables[i], *operand, SpvMemoryAccessVolatileMask},
                3);
        if (is_loaded) {
            *operand = shrink_module_new_id(e->m);
            spv_put(at, SpvOpLoad,
                    (uint32_t[]){type, *operand, variables[i], SpvMemoryAccessVolatileMask}, 4);
        }
    }
    e->text = is_loaded ? "with its operands through volatile memory"
                        : "with its operands stored as well (volatile)";
    return true;
}

bool variant_store_operands(struct variant_edit *e)
{
    return put_through_memory(e, 0);
}

bool variant_volatile_operands(struct variant_edit *e)
{
    return put_through_memory(e, 1);
}

/* ---- component by component ---- */

/* Functions of whole vectors, and those that read or write memory. */
static bool is_whole(const struct variant_edit *e, uint32_t number)
{
    if (e->tc->env == ENV_CL) {
        return (number >= 104 && number <= 110) || /* cross to fast_normalize */
               (number >= 171 && number <= 185);   /* vloadn to prefetch: shuffles among them */
    }
    return (number >= 33 && number <= 36) || /* Determinant to ModfStruct */
           (number >= 51 && number <= 72) || /* Frexp to Refract: packing among them */
           (number >= 76 && number <= 78);   /* interpolation */
}

/* Does the culprit do the same to each component, and to nothing else? */
static bool is_by_component(const struct variant_edit *e)
{
    const struct shrink_inst *const i = e->culprit;
    if (!i || i->type == 0) {
        return false;
    }
    if (i->op == SpvOpExtInst) {
        return !shrink_module_has_effect(e->m, i) && !is_whole(e, i->w[SHRINK_EXT_INST]);
    }
    return (i->op >= SpvOpConvertFToU && i->op <= SpvOpQuantizeToF16) ||
           (i->op >= SpvOpSNegate && i->op <= SpvOpFMod) ||
           (i->op >= SpvOpIsNan && i->op <= SpvOpBitCount && i->op != SpvOpSelect) ||
           shrink_grammar_is_group(i->op);
}

/* Components of operand k that are taken one by one; 1: it is as it is. */
static uint32_t get_width(const struct variant_edit *e, uint32_t k)
{
    uint32_t scalar = 0;
    uint32_t const type =
        e->culprit->role[k] == ROLE_VALUE ? shrink_module_get_type(e->m, e->culprit->w[k]) : 0;
    return type ? count_components(e->m, type, &scalar) : 1;
}

static uint32_t get_scalar(const struct variant_edit *e, uint32_t type)
{
    uint32_t scalar = 0;
    (void)count_components(e->m, type, &scalar);
    return scalar;
}

/* The culprit of component c; its id, or 0. */
static uint32_t put_component(struct variant_edit *e, uint32_t c, uint32_t n)
{
    const struct shrink_inst *const i = e->culprit;
    struct spv_words *const at = shrink_module_insert(e->m, e->culprit);
    uint32_t *const w = at ? arena_copy(e->a, i->w, i->n * sizeof *w) : NULL;
    if (!w) {
        return 0;
    }
    for (uint32_t k = 3; k < i->n; k++) {
        if (get_width(e, k) == n && i->role[k] == ROLE_VALUE) {
            w[k] = shrink_module_new_id(e->m);
            uint32_t const type = get_scalar(e, shrink_module_get_type(e->m, i->w[k]));
            spv_put(at, SpvOpCompositeExtract, (uint32_t[]){type, w[k], i->w[k], c}, 4);
        }
    }
    w[1] = get_scalar(e, i->type);
    w[2] = shrink_module_new_id(e->m);
    spv_put(at, i->op, w + 1, i->n - 1);
    return w[2];
}

/* What is said of the culprit is said of its components. */
static void move_decorations(struct variant_edit *e, const uint32_t *ids, uint32_t n)
{
    for (uint32_t d = 0; d < e->m->n; d++) {
        struct shrink_inst *const in = &e->m->inst[d];
        uint32_t *const w = in->op == SpvOpDecorate && in->w[1] == e->culprit->result
                                ? arena_copy(e->a, in->w, in->n * sizeof *w)
                                : NULL;
        for (uint32_t c = 0; w && c < n; c++) {
            w[1] = ids[c];
            spv_put(&e->m->annotations, SpvOpDecorate, w + 1, in->n - 1);
            in->is_dead = 1;
        }
    }
}

bool variant_scalar(struct variant_edit *e)
{
    uint32_t ids[MAX_COMPONENTS];
    uint32_t scalar = 0;
    uint32_t const n = is_by_component(e) ? count_components(e->m, e->culprit->type, &scalar) : 0;
    if (n < 2 || n > MAX_COMPONENTS) {
        return false;
    }
    for (uint32_t k = 3; k < e->culprit->n; k++) {
        if (get_width(e, k) != 1 && get_width(e, k) != n) {
            return false;
        }
    }
    for (uint32_t c = 0; c < n; c++) {
        ids[c] = put_component(e, c, n);
        if (ids[c] == 0) {
            return false;
        }
    }
    move_decorations(e, ids, n);
    e->text = "one component at a time instead of as a vector";
    return shrink_module_become(e->m, e->culprit, SpvOpCompositeConstruct, ids, n);
}

/* ---- constants ---- */

/* A constant of that type, with the bits in each component; 0: there is none. */
static uint32_t put_constant(struct variant_edit *e, uint32_t type, uint64_t bits)
{
    uint32_t ids[MAX_COMPONENTS];
    uint32_t scalar = 0;
    uint32_t const n = count_components(e->m, type, &scalar);
    uint32_t const one = n > 0 ? shrink_module_constant_bits(e->m, scalar, bits) : 0;
    if (one == 0 || n == 1 || n > MAX_COMPONENTS) {
        return n == 1 ? one : 0;
    }
    for (uint32_t c = 0; c < n; c++) {
        ids[c] = one;
    }
    return variant_put_composite(e, type, ids, n);
}

/*
 * Replaces the culprit's operands by constants: the values that the finding names, each in every component, so
 * that what went wrong in one component does in all. Those of an OpExtInst that it names are
 * the floats; of any other instruction it names all operands, and where these are not all floats, or all
 * integers, the words found here need not be those that it names.
 */
bool variant_constant_operands(struct variant_edit *e)
{
    enum {
        FIRST_OPERAND = 3 /* word, behind the result's type and id */
    };
    uint32_t words[MAX_OPERANDS];
    uint32_t const n = find_operands(e, words);
    uint32_t n_values = 0;
    bool is_changed = false;
    bool const are_named = n > 0 && n <= e->f->n_operands && n <= ARRAY_N(e->f->operand);
    if (!are_named || !is_by_component(e) || shrink_grammar_is_group(e->culprit->op)) {
        return false;
    }
    for (uint32_t k = FIRST_OPERAND; k < e->culprit->n; k++) {
        n_values += e->culprit->role[k] == ROLE_VALUE;
    }
    if (n_values != n && e->culprit->op != SpvOpExtInst) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t *const operand = &e->culprit->w[words[i]];
        const struct shrink_inst *const definition = shrink_module_find(e->m, *operand);
        uint32_t const constant = put_constant(e, definition->type, e->f->operand[i]);
        if (constant == 0) {
            return false;
        }
        if (!shrink_grammar_is_constant(definition->op)) {
            *operand = constant;
            is_changed = true;
        }
    }
    e->text = "with its operands as constants";
    return is_changed;
}
