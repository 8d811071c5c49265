/* fuzz/targets/targets_ini.h -- the user's targets.ini. */
#pragma once

#include "fuzz/targets/targets.h"

/*
 * Read the sections of an ini text as targets into `out`; name is for errors. A section that is like a
 * target of `out` begins as its copy; like one that is missing there, it is added to the missing ones.
 */
MUST_USE enum res targets_parse_ini(struct target_list *out, const char *name, const char *text,
                                    size_t n, struct arena *a, struct err *e);
