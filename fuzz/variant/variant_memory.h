/* fuzz/variant/variant_memory.h -- variants with another storage class. */
#pragma once

#include "fuzz/variant/variant_edit.h"

variant_change variant_global_memory, variant_workgroup_memory;
