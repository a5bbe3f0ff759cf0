#include "autodeploy_library.h"

/* A row of the operand: what comes first of two of its elements. */
typedef struct {
    const void *elements;
    struct halide_type_t type;
    int largest;
} heap_rows;

typedef int64_t heap_number;

/* 1 where a is above b, -1 where it is below. */
#define COMPARED(type) \
    do { \
        const type x = ((const type *)row->elements)[a]; \
        const type y = ((const type *)row->elements)[b]; \
        return (x > y) - (x < y); \
    } while (0)

/* The same where nan is above all numbers. */
#define COMPARED_FLOATS(type) \
    do { \
        const type x = ((const type *)row->elements)[a]; \
        const type y = ((const type *)row->elements)[b]; \
        if (x != x || y != y) { \
            return (x != x) - (y != y); \
        } \
        return (x > y) - (x < y); \
    } while (0)

static int compared(const heap_rows *row, int64_t a, int64_t b)
{
    const int wide = row->type.bits == 64;
    switch (row->type.code) {
    case halide_type_float:
        if (wide) {
            COMPARED_FLOATS(double);
        }
        COMPARED_FLOATS(float);
    case halide_type_uint:
        if (wide) {
            COMPARED(uint64_t);
        }
        COMPARED(uint32_t);
    default:
        if (wide) {
            COMPARED(int64_t);
        }
        COMPARED(int32_t);
    }
}

/* Whether element a comes before element b. */
static int comes_before(const heap_rows *row, int64_t a, int64_t b)
{
    const int sign = row->largest ? compared(row, a, b) : compared(row, b, a);
    return sign != 0 ? sign > 0 : a < b;
}

#include "autodeploy_heap.h"

/* Keep the first `kept` elements in a heap, then sort it. */
static void order_row(const heap_rows *row, int64_t count, int64_t *numbers, int64_t kept)
{
    int64_t i;
    if (kept == 0) {
        return;
    }
    heap_fill(row, numbers, kept);
    for (i = kept; i < count; ++i) {
        if (comes_before(row, i, numbers[0])) {
            numbers[0] = i;
            heap_sink(row, numbers, 0, kept);
        }
    }
    heap_sort(row, numbers, kept);
}

int autodeploy_order(autodeploy_runtime *runtime, const halide_buffer_t *x,
                     halide_buffer_t *indices, int64_t largest)
{
    const int64_t count = x->dim[0].extent, kept = indices->dim[0].extent;
    int64_t rows = 1, i;
    int32_t axis;
    heap_rows row;
    (void)runtime;
    for (axis = 1; axis < x->dimensions; ++axis) {
        rows *= x->dim[axis].extent;
    }
    row.type = x->type;
    row.largest = largest != 0;
    for (i = 0; i < rows; ++i) {
        int64_t from = 0, to = 0, rest = i;
        for (axis = 1; axis < x->dimensions; ++axis) {
            const int64_t place = rest % x->dim[axis].extent;
            rest /= x->dim[axis].extent;
            from += place * x->dim[axis].stride;
            to += place * indices->dim[axis].stride;
        }
        row.elements = x->host + from * (x->type.bits / 8);
        order_row(&row, count, (int64_t *)(void *)indices->host + to, kept);
    }
    return 0;
}
