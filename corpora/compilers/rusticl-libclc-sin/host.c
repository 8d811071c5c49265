/* host.c -- runs module.spv once and looks at what it leaves in memory.
 *   OpenCL kernel: the driver died by a signal, on rusticl
 *
 *   cc host.c -o host -lOpenCL && ./host
 *   ./host --list      the devices
 *   ./host NAME        on the first device with NAME in its line of --list;
 *                      also by the variable DEVICE. Others: RUNS, DEADLINE (s)
 *
 * Exit status: 1 the bug is there, 0 it is not, 2 it could not be run. */
#define _POSIX_C_SOURCE 200809L
#define CL_TARGET_OPENCL_VERSION 210
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- the case ---- */

#define DEVICE  "rusticl" /* where the bug was seen; any device with "" */
#define ENTRY   "main_kernel"
#define OPTIONS ""
static const size_t global_size[3] = {1, 1, 1}, local_size[3] = {1, 1, 1};
enum { N_BUFFERS = 2 };
/* Buffer i is argument i of the kernel. */
static const struct {
    const char *in;
    size_t n_bytes;
} buffers[N_BUFFERS + 1] = {
    {"in-0.bin", 3072},
    {"in-1.bin", 1280},
    {NULL, 0}};

/* ---- what tells that the bug is there ---- */

#include "expected.h"

static unsigned char *content[N_BUFFERS + 1]; /* before the run */
static unsigned char *result[N_BUFFERS + 1];  /* after it */
static int outcome_fd;

/* In the child: say why, tell the parent how it ended, and end. */
static void stop(char outcome, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    fflush(stdout);
    if (write(outcome_fd, &outcome, 1) != 1) {
        abort();
    }
    sleep(1); /* some drivers die a moment after they have answered */
    exit(0);
}

static void *take(size_t n_bytes)
{
    void *p = calloc(n_bytes + 1, 1);
    if (!p) {
        stop('U', "out of memory\n");
    }
    return p;
}

/* A whole file; *n_bytes is its size, or 0 to be told. */
static unsigned char *read_file(const char *name, size_t *n_bytes)
{
    FILE *f = fopen(name, "rb");
    if (!f || fseek(f, 0, SEEK_END) != 0) {
        stop('U', "%s cannot be read; this program runs in its own folder\n", name);
    }
    size_t n = (size_t)ftell(f);
    unsigned char *p = take(n);
    rewind(f);
    if ((*n_bytes != 0 && *n_bytes != n) || fread(p, 1, n, f) != n) {
        stop('U', "%s is not of %lu bytes\n", name, (unsigned long)*n_bytes);
    }
    fclose(f);
    *n_bytes = n;
    return p;
}

static void read_contents(void)
{
    for (unsigned i = 0; i < N_BUFFERS; i++) {
        size_t n = buffers[i].n_bytes;
        content[i] = read_file(buffers[i].in, &n);
        result[i] = take(n);
    }
}

/* The run came to its end, which is all that is asked of it. */
static char compare(void)
{
    printf("the run came to its end\n");
    return 'N';
}

/* ---- the run ---- */

static void check(cl_int code, const char *call)
{
    if (code != CL_SUCCESS) {
        stop(code == CL_DEVICE_NOT_AVAILABLE ? 'L' : 'R', "%s: error %d\n", call, (int)code);
    }
}

/* "platform: device" */
static void name_device(cl_platform_id platform, cl_device_id device, char name[1024])
{
    char p[256] = "", d[256] = "", v[256] = "";
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof p, p, NULL);
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof d, d, NULL);
    clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof v, v, NULL);
    snprintf(name, 1024, "%s: %s, driver %s", p, d, v);
}

/* The first device whose name contains `wanted`; all are printed when that is NULL. */
static int find_device(const char *wanted, cl_platform_id *platform, cl_device_id *device)
{
    cl_platform_id platforms[16];
    cl_device_id devices[16];
    cl_uint n_platforms = 0, n_devices = 0;
    char name[1024];
    if (clGetPlatformIDs(16, platforms, &n_platforms) != CL_SUCCESS) {
        return 0;
    }
    for (cl_uint i = 0; i < n_platforms && i < 16; i++) {
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 16, devices, &n_devices) !=
            CL_SUCCESS) {
            continue;
        }
        for (cl_uint k = 0; k < n_devices && k < 16; k++) {
            name_device(platforms[i], devices[k], name);
            if (!wanted) {
                printf("%s\n", name);
            } else if (strstr(name, wanted)) {
                printf("device: %s\n", name);
                *platform = platforms[i];
                *device = devices[k];
                return 1;
            }
        }
    }
    return 0;
}

static void list_devices(void)
{
    find_device(NULL, NULL, NULL);
}

/* clCreateProgramWithIL is of OpenCL 2.1; before it there is the function of cl_khr_il_program. */
static cl_program create_program(cl_platform_id platform, cl_device_id device, cl_context context)
{
    typedef cl_program(CL_API_CALL * create_il)(cl_context, const void *, size_t, cl_int *);
    size_t n = 0;
    cl_int code = CL_SUCCESS;
    char version[64] = "";
    const unsigned char *module = read_file("module.spv", &n);
    clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version, version, NULL);
    create_il create = clCreateProgramWithIL;
    if (strncmp(version, "OpenCL 2.1", 10) < 0) {
        void *p = clGetExtensionFunctionAddressForPlatform(platform, "clCreateProgramWithILKHR");
        memcpy(&create, &p, sizeof p);
    }
    if (!create) {
        stop('U', "the device takes no SPIR-V\n");
    }
    cl_program program = create(context, module, n, &code);
    check(code, "clCreateProgramWithIL");
    return program;
}

static cl_kernel build(cl_platform_id platform, cl_device_id device, cl_context context)
{
    static char log[8192];
    cl_int code = CL_SUCCESS;
    cl_program program = create_program(platform, device, context);
    code = clBuildProgram(program, 1, &device, OPTIONS, NULL, NULL);
    if (code != CL_SUCCESS) {
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        printf("%s\n", log);
    }
    check(code, "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, ENTRY, &code);
    check(code, "clCreateKernel");
    return kernel;
}

static cl_mem make_buffer(cl_context context, unsigned i)
{
    cl_int code = CL_SUCCESS;
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                   buffers[i].n_bytes, content[i], &code);
    check(code, "clCreateBuffer");
    return memory;
}

static void run(const char *wanted)
{
    cl_platform_id platform = NULL;
    cl_device_id device = NULL;
    cl_int code = CL_SUCCESS, state = CL_COMPLETE;
    cl_mem memory[N_BUFFERS + 1];
    cl_event event = NULL;
    if (!find_device(wanted, &platform, &device)) {
        stop('U', "no OpenCL device named \"%s\"; try --list\n", wanted);
    }
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    if (code != CL_SUCCESS) {
        stop('U', "clCreateContext: error %d\n", (int)code);
    }
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    if (code != CL_SUCCESS) {
        stop('U', "clCreateCommandQueue: error %d\n", (int)code);
    }
    read_contents();
    cl_kernel kernel = build(platform, device, context);
    for (unsigned i = 0; i < N_BUFFERS; i++) {
        memory[i] = make_buffer(context, i);
        check(clSetKernelArg(kernel, i, sizeof memory[i], &memory[i]), "clSetKernelArg");
    }
    check(clEnqueueNDRangeKernel(queue, kernel, 3, NULL, global_size, local_size, 0, NULL, &event),
          "clEnqueueNDRangeKernel");
    check(clFinish(queue), "clFinish");
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    check(state < 0 ? state : CL_SUCCESS, "the kernel's event");
    for (unsigned i = 0; i < N_BUFFERS; i++) {
        check(clEnqueueReadBuffer(queue, memory[i], CL_TRUE, 0, buffers[i].n_bytes, result[i], 0,
                                  NULL, NULL), "clEnqueueReadBuffer");
    }
}

/* ---- in a process of its own ---- */

static long get_number(const char *name, long otherwise)
{
    const char *text = getenv(name);
    long v = text ? strtol(text, NULL, 10) : 0;
    return v > 0 ? v : otherwise;
}

/* One run in a process of its own, which may die. 'Y' the bug is there, 'N' it is not, 'U' could not
 * be run, 'R' the driver refused, 'L' the device was lost; 'C' it died by a signal, 'H' it hangs,
 * 'E' the driver ended the process. */
static char run_once(const char *wanted)
{
    int fds[2], status = 0;
    char outcome = 'E';
    pid_t gone = 0;
    struct timespec tick = {0, 10000000};
    if (pipe(fds) != 0) {
        perror("pipe");
        return 'U';
    }
    pid_t child = fork();
    if (child < 0) {
        perror("fork");
        return 'U';
    }
    if (child == 0) {
        outcome_fd = fds[1];
        run(wanted);
        stop(compare(), "%s", "");
    }
    for (long n = 100 * get_number("DEADLINE", DEADLINE_S); n > 0 && gone == 0; n--) {
        nanosleep(&tick, NULL);
        gone = waitpid(child, &status, WNOHANG);
    }
    close(fds[1]);
    if (gone == 0) {
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
        outcome = 'H';
    } else if (read(fds[0], &outcome, 1) != 1) {
        outcome = 'E';
    }
    close(fds[0]);
    if (gone != 0 && WIFSIGNALED(status) && outcome != 'Y') {
        printf("signal %d\n", WTERMSIG(status));
        outcome = 'C';
    }
    return outcome;
}

static const char *describe(char outcome)
{
    switch (outcome) {
    case 'R':
        return "the driver refused";
    case 'L':
        return "the device was lost";
    case 'C':
        return "the driver died";
    case 'H':
        return "no answer before the deadline";
    case 'E':
        return "the driver ended the process";
    default:
        return "it ran";
    }
}

int main(int argc, char **argv)
{
    const char *wanted = argc > 1 ? argv[1] : getenv("DEVICE");
    long n_runs = get_number("RUNS", DEFAULT_RUNS);
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (wanted && strcmp(wanted, "--list") == 0) {
        list_devices();
        return 0;
    }
    char outcome = 'N';
    for (long i = 0; i < n_runs && outcome == 'N'; i++) {
        outcome = run_once(wanted ? wanted : DEVICE);
    }
    if (strchr(BUG, outcome)) {
        printf("The bug is there: %s\n", BUG_TEXT);
        return 1;
    }
    if (outcome == 'N') {
        printf("The bug is not there, in %ld runs.\n", n_runs);
        return 0;
    }
    printf("It could not be run%s%s.\n", outcome == 'U' ? "" : ": ",
           outcome == 'U' ? "" : describe(outcome));
    return 2;
}
