/* fuzz/kernel/kernel_spec.h -- specialization constants: values of the user in place of the module's. */
#pragma once

#include "base/testcase.h"

/* What the user says of a constant: "ID=VALUE". */
struct kernel_spec_wish {
    uint32_t id;
    const char *value;
};
/* Has the module a constant with that SpecId? */
bool kernel_spec_has(const uint32_t *words, uint32_t n_words, uint32_t id);
/* The value as one of the type of the module's constant with that SpecId. RES_USAGE: the module has none such, with those that
 * it has, or the value is none of that type. */
MUST_USE enum res kernel_spec_read(const char *path, const uint32_t *words, uint32_t n_words,
                                   const struct kernel_spec_wish *wish, struct arena *a,
                                   struct spec *out, struct err *e);
/* A copy of the module, as long, in which the constants have these values; NULL: no memory. */
const uint32_t *kernel_spec_apply(const uint32_t *words, uint32_t n_words, const struct spec *specs,
                                  uint32_t n_specs, struct arena *a);
