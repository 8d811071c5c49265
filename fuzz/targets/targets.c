/* fuzz/targets/targets.c -- one thing to test: its defaults, and the words that start its worker. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "fuzz/targets/targets.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/process/confine.h"
#include "fuzz/process/place.h"
#include "fuzz/process/sandbox.h"
#include "fuzz/wire/wire.h"

#define DEADLINE_HELLO_NS UINT64_C(60000000000)
#define DEADLINE_CASE_NS  UINT64_C(20000000000)
static const char worker_cpu_limit_s[] = "7200";

/* A worker starts in a folder of its own: what is named from here is named in full. */
static const char *get_absolute(const char *path, struct arena *a)
{
    char *const full = strchr(path, '/') ? realpath(path, NULL) : NULL;
    const char *const copy = full ? arena_printf(a, "%s", full) : path;
    free(full);
    return copy;
}

const char *targets_get_worker(struct arena *a)
{
    const char *named = getenv("HALFULP_WORKER");
    return named && named[0] ? get_absolute(named, a)
                             : arena_printf(a, "%s/halfulp-worker", place_get_program_folder(a));
}

const struct target *targets_find_name(const struct target_list *l, const char *name)
{
    for (uint32_t i = 0; i < l->n; i++) {
        if (strcmp(l->t[i].name, name) == 0) {
            return &l->t[i];
        }
    }
    return NULL;
}

const char *targets_how_to_get(const struct target_list *l, const char *name)
{
    for (uint32_t i = 0; i < l->n_missing; i++) {
        const char *const driver = l->missing[i].name;
        size_t const n = strlen(driver);
        if (strncmp(name, driver, n) == 0 &&
            (!name[n] || strcmp(name + n, TARGET_SOURCE_SUFFIX) == 0)) {
            return l->missing[i].how;
        }
    }
    return NULL;
}

struct target *targets_add(struct target_list *l, const char *name, enum env env, struct arena *a)
{
    if (l->n == TARGETS_MAX) {
        return NULL;
    }
    struct target *t = &l->t[l->n++];
    *t = (struct target){.name = name,
                         .env = env,
                         .loader = "",
                         .device = "",
                         .worker = targets_get_worker(a),
                         .hello_ns = DEADLINE_HELLO_NS,
                         .case_ns = DEADLINE_CASE_NS,
                         .is_sandboxed = l->has_sandbox,
                         .origin = "found"};
    return t;
}

struct target *targets_add_source(struct target_list *l, const struct target *t, struct arena *a)
{
    if (l->n == TARGETS_MAX) {
        return NULL;
    }
    struct target *const source = &l->t[l->n++];
    *source = *t;
    source->name = arena_printf(a, "%s" TARGET_SOURCE_SUFFIX, t->name);
    source->language = LANGUAGE_OPENCL_C;
    source->on_request = 1;
    return source;
}

void targets_add_sources(struct target_list *l, struct arena *a)
{
    uint32_t const n = l->n;
    for (uint32_t i = 0; i < n; i++) {
        const struct target *const t = &l->t[i];
        bool const is_opencl = t->kind == TARGET_WORKER && t->env == ENV_CL;
        if (is_opencl && t->language == LANGUAGE_SPIRV && !t->is_instrumented) {
            (void)targets_add_source(l, t, a);
        }
    }
}

/* Facts that we know of a target without asking it: of a compiler without a device, that it is one, and the
 * environment that its launcher and section give it, as NAME=VALUE words. "" for any other. */
/* Valid bounds of max-error decorations: SPV_INTEL_fp_max_error leaves the list of them to the client. Rows
 * of compilers that are known by their API. */
static const struct {
    const char *api, *least, *any;
} bound_rows[] = {
  /* IGC: "fpbuiltin-max-error with values below 1.0 is only supported for sqrt and division"; core
     * instructions become no such built-ins */
    {"ocloc", "1", "FAdd FSub FMul FDiv FRem FMod FNegate VectorTimesScalar sqrt"},
};

static const char *describe_bounds(const struct target *t, struct arena *a)
{
    const char *least = t->least_bound;
    const char *any = t->any_bound;
    for (size_t i = 0; t->api && !least && i < ARRAY_N(bound_rows); i++) {
        if (strcmp(t->api, bound_rows[i].api) == 0) {
            least = bound_rows[i].least;
            any = any ? any : bound_rows[i].any;
        }
    }
    if (!least) {
        return "";
    }
    return any ? arena_printf(a, "target.max_error_least=%s\ntarget.max_error_any=%s\n", least, any)
               : arena_printf(a, "target.max_error_least=%s\n", least);
}

const char *const target_values_names[TARGET_VALUES_N] = {
    [VALUES_DEVICE] = "device", [VALUES_NIR] = "nir", [VALUES_NONE] = "no"};

/* The driver's own variables; one whose value is a path tells of this machine. */
static const char *describe_variables(const struct target *t, struct arena *a)
{
    const char *pairs = ""; /* each with a space before it */
    for (size_t i = 0; t->env_vars[i]; i++) {
        pairs =
            strchr(t->env_vars[i], '/') ? pairs : arena_printf(a, "%s %s", pairs, t->env_vars[i]);
    }
    return pairs[0] ? arena_printf(a, "target.variables=%s\n", pairs + 1) : "";
}

const char *targets_get_facts(const struct target *t, struct arena *a)
{
    const char *const *const words = t->launcher;
    const char *const rewrite =
        t->rewrite ? arena_printf(a, "target.rewrite=%s\n", t->rewrite->id) : "";
    const char *const like = t->like ? arena_printf(a, "target.like=%s\n", t->like) : "";
    const char *const package =
        t->package ? arena_printf(a, "target.package=%s\n", t->package) : "";
    const char *const bounds =
        arena_printf(a, "%s%s%s%s", rewrite, like, package, describe_bounds(t, a));
    const char *pairs = ""; /* each with a space before it */
    if (t->values == VALUES_DEVICE) {
        return arena_printf(a, "%s%s", describe_variables(t, a), bounds);
    }
    for (size_t i = 0; words[i] && words[i + 1]; i++) {
        if (strcmp(words[i], "--setenv") == 0 &&
            words[i + 2]) { /* bwrap's, name and value behind */
            pairs = arena_printf(a, "%s %s=%s", pairs, words[i + 1], words[i + 2]);
        }
    }
    for (size_t i = 0; t->env_vars[i]; i++) {
        pairs = arena_printf(a, "%s %s", pairs, t->env_vars[i]);
    }
    const char *const environment =
        pairs[0] ? arena_printf(a, "target.environment=%s\n", pairs + 1) : "";
    return arena_printf(a, "target.values=%s\n%s%s", target_values_names[t->values], environment,
                        bounds);
}

bool targets_is_remote(const struct target *t)
{
    return t->launcher[0] != NULL && t->trust == CHILD_FREE;
}

struct child_spec targets_get_spec(const struct target *t, const char *const *argv)
{
    return (struct child_spec){.argv = argv,
                               .env = t->env_vars,
                               .inner_tmp = t->inner_tmp,
                               .is_launched = t->launcher[0] != NULL || t->is_sandboxed,
                               .is_guarded = targets_is_remote(t),
                               .trust = t->trust,
                               .is_sandboxed = t->launcher[0] == NULL && t->is_sandboxed,
                               .is_instrumented = t->is_instrumented,
                               .file_bytes = t->file_bytes};
}

/* The sandbox, with the variables for the loader of the worker's libraries: bwrap is not to have them. */
static size_t put_sandbox(const struct target *t, const char **argv, struct arena *a)
{
    size_t n = sandbox_put(argv);
    for (size_t i = 0; t->env_vars[i]; i++) {
        const char *const full = confine_name_in_full(t->env_vars[i], a);
        const char *const equals = strchr(full, '=');
        if (equals && strncmp(full, "LD_", 3) == 0) {
            argv[n++] = "--setenv";
            argv[n++] = arena_printf(a, "%.*s", (int)(equals - full), full);
            argv[n++] = equals + 1;
        }
    }
    argv[n++] = "--";
    return n;
}

void targets_fill_executor(const struct target *t, const char **argv, struct arena *a)
{
    size_t n = 0;
    if (t->is_sandboxed) {
        n = sandbox_put(argv);
        argv[n++] = "--";
    }
    const char *const worker = targets_get_worker(a);
    const char *const slash = strrchr(worker, '/');
    int const n_folder = slash ? (int)(slash + 1 - worker) : 0;
    argv[n++] = arena_printf(a, "%.*shalfulp-executor", n_folder, worker);
    argv[n] = NULL;
}

/* Append the worker's own options from argv[n] on, after its name; `extra` is the last one if it
 * is not NULL. is_here: the worker runs on this machine, so the path of the loader is made
 * absolute. Returns the number of words. */
static size_t put_options(const struct target *t, const char *extra, bool is_here, size_t n,
                          const char **argv, struct arena *a)
{
    argv[n++] = "--api";
    argv[n++] = t->api ? t->api : env_names[t->env];
    if (t->loader[0]) {
        argv[n++] = "--loader";
        argv[n++] = is_here ? get_absolute(t->loader, a) : t->loader;
    }
    if (t->device[0]) {
        argv[n++] = "--device";
        argv[n++] = t->device;
    }
    argv[n++] = "--crash-fd";
    argv[n++] = arena_printf(a, "%d", WIRE_CRASH_FD);
    argv[n++] = "--cpu-limit";
    argv[n++] = worker_cpu_limit_s;
#if !defined(__SANITIZE_ADDRESS__) /* a sanitizer reserves more than any limit */
    if (t->as_limit_bytes) {
        argv[n++] = "--as-limit";
        argv[n++] = arena_printf(a, "%" PRIu64, t->as_limit_bytes);
    }
#endif
    if (extra) {
        argv[n++] = extra;
    }
    argv[n] = NULL;
    return n;
}

/* A launcher such as ssh takes no variables along, and a shell at its other end reads each word once more. */
static size_t put_guard(const struct target *t, size_t n, const char **argv, struct arena *a)
{
    argv[n++] = "--guard";
    for (size_t i = 0; t->env_vars[i]; i++) {
        argv[n++] = "--env";
        argv[n++] = wire_quote_word(t->env_vars[i], a);
    }
    return n;
}

/* The command line of the target's worker, with `extra` behind it if that is not NULL: the target's launcher,
 * else our sandbox if it uses one, then the worker and its options, as a guard where the launcher leaves this machine.
 * RES_LIMIT: too many words. */
enum res targets_fill_argv(const struct target *t, const char *extra, const char **argv,
                           struct arena *a, struct err *e)
{
    size_t n = 0;
    while (t->launcher[n]) {
        argv[n] = t->launcher[n];
        n++;
    }
    /* A launcher may start the worker elsewhere: paths are then its, and our sandbox is not put around it. */
    bool const is_here = n == 0;
    bool const is_remote = targets_is_remote(t);
    if (is_here && t->is_sandboxed) {
        n = put_sandbox(t, argv, a);
    }
    /* The worker's own words must stay below CHILD_MAX_ARGS with the longest launcher. */
    argv[n++] = is_here ? get_absolute(t->worker, a) : t->worker;
    n = is_remote ? put_guard(t, n, argv, a) : n;
    size_t const n_before = n;
    n = put_options(t, extra, is_here, n, argv, a);
    for (size_t i = n_before; i < n && is_remote; i++) {
        argv[i] = wire_quote_word(argv[i], a);
    }
    return n < CHILD_MAX_ARGS ? RES_OK : err_set(e, RES_LIMIT, "%s: command too long", t->name);
}
