#include "autodeploy_library.h"
#include "autodeploy_text.h"

typedef struct {
    const uint8_t *cells;
    size_t width;
} table;

/* Tell by its sign whether row a stands behind, before or beside row b: zeros fill cells up. */
static int compared(const table *rows, int32_t a, int32_t b)
{
    return memcmp(rows->cells + (size_t)a * rows->width, rows->cells + (size_t)b * rows->width,
                  rows->width);
}

/* Whether row a stands behind row b; of equal rows the one with the higher number does. */
static int is_behind(const table *rows, int32_t a, int32_t b)
{
    const int order = compared(rows, a, b);
    return order != 0 ? order > 0 : a > b;
}

/* Let numbers[at] sink until none below it stands behind it. */
static void sink(const table *rows, int32_t *numbers, int64_t at, int64_t count)
{
    const int32_t moved = numbers[at];
    for (;;) {
        int64_t child = 2 * at + 1;
        if (child >= count) {
            break;
        }
        if (child + 1 < count && is_behind(rows, numbers[child + 1], numbers[child])) {
            ++child;
        }
        if (!is_behind(rows, numbers[child], moved)) {
            break;
        }
        numbers[at] = numbers[child];
        at = child;
    }
    numbers[at] = moved;
}

int autodeploy_text_order(autodeploy_runtime *runtime, const halide_buffer_t *strings,
                          halide_buffer_t *ranks, halide_buffer_t *first)
{
    const int32_t count = strings->dim[1].extent;
    int32_t *const numbers = (int32_t *)(void *)first->host;
    int32_t *const own = (int32_t *)(void *)ranks->host;
    int32_t found = 0, i;
    table rows;
    (void)runtime;
    rows.cells = strings->host;
    rows.width = (size_t)strings->dim[0].extent;
    for (i = 0; i < count; ++i) {
        numbers[i] = i;
    }
    for (i = count / 2 - 1; i >= 0; --i) {
        sink(&rows, numbers, i, count);
    }
    for (i = count - 1; i > 0; --i) {
        const int32_t last = numbers[0];
        numbers[0] = numbers[i];
        numbers[i] = last;
        sink(&rows, numbers, 0, i);
    }
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
