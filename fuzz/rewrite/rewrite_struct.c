/* fuzz/rewrite/rewrite_struct.c -- wrong behaviours of structs in memory. */
#include "fuzz/rewrite/rewrite_struct.h"

#include <string.h>

#include "base/spv.h"

/* Words of an access chain, of a load, of a store, and where members stand in OpTypeStruct. */
enum {
    CHAIN_BASE = 3,
    CHAIN_FIRST,
    LOAD_POINTER = 3,
    STORE_POINTER = 1,
    STORE_OBJECT,
    FIRST_MEMBER = 2
};

/* The type of what an id gives; 0: it gives nothing. */
static uint32_t type_of(const struct rewriting *r, uint32_t id)
{
    uint32_t const at = id < r->words[REWRITE_BOUND] ? r->made_at[id] : 0;
    return at ? r->words[at + 1] : 0;
}

/* The constant of that type that is one more than this one; 0: there is none. */
static uint32_t find_next(const struct rewriting *r, uint32_t constant)
{
    uint32_t const type = rewrite_get_word(r, constant, SpvOpConstant, 1);
    uint32_t const number = rewrite_get_word(r, constant, SpvOpConstant, 3);
    uint32_t at = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (type && spv_next(r->words, r->n_words, &at, &in) && in.op != SpvOpFunction) {
        if (in.op == SpvOpConstant && in.n == 4 && in.w[1] == type && in.w[3] == number + 1) {
            return in.w[2];
        }
    }
    return 0;
}

/* An index of a chain that leads to a member, and that of the next one, which is of the same type. */
struct member_step {
    uint32_t chain; /* where the chain begins; 0: none */
    uint32_t word, next;
};

/* Find in the access chain that makes `pointer` the first index that selects a member of a struct whose next member
 * has the same type. The chain is followed index by index through the types, from the type that its base points to.
 * The result is all zero if there is no such index, or no constant for the next member's number. */
static struct member_step find_step(const struct rewriting *r, uint32_t pointer)
{
    uint32_t const op = rewrite_get_op(r, pointer);
    /* These have one more operand before the indices, which selects no member. */
    bool const has_element = op == SpvOpPtrAccessChain || op == SpvOpInBoundsPtrAccessChain;
    bool const is_chain = has_element || op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain;
    struct member_step out = {.chain = is_chain ? r->made_at[pointer] : 0};
    if (!is_chain) {
        return out;
    }
    const uint32_t *const w = r->words + out.chain;
    uint32_t type = rewrite_get_word(r, type_of(r, w[CHAIN_BASE]), SpvOpTypePointer, 3);
    for (uint32_t k = CHAIN_FIRST + has_element; k < w[0] >> SpvWordCountShift; k++) {
        uint32_t const member = FIRST_MEMBER + rewrite_get_word(r, w[k], SpvOpConstant, 3);
        uint32_t const kind = rewrite_get_op(r, type);
        if (kind != SpvOpTypeStruct) { /* of an array or a vector that word is the element's type */
            type = rewrite_get_word(r, type, kind, FIRST_MEMBER);
            continue;
        }
        uint32_t const member_type = rewrite_get_word(r, type, SpvOpTypeStruct, member);
        if (member_type && member_type == rewrite_get_word(r, type, SpvOpTypeStruct, member + 1)) {
            out.word = k;
            out.next = find_next(r, w[k]);
        }
        type = member_type;
        if (out.next || !type) {
            break;
        }
    }
    out.chain = out.next ? out.chain : 0;
    return out;
}

/* The struct that is stored as a whole, of several members; 0: none is. */
static uint32_t find_struct(const struct rewriting *r, const struct spv_inst *in)
{
    uint32_t const type = in->n > STORE_OBJECT ? type_of(r, in->w[STORE_OBJECT]) : 0;
    return rewrite_get_word(r, type, SpvOpTypeStruct, FIRST_MEMBER + 1) ? type : 0;
}

bool rewrite_is_struct_site(const struct rewriting *r, const struct spv_inst *in)
{
    return r->row->kind == CUT_STRUCT
               ? find_struct(r, in) != 0
               : in->n > LOAD_POINTER && find_step(r, in->w[LOAD_POINTER]).chain != 0;
}

/* The last member is what was there before. */
static void put_cut(struct rewriting *r, const struct spv_inst *in)
{
    uint32_t const type = find_struct(r, in);
    uint32_t const n = (r->words[r->made_at[type]] >> SpvWordCountShift) - FIRST_MEMBER;
    uint32_t const last = r->words[r->made_at[type] + FIRST_MEMBER + n - 1];
    uint32_t const was = r->bound++, member = r->bound++, whole = r->bound++;
    uint32_t const load[] = {type, was, in->w[STORE_POINTER]};
    uint32_t const extract[] = {last, member, was, n - 1};
    uint32_t const insert[] = {type, whole, member, in->w[STORE_OBJECT], n - 1};
    uint32_t const store[] = {in->w[STORE_POINTER], whole};
    spv_put(&r->out, SpvOpLoad, load, ARRAY_N(load));
    spv_put(&r->out, SpvOpCompositeExtract, extract, ARRAY_N(extract));
    spv_put(&r->out, SpvOpCompositeInsert, insert, ARRAY_N(insert));
    spv_put(&r->out, SpvOpStore, store, ARRAY_N(store));
}

void rewrite_put_struct_site(struct rewriting *r, const struct spv_inst *in)
{
    uint32_t chain[REWRITE_MAX_WORDS], load[REWRITE_MAX_WORDS];
    if (r->row->kind == CUT_STRUCT) {
        put_cut(r, in);
        return;
    }
    struct member_step const step = find_step(r, in->w[LOAD_POINTER]);
    uint32_t const n = r->words[step.chain] >> SpvWordCountShift;
    memcpy(load, in->w, sizeof *load * in->n);
    if (n <= REWRITE_MAX_WORDS) {
        memcpy(chain, r->words + step.chain, sizeof *chain * n);
        chain[2] = load[LOAD_POINTER] = r->bound++;
        chain[step.word] = step.next;
        spv_put(&r->out, chain[0] & SpvOpCodeMask, chain + 1, n - 1);
    }
    spv_put(&r->out, in->op, load + 1, in->n - 1);
}
