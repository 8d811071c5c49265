/* oracle/nir/nir_memory.c -- addresses of each space, and what is done there. */
#include "oracle/nir/nir_memory.h"

#include <string.h>

#include "oracle/nir/nir_trace.h"
#include "oracle/nir_driver/nir_abi.h"
#include "oracle/nir_driver/nir_region.h"
#include "oracle/nir_driver/nir_rules.h"
#include "oracle/nir_text/nir_answer.h"
#include "oracle/nir_text/nir_intrinsic.h"
#include "oracle/nir_text/nir_op.h"
#include "oracle/nir_text/nir_word.h"

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
    bool const is_push = s->row->form == NIR_SPACE_PUSH;
    uint64_t const offset = (get_operand(s, x, is_push ? 0 : 1) << shift) +
                            (uint64_t)s->in->index[NIR_INDEX_base] +
                            (uint64_t)x->element * x->n_bytes;
    if (is_push) {
        r = &abi->push;
    } else if (s->row->form != NIR_SPACE_STORAGE) {
        r = abi->rules->find_constant
                ? abi->rules->find_constant(abi, (enum nir_space)s->row->form, name)
                : NULL;
    } else {
        uint64_t words[4] = {name};
        uint32_t const n = nir_step_components(s, x->first);
        for (uint32_t c = 1; c < n && c < ARRAY_N(words); c++) {
            words[c] = nir_step_source(s, x->first, c)[x->lane];
        }
        r = abi->rules->find_buffer(abi, words, n);
    }
    if (!r) {
        return nir_stop(s->m->answer, NIR_STUCK, s->in->line,
                        "%s: no buffer has the descriptor 0x%llx", s->row->name,
                        (unsigned long long)name);
    }
    *out = find_within(r, offset, x->n_bytes);
    return true;
}

/* In a variable of the invocation, which lies behind the scratch memory. */
static uint64_t get_variable_offset(const struct nir_step *s, const struct access *x)
{
    return s->m->variable_begin + (get_operand(s, x, 0) + x->element) * NIR_VARIABLE_BYTES;
}

/* In the memory of the work-group or of the invocation. */
static bool find_local(const struct nir_step *s, const struct access *x, struct found *out)
{
    enum nir_space const space = (enum nir_space)s->row->form;
    bool const is_variable = space == NIR_SPACE_VARIABLE;
    bool const is_scratch =
        space == NIR_SPACE_SCRATCH || space == NIR_SPACE_SCRATCH_NV || is_variable;
    bool const has_second = space == NIR_SPACE_SCRATCH_NV || space == NIR_SPACE_SHARED_NV;
    uint64_t const shift = (uint64_t)s->in->index[NIR_INDEX_offset_shift_nv] & 31;
    uint64_t offset = (get_operand(s, x, 0) << shift) + (uint64_t)s->in->index[NIR_INDEX_base];
    if (has_second) {
        offset += get_operand(s, x, 1);
    }
    if (is_variable) {
        offset = get_variable_offset(s, x);
    } else if (space == NIR_SPACE_SHARED_PAIR) {
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

/* Honeykrisp's uniforms. Texture and image state, which `class` names, is none of them. */
static bool find_uniform(const struct nir_step *s, const struct access *x, struct found *out)
{
    const struct nir_region *const r = &s->m->abi->uniforms;
    uint64_t const offset =
        2 * (uint64_t)s->in->index[NIR_INDEX_base] + (uint64_t)x->element * x->n_bytes;
    *out = find_within(r, offset, x->n_bytes);
    out->is_written = true;
    return out->bytes != NULL || stop_at(s, "uniform", offset);
}

/* Where an access of the GPU's own memory goes to. */
static uint64_t get_address(const struct nir_step *s, const struct access *x)
{
    uint64_t const first = get_operand(s, x, 0), element = (uint64_t)x->element * x->n_bytes;
    uint64_t const base = (uint64_t)s->in->index[NIR_INDEX_base];
    uint64_t const shift = (uint64_t)s->in->index[NIR_INDEX_offset_shift] & 31;
    if (s->row->form == NIR_SPACE_AGX) {
        unsigned const n_bits = nir_step_bits(s, x->first + 1);
        uint64_t const index = get_operand(s, x, 1);
        uint64_t const wide = s->in->index[NIR_INDEX_sign_extend] && n_bits < 64
                                  ? (uint64_t)nir_sign_extend(index, n_bits)
                                  : index;
        return first + ((wide << (base & 31)) * x->n_bytes) + element;
    }
    if (s->row->form == NIR_SPACE_ADDRESS) {
        return first + base + element;
    }
    bool const is_last = s->row->form == NIR_SPACE_GLOBAL_LAST;
    uint32_t const second = is_last ? s->row->n_sources - 1 - x->first : 1;
    return first + base + element + (get_operand(s, x, second) << shift);
}

static bool find(const struct nir_step *s, const struct access *x, struct found *out)
{
    switch ((enum nir_space)s->row->form) {
    case NIR_SPACE_UNIFORM:
        return find_uniform(s, x, out);
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
    case NIR_SPACE_AGX:
    case NIR_SPACE_ADDRESS:
    case NIR_SPACE_GLOBAL:
    case NIR_SPACE_GLOBAL_LAST: {
        const struct nir_rules *const rules = s->m->abi->rules;
        uint64_t const address = get_address(s, x);
        const struct nir_region *const r = nir_region_find(s->m->abi, address, x->n_bytes);
        if (!r && rules->loads_zero && s->row->run == NIR_RUN_load) {
            *out =
                (struct found){NULL, false}; /* the chip gives 0, and its compiler counts on it */
            return true;
        }
        if (!r) {
            return stop_at(s, "global", address);
        }
        if (rules->is_hidden && s->row->form == NIR_SPACE_AGX &&
            rules->is_hidden(s->m->abi, r, address - r->address)) {
            return nir_stop_unknown(s->m->answer, s->in->line, "descriptor of", "layers",
                                    strlen("layers"));
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
    int64_t const format = s->in->index[NIR_INDEX_format];
    if (s->row->form == NIR_SPACE_VARIABLE) {
        return NIR_VARIABLE_BYTES;
    }
    if (s->row->form == NIR_SPACE_UNIFORM && n_bits < 16) {
        return 2;
    }
    if (s->row->form == NIR_SPACE_AGX && s->row->run != NIR_RUN_atomic && format) {
        return format == NIR_WORD_r8_uint ? 1 : format == NIR_WORD_r16_uint ? 2 : 4;
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
            uint64_t const value = at.bytes ? load_le(at.bytes, n_bytes) : 0;
            nir_step_out(s, c)[lane] = value & nir_mask(v->n_bits);
        }
    }
    return true;
}

static bool refuse_write(const struct nir_step *s)
{
    return nir_stop(s->m->answer, NIR_STUCK, s->in->line,
                    "%s: a buffer is written that is constant", s->row->name);
}

/* A descriptor becomes one of those that accesses of images name by number. Each has two of the units that `base` counts. */
static bool store_state(const struct nir_step *s)
{
    int64_t const number = s->in->index[NIR_INDEX_base] / 2;
    if (number < 0 || number >= NIR_MAX_STATES) {
        return stop_at(s, "state", (uint64_t)number);
    }
    s->m->abi->states[number] = nir_step_source(s, 0, 0)[s->g->active[0]];
    return true;
}

bool nir_run_store(const struct nir_step *s)
{
    uint32_t const value = nir_intrinsic_get_data(s->row), first = 1 - value;
    uint32_t const n_bytes = get_bytes(s, nir_step_bits(s, value));
    int64_t const mask = s->in->index[NIR_INDEX_wrmask];
    if (s->in->index[NIR_INDEX_class] != 0) {
        return store_state(s);
    }
    if (n_bytes == 0) {
        return false;
    }
    for (uint32_t i = 0; i < s->g->n_active; i++) {
        uint32_t const lane = s->g->active[i];
        for (uint32_t c = 0; c < nir_step_components(s, value); c++) {
            struct access const x = {lane, first, c, n_bytes};
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
                nir_see_write(s, x.lane, at.bytes, x.n_bytes);
            }
        }
    }
    return true;
}

bool nir_memory_combine(const struct nir_step *s, uint32_t c, uint32_t lane, uint64_t old,
                        uint64_t *out)
{
    int64_t const word = s->in->index[NIR_INDEX_atomic_op];
    bool const is_exchange = word == NIR_WORD_cmpxchg;
    uint32_t const last = nir_intrinsic_get_data(s->row);
    uint64_t const data = nir_step_source(s, is_exchange ? last - 1 : last, c)[lane];
    *out = data;
    if (word == NIR_WORD_xchg) {
        return true;
    }
    if (is_exchange) {
        *out = old == data ? nir_step_source(s, last, c)[lane] : old;
        return true;
    }
    const char *const name = s->row->name;
    return nir_combine(&s->m->modes, (unsigned)word, nir_step_result(s)->n_bits, old, data, out) ||
           nir_stop_unknown(s->m->answer, s->in->line, "operation of", name, strlen(name));
}

/* The atomic of one element. Data are the operands behind the address: one, or two of a comparison with exchange. */
static bool run_atomic(const struct nir_step *s, const struct access *x)
{
    struct found at = {NULL, false};
    uint64_t old = 0, left = 0;
    if (!find(s, x, &at)) {
        return false;
    }
    if (at.bytes && !at.is_written) {
        return refuse_write(s);
    }
    old = at.bytes ? load_le(at.bytes, x->n_bytes) : 0;
    if (!nir_memory_combine(s, x->element, x->lane, old, &left)) {
        return false;
    }
    if (at.bytes) {
        store_le(at.bytes, left, x->n_bytes);
        nir_see_write(s, x->lane, at.bytes, x->n_bytes);
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
    if (nir_step_components(s, nir_intrinsic_get_data(s->row)) < v->n_components) {
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

bool nir_run_lock(const struct nir_step *s)
{
    bool const is_load = s->row->n_sources == 1;
    const struct nir_value *const v = nir_step_result(s);
    uint32_t const n_bytes = get_bytes(s, is_load ? v->n_bits : nir_step_bits(s, 0));
    if (n_bytes == 0 || (is_load && v->n_components != 2)) {
        return n_bytes != 0 && nir_stop(s->m->answer, NIR_BROKEN, s->in->line,
                                        "what a load with a lock gives is not a pair");
    }
    for (uint32_t i = 0; i < s->g->n_active; i++) {
        uint32_t const lane = s->g->active[i];
        struct access const x = {lane, is_load ? 0 : 1, 0, n_bytes};
        struct found at = {NULL, false};
        bool is_free = true;
        if (!find(s, &x, &at)) {
            return false;
        }
        for (uint32_t k = 0; is_load && k < i; k++) {
            is_free = is_free &&
                      nir_step_source(s, 0, 0)[s->g->active[k]] != nir_step_source(s, 0, 0)[lane];
        }
        if (is_load) {
            nir_step_out(s, 0)[lane] = at.bytes ? load_le(at.bytes, n_bytes) : 0;
            nir_step_out(s, 1)[lane] = is_free;
            continue;
        }
        if (at.bytes) {
            store_le(at.bytes, nir_step_source(s, 0, 0)[lane], n_bytes);
            nir_see_write(s, lane, at.bytes, n_bytes);
        }
        nir_step_out(s, 0)[lane] = 1;
    }
    return true;
}

bool nir_run_address(const struct nir_step *s)
{
    uint64_t const stride = (uint64_t)s->in->index[NIR_INDEX_stride];
    for (uint32_t i = 0; i < s->g->n_active; i++) {
        uint32_t const lane = s->g->active[i];
        uint64_t at = (uint64_t)s->in->index[NIR_INDEX_base];
        if (s->row->n_sources >= 1) {
            at += nir_step_source(s, 0, 0)[lane];
        }
        if (s->row->n_sources == 2) {
            at += nir_step_source(s, 1, 0)[lane] * stride;
        }
        nir_step_out(s, 0)[lane] = at & nir_mask(nir_step_result(s)->n_bits);
    }
    return true;
}
