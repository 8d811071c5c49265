/* fuzz/guided/afl_target.c -- halfulp-afl: the program that AFL++ runs, in persistent mode; an input is a tape.
 * Ordinary code linked with AFL++'s runtime, which brings the fork server and the map: the judge has no
 * edges of its own. What it does is told by the environment:
 *   HALFULP_AFL_TARGET    name of the target
 *   HALFULP_AFL_CAMPAIGN  folder of the campaign, whose journal is there
 *   HALFULP_AFL_INSTANCE  0 (default) to 15: which of those that share the campaign
 *   HALFULP_AFL_EDGES     cells of the map, from 0 on, that an instrumented driver has; 0 by default
 *   HALFULP_AFL_INI       the user's targets; by default targets.ini beside the program
 *   HALFULP_AFL_UNADVERTISED=1  run also what the driver does not list
 * Under AFL++ it aborts on a violation of a new signature, after that is on disk. By itself it runs its
 * standard input once and ends with 1 on such a violation. Any other trouble ends it with status 3. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/printable.h"
#include "fuzz/guided/guided.h"
#include "fuzz/process/surroundings.h"
#include "fuzz/targets/targets_choose.h"
#include "fuzz/targets/targets_find.h"

/* afl-compiler-rt.o of AFL++ */
extern unsigned char *__afl_area_ptr;
extern unsigned char *__afl_fuzz_ptr;
extern unsigned int *__afl_fuzz_len;
extern unsigned int __afl_map_size;
extern int __afl_sharedmem_fuzzing;
void __afl_manual_init(void);
int __afl_persistent_loop(unsigned int max_count);

/* afl-fuzz looks for these words in the program's file. */
extern const char afl_signatures[2][32];
__attribute__((used))
const char afl_signatures[2][32] = {"##SIG_AFL_PERSISTENT##", "##SIG_AFL_DEFER_FORKSRV##"};

enum {
    FORK_SERVER_FD = 198,
    LOOP_COUNT = 100000, /* executions of one process; its worker is replaced far more often */
    MAX_EDGES = 1 << 24,
    STATUS_TROUBLE = 3
};
#define INPUT_MAX_BYTES ((size_t)1 << 20)
#define AFL_ARENA_BYTES ((size_t)64 << 20)

static int complain(const char *text)
{
    printable_print(stderr, "halfulp-afl: %s\n", text);
    return STATUS_TROUBLE;
}

/* 0 where there is none; UINT64_MAX where it is no number of at most max. */
static uint64_t parse_number(const char *text, uint64_t max)
{
    char *end = NULL;
    if (!text || !text[0]) {
        return 0;
    }
    uint64_t const n = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && !*end && n <= max ? n : UINT64_MAX;
}

static uint64_t read_number(const char *name, uint64_t max)
{
    return parse_number(getenv(name), max);
}

/* Cells of the whole map, of so many edges. */
static unsigned int size_of_map(uint64_t n_edges)
{
    return (unsigned int)((n_edges + GUIDED_EDGES_STEP - 1) / GUIDED_EDGES_STEP *
                          GUIDED_EDGES_STEP) +
           GUIDED_CELLS;
}

/* Tell AFL++'s runtime the size of the map before any constructor: tools that do not ask for a deferred fork
 * server, like afl-showmap, get one that the runtime starts in its own. The C library is not ready yet, so the
 * environment is looked through by hand. */
static void tell_size(int argc, char **argv, char **env)
{
    static const char name[] = "HALFULP_AFL_EDGES=";
    size_t const n_name = sizeof name - 1;
    uint64_t n = 0;
    (void)argc;
    (void)argv;
    for (; env && *env; env++) {
        const char *at = *env;
        size_t i = 0;
        while (i < n_name && at[i] == name[i]) {
            i++;
        }
        if (i < n_name) {
            continue;
        }
        for (n = 0; at[i] >= '0' && at[i] <= '9' && n <= MAX_EDGES; i++) {
            n = 10 * n + (uint64_t)(at[i] - '0');
        }
    }
    __afl_map_size = size_of_map(n <= MAX_EDGES ? n : 0);
}
extern void (*const afl_before_all)(int, char **, char **);
__attribute__((used, section(".preinit_array"))) void (*const afl_before_all)(int, char **,
                                                                              char **) = tell_size;

/* What the environment says; the target is looked for after the fork. */
struct words {
    const char *target, *folder;
    uint64_t instance, n_edges;
};

static int read_words(struct words *w)
{
    w->target = getenv("HALFULP_AFL_TARGET");
    w->folder = getenv("HALFULP_AFL_CAMPAIGN");
    w->instance = read_number("HALFULP_AFL_INSTANCE", GUIDED_MAX_INSTANCES - 1);
    w->n_edges = read_number("HALFULP_AFL_EDGES", MAX_EDGES);
    if (!w->target || !w->folder) {
        return !complain("HALFULP_AFL_TARGET and HALFULP_AFL_CAMPAIGN must be set; \"halfulp "
                         "fuzz\" does it");
    }
    if (w->instance == UINT64_MAX || w->n_edges == UINT64_MAX) {
        return !complain("HALFULP_AFL_INSTANCE, HALFULP_AFL_EDGES: not a number, or too large");
    }
    return 1;
}

static enum res find_target(const char *name, struct target_list *out, struct arena *a,
                            struct err *e)
{
    struct target_list *found = ARENA_NEW(a, struct target_list, 1);
    if (!found) {
        return err_set(e, RES_NOMEM, "no memory for the targets");
    }
    enum res r = targets_find(found, getenv("HALFULP_AFL_INI"), a, e);
    if (r == RES_OK) {
        r = targets_select(found, name, out, a, e);
    }
    return r == RES_OK && out->n != 1 ? err_set(e, RES_USAGE, "%s: not one target", name) : r;
}

/* The input of this turn: of the shared memory, or what standard input holds. */
static const void *take_input(struct arena *a, size_t *n)
{
    if (__afl_sharedmem_fuzzing) {
        *n = *__afl_fuzz_len;
        return __afl_fuzz_ptr;
    }
    unsigned char *p = arena_take(a, INPUT_MAX_BYTES);
    ssize_t got = 0;
    *n = 0;
    while (p && *n < INPUT_MAX_BYTES && (got = read(0, p + *n, INPUT_MAX_BYTES - *n)) > 0) {
        *n += (size_t)got;
    }
    return p;
}

static enum res run_all(struct guided *g, int is_under_afl, int *is_new, struct err *e)
{
    struct arena a;
    enum res r = RES_OK;
    arena_init(&a, 2 * INPUT_MAX_BYTES);
    while (r == RES_OK && !*is_new && __afl_persistent_loop(LOOP_COUNT)) {
        size_t n = 0;
        arena_reset(&a);
        const void *input = take_input(&a, &n);
        r = input ? guided_execute(g, input, n, __afl_area_ptr + __afl_map_size - GUIDED_CELLS,
                                   is_new, e)
                  : err_set(e, RES_NOMEM, "no memory for an input");
        if (!is_under_afl) {
            break;
        }
    }
    arena_free(&a);
    return r;
}

static enum res execute(const struct words *w, const struct target *t, int is_under_afl,
                        int *is_new, struct err *e)
{
    struct guided *g = NULL;
    struct guided_options const o = {.target = t,
                                     .folder = w->folder,
                                     .instance = (uint32_t)w->instance,
                                     .edges = __afl_area_ptr,
                                     .n_edges = (uint32_t)w->n_edges,
                                     .unadvertised =
                                         read_number("HALFULP_AFL_UNADVERTISED", 1) == 1};
    enum res r = guided_open(&g, &o, e);
    if (r == RES_OK) {
        r = run_all(g, is_under_afl, is_new, e);
    }
    guided_close(g);
    return r;
}

static enum res execute_inputs(const struct words *w, int is_under_afl, int *is_new, struct err *e)
{
    struct arena a;
    arena_init(&a, AFL_ARENA_BYTES);
    struct target_list *list = ARENA_NEW(&a, struct target_list, 1);
    enum res r = list ? find_target(w->target, list, &a, e)
                      : err_set(e, RES_NOMEM, "no memory for the targets");
    if (r == RES_OK) {
        r = execute(w, &list->t[0], is_under_afl, is_new, e);
    }
    arena_free(&a);
    return r;
}

/* The program that AFL++ runs. It opens its instance of the campaign and executes input after input, until it is to
 * be restarted or an input is new. For a new input under AFL++ it aborts, so that AFL++ keeps the input as a crash.
 * Without AFL++ it executes one input, and its exit status says whether that is new. */
int main(void)
{
    struct words w = {NULL, NULL, 0, 0};
    struct err e = {RES_OK, ""};
    int is_new = 0;
    int const is_under_afl = getenv("__AFL_SHM_ID") != NULL;
    if (surroundings_prepare(&e) != RES_OK) {
        return complain(e.text);
    }
    if (!read_words(&w)) {
        return STATUS_TROUBLE;
    }
    /* If AFL++ expects a smaller map, the runtime would write past its end. */
    const char *size = getenv("AFL_MAP_SIZE");
    __afl_map_size = size_of_map(w.n_edges);
    if (is_under_afl && size && strtoull(size, NULL, 10) < __afl_map_size) {
        (void)fprintf(stderr, "halfulp-afl: AFL_MAP_SIZE must be at least %u\n", __afl_map_size);
        return STATUS_TROUBLE;
    }
    /* AFL++ passes inputs in shared memory only through its fork server. */
    __afl_sharedmem_fuzzing = getenv("__AFL_SHM_FUZZ_ID") && fcntl(FORK_SERVER_FD, F_GETFD) >= 0;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* the fork server ends with AFL++ */
    __afl_manual_init();
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* and this process ends with the fork server */
    if (execute_inputs(&w, is_under_afl, &is_new, &e) != RES_OK) {
        return complain(e.text);
    }
    if (is_new && is_under_afl) {
        abort();
    }
    return is_new;
}
