/* gen/piece/def_use.h -- puts a program fragment of def-use pairs: an instruction defines a value, another one uses it. */
#pragma once

#include "gen/tape/tape.h"

struct build;

void piece_def_use_put(struct build *b, struct tape *t);
