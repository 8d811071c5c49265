/* tests/rig/audit_rig.h -- a worker without a driver that runs streams, and misbehaves on request. It
 * knows three instructions whose results are a matter of one bit: FNegate, fabs, copysign. A test
 * whose main calls audit_rig_main when its first word is "--api" can be the worker of a target; the
 * environment variable FAKE says how it behaves, FAKE_ONCE names a file that ends it. */
#pragma once

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/ops.h"
#include "base/spv.h"
#include "fuzz/wire/stream.h"
#include "fuzz/wire/wire.h"

#define RIG_ARENA_BYTES ((size_t)64 << 20)
enum {
    RIG_BAD_BASE = 0x4000, /* the block that holds this argument, or of a search the third */
    RIG_OP_FNEGATE = 127,
    RIG_OP_FABS = 23,
    RIG_OP_COPYSIGN = 13,
    RIG_EXIT_STATUS = 5
};

struct rig {
    struct stream s;
    unsigned char *memory;
    uint32_t op[STREAM_MAX_OUTPUTS]; /* of each form */
    uint32_t n_ops, n_blocks;
    int is_decorated;
};

/* In that mode, and not yet once where once is enough? The mode may stand as a path, which is no part of what a target
 * says of its driver. */
static int rig_is(const char *mode)
{
    const char *asked = getenv("FAKE");
    if (asked && asked[0] == '/') {
        asked++;
    }
    const char *const once = getenv("FAKE_ONCE");
    return asked && strcmp(asked, mode) == 0 && !(once && access(once, F_OK) == 0);
}

static void rig_remember(void)
{
    const char *const once = getenv("FAKE_ONCE");
    FILE *const f = once ? fopen(once, "w") : NULL;
    if (f) {
        (void)fclose(f);
    }
}

/* Which instructions the module has, in the order of its forms. */
static void rig_scan(struct rig *g)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst i;
    g->n_ops = 0;
    g->is_decorated = 0;
    while (spv_next(g->s.module, g->s.n_words, &offset, &i)) {
        if (i.op == SpvOpFNegate && g->n_ops < STREAM_MAX_OUTPUTS) {
            g->op[g->n_ops++] = RIG_OP_FNEGATE;
        } else if (i.op == SpvOpExtInst && g->n_ops < STREAM_MAX_OUTPUTS) {
            g->op[g->n_ops++] = i.w[4];
        } else if (i.op == SpvOpCapability && i.w[1] == SPV_CAP_FP_MAX_ERROR_INTEL) {
            g->is_decorated = 1;
        }
    }
}

static uint64_t rig_compute(uint32_t op, uint64_t sign, uint64_t x, uint64_t y)
{
    switch (op) {
    case RIG_OP_FNEGATE:
        return x ^ sign;
    case RIG_OP_FABS:
        return x & ~sign;
    default: /* copysign */
        return (x & ~sign) | (y & sign);
    }
}

static unsigned char *rig_place(const struct rig *g, uint32_t slot, uint32_t buffer, uint32_t i)
{
    return g->memory + stream_get_place(&g->s, slot, buffer) + (size_t)i * g->s.item_bytes;
}

static void rig_run(const struct rig *g, const struct stream_block *b)
{
    uint32_t const size = g->s.item_bytes;
    uint64_t const sign = UINT64_C(1) << (8 * size - 1);
    for (uint32_t i = 0; i < b->n_items; i++) {
        uint64_t const base = (b->base + i) & (sign | (sign - 1));
        uint64_t const x = g->s.n_inputs > 0 ? load_le(rig_place(g, b->slot, 0, i), size) : base;
        uint64_t const y = g->s.n_inputs > 1 ? load_le(rig_place(g, b->slot, 1, i), size) : 0;
        for (uint32_t form = 0; form < g->s.n_outputs; form++) {
            uint64_t got = rig_compute(g->op[form], sign, x, y);
            got -= rig_is("off") && base == RIG_BAD_BASE && form == 0 ? 2 : 0;
            store_le(rig_place(g, b->slot, g->s.n_inputs + form, i), got, size);
        }
    }
}

static int rig_answer(uint32_t slot, enum run_status status, const char *log, struct arena *a)
{
    struct err e;
    size_t n = 0;
    struct stream_status const s = {slot, status, PHASE_DONE, 0, 1000, log};
    const unsigned char *const p = stream_encode_status(&s, a, &n);
    return p && wire_write(STDOUT_FILENO, WIRE_STATUS, p, n, &e) == RES_OK;
}

static int rig_open(struct rig *g, const unsigned char *payload, size_t n, struct arena *a)
{
    struct err e;
    if (stream_decode(&g->s, a, payload, n, &e) != RES_OK) {
        return 0;
    }
    void *const p = mmap(NULL, (size_t)stream_get_bytes(&g->s), PROT_READ | PROT_WRITE, MAP_SHARED,
                         (int)g->s.fd, 0);
    if (p == MAP_FAILED) {
        return 0;
    }
    g->memory = p;
    rig_scan(g);
    if (rig_is("refuse") && g->is_decorated) {
        return rig_answer(0, RUN_REJECT, "no such capability", a);
    }
    if (rig_is("crash-build") && g->is_decorated) {
        (void)raise(SIGKILL);
    }
    return rig_answer(0, RUN_DONE, "", a);
}

/* A block; in the bad one: modes crash, hang, exit, lie, guard, reject, garbage. */
static int rig_block(struct rig *g, const unsigned char *payload, size_t n, struct arena *a)
{
    struct err e;
    struct stream_block b;
    if (stream_decode_block(&b, &g->s, payload, n, &e) != RES_OK) {
        return 0;
    }
    int const is_bad = g->s.n_inputs ? g->n_blocks == 2
                                     : b.base <= RIG_BAD_BASE && RIG_BAD_BASE < b.base + b.n_items;
    g->n_blocks++;
    rig_run(g, &b);
    uint32_t slot = b.slot;
    enum run_status status = RUN_DONE;
    if (is_bad) {
        if (rig_is("crash")) {
            rig_remember();
            (void)raise(SIGKILL);
        } else if (rig_is("hang")) {
            for (;;) {
                (void)pause();
            }
        } else if (rig_is("close")) {
            for (int fd = 0; fd < 256; fd++) {
                (void)close(fd);
            }
            for (;;) {
                (void)pause();
            }
        } else if (rig_is("truncate")) {
            (void)!ftruncate((int)g->s.fd, 0);
        } else if (rig_is("exit")) {
            exit(RIG_EXIT_STATUS);
        } else if (rig_is("lie")) {
            slot = (slot + 1) % g->s.n_slots;
        } else if (rig_is("guard")) {
            *(rig_place(g, b.slot, g->s.n_inputs, 0) + stream_get_buffer_bytes(&g->s) + 7) ^= 1;
        } else if (rig_is("reject")) {
            status = RUN_REJECT;
        } else if (rig_is("garbage")) {
            (void)!write(STDOUT_FILENO, "this is not the protocol", 24);
        }
    }
    return rig_answer(slot, status, status == RUN_DONE ? "" : "out of resources", a);
}

static int audit_rig_main(void)
{
    static const char facts[] = "device=fake\ncl.fp16_config=0x3f\ncl.fp32_config=0x3f\n"
                                "cl.fp64_config=0x3f\ncl.ext=cl_khr_fp16 cl_khr_fp64\n";
    struct arena stream_arena, a;
    struct err e;
    struct rig g;
    int ok = wire_write(STDOUT_FILENO, WIRE_HELLO, facts, strlen(facts), &e) == RES_OK;
    memset(&g, 0, sizeof g);
    arena_init(&stream_arena, RIG_ARENA_BYTES);
    arena_init(&a, RIG_ARENA_BYTES);
    while (ok) {
        enum wire_kind kind = WIRE_ERROR;
        const unsigned char *payload = NULL;
        size_t n = 0;
        arena_reset(&a);
        if (wire_read(STDIN_FILENO, &a, &kind, &payload, &n, &e) != RES_OK || !payload) {
            break;
        }
        if (kind == WIRE_STREAM) {
            ok = rig_open(&g, payload, n, &stream_arena);
        } else {
            ok = kind == WIRE_BLOCK && rig_block(&g, payload, n, &a);
        }
    }
    arena_free(&a);
    arena_free(&stream_arena);
    return ok ? 0 : 1;
}
