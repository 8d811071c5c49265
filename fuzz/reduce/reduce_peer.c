/* fuzz/reduce/reduce_peer.c -- spirv-reduce as a peer: it edits the module, `halfulp check` says what stays. */
#include "fuzz/reduce/reduce_peer.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "fuzz/io/bundle.h"
#include "fuzz/process/child.h"
#include "fuzz/process/place.h"

enum {
    PEER_MAX_PATH = 600
};

/* spirv-reduce puts its test, the test's words and the name of its file into one line for a shell, so
 * that no blank or quote can be among them: it runs in its folder, on plain names, and all else comes
 * by the environment. */
static const char start[] =
    "REDUCE_HERE=$PWD && export REDUCE_HERE && cd \"$REDUCE_FOLDER\" && exec spirv-reduce "
    "--temp-file-prefix=step_ case/module.spv -o out.spv -- ./interesting.sh";

/* Each interesting module is left in best.spv, so that a run cut by time leaves something too. */
static const char script[] =
    "#!/bin/sh\n"
    "cd \"$REDUCE_HERE\" || exit 1\n"
    "\"$REDUCE_PROGRAM\" check ${REDUCE_CORE:+--core \"$REDUCE_CORE\"} --targets "
    "\"$REDUCE_TARGET\" "
    "--runs \"$REDUCE_RUNS\" $REDUCE_TRUST ${REDUCE_INI:+--targets-file \"$REDUCE_INI\"} "
    "--unadvertised "
    "--module \"$REDUCE_FOLDER/$1\" \"$REDUCE_FOLDER/case\" >/dev/null 2>&1\n"
    "[ $? -eq 1 ] || exit 1\n"
    "cd \"$REDUCE_FOLDER\" && cp \"$1\" next.spv && mv next.spv best.spv\n";

/* The file of a target of the user's own, "FILE:LINE"; "" of one that was found. */
static const char *find_ini(const struct target *t, struct arena *a)
{
    const char *const colon = strrchr(t->origin, ':');
    return colon ? arena_printf(a, "%.*s", (int)(colon - t->origin), t->origin) : "";
}

/* Let spirv-reduce work in the folder, where a script tells it which candidates are interesting. False: no
 * memory. How the program ends does not matter: the best module that was interesting is in best.spv, or there
 * is none. */
static bool run_peer(const struct reduce_options *o, const struct trial_wanted *w,
                     const char *folder, uint64_t max_ns, struct arena *a)
{
    const char *text = "";
    struct err ignored;
    const char *const argv[] = {"sh", "-c", start, NULL};
    const char *const env[] = {
        arena_printf(a, "REDUCE_PROGRAM=%s/halfulp", place_get_program_folder(a)),
        arena_printf(a, "REDUCE_CORE=%s", w->core ? w->core : ""),
        arena_printf(a, "REDUCE_TARGET=%s", o->target->name),
        arena_printf(a, "REDUCE_RUNS=%u", (unsigned)w->n_runs),
        arena_printf(a, "REDUCE_FOLDER=%s", folder),
        arena_printf(a, "REDUCE_TRUST=%s", w->is_foreign ? "" : "--trust"),
        arena_printf(a, "REDUCE_INI=%s", find_ini(o->target, a)),
        NULL};
    for (size_t i = 0; i + 1 < ARRAY_N(env); i++) {
        if (!env[i]) {
            return false;
        }
    }
    struct child_spec const spec = {.argv = argv, .env = env, .trust = CHILD_FREE};
    (void)!child_read_all(&spec, max_ns, a, &text, &ignored);
    return true;
}

/* Reduce the module of a case by spirv-reduce, in a folder of its own that is removed at the end. 1: *out is
 * the case with the smaller module. 0: nothing came of it, for whatever reason. */
int reduce_try_peer(const struct reduce_options *o, const struct trial_wanted *w,
                    const struct testcase *tc, const struct observation *ob, uint64_t max_ns,
                    struct arena *a, struct testcase *out)
{
    char folder[PEER_MAX_PATH];
    const char *base = getenv("TMPDIR");
    struct err ignored;
    struct bundle const b = {.tc = *tc, .ob = *ob, .has_observation = 1};
    *out = *tc;
    (void)snprintf(folder, sizeof folder, "%.500s/halfulp-reduce-XXXXXX",
                   base && *base == '/' ? base : "/tmp");
    if (!mkdtemp(folder)) {
        return 0;
    }
    const char *test = arena_printf(a, "%s/interesting.sh", folder);
    const char *best = arena_printf(a, "%s/best.spv", folder);
    const char *bundle = arena_printf(a, "%s/case", folder);
    int const ok = test && best && bundle && bundle_write(bundle, &b, a, &ignored) == RES_OK &&
                   file_write(test, script, sizeof script - 1, &ignored) == RES_OK &&
                   chmod(test, 0700) == 0 && run_peer(o, w, folder, max_ns, a) &&
                   bundle_read_module(best, a, out, &ignored) == RES_OK;
    (void)!file_remove(folder, &ignored);
    return ok;
}
