/* oracle/sim/sim_facts.c -- facts of a simulated device that supports everything its environment offers. */
#include "oracle/sim/sim_facts.h"

#include <string.h>

#include "base/caps.h"
#include "base/ops.h"

enum {
    N_SIZES = 8,    /* powers of two up to CASE_MAX_SUBGROUP */
    CLUSTER_LOG = 2 /* of the largest cluster in a case that does not pin the size */
};

static uint32_t pick_subgroup_size(uint64_t seed, int may_be_small)
{
    uint32_t const least = may_be_small ? 0 : CLUSTER_LOG;
    return UINT32_C(1) << (least + hash_bytes(seed, "size", 4) % (N_SIZES - least));
}

/* Terms of a row's query without a value are features: "key". */
static void put_features(struct bytes *b, const char *query)
{
    while (*query) {
        size_t const n = strcspn(query, " ");
        int const is_feature = strcspn(query, "&<>=~ ") == n;
        if (n > 0 && is_feature) {
            bytes_put(b, query, n);
            bytes_put(b, "=1\n", 3);
        }
        query += n + (query[n] == ' ');
    }
}

/* Versions that the device may claim: the newest, and one on each side of where rules begin to bind
 * (oracle/math/binding.def). */
static const char *pick_version(uint64_t seed)
{
    static const char *const versions[] = {"1.4.360", "1.4.304", "1.4.303", "1.3.296",
                                           "1.3.295", "1.3.291", "1.3.230", "1.4.328"};
    return versions[seed / 4 % ARRAY_N(versions)];
}

/* The facts of a Vulkan device that supports all we know, "key=value" lines in the arena; `size` is that of
 * its sub-groups, the seed picks the version. */
static const char *vulkan_facts(uint64_t seed, uint32_t size, struct arena *a)
{
    struct bytes b;
    bytes_init(&b, a);
    for (int i = 0; i < NEED_N; i++) {
        if (cap_rows[i].envs & OP_VK) {
            put_features(&b, cap_rows[i].query);
        }
    }
    bytes_put(&b, "", 1);
    return arena_printf(a,
                        "api=%s\ndevice=halfulp simulator\nversion=Vulkan %s\nvk.api=0x10400\n"
                        "vk.ext=VK_AMD_shader_ballot\nvk.spirv_ext=SPV_INTEL_fp_max_error\n"
                        "vk.p.denormBehaviorIndependence=1\nvk.p.roundingModeIndependence=1\n"
                        "vk.p.subgroupSize=%u\nvk.p.minSubgroupSize=1\nvk.p.maxSubgroupSize=%d\n"
                        "vk.p.maxComputeWorkgroupSubgroups=1024\n"
                        "vk.p.requiredSubgroupSizeStages=0x20\n"
                        "vk.p.subgroupSupportedStages=0x20\n"
                        "vk.p.subgroupSupportedOperations=0x7ff\n%s",
                        env_names[ENV_VK], pick_version(seed), size, CASE_MAX_SUBGROUP,
                        b.ok ? (const char *)b.p : "");
}

/* binary16 and binary32 with or without subnormals. */
static const char *opencl_facts(uint64_t seed, uint32_t size, struct arena *a)
{
    return arena_printf(
        a,
        "api=%s\ndevice=halfulp simulator\nversion=1\n"
        "cl.ext=cl_khr_fp16 cl_khr_fp64 cl_khr_int64_base_atomics cl_khr_int64_extended_atomics "
        "cl_khr_subgroups cl_khr_subgroup_extended_types cl_khr_work_group_uniform_arithmetic "
        "cl_khr_subgroup_non_uniform_vote cl_khr_subgroup_non_uniform_arithmetic "
        "cl_khr_subgroup_ballot cl_khr_subgroup_shuffle cl_khr_subgroup_shuffle_relative "
        "cl_khr_subgroup_clustered_reduce cl_khr_subgroup_rotate cl_intel_subgroups "
        "cl_khr_integer_dot_product\n"
        "cl.spirv_ext=SPV_AMD_shader_ballot SPV_INTEL_fp_max_error SPV_KHR_bfloat16 "
        "SPV_INTEL_16bit_atomics\ncl.spirv_caps=5116 6016 6255 6256 6260 6261 6262\n"
        "cl.fp16_config=%s\ncl.fp32_config=%s\ncl.fp64_config=0x3f\n"
        "cl.dot=0x3\ncl.generic=1\ncl.specialization=1\ncl.fatomic16=0x70007\ncl.fatomic32="
        "0x70007\n"
        "cl.fatomic64=0x70007\ncl.atomic_memory=0x7f\ncl.max_subgroups=1024\n"
        "cl.wg_collectives=1\ncl.subgroup_sizes=4 8 16 32 64\ncl.sim_subgroup_size=%u\n"
        "cl.max_wg=1024\ncl.local_mem=32768\ncl.int64=1\ncl.nonuniform_wg=1\ncl.il_max=0x10400\ncl."
        "c_max=0x30000\n",
        env_names[ENV_CL], seed & 1 ? "0x3f" : "0x3e", seed & 2 ? "0xbf" : "0xbe", size);
}

static const char *get_facts(enum env env, uint64_t seed, uint32_t size, struct arena *a)
{
    switch (env) {
    case ENV_CL:
        return opencl_facts(seed, size, a);
    case ENV_VK:
        return vulkan_facts(seed, size, a);
    }
    return "";
}

const char *sim_facts(enum env env, uint64_t seed, struct arena *a)
{
    return get_facts(env, seed, pick_subgroup_size(seed, 0), a);
}

const char *sim_facts_for(const struct testcase *tc, uint64_t seed, struct arena *a)
{
    static enum need_id const with_clusters[] = {NEED_CL_SG_CLUSTERED, NEED_CL_SG_ROTATE,
                                                 NEED_VK_SG_CLUSTERED, NEED_VK_SG_ROTATE_CLUSTERED};
    int may_be_small = 1;
    for (size_t i = 0; i < ARRAY_N(with_clusters); i++) {
        may_be_small &= !needs_has(&tc->needs, with_clusters[i]);
    }
    return get_facts(tc->env, seed, pick_subgroup_size(seed, may_be_small), a);
}
