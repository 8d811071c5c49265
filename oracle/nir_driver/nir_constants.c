/* oracle/nir_driver/nir_constants.c -- tries all choices of sets. */
#include "oracle/nir_driver/nir_constants.h"

#include "base/testcase.h"
#include "oracle/nir_driver/nir_places.h"
#include "oracle/nir_driver/nir_rules.h"
#include "oracle/nir_text/nir_answer.h"
#include "oracle/nir_text/nir_intrinsic.h"
#include "oracle/nir_text/nir_op.h"
#include "oracle/nir_text/nir_word.h"

/* What a program loads from one constant buffer, if that is a certain set. */
struct match {
    bool is_possible;
    uint32_t n_uses; /* of descriptors that are not of uniform buffers */
};
struct choice {
    uint32_t n; /* constant buffers behind the root table */
    uint32_t set[CASE_MAX_SETS];
};
struct constants {
    const struct nir_abi *abi;
    const struct nir_program *p;
    uint32_t *n_images; /* by value: how many intrinsics have it as the descriptor of an image */
    int64_t *formats;   /* by value: of the image, as a word; 0: not known */
    uint32_t *
        origins; /* by value: 1 + the value loaded of a constant buffer that it is computed of as an address; 0: none */
    bool *
        are_loaded; /* by value loaded of a constant buffer: is there a load from such an address, */
    bool *are_stored;                                   /* and a store or an atomic? */
    struct match matches[CASE_MAX_SETS][CASE_MAX_SETS]; /* by constant buffer and set */
    bool are_used[CASE_MAX_SETS]; /* by constant buffer; of one that is not any set will do */
    uint32_t n;                   /* constant buffers */
};

static bool get_constant(const struct nir_program *p, const struct nir_source *s, uint64_t *out)
{
    const struct nir_value *const v = &p->values[s->value];
    *out = v->is_constant ? p->constants[v->offset + nir_source_component(s, 0)] : 0;
    return v->is_constant;
}

static bool is_format(enum buf_kind kind, int64_t word)
{
    static const enum texel_format formats[NIR_WORD_N] = {
        [NIR_WORD_r32_float] = TEXEL_R32F,
        [NIR_WORD_r32_uint] = TEXEL_R32UI,
        [NIR_WORD_r16g16_float] = TEXEL_RG16F,
        [NIR_WORD_r16g16b16a16_float] = TEXEL_RGBA16F,
    };
    bool const is_known = word > 0 && word < NIR_WORD_N && formats[word] != TEXEL_NONE;
    return !is_known || buf_kind_rows[kind].format == formats[word];
}

/* May the program use the buffer, as far as it says? */
static bool is_declared(const struct nir_program *p, uint32_t buffer)
{
    return p->header.bindings == 0 || (p->header.bindings >> buffer & 1) != 0;
}

/* May memory that is accessed as an address made of `value` is be that of the buffer? */
static bool allows_accesses(const struct constants *c, uint32_t buffer, uint32_t value)
{
    bool const is_read_only = (c->p->header.read_only >> buffer & 1) != 0 ||
                              buf_is_constant(c->abi->tc->bufs[buffer].kind);
    bool const is_write_only = (c->p->header.write_only >> buffer & 1) != 0;
    return !(is_read_only && c->are_stored[value]) && !(is_write_only && c->are_loaded[value]);
}

/* Is what a program loads of a descriptor, n bytes from byte `first` on, what one of that kind has? Of a value that accesses
 * of images take the descriptor is a number; of one that addresses are made of it is an address or a handle, and a size. */
static bool is_load_of(const struct constants *c, enum buf_kind kind, uint32_t first, uint32_t n,
                       uint32_t value)
{
    enum {
        OF_IMAGES = 1 << 4 | 1 << 5 | 1 << 6, /* words of Kepler's: nir_surface.c */
        OF_BUFFERS = 1 << 7
    };
    bool const has_texels = buf_has_texels(kind);
    bool const is_image = buf_is_image(kind);
    bool const is_address = c->are_loaded[value] || c->are_stored[value];
    if (c->n_images[value]) {
        return has_texels && is_format(kind, c->formats[value]);
    }
    if (c->abi->rules->has_surfaces && has_texels) {
        uint32_t const word = 1U << (first / 4 & 31);
        return !is_address && !(is_image && (word & OF_BUFFERS)) &&
               !(!is_image && (word & OF_IMAGES));
    }
    return has_texels ? n < 8 : (n >= 8 && first == 0) || first >= 8;
}

/* Has a set a descriptor at these bytes that is of the kind that value `value` is used as? *out is its buffer. */
static bool find_descriptor(const struct constants *c, uint32_t set, uint64_t first, uint32_t n,
                            uint32_t value, uint32_t *out)
{
    const struct testcase *const tc = c->abi->tc;
    for (uint32_t i = 0; i < tc->n_bufs; i++) {
        enum buf_kind const kind = tc->bufs[i].kind;
        uint32_t const begin = c->abi->places[i], size = nir_places_size(c->abi, kind);
        if (tc->bufs[i].set != set || kind == BUF_PUSH || first < begin || first - begin >= size) {
            continue;
        }
        bool const has_texels = buf_has_texels(kind);
        *out = i;
        return is_declared(c->p, i) && is_load_of(c, kind, (uint32_t)first - begin, n, value) &&
               (has_texels || (allows_accesses(c, i, value) && first - begin + n <= size));
    }
    return false;
}

/* Counts one load of a constant buffer for each set that it may be; false: it is not known which one that is. */
static bool see_load(struct constants *c, const struct nir_instruction *in)
{
    const struct nir_source *const s = &c->p->sources[in->first];
    const struct nir_value *const v = &c->p->values[in->value];
    uint64_t k = 0, offset = 0;
    if (!get_constant(c->p, &s[0], &k)) {
        return false;
    }
    if (k == 0) {
        return true;
    }
    bool const is_known = get_constant(c->p, &s[1], &offset);
    offset += (uint64_t)in->index[NIR_INDEX_base];
    if (!is_known || k > CASE_MAX_SETS || v->n_bits < 8) {
        return false;
    }
    c->n = c->n < k ? (uint32_t)k : c->n;
    c->are_used[k - 1] = true;
    for (uint32_t set = 0; set < CASE_MAX_SETS; set++) {
        struct match *const m = &c->matches[k - 1][set];
        uint32_t buffer = 0;
        if (!find_descriptor(c, set, offset, v->n_components * v->n_bits / 8U, in->value,
                             &buffer)) {
            m->is_possible = false;
        } else if (c->abi->tc->bufs[buffer].kind != BUF_CONSTANT) {
            m->n_uses += c->n_images[in->value] ? c->n_images[in->value] : 1;
        }
    }
    return true;
}

/* Notes which values are descriptors of images. */
static void see_image(struct constants *c, const struct nir_instruction *in)
{
    if (in->kind == NIR_CALL && nir_intrinsic_rows[in->row].run == NIR_RUN_image) {
        uint32_t const value = c->p->sources[in->first].value;
        c->n_images[value]++;
        c->formats[value] = in->index[NIR_INDEX_format];
    }
}

/* Follows addresses from the constant buffer that they are loaded of to where they are used: through operations of one
 * such operand. */
static void follow(struct constants *c, const struct nir_instruction *in)
{
    const struct nir_source *const s = &c->p->sources[in->first];
    uint32_t origin = 0;
    for (uint32_t i = 0; in->kind != NIR_PHI && i < in->n_sources && origin == 0; i++) {
        origin = c->origins[s[i].value];
    }
    if (in->kind == NIR_ALU) {
        c->origins[in->value] =
            nir_op_rows[in->row].signature[0] == 'b' || nir_op_rows[in->row].signature[0] == 't'
                ? 0
                : origin;
        return;
    }
    if (in->kind != NIR_CALL) {
        return;
    }
    const struct nir_intrinsic_row *const row = &nir_intrinsic_rows[in->row];
    if (in->row == NIR_INTRINSIC_ldc_nv && c->p->values[in->value].n_components > 1) {
        c->origins[in->value] = in->value + 1;
        return;
    }
    uint32_t const first = row->run == NIR_RUN_store ? 1 : 0; /* behind what is stored */
    bool const has_address = row->form == NIR_SPACE_GLOBAL || row->form == NIR_SPACE_ADDRESS;
    bool const is_access =
        row->run == NIR_RUN_load || row->run == NIR_RUN_store || row->run == NIR_RUN_atomic;
    for (uint32_t i = first; is_access && has_address && i < in->n_sources && i < first + 2; i++) {
        uint32_t const of = c->origins[s[i].value];
        if (of && row->run == NIR_RUN_load) {
            c->are_loaded[of - 1] = true;
        } else if (of) {
            c->are_stored[of - 1] = true;
        }
    }
}

/* Goes to the next choice in the order of numbers with n digits; false: that was the last one. */
static bool choose_next(struct choice *c)
{
    for (uint32_t i = c->n; i-- > 0;) {
        if (++c->set[i] < CASE_MAX_SETS) {
            return true;
        }
        c->set[i] = 0;
    }
    return false;
}

static bool is_possible(const struct constants *c, const struct choice *choice)
{
    uint32_t seen = 0;
    for (uint32_t k = 0; k < choice->n; k++) {
        uint32_t const set = choice->set[k];
        const struct match *const m = &c->matches[k][set];
        if (!c->are_used[k] && set == 0) {
            continue;
        }
        if ((seen >> set & 1) != 0 || !m->is_possible || m->n_uses == 0) {
            return false;
        }
        seen |= UINT32_C(1) << set;
    }
    return true;
}
static bool is_in_order(const struct constants *c, const struct choice *choice)
{
    uint32_t n_before = UINT32_MAX, set_before = 0;
    for (uint32_t k = 0; k < choice->n; k++) {
        uint32_t const set = choice->set[k], n = c->matches[k][set].n_uses;
        if (!c->are_used[k]) {
            continue;
        }
        if (n > n_before || (n == n_before && set < set_before)) {
            return false;
        }
        n_before = n;
        set_before = set;
    }
    return true;
}

bool nir_constants_choose(struct nir_abi *abi, const struct nir_program *p, struct arena *a,
                          struct nir_answer *answer)
{
    struct constants c = {.abi = abi, .p = p};
    uint32_t n_found[2] = {0}; /* of all choices, and of those in order */
    struct choice found[2] = {{0}};
    c.n_images = ARENA_NEW(a, uint32_t, p->n_values + 1);
    c.formats = ARENA_NEW(a, int64_t, p->n_values + 1);
    c.origins = ARENA_NEW(a, uint32_t, p->n_values + 1);
    c.are_loaded = ARENA_NEW(a, bool, p->n_values + 1);
    c.are_stored = ARENA_NEW(a, bool, p->n_values + 1);
    if (!c.n_images || !c.formats || !c.origins || !c.are_loaded || !c.are_stored) {
        return nir_stop_memory(answer, 0);
    }
    for (uint32_t i = 0; i < CASE_MAX_SETS; i++) {
        abi->constants[i] = CASE_MAX_SETS;
        for (uint32_t set = 0; set < CASE_MAX_SETS; set++) {
            c.matches[i][set].is_possible = true;
        }
    }
    for (uint32_t i = 0; i < p->n_instructions; i++) {
        see_image(&c, &p->instructions[i]);
        follow(&c, &p->instructions[i]);
    }
    for (uint32_t i = 0; i < p->n_instructions; i++) {
        const struct nir_instruction *const in = &p->instructions[i];
        if (in->kind == NIR_CALL && in->row == NIR_INTRINSIC_ldc_nv && !see_load(&c, in)) {
            return nir_stop(answer, NIR_UNKNOWN, in->line,
                            "the shader names a constant buffer that is not known");
        }
    }
    struct choice choice = {.n = c.n};
    do {
        for (unsigned i = 0; i < 2 && is_possible(&c, &choice); i++) {
            if (i == 0 || is_in_order(&c, &choice)) {
                found[i] = choice;
                n_found[i]++;
            }
        }
    } while (choose_next(&choice));
    unsigned const best = n_found[0] == 1 ? 0 : 1;
    for (uint32_t k = 0; k < c.n && n_found[best] == 1; k++) {
        abi->constants[k] = found[best].set[k];
    }
    return n_found[best] == 1 ||
           nir_stop(answer, NIR_UNKNOWN, 0,
                    "%u choices of sets fit the %u constant buffers of the shader", n_found[0],
                    c.n);
}
