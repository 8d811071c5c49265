/* gen/emit/emit_body.h -- the body of the entry function: atomics, plain accesses, control flow. */
#pragma once

#include "gen/emit/emit.h"

/* Everything of the entry point from its first label on; functions that it calls. */
void emit_body(struct emit *e);
