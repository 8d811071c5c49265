/* oracle/nir/nir_trace.h -- which instructions of one invocation led to what a program left at a byte of a buffer.
 *
 * A traced program is run twice: the first run finds who writes the byte last, the second one records what that invocation
 * executes until then. Of the record remains what the written value is computed of, back to loads. */
#pragma once

#include "base/base.h"
#include "oracle/nir/nir_machine.h"
#include "oracle/nir_text/nir_program.h"

enum {
    NIR_TRACE_MAX_LINES = 48, /* of a trace: the last ones before the write */
    NIR_TRACE_MAX_EVENTS =
        1 << 18 /* instructions that the invocation executes; a longer run has no trace */
};
/* An instruction that was executed, and what it gave. */
struct nir_trace_line {
    uint32_t line;      /* of the text, from 1 on */
    bool is_hardware;   /* its accuracy is the chip's: the value is the correctly rounded one */
    uint32_t name;      /* of such an operation: row of nir_op.def */
    uint8_t n_bits;     /* of a component */
    uint8_t n_values;   /* components; 0: it gives none, as a store */
    uint64_t values[4]; /* the first ones */
};
struct nir_trace {
    uint32_t buf, byte;  /* the byte is that of a buffer of the case */
    uint32_t invocation; /* that wrote it last: index in its work-group */
    uint32_t group[3];
    bool is_cut; /* lines before those are left out */
    uint32_t n;  /* 0: no invocation wrote there, or the run was too long */
    struct nir_trace_line lines[NIR_TRACE_MAX_LINES];
};

/* The state between the calls that the interpreter makes. */
struct nir_watch {
    const unsigned char *byte; /* that is watched */
    bool has_writer, is_recording, is_over;
    /* Who wrote it last, and which of its writes that was, counted from 1: */
    uint32_t subgroup, lane, invocation;
    uint32_t n_writes, n_writes_left;
    uint32_t group[3];
    uint32_t instruction;           /* index in the program */
    struct nir_trace_event *events; /* of the second run */
    uint32_t n_events;
};
struct nir_trace_event {
    uint32_t instruction;
    uint32_t source; /* of a phi: the value that it took */
    uint64_t values[4];
};

/* Called by the interpreter, where a program is watched: an instruction was executed by the active invocations; a phi took
 * a value; an invocation writes n bytes. */
void nir_watch_step(struct nir_watch *w, const struct nir_step *s);
void nir_watch_phi(struct nir_watch *w, const struct nir_step *s, uint32_t lane, uint32_t source);
void nir_watch_write(struct nir_watch *w, const struct nir_step *s, uint32_t lane,
                     const unsigned char *bytes, uint32_t n);

/* What each instruction calls that writes bytes, whether a program is watched or not. */
static inline void nir_see_write(const struct nir_step *s, uint32_t lane,
                                 const unsigned char *bytes, uint32_t n)
{
    if (s->m->watch) {
        nir_watch_write(s->m->watch, s, lane, bytes, n);
    }
}

/* Between the two runs: false, where no invocation wrote the byte, or the arena is full. */
bool nir_watch_begin_record(struct nir_watch *w, struct arena *a);
/* After the second run. */
void nir_watch_get_trace(const struct nir_watch *w, const struct nir_program *p, struct arena *a,
                         struct nir_trace *out);
