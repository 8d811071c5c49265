/* oracle/cause/crash_words.c -- what is told of a crash, as words that are the same in each run. */
#include "oracle/cause/crash_words.h"

#include <string.h>

#include "oracle/cause/stable_text.h"

enum {
    MAX_FRAMES = 3,   /* that tell one crash from another */
    MAX_WORDS = 2048, /* of all that is told */
};

/* How long the part with the pass is, with the blank behind it; 0: there is none. */
static size_t measure_pass(const char *words)
{
    size_t n = strlen(CRASH_PASS);
    if (strncmp(words, CRASH_PASS, n) != 0) {
        return 0;
    }
    n += strcspn(words + n, "'");
    n += words[n] == '\'';
    return n + (words[n] == ' ');
}

/* Where the frames begin: behind the pass and the reason, in which anything but a line's end may stand. */
static size_t find_frames(const char *words)
{
    size_t const at = measure_pass(words);
    const char *const last = words[at] == '"' ? strrchr(words + at, '"') : NULL;
    return last ? (size_t)(last + 1 - words) : at;
}

/* How much stays as it is, for it is the driver's own text, whatever the case: the name of a pass, an assertion. */
static size_t measure_constant(const char *words)
{
    size_t const n_pass = measure_pass(words), n = find_frames(words);
    const char *const assertion = strstr(words, CRASH_ASSERTION);
    return assertion && (size_t)(assertion - words) < n ? n : n_pass;
}

const char *crash_get_words(const char *line, struct arena *a)
{
    size_t const n = measure_constant(line);
    return n == 0 ? stable_text(line, true, MAX_WORDS, a)
                  : arena_printf(a, "%.*s%s", (int)n, line,
                                 stable_text(line + n, true, MAX_WORDS, a));
}

size_t crash_measure_core(const char *words)
{
    size_t n = find_frames(words);
    for (int i = 0; i < MAX_FRAMES; i++) {
        n += strspn(words + n, ";");
        n += strcspn(words + n, ";");
    }
    return n;
}

const char *crash_get_family(const char *words, struct arena *a)
{
    int const n_same = (int)measure_constant(words), n_core = (int)crash_measure_core(words);
    const char *const rest = arena_printf(a, "%.*s", n_core - n_same, words + n_same);
    return arena_printf(a, "%.*s%s", n_same, words, stable_text(rest, false, MAX_WORDS, a));
}
