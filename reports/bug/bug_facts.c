/* reports/bug/bug_facts.c -- what tells that a bug is there, and what is known of it. */
#include "reports/bug/bug_facts.h"

#include <string.h>

#include "base/caps.h"
#include "base/testcase.h"
#include "oracle/tables/tables.h"
#include "reports/bug/bug_ids.h"
#include "reports/bug/bug_order.h"
#include "reports/bug/bug_value.h"

/* Runs until the bug is said not to be there: of one that shows by chance. */
enum {
    RUNS_OF_FLAKY = 100,
    RUNS_OF_OUTPUTS = 20 /* which may depend on who comes first */
};

static int is_verdict(const struct bug *b, enum verdict_kind kind)
{
    return strcmp(b->finding->verdict, verdict_rows[kind].name) == 0;
}

/* The first test that applies decides. A refusal or a run without an end leaves no outputs to look at. Bytes outside
 * of the buffers come before words, as words cannot show them. Words say more than an order or ids, and these say
 * more than the outputs as a whole. An order or ids count only if the observation still shows their contradiction. */
enum bug_kind bug_get_kind(const struct bug *b)
{
    if (is_verdict(b, VERDICT_REJECT)) {
        return BUG_REFUSED;
    }
    if (is_verdict(b, VERDICT_CRASH) || is_verdict(b, VERDICT_HANG) ||
        is_verdict(b, VERDICT_EXIT) || is_verdict(b, VERDICT_DEVICE_LOST)) {
        return BUG_DIES;
    }
    bool const is_outside =
        is_verdict(b, VERDICT_CORRUPT) || strcmp(b->finding->clause, "ND_RANGE") == 0;
    if (is_outside && b->ob->guard_hits != 0) {
        return BUG_MARGINS;
    }
    if (b->n_expect > 0) {
        return BUG_WORDS;
    }
    struct arena a;
    arena_init(&a, (size_t)16 << 20);
    uint32_t ignored = 0;
    bool const has_order = b->order && bug_describe_order(b->order, b->tc, b->ob, &a, NULL)[0];
    bool const has_ids = b->ids && bug_describe_ids(b->ids, b->tc, b->ob, &ignored, &a)[0];
    arena_free(&a);
    return has_order ? BUG_ORDER : has_ids ? BUG_IDS : BUG_OUTPUTS;
}

uint32_t bug_get_runs(const struct bug *b)
{
    if ((b->finding->triage && b->finding->triage->is_flaky) || is_verdict(b, VERDICT_FLAKY)) {
        return RUNS_OF_FLAKY;
    }
    enum bug_kind const kind = bug_get_kind(b);
    return kind == BUG_OUTPUTS || kind == BUG_ORDER ? RUNS_OF_OUTPUTS : 1;
}

bool bug_is_given(const char *text)
{
    return text && text[0] && strcmp(text, "-") != 0;
}

bool bug_is_of_class(const struct bug *b, enum case_class class)
{
    const char *const own = b->finding->class;
    return own && strcmp(own, case_class_names[class]) == 0;
}

bool bug_is_interpreted(const struct bug *b)
{
    return b->ob->status == RUN_DONE && b->ob->n_programs > 0;
}

const char *bug_get_file(const struct bug *b)
{
    if (b->tc->language != LANGUAGE_SPIRV) {
        return "kernel.cl";
    }
    return b->planted ? "planted.spv" : "module.spv";
}

const char *bug_get_libraries(const struct bug *b)
{
    return b->tc->env == ENV_VK ? "-lvulkan -Wl,--no-as-needed -lm"
                                : "-lOpenCL -Wl,--no-as-needed -lm";
}

const char *bug_name_target(const struct bug *b, struct arena *a)
{
    /* It may be foreign; after a colon stands a planted fault. */
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    const char *const name = b->target && b->target->name ? b->target->name : "";
    size_t const n = strspn(name, letters);
    bool const is_plain = name[0] != '-' && (!name[n] || name[n] == ':');
    return is_plain ? arena_printf(a, "%.*s", (int)n, name) : "";
}

const char *bug_get_facts(const struct bug *b)
{
    if (b->ob->facts && b->ob->facts[0]) {
        return b->ob->facts;
    }
    return b->target && b->target->facts ? b->target->facts : "";
}

/* ---- permitted values ---- */

const struct float_format *bug_get_format(const struct bug *b, const struct expect *x)
{
    for (int i = 0; i < FMT_N; i++) {
        const struct float_format *const f = &float_formats[i];
        if (f->n_bits == 8U * x->n_bytes &&
            ((x->flags & EXPECT_FLOAT) || strcmp(b->finding->type, f->name) == 0)) {
            return f;
        }
    }
    return NULL;
}

const char *bug_get_value(const struct bug *b, const struct expect *x, uint64_t bits,
                          struct arena *a)
{
    return bug_show_of(b->finding->op, bug_get_format(b, x), x->n_bytes, bits, a);
}

const char *bug_get_plain(const struct bug *b, const struct expect *x, uint64_t bits,
                          struct arena *a)
{
    return bug_show_plain(bug_get_format(b, x), bits, a);
}

bool bug_get_word(const struct bug *b, const struct expect *x, uint64_t *bits)
{
    return observation_get_word(b->ob, b->tc, x->buf, x->byte, x->n_bytes, bits);
}

static const char *show_key(const struct bug *b, const struct expect *x, int64_t key,
                            struct arena *a)
{
    const struct float_format *const f = bug_get_format(b, x);
    uint64_t const bits = f && (x->flags & EXPECT_FLOAT) ? format_from_key(f, key) : (uint64_t)key;
    return bug_get_value(b, x, bits, a);
}

/* Ranges are of keys (show_key). No range holds NaNs: they come last. "or" stands before the last part. */
const char *bug_get_permitted(const struct bug *b, const struct expect *x, struct arena *a)
{
    const char *all = "";
    int const is_q = x->flags & EXPECT_QNAN;
    int const is_s = x->flags & EXPECT_SNAN;
    const char *const nan = is_q && is_s ? "any NaN"
                            : is_q       ? "any quiet NaN"
                            : is_s       ? "any signalling NaN"
                                         : "";
    unsigned const n = x->n < EXPECT_MAX_RANGES ? x->n : EXPECT_MAX_RANGES;
    for (unsigned i = 0; i < n; i++) {
        const struct expect_range *const r = &x->r[i];
        bool const is_last = i + 1 == n && !nan[0];
        all = arena_printf(a, "%s%s%s", all,
                           i == 0    ? ""
                           : is_last ? " or "
                                     : ", ",
                           show_key(b, x, r->lo, a));
        if (r->hi != r->lo) { /* two neighbours need no "to" */
            all = arena_printf(a, "%s %s %s", all, r->hi - r->lo == 1 ? "or" : "to",
                               show_key(b, x, r->hi, a));
        }
    }
    all = arena_printf(a, "%s%s%s", all, all[0] && nan[0] ? " or " : "", nan);
    return all[0] ? all : "nothing";
}

/* ---- what would explain it ---- */

/* The first line is "as if NAME at INSTRUCTION TYPE: SENTENCE; how much it explains". */
struct bug_cause bug_find_cause(const char *cause, struct arena *a)
{
    struct bug_cause out = {.sentence = ""};
    const char *const text = cause ? cause : "";
    const char *const line = arena_printf(a, "%.*s", (int)strcspn(text, "\n"), text);
    const char *const at = strstr(line, ": "), *const any = strstr(line, " at any ");
    const char *const fit = at ? strstr(at, "; ") : NULL;
    bool const is_all = fit && strncmp(fit, "; explains all ", 15) == 0;
    if (is_all || (fit && strncmp(fit, "; may explain all ", 18) == 0)) {
        out.sentence = arena_printf(a, "%.*s", (int)(fit - at - 2), at + 2);
        out.is_whole = is_all && !strstr(fit, ", but ");
        out.is_of_any = any && any < at;
    }
    return out;
}
