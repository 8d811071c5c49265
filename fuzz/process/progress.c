/* fuzz/process/progress.c -- how far a long command is: a line redrawn on a terminal, one line a minute
 * in a log. */
#include "fuzz/process/progress.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/printable.h"
#include "fuzz/process/child_time.h"

#define SECOND_NS UINT64_C(1000000000)
#define MINUTE_NS (60 * SECOND_NS)
#define HOUR_NS   (60 * MINUTE_NS)
#define DAY_NS    (24 * HOUR_NS)
#define DRAW_NS   (SECOND_NS / 4)
/* 60 lines of the minutes and these are 87 in the first hour. */
#define SAY_NS (5 * MINUTE_NS)
enum {
    SAY_AT_ONCE = 15, /* messages in a log; then one more for each SAY_NS */
    COLUMNS_DEFAULT = 80,
    CONTEXT_BYTES = 128,
    LINE_BYTES = 1024
};

void progress_open(struct progress *p, FILE *f)
{
    const char *const term = getenv("TERM");
    *p = (struct progress){.f = f, .begun_ns = child_now_ns(), .context = "", .context_word = ""};
    p->is_terminal = term && term[0] && strcmp(term, "dumb") != 0 && isatty(fileno(f));
}

/* As it is now: a window may be made wider or narrower at any time. */
static uint32_t get_columns(const struct progress *p)
{
    struct winsize size = {.ws_col = 0};
    int const fd = fileno(p->f);
    bool const is_known = fd >= 0 && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return is_known ? size.ws_col : (uint32_t)COLUMNS_DEFAULT;
}

void progress_clear(struct progress *p)
{
    if (p && p->is_drawn) {
        (void)fputs("\r\033[K", p->f);
        (void)fflush(p->f);
        p->is_drawn = false;
    }
}

bool progress_is_due(const struct progress *p)
{
    if (!p) {
        return false;
    }
    uint64_t const now = child_now_ns();
    if (p->is_terminal) {
        return p->shown_ns == 0 || now - p->shown_ns >= DRAW_NS;
    }
    return now - (p->shown_ns ? p->shown_ns : p->begun_ns) >= MINUTE_NS;
}

/* Put the part behind what the line has, if that is not more than n_columns then. The first one is cut instead. */
static void add_part(char line[LINE_BYTES], const char *part, uint32_t n_columns)
{
    size_t const n = strlen(line);
    const char *const separator = n ? "; " : "";
    size_t const n_more = strlen(separator) + strlen(part);
    bool const fits =
        printable_columns(line) + strlen(separator) + printable_columns(part) <= n_columns;
    if (fits && n + n_more < LINE_BYTES) {
        (void)snprintf(line + n, LINE_BYTES - n, "%s%s", separator, part);
    } else if (n == 0) {
        size_t at = 0;
        for (uint32_t columns = 0;
             part[at] && columns < n_columns && at < LINE_BYTES - PRINTABLE_BYTES;) {
            char one[PRINTABLE_BYTES];
            size_t const n_taken = printable_take_char(part + at, one);
            columns += printable_columns(one);
            if (columns <= n_columns) {
                (void)memcpy(line + at, part + at, n_taken);
                at += n_taken;
            }
        }
        line[at] = '\0';
    }
}

static void put_line(struct progress *p, const char *line)
{
    if (!p->is_terminal) {
        printable_print(p->f, "%s\n", line);
    } else {
        printable_print(p->f, "\r%s\033[K", line);
        p->is_drawn = true;
    }
    (void)fflush(p->f);
}

/* "bucket 7 of 20, about 6 min left". */
static void put_context(const struct progress *p, char out[CONTEXT_BYTES])
{
    char time[PROGRESS_TIME_BYTES];
    uint64_t const now = child_now_ns();
    if (now >= p->context_end_ns) {
        (void)snprintf(out, CONTEXT_BYTES, "%s, a little longer", p->context);
        return;
    }
    (void)snprintf(out, CONTEXT_BYTES, "%s, %s %s left", p->context, p->context_word,
                   progress_time(time, p->context_end_ns - now));
}

/* Show how far a command is, if a line is due: the context, then the parts that are not empty,
 * as many as the terminal has columns for, and how many messages were left out since the last line. */
void progress_show(struct progress *p, const char *const *parts, size_t n)
{
    char line[LINE_BYTES] = "", left_out[CONTEXT_BYTES], context[CONTEXT_BYTES];
    if (!progress_is_due(p)) {
        return;
    }
    /* The last column stays free: a line that ends there may go on in the next row. */
    uint32_t const n_columns = p->is_terminal ? get_columns(p) - 1 : UINT32_MAX;
    if (p->context[0]) {
        put_context(p, context);
        add_part(line, context, n_columns);
    }
    for (size_t i = 0; i < n; i++) {
        if (parts[i][0]) {
            add_part(line, parts[i], n_columns);
        }
    }
    if (p->n_left_out) {
        (void)snprintf(left_out, sizeof left_out, "%" PRIu32 " messages left out", p->n_left_out);
        add_part(line, left_out, n_columns);
        p->n_left_out = 0;
    }
    put_line(p, line);
    p->shown_ns = child_now_ns();
}

PRINTF_LIKE(2, 0)
static void say(struct progress *p, const char *fmt, va_list args)
{
    char text[LINE_BYTES];
    (void)vsnprintf(text, sizeof text, fmt, args);
    progress_clear(p);
    printable_print(p->f, "%s\n", text);
    (void)fflush(p->f);
}

void progress_say(struct progress *p, const char *fmt, ...)
{
    va_list args;
    if (!p) {
        return;
    }
    uint64_t const n_allowed = SAY_AT_ONCE + (child_now_ns() - p->begun_ns) / SAY_NS;
    if (!p->is_terminal && p->n_said >= n_allowed) {
        p->n_left_out++;
        return;
    }
    p->n_said++;
    va_start(args, fmt);
    say(p, fmt, args);
    va_end(args);
}

void progress_say_parts(struct progress *p, const char *const *parts, size_t n)
{
    char line[LINE_BYTES] = "";
    uint32_t const n_columns = p && p->is_terminal ? get_columns(p) : UINT32_MAX;
    for (size_t i = 0; i < n; i++) {
        if (parts[i][0]) {
            add_part(line, parts[i], n_columns);
        }
    }
    progress_say(p, "%s", line);
}

void progress_warn(struct progress *p, const char *fmt, ...)
{
    va_list args;
    if (!p) {
        return;
    }
    va_start(args, fmt);
    say(p, fmt, args);
    va_end(args);
}

const char *progress_time(char out[PROGRESS_TIME_BYTES], uint64_t ns)
{
    uint64_t const minutes = (ns + MINUTE_NS / 2) / MINUTE_NS;
    if (ns < 100 * SECOND_NS) {
        (void)snprintf(out, PROGRESS_TIME_BYTES, "%" PRIu64 " s", (ns + SECOND_NS / 2) / SECOND_NS);
    } else if (minutes < 100) {
        (void)snprintf(out, PROGRESS_TIME_BYTES, "%" PRIu64 " min", minutes);
    } else if (ns < 2 * DAY_NS) {
        (void)snprintf(out, PROGRESS_TIME_BYTES, "%" PRIu64 " h %" PRIu64 " min", minutes / 60,
                       minutes % 60);
    } else {
        (void)snprintf(out, PROGRESS_TIME_BYTES, "%" PRIu64 " d %" PRIu64 " h", ns / DAY_NS,
                       ns % DAY_NS / HOUR_NS);
    }
    return out;
}
