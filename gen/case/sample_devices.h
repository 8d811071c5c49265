/* gen/case/sample_devices.h -- made-up devices: some list few features, two list all of one API, by sample_devices.def. */
#pragma once

#include "base/testcase.h"

struct sample_device {
    const char *name, *text;
    enum env env;
    bool is_list_of_lacking; /* `needs` are those that it lacks, not those that it has */
    const char *needs;
};
enum {
    SAMPLE_DEVICE_N = 0
#define DEVICE(...) +1
#include "gen/case/sample_devices.def"
};
extern const struct sample_device sample_devices[SAMPLE_DEVICE_N];
/* Row by name, or -1. */
int sample_device_find(const char *name);
/* The needs that it lists; all of the other environment. */
struct needs sample_device_get_needs(const struct sample_device *d);
