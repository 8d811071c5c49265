/* fuzz/journal/campaign_data.c -- what a campaign's data say of themselves. */
#include "fuzz/journal/campaign_data.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/testcase.h"
#include "oracle/tables/tables.h"

const struct campaign_target *campaign_find_target(const struct campaign *c, int64_t id)
{
    for (uint32_t i = 0; i < c->n_targets; i++) {
        if (c->targets[i].id == id) {
            return &c->targets[i];
        }
    }
    return NULL;
}

const char *campaign_name_kernel(const struct campaign_plan *p, uint64_t case_index,
                                 struct arena *a)
{
    /* "HASH NUMBER HASH": the list may be cut, so the number of kernels is not that of its lines */
    const char *const number = p->modules_hash ? strchr(p->modules_hash, ' ') : NULL;
    uint64_t const n = number ? strtoull(number, NULL, 10) : 0;
    const char *line = p->modules_list ? p->modules_list : "";
    for (uint64_t i = n ? case_index % n : 0; i > 0 && *line; i--) {
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    int const n_file = (int)strcspn(line, "\t\n");
    if (n == 0 || line[n_file] != '\t') {
        return "";
    }
    const char *const entry = line + n_file + 1;
    return arena_printf(a, "%.*s, kernel %.*s", n_file, line, (int)strcspn(entry, "\n"), entry);
}

int campaign_is_violation(const struct campaign_finding *f)
{
    int const kind = verdict_find(f->verdict);
    return kind >= 0 && verdict_rows[kind].part == PART_VIOLATION &&
           strcmp(f->class, case_class_names[CLASS_UNADVERTISED]) != 0;
}

/* What a bug of that kind does to who uses the driver; the greatest rank is the worst. */
static const struct campaign_harm harms[VERDICT_N] = {
    [VERDICT_CORRUPT] = {13, "high: overwrites memory"         },
    [VERDICT_CRASH] = {12, "high: crashes the process"       },
    [VERDICT_DEVICE_LOST] = {11, "high: loses the device"          },
    [VERDICT_EXIT] = {10, "high: ends the process"          },
    [VERDICT_HANG] = {9,  "high: hangs"                     },
    [VERDICT_MASK] = {8,  "medium: wrong work-items act"    },
    [VERDICT_ATOMICITY] = {7,  "medium: wrong results of atomics"},
    [VERDICT_ORDER] = {6,  "medium: wrong order of atomics"  },
    [VERDICT_ULP] = {5,  "medium: wrong values"            },
    [VERDICT_NAN_RULE] = {4,  "medium: wrong NaNs"              },
    [VERDICT_FLAKY] = {3,  "medium: differs from run to run" },
    [VERDICT_REJECT] = {2,  "low: refuses a valid kernel"     },
    [VERDICT_ZERO_SIGN] = {1,  "low: wrong sign of a zero"       },
};

struct campaign_harm campaign_get_harm(const struct campaign_finding *f)
{
    int const kind = verdict_find(f->verdict ? f->verdict : "");
    return kind < 0 || !harms[kind].text ? (struct campaign_harm){14, "unknown"} : harms[kind];
}

static int compare_numbers(int64_t x, int64_t y)
{
    return (x > y) - (x < y);
}

/* Where cases were not counted, findings stand for them. */
static uint64_t count_cases(const struct campaign_finding *f)
{
    return f->n_cases ? f->n_cases : f->n_all;
}

int campaign_compare_bugs(const struct campaign_finding *x, const struct campaign_finding *y)
{
    int const differences[] = {
        compare_numbers(campaign_get_harm(y).rank, campaign_get_harm(x).rank),
        compare_numbers((int64_t)count_cases(y), (int64_t)count_cases(x)),
        compare_numbers(x->target_id, y->target_id),
        strcmp(x->family ? x->family : "", y->family ? y->family : ""),
        compare_numbers(x->id, y->id),
    };
    for (size_t i = 0; i < ARRAY_N(differences); i++) {
        if (differences[i] != 0) {
            return differences[i];
        }
    }
    return 0;
}

void campaign_keep_options(struct campaign *c, const char *options, struct arena *a)
{
    c->check_options = options;
    for (uint32_t i = 0; i < c->n_findings; i++) {
        c->findings[i].replay = arena_printf(a, "%s%s", c->findings[i].replay, options);
    }
    for (uint32_t i = 0; i < c->n_slow; i++) { /* these end with a command of check */
        c->slow[i].replay = arena_printf(a, "%s%s", c->slow[i].replay, options);
    }
    for (uint32_t i = 0; i < c->n_statistics; i++) {
        struct campaign_statistic *const x = &c->statistics[i];
        x->replay = x->replay ? arena_printf(a, "%s%s", x->replay, options) : NULL;
    }
    for (uint32_t i = 0; i < c->n_cross; i++) {
        c->cross[i].replay = arena_printf(a, "%s%s", c->cross[i].replay, options);
    }
}

bool campaign_row_passes(const struct matrix_row *row)
{
    int const kind = verdict_find(row->verdict);
    return row->n_runs > 0 && row->n_shown == 0 &&
           (kind == VERDICT_OK || kind == VERDICT_BOUNDED || kind == VERDICT_BUILT);
}

bool campaign_row_is_another(const struct matrix_row *row, const char *verdict)
{
    return row->n_runs > 0 && row->n_shown == 0 && strcmp(row->verdict, verdict) == 0;
}

const char *campaign_print_matrix(const struct campaign_triage *t, struct arena *a)
{
    const char *text = "";
    for (uint32_t i = 0; i < t->n_matrix; i++) {
        const struct matrix_row *row = &t->matrix[i];
        text = arena_printf(a, "%s%s\t%s\t%" PRIu32 "\t%" PRIu32 "\t%s\t%s\n", text, row->target,
                            row->verdict, row->n_shown, row->n_runs, row->with, row->version);
    }
    return text;
}
