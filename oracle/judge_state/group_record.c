/* oracle/judge_state/group_record.c -- which invocations executed a group instruction together. */
#include "oracle/judge_state/group_record.h"

const struct group_record *judge_group_record(const struct judge *j, const struct mod_inst *in,
                                              const struct invocation *inv)
{
    const struct group_record *record =
        j->groups.records ? j->groups.records[in - j->m.code] : NULL;
    for (; record; record = record->next) {
        for (uint32_t i = 0; record->group == inv->group_index && i < record->call.n; i++) {
            if (record->lane[i] == inv->local_index) {
                return record;
            }
        }
    }
    return NULL;
}

/* At most MAX_SHOWN participants are named; the components of a vector are separated by commas. */
const char *judge_group_operands(const struct judge *j, const struct mod_inst *in,
                                 const struct invocation *inv)
{
    enum {
        MAX_SHOWN = 16
    };
    const struct group_record *record = judge_group_record(j, in, inv);
    const char *text = "";
    if (!record) {
        return text;
    }
    const struct group_call *c = &record->call;
    for (uint32_t i = 0; i < c->n && i < MAX_SHOWN && c->n_components; i++) {
        text = arena_printf(j->a, "%s %u:%s", text, c->index[i], c->known[i] ? "" : "unknown ");
        for (uint32_t k = 0; k < c->n_components; k++) {
            text = arena_printf(j->a, "%s%s0x%llx", text, k ? "," : "",
                                (unsigned long long)c->value[i * c->n_components + k]);
        }
    }
    return c->n > MAX_SHOWN ? arena_printf(j->a, "%s ...", text) : text;
}
