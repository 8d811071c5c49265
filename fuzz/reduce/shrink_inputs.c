/* fuzz/reduce/shrink_inputs.c -- passes over what buffers hold, and how much. */
#include "fuzz/reduce/shrink.h"

#include "fuzz/reduce/shrink_grammar.h"
#include "fuzz/reduce/shrink_module.h"

/* ---- words ---- */

enum {
    MAX_WORDS = 1 << 16 /* looked at in one case; what lies behind stays */
};

/* 0, 1 of an integer, and 1.0 of each width: the lower its place, the simpler. */
static const uint32_t simple_words[] = {0, 1, 0x3f800000, 0x3c003c00, 0x3c00, 0x3ff00000};

static uint32_t rank_word(uint32_t w)
{
    uint32_t i = 0;
    while (i < ARRAY_N(simple_words) && simple_words[i] != w) {
        i++;
    }
    return i;
}

/* Does it look like a NaN, an infinity, a subnormal or -0 of some width? Small integers do not. */
static bool is_special(uint32_t w)
{
    uint32_t const exponent = w & 0x7f800000;
    return exponent == 0x7f800000 || (w & 0x7fffffff) == 0 || (exponent == 0 && w > 0xffff) ||
           (w & 0x7c00) == 0x7c00 || (w & 0x7c000000) == 0x7c000000;
}

static bool is_zeroable(uint32_t w)
{
    return w != 0;
}
static bool is_simplifiable(uint32_t w)
{
    return rank_word(w) > 1 && !is_special(w);
}
static bool is_special_word(uint32_t w)
{
    return rank_word(w) > 1 && is_special(w);
}

static uint32_t load_word(const struct testcase *tc, uint32_t buf, uint32_t k)
{
    return (uint32_t)load_le(tc->bufs[buf].data + 4 * (size_t)k, 4);
}

/* Number the words that are sites; those from lo to hi become `simple`, where that is simpler. 1:
 * some did; -1: no memory. n: their number (may be NULL). */
static int walk_words(struct testcase *tc, bool (*is_site)(uint32_t), uint32_t lo, uint32_t hi,
                      uint32_t simple, struct arena *a, uint32_t *n)
{
    uint32_t n_sites = 0, n_seen = 0;
    int is_changed = 0;
    for (uint32_t b = 0; b < tc->n_bufs; b++) {
        unsigned char *copy = NULL;
        for (uint32_t k = 0; k < tc->bufs[b].n_bytes / 4 && n_seen < MAX_WORDS; k++, n_seen++) {
            uint32_t const w = load_word(tc, b, k);
            if (!is_site(w)) {
                continue;
            }
            uint32_t const site = n_sites++;
            if (site < lo || site >= hi || rank_word(simple) >= rank_word(w)) {
                continue;
            }
            if (!copy) {
                copy = arena_copy(a, tc->bufs[b].data, tc->bufs[b].n_bytes);
                if (!copy) {
                    return -1;
                }
            }
            store_le(copy + 4 * (size_t)k, simple, 4);
            is_changed = 1;
        }
        tc->bufs[b].data = copy ? copy : tc->bufs[b].data;
    }
    if (n) {
        *n = n_sites;
    }
    return is_changed;
}

static int change_words(const struct testcase *tc, uint32_t step, struct arena *a,
                        struct testcase *out, bool (*is_site)(uint32_t), uint32_t first,
                        uint32_t n_variants)
{
    uint32_t n = 0, lo = 0, hi = 0;
    *out = *tc;
    (void)walk_words(out, is_site, 0, 0, 0, a, &n);
    int const r = shrink_chunk(n, step / n_variants, &lo, &hi);
    return r == 1
               ? walk_words(out, is_site, lo, hi, simple_words[first + step % n_variants], a, NULL)
               : r;
}

static int make_zero(const struct testcase *tc, uint32_t step, struct arena *a,
                     struct testcase *out)
{
    return change_words(tc, step, a, out, is_zeroable, 0, 1);
}

const struct shrink_pass shrink_inputs_zero = {"zero words of buffers", 0, NULL, NULL, make_zero};

static int make_simplify(const struct testcase *tc, uint32_t step, struct arena *a,
                         struct testcase *out)
{
    return change_words(tc, step, a, out, is_simplifiable, 1, ARRAY_N(simple_words) - 1);
}

const struct shrink_pass shrink_inputs_simplify = {"simpler words in buffers", 0, NULL, NULL,
                                                   make_simplify};

static int make_special(const struct testcase *tc, uint32_t step, struct arena *a,
                        struct testcase *out)
{
    return change_words(tc, step, a, out, is_special_word, 1, ARRAY_N(simple_words) - 1);
}

const struct shrink_pass shrink_inputs_special = {"simpler words for special values", 0, NULL, NULL,
                                                  make_special};

/* ---- where a module reads ---- */

/* Is it the OpFunction of an entry point? */
static bool is_entry(const struct shrink_module *m, uint32_t function)
{
    for (uint32_t i = 0; i < function; i++) {
        if (m->inst[i].op == SpvOpEntryPoint && m->inst[i].w[2] == m->inst[function].result) {
            return true;
        }
    }
    return false;
}

/* Buffer of a variable or parameter id, or CASE_MAX_BUFS. */
static uint32_t find_buffer(const struct testcase *tc, const struct shrink_module *m, uint32_t id)
{
    const struct shrink_inst *const base = shrink_module_find(m, id);
    if (!base || base->op != (tc->env == ENV_CL ? SpvOpFunctionParameter : SpvOpVariable)) {
        return CASE_MAX_BUFS;
    }
    if (tc->env == ENV_CL) {
        uint32_t const number = (uint32_t)(base - m->inst) - base->function - 1;
        return is_entry(m, base->function) && number < tc->n_bufs ? number : CASE_MAX_BUFS;
    }
    for (uint32_t i = 0; i < m->n; i++) {
        const struct shrink_inst *const in = &m->inst[i];
        if (in->op == SpvOpDecorate && in->w[1] == id && in->n == 4 &&
            in->w[2] == (uint32_t)SpvDecorationBinding) {
            return in->w[3] < tc->n_bufs ? in->w[3] : CASE_MAX_BUFS;
        }
    }
    return CASE_MAX_BUFS;
}

/* A number within a buffer. */
struct place {
    uint32_t buf;
    uint64_t offset_bytes;
    unsigned n_bytes;
};

static bool is_chain(const struct testcase *tc, uint32_t op)
{
    return tc->env == ENV_CL ? op == SpvOpPtrAccessChain || op == SpvOpInBoundsPtrAccessChain
                             : op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain;
}

/* Where a pointer goes, if that is the same for all. False: it is not known. Vulkan's buffers are a struct
 * of one array, OpenCL's are arrays. */
static bool find_place(const struct testcase *tc, const struct shrink_module *m, uint32_t pointer,
                       struct place *p)
{
    const struct shrink_inst *const chain = shrink_module_find(m, pointer);
    const struct shrink_inst *const t = chain ? shrink_module_find(m, chain->type) : NULL;
    bool const is_bare = chain && chain->op == SpvOpFunctionParameter;
    uint32_t const n = tc->env == ENV_CL ? 5 : 6; /* words of such a chain */
    uint64_t index = 0, member = 0;
    if (!t || t->op != SpvOpTypePointer ||
        (!is_bare && (!is_chain(tc, chain->op) || chain->n != n ||
                      !shrink_module_get_bits(m, chain->w[n - 1], &index)))) {
        return false;
    }
    if (n == 6 && (is_bare || !shrink_module_get_bits(m, chain->w[4], &member) || member != 0)) {
        return false;
    }
    *p = (struct place){.buf = find_buffer(tc, m, is_bare ? pointer : chain->w[3]),
                        .n_bytes = shrink_module_get_width(m, t->w[3]) / 8};
    p->offset_bytes = index * p->n_bytes;
    return p->buf < CASE_MAX_BUFS && p->n_bytes > 0 && index < CASE_MAX_BUF_BYTES &&
           tc->bufs[p->buf].kind == BUF_STORAGE;
}

/* ---- loads of what is known ---- */

static bool is_known_load(const struct shrink_edit *e, const struct shrink_inst *i)
{
    struct place p;
    return i->op == SpvOpLoad && e->uses[i->result] > 0 && find_place(e->tc, e->m, i->w[3], &p) &&
           p.n_bytes * 8 == shrink_module_get_width(e->m, i->type) &&
           p.offset_bytes + p.n_bytes <= e->tc->bufs[p.buf].n_bytes;
}

static bool to_content(struct shrink_edit *e, struct shrink_inst *i)
{
    struct place p;
    if (!find_place(e->tc, e->m, i->w[3], &p)) {
        return false;
    }
    uint64_t const bits = load_le(e->tc->bufs[p.buf].data + p.offset_bytes, p.n_bytes);
    uint32_t const id = shrink_module_constant_bits(e->m, i->type, bits);
    if (id != 0) {
        shrink_module_replace(e->m, i, id);
    }
    return id != 0;
}

const struct shrink_pass shrink_inputs_to_constants = {"replace loads by what is loaded", 1,
                                                       is_known_load, to_content, NULL};

/* ---- shorter buffers ---- */

/* Does an instruction make a pointer that may leave the element that its operand points to? */
static bool wanders(const struct testcase *tc, const struct shrink_module *m,
                    const struct shrink_inst *i)
{
    const struct shrink_inst *const t = shrink_module_find(m, i->type);
    const struct shrink_inst *const base = i->n > 3 ? shrink_module_find(m, i->w[3]) : NULL;
    if (is_chain(tc, i->op)) {
        return !base || (base->op != SpvOpFunctionParameter && base->op != SpvOpVariable);
    }
    return t && t->op == SpvOpTypePointer &&
           (i->op == SpvOpBitcast || i->op == SpvOpConvertUToPtr || i->op == SpvOpPtrAccessChain ||
            i->op == SpvOpInBoundsPtrAccessChain || i->op == SpvOpLoad);
}

/* What operand k, a buffer, is used for: by a chain or an access of one known number. */
static bool is_known_use(const struct testcase *tc, const struct shrink_module *m,
                         const struct shrink_inst *i, uint32_t k, struct place *p)
{
    if (is_chain(tc, i->op)) {
        return k == 3 && find_place(tc, m, i->result, p);
    }
    return (i->op == SpvOpStore ? k == 1 : i->op == SpvOpLoad || shrink_grammar_is_atomic(i->op)) &&
           find_place(tc, m, i->w[k], p);
}

/* Bytes of each buffer that the module can come to; all, where that is not known. */
static void find_extents(const struct testcase *tc, const struct shrink_module *m,
                         uint32_t extent[CASE_MAX_BUFS])
{
    int is_lost = 0;
    for (uint32_t i = 0; i < m->n; i++) {
        const struct shrink_inst *const in = &m->inst[i];
        is_lost |= wanders(tc, m, in);
        for (uint32_t k = 1; k < in->n; k++) {
            uint32_t const b =
                in->role[k] == ROLE_VALUE ? find_buffer(tc, m, in->w[k]) : CASE_MAX_BUFS;
            struct place p = {0};
            if (b == CASE_MAX_BUFS) {
                continue;
            }
            uint64_t const end = is_known_use(tc, m, in, k, &p)
                                     ? (p.offset_bytes + p.n_bytes + 3) / 4 * 4
                                     : UINT32_MAX;
            extent[b] = end > tc->bufs[b].n_bytes ? tc->bufs[b].n_bytes
                        : end > extent[b]         ? (uint32_t)end
                                                  : extent[b];
        }
    }
    for (uint32_t b = 0; is_lost && b < tc->n_bufs; b++) {
        extent[b] = tc->bufs[b].n_bytes;
    }
}

/* 0: every buffer; then one after the other. */
static int make_cut(const struct testcase *tc, uint32_t step, struct arena *a, struct testcase *out)
{
    uint32_t extent[CASE_MAX_BUFS] = {0};
    struct shrink_module *const m =
        step > tc->n_bufs ? NULL : shrink_module_parse(tc->module, tc->n_words, a);
    int is_changed = 0;
    if (!m) {
        return -1;
    }
    find_extents(tc, m, extent);
    *out = *tc;
    for (uint32_t b = 0; b < tc->n_bufs; b++) {
        uint32_t const n_bytes = extent[b] < 4 ? 4 : extent[b];
        bool const is_meant = step == 0 || step == b + 1;
        if (is_meant && tc->bufs[b].kind != BUF_IMAGE2D_R32F && n_bytes < tc->bufs[b].n_bytes) {
            out->bufs[b].n_bytes = n_bytes;
            is_changed = 1;
        }
    }
    return is_changed;
}

const struct shrink_pass shrink_inputs_cut = {"shorter buffers", 0, NULL, NULL, make_cut};
