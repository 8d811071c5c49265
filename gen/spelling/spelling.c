/* gen/spelling/spelling.c -- other words for what a program does anyway. */
#include "gen/spelling/spelling.h"
#include "gen/tape/field.h"

/* Which accesses are written in another way than plainly. */
struct spelling {
    unsigned share; /* of four */
    uint64_t seed;
    uint64_t n; /* accesses seen */
    uint32_t n_spelled;
    bool has_sized;
};

static void spell_block(struct spelling *s, const struct ir_program *p, struct ir_block *b);

/* The next of a row of numbers. */
static uint64_t next_choice(struct spelling *s)
{
    uint64_t const words[] = {s->seed, s->n++};
    return hash_bytes(0, words, sizeof words);
}

/* Texels and what is at an address have accesses of their own; a struct may lie in another way elsewhere. */
static bool may_copy(const struct ir_program *p, const struct ir_inst *i)
{
    if (i->kind == IR_READ || i->kind == IR_WRITE) {
        return true;
    }
    enum ir_var_kind const kind = p->vars[i->var].kind;
    return !p->vars[i->var].of_struct &&
           (kind == VAR_BUFFER || kind == VAR_LOCAL || kind == VAR_PRIVATE);
}

static void spell_access(struct spelling *s, const struct ir_program *p, struct ir_inst *i)
{
    static const enum ir_spelling ways[] = {SPELLED_COPY, SPELLED_SIZED, SPELLED_COPY,
                                            SPELLED_OBJECT};
    uint64_t const choice = next_choice(s);
    if (field_get(choice, COPY_SHARE) >= s->share || !may_copy(p, i)) {
        return;
    }
    i->spelling = ways[field_get(choice, COPY_WAY)];
    bool const is_write = i->kind == IR_STORE || i->kind == IR_WRITE;
    enum ir_type const type = is_write ? i->arg[1]->type : i->type;
    /* a truth value has no size */
    if (i->spelling == SPELLED_SIZED && (!s->has_sized || type == IR_BOOL)) {
        i->spelling = SPELLED_COPY;
    }
    s->n_spelled++;
}

static void spell_inst(struct spelling *s, const struct ir_program *p, struct ir_inst *i)
{
    if (i->kind == IR_LOAD || i->kind == IR_STORE || i->kind == IR_READ || i->kind == IR_WRITE) {
        spell_access(s, p, i);
    }
    for (size_t k = 0; k < ARRAY_N(i->body); k++) {
        spell_block(s, p, i->body[k]);
    }
    for (uint32_t k = 0; i->arms && k < i->arms->n_arms; k++) {
        spell_block(s, p, i->arms->arm[k].block);
    }
    if (i->tested) {
        spell_block(s, p, i->tested->test);
        spell_block(s, p, i->tested->step);
    }
}

static void spell_block(struct spelling *s, const struct ir_program *p, struct ir_block *b)
{
    for (struct ir_inst *i = b ? b->first : NULL; i; i = i->next) {
        spell_inst(s, p, i);
    }
}

uint32_t spelling_choose(struct ir_program *p, struct tape *t)
{
    static const uint8_t shares[] = {0, 0, 0, 0, 0, 1, 3, 4};
    struct spelling s = {
        .share = shares[tape_take_below(t, ARRAY_N(shares), ROLE_FORM)],
        .seed = tape_take_u64(t, ROLE_FORM),
        .has_sized = p->env == ENV_CL,
    };
    /* what is decorated where it means nothing is a load, and nothing after it */
    if (s.share > 0 && !(p->odd & ODD_LOAD) && p->ok) {
        spell_block(&s, p, &p->main);
    }
    return s.n_spelled;
}

void spelling_choose_constants(struct ir_program *p, struct tape *t)
{
    static const uint8_t forms[] = {0, 0, 0, 0, 0, 1, 2, 3};
    uint32_t const form = forms[tape_take_below(t, ARRAY_N(forms), ROLE_FORM)];
    p->zeros_are_null = form & 1 && !(p->odd & ODD_CONSTANT);
    p->vectors_are_constant = form & 2;
}
