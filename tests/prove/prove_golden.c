/* tests/prove/prove_golden.c -- 20,000 tapes give the cases, observations, verdicts and signatures that they gave
 * before: a hash of each hundred in FOLDER/golden.tsv. What is not there is added, so that a run resumes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/campaign/sched_case.h"
#include "oracle/judge/judge.h"
#include "oracle/sim/sim.h"
#include "oracle/sim/sim_facts.h"

enum {
    GOLDEN_SEED = 20261123,
    GOLDEN_BLOCK = 100,
    GOLDEN_BLOCKS = 20, /* of each profile and environment */
    GOLDEN_ROWS = PROFILE_DRAWN_N * ENV_N * GOLDEN_BLOCKS
};
static const size_t arena_limit_bytes = (size_t)768 << 20;

struct golden {
    uint64_t cases, observations, verdicts;
};

/* Half of the cases meet a fault that they can show. */
static enum fault_id draw_fault(const struct testcase *tc, uint64_t index, struct arena *a)
{
    enum fault_id const fault = (enum fault_id)(index / 2 % FAULT_N);
    return index % 2 && sim_can_plant(tc, fault, a) ? fault : FAULT_NONE;
}

static uint64_t hash_text(uint64_t so_far, const char *text)
{
    return hash_bytes(so_far, text, strlen(text) + 1);
}

static uint64_t hash_judgement(uint64_t so_far, const struct judgement *g,
                               const struct observation *ob, struct arena *a)
{
    uint32_t const counts[] = {g->n_found,        g->n_judged,
                               g->n_sharp,        g->n_anything,
                               g->n_inconclusive, g->n_bounded,
                               g->n_tight,        g->n_tight_sharp,
                               g->n_contended,    g->n_ordered,
                               g->n_partial,      g->n_coverage,
                               g->n_reductions,   g->undefined != UNDEFINED_NONE};
    so_far = hash_text(so_far, verdict_rows[g->kind].name);
    so_far = hash_text(so_far, g->note);
    so_far = hash_bytes(so_far, counts, sizeof(counts));
    for (uint32_t i = 0; i < g->n_findings; i++) {
        so_far = hash_text(so_far, signature_of(&g->findings[i], ob, a).text);
        so_far = hash_text(so_far, g->findings[i].permitted);
        so_far = hash_text(so_far, g->findings[i].text);
    }
    return so_far;
}

/* Add case `index` to the three running hashes of its row: the case's bytes, what a simulated run gives
 * (every second one with a planted fault where it can be planted), and what the judge says. That a case is
 * too large for the simulation or the judge is part of the record: its sentence is hashed instead. */
static enum res add_case(enum profile profile, enum env env, uint64_t index, struct arena *a,
                         struct golden *sum, struct err *e)
{
    struct testcase tc;
    struct tape tape;
    struct observation ob;
    struct judgement g;
    arena_reset(a);
    enum res r = sched_make_case(profile, GOLDEN_SEED, index, env, a, &tc, &tape, e);
    if (r != RES_OK) {
        return r;
    }
    size_t n = 0;
    const unsigned char *p = testcase_encode(&tc, a, &n);
    if (!p) {
        return err_set(e, RES_NOMEM, "case %" PRIu64 " does not fit the arena", index);
    }
    sum->cases = hash_bytes(sum->cases, p, n);
    const char *const facts = sim_facts_for(&tc, index, a);
    struct fault_plan const plan = fault_plan_of(draw_fault(&tc, index, a));
    enum sim_strategy const strategy = index / 4 % 2 ? SIM_IEEE : SIM_ANY;
    r = sim_run(&tc, &(struct sim_device){strategy, index, &plan, facts}, a, &ob, NULL, e);
    if (r == RES_LIMIT || r == RES_NOMEM) {
        sum->observations = hash_text(sum->observations, e->text);
        return RES_OK;
    }
    if (r != RES_OK) {
        return r;
    }
    ob.facts = facts;
    p = observation_encode(&tc, &ob, a, &n);
    sum->observations = p ? hash_bytes(sum->observations, p, n) : sum->observations;
    r = judge_run(&tc, &ob, a, &g, e);
    if (r == RES_OK) {
        sum->verdicts = hash_judgement(sum->verdicts, &g, &ob, a);
    } else if (r == RES_NOMEM) {
        sum->verdicts = hash_text(sum->verdicts, e->text);
    }
    return r == RES_NOMEM ? RES_OK : r;
}

static enum res make_row(unsigned row, struct arena *a, char *line, size_t n_line, struct err *e)
{
    enum profile const profile = (enum profile)(row % PROFILE_DRAWN_N);
    enum env const env = (enum env)(row / PROFILE_DRAWN_N % ENV_N);
    uint64_t const first = (uint64_t)row / PROFILE_DRAWN_N / ENV_N * GOLDEN_BLOCK;
    struct golden sum = {.cases = 0};
    for (uint64_t i = first; i < first + GOLDEN_BLOCK; i++) {
        enum res const r = add_case(profile, env, i, a, &sum, e);
        if (r != RES_OK) {
            return r;
        }
    }
    (void)snprintf(
        line, n_line, "%s\t%s\t%" PRIu64 "\t%016" PRIx64 "\t%016" PRIx64 "\t%016" PRIx64 "\n",
        profile_names[profile], env_names[env], first, sum.cases, sum.observations, sum.verdicts);
    return RES_OK;
}

struct row {
    char text[256];
};

/* Compare the rows of the open file with rows made now, print those that differ, and append the rows that the
 * file does not have yet. Returns how many differ, -1 after an error. */
static int prove(FILE *f, struct arena *a, struct err *e)
{
    struct row *const known = calloc(GOLDEN_ROWS, sizeof *known);
    char line[sizeof known->text];
    unsigned n_known = 0;
    int n_bad = 0;
    if (!known) {
        return -1;
    }
    while (n_known < GOLDEN_ROWS && fgets(known[n_known].text, sizeof known->text, f)) {
        n_known++;
    }
    (void)fseek(f, 0, SEEK_END);
    for (unsigned i = 0; i < GOLDEN_ROWS && n_bad >= 0; i++) {
        if (make_row(i, a, line, sizeof(line), e) != RES_OK) {
            (void)fprintf(stderr, "prove: %s\n", e->text);
            n_bad = -1;
        } else if (i >= n_known) {
            (void)fputs(line, f);
            (void)fflush(f);
        } else if (strcmp(line, known[i].text) != 0) {
            printf("was %sis  %s", known[i].text, line);
            n_bad++;
        }
    }
    free(known);
    return n_bad;
}

/* prove_golden FOLDER: compare with FOLDER/golden.tsv and complete it. Exit status 0: no row differs. */
int main(int argc, char **argv)
{
    char path[512];
    struct arena a;
    struct err e = {RES_OK, ""};
    if (argc != 2) {
        (void)fprintf(stderr, "usage: prove_golden FOLDER\n");
        return 2;
    }
    (void)snprintf(path, sizeof(path), "%s/golden.tsv", argv[1]);
    FILE *const f = fopen(path, "a+");
    if (!f) {
        (void)fprintf(stderr, "prove: cannot write %s\n", path);
        return 3;
    }
    rewind(f);
    arena_init(&a, arena_limit_bytes);
    int const n_bad = prove(f, &a, &e);
    arena_free(&a);
    printf("%d rows of %d differ\n", n_bad, GOLDEN_ROWS);
    return fclose(f) == 0 && n_bad == 0 ? 0 : 1;
}
