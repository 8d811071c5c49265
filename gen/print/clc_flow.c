/* gen/print/clc_flow.c -- functions: their heads, and blocks as if and for. Blocks have the structure that their
 * merge instructions tell; what is no selection, switch or loop has no words. */
#include "gen/print/clc_flow.h"

#include <string.h>

#include "base/spv.h"
#include "gen/print/clc_inst.h"
#include "gen/print/clc_module.h"

static void put_region(struct clc_printer *p, uint32_t label, uint32_t stop);
static uint32_t put_block(struct clc_printer *p, const struct clc_block *b, uint32_t stop);

static bool next_of_block(const struct clc_printer *p, const struct clc_block *b, uint32_t *offset,
                          struct spv_inst *in)
{
    return *offset <= b->last && spv_next(p->m.w, p->m.n_words, offset, in);
}

/* ---- phis: variables of the function, given their values on each edge ---- */

/* One value that goes to a phi along an edge. */
struct copy {
    const char *to, *from;
    uint32_t type;
};
enum {
    MAX_COPIES = 64
};

static uint32_t list_copies(struct clc_printer *p, uint32_t from, const struct clc_block *to,
                            struct copy *out)
{
    uint32_t offset = to->first;
    uint32_t n = 0;
    struct spv_inst in;
    while (next_of_block(p, to, &offset, &in)) {
        for (uint32_t k = 3; in.op == SpvOpPhi && k + 1 < in.n; k += 2) {
            if (in.w[k + 1] != from) {
                continue;
            }
            if (n == MAX_COPIES) {
                (void)clc_fail(p, "so many phis in one block");
                return 0;
            }
            out[n++] =
                (struct copy){arena_printf(p->a, "v%u", in.w[2]), clc_value(p, in.w[k]), in.w[1]};
        }
    }
    return n;
}

/* Puts the assignments for the phis of block `label` on coming from `from`; into a loop's head through
 * temporaries n..., since one phi's new value may be another's old one:
 *     { uint nv7 = v9; uint nv9 = v7; v7 = nv7; v9 = nv9; }
 */
static void put_edge(struct clc_printer *p, uint32_t from, uint32_t label)
{
    struct copy copies[MAX_COPIES];
    const struct clc_block *const to = clc_find_block(&p->m, label);
    if (!to) {
        (void)clc_fail(p, "a branch to no block");
        return;
    }
    uint32_t const n = list_copies(p, from, to, copies);
    bool const is_parallel = to->is_loop && n > 1;
    if (is_parallel) {
        clc_put_line(p, "{");
        p->depth++;
    }
    for (uint32_t i = 0; i < n && is_parallel; i++) {
        clc_put_line(p,
                     arena_printf(p->a, "%s n%s = %s;", clc_type(p, copies[i].type, CLC_UNSIGNED),
                                  copies[i].to, copies[i].from));
    }
    for (uint32_t i = 0; i < n; i++) {
        clc_put_line(p, is_parallel ? arena_printf(p->a, "%s = n%s;", copies[i].to, copies[i].to)
                                    : arena_printf(p->a, "%s = %s;", copies[i].to, copies[i].from));
    }
    if (is_parallel) {
        p->depth--;
        clc_put_line(p, "}");
    }
}

static void put_phi(struct clc_printer *p, const struct spv_inst *in)
{
    struct clc_id *const id = clc_get(&p->m, in->w[2]);
    id->text = arena_printf(p->a, "v%u", in->w[2]);
    id->is_simple = true;
    clc_put_variable(p,
                     arena_printf(p->a, "%s %s;", clc_type(p, in->w[1], CLC_UNSIGNED), id->text));
}

/* The phis of all blocks of a function have their names before any edge to them is printed. */
static void put_phis(struct clc_printer *p, uint32_t first_block, uint32_t end_block)
{
    for (uint32_t b = first_block; b < end_block; b++) {
        uint32_t offset = p->m.blocks[b].first;
        struct spv_inst in;
        while (next_of_block(p, &p->m.blocks[b], &offset, &in)) {
            if (in.op == SpvOpPhi && in.n > 2) {
                put_phi(p, &in);
            }
        }
    }
}

/* ---- blocks ---- */

static void put_selection(struct clc_printer *p, const struct clc_block *b,
                          const struct spv_inst *in)
{
    uint32_t const yes = in->w[2];
    uint32_t const no = in->w[3];
    clc_put_line(p, arena_printf(p->a, "if (%s) {", clc_value(p, in->w[1])));
    p->depth++;
    put_edge(p, b->label, yes);
    put_region(p, yes, b->merge);
    p->depth--;
    size_t const at_else = p->lines.n;
    clc_put_line(p, "} else {");
    size_t const behind_else = p->lines.n;
    p->depth++;
    put_edge(p, b->label, no);
    put_region(p, no, b->merge);
    p->depth--;
    if (p->lines.n == behind_else) {
        p->lines.n = at_else; /* nothing is done there */
    }
    clc_put_line(p, "}");
}

/* Goes to `break_to`, and if that is not yet `merge`, behind a loop around the switch, on from there by a variable of that
 * switch. */
static void put_way_out(struct clc_printer *p, uint32_t merge)
{
    if (p->break_to != merge) {
        clc_put_line(p, arena_printf(p->a, "w%u = true;", p->break_to));
    }
    clc_put_line(p, "break;");
}

/* Leaves the innermost loop or switch for what is behind it. */
static void put_break(struct clc_printer *p, uint32_t from, uint32_t merge)
{
    put_edge(p, from, merge);
    put_way_out(p, merge);
}

/* The end of a turn from within its body: what stands in the continue target is said here too. */
static void put_continue(struct clc_printer *p, uint32_t from)
{
    const struct clc_block *const next = clc_find_block(&p->m, p->loop_next);
    put_edge(p, from, p->loop_next);
    if (!next || p->is_printed[next - p->m.blocks]) {
        (void)clc_fail(p, "a turn that ends in its own end");
        return;
    }
    p->is_printed[next - p->m.blocks] = true;
    (void)put_block(p, next, 0);
    p->is_printed[next - p->m.blocks] = false;
    clc_put_line(p, "continue;");
}

/* ---- switch ---- */

enum {
    MAX_TARGETS = 32
};
/* The blocks that a switch leads to, without the one behind it, in the order in which they stand. */
struct targets {
    uint32_t n;
    const struct clc_block *block[MAX_TARGETS];
};

static void add_target(struct clc_printer *p, struct targets *t, uint32_t label, uint32_t merge)
{
    const struct clc_block *const b = clc_find_block(&p->m, label);
    uint32_t at = t->n;
    for (uint32_t i = 0; i < t->n; i++) {
        if (t->block[i] == b) {
            return;
        }
    }
    if (!b || label == merge) {
        return;
    }
    if (t->n == MAX_TARGETS) {
        (void)clc_fail(p, "a switch of so many arms");
        return;
    }
    while (at > 0 && t->block[at - 1] > b) {
        t->block[at] = t->block[at - 1];
        at--;
    }
    t->block[at] = b;
    t->n++;
}

/* "case 5u:" for each literal of the target, and "default:" if it is that. */
static void put_labels(struct clc_printer *p, const struct spv_inst *in, uint32_t label)
{
    uint32_t const n_bits = clc_count_bits(p, clc_type_of(p, in->w[1]));
    uint32_t const n_words = n_bits > 32 ? 2 : 1;
    for (uint32_t k = 3; k + n_words < in->n; k += n_words + 1) {
        if (in->w[k + n_words] != label) {
            continue;
        }
        if (n_bits > 32) {
            unsigned long long const literal = (unsigned long long)in->w[k + 1] << 32 | in->w[k];
            clc_put_line(p, arena_printf(p->a, "case 0x%llxul:", literal));
        } else {
            clc_put_line(p, arena_printf(p->a, n_bits < 32 ? "case %u:" : "case %uu:", in->w[k]));
        }
    }
    if (in->w[2] == label) {
        clc_put_line(p, "default:");
    }
}

/* Does one of the blocks up to the switch's end leave the loop around, or end its turn, which may leave it? */
static bool leaves_loop(const struct clc_printer *p, const struct clc_block *b)
{
    const struct clc_block *const end = clc_find_block(&p->m, b->merge);
    for (const struct clc_block *at = b + 1; end && p->loop_merge != 0 && at < end; at++) {
        uint32_t offset = at->last;
        struct spv_inst in;
        if (!spv_next(p->m.w, p->m.n_words, &offset, &in)) {
            return false;
        }
        for (uint32_t k = 1; k < in.n && in.op != SpvOpReturnValue; k++) {
            if (in.w[k] == p->loop_merge || in.w[k] == p->loop_next) {
                return true;
            }
        }
    }
    return false;
}

/* Puts a switch. A phi at the beginning of an arm has the value from the selector before all arms: none but its own arm
 * reads it, and the arm before it overwrites it where it falls into this one. */
static void put_switch(struct clc_printer *p, const struct clc_block *b, const struct spv_inst *in)
{
    uint32_t const outer_break = p->break_to;
    uint32_t const n_bits = clc_count_bits(p, clc_type_of(p, in->w[1]));
    uint32_t const n_words = n_bits > 32 ? 2 : 1;
    struct targets t = {.n = 0};
    if (p->dialect && n_bits != 32) {
        (void)clc_fail(p, "a switch on another integer than of 32 bits");
        return;
    }
    add_target(p, &t, in->w[2], b->merge);
    for (uint32_t k = 3; k + n_words < in->n; k += n_words + 1) {
        add_target(p, &t, in->w[k + n_words], b->merge);
    }
    for (uint32_t i = 0; i < t.n; i++) {
        put_edge(p, b->label, t.block[i]->label);
    }
    bool const leaves = leaves_loop(p, b);
    if (leaves) {
        clc_put_variable(p, arena_printf(p->a, "bool w%u;", b->merge));
        clc_put_line(p, arena_printf(p->a, "w%u = false;", b->merge));
    }
    p->break_to = b->merge;
    clc_put_line(p, arena_printf(p->a, "switch (%s) {", clc_value(p, in->w[1])));
    for (uint32_t i = 0; i < t.n && p->res == RES_OK; i++) {
        put_labels(p, in, t.block[i]->label);
        clc_put_line(p, "{");
        p->depth++;
        put_region(p, t.block[i]->label, i + 1 < t.n ? t.block[i + 1]->label : b->merge);
        if (i + 1 == t.n) {
            clc_put_line(p, "break;");
        }
        p->depth--;
        clc_put_line(p, "}");
    }
    if (in->w[2] == b->merge) {
        clc_put_line(p, "default:");
        p->depth++;
        put_break(p, b->label, b->merge);
        p->depth--;
    }
    clc_put_line(p, "}");
    p->break_to = outer_break;
    if (leaves) {
        clc_put_line(p, arena_printf(p->a, "if (w%u) {", b->merge));
        p->depth++;
        put_way_out(p, p->loop_merge);
        p->depth--;
        clc_put_line(p, "}");
    }
}

/* Is the test the first that the loop does, with nothing to be done on either way? GLSL then says it in the loop's head:
 * a break within an if is another structure, which promises less of who is together behind it. */
static bool is_first_in_loop(struct clc_printer *p, const struct clc_block *b, uint32_t on)
{
    struct copy copies[MAX_COPIES];
    const struct clc_block *const merge = clc_find_block(&p->m, p->loop_merge);
    const struct clc_block *const next = clc_find_block(&p->m, on);
    return p->dialect && p->lines.n == p->loop_body && merge && next &&
           list_copies(p, b->label, merge, copies) == 0 &&
           list_copies(p, b->label, next, copies) == 0;
}

/* The loop's test: one way leaves it. Returns the other. */
static uint32_t put_test(struct clc_printer *p, const struct clc_block *b,
                         const struct spv_inst *in)
{
    bool const leaves_if = in->w[2] == p->loop_merge;
    if (leaves_if == (in->w[3] == p->loop_merge)) {
        (void)clc_fail(p, "a branch that is neither a selection nor a loop's test");
        return p->loop_merge;
    }
    const char *const condition = clc_operand(p, in->w[1]);
    if (is_first_in_loop(p, b, leaves_if ? in->w[3] : in->w[2])) {
        p->lines.n = p->loop_line;
        p->depth--;
        clc_put_line(p, arena_printf(p->a, "for (; %s%s;) {", leaves_if ? "!" : "", condition));
        p->depth++;
        return leaves_if ? in->w[3] : in->w[2];
    }
    clc_put_line(p, arena_printf(p->a, "if (%s%s) {", leaves_if ? "" : "!", condition));
    p->depth++;
    put_break(p, b->label, p->loop_merge);
    p->depth--;
    clc_put_line(p, "}");
    uint32_t const on = leaves_if ? in->w[3] : in->w[2];
    put_edge(p, b->label, on);
    return on;
}

/* A branch: on, or out of the loop or switch around, or to the end of a turn. Returns where control goes on, or `stop`. */
static uint32_t put_way(struct clc_printer *p, const struct clc_block *b, uint32_t label,
                        uint32_t stop)
{
    bool const is_out = label != 0 && (label == p->break_to || label == p->loop_merge);
    if (label == stop || (!is_out && label != p->loop_next)) {
        put_edge(p, b->label, label);
        return label;
    }
    if (is_out) {
        put_break(p, b->label, label);
    } else {
        put_continue(p, b->label);
    }
    return stop;
}

/* The terminator of a block; where control goes on, or `stop`. */
static uint32_t put_terminator(struct clc_printer *p, const struct clc_block *b,
                               const struct spv_inst *in, uint32_t stop)
{
    switch (in->op) {
    case SpvOpBranch:
        return put_way(p, b, in->w[1], stop);
    case SpvOpSwitch:
        put_switch(p, b, in);
        return b->merge;
    case SpvOpBranchConditional:
        if (b->merge != 0 && !b->is_loop) {
            put_selection(p, b, in);
            return b->merge;
        }
        return put_test(p, b, in);
    case SpvOpReturn:
        clc_put_line(p, "return;");
        return stop;
    case SpvOpReturnValue:
        clc_put_line(p, arena_printf(p->a, "return %s;", clc_value(p, in->w[1])));
        return stop;
    case SpvOpUnreachable: /* nothing comes here */
        return stop;
    default:
        (void)clc_fail(p, "this end of a block");
        return stop;
    }
}

static uint32_t put_block(struct clc_printer *p, const struct clc_block *b, uint32_t stop)
{
    uint32_t offset = b->first;
    uint32_t next = stop;
    struct spv_inst in;
    while (next_of_block(p, b, &offset, &in) && p->res == RES_OK) {
        if (in.offset == b->last) {
            next = put_terminator(p, b, &in, stop);
        } else if (in.op != SpvOpLabel && in.op != SpvOpPhi && in.op != SpvOpSelectionMerge &&
                   in.op != SpvOpLoopMerge) {
            if (p->dialect) {
                p->dialect->put_inst(p, &in);
            } else {
                clc_put_inst(p, &in);
            }
        }
    }
    return next;
}

/* The head's values are in its phis; the body ends with the copies of the way back. */
static void put_loop(struct clc_printer *p, const struct clc_block *head)
{
    uint32_t const outer_merge = p->loop_merge, outer_next = p->loop_next;
    uint32_t const outer_break = p->break_to;
    p->loop_merge = head->merge;
    p->loop_next = head->next;
    p->break_to = head->merge;
    p->loop_line = p->lines.n;
    clc_put_line(p, "for (;;) {");
    p->loop_body = p->lines.n;
    p->depth++;
    put_region(p, put_block(p, head, head->next), head->next);
    put_region(p, head->next, head->label);
    p->depth--;
    clc_put_line(p, "}");
    p->loop_merge = outer_merge;
    p->loop_next = outer_next;
    p->break_to = outer_break;
}

/* From `label` on until control comes to `stop`, which is not printed. */
static void put_region(struct clc_printer *p, uint32_t label, uint32_t stop)
{
    while (label != stop && p->res == RES_OK) {
        const struct clc_block *const b = clc_find_block(&p->m, label);
        if (!b || p->is_printed[b - p->m.blocks]) {
            (void)clc_fail(p, "control flow that is no nest of if and for");
            return;
        }
        p->is_printed[b - p->m.blocks] = true;
        if (b->is_loop) {
            put_loop(p, b);
            label = b->merge;
        } else {
            label = put_block(p, b, stop);
        }
    }
}

/* ---- functions ---- */

struct function {
    uint32_t id, type;
    uint32_t begin, end;    /* offsets of OpFunction and behind OpFunctionEnd */
    const char *entry_name; /* of an entry point; else NULL */
};

/* The name of the entry point that the function is, which is the string behind its id; NULL: it is none. */
static const char *find_entry_name(const struct clc_printer *p, uint32_t function)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (spv_next(p->m.w, p->m.n_words, &offset, &in) && in.op != SpvOpFunction) {
        if (in.op == SpvOpEntryPoint && in.n > 3 && in.w[2] == function) {
            size_t const n = (in.n - 3) * sizeof *in.w;
            char *const name = memchr(in.w + 3, '\0', n) ? arena_copy(p->a, in.w + 3, n) : NULL;
            return name ? name : "";
        }
    }
    return NULL;
}

static const char *print_parameters(struct clc_printer *p, const struct function *f)
{
    uint32_t offset = f->begin;
    uint32_t n = 0;
    const char *text = "";
    struct spv_inst in;
    while (offset < f->end && spv_next(p->m.w, p->m.n_words, &offset, &in)) {
        if (in.op != SpvOpFunctionParameter) {
            continue;
        }
        struct clc_id *const id = clc_get(&p->m, in.w[2]);
        const char *const type = clc_type(p, in.w[1], CLC_UNSIGNED);
        bool const is_pointer = clc_get(&p->m, in.w[1])->in.op == SpvOpTypePointer;
        id->text = arena_printf(p->a, "%s%u", f->entry_name ? "b" : "p", n++);
        id->is_simple = true;
        text = arena_printf(p->a, "%s%s%s%s%s", text, n > 1 ? ", " : "", type,
                            is_pointer ? "" : " ", id->text);
    }
    return text;
}

/* The variables of the work-group, which only the kernel may declare. */
static void put_local_variables(struct clc_printer *p)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (spv_next(p->m.w, p->m.n_words, &offset, &in) && in.op != SpvOpFunction) {
        if (in.op != SpvOpVariable || in.n < 4 || in.w[3] != SpvStorageClassWorkgroup) {
            continue;
        }
        struct clc_id *const id = clc_get(&p->m, in.w[2]);
        const struct spv_inst *const pointer = &clc_get(&p->m, in.w[1])->in;
        uint32_t const pointee = pointer->n == 4 ? pointer->w[3] : 0;
        const struct spv_inst *const array = &clc_get(&p->m, pointee)->in;
        if (array->op != SpvOpTypeArray || array->n != 4) {
            (void)clc_fail(p, "a work-group variable that is no array");
            return;
        }
        id->element = arena_printf(p->a, "l%u", in.w[2]);
        id->text = arena_printf(p->a, "&%s", id->element);
        clc_put_variable(p, arena_printf(p->a, "__local %s %s[%u];",
                                         clc_type(p, array->w[2], CLC_UNSIGNED), id->element,
                                         (unsigned)clc_get_number(&p->m, array->w[3])));
    }
}

static void put_text(struct bytes *to, const char *text)
{
    bytes_put(to, text, strlen(text));
}

static const char *print_head(struct clc_printer *p, const struct function *f)
{
    const char *const parameters = print_parameters(p, f);
    if (!f->entry_name) {
        return arena_printf(p->a, "%s f%u(%s)", clc_type(p, f->type, CLC_UNSIGNED), f->id,
                            parameters);
    }
    const char *const size =
        p->m.subgroup_size && f->id == p->m.entry
            ? arena_printf(p->a, "__attribute__((intel_reqd_sub_group_size(%u))) ",
                           p->m.subgroup_size)
            : "";
    const uint32_t *const local = p->m.local_size;
    const char *const group =
        local[0] && f->id == p->m.entry
            ? arena_printf(p->a, "__attribute__((reqd_work_group_size(%u, %u, %u))) ", local[0],
                           local[1], local[2])
            : "";
    return arena_printf(p->a, "__kernel %s%svoid %s(%s)", size, group, f->entry_name, parameters);
}

/* Index of the first block at or behind an offset. */
static uint32_t find_block_at(const struct clc_printer *p, uint32_t offset)
{
    uint32_t b = 0;
    while (b < p->m.n_blocks && p->m.blocks[b].first < offset) {
        b++;
    }
    return b;
}

static void put_function(struct clc_printer *p, const struct function *f, const char *head)
{
    uint32_t const first = find_block_at(p, f->begin);
    uint32_t const end = find_block_at(p, f->end);
    bytes_init(&p->variables, p->a);
    bytes_init(&p->lines, p->a);
    p->depth = 1;
    p->loop_merge = p->loop_next = p->break_to = 0;
    memset(p->is_printed + first, 0, (end - first) * sizeof *p->is_printed);
    if (first == end) {
        (void)clc_fail(p, "a function without a body");
        return;
    }
    if (f->entry_name && !p->dialect) {
        put_local_variables(p);
    }
    put_phis(p, first, end);
    put_region(p, p->m.blocks[first].label, 0);
    put_text(&p->functions, arena_printf(p->a, "%s\n{\n", head));
    bytes_put(&p->functions, p->variables.p, p->variables.n);
    bytes_put(&p->functions, p->lines.p, p->lines.n);
    put_text(&p->functions, "}\n\n");
}

void clc_put_functions(struct clc_printer *p)
{
    for (int is_entry = 0; is_entry < 2 && p->res == RES_OK; is_entry++) {
        uint32_t offset = SPV_HEADER_WORDS;
        struct function f = {0};
        struct spv_inst in;
        while (spv_next(p->m.w, p->m.n_words, &offset, &in) && p->res == RES_OK) {
            if (in.op == SpvOpFunction) {
                f = (struct function){.id = in.w[2], .type = in.w[1], .begin = in.offset};
                f.entry_name = find_entry_name(p, f.id);
            } else if (in.op == SpvOpFunctionEnd && (f.entry_name != NULL) == (is_entry == 1)) {
                f.end = offset;
                const char *const head =
                    p->dialect ? p->dialect->head(p, f.begin) : print_head(p, &f);
                if (head) {
                    put_function(p, &f, head);
                }
            }
        }
    }
}

void clc_put_copy(struct clc_printer *p, uint32_t id, const char *head)
{
    struct bytes const lines = p->lines, variables = p->variables;
    uint32_t const depth = p->depth, loop_merge = p->loop_merge;
    uint32_t const loop_next = p->loop_next, break_to = p->break_to;
    const struct spv_inst *const function = &clc_get(&p->m, id)->in;
    struct function f = {.id = id, .begin = function->offset};
    uint32_t offset = f.begin;
    struct spv_inst in = {.op = SpvOpNop};
    if (function->op != SpvOpFunction || p->n_copies == CLC_MAX_COPIES) {
        (void)clc_fail(p, "this call");
        return;
    }
    while (in.op != SpvOpFunctionEnd && spv_next(p->m.w, p->m.n_words, &offset, &in)) {
        f.end = offset;
    }
    p->n_copies++;
    put_function(p, &f, head);
    p->n_copies--;
    p->lines = lines;
    p->variables = variables;
    p->depth = depth;
    p->loop_merge = loop_merge;
    p->loop_next = loop_next;
    p->break_to = break_to;
}
