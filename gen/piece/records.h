/* gen/piece/records.h -- puts a program fragment of structs: arrays of them in each kind of memory, indexed by data,
 * read and written whole and in parts. */
#pragma once

struct build;
struct tape;

void piece_records_put(struct build *b, struct tape *t);
