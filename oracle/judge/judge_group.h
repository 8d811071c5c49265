/* oracle/judge/judge_group.h -- the judge's side of group instructions: results from observed operands. */
#pragma once

#include "oracle/group/group.h"
#include "oracle/interp/static_place.h"
#include "oracle/judge/subgroup.h"

/* A float sum or product that several invocations may share. */
struct reduction_case {
    struct reduction terms;
    struct reduction_usual usual;
    struct set set; /* meaningful if has_set */
    struct rules rules;
    enum reduction_proof proof;
    uint8_t has_usual, has_set, is_shared; /* shared: all of them get the same result */
    uint8_t is_any_method; /* what any method of the type's precision gives is a divergence */
    uint8_t has_first;
    uint64_t first; /* the result that was observed first */
    uint64_t rated; /* the last one whose error was looked at for the map, if is_rated */
    uint8_t is_rated;
};

/* One dynamic instance in the making. */
struct group_site {
    struct judge *j;
    struct invocation *inv;
    uint32_t n_items; /* of the work-group */
    const struct mod_inst *in;
    struct group_words w;
    struct group_call c;
    struct participants p;
    uint64_t *value, *second, *other;
    unsigned char *known, *known_second;
};

/* One dynamic instance, kept for what is said of it later. */
struct group_record {
    struct group_call call;
    const uint32_t *lane; /* [call.n] invocations of the work-group */
    uint32_t group;       /* which work-group */
    int is_partial;       /* others of theirs did not take part */
    uint8_t mask, worst;  /* enum feature_mask, feature_class; only where there is a map */
    struct group_record *next;
};
/* Of those who executed `in` together with inv; NULL where that is not kept. */
const struct group_record *judge_group_record(const struct judge *j, const struct mod_inst *in,
                                              const struct invocation *inv);
/* "0:0x3f800000 1:0x40000000 ...": operands of those who executed `in` together with inv; "" where
 * that is not kept. */
const char *judge_group_operands(const struct judge *j, const struct mod_inst *in,
                                 const struct invocation *inv);

/* Results of the site's instruction go to the registers of its invocations, of the n of the
 * work-group. 0 and x->stop when what follows cannot be judged. */
int judge_group_site(struct judge *j, struct invocation *inv, uint32_t n,
                     const struct tangle_site *s);
/* Is `got` a result of the case? Computes no more than is needed to tell. */
int judge_reduction_allows(struct judge *j, struct reduction_case *r, uint64_t got);

/* ---- between judge_group.c and judge_sums.c ---- */

/* A value that nobody can tell, but that is one value. */
struct val judge_unknown(struct judge *j);
/* Registers of participant i's result. */
struct val *judge_group_result(const struct group_site *s, uint32_t i);
/* Results of a float sum or product (0 and x->stop when the arena is full), of a min or max. */
int judge_group_sums(const struct group_site *s);
void judge_group_minmax(const struct group_site *s);
