/* oracle/fault/faults.c -- planted faults: which there are. */
#include "oracle/fault/faults.h"

#include <string.h>

#include "base/base.h"

const struct fault_row fault_rows[FAULT_N] = {
#define FAULT(id, ops, types, where, expect, clause, text)                                         \
    {#id, ops, types, where, VERDICT_##expect, CLAUSE_##clause, text},
#include "oracle/fault/faults.def"
#define BUG(id, about, types, expect, clause, second, when, gives, text)                           \
    {#id, ON_MATH, types, AT_ANYWHERE, VERDICT_##expect, CLAUSE_##clause, text},
#define BUG_OPEN   BUG
#define BUG_OTHERS BUG
#define BUG_NEAR(id, about, types, expect, clause, second, when, gives, around, radius, text)      \
    BUG(id, about, types, expect, clause, second, when, gives, text)
#define BUG_AMONG(id, about, types, expect, clause, second, when, gives, n, text)                  \
    BUG(id, about, types, expect, clause, second, when, gives, text)
#include "oracle/fault/bugs.def"
#define BUG_GROUP(id, ops, types, where, expect, clause, when, gives, text)                        \
    {#id, ops, types, where, VERDICT_##expect, CLAUSE_##clause, text},
#define BUG_GROUP_OPEN BUG_GROUP
#include "oracle/fault/bugs_group.def"
#define FLOW(id, where, does, expect, clause, text)                                                \
    {#id, 0, OF_ANY_VALUE, AT_ANYWHERE, VERDICT_##expect, CLAUSE_##clause, text},
#include "oracle/fault/flow.def"
};

bool fault_is_of_groups(enum fault_id id)
{
    unsigned const ops = fault_rows[id].ops;
    return ops >= (unsigned)ON_SUMS && ops < (unsigned)ON_FUNC;
}

bool fault_is_of_math(enum fault_id id)
{
    return fault_rows[id].ops >= (unsigned)ON_FUNC;
}

bool fault_is_of_flow(enum fault_id id)
{
    return fault_rows[id].ops == 0 && !fault_is_of_memory(id) && !fault_is_of_dispatches(id);
}

bool fault_is_of_memory(enum fault_id id)
{
    return (fault_rows[id].where &
            (AT_SHARED_MEMORY | AT_OWN_MEMORY | AT_CONSTANT_MEMORY | AT_OTHER_ENTRY)) != 0;
}

bool fault_is_of_dispatches(enum fault_id id)
{
    return (fault_rows[id].where & AT_DISPATCHES) != 0;
}

bool fault_is_of_decorations(enum fault_id id)
{
    return id == FAULT_DECORATION_IGNORED || id == FAULT_DECORATION_OF_OTHER;
}

/* Names of earlier tables, which lists of known bugs and journals have, and the row that stands in for each. */
static const struct {
    const char *was, *is;
} renamed[] = {
    {"TGAMMA_OPEN",             "TGAMMA_OFF"        },
    {"TGAMMA_LARGE_OPEN",       "TGAMMA_OFF"        },
    {"WIDE_SINE_OPEN",          "WIDE_SINE"         },
    {"WIDE_COSINE_OPEN",        "WIDE_COSINE"       },
    {"WIDE_TANGENT_OPEN",       "WIDE_TANGENT"      },
    {"WIDE_SINCOS_OPEN",        "WIDE_SINCOS"       },
    {"WIDE_SINCOS_SECOND_OPEN", "WIDE_SINCOS_SECOND"},
    {"ERFC_LARGE_OPEN",         "ERFC_LARGE"        },
    {"NORMALIZE_OPEN",          "NORMALIZE_LOST"    },
    {"LENGTH_OPEN",             "LENGTH_OF_ONE"     },
    {"WIDE_DOUBLE_OPEN",        "WIDE_DOUBLE"       },
    {"WIDE_DOUBLE_SECOND_OPEN", "WIDE_DOUBLE_SECOND"},
    {"WIDE_VECTOR_OPEN",        "WIDE_VECTOR"       },
    {"WIDE_VECTOR_SECOND_OPEN", "WIDE_VECTOR_SECOND"},
    {"BROADCAST_OF_NO_HALF",    "BROADCAST_OF_HALF" },
};

int fault_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_N(renamed); i++) {
        name = strcmp(name, renamed[i].was) == 0 ? renamed[i].is : name;
    }
    for (int i = 0; i < FAULT_N; i++) {
        if (strcmp(fault_rows[i].id, name) == 0) {
            return i;
        }
    }
    return strcmp(name, "none") == 0 ? FAULT_NONE : -1;
}

struct fault_plan fault_plan_of(enum fault_id id)
{
    return (struct fault_plan){.id = id, .op = -1, .type = -1, .storage = -1};
}
