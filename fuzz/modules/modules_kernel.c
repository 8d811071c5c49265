/* fuzz/modules/modules_kernel.c -- one kernel of a folder, and the cases that are drawn of it. */
#include "fuzz/modules/modules_kernel.h"

#include "base/testcase.h"
#include "fuzz/kernel/kernel_fill.h"
#include "fuzz/kernel_run/kernel_script.h"
#include "fuzz/modules/modules_rewrite.h"
#include "fuzz/trial/foreign.h"
#include "fuzz/trial/trust.h"

enum {
    MAX_TRIES = 4 /* of a case that this program vouches for, beyond the first */
};

enum res modules_kernel_open(const char *name, const char *path, const char *entry,
                             const struct kernel_module *built, struct arena *a,
                             struct modules_kernel *out, struct err *e)
{
    *out = (struct modules_kernel){
        .name = name, .wishes = {.entry = entry, .compiler_options = ""},
             .why = ""
    };
    if (built->amber) {
        kernel_script_begin(built, &out->wishes, a);
    }
    TRY(kernel_open_built(path, built, &out->wishes, a, &out->kernel, e));
    return built->amber ? kernel_script_wish(&out->kernel, &out->wishes, a, e) : RES_OK;
}

/* Class and needs become those of the module. May it be run: can this program vouch for it, or is it trusted? */
static enum res ask_trust(const struct modules_kernel *k, bool is_trusted, struct testcase *tc,
                          struct arena *a, struct err *e)
{
    enum trust trust = TRUST_GIVEN;
    (void)foreign_classify(tc, a);
    return trust_case(k->name, tc, NULL, is_trusted, &trust, a, e);
}

/* Draw what a script says that buffers hold. Uniform buffers, push constants and arguments by value stay: they are mostly sizes. */
static void redraw(const struct modules_kernel *k, const struct modules_draw *draw,
                   struct testcase *tc)
{
    struct kernel_wish const drawn = {.content = draw->is_hard ? KERNEL_CONTENT_HARD
                                                               : KERNEL_CONTENT_WIDE};
    for (uint32_t i = 0; i < tc->n_bufs; i++) {
        const struct kernel_buffer *const b = &k->kernel.shape.bufs[i];
        const struct kernel_wish *const said = &k->wishes.bufs[b->number];
        if (b->kind == BUF_STORAGE && said->is_given && said->content == KERNEL_CONTENT_FILE) {
            kernel_fill(&k->kernel.types, b, &drawn, (uint32_t)testcase_get_items(tc),
                        draw->seed * CASE_MAX_BUFS + i, tc->bufs[i].data, tc->bufs[i].n_bytes);
        }
    }
}

/* The case, if it may be run. */
static enum res make(struct modules_kernel *k, bool is_trusted, const struct modules_draw *draw,
                     struct arena *a, struct testcase *out, struct err *e)
{
    struct kernel_guess g = k->guess;
    k->wishes.is_hard = draw->is_hard;
    if (g.content == KERNEL_CONTENT_WIDE && draw->is_hard) {
        g.content = KERNEL_CONTENT_HARD;
    }
    TRY(kernel_guess_make(&k->kernel, &k->wishes, &g, draw->seed, a, out, e));
    if (draw->is_redrawn) {
        redraw(k, draw, out);
    }
    return ask_trust(k, is_trusted, out, a, e);
}

/* Why this program cannot vouch for a case, in fewer words than trust_case has. */
static const char *find_why(struct testcase *tc, const struct err *said, struct arena *a,
                            struct arena *keep)
{
    struct err why = {RES_OK, ""};
    bool const is_module = tc->n_words > 0 && trust_vouch(tc, a, &why) != RES_OK;
    return arena_printf(keep, "%s", is_module ? why.text : said->text);
}

/* The first case of the kernel decides whether this program vouches for any. */
static void find_guess(struct modules_kernel *k, uint64_t campaign_seed, struct arena *keep,
                       struct arena *a)
{
    struct testcase tc = {.n_words = 0};
    struct err why = {RES_OK, ""};
    struct rng rng = rng_seed(campaign_seed);
    struct modules_draw const plain = {.seed = rng_below(&rng, UINT32_MAX)};
    k->wishes.is_hard = false;
    kernel_find_guess(&k->kernel, &k->wishes, plain.seed, &k->guess);
    k->state = MODULES_READY;
    if (make(k, false, &plain, a, &tc, &why) != RES_OK) {
        k->state = MODULES_REFUSED;
        k->why = find_why(&tc, &why, a, keep);
    }
}

/* A case that this program vouches for. Hard inputs may lead where ordinary ones do not, and some of these where others do
 * not. */
static enum res draw_vouched(struct modules_kernel *k, struct modules_draw *draw, struct arena *a,
                             struct testcase *out, struct err *e)
{
    struct modules_draw x = *draw;
    enum res r = make(k, false, &x, a, out, e);
    for (int i = 0; i < MAX_TRIES && r != RES_OK && r != RES_NOMEM; i++) {
        x.seed += !x.is_hard && !x.is_redrawn;
        x.is_redrawn &= x.is_hard;
        x.is_hard = false;
        r = make(k, false, &x, a, out, e);
    }
    *draw = r == RES_OK ? x : *draw;
    return r;
}

enum res modules_kernel_draw(struct modules_kernel *k, const struct modules_rules *rules,
                             struct modules_draw *draw, struct arena *keep, struct arena *a,
                             struct testcase *out, struct err *e)
{
    draw->change = "";
    if (k->state == MODULES_NOT_ASKED) {
        find_guess(k, rules->seed, keep, a);
    }
    enum res r = k->state == MODULES_READY ? draw_vouched(k, draw, a, out, e)
                                           : err_set(e, RES_USAGE, "%s", k->why);
    bool const is_given = rules->is_trusted && r != RES_OK && r != RES_NOMEM;
    if (is_given) {
        r = make(k, true, draw, a, out, e);
    }
    if (r != RES_OK) {
        return r == RES_NOMEM ? r : (e->code = RES_USAGE);
    }
    if (draw->rewrites) {
        struct testcase changed = *out;
        struct err ignored = {RES_OK, ""};
        const char *const text = modules_rewrite(&changed, draw->rewrites, a);
        if (text[0] && ask_trust(k, is_given, &changed, a, &ignored) == RES_OK) {
            *out = changed;
            draw->change = text;
        }
    }
    return RES_OK;
}
