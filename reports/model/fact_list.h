/* reports/model/fact_list.h -- lists of facts under construction. */
#pragma once

#include "reports/model/report_view.h"

/* Facts of one block: room for the longest list. */
enum {
    FACTS_MAX = 28
};
/* A list of facts under construction; NULL texts and "" are left out. facts_open: 0 when the arena is
 * full. */
struct facts_builder {
    struct report_fact *fact;
    uint32_t n;
};
int facts_open(struct facts_builder *b, struct arena *a);
void facts_add(struct facts_builder *b, const char *label, const char *text, enum report_look look,
               enum report_tone tone);
void facts_add_text(struct facts_builder *b, const char *label, const char *text);
struct report_facts facts_close(const struct facts_builder *b);
