/* fuzz/targets/targets_find.h -- what is here to be tested: drivers, driver roots, what targets.ini adds. */
#pragma once

#include "fuzz/targets/targets.h"

/*
 * All targets that there are, and whether workers can be in the sandbox: drivers and roots under
 * targets_get_root, Debian's lavapipe, and the sections of `ini` (NULL: the targets.ini of place_find if there
 * is one), which replace found ones of the same name. No driver is started. RES_FORMAT, RES_USAGE: the ini
 * file, with file and line.
 */
MUST_USE enum res targets_find(struct target_list *out, const char *ini, struct arena *a,
                               struct err *e);
/* Folder of the drivers that the set-up made, an absolute path: HALFULP_DRIVERS, or "drivers" of
 * place_find. */
const char *targets_get_root(struct arena *a);
