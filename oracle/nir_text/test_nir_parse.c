/* oracle/nir_text/test_nir_parse.c -- the text of NIR: what is read of it, and what is refused with which sentence. */
#include "oracle/nir/test_nir_rig.h"
#include "oracle/nir_text/nir_op.h"
#include "oracle/nir_text/nir_parse.h"

static void parse(struct arena *a, const char *text, struct nir_program *p)
{
    struct nir_answer answer = {.end = NIR_ENDED};
    if (!nir_parse(text, strlen(text), a, p, &answer)) {
        fail_msg("%s", answer.text);
    }
}

static void header_values_and_operands_are_read(void **state)
{
    (void)state;
    struct arena a;
    struct nir_program p;
    arena_init(&a, (size_t)1 << 26);
    parse(
        &a,
        "shader: MESA_SHADER_COMPUTE\n"
        "workgroup_size: 4, 5, 6\n"
        "shared_size: 128\n"
        "scratch: 12\n"
        "max_subgroup_size: 64\n"
        "float_controls_execution_mode: 0x00000090\n"
        "unheard_of: 3\n"
        "decl_function main () (entrypoint)\n"
        "\n"
        "impl main {\n"
        "    con block b0:  // preds:\n"
        "    con 32x2   %7 = load_const (0xffffefff, 0x00000001) = (-nan, 0.000000) = (-4097, 1)\n"
        "    con 1      %1 = load_const (true)\n"
        "    div 32     %2 = iadd.nuw %7.y, %7 (0xffffefff, 0x1).x // exact, preserve:sz,inf,nan\n"
        "    con 32x3   %5 = @load_workgroup_id\n"
        "    con 32     %3 = @load_scalar_arg_amd (base=12, arg_upper_bound_u32_amd=0)\n"
        "                    // succs: b1\n"
        "    block b1:\n"
        "}\n",
        &p);
    assert_int_equal(p.header.workgroup_size[1], 5);
    assert_int_equal(p.header.workgroup_size[2], 6);
    assert_int_equal(p.header.shared_bytes, 128);
    assert_int_equal(p.header.scratch_bytes, 12);
    assert_int_equal(p.header.max_subgroup_size, 64);
    assert_int_equal(p.header.float_controls, 0x90);
    assert_int_equal(p.n_instructions, 3);
    assert_int_equal(p.n_components, 2 + 1 + 1 + 3 + 1);
    assert_int_equal(p.constants[p.values[0].offset], 0xffffefff);
    assert_int_equal(p.constants[p.values[1].offset], 1);
    const struct nir_instruction *const add = &p.instructions[0];
    assert_int_equal(add->row, NIR_OP_iadd);
    assert_int_equal(add->line, 14);
    assert_int_equal(p.sources[add->first].value, 0); /* the first value that is defined */
    assert_int_equal(nir_source_component(&p.sources[add->first], 0), 1);
    assert_int_equal(nir_source_component(&p.sources[add->first + 1], 0), 0);
    assert_int_equal(p.instructions[2].index[NIR_INDEX_base], 12);
    arena_free(&a);
}

#define HEAD "impl main {\nblock b0:\n1 %0 = load_const (true)\n"

static void structured_flow_becomes_targets(void **state)
{
    (void)state;
    struct arena a;
    struct nir_program p;
    arena_init(&a, (size_t)1 << 26);
    parse(&a,
          HEAD
          "if %0 {\nblock b1:\n} else {\nblock b2:\n}\n"
          "block b3:\nloop {\nblock b4:\nif %0 {\nblock b5:\nbreak\n}\nblock b6:\ncontinue\n}\n"
          "block b7:\n}\n",
          &p);
    assert_int_equal(p.n_blocks, 8);
    assert_int_equal(p.blocks[0].target, 1);
    assert_int_equal(p.blocks[0].otherwise, 2);
    assert_int_equal(p.blocks[1].target, 3);
    assert_int_equal(p.blocks[2].target, 3);
    assert_int_equal(p.blocks[4].otherwise, 6);
    assert_int_equal(p.blocks[5].target, 7);
    assert_int_equal(p.blocks[6].target, 4);
    assert_int_equal(p.blocks[4].loop_end, 6);
    assert_int_equal(p.blocks[7].target, NIR_END);
    /* a loop with a part of its own for continue, which the last block goes to as well */
    parse(&a,
          HEAD "loop {\nblock b1:\nif %0 {\nblock b2:\ncontinue\n}\nblock b3:\n} continue {\nblock "
               "b4:\n}\nblock b5:\n}\n",
          &p);
    assert_int_equal(p.blocks[2].target, 4);
    assert_int_equal(p.blocks[3].target, 4);
    assert_int_equal(p.blocks[4].target, 1);
    assert_int_equal(p.blocks[1].loop_end, 4);
    /* the other form: positions are those of the text, whatever the numbers are */
    parse(&a,
          HEAD "goto b7 if %0 else b9\nblock b7:\ngoto b9\nblock b9:\ngoto b7 if %0 (true) else "
               "b3\nblock b3:\n}\n",
          &p);
    assert_int_equal(p.blocks[0].target, 1);
    assert_int_equal(p.blocks[0].otherwise, 2);
    assert_int_equal(p.blocks[1].loop_end, 2);
    assert_int_equal(p.blocks[2].otherwise, 3);
    arena_free(&a);
}

/* Numbers of values have gaps, and the operand of a phi is defined behind it. */
static void numbers_of_values_need_not_be_dense(void **state)
{
    (void)state;
    struct arena a;
    struct nir_program p;
    arena_init(&a, (size_t)1 << 26);
    parse(&a,
          "impl main {\nblock b0:\n32 %1073741823 = load_const (0x5)\nloop {\nblock b1:\n"
          "32 %9 = phi b0: %1073741823, b1: %400000\n32 %400000 = ineg %9\n}\nblock b2:\n}\n",
          &p);
    assert_int_equal(p.n_values, 3);
    assert_int_equal(p.phi_sources[0].value, 0);
    assert_int_equal(p.phi_sources[1].value, 2);
    assert_int_equal(p.sources[0].value, 1);
    arena_free(&a);
}

/* The header of 25.0 has another line for the sub-group, and float controls with nine bits more below. */
static void headers_of_two_versions_are_told_apart(void **state)
{
    (void)state;
    static const char body[] = "impl main {\nblock b0:\n}\n";
    struct arena a;
    struct nir_program p;
    char text[512];
    arena_init(&a, (size_t)1 << 26);
    (void)snprintf(text, sizeof text, "subgroup_size: 0\nfloat_controls_execution_mode: 0x%x\n%s",
                   0x2 | 1U << 10 | 1U << 19, body);
    parse(&a, text, &p);
    assert_true(p.header.is_old);
    assert_int_equal(p.header.float_controls, 0x2 | 0x400); /* preserve 32, toward zero 32 */
    (void)snprintf(text, sizeof text,
                   "max_subgroup_size: 64\nfloat_controls_execution_mode: 0x402\n%s", body);
    parse(&a, text, &p);
    assert_false(p.header.is_old);
    assert_int_equal(p.header.float_controls, 0x402);
    arena_free(&a);
}

static void declarations_say_what_is_accessed(void **state)
{
    (void)state;
    struct arena a;
    struct nir_program p;
    arena_init(&a, (size_t)1 << 26);
    parse(&a,
          "decl_var ssbo INTERP_MODE_NONE restrict readonly block #0 (~0, 0, 0)\n"
          "decl_var ssbo INTERP_MODE_NONE restrict writeonly block #1 (~0, 0, 2)\n"
          "decl_var ssbo INTERP_MODE_NONE restrict readonly writeonly block #2 (~0, 0, 3)\n"
          "decl_var ubo INTERP_MODE_NONE none block #3 (~0, 0, 4)\n"
          "decl_var image INTERP_MODE_NONE restrict r32_uint uimage2D #4 (~0, 0, 31)\n"
          "decl_var image INTERP_MODE_NONE restrict r32_uint uimage2D #5 (~0, 0, 32)\n"
          "decl_var push_const INTERP_MODE_NONE none block #6\n"
          "impl main {\nblock b0:\n}\n",
          &p);
    assert_int_equal(p.header.bindings, 0x8000001d);
    assert_int_equal(p.header.read_only, 0x9);
    assert_int_equal(p.header.write_only, 0xc);
    arena_free(&a);
}

static void what_is_wrong_is_said_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum nir_end end;
        uint32_t line;
        const char *said;
    } rows[] = {
        {HEAD "32 %1 = fbogus %0\n}\n",                                        NIR_UNKNOWN, 4, "the operation fbogus is not known"     },
        {HEAD "32 %1 = @load_bogus\n}\n",                                      NIR_UNKNOWN, 4, "the intrinsic load_bogus is not known" },
        {HEAD "32 %1 = @load_subgroup_size (bogus=1)\n}\n",                    NIR_UNKNOWN, 4, "the argument bogus"                    },
        {HEAD "@barrier (execution_scope=GALAXY)\n}\n",                        NIR_UNKNOWN, 4, "the word GALAXY"                       },
        {HEAD "frobnicate\n}\n",                                               NIR_UNKNOWN, 4, "the statement frobnicate"              },
        {HEAD "1 %0 = load_const (false)\n}\n",                                NIR_BROKEN,  4, "defined twice"                         },
        {HEAD "1 %1 = inot %2\n}\n",                                           NIR_BROKEN,  4, "not defined"                           },
        {HEAD "1 %1 = inot %0.y\n}\n",                                         NIR_BROKEN,  4, "no such component"                     },
        {HEAD "1 %1 = inot %0, %0\n}\n",                                       NIR_BROKEN,  4, "number of operands"                    },
        {HEAD "32 %1 = inot %0\n}\n",                                          NIR_BROKEN,  4, "width that the operation does not take"},
        {HEAD "1 %1 = fneg %0\n}\n",                                           NIR_BROKEN,  4, "width that the operation does not give"},
        {HEAD "7 %1 = inot %0\n}\n",                                           NIR_BROKEN,  4, "neither 1, 8, 16, 32 nor 64 bits"      },
        {HEAD "1x17 %1 = mov %0\n}\n",                                         NIR_BROKEN,  4, "too many"                              },
        {HEAD "8 %1 = load_const (0x100)\n}\n",                                NIR_BROKEN,  4, "more bits than its type"               },
        {HEAD "32x2 %1 = load_const (0x1)\n}\n",                               NIR_BROKEN,  4, "too few values"                        },
        {HEAD "32 %1073741824 = load_const (0x1)\n}\n",                        NIR_BROKEN,  4, "no definition"                         },
        {HEAD "1 %9 = load_const (true)\n1 %7 = inot %9\n1 %9 = inot %7\n}\n", NIR_BROKEN,  6,
         "defined twice"                                                                                                               },
        {HEAD "break\n}\n",                                                    NIR_BROKEN,  4, "outside a loop"                        },
        {HEAD "} else {\n}\n",                                                 NIR_BROKEN,  4, "else has no if"                        },
        {HEAD "goto b5\n}\n",                                                  NIR_BROKEN,  4, "a block that is not there"             },
        {HEAD "block b0:\n}\n",                                                NIR_BROKEN,  4, "number of another one"                 },
        {HEAD "1 %1 = phi b3: %0\n}\n",                                        NIR_BROKEN,  4, "a block that is not there"             },
        {HEAD "1 %1 = inot %0\n1 %2 = phi b0: %0\n}\n",                        NIR_BROKEN,  5, "begin of its block"                    },
        {HEAD "goto b0\n1 %1 = inot %0\n}\n",                                  NIR_BROKEN,  5, "outside a block"                       },
        {HEAD "1 %1 = inot %0 )\n}\n",                                         NIR_BROKEN,  4, "something stands behind"               },
        {HEAD "1 %1 = @ballot (%0)\n",                                         NIR_BROKEN,  4, "ends before the program"               },
        {"impl main {\n}\n",                                                   NIR_BROKEN,  2, "no block"                              },
        {"workgroup_size: 1, 2\n",                                             NIR_BROKEN,  1, "header"                                },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct arena a;
        struct nir_program p;
        struct nir_answer answer = {.end = NIR_ENDED};
        arena_init(&a, (size_t)1 << 28);
        bool const is_read = nir_parse(rows[i].text, strlen(rows[i].text), &a, &p, &answer);
        if (is_read || answer.end != rows[i].end || answer.line != rows[i].line ||
            !strstr(answer.text, rows[i].said)) {
            fail_msg("row %zu: end %d, line %u, \"%s\"", i, (int)answer.end, answer.line,
                     answer.text);
        }
        arena_free(&a);
    }
}

static void nesting_is_bounded(void **state)
{
    (void)state;
    for (int n = NIR_MAX_NESTING; n <= NIR_MAX_NESTING + 1; n++) {
        struct arena a;
        struct nir_program p;
        struct nir_answer answer = {.end = NIR_ENDED};
        struct bytes text;
        arena_init(&a, (size_t)1 << 28);
        bytes_init(&text, &a);
        bytes_put(&text, HEAD, strlen(HEAD));
        for (int i = 1; i <= n; i++) {
            const char *const line = arena_printf(&a, "if %%0 {\nblock b%d:\n", i);
            bytes_put(&text, line, strlen(line));
        }
        for (int i = 1; i <= n; i++) {
            const char *const line = arena_printf(&a, "}\nblock b%d:\n", n + i);
            bytes_put(&text, line, strlen(line));
        }
        bytes_put(&text, "}\n", 2);
        assert_int_equal(nir_parse((const char *)text.p, text.n, &a, &p, &answer),
                         n == NIR_MAX_NESTING);
        arena_free(&a);
    }
}

static const char *const files[] = {"radv-divide.txt", "turnip-divide.txt", "nvk-divide.txt"};
static const enum nir_driver drivers[] = {NIR_DRIVER_RADV, NIR_DRIVER_TURNIP, NIR_DRIVER_NVK};

/* A text that is cut or changed somewhere ends in an answer, whatever it is. */
static void broken_texts_are_answered(void **state)
{
    (void)state;
    enum {
        CUT_STEP = 97,
        N_CHANGES = 3000
    };
    static struct nir_rig r;
    struct rng rng = rng_seed(1);
    size_t n_cut = 0, n_refused = 0;
    for (size_t i = 0; i < ARRAY_N(files); i++) {
        struct arena a;
        arena_init(&a, (size_t)1 << 20);
        const char *const text = nir_rig_read(&a, files[i]);
        size_t const n = strlen(text);
        for (size_t cut = 0; cut < n; cut += CUT_STEP) {
            char *const copy = arena_copy(&a, text, n);
            copy[cut] = 0;
            nir_rig_make(&r, drivers[i], 32, 32);
            assert_false(nir_rig_run(&r, copy));
            assert_int_not_equal(r.answer.text[0], 0);
            arena_free(&r.a);
            n_cut++;
        }
        for (int k = 0; k < N_CHANGES; k++) {
            struct arena_mark const mark = arena_get_mark(&a);
            char *const copy = arena_copy(&a, text, n);
            for (uint64_t c = 1 + rng_below(&rng, 4); c > 0; c--) {
                copy[rng_below(&rng, n)] = text[rng_below(&rng, n)];
            }
            nir_rig_make(&r, drivers[i], 32, 32);
            r.q.max_steps = 100000;
            n_refused += !nir_rig_run(&r, copy);
            arena_free(&r.a);
            arena_release(&a, mark);
        }
        arena_free(&a);
    }
    assert_true(n_cut > 50 && n_refused > N_CHANGES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(header_values_and_operands_are_read),
        cmocka_unit_test(structured_flow_becomes_targets),
        cmocka_unit_test(numbers_of_values_need_not_be_dense),
        cmocka_unit_test(headers_of_two_versions_are_told_apart),
        cmocka_unit_test(declarations_say_what_is_accessed),
        cmocka_unit_test(what_is_wrong_is_said_with_its_line),
        cmocka_unit_test(nesting_is_bounded),
        cmocka_unit_test(broken_texts_are_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
