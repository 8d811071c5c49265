/* oracle/interp/race.c -- are the accesses of several invocations to one location ordered? */
#include "oracle/interp/race.h"

/* Is all of that kind ordered before the access, by a barrier or the end of a dispatch? */
static bool is_passed(const struct race_kind *k, const struct race_access *now)
{
    bool const is_by_barrier =
        !k->by_groups && k->last.group == now->group && k->last.epoch < now->epoch;
    return !k->has || k->last.dispatch < now->dispatch || is_by_barrier;
}

/* Or by program order, as all of it is the same invocation's? */
static bool is_own(const struct race_kind *k, const struct race_access *now)
{
    return !k->by_several && k->last.invocation == now->invocation;
}

static bool is_before(const struct race_kind *k, const struct race_access *now)
{
    return is_passed(k, now) || is_own(k, now);
}

/* The plain ones of a dispatch, which no barrier orders before another work-group's. */
static void record_plain(struct race_kind *k, const struct race_access *now)
{
    if (now->is_atomic) {
        return;
    }
    bool const is_new = !k->has_plain || k->plain_dispatch < now->dispatch;
    k->plain_by_groups = !is_new && (k->plain_by_groups || k->plain_group != now->group);
    k->plain_group = now->group;
    k->plain_dispatch = now->dispatch;
    k->has_plain = true;
}

/* The access joins those of its kind, or follows all of them. An atomic that follows a plain access of its own invocation alone
 * leaves that as it was to others. */
static void record(struct race_kind *k, const struct race_access *now)
{
    bool const is_next = is_before(k, now), is_first = is_passed(k, now);
    bool const were_atomic = k->last.is_atomic;
    record_plain(k, now);
    k->by_groups = !is_next && (k->by_groups || k->last.group != now->group);
    k->by_several = !is_next;
    k->last = *now;
    k->last.is_atomic = now->is_atomic && (is_first || were_atomic);
    k->has = true;
}

/* Is there a plain access of another work-group in the dispatch? */
static bool is_beside_plain(const struct race_kind *k, const struct race_access *now)
{
    return k->has_plain && k->plain_dispatch == now->dispatch &&
           (k->plain_by_groups || k->plain_group != now->group);
}

static bool may_meet(const struct race_kind *k, const struct race_access *now)
{
    return !is_beside_plain(k, now) && (is_before(k, now) || (k->last.is_atomic && now->is_atomic));
}

bool race_see(struct race_word *w, const struct race_access *now)
{
    bool const is_free = may_meet(&w->write, now) && (!now->is_write || may_meet(&w->read, now));
    record(now->is_write ? &w->write : &w->read, now);
    return is_free;
}
