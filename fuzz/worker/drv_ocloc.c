/* fuzz/worker/drv_ocloc.c -- Intel's offline compiler for OpenCL, a compiler without a device. */
#include "fuzz/worker/drv_ocloc.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/testcase.h"
#include "fuzz/worker/drv_common.h"

/* shared/offline_compiler/source/ocloc_api.h of Intel's compute runtime. */
typedef int (*ocloc_invoke)(unsigned n_args, const char *argv[], uint32_t n_sources,
                            const uint8_t **data, const uint64_t *n_bytes, const char **names,
                            uint32_t n_headers, const uint8_t **header_data,
                            const uint64_t *header_bytes, const char **header_names,
                            uint32_t *n_outputs, uint8_t ***out_data, uint64_t **out_bytes,
                            char ***out_names);
typedef int (*ocloc_free)(uint32_t *n_outputs, uint8_t ***out_data, uint64_t **out_bytes,
                          char ***out_names);
enum {
    OCLOC_SUCCESS = 0,
    OCLOC_INVALID_DEVICE = -33,
    OCLOC_MAX_ARGS = 16,
    OCLOC_MAX_OUTPUT_BYTES = 1 << 20
};

/* The output that holds what ocloc would print; of a list it is the only one that has it. */
static const char log_name[] = "stdout.log";

struct drv {
    void *library;
    ocloc_invoke invoke;
    ocloc_free release;
    const char *device;
};

/* What one call of ocloc gave, by name; its own memory until ocloc_end. */
struct ocloc_result {
    int code;
    uint32_t n;
    uint8_t **data;
    uint64_t *n_bytes;
    char **names;
};

/* A file that a call reads, in memory. */
struct ocloc_source {
    const char *name;
    const uint8_t *data;
    uint64_t n_bytes;
};

/* Call ocloc with a command line that ends with NULL; source: the file that it names, or NULL for none. */
static struct ocloc_result call(const struct drv *d, const char *const *argv,
                                const struct ocloc_source *source)
{
    struct ocloc_result r = {.code = 0};
    const char *args[OCLOC_MAX_ARGS];
    unsigned n_args = 0;
    while (n_args < OCLOC_MAX_ARGS && argv[n_args]) {
        args[n_args] = argv[n_args];
        n_args++;
    }
    const uint8_t *data[] = {source ? source->data : NULL};
    uint64_t const n_bytes[] = {source ? source->n_bytes : 0};
    const char *names[] = {source ? source->name : ""};
    r.code = d->invoke(n_args, args, source ? 1 : 0, data, n_bytes, names, 0, NULL, NULL, NULL,
                       &r.n, &r.data, &r.n_bytes, &r.names);
    return r;
}

/* The output of that name as a text in `a`, "" when there is none. */
static const char *get_text(const struct ocloc_result *r, const char *name, struct arena *a)
{
    for (uint32_t i = 0; i < r->n; i++) {
        if (strcmp(r->names[i], name) == 0 && r->n_bytes[i] < OCLOC_MAX_OUTPUT_BYTES) {
            return arena_printf(a, "%.*s", (int)r->n_bytes[i], (const char *)r->data[i]);
        }
    }
    return "";
}

static void end(const struct drv *d, struct ocloc_result *r)
{
    if (r->n > 0) {
        (void)d->release(&r->n, &r->data, &r->n_bytes, &r->names);
    }
}

static enum res load(struct drv *d, const char *loader, struct err *e)
{
    static const char *const names[] = {"libocloc.so", "libocloc.so.1", NULL};
    TRY(drv_load(loader, names, &d->library, e));
    void *const invoke = dlsym(d->library, "oclocInvoke");
    void *const release = dlsym(d->library, "oclocFreeOutput");
    if (!invoke || !release) {
        return err_set(e, RES_USAGE, "libocloc has no oclocInvoke or oclocFreeOutput");
    }
    memcpy(&d->invoke, &invoke, sizeof invoke);
    memcpy(&d->release, &release, sizeof release);
    return RES_OK;
}

/* What `ocloc query` answers about the device: names with blanks between, "" when it knows no such query. */
static const char *query(const struct drv *d, const char *name, struct arena *a)
{
    const char *const argv[] = {"ocloc", "query", name, "-device", d->device, NULL};
    struct ocloc_result r = call(d, argv, NULL);
    const char *const text = r.code == OCLOC_SUCCESS ? get_text(&r, log_name, a) : "";
    end(d, &r);
    return text;
}

/* Is the feature one of "name name"? */
static bool has_feature(const char *features, const char *name)
{
    size_t const n = strlen(name);
    for (const char *p = strstr(features, name); p; p = strstr(p + n, name)) {
        bool const is_start = p == features || p[-1] == ' ';
        if (is_start && (p[n] == ' ' || p[n] == '\0')) {
            return true;
        }
    }
    return false;
}

/*
 * A feature of OpenCL C that stands for bits of a property which ocloc has no query for. The bits are those of CL/cl.h
 * and CL/cl_ext.h: CL_DEVICE_*_FP_ATOMIC_*, CL_FP_*, CL_DEVICE_ATOMIC_*. Rows of one fact stand together.
 */
static const struct feature_bit {
    const char *fact, *feature;
    uint64_t bits;
} feature_bits[] = {
    {"cl.fatomic16",      "__opencl_c_ext_fp16_global_atomic_load_store", 0x1    },
    {"cl.fatomic16",      "__opencl_c_ext_fp16_local_atomic_load_store",  0x10000},
    {"cl.fatomic16",      "__opencl_c_ext_fp16_global_atomic_add",        0x2    },
    {"cl.fatomic16",      "__opencl_c_ext_fp16_local_atomic_add",         0x20000},
    {"cl.fatomic16",      "__opencl_c_ext_fp16_global_atomic_min_max",    0x4    },
    {"cl.fatomic16",      "__opencl_c_ext_fp16_local_atomic_min_max",     0x40000},
    {"cl.fatomic32",      "__opencl_c_ext_fp32_global_atomic_add",        0x2    },
    {"cl.fatomic32",      "__opencl_c_ext_fp32_local_atomic_add",         0x20000},
    {"cl.fatomic32",      "__opencl_c_ext_fp32_global_atomic_min_max",    0x4    },
    {"cl.fatomic32",      "__opencl_c_ext_fp32_local_atomic_min_max",     0x40000},
    {"cl.fatomic64",      "__opencl_c_ext_fp64_global_atomic_add",        0x2    },
    {"cl.fatomic64",      "__opencl_c_ext_fp64_local_atomic_add",         0x20000},
    {"cl.fatomic64",      "__opencl_c_ext_fp64_global_atomic_min_max",    0x4    },
    {"cl.fatomic64",      "__opencl_c_ext_fp64_local_atomic_min_max",     0x40000},
    {"cl.fp64_config",    "__opencl_c_fp64",                              0x3f   },
    {"cl.generic",        "__opencl_c_generic_address_space",             1      },
    {"cl.wg_collectives", "__opencl_c_work_group_collective_functions",   1      },
    {"cl.atomic_memory",  "__opencl_c_atomic_order_acq_rel",              0x13   },
    {"cl.atomic_memory",  "__opencl_c_atomic_order_seq_cst",              0x4    },
    {"cl.atomic_memory",  "__opencl_c_atomic_scope_device",               0x20   },
    {"cl.atomic_memory",  "__opencl_c_atomic_scope_all_devices",          0x40   },
    {"cl.max_subgroups",  "__opencl_c_subgroups",                         64     },
};

/* "name:3.0.0 name:3.0.0" without the versions, as a device lists its features. */
static const char *strip_versions(const char *features, struct arena *a)
{
    char *const out = arena_copy(a, features, strlen(features));
    if (!out) {
        return "";
    }
    size_t n = 0;
    bool is_version = false;
    for (const char *p = features; *p; p++) {
        is_version = *p == ':' || (is_version && *p != ' ');
        if (!is_version) {
            out[n++] = *p;
        }
    }
    out[n] = '\0';
    return out;
}

/* Each fact of feature_bits with the bits of all features that the device has, if there are any. */
static void put_features(const char *features, struct bytes *b)
{
    for (size_t i = 0; i < ARRAY_N(feature_bits);) {
        const char *const fact = feature_bits[i].fact;
        uint64_t bits = 0;
        for (; i < ARRAY_N(feature_bits) && strcmp(feature_bits[i].fact, fact) == 0; i++) {
            bits |= has_feature(features, feature_bits[i].feature) ? feature_bits[i].bits : 0;
        }
        if (bits) {
            drv_put_fact(b, fact, "0x%llx", (unsigned long long)bits);
        }
    }
}

/* Sizes that a kernel may require (getDeviceSubGroupSizes of the compute runtime): 8 went with Xe HPC. */
static const char *get_subgroup_sizes(const char *device)
{
    static const char *const with_8[] = {"tgl", "rkl", "adl", "dg1", "dg2", "acm", "mtl", "arl"};
    for (size_t i = 0; i < ARRAY_N(with_8); i++) {
        if (strncmp(device, with_8[i], strlen(with_8[i])) == 0) {
            return "8 16 32 ";
        }
    }
    return "16 32 ";
}

/* Write down the facts of a chip, as those of an OpenCL device. ocloc is a compiler and cannot be asked for all of
 * them: such a fact is a constant that holds for all these chips, or follows from the features that ocloc lists. */
static const char *describe(const struct drv *d, const char *extensions, struct arena *a)
{
    /* CL_FP_DENORM, INF_NAN, ROUND_TO_NEAREST, ROUND_TO_ZERO, ROUND_TO_INF, FMA */
    static const char fp_config[] = "0x3f";
    struct bytes b;
    const char *const features = strip_versions(query(d, "CL_DEVICE_OPENCL_C_FEATURES", a), a);
    bytes_init(&b, a);
    drv_put_fact(&b, "api", "ocloc");
    drv_put_fact(&b, "device", "Intel %s, by ocloc", d->device);
    drv_put_fact(&b, "vendor", "Intel");
    drv_put_fact(&b, "driver", "%s", query(d, "OCL_DRIVER_VERSION", a));
    drv_put_fact(&b, "version", "OpenCL 3.0");
    drv_put_fact(&b, "platform", "Intel Graphics Compiler");
    drv_put_fact(&b, "ocloc.device", "%s", d->device);
    drv_put_fact(&b, "cl.version", "0x30000");
    drv_put_fact(&b, "cl.ext", "%s", extensions);
    if (strstr(extensions, "cl_khr_il_program")) { /* as the compute runtime lists them */
        drv_put_fact(&b, "cl.il", "SPIR-V_1.3 SPIR-V_1.2 SPIR-V_1.1 SPIR-V_1.0");
        drv_put_fact(&b, "cl.il_max", "0x10300");
    }
    drv_put_fact(&b, "cl.fp32_config", "%s", fp_config);
    if (strstr(extensions, "cl_khr_fp16")) {
        drv_put_fact(&b, "cl.fp16_config", "%s", fp_config);
    }
    drv_put_fact(&b, "cl.max_wg", "0x400");
    drv_put_fact(&b, "cl.local_mem", "0x10000");
    drv_put_fact(&b, "cl.int64", "1");
    drv_put_fact(&b, "cl.nonuniform_wg", "0x1");
    put_features(features, &b);
    /* ocloc gives its list of versions as structures, which query cannot read as text */
    drv_put_fact(&b, "cl.c_max", "0x30000");
    drv_put_fact(&b, "cl.c_features", "%s", features);
    if (strstr(extensions, "cl_intel_required_subgroup_size")) {
        drv_put_fact(&b, "cl.subgroup_sizes", "%s", get_subgroup_sizes(d->device));
    }
    return drv_end_text(&b);
}

static enum res ocloc_open(const char *loader, const char *select, struct arena *a,
                           struct drv **out, const char **facts, struct err *e)
{
    struct drv *const d = ARENA_NEW(a, struct drv, 1);
    if (!d) {
        return err_set(e, RES_NOMEM, "no room for a device");
    }
    TRY(load(d, loader, e));
    d->device = select;
    const char *const extensions = query(d, "CL_DEVICE_EXTENSIONS", a);
    if (!extensions[0]) {
        return err_set(e, RES_USAGE,
                       "ocloc knows no device \"%s\"; `ocloc compile --help` lists them", select);
    }
    *facts = describe(d, extensions, a);
    *out = d;
    return *facts ? RES_OK : err_set(e, RES_NOMEM, "no room for the device's facts");
}

/* How often an instruction of the extended mathematics stands in the code. */
struct math_count {
    char name[24];
    unsigned n;
};
enum {
    CODE_MAX_MATH = 16
};

/* Count the instruction whose name begins at `at`, e.g. "math.sqt"; one beyond the table's room is not counted. */
static void count_math(struct math_count *counts, const char *at)
{
    size_t const n = strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789._");
    for (size_t i = 0; i < CODE_MAX_MATH && n < sizeof counts[i].name; i++) {
        if (counts[i].n == 0) {
            memcpy(counts[i].name, at, n);
        }
        if (strncmp(counts[i].name, at, n) == 0 && counts[i].name[n] == '\0') {
            counts[i].n++;
            return;
        }
    }
}

/* Does `word` stand before `end`? */
static bool has_word(const char *line, const char *end, const char *word)
{
    const char *const at = strstr(line, word);
    return at && at < end;
}

/* Is the line of a disassembly an instruction of the kernel? Labels, directives and blank lines are none. */
static bool is_instruction(const char *line, const char *end)
{
    static const char size_and_offset[] = "|M"; /* as in "(16|M0)": execution size, first channel */
    /* The moves of constants to null behind the end hold IGC's hash of the module, another one for each. */
    static const char module_hash[] = "null<1>:ud    0x";
    return has_word(line, end, size_and_offset) && !has_word(line, end, module_hash);
}

/* One line about a kernel's disassembly by ocloc: hash and number of its instructions, and the names and
 * numbers of those that compute functions in hardware ("math."). */
static const char *describe_text(const char *text, struct arena *a)
{
    struct math_count counts[CODE_MAX_MATH] = {{.n = 0}};
    unsigned n_instructions = 0;
    uint64_t hash = 0;
    const char *end = text;
    for (const char *line = text; *line; line = end + (*end == '\n')) {
        end = line + strcspn(line, "\n");
        if (!is_instruction(line, end)) {
            continue;
        }
        n_instructions++;
        hash = hash_bytes(hash, line, (size_t)(end - line));
        if (has_word(line, end, "math.")) {
            count_math(counts, strstr(line, "math."));
        }
    }
    const char *out =
        arena_printf(a, "code: %016llx %u instructions", (unsigned long long)hash, n_instructions);
    for (size_t i = 0; i < CODE_MAX_MATH && counts[i].n > 0; i++) {
        out = arena_printf(a, "%s, %s x%u", out, counts[i].name, counts[i].n);
    }
    return out;
}

/* One line about the code among a build's outputs: `ocloc disasm` is run on the binary, and of the files that
 * it gives the one with the kernel's instructions is described. "": there is none. */
static const char *describe_code(const struct drv *d, const struct ocloc_result *built,
                                 struct arena *a)
{
    const char *const argv[] = {"ocloc",   "disasm", "-file", "case.bin", "-device",
                                d->device, "-dump",  "dump",  NULL};
    const char *line = "";
    for (uint32_t i = 0; i < built->n && !line[0]; i++) {
        if (!strstr(built->names[i], ".bin")) {
            continue;
        }
        struct ocloc_source const source = {"case.bin", built->data[i], built->n_bytes[i]};
        struct ocloc_result r = call(d, argv, &source);
        for (uint32_t k = 0; k < r.n && r.code == OCLOC_SUCCESS; k++) {
            if (strstr(r.names[k], ".text.main_kernel.asm")) {
                line = describe_text(
                    arena_printf(a, "%.*s", (int)r.n_bytes[k], (const char *)r.data[k]), a);
            }
        }
        end(d, &r);
    }
    return line;
}

/* Part of a file, or NULL where it does not hold that much. */
static const void *get_part(const uint8_t *data, uint64_t n_bytes, uint64_t at, uint64_t n)
{
    return at <= n_bytes && n <= n_bytes - at ? data + at : NULL;
}

/* The name of symbol i of an ELF symbol table if the symbol is undefined, else NULL. `names`: the section of
 * strings that the table's names are in. Nothing in the file is believed: a name must lie in the section and
 * end there. */
static const char *get_undefined(const uint8_t *data, uint64_t n_bytes, const Elf64_Shdr *symbols,
                                 const Elf64_Shdr *names, uint64_t i)
{
    Elf64_Sym symbol;
    const void *const p =
        get_part(data, n_bytes, symbols->sh_offset + i * sizeof symbol, sizeof symbol);
    if (!p) {
        return NULL;
    }
    memcpy(&symbol, p, sizeof symbol);
    if (symbol.st_shndx != SHN_UNDEF || symbol.st_name == 0 || symbol.st_name >= names->sh_size) {
        return NULL;
    }
    const char *const strings = get_part(data, n_bytes, names->sh_offset, names->sh_size);
    if (!strings) {
        return NULL;
    }
    const char *const name = strings + symbol.st_name;
    bool const is_ended = memchr(name, '\0', names->sh_size - symbol.st_name) != NULL;
    return is_ended ? name : NULL;
}

/* A function of one symbol table that is nowhere, or NULL. What begins with "__INTEL_" is filled in by the runtime. */
static const char *find_undefined(const uint8_t *data, uint64_t n_bytes, const Elf64_Shdr *symbols,
                                  const Elf64_Shdr *names)
{
    static const char own[] = "__INTEL_";
    for (uint64_t i = 0; i < symbols->sh_size / sizeof(Elf64_Sym); i++) {
        const char *const name = get_undefined(data, n_bytes, symbols, names, i);
        if (name && strncmp(name, own, sizeof own - 1) != 0) {
            return name;
        }
    }
    return NULL;
}

/* The name of a function that an ELF file calls and that is nowhere, from any of its symbol tables; NULL:
 * there is none, or it is no such file. A kernel that calls one cannot be loaded. */
static const char *find_missing(const uint8_t *data, uint64_t n_bytes)
{
    Elf64_Ehdr head;
    if (n_bytes < sizeof head || memcmp(data, ELFMAG, SELFMAG) != 0) {
        return NULL;
    }
    memcpy(&head, data, sizeof head);
    const Elf64_Shdr *const table =
        get_part(data, n_bytes, head.e_shoff, (uint64_t)head.e_shnum * sizeof *table);
    const char *missing = NULL;
    for (unsigned i = 0; table && i < head.e_shnum && !missing; i++) {
        Elf64_Shdr section, names;
        memcpy(&section, table + i, sizeof section);
        if (section.sh_type == SHT_SYMTAB && section.sh_link < head.e_shnum) {
            memcpy(&names, table + section.sh_link, sizeof names);
            missing = find_undefined(data, n_bytes, &section, &names);
        }
    }
    return missing;
}

/* The function for want of which a kernel among the outputs cannot be loaded, or NULL. */
static const char *find_missing_of_all(const struct ocloc_result *r)
{
    const char *missing = NULL;
    for (uint32_t i = 0; i < r->n && !missing; i++) {
        missing = find_missing(r->data[i], r->n_bytes[i]);
    }
    return missing;
}

/* Book what a compilation gave: the compiler's error, a binary that calls what is not there, or a build. */
static void book_result(const struct ocloc_result *r, const char *log, struct arena *a,
                        struct observation *ob)
{
    if (r->code != OCLOC_SUCCESS) {
        drv_stop(ob, RUN_REJECT, PHASE_BUILD, r->code,
                 arena_printf(a, "ocloc: code %d\n%s", r->code, log));
        return;
    }
    const char *const missing = find_missing_of_all(r);
    if (missing) {
        drv_stop(ob, RUN_REJECT, PHASE_BUILD, r->code,
                 arena_printf(a, "error: " OCLOC_CALLS_MISSING "%s, which is not found\n%s",
                              missing, log));
        return;
    }
    drv_stop(ob, RUN_BUILT, PHASE_BUILD, r->code, log);
}

/* Compile the case's module, or its source text, and record what ocloc says as the observation.
 * Nothing is dispatched, because there is no device. The time is CPU time alone. */
static enum res ocloc_run(struct drv *d, const struct testcase *tc, enum drv_job job,
                          struct arena *a, struct observation *ob, struct err *e)
{
    (void)job; /* all that it does is to build */
    if (tc->env != ENV_CL) {
        return err_set(e, RES_FORMAT, "case of environment %s sent to ocloc", env_names[tc->env]);
    }
    bool const is_source = tc->language == LANGUAGE_OPENCL_C;
    const char *const file = is_source ? "case.cl" : "case.spv";
    const char *argv[] = {"ocloc",   "compile", "-q", "-file", file, "-device", d->device,
                          "-output", "case",    NULL, NULL,    NULL, NULL};
    size_t n = ARRAY_N(argv) - 4; /* the last four words are optional */
    if (!is_source) {
        argv[n++] = "-spirv_input";
    }
    if (tc->build_options[0]) {
        argv[n++] = "-options";
        argv[n++] = tc->build_options;
    }
    struct ocloc_source const source = {
        file, (const uint8_t *)(is_source ? (const void *)tc->source : tc->module),
        /* source text with the zero at its end, as ocloc wants it */
        is_source ? strlen(tc->source) + 1 : (uint64_t)tc->n_words * sizeof(uint32_t)};
    uint64_t const start_ns = drv_cpu_ns();
    drv_enter(PHASE_BUILD);
    struct ocloc_result r = call(d, argv, &source);
    ob->build_ns = drv_cpu_ns() - start_ns;
    const char *log = get_text(&r, log_name, a);
    if (r.code == OCLOC_SUCCESS && getenv("HALFULP_WORKER_CODE")) {
        log = arena_printf(a, "%s\n%s", describe_code(d, &r, a), log);
    }
    book_result(&r, log, a, ob);
    end(d, &r);
    return RES_OK;
}

static void ocloc_close(struct drv *d)
{
    (void)d; /* the library stays, as loaders do */
}

static enum res ocloc_list(const char *loader, struct arena *a, const char **out, struct err *e)
{
    struct drv d = {.device = ""};
    (void)a;
    *out = "";
    return load(&d, loader, e); /* a compiler for many devices, none of which is here */
}

static enum res no_stream_open(struct drv *d, const struct stream *s, unsigned char *memory,
                               struct arena *a, struct observation *ob, struct err *e)
{
    (void)d, (void)s, (void)memory, (void)a, (void)e;
    drv_stop(ob, RUN_REJECT, PHASE_START, 0, "a compiler without a device runs nothing");
    return RES_OK;
}

static void no_stream_run(struct drv *d, const struct stream_block *b, struct arena *a,
                          struct observation *ob)
{
    (void)d, (void)b, (void)a;
    drv_stop(ob, RUN_REJECT, PHASE_START, 0, "a compiler without a device runs nothing");
}

static void no_stream_close(struct drv *d)
{
    (void)d;
}

const struct drv_api drv_ocloc = {.name = "ocloc",
                                  .open = ocloc_open,
                                  .run = ocloc_run,
                                  .close = ocloc_close,
                                  .stream_open = no_stream_open,
                                  .stream_run = no_stream_run,
                                  .stream_close = no_stream_close,
                                  .list = ocloc_list};
