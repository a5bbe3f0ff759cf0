/* What one core can do at best: fused multiply-adds a second, bytes a second.
 *
 * usage: peak [BYTES]...
 * Prints "clock_ghz N" (cycles of a nanosecond), "fma_gflops N" (operands in registers, for some milliseconds), "tile_gflops N" (a tile of a
 * matrix product, operands in the first-level cache, for half a second), "copy_gbs N" (bytes read and
 * written, in memory), "read_gbs N" (memory), and "read_BYTES_gbs N" for reading a block of each given
 * size again and again, so that it lies in the cache that it fits. To be compiled with -O2 and the options for the machine's own instruction set,
 * so that the vectors below are its widest.
 */
#define _POSIX_C_SOURCE 200112L

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__AVX512F__)
enum { VECTOR_BYTES = 64 };
#elif defined(__AVX__)
enum { VECTOR_BYTES = 32 };
#elif defined(__ARM_NEON) && defined(__aarch64__)
enum { VECTOR_BYTES = 16 };
#else
enum { VECTOR_BYTES = 16 };
#endif

typedef float vector __attribute__((vector_size(VECTOR_BYTES)));

enum {
    LANES = VECTOR_BYTES / sizeof(float),
    CHAINS = 12,
    ADDITIONS = 8,
    TRIALS = 7,
    TILE_ROWS = 6,
    TILE_STEPS = 96,
    TILE_TRIALS = 101
};

static const size_t MEMORY_BYTES = (size_t)256 << 20; /* more than any cache */
static const size_t READ_BYTES = (size_t)32 << 20;    /* read in one trial, at least */

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* By arithmetic, which compiles to one broadcast; set lane by lane, it would be kept in memory. */
static vector splat(float value)
{
    const vector zero = {0.0f};
    return zero + value;
}

/* Chains of multiply-adds that do not wait for each other. Each is a variable of its own: compilers
 * keep an array of them in memory, and then the stores are what is measured. Twelve hide the
 * latency (4 or 5 cycles, two a cycle) and leave registers for the factors, also where there are
 * but sixteen. */
__attribute__((noinline)) static float multiply_add(long count, float factor, float summand)
{
    const vector m = splat(factor);
    const vector s = splat(summand);
    vector a0 = s, a1 = s + m, a2 = a1 + m, a3 = a2 + m, a4 = a3 + m, a5 = a4 + m;
    vector a6 = a5 + m, a7 = a6 + m, a8 = a7 + m, a9 = a8 + m, a10 = a9 + m, a11 = a10 + m;
    float sum = 0.0f;
    long i;
    for (i = 0; i < count; ++i) {
        a0 = a0 * m + s;
        a1 = a1 * m + s;
        a2 = a2 * m + s;
        a3 = a3 * m + s;
        a4 = a4 * m + s;
        a5 = a5 * m + s;
        a6 = a6 * m + s;
        a7 = a7 * m + s;
        a8 = a8 * m + s;
        a9 = a9 * m + s;
        a10 = a10 * m + s;
        a11 = a11 * m + s;
    }
    a0 += a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a10 + a11;
    for (i = 0; i < (long)LANES; ++i) {
        sum += a0[i];
    }
    return sum;
}

/* Without the barrier a compiler would add all at once. */
#define ADD                              \
    do {                                 \
        sum += summand;                  \
        __asm__ volatile("" : "+r"(sum)); \
    } while (0)

/* A chain of additions of registers, each of which waits a cycle for the one before. */
__attribute__((noinline)) static uint64_t add_in_turn(long count, uint64_t summand)
{
    uint64_t sum = summand;
    long i;
    for (i = 0; i < count; ++i) {
        ADD;
        ADD;
        ADD;
        ADD;
        ADD;
        ADD;
        ADD;
        ADD;
    }
    return sum;
}

static double clock_rate(void)
{
    const long count = 1000000;
    volatile uint64_t summand = 3, sink;
    double best = 1e30;
    int trial;
    for (trial = 0; trial < 3 * TRIALS; ++trial) {
        const double start = seconds();
        double taken;
        sink = add_in_turn(count, summand);
        taken = seconds() - start;
        best = taken < best ? taken : best;
    }
    (void)sink;
    return ADDITIONS * (double)count / best;
}

static double fma_flops(void)
{
    const long count = 1000000; /* some milliseconds: short enough to find undisturbed ones */
    volatile float factor = 0.5f, sink;
    double best = 1e30;
    int trial;
    for (trial = 0; trial < 30 * TRIALS; ++trial) {
        const double start = seconds();
        double taken;
        sink = multiply_add(count, factor, factor);
        taken = seconds() - start;
        best = taken < best ? taken : best;
    }
    (void)sink;
    return 2.0 * CHAINS * LANES * (double)count / best;
}

/* A row of a tile: its sums, a step of each, and their total. A step of the right-hand side is taken
 * once for all rows, an element of the left-hand one for all vectors of a row. */
#if defined(__AVX512F__) || defined(__aarch64__)
enum { TILE_VECTORS = 4 }; /* 24 sums, four factors and a broadcast of 32 registers */
#define SUMS(s) vector s##0 = zero, s##1 = zero, s##2 = zero, s##3 = zero
#define STEP(s, row)                                    \
    do {                                                \
        const float x = left[(row) * TILE_STEPS + k];   \
        s##0 += x * at[0];                              \
        s##1 += x * at[1];                              \
        s##2 += x * at[2];                              \
        s##3 += x * at[3];                              \
    } while (0)
#define TOTAL(s) (s##0 + s##1 + s##2 + s##3)
#else
enum { TILE_VECTORS = 2 }; /* 12 sums, two factors and a broadcast of 16 registers */
#define SUMS(s) vector s##0 = zero, s##1 = zero
#define STEP(s, row)                                    \
    do {                                                \
        const float x = left[(row) * TILE_STEPS + k];   \
        s##0 += x * at[0];                              \
        s##1 += x * at[1];                              \
    } while (0)
#define TOTAL(s) (s##0 + s##1)
#endif

/* The loop that register-tiled products and convolutions consist of, count times. */
__attribute__((noinline)) static float multiply_tile(
    const float *left, const float *right, long count)
{
    const vector zero = {0.0f};
    float sum = 0.0f;
    long i;
    int k;
    SUMS(a);
    SUMS(b);
    SUMS(c);
    SUMS(d);
    SUMS(e);
    SUMS(f);
    for (i = 0; i < count; ++i) {
        const vector *at = (const vector *)(const void *)right;
        for (k = 0; k < TILE_STEPS; ++k, at += TILE_VECTORS) {
            STEP(a, 0);
            STEP(b, 1);
            STEP(c, 2);
            STEP(d, 3);
            STEP(e, 4);
            STEP(f, 5);
        }
    }
    a0 = TOTAL(a) + TOTAL(b) + TOTAL(c) + TOTAL(d) + TOTAL(e) + TOTAL(f);
    for (i = 0; i < (long)LANES; ++i) {
        sum += a0[i];
    }
    return sum;
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The median of half a second: many processors lower their clock by what a loop draws, some
 * milliseconds after it has begun. */
static double tile_flops(const float *data)
{
    const long count = 4000;
    const float *const right = data + LANES * TILE_STEPS;
    volatile float sink;
    double taken[TILE_TRIALS];
    int trial;
    for (trial = 0; trial < TILE_TRIALS; ++trial) {
        const double start = seconds();
        sink = multiply_tile(data, right, count);
        taken[trial] = seconds() - start;
    }
    (void)sink;
    qsort(taken, TILE_TRIALS, sizeof(taken[0]), compare);
    return 2.0 * TILE_ROWS * TILE_VECTORS * LANES * TILE_STEPS * (double)count
        / taken[TILE_TRIALS / 2];
}

/* Sum a block with eight chains; bytes is a multiple of eight vectors. */
__attribute__((noinline)) static float read_all(const float *data, size_t bytes)
{
    const vector *at = (const vector *)(const void *)data;
    const vector *const end = at + bytes / sizeof(vector);
    vector a = splat(0.0f), b = a, c = a, d = a, e = a, f = a, g = a, h = a;
    float sum = 0.0f;
    int i;
    for (; at < end; at += 8) {
        a += at[0];
        b += at[1];
        c += at[2];
        d += at[3];
        e += at[4];
        f += at[5];
        g += at[6];
        h += at[7];
    }
    a += b + c + d + e + f + g + h;
    for (i = 0; i < (int)LANES; ++i) {
        sum += a[i];
    }
    return sum;
}

static void *aligned(void *block)
{
    uint8_t *const start = (uint8_t *)block;
    return start + VECTOR_BYTES - (uintptr_t)start % VECTOR_BYTES;
}

/* Bytes a second of reading a block again and again, until much has been read. */
static double read_rate(const float *data, size_t bytes)
{
    const long times = (long)(READ_BYTES / bytes) + 1;
    volatile float sink;
    double best = 1e30;
    int trial;
    for (trial = 0; trial < TRIALS; ++trial) {
        const double start = seconds();
        double taken;
        long i;
        for (i = 0; i < times; ++i) {
            sink = read_all(data, bytes);
        }
        taken = (seconds() - start) / (double)times;
        best = taken < best ? taken : best;
    }
    (void)sink;
    return (double)bytes / best;
}

/* Bytes a second of copying in memory: those read and those written. */
static double copy_rate(void *target, const void *source, size_t bytes)
{
    volatile uint8_t sink;
    double best = 1e30;
    int trial;
    for (trial = 0; trial < TRIALS; ++trial) {
        const double start = seconds();
        double taken;
        memcpy(target, source, bytes);
        taken = seconds() - start;
        sink = *(const uint8_t *)target;
        best = taken < best ? taken : best;
    }
    (void)sink;
    return 2.0 * (double)bytes / best;
}

int main(int argc, char **argv)
{
    void *const first = malloc(MEMORY_BYTES + VECTOR_BYTES);
    void *const second = malloc(MEMORY_BYTES + VECTOR_BYTES);
    const float *data;
    int i;
    if (first == NULL || second == NULL) {
        (void)fprintf(stderr, "no memory\n");
        return EXIT_FAILURE;
    }
    /* Not with zeros: malloc and such a memset may become a calloc, whose pages are one and the
     * same until written to. */
    memset(first, 1, MEMORY_BYTES + VECTOR_BYTES);
    memset(second, 1, MEMORY_BYTES + VECTOR_BYTES);
    data = (const float *)aligned(first);
    (void)printf("clock_ghz %.3f\n", clock_rate() * 1e-9);
    (void)printf("fma_gflops %.1f\n", fma_flops() * 1e-9);
    (void)printf("tile_gflops %.1f\n", tile_flops(data) * 1e-9);
    (void)printf("copy_gbs %.2f\n", copy_rate(aligned(second), data, MEMORY_BYTES) * 1e-9);
    (void)printf("read_gbs %.2f\n", read_rate(data, MEMORY_BYTES) * 1e-9);
    for (i = 1; i < argc; ++i) {
        const size_t step = 8 * sizeof(vector);
        const size_t bytes = (size_t)strtoul(argv[i], NULL, 10) / step * step;
        if (bytes == 0 || bytes > MEMORY_BYTES) {
            (void)fprintf(stderr, "a block has from %d to %lu bytes\n", (int)step,
                          (unsigned long)MEMORY_BYTES);
            return EXIT_FAILURE;
        }
        (void)printf("read_%s_gbs %.2f\n", argv[i], read_rate(data, bytes) * 1e-9);
    }
    free(first);
    free(second);
    return EXIT_SUCCESS;
}
