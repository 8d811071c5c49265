/* fuzz/cli/cmd_report_bugs.c -- a folder per bug: its smallest case, what it shows, and its reproducer. */
#include "fuzz/cli/cmd_report_bugs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/ops.h"
#include "base/printable.h"
#include "fuzz/io/bundle.h"
#include "fuzz/io/show.h"
#include "fuzz/io/spirv.h"
#include "fuzz/journal/journal_finding.h"
#include "fuzz/trial/trust.h"
#include "oracle/judge/judge.h"
#include "oracle/judge/judgement.h"
#include "oracle/tables/tables.h"
#include "reports/bug/bug.h"
#include "reports/model/bug_name.h"

#define BUG_ARENA_BYTES ((size_t)256 << 20)

/* The words of all findings of the bug's core in this observation. */
static void take_expect(const struct judgement *g, const char *core, const struct observation *ob,
                        struct expect *out, uint32_t *n, struct arena *a)
{
    for (uint32_t i = 0; i < g->n_findings; i++) {
        const struct finding *f = &g->findings[i];
        if (f->expect && finding_has_core(f, ob, core, a)) {
            out[(*n)++] = *f->expect;
        }
    }
}

/* The finding as the smallest case shows it: values, operands, instruction. */
static int retell(const struct judgement *g, const char *core, const struct bug *b,
                  struct campaign_finding *out, struct arena *a)
{
    for (uint32_t i = 0; i < g->n_findings; i++) {
        const struct finding *f = &g->findings[i];
        if (!finding_has_core(f, b->ob, core, a)) {
            continue;
        }
        out->permitted = f->permitted;
        out->got = f->has_got ? show_value(f->type, f->got, a) : "";
        out->operands = show_operands(f, a);
        out->text = f->text;
        out->instruction = show_instruction(b->disassembly, f->offset, a);
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
        if (o->before->findings[i].id == f->id && !o->before->findings[i].triage) {
            return RES_OK;
        }
    }
    return trust_case("its smallest case", tc, NULL, o->is_trusted, &ignored, a, e);
}

static enum res write_one(struct journal *j, const struct campaign *c,
                          const struct campaign_finding *f, const struct bugs_options *o,
                          uint32_t *n_refused, struct arena *a, struct err *e)
{
    struct bundle *bundle = ARENA_NEW(a, struct bundle, 1);
    struct judgement *g = ARENA_NEW(a, struct judgement, 1);
    struct expect *expect = ARENA_NEW(a, struct expect, JUDGE_MAX_FINDINGS);
    const char *core = signature_parse(f->signature, a).core;
    if (!bundle || !g || !expect || !core) {
        return err_set(e, RES_NOMEM, "no memory for a bug's folder");
    }
    bundle->has_observation = 1;
    TRY(journal_get_smallest(j, f->id, a, &bundle->tc, &bundle->ob, e));
    enum res r = ask_trust(o, f, &bundle->tc, a, e);
    if (r != RES_OK) {
        *n_refused += r == RES_USAGE;
        return r;
    }
    TRY(judge_run(&bundle->tc, &bundle->ob, a, g, e));
    int const clause = clause_find(f->clause);
    struct campaign_finding told = *f;
    const char *text =
        spirv_disassemble(bundle->tc.module, bundle->tc.n_words, SPIRV_FOR_PEOPLE, a);
    struct bug b = {.finding = &told,
                    .target = campaign_find_target(c, f->target_id),
                    .tc = &bundle->tc,
                    .ob = &bundle->ob,
                    .expect = expect,
                    .disassembly = text ? text : "",
                    .generator = c->generator,
                    .clause_section = clause >= 0 ? clause_rows[clause].code : "",
                    .clause_rule = clause >= 0 ? clause_rows[clause].text : ""};
    take_expect(g, core, b.ob, expect, &b.n_expect, a);
    (void)retell(g, core, &b, &told, a);
    const char *path =
        arena_printf(a, "%s/%s", o->folder, bug_name(b.target ? b.target->name : "unknown", f, a));
    struct file_folder w;
    TRY(path[0] ? file_begin_folder(&w, path, e) : err_set(e, RES_NOMEM, "no memory for a name"));
    r = bundle_write(w.fresh, bundle, a, e);
    if (r != RES_OK) {
        goto done;
    }
    r = bug_write(w.fresh, &b, a, e);
done:
    return file_end_folder(&w, r, e);
}

enum res report_bugs(struct journal *j, const struct campaign *c, const struct bugs_options *o,
                     uint32_t *n, uint32_t *n_refused, struct err *e)
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
        r = *n == 0 ? file_make_folder(o->folder, e) : RES_OK;
        if (r != RES_OK) {
            break;
        }
        enum res const one = write_one(j, c, &c->findings[i], o, n_refused, &a, &why);
        *n += one == RES_OK;
        if (one == RES_IO) { /* a full disk is not this finding's alone */
            r = err_set(e, one, "finding %" PRId64 ": %.400s", c->findings[i].id, why.text);
        } else if (one != RES_OK) {
            printable_print(stderr, "halfulp report: finding %" PRId64 ": %s\n", c->findings[i].id,
                            printable_copy(&a, why.text));
        }
    }
    arena_free(&a);
    return r;
}
