/* fuzz/modules/modules_files.h -- the files of a folder in a fixed order, and a hash by which a change of it shows. */
#pragma once

#include "base/base.h"

enum {
    MODULES_MAX_FILES = 16384
};

struct modules_files {
    const char *folder; /* an absolute path without links */
    uint32_t n;
    const char **names; /* below the folder, "a/b.cl", by strcmp */
    uint64_t hash;      /* of names and contents */
};
/* All regular files below `folder`, at any depth; names that begin with a dot are passed over, links to folders are not followed.
 * RES_USAGE: there is no such folder, or no file in it; RES_LIMIT: there are more files than MODULES_MAX_FILES. */
MUST_USE enum res modules_files_list(const char *folder, struct arena *a, struct modules_files *out,
                                     struct err *e);
