/* fuzz/guided/afl_mutator.c -- AFL++'s custom mutator over tape files: gen/mutate/mutate.h behind its hooks (4.04c).
 * The environment may tell:
 *   HALFULP_MUTATOR=NAME        one of `strategies`; by default "features"
 *   HALFULP_MUTATOR_ENV=NAME    "opencl" or "vulkan", of the target; by default what the tape says
 *   HALFULP_MUTATOR_TRIM=N      at most N candidates to trim an input by; 0: none
 *   HALFULP_MUTATOR_STATS=FILE  at the end: each mutation, times used, and inputs that it made new
 * No state but what afl_custom_init returns, and all of it depends on the seed alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/testcase.h"
#include "gen/case/gen.h"
#include "gen/mutate/mutate.h"
#include "gen/mutate/mutate_trim.h"
#include "gen/mutate/parent.h"
#include "gen/mutate/pool.h"
#include "gen/tape/profile.h"
#include "gen/tape/tape.h"
#include "gen/tape/tape_random.h"

enum {
    MAX_RECORDS = 8192,  /* some times what a random tape has */
    HEADER_BYTES = 64,   /* at most */
    FUZZ_COUNT = 32,     /* mutants of an input at each visit */
    TRIM_CANDIDATES = 1, /* each costs an execution, and a smaller tape takes hardly less time */
    DESCRIPTION_BYTES = 128
};
#define MUTATOR_ARENA_BYTES ((size_t)256 << 20)

/* What outputs are, in a hundred; the others are mutants of AFL++'s input. */
struct strategy {
    const char *name;
    unsigned n_fresh;    /* random tapes: what no input has is found at least so fast */
    unsigned n_crossing; /* of the pool */
};
static const struct strategy strategies[] = {
    {"features", 20,  64},
    {"edges",    75,  0 }, /* of a driver: crossings are large, and long to compile */
    {"random",   100, 0 }, /* the control of guided campaigns */
};

struct mutator {
    struct rng rng;
    const struct strategy *strategy;
    int env;              /* -1: the tape's own */
    enum profile profile; /* of the last tape that was one */

    /* the parent that was mutated last: it comes again and again */
    struct arena parent_arena;
    struct parent *parent;
    uint64_t parent_hash;

    struct arena out_arena;

    struct pool pool; /* what was new, the seeds first */
    struct arena file_arena;

    struct arena trim_arena[2]; /* in turn: what is tried comes from what is kept */
    int trim_at;
    uint32_t trim_most, trim_step, n_tried;
    struct tape trimmed, candidate;
    const char *trim_profile;

    struct mutation_log log; /* of the last output */
    char description[DESCRIPTION_BYTES];
    uint64_t n_used[MUTATION_N], n_new[MUTATION_N];
    const char *stats;
};

/* As AFL++ declares them. */
#define HOOK __attribute__((visibility("default")))
HOOK void *afl_custom_init(void *afl, unsigned int seed);
HOOK void afl_custom_deinit(void *data);
HOOK uint32_t afl_custom_fuzz_count(void *data, const uint8_t *buf, size_t n);
HOOK size_t afl_custom_fuzz(void *data, uint8_t *buf, size_t n, uint8_t **out, uint8_t *add_buf,
                            size_t n_add, size_t n_most);
HOOK const char *afl_custom_describe(void *data, size_t n_most);
HOOK int32_t afl_custom_init_trim(void *data, uint8_t *buf, size_t n);
HOOK size_t afl_custom_trim(void *data, uint8_t **out);
HOOK int32_t afl_custom_post_trim(void *data, uint8_t success);
HOOK uint8_t afl_custom_queue_new_entry(void *data, const uint8_t *new_file,
                                        const uint8_t *old_file);

static int read_env(const char *name)
{
    for (int i = 0; name && i < ENV_N; i++) {
        if (strcmp(name, env_names[i]) == 0) {
            return i;
        }
    }
    return -1;
}

static const struct strategy *find_strategy(const char *name)
{
    for (size_t i = 0; i < ARRAY_N(strategies); i++) {
        if (!name || strcmp(name, strategies[i].name) == 0) {
            return &strategies[i];
        }
    }
    (void)fprintf(stderr, "mutator: HALFULP_MUTATOR: no strategy \"%s\"; there are", name);
    for (size_t i = 0; i < ARRAY_N(strategies); i++) {
        (void)fprintf(stderr, " %s", strategies[i].name);
    }
    (void)fprintf(stderr, "\n");
    return NULL;
}

static int is_random(const struct mutator *m)
{
    return m->strategy->n_fresh == 100;
}

/* AFL++ asks for a mutator with random numbers of this seed. Environment variables say its strategy, the
 * environment of its cases, how many candidates a trim may try, and where counts go. NULL ends AFL++, which
 * says so. */
void *afl_custom_init(void *afl, unsigned int seed)
{
    (void)afl;
    const struct strategy *const strategy = find_strategy(getenv("HALFULP_MUTATOR"));
    struct mutator *const m = strategy ? calloc(1, sizeof *m) : NULL;
    const char *const trim = getenv("HALFULP_MUTATOR_TRIM");
    if (!m) {
        return NULL;
    }
    m->rng = rng_seed(seed);
    m->strategy = strategy;
    m->env = read_env(getenv("HALFULP_MUTATOR_ENV"));
    m->trim_most = trim ? (uint32_t)strtoul(trim, NULL, 10) : (uint32_t)TRIM_CANDIDATES;
    m->stats = getenv("HALFULP_MUTATOR_STATS");
    struct arena *const arenas[] = {&m->parent_arena, &m->out_arena, &m->trim_arena[0],
                                    &m->trim_arena[1], &m->file_arena};
    for (size_t i = 0; i < ARRAY_N(arenas); i++) {
        arena_init(arenas[i], MUTATOR_ARENA_BYTES);
    }
    return m;
}

static void write_stats(const struct mutator *m)
{
    struct file_writer w;
    struct err e;
    if (!m->stats || file_begin(&w, m->stats, &e) != RES_OK) {
        return;
    }
    for (int i = 0; i < MUTATION_N; i++) {
        (void)fprintf(w.f, "%s\t%llu\t%llu\n", mutation_names[i], (unsigned long long)m->n_used[i],
                      (unsigned long long)m->n_new[i]);
    }
    if (file_end(&w, RES_OK, &e) != RES_OK) {
        (void)fprintf(stderr, "mutator: %s\n", e.text);
    }
}

void afl_custom_deinit(void *data)
{
    struct mutator *const m = data;
    write_stats(m);
    pool_free(&m->pool);
    arena_free(&m->file_arena);
    arena_free(&m->parent_arena);
    arena_free(&m->out_arena);
    arena_free(&m->trim_arena[0]);
    arena_free(&m->trim_arena[1]);
    free(m);
}

/* ---- mutants ---- */

static int parse(struct tape *t, enum profile *profile, const uint8_t *buf, size_t n,
                 struct arena *a)
{
    const char *name = NULL;
    if (!buf || tape_parse(t, "input", buf, n, &name, a, NULL) != RES_OK) {
        return 0;
    }
    *profile = (enum profile)profile_find(name);
    return 1;
}

static enum env env_of(const struct mutator *m, const struct tape *t)
{
    return m->env >= 0 ? (enum env)m->env : gen_get_env(t);
}

/* m->parent is buf's. 0: that is no tape. */
static int learn_parent(struct mutator *m, const uint8_t *buf, size_t n)
{
    struct tape t;
    uint64_t const hash = hash_bytes(n, buf, n);
    if (m->parent && m->parent_hash == hash) {
        return 1;
    }
    arena_reset(&m->parent_arena);
    m->parent = NULL;
    if (!parse(&t, &m->profile, buf, n, &m->parent_arena) ||
        mutate_learn(&t, m->profile, env_of(m, &t), &m->parent_arena, &m->parent, NULL) != RES_OK) {
        m->parent = NULL;
        return 0;
    }
    m->parent_hash = hash;
    return 1;
}

/* What subtrees are taken from; NULL where there is nothing of use. */
static struct parent *learn_other(struct mutator *m, const uint8_t *buf, size_t n)
{
    struct tape t;
    struct parent *other = NULL;
    enum profile profile = m->profile;
    if (!parse(&t, &profile, buf, n, &m->out_arena) ||
        mutate_learn(&t, profile, env_of(m, &t), &m->out_arena, &other, NULL) != RES_OK) {
        return NULL;
    }
    return other;
}

static int put_random(struct mutator *m, size_t max_records, struct tape *out)
{
    m->log = (struct mutation_log){.n_used = 0};
    if (tape_random(out, &m->rng, &m->out_arena, NULL) != RES_OK) {
        return 0;
    }
    out->n_records = out->n_records < max_records ? out->n_records : max_records;
    return 1;
}

/* One of the pool, in which what was new elsewhere comes together. Not the parent: AFL++ comes back to the
 * smallest and fastest of its inputs, and cases of few invocations show little of groups. */
static int put_crossing(struct mutator *m, size_t max_records, struct tape *out,
                        enum profile *profile)
{
    m->log = (struct mutation_log){1, {MUTATION_CROSS}};
    m->n_used[MUTATION_CROSS]++;
    const struct parent *const base = m->pool.tape[rng_below(&m->rng, m->pool.n)];
    *profile = base->profile;
    size_t const own = base->tape.n_records;
    size_t const most = own > POOL_MAX_RECORDS ? own : (size_t)POOL_MAX_RECORDS;
    return mutate_cross(base, m->pool.tape, m->pool.n, most < max_records ? most : max_records,
                        &m->rng, &m->out_arena, out, NULL) == RES_OK;
}

uint32_t afl_custom_fuzz_count(void *data, const uint8_t *buf, size_t n)
{
    (void)data;
    (void)buf;
    (void)n;
    return FUZZ_COUNT;
}

/* Make the next output by the strategy's shares, in per cent: a random tape (always where the input is no
 * tape), a crossing of two of the pool, else a mutant of the input. *profile is the one that it has to be
 * read as. 0: it cannot be made. */
static int put_mutant(struct mutator *m, const uint8_t *buf, size_t n, const uint8_t *add_buf,
                      size_t n_add, size_t max_records, struct tape *out, enum profile *profile)
{
    int const is_tape = learn_parent(m, buf, n);
    unsigned const n_crossing = m->pool.n > 0 ? m->strategy->n_crossing : 0;
    uint64_t const percent = rng_below(&m->rng, 100);
    *profile = m->profile;
    if (!is_tape || percent < m->strategy->n_fresh) {
        return put_random(m, max_records, out);
    }
    if (percent < m->strategy->n_fresh + n_crossing) {
        return put_crossing(m, max_records, out, profile);
    }
    if (mutate_make(m->parent, learn_other(m, add_buf, n_add), max_records, &m->rng, &m->out_arena,
                    out, &m->log, NULL) != RES_OK) {
        return 0;
    }
    for (unsigned i = 0; i < m->log.n_used; i++) {
        m->n_used[m->log.used[i]]++;
    }
    return 1;
}

/* Make an output of at most n_most bytes for AFL++ out of the input buf and, for a mutation that
 * takes parts of a second input, out of add_buf. Returns the length of *out, which lives until the
 * next call; 0: there is no output, and AFL++ runs nothing. */
size_t afl_custom_fuzz(void *data, uint8_t *buf, size_t n, uint8_t **out, uint8_t *add_buf,
                       size_t n_add, size_t n_most)
{
    struct mutator *const m = data;
    struct tape t;
    enum profile profile = m->profile;
    size_t n_out = 0;
    arena_reset(&m->out_arena);
    *out = buf; /* valid also where 0 is returned */
    if (n_most < HEADER_BYTES) {
        return 0;
    }
    size_t const room = (n_most - HEADER_BYTES) / TAPE_RECORD_BYTES;
    size_t const max_records = room < MAX_RECORDS ? room : (size_t)MAX_RECORDS;
    if (!put_mutant(m, buf, n, add_buf, n_add, max_records, &t, &profile)) {
        return 0;
    }
    const unsigned char *const bytes =
        tape_encode(&t, profile_names[profile], &m->out_arena, &n_out);
    uint8_t *const own = bytes ? arena_copy(&m->out_arena, bytes, n_out) : NULL;
    if (!own) {
        return 0;
    }
    *out = own;
    return n_out;
}

const char *afl_custom_describe(void *data, size_t n_most)
{
    struct mutator *const m = data;
    size_t const n = n_most + 1 < sizeof m->description ? n_most + 1 : sizeof m->description;
    size_t at = 0;
    (void)snprintf(m->description, n, "random");
    for (unsigned i = 0; i < m->log.n_used && at + 1 < n; i++) {
        int const wrote = snprintf(m->description + at, n - at, "%s%s", i == 0 ? "" : "+",
                                   mutation_names[m->log.used[i]]);
        at += wrote > 0 ? (size_t)wrote : 0;
    }
    return m->description;
}

/* A file that was new is one of the pool; what cannot be read or is no tape is not. */
static void put_in_pool(struct mutator *m, const char *path, int is_seed)
{
    struct tape t;
    const char *profile = NULL;
    arena_reset(&m->file_arena);
    if (tape_load_file(&t, path, &profile, &m->file_arena, NULL) == RES_OK) {
        (void)!pool_add(&m->pool, &t, (enum profile)profile_find(profile), env_of(m, &t), is_seed,
                        &m->rng, NULL);
    }
}

uint8_t afl_custom_queue_new_entry(void *data, const uint8_t *new_file, const uint8_t *old_file)
{
    struct mutator *const m = data;
    if (m->strategy->n_crossing > 0) {
        put_in_pool(m, (const char *)new_file, !old_file);
    }
    for (unsigned i = 0; old_file && i < m->log.n_used; i++) {
        m->n_new[m->log.used[i]]++;
    }
    return 0; /* the file stays as it is */
}

/* ---- trimming ---- */

/* The next candidate after what is kept; 0: there is none. */
static int find_candidate(struct mutator *m)
{
    struct arena *const a = &m->trim_arena[!m->trim_at];
    struct parent *p = NULL;
    arena_reset(a);
    enum profile const profile = (enum profile)profile_find(m->trim_profile);
    return m->n_tried < m->trim_most &&
           mutate_learn(&m->trimmed, profile, env_of(m, &m->trimmed), a, &p, NULL) == RES_OK &&
           mutate_trim(p, m->trim_step, a, &m->candidate) == 1;
}

int32_t afl_custom_init_trim(void *data, uint8_t *buf, size_t n)
{
    struct mutator *const m = data;
    enum profile profile = m->profile;
    arena_reset(&m->trim_arena[0]);
    arena_reset(&m->trim_arena[1]);
    m->trim_at = 0;
    m->trim_step = 0;
    m->n_tried = 0;
    if (is_random(m) || !parse(&m->trimmed, &profile, buf, n, &m->trim_arena[0])) {
        return 0;
    }
    m->trim_profile = profile_names[profile];
    return find_candidate(m) ? (int32_t)m->trim_most : 0;
}

size_t afl_custom_trim(void *data, uint8_t **out)
{
    struct mutator *const m = data;
    size_t n = 0;
    struct arena *const a = &m->trim_arena[!m->trim_at];
    const unsigned char *const bytes = tape_encode(&m->candidate, m->trim_profile, a, &n);
    *out = bytes ? arena_copy(a, bytes, n) : NULL;
    return *out ? n : 0;
}

/* How many candidates were tried; all there may be, when there is no other. */
int32_t afl_custom_post_trim(void *data, uint8_t success)
{
    struct mutator *const m = data;
    m->n_tried++;
    if (success) {
        m->trimmed = m->candidate;
        m->trim_at = !m->trim_at;
    } else {
        m->trim_step++;
    }
    return find_candidate(m) ? (int32_t)m->n_tried : (int32_t)m->trim_most;
}
