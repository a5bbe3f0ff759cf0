#include "autodeploy_library.h"

#include <string.h>

/* Sequences of integers, in rising order: of their sizes, then of their elements. */
typedef struct {
    const int64_t *elements;
    const int64_t *sizes;
    int64_t count;
    int64_t width;
} pool;

/* Tell as 1, -1 or 0 whether what is read stands behind, before or at a sequence of the pool. */
static int compared(const pool *all, int64_t number, const int64_t *read, int64_t size,
                    int64_t distance)
{
    const int64_t *const own = all->elements + number * all->width;
    int64_t i;
    if (size != all->sizes[number]) {
        return size > all->sizes[number] ? 1 : -1;
    }
    for (i = 0; i < size; ++i) {
        const int64_t element = read[i * distance];
        if (element != own[i]) {
            return element > own[i] ? 1 : -1;
        }
    }
    return 0;
}

/* The number of a sequence in the pool, or -1. */
static int64_t found(const pool *all, const int64_t *read, int64_t size, int64_t distance)
{
    int64_t low = 0, high = all->count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        const int order = compared(all, middle, read, size, distance);
        if (order == 0) {
            return middle;
        }
        if (order > 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return -1;
}

int autodeploy_grams(autodeploy_runtime *runtime, const halide_buffer_t *x,
                     const halide_buffer_t *grams, const halide_buffer_t *sizes,
                     const halide_buffer_t *places, halide_buffer_t *counts, int64_t least,
                     int64_t most, int64_t skips)
{
    const int64_t length = x->dim[0].extent, width = counts->dim[0].extent;
    const int64_t *const to = (const int64_t *)(const void *)places->host;
    int64_t row, distance, size, start;
    pool all;
    (void)runtime;
    all.elements = (const int64_t *)(const void *)grams->host;
    all.sizes = (const int64_t *)(const void *)sizes->host;
    all.count = sizes->dim[0].extent;
    all.width = grams->dim[0].extent;
    for (row = 0; row < x->dim[1].extent; ++row) {
        const int64_t *const read = (const int64_t *)(const void *)x->host + row * length;
        int64_t *const own = (int64_t *)(void *)counts->host + row * width;
        memset(own, 0, (size_t)width * sizeof(int64_t));
        for (distance = 1; distance <= skips + 1; ++distance) {
            for (size = least; size <= most; ++size) {
                if (size == 1 && distance > 1) {
                    continue; /* a single element skips none */
                }
                if (size > 1 && distance > (length - 1) / (size - 1)) {
                    break;
                }
                for (start = 0; start + (size - 1) * distance < length; ++start) {
                    const int64_t number = found(&all, read + start, size, distance);
                    if (number >= 0) {
                        ++own[to[number]];
                    }
                }
            }
        }
    }
    return 0;
}
