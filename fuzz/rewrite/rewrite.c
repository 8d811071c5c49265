/* fuzz/rewrite/rewrite.c -- a module with another meaning: instructions changed by a row of rewrites.def. */
#include "fuzz/rewrite/rewrite.h"

#include <string.h>

#include "base/spv.h"
#include "fuzz/rewrite/rewrite_flow.h"
#include "fuzz/rewrite/rewrite_memory.h"
#include "fuzz/rewrite/rewrite_state.h"
#include "fuzz/rewrite/rewrite_struct.h"

const struct rewrite_row rewrite_rows[REWRITE_N] = {
#define REWRITE(id, first, last, kind, word, was, becomes, expect, text)                           \
    {#id, first, last, kind, word, was, becomes, VERDICT_##expect, text},
#include "fuzz/rewrite/rewrites.def"
};

const struct rewrite_row *rewrite_find(const char *name)
{
    for (int i = 0; i < REWRITE_N; i++) {
        if (strcmp(rewrite_rows[i].id, name) == 0) {
            return &rewrite_rows[i];
        }
    }
    return NULL;
}

/* Types, constants, pointers: of what has a result, where it is. */
static enum res find_results(struct rewriting *r, struct arena *a, struct err *e)
{
    struct spv_inst in;
    uint32_t at = SPV_HEADER_WORDS;
    r->made_at = ARENA_NEW(a, uint32_t, (size_t)r->words[REWRITE_BOUND] + 1);
    if (!r->made_at) {
        return err_set(e, RES_NOMEM, "rewrite: no room for %u ids", r->words[REWRITE_BOUND]);
    }
    while (spv_next(r->words, r->n_words, &at, &in)) {
        bool has_type;
        uint32_t const k = spv_find_result(&in, &has_type);
        if (k && in.w[k] < r->words[REWRITE_BOUND]) {
            r->made_at[in.w[k]] = in.offset;
        }
    }
    return RES_OK;
}

/* May what the pointer is to be loaded and stored by instructions that name no more? Not a texel, not what has an
 * address. */
static bool is_plain_pointer(const struct rewriting *r, uint32_t pointer)
{
    uint32_t const at = pointer < r->words[REWRITE_BOUND] ? r->made_at[pointer] : 0;
    uint32_t const class = at ? rewrite_get_word(r, r->words[at + 1], SpvOpTypePointer, 2) : 0;
    return class == SpvStorageClassStorageBuffer || class == SpvStorageClassWorkgroup ||
           class == SpvStorageClassCrossWorkgroup;
}

/* Is the set that an extended instruction is of this one? */
static bool is_of_set(const struct rewriting *r, const struct spv_inst *in, const char *set)
{
    uint32_t const at = in->n > 4 && in->w[3] < r->words[REWRITE_BOUND] ? r->made_at[in->w[3]] : 0;
    return at && (r->words[at] & SpvOpCodeMask) == SpvOpExtInstImport &&
           strncmp((const char *)&r->words[at + 2], set, 4 * (size_t)(r->words[at] >> 16) - 8) == 0;
}

enum {
    ENTRY_FUNCTION = 2, /* word of OpEntryPoint */
    MEMBER = 2,         /* word of OpMemberDecorate: the member's number */
    UPDATE_POINTER = 3, /* word of an atomic update, whose words put_split names */
    UPDATE_WORDS = 7    /* of such, the opcode included */
};

/* The function of the entry point behind this one; behind the last, of the first. */
static uint32_t find_next_entry(const struct rewriting *r, const struct spv_inst *in)
{
    uint32_t at = SPV_HEADER_WORDS;
    uint32_t first = 0, next = 0;
    struct spv_inst other;
    while (spv_next(r->words, r->n_words, &at, &other) && other.op != SpvOpFunction) {
        if (other.op == SpvOpEntryPoint && other.n > ENTRY_FUNCTION) {
            first = first ? first : other.w[ENTRY_FUNCTION];
            if (other.offset > in->offset && !next) {
                next = other.w[ENTRY_FUNCTION];
            }
        }
    }
    return next ? next : first;
}

/* Is the instruction one that the row changes? Its opcode must be in the row's range; what else
 * must hold depends on the kind of the row, as rewrites.def describes it. */
static bool is_site(struct rewriting *r, const struct spv_inst *in)
{
    const struct rewrite_row *const row = r->row;
    if (in->op < row->first || in->op > row->last || in->n > REWRITE_MAX_WORDS ||
        in->n <= row->word) {
        return false;
    }
    bool const has_word = in->w[row->word] == row->was;
    switch ((enum rewrite_kind)row->kind) {
    case OPCODE:
    case SHORTEN: /* the opcode decides alone */
        return true;
    case SWAP: /* equal operands would change nothing */
        return row->word + 1 < in->n && in->w[row->word] != in->w[row->word + 1];
    case WORD:
        return has_word;
    case FIRST_OFFSET: /* OpMemberDecorate: of member 0 */
        return has_word && in->w[MEMBER] == 0;
    case LOW_BIT: /* a constant of a float type */
        return rewrite_get_word(r, in->w[1], SpvOpTypeFloat, 2) != 0; /* its width; 0: no float */
    case REMOVE: /* word 0 of a row: the opcode decides alone */
        return row->word == 0 || has_word;
    case SPLIT: /* the load and the store that replace it name no alignment and no image */
        return in->n == UPDATE_WORDS && is_plain_pointer(r, in->w[UPDATE_POINTER]);
    case CL:
        return has_word && is_of_set(r, in, "OpenCL.std");
    case GLSL:
        return has_word && is_of_set(r, in, "GLSL.std.450");
    case FLOW: /* rewrite_flow writes the whole module: no instruction comes here */
        break;
    case ENTRY: /* there are several, of different functions */
        return find_next_entry(r, in) != in->w[ENTRY_FUNCTION];
    case SECOND:
    case LAST_STORE:
    case NEXT_INDEX:
    case ALIAS:
    case FIRST_INDEX:
    case OTHER_SET:
        return rewrite_is_memory_site(r, in);
    case NEXT_MEMBER:
    case CUT_STRUCT:
        return rewrite_is_struct_site(r, in);
    case LATE_STORE:
    case EARLY_LOAD: /* no instruction changes, its place does: rewrite_hold decides, by what follows */
        return false;
    }
    return false;
}

/* Type, result, pointer, scope, semantics, value: a load whose result is the atomic's, the instruction, a store. */
static void put_split(struct rewriting *r, const struct spv_inst *in)
{
    uint32_t const sum = r->bound++;
    uint32_t const load[] = {in->w[1], in->w[2], in->w[3]};
    uint32_t const add[] = {in->w[1], sum, in->w[2], in->w[6]};
    uint32_t const store[] = {in->w[3], sum};
    spv_put(&r->out, SpvOpLoad, load, ARRAY_N(load));
    spv_put(&r->out, r->row->becomes, add, ARRAY_N(add));
    spv_put(&r->out, SpvOpStore, store, ARRAY_N(store));
}

/* Write what the row makes of a site: the instruction with another opcode or another word,
 * several instructions, or nothing. The kinds are described in rewrites.def. */
static void put_site(struct rewriting *r, const struct spv_inst *in)
{
    const struct rewrite_row *const row = r->row;
    uint32_t w[REWRITE_MAX_WORDS];
    uint32_t op = in->op, n = in->n;
    memcpy(w, in->w, sizeof *w * n);
    switch ((enum rewrite_kind)row->kind) {
    case OPCODE:
        op = row->becomes;
        break;
    case SWAP:
        w[row->word] = in->w[row->word + 1];
        w[row->word + 1] = in->w[row->word];
        break;
    case WORD:
    case FIRST_OFFSET:
    case CL:
    case GLSL:
        w[row->word] = row->becomes;
        break;
    case LOW_BIT:
        w[row->word] ^= 1;
        break;
    case REMOVE:
    case SECOND:
    case LAST_STORE:
        return; /* the instruction is left out */
    case NEXT_INDEX:
    case ALIAS:
    case FIRST_INDEX:
    case OTHER_SET:
        rewrite_put_memory_site(r, in);
        return;
    case NEXT_MEMBER:
    case CUT_STRUCT:
        rewrite_put_struct_site(r, in);
        return;
    case LATE_STORE:
    case EARLY_LOAD: /* never a site (is_site) */
        break;
    case SHORTEN:
        op = row->becomes;
        n--; /* without the last operand */
        break;
    case SPLIT:
        put_split(r, in);
        return;
    case ENTRY:
        w[ENTRY_FUNCTION] = find_next_entry(r, in);
        break;
    case FLOW: /* never a site (is_site) */
        break;
    }
    spv_put(&r->out, op, w + 1, n - 1); /* the operands, without the word of the opcode */
}

/* Write the module as the row changes it: each instruction that is a site changed, all others as they are. Before
 * that, what the kinds of rows need is gathered: where each id is defined, the last stores to each variable, and the
 * pair of variables that are exchanged. Without a site, or if the words are broken, *out is `words` itself. */
enum res rewrite_module(const struct rewrite_row *row, const uint32_t *words, uint32_t n_words,
                        struct arena *a, const uint32_t **out, uint32_t *n_out, uint32_t *n_sites,
                        struct err *e)
{
    struct rewriting r = {.row = row, .words = words, .n_words = n_words};
    struct spv_inst in;
    uint32_t at = SPV_HEADER_WORDS;
    *out = words;
    *n_out = n_words;
    *n_sites = 0;
    if (!spv_is_module(words, n_words)) {
        return RES_OK;
    }
    r.bound = words[REWRITE_BOUND];
    TRY(find_results(&r, a, e));
    TRY(rewrite_find_stores(&r, a, e));
    rewrite_find_pair(&r);
    spv_words_init(&r.out, a);
    if (row->kind == FLOW) {
        TRY(rewrite_flow((enum rewrite_way)row->becomes, words, n_words, a, &r.out, &r.bound,
                         &r.n_sites, e));
        at = n_words; /* rewrite_flow has written all: the loop below has nothing left to do */
    }
    while (spv_next(words, n_words, &at, &in)) {
        if (is_site(&r, &in)) {
            r.n_sites++;
            put_site(&r, &in);
        } else if (!rewrite_hold(&r, &in)) { /* true: it is held, or written with what was held */
            rewrite_put(&r, &in);
        }
    }
    if (r.n_sites == 0 || at < n_words) { /* at < n_words: the words are broken */
        return RES_OK;
    }
    uint32_t *const made = ARENA_NEW(a, uint32_t, (size_t)SPV_HEADER_WORDS + r.out.n);
    if (!made || !r.out.ok) {
        return err_set(e, RES_NOMEM, "rewrite: no room for %u words", n_words);
    }
    memcpy(made, words, sizeof *made * SPV_HEADER_WORDS);
    memcpy(made + SPV_HEADER_WORDS, r.out.w, sizeof *made * r.out.n);
    made[REWRITE_BOUND] = r.bound;
    *n_sites = r.n_sites;
    *out = made;
    *n_out = SPV_HEADER_WORDS + r.out.n;
    return RES_OK;
}
