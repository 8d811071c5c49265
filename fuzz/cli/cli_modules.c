/* fuzz/cli/cli_modules.c -- the folder of kernels that a campaign's cases are of, opened again by what the campaign says of it. */
#include "fuzz/cli/cli_modules.h"

#include <string.h>

struct campaign_modules cli_plan_modules(const struct modules *m)
{
    return (struct campaign_modules){modules_get_folder(m), modules_get_options(m),
                                     modules_get_hash(m), modules_get_list(m)};
}

/* Is the folder as it was? */
static enum res check(const char *campaign, const struct campaign_modules *plan,
                      const struct modules *m, struct err *e)
{
    const char *const now = modules_get_hash(m);
    size_t const n_files = strcspn(now, " ");
    if (strcmp(now, plan->hash) == 0) {
        return RES_OK;
    }
    if (strncmp(now, plan->hash, n_files + 1) == 0) {
        return err_set(e, RES_USAGE,
                       "%s: the files are those of campaign %s, but they now compile to other "
                       "kernels: use the same compilers as before, or start a new campaign",
                       modules_get_folder(m), campaign);
    }
    return err_set(
        e, RES_USAGE,
        "%s: the files have changed since campaign %s started: restore them, name a folder that "
        "contains the old files with --corpus-modules, or start a new campaign",
        modules_get_folder(m), campaign);
}

enum res cli_reopen_modules(const char *campaign, const struct campaign_modules *plan,
                            const char *given, struct modules **out, struct err *e)
{
    struct err why = {RES_OK, ""};
    *out = NULL;
    if (!plan->folder || !plan->folder[0]) {
        return given ? err_set(
                           e, RES_USAGE,
                           "%s: this campaign generates its cases and cannot use --corpus-modules",
                           campaign)
                     : RES_OK;
    }
    enum res r = modules_open(out, given ? given : plan->folder, plan->options, &why);
    if (r == RES_USAGE) {
        return err_set(
            e, r,
            "campaign %s reads its kernels from a folder that cannot be used: %s; restore the "
            "folder, or name a folder that contains its files with --corpus-modules",
            campaign, why.text);
    }
    if (r != RES_OK) {
        return err_set(e, r, "%s", why.text);
    }
    r = check(campaign, plan, *out, e);
    if (r != RES_OK) {
        modules_close(*out);
        *out = NULL;
    }
    return r;
}
