/* reports/bug/bug_facts.h -- what tells that a bug is there, and what is known of it. */
#pragma once

#include "base/format.h"
#include "base/testcase.h"
#include "reports/bug/bug.h"

/* What tells that the bug is there. */
enum bug_kind {
    BUG_WORDS,   /* a word that is not permitted */
    BUG_ORDER,   /* operations on a location that no order explains */
    BUG_IDS,     /* sub-groups that cannot be */
    BUG_OUTPUTS, /* all outputs are as they were */
    BUG_MARGINS, /* a byte beside a buffer has changed */
    BUG_DIES,    /* the driver dies, hangs, ends the process or loses the device */
    BUG_REFUSED  /* an error code */
};
enum bug_kind bug_get_kind(const struct bug *b);
/* How many runs are made before the bug is said not to be there. */
uint32_t bug_get_runs(const struct bug *b);
/* Does a field of a finding say something? */
bool bug_is_given(const char *text);
/* Is the case of that class: legal, of a feature that is not listed, illegal? */
bool bug_is_of_class(const struct bug *b, enum case_class class);
/* Did halfulp interpret what the driver compiled, as there is no device that could? */
bool bug_is_interpreted(const struct bug *b);
/* The file of the folder that the driver is given. */
const char *bug_get_file(const struct bug *b);
/* The target as halfulp devices calls it, without a planted fault; "": it has no name that is a plain word. */
const char *bug_name_target(const struct bug *b, struct arena *a);
/* What the program of the folder is linked with. Compilers in drivers look for functions such as fmodf in the program. */
const char *bug_get_libraries(const struct bug *b);
/* What the device said of itself; "" where nothing is known. */
const char *bug_get_facts(const struct bug *b);
/* What a word may hold, for people: "0x00000000 (0), 0x3f800000 (1) to 0x3f800002 (...), any quiet
 * NaN". */
const char *bug_get_permitted(const struct bug *b, const struct expect *x, struct arena *a);
/* The bits of a word, for people. */
const char *bug_get_value(const struct bug *b, const struct expect *x, uint64_t bits,
                          struct arena *a);
/* The same for the middle of a sentence: "a NaN", "-0", "1.5". */
const char *bug_get_plain(const struct bug *b, const struct expect *x, uint64_t bits,
                          struct arena *a);
/* What the word holds after the run; false: the outputs do not have it. */
bool bug_get_word(const struct bug *b, const struct expect *x, uint64_t *bits);
/* How the bits of a word are to be read: as a float of its size where it is one, or where the bug is
 * about such floats, which are often stored as integers; else NULL. */
const struct float_format *bug_get_format(const struct bug *b, const struct expect *x);
/* What would explain all that is wrong, out of the text that triage found (fuzz/triage/cause_text.h). */
struct bug_cause {
    const char *sentence; /* "a subnormal result is flushed where it must be kept"; "": none */
    bool is_whole;        /* and all that is right fits as well */
    bool is_of_any;       /* it is not about the one instruction that is accused */
};
struct bug_cause bug_find_cause(const char *cause, struct arena *a);
