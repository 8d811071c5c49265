/* fuzz/kernel/kernel_build.c -- a kernel's file compiled to a module. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "fuzz/kernel/kernel_build.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/spv.h"
#include "fuzz/io/spirv.h"
#include "fuzz/process/child.h"

enum {
    FILE_MAX_BYTES = 16 << 20,
    MESSAGE_CHARS = 400
};
#define COMPILE_NS UINT64_C(60000000000)

/* How a language becomes SPIR-V: a command of sh that reads the text on its standard input and leaves out.spv. %s are the
 * user's options. */
struct compiler_row {
    enum kernel_form form;
    enum env env;
    const char *programs; /* that it needs, as `command -v` takes them */
    const char *install;
    const char *command;
};
#define CLANG                                                                                      \
    "clang -target spir64 -x cl -cl-std=CL2.0 -Xclang -finclude-default-header "                   \
    "-gline-tables-only "                                                                          \
    "-w -emit-llvm"
#define TRANSLATE                                                                                  \
    "llvm-spirv-14 --spirv-max-version=1.2 out.bc -o out.spv || llvm-spirv-14 "                    \
    "--spirv-max-version=1.4 --spirv-ext=+SPV_EXT_shader_atomic_float_add,"                        \
    "+SPV_EXT_shader_atomic_float_min_max,+SPV_KHR_no_integer_wrap_decoration out.bc -o out.spv"
static const struct compiler_row compiler_rows[] = {
    {KERNEL_OPENCL_C, ENV_CL, "clang llvm-spirv-14", "apt-get install clang llvm-spirv-14",
     /* what -O2 makes of it may have no SPIR-V: a freeze, an integer of 3 bits */
     "{ " CLANG " -O2 -fno-vectorize -fno-slp-vectorize -c %s - -o out.bc && { " TRANSLATE
     "; }; } || { " CLANG " -O0 -c %s in.txt -o out.bc && { " TRANSLATE "; }; }"},
    {KERNEL_GLSL,     ENV_VK, "glslangValidator",    "apt-get install glslang-tools",
     "{ glslangValidator --quiet --stdin -S comp -g -V --target-env vulkan1.1 %s -o out.spv "
     "<in.txt "
     "|| "
     "glslangValidator --quiet --stdin -S comp -g -V --target-env vulkan1.3 %s -o out.spv <in.txt; "
     "}"                                                                        },
};

static const struct compiler_row *find_row(enum kernel_form form)
{
    for (size_t i = 0; i < ARRAY_N(compiler_rows); i++) {
        if (compiler_rows[i].form == form) {
            return &compiler_rows[i];
        }
    }
    return NULL;
}

static enum res run_shell(const char *command, const char *text, size_t n, struct arena *a,
                          struct child_output *out, struct err *e)
{
    const char *const argv[] = {"/bin/sh", "-c", command, NULL};
    struct child_spec const spec = {.argv = argv, .trust = CHILD_CONFINED};
    return child_convert(&spec, text, n, COMPILE_NS, a, out, e);
}

/* The options as words of sh that stay what they are. */
static const char *quote_options(const char *options, struct arena *a)
{
    const char *out = "";
    while (*options) {
        size_t const n_blank = strspn(options, " \t\n");
        size_t const n = strcspn(options + n_blank, " \t\n'");
        if (n > 0) {
            out = arena_printf(a, "%s '%.*s'", out, (int)n, options + n_blank);
        }
        options += n_blank + n + (options[n_blank + n] == '\'');
    }
    return out;
}

/* The first line of what a compiler said that tells of an error, with the file's name for that of its standard input. */
static const char *find_message(const char *log, const char *path, struct arena *a)
{
    const char *line = log;
    const char *const at = strstr(log, "error");
    const char *const upper = strstr(log, "ERROR");
    const char *const first = at && (!upper || at < upper) ? at : upper;
    while (first && line + strcspn(line, "\n") < first) {
        line += strcspn(line, "\n") + 1;
    }
    line += strncmp(line, "ERROR: ", 7) == 0 ? 7 : 0; /* of glslang, before the place */
    int n = (int)strcspn(line, "\n");
    while (n > 0 && line[n - 1] == ' ') {
        n--;
    }
    n = n < MESSAGE_CHARS ? n : MESSAGE_CHARS;
    const char *const text = arena_printf(a, "%.*s", n, line);
    const char *const name = strstr(text, "<stdin>");
    const char *const other = strstr(text, "stdin:");
    if (name) {
        return arena_printf(a, "%.*s%s%s", (int)(name - text), text, path, name + 7);
    }
    return other ? arena_printf(a, "%.*s%s%s", (int)(other - text), text, path, other + 5)
                 : arena_printf(a, "%s: %s", path, text);
}

/* A program that the row needs and that is not here; "" if all are. */
static const char *find_missing(const struct compiler_row *row, struct arena *a)
{
    struct child_output out;
    struct err ignored;
    const char *const command = arena_printf(
        a, "for p in %s; do command -v $p >/dev/null || { printf %%s $p; exit; }; done",
        row->programs);
    if (run_shell(command, "", 0, a, &out, &ignored) != RES_OK) {
        return "";
    }
    return arena_printf(a, "%.*s", (int)out.bytes.n, (const char *)out.bytes.p);
}

static enum res take_words(const char *path, const void *bytes, size_t n, struct arena *a,
                           struct kernel_module *out, struct err *e)
{
    size_t const n_words = n / sizeof(uint32_t);
    uint32_t *const words = ARENA_NEW(a, uint32_t, n_words + 1);
    if (!words) {
        return err_set(e, RES_NOMEM, "%s: no room for the module", path);
    }
    for (size_t i = 0; i < n_words; i++) {
        words[i] = (uint32_t)load_le((const unsigned char *)bytes + sizeof(uint32_t) * i, 4);
    }
    if (n_words > 0 && words[0] != SpvMagicNumber) { /* the other byte order */
        for (size_t i = 0; i < n_words; i++) {
            words[i] = words[i] >> 24 | (words[i] >> 8 & 0xff00) | (words[i] << 8 & 0xff0000) |
                       words[i] << 24;
        }
    }
    if (n % sizeof(uint32_t) != 0 || n_words < SPV_HEADER_WORDS ||
        n_words > CASE_MAX_MODULE_WORDS) {
        return err_set(e, RES_FORMAT,
                       "%s: byte %zu: a SPIR-V module of %d to %d whole words is needed", path, n,
                       SPV_HEADER_WORDS, CASE_MAX_MODULE_WORDS);
    }
    out->words = words;
    out->n_words = (uint32_t)n_words;
    return RES_OK;
}

/* Where the compiler looks for what the file includes: in its folder. "" where the folder has no name that can be quoted. */
static const char *find_folder(const char *path, struct arena *a)
{
    char *const whole = realpath(path, NULL);
    char *const last = whole ? strrchr(whole, '/') : NULL;
    const char *option = "";
    if (last && !strchr(whole, '\'')) {
        option = arena_printf(a, " -I'%.*s'", (int)(last - whole + 1), whole);
    }
    free(whole);
    return option;
}

static enum res compile(const char *path, const struct compiler_row *row, const char *text,
                        size_t n, const char *options, struct arena *a, struct kernel_module *out,
                        struct err *e)
{
    struct child_output made;
    const char *const words =
        arena_printf(a, "%s%s", quote_options(options, a), find_folder(path, a));
    const char *command = "";
    for (const char *p = row->command; *p;) {
        size_t const plain = strcspn(p, "%");
        command = arena_printf(a, "%s%.*s%s", command, (int)plain, p, p[plain] ? words : "");
        p += plain + (p[plain] ? 2 : 0);
    }
    const char *const whole =
        arena_printf(a, "cat >in.txt && { %s; } <in.txt >&2 && cat out.spv", command);
    TRY(run_shell(whole, text, n, a, &made, e));
    const struct child_end *const end = &made.end;
    if (!end->was_killed && !end->signal && !end->exit_status) {
        return take_words(path, made.bytes.p, made.bytes.n, a, out, e);
    }
    const char *const missing = find_missing(row, a);
    if (missing[0]) {
        return err_set(e, RES_USAGE, "%s: %s (for %s) is not installed: %s", path, missing,
                       kernel_form_names[row->form], row->install);
    }
    if (made.is_late) {
        return err_set(e, RES_FORMAT, "%s: the compiler did not end in time", path);
    }
    return err_set(e, RES_FORMAT, "%s", find_message(end->log, path, a));
}

/* The environment that a module says it is of: kernels are OpenCL's. */
static enum env find_env(const struct kernel_module *k)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (spv_next(k->words, k->n_words, &offset, &in)) {
        if (in.op == SpvOpCapability && in.n > 1 && in.w[1] == SpvCapabilityKernel) {
            return ENV_CL;
        }
    }
    return ENV_VK;
}

/* The version that the text says it is of in a comment, as disassemblers write it: "; Version: 1.3". 0: it says none. */
static uint32_t find_version(const char *text)
{
    static const char said[] = "; Version: ";
    while (*text == ';') {
        const char *const at = text + sizeof said - 1;
        if (strncmp(text, said, sizeof said - 1) == 0 && at[0] == '1' && at[1] == '.' &&
            at[2] >= '0' && at[2] <= '6') {
            return spv_version_word((uint32_t)(at[2] - '0'));
        }
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return 0;
}

/* The module of a text. version: that it is to have, 0: what the assembler gives it. */
static enum res assemble(const char *path, const char *text, size_t n, uint32_t version,
                         struct arena *a, struct kernel_module *out, struct err *e)
{
    TRY(spirv_assemble(path, text, n, a, &out->words, &out->n_words, e));
    if (version == 0) {
        return RES_OK;
    }
    uint32_t *const words = arena_copy(a, out->words, out->n_words * sizeof *words);
    if (!words) {
        return err_set(e, RES_NOMEM, "%s: no room for the module", path);
    }
    words[1] = version;
    out->words = words;
    return RES_OK;
}

/* Is the file cut off? Each byte that is named is where it ends, or where its last instruction begins. */
static enum res check_whole(const char *path, const struct kernel_module *k, struct err *e)
{
    uint32_t offset = SPV_HEADER_WORDS;
    bool has_entry = false, has_function = false, is_within = false;
    struct spv_inst in;
    while (spv_next(k->words, k->n_words, &offset, &in)) {
        has_entry |= in.op == SpvOpEntryPoint;
        has_function |= in.op == SpvOpFunction;
        is_within = in.op == SpvOpFunction || (is_within && in.op != SpvOpFunctionEnd);
    }
    if (offset < k->n_words) {
        return err_set(e, RES_FORMAT,
                       "%s: byte %zu: an instruction of %" PRIu32 " words where %" PRIu32
                       " are left: the module is cut off or damaged",
                       path, offset * sizeof(uint32_t), k->words[offset] >> SpvWordCountShift,
                       k->n_words - offset);
    }
    const char *const lacking = is_within                    ? "its last function has ended"
                                : has_entry && !has_function ? "its first function"
                                                             : NULL;
    return lacking ? err_set(e, RES_FORMAT, "%s: byte %zu: the module is cut off before %s", path,
                             k->n_words * sizeof(uint32_t), lacking)
                   : RES_OK;
}

/* OpenCL C: the text, too, is given to drivers; one that compiles it would not find what it includes. */
static const char *get_source(const char *text)
{
    return strstr(text, "#include") ? "" : text;
}

enum res kernel_build_run(const struct amber *script, uint32_t run, const char *options,
                          struct arena *a, struct kernel_module *out, struct err *e)
{
    const struct amber_pipeline *const p = &script->pipelines.row[script->runs[run].pipeline];
    const struct amber_shader *const s = &script->shaders.row[p->shader];
    /* the names of arguments are kept, for a script may say those */
    const char *const both =
        arena_printf(a, "%s%s%s", options, p->options,
                     s->language == AMBER_OPENCL_C ? " -fno-discard-value-names" : "");
    *out = (struct kernel_module){.env = ENV_VK, .source = "", .amber = script, .run = run};
    switch (s->language) {
    case AMBER_GLSL:
        return compile(s->path, find_row(KERNEL_GLSL), s->text, s->n, both, a, out, e);
    case AMBER_SPIRV_TEXT:
        return assemble(s->path, s->text, s->n, s->version, a, out, e);
    case AMBER_SPIRV:
        TRY(take_words(s->path, s->text, s->n, a, out, e));
        return check_whole(s->path, out, e);
    case AMBER_OPENCL_C:
        out->env = ENV_CL;
        /* a driver is not given the options */
        out->source = p->options[0] ? "" : get_source(s->text);
        return compile(s->path, find_row(KERNEL_OPENCL_C), s->text, s->n, both, a, out, e);
    }
    return RES_OK;
}

/* A script, and the module of its RUN if it has one. */
static enum res build_amber(const char *path, const char *text, size_t n, const char *options,
                            struct arena *a, struct kernel_module *out, struct err *e)
{
    struct amber *const script = ARENA_NEW(a, struct amber, 1);
    if (!script) {
        return err_set(e, RES_NOMEM, "%s: no room for the script", path);
    }
    TRY(amber_script_read(path, text, n, a, script, e));
    out->amber = script;
    out->env = ENV_VK;
    return script->n_runs == 1 ? kernel_build_run(script, 0, options, a, out, e) : RES_OK;
}

enum res kernel_build(const char *path, const char *options, struct arena *a,
                      struct kernel_module *out, struct err *e)
{
    const unsigned char *bytes = NULL;
    size_t n = 0;
    *out = (struct kernel_module){.source = ""};
    enum res r = file_read(path, FILE_MAX_BYTES, a, &bytes, &n, e);
    if (r != RES_OK) {
        e->code = r == RES_IO ? RES_USAGE : r;
        return e->code;
    }
    if (n == 0) {
        return err_set(e, RES_FORMAT, "%s: the file is empty", path);
    }
    enum kernel_form const form = kernel_file_find_form(bytes, n);
    const struct compiler_row *const row = find_row(form);
    if (row) {
        out->env = row->env;
        out->source = form == KERNEL_OPENCL_C ? get_source((const char *)bytes) : "";
        return compile(path, row, (const char *)bytes, n, options, a, out, e);
    }
    if (form == KERNEL_AMBER) {
        return build_amber(path, (const char *)bytes, n, options, a, out, e);
    }
    if (form == KERNEL_SPIRV) {
        r = take_words(path, bytes, n, a, out, e);
        r = r == RES_OK ? check_whole(path, out, e) : r;
    } else if (form == KERNEL_SPIRV_TEXT) {
        r = assemble(path, (const char *)bytes, n, find_version((const char *)bytes), a, out, e);
    } else {
        return err_set(e, RES_FORMAT,
                       "%s: byte 0: neither SPIR-V (binary or text), OpenCL C, GLSL nor Amber",
                       path);
    }
    out->env = r == RES_OK ? find_env(out) : ENV_VK;
    return r;
}
