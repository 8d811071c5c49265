/* fuzz/wire/stream.h -- one kernel run over block after block, results in memory shared with the worker. */
#pragma once

#include "base/testcase.h"

enum {
    STREAM_MAX_INPUTS = 4,
    STREAM_MAX_OUTPUTS = 16,
    STREAM_MAX_BUFFERS = STREAM_MAX_INPUTS + STREAM_MAX_OUTPUTS,
    STREAM_MAX_SLOTS = 64,
    STREAM_MAX_ITEMS = 1 << 24, /* of a block */
    STREAM_PAGE_BYTES = 4096, /* buffers start at whole pages, and a page of guard bytes follows */
    STREAM_GUARD_BYTE = 0xa5
};

/*
 * A kernel of gen/emit/audit_module.h and the memory that it works in: n_slots slots, each with all
 * buffers of one block. The memory is a file descriptor that the worker inherits under its number.
 */
struct stream {
    enum env env;
    const uint32_t *module; /* SPIR-V words, host order */
    uint32_t n_words;
    const char *entry, *build_options;
    const char *source; /* OpenCL C, which is built in place of the module; "": none */
    uint32_t n_inputs, n_outputs, item_bytes;
    uint32_t local;              /* work-group size of Vulkan modules */
    uint32_t n_slots, max_items; /* of a block; max_items is a multiple of local */
    uint32_t fd;
};
/* One block: its first item's argument is base, where the module has no inputs. */
struct stream_block {
    uint32_t slot, base, n_items; /* n_items: as is judged; run are whole work-groups */
};
/* What the worker answers to a stream (slot 0) and to each block. */
struct stream_status {
    uint32_t slot;
    enum run_status status;
    enum run_phase phase;
    int32_t driver_code;
    uint64_t ns;     /* of building, or of running and reading */
    const char *log; /* foreign text */
};

/* Size of the memory, and where a buffer of a slot starts in it: inputs first, then outputs. */
uint64_t stream_get_bytes(const struct stream *s);
uint64_t stream_get_place(const struct stream *s, uint32_t slot, uint32_t buffer);
/* Bytes of a buffer without its guard. */
uint64_t stream_get_buffer_bytes(const struct stream *s);
/* Write the guard pages; 1 when one behind an output of the slot has changed. */
void stream_fill_guards(const struct stream *s, unsigned char *memory);
int stream_is_guard_hit(const struct stream *s, const unsigned char *memory, uint32_t slot);
/* Items that are run for a block: whole work-groups. */
uint32_t stream_round_items(const struct stream *s, uint32_t n_items);

/* Payloads of the messages, in `a`; NULL when it is full. */
const unsigned char *stream_encode(const struct stream *s, struct arena *a, size_t *n);
enum {
    STREAM_BLOCK_BYTES = 12
};
void stream_encode_block(const struct stream_block *b, unsigned char out[STREAM_BLOCK_BYTES]);
const unsigned char *stream_encode_status(const struct stream_status *s, struct arena *a,
                                          size_t *n);
/* Inverse; any bytes are safe. A block is checked against its stream. */
MUST_USE enum res stream_decode(struct stream *s, struct arena *a, const void *p, size_t n,
                                struct err *e);
MUST_USE enum res stream_decode_block(struct stream_block *b, const struct stream *s, const void *p,
                                      size_t n, struct err *e);
MUST_USE enum res stream_decode_status(struct stream_status *s, struct arena *a, const void *p,
                                       size_t n, struct err *e);
