/* reports/bug/bug_facts.c -- what tells that a bug is there, and what is known of it. */
#include "reports/bug/bug_facts.h"

#include <inttypes.h>
#include <string.h>

#include "base/caps.h"
#include "base/ops.h"
#include "oracle/tables/tables.h"

/* Runs until the bug is said not to be there: of one that shows by chance. */
enum {
    RUNS_OF_FLAKY = 100,
    RUNS_OF_OUTPUTS = 20 /* which may depend on who comes first */
};

static int is_verdict(const struct bug *b, enum verdict_kind kind)
{
    return strcmp(b->finding->verdict, verdict_rows[kind].name) == 0;
}

enum bug_kind bug_get_kind(const struct bug *b)
{
    if (is_verdict(b, VERDICT_REJECT)) {
        return BUG_REFUSED;
    }
    if (is_verdict(b, VERDICT_CRASH) || is_verdict(b, VERDICT_HANG) ||
        is_verdict(b, VERDICT_EXIT) || is_verdict(b, VERDICT_DEVICE_LOST)) {
        return BUG_DIES;
    }
    if (is_verdict(b, VERDICT_CORRUPT) && b->ob->guard_hits != 0) {
        return BUG_MARGINS;
    }
    return b->n_expect > 0 ? BUG_WORDS : BUG_OUTPUTS;
}

uint32_t bug_get_runs(const struct bug *b)
{
    if ((b->finding->triage && b->finding->triage->is_flaky) || is_verdict(b, VERDICT_FLAKY)) {
        return RUNS_OF_FLAKY;
    }
    return bug_get_kind(b) == BUG_OUTPUTS ? RUNS_OF_OUTPUTS : 1;
}

const char *bug_get_file(const struct bug *b)
{
    if (b->tc->language != LANGUAGE_SPIRV) {
        return "kernel.cl";
    }
    return b->planted ? "planted.spv" : "module.spv";
}

const char *bug_get_facts(const struct bug *b)
{
    if (b->ob->facts && b->ob->facts[0]) {
        return b->ob->facts;
    }
    return b->target && b->target->facts ? b->target->facts : "";
}

/* "OpAtomicLoad"; an instruction of an extended set has no such prefix. */
static const char *name_op(const char *op, struct arena *a)
{
    int const row = op_find_name(op);
    int const is_core = row >= 0 && op_rows[row].number >> 16 == OP_SET_core;
    return is_core ? arena_printf(a, "Op%s", op) : op;
}

static int is_given(const char *text)
{
    return text && text[0] && strcmp(text, "-") != 0;
}

const char *bug_get_title(const struct bug *b, struct arena *a)
{
    const struct campaign_finding *const f = b->finding;
    int const kind = verdict_find(f->verdict);
    const char *what = b->tc->env == ENV_VK ? "Vulkan compute kernel" : "OpenCL kernel";
    char platform[128];
    if (is_given(f->op)) {
        what = arena_printf(a, "%s%s%s%s%s", name_op(f->op, a), is_given(f->type) ? " " : "",
                            is_given(f->type) ? f->type : "", is_given(f->storage) ? " " : "",
                            is_given(f->storage) ? f->storage : "");
    }
    int const is_known = facts_get(bug_get_facts(b), "platform", platform, sizeof platform);
    return arena_printf(a, "%s: %s%s%s", what, kind >= 0 ? verdict_rows[kind].text : f->verdict,
                        is_known ? ", on " : "", platform);
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
    char text[64];
    const struct float_format *const f = bug_get_format(b, x);
    return f ? arena_printf(a, "%s", format_to_text(f, bits, text, sizeof text))
             : arena_printf(a, "0x%0*" PRIx64 " (%" PRIu64 ")", 2 * (int)x->n_bytes, bits, bits);
}

static const char *show_key(const struct bug *b, const struct expect *x, int64_t key,
                            struct arena *a)
{
    const struct float_format *const f = bug_get_format(b, x);
    uint64_t const bits = f && (x->flags & EXPECT_FLOAT) ? format_from_key(f, key) : (uint64_t)key;
    return bug_get_value(b, x, bits, a);
}

const char *bug_get_permitted(const struct bug *b, const struct expect *x, struct arena *a)
{
    const char *all = "";
    for (unsigned i = 0; i < x->n && i < EXPECT_MAX_RANGES; i++) {
        const struct expect_range *const r = &x->r[i];
        all = arena_printf(a, "%s%s%s", all, i > 0 ? ", " : "", show_key(b, x, r->lo, a));
        if (r->hi != r->lo) {
            all = arena_printf(a, "%s to %s", all, show_key(b, x, r->hi, a));
        }
    }
    int const is_q = x->flags & EXPECT_QNAN;
    int const is_s = x->flags & EXPECT_SNAN;
    const char *const nan = is_q && is_s ? "any NaN"
                            : is_q       ? "any quiet NaN"
                            : is_s       ? "any signalling NaN"
                                         : "";
    all = arena_printf(a, "%s%s%s", all, all[0] && nan[0] ? ", " : "", nan);
    return all[0] ? all : "nothing";
}
