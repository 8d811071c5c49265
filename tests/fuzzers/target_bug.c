/* tests/fuzzers/target_bug.c -- fuzz target: foreign text into the files of a bug's folder. */
#include <stdio.h>
#include <string.h>

#include "reports/bug/bug.h"
#include "reports/folder/bug_folder.h"
#include "tests/fuzzers/target.h"

enum {
    TARGET_ARENA_BYTES = 32 << 20,
    TARGET_MAX_BYTES = 2048
};

typedef void put_file(const struct bug *b, FILE *f);

/* Write a file of a bug's folder by `put`, with `text` in every field that comes from elsewhere, but for the
 * disassembly. Returns what was written; to be freed. */
static char *make(put_file *put, enum env env, const char *text, struct arena *a)
{
    static const uint32_t words[5] = {0x07230203, 0x10000, 0, 1, 0};
    static unsigned char content[16];
    struct campaign_target const target = {.id = 1,
                                           .name = text,
                                           .facts = arena_printf(a, "api=%s\ndevice=%.*s\n",
                                                                 env_names[env],
                                                                 (int)strcspn(text, "\n"), text)};
    struct campaign_finding const finding = {.id = 1,
                                             .target_id = 1,
                                             .verdict = "ulp",
                                             .class = "legal",
                                             .clause = "FADD_CR",
                                             .signature = text,
                                             .op = text,
                                             .type = text,
                                             .storage = text,
                                             .permitted = text,
                                             .got = text,
                                             .operands = text,
                                             .text = text,
                                             .instruction = text,
                                             .log = text,
                                             .crash_signature = text,
                                             .replay = text,
                                             .core = text,
                                             .family = text};
    struct testcase const tc = {
        .env = env,
        .profile = text,
        .module = words,
        .n_words = 5,
        .entry = text,
        .build_options = text,
        .local = {1,  1, 1},
        .global = {4, 1, 1},
        .n_bufs = 1,
        .bufs = {{.n_bytes = sizeof content, .data = content} }
    };
    struct observation const ob = {.status = RUN_DONE,
                                   .phase = PHASE_DONE,
                                   .log = text,
                                   .signature = text,
                                   .facts = target.facts,
                                   .n_bufs = 1,
                                   .out = {content}};
    struct bug const b = {.finding = &finding,
                          .target = &target,
                          .tc = &tc,
                          .ob = &ob,
                          .disassembly =
                              "x", /* a program of its own to Amber: as SPIRV-Tools wrote it */
                          .generator = text,
                          .clause_section = text,
                          .clause_rule = text};
    char *out = NULL;
    size_t n = 0;
    FILE *const f = open_memstream(&out, &n);
    target_require(f != NULL);
    put(&b, f);
    target_require(fclose(f) == 0);
    return out;
}

/* Behind the comment that begins at p. */
static const char *skip_comment(const char *p)
{
    if (p[1] == '/') {
        return p + strcspn(p, "\n");
    }
    const char *const end = strstr(p + 2, "*/");
    target_require(end != NULL);
    return end + 2;
}

/* Behind the string or character whose quote p is; it ends in its line. */
static const char *skip_quoted(const char *p)
{
    char const quote = *p++;
    while (*p != quote) {
        target_require(*p != '\n' && *p != '\0');
        p += *p == '\\' ? 2 : 1;
    }
    return p + 1;
}

/* Leave of a C program what is neither a comment, nor within quotes, nor blank; one quote stands for a string. */
static void keep_code(char *text)
{
    char *out = text;
    for (const char *p = text; *p;) {
        if (p[0] == '/' && (p[1] == '*' || p[1] == '/')) {
            p = skip_comment(p);
        } else if (*p == '"' || *p == '\'') {
            char const quote = *p;
            p = skip_quoted(p);
            *out++ = quote; /* never ahead of p: text is overwritten from its start */
        } else if (strchr(" \n", *p)) {
            p++;
        } else {
            *out++ = *p++;
        }
    }
    *out = '\0';
}

/* A file with foreign text has no control character, and as a program the same code as one with any other text. */
static void require_harmless(const struct bug_file *row, enum env env, const char *text,
                             struct arena *a)
{
    char *const file = make(row->put, env, text, a);
    for (const char *p = file; *p; p++) {
        unsigned char const c = (unsigned char)*p;
        target_require((c >= 0x20 || c == '\n' || c == '\t') && c != 0x7f);
    }
    if (row->is_program) {
        char *const control = make(row->put, env, "x", a);
        keep_code(file);
        keep_code(control);
        target_require(strcmp(file, control) == 0);
        free(control);
    }
    free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    if (n_bytes > TARGET_MAX_BYTES) {
        return 0;
    }
    struct arena a;
    arena_init(&a, TARGET_ARENA_BYTES);
    char *const text = arena_take(&a, n_bytes + 2);
    target_require(text != NULL);
    text[0] = 'x'; /* an empty text leaves its line out: never empty */
    memcpy(text + 1, data, n_bytes);
    for (int env = 0; env < ENV_N; env++) {
        for (size_t i = 0; i < BUG_FILE_N; i++) {
            require_harmless(&bug_files[i], (enum env)env, text, &a);
        }
    }
    arena_free(&a);
    return 0;
}
