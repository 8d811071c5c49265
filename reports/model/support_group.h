/* reports/model/support_group.h -- does a target list what a group instruction on a type, of a scope and operation, needs? */
#pragma once

#include "reports/model/support.h"

/* Is op a group instruction, whose "storage" is a scope and an operation? */
int support_is_group(const char *op);

/* What support_of answers for one; is_vk: of Vulkan, else of OpenCL. */
enum support support_of_group(const char *facts, int is_vk, const char *op, const char *type,
                              const char *storage);
/* Every group instruction, type, scope and operation that some API has, in the order of ops.def: the
 * first n_rows of them to rows. Returns how many there are. */
uint32_t support_list_groups(struct support_row *rows, uint32_t n_rows);
