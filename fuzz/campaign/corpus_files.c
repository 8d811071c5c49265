/* fuzz/campaign/corpus_files.c -- tapes of the corpus as files, from and to other programs. */
#include "fuzz/campaign/corpus_files.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "gen/tape/tape.h"

enum {
    MAX_IMPORTS = 1 << 17, /* files of one scan */
    MAX_PATH = 4096
};
static const char suffix[] = ".tape";

static int compare_paths(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A file that changed since the last scan; AFL++ keeps its notes in files of names with a dot. */
static int is_wanted(const struct corpus_import *import, const char *path, const char *name,
                     int64_t *newest)
{
    struct stat s;
    if (name[0] == '.' || stat(path, &s) != 0 || !S_ISREG(s.st_mode) ||
        (int64_t)s.st_mtime < import->since_s) {
        return 0;
    }
    *newest = (int64_t)s.st_mtime > *newest ? (int64_t)s.st_mtime : *newest;
    return 1;
}

/* List the files of the import folder that are new since the last scan, at most MAX_IMPORTS. They are sorted by
 * name, so that the same files come in the same order. Without an import folder the list is empty. */
enum res corpus_scan(struct corpus_import *import, struct err *e)
{
    import->n = import->next = 0;
    if (!import->folder) {
        return RES_OK;
    }
    arena_reset(&import->arena);
    import->paths = ARENA_NEW(&import->arena, const char *, MAX_IMPORTS);
    if (!import->paths) {
        return err_set(e, RES_NOMEM, "%s: no memory for its names", import->folder);
    }
    DIR *dir = opendir(import->folder);
    if (!dir) {
        return err_set(e, RES_USAGE, "%s: %s", import->folder, strerror(errno));
    }
    int64_t newest = import->since_s;
    struct dirent *entry = NULL;
    while (import->n < MAX_IMPORTS && (entry = readdir(dir)) != NULL) {
        const char *path = arena_printf(&import->arena, "%s/%s", import->folder, entry->d_name);
        if (is_wanted(import, path, entry->d_name, &newest)) {
            import->paths[import->n++] = path;
        }
    }
    (void)closedir(dir);
    import->since_s = newest; /* the next scan sees other files of the same second */
    qsort(import->paths, import->n, sizeof(*import->paths), compare_paths);
    return RES_OK;
}

static void put_path(char path[MAX_PATH], const char *folder, int64_t id)
{
    (void)snprintf(path, MAX_PATH, "%s/%06" PRId64 "%s", folder, id, suffix);
}

enum res corpus_write_tape(const char *folder, const struct journal_entry *x, struct arena *scratch,
                           struct err *e)
{
    char path[MAX_PATH];
    struct tape const t = {.data = x->tape, .n_records = x->n_records};
    size_t n = 0;
    put_path(path, folder, x->id);
    const unsigned char *p = tape_encode(&t, x->profile, scratch, &n);
    if (!p) {
        return err_set(e, RES_NOMEM, "%s: no memory for a tape", path);
    }
    /* no fsync, thousands of these would take minutes: the journal has the tape too */
    struct file_writer w;
    TRY(file_begin(&w, path, e));
    (void)fwrite(p, 1, n, w.f); /* file_end tells whether it went well */
    return file_end(&w, RES_OK, e);
}

void corpus_unlink_tape(const char *folder, int64_t id)
{
    char path[MAX_PATH];
    put_path(path, folder, id);
    (void)unlink(path);
}

int corpus_has_file(const char *folder, int64_t id)
{
    char path[MAX_PATH];
    put_path(path, folder, id);
    return access(path, R_OK) == 0;
}

/* The number of a file that corpus_write_tape wrote; -1: another one's. */
static int64_t number_of(const char *name)
{
    char *end = NULL;
    if (name[0] < '0' || name[0] > '9') {
        return -1;
    }
    long long const id = strtoll(name, &end, 10);
    return strcmp(end, suffix) == 0 ? id : -1;
}

static int compare_ids(const void *a, const void *b)
{
    int64_t const x = ((const struct journal_entry *)a)->id;
    int64_t const y = ((const struct journal_entry *)b)->id;
    return (x > y) - (x < y);
}

enum res corpus_clean_folder(const char *folder, const struct journal_entry *entries, uint32_t n,
                             struct err *e)
{
    enum res const r = file_make_folder(folder, e);
    DIR *dir = r == RES_OK ? opendir(folder) : NULL;
    struct dirent *entry = NULL;
    while (dir && (entry = readdir(dir)) != NULL) {
        struct journal_entry const key = {.id = number_of(entry->d_name)};
        if (key.id >= 0 && !bsearch(&key, entries, n, sizeof(*entries), compare_ids)) {
            corpus_unlink_tape(folder, key.id);
        }
    }
    if (dir) {
        (void)closedir(dir);
    }
    return r;
}
