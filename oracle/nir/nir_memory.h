/* oracle/nir/nir_memory.h -- loads, stores and atomics. The active invocations act one after the other, the lowest first. */
#pragma once

#include "oracle/nir/nir_machine.h"

/* One intrinsic of nir_intrinsic.def with run LOAD, STORE or ATOMIC. Beyond the end of a buffer that a descriptor names,
 * loads give 0 and stores do nothing; so do loads beyond the end of shared memory and scratch, and Honeykrisp's from an
 * address that no buffer has. false: m->answer says which address there is no memory at. */
bool nir_run_load(const struct nir_step *s);
bool nir_run_store(const struct nir_step *s);
bool nir_run_atomic(const struct nir_step *s);
/* What component c of an atomic leaves in memory where `old` was. False: its operation is none that is known, the answer says
 * so. Its data are the last operand, or the last two of a comparison with exchange. */
bool nir_memory_combine(const struct nir_step *s, uint32_t c, uint32_t lane, uint64_t old,
                        uint64_t *out);
/* One with run LOCK. A load gives the word and 1, or 0 to an invocation if a lower one locks the same word with it; a store
 * gives 1. The lock is open again whenever the sub-group loads: those that have it unlock it before the others go on. */
bool nir_run_lock(const struct nir_step *s);
/* One with run ADDRESS: number of a component among the variables of an invocation. */
bool nir_run_address(const struct nir_step *s);
/* One with run APPEND: it gives all active invocations what the word was before. */
bool nir_run_append(const struct nir_step *s);
/* What an atomic leaves in memory that holds `old`; `other` is what a comparison with `data` puts there. False: the answer
 * says that its operation is not known. */
bool nir_compute_atomic(const struct nir_step *s, uint64_t old, uint64_t data, uint64_t other,
                        uint64_t *out);
