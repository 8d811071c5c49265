/* fuzz/targets/targets_choose.h -- the targets that a command is to work on: by name, or all, with those that loaders list. */
#pragma once

#include "fuzz/targets/targets.h"

/*
 * Keep the targets of a list of names separated by commas, in its order; "sim-any", "sim-ieee" and
 * those with "-opencl" or "-vulkan" behind are always known; behind a colon a fault that they have, of
 * oracle/fault/faults.def or oracle/sim/hard_fault.def, and where:
 * "sim-ieee:SUM_OFF_ULP:AtomicFAddEXT:f32:workgroup". A driver may have a fault planted as well, by what its modules are
 * changed to (fuzz/rewrite/rewrites.def): "lavapipe:SUB_FOR_ADD". "radv-*" stands for all that begin so. RES_USAGE: an unknown name, with those that are known.
 */
MUST_USE enum res targets_choose(const struct target_list *from, const char *names,
                                 struct target_list *out, struct arena *a, struct err *e);
/*
 * What a command is to work on: the targets that are named, or with `names` NULL all of `from` and
 * the other devices that the machine's own loaders list (names like "nvidia-h200-vulkan"), but for those
 * that are only for those who name them. The loaders are asked too when a name is not known otherwise.
 * RES_USAGE as targets_choose.
 */
MUST_USE enum res targets_select(struct target_list *from, const char *names,
                                 struct target_list *out, struct arena *a, struct err *e);
/* The devices that the machine's own loaders list, as targets: those that are not there yet. Starts a worker for each API. */
void targets_add_native(struct target_list *l, struct arena *a);
/* The devices that a worker listed (drv.h), as targets: those that are not there yet. An OpenCL device is two targets,
 * NAME and NAME-c, of which one is on request: NAME-c where the device takes SPIR-V, else NAME. */
void targets_add_listed(struct target_list *l, enum env env, const char *text, struct arena *a);
