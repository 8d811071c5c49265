/* gen/piece/results.h -- puts group operations and atomics of pieces, whose results pieces use. */
#pragma once

#include "gen/ir/ir.h"

struct build;

/* May one of that type stand here? */
bool results_may_shuffle(const struct build *b, enum ir_type type);
bool results_may_scan(const struct build *b, enum ir_type type);
bool results_may_atomic(const struct build *b, enum ir_type type);
/* The result of one on a value v of the type that may stand here. */
struct ir_inst *results_put_shuffle(struct build *b, struct ir_inst *v, uint64_t seed);
struct ir_inst *results_put_scan(struct build *b, struct ir_inst *v, uint64_t seed);
/* The sum over the group, where one may stand here, else v. */
struct ir_inst *results_put_sum(struct build *b, struct ir_inst *v, uint64_t seed);
struct ir_inst *results_put_atomic(struct build *b, struct ir_inst *v, uint64_t seed);
/* The same of an integer that is added. */
struct ir_inst *results_put_added(struct build *b, struct ir_inst *v, uint64_t seed);
