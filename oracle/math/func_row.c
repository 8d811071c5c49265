/* oracle/math/func_row.c -- the mathematical functions: their names and arguments. */
#include "oracle/math/func_row.h"

#include <string.h>

/* The rows' names are those of the identifiers in lower case; a test compares them. */
#define FUNC(id, n, integer, text) [FUNC_##id] = {NAME_##id, n, integer, text},
#define NAME_ACOS                  "acos"
#define NAME_ACOSH                 "acosh"
#define NAME_ACOSPI                "acospi"
#define NAME_ASIN                  "asin"
#define NAME_ASINH                 "asinh"
#define NAME_ASINPI                "asinpi"
#define NAME_ATAN                  "atan"
#define NAME_ATAN2                 "atan2"
#define NAME_ATANH                 "atanh"
#define NAME_ATANPI                "atanpi"
#define NAME_ATAN2PI               "atan2pi"
#define NAME_CBRT                  "cbrt"
#define NAME_CEIL                  "ceil"
#define NAME_COPYSIGN              "copysign"
#define NAME_COS                   "cos"
#define NAME_COSH                  "cosh"
#define NAME_COSPI                 "cospi"
#define NAME_ERFC                  "erfc"
#define NAME_ERF                   "erf"
#define NAME_EXP                   "exp"
#define NAME_EXP2                  "exp2"
#define NAME_EXP10                 "exp10"
#define NAME_EXPM1                 "expm1"
#define NAME_FABS                  "fabs"
#define NAME_FDIM                  "fdim"
#define NAME_FLOOR                 "floor"
#define NAME_FMA                   "fma"
#define NAME_FMAX                  "fmax"
#define NAME_FMIN                  "fmin"
#define NAME_FMOD                  "fmod"
#define NAME_FRACT                 "fract"
#define NAME_HYPOT                 "hypot"
#define NAME_LDEXP                 "ldexp"
#define NAME_LGAMMA                "lgamma"
#define NAME_LOG                   "log"
#define NAME_LOG2                  "log2"
#define NAME_LOG10                 "log10"
#define NAME_LOG1P                 "log1p"
#define NAME_LOGB                  "logb"
#define NAME_MAXMAG                "maxmag"
#define NAME_MINMAG                "minmag"
#define NAME_NEXTAFTER             "nextafter"
#define NAME_POW                   "pow"
#define NAME_POWN                  "pown"
#define NAME_POWR                  "powr"
#define NAME_REMAINDER             "remainder"
#define NAME_RINT                  "rint"
#define NAME_ROOTN                 "rootn"
#define NAME_ROUND                 "round"
#define NAME_RSQRT                 "rsqrt"
#define NAME_SIN                   "sin"
#define NAME_SINH                  "sinh"
#define NAME_SINPI                 "sinpi"
#define NAME_SQRT                  "sqrt"
#define NAME_TAN                   "tan"
#define NAME_TANH                  "tanh"
#define NAME_TANPI                 "tanpi"
#define NAME_TGAMMA                "tgamma"
#define NAME_TRUNC                 "trunc"
#define NAME_DEGREES               "degrees"
#define NAME_RADIANS               "radians"
#define NAME_SIGN                  "sign"
#define NAME_STEP                  "step"
#define NAME_RECIP                 "recip"
#define NAME_DIVIDE                "divide"
#define NAME_FADD                  "fadd"
#define NAME_FSUB                  "fsub"
#define NAME_FMUL                  "fmul"
#define NAME_FREM                  "frem"
#define NAME_FMODULO               "fmodulo"
#define NAME_FNEGATE               "fnegate"
const struct func_row func_rows[FUNC_N] = {
#include "oracle/math/func.def"
};

int func_find(const char *name)
{
    for (int i = 0; i < FUNC_N; i++) {
        if (strcmp(func_rows[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}
