/* oracle/modorder/mo_atomic.h -- the operation of an atomic instruction, and the words of its operands: a table by opcode. */
#pragma once

#include <stdint.h>

#include "oracle/modorder/mo.h"

struct mo_atomic {
    uint32_t op; /* opcode */
    enum mo_op operation;
    uint8_t value, comparator; /* words of its operands; 0: none */
};
/* The operation of that opcode, and the words at which its value and its comparator stand (0: it has none: an
 * increment or decrement is by 1). NULL: it is not interpreted. */
const struct mo_atomic *mo_find_atomic(uint32_t op);
