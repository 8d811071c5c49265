/* oracle/judge/judge.c -- the only door of the oracle: a verdict from a case and an observation. */
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
#include "oracle/value/absent.h"
#include "oracle/value/value.h"
#include "oracle/value/value_to_int.h"
#include "oracle/value/value_within.h"

enum {
    MAX_ATTEMPTS = 64,
    JUDGE_SEARCH_STEPS = 100000000 /* for extremes of sums: about a tenth of a second per case */
};

static int hook_load(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                     struct location p, uint32_t type, struct val *out)
{
    struct judge *const j = x->user;
    int const done = access_load(j, inv, in, p, type, out);
    if (done) {
        policy_tell(j, (struct policy_site){.kind = SITE_LOADED, .inv = inv, .in = in, .out = out});
    }
    return done;
}

static int hook_store(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                      struct location p, uint32_t type, struct val v)
{
    struct judge *const j = x->user;
    policy_tell(j, (struct policy_site){.kind = SITE_STORE,
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

/* Is all of its first operand known? */
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

static int hook_arith(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    struct judge *j = x->user;
    struct value_result r;
    /* OpenCL's environment specification makes of it a value that the implementation defines; Vulkan has no
     * such clause, so there the program may do anything, before this instruction as well as after it */
    if (x->tc->env == ENV_VK && (!j->is_blind || has_known_operand(x, inv, in)) &&
        !value_fits_integer(x, &j->rules, inv, in)) {
        x->undefined = UNDEFINED_CONVERSION;
    }
    int const done = value_apply(x, &j->rules, inv, in, &r);
    if (done == 1) {
        policy_tell(j,
                    (struct policy_site){.kind = SITE_RESULT, .inv = inv, .in = in, .result = &r});
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

static int hook_propagate(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    struct judge *const j = x->user;
    struct val *const v = exec_reg(x, inv, in->result);
    for (uint32_t c = 0; value_propagates(x->m, in) && c < x->m->ids[in->result].n_slots; c++) {
        struct val const propagated = v[c];
        v[c] = value_within(x, &j->rules, in, c, v[c]);
        policy_tell(j, (struct policy_site){.kind = SITE_PROPAGATED,
                                            .inv = inv,
                                            .in = in,
                                            .component = c,
                                            .value = propagated,
                                            .out = &v[c]});
    }
    return x->stop == NULL;
}

static void hook_enter(struct exec *x, struct invocation *inv, uint32_t from)
{
    struct judge *const j = x->user;
    if (j->iterations) {
        iteration_enter(j, inv, from);
    }
    policy_tell(j, (struct policy_site){.kind = SITE_BLOCK, .inv = inv});
}

static const struct exec_hooks judge_hooks = {.load = hook_load,
                                              .store = hook_store,
                                              .pad = hook_pad,
                                              .atomic = hook_atomic,
                                              .arith = hook_arith,
                                              .builtin = hook_builtin,
                                              .propagate = hook_propagate,
                                              .enter = hook_enter};

/* Interprets all invocations of a work-group: each runs up to the next point where it must wait for others (a
 * barrier, a merge block, a group instruction), then those who wait there are let go on. 0 when the run
 * stopped, or must start again because a location turned out to be contended. */
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

/* Forget what an attempt has left, but which instructions are contended. */
static void forget_attempt(struct judge *j)
{
    if (!j->policy->begin(j->policy->state, j)) {
        (void)exec_stop(&j->x, "arena full");
    }
    *j->out = (struct judgement){.note = ""};
    j->memory.lost_stores = 0;
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

/* Have invocations turned out to be lost, of which others were to load what they stored? Then all begins again, and what
 * they load may be anything: what they make of it is no further bug. */
static bool must_open(struct judge *j)
{
    bool is_shared = false;
    for (uint32_t i = 0; i < MOD_MAX_WG_OBJECTS; i++) {
        is_shared |= (j->memory.group_use[i] & (USE_SEVERAL | USE_ATOMIC)) == USE_SEVERAL;
    }
    for (uint32_t i = 0; i < CASE_MAX_BUFS; i++) {
        is_shared |= (j->memory.buffer_use[i] & USE_EXCHANGED) != 0;
    }
    bool const is_lost = j->memory.lost_stores || j->memory.has_lost_invocation;
    bool const opens = is_shared && is_lost && !j->memory.is_unconstrained;
    j->memory.is_unconstrained |= opens;
    return opens;
}

/* Does the environment leave remainders of negative operands undefined? Vulkan, but where the case needs maintenance8 and
 * the device was made with it. */
static bool leaves_remainders(const struct judge *j)
{
    bool const is_enabled = needs_has(&j->input.tc->needs, NEED_VK_NEGATIVE_REMAINDER) &&
                            facts_meet(j->input.ob->facts, NEED_VK_NEGATIVE_REMAINDER);
    return j->input.tc->env == ENV_VK && !is_enabled;
}

/* Interprets all work-groups. A location counts as one invocation's own until a second one comes to it. As
 * values may have been taken wrongly by then, everything begins again, with the instructions known that share
 * locations (forget_attempt keeps them). A run that still changes after MAX_ATTEMPTS is given up (x.stop). */
static enum res run_dispatch(struct judge *j, struct invocation *inv, struct err *e)
{
    uint64_t n_steps = 0; /* the budget is for all attempts together */
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        TRY(exec_init(&j->x, &j->m, j->input.tc, &judge_hooks, j, j->a, e));
        j->x.n_steps = n_steps;
        j->x.leaves_remainders = leaves_remainders(j);
        if (j->covered.map && attempt > 0) { /* the attempt before has left its cells */
            feature_clear(j->covered.map);
        }
        forget_attempt(j);
        uint32_t g = 0;
        while (g < j->x.n_groups && !j->x.stop && run_group(j, g, inv)) {
            g++;
        }
        bool const is_over = !j->memory.restart && !j->x.stop;
        bool const is_again = is_over && j->policy->end(j->policy->state, j);
        if (!j->memory.restart && !is_again && !must_open(j)) {
            return RES_OK;
        }
        n_steps = j->x.n_steps;
    }
    j->x.stop = "sharing between invocations that does not settle";
    return RES_OK;
}

static struct invocation *make_group(struct judge *j)
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

/* The run was not followed to its end. Others may share a cell that one invocation seemed to have for
 * itself, or have stored where one was looked for: what was found about memory so far proves nothing. */
static void stop_early(struct judge *j)
{
    if (j->memory.n_cells > 0 || j->memory.is_shared) {
        j->out->n_found = j->out->n_findings = 0;
        j->out->kind = VERDICT_OK;
    }
    j->out->n_inconclusive++;
    j->out->note = j->x.stop;
}

/* Has the module an instruction that takes the program's behaviour away on some operands: a division of integers, one that is
 * decorated not to wrap, and in Vulkan a conversion of floats to integers? */
static bool has_pitfall(const struct judge *j)
{
    for (uint32_t i = 0; i < j->m.n_code; i++) {
        const struct mod_inst *const in = &j->m.code[i];
        bool const is_division = in->op == SpvOpUDiv || in->op == SpvOpSDiv ||
                                 (in->op >= SpvOpUMod && in->op <= SpvOpSMod);
        bool const is_conversion = in->op == SpvOpConvertFToS || in->op == SpvOpConvertFToU;
        uint32_t const never_wraps = ID_NO_SIGNED_WRAP | ID_NO_UNSIGNED_WRAP;
        if (is_division || (is_conversion && j->input.tc->env == ENV_VK) ||
            (in->result && (j->m.ids[in->result].flags & never_wraps))) {
            return true;
        }
    }
    return false;
}

/* May the program have no defined behaviour? One that was not followed to its end may still have come to an
 * instruction that takes it away. */
static bool may_be_undefined(const struct judge *j)
{
    return j->x.undefined || (j->x.stop && has_pitfall(j));
}

/* Such a program may leave anything behind, also in what was stored before. */
static void forget_all(struct judge *j)
{
    *j->out =
        (struct judgement){.n_inconclusive = 1,
                           .undefined = j->x.undefined,
                           .note = j->x.undefined ? undefined_texts[j->x.undefined] : j->x.stop};
    if (j->covered.map) {
        feature_clear(j->covered.map);
    }
}

/* Interprets the module, judging each value that it stores, then the contents of memory. If what the program
 * does may be undefined, all findings are taken back; if the run could not be followed to its end, stop_early
 * says which of them stay. */
static enum res judge_values(struct judge *j, struct err *e)
{
    TRY(module_decode_case(&j->m, j->input.tc, j->a, e));
    ruleset_init(&j->rules, &j->m, j->input.tc, j->input.ob->facts);
    struct invocation *inv = make_group(j);
    j->memory.contended = ARENA_NEW(j->a, unsigned char, j->m.n_code + 1);
    for (uint32_t b = 0; b < j->input.tc->n_bufs; b++) {
        j->memory.touch[b] = ARENA_NEW(j->a, unsigned char, j->input.tc->bufs[b].n_bytes);
        if (!j->memory.touch[b]) {
            inv = NULL;
        }
    }
    if (!inv || !j->memory.contended) {
        return err_set(e, RES_NOMEM, "judge: arena full at %zu bytes", j->a->used_bytes);
    }
    iteration_make(j);
    enum res r = run_dispatch(j, inv, e);
    if (r == RES_OK && !j->x.stop && !j->x.undefined && !j->is_blind) {
        r = finish_memory(j, e);
    }
    if (r != RES_OK) {
        return r;
    }
    if (may_be_undefined(j)) {
        forget_all(j);
    } else if (j->x.stop) {
        stop_early(j);
    }
    return RES_OK;
}

/* The words of all violations so far: [*n]. */
static const struct expect *take_words(struct judge *j, uint32_t *n)
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

/* One finding of that clause stands for all so far, of which the text tells how many there were. NULL: there is no room. */
static struct finding *sum_up(struct judge *j, enum clause_id clause, const char *what)
{
    struct judgement *const o = j->out;
    uint32_t const n = o->n_found;
    const char *const first = o->findings[0].text;
    uint32_t n_also = 0;
    const struct expect *const also = take_words(j, &n_also);
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
    return f;
}

/* Is the work-group of the finding's invocation smaller than the others? */
static bool is_in_smaller_group(const struct testcase *tc, const struct finding *f)
{
    uint32_t rest = f->invocation;
    bool is_it = false;
    for (int d = 0; d < 3; d++) {
        uint32_t const id = rest % tc->global[d], n_whole = tc->global[d] / tc->local[d];
        is_it |= id >= n_whole * tc->local[d];
        rest /= tc->global[d];
    }
    return is_it;
}

/* May absent invocations have given what was found? They write where they would write, get values from those of their group
 * and give them some. */
static bool may_be_of_absent(const struct judge *j, const struct absent *absent,
                             const struct finding *f)
{
    if (absent->is_open || (absent->is_joint && is_in_smaller_group(j->input.tc, f))) {
        return true;
    }
    if (!f->expect) { /* no one word tells */
        return absent->is_inside || (f->kind == VERDICT_CORRUPT && absent->is_outside);
    }
    bool is_touched = false;
    for (uint32_t i = 0; i < f->expect->n_bytes; i++) {
        is_touched |= absent->touched[f->expect->buf][f->expect->byte + i] != 0;
    }
    return is_touched;
}

/* In a dispatch whose last groups are smaller, invocations that do not exist overwrite what others stored, and bytes outside the
 * buffers: one finding stands for all that these may have given. What they cannot have given stays. */
static void explain_uneven(struct judge *j)
{
    const struct testcase *const tc = j->input.tc;
    struct judgement *const o = j->out;
    struct finding left[JUDGE_MAX_FINDINGS];
    struct absent absent;
    uint32_t n_left = 0, n_explained = 0;
    if (!absent_find(&j->x, &j->rules, &absent)) {
        return;
    }
    for (uint32_t i = 0; i < o->n_findings; i++) {
        if (may_be_of_absent(j, &absent, &o->findings[i])) {
            o->findings[n_explained++] = o->findings[i];
        } else {
            left[n_left++] = o->findings[i];
        }
    }
    if (n_explained > 0) {
        o->n_findings = n_explained;
        o->n_found -= n_left;
        (void)sum_up(j, CLAUSE_ND_RANGE,
                     arena_printf(j->a,
                                  "%ux%ux%u work-items in work-groups of %ux%ux%u, the last of "
                                  "which is smaller",
                                  tc->global[0], tc->global[1], tc->global[2], tc->local[0],
                                  tc->local[1], tc->local[2]));
        for (uint32_t i = 0; i < n_left && o->n_findings < JUDGE_MAX_FINDINGS; i++) {
            o->findings[o->n_findings++] = left[i];
            o->n_found++;
            o->kind = left[i].kind > o->kind ? left[i].kind : o->kind;
        }
    } else {
        memcpy(o->findings, left, sizeof *left * n_left);
    }
}

/* May absent invocations have ended the run, by an access that lies in no buffer? `blind` has interpreted the case. */
static bool may_absent_crash(struct judge *blind)
{
    struct absent absent;
    return judge_is_uneven(blind->input.tc) &&
           (!absent_find(&blind->x, &blind->rules, &absent) || absent.is_open || absent.is_outside);
}

/* The first dispatch that left nothing of all that it was to store, while others did; n_dispatches: there is none. */
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

/* A dispatch that does not run, or on the work-groups of another: one finding stands for all that lacks. */
static void explain_dispatch(struct judge *j, uint32_t lost)
{
    const struct dispatch *const d = &j->x.dispatches[lost];
    (void)sum_up(j, CLAUSE_DISPATCH_BASE,
                 arena_printf(j->a,
                              "of %u dispatches number %u, of %ux%ux%u work-groups from %u, %u, %u "
                              "on, stored nothing",
                              j->x.n_dispatches, lost, d->n[0], d->n[1], d->n[2], d->base[0],
                              d->base[1], d->base[2]));
}

/* "buffer 1, buffer 4": those whose bit is set. */
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

/* Bytes around the buffers changed. */
static void report_guards(struct judge *j)
{
    struct finding *f = judge_finding(j, VERDICT_CORRUPT, CLAUSE_OUT_OF_BOUNDS, GRADE_VIOLATION);
    if (f) {
        f->text = arena_printf(j->a, "bytes just outside of %s have changed",
                               name_buffers(j->input.ob->guard_hits, j->a));
    }
}

/* A run that ended well, of a case that may be run. */
static enum res judge_done(struct judge *j, struct err *e)
{
    struct judgement *out = j->out;
    TRY(judge_values(j, e));
    if (j->input.ob->guard_hits && !may_be_undefined(j) &&
        !j->policy->guards(j->policy->state, j)) {
        report_guards(j);
    }
    bool const is_broken = out->n_findings && verdict_rows[out->kind].part == PART_VIOLATION;
    if (is_broken && judge_is_uneven(j->input.tc)) {
        explain_uneven(j);
    } else if (is_broken && find_lost_dispatch(j) < j->x.n_dispatches) {
        explain_dispatch(j, find_lost_dispatch(j));
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

/* Has the program of a run that ended badly no defined behaviour, or no end within the steps that are followed, as far as that
 * shows without anything that it stored? Then the judgement is that, and how the run ended is the driver's own affair. */
static bool is_undefined_run(struct judge *j)
{
    struct err ignored = {0};
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
    forget_all(j);
    j->out->kind = VERDICT_INCONCLUSIVE;
    return true;
}

/* Is it judged what came of a run, or that the driver refused to run the kernel, both of which take arguments? */
static bool needs_arguments(const struct judge *j)
{
    const struct observation *const ob = j->input.ob;
    bool const is_refused = ob->status == RUN_REJECT && ob->phase >= PHASE_RUN;
    return j->input.tc->class != CLASS_ILLEGAL && (ob->status == RUN_DONE || is_refused);
}

/* Has the kernel an argument that no buffer can be? What came of a run of it, or that the driver refused to run it, then
 * says nothing of the driver, and the note says which argument it is. That it was built, or died, is judged. */
static bool is_unset(struct judge *j)
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

/* Judges a case by what was observed of it, into *out. map: cells of features that are set on the way; pairs:
 * the finer map; NULL where nobody asks. A run that did not end well is judged by how it ended; an illegal
 * case that ran was accepted wrongly. */
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
    if (misfit[0]) {
        return err_set(e, RES_FORMAT, "case: %s", misfit);
    }
    if (is_unset(j) || (has_ended_badly(&input) && is_undefined_run(j))) {
        return RES_OK;
    }
    if (input.ob->status != RUN_DONE) {
        judge_status(j);
        return RES_OK;
    }
    if (input.tc->class == CLASS_ILLEGAL) {
        out->kind = VERDICT_ACCEPTS_INVALID;
        return RES_OK;
    }
    return judge_done(j, e);
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
