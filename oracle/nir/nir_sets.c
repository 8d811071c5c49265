/* oracle/nir/nir_sets.c -- tries all choices of sets; one that alone fits is the right one. */
#include "oracle/nir/nir_sets.h"

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

static bool have_descriptors(const struct set_buffers *sets, const struct choice *c,
                             const uint32_t *n_bytes)
{
    for (uint32_t i = 0; i < c->n; i++) {
        bool const is_far_enough = DESCRIPTOR_BYTES * sets[c->set[i]].n >= n_bytes[i];
        if (!sets[c->set[i]].is_used || !is_far_enough || (i && c->set[i] <= c->set[i - 1])) {
            return false;
        }
    }
    return true;
}

bool nir_sets_of_pointers(const struct testcase *tc, const struct nir_program *p,
                          const uint32_t *n_bytes, uint32_t n, uint32_t *out,
                          struct nir_answer *answer)
{
    struct set_buffers sets[CASE_MAX_SETS] = {{0}};
    struct choice c = {.n = n};
    uint32_t n_found = 0;
    if (n > CASE_MAX_SETS) {
        return nir_stop(answer, NIR_UNKNOWN, 0, "the shader has pointers to %u sets", n);
    }
    list_buffers(tc, p, sets);
    do {
        if (have_descriptors(sets, &c, n_bytes)) {
            for (uint32_t i = 0; i < n; i++) {
                out[i] = c.set[i];
            }
            n_found++;
        }
    } while (choose_next(&c));
    return n_found == 1 ||
           nir_stop(answer, NIR_UNKNOWN, 0, "%u choices of sets fit the %u pointers of the shader",
                    n_found, n);
}
