#include "autodeploy_library.h"
#include "autodeploy_text.h"

typedef struct {
    const uint8_t *cells;
    size_t width;
} heap_rows;

typedef int32_t heap_number;

/* Tell by its sign whether row a stands behind, before or beside row b: zeros fill cells up. */
static int compared(const heap_rows *rows, int32_t a, int32_t b)
{
    return memcmp(rows->cells + (size_t)a * rows->width, rows->cells + (size_t)b * rows->width,
                  rows->width);
}

/* Whether row a stands before row b; of equal rows the one with the lower number does. */
static int comes_before(const heap_rows *rows, int32_t a, int32_t b)
{
    const int order = compared(rows, a, b);
    return order != 0 ? order < 0 : a < b;
}

#include "autodeploy_heap.h"

int autodeploy_text_order(autodeploy_runtime *runtime, const halide_buffer_t *strings,
                          halide_buffer_t *ranks, halide_buffer_t *first)
{
    const int32_t count = strings->dim[1].extent;
    int32_t *const numbers = (int32_t *)(void *)first->host;
    int32_t *const own = (int32_t *)(void *)ranks->host;
    int32_t found = 0, i;
    heap_rows rows;
    (void)runtime;
    rows.cells = strings->host;
    rows.width = (size_t)strings->dim[0].extent;
    heap_fill(&rows, numbers, count);
    heap_sort(&rows, numbers, count);
    for (i = 0; i < count; ++i) {
        const int32_t number = numbers[i];
        if (i == 0 || compared(&rows, numbers[found - 1], number) != 0) {
            numbers[found++] = number;
        }
        own[number] = found - 1;
    }
    for (i = found; i < count; ++i) {
        numbers[i] = 0;
    }
    return 0;
}
