/* fuzz/variant/variant_flags.h -- variants with other decorations, modes, options, scopes and orders. */
#pragma once

#include "fuzz/variant/variant_edit.h"

/* How many variants of each there are. */
enum {
    VARIANT_DECORATIONS = 12,
    VARIANT_MODES = 10,
    VARIANT_OPTIONS = 9, /* one that is added, then each of so many less one */
    VARIANT_SCOPES = 4
};
variant_change variant_drop_decoration, variant_drop_mode, variant_contraction_off, variant_option,
    variant_scope, variant_relax;
