/* fuzz/targets/targets_sim.c -- simulated targets by their names: strategy, environment, and what is wrong. */
#include "fuzz/targets/targets_sim.h"

#include <stdio.h>
#include <string.h>

#include "base/ops.h"
#include "base/testcase.h"
#include "oracle/fault/faults.h"
#include "oracle/judge/judge.h"
#include "oracle/sim/hard_fault.h"
#include "oracle/sim/sim.h"
#include "oracle/tables/storage.h"

enum {
    MAX_WORD = 64,
    FAULT_WORDS = 4 /* fault, instruction, type, storage */
};

/* Read the first part of a simulated target's name behind "sim-": a strategy, any or ieee, and perhaps
 * -opencl, -vulkan or -opencl-c, the environment or language. Without one it takes cases of both environments
 * (alternates). 0: it is none of these. */
static int take_base(const char *base, struct target *t)
{
    for (int c = 0; c < SIM_STRATEGY_N; c++) {
        size_t const n = strlen(sim_strategy_names[c]);
        if (strncmp(base, sim_strategy_names[c], n) != 0) {
            continue;
        }
        t->strategy = (enum sim_strategy)c;
        t->alternates = base[n] == '\0';
        for (int env = 0; env < ENV_N; env++) {
            if (base[n] == '-' && strcmp(base + n + 1, env_names[env]) == 0) {
                t->env = (enum env)env;
                return 1;
            }
        }
        if (base[n] == '-' && strcmp(base + n + 1, language_names[LANGUAGE_OPENCL_C]) == 0) {
            t->env = ENV_CL;
            t->language = LANGUAGE_OPENCL_C;
            return 1;
        }
        return t->alternates;
    }
    return 0;
}

static int find_name(const char *const *names, int n, const char *word)
{
    for (int i = 0; i < n; i++) {
        if (strcmp(names[i], word) == 0) {
            return i;
        }
    }
    return -1;
}

/* Read a word of a simulated target's name into the plan of its fault. Word 0 is the fault; words 1 to 3 are the
 * instruction, the type and the storage at which it acts. 0: there is nothing of that name. */
static int take_fault_word(int at, const char *word, struct fault_plan *p)
{
    int found = -1;
    switch (at) {
    case 0: /* a hard fault is a whole plan, a plain one its first part */
        found = hard_find(word);
        if (found >= 0) {
            *p = hard_plan_of((enum hard_id)found);
            break;
        }
        found = fault_find(word);
        p->id = found >= 0 ? (enum fault_id)found : FAULT_NONE;
        break;
    case 1:
        p->op = found = op_find_name(word);
        break;
    case 2:
        p->type = found = find_name(val_type_names, VT_N, word);
        break;
    default:
        p->storage = found = find_name(storage_names, STORAGE_N, word);
        break;
    }
    return found >= 0;
}

/* The words that there are for place `at` of a fault. */
static const char *list_words(int at, struct arena *a)
{
    static const int n[FAULT_WORDS] = {FAULT_NONE, OP_N, VT_N, STORAGE_N};
    const char *text = "";
    for (int i = 0; i < n[at]; i++) {
        const char *const name = at == 0   ? fault_rows[i].id
                                 : at == 1 ? op_rows[i].name
                                 : at == 2 ? val_type_names[i]
                                           : storage_names[i];
        text = arena_printf(a, "%s %s", text, name);
    }
    return text;
}

/* Read a plan of faults such as "SUM_OFF_ULP:AtomicFAddEXT:f32:workgroup+...". The words of a fault are separated
 * by ':', and "*" stands for any. After a '+' another fault follows, which is read by recursion into out->next. */
enum res targets_read_plan(const char *text, struct fault_plan *out, struct arena *a, struct err *e)
{
    static const char *const what[FAULT_WORDS] = {"fault", "instruction", "type", "storage"};
    char word[MAX_WORD];
    *out = fault_plan_of(FAULT_NONE);
    for (int i = 0;; i++) {
        size_t const n = strcspn(text, ":+");
        (void)snprintf(word, sizeof word, "%.*s", (int)n, text);
        bool const is_any = strcmp(word, "*") == 0;
        if (i >= FAULT_WORDS) {
            return err_set(e, RES_USAGE, "\"%.80s\": no fifth word, as in \"%s\"", text, word);
        }
        if (!is_any && !take_fault_word(i, word, out)) {
            return err_set_list(e, RES_USAGE, list_words(i, a),
                                "\"%.80s\": no %s \"%s\"; accepted names:", text, what[i], word);
        }
        out->everywhere = 1; /* it acts at all sites that its words fit, not at one */
        text += n;
        if (!*text) {
            return RES_OK;
        }
        if (*text++ == '+') {
            break;
        }
    }
    struct fault_plan *next = ARENA_NEW(a, struct fault_plan, 1);
    if (!next) {
        return err_set(e, RES_NOMEM, "no memory for a target");
    }
    out->next = next;
    return targets_read_plan(text, next, a, e);
}

/* Make a simulated target of its name, such as sim-ieee:SUM_OFF_ULP:AtomicFAddEXT:f32:global: a base, then up
 * to four words for a fault that it has everywhere. RES_USAGE: the name says nothing known. */
enum res targets_make_sim(const char *name, struct target *t, struct arena *a, struct err *e)
{
    static const char prefix[] = "sim-";
    size_t const n_prefix = sizeof prefix - 1;
    char word[MAX_WORD];
    size_t n = strcspn(name, ":");
    *t = (struct target){.name = arena_printf(a, "%s", name),
                         .kind = TARGET_SIM,
                         .env = ENV_CL,
                         .fault = fault_plan_of(FAULT_NONE),
                         .origin = "found"};
    (void)snprintf(word, sizeof word, "%.*s", (int)n, name);
    if (!t->name) {
        return err_set(e, RES_NOMEM, "no memory for a target");
    }
    if (n < n_prefix || !take_base(word + n_prefix, t)) {
        return err_set(
            e, RES_USAGE,
            "no target \"%.60s\"; simulated ones are sim-any and sim-ieee, with -opencl or "
            "-vulkan and a fault behind: sim-ieee:SUM_OFF_ULP",
            name);
    }
    return name[n] == ':' ? targets_read_plan(name + n + 1, &t->fault, a, e) : RES_OK;
}
