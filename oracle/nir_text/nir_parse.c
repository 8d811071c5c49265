/* oracle/nir_text/nir_parse.c -- reads a program line by line. The structured flow of the text (if, loop) becomes blocks that
 * end with a target, as the other form (goto) has them already. */
#include "oracle/nir_text/nir_parse.h"

#include <stdlib.h>
#include <string.h>

#include "oracle/nir_text/nir_check.h"
#include "oracle/nir_text/nir_intrinsic.h"
#include "oracle/nir_text/nir_op.h"
#include "oracle/nir_text/nir_scan.h"
#include "oracle/nir_text/nir_word.h"

/* A block that is gone to, and may not have been read yet. Until the end of the text, targets of blocks are labels. */
#define NO_PLACE UINT32_MAX
struct label {
    bool is_number; /* `place` is the number of a block in the text; else its position */
    uint32_t place; /* NO_PLACE: not yet known */
    uint32_t line;
};
/* An if or a loop whose end has not been read. */
struct open {
    bool is_loop;
    bool has_second; /* `} else {` or `} continue {` was read */
    uint32_t begin;  /* a loop's label of its first block; of an if that of its second part */
    uint32_t next;   /* a loop's: where continue goes; of an if that behind it */
    uint32_t after;  /* a loop's: where break goes */
    uint32_t header; /* a loop's position of the first block */
};
/* A variable that is no value, by its name. */
struct variable {
    const char *name;
    size_t n;
    uint32_t first; /* number of its first component */
};
/* The number that the text gives a value, which is not dense. Until the end of the text, operands are such numbers. */
struct numbered {
    uint32_t number, value;
};
struct parser {
    struct arena *a;
    struct nir_program *out;
    struct nir_answer *answer;
    struct nir_scan s; /* the rest of the current line */
    uint32_t line;
    bool is_ended; /* has the current block its target already? true before the first block */
    struct label *labels;
    uint32_t n_labels, cap_labels;
    struct open *open;
    uint32_t n_open, cap_open;
    uint32_t cap_values, cap_instructions, cap_sources, cap_phi_sources, cap_blocks;
    struct variable variables[NIR_MAX_VARIABLES];
    uint32_t n_variables;
    uint64_t (*constants)[NIR_MAX_COMPONENTS]; /* by value; only of constants meaningful */
    struct numbered *numbers;                  /* of the values */
};

static bool broken(struct parser *p, const char *what)
{
    return nir_stop(p->answer, NIR_BROKEN, p->line, "%s", what);
}
static bool no_memory(struct parser *p)
{
    return nir_stop_memory(p->answer, p->line);
}

static bool make_label(struct parser *p, bool is_number, uint32_t place, uint32_t *out)
{
    struct label *const grown =
        arena_grow(p->a, p->labels, p->n_labels, &p->cap_labels, sizeof *grown);
    if (!grown) {
        return no_memory(p);
    }
    p->labels = grown;
    p->labels[p->n_labels] = (struct label){is_number, place, p->line};
    *out = p->n_labels++;
    return true;
}

/* The current block ends, unless it has already, and invocations go on at `label`. */
static void go_to(struct parser *p, uint32_t label)
{
    if (!p->is_ended) {
        struct nir_block *const b = &p->out->blocks[p->out->n_blocks - 1];
        b->target = b->otherwise = label;
        p->is_ended = true;
    }
}
/* The current block ends, unless it has already, and invocations go on in the block that is read next. */
static bool fall(struct parser *p)
{
    uint32_t label = 0;
    if (p->is_ended) {
        return true;
    }
    if (!make_label(p, false, p->out->n_blocks, &label)) {
        return false;
    }
    go_to(p, label);
    return true;
}

static bool begin_block(struct parser *p)
{
    struct nir_program *const out = p->out;
    uint32_t number = 0;
    if (!nir_scan_id(&p->s, "b", NIR_MAX_BLOCKS, &number) || !nir_scan_take(&p->s, ":")) {
        return broken(p, "a block has no number");
    }
    if (out->n_blocks == NIR_MAX_BLOCKS) {
        return broken(p, "there are too many blocks");
    }
    if (!fall(p)) {
        return false;
    }
    struct nir_block *const grown =
        arena_grow(p->a, out->blocks, out->n_blocks, &p->cap_blocks, sizeof *grown);
    if (!grown) {
        return no_memory(p);
    }
    out->blocks = grown;
    out->blocks[out->n_blocks] = (struct nir_block){
        .number = number, .line = p->line, .first = out->n_instructions, .loop_end = out->n_blocks};
    out->n_blocks++;
    p->is_ended = false;
    return true;
}

/* The current block is to branch by the condition that comes next. */
static bool take_condition(struct parser *p)
{
    if (p->is_ended) {
        return broken(p, "a branch stands outside a block");
    }
    if (!nir_scan_source(&p->s, &p->out->blocks[p->out->n_blocks - 1].condition)) {
        return broken(p, "a branch has no condition");
    }
    return true;
}

static bool push(struct parser *p, struct open open)
{
    if (p->n_open == NIR_MAX_NESTING) {
        return broken(p, "ifs and loops are nested too deep");
    }
    struct open *const grown = arena_grow(p->a, p->open, p->n_open, &p->cap_open, sizeof *grown);
    if (!grown) {
        return no_memory(p);
    }
    p->open = grown;
    p->open[p->n_open++] = open;
    return true;
}

static bool begin_if(struct parser *p)
{
    struct open open = {.is_loop = false};
    uint32_t then = 0;
    if (!take_condition(p) || !make_label(p, false, p->out->n_blocks, &then) ||
        !make_label(p, false, NO_PLACE, &open.begin) ||
        !make_label(p, false, NO_PLACE, &open.next)) {
        return false;
    }
    struct nir_block *const b = &p->out->blocks[p->out->n_blocks - 1];
    b->target = then;
    b->otherwise = open.begin;
    p->is_ended = true;
    return push(p, open);
}

static bool begin_loop(struct parser *p)
{
    struct open open = {.is_loop = true, .header = p->out->n_blocks};
    if (!make_label(p, false, p->out->n_blocks, &open.begin) ||
        !make_label(p, false, NO_PLACE, &open.next) ||
        !make_label(p, false, NO_PLACE, &open.after)) {
        return false;
    }
    go_to(p, open.begin);
    return push(p, open);
}

/* `} else {` or `} continue {`: the second part of the innermost if or loop begins. */
static bool begin_second(struct parser *p, bool is_loop)
{
    struct open *const open = p->n_open ? &p->open[p->n_open - 1] : NULL;
    if (!open || open->is_loop != is_loop || open->has_second) {
        return broken(p, is_loop ? "continue has no loop" : "else has no if");
    }
    open->has_second = true;
    go_to(p, open->next);
    p->labels[is_loop ? open->next : open->begin].place = p->out->n_blocks;
    return true;
}

/* `}`: the innermost if or loop ends. */
static bool end_open(struct parser *p)
{
    struct open const open = p->open[--p->n_open];
    uint32_t const next = p->out->n_blocks;
    if (!open.is_loop) {
        go_to(p, open.next);
        p->labels[open.next].place = next;
        if (!open.has_second) {
            p->labels[open.begin].place = next;
        }
        return true;
    }
    if (next == open.header) {
        return broken(p, "a loop has no block");
    }
    go_to(p, open.begin);
    if (!open.has_second) {
        p->labels[open.next].place = open.header;
    }
    p->labels[open.after].place = next;
    p->out->blocks[open.header].loop_end = next - 1;
    return true;
}

/* break or continue, of the innermost loop. */
static bool leave(struct parser *p, bool is_break)
{
    for (uint32_t i = p->n_open; i-- > 0;) {
        if (p->open[i].is_loop) {
            go_to(p, is_break ? p->open[i].after : p->open[i].next);
            return true;
        }
    }
    return broken(p, "break or continue stands outside a loop");
}

/* bN as a label. */
static bool take_target(struct parser *p, uint32_t *label)
{
    uint32_t number = 0;
    if (!nir_scan_id(&p->s, "b", NIR_MAX_BLOCKS, &number)) {
        return broken(p, "goto has no block");
    }
    return make_label(p, true, number, label);
}

/* goto bN, or goto bN if %C else bM. */
static bool take_goto(struct parser *p)
{
    uint32_t target = 0, otherwise = 0;
    if (!take_target(p, &target)) {
        return false;
    }
    nir_scan_skip_parentheses(&p->s);
    if (!nir_scan_take(&p->s, "if ")) {
        go_to(p, target);
        return true;
    }
    if (!take_condition(p)) {
        return false;
    }
    if (!nir_scan_take(&p->s, "else ")) {
        return broken(p, "goto with a condition has no else");
    }
    if (!take_target(p, &otherwise)) {
        return false;
    }
    struct nir_block *const b = &p->out->blocks[p->out->n_blocks - 1];
    b->target = target;
    b->otherwise = otherwise;
    p->is_ended = true;
    return true;
}

/* BITS[xCOMPONENTS] %N =, as the definition of the next value. */
static bool take_definition(struct parser *p, uint32_t *value)
{
    struct nir_program *const out = p->out;
    uint64_t n_bits = 0, n_components = 1;
    uint32_t number = 0;
    if (!nir_scan_number(&p->s, &n_bits) ||
        (nir_scan_take(&p->s, "x") && !nir_scan_number(&p->s, &n_components)) ||
        !nir_scan_id(&p->s, "%", NIR_MAX_NUMBERS, &number) || !nir_scan_take(&p->s, "=")) {
        return broken(p, "this is no definition of a value");
    }
    if (n_bits != 1 && n_bits != 8 && n_bits != 16 && n_bits != 32 && n_bits != 64) {
        return broken(p, "a value has neither 1, 8, 16, 32 nor 64 bits");
    }
    if (n_components < 1 || n_components > NIR_MAX_COMPONENTS) {
        return broken(p, "a value has no component, or too many");
    }
    if (out->n_values == NIR_MAX_VALUES) {
        return broken(p, "there are too many values");
    }
    uint32_t cap_constants = p->cap_values, cap_numbers = p->cap_values;
    struct nir_value *const values =
        arena_grow(p->a, out->values, out->n_values, &p->cap_values, sizeof *values);
    uint64_t(*const constants)[NIR_MAX_COMPONENTS] =
        arena_grow(p->a, p->constants, out->n_values, &cap_constants, sizeof *constants);
    struct numbered *const numbers =
        arena_grow(p->a, p->numbers, out->n_values, &cap_numbers, sizeof *numbers);
    bool const has_room = cap_constants == p->cap_values && cap_numbers == p->cap_values;
    if (!values || !constants || !numbers || !has_room) {
        return no_memory(p);
    }
    out->values = values;
    p->constants = constants;
    p->numbers = numbers;
    p->numbers[out->n_values] = (struct numbered){number, out->n_values};
    out->values[out->n_values] = (struct nir_value){.n_bits = (uint8_t)n_bits,
                                                    .n_components = (uint8_t)n_components,
                                                    .offset = out->n_components,
                                                    .line = p->line};
    *value = out->n_values++;
    out->n_components += (uint32_t)n_components;
    return true;
}

/* load_const: a bit pattern for each component. What stands behind it, other ways to read the bits, is left out. */
static bool take_constant(struct parser *p, uint32_t value)
{
    struct nir_value *const v = &p->out->values[value];
    v->is_constant = true;
    if (!nir_scan_take(&p->s, "(")) {
        return broken(p, "load_const has no value");
    }
    for (unsigned i = 0; i < v->n_components; i++) {
        uint64_t bits = 0;
        if (nir_scan_take(&p->s, "true")) {
            bits = 1;
        } else if (!nir_scan_take(&p->s, "false") && !nir_scan_number(&p->s, &bits)) {
            return broken(p, "load_const has a value that is no number");
        }
        if (bits & ~nir_mask(v->n_bits)) {
            return broken(p, "load_const has a value with more bits than its type");
        }
        p->constants[value][i] = bits;
        if (i + 1 < v->n_components && !nir_scan_take(&p->s, ",")) {
            return broken(p, "load_const has too few values");
        }
    }
    return true;
}

static bool add_source(struct parser *p, struct nir_instruction *in)
{
    struct nir_program *const out = p->out;
    struct nir_source *const grown =
        arena_grow(p->a, out->sources, out->n_sources, &p->cap_sources, sizeof *grown);
    if (!grown) {
        return no_memory(p);
    }
    out->sources = grown;
    if (!nir_scan_source(&p->s, &out->sources[out->n_sources])) {
        return broken(p, "an operand is no value");
    }
    if (in->n_sources == NIR_MAX_SOURCES) {
        return broken(p, "an instruction has too many operands");
    }
    out->n_sources++;
    in->n_sources++;
    return true;
}

static bool take_phi(struct parser *p, struct nir_instruction *in)
{
    struct nir_program *const out = p->out;
    in->kind = NIR_PHI;
    in->first = out->n_phi_sources;
    do {
        struct nir_phi_source *const grown = arena_grow(p->a, out->phi_sources, out->n_phi_sources,
                                                        &p->cap_phi_sources, sizeof *grown);
        if (!grown) {
            return no_memory(p);
        }
        out->phi_sources = grown;
        struct nir_phi_source *const to = &out->phi_sources[out->n_phi_sources];
        struct nir_source source;
        if (!nir_scan_id(&p->s, "b", NIR_MAX_BLOCKS, &to->block) || !nir_scan_take(&p->s, ":") ||
            !nir_scan_source(&p->s, &source) || source.n) {
            return broken(p, "a phi has a source that is not a block and a value");
        }
        if (in->n_sources == UINT16_MAX) {
            return broken(p, "a phi has too many sources");
        }
        to->value = source.value;
        out->n_phi_sources++;
        in->n_sources++;
    } while (nir_scan_take(&p->s, ","));
    return true;
}

/* ((id & A) | O) ^ X, or four digits. */
static bool take_swizzle(struct parser *p, int64_t *value)
{
    uint64_t parts[3] = {0};
    if (!nir_scan_take(&p->s, "((id & ")) {
        for (unsigned i = 0; i < 4; i++) {
            if (p->s.p == p->s.end || *p->s.p < '0' || *p->s.p > '3') {
                return broken(p, "a swizzle is not four digits");
            }
            *value |= (int64_t)(*p->s.p++ - '0') << 2 * i;
        }
        return true;
    }
    if (!nir_scan_number(&p->s, &parts[0]) || !nir_scan_take(&p->s, ") | ") ||
        !nir_scan_number(&p->s, &parts[1]) || !nir_scan_take(&p->s, ") ^ ") ||
        !nir_scan_number(&p->s, &parts[2]) || parts[0] > 31 || parts[1] > 31 || parts[2] > 31) {
        return broken(p, "a swizzle is not of the form ((id & A) | O) ^ X");
    }
    *value = (int64_t)(parts[0] | parts[1] << 8 | parts[2] << 16);
    return true;
}

/* The value of a constant argument. */
static bool take_index_value(struct parser *p, enum nir_index_form form, int64_t *value)
{
    const char *name = NULL;
    size_t n = 0;
    uint64_t number = 0;
    switch (form) {
    case NIR_NUMBER:
        if (!nir_scan_number(&p->s, &number)) {
            return broken(p, "a constant argument is no number");
        }
        *value = (int64_t)number;
        return true;
    case NIR_WORD:
        n = nir_scan_name(&p->s, &name);
        *value = nir_word_find(name, n);
        return *value >= 0 || nir_stop_unknown(p->answer, p->line, "word", name, n);
    case NIR_MASK: {
        struct nir_scan as_source = p->s; /* the letters are those of a swizzle */
        n = nir_scan_name(&as_source, &name);
        for (size_t i = 0; i < n; i++) {
            const char *const letters = "xyzw", *const found = strchr(letters, name[i]);
            int const c = found ? (int)(found - letters) : name[i] - 'a';
            if (c < 0 || c >= NIR_MAX_COMPONENTS) {
                return broken(p, "a mask of components has another letter");
            }
            *value |= INT64_C(1) << c;
        }
        p->s = as_source;
        return true;
    }
    case NIR_SWIZZLE:
        return take_swizzle(p, value);
    case NIR_IGNORED:
        while (p->s.p < p->s.end && *p->s.p != ',' && *p->s.p != ')') {
            p->s.p++;
        }
        return true;
    }
    return true;
}

/* (name=value, ...) behind the opening parenthesis. */
static bool take_indices(struct parser *p, struct nir_instruction *in)
{
    int64_t *const index = ARENA_NEW(p->a, int64_t, NIR_INDEX_N);
    if (!index) {
        return no_memory(p);
    }
    do {
        const char *name = NULL;
        nir_scan_blanks(&p->s);
        size_t const n = nir_scan_name(&p->s, &name);
        int const row = nir_index_find(name, n);
        if (row < 0) {
            return nir_stop_unknown(p->answer, p->line, "argument", name, n);
        }
        if (!nir_scan_take(&p->s, "=")) {
            return broken(p, "a constant argument has no value");
        }
        if (!take_index_value(p, nir_index_rows[row].form, &index[row])) {
            return false;
        }
    } while (nir_scan_take(&p->s, ","));
    in->index = index;
    return nir_scan_take(&p->s, ")") || broken(p, "constant arguments have no end");
}

/* (MODE TYPE), where TYPE is a scalar or vector and the sizes of arrays: how many components it has. */
static bool take_type(struct parser *p, uint64_t *n_components)
{
    static const char *const scalars[] = {"bool",     "int",       "uint",    "float",
                                          "double",   "int8_t",    "uint8_t", "int16_t",
                                          "uint16_t", "float16_t", "int64_t", "uint64_t"};
    const char *name = NULL;
    *n_components = 1;
    if (!nir_scan_take(&p->s, "(") || nir_scan_name(&p->s, &name) == 0) {
        return broken(p, "a variable has no type");
    }
    nir_scan_blanks(&p->s);
    size_t const n = nir_scan_name(&p->s, &name);
    bool const is_vector = n >= 4 && memcmp(name + n - 4, "vec", 3) == 0;
    bool is_plain = false;
    for (size_t i = 0; i < ARRAY_N(scalars) && !is_plain; i++) {
        is_plain = strlen(scalars[i]) == n && memcmp(scalars[i], name, n) == 0;
    }
    if (is_vector && name[n - 1] >= '2' && name[n - 1] <= '4') {
        *n_components = (uint64_t)(name[n - 1] - '0');
    } else if (!is_plain) {
        return nir_stop_unknown(p->answer, p->line, "type", name, n);
    }
    while (nir_scan_take(&p->s, "[")) {
        uint64_t size = 0;
        if (!nir_scan_number(&p->s, &size) || !nir_scan_take(&p->s, "]") || size == 0 ||
            size > NIR_MAX_SCRATCH_BYTES || *n_components > NIR_MAX_SCRATCH_BYTES) {
            return broken(p, "an array has no size, or is too large");
        }
        *n_components *= size;
    }
    return nir_scan_take(&p->s, ")") || broken(p, "a type has no end");
}

/* The number of the first component of a variable that a name denotes, which may be new and then has n_components. */
static bool take_variable(struct parser *p, const char *name, size_t n, uint64_t n_components,
                          int64_t *first)
{
    struct nir_header *const h = &p->out->header;
    for (uint32_t i = 0; i < p->n_variables; i++) {
        if (p->variables[i].n == n && memcmp(p->variables[i].name, name, n) == 0) {
            *first = p->variables[i].first;
            return true;
        }
    }
    if (p->n_variables == NIR_MAX_VARIABLES ||
        n_components > NIR_MAX_SCRATCH_BYTES - h->n_variable_components) {
        return broken(p, "there are too many variables");
    }
    *first = h->n_variable_components;
    p->variables[p->n_variables++] = (struct variable){name, n, h->n_variable_components};
    h->n_variable_components += (uint32_t)n_components;
    return true;
}

/* Does " (" come next? A name may hold blanks. */
static bool is_behind_name(const struct parser *p)
{
    return p->s.end - p->s.p >= 2 && p->s.p[0] == ' ' && p->s.p[1] == '(';
}

/* deref_var &NAME (TYPE), or deref_array &(*%PARENT)[INDEX] (TYPE), where INDEX is a number or a value. The comment behind
 * it says the same again. */
static bool take_deref(struct parser *p, struct nir_instruction *in, bool is_array)
{
    int64_t *const index = ARENA_NEW(p->a, int64_t, NIR_INDEX_N);
    uint64_t n_components = 0, element = 0;
    if (!index) {
        return no_memory(p);
    }
    in->kind = NIR_CALL;
    in->first = p->out->n_sources;
    in->index = index;
    if (!is_array) {
        in->row = NIR_INTRINSIC_deref_var;
        if (!nir_scan_take(&p->s, "&")) {
            return broken(p, "a variable has no name");
        }
        const char *const name = p->s.p;
        while (p->s.p < p->s.end && !is_behind_name(p)) {
            p->s.p++;
        }
        size_t const n = (size_t)(p->s.p - name);
        return take_type(p, &n_components) &&
               take_variable(p, name, n, n_components, &index[NIR_INDEX_base]);
    }
    if (!nir_scan_take(&p->s, "&(*") || !add_source(p, in) || !nir_scan_take(&p->s, ")[")) {
        return broken(p, "this is no element of an array");
    }
    bool const is_constant = p->s.p < p->s.end && *p->s.p != '%';
    in->row = is_constant ? NIR_INTRINSIC_deref_element : NIR_INTRINSIC_deref_array;
    if (!(is_constant ? nir_scan_number(&p->s, &element) : add_source(p, in)) ||
        !nir_scan_take(&p->s, "]")) {
        return broken(p, "an element of an array has no index");
    }
    if (!take_type(p, &n_components)) {
        return false;
    }
    index[NIR_INDEX_stride] = (int64_t)n_components;
    index[NIR_INDEX_base] = (int64_t)((element & UINT32_MAX) * n_components);
    return true;
}

/* @name (sources) (constant arguments), either of which may be absent. */
static bool take_call(struct parser *p, struct nir_instruction *in)
{
    static const int64_t no_index[NIR_INDEX_N];
    const char *name = NULL;
    size_t const n = nir_scan_name(&p->s, &name);
    int const row = nir_intrinsic_find(name, n);
    if (row < 0) {
        return nir_stop_unknown(p->answer, p->line, "intrinsic", name, n);
    }
    in->kind = NIR_CALL;
    in->row = (uint16_t)row;
    in->first = p->out->n_sources;
    in->index = no_index;
    while (nir_scan_take(&p->s, "(")) {
        nir_scan_blanks(&p->s);
        bool const is_source = p->s.p < p->s.end && *p->s.p == '%';
        if (!is_source) {
            if (in->index != no_index) {
                return broken(p, "an intrinsic has constant arguments twice");
            }
            if (!take_indices(p, in)) {
                return false;
            }
            continue;
        }
        do {
            if (!add_source(p, in)) {
                return false;
            }
        } while (nir_scan_take(&p->s, ","));
        if (!nir_scan_take(&p->s, ")")) {
            return broken(p, "operands have no end");
        }
    }
    return true;
}

/* name %a, %b ... of an operation; .nuw, .nsw, .exact and ! behind the name say nothing about defined values. */
static bool take_alu(struct parser *p, struct nir_instruction *in, const char *name, size_t n)
{
    int const row = nir_op_find(name, n);
    if (row < 0) {
        return nir_stop_unknown(p->answer, p->line, "operation", name, n);
    }
    while (nir_scan_take(&p->s, ".nuw") || nir_scan_take(&p->s, ".nsw") ||
           nir_scan_take(&p->s, ".exact") || nir_scan_take(&p->s, "!")) {
    }
    in->kind = NIR_ALU;
    in->row = (uint16_t)row;
    in->first = p->out->n_sources;
    do {
        if (!add_source(p, in)) {
            return false;
        }
    } while (nir_scan_take(&p->s, ","));
    return true;
}

/* One instruction: of an intrinsic without a result, or behind the definition of value `number`. */
static bool take_instruction(struct parser *p, uint32_t number)
{
    struct nir_program *const out = p->out;
    struct nir_instruction in = {.line = p->line, .value = number};
    const char *name = NULL;
    if (p->is_ended) {
        return broken(p, "an instruction stands outside a block");
    }
    if (nir_scan_take(&p->s, "@")) {
        if (!take_call(p, &in)) {
            return false;
        }
    } else {
        nir_scan_blanks(&p->s);
        size_t const n = nir_scan_name(&p->s, &name);
        if (n == 10 && memcmp(name, "load_const", n) == 0) {
            return take_constant(p, number);
        }
        if (n == 9 && memcmp(name, "undefined", n) == 0) {
            out->values[number].is_constant = true; /* 0 is as good as any */
            return true;
        }
        bool const is_phi = n == 3 && memcmp(name, "phi", n) == 0;
        bool const is_array = n == 11 && memcmp(name, "deref_array", n) == 0;
        bool const is_deref = is_array || (n == 9 && memcmp(name, "deref_var", n) == 0);
        if (!(is_phi     ? take_phi(p, &in)
              : is_deref ? take_deref(p, &in, is_array)
                         : take_alu(p, &in, name, n))) {
            return false;
        }
    }
    if (!nir_scan_is_at_end(&p->s)) {
        return broken(p, "something stands behind an instruction");
    }
    struct nir_instruction *const grown = arena_grow(p->a, out->instructions, out->n_instructions,
                                                     &p->cap_instructions, sizeof *grown);
    if (!grown) {
        return no_memory(p);
    }
    out->instructions = grown;
    out->instructions[out->n_instructions++] = in;
    out->blocks[out->n_blocks - 1].n++;
    return true;
}

/* A line of the function's body; *is_last: it is its closing brace. */
static bool take_line(struct parser *p, bool *is_last)
{
    uint32_t number = NIR_NO_VALUE;
    if (nir_scan_is_at_end(&p->s) || nir_scan_take(&p->s, "decl_var ") ||
        nir_scan_take(&p->s, "preamble ")) {
        return true;
    }
    if (nir_scan_take(&p->s, "} else {")) {
        return begin_second(p, false);
    }
    if (nir_scan_take(&p->s, "} continue {")) {
        return begin_second(p, true);
    }
    if (nir_scan_take(&p->s, "}")) {
        *is_last = p->n_open == 0;
        return *is_last || end_open(p);
    }
    if (!nir_scan_take(&p->s, "con ")) {
        (void)nir_scan_take(&p->s, "div ");
    }
    nir_scan_blanks(&p->s);
    char const c = p->s.p < p->s.end ? *p->s.p : 0;
    if (c == '@') {
        return take_instruction(p, NIR_NO_VALUE);
    }
    if (c >= '0' && c <= '9') {
        return take_definition(p, &number) && take_instruction(p, number);
    }
    if (nir_scan_take(&p->s, "block ")) {
        return begin_block(p);
    }
    if (nir_scan_take(&p->s, "if ")) {
        return begin_if(p);
    }
    if (nir_scan_take(&p->s, "loop ")) {
        return begin_loop(p);
    }
    if (nir_scan_take(&p->s, "goto ")) {
        return take_goto(p);
    }
    if (nir_scan_take(&p->s, "break")) {
        return leave(p, true);
    }
    if (nir_scan_take(&p->s, "continue")) {
        return leave(p, false);
    }
    const char *name = NULL;
    size_t const n = nir_scan_name(&p->s, &name);
    return nir_stop_unknown(p->answer, p->line, "statement", name, n);
}

/* Does the rest of the line contain a word? */
static bool has_word(const struct parser *p, const char *word)
{
    size_t const n = strlen(word);
    for (const char *c = p->s.p; c < p->s.end && (size_t)(p->s.end - c) >= n; c++) {
        if (memcmp(c, word, n) == 0) {
            return true;
        }
    }
    return false;
}

/* `decl_var ssbo NAME ... (~0, 0, BINDING)` of the header, or ubo, image: a buffer that the program may use. */
static void take_declaration(struct parser *p)
{
    uint64_t binding = 0;
    if (!nir_scan_take(&p->s, "ssbo ") && !nir_scan_take(&p->s, "ubo ") &&
        !nir_scan_take(&p->s, "image ")) {
        return;
    }
    bool const is_read_only = has_word(p, " readonly "), is_write_only = has_word(p, " writeonly ");
    for (const char *c = p->s.p; c < p->s.end; c++) {
        p->s.p = *c == ',' ? c + 1 : p->s.p; /* behind the last comma */
    }
    if (nir_scan_number(&p->s, &binding) && binding < 32) {
        struct nir_header *const h = &p->out->header;
        h->bindings |= UINT32_C(1) << binding;
        h->read_only |= is_read_only ? UINT32_C(1) << binding : 0;
        h->write_only |= is_write_only ? UINT32_C(1) << binding : 0;
    }
}

/* `key: value` of the header. */
static bool take_header(struct parser *p)
{
    static const struct {
        const char *key;
        size_t offset;
        unsigned n; /* numbers, with commas between */
    } keys[] = {
        {"workgroup_size:",                offsetof(struct nir_header, workgroup_size),    3},
        {"shared_size:",                   offsetof(struct nir_header, shared_bytes),      1},
        {"scratch:",                       offsetof(struct nir_header, scratch_bytes),     1},
        {"max_subgroup_size:",             offsetof(struct nir_header, max_subgroup_size), 1},
        {"float_controls_execution_mode:", offsetof(struct nir_header, float_controls),    1},
    };
    if (nir_scan_take(&p->s, "decl_var ")) {
        take_declaration(p);
        return true;
    }
    if (nir_scan_take(&p->s, "subgroup_size:")) {
        p->out->header.is_old = true;
        return true;
    }
    for (size_t k = 0; k < ARRAY_N(keys); k++) {
        if (!nir_scan_take(&p->s, keys[k].key)) {
            continue;
        }
        for (unsigned i = 0; i < keys[k].n; i++) {
            uint64_t v = 0;
            uint32_t narrow = 0;
            if ((i && !nir_scan_take(&p->s, ",")) || !nir_scan_number(&p->s, &v) ||
                v > UINT32_MAX) {
                return broken(p, "a number of the header is missing or too large");
            }
            narrow = (uint32_t)v;
            memcpy((char *)&p->out->header + keys[k].offset + i * sizeof narrow, &narrow,
                   sizeof narrow);
        }
        return true;
    }
    return true; /* other keys say nothing about values */
}

/* The position of each block by its number; NIR_END: no block has it. */
static uint32_t *index_blocks(struct parser *p)
{
    struct nir_program const *const out = p->out;
    uint32_t *const position = ARENA_NEW(p->a, uint32_t, NIR_MAX_BLOCKS);
    if (!position) {
        (void)no_memory(p);
        return NULL;
    }
    for (uint32_t i = 0; i < NIR_MAX_BLOCKS; i++) {
        position[i] = NIR_END;
    }
    for (uint32_t i = 0; i < out->n_blocks; i++) {
        if (position[out->blocks[i].number] != NIR_END) {
            p->line = out->blocks[i].line;
            (void)broken(p, "a block has the number of another one");
            return NULL;
        }
        position[out->blocks[i].number] = i;
    }
    return position;
}

/* Replaces a label by the position of its block. The last block of the function falls behind the end. */
static bool resolve(struct parser *p, const uint32_t *position, uint32_t *target)
{
    struct label const label = p->labels[*target];
    uint32_t const place = label.is_number ? position[label.place] : label.place;
    p->line = label.line;
    if (place == NIR_END || place > p->out->n_blocks) {
        return broken(p, "this goes to a block that is not there");
    }
    *target = place == p->out->n_blocks ? NIR_END : place;
    return true;
}

/* A block that is gone back to begins a loop, which reaches at least to where it is gone back from. */
static void extend_loop(struct nir_program *out, uint32_t target, uint32_t from)
{
    if (target != NIR_END && target <= from && out->blocks[target].loop_end < from) {
        out->blocks[target].loop_end = from;
    }
}

static int compare_numbers(const void *a, const void *b)
{
    const struct numbered *const x = a, *const y = b;
    return x->number != y->number ? (x->number > y->number) - (x->number < y->number)
                                  : (x->value > y->value) - (x->value < y->value);
}

/* Replaces the number of a value by its index; NIR_NO_VALUE: nothing defines it. */
static void name_value(const struct parser *p, uint32_t *value)
{
    uint32_t low = 0, high = p->out->n_values;
    while (low < high) {
        uint32_t const middle = low + (high - low) / 2;
        if (p->numbers[middle].number < *value) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool const is_there = low < p->out->n_values && p->numbers[low].number == *value;
    *value = is_there ? p->numbers[low].value : NIR_NO_VALUE;
}

/* Replaces the numbers that operands are by values. */
static bool name_values(struct parser *p)
{
    struct nir_program *const out = p->out;
    uint32_t const n = out->n_values;
    if (n) {
        qsort(p->numbers, n, sizeof *p->numbers, compare_numbers);
    }
    for (uint32_t i = 1; i < n; i++) {
        if (p->numbers[i].number == p->numbers[i - 1].number) {
            p->line = out->values[p->numbers[i].value].line;
            return broken(p, "a value is defined twice");
        }
    }
    for (uint32_t i = 0; i < out->n_sources; i++) {
        name_value(p, &out->sources[i].value);
    }
    for (uint32_t i = 0; i < out->n_phi_sources; i++) {
        name_value(p, &out->phi_sources[i].value);
    }
    for (uint32_t i = 0; i < out->n_blocks; i++) {
        name_value(p, &out->blocks[i].condition.value);
    }
    return true;
}

static bool finish(struct parser *p)
{
    struct nir_program *const out = p->out;
    enum {
        OLD_PRESERVE_BITS =
            9 /* which zeros, infinities and NaN keep, three bits each; then come those of today */
    };
    if (out->n_blocks == 0) {
        return broken(p, "the program has no block");
    }
    if (out->header.is_old) {
        out->header.float_controls >>= OLD_PRESERVE_BITS;
    }
    if (!fall(p) || !name_values(p)) {
        return false;
    }
    uint32_t const *const position = index_blocks(p);
    out->constants = ARENA_NEW(p->a, uint64_t, out->n_components + 1);
    if (!position || !out->constants) {
        return position ? no_memory(p) : false;
    }
    for (uint32_t i = 0; i < out->n_blocks; i++) {
        if (!resolve(p, position, &out->blocks[i].target) ||
            !resolve(p, position, &out->blocks[i].otherwise)) {
            return false;
        }
        extend_loop(out, out->blocks[i].target, i);
        extend_loop(out, out->blocks[i].otherwise, i);
    }
    for (uint32_t i = 0; i < out->n_values; i++) {
        struct nir_value const v = out->values[i];
        for (uint32_t c = 0; v.is_constant && c < v.n_components; c++) {
            out->constants[v.offset + c] = p->constants[i][c];
        }
    }
    return nir_check(out, position, p->answer);
}

bool nir_parse(const char *text, size_t n, struct arena *a, struct nir_program *out,
               struct nir_answer *answer)
{
    struct parser p = {.a = a, .out = out, .answer = answer, .is_ended = true};
    const char *const end = text + n;
    bool is_in_body = false, is_last = false;
    *out = (struct nir_program){.n_values = 0};
    if (n > NIR_MAX_TEXT_BYTES) {
        return broken(&p, "the text is too long");
    }
    /* an instruction without operands has an index of a first one, so that the list must be there */
    out->sources = ARENA_NEW(a, struct nir_source, 1);
    out->phi_sources = ARENA_NEW(a, struct nir_phi_source, 1);
    if (!out->sources || !out->phi_sources) {
        return no_memory(&p);
    }
    while (text < end && !is_last) {
        const char *const newline = memchr(text, '\n', (size_t)(end - text));
        p.s = (struct nir_scan){text, newline ? newline : end};
        p.line++;
        text = newline ? newline + 1 : end;
        if (!is_in_body) {
            is_in_body = nir_scan_take(&p.s, "impl ");
            if (!is_in_body && !take_header(&p)) {
                return false;
            }
        } else if (!take_line(&p, &is_last)) {
            return false;
        }
    }
    if (!is_last) {
        return broken(&p, "the text ends before the program does");
    }
    return finish(&p);
}
