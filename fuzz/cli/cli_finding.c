/* fuzz/cli/cli_finding.c -- a finding of a campaign, as a command is given it. */
#include "fuzz/cli/cli_finding.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/journal/journal.h"

enum res cli_split_finding(const char *word, const char **folder, int64_t *id, struct arena *a,
                           struct err *e)
{
    const char *const hash = strrchr(word, '#');
    char *end = NULL;
    *folder = word;
    *id = 0;
    if (!hash || access(word, F_OK) == 0) {
        return RES_OK;
    }
    errno = 0;
    long long const n = strtoll(hash + 1, &end, 10);
    if (!isdigit((unsigned char)hash[1]) || *end || n <= 0 || errno) {
        return err_set(e, RES_USAGE, "%s: CAMPAIGN#ID needs a number behind #", word);
    }
    *id = n;
    *folder = arena_printf(a, "%.*s", (int)(hash - word), word);
    return RES_OK;
}

enum res cli_get_finding(struct journal *j, int64_t id, struct journal_finding *f,
                         struct reduce_subject *s, struct arena *a, struct err *e)
{
    struct campaign_plan plan;
    TRY(journal_get_plan(j, a, &plan, e));
    TRY(journal_get_finding(j, id, a, f, e));
    return reduce_load_finding(j, plan.gen_version, id, f->case_index, a, s, e);
}

enum res cli_read_finding(const char *folder, int64_t id, struct journal_finding *f,
                          struct reduce_subject *s, struct arena *a, struct err *e)
{
    struct journal *j = NULL;
    enum res r = journal_open(&j, folder, NULL, e);
    if (r == RES_OK) {
        r = cli_get_finding(j, id, f, s, a, e);
    }
    journal_close(j);
    return r;
}

enum res cli_read_case(const char *word, struct bundle *out, struct arena *a, struct err *e)
{
    const char *folder = word;
    struct journal_finding f;
    int64_t id = 0;
    TRY(cli_split_finding(word, &folder, &id, a, e));
    if (!id) {
        return bundle_read(word, a, out, e);
    }
    struct reduce_subject *const s = ARENA_NEW(a, struct reduce_subject, 1);
    if (!s) {
        return err_set(e, RES_NOMEM, "%s: no memory for a finding", word);
    }
    TRY(cli_read_finding(folder, id, &f, s, a, e));
    *out = (struct bundle){.tc = s->tc,
                           .ob = s->ob,
                           .has_observation = 1,
                           .target = f.target,
                           .tape = s->has_tape ? &s->tape : NULL};
    return RES_OK;
}
