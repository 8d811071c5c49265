/* fuzz/execute/test_execute.c -- requests as bytes, and an executor's process: what it answers to programs that run, that
 * are unknown, that do not end, and to bytes that are no request. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/execute/executor.h"

/* In the form of Turnip's: invocation i adds 5 to word i of buffer 0. */
#define BEGIN                                                                                      \
    "workgroup_size: 4, 1, 1\nimpl main {\nblock b0:\n"                                            \
    "32x3 %1 = @load_local_invocation_id\n"                                                        \
    "32 %2 = load_const (0x0)\n"                                                                   \
    "32 %3 = @bindless_resource_ir3 (%2) (desc_set=0)\n"                                           \
    "32 %4 = load_const (0x5)\n"
#define STORE "@store_ssbo (%6, %3, %1.x) (wrmask=x, offset_shift=2)\n}\n"
static const char adds[] = BEGIN "32 %5 = @load_ssbo (%3, %1.x) (offset_shift=2)\n"
                                 "32 %6 = iadd %5, %4\n" STORE;
static const char is_unknown[] = BEGIN "32 %6 = fdiscombobulate %4\n" STORE;
static const char has_no_end[] = BEGIN "loop {\nblock b1:\n32 %6 = iadd %4, %4\n}\nblock b2:\n}\n";

enum {
    WORDS = 4
};
static const char turnip_facts[] = "platform=turnip Mesa driver\ndevice=Turnip Adreno (TM) 740\n";

struct rig {
    struct arena a;
    unsigned char data[4 * WORDS];
    struct execute_request q;
    struct observation ob;
    struct target target;
};

static void make(struct rig *r, const char *text)
{
    static const uint32_t module[5] = {0x07230203, 0x00010300, 0, 1, 0};
    arena_init(&r->a, (size_t)256 << 20);
    for (uint32_t i = 0; i < WORDS; i++) {
        store_le(r->data + 4 * i, 10 * i, 4);
    }
    r->q = (struct execute_request){
        .tc = {.env = ENV_VK,
               .profile = "arith",
               .module = module,
               .n_words = ARRAY_N(module),
               .source = "",
               .entry = "main",
               .build_options = "",
               .local = {WORDS, 1, 1},
               .global = {WORDS, 1, 1},
               .n_bufs = 1},
        .driver = NIR_DRIVER_TURNIP,
        .subgroup_size = 4,
        .text = text
    };
    r->q.tc.bufs[0] = (struct buf){.kind = BUF_STORAGE, .n_bytes = 4 * WORDS, .data = r->data};
    const char *const build = getenv("HALFULP_BUILD"); /* where the executor is */
    (void)setenv("HALFULP_WORKER",
                 arena_printf(&r->a, "%s/halfulp-worker", build ? build : "build/opt"), 0);
    r->target = (struct target){.name = "test", .case_ns = UINT64_C(60000000000)};
}

static void a_request_goes_round(void **state)
{
    static struct rig r;
    struct execute_request again;
    struct err e;
    size_t n = 0;
    (void)state;
    make(&r, adds);
    r.q.is_traced = true;
    r.q.buf = 3;
    r.q.byte = 77;
    const unsigned char *const p = execute_encode(&r.q, &r.a, &n);
    assert_non_null(p);
    assert_int_equal(execute_decode(&again, &r.a, p, n, &e), RES_OK);
    assert_string_equal(again.text, adds);
    assert_int_equal(again.driver, NIR_DRIVER_TURNIP);
    assert_int_equal(again.subgroup_size, 4);
    assert_true(again.is_traced && again.buf == 3 && again.byte == 77);
    assert_memory_equal(again.tc.bufs[0].data, r.data, sizeof r.data);
    for (size_t i = 0; i < n; i++) { /* cut short anywhere, it is refused */
        assert_int_not_equal(execute_decode(&again, &r.a, p, i, &e), RES_OK);
    }
    arena_free(&r.a);
}

/* Ask a process, and wait for its answer. */
static void ask(struct executor *x, struct rig *r)
{
    struct err e = {RES_OK, ""};
    if (executor_begin(x, &r->target, &r->q, &r->a, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    while (!executor_poll(x, &r->q.tc, &r->a, &r->ob)) {
    }
}

static void a_process_runs_what_the_text_says(void **state)
{
    struct executor x = {.is_up = false};
    static struct rig r;
    (void)state;
    for (int again = 0; again < 2; again++) { /* the same process */
        make(&r, adds);
        ask(&x, &r);
        assert_int_equal(r.ob.status, RUN_DONE);
        for (uint32_t i = 0; i < WORDS; i++) {
            assert_int_equal(load_le(r.ob.out[0] + 4 * i, 4), 10 * i + 5);
        }
        arena_free(&r.a);
    }
    executor_free(&x);
}

/* What is not known and what does not end gives no values, and says why; the next one is run as ever. */
static void what_cannot_be_run_says_why(void **state)
{
    static const struct {
        const char *text, *log;
    } rows[] = {
        {is_unknown,  EXECUTE_SKIPPED "line 8: the operation fdiscombobulate is not known"},
        {has_no_end,  "the steps for this program ran out"                                },
        {"",          EXECUTE_SKIPPED                                                     },
        {"impl \xff", EXECUTE_SKIPPED                                                     },
    };
    struct executor x = {.is_up = false};
    static struct rig r;
    (void)state;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        make(&r, rows[i].text);
        ask(&x, &r);
        assert_int_equal(r.ob.status, RUN_SKIPPED);
        assert_int_equal(r.ob.n_bufs, 0);
        if (!strstr(r.ob.log, rows[i].log)) {
            fail_msg("%s", r.ob.log);
        }
        arena_free(&r.a);
    }
    make(&r, adds);
    ask(&x, &r);
    assert_int_equal(r.ob.status, RUN_DONE);
    arena_free(&r.a);
    executor_free(&x);
}

/* Of an executor that is killed it is no driver's fault, and the next request has a new process. */
static void a_dead_executor_is_our_own_fault(void **state)
{
    struct executor x = {.is_up = false};
    static struct rig r;
    struct err e = {RES_OK, ""};
    (void)state;
    make(&r, has_no_end);
    assert_int_equal(executor_begin(&x, &r.target, &r.q, &r.a, &e), RES_OK);
    assert_int_equal(kill(x.child.pid, SIGKILL), 0);
    while (!executor_poll(&x, &r.q.tc, &r.a, &r.ob)) {
    }
    assert_int_equal(r.ob.status, RUN_HARNESS);
    assert_false(x.is_up);
    arena_free(&r.a);
    make(&r, adds);
    ask(&x, &r);
    assert_int_equal(r.ob.status, RUN_DONE);
    executor_stop(&x, &r.a, &r.ob);
    assert_int_equal(r.ob.status, RUN_SKIPPED);
    arena_free(&r.a);
}

static void a_trace_has_the_values(void **state)
{
    static struct rig r;
    struct err e = {RES_OK, ""};
    const char *text = "";
    struct expect const at = {.buf = 0, .byte = 9};
    (void)state;
    make(&r, adds);
    struct observation const ob = {.facts = turnip_facts,
                                   .n_programs = 1,
                                   .programs = {{"Final NIR", adds}},
                                   .program_subgroup = 4};
    assert_int_equal(executor_trace(&r.target, &r.q.tc, &ob, &at, &r.a, &text, &e), RES_OK);
    assert_string_equal(text,
                        "Final NIR, work-group 0 0 0, invocation 2 of it:\n"
                        "    8  32 %5 = @load_ssbo (%3, %1.x) (offset_shift=2)  gives 0x00000014\n"
                        "    9  32 %6 = iadd %5, %4  gives 0x00000019\n"
                        "   10  @store_ssbo (%6, %3, %1.x) (wrmask=x, offset_shift=2)\n");
    arena_free(&r.a);
}

/* By its facts; a driver whose text nobody knows has none that could be executed. */
static void a_driver_is_known_by_its_facts(void **state)
{
    static const struct {
        const char *facts;
        bool is_known;
        enum nir_driver driver;
    } rows[] = {
        {turnip_facts,                                        true,  NIR_DRIVER_TURNIP},
        {"platform=radv\ndevice=AMD Radeon (RADV NAVI31)\n",  true,  NIR_DRIVER_RADV  },
        {"platform=radv\ndevice=AMD Radeon (RADV GFX1201)\n", true,  NIR_DRIVER_RADV12},
        {"platform=NVK\ndevice=NVK\n",                        true,  NIR_DRIVER_NVK   },
        {"platform=llvmpipe\ndevice=llvmpipe\n",              false, NIR_DRIVER_RADV  },
        {"",                                                  false, NIR_DRIVER_RADV  },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct execute_request q;
        struct observation const ob = {
            .n_programs = 2, .programs = {{"NIR from SPIRV", "a"}, {"Final NIR", "b"}}
        };
        assert_int_equal(executor_can(&ob, rows[i].facts, &q), rows[i].is_known);
        if (rows[i].is_known) {
            assert_int_equal(q.driver, rows[i].driver);
            assert_string_equal(q.text, "b");
        }
        struct observation const none = {.n_programs = 0};
        assert_false(executor_can(&none, rows[i].facts, &q));
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_goes_round),
        cmocka_unit_test(a_process_runs_what_the_text_says),
        cmocka_unit_test(what_cannot_be_run_says_why),
        cmocka_unit_test(a_dead_executor_is_our_own_fault),
        cmocka_unit_test(a_trace_has_the_values),
        cmocka_unit_test(a_driver_is_known_by_its_facts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
