/* oracle/judge/judge_report.c -- what the judge finds and counts, into its judgement. */
#include "oracle/judge/judge_report.h"

#include "base/format.h"
#include "base/ops.h"

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
    static const char *const names[] = {"zero", "subnormal", "normal", "inf", "qnan", "snan"};
    const char *text = "";
    for (uint32_t i = 0; is_float && i < n; i++) {
        text = arena_printf(j->a, "%s%s%s", text, i ? "," : "",
                            names[format_classify(&float_formats[fmt], enc[i])]);
    }
    return text;
}

/* A new finding, to be filled in by the caller; counts it, and makes its kind that of the judgement if it is
 * worse (kinds are ordered, a greater one is worse). A grade of divergence makes its kind VERDICT_DIVERGENCE
 * whatever it was called. NULL: there are JUDGE_MAX_FINDINGS already, and it is only counted. */
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
    if (o->n_findings == JUDGE_MAX_FINDINGS) {
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
