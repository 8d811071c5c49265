/* oracle/cause/crash_words.c -- what is told of a crash, as words that are the same in each run. */
#include "oracle/cause/crash_words.h"

#include <string.h>

#include "oracle/cause/stable_text.h"

enum {
    MAX_FRAMES = 3, /* that tell one crash from another */
    MAX_REASON = 320,
    MAX_WORDS = 2048 /* of all frames */
};

/* How long the part with the pass is, with the blank after it; 0: there is none. */
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

/* Where the frames begin: after the pass and the reason, in which anything but a line's end may stand. */
static size_t find_frames(const char *words)
{
    size_t const at = measure_pass(words);
    const char *const last = words[at] == '"' ? strrchr(words + at, '"') : NULL;
    return last ? (size_t)(last + 1 - words) : at;
}

/* The text with "sub_group_*" for each name of a function of sub-groups: a driver that dies of one dies of others alike. */
static const char *drop_group_functions(const char *text, struct arena *a)
{
    static const char begin[] = "sub_group_";
    const char *out = "";
    const char *at;
    while ((at = strstr(text, begin)) != NULL) {
        size_t const n_before = (size_t)(at - text) + sizeof begin - 1;
        out = arena_printf(a, "%s%.*s*", out, (int)n_before, text);
        text += n_before;
        text += strspn(text, "abcdefghijklmnopqrstuvwxyz_*");
    }
    return arena_printf(a, "%s%s", out, text);
}

/* The reason alone may hold what varies, and no assertion does: it is the driver's own text, as a pass's name is. */
const char *crash_get_words(const char *line, struct arena *a)
{
    size_t const n_pass = measure_pass(line), n = find_frames(line);
    const char *const reason = arena_printf(a, "%.*s", (int)(n - n_pass), line + n_pass);
    bool const is_constant = strstr(reason, CRASH_ASSERTION) != NULL;
    return arena_printf(
        a, "%.*s%s%s", (int)n_pass, line,
        is_constant ? reason : drop_group_functions(stable_text(reason, true, MAX_REASON, a), a),
        line + n);
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
    size_t const n = find_frames(words), n_core = crash_measure_core(words);
    const char *const frames = arena_printf(a, "%.*s", (int)(n_core - n), words + n);
    return arena_printf(a, "%.*s%s", (int)n, words, stable_text(frames, false, MAX_WORDS, a));
}
