/* fuzz/cli/cli_modules.h -- the folder of kernels that a campaign's cases are of, opened again by what the campaign says of it. */
#pragma once

#include "fuzz/campaign/campaign.h"
#include "fuzz/modules/modules.h"

/* What the plan of a campaign says of the folder. */
struct campaign_modules cli_plan_modules(const struct modules *m);
/*
 * Open the folder of a campaign that is there. NULL where its cases are generated.
 *   given  the folder as the user names it now, where it has moved; NULL: the one of the plan
 * RES_USAGE: the folder is not there, or not as it was when the campaign was begun, with what would be right; or `given` is
 * said of a campaign whose cases are generated.
 */
MUST_USE enum res cli_reopen_modules(const char *campaign, const struct campaign_modules *plan,
                                     const char *given, struct modules **out, struct err *e);
