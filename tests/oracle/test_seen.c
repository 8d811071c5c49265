/* tests/oracle/test_seen.c -- where a planted fault is lost: the simulated device counts executions of an instruction that
 * the fault is about, and executions whose result differs; the operands, or what becomes of the result, hide the fault. */
#include "oracle/fault/faults.h"
#include "oracle/sim/sim.h"
#include "oracle/sim/sim_facts.h"
#include "tests/rig/judge_rig.h"

enum {
    TWO_AND_A_HALF = 0x40200000,
    WITH_FRACTION = 0x4a000001 /* 2^21 + 1/4 */
};

/* A kernel that stores %i, which `body` makes of %v, the float that is loaded. */
static struct rig *make_kernel(const char *body)
{
    struct rig *r = make_rig(ENV_CL, 1);
    const char *const at = strstr(cl_frame, "%c0 = ");
    assert_non_null(at);
    assemble(r,
             arena_printf(&r->a,
                          "%.*s%%bool = OpTypeBool\n%s%sOpStore %%pout %%i\n"
                          "OpReturn\nOpFunctionEnd\n",
                          (int)(at - cl_frame), cl_frame, at, body),
             SPV_ENV_UNIVERSAL_1_2);
    return r;
}

enum lost {
    LOST_NOWHERE,    /* the fault is seen */
    LOST_IN_OPERAND, /* the operand hides it */
    LOST_IN_RESULT,  /* no output depends on it */
    NOT_THERE        /* no instruction is one that the fault is about */
};
static const struct {
    enum fault_id fault;
    const char *body;
    uint32_t in;
    enum lost lost;
} rows[] = {
    {FAULT_FRACTION_ROUNDED, "%i = OpConvertFToS %u32 %v\n",                                             WITH_FRACTION,       LOST_NOWHERE   },
    {FAULT_FRACTION_ROUNDED, "%i = OpConvertFToS %u32 %v\n",                                             TWO_AND_A_HALF,      LOST_IN_OPERAND},
    {FAULT_FRACTION_ROUNDED, "%i = OpBitcast %u32 %v\n",                                                 WITH_FRACTION,       NOT_THERE      },
    {FAULT_QUOTIENT_TOP_BIT, "%w = OpBitcast %u32 %v\n%i = OpUDiv %u32 %w %c1\n",
     (uint32_t)MINUS_ONE,                                                                                                     LOST_NOWHERE   },
    {FAULT_QUOTIENT_TOP_BIT, "%w = OpBitcast %u32 %v\n%i = OpUDiv %u32 %w %c1\n",                        TWO_AND_A_HALF,
     LOST_IN_OPERAND                                                                                                                         },
    {FAULT_QUOTIENT_TOP_BIT,
     "%w = OpBitcast %u32 %v\n%q = OpUDiv %u32 %w %c1\n%i = OpBitwiseAnd %u32 %q %c1\n",                 (uint32_t)MINUS_ONE, LOST_IN_RESULT },
    {FAULT_QUOTIENT_TOP_BIT,
     "%w = OpBitcast %u32 %v\n%o = OpBitwiseOr %u32 %w %c1\n%i = OpUDiv %u32 %c1 %o\n",                  (uint32_t)MINUS_ONE, NOT_THERE      },
    {FAULT_COMPARED_NAN,     "%t = OpFOrdEqual %bool %v %v\n%i = OpSelect %u32 %t %c1 %c0\n",            QNAN,
     LOST_NOWHERE                                                                                                                            },
    {FAULT_COMPARED_NAN,     "%t = OpFOrdEqual %bool %v %v\n%i = OpSelect %u32 %t %c1 %c0\n",
     TWO_AND_A_HALF,                                                                                                          LOST_IN_OPERAND},
    {FAULT_COMPARED_NAN,     "%t = OpFOrdEqual %bool %v %v\n%i = OpSelect %u32 %t %c1 %c1\n",            QNAN,
     LOST_IN_RESULT                                                                                                                          },
    {FAULT_SELF_FOLDED,      "%d = OpFSub %f32 %v %v\n%i = OpBitcast %u32 %d\n",                         PLUS_INF,            LOST_NOWHERE   },
    {FAULT_SELF_FOLDED,      "%d = OpFSub %f32 %v %v\n%i = OpBitcast %u32 %d\n",                         TWO_AND_A_HALF,
     LOST_IN_OPERAND                                                                                                                         },
    {FAULT_SELF_FOLDED,      "%n = OpFNegate %f32 %v\n%d = OpFSub %f32 %v %n\n%i = OpBitcast %u32 %d\n",
     PLUS_INF,                                                                                                                NOT_THERE      },
};

/* Runs the kernel on a device that has the fault everywhere, and judges what it gave. */
static void run_with_fault(struct rig *r, enum fault_id fault, struct sim_outcome *outcome)
{
    struct err e = {0};
    struct fault_plan plan = fault_plan_of(fault);
    struct sim_device const device = {SIM_IEEE, 1, &plan, sim_facts_for(&r->tc, 1, &r->a)};
    struct observation ob;
    plan.everywhere = 1;
    assert_int_equal(sim_run(&r->tc, &device, &r->a, &ob, outcome, &e), RES_OK);
    assert_int_equal(judge_run(&r->tc, &ob, &r->a, &r->j, &e), RES_OK);
}

static void each_step_is_counted(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct rig *const r = make_kernel(rows[i].body);
        struct sim_outcome outcome;
        r->in[0] = rows[i].in;
        run_with_fault(r, rows[i].fault, &outcome);
        bool const is_there = rows[i].lost != NOT_THERE;
        bool const differs = is_there && rows[i].lost != LOST_IN_OPERAND;
        bool const is_seen = rows[i].lost == LOST_NOWHERE;
        if ((outcome.n_there > 0) != is_there || (outcome.n_differs > 0) != differs ||
            (outcome.n_sites > 0) != differs || (r->j.n_findings > 0) != is_seen ||
            (outcome.fault == FAULT_APPLIED) != is_seen) {
            fail_msg("%s, row %zu: there %llu, sites %llu, differs %llu, findings %u",
                     fault_rows[rows[i].fault].id, i, (unsigned long long)outcome.n_there,
                     (unsigned long long)outcome.n_sites, (unsigned long long)outcome.n_differs,
                     r->j.n_findings);
        }
        free_rig(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_step_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
