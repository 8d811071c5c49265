/* tests/prove/prove_nir_lavapipe.c -- the interpreter of NIR gives what lavapipe gives: the NIR that lavapipe prints when a
 * case is dispatched is interpreted, and the content of its buffers compared with that of the run. prove_nir_lavapipe FOLDER
 * [CASES [TARGET [TEXTS]]]: so many cases of each release (10000), or of one; the texts of those that differ go to a folder.
 * FOLDER/nir_lavapipe.tsv has a line for each case: target, number, what came of it, words compared, words that are NaN in both
 * and differ, words that differ, why. Lines that are missing are added, so that a run resumes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/format.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/campaign/step.h"
#include "fuzz/known/expected_failures.h"
#include "fuzz/known/known_bugs.h"
#include "fuzz/pool/handle.h"
#include "fuzz/targets/targets_choose.h"
#include "fuzz/targets/targets_find.h"
#include "oracle/judge/judge.h"
#include "oracle/nir/nir.h"

enum {
    LAVAPIPE_SEED = 20261127,
    N_CASES = 10000,
    SUBGROUP_SIZE = 8, /* of both releases, with 256 bits */
    RUNS = 2,
    MAX_SHOWN = 3 /* differing words of a case that are printed */
};
static const char *const releases[] = {"lavapipe-26", "lavapipe-25"};

/* Where the worker of a proof writes what its driver says, in its own folder. */
#define SAYS "exec \"$0\" \"$@\" 2>>{tmp}/said"
static const uint64_t said_bytes = UINT64_C(1) << 28; /* of that file */

struct proof {
    struct target target;
    struct worker_handle handle;
    struct arena keep, work, judge;
    struct expected_failures rows;
    struct known_bugs bugs;
    struct run runs[RUNS];
    FILE *lines;
    bool (*is_there)[N_CASES];
    const char *shown; /* where texts of cases that differ are kept; NULL: nowhere */
};

/* What came of a case. */
enum came {
    CAME_EQUAL,
    CAME_NAN,       /* but for the bits of NaNs */
    CAME_PERMITTED, /* values differ; the judge permits both, and there is a reason why they may differ */
    CAME_DRIVER,  /* the driver's value is not permitted, ours is; or a known bug's */
    CAME_OURS,    /* ours is not permitted, the driver's is; or none of all these */
    CAME_UNKNOWN, /* the interpreter does not run it */
    CAME_SKIPPED  /* the driver does not run it */
};
enum {
    CAME_N = 7
};
static const char *const came_names[CAME_N] = {"equal", "nan",     "permitted", "driver",
                                               "ours",  "unknown", "skipped"};

/* Why both values may be right. */
enum reason {
    REASON_LANES,
    REASON_ORDER,
    REASON_ACCURACY,
    REASON_NAN,
    REASON_PRODUCT
};
static const char *const reasons[] = {"values of lanes that are not active", "the order of atomics",
                                      "the accuracy of functions",
                                      "NaN operands of fmin and fmax that no one is to keep",
                                      "products of constants, rounded by the compiler"};

/* Starts a target's worker so that what its driver prints goes to a file. */
static void make_target(struct proof *p, const struct target *t)
{
    static const char *const words[] = {"sh", "-c", SAYS};
    size_t n = 0, k = 0;
    p->target = *t;
    while (p->target.launcher[n]) {
        n++;
    }
    for (size_t i = 0; i < ARRAY_N(words) && n < TARGET_MAX_LAUNCHER; i++) {
        p->target.launcher[n++] = words[i];
    }
    while (p->target.env_vars[k]) {
        k++;
    }
    if (k + 1 < TARGET_MAX_ENV) {
        p->target.env_vars[k++] = "LP_DEBUG=cs";
        p->target.env_vars[k] = "MESA_SHADER_CACHE_DISABLE=true";
    }
    p->target.file_bytes = said_bytes;
}

/* What the driver said since the last time, in the arena; NULL: nothing. */
static const char *take_said(struct proof *p, size_t *n)
{
    char path[CHILD_MAX_PATH + 16];
    (void)snprintf(path, sizeof path, "%s/said", p->handle.child.folder);
    FILE *const f = fopen(path, "rb");
    char *text = NULL;
    *n = 0;
    if (f && fseek(f, 0, SEEK_END) == 0) {
        long const size = ftell(f);
        text = size > 0 ? arena_take(&p->work, (size_t)size + 1) : NULL;
        rewind(f);
        *n = text ? fread(text, 1, (size_t)size, f) : 0;
    }
    if (f) {
        (void)fclose(f);
        if (truncate(path, 0) != 0) {
            text = NULL;
        }
    }
    return text;
}

/* The last program in what was said: the driver prints each that it makes, and then more of it. */
static const char *find_program(const char *said, size_t *n)
{
    static const char begin[] = "shader: MESA_SHADER_COMPUTE";
    const char *found = NULL;
    for (const char *s = said ? strstr(said, begin) : NULL; s; s = strstr(s + 1, begin)) {
        found = s;
    }
    const char *const end = found ? strstr(found, "\n}\n") : NULL;
    *n = end ? (size_t)(end - found) + strlen("\n}\n") : found ? strlen(found) : 0;
    return found;
}

static enum res run_case(struct proof *p, struct run *r, struct err *e)
{
    handle_drop_done(&p->handle);
    do {
        if (p->handle.state == HANDLE_DOWN) {
            TRY(handle_start_and_wait(&p->handle, e));
        }
        TRY(handle_submit(&p->handle, r, e));
        (void)handle_wait(&p->handle);
        handle_drop_done(&p->handle);
    } while (p->handle.flight == r); /* it took nothing of it */
    return RES_OK;
}

static bool is_nan(enum fmt_id fmt, uint64_t a)
{
    return format_is_nan(&float_formats[fmt], a) != 0;
}

/* Are the bits of NaNs all that differs, whatever the format is? a, b: two words from an even one on; the `which` is looked at. */
static bool are_nan(uint64_t a, uint64_t b, unsigned which)
{
    uint64_t const x = a >> 32 * which & UINT32_MAX, y = b >> 32 * which & UINT32_MAX;
    bool are_halves = true;
    for (unsigned i = 0; i < 32; i += 16) {
        uint64_t const u = x >> i & 0xffff, v = y >> i & 0xffff;
        are_halves = are_halves && (u == v || (is_nan(FMT_F16, u) && is_nan(FMT_F16, v)));
    }
    return are_halves || (is_nan(FMT_F32, x) && is_nan(FMT_F32, y)) ||
           (is_nan(FMT_F64, a) && is_nan(FMT_F64, b));
}

/* Are both zeros, or one a zero and the other one a subnormal? */
static bool are_tiny_in(enum fmt_id fmt, uint64_t a, uint64_t b)
{
    const struct float_format *const f = &float_formats[fmt];
    bool const is_zero = format_is_zero(f, a) || format_is_zero(f, b);
    return is_zero && (a & f->exp) == 0 && (b & f->exp) == 0;
}
/* The same of the half-words that differ, of the words, or of both together. */
static bool are_tiny(uint64_t a, uint64_t b, unsigned which)
{
    uint64_t const x = a >> 32 * which & UINT32_MAX, y = b >> 32 * which & UINT32_MAX;
    bool are_halves = true;
    for (unsigned i = 0; i < 32; i += 16) {
        uint64_t const u = x >> i & 0xffff, v = y >> i & 0xffff;
        are_halves = are_halves && (u == v || are_tiny_in(FMT_F16, u, v));
    }
    return are_halves || are_tiny_in(FMT_F32, x, y) || are_tiny_in(FMT_F64, a, b);
}

struct difference {
    uint64_t n_words, n_nan, n;
    uint64_t n_tiny; /* of n, where at most the sign of a zero or a subnormal differs */
};
/* Words of all buffers that differ; the first ones are printed. */
static struct difference compare(const struct proof *p, const struct run *r,
                                 const struct observation *ours)
{
    struct difference d = {0};
    for (uint32_t i = 0; i < r->tc.n_bufs; i++) {
        uint32_t const n_bytes = r->tc.bufs[i].n_bytes;
        for (uint32_t k = 0; k < n_bytes; k += 4) {
            uint32_t const even = k & ~7U, n = n_bytes - even < 8 ? 4 : 8;
            uint64_t const a = load_le(ours->out[i] + even, n), b = load_le(r->ob.out[i] + even, n);
            unsigned const which = k / 4 & 1;
            d.n_words++;
            if (a >> 32 * which << 32 == b >> 32 * which << 32) {
                continue;
            }
            if (are_nan(a, b, which)) {
                d.n_nan++;
                continue;
            }
            d.n_tiny += are_tiny(a, b, which);
            if (d.n++ < MAX_SHOWN) {
                printf("%s %" PRIu64 ": buffer %u, word %u: 0x%08" PRIx64 ", lavapipe 0x%08" PRIx64
                       "\n",
                       p->target.name, r->index, i, k / 4, a >> 32 * which & UINT32_MAX,
                       b >> 32 * which & UINT32_MAX);
            }
        }
    }
    return d;
}

/* What a finding of lavapipe's is known as: a model, or a signature of the list; NULL: it is new. */
static const char *find_known(struct proof *p, const struct finding *f,
                              const struct observation *ob)
{
    if (f->known && f->known[0]) {
        return f->known;
    }
    const char *const text = signature_of(f, ob, &p->judge).text;
    return expected_failures_find(&p->rows, p->target.name, ob->facts, text) ? text : NULL;
}

/* What is wrong with an observation, but for known bugs; -1: it cannot be judged. *g is what the judge said. */
static int count_violations(struct proof *p, const struct testcase *tc,
                            const struct observation *ob, struct judgement *g)
{
    struct err e;
    int n = 0;
    if (judge_run(tc, ob, &p->judge, g, &e) != RES_OK) {
        return -1;
    }
    known_bugs_explain(&p->bugs, tc, ob, g, &p->judge);
    for (uint32_t i = 0; i < g->n_findings; i++) {
        const struct finding *const f = &g->findings[i];
        n += verdict_rows[f->kind].part == PART_VIOLATION && !find_known(p, f, ob);
    }
    return n;
}

/* Has the program a minimum or maximum that need not keep a NaN? */
static bool has_loose_minimum(const char *line, const char *end)
{
    const char *const kept = strstr(line, "nan");
    return (strncmp(line, "= fmin ", 7) == 0 || strncmp(line, "= fmax ", 7) == 0) &&
           (!kept || kept >= end);
}
/* Or a product of constants, shown behind each, in a fused sum that may be left apart? */
static bool has_constant_product(const char *line, const char *end)
{
    const char *const second = strstr(line, ", %");
    const char *const third = second ? strstr(second + 1, ", %") : NULL;
    return strncmp(line, "= ffma_weak ", 12) == 0 && third && third < end && second[-1] == ')' &&
           third[-1] == ')';
}
static bool has_line(const struct nir_request *q, bool (*is_one)(const char *, const char *))
{
    for (const char *s = strstr(q->text, "= "); s && s < q->text + q->n_bytes;
         s = strstr(s + 1, "= ")) {
        const char *const end = strchr(s, '\n');
        if (end && is_one(s, end)) {
            return true;
        }
    }
    return false;
}

static bool has_reason(enum reason reason, const struct nir_request *q,
                       const struct nir_answer *answer, const struct judgement *g)
{
    switch (reason) {
    case REASON_LANES:
        return answer->n_inactive > 0;
    case REASON_ORDER:
        return g->n_contended > 0;
    case REASON_ACCURACY:
        return answer->n_hardware > 0;
    case REASON_NAN:
        return has_line(q, has_loose_minimum);
    case REASON_PRODUCT:
        return has_line(q, has_constant_product);
    }
    return false;
}

/* The first violation that no known bug explains. */
static const char *name_violation(struct proof *p, const struct judgement *g,
                                  const struct observation *ob)
{
    for (uint32_t i = 0; i < g->n_findings; i++) {
        const struct finding *const f = &g->findings[i];
        if (verdict_rows[f->kind].part == PART_VIOLATION && !find_known(p, f, ob)) {
            return arena_printf(&p->work, "%s", signature_of(f, ob, &p->judge).text);
        }
    }
    return "";
}

/* Whether and why two different results are both right; text is a sentence. */
static enum came explain(struct proof *p, const struct run *r, struct observation *ours,
                         const struct nir_request *q, const struct nir_answer *answer,
                         const struct difference *d, const char **text)
{
    struct judgement g, other;
    arena_reset(&p->judge);
    ours->facts = r->ob.facts;
    int const n_driver = count_violations(p, &r->tc, &r->ob, &g);
    int const n_ours = count_violations(p, &r->tc, ours, &other);
    *text = "";
    if (n_driver < 0 || n_ours < 0) {
        *text = "cannot be judged";
        return CAME_PERMITTED;
    }
    if (n_ours > n_driver || n_driver > 0) {
        *text = arena_printf(&p->work, "%d violations of ours, %d of the driver: %s", n_ours,
                             n_driver, name_violation(p, n_ours > 0 ? &other : &g, ours));
        return n_ours > 0 ? CAME_OURS : CAME_DRIVER;
    }
    for (uint32_t i = 0; i < g.n_findings; i++) {
        const char *const known = find_known(p, &g.findings[i], &r->ob);
        if (known) {
            *text = arena_printf(&p->work, "known %s", known);
            return CAME_DRIVER;
        }
    }
    if (g.undefined != UNDEFINED_NONE) {
        *text = "undefined behaviour";
        return CAME_PERMITTED;
    }
    for (size_t i = 0; i < ARRAY_N(reasons); i++) {
        bool const is_one = has_reason((enum reason)i, q, answer, &g);
        if (is_one) {
            *text = arena_printf(&p->work, "%s%s%s", *text, (*text)[0] ? "; " : "", reasons[i]);
        }
    }
    if (!(*text)[0] && d->n == d->n_tiny) {
        *text = "zeros and subnormals";
    }
    return (*text)[0] ? CAME_PERMITTED : CAME_OURS;
}

static void keep_text(const struct proof *p, uint64_t index, const char *text, size_t n)
{
    char path[512];
    FILE *f = NULL;
    if (p->shown) {
        (void)snprintf(path, sizeof path, "%s/%s-%" PRIu64 ".nir", p->shown, p->target.name, index);
        f = fopen(path, "wb");
    }
    if (f) {
        (void)fwrite(text, 1, n, f);
        (void)fclose(f);
    }
}

static enum res try_case(struct proof *p, uint64_t index, struct err *e)
{
    struct run *const r = &p->runs[index % RUNS];
    struct tape tape;
    struct observation ours;
    struct nir_answer answer = {.text = ""};
    enum came came = CAME_SKIPPED;
    struct difference d = {0};
    const char *text = "";
    arena_reset(&r->arena);
    arena_reset(&p->work);
    step_begin(r);
    r->index = index;
    TRY(sched_make_case(PROFILE_ALL, LAVAPIPE_SEED, index, ENV_VK, &r->arena, &r->tc, &tape, e));
    if (p->handle.state == HANDLE_DOWN) {
        TRY(handle_start_and_wait(&p->handle, e));
    }
    if (facts_get_fit(p->handle.facts, &r->tc.needs) == FIT_LISTED) {
        TRY(run_case(p, r, e));
    }
    if (r->ob.status == RUN_DONE && r->ob.n_bufs == r->tc.n_bufs) {
        size_t n_said = 0, n_text = 0;
        const char *const program = find_program(take_said(p, &n_said), &n_text);
        struct nir_request const q = {.text = program ? program : "",
                                      .n_bytes = n_text,
                                      .driver = NIR_DRIVER_LAVAPIPE,
                                      .subgroup_size = SUBGROUP_SIZE};
        bool const is_run = nir_run(&q, &r->tc, &p->work, &ours, &answer);
        d = is_run ? compare(p, r, &ours) : d;
        came = !is_run ? CAME_UNKNOWN : d.n_nan ? CAME_NAN : CAME_EQUAL;
        text = answer.text;
        if (d.n > 0) {
            came = explain(p, r, &ours, &q, &answer, &d, &text);
        }
        if (came == CAME_DRIVER || came == CAME_OURS || came == CAME_UNKNOWN) {
            keep_text(p, index, q.text, n_text);
        }
    }
    if (step_is_trouble(&r->ob)) {
        (void)handle_kill(&p->handle);
        handle_drop_done(&p->handle);
    }
    (void)fprintf(p->lines, "%s\t%" PRIu64 "\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%s\n",
                  p->target.name, index, came_names[came], d.n_words, d.n_nan, d.n, text);
    (void)fflush(p->lines);
    return RES_OK;
}

/* Cases and words of what came of them. */
struct total {
    uint32_t n_cases;
    uint64_t n_words, n_nan, n_different;
};
struct totals {
    struct total of[ARRAY_N(releases)][CAME_N];
};

/* What the lines of the file say; is_there may be NULL. */
static void read_lines(FILE *f, bool (*is_there)[N_CASES], struct totals *t)
{
    char line[512], name[32], came[16];
    uint64_t index = 0, n[3];
    rewind(f);
    while (fgets(line, sizeof line, f)) {
        if (sscanf(line, "%31[^\t]\t%" SCNu64 "\t%15[^\t]\t%" SCNu64 "\t%" SCNu64 "\t%" SCNu64,
                   name, &index, came, &n[0], &n[1], &n[2]) != 6 ||
            index >= N_CASES) {
            continue;
        }
        for (size_t i = 0; i < ARRAY_N(releases); i++) {
            for (size_t k = 0; k < CAME_N && strcmp(name, releases[i]) == 0; k++) {
                struct total *const to = &t->of[i][k];
                bool const is_it = strcmp(came, came_names[k]) == 0;
                to->n_cases += is_it;
                to->n_words += is_it ? n[0] : 0;
                to->n_nan += is_it ? n[1] : 0;
                to->n_different += is_it ? n[2] : 0;
                if (is_it && is_there) {
                    is_there[i][index] = true;
                }
            }
        }
    }
}

/* Prints what all lines say; how many cases show a mistake of ours. */
static uint32_t tell(FILE *f)
{
    struct totals t = {0};
    uint32_t n_bad = 0;
    read_lines(f, NULL, &t);
    for (size_t i = 0; i < ARRAY_N(releases); i++) {
        for (size_t k = 0; k < CAME_N; k++) {
            const struct total *const of = &t.of[i][k];
            printf("%s %s: %u cases, %" PRIu64 " words, %" PRIu64 " other NaNs, %" PRIu64
                   " different\n",
                   releases[i], came_names[k], of->n_cases, of->n_words, of->n_nan,
                   of->n_different);
        }
        n_bad += t.of[i][CAME_OURS].n_cases;
    }
    return n_bad;
}

static enum res prove(struct proof *p, const struct target *t, const bool *is_there, uint64_t n,
                      struct err *e)
{
    make_target(p, t);
    handle_init(&p->handle, &p->target);
    TRY(handle_start_and_wait(&p->handle, e));
    TRY(expected_failures_list_bugs(&p->rows, t->name, p->handle.facts, &p->bugs, &p->keep, e));
    for (uint64_t i = 0; i < n; i++) {
        enum res const res = is_there[i] ? RES_OK : try_case(p, i, e);
        if (res == RES_NOMEM) {
            printf("%s %" PRIu64 ": %s\n", t->name, i, e->text);
        } else if (res != RES_OK) {
            return res;
        }
    }
    handle_free(&p->handle);
    return RES_OK;
}

int main(int argc, char **argv)
{
    static struct target_list list;
    static bool is_there[ARRAY_N(releases)][N_CASES];
    static struct proof p;
    struct err e = {RES_OK, ""};
    char path[512], today[EXPECTED_DATE_BYTES];
    if (argc < 2 || argc > 5) {
        (void)fprintf(stderr, "usage: prove_nir_lavapipe FOLDER [CASES [TARGET [TEXTS]]]\n");
        return 2;
    }
    uint64_t const n = argc > 2 ? strtoull(argv[2], NULL, 10) : N_CASES;
    p.shown = argc > 4 ? argv[4] : NULL;
    (void)snprintf(path, sizeof path, "%s/nir_lavapipe.tsv", argv[1]);
    p.lines = fopen(path, "a+");
    arena_init(&p.keep, (size_t)64 << 20);
    arena_init(&p.work, (size_t)1 << 30);
    arena_init(&p.judge, (size_t)768 << 20);
    for (size_t i = 0; i < RUNS; i++) {
        arena_init(&p.runs[i].arena, HANDLE_RUN_BYTES);
    }
    expected_failures_get_today(today);
    if (!p.lines ||
        expected_failures_read(&p.rows, "corpora/known.tsv", today, &p.keep, &e) != RES_OK ||
        targets_find(&list, NULL, &p.keep, &e) != RES_OK) {
        (void)fprintf(stderr, "prove: %s: %s\n", path, e.text);
        return 3;
    }
    struct totals before = {0};
    read_lines(p.lines, is_there, &before);
    if (fseek(p.lines, 0, SEEK_END) == 0 && ftell(p.lines) == 0) {
        (void)fputs("target\tcase\tcame\twords\tother NaNs\tdifferent\twhy\n", p.lines);
    }
    for (size_t i = 0; i < ARRAY_N(releases); i++) {
        for (uint32_t k = 0; k < list.n; k++) {
            bool const is_one = strcmp(list.t[k].name, releases[i]) == 0 &&
                                (argc < 4 || strcmp(argv[3], releases[i]) == 0);
            if (is_one &&
                prove(&p, &list.t[k], is_there[i], n < N_CASES ? n : N_CASES, &e) != RES_OK) {
                (void)fprintf(stderr, "prove: %s\n", e.text);
                return 3;
            }
        }
    }
    uint32_t const n_bad = tell(p.lines);
    return fclose(p.lines) == 0 && n_bad == 0 ? 0 : 1;
}
