/* oracle/nir_driver/nir_push.c -- follows each access chain of the push constants to its offset. */
#include "oracle/nir_driver/nir_push.h"

#include "base/spv.h"

enum {
    MAX_NESTING = 8, /* of types */
    WORD_BYTES = 4,
    PUSH_WORDS = 64 /* that RADV can hand over as arguments */
};

struct search {
    const struct testcase *tc;
    struct spv_index ids;
    uint32_t
        *chain; /* by id: 1 + its index in pointers[]; 0: it is no pointer into push constants */
    struct pointer *pointers;
    uint32_t n_pointers;
    bool *is_used; /* by id */
    struct nir_push *out;
};
/* A pointer into the push constants. */
struct pointer {
    uint32_t type; /* of what it points to */
    uint64_t offset;
    bool is_constant; /* is the offset? */
};

/* The value of a scalar constant of an integer type; false: the id is none. */
static bool get_constant(const struct search *s, uint32_t id, uint64_t *out)
{
    struct spv_inst const in = spv_index_find(&s->ids, id);
    uint32_t spec_id = 0;
    *out = 0;
    switch (in.op) {
    case SpvOpConstantNull:
        return true;
    case SpvOpSpecConstant: {
        const struct spec *const spec =
            spv_find_decoration(s->tc->module, s->tc->n_words, id, SpvDecorationSpecId, &spec_id)
                ? testcase_find_spec(s->tc, spec_id)
                : NULL;
        if (spec) {
            *out = spec->bits;
            return true;
        }
        break;
    }
    case SpvOpConstant:
        break;
    default:
        return false;
    }
    *out = spv_get_word(&in, 3) | (uint64_t)spv_get_word(&in, 4) << 32;
    return in.n == 4 || in.n == 5;
}

/* Bytes of a value of a type, and of its narrowest element; false: it has none that are known here. */
static bool get_bytes(const struct search *s, uint32_t type, uint64_t *n_bytes, uint32_t *element)
{
    uint64_t n = 1;
    for (unsigned depth = 0; depth < MAX_NESTING; depth++) {
        struct spv_inst const in = spv_index_find(&s->ids, type);
        switch (in.op) {
        case SpvOpTypeInt:
        case SpvOpTypeFloat:
            *element = spv_get_word(&in, 2) / 8;
            *n_bytes = n * *element;
            return *element != 0;
        case SpvOpTypeVector:
            n *= spv_get_word(&in, 3);
            type = spv_get_word(&in, 2);
            break;
        default:
            return false;
        }
    }
    return false;
}

/* One index of an access chain: *p goes on to the member or element. */
static bool go_into(const struct search *s, struct pointer *p, uint32_t index_id)
{
    struct spv_inst const in = spv_index_find(&s->ids, p->type);
    uint64_t index = 0, n_bytes = 0;
    uint32_t step = 0, element = 0;
    bool const is_known = get_constant(s, index_id, &index);
    switch (in.op) {
    case SpvOpTypeStruct:
        if (!is_known || index + 2 >= in.n ||
            !spv_find_member_decoration(s->tc->module, s->tc->n_words, p->type, (uint32_t)index,
                                        SpvDecorationOffset, &step)) {
            return false;
        }
        p->type = in.w[2 + index];
        p->offset += step;
        return true;
    case SpvOpTypeArray:
        if (!spv_find_decoration(s->tc->module, s->tc->n_words, p->type, SpvDecorationArrayStride,
                                 &step)) {
            return false;
        }
        break;
    case SpvOpTypeVector:
        if (!get_bytes(s, spv_get_word(&in, 2), &n_bytes, &element)) {
            return false;
        }
        step = element;
        break;
    default:
        return false;
    }
    p->type = spv_get_word(&in, 2);
    p->is_constant = p->is_constant && is_known && index < UINT32_MAX;
    p->offset += p->is_constant ? index * step : 0;
    return true;
}

/* What a load of a pointer reads. */
static bool see_load(const struct search *s, const struct pointer *p)
{
    uint64_t n_bytes = 0;
    uint32_t element = 0;
    if (!get_bytes(s, p->type, &n_bytes, &element)) {
        return false;
    }
    uint64_t const end = p->offset + n_bytes;
    if (!p->is_constant || element < WORD_BYTES || end > (uint64_t)WORD_BYTES * PUSH_WORDS) {
        s->out->has_others = true;
        return true;
    }
    for (uint64_t word = p->offset / WORD_BYTES; WORD_BYTES * word < end; word++) {
        s->out->words |= UINT64_C(1) << word;
    }
    return true;
}

static const struct pointer *find_pointer(const struct search *s, uint32_t id)
{
    return id < s->ids.n_ids && s->chain[id] ? &s->pointers[s->chain[id] - 1] : NULL;
}
static void add_pointer(struct search *s, uint32_t id, struct pointer p)
{
    if (id < s->ids.n_ids && !s->chain[id]) {
        s->pointers[s->n_pointers++] = p;
        s->chain[id] = s->n_pointers;
    }
}

/* The word of the ballot that an instruction of a sub-group reads; 0: it reads none. */
static uint32_t find_ballot(uint32_t op)
{
    switch (op) {
    case SpvOpGroupNonUniformInverseBallot:
    case SpvOpGroupNonUniformBallotBitExtract:
    case SpvOpGroupNonUniformBallotFindLSB:
    case SpvOpGroupNonUniformBallotFindMSB:
        return 4;
    case SpvOpGroupNonUniformBallotBitCount:
        return 5;
    default:
        return 0;
    }
}

static void use(struct search *s, uint32_t id)
{
    if (id < s->ids.n_ids) {
        s->is_used[id] = true;
    }
}

/* Finds which ids are used. A word that may be a literal counts as an id. Of a vector that is nothing but a ballot only
 * the first two components are used. */
static void find_uses(struct search *s)
{
    enum {
        FIRST_COMPONENT = 3, /* word of OpCompositeConstruct */
        BALLOT_COMPONENTS = 2
    };
    struct spv_inst in;
    bool ignored = false;
    for (unsigned pass = 0; pass < 2; pass++) {
        uint32_t at = SPV_HEADER_WORDS;
        bool is_in_body = false;
        while (spv_next(s->tc->module, s->tc->n_words, &at, &in)) {
            bool const is_vector = in.op == SpvOpCompositeConstruct;
            is_in_body = is_in_body || in.op == SpvOpFunction;
            if (!is_in_body || is_vector != (pass == 1)) {
                continue;
            }
            uint32_t const ballot = find_ballot(in.op), result = spv_find_result(&in, &ignored);
            uint32_t const vector = is_vector ? spv_get_word(&in, 2) : 0;
            bool const is_ballot = is_vector && vector < s->ids.n_ids && !s->is_used[vector];
            uint32_t const end = is_ballot ? FIRST_COMPONENT + BALLOT_COMPONENTS : in.n;
            for (uint32_t i = is_vector ? FIRST_COMPONENT : 1; i < in.n && i < end; i++) {
                if (i != ballot && i != result) {
                    use(s, in.w[i]);
                }
            }
        }
    }
}

/* One instruction of the module. */
static bool see(struct search *s, const struct spv_inst *in)
{
    const struct pointer *from = NULL;
    switch (in->op) {
    case SpvOpVariable:
        if (spv_get_word(in, 3) == SpvStorageClassPushConstant) {
            struct spv_inst const type = spv_index_find(&s->ids, in->w[1]);
            add_pointer(s, in->w[2], (struct pointer){spv_get_word(&type, 3), 0, true});
        }
        return true;
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
        from = in->n > 3 ? find_pointer(s, in->w[3]) : NULL;
        if (from) {
            struct pointer p = *from;
            for (uint32_t i = 4; i < in->n; i++) {
                if (!go_into(s, &p, in->w[i])) {
                    return false;
                }
            }
            add_pointer(s, in->w[2], p);
        }
        return true;
    case SpvOpLoad:
        from = in->n > 3 ? find_pointer(s, in->w[3]) : NULL;
        return !from || in->w[2] >= s->ids.n_ids || !s->is_used[in->w[2]] || see_load(s, from);
    case SpvOpSelect: /* those that may hand a pointer on; their operands are ids */
    case SpvOpPhi:
    case SpvOpCopyObject:
    case SpvOpCopyMemory:
    case SpvOpPtrAccessChain:
    case SpvOpFunctionCall:
    case SpvOpStore:
        for (uint32_t i = 1; i < in->n; i++) {
            if (find_pointer(s, in->w[i])) {
                return false;
            }
        }
        return true;
    default:
        return true;
    }
}

bool nir_push_find(const struct testcase *tc, struct arena *a, struct nir_push *out)
{
    struct search s = {.tc = tc, .out = out};
    uint32_t at = SPV_HEADER_WORDS;
    struct spv_inst in;
    *out = (struct nir_push){0, false};
    if (!spv_index_make(&s.ids, tc->module, tc->n_words, a)) {
        return false;
    }
    s.chain = ARENA_NEW(a, uint32_t, s.ids.n_ids + 1);
    s.pointers = ARENA_NEW(a, struct pointer, s.ids.n_ids + 1);
    s.is_used = ARENA_NEW(a, bool, s.ids.n_ids + 1);
    if (!s.chain || !s.pointers || !s.is_used) {
        return false;
    }
    find_uses(&s);
    while (spv_next(tc->module, tc->n_words, &at, &in)) {
        if (!see(&s, &in)) {
            return false;
        }
    }
    return true;
}
