/* fuzz/reduce/shrink_flags.h -- passes over decorations, modes, masks, semantics and ids. */
#pragma once

#include "fuzz/reduce/shrink_pass.h"

/* Each as fuzz/reduce/shrink_pass.h says. */
shrink_make shrink_flags_decorations, shrink_flags_modes, shrink_flags_masks,
    shrink_flags_semantics, shrink_flags_compact;
