/* fuzz/triage/worse.c -- what became worse in the code that compilers made of the cases of an earlier campaign. */
#include "fuzz/triage/worse.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/base.h"
#include "base/caps.h"
#include "base/testcase.h"
#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_load.h"
#include "fuzz/journal/journal_statistics.h"

/* ---- pairs of targets ---- */

enum {
    MAX_DEVICE_CHARS = 256
};

/* Is it for that device? */
static bool is_for(const struct campaign_target *t, const char *device)
{
    char own[MAX_DEVICE_CHARS];
    return facts_get(t->facts, "device", own, sizeof own) && strcmp(own, device) == 0;
}

static const struct campaign_target *find_name(const struct campaign *c, const char *name)
{
    for (uint32_t i = 0; i < c->n_targets; i++) {
        if (strcmp(c->targets[i].name, name) == 0) {
            return &c->targets[i];
        }
    }
    return NULL;
}

/* The only target of `c` that `other` does not have by name and that, with a device given, is for that device; NULL: there
 * is none, or there are several. */
static const struct campaign_target *find_only(const struct campaign *c,
                                               const struct campaign *other, const char *device)
{
    const struct campaign_target *only = NULL;
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->n_targets; i++) {
        const struct campaign_target *const t = &c->targets[i];
        bool const is_free = !find_name(other, t->name);
        if (is_free && (!device || is_for(t, device))) {
            only = t;
            n++;
        }
    }
    return n == 1 ? only : NULL;
}

static const struct campaign_target *find_pair(const struct campaign *c, const struct campaign *old,
                                               const struct campaign_target *t)
{
    char device[MAX_DEVICE_CHARS];
    const struct campaign_target *const same = find_name(old, t->name);
    if (same) {
        return same;
    }
    if (facts_get(t->facts, "device", device, sizeof device) && find_only(c, old, device) == t) {
        const struct campaign_target *const other = find_only(old, c, device);
        if (other) {
            return other;
        }
    }
    return find_only(c, old, NULL) == t ? find_only(old, c, NULL) : NULL;
}

/* ---- one pair ---- */

/* More is worse of every statistic but these: of some less is worse, of others neither is. Names are compared without regard
 * to case, as drivers change it between versions. */
static const struct {
    const char *name;
    bool is_less_worse;
} senses[] = {
    {"Subgroups per SIMD", true },
    {"Max Waves",          true },
    {"Max warps/SM",       true },
    {"Max Waves Per Core", true },
    {"Early preamble",     true },
    {"Threads",            true },
    {"Thread Count",       true },
    {"Max dispatch width", true },
    {"VOPD",               true },
    {"VMEM Clause",        false},
    {"SMEM Clause",        false},
    {"Combined inputs",    false},
    {"Combined outputs",   false},
};

/* By how much the case became worse; 0: by nothing. The name may begin with that of an executable and ": ". */
static uint64_t get_loss(const char *name, uint64_t before, uint64_t after)
{
    const char *const end = strstr(name, ": ");
    name = end ? end + 2 : name;
    for (size_t i = 0; i < ARRAY_N(senses); i++) {
        if (strcasecmp(name, senses[i].name) == 0) {
            return senses[i].is_less_worse && before > after ? before - after : 0;
        }
    }
    return after > before ? after - before : 0;
}

static void add_case(struct campaign_statistic *x, uint64_t index, uint64_t before, uint64_t after,
                     uint32_t percent)
{
    uint64_t const loss = x->is_time ? 0 : get_loss(x->name, before, after);
    x->n_cases++;
    x->before += before;
    x->after += after;
    if (loss == 0 || (double)loss * 100 <= (double)before * percent) {
        return;
    }
    if (x->n_worse++ == 0 || loss > get_loss(x->name, x->worst_before, x->worst_after)) {
        x->worst_case = index;
        x->worst_before = before;
        x->worst_after = after;
    }
}

static int compare_numbers(const void *x, const void *y)
{
    uint64_t const a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

static uint64_t find_median(uint64_t *values, uint64_t n)
{
    qsort(values, n, sizeof *values, compare_numbers);
    return n ? values[n / 2] : 0;
}

/* Does x come before y in the order in which they are loaded? Below 0: yes; 0: both are of one case and name. */
static int order(const struct journal_statistic *x, const struct journal_statistic *y)
{
    if (x->case_index != y->case_index) {
        return x->case_index < y->case_index ? -1 : 1;
    }
    return strcasecmp(x->name, y->name);
}

enum {
    MAX_ROWS = OBSERVATION_MAX_STATISTICS + 1 /* of a target, with the time */
};

/* The row of that name among the *n of the pair, a new one if there is none; NULL: there are MAX_ROWS others. */
static struct campaign_statistic *find_row(struct campaign_statistic *rows, uint32_t *n,
                                           const char *name)
{
    for (uint32_t i = 0; i < *n; i++) {
        if (strcasecmp(rows[i].name, name) == 0) {
            return &rows[i];
        }
    }
    if (*n == MAX_ROWS) {
        return NULL;
    }
    rows[*n] =
        (struct campaign_statistic){.name = name, .is_time = strcmp(name, STATISTIC_BUILD_NS) == 0};
    return &rows[(*n)++];
}

/* The two sorted lists side by side. `times`: room for 2 * n values. *n_rows: their number; false: there are too many. */
static bool add_pair(const struct journal_statistic *now, size_t n_now,
                     const struct journal_statistic *then, size_t n_then, uint32_t percent,
                     uint64_t *times, struct campaign_statistic *rows, uint32_t *n_rows)
{
    uint64_t *const before = times, *const after = times + n_now;
    uint32_t n = 0;
    bool has_room = true;
    for (size_t i = 0, k = 0; i < n_now && k < n_then;) {
        int const by = order(&now[i], &then[k]);
        bool const is_same = by == 0 && now[i].module_hash == then[k].module_hash;
        struct campaign_statistic *const x = is_same ? find_row(rows, &n, now[i].name) : NULL;
        has_room = has_room && (x || !is_same);
        if (x && x->is_time) {
            before[x->n_cases] = then[k].value;
            after[x->n_cases] = now[i].value;
        }
        if (x) {
            add_case(x, now[i].case_index, then[k].value, now[i].value, percent);
        }
        i += by <= 0;
        k += by >= 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (rows[i].is_time) {
            rows[i].before = find_median(before, rows[i].n_cases);
            rows[i].after = find_median(after, rows[i].n_cases);
        }
    }
    *n_rows = n;
    return has_room;
}

static int compare_rows(const void *x, const void *y)
{
    const struct campaign_statistic *const a = x, *const b = y;
    return strcmp(a->name, b->name);
}

/* Compare a target with an old one, and put what was compared behind the c->n_statistics rows. */
static enum res compare_pair(struct campaign *c, struct journal *j, struct journal *old_journal,
                             const struct campaign_target *t, const struct campaign_target *old,
                             struct arena *a, struct err *e)
{
    struct journal_statistic *now = NULL, *then = NULL;
    size_t n_now = 0, n_then = 0;
    struct campaign_statistic *const rows = &c->statistics[c->n_statistics];
    TRY(journal_load_statistics(journal_get_db(j), t->id, a, &now, &n_now, e));
    TRY(journal_load_statistics(journal_get_db(old_journal), old->id, a, &then, &n_then, e));
    uint64_t *const times = ARENA_NEW(a, uint64_t, 2 * n_now + 1);
    if (!times) {
        return err_set(e, RES_NOMEM, "no memory to compare the statistics of compilers");
    }
    uint32_t n = 0;
    if (!add_pair(now, n_now, then, n_then, c->worse_percent, times, rows, &n)) {
        return err_set(e, RES_LIMIT, "target %s: more than %d names of statistics", t->name,
                       MAX_ROWS);
    }
    bool const is_one = strcmp(t->name, old->name) == 0;
    const char *const both = is_one ? t->name : arena_printf(a, "%s,%s", old->name, t->name);
    qsort(rows, n, sizeof *rows, compare_rows);
    for (uint32_t i = 0; i < n; i++) {
        rows[i].target = t->name;
        rows[i].old_target = old->name;
        rows[i].replay =
            rows[i].n_worse ? journal_write_rebuild(c, t, both, rows[i].worst_case, a) : NULL;
    }
    c->n_statistics += n;
    return RES_OK;
}

enum res worse_compare(struct campaign *c, struct journal *j, const struct campaign *old,
                       struct journal *old_journal, uint32_t percent, struct arena *a,
                       struct err *e)
{
    c->n_statistics = 0;
    c->worse_percent = percent;
    c->statistics = ARENA_NEW(a, struct campaign_statistic, (size_t)c->n_targets * MAX_ROWS + 1);
    if (!c->statistics) {
        return err_set(e, RES_NOMEM, "no memory to compare the statistics of compilers");
    }
    for (uint32_t i = 0; i < c->n_targets; i++) {
        const struct campaign_target *const t = &c->targets[i];
        const struct campaign_target *const pair = find_pair(c, old, t);
        if (pair) {
            TRY(compare_pair(c, j, old_journal, t, pair, a, e));
        }
    }
    return RES_OK;
}
