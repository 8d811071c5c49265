/* fuzz/worker/drv_common.c -- what both drv_*.c share: facts text, device choice, guard bytes, clock. */
#include "fuzz/worker/drv_common.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fuzz/wire/wire.h"

enum {
    PATH_BYTES = 4096,
    LOADER_BYTES = 96 /* of what open_beside puts behind the folder */
};

/* Foreign text on one line: what is below a space becomes a space. */
static void put_clean(struct bytes *b, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char const c = (unsigned char)text[i];
        bytes_put(b, c < ' ' || c == 0x7f ? " " : text + i, 1);
    }
}

/* Append a fact "key=value\n", with the value printed like printf and cleaned of what could break the
 * line. */
void drv_put_fact(struct bytes *b, const char *key, const char *fmt, ...)
{
    char text[16384]; /* extension lists are the longest values: a few KiB */
    va_list args;
    va_start(args, fmt);
    int const n = vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (n < 0) {
        return;
    }
    size_t n_bytes = (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;
    /* A list has a space behind its last entry, too. */
    while (n_bytes > 0 && text[n_bytes - 1] == ' ') {
        n_bytes--;
    }
    bytes_put(b, key, strlen(key));
    bytes_put(b, "=", 1);
    put_clean(b, text, n_bytes);
    bytes_put(b, "\n", 1);
}

const char *drv_end_text(struct bytes *b)
{
    bytes_put(b, "", 1);
    return b->ok ? (const char *)b->p : NULL;
}

void drv_put_device(struct bytes *b, const char *name, const char *version, bool takes_spirv)
{
    put_clean(b, name, strlen(name));
    bytes_put(b, "\t", 1);
    put_clean(b, version, strlen(version));
    const char *const end = takes_spirv ? "\n" : "\t" LISTED_NO_SPIRV "\n";
    bytes_put(b, end, strlen(end));
}

static uint64_t read_clock(clockid_t clock)
{
    struct timespec t;
    if (clock_gettime(clock, &t) != 0) {
        return 0;
    }
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

uint64_t drv_now_ns(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

uint64_t drv_cpu_ns(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

struct guarded drv_guard_place(size_t *end, size_t n_bytes, size_t align)
{
    struct guarded g = {.guard_start = *end, .n_bytes = n_bytes};
    g.start = (*end + GUARD_BYTES + align - 1) & ~(align - 1);
    g.end = g.start + n_bytes + GUARD_BYTES;
    *end = g.end;
    return g;
}

/* Not constant, and no byte of it is 0 or 0xff: a shifted copy or a cleared word shows. */
static unsigned char guard_byte(size_t i)
{
    return (unsigned char)(0xa5u ^ (i * 7u & 0x3fu));
}

void drv_guard_fill(unsigned char *block, const struct guarded *g, const unsigned char *data)
{
    for (size_t i = g->guard_start; i < g->start; i++) {
        block[i] = guard_byte(i);
    }
    memcpy(block + g->start, data, g->n_bytes);
    for (size_t i = g->start + g->n_bytes; i < g->end; i++) {
        block[i] = guard_byte(i);
    }
}

int drv_guard_is_hit(const unsigned char *block, const struct guarded *g)
{
    unsigned difference = 0;
    for (size_t i = g->guard_start; i < g->start; i++) {
        difference |= (unsigned)(block[i] ^ guard_byte(i));
    }
    for (size_t i = g->start + g->n_bytes; i < g->end; i++) {
        difference |= (unsigned)(block[i] ^ guard_byte(i));
    }
    return difference != 0;
}

void drv_enter(enum run_phase phase)
{
    unsigned char const byte = (unsigned char)(1 + phase);
    (void)!pwrite(WIRE_CRASH_FD, &byte, 1, WIRE_PHASE_AT);
}

void drv_close_fd(int *fd)
{
    if (*fd >= 0) {
        (void)close(*fd);
    }
    *fd = -1;
}

void drv_stop(struct observation *ob, enum run_status status, enum run_phase phase, int32_t code,
              const char *log)
{
    ob->status = status;
    ob->phase = phase;
    ob->driver_code = code;
    ob->log = log;
    ob->n_bufs = 0;
}

/* The loader of that name in BIN/../lib/halfulp/loaders, where BIN is the worker's folder: an archive brings the loaders along
 * for machines without them. NULL: it is not there or does not load; dlerror may then be that of an earlier dlopen. */
static void *open_beside(const char *name)
{
    char path[PATH_BYTES + LOADER_BYTES];
    ssize_t const n = readlink("/proc/self/exe", path, PATH_BYTES - 1);
    path[n > 0 ? n : 0] = '\0';
    char *const slash = strrchr(path, '/');
    if (slash) {
        (void)snprintf(slash, LOADER_BYTES, "/../lib/halfulp/loaders/%.32s", name);
    }
    return slash && access(path, R_OK) == 0 ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
}

enum res drv_load(const char *path, const char *const *fallback, void **out, struct err *e)
{
    *out = NULL;
    if (path && path[0]) {
        *out = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (!*out) {
            return err_set(e, RES_USAGE, "loader %s: %s", path, dlerror());
        }
        return RES_OK;
    }
    for (size_t i = 0; fallback[i] && !*out; i++) {
        *out = dlopen(fallback[i], RTLD_NOW | RTLD_LOCAL);
    }
    const char *const why = *out ? NULL : dlerror();
    char text[256];
    (void)snprintf(text, sizeof(text), "%s", why ? why : "");
    for (size_t i = 0; fallback[i] && !*out; i++) {
        *out = open_beside(fallback[i]);
    }
    return *out ? RES_OK : err_set(e, RES_USAGE, "no loader: %s", text);
}
