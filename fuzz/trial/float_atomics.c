/* fuzz/trial/float_atomics.c -- cl_ext_float_atomics as a device has it. */
#include "fuzz/trial/float_atomics.h"

#include <string.h>

#include "base/caps.h"
#include "base/spv.h"
#include "fuzz/pool/handle.h"
#include "fuzz/worker/drv.h"

enum {
    CLASS_LOAD_STORE,
    CLASS_ADD,
    CLASS_MIN_MAX
};
enum {
    N_OBJECTS = 2, /* address spaces in which an object may be: global, local */
    N_MACROS = FLOAT_ATOMICS_WIDTHS * N_OBJECTS * FLOAT_ATOMICS_CLASSES
};
enum space {
    SPACE_GLOBAL,
    SPACE_LOCAL,
    SPACE_GENERIC /* to global; behind it, to local */
};
enum form {
    FORM_PLAIN,
    FORM_ORDER,
    FORM_SCOPE,
    FORM_RUN_TIME,
    FORM_NOT_VOLATILE
};
const char *const float_atomics_spaces[FLOAT_ATOMICS_SPACES] = {"global", "local", "generic/global",
                                                                "generic/local"};
const char *const float_atomics_forms[FLOAT_ATOMICS_FORMS] = {"plain", "order", "scope", "run time",
                                                              "not volatile"};

/* Bits of CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES. */
enum {
    ORDER_SEQ_CST = 1 << 2,
    SCOPE_DEVICE = 1 << 5
};
static const unsigned needs_of_form[FLOAT_ATOMICS_FORMS] = {
    [FORM_PLAIN] = ORDER_SEQ_CST | SCOPE_DEVICE,
    [FORM_ORDER] = SCOPE_DEVICE,
    [FORM_SCOPE] = SCOPE_DEVICE,
    [FORM_RUN_TIME] = SCOPE_DEVICE,
    [FORM_NOT_VOLATILE] = ORDER_SEQ_CST | SCOPE_DEVICE};

/* All numbers here are quarters, and exact in each format: 6 is 1.5. */
struct function_row {
    const char *name;    /* behind atomic_ */
    const char *operand; /* behind the pointer */
    unsigned class_of;
    uint8_t returned, left; /* by a location that held 6; returned 0: nothing */
};
static const struct function_row rows[FLOAT_ATOMICS_FUNCTIONS] = {
    {"load",      "",           CLASS_LOAD_STORE, 6, 6 },
    {"store",     ", (T)4.0f",  CLASS_LOAD_STORE, 0, 16},
    {"exchange",  ", (T)4.0f",  CLASS_LOAD_STORE, 6, 16},
    {"fetch_add", ", (T)2.25f", CLASS_ADD,        6, 15},
    {"fetch_sub", ", (T)0.25f", CLASS_ADD,        6, 5 },
    {"fetch_min", ", (T)0.25f", CLASS_MIN_MAX,    6, 1 },
    {"fetch_max", ", (T)4.0f",  CLASS_MIN_MAX,    6, 16},
};

const char *float_atomics_function(unsigned function)
{
    return rows[function].name;
}

unsigned float_atomics_class_of(unsigned function)
{
    return rows[function].class_of;
}

static const char *const type_names[FLOAT_ATOMICS_WIDTHS] = {"half", "float", "double"};
static const char *const class_names[FLOAT_ATOMICS_CLASSES] = {"load_store", "add", "min_max"};

const char *float_atomics_macro(unsigned width, unsigned space, unsigned class_of, struct arena *a)
{
    return arena_printf(a, "__opencl_c_ext_fp%u_%s_atomic_%s", 16u << width,
                        float_atomics_spaces[space % N_OBJECTS], class_names[class_of]);
}

/* ---- one program ---- */

/* A case of that text, with one buffer. The worker builds the text; the module is a header alone. */
static void make_run(struct run *r, const char *source, uint32_t n_bytes)
{
    static const uint32_t header[SPV_HEADER_WORDS] = {SpvMagicNumber, 0x10000, 0, 1, 0};
    static const uint32_t one[3] = {1, 1, 1};
    r->tc = (struct testcase){.env = ENV_CL,
                              .class = CLASS_UNADVERTISED,
                              .profile = "atomics",
                              .module = header,
                              .n_words = SPV_HEADER_WORDS,
                              .language = LANGUAGE_OPENCL_C,
                              .source = source,
                              .entry = "f",
                              .build_options = "-cl-std=CL3.0",
                              .n_bufs = 1};
    memcpy(r->tc.local, one, sizeof one);
    memcpy(r->tc.global, one, sizeof one);
    r->tc.bufs[0] = (struct buf){
        .kind = BUF_STORAGE, .n_bytes = n_bytes, .data = arena_take(&r->arena, n_bytes)};
}

static enum res run_source(const struct target *t, struct run *r, const char *source,
                           uint32_t n_bytes, struct err *e)
{
    make_run(r, source, n_bytes);
    if (!r->tc.bufs[0].data || r->arena.is_full) {
        return err_set(e, RES_NOMEM, "%s: no room for a program", t->name);
    }
    return handle_run_once(t, r, e);
}

/* ---- macros ---- */

/* Ask the compiler which macros of the float atomics it defines, by a kernel with an #ifdef for each that
 * stores a 1 in its place. Place i stands for a width, an address space and a class of functions. If the
 * kernel does not run, none counts as defined. */
static enum res ask_macros(const struct target *t, struct run *r, struct float_atomics *out,
                           struct err *e)
{
    struct arena *const a = &r->arena;
    const char *source = "__kernel void f(__global uint *b)\n{\n";
    for (unsigned i = 0; i < N_MACROS; i++) {
        unsigned const class_of = i % FLOAT_ATOMICS_CLASSES;
        unsigned const space = i / FLOAT_ATOMICS_CLASSES % N_OBJECTS;
        unsigned const width = i / FLOAT_ATOMICS_CLASSES / N_OBJECTS;
        source = arena_printf(a, "%s#ifdef %s\n    b[%u] = 1;\n#endif\n", source,
                              float_atomics_macro(width, space, class_of, a), i);
    }
    TRY(run_source(t, r, arena_printf(a, "%s}\n", source), N_MACROS * 4, e));
    for (unsigned i = 0; i < N_MACROS && r->ob.status == RUN_DONE; i++) {
        unsigned const class_of = i % FLOAT_ATOMICS_CLASSES;
        unsigned const space = i / FLOAT_ATOMICS_CLASSES % N_OBJECTS;
        unsigned const width = i / FLOAT_ATOMICS_CLASSES / N_OBJECTS;
        bool const has_macro = load_le(r->ob.out[0] + (size_t)i * 4, 4) == 1;
        out->has_macro[width][space][class_of] = has_macro;
        out->has_macro[width][SPACE_GENERIC + space][class_of] = has_macro;
    }
    return RES_OK;
}

/* ---- the type atomic_half ---- */

/* Does a program that names the type compile, where the extension cl_khr_fp16 has that behavior? */
static enum res ask_half_where(const struct target *t, struct run *r, const char *behavior,
                               bool *out, struct err *e)
{
    arena_reset(&r->arena);
    TRY(run_source(t, r,
                   arena_printf(&r->arena,
                                "#pragma OPENCL EXTENSION cl_khr_fp16 : %s\n"
                                "__kernel void f(__global uint *b)\n{\n"
                                "    volatile __global atomic_half *p = 0;\n"
                                "    b[0] = p == 0;\n}\n",
                                behavior),
                   4, e));
    bool const is_compiled = strstr(r->ob.log, DRV_COMPILES_TEXT) != NULL;
    *out = r->ob.status == RUN_DONE || r->ob.phase != PHASE_BUILD || is_compiled;
    return RES_OK;
}

static enum res ask_half(const struct target *t, struct run *r, struct float_atomics *out,
                         struct err *e)
{
    TRY(ask_half_where(t, r, "enable", &out->has_half_enabled, e));
    return ask_half_where(t, r, "disable", &out->has_half_disabled, e);
}

/* ---- functions ---- */

/* A set of forms, bit i is enum form i: all, or one by itself. */
enum {
    ALL_FORMS = (1 << FLOAT_ATOMICS_FORMS) - 1
};

/* Print one function in one of its forms, as a block of OpenCL C. This is form 1 of an addition in local memory:
 *     {
 *         T r = (T)0.0f;
 *         l[1] = (T)1.5f;
 *         volatile __local atomic_float *p = (volatile __local atomic_float *)&l[1];
 *         r = atomic_fetch_add_explicit(p, (T)2.25f, memory_order_relaxed);
 *         b[2] = r;
 *         b[3] = l[1];
 *     }
 */
static const char *print_form(unsigned width, unsigned space, const struct function_row *row,
                              unsigned form, struct arena *a)
{
    static const char *const qualifiers[FLOAT_ATOMICS_SPACES] = {"__global ", "__local ", "", ""};
    static const char *const arguments[FLOAT_ATOMICS_FORMS] = {
        [FORM_PLAIN] = "",
        [FORM_ORDER] = ", memory_order_relaxed",
        [FORM_SCOPE] = ", memory_order_relaxed, memory_scope_device",
        [FORM_RUN_TIME] = (", (memory_order)(memory_order_relaxed + (int)get_global_offset(0)),"
                           " (memory_scope)(memory_scope_device + (int)get_global_offset(0))"),
        [FORM_NOT_VOLATILE] = ""};
    const char *const suffix = arguments[form][0] ? "_explicit" : "";
    const char *const object = space % N_OBJECTS == SPACE_LOCAL
                                   ? arena_printf(a, "l[%u]", form)
                                   : arena_printf(a, "b[%u]", 2 * form + 1);
    const char *const pointer =
        arena_printf(a, "%s%satomic_%s *", form == FORM_NOT_VOLATILE ? "" : "volatile ",
                     qualifiers[space], type_names[width]);
    const char *text = "    {\n        T r = (T)0.0f;\n";
    text = arena_printf(a, "%s        %s = (T)1.5f;\n", text, object);
    text = arena_printf(a, "%s        %sp = (%s)&%s;\n", text, pointer, pointer, object);
    text = arena_printf(a, "%s        %satomic_%s%s(p%s%s);\n", text, row->returned ? "r = " : "",
                        row->name, suffix, row->operand, arguments[form]);
    text = arena_printf(a, "%s        b[%u] = r;\n", text, 2 * form);
    return arena_printf(a, "%s        b[%u] = %s;\n    }\n", text, 2 * form + 1, object);
}

/* The source of a kernel that calls one function of float atomics in each form of the set, on 1.5. Form i leaves
 * what the call returned in b[2i], and what memory held then in b[2i + 1]. */
static const char *print_function(unsigned width, unsigned space, const struct function_row *row,
                                  unsigned forms, struct arena *a)
{
    const char *const extension =
        width == 0   ? "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
        : width == 2 ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
                       "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
                       "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n"
                     : "";
    const char *text = arena_printf(a, "%stypedef %s T;\n__kernel void f(__global T *b)\n{\n",
                                    extension, type_names[width]);
    if (space % N_OBJECTS == SPACE_LOCAL) {
        text = arena_printf(a, "%s    __local T l[%d];\n", text, FLOAT_ATOMICS_FORMS);
    }
    for (unsigned form = 0; form < FLOAT_ATOMICS_FORMS; form++) {
        if (forms >> form & 1) {
            text = arena_printf(a, "%s%s", text, print_form(width, space, row, form, a));
        }
    }
    return arena_printf(a, "%s}\n", text);
}

/* k / 4 in that format, of 0 to 31. */
static uint64_t encode_quarters(unsigned width, unsigned k)
{
    static const unsigned frac_bits[FLOAT_ATOMICS_WIDTHS] = {10, 23, 52};
    static const unsigned bias[FLOAT_ATOMICS_WIDTHS] = {15, 127, 1023};
    unsigned log = 0;
    while (k >> (log + 1)) {
        log++;
    }
    uint64_t const frac = (uint64_t)(k - (1u << log)) << (frac_bits[width] - log);
    return k == 0 ? 0 : (uint64_t)(bias[width] + log - 2) << frac_bits[width] | frac;
}

static bool is_right(const struct run *r, unsigned width, const struct function_row *row,
                     unsigned forms)
{
    unsigned const n_bytes = 2u << width;
    for (unsigned i = 0; i < 2 * FLOAT_ATOMICS_FORMS; i++) {
        uint64_t const expected = encode_quarters(width, i % 2 ? row->left : row->returned);
        if ((forms >> i / 2 & 1) &&
            load_le(r->ob.out[0] + (size_t)i * n_bytes, n_bytes) != expected) {
            return false;
        }
    }
    return true;
}

static enum float_atomics_step judge(const struct run *r, unsigned width,
                                     const struct function_row *row, unsigned forms)
{
    if (r->ob.status == RUN_REJECT && r->ob.phase == PHASE_BUILD) {
        return strstr(r->ob.log, DRV_COMPILES_TEXT) ? STEP_COMPILES : STEP_REFUSED;
    }
    if (r->ob.status != RUN_DONE) {
        return r->ob.phase == PHASE_BUILD ? STEP_REFUSED : STEP_LINKS;
    }
    return is_right(r, width, row, forms) ? STEP_RIGHT : STEP_WRONG;
}

/* Compile and run a function in a set of forms; how far that comes is entered for each of them. */
static enum res ask_forms(const struct target *t, struct run *r, unsigned width, unsigned space,
                          const struct function_row *row, unsigned forms,
                          enum float_atomics_step *out, struct err *e)
{
    uint32_t const n_bytes = (2 * FLOAT_ATOMICS_FORMS * (2u << width) + 3) / 4 * 4;
    arena_reset(&r->arena);
    const char *const source = print_function(width, space, row, forms, &r->arena);
    TRY(run_source(t, r, source, n_bytes, e));
    for (unsigned form = 0; form < FLOAT_ATOMICS_FORMS; form++) {
        if (forms >> form & 1) {
            out[form] = judge(r, width, row, forms);
        }
    }
    return RES_OK;
}

static bool is_listed(const char *facts, unsigned width, unsigned space, unsigned class_of)
{
    static const char *const keys[FLOAT_ATOMICS_WIDTHS] = {"cl.fatomic16", "cl.fatomic32",
                                                           "cl.fatomic64"};
    return facts_number(facts, keys[width]) >> (16 * space + class_of) & 1;
}

/* Everything of one width. */
static enum res ask_width(const struct target *t, struct run *r, unsigned width,
                          struct float_atomics *out, struct err *e)
{
    unsigned const n_spaces = out->has_generic ? FLOAT_ATOMICS_SPACES : N_OBJECTS;
    for (unsigned i = 0; i < n_spaces * FLOAT_ATOMICS_FUNCTIONS; i++) {
        unsigned const space = i / FLOAT_ATOMICS_FUNCTIONS;
        const struct function_row *row = &rows[i % FLOAT_ATOMICS_FUNCTIONS];
        enum float_atomics_step *step = out->step[width][space][i % FLOAT_ATOMICS_FUNCTIONS];
        TRY(ask_forms(t, r, width, space, row, ALL_FORMS, step, e));
        bool const are_right = step[0] == STEP_RIGHT;
        for (unsigned form = 0; form < FLOAT_ATOMICS_FORMS && !are_right; form++) {
            TRY(ask_forms(t, r, width, space, row, 1u << form, step, e));
        }
    }
    return RES_OK;
}

/* Find out about float atomics on a device: what the device lists, which macros its compiler
 * defines, and how far a kernel with each function gets. has_type: the device has floats of that
 * width; other widths are asked about no more. */
enum res float_atomics_ask(const struct target *t, struct arena *a, struct float_atomics *out,
                           struct err *e)
{
    struct run *const r = ARENA_NEW(a, struct run, 1);
    const char *facts = "";
    *out = (struct float_atomics){0};
    if (!r) {
        return err_set(e, RES_NOMEM, "%s: no room for a run", t->name);
    }
    TRY(handle_get_facts(t, a, &facts, e));
    uint64_t const memory = facts_number(facts, "cl.atomic_memory");
    for (unsigned form = 0; form < FLOAT_ATOMICS_FORMS; form++) {
        out->has_form[form] = (memory & needs_of_form[form]) == needs_of_form[form];
    }
    out->has_generic = facts_meet(facts, NEED_CL_GENERIC);
    out->has_type[0] = facts_meet(facts, NEED_CL_F16); /* index: 16, 32, 64 bits */
    out->has_type[1] = true;                           /* each device has floats of 32 bits */
    out->has_type[2] = facts_meet(facts, NEED_CL_F64);
    arena_init(&r->arena, HANDLE_RUN_BYTES);
    enum res res = ask_macros(t, r, out, e);
    res = res == RES_OK ? ask_half(t, r, out, e) : res;
    for (unsigned width = 0; width < FLOAT_ATOMICS_WIDTHS && res == RES_OK; width++) {
        for (unsigned i = 0; i < FLOAT_ATOMICS_SPACES * FLOAT_ATOMICS_CLASSES; i++) {
            unsigned const space = i / FLOAT_ATOMICS_CLASSES;
            unsigned const class_of = i % FLOAT_ATOMICS_CLASSES;
            out->is_listed[width][space][class_of] =
                is_listed(facts, width, space % N_OBJECTS, class_of);
        }
        if (out->has_type[width]) {
            res = ask_width(t, r, width, out, e);
        }
    }
    arena_free(&r->arena);
    return res;
}
