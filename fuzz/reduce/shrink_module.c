/* fuzz/reduce/shrink_module.c -- a module as a list of instructions: read, edited, written. */
#include "fuzz/reduce/shrink_module.h"

#include <string.h>

#include "fuzz/reduce/shrink_grammar.h"

enum {
    MAX_WORDS = CASE_MAX_MODULE_WORDS,
    HEADER_BOUND = 3,   /* word of the header: all ids are below it */
    MAX_COMPONENTS = 16 /* of a vector */
};

/* ---- reading ---- */

/* Count what is kept. False: the words do not end with an instruction. */
static bool count_instructions(const uint32_t *words, uint32_t n_words, uint32_t *n)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    *n = 0;
    while (spv_next(words, n_words, &offset, &in)) {
        *n += !shrink_grammar_is_debug(in.op);
    }
    return offset == n_words;
}

/* Where in a function the reader is. */
enum position {
    OUTSIDE,
    BEFORE_BLOCKS, /* among the parameters */
    IN_BLOCK,
    BETWEEN_BLOCKS
};

/* Does it stand in a section before the functions, and nowhere else? */
static bool is_module_level(uint32_t op)
{
    bool const is_annotation = op == SpvOpDecorate || op == SpvOpMemberDecorate ||
                               op == SpvOpExecutionModeId || op == SpvOpDecorateId;
    bool const may_be_in_block = op == SpvOpUndef || op == SpvOpExtInst || op == SpvOpNop;
    /* numbers below OpFunction are capabilities, extensions, modes, types, constants */
    return is_annotation || (op < SpvOpFunction && !may_be_in_block);
}

/* Check one instruction against the order that SPIR-V demands of a module. *at is the position
 * before it (outside of functions, before the first block, in a block, between blocks), and becomes
 * the position after it. False: such an instruction must not be there. */
static bool pass_instruction(enum position *at, uint32_t op)
{
    bool const is_frame = op == SpvOpFunction || op == SpvOpFunctionParameter ||
                          op == SpvOpFunctionEnd || op == SpvOpLabel;
    switch (*at) {
    case OUTSIDE:
        if (op == SpvOpFunction) {
            *at = BEFORE_BLOCKS;
            return true;
        }
        /* these two may also be in blocks, so they are not of the module's level alone */
        return is_module_level(op) || op == SpvOpUndef || op == SpvOpVariable;
    case BEFORE_BLOCKS:
    case BETWEEN_BLOCKS:
        if (op == SpvOpLabel || op == SpvOpFunctionEnd) {
            *at = op == SpvOpLabel ? IN_BLOCK : OUTSIDE;
            return true;
        }
        /* parameters stand before the first block alone */
        return *at == BEFORE_BLOCKS && op == SpvOpFunctionParameter;
    case IN_BLOCK:
        if (shrink_grammar_is_terminator(op)) {
            *at = BETWEEN_BLOCKS;
            return true;
        }
        return !is_module_level(op) && !is_frame;
    }
    return false;
}

/* Note the type and the result of instruction `index`, and that it defines the result. False: an id is out of
 * the module's bound, or the result was defined before. */
static bool read_ids(struct shrink_module *m, uint32_t index)
{
    struct shrink_inst *const i = &m->inst[index];
    /* the result is word 2 behind a type, or word 1 without one */
    bool const has_type = i->n > 2 && i->role[2] == ROLE_RESULT;
    bool const has_only_result = i->n > 1 && i->role[1] == ROLE_RESULT;
    for (uint32_t k = 1; k < i->n; k++) {
        if (i->role[k] != ROLE_LITERAL && (i->w[k] == 0 || i->w[k] >= m->n_defs)) {
            return false;
        }
    }
    if (has_type) {
        i->type = i->w[1];
        i->result = i->w[2];
    } else if (has_only_result) {
        i->result = i->w[1];
    }
    if (i->result == 0) {
        return true;
    }
    bool const is_new = m->def[i->result] == SHRINK_NONE;
    m->def[i->result] = index;
    return is_new;
}

/* Read the instructions of a module into m->inst, without debug names and lines, which no
 * candidate needs. False: an instruction is unknown, or is where it must not be. */
static bool read_instructions(struct shrink_module *m, uint32_t *words, uint32_t n_words,
                              uint8_t *roles)
{
    uint32_t offset = SPV_HEADER_WORDS, function = SHRINK_NONE;
    enum position at = OUTSIDE;
    uint32_t index = 0;
    struct spv_inst in;
    while (spv_next(words, n_words, &offset, &in)) {
        if (shrink_grammar_is_debug(in.op)) {
            continue;
        }
        /* OpSource keeps its language and version only: its file is an OpString, which is left out */
        uint32_t const n = in.op == SpvOpSource && in.n > 3 ? 3 : in.n;
        words[in.offset] = n << 16 | in.op;
        if (!pass_instruction(&at, in.op) ||
            !shrink_grammar_find_roles(in.w, n, roles + in.offset)) {
            return false;
        }
        if (in.op == SpvOpFunction) {
            function = index;
        }
        m->inst[index] = (struct shrink_inst){.w = words + in.offset,
                                              .role = roles + in.offset,
                                              .op = in.op,
                                              .n = n,
                                              .function = function};
        if (!read_ids(m, index++)) {
            return false;
        }
        if (at == OUTSIDE) { /* OpFunctionEnd still belongs to the function */
            function = SHRINK_NONE;
        }
    }
    return at == OUTSIDE;
}

/* Is what an instruction names of the right kind, and in sight of it? */
static bool check_uses(const struct shrink_module *m, const struct shrink_inst *i)
{
    for (uint32_t k = 1; k < i->n; k++) {
        if (i->role[k] == ROLE_LITERAL || i->role[k] == ROLE_TARGET || i->role[k] == ROLE_RESULT) {
            continue;
        }
        const struct shrink_inst *const d = shrink_module_find(m, i->w[k]);
        if (!d || (d->op == SpvOpLabel) != (i->role[k] == ROLE_LABEL) ||
            (d->op != SpvOpFunction && d->function != SHRINK_NONE && d->function != i->function) ||
            (i->role[k] == ROLE_VALUE && d->type == 0)) {
            return false;
        }
    }
    const struct shrink_inst *const callee =
        i->op == SpvOpFunctionCall ? shrink_module_find(m, i->w[3]) : NULL;
    return (i->type == 0 || shrink_grammar_is_type(shrink_module_find(m, i->type)->op)) &&
           (!callee || callee->op == SpvOpFunction);
}

/* Parse a module into a form that can be changed. words[] is copied, since a candidate may
 * change its words. NULL: the module is too large or not understood (unknown instructions, ids used
 * before they are defined), or there is no memory. */
struct shrink_module *shrink_module_parse(const uint32_t *words, uint32_t n_words, struct arena *a)
{
    uint32_t n = 0;
    if (!words || n_words > MAX_WORDS || !spv_is_module(words, n_words)) {
        return NULL;
    }
    uint32_t const bound = words[HEADER_BOUND];
    if (bound == 0 || bound > SHRINK_MAX_IDS || !count_instructions(words, n_words, &n)) {
        return NULL;
    }
    struct shrink_module *const m = ARENA_NEW(a, struct shrink_module, 1);
    uint32_t *const copy = arena_copy(a, words, n_words * sizeof *copy);
    uint8_t *const roles = arena_take(a, n_words);
    if (!m || !copy || !roles) {
        return NULL;
    }
    *m = (struct shrink_module){.a = a, .bound = bound, .n = n, .n_defs = bound};
    memcpy(m->header, words, sizeof m->header);
    m->inst = ARENA_NEW(a, struct shrink_inst, n + 1);
    m->def = ARENA_NEW(a, uint32_t, m->n_defs);
    m->alias = ARENA_NEW(a, uint32_t, m->n_defs);
    if (!m->inst || !m->def || !m->alias) {
        return NULL;
    }
    spv_words_init(&m->annotations, a);
    spv_words_init(&m->globals, a);
    for (uint32_t i = 0; i < m->n_defs; i++) {
        m->def[i] = SHRINK_NONE;
        m->alias[i] = i;
    }
    if (!read_instructions(m, copy, n_words, roles)) {
        return NULL;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!check_uses(m, &m->inst[i])) {
            return NULL;
        }
    }
    return m;
}

/* ---- asking ---- */

struct shrink_inst *shrink_module_find(const struct shrink_module *m, uint32_t id)
{
    if (id >= m->n_defs || m->def[id] == SHRINK_NONE || m->inst[m->def[id]].is_dead) {
        return NULL;
    }
    return &m->inst[m->def[id]];
}

uint32_t shrink_module_get_type(const struct shrink_module *m, uint32_t id)
{
    const struct shrink_inst *const i = shrink_module_find(m, id);
    return i ? i->type : 0;
}

uint32_t *shrink_module_count_uses(const struct shrink_module *m)
{
    uint32_t *const uses = ARENA_NEW(m->a, uint32_t, m->n_defs);
    for (uint32_t i = 0; uses && i < m->n; i++) {
        const struct shrink_inst *const in = &m->inst[i];
        for (uint32_t k = 1; !in->is_dead && k < in->n; k++) {
            if (in->role[k] != ROLE_LITERAL && in->role[k] != ROLE_TARGET &&
                in->role[k] != ROLE_RESULT && in->w[k] < m->n_defs) {
                uses[in->w[k]]++;
            }
        }
    }
    return uses;
}

static bool is_pointer(const struct shrink_module *m, uint32_t type)
{
    const struct shrink_inst *const t = shrink_module_find(m, type);
    return t && t->op == SpvOpTypePointer;
}

int shrink_module_has_effect(const struct shrink_module *m, const struct shrink_inst *i)
{
    if (i->op == SpvOpExtInst) {
        const struct shrink_inst *const set = shrink_module_find(m, i->w[3]);
        int is_function =
            set && set->op == SpvOpExtInstImport && set->n > 3 &&
            (memcmp(set->w + 2, "OpenCL.s", 8) == 0 || memcmp(set->w + 2, "GLSL.std", 8) == 0);
        for (uint32_t k = SHRINK_EXT_INST + 1; k < i->n; k++) {
            is_function &= !is_pointer(m, shrink_module_get_type(m, i->w[k]));
        }
        return !is_function;
    }
    return i->op == SpvOpStore || i->op == SpvOpCopyMemory || i->op == SpvOpCopyMemorySized ||
           i->op == SpvOpImageWrite || i->op == SpvOpControlBarrier ||
           i->op == SpvOpMemoryBarrier || i->op == SpvOpFunctionCall ||
           i->op == SpvOpLifetimeStart || i->op == SpvOpLifetimeStop ||
           shrink_grammar_is_atomic(i->op) || shrink_grammar_is_group(i->op);
}

int shrink_module_is_value(const struct shrink_inst *i)
{
    return !i->is_dead && i->function != SHRINK_NONE && i->result != 0 && i->op != SpvOpFunction &&
           i->op != SpvOpFunctionParameter && i->op != SpvOpLabel && i->op != SpvOpVariable;
}

unsigned shrink_module_get_width(const struct shrink_module *m, uint32_t type)
{
    const struct shrink_inst *const t = shrink_module_find(m, type);
    bool const is_number = t && (t->op == SpvOpTypeInt || t->op == SpvOpTypeFloat);
    return is_number && (t->w[2] == 8 || t->w[2] == 16 || t->w[2] == 32 || t->w[2] == 64) ? t->w[2]
                                                                                          : 0;
}

int shrink_module_get_bits(const struct shrink_module *m, uint32_t id, uint64_t *bits)
{
    const struct shrink_inst *const i = shrink_module_find(m, id);
    unsigned const width = i && i->op == SpvOpConstant ? shrink_module_get_width(m, i->type) : 0;
    if (width == 0 || i->n != (width == 64 ? 5 : 4)) {
        return 0;
    }
    uint64_t const all = i->w[3] | (width == 64 ? (uint64_t)i->w[4] << 32 : 0);
    *bits = width == 64 ? all : all & ((UINT64_C(1) << width) - 1);
    return 1;
}

/* ---- editing ---- */

uint32_t shrink_module_resolve(const struct shrink_module *m, uint32_t id)
{
    for (uint32_t i = 0; i <= m->n_defs; i++) {
        if (id >= m->n_defs || m->alias[id] == id) {
            return id;
        }
        id = m->alias[id];
    }
    return 0;
}

void shrink_module_replace(struct shrink_module *m, struct shrink_inst *i, uint32_t id)
{
    m->alias[i->result] = id;
    i->is_dead = 1;
}

struct spv_words *shrink_module_insert(struct shrink_module *m, struct shrink_inst *i)
{
    if (!i->before) {
        i->before = ARENA_NEW(m->a, struct spv_words, 1);
        if (i->before) {
            spv_words_init(i->before, m->a);
        }
    }
    return i->before;
}

uint32_t shrink_module_new_id(struct shrink_module *m)
{
    return m->bound++;
}

/* Turn instruction i into another one with these operands; its type and result, if it has one, stay. 0: the
 * operands do not fit the instruction, or no memory. */
int shrink_module_become(struct shrink_module *m, struct shrink_inst *i, uint32_t op,
                         const uint32_t *operands, uint32_t n)
{
    uint32_t const first = i->result != 0 ? SHRINK_OPERANDS : 1;
    uint32_t *const w = ARENA_NEW(m->a, uint32_t, first + n);
    uint8_t *const role = arena_take(m->a, first + n);
    if (!w || !role) {
        return 0;
    }
    w[0] = (first + n) << 16 | op;
    if (i->result != 0) {
        w[1] = i->type;
        w[2] = i->result;
    }
    memcpy(w + first, operands, n * sizeof *w);
    i->op = op;
    i->n = first + n;
    i->w = w;
    i->role = role;
    return shrink_grammar_find_roles(w, i->n, role);
}

/* Is it `op` of that type with these n operands behind its result? */
static bool is_such(const uint32_t *w, uint32_t op, uint32_t type, const uint32_t *operands,
                    uint32_t n)
{
    return w[0] == ((3 + n) << 16 | op) && w[1] == type &&
           (n == 0 || memcmp(w + 3, operands, n * sizeof *operands) == 0);
}

/* The id of an instruction outside of functions, such as a type or constant: of one that the module has, of
 * one that a pass has made before, or of one that is made now. So nothing is there twice. */
static uint32_t find_or_put(struct shrink_module *m, uint32_t op, uint32_t type,
                            const uint32_t *operands, uint32_t n)
{
    for (uint32_t i = 0; i < m->n && m->inst[i].function == SHRINK_NONE; i++) {
        if (!m->inst[i].is_dead && is_such(m->inst[i].w, op, type, operands, n)) {
            return m->inst[i].result;
        }
    }
    uint32_t offset = 0;
    struct spv_inst in;
    while (spv_next(m->globals.w, m->globals.n, &offset, &in)) {
        if (is_such(in.w, op, type, operands, n)) {
            return in.w[2];
        }
    }
    uint32_t const result = shrink_module_new_id(m);
    uint32_t w[2 + MAX_COMPONENTS] = {type, result}; /* all but word 0, which spv_put makes */
    for (uint32_t i = 0; i < n; i++) {
        w[2 + i] = operands[i];
    }
    spv_put(&m->globals, op, w, 2 + n);
    return result;
}

uint32_t shrink_module_constant_bits(struct shrink_module *m, uint32_t type, uint64_t bits)
{
    unsigned const width = shrink_module_get_width(m, type);
    uint32_t const w[] = {(uint32_t)bits, (uint32_t)(bits >> 32)};
    return width == 0 ? 0 : find_or_put(m, SpvOpConstant, type, w, width == 64 ? 2 : 1);
}

/* The number as a float of that width. */
static uint64_t float_bits(unsigned width, enum shrink_number number)
{
    static const uint64_t bits[][NUMBER_MINUS_ZERO + 1] = {
        {0, 0x3c00,                       0x4000,                       0x8000    },
        {0, 0x3f800000,                   0x40000000,                   0x80000000},
        {0, UINT64_C(0x3ff0000000000000), UINT64_C(0x4000000000000000),
         UINT64_C(0x8000000000000000)                                             }
    };
    return bits[width == 16 ? 0 : width == 32 ? 1 : 2][number];
}

int shrink_module_number_bits(const struct shrink_module *m, uint32_t type,
                              enum shrink_number number, uint64_t *bits)
{
    const struct shrink_inst *const t = shrink_module_find(m, type);
    unsigned const width = shrink_module_get_width(m, type);
    if (width == 0 || (t->op == SpvOpTypeFloat && width < 16)) {
        return 0;
    }
    *bits = t->op == SpvOpTypeInt ? (uint64_t)number : float_bits(width, number);
    return t->op == SpvOpTypeFloat || number != NUMBER_MINUS_ZERO;
}

/* The id of the constant of a vector type that has this number in each component; it is made if it is not
 * there. 0: the type has no such constant. */
static uint32_t find_vector_constant(struct shrink_module *m, const struct shrink_inst *vector,
                                     enum shrink_number number)
{
    uint32_t const component_type = vector->w[2], n = vector->w[3];
    uint32_t operands[MAX_COMPONENTS];
    if (n > MAX_COMPONENTS) {
        return 0;
    }
    if (number == NUMBER_ZERO) {
        return find_or_put(m, SpvOpConstantNull, vector->result, NULL, 0);
    }
    const struct shrink_inst *const t = shrink_module_find(m, component_type);
    if (!t || t->op == SpvOpTypeVector) {
        return 0;
    }
    uint32_t const component = shrink_module_constant(m, component_type, number);
    for (uint32_t i = 0; i < n; i++) {
        operands[i] = component;
    }
    return component == 0 ? 0 : find_or_put(m, SpvOpConstantComposite, vector->result, operands, n);
}

uint32_t shrink_module_constant(struct shrink_module *m, uint32_t type, enum shrink_number number)
{
    const struct shrink_inst *const t = shrink_module_find(m, type);
    uint64_t bits = 0;
    if (!t) {
        return 0;
    }
    if (t->op == SpvOpTypeBool) {
        return find_or_put(m, number == NUMBER_ZERO ? SpvOpConstantFalse : SpvOpConstantTrue, type,
                           NULL, 0);
    }
    if (shrink_module_number_bits(m, type, number, &bits)) {
        return shrink_module_constant_bits(m, type, bits);
    }
    return t->op == SpvOpTypeVector ? find_vector_constant(m, t, number) : 0;
}

/* ---- writing ---- */

int shrink_module_settle(struct shrink_module *m)
{
    for (uint32_t i = 0; i < m->n; i++) {
        struct shrink_inst *const in = &m->inst[i];
        for (uint32_t k = 1; !in->is_dead && k < in->n; k++) {
            if (in->role[k] == ROLE_VALUE || in->role[k] == ROLE_LABEL) {
                in->w[k] = shrink_module_resolve(m, in->w[k]);
                if (in->w[k] == 0) {
                    return 0;
                }
            }
        }
    }
    for (uint32_t i = 0; i < m->n_defs; i++) {
        m->alias[i] = i;
    }
    return 1;
}

/* Does it stand behind the annotations? */
static bool is_after_annotations(uint32_t op)
{
    return shrink_grammar_is_type(op) || shrink_grammar_is_constant(op) || op == SpvOpUndef ||
           op == SpvOpVariable || op == SpvOpFunction;
}

/* The least bound of the ids, unless some were made. */
static uint32_t find_bound(const struct shrink_module *m)
{
    uint32_t bound = m->bound > m->n_defs ? m->bound : 1;
    for (uint32_t i = 0; i < m->n; i++) {
        const struct shrink_inst *const in = &m->inst[i];
        bound = !in->is_dead && in->result >= bound ? in->result + 1 : bound;
    }
    return bound;
}

/* Write the changed module as *n_words words. What passes have added goes where the layout of a module demands it:
 * annotations before the first type, globals before the first function, and what was inserted before an instruction
 * there. NULL: no memory, or an id was replaced by one that does not exist. */
const uint32_t *shrink_module_write(struct shrink_module *m, uint32_t *n_words)
{
    struct spv_words body;
    int has_annotations = 0, has_globals = 0;
    if (!shrink_module_settle(m)) {
        return NULL;
    }
    spv_words_init(&body, m->a);
    for (uint32_t i = 0; i < m->n; i++) {
        const struct shrink_inst *const in = &m->inst[i];
        if (!has_annotations && is_after_annotations(in->op)) {
            spv_append(&body, &m->annotations);
            has_annotations = 1;
        }
        if (!has_globals && in->op == SpvOpFunction) {
            spv_append(&body, &m->globals);
            has_globals = 1;
        }
        if (in->before) {
            spv_append(&body, in->before);
        }
        if (!in->is_dead) {
            spv_put(&body, in->op, in->w + 1, in->n - 1);
        }
    }
    uint32_t *const w = ARENA_NEW(m->a, uint32_t, SPV_HEADER_WORDS + body.n);
    if (!w || !body.ok) {
        return NULL;
    }
    memcpy(w, m->header, sizeof m->header);
    w[HEADER_BOUND] = find_bound(m);
    if (body.n > 0) {
        memcpy(w + SPV_HEADER_WORDS, body.w, body.n * sizeof *w);
    }
    *n_words = SPV_HEADER_WORDS + body.n;
    return w;
}

int shrink_chunk(uint32_t n, uint32_t step, uint32_t *lo, uint32_t *hi)
{
    uint64_t parts = 1; /* at this level: a power of two, at last n */
    while (step >= parts) {
        if (parts >= n) {
            return -1;
        }
        step -= (uint32_t)parts;
        parts = 2 * parts < n ? 2 * parts : n;
    }
    if (n == 0) {
        return -1;
    }
    /* from the end: the last of `parts` parts comes first */
    *hi = n - (uint32_t)((uint64_t)n * step / parts);
    *lo = n - (uint32_t)((uint64_t)n * (step + 1) / parts);
    return 1;
}
