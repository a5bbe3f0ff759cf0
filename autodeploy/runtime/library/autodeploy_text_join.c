#include "autodeploy_library.h"
#include "autodeploy_text.h"

int autodeploy_text_join(autodeploy_runtime *runtime, const halide_buffer_t *first,
                         const halide_buffer_t *of_first, const halide_buffer_t *second,
                         const halide_buffer_t *of_second, halide_buffer_t *table)
{
    const size_t widths[] = {(size_t)first->dim[0].extent, (size_t)second->dim[0].extent};
    const size_t width = (size_t)table->dim[0].extent;
    const int32_t *const rows = (const int32_t *)(const void *)of_first->host;
    const int32_t *const others = (const int32_t *)(const void *)of_second->host;
    const int32_t count = table->dim[1].extent;
    int32_t i;
    (void)runtime;
    for (i = 0; i < count; ++i) {
        const uint8_t *const one = first->host + (size_t)rows[i] * widths[0];
        const uint8_t *const other = second->host + (size_t)others[i] * widths[1];
        const size_t bytes = autodeploy_text_bytes(one, widths[0] - 1);
        const size_t more = autodeploy_text_bytes(other, widths[1] - 1);
        uint8_t *const to = table->host + (size_t)i * width;
        /* A row has room for the longest of both, and a zero. */
        memcpy(to, one, bytes);
        memcpy(to + bytes, other, more);
        memset(to + bytes + more, 0, width - bytes - more);
    }
    return 0;
}
