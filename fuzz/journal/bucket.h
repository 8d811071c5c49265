/* fuzz/journal/bucket.h -- which findings are one bug, from signatures alone. */
#pragma once

#include "oracle/judgement/judgement.h"

/*
 * A finding's signature (struct signature) is a core and circumstances: scope, decoration, classes of
 * the operands, direction of the error, mask shape, contended. Each of these is either plain (finite
 * operands, undecorated, all take part, private) or special.
 * Merge: within a core, a finding belongs to the bucket whose special circumstances are all its own
 * and fewest: what goes wrong under plain circumstances too is the same bug under special ones.
 * An original that does not fit, or an order that breaks, names two instructions ("or:"): the one that
 * left it or the one that saw it. Within a type and storage the fewest instructions that explain all such
 * findings are the culprits, and a finding joins the bucket of its culprit. If two instructions explain equally many
 * findings, the culprit is the one that more findings name in all types and storages.
 * Split: special circumstances of which neither holds the other stay apart.
 * Two results: a function that gives a float and an integer, in each form that it has (bucket_results.def), is one bucket with
 * both where the same rule is broken in the same way.
 * What a known bug explains (known:) is the bucket of that bug, however it shows.
 * A family joins buckets of a target whose cores differ only in width, storage, scope or operand class.
 */

/* For n signatures of one target and class: out[i] is the index of the signature that names the bucket of
 * i (its plainest, then first). The family of a signature that names two instructions becomes that of its culprit.
 * Depends on the set of signatures alone, not on their order. RES_NOMEM. */
MUST_USE enum res bucket_group(struct signature *signatures, uint32_t n, struct arena *a,
                               uint32_t *out, struct err *e);
