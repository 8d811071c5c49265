/* fuzz/worker/drv_ocl_run.c -- one case on an OpenCL device: buffers, build, run, read. */
#include "fuzz/worker/drv_ocl_run.h"

#include <string.h>

#include "base/spv.h"
#include "base/testcase.h"
#include "fuzz/worker/drv.h"
#include "fuzz/worker/drv_common.h"

/* A buffer with guard bytes, and the sub-buffer between them that the kernel gets; or the same as shared
 * virtual memory. */
struct ocl_buffer {
    struct guarded area;
    unsigned char *image; /* guard, content, guard */
    cl_mem whole, inner;
    unsigned char *shared; /* in their place */
};

/* One case's objects, all released at its end. A step gives whether the case goes on; if not, `ob` says why. */
struct ocl_case {
    struct drv *d;
    const struct testcase *tc;
    enum drv_job job;
    struct arena *a;
    struct observation *ob;
    cl_program program;
    cl_kernel kernel;
    struct ocl_buffer bufs[CASE_MAX_BUFS];
};

/* Book an error of the driver; false, so that a step can `return refuse(...)`. */
static bool refuse(struct ocl_case *c, enum run_phase phase, const char *call, cl_int code)
{
    enum run_status const status = code == CL_DEVICE_NOT_AVAILABLE ? RUN_DEVICE_LOST : RUN_REJECT;
    drv_stop(c->ob, status, phase, code,
             arena_printf(c->a, "%s: %s (%d)", call, ocl_error_name(code), code));
    return false;
}

/* The device's copy of a buffer's image as shared virtual memory. */
static bool share_buffer(struct ocl_case *c, struct ocl_buffer *b)
{
    cl_svm_mem_flags const flags =
        CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;
    b->shared = c->d->cl.svm_alloc(c->d->context, flags, b->area.end, 0);
    if (!b->shared) {
        return refuse(c, PHASE_START, "clSVMAlloc", CL_MEM_OBJECT_ALLOCATION_FAILURE);
    }
    memcpy(b->shared, b->image, b->area.end);
    return true;
}

/* The device's copy as a memory object, and the part of it that the kernel gets. */
static bool create_buffer(struct ocl_case *c, struct ocl_buffer *b)
{
    cl_int code = CL_SUCCESS;
    b->whole = c->d->cl.clCreateBuffer(c->d->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                       b->area.end, b->image, &code);
    if (!b->whole) {
        return refuse(c, PHASE_START, "clCreateBuffer", code);
    }
    cl_buffer_region const region = {.origin = b->area.start, .size = b->area.n_bytes};
    b->inner = c->d->cl.clCreateSubBuffer(b->whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                          &region, &code);
    return b->inner || refuse(c, PHASE_START, "clCreateSubBuffer", code);
}

/*
 * Of each buffer of the case that is memory an image of guard, content and guard, the device's copy of all of it, and the
 * sub-buffer of the content alone, which the kernel gets. Want of our own memory stops as well, with *r.
 */
static bool make_buffers(struct ocl_case *c, enum res *r, struct err *e)
{
    for (uint32_t i = 0; i < c->tc->n_bufs; i++) {
        struct ocl_buffer *const b = &c->bufs[i];
        size_t end = 0;
        if (!buf_is_memory(c->tc->bufs[i].kind)) {
            continue; /* its bytes are the argument */
        }
        b->area = drv_guard_place(&end, c->tc->bufs[i].n_bytes, c->d->align_bytes);
        b->image = arena_take(c->a, end);
        if (!b->image) {
            *r = err_set(e, RES_NOMEM, "no room for buffer %u of %zu bytes", i, end);
            return false;
        }
        drv_guard_fill(b->image, &b->area, c->tc->bufs[i].data);
        if (!(c->d->cl.svm_alloc ? share_buffer(c, b) : create_buffer(c, b))) {
            return false;
        }
    }
    return true;
}

static uint64_t count_group_items(const struct testcase *tc)
{
    return (uint64_t)tc->local[0] * tc->local[1] * tc->local[2];
}

/* May the kernel run in work-groups of the case's size? A driver that cannot answer refuses the run
 * itself. */
static bool fits_kernel(struct ocl_case *c)
{
    size_t largest = 0;
    cl_int const code = c->d->cl.clGetKernelWorkGroupInfo(
        c->kernel, c->d->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof largest, &largest, NULL);
    if (code == CL_SUCCESS && largest > 0 && count_group_items(c->tc) > largest) {
        drv_stop(c->ob, RUN_SKIPPED, PHASE_BUILD, 0,
                 "work-group is larger than the kernel's largest");
        return false;
    }
    return true;
}

/* The program of the module, or of the source text that is given in its place. */
static bool create_program(struct ocl_case *c)
{
    cl_int code = CL_SUCCESS;
    if (c->tc->language == LANGUAGE_OPENCL_C) {
        const char *source = c->tc->source;
        c->program = c->d->cl.clCreateProgramWithSource(c->d->context, 1, &source, NULL, &code);
        return c->program || refuse(c, PHASE_BUILD, "clCreateProgramWithSource", code);
    }
    if (!c->d->cl.create_il) {
        return refuse(c, PHASE_BUILD, "no clCreateProgramWithIL", CL_COMPILER_NOT_AVAILABLE);
    }
    c->program =
        c->d->cl.create_il(c->d->context, c->tc->module, sizeof(uint32_t) * c->tc->n_words, &code);
    return c->program || refuse(c, PHASE_BUILD, "clCreateProgramWithIL", code);
}

/* Is it the linker that refuses, what the compiler takes? "" where it is not. */
static const char *explain_refusal(struct ocl_case *c)
{
    if (c->tc->language != LANGUAGE_OPENCL_C) {
        return "";
    }
    cl_int const code = c->d->cl.clCompileProgram(c->program, 1, &c->d->device,
                                                  c->tc->build_options, 0, NULL, NULL, NULL, NULL);
    return code == CL_SUCCESS ? DRV_COMPILES_TEXT "\n" : "";
}

/* Has the module a constant of that SpecId? One that was taken out of it has none to be set. */
static bool has_spec_id(const struct testcase *tc, uint32_t id)
{
    enum {
        DECORATION = 2, /* words of OpDecorate */
        LITERAL
    };
    struct spv_inst in;
    uint32_t at = SPV_HEADER_WORDS;
    while (spv_next(tc->module, tc->n_words, &at, &in)) {
        if (in.op == SpvOpDecorate && in.n > LITERAL && in.w[DECORATION] == SpvDecorationSpecId &&
            in.w[LITERAL] == id) {
            return true;
        }
    }
    return false;
}

/* The case's values for specialization constants; source text has none of these. */
static bool set_specs(struct ocl_case *c)
{
    bool const has_text = c->tc->language != LANGUAGE_SPIRV;
    for (uint32_t i = 0; i < c->tc->n_specs && !has_text; i++) {
        const struct spec *const s = &c->tc->specs[i];
        unsigned char value[sizeof s->bits];
        if (!has_spec_id(c->tc, s->id)) {
            continue;
        }
        store_le(value, s->bits, s->n_bytes);
        cl_int const code = c->d->cl.specialize
                                ? c->d->cl.specialize(c->program, s->id, s->n_bytes, value)
                                : CL_INVALID_OPERATION;
        if (code != CL_SUCCESS) {
            return refuse(c, PHASE_BUILD, "clSetProgramSpecializationConstant", code);
        }
    }
    return true;
}

/* Program and kernel. The build's log is in the observation, behind the error if there is one. */
static bool build(struct ocl_case *c)
{
    cl_int code = CL_SUCCESS;
    if (!create_program(c) || !set_specs(c)) {
        return false;
    }
    code = c->d->cl.clBuildProgram(c->program, 1, &c->d->device, c->tc->build_options, NULL, NULL);
    const char *const log = ocl_get_build_log(c->d, c->program, c->a);
    if (code != CL_SUCCESS) {
        (void)refuse(c, PHASE_BUILD, "clBuildProgram", code);
        c->ob->log = arena_printf(c->a, "%s\n%s%s", c->ob->log, explain_refusal(c), log);
        return false;
    }
    c->ob->log = log;
    c->kernel = c->d->cl.clCreateKernel(c->program, c->tc->entry, &code);
    if (!c->kernel) {
        return refuse(c, PHASE_BUILD, "clCreateKernel", code);
    }
    return fits_kernel(c);
}

/* What each dispatch runs over, in invocations; a single one may end with a smaller work-group. How many there are. */
static uint32_t fill_ranges(const struct testcase *tc, struct ocl_range *out, size_t local[3])
{
    uint32_t const n = testcase_count_dispatches(tc);
    for (unsigned d = 0; d < 3; d++) {
        local[d] = tc->local[d];
    }
    for (uint32_t i = 0; i < n; i++) {
        struct dispatch const one = testcase_get_dispatch(tc, i);
        out[i].local = local;
        for (unsigned d = 0; d < 3; d++) {
            size_t const first = one.base[d] * local[d], whole = one.n[d] * local[d];
            size_t const rest = tc->global[d] - first;
            out[i].offset[d] = first;
            out[i].global[d] = rest < whole ? rest : whole;
        }
    }
    return n;
}

/* Argument i: the bytes of one by value, a pointer to shared memory, or a memory object. */
static bool set_argument(struct ocl_case *c, cl_uint i)
{
    const struct buf *const x = &c->tc->bufs[i];
    const struct ocl_buffer *const b = &c->bufs[i];
    cl_int code = CL_SUCCESS;
    if (!buf_is_memory(x->kind)) {
        code = c->d->cl.clSetKernelArg(c->kernel, i, x->n_bytes, x->data);
    } else if (b->shared) {
        code = c->d->cl.set_svm_arg(c->kernel, i, b->shared + b->area.start);
    } else {
        code = c->d->cl.clSetKernelArg(c->kernel, i, sizeof(cl_mem), &b->inner);
    }
    return code == CL_SUCCESS ||
           refuse(c, PHASE_RUN, b->shared ? "clSetKernelArgSVMPointer" : "clSetKernelArg", code);
}

static bool run(struct ocl_case *c)
{
    size_t local[3];
    struct ocl_range ranges[CASE_MAX_DISPATCHES];
    uint32_t const n = fill_ranges(c->tc, ranges, local);
    for (cl_uint i = 0; i < c->tc->n_bufs; i++) {
        if (!set_argument(c, i)) {
            return false;
        }
    }
    const char *call = "";
    cl_int const code = ocl_run_kernel(c->d, c->kernel, 3, ranges, n, &call);
    return code == CL_SUCCESS || refuse(c, PHASE_RUN, call, code);
}

/* Read every buffer with its guards, whose hits are one bit for each buffer. An argument by value is what it was. */
static bool read_buffers(struct ocl_case *c)
{
    for (uint32_t i = 0; i < c->tc->n_bufs; i++) {
        struct ocl_buffer *const b = &c->bufs[i];
        cl_int code = CL_SUCCESS;
        if (!buf_is_memory(c->tc->bufs[i].kind)) {
            c->ob->out[i] = c->tc->bufs[i].data;
            continue;
        }
        if (b->shared) { /* the kernel has ended */
            memcpy(b->image, b->shared, b->area.end);
        } else {
            code = c->d->cl.clEnqueueReadBuffer(c->d->queue, b->whole, CL_TRUE, 0, b->area.end,
                                                b->image, 0, NULL, NULL);
        }
        if (code != CL_SUCCESS) {
            return refuse(c, PHASE_READ, "clEnqueueReadBuffer", code);
        }
        c->ob->guard_hits |= (uint32_t)drv_guard_is_hit(b->image, &b->area) << i;
        c->ob->out[i] = b->image + b->area.start;
    }
    return true;
}

static void release(struct ocl_case *c)
{
    if (c->kernel) {
        (void)c->d->cl.clReleaseKernel(c->kernel);
    }
    if (c->program) {
        (void)c->d->cl.clReleaseProgram(c->program);
    }
    for (uint32_t i = 0; i < c->tc->n_bufs; i++) {
        if (c->bufs[i].shared) {
            c->d->cl.svm_free(c->d->context, c->bufs[i].shared);
        }
        if (c->bufs[i].inner) {
            (void)c->d->cl.clReleaseMemObject(c->bufs[i].inner);
        }
        if (c->bufs[i].whole) {
            (void)c->d->cl.clReleaseMemObject(c->bufs[i].whole);
        }
    }
}

/* Do all steps of a case, and put their outcome and times into the observation. *r is set only
 * if the worker itself runs out of memory. */
static void run_steps(struct ocl_case *c, enum res *r, struct err *e)
{
    uint64_t start_ns = drv_cpu_ns();
    /* A build needs no buffers, and a driver without a real device may fail to make any. */
    bool const has_memory = c->job != JOB_RUN || make_buffers(c, r, e);
    drv_enter(PHASE_BUILD);
    bool const is_built = has_memory && build(c);
    c->ob->build_ns = drv_cpu_ns() - start_ns;
    if (!is_built) {
        return;
    }
    const char *const build_log = c->ob->log;
    if (c->job != JOB_RUN) {
        drv_stop(c->ob, RUN_BUILT, PHASE_BUILD, CL_SUCCESS, build_log);
        return;
    }
    start_ns = drv_now_ns();
    drv_enter(PHASE_RUN);
    bool has_run = run(c);
    drv_enter(PHASE_READ);
    has_run = has_run && read_buffers(c);
    c->ob->run_ns = drv_now_ns() - start_ns;
    if (has_run) {
        drv_stop(c->ob, RUN_DONE, PHASE_DONE, CL_SUCCESS, build_log);
        c->ob->n_bufs = c->tc->n_bufs;
    }
}

/* RES_FORMAT when the case is for another API. */
static enum res check_case(const struct testcase *tc, struct err *e)
{
    if (tc->env != ENV_CL) {
        return err_set(e, RES_FORMAT, "case of environment %s sent to an OpenCL worker",
                       env_names[tc->env]);
    }
    for (uint32_t i = 0; i < tc->n_bufs; i++) {
        enum buf_kind const kind = tc->bufs[i].kind;
        if (kind != BUF_STORAGE && kind != BUF_CONSTANT && kind != BUF_VALUE) {
            return err_set(e, RES_FORMAT, "buffer %u is a %s, not for OpenCL", i,
                           buf_kind_names[kind]);
        }
    }
    return RES_OK;
}

/* Does the device take work-groups of this size? */
static bool fits_device(const struct drv *d, const struct testcase *tc)
{
    for (unsigned i = 0; i < 3; i++) {
        if (tc->local[i] > d->max_sizes[i]) {
            return false;
        }
    }
    return count_group_items(tc) <= d->max_group_items;
}

enum res ocl_run(struct drv *d, const struct testcase *tc, enum drv_job job, struct arena *a,
                 struct observation *ob, struct err *e)
{
    struct ocl_case c;
    enum res r = RES_OK;
    TRY(check_case(tc, e));
    if (!fits_device(d, tc)) {
        drv_stop(ob, RUN_SKIPPED, PHASE_START, 0, "work-group is larger than the device's largest");
        return RES_OK;
    }
    memset(&c, 0, sizeof c);
    c.d = d;
    c.tc = tc;
    c.job = job;
    c.a = a;
    c.ob = ob;
    run_steps(&c, &r, e);
    release(&c);
    return r;
}
