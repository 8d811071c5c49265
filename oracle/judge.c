/* oracle/judge.c -- the only door of the oracle: a verdict from a case and an observation. */
#include "oracle/judge.h"

#include <string.h>

#include "oracle/location.h"

enum {
    MAX_ATTEMPTS = 64,
    SHARP_COUNT = 4
};

const char *const storage_names[STORAGE_N] = {"-",     "global", "workgroup",
                                              "image", "texel",  "generic"};
const char *const val_type_names[VT_N] = {"-", "f16", "f32", "f64", "i32", "i64"};

enum val_type judge_type(int is_float, unsigned n_bits)
{
    switch (n_bits) {
    case 16:
        return is_float ? VT_F16 : VT_NONE;
    case 32:
        return is_float ? VT_F32 : VT_I32;
    case 64:
        return is_float ? VT_F64 : VT_I64;
    default:
        return VT_NONE;
    }
}

struct coverage *judge_coverage(struct judge *j, uint32_t opcode, enum val_type type,
                                enum storage storage)
{
    int const op = op_find_number(opcode);
    if (op < 0) {
        return NULL;
    }
    uint16_t *at = &j->coverage_at[op][type][storage];
    if (!*at) {
        if (j->out->n_coverage == JUDGE_MAX_COVERAGE) {
            return NULL;
        }
        *at = (uint16_t)++j->out->n_coverage;
        j->out->coverage[*at - 1] = (struct coverage){
            .op = (uint8_t)op, .type = (uint8_t)type, .storage = (uint8_t)storage};
    }
    return &j->out->coverage[*at - 1];
}

const char *judge_classes(struct judge *j, int is_float, enum fmt_id fmt, const uint64_t *enc,
                          uint32_t n)
{
    static const char *const names[] = {"zero", "subnormal", "normal", "inf", "qnan", "snan"};
    const char *text = "";
    for (uint32_t i = 0; is_float && i < n; i++) {
        text = arena_printf(j->a, "%s%s%s", text, i ? "," : "",
                            names[format_classify(&float_formats[fmt], enc[i])]);
    }
    return text;
}

struct finding *judge_finding(struct judge *j, enum verdict_kind kind, enum clause_id clause,
                              enum grade grade)
{
    struct judgement *o = j->out;
    if (grade == GRADE_DIVERGENCE) {
        kind = VERDICT_DIVERGENCE;
    }
    if (kind > o->kind) {
        o->kind = kind;
    }
    o->n_found++;
    if (o->n_findings == JUDGE_MAX_FINDINGS) {
        return NULL;
    }
    struct finding *f = &o->findings[o->n_findings++];
    *f = (struct finding){.kind = kind,
                          .clause = clause,
                          .op = -1,
                          .op2 = -1,
                          .permitted = "",
                          .operand_class = "",
                          .text = ""};
    return f;
}

/* The observed value against what is permitted. */
struct comparison {
    int ok, is_float;
    enum fmt_id fmt;
    struct set permitted; /* meaningless for integers: expected */
    uint64_t expected;
    int anything;
    enum grade grade, grade_zero;
    enum clause_id clause, clause_out;
};

static int same_bits(const struct comparison *c, uint64_t got)
{
    if (c->expected == got) {
        return 1;
    }
    const struct float_format *f = &float_formats[c->fmt];
    return c->is_float && format_is_snan(f, c->expected) && got == (c->expected | f->quiet);
}

/* A NaN that arithmetic gave, its bits up to the device (semantics B2): each use may see others. */
static int is_some_nan(const struct abstract *b, enum fmt_id fmt, uint64_t got)
{
    return b->set && b->set->flags != 0 && format_is_nan(&float_formats[fmt], b->bits) &&
           format_is_nan(&float_formats[fmt], got);
}

static void compare(const struct judge *j, struct val v, uint64_t got, enum clause_id clause,
                    struct comparison *c)
{
    c->clause = clause;
    c->grade = c->grade_zero = GRADE_VIOLATION;
    const struct abstract *b = v.abs ? &j->x.pool[v.abs] : NULL;
    if (b && !b->bound) {
        c->grade = (enum grade)b->grade;
        c->grade_zero = (enum grade)b->grade_zero;
        c->clause_out = (enum clause_id)b->clause_out;
    }
    if (!b || b->bound || b->single) {
        c->expected = b ? b->bits : v.bits;
        if (c->is_float) {
            set_of(&c->permitted, c->fmt, c->expected);
        }
        c->ok = same_bits(c, got) || (b && b->bound && is_some_nan(b, c->fmt, got));
    } else if (!b->set || !c->is_float) {
        c->anything = c->ok = 1;
    } else {
        c->permitted = *b->set;
        c->ok = set_has(b->set, got);
        c->anything = (b->set->flags & SET_ANY) != 0;
    }
}

/* Is got as close to the permitted set as single precision would bring it? */
static int is_within_single(const struct set *s, uint64_t got)
{
    double const n_ulp = 536870912.0; /* 2^29 double ulps make one of single precision */
    double const d = arith_ulp_distance(s, got);
    return d <= n_ulp;
}

static enum verdict_kind classify(const struct judge *j, const struct observed *o,
                                  struct comparison *c, enum grade *grade)
{
    const struct mod_inst *in = o->in;
    uint64_t const got = o->got;
    const struct float_format *f = &float_formats[c->fmt];
    *grade = c->grade;
    if (c->is_float && in->op == SpvOpAtomicFAddEXT && !o->inv && o->e->knows_original &&
        got == o->e->original && !format_is_nan(f, got) &&
        !(c->permitted.flags & (SET_QNAN | SET_SNAN))) {
        return VERDICT_ATOMICITY; /* as if the sum had never been stored */
    }
    if (!c->is_float) {
        return in->op >= SpvOpAtomicLoad && in->op <= SpvOpAtomicXor ? VERDICT_ATOMICITY
                                                                     : VERDICT_ULP;
    }
    int const is_other_zero = format_is_zero(f, got) && set_has(&c->permitted, got ^ f->sign);
    if (!is_other_zero && (format_is_nan(f, got) || (c->permitted.flags & (SET_QNAN | SET_SNAN)))) {
        return VERDICT_NAN_RULE;
    }
    int const is_copy = (in->op >= SpvOpAtomicLoad && in->op <= SpvOpAtomicExchange) ||
                        in->op == SpvOpSelect || in->op == SpvOpLoad;
    if (format_is_zero(f, got)) {
        if (is_other_zero) {
            *grade = c->grade_zero > c->grade ? c->grade_zero : c->grade;
            return VERDICT_ZERO_SIGN;
        }
        /* B2, B3: no clause either way for a flush by a load, a store or an exchange */
        int const may_flush = j->tc->env == ENV_CL ? is_copy : !j->m.modes.denorm_preserve[c->fmt];
        if (may_flush && c->permitted.n == 1 && format_is_subnormal(f, c->expected) &&
            in->op >= SpvOpAtomicLoad && *grade == GRADE_VIOLATION) {
            *grade = GRADE_DIVERGENCE;
            c->clause_out = CLAUSE_DENORM_DEFAULT;
        }
    }
    if (is_copy) {
        return VERDICT_ATOMICITY;
    }
    if (j->tc->env == ENV_VK && c->fmt == FMT_F64 && is_within_single(&c->permitted, got) &&
        *grade == GRADE_VIOLATION) {
        *grade = GRADE_DIVERGENCE;
        c->clause_out = CLAUSE_FADD_F64;
    }
    return VERDICT_ULP;
}

/* Operands of the instruction as they are in the invocation's registers. */
static void take_operands(struct judge *j, const struct mod_inst *in, const struct invocation *inv,
                          const struct event *e, struct finding *f)
{
    if (e) {
        f->n_operands = 2;
        f->operand[0] = e->knows_original ? e->original : 0;
        (void)exec_known(&j->x, e->operand, &f->operand[1]);
        return;
    }
    for (uint32_t i = 3; inv && in->result && i < in->n && f->n_operands < 3; i++) {
        uint32_t const id = in->w[i];
        if (id < j->m.n_ids && j->m.ids[id].n_slots == 1) {
            (void)exec_known(&j->x, *exec_reg(&j->x, inv, id), &f->operand[f->n_operands++]);
        }
    }
}

/* A slot that still holds what it held before: the invocation never came to the store. */
static void report_lost_store(struct judge *j, const struct observed *o)
{
    j->lost_stores++;
    struct finding *f = judge_finding(j, VERDICT_MASK, CLAUSE_EVERY_LANE, GRADE_VIOLATION);
    if (f) {
        f->offset = o->in->offset;
        f->invocation = o->inv->global_index;
        f->has_got = 1;
        f->got = o->got;
        f->text = arena_printf(j->a, "invocation %u did not store the result of word %u",
                               f->invocation, f->offset);
    }
}

/* The operation on the same private cell just before e, or NULL. */
static const struct event *find_before(const struct judge *j, const struct event *e)
{
    for (uint32_t i = j->cells[e->cell].first; i; i = j->events[i - 1].next) {
        if (j->events[i - 1].version + 1 == e->version) {
            return &j->events[i - 1];
        }
    }
    return NULL;
}

/* The load saw the right value, or nobody knows what it saw and a zero came of a subnormal or of the
 * other zero, as where a load is made of an addition of zero: then the load has changed it. */
static int is_changed_by_load(const struct event *load, const struct comparison *c, uint64_t got)
{
    const struct float_format *f = &float_formats[c->fmt];
    return load->knows_original
               ? load->original == c->expected
               : c->is_float && format_is_zero(f, got) && (c->expected & f->exp) == 0;
}

/* Blame the other operation, an atomic load, which may not change its location. */
static void name_load(struct finding *f)
{
    int const op = f->op;
    uint32_t const offset = f->offset;
    f->op = f->op2;
    f->offset = f->offset2;
    f->op2 = op;
    f->offset2 = offset;
    f->clause = CLAUSE_LOAD_EXACT;
}

static void report_value(struct judge *j, const struct observed *o, struct comparison *c)
{
    const struct mod_inst *in = o->in;
    const struct invocation *inv = o->inv;
    const struct event *e = o->e;
    uint64_t const got = o->got;
    enum grade grade;
    enum verdict_kind const kind = classify(j, o, c, &grade);
    struct finding *f =
        grade == GRADE_UNDEFINED
            ? NULL
            : judge_finding(j, kind, grade == GRADE_VIOLATION ? c->clause : c->clause_out, grade);
    if (!f) {
        return;
    }
    f->op = op_find_number(in->op);
    f->offset = in->offset;
    f->type = judge_type(c->is_float, e ? j->cells[e->cell].n_bits : j->m.ids[in->type].t.bits);
    f->storage = e ? (enum storage)e->storage : STORAGE_NONE;
    f->invocation = inv ? inv->global_index : e ? e->invocation : 0;
    f->has_got = 1;
    f->got = got;
    const struct event *before = e && inv ? find_before(j, e) : NULL;
    if (before) { /* the operation before may have left the wrong value */
        f->offset2 = j->m.code[before->code].offset;
        f->op2 = op_find_number(j->m.code[before->code].op);
    }
    if (before && before->op == CHAIN_LOAD && is_changed_by_load(before, c, got)) {
        name_load(f);
    }
    take_operands(j, in, inv, e, f);
    f->operand_class = judge_classes(j, c->is_float, c->fmt, f->operand, f->n_operands);
    f->permitted = c->is_float ? set_to_text(&c->permitted, j->a)
                               : arena_printf(j->a, "{0x%llx}", (unsigned long long)c->expected);
    f->text = arena_printf(j->a, "invocation %u: %s gave 0x%llx, permitted is %s", f->invocation,
                           f->op >= 0 ? op_rows[f->op].name : "a copied value",
                           (unsigned long long)got, f->permitted);
}

static void set_type(const struct judge *j, const struct observed *o, struct comparison *c,
                     unsigned *n_bits)
{
    if (o->e) {
        const struct cell *cell = &j->cells[o->e->cell];
        c->is_float = cell->is_float;
        c->fmt = (enum fmt_id)cell->fmt;
        *n_bits = cell->n_bits;
        return;
    }
    uint32_t const type = o->in->op == SpvOpStore ? j->m.ids[o->in->w[2]].type : o->in->type;
    int const fmt = module_get_format(&j->m, type);
    c->is_float = fmt >= 0;
    c->fmt = (enum fmt_id)(fmt < 0 ? 0 : fmt);
    *n_bits = j->m.ids[type].t.bits;
}

static void count_value(struct judge *j, const struct observed *o, const struct comparison *c,
                        unsigned n_bits)
{
    uint64_t const count = c->anything ? UINT64_MAX : c->is_float ? set_count(&c->permitted) : 1;
    struct coverage *row = judge_coverage(j, o->in->op, judge_type(c->is_float, n_bits),
                                          o->e ? (enum storage)o->e->storage : STORAGE_NONE);
    uint32_t const sharp = count <= SHARP_COUNT, anything = c->anything != 0;
    j->out->n_judged++;
    j->out->n_sharp += sharp;
    j->out->n_anything += anything;
    if (!row) {
        return;
    }
    row->n++;
    row->n_sharp += sharp;
    row->n_anything += anything;
    row->n_divergent += !c->ok;
    if (count > 1 || c->grade != GRADE_VIOLATION) {
        uint64_t const key[3] = {o->in->offset, o->inv ? o->inv->global_index : 0, o->got};
        j->out->cross_hash[row->op] += hash_bytes(1, key, sizeof key) | 1;
    }
}

void judge_value(struct judge *j, const struct observed *o, struct val v)
{
    struct comparison c = {0};
    unsigned n_bits;
    enum clause_id const clause = value_get_clause(o->in->op);
    set_type(j, o, &c, &n_bits);
    compare(j, v, o->got, clause == CLAUSE_NONE ? CLAUSE_COPY_EXACT : clause, &c);
    count_value(j, o, &c, n_bits);
    int const is_doubtful = c.grade != GRADE_VIOLATION; /* an undefined value need not be stored */
    if (!c.ok && o->is_untouched && o->inv && !is_doubtful) {
        report_lost_store(j, o);
    } else if (!c.ok) {
        report_value(j, o, &c);
    }
}

static int hook_load(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                     struct place p, unsigned n_bits, struct val *out)
{
    return location_load(x->user, inv, in, p, n_bits, out);
}

static int hook_store(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                      struct place p, unsigned n_bits, struct val v)
{
    return location_store(x->user, inv, in, p, n_bits, v);
}

static int hook_atomic(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                       struct place p)
{
    return location_atomic(x->user, inv, in, p);
}

static int hook_arith(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    struct judge *j = x->user;
    struct val v;
    int const done = value_apply(x, &j->rules, inv, in, &v);
    if (done == 1) {
        *exec_reg(x, inv, in->result) = v;
    }
    return done == 1;
}

static const struct exec_hooks judge_hooks = {
    .load = hook_load, .store = hook_store, .atomic = hook_atomic, .arith = hook_arith};

/* All invocations of a group, barrier to barrier. 0 when the run stopped or must start again. */
static int run_group(struct judge *j, uint32_t group, struct invocation *inv)
{
    uint32_t const n = exec_group_items(&j->x, group);
    exec_start_group(&j->x, group, inv);
    for (;;) {
        uint32_t n_done = 0;
        for (uint32_t i = 0; i < n; i++) {
            if (inv[i].state == INV_READY && !exec_run(&j->x, &inv[i], 0)) {
                return 0;
            }
            if (j->restart) {
                return 0;
            }
            n_done += inv[i].state == INV_DONE;
        }
        if (n_done == n) {
            return 1;
        }
        if (n_done) {
            j->x.stop = "a barrier that not every invocation of the group reaches";
            return 0;
        }
        for (uint32_t i = 0; i < n; i++) {
            inv[i].state = INV_READY;
        }
    }
}

static enum res run_dispatch(struct judge *j, struct invocation *inv, struct err *e)
{
    uint64_t n_steps = 0; /* the budget is for all attempts together */
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        enum res const r = exec_init(&j->x, &j->m, j->tc, &judge_hooks, j, j->a, e);
        if (r != RES_OK) {
            return r;
        }
        j->x.n_steps = n_steps;
        *j->out = (struct judgement){.note = ""};
        j->lost_stores = 0;
        memset(j->coverage_at, 0, sizeof j->coverage_at);
        for (uint32_t b = 0; b < j->tc->n_bufs; b++) {
            memset(j->touch[b], 0, j->tc->bufs[b].n_bytes / 2 + 1);
        }
        location_reset(j);
        uint32_t g = 0;
        while (g < j->x.n_groups && !j->x.stop && run_group(j, g, inv)) {
            g++;
        }
        if (!j->restart) {
            return RES_OK;
        }
        n_steps = j->x.n_steps;
    }
    j->x.stop = "sharing between invocations that does not settle";
    return RES_OK;
}

static struct invocation *make_group(struct judge *j)
{
    uint32_t const n = j->tc->local[0] * j->tc->local[1] * j->tc->local[2];
    struct invocation *inv = ARENA_NEW(j->a, struct invocation, n);
    struct val *regs = ARENA_NEW(j->a, struct val, (size_t)n * (j->m.n_regs + 1));
    struct val *func = ARENA_NEW(j->a, struct val, (size_t)n * (j->m.n_func_objects + 1));
    for (uint32_t i = 0; inv && regs && func && i < n; i++) {
        inv[i].regs = regs + (size_t)i * j->m.n_regs;
        inv[i].func = func + (size_t)i * j->m.n_func_objects;
    }
    return regs && func ? inv : NULL;
}

static enum res judge_values(struct judge *j, struct err *e)
{
    enum res r = module_decode(&j->m, j->tc->module, j->tc->n_words, j->tc->entry, j->a, e);
    if (r != RES_OK) {
        return r;
    }
    ruleset_init(&j->rules, &j->m, j->tc, j->ob->facts);
    struct invocation *inv = make_group(j);
    j->contended = ARENA_NEW(j->a, unsigned char, j->m.n_code + 1);
    for (uint32_t b = 0; b < j->tc->n_bufs; b++) {
        j->touch[b] = ARENA_NEW(j->a, unsigned char, j->tc->bufs[b].n_bytes / 2 + 1);
        if (!j->touch[b]) {
            inv = NULL;
        }
    }
    if (!inv || !j->contended) {
        return err_set(e, RES_NOMEM, "judge: arena full at %zu bytes", j->a->used_bytes);
    }
    r = run_dispatch(j, inv, e);
    if (r == RES_OK && !j->x.stop) {
        r = location_finish(j, e);
    }
    if (r == RES_OK && j->x.stop) {
        j->out->n_inconclusive++;
        j->out->note = j->x.stop;
    }
    return r;
}

/* In a dispatch whose last groups are smaller, invocations that do not exist overwrite what others
 * stored, and bytes outside the buffers: one finding stands for all of it. */
static void explain_uneven(struct judge *j)
{
    struct judgement *o = j->out;
    const struct testcase *tc = j->tc;
    uint32_t const n = o->n_found;
    const char *first = o->findings[0].text;
    o->n_findings = o->n_found = 0;
    o->kind = VERDICT_OK;
    struct finding *f = judge_finding(j, VERDICT_MASK, CLAUSE_ND_RANGE, GRADE_VIOLATION);
    if (f) {
        f->text = arena_printf(j->a,
                               "global size %ux%ux%u in groups of %ux%ux%u: guard bytes mask 0x%x, "
                               "%u findings in all, the first: %s",
                               tc->global[0], tc->global[1], tc->global[2], tc->local[0],
                               tc->local[1], tc->local[2], j->ob->guard_hits, n, first);
    }
}

enum res judge_run(const struct testcase *tc, const struct observation *ob, struct arena *a,
                   struct judgement *out, struct err *e)
{
    struct judge *j = ARENA_NEW(a, struct judge, 1);
    *out = (struct judgement){.note = ""};
    if (!j) {
        return err_set(e, RES_NOMEM, "judge: arena full at %zu bytes", a->used_bytes);
    }
    j->tc = tc;
    j->ob = ob;
    j->a = a;
    j->out = out;
    if (ob->status != RUN_DONE) {
        judge_status(j);
        return RES_OK;
    }
    if (tc->class == CLASS_ILLEGAL) {
        out->kind = VERDICT_ACCEPTS_INVALID;
        return RES_OK;
    }
    enum res const r = judge_values(j, e);
    if (r != RES_OK) {
        return r;
    }
    if (ob->guard_hits) {
        struct finding *f =
            judge_finding(j, VERDICT_CORRUPT, CLAUSE_OUT_OF_BOUNDS, GRADE_VIOLATION);
        if (f) {
            f->text =
                arena_printf(a, "guard bytes around buffers changed, mask 0x%x", ob->guard_hits);
        }
    }
    if (out->n_findings && judge_is_uneven(tc) && verdict_rows[out->kind].part == PART_VIOLATION) {
        explain_uneven(j);
    }
    if (out->kind == VERDICT_OK && out->n_inconclusive) {
        out->kind = VERDICT_INCONCLUSIVE;
    } else if (out->kind == VERDICT_OK && out->n_bounded) {
        out->kind = VERDICT_BOUNDED;
    }
    return RES_OK;
}
