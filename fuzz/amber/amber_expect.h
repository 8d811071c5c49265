/* fuzz/amber/amber_expect.h -- what a script of Amber expects of its buffers, and whether it holds. */
#pragma once

#include "fuzz/amber/amber_buffer.h"

enum {
    AMBER_MAX_EXPECTS = 256
};
enum amber_comparison {
    AMBER_EQ, /* of floats within a relative 1e-8, as Amber has it */
    AMBER_NE,
    AMBER_LT,
    AMBER_LE,
    AMBER_GT,
    AMBER_GE,
    AMBER_TOLERANCE, /* of each value the first of several, as Amber has it */
    AMBER_EQ_BUFFER
};
struct amber_expect {
    uint32_t line, buffer, other; /* other: of EQ_BUFFER, else that of buffer */
    uint32_t n_runs;              /* that stand before it */
    uint32_t byte;
    enum amber_comparison comparison;
    double tolerance;
    bool is_percent;
    uint32_t n;
    const char *const *value; /* as they stand there */
};
struct amber_expects {
    uint32_t n;
    struct amber_expect row[AMBER_MAX_EXPECTS];
};

/* Reads what begins with EXPECT and adds it. RES_FORMAT: the line, and what is wrong or not known. */
MUST_USE enum res amber_expect_read(struct amber_lines *l, const struct amber_buffers *buffers,
                                    uint32_t n_runs, struct amber_expects *all);
/* Does it hold of these contents, n_bytes of each buffer of the script? Else *why says what is there. */
bool amber_expect_holds(const struct amber_expect *x, const struct amber_buffers *buffers,
                        const unsigned char *const *contents, struct arena *a, const char **why);
