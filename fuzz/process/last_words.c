/* fuzz/process/last_words.c -- what a driver said of itself when it gave up, out of its log. */
#include "fuzz/process/last_words.h"

#include <signal.h>
#include <string.h>

enum {
    LAST_WORDS_BYTES = 240
};

/* Where the reason begins, what ends it besides the end of the line, what follows where it is no reason, and whether the
 * library goes on behind it and may die by any signal. */
static const struct last_words_row {
    const char *begin, *end, *no_reason;
    bool goes_on;
} last_words_rows[] = {
  /* Rust's compilers; a panic that may not unwind ends in a second one, of the library */
    {"panicked at ",            NULL,  "/usr/src/rustc", false},
    {"Assertion `",             NULL,  NULL,             false}, /* libc's assert */
    {"LLVM ERROR: ",            " 0x", NULL,             false},
    {"UNREACHABLE executed",    NULL,  NULL,             false},
    {"ACO ERROR:",              NULL,  NULL,             false},
    {"Unhandled ALU op: ",      NULL,  NULL,             true }, /* ir3's */
    {"NIR validation failed",   NULL,  NULL,             false},
    {"Internal Compiler Error", NULL,  NULL,             false},
    {"terminate called after",  NULL,  NULL,             false},
    {"*** ",                    NULL,  NULL,             false}, /* of its stack */
    {"free(): ",                NULL,  NULL,             false}, /* libc's checks of its heap */
    {"malloc(): ",              NULL,  NULL,             false},
    {"corrupted ",              NULL,  NULL,             false},
    {"undefined symbol: ",      "'",   NULL,             false}, /* of a kernel that the driver linked */
};

/* Text that a driver printed of freed memory tells nothing. */
static bool is_text(char c)
{
    return c == '\0' || c == '\n' || (c >= ' ' && c <= '~');
}

/* The last place at which the row tells a reason, or NULL. */
static const char *find_last(const char *text, const struct last_words_row *row)
{
    const char *last = NULL;
    for (const char *p = strstr(text, row->begin); p; p = strstr(p + 1, row->begin)) {
        const char *const behind = p + strlen(row->begin);
        bool const is_none =
            row->no_reason && strncmp(behind, row->no_reason, strlen(row->no_reason)) == 0;
        if (is_text(*behind) && !is_none) {
            last = p;
        }
    }
    return last;
}

/* Where "file.c:12: function: " before an assertion begins: behind the program's name, "halfulp-worker: ", and without the
 * folders of the file, which are those of the machine that built it. */
static const char *find_place(const char *log, const char *assertion)
{
    const char *begin = assertion;
    while (begin > log && begin[-1] != '\n') {
        begin--;
    }
    size_t const n_program = strcspn(begin, ":");
    size_t const n_file = begin + n_program < assertion ? strcspn(begin + n_program + 1, ":") : 0;
    const char *const line = n_file > 0 ? begin + n_program + 1 + n_file + 1 : assertion;
    if (line < assertion && *line >= '0' && *line <= '9') {
        begin += n_program + 1;
        begin += *begin == ' ';
    }
    for (const char *p = begin; p < assertion && *p != ':'; p++) {
        begin = *p == '/' ? p + 1 : begin;
    }
    return begin;
}

/* Up to the end of the line, or what the row says. The nodes of a selection, "t23:", have numbers of their own in
 * each kernel, as their addresses are. */
static size_t measure_reason(const char *begin, const struct last_words_row *row)
{
    size_t const n = strcspn(begin, "\n");
    for (size_t i = 0; row->end && i < n; i++) {
        bool const is_end = strncmp(begin + i, row->end, strlen(row->end)) == 0;
        bool const is_node = row->end[0] == ' ' && begin[i] == ' ' && begin[i + 1] == 't' &&
                             begin[i + 2] >= '0' && begin[i + 2] <= '9';
        if (is_end || is_node) {
            return i;
        }
    }
    return n;
}

/* The reason that a library gives in the log before it aborts, so that crashes in the same place are told
 * apart: of all that the rows of the table find there the last one, up to the end of its line or to what the
 * row says. "": there is none. *goes_on: the row's column. */
static const char *find_reason(const char *log, bool *goes_on, struct arena *a)
{
    const struct last_words_row *row = NULL;
    *goes_on = false;
    const char *begin = NULL;
    for (size_t i = 0; i < ARRAY_N(last_words_rows); i++) {
        const char *const at = find_last(log, &last_words_rows[i]);
        if (at && (!begin || at > begin)) {
            begin = at;
            row = &last_words_rows[i];
        }
    }
    if (!begin) {
        return "";
    }
    if (strncmp(begin, "Assertion `", strlen("Assertion `")) == 0) {
        begin = find_place(log, begin);
    }
    *goes_on = row->goes_on;
    size_t const n = measure_reason(begin, row);
    return arena_printf(a, "%.*s", (int)(n < LAST_WORDS_BYTES ? n : LAST_WORDS_BYTES), begin);
}

const char *last_words_find(const char *log, struct arena *a)
{
    bool ignored = false;
    return find_reason(log, &ignored, a);
}

const char *last_words_find_of(const char *log, int signal, struct arena *a)
{
    bool goes_on = false;
    const char *const words = find_reason(log, &goes_on, a);
    return signal == SIGABRT || (signal != 0 && goes_on) ? words : "";
}

const char *last_words_find_pass(const char *log, struct arena *a)
{
    static const char mark[] = "Running pass ";
    const char *last = NULL;
    for (const char *p = strstr(log, mark); p; p = strstr(p + 1, mark)) {
        char const quote = p[sizeof mark - 1];
        last = quote == '\'' || quote == '"' ? p + sizeof mark - 1 : last;
    }
    if (!last) {
        return "";
    }
    char const ends[] = {last[0], '\'', '\n', '\0'};
    size_t const n = strcspn(last + 1, ends);
    return arena_printf(a, "%.*s", (int)(n < LAST_WORDS_BYTES ? n : LAST_WORDS_BYTES), last + 1);
}
