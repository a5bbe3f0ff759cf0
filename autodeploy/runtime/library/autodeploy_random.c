#include "autodeploy_library.h"

#include <math.h>

enum { WORDS = 624, SHIFTED = 397 };

/* The Mersenne twister MT19937 (Matsumoto and Nishimura 1998), as it has been defined since 2002. */
typedef struct {
    uint32_t *words; /* WORDS of them */
    int next;
} generator;

static void start(generator *state, uint32_t seed)
{
    uint32_t i;
    state->words[0] = seed;
    for (i = 1; i < WORDS; ++i) {
        const uint32_t last = state->words[i - 1];
        state->words[i] = (uint32_t)(1812433253u * (last ^ (last >> 30)) + i);
    }
    state->next = WORDS;
}

static uint32_t draw(generator *state)
{
    uint32_t word;
    if (state->next == WORDS) {
        int i;
        for (i = 0; i < WORDS; ++i) {
            const uint32_t joined = (state->words[i] & 0x80000000u) |
                                    (state->words[(i + 1) % WORDS] & 0x7fffffffu);
            state->words[i] = state->words[(i + SHIFTED) % WORDS] ^ (joined >> 1) ^
                              ((joined & 1u) != 0 ? 0x9908b0dfu : 0u);
        }
        state->next = 0;
    }
    word = state->words[state->next++];
    word ^= word >> 11;
    word ^= (uint32_t)(word << 7) & 0x9d2c5680u;
    word ^= (uint32_t)(word << 15) & 0xefc60000u;
    return word ^ (word >> 18);
}

/* A number from 0 to below 1, with 53 random bits. */
static double uniform(generator *state)
{
    const uint32_t high = draw(state) >> 5, low = draw(state) >> 6;
    return ((double)high * 67108864.0 + (double)low) / 9007199254740992.0;
}

/* Two independent numbers of mean 0 and variance 1, by the polar method (Marsaglia 1964). */
static void normal(generator *state, double *first, double *second)
{
    double x, y, square, factor;
    do {
        x = 2.0 * uniform(state) - 1.0;
        y = 2.0 * uniform(state) - 1.0;
        square = x * x + y * y;
    } while (square >= 1.0 || square == 0.0);
    factor = sqrt(-2.0 * log(square) / square);
    *first = factor * y;
    *second = factor * x;
}

int autodeploy_random(autodeploy_runtime *runtime, halide_buffer_t *numbers, halide_buffer_t *words,
                      int64_t seed, int64_t is_normal)
{
    double *const to = (double *)(void *)numbers->host;
    const int64_t count = numbers->dim[0].extent;
    generator state;
    int64_t i;
    (void)runtime;
    state.words = (uint32_t *)(void *)words->host;
    start(&state, (uint32_t)((uint64_t)seed & 0xffffffffu));
    for (i = 0; i < count; ++i) {
        if (!is_normal) {
            to[i] = uniform(&state);
        } else {
            double second;
            normal(&state, &to[i], &second);
            if (++i < count) {
                to[i] = second;
            }
        }
    }
    return 0;
}
