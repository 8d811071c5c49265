/* gen/piece/records.h -- the piece of structs: arrays of them in each kind of memory, indexed by data. */
#pragma once

struct build;
struct tape;

void piece_records_put(struct build *b, struct tape *t);
