/* reports/model/version_history.c -- since which version of its driver a bug is there. */
#include "reports/model/version_history.h"

#include <ctype.h>
#include <string.h>

#include "base/version.h"

enum {
    MAX_VERSIONS = 32
};

/* A version of the driver that the case ran on. */
struct stage {
    struct version version;
    bool is_bad;
};

/* The next part of a target's name that is not a version, which begins with a digit: "radv" and "navi31" of
 * "radv-25-navi31". Returns its bytes, 0 at the end. */
static size_t next_part(const char **at)
{
    for (;;) {
        *at += strspn(*at, "-");
        size_t const n = strcspn(*at, "-");
        if (n == 0 || !isdigit((unsigned char)**at)) {
            return n;
        }
        *at += n;
    }
}

/* Whether two targets are one driver, of one version or of several. */
static bool is_same_driver(const char *x, const char *y)
{
    for (;;) {
        size_t const n = next_part(&x);
        if (n != next_part(&y) || strncmp(x, y, n) != 0) {
            return false;
        }
        if (n == 0) {
            return true;
        }
        x += n;
        y += n;
    }
}

static bool is_older(const struct stage *x, const struct stage *y)
{
    return version_compare(x->version, y->version) < 0;
}

/* Those that the case ran on to its end, the oldest first. */
static uint32_t list_stages(const struct campaign_triage *t, const char *target,
                            struct stage out[MAX_VERSIONS])
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->n_matrix && n < MAX_VERSIONS; i++) {
        const struct matrix_row *const row = &t->matrix[i];
        struct stage const stage = {version_find(row->version), row->n_shown > 0};
        bool const is_told = row->n_shown > 0 || campaign_row_passes(row);
        if (row->with[0] || !is_told || !stage.version.n || !is_same_driver(row->target, target)) {
            continue;
        }
        uint32_t at = n++;
        for (; at > 0 && is_older(&stage, &out[at - 1]); at--) {
            out[at] = out[at - 1];
        }
        out[at] = stage;
    }
    return n;
}

/* The driver's targets that are at hand and on which the case was not run: ", ...", with a blank before each. */
static const char *list_untried(const struct campaign_triage *t, const char *target,
                                struct arena *a)
{
    const char *text = "";
    for (uint32_t i = 0; i < t->n_matrix; i++) {
        const struct matrix_row *const row = &t->matrix[i];
        bool const is_other = strcmp(row->target, target) != 0;
        if (!row->with[0] && row->n_runs == 0 && is_other && is_same_driver(row->target, target)) {
            text =
                arena_printf(a, "%s%s %s%s%s%s", text, text[0] ? "," : "", row->target,
                             row->version[0] ? " (" : "", row->version, row->version[0] ? ")" : "");
        }
    }
    return text;
}

const char *version_fixed_in(const struct campaign_triage *t, const char *target, struct arena *a)
{
    struct stage stages[MAX_VERSIONS];
    uint32_t n = list_stages(t, target, stages);
    bool const is_fixed = n > 1 && !stages[n - 1].is_bad;
    while (is_fixed && n > 1 && !stages[n - 2].is_bad) {
        n--;
    }
    return is_fixed && n > 1
               ? arena_printf(a, "%.*s", (int)stages[n - 1].version.n, stages[n - 1].version.at)
               : "";
}

/* Names each two neighbouring versions of which one is good and one bad, and then the newest version, unless it was
 * just named. */
static const char *tell_stages(const struct campaign_triage *t, const char *target, struct arena *a)
{
    struct stage stages[MAX_VERSIONS];
    uint32_t const n = list_stages(t, target, stages);
    const char *text = "";
    if (n < 2) {
        return "";
    }
    for (uint32_t i = 1; i < n; i++) {
        const struct stage *const x = &stages[i - 1], *const y = &stages[i];
        if (x->is_bad != y->is_bad) {
            text = arena_printf(a, "%s%s %s %.*s, first %s %.*s", text, text[0] ? "; last" : "Last",
                                x->is_bad ? "bad" : "good", (int)x->version.n, x->version.at,
                                y->is_bad ? "bad" : "good", (int)y->version.n, y->version.at);
        }
    }
    const struct stage *const first = &stages[0], *const last = &stages[n - 1];
    if (!text[0]) {
        return arena_printf(a, "%s in all versions that were tried, %.*s to %.*s.",
                            first->is_bad ? "Bad" : "Good", (int)first->version.n,
                            first->version.at, (int)last->version.n, last->version.at);
    }
    if (stages[n - 2].is_bad != last->is_bad) {
        return arena_printf(a, "%s, the newest that was tried.", text);
    }
    return arena_printf(a, "%s; %s in %.*s, the newest that was tried.", text,
                        last->is_bad ? "bad" : "good", (int)last->version.n, last->version.at);
}

const char *version_history(const struct campaign_triage *t, const char *target, struct arena *a)
{
    const char *const told = tell_stages(t, target, a);
    const char *const untried = list_untried(t, target, a);
    return told[0] && untried[0] ? arena_printf(a, "%s It could not be run on%s.", told, untried)
                                 : told;
}

/* Two drivers whose targets begin with the same word differ in the chip alone. */
static bool is_other_driver(const char *x, const char *y)
{
    size_t const n = strcspn(x, "-");
    return n != strcspn(y, "-") || strncmp(x, y, n) != 0;
}

static bool is_same_version(const struct version *x, const struct version *y)
{
    return x->n > 0 && x->n == y->n && strncmp(x->at, y->at, x->n) == 0;
}

const char *version_siblings(const struct campaign_triage *t, const char *target, struct arena *a)
{
    struct version own = {0};
    const char *text = "";
    for (uint32_t i = 0; i < t->n_matrix; i++) {
        const struct matrix_row *const row = &t->matrix[i];
        own = strcmp(row->target, target) == 0 && !row->with[0] ? version_find(row->version) : own;
    }
    for (uint32_t i = 0; i < t->n_matrix; i++) {
        const struct matrix_row *const row = &t->matrix[i];
        struct version const version = version_find(row->version);
        if (!row->with[0] && row->n_shown > 0 && is_same_version(&version, &own) &&
            is_other_driver(row->target, target)) {
            text = arena_printf(a, "%s%s%s", text, text[0] ? ", " : "", row->target);
        }
    }
    return text;
}
