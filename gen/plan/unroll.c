/* gen/plan/unroll.c -- how much a loop with the hint Unroll may become. */
#include "gen/plan/unroll.h"

#include "base/spv.h"

static uint64_t limit_block(struct ir_block *block);

/* The instructions of the blocks of a construct, once each. */
static uint64_t limit_parts(const struct ir_inst *i)
{
    uint64_t n = 0;
    for (uint32_t k = 0; k < 2; k++) {
        n += limit_block(i->body[k]);
    }
    for (uint32_t k = 0; i->arms && k < i->arms->n_arms; k++) {
        n += limit_block(i->arms->arm[k].block);
    }
    if (i->tested) {
        n += limit_block(i->tested->test) + limit_block(i->tested->step);
    }
    return n + (i->function ? limit_block(i->function->body) : 0);
}

static uint64_t limit_block(struct ir_block *block)
{
    uint64_t n = 0;
    for (struct ir_inst *i = block ? block->first : NULL; i; i = i->next) {
        uint64_t parts = limit_parts(i);
        bool const is_loop = i->kind == IR_LOOP || i->kind == IR_TESTED_LOOP;
        if (is_loop && i->hint && (i->hint->mask & SpvLoopControlUnrollMask)) {
            uint64_t const all = parts * (i->hint->n_most ? i->hint->n_most : 1);
            uint64_t const most = i->hint->may_be_large ? UNROLL_MOST_LARGE : UNROLL_MOST;
            i->hint->mask &= all > most ? ~(uint32_t)SpvLoopControlUnrollMask : UINT32_MAX;
            parts = all > most ? parts : all;
        }
        n += 1 + parts;
    }
    return n;
}

uint64_t unroll_limit(struct ir_program *p)
{
    return limit_block(&p->main);
}
