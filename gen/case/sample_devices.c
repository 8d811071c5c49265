/* gen/case/sample_devices.c -- made-up devices: some list few features, two list all of one API. */
#include "gen/case/sample_devices.h"

#include <string.h>

#include "base/caps.h"
#include "base/ops.h"

#define CL    ENV_CL
#define VK    ENV_VK
#define HAS   false
#define LACKS true
const struct sample_device sample_devices[SAMPLE_DEVICE_N] = {
#define DEVICE(name, env, list, needs, text) {name, text, env, list, needs},
#include "gen/case/sample_devices.def"
};
#undef CL
#undef VK
#undef HAS
#undef LACKS

int sample_device_find(const char *name)
{
    for (int i = 0; i < SAMPLE_DEVICE_N; i++) {
        if (strcmp(sample_devices[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* Is the row named by a word of the list? */
static bool is_listed(const char *list, const char *id)
{
    for (const char *word = list; *word;) {
        size_t const n = strcspn(word, " ");
        bool const is_start = n > 0 && word[n - 1] == '*';
        size_t const n_alike = is_start ? n - 1 : n;
        if (strncmp(word, id, n_alike) == 0 && (is_start || id[n] == '\0')) {
            return true;
        }
        word += n + (word[n] == ' ');
    }
    return false;
}

struct needs sample_device_get_needs(const struct sample_device *d)
{
    struct needs out = {{0}};
    unsigned const env = op_get_env_bit(d->env);
    for (int i = 0; i < NEED_N; i++) {
        bool const is_own = (cap_rows[i].envs & env) != 0;
        bool const has = is_listed(d->needs, cap_rows[i].id) != d->is_list_of_lacking;
        needs_add_if(&out, (enum need_id)i, !is_own || has);
    }
    return out;
}
