/* oracle/nir_driver/nir_driver.c -- the rows of nir_driver.def. */
#include "oracle/nir_driver/nir_driver.h"

#include <string.h>

#include "base/caps.h"
#include "oracle/nir_driver/nir_honeykrisp.h"
#include "oracle/nir_driver/nir_lavapipe.h"
#include "oracle/nir_driver/nir_nvk.h"
#include "oracle/nir_driver/nir_radv.h"
#include "oracle/nir_driver/nir_turnip.h"

const char *const nir_driver_names[NIR_DRIVER_N] = {
#define NIR_DRIVER(ID, name, rules) [NIR_DRIVER_##ID] = name,
#include "oracle/nir_driver/nir_driver.def"
};

int nir_driver_find(const char *name)
{
    for (int i = 0; i < NIR_DRIVER_N; i++) {
        if (strcmp(nir_driver_names[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

int nir_driver_of(const char *facts)
{
    static const struct {
        enum nir_driver driver;
        const char *platform, *key, *text;
    } rows[] = {
#define NIR_FACT(ID, platform, key, text) {NIR_DRIVER_##ID, platform, key, text},
#include "oracle/nir_driver/nir_driver.def"
    };
    enum {
        FACT_BYTES = 1024
    };
    char platform[FACT_BYTES], fact[FACT_BYTES];
    if (!facts_get(facts, "platform", platform, sizeof platform)) {
        return -1;
    }
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (strncmp(platform, rows[i].platform, strlen(rows[i].platform)) == 0 &&
            facts_get(facts, rows[i].key, fact, sizeof fact) && strstr(fact, rows[i].text)) {
            return (int)rows[i].driver;
        }
    }
    return -1;
}

const struct nir_rules *nir_driver_get_rules(enum nir_driver driver)
{
    static const struct nir_rules *const rows[NIR_DRIVER_N] = {
#define NIR_DRIVER(ID, name, rules) [NIR_DRIVER_##ID] = &nir_##rules,
#include "oracle/nir_driver/nir_driver.def"
    };
    return rows[driver];
}
