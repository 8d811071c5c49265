/* base/testcase.h -- a case and an observation: what travels between the stages, as plain bytes. */
#pragma once

#include "base/base.h"
#include "base/caps.h"

enum env {
    ENV_CL,
    ENV_VK
};
enum {
    ENV_N = 2
};
extern const char *const env_names[ENV_N]; /* "opencl", "vulkan" */

/* In what form a driver is given a program. It is judged by the module in each. */
enum language {
    LANGUAGE_SPIRV,    /* the module itself */
    LANGUAGE_OPENCL_C, /* OpenCL C 3.0, printed from the module */
    LANGUAGE_GLSL, /* GLSL 4.60, likewise: of Vulkan, for a front end that makes a module of it again */
};
enum {
    LANGUAGE_N = 3
};
extern const char *const language_names[LANGUAGE_N]; /* "spirv", "opencl-c", "glsl" */
extern const enum env language_envs[LANGUAGE_N];     /* whose cases it says; of spirv any */
/* The driver of target NAME, given source text, is the target of that name and this. */
#define TARGET_SOURCE_SUFFIX "-c"

/* How the texels of a buffer lie. */
enum texels {
    TEXELS_NONE,   /* it has none */
    TEXELS_BUFFER, /* one behind the other */
    TEXELS_1D,     /* of images: */
    TEXELS_2D,
    TEXELS_3D,
    TEXELS_CUBE,
    TEXELS_1D_ARRAY,
    TEXELS_2D_ARRAY,
    TEXELS_CUBE_ARRAY
};
enum {
    TEXELS_N = 9,
    TEXELS_MAX_COORDINATES = 3,
    CUBE_FACES = 6
};
/* The image's type in SPIR-V. */
struct texels_row {
    uint32_t dim;      /* SpvDim */
    uint32_t is_array; /* operand Arrayed */
    uint32_t
        n_coordinates; /* of a texel; of arrays the layer is the last, of cubes 6 * layer + face */
};
extern const struct texels_row texels_rows[TEXELS_N];

enum texel_format {
    TEXEL_NONE,
    TEXEL_R32F,
    TEXEL_R32UI,  /* an integer without sign */
    TEXEL_RG16F,  /* two 16-bit floats */
    TEXEL_RGBA16F /* four */
};
enum {
    TEXEL_FORMAT_N = 5
};
/* STORAGE: OpenCL's __global pointer argument, Vulkan's storage buffer. CONSTANT, which no program writes: OpenCL's
 * __constant pointer argument, Vulkan's uniform buffer. VALUE, of OpenCL alone: a kernel's argument by value, whose bytes
 * are the content; it is no memory of the device, so nothing is read back (base/kernel_args.h). Of Vulkan alone are the
 * others: ADDRESS, which is reached by its address of 64 bits, and the storage buffer of that binding holds nothing but
 * this; PUSH, the push constants, which have no binding, and of which a case has one block at most; storage texel buffers
 * and storage images, whose tiling is optimal. */
enum buf_kind {
#define BUF(id, ...) BUF_##id,
#include "base/bufs.def"
};
enum {
    BUF_KIND_N = 0
#define BUF(...) +1
#include "base/bufs.def"
};
struct buf_kind_row {
    enum texels texels;
    enum texel_format format;
};
extern const struct buf_kind_row buf_kind_rows[BUF_KIND_N];
extern const char *const buf_kind_names[BUF_KIND_N];
/* Is it a storage texel buffer or a storage image? */
static inline bool buf_has_texels(enum buf_kind kind)
{
    return buf_kind_rows[kind].texels != TEXELS_NONE;
}
static inline bool buf_is_image(enum buf_kind kind)
{
    return buf_kind_rows[kind].texels > TEXELS_BUFFER;
}
/* Is it memory that programs read and never write? */
static inline bool buf_is_constant(enum buf_kind kind)
{
    return kind == BUF_CONSTANT || kind == BUF_PUSH;
}
/* Is it memory of the device, which pointers go to and which has a content after the run? */
static inline bool buf_is_memory(enum buf_kind kind)
{
    return kind != BUF_VALUE;
}
/* Bytes of a texel; of a storage buffer, which has none, as of R32F. */
static inline uint32_t buf_texel_bytes(enum buf_kind kind)
{
    return buf_kind_rows[kind].format == TEXEL_RGBA16F ? 8 : 4;
}
/* The kind with such texels; BUF_STORAGE: there is none. */
enum buf_kind buf_find_kind(enum texels texels, enum texel_format format);

enum {
    CASE_MAX_BUFS = 16,
    CASE_MAX_BUF_BYTES = 16 << 20,
    CASE_MAX_MODULE_WORDS = 1 << 20,
    CASE_MAX_SPECS = 32,
    CASE_MAX_SETS = 4,               /* descriptor sets, which each Vulkan device has */
    CASE_MAX_PUSH_BYTES = 128,       /* of push constants, likewise */
    CASE_MAX_CONSTANT_BYTES = 16384, /* of a constant buffer, likewise; OpenCL has more */
    CASE_MAX_VALUE_BYTES = 128,      /* of an argument by value: 16 components of 64 bits */
    CASE_MAX_DISPATCHES = 8,
    CASE_MAX_SUBGROUP = 128, /* invocations of a sub-group */
    CASE_MAX_ITEMS = 1 << 20 /* invocations of a dispatch, and of a work-group */
};

/* Buffer i is kernel argument i (OpenCL), or binding i of its descriptor set (Vulkan). */
struct buf {
    enum buf_kind kind;
    uint32_t width, height; /* of an image, height 1 without a second dimension; else 0 */
    uint32_t
        n_bytes; /* > 0, a multiple of 4; of an image whole slices; of an argument by value any number */
    uint32_t set;        /* Vulkan: its descriptor set, below CASE_MAX_SETS; OpenCL: 0 */
    unsigned char *data; /* initial content, n_bytes */
};
/* Slices of an image, each of width x height texels, one behind the other: its depth, layers or faces of all
 * layers; 0 where its sizes do not fit each other. */
uint32_t buf_get_slices(const struct buf *b);
/* How far each coordinate of a texel goes, the first one fastest; how many coordinates there are. 0: no texels. */
uint32_t buf_get_extents(const struct buf *b, uint32_t extents[TEXELS_MAX_COORDINATES]);

enum case_class {
    CLASS_LEGAL,
    CLASS_UNADVERTISED,
    CLASS_ILLEGAL
};
enum {
    CASE_CLASS_N = 3
};
extern const char *const case_class_names[CASE_CLASS_N];

/* A value for the specialization constants of that SpecId, in place of what stands in the module. */
struct spec {
    uint32_t id;
    uint32_t n_bytes; /* of its type: 1, 2, 4, 8; a bool is 1, and Vulkan is handed 4 for it */
    uint64_t bits;
    uint32_t is_bool; /* 1: a bool, `bits` is 0 or 1 */
};
/* What a tape decodes to. Everything is borrowed from the arena it was built in. */
struct testcase {
    enum env env;
    enum case_class class;
    const char *profile; /* "atomics" */
    uint32_t gen_version;
    uint64_t tape_hash;     /* of the tape's bytes; identity with profile and gen_version */
    const uint32_t *module; /* SPIR-V words, host order */
    uint32_t n_words;
    enum language language;    /* in which a driver is given it */
    const char *source;        /* its text; "" for LANGUAGE_SPIRV */
    const char *entry;         /* name of the entry point */
    const char *build_options; /* OpenCL; "" for Vulkan */
    uint32_t local[3];         /* work-group size, each >= 1; also LocalSize in Vulkan modules */
    uint32_t global[3];        /* invocations; Vulkan: a multiple of local. OpenCL: a remainder
                                * needs CL_NONUNIFORM_WG */
    uint32_t
        n_dispatches; /* dispatches that run it, one behind the other on the same buffers: see testcase_get_dispatch; 0 is 1 */
    uint32_t subgroup_size;  /* required of the pipeline or kernel; 0: left to the driver */
    uint32_t full_subgroups; /* 1: Vulkan, the pipeline requires full sub-groups; else 0 */
    struct needs needs;
    uint32_t n_bufs;
    struct buf bufs[CASE_MAX_BUFS];
    uint32_t n_specs; /* constants without a value here keep the module's */
    struct spec specs[CASE_MAX_SPECS];
};
/* The case's value for that SpecId; NULL: it has none. */
const struct spec *testcase_find_spec(const struct testcase *tc, uint32_t id);

/* What running came to; the oracle decides from it what that means. */
enum run_status {
    RUN_DONE,        /* outputs are valid */
    RUN_REJECT,      /* the driver refused with an error code; see phase and driver_code */
    RUN_CRASH,       /* the worker died by a signal, also after a reply */
    RUN_HANG,        /* past the deadline */
    RUN_EXIT,        /* the driver called exit() */
    RUN_DEVICE_LOST, /* the API said so */
    RUN_HARNESS,     /* our own fault: never booked on the driver */
    RUN_SKIPPED,     /* the target does not meet the case's needs */
    RUN_BUILT /* built and, as it was asked for, not dispatched: phase PHASE_BUILD, no outputs */
};
enum {
    RUN_STATUS_N = 9
};
extern const char *const run_status_names[RUN_STATUS_N];

enum run_phase {
    PHASE_START,
    PHASE_BUILD,
    PHASE_RUN,
    PHASE_READ,
    PHASE_DONE
};
enum {
    RUN_PHASE_N = 5
};
extern const char *const run_phase_names[RUN_PHASE_N];

/* A form of a program inside a compiler that is text: foreign text. */
struct program_text {
    const char *name; /* "Final NIR" */
    const char *text;
};
/* A number that a compiler reports about the code that it made: registers, spills, instructions, bytes. */
struct program_statistic {
    const char *name; /* "VGPRs"; foreign text */
    uint64_t value;
};
enum {
    OBSERVATION_MAX_PROGRAMS = 4,
    OBSERVATION_MAX_STATISTICS = 128, /* of four executables, up to 32 of each */
    STATISTIC_MAX_NAME_CHARS = 64
};

/* What a worker saw. Borrowed from an arena. */
struct observation {
    enum run_status status;
    enum run_phase phase;      /* where it stopped */
    int32_t driver_code;       /* cl_int or VkResult; signal number for RUN_CRASH; exit status */
    uint64_t build_ns, run_ns; /* CPU time of the worker; time on the wall */
    const char *log;           /* build log or message, foreign text */
    const char *signature;     /* RUN_CRASH: "module+symbol;..." top frames; else "" */
    const char *facts;         /* of the target's hello, caps.h */
    uint32_t guard_hits;       /* buffers whose guard bytes changed: bit i is buffer i */
    uint32_t
        n_programs; /* what a target without a device says that it compiled, in the order of its passes */
    struct program_text programs[OBSERVATION_MAX_PROGRAMS];
    uint32_t
        program_subgroup;  /* invocations of a sub-group for which it was compiled; 0: not told */
    uint32_t n_statistics; /* of a case that was only built, where the compiler reports any */
    struct program_statistic statistics[OBSERVATION_MAX_STATISTICS];
    uint32_t n_bufs; /* as in the case when RUN_DONE, else 0 */
    const unsigned char
        *out[CASE_MAX_BUFS]; /* content afterwards, n_bytes of the case's buffer; of an
                                              * argument by value what it was */
};

/* Bytes of a case or an observation, for the wire, the journal and files; the layout is the
 * project's own, little-endian, starts with a magic and a version. NULL when the arena is full. */
const unsigned char *testcase_encode(const struct testcase *tc, struct arena *a, size_t *n);
const unsigned char *observation_encode(const struct testcase *tc, const struct observation *ob,
                                        struct arena *a, size_t *n);
/* Inverse; the result's buffers are copies in `a`. Any bytes are safe: RES_FORMAT names the offset
 * and what is wrong. An observation is decoded against its case (number and size of buffers). */
MUST_USE enum res testcase_decode(struct testcase *tc, struct arena *a, const void *p, size_t n,
                                  struct err *e);
MUST_USE enum res observation_decode(struct observation *ob, const struct testcase *tc,
                                     struct arena *a, const void *p, size_t n, struct err *e);
/* Add a statistic, whose name stays borrowed. One too many, and one that a journal cannot hold, is left out. */
void observation_put_statistic(struct observation *ob, const char *name, uint64_t value);

/* What n_bytes (1 to 8) of a buffer are after the run, as a number; 0 and false: the outputs do not have them. */
bool observation_get_word(const struct observation *ob, const struct testcase *tc, uint32_t buf,
                          uint32_t byte, unsigned n_bytes, uint64_t *out);

/* Work-groups of one dispatch of a case: from `base` on, `n` in each dimension. Vulkan counts them by
 * vkCmdDispatchBase, OpenCL by the offset of clEnqueueNDRangeKernel, in invocations. What OpenCL's WorkgroupId says
 * begins with 0 in each. */
struct dispatch {
    uint32_t base[3], n[3];
};
/* The dispatch number i of those that run the case, below what testcase_count_dispatches says: together they are all
 * work-groups, divided along the first of the dimensions that have most of them. */
struct dispatch testcase_get_dispatch(const struct testcase *tc, uint32_t i);
uint32_t testcase_count_dispatches(const struct testcase *tc);
/* How many dispatches can run it at most: none is empty, and each is whole work-groups. */
uint32_t testcase_get_max_dispatches(const struct testcase *tc);
/* Invocations and work-groups of all of it. */
uint32_t testcase_get_items(const struct testcase *tc);
uint32_t testcase_get_groups(const struct testcase *tc);
