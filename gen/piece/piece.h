/* gen/piece/piece.h -- puts the pieces of a program: a piece is a fragment as real programs have it (a reduction by
 * a tree, a switch, ...), a row of piece.def. A program has a few statements of its base, then up to
 * GRAMMAR_MAX_PIECES of them, by the tape. */
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
enum {
    PIECE_NO_SCOPE = -1
};
struct piece_row {
    const char *id, *text;
    unsigned envs; /* OP_CL, OP_VK */
    uint8_t weight;
    int scope; /* SpvScope of its atomics; PIECE_NO_SCOPE: it has none */
    void (*put)(struct build *b, struct tape *t); /* t: after the decision which piece it is */
};
extern const struct piece_row piece_rows[PIECE_N];

/* The profile whose statements stand before the pieces of a program, and among them; by the first decision of
 * the node of pieces. */
enum profile piece_pick_base(struct tape t);
/* The pieces of a program, in the tape's order. */
void pieces_put(struct build *b, struct tape *t);
