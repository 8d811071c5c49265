/* fuzz/twin/twin_flags.h -- twins with other decorations, modes, options, scopes and orders. */
#pragma once

#include "fuzz/twin/twin_edit.h"

/* How many variants of each there are. */
enum {
    TWIN_DECORATIONS = 12,
    TWIN_MODES = 10,
    TWIN_OPTIONS = 9, /* one that is added, then each of so many less one */
    TWIN_SCOPES = 4
};
twin_change twin_drop_decoration, twin_drop_mode, twin_contraction_off, twin_option, twin_scope,
    twin_relax;
