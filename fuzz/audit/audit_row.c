/* fuzz/audit/audit_row.c -- one row of an audit: the device fills slots, judges empty them. */
#include "fuzz/audit/audit_row.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/format.h"
#include "base/func_row.h"
#include "fuzz/audit/audit_case.h"
#include "fuzz/audit/audit_estimate.h"
#include "fuzz/audit/audit_judge.h"
#include "fuzz/audit/audit_keep.h"
#include "fuzz/audit/audit_library.h"
#include "fuzz/audit/audit_memory.h"
#include "fuzz/audit/audit_mirror.h"
#include "fuzz/audit/audit_plan.h"
#include "fuzz/audit/audit_search.h"
#include "fuzz/process/child.h"
#include "fuzz/process/child_time.h"
#include "fuzz/process/progress.h"
#include "fuzz/wire/stream.h"
#include "gen/emit/audit_module.h"
#include "gen/print/print.h"

#define ROW_ARENA_BYTES ((size_t)64 << 20)

enum slot_use {
    SLOT_FREE,
    SLOT_MADE, /* to be sent again: the process died */
    SLOT_SENT, /* to the device */
    SLOT_FILLED,
    SLOT_JUDGED /* a judge has it */
};

struct row_slot {
    enum slot_use use;
    uint64_t index; /* of the block */
    uint32_t base, n;
    uint32_t n_tries;
    bool is_lead; /* only its last input is wanted, for its order to the first of the next block */
};

struct row_run {
    struct audit_run *u;
    struct audit_row *row;
    struct arena a; /* of the row */
    struct audit_module module;
    struct audit_module_form forms[SWEEP_MAX_FORMS];
    uint32_t form[SWEEP_MAX_FORMS]; /* of the module, to those of the row */
    struct stream stream;
    unsigned char *ring, *inputs;
    size_t ring_bytes;
    struct audit_judges judges;
    struct handle_set waiting; /* the worker, the judges and signals */
    struct audit_search search;
    struct row_slot slot[STREAM_MAX_SLOTS];
    uint64_t next;         /* inputs that blocks have, counted from row->first */
    uint64_t n_end;        /* inputs to try: those of the row, or more where a search goes on */
    uint64_t n_finished;   /* inputs of finished blocks, skipped ones included */
    uint64_t n_before;     /* of these, before this start */
    uint64_t n_blocks;     /* made so far */
    uint64_t before_index; /* block whose last results `before` is */
    int has_before, has_lead;
    uint64_t before_x, before[SWEEP_MAX_FORMS];
    uint32_t n_skipped_blocks, n_restarts;
    uint64_t start_ns;
    uint64_t paced_ns,
        n_first; /* when the first results were back, and of how many inputs; 0: not yet */
    double seconds_before;
    struct sweep_result saved[SWEEP_MAX_FORMS]; /* from before this start */
    bool is_draining; /* no new blocks until all are judged: to save, or to learn */
    bool is_given_up;
};

/* ---- the kernel of the row ---- */

/*
 * Block size, measured with exp on f32 on a CPU runtime, 2 cores: the ring should stay in the last
 * cache, and a block should take the device over a millisecond, as each costs it a wake-up.
 */
enum {
    ROW_BLOCK_ITEMS = 1 << 20,
    ROW_SEARCH_ITEMS = 1 << 12,
    ROW_LEARN_BLOCKS = 6, /* of a search that climbs; the same on any machine */
    ROW_RING_BYTES = 96 << 20,
    ROW_MIN_BLOCKS = 16 /* of a small row: every judge has some */
};

enum {
    ALL_FORMS = -1
};

/* The text of the stream's module, where the target is given text. */
static enum res print_stream(struct row_run *t, struct err *e)
{
    struct stream *const s = &t->stream;
    struct testcase tc = {.env = s->env,
                          .language = LANGUAGE_SPIRV,
                          .module = s->module,
                          .n_words = s->n_words,
                          .entry = s->entry,
                          .build_options = "",
                          .source = ""};
    TRY(print_set_language(&tc, t->u->target->language, &t->a, e));
    s->source = tc.source;
    s->build_options = tc.build_options;
    return RES_OK;
}

/* Build the module that the worker shall run for a row: with all its forms that the driver has not refused,
 * or, to find out which one it refuses, with the form `only` alone. t->form says which output is which form.
 * Where no form is left there is no module, and the stream has no outputs. */
static enum res make_stream(struct row_run *t, int only, struct err *e)
{
    const struct audit_row *const row = t->row;
    const struct func_row *const f = &func_rows[row->func];
    uint32_t n = 0;
    for (uint32_t i = 0; i < row->n_forms; i++) {
        const struct audit_form *const form = &row->form[i];
        if (form->is_refused || (only != ALL_FORMS && only != (int)i)) {
            continue;
        }
        t->forms[n] =
            (struct audit_module_form){.op = form->op, .is_decorated = form->is_decorated};
        memcpy(&t->forms[n].max_error, &form->max_error, sizeof t->forms[n].max_error);
        t->form[n++] = i;
    }
    /* The kernel makes the inputs itself where it tries every one; a search gives them in buffers. */
    t->module = (struct audit_module){.env = t->u->target->env,
                                      .fmt = row->fmt,
                                      .n_args = f->n_args,
                                      .has_int = f->has_int,
                                      .has_inputs = row->depth == AUDIT_SEARCH,
                                      .n_forms = n,
                                      .forms = t->forms};
    struct stream *const s = &t->stream;
    s->n_outputs = n;
    s->module = n ? audit_module_build(&t->module, &t->a, &s->n_words) : NULL;
    if (n > 0 && !s->module) {
        return err_set(e, RES_NOMEM, "no room for a module");
    }
    if (t->u->target->is_library) {
        s->build_options = audit_library_options(row, t->form, n, &t->a);
        return RES_OK;
    }
    return n > 0 ? print_stream(t, e) : RES_OK;
}

/* Whole work-groups; where all inputs are tried also whole pieces, so that blocks of any size are judged alike. */
static uint32_t round_block(const struct audit_row *row, uint64_t n)
{
    uint64_t const local = row->depth == AUDIT_SEARCH ? AUDIT_MODULE_LOCAL : SWEEP_PIECE;
    return (uint32_t)((n + local - 1) / local * local);
}

/* Items of a block: enough blocks for all judges, and in the ring room for all results of all slots. */
static uint32_t choose_block(const struct audit_row *row, const struct stream *s)
{
    uint64_t n = row->depth == AUDIT_SEARCH ? ROW_SEARCH_ITEMS : ROW_BLOCK_ITEMS;
    uint64_t const share = (row->n_inputs + ROW_MIN_BLOCKS - 1) / ROW_MIN_BLOCKS;
    uint64_t const bytes_per_item = (uint64_t)s->item_bytes * row->n_forms * s->n_slots;
    n = share < n ? share : n;
    while (n > ROW_SEARCH_ITEMS && n * bytes_per_item > ROW_RING_BYTES) {
        n /= 2;
    }
    return round_block(row, n);
}

/* Lay out and map the ring: the shared memory in which blocks of inputs and results go round between device
 * and judges. A slot of it holds one block. The layout is for all forms of the row, so that it fits every
 * stream of the row. t->inputs is a second, private place of the same layout, from which inputs are sent again when a
 * worker dies. */
static enum res make_ring(struct row_run *t, struct err *e)
{
    const struct audit_row *const row = t->row;
    struct stream *const s = &t->stream;
    /* Each judge has one slot in work and one that waits, and so has the device. */
    uint32_t const n_slots = 2 * t->u->n_judges + 2;
    *s = (struct stream){.env = t->u->target->env,
                         .entry = AUDIT_MODULE_ENTRY,
                         .build_options = "",
                         .source = "",
                         .item_bytes = float_formats[row->fmt].n_bits / 8,
                         .local = AUDIT_MODULE_LOCAL,
                         .n_slots = n_slots < STREAM_MAX_SLOTS ? n_slots : STREAM_MAX_SLOTS,
                         .fd = (uint32_t)t->u->memory_fd};
    s->max_items = choose_block(row, s);
    /* All that audit_module_inputs asks of a module, which is not built yet. */
    struct audit_module const whole = {.n_args = func_rows[row->func].n_args,
                                       .has_int = func_rows[row->func].has_int,
                                       .has_inputs = row->depth == AUDIT_SEARCH};
    s->n_inputs = audit_module_inputs(&whole);
    s->n_outputs = row->n_forms;
    t->ring_bytes = (size_t)stream_get_bytes(s);
    t->ring = audit_map_memory(t->u->memory_fd, t->ring_bytes);
    t->inputs = s->n_inputs ? audit_take_memory(t->ring_bytes) : NULL;
    if (!t->ring || (s->n_inputs && !t->inputs)) {
        return err_set(e, RES_IO, "%zu bytes of shared memory: %s", t->ring_bytes, strerror(errno));
    }
    return RES_OK;
}

/* What the driver said, kept with the row. */
static const char *keep_text(struct row_run *t, const char *text)
{
    return arena_printf(t->u->a, "%.2000s", text);
}

/* Open the stream of make_stream, on a worker that is started where there is none. *is_open false: the
 * driver did not take it, *why not. */
static enum res open_stream(struct row_run *t, bool *is_open, const char **why, struct err *e)
{
    struct worker_handle *const w = &t->u->worker;
    stream_fill_guards(&t->stream, t->ring);
    if (w->state != HANDLE_IDLE) {
        (void)handle_kill(w);
        TRY(handle_start_and_wait(w, e));
    }
    TRY(handle_open_stream(w, &t->stream, e));
    bool const is_answered = handle_wait(w) == HANDLE_EVENT_STATUS;
    *is_open = is_answered && w->status.status == RUN_DONE;
    *why = *is_open ? "" : keep_text(t, is_answered ? w->status.log : w->message);
    return RES_OK;
}

/* Tries each form alone: a form that the driver does not take is refused. A form with which the worker died or ran out of time is
 * tried once more, as a block is, because the kernel may have killed the worker for lack of memory. */
static enum res try_each_form(struct row_run *t, struct err *e)
{
    enum {
        MAX_TRIES = 2
    };
    for (uint32_t i = 0; i < t->row->n_forms; i++) {
        struct audit_form *const form = &t->row->form[i];
        bool is_open = false;
        const char *why = "";
        if (form->is_refused) {
            continue;
        }
        bool is_dead = true;
        TRY(make_stream(t, (int)i, e));
        for (int k = 0; k < MAX_TRIES && is_dead; k++) {
            TRY(open_stream(t, &is_open, &why, e));
            is_dead = !is_open && t->u->worker.state != HANDLE_IDLE;
        }
        form->is_refused = !is_open;
        form->log = is_open ? form->log : why;
    }
    return RES_OK;
}

/* All forms that are not refused in one stream. *is_open is true also where there are none. */
static enum res open_all_forms(struct row_run *t, bool *is_open, const char **why, struct err *e)
{
    *is_open = true;
    enum res const r = make_stream(t, ALL_FORMS, e);
    if (r != RES_OK || t->stream.n_outputs == 0) {
        return r;
    }
    return open_stream(t, is_open, why, e);
}

/* Which forms does the driver take? All at once, else each alone. Afterwards the stream of those
 * that it takes is open, if there are any (t->stream.n_outputs). */
static enum res open_forms(struct row_run *t, struct err *e)
{
    const char *why_all = "";
    const char *ignored = "";
    bool is_open = false;
    enum res r = open_all_forms(t, &is_open, &why_all, e);
    if (r != RES_OK || is_open) {
        return r;
    }
    TRY(try_each_form(t, e));
    r = open_all_forms(t, &is_open, &ignored, e);
    if (r == RES_OK && !is_open) {
        t->row->problem = arena_printf(
            t->u->a, "the forms compile separately, but not in one module: %s", why_all);
        t->stream.n_outputs = 0;
    }
    return r;
}

/* ---- its blocks ---- */

enum {
    ROW_MAX_SKIPPED = 4,   /* blocks that the driver failed twice; then the row ends */
    ROW_MAX_RESTARTS = 32, /* of the worker; the same */
    ROW_WAIT_MS = 20,
    TEXT_BYTES = 64 /* of a part of the line of progress */
};
#define ROW_SAVE_NS     UINT64_C(10000000000)
#define ROW_ESTIMATE_NS UINT64_C(3000000000) /* of a row, before its rate is taken for one */
#define ROW_LONG_S      180.0                /* of an audit, beyond which a shorter one is named */

/* --- progress --- */

static double get_seconds(const struct row_run *t)
{
    return t->seconds_before + (double)(child_now_ns() - t->start_ns) / 1e9;
}

static struct audit_live get_live(struct row_run *t)
{
    uint64_t const now_ns = child_now_ns();
    if (t->n_finished > t->n_before && t->paced_ns == 0) {
        t->paced_ns = now_ns;
        t->n_first = t->n_finished;
    }
    return (struct audit_live){.row = t->u->row,
                               .n_done = t->n_finished,
                               .seconds = get_seconds(t),
                               .n_paced = t->n_finished - (t->paced_ns ? t->n_first : t->n_before),
                               .paced_s = t->paced_ns ? (double)(now_ns - t->paced_ns) / 1e9 : 0};
}

/* The estimate stays on the screen once, when there is something to go by; of a long audit with the way to a short one. */
static void say_estimate(struct row_run *t, const struct audit_estimate *estimate)
{
    struct audit_run *const u = t->u;
    bool const is_known = t->paced_ns && child_now_ns() - t->paced_ns >= ROW_ESTIMATE_NS;
    const char *const text = is_known ? audit_estimate_text(estimate, &t->a) : "";
    if (!u->is_estimated && text[0]) {
        u->is_estimated = true;
        bool const is_long = estimate->done_s + estimate->left_s > ROW_LONG_S &&
                             u->request->reach != AUDIT_REACH_SAMPLES && u->request->budget_ns == 0;
        const char *const parts[] = {
            text, "at the speed so far",
            is_long ? "--sampled searches instead, which needs seconds per function" : ""};
        progress_say_parts(u->request->progress, parts, ARRAY_N(parts));
    }
}

/* "row 3 of 12, about 40 min left; about 62 min in all; exp f32 12.3 %". Nothing is known of the time before there is a
 * result. */
static void show(struct row_run *t)
{
    struct audit_run *const u = t->u;
    char turn[TEXT_BYTES], row[TEXT_BYTES], left[TEXT_BYTES] = "", time[PROGRESS_TIME_BYTES];
    struct arena_mark const mark = arena_get_mark(&t->a);
    struct audit_live const live = get_live(t);
    struct audit_estimate const estimate = audit_estimate_time(u->out, &live);
    say_estimate(t, &estimate);
    if (progress_is_due(u->request->progress)) {
        if (estimate.left_s > 0) {
            (void)snprintf(left, sizeof left, ", %s %s left",
                           estimate.n_unknown ? "at least" : "about",
                           progress_time(time, (uint64_t)(estimate.left_s * 1e9)));
        }
        (void)snprintf(turn, sizeof turn, "row %" PRIu32 " of %" PRIu32 "%s", u->row + 1,
                       u->out->n_rows, left);
        (void)snprintf(row, sizeof row, "%s %s %.1f %%", func_rows[t->row->func].name,
                       float_formats[t->row->fmt].name,
                       100.0 * (double)t->n_finished / (double)t->n_end);
        const char *const parts[] = {turn, row, audit_estimate_text(&estimate, &t->a)};
        progress_show(u->request->progress, parts, ARRAY_N(parts));
    }
    arena_release(&t->a, mark);
}

/* Is the time over that the row, or the audit, was given? */
static bool is_time_over(struct row_run *t, uint64_t now_ns)
{
    struct audit_run *const u = t->u;
    bool const is_over = u->row_end_ns != 0 && now_ns >= u->row_end_ns;
    u->is_cut |= is_over;
    return is_over;
}

static void read_signals(struct audit_run *u)
{
    struct signalfd_siginfo info;
    while (read(u->signal_fd, &info, sizeof info) == (ssize_t)sizeof info) {
        u->out->was_stopped = 1;
    }
}

/* --- blocks --- */

static uint32_t count_use(const struct row_run *t, enum slot_use use)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->stream.n_slots; i++) {
        n += t->slot[i].use == use;
    }
    return n;
}

static bool is_idle(const struct row_run *t)
{
    return count_use(t, SLOT_FREE) == t->stream.n_slots;
}

/* The oldest block in that use, or NULL. */
static struct row_slot *find_oldest(struct row_run *t, enum slot_use use)
{
    struct row_slot *best = NULL;
    for (uint32_t i = 0; i < t->stream.n_slots; i++) {
        struct row_slot *const s = &t->slot[i];
        if (s->use == use && (!best || s->index < best->index)) {
            best = s;
        }
    }
    return best;
}

static uint32_t get_number(const struct row_run *t, const struct row_slot *s)
{
    return (uint32_t)(s - t->slot);
}

static void send_slot(struct row_run *t, struct row_slot *s)
{
    struct stream_block const b = {get_number(t, s), s->base, s->n};
    s->use = SLOT_SENT;
    handle_send_block(&t->u->worker, &b);
}

/* For the driver, from memory of our own. */
static void copy_inputs(struct row_run *t, const struct row_slot *s)
{
    size_t const n_bytes = (size_t)s->n * t->stream.item_bytes;
    for (uint32_t i = 0; i < t->stream.n_inputs; i++) {
        uint64_t const at = stream_get_place(&t->stream, get_number(t, s), i);
        memcpy(t->ring + at, t->inputs + at, n_bytes);
    }
}

static void make_inputs(struct row_run *t, const struct row_slot *s)
{
    void *at[SWEEP_ARGS] = {NULL};
    for (uint32_t i = 0; i < t->stream.n_inputs; i++) {
        at[i] = t->inputs + stream_get_place(&t->stream, get_number(t, s), i);
    }
    audit_search_fill(&t->search, at, s->n);
    copy_inputs(t, s);
}

/* Blocks that were sent to a process that died, as far as the device has room. */
static void send_again(struct row_run *t)
{
    while (handle_has_room(&t->u->worker)) {
        struct row_slot *const s = find_oldest(t, SLOT_MADE);
        if (!s) {
            return;
        }
        copy_inputs(t, s);
        send_slot(t, s);
    }
}

/* The next block of inputs, in that free slot, to the device. */
static void send_new(struct row_run *t, struct row_slot *s)
{
    uint64_t const left = t->n_end - t->next;
    *s = (struct row_slot){.index = t->n_blocks++, .base = (uint32_t)(t->row->first + t->next)};
    s->n = left < t->stream.max_items ? (uint32_t)left : t->stream.max_items;
    if (t->stream.n_inputs) {
        make_inputs(t, s);
    }
    t->next += s->n;
    send_slot(t, s);
}

/* Before the first block that does not begin at 0 the inputs before it once more: the order of neighbours is also looked
 * at where a shard, or an earlier start, ended. */
static void send_lead(struct row_run *t)
{
    uint64_t const at = t->row->first + t->next;
    struct row_slot *const s = find_oldest(t, SLOT_FREE);
    t->has_lead = 1;
    if (s && t->row->depth == AUDIT_EXHAUSTIVE && at >= AUDIT_MODULE_LOCAL) {
        *s = (struct row_slot){.index = t->n_blocks++,
                               .base = (uint32_t)(at - AUDIT_MODULE_LOCAL),
                               .n = AUDIT_MODULE_LOCAL,
                               .is_lead = true};
        send_slot(t, s);
    }
}

/* Keep the device busy: blocks that were lost first, then new ones. */
static void send_next(struct row_run *t)
{
    send_again(t);
    while (handle_has_room(&t->u->worker) && !t->is_draining && !t->is_given_up &&
           t->next < t->n_end) {
        if (!t->has_lead) {
            send_lead(t);
            continue;
        }
        struct row_slot *const s = find_oldest(t, SLOT_FREE);
        if (!s) {
            return;
        }
        send_new(t, s);
        /* A climbing block wants to know what the blocks before it found. */
        t->is_draining = t->stream.n_inputs && audit_search_is_climbing(&t->search) &&
                         t->n_blocks % ROW_LEARN_BLOCKS == 0;
    }
}

static uint64_t load_result(const struct row_run *t, uint32_t slot, uint32_t form, uint32_t i)
{
    const struct stream *const s = &t->stream;
    return load_le(t->ring + stream_get_place(s, slot, s->n_inputs + form) +
                       (size_t)i * s->item_bytes,
                   s->item_bytes);
}

/* What a judge is told of a block, with the last input and results of the block before if these are known. */
static struct audit_order make_order(const struct row_run *t, const struct row_slot *s)
{
    struct audit_order o = {.slot = get_number(t, s), .base = s->base, .n = s->n};
    o.has_before = t->has_before && t->before_index + 1 == s->index;
    o.before_x = t->before_x;
    memcpy(o.before, t->before, sizeof o.before);
    return o;
}

/* The block's last input and results, for the order of the next one. Inputs of a search are in no order. */
static void remember_last(struct row_run *t, const struct row_slot *s)
{
    t->has_before = !t->stream.n_inputs;
    t->before_index = s->index;
    t->before_x = s->base + s->n - 1;
    for (uint32_t i = 0; i < t->stream.n_outputs && t->has_before; i++) {
        t->before[i] = load_result(t, get_number(t, s), i, s->n - 1);
    }
}

/* Give filled slots to judges, oldest first: then the block before is known. */
static enum res feed_judges(struct row_run *t, struct err *e)
{
    for (;;) {
        struct row_slot *const s = find_oldest(t, SLOT_FILLED);
        if (s && s->is_lead) {
            remember_last(t, s);
            s->use = SLOT_FREE;
            continue;
        }
        struct audit_judge *const j = audit_judges_find(&t->judges);
        if (!s || !j) {
            return RES_OK;
        }
        struct audit_order const o = make_order(t, s);
        remember_last(t, s);
        s->use = SLOT_JUDGED;
        TRY(audit_judge_send(j, &o, e));
    }
}

static enum res hear_judges(struct row_run *t, struct err *e)
{
    for (uint32_t i = 0; i < t->judges.n; i++) {
        struct audit_answer answer;
        int got = 0;
        while ((got = audit_judge_receive(&t->judges.judge[i], &answer)) > 0) {
            t->slot[answer.slot].use = SLOT_FREE;
            t->n_finished += answer.n;
            t->row->judge_seconds += (double)answer.ns / 1e9;
        }
        if (got < 0) {
            return err_set(e, RES_INTERNAL, "%s: a judge died", func_rows[t->row->func].name);
        }
    }
    return RES_OK;
}

/* --- trouble --- */

/* What went wrong with a block, for the row. Inputs of a search have no numbers, only how many they are. */
static void tell_problem(struct row_run *t, const struct row_slot *failed, const char *what)
{
    bool const is_search = t->stream.n_inputs > 0;
    uint64_t const first = is_search ? 0 : failed->base;
    uint64_t const last = is_search ? failed->n : (uint64_t)failed->base + failed->n - 1;
    t->row->problem =
        arena_printf(t->u->a, "inputs %" PRIu64 " to %" PRIu64 ": %.300s", first, last, what);
}

/* A block that failed is tried once more, then never again. */
static void count_failure(struct row_run *t, struct row_slot *failed)
{
    if (++failed->n_tries > 1) {
        failed->use = SLOT_FREE;
        t->n_finished += failed->is_lead ? 0 : failed->n;
        t->row->n_skipped += failed->is_lead ? 0 : failed->n;
        t->n_skipped_blocks++;
    }
}

/* After trouble: the stream once more in a fresh process, unless there was too much of it. */
static enum res reopen_stream(struct row_run *t, const char *what, struct err *e)
{
    const char *why = "";
    bool is_open = false;
    t->is_given_up |= t->n_skipped_blocks >= ROW_MAX_SKIPPED || ++t->n_restarts > ROW_MAX_RESTARTS;
    if (t->is_given_up) {
        return RES_OK;
    }
    enum res const r = open_stream(t, &is_open, &why, e);
    if (r == RES_OK && !is_open) {
        t->row->problem = arena_printf(t->u->a, "%.300s; then: %.300s", what, why);
        t->is_given_up = true;
    }
    return r;
}

static enum res retry(struct row_run *t, struct row_slot *failed, const char *what, struct err *e)
{
    (void)handle_kill(&t->u->worker);
    if (failed) {
        tell_problem(t, failed, what);
        count_failure(t, failed);
    }
    TRY(reopen_stream(t, what, e));
    for (uint32_t i = 0; i < t->stream.n_slots; i++) { /* never answered, not counted if given up */
        if (t->slot[i].use == SLOT_SENT || t->slot[i].use == SLOT_MADE) {
            t->slot[i].use = t->is_given_up ? SLOT_FREE : SLOT_MADE;
        }
    }
    return RES_OK;
}

static enum res take_trouble(struct row_run *t, const char *what, struct err *e)
{
    return retry(t, find_oldest(t, SLOT_SENT), keep_text(t, what), e);
}

static enum res take_status(struct row_run *t, struct err *e)
{
    const struct stream_status *const status = &t->u->worker.status;
    struct row_slot *const s = find_oldest(t, SLOT_SENT);
    if (!s || get_number(t, s) != status->slot) {
        return take_trouble(t, "the answer of the worker does not belong to its block", e);
    }
    if (status->status != RUN_DONE) {
        return take_trouble(t, status->log, e);
    }
    t->row->device_seconds += (double)status->ns / 1e9;
    if (stream_is_guard_hit(&t->stream, t->ring, status->slot)) {
        stream_fill_guards(&t->stream, t->ring);
        return take_trouble(t, "a byte outside every buffer changed", e);
    }
    s->use = SLOT_FILLED;
    return RES_OK;
}

static enum res hear_worker(struct row_run *t, struct err *e)
{
    enum handle_event const event = handle_poll(&t->u->worker);
    if (event == HANDLE_EVENT_STATUS) {
        return take_status(t, e);
    }
    return event == HANDLE_EVENT_LOST ? take_trouble(t, t->u->worker.message, e) : RES_OK;
}

/* --- results --- */

/* What was found so far, into the row. Only while nothing is on its way. */
static void collect(struct row_run *t)
{
    struct audit_row *const row = t->row;
    for (uint32_t i = 0; i < t->stream.n_outputs; i++) {
        uint32_t const form = t->form[i];
        row->result[form] = t->saved[form];
        audit_judges_merge(&t->judges, i, &row->result[form]);
    }
    row->n_done = t->n_finished < row->n_inputs ? t->n_finished : row->n_inputs;
    row->seconds = get_seconds(t);
}

/* Everything is judged: save, learn, go on. */
static enum res end_draining(struct row_run *t, uint64_t now_ns, struct err *e)
{
    struct audit_run *const u = t->u;
    t->is_draining = false;
    collect(t);
    /* not where only the time for a save has come: what is tried next does not depend on the clock */
    if (t->n_end == t->row->n_inputs && t->stream.n_inputs && t->n_blocks % ROW_LEARN_BLOCKS == 0 &&
        audit_search_is_climbing(&t->search)) {
        audit_search_learn(&t->search, t->row->result, t->row->n_forms);
    }
    if (now_ns - u->saved_ns <= ROW_SAVE_NS) {
        return RES_OK;
    }
    u->saved_ns = now_ns;
    return audit_keep_write(u->out, u->request, e);
}

/* What can be done without waiting: send blocks, take what came, give it to the judges. */
static enum res step(struct row_run *t, struct err *e)
{
    send_next(t);
    TRY(hear_worker(t, e));
    send_next(t);
    TRY(hear_judges(t, e));
    return feed_judges(t, e);
}

/* With all inputs of a search judged: are there more to try, near a bound that is almost reached? Then the row's end moves. */
static bool goes_on(struct row_run *t)
{
    struct audit_run *const u = t->u;
    if (t->row->depth != AUDIT_SEARCH || t->is_given_up || t->next < t->n_end) {
        return false;
    }
    struct arena_mark const mark = arena_get_mark(&t->a);
    collect(t);
    audit_case_find(t->row, u->target->env, u->out->facts, &t->a);
    bool const is_more = audit_search_go_on(&t->search, t->row);
    memset(t->row->found, 0, sizeof t->row->found); /* their texts go with the arena's mark */
    arena_release(&t->a, mark);
    t->n_end = t->search.n_end;
    return is_more;
}

/* Send the inputs of a row block by block, and have the results judged, until all are, the row is given up or
 * a stop is asked for, and nothing is on its way any more. From time to time the row is drained: no new block
 * is sent until all sent ones are judged, so that the state can be saved, and a search can learn from what
 * was found. */
static enum res run_blocks(struct row_run *t, struct err *e)
{
    struct audit_run *const u = t->u;
    for (;;) {
        uint64_t const now_ns = child_now_ns();
        read_signals(u);
        show(t);
        bool const is_ended = u->out->was_stopped || is_time_over(t, now_ns);
        t->is_draining |= is_ended || now_ns - u->saved_ns > ROW_SAVE_NS;
        if (t->is_draining && is_idle(t)) {
            TRY(end_draining(t, now_ns, e));
        }
        bool const is_over = t->next == t->n_end || t->is_given_up || is_ended;
        if (is_over && is_idle(t) && (is_ended || !goes_on(t))) {
            return RES_OK;
        }
        TRY(step(t, e));
        TRY(handle_set_wait(&t->waiting, ROW_WAIT_MS, e));
    }
}

/* What is waited for: the worker, the judges and signals. */
static enum res set_up_waiting(struct row_run *t, struct err *e)
{
    TRY(handle_set_init(&t->waiting, 1, t->judges.n + 1, &t->a, e));
    handle_set_add(&t->waiting, &t->u->worker);
    handle_set_watch(&t->waiting, t->u->signal_fd);
    for (uint32_t i = 0; i < t->judges.n; i++) {
        handle_set_watch(&t->waiting, t->judges.judge[i].from);
    }
    return RES_OK;
}

/* What each judge begins with: the function, its rules and those of each form, nothing found. */
static void fill_sweep(const struct row_run *t, struct sweep *start)
{
    const struct audit_row *const row = t->row;
    start->func = row->func;
    start->env = t->u->target->env;
    start->fmt = row->fmt;
    start->rules = audit_get_rules(start->env, row->fmt, t->u->out->facts);
    start->n_forms = t->stream.n_outputs;
    for (uint32_t i = 0; i < t->stream.n_outputs; i++) {
        start->form[i] = audit_get_form(row, t->form[i], start->env);
    }
}

/* With the judges there: all blocks, and what was found. */
static enum res run_and_collect(struct row_run *t, struct err *e)
{
    TRY(set_up_waiting(t, e));
    TRY(run_blocks(t, e));
    collect(t);
    if (audit_mirror_compare(t->row)) {
        struct audit_mirror const mirror = {&t->u->worker, &t->stream, t->ring, t->form};
        audit_mirror_find(&mirror, t->row);
    }
    return RES_OK;
}

static enum res judge_blocks(struct row_run *t, struct err *e)
{
    struct audit_shared const shared = {&t->stream, t->ring, t->inputs, &t->u->worker};
    struct sweep *const start = ARENA_NEW(&t->a, struct sweep, 1);
    if (!start) {
        return err_set(e, RES_NOMEM, "no room for a sweep");
    }
    fill_sweep(t, start);
    enum res r = audit_judges_start(&t->judges, t->u->n_judges, start, &shared, e);
    if (r == RES_OK) {
        r = run_and_collect(t, e);
    }
    audit_judges_stop(&t->judges);
    return r;
}

/* Open what the driver takes of it, and run all blocks. */
static enum res run_row(struct row_run *t, struct err *e)
{
    struct audit_row *const row = t->row;
    TRY(make_ring(t, e));
    if (row->depth == AUDIT_SEARCH) {
        TRY(audit_search_init(&t->search, row, t->u->request->seed, &t->u->worst, &t->a, e));
    }
    TRY(open_forms(t, e));
    if (t->stream.n_outputs == 0) {
        row->n_done = row->n_inputs; /* nothing to run: every form is refused */
        return RES_OK;
    }
    return judge_blocks(t, e);
}

/* Run what is left of one row, from row->n_done on, and leave its results and times in it. All that a row
 * needs lies in an arena of its own, `t` too; t->a is that arena from then on and has to be copied out to be
 * freed. */
enum res audit_row_run(struct audit_run *u, struct audit_row *row, struct err *e)
{
    struct arena a;
    arena_init(&a, ROW_ARENA_BYTES);
    struct row_run *const t = ARENA_NEW(&a, struct row_run, 1);
    if (!t) {
        return err_set(e, RES_NOMEM, "no room for a row");
    }
    t->u = u;
    t->row = row;
    t->a = a;
    t->next = t->n_finished = t->n_before = row->n_done;
    t->n_end = row->n_inputs;
    t->seconds_before = row->seconds;
    t->start_ns = child_now_ns();
    memcpy(t->saved, row->result, sizeof t->saved);
    enum res const r = run_row(t, e);
    row->seconds = get_seconds(t);
    audit_unmap_memory(t->ring, t->ring_bytes);
    audit_unmap_memory(t->inputs, t->ring_bytes);
    a = t->a; /* which `t` lies in */
    arena_free(&a);
    return r;
}
