/* reports/model/report_view.h -- what a report shows, as plain facts and tables; the writers lay it out. */
#pragma once

#include "fuzz/journal/campaign_data.h"
#include "fuzz/journal/journal.h"
#include <stdio.h>

/* The two pages of a report, which lie side by side and name each other. */
#define REPORT_PAGE       "report.html"
#define REPORT_TRUST_PAGE "report-trust.html"

/* How a text is set: running text, one line of code, or a block of lines that may be folded. */
enum report_look {
    LOOK_TEXT,
    LOOK_CODE,
    LOOK_BLOCK
};
/* What a value says; always beside a text that says the same, never by colour alone. */
enum report_tone {
    TONE_PLAIN,
    TONE_MUTED,
    TONE_GOOD,
    TONE_INFO,
    TONE_BAD
};
enum {
    REPORT_TONE_N = 5
};

struct report_fact {
    const char *label;
    const char *text; /* foreign */
    enum report_look look;
    enum report_tone tone;
};
struct report_facts {
    uint32_t n;
    const struct report_fact *fact;
};

enum report_align {
    ALIGN_TEXT,
    ALIGN_NUMBER,
    ALIGN_CODE, /* text of which each character has the same width */
    ALIGN_WORDS /* text of several words: its lines may be broken */
};
enum {
    REPORT_ALIGN_N = 4
};
struct report_column {
    const char *title; /* foreign: may be a target's name */
    enum report_align align;
    int is_choice; /* few different texts: the page offers them as a choice */
};
struct report_cell {
    const char *text; /* foreign; never NULL */
    enum report_tone tone;
    const char *link; /* NULL, or where it is told of: an id of the page, or PAGE#id */
};
struct report_table {
    const char *id, *title, *note; /* id: of the section, for links */
    const char *empty;             /* said instead of a table without rows */
    uint32_t n_keys;               /* leading columns that name the row */
    uint32_t n_columns, n_rows;
    struct report_column *columns;
    struct report_cell *cells; /* n_rows * n_columns, row by row */
    const char **remarks;      /* NULL, or a text for each row, which the page shows after it */
    const char *remarks_title; /* of these */
};

/* The tables in the order in which they are shown; findings come after TABLE_INDEX. The page has an
 * order of its own. */
enum report_table_id {
    TABLE_VERDICTS, /* kind x target */
    TABLE_INDEX,    /* one row per signature and target */
    TABLE_TARGETS,
    TABLE_COVERAGE,     /* instruction x type x storage x target */
    TABLE_GROUPS,       /* per target: how much of the group operations was run */
    TABLE_SHARPNESS,    /* per instruction */
    TABLE_BUDGETS,      /* per target: what was not decided sharply */
    TABLE_UNEXECUTED,   /* why runs gave no values */
    TABLE_SLOW,         /* builds that took long, the slowest first */
    TABLE_STATISTICS,   /* of compilers: target x statistic, against an earlier campaign */
    TABLE_CONTENTION,   /* per target */
    TABLE_UNADVERTISED, /* target x feature: what came of cases of what is not listed */
    TABLE_CLAUSES,      /* divergences: clause x target */
    TABLE_CROSS,        /* same case, values that differ */
    TABLE_LANGUAGES     /* same case and driver, as a module and from source */
};
enum {
    REPORT_TABLE_N = 15
};

/* Group operations of one target: instruction, scope and operation, on a type. */
struct report_group_sums {
    uint32_t n_listed, n_run, n_rejected, n_not_reached; /* the last three are all of the first */
};
struct report_gap {
    const char *op, *type, *storage;
};
struct report_groups {
    struct report_group_sums sums;
    struct report_gap *gaps;   /* [sums.n_not_reached] */
    struct report_table table; /* a line per instruction, scope and operation; types as columns */
};

/* Findings in the order of their groups. */
enum report_group {
    GROUP_VIOLATION,
    GROUP_FLAKY,      /* violations that some reruns did not show */
    GROUP_SUPPRESSED, /* violations that a row of campaign.rows fits, or that their state sets aside */
    GROUP_DIVERGENCE,
    GROUP_UNADVERTISED, /* of cases that the target need not run */
    GROUP_INFO
};
enum {
    REPORT_GROUP_N = 6
};
struct report_group_row {
    const char *id, *title, *note, *badge;
    enum report_tone tone;
};
extern const struct report_group_row report_groups[REPORT_GROUP_N];

/* The first of a bucket names it and is followed by the others. */
struct report_finding {
    enum report_group group; /* of the bucket */
    const struct campaign_finding *raw;
    const struct campaign_target *target; /* NULL when the journal names none */
    const char *rule;   /* of the clause, in the words of the target's environment */
    uint32_t head;      /* index in report_view.findings of the first */
    uint32_t n_members; /* of the first: findings in the bucket, itself too */
    uint64_t n_all;     /* of the first: how often the bucket was seen */
    struct report_facts facts;
    uint32_t n_brief;          /* leading facts that say what it is about; the rest is evidence */
    const char *folder;        /* of the first: "bugs/NAME", below the campaign's; NULL: none */
    struct report_table where; /* of the first: the same case on each target; no rows: not known */
};

/* How a bug is listed. */
enum report_shelf {
    SHELF_NEW,  /* to be looked at and reported */
    SHELF_OPEN, /* met on an earlier night, or written down as open */
    SHELF_ASIDE /* expected, or set aside by a state */
};
enum {
    REPORT_SHELF_N = 3
};
struct report_shelf_row {
    const char *id, *title;
};
extern const struct report_shelf_row report_shelves[REPORT_SHELF_N];

/* A bug as one line tells it. Texts are foreign; "" where there is nothing to be said. */
struct report_bug {
    uint32_t at; /* in report_view.findings: the one that names its bucket */
    enum report_shelf shelf;
    int rank;            /* how bad: the greatest is the worst */
    const char *number;  /* "#12": the id of that finding, on every page and in the folder's name */
    const char *title;   /* as a tracker has it */
    const char *harm;    /* what it does to a user: "wrong values" */
    const char *targets; /* "lavapipe; also lavapipe-25" */
    const char *state;   /* "new", "open", "fixed in 25.1" */
    const char *since;   /* "2026-11-25" */
    const char *cases;   /* "12 cases" */
    const char *shown;   /* "10 of 10 runs" */
    const char *size;    /* "14 instructions" */
    const char *remark;  /* why it is on its shelf: a note that people wrote */
    const char *folder;  /* "bugs/NAME", NULL: none */
};

/* Divergences of one clause. */
struct report_clause {
    const char *id;
    uint64_t n_kinds, n_all; /* signatures on a target; findings */
    uint64_t *n;             /* findings by target */
};

struct report_view {
    const struct campaign *c;
    const char *headline;        /* one sentence: what came out */
    enum report_tone tone;       /* of the headline */
    struct report_facts numbers; /* the few to read first */
    struct report_facts campaign;
    struct report_facts verdicts; /* what each kind means */
    struct report_facts *details; /* c->n_targets of them: what each target says of itself */
    struct report_table tables[REPORT_TABLE_N];
    struct report_groups *groups; /* [n_targets], below TABLE_GROUPS; NULL: none to be shown */
    uint32_t n_clauses;
    struct report_clause *clauses; /* of TABLE_CLAUSES */
    uint32_t n_findings;
    struct report_finding *findings; /* by group, worst kind first, by family, bucket by bucket */
    uint32_t n_buckets[REPORT_GROUP_N];
    uint32_t n_bugs;
    const struct report_bug *bugs; /* shelf by shelf, the worst first */
    uint32_t n_shelf[REPORT_SHELF_N];
    struct report_facts summary; /* to be read first: sentences, each with a label of a word */
    struct report_facts nights;  /* of the history, the oldest first: when, and "2 new, 5 open" */
    struct report_facts
        states;         /* rows of the list of states that fit nothing here: state, and what */
    const char *change; /* against the baseline: "1 new, 2 still there"; "": compared with none */
    struct report_facts gone; /* what the baseline alone has: how that stands, and what */
    struct report_facts rows; /* rows of the list of expected findings: how each stands, and what */
};

/* A signature or family for people: without the words "-" that stand for nothing. */
const char *report_get_name(const char *signature, struct arena *a);
/* "10 of 10 runs in fresh workers, 9 of 10 on a loaded machine"; "not run again" for NULL. */
const char *report_reliability(const struct campaign_triage *t, struct arena *a);
/* The target with that row id, or NULL; its index is out_index (may be NULL). */
const struct campaign_target *report_find_target(const struct campaign *c, int64_t id,
                                                 uint32_t *out_index);
/* Violation, divergence or information; a kind that verdict.def lacks is shown as a violation. What
 * was found in an unadvertised case is none of these. */
enum report_group report_group_of(const struct campaign_finding *f);
