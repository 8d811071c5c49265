/* tests/fuzzers/target_ini.c -- fuzz target: targets.ini, a list of names to choose from it, devices that were listed. */
#include <string.h>

#include "fuzz/targets/targets.h"
#include "fuzz/targets/targets_choose.h"
#include "fuzz/targets/targets_ini.h"
#include "tests/fuzzers/target.h"

enum {
    TARGET_ARENA_BYTES = 16 << 20
};

/* The same text as what a worker lists: targets with names that can be chosen. */
static void add_listed(struct target_list *list, const char *text, struct arena *a)
{
    uint32_t const n_before = list->n;
    targets_add_listed(list, ENV_VK, text, a);
    target_require(list->n <= TARGETS_MAX);
    for (uint32_t i = n_before; i < list->n; i++) {
        target_require(strpbrk(list->t[i].name, " ,:/\n\t") == NULL);
        target_require(list->t[i].device[0] != '\0');
    }
}

/* What sections can be like: a target that was found, and one that is not here. */
static void put_found(struct target_list *list, struct arena *a)
{
    struct target *const found = targets_add(list, "found", ENV_VK, a);
    target_require(found != NULL);
    found->env_vars[0] = "A=1";
    list->missing[list->n_missing++] = (struct target_missing){"far", "make drivers"};
}

/* The bytes are a targets.ini; after that they are also taken as names to choose from it, and as what a
 * worker lists. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    struct arena a;
    struct err e = {.text = ""};
    arena_init(&a, TARGET_ARENA_BYTES);
    struct target_list *const list = ARENA_NEW(&a, struct target_list, 1);
    struct target_list *const chosen = ARENA_NEW(&a, struct target_list, 1);
    const char *const text = arena_copy(&a, data, n_bytes);
    if (list) {
        put_found(list, &a);
    }
    if (list && chosen && text &&
        target_is_ok(targets_parse_ini(list, "input", text, n_bytes, &a, &e), &e)) {
        target_require(list->n <= TARGETS_MAX && list->n_missing <= TARGETS_MAX);
        for (uint32_t i = 0; i < list->n; i++) {
            const char *argv[CHILD_MAX_ARGS];
            target_require(list->t[i].name != NULL);
            (void)target_is_ok(targets_fill_argv(&list->t[i], "--list", argv, &a, &e), &e);
        }
        (void)target_is_ok(targets_choose(list, text, chosen, &a, &e), &e);
        add_listed(list, text, &a);
    }
    arena_free(&a);
    return 0;
}
