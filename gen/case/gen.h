/* gen/case/gen.h -- computes the case of a tape: a typed program by the plans of gen/plan and gen/piece, its SPIR-V
 * words, its buffers. Pure: of generator version, profile, environment and tape alone. Memory is the arena's. */
#pragma once

#include "base/testcase.h"
#include "gen/plan/gen_info.h"
#include "gen/shape/shape.h"
#include "gen/tape/profile.h"
#include "gen/tape/tape.h"

/*
 * The case of (GEN_VERSION, profile, env, tape): pure, any tape is legal. Everything is in `a`.
 * info may be NULL. RES_NOMEM when the arena is full; nothing else can fail.
 */
MUST_USE enum res gen_case(enum profile profile, enum env env, const struct tape *t,
                           struct arena *a, struct testcase *out, struct gen_info *info,
                           struct err *e);

/*
 * The same program, but every float that it computes and every result of an atomic is stored as well, to rows of
 * the outputs after its own: who judges then sees which of them is the first that is wrong. The case is of no
 * tape. Where all was stored already its module has as many words.
 */
MUST_USE enum res gen_stored_case(enum profile profile, enum env env, const struct tape *t,
                                  struct arena *a, struct testcase *out, struct err *e);

/*
 * The same in steps, for who may not want all of it. First the program: *plan, and of the case all but its
 * module and its buffers; one that has a shape of to->unwanted (NULL: none; info->shapes tells) ends there,
 * unfinished. Then these, the buffers with zeros. Last what the buffers hold before the run.
 */
struct build;
struct gen_for {
    enum profile profile;
    enum env env;
    const struct shape_set *unwanted;
};
MUST_USE enum res gen_plan(const struct gen_for *to, const struct tape *t, struct arena *a,
                           struct build **plan, struct testcase *out, struct gen_info *info,
                           struct err *e);
MUST_USE enum res gen_module(struct build *plan, struct testcase *out, struct gen_info *info,
                             struct err *e);
void gen_fill(const struct build *plan, struct testcase *out);

/* What the records of a tape mean to that generator: mark[0 .. n_records], see struct tape_trace, all
 * zero before (NULL: not asked for). *hash (NULL: likewise) is of all that the case is made from: tapes
 * of the same hash give the same case. RES_NOMEM: the arena, for what is thrown away, is full; the
 * marks are then not whole. */
MUST_USE enum res gen_trace(enum profile profile, enum env env, const struct tape *t,
                            struct tape_mark *mark, uint64_t *hash, struct arena *a, struct err *e);

/* The environment of a tape that has the choice: a bit of the root's head, which nothing else reads
 * and which its mutants inherit. */
enum env gen_get_env(const struct tape *t);
