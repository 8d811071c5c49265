/* fuzz/process/place.h -- where the program is, and what belongs to it: never looked for in the current folder. */
#pragma once

#include "base/base.h"

/* The program's folder, by /proc/self/exe, links resolved; "" where place_check fails. */
const char *place_get_program_folder(struct arena *a);
/* RES_IO: there is no /proc, so that nothing beside the program can be found. */
MUST_USE enum res place_check(struct err *e);
/*
 * A file or folder of that name that came with the program: in its folder; in TREE, where the program is
 * in TREE/build/NAME, as the Makefile has it; or in PREFIX/share/halfulp, where it is in PREFIX/bin. An
 * absolute path, or NULL where there is none.
 */
const char *place_find_beside(const char *name, struct arena *a);
/* The same; or, where there is none, in the user's own configuration: $XDG_CONFIG_HOME/halfulp or
 * ~/.config/halfulp. A variable that holds no absolute path counts as not set. */
const char *place_find(const char *name, struct arena *a);
/* Programs that came with this one, in PREFIX/lib/halfulp/tools: child processes find them in PATH, behind the machine's own. */
void place_add_tools(void);
