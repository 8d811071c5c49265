/* oracle/nir_text/nir_answer.c -- says why a program in NIR was not run to its end. */
#include "oracle/nir_text/nir_answer.h"

#include <stdio.h>
#include <string.h>

const char *const nir_end_names[NIR_END_N] = {[NIR_ENDED] = "ended",
                                              [NIR_BROKEN] = "broken",
                                              [NIR_UNKNOWN] = "unknown",
                                              [NIR_BUDGET] = "budget",
                                              [NIR_STUCK] = "stuck"};

bool nir_stop(struct nir_answer *answer, enum nir_end end, uint32_t line, const char *fmt, ...)
{
    va_list ap;
    int const n = line ? snprintf(answer->text, sizeof answer->text, "line %u: ", line) : 0;
    va_start(ap, fmt);
    (void)vsnprintf(answer->text + n, sizeof answer->text - (size_t)n, fmt, ap);
    va_end(ap);
    answer->end = end;
    answer->line = line;
    return false;
}

bool nir_stop_unknown(struct nir_answer *answer, uint32_t line, const char *what, const char *name,
                      size_t n)
{
    size_t const n_kept = n < sizeof answer->name ? n : sizeof answer->name - 1;
    memcpy(answer->name, name, n_kept);
    answer->name[n_kept] = 0;
    return nir_stop(answer, NIR_UNKNOWN, line, "the %s %s is not known", what, answer->name);
}

bool nir_stop_memory(struct nir_answer *answer, uint32_t line)
{
    return nir_stop(answer, NIR_BUDGET, line, "the memory for this program ran out");
}
