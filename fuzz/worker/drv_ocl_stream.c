/* fuzz/worker/drv_ocl_stream.c -- one kernel over block after block on an OpenCL device. */
#include "fuzz/worker/drv_ocl_stream.h"

#include <dlfcn.h>
#include <string.h>

#include "base/testcase.h"
#include "fuzz/worker/drv_common.h"

/* Functions that only a stream needs: a loader without them still runs cases. */
struct stream_functions {
    __typeof__(clEnqueueMapBuffer) *map;
    __typeof__(clEnqueueUnmapMemObject) *unmap;
    __typeof__(clEnqueueWriteBuffer) *write;
};

struct ocl_stream {
    struct stream s;
    unsigned char *memory;
    struct stream_functions fn;
    /* A processor as device works in the shared memory itself: measured on a CPU runtime, reading
     * 2^32 floats costs 1.6 s more than mapping them. Other devices have memory of their own. */
    bool is_shared;
    cl_program program;
    cl_kernel kernel;
    cl_mem inputs[STREAM_MAX_INPUTS];
    cl_mem outputs[STREAM_MAX_SLOTS][STREAM_MAX_OUTPUTS]; /* slot 0 alone unless is_shared */
};

/* What a step needs: it gives whether it succeeded, and says in `ob` how it failed. */
struct step {
    struct drv *d;
    struct ocl_stream *t;
    struct arena *a;
    struct observation *ob;
};

/* Book an error of the driver; false, so that a step can `return refuse(...)`. */
static bool refuse(const struct step *p, enum run_phase phase, const char *call, cl_int code)
{
    enum run_status const status = code == CL_DEVICE_NOT_AVAILABLE ? RUN_DEVICE_LOST : RUN_REJECT;
    drv_stop(p->ob, status, phase, code,
             arena_printf(p->a, "%s: %s (%d)", call, ocl_error_name(code), code));
    return false;
}

static bool find_functions(const struct step *p)
{
    void *const map = dlsym(p->d->library, "clEnqueueMapBuffer");
    void *const unmap = dlsym(p->d->library, "clEnqueueUnmapMemObject");
    void *const put = dlsym(p->d->library, "clEnqueueWriteBuffer");
    memcpy(&p->t->fn.map, &map, sizeof map);
    memcpy(&p->t->fn.unmap, &unmap, sizeof unmap);
    memcpy(&p->t->fn.write, &put, sizeof put);
    return (map && unmap && put) || refuse(p, PHASE_START, "no functions to map memory", 0);
}

/* The program of the stream's module, or of its source text. */
static bool create_program(const struct step *p)
{
    struct drv *const d = p->d;
    struct ocl_stream *const t = p->t;
    cl_int code = CL_SUCCESS;
    if (t->s.source[0]) {
        const char *source = t->s.source;
        t->program = d->cl.clCreateProgramWithSource(d->context, 1, &source, NULL, &code);
        return t->program || refuse(p, PHASE_BUILD, "clCreateProgramWithSource", code);
    }
    if (!d->cl.create_il) {
        return refuse(p, PHASE_BUILD, "no clCreateProgramWithIL", CL_COMPILER_NOT_AVAILABLE);
    }
    t->program = d->cl.create_il(d->context, t->s.module, sizeof(uint32_t) * t->s.n_words, &code);
    return t->program || refuse(p, PHASE_BUILD, "clCreateProgramWithIL", code);
}

/* Build the stream's program and kernel. False: the observation says which call failed; an error of the build
 * has its log behind it. */
static bool build(const struct step *p)
{
    struct drv *const d = p->d;
    struct ocl_stream *const t = p->t;
    if (!create_program(p)) {
        return false;
    }
    cl_int code = d->cl.clBuildProgram(t->program, 1, &d->device, t->s.build_options, NULL, NULL);
    if (code != CL_SUCCESS) {
        (void)refuse(p, PHASE_BUILD, "clBuildProgram", code);
        p->ob->log =
            arena_printf(p->a, "%s\n%s", p->ob->log, ocl_get_build_log(d, t->program, p->a));
        return false;
    }
    t->kernel = d->cl.clCreateKernel(t->program, t->s.entry, &code);
    return t->kernel || refuse(p, PHASE_BUILD, "clCreateKernel", code);
}

static unsigned char *get_host(const struct ocl_stream *t, uint32_t slot, uint32_t buffer)
{
    return t->memory + stream_get_place(&t->s, slot, buffer);
}

static size_t get_block_bytes(const struct ocl_stream *t, const struct stream_block *b)
{
    return (size_t)stream_round_items(&t->s, b->n_items) * t->s.item_bytes;
}

/* Make the stream's buffers on the device. Inputs are one set of the device's memory, written before each
 * block. Outputs: on a CPU (is_shared) the slots of the ring themselves, so that nothing is copied; on
 * another device one set, which is read back into the slot of the block. */
static bool make_buffers(const struct step *p)
{
    struct ocl_stream *const t = p->t;
    size_t const n = (size_t)stream_get_buffer_bytes(&t->s);
    uint32_t const n_slots = t->is_shared ? t->s.n_slots : 1;
    cl_int code = CL_SUCCESS;
    for (uint32_t i = 0; i < t->s.n_inputs; i++) {
        t->inputs[i] = p->d->cl.clCreateBuffer(p->d->context, CL_MEM_READ_ONLY, n, NULL, &code);
        if (!t->inputs[i]) {
            return refuse(p, PHASE_START, "clCreateBuffer", code);
        }
    }
    for (uint32_t slot = 0; slot < n_slots; slot++) {
        for (uint32_t i = 0; i < t->s.n_outputs; i++) {
            void *const host = t->is_shared ? get_host(t, slot, t->s.n_inputs + i) : NULL;
            cl_mem_flags const flags = CL_MEM_WRITE_ONLY | (host ? CL_MEM_USE_HOST_PTR : 0);
            t->outputs[slot][i] = p->d->cl.clCreateBuffer(p->d->context, flags, n, host, &code);
            if (!t->outputs[slot][i]) {
                return refuse(p, PHASE_START, "clCreateBuffer", code);
            }
        }
    }
    return true;
}

/* Begin a stream: one kernel that is run on block after block of inputs, in `memory`, which scheduler and
 * worker share. What the driver refuses is in the observation and no error. */
enum res ocl_stream_open(struct drv *d, const struct stream *s, unsigned char *memory,
                         struct arena *a, struct observation *ob, struct err *e)
{
    uint64_t const start_ns = drv_now_ns();
    struct ocl_stream *const t = ARENA_NEW(a, struct ocl_stream, 1);
    if (s->env != ENV_CL) {
        return err_set(e, RES_FORMAT, "stream of environment %s sent to an OpenCL worker",
                       env_names[s->env]);
    }
    if (!t) {
        return err_set(e, RES_NOMEM, "no room for a stream");
    }
    t->s = *s;
    t->memory = memory;
    t->is_shared = (ocl_get_number(&d->cl, d->device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) != 0;
    d->stream = t;
    struct step const p = {d, t, a, ob};
    if (find_functions(&p) && build(&p) && make_buffers(&p)) {
        drv_stop(ob, RUN_DONE, PHASE_DONE, CL_SUCCESS, ocl_get_build_log(d, t->program, a));
    }
    ob->build_ns = drv_now_ns() - start_ns;
    return RES_OK;
}

static bool write_inputs(const struct step *p, const struct stream_block *b)
{
    for (uint32_t i = 0; i < p->t->s.n_inputs; i++) {
        cl_int const code =
            p->t->fn.write(p->d->queue, p->t->inputs[i], CL_TRUE, 0, get_block_bytes(p->t, b),
                           get_host(p->t, b->slot, i), 0, NULL, NULL);
        if (code != CL_SUCCESS) {
            return refuse(p, PHASE_RUN, "clEnqueueWriteBuffer", code);
        }
    }
    return true;
}

/* The kernel's arguments: inputs, outputs, and the argument of the block's first item. */
static bool set_arguments(const struct step *p, const struct stream_block *b)
{
    const struct ocl_stream *const t = p->t;
    uint32_t const slot = t->is_shared ? b->slot : 0;
    uint32_t const n = t->s.n_inputs + t->s.n_outputs;
    cl_int code = CL_SUCCESS;
    for (uint32_t i = 0; i < n && code == CL_SUCCESS; i++) {
        const cl_mem *const m =
            i < t->s.n_inputs ? &t->inputs[i] : &t->outputs[slot][i - t->s.n_inputs];
        code = p->d->cl.clSetKernelArg(t->kernel, i, sizeof(cl_mem), m);
    }
    if (code == CL_SUCCESS) {
        code = p->d->cl.clSetKernelArg(t->kernel, n, sizeof b->base, &b->base);
    }
    return code == CL_SUCCESS || refuse(p, PHASE_RUN, "clSetKernelArg", code);
}

static bool run(const struct step *p, const struct stream_block *b)
{
    struct ocl_range const all = {.global = {stream_round_items(&p->t->s, b->n_items)}};
    const char *call = "";
    cl_int const code = ocl_run_kernel(p->d, p->t->kernel, 1, &all, 1, &call);
    return code == CL_SUCCESS || refuse(p, PHASE_RUN, call, code);
}

/* Mapping makes what the kernel wrote visible in the memory that the buffer was made of. */
static bool map_output(const struct step *p, const struct stream_block *b, uint32_t i)
{
    struct ocl_stream *const t = p->t;
    cl_mem const buffer = t->outputs[b->slot][i];
    cl_int code = CL_SUCCESS;
    void *const at = t->fn.map(p->d->queue, buffer, CL_TRUE, CL_MAP_READ, 0, get_block_bytes(t, b),
                               0, NULL, NULL, &code);
    if (!at) {
        return refuse(p, PHASE_READ, "clEnqueueMapBuffer", code);
    }
    code = t->fn.unmap(p->d->queue, buffer, at, 0, NULL, NULL);
    return code == CL_SUCCESS || refuse(p, PHASE_READ, "clEnqueueUnmapMemObject", code);
}

static bool copy_output(const struct step *p, const struct stream_block *b, uint32_t i)
{
    const struct ocl_stream *const t = p->t;
    cl_int const code = p->d->cl.clEnqueueReadBuffer(
        p->d->queue, t->outputs[0][i], CL_TRUE, 0, get_block_bytes(t, b),
        get_host(t, b->slot, t->s.n_inputs + i), 0, NULL, NULL);
    return code == CL_SUCCESS || refuse(p, PHASE_READ, "clEnqueueReadBuffer", code);
}

static bool read_outputs(const struct step *p, const struct stream_block *b)
{
    struct ocl_stream *const t = p->t;
    for (uint32_t i = 0; i < t->s.n_outputs; i++) {
        if (!(t->is_shared ? map_output(p, b, i) : copy_output(p, b, i))) {
            return false;
        }
    }
    cl_int const code = p->d->cl.clFinish(p->d->queue);
    return code == CL_SUCCESS || refuse(p, PHASE_READ, "clFinish", code);
}

void ocl_stream_run(struct drv *d, const struct stream_block *b, struct arena *a,
                    struct observation *ob)
{
    uint64_t const start_ns = drv_now_ns();
    struct step const p = {d, d->stream, a, ob};
    if (write_inputs(&p, b) && set_arguments(&p, b) && run(&p, b) && read_outputs(&p, b)) {
        drv_stop(ob, RUN_DONE, PHASE_DONE, CL_SUCCESS, "");
    }
    ob->run_ns = drv_now_ns() - start_ns;
}

static void release_buffer(struct drv *d, cl_mem m)
{
    if (m) {
        (void)d->cl.clReleaseMemObject(m);
    }
}

/* End the stream, after all that is queued, and release what of it there is. */
void ocl_stream_close(struct drv *d)
{
    struct ocl_stream *const t = d->stream;
    if (!t) {
        return;
    }
    (void)d->cl.clFinish(d->queue);
    if (t->kernel) {
        (void)d->cl.clReleaseKernel(t->kernel);
    }
    if (t->program) {
        (void)d->cl.clReleaseProgram(t->program);
    }
    for (uint32_t i = 0; i < STREAM_MAX_INPUTS; i++) {
        release_buffer(d, t->inputs[i]);
    }
    for (uint32_t slot = 0; slot < STREAM_MAX_SLOTS; slot++) {
        for (uint32_t i = 0; i < STREAM_MAX_OUTPUTS; i++) {
            release_buffer(d, t->outputs[slot][i]);
        }
    }
    d->stream = NULL;
}
