/* fuzz/gtest/gtest_lists.h -- lists of expected results, as deqp-runner reads them. */
#pragma once

#include "base/base.h"
#include "oracle/tables/tables.h"

/* What a list says of a test. */
enum gtest_result {
    GTEST_PASS,
    GTEST_FAIL,
    GTEST_CRASH,
    GTEST_SKIP,
    GTEST_RESULT_N
};
extern const char *const gtest_result_names[GTEST_RESULT_N]; /* "Pass", ... */
/* A regular expression that matches this name alone, as a line of `flakes` or `skips`: it is searched for in each name. */
const char *gtest_make_pattern(const char *name, struct arena *a);
/* GTEST_PASS, _FAIL or _CRASH: the result of a test with that verdict. */
enum gtest_result gtest_get_result(enum verdict_kind kind);

/*
 * Three files, each NULL for none. Lines end with LF or CRLF. `fails` has lines "NAME,Fail" or "NAME,Crash"; `flakes` and `skips` have a POSIX extended
 * regular expression in each line, which is searched for in the name. Empty lines and lines that begin with '#' say nothing.
 */
struct gtest_list_files {
    const char *fails, *flakes, *skips;
};
struct gtest_lists;
/* RES_USAGE: a file cannot be read; RES_FORMAT: a line is none of these, and which. */
MUST_USE enum res gtest_lists_read(struct gtest_lists **out, const struct gtest_list_files *files,
                                   struct arena *a, struct err *e);
void gtest_lists_free(struct gtest_lists *l); /* NULL is fine */
/* GTEST_PASS for a test that is not in the list. */
enum gtest_result gtest_lists_get_expected(const struct gtest_lists *l, const char *name);
bool gtest_lists_is_flake(const struct gtest_lists *l, const char *name);
bool gtest_lists_is_skip(const struct gtest_lists *l, const char *name);
