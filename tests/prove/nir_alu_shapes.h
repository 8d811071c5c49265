/* tests/prove/nir_alu_shapes.h -- operations that move components, compared by whole programs: included by prove_nir_alu.c, whose
 * jobs and lines it uses. */
#pragma once

#include "oracle/nir/nir.h"

enum {
    SHAPE_LOCAL = 100, /* invocations of a work-group; N_OPERANDS / SHAPE_LOCAL work-groups */
    SHAPE_MAX = 16,    /* components */
    SHAPE_TEXT_BYTES = 4096
};

/* Components that are read and written, and their bits. */
struct shape {
    unsigned n_in, in_bits, n_out, out_bits;
};

static struct shape get_shape(const struct mesa_op *ref, enum nir_shape kind, unsigned n_bits)
{
    unsigned const in = ref->in_type[0] & MESA_WIDTH, out = ref->out_type & MESA_WIDTH;
    return (struct shape){.n_in = kind == NIR_VECTOR ? ref->n_inputs : ref->n_in[0],
                          .in_bits = in ? in : n_bits,
                          .n_out = ref->n_out,
                          .out_bits = out ? out : n_bits};
}

/* A program that loads each invocation's components, applies the operation and stores what comes of it. */
static void write_program(const char *name, enum nir_shape kind, const struct shape *x, char *text)
{
    size_t n = (size_t)snprintf(
        text, SHAPE_TEXT_BYTES,
        "workgroup_size: %d, 1, 1\nsubgroup_size: 0\nimpl main {\nblock b0:\n"
        "32x3 %%1 = @load_workgroup_id\n32x3 %%2 = @load_local_invocation_id\n"
        "32 %%3 = load_const (%d)\n32 %%4 = imul %%1.x, %%3\n32 %%5 = iadd %%4, %%2.x\n"
        "32 %%6 = load_const (%u)\n32 %%7 = imul %%5, %%6\n32x2 %%8 = load_const (0x1, 0x0)\n"
        "32 %%9 = load_const (%u)\n32 %%10 = imul %%5, %%9\n32x2 %%11 = load_const (0x1, 0x1)\n"
        "%ux%u %%12 = @load_ssbo (%%8, %%7)\n%ux%u %%13 = %s ",
        SHAPE_LOCAL, SHAPE_LOCAL, x->n_in * x->in_bits / 8, x->n_out * x->out_bits / 8, x->in_bits,
        x->n_in, x->out_bits, x->n_out, name);
    for (unsigned c = 0; c < (kind == NIR_VECTOR ? x->n_in : 1); c++) {
        const char *const letters = x->n_in > 4 ? "abcdefghijklmnop" : "xyzw";
        n += (size_t)snprintf(text + n, SHAPE_TEXT_BYTES - n, "%s%%12", c ? ", " : "");
        if (kind == NIR_VECTOR) {
            n += (size_t)snprintf(text + n, SHAPE_TEXT_BYTES - n, ".%c", letters[c]);
        }
    }
    (void)snprintf(text + n, SHAPE_TEXT_BYTES - n, "\n@store_ssbo (%%13, %%11, %%10)\n}\n");
}

/* Runs the program on random components. False: a sentence is on standard output. */
static bool run_program(const char *text, const struct shape *x, struct arena *a,
                        const unsigned char **in, const unsigned char **out)
{
    struct testcase tc = {
        .env = ENV_VK, .local = {SHAPE_LOCAL, 1, 1},
             .global = {N_OPERANDS,  1, 1},
             .n_bufs = 2
    };
    struct nir_request const q = {
        .text = text, .n_bytes = strlen(text), .driver = NIR_DRIVER_LAVAPIPE, .subgroup_size = 4};
    struct observation ob;
    struct nir_answer answer;
    struct rng rng = rng_seed(ALU_SEED);
    for (uint32_t i = 0; i < 2; i++) {
        unsigned const bits = i ? x->n_out * x->out_bits : x->n_in * x->in_bits;
        tc.bufs[i] = (struct buf){.kind = BUF_STORAGE, .n_bytes = bits / 8 * N_OPERANDS};
        tc.bufs[i].data = arena_take(a, tc.bufs[i].n_bytes);
        if (!tc.bufs[i].data) {
            return false;
        }
    }
    for (uint32_t k = 0; k + 8 <= tc.bufs[0].n_bytes; k += 8) {
        store_le(tc.bufs[0].data + k, rng_next(&rng), 8);
    }
    if (!nir_run(&q, &tc, a, &ob, &answer)) {
        printf("%s\n", answer.text);
        return false;
    }
    *in = tc.bufs[0].data;
    *out = ob.out[1];
    return true;
}

/* Operands for which the folder gives another component than the program. */
static struct count compare_shape(const struct mesa_folder *m, unsigned op, enum nir_shape kind,
                                  const struct shape *x, const unsigned char *in,
                                  const unsigned char *out)
{
    struct count c = {.n = N_OPERANDS};
    unsigned const in_bytes = x->in_bits / 8, out_bytes = x->out_bits / 8;
    for (uint32_t i = 0; i < N_OPERANDS; i++) {
        union mesa_value values[SHAPE_MAX], results[SHAPE_MAX], *pointers[SHAPE_MAX];
        bool is_equal = true;
        memset(results, 0, sizeof results);
        for (unsigned k = 0; k < x->n_in; k++) {
            values[k].bits = load_le(in + ((size_t)i * x->n_in + k) * in_bytes, in_bytes);
            pointers[k] = &values[kind == NIR_VECTOR ? k : 0];
        }
        m->eval(op, results, x->n_out, kind == NIR_VECTOR ? x->in_bits : 32, pointers, 0);
        for (unsigned k = 0; k < x->n_out; k++) {
            uint64_t const ours = load_le(out + ((size_t)i * x->n_out + k) * out_bytes, out_bytes);
            is_equal = is_equal && ours == (results[k].bits & nir_mask(x->out_bits));
        }
        c.n_differing += !is_equal;
    }
    return c;
}

/* An operation at each width that it has. */
static void prove_shape(const struct mesa_folder *m, enum nir_op op, unsigned reference,
                        struct lines *l)
{
    static char text[SHAPE_TEXT_BYTES];
    const struct nir_op_row *const row = &nir_op_rows[op];
    struct arena a;
    arena_init(&a, (size_t)1 << 30);
    for (unsigned n_bits = 8; n_bits <= 64; n_bits *= 2) {
        struct shape const x = get_shape(&m->ops[reference], row->shape, n_bits);
        const unsigned char *in = NULL, *out = NULL;
        char key[80];
        (void)snprintf(key, sizeof key, "%s\t%u\t%u\t0x0", row->name, x.out_bits, x.in_bits);
        arena_reset(&a);
        write_program(row->name, row->shape, &x, text);
        if ((row->shape == NIR_VECTOR || n_bits == 8) && !has_line(l, key) &&
            run_program(text, &x, &a, &in, &out)) {
            struct count const c = compare_shape(m, reference, row->shape, &x, in, out);
            put_line(l, key, &c, NULL);
        }
    }
    arena_free(&a);
}
