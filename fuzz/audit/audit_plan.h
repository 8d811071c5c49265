/* fuzz/audit/audit_plan.h -- what is to be run: rows, forms, bounds. */
#pragma once

#include "fuzz/audit/audit.h"
#include "oracle/sweep/sweep_state.h"

extern const char *const audit_form_names[AUDIT_FORM_N];
/* Rows of the request that the target has, in out->rows with forms and bounds; of a shard those of which it has a part,
 * perhaps none. RES_USAGE: an unknown function, or none of them on these types. */
MUST_USE enum res audit_plan(const struct audit_request *r, enum env env, const char *facts,
                             struct arena *a, struct audit *out, struct err *e);
/* Flush and rounding of results that no mode of the module asks for. */
struct fp_rules audit_get_rules(enum env env, enum fmt_id fmt, const char *facts);
/* What a sweep of form i checks. */
struct sweep_form audit_get_form(const struct audit_row *row, uint32_t i, enum env env);
/* What a row is, in one line: two rows with one name are the same work. */
const char *audit_name_row(const struct audit_row *row, const struct audit_request *r,
                           struct arena *a);
/* "exp f32" */
const char *audit_name_subject(const struct audit_row *row, struct arena *a);
/* "halfulp, generator 10, shard 2/4" */
const char *audit_name_tool(struct shard shard, struct arena *a);
