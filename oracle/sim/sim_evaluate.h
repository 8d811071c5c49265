/* oracle/sim/sim_evaluate.h -- computes the results of a group instruction on the simulated device, by the host's
 * arithmetic or from the permitted sets. */
#pragma once

#include "oracle/group/group.h"
#include "oracle/sim/sim_state.h"

/* The results of a call by the device's strategy: [n * n_results]. false: x.stop. */
bool sim_evaluate(struct sim *s, const struct mod_inst *in, const struct group_call *c,
                  uint64_t seed, uint64_t *out);
/* Rules of the call, if it is on floats. */
struct rules sim_get_rules(const struct sim *s, const struct mod_inst *in,
                           const struct group_call *c);
/* Is one of n encodings a NaN or an infinity? */
bool sim_has_special(enum fmt_id fmt, const uint64_t *v, uint32_t n);
/* Component k of the participants from `first` to below `end`. */
void sim_take_terms(const struct group_call *c, uint32_t first, uint32_t end, uint32_t k,
                    uint64_t *out);
