/* oracle/interp/exec_run.c -- the interpreter's engine: control flow, calls, barriers. */
#include "oracle/interp/exec_run.h"

#include <string.h>

#include "oracle/interp/availability.h"
#include "oracle/interp/exec_int.h"
#include "oracle/interp/exec_memory.h"
#include "oracle/interp/path.h"
#include "oracle/tables/tables.h"

enum {
    MAX_PHIS = 64 /* components of all that are at one label */
};

/* The invocation goes from its block to another: of each loop that both are in the iteration is the same, but one more where
 * the other is its header; one that it comes into is in its first. */
static void count_iterations(const struct module *m, struct invocation *inv, uint32_t label)
{
    uint32_t const from = m->loops_of[inv->label], to = m->loops_of[label];
    for (uint32_t l = 0; to != 0 && l < MOD_MAX_LOOPS; l++) {
        bool const is_in = to >> l & 1, was_in = from >> l & 1;
        if (is_in && !was_in) {
            inv->iteration[l] = 0;
        } else if (is_in && m->loop_header[l] == label) {
            inv->iteration[l]++;
        }
    }
}

/* Reads the values of the phis from code index `first` on, each from the block that the invocation comes from, before
 * any phi is written, because phis of one block take effect at once. value: of MAX_PHIS components. Returns the index after
 * the last phi, or 0 with x->stop set. */
static uint32_t read_phis(struct exec *x, struct invocation *inv, uint32_t first, struct val *value)
{
    enum {
        FIRST_PAIR = MOD_OPERAND /* word of a phi: a value, then the block that it belongs to */
    };
    const struct module *const m = x->m;
    uint32_t n = 0, pc = first;
    for (; m->code[pc].op == SpvOpPhi; pc++) {
        const struct mod_inst *in = &m->code[pc];
        uint32_t i = FIRST_PAIR;
        while (i + 1 < in->n && in->w[i + 1] != inv->label) {
            i += 2;
        }
        uint32_t const n_slots =
            i + 1 < in->n && exec_has_type(x, in->w[i], in->type) ? m->ids[in->w[i]].n_slots : 0;
        if (n_slots == 0 || n_slots > MAX_PHIS - n) {
            (void)exec_stop(x, "a phi that is not interpreted");
            return 0;
        }
        for (uint32_t c = 0; c < n_slots; c++) {
            value[n++] = exec_reg(x, inv, in->w[i])[c];
        }
    }
    return pc;
}

/* Enters a block: its phis take their values, and the code after them is next. At a label where a construct ends the
 * invocation waits for the others (INV_MERGE) if paths are recorded, because a group instruction needs to know which
 * invocations have converged. */
static int enter_label(struct exec *x, struct invocation *inv, uint32_t label)
{
    const struct module *m = x->m;
    struct val value[MAX_PHIS];
    uint32_t const at = label < m->n_ids ? m->label_at[label] : UINT32_MAX;
    if (at == UINT32_MAX) {
        return exec_stop(x, "a branch to something that is no label");
    }
    uint32_t const first = at + 1, pc = read_phis(x, inv, first, value);
    if (pc == 0) {
        return 0;
    }
    const struct val *from_value = value;
    for (uint32_t i = first; i < pc; i++) {
        uint32_t const n_slots = m->ids[m->code[i].result].n_slots;
        memcpy(exec_reg(x, inv, m->code[i].result), from_value, sizeof *value * n_slots);
        from_value += n_slots;
    }
    for (uint32_t i = first; i < pc; i++) {
        if (!exec_propagate(x, inv, &m->code[i])) {
            return 0;
        }
    }
    uint32_t const from = inv->label;
    if (m->loops_of) {
        count_iterations(m, inv, label);
    }
    inv->label = label;
    inv->pc = pc;
    inv->n_blocks++;
    if (x->hooks->enter) {
        x->hooks->enter(x, inv, from);
    }
    if (x->path_buckets && path_leave(inv, label)) {
        inv->state = INV_MERGE;
    }
    if (label == x->end_label) { /* of exec_run_iteration; 0 otherwise, which is no label */
        inv->state = INV_DONE;
    }
    return 1;
}

/* The label that a branch goes to: the one that it is to go to, or what the hook says. */
static uint32_t get_way(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                        uint32_t label)
{
    return x->hooks->way ? x->hooks->way(x, inv, in, label) : label;
}

/* Executes OpBranch or OpBranchConditional: continues at the label that the condition selects. If
 * the condition is unknown, the hook chooses a side, or ends the run of this invocation. In a
 * module with group instructions the chosen label becomes part of the invocation's path. */
static int run_branch(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    enum {
        TARGET = 1,    /* word of OpBranch */
        CONDITION = 1, /* words of OpBranchConditional */
        TRUE_LABEL,
        FALSE_LABEL
    };
    if (in->op == SpvOpBranch) {
        return enter_label(x, inv, in->n > TARGET ? in->w[TARGET] : 0);
    }
    uint64_t bits;
    uint32_t const condition = module_get_operand(x->m, in, CONDITION);
    if (in->n <= FALSE_LABEL || x->m->ids[condition].n_slots != 1) {
        return exec_stop(x, "a branch without a condition");
    }
    if (!exec_known(x, *exec_reg(x, inv, condition), &bits)) {
        if (!x->hooks->choose) {
            return exec_stop_unknown(x, "a branch on a value that is not determined");
        }
        if (!x->hooks->choose(x, inv, &bits)) {
            return 0;
        }
        if (inv->state != INV_READY) { /* this path was explored before */
            return 1;
        }
    }
    /* a simulated device may go to another label */
    uint32_t const label = get_way(x, inv, in, in->w[bits ? TRUE_LABEL : FALSE_LABEL]);
    if (x->path_buckets) {
        inv->path = path_step(x, inv->path, label, 0);
    }
    return enter_label(x, inv, label);
}

/* The label that OpSwitch goes to with the selector `bits`, of n_bits. A literal has the words of the selector's width;
 * what a narrow one has above its width does not count. */
static uint32_t find_target(const struct mod_inst *in, uint64_t bits, unsigned n_bits)
{
    enum {
        DEFAULT = 2, /* words */
        FIRST_LITERAL
    };
    uint32_t const n_words = n_bits > 32 ? 2 : 1;
    uint64_t const mask = n_bits < 64 ? (UINT64_C(1) << n_bits) - 1 : UINT64_MAX;
    for (uint32_t i = FIRST_LITERAL; i + n_words < in->n; i += n_words + 1) {
        uint64_t const high = n_words == 2 ? in->w[i + 1] : 0;
        if (((high << 32 | in->w[i]) & mask) == bits) {
            return in->w[i + n_words];
        }
    }
    return in->w[DEFAULT];
}

/* OpSwitch: goes to the label of the first literal that the selector is, else to the default one. A selector that is
 * not known decides nothing: no hook chooses among many ways. The selector becomes part of the path, as those who
 * come to one label by different ones need not be together (SPV_KHR_maximal_reconvergence). */
static int run_switch(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    enum {
        SELECTOR = 1, /* words */
        DEFAULT
    };
    uint64_t bits;
    uint32_t const selector = module_get_operand(x->m, in, SELECTOR);
    const struct mod_id *const id = &x->m->ids[selector];
    const struct mod_type *const t = &x->m->ids[id->type < x->m->n_ids ? id->type : 0].t;
    if (in->n <= DEFAULT || id->n_slots != 1 || t->kind != TK_INT) {
        return exec_stop(x, "a switch without a selector");
    }
    if (!exec_known(x, *exec_reg(x, inv, selector), &bits)) {
        return exec_stop_unknown(x, "a switch on a value that is not determined");
    }
    uint32_t const label = get_way(x, inv, in, find_target(in, bits, t->bits));
    if (x->path_buckets) {
        inv->path = path_step(x, inv->path, label, 0);
        inv->path = path_step(x, inv->path, (uint32_t)bits, (uint32_t)(bits >> 32));
    }
    return enter_label(x, inv, label);
}

/* Is the function running already, as the entry point or by a call that has not returned? */
static bool is_running(const struct module *m, const struct invocation *inv, uint32_t function)
{
    bool is_found = m->code[m->entry].result == function;
    for (uint32_t i = 0; i < inv->depth; i++) {
        const struct mod_inst *call =
            &m->code[inv->call[i].pc - 1]; /* pc: of the instruction after the call */
        is_found |= call->w[MOD_OPERAND] == function;
    }
    return is_found;
}

/* Executes OpFunctionCall: records where to continue, copies the arguments to the parameters and enters the
 * function's first block. In a module with group instructions the call becomes part of the invocation's context
 * (path_call), which fails where constructs are nested too deep or memory is exhausted. Returns 0 with x->stop set
 * in that case, and where the call does not fit the function, is nested too deep, or is a recursion. SPIR-V
 * permits no recursion, and it could not be interpreted: each function has one set of registers, so that f(b, a)
 * within f(a, b) would overwrite b before it is read. */
static int run_call(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    enum {
        FUNCTION = MOD_OPERAND, /* words */
        FIRST_ARGUMENT
    };
    const struct module *m = x->m;
    uint32_t const function = in->n > FUNCTION ? in->w[FUNCTION] : 0;
    uint32_t pc = function < m->n_ids ? m->label_at[function] : UINT32_MAX;
    if (pc == UINT32_MAX || m->code[pc].op != SpvOpFunction || inv->depth == MOD_MAX_CALL_DEPTH) {
        return exec_stop(x, "a call that is not interpreted");
    }
    if (is_running(m, inv, function)) {
        return exec_stop(x, "a function that calls itself");
    }
    if (x->path_buckets && !path_call(x, inv)) {
        return 0;
    }
    inv->n_blocks++;
    inv->call[inv->depth].pc = inv->pc;
    inv->call[inv->depth].label = inv->label;
    inv->call[inv->depth++].result = in->result;
    uint32_t const first = ++pc;
    for (uint32_t i = FIRST_ARGUMENT; m->code[pc].op == SpvOpFunctionParameter; pc++, i++) {
        if (i >= in->n || !exec_has_type(x, in->w[i], m->code[pc].type)) {
            return exec_stop(x, "an argument of another type than the parameter");
        }
        /* an invalid module may name the parameter itself as the argument */
        memmove(exec_reg(x, inv, m->code[pc].result), exec_reg(x, inv, in->w[i]),
                sizeof(struct val) * m->ids[in->w[i]].n_slots);
    }
    if (m->code[pc].op != SpvOpLabel) {
        return exec_stop(x, "a call of a function without a body");
    }
    for (uint32_t i = first; i < pc; i++) {
        if (!exec_propagate(x, inv, &m->code[i])) {
            return 0;
        }
    }
    inv->label = m->code[pc].result;
    inv->pc = pc + 1;
    return 1;
}

/* Executes OpReturn or OpReturnValue: continues after the call, whose result becomes the returned
 * value. A return from the entry point ends the invocation. */
static int run_return(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    enum {
        VALUE = 1 /* word */
    };
    if (inv->depth == 0) {
        inv->state = INV_DONE;
        return 1;
    }
    if (x->path_buckets) {
        path_return(inv);
    }
    inv->n_blocks++;
    inv->depth--;
    inv->pc = inv->call[inv->depth].pc;
    inv->label = inv->call[inv->depth].label;
    if (in->op == SpvOpReturnValue) {
        uint32_t const result = inv->call[inv->depth].result;
        if (in->n <= VALUE || !exec_has_type(x, in->w[VALUE], x->m->ids[result].type)) {
            return exec_stop(x, "a returned value that is not of the call's type");
        }
        memmove(exec_reg(x, inv, result), exec_reg(x, inv, in->w[VALUE]),
                sizeof(struct val) * x->m->ids[result].n_slots);
        return exec_propagate(x, inv, &x->m->code[inv->pc - 1]); /* the call */
    }
    return 1;
}

/* Executes a barrier of the work-group: the invocation waits (INV_BARRIER). For each kind of
 * memory that the barrier orders within the work-group the invocation's phase is incremented. */
static int run_barrier(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    enum {
        EXECUTION_SCOPE = 1, /* words */
        MEMORY_SCOPE,
        SEMANTICS,
        ORDERS_MEMORY =
            SpvMemorySemanticsAcquireReleaseMask | SpvMemorySemanticsSequentiallyConsistentMask,
        BUFFERS = SpvMemorySemanticsUniformMemoryMask | SpvMemorySemanticsCrossWorkgroupMemoryMask
    };
    if (in->n <= SEMANTICS || in->w[SEMANTICS] >= x->m->n_ids ||
        in->w[EXECUTION_SCOPE] >= x->m->n_ids || in->w[MEMORY_SCOPE] >= x->m->n_ids) {
        return exec_stop(x, "a barrier without operands");
    }
    uint64_t const semantics = exec_reg(x, inv, in->w[SEMANTICS])->bits;
    if (exec_reg(x, inv, in->w[EXECUTION_SCOPE])->bits != SpvScopeWorkgroup) {
        return exec_stop(x, "a barrier of another scope than the work-group");
    }
    uint64_t const scope = exec_reg(x, inv, in->w[MEMORY_SCOPE])->bits;
    /* Acquire or Release alone does not order memory in both directions */
    if ((semantics & ORDERS_MEMORY) != 0 && availability_is_of_group(scope)) {
        inv->phase[PHASE_BUFFER] += (semantics & BUFFERS) != 0;
        inv->phase[PHASE_WORKGROUP] += (semantics & SpvMemorySemanticsWorkgroupMemoryMask) != 0;
        inv->phase[PHASE_IMAGE] += (semantics & SpvMemorySemanticsImageMemoryMask) != 0;
    }
    inv->state = INV_BARRIER;
    return 1;
}

/* Executes a control flow instruction. Returns 1 when done, 0 when the run stopped or the
 * instruction is not interpreted. Merge instructions matter only where paths are recorded. */
static int run_control(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    switch (in->op) {
    case SpvOpLabel:
        inv->label = in->result;
        return 1;
    case SpvOpSelectionMerge:
    case SpvOpLoopMerge:
        return !x->path_buckets || path_enter(x, inv, in);
    case SpvOpMemoryBarrier: /* waits for nobody, and data races go by control barriers alone (race.h) */
        return 1;
    case SpvOpBranch:
    case SpvOpBranchConditional:
        return run_branch(x, inv, in);
    case SpvOpSwitch:
        return run_switch(x, inv, in);
    case SpvOpFunctionCall:
        return run_call(x, inv, in);
    case SpvOpReturn:
    case SpvOpReturnValue:
        return run_return(x, inv, in);
    case SpvOpControlBarrier:
        return run_barrier(x, inv, in);
    case SpvOpUnreachable:
        return exec_stop_undefined(x, UNDEFINED_UNREACHABLE);
    default:
        return 0;
    }
}

/* Executes one instruction with the part of the interpreter that it belongs to. Returns 1 when
 * done, 0 when the run stopped or the instruction is not interpreted. */
static int run_one(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    int done;
    switch (in->part) {
    case PART_BINARY:
        done = exec_binary(x, inv, in);
        if (done > 0 && x->hooks->number) { /* faults of integer instructions act on the result */
            x->hooks->number(x, inv, in);
        }
        return done;
    case PART_INTEGER:
        done = exec_integer(x, inv, in);
        /* done < 0: an instruction on floats */
        return done < 0 ? x->hooks->arith(x, inv, in) : done && exec_propagate(x, inv, in);
    case PART_NUMBER:
        done = exec_number(x, inv, in);
        if (done && x->hooks->number) {
            x->hooks->number(x, inv, in);
        }
        return done;
    case PART_LOAD:
        return exec_load(x, inv, in);
    case PART_STORE:
        return exec_store(x, inv, in);
    case PART_CHAIN:
        return exec_access_chain(x, inv, in);
    case PART_MEMORY:
        return exec_memory(x, inv, in);
    case PART_CONTROL:
        return run_control(x, inv, in);
    case PART_ATOMIC:
        return exec_atomic(x, inv, in);
    case PART_GROUP: /* executed for all participants at once by the caller: tangle.h */
        inv->pc--;   /* pc is past the instruction; the caller looks for it at pc */
        inv->state = INV_GROUP;
        return 1;
    case PART_FLOAT:
        return x->hooks->arith(x, inv, in);
    }
    return 0;
}

/* The run has stopped. 1: for the invocation alone, which ends here. */
static int is_lost_alone(struct exec *x, struct invocation *inv)
{
    if (!x->is_stop_unknown || !x->hooks->lose || !x->hooks->lose(x, inv)) {
        return 0;
    }
    x->stop = NULL;
    x->is_stop_unknown = false;
    inv->state = INV_DONE;
    return 1;
}

/* Runs the invocation until it waits or ends, or has done n_atomics atomic instructions (0: any number), or
 * part of one: a hook that leaves it at its instruction has not done all of it, and others may come between. 0
 * and x->stop: it cannot go on, or the steps of all invocations pass the budget. */
int exec_run(struct exec *x, struct invocation *inv, uint32_t n_atomics)
{
    uint32_t n_done = 0;
    while (inv->state == INV_READY && !x->stop) {
        if (inv->pc >= x->m->n_code) {
            return exec_stop(x, "code that runs past its end");
        }
        if (++x->n_steps > EXEC_MAX_STEPS) {
            return exec_stop(x, "more steps than the budget");
        }
        const struct mod_inst *in = &x->m->code[inv->pc++];
        if (!run_one(x, inv, in)) {
            (void)exec_stop(x,
                            arena_printf(x->a, "instruction %u, which is not interpreted", in->op));
            return is_lost_alone(x, inv);
        }
        bool const is_unfinished = inv->state == INV_READY && &x->m->code[inv->pc] == in;
        if (in->part == PART_ATOMIC && (++n_done == n_atomics || is_unfinished)) {
            return 1;
        }
    }
    return x->stop == NULL;
}
