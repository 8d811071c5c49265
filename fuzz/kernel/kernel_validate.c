/* fuzz/kernel/kernel_validate.c -- what the newest SPIRV-Tools here say of a module. */
#include "fuzz/kernel/kernel_validate.h"

#include <string.h>

#include "base/format.h"
#include "fuzz/process/child.h"

#define VALIDATE_NS UINT64_C(20000000000)

/* spirv-val's target for the case. */
static const char *name_target(const struct testcase *tc)
{
    static const char *const vulkan[] = {"vulkan1.0",       "vulkan1.1", "vulkan1.1", "vulkan1.1",
                                         "vulkan1.1spv1.4", "vulkan1.2", "vulkan1.3"};
    static const char *const universal[] = {"opencl2.2", "opencl2.2", "opencl2.2", "spv1.3",
                                            "spv1.4",    "spv1.5",    "spv1.6"};
    uint32_t const minor = tc->n_words > 1 ? tc->module[1] >> 8 & 0xff : 0;
    uint32_t const i = minor < ARRAY_N(vulkan) ? minor : (uint32_t)ARRAY_N(vulkan) - 1;
    return tc->env == ENV_CL ? universal[i] : vulkan[i];
}

/* The first line without "error: ". */
static const char *take_line(const char *log, struct arena *a)
{
    static const char mark[] = "error: ";
    const char *const at = strstr(log, mark);
    const char *const from = at ? at + sizeof mark - 1 : log;
    return arena_printf(a, "%.*s", (int)strcspn(from, "\n"), from);
}

enum kernel_validity kernel_validate(const char *root, const struct testcase *tc, struct arena *a,
                                     const char **text)
{
    enum {
        INVALID_STATUS = 1
    };
    const char *const folder = arena_printf(a, "%s/roots/sid", root);
    /* a last word tells an answer from a bwrap or shell that could not start it */
    const char *const command =
        arena_printf(a, "spirv-val --target-env %s - >&2 && echo valid", name_target(tc));
    const char *const argv[] = {"bwrap",
                                "--die-with-parent",
                                "--ro-bind",
                                folder,
                                "/",
                                "--dev",
                                "/dev",
                                "--proc",
                                "/proc",
                                "--tmpfs",
                                "/tmp",
                                "--bind",
                                "{own}",
                                "/tmp/own",
                                "--chdir",
                                "/tmp/own",
                                "--unsetenv",
                                "LD_LIBRARY_PATH",
                                "--unshare-pid",
                                "--unshare-net",
                                "/bin/sh",
                                "-c",
                                command,
                                NULL};
    struct child_spec const spec = {
        .argv = argv, .inner_tmp = "/tmp/own", .is_launched = 1, .trust = CHILD_CONFINED};
    struct child_output out;
    struct err ignored;
    unsigned char *const bytes = ARENA_NEW(a, unsigned char, 4 * (size_t)tc->n_words);
    *text = "";
    if (!bytes) {
        return KERNEL_VALIDITY_UNKNOWN;
    }
    for (uint32_t i = 0; i < tc->n_words; i++) {
        store_le(bytes + 4 * (size_t)i, tc->module[i], 4);
    }
    if (child_convert(&spec, bytes, 4 * (size_t)tc->n_words, VALIDATE_NS, a, &out, &ignored) !=
        RES_OK) {
        return KERNEL_VALIDITY_UNKNOWN;
    }
    if (!out.end.was_killed && !out.end.signal && !out.end.exit_status) {
        return out.bytes.n > 0 ? KERNEL_VALID : KERNEL_VALIDITY_UNKNOWN;
    }
    *text = take_line(out.end.log, a);
    return out.end.exit_status == INVALID_STATUS && strstr(out.end.log, "error: ")
               ? KERNEL_INVALID
               : KERNEL_VALIDITY_UNKNOWN;
}
