/* The library of CUDA's driver for tests without a GPU: it checks how it is used.
 *
 * What is queued is done when a program waits for it. A function of the test runs each kernel
 * (fake_cuda_runs); without one, kernels do nothing. FAKE_CUDA_LOG is a file for the names of all
 * calls; the last line says how many objects are left behind. FAKE_CUDA_FAIL is a call that fails,
 * such as cuMemAlloc_v2, or cuCtxPushCurrent_v2:3 for the third of them; FAKE_CUDA_DEVICES the
 * number of devices.
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define API __attribute__((visibility("default")))

enum { INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NOT_INITIALIZED = 3, INVALID_CONTEXT = 201,
       INVALID_PTX = 218, INVALID_HANDLE = 400, NOT_FOUND = 500, CAPTURE = 900, UNKNOWN = 999 };
enum { CONTEXT = 0xC0, STREAM, MODULE, FUNCTION, GRAPH, EXECUTABLE };
enum { MAX_ARGUMENTS = 64, STACK = 8, MEMORY_TYPE = 2, ON_DEVICE = 2 };

typedef uint64_t address;
typedef int (*runner)(
    const char *text, const char *entry, const unsigned *grid, const unsigned *block,
    const address *arguments);

typedef struct object {
    int kind;
    struct object *next;   /* of all objects */
    struct object *module; /* of a function */
    struct object *graph;  /* what a stream records */
    struct step *first, **end; /* of a stream or a graph */
    char *text;            /* of a module, or the name of a function */
    int argument_count;
    int argument_bytes[MAX_ARGUMENTS];
} object;

/* A copy, or a start of a kernel. */
typedef struct step {
    struct step *next;
    void *to;
    const void *from;
    size_t bytes;
    object *function;
    unsigned grid[3], block[3];
    address arguments[MAX_ARGUMENTS];
} step;

typedef struct memory {
    struct memory *next;
    uint8_t *at;
    size_t bytes;
} memory;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static object *objects;
static memory *memories;
static object context = {.kind = CONTEXT};
static int retained, initialized, legacy_waits;
static runner run_kernel;
static FILE *log_file;
static __thread int depth;

#define LEGACY_STREAM ((object *)(uintptr_t)1)

API void fake_cuda_runs(runner function)
{
    run_kernel = function;
}

/* The part of memory of a number; 0 where there are fewer. */
API int fake_cuda_memory(int number, address *at, size_t *bytes)
{
    const memory *found = memories;
    while (found != NULL && number-- > 0) {
        found = found->next;
    }
    if (found != NULL) {
        *at = (address)(uintptr_t)found->at;
        *bytes = found->bytes;
    }
    return found != NULL;
}

/* How many objects, parts of memory and contexts there are. */
API int fake_cuda_left(void)
{
    const object *one;
    const memory *part;
    int left = retained;
    for (one = objects; one != NULL; one = one->next) {
        left += one->kind != FUNCTION;
    }
    for (part = memories; part != NULL; part = part->next) {
        ++left;
    }
    return left;
}

/* Note a call; whether it is the one that fails. */
static int fails(const char *name)
{
    static int calls;
    const char *const wanted = getenv("FAKE_CUDA_FAIL");
    const size_t length = strlen(name);
    if (log_file == NULL && getenv("FAKE_CUDA_LOG") != NULL) {
        log_file = fopen(getenv("FAKE_CUDA_LOG"), "w");
    }
    if (log_file != NULL) {
        (void)fprintf(log_file, "%s\n", name);
    }
    if (wanted == NULL || strncmp(wanted, name, length) != 0) {
        return 0;
    }
    if (wanted[length] == '\0') {
        return 1;
    }
    return wanted[length] == ':' && ++calls == atoi(wanted + length + 1);
}

__attribute__((destructor)) static void report(void)
{
    if (log_file != NULL) {
        (void)fprintf(log_file, "left %d depth %d\n", fake_cuda_left(), depth);
        (void)fclose(log_file);
    }
}

/* All calls: lock, note, refuse without a context where one is needed. */
#define BEGIN(name, needs_context)                                                                 \
    int code = 0;                                                                                  \
    pthread_mutex_lock(&lock);                                                                     \
    if (fails(name)) {                                                                             \
        code = UNKNOWN;                                                                            \
    } else if (!initialized && strcmp(name, "cuInit") != 0) {                                      \
        code = NOT_INITIALIZED;                                                                    \
    } else if (needs_context && depth < 1) {                                                       \
        code = INVALID_CONTEXT;                                                                    \
    } else {
#define END                                                                                        \
    }                                                                                              \
    pthread_mutex_unlock(&lock);                                                                   \
    return code;

static int is(const object *wanted, int kind)
{
    const object *one = objects;
    while (one != NULL && one != wanted) {
        one = one->next;
    }
    return one != NULL && one->kind == kind;
}

static object *add(int kind)
{
    object *const made = calloc(1, sizeof *made);
    made->kind = kind;
    made->next = objects;
    made->end = &made->first;
    objects = made;
    return made;
}

static void clear(object *one)
{
    while (one->first != NULL) {
        step *const next = one->first->next;
        free(one->first);
        one->first = next;
    }
    one->end = &one->first;
}

static int drop(object *unwanted, int kind)
{
    object **place = &objects;
    if (!is(unwanted, kind)) {
        return INVALID_HANDLE;
    }
    while (*place != unwanted) {
        place = &(*place)->next;
    }
    *place = unwanted->next;
    clear(unwanted);
    free(unwanted->text);
    free(unwanted);
    return 0;
}

static int is_inside(address at, size_t bytes)
{
    const memory *part = memories;
    while (part != NULL && !(at >= (uintptr_t)part->at &&
                             at + bytes <= (uintptr_t)part->at + part->bytes)) {
        part = part->next;
    }
    return part != NULL;
}

static step *queue(object *one, const step *what)
{
    step *const made = malloc(sizeof *made);
    *made = *what;
    made->next = NULL;
    *one->end = made;
    one->end = &made->next;
    return made;
}

/* Do all that a stream has queued. */
static int catch_up(object *stream)
{
    int code = 0;
    const step *one;
    for (one = stream->first; one != NULL && code == 0; one = one->next) {
        if (one->function == NULL) {
            memcpy(one->to, one->from, one->bytes);
        } else if (run_kernel != NULL) {
            code = run_kernel(
                one->function->module->text, one->function->text, one->grid, one->block,
                one->arguments);
        }
    }
    clear(stream);
    return code;
}

API int cuInit(unsigned flags)
{
    BEGIN("cuInit", 0)
    initialized = 1;
    code = flags != 0 ? INVALID_VALUE : 0;
    END
}

API int cuDeviceGetCount(int *count)
{
    const char *const wanted = getenv("FAKE_CUDA_DEVICES");
    BEGIN("cuDeviceGetCount", 0)
    *count = wanted == NULL ? 2 : atoi(wanted);
    END
}

API int cuDeviceGet(int *device, int number)
{
    BEGIN("cuDeviceGet", 0)
    *device = 10 + number;
    END
}

API int cuDeviceGetName(char *name, int bytes, int device)
{
    BEGIN("cuDeviceGetName", 0)
    (void)snprintf(name, (size_t)bytes, "Fake GPU %c", 'A' + device - 10);
    END
}

API int cuDevicePrimaryCtxRetain(object **made, int device)
{
    BEGIN("cuDevicePrimaryCtxRetain", 0)
    (void)device;
    *made = &context;
    ++retained;
    END
}

API int cuDevicePrimaryCtxRelease_v2(int device)
{
    BEGIN("cuDevicePrimaryCtxRelease_v2", 0)
    (void)device;
    code = retained-- < 1 ? INVALID_CONTEXT : 0;
    END
}

API int cuCtxPushCurrent_v2(object *pushed)
{
    BEGIN("cuCtxPushCurrent_v2", 0)
    code = pushed != &context || retained < 1 || depth++ > STACK ? INVALID_CONTEXT : 0;
    END
}

API int cuCtxPopCurrent_v2(object **popped)
{
    BEGIN("cuCtxPopCurrent_v2", 1)
    if (popped != NULL) {
        *popped = &context;
    }
    --depth;
    END
}

API int cuStreamCreate(object **made, unsigned flags)
{
    BEGIN("cuStreamCreate", 1)
    (void)flags;
    *made = add(STREAM);
    END
}

API int cuStreamSynchronize(object *stream)
{
    BEGIN("cuStreamSynchronize", 1)
    if (stream == LEGACY_STREAM) {
        ++legacy_waits;
    } else {
        code = !is(stream, STREAM) ? INVALID_HANDLE : stream->graph ? CAPTURE : catch_up(stream);
    }
    END
}

API int cuStreamDestroy_v2(object *stream)
{
    BEGIN("cuStreamDestroy_v2", 1)
    if (is(stream, STREAM) && stream->graph != NULL) {
        drop(stream->graph, GRAPH);
    }
    code = drop(stream, STREAM);
    END
}

API int cuMemAlloc_v2(address *at, size_t bytes)
{
    BEGIN("cuMemAlloc_v2", 1)
    memory *const made = malloc(sizeof *made);
    void *found = NULL;
    if (bytes == 0 || posix_memalign(&found, 256, bytes) != 0) {
        free(made);
        code = bytes == 0 ? INVALID_VALUE : OUT_OF_MEMORY;
    } else {
        memset(found, 0xFF, bytes); /* nan */
        made->at = found;
        made->bytes = bytes;
        made->next = memories;
        memories = made;
        *at = (address)(uintptr_t)found;
    }
    END
}

API int cuMemFree_v2(address at)
{
    BEGIN("cuMemFree_v2", 1)
    memory **place = &memories;
    while (*place != NULL && (address)(uintptr_t)(*place)->at != at) {
        place = &(*place)->next;
    }
    if (*place == NULL) {
        code = INVALID_VALUE;
    } else {
        memory *const found = *place;
        *place = found->next;
        free(found->at);
        free(found);
    }
    END
}

static int queue_copy(object *stream, void *to, const void *from, size_t bytes, address device)
{
    step copy = {.to = to, .from = from, .bytes = bytes};
    if (!is(stream, STREAM) || stream->graph != NULL) {
        return CAPTURE;
    }
    if (bytes == 0 || !is_inside(device, bytes)) {
        return INVALID_VALUE;
    }
    queue(stream, &copy);
    return 0;
}

API int cuMemcpyHtoDAsync_v2(address to, const void *from, size_t bytes, object *stream)
{
    BEGIN("cuMemcpyHtoDAsync_v2", 1)
    code = queue_copy(stream, (void *)(uintptr_t)to, from, bytes, to);
    END
}

API int cuMemcpyDtoHAsync_v2(void *to, address from, size_t bytes, object *stream)
{
    BEGIN("cuMemcpyDtoHAsync_v2", 1)
    code = queue_copy(stream, to, (const void *)(uintptr_t)from, bytes, from);
    END
}

API int cuMemcpyDtoDAsync_v2(address to, address from, size_t bytes, object *stream)
{
    BEGIN("cuMemcpyDtoDAsync_v2", 1)
    code = !is_inside(from, bytes)
               ? INVALID_VALUE
               : queue_copy(
                     stream, (void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes, to);
    END
}

API int cuPointerGetAttribute(void *value, int attribute, address at)
{
    BEGIN("cuPointerGetAttribute", 1)
    if (attribute != MEMORY_TYPE || !is_inside(at, 1)) {
        code = INVALID_VALUE;
    } else {
        memcpy(value, &(unsigned){ON_DEVICE}, sizeof(unsigned));
    }
    END
}

/* Memory of the device that a caller has of another library. */
API address fake_cuda_allocate(size_t bytes)
{
    address at = 0;
    ++depth;
    (void)cuMemAlloc_v2(&at, bytes);
    --depth;
    return at;
}

API void fake_cuda_free(address at)
{
    ++depth;
    (void)cuMemFree_v2(at);
    --depth;
}

API int fake_cuda_legacy_waits(void)
{
    return legacy_waits;
}

API int cuModuleLoadDataEx(
    object **made, const char *text, unsigned count, const int *options, void **values)
{
    if (count == 2 && options[0] == 5 && options[1] == 6) {
        (void)snprintf(values[0], (size_t)(uintptr_t)values[1], "line 7: error\nline 8: more\n");
    }
    BEGIN("cuModuleLoadDataEx", 1)
    if (strncmp(text, ".version ", 9) != 0 || strstr(text + 1, ".version ") != NULL) {
        code = INVALID_PTX;
    } else {
        *made = add(MODULE);
        (*made)->text = strdup(text);
    }
    END
}

API int cuModuleUnload(object *module)
{
    BEGIN("cuModuleUnload", 1)
    object *one = objects;
    while (one != NULL) {
        object *const next = one->next;
        if (one->kind == FUNCTION && one->module == module) {
            drop(one, FUNCTION);
        }
        one = next;
    }
    code = drop(module, MODULE);
    END
}

API int cuModuleGetFunction(object **made, object *module, const char *name)
{
    char wanted[300];
    const char *found;
    BEGIN("cuModuleGetFunction", 1)
    (void)snprintf(wanted, sizeof wanted, ".entry %s(", name);
    found = is(module, MODULE) ? strstr(module->text, wanted) : NULL;
    if (found == NULL) {
        code = NOT_FOUND;
    } else {
        const char *const end = strchr(found, ')');
        object *const function = add(FUNCTION);
        function->module = module;
        function->text = strdup(name);
        while ((found = strstr(found + 1, ".param .")) != NULL && found < end) {
            if (function->argument_count < MAX_ARGUMENTS) {
                function->argument_bytes[function->argument_count] =
                    atoi(found + strlen(".param .u")) / 8;
            }
            ++function->argument_count;
        }
        *made = function;
    }
    END
}

API int cuLaunchKernel(
    object *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
    unsigned shared, object *stream, void **arguments, void **extra)
{
    BEGIN("cuLaunchKernel", 1)
    step start = {.grid = {gx, gy, gz}, .block = {bx, by, bz}};
    int i;
    if (!is(function, FUNCTION) || !is(stream, STREAM)) {
        code = INVALID_HANDLE;
    } else if (
        gx * gy * gz == 0 || gy > 65535 || gz > 65535 || bx * by * bz == 0 ||
        bx * by * bz > 1024 || bz > 64 || shared > 49152 || extra != NULL ||
        function->argument_count > MAX_ARGUMENTS) {
        code = INVALID_VALUE;
    } else {
        start.function = function;
        for (i = 0; i < function->argument_count; ++i) {
            const size_t bytes = (size_t)function->argument_bytes[i];
            memcpy(&start.arguments[i], arguments[i], bytes);
            if (bytes == sizeof(address) &&
                (start.arguments[i] % 256 != 0 || !is_inside(start.arguments[i], 1))) {
                code = INVALID_VALUE;
            }
        }
        queue(stream->graph == NULL ? stream : stream->graph, &start);
    }
    END
}

API int cuStreamBeginCapture_v2(object *stream, int mode)
{
    BEGIN("cuStreamBeginCapture_v2", 1)
    if (!is(stream, STREAM) || stream->graph != NULL || mode != 1) {
        code = CAPTURE;
    } else {
        stream->graph = add(GRAPH);
    }
    END
}

API int cuStreamEndCapture(object *stream, object **made)
{
    BEGIN("cuStreamEndCapture", 1)
    if (!is(stream, STREAM) || stream->graph == NULL) {
        code = CAPTURE;
    } else {
        *made = stream->graph;
        stream->graph = NULL;
    }
    END
}

API int cuGraphInstantiateWithFlags(object **made, object *graph, unsigned long long flags)
{
    BEGIN("cuGraphInstantiateWithFlags", 1)
    if (!is(graph, GRAPH) || flags != 0) {
        code = INVALID_HANDLE;
    } else {
        const step *one;
        *made = add(EXECUTABLE);
        for (one = graph->first; one != NULL; one = one->next) {
            queue(*made, one);
        }
    }
    END
}

API int cuGraphDestroy(object *graph)
{
    BEGIN("cuGraphDestroy", 1)
    code = drop(graph, GRAPH);
    END
}

API int cuGraphUpload(object *executable, object *stream)
{
    BEGIN("cuGraphUpload", 1)
    code = is(executable, EXECUTABLE) && is(stream, STREAM) ? 0 : INVALID_HANDLE;
    END
}

API int cuGraphLaunch(object *executable, object *stream)
{
    BEGIN("cuGraphLaunch", 1)
    if (!is(executable, EXECUTABLE) || !is(stream, STREAM) || stream->graph != NULL) {
        code = INVALID_HANDLE;
    } else {
        const step *one;
        for (one = executable->first; one != NULL; one = one->next) {
            queue(stream, one);
        }
    }
    END
}

API int cuGraphExecDestroy(object *executable)
{
    BEGIN("cuGraphExecDestroy", 1)
    code = drop(executable, EXECUTABLE);
    END
}
