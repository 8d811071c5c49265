/* fuzz/audit/audit_device.h -- the worker of an audit, seen from here. */
#pragma once

#include "fuzz/process/child.h"
#include "fuzz/targets/targets.h"
#include "fuzz/worker/stream.h"

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
