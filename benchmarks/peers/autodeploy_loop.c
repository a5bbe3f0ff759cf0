/* Calls a network many times in a row and takes the time, so that nothing but the network is timed.
 *
 * Compiled against the header of a bundle: LOOP_HEADER is its name in quotes, LOOP_MODEL the prefix
 * of its names. Linked with the library of the bundle to a shared object.
 */
#define _POSIX_C_SOURCE 199309L

#include LOOP_HEADER

#include <string.h>
#include <time.h>

#define LOOP_JOIN(left, right) left##right
#define LOOP_NAME(model, name) LOOP_JOIN(model, name)
#define MODEL(name) LOOP_NAME(LOOP_MODEL, name)

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Return a context, or NULL with a message. */
void *loop_open(const char *weights, int threads, char *message, size_t message_bytes)
{
    MODEL(_context) *context = NULL;
    MODEL(_options) options;
    memset(&options, 0, sizeof options);
    options.weights_path = weights;
    options.threads = threads;
    options.message = message;
    options.message_bytes = message_bytes;
    (void)MODEL(_init)(&context, &options);
    return context;
}

/* Return the seconds of `count` runs, or a negative number where one fails. */
double loop_run(void *context, const void *const *inputs, void *const *outputs, long count)
{
    const double start = seconds();
    long i;
    for (i = 0; i < count; ++i) {
        if (MODEL(_run)((MODEL(_context) *)context, inputs, outputs) != 0) {
            return -1.0;
        }
    }
    return seconds() - start;
}

/* Say what went wrong in the last run. */
const char *loop_error(const void *context)
{
    return MODEL(_error_message)((const MODEL(_context) *)context);
}
