/* fuzz/audit/audit_row.h -- one row of an audit, from the kernel to its results. */
#pragma once

#include "fuzz/audit/audit.h"
#include "fuzz/audit/worst.h"
#include "fuzz/pool/handle.h"

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
    uint64_t end_ns;     /* of the audit's time; 0: it has all the time in the world */
    uint64_t row_end_ns; /* of the share of it that the row in work has; 0 likewise */
    bool is_cut;         /* a row was ended by its share */
    bool is_estimated;   /* the time that all will take has been said */
};
/* Run what is left of a row, until its end or that of its time. */
MUST_USE enum res audit_row_run(struct audit_run *u, struct audit_row *row, struct err *e);
