/* A device that runs kernels: its memory, the kernels as text, and what a run starts there.
 *
 * All that a run needs is prepared when a device is opened: blocks of memory, weights, compiled
 * kernels with their arguments, except for numbers that follow from open extents. A run sets these,
 * writes, queues starts and reads; they happen in that order.
 * A device belongs to one context.
 */
#ifndef AUTODEPLOY_DEVICE_H
#define AUTODEPLOY_DEVICE_H

#include <stddef.h>
#include <stdint.h>

/* A block of memory: a part of the arena of the device, or a weight. */
typedef struct {
    int is_weight;
    size_t offset; /* bytes into the arena, a multiple of AUTODEPLOY_DEVICE_ALIGNMENT, or the weights */
    size_t bytes;
} autodeploy_device_block;

/* One start of a kernel: how many blocks of how many threads, along three axes. A negative count of
 * blocks, or a negative argument, -1 - n, is number n of those that a run sets. */
typedef struct {
    const char *kernel;
    int64_t grid[3];
    size_t threads[3];
    size_t shared; /* bytes of memory that the threads of a block share */
    int first;     /* its arguments, numbers of blocks of memory, are arguments[first] … */
    int count;
} autodeploy_device_start;

/* A number that a run sets. */
typedef union {
    unsigned char truth;
    int32_t int32; /* also counts of blocks */
    int64_t int64;
    float float32;
} autodeploy_device_number;

typedef struct {
    const char *const *source; /* the lines of the kernels, NULL behind the last one */
    size_t arena_bytes;
    const autodeploy_device_block *blocks;
    int block_count;
    const autodeploy_device_start *starts;
    int start_count;
    const int *arguments;
    const int *runs; /* the first start of each run: all of them until the next one are queued at once */
    int run_count;
    const unsigned char *numbers; /* the bytes of the parameters that take each number of a run */
    int number_count;
} autodeploy_device_program;

enum { AUTODEPLOY_DEVICE_ALIGNMENT = 512 };

typedef struct autodeploy_device autodeploy_device;

/* What a program asks for when it opens a device. */
typedef struct {
    const char *name; /* a part of the name of the device; NULL: the first device */
    /* Where the weight at an offset of the weights is, for this context of the model. */
    const uint8_t *(*weight)(const void *context, const uint8_t *weights, size_t offset);
    const void *context;
    const uint8_t *weights;
    const char *cache; /* the file that keeps compiled kernels; NULL: none */
} autodeploy_device_request;

/* Open a device and prepare a program.
 *
 * Returns 0, or else says in message, of message_bytes bytes, what is missing; then *device is NULL.
 */
int autodeploy_device_open(
    autodeploy_device **device, const autodeploy_device_program *program,
    const autodeploy_device_request *request, char *message, size_t message_bytes);

/* The name of the device, and what went wrong last. */
const char *autodeploy_device_name(const autodeploy_device *device);
const char *autodeploy_device_error(const autodeploy_device *device);

/* The numbers that a run sets before its first start. */
autodeploy_device_number *autodeploy_device_numbers(autodeploy_device *device);

/* Whether a pointer is one to memory of the device, 1 or 0; those of OpenCL have none. Or -1, an
 * error. */
int autodeploy_device_holds(autodeploy_device *device, const void *pointer);

/* Copy memory of the caller to a block's first bytes, after all that was queued. 0, or an error.
 * Here and below the caller's memory may be that of the device. */
int autodeploy_device_write(autodeploy_device *device, int block, const void *from, size_t bytes);

/* Queue count starts, from number first on: those of a run, or some of them. 0, or an error. */
int autodeploy_device_run(autodeploy_device *device, int first, int count);

/* Wait until all that was queued is done. 0, or an error. */
int autodeploy_device_finish(autodeploy_device *device);

/* Wait until all that was queued is done, and copy a block's first bytes to memory of the caller. */
int autodeploy_device_read(autodeploy_device *device, int block, void *to, size_t bytes);

/* Give back what the device holds. NULL is allowed. */
void autodeploy_device_close(autodeploy_device *device);

#endif
