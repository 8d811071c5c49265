/* tests/documents/test_sentences.c -- each sentence of the specifications is exercised by what its row says, and docs/seeds.md
 * tells so; WRITE=1 writes it. A fault that a row names is planted at the row's instruction, type and storage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/spv.h"
#include "gen/illegal/illegal.h"
#include "gen/tape/tape_random.h"
#include "oracle/sim/sim.h"
#include "oracle/sim/sim_facts.h"
#include "tests/documents/sentences.h"

/* ---- what random cases have, and what is told of faults that are planted in them ---- */

enum {
    MOST_CASES = 20000, /* of a profile and environment; far fewer are needed */
    LEGAL_CASES = 3,    /* in which a legal oddity acts, and none alarms */
    SITES = 3,          /* at which a fault is planted in one case, one after the other */
    PAGE_BYTES = 1 << 16
};
struct search {
    struct arena a;
    struct testcase tc;
    struct judgement honest; /* what was judged of it without a fault */
    struct judgement faulty; /* and with the last one */
    const char *facts;
    const char *only; /* ROW of the environment */
    uint64_t seed;
    enum profile profile;
    struct progress {
        bool is_shown;
        int n_applied; /* cases in which the fault was applied */
    } by[ROW_N][MAX_EVIDENCE];
};

static const char *describe_site(const struct evidence *by, struct arena *a)
{
    const char *type = by->type == ANYTHING ? "" : val_type_names[by->type];
    const char *storage = by->storage == ANYTHING ? "" : storage_names[by->storage];
    return arena_printf(a, "%s%s%s%s%s", op_rows[by->op].name, type[0] ? " " : "", type,
                        storage[0] ? " " : "", storage);
}

static const char *describe(const struct evidence *by, struct arena *a)
{
    switch (by->kind) {
    case EVIDENCE_RUN:
        return arena_printf(a, "%s in `--profile %s`, %s", describe_site(by, a),
                            profile_names[by->profile], env_names[by->env]);
    case EVIDENCE_SCOPE:
        return arena_printf(a, "%s with scope %s in `--profile %s`, %s", op_rows[by->op].name,
                            scope_names[by->scope], profile_names[by->profile], env_names[by->env]);
    case EVIDENCE_CAUGHT:
        return arena_printf(a, "fault %s at %s: caught", by->name, describe_site(by, a));
    case EVIDENCE_LEGAL:
        return arena_printf(a, "fault %s at %s: permitted", by->name, describe_site(by, a));
    case EVIDENCE_CLAUSE:
        return arena_printf(a, "clause %s", by->name);
    case EVIDENCE_NEED:
        return arena_printf(a, "need %s", by->name);
    case EVIDENCE_REFUSED:
        return arena_printf(
            a, "`refusals`: %s%s", by->name,
            illegal_rules[illegal_find(by->name)].stance == STANCE_DISPUTED ? " (disputed)" : "");
    case EVIDENCE_TEST:
        return arena_printf(a, "%s: %s", by->file, by->name);
    case EVIDENCE_NONE:
    case EVIDENCE_END:
    default:
        return arena_printf(a, "not tested: %s", by->name);
    }
}

static bool is_searched(const struct evidence *by)
{
    return by->kind == EVIDENCE_RUN || by->kind == EVIDENCE_SCOPE || by->kind == EVIDENCE_CAUGHT ||
           by->kind == EVIDENCE_LEGAL;
}

/* In which profile the evidence is looked for: of a fault that of its instruction, or of the decorations. */
static int profile_of(const struct evidence *by)
{
    const char *name = op_rows[by->op].name;
    if (by->kind == EVIDENCE_RUN || by->kind == EVIDENCE_SCOPE) {
        return by->profile;
    }
    if (by->row == FAULT_DECORATION_OF_OTHER || by->row == FAULT_DECORATION_IGNORED) {
        return PROFILE_MAXERROR;
    }
    return !strncmp(name, "Atomic", 6) ? PROFILE_ATOMICS
           : !strncmp(name, "Group", 5) || op_rows[by->op].number >> 16 == OP_SET_amd_ballot
               ? PROFILE_GROUPS
               : PROFILE_MAXERROR;
}

/* May the evidence come from that environment? Of a fault from any that the document is about. */
static bool is_of_env(const struct sentence *s, const struct evidence *by, int env)
{
    if (by->env != ANYTHING) {
        return by->env == env;
    }
    bool const is_cl = s->document == DOC_FLOAT_ATOMICS || s->document == DOC_MAX_ERROR;
    bool const is_vk = s->document == DOC_VECTORS;
    return is_cl ? env == ENV_CL : !is_vk || env == ENV_VK;
}

/* A module without the extension's string shows nothing of the extension. */
static bool is_bare(const struct testcase *tc)
{
    return needs_has(&tc->needs, NEED_CL_AMD_BARE) || needs_has(&tc->needs, NEED_VK_AMD_BARE);
}

static bool is_judged(const struct search *s, const struct evidence *by)
{
    for (uint32_t i = 0; i < s->honest.n_coverage; i++) {
        const struct coverage *row = &s->honest.coverage[i];
        if (row->op == by->op && (by->type == ANYTHING || by->type == row->type) &&
            (by->storage == ANYTHING || by->storage == row->storage)) {
            return true;
        }
    }
    return false;
}

/* Has the module an instruction with that number? One of an extended set is taken for one of any other. */
static bool has_op(const struct testcase *tc, int op)
{
    uint32_t const number = op_rows[op].number;
    for (uint32_t at = 5; at < tc->n_words && tc->module[at] >> 16; at += tc->module[at] >> 16) {
        uint32_t const opcode = tc->module[at] & 0xffff;
        if (opcode == (number >> 16 == OP_SET_core ? number : SpvOpExtInst) &&
            (opcode != SpvOpExtInst || tc->module[at + 4] == (number & 0xffff))) {
            return true;
        }
    }
    return false;
}

/* The value of a constant, or -1. */
static int64_t find_constant(const struct testcase *tc, uint32_t id)
{
    for (uint32_t at = 5; at < tc->n_words && tc->module[at] >> 16; at += tc->module[at] >> 16) {
        if ((tc->module[at] & 0xffff) == SpvOpConstant && tc->module[at + 2] == id) {
            return tc->module[at + 3];
        }
    }
    return -1;
}

/* Has the module a read-modify-write of that opcode whose scope is that constant? */
static bool has_scope(const struct testcase *tc, const struct evidence *by)
{
    for (uint32_t at = 5; at < tc->n_words && tc->module[at] >> 16; at += tc->module[at] >> 16) {
        if ((tc->module[at] & 0xffff) == op_rows[by->op].number &&
            find_constant(tc, tc->module[at + 4]) == by->scope) {
            return true;
        }
    }
    return false;
}

/* Does an alarm name the instruction and the kind? */
static bool is_told(const struct judgement *g, const struct fault_row *row, uint32_t site)
{
    for (uint32_t i = 0; i < g->n_findings; i++) {
        const struct finding *f = &g->findings[i];
        if (f->kind == row->expect && (f->offset == site || f->offset2 == site)) {
            return true;
        }
    }
    return false;
}

/* The fault was applied at the site, and the device judged. */
static void note_told(const struct search *s, const struct sentence *of, const struct evidence *by,
                      uint32_t site, struct progress *p)
{
    const struct judgement *g = &s->faulty;
    if (by->kind == EVIDENCE_CAUGHT) {
        p->is_shown = is_told(g, &fault_rows[by->row], site);
    } else if (verdict_rows[g->kind].part == PART_VIOLATION) {
        fail_msg("%s: seed %" PRIu64 ": %s is told: %s", of->id, s->seed, by->name,
                 g->findings[0].text);
    }
}

/* Plants the fault where the evidence says, if the case has such a site at which it can be seen. */
static void plant(struct search *s, const struct sentence *of, const struct evidence *by,
                  struct progress *p)
{
    struct fault_plan plan = fault_plan_of((enum fault_id)by->row);
    plan.op = by->op;
    plan.type = by->type;
    plan.storage = by->storage;
    plan.unasked = 1;
    if (!sim_can_plant(&s->tc, plan.id, &s->a)) {
        return;
    }
    bool is_applied = true;
    int n_applied = 0;
    for (uint64_t k = 0; k < SITES && is_applied && !p->is_shown; k++) {
        struct arena_mark const mark = arena_get_mark(&s->a);
        struct err e = {RES_OK, ""};
        struct observation ob;
        struct sim_outcome outcome = {.site = 0};
        is_applied =
            sim_run(&s->tc,
                    &(struct sim_device){SIM_IEEE, s->seed + k * MOST_CASES, &plan, s->facts},
                    &s->a, &ob, &outcome, &e) == RES_OK &&
            outcome.fault == FAULT_APPLIED;
        if (is_applied) {
            assert_int_equal(judge_run(&s->tc, &ob, &s->a, &s->faulty, &e), RES_OK);
            note_told(s, of, by, outcome.site, p);
        }
        n_applied += is_applied;
        arena_release(&s->a, mark);
    }
    p->n_applied += n_applied > 0;
    p->is_shown = p->is_shown || (by->kind == EVIDENCE_LEGAL && p->n_applied >= LEGAL_CASES);
}

/* Still, in cases of the profile and environment; ROW=ID: of that row alone. */
static bool is_looked_for(const struct search *s, int row, int i, int env)
{
    const struct evidence *by = &sentences[row].by[i];
    if (s->only && strcmp(s->only, sentences[row].id) != 0) {
        return false;
    }
    return is_searched(by) && !s->by[row][i].is_shown && profile_of(by) == (int)s->profile &&
           is_of_env(&sentences[row], by, env);
}

/* Is evidence still looked for in cases of the profile and environment? tc: in this one, by its opcodes; NULL: in any. */
static bool is_any_looked_for(const struct search *s, int env, const struct testcase *tc)
{
    for (int r = 0; r < ROW_N; r++) {
        for (int i = 0; sentences[r].by[i].kind != EVIDENCE_END; i++) {
            if (is_looked_for(s, r, i, env) && (!tc || has_op(tc, sentences[r].by[i].op))) {
                return true;
            }
        }
    }
    return false;
}

/* Run a random case on the simulated device, and keep what of it was judged. */
static bool make_case(struct search *s, enum env env)
{
    const struct fault_plan honest = fault_plan_of(FAULT_NONE);
    struct err e = {RES_OK, ""};
    struct rng rng = rng_seed(s->seed);
    struct tape tape;
    struct observation ob;
    arena_reset(&s->a);
    assert_int_equal(tape_random(&tape, &rng, &s->a, &e), RES_OK);
    assert_int_equal(gen_case(s->profile, env, &tape, &s->a, &s->tc, NULL, &e), RES_OK);
    s->facts = sim_facts(env, s->seed, &s->a);
    if (!is_any_looked_for(s, (int)env, &s->tc) ||
        sim_run(&s->tc, &(struct sim_device){SIM_IEEE, s->seed, &honest, s->facts}, &s->a, &ob,
                NULL, &e) != RES_OK) {
        return false;
    }
    assert_int_equal(judge_run(&s->tc, &ob, &s->a, &s->honest, &e), RES_OK);
    if (verdict_rows[s->honest.kind].part == PART_VIOLATION) {
        fail_msg("%s: %s, %s, seed %" PRIu64 ": told of a device without a fault: %s",
                 s->only ? s->only : "all rows", profile_names[s->profile], env_names[env], s->seed,
                 s->honest.findings[0].text);
    }
    return true;
}

/* The evidence that the case gives. */
static void look(struct search *s, int env)
{
    for (int r = 0; r < ROW_N; r++) {
        const struct evidence *by = sentences[r].by;
        for (int i = 0; by[i].kind != EVIDENCE_END; i++) {
            struct progress *p = &s->by[r][i];
            if (!is_looked_for(s, r, i, env) || !is_judged(s, &by[i]) ||
                (is_bare(&s->tc) && sentences[r].document == DOC_BALLOT)) {
                continue;
            }
            if (by[i].kind == EVIDENCE_RUN) {
                p->is_shown = true;
            } else if (by[i].kind == EVIDENCE_SCOPE) {
                p->is_shown = has_scope(&s->tc, &by[i]);
            } else {
                plant(s, &sentences[r], &by[i], p);
            }
        }
    }
}

static void cases_and_faults_are_what_is_claimed(void **state)
{
    (void)state;
    struct search *s = calloc(1, sizeof *s);
    int n_missing = 0;
    assert_non_null(s);
    arena_init(&s->a, (size_t)256 << 20);
    s->only = getenv("ROW");
    for (int profile = 0; profile < PROFILE_N; profile++) {
        s->profile = (enum profile)profile;
        for (s->seed = 1; s->seed <= MOST_CASES; s->seed++) {
            for (int env = 0; env < ENV_N; env++) {
                if (is_any_looked_for(s, env, NULL) && make_case(s, (enum env)env)) {
                    look(s, env);
                }
            }
        }
    }
    for (int r = 0; r < ROW_N; r++) {
        for (int i = 0; sentences[r].by[i].kind != EVIDENCE_END; i++) {
            const struct evidence *by = &sentences[r].by[i];
            bool const is_asked = !s->only || !strcmp(s->only, sentences[r].id);
            if (is_asked && is_searched(by) && !s->by[r][i].is_shown) {
                printf("%s, %s: not so in %d cases: %s (applied %d times)\n",
                       documents[sentences[r].document], sentences[r].id, MOST_CASES,
                       describe(by, &s->a), s->by[r][i].n_applied);
                n_missing++;
            }
        }
    }
    assert_int_equal(n_missing, 0);
    arena_free(&s->a);
    free(s);
}

/* ---- what is there by name ---- */

static char *read_text(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = calloc(1, PAGE_BYTES * 8);
    assert_non_null(text);
    if (f) {
        text[fread(text, 1, PAGE_BYTES * 8 - 1, f)] = '\0';
        (void)fclose(f);
    }
    return text;
}

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"; /* of ids */

/* Does a word stand in the text, with no letter or digit on either side? */
static bool has_word(const char *text, const char *end, const char *word)
{
    size_t const n = strlen(word);
    for (const char *at = strstr(text, word); at && at < end; at = strstr(at + 1, word)) {
        bool const begins = at == text || !strchr(letters, at[-1]);
        if (begins && (!at[n] || !strchr(letters, at[n]))) {
            return true;
        }
    }
    return false;
}

/* Is the function one of the tests that the file runs, and does its body say that it shows the row? */
static bool has_test(const struct evidence *by, const char *id)
{
    char words[128];
    char *text = read_text(by->file);
    (void)snprintf(words, sizeof words, "(%s)", by->name);
    bool const is_run = strstr(text, words) != NULL;
    (void)snprintf(words, sizeof words, "(%s,", by->name); /* with a set-up */
    bool const is_run_so = strstr(text, words) != NULL;
    (void)snprintf(words, sizeof words, "void %s(void **state)\n{", by->name);
    const char *body = strstr(text, words);
    const char *end = body ? strstr(body, "\n}") : NULL;
    const char *shows = body ? strstr(body, "/* SHOWS(") : NULL;
    const char *shows_end = shows ? strstr(shows, ") */") : NULL;
    bool const is_named = end && shows_end && shows_end < end && has_word(shows, shows_end, id);
    free(text);
    return (is_run || is_run_so) && is_named;
}

static void check_evidence(const struct sentence *s, const struct evidence *by)
{
    bool is_there = by->name[0] != '\0';
    if (by->kind == EVIDENCE_TEST) {
        is_there = has_test(by, s->id);
    } else if (by->kind == EVIDENCE_REFUSED) {
        is_there = illegal_find(by->name) >= 0;
    } else if (by->kind == EVIDENCE_CAUGHT) {
        is_there = verdict_rows[fault_rows[by->row].expect].part == PART_VIOLATION;
    } else if (by->kind == EVIDENCE_LEGAL) {
        is_there = fault_rows[by->row].expect == VERDICT_OK;
    }
    if (!is_there) {
        fail_msg("%s, %s (\"%s\"): %s is not what the row says", documents[s->document], s->id,
                 s->says, by->name);
    }
}

static void evidence_is_there(void **state)
{
    (void)state;
    int n[DOC_N] = {0};
    for (int r = 0; r < ROW_N; r++) {
        n[sentences[r].document]++;
        assert_int_not_equal(sentences[r].by[0].kind, EVIDENCE_END);
        assert_int_equal(sentences[r].by[MAX_EVIDENCE].kind, EVIDENCE_END);
        for (const struct evidence *by = sentences[r].by; by->kind != EVIDENCE_END; by++) {
            check_evidence(&sentences[r], by);
        }
    }
    for (int i = 0; i < DOC_N; i++) {
        assert_true(n[i] > 0);
    }
}

/* Does the row with that id cite a test of the file? */
static bool is_cited(const char *file, const char *id)
{
    for (int r = 0; r < ROW_N; r++) {
        for (const struct evidence *by = sentences[r].by; by->kind != EVIDENCE_END; by++) {
            if (!strcmp(sentences[r].id, id) && by->kind == EVIDENCE_TEST &&
                !strcmp(by->file, file)) {
                return true;
            }
        }
    }
    return false;
}

/* Each row that the file says it shows cites a test of it. */
static void check_shown(const char *file)
{
    char *text = read_text(file);
    const char *at = text;
    while ((at = strstr(at, "/* SHOWS(")) != NULL) {
        at += strlen("/* SHOWS(");
        const char *const end = strstr(at, ") */");
        assert_non_null(end);
        while (at < end) {
            char id[64] = "";
            size_t const n = strspn(at, letters);
            assert_true(n < sizeof id);
            memcpy(id, at, n);
            if (n && !is_cited(file, id)) {
                fail_msg("%s says that it shows %s, which does not cite it", file, id);
            }
            at += n ? n : 1;
        }
    }
    free(text);
}

static void tests_show_rows_that_cite_them(void **state)
{
    (void)state;
    for (int r = 0; r < ROW_N; r++) {
        for (const struct evidence *by = sentences[r].by; by->kind != EVIDENCE_END; by++) {
            if (by->kind == EVIDENCE_TEST) {
                check_shown(by->file);
            }
        }
    }
}

/* ---- the page ---- */

/* The units of a document that `is_wanted` takes, as "3, 5 to 9"; "" for none. */
static const char *list_units(int document, int row, int reason, struct arena *a)
{
    const char *list = "";
    int first = 0, last = 0;
    for (size_t i = 0; i <= ARRAY_N(units); i++) {
        const struct unit *u = i < ARRAY_N(units) ? &units[i] : NULL;
        bool is_wanted = u && (int)u->document == document && row < 0 && u->no_row == reason;
        for (int k = 0; u && row >= 0 && k < MAX_UNIT_ROWS; k++) {
            is_wanted = is_wanted || u->rows[k] == row + 1;
        }
        if (is_wanted && first && u->number == last + 1) {
            last++;
            continue;
        }
        if (first && (is_wanted || !u)) {
            list = arena_printf(a, "%s%s%d", list, list[0] ? ", " : "", first);
            list = last > first ? arena_printf(a, "%s-%d", list, last) : list;
        }
        if (is_wanted) {
            first = last = u->number;
        }
    }
    return list;
}

static const char *write_rows(const char *page, int d, struct arena *a)
{
    page = arena_printf(a,
                        "%s\n## %s\n\n| section | requirement | units | shown by |\n"
                        "| --- | --- | --- | --- |\n",
                        page, documents[d]);
    for (int r = 0; r < ROW_N; r++) {
        const struct sentence *s = &sentences[r];
        if ((int)s->document != d) {
            continue;
        }
        page = arena_printf(a, "%s| %s `%s` | %s | %s |", page, s->where, s->id, s->says,
                            list_units(d, r, -1, a));
        for (const struct evidence *by = s->by; by->kind != EVIDENCE_END; by++) {
            page = arena_printf(a, "%s%s %s", page, by == s->by ? "" : ";", describe(by, a));
        }
        page = arena_printf(a, "%s |\n", page);
    }
    page = arena_printf(a, "%s\nUnits without a row:\n\n", page);
    for (int k = 0; k < REASON_N; k++) {
        const char *list = list_units(d, -1, k, a);
        page = list[0] ? arena_printf(a, "%s- %s: %s\n", page, reasons[k], list) : page;
    }
    return page;
}

static const char *write_page(struct arena *a)
{
    const char *page =
        "# The five specifications, sentence by sentence\n"
        "\n"
        "The tables list each requirement of five specifications that a device, a compiler or a "
        "tester can satisfy or violate. The requirements are in our words. The column \"shown by\" "
        "lists how halfulp tests a requirement:\n"
        "\n"
        "- INSTRUCTION in `--profile NAME`, API: random cases of this profile and API contain this "
        "instruction with this type and storage class or scope, and halfulp judges their values. "
        "`halfulp run --profile NAME` runs such cases on any target, and `halfulp report` counts "
        "them.\n"
        "- fault NAME at INSTRUCTION: the test plants this fault in a simulated device, at this "
        "instruction, type and storage class. \"caught\" means that halfulp reports the fault. "
        "\"permitted\" means that the specification permits the behaviour, and halfulp reports "
        "nothing. `halfulp selftest` plants all faults.\n"
        "- clause NAME: the judge has this rule (docs/clauses.md).\n"
        "- need NAME: a case needs this feature (base/caps.def). halfulp runs the case only on "
        "devices that report the feature, or with `--unadvertised`.\n"
        "- `refusals`: RULE: `halfulp refusals` has a module that breaks this rule. A device must "
        "refuse the module, unless the rule is disputed. A rule is disputed if another text or "
        "common practice contradicts the sentence. The rules whose names begin with MINMAX have a "
        "module for minimum and a module for maximum.\n"
        "- FILE: TEST: this test covers the requirement, and cites the id of the row.\n"
        "- not tested: this part of the requirement has no test, or the text gives the reason why "
        "it has no test.\n"
        "\n"
        "A unit is a sentence of a specification, or a line of a table or of a grammar. In each "
        "specification, units are numbered from 1. Below each table, a list shows the units that "
        "have no row, and the reason. tests/documents/units.def contains a digest of each unit. "
        "tests/documents/test_units.c divides the specifications into units again and compares the "
        "digests.\n"
        "\n"
        "`WRITE=1 build/opt/tests/test_sentences` writes this page from "
        "tests/documents/sentences.def. The same test checks each row.\n";
    for (int d = 0; d < DOC_N; d++) {
        page = write_rows(page, d, a);
    }
    return page;
}
static void the_page_is_that_of_the_table(void **state)
{
    (void)state;
    static const char path[] = "docs/seeds.md";
    struct arena a;
    arena_init(&a, (size_t)64 << 20);
    const char *page = write_page(&a);
    if (getenv("WRITE")) {
        FILE *f = fopen(path, "wb");
        assert_non_null(f);
        assert_true(fputs(page, f) >= 0);
        assert_int_equal(fclose(f), 0);
    }
    char *text = read_text(path);
    if (strcmp(text, page) != 0) {
        fail_msg("%s is not what tests/documents/sentences.def says: WRITE=1 "
                 "build/opt/tests/test_sentences "
                 "writes it",
                 path);
    }
    free(text);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evidence_is_there),
        cmocka_unit_test(tests_show_rows_that_cite_them),
        cmocka_unit_test(the_page_is_that_of_the_table),
        cmocka_unit_test(cases_and_faults_are_what_is_claimed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
