/* tests/rig/fault_rig.h -- where a planted fault is seen. */
#pragma once

#include "gen/tape/profile.h"
#include "oracle/fault/faults.h"
#include "oracle/fault/faults_number.h"

/* The profile in whose cases the fault acts and is reported as its row says. Integers are never decorated, and most of
 * their instructions are in programs. */
static inline enum profile profile_of_fault(enum fault_id fault)
{
    if (fault_is_of_groups(fault)) {
        return PROFILE_GROUPS;
    }
    if (fault_is_of_numbers(fault) || fault_is_of_memory(fault) || fault_is_of_dispatches(fault) ||
        (fault_is_of_flow(fault) && fault != FAULT_STOPS_AFTER_LOOP)) {
        return PROFILE_PROGRAMS;
    }
    if (fault_is_of_math(fault)) {
        return fault_rows[fault].types & OF_ANY_FLOAT ? PROFILE_MAXERROR : PROFILE_ARITH;
    }
    return PROFILE_ATOMICS;
}
