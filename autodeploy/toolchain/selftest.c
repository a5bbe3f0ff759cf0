/* The self-test of the network "@title@": make selftest.
 *
 * It computes the outputs of stored inputs, and compares elements of each output and the mean of
 * all with what @reference@ has computed. Each may be off by a limit.
 */
#include "model.h"

#include <math.h>
#include <string.h>
@if board@
#include "semihosting.h"

static unsigned char arena[MODEL_ARENA_BYTES + 1] __attribute__((aligned(64)));
static unsigned char context_memory[MODEL_CONTEXT_BYTES] __attribute__((aligned(8)));

static void say(const char *text)
{
    (void)asked(0x04, text);
}
@end@
@if system@
#include <stdio.h>

static void say(const char *text)
{
    (void)fputs(text, stdout);
}
@end@

typedef struct output {
    const char *name;
    const unsigned char *at;
    double (*element)(const unsigned char *tensor, size_t index);
    size_t elements;
    size_t known; /* elements whose values are known */
    const size_t *places;
    const double *values;
    double mean;
    double limit;
} output;

@tensors@
/* Tell whether the mean and the known elements of an output are what they must be. */
static int is_right(const output *one)
{
    double sum = 0.0;
    size_t i;
    for (i = 0; i < one->elements; ++i) {
        sum += one->element(one->at, i);
    }
    if (one->elements != 0 && !(fabs(sum / (double)one->elements - one->mean) <= one->limit)) {
        return 0;
    }
    for (i = 0; i < one->known; ++i) {
        if (!(fabs(one->element(one->at, one->places[i]) - one->values[i]) <= one->limit)) {
            return 0;
        }
    }
    return 1;
}

@if board@
int main(void)
@end@
@if system@
int main(int count, char **words)
@end@
{
    const void *inputs[] = {@inputs@};
    void *results[] = {@results@};
    model_options options;
    model_context *context;
    size_t i;
    int wrong = 0;
    memset(&options, 0, sizeof options);
@if board@
    options.arena = arena;
    options.arena_bytes = MODEL_ARENA_BYTES;
    options.context = context_memory;
    options.context_bytes = sizeof context_memory;
@end@
@if system@
    options.weights_path = count > 1 ? words[1] : NULL;
@end@
    if (model_init(&context, &options) != MODEL_OK) {
        say("selftest: the network does not start\n");
        return 2;
    }
    if (model_run(context, inputs, results) != MODEL_OK) {
        say("selftest: the run fails\n");
        return 2;
    }
    for (i = 0; i < sizeof outputs / sizeof outputs[0]; ++i) {
        if (!is_right(&outputs[i])) {
            say("selftest: output '");
            say(outputs[i].name);
            say("' differs\n");
            wrong = 1;
        }
    }
    if (!wrong) {
        say("selftest: passed\n");
    }
@if system@
    model_free(context);
@end@
    return wrong;
}
