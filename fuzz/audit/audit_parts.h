/* fuzz/audit/audit_parts.h -- inside of the audit: plan, device, judges, inputs of a search, progress. */
#pragma once

#include <sys/types.h>

#include "fuzz/audit/audit.h"
#include "fuzz/process/child.h"
#include "fuzz/worker/stream.h"
#include "fuzz/audit/worst.h"

enum {
    AUDIT_MAX_JUDGES = 64
};

/* --- fuzz/audit/audit_plan.c: what is to be run --- */

/* Rows of the request that the target has, in out->rows with forms and bounds. RES_USAGE: an
 * unknown function, or none of them on these types. */
MUST_USE enum res audit_plan(const struct audit_request *r, enum env env, const char *facts,
                             struct arena *a, struct audit *out, struct err *e);
/* Flush and rounding of results that no mode of the module asks for. */
struct fp_rules audit_get_rules(enum env env, enum fmt_id fmt, const char *facts);
/* What a row is, in one line: two rows with one name are the same work. */
const char *audit_name_row(const struct audit_row *row, const struct audit_request *r,
                           struct arena *a);

/* --- fuzz/audit/audit_memory.c: memory that processes share --- */

/* A file in memory, inherited by workers under its number; -1 when there is none. */
int audit_open_memory(void);
/* Make it at least n_bytes long and map that. It never shrinks: a worker may still have the stream
 * before. NULL: errno. */
unsigned char *audit_map_memory(int fd, size_t n_bytes);
/* Zeroed memory for this process and those that it forks. NULL: errno. */
void *audit_take_memory(size_t n_bytes);
void audit_unmap_memory(void *p, size_t n_bytes);

/* --- fuzz/audit/audit_device.c: the worker, seen from here --- */

enum audit_device_event {
    AUDIT_DEVICE_NONE,
    AUDIT_DEVICE_STATUS, /* `status` answers the oldest message */
    AUDIT_DEVICE_GONE    /* crash, hang, exit, or not the protocol: `problem`; it is down */
};
struct audit_device {
    const struct target *target;
    int memory_fd;
    struct child child;
    int is_up;
    struct arena arena;   /* of the process: facts, messages; reset with it and by each stream */
    const char *facts;    /* until the first stream */
    uint64_t deadline_ns; /* of the oldest message; 0: none is out */
    uint32_t n_out;       /* messages without an answer */
    unsigned char message[2][STREAM_BLOCK_BYTES];
    struct stream_status status;
    char problem[512];
};
/* memory_fd: of streams, which the worker inherits. */
void audit_device_init(struct audit_device *d, const struct target *t, int memory_fd);
/* Start it and wait for its hello. RES_IO: it does not start, and why. */
MUST_USE enum res audit_device_start(struct audit_device *d, struct err *e);
/* Open a stream and wait for the answer, in d->status (AUDIT_DEVICE_GONE: d->problem). Starts the
 * process if it is down. */
MUST_USE enum res audit_device_open(struct audit_device *d, const struct stream *s,
                                    enum audit_device_event *event, struct err *e);
/* May another block be sent? At most two are out: one runs, one waits. */
int audit_device_has_room(const struct audit_device *d);
void audit_device_send(struct audit_device *d, const struct stream_block *b);
/* Look once, without waiting. */
enum audit_device_event audit_device_poll(struct audit_device *d);
void audit_device_stop(struct audit_device *d);
void audit_device_free(struct audit_device *d);

/* --- fuzz/audit/audit_judge.c: processes that judge blocks --- */

/* What a judge is told and answers. */
struct audit_order {
    uint32_t slot, base, n;
    uint32_t has_before; /* the input before this block, for the order of neighbours */
    uint64_t before_x, before[SWEEP_MAX_FORMS];
};
struct audit_answer {
    uint32_t slot, n;
    uint64_t ns;
};
/* What all judges of a row look at. Inputs of a search are a copy that the driver cannot reach. */
struct audit_ground {
    const struct stream *stream;
    const unsigned char *ring;
    const unsigned char *inputs; /* NULL: counted from base */
    const struct audit_device *device;
};
struct audit_judge {
    pid_t pid;
    int to, from;
    uint32_t n_out; /* orders without an answer */
    struct sweep *sweep;
};
struct audit_judges {
    uint32_t n;
    struct audit_judge judge[AUDIT_MAX_JUDGES];
    void *memory;
    size_t n_bytes;
};
/* Fork n judges, each with a copy of *start. */
MUST_USE enum res audit_judges_start(struct audit_judges *j, uint32_t n, const struct sweep *start,
                                     const struct audit_ground *ground, struct err *e);
/* The judge with the fewest orders, NULL when all have two. */
struct audit_judge *audit_judges_find(struct audit_judges *j);
MUST_USE enum res audit_judge_send(struct audit_judge *j, const struct audit_order *o,
                                   struct err *e);
/* 1 and *out; 0 nothing yet; -1 it died. */
int audit_judge_receive(struct audit_judge *j, struct audit_answer *out);
/* All that they found so far, added to *to. Only while none has an order. */
void audit_judges_merge(const struct audit_judges *j, uint32_t form, struct sweep_result *to);
void audit_judges_stop(struct audit_judges *j);

/* --- fuzz/audit/audit_search.c: inputs where not all can be tried --- */

enum {
    AUDIT_MAX_SEEDS = 4096, /* of the list of known hard inputs */
    AUDIT_MAX_STARTS = 2 * SWEEP_MAX_FORMS + SWEEP_MAX_FORMS * SWEEP_WORST + SWEEP_PLOT
};
struct audit_point {
    uint64_t arg[SWEEP_ARGS];
};
struct audit_search {
    enum func_id func;
    enum fmt_id fmt;
    uint32_t n_args; /* of float type: 1 to 3 */
    int has_int;     /* an integer follows */
    uint32_t n_all;  /* of both */
    uint64_t n_total, n_made;
    struct rng rng;
    uint32_t n_seeds, n_starts;
    struct audit_point *seeds;  /* tried first */
    struct audit_point *starts; /* worst ones so far: where the climbing begins */
};
/* Known hard inputs of `worst` come first (NULL: none), then special values. */
MUST_USE enum res audit_search_init(struct audit_search *s, const struct audit_row *row,
                                    uint64_t seed, const struct worst_list *worst, struct arena *a,
                                    struct err *e);
/* Does the next block climb, so that all results before it are needed (audit_search_learn)? */
int audit_search_is_climbing(const struct audit_search *s);
/* Starting points from what was found of each form. */
void audit_search_learn(struct audit_search *s, const struct sweep_result *r, uint32_t n_forms);
/* The next n inputs, in one buffer per argument. */
void audit_search_fill(struct audit_search *s, void *const *buffers, uint32_t n);

/* --- fuzz/audit/audit_keep.c: rows on disk, for the next start --- */

/* One row with its results; name: audit_name_row. */
MUST_USE enum res audit_keep_write(const struct audit *x, const struct audit_request *r,
                                   struct err *e);
/* Fill rows that the folder's audit.state has. RES_USAGE: it is of another target or driver. */
MUST_USE enum res audit_keep_read(struct audit *x, const struct audit_request *r, struct arena *a,
                                  struct err *e);

/* --- fuzz/audit/audit_row.c: one row, from the kernel to its results --- */

struct audit_run {
    const struct audit_request *request;
    const struct target *target;
    struct arena *a; /* of the whole audit */
    struct worst_list worst;
    struct audit *out;
    struct audit_device device;
    int memory_fd, signal_fd;
    uint32_t n_judges;
    uint32_t row; /* in work */
    uint64_t start_ns, saved_ns, shown_ns;
};
MUST_USE enum res audit_row_run(struct audit_run *u, struct audit_row *row, struct err *e);
