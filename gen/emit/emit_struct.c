/* gen/emit/emit_struct.c -- structs as values: their parts, and what they are made of. */
#include "gen/emit/emit_struct.h"

#include <assert.h>

#include "base/spv.h"

/* Puts the path's literals after the n words; returns how many there are then. */
static uint32_t put_literals(const struct ir_path *path, uint32_t *words, uint32_t n)
{
    for (uint32_t k = 0; k < path->n; k++) {
        assert(path->index[k]->kind == IR_CONST);
        words[n++] = (uint32_t)path->index[k]->bits;
    }
    return n;
}

void emit_member(struct emit *e, struct ir_inst *i)
{
    uint32_t words[IR_MAX_PATH + 3];
    words[0] = emit_part_type(e, i->arg[0]->of_struct, i->is_laid_out, i->path);
    words[1] = emit_value(e, i);
    words[2] = emit_value(e, i->arg[0]);
    spv_put(&e->main, SpvOpCompositeExtract, words, put_literals(i->path, words, 3));
}

void emit_insert(struct emit *e, struct ir_inst *i)
{
    uint32_t words[IR_MAX_PATH + 4];
    words[0] = emit_value_type(e, i);
    words[1] = emit_value(e, i);
    words[2] = emit_value(e, i->arg[1]);
    words[3] = emit_value(e, i->arg[0]);
    spv_put(&e->main, SpvOpCompositeInsert, words, put_literals(i->path, words, 4));
}

/* The numbers and vectors that structs are made of, of which the first `at` are used. */
struct leaves {
    struct ir_inst *const *leaf;
    uint32_t at;
};

static void put_struct(struct emit *e, const struct ir_struct *s, bool is_laid_out, uint32_t id,
                       struct leaves *of);

static uint32_t put_item(struct emit *e, const struct ir_field *f, bool is_laid_out,
                         struct leaves *of)
{
    if (!f->inner) {
        return emit_value(e, of->leaf[of->at++]);
    }
    uint32_t const id = emit_new_id(e);
    put_struct(e, f->inner, is_laid_out, id, of);
    return id;
}

static uint32_t put_field(struct emit *e, const struct ir_struct *s, uint32_t at, bool is_laid_out,
                          struct leaves *of)
{
    const struct ir_field *const f = &s->field[at];
    uint32_t items[IR_MAX_VECTOR];
    if (f->length == 0) {
        return put_item(e, f, is_laid_out, of);
    }
    for (uint32_t k = 0; k < f->length; k++) {
        items[k] = put_item(e, f, is_laid_out, of);
    }
    uint32_t const type = emit_field_type(e, s, is_laid_out, at);
    return emit_result(e, &e->main, SpvOpCompositeConstruct, type, items, f->length);
}

static void put_struct(struct emit *e, const struct ir_struct *s, bool is_laid_out, uint32_t id,
                       struct leaves *of)
{
    uint32_t words[IR_MAX_FIELDS + 2] = {emit_struct_type(e, s, is_laid_out), id};
    for (uint32_t k = 0; k < s->n_fields; k++) {
        words[k + 2] = put_field(e, s, k, is_laid_out, of);
    }
    spv_put(&e->main, SpvOpCompositeConstruct, words, s->n_fields + 2);
}

void emit_construct(struct emit *e, struct ir_inst *i)
{
    struct leaves of = {.leaf = i->part};
    put_struct(e, i->of_struct, i->is_laid_out, emit_value(e, i), &of);
}
