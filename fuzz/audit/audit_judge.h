/* fuzz/audit/audit_judge.h -- processes that judge blocks. */
#pragma once

#include <sys/types.h>

#include "fuzz/pool/handle.h"
#include "fuzz/wire/stream.h"
#include "oracle/sweep/sweep.h"

enum {
    AUDIT_MAX_JUDGES = 64
};

/* What a judge is told and answers. */
struct audit_order {
    uint32_t slot, base, n;
    uint32_t has_before; /* the input before this block, for the order of neighbours */
    uint64_t before_x, before[SWEEP_MAX_FORMS];
};
struct audit_answer {
    uint32_t slot, n;
    uint64_t ns; /* CPU time */
};
/* What all judges of a row look at. Inputs of a search are a copy that the driver cannot reach. */
struct audit_shared {
    const struct stream *stream;
    const unsigned char *ring;
    const unsigned char *inputs; /* NULL: counted from base */
    const struct worker_handle *worker;
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
                                     const struct audit_shared *shared, struct err *e);
/* The judge with the fewest orders, NULL when all have two. */
struct audit_judge *audit_judges_find(struct audit_judges *j);
MUST_USE enum res audit_judge_send(struct audit_judge *j, const struct audit_order *o,
                                   struct err *e);
/* 1 and *out; 0 nothing yet; -1 it died. */
int audit_judge_receive(struct audit_judge *j, struct audit_answer *out);
/* All that they found so far, added to *to. Only while none has an order. */
void audit_judges_merge(const struct audit_judges *j, uint32_t form, struct sweep_result *to);
void audit_judges_stop(struct audit_judges *j);
