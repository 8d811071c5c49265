/* gen/tape/profile.h -- with a tape the whole identity of a case: generator version and profile. */
#pragma once

#include <stdbool.h>

enum {
    GEN_VERSION = 14
};

/* What a campaign's cases are made of. */
enum profile {
    PROFILE_ATOMICS,
    PROFILE_ARITH,
    PROFILE_GROUPS,
    PROFILE_ALL,      /* atomics, group operations and mathematics in one case */
    PROFILE_MAXERROR, /* mathematics, with and without max-error decorations */
    PROFILE_PROGRAMS, /* pieces of real programs (gen/piece/piece.def) after a few statements of the first four */
    PROFILE_REFUSALS /* modules that break one rule: what drivers must refuse */
};
enum {
    PROFILE_N = 7,
    PROFILE_DRAWN_N = 6 /* without refusals: those whose programs are drawn */
};
extern const char *const profile_names[PROFILE_N];
int profile_find(const char *name); /* row by name, or -1 */
/* Do cases of that profile hold group operations? */
bool profile_has_groups(enum profile profile);
/* And mathematics: arithmetic and extended instructions of float types? */
bool profile_has_math(enum profile profile);
