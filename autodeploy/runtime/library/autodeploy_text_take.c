#include "autodeploy_library.h"
#include "autodeploy_text.h"

int autodeploy_text_take(autodeploy_runtime *runtime, const halide_buffer_t *given,
                         halide_buffer_t *table)
{
    const size_t width = (size_t)given->dim[0].extent;
    const int32_t count = given->dim[1].extent;
    int32_t i;
    for (i = 0; i < count; ++i) {
        const uint8_t *const from = given->host + (size_t)i * width;
        uint8_t *const to = table->host + (size_t)i * width;
        const size_t bytes = autodeploy_text_bytes(from, width);
        if (bytes == width) {
            halide_error(runtime, "a string of an input has no zero byte at its end");
            return 1;
        }
        memcpy(to, from, bytes);
        memset(to + bytes, 0, width - bytes);
    }
    return 0;
}
