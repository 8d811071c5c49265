/* tests/hostile/test_worker.c -- the worker on real drivers, and on the same drivers made to misbehave.
 *
 * Each API's tests are skipped, with the reason, where its driver is not installed. */
#include "tests/rig/worker_group.h"
#include "tests/rig/worker_rig.h"

static uint32_t get_word(const struct observation *ob, uint32_t buffer, uint32_t index)
{
    return (uint32_t)load_le(ob->out[buffer] + 4 * (size_t)index, 4);
}

/* Number of originals that no order of the additions explains: not a sum of some inputs and 1/2, or
 * the same twice. */
static unsigned count_wrong(const struct observation *ob)
{
    uint32_t const total = 1 + N_ITEMS * (N_ITEMS + 1); /* in halves */
    unsigned n_wrong = 0;
    for (uint32_t i = 0; i < N_ITEMS; i++) {
        uint32_t const before = decode_half(get_word(ob, 1, i));
        uint32_t const after = before + 2 * i + 2;
        unsigned n_next = 0;
        for (uint32_t k = 0; k < N_ITEMS && before != UINT32_MAX; k++) {
            n_next += decode_half(get_word(ob, 1, k)) == after;
        }
        n_wrong += before == UINT32_MAX || n_next != (after == total ? 0U : 1U);
    }
    return n_wrong;
}

static void check_honest(const struct fixture *f, const struct observation *ob)
{
    uint32_t const total = 1 + N_ITEMS * (N_ITEMS + 1);
    if (ob->status != RUN_DONE) {
        fail_msg("%s: %s", run_status_names[ob->status], ob->log);
    }
    assert_int_equal(ob->phase, PHASE_DONE);
    assert_int_equal(ob->guard_hits, 0);
    assert_int_equal(ob->n_bufs, f->tc.n_bufs);
    assert_memory_equal(ob->out[0], f->in, sizeof f->in);
    assert_int_equal(count_wrong(ob), 0);
    assert_int_equal(decode_half(get_word(ob, 2, 0)), total);
    for (uint32_t i = 1; i < N_CELLS; i++) {
        assert_int_equal(get_word(ob, 2, i), f->cells[i]);
    }
    if (f->env == ENV_VK) {
        for (uint32_t i = 0; i < 12; i++) { /* texel (1, 2) of rows of 4 */
            assert_int_equal(decode_half(get_word(ob, 3, i)), i == 9 ? total - 1 : 0);
        }
        for (uint32_t i = 0; i < 5; i++) {
            assert_int_equal(decode_half(get_word(ob, 4, i)), i == 2 ? total - 1 : 0);
        }
    }
}

/* What each mode of bad_mode.h must look like from outside. */
struct expectation {
    const char *mode;
    int has_reply, is_late;
    enum run_status status; /* of the reply */
    enum run_phase phase;   /* of the reply, or without one what the crash file tells */
    uint32_t guard_hits;
    int signal; /* 0: exit status 0 */
    const char *crash_has;
};
static const struct expectation expectations[] = {
    {"none",              1, 0, RUN_DONE,        PHASE_DONE,  0, 0,       ""               },
    {"print",             1, 0, RUN_DONE,        PHASE_DONE,  0, 0,       ""               },
    {"segfault-build",    0, 0, RUN_DONE,        PHASE_BUILD, 0, SIGSEGV, "+bad_segfault;" },
    {"segfault-run",      0, 0, RUN_DONE,        PHASE_RUN,   0, SIGSEGV, "+bad_segfault;" },
    {"segfault-pass",     0, 0, RUN_DONE,        PHASE_BUILD, 0, SIGSEGV, "+bad_segfault;" },
    {"segfault-llvm",     0, 0, RUN_DONE,        PHASE_BUILD, 0, SIGSEGV, "+bad_segfault;" },
    {"segfault-stuck",    0, 0, RUN_DONE,        PHASE_BUILD, 0, SIGSEGV, "+bad_segfault;" },
    {"segfault-goes-on",  0, 0, RUN_DONE,        PHASE_BUILD, 0, SIGSEGV, "+bad_segfault;" },
    {"segfault-lost",     0, 0, RUN_DONE,        PHASE_BUILD, 0, SIGSEGV, "+bad_lose_stack"},
    {"abort",             0, 0, RUN_DONE,        PHASE_BUILD, 0, SIGABRT, "libbad"         },
    {"exit0",             0, 0, RUN_DONE,        PHASE_RUN,   0, 0,       ""               },
    {"hang-build",        0, 1, RUN_DONE,        PHASE_BUILD, 0, SIGKILL, ""               },
    {"hang-run",          0, 1, RUN_DONE,        PHASE_RUN,   0, SIGKILL, ""               },
    {"error-build",       1, 0, RUN_REJECT,      PHASE_BUILD, 0, 0,       ""               },
    {"error-run",         1, 0, RUN_REJECT,      PHASE_RUN,   0, 0,       ""               },
    {"lost",              1, 0, RUN_DEVICE_LOST, PHASE_RUN,   0, 0,       ""               },
    {"oob",               1, 0, RUN_DONE,        PHASE_DONE,  1, 0,       ""               },
    {"flip",              1, 0, RUN_DONE,        PHASE_DONE,  0, 0,       ""               },
    {"lie",               1, 0, RUN_DONE,        PHASE_DONE,  0, 0,       ""               },
    {"answer-then-crash", 1, 0, RUN_DONE,        PHASE_DONE,  0, SIGSEGV, "+bad_segfault;" },
    {"crash-at-exit",     1, 0, RUN_DONE,        PHASE_DONE,  0, SIGSEGV, "+bad_segfault;" },
};

/* The same where nothing is to be dispatched: what a driver does in a run is not seen. */
static const struct expectation build_expectations[] = {
    {"none",           1, 0, RUN_BUILT,  PHASE_BUILD, 0, 0,       ""              },
    {"segfault-build", 0, 0, RUN_BUILT,  PHASE_BUILD, 0, SIGSEGV, "+bad_segfault;"},
    {"segfault-run",   1, 0, RUN_BUILT,  PHASE_BUILD, 0, 0,       ""              },
    {"abort",          0, 0, RUN_BUILT,  PHASE_BUILD, 0, SIGABRT, "libbad"        },
    {"exit0",          1, 0, RUN_BUILT,  PHASE_BUILD, 0, 0,       ""              },
    {"hang-build",     0, 1, RUN_BUILT,  PHASE_BUILD, 0, SIGKILL, ""              },
    {"hang-run",       1, 0, RUN_BUILT,  PHASE_BUILD, 0, 0,       ""              },
    {"error-build",    1, 0, RUN_REJECT, PHASE_BUILD, 0, 0,       ""              },
    {"error-run",      1, 0, RUN_BUILT,  PHASE_BUILD, 0, 0,       ""              },
    {"lost",           1, 0, RUN_BUILT,  PHASE_BUILD, 0, 0,       ""              },
    {"oob",            1, 0, RUN_BUILT,  PHASE_BUILD, 0, 0,       ""              },
    {"crash-at-exit",  1, 0, RUN_BUILT,  PHASE_BUILD, 0, SIGSEGV, "+bad_segfault;"},
};

/* One case, or with WIRE_BUILD its build alone, on a driver in this mode. */
static void run_mode(struct fixture *f, const struct expectation *x, enum wire_kind kind,
                     struct outcome *out)
{
    const char *facts = NULL;
    struct session s = start_api(f, x->mode);
    int const wait_ms = x->is_late ? HANG_MS : PATIENCE_MS;
    memset(out, 0, sizeof *out);
    expect_hello(f, &s, &facts);
    send_as(f, &s, kind);
    receive_result(f, &s, wait_ms, out);
    if (strcmp(x->mode, "answer-then-crash") == 0) { /* wait for the end that nobody asked for */
        const unsigned char *p = NULL;
        size_t n = 0;
        char go[PATH_MAX + 32];
        FILE *const file = fopen(go_path(f, go), "w");
        assert_non_null(file);
        (void)fclose(file);
        assert_int_equal(receive(&s, &f->a, PATIENCE_MS, &kind, &p, &n), 0);
    }
    finish(f, &s, out->is_late, out);
}

static void check_outputs(const struct fixture *f, const char *mode, const struct observation *ob)
{
    if (strcmp(mode, "flip") == 0) {
        assert_in_range(count_wrong(ob), 1, 3); /* the word, and those that lead to it */
        assert_int_equal(decode_half(get_word(ob, 2, 0)), 1 + N_ITEMS * (N_ITEMS + 1));
    } else if (strcmp(mode, "lie") == 0) {
        assert_int_equal(ob->n_bufs, f->tc.n_bufs);
        assert_memory_equal(ob->out[1], f->out, sizeof f->out);
    } else if (strcmp(mode, "oob") != 0) {
        check_honest(f, ob);
    }
}

static void check_modes(enum env env, enum wire_kind kind, const struct expectation *rows, size_t n)
{
    struct fixture f;
    unsigned n_checked = 0;
    set_up(&f, env);
    for (size_t i = 0; i < n; i++) {
        const struct expectation *const x = &rows[i];
        struct outcome got;
        print_message("%s %s\n", env_names[env], x->mode);
        run_mode(&f, x, kind, &got);
        assert_int_equal(got.has_reply, x->has_reply);
        assert_int_equal(got.is_late, x->is_late);
        if (x->signal) {
            assert_true(WIFSIGNALED(got.wait_status));
            assert_int_equal(WTERMSIG(got.wait_status), x->signal);
        } else {
            assert_true(WIFEXITED(got.wait_status));
            assert_int_equal(WEXITSTATUS(got.wait_status), 0);
        }
        if (!strstr(got.crash, x->crash_has) || (!x->crash_has[0] && got.crash[0])) {
            fail_msg("frames \"%s\", expected \"%s\"", got.crash, x->crash_has);
        }
        if (x->has_reply) {
            assert_int_equal(got.ob.status, x->status);
            assert_int_equal(got.ob.phase, x->phase);
            assert_int_equal(got.ob.guard_hits, x->guard_hits);
            assert_int_equal(got.ob.n_bufs, x->status == RUN_DONE ? f.tc.n_bufs : 0);
        }
        /* with an answer it is at the start of the next case */
        assert_int_equal(got.phase_byte, 1 + (x->has_reply ? PHASE_START : x->phase));
        if (x->has_reply && x->status == RUN_DONE) {
            check_outputs(&f, x->mode, &got.ob);
        }
        n_checked++;
    }
    assert_true(n_checked > 10);
    tear_down(&f);
}

static void bad_opencl(void **state)
{
    (void)state;
    check_modes(ENV_CL, WIRE_CASE, expectations, ARRAY_N(expectations));
}

static void bad_vulkan(void **state)
{
    (void)state;
    check_modes(ENV_VK, WIRE_CASE, expectations, ARRAY_N(expectations));
}

static void bad_opencl_builds(void **state)
{
    (void)state;
    check_modes(ENV_CL, WIRE_BUILD, build_expectations, ARRAY_N(build_expectations));
}

static void bad_vulkan_builds(void **state)
{
    (void)state;
    check_modes(ENV_VK, WIRE_BUILD, build_expectations, ARRAY_N(build_expectations));
}

/* Many cases in one process, some only built and a rejected one between them, and what the device says of itself. */
static void check_many(enum env env, const char *loader)
{
    struct fixture f;
    struct outcome got;
    const char *facts = NULL;
    char device[256];
    set_up(&f, env);
    const char *const args[] = {"--api", env_names[env], "--loader", loader, NULL};
    struct session s = start(&f, "none", args);
    memset(&got, 0, sizeof got);
    expect_hello(&f, &s, &facts);
    assert_true(facts_get(facts, "device", device, sizeof device));
    assert_int_equal(
        facts_meet(facts, env == ENV_CL ? NEED_CL_F32_GLOBAL_ADD : NEED_VK_F32_BUFFER_ADD), 1);
    for (unsigned i = 0; i < 30; i++) {
        int const is_build_only = i % 3 == 1;
        f.tc.entry = i == 15 && env == ENV_CL ? "no_such_kernel" : "main_kernel";
        send_as(&f, &s, is_build_only ? WIRE_BUILD : WIRE_CASE);
        receive_result(&f, &s, PATIENCE_MS, &got);
        assert_int_equal(got.has_reply, 1);
        if (is_build_only) {
            assert_int_equal(got.ob.status, RUN_BUILT);
            assert_true(got.ob.build_ns > 0 && got.ob.run_ns == 0);
        } else if (i == 15 && env == ENV_CL) {
            assert_int_equal(got.ob.status, RUN_REJECT);
            assert_non_null(strstr(got.ob.log, "clCreateKernel"));
        } else {
            check_honest(&f, &got.ob);
        }
    }
    finish(&f, &s, 0, &got);
    assert_true(WIFEXITED(got.wait_status) && WEXITSTATUS(got.wait_status) == 0);
    tear_down(&f);
}

static void many_opencl(void **state)
{
    (void)state;
    check_many(ENV_CL, "");
}

/* With Debian's own loader too: the one found first is that of the driver's wheel. */
static void many_opencl_debian_loader(void **state)
{
    char loader[PATH_MAX];
    (void)state;
    if (!find_file("/usr/lib/*/libOpenCL.so.1", loader)) {
        print_message("skipped: no /usr/lib/*/libOpenCL.so.1\n");
        skip();
    }
    check_many(ENV_CL, loader);
}

static void many_vulkan(void **state)
{
    (void)state;
    check_many(ENV_VK, "");
}

/* Can the device be asked for sub-groups of this size? By its own words, read here anew. */
static int is_size_listed(enum env env, const char *facts, uint32_t size)
{
    char word[16];
    (void)snprintf(word, sizeof word, "%u", (unsigned)size);
    if (env == ENV_CL) {
        return facts_has_word(facts, "cl.subgroup_sizes", word);
    }
    return facts_number(facts, "vk.f.subgroupSizeControl") &&
           size >= facts_number(facts, "vk.p.minSubgroupSize") &&
           size <= facts_number(facts, "vk.p.maxSubgroupSize") &&
           (facts_number(facts, "vk.p.requiredSubgroupSizeStages") & 0x20);
}

/* Each size that the device lists is given, and no other is asked for. */
static void check_sizes(enum env env)
{
    struct fixture f;
    struct outcome got;
    const char *facts = NULL;
    unsigned n_given = 0;
    unsigned n_skipped = 0;
    set_up(&f, env);
    struct session s = start_api(&f, "none");
    memset(&got, 0, sizeof got);
    expect_hello(&f, &s, &facts);
    assert_true(facts_number(facts, env == ENV_CL ? "cl.max_subgroups" : "vk.p.subgroupSize") > 0);
    for (uint32_t size = 0; size <= CASE_MAX_SUBGROUP; size = size ? size * 2 : 2) {
        if (env == ENV_CL && size && !is_size_listed(env, facts, size)) {
            continue; /* the mode is in the module: whoever runs it must know that it is listed */
        }
        fill_group_case(&f, size);
        send_case(&f, &s);
        receive_result(&f, &s, PATIENCE_MS, &got);
        assert_int_equal(got.has_reply, 1);
        print_message("%s size %u: %s\n", env_names[env], (unsigned)size,
                      run_status_names[got.ob.status]);
        if (size && (!is_size_listed(env, facts, size) || (env == ENV_VK && GROUP_LOCAL % size))) {
            assert_int_equal(got.ob.status, RUN_SKIPPED);
            n_skipped++;
        } else {
            check_group_result(&got.ob, size);
            n_given += size != 0;
        }
    }
    assert_true(n_given > 0 && (env == ENV_CL || n_skipped > 0));
    fill_group_case(&f, 0); /* larger than any work-group may be */
    f.tc.local[0] = f.tc.global[0] = CASE_MAX_ITEMS;
    send_case(&f, &s);
    receive_result(&f, &s, PATIENCE_MS, &got);
    assert_int_equal(got.ob.status, RUN_SKIPPED);
    finish(&f, &s, 0, &got);
    tear_down(&f);
}

static void sizes_opencl(void **state)
{
    (void)state;
    check_sizes(ENV_CL);
}

static void sizes_vulkan(void **state)
{
    (void)state;
    check_sizes(ENV_VK);
}

/* Start with these words, send these bytes, and expect the message of our own fault. */
static void check_own_fault(struct fixture *f, const char *const *args, const void *bytes, size_t n,
                            int status)
{
    struct session s = start(f, "none", args);
    struct outcome got;
    enum wire_kind kind = WIRE_CASE;
    const unsigned char *p = NULL;
    size_t n_message = 0;
    memset(&got, 0, sizeof got);
    assert_int_equal(write(s.to, bytes, n), (ssize_t)n);
    (void)close(s.to);
    s.to = -1;
    do {
        assert_int_equal(receive(&s, &f->a, PATIENCE_MS, &kind, &p, &n_message), 1);
    } while (kind == WIRE_HELLO);
    assert_int_equal(kind, WIRE_ERROR);
    assert_true(n_message > 0);
    finish(f, &s, 0, &got);
    assert_true(WIFEXITED(got.wait_status));
    assert_int_equal(WEXITSTATUS(got.wait_status), status);
}

static void own_faults(void **state)
{
    struct fixture f;
    unsigned char foreign[64], header[WIRE_HEADER_BYTES];
    const char *const usual[] = {"--api", "vulkan", NULL};
    const char *const no_device[] = {"--api", "vulkan", "--device", "no such device", NULL};
    const char *const no_loader[] = {"--api", "opencl", "--loader", "/no/such/loader.so", NULL};
    const char *const no_api[] = {"--api", "metal", NULL};
    (void)state;
    set_up(&f, ENV_VK);
    /* No crash file is opened where the words are wrong: let there be one. */
    check_own_fault(&f, no_device, "", 0, WIRE_EXIT_NO_DEVICE);
    check_own_fault(&f, no_loader, "", 0, WIRE_EXIT_NO_DEVICE);
    check_own_fault(&f, no_api, "", 0, WIRE_EXIT_NO_DEVICE);
    wire_put_header(header, WIRE_CASE, 1000);
    check_own_fault(&f, usual, header, 5, WIRE_EXIT_HARNESS);
    check_own_fault(&f, usual, header, sizeof header, WIRE_EXIT_HARNESS);
    memset(foreign, 0x5a, sizeof foreign);
    check_own_fault(&f, usual, foreign, sizeof foreign, WIRE_EXIT_HARNESS);
    wire_put_header(foreign, WIRE_CASE, sizeof foreign - WIRE_HEADER_BYTES);
    check_own_fault(&f, usual, foreign, sizeof foreign, WIRE_EXIT_HARNESS);
    wire_put_header(foreign, WIRE_RESULT, sizeof foreign - WIRE_HEADER_BYTES);
    check_own_fault(&f, usual, foreign, sizeof foreign, WIRE_EXIT_HARNESS);
    tear_down(&f);
}

/* ---- where the cells are ---- */

enum {
    TEXT_BYTES = 8192
};

/* The text with `from`, which it has, replaced. */
static void replace(char text[TEXT_BYTES], const char *from, const char *to)
{
    char rest[TEXT_BYTES];
    char *const at = strstr(text, from);
    assert_non_null(at);
    (void)snprintf(rest, sizeof rest, "%s", at + strlen(from));
    size_t const n_left = TEXT_BYTES - (size_t)(at - text);
    assert_true((size_t)snprintf(at, n_left, "%s%s", to, rest) < n_left);
}

/* The case on the real driver: what it left in the image is in that texel alone; all else as ever. */
static void check_texel(struct fixture *f, uint32_t texel)
{
    struct outcome got;
    run_mode(f, &expectations[0], WIRE_CASE, &got);
    assert_true(got.has_reply);
    if (got.ob.status != RUN_DONE) {
        fail_msg("%s: %s", run_status_names[got.ob.status], got.ob.log);
    }
    assert_int_equal(got.ob.guard_hits, 0);
    assert_int_equal(count_wrong(&got.ob), 0);
    assert_int_equal(decode_half(get_word(&got.ob, 2, 0)), 1 + N_ITEMS * (N_ITEMS + 1));
    for (uint32_t i = 0; i < f->tc.bufs[3].n_bytes / 4; i++) {
        assert_int_equal(decode_half(get_word(&got.ob, 3, i)),
                         i == texel ? N_ITEMS * (N_ITEMS + 1) : 0);
    }
}

/* A texel of an image of each form is where its coordinates say: the first one fastest, a layer last. */
static void images_of_each_form(void **state)
{
    static const struct {
        enum buf_kind kind;
        uint32_t width, height, n_texels;
        const char *type, *at, *capability;
        uint32_t texel;
    } rows[] = {
        {BUF_IMAGE1D_R32F,    12, 1, 12, "1D 0 0 0",   "%two",                                       "Image1D", 2 },
        {BUF_IMAGE3D_R32F,    2,  3, 12, "3D 0 0 0",   "OpConstantComposite %v3 %one %two %one",     "",        11},
        {BUF_CUBE_R32F,       1,  1, 6,  "Cube 0 0 0", "OpConstantComposite %v3 %zero %zero %two",   "",        2 },
        {BUF_ARRAY1D_R32F,    4,  1, 12, "1D 0 1 0",   "OpConstantComposite %v2 %one %two",          "Image1D", 9 },
        {BUF_ARRAY2D_R32F,    2,  2, 12, "2D 0 1 0",   "OpConstantComposite %v3 %one %zero %two",    "",        9 },
        {BUF_CUBE_ARRAY_R32F, 1,  1, 12, "Cube 0 1 0", "OpConstantComposite %v3 %zero %zero %seven",
         "ImageCubeArray",                                                                                      7 },
    };
    (void)state;
    struct fixture f;
    set_up(&f, ENV_VK);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        char text[TEXT_BYTES], words[128];
        (void)snprintf(text, sizeof text, "%s", vulkan_text);
        (void)snprintf(words, sizeof words, "%%ti = OpTypeImage %%f32 %s 2 R32f", rows[i].type);
        replace(text, "%ti = OpTypeImage %f32 2D 0 0 0 2 R32f", words);
        if (rows[i].capability[0]) {
            (void)snprintf(words, sizeof words, "ImageBuffer\nOpCapability %s", rows[i].capability);
            replace(text, "ImageBuffer", words);
        }
        replace(text, "%zero = OpConstant %u32 0\n",
                "%zero = OpConstant %u32 0\n%seven = OpConstant %u32 7\n");
        if (rows[i].at[0] == '%') {
            replace(text, "%img %at %zero", "%img %two %zero");
        } else {
            replace(text, "OpConstantComposite %v2 %one %two", rows[i].at);
        }
        assemble(&f, text);
        f.tc.bufs[3].kind = rows[i].kind;
        f.tc.bufs[3].width = rows[i].width;
        f.tc.bufs[3].height = rows[i].height;
        f.tc.bufs[3].n_bytes = 4 * rows[i].n_texels;
        print_message("%s\n", buf_kind_names[rows[i].kind]);
        check_texel(&f, rows[i].texel);
    }
    tear_down(&f);
}

/* The cells are found by the address that their binding holds. */
static void cells_by_address(void **state)
{
    (void)state;
    struct fixture f;
    char text[TEXT_BYTES];
    set_up(&f, ENV_VK);
    (void)snprintf(text, sizeof text, "%s", vulkan_text);
    replace(text, "OpMemoryModel Logical GLSL450",
            "OpCapability PhysicalStorageBufferAddresses\n"
            "OpExtension \"SPV_KHR_physical_storage_buffer\"\n"
            "OpMemoryModel PhysicalStorageBuffer64 GLSL450");
    replace(text, "OpMemberDecorate %sf 0 Offset 0",
            "OpMemberDecorate %sf 0 Offset 0\nOpDecorate %holder Block\n"
            "OpMemberDecorate %holder 0 Offset 0");
    replace(text, "%psf = OpTypePointer StorageBuffer %sf",
            "%psf = OpTypePointer PhysicalStorageBuffer %sf\n%holder = OpTypeStruct %psf\n"
            "%pholder = OpTypePointer StorageBuffer %holder\n"
            "%ppsf = OpTypePointer StorageBuffer %psf");
    replace(text, "%pf = OpTypePointer StorageBuffer %f32",
            "%pf = OpTypePointer PhysicalStorageBuffer %f32");
    replace(text, "%cell = OpVariable %psf", "%cell = OpVariable %pholder");
    replace(text, "%cp = OpAccessChain %pf %cell %zero %zero",
            "%where = OpAccessChain %ppsf %cell %zero\n%address = OpLoad %psf %where\n"
            "%cp = OpAccessChain %pf %address %zero %zero");
    assemble(&f, text);
    f.tc.bufs[2].kind = BUF_ADDRESS;
    check_texel(&f, 9);
    tear_down(&f);
}

/* The numbers come of a uniform buffer in set 3, by an index into its vectors, and the cells are in set 1; between these
 * sets is an empty one. To the index the difference of two push constants is added, which are the same; two words before
 * them, at the start of the block, are not. */
static void constants_and_sets(void **state)
{
    (void)state;
    struct fixture f;
    char text[TEXT_BYTES];
    uint32_t pushed[] = {0, 9, 77, 77};
    set_up(&f, ENV_VK);
    (void)snprintf(text, sizeof text, "%s", vulkan_text);
    replace(text, "%in DescriptorSet 0", "%in DescriptorSet 3");
    replace(text, "%cell DescriptorSet 0", "%cell DescriptorSet 1");
    replace(text, "OpDecorate %sf Block\n",
            "OpDecorate %sf Block\nOpDecorate %arr ArrayStride 16\n"
            "OpDecorate %sc Block\nOpMemberDecorate %sc 0 Offset 0\n"
            "OpDecorate %pair ArrayStride 4\n"
            "OpDecorate %sp Block\nOpMemberDecorate %sp 0 Offset 8\n");
    replace(text, "%psu = OpTypePointer StorageBuffer %su\n",
            "%psu = OpTypePointer StorageBuffer %su\n"
            "%v4 = OpTypeVector %u32 4\n%four = OpConstant %u32 4\n"
            "%n = OpConstant %u32 16\n%arr = OpTypeArray %v4 %n\n%sc = OpTypeStruct %arr\n"
            "%psc = OpTypePointer Uniform %sc\n%puc = OpTypePointer Uniform %u32\n"
            "%length = OpConstant %u32 2\n%pair = OpTypeArray %u32 %length\n"
            "%sp = OpTypeStruct %pair\n%psp = OpTypePointer PushConstant %sp\n"
            "%pp = OpTypePointer PushConstant %u32\n");
    replace(text, "%in = OpVariable %psu StorageBuffer\n",
            "%in = OpVariable %psc Uniform\n%push = OpVariable %psp PushConstant\n");
    replace(text, "%ip = OpAccessChain %pu %in %zero %x\n",
            "%p0 = OpAccessChain %pp %push %zero %zero\n%w0 = OpLoad %u32 %p0\n"
            "%p1 = OpAccessChain %pp %push %zero %one\n%w1 = OpLoad %u32 %p1\n"
            "%d = OpISub %u32 %w1 %w0\n%y = OpIAdd %u32 %x %d\n"
            "%xq = OpUDiv %u32 %y %four\n%xr = OpUMod %u32 %y %four\n"
            "%ip = OpAccessChain %puc %in %zero %xq %xr\n");
    assemble(&f, text);
    f.tc.bufs[0].kind = BUF_CONSTANT;
    f.tc.bufs[0].set = 3;
    f.tc.bufs[2].set = 1;
    f.tc.bufs[f.tc.n_bufs++] =
        (struct buf){.kind = BUF_PUSH, .n_bytes = sizeof pushed, .data = (unsigned char *)pushed};
    assert_int_equal(N_ITEMS, 64); /* the length of the array */
    check_texel(&f, 9);
    tear_down(&f);
}

/* A kernel's first argument is a vector by value, whose components are 7 apart, by which the inputs are short; the buffers
 * behind it keep their guards and their numbers. A value of another size the driver refuses. */
static void values_are_arguments(void **state)
{
    (void)state;
    static const struct {
        const char *memory, *mode; /* of bad_mode.h */
        uint32_t n_bytes, guard_hits;
        enum run_status status;
    } rows[] = {
        {"buffer", "none", 8, 0, RUN_DONE  },
        {"svm",    "none", 8, 0, RUN_DONE  },
        {"buffer", "oob",  8, 2, RUN_DONE  }, /* behind the first buffer that is memory */
        {"buffer", "none", 4, 0, RUN_REJECT},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct fixture f;
        struct outcome got;
        char text[TEXT_BYTES];
        uint32_t v[2] = {77, 70};
        set_up(&f, ENV_CL);
        put_env(&f, "HALFULP_MEMORY=%s", rows[i].memory);
        (void)snprintf(text, sizeof text, "%s", opencl_text);
        replace(text, "%ft = OpTypeFunction %void %pu",
                "%v2 = OpTypeVector %u32 2\n%ft = OpTypeFunction %void %v2 %pu");
        replace(text, "%in = OpFunctionParameter",
                "%v = OpFunctionParameter %v2\n%in = OpFunctionParameter");
        replace(text, "%fv = OpBitcast %f32 %iv",
                "%a = OpCompositeExtract %u32 %v 0\n%b = OpCompositeExtract %u32 %v 1\n"
                "%d = OpISub %u32 %a %b\n%sum = OpIAdd %u32 %iv %d\n%fv = OpBitcast %f32 %sum");
        assemble(&f, text);
        for (uint32_t k = 0; k < N_ITEMS; k++) {
            f.in[k] -= 7;
        }
        memmove(&f.tc.bufs[1], &f.tc.bufs[0], 3 * sizeof f.tc.bufs[0]);
        f.tc.bufs[0] =
            (struct buf){.kind = BUF_VALUE, .n_bytes = rows[i].n_bytes, .data = (unsigned char *)v};
        f.tc.n_bufs = 4;
        struct expectation const x = {.mode = rows[i].mode};
        run_mode(&f, &x, WIRE_CASE, &got);
        assert_true(got.has_reply);
        if (got.ob.status != rows[i].status) {
            fail_msg("row %zu: %s: %s", i, run_status_names[got.ob.status], got.ob.log);
        }
        assert_int_equal(got.ob.guard_hits, rows[i].guard_hits);
        if (rows[i].status == RUN_DONE) {
            assert_memory_equal(got.ob.out[0], v, sizeof v);
            struct observation behind = got.ob;
            memmove(&behind.out[0], &behind.out[1], 3 * sizeof behind.out[0]);
            assert_int_equal(count_wrong(&behind), 0);
            assert_int_equal(decode_half(get_word(&behind, 2, 0)), 1 + N_ITEMS * (N_ITEMS + 1));
        } else {
            assert_non_null(strstr(got.ob.log, "clSetKernelArg: CL_INVALID_ARG_SIZE"));
        }
        tear_down(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_arguments), cmocka_unit_test(constants_and_sets),
        cmocka_unit_test(bad_opencl),           cmocka_unit_test(bad_vulkan),
        cmocka_unit_test(bad_opencl_builds),    cmocka_unit_test(bad_vulkan_builds),
        cmocka_unit_test(many_opencl),          cmocka_unit_test(many_opencl_debian_loader),
        cmocka_unit_test(many_vulkan),          cmocka_unit_test(own_faults),
        cmocka_unit_test(sizes_opencl),         cmocka_unit_test(sizes_vulkan),
        cmocka_unit_test(images_of_each_form),  cmocka_unit_test(cells_by_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
