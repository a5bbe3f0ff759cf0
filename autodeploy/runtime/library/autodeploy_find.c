#include "autodeploy_library.h"

#include <string.h>

/* Tell by its sign whether a row stands behind, before or beside a row of the keys. */
static int compared(const halide_buffer_t *keys, const uint8_t *row, int32_t number)
{
    const size_t width = (size_t)keys->dim[0].extent;
    if (keys->type.bits == 64) {
        const int64_t own = *(const int64_t *)(const void *)row;
        const int64_t key = ((const int64_t *)(const void *)keys->host)[number];
        return (own > key) - (own < key);
    }
    return memcmp(row, keys->host + (size_t)number * width, width);
}

int autodeploy_find(autodeploy_runtime *runtime, const halide_buffer_t *x,
                    const halide_buffer_t *keys, halide_buffer_t *numbers)
{
    const size_t width = (size_t)x->dim[0].extent * (x->type.bits / 8u);
    const int32_t rows = x->dim[1].extent, count = keys->dim[1].extent;
    int32_t *const found = (int32_t *)(void *)numbers->host;
    int32_t i;
    (void)runtime;
    for (i = 0; i < rows; ++i) {
        const uint8_t *const row = x->host + (size_t)i * width;
        int32_t low = 0, high = count;
        found[i] = count;
        while (low < high) {
            const int32_t middle = low + (high - low) / 2;
            const int order = compared(keys, row, middle);
            if (order == 0) {
                found[i] = middle;
                break;
            }
            if (order > 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
    }
    return 0;
}
