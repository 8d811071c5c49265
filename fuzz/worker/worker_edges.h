/* fuzz/worker/worker_edges.h -- is the driver in this worker built with AFL++'s instrumentation? */
#pragma once

#include "base/base.h"

/* First of all: a program that the driver starts must not have its library loaded, which without AFL++'s
 * runtime cannot be. */
void worker_edges_begin(void);
/* `facts`, with the line "worker.edges=N" behind them where the worker is linked with AFL++'s runtime
 * and there are instrumented libraries: they use the cells [0, N) of the coverage map. NULL: arena
 * full. */
const char *worker_edges_add(const char *facts, struct arena *a);
