/* oracle/func/test_func_special.c -- prescribed results, row by row from the texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "oracle/func/func.h"
#include "oracle/func/func_special.h"
#include "oracle/tables/tables.h"

#define COVERS(id) (void)CLAUSE_##id

/*
 * "function arguments = results". Results: | between them, "-" for computed, "*" for anything.
 * Numbers: tiny, the smallest subnormal; min, the smallest normal; max; below1, the last one below
 * 1; nan quiet, snan signalling; as a result "nan" is any quiet NaN and "snan" any signalling one.
 */
static const char *const cl_rows[] = {
    /* F.9.1 */
    "acos 1 = 0", "acos 1.5 = nan", "acos -1.5 = nan", "acos inf = nan", "acos -inf = nan",
    "acos 0 = -", "acos -0 = -", "acos -1 = -", "acos below1 = -", "acos tiny = -", "asin 0 = 0",
    "asin -0 = -0", "asin 2 = nan", "asin -2 = nan", "asin inf = nan", "asin 1 = -", "asin -1 = -",
    "asin tiny = -", "atan 0 = 0", "atan -0 = -0", "atan inf = -", "atan -inf = -", "atan max = -",
    "atan2 0 -0 = -", "atan2 -0 -0 = -", "atan2 0 0 = 0", "atan2 -0 0 = -0", "atan2 0 -1 = -",
    "atan2 0 1 = 0", "atan2 -0 1 = -0", "atan2 -0 max = -0", "atan2 1 0 = -", "atan2 -1 -0 = -",
    "atan2 1 -inf = -", "atan2 1 inf = 0", "atan2 -1 inf = -0", "atan2 inf 1 = -",
    "atan2 inf inf = -", "atan2 -inf -inf = -", "atan2 0 inf = 0", "atan2 -0 inf = -0",
    "atan2 tiny inf = 0", "atan2 -0 tiny = -0", "atan2 nan 1 = nan", "atan2 1 nan = nan",
    "cos 0 = 1", "cos -0 = 1", "cos inf = nan", "cos -inf = nan", "cos max = -", "cos 1 = -",
    "sin 0 = 0", "sin -0 = -0", "sin inf = nan", "sin -inf = nan", "sin tiny = -", "sin max = -",
    "tan 0 = 0", "tan -0 = -0", "tan inf = nan", "tan -inf = nan", "tan 1 = -",
    /* F.9.2 */
    "acosh 1 = 0", "acosh below1 = nan", "acosh 0 = nan", "acosh -0 = nan", "acosh -2 = nan",
    "acosh inf = inf", "acosh -inf = nan", "acosh 2 = -", "acosh tiny = nan", "asinh 0 = 0",
    "asinh -0 = -0", "asinh inf = inf", "asinh -inf = -inf", "asinh 1 = -", "atanh 0 = 0",
    "atanh -0 = -0", "atanh 1 = inf", "atanh -1 = -inf", "atanh 2 = nan", "atanh -2 = nan",
    "atanh inf = nan", "atanh -inf = nan", "atanh below1 = -", "cosh 0 = 1", "cosh -0 = 1",
    "cosh inf = inf", "cosh -inf = inf", "cosh 1 = -", "sinh 0 = 0", "sinh -0 = -0",
    "sinh inf = inf", "sinh -inf = -inf", "sinh max = -", "tanh 0 = 0", "tanh -0 = -0",
    "tanh inf = 1", "tanh -inf = -1", "tanh max = -",
    /* F.9.3 */
    "exp 0 = 1", "exp -0 = 1", "exp -inf = 0", "exp inf = inf", "exp 1 = -", "exp max = -",
    "exp2 0 = 1", "exp2 -0 = 1", "exp2 -inf = 0", "exp2 inf = inf", "exp2 1 = -", "exp10 0 = 1",
    "exp10 -0 = 1", "exp10 -inf = 0", "exp10 inf = inf", "exp10 1 = -", "expm1 0 = 0",
    "expm1 -0 = -0", "expm1 -inf = -1", "expm1 inf = inf", "expm1 -max = -", "ldexp 0 5 = 0",
    "ldexp -0 5 = -0", "ldexp inf -5 = inf", "ldexp -inf 5 = -inf", "ldexp 1.5 0 = 1.5",
    "ldexp tiny 0 = tiny", "ldexp 1 3 = -", "ldexp nan 0 = nan", "log 0 = -inf", "log -0 = -inf",
    "log 1 = 0", "log -1 = nan", "log -tiny = nan", "log inf = inf", "log -inf = nan",
    "log below1 = -", "log tiny = -", "log2 0 = -inf", "log2 -0 = -inf", "log2 1 = 0",
    "log2 -1 = nan", "log2 inf = inf", "log2 2 = -", "log10 0 = -inf", "log10 -0 = -inf",
    "log10 1 = 0", "log10 -1 = nan", "log10 inf = inf", "log10 10 = -", "log1p 0 = 0",
    "log1p -0 = -0", "log1p -1 = -inf", "log1p -1.5 = nan", "log1p inf = inf", "log1p -inf = nan",
    "log1p -below1 = -", "log1p tiny = -", "logb 0 = -inf", "logb -0 = -inf", "logb inf = inf",
    "logb -inf = inf", "logb 8 = -",
    /* F.9.4 */
    "cbrt 0 = 0", "cbrt -0 = -0", "cbrt inf = inf", "cbrt -inf = -inf", "cbrt 8 = -", "fabs 0 = 0",
    "fabs -0 = 0", "fabs inf = inf", "fabs -inf = inf", "fabs -1 = -", "fabs nan = nan",
    "hypot 3 0 = 3", "hypot -3 -0 = 3", "hypot 0 -3 = 3", "hypot 0 0 = 0", "hypot -0 -0 = 0",
    "hypot inf 1 = inf", "hypot -inf nan = inf", "hypot nan inf = inf", "hypot nan -inf = inf",
    "hypot nan 1 = nan", "hypot 3 4 = -", "hypot max 0 = max", "pow 0 -3 = inf", "pow -0 -3 = -inf",
    "pow 0 -1 = inf", "pow -0 -1 = -inf", "pow 0 -2 = inf", "pow -0 -2 = inf", "pow -0 -1.5 = inf",
    "pow 0 -inf = inf", "pow -0 -inf = inf", "pow 0 3 = 0", "pow -0 3 = -0", "pow 0 2 = 0",
    "pow -0 2 = 0", "pow -0 0.5 = 0", "pow -0 inf = 0", "pow 0 inf = 0", "pow -1 inf = 1",
    "pow -1 -inf = 1", "pow 1 5 = 1", "pow 1 nan = 1", "pow 1 inf = 1", "pow 1 -inf = 1",
    "pow nan 0 = 1", "pow nan -0 = 1", "pow 0 0 = 1", "pow -0 -0 = 1", "pow inf 0 = 1",
    "pow -inf -0 = 1", "pow -3 0 = 1", "pow -2 0.5 = nan", "pow -2 1.5 = nan",
    "pow -tiny 2.5 = nan", "pow 0.5 -inf = inf", "pow -0.5 -inf = inf", "pow 2 -inf = 0",
    "pow -2 -inf = 0", "pow 0.5 inf = 0", "pow -0.5 inf = 0", "pow 2 inf = inf", "pow -2 inf = inf",
    "pow -inf -3 = -0", "pow -inf -2 = 0", "pow -inf -0.5 = 0", "pow -inf 3 = -inf",
    "pow -inf 2 = inf", "pow -inf 0.5 = inf", "pow inf -1 = 0", "pow inf -0.5 = 0",
    "pow inf 1 = inf", "pow inf inf = inf", "pow inf -inf = 0", "pow -inf inf = inf",
    "pow -inf -inf = 0", "pow nan 1 = nan", "pow 2 nan = nan", "pow -1 nan = nan", "pow 2 3 = -",
    "pow -2 3 = -", "pow -2 max = -", "pow below1 max = -", "pow 1 snan = 1|nan|snan",
    "pow snan 0 = 1|nan|snan", "sqrt 0 = 0", "sqrt -0 = -0", "sqrt inf = inf", "sqrt -inf = nan",
    "sqrt -tiny = nan", "sqrt 4 = -",
    /* F.9.5 */
    "erf 0 = 0", "erf -0 = -0", "erf inf = 1", "erf -inf = -1", "erf 1 = -", "erf tiny = -",
    "erfc inf = 0", "erfc -inf = 2", "erfc 0 = -", "erfc -0 = -", "erfc max = -", "lgamma 1 = 0",
    "lgamma 2 = 0", "lgamma 0 = inf", "lgamma -0 = inf", "lgamma -1 = inf", "lgamma -2 = inf",
    "lgamma -inf = inf", "lgamma inf = inf", "lgamma 3 = -", "lgamma -0.5 = -", "lgamma -max = inf",
    "tgamma 0 = inf", "tgamma -0 = -inf", "tgamma -1 = nan", "tgamma -2 = nan", "tgamma -max = nan",
    "tgamma -inf = nan", "tgamma inf = inf", "tgamma 1 = -", "tgamma -0.5 = -", "tgamma -tiny = -",
    /* F.9.6 and OpenCL: ceil, rint, round, trunc */
    "ceil 0 = 0", "ceil -0 = -0", "ceil -0.5 = -0", "ceil -below1 = -0", "ceil -tiny = -0",
    "ceil inf = inf", "ceil -inf = -inf", "ceil 0.5 = -", "ceil -1.5 = -", "ceil -1 = -",
    "floor 0 = 0", "floor -0 = -0", "floor 0.5 = 0", "floor tiny = 0", "floor below1 = 0",
    "floor inf = inf", "floor -inf = -inf", "floor -0.5 = -", "floor -tiny = -", "rint 0 = 0",
    "rint -0 = -0", "rint -0.5 = -0", "rint 0.5 = 0", "rint -0.25 = -0", "rint 0.25 = 0",
    "rint 0.75 = -", "rint -1.5 = -", "rint inf = inf", "rint -inf = -inf", "rint -tiny = -0",
    "round 0 = 0", "round -0 = -0", "round -0.25 = -0", "round 0.25 = 0", "round 0.5 = -",
    "round -0.5 = -", "round inf = inf", "round -inf = -inf", "round -tiny = -0", "trunc 0 = 0",
    "trunc -0 = -0", "trunc -0.5 = -0", "trunc 0.5 = 0", "trunc -below1 = -0", "trunc below1 = 0",
    "trunc inf = inf", "trunc -inf = -inf", "trunc -1.5 = -",
    /* F.9.7 */
    "fmod 0 1 = 0", "fmod -0 1 = -0", "fmod inf 1 = nan", "fmod -inf 1 = nan", "fmod 1 0 = nan",
    "fmod 1 -0 = nan", "fmod 0 0 = nan", "fmod inf inf = nan", "fmod 3 inf = 3",
    "fmod -3 -inf = -3", "fmod 0 inf = 0", "fmod -0 -inf = -0", "fmod 0 nan = nan",
    "fmod -0 nan = nan", "fmod nan 1 = nan", "fmod 5 3 = -", "fmod max tiny = -",
    "remainder 0 1 = 0", "remainder -0 1 = -0", "remainder inf 1 = nan", "remainder 1 0 = nan",
    "remainder 1 -0 = nan", "remainder 3 inf = 3", "remainder -3 inf = -3", "remainder nan 1 = nan",
    "remainder 1 nan = nan", "remainder 5 3 = -",
    /* F.9.8 and OpenCL: nextafter */
    "copysign 0 -1 = -0", "copysign -0 1 = 0", "copysign inf -0 = -inf", "copysign -inf 0 = inf",
    "copysign nan 1 = nan", "copysign 1 -2 = -", "copysign 2 nan = 2|-2", "nextafter 0 1 = -",
    "nextafter -0 1 = -", "nextafter 0 -1 = -", "nextafter -0 -inf = -", "nextafter max inf = inf",
    "nextafter -max -inf = -inf", "nextafter inf 0 = -", "nextafter inf inf = inf",
    "nextafter 0 -0 = 0|-0", "nextafter -0 -0 = -0", "nextafter tiny 0 = 0",
    "nextafter -tiny 0 = -0", "nextafter tiny -1 = 0", "nextafter 1 1 = -", "nextafter nan 1 = nan",
    "nextafter 1 nan = nan", "nextafter 1 2 = -",
    /* F.9.9, 7.12.12 and OpenCL: fdim */
    "fdim 1 1 = 0", "fdim 1 2 = 0", "fdim -0 0 = 0", "fdim 0 -0 = 0", "fdim inf inf = 0",
    "fdim inf 1 = inf", "fdim 1 -inf = inf", "fdim 1 inf = 0", "fdim -inf 1 = 0",
    "fdim inf -inf = inf", "fdim -inf -inf = 0", "fdim nan 1 = nan", "fdim 1 nan = nan",
    "fdim -1 nan = nan", "fdim 2 1 = -", "fmax nan 3 = 3", "fmax 3 nan = 3", "fmax nan nan = nan",
    "fmax 0 -0 = 0|-0", "fmax -0 0 = 0|-0", "fmax inf 1 = inf", "fmax -inf 1 = -", "fmax 1 2 = -",
    "fmax 0 -1 = 0", "fmax -1 -0 = -0", "fmax 0 0 = 0", "fmax nan -inf = -inf",
    "fmax snan 3 = 3|nan|snan", "fmin nan 3 = 3", "fmin 3 nan = 3", "fmin nan nan = nan",
    "fmin 0 -0 = 0|-0", "fmin -inf 1 = -inf", "fmin inf 1 = -", "fmin 1 2 = -", "fmin 0 1 = 0",
    "fmin -0 1 = -0", "fmin -0 -0 = -0", "fmin 1 snan = 1|nan|snan", "fmin snan snan = nan|snan",
    "maxmag -3 2 = -", "maxmag 3 -3 = -", "maxmag nan 2 = 2", "maxmag 2 nan = 2",
    "maxmag -inf 1 = -inf", "maxmag -inf inf = inf", "maxmag 0 -0 = 0|-0", "maxmag 0 0 = 0",
    "minmag -3 2 = -", "minmag 3 -3 = -", "minmag nan -2 = -2", "minmag 0 -1 = 0",
    "minmag -0 1 = -0", "minmag -inf inf = -inf", "minmag 0 -0 = 0|-0", "minmag nan nan = nan",
    /* F.9.10 */
    "fma 0 inf 1 = nan", "fma inf 0 1 = nan", "fma inf 0 nan = nan", "fma -0 inf nan = nan",
    "fma inf 1 -inf = nan", "fma inf 1 inf = inf", "fma 1 1 -inf = -inf", "fma inf -1 1 = -inf",
    "fma nan 1 1 = nan", "fma 1 nan 1 = nan", "fma 1 1 nan = nan", "fma 1 2 3 = -", "fma 0 0 0 = -",
    "fma snan 1 1 = nan|snan",
    /* OpenCL, additional requirements */
    "acospi 1 = 0", "acospi 1.5 = nan", "acospi -1.5 = nan", "acospi inf = nan", "acospi 0 = -",
    "acospi -1 = -", "asinpi 0 = 0", "asinpi -0 = -0", "asinpi 1.5 = nan", "asinpi -1.5 = nan",
    "asinpi 1 = -", "atanpi 0 = 0", "atanpi -0 = -0", "atanpi inf = 0.5", "atanpi -inf = -0.5",
    "atanpi 1 = -", "atan2pi 0 -0 = 1", "atan2pi -0 -0 = -1", "atan2pi 0 0 = 0",
    "atan2pi -0 0 = -0", "atan2pi 0 -2 = 1", "atan2pi -0 -2 = -1", "atan2pi 0 2 = 0",
    "atan2pi -0 2 = -0", "atan2pi -2 0 = -0.5", "atan2pi -2 -0 = -0.5", "atan2pi 2 0 = 0.5",
    "atan2pi 2 -0 = 0.5", "atan2pi 2 -inf = 1", "atan2pi -2 -inf = -1", "atan2pi 2 inf = 0",
    "atan2pi -2 inf = -0", "atan2pi inf 2 = 0.5", "atan2pi -inf -2 = -0.5",
    "atan2pi inf -inf = 0.75", "atan2pi -inf -inf = -0.75", "atan2pi inf inf = 0.25",
    "atan2pi -inf inf = -0.25", "atan2pi 1 1 = -", "atan2pi 1 -1 = -", "atan2pi nan 1 = nan",
    "atan2pi 0 -inf = 1", "atan2pi -0 inf = -0", "atan2pi inf 0 = 0.5", "atan2pi -inf -0 = -0.5",
    "cospi 0 = 1", "cospi -0 = 1", "cospi 0.5 = 0", "cospi -0.5 = 0", "cospi 1.5 = 0",
    "cospi -1.5 = 0", "cospi 2.5 = 0", "cospi inf = nan", "cospi -inf = nan", "cospi 1 = -",
    "cospi 0.25 = -", "cospi max = -", "sinpi 0 = 0", "sinpi -0 = -0", "sinpi 1 = 0", "sinpi 2 = 0",
    "sinpi -1 = -0", "sinpi -2 = -0", "sinpi max = 0", "sinpi -max = -0", "sinpi inf = nan",
    "sinpi -inf = nan", "sinpi 0.5 = -", "sinpi 1.5 = -", "tanpi 0 = 0", "tanpi -0 = -0",
    "tanpi inf = nan", "tanpi -inf = nan", "tanpi 2 = 0", "tanpi -2 = -0", "tanpi 1 = -0",
    "tanpi -1 = 0", "tanpi 3 = -0", "tanpi -3 = 0", "tanpi max = 0", "tanpi -max = -0",
    "tanpi 0.5 = inf", "tanpi 1.5 = -inf", "tanpi 2.5 = inf", "tanpi -0.5 = -inf",
    "tanpi -1.5 = inf", "tanpi -2.5 = -inf", "tanpi 0.25 = -", "fract 0 = 0", "fract -0 = -0",
    "fract inf = 0", "fract -inf = -0", "fract nan = nan", "fract 3 = 0", "fract -3 = 0",
    "fract 1.5 = -", "fract -0.25 = -", "pown nan 0 = 1", "pown inf 0 = 1", "pown 0 0 = 1",
    "pown -3 0 = 1", "pown 0 -3 = inf", "pown -0 -3 = -inf", "pown 0 -2 = inf", "pown -0 -2 = inf",
    "pown 0 2 = 0", "pown -0 2 = 0", "pown 0 3 = 0", "pown -0 3 = -0", "pown inf 3 = inf",
    "pown -inf 3 = -inf", "pown -inf 2 = inf", "pown -inf -3 = -0", "pown inf -1 = 0",
    "pown -inf -2 = 0", "pown nan 1 = nan", "pown 2 3 = -", "pown -0 -2147483648 = inf",
    "pown -0 2147483647 = -0", "pown snan 0 = 1|nan|snan", "powr 2 0 = 1", "powr tiny -0 = 1",
    "powr max 0 = 1", "powr 0 -2 = inf", "powr -0 -3 = inf", "powr 0 -inf = inf",
    "powr -0 -inf = inf", "powr 0 2 = 0", "powr -0 3 = 0", "powr 0 inf = 0", "powr 1 2 = 1",
    "powr 1 -max = 1", "powr -1 2 = nan", "powr -tiny 2 = nan", "powr -inf 2 = nan",
    "powr -1 0 = nan", "powr 0 0 = nan", "powr -0 -0 = nan", "powr inf 0 = nan",
    "powr inf -0 = nan", "powr 1 inf = nan", "powr 1 -inf = nan", "powr 2 nan = nan",
    "powr 0 nan = nan", "powr 1 nan = nan", "powr nan 0 = nan", "powr nan 2 = nan",
    "powr inf 2 = inf", "powr inf -2 = 0", "powr 2 inf = inf", "powr 2 -inf = 0",
    "powr 0.5 inf = 0", "powr 0.5 -inf = inf", "powr 2 3 = -", "rootn 0 -3 = inf",
    "rootn -0 -3 = -inf", "rootn 0 -2 = inf", "rootn -0 -2 = inf", "rootn 0 2 = 0",
    "rootn -0 2 = 0", "rootn 0 3 = 0", "rootn -0 3 = -0", "rootn -1 2 = nan", "rootn -1 -2 = nan",
    "rootn 2 0 = nan", "rootn 0 0 = nan", "rootn nan 0 = nan", "rootn nan 3 = nan",
    "rootn inf 3 = inf", "rootn -inf 3 = -inf", "rootn -inf 2 = nan", "rootn inf -3 = 0",
    "rootn -inf -3 = -0", "rootn -8 3 = -", "rootn 8 -3 = -",
    /* functions of OpenCL alone, and arithmetic */
    "rsqrt 0 = inf", "rsqrt -0 = inf|-inf", "rsqrt inf = 0", "rsqrt -1 = nan", "rsqrt -inf = nan",
    "rsqrt 4 = -", "sign 2 = 1", "sign -tiny = -1", "sign 0 = 0", "sign -0 = -0", "sign nan = 0",
    "sign inf = 1", "sign -inf = -1", "step 1 2 = 1", "step 2 1 = 0", "step 1 1 = 1",
    "step 0 -0 = 1", "step nan 1 = 1", "step 1 nan = 1", "step inf 1 = 0", "step -inf -max = 1",
    "degrees 0 = -", "degrees -0 = -", "degrees inf = inf", "degrees -inf = -inf", "radians 0 = -",
    "radians -0 = -", "radians inf = inf", "degrees 1 = -", "recip 0 = inf", "recip -0 = -inf",
    "recip inf = 0", "recip -inf = -0", "recip 2 = -", "divide 1 0 = inf", "divide -1 0 = -inf",
    "divide 1 -0 = -inf", "divide 0 0 = nan", "divide inf inf = nan", "divide 1 inf = 0",
    "divide -1 inf = -0", "divide 0 -3 = -0", "divide inf -3 = -inf", "divide 1 3 = -",
    "fadd inf -inf = nan", "fadd inf 1 = inf", "fadd nan 1 = nan", "fadd 1 2 = -",
    "fsub inf inf = nan", "fsub 1 inf = -inf", "fmul 0 inf = nan", "fmul inf -2 = -inf",
    "fmul -0 3 = -0", "fmul 2 3 = -", "fnegate 0 = -0", "fnegate -0 = 0", "fnegate inf = -inf",
    "fnegate nan = nan", "fnegate snan = nan|snan", "fnegate 1 = -", "frem 1 0 = *",
    "frem inf 1 = *", "frem 0 3 = 0|-0", "frem 5 3 = -", "frem 5 inf = -", "fmodulo 1 0 = *",
    "fmodulo 1 -inf = *", "fmodulo -0 3 = 0|-0", "fmodulo 1 inf = -", "sin snan = nan|snan",
    "exp nan = nan", "tgamma nan = nan", "lgamma snan = nan|snan", "logb nan = nan",
    "ldexp snan 1 = nan|snan"};

static const char *const vk_rows[] = {"sin 0 = -",
                                      "sin inf = *",
                                      "sin nan = *",
                                      "asin 1 = -",
                                      "asin 1.5 = *",
                                      "asin -1.5 = *",
                                      "acos 1.5 = *",
                                      "acos 1 = -",
                                      "acosh below1 = *",
                                      "acosh 1 = -",
                                      "acosh -2 = *",
                                      "atanh 1 = *",
                                      "atanh -1 = *",
                                      "atanh 2 = *",
                                      "atanh below1 = -",
                                      "atan2 0 0 = *",
                                      "atan2 -0 0 = *",
                                      "atan2 1 0 = -",
                                      "atan2 0 1 = -",
                                      "pow -1 2 = *",
                                      "pow 0 0 = *",
                                      "pow 0 -1 = *",
                                      "pow -0 2 = -",
                                      "pow 0 2 = -",
                                      "pow 2 3 = -",
                                      "log 0 = *",
                                      "log -1 = *",
                                      "log 1 = -",
                                      "log2 -0 = *",
                                      "sqrt -1 = *",
                                      "sqrt 0 = -",
                                      "sqrt 4 = -",
                                      "rsqrt 0 = *",
                                      "rsqrt -1 = *",
                                      "rsqrt 4 = -",
                                      "round 0.5 = 0|-0|1",
                                      "round -0.5 = 0|-0|-1",
                                      "round 1.5 = 1|2",
                                      "round 2.5 = 2|3",
                                      "round -1.5 = -1|-2",
                                      "round 1.25 = -",
                                      "rint 1.5 = -",
                                      "sign nan = *",
                                      "sign 0 = 0|-0",
                                      "sign -0 = 0|-0",
                                      "sign inf = 1",
                                      "sign -2 = -1",
                                      "step 1 nan = *",
                                      "step 2 1 = 0",
                                      "step 1 inf = 1",
                                      "fmin nan 1 = *",
                                      "fmax 0 -0 = 0|-0",
                                      "fmax 1 inf = inf",
                                      "exp nan = *",
                                      "exp inf = *",
                                      "exp 1 = -",
                                      "exp 0 = -",
                                      "floor nan = *",
                                      "divide 1 0 = inf",
                                      "divide 0 0 = nan",
                                      "fadd inf -inf = nan",
                                      "fabs -0 = 0",
                                      "fnegate inf = -inf",
                                      "ldexp 1 1 = -",
                                      "tan 1 = -",
                                      "fract 1 = -",
                                      "frem 1 0 = *"};

/* --- reading the rows --- */

static uint64_t power_of_two(const struct float_format *f, int exponent)
{
    return (uint64_t)(exponent + f->emax) << (f->prec_bits - 1);
}

/* Numbers in the rows have few bits: sign, integer or quarters below 2^11. */
static uint64_t number_of(const struct float_format *f, const char *word)
{
    double const value = strtod(word, NULL);
    long quarters = (long)(value * 4);
    int exponent = 0;
    assert_true(quarters > 0 && quarters < 4096);
    while (quarters >> (exponent + 1) != 0) {
        exponent++;
    }
    uint64_t const frac = (uint64_t)quarters << (f->prec_bits - 1) >> exponent;
    return power_of_two(f, exponent - 2) | (frac & f->frac);
}

static uint64_t enc_of(const struct float_format *f, const char *word)
{
    uint64_t const sign = word[0] == '-' ? f->sign : 0;
    static const char *const names[] = {"inf", "nan", "snan", "max", "min", "tiny", "0", "below1"};
    uint64_t const encs[] = {f->exp, f->exp | f->quiet,     f->exp | 1, f->exp - 1, f->frac + 1, 1,
                             0,      power_of_two(f, 0) - 1};
    word += sign != 0;
    for (size_t i = 0; i < ARRAY_N(names); i++) {
        if (strcmp(word, names[i]) == 0) {
            return sign | encs[i];
        }
    }
    return sign | number_of(f, word);
}

struct line {
    char text[96];
    char *word[8];
    unsigned n;
};

static void split(struct line *l, const char *row, const char *between)
{
    l->n = 0;
    (void)snprintf(l->text, sizeof(l->text), "%s", row);
    for (char *w = strtok(l->text, between); w; w = strtok(NULL, between)) {
        assert_true(l->n < ARRAY_N(l->word));
        l->word[l->n++] = w;
    }
}

/* 1 if the row holds in this format. */
static int holds(const char *row, enum env env, enum fmt_id fmt)
{
    struct float_format const *f = &float_formats[fmt];
    struct line l, results;
    split(&l, row, " ");
    int const id = func_find(l.word[0]);
    assert_true(id >= 0);
    struct func_row const *r = &func_rows[id];
    assert_int_equal(l.n, 1 + r->n_args + (unsigned)r->has_int + 2);
    struct func_args a = {.fmt = fmt};
    for (unsigned i = 0; i < r->n_args; i++) {
        a.enc[i] = enc_of(f, l.word[1 + i]);
    }
    if (r->has_int) {
        a.n = (int32_t)strtol(l.word[1 + r->n_args], NULL, 10);
    }
    struct set got, want;
    char text[32];
    int const is_special = func_get_special((enum func_id)id, env, &a, &got);
    (void)snprintf(text, sizeof(text), "%s", l.word[l.n - 1]);
    if (strcmp(text, "-") == 0) {
        return !is_special;
    }
    if (strcmp(text, "*") == 0) {
        return is_special && (got.flags & SET_ANY) != 0;
    }
    set_clear(&want, fmt);
    split(&results, text, "|");
    for (unsigned i = 0; i < results.n; i++) {
        set_add(&want, enc_of(f, results.word[i]));
    }
    return is_special && got.flags == want.flags && got.n == want.n &&
           memcmp(got.r, want.r, got.n * sizeof(got.r[0])) == 0;
}

static size_t check_rows(const char *const *rows, size_t n, enum env env)
{
    size_t bad = 0;
    for (size_t i = 0; i < n; i++) {
        for (int fmt = 0; fmt < FMT_N; fmt++) {
            if (!holds(rows[i], env, (enum fmt_id)fmt)) {
                print_error("%s: %s\n", float_formats[fmt].name, rows[i]);
                bad++;
            }
        }
    }
    return bad;
}

static void opencl_rows_hold(void **state)
{
    (void)state;
    COVERS(ARITH_CR);
    assert_true(ARRAY_N(cl_rows) > 400);
    assert_int_equal(check_rows(cl_rows, ARRAY_N(cl_rows), ENV_CL), 0);
}

static void vulkan_rows_hold(void **state)
{
    (void)state;
    assert_true(ARRAY_N(vk_rows) > 50);
    assert_int_equal(check_rows(vk_rows, ARRAY_N(vk_rows), ENV_VK), 0);
}

/* GLSL.std.450 Ldexp: undefined where the product cannot be represented, or exp is above 128 in f32,
 * 1024 in f64 and 16 in f16, whatever the product. */
static void scales_too_large(void **state)
{
    static const int32_t most[FMT_N] = {[FMT_F16] = 16, [FMT_F32] = 128, [FMT_F64] = 1024};
    static const uint64_t ones[FMT_N] = {
        [FMT_F16] = 0x3c00, [FMT_F32] = 0x3f800000, [FMT_F64] = 0x3ff0000000000000};
    (void)state;
    for (int fmt = 0; fmt < FMT_N; fmt++) {
        const struct {
            uint64_t enc;
            int32_t n;
            int is_any;
        } cases[] = {
            {ones[fmt], most[fmt] - 1, 0},
            {ones[fmt], most[fmt],     1},
            {1,         most[fmt],     0}, /* the smallest subnormal */
            {1,         most[fmt] + 1, 1},
            {0,         most[fmt],     0},
            {0,         most[fmt] + 1, 1},
            {ones[fmt], -most[fmt],    0},
        };
        for (size_t i = 0; i < ARRAY_N(cases); i++) {
            struct func_args const a = {
                .fmt = (enum fmt_id)fmt, .enc = {cases[i].enc}, .n = cases[i].n};
            struct set s;
            int const is_special = func_get_special(FUNC_LDEXP, ENV_VK, &a, &s);
            assert_int_equal(is_special && (s.flags & SET_ANY) != 0, cases[i].is_any);
        }
    }
}

/* The check notices wrong rows. */
static void wrong_rows_fail(void **state)
{
    static const char *const wrong[] = {"sin -0 = 0",     "pow 1 nan = nan", "tanpi 1.5 = inf",
                                        "rootn 0 2 = -0", "fmax nan 3 = -",  "sin 1 = 1",
                                        "frem 1 0 = nan"};
    (void)state;
    for (size_t i = 0; i < ARRAY_N(wrong); i++) {
        assert_false(holds(wrong[i], ENV_CL, FMT_F32));
    }
}

/* Each function has a row for OpenCL, and so has its NaN. */
static void no_function_is_left_out(void **state)
{
    (void)state;
    size_t n = 0;
    for (int id = 0; id < FUNC_N; id++) {
        size_t const length = strlen(func_rows[id].name);
        int found = 0;
        for (size_t i = 0; i < ARRAY_N(cl_rows); i++) {
            found = found || (strncmp(cl_rows[i], func_rows[id].name, length) == 0 &&
                              cl_rows[i][length] == ' ');
        }
        assert_true(found);
        struct func_args a = {.fmt = FMT_F32, .n = 1};
        a.enc[0] = a.enc[1] = a.enc[2] = 0x7fc00000;
        struct set s;
        assert_true(func_get_special((enum func_id)id, ENV_CL, &a, &s));
        n += (s.flags & SET_QNAN) != 0;
    }
    assert_int_equal(n, FUNC_N - 2); /* sign(NaN) is 0, step(NaN, NaN) 1 */
}

/* No prescribed value has an allowance, flushing aside. */
static void bounds_do_not_widen_them(void **state)
{
    static const struct {
        const char *name;
        uint32_t x, want;
    } rows[] = {
        {"sin",    0x80000000, 0x80000000},
        {"exp",    0,          0x3f800000},
        {"log",    0x3f800000, 0         },
        {"ceil",   0xbf000000, 0x80000000},
        {"cospi",  0x3f000000, 0         },
        {"tanh",   0xff800000, 0xbf800000},
        {"lgamma", 0x40000000, 0         },
        {"rint",   0xbf000000, 0x80000000},
    };
    struct func_bound const b = {.ulp = 8192};
    struct fp_rules const r = {.flush_in = FLUSH_MAY, .flush_out = FLUSH_MAY};
    (void)state;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct func_args a = {.fmt = FMT_F32};
        a.enc[0] = rows[i].x;
        struct set s;
        assert_true(func_permitted((enum func_id)func_find(rows[i].name), ENV_CL, &a, &b, &r, &s));
        assert_int_equal(set_count(&s), 1);
        assert_true(set_has(&s, rows[i].want));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opencl_rows_hold),        cmocka_unit_test(vulkan_rows_hold),
        cmocka_unit_test(scales_too_large),        cmocka_unit_test(wrong_rows_fail),
        cmocka_unit_test(no_function_is_left_out), cmocka_unit_test(bounds_do_not_widen_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
