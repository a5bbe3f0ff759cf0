/* Generate text by a language model that autodeploy has compiled with --name decoder and --state.
 *
 * The program needs decoder.h of the bundle. Tokens and the mask over all rows of the cache are inputs, and
 * places of tokens where the model takes them; the cache stays in the context.
 */
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#endif

#include "decoder.h"
#include "tokenizer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_CANDIDATES = 256 };

/* ---- The choice of a token ----------------------------------------------------------------- */

typedef struct {
    double temperature; /* 0: always the token with the highest score */
    double top_p;
    long top_k;
    uint64_t seed;
} sampling;

typedef struct {
    float score;
    int64_t id;
} candidate;

/* A number from 0 to 1, by xorshift. */
static double draw(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

/* Choose among the top_k highest scores, of these among the first ones that have top_p of the sum. */
static int64_t choose(const float *scores, int64_t count, sampling *how)
{
    candidate best[MOST_CANDIDATES];
    double weights[MOST_CANDIDATES], sum = 0.0, kept = 0.0, at;
    const long most = how->temperature > 0.0 ? how->top_k : 1;
    long found = 0, i;
    int64_t id;
    for (id = 0; id < count; ++id) {
        if (found == most && !(scores[id] > best[found - 1].score)) {
            continue;
        }
        found += found < most;
        for (i = found - 1; i > 0 && best[i - 1].score < scores[id]; --i) {
            best[i] = best[i - 1];
        }
        best[i].score = scores[id];
        best[i].id = id;
    }
    if (most == 1) {
        return best[0].id;
    }
    for (i = 0; i < found; ++i) {
        weights[i] = exp((double)(best[i].score - best[0].score) / how->temperature);
        sum += weights[i];
    }
    for (i = 0; i < found && kept < how->top_p * sum; ++i) {
        kept += weights[i];
    }
    found = i;
    at = draw(&how->seed) * kept;
    for (i = 0; i + 1 < found && at >= weights[i]; ++i) {
        at -= weights[i];
    }
    return best[i].id;
}

/* ---- The network --------------------------------------------------------------------------- */

typedef struct {
    decoder_context *context;
    const void *inputs[DECODER_INPUT_COUNT];
    void *outputs[DECODER_OUTPUT_COUNT];
    float *scores;
    int64_t words;
} network;

static int fail(const char *message)
{
    (void)fprintf(stderr, "llm: error: %s\n", message);
    return EXIT_FAILURE;
}

/* A float of 16 bits as one of 32. */
static float widened(uint16_t half)
{
    const float sign = half & 0x8000 ? -1.0f : 1.0f;
    const int exponent = half >> 10 & 31;
    const float part = (float)(half & 1023);
    return sign * (exponent == 0 ? ldexpf(part, -24) : ldexpf(part + 1024.0f, exponent - 25));
}

static int start(network *self, const char *weights, int threads)
{
    static char message[512];
    decoder_options options = {0};
    int i;
    options.weights_path = weights;
    options.threads = threads;
    options.message = message;
    options.message_bytes = sizeof message;
    memset(self, 0, sizeof *self);
    if (decoder_init(&self->context, &options) != DECODER_OK) {
        return fail(message);
    }
    for (i = 0; i < DECODER_INPUT_COUNT + DECODER_OUTPUT_COUNT; ++i) {
        const int is_input = i < DECODER_INPUT_COUNT;
        const decoder_tensor_info *const info =
            is_input ? decoder_input_info(i) : decoder_output_info(i - DECODER_INPUT_COUNT);
        void *const memory = calloc(info->bytes, 1);
        if (memory == NULL) {
            return fail("no memory for inputs and outputs");
        }
        if (!is_input) {
            self->outputs[i - DECODER_INPUT_COUNT] = memory;
            continue;
        }
        self->inputs[i] = memory;
        if (info->dtype != DECODER_INT64) {
            return fail("an input has no 64-bit integers");
        }
    }
    self->words = decoder_output_info(0)->shape[decoder_output_info(0)->rank - 1];
    self->scores = (float *)malloc((size_t)self->words * sizeof(float));
    return self->scores != NULL ? EXIT_SUCCESS : fail("no memory for scores");
}

static void end(network *self)
{
    int i;
    for (i = 0; i < DECODER_INPUT_COUNT; ++i) {
        free((void *)(uintptr_t)self->inputs[i]);
    }
    for (i = 0; i < DECODER_OUTPUT_COUNT; ++i) {
        free(self->outputs[i]);
    }
    free(self->scores);
    decoder_free(self->context);
}

/* Read new tokens, and have the scores of the token that follows. */
static int step(network *self, const int64_t *ids, int64_t count)
{
    const int64_t past = decoder_get_extent(self->context, DECODER_EXTENT_PAST_SEQUENCE_LENGTH);
    const decoder_tensor_info *const made = decoder_output_info(0);
    int64_t first, i, word;
    int k;
    if (decoder_set_extent(self->context, DECODER_EXTENT_SEQUENCE_LENGTH, count) != DECODER_OK) {
        return fail(decoder_error_message(self->context));
    }
    for (k = 0; k < DECODER_INPUT_COUNT; ++k) {
        const char *const name = decoder_input_info(k)->name;
        const int64_t *const shape = decoder_input_shape(self->context, k);
        int64_t *const input = (int64_t *)(uintptr_t)self->inputs[k];
        for (i = 0; strcmp(name, "input_ids") == 0 && i < count; ++i) {
            input[i] = ids[i];
        }
        for (i = 0; strcmp(name, "position_ids") == 0 && i < count; ++i) {
            input[i] = past + i;
        }
        for (i = 0; strcmp(name, "attention_mask") == 0 && i < shape[1]; ++i) {
            input[i] = 1;
        }
    }
    if (decoder_run(self->context, self->inputs, self->outputs) != DECODER_OK) {
        return fail(decoder_error_message(self->context));
    }
    /* Of all tokens, or of the last one alone. */
    first = (decoder_output_shape(self->context, 0)[1] - 1) * self->words;
    for (word = 0; word < self->words; ++word) {
        self->scores[word] = made->dtype == DECODER_FLOAT16
                                 ? widened(((const uint16_t *)self->outputs[0])[first + word])
                                 : ((const float *)self->outputs[0])[first + word];
    }
    return EXIT_SUCCESS;
}

/* ---- The program --------------------------------------------------------------------------- */

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Print the tokens that follow a prompt, up to a special one. */
static int generate(
    network *self, const tokenizer *words, const char *prompt, long most, sampling *how)
{
    int64_t *const ids = (int64_t *)malloc((strlen(prompt) + 1) * sizeof *ids);
    const size_t count = ids != NULL ? tokenizer_encode(words, prompt, ids) : 0;
    double begin = seconds(), between;
    int result = count > 0 ? EXIT_SUCCESS : fail("the prompt has no tokens");
    size_t at = 0;
    long made = 0;
    while (result == EXIT_SUCCESS && at < count) {
        const size_t left = count - at, room = DECODER_EXTENT_SEQUENCE_LENGTH_MOST;
        const size_t part = left < room ? left : room;
        result = step(self, ids + at, (int64_t)part);
        at += part;
    }
    free(ids);
    between = seconds();
    while (result == EXIT_SUCCESS && made < most) {
        const int64_t id = choose(self->scores, self->words, how);
        size_t bytes;
        const char *const text = tokenizer_text(words, id, &bytes);
        if (tokenizer_is_special(words, id)) {
            break;
        }
        (void)fwrite(text, 1, bytes, stdout);
        (void)fflush(stdout);
        result = ++made < most ? step(self, &id, 1) : result;
    }
    (void)printf("\n");
    (void)fprintf(stderr, "prompt: %lu tokens, %.1f a second; text: %ld tokens, %.1f a second\n",
                  (unsigned long)count, (double)count / (between - begin + 1e-9), made,
                  (double)made / (seconds() - between + 1e-9));
    return result;
}

int main(int argc, char **argv)
{
    char message[512];
    sampling how = {0.0, 1.0, 40, 1};
    long most = 100, threads = 1;
    tokenizer *words;
    network self;
    int result, i;
    for (i = 4; i + 1 < argc; i += 2) {
        const char *const value = argv[i + 1];
        if (strcmp(argv[i], "--tokens") == 0) {
            most = atol(value);
        } else if (strcmp(argv[i], "--temperature") == 0) {
            how.temperature = atof(value);
        } else if (strcmp(argv[i], "--top-k") == 0) {
            how.top_k = atol(value);
        } else if (strcmp(argv[i], "--top-p") == 0) {
            how.top_p = atof(value);
        } else if (strcmp(argv[i], "--seed") == 0) {
            how.seed = strtoull(value, NULL, 10);
        } else if (strcmp(argv[i], "--threads") == 0) {
            threads = atol(value);
        } else {
            break;
        }
    }
    if (argc < 4 || i != argc || how.top_k < 1 || how.top_k > MOST_CANDIDATES || how.seed == 0) {
        return fail("expected WEIGHTS TOKENIZER PROMPT [--tokens N] [--threads N] [--temperature T] "
                    "[--top-k 1..256] [--top-p P] [--seed 1..]");
    }
    words = tokenizer_load(argv[2], message, sizeof message);
    if (words == NULL) {
        return fail(message);
    }
    result = start(&self, argv[1], (int)threads);
    if (result == EXIT_SUCCESS) {
        result = generate(&self, words, argv[3], most, &how);
    }
    end(&self);
    tokenizer_free(words);
    return result;
}
