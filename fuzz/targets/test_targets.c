/* fuzz/targets/test_targets.c -- targets.ini: what it may say, and that mistakes are told by file and line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/caps.h"
#include "fuzz/targets/switches.h"
#include "fuzz/targets/targets.h"
#include "fuzz/targets/targets_choose.h"
#include "fuzz/targets/targets_ini.h"
#include "fuzz/trial/contradict.h"

static enum res parse(const char *text, struct target_list *list, struct arena *a, struct err *e)
{
    memset(list, 0, sizeof(*list));
    e->text[0] = '\0';
    return targets_parse_ini(list, "targets.ini", text, strlen(text), a, e);
}

/* Each key of a section is found in the target and in its worker's command line. */
static void a_section_is_a_target(void **state)
{
    (void)state;
    struct arena a;
    struct err e;
    arena_init(&a, 1 << 24);
    struct target_list *list = ARENA_NEW(&a, struct target_list, 1);
    static const char text[] = "; a comment\n"
                               "[far]\n"
                               "api = vulkan\n"
                               "launcher = ssh -o 'Proxy a b' host\n"
                               "env = A=1;B=two words\n"
                               "env.C = x=y\n"
                               "device = GeForce\n"
                               "deadline_ms = 1500\n"
                               "unadvertised = yes\n"
                               "worker = /opt/w\n"
                               "[near]\n"
                               "api = opencl\n"
                               "loader = /lib/libOpenCL.so.1\n";
    assert_int_equal(parse(text, list, &a, &e), RES_OK);
    assert_int_equal(list->n, 2);
    const struct target *t = &list->t[0];
    assert_string_equal(t->name, "far");
    assert_int_equal(t->env, ENV_VK);
    assert_string_equal(t->launcher[2], "Proxy a b");
    assert_string_equal(t->launcher[3], "host");
    assert_null(t->launcher[4]);
    assert_string_equal(t->env_vars[0], "A=1");
    assert_string_equal(t->env_vars[1], "B=two words");
    assert_string_equal(t->env_vars[2], "C=x=y");
    assert_int_equal(t->case_ns, UINT64_C(1500000000));
    assert_int_equal(t->unadvertised, 1);
    assert_string_equal(t->origin, "targets.ini:2");
    const char *argv[CHILD_MAX_ARGS];
    assert_int_equal(targets_fill_argv(t, NULL, argv, &a, &e), RES_OK);
    assert_string_equal(argv[0], "ssh");
    static const char *const words[] = {"/opt/w",        "--guard", "--env", "A=1",   "--env",
                                        "B=two%20words", "--env",   "C=x=y", "--api", "vulkan"};
    for (size_t i = 0; i < ARRAY_N(words); i++) {
        assert_string_equal(argv[4 + i], words[i]);
    }
    assert_true(targets_is_remote(t));
    assert_false(targets_is_remote(&list->t[1]));
    assert_string_equal(list->t[1].loader, "/lib/libOpenCL.so.1");
    arena_free(&a);
}

/* A list as targets_find leaves it: one target that was found, one that is not here. */
static void make_found(struct target_list *list, struct arena *a)
{
    memset(list, 0, sizeof *list);
    struct target *const t = targets_add(list, "found", ENV_VK, a);
    assert_non_null(t);
    t->device = "llvmpipe";
    t->env_vars[0] = "A=1";
    t->as_limit_bytes = 5;
    list->missing[list->n_missing++] = (struct target_missing){"far", "make drivers"};
}

/* A section with "like" has all of the other target but what it says itself; it may replace that target. */
static void a_section_is_like_a_target(void **state)
{
    (void)state;
    struct arena a;
    struct err e;
    static const char text[] = "[found]\nlike = found\nenv = B=2; C=3\ndeadline_ms = 7\n"
                               "[second]\nlike = found\ndevice = other\n";
    arena_init(&a, 1 << 24);
    struct target_list *list = ARENA_NEW(&a, struct target_list, 1);
    make_found(list, &a);
    uint64_t const hello_ns = list->t[0].hello_ns;
    assert_int_equal(targets_parse_ini(list, "x.ini", text, strlen(text), &a, &e), RES_OK);
    assert_int_equal(list->n, 2);
    const struct target *t = &list->t[0];
    assert_string_equal(t->name, "found");
    assert_string_equal(t->origin, "x.ini:1");
    assert_int_equal(t->env, ENV_VK);
    assert_string_equal(t->device, "llvmpipe");
    assert_string_equal(t->env_vars[0], "A=1");
    assert_string_equal(t->env_vars[1], "B=2");
    assert_string_equal(t->env_vars[2], "C=3");
    assert_null(t->env_vars[3]);
    assert_int_equal(t->case_ns, 7000000);
    assert_int_equal(t->hello_ns, hello_ns);
    assert_int_equal(t->as_limit_bytes, 5);
    t = &list->t[1];
    assert_string_equal(t->name, "second"); /* like the first section, which comes before it */
    assert_string_equal(t->env_vars[2], "C=3");
    assert_string_equal(t->device, "other");
    assert_string_equal(t->like, "found");
    assert_non_null(strstr(targets_get_facts(t, &a), "target.like=found\n"));
    arena_free(&a);
}

/* What is not here leaves the other sections as they are, and how to get it is told. */
static void a_section_like_a_missing_target_is_missing(void **state)
{
    (void)state;
    struct arena a;
    struct err e;
    static const char text[] = "[far]\nlike = far\nenv = B=2\n"
                               "[found]\nlike = far\n"
                               "[source]\nlike = far-c\n"
                               "[near]\napi = opencl\n";
    arena_init(&a, 1 << 24);
    struct target_list *list = ARENA_NEW(&a, struct target_list, 1);
    struct target_list *chosen = ARENA_NEW(&a, struct target_list, 1);
    make_found(list, &a);
    assert_int_equal(targets_parse_ini(list, "x.ini", text, strlen(text), &a, &e), RES_OK);
    assert_int_equal(list->n, 1);
    assert_string_equal(list->t[0].name, "near");
    assert_int_equal(list->n_missing, 3);
    assert_int_equal(targets_choose(list, "source", chosen, &a, &e), RES_USAGE);
    assert_non_null(strstr(e.text, "make drivers"));
    assert_int_equal(targets_choose(list, "far-c", chosen, &a, &e), RES_USAGE);
    assert_non_null(strstr(e.text, "make drivers"));
    assert_int_equal(targets_choose(list, "near", chosen, &a, &e), RES_OK);
    assert_int_equal(targets_choose(list, "far", chosen, &a, &e), RES_USAGE);
    assert_non_null(strstr(e.text, "make drivers"));
    assert_int_equal(targets_choose(list, "found", chosen, &a, &e), RES_USAGE);
    assert_non_null(strstr(e.text, "make drivers"));
    arena_free(&a);
}

/* A compiler without a device tells so in its facts, with the variables of its driver; others add none. */
static void some_targets_only_build(void **state)
{
    (void)state;
    struct arena a;
    struct err e;
    static const char text[] = "[igc]\napi = ocloc\ndevice = bmg\n"
                               "[radv-a]\napi = vulkan\nbuild_only = yes\nenv = CHIP=a\n"
                               "launcher = bwrap --setenv LD_PRELOAD shim.so x\n"
                               "[radv-b]\nlike = radv-a\nbuild_only = no\n";
    arena_init(&a, 1 << 24);
    struct target_list *list = ARENA_NEW(&a, struct target_list, 1);
    assert_int_equal(parse(text, list, &a, &e), RES_OK);
    assert_int_equal(list->n, 3);
    assert_int_equal(list->t[0].values, VALUES_NONE);
    assert_int_equal(list->t[0].env, ENV_CL);
    const char *argv[CHILD_MAX_ARGS];
    assert_int_equal(targets_fill_argv(&list->t[0], NULL, argv, &a, &e), RES_OK);
    int n_api = 0;
    for (size_t i = 0; argv[i]; i++) {
        n_api += strcmp(argv[i], "--api") == 0 && strcmp(argv[i + 1], "ocloc") == 0;
    }
    assert_int_equal(n_api, 1);
    assert_int_equal(list->t[1].values, VALUES_NONE);
    assert_string_equal(targets_get_facts(&list->t[1], &a),
                        "target.values=no\ntarget.environment=LD_PRELOAD=shim.so CHIP=a\n");
    assert_int_equal(list->t[2].values, VALUES_DEVICE);
    assert_string_equal(targets_get_facts(&list->t[2], &a),
                        "target.variables=CHIP=a\ntarget.like=radv-a\n");
    arena_free(&a);
}

/* Valid bounds of max errors: IGC's are known, of others a section may say them; a target like another has
 * the same. */
static void bounds_are_facts_of_a_target(void **state)
{
    (void)state;
    struct arena a;
    struct err e;
    static const char text[] = "[igc]\napi = ocloc\ndevice = bmg\n"
                               "[gpu]\napi = opencl\nmax_error_least = 0.5\n"
                               "max_error_any = FDiv sqrt\n"
                               "[again]\nlike = gpu\nmax_error_least = 2\n";
    arena_init(&a, 1 << 24);
    struct target_list *list = ARENA_NEW(&a, struct target_list, 1);
    assert_int_equal(parse(text, list, &a, &e), RES_OK);
    const char *const igc = targets_get_facts(&list->t[0], &a);
    assert_false(facts_take_bound(igc, "exp", 0x3f000000));
    assert_true(facts_take_bound(igc, "exp", 0x3f800000));
    assert_true(facts_take_bound(igc, "sqrt", 0x3f000000));
    assert_true(facts_take_bound(igc, "FDiv", 0x3f000000));
    assert_string_equal(targets_get_facts(&list->t[1], &a),
                        "target.max_error_least=0.5\ntarget.max_error_any=FDiv sqrt\n");
    assert_string_equal(
        targets_get_facts(&list->t[2], &a),
        "target.like=gpu\ntarget.max_error_least=2\ntarget.max_error_any=FDiv sqrt\n");
    arena_free(&a);
}

/* A driver's name with a row of rewrites.def behind a colon is that driver with the fault planted; a mistake is told with what there is. */
static void a_fault_is_planted_by_name(void **state)
{
    (void)state;
    struct arena a;
    struct err e;
    arena_init(&a, 1 << 24);
    struct target_list *list = ARENA_NEW(&a, struct target_list, 2), *chosen = list + 1;
    static const char text[] =
        "[near]\napi = vulkan\n[source]\napi = opencl\nlanguage = opencl-c\n";
    assert_int_equal(parse(text, list, &a, &e), RES_OK);
    assert_int_equal(targets_choose(list, "near,near:SUB_FOR_ADD", chosen, &a, &e), RES_OK);
    assert_int_equal(chosen->n, 2);
    assert_null(chosen->t[0].rewrite);
    assert_string_equal(targets_get_facts(&chosen->t[0], &a), "");
    assert_ptr_equal(chosen->t[1].rewrite, rewrite_find("SUB_FOR_ADD"));
    assert_string_equal(chosen->t[1].name, "near:SUB_FOR_ADD");
    assert_string_equal(targets_get_facts(&chosen->t[1], &a), "target.rewrite=SUB_FOR_ADD\n");
    static const struct {
        const char *name, *want;
    } bad[] = {
        {"near:SUB_FOR",       "accepted names: SUB_FOR_ADD"  },
        {"near:",              "accepted names: SUB_FOR_ADD"  },
        {"far:SUB_FOR_ADD",    "no target \"far:SUB_FOR_ADD\""},
        {"source:SUB_FOR_ADD", "accepts no modules"           },
        {"sim-any:SUB_FOR",    "no fault"                     },
    };
    for (size_t i = 0; i < ARRAY_N(bad); i++) {
        assert_int_equal(targets_choose(list, bad[i].name, chosen, &a, &e), RES_USAGE);
        assert_non_null(strstr(e.text, bad[i].want));
    }
    arena_free(&a);
}

static void a_star_stands_for_all_that_begin_so(void **state)
{
    (void)state;
    struct arena a;
    struct err e;
    static const char text[] =
        "[radv-a]\napi = vulkan\n[nvk]\napi = vulkan\n[radv-b]\napi = vulkan\n";
    arena_init(&a, 1 << 24);
    struct target_list *list = ARENA_NEW(&a, struct target_list, 1);
    struct target_list *chosen = ARENA_NEW(&a, struct target_list, 1);
    assert_int_equal(parse(text, list, &a, &e), RES_OK);
    assert_int_equal(targets_choose(list, "radv-b,radv-*,sim-any", chosen, &a, &e), RES_OK);
    assert_int_equal(chosen->n, 3); /* none twice */
    assert_string_equal(chosen->t[0].name, "radv-b");
    assert_string_equal(chosen->t[1].name, "radv-a");
    assert_int_equal(targets_choose(list, "turnip-*", chosen, &a, &e), RES_USAGE);
    assert_non_null(strstr(e.text, "turnip-"));
    arena_free(&a);
}

/* Each mistake in targets.ini is told with the file and the line in which it stands. */
static void mistakes_name_file_and_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"api = opencl\n",                                "targets.ini:1:"},
        {"[a]\napi = metal\n",                            "targets.ini:2:"},
        {"[a]\n\napi = opencl\ncolour = red\n",           "targets.ini:4:"},
        {"[a]\napi = opencl\n[b]\ndevice = x\n",          "targets.ini:3:"},
        {"[a]\napi = opencl\ndeadline_ms = 0\n",          "targets.ini:3:"},
        {"[a]\napi = opencl\ndeadline_ms = fast\n",       "targets.ini:3:"},
        {"[a]\napi = opencl\nenv = NOVALUE\n",            "targets.ini:3:"},
        {"[a]\napi = opencl\nunadvertised = maybe\n",     "targets.ini:3:"},
        {"[a]\napi = opencl\nbuild_only = maybe\n",       "targets.ini:3:"},
        {"[a]\napi = opencl\n[a]\napi = opencl\n",        "targets.ini:3:"},
        {"[a b]\napi = opencl\n",                         "targets.ini:1:"},
        {"[]\napi = opencl\n",                            "targets.ini:1:"},
        {"[a]\napi = opencl\nwhat is this\n",             "targets.ini:3:"},
        {"[a\napi = opencl\n",                            "targets.ini:1:"},
        {"[a]\nlike = b\n",                               "targets.ini:2:"},
        {"[a]\nlike = a\n",                               "targets.ini:2:"},
        {"[a]\napi = opencl\n[b]\nenv = A=1\nlike = a\n", "targets.ini:5:"},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct arena a;
        struct err e;
        arena_init(&a, 1 << 24);
        struct target_list *list = ARENA_NEW(&a, struct target_list, 1);
        enum res const r = parse(rows[i].text, list, &a, &e);
        if (r != RES_USAGE || !strstr(e.text, rows[i].want)) {
            fail_msg("row %zu: status %d, \"%s\"", i, (int)r, e.text);
        }
        arena_free(&a);
    }
}

/* The parser lives through any bytes. */
static void any_bytes_are_safe(void **state)
{
    (void)state;
    static const char words[][24] = {"[a]\n",
                                     "api = opencl\n",
                                     "like = a\n",
                                     "like = far\n",
                                     "env = A=1\n",
                                     "[",
                                     "]",
                                     "=",
                                     "\n",
                                     "launcher = x y\n",
                                     ";",
                                     "\\",
                                     "deadline_ms = 5\n",
                                     " "};
    struct rng rng = rng_seed(4);
    uint64_t n_good = 0;
    for (int i = 0; i < 3000; i++) {
        struct arena a;
        struct err e;
        char text[400] = "";
        size_t n = 0;
        arena_init(&a, 1 << 24);
        struct target_list *list = ARENA_NEW(&a, struct target_list, 1);
        make_found(list, &a);
        for (uint64_t k = rng_below(&rng, 12); k > 0; k--) {
            const char *word = words[rng_below(&rng, ARRAY_N(words))];
            memcpy(text + n, word, strlen(word));
            n += strlen(word);
            if (rng_below(&rng, 4) == 0) {
                text[n++] = (char)rng_below(&rng, 256);
            }
        }
        n_good += targets_parse_ini(list, "x", text, n, &a, &e) == RES_OK;
        arena_free(&a);
    }
    assert_true(n_good > 0 && n_good < 3000);
}

/* Targets are chosen by name in the order of the list; unknown, missing and repeated names are told. */
static void names_are_chosen_or_told(void **state)
{
    (void)state;
    struct arena a;
    struct err e;
    arena_init(&a, 1 << 24);
    struct target_list *from = ARENA_NEW(&a, struct target_list, 1);
    struct target_list *out = ARENA_NEW(&a, struct target_list, 1);
    assert_int_equal(parse("[one]\napi=opencl\n[two]\napi=vulkan\n", from, &a, &e), RES_OK);
    from->missing[from->n_missing++] = (struct target_missing){"far", "make drivers"};
    assert_int_equal(targets_choose(from, "two,sim-any,sim-ieee-vulkan", out, &a, &e), RES_OK);
    assert_int_equal(out->n, 3);
    assert_string_equal(out->t[0].name, "two");
    assert_int_equal(out->t[1].alternates, 1);
    assert_int_equal(out->t[2].env, ENV_VK);
    assert_int_equal(targets_choose(from, "three", out, &a, &e), RES_USAGE);
    assert_non_null(strstr(e.text, "one, two"));
    assert_int_equal(targets_choose(from, "far", out, &a, &e), RES_USAGE);
    assert_non_null(strstr(e.text, "make drivers"));
    assert_int_equal(targets_choose(from, "two,two", out, &a, &e), RES_USAGE);
    assert_int_equal(targets_choose(from, ",", out, &a, &e), RES_USAGE);
    arena_free(&a);
}

static const struct contradict_row *find_rule(const char *text)
{
    for (int i = 0; i < CONTRADICT_N; i++) {
        if (strcmp(contradict_rows[i].text, text) == 0) {
            return &contradict_rows[i];
        }
    }
    fail_msg("no rule \"%s\"", text);
    return NULL;
}

/* Rules of contradict.def hold for facts that contradict each other and for no others. */
static void contradictions_are_found(void **state)
{
    /* SHOWS(FA_UNUSED_BITS, FA_CL_2_0, FA_NO_MANDATE, FA_MACROS, FA_MACROS_NEED, FA_ADD_ACCEPTED,
     * FA_MM_ACCEPTED) */
    (void)state;
    const struct contradict_row *row =
        find_rule("has 64-bit atomic capabilities without 64-bit floats");
    assert_true(contradict_find("cl.fatomic64=0x2\n", row));
    assert_false(contradict_find("cl.fatomic64=0x2\ncl.fp64_config=0x3f\n", row));
    assert_false(contradict_find("cl.fatomic64=0x0\n", row));
    assert_false(contradict_find("", row));
    assert_true(contradict_holds("a=1\nb=x yy z\n", "a=1 b~yy !c a>=1 a&3"));
    assert_false(contradict_holds("a=1\nb=x yy z\n", "b~y"));
    row = find_rule("has the capability bit, but not the feature "
                    "__opencl_c_ext_fp32_local_atomic_min_max");
    assert_true(contradict_find("cl.c_features=__opencl_c_fp64\ncl.fatomic32=0x40000\n", row));
    assert_false(contradict_find("cl.c_features=__opencl_c_ext_fp32_local_atomic_min_max\n"
                                 "cl.fatomic32=0x40000\n",
                                 row));
    row = find_rule("has the feature __opencl_c_ext_fp32_local_atomic_min_max, but not the "
                    "capability bit");
    assert_true(contradict_find("cl.c_features=__opencl_c_ext_fp32_local_atomic_min_max\n"
                                "cl.fatomic32=0x4\n",
                                row));
    assert_false(contradict_find("cl.c_features=__opencl_c_ext_fp32_local_atomic_min_max\n"
                                 "cl.fatomic32=0x40004\n",
                                 row));
    row = find_rule("has the feature __opencl_c_ext_fp16_global_atomic_add without cl_khr_fp16");
    assert_true(contradict_find("cl.c_features=__opencl_c_ext_fp16_global_atomic_add\n", row));
    assert_false(contradict_find("cl.c_features=__opencl_c_ext_fp16_global_atomic_add\n"
                                 "cl.ext=cl_khr_fp16\n",
                                 row));
    row = find_rule("has the feature __opencl_c_ext_fp64_local_atomic_min_max without "
                    "__opencl_c_fp64");
    assert_true(contradict_find("cl.c_features=__opencl_c_ext_fp64_local_atomic_min_max\n", row));
    assert_false(contradict_find("cl.c_features=__opencl_c_ext_fp64_local_atomic_min_max "
                                 "__opencl_c_fp64\n",
                                 row));
    row = find_rule("has bits of 32-bit atomic capabilities that have no meaning");
    assert_true(contradict_find("cl.fatomic32=0x70008\n", row));
    assert_true(contradict_find("cl.fatomic32=0x80007\n", row));
    assert_false(contradict_find("cl.fatomic32=0x70007\n", row));
    row = find_rule("lists cl_ext_float_atomics, but is older than OpenCL 2.0");
    assert_true(contradict_find("cl.ext=cl_ext_float_atomics\ncl.version=0x10002\n", row));
    assert_false(contradict_find("cl.ext=cl_ext_float_atomics\ncl.version=0x20000\n", row));
    for (int i = 0; i < CONTRADICT_N; i++) { /* no capability is mandated */
        assert_false(contradict_find("cl.ext=cl_ext_float_atomics\ncl.version=0x20000\n",
                                     &contradict_rows[i]));
    }
    row =
        find_rule("has the capability bit, but its SPIR-V query does not list AtomicFloat32AddEXT");
    assert_true(contradict_find("cl.spirv_caps=4\ncl.il=SPIR-V\ncl.fatomic32=0x20000\n", row));
    assert_true(contradict_find("cl.spirv_caps=4\ncl.il=SPIR-V\ncl.fatomic32=0x2\n", row));
    assert_false(contradict_find("cl.spirv_caps=4\ncl.il=SPIR-V\ncl.fatomic32=0x40004\n", row));
    assert_false(contradict_find("cl.spirv_caps=6033\ncl.il=SPIR-V\ncl.fatomic32=0x20000\n", row));
    row = find_rule("has the capability bit, but its SPIR-V query does not list "
                    "AtomicFloat64MinMaxEXT");
    assert_true(contradict_find("cl.spirv_caps=4\ncl.il=SPIR-V\ncl.fatomic64=0x40000\n", row));
    assert_false(contradict_find("cl.spirv_caps=5613\ncl.il=SPIR-V\ncl.fatomic64=0x40000\n", row));
    row = find_rule("lists cl_khr_subgroup_ballot, but not the capability GroupNonUniformBallot");
    assert_true(contradict_find("cl.ext=cl_khr_subgroup_ballot\ncl.spirv_caps=4 640\n", row));
    assert_false(contradict_find("cl.ext=cl_khr_subgroup_ballot\ncl.spirv_caps=4 64\n", row));
    assert_false(contradict_find("cl.ext=cl_khr_subgroup_ballot\n", row)); /* nobody was asked */
    row = find_rule("rotates in clusters, but not otherwise");
    assert_true(contradict_find("vk.f.shaderSubgroupRotateClustered=1\n", row));
    for (int i = 0; i < CONTRADICT_N; i++) { /* a device that says nothing contradicts nothing */
        assert_false(contradict_find("", &contradict_rows[i]));
    }
}

/* The words of all switches of a driver, separated by spaces. */
static const char *list_switches(const char *facts, const struct target *t,
                                 const struct testcase *tc, struct arena *a)
{
    const char *words = "";
    struct switched with;
    int made = 0;
    for (uint32_t i = 0; (made = switches_make(i, facts, t, tc, a, &with)) >= 0; i++) {
        if (made) {
            words = arena_printf(a, "%s%s ", words, with.word);
        }
    }
    return words;
}

/* A driver gets its own switches, OpenCL's option only a case of OpenCL, and nothing twice. */
static void a_driver_has_its_own_switches(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, (size_t)1 << 20);
    struct target t = {.name = "t"};
    struct testcase tc = {.env = ENV_VK, .build_options = ""};
    const char radv[] = "platform=radv\n";
    const char pocl[] = "platform=Portable Computing Language\n";
    assert_string_equal(list_switches(radv, &t, &tc, &a),
                        "ACO_DEBUG=noopt ACO_DEBUG=novn ACO_DEBUG=nosched ");
    assert_string_equal(list_switches("platform=other\n", &t, &tc, &a), "");
    t.env_vars[0] = "ACO_DEBUG=validateir";
    assert_string_equal(list_switches(radv, &t, &tc, &a), ""); /* the user's own stays */
    tc.env = ENV_CL;
    struct switched with;
    assert_int_equal(switches_make(0, pocl, &t, &tc, &a, &with), 1);
    assert_string_equal(with.tc.build_options, "-cl-opt-disable");
    tc.build_options = "-cl-fast-relaxed-math";
    assert_int_equal(switches_make(0, pocl, &t, &tc, &a, &with), 1);
    assert_string_equal(with.tc.build_options, "-cl-fast-relaxed-math -cl-opt-disable");
    assert_string_equal(tc.build_options, "-cl-fast-relaxed-math");
    assert_non_null(strstr(list_switches(pocl, &t, &tc, &a), "POCL_WORK_GROUP_METHOD=cbs "));
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_driver_has_its_own_switches),
        cmocka_unit_test(a_section_is_a_target),
        cmocka_unit_test(a_section_is_like_a_target),
        cmocka_unit_test(a_section_like_a_missing_target_is_missing),
        cmocka_unit_test(some_targets_only_build),
        cmocka_unit_test(bounds_are_facts_of_a_target),
        cmocka_unit_test(a_fault_is_planted_by_name),
        cmocka_unit_test(a_star_stands_for_all_that_begin_so),
        cmocka_unit_test(mistakes_name_file_and_line),
        cmocka_unit_test(any_bytes_are_safe),
        cmocka_unit_test(names_are_chosen_or_told),
        cmocka_unit_test(contradictions_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
