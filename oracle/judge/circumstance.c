/* oracle/judge/circumstance.c -- under what a finding came about, for its signature. */
#include "oracle/judge/circumstance.h"

#include <string.h>

#include "base/format.h"
#include "oracle/judge/group_record.h"

/* By SpvScope, behind that of an atomic whose scope is not known. */
static const char *const scope_names[] = {"",         "crossdevice", "device",     "workgroup",
                                          "subgroup", "invocation",  "queuefamily"};

unsigned circumstance_scope(const struct judge *j, const struct mod_inst *in)
{
    uint32_t const at = in->op == SpvOpAtomicStore ? 2 : 4;
    uint32_t const id = in->part == PART_ATOMIC && at < in->n ? in->w[at] : 0;
    if (id == 0 || id >= j->m.n_ids || !(j->m.ids[id].flags & ID_CONSTANT)) {
        return 0;
    }
    uint64_t const scope = j->m.consts[j->m.ids[id].slot].bits;
    return scope + 1 < ARRAY_N(scope_names) ? (unsigned)scope + 1 : 0;
}

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

/* Above or below every range of the set; 0: between, no number, or nothing to compare with. */
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
