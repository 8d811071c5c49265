/* fuzz/worker/drv_lib.c -- a math library without a device: its loops over the blocks of a stream. */
#define _GNU_SOURCE /* memfd_create */
#include "fuzz/worker/drv_lib.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "base/format.h"
#include "base/func_row.h"
#include "base/ops.h"
#include "base/spv.h"
#include "fuzz/wire/stream.h"
#include "fuzz/worker/drv_common.h"

typedef void library_loop(const void *const in[], void *const out[], uint64_t n);

enum {
    LIB_MAX_FUNCTIONS = 1024,
    LIB_MAX_FILE_BYTES = 1 << 20,
    LIB_MAX_INPUTS = 3,
    LIB_MAX_OUTPUTS = 2,
    LIB_COLUMNS = 7,
    LIB_CHUNK =
        4096, /* items that all loops of a stream do before the next: their inputs stay in the first cache */
    LIB_INT_BYTES = 4,
    LIB_WIDEST_BYTES = 8,
    MODULE_HEADER_WORDS = 5,
    EXT_INST_FIXED_WORDS = 5, /* before the operands */
    CL_3_0 = 0x30000,
    CONFIG_DENORM = 1, /* cl_device_fp_config */
    CONFIG_INF_NAN_NEAREST = 6
};
/* How hardware instructions behave; the first is that of a stream without build options. */
static const char *const behaviours[] = {"rounded", "low", "high", "random"};
enum {
    LIB_BEHAVIOURS = 4
};
static const char behaviour_variable[] = "HALFULP_STANDIN";

/* A line of functions.tsv. */
struct lib_function {
    const char *name, *hardware, *symbol, *bound;
    enum fmt_id fmt;
    uint32_t n_inputs, n_outputs;
};
/* A loop of a stream, and how the hardware behaves in it. */
struct lib_call {
    const struct lib_function *function;
    library_loop *loop;
    uint32_t behaviour;
};
struct lib_stream {
    struct stream s;
    unsigned char *memory;
    struct lib_call calls[STREAM_MAX_OUTPUTS];
    unsigned char *counted,
        *second; /* a chunk of inputs that nobody sends, and of results that nobody reads */
    int32_t *integers;
};

struct drv {
    const char *path;
    void *library[LIB_BEHAVIOURS]; /* NULL: not needed so far */
    uint32_t n_functions;
    struct lib_function *functions;
    struct lib_stream *stream;
};

/* --- the files of a library --- */

static enum res read_beside(const struct drv *d, const char *name, struct arena *a, char **text,
                            struct err *e)
{
    const char *const slash = strrchr(d->path, '/');
    int const n_folder = slash ? (int)(slash + 1 - d->path) : 0;
    const char *const path = arena_printf(a, "%.*s%s", n_folder, d->path, name);
    const unsigned char *p = NULL;
    size_t n = 0;
    enum res const r = file_read(path, LIB_MAX_FILE_BYTES, a, &p, &n, e);
    if (r != RES_OK) {
        return r == RES_IO ? e->code = RES_USAGE : r;
    }
    *text = arena_copy(a, p, n);
    return *text ? RES_OK : err_set(e, RES_NOMEM, "no room for %s", path);
}

/* Cut the text at the next `separator`, and go behind it; NULL: it is at its end. */
static char *take_part(char **text, char separator)
{
    char *const part = *text;
    if (!part) {
        return NULL;
    }
    char *const end = strchr(part, separator);
    *text = end ? end + 1 : NULL;
    if (end) {
        *end = '\0';
    }
    return part;
}

static bool is_name(const char *text)
{
    return text[0] && strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(text);
}

static bool read_small(const char *text, uint32_t least, uint32_t most, uint32_t *out)
{
    *out = (uint32_t)(unsigned char)text[0] - '0';
    return text[0] && !text[1] && *out >= least && *out <= most;
}

static bool is_bound(const char *text)
{
    char *end = NULL;
    return strcmp(text, "-") == 0 || (strtod(text, &end) >= 0 && end != text && !*end);
}

static bool has_blank(const char *text)
{
    return !text[0] || strpbrk(text, " \t\r\n");
}

/* Why a line of functions.tsv is none; NULL: it is one, *out. */
static const char *parse_function(char *line, struct lib_function *out)
{
    char *column[LIB_COLUMNS];
    for (int i = 0; i < LIB_COLUMNS; i++) {
        column[i] = take_part(&line, '\t');
        if (!column[i]) {
            return "seven columns are needed";
        }
    }
    int fmt = 0;
    while (fmt < FMT_N && strcmp(column[1], float_formats[fmt].name) != 0) {
        fmt++;
    }
    *out = (struct lib_function){.name = column[0],
                                 .hardware = column[4],
                                 .symbol = column[5],
                                 .bound = column[6],
                                 .fmt = (enum fmt_id)fmt};
    if (!is_name(column[0])) {
        return "the function's name is not one";
    }
    if (fmt == FMT_N) {
        return "the type is not f16, f32 or f64";
    }
    if (!read_small(column[2], 1, LIB_MAX_INPUTS, &out->n_inputs) ||
        !read_small(column[3], 1, LIB_MAX_OUTPUTS, &out->n_outputs)) {
        return "1 to 3 inputs and 1 or 2 outputs are needed";
    }
    if (has_blank(out->hardware) || has_blank(out->symbol)) {
        return "the operations or the symbol are empty";
    }
    return is_bound(out->bound) ? NULL : "the bound is not a number of ulps";
}

static enum res read_functions(struct drv *d, struct arena *a, struct err *e)
{
    char *text = NULL;
    TRY(read_beside(d, "functions.tsv", a, &text, e));
    d->functions = ARENA_NEW(a, struct lib_function, LIB_MAX_FUNCTIONS);
    if (!d->functions) {
        return err_set(e, RES_NOMEM, "no room for the functions");
    }
    uint32_t number = 0;
    for (char *line = take_part(&text, '\n'); line; line = take_part(&text, '\n')) {
        number++;
        bool const is_head = strncmp(line, "function\t", 9) == 0;
        if (!line[0] || line[0] == '#' || is_head) {
            continue;
        }
        const char *const why = d->n_functions == LIB_MAX_FUNCTIONS
                                    ? "there are too many functions"
                                    : parse_function(line, &d->functions[d->n_functions]);
        if (why) {
            return err_set(e, RES_USAGE, "functions.tsv, line %u: %s", (unsigned)number, why);
        }
        d->n_functions++;
    }
    return d->n_functions ? RES_OK : err_set(e, RES_USAGE, "functions.tsv has no functions");
}

static bool has_type(const struct drv *d, enum fmt_id fmt)
{
    for (uint32_t i = 0; i < d->n_functions; i++) {
        if (d->functions[i].fmt == fmt) {
            return true;
        }
    }
    return false;
}

/* A value of facts.txt, whose lines are cut, "" where there is none. */
static const char *find_line(const char *const *lines, uint32_t n, const char *key)
{
    size_t const n_key = strlen(key);
    for (uint32_t i = 0; i < n; i++) {
        if (strncmp(lines[i], key, n_key) == 0 && lines[i][n_key] == '=') {
            return lines[i] + n_key + 1;
        }
    }
    return "";
}

static void put_functions(const struct drv *d, struct arena *a, struct bytes *b)
{
    for (uint32_t i = 0; i < d->n_functions; i++) {
        const struct lib_function *const f = &d->functions[i];
        const char *const key =
            arena_printf(a, "function.%s.%s", f->name, float_formats[f->fmt].name);
        drv_put_fact(b, key, "inputs=%u outputs=%u hardware=%s bound=%s symbol=%s",
                     (unsigned)f->n_inputs, (unsigned)f->n_outputs, f->hardware, f->bound,
                     f->symbol);
    }
}

/* The facts: what facts.txt says, what an OpenCL device would say of its types, and the functions. */
static enum res describe(const struct drv *d, struct arena *a, const char **facts, struct err *e)
{
    enum {
        MAX_LINES = 256
    };
    const char *lines[MAX_LINES];
    uint32_t n = 0;
    char *text = NULL;
    struct bytes b;
    TRY(read_beside(d, "facts.txt", a, &text, e));
    for (char *line = take_part(&text, '\n'); line; line = take_part(&text, '\n')) {
        if (n == MAX_LINES) {
            return err_set(e, RES_LIMIT, "facts.txt: more than %d lines", MAX_LINES);
        }
        lines[n] = line;
        n += strchr(line, '=') != NULL;
    }
    const char *const chip = find_line(lines, n, "chip");
    bytes_init(&b, a);
    drv_put_fact(&b, "api", "library");
    drv_put_fact(&b, "device", "%s", chip[0] ? chip : "math library");
    drv_put_fact(&b, "driver", "%s", find_line(lines, n, "library"));
    drv_put_fact(&b, "cl.version", "0x%x", CL_3_0);
    drv_put_fact(&b, "cl.ext", "%s", has_type(d, FMT_F16) ? "cl_khr_fp16" : "");
    for (int i = 0; i < FMT_N; i++) {
        bool const is_flushed = strstr(find_line(lines, n, "flush"), float_formats[i].name) != NULL;
        if (has_type(d, (enum fmt_id)i)) {
            drv_put_fact(&b, arena_printf(a, "cl.fp%u_config", float_formats[i].n_bits), "0x%x",
                         CONFIG_INF_NAN_NEAREST | (is_flushed ? 0 : CONFIG_DENORM));
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        size_t const n_key = strcspn(lines[i], "=");
        const char *const key = arena_printf(a, "library.%.*s", (int)n_key, lines[i]);
        drv_put_fact(&b, key, "%s", lines[i] + n_key + 1);
    }
    put_functions(d, a, &b);
    *facts = drv_end_text(&b);
    return *facts ? RES_OK : err_set(e, RES_NOMEM, "no room for facts");
}

/* --- the library --- */

/* Its bytes as a file of its own, so that the loader makes another copy of it with variables of its own. *copy is left open. */
static enum res copy_library(const char *path, int *copy, struct err *e)
{
    enum {
        COPY_BYTES = 1 << 16
    };
    char buffer[COPY_BYTES];
    int from = -1;
    ssize_t n = 0;
    TRY(file_open(path, &from, e));
    *copy = memfd_create("library.so", MFD_CLOEXEC);
    bool is_whole = *copy >= 0;
    while (is_whole && (n = read(from, buffer, sizeof buffer)) > 0) {
        is_whole = write(*copy, buffer, (size_t)n) == n;
    }
    drv_close_fd(&from);
    return is_whole && n == 0
               ? RES_OK
               : err_set(e, RES_USAGE, "%s: copied only in part: %s", path, strerror(errno));
}

/* The copy of the library whose hardware behaves so. RES_USAGE: it does not load. */
static enum res load(struct drv *d, uint32_t behaviour, struct err *e)
{
    static const char *const none[] = {NULL};
    char path[64];
    if (d->library[behaviour]) {
        return RES_OK;
    }
    (void)setenv(behaviour_variable, behaviours[behaviour], 1);
    if (behaviour == 0) {
        return drv_load(d->path, none, &d->library[0], e);
    }
    int fd = -1;
    enum res r = copy_library(d->path, &fd, e);
    if (r == RES_OK) {
        (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        r = drv_load(path, none, &d->library[behaviour], e);
    }
    if (r != RES_OK) {
        drv_close_fd(&fd);
    }
    return r; /* the file stays open: the loader would take another one of its name for the same library */
}

static enum res lib_open(const char *loader, const char *select, struct arena *a, struct drv **out,
                         const char **facts, struct err *e)
{
    struct drv *const d = ARENA_NEW(a, struct drv, 1);
    (void)select; /* a library is for one device */
    if (!d) {
        return err_set(e, RES_NOMEM, "no room for a library");
    }
    d->path = loader;
    TRY(load(d, 0, e));
    TRY(read_functions(d, a, e));
    *out = d;
    return describe(d, a, facts, e);
}

static void lib_close(struct drv *d)
{
    (void)d; /* the library stays, as loaders do */
}

static enum res lib_list(const char *loader, struct arena *a, const char **out, struct err *e)
{
    struct drv *d = NULL;
    struct bytes b;
    const char *facts = "";
    TRY(lib_open(loader, "", a, &d, &facts, e));
    bytes_init(&b, a);
    drv_put_device(&b, loader, "math library", false);
    *out = drv_end_text(&b);
    return *out ? RES_OK : err_set(e, RES_NOMEM, "no room for a list");
}

/* --- which functions a module calls --- */

/* The module, and what it is for: to a step, which says in `ob` why it is refused. */
struct step {
    struct drv *d;
    struct arena *a;
    struct observation *ob;
    const uint32_t *module;
    uint32_t n_words;
    enum fmt_id fmt;
};

static bool refuse(const struct step *p, const char *why)
{
    drv_stop(p->ob, RUN_REJECT, PHASE_BUILD, 0, why);
    return false;
}

static const struct lib_function *find_function(const struct drv *d, const char *name,
                                                enum fmt_id fmt)
{
    for (uint32_t i = 0; i < d->n_functions; i++) {
        if (d->functions[i].fmt == fmt && strcmp(d->functions[i].name, name) == 0) {
            return &d->functions[i];
        }
    }
    return NULL;
}

/* The function that an OpExtInst with so many operands calls, as a loop of the library with that behaviour. */
static bool find_call(const struct step *p, uint32_t number, uint32_t n_operands,
                      struct lib_call *out)
{
    int const op = op_find_number(OP_NUMBER(OP_SET_opencl_std, number));
    const char *const name = op >= 0 ? op_rows[op].name : "";
    const char *const type = float_formats[p->fmt].name;
    const char *const symbol = arena_printf(p->a, "hu_%s_%s", name, type);
    struct err e;
    out->function = find_function(p->d, name, p->fmt);
    if (!out->function) {
        return refuse(p, arena_printf(p->a, "functions.tsv has no %s of %s", name, type));
    }
    if (out->function->n_inputs + out->function->n_outputs - 1 != n_operands) {
        return refuse(p,
                      arena_printf(p->a, "functions.tsv: %s of %s has other operands", name, type));
    }
    if (load(p->d, out->behaviour, &e) != RES_OK) {
        return refuse(p, arena_printf(p->a, "%s", e.text));
    }
    void *const loop = dlsym(p->d->library[out->behaviour], symbol);
    memcpy(&out->loop, &loop, sizeof loop);
    return loop || refuse(p, arena_printf(p->a, "the library has no symbol %s", symbol));
}

/* The calls of the module in their order, whose behaviours are there already; false: refused. */
static bool find_calls(const struct step *p, struct lib_call *calls, uint32_t n_calls)
{
    uint32_t n = 0;
    for (uint32_t at = MODULE_HEADER_WORDS; at < p->n_words;) {
        uint32_t const n_words = p->module[at] >> SpvWordCountShift;
        uint32_t const opcode = p->module[at] & SpvOpCodeMask;
        if (n_words == 0 || n_words > p->n_words - at) {
            return refuse(p, "the module is cut");
        }
        if (opcode == SpvOpExtInst && n_words > EXT_INST_FIXED_WORDS) {
            if (n == n_calls) {
                return refuse(p, "the module calls more functions than it has results");
            }
            if (!find_call(p, p->module[at + EXT_INST_FIXED_WORDS - 1],
                           n_words - EXT_INST_FIXED_WORDS, &calls[n++])) {
                return false;
            }
        }
        at += n_words;
    }
    return n == n_calls || refuse(p, "the module calls fewer functions than it has results");
}

static bool find_format(uint32_t item_bytes, enum fmt_id *out)
{
    for (int i = 0; i < FMT_N; i++) {
        if (float_formats[i].n_bits == 8 * item_bytes) {
            *out = (enum fmt_id)i;
            return true;
        }
    }
    return false;
}

/* One word of the build options for each result. */
static bool find_behaviours(const struct step *p, const char *words, struct lib_call *calls,
                            uint32_t n_calls)
{
    for (uint32_t i = 0; words[0]; i++) {
        size_t const n = strcspn(words, " ");
        uint32_t k = 0;
        while (k < LIB_BEHAVIOURS &&
               (strlen(behaviours[k]) != n || strncmp(behaviours[k], words, n) != 0)) {
            k++;
        }
        if (k == LIB_BEHAVIOURS || i == n_calls) {
            return refuse(p, "the build options are not behaviours of the hardware");
        }
        calls[i].behaviour = k;
        words += n + (words[n] == ' ');
    }
    return true;
}

/* --- loops --- */

/* Numbers from base on, as encodings of the width. */
static void count(unsigned char *out, uint32_t item_bytes, uint32_t base, uint32_t n)
{
    for (uint32_t i = 0; i < n && item_bytes == 2; i++) {
        uint16_t const x = (uint16_t)(base + i);
        memcpy(out + (size_t)2 * i, &x, sizeof x);
    }
    for (uint32_t i = 0; i < n && item_bytes == 4; i++) {
        uint32_t const x = base + i;
        memcpy(out + (size_t)4 * i, &x, sizeof x);
    }
}

/* Integers of an operand, which have the width of the items in a stream, with sign, as int32. */
static void widen(int32_t *out, const unsigned char *from, uint32_t item_bytes, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint64_t const x = load_le(from + (size_t)i * item_bytes, item_bytes);
        out[i] = item_bytes == 2 ? (int16_t)(uint16_t)x : (int32_t)(uint32_t)x;
    }
}

/* Is the last operand an integer? */
static bool has_integer(const struct lib_function *f)
{
    int const row = func_find(f->name);
    return row >= 0 && func_rows[row].has_int;
}

/* All calls over items [first, first + n) of the buffers. */
static void run_chunk(const struct lib_stream *t, const unsigned char *const *inputs,
                      unsigned char *const *outputs, uint32_t base, uint32_t first, uint32_t n)
{
    size_t const at = (size_t)first * t->s.item_bytes;
    const void *in[STREAM_MAX_INPUTS] = {t->counted};
    if (t->s.n_inputs == 0) {
        count(t->counted, t->s.item_bytes, base + first, n);
    }
    for (uint32_t i = 0; i < t->s.n_inputs; i++) {
        in[i] = inputs[i] + at;
    }
    if (has_integer(t->calls[0].function)) { /* then that of each call is one: prepare */
        uint32_t const last = t->calls[0].function->n_inputs - 1;
        widen(t->integers, in[last], t->s.item_bytes, n);
        in[last] = t->integers;
    }
    for (uint32_t i = 0; i < t->s.n_outputs; i++) {
        void *const out[LIB_MAX_OUTPUTS] = {outputs[i] + at, t->second};
        t->calls[i].loop(in, out, n);
    }
}

static void run_items(const struct lib_stream *t, const unsigned char *const *inputs,
                      unsigned char *const *outputs, uint32_t base, uint32_t n)
{
    for (uint32_t first = 0; first < n; first += LIB_CHUNK) {
        uint32_t const left = n - first;
        run_chunk(t, inputs, outputs, base, first, left < LIB_CHUNK ? left : LIB_CHUNK);
    }
}

/* Check that the functions take the stream's inputs, and make room for a chunk. False: refused. */
static bool prepare(const struct step *p, struct lib_stream *t)
{
    uint32_t const n_inputs = t->s.n_inputs ? t->s.n_inputs : 1;
    for (uint32_t i = 0; i < t->s.n_outputs; i++) {
        if (t->calls[i].function->n_inputs != n_inputs) {
            return refuse(p, "the functions have other inputs");
        }
        if (has_integer(t->calls[i].function) != has_integer(t->calls[0].function)) {
            return refuse(p, "the functions have operands of different types");
        }
    }
    if (t->s.n_inputs == 0 && t->s.item_bytes == LIB_WIDEST_BYTES) {
        return refuse(p, "items of 64 bits need inputs");
    }
    t->counted = ARENA_NEW(p->a, unsigned char, LIB_CHUNK *LIB_WIDEST_BYTES);
    t->second = ARENA_NEW(p->a, unsigned char, LIB_CHUNK *LIB_WIDEST_BYTES);
    t->integers = ARENA_NEW(p->a, int32_t, LIB_CHUNK);
    return (t->counted && t->second && t->integers) || refuse(p, "no room for a chunk of items");
}

static enum res lib_stream_open(struct drv *d, const struct stream *s, unsigned char *memory,
                                struct arena *a, struct observation *ob, struct err *e)
{
    uint64_t const start_ns = drv_now_ns();
    struct lib_stream *const t = ARENA_NEW(a, struct lib_stream, 1);
    struct step p = {d, a, ob, s->module, s->n_words, FMT_F32};
    if (!t) {
        return err_set(e, RES_NOMEM, "no room for a stream");
    }
    *t = (struct lib_stream){.s = *s, .memory = memory};
    bool const is_open = find_format(s->item_bytes, &p.fmt) &&
                         find_behaviours(&p, s->build_options, t->calls, s->n_outputs) &&
                         find_calls(&p, t->calls, s->n_outputs) && prepare(&p, t);
    if (is_open) {
        d->stream = t;
        drv_stop(ob, RUN_DONE, PHASE_DONE, 0, "");
    }
    ob->build_ns = drv_now_ns() - start_ns;
    return RES_OK;
}

static void lib_stream_run(struct drv *d, const struct stream_block *b, struct arena *a,
                           struct observation *ob)
{
    uint64_t const start_ns = drv_cpu_ns();
    const struct lib_stream *const t = d->stream;
    const unsigned char *inputs[STREAM_MAX_INPUTS];
    unsigned char *outputs[STREAM_MAX_OUTPUTS];
    (void)a;
    for (uint32_t i = 0; i < t->s.n_inputs; i++) {
        inputs[i] = t->memory + stream_get_place(&t->s, b->slot, i);
    }
    for (uint32_t i = 0; i < t->s.n_outputs; i++) {
        outputs[i] = t->memory + stream_get_place(&t->s, b->slot, t->s.n_inputs + i);
    }
    run_items(t, inputs, outputs, b->base, stream_round_items(&t->s, b->n_items));
    drv_stop(ob, RUN_DONE, PHASE_DONE, 0, "");
    ob->run_ns = drv_cpu_ns() - start_ns;
}

static void lib_stream_close(struct drv *d)
{
    d->stream = NULL;
}

/* --- one case of an audit --- */

/* Copies of the case's buffers, the last with the results in it. */
static bool run_case(const struct step *p, const struct testcase *tc, struct lib_stream *t)
{
    const unsigned char *inputs[STREAM_MAX_INPUTS];
    unsigned char *data[CASE_MAX_BUFS];
    uint32_t const n_items = tc->global[0];
    for (uint32_t i = 0; i < tc->n_bufs; i++) {
        if (tc->bufs[i].n_bytes < (uint64_t)n_items * t->s.item_bytes) {
            return refuse(p, "a buffer is smaller than its items");
        }
        data[i] = arena_copy(p->a, (const char *)tc->bufs[i].data, tc->bufs[i].n_bytes);
        if (!data[i]) {
            return refuse(p, "no room for a buffer");
        }
        if (i < t->s.n_inputs) {
            inputs[i] = data[i];
        }
    }
    drv_enter(PHASE_RUN);
    run_items(t, inputs, &data[t->s.n_inputs], 0, n_items);
    drv_stop(p->ob, RUN_DONE, PHASE_DONE, 0, "");
    p->ob->n_bufs = tc->n_bufs;
    for (uint32_t i = 0; i < tc->n_bufs; i++) {
        p->ob->out[i] = data[i];
    }
    return true;
}

static uint32_t find_item_bytes(const struct testcase *tc)
{
    if (needs_has(&tc->needs, NEED_CL_F16)) {
        return 2;
    }
    return needs_has(&tc->needs, NEED_CL_F64) ? 8 : 4;
}

static enum res lib_run(struct drv *d, const struct testcase *tc, enum drv_job job, struct arena *a,
                        struct observation *ob, struct err *e)
{
    struct step p = {d, a, ob, tc->module, tc->n_words, FMT_F32};
    struct lib_stream *const t = ARENA_NEW(a, struct lib_stream, 1);
    if (!t) {
        return err_set(e, RES_NOMEM, "no room for a case");
    }
    if (strcmp(tc->profile, "audit") != 0 || tc->n_bufs < 2 || tc->n_bufs > STREAM_MAX_INPUTS) {
        (void)refuse(&p, "a math library runs the kernels of an audit alone");
        return RES_OK;
    }
    *t = (struct lib_stream){
        .s = {.n_inputs = tc->n_bufs - 1, .n_outputs = 1, .item_bytes = find_item_bytes(tc)}
    };
    drv_enter(PHASE_BUILD);
    if (find_format(t->s.item_bytes, &p.fmt) && find_calls(&p, t->calls, 1) && prepare(&p, t)) {
        if (job == JOB_RUN) {
            (void)run_case(&p, tc, t);
        } else {
            drv_stop(ob, RUN_BUILT, PHASE_BUILD, 0, "");
        }
    }
    return RES_OK;
}

const struct drv_api drv_lib = {.name = "library",
                                .open = lib_open,
                                .run = lib_run,
                                .close = lib_close,
                                .stream_open = lib_stream_open,
                                .stream_run = lib_stream_run,
                                .stream_close = lib_stream_close,
                                .list = lib_list};
