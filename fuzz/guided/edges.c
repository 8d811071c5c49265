/* fuzz/guided/edges.c -- which edges of an instrumented driver a campaign has reached, and when. */
#include "fuzz/guided/edges.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "fuzz/process/process.h"

#define EDGES_MAGIC    UINT64_C(0x3167646570756c68) /* another layout is another number */
#define SECOND_NS      UINT64_C(1000000000)
#define EDGES_ROW_NS   SECOND_NS
#define EDGES_QUIET_NS (10 * SECOND_NS)
enum {
    EDGES_ANCESTORS = 3 /* program that judges, fork server, afl-fuzz */
};

/* Processor time of one instance, in clock ticks; its process alone writes it. */
struct edges_cpu {
    int64_t pid;          /* of afl-fuzz, or of the program itself */
    uint64_t before, now; /* of processes that were this instance before; of this one */
};

struct edges_file {
    uint64_t magic;
    uint64_t start_ns; /* since the epoch */
    uint32_t n_edges;
    _Atomic uint32_t n_reached;
    _Atomic uint64_t n_executions;
    _Atomic uint64_t row_ns; /* since start: when the last row was written */
    _Atomic uint32_t row_reached;
    uint32_t unused;
    struct edges_cpu cpu[EDGES_INSTANCES];
    _Atomic unsigned char is_reached[]; /* n_edges */
};

static uint64_t get_time_ns(void)
{
    struct timespec t = {0, 0};
    (void)clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * SECOND_NS + (uint64_t)t.tv_nsec;
}

/* afl-fuzz, if this process is its fork server's child. */
static void find_fuzzer(struct edges *g)
{
    pid_t up[EDGES_ANCESTORS] = {getpid(), getppid(), 0};
    struct process p;
    for (size_t i = 1; i < EDGES_ANCESTORS && up[i] > 1 && process_read(up[i], &p); i++) {
        if (strncmp(p.name, "afl-fuzz", 8) == 0) {
            g->fuzzer = up[i];
            g->server = i > 1 ? up[i - 1] : 0;
            return;
        }
        if (i + 1 < EDGES_ANCESTORS) {
            up[i + 1] = p.parent;
        }
    }
}

static void measure_cpu(struct edges *g, pid_t worker)
{
    struct edges_cpu *cpu = &g->file->cpu[g->instance];
    pid_t const pids[] = {getpid(), worker, g->server, g->fuzzer};
    int64_t const key = g->fuzzer > 0 ? g->fuzzer : getpid();
    uint64_t ticks = 0;
    struct process p;
    for (size_t i = 0; i < ARRAY_N(pids); i++) {
        ticks += pids[i] > 0 && process_read(pids[i], &p) ? p.ticks : 0;
    }
    if (cpu->pid != key) {
        cpu->before += cpu->now;
        cpu->pid = key;
        cpu->now = 0;
    }
    if (ticks > cpu->now) { /* less, when a worker was killed that nobody waited for */
        cpu->now = ticks;
    }
}

static double get_cpu_s(const struct edges_file *f)
{
    uint64_t ticks = 0;
    for (size_t i = 0; i < EDGES_INSTANCES; i++) {
        ticks += f->cpu[i].before + f->cpu[i].now;
    }
    long const per_second = sysconf(_SC_CLK_TCK);
    return (double)ticks / (double)(per_second > 0 ? per_second : 100);
}

/* A row by whoever is the first to claim this moment; a second process finds it taken. */
static void write_row(struct edges *g, uint64_t least_ns)
{
    struct edges_file *f = g->file;
    uint64_t last = atomic_load(&f->row_ns);
    uint64_t const time = get_time_ns();
    uint64_t const now = time > f->start_ns ? time - f->start_ns : 0; /* clocks are set back */
    uint32_t const n = atomic_load(&f->n_reached);
    if (now < last + least_ns || !atomic_compare_exchange_strong(&f->row_ns, &last, now)) {
        return;
    }
    atomic_store(&f->row_reached, n);
    char row[128];
    int const n_row = snprintf(row, sizeof(row), "%.1f\t%.2f\t%" PRIu64 "\t%" PRIu32 "\n",
                               (double)now / (double)SECOND_NS, get_cpu_s(f),
                               (uint64_t)atomic_load(&f->n_executions), n);
    (void)!write(g->log, row, (size_t)n_row);
}

/* Give a file that is empty its size, all of it on the disk before it is mapped: a full one is an error here, not
 * a signal there. */
static enum res check_size(const struct edges *g, int fd, size_t n, const char *path, struct err *e)
{
    struct stat s;
    if (fstat(fd, &s) != 0) {
        return err_set(e, RES_IO, "%s: %s", path, strerror(errno));
    }
    int const failed = s.st_size == 0 ? posix_fallocate(fd, 0, (off_t)n) : 0;
    if (failed != 0) {
        (void)!ftruncate(fd, 0);
        return err_set(e, RES_IO, "%s: %s", path, strerror(failed));
    }
    if (s.st_size != 0 && (uint64_t)s.st_size != n) {
        return err_set(e, RES_FORMAT,
                       "%s: of a driver with another number of edges than %" PRIu32
                       ", which needs a campaign of its own",
                       path, g->n_edges);
    }
    return RES_OK;
}

/* Map the campaign's file of reached edges, which its instances share. The first instance initialises the file
 * under a lock; the system releases the lock of a process that is killed. The file is complete once `magic` is
 * written. RES_FORMAT: it is no such file, or it is of a driver with another number of edges. */
static enum res open_file(struct edges *g, int fd, const char *path, struct err *e)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    size_t const n = sizeof(struct edges_file) + g->n_edges;
    if (fcntl(fd, F_SETLKW, &lock) != 0) {
        return err_set(e, RES_IO, "%s: %s", path, strerror(errno));
    }
    TRY(check_size(g, fd, n, path, e));
    void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED) {
        return err_set(e, RES_IO, "%s: %s", path, strerror(errno));
    }
    struct edges_file *f = p;
    if (f->magic == 0) { /* the file is new, or its maker was killed */
        static const char head[] = "seconds\tcpu\texecutions\tedges\n";
        f->n_edges = g->n_edges;
        f->start_ns = get_time_ns();
        f->magic =
            EDGES_MAGIC; /* last: after a kill before this line the next process initialises the file */
        (void)!write(g->log, head, sizeof(head) - 1);
    }
    if (f->magic != EDGES_MAGIC || f->n_edges != g->n_edges) {
        (void)munmap(p, n);
        return err_set(e, RES_FORMAT, "%s: not a file of reached edges", path);
    }
    g->file = f;
    return RES_OK;
}

/* The log and the file of the campaign. What is open after an error is in *g. */
static enum res open_both(struct edges *g, const char *folder, struct err *e)
{
    char path[PATH_MAX];
    int fd = -1;
    (void)snprintf(path, sizeof(path), "%s/coverage.tsv", folder);
    TRY(file_open_kept(path, O_APPEND, &g->log, e));
    (void)snprintf(path, sizeof(path), "%s/edges.map", folder);
    TRY(file_open_kept(path, 0, &fd, e));
    enum res const r = open_file(g, fd, path, e);
    (void)close(fd); /* the lock goes with it, the mapping stays */
    return r;
}

/* Begin to count the edges of an instrumented driver for this instance of the campaign. n_edges 0: the driver
 * is not instrumented, nothing is counted. *g is closed after an error. */
enum res edges_open(struct edges *g, const char *folder, uint32_t n_edges, uint32_t instance,
                    struct err *e)
{
    *g = (struct edges){.n_edges = n_edges, .instance = instance, .log = -1};
    if (n_edges == 0) {
        return RES_OK;
    }
    if (instance >= EDGES_INSTANCES) {
        return err_set(e, RES_LIMIT, "instance %" PRIu32 " of at most %d", instance,
                       EDGES_INSTANCES);
    }
    enum res const r = open_both(g, folder, e);
    if (r != RES_OK) {
        if (g->log >= 0) {
            (void)close(g->log);
        }
        *g = (struct edges){.log = -1};
        return r;
    }
    find_fuzzer(g);
    return RES_OK;
}

/* Mark the edges of map[0, n_edges) as reached by the campaign. Returns how many nobody had reached before;
 * other processes mark too, so that only the one whose exchange found a 0 counts an edge. */
uint32_t edges_mark(struct edges *g, const unsigned char *map)
{
    struct edges_file *f = g->file;
    uint32_t n_new = 0;
    if (!f) {
        return 0;
    }
    for (uint32_t i = 0; i < g->n_edges;) {
        uint64_t eight = 0;
        if (i + sizeof(eight) <= g->n_edges) { /* most are not reached */
            memcpy(&eight, map + i, sizeof(eight));
            if (eight == 0) {
                i += (uint32_t)sizeof(eight);
                continue;
            }
        }
        if (map[i] && !atomic_load_explicit(&f->is_reached[i], memory_order_relaxed)) {
            n_new += atomic_exchange(&f->is_reached[i], 1) == 0;
        }
        i++;
    }
    atomic_fetch_add(&f->n_reached, n_new);
    return n_new;
}

uint32_t edges_note(struct edges *g, const unsigned char *map, pid_t worker)
{
    struct edges_file *f = g->file;
    if (!f) {
        return 0;
    }
    uint32_t const n_new = edges_mark(g, map);
    atomic_fetch_add(&f->n_executions, 1);
    uint64_t const now = get_time_ns();
    if (now - g->measured_ns >= EDGES_ROW_NS) {
        g->measured_ns = now;
        measure_cpu(g, worker);
        int const has_risen = atomic_load(&f->n_reached) != atomic_load(&f->row_reached);
        write_row(g, has_risen ? EDGES_ROW_NS : EDGES_QUIET_NS);
    }
    return n_new;
}

void edges_close(struct edges *g)
{
    if (!g->file) {
        return;
    }
    measure_cpu(g, 0);
    write_row(g, 1);
    (void)munmap(g->file, sizeof(struct edges_file) + g->n_edges);
    (void)close(g->log);
    *g = (struct edges){.log = -1};
}
