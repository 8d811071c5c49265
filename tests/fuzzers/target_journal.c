/* tests/fuzzers/target_journal.c -- fuzz target: a journal from elsewhere, damaged or made to mislead. */
#include <string.h>

#include "base/file.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/io/db.h"
#include "fuzz/journal/campaign_data.h"
#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_finding.h"
#include "fuzz/journal/journal_load.h"
#include "tests/fuzzers/target_folder.h"

enum {
    TARGET_ARENA_BYTES = 128 << 20,
    TARGET_MAX_BYTES = 1 << 17,
    TARGET_MAX_EDITS = 16,
    TARGET_MAX_FINDINGS = 8,
    SMALL_WORDS = 64,
    SMALL_BYTES = 64
};
static struct campaign_plan const plan = {.profile = "atomics",
                                          .seed = 11,
                                          .gen_version = 1,
                                          .max_cases = 100,
                                          .max_ns = 5000000000,
                                          .targets = "one two",
                                          .shard = SHARD_NONE};
static const char file_name[] = "journal.sqlite";

/* ---- a journal like any other, to be edited ---- */

/* Put a finished run of a small case with this verdict into the journal, with two findings unless it is
 * ok. */
static void put_run(struct journal *j, int64_t target, uint64_t index, enum verdict_kind kind,
                    struct arena *a)
{
    struct testcase tc;
    struct tape tape;
    struct err e = {.text = ""};
    int64_t run = 0;
    struct judgement *const g = ARENA_NEW(a, struct judgement, 1);
    target_require(g &&
                   sched_make_case(PROFILE_ATOMICS, 1, 0, ENV_CL, a, &tc, &tape, &e) == RES_OK);
    /* Cut, so that the file is small: it is not run. */
    tc.n_words = tc.n_words < SMALL_WORDS ? tc.n_words : SMALL_WORDS;
    tc.n_bufs = 1;
    tc.bufs[0].n_bytes = SMALL_BYTES;
    struct observation const ob = {.status = RUN_DONE,
                                   .phase = PHASE_DONE,
                                   .log = "",
                                   .signature = "",
                                   .facts = "",
                                   .n_bufs = 1,
                                   .out = {tc.bufs[0].data}};
    g->kind = kind;
    g->n_findings = g->n_found = kind == VERDICT_OK ? 0 : 2;
    g->n_coverage = 1;
    g->coverage[0] = (struct coverage){.type = VT_F32, .storage = STORAGE_GLOBAL, .n = 1};
    g->cross_hash[0] = index + (uint64_t)target;
    for (int i = 0; i < 2; i++) {
        g->findings[i] = (struct finding){.kind = kind,
                                          .clause = CLAUSE_FADD_CR,
                                          .op = i,
                                          .type = VT_F32,
                                          .op2 = -1,
                                          .permitted = "",
                                          .operand_class = "normal",
                                          .text = "x"};
    }
    struct run_record const record = {&tc, &ob, g, "%1 = OpX ; 0x00000014\n"};
    target_require(journal_begin_run(j, target, index, "tape", 4, &run, &e) == RES_OK);
    target_require(journal_end_run(j, run, &record, a, &e) == RES_OK);
}

struct file {
    unsigned char *p;
    size_t n;
};

/* Make a good journal, of two targets with two runs each, and return its file. Edits of it are the inputs of
 * this fuzz target. */
static struct file make_journal(void)
{
    struct target_folder f;
    struct journal *j = NULL;
    struct err e = {.text = ""};
    struct arena a;
    int64_t id[2] = {0, 0};
    const unsigned char *p = NULL;
    struct file out = {NULL, 0};
    arena_init(&a, TARGET_ARENA_BYTES);
    target_folder_make(&f);
    target_require(journal_open(&j, f.path, &plan, &e) == RES_OK);
    target_require(journal_put_target(j, "one", "device=x\n", &id[0], &e) == RES_OK);
    target_require(journal_put_target(j, "two", "", &id[1], &e) == RES_OK);
    for (int i = 0; i < 2; i++) {
        put_run(j, id[i], 0, VERDICT_OK, &a);
        put_run(j, id[i], 1, VERDICT_ULP, &a);
    }
    journal_close(j);
    target_require(file_read(arena_printf(&a, "%s/%s", f.path, file_name), TARGET_ARENA_BYTES, &a,
                             &p, &out.n, &e) == RES_OK);
    out.p = malloc(out.n);
    target_require(out.p != NULL);
    memcpy(out.p, p, out.n);
    target_folder_remove(&f);
    arena_free(&a);
    return out;
}

/* ---- the edits ---- */

/* The journal's columns; of each an edit may set any value in all rows or in one. */
static const struct {
    const char *table, *column;
} places[] = {
    {"meta",       "value"          },
    {"targets",    "id"             },
    {"targets",    "name"           },
    {"targets",    "facts"          },
    {"targets",    "low"            },
    {"targets",    "n_runs"         },
    {"verdicts",   "class"          },
    {"verdicts",   "profile"        },
    {"verdicts",   "verdict"        },
    {"verdicts",   "n"              },
    {"tapes",      "case_index"     },
    {"tapes",      "tape"           },
    {"runs",       "target_id"      },
    {"runs",       "case_index"     },
    {"runs",       "is_done"        },
    {"runs",       "profile"        },
    {"runs",       "verdict"        },
    {"runs",       "case_hash"      },
    {"runs",       "cross_values"   },
    {"findings",   "id"             },
    {"findings",   "target_id"      },
    {"findings",   "case_index"     },
    {"findings",   "class"          },
    {"findings",   "verdict"        },
    {"findings",   "clause"         },
    {"findings",   "signature"      },
    {"findings",   "op"             },
    {"findings",   "permitted"      },
    {"kept",       "target_id"      },
    {"kept",       "case_index"     },
    {"kept",       "testcase"       },
    {"kept",       "observation"    },
    {"kept",       "crash_signature"},
    {"buckets",    "target_id"      },
    {"buckets",    "class"          },
    {"buckets",    "signature"      },
    {"buckets",    "n"              },
    {"buckets",    "first_finding"  },
    {"coverage",   "op"             },
    {"coverage",   "n"              },
    {"times",      "wall_ns"        },
    {"judgements", "case_hash"      },
    {"judgements", "judgement"      },
};
enum value_kind {
    VALUE_NULL,
    VALUE_INT,
    VALUE_REAL,
    VALUE_TEXT,
    VALUE_BLOB
};
enum {
    VALUE_N = 5
};

/* Take a value from the input and write it as SQL: a u32 says which kind, then come its bytes, of a text or
 * blob with a u32 length before them. */
static const char *write_value(struct reader *r, struct arena *a)
{
    enum value_kind const kind = (enum value_kind)(reader_u32(r) % VALUE_N);
    if (kind == VALUE_NULL) {
        return "NULL";
    }
    if (kind == VALUE_INT) {
        return arena_printf(a, "%lld", (long long)(int64_t)reader_u64(r));
    }
    if (kind == VALUE_REAL) {
        return arena_printf(a, "%d.5e%d", (int)reader_u32(r) % 1000, (int)reader_u32(r) % 400);
    }
    uint32_t const n = reader_u32(r);
    const unsigned char *const p = reader_take(r, n);
    char *const hex = p ? arena_take(a, 2 * (size_t)n + 1) : NULL;
    for (uint32_t i = 0; hex && i < n; i++) {
        hex[2 * i] = "0123456789abcdef"[p[i] >> 4];
        hex[2 * i + 1] = "0123456789abcdef"[p[i] & 15];
    }
    return arena_printf(a, kind == VALUE_BLOB ? "x'%s'" : "CAST(x'%s' AS TEXT)", hex ? hex : "");
}

/* Change a journal as the input says. An edit is a u32 place (which column of which table), a u32 row (0: all
 * rows, else only one), and a value. What SQLite refuses is left out. */
static void edit(const char *path, const uint8_t *data, size_t n_bytes, struct arena *a)
{
    struct reader r = {.p = data, .n = n_bytes, .ok = 1};
    struct db *d = NULL;
    struct err e = {.text = ""};
    target_require(db_open(&d, path, DB_WRITE, &e) == RES_OK);
    for (int i = 0; i < TARGET_MAX_EDITS && r.ok; i++) {
        size_t const place = reader_u32(&r) % ARRAY_N(places);
        uint32_t const row = reader_u32(&r);
        const char *const table = places[place].table;
        const char *const column = places[place].column;
        const char *const value = write_value(&r, a);
        if (!r.ok) {
            break;
        }
        const char *which = "";
        if (row) { /* rows before which so many are in the order of that column; -1 is none */
            int const n_before = (int)(row % 8) - 1;
            which = arena_printf(a, " WHERE (SELECT count(*) FROM %s x WHERE x.%s < %s.%s) = %d",
                                 table, column, table, column, n_before);
        }
        const char *const sql =
            arena_printf(a, "UPDATE OR IGNORE %s SET %s = %s%s", table, column, value, which);
        (void)target_is_ok(db_exec(d, sql, &e), &e);
    }
    db_close(d);
}

/* ---- what is read of it ---- */

/* Read each finding of the journal, its case and its smallest case. The answer must be whole or an error. */
static void read_findings(struct journal *j, const struct target_folder *f,
                          const struct campaign *c, struct arena *a)
{
    for (uint32_t i = 0; i < c->n_findings && i < TARGET_MAX_FINDINGS; i++) {
        const struct campaign_finding *const x = &c->findings[i];
        struct testcase tc;
        struct observation ob;
        struct journal_finding named;
        struct err e = {.text = ""};
        target_require(x->bucket < c->n_findings && x->core && x->family && x->replay);
        target_require(c->findings[x->bucket].bucket == x->bucket);
        (void)campaign_is_violation(x);
        if (target_folder_is_ok(f, journal_get_finding(j, x->id, a, &named, &e), &e)) {
            target_require(named.target && named.verdict && named.signature);
        }
        if (target_folder_is_ok(f, journal_get_case(j, x->id, a, &tc, &ob, &e), &e)) {
            target_require(testcase_get_items(&tc) >= 1 && ob.facts != NULL);
        }
        (void)target_folder_is_ok(f, journal_get_smallest(j, x->id, a, &tc, &ob, &e), &e);
        struct journal_judged *const judged = ARENA_NEW(a, struct journal_judged, 1);
        if (judged && target_folder_is_ok(f, journal_get_judged(j, x->id, a, judged, &e), &e)) {
            target_require(judged->judgement.n_findings <= JUDGE_MAX_FINDINGS);
        }
    }
}

/* A campaign goes on in it: an answer or an error, never a wrong row. */
static void go_on(struct journal *j, const struct target_folder *f, struct arena *a)
{
    struct err e = {.text = ""};
    int64_t id = 0, run = 0;
    uint64_t index = 0, n = 0;
    const unsigned char *tape = NULL;
    size_t n_tape = 0;
    (void)target_folder_is_ok(f, journal_get_tape(j, 1, a, &tape, &n_tape, &e), &e);
    if (!target_folder_is_ok(f, journal_put_target(j, "one", "device=y\n", &id, &e), &e) ||
        !target_folder_is_ok(f, journal_next_case(j, id, &index, &e), &e) ||
        !target_folder_is_ok(f, journal_count_runs(j, id, &n, &e), &e)) {
        return;
    }
    target_require(!journal_is_done(j, id, index));
    if (target_folder_is_ok(f, journal_begin_run(j, id, index, "tape", 4, &run, &e), &e)) {
        (void)target_folder_is_ok(f, journal_flush(j, &e), &e);
    }
}

static void read_journal(const struct target_folder *f, struct arena *a)
{
    struct journal *j = NULL;
    struct campaign c;
    struct err e = {.text = ""};
    if (!target_folder_is_ok(f, journal_open(&j, f->path, NULL, &e), &e)) {
        return;
    }
    if (target_folder_is_ok(f, journal_load(j, a, &c, &e), &e)) {
        for (uint32_t i = 0; i < c.n_targets; i++) {
            target_require(c.targets[i].name && c.targets[i].facts);
            target_require(c.targets[i].n_profiles <= JOURNAL_MAX_PROFILES);
        }
        read_findings(j, f, &c, a);
    }
    go_on(j, f, a);
    journal_close(j);
}

/* Bytes of a file overwritten: u32 place, u32 length and as many bytes, again and again. */
static void damage(unsigned char *file, size_t n, const uint8_t *data, size_t n_bytes)
{
    struct reader r = {.p = data, .n = n_bytes, .ok = 1};
    while (r.ok) {
        size_t const at = reader_u32(&r) % n;
        uint32_t const length = reader_u32(&r);
        const unsigned char *const p = reader_take(&r, length);
        if (p) {
            memcpy(file + at, p, length < n - at ? length : n - at);
        }
    }
}

/* Put a good journal into the folder and change it: an odd first byte damages its bytes, an even one edits its rows. */
static void put_changed(const struct target_folder *f, const uint8_t *data, size_t n_bytes,
                        struct arena *a)
{
    static struct file good; /* one for all inputs of this process */
    if (!good.p) {
        good = make_journal();
    }
    bool const is_damaged = data[0] % 2 != 0;
    unsigned char *const copy = arena_copy(a, good.p, good.n);
    target_require(copy != NULL);
    if (is_damaged) {
        damage(copy, good.n, data + 1, n_bytes - 1);
    }
    target_folder_put(f, file_name, copy, good.n);
    if (!is_damaged) {
        edit(arena_printf(a, "%s/%s", f->path, file_name), data + 1, n_bytes - 1, a);
    }
}

/* The bytes are a journal, if they begin as a file of SQLite does; else they are edits of a good one, which
 * reaches deeper. Reading it must give whole answers or errors. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    static const char magic[] = "SQLite format 3";
    struct target_folder f;
    struct arena a;
    if (n_bytes == 0 || n_bytes > TARGET_MAX_BYTES) {
        return 0;
    }
    arena_init(&a, TARGET_ARENA_BYTES);
    target_folder_make(&f);
    if (n_bytes >= sizeof magic && memcmp(data, magic, sizeof magic) == 0) {
        target_folder_put(&f, file_name, data, n_bytes);
    } else {
        put_changed(&f, data, n_bytes, &a);
    }
    read_journal(&f, &a);
    target_folder_remove(&f);
    arena_free(&a);
    return 0;
}
