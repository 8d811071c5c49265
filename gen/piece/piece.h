/* gen/piece/piece.h -- what a program is put together from, after the few statements of its base. */
#pragma once

#include "gen/tape/profile.h"
#include "gen/tape/tape.h"

struct build;

enum piece {
#define PIECE(id, ...) PIECE_##id,
#include "gen/piece/piece.def"
};
enum {
    PIECE_N = 0
#define PIECE(...) +1
#include "gen/piece/piece.def"
};
struct piece_row {
    const char *id, *text;
    unsigned envs; /* OP_CL, OP_VK */
    uint8_t weight;
    void (*put)(struct build *b, struct tape *t); /* t: after the decision which piece it is */
};
extern const struct piece_row piece_rows[PIECE_N];

/* The profile whose statements stand before the pieces of a program, and among them; by the first decision of
 * the node of pieces. */
enum profile piece_pick_base(struct tape t);
/* The pieces of a program, in the tape's order. */
void pieces_put(struct build *b, struct tape *t);
