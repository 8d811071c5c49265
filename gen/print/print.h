/* gen/print/print.h -- computes the source text of a case from its module: what a driver's front end is given
 * instead of the module. One walk over a view of the module; text and memory are linear in it, but for copies of
 * functions that take pointers. */
#pragma once

#include "base/testcase.h"

/*
 * Make tc a case of that language: its text is printed from its module. What the text has no words for and
 * what means nothing to a judge who does not know it is taken out of the module (decorations of accuracy,
 * versions); needs and build options are those of the text. A case of text is printed anew from its module. For
 * LANGUAGE_SPIRV the text goes and the module stays.
 *
 * The spelling is drawn, as an author might choose it (explicit orders and scopes or none, volatile or not, ...),
 * by the case's tape_hash and the instruction's id, so that one case is always the same text.
 *
 * RES_LIMIT: the language has no words for it; the sentence names the instruction. RES_NOMEM: the arena is
 * full. tc is whole, and unchanged, after either.
 */
MUST_USE enum res print_set_language(struct testcase *tc, enum language language, struct arena *a,
                                     struct err *e);
