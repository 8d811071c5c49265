/* gen/stats/needed.c -- how many cases have which need. */
#include "gen/stats/needed.h"

#include <inttypes.h>

#include "base/caps.h"
#include "base/ops.h"

void needed_add(struct needed_stats *s, const struct testcase *tc)
{
    s->n_cases[tc->env]++;
    for (int i = 0; i < NEED_N; i++) {
        s->with[i] += needs_has(&tc->needs, (enum need_id)i) ? 1 : 0;
    }
}

void needed_write(const struct needed_stats *s, const struct needs *allowed, FILE *f)
{
    uint32_t n = 0, n_seldom = 0;
    fprintf(f, "\n%-29s %10s\n", "need", "% of cases");
    for (int i = 0; i < NEED_N; i++) {
        enum env const env = cap_rows[i].envs & OP_CL ? ENV_CL : ENV_VK;
        double const percent =
            s->n_cases[env] ? 100.0 * (double)s->with[i] / (double)s->n_cases[env] : 0;
        if (s->n_cases[env] == 0 || !needs_has(allowed, (enum need_id)i)) {
            continue;
        }
        n++;
        n_seldom += percent < NEEDED_SELDOM_PERCENT;
        fprintf(f, "%-29s %10.2f\n", cap_rows[i].id, percent);
    }
    fprintf(f,
            "needs that the cases may have: %" PRIu32 ", in less than %d %% of them: %" PRIu32 "\n",
            n, NEEDED_SELDOM_PERCENT, n_seldom);
}
