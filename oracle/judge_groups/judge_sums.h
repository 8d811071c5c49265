/* oracle/judge_groups/judge_sums.h -- float sums, products, min and max over a group: what they may be. */
#pragma once

#include "oracle/group/reduction.h"
#include "oracle/group/reduction_usual.h"
#include "oracle/judge_groups/group_site.h"

/* A float sum or product that several invocations may share. */
struct reduction_case {
    struct reduction terms;
    struct reduction_usual usual;
    struct set set; /* meaningful if has_set */
    struct rules rules;
    enum reduction_proof proof;
    uint32_t max_error;                    /* literal of its decoration; 0: it has none */
    uint8_t has_usual, has_set, is_shared; /* shared: all of them get the same result */
    uint8_t is_any_method; /* what any method of the type's precision gives is a divergence */
    uint8_t has_first;
    uint64_t first; /* the result that was observed first */
    uint64_t rated; /* the last one whose error was looked at for the map, if is_rated */
    uint8_t is_rated;
};

/* Is `got` a result of the case? Computes no more than is needed to tell. */
int judge_reduction_allows(struct judge *j, struct reduction_case *r, uint64_t got);

/* Results of a float sum or product; of a min or max. 0 and x->stop when the arena is full. */
int judge_group_sums(const struct group_site *s);
int judge_group_minmax(const struct group_site *s);
