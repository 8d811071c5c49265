/* oracle/nir_text/nir_answer.h -- what became of running a program in NIR. */
#pragma once

#include "base/base.h"

enum nir_end {
    NIR_ENDED,   /* each invocation came to its end */
    NIR_BROKEN,  /* the text is not a program in NIR, or contradicts itself */
    NIR_UNKNOWN, /* it has an operation, an intrinsic or an argument that is not known here */
    NIR_BUDGET,  /* steps or memory ran out */
    NIR_STUCK    /* the program did what has no meaning here: an address that no buffer has */
};
enum {
    NIR_END_N = 5
};
extern const char
    *const nir_end_names[NIR_END_N]; /* "ended", "broken", "unknown", "budget", "stuck" */

struct nir_answer {
    enum nir_end end;
    uint32_t line;           /* of the text, from 1 on; 0: none in particular */
    char name[64];           /* NIR_UNKNOWN: of what is not known, "" else */
    char text[200];          /* one sentence; "" for NIR_ENDED */
    uint64_t n_instructions; /* executed by an invocation each */
    uint64_t
        n_hardware; /* of these, operations that the chip approximates: their values are assumed */
    uint64_t
        n_inactive; /* values taken of an invocation that does not execute the instruction: SPIR-V defines none */
};
/* Set the end, the line and the sentence; false, so that a caller can write `return nir_stop(...)`. */
bool nir_stop(struct nir_answer *answer, enum nir_end end, uint32_t line, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
/* NIR_UNKNOWN: `what` is "operation", "intrinsic", ...; its name has n characters. */
bool nir_stop_unknown(struct nir_answer *answer, uint32_t line, const char *what, const char *name,
                      size_t n);
/* NIR_BUDGET: the arena is full. */
bool nir_stop_memory(struct nir_answer *answer, uint32_t line);
