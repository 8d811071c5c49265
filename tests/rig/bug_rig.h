/* tests/rig/bug_rig.h -- for the tests of a bug's folder: a bug made of a bundle, its folder, its program
 * compiled by cc and run. */
#pragma once

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

#include "base/file.h"
#include "base/format.h"
#include "fuzz/io/bundle.h"
#include "fuzz/io/spirv.h"
#include "reports/bug/bug.h"
#include "reports/folder/bug_folder.h"

enum {
    RIG_PATH = 1024,
    RIG_MAX_EXPECT = 8
};

/* A bug with its own parts. */
struct rig {
    struct arena a;
    struct bundle bundle;
    struct judgement j;
    struct campaign_finding finding;
    struct campaign_target target;
    struct expect expect[RIG_MAX_EXPECT];
    struct bug bug;
    char folder[RIG_PATH];
};

static inline void rig_make_folder(struct rig *r)
{
    const char *const tmp = getenv("TMPDIR");
    (void)snprintf(r->folder, sizeof r->folder, "%s/test-bug-XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(r->folder));
}

/* A shell command; its exit status. */
static inline int rig_do(const char *fmt, ...) PRINTF_LIKE(1, 2);
static inline int rig_do(const char *fmt, ...)
{
    char command[8 * RIG_PATH];
    va_list args;
    va_start(args, fmt);
    int const n = vsnprintf(command, sizeof command, fmt, args);
    va_end(args);
    assert_true(n > 0 && (size_t)n < sizeof command);
    int const status = system(command);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static inline void rig_print_log(const struct rig *r)
{
    (void)fflush(stdout);
    (void)rig_do("head -c 4000 '%s/log'", r->folder);
}

static inline void rig_free(struct rig *r)
{
    if (r->folder[0] && !getenv("HALFULP_KEEP")) {
        assert_int_equal(rig_do("rm -rf '%s'", r->folder), 0);
    } else if (r->folder[0]) {
        print_message("kept: %s\n", r->folder);
    }
    arena_free(&r->a);
}

/* The bug of a case and an observation that are in r->bundle, of the named verdict. */
static inline void rig_fill(struct rig *r, enum verdict_kind kind)
{
    r->finding = (struct campaign_finding){.verdict = verdict_rows[kind].name,
                                           .clause = "NONE",
                                           .class = case_class_names[r->bundle.tc.class],
                                           .signature = "",
                                           .op = "",
                                           .type = "",
                                           .storage = "",
                                           .permitted = "",
                                           .got = "",
                                           .operands = "",
                                           .text = "made by a test.",
                                           .instruction = "",
                                           .log = "",
                                           .crash_signature = "",
                                           .replay = "",
                                           .n_in_bucket = 1,
                                           .family = ""};
    r->target = (struct campaign_target){.name = "test", .facts = r->bundle.ob.facts};
    r->bug = (struct bug){.finding = &r->finding,
                          .target = &r->target,
                          .tc = &r->bundle.tc,
                          .ob = &r->bundle.ob,
                          .expect = r->expect,
                          .disassembly = spirv_disassemble(
                              r->bundle.tc.module, r->bundle.tc.n_words, SPIRV_FOR_TOOLS, &r->a),
                          .generator = "test",
                          .clause_section = clause_rows[CLAUSE_NONE].code,
                          .clause_rule = clause_rows[CLAUSE_NONE].text};
}

static inline void rig_read(struct rig *r, const char *path)
{
    struct err e = {0};
    memset(r, 0, sizeof *r);
    arena_init(&r->a, (size_t)256 << 20);
    if (bundle_read(path, &r->a, &r->bundle, &e) != RES_OK) {
        fail_msg("%s: %s", path, e.text);
    }
    rig_make_folder(r);
}

/* The bundle, the bug's own files, and host.c compiled. */
static inline void rig_write(struct rig *r)
{
    struct err e = {0};
    if (bundle_write(r->folder, &r->bundle, &r->a, &e) != RES_OK ||
        bug_write(r->folder, &r->bug, &r->a, &e) != RES_OK) {
        fail_msg("%s: %s", r->folder, e.text);
    }
    if (rig_do("cd '%s' && cc -std=c99 -pedantic -Wall -Wextra -Werror -o host host.c %s "
               "-Wl,--no-as-needed -lm >log 2>&1",
               r->folder, r->bundle.tc.env == ENV_VK ? "-lvulkan" : "-lOpenCL") != 0) {
        rig_print_log(r);
        fail_msg("%s: host.c does not compile", r->folder);
    }
}

/* Runs it with the variables of `env` ("K=V K=V"); its exit status, output in the file log. */
static inline int rig_run(const struct rig *r, const char *env, const char *args)
{
    return rig_do("cd '%s' && env %s ./host %s >log 2>&1", r->folder, env, args);
}

static inline int rig_log_has(struct rig *r, const char *text)
{
    const unsigned char *p = NULL;
    size_t n = 0;
    struct err e = {0};
    const char *const path = arena_printf(&r->a, "%s/log", r->folder);
    assert_int_equal(file_read(path, 1 << 20, &r->a, &p, &n, &e), RES_OK);
    return strstr(arena_printf(&r->a, "%.*s", (int)n, (const char *)p), text) != NULL;
}

/* The first 32-bit word of an output that the run changed, as an integer; 0 if there is none. */
static inline int rig_find_word(const struct rig *r, struct expect *out, uint64_t *seen)
{
    for (uint32_t i = 0; i < r->bundle.ob.n_bufs; i++) {
        const struct buf *const b = &r->bundle.tc.bufs[i];
        for (uint32_t at = 0; at + 4 <= b->n_bytes; at += 4) {
            if (memcmp(b->data + at, r->bundle.ob.out[i] + at, 4) != 0) {
                *out = (struct expect){.buf = i, .byte = at, .n_bytes = 4};
                *seen = load_le(r->bundle.ob.out[i] + at, 4);
                return 1;
            }
        }
    }
    return 0;
}
