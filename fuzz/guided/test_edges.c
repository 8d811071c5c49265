/* fuzz/guided/test_edges.c -- the file of reached edges: counted once, by several processes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "fuzz/guided/edges.h"

enum {
    N_EDGES = 1003, /* not a multiple of eight */
    N_PROCESSES = 4,
    N_EXECUTIONS = 200
};

struct rig {
    char folder[64], log[96], map[96];
};

static void set_up(struct rig *r)
{
    (void)snprintf(r->folder, sizeof(r->folder), "/tmp/test-edges-XXXXXX");
    assert_non_null(mkdtemp(r->folder));
    (void)snprintf(r->log, sizeof(r->log), "%s/coverage.tsv", r->folder);
    (void)snprintf(r->map, sizeof(r->map), "%s/edges.map", r->folder);
}

static void tear_down(const struct rig *r)
{
    (void)unlink(r->log);
    (void)unlink(r->map);
    assert_int_equal(rmdir(r->folder), 0);
}

static void open_it(struct edges *g, const struct rig *r, uint32_t instance)
{
    struct err e;
    if (edges_open(g, r->folder, N_EDGES, instance, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
}

/* The number of rows of the log behind its head, and executions and edges of the last row. No column may ever
 * fall. */
static unsigned read_log(const struct rig *r, uint64_t *executions, uint64_t *edges)
{
    char line[128] = "";
    double before[4] = {0, 0, 0, 0};
    unsigned n = 0;
    FILE *f = fopen(r->log, "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof(line), f));
    assert_string_equal(line, "seconds\tcpu\texecutions\tedges\n");
    while (fgets(line, sizeof(line), f)) {
        char *at = line;
        for (size_t i = 0; i < ARRAY_N(before); i++) {
            char *end = NULL;
            double const value = strtod(at, &end);
            assert_true(end > at && value >= before[i]);
            before[i] = value;
            at = end;
        }
        assert_string_equal(at, "\n");
        n++;
    }
    (void)fclose(f);
    *executions = (uint64_t)before[2];
    *edges = (uint64_t)before[3];
    return n;
}

/* An edge is new the first time alone, also after the file was closed and opened again; only edges_note
 * counts executions. */
static void an_edge_is_new_once(void **state)
{
    (void)state;
    struct rig r = {"", "", ""};
    struct edges g;
    unsigned char map[N_EDGES + 1] = {0};
    uint64_t n_executions = 0, n_edges = 0;
    set_up(&r);
    open_it(&g, &r, 0);
    assert_int_equal(edges_note(&g, map, 0), 0);
    map[0] = 1;
    map[17] = 255;
    map[N_EDGES - 1] = 3;
    map[N_EDGES] = 1; /* of somebody else */
    assert_int_equal(edges_note(&g, map, 0), 3);
    assert_int_equal(edges_note(&g, map, 0), 0);
    map[18] = 1;
    assert_int_equal(edges_mark(&g, map), 1); /* no execution of its own */
    assert_int_equal(edges_mark(&g, map), 0);
    assert_int_equal(edges_note(&g, map, getpid()), 0);
    edges_close(&g);
    assert_true(read_log(&r, &n_executions, &n_edges) >= 1);
    assert_int_equal(n_executions, 4);
    assert_int_equal(n_edges, 4);

    open_it(&g, &r, 0); /* the campaign goes on */
    assert_int_equal(edges_note(&g, map, 0), 0);
    map[19] = 1;
    assert_int_equal(edges_note(&g, map, 0), 1);
    edges_close(&g);
    (void)read_log(&r, &n_executions, &n_edges);
    assert_int_equal(n_executions, 6);
    assert_int_equal(n_edges, 5);
    tear_down(&r);
}

/* Process k reaches the edges that are k, k + 1 or k + 2 modulo 7: none of them 6. */
static void work(const struct rig *r, uint32_t k)
{
    struct edges g;
    struct rng rng = rng_seed(k);
    unsigned char map[N_EDGES];
    open_it(&g, r, k);
    for (unsigned i = 0; i < N_EXECUTIONS; i++) {
        memset(map, 0, sizeof(map));
        for (unsigned n = 0; n < N_EDGES / 4; n++) {
            uint64_t const edge = rng_below(&rng, N_EDGES);
            map[edge] = edge % 7 - k < 3;
        }
        (void)edges_note(&g, map, 0);
    }
    edges_close(&g);
}

/* Several processes that mark at the same time count each edge once and each execution. */
static void processes_add_up(void **state)
{
    (void)state;
    struct rig r = {"", "", ""};
    uint64_t n_executions = 0, n_edges = 0;
    unsigned expected = 0;
    set_up(&r);
    for (uint32_t k = 0; k < N_PROCESSES; k++) {
        pid_t const pid = fork();
        assert_true(pid >= 0);
        if (pid == 0) {
            work(&r, k);
            _exit(0);
        }
    }
    for (uint32_t k = 0; k < N_PROCESSES; k++) {
        int status = -1;
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    struct edges g;
    unsigned char map[N_EDGES] = {0};
    open_it(&g, &r, 0);
    (void)edges_note(&g, map, 0);
    edges_close(&g);
    for (unsigned edge = 0; edge < N_EDGES; edge++) {
        expected += edge % 7 != 6;
    }
    (void)read_log(&r, &n_executions, &n_edges);
    assert_int_equal(n_executions, N_PROCESSES * N_EXECUTIONS + 1);
    assert_int_equal(n_edges, expected);
    tear_down(&r);
}

static void another_driver_is_told(void **state)
{
    (void)state;
    struct rig r = {"", "", ""};
    struct edges g;
    struct err e;
    unsigned char map[N_EDGES] = {1};
    set_up(&r);
    open_it(&g, &r, 0);
    edges_close(&g);
    assert_int_equal(edges_open(&g, r.folder, N_EDGES + 1, 0, &e), RES_FORMAT);
    assert_non_null(strstr(e.text, "edges.map"));
    assert_int_equal(edges_open(&g, r.folder, N_EDGES, EDGES_INSTANCES, &e), RES_LIMIT);
    assert_int_equal(edges_open(&g, "/nowhere", N_EDGES, 0, &e), RES_IO);
    assert_int_equal(edges_open(&g, "/nowhere", 0, 0, &e), RES_OK); /* nothing to count */
    assert_int_equal(edges_note(&g, map, 0), 0);
    edges_close(&g);
    tear_down(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_edge_is_new_once),
        cmocka_unit_test(processes_add_up),
        cmocka_unit_test(another_driver_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
