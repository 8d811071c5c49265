/* reports/bug/bug.h -- one bug as a folder that can be sent as it is. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "base/expect.h"
#include "fuzz/journal/campaign_data.h"
#include "oracle/tables/storage.h"

/* Whose a word in question is, and of what it was made. */
struct bug_word {
    uint32_t invocation, n_operands;
    uint64_t operand[3];
    enum val_type operand_type[3]; /* of each; VT_NONE: the finding's */
};

/* Everything that a bug's folder tells. Borrowed; all strings are foreign text. */
struct bug {
    const struct campaign_finding *finding; /* of the case below: reduced where that was done */
    const struct campaign_target *target;
    const struct testcase *tc;
    const struct observation *ob;
    const struct expect *expect; /* [n_expect] words that tell whether the bug is there */
    uint32_t n_expect;           /* 0: told by how the run ends, or by the outputs as a whole */
    bool has_more; /* words of the run may be wrong than these: the judge lists no more */
    const struct bug_word *word;      /* [n_expect], or NULL: not known */
    const struct expect_order *order; /* operations that no order explains, or NULL */
    const struct expect_ids *ids;     /* of a work-group whose sub-groups cannot be so, or NULL */
    const char *participants; /* of a group: " 0:0x3f800000 1:0x40000000"; "" or NULL: none */
    enum val_type participants_type;
    uint32_t invocation; /* the first that shows the bug */
    const char *reason;  /* why a driver refused, not in its own words; "" or NULL: not known */
    const char *source;  /* the kernel as text, where it is SPIR-V; "" or NULL: cannot be said */
    const char *source_language; /* "OpenCL C", "GLSL" */
    const uint32_t
        *planted; /* [n_planted] what the driver was given in place of tc's module, where a
                              * fault is planted in it; NULL: it was given tc's */
    uint32_t n_planted;
    const char *figures;     /* of an audit: exact value, error and bound, a sentence; "" or NULL */
    const char *disassembly; /* text of the module that the driver was given, without offsets */
    const char *text;        /* the same of tc's module; NULL: there is one text */
    const char *next;      /* the command that goes on looking into the bug; NULL: none is known */
    const char *generator; /* "halfulp 1, generator 2, MPFR 4.2.0" */
    const char *clause_section; /* "S 3.3.18 OpAtomicFAddEXT": document and section */
    const char *clause_rule;    /* one sentence */
};

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
