/* base/spv.c -- SPIR-V words in and out. */
#define SPV_ENABLE_UTILITY_CODE
#include "base/spv.h"

#include <string.h>

/* The header of SPIR-V defines it inline only. */
extern inline void SpvHasResultAndType(SpvOp opcode, bool *has_result, bool *has_type);

/* The word count of an instruction has 16 bits. */
enum {
    SPV_MAX_INST_WORDS = 0xffff
};

int spv_is_module(const uint32_t *words, uint32_t n_words)
{
    return n_words >= SPV_HEADER_WORDS && words[0] == SpvMagicNumber;
}

int spv_next(const uint32_t *words, uint32_t n_words, uint32_t *offset, struct spv_inst *out)
{
    if (*offset >= n_words) {
        return 0;
    }
    const uint32_t *w = words + *offset;
    uint32_t const n = w[0] >> 16;
    if (n == 0 || n > n_words - *offset) {
        return 0;
    }
    *out = (struct spv_inst){.w = w, .op = w[0] & 0xffff, .n = n, .offset = *offset};
    *offset += n;
    return 1;
}

uint32_t spv_find_result(const struct spv_inst *in, bool *has_type)
{
    bool has_result = false;
    SpvHasResultAndType((SpvOp)in->op, &has_result, has_type);
    uint32_t const word = *has_type ? 2 : 1;
    return has_result && word < in->n ? word : 0;
}

uint32_t spv_get_word(const struct spv_inst *in, uint32_t i)
{
    return i < in->n ? in->w[i] : 0;
}

/* The first instruction whose operands begin with those n words, before the first function; the next operand into *literal. */
static bool find_begin(const uint32_t *words, uint32_t n_words, uint32_t op, const uint32_t *with,
                       uint32_t n, uint32_t *literal)
{
    uint32_t at = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (spv_next(words, n_words, &at, &in) && in.op != SpvOpFunction) {
        if (in.op == op && in.n > n && memcmp(in.w + 1, with, n * sizeof *with) == 0) {
            *literal = spv_get_word(&in, n + 1);
            return true;
        }
    }
    return false;
}

bool spv_find_decoration(const uint32_t *words, uint32_t n_words, uint32_t id,
                         SpvDecoration decoration, uint32_t *literal)
{
    uint32_t const with[] = {id, decoration};
    return find_begin(words, n_words, SpvOpDecorate, with, ARRAY_N(with), literal);
}

bool spv_find_member_decoration(const uint32_t *words, uint32_t n_words, uint32_t type,
                                uint32_t member, SpvDecoration decoration, uint32_t *literal)
{
    uint32_t const with[] = {type, member, decoration};
    return find_begin(words, n_words, SpvOpMemberDecorate, with, ARRAY_N(with), literal);
}

bool spv_index_make(struct spv_index *x, const uint32_t *words, uint32_t n_words, struct arena *a)
{
    enum {
        BOUND = 3 /* word of the header */
    };
    uint32_t at = SPV_HEADER_WORDS;
    struct spv_inst in;
    bool ignored = false;
    if (!words || !spv_is_module(words, n_words)) {
        return false;
    }
    *x = (struct spv_index){.words = words, .n_words = n_words};
    x->n_ids = words[BOUND] <= SPV_MAX_IDS ? words[BOUND] : 0;
    x->offset = ARENA_NEW(a, uint32_t, x->n_ids + 1);
    while (x->offset && spv_next(words, n_words, &at, &in)) {
        uint32_t const word = spv_find_result(&in, &ignored);
        if (word && in.w[word] < x->n_ids) {
            x->offset[in.w[word]] = in.offset;
        }
    }
    return x->offset != NULL;
}

struct spv_inst spv_index_find(const struct spv_index *x, uint32_t id)
{
    struct spv_inst in = {.op = SpvOpNop};
    uint32_t at = id < x->n_ids ? x->offset[id] : 0;
    return at && spv_next(x->words, x->n_words, &at, &in) ? in : (struct spv_inst){.op = SpvOpNop};
}

void spv_words_init(struct spv_words *s, struct arena *a)
{
    *s = (struct spv_words){.a = a, .ok = 1};
}

/* n more words, counted in s->n; NULL when the arena is full. */
static uint32_t *take_words(struct spv_words *s, uint32_t n)
{
    if (!s->ok || n > UINT32_MAX / 4 - s->n) {
        s->ok = 0;
        return NULL;
    }
    if (n > s->cap - s->n) {
        uint32_t const cap = 2 * s->n + n + 64; /* doubled, so that few copies are made */
        uint32_t *w = ARENA_NEW(s->a, uint32_t, cap);
        if (!w) {
            s->ok = 0;
            return NULL;
        }
        if (s->n > 0) {
            memcpy(w, s->w, s->n * sizeof *w);
        }
        s->w = w;
        s->cap = cap;
    }
    uint32_t *const taken = s->w ? s->w + s->n : NULL; /* no words of none */
    s->n += n;
    return taken;
}

static void copy_words(uint32_t *to, const uint32_t *from, uint32_t n)
{
    if (n > 0) {
        memcpy(to, from, n * sizeof *to);
    }
}

/* Room for an instruction of op and n operands, its first word written. */
static uint32_t *take_inst(struct spv_words *s, uint32_t op, uint32_t n)
{
    if (n >= SPV_MAX_INST_WORDS) {
        s->ok = 0;
        return NULL;
    }
    uint32_t *w = take_words(s, n + 1);
    if (w) {
        w[0] = (n + 1) << 16 | op;
    }
    return w;
}

void spv_put(struct spv_words *s, uint32_t op, const uint32_t *operands, uint32_t n)
{
    uint32_t *w = take_inst(s, op, n);
    if (w) {
        copy_words(w + 1, operands, n);
    }
}

/* Append an instruction with a string in the middle of its operands: the words `before`, the text with its
 * NUL, four bytes a word, then the words `after`. What no instruction can hold turns s->ok to 0. */
void spv_put_string(struct spv_words *s, uint32_t op, const uint32_t *before, uint32_t n_before,
                    const char *text, const uint32_t *after, uint32_t n_after)
{
    size_t const n_bytes = strlen(text);
    if (n_bytes / 4 >= SPV_MAX_INST_WORDS || n_before >= SPV_MAX_INST_WORDS ||
        n_after >= SPV_MAX_INST_WORDS) {
        s->ok = 0;
        return;
    }
    uint32_t const n_text = (uint32_t)(n_bytes / 4) + 1; /* the NUL byte included */
    uint32_t *w = take_inst(s, op, n_before + n_text + n_after);
    if (!w) {
        return;
    }
    copy_words(w + 1, before, n_before);
    for (uint32_t i = 0; i < n_text; i++) {
        size_t const left = n_bytes - 4 * (size_t)i; /* in the last word the rest is 0, the NUL */
        w[1 + n_before + i] = (uint32_t)load_le((const unsigned char *)text + 4 * (size_t)i,
                                                left < 4 ? (unsigned)left : 4);
    }
    copy_words(w + 1 + n_before + n_text, after, n_after);
}

void spv_append(struct spv_words *to, const struct spv_words *from)
{
    if (!from->ok) {
        to->ok = 0;
        return;
    }
    uint32_t *w = take_words(to, from->n);
    if (w) {
        copy_words(w, from->w, from->n);
    }
}
