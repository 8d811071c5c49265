/* reports/folder/bug_features.c -- the Vulkan features and extensions that a case needs, and no others. */
#include "reports/folder/bug_features.h"

#include <inttypes.h>
#include <string.h>

#include "base/caps.h"
#include "base/ops.h"
#include "reports/bug/bug_facts.h"

static const struct bug_feature rows[] = {
#define ROW(field, structure, type, extension, core, fields, amber)                                \
    {#field, structure, type, extension, core, fields, amber},
#define FEATURE(...) ROW(__VA_ARGS__)
#include "reports/folder/bug_features.def"
#undef ROW
};

const struct bug_feature *bug_find_feature(const char *name, size_t n_name)
{
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (strlen(rows[i].name) == n_name && memcmp(rows[i].name, name, n_name) == 0) {
            return &rows[i];
        }
    }
    return NULL;
}

static void add_extension(struct bug_needs *n, const char *name, size_t n_name)
{
    if (n_name == 0 || n_name >= BUG_MAX_NAME || n->n_extensions == BUG_MAX_EXTENSIONS) {
        return;
    }
    for (uint32_t i = 0; i < n->n_extensions; i++) {
        if (strncmp(n->extensions[i], name, n_name) == 0 && !n->extensions[i][n_name]) {
            return;
        }
    }
    memcpy(n->extensions[n->n_extensions], name, n_name);
    n->extensions[n->n_extensions++][n_name] = '\0';
}

static int has_feature(const struct bug_feature *const *list, uint32_t n,
                       const struct bug_feature *f)
{
    for (uint32_t i = 0; i < n; i++) {
        if (list[i] == f) {
            return 1;
        }
    }
    return 0;
}

/* Add a feature to those that the host program enables, and the extension that brings it, where the device's
 * API version (`api`) does not have it as core. A case may use what the device does not list: that cannot be
 * enabled, and is only told (unlisted). Nothing is added twice. */
static void add_feature(struct bug_needs *n, const struct bug_feature *f, const char *facts,
                        uint64_t api)
{
    char key[BUG_MAX_NAME + 8] = "vk.f.";
    strncat(key, f->name, BUG_MAX_NAME);
    if (*facts && facts_number(facts, key) == 0) {
        if (!has_feature(n->unlisted, n->n_unlisted, f) && n->n_unlisted < BUG_MAX_FEATURES) {
            n->unlisted[n->n_unlisted++] = f;
        }
        return;
    }
    if (has_feature(n->features, n->n_features, f) || n->n_features == BUG_MAX_FEATURES) {
        return;
    }
    n->features[n->n_features++] = f;
    if (f->core == 0 || api < f->core) {
        add_extension(n, f->extension, strlen(f->extension));
    }
    if (strcmp(f->extension, "VK_EXT_shader_atomic_float2") == 0) { /* which it depends on */
        add_extension(n, "VK_EXT_shader_atomic_float", strlen("VK_EXT_shader_atomic_float"));
    }
}

/* A word of a query: "vk.f.NAME" a feature, "vk.ext~NAME" an extension; a property needs nothing, but
 * those of the float controls are an extension's below Vulkan 1.2. */
static void add_word(struct bug_needs *n, const char *word, size_t n_word, const char *facts,
                     uint64_t api)
{
    static const char controls[] = "VK_KHR_shader_float_controls";
    if (strncmp(word, "vk.f.", 5) == 0) {
        const struct bug_feature *const f = bug_find_feature(word + 5, n_word - 5);
        if (f) {
            add_feature(n, f, facts, api);
        }
    } else if (strncmp(word, "vk.ext~", 7) == 0) {
        add_extension(n, word + 7, n_word - 7);
    } else if (strncmp(word, "vk.p.shader", 11) == 0 && api < 0x10200) {
        add_extension(n, controls, sizeof controls - 1);
    }
}

void bug_get_needs(const struct bug *b, struct bug_needs *out)
{
    const char *const facts = bug_get_facts(b);
    uint64_t const known = facts_number(facts, "vk.api");
    uint64_t const api = known ? known : 0x10300;
    memset(out, 0, sizeof *out);
    for (int i = 0; i < NEED_N; i++) {
        if (!needs_has(&b->tc->needs, (enum need_id)i) || !(cap_rows[i].envs & OP_VK)) {
            continue;
        }
        const char *word = cap_rows[i].query;
        while (*word) {
            size_t const n = strcspn(word, " ");
            add_word(out, word, n, facts, api);
            word += n + (word[n] == ' ');
        }
    }
}

/* Structures that Vulkan 1.2 took in may not stand beside its own one:
 * VUID-VkDeviceCreateInfo-pNext-02830. */
static const struct bug_feature *find_whole(const struct bug_needs *n)
{
    for (uint32_t i = 0; i < n->n_features; i++) {
        if (strcmp(n->features[i]->structure, "VkPhysicalDeviceVulkan12Features") == 0) {
            return n->features[i];
        }
    }
    return NULL;
}

static const struct bug_feature *get_home(const struct bug_needs *n, uint32_t i)
{
    const struct bug_feature *const whole = find_whole(n);
    return whole && n->features[i]->core == 0x10200 ? whole : n->features[i];
}

static int is_first_of_structure(const struct bug_needs *n, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++) {
        if (strcmp(get_home(n, k)->structure, get_home(n, i)->structure) == 0) {
            return 0;
        }
    }
    return 1;
}

static void put_newer_structures(const struct bug_needs *n, FILE *f)
{
    for (uint32_t i = 0; i < n->n_features; i++) {
        const struct bug_feature *const x = n->features[i];
        if (x->fields[0] && is_first_of_structure(n, i)) {
            (void)fprintf(f,
                          "#ifndef %s /* headers from before it */\n"
                          "typedef struct {\n    VkStructureType sType;\n    void *pNext;\n"
                          "    %s\n} %s;\n#endif\n\n",
                          x->extension, x->fields, x->structure);
        }
    }
}

/* Put a structure of features, whose first one is that row; `next` is the name of what it is chained to, "": nothing. */
static void put_structure(const struct bug_needs *n, uint32_t first, const char *next, FILE *f)
{
    const struct bug_feature *const home = get_home(n, first);
    (void)fprintf(f, "static %s f%" PRIu32 " = {\n    .sType = %s", home->structure, first,
                  home->type);
    for (uint32_t i = first; i < n->n_features; i++) {
        if (strcmp(get_home(n, i)->structure, home->structure) == 0) {
            (void)fprintf(f, ", .%s = VK_TRUE", n->features[i]->name);
        }
    }
    (void)fprintf(f, "%s%s};\n", next[0] ? ", .pNext = &" : "", next);
}

/* Put the part of host.c that names the extensions and enables the features that the module needs, and no
 * others: each structure once, with all of its features. */
void bug_put_features(const struct bug *b, FILE *f)
{
    struct bug_needs n;
    char next[16] = "";
    bug_get_needs(b, &n);
    put_newer_structures(&n, f);
    (void)fprintf(f, "/* What the module needs, and no more. */\n");
    for (uint32_t i = 0; i < n.n_extensions; i++) {
        (void)fprintf(f, "%s\"%s\"%s", i == 0 ? "static const char *const extensions[] = {" : ", ",
                      n.extensions[i], i + 1 == n.n_extensions ? "};\n" : "");
    }
    for (uint32_t i = 0; i < n.n_unlisted; i++) {
        (void)fprintf(f, "/* %s is needed too, but the device does not list it. */\n",
                      n.unlisted[i]->name);
    }
    for (uint32_t i = 0; i < n.n_features; i++) {
        if (n.features[i]->structure[0] && is_first_of_structure(&n, i)) {
            put_structure(&n, i, next, f);
            (void)snprintf(next, sizeof next, "f%" PRIu32, i);
        }
    }
    (void)fprintf(f, "static const VkPhysicalDeviceFeatures2 features = {\n"
                     "    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2");
    for (uint32_t i = 0; i < n.n_features; i++) {
        if (!n.features[i]->structure[0]) { /* a member of VkPhysicalDeviceFeatures */
            (void)fprintf(f, ", .features.%s = VK_TRUE", n.features[i]->name);
        }
    }
    (void)fprintf(f, "%s%s};\n\n", next[0] ? ", .pNext = &" : "", next);
}
