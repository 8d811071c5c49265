/* reports/folder/bug_words.c -- a Markdown document in the words of one environment. */
#include "reports/folder/bug_words.h"

#include <stdbool.h>
#include <string.h>

#include "oracle/tables/words.h"

/* What ends a part that is not ours, by the character that begins it; '\0': it begins none. */
static char find_end(char c)
{
    return c == '`' || c == '"' ? c : c == '<' ? '>' : '\0';
}

static void put_part(enum env env, const char *text, size_t n, bool is_ours, struct arena *a,
                     FILE *f)
{
    const char *const part = arena_printf(a, "%.*s", (int)n, text);
    (void)fputs(is_ours ? words_say(env, part, a) : part, f);
}

/* A backslash makes the character behind it plain (markdown_put_text). */
static void put_line(enum env env, const char *line, size_t n, struct arena *a, FILE *f)
{
    size_t from = 0;
    char end = '\0';
    for (size_t i = 0; i < n; i++) {
        if (line[i] == '\\' && i + 1 < n) {
            i++;
        } else if (end ? line[i] == end : find_end(line[i]) != '\0') {
            put_part(env, line + from, i - from, !end, a, f);
            from = i;
            end = end ? '\0' : find_end(line[i]);
        }
    }
    put_part(env, line + from, n - from, !end, a, f);
}

/* A block of code stands between lines of at least three backticks, the first and the last of them equally many. */
void bug_put_words(enum env env, const char *markdown, FILE *f)
{
    struct arena a;
    size_t n_fence = 0;
    arena_init(&a, (size_t)1 << 20);
    for (const char *line = markdown; *line;) {
        size_t const n = strcspn(line, "\n"), n_ticks = strspn(line, "`");
        bool const is_fence = n_ticks >= 3 && (n_fence == 0 || n_ticks == n_fence);
        if (is_fence || n_fence > 0 || line == markdown) {
            (void)fprintf(f, "%.*s", (int)n, line);
        } else {
            put_line(env, line, n, &a, f);
        }
        n_fence = !is_fence ? n_fence : n_fence ? 0 : n_ticks;
        (void)fputs(line[n] ? "\n" : "", f);
        line += n + (line[n] == '\n');
        arena_reset(&a);
    }
    arena_free(&a);
}
