/* fuzz/process/surroundings.h -- what a process of ours needs around it: descriptors, /proc, standard output. */
#pragma once

#include "base/base.h"

/*
 * At the start of a program: standard input, output and error are open, so that no file of ours takes
 * their numbers (writing to one that was closed fails, as it should); a file that grows past a limit is
 * an error and no signal; /proc is there; a few files can be opened. RES_IO says what is missing.
 */
MUST_USE enum res surroundings_prepare(struct err *e);
/*
 * Before n_workers worker processes (or judges) are started: may this process open enough files? The soft
 * limit is raised where the hard one allows it. RES_IO names the number that is needed.
 */
MUST_USE enum res surroundings_need_files(uint64_t n_workers, struct err *e);
/* At the end of a program: RES_IO when not all that was printed has reached standard output. */
MUST_USE enum res surroundings_end(struct err *e);
