/* tests/hostile/test_journal_mutants.c -- mutants of a good journal, given to the program itself: values of every kind in
 * every column, bytes and pages that are damaged. None may crash it, keep it for seconds, or take its memory.
 * HALFULP_SLOW=1: 10,000 of them; HALFULP_FIRST=N begins with the N-th. */
#define _DEFAULT_SOURCE /* wait4: what one process took */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/rig/hostile_rig.h"

enum {
    N_MUTANTS = 300,
    N_SLOW_MUTANTS = 10000
};

static const char *const columns[] = {
    "meta.key",
    "meta.value",
    "targets.id",
    "targets.name",
    "targets.facts",
    "targets.low",
    "targets.n_runs",
    "targets.n_skipped",
    "targets.n_judged",
    "targets.n_sharp",
    "targets.n_anything",
    "targets.n_inconclusive",
    "targets.n_bounded",
    "targets.n_contended",
    "targets.n_interleaved",
    "targets.n_ordered",
    "targets.n_reductions",
    "targets.n_reductions_bounded",
    "targets.n_partial",
    "verdicts.target_id",
    "verdicts.class",
    "verdicts.profile",
    "verdicts.verdict",
    "verdicts.n",
    "tapes.case_index",
    "tapes.tape",
    "tapes.profile",
    "runs.id",
    "runs.target_id",
    "runs.case_index",
    "runs.is_done",
    "runs.profile",
    "runs.verdict",
    "runs.case_hash",
    "runs.cross_values",
    "findings.id",
    "findings.target_id",
    "findings.case_index",
    "findings.ordinal",
    "findings.class",
    "findings.verdict",
    "findings.clause",
    "findings.signature",
    "findings.op",
    "findings.type",
    "findings.storage",
    "findings.permitted",
    "findings.got",
    "findings.operands",
    "findings.text",
    "findings.instruction",
    "kept.target_id",
    "kept.case_index",
    "kept.testcase",
    "kept.observation",
    "kept.disassembly",
    "kept.log",
    "kept.crash_signature",
    "buckets.target_id",
    "buckets.class",
    "buckets.signature",
    "buckets.verdict",
    "buckets.n",
    "buckets.first_finding",
    "coverage.target_id",
    "coverage.op",
    "coverage.type",
    "coverage.storage",
    "coverage.outcome",
    "coverage.n",
    "coverage.n_sharp",
    "coverage.n_anything",
    "coverage.n_bounded",
    "coverage.n_divergent",
    "triage.finding_id",
    "triage.n_runs",
    "triage.n_shown",
    "triage.n_loaded_runs",
    "triage.n_loaded_shown",
    "triage.is_flaky",
    "triage.n_before",
    "triage.n_after",
    "triage.smallest",
    "triage.twin",
    "triage.matrix",
    "triage.wall_ns",
    "triage.testcase",
    "triage.observation",
    "triage.is_cut",
    "triage.n_alike",
    "times.wall_ns",
    "times.harness_cpu_ns",
    "times.worker_cpu_ns",
    "corpus.id",
    "corpus.case_index",
    "corpus.profile",
    "corpus.n_records",
    "corpus.hash",
    "corpus.tape",
    "corpus.dead_at",
    "cells.cell",
    "cells.entry",
    "origins.case_index",
    "origins.parent",
    "origins.other",
    "sqlite_sequence.seq",
};
static const char *const values[] = {
    "NULL",
    "0",
    "1",
    "-1",
    "2",
    "63",
    "64",
    "65",
    "255",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "4611686018427387904",
    "1099511627776",
    "17592186044415",
    "1e308",
    "-0.5",
    "1e-320",
    "''",
    "'x'",
    "'-1'",
    "'9'",
    "x''",
    "x'00'",
    "x'ff'",
    "zeroblob(4096)",
    "zeroblob(3000000)",
    LONG("4000"),
    LONG("3000000"),
    "CAST(zeroblob(64) AS TEXT)",
    "char(27) || '[2J' || char(8238)",
    "'../../../../tmp/x'",
    "'a' || char(10) || 'b'",
    "'<script>alert(1)</script>'",
    "'legal'",
    "'unadvertised'",
    "'atomics'",
    "'crash'",
    "'run'",
    "'opencl'",
    "randomblob(40)",
    "CAST(randomblob(40) AS TEXT)",
};

/* An UPDATE of all rows of a column or of one: a value of the list, or what is there, changed. */
static const char *make_edit(struct rng *rng, struct arena *a)
{
    const char *const column = columns[rng_below(rng, ARRAY_N(columns))];
    int const n_table = (int)strcspn(column, ".");
    const char *const name = column + n_table + 1;
    const char *const which = rng_below(rng, 3) ? arena_printf(a, " WHERE abs(random()) %% %d = 0",
                                                               1 + (int)rng_below(rng, 9))
                                                : "";
    const char *const changes[] = {
        values[rng_below(rng, ARRAY_N(values))],
        values[rng_below(rng, ARRAY_N(values))],
        values[rng_below(rng, ARRAY_N(values))],
        arena_printf(a, "CAST(substr(%s, 1, abs(random()) %% (1 + length(%s))) AS BLOB)", name,
                     name),
        arena_printf(a, "CAST(substr(%s, 1, 40) || randomblob(4) || substr(%s, 45) AS BLOB)", name,
                     name),
        arena_printf(a, "%s + %d", name, (int)rng_below(rng, 9) - 4),
        arena_printf(a, "%s || %s", name, name),
    };
    return arena_printf(a, "UPDATE OR IGNORE %.*s SET %s = %s%s;", n_table, column, name,
                        changes[rng_below(rng, ARRAY_N(changes))], which);
}

static void mutate_values(struct world *w, struct rng *rng)
{
    put_journal(w, w->good, w->n_good);
    for (uint64_t n = 1 + rng_below(rng, 3); n > 0; n--) {
        (void)spoil(w, make_edit(rng, &w->scratch));
    }
}

/* Single bytes, whole pages, or an end that is missing. */
static void mutate_pages(struct world *w, struct rng *rng)
{
    enum {
        PAGE = 4096
    };
    unsigned char *const p = arena_copy(&w->scratch, w->good, w->n_good);
    size_t n = w->n_good;
    size_t const n_pages = n / PAGE;
    uint64_t const kind = rng_below(rng, 5);
    assert_non_null(p);
    for (uint64_t i = kind < 3 ? 1 + rng_below(rng, 64) : 0; i > 0; i--) {
        size_t const at = kind == 0
                              ? rng_below(rng, n) /* anywhere, the file's head, heads of pages */
                          : kind == 1 ? rng_below(rng, 100)
                                      : rng_below(rng, n_pages) * PAGE + rng_below(rng, 64);
        p[at] = (unsigned char)(kind == 1 && i > 3 ? p[at] : rng_next(rng));
    }
    if (kind == 3) {
        (void)memmove(p + rng_below(rng, n_pages) * PAGE, p + rng_below(rng, n_pages) * PAGE, PAGE);
    } else if (kind == 4) {
        n = rng_below(rng, n);
    }
    put_journal(w, p, n);
}

static void mutants_are_read_or_refused(void **state)
{
    struct world *const w = *state;
    const char *const ways[] = {
        arena_printf(&w->a, "report --no-triage %s", w->campaign),
        arena_printf(&w->a, "report --no-triage %s", w->campaign),
        arena_printf(&w->a, "check %s#1", w->campaign),
        arena_printf(&w->a, "report --format json --baseline %s %s", w->campaign, w->base),
        arena_printf(&w->a, "run -q --resume --cases 13 -o %s", w->campaign),
        arena_printf(&w->a, "gen --campaign %s --index 3 --env opencl -o %s", w->campaign, w->out),
        arena_printf(&w->a, "report --bundle 1 -o %s %s", w->out, w->campaign),
    };
    int const n = getenv("HALFULP_SLOW") ? N_SLOW_MUTANTS : N_MUTANTS;
    const char *const first = getenv("HALFULP_FIRST");
    int n_of[4] = {0, 0, 0, 0};
    w->max_rss_kib = 0;
    w->max_cpu_ms = 0;
    int const begin = first ? (int)strtol(first, NULL, 10) : 0;
    for (int i = begin; i < n; i++) {
        struct rng rng = rng_seed((uint64_t)i);
        arena_reset(&w->scratch);
        if (i % 2) {
            mutate_pages(w, &rng);
        } else {
            mutate_values(w, &rng);
        }
        struct cost const c = run_text(w, ways[rng_below(&rng, ARRAY_N(ways))]);
        n_of[c.status]++;
        const char *const said = program_read(w->said, w->text, sizeof w->text);
        if (strchr(said, 0x1b) || strstr(said, "\xe2\x80\xae")) {
            fail_msg("mutant %d writes to the terminal: %s", i, said);
        }
    }
    print_message(
        "%d mutants: %d read without and %d with findings, %d refused, %d not gone on with;"
        " at most %ld KiB and %" PRIu64 " ms\n",
        n - begin, n_of[0], n_of[1], n_of[2], n_of[3], w->max_rss_kib, w->max_cpu_ms);
    assert_true(n_of[1] > (n - begin) / 20 && n_of[2] > (n - begin) / 20);
}

int main(void)
{
    if (!program_find(self_path, program, sizeof program)) {
        return 1;
    }
    program_cpu_s = HANG_CPU_S;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mutants_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
