/* oracle/explain/flow_unrolled.c -- the fault FLOW_ANY_ITERATION: after a loop of many iterations that is to be
 * unrolled and has two exits, the carried values are those of another number of iterations. The second interpretation
 * records the carried values of N_EXITS iterations, and widens the loop's results by them. */
#include "oracle/explain/explain_policy.h"

#include <string.h>

#include "oracle/explain/explain_note.h"
#include "oracle/explain/flow_run.h"
#include "oracle/explain/hypothesis.h"
#include "oracle/fault/faults_flow.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/module.h"

/* The first iteration after which the device may leave an unrolled loop wrongly, and how many such iterations are
 * recorded. */
enum {
    FIRST_EXIT = 64,
    N_EXITS = HYPOTHESIS_MAX_VALUES
};
/* The values of one id at the start of the recorded iterations, in one invocation. */
struct carried {
    uint32_t id;
    uint32_t n; /* recorded values */
    uint64_t bits[N_EXITS];
};
/* The recorded values of a loop in one invocation. */
struct carried_list {
    const struct merge_loop *loop;
    uint32_t n;
    struct carried *one;
};

struct unrolled {
    struct hypothesis *s;
    const struct flow_run *run;
    /* By invocation: the values of the unrolled loop that it is in; NULL: it is in none, or has not done FIRST_EXIT
     * iterations. */
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

/* Lists the ids whose values are recorded, each once: the phis of the loop's header, and the operands of the phis
 * after the loop. Phis follow the label of their block. NULL and x->stop: the arena is full. */
static struct carried_list *list_carried(struct judge *j, const struct merge_loop *loop)
{
    struct carried_list *const list = ARENA_NEW(j->a, struct carried_list, 1);
    uint32_t n = 0; /* more than there are: all words of the phis after the loop */
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

/* The invocation begins an iteration: if it is one of the recorded ones of an unrolled loop, records the values. */
static void record_carried(struct unrolled *p, struct judge *j, const struct invocation *inv)
{
    uint32_t const at = inv->global_index;
    uint32_t n_done;
    const struct merge_loop *const loop =
        fault_flow_in_unrolled(&p->run->flow, &j->m, inv, &n_done);
    if (!loop || n_done < FIRST_EXIT || n_done >= FIRST_EXIT + N_EXITS) {
        return;
    }
    if (n_done == FIRST_EXIT) {
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

/* Lets the result of the phi also be any of the recorded values. */
static void widen_by_carried(struct hypothesis *s, struct judge *j, const struct invocation *inv,
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

/* The invocation has left an unrolled loop: widens the phis of its header, and those after the loop. */
static void widen_after_loop(struct unrolled *p, struct judge *j, const struct invocation *inv)
{
    const struct merge_loop *const loop = fault_flow_left_unrolled(&p->run->flow, &j->m, inv);
    const struct carried_list *const list = p->carried[inv->global_index];
    if (!loop || !list || list->loop != loop) {
        return;
    }
    for (uint32_t i = loop->first + 1; j->m.code[i].op == SpvOpPhi; i++) {
        widen_by_carried(p->s, j, inv, &j->m.code[i], find_carried(list, j->m.code[i].result));
    }
    for (uint32_t i = loop->merge + 1; j->m.code[i].op == SpvOpPhi; i++) {
        const struct mod_inst *const phi = &j->m.code[i];
        for (uint32_t w = MOD_OPERAND; w < phi->n; w += 2) {
            widen_by_carried(p->s, j, inv, phi,
                             find_carried(list, module_get_operand(&j->m, phi, w)));
        }
    }
}

static bool on_begin(void *state, struct judge *j)
{
    struct unrolled *const p = state;
    (void)j;
    memset(p->carried, 0, sizeof(struct carried_list *) * p->run->flow.n_items);
    return true;
}

static void on_site(void *state, struct judge *j, const struct policy_site *site)
{
    struct unrolled *const p = state;
    if (site->kind != SITE_BLOCK) {
        return;
    }
    if (p->run->is_known) {
        record_carried(p, j, site->inv);
        widen_after_loop(p, j, site->inv);
    }
}

bool flow_unrolled_make(struct judge *j, struct explain_context *context, struct judge_policy *out)
{
    struct hypothesis *const s = flow_find(context->all, FLOW_ANY_ITERATION);
    const struct flow_run *const run = s ? flow_run_share(&context->run, j) : NULL;
    struct unrolled *const p = run ? ARENA_NEW(j->a, struct unrolled, 1) : NULL;
    if (!p) {
        return false;
    }
    p->run = run;
    p->s = s;
    p->carried = ARENA_NEW(j->a, struct carried_list *, (size_t)p->run->flow.n_items + 1);
    *out = (struct judge_policy){.state = p, .begin = on_begin, .site = on_site};
    return p->carried || exec_stop(&j->x, "arena full");
}
