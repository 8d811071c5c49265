/* fuzz/audit/audit_merge.h -- the shards of an audit as one. */
#pragma once

#include "fuzz/audit/audit.h"

/* Is it the folder of an audit? */
bool audit_merge_is_audit(const char *folder, struct arena *a);
struct audit_merge_summary {
    uint32_t n_parts, n_shards; /* of the result; of the whole */
    const char *missing;        /* one sentence, or ""; in the arena */
};
/*
 * Unite the states of the folders in out/audit.state, which is taken in itself where it is a merged one. It keeps the rows
 * of each shard, so that a later one, or one that got further, can take the place of what is there: order and grouping of
 * the folders change nothing. The folder is made where it is not there; its state is replaced at the end.
 * A shard whose state is empty, as it was killed before its first commit, counts as missing.
 * RES_USAGE: they are not of one audit, or of no shards, and the text names two folders and what differs; or no folder holds a
 * result. RES_FORMAT: one is damaged or of another version.
 */
MUST_USE enum res audit_merge(const char *out, const char *const *in, uint32_t n, struct arena *a,
                              struct audit_merge_summary *summary, struct err *e);
/* The whole audit, of all shards together, from a merged folder. RES_FORMAT: the state is damaged, of another version, or empty. */
MUST_USE enum res audit_merge_load(const char *folder, struct arena *a, struct audit *out,
                                   struct err *e);
