/* oracle/nir/nir_sets.c -- tries all choices of sets; one that alone fits is the right one. */
#include "oracle/nir/nir_sets.h"

#include "oracle/nir/nir_intrinsic.h"

enum {
    DESCRIPTOR_BYTES = 16
};

/* Buffers of a case in one set, in the order of their bindings. */
struct set_buffers {
    uint32_t n;
    bool is_used; /* may the program use any of them? */
    bool is_storage[CASE_MAX_BUFS];
};
static void list_buffers(const struct testcase *tc, const struct nir_program *p,
                         struct set_buffers *sets)
{
    uint32_t const declared = p->header.bindings;
    for (uint32_t i = 0; i < tc->n_bufs; i++) {
        struct set_buffers *const set = &sets[tc->bufs[i].set];
        set->is_storage[set->n++] = tc->bufs[i].kind == BUF_STORAGE;
        set->is_used = set->is_used || declared == 0 || (declared >> i & 1) != 0;
    }
}

/* A choice of a set for each of n things. */
struct choice {
    uint32_t n;
    uint32_t set[CASE_MAX_SETS];
};
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

/* How often a program loads each descriptor, by constant buffer and binding. */
struct uses {
    uint32_t n; /* constant buffers behind the root table */
    uint32_t count[CASE_MAX_SETS][CASE_MAX_BUFS];
};
/* The value of a source; false: it is no constant. */
static bool get_constant(const struct nir_program *p, const struct nir_source *s, uint64_t *out)
{
    const struct nir_value *const v = &p->values[s->value];
    *out = v->is_constant ? p->constants[v->offset + nir_source_component(s, 0)] : 0;
    return v->is_constant;
}

/* false: it names a constant buffer that is not known before it runs, or that no case has. */
static bool count_uses(const struct nir_program *p, struct uses *u)
{
    for (uint32_t i = 0; i < p->n_instructions; i++) {
        const struct nir_instruction *const in = &p->instructions[i];
        if (in->kind != NIR_CALL || in->row != NIR_INTRINSIC_ldc_nv) {
            continue;
        }
        const struct nir_source *const s = &p->sources[in->first];
        uint64_t k = 0, offset = 0;
        if (!get_constant(p, &s[0], &k)) {
            return false;
        }
        if (k == 0) {
            continue;
        }
        bool const is_known = get_constant(p, &s[1], &offset);
        offset += (uint64_t)in->index[NIR_INDEX_base];
        if (!is_known || k > CASE_MAX_SETS || offset / DESCRIPTOR_BYTES >= CASE_MAX_BUFS) {
            return false;
        }
        u->count[k - 1][offset / DESCRIPTOR_BYTES]++;
        u->n = u->n < k ? (uint32_t)k : u->n;
    }
    return true;
}

/* Do these sets have the descriptors that are used, and are they in the driver's order? */
static bool are_in_order(const struct set_buffers *sets, const struct choice *c,
                         const struct uses *u)
{
    uint32_t n_before = UINT32_MAX;
    for (uint32_t k = 0; k < c->n; k++) {
        const struct set_buffers *const set = &sets[c->set[k]];
        uint32_t n = 0;
        for (uint32_t b = 0; b < CASE_MAX_BUFS; b++) {
            if (u->count[k][b] && b >= set->n) {
                return false;
            }
            n += b < set->n && set->is_storage[b] ? u->count[k][b] : 0;
        }
        bool const is_behind = n < n_before || (n == n_before && c->set[k] > c->set[k - 1]);
        if (n == 0 || !is_behind || !set->is_used) {
            return false;
        }
        n_before = n;
    }
    return true;
}
static bool are_different(const struct choice *c)
{
    uint32_t seen = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        if (seen >> c->set[i] & 1) {
            return false;
        }
        seen |= UINT32_C(1) << c->set[i];
    }
    return true;
}

bool nir_sets_of_constants(const struct testcase *tc, const struct nir_program *p, uint32_t *out,
                           struct nir_answer *answer)
{
    struct set_buffers sets[CASE_MAX_SETS] = {{0}};
    struct uses u = {.n = 0};
    uint32_t n_found = 0;
    for (uint32_t i = 0; i < CASE_MAX_SETS; i++) {
        out[i] = CASE_MAX_SETS;
    }
    list_buffers(tc, p, sets);
    if (!count_uses(p, &u)) {
        return nir_stop(answer, NIR_UNKNOWN, 0,
                        "the shader names a constant buffer that is not known");
    }
    struct choice c = {.n = u.n};
    do {
        if (are_different(&c) && are_in_order(sets, &c, &u)) {
            for (uint32_t i = 0; i < c.n; i++) {
                out[i] = c.set[i];
            }
            n_found++;
        }
    } while (choose_next(&c));
    return n_found == 1 ||
           nir_stop(answer, NIR_UNKNOWN, 0,
                    "%u choices of sets fit the %u constant buffers of the shader", n_found, u.n);
}
