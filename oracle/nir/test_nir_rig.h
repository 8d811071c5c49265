/* oracle/nir/test_nir_rig.h -- a text in NIR, run on buffers of words. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "oracle/nir/nir.h"

enum {
    NIR_RIG_WORDS = 64, /* of each buffer */
    NIR_RIG_BUFFERS = 2
};
struct nir_rig {
    struct arena a;
    struct testcase tc;
    struct nir_request q;
    struct observation ob;
    struct nir_answer answer;
    unsigned char data[NIR_RIG_BUFFERS][4 * NIR_RIG_WORDS];
};

/* A case of one work-group of `local` invocations, and two storage buffers of zeros. */
static inline void nir_rig_make(struct nir_rig *r, enum nir_driver driver, uint32_t size,
                                uint32_t local)
{
    *r = (struct nir_rig){
        .tc = {.env = ENV_VK,
               .local = {local, 1, 1},
               .global = {local, 1, 1},
               .n_dispatches = 1,
               .n_bufs = NIR_RIG_BUFFERS},
        .q = {.driver = driver, .subgroup_size = size}
    };
    for (uint32_t i = 0; i < NIR_RIG_BUFFERS; i++) {
        r->tc.bufs[i] =
            (struct buf){.kind = BUF_STORAGE, .n_bytes = 4 * NIR_RIG_WORDS, .data = r->data[i]};
    }
    arena_init(&r->a, (size_t)1 << 28);
}

static inline bool nir_rig_run(struct nir_rig *r, const char *text)
{
    r->q.text = text;
    r->q.n_bytes = strlen(text);
    return nir_run(&r->q, &r->tc, &r->a, &r->ob, &r->answer);
}

static inline uint32_t nir_rig_word(const struct nir_rig *r, uint32_t buf, uint32_t i)
{
    return (uint32_t)load_le(r->ob.out[buf] + 4 * i, 4);
}

/* A file of corpora/nir as text, in `a`. */
static inline const char *nir_rig_read(struct arena *a, const char *name)
{
    enum {
        MAX_BYTES = 1 << 16
    };
    char path[256];
    char *const text = arena_take(a, MAX_BYTES);
    (void)snprintf(path, sizeof path, "corpora/nir/%s", name);
    FILE *const f = fopen(path, "rb");
    assert_non_null(text);
    if (!f) {
        fail_msg("%s is not there", path);
    }
    size_t const n = fread(text, 1, MAX_BYTES - 1, f);
    (void)fclose(f);
    text[n] = 0;
    assert_true(n > 0);
    return text;
}
