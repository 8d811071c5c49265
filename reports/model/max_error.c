/* reports/model/max_error.c -- what became of max-error decorations on a target. */
#include "reports/model/max_error.h"

#include <string.h>

#include "base/caps.h"

const char *const max_error_names[MAX_ERROR_N] = {
    [MAX_ERROR_LISTED] = "listed",     [MAX_ERROR_NOT_RUN] = "not run",
    [MAX_ERROR_REFUSED] = "refused",   [MAX_ERROR_CRASHED] = "crashed",
    [MAX_ERROR_UNLISTED] = "unlisted",
};
const char *const max_error_texts[MAX_ERROR_N] = {
    [MAX_ERROR_LISTED] = "listed",
    [MAX_ERROR_NOT_RUN] = "not listed, not run",
    [MAX_ERROR_REFUSED] = "not listed, refused",
    [MAX_ERROR_CRASHED] = "not listed, crashed",
    [MAX_ERROR_UNLISTED] = "not listed, run all the same",
};

static int is_max_error(const char *feature)
{
    return strcmp(feature, cap_rows[NEED_CL_MAX_ERROR].id) == 0 ||
           strcmp(feature, cap_rows[NEED_VK_MAX_ERROR].id) == 0;
}

/* How target i takes decorations of a maximum error: it lists them, or, where cases with them were run all
 * the same, the best that came of it: run, then crashed, then refused. */
enum max_error max_error_of(const struct campaign *c, uint32_t i)
{
    const struct campaign_target *const t = &c->targets[i];
    const char *const facts = t->facts ? t->facts : "";
    char api[16];
    bool is_done = false, is_crashed = false, is_rejected = false;
    (void)facts_get(facts, "api", api, sizeof(api));
    int const is_vk = strcmp(api, "vulkan") == 0;
    if (facts_meet(facts, is_vk ? NEED_VK_MAX_ERROR : NEED_CL_MAX_ERROR)) {
        return MAX_ERROR_LISTED;
    }
    for (uint32_t k = 0; k < c->n_features; k++) {
        const struct campaign_feature *const f = &c->features[k];
        if (f->target_id == t->id && is_max_error(f->feature)) {
            is_done |= f->n_accepted > 0 || f->n_wrong > 0;
            is_crashed |= f->n_crashed > 0;
            is_rejected |= f->n_rejected > 0;
        }
    }
    if (is_done) {
        return MAX_ERROR_UNLISTED;
    }
    if (is_crashed) {
        return MAX_ERROR_CRASHED;
    }
    return is_rejected ? MAX_ERROR_REFUSED : MAX_ERROR_NOT_RUN;
}
