/* fuzz/targets/targets.h -- what can be tested: drivers found here, driver roots, targets.ini, sim. */
#pragma once

#include "base/testcase.h"
#include "fuzz/process/child.h"
#include "oracle/sim/sim.h"

enum target_kind {
    TARGET_WORKER,
    TARGET_SIM
};
enum {
    TARGETS_MAX = 48,
    TARGET_MAX_LAUNCHER = 48,
    TARGET_MAX_ENV = 24
};

/* One driver to test. Strings in the arena of the list. */
struct target {
    const char *name;
    enum target_kind kind;
    enum env env;                                  /* of a sim with alternates: of even indices */
    int alternates;                                /* sim: OpenCL and Vulkan by turns */
    enum sim_chooser chooser;                      /* sim */
    struct fault_plan fault;                       /* sim: what is wrong with it */
    const char *loader;                            /* "" = the worker's default */
    const char *device;                            /* substring of its name, "" = first */
    const char *worker;                            /* program, as the launcher sees it */
    const char *launcher[TARGET_MAX_LAUNCHER + 1]; /* argv prefix; "{own}", "{tmp}" as in child.h */
    const char *env_vars[TARGET_MAX_ENV + 1];      /* "K=V" */
    const char *inner_tmp;                         /* child_spec */
    uint64_t hello_ns, case_ns;                    /* deadlines */
    uint64_t as_limit_bytes;                       /* 0 = none */
    enum child_trust trust;
    int is_sandboxed;    /* its worker is in the sandbox, unless it has a launcher of its own */
    int is_instrumented; /* child_spec */
    int unadvertised;    /* run also what the driver does not list */
    int on_request;      /* only where it is named */
    int compiles_late;   /* a build alone reads the module: most of the
                                                    * compiler runs at the first dispatch */
    const char *origin;  /* "found", "root", or "targets.ini:12" */
};

/* Something that could be tested but is not here. */
struct target_missing {
    const char *name, *how;
};

struct target_list {
    uint32_t n, n_missing;
    int has_sandbox; /* bubblewrap works here and may be used */
    struct target t[TARGETS_MAX];
    struct target_missing missing[TARGETS_MAX];
};

/*
 * All targets that there are, and whether workers can be in the sandbox: drivers and roots under
 * targets_get_root, Debian's lavapipe, and the sections of `ini` (NULL: the targets.ini of place_find if there
 * is one), which replace found ones of the same name. No driver is started. RES_FORMAT, RES_USAGE: the ini
 * file, with file and line.
 */
MUST_USE enum res targets_find(struct target_list *out, const char *ini, struct arena *a,
                               struct err *e);
/*
 * Read the sections of an ini text as targets into `out`; name is for errors. A section that is like a
 * target of `out` begins as its copy; like one that is missing there, it is added to the missing ones.
 */
MUST_USE enum res targets_parse_ini(struct target_list *out, const char *name, const char *text,
                                    size_t n, struct arena *a, struct err *e);
/*
 * Keep the targets of a list of names separated by commas, in its order; "sim-any", "sim-ieee" and
 * those with "-opencl" or "-vulkan" behind are always known; behind a colon a fault that they have, of
 * oracle/sim/faults.def or oracle/sim/hard_fault.def, and where:
 * "sim-ieee:SUM_OFF_ULP:AtomicFAddEXT:f32:workgroup". RES_USAGE: an unknown name, with those that are known.
 */
MUST_USE enum res targets_choose(const struct target_list *from, const char *names,
                                 struct target_list *out, struct arena *a, struct err *e);
/*
 * What a command is to work on: the targets that are named, or with `names` NULL all of `from` and
 * the other devices that the machine's own loaders list (names like "nvidia-h200-vulkan"), but for those
 * that are only for those who name them. The loaders are asked too when a name is not known otherwise.
 * RES_USAGE as targets_choose.
 */
MUST_USE enum res targets_select(struct target_list *from, const char *names,
                                 struct target_list *out, struct arena *a, struct err *e);
/*
 * How many cells of AFL++'s coverage map a target's driver uses, [0, n_edges): what its worker says of
 * itself, which is started for it; 0 for a driver without instrumentation and for sim. RES_IO: it does
 * not start. In fuzz/pool/targets_edges.c.
 */
MUST_USE enum res targets_get_edges(const struct target *t, uint32_t *n_edges, struct err *e);
/* Folder of the drivers that the set-up made, an absolute path: HALFULP_DRIVERS, or "drivers" of
 * place_find. */
const char *targets_get_root(struct arena *a);

/* fuzz/targets/targets_sim.c: the simulated target of a name that begins with "sim-". RES_USAGE says what the
 * name should be. */
MUST_USE enum res targets_make_sim(const char *name, struct target *t, struct arena *a,
                                   struct err *e);
/* One more target with defaults, or NULL when the list is full. */
struct target *targets_add(struct target_list *l, const char *name, enum env env, struct arena *a);
/* The devices that a worker listed, "name\tversion\n" each, as targets: those that are not there yet. */
void targets_add_listed(struct target_list *l, enum env env, const char *text, struct arena *a);
/* The worker program: HALFULP_WORKER, or halfulp-worker beside the program. */
const char *targets_get_worker(struct arena *a);

/* How it is started with these words, which stay the caller's. */
struct child_spec targets_get_spec(const struct target *t, const char *const *argv);
/* The words that start the target's worker. argv has room for CHILD_MAX_ARGS; extra (may be NULL) is
 * one more word, "--list". */
MUST_USE enum res targets_fill_argv(const struct target *t, const char *extra, const char **argv,
                                    struct arena *a, struct err *e);
