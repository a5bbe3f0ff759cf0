/* A device by the driver of CUDA 11.4 or later, whose library is opened when a program starts.
 *
 * A run is a graph, recorded when the device is opened, and so one call of the driver.
 */
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#include "autodeploy_device.h"
#include "autodeploy_opened.h"

#include <stdlib.h>
#include <string.h>

#define API "CUDA"
#if defined(_WIN32)
#define CALL __stdcall
#define LIBRARY "nvcuda.dll"
#else
#define CALL
#define LIBRARY "libcuda.so.1"
#endif

/* Handles of CUDA are pointers to what only its library knows, addresses on the device numbers. */
typedef void *handle;
typedef uint64_t address;

/* Numbers of CUDA's header. */
enum {
    SUCCESS = 0,
    INVALID_VALUE = 1,
    STREAM_NON_BLOCKING = 1,
    LEGACY_STREAM = 1,
    CAPTURE_MODE_THREAD_LOCAL = 1,
    POINTER_MEMORY_TYPE = 2,
    MEMORY_OF_DEVICE = 2,
    JIT_ERROR_LOG_BUFFER = 5,
    JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6
};

enum { NAME_BYTES = 128, ERROR_BYTES = 256, LOG_BYTES = 4096 };

/* The functions that are used: name, name in the library, parameters. All return a code. */
#define FUNCTIONS(X)                                                                               \
    X(cuInit, "cuInit", (unsigned))                                                                \
    X(cuDeviceGetCount, "cuDeviceGetCount", (int *))                                               \
    X(cuDeviceGet, "cuDeviceGet", (int *, int))                                                    \
    X(cuDeviceGetName, "cuDeviceGetName", (char *, int, int))                                      \
    X(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", (handle *, int))                       \
    X(cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", (int))                            \
    X(cuCtxPushCurrent, "cuCtxPushCurrent_v2", (handle))                                           \
    X(cuCtxPopCurrent, "cuCtxPopCurrent_v2", (handle *))                                           \
    X(cuStreamCreate, "cuStreamCreate", (handle *, unsigned))                                      \
    X(cuStreamSynchronize, "cuStreamSynchronize", (handle))                                        \
    X(cuStreamDestroy, "cuStreamDestroy_v2", (handle))                                             \
    X(cuMemAlloc, "cuMemAlloc_v2", (address *, size_t))                                            \
    X(cuMemFree, "cuMemFree_v2", (address))                                                        \
    X(cuMemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2", (address, const void *, size_t, handle))          \
    X(cuMemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2", (void *, address, size_t, handle))                \
    X(cuMemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2", (address, address, size_t, handle))               \
    X(cuPointerGetAttribute, "cuPointerGetAttribute", (void *, int, address))                      \
    X(cuModuleLoadDataEx, "cuModuleLoadDataEx", (handle *, const void *, unsigned, int *, void **)) \
    X(cuModuleUnload, "cuModuleUnload", (handle))                                                  \
    X(cuModuleGetFunction, "cuModuleGetFunction", (handle *, handle, const char *))                \
    X(cuLaunchKernel, "cuLaunchKernel",                                                            \
      (handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, handle,       \
       void **, void **))                                                                          \
    X(cuStreamBeginCapture, "cuStreamBeginCapture_v2", (handle, int))                              \
    X(cuStreamEndCapture, "cuStreamEndCapture", (handle, handle *))                                \
    X(cuGraphInstantiate, "cuGraphInstantiateWithFlags", (handle *, handle, unsigned long long))   \
    X(cuGraphDestroy, "cuGraphDestroy", (handle))                                                  \
    X(cuGraphUpload, "cuGraphUpload", (handle, handle))                                            \
    X(cuGraphLaunch, "cuGraphLaunch", (handle, handle))                                            \
    X(cuGraphExecDestroy, "cuGraphExecDestroy", (handle))

struct autodeploy_device {
    const autodeploy_device_program *program;
    void *library;
    int id;
    handle context;
    handle stream;
    handle module;
    address memory;    /* the arena, and the weights behind it */
    address *blocks;   /* where each block is */
    void **arguments;  /* of all starts: a pointer to where the block is, or to the number */
    handle *functions; /* of each start */
    handle *runs;      /* the graph of each run, NULL of one with numbers that a run sets */
    autodeploy_device_number *numbers;
    char name[NAME_BYTES];
    char error[ERROR_BYTES];
#define X(function, symbol, parameters) int(CALL *function) parameters;
    FUNCTIONS(X)
#undef X
};

#include "autodeploy_device_parts.h"

static int open_library(autodeploy_device *device)
{
    device->library = autodeploy_open_library(LIBRARY);
    if (device->library == NULL) {
        return fail(device, "this machine has no library of " API ", and so no device", SUCCESS);
    }
#define X(function, symbol, parameters)                                                            \
    if (autodeploy_find_function(device->library, symbol, &device->function) != 0) {                 \
        return fail(device, "the library of " API " lacks " symbol, SUCCESS);                        \
    }
    FUNCTIONS(X)
#undef X
    return 0;
}

/* Take the first device whose name contains a text. */
static int choose(autodeploy_device *device, const char *name)
{
    int count = 0;
    int i;
    int code = device->cuInit(0);
    if (code == SUCCESS) {
        code = device->cuDeviceGetCount(&count);
    }
    if (code != SUCCESS || count == 0) {
        return finds_none(device, NULL, code);
    }
    for (i = 0; i < count; ++i) {
        if (device->cuDeviceGet(&device->id, i) == SUCCESS &&
            device->cuDeviceGetName(device->name, NAME_BYTES, device->id) == SUCCESS &&
            (name == NULL || strstr(device->name, name) != NULL)) {
            return 0;
        }
    }
    return finds_none(device, name, SUCCESS);
}

static size_t aligned(size_t bytes)
{
    return (bytes + AUTODEPLOY_DEVICE_ALIGNMENT - 1) / AUTODEPLOY_DEVICE_ALIGNMENT *
           AUTODEPLOY_DEVICE_ALIGNMENT;
}

/* Place all blocks, and copy the weights. */
static int place(autodeploy_device *device, const autodeploy_device_request *request)
{
    const autodeploy_device_program *const program = device->program;
    size_t bytes = aligned(program->arena_bytes);
    int code;
    int i;
    for (i = 0; i < program->block_count; ++i) {
        const autodeploy_device_block *const block = &program->blocks[i];
        device->blocks[i] = block->is_weight ? bytes : block->offset;
        bytes += block->is_weight ? aligned(block->bytes) : 0;
    }
    code = device->cuMemAlloc(&device->memory, bytes);
    if (code != SUCCESS) {
        device->memory = 0;
        return fail(device, "the device has no memory for the arena and the weights", code);
    }
    for (i = 0; i < program->block_count && code == SUCCESS; ++i) {
        const autodeploy_device_block *const block = &program->blocks[i];
        device->blocks[i] += device->memory;
        if (block->is_weight) {
            const uint8_t *const weight =
                request->weight(request->context, request->weights, block->offset);
            code = device->cuMemcpyHtoDAsync(
                device->blocks[i], weight, block->bytes, device->stream);
        }
    }
    if (code == SUCCESS) {
        code = device->cuStreamSynchronize(device->stream);
    }
    return code == SUCCESS ? 0 : fail(device, "the weights cannot be written to the device", code);
}

/* Compile the text of the kernels; the first line of what the compiler says is a part of an error. */
static int compile(autodeploy_device *device, const char *text)
{
    char *const log = (char *)calloc(1, LOG_BYTES);
    int options[] = {JIT_ERROR_LOG_BUFFER, JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[2];
    int code;
    if (log == NULL) {
        return fail(device, "no memory for the device", SUCCESS);
    }
    values[0] = log;
    values[1] = (void *)(uintptr_t)(LOG_BYTES - 1);
    code = device->cuModuleLoadDataEx(&device->module, text, 2, options, values);
    if (code != SUCCESS) {
        device->module = NULL;
        fail(device, "the device does not compile the kernels", code);
        log[strcspn(log, "\r\n")] = '\0';
        autodeploy_message_add(device->error, ERROR_BYTES, log[0] == '\0' ? "" : ": ", ERROR_BYTES);
        autodeploy_message_add(device->error, ERROR_BYTES, log, 120);
    }
    free(log);
    return code == SUCCESS ? 0 : -1;
}

/* Compile the kernels, and find that of every start. */
static int prepare(autodeploy_device *device)
{
    const autodeploy_device_program *const program = device->program;
    size_t bytes = 1;
    char *text;
    int i;
    for (i = 0; program->source[i] != NULL; ++i) {
        bytes += strlen(program->source[i]);
    }
    text = (char *)malloc(bytes);
    if (text == NULL) {
        return fail(device, "no memory for the device", SUCCESS);
    }
    text[0] = '\0';
    for (bytes = 0, i = 0; program->source[i] != NULL; ++i) {
        const size_t length = strlen(program->source[i]);
        memcpy(text + bytes, program->source[i], length + 1);
        bytes += length;
    }
    i = compile(device, text);
    free(text);
    if (i != 0) {
        return -1;
    }
    for (i = 0; i < program->start_count; ++i) {
        const int code = device->cuModuleGetFunction(
            &device->functions[i], device->module, program->starts[i].kernel);
        if (code != SUCCESS) {
            return fail(device, program->starts[i].kernel, code);
        }
    }
    return 0;
}

static int launch(autodeploy_device *device, int first, int count)
{
    int i;
    for (i = first; i < first + count; ++i) {
        const autodeploy_device_start *const start = &device->program->starts[i];
        size_t blocks[3];
        int code;
        if (!blocks_of(device, start, blocks)) {
            continue;
        }
        code = device->cuLaunchKernel(
            device->functions[i], (unsigned)blocks[0], (unsigned)blocks[1], (unsigned)blocks[2],
            (unsigned)start->threads[0], (unsigned)start->threads[1], (unsigned)start->threads[2],
            (unsigned)start->shared, device->stream, &device->arguments[start->first], NULL);
        if (code != SUCCESS) {
            return fail(device, start->kernel, code);
        }
    }
    return 0;
}

/* How many starts a run has. */
static int length(const autodeploy_device_program *program, int run)
{
    const int end = run + 1 < program->run_count ? program->runs[run + 1] : program->start_count;
    return end - program->runs[run];
}

/* Whether a run has numbers that are set before it: a graph would keep those of its record. */
static int has_numbers(const autodeploy_device_program *program, int run)
{
    const autodeploy_device_start *start = &program->starts[program->runs[run]];
    const autodeploy_device_start *const end = start + length(program, run);
    int i;
    for (; start < end; ++start) {
        for (i = 0; i < 3; ++i) {
            if (start->grid[i] < 0) {
                return 1;
            }
        }
        for (i = 0; i < start->count; ++i) {
            if (program->arguments[start->first + i] < 0) {
                return 1;
            }
        }
    }
    return 0;
}

/* Make a graph of a run: what is queued in between is recorded instead. */
static int record(autodeploy_device *device, int run)
{
    handle graph = NULL;
    int launched;
    int code = device->cuStreamBeginCapture(device->stream, CAPTURE_MODE_THREAD_LOCAL);
    if (code != SUCCESS) {
        return fail(device, "the device does not record a run", code);
    }
    launched = launch(device, device->program->runs[run], length(device->program, run));
    code = device->cuStreamEndCapture(device->stream, &graph);
    if (code != SUCCESS) {
        graph = NULL;
    }
    if (launched == 0 && code == SUCCESS) {
        code = device->cuGraphInstantiate(&device->runs[run], graph, 0);
        if (code != SUCCESS) {
            device->runs[run] = NULL;
        }
    }
    if (graph != NULL) {
        device->cuGraphDestroy(graph);
    }
    if (launched == 0 && code == SUCCESS) {
        code = device->cuGraphUpload(device->runs[run], device->stream);
    }
    if (launched == 0 && code != SUCCESS) {
        return fail(device, "the device does not record a run", code);
    }
    return launched;
}

static int open_all(autodeploy_device *device, const autodeploy_device_request *request)
{
    const autodeploy_device_program *const program = device->program;
    const autodeploy_device_start *const last = &program->starts[program->start_count - 1];
    const int argument_count = last->first + last->count;
    int code;
    int i;
    device->blocks = (address *)calloc((size_t)program->block_count + 1, sizeof(address));
    device->arguments = (void **)calloc((size_t)argument_count + 1, sizeof(void *));
    device->functions = (handle *)calloc((size_t)program->start_count + 1, sizeof(handle));
    device->runs = (handle *)calloc((size_t)program->run_count + 1, sizeof(handle));
    if (device->blocks == NULL || device->arguments == NULL || device->functions == NULL ||
        device->runs == NULL) {
        return fail(device, "no memory for the device", SUCCESS);
    }
    for (i = 0; i < argument_count; ++i) {
        const int argument = program->arguments[i];
        device->arguments[i] = argument < 0 ? (void *)&device->numbers[-1 - argument]
                                            : (void *)&device->blocks[argument];
    }
    if (open_library(device) != 0 || choose(device, request->name) != 0) {
        return -1;
    }
    code = device->cuDevicePrimaryCtxRetain(&device->context, device->id);
    if (code != SUCCESS) {
        device->context = NULL;
        return fail(device, "the device makes no context", code);
    }
    code = device->cuCtxPushCurrent(device->context);
    if (code != SUCCESS) {
        return fail(device, "the device makes no context", code);
    }
    code = device->cuStreamCreate(&device->stream, STREAM_NON_BLOCKING);
    if (code != SUCCESS) {
        device->stream = NULL;
        code = fail(device, "the device makes no queue", code);
    } else {
        code = place(device, request) != 0 || prepare(device) != 0 ? -1 : 0;
    }
    for (i = 0; i < program->run_count && code == 0; ++i) {
        code = has_numbers(program, i) ? 0 : record(device, i);
    }
    device->cuCtxPopCurrent(NULL);
    return code;
}

/* Let the calls of this thread be for the context of the device, until leave. */
static int enter(autodeploy_device *device)
{
    const int code = device->cuCtxPushCurrent(device->context);
    return code == SUCCESS ? 0 : fail(device, "the device has lost its context", code);
}

/* Wait for what was queued where code is none; report it or the error of that. */
static int leave(autodeploy_device *device, int code, const char *what)
{
    if (code == SUCCESS) {
        code = device->cuStreamSynchronize(device->stream);
    }
    device->cuCtxPopCurrent(NULL);
    return code == SUCCESS ? 0 : fail(device, what, code);
}

/* Let *at be the address on the device that a pointer is, 0 if it is one to memory of the processor.
 * CUDA knows no attribute of memory that it has not allocated. */
static int find_address(const autodeploy_device *device, const void *pointer, address *at)
{
    unsigned kind = 0;
    const int code = device->cuPointerGetAttribute(
        &kind, POINTER_MEMORY_TYPE, (address)(uintptr_t)pointer);
    *at = code == SUCCESS && kind == MEMORY_OF_DEVICE ? (address)(uintptr_t)pointer : 0;
    return code == INVALID_VALUE ? SUCCESS : code;
}

int autodeploy_device_holds(autodeploy_device *device, const void *pointer)
{
    address at;
    int code;
    if (enter(device) != 0) {
        return -1;
    }
    code = find_address(device, pointer, &at);
    device->cuCtxPopCurrent(NULL);
    return code == SUCCESS ? at != 0 : fail(device, "the device does not know a pointer", code);
}

int autodeploy_device_write(autodeploy_device *device, int block, const void *from, size_t bytes)
{
    address at;
    int code;
    if (bytes == 0) {
        return 0;
    }
    if (enter(device) != 0) {
        return -1;
    }
    code = find_address(device, from, &at);
    if (code == SUCCESS && at == 0) {
        code = device->cuMemcpyHtoDAsync(device->blocks[block], from, bytes, device->stream);
    } else if (code == SUCCESS) {
        /* Other libraries compute in the queue that all threads share. */
        code = device->cuStreamSynchronize((handle)(uintptr_t)LEGACY_STREAM);
        if (code == SUCCESS) {
            code = device->cuMemcpyDtoDAsync(device->blocks[block], at, bytes, device->stream);
        }
    }
    /* It waits: the memory of the processor may hold something else right afterwards. */
    return leave(device, code, "a tensor cannot be written to the device");
}

int autodeploy_device_run(autodeploy_device *device, int first, int count)
{
    const autodeploy_device_program *const program = device->program;
    int run = 0;
    int code;
    while (run < program->run_count && program->runs[run] != first) {
        ++run;
    }
    if (enter(device) != 0) {
        return -1;
    }
    if (run < program->run_count && device->runs[run] != NULL && length(program, run) == count) {
        code = device->cuGraphLaunch(device->runs[run], device->stream);
        if (code != SUCCESS) {
            code = fail(device, "the device does not start a run", code);
        }
    } else {
        code = launch(device, first, count);
    }
    device->cuCtxPopCurrent(NULL);
    return code;
}

int autodeploy_device_finish(autodeploy_device *device)
{
    return enter(device) != 0 ? -1 : leave(device, SUCCESS, "the device failed");
}

int autodeploy_device_read(autodeploy_device *device, int block, void *to, size_t bytes)
{
    address at;
    int code;
    if (bytes == 0) {
        return autodeploy_device_finish(device);
    }
    if (enter(device) != 0) {
        return -1;
    }
    code = find_address(device, to, &at);
    if (code == SUCCESS) {
        code = at != 0
                   ? device->cuMemcpyDtoDAsync(at, device->blocks[block], bytes, device->stream)
                   : device->cuMemcpyDtoHAsync(to, device->blocks[block], bytes, device->stream);
    }
    return leave(device, code, "a tensor cannot be read from the device");
}

void autodeploy_device_close(autodeploy_device *device)
{
    if (device == NULL) {
        return;
    }
    /* All functions are there where the context is. */
    if (device->context != NULL) {
        int i;
        device->cuCtxPushCurrent(device->context);
        if (device->stream != NULL) {
            device->cuStreamSynchronize(device->stream);
        }
        for (i = 0; i < device->program->run_count; ++i) {
            if (device->runs[i] != NULL) {
                device->cuGraphExecDestroy(device->runs[i]);
            }
        }
        if (device->module != NULL) {
            device->cuModuleUnload(device->module);
        }
        if (device->memory != 0) {
            device->cuMemFree(device->memory);
        }
        if (device->stream != NULL) {
            device->cuStreamDestroy(device->stream);
        }
        device->cuCtxPopCurrent(NULL);
        device->cuDevicePrimaryCtxRelease(device->id);
    }
    /* The library stays open: threads that it has started may still be in it. */
    free(device->blocks);
    free(device->arguments);
    free(device->functions);
    free(device->runs);
    free(device->numbers);
    free(device);
}
