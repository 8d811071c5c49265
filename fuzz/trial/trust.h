/* fuzz/trial/trust.h -- may a case that was read from somewhere be given to a driver? */
#pragma once

#include "base/testcase.h"
#include "gen/tape/tape.h"

/* Why it may. */
enum trust {
    TRUST_OURS, /* the generator, asked again, makes the same case */
    TRUST_VOUCHED, /* valid SPIR-V, and the interpreter vouches for it (oracle/vouch/vouch.h): what is made of
                    * it, by a reducer or a variant, has to be vouched for as well */
    TRUST_GIVEN /* the user's word, --trust: so may all that is made of it */
};

/*
 * May tc, which `name` holds, be run? tape: the one that it is said to be of, NULL: none is at hand.
 * Where the generator makes another case of it, or is of another version, the interpreter has to
 * vouch for the case; where it cannot, is_trusted is the user's word.
 * RES_USAGE: no; the error names the case, the first reason, and --trust, or of a kernel with an argument that no case
 * can give, as a struct by value, or that this case gives wrongly, that argument (base/kernel_args.h), which --trust does
 * not change. RES_NOMEM.
 */
MUST_USE enum res trust_case(const char *name, const struct testcase *tc, const struct tape *tape,
                             int is_trusted, enum trust *out, struct arena *a, struct err *e);

/* Is it valid SPIR-V that the interpreter vouches for? RES_FORMAT, RES_LIMIT: no, and why. */
MUST_USE enum res trust_vouch(const struct testcase *tc, struct arena *a, struct err *e);
