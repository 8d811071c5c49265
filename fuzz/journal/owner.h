/* fuzz/journal/owner.h -- one folder, one process that writes it. */
#pragma once

#include "base/base.h"

/*
 * Make this process the one that writes `folder`, which is there, until it ends: the system frees the lock
 * at any death, and a process that it forks does not have it. FOLDER/lock names the owner, for whoever
 * comes second. A second call for the same folder changes nothing.
 * RES_USAGE: another process has it (the text names process and host), or FOLDER/lock is no lock of ours;
 * RES_IO: the system refused.
 */
MUST_USE enum res owner_take(const char *folder, struct err *e);
