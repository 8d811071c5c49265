/* oracle/nir/nir_machine.h -- the state of a program that runs: values, where each invocation stands, memory. */
#pragma once

#include "oracle/nir_driver/nir_abi.h"
#include "oracle/nir_text/nir_float.h"

struct nir_watch; /* oracle/nir/nir_trace.h */

/* One sub-group of a work-group, between two steps. */
struct nir_subgroup {
    uint32_t number; /* in the work-group */
    uint32_t
        n_lanes; /* invocations that there are: fewer than the size at the end of a work-group */
    uint64_t *values;                  /* [n_components][size] of the program's values */
    unsigned char *scratch;            /* [size][scratch_bytes] */
    uint32_t block[CASE_MAX_SUBGROUP]; /* where each invocation stands, NIR_END: it has ended */
    uint32_t order
        [CASE_MAX_SUBGROUP]; /* the invocations whose number is lowest go on first: nir_exec.c */
    uint32_t previous[CASE_MAX_SUBGROUP]; /* number of the block that it came from */
    /* Of an invocation that waits for others of the sub-group the instruction behind the one that it waits at; else 0. */
    uint32_t meets[CASE_MAX_SUBGROUP];
    /* What goes on next, if it waits at a barrier: */
    bool is_waiting;
    uint32_t at;                       /* the instruction behind it */
    uint32_t n_active;                 /* the invocations that are in that block */
    uint8_t active[CASE_MAX_SUBGROUP]; /* ascending */
};
struct nir_machine {
    const struct nir_program *p;
    struct nir_modes modes;
    struct nir_abi *abi;
    struct nir_answer *answer;
    uint32_t size; /* of a sub-group */
    const struct dispatch *dispatch;
    uint32_t group[3];
    uint32_t n_in_group;
    unsigned char *shared;   /* [NIR_MAX_SHARED_BYTES] */
    uint32_t scratch_bytes;  /* with variables */
    uint32_t variable_begin; /* where these begin */
    uint64_t *sink;          /* [size] room for one component */
    uint64_t n_steps_left;
    struct nir_watch *watch; /* NULL: nothing is traced */
};
/* An intrinsic that a sub-group executes. */
struct nir_step {
    struct nir_machine *m;
    struct nir_subgroup *g;
    const struct nir_instruction *in;
    const struct nir_intrinsic_row *row;
};
/* Component c of source number k by invocation. */
static inline const uint64_t *nir_step_source(const struct nir_step *s, uint32_t k, uint32_t c)
{
    const struct nir_program *const p = s->m->p;
    const struct nir_source *const source = &p->sources[s->in->first + k];
    uint32_t const component = nir_source_component(source, c);
    return &s->g->values[(size_t)(p->values[source->value].offset + component) * s->m->size];
}
/* How many components source number k has, and the bits of each. */
static inline uint32_t nir_step_components(const struct nir_step *s, uint32_t k)
{
    const struct nir_source *const source = &s->m->p->sources[s->in->first + k];
    return source->n ? source->n : s->m->p->values[source->value].n_components;
}
static inline unsigned nir_step_bits(const struct nir_step *s, uint32_t k)
{
    return s->m->p->values[s->m->p->sources[s->in->first + k].value].n_bits;
}
/* The type of the result, and its component c by invocation. */
static inline const struct nir_value *nir_step_result(const struct nir_step *s)
{
    return &s->m->p->values[s->in->value];
}
static inline uint64_t *nir_step_out(const struct nir_step *s, uint32_t c)
{
    return &s->g->values[(size_t)(nir_step_result(s)->offset + c) * s->m->size];
}
