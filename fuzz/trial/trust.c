/* fuzz/trial/trust.c -- may a case that was read from somewhere be given to a driver? */
#include "fuzz/trial/trust.h"

#include <string.h>

#include "base/kernel_args.h"
#include "base/printable.h"
#include "fuzz/io/spirv.h"
#include "gen/case/gen.h"
#include "gen/print/print.h"
#include "gen/tape/profile.h"
#include "oracle/vouch/vouch.h"

#define TRUST_ARENA_BYTES ((size_t)512 << 20)

static int is_same_buf(const struct buf *x, const struct buf *y)
{
    return x->kind == y->kind && x->width == y->width && x->height == y->height &&
           x->n_bytes == y->n_bytes && memcmp(x->data, y->data, x->n_bytes) == 0;
}

static int is_same_spec(const struct spec *x, const struct spec *y)
{
    return x->id == y->id && x->n_bytes == y->n_bytes && x->bits == y->bits &&
           x->is_bool == y->is_bool;
}

/* Are the two cases the same in all that a driver is given: the program and its options, the
 * dispatch, specialization constants and buffers? */
static int is_same(const struct testcase *x, const struct testcase *y)
{
    bool const is_same_program =
        x->n_words == y->n_words &&
        memcmp(x->module, y->module, x->n_words * sizeof *x->module) == 0 &&
        strcmp(x->entry, y->entry) == 0 && strcmp(x->build_options, y->build_options) == 0 &&
        x->language == y->language &&
        (x->language == LANGUAGE_SPIRV || strcmp(x->source, y->source) == 0);
    bool const is_same_dispatch = memcmp(x->local, y->local, sizeof x->local) == 0 &&
                                  memcmp(x->global, y->global, sizeof x->global) == 0 &&
                                  testcase_count_dispatches(x) == testcase_count_dispatches(y) &&
                                  x->subgroup_size == y->subgroup_size &&
                                  x->full_subgroups == y->full_subgroups;
    if (!is_same_program || !is_same_dispatch || x->n_specs != y->n_specs ||
        x->n_bufs != y->n_bufs) {
        return 0;
    }
    for (uint32_t i = 0; i < x->n_specs; i++) {
        if (!is_same_spec(&x->specs[i], &y->specs[i])) {
            return 0;
        }
    }
    for (uint32_t i = 0; i < x->n_bufs; i++) {
        if (!is_same_buf(&x->bufs[i], &y->bufs[i])) {
            return 0;
        }
    }
    return 1;
}

/* Does the generator make this case of the tape? */
static int is_ours(const struct testcase *tc, const struct tape *tape)
{
    int const profile = profile_find(tc->profile);
    struct arena a;
    struct testcase made;
    struct err ignored;
    if (!tape || profile < 0 || tape->n_records > TAPE_MAX_RECORDS) {
        return 0;
    }
    struct tape reader = {.data = tape->data, .n_records = tape->n_records};
    arena_init(&a, TRUST_ARENA_BYTES);
    int const is_made =
        gen_case((enum profile)profile, tc->env, &reader, &a, &made, NULL, &ignored) == RES_OK &&
        print_set_language(&made, tc->language, &a, &ignored) == RES_OK && is_same(tc, &made);
    arena_free(&a);
    return is_made;
}

/* A text is vouched for as the module is if it is what this program prints of that. */
static enum res vouch_source(const struct testcase *tc, struct arena *a, struct err *e)
{
    struct testcase printed = *tc;
    TRY(print_set_language(&printed, tc->language, a, e));
    return is_same(tc, &printed)
               ? RES_OK
               : err_set(e, RES_FORMAT,
                         "source: differs from the text that halfulp prints for the module");
}

enum res trust_vouch(const struct testcase *tc, struct arena *a, struct err *e)
{
    const char *text = "";
    if (spirv_validate(tc, a, &text) == SPIRV_INVALID) {
        return err_set(e, RES_FORMAT, "module: not valid SPIR-V: %.300s",
                       printable_copy_line(a, text));
    }
    TRY(vouch_source(tc, a, e));
    return vouch_case(tc, e);
}

/* Decide whether this case may be run here, since a module is a program. *out says why: the generator makes the
 * same case of its tape (TRUST_OURS), the user vouches for it (TRUST_GIVEN), or the program can vouch for it
 * (TRUST_VOUCHED). RES_USAGE: none of these holds, and the error says why. */
enum res trust_case(const char *name, const struct testcase *tc, const struct tape *tape,
                    int is_trusted, enum trust *out, struct arena *a, struct err *e)
{
    struct err why = {RES_OK, ""};
    *out = TRUST_OURS;
    if (is_ours(tc, tape)) {
        return RES_OK;
    }
    const char *const unsupported = kernel_args_find_unsupported(tc, a);
    if (unsupported[0]) { /* trust does not help: such an argument has no value */
        return err_set(e, RES_USAGE, "%s: not run: %s", printable_copy_line(a, name),
                       printable_copy_line(a, unsupported));
    }
    const char *const misfit = kernel_args_find_misfit(tc, a);
    if (misfit[0]) {
        return err_set(e, RES_USAGE, "%s: not run: %s", printable_copy_line(a, name),
                       printable_copy_line(a, misfit));
    }
    *out = TRUST_GIVEN;
    if (is_trusted) {
        return RES_OK;
    }
    *out = TRUST_VOUCHED;
    enum res const r = trust_vouch(tc, a, &why);
    if (r == RES_OK) {
        return RES_OK;
    }
    return err_set(e, r == RES_NOMEM ? r : RES_USAGE,
                   "%s: not run: halfulp did not generate this case and cannot show that it is "
                   "harmless (%s); use --trust to run it anyway",
                   printable_copy_line(a, name), why.text);
}
