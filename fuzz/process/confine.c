/* fuzz/process/confine.c -- what a worker gets of its surroundings: environment and limits. */
#define _DEFAULT_SOURCE /* RLIMIT_NPROC, realpath */
#include "fuzz/process/confine.h"

#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz/process/child_folder.h"
#include "fuzz/process/process.h"

extern char **environ;

enum {
    CONFINE_MAX_KEPT = 512,
    CONFINE_PER_CORE = 16,
    CONFINE_ENVIRON_BYTES = 1 << 16
};
#define CONFINE_LEAST_BYTES (UINT64_C(2) << 30)

uint64_t confine_get_memory(void)
{
    long const n_pages = sysconf(_SC_PHYS_PAGES);
    long const page = sysconf(_SC_PAGESIZE);
    uint64_t const n = n_pages > 0 && page > 0 ? (uint64_t)n_pages * (uint64_t)page / 4 * 3 : 0;
    return n > CONFINE_LEAST_BYTES ? n : CONFINE_LEAST_BYTES;
}

uint32_t confine_get_processes(void)
{
    long const n_cores = sysconf(_SC_NPROCESSORS_ONLN);
    return CONFINE_PROCESSES + CONFINE_PER_CORE * (uint32_t)(n_cores > 0 ? n_cores : 1);
}

uint32_t confine_count_tasks(void)
{
    unsigned n = 0;
    FILE *f = fopen("/proc/loadavg", "re");
    if (f) {
        if (fscanf(f, "%*s %*s %*s %*u/%u", &n) != 1) {
            n = 0;
        }
        (void)fclose(f);
    }
    return n;
}

/* Variables that stay: a name that ends in '*' stands for all that begin so. */
static const char *const kept[] = {
    "PATH",         "LANG",         "LANGUAGE",  "LC_*",      "TZ",           "XDG_DATA_*",
    "XDG_CONFIG_*", "*SAN_OPTIONS", "OCL_ICD_*", "OPENCL_*",  "VK_*",         "CL_*",
    "LP_*",         "MESA_*",       "GALLIUM_*", "GALLIVM_*", "LIBGL_*",      "POCL_*",
    "RUSTICL_*",    "NIR_*",        "ST_DEBUG",  "DRI_*",     "EGL_*",        "RADV_*",
    "ACO_*",        "AMD_*",        "GPU_*",     "HSA_*",     "HIP_*",        "ROC*",
    "ANV_*",        "INTEL_*",      "IGC_*",     "NEO*",      "ZE_*",         "ONEAPI_*",
    "TBB_*",        "OMP_*",        "CUDA_*",    "NVIDIA_*",  "__NV_*",       "__GL_*",
    "TU_DEBUG",     "PAN_MESA_*",   "V3D_*",     "ASAHI_*",   "SWIFTSHADER_*"};
/* AFL++'s runtime in an instrumented worker finds its map by these. */
static const char *const kept_for_afl[] = {"AFL_*", "__AFL_*"};

static int fits(const char *pattern, const char *variable, size_t n_name)
{
    size_t const n = strlen(pattern);
    if (pattern[0] == '*') {
        return n_name >= n - 1 && memcmp(variable + n_name - (n - 1), pattern + 1, n - 1) == 0;
    }
    if (pattern[n - 1] == '*') {
        return n_name >= n - 1 && memcmp(variable, pattern, n - 1) == 0;
    }
    return n_name == n && memcmp(variable, pattern, n) == 0;
}

static int fits_any(const char *const *patterns, size_t n, const char *variable)
{
    size_t const n_name = strcspn(variable, "=");
    for (size_t i = 0; i < n; i++) {
        if (fits(patterns[i], variable, n_name)) {
            return 1;
        }
    }
    return 0;
}

void confine_environment(int also_afl)
{
    char *list[CONFINE_MAX_KEPT + 1];
    size_t n = 0;
    for (char **v = environ; v && *v && n < CONFINE_MAX_KEPT; v++) {
        if (fits_any(kept, ARRAY_N(kept), *v) ||
            (also_afl && fits_any(kept_for_afl, ARRAY_N(kept_for_afl), *v))) {
            list[n++] = *v;
        }
    }
    list[n] = NULL;
    for (size_t i = 0; environ && i <= n; i++) { /* in place: this array is gone at the return */
        environ[i] = list[i];
    }
}

const char *confine_name_in_full(const char *variable, struct arena *a)
{
    size_t const n_name = strcspn(variable, "=");
    size_t const n_key = n_name + (variable[n_name] == '='); /* "NAME=" */
    const char *out = arena_printf(a, "%.*s", (int)n_key, variable);
    for (const char *at = variable + n_key; *at;) {
        size_t const n = strcspn(at, ":");
        const char *const word = arena_printf(a, "%.*s", (int)n, at);
        bool const is_relative_path = word[0] != '/' && strchr(word, '/');
        char *const full = is_relative_path ? realpath(word, NULL) : NULL;
        out = arena_printf(a, "%s%s%s", out, full ? full : word, at[n] ? ":" : "");
        free(full);
        at += n + (at[n] == ':');
    }
    return out;
}

static void lower(int resource, rlim_t value)
{
    struct rlimit now;
    if (getrlimit(resource, &now) == 0) {
        struct rlimit const limit = {.rlim_cur = now.rlim_cur < value ? now.rlim_cur : value,
                                     .rlim_max = now.rlim_max < value ? now.rlim_max : value};
        (void)setrlimit(resource, &limit);
    }
}

void confine_limits(int has_data_limit, uint64_t file_bytes)
{
    lower(RLIMIT_CORE, 0);
    lower(RLIMIT_FSIZE, (rlim_t)file_bytes);
    /* Of all processes of the user, so those that are there are added. Root is exempt: child.c counts. */
    uint32_t const n_tasks = confine_count_tasks();
    if (n_tasks > 0) {
        lower(RLIMIT_NPROC, (rlim_t)n_tasks + confine_get_processes());
    }
    if (has_data_limit) {
        lower(RLIMIT_DATA, (rlim_t)confine_get_memory());
    }
    (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    int const fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd >= 0) { /* where memory ends all the same, it is the worker that goes */
        (void)!write(fd, "1000", 4);
        (void)close(fd);
    }
}

int confine_leaves(const char *launcher)
{
    static const char *const names[] = {"ssh",     "srun",    "rsh",   "mpirun", "mpiexec",
                                        "orterun", "qrsh",    "jsrun", "flux",   "aprun",
                                        "bsub",    "kubectl", "oc",    "docker", "podman"};
    const char *const slash = strrchr(launcher, '/');
    for (size_t i = 0; i < ARRAY_N(names); i++) {
        if (strcmp(slash ? slash + 1 : launcher, names[i]) == 0) {
            return 1;
        }
    }
    return 0;
}

int confine_has_devices(void)
{
    static const char *const nodes[] = {"/dev/dri/*",   "/dev/nvidia*", "/dev/kfd",
                                        "/dev/accel/*", "/dev/mali*",   "/dev/kgsl*"};
    int is_there = 0;
    for (size_t i = 0; i < ARRAY_N(nodes) && !is_there; i++) {
        glob_t found;
        if (glob(nodes[i], GLOB_NOSORT, NULL, &found) == 0) {
            is_there = 1;
            globfree(&found);
        }
    }
    return is_there;
}

/* Has the process the mark of a worker's folder in its environment? */
static int is_marked(const char *pid, const char *mark, char *text)
{
    char path[64];
    (void)snprintf(path, sizeof(path), "/proc/%.20s/environ", pid);
    int const fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, text, CONFINE_ENVIRON_BYTES - 1) : 0;
    if (fd >= 0) {
        (void)close(fd);
    }
    n = n > 0 ? n : 0;
    text[n] = '\0';
    for (const char *at = text; at < text + n; at += strlen(at) + 1) {
        if (strcmp(at, mark) == 0) {
            return 1;
        }
    }
    return 0;
}

/* Count the processes that worker `pid` has left behind, and kill them if is_to_kill. These are the processes of
 * its session, and those that carry the mark of its folder in their environment, whatever session they moved to.
 * Neither the worker itself nor a process that is already dead (state 'Z' or 'X') counts. */
uint32_t confine_count_strays(pid_t pid, const char *folder, int is_to_kill)
{
    static const char key[] = CONFINE_MARK "=";
    char mark[CHILD_MAX_PATH + sizeof(key)];
    char text[CONFINE_ENVIRON_BYTES];
    DIR *const dir = opendir("/proc");
    struct dirent *entry = NULL;
    struct process p;
    uint32_t n = 0;
    (void)snprintf(mark, sizeof(mark), "%s%s", key, folder);
    while (dir && (entry = readdir(dir)) != NULL) {
        pid_t const other = (pid_t)strtol(entry->d_name, NULL, 10);
        if (other <= 0 || other == pid || other == getpid() || !process_read(other, &p)) {
            continue;
        }
        int const is_of_session = pid > 0 && p.session == pid;
        if (!is_of_session && !is_marked(entry->d_name, mark, text)) {
            continue;
        }
        if (is_to_kill) {
            (void)kill(other, SIGKILL);
            (void)waitpid(other, NULL, WNOHANG); /* reaps orphans, which became our children */
        }
        n += p.state != 'Z' && p.state != 'X';
    }
    if (dir) {
        (void)closedir(dir);
    }
    return n;
}
