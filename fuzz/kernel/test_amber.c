/* fuzz/kernel/test_amber.c -- scripts of Amber: what is read of them, what is refused with its line, what holds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "fuzz/kernel/kernel_amber.h"

#define TEST_ARENA_BYTES ((size_t)256 << 20)

struct rig {
    struct arena a;
    struct amber script;
    struct err e;
};

static int set_up(void **state)
{
    struct rig *const r = calloc(1, sizeof *r);
    if (!r) {
        return -1;
    }
    arena_init(&r->a, TEST_ARENA_BYTES);
    *state = r;
    return 0;
}

static int tear_down(void **state)
{
    struct rig *const r = *state;
    arena_free(&r->a);
    free(r);
    return 0;
}

static enum res read_text(struct rig *r, const char *text)
{
    return kernel_amber_read("x.amber", text, strlen(text), &r->a, &r->script, &r->e);
}

#define HEAD        "#!amber\nSHADER compute s SPIRV-ASM\nOpNop # is kept\nEND\n"
#define PIPE(lines) "PIPELINE compute p\nATTACH s\n" lines "END\n"
#define RUN         "RUN p 2 1 1\n"

/* A vector of 3 has the stride of 4; series, fills and data; the shader's first line is line 3. */
static void a_script_is_read(void **state)
{
    struct rig *const r = *state;
    enum res const res =
        read_text(r, HEAD "BUFFER a DATA_TYPE vec3<float> DATA 1 2 3\n4 5 6 END # end\n"
                          "BUFFER b DATA_TYPE int16 SIZE 3 SERIES_FROM -1 INC_BY 2\n"
                          "BUFFER c DATA_TYPE uint32 SIZE 2 FILL 0xffffffff\n" PIPE(
                              "SPECIALIZE 3 AS uint32 VALUE 7\n"
                              "BIND BUFFER a AS storage DESCRIPTOR_SET 1 BINDING 2\n"
                              "BIND BUFFER c AS push_constant\n") RUN);
    if (res != RES_OK) {
        fail_msg("%s", r->e.text);
    }
    assert_string_equal(r->script.shader, "\n\nOpNop # is kept\n");
    assert_true(r->script.is_assembly);
    assert_int_equal(r->script.groups[0], 2);
    assert_int_equal(r->script.n_buffers, 3);
    assert_int_equal(r->script.buffers[0].n_bytes, 32);
    assert_int_equal(load_le(r->script.buffers[0].data + 16, 4), 0x40800000); /* 4 */
    assert_int_equal(load_le(r->script.buffers[0].data + 12, 4), 0);
    assert_int_equal(r->script.buffers[0].set, 1);
    assert_int_equal(r->script.buffers[0].binding, 2);
    assert_int_equal(load_le(r->script.buffers[1].data, 2), 0xffff);
    assert_int_equal(load_le(r->script.buffers[1].data + 4, 2), 3);
    assert_false(r->script.buffers[1].is_bound);
    assert_int_equal(load_le(r->script.buffers[2].data + 4, 4), 0xffffffff);
    assert_true(r->script.buffers[2].is_push);
    assert_int_equal(r->script.specs[0].id, 3);
    assert_string_equal(r->script.specs[0].value, "7");
}

/* Each with its line. */
static void what_is_not_known_is_told_with_its_line(void **state)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"#!amber\n",                                             "x.amber:1: the script has no shader"},
        {HEAD,                                                    "x.amber:4: the script runs nothing" },
        {HEAD RUN RUN,                                            "x.amber:6: a second RUN"            },
        {HEAD "RUN p 1 0 1\n",                                    "x.amber:5: RUN PIPELINE"            },
        {HEAD "SHADER vertex v GLSL\n",                           "x.amber:5: a shader of compute"     },
        {HEAD "PIPELINE graphics p\n",                            "x.amber:5: a pipeline of graphics"  },
        {HEAD "BUFFER a DATA_TYPE mat2x2<float> SIZE 1 FILL 0\n", "x.amber:5: BUFFER NAME"             },
        {HEAD "BUFFER a DATA_TYPE float SIZE 0 FILL 0\n",         "x.amber:5: a buffer of 1 byte"      },
        {HEAD "BUFFER a DATA_TYPE float SIZE 99999999 FILL 0\n",  "x.amber:5: a buffer of 1 byte"      },
        {HEAD "BUFFER a DATA_TYPE float DATA 1\n",                "x.amber:5: DATA without END"        },
        {HEAD PIPE("BIND BUFFER q AS storage\n"),                 "x.amber:7: BIND BUFFER"             },
        {HEAD PIPE("FRAMEBUFFER_SIZE 2 2\n"),                     "x.amber:7: FRAMEBUFFER_SIZE"        },
        {HEAD "EXPECT q IDX 0 EQ 1\n",                            "x.amber:5: EXPECT of a buffer"      },
        {HEAD "CLEAR p\n",                                        "x.amber:5: CLEAR"                   },
    };
    struct rig *const r = *state;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        assert_int_equal(read_text(r, rows[i].text), RES_FORMAT);
        if (strncmp(r->e.text, rows[i].message, strlen(rows[i].message)) != 0) {
            fail_msg("%s", r->e.text);
        }
    }
}

/* a: 1, 2, 3 and 4, 5, 6 with a hole between. */
static void expectations_hold_or_not(void **state)
{
    static const struct {
        const char *text;
        bool holds;
    } rows[] = {
        {"EXPECT a IDX 0 EQ 1 2 3 4 5 6\n",                true },
        {"EXPECT a IDX 0 EQ 1 2 3 4 5 7\n",                false},
        {"EXPECT a IDX 4 NE 3\n",                          true },
        {"EXPECT a IDX 4 NE 2\n",                          false},
        {"EXPECT a IDX 4 LT 3\n",                          true },
        {"EXPECT a IDX 4 LT 2\n",                          false},
        {"EXPECT a IDX 4 LE 2\n",                          true },
        {"EXPECT a IDX 4 GE 2\n",                          true },
        {"EXPECT a IDX 4 GT 2\n",                          false},
        {"EXPECT a IDX 4 TOLERANCE 0.5 EQ 2.5\n",          true },
        {"EXPECT a IDX 4 TOLERANCE 0.25 EQ 2.5\n",         false},
        {"EXPECT a IDX 4 TOLERANCE 25% EQ 2.5\n",          true },
        {"EXPECT a IDX 4 TOLERANCE 10% EQ 2.5\n",          false},
        {"EXPECT a IDX 32 EQ 0\n",                         false},
        {"EXPECT a EQ_BUFFER same\n",                      true },
        {"EXPECT a EQ_BUFFER other\n",                     false},
        {"EXPECT h IDX 0 EQ 1.5 -0.000000059604645\n",     false},
        {"EXPECT h IDX 4 EQ 0.000000059604644775390625\n", true },
        {"EXPECT h IDX 6 EQ -65504\n",                     true },
        {"EXPECT h IDX 0 EQ 1.5\n",                        true },
    };
    struct rig *const r = *state;
    const unsigned char *contents[AMBER_MAX_BUFFERS] = {NULL};
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        const char *why = NULL;
        const char *const text = arena_printf(
            &r->a,
            HEAD
            "BUFFER a DATA_TYPE vec3<float> DATA 1 2 3 4 5 6 END\n"
            "BUFFER same DATA_TYPE vec3<float> DATA 1 2 3 4 5 6 END\n"
            "BUFFER other DATA_TYPE vec3<float> DATA 1 2 3 4 5 7 END\n"
            "BUFFER h DATA_TYPE float16 DATA 1.5 2 0.000000059604644775390625 -65504 END\n%s" RUN,
            rows[i].text);
        if (read_text(r, text) != RES_OK) {
            fail_msg("%s", r->e.text);
        }
        bool const holds =
            kernel_amber_holds(&r->script, &r->script.expects[0], contents, &r->a, &why);
        if (holds != rows[i].holds || holds != (why[0] == '\0')) {
            fail_msg("%s%s", rows[i].text, why);
        }
    }
}

int main(void)
{
#define WITH_RIG(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    static const struct CMUnitTest tests[] = {
        WITH_RIG(a_script_is_read),
        WITH_RIG(what_is_not_known_is_told_with_its_line),
        WITH_RIG(expectations_hold_or_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
