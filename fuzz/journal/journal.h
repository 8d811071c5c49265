/* fuzz/journal/journal.h -- the campaign's memory: SQLite in WAL mode, one file per campaign folder. */
#pragma once

#include "base/testcase.h"
#include "fuzz/io/shard.h"
#include "fuzz/journal/journal_put.h"
#include "oracle/judge/judge.h"

struct journal; /* an open journal file */

enum {
    JOURNAL_MAX_TARGETS = 64
};
/* Case indices from here on are given out by other programs than `halfulp run`. */
#define JOURNAL_OWN_CASES (UINT64_C(1) << 40)
/* Each instance of a guided campaign has a range of them: JOURNAL_OWN_CASES, or of a shard so many of them, as the
 * instances of all shards share it. With 16 instances they end below 2^48. */
#define JOURNAL_SHARD_RANGE (15 * JOURNAL_OWN_CASES)

/* What a campaign was started with; kept so that --resume goes on with the same. */
struct campaign_plan {
    const char *profile;
    uint64_t seed;
    uint32_t gen_version;
    uint64_t max_cases;  /* per target, of a shard below that index; 0 = no limit */
    uint64_t max_ns;     /* wall time; 0 = no limit */
    const char *targets; /* names, space separated */
    struct shard shard;  /* whose case indices are run here */
    /* Where the cases are kernels of the user's own (fuzz/modules/modules.h); NULL or "": they are generated. */
    const char *modules;         /* the folder that they are in, an absolute path */
    const char *modules_options; /* of the compilers that they are built with */
    const char *modules_hash;    /* of its files and the kernels in them */
    const char
        *modules_list; /* the kernels in their order, a line each: FILE, a tab, the entry point */
};

/* Open PATH (a folder) /journal.sqlite, creating both if `plan` is given and none is there;
 * one in a folder that this process cannot write is opened to be read;
 * RES_FORMAT names the file and what is wrong (not a journal, other schema version, damaged). */
MUST_USE enum res journal_open(struct journal **out, const char *folder,
                               const struct campaign_plan *plan, struct err *e);
/* The same, of a campaign that is over and that nobody writes to: nothing in its folder changes, and as many as like may
 * read it at once, on many machines. */
MUST_USE enum res journal_open_still(struct journal **out, const char *folder, struct err *e);
/* The same for one more process of a campaign that is open elsewhere: no look at the whole file. */
MUST_USE enum res journal_join(struct journal **out, const char *folder, struct err *e);
/* The whole journal as that of another folder, which is there and has none. */
MUST_USE enum res journal_copy(struct journal *j, const char *folder, struct err *e);
void journal_close(struct journal *j);
MUST_USE enum res journal_get_plan(struct journal *j, struct arena *a, struct campaign_plan *out,
                                   struct err *e);

/* Target by name: inserted or its facts updated; its row id. */
MUST_USE enum res journal_put_target(struct journal *j, const char *name, const char *facts,
                                     int64_t *id, struct err *e);
/* Written before the case is submitted. case_index numbers the campaign's cases from 0; the tape is
 * stored once per index, with NULL not before journal_put_tape brings it. Returns the run's row id. A run that never ends is found by
 * journal_next_case as one in flight at the kill and is run again. The profile of the case itself,
 * which a campaign of profile "all" draws case by case, is stored when the run ends. */
MUST_USE enum res journal_begin_run(struct journal *j, int64_t target_id, uint64_t case_index,
                                    const void *tape, size_t n_tape, int64_t *run_id,
                                    struct err *e);
/* The tape of a case in which something was found, before its run ends; nothing where it is there. */
MUST_USE enum res journal_put_tape(struct journal *j, uint64_t case_index, const void *tape,
                                   size_t n_tape, struct err *e);
MUST_USE enum res journal_end_run(struct journal *j, int64_t run_id,
                                  const struct run_record *record, struct arena *scratch,
                                  struct err *e);
/* Lowest case index, of the shard's, from which this target has an index without an ended run: where to go on. */
MUST_USE enum res journal_next_case(struct journal *j, int64_t target_id, uint64_t *index,
                                    struct err *e);
/* A case that the target cannot run: its needs are not met. */
MUST_USE enum res journal_skip_case(struct journal *j, int64_t target_id, uint64_t case_index,
                                    struct err *e);
/* 1 when the target has an ended or skipped run at this index, 0 when not, also on error. */
int journal_is_done(struct journal *j, int64_t target_id, uint64_t case_index);
/* Ended runs of a target (skipped ones not counted), over all sessions. */
MUST_USE enum res journal_count_runs(struct journal *j, int64_t target_id, uint64_t *n,
                                     struct err *e);
/* Runs are collected in a transaction that a finding ends at once; this ends it too. What was not
 * flushed at a kill is run again. */
MUST_USE enum res journal_flush(struct journal *j, struct err *e);
/* Buckets of one verdict over all targets, for progress; 0 on error. */
uint64_t journal_count_buckets(struct journal *j, const char *verdict);
/* Runs begun or ended since the last flush. */
uint32_t journal_get_pending(const struct journal *j);
/* Beyond this size of the file, cases without a finding leave only counts. */
void journal_set_disk_cap(struct journal *j, uint64_t n_bytes);
/* Was the file beyond it when it was last looked at? */
bool journal_is_over_cap(const struct journal *j);
/* Seconds and harness CPU of this session, summed over sessions. */
MUST_USE enum res journal_add_time(struct journal *j, uint64_t wall_ns, uint64_t harness_cpu_ns,
                                   uint64_t worker_cpu_ns, struct err *e);

/* A word about the campaign under a key: "mpfr_version". */
MUST_USE enum res journal_put_note(struct journal *j, const char *key, const char *value,
                                   struct err *e);
const char *journal_get_note(struct journal *j, const char *key, struct arena *a); /* "": none */

/* For those that ask the file something of their own. */
struct db *journal_get_db(struct journal *j);
/* Before a write: it becomes part of the transaction that journal_flush ends. */
MUST_USE enum res journal_begin(struct journal *j, struct err *e);
const char *journal_get_folder(const struct journal *j);
struct shard journal_get_shard(const struct journal *j);
