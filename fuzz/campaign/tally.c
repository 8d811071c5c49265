/* fuzz/campaign/tally.c -- what one instance of a guided campaign has done, in a file that outlives it. */
#include "fuzz/campaign/tally.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/testcase.h"
#include "fuzz/io/db.h"
#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_coverage.h"
#include "fuzz/journal/journal_put.h"
#include "fuzz/journal/journal_remark.h"
#include "gen/case/gen.h"
#include "gen/tape/profile.h"
#include "oracle/tables/tables.h"

static const char tally_magic[8] = "hulptly3";

/* The file, as it is in memory. */
struct content {
    char magic[sizeof(tally_magic)];
    uint64_t n_bytes;
    uint64_t id;      /* of this file, as it may be lost while the journal is not */
    uint64_t n_moved; /* times that the counts below went into the journal */
    struct tally_figures figures;
    struct journal_totals totals;
    uint64_t n_unconfined; /* runs, as fuzz/journal/journal_remark.h counts them */
    uint32_t verdicts[CASE_CLASS_N][PROFILE_N][VERDICT_N];
    struct journal_cells cells;
    unsigned char seen[TALLY_MAX_CELLS];
};

struct tally {
    struct arena arena;
    struct content *content;
    const char *key; /* of the journal's note which move was the last */
};

static uint64_t make_id(void)
{
    struct timespec now = {0, 0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    uint64_t const seen[3] = {(uint64_t)now.tv_sec, (uint64_t)now.tv_nsec, (uint64_t)getpid()};
    return hash_bytes(0, seen, sizeof seen);
}

/* Give the file its size, unless it has it. All of it is on the disk before it is mapped: a full one is an error
 * here, not a signal there. It never becomes smaller, as it may be mapped by another process, even one of another
 * build. 0, or errno. */
static int make_whole(int fd)
{
    struct stat s;
    if (fstat(fd, &s) != 0) {
        return errno;
    }
    if (s.st_size >= (off_t)sizeof(struct content)) {
        return 0;
    }
    int const failed = posix_fallocate(fd, 0, sizeof(struct content));
    if (failed != 0) {
        (void)!ftruncate(fd, s.st_size);
    }
    return failed;
}

/* Map the open file into t->content. */
static enum res map_content(struct tally *t, int fd, const char *path, struct err *e)
{
    int const failed = make_whole(fd);
    if (failed != 0) {
        return err_set(e, RES_IO, "%s: %s", path, strerror(failed));
    }
    void *p = mmap(NULL, sizeof(struct content), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED) {
        return err_set(e, RES_IO, "%s: %s", path, strerror(errno));
    }
    t->content = p;
    return RES_OK;
}

static enum res map_file(struct tally *t, const char *path, struct err *e)
{
    int fd = -1;
    TRY(file_open_kept(path, 0, &fd, e));
    enum res const r = map_content(t, fd, path, e);
    (void)close(fd);
    return r;
}

/* Is it what this build wrote? */
static int is_sound(const struct content *c)
{
    int ok = memcmp(c->magic, tally_magic, sizeof(tally_magic)) == 0 && c->n_bytes == sizeof(*c) &&
             c->cells.n_touched <= JOURNAL_N_CELLS;
    for (uint32_t i = 0; ok && i < c->cells.n_touched; i++) {
        ok = c->cells.touched[i] < JOURNAL_N_CELLS;
    }
    return ok;
}

/* Open or make the file of counts, and map it, so that a count is in the file as soon as it is in memory. A file of
 * another build, or one that was never finished, begins anew with a new id. The magic is written last, so a file that
 * a kill left half made has none. tally_flush moves all counts to the journal in one transaction, together with a note
 * of the file's id and the move's number, and sets them to zero. The note's key names the file, because the instances
 * of a campaign have a file each and share one journal. */
enum res tally_open(struct tally **out, const char *path, struct err *e)
{
    struct arena arena;
    arena_init(&arena, 1 << 16);
    *out = NULL;
    struct tally *t = ARENA_NEW(&arena, struct tally, 1);
    const char *const name = strrchr(path, '/');
    const char *const key = arena_printf(&arena, "moved %.64s", name ? name + 1 : path);
    if (!t || arena.is_full) {
        arena_free(&arena);
        return err_set(e, RES_NOMEM, "%s: no memory", path);
    }
    enum res const r = map_file(t, path, e);
    if (r != RES_OK) {
        arena_free(&arena);
        return r;
    }
    struct content *c = t->content;
    if (!is_sound(c)) {
        memset(c, 0, sizeof(*c));
        c->n_bytes = sizeof(*c);
        c->id = make_id();
        memcpy(c->magic, tally_magic, sizeof(tally_magic));
    }
    t->key = key;
    t->arena = arena;
    *out = t;
    return RES_OK;
}

void tally_close(struct tally *t)
{
    if (t) {
        struct arena arena = t->arena;
        (void)munmap(t->content, sizeof(*t->content));
        arena_free(&arena);
    }
}

bool tally_is_ours(const struct tally *t)
{
    return is_sound(t->content);
}

struct tally_figures *tally_get(struct tally *t)
{
    return &t->content->figures;
}

/* Count an ended run: the totals, its verdict by class and profile of the case, and the coverage cells that
 * it reached. A profile that is unknown here is not in the table of verdicts. */
void tally_add_run(struct tally *t, const struct run_record *r)
{
    struct content *c = t->content;
    const struct judgement *g = r->judgement;
    journal_count_totals(&c->totals, g);
    int const profile = profile_find(r->tc->profile);
    if (profile >= 0) {
        c->verdicts[r->tc->class][profile][g->kind]++;
    }
    c->n_unconfined += remark_is_unconfined(r->tc, g);
    journal_count_coverage(&c->cells, g, journal_outcome_of(r->tc, r->ob));
}

void tally_add_skip(struct tally *t, const struct judgement *g)
{
    t->content->totals.n_skipped++;
    if (g) {
        journal_count_coverage(&t->content->cells, g, JOURNAL_NOT_SUPPORTED);
    }
}

void tally_add_cells(struct tally *t, const unsigned char *map, size_t n)
{
    struct content *c = t->content;
    static const unsigned char none[64] = {0};
    n = n < TALLY_MAX_CELLS ? n : TALLY_MAX_CELLS;
    for (size_t at = 0; at < n; at += sizeof(none)) { /* a map is nearly empty */
        size_t const end = at + sizeof(none) < n ? at + sizeof(none) : n;
        if (memcmp(map + at, none, end - at) == 0) {
            continue;
        }
        for (size_t i = at; i < end; i++) {
            if (map[i] && !c->seen[i]) {
                c->seen[i] = 1;
                c->figures.n_cells++;
            }
        }
    }
}

void tally_unite_cells(struct tally *t, unsigned char *seen)
{
    for (size_t i = 0; i < TALLY_MAX_CELLS; i++) {
        seen[i] |= t->content->seen[i];
    }
}

static enum res put_verdicts(struct db *d, const struct content *c, int64_t target_id,
                             struct err *e)
{
    enum res r = RES_OK;
    for (int i = 0; i < CASE_CLASS_N * PROFILE_N * VERDICT_N && r == RES_OK; i++) {
        int const kind = i % VERDICT_N;
        int const profile = i / VERDICT_N % PROFILE_N;
        int const class = i / VERDICT_N / PROFILE_N;
        uint32_t const n = c->verdicts[class][profile][kind];
        if (n) {
            r = db_do(d, e,
                      "INSERT INTO verdicts VALUES(?1, ?2, ?3, ?4, ?5)"
                      " ON CONFLICT DO UPDATE SET n = n + ?5",
                      "itttu", target_id, case_class_names[class], profile_names[profile],
                      verdict_rows[kind].name, (uint64_t)n);
        }
    }
    return r;
}

static void clear_counts(struct content *c)
{
    memset(&c->totals, 0, sizeof(c->totals));
    memset(c->verdicts, 0, sizeof(c->verdicts));
    c->n_unconfined = 0;
    journal_clear_coverage(&c->cells);
}

enum res tally_settle(struct tally *t, struct journal *j, struct err *e)
{
    struct content *c = t->content;
    struct arena a;
    arena_init(&a, 1 << 16);
    enum res const r = journal_begin(j, e);
    const char *const note = r == RES_OK ? journal_get_note(j, t->key, &a) : "";
    if (strcmp(note, arena_printf(&a, "%016" PRIx64 " %" PRIu64, c->id, c->n_moved + 1)) == 0) {
        clear_counts(c);
        c->n_moved++;
    }
    arena_free(&a);
    return r;
}

static enum res put_note(struct tally *t, struct journal *j, struct err *e)
{
    char text[64];
    (void)snprintf(text, sizeof text, "%016" PRIx64 " %" PRIu64, t->content->id,
                   t->content->n_moved + 1);
    return journal_put_note(j, t->key, text, e);
}

enum res tally_flush(struct tally *t, struct journal *j, int64_t target_id, struct err *e)
{
    struct content *c = t->content;
    struct db *d = journal_get_db(j);
    TRY(tally_settle(t, j, e));
    TRY(journal_put_totals(d, target_id, &c->totals, e));
    TRY(put_verdicts(d, c, target_id, e));
    TRY(journal_put_unconfined(d, target_id, c->n_unconfined, e));
    TRY(journal_put_coverage(d, target_id, &c->cells, e));
    TRY(put_note(t, j, e));
    TRY(journal_flush(j, e));
    clear_counts(c); /* killed before the number is one more: tally_settle does it */
    c->n_moved++;
    return RES_OK;
}
