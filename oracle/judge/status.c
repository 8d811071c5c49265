/* oracle/judge/status.c -- runs that did not end well, and dispatches that need not. */
#include "oracle/judge/status.h"

#include <stdbool.h>

#include "base/caps.h"
#include "base/ops.h"
#include "base/testcase.h"
#include "oracle/cause/cause.h"
#include "oracle/interp/module.h"
#include "oracle/interp/static_facts.h"
#include "oracle/judge_state/judge_report.h"

static bool uses_hole(const struct judge *j)
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

/* Each atomic and group instruction of a refused module once, of one that was only built each of floats as well:
 * nothing ran that could be counted. */
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
    enum clause_id clause; /* CLAUSE_NONE: not all that the log names is excused */
    unsigned about;        /* what is, bits of enum cause_about */
};

/*
 * The clause that leaves the refusal of a module to the driver, for what is in it and why it was refused; CLAUSE_NONE: none.
 * Of a log that names a cause, it is to name this one and no other: who refuses a module for a function that its library lacks
 * would refuse it without a float atomic as well. Of one that names none the driver has the benefit of the doubt, as nobody can
 * tell what it would make of the module without the instruction. Before the module was looked at, it is no cause.
 */
static struct excuse find_excuse(const struct judge *j)
{
    static const struct {
        bool (*is_there)(const struct judge *j);
        unsigned about;
        enum clause_id clause;
    } excuses[] = {
        {uses_hole,          CAUSE_IS_FLOAT_ACCESS, CLAUSE_HOLE_CL_FLOAT },
        {has_unlisted_bound, CAUSE_IS_MAX_ERROR,    CLAUSE_MAX_ERROR_LIST},
    };
    unsigned left = cause_get_about(j->input.ob->log, j->a);
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

/* What the driver did that it must not, with the clause. excuse: what no clause permits it to be given, or
 * not on this target, with the clause by which it may fail. */
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

/* Judges a run that did not end well, or was only built, by how it ended. A refusal of a case that is not
 * certainly legal is no finding; a harness that did not run the case leaves it inconclusive. */
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
        j->out->note = "the harness did not run the case";
        return;
    }
    bool const is_refused = kind == VERDICT_REJECT;
    bool const is_decoded = (is_refused || kind == VERDICT_BUILT) && count_module(j);
    if (kind == VERDICT_BUILT) { /* how long that took no clause bounds */
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
