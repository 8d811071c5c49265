/* fuzz/journal/test_journal_judgement.c -- a judgement that is kept is read back bit for bit, or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/format.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/io/db.h"
#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_finding.h"
#include "fuzz/journal/journal_judgement.h"

struct rig {
    struct arena a;
    char folder[256], path[300];
    struct testcase tc;
    struct observation ob;
    struct judgement g;
};
static struct campaign_plan const plan = {.profile = "atomics",
                                          .seed = 11,
                                          .gen_version = 1,
                                          .max_cases = 100,
                                          .max_ns = 5000000000,
                                          .targets = "one",
                                          .shard = SHARD_NONE};

static void must(enum res r, const struct err *e)
{
    if (r != RES_OK) {
        fail_msg("%s", e->text);
    }
}

/* Three findings: one with each field set, one of the driver alone with none, one with an order and ids. */
static void make_judgement(struct judgement *g)
{
    static const struct expect word = {
        .buf = 1,
        .byte = 8,
        .n_bytes = 4,
        .flags = EXPECT_FLOAT | EXPECT_QNAN,
        .fmt = FMT_F32,
        .n = 2,
        .r = {{INT64_MIN, -7}, {3, INT64_MAX}}
    };
    static const struct expect also[2] = {
        {.buf = 2, .n_bytes = 1},
        {.buf = 3, .n_bytes = 8}
    };
    static const struct expect_step step[2] = {
        {RMW_ADD, 1, 0, 4, 5, 0},
        {RMW_XOR, 2, 0, 8, 6, 9}
    };
    static const struct expect_order order = {.n_bytes = 8,
                                              .knows_final = 1,
                                              .buf = 1,
                                              .byte = 16,
                                              .initial = UINT64_MAX,
                                              .n = 2,
                                              .step = step};
    static const struct expect_id id[1] = {
        {7, {1, 2, 3}, {4, 8, 12}}
    };
    static const struct expect_ids ids = {.required = 8, .is_cl = 1, .n = 1, .id = id};
    *g = (struct judgement){
        .kind = VERDICT_ULP, .n_findings = 3, .n_found = 40, .n_inconclusive = 5};
    g->findings[0] = (struct finding){
        .kind = VERDICT_ULP,
        .clause = CLAUSE_FADD_CR,
        .op = OP_core_AtomicFAddEXT,
        .type = VT_F32,
        .storage = STORAGE_GLOBAL,
        .offset = 99,
        .op2 = OP_core_AtomicLoad,
        .offset2 = 120,
        .contended = 1,
        .invocation = 17,
        .n_operands = 2,
        .operand = {0x7fc00001, 0x80000000},
        .operand_type = {VT_F32,     VT_I32    },
        .has_got = 1,
        .got = 0x3f800001,
        .got_type = VT_I32,
        .permitted = "1 to 2",
        .expect = &word,
        .also = also,
        .n_also = 2,
        .participants = " 0:0x1",
        .participants_type = VT_F16,
        .operand_class = "qnan,normal",
        .circumstances = " high",
        .known = "FLUSHED:AtomicFAddEXT",
        .block = 31,
        .excused = 2,
        .text = "wrong"
    };
    g->findings[1] = (struct finding){.kind = VERDICT_CRASH, .op = -1, .op2 = -1, .text = ""};
    g->findings[2] = (struct finding){.kind = VERDICT_ATOMICITY,
                                      .clause = CLAUSE_RMW_CHAIN,
                                      .op = OP_core_AtomicIAdd,
                                      .op2 = -1,
                                      .text = "",
                                      .order = &order,
                                      .ids = &ids};
}

/* A journal with one run of that judgement, closed. */
static int set_up(void **state)
{
    struct rig *const r = calloc(1, sizeof *r);
    struct tape tape;
    struct err e = {RES_OK, ""};
    struct journal *j = NULL;
    const char *const base = getenv("TMPDIR");
    int64_t target = 0, run = 0;
    if (!r) {
        return -1;
    }
    arena_init(&r->a, (size_t)512 << 20);
    (void)snprintf(r->folder, sizeof r->folder, "%s/test-judgement-XXXXXX", base ? base : "/tmp");
    if (!mkdtemp(r->folder)) {
        return -1;
    }
    (void)snprintf(r->path, sizeof r->path, "%s/journal.sqlite", r->folder);
    must(sched_make_case(PROFILE_ATOMICS, 1, 1, ENV_CL, &r->a, &r->tc, &tape, &e), &e);
    r->ob = (struct observation){.status = RUN_DONE,
                                 .phase = PHASE_DONE,
                                 .log = "",
                                 .signature = "",
                                 .facts = "",
                                 .n_bufs = r->tc.n_bufs};
    for (uint32_t i = 0; i < r->tc.n_bufs; i++) {
        r->ob.out[i] = r->tc.bufs[i].data;
    }
    make_judgement(&r->g);
    struct run_record const record = {&r->tc, &r->ob, &r->g, ""};
    must(journal_open(&j, r->folder, &plan, &e), &e);
    must(journal_put_target(j, "one", "", &target, &e), &e);
    must(journal_begin_run(j, target, 0, "tape", 4, &run, &e), &e);
    must(journal_end_run(j, run, &record, &r->a, &e), &e);
    journal_close(j);
    *state = r;
    return 0;
}

static int tear_down(void **state)
{
    struct rig *const r = *state;
    static const char *const ends[] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < ARRAY_N(ends); i++) {
        (void)unlink(arena_printf(&r->a, "%s%s", r->path, ends[i]));
    }
    (void)rmdir(r->folder);
    arena_free(&r->a);
    free(r);
    return 0;
}

/* What the journal answers for its first finding. */
static struct journal_judged *read_judged(struct rig *r, struct journal *j)
{
    struct journal_judged *const out = ARENA_NEW(&r->a, struct journal_judged, 1);
    struct err e = {RES_OK, ""};
    assert_non_null(out);
    must(journal_get_judged(j, 1, &r->a, out, &e), &e);
    assert_true(out->is_own);
    assert_int_equal(out->tc.n_words, r->tc.n_words);
    return out;
}

static void edit(struct rig *r, const char *sql)
{
    struct db *d = NULL;
    struct err e = {RES_OK, ""};
    must(db_open(&d, r->path, DB_WRITE, &e), &e);
    must(db_exec(d, sql, &e), &e);
    db_close(d);
}

static void expect_same(const struct finding *x, const struct finding *y)
{
    const char *const texts[][2] = {
        {x->permitted,     y->permitted    },
        {x->participants,  y->participants },
        {x->operand_class, y->operand_class},
        {x->circumstances, y->circumstances},
        {x->known,         y->known        },
        {x->text,          y->text         }
    };
    const uint64_t numbers[][2] = {
        {x->kind,                y->kind               },
        {x->clause,              y->clause             },
        {(uint64_t)x->op,        (uint64_t)y->op       },
        {x->type,                y->type               },
        {x->storage,             y->storage            },
        {x->offset,              y->offset             },
        {(uint64_t)x->op2,       (uint64_t)y->op2      },
        {x->offset2,             y->offset2            },
        {(uint64_t)x->contended, (uint64_t)y->contended},
        {x->invocation,          y->invocation         },
        {x->n_operands,          y->n_operands         },
        {(uint64_t)x->has_got,   (uint64_t)y->has_got  },
        {x->got,                 y->got                },
        {x->got_type,            y->got_type           },
        {x->participants_type,   y->participants_type  },
        {x->block,               y->block              },
        {x->excused,             y->excused            },
        {x->n_also,              y->n_also             },
        {!x->expect,             !y->expect            },
        {!x->order,              !y->order             },
        {!x->ids,                !y->ids               }
    };
    for (size_t i = 0; i < ARRAY_N(texts); i++) {
        assert_string_equal(texts[i][0] ? texts[i][0] : "", texts[i][1]);
    }
    for (size_t i = 0; i < ARRAY_N(numbers); i++) {
        assert_int_equal(numbers[i][0], numbers[i][1]);
    }
    assert_memory_equal(x->operand, y->operand, sizeof x->operand);
    assert_memory_equal(x->operand_type, y->operand_type, sizeof x->operand_type);
    if (x->expect) {
        assert_memory_equal(x->expect, y->expect, sizeof *x->expect);
    }
    for (uint32_t i = 0; i < x->n_also; i++) {
        assert_memory_equal(&x->also[i], &y->also[i], sizeof *x->also);
    }
}

static void each_field_comes_back(void **state)
{
    struct rig *const r = *state;
    struct err e = {RES_OK, ""};
    struct journal *j = NULL;
    must(journal_open(&j, r->folder, NULL, &e), &e);
    const struct judgement *const g = &read_judged(r, j)->judgement;
    assert_int_equal(g->kind, VERDICT_ULP);
    assert_int_equal(g->n_found, 40);
    assert_int_equal(g->n_inconclusive, 5);
    assert_int_equal(g->n_findings, 3);
    for (uint32_t i = 0; i < 3; i++) {
        expect_same(&r->g.findings[i], &g->findings[i]);
    }
    const struct expect_order *const x = r->g.findings[2].order, *const y = g->findings[2].order;
    assert_int_equal(y->n_bytes, x->n_bytes);
    assert_int_equal(y->knows_final, x->knows_final);
    assert_int_equal(y->buf, x->buf);
    assert_int_equal(y->byte, x->byte);
    assert_true(y->initial == x->initial);
    assert_int_equal(y->n, 2);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(y->step[i].op, x->step[i].op);
        assert_int_equal(y->step[i].invocation, x->step[i].invocation);
        assert_int_equal(y->step[i].byte, x->step[i].byte);
        assert_true(y->step[i].operand == x->step[i].operand);
        assert_true(y->step[i].comparator == x->step[i].comparator);
    }
    assert_int_equal(g->findings[2].ids->required, 8);
    assert_int_equal(g->findings[2].ids->is_cl, 1);
    assert_int_equal(g->findings[2].ids->n, 1);
    assert_memory_equal(g->findings[2].ids->id, r->g.findings[2].ids->id, sizeof(struct expect_id));
    journal_close(j);
}

/* The case of the rig is one that the judge has nothing against: so it shows whose answer it is. */
static void expect_judged_anew(struct rig *r, struct journal *j)
{
    struct judgement now;
    struct err e = {RES_OK, ""};
    must(judge_run(&r->tc, &r->ob, &r->a, &now, &e), &e);
    const struct judgement *const g = &read_judged(r, j)->judgement;
    assert_int_equal(g->kind, now.kind);
    assert_int_equal(g->n_findings, now.n_findings);
    assert_int_equal(g->n_judged, now.n_judged);
    assert_int_not_equal(g->n_found, 40);
    journal_close(j);
}

static void what_is_damaged_is_judged_again(void **state)
{
    static const char *const edits[] = {
        /* longer, then too short, another name, not there */
        "UPDATE judgements SET judgement = CAST(judgement || x'00' AS BLOB)",
        "UPDATE judgements SET judgement = substr(judgement, 1, length(judgement) - 2)",
        "UPDATE judgements SET judgement = x'00'",
        "UPDATE judgements SET judgement = NULL",
        "UPDATE judgements SET case_hash = case_hash + 1",
        "DELETE FROM judgements",
    };
    struct rig *const r = *state;
    for (size_t i = 0; i < ARRAY_N(edits); i++) {
        struct journal *j = NULL;
        struct err e = {RES_OK, ""};
        edit(r, edits[i]);
        must(journal_open(&j, r->folder, NULL, &e), &e);
        expect_judged_anew(r, j);
    }
}

/* Every byte of the judgement set to each of a few values: read or judged again, never a fault. */
static void no_byte_harms(void **state)
{
    struct rig *const r = *state;
    struct db *d = NULL;
    struct err e = {RES_OK, ""};
    struct kept_bytes kept;
    unsigned char bytes[4096];
    size_t n = 0, n_read = 0, n_refused = 0;
    int64_t hash = 0;
    kept.testcase = testcase_encode(&r->tc, &r->a, &kept.n_testcase);
    kept.observation = observation_encode(&r->tc, &r->ob, &r->a, &kept.n_observation);
    must(db_open(&d, r->path, DB_WRITE, &e), &e);
    struct stmt *const s = db_start(d, "SELECT case_hash, judgement FROM judgements", "");
    assert_int_equal(stmt_step(s), 1);
    hash = stmt_int(s, 0);
    const void *const p = stmt_blob(s, 1, &n);
    assert_in_range(n, 1, sizeof bytes);
    memcpy(bytes, p, n);
    stmt_reset(s);
    for (size_t i = 0; i < 3 * n; i++) {
        struct judgement *const g = ARENA_NEW(&r->a, struct judgement, 1);
        unsigned char const before = bytes[i / 3];
        bytes[i / 3] = (unsigned char)(i % 3 == 0 ? 0xff : i % 3 == 1 ? before + 1 : before ^ 0x80);
        must(db_do(d, &e, "UPDATE judgements SET judgement = ? WHERE case_hash = ?", "bi",
                   (const void *)bytes, n, hash),
             &e);
        bool const is_read = journal_find_judgement(d, &kept, &r->a, g);
        n_read += is_read;
        n_refused += !is_read;
        bytes[i / 3] = before;
    }
    assert_true(n_read > 0 && n_refused > 0); /* a number may be any other, a name may not */
    db_close(d);
}

/* As a program before schema 9 left it: judged again, whether its journal can be written or not. */
static void an_older_journal_is_judged_again(void **state)
{
    struct rig *const r = *state;
    struct err e = {RES_OK, ""};
    struct journal *j = NULL;
    edit(r, "DROP TABLE judgements; DROP TABLE statistics; PRAGMA user_version = 8;"
            " PRAGMA wal_checkpoint(TRUNCATE)");
    must(journal_open_still(&j, r->folder, &e), &e);
    expect_judged_anew(r, j);
    must(journal_open(&j, r->folder, NULL, &e), &e); /* becomes one of the present schema */
    expect_judged_anew(r, j);
    int64_t version = 0;
    struct db *d = NULL;
    must(db_open(&d, r->path, DB_READ, &e), &e);
    must(db_ask(d, &e, 0, &version, "PRAGMA user_version", ""), &e);
    assert_int_equal(version, 10);
    db_close(d);
}

#define WITH_RIG(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_RIG(each_field_comes_back),
        WITH_RIG(what_is_damaged_is_judged_again),
        WITH_RIG(no_byte_harms),
        WITH_RIG(an_older_journal_is_judged_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
