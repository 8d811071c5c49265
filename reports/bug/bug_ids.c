/* reports/bug/bug_ids.c -- ids of a work-group that no sub-groups can have, without the oracle that found them.
 * host.c.in checks the same. */
#include "reports/bug/bug_ids.h"

#include <inttypes.h>

#include "base/testcase.h"

uint32_t bug_get_id(const struct expect_ids *x, const struct testcase *tc,
                    const struct observation *ob, uint32_t i, enum expect_id_column column)
{
    uint64_t id = 0;
    (void)observation_get_word(ob, tc, x->id[i].buf[column], x->id[i].byte[column], 4, &id);
    return (uint32_t)id;
}

/* All ids of the invocation at `i`. */
struct ids {
    uint32_t item, group, local, size;
};

static struct ids read_ids(const struct expect_ids *x, const struct testcase *tc,
                           const struct observation *ob, uint32_t i)
{
    return (struct ids){.item = x->id[i].invocation,
                        .group = bug_get_id(x, tc, ob, i, EXPECT_ID_GROUP),
                        .local = bug_get_id(x, tc, ob, i, EXPECT_ID_LOCAL),
                        .size = bug_get_id(x, tc, ob, i, EXPECT_ID_SIZE)};
}

/* What contradicts what in two of one sub-group. */
static const char *describe_two(struct ids p, struct ids q, struct arena *a)
{
    if (p.size != q.size) {
        return arena_printf(a,
                            "Work-item %" PRIu32 " of sub-group %" PRIu32
                            " stores SubgroupSize %" PRIu32 ". Work-item %" PRIu32
                            " of the same sub-group stores %" PRIu32 ".",
                            p.item, p.group, p.size, q.item, q.size);
    }
    return p.local == q.local
               ? arena_printf(a,
                              "Work-item %" PRIu32 " stores SubgroupId %" PRIu32
                              " and SubgroupLocalInvocationId %" PRIu32 ". Work-item %" PRIu32
                              " of the same work-group stores the same two ids.",
                              p.item, p.group, p.local, q.item)
               : "";
}

/* What contradicts what in the sub-group of p as a whole: its number of members and its size. */
static const char *describe_size(const struct expect_ids *x, struct ids p, uint32_t n_members,
                                 uint32_t largest, bool is_last, struct arena *a)
{
    const char *const first = arena_printf(
        a, "The members of sub-group %" PRIu32 " store SubgroupSize %" PRIu32 ".", p.group, p.size);
    if (x->required && (x->is_cl ? p.size > x->required : p.size != x->required)) {
        return arena_printf(a, "%s The size that is required is %" PRIu32 ".", first, x->required);
    }
    if (x->is_cl && n_members != p.size) {
        return arena_printf(a, "%s It has %" PRIu32 " member%s.", first, n_members,
                            n_members == 1 ? "" : "s");
    }
    return x->is_cl && !is_last && p.size != largest
               ? arena_printf(a, "%s Another one, and not only the last, has %" PRIu32 ".", first,
                              largest)
               : "";
}

/* The first contradiction is the answer. Each invocation p is checked by itself, then against those behind it (those
 * before it were checked against p), then its sub-group as a whole. The loop over k also counts what describe_size
 * needs: the members of the sub-group, the largest SubgroupSize of all, and whether p's SubgroupId is the greatest.
 * It ends early only at a contradiction, and then the counts are not used. */
const char *bug_describe_ids(const struct expect_ids *x, const struct testcase *tc,
                             const struct observation *ob, uint32_t *group, struct arena *a)
{
    for (uint32_t i = 0; i < x->n; i++) {
        struct ids const p = read_ids(x, tc, ob, i);
        uint32_t n_members = 0, largest = 0;
        bool is_last = true;
        const char *text =
            p.local < p.size
                ? ""
                : arena_printf(a,
                               "Work-item %" PRIu32 " stores SubgroupLocalInvocationId %" PRIu32
                               ". It stores SubgroupSize %" PRIu32 ", too.",
                               p.item, p.local, p.size);
        *group = p.group;
        for (uint32_t k = 0; k < x->n && !text[0]; k++) {
            struct ids const q = read_ids(x, tc, ob, k);
            n_members += q.group == p.group;
            largest = q.size > largest ? q.size : largest;
            is_last &= q.group <= p.group;
            text = k > i && q.group == p.group ? describe_two(p, q, a) : "";
        }
        text = text[0] ? text : describe_size(x, p, n_members, largest, is_last, a);
        if (text[0]) {
            return text;
        }
    }
    return "";
}

void bug_put_ids(const struct expect_ids *x, FILE *f)
{
    (void)fprintf(f,
                  "\n/* Who is in the group, and where each stores SubgroupId, "
                  "SubgroupLocalInvocationId and SubgroupSize:\n * buffer and byte. */\n"
                  "enum { REQUIRED_SIZE = %" PRIu32 " /* 0: any */, IS_OPENCL = %d };\n"
                  "static const struct id {\n"
                  "    unsigned item, buffer[3], byte[3];\n"
                  "} ids[] = {\n",
                  x->required, x->is_cl);
    for (uint32_t i = 0; i < x->n; i++) {
        const struct expect_id *const id = &x->id[i];
        (void)fprintf(f,
                      "    {%" PRIu32 ", {%" PRIu32 ", %" PRIu32 ", %" PRIu32 "}, {%" PRIu32
                      ", %" PRIu32 ", %" PRIu32 "}},\n",
                      id->invocation, id->buf[0], id->buf[1], id->buf[2], id->byte[0], id->byte[1],
                      id->byte[2]);
    }
    (void)fprintf(f, "};\n");
}
