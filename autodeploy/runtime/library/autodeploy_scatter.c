#include "autodeploy_library.h"

#include <string.h>

enum { REPLACE, ADD, MULTIPLY, LARGEST, SMALLEST };

/* Let each of `width` elements become what `change` makes of it, a, and of the update, b. */
#define EACH(type, change) \
    do { \
        const type *const from = (const type *)update; \
        type *const to = (type *)row; \
        size_t i; \
        for (i = 0; i < width; ++i) { \
            const type a = to[i], b = from[i]; \
            to[i] = (change); \
        } \
    } while (0)

/* Define the reduction of a row. Sums and products of integers are unsigned ones, which wrap. */
#define REDUCTION(name, type, sums, is_nan) \
    static void name(int64_t reduction, size_t width, const void *update, void *row) \
    { \
        switch (reduction) { \
        case ADD: \
            EACH(sums, a + b); \
            break; \
        case MULTIPLY: \
            EACH(sums, a * b); \
            break; \
        case LARGEST: \
            EACH(type, b > a || is_nan(b) ? b : a); \
            break; \
        default: \
            EACH(type, b < a || is_nan(b) ? b : a); \
            break; \
        } \
    }

#define IS_NAN(x) ((x) != (x))
#define NEVER(x) 0

REDUCTION(reduce_float, float, float, IS_NAN)
REDUCTION(reduce_double, double, double, IS_NAN)
REDUCTION(reduce_int64, int64_t, uint64_t, NEVER)
REDUCTION(reduce_uint64, uint64_t, uint64_t, NEVER)

static void reduce_row(struct halide_type_t type, int64_t reduction, size_t width,
                       const void *update, void *row)
{
    switch (type.code) {
    case halide_type_float:
        if (type.bits == 64) {
            reduce_double(reduction, width, update, row);
        } else {
            reduce_float(reduction, width, update, row);
        }
        break;
    case halide_type_uint:
        reduce_uint64(reduction, width, update, row);
        break;
    default:
        reduce_int64(reduction, width, update, row);
        break;
    }
}

int autodeploy_scatter(autodeploy_runtime *runtime, const halide_buffer_t *x,
                       const halide_buffer_t *places, const halide_buffer_t *updates,
                       halide_buffer_t *result, int64_t reduction, int64_t spare)
{
    const int64_t *const numbers = (const int64_t *)(const void *)places->host;
    const int64_t count = places->dim[0].extent, rows = x->dim[1].extent;
    const size_t width = (size_t)x->dim[0].extent;
    const size_t bytes = width * ((x->type.bits + 7u) / 8u);
    int64_t i;
    memcpy(result->host, x->host, (size_t)rows * bytes);
    for (i = 0; i < count; ++i) {
        const uint8_t *const update = updates->host + (size_t)i * bytes;
        if (spare != 0 && numbers[i] == rows) {
            continue;
        }
        if (numbers[i] < 0 || numbers[i] >= rows) {
            halide_error(runtime, "an index is outside of what it points into");
            return 1;
        }
        if (reduction == REPLACE) {
            memcpy(result->host + (size_t)numbers[i] * bytes, update, bytes);
        } else {
            reduce_row(x->type, reduction, width, update,
                       result->host + (size_t)numbers[i] * bytes);
        }
    }
    return 0;
}
