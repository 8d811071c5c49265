/* reports/folder/bug_folder.c -- one bug as a folder: its files, and expected.h and the Makefile. */
#include "reports/folder/bug_folder.h"

#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "oracle/tables/words.h"
#include "reports/bug/bug_bits.h"
#include "reports/bug/bug_facts.h"
#include "reports/bug/bug_ids.h"
#include "reports/bug/bug_order.h"
#include "reports/bug/bug_title.h"
#include "reports/folder/bug_amber.h"
#include "reports/folder/bug_host.h"
#include "reports/folder/bug_report.h"
#include "reports/folder/c_text.h"

/* ---- expected.h, Makefile ---- */

static void put_word(const struct bug *b, const struct expect *x, struct arena *a, FILE *f)
{
    struct bug_bits const bits = bug_get_bits(x);
    (void)fprintf(f, "    {%" PRIu32 ", %" PRIu32 ", %u, %" PRIu32 ", {", x->buf, x->byte,
                  x->n_bytes, bits.n);
    for (uint32_t i = 0; i < bits.n; i++) {
        (void)fprintf(f, "%s{0x%" PRIx64 ", 0x%" PRIx64 "}", i > 0 ? ", " : "", bits.r[i].low,
                      bits.r[i].high);
    }
    (void)fprintf(f, "%s}, ", bits.n == 0 ? "{0, 0}" : "");
    c_text_put_literal(bug_get_permitted(b, x, a), f);
    (void)fprintf(f, "},\n");
}

/* Put the part of expected.h that lists the words in question: where each is, and what it may hold. The host program
 * compares them with what a run leaves. */
static void put_words(const struct bug *b, FILE *f)
{
    struct arena a;
    uint32_t most = 1;
    for (uint32_t i = 0; i < b->n_expect; i++) {
        uint32_t const n = bug_get_bits(&b->expect[i]).n;
        most = n > most ? n : most;
    }
    uint64_t n_bytes = 0;
    for (uint32_t i = 0; i < b->tc->n_bufs; i++) {
        n_bytes += buf_is_memory(b->tc->bufs[i].kind) ? b->tc->bufs[i].n_bytes : 0;
    }
    arena_init(&a, (size_t)4 << 20);
    (void)fprintf(f, "#define ALL_WORDS    %" PRIu64 "u /* of 4 bytes, in all buffers */\n",
                  (n_bytes + 3) / 4);
    (void)fprintf(
        f,
        "\n/* A word of a buffer, and the ranges that its bits, as a number, may be in. */\n"
        "static const struct word {\n"
        "    unsigned buffer, byte, n_bytes, n_ranges;\n"
        "    struct { uint64_t low, high; } range[%" PRIu32 "];\n"
        "    const char *permitted; /* the same, to be read */\n"
        "} words[] = {\n",
        most);
    for (uint32_t i = 0; i < b->n_expect; i++) {
        put_word(b, &b->expect[i], &a, f);
        arena_reset(&a);
    }
    (void)fprintf(f, "};\n");
    arena_free(&a);
}

static void put_outputs(const struct bug *b, FILE *f)
{
    (void)fprintf(f,
                  "\n/* No one word tells: the outputs as a whole are compared with those of the "
                  "run that showed the\n * bug. Other outputs are not the bug, but may be wrong "
                  "in another way. */\n"
                  "static const char *const outputs[] = {");
    for (uint32_t i = 0; i < b->tc->n_bufs; i++) {
        if (buf_is_memory(b->tc->bufs[i].kind)) {
            (void)fprintf(f, "\"out-%" PRIu32 ".bin\", ", i);
        } else { /* an argument by value */
            (void)fprintf(f, "NULL, ");
        }
    }
    (void)fprintf(f, "NULL};\n");
}

/* Put expected.h: how the host program recognises the bug, for each kind of bug, and after how many runs without it
 * the program says that the bug is not there. `outcomes` are the outcomes of a run (run_once in host.c) that count
 * as the bug: Y compare() saw it, C the driver died by a signal, H it hangs, E it ended the process, L the device
 * was lost, R the driver refused. */
static void put_expected(const struct bug *b, FILE *f)
{
    static const struct {
        const char *outcomes, *text;
    } rows[] = {
        [BUG_WORDS] = {"Y",    "a word of a buffer is not permitted"                              },
        [BUG_ORDER] = {"Y",    "no order of the operations on a location explains what they found"},
        [BUG_IDS] = {"Y",    "ids of sub-groups contradict each other"                          },
        [BUG_OUTPUTS] = {"Y",    "all outputs are what they were when it was seen"                  },
        [BUG_MARGINS] = {"Y",    "bytes outside of the buffers have changed"                        },
        [BUG_DIES] = {"CHEL", "the driver did not bring the run to its end"                      },
        [BUG_REFUSED] = {"R",    "the driver refuses what it says it supports"                      },
    };
    enum bug_kind const kind = bug_get_kind(b);
    struct arena a;
    arena_init(&a, (size_t)64 << 10);
    (void)fprintf(
        f,
        "/* expected.h -- what tells that the bug is there. */\n"
        "#define BUG          \"%s\" /* outcomes that are the bug: run_once in host.c */\n"
        "#define BUG_TEXT     \"%s\"\n"
        "#define DEFAULT_RUNS %" PRIu32 " /* until it is said not to be there */\n",
        rows[kind].outcomes, words_say(b->tc->env, rows[kind].text, &a), bug_get_runs(b));
    arena_free(&a);
    /* Where bytes beside a buffer change, words in it may be wrong too. */
    if (b->n_expect > 0 && (kind == BUG_WORDS || kind == BUG_MARGINS)) {
        put_words(b, f);
    } else if (kind == BUG_ORDER) {
        bug_put_order(b->order, f);
    } else if (kind == BUG_IDS) {
        bug_put_ids(b->ids, f);
    } else if (kind == BUG_OUTPUTS) {
        put_outputs(b, f);
    }
}

/* Put what finds the driver that the bug was seen on, where halfulp is at hand: no path of the machine that found it. */
static void put_driver(const struct bug *b, struct arena *a, FILE *f)
{
    (void)fprintf(
        f,
        "# Without DRIVER halfulp finds the driver of TARGET, where it is in PATH or named "
        "by HALFULP=FILE;\n"
        "# else the loader chooses.\n"
        "TARGET = %s\n"
        "HALFULP = halfulp\n"
        "# Another TARGET has another device: the first one is taken.\n"
        "ifneq ($(origin TARGET),file)\n"
        "DEVICE ?= :\n"
        "export DEVICE\n"
        "endif\n"
        "FOUND := $(if $(DRIVER),,$(if $(HALFULP),$(if $(TARGET),$(shell $(HALFULP) "
        "devices --variables $(TARGET) 2>/dev/null))))\n\n",
        bug_name_target(b, a));
}

/* Text for a variable of make and a word of the shell; what either would take apart is left out. */
static void put_plain(const char *text, FILE *f)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.,:=+- /";
    for (; *text; text++) {
        if (strchr(plain, *text)) {
            (void)fputc(*text, f);
        }
    }
}

/* Put the Makefile of a bug's folder, which needs only a C compiler and the API's loader. Two variables name the
 * driver, since older and newer loaders read different ones. */
static void put_makefile(const struct bug *b, FILE *f)
{
    struct arena a;
    bool const is_vk = b->tc->env == ENV_VK;
    arena_init(&a, (size_t)64 << 10);
    (void)fprintf(
        f,
        "# make builds the program, make run runs it, make info says what is here.\n"
        "# Exit status of ./host: 1 while the bug is there, 0 when not, 2 when it could "
        "not be run.\n"
        "# make says so as \"Error 1\".\n"
        "#\n"
        "# make run DRIVER=FILE: not the drivers that the system's loader finds, but that "
        "of FILE, %s.\n"
        "# make run LIBRARIES=FOLDER: with the shared libraries in FOLDER, the loader's "
        "among them.\n"
        "# make run DEVICE=NAME: another device, with NAME in its line of make info.\n%s"
        "DRIVER =\n"
        "LIBRARIES =\n"
        "# What the driver itself needs to be told:\n"
        "VARIABLES = ",
        is_vk ? "a .json" : "an .icd, a library, or a folder of .icd files",
        b->planted ? "# make run PROGRAM=module.spv: without the planted fault.\n" : "");
    put_plain(bug_get_variables(b, &a), f);
    (void)fprintf(f, "\n"
                     "CFLAGS = -std=c99 -O1 -Wall -Wextra\n\n");
    put_driver(b, &a, f);
    if (!is_vk) {
        (void)fprintf(
            f,
            "# One loader reads .icd files, the other wants the library that they name.\n"
            "LIBRARY = $(if $(filter %%.icd,$(DRIVER)),$(shell cat \"$(DRIVER)\"),$(DRIVER))\n\n");
    }
    (void)fprintf(
        f,
        "ENVIRONMENT = env $(VARIABLES) $(if $(LIBRARIES),LD_LIBRARY_PATH=\"$(LIBRARIES)\") \\\n"
        "    $(if $(DRIVER),%s,$(FOUND))\n\n"
        "# libm: compilers in drivers look for its functions in the program.\n"
        "host: host.c expected.h\n"
        "\t$(CC) $(CFLAGS) $(CPPFLAGS) $(LDFLAGS) -o $@ host.c %s\n\n"
        "run: host\n"
        "\t@$(if $(DRIVER),,$(if $(FOUND),,echo \"The loader chooses the driver. For the one that "
        "the bug was seen on:\" \\\n"
        "\t    \"make run HALFULP=FILE, that program, or make run DRIVER=FILE, %s\"))\n"
        "\t$(ENVIRONMENT) ./host\n\n"
        "info: host\n"
        "\tuname -a\n"
        "\t-grep NAME /etc/os-release\n"
        "\t$(ENVIRONMENT) ./host --list\n\n"
        "clean:\n"
        "\trm -f host\n\n"
        ".PHONY: run info clean\n",
        is_vk ? "VK_DRIVER_FILES=\"$(DRIVER)\" VK_ICD_FILENAMES=\"$(DRIVER)\""
              : "OCL_ICD_VENDORS=\"$(DRIVER)\" OCL_ICD_FILENAMES=\"$(LIBRARY)\"",
        bug_get_libraries(b), is_vk ? "its .json" : "its .icd or library");
    arena_free(&a);
}

static void put_module(const struct bug *b, FILE *f)
{
    const char *const text = b->text ? b->text : b->disassembly;
    (void)fputs(text ? text : "", f);
}

/* ---- the folder ---- */

const struct bug_file bug_files[BUG_FILE_N] = {
    {"report.md",     bug_put_report, false},
    {"host.c",        bug_put_host,   true },
    {"expected.h",    put_expected,   true },
    {"Makefile",      put_makefile,   false},
    {"module.spvasm", put_module,     false},
    {"case.amber",    bug_put_amber,  false},
};

static enum res write_one(const char *folder, const struct bug_file *row, const struct bug *b,
                          struct arena *a, struct err *e)
{
    struct file_writer w;
    enum res const r = file_begin(&w, arena_printf(a, "%s/%s", folder, row->name), e);
    if (r != RES_OK) {
        return r;
    }
    row->put(b, w.f);
    return file_end(&w, RES_OK, e);
}

static enum res write_planted(const char *folder, const struct bug *b, struct arena *a,
                              struct err *e)
{
    struct bytes words;
    bytes_init(&words, a);
    for (uint32_t i = 0; i < b->n_planted; i++) {
        bytes_put_u32(&words, b->planted[i]);
    }
    return words.ok
               ? file_write(arena_printf(a, "%s/%s", folder, bug_get_file(b)), words.p, words.n, e)
               : err_set(e, RES_NOMEM, "%s: module does not fit", folder);
}

enum res bug_write(const char *folder, const struct bug *b, struct arena *a, struct err *e)
{
    size_t const n = (size_t)BUG_FILE_N - (b->tc->env != ENV_VK); /* Amber is of Vulkan */
    if (bug_get_kind(b) == BUG_OUTPUTS && b->ob->n_bufs < b->tc->n_bufs) {
        return err_set(e, RES_USAGE, "%s: %s without outputs or words that tell of it", folder,
                       b->finding->verdict);
    }
    enum res r = b->planted ? write_planted(folder, b, a, e) : RES_OK;
    for (size_t i = 0; i < n && r == RES_OK; i++) {
        r = write_one(folder, &bug_files[i], b, a, e);
    }
    return r;
}
