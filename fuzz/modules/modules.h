/* fuzz/modules/modules.h -- a folder of kernels of the user's own as the source of a campaign's cases. */
#pragma once

#include <stdio.h>

#include "fuzz/campaign/case_source.h"

/*
 * Each file that `halfulp try` opens is used, and each of its entry points is a kernel, of a script each RUN. The kernels stand in the order of the
 * files' names. Case i is of kernel i % n, in the round i / n. The first round gives each kernel as it is, with ordinary
 * numbers. In later rounds inputs are drawn anew, hard ones in half of the cases, and in half of the cases the module is
 * changed: by one or two changes of fuzz/variant, at instructions that are drawn. The module that was run is
 * always the one that is judged, so a change need not keep the meaning; it has to stay valid and harmless.
 *
 * A case may be run as fuzz/trial/trust.h says. A kernel of which no such case is found gives none.
 *
 * A target that is given source text gets what this program prints of the module; of trusted kernels in OpenCL C that are not
 * changed it gets the text of their file.
 */
struct modules;

/* Reads and compiles the files, with those options of the compiler (kernel_build.h; "": none), which takes up to a second for each that is source text. RES_USAGE: there is no such folder,
 * or no file in it has a kernel; RES_LIMIT: there are too many; RES_NOMEM. */
MUST_USE enum res modules_open(struct modules **out, const char *folder, const char *options,
                               struct err *e);
void modules_close(struct modules *m); /* NULL is fine */

/* What a campaign notes of its source: campaign_plan.modules, modules_options, modules_hash, modules_list. They live as long as m. */
const char *modules_get_folder(const struct modules *m);
const char *modules_get_options(const struct modules *m);
const char *modules_get_hash(const struct modules *m);
const char *modules_get_list(const struct modules *m);

/* The cases of a campaign of that seed. is_trusted: also those that this program cannot vouch for. */
struct case_source modules_get_source(struct modules *m, uint64_t seed, bool is_trusted);
/* After that: what the case of an index is, one sentence: file, entry point, seed, what is changed. */
const char *modules_describe(struct modules *m, uint64_t index, struct arena *a);

/* How many kernels of how many files there are, and the files and kernels that are not used, with the reasons. */
void modules_print(const struct modules *m, FILE *f);
/* The kernels of which no case may be run, as far as they have been asked for: none is printed where there are none. */
void modules_print_refused(const struct modules *m, FILE *f);
