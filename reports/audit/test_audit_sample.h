/* reports/audit/test_audit_sample.h -- an audit that nobody ran, with extreme values and foreign text. */
#pragma once

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/audit_result.h"
#include "base/file.h"

enum {
    ARENA_BYTES = 256 << 20,
    LOG_BYTES = 1 << 20,
    N_ROWS = 5
};
/* What a driver might call itself or write into a log. */
static const char hostile[] = "<script>alert('x')</script>\x1b[31m\"&\r\n\x01\xff\xe2\x80\xae</svg>"
                              "`touch x`$(touch x)'%s\\end{tabular},\",\"";

static inline uint64_t enc_of(float x)
{
    uint32_t enc;
    memcpy(&enc, &x, sizeof enc);
    return enc;
}

/* Errors and a histogram as of a function within `ulp`. */
static inline void fill_result(struct sweep_result *r, enum fmt_id fmt, double ulp, uint64_t seed)
{
    struct rng rng = rng_seed(seed);
    unsigned const shift = float_formats[fmt].n_bits - 9;
    for (uint64_t i = 0; i < SWEEP_PLOT; i++) {
        uint64_t const enc = i << shift | (rng_next(&rng) & ((UINT64_C(1) << shift) - 1));
        double const error = (double)rng_below(&rng, 1001) / 1000 * ulp;
        int const is_special = (enc & ~float_formats[fmt].sign) >= float_formats[fmt].exp;
        if (!is_special) {
            r->plot[i] = (struct sweep_worst){
                i % 2 ? error : -error, {enc, 0},
                       enc ^ 1
            };
        }
        if (!is_special && r->plot[i].error > r->above.error) {
            r->above = r->plot[i];
        }
        if (!is_special && r->plot[i].error < r->below.error) {
            r->below = r->plot[i];
        }
    }
    for (uint32_t i = 0; i < SWEEP_BINS && sweep_bin_edge(i) < ulp; i++) {
        r->histogram[i] = UINT64_C(1) << (32 - i / 2);
        r->n_numbers += r->histogram[i];
    }
    r->n = r->n_numbers + 1000;
    r->n_rounded = r->n_numbers / 2;
    r->sum_error = 0.1 * (double)r->n_numbers;
}

static inline struct audit_row *make_exp(struct audit_row *row, const char *log)
{
    static const char *const names[] = {"full", "half", "native", "max-error 4", "max-error 0.25"};
    *row = (struct audit_row){.func = FUNC_EXP,
                              .fmt = FMT_F32,
                              .n_inputs = UINT64_C(1) << 32,
                              .n_done = UINT64_C(1) << 32,
                              .n_forms = ARRAY_N(names),
                              .seconds = 11.25,
                              .device_seconds = 6.4,
                              .judge_seconds = 10.5,
                              .evaluator = "avx512 double",
                              .problem = ""};
    for (uint32_t i = 0; i < row->n_forms; i++) {
        row->form[i] = (struct audit_form){.name = names[i], .op = 0x20013, .log = ""};
        row->bound[i] = (struct audit_bound){.bound = {.ulp = i == 1 ? 8192 : 3}, .has_bound = 1};
        fill_result(&row->result[i], FMT_F32, i == 1 ? 700 : i == 2 ? 40 : 0.75, i == 3 ? 0 : i);
    }
    row->bound[2] = (struct audit_bound){.bound = {.anything = 1}, .has_bound = 1};
    row->form[3].is_decorated = 1;
    row->form[3].max_error = 4;
    row->result[3] = row->result[0];
    row->result[3].n_broken = 3;
    row->result[3].broken[0] = (struct sweep_worst){
        4.5, {enc_of(1.0F), 0},
         enc_of(2.0F)
    };
    row->result[3].broken[1] = (struct sweep_worst){
        -4.25, {enc_of(-3.5F), 0},
         enc_of(0.25F)
    };
    row->result[3].broken[2] = (struct sweep_worst){
        4.125, {enc_of(1e-40F), 0},
         0
    };
    row->found[0] = (struct audit_case){.kind = AUDIT_CASE_LARGEST,
                                        .worst = row->result[0].above,
                                        .bound_ulp = 3,
                                        .ratio = 0.25,
                                        .exact = "1.5"};
    row->found[3] = (struct audit_case){.kind = AUDIT_CASE_BOUND,
                                        .worst = row->result[3].broken[0],
                                        .bound_ulp = 3,
                                        .ratio = 1.5,
                                        .exact = "2.718281828459"};
    row->form[4] = (struct audit_form){
        .name = names[4], .is_decorated = 1, .max_error = 0.25F, .is_refused = 1, .log = log};
    row->result[4] = (struct sweep_result){.n = 0};
    return row;
}

static inline void make_pow(struct audit_row *row, const char *text)
{
    *row = (struct audit_row){.func = FUNC_POW,
                              .fmt = FMT_F64,
                              .depth = AUDIT_SEARCH,
                              .n_inputs = UINT64_MAX,
                              .n_done = UINT64_MAX - 1,
                              .n_skipped = (UINT64_C(1) << 60) + 1,
                              .n_forms = 2,
                              .seconds = 1e300,
                              .device_seconds = (double)INFINITY,
                              .judge_seconds = 5e-324,
                              .evaluator = text,
                              .problem = text};
    struct sweep_result *const r = &row->result[1];
    row->form[0] = (struct audit_form){.name = text, .log = text};
    row->form[1] = (struct audit_form){.name = "powr", .op = UINT32_MAX, .log = NULL};
    row->bound[1] = (struct audit_bound){
        .bound = {.ulp = 0.1, .absolute = 0x1.fffffffffffffp+1023},
          .has_bound = 1
    };
    fill_result(r, FMT_F64, 1.0 / 3, 9);
    r->n = r->n_special = r->n_zero_sign = r->n_broken = r->n_breaks = r->n_slow = UINT64_MAX;
    r->n_undecided = (UINT64_C(1) << 53) + 1;
    row->found[1] = (struct audit_case){
        .kind = AUDIT_CASE_SPECIAL,
        .worst = {0, {~UINT64_C(0), 1}, 2},
        .bound_ulp = (double)INFINITY,
        .ratio = 5e-324,
        .exact = text
    };
    r->n_flushed = UINT64_C(1) << 53;
    r->histogram[63] = UINT64_MAX;
    r->sum_error = 0x1.23456789abcdep-1050;
    r->above = (struct sweep_worst){
        (double)INFINITY, {UINT64_MAX, UINT64_C(1) << 63},
         UINT64_MAX
    };
    r->below = (struct sweep_worst){
        -0x1.fffffffffffffp+1023, {1, 2},
         3
    };
    r->plot[511] = (struct sweep_worst){
        -0.0, {UINT64_MAX, UINT64_MAX},
         UINT64_MAX
    };
    for (uint64_t i = 0; i < SWEEP_WORST; i++) {
        r->broken[i] = (struct sweep_worst){
            -1.0 / (double)(i + 3), {~i, i << 60},
                 ~(i << 3)
        };
        r->special_arg[i][0] = r->zero_arg[i][2] = UINT64_MAX - i;
        r->special_arg[i][1] = r->special_arg[i][2] = r->zero_arg[i][0] =
            i * UINT64_C(0x123456789abcdef);
        r->special_got[i] = r->zero_got[i] = UINT64_C(0x7ff8000000000000) + i;
    }
}

/* `text` wherever a driver or a file may have a say. */
static inline struct audit make_audit(struct arena *a, const char *text)
{
    struct audit x = {.target = text,
                      .facts = text,
                      .started = text,
                      .mpfr = text,
                      .tool_version = text,
                      .n_rows = N_ROWS,
                      .rows = ARENA_NEW(a, struct audit_row, N_ROWS),
                      .was_stopped = 1};
    char *const log = arena_take(a, LOG_BYTES + sizeof hostile);
    assert_non_null(x.rows);
    assert_non_null(log);
    for (size_t n = 0; n < LOG_BYTES && text[0]; n += strlen(text)) {
        memcpy(log + n, text, strlen(text));
    }
    (void)make_exp(&x.rows[0], log);
    make_pow(&x.rows[1], text);
    x.rows[2] = (struct audit_row){.func = FUNC_POWN,
                                   .fmt = FMT_F16,
                                   .depth = AUDIT_SEARCH,
                                   .n_inputs = 1000,
                                   .n_done = 1000,
                                   .n_forms = 1,
                                   .form = {{.name = text}},
                                   .bound = {{.has_bound = 1, .bound = {.ulp = 4}}}};
    fill_result(&x.rows[2].result[0], FMT_F16, 3, 5);
    x.rows[2].result[0].above.arg[1] = UINT32_MAX; /* n = -1 */
    x.rows[3] = (struct audit_row){
        .func = FUNC_SIN, .fmt = FMT_F32, .n_inputs = 10, .n_done = 3, .problem = text};
    x.rows[4] =
        (struct audit_row){.func = FUNC_FLOOR,
                           .fmt = FMT_F16,
                           .n_inputs = 65536,
                           .n_done = 65536,
                           .n_forms = 1,
                           .form = {{.name = "full"}},
                           .bound = {{.has_bound = 1}},
                           .result = {{.n = 65536, .n_numbers = 60000, .n_rounded = 60000}}};
    x.rows[4].result[0].histogram[0] = 60000;
    return x;
}

static const char *make_path(struct arena *a, const char *name)
{
    const char *const base = getenv("TMPDIR");
    return arena_printf(a, "%s/halfulp-test-audit-%ld-%s", base ? base : "/tmp", (long)getpid(),
                        name);
}

static const char *read_all(struct arena *a, const char *path)
{
    const unsigned char *p = NULL;
    size_t n = 0;
    struct err e = {.text = ""};
    if (file_read(path, ARENA_BYTES / 4, a, &p, &n, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    (void)unlink(path);
    assert_int_equal(strlen((const char *)p), n);
    return (const char *)p;
}

static inline void assert_no_controls(const char *text, const char *what)
{
    for (const char *p = text; *p; p++) {
        unsigned char const c = (unsigned char)*p;
        if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f) {
            fail_msg("%s: byte %#x at %ld", what, c, (long)(p - text));
        }
    }
}
