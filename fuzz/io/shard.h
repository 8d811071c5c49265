/* fuzz/io/shard.h -- one of N parts of work that many machines share. */
#pragma once

#include "base/base.h"

enum {
    SHARD_MAX = 100000, /* parts of one work */
    SHARD_TEXT_BYTES = 16
};
/* index is 0 to n - 1; on the command line and on disk it counts from 1. n 0: all of the work, undivided, which takes
 * every number below. */
struct shard {
    uint32_t index, n;
};
#define SHARD_NONE                                                                                 \
    {                                                                                              \
        0, 0                                                                                       \
    }
/* "2/4" and nothing else: the second of four. False: it is no such text, or there are no such parts. */
bool shard_parse(struct shard *out, const char *text);
/* "2/4" into SHARD_TEXT_BYTES of `text`, which is returned; "" of what is undivided. */
const char *shard_print(struct shard s, char *text);
/*
 * The numbers 0, 1, 2, ... are dealt to the shards in rounds: of n numbers in a row, n k to n k + n - 1, each shard has
 * one. In which order they take them moves by one each second round: else, where n is even, what takes turns by the number,
 * such as profiles and environments, would always come to the same shards.
 */
/* The shard's k-th number, from 0. */
uint64_t shard_nth(struct shard s, uint64_t k);
/* The lowest number of the shard that is not below `from`. */
uint64_t shard_next(struct shard s, uint64_t from);
/* Which of n shards has that number, from 0; n 0: 0. */
uint32_t shard_of(uint32_t n, uint64_t number);
/* How many of the numbers below `end` are the shard's. */
uint64_t shard_count(struct shard s, uint64_t end);
