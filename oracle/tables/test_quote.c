/* oracle/tables/test_quote.c -- each rule that can be broken has a sentence, with a link of the form that its document uses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/caps.h"
#include "base/ops.h"
#include "oracle/tables/quote.h"

/* The environments in which a clause binds: those of the documents that it cites. */
static unsigned get_envs(const struct clause_row *row)
{
    unsigned envs = 0;
    for (const char *at = row->code; at;) {
        const struct document *const d = document_find(at);
        envs |= d ? d->envs : 0;
        at = strstr(at, "; ");
        at = at ? at + 2 : NULL;
    }
    return envs;
}

_Static_assert(OP_CL == 1 << ENV_CL && OP_VK == 1 << ENV_VK, "one bit is of one environment");

static uint32_t count(int clause, enum env env, const char *op)
{
    struct quote quotes[QUOTE_MAX];
    struct quote_query const q = {
        .clause = (enum clause_id)clause, .env = env, .op = op, .type = "f32"};
    return quote_find(&q, quotes);
}

/* Has the clause a sentence about all instructions, or about one? */
static bool has_any(int clause, enum env env)
{
    uint32_t n = count(clause, env, "");
    for (int i = 0; i < OP_N; i++) {
        n += count(clause, env, op_rows[i].name);
    }
    return n > 0;
}

/* Each violation has a sentence; where instructions of ops.def cite the clause, each of these instructions has one. */
static void each_violation_has_a_sentence(void **state)
{
    (void)state;
    uint32_t n_clauses = 0, n_ops = 0;
    for (int c = 0; c < CLAUSE_N; c++) {
        unsigned const envs = get_envs(&clause_rows[c]);
        if (strcmp(clause_rows[c].grade, "VIOLATION") != 0) {
            continue;
        }
        if (envs == 0) {
            fail_msg("%s: no document", clause_rows[c].id);
        }
        n_clauses++;
        for (int e = 0; e < ENV_N; e++) {
            bool is_of_ops = false;
            for (int i = 0; i < OP_N; i++) {
                bool const is_own = strcmp(op_rows[i].clause, clause_rows[c].id) == 0;
                is_of_ops |= is_own;
                if (is_own && (envs & op_rows[i].envs & 1U << e)) {
                    n_ops++;
                    if (count(c, (enum env)e, op_rows[i].name) == 0) {
                        fail_msg("%s %s: no sentence of %s", env_names[e], clause_rows[c].id,
                                 op_rows[i].name);
                    }
                }
            }
            if (!is_of_ops && (envs & 1U << e) && !has_any(c, (enum env)e)) {
                fail_msg("%s %s: no sentence", env_names[e], clause_rows[c].id);
            }
        }
    }
    assert_true(n_clauses > 50);
    assert_true(n_ops > 300);
}

/* Whatever a case may need, a refusal has a sentence, and none of another API. */
static void each_need_has_a_sentence(void **state)
{
    (void)state;
    for (int i = 0; i < NEED_N; i++) {
        struct quote quotes[QUOTE_MAX];
        enum env const env = cap_rows[i].envs & OP_CL ? ENV_CL : ENV_VK;
        struct testcase tc = {.env = env};
        struct arena a;
        arena_init(&a, 1 << 16);
        needs_add(&tc.needs, (enum need_id)i);
        struct quote_query const q = quote_make_query(CLAUSE_MUST_ACCEPT, &tc, "", "FAdd", "", &a);
        assert_string_equal(q.op, cap_rows[i].id);
        uint32_t const n = quote_find(&q, quotes);
        assert_true(n > 0);
        for (uint32_t k = 0; k < n; k++) {
            assert_true(quotes[k].document->envs & 1U << env);
        }
        arena_free(&a);
    }
}

/* The form of a document's links. */
static const struct {
    const char *document, *start;
} forms[] = {
    {"S",            "https://registry.khronos.org/SPIR-V/specs/unified1/SPIRV.html#"              },
    {"V",            "https://registry.khronos.org/vulkan/specs/latest/html/vkspec.html#"          },
    {"CE",           "https://registry.khronos.org/OpenCL/specs/unified/html/OpenCL_Env.html#"     },
    {"CC",           "https://registry.khronos.org/OpenCL/specs/unified/html/OpenCL_C.html#"       },
    {"CA",           "https://registry.khronos.org/OpenCL/specs/unified/html/OpenCL_API.html#"     },
    {"O",
     "https://registry.khronos.org/SPIR-V/specs/unified1/OpenCL.ExtendedInstructionSet.100.html#"  },
    {"GLSL.std.450", "https://registry.khronos.org/SPIR-V/specs/unified1/GLSL.std.450.html#"       },
    {"EFA",          "https://registry.khronos.org/OpenCL/extensions/ext/cl_ext_float_atomics.html"},
    {"X:",           "https://github.khronos.org/SPIRV-Registry/extensions/"                       },
    {"C99",          "https://www.open-std.org/jtc1/sc22/wg14/www/docs/"                           }
};

static void check_link(const struct quote *q, struct arena *a)
{
    const char *const link = quote_get_link(q, a);
    for (size_t i = 0; i < ARRAY_N(forms); i++) {
        size_t const n = strlen(forms[i].document);
        bool const is_extension = strcmp(forms[i].document, "X:") == 0;
        if (is_extension ? strncmp(q->document->name, "X:", 2) == 0
                         : strcmp(q->document->name, forms[i].document) == 0) {
            assert_memory_equal(link, forms[i].start, strlen(forms[i].start));
            assert_int_equal(strspn(q->anchor,
                                    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                    "0123456789_-."),
                             strlen(q->anchor));
            if (is_extension) { /* the page of an extension has its name */
                assert_non_null(strstr(link, q->document->name + n));
            } else if (link[strlen(forms[i].start) - 1] == '#') {
                assert_true(q->anchor[0] != '\0');
            }
            return;
        }
    }
    fail_msg("%s: no form of its links is known", q->document->name);
}

/* Every sentence that a query can find is of a document that is there, ends, and has a link. */
static void links_have_the_form_of_their_document(void **state)
{
    (void)state;
    uint32_t n_checked = 0;
    struct arena a;
    arena_init(&a, 1 << 24);
    for (int c = 0; c < CLAUSE_N; c++) {
        for (int i = 0; i < OP_N + NEED_N; i++) {
            struct quote quotes[QUOTE_MAX];
            const char *const op = i < OP_N ? op_rows[i].name : cap_rows[i - OP_N].id;
            for (int e = 0; e < ENV_N; e++) {
                struct quote_query const q = {
                    .clause = (enum clause_id)c, .env = (enum env)e, .op = op, .type = ""};
                uint32_t const n = quote_find(&q, quotes);
                for (uint32_t k = 0; k < n; k++, n_checked++) {
                    assert_non_null(quotes[k].document);
                    assert_true(strlen(quotes[k].text) > 3 && quotes[k].section[0]);
                    assert_null(strchr(quotes[k].text, '"'));
                    check_link(&quotes[k], &a);
                }
            }
        }
        arena_reset(&a);
    }
    assert_true(n_checked > 1000);
    arena_free(&a);
}

/* The quoted cell is that of the instruction, the type, the environment and the profile. */
static void the_right_cell_is_found(void **state)
{
    (void)state;
    static const struct {
        enum clause_id clause;
        enum env env;
        const char *op, *type;
        bool is_embedded;
        const char *text, *place;
    } rows[] = {
        {CLAUSE_ARITH_CR,     ENV_VK, "FAdd",       "f32", false, "Correctly rounded.",
         "Vulkan Specification 1.4.360, Precision of Core SPIR-V Instructions, row OpFAdd"                                                               },
        {CLAUSE_DIV_ULP,      ENV_CL, "FDiv",       "f32", false, "<= 2.5 ulp",
         "OpenCL SPIR-V Environment Specification 3.1, ULP Values for Math Instructions - Full "
         "Profile, row OpFDiv"                                                                                                                           },
        {CLAUSE_DIV_ULP,      ENV_CL, "FDiv",       "f16", false, "<= 1 ulp",                NULL                                                        },
        {CLAUSE_DIV_ULP,      ENV_CL, "FDiv",       "f32", true,  "<= 3 ulp",
         "OpenCL SPIR-V Environment Specification 3.1, ULP Values for Math Instructions - Embedded "
         "Profile, row OpFDiv"                                                                                                                           },
        {CLAUSE_MATH_ULP,     ENV_CL, "exp",        "f64", false, "<= 3 ulp",                NULL                                                        },
        {CLAUSE_MATH_RELAXED, ENV_CL, "acos",       "f32", false, "\xe2\x89\xa4 4096 ulp",   NULL                                                        },
        {CLAUSE_MATH_ULP,     ENV_VK, "Atan",       "f16", false, "5 ULP.",
         "Vulkan Specification 1.4.360, Precision of GLSL.std.450 Instructions, row Atan"                                                                },
        {CLAUSE_INT_EXACT,    ENV_VK, "BitwiseXor", "",    false,
         "Result is 1 if exactly one of Operand 1 or Operand 2 is 1. Result is 0 if Operand 1 and "
         "Operand 2 have the same value.",                                                   "SPIR-V Specification, unified 1.6 revision 6, OpBitwiseXor"},
        {CLAUSE_COPY_EXACT,   ENV_CL, "nothing",    "",    false, "Load through a pointer.", NULL                                                        }
    };
    struct arena a;
    arena_init(&a, 1 << 16);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct quote quotes[QUOTE_MAX];
        struct quote_query const q = {.clause = rows[i].clause,
                                      .env = rows[i].env,
                                      .op = rows[i].op,
                                      .type = rows[i].type,
                                      .is_embedded = rows[i].is_embedded};
        assert_true(quote_find(&q, quotes) > 0);
        assert_string_equal(quotes[0].text, rows[i].text);
        if (rows[i].place) {
            assert_string_equal(quote_get_place(&quotes[0], &a), rows[i].place);
        }
    }
    struct quote_query const none = {.clause = CLAUSE_NONE, .op = "FAdd", .type = "f32"};
    struct quote quotes[QUOTE_MAX];
    assert_int_equal(quote_find(&none, quotes), 0);
    arena_free(&a);
}

/* A quotient that a build option has correctly rounded is about that option and not about the bound of a table. */
static void an_option_replaces_a_bound(void **state)
{
    (void)state;
    static const struct {
        enum clause_id clause;
        const char *op, *type, *options, *text;
    } rows[] = {
        {CLAUSE_DIV_ULP,    "FDiv", "f32", "-cl-fp32-correctly-rounded-divide-sqrt", "The -cl-fp32"},
        {CLAUSE_MATH_EXACT, "sqrt", "f32", "-cl-fp32-correctly-rounded-divide-sqrt",
         "The -cl-fp32"                                                                            },
        {CLAUSE_MATH_EXACT, "sqrt", "f64", "-cl-fp32-correctly-rounded-divide-sqrt",
         "Correctly rounded"                                                                       },
        {CLAUSE_DIV_ULP,    "FDiv", "f32", "",                                       "<= 2.5 ulp"  },
    };
    struct arena a;
    arena_init(&a, 1 << 16);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct quote quotes[QUOTE_MAX];
        struct testcase const tc = {.env = ENV_CL, .build_options = rows[i].options};
        struct quote_query const q =
            quote_make_query(rows[i].clause, &tc, "", rows[i].op, rows[i].type, &a);
        assert_true(quote_find(&q, quotes) > 0);
        assert_memory_equal(quotes[0].text, rows[i].text, strlen(rows[i].text));
    }
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_violation_has_a_sentence),
        cmocka_unit_test(each_need_has_a_sentence),
        cmocka_unit_test(links_have_the_form_of_their_document),
        cmocka_unit_test(the_right_cell_is_found),
        cmocka_unit_test(an_option_replaces_a_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
