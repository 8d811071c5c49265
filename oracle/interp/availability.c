/* oracle/interp/availability.c -- does a plain access reach other invocations, once a barrier orders it? */
#include "oracle/interp/availability.h"

bool availability_is_by_barriers(const struct module *m)
{
    enum {
        SEMANTICS = 3, /* a word */
        ORDERS =
            SpvMemorySemanticsAcquireReleaseMask | SpvMemorySemanticsSequentiallyConsistentMask,
        SHARES = SpvMemorySemanticsMakeAvailableMask | SpvMemorySemanticsMakeVisibleMask
    };
    for (uint32_t i = 0; i < m->n_code; i++) {
        const struct mod_inst *const in = &m->code[i];
        if (in->op != SpvOpControlBarrier || in->n <= SEMANTICS) {
            continue;
        }
        uint32_t const id = module_get_operand(m, in, SEMANTICS);
        uint64_t const bits = m->ids[id].flags & ID_CONSTANT ? m->consts[m->ids[id].slot].bits : 0;
        if ((bits & ORDERS) && (bits & SHARES) != SHARES) {
            return false;
        }
    }
    return true;
}

bool availability_is_shared(const struct module *m, const struct mod_inst *in)
{
    bool const is_store = in->op == SpvOpStore;
    uint32_t const at = is_store ? MOD_STORE_OBJECT + 1 : MOD_OPERAND + 1;
    uint32_t const operands = in->n > at ? in->w[at] : 0;
    uint32_t const own =
        is_store ? SpvMemoryAccessMakePointerAvailableMask : SpvMemoryAccessMakePointerVisibleMask;
    bool const is_private = !(operands & SpvMemoryAccessNonPrivatePointerMask);
    return !m->is_vulkan_model || (!is_private && ((operands & own) || m->barriers_share));
}
