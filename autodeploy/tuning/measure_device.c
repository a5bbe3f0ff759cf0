/* Times one kernel of a device, all starts of it.
 *
 * usage: measure_device BUFFERS DATA RESULT … SECONDS LIMIT ENOUGH, as of measure.c, whose other
 * numbers are not needed here: a device has no caches that are known, and kernels of a network follow
 * each other there without a pause. Calls are therefore queued together, and a batch of them is
 * timed until all of it is done.
 */
#define _POSIX_C_SOURCE 200112L

#include "autodeploy_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { RESULT = 2, CALLS = 15, FIRST = 3, FEWEST = 3, MOST = 40 }; /* as in measure.c */

/* Is where the kernel is: its starts, and blocks of memory, those of its buffers first. */
extern const autodeploy_device_program *const candidate_device;

static autodeploy_device *device;

static void fail(const char *what)
{
    (void)fprintf(stderr, "%s\n", what);
    exit(2);
}

static void check(int code)
{
    if (code != 0) {
        fail(autodeploy_device_error(device));
    }
}

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Read operands of the kernel to the device, or write its results to a file. */
static void copy(const char *buffers_path, const char *path, int results)
{
    FILE *const buffers = fopen(buffers_path, "r"), *const file = fopen(path, results ? "wb" : "rb");
    unsigned long long bytes;
    int role, block;
    if (buffers == NULL || file == NULL) {
        fail("cannot open the buffers, their data or the results");
    }
    for (block = 0; fscanf(buffers, "%d %llu%*[^\n]", &role, &bytes) == 2; ++block) {
        void *const memory = (role == RESULT) == results ? malloc((size_t)bytes + 1) : NULL;
        if ((role == RESULT) != results) {
            continue;
        }
        if (memory == NULL) {
            fail("no memory for the buffers");
        }
        if (results) {
            check(autodeploy_device_read(device, block, memory, (size_t)bytes));
            if (fwrite(memory, 1, (size_t)bytes, file) != bytes) {
                fail("cannot write the results");
            }
        } else {
            if (fread(memory, 1, (size_t)bytes, file) != bytes) {
                fail("the data of the buffers is too short");
            }
            check(autodeploy_device_write(device, block, memory, (size_t)bytes));
            check(autodeploy_device_finish(device));
        }
        free(memory);
    }
    (void)fclose(buffers);
    if (fclose(file) != 0) {
        fail("cannot write the results");
    }
}

/* Seconds of a call of the kernel. */
static double time_calls(int calls)
{
    const double start = now();
    int call;
    for (call = 0; call < calls; ++call) {
        check(autodeploy_device_run(device, 0, candidate_device->start_count));
    }
    check(autodeploy_device_finish(device));
    return (now() - start) / calls;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    static double batches[MOST];
    const autodeploy_device_request request = {NULL, NULL, NULL, NULL, NULL};
    char message[200] = "";
    double seconds, limit, enough, start, first;
    int batch, call;
    if (argc != 11) {
        return EXIT_FAILURE;
    }
    seconds = atof(argv[8]);
    limit = atof(argv[9]);
    enough = atof(argv[10]);
    if (autodeploy_device_open(
            &device, candidate_device, &request, message, sizeof message) != 0) {
        fail(message);
    }
    copy(argv[1], argv[2], 0);
    start = now();
    first = time_calls(1);
    copy(argv[1], argv[3], 1);
    for (call = 1; call < FIRST && first > limit; ++call) {
        const double again = time_calls(1);
        first = again < first ? again : first;
    }
    if (first > limit) {
        (void)printf("%.9e\n", first);
    }
    for (batch = 0; batch < MOST && first <= limit; ++batch) {
        const int calls = first * CALLS < seconds ? CALLS : 1;
        batches[batch] = time_calls(calls);
        (void)printf("%.9e\n", batches[batch]);
        if (now() - start >= seconds || batches[batch] > enough) {
            break;
        }
        qsort(batches, (size_t)batch + 1, sizeof *batches, compare);
        if (batch + 1 >= FEWEST && batches[1] < batches[0] * 1.01) {
            break;
        }
    }
    autodeploy_device_close(device);
    return EXIT_SUCCESS;
}
