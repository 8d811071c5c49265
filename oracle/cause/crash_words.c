/* oracle/cause/crash_words.c -- what is told of a crash, as words that are the same in each run. */
#include "oracle/cause/crash_words.h"

#include <string.h>

#include "oracle/cause/stable_text.h"

enum {
    MAX_FRAMES = 3,   /* that tell one crash from another */
    MAX_WORDS = 2048, /* of all that is told */
};

const char *crash_get_words(const char *line, struct arena *a)
{
    return stable_text(line, true, MAX_WORDS, a);
}

/* Where the frames begin: behind the pass and the reason, in which anything but a line's end may stand. */
static size_t find_frames(const char *words)
{
    static const char pass[] = "pass '";
    size_t at = 0;
    if (strncmp(words, pass, sizeof pass - 1) == 0) {
        at = sizeof pass - 1 + strcspn(words + sizeof pass - 1, "'");
        at += words[at] == '\'';
        at += words[at] == ' ';
    }
    const char *const last = words[at] == '"' ? strrchr(words + at, '"') : NULL;
    return last ? (size_t)(last + 1 - words) : at;
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
    return stable_text(arena_printf(a, "%.*s", (int)crash_measure_core(words), words), false,
                       MAX_WORDS, a);
}
