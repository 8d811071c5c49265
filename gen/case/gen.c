/* gen/case/gen.c -- from a tape to a case. */
#include "gen/case/gen.h"

#include <string.h>

#include "gen/emit/emit_module.h"
#include "gen/inputs/inputs.h"
#include "gen/ir/ir.h"
#include "gen/piece/piece.h"
#include "gen/plan/body.h"
#include "gen/plan/build.h"
#include "gen/plan/cells.h"
#include "gen/plan/math.h"
#include "gen/plan/plan.h"
#include "gen/plan/refusal.h"
#include "gen/spelling/other_kernel.h"
#include "gen/spelling/spelling.h"
#include "gen/tape/tape_needs.h"

/* What outputs hold before the run: no result of ours looks like it often; and what words that are exchanged hold, which
 * are no output: one that is loaded too early does not look like an output that was never stored. */
enum {
    OUTPUT_FILL = 0xa5,
    EXCHANGED_FILL = 0x39
};

static const struct cells *cells_of_var(const struct build *b, uint32_t var)
{
    for (uint32_t i = 0; i < b->n_cells; i++) {
        if (b->cells[i].var == var) {
            return &b->cells[i];
        }
    }
    return NULL;
}

/* The n numbers of 16 bits each get 32, from the last on. */
static void spread_shorts(unsigned char *p, uint32_t n)
{
    for (size_t i = n; i-- > 0;) {
        store_le(p + 4 * i, load_le(p + 2 * i, 2), 4);
    }
}

/* The inputs of that width. Each row of a set has other numbers, but for literals. */
static void fill_rows(const struct build *b, unsigned width, unsigned char *data)
{
    size_t const row_bytes = (size_t)b->dispatch.n_items * (2u << width);
    for (uint32_t i = 0; i < b->io.n_rows; i++) {
        const struct input_rows *const r = &b->io.rows[i];
        for (uint32_t k = 0; k < r->n_rows && r->width == width; k++) {
            struct input what = r->what;
            what.seed += what.class == INPUT_LITERAL ? 0 : k * UINT64_C(0xd1342543de82ef95);
            unsigned char *const row = data + (r->first + k) * row_bytes;
            inputs_fill(&what, row, b->dispatch.n_items);
            if (build_width(what.type) < width) {
                spread_shorts(row, b->dispatch.n_items);
            }
        }
    }
}

/* The rows of a variable that nobody writes, after what stands before its first one. */
static void fill_constants(const struct build *b, uint32_t var, struct buf *out)
{
    const struct ir_var *const v = &b->p.vars[var];
    size_t const n_bytes = ir_type_bits(v->type) / 8;
    uint32_t const before = v->kind == VAR_PUSH ? v->first : 0;
    memset(out->data, OUTPUT_FILL, out->n_bytes);
    for (uint32_t i = 0; i < b->constants.n_rows; i++) {
        const struct constant_row *const r = &b->constants.rows[i];
        if (r->var == var) {
            inputs_fill(&r->what, out->data + before + r->first * n_bytes, r->n);
        }
    }
}

/* Zeros for n_bytes, at least 4 and a multiple of that. false: too many, or the arena is full. */
static bool take_buffer(const struct build *b, struct buf *out, uint64_t n_bytes)
{
    uint64_t const padded = (n_bytes + 3) / 4 * 4;
    if (padded > CASE_MAX_BUF_BYTES) {
        return false;
    }
    out->n_bytes = padded == 0 ? 4 : (uint32_t)padded;
    out->data = arena_take(b->a, out->n_bytes);
    return out->data != NULL;
}

static bool is_input(const struct build *b, uint32_t var)
{
    return var == b->io.in_var[build_width(b->p.vars[var].type)];
}

static bool is_counter(const struct build *b, uint32_t var)
{
    bool const is_result = b->io.result_var[b->p.vars[var].type] == var;
    return var == b->io.rendezvous_var || var == b->io.counter_var || is_result;
}

/* Values in the buffer of a variable: its cells, all texels of its image, or rows of inputs or outputs. */
static uint64_t count_values(const struct build *b, uint32_t var, const struct buf *out)
{
    const struct ir_var *const v = &b->p.vars[var];
    unsigned const width = build_width(v->type);
    if (buf_has_texels(out->kind)) {
        return v->image.n_bytes / (ir_type_bits(v->type) / 8);
    }
    if (v->kind == VAR_CONSTANT || v->kind == VAR_PUSH) {
        uint32_t const n_bytes = ir_type_bits(v->type) / 8;
        uint32_t const stride = v->kind == VAR_PUSH ? n_bytes : IR_UNIFORM_STRIDE;
        uint32_t const before = v->kind == VAR_PUSH ? v->first : 0;
        return (before + (uint64_t)(v->n * n_bytes + stride - 1) / stride * stride) / n_bytes;
    }
    if (cells_of_var(b, var) || (b->has_pieces && v->n > 0)) {
        return (uint64_t)v->n * ir_var_components(v);
    }
    if (is_counter(b, var)) {
        return v->n;
    }
    uint32_t const n_rows = is_input(b, var) ? b->io.in_rows[width] : b->io.out_rows[width];
    return (uint64_t)n_rows * b->dispatch.n_items;
}

/* The buffer of a variable, as yet of zeros. */
static bool make_buffer(const struct build *b, uint32_t var, struct buf *out)
{
    const struct ir_var *const v = &b->p.vars[var];
    *out = (struct buf){.kind = BUF_STORAGE};
    if (v->kind == VAR_IMAGE || v->kind == VAR_TEXEL) {
        *out = v->image;
    } else if (v->kind == VAR_PHYSICAL) {
        out->kind = BUF_ADDRESS;
    } else if (v->kind == VAR_CONSTANT || v->kind == VAR_PUSH) {
        out->kind = v->kind == VAR_PUSH ? BUF_PUSH : BUF_CONSTANT;
    }
    out->set = v->set;
    return take_buffer(b, out,
                       v->of_struct ? (uint64_t)v->n * ir_var_stride(v)
                                    : count_values(b, var, out) * (ir_type_bits(v->type) / 8));
}

/* Fills the buffer of a variable: cells, the counter of a rendezvous, or rows of inputs or outputs. Outputs are
 * filled with a pattern, by which is seen what was never stored. */
static void fill_buffer(const struct build *b, uint32_t var, struct buf *out)
{
    const struct ir_var *const v = &b->p.vars[var];
    const struct cells *const c = cells_of_var(b, var);
    if (v->kind == VAR_CONSTANT || v->kind == VAR_PUSH) {
        fill_constants(b, var, out);
        return;
    }
    if (c) {
        inputs_fill(&c->initial, out->data, (v->first + v->n) * ir_var_components(v));
        return;
    }
    if (is_counter(b, var)) {
        return; /* they count from 0 */
    }
    if (is_input(b, var)) {
        fill_rows(b, build_width(v->type), out->data);
    } else {
        bool const is_exchanged = b->io.exchanged >> var & 1;
        memset(out->data, is_exchanged ? EXCHANGED_FILL : OUTPUT_FILL, out->n_bytes);
    }
}

/* Buffers are of the older form, decorated BufferBlock, if that is wanted and can be: version 1.3 is the last that
 * has it, and a variable pointer to a buffer is one to StorageBuffer, as is the block at an address. */
static void choose_buffer_form(struct build *b)
{
    b->p.buffer_block = b->modes.wants_buffer_block && b->p.version <= IR_SPIRV_1_3 &&
                        !needs_has(&b->p.needs, NEED_VK_VARPTR_SB) &&
                        !needs_has(&b->p.needs, NEED_VK_8BIT_STORAGE) &&
                        !needs_has(&b->p.needs, NEED_VK_PHYSICAL);
}

static void plan_spellings(struct build *b, struct tape *t)
{
    tape_name_node(t, NODE_PLAIN);
    build_set_shape_if(b, SHAPE_COPIED, spelling_choose(&b->p, t) > 0);
    build_set_shape_if(b, SHAPE_KERNELS, other_kernel_add(&b->p, t) > 0);
    spelling_choose_constants(&b->p, t);
}

/* Builds the typed program of the tape t; returns NULL where the arena is full. The children of the root
 * are taken in the tape's order, all of them for every profile, so that each has the same index in every
 * tape. They are then planned in another order, as one plan needs what another decided. unwanted: shapes at
 * which the program is not finished. stores_all: every computed value is stored. */
static struct build *build_program(enum profile profile, enum env env, const struct tape *t,
                                   const struct shape_set *unwanted, bool stores_all,
                                   struct arena *a)
{
    struct needs const allowed =
        profile == PROFILE_REFUSALS ? needs_get_all() : tape_get_allowed(t);
    struct build *const b = build_new(profile, env, &allowed, a);
    if (!b) {
        return NULL;
    }
    b->stores_all = stores_all;
    if (unwanted) {
        b->unwanted = *unwanted;
    }
    struct tape root = *t;
    tape_name_node(&root, NODE_ROOT);
    if (profile == PROFILE_REFUSALS) {
        refusal_plan(b, &root);
        return b;
    }
    struct tape dispatch = tape_fork(&root);
    struct tape modes = tape_fork(&root);
    struct tape cells = tape_fork(&root);
    struct tape hot = tape_fork(&root);
    struct tape body = tape_fork(&root);
    struct tape groups = tape_fork(&root);
    struct tape math = tape_fork(&root);
    struct tape accuracy = tape_fork(&root);
    struct tape pieces = tape_fork(&root);
    struct tape dispatches = tape_fork(&root); /* their number, and where the local size stands */
    struct tape bindings = tape_fork(&root);   /* of buffers: sets, push constants */
    struct tape spellings = tape_fork(&root);  /* other words for the same: copies, entry points */
    if (b->has_pieces) {
        /* reads a copy: pieces_put begins at the start again */
        b->profile = piece_pick_base(pieces);
    }
    if (profile_has_groups(b->profile)) {
        plan_groups(b, &groups);
    }
    if (profile_has_math(b->profile)) {
        plan_math(b, &math);
        plan_accuracy(b, &accuracy);
    }
    plan_dispatch(b, &dispatch);
    plan_dispatches(b, &dispatches); /* plan_local_size reads on in this node, after the modes */
    plan_modes(b, &modes);
    plan_bindings(b, &bindings);
    plan_local_size(b, &dispatches);
    if (stores_all) {
        b->body.probe_percent = 100;
    }
    if (b->group.is_on) {
        plan_group_rows(b);
    }
    cells_plan(b, &cells);
    body_put(b, &hot, &body, &math);
    if (b->has_pieces) {
        pieces_put(b, &pieces);
    }
    body_close(b);
    plan_put_sets(b);
    choose_buffer_form(b);
    plan_spellings(b, &spellings);
    return b;
}

static bool is_illegal(const struct build *b)
{
    return b->math.is_illegal || b->refusal.is_broken;
}

/* The words of the module into *out. RES_NOMEM: the arena is full. */
static enum res make_words(struct build *b, struct testcase *out, struct err *e)
{
    out->module = emit_module(&b->p, &out->n_words, &b->info.n_instructions);
    return out->module ? refusal_break(b, out, e)
                       : err_set(e, RES_NOMEM, "case: arena full at %zu bytes", b->a->used_bytes);
}

static uint64_t hash_input(uint64_t h, const struct input *in)
{
    uint64_t const fields[] = {in->type,   in->class,         in->seed,     (uint64_t)in->plain,
                               in->first,  (uint64_t)in->exp, in->k_max,    in->share,
                               in->period, in->domain,        in->argument, in->range};
    return hash_bytes(h, fields, sizeof fields);
}

/* Returns a hash of all that the case is made from: tapes of the same hash give the same case. Inputs and
 * cells enter by the rule that fills them (class, seed), so that their numbers need not be made. Kinds and
 * types of variables are in the module; their lengths are not. */
static uint64_t hash_program(const struct build *b, const uint32_t *module, uint32_t n_words)
{
    const struct ir_program *const p = &b->p;
    const char *const options = b->modes.build_options;
    uint32_t const dispatch[] = {p->local[0],   p->local[1],    p->local[2],      p->global[0],
                                 p->global[1],  p->global[2],   p->subgroup_size, b->group.is_full,
                                 is_illegal(b), p->n_dispatches};
    uint64_t h = hash_bytes(0, module, n_words * sizeof *module);
    h = hash_bytes(h, dispatch, sizeof dispatch);
    h = hash_bytes(h, p->needs.bits, sizeof p->needs.bits);
    h = hash_bytes(h, options, strlen(options));
    for (uint32_t i = 0; i < p->n_vars; i++) {
        uint32_t const size[] = {p->vars[i].n, p->vars[i].image.width, p->vars[i].image.n_bytes};
        h = hash_bytes(h, size, sizeof size);
    }
    for (uint32_t i = 0; i < b->io.n_rows; i++) {
        const struct input_rows *const r = &b->io.rows[i];
        uint32_t const range[] = {r->first, r->n_rows, r->width};
        h = hash_input(hash_bytes(h, range, sizeof range), &r->what);
    }
    for (uint32_t i = 0; i < b->constants.n_rows; i++) {
        const struct constant_row *const r = &b->constants.rows[i];
        uint32_t const range[] = {r->var, r->first, r->n};
        h = hash_input(hash_bytes(h, range, sizeof range), &r->what);
    }
    for (uint32_t i = 0; i < b->n_cells; i++) {
        h = hash_input(h, &b->cells[i].initial);
    }
    for (uint32_t i = 0; i < p->n_values; i++) {
        uint64_t const spec[] = {p->specs[i].id, p->specs[i].bits};
        h = hash_bytes(h, spec, sizeof spec);
    }
    return h;
}

/* Runs the generator on a tape to learn what its records mean (mark) and the hash of its case (*hash); NULL:
 * not asked for. RES_NOMEM: the arena is full. */
enum res gen_trace(enum profile profile, enum env env, const struct tape *t, struct tape_mark *mark,
                   uint64_t *hash, struct arena *a, struct err *e)
{
    struct tape_trace trace = {.data = t->data, .mark = mark};
    struct tape traced = *t;
    traced.trace = t->data && mark ? &trace : NULL;
    struct build *const b = build_program(profile, env, &traced, NULL, false, a);
    if (!b || !b->p.ok) {
        return err_set(e, RES_NOMEM, "trace: arena full at %zu bytes", a->used_bytes);
    }
    if (!hash) {
        return RES_OK;
    }
    struct testcase made;
    TRY(make_words(b, &made, e));
    *hash = hash_program(b, made.module, made.n_words);
    return RES_OK;
}

enum env gen_get_env(const struct tape *t)
{
    return t->n_records > 0 && t->data[0] & 1 ? ENV_VK : ENV_CL;
}

static enum res tell_full(const struct arena *a, struct err *e)
{
    return err_set(e, RES_NOMEM, "case: arena full at %zu bytes", a->used_bytes);
}

/* Fills *out and *info from the built program b of tape t, all but module and buffers, which gen_module
 * and gen_fill add. The case is SPIR-V, without a source text. Returns RES_NOMEM where b is NULL or not whole
 * (b->p.ok), both of which mean that the arena is full. */
static enum res plan_case(enum profile profile, enum env env, const struct tape *t, struct build *b,
                          struct arena *a, struct testcase *out, struct gen_info *info,
                          struct err *e)
{
    if (!b || !b->p.ok) {
        return tell_full(a, e);
    }
    *out = (struct testcase){.env = env,
                             .class = is_illegal(b) ? CLASS_ILLEGAL : CLASS_LEGAL,
                             .profile = profile_names[profile],
                             .gen_version = GEN_VERSION,
                             .tape_hash = hash_bytes(0, t->data, t->n_records * TAPE_RECORD_BYTES),
                             .source = "",
                             .entry = EMIT_ENTRY_NAME,
                             .build_options = b->modes.build_options,
                             .n_dispatches = b->p.n_dispatches,
                             .subgroup_size = b->p.subgroup_size,
                             .full_subgroups = b->group.is_full,
                             .needs = b->p.needs};
    memcpy(out->local, b->p.local, sizeof out->local);
    memcpy(out->global, b->p.global, sizeof out->global);
    memcpy(out->specs, b->p.specs, sizeof out->specs);
    out->n_specs = b->p.n_values;
    *info = b->info;
    return RES_OK;
}

enum res gen_plan(const struct gen_for *to, const struct tape *t, struct arena *a,
                  struct build **plan, struct testcase *out, struct gen_info *info, struct err *e)
{
    *plan = build_program(to->profile, to->env, t, to->unwanted, false, a);
    return plan_case(to->profile, to->env, t, *plan, a, out, info, e);
}

enum res gen_module(struct build *plan, struct testcase *out, struct gen_info *info, struct err *e)
{
    TRY(make_words(plan, out, e));
    bool is_made = true;
    for (uint32_t v = 0; v < plan->p.n_vars && is_made; v++) {
        if (ir_var_has_buffer(&plan->p.vars[v])) {
            is_made = make_buffer(plan, v, &out->bufs[out->n_bufs++]);
        }
    }
    *info = plan->info;
    return is_made ? RES_OK : tell_full(plan->a, e);
}

void gen_fill(const struct build *plan, struct testcase *out)
{
    uint32_t n = 0;
    for (uint32_t v = 0; v < plan->p.n_vars; v++) {
        if (ir_var_has_buffer(&plan->p.vars[v])) {
            fill_buffer(plan, v, &out->bufs[n++]);
        }
    }
}

/* A whole case, of a program that stores all or not. */
static enum res make_case(enum profile profile, enum env env, const struct tape *t, bool stores_all,
                          struct arena *a, struct testcase *out, struct gen_info *info,
                          struct err *e)
{
    struct build *const plan = build_program(profile, env, t, NULL, stores_all, a);
    TRY(plan_case(profile, env, t, plan, a, out, info, e));
    TRY(gen_module(plan, out, info, e));
    gen_fill(plan, out);
    return RES_OK;
}

enum res gen_case(enum profile profile, enum env env, const struct tape *t, struct arena *a,
                  struct testcase *out, struct gen_info *info, struct err *e)
{
    struct gen_info unwanted;
    return make_case(profile, env, t, false, a, out, info ? info : &unwanted, e);
}

enum res gen_stored_case(enum profile profile, enum env env, const struct tape *t, struct arena *a,
                         struct testcase *out, struct err *e)
{
    struct gen_info unwanted;
    return make_case(profile, env, t, true, a, out, &unwanted, e);
}
