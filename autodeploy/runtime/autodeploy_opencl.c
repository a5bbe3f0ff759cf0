/* A device by OpenCL 1.2, whose library is opened when a program starts: nothing is linked. */
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#include "autodeploy_device.h"
#include "autodeploy_cache.h"
#include "autodeploy_opened.h"

#include <stdlib.h>
#include <string.h>

#define API "OpenCL"
#if defined(_WIN32)
#define CALL __stdcall
#else
#define CALL
#endif

/* Handles of OpenCL are pointers to what only its library knows. */
typedef void *handle;

/* Where a part of a buffer begins, and its bytes (cl_buffer_region). */
typedef struct {
    size_t origin;
    size_t bytes;
} region;

/* Numbers of OpenCL's header. */
enum {
    SUCCESS = 0,
    READ_WRITE = 1 << 0,
    READ_ONLY = 1 << 2,
    COPY_HOST_PTR = 1 << 5,
    MAX_WORK_GROUP_SIZE = 0x1004,
    MEM_BASE_ADDR_ALIGN = 0x1019,
    DEVICE_NAME = 0x102B,
    DRIVER_VERSION = 0x102D,
    DEVICE_VERSION = 0x102F,
    PROGRAM_BINARY_SIZES = 0x1165,
    PROGRAM_BINARIES = 0x1166,
    BUFFER_CREATE_TYPE_REGION = 0x1220,
    PROGRAM_BUILD_LOG = 0x1183
};
#define ALL_DEVICES 0xFFFFFFFFu

enum { MAX_PLATFORMS = 16, MAX_DEVICES = 16, NAME_BYTES = 128, ERROR_BYTES = 256, LOG_BYTES = 4096 };

/* The functions that are used: result, name, parameters. */
#define FUNCTIONS(X)                                                                               \
    X(int32_t, clGetPlatformIDs, (uint32_t, handle *, uint32_t *))                                 \
    X(int32_t, clGetDeviceIDs, (handle, uint64_t, uint32_t, handle *, uint32_t *))                 \
    X(int32_t, clGetDeviceInfo, (handle, uint32_t, size_t, void *, size_t *))                      \
    X(handle, clCreateContext,                                                                     \
      (const intptr_t *, uint32_t, const handle *, void *, void *, int32_t *))                     \
    X(handle, clCreateCommandQueue, (handle, handle, uint64_t, int32_t *))                         \
    X(handle, clCreateBuffer, (handle, uint64_t, size_t, void *, int32_t *))                       \
    X(handle, clCreateSubBuffer, (handle, uint64_t, uint32_t, const void *, int32_t *))            \
    X(handle, clCreateProgramWithSource,                                                           \
      (handle, uint32_t, const char **, const size_t *, int32_t *))                                \
    X(handle, clCreateProgramWithBinary,                                                           \
      (handle, uint32_t, const handle *, const size_t *, const unsigned char **, int32_t *,        \
       int32_t *))                                                                                 \
    X(int32_t, clGetProgramInfo, (handle, uint32_t, size_t, void *, size_t *))                     \
    X(int32_t, clBuildProgram, (handle, uint32_t, const handle *, const char *, void *, void *))   \
    X(int32_t, clGetProgramBuildInfo, (handle, handle, uint32_t, size_t, void *, size_t *))        \
    X(handle, clCreateKernel, (handle, const char *, int32_t *))                                   \
    X(int32_t, clSetKernelArg, (handle, uint32_t, size_t, const void *))                           \
    X(int32_t, clEnqueueNDRangeKernel,                                                             \
      (handle, handle, uint32_t, const size_t *, const size_t *, const size_t *, uint32_t,         \
       const handle *, handle *))                                                                  \
    X(int32_t, clEnqueueWriteBuffer,                                                               \
      (handle, handle, uint32_t, size_t, size_t, const void *, uint32_t, const handle *, handle *)) \
    X(int32_t, clEnqueueReadBuffer,                                                                \
      (handle, handle, uint32_t, size_t, size_t, void *, uint32_t, const handle *, handle *))      \
    X(int32_t, clFinish, (handle))                                                                 \
    X(int32_t, clReleaseMemObject, (handle))                                                       \
    X(int32_t, clReleaseKernel, (handle))                                                          \
    X(int32_t, clReleaseProgram, (handle))                                                         \
    X(int32_t, clReleaseCommandQueue, (handle))                                                    \
    X(int32_t, clReleaseContext, (handle))

struct autodeploy_device {
    const autodeploy_device_program *program;
    void *library;
    handle id;
    handle context;
    handle queue;
    handle arena;
    handle built;
    handle *blocks;
    handle *kernels;
    autodeploy_device_number *numbers;
    char name[NAME_BYTES];
    char error[ERROR_BYTES];
#define X(result, function, parameters) result(CALL *function) parameters;
    FUNCTIONS(X)
#undef X
};

#include "autodeploy_device_parts.h"

/* Open OpenCL's library and find its functions. */
static int open_library(autodeploy_device *device)
{
#if defined(_WIN32)
    device->library = autodeploy_open_library("OpenCL.dll");
#elif defined(__APPLE__)
    device->library =
        autodeploy_open_library("/System/Library/Frameworks/OpenCL.framework/OpenCL");
#else
    device->library = autodeploy_open_library("libOpenCL.so.1");
    if (device->library == NULL) {
        device->library = autodeploy_open_library("libOpenCL.so");
    }
#endif
    if (device->library == NULL) {
        return fail(device, "this machine has no library of " API ", and so no device", SUCCESS);
    }
#define X(result, function, parameters)                                                            \
    if (autodeploy_find_function(device->library, #function, &device->function) != 0) {             \
        return fail(device, "the library of " API " lacks " #function, SUCCESS);                   \
    }
    FUNCTIONS(X)
#undef X
    return 0;
}

/* Take the first device whose name contains a text. */
static int choose(autodeploy_device *device, const char *name)
{
    handle platforms[MAX_PLATFORMS];
    handle devices[MAX_DEVICES];
    uint32_t platform_count = 0;
    uint32_t i;
    if (device->clGetPlatformIDs(MAX_PLATFORMS, platforms, &platform_count) != SUCCESS) {
        platform_count = 0;
    }
    for (i = 0; i < platform_count && i < MAX_PLATFORMS; ++i) {
        uint32_t count = 0;
        uint32_t k;
        if (device->clGetDeviceIDs(platforms[i], ALL_DEVICES, MAX_DEVICES, devices, &count) !=
            SUCCESS) {
            continue;
        }
        for (k = 0; k < count && k < MAX_DEVICES; ++k) {
            char found[NAME_BYTES] = "";
            device->clGetDeviceInfo(devices[k], DEVICE_NAME, sizeof found - 1, found, NULL);
            if (name == NULL || strstr(found, name) != NULL) {
                device->id = devices[k];
                memcpy(device->name, found, sizeof found);
                return 0;
            }
        }
    }
    return finds_none(device, name, SUCCESS);
}

/* Hold what the device offers against what the program needs. */
static int check(autodeploy_device *device)
{
    const autodeploy_device_program *const program = device->program;
    uint32_t bits = 0;
    size_t most = 0;
    int i;
    device->clGetDeviceInfo(device->id, MEM_BASE_ADDR_ALIGN, sizeof bits, &bits, NULL);
    if (bits / 8 > AUTODEPLOY_DEVICE_ALIGNMENT) {
        return fail(device, "the device aligns memory to more than 512 bytes", SUCCESS);
    }
    device->clGetDeviceInfo(device->id, MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL);
    for (i = 0; i < program->start_count; ++i) {
        const size_t *const threads = program->starts[i].threads;
        if (threads[0] * threads[1] * threads[2] > most) {
            return fail(device, "the device has too few threads for a block", SUCCESS);
        }
    }
    return 0;
}

/* Place all blocks, and copy the weights. */
static int place(autodeploy_device *device, const autodeploy_device_request *request)
{
    const autodeploy_device_program *const program = device->program;
    int32_t code = SUCCESS;
    int i;
    if (program->arena_bytes > 0) {
        device->arena =
            device->clCreateBuffer(device->context, READ_WRITE, program->arena_bytes, NULL, &code);
        if (code != SUCCESS) {
            return fail(device, "the device has no memory for the arena", code);
        }
    }
    for (i = 0; i < program->block_count; ++i) {
        const autodeploy_device_block *const block = &program->blocks[i];
        if (block->is_weight) {
            const uint8_t *const weight =
                request->weight(request->context, request->weights, block->offset);
            void *const data = (void *)(uintptr_t)weight;
            device->blocks[i] = device->clCreateBuffer(
                device->context, READ_ONLY | COPY_HOST_PTR, block->bytes, data, &code);
        } else {
            region part;
            part.origin = block->offset;
            part.bytes = block->bytes;
            device->blocks[i] = device->clCreateSubBuffer(
                device->arena, READ_WRITE, BUFFER_CREATE_TYPE_REGION, &part, &code);
        }
        if (code != SUCCESS) {
            return fail(device, "the device has no memory for a tensor", code);
        }
    }
    return 0;
}

/* The first line of what the compiler of the device says. */
static int build_failed(autodeploy_device *device, int32_t code)
{
    char *const log = (char *)calloc(1, LOG_BYTES);
    fail(device, "the device does not compile the kernels", code);
    if (log != NULL) {
        device->clGetProgramBuildInfo(
            device->built, device->id, PROGRAM_BUILD_LOG, LOG_BYTES - 1, log, NULL);
        log[strcspn(log, "\r\n")] = '\0';
        autodeploy_message_add(device->error, ERROR_BYTES, ": ", ERROR_BYTES);
        autodeploy_message_add(device->error, ERROR_BYTES, log, 120);
        free(log);
    }
    return -1;
}

/* The options that compile the kernels. A compiler has the features of OpenCL C 3.0, which a text
 * names, only if it is asked for that version; each device of OpenCL 3 has it. */
static const char *options_for(const autodeploy_device *device)
{
    const char *const *line = device->program->source;
    char version[NAME_BYTES] = "";
    while (*line != NULL && strstr(*line, "__opencl_c_") == NULL) {
        ++line;
    }
    if (*line != NULL) {
        device->clGetDeviceInfo(device->id, DEVICE_VERSION, sizeof version - 1, version, NULL);
    }
    return strncmp(version, "OpenCL 3", 8) == 0 ? "-cl-std=CL3.0" : "";
}

/* Compile the text of the kernels. */
static int compile(autodeploy_device *device)
{
    const char **const lines = (const char **)(uintptr_t)device->program->source;
    uint32_t line_count = 0;
    int32_t code = SUCCESS;
    while (lines[line_count] != NULL) {
        ++line_count;
    }
    device->built = device->clCreateProgramWithSource(
        device->context, line_count, lines, NULL, &code);
    if (code != SUCCESS) {
        return fail(device, "the device does not take the kernels", code);
    }
    code = device->clBuildProgram(device->built, 1, &device->id, options_for(device), NULL, NULL);
    return code == SUCCESS ? 0 : build_failed(device, code);
}

/* A key that differs for another device, driver or text. */
static uint64_t key_of(autodeploy_device *device)
{
    static const uint32_t names[] = {DEVICE_NAME, DRIVER_VERSION, DEVICE_VERSION};
    const char *const *line;
    uint64_t key = 0;
    size_t i;
    for (i = 0; i < sizeof names / sizeof names[0]; ++i) {
        char text[NAME_BYTES] = "";
        device->clGetDeviceInfo(device->id, names[i], sizeof text - 1, text, NULL);
        key = autodeploy_cache_key(key, text, sizeof text);
    }
    for (line = device->program->source; *line != NULL; ++line) {
        key = autodeploy_cache_key(key, *line, strlen(*line));
    }
    return key;
}

/* Take the compiled kernels that a file keeps. 0, or an error where the device takes none. */
static int take_kept(autodeploy_device *device, const char *path, uint64_t key)
{
    size_t bytes = 0;
    unsigned char *const kept = (unsigned char *)autodeploy_cache_read(path, key, &bytes);
    const unsigned char *binary = kept;
    int32_t status = SUCCESS;
    int32_t code = SUCCESS;
    if (kept == NULL) {
        return -1;
    }
    device->built = device->clCreateProgramWithBinary(
        device->context, 1, &device->id, &bytes, &binary, &status, &code);
    if (code == SUCCESS && status == SUCCESS) {
        code = device->clBuildProgram(device->built, 1, &device->id, options_for(device), NULL, NULL);
    }
    free(kept);
    if (code == SUCCESS && status == SUCCESS) {
        return 0;
    }
    if (device->built != NULL) {
        device->clReleaseProgram(device->built);
        device->built = NULL;
    }
    return -1;
}

/* Let a file keep the compiled kernels. */
static void keep(autodeploy_device *device, const char *path, uint64_t key)
{
    size_t bytes = 0;
    unsigned char *binary;
    if (device->clGetProgramInfo(
            device->built, PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL) != SUCCESS ||
        bytes == 0) {
        return;
    }
    binary = (unsigned char *)malloc(bytes);
    if (binary != NULL && device->clGetProgramInfo(
                              device->built, PROGRAM_BINARIES, sizeof binary, &binary, NULL) ==
                              SUCCESS) {
        autodeploy_cache_write(path, key, binary, bytes);
    }
    free(binary);
}

/* Compile the kernels, or take them from the cache. */
static int build(autodeploy_device *device, const char *cache)
{
    const uint64_t key = cache == NULL ? 0 : key_of(device);
    if (cache != NULL && take_kept(device, cache, key) == 0) {
        return 0;
    }
    if (compile(device) != 0) {
        return -1;
    }
    if (cache != NULL) {
        keep(device, cache, key);
    }
    return 0;
}

/* Build the kernels, and set the arguments of every start. */
static int prepare(autodeploy_device *device, const char *cache)
{
    const autodeploy_device_program *const program = device->program;
    int32_t code = SUCCESS;
    int i;
    if (build(device, cache) != 0) {
        return -1;
    }
    for (i = 0; i < program->start_count; ++i) {
        const autodeploy_device_start *const start = &program->starts[i];
        int k;
        device->kernels[i] = device->clCreateKernel(device->built, start->kernel, &code);
        for (k = 0; code == SUCCESS && k < start->count; ++k) {
            const int argument = program->arguments[start->first + k];
            if (argument >= 0) {
                code = device->clSetKernelArg(
                    device->kernels[i], (uint32_t)k, sizeof(handle), &device->blocks[argument]);
            }
        }
        if (code == SUCCESS) {
            /* Every kernel takes shared memory last, and none may be of 0 bytes. */
            const size_t shared = start->shared > 0 ? start->shared : 16;
            code = device->clSetKernelArg(device->kernels[i], (uint32_t)k, shared, NULL);
        }
        if (code != SUCCESS) {
            return fail(device, start->kernel, code);
        }
    }
    return 0;
}

static int open_all(autodeploy_device *device, const autodeploy_device_request *request)
{
    const autodeploy_device_program *const program = device->program;
    int32_t code = SUCCESS;
    device->blocks = (handle *)calloc((size_t)program->block_count + 1, sizeof(handle));
    device->kernels = (handle *)calloc((size_t)program->start_count + 1, sizeof(handle));
    if (device->blocks == NULL || device->kernels == NULL) {
        return fail(device, "no memory for the device", SUCCESS);
    }
    if (open_library(device) != 0 || choose(device, request->name) != 0 || check(device) != 0) {
        return -1;
    }
    device->context = device->clCreateContext(NULL, 1, &device->id, NULL, NULL, &code);
    if (code != SUCCESS) {
        return fail(device, "the device makes no context", code);
    }
    device->queue = device->clCreateCommandQueue(device->context, device->id, 0, &code);
    if (code != SUCCESS) {
        return fail(device, "the device makes no queue", code);
    }
    return place(device, request) != 0 || prepare(device, request->cache) != 0 ? -1 : 0;
}

int autodeploy_device_holds(autodeploy_device *device, const void *pointer)
{
    (void)device;
    (void)pointer;
    return 0;
}

int autodeploy_device_write(autodeploy_device *device, int block, const void *from, size_t bytes)
{
    /* It waits: the memory of the processor may hold something else right afterwards. */
    const int32_t code =
        bytes == 0 ? SUCCESS
                   : device->clEnqueueWriteBuffer(
                         device->queue, device->blocks[block], 1, 0, bytes, from, 0, NULL, NULL);
    return code == SUCCESS ? 0 : fail(device, "a tensor cannot be written to the device", code);
}

int autodeploy_device_run(autodeploy_device *device, int first, int count)
{
    int i;
    for (i = first; i < first + count; ++i) {
        const autodeploy_device_start *const start = &device->program->starts[i];
        size_t threads[3];
        int32_t code = SUCCESS;
        int k;
        if (!blocks_of(device, start, threads)) {
            continue;
        }
        for (k = 0; k < 3; ++k) {
            threads[k] *= start->threads[k];
        }
        for (k = 0; code == SUCCESS && k < start->count; ++k) {
            const int number = -1 - device->program->arguments[start->first + k];
            if (number >= 0) {
                code = device->clSetKernelArg(
                    device->kernels[i], (uint32_t)k, device->program->numbers[number],
                    &device->numbers[number]);
            }
        }
        if (code == SUCCESS) {
            code = device->clEnqueueNDRangeKernel(
                device->queue, device->kernels[i], 3, NULL, threads, start->threads, 0, NULL, NULL);
        }
        if (code != SUCCESS) {
            return fail(device, start->kernel, code);
        }
    }
    return 0;
}

int autodeploy_device_finish(autodeploy_device *device)
{
    const int32_t code = device->clFinish(device->queue);
    return code == SUCCESS ? 0 : fail(device, "the device failed", code);
}

int autodeploy_device_read(autodeploy_device *device, int block, void *to, size_t bytes)
{
    const int32_t code =
        bytes == 0 ? SUCCESS
                   : device->clEnqueueReadBuffer(
                         device->queue, device->blocks[block], 1, 0, bytes, to, 0, NULL, NULL);
    return code == SUCCESS ? 0 : fail(device, "a tensor cannot be read from the device", code);
}

/* Release count handles, those that there are. */
static void release(int32_t(CALL *function)(handle), const handle *handles, int count)
{
    int i;
    for (i = 0; handles != NULL && i < count; ++i) {
        if (handles[i] != NULL) {
            function(handles[i]);
        }
    }
}

void autodeploy_device_close(autodeploy_device *device)
{
    if (device == NULL) {
        return;
    }
    /* All functions are there where the first handle is. */
    if (device->context != NULL) {
        if (device->queue != NULL) {
            device->clFinish(device->queue);
        }
        release(device->clReleaseKernel, device->kernels, device->program->start_count);
        release(device->clReleaseMemObject, device->blocks, device->program->block_count);
        release(device->clReleaseMemObject, &device->arena, 1);
        release(device->clReleaseProgram, &device->built, 1);
        release(device->clReleaseCommandQueue, &device->queue, 1);
        release(device->clReleaseContext, &device->context, 1);
    }
    /* The library stays open: threads that it has started may still be in it. */
    free(device->blocks);
    free(device->kernels);
    free(device->numbers);
    free(device);
}
