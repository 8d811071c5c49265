/* base/file.h -- files and folders: read within a size; written under a fresh name, then renamed. */
#pragma once

#include <stdio.h>

#include "base/base.h"

enum {
    FILE_MAX_PATH = 4096
};

/*
 * The whole file at `path` in the arena; a NUL byte follows it, which *out_n does not count. Links are
 * followed, for a user may name one. It never blocks: RES_FORMAT for what is no regular file (a folder,
 * a FIFO, a device). RES_LIMIT past limit_bytes, RES_IO where the system refused; each names the file.
 */
MUST_USE enum res file_read(const char *path, size_t limit_bytes, struct arena *a,
                            const unsigned char **out, size_t *out_n, struct err *e);

/* The same for a file of a folder from elsewhere: neither it nor a folder on its way may be a link
 * (RES_FORMAT), and it cannot leave the folder. Links to the folder itself are followed. */
MUST_USE enum res file_read_below(const char *folder, const char *name, size_t limit_bytes,
                                  struct arena *a, const unsigned char **out, size_t *out_n,
                                  struct err *e);
/* Open to read a part; errors as of file_read. *fd is the caller's to close, -1 after an error. */
MUST_USE enum res file_open(const char *path, int *fd, struct err *e);

/*
 * A file that is written piece by piece. What is written goes into a new file of a fresh name in the
 * folder of `path`, which takes the place of an old one when it is whole: a link of that name is
 * replaced and not followed, and after a failure the old file is as it was. A folder, FIFO or device of
 * that name, and any name below /dev, is refused with RES_USAGE; RES_IO names the file and the reason.
 */
struct file_writer {
    FILE *f; /* to write to */
    char path[FILE_MAX_PATH], fresh[FILE_MAX_PATH];
};
MUST_USE enum res file_begin(struct file_writer *w, const char *path, struct err *e);
/* The end of each file that was begun. so_far is what writing came to: where it is not RES_OK the new
 * file is dropped, and that is returned with `e` as it is; but who says RES_IO knows less of the reason
 * than this, which names the file with it. */
MUST_USE enum res file_end(struct file_writer *w, enum res so_far, struct err *e);
/* n_bytes as a whole file, on the disk before it takes its name. */
MUST_USE enum res file_write(const char *path, const void *p, size_t n_bytes, struct err *e);

/*
 * A file that stays open, or that several processes share: a lock, a log, a map. It is created where it
 * is not there; a link and what is no regular file are refused with RES_FORMAT. `flags` is O_APPEND or 0.
 */
MUST_USE enum res file_open_kept(const char *path, int flags, int *fd, struct err *e);

/* A folder below one of ours: created, or there already; RES_FORMAT where a link or a file stands there. */
MUST_USE enum res file_make_folder(const char *path, struct err *e);
/* A folder that the user names, and those above it; what is there, a link too, is fine. RES_USAGE: no name, or
 * one that is too long; RES_IO. */
MUST_USE enum res file_make_path(const char *path, struct err *e);

/*
 * A folder that is written as a whole. Files go into w->fresh, which is new, empty and beside `path`;
 * file_end_folder has it take the place of what is at `path`, whatever that is: a folder goes with all
 * in it, of a link the link alone. With so_far not RES_OK the new one is removed, the old one stays, and
 * names in `e` are those that its files would have had.
 */
struct file_folder {
    char path[FILE_MAX_PATH], fresh[FILE_MAX_PATH];
};
MUST_USE enum res file_begin_folder(struct file_folder *w, const char *path, struct err *e);
MUST_USE enum res file_end_folder(struct file_folder *w, enum res so_far, struct err *e);

/* What this program made at `from` gets the name `to`, by one step: a file takes the place of a file, a folder that of
 * nothing. RES_IO. */
MUST_USE enum res file_rename(const char *from, const char *to, struct err *e);

/*
 * A folder that is going to be made with those above it, so that a failure leaves none behind. file_note_made says which
 * of them are there now; file_drop_made removes the folder with all in it, and those above it that are empty then, but
 * none that was there when it was noted. Nothing happens for what was not noted, or after file_keep_made.
 */
struct file_made {
    char path[FILE_MAX_PATH]; /* "": none was noted, or it was there */
    size_t n_there;           /* bytes of the path up to where it was there */
};
void file_note_made(struct file_made *m, const char *path);
void file_keep_made(struct file_made *m);
void file_drop_made(struct file_made *m);

/* Remove what is at `path`, a folder with all in it; links are removed and not followed. RES_IO names
 * what cannot be removed; what is not there is RES_OK. */
MUST_USE enum res file_remove(const char *path, struct err *e);
