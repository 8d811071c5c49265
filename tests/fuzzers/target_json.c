/* tests/fuzzers/target_json.c -- fuzz target: JSON in, and out again. */
#include <stdio.h>

#include "fuzz/io/json.h"
#include "tests/fuzzers/target.h"

/* What was printed must be read again. */
static void print_and_parse(const struct json *j)
{
    char *text = NULL;
    size_t n = 0;
    struct json *again = NULL;
    struct err e = {.text = ""};
    FILE *const f = open_memstream(&text, &n);
    target_require(f != NULL);
    target_require(json_print(j, JSON_PAGE, f, &e) == RES_OK);
    target_require(fclose(f) == 0);
    target_require(json_parse(&again, "printed", text, n, &e) == RES_OK);
    json_free(again);
    free(text);
}

/* The bytes are JSON. What was read must be safe to be asked for members, and survive being printed and read
 * again. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    struct json *j = NULL;
    struct err e = {.text = ""};
    if (target_is_ok(json_parse(&j, "input", data, n_bytes, &e), &e)) {
        const struct json *array = NULL;
        const char *text = NULL;
        uint64_t number = 0;
        (void)target_is_ok(json_get_text(j, "profile", "input", &text, &e), &e);
        if (target_is_ok(json_get_number(j, "n", "input", 1000, &number, &e), &e)) {
            target_require(number <= 1000);
        }
        if (target_is_ok(json_get_array(j, "buffers", "input", &array, &e), &e)) {
            for (size_t i = 0; i < json_get_count(array); i++) {
                (void)json_as_text(json_get_item(array, i));
            }
        }
        print_and_parse(j);
    }
    json_free(j);
    return 0;
}
