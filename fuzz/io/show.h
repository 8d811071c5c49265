/* fuzz/io/show.h -- a judgement for people and as JSON. */
#pragma once

#include <stdio.h>

#include "fuzz/io/json.h"
#include "oracle/judge/judge.h"

/* Verdict, counts and each finding with its instruction, operands, result, permitted set, clause. */
void show_judgement(const struct testcase *tc, const struct observation *ob,
                    const struct judgement *g, struct arena *a, FILE *f);
/* The same as an object. */
struct json *show_judgement_json(const struct testcase *tc, const struct observation *ob,
                                 const struct judgement *g, struct arena *a);
/* One encoding of a type, "0x3f800000 (1)". */
const char *show_value(enum val_type type, uint64_t value, struct arena *a);
/* What was observed, in its own type; "" where that is no value. */
const char *show_got(const struct finding *f, struct arena *a);
/* Operands of a finding, each in its own type, with commas between. */
const char *show_operands(const struct finding *f, struct arena *a);
/* The line of a module's text (SPIRV_FOR_PEOPLE) at a word offset; "" when there is none. */
const char *show_instruction(const char *disassembly, uint32_t offset, struct arena *a);
