/* Times one kernel, with the caches as a network leaves them.
 *
 * usage: measure BUFFERS DATA RESULT SCRATCH WORKER_SCRATCH THREADS BETWEEN SECONDS LIMIT ENOUGH
 *
 * BUFFERS is a text, a line a buffer: its role (0 computed by the network, 1 weights, 2 result),
 * its bytes, the number of the buffer whose memory it is (its own), its rank, and for each dimension
 * extent and stride. DATA holds the bytes of all buffers of role 0 and 1 that are their own. What
 * the first call computes is written to RESULT. SCRATCH and WORKER_SCRATCH are the bytes that the
 * kernel works in, BETWEEN those that the network touches from one call to the next.
 *
 * Memory lies as in a program: weights with those of the other kernels in a block, and all else in
 * another one, each on large pages where a program has them.
 *
 * Prints the median seconds of a call, a line a batch of calls, until two batches differ by less
 * than a hundredth or SECONDS have passed. Where the first calls all take more than LIMIT seconds, it
 * ends after them: one alone may wait for pages of code that nobody has touched yet. Where the median
 * of a batch is more than ENOUGH seconds, it ends after that.
 */
#define _POSIX_C_SOURCE 200112L

#include "autodeploy_memory.h"
#include "autodeploy_pool.h"
#include "halide_buffer.h"
#include "halide_runtime.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    MAX_BUFFERS = 64,
    MAX_RANK = 16,
    ALIGNMENT = 256, /* of large weights in a program */
    CALLS = 15,    /* in a batch */
    FIRST = 3,     /* before it is left */
    FEWEST = 3,    /* batches */
    MOST = 40
};

enum { COMPUTED, WEIGHTS, RESULT }; /* roles */

/* Calls the kernel, whose number of buffers is known where this is compiled. */
int autodeploy_measure_call(const void *context, halide_buffer_t **buffers);

struct buffer {
    halide_buffer_t halide;
    halide_dimension_t dim[MAX_RANK];
    int role, own;
    size_t bytes;
};

static struct buffer all[MAX_BUFFERS];
static halide_buffer_t *pointers[MAX_BUFFERS];
static int count;
static volatile uint64_t touched;
static uint8_t *scratch_memory;
static size_t scratch_bytes;

static void fail(const char *what)
{
    (void)fprintf(stderr, "%s\n", what);
    exit(2);
}

/* The clock of a kernel: processor time where it has one thread, whatever else the machine does. */
static clockid_t measuring = CLOCK_MONOTONIC;

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(measuring, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Return memory as a program takes it for its weights or for its arena: on large pages where it is
 * large. */
static uint8_t *memory(size_t bytes)
{
    void *block;
    uint8_t *start = (uint8_t *)autodeploy_memory_take(bytes + ALIGNMENT, &block);
    if (start == NULL) {
        fail("no memory for the buffers");
    }
    memset(start, 0, bytes + ALIGNMENT); /* so that each page is there */
    return start + (ALIGNMENT - (uintptr_t)start % ALIGNMENT) % ALIGNMENT;
}

/* Take the next bytes of memory. */
static uint8_t *part(uint8_t **memory_left, size_t bytes)
{
    uint8_t *const start = *memory_left;
    *memory_left += aligned(bytes);
    return start;
}

static void read_buffers(const char *path)
{
    FILE *const file = fopen(path, "r");
    unsigned long long bytes;
    int role, own, rank;
    if (file == NULL) {
        fail("cannot read the buffers");
    }
    while (fscanf(file, "%d %llu %d %d", &role, &bytes, &own, &rank) == 4) {
        struct buffer *const buffer = &all[count];
        int d;
        if (count == MAX_BUFFERS || rank > MAX_RANK || own > count) {
            fail("too many buffers or dimensions");
        }
        buffer->role = role;
        buffer->own = own;
        buffer->bytes = (size_t)bytes;
        buffer->halide.dimensions = rank;
        buffer->halide.dim = buffer->dim;
        for (d = 0; d < rank; ++d) {
            if (fscanf(file, "%d %d", &buffer->dim[d].extent, &buffer->dim[d].stride) != 2) {
                fail("a buffer lacks dimensions");
            }
        }
        pointers[count++] = &buffer->halide;
    }
    (void)fclose(file);
}

/* Return the bytes of all weights, or those of all other buffers. */
static size_t bytes_of(int weights)
{
    size_t bytes = 0;
    int i;
    for (i = 0; i < count; ++i) {
        if (all[i].own == i && (all[i].role == WEIGHTS) == weights) {
            bytes += aligned(all[i].bytes);
        }
    }
    return bytes;
}

/* Give each buffer its place, and read what is in it. */
static void place_buffers(const char *data_path, uint8_t **weights, uint8_t **arena)
{
    FILE *const data = fopen(data_path, "rb");
    int i;
    for (i = 0; i < count; ++i) {
        halide_buffer_t *const buffer = &all[i].halide;
        if (all[i].own < i) {
            buffer->host = all[all[i].own].halide.host;
            all[i].role = WEIGHTS;
            continue;
        }
        buffer->host = part(all[i].role == WEIGHTS ? weights : arena, all[i].bytes);
        if (all[i].role != RESULT &&
            (data == NULL || fread(buffer->host, 1, all[i].bytes, data) != all[i].bytes)) {
            fail("the data of the buffers is too short");
        }
    }
    if (data != NULL) {
        (void)fclose(data);
    }
}

static void write_results(const char *path)
{
    FILE *const file = fopen(path, "wb");
    int i;
    for (i = 0; file != NULL && i < count; ++i) {
        if (all[i].role == RESULT &&
            fwrite(all[i].halide.host, 1, all[i].bytes, file) != all[i].bytes) {
            fail("cannot write the results");
        }
    }
    if (file == NULL || fclose(file) != 0) {
        fail("cannot write the results");
    }
}

static void touch(const uint8_t *block, size_t bytes)
{
    uint64_t sum = 0;
    size_t i;
    for (i = 0; i < bytes; i += 64) {
        sum += block[i];
    }
    touched += sum;
}

static void overwrite(uint8_t *block, size_t bytes)
{
    size_t i;
    for (i = 0; i < bytes; i += 64) {
        ((volatile uint8_t *)block)[i] = 0;
    }
}

static double time_call(autodeploy_runtime *runtime, const uint8_t *others, size_t between)
{
    double start;
    int i;
    touch(others, between);
    for (i = 0; i < count; ++i) {
        if (all[i].role == RESULT) { /* where something lay that is not needed any more */
            overwrite(all[i].halide.host, all[i].bytes);
        }
    }
    overwrite(scratch_memory, scratch_bytes); /* the kernels before have worked in it */
    for (i = 0; i < count; ++i) {
        if (all[i].role == COMPUTED) { /* and has just written this */
            touch(all[i].halide.host, all[i].bytes);
        }
    }
    start = now();
    if (autodeploy_measure_call(runtime, pointers) != 0 || runtime->failed) {
        fail(runtime->failed ? runtime->message : "the kernel failed");
    }
    return now() - start;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    static double batches[MOST];
    autodeploy_runtime runtime;
    size_t scratch, worker_scratch, between, pool_bytes;
    double seconds, limit, enough, start, first;
    uint8_t *weights, *arena;
    const uint8_t *others;
    autodeploy_pool *pool = NULL;
    int threads, batch, call;
    if (argc != 11) {
        return EXIT_FAILURE;
    }
    scratch = (size_t)strtoull(argv[4], NULL, 10);
    worker_scratch = (size_t)strtoull(argv[5], NULL, 10);
    threads = atoi(argv[6]);
#ifdef CLOCK_PROCESS_CPUTIME_ID
    if (threads == 1) {
        measuring = CLOCK_PROCESS_CPUTIME_ID;
    }
#endif
    between = (size_t)strtoull(argv[7], NULL, 10);
    seconds = atof(argv[8]);
    limit = atof(argv[9]);
    enough = atof(argv[10]);
    read_buffers(argv[1]);
    pool_bytes = threads > 1 ? autodeploy_pool_bytes(threads, worker_scratch) : 0;
    weights = memory(bytes_of(1) + aligned(between));
    arena = memory(bytes_of(0) + aligned(scratch) + aligned(pool_bytes));
    place_buffers(argv[2], &weights, &arena);
    others = part(&weights, between);
    scratch_memory = part(&arena, scratch);
    scratch_bytes = scratch;
    autodeploy_runtime_init(&runtime, scratch_memory, scratch);
    if (pool_bytes > 0) {
        pool = autodeploy_pool_start(part(&arena, pool_bytes), threads, worker_scratch, &runtime);
        if (pool == NULL) {
            fail("the threads cannot be started");
        }
    }
    start = now();
    first = time_call(&runtime, others, between);
    write_results(argv[3]);
    for (call = 1; call < FIRST && first > limit; ++call) {
        const double again = time_call(&runtime, others, between);
        first = again < first ? again : first;
    }
    if (first > limit) {
        (void)printf("%.9e\n", first);
        autodeploy_pool_stop(pool);
        return EXIT_SUCCESS;
    }
    for (batch = 0; batch < MOST; ++batch) {
        double calls[CALLS], median;
        int i;
        for (i = 0; i < CALLS && (i == 0 || now() - start < seconds); ++i) {
            calls[i] = time_call(&runtime, others, between);
        }
        qsort(calls, (size_t)i, sizeof *calls, compare);
        median = calls[i / 2];
        (void)printf("%.9e\n", median);
        batches[batch] = median;
        qsort(batches, (size_t)batch + 1, sizeof *batches, compare);
        if (now() - start >= seconds || median > enough ||
            (batch + 1 >= FEWEST && batches[1] < batches[0] * 1.01)) {
            break;
        }
    }
    autodeploy_pool_stop(pool);
    return EXIT_SUCCESS;
}
