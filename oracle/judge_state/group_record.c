/* oracle/judge_state/group_record.c -- which invocations executed a group instruction together. */
#include "oracle/judge_state/group_record.h"

const struct group_record *judge_group_record(const struct judge *j, const struct mod_inst *in,
                                              const struct invocation *inv)
{
    const struct group_record *r = j->groups.records ? j->groups.records[in - j->m.code] : NULL;
    for (; r; r = r->next) {
        for (uint32_t i = 0; r->group == inv->group_index && i < r->call.n; i++) {
            if (r->lane[i] == inv->local_index) {
                return r;
            }
        }
    }
    return NULL;
}

/* The operands of all who executed `in` together with inv, as text for people: " 0:0x3f800000 1:0x40000000",
 * components with commas between, at most MAX_SHOWN participants. "" where no record was kept. */
const char *judge_group_operands(const struct judge *j, const struct mod_inst *in,
                                 const struct invocation *inv)
{
    enum {
        MAX_SHOWN = 16
    };
    const struct group_record *r = judge_group_record(j, in, inv);
    const char *text = "";
    if (!r) {
        return text;
    }
    const struct group_call *c = &r->call;
    for (uint32_t i = 0; i < c->n && i < MAX_SHOWN && c->n_components; i++) {
        text = arena_printf(j->a, "%s %u:%s", text, c->index[i], c->known[i] ? "" : "unknown ");
        for (uint32_t k = 0; k < c->n_components; k++) {
            text = arena_printf(j->a, "%s%s0x%llx", text, k ? "," : "",
                                (unsigned long long)c->value[i * c->n_components + k]);
        }
    }
    return c->n > MAX_SHOWN ? arena_printf(j->a, "%s ...", text) : text;
}
