/* fuzz/io/bundle.c -- a case, and what was seen of it, as a folder of plain files. */
#include "fuzz/io/bundle.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
        json_put_text(row, "in", arena_printf(a, "in-%" PRIu32 ".bin", i));
        if (b->has_observation && i < b->ob.n_bufs) {
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

static struct json *case_to_json(const struct bundle *b, struct arena *a)
{
    const struct testcase *tc = &b->tc;
    struct json *o = json_new_object();
    json_put_number(o, "halfulp_case", BUNDLE_VERSION);
    json_put_text(o, "env", env_names[tc->env]);
    json_put_text(o, "class", case_class_names[tc->class]);
    json_put_text(o, "profile", tc->profile);
    json_put_number(o, "gen_version", tc->gen_version);
    json_put_text(o, "tape_hash", arena_printf(a, "0x%016" PRIx64, tc->tape_hash));
    json_put_text(o, "module", "module.spv");
    json_put_text(o, "entry", tc->entry);
    json_put_text(o, "build_options", tc->build_options);
    json_put(o, "local", sizes_to_json(tc->local));
    json_put(o, "global", sizes_to_json(tc->global));
    json_put_number(o, "subgroup_size", tc->subgroup_size);
    json_put_number(o, "full_subgroups", tc->full_subgroups);
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
    const char *text = spirv_disassemble(tc->module, tc->n_words, SPIRV_FOR_TOOLS, a);
    if (r == RES_OK && text) {
        r = write_file(folder, "module.spvasm", text, strlen(text), a, e);
    }
    return r;
}

enum res bundle_write(const char *folder, const struct bundle *b, struct arena *a, struct err *e)
{
    enum res r = file_make_path(folder, e);
    r = r == RES_OK ? write_json(folder, b, a, e) : r;
    r = r == RES_OK ? write_module(folder, &b->tc, a, e) : r;
    for (uint32_t i = 0; i < b->tc.n_bufs && r == RES_OK; i++) {
        const struct buf *buf = &b->tc.bufs[i];
        r = write_file(folder, arena_printf(a, "in-%" PRIu32 ".bin", i), buf->data, buf->n_bytes, a,
                       e);
        if (r == RES_OK && b->has_observation && i < b->ob.n_bufs) {
            r = write_file(folder, arena_printf(a, "out-%" PRIu32 ".bin", i), b->ob.out[i],
                           buf->n_bytes, a, e);
        }
    }
    if (r == RES_OK && b->has_observation) {
        r = write_file(folder, "facts.txt", b->ob.facts, strlen(b->ob.facts), a, e);
        r = r == RES_OK ? write_file(folder, "log.txt", b->ob.log, strlen(b->ob.log), a, e) : r;
    }
    size_t n = 0;
    if (r == RES_OK && b->tape) {
        const unsigned char *tape = tape_encode(b->tape, b->tc.profile, a, &n);
        r = tape ? write_file(folder, "tape.bin", tape, n, a, e)
                 : err_set(e, RES_NOMEM, "%s: tape does not fit", folder);
    }
    const unsigned char *bytes = testcase_encode(&b->tc, a, &n);
    if (r == RES_OK) {
        r = bytes ? write_file(folder, "case.bin", bytes, n, a, e)
                  : err_set(e, RES_NOMEM, "%s: case does not fit", folder);
    }
    return r;
}

/* ---- read ---- */

/* A case.json that is being read. */
struct source {
    const char *folder, *path;
    const struct json *root;
    struct arena *a;
    struct err *e;
};

/* Index of a member's text among n names. */
static enum res get_name(const struct source *s, const struct json *o, const char *key,
                         const char *at, const char *const *names, int n, int *out)
{
    const char *text = NULL;
    enum res const r = json_get_text(o, key, at, &text, s->e);
    for (int i = 0; r == RES_OK && i < n; i++) {
        if (strcmp(text, names[i]) == 0) {
            *out = i;
            return RES_OK;
        }
    }
    return r != RES_OK
               ? r
               : err_set(s->e, RES_FORMAT, "%s: \"%s\" is \"%.40s\", unknown", at, key, text);
}

/* A file beside case.json, named by a member; in subfolders of it or nowhere. */
static enum res get_file(const struct source *s, const struct json *o, const char *key,
                         const char *at, size_t limit, const unsigned char **p, size_t *n)
{
    const char *name = NULL;
    enum res const r = json_get_text(o, key, at, &name, s->e);
    if (r != RES_OK) {
        return r;
    }
    if (name[0] == '/' || strstr(name, "..") || !name[0]) {
        return err_set(s->e, RES_FORMAT, "%s: \"%s\": \"%.80s\" is not a file of this folder", at,
                       key, name);
    }
    return file_read_below(s->folder, name, limit, s->a, p, n, s->e);
}

static enum res read_sizes(const struct source *s, const char *key, uint32_t out[3])
{
    const struct json *list = NULL;
    enum res const r = json_get_array(s->root, key, s->path, &list, s->e);
    if (r != RES_OK) {
        return r;
    }
    for (size_t i = 0; i < 3; i++) {
        uint64_t v = 0;
        if (json_get_count(list) != 3 || !json_as_number(json_get_item(list, i), UINT32_MAX, &v) ||
            v == 0) {
            return err_set(s->e, RES_FORMAT, "%s: \"%s\": three numbers above 0 are needed",
                           s->path, key);
        }
        out[i] = (uint32_t)v;
    }
    return RES_OK;
}

/* A number that bundles of older programs lack: 0 there. */
static enum res read_later_number(const struct source *s, const char *key, uint64_t limit,
                                  uint32_t *out)
{
    uint64_t v = 0;
    enum res const r =
        json_find(s->root, key) ? json_get_number(s->root, key, s->path, limit, &v, s->e) : RES_OK;
    *out = (uint32_t)v;
    return r;
}

static enum res read_needs(const struct source *s, struct testcase *tc)
{
    const struct json *list = NULL;
    enum res const r = json_get_array(s->root, "needs", s->path, &list, s->e);
    for (size_t i = 0; r == RES_OK && i < json_get_count(list); i++) {
        const char *name = json_as_text(json_get_item(list, i));
        int const id = name ? need_find(name) : -1;
        if (id < 0) {
            return err_set(s->e, RES_FORMAT, "%s: needs[%zu]: \"%.40s\" is unknown", s->path, i,
                           name ? name : "");
        }
        needs_add(&tc->needs, (enum need_id)id);
    }
    return r;
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

static enum res read_module(const struct source *s, struct testcase *tc)
{
    const unsigned char *p = NULL;
    size_t n = 0;
    enum res const r =
        get_file(s, s->root, "module", s->path, (size_t)CASE_MAX_MODULE_WORDS * 4, &p, &n);
    if (r != RES_OK) {
        return r;
    }
    return take_words(s->path, p, n, s->a, tc, s->e);
}

/* The named file, which must have exactly n bytes. */
static enum res read_content(const struct source *s, const struct json *row, const char *key,
                             const char *at, uint32_t n, unsigned char **out)
{
    const unsigned char *p = NULL;
    size_t got = 0;
    enum res const r = get_file(s, row, key, at, CASE_MAX_BUF_BYTES, &p, &got);
    if (r != RES_OK) {
        return r;
    }
    if (got != n) {
        return err_set(s->e, RES_FORMAT, "%s: \"%s\" has %zu bytes, the buffer %" PRIu32, at, key,
                       got, n);
    }
    *out = arena_copy(s->a, p, got);
    return *out ? RES_OK : err_set(s->e, RES_NOMEM, "%s: does not fit", at);
}

static enum res read_buf(const struct source *s, const struct json *row, const char *at,
                         struct buf *buf)
{
    uint64_t n = 0;
    uint64_t width = 0;
    uint64_t height = 0;
    int kind = 0;
    enum res r = get_name(s, row, "kind", at, buf_kind_names, BUF_KIND_N, &kind);
    if (r != RES_OK) {
        goto done;
    }
    r = json_get_number(row, "bytes", at, CASE_MAX_BUF_BYTES, &n, s->e);
    if (r != RES_OK) {
        goto done;
    }
    r = json_get_number(row, "width", at, UINT32_MAX, &width, s->e);
    if (r != RES_OK) {
        goto done;
    }
    r = json_get_number(row, "height", at, UINT32_MAX, &height, s->e);
done:
    buf->kind = (enum buf_kind)kind;
    buf->n_bytes = (uint32_t)n;
    buf->width = (uint32_t)width;
    buf->height = (uint32_t)height;
    return r == RES_OK ? read_content(s, row, "in", at, buf->n_bytes, &buf->data) : r;
}

static enum res read_bufs(const struct source *s, struct bundle *out)
{
    const struct json *list = NULL;
    enum res r = json_get_array(s->root, "buffers", s->path, &list, s->e);
    size_t const n = r == RES_OK ? json_get_count(list) : 0;
    if (n > CASE_MAX_BUFS) {
        return err_set(s->e, RES_FORMAT, "%s: %zu buffers, at most %d", s->path, n, CASE_MAX_BUFS);
    }
    for (size_t i = 0; i < n && r == RES_OK; i++) {
        const struct json *row = json_get_item(list, i);
        const char *at = arena_printf(s->a, "%s: buffers[%zu]", s->path, i);
        r = read_buf(s, row, at, &out->tc.bufs[i]);
        if (r == RES_OK && json_find(row, "out")) {
            unsigned char *content = NULL;
            r = read_content(s, row, "out", at, out->tc.bufs[i].n_bytes, &content);
            out->ob.out[i] = content;
        }
    }
    out->tc.n_bufs = (uint32_t)n;
    return r;
}

static enum res read_text(const struct source *s, const struct json *o, const char *key,
                          const char **out)
{
    const unsigned char *p = NULL;
    size_t n = 0;
    *out = "";
    if (!json_find(o, key)) {
        return RES_OK;
    }
    enum res const r = get_file(s, o, key, s->path, BUNDLE_MAX_TEXT, &p, &n);
    *out = r == RES_OK ? arena_printf(s->a, "%.*s", (int)n, (const char *)p) : "";
    return r;
}

static enum res read_observation(const struct source *s, struct bundle *out)
{
    const struct json *o = json_find(s->root, "observation");
    struct observation *ob = &out->ob;
    uint64_t guard_hits = 0;
    int status = RUN_SKIPPED;
    int phase = PHASE_START;
    ob->log = ob->signature = ob->facts = "";
    ob->status = RUN_SKIPPED;
    if (!o) {
        return RES_OK;
    }
    out->has_observation = 1;
    const char *at = arena_printf(s->a, "%s: observation", s->path);
    enum res r = get_name(s, o, "status", at, run_status_names, RUN_STATUS_N, &status);
    if (r != RES_OK) {
        return r;
    }
    r = get_name(s, o, "phase", at, run_phase_names, RUN_PHASE_N, &phase);
    if (r != RES_OK) {
        return r;
    }
    r = json_get_number(o, "guard_hits", at, UINT32_MAX, &guard_hits, s->e);
    if (r != RES_OK) {
        return r;
    }
    r = read_text(s, o, "facts", &ob->facts);
    if (r != RES_OK) {
        return r;
    }
    r = read_text(s, o, "log", &ob->log);
    if (r != RES_OK) {
        return r;
    }
    int64_t code = 0;
    const struct json *const driver_code = json_find(o, "driver_code");
    if (driver_code && (!json_as_int(driver_code, &code) || code < INT32_MIN || code > INT32_MAX)) {
        return err_set(s->e, RES_FORMAT, "%s: \"driver_code\" is no number of 32 bits", at);
    }
    ob->status = (enum run_status)status;
    ob->phase = (enum run_phase)phase;
    ob->guard_hits = (uint32_t)guard_hits;
    ob->driver_code = (int32_t)code;
    const char *signature = json_as_text(json_find(o, "signature"));
    ob->signature = signature ? arena_printf(s->a, "%s", signature) : "";
    uint32_t n_out = 0;
    for (uint32_t i = 0; i < out->tc.n_bufs; i++) {
        n_out += ob->out[i] != NULL;
    }
    ob->n_bufs = ob->status == RUN_DONE ? out->tc.n_bufs : 0;
    if (n_out != ob->n_bufs) {
        return err_set(s->e, RES_FORMAT,
                       "%s: status is %s, but %" PRIu32 " of %" PRIu32
                       " buffers name an \"out\" file",
                       at, run_status_names[ob->status], n_out, out->tc.n_bufs);
    }
    return RES_OK;
}

static enum res read_head(const struct source *s, struct testcase *tc)
{
    uint64_t version = 0;
    uint64_t gen_version = 0;
    int env = 0;
    int class = 0;
    const char *texts[4] = {"", "", "", ""};
    static const char *const keys[4] = {"profile", "entry", "build_options", "tape_hash"};
    enum res r = json_get_number(s->root, "halfulp_case", s->path, UINT32_MAX, &version, s->e);
    if (r == RES_OK && version != BUNDLE_VERSION) {
        return err_set(s->e, RES_FORMAT, "%s: version %" PRIu64 ", this program reads %d", s->path,
                       version, BUNDLE_VERSION);
    }
    r = r == RES_OK ? get_name(s, s->root, "env", s->path, env_names, ENV_N, &env) : r;
    r = r == RES_OK ? get_name(s, s->root, "class", s->path, case_class_names, CASE_CLASS_N, &class)
                    : r;
    r = r == RES_OK
            ? json_get_number(s->root, "gen_version", s->path, UINT32_MAX, &gen_version, s->e)
            : r;
    for (int i = 0; i < 4 && r == RES_OK; i++) {
        r = json_get_text(s->root, keys[i], s->path, &texts[i], s->e);
        texts[i] = r == RES_OK ? arena_printf(s->a, "%s", texts[i]) : "";
    }
    tc->env = (enum env)env;
    tc->class = (enum case_class) class;
    tc->gen_version = (uint32_t)gen_version;
    tc->profile = texts[0];
    tc->entry = texts[1];
    tc->build_options = texts[2];
    tc->tape_hash = strtoull(texts[3], NULL, 0);
    return r;
}

/* What case.json says must be a case, and an observation of it, that any other part of the program
 * takes. */
static enum res check(const struct source *s, const struct bundle *b)
{
    struct testcase tc;
    struct observation ob;
    struct err inner = {RES_OK, ""};
    size_t n = 0, n_ob = 0;
    const unsigned char *p = testcase_encode(&b->tc, s->a, &n);
    const unsigned char *q =
        b->has_observation ? observation_encode(&b->tc, &b->ob, s->a, &n_ob) : p;
    if (!p || !q) {
        return err_set(s->e, RES_NOMEM, "%s: case does not fit", s->path);
    }
    enum res r = testcase_decode(&tc, s->a, p, n, &inner);
    if (r == RES_OK && b->has_observation) {
        r = observation_decode(&ob, &tc, s->a, q, n_ob, &inner);
    }
    return r == RES_OK ? r : err_set(s->e, r, "%s: as bytes a %s", s->path, inner.text);
}

static enum res read_json(const char *folder, const char *path, const void *p, size_t n,
                          struct arena *a, struct bundle *out, struct err *e)
{
    struct json *root = NULL;
    enum res r = json_parse(&root, path, p, n, e);
    if (r != RES_OK) {
        return r;
    }
    struct source const s = {folder, path, root, a, e};
    r = read_head(&s, &out->tc);
    if (r != RES_OK) {
        goto done;
    }
    r = read_module(&s, &out->tc);
    if (r != RES_OK) {
        goto done;
    }
    r = read_sizes(&s, "local", out->tc.local);
    if (r != RES_OK) {
        goto done;
    }
    r = read_sizes(&s, "global", out->tc.global);
    if (r != RES_OK) {
        goto done;
    }
    r = read_later_number(&s, "subgroup_size", CASE_MAX_SUBGROUP, &out->tc.subgroup_size);
    if (r != RES_OK) {
        goto done;
    }
    r = read_later_number(&s, "full_subgroups", 1, &out->tc.full_subgroups);
    if (r != RES_OK) {
        goto done;
    }
    r = read_needs(&s, &out->tc);
    if (r != RES_OK) {
        goto done;
    }
    r = read_bufs(&s, out);
    if (r != RES_OK) {
        goto done;
    }
    r = read_observation(&s, out);
    if (r != RES_OK) {
        goto done;
    }
    r = check(&s, out);
done:
    json_free(root);
    return r;
}

static int is_file(const char *path)
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
    if (path && tape && is_file(path) &&
        tape_load_file(tape, path, &profile, a, &ignored) == RES_OK) {
        out->tape = tape;
    }
}

enum res bundle_read(const char *path, struct arena *a, struct bundle *out, struct err *e)
{
    struct stat status;
    memset(out, 0, sizeof(*out));
    out->ob.status = RUN_SKIPPED;
    out->ob.log = out->ob.signature = out->ob.facts = "";
    if (stat(path, &status) != 0) {
        return err_set(e, RES_IO, "%s: %s", path, strerror(errno));
    }
    const char *file = path;
    if (S_ISDIR(status.st_mode)) {
        file = arena_printf(a, "%s/case.json", path);
        file = is_file(file) ? file : arena_printf(a, "%s/case.bin", path);
        if (!is_file(file)) {
            return err_set(e, RES_FORMAT, "%s: holds neither case.json nor case.bin", path);
        }
    }
    const unsigned char *p = NULL;
    size_t n = 0;
    enum res r = file_read(file, BUNDLE_MAX_CASE, a, &p, &n, e);
    if (r != RES_OK) {
        return r;
    }
    size_t const length = strlen(file);
    const char *slash = strrchr(file, '/');
    const char *folder = slash ? arena_printf(a, "%.*s", (int)(slash - file), file) : ".";
    take_tape(folder, a, out);
    if (length >= 5 && strcmp(file + length - 5, ".json") == 0) {
        return read_json(folder, file, p, n, a, out, e);
    }
    struct err inner = {RES_OK, ""};
    r = testcase_decode(&out->tc, a, p, n, &inner);
    return r == RES_OK ? r : err_set(e, r, "%s: %s", file, inner.text);
}

enum res bundle_read_module(const char *path, struct arena *a, struct testcase *tc, struct err *e)
{
    const unsigned char *p = NULL;
    size_t n = 0;
    enum res const r = file_read(path, (size_t)CASE_MAX_MODULE_WORDS * 4, a, &p, &n, e);
    if (r != RES_OK) {
        return r;
    }
    return take_words(path, p, n, a, tc, e);
}
