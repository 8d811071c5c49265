/* tests/fuzzers/target_bundle.c -- fuzz target: a bundle, as the files of a folder. */
#include <string.h>

#include "base/spv.h"
#include "fuzz/io/bundle.h"
#include "tests/fuzzers/target_folder.h"

enum {
    TARGET_ARENA_BYTES = 64 << 20,
    TARGET_MAX_BYTES = 1 << 16,
    TARGET_MAX_NAME = 32,
    TARGET_MAX_FILES = 16
};
static const char mark[] = "\n--- ";

static const uint8_t *find_mark(const uint8_t *p, const uint8_t *end)
{
    size_t const n = sizeof mark - 1;
    for (; (size_t)(end - p) >= n; p++) {
        if (memcmp(p, mark, n) == 0) {
            return p;
        }
    }
    return end;
}

/* The input's files: each is a line "--- NAME" and its content up to the next such line. */
static void put_files(const struct target_folder *f, const uint8_t *p, size_t n_bytes)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    const uint8_t *const end = p + n_bytes;
    for (int i = 0; i < TARGET_MAX_FILES && end - p >= 4 && memcmp(p, mark + 1, 4) == 0; i++) {
        char name[TARGET_MAX_NAME] = "";
        size_t n = 0;
        for (p += 4; p < end && *p != '\n' && n + 1 < sizeof name; p++) {
            name[n++] = (char)*p;
        }
        p += p < end;
        const uint8_t *const next = find_mark(p, end);
        if (n > 0 && name[0] != '.' && strspn(name, letters) == n) {
            target_folder_put(f, name, p, (size_t)(next - p));
        }
        p = next < end ? next + 1 : end;
    }
}

/* Does JSON write it as it is? What is no printable ASCII may be spelled out. */
static int is_plain(const char *text)
{
    for (; *text; text++) {
        if (*text < 0x20 || *text == 0x7f) {
            return 0;
        }
    }
    return 1;
}

static void require_same(const unsigned char *p, size_t n, const unsigned char *q, size_t m)
{
    target_require(p && q && n == m && memcmp(p, q, n) == 0);
}

/* A bundle that was read must be written and read again as the same, and its case and observation must
 * survive as bytes too. Cases with control characters in a text are not compared, as JSON may spell those in
 * another way. */
static void write_and_read(const struct bundle *b, struct arena *a)
{
    struct target_folder f;
    struct bundle again;
    struct err e = {.text = ""};
    size_t n[4] = {0};
    target_folder_make(&f);
    target_require(bundle_write(f.path, b, a, &e) == RES_OK);
    target_require(bundle_read(f.path, a, &again, &e) == RES_OK);
    target_require(again.has_observation == b->has_observation);
    const struct testcase *const tc = &b->tc;
    if (is_plain(tc->profile) && is_plain(tc->entry) && is_plain(tc->build_options)) {
        const unsigned char *const p = testcase_encode(tc, a, &n[0]);
        const unsigned char *const q = testcase_encode(&again.tc, a, &n[1]);
        require_same(p, n[0], q, n[1]);
    }
    if (b->has_observation && is_plain(b->ob.signature)) {
        const unsigned char *const p = observation_encode(tc, &b->ob, a, &n[2]);
        const unsigned char *const q = observation_encode(tc, &again.ob, a, &n[3]);
        require_same(p, n[2], q, n[3]);
        target_require(observation_decode(&again.ob, tc, a, p, n[2], &e) == RES_OK);
    }
    target_folder_remove(&f);
}

/* The bytes are the files of a bundle: what bundle_read takes from anybody. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    struct target_folder f;
    struct arena a;
    struct bundle b;
    struct err e = {.text = ""};
    if (n_bytes > TARGET_MAX_BYTES) {
        return 0;
    }
    arena_init(&a, TARGET_ARENA_BYTES);
    target_folder_make(&f);
    put_files(&f, data, n_bytes);
    /* A case that came as bytes may hold any words; module.spv has to be a module. */
    if (target_folder_is_ok(&f, bundle_read(f.path, &a, &b, &e), &e) &&
        spv_is_module(b.tc.module, b.tc.n_words)) {
        write_and_read(&b, &a);
    }
    target_folder_remove(&f);
    arena_free(&a);
    return 0;
}
