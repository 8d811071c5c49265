/* tests/documents/sentences.h -- the five specifications as tables: what they say, sentence by sentence, with what shows it,
 * and the units that their texts were cut into. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/caps.h"
#include "base/ops.h"
#include "gen/case/gen.h"
#include "oracle/fault/faults.h"
#include "oracle/judge/judge.h"
#include "oracle/tables/storage.h"

enum document {
    DOC_MIN_MAX,
    DOC_FLOAT_ATOMICS,
    DOC_MAX_ERROR,
    DOC_BALLOT,
    DOC_VECTORS,
    DOC_N
};
static const char *const documents[DOC_N] = {
    "SPV_EXT_shader_atomic_float_min_max", "cl_ext_float_atomics", "SPV_INTEL_fp_max_error",
    "SPV_AMD_shader_ballot", "GL_NV_shader_atomic_fp16_vector"};

/* ---- sentences.def ---- */

enum evidence_kind {
    EVIDENCE_END,
    EVIDENCE_RUN,
    EVIDENCE_SCOPE,
    EVIDENCE_CAUGHT,
    EVIDENCE_LEGAL,
    EVIDENCE_CLAUSE,
    EVIDENCE_NEED,
    EVIDENCE_REFUSED,
    EVIDENCE_TEST,
    EVIDENCE_NONE
};
enum {
    MAX_EVIDENCE = 32,
    ANYTHING = -1,
    VT_ANY = ANYTHING,
    STORAGE_ANY = ANYTHING
};
/* Scopes, by SPIR-V's numbers. */
enum memory_scope {
    SCOPE_CROSS_DEVICE,
    SCOPE_DEVICE,
    SCOPE_WORKGROUP,
    SCOPE_SUBGROUP,
    SCOPE_INVOCATION,
    SCOPE_QUEUE_FAMILY,
    SCOPE_N
};
static const char *const scope_names[SCOPE_N] = {"CrossDevice", "Device",     "Workgroup",
                                                 "Subgroup",    "Invocation", "QueueFamily"};
struct evidence {
    enum evidence_kind kind;
    const char *name; /* of the fault, rule, test and so on; the reason of NONE */
    const char *file; /* of a test */
    int row;          /* in the table of its kind */
    int op;           /* of ops.def: of RUN, SCOPE, CAUGHT and LEGAL, as type and storage */
    int profile, env, type, storage;
    int scope; /* of SCOPE */
};
struct sentence {
    enum document document;
    const char *id, *where, *says;
    struct evidence by[MAX_EVIDENCE + 1];
};

#define SENTENCE(document, id, where, says, ...) ROW_##id,
enum row_id {
#include "tests/documents/sentences.def"
    ROW_N
};
#undef SENTENCE

#define RUN(of_profile, of_env, of_op, of_type, of_storage)                                        \
    {                                                                                              \
        .kind = EVIDENCE_RUN, .name = #of_op, .op = OP_##of_op, .profile = PROFILE_##of_profile,   \
        .env = ENV_##of_env, .type = VT_##of_type, .storage = STORAGE_##of_storage                 \
    }
#define SCOPE(of_env, of_op, of_scope)                                                             \
    {                                                                                              \
        .kind = EVIDENCE_SCOPE, .name = #of_op, .op = OP_##of_op, .profile = PROFILE_ATOMICS,      \
        .env = ENV_##of_env, .type = ANYTHING, .storage = ANYTHING, .scope = SCOPE_##of_scope      \
    }
#define CAUGHT(fault, of_op, of_type, of_storage)                                                  \
    {                                                                                              \
        .kind = EVIDENCE_CAUGHT, .name = #fault, .row = FAULT_##fault, .op = OP_##of_op,           \
        .env = ANYTHING, .type = VT_##of_type, .storage = STORAGE_##of_storage                     \
    }
#define LEGAL(fault, of_op, of_type, of_storage)                                                   \
    {                                                                                              \
        .kind = EVIDENCE_LEGAL, .name = #fault, .row = FAULT_##fault, .op = OP_##of_op,            \
        .env = ANYTHING, .type = VT_##of_type, .storage = STORAGE_##of_storage                     \
    }
#define CLAUSE(id)                                                                                 \
    {                                                                                              \
        .kind = EVIDENCE_CLAUSE, .name = #id, .row = CLAUSE_##id                                   \
    }
#define NEED(id)                                                                                   \
    {                                                                                              \
        .kind = EVIDENCE_NEED, .name = #id, .row = NEED_##id                                       \
    }
#define REFUSED(rule)                                                                              \
    {                                                                                              \
        .kind = EVIDENCE_REFUSED, .name = #rule                                                    \
    }
#define TEST(path, function)                                                                       \
    {                                                                                              \
        .kind = EVIDENCE_TEST, .name = #function, .file = path                                     \
    }
#define NONE(reason)                                                                               \
    {                                                                                              \
        .kind = EVIDENCE_NONE, .name = reason                                                      \
    }
#define SENTENCE(document, id, where, says, ...) {DOC_##document, #id, where, says, {__VA_ARGS__}},
static const struct sentence sentences[ROW_N] = {
#include "tests/documents/sentences.def"
};
#undef SENTENCE

/* ---- units.def ---- */

#define REASON(id, text) REASON_##id,
enum reason {
#define UNIT(document, number, digest, ...)
#include "tests/documents/units.def"
#undef UNIT
    REASON_N
};
#undef REASON
#define REASON(id, text) text,
static const char *const reasons[REASON_N] = {
#define UNIT(document, number, digest, ...)
#include "tests/documents/units.def"
#undef UNIT
};
#undef REASON

enum {
    MAX_UNIT_ROWS = 5
};
/* A sentence, line of a table or line of a grammar of a text. */
struct unit {
    enum document document;
    int number;                  /* from 1 in each text */
    uint64_t digest;             /* of its words */
    int no_row;                  /* enum reason; -1: it has rows */
    int rows[MAX_UNIT_ROWS + 1]; /* one more than their numbers; 0: no more */
};
#define REASON(id, text)
#define ROW(id)        ROW_##id + 1
#define ROWS(...)      .no_row = -1, .rows = {__VA_ARGS__}
#define NO_ROW(reason) .no_row = REASON_##reason
#define UNIT(of_document, of_number, of_digest, ...)                                               \
    {.document = DOC_##of_document,                                                                \
     .number = (of_number),                                                                        \
     .digest = UINT64_C(of_digest),                                                                \
     __VA_ARGS__},
static const struct unit units[] = {
#include "tests/documents/units.def"
};
#undef REASON
#undef ROW
#undef ROWS
#undef NO_ROW
#undef UNIT
