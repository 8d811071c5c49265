/* fuzz/audit/audit_code.h -- which forms of a function change the code that a compiler without a device makes. */
#pragma once

#include "fuzz/audit/audit.h"

/*
 * Build every form of the request's functions on a build-only target, each in a module of its own, and keep in its
 * audit_form what code came of it: log begins with "code: HASH N instructions" (fuzz/worker/drv_ocloc.h), or is_refused
 * (and is_unloadable) and log says why. Nothing is measured: n_inputs of the rows is 0. RES_USAGE as audit_run, and for a target that
 * does not tell its code.
 */
MUST_USE enum res audit_code_run(const struct target *t, const struct audit_request *request,
                                 struct arena *a, struct audit *out, struct err *e);
