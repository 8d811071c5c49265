/* gen/piece/piece.c -- what a program is put together from, after the few statements of its base. */
#include "gen/piece/piece.h"

#include "base/spv.h"
#include "gen/ir/legal.h"
#include "gen/piece/dead.h"
#include "gen/piece/def_use.h"
#include "gen/piece/exchange.h"
#include "gen/piece/flow.h"
#include "gen/piece/keep.h"
#include "gen/piece/numbers.h"
#include "gen/piece/records.h"
#include "gen/piece/rounds.h"
#include "gen/plan/body.h"
#include "gen/plan/build.h"

/* The smallest piece: statements. */
static void piece_plain_block_put(struct build *b, struct tape *t)
{
    struct tape block = tape_fork(t);
    body_put_block(b, &block);
}

#define PIECE_NONE      PIECE_NO_SCOPE
#define PIECE_WORKGROUP SpvScopeWorkgroup
#define PIECE_DEVICE    SpvScopeDevice
#define CL              OP_CL
#define VK              OP_VK
const struct piece_row piece_rows[PIECE_N] = {
#define PIECE(id, weight, envs, scope, text)                                                       \
    {#id, text, envs, weight, PIECE_##scope, piece_##id##_put},
#include "gen/piece/piece.def"
};
#undef CL
#undef VK
#undef PIECE_NONE
#undef PIECE_WORKGROUP
#undef PIECE_DEVICE

enum profile piece_pick_base(struct tape t)
{
    static const enum profile bases[] = {PROFILE_ATOMICS, PROFILE_ARITH, PROFILE_GROUPS,
                                         PROFILE_ALL};
    static const uint8_t weights[] = {40, 25, 30, 5};
    return bases[build_draw(&t, weights, ARRAY_N(weights), ROLE_MODE)];
}

static void put_piece(struct build *b, struct tape *t)
{
    uint8_t weights[PIECE_N];
    unsigned const env = b->env == ENV_CL ? OP_CL : OP_VK;
    for (int i = 0; i < PIECE_N; i++) {
        const struct piece_row *const row = &piece_rows[i];
        bool const may =
            row->scope == PIECE_NO_SCOPE || legal_may_scope(&b->p, (uint32_t)row->scope);
        weights[i] = (row->envs & env) && may ? row->weight : 0;
    }
    tape_name_node(t, NODE_PIECE);
    unsigned const which = build_draw(t, weights, PIECE_N, ROLE_STATEMENT);
    piece_rows[which].put(b, t);
    b->info.n_pieces++;
}

void pieces_put(struct build *b, struct tape *t)
{
    enum {
        SWEEP_PERCENT = 97
    };
    tape_name_node(t, NODE_PIECES);
    tape_skip(t, 1); /* the base */
    bool const has_sweep = tape_take_chance(t, SWEEP_PERCENT, ROLE_FORM);
    struct tape sweep = *t; /* its own decisions follow in this node */
    tape_skip(t, 2);
    for (int i = 0; i < GRAMMAR_MAX_PIECES && tape_has_child(t) && build_has_room(b); i++) {
        struct tape one = tape_fork(t);
        put_piece(b, &one);
    }
    if (has_sweep && build_has_room(b)) {
        piece_sweep_put(b, &sweep);
    }
}
