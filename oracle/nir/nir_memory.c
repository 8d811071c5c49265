/* oracle/nir/nir_memory.c -- addresses of each space, and what is done there. */
#include "oracle/nir/nir_memory.h"

#include <string.h>

#include "oracle/nir/nir_abi.h"
#include "oracle/nir/nir_answer.h"
#include "oracle/nir/nir_op.h"
#include "oracle/nir/nir_word.h"

/* One element that an invocation accesses. */
struct access {
    uint32_t lane;
    uint32_t first;   /* the first operand of the address */
    uint32_t element; /* which component of the value */
    uint32_t n_bytes; /* of an element */
};
/* The memory of an element. */
struct found {
    unsigned char *bytes; /* NULL: beyond the end of a buffer */
    bool is_written;      /* may it be written? */
};

static uint64_t get_operand(const struct nir_step *s, const struct access *x, uint32_t k)
{
    return nir_step_source(s, x->first + k, 0)[x->lane];
}

static bool stop_at(const struct nir_step *s, const char *space, uint64_t address)
{
    return nir_stop(s->m->answer, NIR_STUCK, s->in->line, "%s: there is no %s memory at 0x%llx",
                    s->row->name, space, (unsigned long long)address);
}

/* n bytes at an offset within a region that bounds them. */
static struct found find_within(const struct nir_region *r, uint64_t offset, uint32_t n)
{
    bool const is_inside = offset <= r->n_bytes && n <= r->n_bytes - offset;
    return (struct found){is_inside ? r->bytes + offset : NULL, r->is_written};
}

/* By descriptor, number or handle of a buffer: the first operand; the second one is an offset in it. */
static bool find_bounded(const struct nir_step *s, const struct access *x, struct found *out)
{
    const struct nir_abi *const abi = s->m->abi;
    uint64_t const name = get_operand(s, x, 0);
    const struct nir_region *r = NULL;
    uint64_t const shift = (uint64_t)s->in->index[NIR_INDEX_offset_shift] & 31;
    uint64_t const offset = (get_operand(s, x, s->row->form == NIR_SPACE_PUSH ? 0 : 1) << shift) +
                            (uint64_t)s->in->index[NIR_INDEX_base] +
                            (uint64_t)x->element * x->n_bytes;
    if (s->row->form == NIR_SPACE_PUSH) {
        r = &abi->push;
    } else if (s->row->form == NIR_SPACE_CONSTANT_NV) {
        r = nir_abi_find_constant(abi, name);
    } else if (s->row->form == NIR_SPACE_HANDLE_NV) {
        r = nir_abi_find_handle(abi, name);
    } else {
        uint64_t words[4] = {name};
        uint32_t const n = nir_step_components(s, x->first);
        for (uint32_t c = 1; c < n && c < ARRAY_N(words); c++) {
            words[c] = nir_step_source(s, x->first, c)[x->lane];
        }
        r = nir_abi_find_descriptor(abi, words, n);
    }
    if (!r) {
        return nir_stop(s->m->answer, NIR_STUCK, s->in->line,
                        "%s: no buffer has the descriptor 0x%llx", s->row->name,
                        (unsigned long long)name);
    }
    *out = find_within(r, offset, x->n_bytes);
    return true;
}

/* In the memory of the work-group or of the invocation. */
static bool find_local(const struct nir_step *s, const struct access *x, struct found *out)
{
    enum nir_space const space = (enum nir_space)s->row->form;
    bool const is_scratch =
        space == NIR_SPACE_SCRATCH || space == NIR_SPACE_SCRATCH_NV || space == NIR_SPACE_VARIABLE;
    bool const has_second = space == NIR_SPACE_SCRATCH_NV || space == NIR_SPACE_SHARED_NV;
    uint64_t const shift = (uint64_t)s->in->index[NIR_INDEX_offset_shift_nv] & 31;
    uint64_t offset = (get_operand(s, x, 0) << shift) + (uint64_t)s->in->index[NIR_INDEX_base];
    if (has_second) {
        offset += get_operand(s, x, 1);
    }
    if (space == NIR_SPACE_SHARED_PAIR) {
        int64_t const step = s->in->index[x->element ? NIR_INDEX_offset1 : NIR_INDEX_offset0];
        offset += (uint64_t)step * x->n_bytes * (s->in->index[NIR_INDEX_st64] ? 64 : 1);
    } else {
        offset += (uint64_t)x->element * x->n_bytes;
    }
    offset &= UINT32_MAX; /* addresses of these spaces have 32 bits */
    uint32_t const size = is_scratch ? s->m->scratch_bytes : NIR_MAX_SHARED_BYTES;
    unsigned char *const bytes = is_scratch ? s->g->scratch + (size_t)x->lane * size : s->m->shared;
    bool const is_inside = offset <= size && x->n_bytes <= size - offset;
    /* A compiler may load from anywhere what no one looks at: it stores where the program says alone. */
    if (!is_inside && s->row->run != NIR_RUN_load) {
        return stop_at(s, is_scratch ? "scratch" : "shared", offset);
    }
    *out = (struct found){is_inside ? bytes + offset : NULL, true};
    return true;
}

static bool find(const struct nir_step *s, const struct access *x, struct found *out)
{
    switch ((enum nir_space)s->row->form) {
    case NIR_SPACE_STORAGE:
    case NIR_SPACE_CONSTANT_NV:
    case NIR_SPACE_HANDLE_NV:
    case NIR_SPACE_PUSH:
        return find_bounded(s, x, out);
    case NIR_SPACE_SHARED:
    case NIR_SPACE_SHARED_NV:
    case NIR_SPACE_SHARED_PAIR:
    case NIR_SPACE_SCRATCH:
    case NIR_SPACE_SCRATCH_NV:
    case NIR_SPACE_VARIABLE:
        return find_local(s, x, out);
    case NIR_SPACE_ADDRESS:
    case NIR_SPACE_GLOBAL: {
        bool const has_second = s->row->form == NIR_SPACE_GLOBAL;
        uint64_t const address = get_operand(s, x, 0) + (has_second ? get_operand(s, x, 1) : 0) +
                                 (uint64_t)s->in->index[NIR_INDEX_base] +
                                 (uint64_t)x->element * x->n_bytes;
        const struct nir_region *const r = nir_abi_find(s->m->abi, address, x->n_bytes);
        if (!r) {
            return stop_at(s, "global", address);
        }
        *out = find_within(r, address - r->address, x->n_bytes);
        return true;
    }
    }
    return true;
}

/* Bytes of an element of n_bits; 0, and the answer says so: such a value has no bytes. */
static uint32_t get_bytes(const struct nir_step *s, unsigned n_bits)
{
    if (s->row->form == NIR_SPACE_VARIABLE) {
        return NIR_SLOT_BYTES;
    }
    if (n_bits < 8) {
        (void)nir_stop(s->m->answer, NIR_BROKEN, s->in->line,
                       "a truth value has no form in memory");
    }
    return n_bits / 8;
}

bool nir_run_load(const struct nir_step *s)
{
    const struct nir_value *const v = nir_step_result(s);
    uint32_t const n_bytes = get_bytes(s, v->n_bits);
    bool const has_predicate = s->row->n_sources == 3;
    if (n_bytes == 0) {
        return false;
    }
    for (uint32_t i = 0; i < s->g->n_active; i++) {
        uint32_t const lane = s->g->active[i];
        bool const is_done = !has_predicate || nir_step_source(s, 2, 0)[lane] != 0;
        for (uint32_t c = 0; c < v->n_components; c++) {
            struct access const x = {lane, 0, c, n_bytes};
            struct found at = {NULL, false};
            if (is_done && !find(s, &x, &at)) {
                return false;
            }
            nir_step_out(s, c)[lane] =
                at.bytes ? load_le(at.bytes, n_bytes) & nir_mask(v->n_bits) : 0;
        }
    }
    return true;
}

static bool refuse_write(const struct nir_step *s)
{
    return nir_stop(s->m->answer, NIR_STUCK, s->in->line,
                    "%s: a buffer is written that is constant", s->row->name);
}

bool nir_run_store(const struct nir_step *s)
{
    uint32_t const value = s->row->form == NIR_SPACE_VARIABLE ? 1 : 0; /* number of the operand */
    uint32_t const n_bytes = get_bytes(s, nir_step_bits(s, value));
    int64_t const mask = s->in->index[NIR_INDEX_wrmask];
    if (n_bytes == 0) {
        return false;
    }
    for (uint32_t i = 0; i < s->g->n_active; i++) {
        uint32_t const lane = s->g->active[i];
        for (uint32_t c = 0; c < nir_step_components(s, value); c++) {
            struct access const x = {lane, 1 - value, c, n_bytes};
            struct found at = {NULL, false};
            if (mask && !(mask >> c & 1)) {
                continue;
            }
            if (!find(s, &x, &at)) {
                return false;
            }
            if (at.bytes && !at.is_written) {
                return refuse_write(s);
            }
            if (at.bytes) {
                store_le(at.bytes, nir_step_source(s, value, c)[lane], n_bytes);
            }
        }
    }
    return true;
}

bool nir_compute_atomic(const struct nir_step *s, uint64_t old, uint64_t data, uint64_t other,
                        uint64_t *out)
{
    const char *const name = s->row->name;
    int64_t const word = s->in->index[NIR_INDEX_atomic_op];
    *out = data;
    if (word == NIR_WORD_xchg) {
        return true;
    }
    if (word == NIR_WORD_cmpxchg) {
        *out = old == data ? other : old;
        return true;
    }
    return nir_combine(&s->m->modes, (unsigned)word, nir_step_result(s)->n_bits, old, data, out) ||
           nir_stop_unknown(s->m->answer, s->in->line, "operation of", name, strlen(name));
}

/* The atomic of one element. Data are the operands behind the address: one, or two of a comparison with exchange. */
static bool run_atomic(const struct nir_step *s, const struct access *x)
{
    bool const is_exchange = s->in->index[NIR_INDEX_atomic_op] == NIR_WORD_cmpxchg;
    uint32_t const last = s->row->n_sources - 1;
    uint64_t const data = nir_step_source(s, is_exchange ? last - 1 : last, x->element)[x->lane];
    uint64_t const other = nir_step_source(s, last, x->element)[x->lane];
    struct found at = {NULL, false};
    uint64_t old = 0, left = 0;
    if (!find(s, x, &at)) {
        return false;
    }
    if (at.bytes && !at.is_written) {
        return refuse_write(s);
    }
    old = at.bytes ? load_le(at.bytes, x->n_bytes) : 0;
    if (!nir_compute_atomic(s, old, data, other, &left)) {
        return false;
    }
    if (at.bytes) {
        store_le(at.bytes, left, x->n_bytes);
    }
    nir_step_out(s, x->element)[x->lane] = old;
    return true;
}

bool nir_run_atomic(const struct nir_step *s)
{
    const struct nir_value *const v = nir_step_result(s);
    uint32_t const n_bytes = get_bytes(s, v->n_bits);
    if (n_bytes == 0) {
        return false;
    }
    if (nir_step_components(s, s->row->n_sources - 1) < v->n_components) {
        return nir_stop(s->m->answer, NIR_BROKEN, s->in->line,
                        "the result has more components than the data");
    }
    for (uint32_t i = 0; i < s->g->n_active; i++) {
        for (uint32_t c = 0; c < v->n_components; c++) { /* of a vector each component by itself */
            struct access const x = {s->g->active[i], 0, c, n_bytes};
            if (!run_atomic(s, &x)) {
                return false;
            }
        }
    }
    return true;
}

bool nir_run_append(const struct nir_step *s)
{
    enum {
        WORD_BYTES = 4
    };
    uint64_t const offset = (uint64_t)s->in->index[NIR_INDEX_base];
    if (nir_step_result(s)->n_bits != 8 * WORD_BYTES ||
        offset > NIR_MAX_SHARED_BYTES - WORD_BYTES) {
        return stop_at(s, "shared", offset);
    }
    uint64_t const old = load_le(s->m->shared + offset, WORD_BYTES);
    store_le(s->m->shared + offset, old + (uint64_t)((int64_t)s->row->form * s->g->n_active),
             WORD_BYTES);
    for (uint32_t i = 0; i < s->g->n_active; i++) {
        nir_step_out(s, 0)[s->g->active[i]] = old;
    }
    return true;
}
