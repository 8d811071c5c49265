/* reports/model/fact_list.h -- lists of facts under construction. */
#pragma once

#include "reports/model/report_view.h"

/* Facts of one block: room for the longest list. */
enum {
    FACTS_MAX = 28
};
/* A list of facts under construction; NULL texts and "" are left out. facts_open: 0 when the arena is
 * full. */
struct fact_list {
    struct report_fact *fact;
    uint32_t n;
};
int fact_list_open(struct fact_list *b, struct arena *a);
void fact_list_add(struct fact_list *b, const char *label, const char *text, enum report_look look,
                   enum report_tone tone);
void fact_list_add_text(struct fact_list *b, const char *label, const char *text);
struct report_facts fact_list_close(const struct fact_list *b);
