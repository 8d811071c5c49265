/* fuzz/twin/twin_memory.h -- twins with another storage class. */
#pragma once

#include "fuzz/twin/twin_edit.h"

twin_change twin_global_memory, twin_workgroup_memory;
