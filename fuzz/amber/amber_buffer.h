/* fuzz/amber/amber_buffer.h -- buffers of a script of Amber, and what they hold at its start. */
#pragma once

#include "base/testcase.h"
#include "fuzz/amber/amber_line.h"
#include "fuzz/amber/amber_type.h"

enum {
    AMBER_MAX_BUFFERS = 64
};
struct amber_buffer {
    const char *name;
    struct amber_type type;
    uint32_t n_bytes; /* a multiple of 4 */
    unsigned char *data;
};
struct amber_buffers {
    uint32_t n;
    struct amber_buffer row[AMBER_MAX_BUFFERS];
};

/* The number of the buffer of that name; AMBER_MAX_BUFFERS: there is none. */
uint32_t amber_buffer_find(const struct amber_buffers *all, const char *name);
/* Reads what begins with the word BUFFER, up to the END of its data, and adds it. RES_FORMAT: the line, and what is wrong. */
MUST_USE enum res amber_buffer_read(struct amber_lines *l, struct amber_buffers *all);
