/* oracle/interp/path.c -- the path that each invocation took, and the context it is in, as numbers. */
#include "oracle/interp/path.h"

enum {
    PATH_MASK = 1023, /* of the buckets */
    TAG_CALL = 1,     /* second numbers of contexts: calls, and loops by iteration */
    TAG_LOOP = 2
};

/* The number of the pair (a, b) taken from path or context `from`: each different step is kept once, in a
 * hash table, and its index is the number. So two invocations have the same number exactly if they came
 * the same way. 0 and x->stop: the arena is full. */
uint32_t path_step(struct exec *x, uint32_t from, uint32_t a, uint32_t b)
{
    uint64_t h = ((uint64_t)from << 32 | a) * UINT64_C(0x9e3779b97f4a7c15) + b;
    h = (h ^ h >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    uint32_t *const bucket = &x->path_buckets[h >> 40 & PATH_MASK];
    for (uint32_t i = *bucket; i; i = x->paths[i].next) {
        const struct path_step *s = &x->paths[i];
        if (s->from == from && s->by[0] == a && s->by[1] == b) {
            return i;
        }
    }
    struct path_step *paths = arena_grow(x->a, x->paths, x->n_paths, &x->cap_paths, sizeof *paths);
    if (!paths) {
        (void)exec_stop(x, "arena full");
        return 0;
    }
    x->paths = paths;
    x->paths[x->n_paths] = (struct path_step){
        .from = from, .by = {a, b},
             .next = *bucket
    };
    *bucket = x->n_paths;
    return x->n_paths++;
}

/* One more construct around the invocation. */
static struct construct *push(struct exec *x, struct invocation *inv)
{
    if (inv->n_constructs + 1 >=
        MOD_MAX_CONSTRUCTS) { /* the construct that was left last needs an entry too */
        (void)exec_stop(x, "control flow nested too deep");
        return NULL;
    }
    struct construct *c = &inv->construct[inv->n_constructs++];
    *c = (struct construct){.path = inv->path, .context = inv->context};
    return c;
}

/* How many constructs there are up to the one with the header at pc, itself counted; 0: the invocation
 * is in none, as far as this call of the function goes (merge 0 marks where the call begins). */
static uint32_t find_construct(const struct invocation *inv, uint32_t pc)
{
    for (uint32_t n = inv->n_constructs; n > 0 && inv->construct[n - 1].merge != 0; n--) {
        if (inv->construct[n - 1].pc == pc) {
            return n;
        }
    }
    return 0;
}

/* Enters the construct (a selection or loop) of a merge instruction. A selection is a new construct. The header of
 * a loop is passed in each iteration: in the first one the construct is new; in later ones the invocation is still
 * in it, and the constructs inside it, which a branch to the continue target has left, are removed. The context
 * counts iterations, because invocations in different iterations have not converged. */
int path_enter(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    enum {
        MERGE_BLOCK = 1 /* word of both merge instructions */
    };
    uint32_t const pc = (uint32_t)(in - x->m->code);
    if (in->n < 3) {
        return exec_stop(x, "a merge instruction without operands");
    }
    bool const is_loop = in->op == SpvOpLoopMerge;
    uint32_t const n_around = is_loop ? find_construct(inv, pc) : 0;
    bool const is_again = n_around > 0;
    inv->n_constructs = is_again ? n_around : inv->n_constructs; /* leaves those inside the loop */
    struct construct *c = is_again ? &inv->construct[n_around - 1] : push(x, inv);
    if (!c) {
        return 0;
    }
    c->merge = in->w[MERGE_BLOCK];
    c->pc = pc;
    if (!is_loop) {
        return 1;
    }
    c->iteration++;
    /* two bits of a context's number are its tag */
    inv->context = path_step(x, c->context, pc << 2 | TAG_LOOP, c->iteration);
    return x->stop == NULL;
}

int path_call(struct exec *x, struct invocation *inv)
{
    struct construct *c = push(x, inv);
    if (!c) {
        return 0;
    }
    c->pc = inv->pc - 1;
    inv->context = path_step(x, c->context, c->pc << 2 | TAG_CALL, 0);
    return x->stop == NULL;
}

void path_return(struct invocation *inv)
{
    while (inv->n_constructs > 0) {
        const struct construct *c = &inv->construct[--inv->n_constructs];
        inv->context = c->context;
        if (c->merge == 0) {
            return;
        }
    }
}

int path_leave(struct invocation *inv, uint32_t label)
{
    for (uint32_t i = inv->n_constructs; i > 0; i--) {
        const struct construct *c = &inv->construct[i - 1];
        if (c->merge == 0) {
            return 0; /* of the function that called */
        }
        if (c->merge == label) {
            inv->n_constructs = i - 1;
            inv->context = c->context;
            return 1;
        }
    }
    return 0;
}
