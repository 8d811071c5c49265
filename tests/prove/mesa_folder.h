/* tests/prove/mesa_folder.h -- the constant folder of Mesa's NIR, from a shared library that exports it (tinymesa). */
#pragma once

#include <dlfcn.h>
#include <fenv.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What an operand or result is: bits of Mesa's nir_alu_type, beside the width, which is 0 where the operation has it in
 * several. */
enum mesa_type {
    MESA_INT = 2,
    MESA_UINT = 4,
    MESA_BOOL = 6,
    MESA_FLOAT = 128,
    MESA_BASE = 0x86,
    MESA_WIDTH = 0x79
};
enum {
    MESA_MAX_OPS = 1024,
    MESA_MAX_INPUTS = 16
};
/* nir_op_info of Mesa 25.2. */
struct mesa_op {
    const char *name;
    uint8_t n_inputs, n_out; /* components of the result; 0: each component by itself */
    uint8_t out_type;
    uint8_t n_in[MESA_MAX_INPUTS];
    uint8_t in_type[MESA_MAX_INPUTS];
    uint32_t algebra;
    bool is_conversion;
};
/* nir_const_value: a union of which we take the bits. */
union mesa_value {
    uint64_t bits;
    unsigned char bytes[8];
};
typedef void mesa_eval(unsigned op, union mesa_value *out, unsigned n_components, unsigned n_bits,
                       union mesa_value **in, unsigned float_controls);
struct mesa_folder {
    const struct mesa_op *ops; /* sorted by name */
    unsigned n_ops;
    mesa_eval *eval;
    unsigned
        shift; /* bits of float controls below those that 26.2 has: 9 in 25.2, which tell infinities, NaN and signs */
    bool changes_mode; /* the library was linked so that it flushes subnormals: that is undone */
};

/* The number of an operation; -1: this Mesa has none of that name. */
static inline int mesa_find(const struct mesa_folder *m, const char *name)
{
    for (unsigned i = 0; i < m->n_ops; i++) {
        if (strcmp(m->ops[i].name, name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

/* Numbers of components as large as NIR has them, and a name: so no other bytes are taken for a row. */
static inline bool mesa_is_row(const struct mesa_op *op, const char *previous)
{
    return op->name && op->n_inputs >= 1 && op->n_inputs <= MESA_MAX_INPUTS && op->n_out <= 16 &&
           (op->algebra & ~UINT32_C(0xff)) == 0 && strcmp(op->name, previous) > 0;
}

/* Calls the folder on one component of two operands. */
static inline uint64_t mesa_fold_two(const struct mesa_folder *m, const char *name, unsigned n_bits,
                                     const uint64_t *args, uint32_t controls)
{
    union mesa_value a = {.bits = args[0]}, b = {.bits = args[1]}, out = {.bits = 0};
    union mesa_value *in[] = {&a, &b};
    int const op = mesa_find(m, name);
    if (op >= 0) {
        m->eval((unsigned)op, &out, 1, n_bits, in, controls);
    }
    return out.bits;
}

/* Does the function take its arguments as we think it does, and where are the bits of float controls? */
static inline bool mesa_try(struct mesa_folder *m)
{
    uint32_t const flush_f32 = 0x10;
    if (mesa_fold_two(m, "iadd", 32, (const uint64_t[]){40, 2}, 0) != 42) {
        return false;
    }
    for (m->shift = 0; m->shift < 16; m->shift++) {
        uint64_t const tiny[] = {5, 0};
        if (mesa_fold_two(m, "fadd", 32, tiny, flush_f32 << m->shift) == 0) {
            return mesa_fold_two(m, "fadd", 32, tiny, 0) == 5;
        }
    }
    return false;
}

/* Loads the library. False: a sentence is on standard error. */
static inline bool mesa_open(struct mesa_folder *m, const char *path)
{
    fenv_t before;
    *m = (struct mesa_folder){.n_ops = 0};
    (void)fegetenv(&before);
    void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        (void)fprintf(stderr, "prove: %s\n", dlerror());
        return false;
    }
    volatile float const tiny = 0x1p-140F;
    m->changes_mode = !(tiny * 2.0F > 0.0F);
    (void)fesetenv(&before); /* MXCSR too */
    void *const eval = dlsym(library, "nir_eval_const_opcode");
    m->ops = dlsym(library, "nir_op_infos");
    if (!eval || !m->ops || sizeof(struct mesa_op) != 56) {
        (void)fprintf(stderr, "prove: %s has no nir_eval_const_opcode and nir_op_infos\n", path);
        return false;
    }
    memcpy(&m->eval, &eval, sizeof eval);
    /* The table ends with vec8, the last one by name. */
    for (const char *previous = ""; m->n_ops < MESA_MAX_OPS && strcmp(previous, "vec8") != 0;) {
        if (!mesa_is_row(&m->ops[m->n_ops], previous)) {
            (void)fprintf(stderr, "prove: nir_op_infos of %s is laid out in another way\n", path);
            return false;
        }
        previous = m->ops[m->n_ops++].name;
    }
    if (!mesa_try(m)) {
        (void)fprintf(stderr, "prove: the folder of %s is called in another way\n", path);
        return false;
    }
    return true;
}
