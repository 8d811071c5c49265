/* fuzz/pool/targets_edges.c -- how many edges of a driver are counted: asked of its worker. */
#include "fuzz/pool/targets_edges.h"

#include "base/caps.h"
#include "fuzz/pool/slot.h"

#define EDGES_ARENA_BYTES ((size_t)16 << 20)

enum res targets_get_edges(const struct target *t, uint32_t *n_edges, struct err *e)
{
    struct arena a;
    const char *facts = "";
    *n_edges = 0;
    if (t->kind == TARGET_SIM) {
        return RES_OK;
    }
    arena_init(&a, EDGES_ARENA_BYTES);
    enum res const r = slot_get_facts(t, &a, &facts, e);
    *n_edges = (uint32_t)facts_number(facts, "worker.edges");
    arena_free(&a);
    return r;
}
