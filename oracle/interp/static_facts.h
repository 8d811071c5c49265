/* oracle/interp/static_facts.h -- tells from the module alone which operands, value type and storage class an
 * instruction has. */
#pragma once

#include "base/testcase.h"
#include "oracle/interp/module.h"
#include "oracle/tables/storage.h"

/* Words of an instruction's operands, 0 for none. */
struct group_words {
    uint32_t scope, operation, value, second, other, cluster, pattern, ballot;
};
struct group_words group_words_of(const struct mod_inst *in);
/* Word of the instruction that names its value; 0 where it has none, or is no group instruction. */
uint32_t static_group_value(const struct mod_inst *in);

/* Type id of the value that an atomic works on. */
uint32_t static_value_type(const struct module *m, const struct mod_inst *in);
/* What an atomic's pointer names, or the scope and operation of a group instruction; STORAGE_NONE of
 * any other instruction. */
enum storage static_storage(const struct module *m, const struct mod_inst *in);
enum storage static_group_storage(const struct module *m, const struct mod_inst *in);
/* Of an atomic: its value's; of a group instruction: its operand's, else its result's; of any other:
 * its result's. */
enum val_type static_type(const struct module *m, const struct mod_inst *in);

/* Is it an atomic load, store or exchange of 32- or 64-bit floats in OpenCL, which no clause permits?
 * HOLE_CL_FLOAT: nothing says what it may leave or give. */
bool static_is_hole(const struct module *m, enum env env, const struct mod_inst *in);
