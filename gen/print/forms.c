/* gen/print/forms.c -- in which forms OpenCL C programs call the functions of atomics. */
#include "gen/print/forms.h"

#include <inttypes.h>
#include <string.h>

static const char *const functions[FORMS_FUNCTIONS] = {"load",
                                                       "store",
                                                       "exchange",
                                                       "fetch_add",
                                                       "fetch_sub",
                                                       "fetch_min",
                                                       "fetch_max",
                                                       "fetch_and",
                                                       "fetch_or",
                                                       "fetch_xor",
                                                       "compare_exchange_strong"};
static const char *const types[FORMS_TYPES] = {"half", "float", "double", "int",
                                               "uint", "long",  "ulong"};
enum space {
    SPACE_GLOBAL,
    SPACE_LOCAL,
    SPACE_GENERIC
};
static const char *const spaces[FORMS_SPACES] = {
    [SPACE_GLOBAL] = "global", [SPACE_LOCAL] = "local", [SPACE_GENERIC] = "generic"};
enum {
    FIRST_OF_INTEGERS_ALONE = 7, /* and, or, xor, compare_exchange_strong */
    FIRST_INTEGER = 3
};
enum spelling {
    SPELLING_PLAIN,
    SPELLING_ORDER,
    SPELLING_SCOPE,
    SPELLING_RUN_TIME,
    SPELLING_VOLATILE,
    SPELLING_NOT_VOLATILE
};

/* The row whose name the text begins with, followed by `end`; n: there is none. */
static uint32_t find(const char *const *names, uint32_t n, const char *text, char end)
{
    uint32_t i = 0;
    for (; i < n; i++) {
        size_t const length = strlen(names[i]);
        if (strncmp(text, names[i], length) == 0 && text[length] == end) {
            return i;
        }
    }
    return n;
}

/* Moves *at behind the word if the text begins with it; false: it does not, and *at stays. */
static bool take(const char **at, const char *word)
{
    size_t const n = strlen(word);
    if (strncmp(*at, word, n) != 0) {
        return false;
    }
    *at += n;
    return true;
}

/* Counts one call of an atomic function in the text: `at` stands behind "atomic_" of a call like
 * `atomic_fetch_add_explicit((volatile __global atomic_float *)p, ...);` (clc_put_atomic). Other texts, such
 * as the name of a type, are not counted. Function, type and address space choose a group of counters. Of
 * it one counter goes up for the arguments (plain, an order, or a scope too), one for volatile or not, and
 * one where an argument is computed at run time. */
static void add_call(struct forms *f, const char *at)
{
    /* a call stands on one line: what is behind is not its own */
    const char *const end = strchr(at, '\n');
    const char *const order = strstr(at, "memory_order_");
    const char *const scope = strstr(at, "memory_scope_");
    const char *const run_time = strstr(at, "get_global_offset"); /* at_run_time of clc_atomic.c */
    uint32_t function = 0;
    while (function < FORMS_FUNCTIONS && !take(&at, functions[function])) {
        function++;
    }
    if (function == FORMS_FUNCTIONS || !end) {
        return;
    }
    /* the name may go on so; order and scope are read from the arguments */
    (void)take(&at, "_explicit");
    if (!take(&at, "((")) { /* not a call, whose first argument is a cast pointer */
        return;
    }
    bool const is_volatile = take(&at, "volatile ");
    /* a generic pointer has no word for its address space */
    enum space const space = take(&at, "__global ")  ? SPACE_GLOBAL
                             : take(&at, "__local ") ? SPACE_LOCAL
                                                     : SPACE_GENERIC;
    uint32_t const type = take(&at, "atomic_") ? find(types, FORMS_TYPES, at, ' ') : FORMS_TYPES;
    if (type == FORMS_TYPES) {
        return;
    }
    uint64_t *const counts = f->n[function][type][space];
    bool const has_scope = scope && scope < end; /* a call with a scope has an order too */
    bool const has_order = order && order < end;
    counts[has_scope ? SPELLING_SCOPE : has_order ? SPELLING_ORDER : SPELLING_PLAIN]++;
    counts[SPELLING_RUN_TIME] += run_time && run_time < end;
    counts[is_volatile ? SPELLING_VOLATILE : SPELLING_NOT_VOLATILE]++;
}

void forms_add(struct forms *f, const char *source)
{
    static const char prefix[] = "atomic_";
    f->n_programs++;
    for (const char *at = strstr(source, prefix); at; at = strstr(at, prefix)) {
        at += sizeof prefix - 1;
        add_call(f, at);
    }
}

static bool is_possible(uint32_t function, uint32_t type)
{
    return function < FIRST_OF_INTEGERS_ALONE || type >= FIRST_INTEGER;
}

/* Signed types occur where a function depends on the sign: min and max. */
static bool is_drawn(uint32_t function, uint32_t type)
{
    enum {
        TYPE_INT = 3, /* rows of `types` */
        TYPE_LONG = 5,
        FETCH_MIN = 5, /* rows of `functions` */
        FETCH_MAX = 6
    };
    bool const is_signed = type == TYPE_INT || type == TYPE_LONG;
    bool const is_min_max = function == FETCH_MIN || function == FETCH_MAX;
    return is_possible(function, type) && (!is_signed || is_min_max);
}

/* Combinations that no program had, of those that the extension and the language have: integers alone are compared,
 * and combined by bits. */
static uint32_t count_missing(const struct forms *f)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < FORMS_FUNCTIONS * FORMS_TYPES * FORMS_SPACES * FORMS_SPELLINGS; i++) {
        uint32_t const spelling = i % FORMS_SPELLINGS;
        uint32_t const space = i / FORMS_SPELLINGS % FORMS_SPACES;
        uint32_t const type = i / FORMS_SPELLINGS / FORMS_SPACES % FORMS_TYPES;
        uint32_t const function = i / FORMS_SPELLINGS / FORMS_SPACES / FORMS_TYPES;
        n += is_drawn(function, type) && f->n[function][type][space][spelling] == 0;
    }
    return n;
}

void forms_write(const struct forms *f, FILE *out)
{
    (void)fprintf(out, "%-25s %-7s %-8s %8s %8s %8s %8s %8s %8s\n", "function", "type", "space",
                  "plain", "order", "scope", "run time", "volatile", "not");
    for (uint32_t i = 0; i < FORMS_FUNCTIONS * FORMS_TYPES * FORMS_SPACES; i++) {
        uint32_t const space = i % FORMS_SPACES;
        uint32_t const type = i / FORMS_SPACES % FORMS_TYPES;
        uint32_t const function = i / FORMS_SPACES / FORMS_TYPES;
        uint64_t const *const n = f->n[function][type][space];
        if (is_drawn(function, type)) {
            (void)fprintf(out, "%-25s %-7s %-8s", functions[function], types[type], spaces[space]);
            for (uint32_t k = 0; k < FORMS_SPELLINGS; k++) {
                (void)fprintf(out, " %8" PRIu64, n[k]);
            }
            (void)fprintf(out, "\n");
        }
    }
    (void)fprintf(out, "\n%-29s %10" PRIu64 "\n%-29s %10" PRIu32 "\n", "programs", f->n_programs,
                  "combinations missing", count_missing(f));
}
