/* oracle/judge_groups/judge_sums.h -- the permitted results of float sums, products, minima and maxima over a group.
 *
 * A sum or product may be added up in any order (CLAUSE_GROUP_SUM), so its permitted set is expensive: it is computed
 * only when a result is observed that none of the usual orders gives. The set is exact for up to REDUCTION_MAX_TREE
 * terms, by a search of 3^n steps within the budget of the case (judge_groups.search_left); otherwise it is a proven
 * interval that holds all orders. A minimum or maximum has a small exact set. */
#pragma once

#include "oracle/group/reduction.h"
#include "oracle/group/reduction_usual.h"
#include "oracle/judge_groups/group_site.h"

/* A float sum or product over the values of one span of participants. All invocations with that span share it. */
struct reduction_case {
    struct reduction terms;
    struct reduction_usual usual;
    struct set set; /* meaningful if has_set */
    struct rules rules;
    enum reduction_proof proof;
    uint32_t max_error; /* literal of its decoration; 0: it has none */
    uint8_t has_usual, has_set;
    uint8_t is_shared;     /* a reduction: all invocations get one result */
    uint8_t is_any_method; /* what any method of the type's precision gives is a divergence */
    uint8_t has_first;
    uint64_t first; /* the result that was observed first, if has_first */
    uint64_t rated; /* the last result whose error was rated for the map, if is_rated */
    uint8_t is_rated;
};

/* Is `got` a permitted result of the case? Computes no more than is needed for the answer. */
int judge_reduction_allows(struct judge *j, struct reduction_case *r, uint64_t got);

/* Puts the permitted results of a float sum or product; of a minimum or maximum. 0 and x->stop: the arena is full. */
int judge_group_sums(const struct group_site *s);
int judge_group_minmax(const struct group_site *s);
