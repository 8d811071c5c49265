/* gen/print/glsl_group.c -- group instructions as functions of GLSL. */
#include "gen/print/glsl_group.h"

bool glsl_put_group(struct clc_printer *p, const struct spv_inst *in)
{
    (void)p;
    (void)in;
    return false;
}
