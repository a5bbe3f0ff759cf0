/* Say which words are in the sound of a microphone: a WAV file of 16-bit samples, 16 kHz, one
 * channel.
 *
 * The network is one that autodeploy has compiled with --name kws: FRAMES x COEFFICIENTS features
 * to 12 scores.
 */
#include "mfcc.h"
#include "kws.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const WORDS[] = {"down",  "go",   "left", "no",  "off",     "on",
                                    "right", "stop", "up",   "yes", "silence", "unknown"};
enum { COUNT = sizeof WORDS / sizeof WORDS[0] };

static int fail(const char *message)
{
    (void)fprintf(stderr, "keywords: error: %s\n", message);
    return EXIT_FAILURE;
}

/* ---- Sound ---------------------------------------------------------------------------------- */

/* A number of little-endian bytes. */
static unsigned long number(const unsigned char *bytes, int count)
{
    return count == 0 ? 0 : bytes[0] | number(bytes + 1, count - 1) << 8;
}

/* Read up to the first sample; a pipe will do. Returns the bytes of the samples, or 0 for another
 * file. */
static unsigned long read_header(FILE *file)
{
    unsigned char head[16];
    int known = 0;
    if (fread(head, 12, 1, file) != 1 || memcmp(head, "RIFF", 4) != 0 ||
        memcmp(head + 8, "WAVE", 4) != 0) {
        return 0;
    }
    while (fread(head, 8, 1, file) == 1) {
        const unsigned long bytes = number(head + 4, 4);
        unsigned long left = bytes + bytes % 2;
        if (memcmp(head, "data", 4) == 0) {
            return known ? bytes : 0;
        }
        if (memcmp(head, "fmt ", 4) == 0 && bytes >= 16 && fread(head, 16, 1, file) == 1) {
            known = number(head, 2) == 1 && number(head + 2, 2) == 1 &&
                    number(head + 4, 4) == RATE && number(head + 14, 2) == 16;
            left -= 16;
        }
        for (; left > 0 && getc(file) != EOF; --left) {
        }
    }
    return 0;
}

/* Read samples; returns their number, which is smaller at the end of the sound. */
static int read_samples(FILE *file, unsigned long *bytes_left, int16_t *to, int most)
{
    unsigned char pair[2];
    int count = 0;
    while (count < most && *bytes_left >= 2 && fread(pair, 2, 1, file) == 1) {
        const long value = (long)number(pair, 2);
        to[count++] = (int16_t)(value < 32768 ? value : value - 65536);
        *bytes_left -= 2;
    }
    return count;
}

/* ---- Words ---------------------------------------------------------------------------------- */

/* Print the word of each second of the sound whose score is high enough; a step is between two of
 * them. */
static int listen(kws_context *context, FILE *file, int step, double least)
{
    static mfcc tables;
    static int16_t samples[RATE];
    static float input[FRAMES * COEFFICIENTS];
    float scores[COUNT];
    unsigned long bytes_left = read_header(file);
    long at = 0;
    int found = read_samples(file, &bytes_left, samples, RATE);
    if (found == 0) {
        return fail("expected a WAV file of 16-bit samples, 16000 a second, one channel");
    }
    memset(samples + found, 0, (size_t)(RATE - found) * sizeof samples[0]);
    mfcc_prepare(&tables);
    while (found > 0) {
        int best = 0, i;
        mfcc_compute(&tables, samples, input);
        if (kws_predict(context, input, scores) != KWS_OK) {
            return fail(kws_error_message(context));
        }
        for (i = 1; i < COUNT; ++i) {
            best = scores[i] > scores[best] ? i : best;
        }
        if (scores[best] >= least) {
            (void)printf("%.2f s: %s %.4f\n", (double)at / RATE, WORDS[best], (double)scores[best]);
            (void)fflush(stdout);
        }
        at += step;
        memmove(samples, samples + step, (size_t)(RATE - step) * sizeof samples[0]);
        found = read_samples(file, &bytes_left, samples + RATE - step, step);
        memset(samples + RATE - step + found, 0, (size_t)(step - found) * sizeof samples[0]);
    }
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    const kws_tensor_info *const input = kws_input_info(0), *const output = kws_output_info(0);
    char message[512];
    kws_options options = {0};
    kws_context *context;
    double least = 0.0, step = 0.5;
    FILE *file;
    int i, result;
    for (i = 1; i + 1 < argc && argv[i][0] == '-' && argv[i][1] == '-'; i += 2) {
        if (strcmp(argv[i], "--score") == 0) {
            least = atof(argv[i + 1]);
        } else if (strcmp(argv[i], "--step") == 0) {
            step = atof(argv[i + 1]);
        } else {
            break;
        }
    }
    if (argc - i != 2 || !(step >= 0.02 && step <= 1.0)) {
        return fail("expected [--score 0] [--step 0.02 to 1] WEIGHTS SOUND");
    }
    if (KWS_INPUT_COUNT != 1 || KWS_OUTPUT_COUNT != 1 || input->dtype != KWS_FLOAT32 ||
        input->bytes != FRAMES * COEFFICIENTS * sizeof(float) || output->dtype != KWS_FLOAT32 ||
        output->bytes != COUNT * sizeof(float)) {
        return fail("the network does not compute 12 scores of 49x10 features");
    }
    options.weights_path = argv[i];
    options.message = message;
    options.message_bytes = sizeof message;
    if (kws_init(&context, &options) != KWS_OK) {
        return fail(message);
    }
    file = strcmp(argv[i + 1], "-") == 0 ? stdin : fopen(argv[i + 1], "rb");
    result = file != NULL ? listen(context, file, (int)(step * RATE), least)
                          : fail("the sound cannot be opened");
    if (file != NULL) {
        (void)fclose(file);
    }
    kws_free(context);
    return result;
}
