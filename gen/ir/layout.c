/* gen/ir/layout.c -- structs that a case has: their members and where these lie. */
#include "gen/ir/layout.h"

#include <assert.h>

#include "gen/ir/ir.h"
#include "gen/ir/legal.h"

/* ---- members ---- */

/* How offsets come about: as they do in OpenCL C, or as in a block of Vulkan, by std430 with room left between. */
struct offsets {
    bool is_natural;
    uint64_t gaps;
    unsigned floats; /* that members may be of */
    bool is_buffer;
};

/* What members are of: some structs have 32-bit types alone. */
static enum ir_type pick_type(const struct ir_program *p, const struct offsets *how,
                              uint64_t palette, uint64_t choice)
{
    static const enum ir_type usual[] = {IR_I32, IR_F32, IR_I32, IR_F32};
    static const enum ir_type more[] = {IR_I32, IR_F32, IR_I16, IR_I64, IR_I16, IR_I32};
    static const enum ir_type all[] = {IR_I8,  IR_F32, IR_I16, IR_I32, IR_I64,
                                       IR_F16, IR_F64, IR_I8,  IR_I32};
    enum ir_type const type = palette % 8 < 2   ? usual[choice % ARRAY_N(usual)]
                              : palette % 8 < 4 ? more[choice % ARRAY_N(more)]
                                                : all[choice % ARRAY_N(all)];
    bool const is_rare = type == IR_F16 || type == IR_F64;
    struct ir_var const v = {.kind = how->is_buffer ? VAR_BUFFER : VAR_PRIVATE, .type = type};
    if (is_rare && !(how->floats >> (type - IR_F16) & 1)) {
        return IR_F32;
    }
    return legal_may_var(p, &v) ? type : IR_I32;
}

uint32_t layout_take_digit(uint64_t *digits, uint32_t n)
{
    uint32_t const one = (uint32_t)(*digits % n);
    *digits = *digits / n + *digits % 1021 * UINT64_C(0x9e3779b97f4a7c15);
    return one;
}

static uint32_t count_scalars(const struct ir_struct *s)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n_fields; i++) {
        const struct ir_field *const f = &s->field[i];
        uint32_t const one = f->inner ? count_scalars(f->inner) : f->n_components;
        n += one * (f->length ? f->length : 1);
    }
    return n;
}

/* ---- where they lie ---- */

static uint32_t round_up(uint32_t n, uint32_t step)
{
    return (n + step - 1) / step * step;
}

static void lay_out(struct ir_struct *s, struct offsets *how)
{
    uint32_t end = 0;
    s->alignment = 1;
    for (uint32_t i = 0; i < s->n_fields; i++) {
        struct ir_field *const f = &s->field[i];
        uint32_t const number = f->inner ? 0 : ir_type_bits(f->type) / 8;
        uint32_t const wide = f->n_components == 3 ? 4 : f->n_components;
        uint32_t const alignment = f->inner ? f->inner->alignment : number * wide;
        uint32_t const one = f->inner          ? f->inner->n_bytes
                             : how->is_natural ? number * wide
                                               : number * f->n_components;
        bool const has_gap = layout_take_digit(&how->gaps, 8) == 7 && !how->is_natural;
        f->stride = round_up(one, alignment);
        f->offset = round_up(end, alignment) + (has_gap ? alignment : 0);
        end = f->offset + (f->length ? f->stride * f->length : one);
        s->alignment = alignment > s->alignment ? alignment : s->alignment;
    }
    bool const has_gap = layout_take_digit(&how->gaps, 8) == 7 && !how->is_natural;
    s->n_bytes = round_up(end, s->alignment) + (has_gap ? s->alignment : 0);
}

/* ---- a struct ---- */

enum {
    INNER_FIELDS = 3,
    LEAST_INNER = 4 /* numbers that are left for a struct in a struct */
};

static const struct ir_struct *make_struct(struct ir_program *p, uint64_t *digits, uint32_t n_most,
                                           uint32_t n_scalars, struct offsets *how);

/* One more member, of at most n_scalars numbers. */
static bool add_field(struct ir_program *p, struct ir_struct *s, uint64_t *digits, uint64_t palette,
                      uint32_t n_scalars, bool may_nest, struct offsets *how)
{
    static const uint8_t lengths[] = {0, 0, 0, 0, 2, 3, 2, 0};
    static const uint8_t components[] = {1, 1, 1, 2, 1, 3, 4, 1};
    struct ir_field f = {.type = pick_type(p, how, palette, layout_take_digit(digits, 90))};
    f.length = lengths[layout_take_digit(digits, ARRAY_N(lengths))];
    f.n_components = components[layout_take_digit(digits, ARRAY_N(components))];
    if (layout_take_digit(digits, 6) == 5 && may_nest && n_scalars >= LEAST_INNER) {
        f.length = f.length && n_scalars >= 2 * LEAST_INNER ? 2 : 0;
        f.inner = make_struct(p, digits, INNER_FIELDS, n_scalars / (f.length ? 2 : 1), how);
        f.n_components = 1;
        s->field[s->n_fields++] = f;
        return f.inner != NULL;
    }
    if (f.n_components * (f.length ? f.length : 1) > n_scalars) {
        f.length = 0;
        f.n_components = 1;
    }
    s->field[s->n_fields++] = f;
    return true;
}

static const struct ir_struct *make_struct(struct ir_program *p, uint64_t *digits, uint32_t n_most,
                                           uint32_t n_scalars, struct offsets *how)
{
    struct ir_struct *const s = ARENA_NEW(p->a, struct ir_struct, 1);
    uint64_t const palette = layout_take_digit(digits, 8);
    uint32_t const n = 2 + layout_take_digit(digits, n_most - 1);
    for (uint32_t i = 0; s && i < n && count_scalars(s) < n_scalars; i++) {
        uint32_t const left = n_scalars - count_scalars(s);
        if (!add_field(p, s, digits, palette, left, n_most > INNER_FIELDS, how)) {
            return NULL;
        }
    }
    if (s) {
        lay_out(s, how);
    }
    return s;
}

const struct ir_struct *layout_make(struct ir_program *p, uint64_t choice, uint64_t gaps,
                                    unsigned floats, bool is_buffer)
{
    struct offsets how = {
        .is_natural = p->env == ENV_CL, .gaps = gaps, .floats = floats, .is_buffer = is_buffer};
    const struct ir_struct *const s =
        make_struct(p, &choice, IR_MAX_FIELDS, LAYOUT_MAX_SCALARS, &how);
    p->ok &= s != NULL;
    return s;
}

/* ---- leaves ---- */

uint32_t layout_count_leaves(const struct ir_struct *s)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n_fields; i++) {
        const struct ir_field *const f = &s->field[i];
        n += (f->inner ? layout_count_leaves(f->inner) : 1) * (f->length ? f->length : 1);
    }
    return n;
}

static void add_index(struct ir_program *p, struct ir_path *path, uint32_t index)
{
    assert(path->n < IR_MAX_PATH);
    path->index[path->n++] = ir_const(p, IR_I32, index);
}

/* Returns leaf number `at` of the struct s, a number or vector, and the path to it. Each iteration goes one
 * level down: it finds the member that holds the leaf, by counting the leaves of the members before it, and
 * the element if that member is an array. */
struct leaf layout_get_leaf(struct ir_program *p, const struct ir_struct *s, uint32_t at)
{
    struct leaf out = {.n_components = 1};
    while (s) {
        uint32_t member = 0, n_of_element = 0, n_of_member = 0; /* leaves */
        for (; member < s->n_fields; member++, at -= n_of_member) {
            const struct ir_field *const f = &s->field[member];
            n_of_element = f->inner ? layout_count_leaves(f->inner) : 1;
            n_of_member = n_of_element * (f->length ? f->length : 1);
            if (at < n_of_member) {
                break;
            }
        }
        assert(member < s->n_fields);
        const struct ir_field *const f = &s->field[member];
        add_index(p, &out.path, member);
        if (f->length) {
            add_index(p, &out.path, at / n_of_element);
        }
        at %= n_of_element;
        out.type = f->type;
        out.n_components = f->n_components;
        s = f->inner;
    }
    return out;
}
