#include "autodeploy_library.h"

/* Rows of elements that are compared one after the other. */
typedef struct {
    const void *elements;
    struct halide_type_t type;
    int64_t width;
} heap_rows;

typedef int64_t heap_number;

/* Tell as 1, -1 or 0 whether element a is above, below or like element b; nan is above all. */
#define COMPARED(type) \
    do { \
        const type x = ((const type *)rows->elements)[a]; \
        const type y = ((const type *)rows->elements)[b]; \
        if (x != x || y != y) { \
            return (x != x) - (y != y); \
        } \
        return (x > y) - (x < y); \
    } while (0)

static int compared(const heap_rows *rows, int64_t a, int64_t b)
{
    switch (rows->type.code) {
    case halide_type_float:
        if (rows->type.bits == 64) {
            COMPARED(double);
        }
        COMPARED(float);
    case halide_type_uint:
        COMPARED(uint64_t);
    default:
        COMPARED(int64_t);
    }
}

static int compared_rows(const heap_rows *rows, int64_t a, int64_t b)
{
    int64_t i;
    for (i = 0; i < rows->width; ++i) {
        const int order = compared(rows, a * rows->width + i, b * rows->width + i);
        if (order != 0) {
            return order;
        }
    }
    return 0;
}

/* Whether row a stands before row b; of equal rows the one with the lower number does. */
static int comes_before(const heap_rows *rows, int64_t a, int64_t b)
{
    const int order = compared_rows(rows, a, b);
    return order != 0 ? order < 0 : a < b;
}

#include "autodeploy_heap.h"

int autodeploy_unique(autodeploy_runtime *runtime, const halide_buffer_t *x,
                      halide_buffer_t *first, halide_buffer_t *inverse, halide_buffer_t *counts,
                      halide_buffer_t *count, int64_t sorted)
{
    const int64_t total = x->dim[1].extent;
    int64_t *const numbers = (int64_t *)(void *)first->host;
    int64_t *const groups = (int64_t *)(void *)inverse->host;
    int64_t *const sizes = (int64_t *)(void *)counts->host;
    int64_t found = 0, i;
    heap_rows rows;
    (void)runtime;
    rows.elements = x->host;
    rows.type = x->type;
    rows.width = x->dim[0].extent;
    heap_fill(&rows, numbers, total);
    heap_sort(&rows, numbers, total);
    /* Each run of equal rows starts with that of the lowest number. */
    for (i = 0; i < total; ++i) {
        const int64_t number = numbers[i];
        if (i == 0 || compared_rows(&rows, numbers[found - 1], number) != 0) {
            numbers[found++] = number;
        }
        groups[number] = sorted ? found - 1 : numbers[found - 1];
    }
    if (!sorted) {
        found = 0;
        for (i = 0; i < total; ++i) {
            if (groups[i] == i) {
                numbers[found] = i;
                groups[i] = found++;
            } else {
                groups[i] = groups[groups[i]];
            }
        }
    }
    for (i = 0; i < total; ++i) {
        sizes[i] = 0;
    }
    for (i = 0; i < total; ++i) {
        ++sizes[groups[i]];
    }
    *(int64_t *)(void *)count->host = found;
    for (i = found; i < total; ++i) {
        numbers[i] = 0;
    }
    return 0;
}
