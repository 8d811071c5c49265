/* oracle/sim/faults.c -- planted faults: which there are. */
#include "oracle/sim/faults.h"

#include <string.h>

const struct fault_row fault_rows[FAULT_N] = {
#define FAULT(id, ops, types, where, expect, clause, text)                                         \
    {#id, VERDICT_##expect, CLAUSE_##clause, text},
#include "oracle/sim/faults.def"
};

const struct fault_detail fault_details[FAULT_N] = {
#define LOAD                                               FAULT_LOAD
#define STORE                                              FAULT_STORE
#define EXCH                                               FAULT_EXCH
#define CMPX                                               FAULT_CMPX
#define ADD                                                FAULT_ADD
#define MIN                                                FAULT_MIN
#define MAX                                                FAULT_MAX
#define INT                                                FAULT_INT
#define SUMS                                               FAULT_SUMS
#define EXTREMES                                           FAULT_EXTREMES
#define WHOLES                                             FAULT_WHOLES
#define REDUCTIONS                                         (SUMS | EXTREMES | WHOLES)
#define VOTES                                              FAULT_VOTES
#define EQUAL                                              FAULT_EQUAL
#define ELECT                                              FAULT_ELECT
#define BALLOT                                             FAULT_BALLOT
#define COUNT                                              FAULT_COUNT
#define FIND                                               FAULT_FIND
#define EXTRACT                                            FAULT_EXTRACT
#define BROADCAST                                          FAULT_BROADCAST
#define SHUFFLE                                            FAULT_SHUFFLE
#define XOR                                                FAULT_XOR
#define RELATIVE                                           FAULT_RELATIVE
#define ROTATE                                             FAULT_ROTATE
#define QUAD                                               FAULT_QUAD
#define SWIZZLE                                            FAULT_SWIZZLE
#define MASKED                                             FAULT_MASKED
#define WRITE                                              FAULT_WRITE
#define SHUFFLES                                           (SHUFFLE | XOR | RELATIVE)
#define EXCHANGES                                          (BROADCAST | SHUFFLES | ROTATE | QUAD)
#define MBCNT                                              FAULT_MBCNT
#define FUNC                                               FAULT_FUNC
#define ARITH                                              FAULT_ARITH
#define CONVERT                                            FAULT_CONVERT
#define F16                                                FAULT_F16
#define F32                                                FAULT_F32
#define F64                                                FAULT_F64
#define ANY_FLOAT                                          (FAULT_F16 | FAULT_F32 | FAULT_F64)
#define ANY_TYPE                                           (ANY_FLOAT | FAULT_INTEGER)
#define INTEGER                                            FAULT_INTEGER
#define ANY_VALUE                                          (ANY_TYPE | FAULT_BOOL)
#define ANYWHERE                                           0
#define USED                                               FAULT_USED
#define UNUSED                                             FAULT_UNUSED
#define SHARED                                             FAULT_SHARED
#define OTHER_LANES                                        FAULT_OTHER_LANES
#define SECOND_GROUP                                       FAULT_SECOND_GROUP
#define HAS_NEIGHBOUR                                      FAULT_HAS_NEIGHBOUR
#define FREE_NEIGHBOUR                                     FAULT_FREE_NEIGHBOUR
#define REDUCE                                             FAULT_REDUCE
#define SCAN                                               FAULT_SCAN
#define EXCLUSIVE                                          FAULT_EXCLUSIVE
#define CLUSTERED                                          FAULT_CLUSTERED
#define PARTIAL                                            FAULT_PARTIAL
#define SUBGROUP                                           FAULT_SUBGROUP
#define WORKGROUP                                          FAULT_WORKGROUP
#define ELSE                                               FAULT_ELSE
#define CUT                                                FAULT_CUT
#define INCLUSIVE                                          FAULT_INCLUSIVE
#define COMPARE                                            FAULT_COMPARE
#define HOLE                                               FAULT_HOLE
#define FAULT(id, ops, types, where, expect, clause, text) {ops, types, where},
#include "oracle/sim/faults.def"
};

int fault_is_of_groups(enum fault_id id)
{
    unsigned const ops = fault_details[id].ops;
    return ops >= (unsigned)FAULT_SUMS && ops < (unsigned)FAULT_FUNC;
}

int fault_is_of_math(enum fault_id id)
{
    return fault_details[id].ops >= (unsigned)FAULT_FUNC;
}

int fault_is_of_decorations(enum fault_id id)
{
    return id == FAULT_DECORATION_IGNORED || id == FAULT_DECORATION_OF_OTHER;
}

int fault_find(const char *name)
{
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
