/* fuzz/process/place.c -- where the program is, and what belongs to it: never looked for in the current folder. */
#include "fuzz/process/place.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    PLACE_MAX_PATH = 4096
};
static const char self[] = "/proc/self/exe";

const char *place_get_program_folder(struct arena *a)
{
    char path[PLACE_MAX_PATH];
    ssize_t const n = readlink(self, path, sizeof(path) - 1);
    if (n <= 0 || path[0] != '/') {
        return "";
    }
    path[n] = '\0';
    *strrchr(path, '/') = '\0';
    return arena_printf(a, "%s", path);
}

enum res place_check(struct err *e)
{
    char path[PLACE_MAX_PATH];
    return readlink(self, path, sizeof(path)) > 0
               ? RES_OK
               : err_set(e, RES_IO,
                         "%s: %s; the worker is found beside the program, for which /proc must be "
                         "mounted",
                         self, strerror(errno));
}

static const char *if_there(const char *path)
{
    return path[0] == '/' && access(path, R_OK) == 0 ? path : NULL;
}

/* How many bytes of TREE/build/NAME, or of a folder below, are TREE; 0: it is none of these. */
static size_t find_tree(const char *folder)
{
    static const char build[] = "/build/";
    size_t n = 0;
    for (const char *at = folder; (at = strstr(at, build)) != NULL; at++) {
        n = (size_t)(at - folder);
    }
    return n;
}

const char *place_find_beside(const char *name, struct arena *a)
{
    const char *const own = place_get_program_folder(a);
    int const n_tree = (int)find_tree(own);
    const char *path = own[0] ? if_there(arena_printf(a, "%s/%s", own, name)) : NULL;
    if (!path && n_tree > 0) {
        path = if_there(arena_printf(a, "%.*s/%s", n_tree, own, name));
    }
    if (!path && own[0]) {
        path = if_there(arena_printf(a, "%s/../share/halfulp/%s", own, name));
    }
    return path;
}

const char *place_find(const char *name, struct arena *a)
{
    const char *const config = getenv("XDG_CONFIG_HOME");
    const char *const home = getenv("HOME");
    const char *path = place_find_beside(name, a);
    if (path) {
        return path;
    }
    if (config && config[0] == '/') {
        return if_there(arena_printf(a, "%s/halfulp/%s", config, name));
    }
    return home && home[0] == '/' ? if_there(arena_printf(a, "%s/.config/halfulp/%s", home, name))
                                  : NULL;
}

/* Is the folder one of the entries of PATH? */
static bool is_listed(const char *list, const char *folder)
{
    size_t const n = strlen(folder);
    while (*list) {
        size_t const n_entry = strcspn(list, ":");
        if (n_entry == n && strncmp(list, folder, n) == 0) {
            return true;
        }
        list += n_entry + (list[n_entry] == ':');
    }
    return false;
}

void place_add_tools(void)
{
    char path[PLACE_MAX_PATH];
    char all[2 * PLACE_MAX_PATH];
    static const char tools[] = "/../lib/halfulp/tools";
    const char *const own = getenv("PATH");
    ssize_t const n = readlink(self, path, sizeof(path) - sizeof(tools));
    if (n <= 0 || (size_t)n == sizeof(path) - sizeof(tools) || path[0] != '/') {
        return; /* cut, or nowhere */
    }
    path[n] = '\0';
    memcpy(strrchr(path, '/'), tools, sizeof(tools));
    int const n_all =
        snprintf(all, sizeof(all), "%s:%s", own && own[0] ? own : "/usr/bin:/bin", path);
    if (if_there(path) && n_all < (int)sizeof(all) && !(own && is_listed(own, path))) {
        (void)setenv("PATH", all, 1);
    }
}
