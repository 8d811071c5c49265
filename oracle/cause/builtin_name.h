/* oracle/cause/builtin_name.h -- parses the mangled name of a built-in function of OpenCL C (Itanium ABI). */
#pragma once

#include "base/base.h"

/* _Z10atomic_addPU3AS1VDhDh is atomic_add of half, global and volatile. */
struct builtin_name {
    const char *function;
    const char *
        type; /* of what the first parameter is or points to: "half", "int", "long"; "" of none or a type
                       * with a name of its own */
    bool is_float;
    uint32_t width; /* of its vector, 1 of a scalar */
    const char *
        space; /* of the first pointer among the parameters: "private", "global", "constant", "local",
                        * "generic"; "" without one */
    bool is_volatile; /* that pointer's */
};

/* False: it is no mangled function, or has what no built-in function has. */
bool builtin_read(const char *symbol, struct arena *a, struct builtin_name *out);
