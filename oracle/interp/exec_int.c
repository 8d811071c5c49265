/* oracle/interp/exec_int.c -- the interpreter's integer, logical, bit and composite instructions. */
#include "oracle/interp/exec_int.h"

#include <string.h>

#include "base/integer.h"
#include "oracle/interp/exec_memory.h"
#include "oracle/interp/module.h"
#include "oracle/tables/tables.h"

static uint64_t mask_of(unsigned n_bits)
{
    return n_bits >= 64 ? UINT64_MAX : (UINT64_C(1) << n_bits) - 1;
}

static const struct mod_type *value_type(const struct exec *x, uint32_t id)
{
    return &x->m->ids[x->m->ids[id].type].t;
}

/* Operand id of word i, with at least one register; 0 if there is none. */
static uint32_t operand(const struct exec *x, const struct mod_inst *in, uint32_t i)
{
    uint32_t const id = module_get_operand(x->m, in, i);
    return x->m->ids[id].n_slots ? id : 0;
}

/* Is the behaviour of the integer instruction defined for these operands, as far as they are known? Otherwise the
 * run stops. In strict mode the answer is always yes, because oracle/vouch checks for undefined behaviour itself.
 * Clause: SPIR-V specification, OpUDiv, OpSDiv, OpUMod, OpSRem and OpSMod: "behavior is undefined" if the divisor
 * is 0, and for signed operands if the divisor is -1 and the dividend the least number; NoSignedWrap and
 * NoUnsignedWrap: likewise if a decorated instruction wraps. */
static bool has_behaviour(struct exec *x, const struct mod_inst *in, unsigned n_bits,
                          const uint64_t arg[INTEGER_MAX_ARGS], const bool is_known[2])
{
    bool const is_unsigned = in->op == SpvOpUDiv || in->op == SpvOpUMod;
    bool const is_division =
        is_unsigned || in->op == SpvOpSDiv || in->op == SpvOpSRem || in->op == SpvOpSMod;
    uint32_t const flags = x->m->ids[in->result].flags;
    bool const are_known = is_known[0] && is_known[1];
    if (x->is_strict) {
        return true;
    }
    uint64_t const minus_one = mask_of(n_bits), least = UINT64_C(1) << (n_bits - 1);
    bool const divides_by_zero = is_known[1] && arg[1] == 0;
    bool const overflows = !is_unsigned && are_known && arg[1] == minus_one && arg[0] == least;
    if (is_division && (divides_by_zero || overflows)) {
        return exec_stop_undefined(x, UNDEFINED_DIVISION) != 0; /* always false */
    }
    bool const wraps_signed =
        (flags & ID_NO_SIGNED_WRAP) && are_known && integer_wraps(in->op, true, n_bits, arg);
    bool const wraps_unsigned =
        (flags & ID_NO_UNSIGNED_WRAP) && are_known && integer_wraps(in->op, false, n_bits, arg);
    if (wraps_signed || wraps_unsigned) {
        return exec_stop_undefined(x, UNDEFINED_WRAP) != 0;
    }
    return true;
}

/* Of how a pointer and another compare: pointers into one object by their offsets, those into different ones are only unequal,
 * and only where neither is to behind the last byte, where another object may begin. */
static int run_addresses(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    bool const is_equality = in->op == SpvOpIEqual || in->op == SpvOpINotEqual;
    uint64_t bits[2], given[2];
    struct location p[2];
    bool is_inside = true;
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t const id = operand(x, in, MOD_OPERAND + i);
        if (!id || x->m->ids[id].n_slots != 1 || value_type(x, id)->bits != 64 ||
            !exec_known(x, *exec_reg(x, inv, id), &bits[i])) {
            return exec_stop(x, "a comparison of addresses that are not determined");
        }
        p[i] = location_unpack(bits[i]);
        is_inside &= p[i].space == SPACE_NONE || p[i].offset < exec_get_extent(x, p[i]);
    }
    bool const is_one = p[0].space == p[1].space && p[0].object == p[1].object;
    bool const is_of_bytes = p[0].space == SPACE_BUFFER || p[0].space == SPACE_WORKGROUP;
    if (is_one ? !is_equality && !is_of_bytes : !is_equality || !is_inside) {
        return exec_stop(x, "a comparison of pointers to different memory");
    }
    uint64_t const arg[INTEGER_MAX_ARGS] = {bits[0], bits[1]};
    (void)integer_apply(in->op, 64, x->m->ids[in->type].t.bits, arg, given);
    *exec_reg(x, inv, in->result) = (struct val){.bits = given[0]};
    return 1;
}

static bool is_address(const struct exec *x, const struct mod_inst *in, uint32_t word)
{
    const struct mod_inst *const by =
        module_get_definition(x->m, module_get_operand(x->m, in, word));
    return by && by->op == SpvOpConvertPtrToU;
}

/* Executes a binary instruction on integers, component by component. A component becomes an unknown value where an
 * operand is unknown or the instruction defines no result. Returns 0 with x->stop set where the operands do not
 * fit the result (an invalid module) or the behaviour is undefined. */
int exec_binary(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    uint32_t const ia = operand(x, in, MOD_OPERAND), ib = operand(x, in, MOD_OPERAND + 1);
    uint32_t const n = x->m->ids[in->result].n_slots;
    if (!ia || !ib || x->m->ids[ia].n_slots != n || x->m->ids[ib].n_slots != n) {
        return exec_stop(x, "an integer instruction without operands");
    }
    if (x->m->has_addresses &&
        (is_address(x, in, MOD_OPERAND) || is_address(x, in, MOD_OPERAND + 1))) {
        return run_addresses(x, inv, in);
    }
    struct val *out = exec_reg(x, inv, in->result);
    unsigned const n_bits = value_type(x, ia)->bits;
    unsigned const out_bits = x->m->ids[in->type].t.bits;
    for (uint32_t c = 0; c < n; c++) {
        uint64_t arg[INTEGER_MAX_ARGS] = {0}, given[2];
        bool const is_known[2] = {exec_known(x, exec_reg(x, inv, ia)[c], &arg[0]) != 0,
                                  exec_known(x, exec_reg(x, inv, ib)[c], &arg[1]) != 0};
        if (!has_behaviour(x, in, n_bits, arg, is_known)) {
            return 0;
        }
        if (is_known[0] && is_known[1] &&
            integer_apply(in->op, n_bits, out_bits, arg, given) == INTEGER_GIVES) {
            out[c] = (struct val){.bits = given[0]};
        } else {
            out[c] = exec_new_abstract(x);
        }
    }
    return x->stop == NULL;
}

static void put_number(struct exec *x, struct val *out, bool is_known, uint64_t bits)
{
    if (is_known) {
        *out = (struct val){.bits = bits};
    } else {
        *out = exec_new_abstract(x);
    }
}

/* Is it a remainder of a negative operand, of which Vulkan gives no value without maintenance8? Clause: Vulkan
 * specification, Precision and Operation of SPIR-V Instructions: of OpSRem and OpSMod "if either operand is negative the
 * result is undefined". */
static bool is_left_remainder(const struct exec *x, uint32_t op, unsigned n_bits,
                              const uint64_t arg[2])
{
    bool const is_remainder = op == SpvOpSRem || op == SpvOpSMod;
    return x->leaves_remainders && is_remainder && n_bits > 0 &&
           ((arg[0] | arg[1]) >> (n_bits - 1) & 1);
}

/* Executes an instruction of integer.def that is not binary: a function of an extended set, a bit field operation,
 * or one that returns a struct of two. An operand of one component applies to all components of the result. */
int exec_number(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    enum {
        EXTENDED_WORDS = 2 /* set and number, before the operands */
    };
    uint32_t const first = MOD_OPERAND + (in->op >> 16 ? EXTENDED_WORDS : 0);
    uint32_t const n_args = in->n > first ? in->n - first : 0;
    bool const is_pair = integer_gives_pair(in->op);
    uint32_t const n = x->m->ids[in->result].n_slots / (is_pair ? 2 : 1);
    if (n_args == 0 || n_args > INTEGER_MAX_ARGS || n == 0) {
        return exec_stop(x, "an integer instruction without operands");
    }
    unsigned const n_bits = value_type(x, in->w[first] < x->m->n_ids ? in->w[first] : 0)->bits;
    unsigned const out_bits = is_pair ? n_bits : x->m->ids[in->type].t.bits;
    struct val *out = exec_reg(x, inv, in->result);
    for (uint32_t c = 0; c < n; c++) {
        uint64_t arg[INTEGER_MAX_ARGS] = {0}, given[2];
        bool is_known = true, are_known[2] = {true, true};
        for (uint32_t k = 0; k < n_args; k++) {
            uint32_t const id = operand(x, in, first + k);
            uint32_t const n_slots = x->m->ids[id].n_slots;
            if (!id || (n_slots != n && n_slots != 1)) {
                return exec_stop(x, "an integer instruction of other operands");
            }
            bool const is_one_known =
                exec_known(x, exec_reg(x, inv, id)[n_slots == 1 ? 0 : c], &arg[k]) != 0;
            is_known &= is_one_known;
            /* has_behaviour asks about two: all after the first count as one */
            are_known[k < 2 ? k : 1] &= is_one_known;
        }
        if (!has_behaviour(x, in, n_bits, arg, are_known)) {
            return 0;
        }
        /* what the specification leaves undefined is unknown, as if an operand were */
        is_known &= !is_left_remainder(x, in->op, n_bits, arg) &&
                    integer_apply(in->op, n_bits, out_bits, arg, given) == INTEGER_GIVES;
        put_number(x, &out[c], is_known, given[0]);
        if (is_pair) {
            put_number(x, &out[n + c], is_known, given[1]);
        }
    }
    return x->stop == NULL;
}

/* A conversion between integers that takes the nearest number where it is out of range, as its opcode or a decoration says;
 * false: it is none. */
static bool saturate(const struct exec *x, const struct mod_inst *in, unsigned n_bits, uint64_t v,
                     uint64_t *out)
{
    bool const is_decorated = (in->op == SpvOpUConvert || in->op == SpvOpSConvert) &&
                              (x->m->ids[in->result].flags & ID_SATURATED);
    bool const is_from_signed = in->op == SpvOpSatConvertSToU || in->op == SpvOpSConvert;
    bool const is_to_signed = in->op == SpvOpSatConvertUToS || in->op == SpvOpSConvert;
    if (!is_decorated && in->op != SpvOpSatConvertSToU && in->op != SpvOpSatConvertUToS) {
        return false;
    }
    *out = integer_saturate(v, is_from_signed, n_bits, is_to_signed, x->m->ids[in->type].t.bits);
    return true;
}

/* Executes a conversion between integers, or a negation of an integer or bool, component by
 * component. The result is unknown where the operand is. */
static int run_unary(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    uint32_t const ia = operand(x, in, MOD_OPERAND);
    uint32_t const n = x->m->ids[in->result].n_slots;
    if (!ia || x->m->ids[ia].n_slots != n) {
        return exec_stop(x, "an integer instruction without an operand");
    }
    struct val *out = exec_reg(x, inv, in->result);
    unsigned const n_bits = value_type(x, ia)->bits;
    unsigned const out_bits = x->m->ids[in->type].t.bits;
    for (uint32_t c = 0; c < n; c++) {
        uint64_t arg[INTEGER_MAX_ARGS] = {0}, given[2];
        if (!exec_known(x, exec_reg(x, inv, ia)[c], &arg[0])) {
            out[c] = exec_new_abstract(x);
            continue;
        }
        /* the second operand, which does not exist, counts as a known 0 */
        if (!has_behaviour(x, in, n_bits, arg, (bool[2]){true, true})) {
            return 0;
        }
        if (!saturate(x, in, n_bits, arg[0], &given[0])) {
            /* has a result for any operand */
            (void)integer_apply(in->op, n_bits, out_bits, arg, given);
        }
        out[c] = (struct val){.bits = given[0]};
    }
    return x->stop == NULL;
}

/* Copies n_bits bits (at most 64), as a number, to or from bit `at` of a row of words. */
static uint64_t get_bits(const uint64_t *row, uint32_t at, unsigned n_bits)
{
    return row[at / 64] >> at % 64 & mask_of(n_bits);
}

static void put_bits(uint64_t *row, uint32_t at, uint64_t bits)
{
    row[at / 64] |= bits << at % 64;
}

/* Copies the bits of the operand to the result. Between equal shapes each component is copied, known or not.
 * Between other shapes (a scalar and its halves, say; the first component has the lowest bits) all components must
 * be known; otherwise the run stops, or in strict mode the result is unknown. */
static int run_bitcast(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                       uint32_t word)
{
    uint32_t const ia = operand(x, in, word);
    if (!ia) {
        return exec_stop(x, "a bitcast without an operand");
    }
    const struct val *from = exec_reg(x, inv, ia);
    struct val *out = exec_reg(x, inv, in->result);
    uint32_t const n_from = x->m->ids[ia].n_slots, n_to = x->m->ids[in->result].n_slots;
    unsigned const from_bits = value_type(x, ia)->bits, to_bits = x->m->ids[in->type].t.bits;
    if (n_from == n_to && from_bits == to_bits) {
        for (uint32_t c = 0; c < n_to; c++) {
            out[c] = from[c];
        }
        return 1;
    }
    uint64_t whole[MOD_MAX_COMPONENTS] = {0};
    bool is_known = true;
    if (from_bits < 8 || to_bits < 8 || n_from > MOD_MAX_COMPONENTS || n_to > MOD_MAX_COMPONENTS ||
        to_bits * n_to != from_bits * n_from) {
        return exec_stop(x, "a bitcast between other numbers of bits");
    }
    for (uint32_t c = 0; c < n_from; c++) {
        uint64_t bits;
        is_known = exec_known(x, from[c], &bits) && is_known;
        put_bits(whole, c * from_bits, bits);
    }
    if (!is_known && !x->is_strict) {
        return exec_stop(x, "a bitcast of a value that is not determined");
    }
    for (uint32_t c = 0; c < n_to; c++) {
        struct val const part = {.bits = get_bits(whole, c * to_bits, to_bits)};
        out[c] = is_known ? part : exec_new_abstract(x);
    }
    return x->stop == NULL;
}

/* OpCopyLogical: the same numbers as a value of a type that is laid out in another way. */
static int run_copy(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    uint32_t const from = operand(x, in, MOD_OPERAND);
    uint32_t const n = x->m->ids[in->result].n_slots;
    if (!from || x->m->ids[from].n_slots != n) {
        return exec_stop(x, "a copy of another shape");
    }
    memmove(exec_reg(x, inv, in->result), exec_reg(x, inv, from), sizeof(struct val) * n);
    return 1;
}

/* OpGenericCastToPtr: a pointer to memory of the kind that its type names. That of another kind is no pointer. Clause: SPIR-V
 * specification, OpGenericCastToPtr. */
static int check_generic(struct exec *x, const struct invocation *inv, const struct mod_inst *in)
{
    uint32_t const id = operand(x, in, MOD_OPERAND);
    uint64_t bits;
    if (!id || !exec_known(x, *exec_reg(x, inv, id), &bits)) {
        return 1; /* no access by it is possible */
    }
    enum space const space = location_unpack(bits).space;
    switch (x->m->ids[in->type].t.storage) {
    case SpvStorageClassCrossWorkgroup:
        return space == SPACE_BUFFER ||
               exec_stop(x, "a generic pointer that is cast to another kind");
    case SpvStorageClassWorkgroup:
        return space == SPACE_WORKGROUP ||
               exec_stop(x, "a generic pointer that is cast to another kind");
    default:
        return space == SPACE_FUNCTION ||
               exec_stop(x, "a generic pointer that is cast to another kind");
    }
}

enum {
    EXTENDED_OPERAND = MOD_OPERAND + 2 /* word of the first operand of an OpExtInst */
};

/* shuffle and shuffle2 of OpenCL.std: components that a mask chooses, of which the low bits count. Clause: OpenCL Extended
 * Instruction Set Specification, shuffle and shuffle2: "only the ilogb(2m-1) least significant bits of each mask element are
 * considered". */
static int run_shuffle_by(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    bool const has_two = in->op == MOD_SHUFFLE2;
    uint32_t const a = operand(x, in, EXTENDED_OPERAND);
    uint32_t const b = has_two ? operand(x, in, EXTENDED_OPERAND + 1) : a;
    uint32_t const mask = operand(x, in, EXTENDED_OPERAND + (has_two ? 2 : 1));
    uint32_t const n = x->m->ids[in->result].n_slots, n_a = x->m->ids[a].n_slots;
    bool const is_power = n_a == 2 || n_a == 4 || n_a == 8 || n_a == 16;
    if (!a || !b || !mask || !is_power || x->m->ids[b].type != x->m->ids[a].type ||
        x->m->ids[mask].n_slots != n || value_type(x, a)->elem != x->m->ids[in->type].t.elem) {
        return exec_stop(x, "a shuffle that is not interpreted");
    }
    struct val *const out = exec_reg(x, inv, in->result);
    for (uint32_t c = 0; c < n; c++) {
        uint64_t bits;
        if (!exec_known(x, exec_reg(x, inv, mask)[c], &bits)) {
            out[c] = exec_new_abstract(x);
            continue;
        }
        uint32_t const k = (uint32_t)bits & (n_a * (has_two ? 2 : 1) - 1);
        out[c] = exec_reg(x, inv, k < n_a ? a : b)[k % n_a];
    }
    return x->stop == NULL;
}

/* bitselect and select of OpenCL.std: each bit of b where that of the mask is set, else that of a; and all of b where the
 * mask is not 0, of vectors where its highest bit is set. Clause: OpenCL Extended Instruction Set Specification, bitselect
 * and select. */
static int run_choice(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    uint32_t const a = operand(x, in, EXTENDED_OPERAND), b = operand(x, in, EXTENDED_OPERAND + 1);
    uint32_t const mask = operand(x, in, EXTENDED_OPERAND + 2);
    uint32_t const n = x->m->ids[in->result].n_slots;
    if (!mask || !exec_has_type(x, a, in->type) || !exec_has_type(x, b, in->type) ||
        x->m->ids[mask].n_slots != n || value_type(x, mask)->bits != x->m->ids[in->type].t.bits) {
        return exec_stop(x, "a selection that is not interpreted");
    }
    struct val *const out = exec_reg(x, inv, in->result);
    unsigned const n_bits = x->m->ids[in->type].t.bits;
    for (uint32_t c = 0; c < n; c++) {
        uint64_t by, of_a, of_b;
        bool const is_known = exec_known(x, exec_reg(x, inv, mask)[c], &by) != 0;
        bool const are_known = exec_known(x, exec_reg(x, inv, a)[c], &of_a) &&
                               exec_known(x, exec_reg(x, inv, b)[c], &of_b);
        if (in->op == MOD_SELECT && is_known) {
            bool const is_b = n == 1 ? by != 0 : by >> (n_bits - 1) & 1;
            out[c] = exec_reg(x, inv, is_b ? b : a)[c];
        } else {
            put_number(x, &out[c], in->op == MOD_BITSELECT && is_known && are_known,
                       is_known && are_known ? (of_a & ~by) | (of_b & by) : 0);
        }
    }
    return x->stop == NULL;
}

/* OpCompositeExtract: a part of a composite, by literal indices. */
static int run_extract(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    enum {
        FIRST_INDEX = MOD_OPERAND + 1 /* word */
    };
    uint32_t const from = operand(x, in, MOD_OPERAND);
    uint32_t type = from ? x->m->ids[from].type : 0, first = 0;
    for (uint32_t i = FIRST_INDEX; from && i < in->n; i++) {
        if (!module_step_to_part(x->m, in->w[i], &type, &first)) {
            return exec_stop(x, "an extraction that is not interpreted");
        }
    }
    uint32_t const n = x->m->ids[in->result].n_slots;
    if (!from || in->n <= FIRST_INDEX || type != in->type || first + n > x->m->ids[from].n_slots) {
        return exec_stop(x, "an extraction of another type");
    }
    for (uint32_t c = 0; c < n; c++) {
        exec_reg(x, inv, in->result)[c] = exec_reg(x, inv, from)[first + c];
    }
    return 1;
}

static int run_construct(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    struct val *out = exec_reg(x, inv, in->result);
    uint32_t const n = x->m->ids[in->result].n_slots;
    uint32_t at = 0;
    for (uint32_t i = MOD_OPERAND; i < in->n; i++) {
        uint32_t const part = operand(x, in, i);
        bool const is_vector = x->m->ids[in->type].t.kind == TK_VECTOR;
        if (part && is_vector && value_type(x, part)->bits != x->m->ids[in->type].t.bits) {
            return exec_stop(x, "a composite of parts of another width");
        }
        for (uint32_t c = 0; part && c < x->m->ids[part].n_slots && at < n; c++) {
            out[at++] = exec_reg(x, inv, part)[c];
        }
    }
    return at == n ? 1 : exec_stop(x, "a composite of too few parts");
}

/* Executes OpVectorShuffle: each component of the result is the one of the two vectors, numbered
 * consecutively, that a literal selects. The literal 0xffffffff gives an undefined component. */
static int run_shuffle(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    enum {
        FIRST_NUMBER = MOD_OPERAND + 2 /* word */
    };
    uint32_t const a = operand(x, in, MOD_OPERAND), b = operand(x, in, MOD_OPERAND + 1);
    uint32_t const n = x->m->ids[in->result].n_slots;
    if (!a || !b || in->n != FIRST_NUMBER + n ||
        value_type(x, a)->elem != x->m->ids[in->type].t.elem ||
        value_type(x, b)->elem != value_type(x, a)->elem) {
        return exec_stop(x, "a shuffle that is not interpreted");
    }
    struct val *out = exec_reg(x, inv, in->result);
    uint32_t const n_a = x->m->ids[a].n_slots, n_b = x->m->ids[b].n_slots;
    for (uint32_t c = 0; c < n; c++) {
        uint32_t const k = in->w[FIRST_NUMBER + c];
        if (k == UINT32_MAX) {
            out[c] = exec_new_abstract(x);
            continue;
        }
        if (k >= n_a + n_b) {
            return exec_stop(x, "a shuffle of a component that is not there");
        }
        out[c] = k < n_a ? exec_reg(x, inv, a)[k] : exec_reg(x, inv, b)[k - n_a];
    }
    return x->stop == NULL;
}

/* OpCompositeInsert: the composite with one part replaced, by literal indices. */
static int run_insert(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    enum {
        FIRST_INDEX = MOD_OPERAND + 2 /* word */
    };
    uint32_t const part = operand(x, in, MOD_OPERAND), whole = operand(x, in, MOD_OPERAND + 1);
    uint32_t type = in->type, first = 0;
    bool is_right = part && whole && in->n > FIRST_INDEX && exec_has_type(x, whole, in->type);
    for (uint32_t i = FIRST_INDEX; is_right && i < in->n; i++) {
        is_right = module_step_to_part(x->m, in->w[i], &type, &first);
    }
    uint32_t const n = x->m->ids[part].n_slots;
    if (!is_right || x->m->ids[part].type != type || first + n > x->m->ids[whole].n_slots) {
        return exec_stop(x, "an insertion that is not interpreted");
    }
    struct val *out = exec_reg(x, inv, in->result);
    for (uint32_t c = 0; c < x->m->ids[whole].n_slots; c++) {
        out[c] = exec_reg(x, inv, whole)[c];
    }
    for (uint32_t c = 0; c < n; c++) {
        out[first + c] = exec_reg(x, inv, part)[c];
    }
    return 1;
}

/* Puts the component that the scalar operand of word `word` selects of n into *at, or n if the operand is not known. S, OpVectorExtractDynamic
 * and OpVectorInsertDynamic: the behavior is undefined if the vector has no such component; then false. */
static bool find_component(struct exec *x, const struct invocation *inv, const struct mod_inst *in,
                           uint32_t word, uint32_t n, uint32_t *at)
{
    uint32_t const id = operand(x, in, word);
    uint64_t bits;
    bool const is_known = id && exec_known(x, *exec_reg(x, inv, id), &bits);
    *at = is_known && bits < n ? (uint32_t)bits : n;
    return !is_known || bits < n || exec_stop_undefined(x, UNDEFINED_COMPONENT) != 0;
}

/* OpVectorExtractDynamic: the component that is named, else unknown. */
static int run_extract_dynamic(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    uint32_t const from = operand(x, in, MOD_OPERAND);
    uint32_t const n = x->m->ids[from].n_slots;
    if (!from || value_type(x, from)->kind != TK_VECTOR || value_type(x, from)->elem != in->type) {
        return exec_stop(x, "an extraction that is not interpreted");
    }
    uint32_t at;
    if (!find_component(x, inv, in, MOD_OPERAND + 1, n, &at)) {
        return 0;
    }
    *exec_reg(x, inv, in->result) = at < n ? exec_reg(x, inv, from)[at] : exec_new_abstract(x);
    return x->stop == NULL;
}

/* OpVectorInsertDynamic: the vector with the named component replaced; where that is not known all of it is unknown. */
static int run_insert_dynamic(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    uint32_t const whole = operand(x, in, MOD_OPERAND), part = operand(x, in, MOD_OPERAND + 1);
    uint32_t const n = x->m->ids[in->result].n_slots;
    if (!whole || !part || !exec_has_type(x, whole, in->type) ||
        x->m->ids[part].type != x->m->ids[in->type].t.elem) {
        return exec_stop(x, "an insertion that is not interpreted");
    }
    struct val *out = exec_reg(x, inv, in->result);
    uint32_t at;
    if (!find_component(x, inv, in, MOD_OPERAND + 2, n, &at)) {
        return 0;
    }
    for (uint32_t c = 0; c < n; c++) {
        out[c] = at == n ? exec_new_abstract(x)
                         : exec_reg(x, inv, c == at ? part : whole)[c == at ? 0 : c];
    }
    return x->stop == NULL;
}

/* OpAny, OpAll: of a vector of bools; unknown where a component is. */
static int run_any_all(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    uint32_t const from = operand(x, in, MOD_OPERAND);
    uint64_t any = 0, all = 1;
    bool is_known = true;
    if (!from) {
        return exec_stop(x, "a vote of components without an operand");
    }
    for (uint32_t c = 0; c < x->m->ids[from].n_slots; c++) {
        uint64_t bits;
        is_known = exec_known(x, exec_reg(x, inv, from)[c], &bits) && is_known;
        any |= bits & 1;
        all &= bits & 1;
    }
    struct val const v = {.bits = in->op == SpvOpAny ? any : all};
    *exec_reg(x, inv, in->result) = is_known ? v : exec_new_abstract(x);
    return x->stop == NULL;
}

/* OpSelect between values that are not floats; float selects have a clause and go to the hook. The
 * condition is one for all components or one for each; where it is not known, neither is the result. */
static int run_select(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    uint32_t const cond = operand(x, in, MOD_OPERAND), a = operand(x, in, MOD_OPERAND + 1),
                   b = operand(x, in, MOD_OPERAND + 2);
    uint32_t const n = x->m->ids[in->result].n_slots;
    if (!cond || !exec_has_type(x, a, in->type) || !exec_has_type(x, b, in->type)) {
        return exec_stop(x, "a select without operands");
    }
    struct val *out = exec_reg(x, inv, in->result);
    for (uint32_t c = 0; c < n; c++) {
        uint64_t bits;
        uint32_t const at = x->m->ids[cond].n_slots == n ? c : 0;
        if (!exec_known(x, exec_reg(x, inv, cond)[at], &bits)) {
            out[c] = exec_new_abstract(x);
        } else {
            out[c] = exec_reg(x, inv, bits ? a : b)[c];
        }
    }
    return x->stop == NULL;
}

static int put_unknown(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    for (uint32_t c = 0; c < x->m->ids[in->result].n_slots; c++) {
        exec_reg(x, inv, in->result)[c] = exec_new_abstract(x);
    }
    return x->stop == NULL;
}

/* A half as a float; false: it is subnormal, which may be flushed, or a NaN. */
static bool widen_half(uint64_t half, uint64_t *out)
{
    uint64_t const sign = (half & 0x8000) << 16, exponent = half >> 10 & 31, rest = half & 1023;
    bool const is_zero = exponent == 0 && rest == 0, is_infinite = exponent == 31 && rest == 0;
    *out = sign | (is_zero       ? 0
                   : is_infinite ? 0x7f800000
                                 : (exponent + 127 - 15) << 23 | rest << 13);
    return is_zero || is_infinite || (exponent != 0 && exponent != 31);
}

/* A float as the half that is the same number; false: none is, or that is subnormal. */
static bool narrow_exactly(uint64_t bits, uint64_t *half)
{
    for (uint64_t sign = 0; sign <= 0x8000; sign += 0x8000) {
        uint64_t const exponent = bits >> 23 & 255;
        uint64_t back = 0;
        bool const is_normal = exponent > 127 - 15 && exponent < 127 + 16;
        uint64_t const rest = is_normal ? (exponent - (127 - 15)) << 10 | (bits >> 13 & 1023)
                              : exponent == 255 ? 31 << 10
                                                : 0;
        *half = sign | rest;
        if (widen_half(*half, &back) && back == bits) {
            return true;
        }
    }
    return false;
}

/* PackHalf2x16: two floats as halves in a word, the first one low. What has to be rounded is not judged: either way is right.
 * Clause: GLSL.std.450, PackHalf2x16; Vulkan specification, Precision of SPIR-V Instructions. */
static int run_pack_half(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    uint32_t const from = operand(x, in, EXTENDED_OPERAND);
    uint64_t word = 0;
    bool is_known = true;
    if (!from || x->m->ids[from].n_slots != 2 || x->m->ids[in->result].n_slots != 1) {
        return exec_stop(x, "a word of other halves");
    }
    for (uint32_t c = 0; c < 2; c++) {
        uint64_t bits = 0, half = 0;
        is_known &= exec_known(x, exec_reg(x, inv, from)[c], &bits) && narrow_exactly(bits, &half);
        word |= half << 16 * c;
    }
    put_number(x, exec_reg(x, inv, in->result), is_known, word);
    return x->stop == NULL;
}

/* UnpackHalf2x16: the halves of a word as floats. Clause: GLSL.std.450, UnpackHalf2x16. */
static int run_unpack_half(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    uint32_t const from = operand(x, in, EXTENDED_OPERAND);
    uint64_t word = 0;
    if (!from || x->m->ids[from].n_slots != 1 || x->m->ids[in->result].n_slots != 2) {
        return exec_stop(x, "halves of another word");
    }
    bool const is_known = exec_known(x, *exec_reg(x, inv, from), &word) != 0;
    for (uint32_t c = 0; c < 2; c++) {
        uint64_t bits = 0;
        bool const is_exact = widen_half(word >> 16 * c & 0xffff, &bits);
        put_number(x, &exec_reg(x, inv, in->result)[c], is_known && is_exact, bits);
    }
    return x->stop == NULL;
}

/* Executes an instruction on integers, bools, bits or composites. Returns 1 when done, 0 with
 * x->stop set, and -1 for an instruction on floats, which the caller passes to the hook. */
int exec_integer(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    switch (in->op) {
    case SpvOpUConvert:
    case SpvOpSConvert:
    case SpvOpSatConvertSToU:
    case SpvOpSatConvertUToS:
    case SpvOpNot:
    case SpvOpSNegate:
    case SpvOpLogicalNot:
        return run_unary(x, inv, in);
    case SpvOpConvertPtrToU:
    case SpvOpCopyLogical:
        return run_copy(x, inv, in);
    case SpvOpConstantNull: /* of a copy of zeros */
        memset(exec_reg(x, inv, in->result), 0, sizeof(struct val) * x->m->ids[in->result].n_slots);
        return 1;
    case SpvOpBitcast:
    case SpvOpCopyObject:
    case SpvOpConvertUToPtr: /* registers hold addresses as the memory location */
    case SpvOpPtrCastToGeneric:
        return run_bitcast(x, inv, in, MOD_OPERAND);
    case SpvOpGenericCastToPtr:
        return check_generic(x, inv, in) && run_bitcast(x, inv, in, MOD_OPERAND);
    case MOD_SHUFFLE:
    case MOD_SHUFFLE2:
        return run_shuffle_by(x, inv, in);
    case MOD_BITSELECT:
    case MOD_SELECT:
        return run_choice(x, inv, in);
    case MOD_PACK_HALF:
        return run_pack_half(x, inv, in);
    case MOD_UNPACK_HALF:
        return run_unpack_half(x, inv, in);
    case MOD_PACK_FIRST:
    case MOD_PACK_FIRST + 1:
    case MOD_PACK_FIRST + 2:
    case MOD_PACK_FIRST + 3:
    case MOD_UNPACK_FIRST:
    case MOD_UNPACK_FIRST + 1:
    case MOD_UNPACK_LAST - 1:
    case MOD_UNPACK_LAST: /* of fixed point: no table says how exact they are */
        return put_unknown(x, inv, in);
    case MOD_PACK_DOUBLE:
    case MOD_UNPACK_DOUBLE: /* extended: the operand comes after set and number */
        return run_bitcast(x, inv, in, MOD_OPERAND + 2);
    case SpvOpCompositeConstruct:
        return run_construct(x, inv, in);
    case SpvOpCompositeExtract:
        return run_extract(x, inv, in);
    case SpvOpCompositeInsert:
        return run_insert(x, inv, in);
    case SpvOpVectorShuffle:
        return run_shuffle(x, inv, in);
    case SpvOpVectorExtractDynamic:
        return run_extract_dynamic(x, inv, in);
    case SpvOpVectorInsertDynamic:
        return run_insert_dynamic(x, inv, in);
    case SpvOpAny:
    case SpvOpAll:
        return run_any_all(x, inv, in);
    case SpvOpSelect:
        return exec_is_float_type(x, in->type) ? -1 : run_select(x, inv, in);
    case SpvOpUndef:
        return put_unknown(x, inv, in);
    default:
        return -1;
    }
}
