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
    unsigned
        not_all; /* classes of operands, bits of enum fp_class, that not every finding of the bug has */
    const char *
        declared; /* "RoundingModeRTZ 32": what is wrong is right without it; "" or NULL: no such */
    const struct campaign_finding
        *first;      /* the instruction that goes wrong before the accused one, a
                                           * signature's words alone; NULL: not known */
    uint32_t offset; /* of the accused instruction in tc's module, in words; 0: not known */
    const char *participants; /* of a group: " 0:0x3f800000 1:0x40000000"; "" or NULL: none */
    enum val_type participants_type;
    uint32_t invocation; /* the first that shows the bug */
    bool is_validated;   /* spirv-val accepts tc's module */
    const char *
        tried; /* changes of the kernel with which the bug is still there: "with one invocation; after
                          * spirv-opt -O"; "" or NULL: none is known */
    const char *reason; /* why a driver refused, not in its own words; "" or NULL: not known */
    const char *source; /* the kernel as text, where it is SPIR-V; "" or NULL: cannot be said */
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
