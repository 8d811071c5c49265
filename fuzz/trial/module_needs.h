/* fuzz/trial/module_needs.h -- what a module says that it needs, as needs of base/caps.h. */
#pragma once

#include "base/testcase.h"

/*
 * Adds to the needs of the case those of its module: of each OpCapability the row of base/caps.def for the environment;
 * where several rows have that capability, those whose instruction, execution mode, width and storage class the module
 * has; and of each execution mode that has a feature and no capability its row. False: it declares a capability, *capability, that neither has a row nor belongs to what each device of the
 * environment has. Or the arena is full: then *capability is none, UINT32_MAX.
 */
bool module_needs_add(struct testcase *tc, struct arena *a, uint32_t *capability);

/* Does an OpenCL module that declares Float16Buffer, and not Float16, use half for more than pointers? SPIR-V 3.2.30: "All
 * other uses of 16-bit OpTypeFloat are disallowed." */
bool module_needs_half(const struct testcase *tc);
