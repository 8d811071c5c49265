/* reports/bug/bug_parts.h -- inside of bug*.c: what tells that a bug is there, and pieces of C. */
#pragma once

#include "base/format.h"
#include "reports/bug/bug.h"

/* What tells that the bug is there. */
enum bug_kind {
    BUG_WORDS,   /* a word that is not permitted */
    BUG_OUTPUTS, /* all outputs are as they were */
    BUG_MARGINS, /* a byte beside a buffer has changed */
    BUG_DIES,    /* the driver dies, hangs, ends the process or loses the device */
    BUG_REFUSED  /* an error code */
};
enum bug_kind bug_get_kind(const struct bug *b);
/* How many runs are made before the bug is said not to be there. */
uint32_t bug_get_runs(const struct bug *b);
/* What the device said of itself; "" where nothing is known. */
const char *bug_get_facts(const struct bug *b);
/* "OpAtomicFMinEXT f32 workgroup: a number outside the permitted set"; foreign text. */
const char *bug_get_title(const struct bug *b, struct arena *a);
/* What a word may hold, for people: "0x00000000 (0), 0x3f800000 (1) to 0x3f800002 (...), any quiet
 * NaN". */
const char *bug_get_permitted(const struct bug *b, const struct expect *x, struct arena *a);
/* The bits of a word, for people. */
const char *bug_get_value(const struct bug *b, const struct expect *x, uint64_t bits,
                          struct arena *a);
/* How the bits of a word are to be read: as a float of its size where it is one, or where the bug is
 * about such floats, which are often stored as integers; else NULL. */
const struct float_format *bug_get_format(const struct bug *b, const struct expect *x);

/* The parts of a C program that are the same for many cases: lines, of which one that starts with
 * '@' and a letter is only for a case with that letter among its flags, with '@' and a capital only
 * for one without. */
struct bug_lines {
    const char *const *line;
    size_t n;
};
extern const struct bug_lines bug_ocl_lines, bug_vk_device_lines, bug_vk_memory_lines,
    bug_vk_run_lines;
void bug_put_lines(const struct bug_lines *l, const char *flags, FILE *f);
/* A string literal of C, whatever the text holds. */
void bug_put_literal(const char *text, FILE *f);
/* Text within a comment of C or behind a mark at the start of a line: printable ASCII that ends
 * neither. */
void bug_put_comment(const char *text, FILE *f);
/* Vulkan: the features and extensions that the case needs, as a function that enables them. */
void bug_put_features(const struct bug *b, FILE *f);

/* One Vulkan feature or extension that a case needs: base/caps.def's queries. */
struct bug_feature {
    const char *name;      /* of the field */
    const char *structure; /* its structure; "" for VkPhysicalDeviceFeatures */
    const char *type;      /* of the structure: its VkStructureType */
    const char *extension; /* to be enabled below version `core` */
    uint32_t core;         /* 0x10200; 0: of no version */
    const char *fields;    /* of a structure that older headers lack; else "" */
    const char *amber;     /* its name in Amber, "" where it has none */
};
const struct bug_feature *bug_find_feature(const char *name, size_t n_name);
enum {
    BUG_MAX_FEATURES = 48,
    BUG_MAX_EXTENSIONS = 16,
    BUG_MAX_NAME = 64
};
/* What is to be enabled for a case. */
struct bug_needs {
    uint32_t n_features, n_extensions, n_unlisted;
    const struct bug_feature *features[BUG_MAX_FEATURES];
    const struct bug_feature *unlisted[BUG_MAX_FEATURES]; /* the device lacks them */
    char extensions[BUG_MAX_EXTENSIONS][BUG_MAX_NAME];
};
void bug_get_needs(const struct bug *b, struct bug_needs *out);
