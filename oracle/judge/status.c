/* oracle/judge/status.c -- the verdict on a run that did not end well, or that was only built, from how it ended. */
#include "oracle/judge/status.h"

#include <stdbool.h>

#include "base/caps.h"
#include "base/ops.h"
#include "base/testcase.h"
#include "oracle/cause/cause.h"
#include "oracle/interp/module.h"
#include "oracle/interp/static_facts.h"
#include "oracle/judge_state/judge_report.h"

/* Has the module an instruction that no clause permits (CLAUSE_HOLE_CL_FLOAT)? */
static bool has_hole(const struct judge *j)
{
    for (uint32_t i = 0; i < j->m.n_code; i++) {
        if (static_is_hole(&j->m, j->input.tc->env, &j->m.code[i])) {
            return true;
        }
    }
    return false;
}

/* Has the module a max-error decoration with a bound that the target's facts do not list for the instruction? */
static bool has_unlisted_bound(const struct judge *j)
{
    for (uint32_t i = 0; i < j->m.n_code; i++) {
        const struct mod_inst *in = &j->m.code[i];
        const struct mod_id *id = in->result ? &j->m.ids[in->result] : NULL;
        if (!id || !(id->flags & ID_MAX_ERROR)) {
            continue;
        }
        int const row = op_find_number(in->op);
        if (!facts_take_bound(j->input.ob->facts, row < 0 ? "" : op_rows[row].name,
                              id->max_error)) {
            return true;
        }
    }
    return false;
}

/* Counts each atomic and group instruction of a module that was refused or only built, once each, as nothing ran. In
 * a module that was only built, each instruction on floats is counted too. */
static void count_instructions(struct judge *j)
{
    for (uint32_t i = 0; i < j->m.n_code; i++) {
        const struct mod_inst *in = &j->m.code[i];
        enum val_type const type = static_type(&j->m, in);
        bool const is_float = in->part == PART_FLOAT && j->input.ob->status == RUN_BUILT;
        if (in->part == PART_GROUP || ((in->part == PART_ATOMIC || is_float) && type != VT_NONE)) {
            struct coverage *row = judge_coverage(j, in->op, type, static_storage(&j->m, in));
            if (row) {
                row->n++;
            }
        }
    }
}

int judge_is_uneven(const struct testcase *tc)
{
    return tc->global[0] % tc->local[0] || tc->global[1] % tc->local[1] ||
           tc->global[2] % tc->local[2];
}

/* Decodes the module and counts its instructions. false: it can't be decoded. */
static bool count_module(struct judge *j)
{
    const struct testcase *tc = j->input.tc;
    struct err ignored;
    if (module_decode_case(&j->m, tc, j->a, &ignored) != RES_OK) {
        return false;
    }
    count_instructions(j);
    return true;
}

/* The clause that an end of this kind breaks. A module that breaks a rule has no defined behaviour once it runs,
 * in Vulkan from the start; OpenCL has error codes for one that cannot be built. */
static enum clause_id find_broken_clause(const struct judge *j, enum verdict_kind kind)
{
    const struct testcase *const tc = j->input.tc;
    if (tc->class == CLASS_ILLEGAL) {
        bool const is_building =
            j->input.ob->phase == PHASE_START || j->input.ob->phase == PHASE_BUILD;
        return tc->env == ENV_CL && is_building ? CLAUSE_INVALID_BUILD : CLAUSE_INVALID_UNDEFINED;
    }
    if (kind == VERDICT_CRASH && j->is_absent_crash) {
        return CLAUSE_ND_RANGE; /* invocations that do not exist may write anywhere */
    }
    return kind == VERDICT_REJECT ? CLAUSE_MUST_ACCEPT : CLAUSE_MUST_RUN;
}

struct excuse {
    enum clause_id clause; /* CLAUSE_NONE: a cause that the log names is not excused */
    unsigned about;        /* the causes that are excused: bits of enum cause_about */
};

/*
 * The clause that permits a driver to refuse the module, because of an instruction or decoration that the module has;
 * CLAUSE_NONE: there is none.
 *   The log names causes: all of them must be excused. A driver that refuses a module because its library lacks a
 *   function would
 *   refuse the module without the float atomic as well.
 *   The log names no cause: the driver has the benefit of the doubt.
 *   The driver failed before it was given the module (PHASE_START): nothing in the module is the cause.
 */
static struct excuse find_excuse(const struct judge *j)
{
    static const struct {
        bool (*is_there)(const struct judge *j);
        unsigned about;
        enum clause_id clause;
    } excuses[] = {
        {has_hole,           CAUSE_IS_FLOAT_ACCESS, CLAUSE_HOLE_CL_FLOAT },
        {has_unlisted_bound, CAUSE_IS_MAX_ERROR,    CLAUSE_MAX_ERROR_LIST},
    };
    unsigned left = cause_get_about(j->input.ob->log, j->a); /* causes not yet excused */
    bool const is_named = left != 0;
    struct excuse excuse = {.clause = CLAUSE_NONE};
    for (size_t i = 0; i < ARRAY_N(excuses) && j->input.ob->phase != PHASE_START; i++) {
        bool const is_cause = !is_named || (left & excuses[i].about);
        if (is_cause && excuses[i].is_there(j)) {
            left &= ~excuses[i].about;
            excuse.about |= excuses[i].about;
            excuse.clause = excuse.clause == CLAUSE_NONE ? excuses[i].clause : excuse.clause;
        }
    }
    excuse.clause = left ? CLAUSE_NONE : excuse.clause;
    return excuse;
}

/* Reports how the run ended. The finding is a divergence where a clause excuses the driver, or where an illegal
 * module has no defined behaviour. */
static void report_failure(struct judge *j, enum verdict_kind kind, struct excuse excuse)
{
    const struct observation *ob = j->input.ob;
    enum clause_id clause = find_broken_clause(j, kind);
    enum grade grade = clause == CLAUSE_INVALID_UNDEFINED ? GRADE_DIVERGENCE : GRADE_VIOLATION;
    if (excuse.clause != CLAUSE_NONE) {
        clause = excuse.clause;
        grade = GRADE_DIVERGENCE;
    }
    struct finding *f = judge_finding(j, kind, clause, grade);
    if (f) {
        f->excused = excuse.about;
        const char *const note =
            kind == VERDICT_REJECT ? cause_find(ob->log, excuse.about, j->a).note : "";
        f->text = arena_printf(j->a, "%s while the driver was to %s, code %d%s%s",
                               run_status_names[ob->status], run_phase_names[ob->phase],
                               (int)ob->driver_code, note[0] ? ": " : "", note);
    }
}

/* Judges a run that did not end well, or was only built, by how it ended. The refusal of a case that is not certainly legal
 * is no finding. A case that the harness did not run is inconclusive. No clause bounds the time that a build takes. */
void judge_status(struct judge *j)
{
    static const enum verdict_kind kinds[RUN_STATUS_N] = {[RUN_DONE] = VERDICT_OK,
                                                          [RUN_REJECT] = VERDICT_REJECT,
                                                          [RUN_CRASH] = VERDICT_CRASH,
                                                          [RUN_HANG] = VERDICT_HANG,
                                                          [RUN_EXIT] = VERDICT_EXIT,
                                                          [RUN_DEVICE_LOST] = VERDICT_DEVICE_LOST,
                                                          [RUN_HARNESS] = VERDICT_INCONCLUSIVE,
                                                          [RUN_SKIPPED] = VERDICT_INCONCLUSIVE,
                                                          [RUN_BUILT] = VERDICT_BUILT};
    enum verdict_kind const kind = kinds[j->input.ob->status];
    if (kind == VERDICT_INCONCLUSIVE) {
        j->out->kind = kind;
        j->out->n_inconclusive++;
        bool const has_reason = j->input.ob->status == RUN_SKIPPED && j->input.ob->log[0];
        j->out->note = has_reason ? j->input.ob->log : "the harness did not run the case";
        return;
    }
    bool const is_refused = kind == VERDICT_REJECT;
    /* only these are counted, as no instruction ran; only a refusal may be excused by an instruction */
    bool const is_decoded = (is_refused || kind == VERDICT_BUILT) && count_module(j);
    if (kind == VERDICT_BUILT) {
        j->out->kind =
            j->input.tc->class == CLASS_ILLEGAL ? VERDICT_ACCEPTS_INVALID : VERDICT_BUILT;
        return;
    }
    if (is_refused && j->input.tc->class != CLASS_LEGAL) {
        j->out->note = "refused, as it may be";
        return;
    }
    report_failure(j, kind, is_decoded ? find_excuse(j) : (struct excuse){.clause = CLAUSE_NONE});
}
