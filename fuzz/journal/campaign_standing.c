/* fuzz/journal/campaign_standing.c -- how the buckets of a campaign stand. */
#include "fuzz/journal/campaign_standing.h"

#include <string.h>

#include "fuzz/journal/campaign_data.h"

const char *const bug_state_names[BUG_STATE_N] = {
    [BUG_STATE_OPEN] = "open",
    [BUG_STATE_FIXED] = "fixed in",
    [BUG_STATE_DUPLICATE] = "duplicate of",
    [BUG_STATE_NOT_SEEN] = "not seen",
    [BUG_STATE_INVALID] = "invalid",
};
const char *const baseline_names[BASELINE_N] = {
    [BASELINE_NONE] = "",
    [BASELINE_NEW] = "new",
    [BASELINE_THERE] = "still there",
    [BASELINE_FIXED] = "fixed",
    [BASELINE_REMAINS] = "not seen (still there when run again)",
    [BASELINE_FLAKY] = "not seen (flaky)",
    [BASELINE_UNKNOWN] = "not seen (not known whether fixed)",
};

bool campaign_is_closed(const struct campaign_finding *f)
{
    return f->state && !f->is_back &&
           (f->state->kind == BUG_STATE_FIXED || f->state->kind == BUG_STATE_DUPLICATE ||
            f->state->kind == BUG_STATE_INVALID);
}

bool campaign_is_new(const struct campaign *c, const struct campaign_finding *f)
{
    bool const is_head = f->bucket < c->n_findings && &c->findings[f->bucket] == f;
    bool const was_met = f->baseline == BASELINE_THERE ||
                         (f->since && c->started && strcmp(f->since, c->started) < 0);
    if (!is_head || !campaign_is_violation(f) || f->expected) {
        return false;
    }
    return f->is_back || (!f->state && !was_met);
}
