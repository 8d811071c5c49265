/* fuzz/variant/variant_operands.h -- variants that come by the operands of the culprit in another way. */
#pragma once

#include "fuzz/variant/variant_edit.h"

variant_change variant_store_operands, variant_volatile_operands, variant_constant_operands,
    variant_scalar;
