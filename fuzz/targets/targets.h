/* fuzz/targets/targets.h -- one thing to test, the list of them, and how the worker of one is started. */
#pragma once

#include <stdbool.h>

#include "base/testcase.h"
#include "fuzz/process/child.h"
#include "fuzz/rewrite/rewrite.h"
#include "oracle/sim/sim.h"

enum target_kind {
    TARGET_WORKER,
    TARGET_SIM
};
/* What gives the values that a case leaves in its buffers. */
enum target_values {
    VALUES_DEVICE,
    VALUES_NIR, /* there is no device: the final NIR of the driver's compiler, executed by us (fuzz/execute) */
    VALUES_NONE /* there is no device: cases are built, and nothing is known of their values */
};
enum {
    TARGET_VALUES_N = 3
};
extern const char *const target_values_names[TARGET_VALUES_N]; /* "device", "nir", "no" */
enum {
    TARGETS_MAX = 96,
    TARGET_MAX_LAUNCHER = 48,
    TARGET_MAX_ENV = 24
};

/* One driver to test. Strings in the arena of the list. */
struct target {
    const char *name;
    enum target_kind kind;
    enum env env;            /* of a sim with alternates: of even indices */
    enum language language;  /* in which it is given its cases */
    const char *api;         /* of its worker; NULL = the environment's name */
    const char *least_bound; /* of max-error decorations, in ulps; NULL: what is known of the API */
    const char *any_bound;   /* instructions (ops.def) that take any */
    int alternates;          /* sim: OpenCL and Vulkan by turns */
    enum sim_strategy strategy; /* sim */
    struct fault_plan fault;    /* sim: what is wrong with it */
    /* What its modules become before the driver gets them, which are judged as they were; NULL: nothing. */
    const struct rewrite_row *rewrite;
    const char *
        front_end; /* root file system with glslang, which makes the module of the text; NULL: none */
    const char *loader;                            /* "" = the worker's default */
    const char *device;                            /* substring of its name, "" = first */
    const char *worker;                            /* program, as the launcher sees it */
    const char *launcher[TARGET_MAX_LAUNCHER + 1]; /* argv prefix; "{own}", "{tmp}" as in child.h */
    const char *env_vars[TARGET_MAX_ENV + 1];      /* "K=V" */
    const char *inner_tmp;                         /* child_spec */
    uint64_t hello_ns, case_ns;                    /* deadlines */
    uint64_t as_limit_bytes;                       /* 0 = none */
    uint64_t file_bytes;                           /* child_spec */
    enum child_trust trust;
    int is_sandboxed;    /* its worker is in the sandbox, unless it has a launcher of its own */
    int is_instrumented; /* child_spec */
    int unadvertised;    /* run also what the driver does not list */
    enum target_values values;
    int on_request; /* only where it is named */
    bool
        is_library; /* a math library without a device, which runs audits alone (fuzz/worker/drv_lib.h) */
    int compiles_late;  /* a build alone reads the module: most of the
                                                    * compiler runs at the first dispatch */
    const char *origin; /* "found", "root", or "targets.ini:12" */
    const char *
        package; /* what the driver was taken from, "Debian package chromium-common 1.2"; NULL: not known */
    const char *
        like; /* the target that a section says this one is like, the first of a chain; NULL: none */
};

/* Something that could be tested but is not here. */
struct target_missing {
    const char *name, *how;
};

struct target_list {
    uint32_t n, n_missing;
    int has_sandbox; /* bubblewrap works here and may be used */
    bool has_audits; /* the command runs audits, or shows targets: math libraries may be chosen */
    struct target t[TARGETS_MAX];
    struct target_missing missing[TARGETS_MAX];
};

/* The target of the list that has that name, or NULL. */
const struct target *targets_find_name(const struct target_list *l, const char *name);
/* How to get the missing target of that name, or the missing driver NAME of a target NAME-c; NULL: no such one is known. */
const char *targets_how_to_get(const struct target_list *l, const char *name);
/* One more target with defaults, or NULL when the list is full. */
struct target *targets_add(struct target_list *l, const char *name, enum env env, struct arena *a);
/* One more target, NAME-c, that gives the driver of the OpenCL target t its cases as OpenCL C; on request. NULL: the
 * list is full. */
struct target *targets_add_source(struct target_list *l, const struct target *t, struct arena *a);
/* targets_add_source for each OpenCL driver of the list that is given SPIR-V. */
void targets_add_sources(struct target_list *l, struct arena *a);
/* The worker program: HALFULP_WORKER, or halfulp-worker beside the program. */
const char *targets_get_worker(struct arena *a);

/*
 * What a target is beside what its device says of itself, as lines for its facts: "target.values=no" or
 * "nir", and "target.environment=K=V K=V", the variables of the driver, with those that a launcher sets, where there is no
 * device; "target.variables=K=V K=V", those without a path, where they are; "target.rewrite=NAME"; "target.like=NAME", which has the same bugs; and the valid bounds of max-error decorations, where the target has a list of them (facts_take_bound).
 */
const char *targets_get_facts(const struct target *t, struct arena *a);
/* Does its launcher leave this machine? Its worker then begins as a guard, and shares no memory with us. */
bool targets_is_remote(const struct target *t);
/* The words that start an executor of final NIR for the target; argv has room for CHILD_MAX_ARGS. */
void targets_fill_executor(const struct target *t, const char **argv, struct arena *a);
/* How it is started with these words, which stay the caller's. */
struct child_spec targets_get_spec(const struct target *t, const char *const *argv);
/* The words that start the target's worker. argv has room for CHILD_MAX_ARGS; extra (may be NULL) is
 * one more word, "--list". */
MUST_USE enum res targets_fill_argv(const struct target *t, const char *extra, const char **argv,
                                    struct arena *a, struct err *e);
