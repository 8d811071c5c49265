/* fuzz/targets/targets_choose.c -- the targets that a command is to work on: by name, or all, with those that loaders list. */
#include "fuzz/targets/targets_choose.h"

#include <ctype.h>
#include <string.h>

#include "base/testcase.h"
#include "fuzz/process/child.h"
#include "fuzz/process/confine.h"
#include "fuzz/rewrite/rewrite.h"
#include "fuzz/targets/targets_sim.h"
#include "fuzz/wire/wire.h"

#define LIST_DEADLINE_NS UINT64_C(20000000000)
enum {
    SLUG_BYTES = 40
};

/* The targets that there are, those that are made by name first. */
static const char *list_names(const struct target_list *from, struct arena *a)
{
    const char *names = " sim-any, sim-ieee";
    for (uint32_t i = 0; i < from->n; i++) {
        names = arena_printf(a, "%s, %s", names, from->t[i].name);
    }
    return names;
}

/* No target has a name that begins with the n bytes of the pattern; one that could be here is told with what gets it. */
static enum res complain_pattern(const struct target_list *from, const char *pattern, size_t n,
                                 struct arena *a, struct err *e)
{
    for (uint32_t i = 0; i < from->n_missing; i++) {
        if (strncmp(from->missing[i].name, pattern, n) == 0) {
            return err_set(e, RES_USAGE, "no target \"%.*s\" is here; get them with: %s",
                           (int)(n < 60 ? n + 1 : 60), pattern, from->missing[i].how);
        }
    }
    return err_set_list(
        e, RES_USAGE, list_names(from, a),
        "no target name begins with \"%.*s\"; accepted names:", (int)(n < 60 ? n : 60), pattern);
}

/* "radv-*": all whose names begin so and that are not named yet. */
static enum res choose_all(const struct target_list *from, const char *pattern,
                           struct target_list *out, struct arena *a, struct err *e)
{
    size_t const n = strlen(pattern) - 1;
    uint32_t n_found = 0;
    for (uint32_t i = 0; i < from->n; i++) {
        const struct target *const t = &from->t[i];
        if (strncmp(t->name, pattern, n) == 0 && !t->on_request) {
            n_found++;
            if (!targets_find_name(out, t->name) && out->n < TARGETS_MAX) {
                out->t[out->n++] = *t;
            }
        }
    }
    return n_found ? RES_OK : complain_pattern(from, pattern, n, a, e);
}

/* Make a target of a name such as "lavapipe:SUB_FOR_ADD": the driver before the colon, with the
 * fault after it planted into the modules that the driver gets. *is_it false: the name has no
 * colon, or no target has the name before it. */
static enum res choose_rewritten(const struct target_list *from, const char *name,
                                 struct target *out, struct arena *a, bool *is_it, struct err *e)
{
    const char *const colon = strchr(name, ':');
    const struct target *const driver =
        colon ? targets_find_name(from, arena_printf(a, "%.*s", (int)(colon - name), name)) : NULL;
    *is_it = driver != NULL;
    if (!driver) {
        return RES_OK;
    }
    if (driver->language != LANGUAGE_SPIRV || driver->kind != TARGET_WORKER) {
        return err_set(e, RES_USAGE, "target %s accepts no modules, so no fault can be planted",
                       driver->name);
    }
    *out = *driver;
    out->name = name;
    out->rewrite = rewrite_find(colon + 1);
    if (!out->rewrite) {
        const char *known = "";
        for (int i = 0; i < REWRITE_N; i++) {
            known = arena_printf(a, "%s %s", known, rewrite_rows[i].id);
        }
        return err_set_list(e, RES_USAGE, known, "\"%.60s\": unknown fault; accepted names:", name);
    }
    return RES_OK;
}

/* Add to *out what one name of the list stands for. A name that ends in '*' stands for all found targets that begin
 * so. Another name stands for a found target, a found target with a planted fault, or a simulated one (sim-...). The
 * error of an unknown name says how to get it, or what there is. */
static enum res choose_one(const struct target_list *from, const char *name,
                           struct target_list *out, struct arena *a, struct err *e)
{
    if (name[strlen(name) - 1] == '*') {
        return choose_all(from, name, out, a, e);
    }
    if (targets_find_name(out, name)) {
        return err_set(e, RES_USAGE, "target %s is named twice", name);
    }
    if (out->n == TARGETS_MAX) {
        return err_set(e, RES_LIMIT, "more than %d targets", TARGETS_MAX);
    }
    const struct target *const found = targets_find_name(from, name);
    if (found && found->is_library && !from->has_audits) {
        return err_set(e, RES_USAGE,
                       "target %s is a math library, which runs no kernels: use \"halfulp audit\"",
                       name);
    }
    if (found) {
        out->t[out->n++] = *found;
        return RES_OK;
    }
    bool is_rewritten;
    TRY(choose_rewritten(from, name, &out->t[out->n], a, &is_rewritten, e));
    if (is_rewritten) {
        out->n++;
        return RES_OK;
    }
    if (strncmp(name, "sim-", 4) == 0) {
        enum res const r = targets_make_sim(name, &out->t[out->n], a, e);
        out->n += r == RES_OK;
        return r;
    }
    const char *const how = targets_how_to_get(from, name);
    if (how) {
        return err_set(e, RES_USAGE, "target %s is not here; get it with: %s", name, how);
    }
    return err_set_list(e, RES_USAGE, list_names(from, a),
                        "no target \"%.60s\"; accepted names:", name);
}

/* Choose targets by a list of names, between commas or blanks, in the order of the list. Each at most once,
 * and at least one. */
enum res targets_choose(const struct target_list *from, const char *names, struct target_list *out,
                        struct arena *a, struct err *e)
{
    memset(out, 0, sizeof(*out));
    const char *at = names;
    for (;;) {
        size_t const n = strcspn(at, ", ");
        if (n > 0) {
            const char *name = arena_printf(a, "%.*s", (int)n, at);
            enum res const r = choose_one(from, name, out, a, e);
            if (r != RES_OK) {
                return r;
            }
        }
        if (!at[n]) {
            break;
        }
        at += n + 1;
    }
    return out->n ? RES_OK : err_set(e, RES_USAGE, "no target is named in \"%s\"", names);
}

/* "NVIDIA: NVIDIA H200 (x)" of Vulkan becomes "nvidia-h200-x-vulkan": a first word that is repeated stands once. */
static const char *make_name(const char *device, size_t n, enum env env, struct arena *a)
{
    char slug[SLUG_BYTES];
    size_t n_slug = 0;
    for (size_t i = 0; i < n && n_slug + 1 < sizeof(slug); i++) {
        unsigned char const c = (unsigned char)device[i];
        if (isalnum(c)) {
            slug[n_slug++] = (char)tolower(c);
        } else if (n_slug > 0 && slug[n_slug - 1] != '-') {
            slug[n_slug++] = '-';
        }
    }
    while (n_slug > 0 && slug[n_slug - 1] == '-') {
        n_slug--;
    }
    slug[n_slug] = '\0';
    size_t const n_word = strcspn(slug, "-") + 1;
    bool const is_repeated = n_word < n_slug && strncmp(slug, slug + n_word, n_word) == 0;
    return arena_printf(a, "%s-%s", is_repeated ? slug + n_word : slug, env_names[env]);
}

/* Is the device one that a found target of this environment is for, or listed twice? */
static int is_known(const struct target_list *l, const char *device, const char *name, enum env env)
{
    for (uint32_t i = 0; i < l->n; i++) {
        const struct target *t = &l->t[i];
        int const is_same = t->env == env && t->device[0] && strstr(device, t->device);
        if (is_same || strcmp(t->name, name) == 0) {
            return 1;
        }
    }
    return 0;
}

/* An OpenCL device is also a target that is given OpenCL C. A device that takes no SPIR-V is that target alone, unless
 * the other one is named. */
static void add_listed_source(struct target_list *l, struct target *t, const char *rest,
                              struct arena *a)
{
    struct target *const source = t->env == ENV_CL ? targets_add_source(l, t, a) : NULL;
    if (source && strstr(rest, "\t" LISTED_NO_SPIRV)) {
        t->on_request = 1;
        source->on_request = 0;
    }
}

void targets_add_listed(struct target_list *l, enum env env, const char *text, struct arena *a)
{
    while (*text) {
        size_t const n_line = strcspn(text, "\n");
        size_t const n_name = strcspn(text, "\t\n");
        const char *device = arena_printf(a, "%.*s", (int)n_name, text);
        const char *name = make_name(device, n_name, env, a);
        struct target *t =
            n_name > 0 && !is_known(l, device, name, env) ? targets_add(l, name, env, a) : NULL;
        if (t) {
            t->device = device;
            t->is_sandboxed &= !confine_has_devices();
            size_t const n_version = strcspn(text + n_name, "\n");
            add_listed_source(l, t, arena_printf(a, "%.*s", (int)n_version, text + n_name), a);
        }
        text += n_line + (text[n_line] == '\n');
    }
}

/* The devices that the machine's own loader of this API lists. */
static void add_native(struct target_list *l, enum env env, struct arena *a)
{
    struct err ignored; /* no loader, or no driver: then there is nothing to add */
    const char *text = "";
    const char *const argv[] = {targets_get_worker(a), "--api", env_names[env], "--list", NULL};
    struct child_spec const spec = {.argv = argv};
    if (child_read_all(&spec, LIST_DEADLINE_NS, a, &text, &ignored) == RES_OK) {
        targets_add_listed(l, env, text, a);
    }
}

void targets_add_native(struct target_list *l, struct arena *a)
{
    for (int env = 0; env < ENV_N; env++) {
        add_native(l, (enum env)env, a);
    }
}

/* The targets for a command: those that are named, else all that were found, but for those that are used on
 * request alone. Devices that only the system's own loaders know are looked for where no name was given, or
 * where one is unknown without them. */
enum res targets_select(struct target_list *from, const char *names, struct target_list *out,
                        struct arena *a, struct err *e)
{
    if (names) {
        enum res const r = targets_choose(from, names, out, a, e);
        if (r == RES_OK) {
            return r;
        }
        /* An unknown name may be one that the loaders know. */
        uint32_t const n_before = from->n;
        targets_add_native(from, a);
        return from->n > n_before ? targets_choose(from, names, out, a, e) : r;
    }
    targets_add_native(from, a);
    *out = *from;
    out->n = 0;
    for (uint32_t i = 0; i < from->n; i++) {
        if (!from->t[i].on_request) {
            out->t[out->n++] = from->t[i];
        }
    }
    return RES_OK;
}
