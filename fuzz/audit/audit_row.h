/* fuzz/audit/audit_row.h -- one row of an audit, from the kernel to its results. */
#pragma once

#include "fuzz/audit/audit.h"
#include "fuzz/audit/worst.h"
#include "fuzz/pool/worker_handle.h"

struct audit_run {
    const struct audit_request *request;
    const struct target *target;
    struct arena *a; /* of the whole audit */
    struct worst_list worst;
    struct audit *out;
    struct worker_handle worker;
    int memory_fd, signal_fd;
    uint32_t n_judges;
    uint32_t row; /* in work */
    uint64_t start_ns, saved_ns;
};
MUST_USE enum res audit_row_run(struct audit_run *u, struct audit_row *row, struct err *e);
