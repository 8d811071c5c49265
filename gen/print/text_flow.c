/* gen/print/text_flow.c -- functions: their heads, and blocks as if and for. Blocks have the structure that their
 * merge instructions tell; what is no selection, switch or loop has no words. */
#include "gen/print/text_flow.h"

#include <string.h>

#include "base/spv.h"
#include "gen/view/view.h"

static void put_region(struct printer *p, uint32_t label, uint32_t stop);
static uint32_t put_block(struct printer *p, const struct view_block *b, uint32_t stop);

/* ---- phis: variables of the function, given their values on each edge ---- */

/* One value that goes to a phi along an edge. */
struct copy {
    const char *to, *from;
    uint32_t type;
};
enum {
    MAX_COPIES = 64
};

static uint32_t list_copies(struct printer *p, uint32_t from, const struct view_block *to,
                            struct copy *out)
{
    uint32_t n = 0;
    struct spv_inst in = {.n = 0};
    while (view_next_of_block(p->m, to, &in)) {
        for (uint32_t k = 3; in.op == SpvOpPhi && k + 1 < in.n; k += 2) {
            if (in.w[k + 1] != from) {
                continue;
            }
            if (n == MAX_COPIES) {
                (void)text_fail(p, "so many phis in one block");
                return 0;
            }
            out[n++] = (struct copy){textf(p, "v%u", in.w[2]), text_value(p, in.w[k]), in.w[1]};
        }
    }
    return n;
}

/* Puts the assignments that the phis of block `label` mean on the way there from block `from`: each phi is
 * a variable. Where one phi's new value may be the old value of another phi, in a loop's header, the
 * assignments go through temporaries:
 *     { uint nv7 = v9; uint nv9 = v7; v7 = nv7; v9 = nv9; } */
static void put_edge(struct printer *p, uint32_t from, uint32_t label)
{
    struct copy copies[MAX_COPIES];
    const struct view_block *const to = view_find_block(p->m, label);
    if (!to) {
        (void)text_fail(p, "a branch to no block");
        return;
    }
    uint32_t const n = list_copies(p, from, to, copies);
    /* elsewhere no phi reads another phi of its block */
    bool const is_parallel = to->is_loop && n > 1;
    if (is_parallel) {
        text_put_line(p, "{");
        p->depth++;
    }
    for (uint32_t i = 0; i < n && is_parallel; i++) {
        text_put_line(p, "%s n%s = %s;", text_name(p, copies[i].type), copies[i].to,
                      copies[i].from);
    }
    for (uint32_t i = 0; i < n; i++) {
        text_put_line(p, is_parallel ? "%s = n%s;" : "%s = %s;", copies[i].to,
                      is_parallel ? copies[i].to : copies[i].from);
    }
    if (is_parallel) {
        p->depth--;
        text_put_line(p, "}");
    }
}

static void put_phi(struct printer *p, const struct spv_inst *in)
{
    struct view_id *const id = view_get(p->m, in->w[2]);
    id->text = textf(p, "v%u", in->w[2]);
    id->is_simple = true;
    text_put_variable(p, "%s %s;", text_name(p, in->w[1]), id->text);
}

/* The phis of all blocks of a function have their names before any edge to them is printed. */
static void put_phis(struct printer *p, uint32_t first_block, uint32_t end_block)
{
    for (uint32_t b = first_block; b < end_block; b++) {
        struct spv_inst in = {.n = 0};
        while (view_next_of_block(p->m, &p->m->blocks[b], &in)) {
            if (in.op == SpvOpPhi && in.n > 2) {
                put_phi(p, &in);
            }
        }
    }
}

/* ---- blocks ---- */

static void put_selection(struct printer *p, const struct view_block *b, const struct spv_inst *in)
{
    uint32_t const yes = in->w[2];
    uint32_t const no = in->w[3];
    text_put_line(p, "if (%s) {", text_value(p, in->w[1]));
    p->depth++;
    put_edge(p, b->label, yes);
    put_region(p, yes, b->merge);
    p->depth--;
    size_t const at_else = p->lines.n;
    text_put_line(p, "} else {");
    size_t const behind_else = p->lines.n;
    p->depth++;
    put_edge(p, b->label, no);
    put_region(p, no, b->merge);
    p->depth--;
    if (p->lines.n == behind_else) {
        p->lines.n = at_else; /* nothing is done there */
    }
    text_put_line(p, "}");
}

/* Goes to `break_to`, and if that is not yet `merge`, after a loop around the switch, on from there by a variable of that
 * switch. */
static void put_way_out(struct printer *p, uint32_t merge)
{
    if (p->break_to != merge) {
        text_put_line(p, "w%u = true;", p->break_to);
    }
    text_put_line(p, "break;");
}

/* Leaves the innermost loop or switch for what follows it. */
static void put_break(struct printer *p, uint32_t from, uint32_t merge)
{
    put_edge(p, from, merge);
    put_way_out(p, merge);
}

/* The end of an iteration from within its body: what stands in the continue target is said here too. */
static void put_continue(struct printer *p, uint32_t from)
{
    const struct view_block *const next = view_find_block(p->m, p->loop_next);
    put_edge(p, from, p->loop_next);
    if (!next || p->is_printed[next - p->m->blocks]) {
        (void)text_fail(p, "an iteration that ends in its own end");
        return;
    }
    p->is_printed[next - p->m->blocks] = true;
    (void)put_block(p, next, 0);
    p->is_printed[next - p->m->blocks] = false;
    text_put_line(p, "continue;");
}

/* ---- switch ---- */

enum {
    MAX_TARGETS = 32
};
/* The blocks that a switch leads to, without the one after it, in the order in which they stand. */
struct targets {
    uint32_t n;
    const struct view_block *block[MAX_TARGETS];
};

static void add_target(struct printer *p, struct targets *t, uint32_t label, uint32_t merge)
{
    const struct view_block *const b = view_find_block(p->m, label);
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
        (void)text_fail(p, "a switch of so many arms");
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
static void put_labels(struct printer *p, const struct spv_inst *in, uint32_t label)
{
    uint32_t const n_bits = view_count_bits(p->m, view_type_of(p->m, in->w[1]));
    uint32_t const n_words = n_bits > 32 ? 2 : 1;
    for (uint32_t k = 3; k + n_words < in->n; k += n_words + 1) {
        if (in->w[k + n_words] != label) {
            continue;
        }
        if (n_bits > 32) {
            unsigned long long const literal = (unsigned long long)in->w[k + 1] << 32 | in->w[k];
            text_put_line(p, "case 0x%llxul:", literal);
        } else {
            text_put_line(p, n_bits < 32 ? "case %u:" : "case %uu:", in->w[k]);
        }
    }
    if (in->w[2] == label) {
        text_put_line(p, "default:");
    }
}

/* Does one of the blocks up to the switch's end leave the loop around, or end its iteration, which may leave it? */
static bool leaves_loop(const struct printer *p, const struct view_block *b)
{
    const struct view_block *const end = view_find_block(p->m, b->merge);
    for (const struct view_block *at = b + 1; end && p->loop_merge != 0 && at < end; at++) {
        uint32_t offset = at->last;
        struct spv_inst in;
        if (!spv_next(p->m->w, p->m->n_words, &offset, &in)) {
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

/* Puts a switch of block b. Phis at the beginning of arms are assigned before the switch, with the values
 * that come from the selector: only its own arm reads such a phi, and an arm that falls into the next one
 * assigns it again. A variable w<merge> says whether an arm leaves the loop around the switch, since a
 * break in an arm leaves the switch alone. */
static void put_switch(struct printer *p, const struct view_block *b, const struct spv_inst *in)
{
    uint32_t const outer_break = p->break_to;
    uint32_t const n_bits = view_count_bits(p->m, view_type_of(p->m, in->w[1]));
    uint32_t const n_words = n_bits > 32 ? 2 : 1;
    uint32_t const default_label = in->w[2];
    struct targets t = {.n = 0}; /* the arms, in their order in the module */
    if (!p->dialect->switches_on_any && n_bits != 32) {
        (void)text_fail(p, "a switch on another integer than of 32 bits");
        return;
    }
    add_target(p, &t, default_label, b->merge);
    for (uint32_t k = 3; k + n_words < in->n; k += n_words + 1) {
        add_target(p, &t, in->w[k + n_words], b->merge);
    }
    for (uint32_t i = 0; i < t.n; i++) { /* the phis of the arms */
        put_edge(p, b->label, t.block[i]->label);
    }
    bool const leaves = leaves_loop(p, b);
    if (leaves) {
        text_put_variable(p, "bool w%u;", b->merge);
        text_put_line(p, "w%u = false;", b->merge);
    }
    p->break_to = b->merge;
    text_put_line(p, "switch (%s) {", text_value(p, in->w[1]));
    for (uint32_t i = 0; i < t.n && p->res == RES_OK; i++) {
        put_labels(p, in, t.block[i]->label);
        text_put_line(p, "{");
        p->depth++;
        put_region(p, t.block[i]->label, i + 1 < t.n ? t.block[i + 1]->label : b->merge);
        if (i + 1 == t.n) { /* arms before it end by a break of their own, or fall into the next */
            text_put_line(p, "break;");
        }
        p->depth--;
        text_put_line(p, "}");
    }
    if (default_label == b->merge) { /* no arm is the default */
        text_put_line(p, "default:");
        p->depth++;
        put_break(p, b->label, b->merge);
        p->depth--;
    }
    text_put_line(p, "}");
    p->break_to = outer_break;
    if (leaves) { /* an arm has set the variable: leave the loop too */
        text_put_line(p, "if (w%u) {", b->merge);
        p->depth++;
        put_way_out(p, p->loop_merge);
        p->depth--;
        text_put_line(p, "}");
    }
}

/* Is the test the first that the loop does, with nothing to be done on either way? GLSL then says it in the loop's head:
 * a break within an if is another structure, which promises less of who is together after it. */
static bool is_first_in_loop(struct printer *p, const struct view_block *b, uint32_t on)
{
    struct copy copies[MAX_COPIES];
    const struct view_block *const merge = view_find_block(p->m, p->loop_merge);
    const struct view_block *const next = view_find_block(p->m, on);
    return p->dialect->tests_in_head && p->lines.n == p->loop_body && merge && next &&
           list_copies(p, b->label, merge, copies) == 0 &&
           list_copies(p, b->label, next, copies) == 0;
}

/* The loop's test: one way leaves it. Returns the other. */
static uint32_t put_test(struct printer *p, const struct view_block *b, const struct spv_inst *in)
{
    bool const leaves_if = in->w[2] == p->loop_merge;
    if (leaves_if == (in->w[3] == p->loop_merge)) {
        (void)text_fail(p, "a branch that is neither a selection nor a loop's test");
        return p->loop_merge;
    }
    const char *const condition = text_operand(p, in->w[1]);
    if (is_first_in_loop(p, b, leaves_if ? in->w[3] : in->w[2])) {
        p->lines.n = p->loop_line;
        p->depth--;
        text_put_line(p, "for (; %s%s;) {", leaves_if ? "!" : "", condition);
        p->depth++;
        return leaves_if ? in->w[3] : in->w[2];
    }
    text_put_line(p, "if (%s%s) {", leaves_if ? "" : "!", condition);
    p->depth++;
    put_break(p, b->label, p->loop_merge);
    p->depth--;
    text_put_line(p, "}");
    uint32_t const on = leaves_if ? in->w[3] : in->w[2];
    put_edge(p, b->label, on);
    return on;
}

/* A branch: on, or out of the loop or switch around, or to the end of an iteration. Returns where control goes on, or `stop`. */
static uint32_t put_way(struct printer *p, const struct view_block *b, uint32_t label,
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

/* Puts the terminator `in` of block b, and what it leads to where that is a construct of its own. Returns
 * the label of the block that is printed next, or `stop` where the region ends. */
static uint32_t put_terminator(struct printer *p, const struct view_block *b,
                               const struct spv_inst *in, uint32_t stop)
{
    switch (in->op) {
    case SpvOpBranch:
        return put_way(p, b, in->w[1], stop);
    case SpvOpSwitch:
        put_switch(p, b, in);
        return b->merge;
    case SpvOpBranchConditional:
        /* a header of a selection; else it is the test of a loop */
        if (b->merge != 0 && !b->is_loop) {
            put_selection(p, b, in);
            return b->merge;
        }
        return put_test(p, b, in);
    case SpvOpReturn:
        text_put_line(p, "return;");
        return stop;
    case SpvOpReturnValue:
        text_put_line(p, "return %s;", text_value(p, in->w[1]));
        return stop;
    case SpvOpUnreachable: /* nothing comes here */
        return stop;
    default:
        (void)text_fail(p, "this end of a block");
        return stop;
    }
}

static uint32_t put_block(struct printer *p, const struct view_block *b, uint32_t stop)
{
    uint32_t next = stop;
    struct spv_inst in = {.n = 0};
    while (view_next_of_block(p->m, b, &in) && p->res == RES_OK) {
        if (in.offset == b->last) {
            next = put_terminator(p, b, &in, stop);
        } else if (in.op != SpvOpLabel && in.op != SpvOpPhi && in.op != SpvOpSelectionMerge &&
                   in.op != SpvOpLoopMerge) {
            p->dialect->put_inst(p, &in);
        }
    }
    return next;
}

/* The head's values are in its phis; the body ends with the copies of the way back. */
static void put_loop(struct printer *p, const struct view_block *head)
{
    uint32_t const outer_merge = p->loop_merge, outer_next = p->loop_next;
    uint32_t const outer_break = p->break_to;
    p->loop_merge = head->merge;
    p->loop_next = head->next;
    p->break_to = head->merge;
    p->loop_line = p->lines.n;
    text_put_line(p, "for (;;) {");
    p->loop_body = p->lines.n;
    p->depth++;
    put_region(p, put_block(p, head, head->next), head->next);
    put_region(p, head->next, head->label);
    p->depth--;
    text_put_line(p, "}");
    p->loop_merge = outer_merge;
    p->loop_next = outer_next;
    p->break_to = outer_break;
}

/* From `label` on until control comes to `stop`, which is not printed. */
static void put_region(struct printer *p, uint32_t label, uint32_t stop)
{
    while (label != stop && p->res == RES_OK) {
        const struct view_block *const b = view_find_block(p->m, label);
        if (!b || p->is_printed[b - p->m->blocks]) {
            (void)text_fail(p, "control flow that is no nest of if and for");
            return;
        }
        p->is_printed[b - p->m->blocks] = true;
        if (b->is_loop) {
            put_loop(p, b);
            label = b->merge;
        } else {
            label = put_block(p, b, stop);
        }
    }
}

/* ---- functions ---- */

/* Index of the first block at or after an offset. */
static uint32_t find_block_at(const struct printer *p, uint32_t offset)
{
    uint32_t b = 0;
    while (b < p->m->n_blocks && p->m->blocks[b].first < offset) {
        b++;
    }
    return b;
}

static void put_text(struct bytes *to, const char *text)
{
    bytes_put(to, text, strlen(text));
}

static void begin_function(struct printer *p)
{
    bytes_init(&p->variables, p->a);
    bytes_init(&p->lines, p->a);
    p->depth = 1;
    p->loop_merge = p->loop_next = p->break_to = 0;
}

/* The function under that head. */
static void put_function(struct printer *p, const struct spv_inst *function, const char *head)
{
    struct spv_inst in = *function;
    while (in.op != SpvOpFunctionEnd) {
        if (!view_next(p->m, &in)) {
            (void)text_fail(p, "a function without an end");
            return;
        }
    }
    uint32_t const first = find_block_at(p, function->offset);
    uint32_t const end = find_block_at(p, in.offset);
    memset(p->is_printed + first, 0, (end - first) * sizeof *p->is_printed);
    if (first == end) {
        (void)text_fail(p, "a function without a body");
        return;
    }
    put_phis(p, first, end);
    put_region(p, p->m->blocks[first].label, 0);
    put_text(&p->functions, textf(p, "%s\n{\n", head));
    bytes_put(&p->functions, p->variables.p, p->variables.n);
    bytes_put(&p->functions, p->lines.p, p->lines.n);
    put_text(&p->functions, "}\n\n");
}

void text_put_functions(struct printer *p)
{
    static const bool entries_last[] = {false, true};
    for (size_t pass = 0; pass < ARRAY_N(entries_last); pass++) {
        struct spv_inst in = {.n = 0};
        while (p->res == RES_OK && view_next(p->m, &in)) {
            if (in.op == SpvOpFunction &&
                (view_find_entry(p->m, in.w[2]).n > 0) == entries_last[pass]) {
                begin_function(p);
                const char *const head = p->dialect->head(p, &in);
                if (head) {
                    put_function(p, &in, head);
                }
            }
        }
    }
}

void text_put_copy(struct printer *p, uint32_t id, const char *head)
{
    struct printer const outer = *p;
    const struct spv_inst *const function = &view_get(p->m, id)->in;
    if (function->op != SpvOpFunction || p->n_copies == TEXT_MAX_COPIES) {
        (void)text_fail(p, "this call");
        return;
    }
    begin_function(p);
    p->n_copies++;
    put_function(p, function, head);
    p->n_copies--;
    p->lines = outer.lines;
    p->variables = outer.variables;
    p->depth = outer.depth;
    p->loop_merge = outer.loop_merge;
    p->loop_next = outer.loop_next;
    p->break_to = outer.break_to;
}
