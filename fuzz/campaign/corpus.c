/* fuzz/campaign/corpus.c -- which tapes are kept, and which case is made of what.
 * A cell is a bit of the map of what a run showed (oracle/feature/feature.h); each cell keeps the shortest tape that
 * set it. */
#include "fuzz/campaign/corpus.h"

#include <assert.h>
#include <string.h>

#include "fuzz/campaign/corpus_files.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/journal/journal_corpus.h"
#include "gen/mutate/mutate.h"
#include "gen/tape/profile.h"
#include "gen/tape/tape.h"
#include "gen/tape/tape_needs.h"

/* A kept tape. The tape itself is in the journal. */
struct kept {
    int64_t id; /* 0: the slot is free */
    uint64_t case_index;
    uint32_t n_records;
    uint32_t n_cells;  /* that it is kept for */
    uint32_t n_chosen; /* as a parent, in this session */
    uint8_t profile, is_exported;
};
#define NO_SLOT UINT32_MAX
enum {
    OTHER_TRIES = 4,       /* draws of a second parent of the same profile */
    IMPORTS_PER_STEP = 256 /* files looked at for one case that turn out to be known or bad */
};
#define SCRATCH_BYTES ((size_t)64 << 20)
/* Of a case's random numbers; tape_random has 1. */
enum {
    LABEL_ORIGIN = 2,
    LABEL_MUTATION = 3
};

struct corpus {
    struct corpus_options o;
    struct journal *journal;
    struct arena arena;   /* of all below but what has its own */
    struct arena scratch; /* of one step */
    uint64_t n_free;      /* no lower case index is still to be decided */
    int has_origins;      /* is there any case that is not fresh? */
    unsigned char *map;   /* [CORPUS_CELLS] */
    uint32_t *hits,
        *slot_of; /* [CORPUS_CELLS]: runs of this session; slot in kept, NO_SLOT: none */
    uint32_t *known, *wanted; /* [CORPUS_CELLS]: cells that were set ever; that a run is kept for */
    struct kept *kept;        /* [CORPUS_CELLS]: each is kept for a cell of its own */
    uint32_t n_known, n_slots;
    uint32_t n_tapes;   /* slots that are not free */
    uint32_t to_export; /* slots below this are exported */
    struct corpus_import import;
    struct corpus_figures figures;
};

static enum res take_memory(struct corpus *c, struct err *e)
{
    c->map = ARENA_NEW(&c->arena, unsigned char, CORPUS_CELLS);
    c->hits = ARENA_NEW(&c->arena, uint32_t, CORPUS_CELLS);
    c->slot_of = ARENA_NEW(&c->arena, uint32_t, CORPUS_CELLS);
    c->known = ARENA_NEW(&c->arena, uint32_t, CORPUS_CELLS);
    c->wanted = ARENA_NEW(&c->arena, uint32_t, CORPUS_CELLS);
    c->kept = ARENA_NEW(&c->arena, struct kept, CORPUS_CELLS);
    if (!c->map || !c->hits || !c->slot_of || !c->known || !c->wanted || !c->kept) {
        return err_set(e, RES_NOMEM, "no memory for the corpus");
    }
    memset(c->slot_of, 0xff, CORPUS_CELLS * sizeof(*c->slot_of));
    return RES_OK;
}

static uint32_t find_id(const struct corpus *c, int64_t id)
{
    uint32_t low = 0, high = c->n_slots; /* from the journal they come by id */
    while (low < high) {
        uint32_t const middle = low + (high - low) / 2;
        if (c->kept[middle].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < c->n_slots && c->kept[low].id == id ? low : NO_SLOT;
}

static void keep_for_cell(struct corpus *c, uint32_t cell, uint32_t slot)
{
    if (c->slot_of[cell] == NO_SLOT) {
        c->known[c->n_known++] = cell;
    }
    c->slot_of[cell] = slot;
    c->kept[slot].n_cells++;
}

/* Fill the corpus of a resumed campaign from the journal: the kept tapes, then for each cell of the map which
 * of them is kept for it. A profile that this version does not know becomes another: its tape can still be
 * mutated. */
static void take_rows(struct corpus *c, const struct journal_corpus *x)
{
    for (uint32_t i = 0; i < x->n_entries && i < CORPUS_CELLS; i++) {
        const struct journal_entry *const entry = &x->entries[i];
        int const profile = profile_find(entry->profile);
        c->kept[c->n_slots++] =
            (struct kept){.id = entry->id,
                          .case_index = entry->case_index,
                          .n_records = entry->n_records,
                          .profile = (uint8_t)(profile < 0 ? PROFILE_ATOMICS : profile),
                          .is_exported = c->o.exports && corpus_has_file(c->o.exports, entry->id)};
    }
    c->n_tapes = c->n_slots;
    for (uint32_t i = 0; i < x->n_cells; i++) {
        uint32_t const slot = find_id(c, x->cells[i].entry);
        if (x->cells[i].cell < CORPUS_CELLS && slot != NO_SLOT) {
            keep_for_cell(c, x->cells[i].cell, slot);
        }
    }
}

static enum res load(struct corpus *c, struct err *e)
{
    struct journal_corpus x;
    const char *layout = arena_printf(&c->scratch, "%d+%d", FEATURE_CELLS, FEATURE_CASE_CELLS);
    TRY(journal_load_corpus(c->journal, layout, &c->scratch, &x, e));
    TRY(journal_first_free(c->journal, &c->n_free, e));
    take_rows(c, &x);
    c->has_origins = c->n_free > 0;
    return c->o.exports ? corpus_clean_folder(c->o.exports, x.entries, x.n_entries, e) : RES_OK;
}

/* Open the corpus of a campaign: load what the journal already has of it, and list the files
 * that are to be imported. After an error everything is closed again, and *out is NULL. */
enum res corpus_open(struct corpus **out, const struct corpus_options *o, struct journal *j,
                     struct err *e)
{
    struct arena arena;
    arena_init(&arena, (size_t)16 << 20);
    struct corpus *c = ARENA_NEW(&arena, struct corpus, 1);
    if (!c) {
        return err_set(e, RES_NOMEM, "no memory for the corpus");
    }
    c->arena = arena;
    c->o = *o;
    c->journal = j;
    c->import.folder = o->import;
    arena_init(&c->scratch, SCRATCH_BYTES);
    arena_init(&c->import.arena, SCRATCH_BYTES);
    enum res r = take_memory(c, e);
    if (r != RES_OK) {
        goto done;
    }
    r = load(c, e);
    if (r != RES_OK) {
        goto done;
    }
    r = corpus_scan(&c->import, e);
done:
    arena_free(&c->scratch); /* loading took much more memory than a step needs */
    arena_init(&c->scratch, SCRATCH_BYTES);
    *out = c;
    if (r != RES_OK) {
        corpus_close(c);
        *out = NULL;
    }
    return r;
}

void corpus_close(struct corpus *c)
{
    if (c) {
        arena_free(&c->scratch);
        arena_free(&c->import.arena);
        struct arena arena = c->arena;
        arena_free(&arena);
    }
}

/* ---- what a case is made of ---- */

static uint64_t score(const struct corpus *c, uint32_t cell)
{
    return (uint64_t)c->hits[cell] + c->kept[c->slot_of[cell]].n_chosen;
}

/* The slot of a parent; there is at least one cell. */
static uint32_t choose(const struct corpus *c, struct rng *rng)
{
    uint32_t best = c->known[rng_below(rng, c->n_known)];
    for (int i = 1; i < CORPUS_DRAWS; i++) {
        uint32_t const cell = c->known[rng_below(rng, c->n_known)];
        best = score(c, cell) < score(c, best) ? cell : best;
    }
    return c->slot_of[best];
}

/* A second one of the same profile; 0 where none is drawn. All draws are made, whichever fits first. */
static int64_t choose_other(const struct corpus *c, uint32_t parent, struct rng *rng)
{
    const struct kept *const first = &c->kept[parent];
    int64_t id = 0;
    for (int i = 0; i < OTHER_TRIES; i++) {
        const struct kept *const k = &c->kept[choose(c, rng)];
        if (id == 0 && k->profile == first->profile && k->id != first->id) {
            id = k->id;
        }
    }
    return id;
}

static struct rng rng_of(const struct corpus *c, uint64_t index, uint64_t label)
{
    struct rng root = rng_seed(c->o.seed);
    struct rng rng = rng_fork(&root, index);
    return rng_fork(&rng, label);
}

/* The tape of *x allows those needs, whatever the one allowed that it was made of. */
static enum res allow(struct journal_entry *x, const struct needs *allowed, struct arena *a,
                      struct err *e)
{
    struct tape tape = {.data = x->tape, .n_records = x->n_records};
    TRY(allowed ? tape_set_allowed(&tape, allowed, a, e) : RES_OK);
    x->tape = tape.data;
    x->n_records = (uint32_t)tape.n_records;
    return RES_OK;
}

/* Make the tape of a case that is not fresh, into *out, which says the case's index. It is the imported tape
 * itself, or a mutation of the parent, which may be crossed with a second tape (o->other). The random numbers are
 * those of the index, so the same origin gives the same tape. RES_USAGE: the journal no longer has the parent. */
static enum res make_tape(struct corpus *c, const struct origin *o, const struct needs *allowed,
                          struct arena *a, struct journal_entry *out, struct err *e)
{
    uint64_t const index = out->case_index;
    struct journal_entry parent, other = {.n_records = 0};
    struct tape tape;
    TRY(journal_get_entry(c->journal, o->parent, a, &parent, e));
    if (o->kind == ORIGIN_IMPORTED) {
        *out = parent;
        out->case_index = index;
        return allow(out, allowed, a, e);
    }
    if (o->other) {
        TRY(journal_get_entry(c->journal, o->other, a, &other, e));
    }
    int const profile = profile_find(parent.profile);
    if (profile < 0) {
        return err_set(e, RES_USAGE, "%.40s: no such profile", parent.profile);
    }
    struct tape const in = {.data = parent.tape, .n_records = parent.n_records};
    struct tape const second = {.data = other.tape, .n_records = other.n_records};
    struct rng rng = rng_of(c, index, LABEL_MUTATION);
    /* A tape belongs to no environment, and its records mean nearly the same in each: any will do. */
    struct mutate_for const to = {.profile = (enum profile)profile,
                                  .env = (enum env)rng_below(&rng, ENV_N),
                                  .max_records = CORPUS_MAX_RECORDS};
    enum res r = mutate_tape(&in, o->other ? &second : NULL, &to, &rng, a, &tape, NULL, e);
    *out = (struct journal_entry){.case_index = index,
                                  .profile = profile_names[profile],
                                  .n_records = (uint32_t)tape.n_records,
                                  .tape = tape.data};
    return r == RES_OK ? allow(out, allowed, a, e) : r;
}

/* Decide that case `index` is an imported tape: find the next file that holds a tape which the journal does not
 * know, put the tape there, and make *o name it. The tape is not kept for any cell yet, so it is also marked as
 * dropped after this case. *o stays as it is if none of the next IMPORTS_PER_STEP files holds such a tape. */
static enum res take_import(struct corpus *c, uint64_t index, struct origin *o, struct err *e)
{
    for (int i = 0; i < IMPORTS_PER_STEP && c->import.next < c->import.n; i++) {
        struct tape tape;
        struct err bad;
        const char *profile = "";
        arena_reset(&c->scratch);
        if (tape_load_file(&tape, c->import.paths[c->import.next++], &profile, &c->scratch, &bad) !=
            RES_OK) {
            c->figures.n_bad_files++;
            continue;
        }
        struct journal_entry const entry = {.case_index = index,
                                            .profile = profile,
                                            .n_records = (uint32_t)tape.n_records,
                                            .tape = tape.data};
        if (journal_has_entry(c->journal, &entry)) {
            continue;
        }
        o->kind = ORIGIN_IMPORTED;
        TRY(journal_put_entry(c->journal, &entry, &o->parent, e));
        return journal_end_entry(c->journal, o->parent, index + 1, e);
    }
    return RES_OK;
}

/* Decide of what the case is made, at the moment somebody first asks for it: an imported file while there are
 * any, else with the chance o.percent a mutation of a kept tape, else neither (fresh: random). From then on
 * n_free says that it is decided. */
static enum res decide(struct corpus *c, uint64_t index, struct origin *o, struct err *e)
{
    struct rng rng = rng_of(c, index, LABEL_ORIGIN);
    bool const is_mutated = rng_below(&rng, 100) < c->o.percent && c->n_known > 0;
    *o = (struct origin){.kind = ORIGIN_FRESH};
    c->n_free = index + 1;
    if (c->import.next < c->import.n) {
        enum res const r = take_import(c, index, o, e);
        if (r != RES_OK || o->kind == ORIGIN_IMPORTED) {
            c->figures.n_imported++;
            return r;
        }
    }
    if (is_mutated) {
        uint32_t const parent = choose(c, &rng);
        *o = (struct origin){ORIGIN_MUTATED, c->kept[parent].id, choose_other(c, parent, &rng)};
        c->kept[parent].n_chosen++;
        c->figures.n_mutated++;
    }
    return RES_OK;
}

/* What a case is made of: decided now, or long ago and in the journal. */
static enum res find_origin(struct corpus *c, uint64_t index, struct origin *o, struct err *e)
{
    if (index >= c->n_free) {
        return decide(c, index, o, e);
    }
    *o = (struct origin){.kind = ORIGIN_FRESH};
    return c->has_origins ? journal_get_origin(c->journal, index, o, e) : RES_OK;
}

/* Get the tape of case `index` into *out if the case is made from another tape. The journal has that tape from an
 * earlier run, or it is made now; an origin that was decided now is put into the journal. *is_fresh is set, and *out
 * stays empty, if the case is random instead, or if its parent was lost. Cases below c->n_free are already decided. */
static enum res get_made_tape(struct corpus *c, uint64_t index, const struct needs *allowed,
                              struct arena *a, struct journal_entry *out, bool *is_fresh,
                              struct err *e)
{
    bool const is_new = index >= c->n_free;
    struct origin o;
    *is_fresh = false;
    *out = (struct journal_entry){.case_index = index};
    /* Without any origin in the journal there is nothing to look up. */
    if (!is_new && c->has_origins) {
        enum res const r = journal_get_made(c->journal, index, a, out, e);
        /* RES_USAGE: it is fresh, or only its origin is kept, from which it is made again below. */
        if (r != RES_USAGE) {
            return r;
        }
    }
    TRY(find_origin(c, index, &o, e));
    if (o.kind == ORIGIN_FRESH) {
        *is_fresh = true;
        return RES_OK;
    }
    c->has_origins = 1;
    enum res const r = make_tape(c, &o, allowed, a, out, e);
    *is_fresh = r == RES_USAGE; /* the parent is lost */
    if (r != RES_OK) {
        return *is_fresh ? RES_OK : r;
    }
    return is_new ? journal_put_origin(c->journal, out, &o, e) : RES_OK;
}

enum res corpus_get_tape(struct corpus *c, const struct corpus_for *of, struct arena *a,
                         struct corpus_tape *out, struct err *e)
{
    struct journal_entry made;
    bool is_fresh = false;
    TRY(get_made_tape(c, of->index, of->allowed, a, &made, &is_fresh, e));
    int const found = is_fresh ? -1 : profile_find(made.profile);
    if (found >= 0) {
        out->tape = (struct tape){.data = made.tape, .n_records = made.n_records};
        out->profile = (enum profile)found;
        return RES_OK;
    }
    out->profile = sched_pick_profile(c->o.profile, of->index);
    struct sched_case const fresh = {c->o.profile, c->o.seed, of->index, of->env, of->allowed};
    return sched_make_fresh(&fresh, a, &out->tape, e);
}

/* ---- what is kept ---- */

unsigned char *corpus_get_map(struct corpus *c)
{
    memset(c->map, 0, CORPUS_CELLS);
    return c->map;
}

/* Is the tape of a case one to be kept for a cell instead of what is: smaller, or as small and of an earlier case? So what
 * is kept depends neither on which target was faster, nor on how many machines shared the cases. */
static bool is_better(const struct corpus *c, uint32_t cell, uint64_t index, uint32_t n_records)
{
    if (c->slot_of[cell] == NO_SLOT) {
        return true;
    }
    const struct kept *const k = &c->kept[c->slot_of[cell]];
    return n_records != k->n_records ? n_records < k->n_records : index < k->case_index;
}

/* Count a hit of each cell of the map, eight at a time where none is set; list in c->wanted those that the tape is
 * the first or the smallest for. How many these are. */
static uint32_t count_cells(struct corpus *c, uint64_t index, uint32_t n_records)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < CORPUS_CELLS; i += 8) {
        uint64_t eight = 0;
        memcpy(&eight, c->map + i, 8);
        for (uint32_t k = i; eight != 0 && k < i + 8; k++) {
            if (!c->map[k]) {
                continue;
            }
            c->hits[k] += c->hits[k] != UINT32_MAX;
            if (is_better(c, k, index, n_records)) {
                c->wanted[n++] = k;
            }
        }
    }
    return n;
}

/* The slot of a case's tape, or a free one. There is one: there are as many slots as cells, each that is not
 * free is kept for at least one cell, and of the cells wanted now at least one is nobody's. */
static uint32_t find_slot(struct corpus *c, uint64_t index)
{
    uint32_t free_slot = c->n_slots;
    for (uint32_t i = 0; i < c->n_slots; i++) {
        bool const is_free = c->kept[i].id == 0;
        if (!is_free && c->kept[i].case_index == index) {
            return i;
        }
        if (is_free && free_slot == c->n_slots) {
            free_slot = i;
        }
    }
    return free_slot;
}

/* The tape of a slot is kept for one cell less; without any it goes. */
static enum res drop_cell(struct corpus *c, uint32_t slot, struct err *e)
{
    struct kept *k = &c->kept[slot];
    if (--k->n_cells > 0) {
        return RES_OK;
    }
    enum res const r = journal_end_entry(c->journal, k->id, c->n_free, e);
    if (k->is_exported) {
        corpus_unlink_tape(c->o.exports, k->id);
    }
    memset(k, 0, sizeof(*k));
    c->n_tapes--;
    return r;
}

/* Give the wanted cells to entry `id` of the journal, and take them from the tapes that were kept for them. */
static enum res move_cells(struct corpus *c, uint32_t n_wanted, int64_t id, struct err *e)
{
    for (uint32_t i = 0; i < n_wanted; i++) {
        uint32_t const cell = c->wanted[i];
        TRY(journal_put_cell(c->journal, cell, id, e));
        if (c->slot_of[cell] != NO_SLOT) {
            TRY(drop_cell(c, c->slot_of[cell], e));
        }
    }
    return RES_OK;
}

/* Keep the tape of case `index`, whose run has set the cells of c->map, for each of these cells
 * that is new, or that only longer tapes set so far, or tapes of the same length from later cases.
 * Without such a cell nothing is kept, nor in a journal beyond its cap if no case is made by changing a tape. Other
 * tapes that lose their last cell by this are dropped. */
enum res corpus_take_run(struct corpus *c, uint64_t index, enum profile profile,
                         const struct tape *tape, struct err *e)
{
    if (c->o.percent == 0 && journal_is_over_cap(c->journal)) {
        return RES_OK;
    }
    uint32_t const n_records = (uint32_t)tape->n_records;
    uint32_t const n_wanted = count_cells(c, index, n_records);
    if (n_wanted == 0) {
        return RES_OK;
    }
    struct journal_entry const entry = {.case_index = index,
                                        .profile = profile_names[profile],
                                        .n_records = n_records,
                                        .tape = tape->data};
    int64_t id = 0;
    TRY(journal_put_entry(c->journal, &entry, &id, e));
    TRY(move_cells(c, n_wanted, id, e)); /* first: a tape that is dropped frees its slot */
    uint32_t const slot = find_slot(c, index);
    /* A slot is free: each other kept tape has a cell of its own, and this one has taken n_wanted of the cells. */
    assert(slot < CORPUS_CELLS);
    if (!c->kept[slot].id) { /* else the case is kept already, for other cells */
        c->kept[slot] = (struct kept){
            .id = id, .case_index = index, .n_records = n_records, .profile = (uint8_t)profile};
        c->n_slots += slot == c->n_slots;
        c->to_export = slot < c->to_export ? slot : c->to_export; /* a slot that is used again */
        c->n_tapes++;
    }
    for (uint32_t i = 0; i < n_wanted; i++) {
        keep_for_cell(c, c->wanted[i], slot);
    }
    return RES_OK;
}

/* ---- with others ---- */

static enum res export_tape(struct corpus *c, struct kept *k, struct err *e)
{
    struct journal_entry x;
    k->is_exported = 1;
    arena_reset(&c->scratch);
    TRY(journal_get_entry(c->journal, k->id, &c->scratch, &x, e));
    return corpus_write_tape(c->o.exports, &x, &c->scratch, e);
}

enum res corpus_sync(struct corpus *c, uint32_t max_files, struct err *e)
{
    uint32_t n_files = 0;
    if (c->import.next >= c->import.n) {
        TRY(corpus_scan(&c->import, e));
    }
    for (; c->o.exports && c->to_export < c->n_slots; c->to_export++) {
        struct kept *k = &c->kept[c->to_export];
        if (!k->id || k->is_exported) {
            continue;
        }
        if (n_files++ == max_files) {
            return RES_OK;
        }
        TRY(export_tape(c, k, e));
    }
    return RES_OK;
}

struct corpus_figures corpus_get_figures(const struct corpus *c)
{
    struct corpus_figures f = c->figures;
    f.n_tapes = c->n_tapes;
    f.n_cells = c->n_known;
    return f;
}
