/* fuzz/io/bundle.h -- a case, and what was seen of it, as a folder of plain files. */
#pragma once

#include "base/testcase.h"

struct tape; /* gen/tape/tape.h */

/*
 * Files of a bundle:
 *   case.json     environment, entry point, sizes, options, needs, buffers with their file names,
 *                 "target" where it is known, and "observation" where there is one
 *   module.spv    the words, little-endian; module.spvasm the same as text (written only)
 *   kernel.cl     its source text, where a driver is given that
 *   in-N.bin      initial content of buffer N
 *   out-N.bin     its content afterwards, where the run was done
 *   facts.txt     what the device said of itself; log.txt the driver's message
 *   tape.bin      the tape that the case is of, where it is at hand
 *   case.bin      testcase_encode (written only; read where there is no case.json)
 *   verdict.txt   for people (written by the caller)
 */
struct bundle {
    struct testcase tc;
    struct observation ob; /* status RUN_SKIPPED where the bundle holds none */
    int has_observation;
    const char *target;      /* name of the target that it was seen on; NULL or "": not known */
    const struct tape *tape; /* that it is said to be of (fuzz/trial/trust.h asks); or NULL */
};

/* Write the folder, creating it; files of the same name are replaced. */
MUST_USE enum res bundle_write(const char *folder, const struct bundle *b, struct arena *a,
                               struct err *e);
/* Read a folder, a case.json, or a file of testcase_encode. Any bytes are safe: RES_FORMAT or
 * RES_IO names the file and what is wrong. */
MUST_USE enum res bundle_read(const char *path, struct arena *a, struct bundle *out, struct err *e);
/* A file of SPIR-V words as the module of tc. RES_FORMAT, RES_IO name the file. */
MUST_USE enum res bundle_read_module(const char *path, struct arena *a, struct testcase *tc,
                                     struct err *e);
