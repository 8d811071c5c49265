/* tests/bench/bench_nir.c -- time of the interpreter of NIR. With arguments it runs one case instead, and writes what the
 * GPU would leave in its buffers: bench_nir CASE TEXT DRIVER SUBGROUP_SIZE FOLDER. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "fuzz/io/bundle.h"
#include "oracle/nir/nir.h"

static const size_t arena_limit_bytes = (size_t)1 << 30;

static double now_ms(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* A program that computes in a loop: 256 invocations, 1000 iterations of 8 operations. */
static const char loop_text[] = "workgroup_size: 64, 1, 1\n"
                                "max_subgroup_size: 32\n"
                                "impl main {\n"
                                "block b0:\n"
                                "32 %0 = load_const (0x0)\n"
                                "32 %1 = load_const (0x1)\n"
                                "32 %2 = load_const (0x3e8)\n"
                                "32 %3 = load_const (0x3f7fff00)\n"
                                "32 %4 = load_const (0x3f800000)\n"
                                "loop {\n"
                                "block b1:\n"
                                "32 %5 = phi b0: %0, b3: %6\n"
                                "32 %7 = phi b0: %4, b3: %8\n"
                                "1 %9 = uge %5, %2\n"
                                "if %9 {\n"
                                "block b2:\n"
                                "break\n"
                                "}\n"
                                "block b3:\n"
                                "32 %6 = iadd %5, %1\n"
                                "32 %10 = fmul %7, %3\n"
                                "32 %11 = fadd %10, %3\n"
                                "32 %12 = ffma %11, %3, %7\n"
                                "32 %8 = fmin %12, %4\n"
                                "}\n"
                                "block b4:\n"
                                "}\n";

static int bench(void)
{
    enum {
        REPEATS = 9
    };
    struct testcase const tc = {
        .env = ENV_VK, .local = {64,  1, 1},
             .global = {256, 1, 1},
             .n_dispatches = 1
    };
    struct nir_request const q = {
        .text = loop_text, .n_bytes = sizeof loop_text - 1, .driver = NIR_DRIVER_RADV};
    double best_ms = 0;
    uint64_t n = 0;
    for (int i = 0; i < REPEATS; i++) {
        struct arena a;
        struct observation ob;
        struct nir_answer answer;
        arena_init(&a, arena_limit_bytes);
        double const begin_ms = now_ms();
        if (!nir_run(&q, &tc, &a, &ob, &answer)) {
            (void)fprintf(stderr, "bench_nir: %s\n", answer.text);
            return 1;
        }
        double const took_ms = now_ms() - begin_ms;
        best_ms = i == 0 || took_ms < best_ms ? took_ms : best_ms;
        n = answer.n_instructions;
        arena_free(&a);
    }
    printf("nir_loop\t%.1f\tmillion instructions/s\n", (double)n / best_ms / 1e3);
    return 0;
}

/* Writes what a run left as out-N.bin. */
static int write_outputs(const char *folder, const struct testcase *tc,
                         const struct observation *ob)
{
    for (uint32_t i = 0; i < tc->n_bufs; i++) {
        char path[4096];
        (void)snprintf(path, sizeof path, "%s/out-%u.bin", folder, i);
        FILE *const f = fopen(path, "wb");
        bool const is_whole =
            f && fwrite(ob->out[i], 1, tc->bufs[i].n_bytes, f) == tc->bufs[i].n_bytes;
        if (!f || fclose(f) != 0 || !is_whole) {
            perror(path);
            return 2;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct arena a;
    struct bundle b;
    struct err e = {RES_OK, ""};
    struct observation ob;
    struct nir_answer answer;
    static char text[NIR_MAX_TEXT_BYTES];
    if (argc == 1) {
        return bench();
    }
    int const driver = argc == 6 ? nir_driver_find(argv[3]) : -1;
    if (driver < 0) {
        (void)fprintf(stderr, "usage: bench_nir [CASE TEXT DRIVER SUBGROUP_SIZE FOLDER]\n");
        return 2;
    }
    arena_init(&a, arena_limit_bytes);
    FILE *const f = fopen(argv[2], "rb");
    if (!f || bundle_read(argv[1], &a, &b, &e) != RES_OK) {
        (void)fprintf(stderr, "bench_nir: %s: %s\n", argv[2], e.text);
        return 2;
    }
    struct nir_request const q = {.text = text,
                                  .n_bytes = fread(text, 1, sizeof text, f),
                                  .driver = (enum nir_driver)driver,
                                  .subgroup_size = (uint32_t)strtoul(argv[4], NULL, 10)};
    (void)fclose(f);
    double const begin_ms = now_ms();
    bool const is_ended = nir_run(&q, &b.tc, &a, &ob, &answer);
    printf("%s\t%.3f ms\t%llu instructions\t%llu assumed\t%s\t%s\n", nir_end_names[answer.end],
           now_ms() - begin_ms, (unsigned long long)answer.n_instructions,
           (unsigned long long)answer.n_hardware, answer.name, answer.text);
    int const status = is_ended ? write_outputs(argv[5], &b.tc, &ob) : 1;
    arena_free(&a);
    return status;
}
