/* oracle/interp/lower_matrix.h -- instructions on matrices as instructions on their vectors and numbers. */
#pragma once

#include "oracle/interp/module.h"

enum {
    LOWER_MATRIX_MAX_IDS = 80, /* values that one instruction needs besides */
    LOWER_MATRIX_MAX_CODE = 81
};

/* Is it an instruction on matrices, by its OP_NUMBER: a transposition, a product, a determinant or an inverse? */
bool lower_is_matrix(uint32_t op);
/*
 * Appends to m->code what the instruction does: products are sums of products (OpDot), or numbers times a vector. Of
 * determinants and inverses nothing is known. *next_id: as of lower_access. What has another form sets m->unsupported.
 */
MUST_USE enum res lower_matrix(struct module *m, const struct spv_inst *in, uint32_t op,
                               uint32_t *next_id, struct arena *a, struct err *e);
