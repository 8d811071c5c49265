/* reports/model/fact_list.c -- lists of facts under construction. */
#include "reports/model/fact_list.h"

#include <assert.h>

int fact_list_open(struct fact_list *b, struct arena *a)
{
    *b = (struct fact_list){.fact = ARENA_NEW(a, struct report_fact, FACTS_MAX)};
    return b->fact != NULL;
}

void fact_list_add(struct fact_list *b, const char *label, const char *text, enum report_look look,
                   enum report_tone tone)
{
    assert(b->n < FACTS_MAX);
    if (text && text[0]) {
        b->fact[b->n++] =
            (struct report_fact){.label = label, .text = text, .look = look, .tone = tone};
    }
}

void fact_list_add_text(struct fact_list *b, const char *label, const char *text)
{
    fact_list_add(b, label, text, LOOK_TEXT, TONE_PLAIN);
}

struct report_facts fact_list_close(const struct fact_list *b)
{
    return (struct report_facts){.n = b->n, .fact = b->fact};
}
