/* base/testcase.c -- a case and an observation as bytes. */
#include "base/testcase.h"

#include <inttypes.h>
#include <string.h>

#include "base/spv.h"

/*
 * Layout, little-endian; a string is its length as u32 and its bytes, without NUL:
 *   case         magic version env class profile gen_version tape_hash(u64) n_words words... entry
 *                build_options local[3] global[3] subgroup_size
 *                full_subgroups n_needs names... n_bufs
 *                (kind width height n_bytes data)... [language source]
 *   observation  magic version status phase driver_code build_ns(u64) run_ns(u64) log signature
 *                facts guard_hits n_bufs (n_bytes data)...; of version 3 then program_subgroup
 *                n_programs (name text)...; of version 4 then n_statistics (name value(u64))...
 * Enumerations and needs go by name, so that rows of the tables may move. A case of SPIR-V is of version 2 and
 * ends with its buffers; one that is given as source is of version 3.
 */
enum {
    CASE_MAGIC = 0x43544c48,
    OB_MAGIC = 0x424f4c48,
    CODEC_VERSION = 2,
    CODEC_VERSION_SOURCE = 3,
    CODEC_VERSION_SPECS =
        4, /* of a case alone: language and source as in 3, then values of specialization constants */
    CODEC_VERSION_DISPATCHES =
        5, /* the same, where there may be no values; then the number of dispatches, the set of each buffer */
    OB_VERSION_PROGRAMS = 3, /* of an observation with program texts; one without is of version 2 */
    OB_VERSION_STATISTICS = 4, /* with statistics, and with program texts or none */
    SPEC_BYTES = 20
}; /* "HLTC", "HLOB" */
enum {
    MODULE_MIN_WORDS = 5,  /* SPIR-V's header */
    HEAD_MOST_BYTES = 1024 /* usually, of all but words and what buffers hold */
};

const char *const env_names[ENV_N] = {"opencl", "vulkan"};
const char *const language_names[LANGUAGE_N] = {"spirv", "opencl-c", "glsl"};
const enum env language_envs[LANGUAGE_N] = {ENV_CL, ENV_CL, ENV_VK};
const char *const buf_kind_names[BUF_KIND_N] = {
#define BUF(id, name, texels, format) name,
#include "base/bufs.def"
};
const struct buf_kind_row buf_kind_rows[BUF_KIND_N] = {
#define BUF(id, name, texels, format) {TEXELS_##texels, TEXEL_##format},
#include "base/bufs.def"
};
const struct texels_row texels_rows[TEXELS_N] = {
    [TEXELS_BUFFER] = {SpvDimBuffer, 0, 1},
      [TEXELS_1D] = {SpvDim1D,     0, 1},
    [TEXELS_2D] = {SpvDim2D,     0, 2},
      [TEXELS_3D] = {SpvDim3D,     0, 3},
    [TEXELS_CUBE] = {SpvDimCube,   0, 3},
      [TEXELS_1D_ARRAY] = {SpvDim1D,     1, 2},
    [TEXELS_2D_ARRAY] = {SpvDim2D,     1, 3},
      [TEXELS_CUBE_ARRAY] = {SpvDimCube,   1, 3}
};
const char *const case_class_names[CASE_CLASS_N] = {"legal", "unadvertised", "illegal"};
const char *const run_status_names[RUN_STATUS_N] = {
    "done", "reject", "crash", "hang", "exit", "device-lost", "harness", "skipped", "built"};
const char *const run_phase_names[RUN_PHASE_N] = {"start", "build", "run", "read", "done"};

bool observation_get_word(const struct observation *ob, const struct testcase *tc, uint32_t buf,
                          uint32_t byte, unsigned n_bytes, uint64_t *out)
{
    bool const is_there = buf < ob->n_bufs && (uint64_t)byte + n_bytes <= tc->bufs[buf].n_bytes;
    *out = is_there ? load_le(ob->out[buf] + byte, n_bytes) : 0;
    return is_there;
}

uint32_t testcase_get_items(const struct testcase *tc)
{
    return tc->global[0] * tc->global[1] * tc->global[2];
}

uint32_t testcase_get_groups(const struct testcase *tc)
{
    uint32_t n = 1;
    for (int i = 0; i < 3; i++) {
        n *= (tc->global[i] - 1) / tc->local[i] + 1;
    }
    return n;
}

enum buf_kind buf_find_kind(enum texels texels, enum texel_format format)
{
    for (int i = 0; i < BUF_KIND_N; i++) {
        if (buf_kind_rows[i].texels == texels && buf_kind_rows[i].format == format) {
            return (enum buf_kind)i;
        }
    }
    return BUF_STORAGE;
}

static uint32_t groups_in(const struct testcase *tc, int dimension)
{
    return (tc->global[dimension] - 1) / tc->local[dimension] + 1;
}

/* The first of the dimensions with most work-groups. */
static int longest(const struct testcase *tc)
{
    int at = 0;
    for (int d = 1; d < 3; d++) {
        at = groups_in(tc, d) > groups_in(tc, at) ? d : at;
    }
    return at;
}

uint32_t testcase_count_dispatches(const struct testcase *tc)
{
    return tc->n_dispatches > 1 ? tc->n_dispatches : 1;
}

uint32_t testcase_get_max_dispatches(const struct testcase *tc)
{
    int const at = longest(tc);
    uint32_t const n = groups_in(tc, at);
    bool const is_whole = tc->global[at] % tc->local[at] == 0;
    return !is_whole ? 1 : n < CASE_MAX_DISPATCHES ? n : CASE_MAX_DISPATCHES;
}

struct dispatch testcase_get_dispatch(const struct testcase *tc, uint32_t i)
{
    struct dispatch p = {.base = {0}};
    int const at = longest(tc);
    for (int d = 0; d < 3; d++) {
        p.n[d] = groups_in(tc, d);
    }
    uint64_t const n = p.n[at];
    uint32_t const n_dispatches = testcase_count_dispatches(tc);
    p.base[at] = (uint32_t)(n * i / n_dispatches);
    p.n[at] = (uint32_t)(n * (i + 1) / n_dispatches) - p.base[at];
    return p;
}

/* Has an image with texels that lie so that many slices of that size? */
static bool has_slices(enum texels texels, const struct buf *b, uint64_t n)
{
    switch (texels) {
    case TEXELS_NONE:
    case TEXELS_BUFFER:
        return false;
    case TEXELS_1D:
        return b->height == 1 && n == 1;
    case TEXELS_2D:
        return n == 1;
    case TEXELS_3D:
    case TEXELS_2D_ARRAY:
        return true;
    case TEXELS_CUBE:
        return b->width == b->height && n == CUBE_FACES;
    case TEXELS_1D_ARRAY:
        return b->height == 1;
    case TEXELS_CUBE_ARRAY:
        return b->width == b->height && n % CUBE_FACES == 0;
    }
    return false;
}

uint32_t buf_get_slices(const struct buf *b)
{
    uint64_t const n_texels = (uint64_t)b->width * b->height;
    uint64_t const n_all = b->n_bytes / buf_texel_bytes(b->kind);
    if (n_texels == 0 || n_texels > n_all || b->n_bytes % buf_texel_bytes(b->kind) != 0 ||
        n_all % n_texels != 0 || !has_slices(buf_kind_rows[b->kind].texels, b, n_all / n_texels)) {
        return 0;
    }
    return (uint32_t)(n_all / n_texels);
}

uint32_t buf_get_extents(const struct buf *b, uint32_t extents[TEXELS_MAX_COORDINATES])
{
    enum texels const texels = buf_kind_rows[b->kind].texels;
    uint32_t const n = texels_rows[texels].n_coordinates;
    if (texels == TEXELS_BUFFER) {
        extents[0] = b->n_bytes / buf_texel_bytes(b->kind);
        return n;
    }
    if (n == 0 || buf_get_slices(b) == 0) {
        return 0;
    }
    uint32_t const in_slice[TEXELS_MAX_COORDINATES - 1] = {b->width, b->height};
    bool const is_sliced = n > (texels == TEXELS_1D_ARRAY ? 1U : 2U);
    for (uint32_t i = 0; i < n; i++) {
        extents[i] = is_sliced && i == n - 1 ? buf_get_slices(b) : in_slice[i];
    }
    return n;
}

/* ---- encode ---- */

static void put_specs(struct bytes *b, const struct testcase *tc)
{
    bytes_put_u32(b, tc->n_specs);
    for (uint32_t i = 0; i < tc->n_specs; i++) {
        bytes_put_u32(b, tc->specs[i].id);
        bytes_put_u32(b, tc->specs[i].n_bytes);
        bytes_put_u32(b, tc->specs[i].is_bool);
        bytes_put_u64(b, tc->specs[i].bits);
    }
}

static void put_dispatches(struct bytes *b, const struct testcase *tc)
{
    bytes_put_u32(b, testcase_count_dispatches(tc));
    for (uint32_t i = 0; i < tc->n_bufs; i++) {
        bytes_put_u32(b, tc->bufs[i].set);
    }
}

/* The oldest layout that says all of the case. */
static uint32_t get_version(const struct testcase *tc)
{
    uint32_t sets = 0;
    for (uint32_t i = 0; i < tc->n_bufs; i++) {
        sets |= tc->bufs[i].set;
    }
    if (sets != 0 || testcase_count_dispatches(tc) > 1) {
        return CODEC_VERSION_DISPATCHES;
    }
    if (tc->n_specs > 0) {
        return CODEC_VERSION_SPECS;
    }
    return tc->language != LANGUAGE_SPIRV ? CODEC_VERSION_SOURCE : CODEC_VERSION;
}

/* The bytes of a case as they go to a worker and into files, *n of them; NULL where the arena is full. Enums
 * are written by name and numbers little-endian, so that no version of the enums matters. Each is written in the
 * oldest layout that says all of it, so that files of older cases stay as they are. */
const unsigned char *testcase_encode(const struct testcase *tc, struct arena *a, size_t *n)
{
    struct bytes b;
    uint32_t n_needs = 0;
    size_t n_most = HEAD_MOST_BYTES + 4 * (size_t)tc->n_words + SPEC_BYTES * (size_t)tc->n_specs;
    for (uint32_t i = 0; i < tc->n_bufs; i++) {
        n_most += tc->bufs[i].n_bytes;
    }
    uint32_t const version = get_version(tc);
    bytes_init(&b, a);
    (void)bytes_reserve(&b, n_most);
    bytes_put_u32(&b, CASE_MAGIC);
    bytes_put_u32(&b, version);
    bytes_put_str(&b, env_names[tc->env]);
    bytes_put_str(&b, case_class_names[tc->class]);
    bytes_put_str(&b, tc->profile);
    bytes_put_u32(&b, tc->gen_version);
    bytes_put_u64(&b, tc->tape_hash);
    bytes_put_u32(&b, tc->n_words);
    bytes_put_words(&b, tc->module, tc->n_words);
    bytes_put_str(&b, tc->entry);
    bytes_put_str(&b, tc->build_options);
    for (int i = 0; i < 3; i++) {
        bytes_put_u32(&b, tc->local[i]);
    }
    for (int i = 0; i < 3; i++) {
        bytes_put_u32(&b, tc->global[i]);
    }
    bytes_put_u32(&b, tc->subgroup_size);
    bytes_put_u32(&b, tc->full_subgroups);
    for (int i = 0; i < NEED_N; i++) {
        n_needs += (uint32_t)needs_has(&tc->needs, (enum need_id)i);
    }
    bytes_put_u32(&b, n_needs);
    for (int i = 0; i < NEED_N; i++) {
        if (needs_has(&tc->needs, (enum need_id)i)) {
            bytes_put_str(&b, cap_rows[i].id);
        }
    }
    bytes_put_u32(&b, tc->n_bufs);
    for (uint32_t i = 0; i < tc->n_bufs; i++) {
        bytes_put_str(&b, buf_kind_names[tc->bufs[i].kind]);
        bytes_put_u32(&b, tc->bufs[i].width);
        bytes_put_u32(&b, tc->bufs[i].height);
        bytes_put_u32(&b, tc->bufs[i].n_bytes);
        bytes_put(&b, tc->bufs[i].data, tc->bufs[i].n_bytes);
    }
    if (version >= CODEC_VERSION_SOURCE) {
        bytes_put_str(&b, language_names[tc->language]);
        bytes_put_str(&b, tc->language != LANGUAGE_SPIRV ? tc->source : "");
    }
    if (version >= CODEC_VERSION_SPECS) {
        put_specs(&b, tc);
    }
    if (version >= CODEC_VERSION_DISPATCHES) {
        put_dispatches(&b, tc);
    }
    *n = b.n;
    return b.ok ? b.p : NULL;
}

/* The bytes of an observation, *n of them; NULL where the arena is full. Buffer sizes are those of the
 * case. */
static void put_programs(struct bytes *b, const struct observation *ob)
{
    bytes_put_u32(b, ob->program_subgroup);
    bytes_put_u32(b, ob->n_programs);
    for (uint32_t i = 0; i < ob->n_programs; i++) {
        bytes_put_str(b, ob->programs[i].name);
        bytes_put_str(b, ob->programs[i].text);
    }
}

static void put_statistics(struct bytes *b, const struct observation *ob)
{
    bytes_put_u32(b, ob->n_statistics);
    for (uint32_t i = 0; i < ob->n_statistics; i++) {
        bytes_put_str(b, ob->statistics[i].name);
        bytes_put_u64(b, ob->statistics[i].value);
    }
}

/* The oldest version that has room for the observation. */
static uint32_t find_version(const struct observation *ob)
{
    if (ob->n_statistics) {
        return OB_VERSION_STATISTICS;
    }
    return ob->n_programs ? OB_VERSION_PROGRAMS : CODEC_VERSION;
}

void observation_put_statistic(struct observation *ob, const char *name, uint64_t value)
{
    size_t const n = strlen(name);
    if (n > 0 && n <= STATISTIC_MAX_NAME_CHARS && value <= INT64_MAX / 2 &&
        ob->n_statistics < OBSERVATION_MAX_STATISTICS) {
        ob->statistics[ob->n_statistics++] = (struct program_statistic){name, value};
    }
}

const unsigned char *observation_encode(const struct testcase *tc, const struct observation *ob,
                                        struct arena *a, size_t *n)
{
    struct bytes b;
    bytes_init(&b, a);
    bytes_put_u32(&b, OB_MAGIC);
    bytes_put_u32(&b, find_version(ob));
    bytes_put_str(&b, run_status_names[ob->status]);
    bytes_put_str(&b, run_phase_names[ob->phase]);
    bytes_put_u32(&b, (uint32_t)ob->driver_code);
    bytes_put_u64(&b, ob->build_ns);
    bytes_put_u64(&b, ob->run_ns);
    bytes_put_str(&b, ob->log ? ob->log : "");
    bytes_put_str(&b, ob->signature ? ob->signature : "");
    bytes_put_str(&b, ob->facts ? ob->facts : "");
    bytes_put_u32(&b, ob->guard_hits);
    bytes_put_u32(&b, ob->n_bufs);
    for (uint32_t i = 0; i < ob->n_bufs; i++) {
        bytes_put_u32(&b, tc->bufs[i].n_bytes);
        bytes_put(&b, ob->out[i], tc->bufs[i].n_bytes);
    }
    if (ob->n_programs || ob->n_statistics) {
        put_programs(&b, ob);
    }
    if (ob->n_statistics) {
        put_statistics(&b, ob);
    }
    *n = b.n;
    return b.ok ? b.p : NULL;
}

const struct spec *testcase_find_spec(const struct testcase *tc, uint32_t id)
{
    for (uint32_t i = 0; i < tc->n_specs && i < CASE_MAX_SPECS; i++) {
        if (tc->specs[i].id == id) {
            return &tc->specs[i];
        }
    }
    return NULL;
}

/* ---- decode ---- */

/* State of a decoder: the first problem wins, all later reads give zero. */
struct decoder {
    const char *what; /* "case" or "observation" */
    struct reader r;
    struct arena *a;
    struct err *e;
    enum res res;
};

/* Note a problem found in bytes that ended at the reader's position. */
static void bad(struct decoder *d, const char *problem, uint64_t value)
{
    if (d->res == RES_OK) {
        d->res = err_set(d->e, RES_FORMAT, "%s: byte %zu: %s (%" PRIu64 ")", d->what, d->r.pos,
                         problem, value);
        d->r.ok = 0;
    }
}

static int still_good(struct decoder *d)
{
    if (!d->r.ok) {
        bad(d, "cut short, length", d->r.n);
    }
    return d->res == RES_OK;
}

static uint32_t get_u32(struct decoder *d)
{
    uint32_t const v = reader_u32(&d->r);
    return still_good(d) ? v : 0;
}

static uint64_t get_u64(struct decoder *d)
{
    uint64_t const v = reader_u64(&d->r);
    return still_good(d) ? v : 0;
}

/* A copy of n bytes, aligned and followed by a NUL byte; NULL after a problem. */
static unsigned char *get_bytes(struct decoder *d, size_t n)
{
    const unsigned char *p = reader_take(&d->r, n);
    if (!still_good(d)) {
        return NULL;
    }
    unsigned char *copy = arena_copy(d->a, p, n);
    if (!copy) {
        d->res =
            err_set(d->e, RES_NOMEM, "%s: byte %zu: no room for %zu bytes", d->what, d->r.pos, n);
        d->r.ok = 0;
    }
    return copy;
}

static const char *get_text(struct decoder *d)
{
    uint32_t const n = get_u32(d);
    const unsigned char *p = get_bytes(d, n);
    if (p && memchr(p, 0, n)) {
        bad(d, "NUL byte in a string of length", n);
    }
    return p && d->res == RES_OK ? (const char *)p : "";
}

/* Index of the next string among n names. */
static uint32_t get_name(struct decoder *d, const char *const *names, int n)
{
    const char *text = get_text(d);
    for (int i = 0; i < n; i++) {
        if (strcmp(names[i], text) == 0) {
            return (uint32_t)i;
        }
    }
    bad(d, "unknown name, length", strlen(text));
    return 0;
}

/* Returns the layout's version, which is at most `newest`. */
static uint32_t get_head(struct decoder *d, uint32_t magic, uint32_t newest)
{
    uint32_t const m = get_u32(d);
    uint32_t const version = get_u32(d);
    if (d->res == RES_OK && m != magic) {
        bad(d, "wrong magic number", m);
    }
    if (d->res == RES_OK && (version < CODEC_VERSION || version > newest)) {
        bad(d, "unknown layout version", version);
    }
    return version;
}

/* Read the module of a case, a word count and the words. A count that is out of range ends the decoding
 * before any memory is taken for it; after an error the reader is stopped (r.ok = 0), so that nothing else is
 * read. */
static void get_module(struct decoder *d, struct testcase *tc)
{
    tc->n_words = get_u32(d);
    if (tc->n_words < MODULE_MIN_WORDS || tc->n_words > CASE_MAX_MODULE_WORDS) {
        bad(d, "module's word count is out of range", tc->n_words);
        return;
    }
    const unsigned char *p = reader_take(&d->r, 4 * (size_t)tc->n_words);
    uint32_t *w = still_good(d) ? ARENA_NEW(d->a, uint32_t, tc->n_words) : NULL;
    if (!w) {
        if (d->res == RES_OK) {
            d->res = err_set(d->e, RES_NOMEM, "case: no room for %u words", tc->n_words);
        }
        d->r.ok = 0;
        return;
    }
    for (uint32_t i = 0; i < tc->n_words; i++) {
        w[i] = (uint32_t)load_le(p + 4 * (size_t)i, 4);
    }
    tc->module = w;
}

/* Three sizes, each >= 1, whose product is at most CASE_MAX_ITEMS. */
static void get_extent(struct decoder *d, uint32_t extent[3])
{
    uint64_t product = 1;
    for (int i = 0; i < 3; i++) {
        extent[i] = get_u32(d);
        if (extent[i] < 1 || extent[i] > CASE_MAX_ITEMS) {
            bad(d, "dispatch size is out of range", extent[i]);
        }
        product *= extent[i]; /* at most 2^60 */
    }
    if (product > CASE_MAX_ITEMS) {
        bad(d, "too many invocations", product);
    }
}

static void get_subgroup(struct decoder *d, struct testcase *tc)
{
    tc->subgroup_size = get_u32(d);
    tc->full_subgroups = get_u32(d);
    if (tc->subgroup_size > CASE_MAX_SUBGROUP ||
        (tc->subgroup_size & (tc->subgroup_size - 1)) != 0) {
        bad(d, "required sub-group size is no power of two up to 128", tc->subgroup_size);
    }
    if (tc->full_subgroups > 1) {
        bad(d, "the flag of full sub-groups is neither 0 nor 1", tc->full_subgroups);
    }
}

/* Read the list of needs: names of rows of caps.def, each at most once and of the case's environment. An
 * error is left in the decoder and ends the loop. */
static void get_needs(struct decoder *d, struct testcase *tc)
{
    uint32_t const n = get_u32(d);
    if (n > NEED_N) {
        bad(d, "too many needs", n);
    }
    for (uint32_t i = 0; i < n && d->res == RES_OK; i++) {
        const char *name = get_text(d);
        int const id = need_find(name);
        if (d->res != RES_OK) {
            return;
        }
        if (id < 0) {
            bad(d, "unknown need, name's length", strlen(name));
        } else if (!(cap_rows[id].envs >> tc->env & 1)) {
            bad(d, "need of another environment, row", (uint64_t)id);
        } else if (needs_has(&tc->needs, (enum need_id)id)) {
            bad(d, "need given twice, row", (uint64_t)id);
        } else {
            needs_add(&tc->needs, (enum need_id)id);
        }
    }
}

/* An argument by value may have any size of its type, all other buffers are of whole words. */
static bool is_size(const struct buf *b)
{
    if (b->kind == BUF_VALUE) {
        return b->n_bytes > 0 && b->n_bytes <= CASE_MAX_VALUE_BYTES;
    }
    return b->n_bytes > 0 && b->n_bytes % 4 == 0 && b->n_bytes <= CASE_MAX_BUF_BYTES;
}

static void get_buf(struct decoder *d, enum env env, struct buf *b)
{
    b->kind = (enum buf_kind)get_name(d, buf_kind_names, BUF_KIND_N);
    b->width = get_u32(d);
    b->height = get_u32(d);
    b->n_bytes = get_u32(d);
    if (b->kind == BUF_VALUE && env != ENV_CL) {
        bad(d, "an argument by value, which no Vulkan case has, bytes", b->n_bytes);
    }
    if (!is_size(b)) {
        bad(d, "buffer's size is out of range", b->n_bytes);
    }
    uint64_t const n_texels = (uint64_t)b->width * b->height;
    if ((b->kind == BUF_PUSH && b->n_bytes > CASE_MAX_PUSH_BYTES) ||
        (b->kind == BUF_CONSTANT && b->n_bytes > CASE_MAX_CONSTANT_BYTES)) {
        bad(d, "more constant memory than each device has", b->n_bytes);
    }
    bool const fits = buf_is_image(b->kind) ? buf_get_slices(b) > 0 : (b->width | b->height) == 0;
    if (!fits) {
        bad(d, "image's size does not fit its bytes, texels", n_texels);
    }
    if (d->res == RES_OK) {
        b->data = get_bytes(d, b->n_bytes);
    }
}

static void get_source(struct decoder *d, struct testcase *tc, bool is_needed)
{
    tc->language = (enum language)get_name(d, language_names, LANGUAGE_N);
    tc->source = get_text(d);
    if (d->res != RES_OK || (tc->language == LANGUAGE_SPIRV && !is_needed && !tc->source[0])) {
        return;
    }
    if (tc->language == LANGUAGE_SPIRV) {
        bad(d, "source text of a case of SPIR-V, length", strlen(tc->source));
    } else if (tc->env != language_envs[tc->language]) {
        bad(d, "source text in the language of the other environment, length", strlen(tc->source));
    }
}

/* A spec's type is one of those that modules have, and no SpecId has two values; layouts of their own have some. */
static void get_specs(struct decoder *d, struct testcase *tc, bool is_needed)
{
    uint32_t const n = get_u32(d);
    if (n > CASE_MAX_SPECS || (n == 0 && is_needed)) {
        bad(d, "number of specialization constants is out of range", n);
        return;
    }
    for (uint32_t i = 0; i < n && d->res == RES_OK; i++) {
        struct spec *const s = &tc->specs[i];
        s->id = get_u32(d);
        s->n_bytes = get_u32(d);
        s->is_bool = get_u32(d);
        s->bits = get_u64(d);
        bool const is_size =
            s->n_bytes == 1 || s->n_bytes == 2 || s->n_bytes == 4 || s->n_bytes == 8;
        if (!is_size || s->is_bool > 1 || (s->is_bool && (s->n_bytes != 1 || s->bits > 1))) {
            bad(d, "a specialization constant of no known type, bytes", s->n_bytes);
        } else if (s->n_bytes < 8 && s->bits >> 8 * s->n_bytes != 0) {
            bad(d, "a specialization constant's value is wider than its type", s->bits);
        } else if (testcase_find_spec(tc, s->id)) {
            bad(d, "a specialization constant with two values", s->id);
        }
        tc->n_specs = i + 1;
    }
}

/* No dispatch of them is empty, and each is of whole work-groups. */
static void get_dispatches(struct decoder *d, struct testcase *tc)
{
    tc->n_dispatches = get_u32(d);
    if (tc->n_dispatches < 1 || tc->n_dispatches > testcase_get_max_dispatches(tc)) {
        bad(d, "number of dispatches is out of range", tc->n_dispatches);
    }
    for (uint32_t i = 0; i < tc->n_bufs && d->res == RES_OK; i++) {
        tc->bufs[i].set = get_u32(d);
        if (tc->bufs[i].set >= (tc->env == ENV_VK ? (uint32_t)CASE_MAX_SETS : 1U)) {
            bad(d, "descriptor set is out of range", tc->bufs[i].set);
        }
    }
    if (get_version(tc) < CODEC_VERSION_DISPATCHES) {
        bad(d, "one dispatch and one set, of which older layouts do not speak", tc->n_dispatches);
    }
}

/* The reverse of testcase_encode, for bytes that anybody may have made: RES_FORMAT with a sentence for
 * whatever is out of range. The decoder keeps its first error and gives zeros after it, so that the fields
 * can be read one after the other and the result be asked for at the end. `profile` .. `source` point into
 * the arena. */
enum res testcase_decode(struct testcase *tc, struct arena *a, const void *p, size_t n,
                         struct err *e)
{
    struct decoder d = {
        .what = "case", .r = {p, n, 0, 1},
             .a = a, .e = e
    };
    *tc = (struct testcase){0};
    uint32_t const version = get_head(&d, CASE_MAGIC, CODEC_VERSION_DISPATCHES);
    tc->env = (enum env)get_name(&d, env_names, ENV_N);
    tc->class = (enum case_class)get_name(&d, case_class_names, CASE_CLASS_N);
    tc->profile = get_text(&d);
    tc->gen_version = get_u32(&d);
    tc->tape_hash = get_u64(&d);
    get_module(&d, tc);
    tc->entry = get_text(&d);
    tc->build_options = get_text(&d);
    get_extent(&d, tc->local);
    get_extent(&d, tc->global);
    get_subgroup(&d, tc);
    for (int i = 0; i < 3 && d.res == RES_OK && tc->env == ENV_VK; i++) {
        if (tc->global[i] % tc->local[i] != 0) {
            bad(&d, "a Vulkan dispatch is not whole work-groups", tc->global[i]);
        }
    }
    get_needs(&d, tc);
    tc->n_bufs = get_u32(&d);
    if (tc->n_bufs > CASE_MAX_BUFS) {
        bad(&d, "too many buffers", tc->n_bufs);
    }
    uint32_t n_push = 0;
    for (uint32_t i = 0; i < tc->n_bufs && d.res == RES_OK; i++) {
        get_buf(&d, tc->env, &tc->bufs[i]);
        n_push += tc->bufs[i].kind == BUF_PUSH;
    }
    if (n_push > 1) {
        bad(&d, "several blocks of push constants", n_push);
    }
    tc->source = "";
    if (version >= CODEC_VERSION_SOURCE) {
        get_source(&d, tc, version == CODEC_VERSION_SOURCE);
    }
    if (version >= CODEC_VERSION_SPECS && d.res == RES_OK) {
        get_specs(&d, tc, version == CODEC_VERSION_SPECS);
    }
    if (version >= CODEC_VERSION_DISPATCHES && d.res == RES_OK) {
        get_dispatches(&d, tc);
    }
    if (d.res == RES_OK && d.r.pos != n) {
        bad(&d, "bytes left over", n - d.r.pos);
    }
    return d.res;
}

static void get_programs(struct decoder *d, uint32_t version, struct observation *ob)
{
    ob->program_subgroup = get_u32(d);
    uint32_t const n = get_u32(d);
    bool const is_missing = n == 0 && version == OB_VERSION_PROGRAMS;
    if (is_missing || n > OBSERVATION_MAX_PROGRAMS) {
        bad(d, "number of program texts is out of range", n);
        return;
    }
    for (uint32_t i = 0; i < n && d->res == RES_OK; i++) {
        ob->programs[i].name = get_text(d);
        ob->programs[i].text = get_text(d);
    }
    ob->n_programs = n;
}

static void get_statistics(struct decoder *d, struct observation *ob)
{
    uint32_t const n = get_u32(d);
    if (n == 0 || n > OBSERVATION_MAX_STATISTICS) {
        bad(d, "number of statistics is out of range", n);
        return;
    }
    for (uint32_t i = 0; i < n && d->res == RES_OK; i++) {
        const char *const name = get_text(d);
        uint64_t const value = get_u64(d);
        if (d->res == RES_OK) {
            observation_put_statistic(ob, name, value);
        }
    }
    if (d->res == RES_OK && ob->n_statistics != n) {
        bad(d, "a statistic that is none, one of", n);
    }
}

/* The reverse of observation_encode, for bytes of a worker, which is not trusted: they must fit the case that
 * they answer. Only a run that was done (RUN_DONE) has buffers, then all of the case's, each of the same
 * size. */
enum res observation_decode(struct observation *ob, const struct testcase *tc, struct arena *a,
                            const void *p, size_t n, struct err *e)
{
    struct decoder d = {
        .what = "observation", .r = {p, n, 0, 1},
             .a = a, .e = e
    };
    *ob = (struct observation){0};
    uint32_t const version = get_head(&d, OB_MAGIC, OB_VERSION_STATISTICS);
    ob->status = (enum run_status)get_name(&d, run_status_names, RUN_STATUS_N);
    ob->phase = (enum run_phase)get_name(&d, run_phase_names, RUN_PHASE_N);
    ob->driver_code = (int32_t)get_u32(&d);
    ob->build_ns = get_u64(&d);
    ob->run_ns = get_u64(&d);
    ob->log = get_text(&d);
    ob->signature = get_text(&d);
    ob->facts = get_text(&d);
    ob->guard_hits = get_u32(&d);
    if (ob->guard_hits >> tc->n_bufs) { /* one bit for each buffer */
        bad(&d, "guard bits of buffers that do not exist", ob->guard_hits);
    }
    ob->n_bufs = get_u32(&d);
    if (ob->n_bufs != (ob->status == RUN_DONE ? tc->n_bufs : 0)) {
        bad(&d, "wrong number of buffers", ob->n_bufs);
    }
    for (uint32_t i = 0; i < ob->n_bufs && d.res == RES_OK; i++) {
        uint32_t const n_bytes = get_u32(&d);
        if (n_bytes != tc->bufs[i].n_bytes) {
            bad(&d, "buffer of another size than the case's", n_bytes);
        } else {
            ob->out[i] = get_bytes(&d, n_bytes);
        }
    }
    if (version >= OB_VERSION_PROGRAMS && d.res == RES_OK) {
        get_programs(&d, version, ob);
    }
    if (version >= OB_VERSION_STATISTICS && d.res == RES_OK) {
        get_statistics(&d, ob);
    }
    if (d.res == RES_OK && d.r.pos != n) {
        bad(&d, "bytes left over", n - d.r.pos);
    }
    return d.res;
}
