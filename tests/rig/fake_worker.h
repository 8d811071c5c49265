/* tests/rig/fake_worker.h -- a worker without a driver: the simulator behind the wire, misbehaving on
 * request. A test program whose main calls fake_worker_main when its first word is "--api" can name
 * itself as the worker of a target. The environment variable FAKE says how it behaves. With FAKE_EDGES it has
 * instrumentation: that file is its map, of FAKE_N_EDGES cells. To the file FAKE_LOG it adds a line for each
 * case that it is asked for, "build" or "case" and the tape's hash. */
#pragma once

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/campaign/sched_case.h"
#include "fuzz/campaign/step.h"
#include "fuzz/wire/wire.h"
#include "gen/case/gen.h"
#include "gen/tape/tape_needs.h"
#include "oracle/sim/sim.h"
#include "oracle/sim/sim_facts.h"

#define FAKE_ARENA_BYTES ((size_t)512 << 20)
enum {
    FAKE_N_EDGES = 64,
    FAKE_MANY_WORDS = 250 /* of a module that shows the first of two bugs */
};

/* Does this case get the bad behaviour? One of four, by its tape, never the known-good case. */
static int fake_is_chosen(const struct testcase *tc, uint64_t good_hash)
{
    return tc->tape_hash != good_hash && hash_bytes(0, &tc->tape_hash, 8) % 4 == 1;
}

/* What the worker lists. */
static inline const char *fake_get_facts(enum env env, struct arena *a)
{
    return arena_printf(a, "device=fake\nversion=1\n%s", sim_facts(env, 1, a));
}

/* The needs that cases drawn for the worker may have. */
static struct needs fake_get_allowed(enum env env, struct arena *a)
{
    return step_get_allowed(&(struct target){.env = env}, fake_get_facts(env, a), 0);
}

static uint64_t fake_good_hash(enum env env, struct arena *a)
{
    struct tape empty = {.data = (const unsigned char *)"", .n_records = 0};
    struct needs const allowed = fake_get_allowed(env, a);
    struct testcase tc;
    struct err e;
    return tape_set_allowed(&empty, &allowed, a, &e) == RES_OK &&
                   gen_case(PROFILE_ATOMICS, env, &empty, a, &tc, NULL, &e) == RES_OK
               ? tc.tape_hash
               : 0;
}

/* How many of the first n cases of a campaign with the profile atomics get the bad behaviour. A case that cannot be made
 * counts as n. */
static inline uint64_t fake_count_chosen(enum env env, uint64_t seed, uint64_t n, struct arena *a)
{
    uint64_t n_chosen = 0;
    struct needs const allowed = fake_get_allowed(env, a);
    uint64_t const good = fake_good_hash(env, a);
    for (uint64_t i = 0; i < n; i++) {
        struct testcase tc;
        struct tape tape;
        struct err e;
        struct sched_case const of = {PROFILE_ATOMICS, seed, i, env, &allowed};
        bool const is_made = sched_make_allowed(&of, a, &tc, &tape, &e) == RES_OK;
        n_chosen += is_made ? (uint64_t)fake_is_chosen(&tc, good) : n;
    }
    return n_chosen;
}

static int fake_is(const char *mode)
{
    const char *asked = getenv("FAKE");
    return asked && strcmp(asked, mode) == 0;
}

/* Two bugs, of which a smaller case shows the other; modes passes: in two passes of a compiler, with the words of LLVM;
 * asserts: two assertions. */
static void fake_crash_of_two(const struct testcase *tc)
{
    int const is_first = tc->n_words >= FAKE_MANY_WORDS;
    if (fake_is("passes")) {
        (void)fprintf(stderr,
                      "Stack dump:\n0.\tRunning pass \"outer\" on module \"main\"\n"
                      "1.\tRunning pass \"%s\" on function \"main%u\"\n",
                      is_first ? "vplan-vec" : "kernel-builtin", tc->n_words);
        (void)raise(SIGSEGV);
    } else if (fake_is("asserts")) {
        (void)fprintf(stderr, "fake: ../src/fold.c:%d: fold: Assertion `%s' failed.\n",
                      is_first ? 12 : 13, is_first ? "n > 0" : "n > 1");
        abort();
    }
}

/* FAKE_PHASE: the byte that tells what it is at. */
static void fake_enter(void)
{
    const char *const text = getenv("FAKE_PHASE");
    unsigned char const byte = text ? (unsigned char)strtoul(text, NULL, 10) : 0;
    if (text) {
        (void)!pwrite(WIRE_CRASH_FD, &byte, 1, WIRE_PHASE_AT);
    }
}

/* Before the reply: modes crash, abort, exit, hang, garbage, error, and those of two bugs. */
static void fake_misbehave(const struct testcase *tc)
{
    struct err e;
    fake_enter();
    fake_crash_of_two(tc);
    if (fake_is("crash")) {
        (void)raise(SIGSEGV);
    } else if (fake_is("abort")) {
        (void)fputs("thread '<unnamed>' (17) panicked at src/select.rs:12:3:\n", stderr);
        abort();
    } else if (fake_is("exit")) {
        exit(0);
    } else if (fake_is("hang")) {
        for (;;) {
            (void)pause();
        }
    } else if (fake_is("garbage")) {
        (void)!write(STDOUT_FILENO, "this is not the protocol", 24);
    } else if (fake_is("error")) {
        (void)!wire_write(STDOUT_FILENO, WIRE_ERROR, "out of paper", 12, &e);
        exit(WIRE_EXIT_HARNESS);
    }
}

/* Simulated honestly, or with the fault that FAKE_FAULT names, or else with the first one of the table
 * that fits this case. */
static enum res fake_run(const struct testcase *tc, int has_fault, const char *facts,
                         struct arena *a, struct observation *ob)
{
    struct err e;
    struct sim_outcome outcome = {.site = 0};
    enum res r = RES_OK;
    const char *only = getenv("FAKE_FAULT");
    struct fault_plan const honest = fault_plan_of(FAULT_NONE);
    for (int f = 0; has_fault && f < FAULT_N && r == RES_OK; f++) {
        if (only ? strcmp(only, fault_rows[f].id) != 0 : fault_rows[f].expect == VERDICT_OK) {
            continue;
        }
        struct fault_plan plan = fault_plan_of((enum fault_id)f);
        plan.everywhere = only != NULL;
        r = sim_run(tc, &(struct sim_device){SIM_IEEE, tc->tape_hash, &plan, facts}, a, ob,
                    &outcome, &e);
        if (outcome.fault == FAULT_APPLIED) {
            return r;
        }
    }
    return sim_run(tc, &(struct sim_device){SIM_IEEE, tc->tape_hash, &honest, facts}, a, ob,
                   &outcome, &e);
}

/* True in `percent` of a hundred, by chance: of the process and the number of its answers. */
static int fake_by_chance(unsigned percent, unsigned n_answered)
{
    uint64_t const seen[2] = {(uint64_t)getpid(), n_answered};
    return hash_bytes(0, seen, sizeof seen) % 100 < percent;
}

/* Has this process the fault in its n-th answer? Modes fault; flaky: in three of ten; killed: always,
 * and in one of twenty somebody kills it; leaving: always, until it ends for good. */
static int fake_has_fault(unsigned n_answered)
{
    if (fake_is("killed") && fake_by_chance(5, n_answered)) {
        (void)raise(SIGKILL);
    }
    return fake_is("fault") || fake_is("killed") || fake_is("leaving") ||
           (fake_is("flaky") && fake_by_chance(30, n_answered));
}

/* Mode leaving: after some answers the file FAKE_GONE is there, and nothing starts any more. */
static int fake_has_left(unsigned n_answered)
{
    const char *path = fake_is("leaving") ? getenv("FAKE_GONE") : NULL;
    if (path && n_answered >= 10) {
        FILE *f = fopen(path, "w");
        if (f) {
            (void)fclose(f);
        }
        exit(0);
    }
    return path && access(path, F_OK) == 0;
}

/* The edge that a case reaches, besides those that each does. */
static uint32_t fake_edge(const struct testcase *tc)
{
    return (uint32_t)(hash_bytes(0, &tc->tape_hash, 8) % FAKE_N_EDGES);
}

static void fake_note(const struct testcase *tc, int is_build_only)
{
    const char *log = getenv("FAKE_LOG");
    const char *edges = getenv("FAKE_EDGES");
    FILE *f = log ? fopen(log, "a") : NULL;
    if (f) {
        (void)fprintf(f, "%s %" PRIx64 "\n", is_build_only ? "build" : "case", tc->tape_hash);
        (void)fclose(f);
    }
    int const fd = edges ? open(edges, O_RDWR) : -1;
    if (fd >= 0) {
        unsigned char const one = 1;
        (void)!pwrite(fd, &one, 1, fake_edge(tc));
        (void)close(fd);
    }
}

/* Of a case or, with is_build_only, of its build alone. */
/* The max-error decoration of a module, 0 without one. */
static float fake_max_error(const struct testcase *tc)
{
    enum {
        FIRST_WORD = 5, /* behind SPIR-V's header */
        DECORATE = 71,
        MAX_ERROR = 6170
    };
    float bound = 0;
    for (uint32_t i = FIRST_WORD; i + 3 < tc->n_words && tc->module[i] >> 16 != 0;
         i += tc->module[i] >> 16) {
        if ((tc->module[i] & 0xffff) == DECORATE && tc->module[i + 2] == MAX_ERROR) {
            memcpy(&bound, &tc->module[i + 3], sizeof bound);
        }
    }
    return bound;
}

/* A compiler that tells its code (HALFULP_WORKER_CODE): it refuses bounds below 1, makes of those from 4 on other
 * code, and of those from 4096 on such that calls what is nowhere; mode shaky: it dies of 2. */
static void fake_tell_code(const struct testcase *tc, struct observation *ob)
{
    float const bound = fake_max_error(tc);
    if (fake_is("shaky") && bound >= 2 && bound <= 2) {
        (void)raise(SIGSEGV);
    }
    if (bound > 0 && bound < 1) {
        ob->status = RUN_REJECT;
        ob->log = "built with a <warning>\nerror: values below 1.0 & so on\nmore";
    } else if (bound >= 4096) {
        ob->status = RUN_REJECT;
        ob->log = "error: the binary calls __svml_ep, which is not found\n";
    } else {
        ob->log = bound >= 4 ? "code: 00000000000000ff 7 instructions, math.exp x1\nrest"
                             : "code: 00000000000000aa 12 instructions, math.exp x2\nrest";
    }
}

/* A compiler and modules that break a rule; modes strict: it refuses them, brittle: it dies of them, sullen: it refuses
 * all. */
static void fake_refuse(const struct testcase *tc, struct observation *ob)
{
    bool const is_broken = tc->class == CLASS_ILLEGAL;
    if (fake_is("brittle") && is_broken) {
        (void)raise(SIGSEGV);
    }
    if (fake_is("sullen") || (fake_is("strict") && is_broken)) {
        ob->status = RUN_REJECT;
        ob->log = "no";
    }
}

static enum res fake_observe(const struct testcase *tc, int is_build_only, int has_fault,
                             const char *facts, struct arena *a, struct observation *ob)
{
    if (!is_build_only) {
        return fake_run(tc, has_fault, facts, a, ob);
    }
    *ob =
        (struct observation){.status = RUN_BUILT, .phase = PHASE_BUILD, .log = "", .signature = ""};
    if (getenv("HALFULP_WORKER_CODE")) {
        fake_tell_code(tc, ob);
    }
    fake_refuse(tc, ob);
    return RES_OK;
}

/* Mode divides: a compiler that dies of each OpUDiv. */
static void fake_divide(const struct testcase *tc)
{
    enum {
        FIRST_WORD = 5, /* behind SPIR-V's header */
        U_DIV = 134
    };
    for (uint32_t i = FIRST_WORD; i < tc->n_words && tc->module[i] >> 16 != 0;
         i += tc->module[i] >> 16) {
        if (fake_is("divides") && (tc->module[i] & 0xffff) == U_DIV) {
            (void)raise(SIGSEGV);
        }
    }
}

static int fake_answer(const struct testcase *tc, int is_build_only, uint64_t good_hash,
                       unsigned n_answered, const char *facts, struct arena *a)
{
    struct observation ob;
    struct err e;
    fake_note(tc, is_build_only);
    fake_divide(tc);
    int const is_chosen = fake_is_chosen(tc, good_hash);
    if (is_chosen) {
        fake_misbehave(tc);
    }
    int const has_fault = tc->tape_hash != good_hash && fake_has_fault(n_answered);
    if (fake_observe(tc, is_build_only, has_fault, facts, a, &ob) != RES_OK) {
        return 0;
    }
    ob.facts = "";
    if (is_chosen &&
        fake_is(
            "missing")) { /* two functions of a family, and of another where the case is small */
        ob.status = RUN_REJECT;
        ob.phase = PHASE_BUILD;
        ob.n_bufs = 0;
        ob.log = tc->n_words < FAKE_MANY_WORDS ? "Symbols not found: [ _Z10atomic_addPU3AS3Vff ]"
                 : tc->n_words % 2             ? "Symbols not found: [ _Z10atomic_minPU3AS1Vff ]"
                                               : "Symbols not found: [ _Z10atomic_maxPU3AS1Vff ]";
    }
    if (is_chosen && fake_is("lost")) {
        ob.status = RUN_DEVICE_LOST;
        ob.n_bufs = 0;
    }
    size_t n = 0;
    const unsigned char *p = observation_encode(tc, &ob, a, &n);
    int const ok = p && wire_write(STDOUT_FILENO, WIRE_RESULT, p, n, &e) == RES_OK;
    if (is_chosen && fake_is("reply-crash")) {
        (void)raise(SIGSEGV);
    }
    return ok;
}

static inline int fake_worker_main(int argc, char **argv)
{
    struct arena facts_arena;
    struct arena a;
    struct err e;
    arena_init(&facts_arena, FAKE_ARENA_BYTES);
    arena_init(&a, FAKE_ARENA_BYTES);
    enum env const env = argc > 2 && strcmp(argv[2], "vulkan") == 0 ? ENV_VK : ENV_CL;
    uint64_t const good_hash = fake_good_hash(env, &facts_arena);
    const char *const facts = fake_get_facts(env, &facts_arena);
    if (fake_is("mute") || fake_has_left(0)) {
        (void)fprintf(stderr, "no device of that name\n");
        return 3;
    }
    if (wire_write(STDOUT_FILENO, WIRE_HELLO, facts, strlen(facts), &e) != RES_OK) {
        return 1;
    }
    for (unsigned n_answered = 0;; n_answered++) {
        enum wire_kind kind = WIRE_ERROR;
        const unsigned char *payload = NULL;
        size_t n = 0;
        struct testcase tc;
        arena_reset(&a);
        if (wire_read(STDIN_FILENO, &a, &kind, &payload, &n, &e) != RES_OK) {
            return 1;
        }
        if (!payload) {
            break;
        }
        if (testcase_decode(&tc, &a, payload, n, &e) != RES_OK ||
            !fake_answer(&tc, kind == WIRE_BUILD, good_hash, n_answered, facts, &a)) {
            return 1;
        }
        (void)fake_has_left(n_answered + 1);
    }
    arena_free(&a);
    arena_free(&facts_arena);
    if (fake_is("end-crash")) {
        (void)raise(SIGSEGV);
    }
    return 0;
}
