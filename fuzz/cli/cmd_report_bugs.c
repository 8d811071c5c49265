/* fuzz/cli/cmd_report_bugs.c -- a folder per bug: its smallest case, what it shows, and its reproducer. */
#include "fuzz/cli/cmd_report_bugs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/caps.h"
#include "base/file.h"
#include "base/ops.h"
#include "base/printable.h"
#include "base/testcase.h"
#include "fuzz/io/bundle.h"
#include "fuzz/io/show.h"
#include "fuzz/io/spirv.h"
#include "fuzz/io/spirv_names.h"
#include "fuzz/journal/campaign_data.h"
#include "fuzz/journal/journal_finding.h"
#include "fuzz/rewrite/rewrite.h"
#include "fuzz/trial/trial.h"
#include "fuzz/trial/trust.h"
#include "fuzz/variant/variant.h"
#include "gen/print/print.h"
#include "oracle/cause/cause.h"
#include "oracle/diagnose/declared.h"
#include "oracle/judge/judge.h"
#include "oracle/judgement/judgement.h"
#include "oracle/tables/storage.h"
#include "oracle/tables/tables.h"
#include "oracle/tables/words.h"
#include "reports/bug/bug.h"
#include "reports/bug/bug_facts.h"
#include "reports/bug/bug_title.h"
#include "reports/folder/bug_folder.h"
#include "reports/model/bug_name.h"

#define BUG_ARENA_BYTES ((size_t)256 << 20)
enum {
    TITLES_MAX = 512 /* a journal from elsewhere may hold any number of cases to be judged again */
};

/* The finding as the smallest case shows it: values, operands, instruction. `lines` is the text of its module, which has
 * n_added words more before its functions. */
static int retell(const struct judgement *g, const char *core, const struct bug *b,
                  const char *lines, uint32_t n_added, struct campaign_finding *out,
                  struct arena *a)
{
    for (uint32_t i = 0; i < g->n_findings; i++) {
        const struct finding *f = &g->findings[i];
        if (!finding_has_core(f, b->ob, core, a)) {
            continue;
        }
        out->permitted = f->permitted;
        out->got = show_got(f, a);
        out->operands = show_operands(f, a);
        out->text = f->text;
        out->instruction = f->offset ? show_instruction(lines, f->offset + n_added, a) : "";
        out->log = b->ob->log;
        out->crash_signature = b->ob->signature;
        return 1;
    }
    return 0;
}

/* May whoever gets the folder run what is in it? What was reduced just now was asked for then. */
static enum res ask_trust(const struct bugs_options *o, const struct campaign_finding *f,
                          const struct testcase *tc, struct arena *a, struct err *e)
{
    enum trust ignored = TRUST_OURS;
    for (uint32_t i = 0; o->before && i < o->before->n_findings; i++) {
        const struct campaign_finding *const before = &o->before->findings[i];
        if (before->id == f->id && (!before->triage || before->triage->is_cut)) {
            return RES_OK;
        }
    }
    return trust_case("its smallest case", tc, NULL, o->is_trusted, &ignored, a, e);
}

/* A bug with its smallest case, and what of that is judged and told. `told` is the finding, retold as that case shows
 * it. */
struct retold {
    struct bundle bundle;
    struct judgement judgement;
    struct expect expect[JUDGE_MAX_FINDINGS];
    struct bug_word word[JUDGE_MAX_FINDINGS];
    struct campaign_finding told;
    struct bug bug;
};

static void add_word(struct retold *x, const struct expect *expect, const struct finding *f)
{
    if (x->bug.n_expect == JUDGE_MAX_FINDINGS) {
        return;
    }
    struct bug_word *const w = &x->word[x->bug.n_expect];
    *w = (struct bug_word){.invocation = f->invocation, .n_operands = f->n_operands};
    memcpy(w->operand, f->operand, sizeof w->operand);
    memcpy(w->operand_type, f->operand_type, sizeof w->operand_type);
    x->expect[x->bug.n_expect++] = *expect;
}

/* Fill x->bug with the words of memory that all findings of the bug's core in this observation speak of, with the
 * invocation of each (add_word), and with what else the first of these findings knows. The invocation of a word of
 * f->also is not known; bug.word is NULL where there are such words. */
static void take_evidence(struct retold *x, const char *core, struct arena *a)
{
    bool is_first = true;
    x->bug.word = x->word;
    x->bug.has_more = x->judgement.n_findings == JUDGE_MAX_FINDINGS;
    for (uint32_t i = 0; i < x->judgement.n_findings; i++) {
        const struct finding *const f = &x->judgement.findings[i];
        if (!finding_has_core(f, x->bug.ob, core, a)) {
            continue;
        }
        if (is_first) {
            x->bug.order = f->order;
            x->bug.ids = f->ids;
            x->bug.participants = f->participants;
            x->bug.participants_type = f->participants_type;
            x->bug.invocation = f->invocation;
            x->bug.offset = f->offset;
        }
        is_first = false;
        if (f->expect) {
            add_word(x, f->expect, f);
        }
        for (uint32_t k = 0; k < f->n_also; k++) {
            x->bug.word = NULL;
            add_word(x, &f->also[k], f);
        }
    }
}

static enum language name_language(const struct testcase *tc)
{
    return tc->env == ENV_VK ? LANGUAGE_GLSL : LANGUAGE_OPENCL_C;
}

/* The kernel in the language of its API, to be read beside the module. "": the language has no words for it. */
static const char *print_source(const struct testcase *tc, struct arena *a)
{
    struct testcase copy = *tc;
    struct err ignored;
    bool const is_printed = tc->language == LANGUAGE_SPIRV && tc->class != CLASS_ILLEGAL &&
                            print_set_language(&copy, name_language(tc), a, &ignored) == RES_OK;
    return is_printed ? copy.source : "";
}

/* The module that the driver was given in place of the case's, if a fault is planted in it. */
static enum res plant(const struct testcase *tc, const char *target, struct bug *out,
                      struct arena *a, struct err *e)
{
    const char *const colon = strchr(target, ':');
    const struct rewrite_row *const row = colon ? rewrite_find(colon + 1) : NULL;
    uint32_t n_sites = 0;
    if (!row || tc->language != LANGUAGE_SPIRV) {
        return RES_OK;
    }
    TRY(rewrite_module(row, tc->module, tc->n_words, a, &out->planted, &out->n_planted, &n_sites,
                       e));
    out->planted = n_sites ? out->planted : NULL;
    return RES_OK;
}

/* The module as text with names; "": it cannot be. *n_added words stand before its functions that the case's module
 * does not have. */
static const char *disassemble(const struct testcase *tc, enum spirv_style style, uint32_t *n_added,
                               struct arena *a)
{
    const uint32_t *words = tc->module;
    uint32_t n_words = tc->n_words;
    const char *text = NULL;
    if (spirv_add_names(tc, a, &words, &n_words, n_added)) {
        text = spirv_disassemble(words, n_words, style, a);
    }
    if (!text) {
        *n_added = 0;
        text = spirv_disassemble(tc->module, tc->n_words, style, a);
    }
    return text ? text : "";
}

/* The classes of operands that not every finding of the bucket has, as far as signatures tell them. */
static unsigned find_not_all(const struct campaign *c, const struct campaign_finding *f,
                             struct arena *a)
{
    unsigned not_all = 0;
    for (uint32_t i = 0; i < c->n_findings; i++) {
        const struct campaign_finding *const x = &c->findings[i];
        bool const is_of_it = x->bucket == f->bucket && campaign_is_violation(x);
        unsigned const own = is_of_it ? signature_get_classes(x->signature, a) : 0;
        not_all |= own ? ~own : 0;
    }
    return not_all;
}

/* What goes wrong before the accused instruction, if triage found it; NULL: nothing. */
static const struct campaign_finding *find_first(const struct campaign_finding *f, struct arena *a)
{
    struct campaign_finding *const out = ARENA_NEW(a, struct campaign_finding, 1);
    const char *const core = f->triage ? f->triage->first_wrong : "";
    struct signature const s = signature_parse(core, a);
    if (!out || !core[0] || s.is_of_run) {
        return NULL;
    }
    size_t const n_verdict = strcspn(core, " "), n_clause = strcspn(core + n_verdict + 1, " ");
    *out = *f;
    out->verdict = arena_printf(a, "%.*s", (int)n_verdict, core);
    out->clause = arena_printf(a, "%.*s", (int)n_clause, core + n_verdict + 1);
    out->signature = core;
    out->op = s.op;
    out->type = s.type;
    out->storage = s.storage;
    out->permitted = out->got = out->operands = out->text = out->instruction = "";
    return out;
}

/* What the title needs of the bug, from a case whose judgement is there: the words that are wrong, and what the driver
 * was given and said. */
static enum res describe_case(const struct campaign *c, const struct campaign_finding *f,
                              const char *core, struct retold *x, struct arena *a, struct err *e)
{
    int const clause = clause_find(f->clause);
    x->told = *f;
    x->bug = (struct bug){.finding = &x->told,
                          .target = campaign_find_target(c, f->target_id),
                          .tc = &x->bundle.tc,
                          .ob = &x->bundle.ob,
                          .expect = x->expect,
                          .disassembly = "",
                          .text = "",
                          .generator = c->generator,
                          .clause_section = clause >= 0 ? clause_rows[clause].code : "",
                          .clause_rule = clause >= 0 ? clause_rows[clause].text : ""};
    unsigned const excused = x->judgement.n_findings ? x->judgement.findings[0].excused : 0;
    x->bug.reason =
        x->bug.ob->status == RUN_REJECT ? cause_find(x->bug.ob->log, excused, a).words : "";
    x->bug.not_all = find_not_all(c, f, a);
    x->bug.first = find_first(f, a);
    x->bug.declared = declared_find_ignored(x->bug.tc, x->bug.ob, &x->judgement, a);
    take_evidence(x, core, a);
    return x->bug.target ? plant(x->bug.tc, x->bug.target->name, &x->bug, a, e) : RES_OK;
}

/* Tell the finding as the case shows it. */
static void retell_case(struct retold *x, const char *core, struct arena *a)
{
    uint32_t n_added = 0;
    const char *const lines = disassemble(x->bug.tc, SPIRV_FOR_PEOPLE, &n_added, a);
    (void)retell(&x->judgement, core, &x->bug, lines, n_added, &x->told, a);
}

/* The texts of the case's module and of what the driver was given. */
static void add_texts(struct bug *b, struct arena *a)
{
    struct testcase given = *b->tc;
    uint32_t n_added = 0;
    b->text = disassemble(b->tc, SPIRV_WITH_NAMES, &n_added, a);
    if (b->planted) {
        given.module = b->planted;
        given.n_words = b->n_planted;
    }
    b->disassembly = b->planted ? disassemble(&given, SPIRV_WITH_NAMES, &n_added, a) : b->text;
}

/* The changes that triage tries on the smallest case and that apply to it: "with one invocation; after spirv-opt -O". "" where
 * one of them passes, or they were not tried. */
static const char *list_variants(const struct retold *x, const char *core, struct arena *a)
{
    static const struct finding none;
    const struct campaign_triage *const t = x->told.triage;
    const struct trial_wanted wanted = {.core = core};
    const struct finding *const of = trial_find_wanted(&wanted, x->bug.ob, &x->judgement, a);
    const char *all = "";
    int made = t && !t->variant[0] && !t->is_cut ? 0 : -1; /* -1: there are no more */
    for (uint32_t i = 0; made >= 0; i++) {
        struct variant variant;
        made = variant_make(x->bug.tc, of ? of : &none, i, a, &variant);
        bool const is_listed = made > 0 && !variant.is_loosening &&
                               facts_get_fit(bug_get_facts(&x->bug), &variant.tc.needs) != FIT_NOT;
        all = is_listed ? arena_printf(a, "%s%s%s", all, all[0] ? "; " : "",
                                       words_say(x->bug.tc->env, variant.text, a))
                        : all;
    }
    return all;
}

/* Fill the bug from the smallest case, whose judgement is there. */
static enum res describe_bug(const struct campaign *c, const struct campaign_finding *f,
                             const char *core, struct retold *x, struct arena *a, struct err *e)
{
    TRY(describe_case(c, f, core, x, a, e));
    retell_case(x, core, a);
    x->bug.source = print_source(x->bug.tc, a);
    x->bug.source_language = name_language(x->bug.tc) == LANGUAGE_GLSL ? "GLSL" : "OpenCL C";
    x->bug.next = c->report_command ? c->report_command
                                    : arena_printf(a, "halfulp report %s",
                                                   printable_quote(a, c->folder ? c->folder : "."));
    const char *ignored = NULL;
    x->bug.is_validated = spirv_validate(x->bug.tc, a, &ignored) == SPIRV_VALID;
    x->bug.tried = list_variants(x, core, a);
    add_texts(&x->bug, a);
    return RES_OK;
}

/* The folder of a bug: the smallest case as a bundle, and what bug_write makes of it. It is there whole or not at all. */
static enum res write_folder(const char *path, const struct retold *x, struct arena *a,
                             struct err *e)
{
    struct file_folder w;
    TRY(path[0] ? file_begin_folder(&w, path, e) : err_set(e, RES_NOMEM, "no memory for a name"));
    enum res r = bundle_write(w.fresh, &x->bundle, a, e);
    if (r == RES_OK) {
        r = bug_write(w.fresh, &x->bug, a, e);
    }
    return file_end_folder(&w, r, e);
}

/* The title of a finding's bug, by its smallest case, or by its first one before there is a smaller. The
 * finding has the texts of the first one already. */
static enum res make_title(struct journal *j, const struct campaign *c,
                           const struct campaign_finding *f, const char **out, struct arena *a,
                           struct err *e)
{
    struct retold *const x = ARENA_NEW(a, struct retold, 1);
    struct journal_judged *const judged = ARENA_NEW(a, struct journal_judged, 1);
    const char *const core = signature_parse(f->signature, a).core;
    if (!x || !judged || !core) {
        return err_set(e, RES_NOMEM, "no memory for a title");
    }
    TRY(journal_get_judged(j, f->id, a, judged, e));
    x->bundle.tc = judged->tc;
    x->bundle.ob = judged->ob;
    x->judgement = judged->judgement;
    TRY(describe_case(c, f, core, x, a, e));
    if (!judged->is_own) {
        retell_case(x, core, a);
    }
    *out = bug_get_title(&x->bug, a);
    return RES_OK;
}

void cmd_report_bugs_set_titles(struct journal *j, struct campaign *c, struct arena *a)
{
    struct arena own;
    uint32_t n = 0;
    arena_init(&own, BUG_ARENA_BYTES);
    for (uint32_t i = 0; i < c->n_findings && n < TITLES_MAX; i++) {
        struct campaign_finding *const f = &c->findings[i];
        struct err ignored = {RES_OK, ""};
        const char *title = NULL;
        arena_reset(&own);
        bool const is_bug = f->bucket == i && campaign_is_violation(f);
        n += is_bug;
        if (is_bug && make_title(j, c, f, &title, &own, &ignored) == RES_OK) {
            f->title = arena_printf(a, "%s", title);
        }
    }
    arena_free(&own);
}

/* Write the folder of one finding's bug: its smallest case, judged again, so that folder and judge agree.
 * RES_USAGE, and one more in *n_refused: nobody vouches for the case, so nothing of it is written. */
static enum res write_one(struct journal *j, const struct campaign *c,
                          const struct campaign_finding *f, const struct bugs_options *o,
                          uint32_t *n_refused, struct arena *a, struct err *e)
{
    struct retold *const x = ARENA_NEW(a, struct retold, 1);
    const char *core = signature_parse(f->signature, a).core;
    if (!x || !core) {
        return err_set(e, RES_NOMEM, "no memory for a bug's folder");
    }
    x->bundle.has_observation = 1;
    TRY(journal_get_smallest(j, f->id, a, &x->bundle.tc, &x->bundle.ob, e));
    enum res const trusted = ask_trust(o, f, &x->bundle.tc, a, e);
    if (trusted != RES_OK) {
        *n_refused += trusted == RES_USAGE;
        return trusted;
    }
    TRY(judge_run(&x->bundle.tc, &x->bundle.ob, a, &x->judgement, e));
    TRY(describe_bug(c, f, core, x, a, e));
    const char *const target = x->bug.target ? x->bug.target->name : "unknown";
    x->bundle.target = x->bug.target ? target : NULL;
    const char *const path = arena_printf(a, "%s/%s", o->folder, bug_name(target, f, a));
    return write_folder(path, x, a, e);
}

/* Write a folder for each bucket that triage has looked into; *n is how many. Only the finding that names its
 * bucket has bucket == i. A finding that cannot be written is told on standard error and passed over, except
 * where the disk fails. */
enum res cmd_report_bugs_write(struct journal *j, const struct campaign *c,
                               const struct bugs_options *o, uint32_t *n, uint32_t *n_refused,
                               struct err *e)
{
    struct arena a;
    enum res r = RES_OK;
    *n = 0;
    arena_init(&a, BUG_ARENA_BYTES);
    for (uint32_t i = 0; i < c->n_findings && r == RES_OK; i++) {
        struct err why = {RES_OK, ""};
        if (c->findings[i].bucket != i || !c->findings[i].triage) {
            continue;
        }
        arena_reset(&a);
        r = *n == 0 ? file_make_folder(o->folder, e) : RES_OK; /* none where there are no bugs */
        if (r != RES_OK) {
            break;
        }
        enum res const one = write_one(j, c, &c->findings[i], o, n_refused, &a, &why);
        *n += one == RES_OK;
        if (one == RES_IO) { /* a full disk is not this finding's alone */
            r = err_set(e, one, "finding %" PRId64 ": %.400s", c->findings[i].id, why.text);
        } else if (one != RES_OK) {
            printable_print(stderr, "halfulp report: finding %" PRId64 ": %s\n", c->findings[i].id,
                            printable_copy_line(&a, why.text));
        }
    }
    arena_free(&a);
    return r;
}

/* ---- a case without a campaign ---- */

/* The finding as a campaign would have it. Texts that are "" here are filled in by retell, from the case. Its
 * target_id is that of the only target of the campaign that cmd_report_bugs_write_case makes up. */
static enum res make_finding(const struct bugs_case *c, const struct finding *f,
                             struct campaign_finding *out, struct arena *a, struct err *e)
{
    struct signature const s = signature_of(f, c->ob, a);
    *out = (struct campaign_finding){.id = c->number,
                                     .target_id = 1,
                                     .verdict = verdict_rows[f->kind].name,
                                     .clause = clause_rows[f->clause].id,
                                     .class = case_class_names[c->tc->class],
                                     .signature = s.text,
                                     .op = f->op >= 0 ? op_rows[f->op].name : "",
                                     .type = val_type_names[f->type],
                                     .storage = storage_names[f->storage],
                                     .permitted = "",
                                     .got = "",
                                     .operands = "",
                                     .text = f->text,
                                     .instruction = "",
                                     .log = "",
                                     .crash_signature = "",
                                     .replay = "",
                                     .core = s.core,
                                     .family = s.family};
    return s.core ? RES_OK : err_set(e, RES_NOMEM, "no memory for a finding");
}

static const struct finding *find_violation(const struct judgement *g)
{
    for (uint32_t i = 0; i < g->n_findings; i++) {
        if (verdict_rows[g->findings[i].kind].part == PART_VIOLATION) {
            return &g->findings[i];
        }
    }
    return NULL;
}

/* describe_bug wants a campaign: `alone` is one with the case's target and nothing else. */
enum res cmd_report_bugs_write_case(const char *folder, const struct bugs_case *c,
                                    const char **path, struct arena *a, struct err *e)
{
    struct retold *const x = ARENA_NEW(a, struct retold, 1);
    struct campaign_target target = {.id = 1, .name = c->target, .facts = c->ob->facts};
    struct campaign const alone = {.generator = c->generator, .n_targets = 1, .targets = &target};
    struct campaign_finding finding;
    *path = NULL;
    if (!x) {
        return err_set(e, RES_NOMEM, "no memory for a bug's folder");
    }
    x->bundle =
        (struct bundle){.tc = *c->tc, .ob = *c->ob, .has_observation = 1, .target = c->target};
    TRY(judge_run(c->tc, c->ob, a, &x->judgement, e));
    const struct finding *const f = find_violation(&x->judgement);
    if (!f) {
        return RES_OK;
    }
    TRY(make_finding(c, f, &finding, a, e));
    TRY(describe_bug(&alone, &finding, finding.core, x, a, e));
    x->bug.figures = c->figures;
    TRY(file_make_folder(folder, e));
    *path = arena_printf(a, "%s/%s", folder, bug_name(c->target, &finding, a));
    return write_folder(*path, x, a, e);
}
