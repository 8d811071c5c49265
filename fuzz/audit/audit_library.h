/* fuzz/audit/audit_library.h -- what the facts of a math library (fuzz/worker/drv_lib.h) say of its functions. */
#pragma once

#include "base/audit_result.h"

/* A function of a library on a type. Texts in the arena. */
struct audit_library {
    const char *hardware; /* its hardware instructions, between commas; "": none */
    bool has_documented;  /* the vendor's bound in ulps: */
    double documented;
};
/* Are these the facts of a math library? */
bool audit_library_is_one(const char *facts);
/* Look up a function by the name that OpenCL has for it. False: the library lacks it. */
bool audit_library_find(const char *facts, const char *name, enum fmt_id fmt, struct arena *a,
                        struct audit_library *out);
/* The build options of a stream of these forms: how the hardware behaves in each. */
const char *audit_library_options(const struct audit_row *row, const uint32_t *forms, uint32_t n,
                                  struct arena *a);
