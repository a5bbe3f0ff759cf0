/* Times every kernel of a network: the driver of the bundle, its calls led through here.
 *
 * usage: profile WEIGHTS ROUNDS THREADS FLUSH_SUBNORMALS RUNS OTHERS [OUTPUTS], with no letter for
 * WEIGHTS where they are linked in. A round is RUNS runs; before it, OTHERS bytes of other memory
 * are read. What the last run computes is written to the file OUTPUTS.
 * Prints "calls" and, for copies and then each kernel, the calls in one run; then a line a round:
 * "round", the seconds of the run, and the seconds in copies and in each kernel.
 */
#define _POSIX_C_SOURCE 200112L

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { AUTODEPLOY_PROFILE_ENTRIES = @entries@, AUTODEPLOY_PROFILE_ALIGNMENT = 128 };

static double autodeploy_profile_seconds[AUTODEPLOY_PROFILE_ENTRIES];
static long autodeploy_profile_calls[AUTODEPLOY_PROFILE_ENTRIES];

static double autodeploy_profile_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void autodeploy_profile_note(int entry, double start)
{
    autodeploy_profile_seconds[entry] += autodeploy_profile_now() - start;
    autodeploy_profile_calls[entry] += 1;
}

static void *autodeploy_profile_copy(void *target, const void *source, size_t bytes)
{
    const double start = autodeploy_profile_now();
    (void)memcpy(target, source, bytes);
    autodeploy_profile_note(0, start);
    return target;
}

@if device@
#include "../../autodeploy_device.h"

static const char *const autodeploy_profile_kernels[] = {
@kernel_names@
};

/* The entry of a function on the device: the kernel of its name, or of the name before "_part". */
static int autodeploy_profile_entry(const char *function)
{
    int entry;
    for (entry = 0; autodeploy_profile_kernels[entry] != NULL; ++entry) {
        const size_t length = strlen(autodeploy_profile_kernels[entry]);
        if (strncmp(function, autodeploy_profile_kernels[entry], length) == 0 &&
            (function[length] == '\0' || strncmp(function + length, "_part", 5) == 0)) {
            return entry + 1;
        }
    }
    return 0;
}

/* Run one start after another; those of a call, parts of a kernel, count as one call of it. */
static int autodeploy_profile_start(
    autodeploy_device *device, const autodeploy_device_start *starts, int first, int count)
{
    int code = autodeploy_device_finish(device);
    int i;
    for (i = first; i < first + count && code == 0; ++i) {
        const char *const part = strstr(starts[i].kernel, "_part");
        const int entry = autodeploy_profile_entry(starts[i].kernel);
        const double start = autodeploy_profile_now();
        code = autodeploy_device_run(device, i, 1);
        if (code == 0) {
            code = autodeploy_device_finish(device);
        }
        autodeploy_profile_note(entry, start);
        if (part != NULL && strcmp(part, "_part0") != 0) {
            autodeploy_profile_calls[entry] -= 1;
        }
    }
    return code;
}

static int autodeploy_profile_to_device(
    autodeploy_device *device, int block, const void *from, size_t bytes)
{
    const double start = autodeploy_profile_now();
    int code = autodeploy_device_write(device, block, from, bytes);
    if (code == 0) {
        code = autodeploy_device_finish(device);
    }
    autodeploy_profile_note(0, start);
    return code;
}

static int autodeploy_profile_from_device(
    autodeploy_device *device, int block, void *to, size_t bytes)
{
    double start;
    int code = autodeploy_device_finish(device);
    start = autodeploy_profile_now();
    if (code == 0) {
        code = autodeploy_device_read(device, block, to, bytes);
    }
    autodeploy_profile_note(0, start);
    return code;
}

@end@
/* ---- The driver --------------------------------------------------------------------------- */

#define memcpy autodeploy_profile_copy
@if device@
#define autodeploy_device_run(device, first, count) \
    autodeploy_profile_start(device, device_starts, first, count)
#define autodeploy_device_write autodeploy_profile_to_device
#define autodeploy_device_read autodeploy_profile_from_device
@end@
@renamed@
#include "../../@model@.c"
@if several@
#include "../../@source@"
@end@
#undef memcpy
@if device@
#undef autodeploy_device_run
#undef autodeploy_device_write
#undef autodeploy_device_read
@end@
@restored@

/* ---- What its calls come to --------------------------------------------------------------- */

@wrappers@

static void *autodeploy_profile_memory(size_t bytes)
{
    uint8_t *const block = (uint8_t *)calloc(bytes + 2 * AUTODEPLOY_PROFILE_ALIGNMENT, 1);
    if (block == NULL) {
        (void)fprintf(stderr, "no memory for inputs and outputs\n");
        exit(EXIT_FAILURE);
    }
    return block + AUTODEPLOY_PROFILE_ALIGNMENT - (uintptr_t)block % AUTODEPLOY_PROFILE_ALIGNMENT;
}

/* Floats between -1 and 1; of any other type zeros. */
static void *autodeploy_profile_input(const model_tensor_info *info)
{
    void *const data = autodeploy_profile_memory(info->bytes);
    uint32_t state = 1;
    size_t i;
    for (i = 0; info->dtype == MODEL_FLOAT32 && i < info->bytes / sizeof(float); ++i) {
        state = state * 1664525u + 1013904223u;
        ((float *)data)[i] = (float)(state >> 8) / 8388608.0f - 1.0f;
    }
    for (i = 0; info->dtype == MODEL_FLOAT64 && i < info->bytes / sizeof(double); ++i) {
        state = state * 1664525u + 1013904223u;
        ((double *)data)[i] = (double)(state >> 8) / 8388608.0 - 1.0;
    }
@if counted@
    /* A mask over the rows of a state leaves none out. */
    for (i = 0; info->dtype == MODEL_INT64 && i < info->bytes / sizeof(int64_t); ++i) {
        ((int64_t *)data)[i] = 1;
    }
@end@
    return data;
}

static void autodeploy_profile_print_calls(void)
{
    int i;
    (void)printf("calls");
    for (i = 0; i < AUTODEPLOY_PROFILE_ENTRIES; ++i) {
        (void)printf(" %ld", autodeploy_profile_calls[i]);
    }
    (void)printf("\n");
}

static void autodeploy_profile_print_round(double seconds)
{
    int i;
    (void)printf("round %.9e", seconds);
    for (i = 0; i < AUTODEPLOY_PROFILE_ENTRIES; ++i) {
        (void)printf(" %.9e", autodeploy_profile_seconds[i]);
    }
    (void)printf("\n");
}

/* Memory that is there: pages that nobody has written are all the same one, which caches hold. */
static const uint8_t *autodeploy_profile_others(size_t bytes)
{
    void *const block = autodeploy_profile_memory(bytes);
    memset(block, 1, bytes);
    return (const uint8_t *)block;
}

static volatile uint64_t autodeploy_profile_touched;

static void autodeploy_profile_touch(const uint8_t *block, size_t bytes)
{
    uint64_t sum = 0;
    size_t i;
    for (i = 0; i < bytes; i += 64) {
        sum += block[i];
    }
    autodeploy_profile_touched += sum;
}

static int autodeploy_profile_write(const char *path, void *const *outputs)
{
    FILE *const file = fopen(path, "wb");
    int failed = file == NULL, i;
    for (i = 0; !failed && i < MODEL_OUTPUT_COUNT; ++i) {
        const size_t bytes = model_output_info(i)->bytes;
        failed = fwrite(outputs[i], 1, bytes, file) != bytes;
    }
    return (file != NULL && fclose(file) != 0) || failed;
}

@if counted@
/* The open extents of the timed runs. A state has as many rows as it may have then. */
static const int64_t autodeploy_profile_numbers[OPEN_EXTENT_COUNT] = {@numbers@};

static void autodeploy_profile_fill(model_context *context)
{
    int i;
    for (i = 0; i < STATE_NUMBER_COUNT; ++i) {
        context->rows[i] = autodeploy_profile_numbers[state_numbers[i].place];
    }
    follow_rows(context);
}

@end@
int main(int argc, char **argv)
{
    static char message[512];
    const void *inputs[MODEL_INPUT_COUNT + 1] = {NULL};
    void *outputs[MODEL_OUTPUT_COUNT];
    model_options options;
    model_context *context;
    const uint8_t *others;
    size_t other_bytes;
    long rounds, round, runs, run;
    int i;
    if (argc != 7 && argc != 8) {
        return EXIT_FAILURE;
    }
    rounds = atol(argv[2]);
    runs = atol(argv[5]);
    other_bytes = (size_t)strtoull(argv[6], NULL, 10);
    others = autodeploy_profile_others(other_bytes);
    memset(&options, 0, sizeof options);
    options.weights_path = argv[1][0] != '\0' ? argv[1] : NULL;
    options.threads = atoi(argv[3]);
    options.flush_subnormals = atoi(argv[4]);
@if machines@
    options.machine = @machine@;
@end@
    options.message = message;
    options.message_bytes = sizeof message;
    if (model_init(&context, &options) != MODEL_OK) {
        (void)fprintf(stderr, "%s\n", message);
        return EXIT_FAILURE;
    }
@if parts@
    for (i = 0; i < OPEN_EXTENT_COUNT; ++i) {
        static const int64_t numbers[OPEN_EXTENT_COUNT] = {@numbers@};
@if counted@
        if (is_of_state(i)) {
            continue;
        }
@end@
        if (model_set_extent(context, i, numbers[i]) != MODEL_OK) {
            (void)fprintf(stderr, "%s\n", model_error_message(context));
            return EXIT_FAILURE;
        }
    }
@end@
    for (i = 0; i < MODEL_INPUT_COUNT; ++i) {
        inputs[i] = autodeploy_profile_input(model_input_info(i));
    }
    for (i = 0; i < MODEL_OUTPUT_COUNT; ++i) {
        outputs[i] = autodeploy_profile_memory(model_output_info(i)->bytes);
    }
    for (round = -(rounds / 10 + 2); round < rounds; ++round) {
        double start, seconds;
        memset(autodeploy_profile_seconds, 0, sizeof autodeploy_profile_seconds);
        memset(autodeploy_profile_calls, 0, sizeof autodeploy_profile_calls);
        autodeploy_profile_touch(others, other_bytes);
        start = autodeploy_profile_now();
        for (run = 0; run < runs; ++run) {
@if counted@
            autodeploy_profile_fill(context);
@end@
            if (model_run(context, inputs, outputs) != MODEL_OK) {
                (void)fprintf(stderr, "%s\n", model_error_message(context));
                return EXIT_FAILURE;
            }
        }
        seconds = autodeploy_profile_now() - start;
        if (round == 0) {
            autodeploy_profile_print_calls();
        }
        if (round >= 0) {
            autodeploy_profile_print_round(seconds);
        }
    }
    if (argc == 8 && autodeploy_profile_write(argv[7], outputs) != 0) {
        (void)fprintf(stderr, "cannot write the outputs\n");
        return EXIT_FAILURE;
    }
    model_free(context);
    return EXIT_SUCCESS;
}
