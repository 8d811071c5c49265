/* gen/plan/operand.h -- puts values: constants, loaded inputs, arithmetic, earlier results. Each function may append
 * instructions to b->flow.block. */
#pragma once

#include "gen/inputs/inputs.h"
#include "gen/plan/build.h"

struct ir_inst *operand_i32(struct build *b, uint32_t v);
/* op on x and y (NULL: none), of that type. */
struct ir_inst *operand_plain(struct build *b, uint32_t op, enum ir_type type, struct ir_inst *x,
                              struct ir_inst *y);
/* A small whole number of that type, and the sum of two numbers of one type, which counts as built. */
struct ir_inst *operand_number(struct build *b, enum ir_type type, uint32_t v);
struct ir_inst *operand_sum(struct build *b, struct ir_inst *x, struct ir_inst *y);
/* test ? x : y. */
struct ir_inst *operand_select(struct build *b, struct ir_inst *test, struct ir_inst *x,
                               struct ir_inst *y);
/* x op y on 32-bit integers. */
struct ir_inst *operand_int(struct build *b, uint32_t op, struct ir_inst *x, struct ir_inst *y);
/* The same with the number y. */
struct ir_inst *operand_by(struct build *b, uint32_t op, struct ir_inst *x, uint32_t y);
/* Component c of a vector, and a vector of n parts (of one the part itself). */
struct ir_inst *operand_part(struct build *b, struct ir_inst *vector, uint32_t c);
struct ir_inst *operand_vector(struct build *b, uint32_t n, struct ir_inst *const *part);
/* OpVectorShuffle: a vector of the n components of x and y at these places. */
struct ir_inst *operand_shuffle(struct build *b, struct ir_inst *x, struct ir_inst *y,
                                const uint32_t *places, uint32_t n);
/* Decision number `at` of t is the seed of that: say so to whoever asks. */
void operand_note_input(const struct tape *t, unsigned at, const struct input *what);
/* Fresh rows of inputs, loaded for this invocation (and iteration, if `varies`). */
struct ir_inst *operand_load(struct build *b, const struct input *what, bool varies);
/* The same as an integer. */
struct ir_inst *operand_load_bits(struct build *b, const struct input *what, bool varies);
/* The first number of a fresh row: the same for all. */
struct ir_inst *operand_load_uniform(struct build *b, const struct input *what);
/* One number, the same for all, from push constants, or where there are none of its width from constant memory; NULL:
 * from neither. */
struct ir_inst *operand_load_pushed(struct build *b, const struct input *what);
/* An i32 of random bits, loaded in either way. */
struct ir_inst *operand_random(struct build *b, uint64_t seed, bool varies);
struct ir_inst *operand_random_uniform(struct build *b, uint64_t seed);
/* Reinterpret as type t of the same width. */
struct ir_inst *operand_cast(struct build *b, struct ir_inst *v, enum ir_type t);
/* What a node of the tape says, of float type t. */
struct ir_inst *operand_float(struct build *b, struct tape *t, enum ir_type type,
                              enum input_use use);
/* What one decision says: a constant or a fresh input, never computed. */
struct ir_inst *operand_plain_float(struct build *b, uint64_t choice, enum ir_type type,
                                    enum input_use use);
struct ir_inst *operand_integer(struct build *b, struct tape *t, enum ir_type type,
                                enum input_use use);
/* The same, and computed: at least one instruction. depth: of operands in operands. */
struct ir_inst *operand_computed(struct build *b, struct tape *t, enum ir_type type, int depth);
/* To which integer a float is converted. */
enum whole {
    WHOLE_SIGNED,
    WHOLE_UNSIGNED,
    WHOLE_BOTH /* one that either conversion takes */
};
/* Bits of the largest number of such an integer of 32 bits. */
static inline unsigned operand_whole_bits(enum whole to)
{
    return to == WHOLE_UNSIGNED ? 32 : 31;
}
/* A float of that type that is in the range of an integer whose largest number has n_bits bits, whatever `bits` are: those
 * bits, mostly without their sign where the integer has none, if that is in range; else a number that `choice` picks. `bits` is an
 * integer that was loaded: unlike the bits of a computed float, which may be undefined and then others for
 * each use, it is one value. No rule of NaN, flushing or the sign of zero has a say. */
struct ir_inst *operand_fit(struct build *b, struct ir_inst *bits, enum ir_type type, enum whole to,
                            unsigned n_bits, uint64_t choice);
/* The same for an encoding that is known here, and an integer of 32 bits. */
uint64_t operand_fit_number(enum ir_type type, uint64_t enc, enum whole to, uint64_t choice);
/* v, which is in range, times a number between -1 and 1: in range as well, however it is rounded. */
struct ir_inst *operand_scale_down(struct build *b, struct ir_inst *v, enum whole to,
                                   uint64_t choice);
/* Store to a slot of its own per invocation and iteration. */
void operand_probe(struct build *b, struct ir_inst *v);
/* Probe it, unless it is a constant, loaded or probed already. */
void operand_probe_unless_known(struct build *b, struct ir_inst *v);
void operand_remember(struct build *b, struct ir_inst *v, enum value_origin origin, bool is_probed);
/* The value in scope of that type that `choice` lands on, or NULL. */
struct ir_inst *operand_find(const struct build *b, enum ir_type type, uint64_t choice,
                             enum value_origin *origin);
/* May a value for that use be computed? Where contraction is permitted, what a computed value was is
 * not known from its probe. */
bool operand_may_compute(const struct build *b, enum input_use use);
/* One of the float types that the case may use. */
enum ir_type operand_pick_type(const struct build *b, uint64_t choice);
