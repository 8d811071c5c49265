/* fuzz/worker/drv_common.h -- what both drv_*.c share: facts text, device choice, guard bytes, clock. */
#pragma once

#include "base/testcase.h"

/* At least so many on each side of every buffer. */
enum {
    GUARD_BYTES = 256
};

/* Append "key=value\n"; control characters of the value become spaces, so that a fact is a line. */
void drv_put_fact(struct bytes *b, const char *key, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* The finished text, or NULL when the arena was full. */
const char *drv_end_text(struct bytes *b);

/* One device of `--list` (drv.h), control characters replaced. */
void drv_put_device(struct bytes *b, const char *name, const char *version, bool takes_spirv);

uint64_t drv_now_ns(void); /* monotonic */
uint64_t
drv_cpu_ns(void); /* of this process, all threads: what others take of the machine does not count */

/* Where a buffer of n_bytes lies in a block: data starts aligned, guards on both sides. */
struct guarded {
    size_t start, n_bytes;   /* of the data, from the start of the block */
    size_t guard_start, end; /* of all: front guard, data, back guard */
};
/* Lay out the next buffer from *end of the block, which is advanced; align is a power of two. */
struct guarded drv_guard_place(size_t *end, size_t n_bytes, size_t align);
/* Write pattern and content at `block`. */
void drv_guard_fill(unsigned char *block, const struct guarded *g, const unsigned char *data);
/* 1 when a guard byte of `block` is no longer what guard_fill wrote. */
int drv_guard_is_hit(const unsigned char *block, const struct guarded *g);

/* Close it where it is open, and set it to -1. */
void drv_close_fd(int *fd);
/* The driver is now to do this: should the process die in it, the file at WIRE_CRASH_FD says so. */
void drv_enter(enum run_phase phase);
/* Fill `ob` for a case that stopped in `phase`. */
void drv_stop(struct observation *ob, enum run_status status, enum run_phase phase, int32_t code,
              const char *log);

/* dlopen `path`, or when path is "" the first that opens of the space-free names of `fallback` (NULL-ended): the machine's own
 * loader, else one that lies in ../lib/halfulp/loaders beside the worker. */
enum res drv_load(const char *path, const char *const *fallback, void **out, struct err *e);
