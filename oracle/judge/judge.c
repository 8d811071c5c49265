/* oracle/judge/judge.c -- the only door of the oracle: a verdict from a case and an observation.
 *
 * Read from the end of the file: judge_input chooses what is judged (how the run ended, or what it left); judge_done judges a
 * run that ended well; judge_values interprets the module; run_dispatch repeats the interpretation until its assumptions
 * about shared memory hold; the hooks lead from the interpreter to the rooms that judge values, memory and groups. */
#include "oracle/judge/judge.h"

#include <string.h>

#include "base/caps.h"
#include "base/kernel_args.h"
#include "oracle/feature/feature.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/exec_run.h"
#include "oracle/interp/module.h"
#include "oracle/interp/tangle.h"
#include "oracle/judge/status.h"
#include "oracle/judge_groups/judge_group.h"
#include "oracle/judge_groups/judge_sums.h"
#include "oracle/judge_groups/subgroup.h"
#include "oracle/judge_memory/access.h"
#include "oracle/judge_memory/finish.h"
#include "oracle/judge_state/group_record.h"
#include "oracle/judge_state/judge_report.h"
#include "oracle/judge_state/policy.h"
#include "oracle/judge_values/iteration.h"
#include "oracle/math/rules.h"
#include "oracle/tables/tables.h"
#include "oracle/tables/words.h"
#include "oracle/value/absent.h"
#include "oracle/value/value.h"
#include "oracle/value/value_to_int.h"
#include "oracle/value/value_within.h"

/* The specifications alone. */
static const struct judge_policy policy_of_specifications = {.state = NULL};

enum {
    MAX_ATTEMPTS = 64,
    JUDGE_SEARCH_STEPS = 100000000 /* for extremes of sums: about a tenth of a second per case */
};

/* ---- hooks: what the interpreter leaves to the judge ---- */

static int hook_load(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                     struct location p, uint32_t type, struct val *out)
{
    struct judge *const j = x->user;
    int const done = access_load(j, inv, in, p, type, out);
    if (done) {
        policy_tell(j->policy, j,
                    &(struct policy_site){.kind = SITE_LOADED, .inv = inv, .in = in, .out = out});
    }
    return done;
}

static int hook_store(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                      struct location p, uint32_t type, struct val v)
{
    struct judge *const j = x->user;
    policy_tell(j->policy, j,
                &(struct policy_site){.kind = SITE_STORE,
                                      .inv = inv,
                                      .in = in,
                                      .location = p,
                                      .n_bits = x->m->ids[type].t.bits,
                                      .value = v});
    return access_store(j, inv, in, p, type, v);
}

static void hook_pad(struct exec *x, struct location p, uint32_t n_bytes)
{
    access_pad(x->user, p, n_bytes);
}

static int hook_atomic(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                       struct location p)
{
    return access_atomic(x->user, inv, in, p);
}

/* Are all components of the first operand known? */
static bool has_known_operand(const struct exec *x, const struct invocation *inv,
                              const struct mod_inst *in)
{
    uint32_t const id = module_get_operand(x->m, in, MOD_OPERAND);
    uint64_t ignored;
    for (uint32_t c = 0; c < x->m->ids[id].n_slots; c++) {
        if (!exec_known(x, exec_reg(x, inv, id)[c], &ignored)) {
            return false;
        }
    }
    return x->m->ids[id].n_slots > 0;
}

/* A float instruction. Its permitted result goes to the register of the result. 0: the interpretation cannot go on. */
static int hook_arith(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    struct judge *j = x->user;
    struct value_result r;
    /* CLAUSE_FTOI: in OpenCL a conversion of a float that no integer can hold gives an implementation-defined value. Vulkan
     * has no such clause: there the program has no defined behaviour, before this instruction as well as after it. */
    bool const is_checked = x->tc->env == ENV_VK && (!j->is_blind || has_known_operand(x, inv, in));
    if (is_checked && !value_fits_integer(x, &j->rules, inv, in)) {
        x->undefined = UNDEFINED_CONVERSION;
    }
    int const done = value_apply(x, &j->rules, inv, in, &r);
    if (done == 1) {
        policy_tell(j->policy, j,
                    &(struct policy_site){.kind = SITE_RESULT, .inv = inv, .in = in, .result = &r});
        value_put(x, inv, in, &r);
    }
    return done == 1;
}

static int hook_builtin(struct exec *x, struct invocation *inv, uint32_t builtin, uint32_t c,
                        struct val *out)
{
    if (c != 0) {
        x->stop = "a built-in of sub-groups that is no scalar";
        return 0;
    }
    return subgroup_load(x->user, inv, builtin, out);
}

/* A phi, load, call or copy has its result, which is widened by the bound of its own decoration, if it has one. */
static int hook_propagate(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    struct judge *const j = x->user;
    struct val *const v = exec_reg(x, inv, in->result);
    for (uint32_t c = 0; value_propagates(x->m, in) && c < x->m->ids[in->result].n_slots; c++) {
        struct val const propagated = v[c];
        v[c] = value_within(x, &j->rules, in, c, v[c]);
        policy_tell(j->policy, j,
                    &(struct policy_site){.kind = SITE_PROPAGATED,
                                          .inv = inv,
                                          .in = in,
                                          .component = c,
                                          .value = propagated,
                                          .out = &v[c]});
    }
    return x->stop == NULL;
}

/* Only the stores of the invocation are unknown then, as no other one may load them. */
static int hook_lose(struct exec *x, struct invocation *inv)
{
    struct judge *const j = x->user;
    (void)inv;
    if (!j->may_end_alone) {
        return 0;
    }
    j->memory.n_unknown++;
    j->out->n_inconclusive++;
    j->out->note = x->stop;
    return 1;
}

static void hook_enter(struct exec *x, struct invocation *inv, uint32_t from)
{
    struct judge *const j = x->user;
    if (j->iterations) {
        iteration_enter(j, inv, from);
    }
    policy_tell(j->policy, j, &(struct policy_site){.kind = SITE_BLOCK, .inv = inv});
}

static const struct exec_hooks judge_hooks = {.load = hook_load,
                                              .store = hook_store,
                                              .pad = hook_pad,
                                              .atomic = hook_atomic,
                                              .arith = hook_arith,
                                              .builtin = hook_builtin,
                                              .propagate = hook_propagate,
                                              .lose = hook_lose,
                                              .enter = hook_enter};

/* ---- the interpretation of all work-groups ---- */

/* Interprets all invocations of a work-group, with the registers of inv[]. Each runs up to the next program point
 * where it must wait for others: a barrier, a merge block, or a group instruction. tangle_next then says which of them
 * go on. 0: the run has stopped, or must start again because an assumption about shared memory was wrong
 * (memory.restart). */
static int run_group(struct judge *j, uint32_t group, struct invocation *inv)
{
    uint32_t const n = exec_group_items(&j->x, group);
    struct tangle_site site;
    exec_start_group(&j->x, group, inv);
    if (j->iterations) {
        iteration_begin(j);
    }
    j->groups.inv = inv;
    j->groups.n = n;
    if (j->groups.lanes) {
        subgroup_reset(j, n);
    }
    for (;;) {
        for (uint32_t i = 0; i < n; i++) {
            if ((inv[i].state == INV_READY && !exec_run(&j->x, &inv[i], 0)) || j->memory.restart) {
                return 0;
            }
        }
        switch (tangle_next(&j->x, inv, n, &site)) {
        case TANGLE_GROUP:
            if (!judge_group_site(j, inv, n, &site)) {
                return 0;
            }
            tangle_release(inv, &site);
            break;
        case TANGLE_GO_ON:
            break;
        case TANGLE_DONE:
            return 1;
        case TANGLE_STOPPED:
            return 0;
        }
    }
}

/* Forgets all that an attempt has left, except how objects are used and which instructions are contended. */
static void forget_attempt(struct judge *j)
{
    if (!policy_begin(j->policy, j)) {
        (void)exec_stop(&j->x, "arena full");
    }
    *j->out = (struct judgement){.note = ""};
    j->memory.lost_stores = 0;
    j->memory.n_unknown = 0;
    j->memory.has_lost_invocation = false;
    memset(j->memory.n_probed, 0, sizeof j->memory.n_probed);
    memset(j->memory.n_kept, 0, sizeof j->memory.n_kept);
    j->groups.wrong_size = 0;
    j->groups.search_left = JUDGE_SEARCH_STEPS;
    if (j->groups.records) {
        memset(j->groups.records, 0, sizeof *j->groups.records * j->m.n_code);
    }
    for (int op = 0; op < OP_N; op++) {
        if (j->covered.ops[op]) {
            *j->covered.ops[op] = (struct covered_op){0};
        }
    }
    for (uint32_t b = 0; b < j->input.tc->n_bufs; b++) {
        memset(j->memory.touch[b], 0, j->input.tc->bufs[b].n_bytes);
    }
    access_reset(j);
}

/* Must the case be interpreted again, with loads of other invocations' stores unconstrained? So where stores are missing
 * while invocations exchange values through memory: wrong values that follow from a missing store are no additional bug. */
static bool must_unconstrain(struct judge *j)
{
    bool is_shared = false;
    for (uint32_t i = 0; i < MOD_MAX_WG_OBJECTS; i++) {
        is_shared |= (j->memory.group_use[i] & (USE_SEVERAL | USE_ATOMIC)) == USE_SEVERAL;
    }
    for (uint32_t i = 0; i < CASE_MAX_BUFS; i++) {
        is_shared |= (j->memory.buffer_use[i] & USE_EXCHANGED) != 0;
    }
    bool const is_lost = j->memory.lost_stores || j->memory.has_lost_invocation;
    bool const must = is_shared && is_lost && !j->memory.is_unconstrained;
    j->memory.is_unconstrained |= must;
    return must;
}

/* Does the environment leave remainders of negative operands undefined? Vulkan does, unless the case needs
 * VK_KHR_maintenance8 and the device was created with it. */
static bool leaves_remainders(const struct judge *j)
{
    bool const is_enabled = needs_has(&j->input.tc->needs, NEED_VK_NEGATIVE_REMAINDER) &&
                            facts_meet(j->input.ob->facts, NEED_VK_NEGATIVE_REMAINDER);
    return j->input.tc->env == ENV_VK && !is_enabled;
}

/* Interprets all work-groups. A location counts as private to one invocation until a second one accesses it. The
 * values that were followed until then may be wrong, so the interpretation starts again, with the instructions known
 * that access contended locations. It also starts again if the policy asks for it, or if stores turn out to be
 * missing (must_unconstrain). After MAX_ATTEMPTS it is given up (x.stop). */
static enum res run_dispatch(struct judge *j, struct invocation *inv, struct err *e)
{
    uint64_t n_steps = 0; /* of all attempts together, which share one budget (EXEC_MAX_STEPS) */
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        TRY(exec_init(&j->x, &j->m, j->input.tc, &judge_hooks, j, j->a, e));
        j->x.n_steps = n_steps;
        j->x.leaves_remainders = leaves_remainders(j);
        if (j->covered.map && attempt > 0) { /* the previous attempt has set cells */
            feature_clear(j->covered.map);
        }
        forget_attempt(j);
        uint32_t g = 0;
        while (g < j->x.n_groups && !j->x.stop && run_group(j, g, inv)) {
            g++;
        }
        bool const is_over = !j->memory.restart && !j->x.stop;
        bool const is_again = is_over && policy_end(j->policy, j);
        if (!j->memory.restart && !is_again && !must_unconstrain(j)) {
            return RES_OK;
        }
        n_steps = j->x.n_steps;
    }
    j->x.stop = "sharing between invocations that does not settle";
    return RES_OK;
}

/* Allocates the invocations of one work-group with their registers, and what group instructions need of them. NULL:
 * the arena is full. */
static struct invocation *make_invocations(struct judge *j)
{
    uint32_t const n = j->input.tc->local[0] * j->input.tc->local[1] * j->input.tc->local[2];
    struct invocation *inv = ARENA_NEW(j->a, struct invocation, n);
    struct val *regs = ARENA_NEW(j->a, struct val, (size_t)n * (j->m.n_regs + 1));
    struct val *func = ARENA_NEW(j->a, struct val, (size_t)n * (j->m.n_func_objects + 1));
    if (j->m.has_groups) {
        j->groups.lanes = ARENA_NEW(j->a, struct judge_lane, n);
        j->groups.records = ARENA_NEW(j->a, struct group_record *, j->m.n_code + 1);
        inv = j->groups.lanes && j->groups.records ? inv : NULL;
    }
    for (uint32_t i = 0; inv && regs && func && i < n; i++) {
        inv[i].regs = regs + (size_t)i * j->m.n_regs;
        inv[i].func = func + (size_t)i * j->m.n_func_objects;
    }
    return regs && func ? inv : NULL;
}

/* The interpretation stopped before its end (x.stop), which the note says. If invocations may share memory, findings
 * prove nothing: an invocation that was not interpreted may have written what another one loads. Else they stay. */
static void report_unfinished(struct judge *j)
{
    if (j->memory.n_cells > 0 || j->memory.is_shared) {
        j->out->n_found = j->out->n_findings = 0;
        j->out->kind = VERDICT_OK;
    }
    j->out->n_inconclusive++;
    j->out->note = j->x.stop;
}

/* Has the module an instruction whose operands may leave the program without defined behaviour: a division of
 * integers, an instruction with NoSignedWrap or NoUnsignedWrap, or in Vulkan a conversion of a float to an integer? */
static bool may_lose_behaviour(const struct judge *j)
{
    for (uint32_t i = 0; i < j->m.n_code; i++) {
        const struct mod_inst *const in = &j->m.code[i];
        bool const is_division = in->op == SpvOpUDiv || in->op == SpvOpSDiv ||
                                 (in->op >= SpvOpUMod && in->op <= SpvOpSMod);
        bool const is_conversion = in->op == SpvOpConvertFToS || in->op == SpvOpConvertFToU;
        uint32_t const flags = in->result ? j->m.ids[in->result].flags : 0;
        bool const never_wraps = (flags & (ID_NO_SIGNED_WRAP | ID_NO_UNSIGNED_WRAP)) != 0;
        if (is_division || never_wraps || (is_conversion && j->input.tc->env == ENV_VK)) {
            return true;
        }
    }
    return false;
}

/* May the program have no defined behaviour? If the interpretation stopped early, an instruction after that point may
 * have none. */
static bool may_be_undefined(const struct judge *j)
{
    return j->x.undefined || (j->x.stop && may_lose_behaviour(j));
}

/* Replaces the judgement by an inconclusive one: a program without defined behaviour may leave anything in all of its
 * memory. */
static void forget_findings(struct judge *j)
{
    *j->out =
        (struct judgement){.n_inconclusive = 1,
                           .undefined = j->x.undefined,
                           .note = j->x.undefined ? undefined_texts[j->x.undefined] : j->x.stop};
    if (j->covered.map) {
        feature_clear(j->covered.map);
    }
}

/* May one invocation end without the others, where it was not followed? It exchanges no values with them, and nothing that it would
 * have executed takes the defined behaviour of the whole program away. */
static bool may_end_alone(const struct judge *j)
{
    bool is_free = j->input.tc->n_dispatches <= 1 && !j->m.has_groups && !may_lose_behaviour(j);
    for (uint32_t i = 0; i < j->m.n_code && is_free; i++) {
        is_free = j->m.code[i].part != PART_ATOMIC && j->m.code[i].op != SpvOpControlBarrier;
    }
    return is_free;
}

/* Interprets the module and judges each value that it stores (access_store), then memory (finish_memory). If the
 * program may have no defined behaviour, all findings are taken back. If the interpretation stopped early,
 * report_unfinished says which of them stay. */
static enum res judge_values(struct judge *j, struct err *e)
{
    TRY(module_decode_case(&j->m, j->input.tc, j->a, e));
    ruleset_init(&j->rules, &j->m, j->input.tc, j->input.ob->facts);
    struct invocation *inv = make_invocations(j);
    j->memory.contended = ARENA_NEW(j->a, unsigned char, j->m.n_code + 1);
    bool has_room = inv && j->memory.contended;
    for (uint32_t b = 0; b < j->input.tc->n_bufs; b++) {
        j->memory.touch[b] = ARENA_NEW(j->a, unsigned char, j->input.tc->bufs[b].n_bytes);
        has_room = has_room && j->memory.touch[b];
    }
    if (!has_room) {
        return err_set(e, RES_NOMEM, "judge: arena full at %zu bytes", j->a->used_bytes);
    }
    iteration_make(j);
    j->may_end_alone = may_end_alone(j);
    enum res r = run_dispatch(j, inv, e);
    /* memory is judged only of a whole interpretation, and not where what the run stored is not to be looked at */
    if (r == RES_OK && !j->x.stop && !j->x.undefined && !j->is_blind) {
        r = finish_memory(j, e);
    }
    if (r != RES_OK) {
        return r;
    }
    if (may_be_undefined(j)) {
        forget_findings(j);
    } else if (j->x.stop) {
        report_unfinished(j);
    } else if (j->memory.n_unknown) {
        j->out->note = arena_printf(j->a, "%u of %u invocations were not followed to their end: %s",
                                    j->memory.n_unknown, j->x.n_items, j->out->note);
    }
    return RES_OK;
}

/* ---- many findings of one cause ---- */

/* The expectations of all violations so far: [*n]. */
static const struct expect *list_expectations(struct judge *j, uint32_t *n)
{
    struct expect *const out = ARENA_NEW(j->a, struct expect, JUDGE_MAX_FINDINGS);
    for (uint32_t i = 0; out && i < j->out->n_findings; i++) {
        const struct finding *const f = &j->out->findings[i];
        if (f->expect && verdict_rows[f->kind].part == PART_VIOLATION) {
            out[(*n)++] = *f->expect;
        }
    }
    return out;
}

/* Replaces all findings so far by one finding of that clause, whose text counts them. */
static void report_as_one(struct judge *j, enum clause_id clause, const char *what)
{
    struct judgement *const o = j->out;
    uint32_t const n = o->n_found;
    const char *const first = o->findings[0].text;
    uint32_t n_also = 0; /* expectations that the one finding carries */
    const struct expect *const also = list_expectations(j, &n_also);
    o->n_findings = o->n_found = 0;
    o->kind = VERDICT_OK;
    struct finding *f = judge_finding(j, VERDICT_MASK, clause, GRADE_VIOLATION);
    if (f) {
        f->also = also;
        f->n_also = n_also;
        f->text = arena_printf(j->a, "%s: %u wrong values%s, the first: %s", what, n,
                               j->input.ob->guard_hits ? ", and bytes outside of the buffers" : "",
                               first);
    }
}

/* Is the finding of an invocation in a work-group that is smaller than the others? */
static bool is_in_smaller_group(const struct testcase *tc, const struct finding *f)
{
    uint32_t rest = f->invocation;
    bool is_smaller = false;
    for (int d = 0; d < 3; d++) {
        uint32_t const id = rest % tc->global[d], n_whole = tc->global[d] / tc->local[d];
        is_smaller |= id >= n_whole * tc->local[d];
        rest /= tc->global[d];
    }
    return is_smaller;
}

/* May the finding come of absent invocations: work-items beyond the global size that the driver executes all the same? They
 * would store to certain words (absent->touched), and exchange values with the invocations of their work-group. */
static bool may_come_of_absent(const struct judge *j, const struct absent *absent,
                               const struct finding *f)
{
    if (absent->is_open || (absent->is_joint && is_in_smaller_group(j->input.tc, f))) {
        return true;
    }
    if (!f->expect) { /* the finding is of no one word */
        return absent->is_inside || (f->kind == VERDICT_CORRUPT && absent->is_outside);
    }
    bool is_touched = false;
    for (uint32_t i = 0; i < f->expect->n_bytes; i++) {
        is_touched |= absent->touched[f->expect->buf][f->expect->byte + i] != 0;
    }
    return is_touched;
}

/* Appends findings that were kept aside. */
static void put_back(struct judgement *o, const struct finding *kept, uint32_t n)
{
    for (uint32_t i = 0; i < n && o->n_findings < JUDGE_MAX_FINDINGS; i++) {
        o->findings[o->n_findings++] = kept[i];
        o->n_found++;
        o->kind = kept[i].kind > o->kind ? kept[i].kind : o->kind;
    }
}

/* A dispatch whose last work-groups are smaller (CLAUSE_ND_RANGE): replaces all findings that may come of absent
 * invocations by one finding. The other findings stay, after it. Findings that were counted (n_found) and not kept, as
 * there were too many, count as explained. Nothing changes where the arena is full, or no finding is explained. */
static void sum_up_absent(struct judge *j)
{
    const struct testcase *const tc = j->input.tc;
    struct judgement *const o = j->out;
    struct finding others[JUDGE_MAX_FINDINGS];
    struct absent absent;
    uint32_t n_others = 0, n_explained = 0;
    if (!absent_find(&j->x, &j->rules, &absent)) {
        return;
    }
    for (uint32_t i = 0; i < o->n_findings; i++) {
        if (may_come_of_absent(j, &absent, &o->findings[i])) {
            o->findings[n_explained++] = o->findings[i];
        } else {
            others[n_others++] = o->findings[i];
        }
    }
    if (n_explained > 0) {
        o->n_findings = n_explained;
        o->n_found -= n_others;
        report_as_one(j, CLAUSE_ND_RANGE,
                      arena_printf(j->a,
                                   "%ux%ux%u work-items in work-groups of %ux%ux%u, the last of "
                                   "which is smaller",
                                   tc->global[0], tc->global[1], tc->global[2], tc->local[0],
                                   tc->local[1], tc->local[2]));
        put_back(o, others, n_others);
    }
}

/* May an absent invocation have ended the run, by an access outside of all buffers? `blind` has interpreted the case. */
static bool may_absent_crash(struct judge *blind)
{
    struct absent absent;
    return judge_is_uneven(blind->input.tc) &&
           (!absent_find(&blind->x, &blind->rules, &absent) || absent.is_open || absent.is_outside);
}

/* The first dispatch of which no probe has changed, while a probe of another dispatch has; n_dispatches: there is none. */
static uint32_t find_lost_dispatch(const struct judge *j)
{
    uint32_t const n = j->x.n_dispatches;
    uint32_t lost = n;
    bool has_others = false;
    for (uint32_t i = n; i-- > 0;) {
        bool const is_lost =
            j->memory.n_probed[i] > 0 && j->memory.n_kept[i] == j->memory.n_probed[i];
        has_others |= j->memory.n_kept[i] < j->memory.n_probed[i];
        lost = is_lost ? i : lost;
    }
    return has_others ? lost : n;
}

/* A dispatch did not run, or ran on the work-groups of another one: replaces all findings by one. */
static void sum_up_dispatch(struct judge *j, uint32_t lost)
{
    const struct dispatch *const d = &j->x.dispatches[lost];
    report_as_one(
        j, CLAUSE_DISPATCH_BASE,
        arena_printf(j->a,
                     "of %u dispatches number %u, of %ux%ux%u work-groups from %u, %u, %u "
                     "on, stored nothing",
                     j->x.n_dispatches, lost, d->n[0], d->n[1], d->n[2], d->base[0], d->base[1],
                     d->base[2]));
}

/* "buffer 1, buffer 4": the buffers whose bit is set in `hits`. */
static const char *name_buffers(uint32_t hits, struct arena *a)
{
    const char *all = "";
    for (uint32_t i = 0; i < CASE_MAX_BUFS; i++) {
        if (hits >> i & 1) {
            all = arena_printf(a, "%s%sbuffer %u", all, all[0] ? ", " : "", i);
        }
    }
    return all;
}

/* Reports that bytes around the buffers have changed. */
static void report_guards(struct judge *j)
{
    struct finding *f = judge_finding(j, VERDICT_CORRUPT, CLAUSE_OUT_OF_BOUNDS, GRADE_VIOLATION);
    if (f) {
        f->text = arena_printf(j->a, "bytes just outside of %s have changed",
                               name_buffers(j->input.ob->guard_hits, j->a));
    }
}

/* ---- the verdict ---- */

/* Judges a run that ended well, of a case that may be run. The verdict is that of the worst finding (judge_finding);
 * without a finding it is inconclusive or bounded if a part of the case was. */
static enum res judge_done(struct judge *j, struct err *e)
{
    struct judgement *out = j->out;
    TRY(judge_values(j, e));
    if (j->input.ob->guard_hits && !may_be_undefined(j) && !policy_guards(j->policy, j)) {
        report_guards(j);
    }
    bool const is_broken = out->n_findings && verdict_rows[out->kind].part == PART_VIOLATION;
    if (is_broken && judge_is_uneven(j->input.tc)) {
        sum_up_absent(j);
    } else if (is_broken && find_lost_dispatch(j) < j->x.n_dispatches) {
        sum_up_dispatch(j, find_lost_dispatch(j));
    }
    if (out->kind == VERDICT_OK && out->n_inconclusive) {
        out->kind = VERDICT_INCONCLUSIVE;
    } else if (out->kind == VERDICT_OK && out->n_bounded) {
        out->kind = VERDICT_BOUNDED;
    }
    return RES_OK;
}

/* Did the driver die, hang or lose its device while it ran the case? */
static bool has_ended_badly(const struct judge_input *input)
{
    enum run_status const s = input->ob->status;
    bool const is_bad = s == RUN_CRASH || s == RUN_HANG || s == RUN_EXIT || s == RUN_DEVICE_LOST;
    bool const was_running = input->ob->phase == PHASE_RUN || input->ob->phase == PHASE_READ ||
                             input->ob->phase == PHASE_DONE;
    return is_bad && was_running && input->tc->class != CLASS_ILLEGAL;
}

/* A run ended badly. Interprets its program without a look at anything that the run stored. If the program has no
 * defined behaviour, or does not end within EXEC_MAX_STEPS, it may end in any way: true, and j->out is inconclusive.
 * Else false, and j->is_absent_crash says whether work-items that an uneven dispatch does not have may have ended the
 * run. */
static bool settle_undefined_run(struct judge *j)
{
    struct err ignored = {0}; /* a module that is not decoded is judged by how the run ended */
    struct judge *const blind = ARENA_NEW(j->a, struct judge, 1);
    struct judgement *const scratch = ARENA_NEW(j->a, struct judgement, 1);
    if (!blind || !scratch) {
        return false;
    }
    blind->input = j->input;
    blind->policy = &policy_of_specifications;
    blind->a = j->a;
    blind->out = scratch;
    blind->is_blind = true;
    if (judge_values(blind, &ignored) != RES_OK) {
        return false;
    }
    bool const is_endless = blind->x.n_steps > EXEC_MAX_STEPS;
    if (!blind->x.undefined && !is_endless) {
        j->is_absent_crash = may_absent_crash(blind);
        return false;
    }
    j->x.undefined = blind->x.undefined;
    j->x.stop = blind->x.stop;
    forget_findings(j);
    j->out->kind = VERDICT_INCONCLUSIVE;
    return true;
}

/* Does the judgement depend on the kernel's arguments? It does if the case ran, or if the driver refused to run it. */
static bool needs_arguments(const struct judge *j)
{
    const struct observation *const ob = j->input.ob;
    bool const is_refused = ob->status == RUN_REJECT && ob->phase >= PHASE_RUN;
    return j->input.tc->class != CLASS_ILLEGAL && (ob->status == RUN_DONE || is_refused);
}

/* If the kernel has an argument that cannot be a buffer, a run or a refusal to run says nothing of the driver: true,
 * and j->out is inconclusive with a note that names the argument. A build, or the driver's death, is judged all the
 * same. */
static bool settle_unsupported_argument(struct judge *j)
{
    if (!needs_arguments(j)) {
        return false;
    }
    const char *const unsupported = kernel_args_find_unsupported(j->input.tc, j->a);
    if (!unsupported[0]) {
        return false;
    }
    j->out->kind = VERDICT_INCONCLUSIVE;
    j->out->n_inconclusive++;
    j->out->note = unsupported;
    return true;
}

/* Have the findings' sentences use the words of the case's environment. */
static void say_in_words(enum env env, struct judgement *g, struct arena *a)
{
    for (uint32_t i = 0; i < g->n_findings; i++) {
        g->findings[i].text = words_say(env, g->findings[i].text, a);
    }
}

/* Judges a case by what was observed of it, into *out. map, pairs: the cells of features, or NULL (judge_run_mapped). A run
 * that did not end well is judged by how it ended (judge_status). An illegal case that ran was accepted wrongly. */
static enum res judge_input(struct judge_input input, const struct judge_policy *policy,
                            unsigned char *map, unsigned char *pairs, struct arena *a,
                            struct judgement *out, struct err *e)
{
    struct judge *j = ARENA_NEW(a, struct judge, 1);
    struct feature_map *features = map ? ARENA_NEW(a, struct feature_map, 1) : NULL;
    *out = (struct judgement){.note = ""};
    if (!j || (map && !features)) {
        return err_set(e, RES_NOMEM, "judge: arena full at %zu bytes", a->used_bytes);
    }
    j->input = input;
    j->policy = policy;
    j->a = a;
    j->out = out;
    j->covered.map = features;
    if (features) {
        features->cells = map;
        features->pairs = pairs;
        feature_clear(features);
    }
    const char *const misfit = needs_arguments(j) ? kernel_args_find_misfit(input.tc, a) : "";
    if (misfit[0]) { /* a mistake of the case: the kernel cannot be run with these arguments */
        return err_set(e, RES_FORMAT, "case: %s", misfit);
    }
    if (settle_unsupported_argument(j) || (has_ended_badly(&input) && settle_undefined_run(j))) {
        return RES_OK; /* j->out is inconclusive */
    }
    if (input.ob->status != RUN_DONE) {
        judge_status(j);
        return RES_OK;
    }
    if (input.tc->class == CLASS_ILLEGAL) {
        out->kind = VERDICT_ACCEPTS_INVALID;
        return RES_OK;
    }
    enum res const r = judge_done(j, e);
    say_in_words(input.tc->env, out, a);
    return r;
}

enum res judge_run_mapped(const struct testcase *tc, const struct observation *ob,
                          unsigned char *map, unsigned char *pairs, struct arena *a,
                          struct judgement *out, struct err *e)
{
    return judge_input((struct judge_input){.tc = tc, .ob = ob}, &policy_of_specifications, map,
                       pairs, a, out, e);
}

enum res judge_run(const struct testcase *tc, const struct observation *ob, struct arena *a,
                   struct judgement *out, struct err *e)
{
    return judge_run_mapped(tc, ob, NULL, NULL, a, out, e);
}

enum res judge_run_under(const struct testcase *tc, const struct observation *ob,
                         const struct judge_policy *policy, struct arena *a, struct judgement *out,
                         struct err *e)
{
    return judge_input((struct judge_input){.tc = tc, .ob = ob}, policy, NULL, NULL, a, out, e);
}
