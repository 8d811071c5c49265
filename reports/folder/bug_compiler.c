/* reports/folder/bug_compiler.c -- how a bug of a compiler without its device is shown and looked into. */
#include "reports/folder/bug_compiler.h"

#include <string.h>

#include "base/caps.h"
#include "base/testcase.h"
#include "reports/bug/bug_facts.h"
#include "reports/model/markdown.h"

enum {
    FACT_BYTES = 1024
};

static const struct compiler {
    const char *platform, *switches, *document;
} compilers[] = {
#define COMPILER(platform, switches, document) {platform, switches, document},
#include "reports/folder/bug_compiler.def"
};

/* The row of the driver; NULL: none. */
static const struct compiler *find_compiler(const char *platform)
{
    for (size_t i = 0; i < ARRAY_N(compilers); i++) {
        if (strcmp(compilers[i].platform, platform) == 0) {
            return &compilers[i];
        }
    }
    return NULL;
}

/* ocloc takes the module, or the source text, as it is. */
static void put_ocloc(const struct bug *b, const char *device, struct arena *a, FILE *f)
{
    const char *const options =
        b->tc->build_options[0] ? arena_printf(a, " -options \"%s\"", b->tc->build_options) : "";
    const char *const input = b->tc->language == LANGUAGE_SPIRV ? "-spirv_input " : "";
    markdown_put_block(arena_printf(a, "ocloc compile %s-file %s -device %s%s", input,
                                    bug_get_file(b), device, options),
                       FACT_BYTES, f);
}

/* Texts of the program are files of the folder, the last one is the final one. */
void bug_put_program(const struct bug *b, FILE *f)
{
    enum {
        MAX_LINES_BYTES = 16 << 10
    };
    const struct observation *const ob = b->ob;
    if (!bug_is_interpreted(b)) {
        return;
    }
    (void)fprintf(f,
                  "### The compiled program\n\nNo GPU executed the program. halfulp interpreted "
                  "the driver's final NIR, "
                  "`program-%u.txt`, on the inputs of this folder. The later passes of the driver "
                  "(instruction selection, register allocation) are not tested here.\n\n",
                  ob->n_programs - 1);
    if (bug_is_given(ob->log)) {
        (void)fprintf(f, "The lines of that program that compute the wrong word:\n\n");
        markdown_put_block(ob->log, MAX_LINES_BYTES, f);
        (void)fprintf(f, "\n");
    }
}

void bug_put_compiler(const struct bug *b, struct arena *a, FILE *f)
{
    const char *const facts = bug_get_facts(b);
    char environment[FACT_BYTES] = "", platform[FACT_BYTES] = "", device[FACT_BYTES] = "";
    /* Of a bundle from before there were values: target.build_only. */
    bool const has_values = facts_get(facts, "target.values", environment, sizeof(environment));
    if (!has_values && facts_number(facts, "target.build_only") == 0) {
        return;
    }
    (void)facts_get(facts, "platform", platform, sizeof(platform));
    (void)fprintf(
        f, "### Without the hardware\n\n%s\n\n",
        bug_is_interpreted(b)
            ? "The driver compiles the kernel without a GPU. `halfulp check .` builds it, "
              "interprets the program and prints the wrong value. The command below "
              "only compiles (`make host` builds `host`; the shim is Debian's package "
              "mesa-drm-shim, or Mesa "
              "built with -Dtools=drm-shim): nothing executes the kernel, and the verdict and the "
              "exit "
              "status of `host` mean nothing there. The driver's switches in the command print "
              "what it makes of the kernel:"
            : "This is a bug of the compiler. It shows without the device:");
    const struct compiler *const compiler = find_compiler(platform);
    const char *const switches = compiler ? compiler->switches : "";
    if (facts_get(facts, "ocloc.device", device, sizeof(device))) {
        put_ocloc(b, device, a, f);
    } else {
        (void)facts_get(facts, "target.environment", environment, sizeof(environment));
        markdown_put_block(
            arena_printf(a, "env %s %s%s./host", environment, switches, switches[0] ? " " : ""),
            FACT_BYTES, f);
    }
    if (compiler) {
        (void)fprintf(f, "\n%s explains the switches of the driver: `%s`\n", compiler->document,
                      compiler->switches);
    }
    (void)fprintf(f, "\n");
}
