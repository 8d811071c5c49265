/* reports/folder/bug_folder.h -- one bug as a folder that can be sent. */
#pragma once

#include <stdio.h>

#include "reports/bug/bug.h"

/*
 * Files that the folder gets; module.spv, in-N.bin, out-N.bin and case.json are there
 * already (fuzz/io/bundle.h).
 *   report.md           for a tracker: what, where, how often, versions, expected, observed, how to run
 *   module.spvasm       the text of the case's module with names, in place of the bundle's own
 *   planted.spv         only where a fault is planted: the module that the driver was given
 *   host.c, Makefile    a program of its own (OpenCL or Vulkan headers and libc, no halfulp): runs
 *                       module.spv beside it, or planted.spv, prints the bits that differ from what is permitted, and
 *                       exits 1 while the bug is there, 0 when not, 2 when it could not be run;
 *                       `make` builds it, `make run` runs it
 *   expected.h          what host.c compares: per buffer the permitted values of the words in question
 *   case.amber          Vulkan only
 */
MUST_USE enum res bug_write(const char *folder, const struct bug *b, struct arena *a,
                            struct err *e);

/* What is written: each may hold foreign text. */
struct bug_file {
    const char *name;
    void (*put)(const struct bug *b, FILE *f);
    bool is_program; /* C: foreign text is in its comments and literals alone */
};
enum {
    BUG_FILE_N = 6
};
extern const struct bug_file bug_files[BUG_FILE_N];
