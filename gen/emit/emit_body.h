/* gen/emit/emit_body.h -- puts the body of the entry function of a typed program, by a walk over its blocks:
 * atomics, plain accesses, control flow, functions that are called. */
#pragma once

#include "gen/emit/emit.h"

/* Everything of the entry point from its first label on; functions that it calls. */
void emit_body(struct emit *e);
