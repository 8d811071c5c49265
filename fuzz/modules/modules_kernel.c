/* fuzz/modules/modules_kernel.c -- one kernel of a folder, and the cases that are drawn of it. */
#include "fuzz/modules/modules_kernel.h"

#include "fuzz/kernel/kernel_script.h"
#include "fuzz/modules/modules_rewrite.h"
#include "fuzz/trial/foreign.h"
#include "fuzz/trial/trust.h"

enum res modules_kernel_open(const char *name, const char *path, const char *entry,
                             const struct kernel_module *built, struct arena *a,
                             struct modules_kernel *out, struct err *e)
{
    *out = (struct modules_kernel){
        .name = name, .wishes = {.entry = entry, .compiler_options = ""}, .why = ""};
    if (built->amber) {
        kernel_script_begin(built->amber, &out->wishes);
    }
    TRY(kernel_open_built(path, built, &out->wishes, a, &out->kernel, e));
    return built->amber ? kernel_script_wish(&out->kernel, &out->wishes, e) : RES_OK;
}

/* Class and needs become those of the module. May it be run: can this program vouch for it, or is it trusted? */
static enum res ask_trust(const struct modules_kernel *k, bool is_trusted, struct testcase *tc,
                          struct arena *a, struct err *e)
{
    enum trust trust = TRUST_GIVEN;
    (void)foreign_classify(tc, a);
    return trust_case(k->name, tc, NULL, is_trusted, &trust, a, e);
}

/* The case of a guess, if it may be run. */
static enum res make(struct modules_kernel *k, bool is_trusted, const struct kernel_guess *guess,
                     const struct modules_draw *draw, struct arena *a, struct testcase *out,
                     struct err *e)
{
    struct kernel_guess g = *guess;
    k->wishes.is_hard = draw->is_hard;
    if (g.content == KERNEL_CONTENT_WIDE && draw->is_hard) {
        g.content = KERNEL_CONTENT_HARD;
    }
    TRY(kernel_guess_make(&k->kernel, &k->wishes, &g, draw->seed, a, out, e));
    return ask_trust(k, is_trusted, out, a, e);
}

/* The first case of the kernel decides whether this program vouches for any. */
static void find_guess(struct modules_kernel *k, uint64_t campaign_seed, struct arena *keep,
                       struct arena *a)
{
    struct testcase tc;
    struct err why = {RES_OK, ""};
    struct rng rng = rng_seed(campaign_seed);
    struct modules_draw const plain = {.seed = rng_below(&rng, UINT32_MAX)};
    k->wishes.is_hard = false;
    kernel_find_guess(&k->kernel, &k->wishes, plain.seed, &k->guess);
    k->state = MODULES_READY;
    if (make(k, false, &k->guess, &plain, a, &tc, &why) != RES_OK) {
        k->state = MODULES_REFUSED;
        k->why = arena_printf(keep, "%s", why.text);
    }
}

/* A case that this program vouches for. Hard inputs may lead where ordinary ones do not, and ordinary ones may ask for other
 * sizes than those of the guess. */
static enum res draw_vouched(struct modules_kernel *k, const struct modules_draw *draw,
                             struct arena *a, struct testcase *out, struct err *e)
{
    struct modules_draw ordinary = *draw;
    struct kernel_guess guess;
    ordinary.is_hard = false;
    enum res r = make(k, false, &k->guess, draw, a, out, e);
    if (r != RES_OK && r != RES_NOMEM && draw->is_hard) {
        r = make(k, false, &k->guess, &ordinary, a, out, e);
    }
    if (r != RES_OK && r != RES_NOMEM) {
        k->wishes.is_hard = false;
        kernel_find_guess(&k->kernel, &k->wishes, draw->seed, &guess);
        r = make(k, false, &guess, &ordinary, a, out, e);
    }
    return r;
}

enum res modules_kernel_draw(struct modules_kernel *k, const struct modules_rules *rules,
                             const struct modules_draw *draw, struct arena *keep, struct arena *a,
                             struct testcase *out, const char **change, struct err *e)
{
    *change = "";
    if (k->state == MODULES_NOT_ASKED) {
        find_guess(k, rules->seed, keep, a);
    }
    enum res r = k->state == MODULES_READY ? draw_vouched(k, draw, a, out, e)
                                           : err_set(e, RES_USAGE, "%s", k->why);
    bool const is_given = rules->is_trusted && r != RES_OK && r != RES_NOMEM;
    if (is_given) {
        r = make(k, true, &k->guess, draw, a, out, e);
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
            *change = text;
        }
    }
    return RES_OK;
}
