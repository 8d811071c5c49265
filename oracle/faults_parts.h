/* oracle/faults_parts.h -- what the files of planted faults share. */
#ifndef HALFULP_ORACLE_FAULTS_PARTS_H
#define HALFULP_ORACLE_FAULTS_PARTS_H

#include "oracle/faults.h"

/* Is this a min or max of floats? */
int fault_is_extreme(uint32_t op);
/* oracle/faults_lane.c: faults that hand out other results; 0 where nothing was changed. */
int fault_change_results(enum fault_id id, const struct fault_group_site *s, struct rng *r,
                         uint64_t *result);

#endif
