/* fuzz/variant/variant_dispatch.h -- variants with another dispatch, or optimised. */
#pragma once

#include "fuzz/variant/variant_edit.h"

enum {
    VARIANT_DISPATCHES = 5 /* variants */
};
variant_change variant_dispatch, variant_optimise;
