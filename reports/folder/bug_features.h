/* reports/folder/bug_features.h -- the Vulkan features and extensions that a case needs, and no others. */
#pragma once

#include "reports/bug/bug.h"
#include <stdio.h>

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
/* As a function of the program that enables them. */
void bug_put_features(const struct bug *b, FILE *f);
