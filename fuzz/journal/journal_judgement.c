/* fuzz/journal/journal_judgement.c -- findings as bytes and back, by one list of fields for both directions. */
#include "fuzz/journal/journal_judgement.h"

#include <string.h>

#include "base/format.h"
#include "base/ops.h"
#include "oracle/tables/storage.h"
#include "oracle/tables/tables.h"

#define NO_OP UINT32_MAX /* in place of an instruction's number */

/* Where the fields go to or come from. */
struct codec {
    struct bytes *out; /* NULL: they are read */
    struct reader in;
    struct arena *a;
};

static void code_u32(struct codec *c, uint32_t *v)
{
    if (c->out) {
        bytes_put_u32(c->out, *v);
    } else {
        *v = reader_u32(&c->in);
    }
}

static void code_u64(struct codec *c, uint64_t *v)
{
    if (c->out) {
        bytes_put_u64(c->out, *v);
    } else {
        *v = reader_u64(&c->in);
    }
}

static void code_text(struct codec *c, const char **text)
{
    if (c->out) {
        bytes_put_str(c->out, *text ? *text : "");
    } else {
        *text = reader_str(&c->in, c->a);
    }
}

/* A number that is at most `max`. */
static uint32_t code_count(struct codec *c, uint32_t n, uint32_t max)
{
    code_u32(c, &n);
    c->in.ok &= n <= max;
    return c->in.ok ? n : 0;
}

static uint8_t code_byte(struct codec *c, uint8_t v)
{
    return (uint8_t)code_count(c, v, UINT8_MAX);
}

/* One of n names, by its index. */
static int code_name(struct codec *c, int i, const char *(*name)(int i), int n)
{
    const char *text = c->out ? name(i) : "";
    code_text(c, &text);
    for (i = 0; !c->out && i < n && strcmp(name(i), text) != 0;) {
        i++;
    }
    c->in.ok &= i < n;
    return c->in.ok ? i : 0;
}

#define NAMES(what, text)                                                                          \
    static const char *name_##what(int i)                                                          \
    {                                                                                              \
        return text;                                                                               \
    }
NAMES(verdict, verdict_rows[i].name)
NAMES(clause, clause_rows[i].id)
NAMES(type, val_type_names[i])
NAMES(storage, storage_names[i])
NAMES(format, float_formats[i].name)
NAMES(rmw, rmw_names[i])

static enum val_type code_type(struct codec *c, enum val_type t)
{
    return (enum val_type)code_name(c, (int)t, name_type, VT_N);
}

/* A row of ops.def, by its number in SPIR-V; -1: none. */
static int code_op(struct codec *c, int op)
{
    uint32_t number = op >= 0 && c->out ? op_rows[op].number : NO_OP;
    code_u32(c, &number);
    op = number == NO_OP ? -1 : op_find_number(number);
    c->in.ok &= op >= 0 || number == NO_OP;
    return op;
}

/* The array that a finding points to: when it is read, a new one of *n elements, as many as the bytes that are left
 * may be. NULL: it has none, or the arena is full. */
static void *code_array(struct codec *c, const void *array, uint32_t *n, size_t element_bytes)
{
    *n = code_count(c, *n, c->out ? UINT32_MAX : (uint32_t)(c->in.n - c->in.pos));
    void *const copy = *n == 0  ? NULL
                       : c->out ? arena_copy(c->a, array, *n * element_bytes)
                                : arena_take(c->a, *n * element_bytes);
    c->in.ok &= *n == 0 || copy != NULL;
    *n = c->in.ok ? *n : 0;
    return copy;
}

static void code_expect(struct codec *c, struct expect *x)
{
    code_u32(c, &x->buf);
    code_u32(c, &x->byte);
    x->n_bytes = code_byte(c, x->n_bytes);
    x->flags = code_byte(c, x->flags);
    x->fmt = (uint8_t)code_name(c, x->fmt, name_format, FMT_ALL_N);
    x->n = (uint8_t)code_count(c, x->n, EXPECT_MAX_RANGES);
    for (int i = 0; i < x->n; i++) {
        uint64_t lo = (uint64_t)x->r[i].lo, hi = (uint64_t)x->r[i].hi;
        code_u64(c, &lo);
        code_u64(c, &hi);
        x->r[i] = (struct expect_range){(int64_t)lo, (int64_t)hi};
    }
    c->in.ok &= x->n_bytes == 1 || x->n_bytes == 2 || x->n_bytes == 4 || x->n_bytes == 8;
}

static const struct expect *code_expects(struct codec *c, const struct expect *array, uint32_t *n)
{
    struct expect *const x = code_array(c, array, n, sizeof *x);
    for (uint32_t i = 0; i < *n; i++) {
        code_expect(c, &x[i]);
    }
    return x;
}

/* Write the order to bytes, or read a new one from bytes: a codec does one or the other. NULL: there is none, or the
 * bytes are wrong. The bytes hold an array of 0 or 1 orders. */
static const struct expect_order *code_order(struct codec *c, const struct expect_order *order)
{
    uint32_t n = order ? 1 : 0;
    struct expect_order *const x = code_array(c, order, &n, sizeof *x);
    if (n == 0) {
        return NULL;
    }
    x->n_bytes = code_byte(c, x->n_bytes);
    x->knows_final = code_byte(c, x->knows_final);
    code_u32(c, &x->buf);
    code_u32(c, &x->byte);
    code_u64(c, &x->initial);
    struct expect_step *const steps = code_array(c, x->step, &x->n, sizeof *steps);
    for (uint32_t i = 0; i < x->n; i++) {
        struct expect_step *const s = &steps[i];
        s->op = (enum rmw_op)code_name(c, (int)s->op, name_rmw, RMW_N);
        code_u32(c, &s->invocation);
        code_u32(c, &s->buf);
        code_u32(c, &s->byte);
        code_u64(c, &s->operand);
        code_u64(c, &s->comparator);
    }
    x->step = steps;
    return x;
}

static const struct expect_ids *code_ids(struct codec *c, const struct expect_ids *ids)
{
    uint32_t n = ids ? 1 : 0;
    struct expect_ids *const x = code_array(c, ids, &n, sizeof *x);
    if (n == 0) {
        return NULL;
    }
    code_u32(c, &x->required);
    x->is_cl = code_byte(c, x->is_cl);
    struct expect_id *const id = code_array(c, x->id, &x->n, sizeof *id);
    for (uint32_t i = 0; i < x->n; i++) {
        code_u32(c, &id[i].invocation);
        for (int k = 0; k < EXPECT_ID_COLUMNS; k++) {
            code_u32(c, &id[i].buf[k]);
            code_u32(c, &id[i].byte[k]);
        }
    }
    x->id = id;
    return x;
}

/* Write all members of a finding to bytes, or read them, in one order for both. An `expect` is an array of 0 or 1
 * elements. */
static void code_finding(struct codec *c, struct finding *f)
{
    uint32_t n_expect = f->expect ? 1 : 0;
    f->kind = (enum verdict_kind)code_name(c, (int)f->kind, name_verdict, VERDICT_N);
    f->clause = (enum clause_id)code_name(c, (int)f->clause, name_clause, CLAUSE_N);
    f->op = code_op(c, f->op);
    f->type = code_type(c, f->type);
    f->storage = (enum storage)code_name(c, (int)f->storage, name_storage, STORAGE_N);
    code_u32(c, &f->offset);
    f->op2 = code_op(c, f->op2);
    code_u32(c, &f->offset2);
    f->contended = code_byte(c, f->contended != 0);
    code_u32(c, &f->invocation);
    f->n_operands = code_count(c, f->n_operands, ARRAY_N(f->operand));
    for (uint32_t i = 0; i < f->n_operands; i++) {
        code_u64(c, &f->operand[i]);
        f->operand_type[i] = code_type(c, f->operand_type[i]);
    }
    f->has_got = code_byte(c, f->has_got != 0);
    code_u64(c, &f->got);
    f->got_type = code_type(c, f->got_type);
    const char **const texts[] = {&f->permitted,     &f->participants, &f->operand_class,
                                  &f->circumstances, &f->known,        &f->text};
    for (size_t i = 0; i < ARRAY_N(texts); i++) {
        code_text(c, texts[i]);
    }
    f->participants_type = code_type(c, f->participants_type);
    code_u32(c, &f->block);
    code_u32(c, &f->excused);
    f->expect = code_expects(c, f->expect, &n_expect);
    f->also = code_expects(c, f->also, &f->n_also);
    f->order = code_order(c, f->order);
    f->ids = code_ids(c, f->ids);
}

static void code_judgement(struct codec *c, struct judgement *g)
{
    g->kind = (enum verdict_kind)code_name(c, (int)g->kind, name_verdict, VERDICT_N);
    code_u32(c, &g->n_found);
    code_u32(c, &g->n_inconclusive);
    g->n_findings = code_count(c, g->n_findings, JUDGE_MAX_FINDINGS);
    for (uint32_t i = 0; i < g->n_findings; i++) {
        code_finding(c, &g->findings[i]);
    }
}

static uint64_t hash_kept(const struct kept_bytes *of)
{
    return hash_bytes(hash_bytes(0, of->testcase, of->n_testcase), of->observation,
                      of->n_observation);
}

enum res journal_put_judgement(struct db *d, const struct kept_bytes *of, const struct judgement *g,
                               struct arena *a, struct err *e)
{
    struct bytes out;
    struct judgement *const copy = arena_copy(a, g, sizeof *g);
    struct codec c = {.out = &out, .in.ok = 1, .a = a};
    bytes_init(&out, a);
    if (copy) {
        code_judgement(&c, copy);
    }
    return copy && out.ok && c.in.ok ? db_do(d, e, "INSERT OR REPLACE INTO judgements VALUES(?, ?)",
                                             "ub", hash_kept(of), (const void *)out.p, out.n)
                                     : err_set(e, RES_NOMEM, "no memory to keep a judgement");
}

bool journal_find_judgement(struct db *d, const struct kept_bytes *of, struct arena *a,
                            struct judgement *out)
{
    struct stmt *const s =
        db_start(d, "SELECT judgement FROM judgements WHERE case_hash = ?", "u", hash_kept(of));
    memset(out, 0, sizeof *out);
    if (stmt_step(s) <= 0) {
        return false;
    }
    struct codec c = {.in.ok = 1, .a = a};
    c.in.p = stmt_blob(s, 0, &c.in.n);
    code_judgement(&c, out);
    stmt_reset(s);
    return c.in.ok && c.in.pos == c.in.n && !a->is_full;
}

/* Between which databases judgements are copied. */
struct copying {
    struct db *from, *to;
};

static enum res copy_judgement(void *to, struct stmt *of_case, struct err *e)
{
    const struct copying *const c = to;
    struct kept_bytes of;
    of.testcase = stmt_blob(of_case, 0, &of.n_testcase);
    of.observation = stmt_blob(of_case, 1, &of.n_observation);
    return db_copy_rows(c->from,
                        db_start(c->from,
                                 "SELECT case_hash, judgement FROM judgements WHERE case_hash = ?",
                                 "u", hash_kept(&of)),
                        c->to, "INSERT OR IGNORE INTO judgements VALUES(?, ?)", e);
}

enum res journal_copy_judgements(struct db *from, struct stmt *cases, struct db *to, struct err *e)
{
    struct copying c = {from, to};
    return db_each(from, cases, copy_judgement, &c, e);
}
