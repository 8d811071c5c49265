/* fuzz/twin/twin_dispatch.h -- twins with another dispatch, or optimised. */
#pragma once

#include "fuzz/twin/twin_edit.h"

enum {
    TWIN_DISPATCHES = 5 /* variants */
};
twin_change twin_dispatch, twin_optimise;
