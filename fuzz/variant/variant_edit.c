/* fuzz/variant/variant_edit.c -- what several changes of a variant need: new types and constants, places to put code. */
#include "fuzz/variant/variant_edit.h"

#include <string.h>

#include "base/spv.h"

uint32_t variant_put_pointer(struct variant_edit *e, uint32_t storage, uint32_t pointee)
{
    uint32_t const id = shrink_module_new_id(e->m);
    spv_put(&e->m->globals, SpvOpTypePointer, (uint32_t[]){id, storage, pointee}, 3);
    return id;
}

uint32_t variant_put_composite(struct variant_edit *e, uint32_t type, const uint32_t *ids,
                               uint32_t n)
{
    uint32_t w[2 + VARIANT_MAX_COMPONENTS] = {type, shrink_module_new_id(e->m)};
    if (n > VARIANT_MAX_COMPONENTS) {
        return 0;
    }
    memcpy(w + 2, ids, n * sizeof *ids);
    spv_put(&e->m->globals, SpvOpConstantComposite, w, 2 + n);
    return w[1];
}

static struct spv_words *insert_behind_label(struct variant_edit *e, uint32_t i,
                                             int skips_variables)
{
    const struct shrink_module *const m = e->m;
    while (i < m->n && m->inst[i].op != SpvOpLabel && m->inst[i].op != SpvOpFunctionEnd) {
        i++;
    }
    if (i >= m->n || m->inst[i++].op != SpvOpLabel) {
        return NULL; /* it has no body */
    }
    while (skips_variables && m->inst[i].op == SpvOpVariable) {
        i++;
    }
    return shrink_module_insert(e->m, &e->m->inst[i]);
}

struct spv_words *variant_insert_variables(struct variant_edit *e, uint32_t function)
{
    return insert_behind_label(e, function, 0);
}

struct spv_words *variant_insert_start(struct variant_edit *e, uint32_t function)
{
    return insert_behind_label(e, function, 1);
}
