/* fuzz/merge/merge.h -- folders of shards into one folder: which kind they are of, and who does it. */
#pragma once

#include "base/base.h"

/*
 * What is merged: all folders are of one kind. Of each part, which is a shard of one campaign, what is a sum is kept by
 * part, and rows that have a key of their own (target, case index, ordinal) are united. So the order of the folders, how
 * they are grouped, and merging one twice change nothing: each table of the result is the same to the byte. Of a part
 * that is there twice the one that is further is taken. Parts that are missing are no error.
 */
struct merge_words {
    const char *
        out; /* the folder that is made; where it is a merged one already, it is one more of `in` */
    const char *const *in; /* n folders */
    uint32_t n;
};
/* What came of it. Strings in the arena. */
struct merge_summary {
    const char *kind;                      /* "campaign" */
    uint32_t n_folders, n_parts, n_shards; /* read; of the result; of the whole */
    const char *missing;                   /* one sentence, or "" */
};
/*
 * Memory does not grow with the folders but for a few bytes for each part. The result is made beside `out` and takes its
 * place at the end: a kill at any moment leaves `out` as it was. Nothing of the folders in `in` changes.
 * RES_USAGE: they are not of one campaign, or of several kinds; the text names two folders and what differs. RES_FORMAT:
 * one is damaged, or not made by this program. RES_IO.
 */
MUST_USE enum res merge_folders(const struct merge_words *w, struct arena *a,
                                struct merge_summary *out, struct err *e);
