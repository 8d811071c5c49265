/* oracle/nir_driver/nir_driver.h -- the drivers whose texts are run: the rows of nir_driver.def. */
#pragma once

#include "base/base.h"

enum nir_driver {
#define NIR_DRIVER(ID, ...) NIR_DRIVER_##ID,
#include "oracle/nir_driver/nir_driver.def"
};
enum {
    NIR_DRIVER_N = 0
#define NIR_DRIVER(...) +1
#include "oracle/nir_driver/nir_driver.def"
};
extern const char *const nir_driver_names[NIR_DRIVER_N];
/* The driver of that name; -1: none. */
int nir_driver_find(const char *name);
/* The driver that has these facts (base/caps.h); -1: one that is not known. */
int nir_driver_of(const char *facts);

struct nir_rules;
/* What differs between drivers: nir_rules.h. */
const struct nir_rules *nir_driver_get_rules(enum nir_driver driver);
