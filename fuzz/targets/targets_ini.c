/* fuzz/targets/targets_ini.c -- the user's targets.ini; the only file that includes inih's header. */
#include "fuzz/targets/targets_ini.h"

#include <ctype.h>
#include <ini.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/testcase.h"
#include "fuzz/process/confine.h"

enum {
    DEADLINE_MAX_MS = 24 * 3600 * 1000
};
#define MS_NS UINT64_C(1000000)

/* The text and where the parser is in it. */
struct ini_text {
    const char *name, *text;
    size_t n, pos;
    int line;
    struct target_list *list;
    struct target *now;   /* of the section that is being read */
    struct target before; /* the target of that name that it replaces */
    bool has_before;
    int has_api;
    int section_line;
    int n_pairs;            /* lines of the section so far */
    const char *how_to_get; /* the target that it is like is not here; NULL: no such thing */
    struct arena *a;
    struct err *e;
    int is_bad;
};

static void complain(struct ini_text *t, int line, const char *what, const char *value,
                     const char *right)
{
    if (!t->is_bad) {
        (void)err_set(t->e, RES_USAGE, "%s:%d: %s \"%.80s\"%s%s", t->name, line, what, value,
                      right[0] ? ": " : "", right);
        t->is_bad = 1;
    }
}

/* A target like one that is not here is not here either. */
static void move_to_missing(struct ini_text *t)
{
    struct target_list *const l = t->list;
    struct target_missing const row = {t->now->name, t->how_to_get};
    size_t const at = (size_t)(t->now - l->t);
    memmove(&l->t[at], &l->t[at + 1], (l->n - at - 1) * sizeof l->t[0]);
    l->n--;
    for (uint32_t i = 0; i < l->n_missing; i++) {
        if (strcmp(l->missing[i].name, row.name) == 0) {
            return;
        }
    }
    if (l->n_missing < TARGETS_MAX) {
        l->missing[l->n_missing++] = row;
    }
}

static void end_section(struct ini_text *t)
{
    if (t->now && !t->has_api) {
        complain(t, t->section_line, "section", t->now->name,
                 "has no line \"api = ...\" or \"like = ...\"");
    } else if (t->now && t->how_to_get) {
        move_to_missing(t);
    }
    t->now = NULL;
}

static int is_name(const char *s)
{
    for (; *s; s++) {
        if (!isalnum((unsigned char)*s) && !strchr("-_.", *s)) {
            return 0;
        }
    }
    return 1;
}

/* The target of that name, or NULL. */
static struct target *find_target(struct target_list *list, const char *name)
{
    const struct target *const found = targets_find_name(list, name);
    return found ? &list->t[found - list->t] : NULL;
}

/* Begin the target of a line "[name]", with defaults for all that its section does not set. The target is a new one
 * of the list, or replaces a found one of the same name, which is kept for "like". */
static void start_section(struct ini_text *t, const char *line)
{
    end_section(t);
    const char *open = strchr(line, '[');
    const char *close = open ? strchr(open, ']') : NULL;
    const char *name = close ? arena_printf(t->a, "%.*s", (int)(close - open - 1), open + 1) : "";
    if (!name[0] || !is_name(name)) {
        complain(t, t->line, "section", name, "a name of letters, digits, - _ . is needed");
        return;
    }
    struct target *const same = find_target(t->list, name);
    bool const is_of_ini = same && strchr(same->origin, ':'); /* "targets.ini:12" */
    if (is_of_ini) {
        complain(t, t->line, "section", name, "is there twice");
        return;
    }
    if (!same && t->list->n == TARGETS_MAX) {
        complain(t, t->line, "section", name, "too many targets");
        return;
    }
    t->has_before = same != NULL;
    if (same) {
        t->before = *same;
    }
    t->now = same ? same : &t->list->t[t->list->n++];
    *t->now = (struct target){.name = name,
                              .loader = "",
                              .device = "",
                              .worker = targets_get_worker(t->a),
                              .hello_ns = 60000 * MS_NS,
                              .case_ns = 20000 * MS_NS,
                              .is_sandboxed = t->list->has_sandbox && !confine_has_devices(),
                              .origin = arena_printf(t->a, "%s:%d", t->name, t->line)};
    t->has_api = 0;
    t->n_pairs = 0;
    t->how_to_get = NULL;
    t->section_line = t->line;
}

/* What inih calls as its fgets: give the next line of the text. It also counts the lines and begins sections,
 * for inih tells its handler the number of no line, and nothing at all of a section without pairs. NULL: the
 * end, or an error that was complained about. */
static char *read_line(char *str, int num, void *stream)
{
    struct ini_text *t = stream;
    if (t->pos >= t->n || t->is_bad || num < 2) {
        return NULL;
    }
    t->line++;
    const char *start = t->text + t->pos;
    const char *newline = memchr(start, '\n', t->n - t->pos);
    size_t const n = newline ? (size_t)(newline - start) + 1 : t->n - t->pos;
    if (n >= (size_t)num || memchr(start, '\0', n)) {
        complain(t, t->line, "line", "", n >= (size_t)num ? "is too long" : "holds a zero byte");
        return NULL;
    }
    memcpy(str, start, n);
    str[n] = '\0';
    t->pos += n;
    const char *first = str + strspn(str, " \t");
    if (*first == '[') {
        start_section(t, first);
    }
    return t->is_bad ? NULL : str;
}

/* The words of a value into `out`, NULL at the end; 0: more than n_out. */
static int split_words(struct ini_text *t, const char *value, const char *separators,
                       const char **out, size_t n_out)
{
    size_t n = 0;
    while (*value) {
        value += strspn(value, separators);
        size_t const n_word = strcspn(value, separators);
        if (n_word == 0) {
            break;
        }
        if (n == n_out) {
            return 0;
        }
        out[n++] = arena_printf(t->a, "%.*s", (int)n_word, value);
        value += n_word;
    }
    out[n] = NULL;
    return 1;
}

static int set_env(struct ini_text *t, const char *pair)
{
    struct target *to = t->now;
    size_t n = 0;
    while (to->env_vars[n]) {
        n++;
    }
    if (n == TARGET_MAX_ENV || !strchr(pair, '=') || pair[0] == '=') {
        complain(t, t->line, "env", pair,
                 n == TARGET_MAX_ENV ? "too many variables" : "NAME=VALUE is needed");
        return 0;
    }
    to->env_vars[n] = pair;
    return 1;
}

static int set_env_list(struct ini_text *t, const char *value)
{
    const char *pairs[TARGET_MAX_ENV + 1] = {NULL};
    if (!split_words(t, value, ";", pairs, TARGET_MAX_ENV)) {
        complain(t, t->line, "env", value, "too many variables");
        return 0;
    }
    for (size_t i = 0; pairs[i]; i++) {
        if (!set_env(t, arena_printf(t->a, "%s", pairs[i] + strspn(pairs[i], " ")))) {
            return 0;
        }
    }
    return 1;
}

static int set_bool(struct ini_text *t, const char *key, const char *value, int *out)
{
    static const char *const words[] = {"no", "yes", "0", "1", "false", "true"};
    for (size_t i = 0; i < ARRAY_N(words); i++) {
        if (strcmp(value, words[i]) == 0) {
            *out = (int)(i % 2);
            return 1;
        }
    }
    complain(t, t->line, key, value, "yes or no is needed");
    return 0;
}

/* "confined = no": a launcher that leaves this machine under another name. "sandbox = yes": a driver that
 * needs no device, where there are some. */
static int set_confinement(struct ini_text *t, const char *key, const char *value)
{
    int is_yes = 0;
    if (!set_bool(t, key, value, &is_yes)) {
        return 0;
    }
    if (strcmp(key, "confined") == 0) {
        t->now->trust = is_yes ? CHILD_CONFINED : CHILD_FREE;
        t->now->is_sandboxed &= is_yes;
    } else {
        t->now->is_sandboxed = is_yes && t->list->has_sandbox;
    }
    return 1;
}

static int set_values(struct ini_text *t, const char *value)
{
    for (int i = 0; i < TARGET_VALUES_N; i++) {
        if (strcmp(value, target_values_names[i]) == 0) {
            t->now->values = (enum target_values)i;
            return 1;
        }
    }
    complain(t, t->line, "values", value, "device, nir or no is needed");
    return 0;
}

static int set_deadline(struct ini_text *t, const char *value)
{
    char *end = NULL;
    unsigned long const ms = strtoul(value, &end, 10);
    if (!isdigit((unsigned char)value[0]) || *end || ms == 0 || ms > DEADLINE_MAX_MS) {
        complain(t, t->line, "deadline_ms", value, "1 to 86400000 is needed");
        return 0;
    }
    t->now->case_ns = ms * MS_NS;
    return 1;
}

static int set_api(struct ini_text *t, const char *value)
{
    for (int env = 0; env < ENV_N; env++) {
        if (strcmp(value, env_names[env]) == 0) {
            t->now->env = (enum env)env;
            t->has_api = 1;
            return 1;
        }
    }
    if (strcmp(value, "ocloc") == 0) { /* a compiler for OpenCL, without its API */
        t->now->env = ENV_CL;
        t->now->api = "ocloc";
        t->now->values = VALUES_NONE;
        t->has_api = 1;
        return 1;
    }
    complain(t, t->line, "api", value, "opencl, vulkan or ocloc is needed");
    return 0;
}

/* The target of that name: of the section's own name the one that it replaces. */
static const struct target *find_like(const struct ini_text *t, const char *name)
{
    if (strcmp(name, t->now->name) == 0) {
        return t->has_before ? &t->before : NULL;
    }
    return find_target(t->list, name);
}

/* Take a pair "like = NAME": the section begins as a copy of that target, and its other pairs
 * change the copy. If that target is not on this machine, t->how_to_get is set, and the section's
 * own target counts as missing at its end. False: it is an error, about which a complaint was made. */
static bool set_like(struct ini_text *t, const char *name)
{
    if (t->n_pairs > 1) {
        complain(t, t->line, "like", name, "must be the first line of its section");
        return false;
    }
    const struct target *const from = find_like(t, name);
    t->how_to_get = from ? NULL : targets_how_to_get(t->list, name);
    if (!from && !t->how_to_get) {
        complain(t, t->line, "like", name, "there is no such target");
        return false;
    }
    if (from) {
        const char *const own_name = t->now->name;
        const char *const origin = t->now->origin;
        *t->now = *from;
        t->now->name = own_name;
        t->now->origin = origin;
        /* of copies of copies the first */
        t->now->like = from->like ? from->like : from->name;
    }
    t->has_api = 1; /* the copy has one, and a missing target needs none */
    return true;
}

/* Device, loader, worker and the valid bounds of max errors are texts as they stand; false: another key. */
static bool set_text(struct target *to, const char *key, const char *value)
{
    if (strcmp(key, "device") == 0) {
        to->device = value;
    } else if (strcmp(key, "loader") == 0) {
        to->loader = value;
    } else if (strcmp(key, "worker") == 0) {
        to->worker = value;
    } else if (strcmp(key, "max_error_least") == 0) {
        to->least_bound = value;
    } else if (strcmp(key, "max_error_any") == 0) {
        to->any_bound = value;
    } else {
        return false;
    }
    return true;
}

/* As a shell has it: of words that are apart by blanks, but for those between quotes of a kind. 0: more than n_out, or a
 * quote without its end. */
static int split_quoted(struct ini_text *t, const char *value, const char **out, size_t n_out)
{
    size_t n = 0;
    for (value += strspn(value, " \t"); *value; value += strspn(value, " \t")) {
        const char *word = "";
        char quote = '\0';
        for (; *value && (quote || !strchr(" \t", *value)); value++) {
            bool const is_quote = quote ? *value == quote : *value == '\'' || *value == '"';
            if (is_quote) {
                quote = quote ? '\0' : *value;
            } else {
                word = arena_printf(t->a, "%s%c", word, *value);
            }
        }
        if (n == n_out || quote) {
            return 0;
        }
        out[n++] = word;
    }
    out[n] = NULL;
    return 1;
}

/* The words that start a worker elsewhere, such as ssh: neither limits nor a sandbox of ours reach there. */
static int set_launcher(struct ini_text *t, const char *value)
{
    if (!split_quoted(t, value, t->now->launcher, TARGET_MAX_LAUNCHER)) {
        complain(t, t->line, "launcher", value, "too many words, or a quote without its end");
        return 0;
    }
    if (t->now->launcher[0] && confine_leaves(t->now->launcher[0])) {
        t->now->trust = CHILD_FREE;
        t->now->is_sandboxed = 0;
    }
    return 1;
}

/* In what the target is given its cases. 0: a complaint. */
static int set_language(struct ini_text *t, const char *value)
{
    for (int i = 0; i < LANGUAGE_N; i++) {
        if (strcmp(value, language_names[i]) == 0) {
            t->now->language = (enum language)i;
            return 1;
        }
    }
    complain(t, t->line, "language", value, "spirv, opencl-c or glsl is needed");
    return 0;
}

/* Take one "key = value" of the current section, as the callback of inih. Each key that is not
 * plain text has a function of its own. 0: stop, after a complaint. */
static int take_pair(void *user, const char *section, const char *key, const char *value)
{
    static const char env_prefix[] = "env."; /* of a variable's name */
    size_t const n_env_prefix = sizeof env_prefix - 1;
    struct ini_text *t = user;
    (void)section; /* read_line has called start_section */
    if (t->is_bad) {
        return 0;
    }
    if (!t->now) {
        complain(t, t->line, "key", key, "stands before the first [section]");
        return 0;
    }
    const char *copy = arena_printf(t->a, "%s", value);
    t->n_pairs++;
    if (strcmp(key, "api") == 0) {
        return set_api(t, value);
    } else if (strcmp(key, "like") == 0) {
        return set_like(t, value);
    } else if (strcmp(key, "launcher") == 0) {
        return set_launcher(t, value);
    } else if (strcmp(key, "env") == 0) {
        return set_env_list(t, copy);
    } else if (strncmp(key, env_prefix, n_env_prefix) == 0) {
        return set_env(t, arena_printf(t->a, "%s=%s", key + n_env_prefix, value));
    } else if (strcmp(key, "deadline_ms") == 0) {
        return set_deadline(t, value);
    } else if (strcmp(key, "build_only") == 0) {
        int is_yes = 0;
        if (!set_bool(t, key, value, &is_yes)) {
            return 0;
        }
        t->now->values = is_yes ? VALUES_NONE : VALUES_DEVICE;
        return 1;
    } else if (strcmp(key, "values") == 0) {
        return set_values(t, value);
    } else if (strcmp(key, "language") == 0) {
        return set_language(t, value);
    } else if (strcmp(key, "unadvertised") == 0) {
        return set_bool(t, key, value, &t->now->unadvertised);
    } else if (strcmp(key, "confined") == 0 || strcmp(key, "sandbox") == 0) {
        return set_confinement(t, key, value);
    }
    if (!set_text(t->now, key, copy)) {
        complain(t, t->line, "unknown key", key,
                 "known are api like launcher env env.NAME device loader worker deadline_ms"
                 " build_only values language unadvertised confined sandbox max_error_least "
                 "max_error_any");
        return 0;
    }
    return 1;
}

enum res targets_parse_ini(struct target_list *out, const char *name, const char *text, size_t n,
                           struct arena *a, struct err *e)
{
    struct ini_text t = {.name = name, .text = text, .n = n, .list = out, .a = a, .e = e};
    int const bad_line = ini_parse_stream(read_line, &t, take_pair, &t);
    if (!t.is_bad) {
        end_section(&t);
    }
    if (t.is_bad) {
        return RES_USAGE;
    }
    if (bad_line != 0) {
        return err_set(e, RES_USAGE, "%s:%d: not \"key = value\", nor [section], nor a comment",
                       name, bad_line);
    }
    return RES_OK;
}
