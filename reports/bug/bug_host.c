/* reports/bug/bug_host.c -- a program of its own that shows the bug: what both APIs share. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "reports/bug/bug_parts.h"

/* An element is a line of the program. */
/* clang-format off */
static const char *const common[] = {
    "#include \"expected.h\"",
    "",
    "static unsigned char *content[N_BUFFERS + 1]; /* before the run */",
    "static unsigned char *result[N_BUFFERS + 1];  /* after it */",
    "static int outcome_fd;",
    "",
    "/* In the child: say why, tell the parent how it ended, and end. */",
    "static void stop(char outcome, const char *format, ...)",
    "{",
    "    va_list args;",
    "    va_start(args, format);",
    "    vprintf(format, args);",
    "    va_end(args);",
    "    fflush(stdout);",
    "    if (write(outcome_fd, &outcome, 1) != 1) {",
    "        abort();",
    "    }",
    "@d     sleep(1); /* some drivers die a moment after they have answered */",
    "    exit(0);",
    "}",
    "",
    "static void *take(size_t n_bytes)",
    "{",
    "    void *p = calloc(n_bytes + 1, 1);",
    "    if (!p) {",
    "        stop('U', \"out of memory\\n\");",
    "    }",
    "    return p;",
    "}",
    "",
    "/* A whole file; *n_bytes is its size, or 0 to be told. */",
    "static unsigned char *read_file(const char *name, size_t *n_bytes)",
    "{",
    "    FILE *f = fopen(name, \"rb\");",
    "    if (!f || fseek(f, 0, SEEK_END) != 0) {",
    "        stop('U', \"%s cannot be read; this program runs in its own folder\\n\", name);",
    "    }",
    "    size_t n = (size_t)ftell(f);",
    "    unsigned char *p = take(n);",
    "    rewind(f);",
    "    if ((*n_bytes != 0 && *n_bytes != n) || fread(p, 1, n, f) != n) {",
    "        stop('U', \"%s is not of %lu bytes\\n\", name, (unsigned long)*n_bytes);",
    "    }",
    "    fclose(f);",
    "    *n_bytes = n;",
    "    return p;",
    "}",
    "",
    "static void read_contents(void)",
    "{",
    "    for (unsigned i = 0; i < N_BUFFERS; i++) {",
    "        size_t n = buffers[i].n_bytes;",
    "        content[i] = read_file(buffers[i].in, &n);",
    "        result[i] = take(n);",
    "    }",
    "}",
    "",
};
/* clang-format on */

/* clang-format off */
static const char *const words[] = {
    "static uint64_t load(const unsigned char *p, unsigned n_bytes)",
    "{",
    "    uint64_t v = 0;",
    "    for (unsigned i = n_bytes; i > 0; i--) {",
    "        v = v << 8 | p[i - 1];",
    "    }",
    "    return v;",
    "}",
    "",
    "/* Fraction bits of a float of so many bytes. */",
    "static unsigned fraction_bits(unsigned n_bytes)",
    "{",
    "    return n_bytes == 2 ? 10 : n_bytes == 4 ? 23 : 52;",
    "}",
    "",
    "static int is_nan(uint64_t bits, unsigned n_bytes)",
    "{",
    "    uint64_t sign = (uint64_t)1 << (8 * n_bytes - 1);",
    "    uint64_t infinity = sign - ((uint64_t)1 << fraction_bits(n_bytes));",
    "    return (bits & (sign - 1)) > infinity;",
    "}",
    "",
    "static int is_quiet(uint64_t bits, unsigned n_bytes)",
    "{",
    "    return (int)(bits >> (fraction_bits(n_bytes) - 1) & 1);",
    "}",
    "",
    "/* Place of a float in the order of the line: +0 is 0, -0 is -1, neighbours differ by 1. */",
    "static int64_t key_of(uint64_t bits, unsigned n_bytes)",
    "{",
    "    uint64_t sign = (uint64_t)1 << (8 * n_bytes - 1);",
    "    int64_t magnitude = (int64_t)(bits & (sign - 1));",
    "    return bits & sign ? -1 - magnitude : magnitude;",
    "}",
    "",
    "static int is_permitted(const struct word *w, uint64_t bits)",
    "{",
    "    if (w->is_float && is_nan(bits, w->n_bytes)) {",
    "        return is_quiet(bits, w->n_bytes) ? w->any_qnan : w->any_snan;",
    "    }",
    "    int64_t key = w->is_float ? key_of(bits, w->n_bytes) : (int64_t)bits;",
    "    for (unsigned i = 0; i < w->n_ranges; i++) {",
    "        if (w->range[i].low <= key && key <= w->range[i].high) {",
    "            return 1;",
    "        }",
    "    }",
    "    return 0;",
    "}",
    "",
    "static double value_of(uint64_t bits, unsigned n_bytes)",
    "{",
    "    unsigned n = fraction_bits(n_bytes);",
    "    uint64_t sign = (uint64_t)1 << (8 * n_bytes - 1), one = (uint64_t)1 << n;",
    "    int all = (int)(sign / one) - 1, exponent = (int)((bits & (sign - 1)) >> n);",
    "    double v = (double)(exponent ? (bits & (one - 1)) | one : bits & (one - 1));",
    "    for (int e = (exponent ? exponent : 1) - all / 2 - (int)n; e != 0; e += e < 0 ? 1 : -1) {",
    "        v = e < 0 ? v / 2 : v * 2;",
    "    }",
    "    return bits & sign ? -v : v;",
    "}",
    "",
    "static void print_bits(const struct word *w, uint64_t bits)",
    "{",
    "    printf(\"0x%0*llx\", (int)(2 * w->n_bytes), (unsigned long long)bits);",
    "    if (w->is_shown_as_float && is_nan(bits, w->n_bytes)) {",
    "        printf(\" (%s)\", is_quiet(bits, w->n_bytes) ? \"qNaN\" : \"sNaN\");",
    "    } else if (w->is_shown_as_float) {",
    "        printf(\" (%.*g)\", w->n_bytes == 8 ? 17 : w->n_bytes == 4 ? 9 : 5,",
    "               value_of(bits, w->n_bytes));",
    "    }",
    "}",
    "",
    "/* Each word of expected.h: may it be what it is? */",
    "static char compare(void)",
    "{",
    "    unsigned n = sizeof words / sizeof words[0], n_wrong = 0;",
    "    for (unsigned i = 0; i < n; i++) {",
    "        const struct word *w = &words[i];",
    "        uint64_t bits = load(result[w->buffer] + w->byte, w->n_bytes);",
    "        int is_right = is_permitted(w, bits);",
    "        printf(\"buffer %u, byte %u: got \", w->buffer, w->byte);",
    "        print_bits(w, bits);",
    "        printf(\", permitted %s: %s\\n\", w->permitted, is_right ? \"right\" : \"WRONG\");",
    "        n_wrong += !is_right;",
    "    }",
    "    printf(\"%u of %u words are wrong\\n\", n_wrong, n);",
    "    return n_wrong > 0 ? 'Y' : 'N';",
    "}",
    "",
};
/* clang-format on */

/* clang-format off */
static const char *const outputs[] = {
    "/* Is each word of the outputs what it was when the bug was seen? */",
    "static char compare(void)",
    "{",
    "    unsigned n = 0, n_other = 0;",
    "    for (unsigned i = 0; i < N_BUFFERS; i++) {",
    "        size_t n_bytes = buffers[i].n_bytes;",
    "        const unsigned char *seen = read_file(outputs[i], &n_bytes);",
    "        for (size_t at = 0; at + 4 <= n_bytes; at += 4, n++) {",
    "            const unsigned char *w = result[i] + at, *s = seen + at;",
    "            if (memcmp(w, s, 4) != 0 && n_other++ < 20) {",
    "                printf(\"buffer %u, byte %lu: got 0x%02x%02x%02x%02x, with the bug it was \"",
    "                       \"0x%02x%02x%02x%02x\\n\", i, (unsigned long)at, w[3], w[2], w[1], w[0],",
    "                       s[3], s[2], s[1], s[0]);",
    "            }",
    "        }",
    "    }",
    "    printf(\"%u of %u words are not what they were with the bug\\n\", n_other, n);",
    "    return n_other == 0 ? 'Y' : 'N';",
    "}",
    "",
};
/* clang-format on */

/* clang-format off */
static const char *const margins[] = {
    "/* The bytes before and behind each buffer: no invocation may write them. */",
    "static unsigned char *margins[N_BUFFERS + 1]; /* MARGIN bytes, the buffer, MARGIN bytes */",
    "",
    "static char compare(void)",
    "{",
    "    unsigned n_changed = 0;",
    "    for (unsigned i = 0; i < N_BUFFERS; i++) {",
    "        for (size_t at = 0; at < 2 * MARGIN + buffers[i].n_bytes; at++) {",
    "            int is_inside = at >= MARGIN && at < MARGIN + buffers[i].n_bytes;",
    "            if (!is_inside && margins[i][at] != MARGIN_BYTE && n_changed++ < 20) {",
    "                printf(\"buffer %u of %lu bytes, byte %ld: got 0x%02x, permitted 0x%02x: WRONG\\n\", i,",
    "                       (unsigned long)buffers[i].n_bytes, (long)at - MARGIN, margins[i][at],",
    "                       MARGIN_BYTE);",
    "            }",
    "        }",
    "    }",
    "    printf(\"%u bytes outside of the buffers have changed\\n\", n_changed);",
    "    return n_changed > 0 ? 'Y' : 'N';",
    "}",
    "",
};
/* clang-format on */

/* clang-format off */
static const char *const nothing[] = {
    "/* The run came to its end, which is all that is asked of it. */",
    "static char compare(void)",
    "{",
    "    printf(\"the run came to its end\\n\");",
    "    return 'N';",
    "}",
    "",
};
/* clang-format on */

/* clang-format off */
static const char *const main_part[] = {
    "static long get_number(const char *name, long otherwise)",
    "{",
    "    const char *text = getenv(name);",
    "    long v = text ? strtol(text, NULL, 10) : 0;",
    "    return v > 0 ? v : otherwise;",
    "}",
    "",
    "/* One run in a process of its own, which may die. 'Y' the bug is there, 'N' it is not, 'U' could not",
    " * be run, 'R' the driver refused, 'L' the device was lost; 'C' it died by a signal, 'H' it hangs,",
    " * 'E' the driver ended the process. */",
    "static char run_once(const char *wanted)",
    "{",
    "    int fds[2], status = 0;",
    "    char outcome = 'E';",
    "    pid_t gone = 0;",
    "    struct timespec tick = {0, 10000000};",
    "    if (pipe(fds) != 0) {",
    "        perror(\"pipe\");",
    "        return 'U';",
    "    }",
    "    pid_t child = fork();",
    "    if (child < 0) {",
    "        perror(\"fork\");",
    "        return 'U';",
    "    }",
    "    if (child == 0) {",
    "        outcome_fd = fds[1];",
    "        run(wanted);",
    "        stop(compare(), \"%s\", \"\");",
    "    }",
    "    for (long n = 100 * get_number(\"DEADLINE\", DEADLINE_S); n > 0 && gone == 0; n--) {",
    "        nanosleep(&tick, NULL);",
    "        gone = waitpid(child, &status, WNOHANG);",
    "    }",
    "    close(fds[1]);",
    "    if (gone == 0) {",
    "        kill(child, SIGKILL);",
    "        waitpid(child, &status, 0);",
    "        outcome = 'H';",
    "    } else if (read(fds[0], &outcome, 1) != 1) {",
    "        outcome = 'E';",
    "    }",
    "    close(fds[0]);",
    "    if (gone != 0 && WIFSIGNALED(status) && outcome != 'Y') {",
    "        printf(\"signal %d\\n\", WTERMSIG(status));",
    "        outcome = 'C';",
    "    }",
    "    return outcome;",
    "}",
    "",
    "static const char *describe(char outcome)",
    "{",
    "    switch (outcome) {",
    "    case 'R':",
    "        return \"the driver refused\";",
    "    case 'L':",
    "        return \"the device was lost\";",
    "    case 'C':",
    "        return \"the driver died\";",
    "    case 'H':",
    "        return \"no answer before the deadline\";",
    "    case 'E':",
    "        return \"the driver ended the process\";",
    "    default:",
    "        return \"it ran\";",
    "    }",
    "}",
    "",
    "int main(int argc, char **argv)",
    "{",
    "    const char *wanted = argc > 1 ? argv[1] : getenv(\"DEVICE\");",
    "    long n_runs = get_number(\"RUNS\", DEFAULT_RUNS);",
    "    setvbuf(stdout, NULL, _IOLBF, 0);",
    "    if (wanted && strcmp(wanted, \"--list\") == 0) {",
    "        list_devices();",
    "        return 0;",
    "    }",
    "    char outcome = 'N';",
    "    for (long i = 0; i < n_runs && outcome == 'N'; i++) {",
    "        outcome = run_once(wanted ? wanted : DEVICE);",
    "    }",
    "    if (strchr(BUG, outcome)) {",
    "        printf(\"The bug is there: %s\\n\", BUG_TEXT);",
    "        return 1;",
    "    }",
    "    if (outcome == 'N') {",
    "        printf(\"The bug is not there, in %ld runs.\\n\", n_runs);",
    "        return 0;",
    "    }",
    "    printf(\"It could not be run%s%s.\\n\", outcome == 'U' ? \"\" : \": \",",
    "           outcome == 'U' ? \"\" : describe(outcome));",
    "    return 2;",
    "}",
};
/* clang-format on */

#define LINES(name) ((struct bug_lines){name, ARRAY_N(name)})

void bug_put_lines(const struct bug_lines *l, const char *flags, FILE *f)
{
    for (size_t i = 0; i < l->n; i++) {
        const char *line = l->line[i];
        if (line[0] == '@') {
            int const has = strchr(flags, tolower(line[1])) != NULL;
            if (has == (isupper(line[1]) != 0)) {
                continue;
            }
            line += line[2] ? 3 : 2;
        }
        (void)fprintf(f, "%s\n", line);
    }
}

static void put_list(const struct bug_lines l, const char *flags, FILE *f)
{
    bug_put_lines(&l, flags, f);
}

/* ---- the case ---- */

static void put_head(const struct bug *b, FILE *f)
{
    struct arena a;
    int const is_vk = b->tc->env == ENV_VK;
    arena_init(&a, 1 << 20);
    (void)fprintf(
        f, "/* host.c -- runs module.spv once and looks at what it leaves in memory.\n *   ");
    bug_put_comment(bug_get_title(b, &a), f);
    (void)fprintf(
        f,
        "\n *\n *   cc host.c -o host %s && ./host\n"
        " *   ./host --list      the devices\n"
        " *   ./host NAME        on the first device with NAME in its line of --list;\n"
        " *                      also by the variable DEVICE. Others: RUNS, DEADLINE (s)\n"
        " *\n * Exit status: 1 the bug is there, 0 it is not, 2 it could not be run. */\n"
        "#define _POSIX_C_SOURCE 200809L\n",
        is_vk ? "-lvulkan" : "-lOpenCL");
    arena_free(&a);
}

static void put_includes(const struct bug *b, FILE *f)
{
    if (b->tc->env == ENV_CL) {
        (void)fprintf(f, "#define CL_TARGET_OPENCL_VERSION 210\n"
                         "#define CL_USE_DEPRECATED_OPENCL_1_2_APIS\n"
                         "#include <CL/cl.h>\n");
    }
    (void)fprintf(f, "#include <signal.h>\n#include <stdarg.h>\n#include <stdint.h>\n"
                     "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
                     "#include <sys/wait.h>\n#include <time.h>\n#include <unistd.h>\n");
    (void)fprintf(f, "%s\n", b->tc->env == ENV_VK ? "#include <vulkan/vulkan.h>\n" : "");
}

static const char *get_descriptor(enum buf_kind kind)
{
    switch (kind) {
    case BUF_STORAGE:
        return "VK_DESCRIPTOR_TYPE_STORAGE_BUFFER";
    case BUF_IMAGE2D_R32F:
        return "VK_DESCRIPTOR_TYPE_STORAGE_IMAGE";
    case BUF_TEXEL_R32F:
        return "VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER";
    }
    return "";
}

static void put_buffers(const struct testcase *tc, FILE *f)
{
    int const is_vk = tc->env == ENV_VK;
    (void)fprintf(f, "enum { N_BUFFERS = %" PRIu32 " };\n%s\n", tc->n_bufs,
                  is_vk ? "/* Buffer i is binding i of descriptor set 0. */"
                        : "/* Buffer i is argument i of the kernel. */");
    (void)fprintf(f,
                  "static const struct {\n    const char *in;\n    size_t n_bytes;\n%s"
                  "} buffers[N_BUFFERS + 1] = {\n",
                  is_vk ? "    VkDescriptorType type;\n    uint32_t width, height; /* of an image "
                          "of VK_FORMAT_R32_SFLOAT */\n"
                        : "");
    for (uint32_t i = 0; i < tc->n_bufs; i++) {
        const struct buf *const x = &tc->bufs[i];
        (void)fprintf(f, "    {\"in-%" PRIu32 ".bin\", %" PRIu32, i, x->n_bytes);
        if (is_vk) {
            (void)fprintf(f, ", %s, %" PRIu32 ", %" PRIu32, get_descriptor(x->kind), x->width,
                          x->height);
        }
        (void)fprintf(f, "},\n");
    }
    (void)fprintf(f, "    {NULL, 0%s}};\n\n",
                  is_vk ? ", VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0, 0" : "");
}

static void put_sizes(const struct testcase *tc, FILE *f)
{
    if (tc->env == ENV_VK) {
        (void)fprintf(f, "/* Work-groups of %" PRIu32 " x %" PRIu32 " x %" PRIu32 ". */\n",
                      tc->local[0], tc->local[1], tc->local[2]);
        (void)fprintf(
            f, "static const uint32_t n_groups[3] = {%" PRIu32 ", %" PRIu32 ", %" PRIu32 "};\n",
            tc->global[0] / tc->local[0], tc->global[1] / tc->local[1],
            tc->global[2] / tc->local[2]);
    } else {
        (void)fprintf(f,
                      "static const size_t global_size[3] = {%" PRIu32 ", %" PRIu32 ", %" PRIu32
                      "}, local_size[3] = {%" PRIu32 ", %" PRIu32 ", %" PRIu32 "};\n",
                      tc->global[0], tc->global[1], tc->global[2], tc->local[0], tc->local[1],
                      tc->local[2]);
    }
}

static void put_case(const struct bug *b, FILE *f)
{
    const struct testcase *const tc = b->tc;
    char platform[128];
    (void)facts_get(bug_get_facts(b), "platform", platform, sizeof platform);
    (void)fprintf(f, "/* ---- the case ---- */\n\n#define DEVICE  ");
    bug_put_literal(platform, f);
    (void)fprintf(f, " /* where the bug was seen; any device with \"\" */\n#define ENTRY   ");
    bug_put_literal(tc->entry, f);
    (void)fprintf(f, "\n");
    if (tc->env == ENV_CL) {
        (void)fprintf(f, "#define OPTIONS ");
        bug_put_literal(tc->build_options, f);
        (void)fprintf(f, "\n");
    }
    if (tc->env == ENV_VK && tc->subgroup_size) {
        (void)fprintf(f, "#define SUBGROUP_SIZE %" PRIu32 "\n", tc->subgroup_size);
    }
    put_sizes(tc, f);
    put_buffers(tc, f);
}

static void get_flags(const struct bug *b, char flags[16])
{
    size_t n = 0;
    int has_image = 0;
    int has_texels = 0;
    for (uint32_t i = 0; i < b->tc->n_bufs; i++) {
        has_image |= b->tc->bufs[i].kind == BUF_IMAGE2D_R32F;
        has_texels |= b->tc->bufs[i].kind == BUF_TEXEL_R32F;
    }
    const struct {
        int is_set;
        char letter;
    } all[] = {
        {has_image,                      'i'},
        {has_texels,                     't'},
        {b->tc->subgroup_size != 0,      's'},
        {b->tc->full_subgroups != 0,     'f'},
        {bug_get_kind(b) == BUG_MARGINS, 'm'},
        {bug_get_kind(b) == BUG_DIES,    'd'},
    };
    for (size_t i = 0; i < ARRAY_N(all); i++) {
        if (all[i].is_set) {
            flags[n++] = all[i].letter;
        }
    }
    flags[n] = '\0';
}

static void put_compare(enum bug_kind kind, FILE *f)
{
    switch (kind) {
    case BUG_WORDS:
        put_list(LINES(words), "", f);
        break;
    case BUG_OUTPUTS:
        put_list(LINES(outputs), "", f);
        break;
    case BUG_MARGINS:
        put_list(LINES(margins), "", f);
        break;
    case BUG_DIES:
    case BUG_REFUSED:
        put_list(LINES(nothing), "", f);
        break;
    }
}

void bug_put_host(const struct bug *b, FILE *f)
{
    int const is_vk = b->tc->env == ENV_VK;
    char flags[16];
    get_flags(b, flags);
    put_head(b, f);
    put_includes(b, f);
    put_case(b, f);
    (void)fprintf(f, "/* ---- what tells that the bug is there ---- */\n\n");
    put_list(LINES(common), flags, f);
    if (is_vk || bug_get_kind(b) == BUG_MARGINS) {
        (void)fprintf(f, "enum { MARGIN = 4096, MARGIN_BYTE = 0xa5 };\n\n");
    }
    put_compare(bug_get_kind(b), f);
    (void)fprintf(f, "/* ---- the run ---- */\n\n");
    if (is_vk) {
        bug_put_lines(&bug_vk_device_lines, flags, f);
        bug_put_features(b, f);
        bug_put_lines(&bug_vk_memory_lines, flags, f);
        bug_put_lines(&bug_vk_run_lines, flags, f);
    } else {
        bug_put_lines(&bug_ocl_lines, flags, f);
    }
    (void)fprintf(f, "/* ---- in a process of its own ---- */\n\n");
    put_list(LINES(main_part), flags, f);
}
