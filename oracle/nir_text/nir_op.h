/* oracle/nir_text/nir_op.h -- the operations of nir_op.def, on all invocations of a sub-group that execute them. */
#pragma once

#include "oracle/nir_text/nir_float.h"
#include "oracle/nir_text/nir_program.h"

/* Which components an operation takes of its sources: see nir_op.def. */
enum nir_shape {
    NIR_EACH,
    NIR_VECTOR,
    NIR_PACK,
    NIR_SUM,
    NIR_UNPACK
};
/* One component of one operation, for the invocations that are listed. */
struct nir_alu {
    const struct nir_modes *modes;
    unsigned n_bits, m_bits; /* width of the result and of the first source */
    const uint64_t
        *s[4];     /* sources by invocation; those that the operation has not are the first */
    uint64_t *out; /* results by invocation: those that are listed are written */
    const uint8_t *lanes; /* which invocations: indices into the arrays */
    uint32_t n_lanes;
};
struct nir_op_row {
    const char *name;
    enum nir_shape shape;
    const char *signature; /* see nir_op.def */
    unsigned n_sources;
    bool is_hardware; /* the chip approximates it: the value is assumed */
    void (*run)(const struct nir_alu *x);
};
extern const struct nir_op_row nir_op_rows[NIR_OP_N];
/* The row of that name, n characters; -1: none. */
int nir_op_find(const char *name, size_t n);

/* The n_bits lowest bits; n_bits may be 0. */
static inline uint64_t nir_mask(uint64_t n_bits)
{
    return n_bits >= 64 ? UINT64_MAX : (UINT64_C(1) << n_bits) - 1;
}
/* The n_bits lowest bits of v read as a signed number. */
static inline int64_t nir_sign_extend(uint64_t v, unsigned n_bits)
{
    return (int64_t)(v << (64 - n_bits)) >> (64 - n_bits);
}
/* a and b by an operation of nir_word.def that reductions and atomics have, at one width; false: it is none. */
bool nir_combine(const struct nir_modes *modes, unsigned word, unsigned n_bits, uint64_t a,
                 uint64_t b, uint64_t *out);
