/* fuzz/triage/first_wrong.c -- which instruction of a case goes wrong first, where not every value was stored. */
#include "fuzz/triage/first_wrong.h"

#include <stdbool.h>
#include <string.h>

#include "base/ops.h"
#include "base/spv.h"
#include "base/testcase.h"
#include "fuzz/triage/kernel_trace.h"
#include "fuzz/trial/trial.h"
#include "gen/case/gen.h"
#include "gen/print/print.h"
#include "oracle/judge/judge.h"
#include "oracle/judgement/judgement.h"
#include "oracle/tables/tables.h"

enum {
    RUNS = 3 /* of which one has to show something */
};

/* The case with every value stored. False: it is the same as that of the subject, or cannot be made. */
static bool make_stored(const struct reduce_subject *s, struct arena *a, struct testcase *tc)
{
    struct err ignored;
    if (!s->has_tape || s->tc.class == CLASS_ILLEGAL ||
        gen_stored_case(s->profile, s->tc.env, &s->tape, a, tc, &ignored) != RES_OK ||
        print_set_language(tc, s->tc.language, a, &ignored) != RES_OK) {
        return false;
    }
    tc->class = s->tc.class;
    /* One more store makes it longer. If it is as long, all was stored before. */
    return tc->n_words > s->tc.n_words;
}

/* The first violation in the order of the module; NULL: there is none, or the one that is wanted is among them. */
static const struct finding *find_other(const struct trial_wanted *wanted,
                                        const struct observation *ob, const struct judgement *g,
                                        struct arena *a)
{
    const struct finding *first = NULL;
    for (uint32_t i = 0; i < g->n_findings; i++) {
        const struct finding *const f = &g->findings[i];
        if (finding_has_core(f, ob, wanted->core, a)) {
            return NULL;
        }
        if (verdict_rows[f->kind].part == PART_VIOLATION && (!first || f->offset < first->offset)) {
            first = f;
        }
    }
    return first;
}

/* Run the case up to RUNS times until a run shows any violation: `any` names no core. *ob is that run; *is_seen: there is
 * one. */
static enum res run_stored(const struct testcase *tc, const struct trial_wanted *wanted,
                           const struct target *target, struct arena *a, struct observation *ob,
                           bool *is_seen, struct err *e)
{
    struct trial_wanted const any = {
        .facts = wanted->facts, .n_runs = RUNS, .n_needed = 1, .is_foreign = wanted->is_foreign};
    struct trials *trials = NULL;
    const struct testcase *const candidates[] = {tc};
    uint32_t first = 1;                      /* of one candidate, 0: it showed a finding */
    TRY(trials_open(&trials, target, 1, e)); /* 1: a single worker */
    trials_set_deadline(trials, wanted->until_ns);
    enum res const r = trials_find_first(trials, &any, &(struct trial_candidates){candidates, 1}, a,
                                         &first, ob, NULL, e);
    trials_close(trials);
    *is_seen = r == RES_OK && first == 0;
    return r;
}

/* The run is judged once more here, since the trial does not give all of its findings. */
enum res first_wrong_find(const struct reduce_subject *s, const struct target *target,
                          struct arena *a, const char **core, struct err *e)
{
    struct testcase *const tc = ARENA_NEW(a, struct testcase, 1);
    struct judgement *const g = ARENA_NEW(a, struct judgement, 1);
    struct observation *const ob = ARENA_NEW(a, struct observation, 1);
    bool is_seen = false;
    *core = "";
    if (!tc || !g || !ob) {
        return err_set(e, RES_NOMEM, "no memory for a case that stores all");
    }
    if (!make_stored(s, a, tc)) {
        return RES_OK;
    }
    TRY(run_stored(tc, &s->wanted, target, a, ob, &is_seen, e));
    if (is_seen) {
        TRY(judge_run(tc, ob, a, g, e));
        const struct finding *const f = find_other(&s->wanted, ob, g, a);
        *core = f ? signature_of(f, ob, a).core : "";
    }
    return RES_OK;
}

/* ---- any case ---- */

/* Is the bug one of a value, not of an order or of who takes part? */
static bool is_of_value(const struct trial_wanted *wanted)
{
    static const enum verdict_kind kinds[] = {VERDICT_ULP, VERDICT_ZERO_SIGN, VERDICT_NAN_RULE};
    for (size_t i = 0; i < ARRAY_N(kinds); i++) {
        size_t const n = strlen(verdict_rows[kinds[i]].name);
        if (strncmp(wanted->core, verdict_rows[kinds[i]].name, n) == 0 && wanted->core[n] == ' ') {
            return true;
        }
    }
    return false;
}

/* The core of a finding in a slot. A truth value or a narrow number is stored as a wider one: the instruction that gives it is
 * named, in place of that which widens it. */
static const char *print_core(const struct kernel_trace *t, const struct testcase *tc,
                              const struct finding *f, const struct observation *ob,
                              struct arena *a)
{
    struct finding named = *f;
    uint32_t line = 0;
    uint32_t const at = kernel_trace_locate(t, f->offset, tc->module, tc->n_words, &line);
    bool const is_wider = at && ((tc->module[at] ^ t->tc.module[f->offset]) & SpvOpCodeMask);
    if (is_wider) {
        named.op = op_find_number(tc->module[at] & SpvOpCodeMask);
        named.clause =
            (tc->module[at] & SpvOpCodeMask) == SpvOpLoad ? CLAUSE_COPY_EXACT : f->clause;
        named.type = VT_NONE;
    }
    return signature_of(&named, ob, a).core;
}

/* Find the wrong value that an invocation computes first. *out stays NULL where that is the wanted one, or where more is wrong
 * than a judgement keeps, so that the first one is not known. A load from a buffer is not told, as another wrong value may
 * have been stored there. */
static enum res find_in_trace(const struct kernel_trace *t, const struct trial_wanted *wanted,
                              const struct observation *ob, struct arena *a, struct judgement *g,
                              const struct finding **out, struct err *e)
{
    bool const is_atomic = op_is_atomic(signature_parse(wanted->core, a).op);
    TRY(judge_run(&t->tc, ob, a, g, e));
    const struct finding *const any = find_other(wanted, ob, g, a);
    /* what an atomic leaves in memory is in no slot */
    if (!any || (is_atomic && g->n_found > JUDGE_MAX_FINDINGS)) {
        return RES_OK;
    }
    uint32_t const invocation = any->invocation;
    TRY(kernel_trace_judge(t, ob, invocation, a, g, e));
    if (g->n_found <= JUDGE_MAX_FINDINGS && find_other(wanted, ob, g, a)) {
        const struct finding *const f = kernel_trace_find_first(t, g, invocation);
        *out = f && (f->op >= 0 || f->storage == STORAGE_NONE) ? f : NULL;
    }
    return RES_OK;
}

enum res first_wrong_trace(const struct testcase *tc, const struct trial_wanted *wanted,
                           const struct target *target, struct arena *a, const char **core,
                           struct err *e)
{
    struct kernel_trace t;
    struct judgement *const g = ARENA_NEW(a, struct judgement, 1);
    struct observation *const ob = ARENA_NEW(a, struct observation, 1);
    bool is_seen = false;
    *core = "";
    if (!g || !ob) {
        return err_set(e, RES_NOMEM, "no memory for a case that stores all");
    }
    if (tc->language != LANGUAGE_SPIRV || tc->class == CLASS_ILLEGAL || !is_of_value(wanted) ||
        kernel_trace_make(tc, a, &t, e) != RES_OK) {
        return RES_OK;
    }
    TRY(run_stored(&t.tc, wanted, target, a, ob, &is_seen, e));
    if (is_seen && ob->status == RUN_DONE) {
        const struct finding *f = NULL;
        TRY(find_in_trace(&t, wanted, ob, a, g, &f, e));
        *core = f ? print_core(&t, tc, f, ob, a) : "";
    }
    /* a value that was widened to be stored has another core: it is the same instruction */
    if (strcmp(signature_parse(*core, a).op, signature_parse(wanted->core, a).op) == 0) {
        *core = "";
    }
    return RES_OK;
}

bool first_wrong_is_in(const char *core, const struct testcase *tc, struct arena *a)
{
    int const row = op_find_name(signature_parse(core, a).op);
    uint32_t at = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (spv_next(tc->module, tc->n_words, &at, &in)) {
        uint32_t const set = row < 0 ? OP_SET_core : op_rows[row].number >> 16;
        uint32_t const number = set == OP_SET_core      ? in.op
                                : in.op == SpvOpExtInst ? OP_NUMBER(set, spv_get_word(&in, 4))
                                                        : SpvOpNop;
        uint32_t const storage = in.op == SpvOpVariable ? spv_get_word(&in, 3) : UINT32_MAX;
        bool const is_memory = storage == SpvStorageClassFunction ||
                               storage == SpvStorageClassPrivate ||
                               storage == SpvStorageClassWorkgroup;
        if (row < 0 ? is_memory : number == op_rows[row].number) {
            return true;
        }
    }
    return false;
}
