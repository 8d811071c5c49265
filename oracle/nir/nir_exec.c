/* oracle/nir/nir_exec.c -- the flow of sub-groups and work-groups.
 *
 * Each invocation stands at a block. Those that stand at the earliest one go on, all together: so both ways of a branch
 * are over before what is behind them begins. An invocation that goes back to the begin of a loop waits there for the
 * others in the loop, since it stands behind the loop's last block until it goes on. That is maximal reconvergence, for
 * structured flow and for the other form alike. */
#include "oracle/nir/nir_exec.h"

#include <string.h>

#include "base/testcase.h"
#include "oracle/nir/nir_group.h"
#include "oracle/nir/nir_image.h"
#include "oracle/nir/nir_kepler.h"
#include "oracle/nir/nir_memory.h"
#include "oracle/nir/nir_trace.h"
#include "oracle/nir_driver/nir_abi.h"
#include "oracle/nir_driver/nir_rules.h"
#include "oracle/nir_text/nir_answer.h"
#include "oracle/nir_text/nir_float.h"
#include "oracle/nir_text/nir_intrinsic.h"
#include "oracle/nir_text/nir_op.h"
#include "oracle/nir_text/nir_word.h"

enum {
    MAX_VALUE_BYTES = 1 << 28, /* of the values of a work-group */
    SCRATCH_UNIT = 16          /* bytes */
};
#define NO_ORDER UINT32_MAX /* of an invocation that has ended */

/* The subgroups of one work-group, and room for phis. */
struct group {
    struct nir_machine *m;
    struct nir_subgroup *subgroups;
    uint32_t n_subgroups;
    uint64_t *phis; /* [components of the phis of a block][size] */
};

/* The order of invocations that go from the block at position `from` to that at `to`: twice the position, or of the begin
 * of a loop that is gone back to one more than that of the loop's last block. */
static uint32_t get_order(const struct nir_program *p, uint32_t from, uint32_t to)
{
    if (to == NIR_END) {
        return NO_ORDER;
    }
    return to <= from ? 2 * p->blocks[to].loop_end + 1 : 2 * to;
}

/* Which invocations go on: of those that run, or else of those that wait for each other, the ones of the lowest order, and
 * of loops that end together those of the inner one. False: there are none. */
static bool choose_of(struct nir_subgroup *g, bool are_waiting)
{
    uint32_t order = NO_ORDER, block = 0;
    g->n_active = 0;
    for (uint32_t lane = 0; lane < g->n_lanes; lane++) {
        if (g->block[lane] == NIR_END || (g->meets[lane] != 0) != are_waiting) {
            continue;
        }
        bool const is_inner = g->order[lane] == order && g->block[lane] > block;
        if (g->order[lane] < order || is_inner) {
            order = g->order[lane];
            block = g->block[lane];
            g->n_active = 0;
        }
        if (g->block[lane] == block && g->order[lane] == order) {
            g->active[g->n_active++] = (uint8_t)lane;
        }
    }
    return g->n_active != 0;
}

/* The same, and *at is the instruction that they go on with: 0 is the begin of their block. When no invocation runs, those
 * that wait go on: what they wait for has ended or waits elsewhere. */
static bool choose(struct nir_subgroup *g, uint32_t *at)
{
    *at = 0;
    if (choose_of(g, false)) {
        return true;
    }
    if (!choose_of(g, true)) {
        return false;
    }
    uint32_t const n_waiting = g->n_active;
    *at = g->meets[g->active[0]];
    g->n_active = 0;
    for (uint32_t i = 0; i < n_waiting;
         i++) { /* others of them wait at another instruction of the block */
        uint32_t const lane = g->active[i];
        if (g->meets[lane] == *at) {
            g->meets[lane] = 0;
            g->active[g->n_active++] = (uint8_t)lane;
        }
    }
    return true;
}

static uint64_t *get_values(const struct nir_machine *m, const struct nir_subgroup *g,
                            uint32_t value, uint32_t component)
{
    return &g->values[(size_t)(m->p->values[value].offset + component) * m->size];
}

/* The source of a phi for an invocation; NULL: it came from another block. */
static const struct nir_phi_source *find_source(const struct nir_program *p,
                                                const struct nir_instruction *in, uint32_t previous)
{
    for (uint32_t i = 0; i < in->n_sources; i++) {
        if (p->phi_sources[in->first + i].block == previous) {
            return &p->phi_sources[in->first + i];
        }
    }
    return NULL;
}

static void see_phi(struct nir_machine *m, struct nir_subgroup *g, const struct nir_instruction *in)
{
    struct nir_step const s = {.m = m, .g = g, .in = in};
    for (uint32_t i = 0; m->watch && i < g->n_active; i++) {
        const struct nir_phi_source *const source =
            find_source(m->p, in, g->previous[g->active[i]]);
        if (source) {
            nir_watch_phi(m->watch, &s, g->active[i], source->value);
        }
    }
}

/* Runs the phis of a block: reads all of them before any is written. *n is how many there are. */
static bool run_phis(const struct group *x, struct nir_subgroup *g, const struct nir_block *b,
                     uint32_t *n)
{
    struct nir_machine *const m = x->m;
    const struct nir_program *const p = m->p;
    uint64_t *room = x->phis;
    for (*n = 0; *n < b->n && p->instructions[b->first + *n].kind == NIR_PHI; ++*n) {
        const struct nir_instruction *const in = &p->instructions[b->first + *n];
        uint32_t const n_components = p->values[in->value].n_components;
        for (uint32_t i = 0; i < g->n_active; i++) {
            uint32_t const lane = g->active[i];
            const struct nir_phi_source *const s = find_source(p, in, g->previous[lane]);
            if (!s) {
                return nir_stop(m->answer, NIR_BROKEN, in->line,
                                "a phi has no value for invocations from b%u", g->previous[lane]);
            }
            for (uint32_t c = 0; c < n_components; c++) {
                room[(size_t)c * m->size + lane] = get_values(m, g, s->value, c)[lane];
            }
        }
        room += (size_t)n_components * m->size;
    }
    room = x->phis;
    for (uint32_t k = 0; k < *n; k++) {
        const struct nir_instruction *const in = &p->instructions[b->first + k];
        for (uint32_t c = 0; c < p->values[in->value].n_components; c++) {
            for (uint32_t i = 0; i < g->n_active; i++) {
                get_values(m, g, in->value, c)[g->active[i]] = room[g->active[i]];
            }
            room += m->size;
        }
        see_phi(m, g, in);
    }
    return true;
}

/* All components of a source as one number. */
static void pack(const struct nir_step *s)
{
    unsigned const n_bits = nir_step_bits(s, 0);
    uint64_t *const out = nir_step_out(s, 0);
    for (uint32_t i = 0; i < s->g->n_active; i++) {
        uint32_t const lane = s->g->active[i];
        uint64_t sum = 0;
        for (uint32_t c = 0; c < nir_step_result(s)->n_bits / n_bits; c++) {
            sum |= nir_step_source(s, 0, c)[lane] << c * n_bits;
        }
        out[lane] = sum;
    }
}

/* The sum of the components of a source, in their order. */
static void sum(const struct nir_step *s)
{
    unsigned const n_bits = nir_step_result(s)->n_bits;
    uint32_t const n = (uint32_t)s->in->row - NIR_OP_fsum2 + 2;
    uint64_t *const out = nir_step_out(s, 0);
    for (uint32_t i = 0; i < s->g->n_active; i++) {
        uint32_t const lane = s->g->active[i];
        uint64_t so_far = nir_step_source(s, 0, 0)[lane];
        for (uint32_t c = 1; c < n; c++) {
            so_far = nir_float_add(&s->m->modes, n_bits, so_far, nir_step_source(s, 0, c)[lane]);
        }
        out[lane] = so_far;
    }
}

static void run_alu(const struct nir_step *s)
{
    const struct nir_op_row *const row = &nir_op_rows[s->in->row];
    const struct nir_value *const v = nir_step_result(s);
    struct nir_alu x = {.modes = &s->m->modes,
                        .n_bits = v->n_bits,
                        .m_bits = nir_step_bits(s, 0),
                        .lanes = s->g->active,
                        .n_lanes = s->g->n_active};
    s->m->answer->n_hardware += row->is_hardware ? s->g->n_active : 0;
    if (row->shape == NIR_PACK) {
        pack(s);
        return;
    }
    if (row->shape == NIR_SUM) {
        sum(s);
        return;
    }
    for (uint32_t c = 0; c < v->n_components; c++) {
        bool const is_each = row->shape == NIR_EACH;
        uint32_t const k = row->shape == NIR_VECTOR ? c : 0; /* the first source that is read */
        for (uint32_t i = 0; i < ARRAY_N(x.s); i++) {
            bool const is_there = is_each && i < row->n_sources;
            x.s[i] = nir_step_source(s, is_there ? i : k, is_each ? c : 0);
        }
        x.out = nir_step_out(s, c);
        row->run(&x);
        for (uint32_t i = 0; row->shape == NIR_UNPACK && i < s->g->n_active; i++) {
            uint32_t const lane = s->g->active[i];
            x.out[lane] = x.s[0][lane] >> c * v->n_bits & nir_mask(v->n_bits);
        }
    }
}

/* An intrinsic that says who an invocation is. */
static bool run_id(const struct nir_step *s)
{
    const struct nir_machine *const m = s->m;
    const struct nir_value *const v = nir_step_result(s);
    for (uint32_t i = 0; i < s->g->n_active; i++) {
        uint32_t const lane = s->g->active[i];
        struct nir_place place = {
            .dispatch = m->dispatch,
            .group = {m->group[0], m->group[1], m->group[2]},
            .n_in_group = m->n_in_group,
            .local_index = s->g->number * m->size + lane,
            .subgroup = s->g->number,
            .lane = lane
        };
        nir_place_set_local(&place, m->abi->tc->local);
        struct nir_id id = {.form = (enum nir_id_form)s->row->form,
                            .index = s->in->index,
                            .operand = s->row->n_sources ? nir_step_source(s, 0, 0)[lane] : 0};
        for (id.c = 0; id.c < v->n_components; id.c++) {
            uint64_t out = 0;
            if (!nir_abi_get_id(m->abi, &place, id, &out)) {
                return nir_stop(m->answer, NIR_UNKNOWN, s->in->line,
                                "number %lld of %s is not known",
                                (long long)s->in->index[NIR_INDEX_base], s->row->name);
            }
            nir_step_out(s, id.c)[lane] = out & nir_mask(v->n_bits);
        }
    }
    return true;
}

/* The active invocations come to where they wait for those that a mask names, the operand, which bar_set_nv made: they go on
 * together with the ones that wait here already, if all have come. False: they are to wait. `behind` is the next
 * instruction. */
static bool meet(const struct nir_step *s, uint32_t behind)
{
    struct nir_subgroup *const g = s->g;
    uint32_t const block = g->block[g->active[0]];
    uint64_t const mask = nir_step_source(s, 0, 0)[g->active[0]];
    bool are_all_here = true;
    for (uint32_t i = 0; i < g->n_active; i++) {
        g->meets[g->active[i]] = behind;
    }
    for (uint32_t lane = 0; lane < g->n_lanes && lane < 64; lane++) {
        bool const is_here = g->block[lane] == block && g->meets[lane] == behind;
        bool const is_awaited = (mask >> lane & 1) != 0 && g->block[lane] != NIR_END;
        are_all_here = are_all_here && (is_here || !is_awaited);
    }
    if (!are_all_here) {
        return false;
    }
    g->n_active = 0;
    for (uint32_t lane = 0; lane < g->n_lanes; lane++) {
        if (g->block[lane] == block && g->meets[lane] == behind) {
            g->meets[lane] = 0;
            g->active[g->n_active++] = (uint8_t)lane;
        }
    }
    return true;
}

/* The active invocations as the value of an intrinsic, a bit each. */
static void gather(const struct nir_step *s)
{
    uint64_t mask = 0;
    for (uint32_t i = 0; i < s->g->n_active; i++) {
        mask |= s->g->active[i] < 64 ? UINT64_C(1) << s->g->active[i] : 0;
    }
    for (uint32_t i = 0; i < s->g->n_active; i++) {
        nir_step_out(s, 0)[s->g->active[i]] = mask & nir_mask(nir_step_result(s)->n_bits);
    }
}

/* What comes after an instruction. */
enum after {
    AFTER_NEXT,
    AFTER_MEETING, /* the active invocations wait for others of the sub-group */
    AFTER_BARRIER, /* the sub-group waits for the others of the work-group */
    AFTER_STOP     /* the answer says why */
};
static enum after run_call(struct nir_step *s, uint32_t behind)
{
    bool is_right = true;
    s->row = &nir_intrinsic_rows[s->in->row];
    switch (s->row->run) {
    case NIR_RUN_nothing:
        break;
    case NIR_RUN_zero:
        for (uint32_t i = 0; i < s->g->n_active; i++) {
            nir_step_out(s, 0)[s->g->active[i]] = 0;
        }
        break;
    case NIR_RUN_barrier:
        return s->in->index[NIR_INDEX_execution_scope] == NIR_WORD_WORKGROUP ? AFTER_BARRIER
                                                                             : AFTER_NEXT;
    case NIR_RUN_gather:
        gather(s);
        break;
    case NIR_RUN_meet:
        return meet(s, behind) ? AFTER_NEXT : AFTER_MEETING;
    case NIR_RUN_id:
        is_right = run_id(s);
        break;
    case NIR_RUN_group:
        is_right = nir_run_group(s);
        break;
    case NIR_RUN_load:
        is_right = nir_run_load(s);
        break;
    case NIR_RUN_store:
        is_right = nir_run_store(s);
        break;
    case NIR_RUN_atomic:
        is_right = nir_run_atomic(s);
        break;
    case NIR_RUN_append:
        is_right = nir_run_append(s);
        break;
    case NIR_RUN_image:
        is_right = nir_run_image(s);
        break;
    case NIR_RUN_kepler:
        is_right = nir_run_kepler(s);
        break;
    case NIR_RUN_address:
        is_right = nir_run_address(s);
        break;
    case NIR_RUN_lock:
        is_right = nir_run_lock(s);
        break;
    }
    return is_right ? AFTER_NEXT : AFTER_STOP;
}

/* The active invocations leave a block. */
static void leave(const struct nir_machine *m, struct nir_subgroup *g, uint32_t position)
{
    const struct nir_program *const p = m->p;
    const struct nir_block *const b = &p->blocks[position];
    bool const is_branch = b->target != b->otherwise;
    const uint64_t *const condition =
        is_branch ? get_values(m, g, b->condition.value, nir_source_component(&b->condition, 0))
                  : NULL;
    for (uint32_t i = 0; i < g->n_active; i++) {
        uint32_t const lane = g->active[i];
        uint32_t const to = condition && !condition[lane] ? b->otherwise : b->target;
        g->block[lane] = to;
        g->order[lane] = get_order(p, position, to);
        g->previous[lane] = b->number;
    }
}

static void see_step(const struct nir_step *s)
{
    if (s->m->watch) {
        nir_watch_step(s->m->watch, s);
    }
}

/* Runs the rest of a block for the active invocations, up to its end or to where they wait; if for other sub-groups,
 * g->is_waiting. */
static bool run_block(const struct group *x, struct nir_subgroup *g, uint32_t at)
{
    struct nir_machine *const m = x->m;
    uint32_t const position = g->block[g->active[0]];
    const struct nir_block *const b = &m->p->blocks[position];
    for (; at < b->n; at++) {
        struct nir_step s = {.m = m, .g = g, .in = &m->p->instructions[b->first + at]};
        if (m->n_steps_left < g->n_active) {
            return nir_stop(m->answer, NIR_BUDGET, s.in->line,
                            "the steps for this program ran out");
        }
        m->n_steps_left -= g->n_active;
        m->answer->n_instructions += g->n_active;
        if (s.in->kind == NIR_ALU) {
            run_alu(&s);
            see_step(&s);
            continue;
        }
        switch (run_call(&s, at + 1)) {
        case AFTER_NEXT:
            see_step(&s);
            break;
        case AFTER_MEETING:
            return true;
        case AFTER_BARRIER:
            g->is_waiting = true;
            g->at = at + 1;
            return true;
        case AFTER_STOP:
            return false;
        }
    }
    leave(m, g, position);
    return true;
}

/* Runs a sub-group until it waits at a barrier or has ended: *is_over. */
static bool run_subgroup(const struct group *x, struct nir_subgroup *g, bool *is_over)
{
    struct nir_machine *const m = x->m;
    if (g->is_waiting) {
        g->is_waiting = false;
        if (!run_block(x, g, g->at)) {
            return false;
        }
    }
    uint32_t at = 0;
    while (!g->is_waiting && choose(g, &at)) {
        const struct nir_block *const b = &m->p->blocks[g->block[g->active[0]]];
        if (m->n_steps_left == 0) {
            return nir_stop(m->answer, NIR_BUDGET, b->line, "the steps for this program ran out");
        }
        m->n_steps_left--; /* a loop may be empty */
        if ((at == 0 && !run_phis(x, g, b, &at)) || !run_block(x, g, at)) {
            return false;
        }
    }
    *is_over = !g->is_waiting;
    return true;
}

/* All invocations stand at the begin. */
static void reset_group(const struct group *x)
{
    struct nir_machine *const m = x->m;
    memset(m->shared, 0, NIR_MAX_SHARED_BYTES);
    for (uint32_t i = 0; i < x->n_subgroups; i++) {
        struct nir_subgroup *const g = &x->subgroups[i];
        uint32_t const n_left = m->n_in_group - i * m->size;
        g->number = i;
        g->n_lanes = n_left < m->size ? n_left : m->size;
        g->is_waiting = false;
        memset(g->block, 0, sizeof g->block);
        memset(g->order, 0, sizeof g->order);
        memset(g->meets, 0, sizeof g->meets);
        memset(g->previous, 0xff, sizeof g->previous);
    }
}

static bool run_group(const struct group *x)
{
    bool is_over = false;
    reset_group(x);
    while (!is_over) {
        is_over = true;
        for (uint32_t i = 0; i < x->n_subgroups; i++) {
            bool is_subgroup_over = false;
            if (!run_subgroup(x, &x->subgroups[i], &is_subgroup_over)) {
                return false;
            }
            is_over = is_over && is_subgroup_over;
        }
    }
    return true;
}

/* Components of the phis of the block that has most of them. */
static uint32_t count_phis(const struct nir_program *p)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < p->n_blocks; i++) {
        uint32_t n = 0;
        for (uint32_t k = 0; k < p->blocks[i].n; k++) {
            const struct nir_instruction *const in = &p->instructions[p->blocks[i].first + k];
            n += in->kind == NIR_PHI ? p->values[in->value].n_components : 0;
        }
        most = n > most ? n : most;
    }
    return most;
}

/* Memory of the sub-groups of a work-group, with the constants in their values. */
static bool make_group(struct group *x, struct arena *a)
{
    struct nir_machine *const m = x->m;
    const struct nir_program *const p = m->p;
    uint64_t const n_values = (uint64_t)p->n_components * m->size;
    x->n_subgroups = (m->n_in_group + m->size - 1) / m->size;
    if (n_values * x->n_subgroups * sizeof(uint64_t) > MAX_VALUE_BYTES) {
        return nir_stop_memory(m->answer, 0);
    }
    x->subgroups = ARENA_NEW(a, struct nir_subgroup, x->n_subgroups);
    x->phis = ARENA_NEW(a, uint64_t, (size_t)(count_phis(p) + 1) * m->size);
    m->shared = arena_take(a, NIR_MAX_SHARED_BYTES);
    if (!x->subgroups || !x->phis || !m->shared) {
        return nir_stop_memory(m->answer, 0);
    }
    for (uint32_t i = 0; i < x->n_subgroups; i++) {
        struct nir_subgroup *const g = &x->subgroups[i];
        g->values = ARENA_NEW(a, uint64_t, n_values + 1);
        g->scratch = arena_take(a, (size_t)m->scratch_bytes * m->size + 1);
        if (!g->values || !g->scratch) {
            return nir_stop_memory(m->answer, 0);
        }
        for (uint64_t k = 0; k < n_values; k++) {
            g->values[k] = p->constants[k / m->size];
        }
    }
    return true;
}

/* Runs one dispatch: its work-groups one after the other. */
static bool run_dispatch(const struct group *x)
{
    struct nir_machine *const m = x->m;
    uint32_t const *const n = m->dispatch->n;
    for (m->group[2] = 0; m->group[2] < n[2]; m->group[2]++) {
        for (m->group[1] = 0; m->group[1] < n[1]; m->group[1]++) {
            for (m->group[0] = 0; m->group[0] < n[0]; m->group[0]++) {
                if (!run_group(x)) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* A machine for work-groups of n invocations, all of which have to fit the memory. */
static bool make_machine(struct nir_machine *m, struct group *x, const struct nir_program *p,
                         uint32_t n, struct arena *a)
{
    uint32_t const n_variables = p->header.n_variable_components;
    m->p = p;
    m->modes = nir_modes_of(p->header.float_controls);
    if (m->abi->rules->set_modes) {
        m->abi->rules->set_modes(&p->header, &m->modes);
    }
    m->n_in_group = n;
    *x = (struct group){.m = m};
    if (p->header.scratch_bytes > NIR_MAX_SCRATCH_BYTES ||
        n_variables > NIR_MAX_SCRATCH_BYTES / NIR_VARIABLE_BYTES ||
        p->header.shared_bytes > NIR_MAX_SHARED_BYTES) {
        return nir_stop_memory(m->answer, 0);
    }
    /* Chips give whole units of it, and compilers load what is behind a last byte together with it. */
    m->variable_begin = (p->header.scratch_bytes + SCRATCH_UNIT - 1) & ~(SCRATCH_UNIT - 1U);
    m->scratch_bytes = m->variable_begin + n_variables * NIR_VARIABLE_BYTES;
    return make_group(x, a);
}

bool nir_exec(const struct nir_program *p, const struct nir_program *preamble, struct nir_abi *abi,
              uint64_t max_steps, struct nir_watch *watch, struct arena *a,
              struct nir_answer *answer)
{
    const struct testcase *const tc = abi->tc;
    struct nir_machine m = {
        .abi = abi, .answer = answer, .size = abi->subgroup_size, .n_steps_left = max_steps};
    struct nir_machine first = m;
    m.watch = watch;
    struct group x, one;
    if (!make_machine(&m, &x, p, tc->local[0] * tc->local[1] * tc->local[2], a) ||
        (preamble && !make_machine(&first, &one, preamble, 1, a))) {
        return false;
    }
    if (preamble) {
        first.modes = m.modes; /* the header stands before the other function */
    }
    for (uint32_t i = 0; i < testcase_count_dispatches(tc); i++) {
        struct dispatch const dispatch = testcase_get_dispatch(tc, i);
        m.dispatch = first.dispatch = &dispatch;
        nir_abi_begin(abi, &dispatch);
        if ((preamble && !run_group(&one)) || !run_dispatch(&x)) {
            return false;
        }
    }
    answer->end = NIR_ENDED;
    return true;
}
