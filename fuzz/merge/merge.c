/* fuzz/merge/merge.c -- folders of shards into one folder: which kind they are of, and who does it. */
#include "fuzz/merge/merge.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/audit/audit_merge.h"
#include "fuzz/audit/audit_state.h"
#include "fuzz/merge/merge_campaign.h"

static enum res merge_audits(const struct merge_words *w, struct arena *a,
                             struct merge_summary *out, struct err *e)
{
    struct audit_merge_summary sum = {.missing = ""};
    TRY(audit_merge(w->out, w->in, w->n, a, &sum, e));
    out->n_parts = sum.n_parts;
    out->n_shards = sum.n_shards;
    out->missing = sum.missing;
    return RES_OK;
}

/* A kind of folder: the file by which it is known, and who merges such folders. */
static const struct kind {
    const char *name, *file;
    enum res (*merge)(const struct merge_words *, struct arena *, struct merge_summary *,
                      struct err *);
} kinds[] = {
    {"campaign", "journal.sqlite", merge_campaigns},
    {"audit",    AUDIT_STATE_FILE, merge_audits   },
};

/* The kind of a folder; NULL after the error: it is of none. */
static const struct kind *find_kind(const char *folder, struct err *e)
{
    struct arena a;
    const struct kind *found = NULL;
    arena_init(&a, 1 << 16);
    for (size_t i = 0; i < ARRAY_N(kinds) && !found; i++) {
        if (access(arena_printf(&a, "%s/%s", folder, kinds[i].file), F_OK) == 0) {
            found = &kinds[i];
        }
    }
    arena_free(&a);
    if (!found) {
        bool const is_readable = access(folder, R_OK | X_OK) == 0;
        (void)err_set(e, RES_USAGE, "%s: not a folder of a campaign or an audit%s%s", folder,
                      is_readable ? "" : ": ", is_readable ? "" : strerror(errno));
    }
    return found;
}

enum res merge_folders(const struct merge_words *w, struct arena *a, struct merge_summary *out,
                       struct err *e)
{
    const struct kind *kind = NULL;
    for (uint32_t i = 0; i < w->n; i++) {
        const struct kind *const next = find_kind(w->in[i], e);
        if (!next) {
            return e->code;
        }
        if (kind && kind != next) {
            return err_set(e, RES_USAGE, "%s belongs to a %s, %s to a %s: these cannot be merged",
                           w->in[0], kind->name, w->in[i], next->name);
        }
        kind = next;
    }
    if (!kind) {
        return err_set(e, RES_USAGE, "nothing to merge");
    }
    *out = (struct merge_summary){.kind = kind->name, .n_folders = w->n, .missing = ""};
    return kind->merge(w, a, out, e);
}
