/* gen/tape/grammar.h -- what the generator reads from a tape, as far as tape_random must know it. */
#pragma once

/*
 * root      children: dispatch, modes, cells, hot loop (a block), body (a block), groups,
 *           mathematics (a block of instructions), accuracy, pieces
 * pieces    one piece per child
 * piece     first decision: which; the children block, block, operand, operand
 * cells     children: GRAMMAR_MAX_CELLS nodes, each with one leaf below it
 * block     one statement per child
 * statement first decision below 100: from GRAMMAR_COMPOUND_FROM on an if or a loop with the
 *           children block, block, operand, operand; below that an instruction with the children
 *           order, operand, operand
 * operand   first decision below 100: from GRAMMAR_COMPUTED_FROM on computed of its children
 */
enum {
    GRAMMAR_MAX_CELLS = 6,
    GRAMMAR_COMPOUND_FROM = 76,
    GRAMMAR_COMPUTED_FROM = 72,
    GRAMMAR_MAX_DEPTH = 3,         /* of blocks in blocks */
    GRAMMAR_MAX_OPERAND_DEPTH = 3, /* of operands in operands */
    GRAMMAR_MAX_STATEMENTS = 16,   /* of one block */
    GRAMMAR_MAX_PIECES = 6,
    GRAMMAR_INTERFACE_LEAVES =
        3 /* of the root, after the pieces: dispatches, bindings, spellings */
};
