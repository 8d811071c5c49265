/* fuzz/twin/twin_operands.h -- twins that come by the operands of the culprit in another way. */
#pragma once

#include "fuzz/twin/twin_edit.h"

twin_change twin_store_operands, twin_volatile_operands, twin_constant_operands, twin_scalar;
