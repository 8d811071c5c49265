/* fuzz/trial/float_atomics.h -- cl_ext_float_atomics as a device has it: what it lists, what its compiler says,
 * and what works, for each function. */
#pragma once

#include "fuzz/targets/targets.h"

enum float_atomics_step {
    STEP_REFUSED,  /* the source does not compile */
    STEP_COMPILES, /* it compiles, and does not link */
    STEP_LINKS,    /* there is a kernel; it did not come to its end */
    STEP_WRONG,    /* it did, with other results than the exact ones */
    STEP_RIGHT
};
enum {
    FLOAT_ATOMICS_WIDTHS = 3,    /* half, float, double */
    FLOAT_ATOMICS_SPACES = 4,    /* global, local, generic to global, generic to local */
    FLOAT_ATOMICS_CLASSES = 3,   /* load and store, add, min and max: a bit and a macro each */
    FLOAT_ATOMICS_FUNCTIONS = 7, /* atomic_load and so on */
    /* Plain; with an order; with order and scope; both as values of run time; by a pointer that is not volatile. */
    FLOAT_ATOMICS_FORMS = 5
};
extern const char *const float_atomics_spaces[FLOAT_ATOMICS_SPACES];
extern const char *const float_atomics_forms[FLOAT_ATOMICS_FORMS];
/* "load" */
const char *float_atomics_function(unsigned function);
/* The class of a function. */
unsigned float_atomics_class_of(unsigned function);

/* By width and space; what is listed of an address space holds for generic pointers to it. */
struct float_atomics {
    /* by class */
    bool is_listed[FLOAT_ATOMICS_WIDTHS][FLOAT_ATOMICS_SPACES][FLOAT_ATOMICS_CLASSES];
    bool has_macro[FLOAT_ATOMICS_WIDTHS][FLOAT_ATOMICS_SPACES][FLOAT_ATOMICS_CLASSES];
    enum float_atomics_step step[FLOAT_ATOMICS_WIDTHS][FLOAT_ATOMICS_SPACES]
                                [FLOAT_ATOMICS_FUNCTIONS][FLOAT_ATOMICS_FORMS];
    /* Of its atomics the device lists the order and the scope that the form means, if it names none: sequentially
     * consistent, and Device. */
    bool has_form[FLOAT_ATOMICS_FORMS];
    bool has_generic; /* the device lists generic pointers: else none is asked about */
    bool has_type[FLOAT_ATOMICS_WIDTHS]; /* half, double: is the type there at all? */
    /* Does the compiler take a program with the type atomic_half that enables cl_khr_fp16, and one that disables it? */
    bool has_half_enabled, has_half_disabled;
};

/* "__opencl_c_ext_fp32_global_atomic_add" */
const char *float_atomics_macro(unsigned width, unsigned space, unsigned class_of, struct arena *a);
/* Asks the target's compiler and device: a program with a line for each macro, two with the type atomic_half, then one for each function in
 * all its forms; where that one is not right, one for each form. RES_IO: the target does not start. */
MUST_USE enum res float_atomics_ask(const struct target *t, struct arena *a,
                                    struct float_atomics *out, struct err *e);
