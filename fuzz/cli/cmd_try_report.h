/* fuzz/cli/cmd_try_report.h -- how far the floats of a kernel are off (halfulp try --report). */
#pragma once

#include "fuzz/io/json.h"
#include "fuzz/kernel_run/kernel_try.h"

/* Lines for people; one line says why, where it cannot be computed. */
void try_report_print(const struct kernel *k, const struct try_result *x, const char *disassembly);
/* The same as an object; NULL where it cannot be computed. */
struct json *try_report_json(const struct kernel *k, const struct try_result *x,
                             const char *disassembly);
