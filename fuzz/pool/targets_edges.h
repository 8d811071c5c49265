/* fuzz/pool/targets_edges.h -- how many edges of a driver are counted: asked of its worker. */
#pragma once

#include "fuzz/targets/targets.h"

/*
 * How many cells of AFL++'s coverage map a target's driver uses, [0, n_edges): what its worker says of
 * itself, which is started for it; 0 for a driver without instrumentation and for sim. RES_IO: it does
 * not start.
 */
MUST_USE enum res targets_get_edges(const struct target *t, uint32_t *n_edges, struct err *e);
