/* gen/ir/test_group_rules.h -- for test_rules.h: what SPIRV-Tools does not ask of group instructions,
 * and where a module of maximal reconvergence may branch to. */
#pragma once

/* The instruction's text from word `at` on is exactly this. */
static inline int rules_is_text(const struct spv_inst *i, uint32_t at, const char *text)
{
    size_t const n = strlen(text) + 1;
    return i->n > at && n <= (size_t)(i->n - at) * 4 && memcmp(i->w + at, text, n) == 0;
}

static inline int rules_has_extension(const struct testcase *tc, uint32_t op, uint32_t at,
                                      const char *text)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst i;
    while (spv_next(tc->module, tc->n_words, &offset, &i)) {
        if (i.op == op && rules_is_text(&i, at, text)) {
            return 1;
        }
    }
    return 0;
}

/* One row: opcodes, capability, the words that have a group operation. */
struct group_rule {
    uint32_t first, last, cap;
    int is_uniform, is_cl, is_vk;
    uint32_t n_words; /* without ClusterSize */
    int has_operation;
};
static const struct group_rule group_rules[] = {
    {261,  262,  18,   1, 1, 0, 5, 0},
    {263,  263,  18,   1, 1, 0, 6, 0},
    {264,  271,  18,   1, 1, 1, 6, 1},
    {6401, 6408, 6400, 1, 1, 0, 6, 1},
    {333,  333,  61,   0, 1, 1, 4, 0},
    {334,  336,  62,   0, 1, 1, 5, 0},
    {337,  337,  64,   0, 1, 1, 6, 0},
    {338,  340,  64,   0, 1, 1, 5, 0},
    {341,  341,  64,   0, 1, 1, 6, 0},
    {342,  342,  64,   0, 1, 1, 6, 1},
    {343,  344,  64,   0, 1, 1, 5, 0},
    {345,  346,  65,   0, 1, 1, 6, 0},
    {347,  348,  66,   0, 1, 1, 6, 0},
    {349,  364,  63,   0, 1, 1, 6, 1},
    {365,  366,  68,   0, 0, 1, 6, 0},
    {4431, 4431, 6026, 0, 1, 1, 6, 0},
    {5110, 5111, 5087, 0, 0, 1, 4, 0},
    {5296, 5296, 5297, 0, 0, 1, 4, 0},
    {5000, 5007, 18,   0, 1, 1, 6, 1},
    {5571, 5571, 5568, 0, 1, 0, 5, 0},
    {5572, 5573, 5568, 0, 1, 0, 6, 0},
    {5574, 5574, 5568, 0, 1, 0, 5, 0}
};

static inline const struct group_rule *rules_find_group(uint32_t op)
{
    for (size_t k = 0; k < sizeof group_rules / sizeof *group_rules; k++) {
        if (op >= group_rules[k].first && op <= group_rules[k].last) {
            return &group_rules[k];
        }
    }
    return NULL;
}

static inline int rules_is_power_of_two(uint32_t x)
{
    return x != 0 && (x & (x - 1)) == 0;
}

/* ClusterSize, and the capability that ClusteredReduce has in place of arithmetic's. */
static inline int rules_check_cluster(struct rules *r, const struct spv_inst *i,
                                      const struct group_rule *g)
{
    int const has_size = i->n > g->n_words;
    uint32_t const operation = g->has_operation ? i->w[4] : 0;
    int const is_partitioned = operation >= 6 && operation <= 8;
    if (is_partitioned && g->cap == 63) {
        return i->n == g->n_words + 1 && r->n_of[r->type_of[i->w[6]]] == 4 &&
                       r->width_of[r->type_of[i->w[6]]] == 32 && rules_has_cap(r, 5297)
                   ? 1
                   : rules_fail(r, i, "no ballot to partition by, or no capability");
    }
    if (operation > 3 || (operation == 3 && g->cap != 63)) {
        return rules_fail(r, i, "no such group operation here");
    }
    if (i->n > g->n_words + 1 || (has_size && operation != 3 && i->op != 4431) ||
        (!has_size && operation == 3)) {
        return rules_fail(r, i, "ClusterSize missing or not wanted");
    }
    uint32_t const size = has_size ? i->w[g->n_words] : 0;
    if (has_size && (!r->is_constant[size] || !rules_is_power_of_two(r->value_of[size]) ||
                     r->value_of[size] > CASE_MAX_SUBGROUP)) {
        return rules_fail(r, i, "ClusterSize is no constant power of two");
    }
    uint32_t const cap = operation == 3 ? 67 : g->cap;
    if (!rules_has_cap(r, cap) || (cap == 6400 && !rules_has_cap(r, 18))) {
        return rules_fail(r, i, "a capability is missing");
    }
    return 1;
}

/* Of the quad, or of the sub-group without saying so. */
static inline int rules_has_no_scope(uint32_t op)
{
    return op == 5110 || op == 5111 || op == 5296 || (op >= 5571 && op <= 5574);
}

static inline int rules_check_group_scope(struct rules *r, const struct spv_inst *i,
                                          const struct group_rule *g, enum env env)
{
    uint32_t const scope = r->value_of[i->w[3]];
    if (rules_has_no_scope(i->op)) {
        return 1;
    }
    if (!r->is_constant[i->w[3]]) {
        return rules_fail(r, i, "the scope is no constant");
    }
    if (g->cap == 6400) {
        return scope == 2 ? 1 : rules_fail(r, i, "scope is not the work-group");
    }
    int const may_be_workgroup = env == ENV_CL && (g->is_uniform || i->op >= 5000);
    return scope == 3 || (scope == 2 && may_be_workgroup)
               ? 1
               : rules_fail(r, i, "scope is not the sub-group (SA-04642)");
}

/* Opcodes that want floats, bools, or take any type; the rest wants integers. */
static inline int rules_is_among(const uint32_t *list, size_t n, uint32_t op)
{
    for (size_t k = 0; k < n; k++) {
        if (list[k] == op) {
            return 1;
        }
    }
    return 0;
}

static inline int rules_check_group_kind(struct rules *r, const struct spv_inst *i, uint32_t type)
{
    static const uint32_t floats[] = {265, 266, 269, 350, 352, 355, 358, 5001, 5002, 5005, 6402};
    static const uint32_t bools[] = {261, 262,  334,  335,  339,  362, 363,
                                     364, 5110, 5111, 6406, 6407, 6408};
    static const uint32_t any[] = {263, 336, 337,  338,  345,  346,  347,  348,
                                   365, 366, 4431, 5296, 5571, 5572, 5573, 5574};
    static const uint32_t scalars[] = {261,  262,  264,  265,  266,  267,  268,  269,
                                       270,  271,  334,  335,  339,  5000, 5001, 5110,
                                       5111, 5002, 5003, 5004, 5005, 5006, 5007};
    uint32_t const width = r->width_of[type];
    if (r->n_of[type] != 0 && rules_is_among(scalars, sizeof scalars / sizeof *scalars, i->op)) {
        return rules_fail(r, i, "no scalar");
    }
    if (rules_is_among(any, sizeof any / sizeof *any, i->op)) {
        return width != 0 ? 1 : rules_fail(r, i, "neither number nor bool");
    }
    if (rules_is_among(floats, sizeof floats / sizeof *floats, i->op)) {
        return width > 0x100 ? 1 : rules_fail(r, i, "no float");
    }
    if (rules_is_among(bools, sizeof bools / sizeof *bools, i->op)) {
        return width == 1 ? 1 : rules_fail(r, i, "no bool");
    }
    if (i->op >= 340 && i->op <= 344) {
        return width == 32 && r->n_of[type] == 4 ? 1 : rules_fail(r, i, "no ballot");
    }
    return width > 1 && width < 0x100 ? 1 : rules_fail(r, i, "no integer");
}

/* Types that an environment leaves out: A6's table of limits, RT-06275. `type` of the value. */
static inline int rules_check_group_type(struct rules *r, const struct spv_inst *i,
                                         const struct testcase *tc, uint32_t type)
{
    uint32_t const width = r->width_of[type];
    int const is_vector = r->n_of[type] != 0;
    int const is_small = width == 8 || width == 16;
    if (tc->env == ENV_VK) {
        return (!is_small && width != 64 && width != 0x110) ||
                       needs_has(&tc->needs, NEED_VK_SG_EXTENDED_TYPES)
                   ? 1
                   : rules_fail(r, i, "extended types are not among the needs (RT-06275)");
    }
    uint32_t const scope = i->op == 12 ? 3 : r->value_of[i->w[3]];
    int const takes_ballot = i->op >= 339 && i->op <= 344;
    if (i->op >= 5571 && i->op <= 5574) { /* cl_intel_subgroups: vectors of float and int alone */
        return !is_vector || width == 32 || width == 0x120
                   ? 1
                   : rules_fail(r, i, "a vector that the functions do not take");
    }
    if (is_vector && i->op != 12 && !takes_ballot && i->op != 337 && (i->op != 263 || scope != 3)) {
        return rules_fail(r, i, "a vector in OpenCL");
    }
    if (i->op <= 271 && (is_small || is_vector) && i->op != 12 &&
        (scope != 3 || (!needs_has(&tc->needs, NEED_CL_SG_EXTENDED_TYPES) &&
                        !(i->op >= 264 && needs_has(&tc->needs, NEED_CL_AMD_BALLOT))))) {
        return rules_fail(r, i, "8 or 16 bits without cl_khr_subgroup_extended_types");
    }
    if (i->op >= 6401 && i->op <= 6408 && is_small) {
        return rules_fail(r, i, "8 or 16 bits in the work-group");
    }
    int const is_of_bools = i->op <= 262 || (i->op >= 333 && i->op <= 335) || takes_ballot ||
                            (i->op >= 362 && i->op <= 364) || i->op >= 6406;
    return width != 1 || is_of_bools ? 1 : rules_fail(r, i, "a bool in OpenCL");
}

/* Operands that have to be constant: broadcasts below 1.5, the direction of a swap. */
static inline int rules_check_group_constants(struct rules *r, const struct spv_inst *i,
                                              const struct testcase *tc)
{
    uint32_t const version = tc->module[1];
    if (i->op == 366) {
        return r->is_constant[i->w[5]] && r->value_of[i->w[5]] < 3
                   ? 1
                   : rules_fail(r, i, "no direction of a swap");
    }
    if ((i->op == 337 || i->op == 365) && !r->is_constant[i->w[5]]) {
        if (version < 0x10500) {
            return rules_fail(r, i, "a dynamic id below 1.5");
        }
        if (i->op == 337 && tc->env == ENV_VK &&
            !needs_has(&tc->needs, NEED_VK_SG_BROADCAST_DYNAMIC)) {
            return rules_fail(r, i, "a dynamic id is not among the needs (RT-06276)");
        }
    }
    return i->op > 366 || i->op < 333 || version >= 0x10300
               ? 1
               : rules_fail(r, i, "not before SPIR-V 1.3");
}

static inline int rules_is_bare(const struct testcase *tc)
{
    return needs_has(&tc->needs, NEED_CL_AMD_BARE) || needs_has(&tc->needs, NEED_VK_AMD_BARE);
}

/* A swizzle's constants: 4 up to 3, or 3 up to 31. */
static inline int rules_check_pattern(struct rules *r, const struct spv_inst *i,
                                      const struct testcase *tc)
{
    uint32_t const n = i->w[4] == 1 ? 4 : 3;
    uint32_t const most = i->w[4] == 1 ? 3 : 31;
    uint32_t const at = r->value_of[i->w[6]]; /* the composite's own words */
    if (!r->is_constant[i->w[6]] || tc->module[at] != ((n + 3) << 16 | 44)) {
        return rules_fail(r, i, "the pattern is no constant vector of its length");
    }
    for (uint32_t k = 0; k < n; k++) {
        if (r->value_of[tc->module[at + 3 + k]] > most) {
            return rules_fail(r, i, "the pattern is out of range");
        }
    }
    return 1;
}

/* The extended set of SPV_AMD_shader_ballot, the only one imported. */
static inline int rules_check_extended(struct rules *r, const struct spv_inst *i,
                                       const struct testcase *tc)
{
    static const uint32_t n_words[] = {0, 7, 7, 8, 6};
    static const char name[] = "SPV_AMD_shader_ballot";
    r->n_groups++;
    if (i->w[4] < 1 || i->w[4] > 4 || i->n != n_words[i->w[4]]) {
        return rules_fail(r, i, "no instruction of the extended set");
    }
    if (!rules_has_extension(tc, SpvOpExtInstImport, 2, name) ||
        rules_has_extension(tc, SpvOpExtension, 1, name) == rules_is_bare(tc)) {
        return rules_fail(r, i, "import or extension missing, or bare and there");
    }
    uint32_t const type = r->type_of[i->w[5]];
    if (type != i->w[1] || (i->w[4] == 4 && (r->width_of[type] != 32 || r->n_of[type] != 0))) {
        return rules_fail(r, i, "result and operand differ in type");
    }
    if (i->w[4] <= 2 && !rules_check_pattern(r, i, tc)) {
        return 0;
    }
    return rules_check_group_type(r, i, tc, type);
}

/* 1 also where i is no group instruction. */
static inline int rules_check_group(struct rules *r, const struct spv_inst *i,
                                    const struct testcase *tc)
{
    if (i->op == SpvOpExtInst) {
        return i->w[3] != r->amd_set || rules_check_extended(r, i, tc);
    }
    const struct group_rule *const g = rules_find_group(i->op);
    if (!g) {
        return 1;
    }
    r->n_groups++;
    if (!(tc->env == ENV_CL ? g->is_cl : g->is_vk)) {
        return rules_fail(r, i, "not in this environment");
    }
    if (i->n < g->n_words || !rules_check_group_scope(r, i, g, tc->env) ||
        !rules_check_cluster(r, i, g) || !rules_check_group_constants(r, i, tc)) {
        return r->text[0] ? 0 : rules_fail(r, i, "operands are missing");
    }
    if (i->op >= 264 && i->op <= 271 && tc->env == ENV_VK &&
        !rules_has_extension(tc, SpvOpExtension, 1, "SPV_AMD_shader_ballot")) {
        return rules_fail(r, i, "of the core and without the extension that Vulkan knows it by");
    }
    if (i->op >= 5000 && i->op <= 5007 &&
        rules_has_extension(tc, SpvOpExtension, 1, "SPV_AMD_shader_ballot") == rules_is_bare(tc)) {
        return rules_fail(r, i, "extension missing, or bare and there");
    }
    if ((g->cap == 6026 &&
         !rules_has_extension(tc, SpvOpExtension, 1, "SPV_KHR_subgroup_rotate")) ||
        (g->cap == 5297 &&
         !rules_has_extension(tc, SpvOpExtension, 1, "SPV_NV_shader_subgroup_partitioned")) ||
        (g->cap == 5568 && !rules_has_extension(tc, SpvOpExtension, 1, "SPV_INTEL_subgroups")) ||
        (g->cap == 5087 && !rules_has_extension(tc, SpvOpExtension, 1, "SPV_KHR_quad_control")) ||
        (g->cap == 6400 &&
         !rules_has_extension(tc, SpvOpExtension, 1, "SPV_KHR_uniform_group_instructions"))) {
        return rules_fail(r, i, "the extension is missing");
    }
    if (i->op == 333) {
        return 1; /* elect has no value */
    }
    int const has_scope = !rules_has_no_scope(i->op);
    uint32_t const type = r->type_of[i->w[3 + has_scope + g->has_operation]];
    return rules_check_group_kind(r, i, type) && rules_check_group_type(r, i, tc, type);
}

/* SPV_KHR_maximal_reconvergence: several predecessors for loop headers, merge blocks and continue
 * targets alone; the two ways of a branch differ. */
static inline int rules_check_predecessors(struct rules *r, const struct testcase *tc)
{
    static const unsigned char free_to_meet = 0x80;
    unsigned char n_into[RULES_MAX_IDS] = {0};
    uint32_t offset = SPV_HEADER_WORDS;
    uint32_t label = 0;
    struct spv_inst i;
    while (spv_next(tc->module, tc->n_words, &offset, &i)) {
        if (i.op == SpvOpLabel) {
            label = i.w[1];
        } else if (i.op == SpvOpSelectionMerge) {
            n_into[i.w[1]] |= free_to_meet;
        } else if (i.op == SpvOpLoopMerge) {
            n_into[label] |= free_to_meet;
            n_into[i.w[1]] |= free_to_meet;
            n_into[i.w[2]] |= free_to_meet;
        } else if (i.op == SpvOpBranch) {
            n_into[i.w[1]]++;
        } else if (i.op == SpvOpBranchConditional) {
            n_into[i.w[2]]++;
            n_into[i.w[3]]++;
            if (i.w[2] == i.w[3]) {
                return rules_fail(r, &i, "both ways are one");
            }
        }
    }
    for (uint32_t id = 0; id < RULES_MAX_IDS; id++) {
        if (n_into[id] > 1 && !(n_into[id] & free_to_meet)) {
            (void)snprintf(r->text, sizeof r->text, "block %u has several predecessors", id);
            return 0;
        }
    }
    return 1;
}

/* The execution modes of sub-groups: extension or capability, environment. */
static inline int rules_check_mode(struct rules *r, const struct spv_inst *i,
                                   const struct testcase *tc)
{
    if (i->op != SpvOpExecutionMode) {
        return 1;
    }
    if (i->w[2] == 35) { /* SubgroupSize */
        return tc->env == ENV_CL && rules_has_cap(r, 58) && tc->module[1] >= 0x10100
                   ? 1
                   : rules_fail(r, i, "a sub-group size without SubgroupDispatch");
    }
    if (i->w[2] == 4421) {
        return tc->env == ENV_VK && rules_has_extension(tc, SpvOpExtension, 1,
                                                        "SPV_KHR_subgroup_uniform_control_flow")
                   ? 1
                   : rules_fail(r, i, "uniform control flow without its extension");
    }
    if (i->w[2] == 6023) {
        return tc->env == ENV_VK &&
                       rules_has_extension(tc, SpvOpExtension, 1, "SPV_KHR_maximal_reconvergence")
                   ? rules_check_predecessors(r, tc)
                   : rules_fail(r, i, "maximal reconvergence without its extension");
    }
    return 1;
}
