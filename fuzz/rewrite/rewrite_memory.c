/* fuzz/rewrite/rewrite_memory.c -- wrong behaviours of memory and of order around barriers. */
#define SPV_ENABLE_UTILITY_CODE
#include "fuzz/rewrite/rewrite_memory.h"

#include <string.h>

#include "base/spv.h"

/* Words of an access chain with one index, of a load and of a store. */
enum {
    CHAIN_BASE = 3,
    CHAIN_INDEX,
    CHAIN_WORDS,
    LOAD_POINTER = 3,
    STORE_POINTER = 1
};

/* Where the chain of one index begins that makes the pointer; 0: none does. */
static uint32_t find_chain(const struct rewriting *r, uint32_t pointer)
{
    uint32_t const op = rewrite_get_op(r, pointer);
    bool const is_chain = op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain;
    uint32_t const at = is_chain ? r->made_at[pointer] : 0;
    return at && r->words[at] >> SpvWordCountShift == CHAIN_WORDS ? at : 0;
}

/* The variable of that class of which the pointer is to an element; 0: none. */
static uint32_t find_variable(const struct rewriting *r, uint32_t pointer, uint32_t class)
{
    uint32_t const at = find_chain(r, pointer);
    uint32_t const base = at ? r->words[at + CHAIN_BASE] : 0;
    return base && rewrite_get_word(r, base, SpvOpVariable, 3) == class ? base : 0;
}

/* Is the pointer to an element of work-group memory? */
static bool is_shared(const struct rewriting *r, uint32_t pointer)
{
    return find_variable(r, pointer, SpvStorageClassWorkgroup) != 0;
}

enum res rewrite_find_stores(struct rewriting *r, struct arena *a, struct err *e)
{
    struct spv_inst in;
    uint32_t at = SPV_HEADER_WORDS;
    if (r->row->kind != LAST_STORE) {
        return RES_OK;
    }
    r->last_store = ARENA_NEW(a, uint32_t, (size_t)r->words[REWRITE_BOUND] + 1);
    if (!r->last_store) {
        return err_set(e, RES_NOMEM, "rewrite: no room for %u ids", r->words[REWRITE_BOUND]);
    }
    while (spv_next(r->words, r->n_words, &at, &in)) {
        uint32_t const variable = in.op == SpvOpStore && in.n > 2
                                      ? find_variable(r, in.w[STORE_POINTER], r->row->was)
                                      : 0;
        if (variable) {
            r->last_store[variable] = in.offset;
        }
    }
    return RES_OK;
}

/* The id of a constant of that type, of 32 bits; 0: there is none. */
static uint32_t find_constant(const struct rewriting *r, uint32_t type, uint32_t value)
{
    struct spv_inst in;
    uint32_t at = SPV_HEADER_WORDS;
    while (spv_next(r->words, r->n_words, &at, &in) && in.op != SpvOpFunction) {
        if (in.op == SpvOpConstant && in.n == 4 && in.w[1] == type && in.w[3] == value) {
            return in.w[2];
        }
    }
    return 0;
}

/* How an index into an array is made another. */
struct indexed {
    uint32_t chain;             /* where it begins */
    uint32_t type, length, one; /* ids: of the index, of the array's length, of 1 */
};

/* Of a load of an element of an array in a variable of the row's class. false: it is none. */
static bool find_indexed(const struct rewriting *r, const struct spv_inst *in, struct indexed *x)
{
    uint32_t const variable =
        in->n > LOAD_POINTER ? find_variable(r, in->w[LOAD_POINTER], r->row->was) : 0;
    if (!variable) {
        return false;
    }
    x->chain = find_chain(r, in->w[LOAD_POINTER]);
    uint32_t const pointer = rewrite_get_word(r, variable, SpvOpVariable, 1);
    uint32_t const array = rewrite_get_word(r, pointer, SpvOpTypePointer, 3);
    uint32_t const index = r->words[x->chain + CHAIN_INDEX];
    x->type =
        index < r->words[REWRITE_BOUND] && r->made_at[index] ? r->words[r->made_at[index] + 1] : 0;
    x->length = rewrite_get_word(r, array, SpvOpTypeArray, 3);
    x->one = find_constant(r, x->type, 1);
    return x->one && x->length && rewrite_get_word(r, x->length, SpvOpConstant, 1) == x->type;
}

/* The second term of an index whose first is a product: the place in a half without the half; 0: it is none. */
static uint32_t find_term(const struct rewriting *r, const struct spv_inst *in)
{
    uint32_t const index = in->n == CHAIN_WORDS ? in->w[CHAIN_INDEX] : 0;
    uint32_t const first = rewrite_get_word(r, index, SpvOpIAdd, 3);
    bool const is_shared_base =
        rewrite_get_word(r, in->w[CHAIN_BASE], SpvOpVariable, 3) == SpvStorageClassWorkgroup;
    return is_shared_base && rewrite_get_op(r, first) == SpvOpIMul
               ? rewrite_get_word(r, index, SpvOpIAdd, 4)
               : 0;
}

/* The constant 0 that the last index of the chain becomes; 0: it is no chain into memory of the row's class, or the index
 * is no other. */
static uint32_t find_first(const struct rewriting *r, const struct spv_inst *in)
{
    enum {
        VECTOR_CHAIN_WORDS = 7 /* into a block, its array and a vector */
    };
    uint32_t const class = rewrite_get_word(r, in->w[1], SpvOpTypePointer, 2);
    uint32_t const index = in->w[in->n - 1];
    uint32_t const at = index < r->words[REWRITE_BOUND] ? r->made_at[index] : 0;
    uint32_t const zero = at ? find_constant(r, r->words[at + 1], 0) : 0;
    bool const is_it =
        class == r->row->was && (class != SpvStorageClassUniform || in->n == VECTOR_CHAIN_WORDS);
    return is_it && zero != index ? zero : 0;
}

/* The literal of the id's decoration; UINT32_MAX: it has none. */
static uint32_t find_literal(const struct rewriting *r, uint32_t id, SpvDecoration decoration)
{
    uint32_t literal = UINT32_MAX;
    (void)spv_find_decoration(r->words, r->n_words, id, decoration, &literal);
    return literal;
}

/* Is the other of them a buffer of the same type in another set? */
static bool is_pair(const struct rewriting *r, uint32_t one, uint32_t other)
{
    return rewrite_get_word(r, one, SpvOpVariable, 3) == SpvStorageClassStorageBuffer &&
           rewrite_get_word(r, one, SpvOpVariable, 1) ==
               rewrite_get_word(r, other, SpvOpVariable, 1) &&
           find_literal(r, one, SpvDecorationDescriptorSet) !=
               find_literal(r, other, SpvDecorationDescriptorSet);
}

void rewrite_find_pair(struct rewriting *r)
{
    for (uint32_t i = 1; r->row->kind == OTHER_SET && i < r->words[REWRITE_BOUND] && !r->pair[0];
         i++) {
        for (uint32_t k = 1; k < i && rewrite_get_op(r, i) == SpvOpVariable; k++) {
            if (rewrite_get_op(r, k) == SpvOpVariable && is_pair(r, i, k)) {
                r->pair[0] = i;
                r->pair[1] = k;
            }
        }
    }
}

/* Is it where one of the pair stands? */
static bool is_of_pair(const struct rewriting *r, const struct spv_inst *in)
{
    bool const is_place =
        in->w[2] == SpvDecorationDescriptorSet || in->w[2] == SpvDecorationBinding;
    return is_place && r->pair[0] && (in->w[1] == r->pair[0] || in->w[1] == r->pair[1]);
}

bool rewrite_is_memory_site(struct rewriting *r, const struct spv_inst *in)
{
    struct indexed x;
    if (r->row->kind == OTHER_SET) {
        return is_of_pair(r, in);
    }
    if (r->row->kind == FIRST_INDEX) {
        return find_first(r, in) != 0;
    }
    if (r->row->kind == SECOND) {
        return ++r->n_seen % 2 == 0;
    }
    if (r->row->kind == LAST_STORE) {
        uint32_t const variable =
            in->n > 2 ? find_variable(r, in->w[STORE_POINTER], r->row->was) : 0;
        return variable && r->last_store[variable] == in->offset;
    }
    return r->row->kind == ALIAS ? find_term(r, in) != 0 : find_indexed(r, in, &x);
}

void rewrite_put_memory_site(struct rewriting *r, const struct spv_inst *in)
{
    struct indexed x = {0};
    uint32_t w[REWRITE_MAX_WORDS];
    memcpy(w, in->w, sizeof *w * in->n);
    if (r->row->kind == OTHER_SET) {
        w[3] = find_literal(r, r->pair[in->w[1] == r->pair[0]], in->w[2]);
    } else if (r->row->kind == FIRST_INDEX) {
        w[in->n - 1] = find_first(r, in);
    } else if (r->row->kind == ALIAS) {
        w[CHAIN_INDEX] = find_term(r, in);
    } else if (find_indexed(r, in, &x)) {
        uint32_t const next = r->bound++, wrapped = r->bound++, chain = r->bound++;
        const uint32_t *const was = r->words + x.chain;
        uint32_t const add[] = {x.type, next, was[CHAIN_INDEX], x.one};
        uint32_t const wrap[] = {x.type, wrapped, next, x.length};
        uint32_t const there[] = {was[1], chain, was[CHAIN_BASE], wrapped};
        spv_put(&r->out, SpvOpIAdd, add, ARRAY_N(add));
        spv_put(&r->out, SpvOpUMod, wrap, ARRAY_N(wrap));
        spv_put(&r->out, was[0] & SpvOpCodeMask, there, ARRAY_N(there));
        w[LOAD_POINTER] = chain;
    }
    spv_put(&r->out, in->op, w + 1, in->n - 1);
}

/* ---- order ---- */

static void release(struct rewriting *r)
{
    for (uint32_t i = 0; i < r->n_held; i++) {
        rewrite_put(r, &r->held[i]);
    }
    r->n_held = 0;
}

/* May what is held be put behind the instruction, so that it still stands in its block, and nobody sees it but by a
 * barrier? What has a result and comes to no memory. */
static bool may_pass(const struct rewriting *r, const struct spv_inst *in)
{
    bool has_result = false, has_type = false;
    SpvHasResultAndType((SpvOp)in->op, &has_result, &has_type);
    bool const is_memory = (in->op >= SpvOpAtomicLoad && in->op <= SpvOpAtomicXor) ||
                           in->op == SpvOpFunctionCall || in->op >= SpvOpAtomicFlagTestAndSet;
    bool const is_shared_load =
        in->op == SpvOpLoad && in->n > LOAD_POINTER && is_shared(r, in->w[LOAD_POINTER]);
    return has_result && has_type && !is_memory && !is_shared_load && in->op != SpvOpPhi;
}

static bool hold(struct rewriting *r, const struct spv_inst *in)
{
    r->held[r->n_held++] = *in;
    return true;
}

/* A store to work-group memory waits for the barrier behind it. */
static bool hold_store(struct rewriting *r, const struct spv_inst *in)
{
    if (in->op == SpvOpStore && in->n > 2 && is_shared(r, in->w[STORE_POINTER])) {
        return r->n_held < ARRAY_N(r->held) && hold(r, in);
    }
    if (in->op == SpvOpControlBarrier && r->n_held > 0) {
        rewrite_put(r, in);
        r->n_sites += r->n_held;
        release(r);
        return true;
    }
    if (!may_pass(r, in)) {
        release(r);
    }
    return false;
}

/* A barrier waits for the first load from work-group memory behind it. */
static bool hold_barrier(struct rewriting *r, const struct spv_inst *in)
{
    bool const is_load =
        in->op == SpvOpLoad && in->n > LOAD_POINTER && is_shared(r, in->w[LOAD_POINTER]);
    if (is_load && r->n_held > 0) {
        rewrite_put(r, in);
        r->n_sites++;
        release(r);
        return true;
    }
    if (in->op == SpvOpControlBarrier) {
        release(r);
        return hold(r, in);
    }
    if (!may_pass(r, in)) {
        release(r);
    }
    return false;
}

bool rewrite_hold(struct rewriting *r, const struct spv_inst *in)
{
    return r->row->kind == LATE_STORE   ? hold_store(r, in)
           : r->row->kind == EARLY_LOAD ? hold_barrier(r, in)
                                        : false;
}
