/* oracle/explain/flow_unrolled.c -- after a loop of many iterations that is to be unrolled and has two exits, what the loop carries is
 * what it was after another number of iterations. */
#include "oracle/explain/explain_policy.h"

#include <string.h>

#include "oracle/explain/explain_note.h"
#include "oracle/explain/flow_run.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/module.h"

/* Iterations after which a driver may leave an unrolled loop, where the program does not. */
enum {
    FIRST_WAY_OUT = 64,
    N_WAYS_OUT = HYPOTHESIS_MAX_VALUES
};
/* What one value held at the start of these iterations, by invocation. */
struct carried {
    uint32_t id, n; /* n: of those iterations that were recorded */
    uint64_t bits[N_WAYS_OUT];
};
/* The values of a loop of one invocation that its phis, and those behind it, may have. */
struct carried_list {
    const struct merge_loop *loop;
    uint32_t n;
    struct carried *one;
};

struct unrolled {
    struct hypothesis *s;
    struct flow_run run;
    /* By invocation, what it had in such a loop; NULL: it was in none for long. */
    struct carried_list **carried;
};

static void add_carried(struct judge *j, struct carried_list *list, uint32_t id)
{
    for (uint32_t i = 0; i < list->n; i++) {
        if (list->one[i].id == id) {
            return;
        }
    }
    if (id != 0 && j->m.ids[id].n_slots == 1) {
        list->one[list->n++].id = id;
    }
}

/* The phis of the loop's header, and what those behind the loop take. */
static struct carried_list *list_carried(struct judge *j, const struct merge_loop *loop)
{
    struct carried_list *const list = ARENA_NEW(j->a, struct carried_list, 1);
    uint32_t n = 0;
    for (uint32_t i = loop->first + 1; j->m.code[i].op == SpvOpPhi; i++) {
        n++;
    }
    for (uint32_t i = loop->merge + 1; j->m.code[i].op == SpvOpPhi; i++) {
        n += j->m.code[i].n;
    }
    struct carried *const one = ARENA_NEW(j->a, struct carried, n + 1);
    if (!list || !one) {
        (void)exec_stop(&j->x, "arena full");
        return NULL;
    }
    *list = (struct carried_list){.loop = loop, .one = one};
    for (uint32_t i = loop->first + 1; j->m.code[i].op == SpvOpPhi; i++) {
        add_carried(j, list, j->m.code[i].result);
    }
    for (uint32_t i = loop->merge + 1; j->m.code[i].op == SpvOpPhi; i++) {
        for (uint32_t w = MOD_OPERAND; w < j->m.code[i].n; w += 2) {
            add_carried(j, list, module_get_operand(&j->m, &j->m.code[i], w));
        }
    }
    return list;
}

/* The invocation begins an iteration of a loop that is to be unrolled. */
static void record_carried(struct unrolled *p, struct judge *j, const struct invocation *inv)
{
    uint32_t const at = inv->global_index;
    uint32_t n_done;
    const struct merge_loop *const loop = fault_flow_in_unrolled(&p->run.flow, &j->m, inv, &n_done);
    if (!loop || n_done < FIRST_WAY_OUT || n_done >= FIRST_WAY_OUT + N_WAYS_OUT) {
        return;
    }
    if (n_done == FIRST_WAY_OUT) {
        p->carried[at] = list_carried(j, loop);
    }
    struct carried_list *const list = p->carried[at];
    for (uint32_t i = 0; list && list->loop == loop && i < list->n; i++) {
        struct carried *const one = &list->one[i];
        one->n += exec_known(&j->x, *exec_reg(&j->x, inv, one->id), &one->bits[one->n]) != 0;
    }
}

static const struct carried *find_carried(const struct carried_list *list, uint32_t id)
{
    for (uint32_t i = 0; i < list->n; i++) {
        if (list->one[i].id == id) {
            return &list->one[i];
        }
    }
    return NULL;
}

/* Let a value also be any of those. */
static void take_carried(struct hypothesis *s, struct judge *j, const struct invocation *inv,
                         const struct mod_inst *phi, const struct carried *c)
{
    struct val *const own = exec_reg(&j->x, inv, phi->result);
    int const fmt = module_get_format(&j->m, phi->type);
    if (c && c->n > 0 && fmt >= 0) {
        *own = hypothesis_widen(s, &j->x, *own, fmt, c->bits, c->n);
    } else if (c && c->n > 0) {
        (void)explain_note_values(s, &j->x, phi->result, inv->global_index, 0, *own, c->bits, c->n);
    }
}

/* Whatever comes of such a loop may be what it was after another number of iterations: what it carries, and what is chosen
 * behind it. */
static void leave_unrolled(struct unrolled *p, struct judge *j, const struct invocation *inv)
{
    const struct merge_loop *const loop = fault_flow_left_unrolled(&p->run.flow, &j->m, inv);
    const struct carried_list *const list = p->carried[inv->global_index];
    if (!loop || !list || list->loop != loop) {
        return;
    }
    for (uint32_t i = loop->first + 1; j->m.code[i].op == SpvOpPhi; i++) {
        take_carried(p->s, j, inv, &j->m.code[i], find_carried(list, j->m.code[i].result));
    }
    for (uint32_t i = loop->merge + 1; j->m.code[i].op == SpvOpPhi; i++) {
        const struct mod_inst *const phi = &j->m.code[i];
        for (uint32_t w = MOD_OPERAND; w < phi->n; w += 2) {
            take_carried(p->s, j, inv, phi, find_carried(list, module_get_operand(&j->m, phi, w)));
        }
    }
}

static bool begin(void *state, struct judge *j)
{
    struct unrolled *const p = state;
    (void)j;
    flow_run_begin(&p->run);
    memset(p->carried, 0, sizeof(struct carried_list *) * p->run.flow.n_items);
    return true;
}

static bool end(void *state, struct judge *j)
{
    struct unrolled *const p = state;
    (void)j;
    return flow_run_end(&p->run);
}

static void come_to(void *state, struct judge *j, const struct policy_site *site)
{
    struct unrolled *const p = state;
    if (site->kind != SITE_BLOCK) {
        return;
    }
    flow_run_enter(&p->run, site->inv);
    if (p->run.is_known) {
        record_carried(p, j, site->inv);
        leave_unrolled(p, j, site->inv);
    }
}

bool flow_unrolled_make(struct judge *j, struct hypothesis *all, struct judge_policy *out)
{
    struct hypothesis *const s = flow_find(all, FLOW_ANY_ITERATION);
    struct unrolled *const p = s ? ARENA_NEW(j->a, struct unrolled, 1) : NULL;
    if (!p || !flow_run_make(&p->run, j)) {
        return false;
    }
    p->s = s;
    p->carried = ARENA_NEW(j->a, struct carried_list *, (size_t)p->run.flow.n_items + 1);
    *out = (struct judge_policy){.state = p, .begin = begin, .end = end, .site = come_to};
    return p->carried || exec_stop(&j->x, "arena full");
}
