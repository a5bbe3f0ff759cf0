/* Makes a long text in two contexts, each in a thread. The second one saves its state now and then,
 * goes astray, and goes back. Ends well if both have the same words.
 *
 * usage: long_text WEIGHTS
 */
#define _POSIX_C_SOURCE 200809L

#include "decoder.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROMPT = 8, STEPS = 1000, WORDS = 23 };

typedef struct {
    const char *weights;
    int saves;
    int words[STEPS];
} text;

static void check(int right, const char *what)
{
    if (!right) {
        (void)fprintf(stderr, "failed: %s\n", what);
        exit(EXIT_FAILURE);
    }
}

/* Take some words, and return the one that follows. */
static int following(decoder_context *context, const int64_t *words, int count)
{
    int64_t mask[PROMPT + STEPS + 1];
    float scores[PROMPT * WORDS];
    const float *const last = scores + (size_t)(count - 1) * WORDS;
    int i, best = 0;
    for (i = 0; i < PROMPT + STEPS + 1; ++i) {
        mask[i] = 1;
    }
    check(decoder_set_extent(context, DECODER_EXTENT_SEQUENCE_LENGTH, count) == DECODER_OK, "extent");
    check(decoder_predict(context, words, mask, scores) == DECODER_OK, "run");
    for (i = 1; i < WORDS; ++i) {
        best = last[i] > last[best] ? i : best;
    }
    return best;
}

/* Save the state, take another word, and go back. */
static void stray(decoder_context *context)
{
    const int64_t other = 3;
    const size_t bytes = decoder_state_bytes(context);
    void *const saved = malloc(bytes);
    check(saved != NULL, "memory");
    check(decoder_save_state(context, saved, bytes) == DECODER_OK, "save");
    (void)following(context, &other, 1);
    check(decoder_load_state(context, saved, bytes) == DECODER_OK, "load");
    free(saved);
}

static void *write_text(void *argument)
{
    text *const own = (text *)argument;
    const int64_t prompt[PROMPT] = {3, 5, 2, 7, 11, 1, 13, 4};
    decoder_context *context;
    decoder_options options;
    int64_t word;
    int step;
    memset(&options, 0, sizeof options);
    options.weights_path = own->weights;
    check(decoder_init(&context, &options) == DECODER_OK, "init");
    word = following(context, prompt, PROMPT);
    for (step = 0; step < STEPS; ++step) {
        own->words[step] = (int)word;
        if (own->saves && step % 97 == 50) {
            stray(context);
        }
        /* The scores alone would soon repeat themselves. */
        word = (word + step) % WORDS;
        word = following(context, &word, 1);
    }
    decoder_free(context);
    return NULL;
}

int main(int argc, char **argv)
{
    static text texts[2];
    pthread_t threads[2];
    int i;
    check(argc == 2, "usage");
    for (i = 0; i < 2; ++i) {
        texts[i].weights = argv[1];
        texts[i].saves = i;
        check(pthread_create(&threads[i], NULL, write_text, &texts[i]) == 0, "thread");
    }
    for (i = 0; i < 2; ++i) {
        check(pthread_join(threads[i], NULL) == 0, "join");
    }
    check(memcmp(texts[0].words, texts[1].words, sizeof texts[0].words) == 0, "the texts differ");
    for (i = 0; i < STEPS; ++i) {
        (void)printf("%d\n", texts[0].words[i]);
    }
    return EXIT_SUCCESS;
}
