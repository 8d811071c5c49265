/* fuzz/process/child_folder.h -- the folder that a worker has for itself. */
#pragma once

#include "base/base.h"

enum {
    CHILD_MAX_PATH = 512
};

/* A new empty folder that nobody else may enter, under TMPDIR or /tmp; its path of fewer than n_path
 * bytes. RES_LIMIT, RES_IO: path is then "". child_sweep removes what a killed program left. */
MUST_USE enum res child_folder_make(char *path, size_t n_path, struct err *e);
/* With all that is in it; links are not followed. */
void child_folder_remove(const char *path);
/* Remove the folders of workers whose scheduler was killed, and what still runs of them. */
void child_sweep(void);
