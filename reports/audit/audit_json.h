/* reports/audit/audit_json.h -- an audit as audit.json: one object, keys stable. */
#pragma once

#include "base/audit_result.h"
#include <stdio.h>

MUST_USE enum res audit_write_json(const struct audit *x, struct arena *a, FILE *f, struct err *e);
MUST_USE enum res audit_load(struct audit *x, const char *path, struct arena *a, struct err *e);
/* An audit from the bytes of a file; name is for errors. */
MUST_USE enum res audit_parse(struct audit *x, const char *name, const void *p, size_t n,
                              struct arena *a, struct err *e);
