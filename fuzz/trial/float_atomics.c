/* fuzz/trial/float_atomics.c -- cl_ext_float_atomics as a device has it. */
#include "fuzz/trial/float_atomics.h"

#include <string.h>

#include "base/caps.h"
#include "base/spv.h"
#include "fuzz/pool/worker_handle.h"
#include "fuzz/worker/drv.h"

enum {
    CLASS_LOAD_STORE,
    CLASS_ADD,
    CLASS_MIN_MAX
};
enum {
    N_FORMS = 3,             /* plain, with an order, with an order and a scope */
    N_RESULTS = 2 * N_FORMS, /* of each: what it returned, what it left */
    N_MACROS = FLOAT_ATOMICS_WIDTHS * FLOAT_ATOMICS_SPACES * FLOAT_ATOMICS_CLASSES
};

/* All numbers here are quarters, and exact in each format: 6 is 1.5. */
struct function_row {
    const char *name;       /* the call up to where the form's suffix stands */
    const char *arguments;  /* from there to where the form's further arguments stand */
    uint8_t returned, left; /* by a location that held INITIAL */
};
enum {
    INITIAL = 6
};
static const struct function_row rows[FLOAT_ATOMICS_FUNCTIONS] = {
    {"r = atomic_load",      "(p",           6, 6 },
    {"atomic_store",         "(p, (T)4.0f",  0, 16},
    {"r = atomic_exchange",  "(p, (T)4.0f",  6, 16},
    {"r = atomic_fetch_add", "(p, (T)2.25f", 6, 15},
    {"r = atomic_fetch_sub", "(p, (T)0.25f", 6, 5 },
    {"r = atomic_fetch_min", "(p, (T)0.25f", 6, 1 },
    {"r = atomic_fetch_max", "(p, (T)4.0f",  6, 16},
};
const char *const float_atomics_functions[FLOAT_ATOMICS_FUNCTIONS] = {
    "atomic_load",      "atomic_store",     "atomic_exchange", "atomic_fetch_add",
    "atomic_fetch_sub", "atomic_fetch_min", "atomic_fetch_max"};
const uint8_t float_atomics_class_of[FLOAT_ATOMICS_FUNCTIONS] = {
    CLASS_LOAD_STORE, CLASS_LOAD_STORE, CLASS_LOAD_STORE, CLASS_ADD,
    CLASS_ADD,        CLASS_MIN_MAX,    CLASS_MIN_MAX};

static const char *const type_names[FLOAT_ATOMICS_WIDTHS] = {"half", "float", "double"};
static const char *const space_names[FLOAT_ATOMICS_SPACES] = {"global", "local"};
static const char *const class_names[FLOAT_ATOMICS_CLASSES] = {"load_store", "add", "min_max"};

const char *float_atomics_macro(unsigned width, unsigned space, unsigned class_of, struct arena *a)
{
    return arena_printf(a, "__opencl_c_ext_fp%u_%s_atomic_%s", 16u << width, space_names[space],
                        class_names[class_of]);
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
        unsigned const space = i / FLOAT_ATOMICS_CLASSES % FLOAT_ATOMICS_SPACES;
        unsigned const width = i / FLOAT_ATOMICS_CLASSES / FLOAT_ATOMICS_SPACES;
        source = arena_printf(a, "%s#ifdef %s\n    b[%u] = 1;\n#endif\n", source,
                              float_atomics_macro(width, space, class_of, a), i);
    }
    TRY(run_source(t, r, arena_printf(a, "%s}\n", source), N_MACROS * 4, e));
    for (unsigned i = 0; i < N_MACROS && r->ob.status == RUN_DONE; i++) {
        unsigned const class_of = i % FLOAT_ATOMICS_CLASSES;
        unsigned const space = i / FLOAT_ATOMICS_CLASSES % FLOAT_ATOMICS_SPACES;
        unsigned const width = i / FLOAT_ATOMICS_CLASSES / FLOAT_ATOMICS_SPACES;
        out->has_macro[width][space][class_of] = load_le(r->ob.out[0] + (size_t)i * 4, 4) == 1;
    }
    return RES_OK;
}

/* ---- functions ---- */

/* A function in one of its forms, as a block. Form 1 of an addition in local memory:
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
    static const char *const suffixes[N_FORMS] = {"", "_explicit", "_explicit"};
    static const char *const further[N_FORMS] = {"", ", memory_order_relaxed",
                                                 ", memory_order_relaxed, memory_scope_device"};
    const char *const place =
        space == 1 ? arena_printf(a, "l[%u]", form) : arena_printf(a, "b[%u]", 2 * form + 1);
    const char *const pointer =
        arena_printf(a, "volatile __%s atomic_%s *", space_names[space], type_names[width]);
    const char *text = "    {\n        T r = (T)0.0f;\n";
    text = arena_printf(a, "%s        %s = (T)1.5f;\n", text, place);
    text = arena_printf(a, "%s        %sp = (%s)&%s;\n", text, pointer, pointer, place);
    text = arena_printf(a, "%s        %s%s%s%s);\n", text, row->name, suffixes[form],
                        row->arguments, further[form]);
    text = arena_printf(a, "%s        b[%u] = r;\n", text, 2 * form);
    return arena_printf(a, "%s        b[%u] = %s;\n    }\n", text, 2 * form + 1, place);
}

/* The source of a kernel that calls one function of float atomics in each of its N_FORMS forms (plain, with a
 * memory order, with order and scope), on 1.5 in global (space 0) or local memory (1). Form i leaves what the
 * call returned in b[2i], and what memory held then in b[2i + 1]. */
static const char *print_function(unsigned width, unsigned space, const struct function_row *row,
                                  struct arena *a)
{
    const char *const extension =
        width == 0   ? "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
        : width == 2 ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
                       "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
                       "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n"
                     : "";
    const char *text = arena_printf(a, "%stypedef %s T;\n__kernel void f(__global T *b)\n{\n",
                                    extension, type_names[width]);
    if (space == 1) {
        text = arena_printf(a, "%s    __local T l[%d];\n", text, N_FORMS);
    }
    for (unsigned form = 0; form < N_FORMS; form++) {
        text = arena_printf(a, "%s%s", text, print_form(width, space, row, form, a));
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

static bool is_right(const struct run *r, unsigned width, const struct function_row *row)
{
    unsigned const n_bytes = 2u << width;
    for (unsigned i = 0; i < N_RESULTS; i++) {
        uint64_t const expected = encode_quarters(width, i % 2 ? row->left : row->returned);
        if (load_le(r->ob.out[0] + (size_t)i * n_bytes, n_bytes) != expected) {
            return false;
        }
    }
    return true;
}

static enum float_atomics_step judge(const struct run *r, unsigned width,
                                     const struct function_row *row)
{
    if (r->ob.status == RUN_REJECT && r->ob.phase == PHASE_BUILD) {
        return strstr(r->ob.log, DRV_COMPILES_TEXT) ? STEP_COMPILES : STEP_REFUSED;
    }
    if (r->ob.status != RUN_DONE) {
        return r->ob.phase == PHASE_BUILD ? STEP_REFUSED : STEP_LINKS;
    }
    return is_right(r, width, row) ? STEP_RIGHT : STEP_WRONG;
}

static bool is_listed(const char *facts, unsigned width, unsigned space, unsigned class_of)
{
    static const char *const keys[FLOAT_ATOMICS_WIDTHS] = {"cl.fatomic16", "cl.fatomic32",
                                                           "cl.fatomic64"};
    return facts_number(facts, keys[width]) >> (16 * space + class_of) & 1;
}

/* Everything of one width; what the device says of itself is in any observation. */
static enum res ask_width(const struct target *t, struct run *r, unsigned width,
                          struct float_atomics *out, struct err *e)
{
    for (unsigned space = 0; space < FLOAT_ATOMICS_SPACES; space++) {
        for (unsigned f = 0; f < FLOAT_ATOMICS_FUNCTIONS; f++) {
            arena_reset(&r->arena);
            const char *const source = print_function(width, space, &rows[f], &r->arena);
            TRY(run_source(t, r, source, (N_RESULTS * (2u << width) + 3) / 4 * 4, e));
            out->step[width][space][f] = judge(r, width, &rows[f]);
        }
    }
    return RES_OK;
}

/* Find out of float atomics on a device what it lists, which macros its compiler defines, and how far a
 * kernel with each function comes. has_type: the device has floats of that width; a width without is not
 * asked about further. */
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
    out->has_type[0] = facts_meet(facts, NEED_CL_F16);
    out->has_type[1] = true;
    out->has_type[2] = facts_meet(facts, NEED_CL_F64);
    arena_init(&r->arena, HANDLE_RUN_BYTES);
    enum res res = ask_macros(t, r, out, e);
    for (unsigned width = 0; width < FLOAT_ATOMICS_WIDTHS && res == RES_OK; width++) {
        for (unsigned i = 0; i < FLOAT_ATOMICS_SPACES * FLOAT_ATOMICS_CLASSES; i++) {
            unsigned const space = i / FLOAT_ATOMICS_CLASSES;
            unsigned const class_of = i % FLOAT_ATOMICS_CLASSES;
            out->is_listed[width][space][class_of] = is_listed(facts, width, space, class_of);
        }
        if (out->has_type[width]) {
            res = ask_width(t, r, width, out, e);
        }
    }
    arena_free(&r->arena);
    return res;
}
