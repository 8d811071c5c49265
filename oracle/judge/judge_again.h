/* oracle/judge/judge_again.h -- a run that is judged under the suspicion that words are loaded again behind a barrier: which
 * invocations hold what they would compute of such words. */
#pragma once

#include "oracle/judge/judge_state.h"

struct suspicion;

/* j->again stays NULL where no suspicion is of that bug, or the module has nothing that it acts on. */
void judge_again_make(struct judge *j);
/* Below: only where j->again is not NULL. A value is stored; one was seen that is not permitted. */
void judge_again_store(struct judge *j, const struct invocation *inv, struct place at,
                       unsigned n_bits, struct val v);
void judge_again_note(struct judge *j, const struct observed *seen);
/* The case was interpreted to its end: who has loaded again? true, the first time: it has to be interpreted again. */
bool judge_again_settle(struct judge *j);
/* The invocation has computed something; a load has given v. Where it may have loaded again, the value is open. */
void judge_again_compute(struct judge *j, const struct invocation *inv, const struct mod_inst *in);
void judge_again_load(struct judge *j, const struct invocation *inv, const struct mod_inst *in,
                      struct val *v);
