/* fuzz/campaign/corpus.h -- tapes worth keeping, and what the next cases of a campaign are made of. */
#pragma once

#include "fuzz/campaign/feature_case.h"
#include "fuzz/journal/journal.h"
#include "gen/case/gen.h"
#include "oracle/feature/feature.h"

/*
 * A run sets cells of a map: the features of oracle/feature/feature.h, then those of fuzz/campaign/feature_case.h. For
 * each cell the corpus keeps the smallest tape (fewest records) that any run of the campaign set it
 * with. A tape that is kept for no cell any more is dropped, so that there are at most as many tapes
 * as cells.
 *
 * A case index is decided once, when the first target asks for it: an imported tape while there are
 * any, else with a chance of `percent` in 100 a mutation of a kept tape, else a fresh random tape. The
 * journal keeps which, before any run of it, so that all targets, and this campaign resumed, get one
 * and the same tape.
 *
 * The parent of a mutation: of CORPUS_DRAWS known cells, drawn alike, the one with the lowest sum of
 * the runs that set it and the times that its tape was chosen; then the tape kept for it. So rare
 * cells count, new ones too as few runs had a chance to set them, and of all tapes that set a cell the
 * smallest stands for it. The counts start anew with each session.
 */
enum {
    CORPUS_CELLS = FEATURE_CELLS + FEATURE_CASE_CELLS,
    CORPUS_DRAWS = 4,
    CORPUS_MAX_RECORDS = 4096 /* of a mutated tape: three times a random one */
};

struct corpus_options {
    enum profile profile; /* of the campaign */
    uint64_t seed;
    uint32_t percent;    /* share of mutated cases */
    const char *import;  /* folder of tape files, such as AFL++'s queue; NULL: none */
    const char *exports; /* folder for the kept tapes, such as CAMPAIGN/corpus; NULL: none */
};

struct corpus;
/* What the journal has of it, and the list of files to import. RES_USAGE: no such folder. Borrows
 * options and journal. */
MUST_USE enum res corpus_open(struct corpus **out, const struct corpus_options *o,
                              struct journal *j, struct err *e);
void corpus_close(struct corpus *c);

/* For what a case is: its index, an API that targets have for which it is drawn, and the needs that it may have (NULL: all), which
 * are the same each time. */
struct corpus_for {
    uint64_t index;
    enum env env;
    const struct needs *allowed;
};
/* The tape of a case and its profile, in the arena. */
struct corpus_tape {
    struct tape tape;
    enum profile profile;
};
MUST_USE enum res corpus_get_tape(struct corpus *c, const struct corpus_for *of, struct arena *a,
                                  struct corpus_tape *out, struct err *e);
/* CORPUS_CELLS bytes for the next run's cells, cleared. */
unsigned char *corpus_get_map(struct corpus *c);
/* A run of that case set the cells of the map: keep the tape if it is the first or the smallest. To be
 * called before journal_end_run, to be in the same transaction. */
MUST_USE enum res corpus_take_run(struct corpus *c, uint64_t index, enum profile profile,
                                  const struct tape *tape, struct err *e);

/* From time to time: files of `import` that are new since, and kept tapes to `exports`, at most
 * max_files of them now. */
MUST_USE enum res corpus_sync(struct corpus *c, uint32_t max_files, struct err *e);

struct corpus_figures {
    uint32_t n_tapes, n_cells;
    uint64_t n_imported, n_mutated, n_bad_files; /* cases decided in this session; files refused */
};
struct corpus_figures corpus_get_figures(const struct corpus *c);
