/* oracle/interp/availability.c -- does a plain access reach other invocations, once a barrier orders it? */
#include "oracle/interp/availability.h"

/* The value of the constant that a word names; `none`: it names none. */
static uint64_t get_constant(const struct module *m, const struct mod_inst *in, uint32_t word,
                             uint64_t none)
{
    uint32_t const id = module_get_operand(m, in, word);
    return m->ids[id].flags & ID_CONSTANT ? m->consts[m->ids[id].slot].bits : none;
}

bool availability_is_by_barriers(const struct module *m)
{
    enum {
        SCOPE = 2, /* words */
        SEMANTICS,
        ORDERS =
            SpvMemorySemanticsAcquireReleaseMask | SpvMemorySemanticsSequentiallyConsistentMask,
        SHARES = SpvMemorySemanticsMakeAvailableMask | SpvMemorySemanticsMakeVisibleMask
    };
    for (uint32_t i = 0; i < m->n_code; i++) {
        const struct mod_inst *const in = &m->code[i];
        if (in->op != SpvOpControlBarrier || in->n <= SEMANTICS) {
            continue;
        }
        uint64_t const bits = get_constant(m, in, SEMANTICS, 0);
        bool const is_of_group =
            availability_is_of_group(get_constant(m, in, SCOPE, SpvScopeInvocation));
        if (is_of_group && (bits & ORDERS) && (bits & SHARES) != SHARES) {
            return false;
        }
    }
    return true;
}

/* The word of the scope in which an access makes available, of a store, or visible, of a load: after the operands, and the
 * alignment, if there is one. */
static uint32_t find_scope(uint32_t at, uint32_t operands)
{
    return at + 1 + ((operands & SpvMemoryAccessAlignedMask) != 0);
}

bool availability_is_shared(const struct module *m, const struct mod_inst *in)
{
    bool const is_store = in->op == SpvOpStore;
    uint32_t const at = is_store ? MOD_STORE_OBJECT + 1 : MOD_OPERAND + 1;
    uint32_t const operands = in->n > at ? in->w[at] : 0;
    uint32_t const own =
        is_store ? SpvMemoryAccessMakePointerAvailableMask : SpvMemoryAccessMakePointerVisibleMask;
    bool const is_private = !(operands & SpvMemoryAccessNonPrivatePointerMask);
    bool const is_own =
        (operands & own) &&
        availability_is_of_group(get_constant(m, in, find_scope(at, operands), SpvScopeInvocation));
    return !m->is_vulkan_model || (!is_private && (is_own || m->barriers_share));
}
