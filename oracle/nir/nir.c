/* oracle/nir/nir.c -- the door: text, descriptors, run, observation. */
#include "oracle/nir/nir.h"

#include <string.h>

#include "oracle/nir/nir_exec.h"
#include "oracle/nir_driver/nir_abi.h"
#include "oracle/nir_driver/nir_driver.h"
#include "oracle/nir_driver/nir_rules.h"
#include "oracle/nir_driver/nir_surface.h"
#include "oracle/nir_text/nir_log.h"
#include "oracle/nir_text/nir_parse.h"

/* The size of a sub-group; 0, and the answer says so: it is not known, or none that there is. */
static uint32_t get_subgroup_size(const struct nir_request *q, const struct nir_program *p,
                                  struct nir_answer *answer)
{
    uint32_t const size = q->subgroup_size ? q->subgroup_size : p->header.max_subgroup_size;
    if (size == 0 || size > CASE_MAX_SUBGROUP || (size & (size - 1)) != 0) {
        (void)nir_stop(answer, NIR_UNKNOWN, 0, "a sub-group of %u invocations is not known", size);
        return 0;
    }
    return size;
}

/* Is the program compiled for the work-groups of the case? */
static bool fits(const struct testcase *tc, const struct nir_program *p, struct nir_answer *answer)
{
    if (memcmp(tc->local, p->header.workgroup_size, sizeof tc->local) != 0) {
        return nir_stop(
            answer, NIR_BROKEN, 0, "the text is for work-groups of %ux%ux%u, the case has others",
            p->header.workgroup_size[0], p->header.workgroup_size[1], p->header.workgroup_size[2]);
    }
    return true;
}

/* The programs of a text: the second one is n_instructions 0 where the driver has none. */
static bool parse(const struct nir_request *q, const struct testcase *tc, struct arena *a,
                  struct nir_program *p, struct nir_program *preamble, struct nir_answer *answer)
{
    *preamble = (struct nir_program){.n_instructions = 0};
    if (!nir_driver_get_rules(q->driver)->is_log) {
        return nir_parse(q->text, q->n_bytes, a, p, answer);
    }
    struct nir_log const log = nir_log_find(q->text, q->n_bytes, tc->entry ? tc->entry : "");
    if (!log.main) {
        return nir_stop(answer, NIR_BROKEN, 0, "the log does not have the program of the case");
    }
    return nir_parse(log.main, log.n_main, a, p, answer) &&
           (!log.preamble || nir_parse(log.preamble, log.n_preamble, a, preamble, answer));
}

/* What both doors need: the programs, and the size of their sub-groups. */
static bool open_program(const struct nir_request *q, const struct testcase *tc, struct arena *a,
                         struct nir_program *p, struct nir_program *preamble, uint32_t *size,
                         struct nir_answer *answer)
{
    *answer = (struct nir_answer){.end = NIR_BROKEN};
    if (!parse(q, tc, a, p, preamble, answer) || !fits(tc, p, answer)) {
        return false;
    }
    *size = get_subgroup_size(q, p, answer);
    return *size != 0;
}

bool nir_run(const struct nir_request *q, const struct testcase *tc, struct arena *a,
             struct observation *ob, struct nir_answer *answer)
{
    struct nir_program p, preamble;
    uint32_t size = 0;
    *ob = (struct observation){.status = RUN_SKIPPED, .log = "", .signature = "", .facts = ""};
    if (!open_program(q, tc, a, &p, &preamble, &size, answer)) {
        return false;
    }
    struct nir_abi *const abi = ARENA_NEW(a, struct nir_abi, 1);
    if (!abi) {
        return nir_stop_memory(answer, 0);
    }
    uint64_t const max_steps = q->max_steps ? q->max_steps : NIR_MAX_STEPS;
    const struct nir_program *const first = preamble.n_instructions ? &preamble : NULL;
    if (!nir_abi_make(abi, q->driver, size, tc, &p, a, answer) ||
        !nir_exec(&p, first, abi, max_steps, NULL, a, answer)) {
        return false;
    }
    for (uint32_t i = 0; i < tc->n_bufs; i++) {
        ob->out[i] = nir_surface_get_content(abi, i, a);
        if (!ob->out[i]) {
            return nir_stop_memory(answer, 0);
        }
    }
    ob->status = RUN_DONE;
    ob->phase = PHASE_DONE;
    ob->n_bufs = tc->n_bufs;
    return true;
}

bool nir_trace(const struct nir_request *q, const struct testcase *tc, struct arena *a,
               struct nir_trace *out)
{
    struct nir_program p, preamble;
    struct nir_answer answer;
    struct nir_watch watch = {.n_events = 0};
    uint32_t size = 0;
    uint64_t const max_steps = q->max_steps ? q->max_steps : NIR_MAX_STEPS;
    out->n = 0;
    if (out->buf >= tc->n_bufs || out->byte >= tc->bufs[out->buf].n_bytes ||
        !open_program(q, tc, a, &p, &preamble, &size, &answer)) {
        return false;
    }
    const struct nir_program *const first = preamble.n_instructions ? &preamble : NULL;
    for (int run = 0; run < 2; run++) {
        struct nir_abi *const abi = ARENA_NEW(a, struct nir_abi, 1);
        if (!abi || !nir_abi_make(abi, q->driver, size, tc, &p, a, &answer)) {
            return false;
        }
        watch.byte = nir_surface_find_byte(abi, out->buf, out->byte);
        if (!nir_exec(&p, first, abi, max_steps, &watch, a, &answer) ||
            (run == 0 && !nir_watch_begin_record(&watch, a))) {
            return false;
        }
    }
    nir_watch_get_trace(&watch, &p, a, out);
    return out->n > 0;
}
