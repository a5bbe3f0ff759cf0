#include "autodeploy_library.h"

#include <string.h>

int autodeploy_choose(autodeploy_runtime *runtime, const halide_buffer_t *given,
                      const halide_buffer_t *allowed, halide_buffer_t *row)
{
    const int64_t *const wanted = (const int64_t *)(const void *)given->host;
    const int64_t *const rows = (const int64_t *)(const void *)allowed->host;
    const size_t width = (size_t)allowed->dim[0].extent;
    const int32_t count = allowed->dim[1].extent;
    int32_t i;
    for (i = 0; i < count; ++i) {
        if (width == 0 || memcmp(rows + (size_t)i * width, wanted, width * sizeof *rows) == 0) {
            const int64_t number = i;
            memcpy(row->host, &number, sizeof number);
            return 0;
        }
    }
    halide_error(runtime, "an input has another value than the shapes of the model say");
    return 1;
}
