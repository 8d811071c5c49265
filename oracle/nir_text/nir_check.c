/* oracle/nir_text/nir_check.c -- widths and numbers of operands. */
#include "oracle/nir_text/nir_check.h"

#include "oracle/nir_text/nir_intrinsic.h"
#include "oracle/nir_text/nir_op.h"

struct check {
    const struct nir_program *p;
    const uint32_t *position;
    struct nir_answer *answer;
    uint32_t line;
};

static bool broken(const struct check *c, const char *what)
{
    return nir_stop(c->answer, NIR_BROKEN, c->line, "%s", what);
}

/* The definition of a value; NULL: nothing defines it. */
static const struct nir_value *find(const struct check *c, uint32_t value)
{
    bool const is_there = value < c->p->n_values && c->p->values[value].n_bits;
    return is_there ? &c->p->values[value] : NULL;
}

/* Is the operand defined, and has it the first n components that an instruction reads of it? */
static bool check_source(const struct check *c, const struct nir_source *s, unsigned n)
{
    const struct nir_value *const v = find(c, s->value);
    if (!v) {
        return broken(c, "an operand is not defined");
    }
    if (s->n && s->n < n) {
        return broken(c, "an operand has too few components");
    }
    for (unsigned i = 0; i < n; i++) {
        if (nir_source_component(s, i) >= v->n_components) {
            return broken(c, "an operand has no such component");
        }
    }
    return true;
}

/* The widths that a signature has fixed so far; 0: not yet. */
struct widths {
    unsigned n, m;
};
/* Does a width fit the letter of a signature? Sets what the letter fixes. */
static bool fits(char letter, unsigned n_bits, struct widths *w)
{
    unsigned *fixed = NULL;
    switch (letter) {
    case 'b':
        return n_bits == 1;
    case 't':
        return n_bits == 1 || n_bits == 32;
    case '8':
        return n_bits == 8;
    case '1':
        return n_bits == 16;
    case '3':
        return n_bits == 32;
    case '6':
        return n_bits == 64;
    case 'f':
    case 'n':
        fixed = &w->n;
        break;
    case 'g':
    case 'm':
        fixed = &w->m;
        break;
    default: /* w: any */
        return true;
    }
    bool const is_float = letter == 'f' || letter == 'g';
    bool const is_first = *fixed == 0;
    *fixed = is_first ? n_bits : *fixed;
    return *fixed == n_bits && (!is_float || nir_is_float_width(n_bits));
}

static bool check_alu(const struct check *c, const struct nir_instruction *in)
{
    const struct nir_op_row *const row = &nir_op_rows[in->row];
    const struct nir_value *const out = find(c, in->value);
    struct widths w = {0};
    if (!out || in->n_sources != row->n_sources) {
        return broken(c, "the number of operands or results is not that of the operation");
    }
    if (!fits(row->signature[0], out->n_bits, &w)) {
        return broken(c, "the result has a width that the operation does not give");
    }
    for (unsigned i = 0; i < in->n_sources; i++) {
        const struct nir_source *const s = &c->p->sources[in->first + i];
        const struct nir_value *const v = find(c, s->value);
        if (!v) {
            return broken(c, "an operand is not defined");
        }
        if (!fits(row->signature[2 + i], v->n_bits, &w)) {
            return broken(c, "an operand has a width that the operation does not take");
        }
        unsigned n = 1;
        if (row->shape == NIR_EACH) {
            n = out->n_components;
        } else if (row->shape == NIR_SUM) {
            n = (unsigned)in->row - NIR_OP_fsum2 + 2;
        } else if (row->shape == NIR_PACK) {
            n = out->n_bits / v->n_bits;
        }
        if (!check_source(c, s, n)) {
            return false;
        }
    }
    unsigned n_components = out->n_components;
    if (row->shape == NIR_VECTOR) {
        n_components = row->n_sources;
    } else if (row->shape == NIR_PACK || row->shape == NIR_SUM) {
        n_components = 1;
    } else if (row->shape == NIR_UNPACK) {
        n_components = find(c, c->p->sources[in->first].value)->n_bits / out->n_bits;
    }
    return out->n_components == n_components ||
           broken(c, "the result has another number of components than the operation gives");
}

static bool check_call(const struct check *c, const struct nir_instruction *in)
{
    const struct nir_intrinsic_row *const row = &nir_intrinsic_rows[in->row];
    if (in->n_sources != row->n_sources || (in->value != NIR_NO_VALUE) != row->has_value) {
        return broken(c, "the number of operands or results is not that of the intrinsic");
    }
    for (unsigned i = 0; i < in->n_sources; i++) {
        const struct nir_source *const s = &c->p->sources[in->first + i];
        if (!check_source(c, s, s->n ? s->n : 1)) {
            return false;
        }
    }
    return true;
}

static bool check_phi(const struct check *c, const struct nir_instruction *in)
{
    const struct nir_value *const out = find(c, in->value);
    if (!out) {
        return broken(c, "a phi has no result");
    }
    for (unsigned i = 0; i < in->n_sources; i++) {
        const struct nir_phi_source *const s = &c->p->phi_sources[in->first + i];
        const struct nir_value *const v = find(c, s->value);
        if (!v || v->n_bits != out->n_bits || v->n_components != out->n_components) {
            return broken(c, "a source of a phi is not defined, or of another type");
        }
        if (c->position[s->block] == NIR_END) {
            return broken(c, "a source of a phi comes from a block that is not there");
        }
    }
    return true;
}

bool nir_check(const struct nir_program *p, const uint32_t *position, struct nir_answer *answer)
{
    struct check c = {p, position, answer, 0};
    for (uint32_t b = 0; b < p->n_blocks; b++) {
        const struct nir_block *const block = &p->blocks[b];
        bool is_behind_phis = false;
        for (uint32_t i = 0; i < block->n; i++) {
            const struct nir_instruction *const in = &p->instructions[block->first + i];
            c.line = in->line;
            if (in->kind == NIR_PHI && is_behind_phis) {
                return broken(&c, "a phi does not stand at the begin of its block");
            }
            is_behind_phis = in->kind != NIR_PHI;
            if (!(in->kind == NIR_PHI   ? check_phi(&c, in)
                  : in->kind == NIR_ALU ? check_alu(&c, in)
                                        : check_call(&c, in))) {
                return false;
            }
        }
        c.line = block->line;
        if (block->target != block->otherwise) {
            if (!check_source(&c, &block->condition, 1)) {
                return false;
            }
        }
    }
    return true;
}
