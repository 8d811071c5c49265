/* oracle/cause/test_cause.c -- logs of refusals, and the words and notes that come of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "oracle/cause/cause.h"

#define NOT_FOUND "error: build failed\nJIT session error: Symbols not found: [ "

/* clang-format off */
static const struct {
    const char *log, *words, *note;
} rows[] = {
    {"", "", ""},
    {"no reason at all\n", "", ""},
    {NOT_FOUND "_Z10atomic_addPU3AS1VDhDh ]\n",
     "symbol missing: atomic_add half global",
     "_Z10atomic_addPU3AS1VDhDh is missing, advertised by the add bits of cl_ext_float_atomics, "
     "cl_khr_fp16"},
    {NOT_FOUND "_Z8atom_maxPU3AS4Vll ]\n",
     "symbol missing: atomic long generic",
     "_Z8atom_maxPU3AS4Vll is missing, advertised by the atomics of OpenCL C 2.0, of 64 bits "
     "cl_khr_int64_base_atomics, __opencl_c_generic_address_space"},
    {NOT_FOUND "_Z19get_local_linear_idv ]\n",
     "symbol missing: get_local_linear_id",
     "_Z19get_local_linear_idv is missing, advertised by OpenCL C 2.0"},
    {NOT_FOUND "_Z6log_rmDv2_Dh ]\n",
     "symbol missing: relaxed math half",
     "_Z6log_rmDv2_Dh is missing, advertised by -cl-fast-relaxed-math, cl_khr_fp16"},
    {"Cannot find symbol _Z25sub_group_broadcast_firstf in kernel library\n",
     "symbol missing: sub_group ballot",
     "_Z25sub_group_broadcast_firstf is missing, advertised by cl_khr_subgroup_ballot"},
    {"/tmp/x.so: undefined symbol: __pocl_work_group_alloca\n",
     "symbol missing: __pocl_work_group_alloca",
     "__pocl_work_group_alloca is missing"},
    {"Symbols not found: [ _Z18convert_char64_satDv64_l ]\n", "symbol missing: vectorized function",
     "_Z18convert_char64_satDv64_l is missing"},
    {"Symbols not found: [ _Z4pownDv16_fDv16_i ]\n", "symbol missing: pown float", "_Z4pownDv16_fDv16_i is missing"},
    {"ld: undefined reference to `foo'\n", "symbol missing: foo", "foo is missing"},
    {"error: /tmp/own/tempfile_SB7VRt.cl:25:160: use of undeclared identifier "
     "'memory_scope_all_devices'\n",
     "undeclared identifier memory_scope_all_devices",
     ""},
    {"error: use of undeclared identifier 'v12'\n", "undeclared identifier", ""},
    {"(file=input,line=0,column=0,index=92): Invalid linkage type operand: 7\n(file=input): x",
     "invalid linkage type",
     ""},
    {"Internal compilation error: nir_shader not fully linked (main)\n",
     "nir_shader not fully linked",
     ""},
    {"a\nACO ERROR:\n    Unimplemented NIR instr bit size: %12 = fadd\n",
     "Unimplemented NIR instr bit size: %# = fadd",
     ""},
    {"error: operand '%v7' of 'acc3' at 0x7f12 has 16 bits\n",
     "error: operand '%#' of '#' at # has # bits",
     ""},
};
/* clang-format on */

static void each_cause_has_its_words(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, 1 << 20);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct cause const x = cause_find(rows[i].log, 0, &a);
        assert_string_equal(x.words, rows[i].words);
        assert_string_equal(x.note, rows[i].note);
    }
    arena_free(&a);
}

/* A log is attributed to all that it names, and to nothing where it only tells that it failed. */
static void each_log_is_about_what_it_names(void **state)
{
    (void)state;
    enum {
        ACCESS = CAUSE_IS_FLOAT_ACCESS,
        BOUND = CAUSE_IS_MAX_ERROR,
        OTHER = CAUSE_IS_OTHER
    };
    static const struct {
        const char *log;
        unsigned about;
    } logs[] = {
        {"",                                                                           0             },
        {"clBuildProgram: CL_BUILD_PROGRAM_FAILURE (-11)\n",                           0             },
        {"error: build failed\n",                                                      0             },
        {"Internal compiler error\n",                                                  0             },
        {"error: build failed at %12\n",                                               OTHER         },
        {NOT_FOUND "_Z11atomic_loadPU3AS1VU7_Atomicf ]\n",                             ACCESS        },
        {NOT_FOUND "_Z11atomic_xchgPU3AS4Vdd ]\n",                                     ACCESS        },
        {NOT_FOUND "_Z18__spirv_AtomicLoadPU3AS1fii ]\n",                              ACCESS        },
        {NOT_FOUND "_Z11atomic_xchgPU3AS1VDhDh ]\n",                                   OTHER         },
        {NOT_FOUND "_Z11atomic_xchgPU3AS1Vii ]\n",                                     OTHER         },
        {NOT_FOUND "_Z10atomic_addPU3AS1VDhDh ]\n",                                    OTHER         },
        {NOT_FOUND "_Z11atomic_xchgPU3AS4Vdd, _Z10atomic_addPU3AS1VDhDh ]\n",          ACCESS | OTHER},
        {NOT_FOUND "_Z11atomic_xchgPU3AS4Vdd ]\n" NOT_FOUND "_Z6log_rmDh ]\n",         ACCESS | OTHER},
        {"undefined reference to `__spirv_UMulExtended'\n",                            OTHER         },
        {"error: the binary calls __spirv_UMulExtended, which is not found\n",         OTHER         },
        {"error: the binary calls __ocl_svml_acospif_ep, which is not found\n",        BOUND         },
        {"error: fpbuiltin-max-error of 0.5 is not met\n",                             BOUND         },
        {"Unsupported SPIR-V opcode: SpvOpAtomicLoad\n",                               ACCESS        },
        {"error: unsupported atomic load of int\n",                                    OTHER         },
        {"error: no matching function for call to 'atomic_load_explicit'\n",           ACCESS        },
        {"error: no matching function for call to 'atomic_compare_exchange_strong'\n", OTHER         },
    };
    struct arena a;
    arena_init(&a, 1 << 20);
    for (size_t i = 0; i < ARRAY_N(logs); i++) {
        unsigned const about = cause_get_about(logs[i].log, &a);
        if (about != logs[i].about) {
            fail_msg("\"%s\": %u, wanted %u: \"%s\"", logs[i].log, about, logs[i].about,
                     cause_find(logs[i].log, 0, &a).words);
        }
    }
    arena_free(&a);
}

/* Symbols of one family have the same core; those of another type, address space or family have different ones. */
static void families_keep_together_and_apart(void **state)
{
    (void)state;
    static const struct {
        const char *one, *other;
        bool is_same;
    } pairs[] = {
        {"_Z10atomic_maxPU3AS4Vff",                                          "_Z10atomic_minPU3AS4Vff",            true },
        {"_Z10atomic_maxPU3AS4Vff",                                          "_Z10atomic_maxPU3AS1Vff",            false},
        {"_Z10atomic_maxPU3AS4Vff",                                          "_Z10atomic_maxPU3AS4Vdd",            false},
        {"_Z10atomic_maxPU3AS4Vff",                                          "_Z10atomic_addPU3AS4Vff",            false},
        {"_Z10atomic_addPU3AS4Vii",                                          "_Z10atomic_minPU3AS4Vjj",            true },
        {"_Z10atomic_addPU3AS4Vff",
         "_Z25atomic_fetch_add_explicitPU3AS4VU7_Atomicff12memory_order12memory_scope",                            true },
        {"_Z6log_rmDv2_Dh",                                                  "_Z6cos_rmDh",                        true },
        {"_Z6log_rmDv2_Dh",                                                  "_Z6log_rmd",                         false},
        {"_Z6log_rmDh",                                                      "_Z12native_asinhDh",                 false},
        {"_Z48sub_group_non_uniform_scan_exclusive_logical_andDv64_iDv64_j",
         "_Z31sub_group_non_uniform_reduce_orDv32_lDv32_j",                                                        true },
        {"_Z25sub_group_broadcast_firstf",                                   "_Z25sub_group_ballot_find_lsbDv4_j", true },
        {"_Z25sub_group_broadcast_firstf",                                   "_Z15sub_group_elect",                false},
        {"_Z5frexpfPi",                                                      "_Z5frexpfPU3AS1i",                   false},
    };
    struct arena a;
    arena_init(&a, 1 << 20);
    for (size_t i = 0; i < ARRAY_N(pairs); i++) {
        const char *const one =
            cause_find(arena_printf(&a, NOT_FOUND "%s ]\n", pairs[i].one), 0, &a).words;
        const char *const other =
            cause_find(arena_printf(&a, NOT_FOUND "%s ]\n", pairs[i].other), 0, &a).words;
        if ((strcmp(one, other) == 0) != pairs[i].is_same) {
            fail_msg("%s: \"%s\", %s: \"%s\"", pairs[i].one, one, pairs[i].other, other);
        }
    }
    arena_free(&a);
}

/* In which order a linker lists what it lacks, and how often, changes nothing. */
static void a_list_has_no_order(void **state)
{
    (void)state;
    static const char *const logs[] = {
        NOT_FOUND "_Z6log_rmDh, _Z10atomic_addPU3AS1VDhDh, _Z6cos_rmd ]\n",
        NOT_FOUND "_Z6cos_rmd, _Z6log_rmDh, _Z10atomic_addPU3AS1VDhDh ]\n",
        NOT_FOUND "_Z6cos_rmd ]\n" NOT_FOUND "_Z10atomic_addPU3AS1VDhDh, _Z6log_rmDh ]\n",
    };
    struct arena a;
    arena_init(&a, 1 << 20);
    for (size_t i = 0; i < ARRAY_N(logs); i++) {
        assert_string_equal(cause_find(logs[i], 0, &a).words,
                            "symbol missing: atomic_add half global");
    }
    arena_free(&a);
}

/* An excused symbol names a refusal only where no other is missing; the note names all symbols in either case. */
static void the_first_cause_that_nothing_excuses(void **state)
{
    (void)state;
    enum {
        ACCESS = CAUSE_IS_FLOAT_ACCESS,
        BOUND = CAUSE_IS_MAX_ERROR
    };
#define XCHG "_Z11atomic_xchgPU3AS4Vdd"
#define LOG  "_Z6log_rmDh"
#define EP   "__ocl_svml_acospif_ep"
    static const struct {
        const char *list;
        unsigned excused;
        const char *words;
        const char *named[3];
    } logs[] = {
        {XCHG,                0,              "symbol missing: atomic_load_store double generic", {XCHG}         },
        {XCHG,                ACCESS,         "symbol missing: atomic_load_store double generic", {XCHG}         },
        {XCHG ", " LOG,       0,              "symbol missing: atomic_load_store double generic", {XCHG, LOG}    },
        {XCHG ", " LOG,       ACCESS,         "symbol missing: relaxed math half",                {XCHG, LOG}    },
        {LOG ", " XCHG,       ACCESS,         "symbol missing: relaxed math half",                {XCHG, LOG}    },
        {LOG ", " XCHG,       BOUND,          "symbol missing: atomic_load_store double generic", {XCHG, LOG}    },
        {XCHG ", " EP,        ACCESS | BOUND, "symbol missing: __ocl_svml_acospif_ep",            {XCHG, EP}     },
        {EP ", " XCHG,        BOUND,          "symbol missing: atomic_load_store double generic", {XCHG, EP}     },
        {EP "," XCHG "," LOG, ACCESS | BOUND, "symbol missing: relaxed math half",                {XCHG, EP, LOG}},
    };
    struct arena a;
    arena_init(&a, 1 << 20);
    for (size_t i = 0; i < ARRAY_N(logs); i++) {
        struct cause const x =
            cause_find(arena_printf(&a, NOT_FOUND "%s ]\n", logs[i].list), logs[i].excused, &a);
        assert_string_equal(x.words, logs[i].words);
        for (size_t k = 0; k < ARRAY_N(logs[i].named) && logs[i].named[k]; k++) {
            assert_non_null(strstr(x.note, arena_printf(&a, "%s is missing", logs[i].named[k])));
        }
    }
    struct cause const twice =
        cause_find(NOT_FOUND LOG ", " LOG " ]\n" NOT_FOUND LOG " ]\n", 0, &a);
    assert_null(strchr(twice.note, ';'));
#undef XCHG
#undef LOG
#undef EP
    arena_free(&a);
}

/* Cut anywhere, no log is read beyond its end, and a long symbol ends. */
static void broken_logs_are_read(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, (size_t)1 << 24);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        size_t const n = strlen(rows[i].log);
        for (size_t k = 0; k < n; k++) {
            char *const cut = malloc(k + 1); /* of just that size, for a sanitizer */
            assert_non_null(cut);
            memcpy(cut, rows[i].log, k);
            cut[k] = '\0';
            assert_non_null(cause_find(cut, 0, &a).words);
            free(cut);
        }
    }
    char endless[4096];
    memset(endless, 'x', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    const char *const words =
        cause_find(arena_printf(&a, NOT_FOUND "%s ]\n", endless), 0, &a).words;
    assert_in_range(strlen(words), 20, 300);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_cause_has_its_words),
        cmocka_unit_test(each_log_is_about_what_it_names),
        cmocka_unit_test(families_keep_together_and_apart),
        cmocka_unit_test(a_list_has_no_order),
        cmocka_unit_test(the_first_cause_that_nothing_excuses),
        cmocka_unit_test(broken_logs_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
