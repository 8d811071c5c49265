/* fuzz/cli/cmd_audit_merged.c -- the reports of an audit whose shards were united. */
#include "fuzz/cli/cmd_audit_merged.h"

#include "fuzz/audit/audit_merge.h"
#include "reports/audit/audit_write.h"

#define MERGED_ARENA_BYTES ((size_t)1 << 30)

static enum res write_reports(const char *folder, struct arena *a, struct err *e)
{
    struct audit x;
    TRY(audit_merge_load(folder, a, &x, e));
    for (int i = 0; i < AUDIT_FORMAT_N; i++) {
        const char *const path = arena_printf(a, "%s/%s", folder, audit_file_names[i]);
        TRY(audit_write((enum audit_format)i, &x, path, e));
    }
    return RES_OK;
}

enum res cmd_audit_merged_write(const char *folder, struct err *e)
{
    struct arena a;
    arena_init(&a, MERGED_ARENA_BYTES);
    enum res const r = write_reports(folder, &a, e);
    arena_free(&a);
    return r;
}
