/* oracle/sim/sim_undefined.h -- finds out whether a case has undefined behaviour, by running it on the simulated
 * device under the oracle. */
#pragma once

#include "base/testcase.h"
#include "oracle/judgement/judgement.h"
#include "oracle/tables/tables.h"

/*
 * The judgement of a run of the case on an honest simulated device. Where that device cannot run it, what does not depend on
 * values that only a device gives is judged alone. false: the module is not SPIR-V, or the arena is full.
 */
bool sim_judge(const struct testcase *tc, uint64_t seed, struct arena *a, struct judgement *out);
/*
 * Why the program of the case has no defined behaviour, as an honest device would run it; UNDEFINED_NONE where none is found,
 * also where the interpreter cannot follow it or the arena is full. Where that device cannot run it either, what does not
 * depend on values that only a device gives is looked at alone.
 */
enum undefined_kind sim_find_undefined(const struct testcase *tc, uint64_t seed, struct arena *a);
