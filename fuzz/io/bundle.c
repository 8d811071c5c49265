/* fuzz/io/bundle.c -- a case, and what was seen of it, as a folder of plain files. */
#include "fuzz/io/bundle.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/caps.h"
#include "base/file.h"
#include "base/spv.h"
#include "fuzz/io/json.h"
#include "fuzz/io/spirv.h"
#include "gen/tape/tape.h"

enum {
    BUNDLE_VERSION = 1,
    BUNDLE_MAX_TEXT = 1 << 20
};
#define BUNDLE_MAX_CASE ((size_t)300 << 20)

/* ---- write ---- */

static struct json *sizes_to_json(const uint32_t sizes[3])
{
    struct json *list = json_new_array();
    for (int i = 0; i < 3; i++) {
        json_push_number(list, sizes[i]);
    }
    return list;
}

static struct json *bufs_to_json(const struct bundle *b, struct arena *a)
{
    struct json *list = json_new_array();
    for (uint32_t i = 0; i < b->tc.n_bufs; i++) {
        const struct buf *buf = &b->tc.bufs[i];
        struct json *row = json_new_object();
        json_put_text(row, "kind", buf_kind_names[buf->kind]);
        json_put_number(row, "bytes", buf->n_bytes);
        json_put_number(row, "width", buf->width);
        json_put_number(row, "height", buf->height);
        if (buf->set > 0) {
            json_put_number(row, "set", buf->set);
        }
        json_put_text(row, "in", arena_printf(a, "in-%" PRIu32 ".bin", i));
        if (b->has_observation && i < b->ob.n_bufs && buf_is_memory(buf->kind)) {
            json_put_text(row, "out", arena_printf(a, "out-%" PRIu32 ".bin", i));
        }
        json_push(list, row);
    }
    return list;
}

static struct json *observation_to_json(const struct observation *ob)
{
    struct json *o = json_new_object();
    json_put_text(o, "status", run_status_names[ob->status]);
    json_put_text(o, "phase", run_phase_names[ob->phase]);
    json_put_int(o, "driver_code", ob->driver_code);
    json_put_number(o, "guard_hits", ob->guard_hits);
    json_put_text(o, "signature", ob->signature);
    json_put_text(o, "facts", "facts.txt");
    json_put_text(o, "log", "log.txt");
    return o;
}

/* Values of specialization constants; that of a bool is 0 or 1. */
static struct json *specs_to_json(const struct testcase *tc, struct arena *a)
{
    struct json *const list = json_new_array();
    for (uint32_t i = 0; i < tc->n_specs; i++) {
        const struct spec *const s = &tc->specs[i];
        struct json *const row = json_new_object();
        json_put_number(row, "id", s->id);
        json_put_number(row, "bits", s->is_bool ? 1 : 8 * s->n_bytes);
        json_put_text(row, "value", arena_printf(a, "0x%" PRIx64, s->bits));
        json_push(list, row);
    }
    return list;
}

#define SOURCE_FILE "kernel.cl"

/* Names of targets are of letters, digits and a few signs; a fault that was planted stands after a colon. */
static bool is_target_name(const char *name)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:*";
    return name[0] && name[0] != '-' && !name[strspn(name, letters)];
}

/* The object that case.json holds: all of a case but what has a file of its own, and of the observation likewise.
 * Some members are left out where their absence reads as their value: SPIR-V as language, one dispatch. A target's
 * name is left out where it is none that reading accepts. */
static struct json *case_to_json(const struct bundle *b, struct arena *a)
{
    const struct testcase *tc = &b->tc;
    struct json *o = json_new_object();
    json_put_number(o, "halfulp_case", BUNDLE_VERSION);
    json_put_text(o, "env", env_names[tc->env]);
    if (b->target && is_target_name(b->target)) {
        json_put_text(o, "target", b->target);
    }
    json_put_text(o, "class", case_class_names[tc->class]);
    json_put_text(o, "profile", tc->profile);
    json_put_number(o, "gen_version", tc->gen_version);
    json_put_text(o, "tape_hash", arena_printf(a, "0x%016" PRIx64, tc->tape_hash));
    json_put_text(o, "module", "module.spv");
    if (tc->language != LANGUAGE_SPIRV) {
        json_put_text(o, "language", language_names[tc->language]);
        json_put_text(o, "source", SOURCE_FILE);
    }
    json_put_text(o, "entry", tc->entry);
    json_put_text(o, "build_options", tc->build_options);
    json_put(o, "local", sizes_to_json(tc->local));
    json_put(o, "global", sizes_to_json(tc->global));
    if (testcase_count_dispatches(tc) > 1) {
        json_put_number(o, "dispatches", tc->n_dispatches);
    }
    json_put_number(o, "subgroup_size", tc->subgroup_size);
    json_put_number(o, "full_subgroups", tc->full_subgroups);
    if (tc->n_specs > 0) {
        json_put(o, "specialization", specs_to_json(tc, a));
    }
    struct json *needs = json_new_array();
    for (int i = 0; i < NEED_N; i++) {
        if (needs_has(&tc->needs, (enum need_id)i)) {
            json_push_text(needs, cap_rows[i].id);
        }
    }
    json_put(o, "needs", needs);
    json_put(o, "buffers", bufs_to_json(b, a));
    if (b->has_observation) {
        json_put(o, "observation", observation_to_json(&b->ob));
    }
    return o;
}

static enum res write_file(const char *folder, const char *name, const void *p, size_t n,
                           struct arena *a, struct err *e)
{
    return file_write(arena_printf(a, "%s/%s", folder, name), p, n, e);
}

static enum res write_json(const char *folder, const struct bundle *b, struct arena *a,
                           struct err *e)
{
    const char *path = arena_printf(a, "%s/case.json", folder);
    struct json *o = case_to_json(b, a);
    struct file_writer w;
    enum res r = file_begin(&w, path, e);
    if (r == RES_OK) {
        r = file_end(&w, json_print(o, JSON_PAGE, w.f, e), e);
    }
    json_free(o);
    return r;
}

/* Write the module of a case into its folder, as words and, if SPIRV-Tools can, as text; and the source text
 * if the target is given one. */
static enum res write_module(const char *folder, const struct testcase *tc, struct arena *a,
                             struct err *e)
{
    struct bytes words;
    bytes_init(&words, a);
    for (uint32_t i = 0; i < tc->n_words; i++) {
        bytes_put_u32(&words, tc->module[i]);
    }
    if (!words.ok) {
        return err_set(e, RES_NOMEM, "%s: module does not fit", folder);
    }
    enum res r = write_file(folder, "module.spv", words.p, words.n, a, e);
    const char *text = spirv_describe(tc->module, tc->n_words, a);
    if (r == RES_OK && text) {
        r = write_file(folder, "module.spvasm", text, strlen(text), a, e);
    }
    if (r == RES_OK && tc->language != LANGUAGE_SPIRV) {
        r = write_file(folder, SOURCE_FILE, tc->source, strlen(tc->source), a, e);
    }
    return r;
}

/* Files of each buffer's content before and, where it was seen, after the run, which an argument by value has not. */
static enum res write_bufs(const char *folder, const struct bundle *b, struct arena *a,
                           struct err *e)
{
    for (uint32_t i = 0; i < b->tc.n_bufs; i++) {
        const struct buf *buf = &b->tc.bufs[i];
        const char *const in = arena_printf(a, "in-%" PRIu32 ".bin", i);
        TRY(write_file(folder, in, buf->data, buf->n_bytes, a, e));
        if (b->has_observation && i < b->ob.n_bufs && buf_is_memory(buf->kind)) {
            const char *const out = arena_printf(a, "out-%" PRIu32 ".bin", i);
            TRY(write_file(folder, out, b->ob.out[i], buf->n_bytes, a, e));
        }
    }
    return RES_OK;
}

/* Bytes of an encoder, which are NULL where the arena was full. */
static enum res write_encoded(const char *folder, const char *name, const unsigned char *bytes,
                              size_t n, struct arena *a, struct err *e)
{
    return bytes ? write_file(folder, name, bytes, n, a, e)
                 : err_set(e, RES_NOMEM, "%s: %s does not fit", folder, name);
}

enum res bundle_write(const char *folder, const struct bundle *b, struct arena *a, struct err *e)
{
    size_t n = 0;
    TRY(file_make_path(folder, e));
    TRY(write_json(folder, b, a, e));
    TRY(write_module(folder, &b->tc, a, e));
    TRY(write_bufs(folder, b, a, e));
    if (b->has_observation) {
        TRY(write_file(folder, "facts.txt", b->ob.facts, strlen(b->ob.facts), a, e));
        TRY(write_file(folder, "log.txt", b->ob.log, strlen(b->ob.log), a, e));
        for (uint32_t i = 0; i < b->ob.n_programs; i++) {
            const char *const text = b->ob.programs[i].text;
            const char *const name = arena_printf(a, "program-%u.txt", i);
            TRY(write_file(folder, name, text, strlen(text), a, e));
        }
    }
    if (b->tape) {
        const unsigned char *tape = tape_encode(b->tape, b->tc.profile, a, &n);
        TRY(write_encoded(folder, "tape.bin", tape, n, a, e));
    }
    const unsigned char *bytes = testcase_encode(&b->tc, a, &n);
    return write_encoded(folder, "case.bin", bytes, n, a, e);
}

/* ---- read ---- */

/* A case.json that is being read. After the first thing that is wrong nothing more is read: what is asked
 * for then is 0, "" or NULL. */
struct source {
    const char *folder, *path;
    const struct json *root;
    struct arena *a;
    enum res r;
    struct err *e;
};

static uint64_t get_number(struct source *s, const struct json *o, const char *key, const char *at,
                           uint64_t limit)
{
    uint64_t v = 0;
    if (s->r == RES_OK) {
        s->r = json_get_number(o, key, at, limit, &v, s->e);
    }
    return v;
}

/* A number that bundles of older programs lack: 0 there. */
static uint32_t get_later_number(struct source *s, const char *key, uint32_t limit)
{
    return json_find(s->root, key) ? (uint32_t)get_number(s, s->root, key, s->path, limit) : 0;
}

static const char *get_text(struct source *s, const struct json *o, const char *key, const char *at)
{
    const char *text = "";
    if (s->r == RES_OK) {
        s->r = json_get_text(o, key, at, &text, s->e);
    }
    return s->r == RES_OK ? arena_printf(s->a, "%s", text) : "";
}

/* Index of a member's text among n names. */
static int get_name(struct source *s, const struct json *o, const char *key, const char *at,
                    const char *const *names, int n)
{
    const char *text = get_text(s, o, key, at);
    for (int i = 0; i < n; i++) {
        if (strcmp(text, names[i]) == 0) {
            return i;
        }
    }
    if (s->r == RES_OK) {
        s->r = err_set(s->e, RES_FORMAT, "%s: \"%s\" is \"%.40s\", unknown", at, key, text);
    }
    return 0;
}

static const struct json *get_array(struct source *s, const char *key)
{
    const struct json *list = NULL;
    if (s->r == RES_OK) {
        s->r = json_get_array(s->root, key, s->path, &list, s->e);
    }
    return s->r == RES_OK ? list : NULL;
}

/* The content of a file beside case.json, named by a member; in subfolders of it or nowhere. */
static const unsigned char *get_file(struct source *s, const struct json *o, const char *key,
                                     const char *at, size_t limit, size_t *n)
{
    const unsigned char *p = NULL;
    const char *name = get_text(s, o, key, at);
    if (s->r != RES_OK) {
        return NULL;
    }
    if (name[0] == '/' || strstr(name, "..") || !name[0]) {
        s->r = err_set(s->e, RES_FORMAT, "%s: \"%s\": \"%.80s\" is not a file of this folder", at,
                       key, name);
        return NULL;
    }
    s->r = file_read_below(s->folder, name, limit, s->a, &p, n, s->e);
    return s->r == RES_OK ? p : NULL;
}

static void read_sizes(struct source *s, const char *key, uint32_t out[3])
{
    const struct json *list = get_array(s, key);
    for (size_t i = 0; i < 3 && s->r == RES_OK; i++) {
        uint64_t v = 0;
        if (json_get_count(list) != 3 || !json_as_number(json_get_item(list, i), UINT32_MAX, &v) ||
            v == 0) {
            s->r = err_set(s->e, RES_FORMAT, "%s: \"%s\": three numbers above 0 are needed",
                           s->path, key);
        }
        out[i] = (uint32_t)v;
    }
}

static void read_needs(struct source *s, struct testcase *tc)
{
    const struct json *list = get_array(s, "needs");
    for (size_t i = 0; s->r == RES_OK && i < json_get_count(list); i++) {
        const char *name = json_as_text(json_get_item(list, i));
        int const id = name ? need_find(name) : -1;
        if (id < 0) {
            s->r = err_set(s->e, RES_FORMAT, "%s: needs[%zu]: \"%.40s\" is unknown", s->path, i,
                           name ? name : "");
            return;
        }
        needs_add(&tc->needs, (enum need_id)id);
    }
}

/* What it means is asked by check. A case without them has no such list. */
static void read_specs(struct source *s, struct testcase *tc)
{
    const struct json *list =
        json_find(s->root, "specialization") ? get_array(s, "specialization") : NULL;
    size_t const n = list ? json_get_count(list) : 0;
    if (s->r == RES_OK && n > CASE_MAX_SPECS) {
        s->r = err_set(s->e, RES_FORMAT, "%s: %zu specialization constants", s->path, n);
    }
    for (size_t i = 0; s->r == RES_OK && i < n; i++) {
        const struct json *const row = json_get_item(list, i);
        struct spec *const out = &tc->specs[tc->n_specs++];
        const char *at = arena_printf(s->a, "%s: specialization[%zu]", s->path, i);
        uint32_t const n_bits = (uint32_t)get_number(s, row, "bits", at, 64);
        out->id = (uint32_t)get_number(s, row, "id", at, UINT32_MAX);
        out->is_bool = n_bits == 1;
        out->n_bytes = n_bits == 1 ? 1 : n_bits / 8;
        out->bits = strtoull(get_text(s, row, "value", at), NULL, 0);
    }
}

static enum res take_words(const char *path, const unsigned char *p, size_t n, struct arena *a,
                           struct testcase *tc, struct err *e)
{
    uint32_t const n_words = (uint32_t)(n / 4);
    uint32_t *words = ARENA_NEW(a, uint32_t, n_words);
    if (!words) {
        return err_set(e, RES_NOMEM, "%s: module does not fit", path);
    }
    for (uint32_t i = 0; i < n_words; i++) {
        words[i] = (uint32_t)load_le(p + 4 * (size_t)i, 4);
    }
    if (n % 4 != 0 || !spv_is_module(words, n_words)) {
        return err_set(e, RES_FORMAT, "%s: the module is not little-endian SPIR-V words", path);
    }
    tc->module = words;
    tc->n_words = n_words;
    return RES_OK;
}

static void read_module(struct source *s, struct testcase *tc)
{
    size_t n = 0;
    const unsigned char *p =
        get_file(s, s->root, "module", s->path, (size_t)CASE_MAX_MODULE_WORDS * 4, &n);
    if (p) {
        s->r = take_words(s->path, p, n, s->a, tc, s->e);
    }
}

/* The named file, which must have exactly as many bytes as the buffer. */
static unsigned char *get_content(struct source *s, const struct json *row, const char *key,
                                  const char *at, uint32_t n_bytes)
{
    size_t n = 0;
    const unsigned char *p = get_file(s, row, key, at, CASE_MAX_BUF_BYTES, &n);
    if (!p) {
        return NULL;
    }
    if (n != n_bytes) {
        s->r = err_set(s->e, RES_FORMAT, "%s: \"%s\" has %zu bytes, the buffer %" PRIu32, at, key,
                       n, n_bytes);
        return NULL;
    }
    unsigned char *content = arena_copy(s->a, p, n);
    if (!content) {
        s->r = err_set(s->e, RES_NOMEM, "%s: does not fit", at);
    }
    return content;
}

/* Read the buffers of a case, and for each its content after the run if the file has it. An error is left in
 * s->r; all readers here do nothing after one. */
static void read_bufs(struct source *s, struct bundle *out)
{
    const struct json *list = get_array(s, "buffers");
    size_t const n = list ? json_get_count(list) : 0;
    if (n > CASE_MAX_BUFS) {
        s->r = err_set(s->e, RES_FORMAT, "%s: %zu buffers, at most %d", s->path, n, CASE_MAX_BUFS);
        return;
    }
    for (size_t i = 0; i < n && s->r == RES_OK; i++) {
        const struct json *row = json_get_item(list, i);
        const char *at = arena_printf(s->a, "%s: buffers[%zu]", s->path, i);
        struct buf *b = &out->tc.bufs[i];
        b->kind = (enum buf_kind)get_name(s, row, "kind", at, buf_kind_names, BUF_KIND_N);
        b->n_bytes = (uint32_t)get_number(s, row, "bytes", at, CASE_MAX_BUF_BYTES);
        /* An argument by value is no image and does not change: no width, no height, no "out". */
        bool const is_value = !buf_is_memory(b->kind);
        b->width = is_value ? 0 : (uint32_t)get_number(s, row, "width", at, UINT32_MAX);
        b->height = is_value ? 0 : (uint32_t)get_number(s, row, "height", at, UINT32_MAX);
        b->set =
            json_find(row, "set") ? (uint32_t)get_number(s, row, "set", at, CASE_MAX_SETS - 1) : 0;
        b->data = get_content(s, row, "in", at, b->n_bytes);
        if (is_value && json_find(row, "out")) {
            s->r = err_set(s->e, RES_FORMAT, "%s: an argument by value with an \"out\" file", at);
            return;
        }
        /* check_outputs says later whether the run must have an "out". */
        out->ob.out[i] = json_find(row, "out") ? get_content(s, row, "out", at, b->n_bytes) : NULL;
    }
    out->tc.n_bufs = (uint32_t)n;
}

/* The text of a file that may not be there. */
static const char *get_text_file(struct source *s, const struct json *o, const char *key)
{
    size_t n = 0;
    const unsigned char *p =
        json_find(o, key) ? get_file(s, o, key, s->path, BUNDLE_MAX_TEXT, &n) : NULL;
    return p ? arena_printf(s->a, "%.*s", (int)n, (const char *)p) : "";
}

/* A run that was done has an "out" file for each buffer, any other for none; an argument by value is what it was. */
static void check_outputs(struct source *s, struct bundle *out, const char *at)
{
    struct observation *ob = &out->ob;
    uint32_t n_out = 0;
    for (uint32_t i = 0; i < out->tc.n_bufs; i++) {
        const struct buf *const b = &out->tc.bufs[i];
        if (ob->status == RUN_DONE && !buf_is_memory(b->kind)) {
            ob->out[i] = b->data;
        }
        n_out += ob->out[i] != NULL;
    }
    ob->n_bufs = ob->status == RUN_DONE ? out->tc.n_bufs : 0;
    if (n_out != ob->n_bufs) {
        s->r =
            err_set(s->e, RES_FORMAT,
                    "%s: status is %s, but %" PRIu32 " of %" PRIu32 " buffers name an \"out\" file",
                    at, run_status_names[ob->status], n_out, out->tc.n_bufs);
    }
}

/* Read the observation, if case.json has one. Its texts stand in files of their own; that the buffers'
 * contents fit it is checked at the end. Without driver_code and signature these are 0 and "". */
static void read_observation(struct source *s, struct bundle *out)
{
    const struct json *o = json_find(s->root, "observation");
    struct observation *ob = &out->ob;
    if (!o || s->r != RES_OK) {
        return;
    }
    out->has_observation = 1;
    const char *at = arena_printf(s->a, "%s: observation", s->path);
    int const status = get_name(s, o, "status", at, run_status_names, RUN_STATUS_N);
    int const phase = get_name(s, o, "phase", at, run_phase_names, RUN_PHASE_N);
    ob->guard_hits = (uint32_t)get_number(s, o, "guard_hits", at, UINT32_MAX);
    ob->facts = get_text_file(s, o, "facts");
    ob->log = get_text_file(s, o, "log");
    if (s->r != RES_OK) {
        return;
    }
    int64_t code = 0;
    const struct json *const driver_code = json_find(o, "driver_code");
    if (driver_code && (!json_as_int(driver_code, &code) || code < INT32_MIN || code > INT32_MAX)) {
        s->r = err_set(s->e, RES_FORMAT, "%s: \"driver_code\" is no number of 32 bits", at);
        return;
    }
    ob->status = (enum run_status)status;
    ob->phase = (enum run_phase)phase;
    ob->driver_code = (int32_t)code;
    const char *signature = json_as_text(json_find(o, "signature"));
    ob->signature = signature ? arena_printf(s->a, "%s", signature) : "";
    check_outputs(s, out, at);
}

/* Read what case.json says of the case itself, its version first. `language` is missing where the case is
 * SPIR-V. */
static void read_head(struct source *s, struct testcase *tc)
{
    uint64_t const version = get_number(s, s->root, "halfulp_case", s->path, UINT32_MAX);
    if (s->r == RES_OK && version != BUNDLE_VERSION) {
        s->r = err_set(s->e, RES_FORMAT, "%s: version %" PRIu64 ", this program reads %d", s->path,
                       version, BUNDLE_VERSION);
    }
    tc->env = (enum env)get_name(s, s->root, "env", s->path, env_names, ENV_N);
    tc->class =
        (enum case_class)get_name(s, s->root, "class", s->path, case_class_names, CASE_CLASS_N);
    tc->gen_version = (uint32_t)get_number(s, s->root, "gen_version", s->path, UINT32_MAX);
    tc->profile = get_text(s, s->root, "profile", s->path);
    tc->entry = get_text(s, s->root, "entry", s->path);
    tc->build_options = get_text(s, s->root, "build_options", s->path);
    if (json_find(s->root, "language")) {
        tc->language =
            (enum language)get_name(s, s->root, "language", s->path, language_names, LANGUAGE_N);
    }
    tc->source = get_text_file(s, s->root, "source");
    tc->tape_hash = strtoull(get_text(s, s->root, "tape_hash", s->path), NULL, 0);
}

static void read_target(struct source *s, struct bundle *out)
{
    const char *const name = json_as_text(json_find(s->root, "target"));
    out->target = NULL;
    if (s->r != RES_OK || !name) {
        return;
    }
    if (!is_target_name(name)) {
        s->r = err_set(s->e, RES_FORMAT, "%s: \"target\" is no name of a target", s->path);
        return;
    }
    out->target = arena_printf(s->a, "%s", name);
}

/* Hold a bundle that was read to all that is demanded of a case and an observation: encoded and decoded
 * again, they go through all checks that bytes from anybody do. */
static void check(struct source *s, const struct bundle *b)
{
    struct testcase tc;
    struct observation ob;
    struct err inner = {RES_OK, ""};
    size_t n = 0, n_ob = 0;
    if (s->r != RES_OK) {
        return;
    }
    const unsigned char *const case_bytes = testcase_encode(&b->tc, s->a, &n);
    const unsigned char *ob_bytes = NULL;
    if (b->has_observation) {
        ob_bytes = observation_encode(&b->tc, &b->ob, s->a, &n_ob);
    }
    if (!case_bytes || (b->has_observation && !ob_bytes)) {
        s->r = err_set(s->e, RES_NOMEM, "%s: case does not fit", s->path);
        return;
    }
    enum res r = testcase_decode(&tc, s->a, case_bytes, n, &inner);
    if (r == RES_OK && b->has_observation) {
        r = observation_decode(&ob, &tc, s->a, ob_bytes, n_ob, &inner);
    }
    if (r != RES_OK) {
        s->r = err_set(s->e, r, "%s: as bytes a %s", s->path, inner.text);
    }
}

static enum res read_json(const char *folder, const char *path, const void *p, size_t n,
                          struct arena *a, struct bundle *out, struct err *e)
{
    struct json *root = NULL;
    TRY(json_parse(&root, path, p, n, e));
    struct source s = {folder, path, root, a, RES_OK, e};
    read_head(&s, &out->tc);
    read_module(&s, &out->tc);
    read_sizes(&s, "local", out->tc.local);
    read_sizes(&s, "global", out->tc.global);
    out->tc.n_dispatches = get_later_number(&s, "dispatches", CASE_MAX_DISPATCHES);
    out->tc.subgroup_size = get_later_number(&s, "subgroup_size", CASE_MAX_SUBGROUP);
    out->tc.full_subgroups = get_later_number(&s, "full_subgroups", 1);
    read_needs(&s, &out->tc);
    read_specs(&s, &out->tc);
    read_bufs(&s, out);
    read_observation(&s, out);
    read_target(&s, out);
    check(&s, out);
    json_free(root);
    return s.r;
}

static bool is_file(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISREG(s.st_mode);
}

/* One that is missing, or of another generator, says nothing of the case. */
static void take_tape(const char *folder, struct arena *a, struct bundle *out)
{
    const char *path = arena_printf(a, "%s/tape.bin", folder);
    const char *profile = "";
    struct err ignored;
    struct tape *tape = ARENA_NEW(a, struct tape, 1);
    if (tape && is_file(path) && tape_load_file(tape, path, &profile, a, &ignored) == RES_OK) {
        out->tape = tape;
    }
}

/* The file of a case: `path` itself, or of a folder case.json and, without that, case.bin. */
static enum res find_case_file(const char *path, struct arena *a, const char **file, struct err *e)
{
    struct stat status;
    *file = path;
    if (stat(path, &status) != 0) {
        return err_set(e, RES_IO, "%s: %s", path, strerror(errno));
    }
    if (!S_ISDIR(status.st_mode)) {
        return RES_OK;
    }
    if (access(path, X_OK) != 0) {
        return err_set(e, RES_IO, "%s: %s", path, strerror(errno));
    }
    *file = arena_printf(a, "%s/case.json", path);
    if (is_file(*file)) {
        return RES_OK;
    }
    *file = arena_printf(a, "%s/case.bin", path);
    if (is_file(*file)) {
        return RES_OK;
    }
    return is_file(arena_printf(a, "%s/journal.sqlite", path))
               ? err_set(e, RES_FORMAT, "%s: a campaign: name a finding, as %s#NUMBER", path, path)
               : err_set(e, RES_FORMAT, "%s: holds neither case.json nor case.bin", path);
}

static bool ends_with(const char *text, const char *end)
{
    size_t const n = strlen(text), n_end = strlen(end);
    return n >= n_end && strcmp(text + n - n_end, end) == 0;
}

/* Read a case, and its observation if there is one, from a folder with case.json, from that file, or from the
 * bytes of a case. A tape that lies beside it comes along. Until an observation is read its status is
 * RUN_SKIPPED. */
enum res bundle_read(const char *path, struct arena *a, struct bundle *out, struct err *e)
{
    const char *file = path;
    memset(out, 0, sizeof(*out));
    out->ob.status = RUN_SKIPPED;
    out->ob.log = out->ob.signature = out->ob.facts = "";
    TRY(find_case_file(path, a, &file, e));
    const unsigned char *p = NULL;
    size_t n = 0;
    TRY(file_read(file, BUNDLE_MAX_CASE, a, &p, &n, e));
    const char *slash = strrchr(file, '/');
    const char *folder = slash ? arena_printf(a, "%.*s", (int)(slash - file), file) : ".";
    take_tape(folder, a, out);
    if (ends_with(file, ".json")) {
        return read_json(folder, file, p, n, a, out, e);
    }
    struct err inner = {RES_OK, ""};
    enum res const r = testcase_decode(&out->tc, a, p, n, &inner);
    return r == RES_OK ? r : err_set(e, r, "%s: %s", file, inner.text);
}

enum res bundle_read_module(const char *path, struct arena *a, struct testcase *tc, struct err *e)
{
    const unsigned char *p = NULL;
    size_t n = 0;
    TRY(file_read(path, (size_t)CASE_MAX_MODULE_WORDS * 4, a, &p, &n, e));
    return take_words(path, p, n, a, tc, e);
}
