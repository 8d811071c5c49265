/* reports/bug/bug_end.c -- how a run ended that did not end well, in words. */
#include "reports/bug/bug_end.h"

#include <signal.h>
#include <string.h>

#include "base/testcase.h"
#include "oracle/tables/words.h"
#include "reports/bug/bug_module.h"

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

const char *bug_name_signal(int number, struct arena *a)
{
    static const struct {
        int number;
        const char *name;
    } rows[] = {
        {SIGSEGV, "SIGSEGV"},
        {SIGABRT, "SIGABRT"},
        {SIGBUS,  "SIGBUS" },
        {SIGFPE,  "SIGFPE" },
        {SIGILL,  "SIGILL" },
        {SIGTRAP, "SIGTRAP"},
        {SIGKILL, "SIGKILL"},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (rows[i].number == number) {
            return rows[i].name;
        }
    }
    return arena_printf(a, "signal %d", number);
}

/* The name of the innermost function of a crash's line, "LIBRARY+NAME;..."; "" where it has none, or one of C++, whose
 * names are long. */
static const char *find_function(const char *line, struct arena *a)
{
    const char *const quote = strrchr(line, '"');
    const char *const first = quote ? quote + 1 : line;
    size_t const n = strcspn(first, ";");
    const char *const plus = memchr(first, '+', n);
    bool const is_named = plus && !begins(plus, "+0x") && !begins(plus, "+_Z");
    return is_named ? arena_printf(a, "%.*s", (int)(n - (size_t)(plus + 1 - first)), plus + 1) : "";
}

/* " in pass 'NAME'", " while ...": where in the driver; a crash's line has its pass first. */
const char *bug_describe_phase(const struct bug *b, struct arena *a)
{
    static const char *const phases[RUN_PHASE_N] = {
        [PHASE_START] = " while a kernel is built or run",
        [PHASE_BUILD] = " while a kernel is built",
        [PHASE_RUN] = " while a kernel runs",
        [PHASE_READ] = " while results are read",
        [PHASE_DONE] = " after the run",
    };
    static const char pass[] = "pass '";
    const char *const line = b->ob->signature ? b->ob->signature : "";
    if (begins(line, pass)) {
        size_t const n = strcspn(line + strlen(pass), "'");
        return arena_printf(a, " in compiler %.*s'", (int)(strlen(pass) + n), line);
    }
    const char *const phase = words_say(b->tc->env, phases[b->ob->phase], a);
    const char *const frame = find_function(line, a);
    return frame[0] ? arena_printf(a, " in %s%s", frame, phase) : phase;
}

/* What the driver gave as its reason, ": LLVM ERROR: Cannot select"; "": it gave none. A crash's line is pass 'NAME'
 * "REASON" FRAME;FRAME (oracle/cause/crash_words.h), and may lack any part. The reason may itself hold quotes; the
 * last quote of the line ends it. The text before "Assertion `" is dropped: file and function are in the log.
 * Punctuation at the end is dropped, and a long reason is cut. */
static const char *describe_reason(const struct bug *b, struct arena *a)
{
    enum {
        MAX_REASON = 120 /* bytes: a title is one line */
    };
    static const char assertion[] = "Assertion `";
    const char *const line = b->ob->signature ? b->ob->signature : "";
    const char *const from = line[0] == '"' ? line : strstr(line, "' \""); /* or behind the pass */
    const char *open = from ? strchr(from, '"') : NULL;
    const char *const close = open ? strrchr(open + 1, '"') : NULL;
    if (!close || close == open + 1) {
        return "";
    }
    const char *const asserted = strstr(open + 1, assertion);
    if (asserted && asserted < close) {
        open = asserted - 1; /* as if the quote were there */
    }
    size_t n = (size_t)(close - open - 1);
    while (n > 0 && strchr(": .", open[n])) { /* open is one before the text: its last character */
        n--;
    }
    bool const is_long = n > MAX_REASON;
    return arena_printf(a, ": %.*s%s", is_long ? MAX_REASON : (int)n, open + 1,
                        is_long ? "..." : "");
}

/* Is the word, of n bytes, a type or an address space? */
static bool is_detail(const char *word, size_t n)
{
    static const char *const details[] = {"bool",     "char",  "short",  "int",     "long",
                                          "half",     "float", "double", "void",    "private",
                                          "constant", "local", "global", "generic", "bfloat"};
    for (size_t i = 0; i < ARRAY_N(details); i++) {
        if (strlen(details[i]) == n && memcmp(details[i], word, n) == 0) {
            return true;
        }
    }
    return false;
}

/* Why a module was refused: "symbol missing: atomic_add half global" as ": the built-in function atomic_add (half, global) is
 * missing"; of a family, whose name has several words, "relaxed math half", as ": built-in functions are missing: relaxed math
 * (half)". */
static const char *describe_refusal(const struct bug *b, struct arena *a)
{
    static const char missing[] = "symbol missing: ";
    const char *const reason = b->reason ? b->reason : "";
    if (!begins(reason, missing)) {
        return reason[0] ? arena_printf(a, ": %s", reason) : "";
    }
    const char *name = "", *details = "";
    for (const char *at = reason + strlen(missing); *at; at += strspn(at, " ")) {
        size_t const n = strcspn(at, " ");
        const char **const to = name[0] && is_detail(at, n) ? &details : &name;
        const char *const between = to == &name ? " " : ", ";
        *to = arena_printf(a, "%s%s%.*s", *to, (*to)[0] ? between : "", (int)n, at);
        at += n;
    }
    const char *const of = details[0] ? arena_printf(a, " (%s)", details) : "";
    return strchr(name, ' ') ? arena_printf(a, ": built-in functions are missing: %s%s", name, of)
                             : arena_printf(a, ": the built-in function %s%s is missing", name, of);
}

/* " on OpGroupBroadcast (f16)": what a crash is about, where the module has nothing else. */
static const char *describe_sole(const struct bug *b, struct arena *a)
{
    const char *const sole = bug_find_sole(b->tc, a);
    return sole[0] ? arena_printf(a, " on %s", sole) : "";
}

const char *bug_describe_end(const struct bug *b, struct arena *a)
{
    switch (b->ob->status) {
    case RUN_CRASH:
        return arena_printf(a, "%s%s%s%s", bug_name_signal(b->ob->driver_code, a),
                            describe_sole(b, a), bug_describe_phase(b, a), describe_reason(b, a));
    case RUN_REJECT:
        return describe_refusal(b, a);
    case RUN_DONE:
    case RUN_HANG:
    case RUN_EXIT:
    case RUN_DEVICE_LOST:
    case RUN_HARNESS:
    case RUN_SKIPPED:
    case RUN_BUILT:
        break;
    }
    return bug_describe_phase(b, a);
}
