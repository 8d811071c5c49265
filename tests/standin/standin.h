/* tests/standin/standin.h -- stand-ins for hardware instructions that GPU vendors' math libraries call, on the CPU.
 *
 * scripts/vendor_math.sh compiles standin.c into each library.so; the program does not contain it. The functions have
 * the names of operation.def, so that LLVM IR can call them. An f16 is the low 16 bits of an uint32_t.
 *
 * The variable HALFULP_STANDIN of the environment, read when the library is loaded, chooses the results:
 *   rounded  (default) f16 and f32: correctly rounded, ties to even; f64: rounded from long double
 *   low      the lowest value within the operation's bound
 *   high     the highest value within the operation's bound
 *   random   an error within the bound, a fixed function of operation and operand
 * A result that is exact stays as it is in all four. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* What an operation approximates. TURNS: sin(2 pi x), cos(2 pi x). */
enum standin_function {
    EXP2,
    LOG2,
    RCP,
    RSQRT,
    SQRT,
    SIN_TURNS,
    COS_TURNS,
    SIN,
    COS
};

#define F16(name)                                                  uint32_t name(uint32_t x);
#define F32(name)                                                  float name(float x);
#define F64(name)                                                  double name(double x);
#define OPERATION(name, type, function, subnormals, bound, source) type(name)
#include "tests/standin/operation.def"
#undef F16
#undef F32
#undef F64

/* x * y + z of f16, rounded once. */
uint32_t fma_f16(uint32_t x, uint32_t y, uint32_t z);

/* x rounded to f16, and the value of an f16. */
uint32_t from_f64_f16(double x);
double standin_widen_f16(uint32_t h);

/* AMD's V_TRIG_PREOP_F64: bits [53 * segment, 53 * segment + 53) of 2/pi behind the point, counted from where x's
 * exponent says when it is large, with their weight. */
double v_trig_preop_f64(double x, int32_t segment);

/* Flush f32 and f64 subnormals in this thread, and give back what standin_end_flush needs; for chips that flush f32. */
uint32_t standin_begin_flush(void);
void standin_end_flush(uint32_t saved);

/* Choose results as HALFULP_STANDIN does; false: there is no such word. Not while other threads compute. */
bool standin_choose(const char *word);
