/* fuzz/cli/cmd_try_page.h -- the page of halfulp try --html: errors over the elements of each buffer. */
#pragma once

#include "base/file.h"
#include "fuzz/kernel_run/kernel_try.h"

struct try_page {
    struct file_writer w;
    bool is_open;
};
/* Begins the page; `path` is the kernel's. RES_USAGE, RES_IO as of file_begin. */
MUST_USE enum res try_page_open(struct try_page *page, const char *file, const char *path,
                                struct err *e);
/* A section of a result. */
void try_page_put(struct try_page *page, const struct kernel *k, const struct try_result *x,
                  const char *disassembly);
/* Ends it; nothing where it is not open. */
MUST_USE enum res try_page_close(struct try_page *page, enum res so_far, struct err *e);
