/* oracle/diagnose/declared.h -- which declaration of a module the driver has not seen. */
#pragma once

#include "oracle/judgement/judgement.h"

/*
 * "DenormPreserve 32": what is wrong in the judgement `g` of the run is right in the same run of the module without that
 * execution mode or decoration (declared.def), and no more of its values may be anything there. "": there is no such
 * one, or nothing is wrong in g. In `a`.
 */
const char *declared_find_ignored(const struct testcase *tc, const struct observation *ob,
                                  const struct judgement *g, struct arena *a);
