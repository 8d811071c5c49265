/* gen/tape/profile.c -- names. */
#include "gen/tape/profile.h"

#include <string.h>

const char *const profile_names[PROFILE_N] = {"atomics",  "arith",    "groups",  "all",
                                              "maxerror", "programs", "refusals"};

int profile_find(const char *name)
{
    for (int i = 0; i < PROFILE_N; i++) {
        if (strcmp(profile_names[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

bool profile_has_groups(enum profile profile)
{
    return profile == PROFILE_GROUPS || profile == PROFILE_ALL;
}

bool profile_has_math(enum profile profile)
{
    return profile == PROFILE_ARITH || profile == PROFILE_ALL || profile == PROFILE_MAXERROR;
}
