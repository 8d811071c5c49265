/* tests/rig/hostile_rig.h -- a campaign with something in each table, copies of it whose journal is spoiled, and the
 * program that is given them, with what it took. Included once, after cmocka.h; wants _DEFAULT_SOURCE. */
#pragma once

#include <inttypes.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/base.h"
#include "base/file.h"
#include "tests/rig/folder_rig.h"
#include "tests/rig/program_rig.h"

#ifdef __SANITIZE_ADDRESS__
#define MAX_RSS_KIB (4 << 20) /* shadow memory */
#else
#define MAX_RSS_KIB (300 << 10)
#endif
enum {
    MAX_SLOW_CPU_MS = 5000,
    HANG_CPU_S = 60, /* on any machine, sanitized or not */
    TEXT_BYTES = 65536,
    STATUS_BAD = 2
};
static char self_path[4096], program[4096];

/* A campaign with something in each table, and a copy of it that is spoiled. */
static struct world {
    struct arena a, scratch;
    char folder[256];
    const char *base, *campaign, *journal, *said, *out;
    const unsigned char *good;
    size_t n_good;
    char text[TEXT_BYTES];
    /* the worst so far */
    long max_rss_kib;
    uint64_t max_cpu_ms;
} world;

/* What one run of the program took. */
struct cost {
    int status; /* or -signal */
    long rss_kib;
    uint64_t cpu_ms;
};

static inline uint64_t to_ms(const struct timeval *t)
{
    return (uint64_t)t->tv_sec * 1000 + (uint64_t)t->tv_usec / 1000;
}

static inline struct cost run_text(struct world *w, const char *text)
{
    struct rusage u;
    int status = 0;
    pid_t const pid = program_start_text(program, text, w->said);
    while (wait4(pid, &status, 0, &u) < 0 && errno == EINTR) {
    }
    struct cost const c = {WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status),
                           u.ru_maxrss, to_ms(&u.ru_utime) + to_ms(&u.ru_stime)};
    w->max_rss_kib = c.rss_kib > w->max_rss_kib ? c.rss_kib : w->max_rss_kib;
    w->max_cpu_ms = c.cpu_ms > w->max_cpu_ms ? c.cpu_ms : w->max_cpu_ms;
    if (c.status < 0 || c.status > 3 || c.rss_kib > MAX_RSS_KIB ||
        (getenv("HALFULP_SLOW") && c.cpu_ms > MAX_SLOW_CPU_MS)) {
        fail_msg("%s: status %d, %ld KiB, %" PRIu64 " ms: %.2000s", text, c.status, c.rss_kib,
                 c.cpu_ms, program_read(w->said, w->text, sizeof w->text));
    }
    return c;
}

static inline int set_up(void **state)
{
    struct world *const w = &world;
    struct err e;
    arena_init(&w->a, (size_t)64 << 20);
    arena_init(&w->scratch, (size_t)64 << 20);
    *state = w;
    folder_make(w->folder, sizeof w->folder, "hostile");
    w->base = arena_printf(&w->a, "%s/base", w->folder);
    w->campaign = arena_printf(&w->a, "%s/c", w->folder);
    w->journal = arena_printf(&w->a, "%s/c/journal.sqlite", w->folder);
    w->said = arena_printf(&w->a, "%s/said", w->folder);
    w->out = arena_printf(&w->a, "%s/out", w->folder);
    if (run_text(w, arena_printf(&w->a,
                                 "run -q --targets sim-ieee,sim-ieee:SUM_OFF_ULP:AtomicFAddEXT:f32"
                                 " --cases 12 --mutate 60 --seed 4 --profile atomics -o %s",
                                 w->base))
                .status != 1 ||
        run_text(w, arena_printf(&w->a, "report --reduce-time 1s --triage-time 1s %s", w->base))
                .status != 1 ||
        file_read(arena_printf(&w->a, "%s/journal.sqlite", w->base), (size_t)32 << 20, &w->a,
                  &w->good, &w->n_good, &e) != RES_OK) {
        return -1;
    }
    w->max_rss_kib = 0;
    w->max_cpu_ms = 0;
    return 0;
}

static inline int tear_down(void **state)
{
    struct world *const w = *state;
    folder_remove(w->folder);
    arena_free(&w->a);
    arena_free(&w->scratch);
    return 0;
}

/* The campaign's folder anew, with those bytes as its journal. */
static inline void put_journal(struct world *w, const void *p, size_t n)
{
    folder_remove(w->campaign);
    folder_remove(w->out);
    assert_int_equal(mkdir(w->campaign, 0777), 0);
    FILE *const f = fopen(w->journal, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(p, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

/* Without any of the program's limits. 0: SQLite does not do it. */
static inline int spoil(const struct world *w, const char *sql)
{
    sqlite3 *d = NULL;
    assert_int_equal(sqlite3_open(w->journal, &d), SQLITE_OK);
    int const ok = sqlite3_exec(d, sql, NULL, NULL, NULL) == SQLITE_OK;
    (void)sqlite3_exec(d, "PRAGMA wal_checkpoint(TRUNCATE)", NULL, NULL, NULL);
    (void)sqlite3_close(d);
    return ok;
}

#define LONG(n) "printf('%.*c', " n ", 'a')"
