/* gen/illegal/illegal_edit.c -- a legal module with one change. */
#include "gen/illegal/illegal_edit.h"

#include <string.h>

#include "base/spv.h"

enum { /* words of an instruction */
    W_TYPE = 1,
    W_RESULT = 2,
    W_POINTER = 3, /* of an atomic */
    W_SET = 3,     /* of OpExtInst */
    W_NUMBER = 4,
    W_LITERAL = 3, /* of an OpDecorate */
    MAX_WORDS = 64 /* of an instruction that is changed */
};

/* A module on its way. What a change needs is collected first; then all is written in its order. */
struct editor {
    const struct illegal_break *how;
    enum illegal_step step;
    const uint32_t *words;
    uint32_t n_words;
    struct arena *a;
    uint32_t next_id;
    uint32_t target; /* offset of the instruction that is changed; 0: none is */
    struct spv_words capabilities, extensions, decorations,
        types;               /* at the ends of their sections */
    struct spv_words locals; /* after the first label of the target's function */
    struct spv_words before; /* right before the target */
    bool is_missing;         /* the module has not what the change is about */
};

/* ---- what the module has ---- */

static bool next(const struct editor *d, uint32_t *offset, struct spv_inst *in)
{
    return spv_next(d->words, d->n_words, offset, in) != 0;
}

/* The import of the extended set; 0: none. */
static uint32_t find_set(const struct editor *d, uint32_t set)
{
    static const char *const names[] = {[OP_SET_amd_ballot] = "SPV_AMD_shader_ballot",
                                        [OP_SET_opencl_std] = "OpenCL.std",
                                        [OP_SET_glsl450] = "GLSL.std.450"};
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (next(d, &offset, &in)) {
        if (in.op == SpvOpExtInstImport && strcmp((const char *)(in.w + 2), names[set]) == 0) {
            return in.w[1];
        }
    }
    return 0;
}

/* An atomic minimum stands for a maximum too: the parent has one of them. */
static bool is_core(uint32_t op, uint32_t number)
{
    return op == number || (number == SpvOpAtomicFMinEXT && op == SpvOpAtomicFMaxEXT);
}

/* The first instruction of an OP_NUMBER. */
static bool find(const struct editor *d, uint32_t number, struct spv_inst *in)
{
    uint32_t const set = number >> 16;
    uint32_t const import = set == OP_SET_core ? 0 : find_set(d, set);
    uint32_t offset = SPV_HEADER_WORDS;
    while (next(d, &offset, in)) {
        if (set == OP_SET_core ? is_core(in->op, number)
                               : in->op == SpvOpExtInst && in->w[W_SET] == import &&
                                     in->w[W_NUMBER] == (number & 0xffff)) {
            return true;
        }
    }
    return false;
}

/* The result of the first instruction `op` with these operands in words `at` on, of the module or of what has been
 * added to its types; 0: there is none. */
static uint32_t find_declared(const struct editor *d, uint32_t op, uint32_t at_result, uint32_t at,
                              const uint32_t *operands, uint32_t n)
{
    const uint32_t *const lists[2] = {d->words + SPV_HEADER_WORDS, d->types.w};
    uint32_t const sizes[2] = {d->n_words - SPV_HEADER_WORDS, d->types.n};
    for (int i = 0; i < 2; i++) {
        uint32_t offset = 0;
        struct spv_inst in;
        while (spv_next(lists[i], sizes[i], &offset, &in)) {
            bool const is_same = in.op == op && in.n == at + n;
            if (is_same && (n == 0 || memcmp(in.w + at, operands, n * sizeof *operands) == 0)) {
                return in.w[at_result];
            }
        }
    }
    return 0;
}

/* ---- what is declared for a change ---- */

static uint32_t new_id(struct editor *d)
{
    return d->next_id++;
}

/* A type: as it is declared, else declared now. */
static uint32_t declare_type(struct editor *d, uint32_t op, const uint32_t *operands, uint32_t n)
{
    uint32_t words[4] = {find_declared(d, op, 1, 2, operands, n)};
    if (words[0] == 0) {
        words[0] = new_id(d);
        if (n > 0) {
            memcpy(words + 1, operands, n * sizeof *operands);
        }
        spv_put(&d->types, op, words, n + 1);
    }
    return words[0];
}

static uint32_t declare_scalar(struct editor *d, enum illegal_type type)
{
    static const struct {
        uint32_t op, n, operands[2];
    } rows[] = {
        [TYPE_OF_I32] = {SpvOpTypeInt,   2, {32, 0}},
          [TYPE_OF_S32] = {SpvOpTypeInt,   2, {32, 1}},
        [TYPE_OF_I64] = {SpvOpTypeInt,   2, {64, 0}},
          [TYPE_OF_F16] = {SpvOpTypeFloat, 1, {16}   },
        [TYPE_OF_F32] = {SpvOpTypeFloat, 1, {32}   },
          [TYPE_OF_F64] = {SpvOpTypeFloat, 1, {64}   },
        [TYPE_OF_BOOL] = {SpvOpTypeBool,  0, {0}    },
          [TYPE_OF_VOID] = {SpvOpTypeVoid,  0, {0}    },
    };
    return declare_type(d, rows[type].op, rows[type].operands, rows[type].n);
}

static uint32_t declare(struct editor *d, uint32_t type)
{
    uint32_t const scalar = declare_scalar(d, (enum illegal_type)(type & 0xffff));
    uint32_t const n = type >> 16;
    return n == 0 ? scalar : declare_type(d, SpvOpTypeVector, (uint32_t[]){scalar, n}, 2);
}

/* A value that stands among the types. */
static uint32_t declare_value(struct editor *d, uint32_t op, uint32_t type,
                              const uint32_t *operands, uint32_t n)
{
    uint32_t words[MAX_WORDS] = {type, new_id(d)};
    if (n > 0) {
        memcpy(words + 2, operands, n * sizeof *operands);
    }
    spv_put(&d->types, op, words, n + 2);
    return words[1];
}

static uint32_t declare_constants(struct editor *d, uint32_t packed)
{
    uint32_t const n = packed >> 28;
    uint32_t const i32 = declare(d, TYPE_OF_I32);
    uint32_t ids[4] = {0};
    for (uint32_t i = 0; i < n && i < 4; i++) {
        uint32_t const value = packed >> 7 * i & 0x7f;
        ids[i] = declare_value(d, SpvOpConstant, i32, &value, 1);
    }
    uint32_t const type = declare(d, ILLEGAL_VECTOR(n, TYPE_OF_I32));
    return declare_value(d, SpvOpConstantComposite, type, ids, n);
}

static uint32_t declare_struct(struct editor *d)
{
    uint32_t const member = declare(d, TYPE_OF_I32);
    return declare_type(d, SpvOpTypeStruct, &member, 1);
}

/* A variable; the pointer to it. */
static uint32_t declare_variable(struct editor *d, uint32_t storage, uint32_t type)
{
    uint32_t const pointee = declare(d, type);
    uint32_t const pointer = declare_type(d, SpvOpTypePointer, (uint32_t[]){storage, pointee}, 2);
    if (storage != SpvStorageClassFunction) {
        return declare_value(d, SpvOpVariable, pointer, &storage, 1);
    }
    uint32_t const words[3] = {pointer, new_id(d), storage};
    spv_put(&d->locals, SpvOpVariable, words, 3);
    return words[1];
}

/* ---- things ---- */

/* An i32 that the target's function computes before it, or 0. */
static uint32_t find_run_time(const struct editor *d)
{
    uint32_t const i32 = find_declared(d, SpvOpTypeInt, 1, 2, (uint32_t[]){32, 0}, 2);
    uint32_t offset = SPV_HEADER_WORDS;
    uint32_t found = 0;
    bool is_inside = false;
    struct spv_inst in;
    while (next(d, &offset, &in) && in.offset < d->target) {
        is_inside = (is_inside || in.op == SpvOpFunction) && in.op != SpvOpFunctionEnd;
        bool const is_i32 = is_inside && in.n > W_RESULT && in.w[W_TYPE] == i32;
        if (is_i32 && (in.op == SpvOpUConvert || in.op == SpvOpLoad || in.op == SpvOpIAdd ||
                       in.op == SpvOpCompositeExtract)) {
            found = in.w[W_RESULT];
        }
    }
    return found;
}

static uint32_t make_run_time(struct editor *d, uint32_t n)
{
    uint32_t const value = find_run_time(d);
    if (value == 0 || n == 1) {
        return value;
    }
    uint32_t words[6] = {declare(d, ILLEGAL_VECTOR(n, TYPE_OF_I32)), new_id(d)};
    for (uint32_t i = 0; i < n; i++) {
        words[2 + i] = value;
    }
    spv_put(&d->before, SpvOpCompositeConstruct, words, 2 + n);
    return words[1];
}

/* The word of the first instruction of an OP_NUMBER, or 0. */
static uint32_t find_word(const struct editor *d, uint32_t number, uint32_t at)
{
    struct spv_inst in;
    return find(d, number, &in) && in.n > at ? in.w[at] : 0;
}

/* Returns the word that an operand becomes by change c: a literal, or the id of what c->thing names (enum
 * illegal_thing). What the module lacks is declared in d's lists. Returns 0 where there is no such thing. */
static uint32_t make_thing(struct editor *d, const struct illegal_change *c)
{
    switch (c->thing) {
    case THING_NONE:
        break;
    case THING_LITERAL:
        return c->value;
    case THING_CONSTANT:
        return declare_value(d, SpvOpConstant, declare(d, TYPE_OF_I32), &c->value, 1);
    case THING_SPEC:
        return declare_value(d, SpvOpSpecConstant, declare(d, TYPE_OF_I32), &c->value, 1);
    case THING_TYPE:
        return declare(d, c->value);
    case THING_ZERO:
        return declare_value(d, SpvOpConstantNull, declare(d, c->value), NULL, 0);
    case THING_STRUCT:
        return declare_struct(d);
    case THING_STRUCT_ZERO:
        return declare_value(d, SpvOpConstantNull, declare_struct(d), NULL, 0);
    case THING_CONSTANTS:
        return declare_constants(d, c->value);
    case THING_RUN_TIME:
        return make_run_time(d, c->value);
    case THING_PRIVATE:
        return declare_variable(d, SpvStorageClassPrivate, c->value);
    case THING_FUNCTION:
        return declare_variable(d, SpvStorageClassFunction, c->value);
    case THING_WORKGROUP:
        return declare_variable(d, SpvStorageClassWorkgroup, c->value);
    case THING_POINTER:
        return find_word(d, c->value, W_POINTER);
    case THING_RESULT:
        return find_word(d, c->value, W_RESULT);
    case THING_LABEL:
        return find_word(d, SpvOpLabel, 1); /* a label has no type: its id is the first operand */
    case THING_ENTRY:
        return find_word(d, SpvOpFunction, W_RESULT);
    }
    return 0;
}

/* ---- changes ---- */

/* Where the changes of an instruction go. */
struct changed {
    uint32_t w[MAX_WORDS];
    uint32_t n;
};

/* Makes what the rule's changes name (make_thing) in both steps, and puts it into c in ILLEGAL_BROKEN. is_copy: c
 * gets a result id of its own. */
static void apply_changes(struct editor *d, struct changed *c, bool is_copy)
{
    uint32_t things[ILLEGAL_MAX_CHANGES];
    for (int i = 0; i < ILLEGAL_MAX_CHANGES; i++) {
        const struct illegal_change *const change = &d->how->change[i];
        things[i] = make_thing(d, change);
        bool const is_nothing = change->thing == THING_NONE || change->thing == THING_LITERAL;
        d->is_missing |= !is_nothing && (things[i] == 0 || change->at >= c->n);
    }
    if (is_copy) {
        c->w[W_RESULT] = new_id(d);
    }
    for (int i = 0; i < ILLEGAL_MAX_CHANGES && d->step == ILLEGAL_BROKEN && !d->is_missing; i++) {
        if (d->how->change[i].thing != THING_NONE) {
            c->w[d->how->change[i].at] = things[i];
        }
    }
}

/* A max error of change[0], or of the first member of a struct. */
static void put_decoration(struct editor *d)
{
    uint32_t const target = make_thing(d, &d->how->change[0]);
    d->is_missing |= target == 0;
    if (d->step == ILLEGAL_PREPARED) {
        return;
    }
    if (d->how->kind == BREAK_MEMBER) {
        spv_put(&d->decorations, SpvOpMemberDecorate,
                (uint32_t[]){target, 0, SPV_DEC_FP_MAX_ERROR_INTEL, d->how->number}, 4);
        return;
    }
    spv_put(&d->decorations, SpvOpDecorate,
            (uint32_t[]){target, SPV_DEC_FP_MAX_ERROR_INTEL, d->how->number}, 3);
}

static void put_capability(struct editor *d)
{
    if (d->step == ILLEGAL_BROKEN) {
        spv_put(&d->capabilities, SpvOpCapability, &d->how->number, 1);
        if (d->how->text[0]) {
            spv_put_string(&d->extensions, SpvOpExtension, NULL, 0, d->how->text, NULL, 0);
        }
    }
}

/* What a change is about, beside instructions by their number: the decoration of a max error, a capability, an extension. */
static bool is_about(const struct illegal_break *how, enum illegal_kind kind,
                     const struct spv_inst *in)
{
    switch ((unsigned)kind) {
    case BREAK_DROP_CAPABILITY:
        return in->op == SpvOpCapability && in->w[1] == how->number;
    case BREAK_DROP_EXTENSION:
        return in->op == SpvOpExtension && strcmp((const char *)(in->w + 1), how->text) == 0;
    default:
        return in->op == SpvOpDecorate && in->w[2] == SPV_DEC_FP_MAX_ERROR_INTEL;
    }
}

/* Finds the first instruction that the rule is about, as rules of that kind look for it (is_about). */
static bool find_about(const struct editor *d, enum illegal_kind kind, struct spv_inst *in)
{
    uint32_t offset = SPV_HEADER_WORDS;
    while (next(d, &offset, in)) {
        if (is_about(d->how, kind, in)) {
            return true;
        }
    }
    return false;
}

/* Finds the instruction that the rule changes and stores its offset in d->target: 0 where something is only
 * added. What is added is put into d's lists here. Sets d->is_missing where the module has no such
 * instruction. */
static void find_target(struct editor *d)
{
    struct spv_inst in = {.offset = 0};
    bool is_found = true;
    switch (d->how->kind) {
    case BREAK_DROP_CAPABILITY:
    case BREAK_SWAP_CAPABILITY: /* of the capability that another one replaces */
        is_found = find_about(d, BREAK_DROP_CAPABILITY, &in);
        break;
    case BREAK_DROP_EXTENSION:
    case BREAK_LITERAL:
        is_found = find_about(d, d->how->kind, &in);
        break;
    case BREAK_OPERANDS:
    case BREAK_COPY:
    case BREAK_OPCODE:
    case BREAK_APPEND:
    case BREAK_CUT:
        /* of decorations the one with a max error, as for BREAK_LITERAL */
        is_found = d->how->number == SpvOpDecorate ? find_about(d, BREAK_LITERAL, &in)
                                                   : find(d, d->how->number, &in);
        break;
    case BREAK_ADD_CAPABILITY:
        put_capability(d);
        break;
    case BREAK_DECORATE:
    case BREAK_MEMBER:
        put_decoration(d);
        break;
    }
    d->target = in.offset;
    d->is_missing |= !is_found;
}

static void put_words(struct spv_words *out, const uint32_t *w, uint32_t n)
{
    spv_put(out, w[0] & 0xffff, w + 1, n - 1);
}

/* Writes the target instruction to `out` as the rule changes it, with a changed copy after it for
 * BREAK_COPY. Of the two steps, ILLEGAL_PREPARED declares what the change needs, and only ILLEGAL_BROKEN
 * changes a word: so both modules differ in the broken rule alone. */
static void change_target(struct editor *d, const struct spv_inst *in, struct spv_words *out)
{
    bool const is_broken = d->step == ILLEGAL_BROKEN;
    struct changed c = {.n = in->n};
    if (in->n >= MAX_WORDS) { /* one word is kept for BREAK_APPEND */
        d->is_missing = true;
        return;
    }
    memcpy(c.w, in->w, in->n * sizeof *in->w);
    switch (d->how->kind) {
    case BREAK_DROP_CAPABILITY:
    case BREAK_DROP_EXTENSION:
        if (is_broken) {
            return; /* nothing is written: the instruction is gone */
        }
        break;
    case BREAK_SWAP_CAPABILITY: /* w[1] is the capability of OpCapability */
        c.w[1] = is_broken ? d->how->other : c.w[1];
        break;
    case BREAK_LITERAL:
        c.w[W_LITERAL] = is_broken ? d->how->number : c.w[W_LITERAL];
        break;
    case BREAK_OPERANDS:
        apply_changes(d, &c, false);
        break;
    case BREAK_COPY:
        put_words(out, c.w, c.n);
        apply_changes(d, &c, true);
        break;
    case BREAK_OPCODE: /* put_words takes the opcode alone from w[0], and counts the words itself */
        c.w[0] = is_broken ? d->how->other : c.w[0];
        break;
    case BREAK_APPEND:
        c.w[c.n] = make_thing(d, &d->how->change[0]);
        c.n += is_broken ? 1 : 0;
        break;
    case BREAK_CUT:
        c.n -= is_broken ? 1 : 0;
        break;
    case BREAK_ADD_CAPABILITY:
    case BREAK_DECORATE:
    case BREAK_MEMBER: /* these only add: they have no target */
        break;
    }
    put_words(out, c.w, c.n);
}

/* ---- writing ---- */

/* Sections of a module, in their order. */
enum section {
    SECTION_CAPABILITIES,
    SECTION_EXTENSIONS,
    SECTION_HEAD, /* imports, model, entry points, modes, names, decorations */
    SECTION_TYPES,
    SECTION_CODE
};

static bool is_declaration(uint32_t op)
{
    return (op >= SpvOpTypeVoid && op <= SpvOpTypeForwardPointer) ||
           (op >= SpvOpConstantTrue && op <= SpvOpSpecConstantOp) || op == SpvOpVariable ||
           op == SpvOpUndef;
}

static enum section section_of(uint32_t op, enum section before)
{
    enum section here = SECTION_HEAD;
    if (before == SECTION_CODE || op == SpvOpFunction) {
        return SECTION_CODE;
    }
    if (op == SpvOpCapability) {
        here = SECTION_CAPABILITIES;
    } else if (op == SpvOpExtension) {
        here = SECTION_EXTENSIONS;
    } else if (is_declaration(op)) {
        here = SECTION_TYPES;
    }
    return here > before ? here : before;
}

/* What was added to the sections that end between these two. */
static void end_sections(const struct editor *d, enum section from, enum section to,
                         struct spv_words *out)
{
    const struct spv_words *const added[] = {&d->capabilities, &d->extensions, &d->decorations,
                                             &d->types};
    for (int s = (int)from; s < (int)to; s++) {
        spv_append(out, added[s]);
    }
}

/* The function of the target begins its first block at this offset. */
static uint32_t find_first_label(const struct editor *d)
{
    uint32_t offset = SPV_HEADER_WORDS;
    uint32_t label = 0;
    bool is_first = false;
    struct spv_inst in;
    while (next(d, &offset, &in) && in.offset <= d->target) {
        is_first |= in.op == SpvOpFunction;
        if (in.op == SpvOpLabel && is_first) {
            label = in.offset;
            is_first = false;
        }
    }
    return label;
}

/* All instructions in their order, the target as `changed` has it. */
static void join(const struct editor *d, const struct spv_words *changed, struct spv_words *out)
{
    uint32_t const label = find_first_label(d);
    enum section section = SECTION_CAPABILITIES;
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (next(d, &offset, &in)) {
        enum section const here = section_of(in.op, section);
        end_sections(d, section, here, out);
        section = here;
        if (in.offset == d->target) {
            spv_append(out, &d->before);
            spv_append(out, changed);
        } else {
            put_words(out, in.w, in.n);
        }
        if (in.offset == label) {
            spv_append(out, &d->locals);
        }
    }
}

/* Makes the module that breaks `rule`, or only prepares the break (step), of the legal module `words`.
 * Returns *n_out words in the arena; NULL where the arena is full or the module lacks what the rule
 * changes. New instructions are collected in lists by section, and join puts them where their section ends. */
const uint32_t *illegal_make(const struct illegal_rule *rule, enum illegal_step step,
                             const uint32_t *words, uint32_t n_words, struct arena *a,
                             uint32_t *n_out)
{
    enum {
        AT_BOUND = 3 /* word of the header: the bound of ids */
    };
    struct editor d = {.how = &rule->how,
                       .step = step,
                       .words = words,
                       .n_words = n_words,
                       .a = a,
                       .next_id = words[AT_BOUND]};
    struct spv_words changed;
    struct spv_words out;
    struct spv_words *const lists[] = {&d.capabilities, &d.extensions, &d.decorations, &d.types,
                                       &d.locals,       &d.before,     &changed,       &out};
    bool is_ok = true;
    for (size_t i = 0; i < ARRAY_N(lists); i++) {
        spv_words_init(lists[i], a);
    }
    find_target(&d);
    if (d.target != 0) { /* 0: the rule only adds instructions */
        uint32_t offset = d.target;
        struct spv_inst in;
        (void)next(&d, &offset, &in);
        change_target(&d, &in, &changed);
    }
    join(&d, &changed, &out);
    for (size_t i = 0; i < ARRAY_N(lists); i++) {
        is_ok = is_ok && lists[i]->ok;
    }
    uint32_t *const made = ARENA_NEW(a, uint32_t, SPV_HEADER_WORDS + out.n);
    if (!made || !is_ok || d.is_missing) {
        return NULL;
    }
    memcpy(made, words, SPV_HEADER_WORDS * sizeof *made);
    made[AT_BOUND] = d.next_id;
    memcpy(made + SPV_HEADER_WORDS, out.w, out.n * sizeof *made);
    *n_out = SPV_HEADER_WORDS + out.n;
    return made;
}
