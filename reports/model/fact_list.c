/* reports/model/fact_list.c -- lists of facts under construction. */
#include "reports/model/fact_list.h"

#include <assert.h>

int facts_open(struct facts_builder *b, struct arena *a)
{
    *b = (struct facts_builder){.fact = ARENA_NEW(a, struct report_fact, FACTS_MAX)};
    return b->fact != NULL;
}

void facts_add(struct facts_builder *b, const char *label, const char *text, enum report_look look,
               enum report_tone tone)
{
    assert(b->n < FACTS_MAX);
    if (text && text[0]) {
        b->fact[b->n++] =
            (struct report_fact){.label = label, .text = text, .look = look, .tone = tone};
    }
}

void facts_add_text(struct facts_builder *b, const char *label, const char *text)
{
    facts_add(b, label, text, LOOK_TEXT, TONE_PLAIN);
}

struct report_facts facts_close(const struct facts_builder *b)
{
    return (struct report_facts){.n = b->n, .fact = b->fact};
}
