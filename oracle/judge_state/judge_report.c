/* oracle/judge_state/judge_report.c -- enters findings and counts into the judgement. */
#include "oracle/judge_state/judge_report.h"

#include <string.h>

#include "base/format.h"
#include "base/ops.h"
#include "oracle/judge_state/group_record.h"
#include "oracle/judgement/judgement.h"
#include "oracle/tables/tables.h"

struct coverage *judge_coverage(struct judge *j, uint32_t opcode, enum val_type type,
                                enum storage storage)
{
    int const op = op_find_number(opcode);
    if (op < 0) {
        return NULL;
    }
    struct covered_op **const covered = &j->covered.ops[op];
    *covered = *covered ? *covered : ARENA_NEW(j->a, struct covered_op, 1);
    if (!*covered) {
        return NULL;
    }
    uint16_t *at = &(*covered)->at[type][storage];
    if (!*at) {
        if (j->out->n_coverage == JUDGE_MAX_COVERAGE) {
            return NULL;
        }
        *at = (uint16_t)++j->out->n_coverage;
        j->out->coverage[*at - 1] = (struct coverage){
            .op = (uint16_t)op, .type = (uint8_t)type, .storage = (uint8_t)storage};
    }
    return &j->out->coverage[*at - 1];
}

const char *judge_classes(struct judge *j, int is_float, enum fmt_id fmt, const uint64_t *enc,
                          uint32_t n)
{
    const char *text = "";
    for (uint32_t i = 0; is_float && i < n; i++) {
        text = arena_printf(j->a, "%s%s%s", text, i ? "," : "",
                            operand_class_names[format_classify(&float_formats[fmt], enc[i])]);
    }
    return text;
}

/* Makes room for a violation by dropping the last divergence that is kept. false: all that are kept are violations. */
static bool drop_divergence(struct judgement *o)
{
    uint32_t at = o->n_findings;
    while (at > 0 && verdict_rows[o->findings[at - 1].kind].part == PART_VIOLATION) {
        at--;
    }
    if (at == 0) {
        return false;
    }
    memmove(&o->findings[at - 1], &o->findings[at], sizeof *o->findings * (o->n_findings - at));
    o->n_findings--;
    return true;
}

/* Counts a finding and makes room for it. Kinds are ordered: the judgement has the greatest, which is the worst. A
 * violation takes the room of the last divergence where JUDGE_MAX_FINDINGS are kept already. */
struct finding *judge_finding(struct judge *j, enum verdict_kind kind, enum clause_id clause,
                              enum grade grade)
{
    struct judgement *o = j->out;
    if (grade == GRADE_DIVERGENCE) {
        kind = VERDICT_DIVERGENCE;
    }
    if (kind > o->kind) {
        o->kind = kind;
    }
    o->n_found++;
    bool const is_violation = verdict_rows[kind].part == PART_VIOLATION;
    if (o->n_findings == JUDGE_MAX_FINDINGS && !(is_violation && drop_divergence(o))) {
        return NULL;
    }
    struct finding *f = &o->findings[o->n_findings++];
    *f = (struct finding){.kind = kind,
                          .clause = clause,
                          .op = -1,
                          .op2 = -1,
                          .permitted = "",
                          .operand_class = "",
                          .text = ""};
    return f;
}

/* ---- circumstances of a finding, for its signature ---- */

/* Index 0: no known scope; index 1 + SpvScope. */
static const char *const scope_names[] = {"",         "crossdevice", "device",     "workgroup",
                                          "subgroup", "invocation",  "queuefamily"};

unsigned circumstance_scope(const struct judge *j, const struct mod_inst *in)
{
    enum {
        STORE_SCOPE = 2, /* word of the scope: OpAtomicStore has neither type nor result */
        ATOMIC_SCOPE = 4
    };
    uint32_t const word = in->op == SpvOpAtomicStore ? STORE_SCOPE : ATOMIC_SCOPE;
    uint32_t const id = in->part == PART_ATOMIC && word < in->n ? in->w[word] : 0;
    if (id == 0 || id >= j->m.n_ids || !(j->m.ids[id].flags & ID_CONSTANT)) {
        return 0;
    }
    uint64_t const scope = j->m.consts[j->m.ids[id].slot].bits;
    return scope + 1 < ARRAY_N(scope_names) ? (unsigned)scope + 1 : 0;
}

/* The bound of the FPMaxErrorDecorationINTEL of the instruction's result. */
static double get_bound(const struct judge *j, const struct mod_inst *in, int *has_bound)
{
    float bound = 0.0F;
    *has_bound =
        in->result && in->result < j->m.n_ids && (j->m.ids[in->result].flags & ID_MAX_ERROR) != 0;
    if (*has_bound) {
        memcpy(&bound, &j->m.ids[in->result].max_error, sizeof bound);
    }
    return (double)bound;
}

/* 1: `got` lies above every range of the set; -1: below; 0: neither, or `got` is a NaN, or there is no set. */
static int get_direction(const struct set *s, uint64_t got)
{
    if (!s || s->n == 0 || format_is_nan(&float_formats[s->fmt], got)) {
        return 0;
    }
    int64_t const key = format_to_key(&float_formats[s->fmt], got);
    return key > s->r[s->n - 1].hi ? 1 : key < s->r[0].lo ? -1 : 0;
}

const char *circumstances_of(struct judge *j, const struct mod_inst *in,
                             const struct invocation *inv, const struct set *permitted,
                             uint64_t got)
{
    int has_bound;
    double const bound = get_bound(j, in, &has_bound);
    const char *scope = scope_names[circumstance_scope(j, in)];
    const struct group_record *r = inv ? judge_group_record(j, in, inv) : NULL;
    int const direction = get_direction(permitted, got);
    return arena_printf(j->a, "%s%s%s%s%s", scope[0] ? " scope:" : "", scope,
                        r && r->is_partial ? " partial" : "",
                        has_bound ? arena_printf(j->a, " max-error:%g", bound) : "",
                        direction > 0   ? " high"
                        : direction < 0 ? " low"
                                        : "");
}
