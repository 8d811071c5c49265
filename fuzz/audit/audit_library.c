/* fuzz/audit/audit_library.c -- what the facts of a math library say of its functions. */
#include "fuzz/audit/audit_library.h"

#include <stdlib.h>
#include <string.h>

#include "base/caps.h"
#include "base/format.h"

enum {
    FACT_BYTES = 512
};

bool audit_library_is_one(const char *facts)
{
    return facts_has_word(facts, "api", "library");
}

/* The value of a word KEY=VALUE of the text, "" where there is none. */
static const char *find_word(const char *text, const char *key, struct arena *a)
{
    size_t const n_key = strlen(key);
    while (*text) {
        size_t const n = strcspn(text, " ");
        if (n > n_key && strncmp(text, key, n_key) == 0 && text[n_key] == '=') {
            return arena_printf(a, "%.*s", (int)(n - n_key - 1), text + n_key + 1);
        }
        text += n + (text[n] == ' ');
    }
    return "";
}

bool audit_library_find(const char *facts, const char *name, enum fmt_id fmt, struct arena *a,
                        struct audit_library *out)
{
    char text[FACT_BYTES];
    const char *const key = arena_printf(a, "function.%s.%s", name, float_formats[fmt].name);
    if (!facts_get(facts, key, text, sizeof text)) {
        return false;
    }
    const char *const hardware = find_word(text, "hardware", a);
    const char *const bound = find_word(text, "bound", a);
    *out = (struct audit_library){.hardware = strcmp(hardware, "-") == 0 ? "" : hardware,
                                  .has_documented = bound[0] && strcmp(bound, "-") != 0,
                                  .documented = strtod(bound, NULL)};
    return true;
}

const char *audit_library_options(const struct audit_row *row, const uint32_t *forms, uint32_t n,
                                  struct arena *a)
{
    const char *text = "";
    for (uint32_t i = 0; i < n; i++) {
        enum audit_hardware const hardware = row->form[forms[i]].hardware;
        text = arena_printf(
            a, "%s%s%s", text, i ? " " : "",
            audit_hardware_names[hardware == HARDWARE_NONE ? HARDWARE_ROUNDED : hardware]);
    }
    return text;
}
