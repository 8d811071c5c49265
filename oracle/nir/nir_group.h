/* oracle/nir/nir_group.h -- intrinsics that the invocations of a sub-group execute together. An invocation that stands
 * elsewhere is not active: it takes part in nothing. */
#pragma once

#include "oracle/nir/nir_machine.h"

/* One intrinsic of nir_intrinsic.def with run GROUP. A value of an inactive invocation, which SPIR-V leaves undefined, is
 * the one that it had last. false: m->answer says what it cannot be done for. */
bool nir_run_group(const struct nir_step *s);
