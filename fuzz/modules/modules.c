/* fuzz/modules/modules.c -- a folder of kernels of the user's own as the source of a campaign's cases. */
#include "fuzz/modules/modules.h"

#include <inttypes.h>
#include <string.h>

#include "base/printable.h"
#include "base/testcase.h"
#include "fuzz/amber/amber_script.h"
#include "fuzz/kernel/kernel_arg.h"
#include "fuzz/kernel/kernel_build.h"
#include "fuzz/kernel/kernel_shape.h"
#include "fuzz/kernel_run/kernel_try.h"
#include "fuzz/modules/modules_files.h"
#include "fuzz/modules/modules_kernel.h"
#include "gen/print/print.h"

#define MODULES_ARENA_BYTES ((size_t)8 << 30)
enum {
    MAX_KERNELS = 16384,
    MAX_SHOWN = 20,             /* reasons that are printed */
    MAX_LIST_CHARS = 120 << 10, /* of modules_get_list: the journal keeps no longer text */
    HASH_CHARS = 64
};

/* A file or a kernel that is not used, and why. */
struct unused {
    bool is_file; /* else one kernel of it */
    const char *text;
};

struct modules {
    struct arena arena;
    struct modules_rules rules;
    struct modules_files files;
    const char *options; /* of the compilers */
    uint32_t n_kernels, n_unused;
    struct modules_kernel **kernels; /* [MAX_KERNELS] */
    struct unused *unused;           /* [MAX_KERNELS] */
    const char *list;
    char hash[HASH_CHARS];
};

static void note_unused(struct modules *m, bool is_file, const char *text)
{
    if (m->n_unused < MAX_KERNELS) {
        m->unused[m->n_unused++] = (struct unused){is_file, arena_printf(&m->arena, "%s", text)};
    }
}

/* One kernel of a file. entry: its entry point; NULL: the one that the script names. label: what people call it. */
static enum res take_kernel(struct modules *m, const char *name, const char *path,
                            const char *entry, const char *label, const struct kernel_module *built,
                            struct err *e)
{
    struct err why = {RES_OK, ""};
    if (m->n_kernels == MAX_KERNELS) {
        return err_set(e, RES_LIMIT, "%s: more than %d kernels", m->files.folder, MAX_KERNELS);
    }
    struct modules_kernel *const k = ARENA_NEW(&m->arena, struct modules_kernel, 1);
    if (!k) {
        return err_set(e, RES_NOMEM, "%s: no memory for its kernels", m->files.folder);
    }
    enum res const r = modules_kernel_open(name, path, entry, built, &m->arena, k, &why);
    if (r == RES_OK) {
        k->label = label;
        m->kernels[m->n_kernels++] = k;
    } else if (r == RES_NOMEM) {
        return err_set(e, RES_NOMEM, "%s", why.text);
    } else {
        note_unused(m, false, arena_printf(&m->arena, "kernel %s: %s", label, why.text));
    }
    return RES_OK;
}

/* Each RUN of a script is a kernel. kernel_build has compiled the shader of the only one. */
static enum res take_script(struct modules *m, const char *name, const char *path,
                            const struct kernel_module *only, struct err *e)
{
    const struct amber *const script = only->amber;
    for (uint32_t i = 0; i < script->n_runs; i++) {
        struct kernel_module built = *only;
        struct err why = {RES_OK, ""};
        const char *const label = arena_printf(&m->arena, "%s (line %" PRIu32 ")",
                                               script->pipelines.row[script->runs[i].pipeline].name,
                                               script->runs[i].line);
        enum res r = script->n_runs > 1
                         ? kernel_build_run(script, i, m->options, &m->arena, &built, &why)
                         : RES_OK;
        if (r == RES_NOMEM) {
            return err_set(e, r, "%s", why.text);
        }
        if (r != RES_OK) {
            note_unused(m, false, arena_printf(&m->arena, "kernel %s: %s", label, why.text));
            continue;
        }
        TRY(take_kernel(m, name, path, NULL, label, &built, e));
    }
    return RES_OK;
}

/* All kernels of a file. */
static enum res take_file(struct modules *m, const char *name, struct err *e)
{
    struct kernel_module built;
    struct err why = {RES_OK, ""};
    uint32_t n = 0;
    const char *const path = arena_printf(&m->arena, "%s/%s", m->files.folder, name);
    enum res const r = kernel_build(path, m->options, &m->arena, &built, &why);
    if (r == RES_NOMEM) {
        return err_set(e, r, "%s", why.text);
    }
    if (r != RES_OK) {
        note_unused(m, true, why.text);
        return RES_OK;
    }
    if (built.amber) {
        return take_script(m, name, path, &built, e);
    }
    const char *const *const entries = kernel_shape_list(built.words, built.n_words, &m->arena, &n);
    if (!entries) {
        return err_set(e, RES_NOMEM, "%s: no memory for its kernels", path);
    }
    if (n == 0) {
        note_unused(m, true, arena_printf(&m->arena, "%s: has no kernel", path));
    }
    for (uint32_t i = 0; i < n; i++) {
        TRY(take_kernel(m, name, path, entries[i], entries[i], &built, e));
    }
    return RES_OK;
}

static void write_list(struct modules *m)
{
    size_t n = 0;
    uint64_t h = hash_bytes(0, m->options, strlen(m->options));
    char *const text = arena_take(&m->arena, MAX_LIST_CHARS);
    for (uint32_t i = 0; text && i < m->n_kernels; i++) {
        const struct modules_kernel *const k = m->kernels[i];
        const char *const line =
            arena_printf(&m->arena, "%s\t%s\n", printable_copy(&m->arena, k->name),
                         printable_copy(&m->arena, k->label));
        size_t const n_line = strlen(line);
        h = hash_bytes(h, line, n_line);
        if (n + n_line < MAX_LIST_CHARS) {
            memcpy(text + n, line, n_line + 1);
            n += n_line;
        }
    }
    m->list = n ? text : "";
    (void)snprintf(m->hash, sizeof m->hash, "%016" PRIx64 " %" PRIu32 " %016" PRIx64, m->files.hash,
                   m->n_kernels, h);
}

static enum res open_all(struct modules *m, const char *folder, struct err *e)
{
    m->kernels = ARENA_NEW(&m->arena, struct modules_kernel *, MAX_KERNELS);
    m->unused = ARENA_NEW(&m->arena, struct unused, MAX_KERNELS);
    if (!m->kernels || !m->unused) {
        return err_set(e, RES_NOMEM, "%s: no memory for its kernels", folder);
    }
    TRY(modules_files_list(folder, &m->arena, &m->files, e));
    for (uint32_t i = 0; i < m->files.n; i++) {
        TRY(take_file(m, m->files.names[i], e));
    }
    if (m->n_kernels == 0) {
        return err_set(e, RES_USAGE, "%s: none of its %" PRIu32 " files has a kernel to run: %s",
                       folder, m->files.n, m->n_unused ? m->unused[0].text : "");
    }
    write_list(m);
    return RES_OK;
}

enum res modules_open(struct modules **out, const char *folder, const char *options, struct err *e)
{
    struct arena arena;
    arena_init(&arena, MODULES_ARENA_BYTES);
    struct modules *const m = ARENA_NEW(&arena, struct modules, 1);
    *out = NULL;
    if (!m) {
        return err_set(e, RES_NOMEM, "no memory for the kernels");
    }
    m->arena = arena;
    m->options = arena_printf(&m->arena, "%s", options);
    enum res const r = open_all(m, folder, e);
    if (r != RES_OK) {
        modules_close(m);
        return r;
    }
    *out = m;
    return RES_OK;
}

void modules_close(struct modules *m)
{
    if (m) {
        struct arena arena = m->arena;
        arena_free(&arena);
    }
}

const char *modules_get_folder(const struct modules *m)
{
    return m->files.folder;
}

const char *modules_get_options(const struct modules *m)
{
    return m->options;
}

const char *modules_get_hash(const struct modules *m)
{
    return m->hash;
}

const char *modules_get_list(const struct modules *m)
{
    return m->list;
}

/* ---- cases ---- */

static struct modules_kernel *find_draw(const struct modules *m, uint64_t index,
                                        struct modules_draw *draw)
{
    struct rng root = rng_seed(m->rules.seed);
    struct rng rng = rng_fork(&root, index);
    bool const is_first = index < m->n_kernels;
    *draw = (struct modules_draw){.seed = rng_below(&rng, UINT32_MAX)};
    draw->is_hard = rng_below(&rng, 2) == 1 && !is_first;
    bool const is_changed = rng_below(&rng, 2) == 1 && !is_first;
    uint64_t const rewrites = rng_next(&rng) | 1;
    draw->rewrites = is_changed ? rewrites : 0;
    struct modules_kernel *const k = m->kernels[index % m->n_kernels];
    draw->is_redrawn = k->kernel.built.amber && !is_first;
    return k;
}

/* Is the text of the file the source of this very case? What a driver's compiler makes of it nobody can vouch for. */
static bool has_own_text(const struct modules *m, const struct modules_kernel *k,
                         const char *change)
{
    return m->rules.is_trusted && k->kernel.built.source[0] && !m->options[0] && !change[0] &&
           !kernel_args_is_changed(&k->kernel.args);
}

static enum res make_case(void *of, uint64_t index, const struct target *t, struct arena *a,
                          struct testcase *out, bool *is_there, struct err *e)
{
    struct modules *const m = of;
    struct modules_draw draw;
    struct modules_kernel *const k = find_draw(m, index, &draw);
    *is_there = false;
    *out = (struct testcase){.env = k->kernel.shape.env};
    if (t->env != k->kernel.shape.env && !t->alternates) {
        return RES_OK;
    }
    enum res r = modules_kernel_draw(k, &m->rules, &draw, &m->arena, a, out, e);
    if (r == RES_OK && t->language == LANGUAGE_OPENCL_C && has_own_text(m, k, draw.change)) {
        try_set_text(out, k->kernel.built.source, a);
    } else if (r == RES_OK) {
        r = print_set_language(out, t->language, a, e);
    }
    *is_there = r == RES_OK;
    return r == RES_NOMEM ? r : RES_OK;
}

static void excuse(void *of, const struct testcase *tc, const struct observation *ob,
                   struct arena *a, struct judgement *g)
{
    const struct modules *const m = of;
    if (m->rules.is_trusted) { /* else each case was vouched for */
        try_excuse_bad_end(tc, ob, a, g);
    }
}

struct case_source modules_get_source(struct modules *m, uint64_t seed, bool is_trusted)
{
    m->rules = (struct modules_rules){.is_trusted = is_trusted, .seed = seed};
    return (struct case_source){
        .of = m, .n_per_round = m->n_kernels, .make = make_case, .excuse = excuse};
}

const char *modules_describe(struct modules *m, uint64_t index, struct arena *a)
{
    struct modules_draw draw;
    struct testcase tc;
    struct err why = {RES_OK, ""};
    struct modules_kernel *const k = find_draw(m, index, &draw);
    if (modules_kernel_draw(k, &m->rules, &draw, &m->arena, a, &tc, &why) != RES_OK) {
        return arena_printf(a, "%s, kernel %s: %s", k->name, k->label, why.text);
    }
    return arena_printf(a, "%s, kernel %s, %s inputs of seed %" PRIu64 "%s%s", k->name, k->label,
                        draw.is_hard ? "hard" : "ordinary", draw.seed,
                        draw.change[0] ? ", changed: " : "", draw.change);
}

/* ---- what is told ---- */

static void print_unused(const struct modules *m, bool is_file, FILE *f)
{
    uint32_t n = 0, n_all = 0;
    for (uint32_t i = 0; i < m->n_unused; i++) {
        n_all += m->unused[i].is_file == is_file;
    }
    if (n_all && is_file) {
        printable_print(f, "%" PRIu32 " of %" PRIu32 " files are not used:\n", n_all, m->files.n);
    } else if (n_all) {
        printable_print(f, "%" PRIu32 " kernels are not used:\n", n_all);
    }
    for (uint32_t i = 0; i < m->n_unused && n < MAX_SHOWN; i++) {
        if (m->unused[i].is_file == is_file) {
            printable_print(f, "  %s\n", m->unused[i].text);
            n++;
        }
    }
    if (n_all > n) {
        printable_print(f, "  and %" PRIu32 " more\n", n_all - n);
    }
}

void modules_print(const struct modules *m, FILE *f)
{
    printable_print(f, "%s: %" PRIu32 " kernels of %" PRIu32 " files\n", m->files.folder,
                    m->n_kernels, m->files.n);
    print_unused(m, true, f);
    print_unused(m, false, f);
}

void modules_print_refused(const struct modules *m, FILE *f)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->n_kernels && !m->rules.is_trusted; i++) {
        const struct modules_kernel *const k = m->kernels[i];
        if (k->state != MODULES_REFUSED) {
            continue;
        }
        if (n++ == 0) {
            (void)fputs("not run, because halfulp cannot show that they are harmless (--trust "
                        "runs them):\n",
                        f);
        }
        if (n <= MAX_SHOWN) {
            printable_print(f, "  %s, kernel %s: %s\n", k->name, k->label, k->why);
        }
    }
    if (n > MAX_SHOWN) {
        printable_print(f, "  and %" PRIu32 " more\n", n - MAX_SHOWN);
    }
}
