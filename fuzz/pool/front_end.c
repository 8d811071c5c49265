/* fuzz/pool/front_end.c -- cases that are source text, compiled to a module before a target is given them. */
#include "fuzz/pool/front_end.h"

#include <string.h>

#include "base/spv.h"
#include "oracle/sim/sim.h"

#define FRONT_END_NS UINT64_C(20000000000)

/* glslang's target by the version of the case's own module: an instruction may be of that version alone. */
static const char *name_version(const struct testcase *tc)
{
    static const char *const names[] = {"spirv1.0", "spirv1.1", "spirv1.2", "spirv1.3",
                                        "spirv1.4", "spirv1.5", "spirv1.6"};
    uint32_t const minor = tc->n_words > 1 ? tc->module[1] >> 8 & 0xff : 0;
    return names[minor < ARRAY_N(names) ? minor : ARRAY_N(names) - 1];
}

/* Compile the GLSL of a case to SPIR-V, by glslang in the file system `root`. The module passes
 * through a file, because glslang prints its messages to standard output. */
static enum res run_glslang(const char *root, const struct testcase *tc, struct arena *a,
                            struct child_output *out, struct err *e)
{
    const char *const command =
        arena_printf(a,
                     "glslangValidator --quiet --stdin -S comp -V --target-env vulkan1.3 "
                     "--target-env %s -o out.spv >&2 && cat out.spv",
                     name_version(tc));
    const char *const argv[] = {"bwrap",
                                "--die-with-parent",
                                "--ro-bind",
                                root,
                                "/",
                                "--dev",
                                "/dev",
                                "--proc",
                                "/proc",
                                "--tmpfs",
                                "/tmp",
                                "--bind",
                                "{own}",
                                "/tmp/own",
                                "--chdir",
                                "/tmp/own",
                                "--unsetenv",
                                "LD_LIBRARY_PATH",
                                "--unshare-pid",
                                "--unshare-net",
                                "/bin/sh",
                                "-c",
                                command,
                                NULL};
    struct child_spec const spec = {
        .argv = argv, .inner_tmp = "/tmp/own", .is_launched = 1, .trust = CHILD_CONFINED};
    return child_convert(&spec, tc->source, strlen(tc->source), FRONT_END_NS, a, out, e);
}

/* glslang's exit statuses (StandAlone.cpp): the text does not compile, or does not link. */
enum {
    GLSLANG_COMPILE = 2,
    GLSLANG_LINK = 3
};

/* Did glslang itself run? An exit status of no other kind is its own: the rest are of bwrap and the shell, which could
 * not start it. */
static bool has_started(const struct child_end *end)
{
    return end->was_killed || end->signal || end->exit_status == GLSLANG_COMPILE ||
           end->exit_status == GLSLANG_LINK;
}

static void observe_failure(const struct child_end *end, bool is_late, struct observation *ob)
{
    *ob = (struct observation){.phase = PHASE_BUILD, .signature = "", .facts = ""};
    child_observe_end(end, is_late, 0, "", ob);
    if (ob->status == RUN_EXIT) {
        ob->status = RUN_REJECT;
    }
}

/* Make *out of a case: the same with a module that the target's front end makes of its source
 * text, or the case as it is if it needs no front end. *is_built false: the front end refused the
 * text or failed, and *ob says how. RES_IO: the front end could not be started. */
enum res front_end_build(const struct target *t, const struct testcase *tc, struct arena *a,
                         struct testcase *out, struct observation *ob, bool *is_built,
                         struct err *e)
{
    struct child_output made;
    *out = *tc;
    *is_built = true;
    if (!t->front_end || tc->language == LANGUAGE_SPIRV) {
        return RES_OK;
    }
    TRY(run_glslang(t->front_end, tc, a, &made, e));
    const struct child_end *const end = &made.end;
    const struct bytes *const module = &made.bytes;
    *is_built = !end->was_killed && !end->signal && !end->exit_status;
    if (!*is_built) {
        if (!has_started(end)) {
            return err_set(e, RES_IO, "glslang: exit status %d: %.200s", end->exit_status,
                           end->log);
        }
        observe_failure(end, made.is_late, ob);
        return RES_OK;
    }
    size_t const n_words = module->n / sizeof(uint32_t);
    uint32_t *const words = ARENA_NEW(a, uint32_t, n_words + 1); /* + 1: also where it is empty */
    if (!words) {
        return err_set(e, RES_NOMEM, "front end: no room for %zu bytes", module->n);
    }
    memcpy(words, module->p, n_words * sizeof *words);
    out->language = LANGUAGE_SPIRV;
    out->source = "";
    out->module = words;
    out->n_words = (uint32_t)n_words;
    out->entry = "main"; /* GLSL knows no other name */
    return RES_OK;
}

enum res front_end_run_sim(const struct target *t, const struct testcase *tc, uint64_t seed,
                           const char *facts, struct arena *a, struct observation *ob,
                           struct err *e)
{
    struct testcase built;
    bool is_built = false;
    TRY(front_end_build(t, tc, a, &built, ob, &is_built, e));
    return is_built ? sim_run(&built, &(struct sim_device){t->strategy, seed, &t->fault, facts}, a,
                              ob, NULL, e)
                    : RES_OK;
}
