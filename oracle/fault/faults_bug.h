/* oracle/fault/faults_bug.h -- bugs of real drivers as faults of arithmetic. Each row of bugs.def is a condition
 * on the site and an expression for the wrong result; both become C functions, which are looked up here by fault. */
#pragma once

#include "oracle/fault/faults_site.h"

/* Is the fault a row of bugs.def? About what goes through a pointer? Does it leave open what is given? */
bool fault_is_bug(enum fault_id id);
bool fault_bug_is_second(enum fault_id id);
bool fault_is_open(enum fault_id id);
/* Of a bug: is it about this row of ops.def? */
bool fault_bug_is_about(enum fault_id id, int op);
/* Of a bug: what it gives; false: it does not arise here. */
bool fault_change_bug(enum fault_id id, const struct fault_math_site *s, uint64_t *out);
/* Does it also give what the instruction gives to another invocation? */
bool fault_bug_takes_others(enum fault_id id);
/* In how many ways s->pick may choose. */
uint32_t fault_count_choices(enum fault_id id);
/* Of a bug that gives any number near one: how many encodings it may be away; 0: it gives what fault_change_bug says. */
uint32_t fault_bug_get_radius(enum fault_id id);
/* The number that those it may give are around; false: it does not arise here. */
bool fault_center_bug(enum fault_id id, const struct fault_math_site *s, uint64_t *out);
