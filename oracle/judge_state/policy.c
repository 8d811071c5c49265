/* oracle/judge_state/policy.c -- the policy of the specifications alone. */
#include "oracle/judge_state/policy.h"

static bool begin(void *state, struct judge *j)
{
    (void)state;
    (void)j;
    return true;
}

static bool end(void *state, struct judge *j)
{
    (void)state;
    (void)j;
    return false;
}

static unsigned value(void *state, struct judge *j, const struct observed *o, struct val v,
                      bool is_permitted, bool is_agreed)
{
    (void)state;
    (void)j;
    (void)o;
    (void)v;
    (void)is_permitted;
    (void)is_agreed;
    return 0;
}

static enum policy_lost lost(void *state, struct judge *j, const struct invocation *inv)
{
    (void)state;
    (void)j;
    (void)inv;
    return LOST_UNEXPLAINED;
}

static enum res order(void *state, struct judge *j, const struct cell *c,
                      const struct mo_problem *p, bool is_broken, bool *is_explained, struct err *e)
{
    (void)state;
    (void)j;
    (void)c;
    (void)p;
    (void)is_broken;
    (void)e;
    *is_explained = false;
    return RES_OK;
}

static bool byte(void *state, struct judge *j, uint32_t buf, uint32_t at)
{
    (void)state;
    (void)j;
    (void)buf;
    (void)at;
    return false;
}

static bool guards(void *state, struct judge *j)
{
    (void)state;
    (void)j;
    return false;
}

const struct judge_policy policy_of_specifications = {.begin = begin,
                                                      .end = end,
                                                      .value = value,
                                                      .lost = lost,
                                                      .order = order,
                                                      .byte = byte,
                                                      .guards = guards};
