/* oracle/interp/race.c -- are the accesses of several invocations to one location ordered? */
#include "oracle/interp/race.h"

/* Is all of that kind ordered before the access, by program order or by a barrier? */
static bool is_before(const struct race_kind *k, const struct race_access *now)
{
    bool const is_passed =
        !k->by_groups && k->last.group == now->group && k->last.epoch < now->epoch;
    bool const is_own = !k->by_several && k->last.invocation == now->invocation;
    bool const is_of_earlier = k->last.dispatch < now->dispatch;
    return !k->has || is_of_earlier || is_passed || is_own;
}

/* The access joins those of its kind, or follows all of them. */
static void record(struct race_kind *k, const struct race_access *now)
{
    bool const is_next = is_before(k, now);
    bool const were_atomic = k->last.is_atomic;
    k->by_groups = !is_next && (k->by_groups || k->last.group != now->group);
    k->by_several = !is_next;
    k->last = *now;
    k->last.is_atomic = now->is_atomic && (is_next || were_atomic);
    k->has = true;
}

static bool may_meet(const struct race_kind *k, const struct race_access *now)
{
    return is_before(k, now) || (k->last.is_atomic && now->is_atomic);
}

bool race_see(struct race_word *w, const struct race_access *now)
{
    bool const is_free = may_meet(&w->write, now) && (!now->is_write || may_meet(&w->read, now));
    record(now->is_write ? &w->write : &w->read, now);
    return is_free;
}
