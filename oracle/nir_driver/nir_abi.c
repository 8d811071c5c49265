/* oracle/nir_driver/nir_abi.c -- what all drivers hand to a program in the same form. */
#include "oracle/nir_driver/nir_abi.h"

#include <string.h>

#include "oracle/nir_driver/nir_driver.h"
#include "oracle/nir_driver/nir_region.h"
#include "oracle/nir_driver/nir_rules.h"

bool nir_abi_make(struct nir_abi *abi, enum nir_driver driver, uint32_t subgroup_size,
                  const struct testcase *tc, const struct nir_program *p, struct arena *a,
                  struct nir_answer *answer)
{
    const struct nir_rules *const rules = nir_driver_get_rules(driver);
    *abi = (struct nir_abi){.rules = rules, .subgroup_size = subgroup_size, .tc = tc};
    memset(abi->numbered, NIR_NO_BUFFER, sizeof abi->numbered);
    return nir_region_make(abi, a, answer) && rules->put(abi, a, answer) &&
           (!rules->read || rules->read(abi, p, a, answer));
}

void nir_abi_begin(struct nir_abi *abi, const struct dispatch *dispatch)
{
    if (abi->rules->begin) {
        abi->rules->begin(abi, dispatch);
    }
}

void nir_place_set_local(struct nir_place *place, const uint32_t size[3])
{
    uint32_t const i = place->local_index;
    place->local[0] = i % size[0];
    place->local[1] = i / size[0] % size[1];
    place->local[2] = i / size[0] / size[1];
}

/* Component c of the work-group's id, and of the invocation's in all dispatches, with the dispatch's base or without. */
static uint64_t get_group(const struct nir_place *place, uint32_t c, bool has_base)
{
    return place->group[c] + (has_base ? (uint64_t)place->dispatch->base[c] : 0);
}
static uint64_t get_global(const struct nir_abi *abi, const struct nir_place *place, uint32_t c)
{
    uint64_t const group = get_group(place, c, !abi->rules->lacks_base_globally);
    return (uint32_t)(group * abi->tc->local[c] + place->local[c]);
}

bool nir_abi_get_id(const struct nir_abi *abi, const struct nir_place *place, struct nir_id id,
                    uint64_t *out)
{
    uint32_t const size = abi->subgroup_size;
    bool const is_vector = id.c < 3;
    *out = 0;
    switch (id.form) {
    case NIR_ID_GROUP:
        *out = is_vector ? get_group(place, id.c, abi->rules->has_base_in_group) : 0;
        return is_vector;
    case NIR_ID_GROUP_BASE:
        *out = is_vector ? place->dispatch->base[id.c] : 0;
        return is_vector;
    case NIR_ID_N_GROUPS:
        *out = is_vector ? place->dispatch->n[id.c] : 0;
        return is_vector;
    case NIR_ID_LOCAL:
        *out = is_vector ? place->local[id.c] : 0;
        return is_vector;
    case NIR_ID_GLOBAL:
        *out = is_vector ? get_global(abi, place, id.c) : 0;
        return is_vector;
    case NIR_ID_LOCAL_INDEX:
        *out = place->local_index;
        return true;
    case NIR_ID_ZERO:
        return true;
    case NIR_ID_LANE:
        *out = place->lane;
        return true;
    case NIR_ID_SUBGROUP_SIZE:
        *out = size;
        return true;
    case NIR_ID_SUBGROUP:
        *out = place->subgroup;
        return true;
    case NIR_ID_N_SUBGROUPS:
        *out = (place->n_in_group + size - 1) / size;
        return true;
    case NIR_ID_SUBGROUP_SHIFT:
        *out = (uint64_t)__builtin_ctz(size);
        return true;
    case NIR_ID_RESOURCE:
        *out = (id.operand & 0xffff) | (uint64_t)(id.index[NIR_INDEX_desc_set] & 0xff) << 16;
        return true;
    case NIR_ID_ARGUMENT:
    case NIR_ID_SUBGROUP_ARGUMENT:
    case NIR_ID_TRAP_REGISTER:
    case NIR_ID_SYSTEM_VALUE:
    case NIR_ID_PUSH_CONSTANT:
    case NIR_ID_SET:
        return abi->rules->get_id && abi->rules->get_id(abi, place, id, out);
    }
    return false;
}

uint32_t nir_abi_find_image(const struct nir_abi *abi, const uint64_t *words, uint32_t n_words)
{
    uint32_t const buffer = n_words ? abi->rules->find_image(abi, words, n_words) : NIR_NO_BUFFER;
    bool const has_texels = buffer < abi->tc->n_bufs && buf_has_texels(abi->tc->bufs[buffer].kind);
    return has_texels ? buffer : NIR_NO_BUFFER;
}
