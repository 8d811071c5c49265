/* fuzz/process/test_progress.c -- a line of progress fits the terminal, and an hour's log is short. */
#define _GNU_SOURCE /* posix_openpt, open_memstream */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* after those */
#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "fuzz/process/child_time.h"
#include "fuzz/process/progress.h"

enum {
    MAX_TEXT = 4096
};
#define SECOND_NS UINT64_C(1000000000)
static const char *const parts[] = {"12 min left",
                                    "",
                                    "3 buckets",
                                    "last new 40 min ago",
                                    "520 cases (42/s)",
                                    "11729 features",
                                    "intel-cpu 260 (21/s), lavapipe 260 (21/s)"};

/* What a terminal of that width gets of a line, without what moves the cursor. */
static void draw(unsigned short n_columns, const char *context, char out[MAX_TEXT])
{
    struct winsize const size = {.ws_row = 24, .ws_col = n_columns};
    struct progress p;
    int const master = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    FILE *const f = fopen(ptsname(master), "w");
    assert_non_null(f);
    assert_int_equal(ioctl(master, TIOCSWINSZ, &size), 0);
    assert_int_equal(setenv("TERM", "xterm", 1), 0);
    progress_open(&p, f);
    assert_true(p.is_terminal);
    p.context = context;
    p.context_word = "about";
    p.context_end_ns = child_now_ns() + 360 * SECOND_NS;
    progress_show(&p, parts, ARRAY_N(parts));
    ssize_t const n = read(master, out, MAX_TEXT - 1);
    assert_true(n > 0);
    out[n] = '\0';
    assert_int_equal(out[0], '\r');
    char *const end = strstr(out, "\033[K");
    assert_non_null(end);
    *end = '\0';
    memmove(out, out + 1, strlen(out));
    (void)fclose(f);
    (void)close(master);
}

static void a_line_fits_the_terminal(void **state)
{
    (void)state;
    static const struct {
        unsigned short n_columns;
        const char *context, *want;
    } rows[] = {
        {200, "",
         "12 min left; 3 buckets; last new 40 min ago; 520 cases (42/s); 11729 features; "
         "intel-cpu 260 (21/s), lavapipe 260 (21/s)"                                                           },
        {80,  "",               "12 min left; 3 buckets; last new 40 min ago; 520 cases (42/s); 11729 features"},
        {40,  "",               "12 min left; 3 buckets; 11729 features"                                       },
        {8,   "",               "12 min "                                                                      },
        {40,  "bucket 7 of 20", "bucket 7 of 20, about 6 min left"                                             },
        {80,  "bucket 7 of 20",
         "bucket 7 of 20, about 6 min left; 12 min left; 3 buckets; last new 40 min ago"                       },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        char got[MAX_TEXT];
        draw(rows[i].n_columns, rows[i].context, got);
        assert_string_equal(got, rows[i].want);
        assert_true(strlen(got) < rows[i].n_columns);
    }
}

static size_t count_lines(const char *text)
{
    size_t n = 0;
    for (; *text; text++) {
        n += *text == '\n';
    }
    return n;
}

/* An hour in which something happens each second, by setting the clock of the log back. */
static void a_log_of_an_hour_is_short(void **state)
{
    (void)state;
    struct progress p;
    char *text = NULL;
    size_t n_bytes = 0;
    FILE *const f = open_memstream(&text, &n_bytes);
    assert_non_null(f);
    progress_open(&p, f);
    assert_false(p.is_terminal);
    for (int second = 0; second < 3600; second++) {
        p.begun_ns -= SECOND_NS;
        p.shown_ns -= p.shown_ns ? SECOND_NS : 0;
        progress_show(&p, parts, ARRAY_N(parts));
        progress_say(&p, "worker replaced");
    }
    progress_warn(&p, "given up");
    (void)fclose(f);
    size_t const n = count_lines(text);
    print_message("%zu lines\n", n);
    assert_true(n >= 60 && n <= 100);
    assert_non_null(strstr(text, "520 cases (42/s); 11729 features; intel-cpu"));
    assert_non_null(strstr(text, " messages left out\n"));
    assert_non_null(strstr(text, "given up\n"));
    assert_null(strchr(text, '\r'));
    free(text);
}

static void times_are_said_as_one_would(void **state)
{
    (void)state;
    static const struct {
        uint64_t s;
        const char *want;
    } rows[] = {
        {0,      "0 s"       },
        {99,     "99 s"      },
        {100,    "2 min"     },
        {3600,   "60 min"    },
        {7500,   "2 h 5 min" },
        {172799, "48 h 0 min"},
        {273600, "3 d 4 h"   },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        char got[PROGRESS_TIME_BYTES];
        assert_string_equal(progress_time(got, rows[i].s * SECOND_NS), rows[i].want);
    }
}

/* One that is NULL is of a command that shall be quiet. */
static void quiet_is_quiet(void **state)
{
    (void)state;
    progress_show(NULL, parts, ARRAY_N(parts));
    progress_say(NULL, "x");
    progress_warn(NULL, "x");
    progress_clear(NULL);
    assert_false(progress_is_due(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_fits_the_terminal),
        cmocka_unit_test(a_log_of_an_hour_is_short),
        cmocka_unit_test(times_are_said_as_one_would),
        cmocka_unit_test(quiet_is_quiet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
