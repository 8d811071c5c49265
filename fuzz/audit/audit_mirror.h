/* fuzz/audit/audit_mirror.h -- where an odd or even function has other results for -x than for x. */
#pragma once

#include "base/audit_result.h"
#include "fuzz/pool/handle.h"
#include "fuzz/wire/stream.h"

/* Set n_asymmetric and asymmetric_x of each form of a row of which every argument was tried. True: of one of them it is not 0. */
bool audit_mirror_compare(struct audit_row *row);
/* The stream of such a row, open and with nothing in flight; form: those of its outputs. */
struct audit_mirror {
    struct worker_handle *worker;
    const struct stream *stream;
    const unsigned char *ring;
    const uint32_t *form;
};
/* Run the first binade that is not symmetric once more, until the first argument is known: asymmetric_x. What the driver does wrong
 * on the way leaves it at the first argument of the binade. */
void audit_mirror_find(const struct audit_mirror *m, struct audit_row *row);
