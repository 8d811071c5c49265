/* oracle/sweep/sweep_reference.h -- an input's exact value, enclosed once for all forms of the function. */
#pragma once

#include "oracle/func/func_mp.h"
#include "oracle/sweep/sweep_state.h"

/* Must not be copied or moved. is_known 0: special, or ruled by more than a span can say; nothing
 * below may then be asked. */
struct sweep_reference {
    int is_known;
    uint64_t rounded; /* as func_round: never a zero that the value is not near */
    struct func_span span;
};
void sweep_reference_make(const struct sweep *s, const struct func_args *args,
                          struct sweep_reference *out);
/* Is got within the bound, as func_permitted has it: 1, 0, or -1: not certain at this precision. */
int sweep_reference_permits(const struct sweep_reference *ref, const struct sweep *s,
                            const struct func_bound *bound, uint64_t got);
/* As func_get_error; 1: not certain at this precision. */
int sweep_reference_measure(const struct sweep_reference *ref, const struct sweep *s, uint64_t got,
                            double *error);
