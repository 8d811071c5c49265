/* oracle/host/host_exact.h -- functions whose last bits the C library does not know, by MPFR. */
#pragma once

#include "oracle/host/host_quad.h"

/* What host_exact is for a function of the C library. */
int host_exact_one(quad (*host)(quad), quad x, quad *out);
int host_exact_two(quad (*host)(quad, quad), quad x, quad y, quad *out);
