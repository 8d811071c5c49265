/* fuzz/kernel_run/kernel_try.h -- a kernel's case on one target after the other, judged, and compared between them. */
#pragma once

#include "base/testcase.h"
#include "fuzz/kernel/kernel_case.h"
#include "fuzz/targets/targets.h"
#include "oracle/judge/judge.h"

/* How it went on one target. Strings and contents are in the arena. */
struct try_result {
    const struct target *target;
    const char *reason; /* why it was not run; NULL: it was */
    struct testcase tc; /* as this target was given it: class, language */
    struct observation ob;
    struct judgement g;
};
/* Runs the case in a fresh worker. What a driver does is data; RES_NOMEM. */
MUST_USE enum res try_run(const struct target *t, const struct testcase *tc, const char *source,
                          struct arena *a, struct try_result *out, struct err *e);

/* The case of a module becomes the case of the text in OpenCL C that the module was compiled from. */
void try_set_text(struct testcase *tc, const char *source, struct arena *a);
/* A driver may end in any way in a kernel that leaves its buffers or never ends. Where this program cannot vouch that it
 * does neither, the driver is not accused: the judgement becomes inconclusive. */
void try_excuse_bad_end(const struct testcase *tc, const struct observation *ob, struct arena *a,
                        struct judgement *g);

/* Where two results of one case differ first. */
struct try_difference {
    bool is_there;
    uint32_t n; /* numbers that differ */
    uint32_t buf, byte;
    unsigned n_bits;
    bool is_float, is_bfloat;
    uint64_t a, b;
    uint64_t n_ulps; /* apart, of floats that are numbers; else UINT64_MAX */
};
struct try_difference try_compare(const struct kernel *k, const struct try_result *a,
                                  const struct try_result *b);
