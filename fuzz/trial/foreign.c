/* fuzz/trial/foreign.c -- what a case that the generator did not make is, by its module and not by its own word. */
#include "fuzz/trial/foreign.h"

#include <inttypes.h>
#include <string.h>

#include "base/printable.h"
#include "fuzz/io/spirv.h"
#include "fuzz/trial/module_needs.h"

/* The class, and why the case is not of the one that it says. */
static const char *reclassify(struct testcase *tc, enum case_class class, struct arena *a,
                              const char *who, const char *why)
{
    int const n = (int)strcspn(why, "\n");
    tc->class = class;
    return arena_printf(a, "%s: %s", who, printable_copy(a, arena_printf(a, "%.*s", n, why)));
}

const char *foreign_classify(struct testcase *tc, struct arena *a)
{
    const char *message = "";
    uint32_t capability = 0;
    if (tc->class == CLASS_ILLEGAL) {
        return "";
    }
    if (spirv_validate(tc, a, &message) == SPIRV_INVALID) {
        return reclassify(tc, CLASS_ILLEGAL, a, "spirv-val", message);
    }
    if (module_needs_half(tc)) {
        return reclassify(tc, CLASS_ILLEGAL, a, "module",
                          "it uses half for more than pointers, and declares Float16Buffer alone");
    }
    if (!module_needs_add(tc, a, &capability) && capability != UINT32_MAX) {
        return reclassify(tc, CLASS_UNADVERTISED, a, "module",
                          arena_printf(a, "no target lists its capability %" PRIu32, capability));
    }
    return "";
}
